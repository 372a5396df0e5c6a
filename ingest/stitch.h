/*
 * A text whose bytes lie in pieces over a source: a stream out of packets, a
 * line that a log driver cut in parts, the lines inside of a quotation. The
 * stitch knows where each piece stands, so that any part of the text can be
 * shown in the file.
 */
#ifndef STRANDLINE_INGEST_STITCH_H
#define STRANDLINE_INGEST_STITCH_H

#include "base/buf.h"
#include "base/mem.h"
#include "model/case/extent.h"

struct stitch_piece {
    uint64_t offset, length; /* in the source */
};

/* Zeroed it is empty. */
struct stitch {
    struct stitch_piece *pieces;
    size_t first, count, size; /* pieces[first, count) are in use */
    uint64_t begin, end;       /* of the text, in bytes of all that was ever added */
};

/* Frees it and leaves it empty; clear keeps the memory. */
void stitch_finish(struct stitch *s);
void stitch_clear(struct stitch *s);
/* The next `length` bytes of the text stand at `offset` of the source. */
void stitch_add(struct stitch *s, uint64_t offset, uint64_t length);
/* Adds bytes [from, from+length) of `other`. */
void stitch_add_part(struct stitch *s, const struct stitch *other, uint64_t from, uint64_t length);
/* Forgets the text before `begin`. */
void stitch_drop(struct stitch *s, uint64_t begin);
/* Where a byte of the text stands in the source. */
uint64_t stitch_offset(const struct stitch *s, uint64_t at);
/*
 * Where the bytes [from, from+length) stand: sets offset and length of *extent to the
 * range of the source that holds them, and adds the step "@N+M,…;" to `recipe` where
 * they are not all of it.
 */
void stitch_extent(const struct stitch *s, uint64_t from, uint64_t length, struct extent *extent,
                   struct buf *recipe);
/* A copy of the part in the arena; its text begins at 0. */
const struct stitch *stitch_copy(const struct stitch *s, uint64_t from, uint64_t length,
                                 struct arena *arena);

#endif
