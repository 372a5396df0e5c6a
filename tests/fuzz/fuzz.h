/*
 * A fuzz target is one file with one function. fuzz_entry.c calls it from
 * libFuzzer, replay.c calls it on the files of a folder and on damaged copies of
 * them, with any compiler, as part of the ordinary tests.
 */
#ifndef STRANDLINE_TESTS_FUZZ_FUZZ_H
#define STRANDLINE_TESTS_FUZZ_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"

/* Reads `input` in every way the target is about; ends the program where something doesn't hold. */
void fuzz_one(struct span input);

/* Not assert(), which a release build leaves out. */
#define FUZZ_CHECK(holds)                                                                          \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: doesn't hold: %s\n", __FILE__, __LINE__, #holds);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
