/* Small files, read whole. Logs are read in parts: ingest/input.h. */
#ifndef STRANDLINE_BASE_FILE_H
#define STRANDLINE_BASE_FILE_H

#include "base/buf.h"

/*
 * Appends the bytes of a file ("-": standard input) to out. 0, or an errno: EFBIG where there are
 * more than `most`. What was read until then is in out all the same.
 */
int file_bytes(const char *path, size_t most, struct buf *out) ATTR_MUST_USE;

#endif
