/* Small files that a verb needs whole: a policy, a record, a baseline. */
#ifndef STRANDLINE_CLI_FILES_H
#define STRANDLINE_CLI_FILES_H

#include "base/buf.h"
#include "base/err.h"

/* Reads all of a file ("-": standard input) behind what `out` holds. */
bool file_read(const char *path, struct buf *out, struct err *err);

#endif
