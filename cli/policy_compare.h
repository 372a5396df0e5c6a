/* `policy compare CASE [SESSION]`. */
#ifndef STRANDLINE_CLI_POLICY_COMPARE_H
#define STRANDLINE_CLI_POLICY_COMPARE_H

#include "cli/subject.h"

/* The operands are those behind `compare`. Gives the exit status. */
int policy_compare(struct invocation *call, const struct output *output);

#endif
