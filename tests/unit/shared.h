/* The shared corpus, where it is present: STRANDLINE_SHARED, or ../shared beside the project. */
#ifndef STRANDLINE_TESTS_UNIT_SHARED_H
#define STRANDLINE_TESTS_UNIT_SHARED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

/* Path of a file under the corpus. */
static inline void shared_path(const char *name, char *path, size_t size)
{
    const char *shared = getenv("STRANDLINE_SHARED"), *root = getenv("STRANDLINE_ROOT");
    if (shared)
        snprintf(path, size, "%s/corpus/%s", shared, name);
    else
        snprintf(path, size, "%s/../shared/corpus/%s", root ? root : ".", name);
}

static inline bool file_read(const char *path, struct buf *out)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char block[65536];
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        buf_add(out, (struct span){block, got});
    fclose(file);
    return true;
}

/* All of a file under the corpus appended to out; false where it isn't there. */
static inline bool shared_read(const char *name, struct buf *out)
{
    char path[4096];
    shared_path(name, path, sizeof path);
    return file_read(path, out);
}

/* All of a file of the project itself. */
static inline bool project_read(const char *name, struct buf *out)
{
    char path[4096];
    const char *root = getenv("STRANDLINE_ROOT");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", name);
    return file_read(path, out);
}

#endif
