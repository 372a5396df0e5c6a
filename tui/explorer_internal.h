/* What the loop's own files share, and no view needs. */
#ifndef STRANDLINE_TUI_EXPLORER_INTERNAL_H
#define STRANDLINE_TUI_EXPLORER_INTERNAL_H

#include "tui/core.h"

/* acting.c */
bool needs_session(enum action action);
void awaited(struct explorer *x, struct key key);
/* command.c */
bool prompt_takes(struct explorer *x, struct key key); /* false: the explorer is to be left */
/* explorer.c */
void explorer_pop(struct explorer *x);
void explorer_use_policy(struct explorer *x, struct span name);

#endif
