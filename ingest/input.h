/* Bytes of a file, a pipe or standard input, with gzip, zstd, xz and archives read through, and
 * databases of agents as the lines of their tables. */
#ifndef STRANDLINE_INGEST_INPUT_H
#define STRANDLINE_INGEST_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct input;

/* "-" is standard input. Folders, sockets and links to nowhere are errors. */
struct input *input_open(const char *path, struct err *err);
void input_close(struct input *in); /* NULL is fine */
/* Bytes read, 0 at the end, -1 on an error (the bytes before it are good). Fills what there is room
 * for unless the end comes. */
ptrdiff_t input_read(struct input *in, char *at, size_t room, struct err *err);
/* Of the file on disk; 0: not known (a pipe). */
uint64_t input_size(const struct input *in);
/* How far it was read, in bytes of the file on disk. */
uint64_t input_position(const struct input *in);
/* How the bytes came out of the file: "unpacked with gzip", or NULL: as they are. Known after the
 * first read. */
const char *input_packing(const struct input *in);
/* SHA-256 of the file on disk, where it is not what input_read gave. Empty where it is, and where
 * it was not read to its end. */
struct span input_file_digest(const struct input *in);

#endif
