/*
 * Files that tests read and write: their own, those of the project
 * (STRANDLINE_ROOT), and real logs and published vectors, which are no part of
 * it (STRANDLINE_SHARED, else ../shared beside the project). A test that finds
 * none of those says so by cr_skip_test.
 */
#ifndef STRANDLINE_TESTS_UNIT_FILES_H
#define STRANDLINE_TESTS_UNIT_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

/* Appends all of a file; false where it can't be read. */
static inline bool files_read(const char *path, struct buf *out)
{
    return file_bytes(path, SIZE_MAX - out->len, out) == 0;
}

static inline bool files_put(const char *path, const char *mode, struct span bytes)
{
    FILE *file = fopen(path, mode);
    if (!file)
        return false;
    bool whole = fwrite(bytes.at, 1, bytes.len, file) == bytes.len;
    return fclose(file) == 0 && whole;
}

/* The file anew, or more at its end; false where it can't be written. */
static inline bool files_write(const char *path, struct span bytes)
{
    return files_put(path, "w", bytes);
}

static inline bool files_append(const char *path, struct span bytes)
{
    return files_put(path, "a", bytes);
}

/* The path of a file of the project, in `path`. */
static inline const char *files_project(const char *inside, struct buf *path)
{
    const char *root = getenv("STRANDLINE_ROOT");
    buf_clear(path);
    buf_addf(path, "%s/%s", root ? root : ".", inside);
    return buf_cstr(path);
}

/* The path of something in the corpus of real logs and vectors, in `path`. It may not be there. */
static inline const char *files_shared(const char *inside, struct buf *path)
{
    const char *shared = getenv("STRANDLINE_SHARED");
    if (shared) {
        buf_clear(path);
        buf_puts(path, shared);
    } else {
        files_project("../shared", path);
    }
    buf_addf(path, "/corpus/%s", inside);
    return buf_cstr(path);
}

/* Appends all of it; false where it isn't there. */
static inline bool files_read_shared(const char *inside, struct buf *out)
{
    struct buf path = {0};
    bool read = files_read(files_shared(inside, &path), out);
    buf_finish(&path);
    return read;
}

#endif
