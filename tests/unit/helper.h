/* What several unit tests need: numbers that look random and are the same in every run, files, and
 * the folder of real logs and published vectors, which is not part of the project. */
#ifndef STRANDLINE_TESTS_UNIT_HELPER_H
#define STRANDLINE_TESTS_UNIT_HELPER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

struct numbers {
    uint64_t state;
};

/* xorshift64*; any seed but 0. */
static inline uint64_t numbers_next(struct numbers *numbers)
{
    uint64_t x = numbers->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    numbers->state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static inline size_t numbers_below(struct numbers *numbers, size_t limit)
{
    return (size_t)(numbers_next(numbers) % limit);
}

/* Appends the whole file; false where it can't be read. */
static inline bool helper_read(struct buf *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t got;
    do {
        char *to = buf_reserve(out, 65536);
        got = fread(to, 1, 65536, file);
        out->len += got;
    } while (got);
    bool whole = !ferror(file);
    fclose(file);
    return whole;
}

/* The path of something in the folder of shared test data, for as long as `path` lives:
 * STRANDLINE_SHARED, else ../shared beside the project. It may not be there: say "skipped". */
static inline const char *helper_shared(struct buf *path, const char *inside)
{
    const char *shared = getenv("STRANDLINE_SHARED"), *root = getenv("STRANDLINE_ROOT");
    buf_clear(path);
    if (shared)
        buf_addf(path, "%s/%s", shared, inside);
    else
        buf_addf(path, "%s/../shared/%s", root ? root : ".", inside);
    return buf_cstr(path);
}

/* One line about a test that had nothing to read. */
static inline void helper_skipped(const char *what, const char *path)
{
    fprintf(stderr, "# skipped: %s (no %s)\n", what, path);
}

#endif
