/*
 * The case: one SQLite file with everything imported and the reviewer's notes.
 * Sources and notes are the truth in it; all else can be rebuilt from them.
 * docs/schema.md describes tables and views for readers.
 */
#ifndef STRANDLINE_MODEL_CASE_CASE_H
#define STRANDLINE_MODEL_CASE_CASE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/case/db.h"
#include "model/case/extent.h"

struct case_file;

enum { CASE_APPLICATION_ID = 0x53544c4e /* "STLN" */, CASE_SCHEMA_VERSION = 1 };

/* Is there a case at this path? Looks at the SQLite header and the application id only. */
bool case_is(const char *path);

/* Creates the case, or opens it for adding to where it is one already. */
struct case_file *case_create(const char *path, struct err *err);
/* A case without a file, for logs given to the explorer or to `check`. Spills to a private
 * temporary file, so it is not bounded by memory. */
struct case_file *case_temporary(struct err *err);
/*
 * Opens an existing case: read-write where the file allows it, else read-only.
 * Migrates older versions, refuses newer ones, checks with quick_check and
 * that the schema is ours (a hostile file may bring triggers and views of its
 * own: refused).
 */
struct case_file *case_open(const char *path, struct err *err);
/* The same, but of a large file the quick_check is left to case_check, so that a person sees a
 * screen first. */
struct case_file *case_open_to_look(const char *path, struct err *err);

enum case_check { CASE_CHECKING, CASE_SOUND, CASE_DAMAGED, CASE_UNKNOWN /* it can't be checked */ };
/*
 * What that check has found so far. The first call begins it, on a thread and a connection of its
 * own, so that nobody waits for it; `wait` does, until it has ended. Fills err where it is damaged
 * or can't be checked.
 */
enum case_check case_check(struct case_file *c, bool wait, struct err *err);
/* db_watch and db_watch_end: until then `stop` ends what is asked of the case. */
void case_watch(struct case_file *c, bool (*stop)(void *arg), void *arg);
bool case_watch_end(struct case_file *c);
void case_close(struct case_file *c); /* NULL is fine */

/* The connection, for statements; it belongs to the case. Read-only files are opened read-only. */
struct db *case_db(struct case_file *c);
bool case_is_writable(const struct case_file *c);
/* Has another program written to it since this was asked last (or since it was opened)? */
bool case_has_changed(struct case_file *c);
/* Does an import follow logs into it, as far as it says? One that was killed still says so. */
bool case_is_followed(struct case_file *c);
bool case_say_followed(struct case_file *c, bool on, struct err *err);
/* How many threads pack and hash what is imported beside the one that reads; 0: none. */
enum { CASE_WORKERS = 2 };
void case_use_workers(struct case_file *c, unsigned workers);
/* Begins a transaction that writes only what is derived: works on every case. */
bool case_begin_derived(struct case_file *c, struct err *err);
const char *case_path(const struct case_file *c); /* "" for a temporary one */

/*
 * Reads the text of an extent: finds its frames, unpacks what is needed (the
 * last few frames are kept), applies the recipe. Appends to out. Checked: an
 * extent outside of its source, or a recipe that doesn't fit, is an error.
 * `limit` bounds the bytes produced (0: none), cut between characters of UTF-8;
 * *cut (may be NULL) tells when it did.
 */
bool case_read(struct case_file *c, const struct extent *where, uint64_t limit, struct buf *out,
               bool *cut, struct err *err);

#endif
