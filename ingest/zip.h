/*
 * Archives of Inspect's evaluations (.eval): a zip whose members are JSON, read as one stream of
 * values: the header, then each sample (inspect.aisi.org.uk/eval-logs.html). The container is that
 * of PKWARE's APPNOTE 6.3 with zip64; members are stored, deflated, or packed with zstd.
 *
 * All sizes and places in it are an attacker's: members must lie inside of the file, before its
 * directory and apart from one another; none gives more than it says, and all together not more
 * than a set multiple of the file.
 */
#ifndef STRANDLINE_INGEST_ZIP_H
#define STRANDLINE_INGEST_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct zip;

/* Reads the directory of the file of that size. NULL and err where it is no such archive, or is
 * damaged. The descriptor stays the caller's, and must stay open. */
struct zip *zip_open(int fd, uint64_t size, const char *path, struct err *err);
void zip_close(struct zip *zip); /* NULL is fine */
/*
 * As input_read: the members' bytes, each with a newline behind it; 0 at the end. A member that is
 * damaged ends where that shows, and the others are read all the same: then, at the very end, -1
 * and the first of such errors.
 */
ptrdiff_t zip_read(struct zip *zip, char *at, size_t room, struct err *err);

#endif
