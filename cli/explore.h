/* How the explorer looks and where it runs: options that `explore` and `lesson` share. */
#ifndef STRANDLINE_CLI_EXPLORE_H
#define STRANDLINE_CLI_EXPLORE_H

#include "cli/subject.h"
#include "tui/explorer.h"

#define EXPLORE_OPTIONS                                                                            \
    {"ascii", 0, NULL, "only ASCII on the screen"}, {"background", 0, "GROUND", "dark or light"},  \
        {"plain", 0, NULL, "each screen as plain text, for pipes and screen readers"},             \
        {"script", 0, "FILE", "keys and commands to play, a line each"},                           \
        {"rows", 0, "N", "rows of --plain"},                                                       \
    {                                                                                              \
        "columns", 0, "N", "columns of --plain"                                                    \
    }

/* Reads them; also sees that there is a terminal where one is needed. */
bool explore_look(struct invocation *call, struct explorer_options *options, struct err *err);
/* Opens the explorer on what was read; gives the exit status. */
int explore_open(struct subject *subject, struct explorer_options *options);

#endif
