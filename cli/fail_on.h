/* --fail-on, for the verbs whose exit status tells of findings. */
#ifndef STRANDLINE_CLI_FAIL_ON_H
#define STRANDLINE_CLI_FAIL_ON_H

#include "cli/options.h"
#include "model/findings/finding.h"

#define FAIL_ON_OPTION                                                                             \
    {                                                                                              \
        "fail-on", 0, "SEVERITY",                                                                  \
            "exit 1 at or above: critical, high, medium, low, info (default: high)"                \
    }
/* The severity that is asked for, or high. False, err filled, where the word is none. */
bool fail_on_option(const struct invocation *call, enum severity *fail_on, struct err *err);

#endif
