/*
 * Members put in order without moving a byte more than twice, however deep
 * maps are nested: what the canonicalizers of JSON and CBOR have in common.
 *
 * A canonicalizer writes its whole output in the order of its input and tells
 * where maps and their members lie in it. Maps that are in order are forgotten
 * as soon as they end. If any was not, reorder_write copies the output once
 * more, from its end to its beginning, in the right order: the length is known,
 * and maps that ended last come first that way, so no tree is needed.
 *
 * Inside the room only.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_REORDER_H
#define STRANDLINE_MODEL_EVIDENCE_REORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

/* A member of an open map: where in the output it begins and its key ends. Where it ends itself is
 * told by the one behind it, or by the end of the map. */
struct reorder_member {
    size_t begin, key_end;
    size_t source;   /* where it begins in the input */
    size_t inner;    /* misplaced maps that ended before it */
    uint64_t prefix; /* decides the order of two keys where it differs; 0: unknown */
};

/* A member of a map that was not in order. */
struct reorder_placed {
    size_t begin, end;         /* in the output */
    size_t source, source_end; /* in the input; the separator behind it is in it, too */
    size_t inner, inner_end;   /* which misplaced maps lie in it */
    size_t rank;               /* its place as it came */
};

/* A map that has ended: it lies in the output from `begin` to the end, its members preceded by
 * `head` bytes and followed by `tail`; `source_end` is where in the input the members end. */
struct reorder_extent {
    size_t begin, head, tail, source_end;
};

struct reorder_map;
struct reorder_place;
struct reorder_frame;

/* The order of two keys as they were written to the output. */
typedef int reorder_compare(void *context, struct span a, struct span b);
/* Told of each member that changed places: where it lies in the input and in the new output. */
typedef void reorder_moved(void *context, const struct reorder_placed *member, size_t out);
/* Told of each piece that is copied: from where in the old output, to where in the new. */
typedef void reorder_piece(void *context, size_t from, size_t len, size_t to);

struct reorder {
    reorder_compare *compare;
    reorder_moved *moved; /* NULL where nobody asks; the same of piece */
    reorder_piece *piece;
    void *context;  /* of compare */
    void *trace;    /* of moved and piece */
    char separator; /* between members; 0: none */
    /* private: */
    struct reorder_member *open;
    size_t open_count, open_size;
    struct reorder_place *order; /* of the map that ends */
    size_t order_size;
    struct reorder_placed *placed;
    size_t placed_count, placed_size;
    struct reorder_map *maps;
    size_t map_count, map_size;
    struct reorder_frame *frames;
    size_t frame_count, frame_size;
};

/* Frees it and leaves it empty. */
void reorder_finish(struct reorder *r);
/* Forgets all and keeps the memory. */
void reorder_reset(struct reorder *r);

/* A map begins; what this returns is given to reorder_close. */
static inline size_t reorder_open(const struct reorder *r)
{
    return r->open_count;
}

/* Makes room for one more member. */
void reorder_grow(struct reorder *r);

/* A member begins, its key ended: offsets in the output. */
static inline void reorder_begin(struct reorder *r, size_t at, size_t source)
{
    if (r->open_count == r->open_size)
        reorder_grow(r);
    struct reorder_member *member = &r->open[r->open_count++];
    member->begin = at;
    member->source = source;
    member->inner = r->map_count;
}

/* The key of the member that was begun last ended at `at` of the output; `prefix` are its first
 * bytes, for a quick comparison. */
static inline void reorder_key(struct reorder *r, size_t at, uint64_t prefix)
{
    struct reorder_member *member = &r->open[r->open_count - 1];
    member->key_end = at;
    member->prefix = prefix;
}

/* A map ended, which is the last thing in `output`. False where a key is there twice: *duplicate is
 * where in the input the second member lies. */
bool reorder_close(struct reorder *r, size_t mark, struct span output,
                   const struct reorder_extent *extent, size_t *duplicate);

/* Is anything out of place? */
static inline bool reorder_needed(const struct reorder *r)
{
    return r->map_count != 0;
}

/* Keys that are themselves maps have to be in order before they can be compared: puts the part of
 * the output behind `from` in order and forgets the `kept`-th and later misplaced maps. */
void reorder_settle(struct reorder *r, struct buf *output, size_t from, size_t kept,
                    struct buf *scratch);
static inline size_t reorder_count(const struct reorder *r)
{
    return r->map_count;
}

/* Appends `output`, in order, to `out`. */
void reorder_write(struct reorder *r, struct span output, struct buf *out);

#endif
