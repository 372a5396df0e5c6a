/* Where the answer of a verb goes, and how it looks there: options that every verb has. */
#ifndef STRANDLINE_CLI_OUTPUT_H
#define STRANDLINE_CLI_OUTPUT_H

#include "cli/options.h"

struct output {
    bool json, colour, quiet, verbose;
    int width; /* columns of the terminal, 0 when piped */
};

/* Reads them, for standard output. False, err filled, where one is wrong. */
bool output_options(const struct invocation *call, struct output *out, struct err *err);

#endif
