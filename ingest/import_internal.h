/* What importing logs and importing evidence share. */
#ifndef STRANDLINE_INGEST_IMPORT_INTERNAL_H
#define STRANDLINE_INGEST_IMPORT_INTERNAL_H

#include "ingest/framer.h"
#include "ingest/import.h"

/* Serves every file under the paths and patterns, folders in sorted order, links in them not
 * followed. `each` returns false to end the walk. Paths that can't be walked are given to `failed`.
 */
bool import_walk(const char *const *paths, size_t count, bool (*each)(void *arg, const char *path),
                 void (*failed)(void *arg, const struct err *err), void *arg);
/* Is a source with these very bytes in the case, beside `source`? 1, 0, or -1 on an error. */
int import_has_twin(struct case_file *c, int64_t source, struct err *err);
/* Is the file in the case already? Asked before it is read: it is hashed only where the case has a
 * source of its size and role ("log", "evidence"). 1, 0, or -1 on an error. */
int import_is_known(struct case_file *c, const char *path, const char *role, uint64_t size,
                    struct err *err);
/* May more be read to what the framer holds of an unfinished unit? A line without an end, or a few
 * packed bytes that unpack to one, must not fill the memory. */
bool import_may_hold(const struct framer *framer, size_t longest, const char *path,
                     struct err *err);

#endif
