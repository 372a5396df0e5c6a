/* What the tests that write steps by hand share. */
#ifndef STRANDLINE_TESTS_UNIT_HINTS_SUPPORT_H
#define STRANDLINE_TESTS_UNIT_HINTS_SUPPORT_H

#include "model/case/step.h"

/* The hints of a definition, as letters: r/w readOnlyHint true/false, o/c openWorldHint true/false.
 * NULL or "": the tool was not defined. */
static inline struct hints hints_of(const char *letters)
{
    struct hints h = {letters && letters[0], TRI_ABSENT, TRI_ABSENT, TRI_ABSENT, TRI_ABSENT};
    for (; letters && *letters; letters++) {
        if (*letters == 'r' || *letters == 'w')
            h.read_only = *letters == 'r' ? TRI_TRUE : TRI_FALSE;
        if (*letters == 'o' || *letters == 'c')
            h.open_world = *letters == 'o' ? TRI_TRUE : TRI_FALSE;
    }
    return h;
}

#endif
