/* Small files that a verb reads whole (a policy, a record, a baseline), and files that it writes.
 */
#ifndef STRANDLINE_CLI_FILES_H
#define STRANDLINE_CLI_FILES_H

#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"

/* Reads all of a file ("-": standard input) behind what `out` holds. */
bool file_read(const char *path, struct buf *out, struct err *err);

/* A file that is written whole or not at all: its bytes go to one without a name, of which nothing
 * is left when the program is killed, or, where the file system has no such files, to one beside
 * it; that takes its name at the end. "-" is standard output, which has them as they come. A case
 * is never written over. */
struct file_writing {
    FILE *to;
    struct buf path, beside; /* beside: empty for standard output, a pipe */
    bool nameless;           /* so far: `beside` is what it will be called on the way */
};
/* False, err filled and nothing to end, where it can't be written. */
bool file_begin(struct file_writing *file, const char *path, struct err *err);
/* `keep`: what was written is good. Else it goes, and so does nothing of what was there before.
 * False where !keep, or where the disk didn't take all of it. */
bool file_end(struct file_writing *file, bool keep, struct err *err);

#endif
