/*
 * The framer cuts a stream of bytes into units. Bytes are put in with
 * framer_room and framer_filled, units are taken out with framer_next; memory
 * is that of the longest unit and one read.
 *
 *     for (;;) {
 *         while (framer_next(f, &unit)) …
 *         at = framer_room(f, &room); n = read(fd, at, room);
 *         if (n > 0) framer_filled(f, n); else framer_end(f), …last units…
 *     }
 */
#ifndef STRANDLINE_INGEST_FRAMER_H
#define STRANDLINE_INGEST_FRAMER_H

#include "ingest/unit.h"

struct framer;

/* At the start of a source. Never NULL; the caller's. */
struct framer *framer_create(void);
void framer_destroy(struct framer *f); /* NULL is fine */

/* Where to read more bytes to, and how many fit (never 0). Ends the validity of units. */
char *framer_room(struct framer *f, size_t *room);
void framer_filled(struct framer *f, size_t bytes);
void framer_end(struct framer *f); /* no more bytes will come */
/* Bytes of the unit that is not complete yet; after framer_next had no more to give. */
size_t framer_held(const struct framer *f);

/* The bytes put in so far, as UTF-8, for detection; before the first framer_next. */
struct span framer_head(struct framer *f);
/* Of the same: are the bytes put in UTF-8 as they are? */
bool framer_is_utf8(const struct framer *f);
/* How to cut; before the first framer_next. `elements` as in struct reader. */
void framer_cut_by(struct framer *f, enum framing framing, const char *elements);

/* The next unit; false where more bytes are needed, or, after framer_end, there are none. */
bool framer_next(struct framer *f, struct unit *unit);
/* Lines seen so far (a last line without its end counts). */
uint64_t framer_lines(const struct framer *f);

#endif
