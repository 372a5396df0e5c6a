/*
 * A pull reader of CBOR (RFC 8949 section 3): heads, an explicit stack, and
 * every declared length checked against what is left. What it gives is
 * well-formed so far; sense is made of it elsewhere. Inside the room only.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_CBOR_WALK_H
#define STRANDLINE_MODEL_EVIDENCE_CBOR_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"
#include "model/evidence/cbor.h"

enum cbor_major {
    CBOR_UNSIGNED,
    CBOR_NEGATIVE, /* -1 - argument */
    CBOR_BYTES,
    CBOR_TEXT,
    CBOR_ARRAY,
    CBOR_MAP,
    CBOR_TAG,
    CBOR_SIMPLE, /* and floats */
};

enum {
    CBOR_BREAK = 0xff,
    CBOR_INDEFINITE = 31,
    CBOR_FALSE = 20,
    CBOR_TRUE = 21,
    CBOR_NULL = 22,
    CBOR_UNDEFINED = 23,
    CBOR_HALF = 25,
    CBOR_SINGLE = 26,
    CBOR_DOUBLE = 27,
    CBOR_TAG_DATE_TEXT = 0,
    CBOR_TAG_DATE_NUMBER = 1,
    CBOR_TAG_BIG = 2,
    CBOR_TAG_BIG_NEGATIVE = 3,
};

/* An initial byte and its argument. */
struct cbor_head {
    enum cbor_major major;
    uint8_t info;      /* additional information, 0 to 31 */
    uint8_t len;       /* bytes of the head */
    uint64_t argument; /* 0 where the length is indefinite */
};

enum cbor_event {
    CBOR_EVENT_ERROR = -1,
    CBOR_EVENT_END,   /* the item is complete and nothing follows */
    CBOR_EVENT_ITEM,  /* a scalar or a string of definite length */
    CBOR_EVENT_OPEN,  /* an array, a map, a tag, a string of indefinite length */
    CBOR_EVENT_CLOSE, /* the end of one of these; head and begin are those of OPEN */
};

struct cbor_frame {
    struct cbor_head head;
    size_t begin;
    uint64_t left;  /* items that are still to come, where definite */
    uint64_t count; /* items that were */
    bool key;       /* it is itself a key */
};

struct cbor_walk {
    struct span bytes;
    size_t at;
    bool sequence; /* stop behind the first item, whatever follows */
    enum cbor_event event;
    struct cbor_head head;
    size_t begin;        /* where the item begins */
    struct span payload; /* of a string ITEM */
    uint64_t count;      /* of CLOSE: items it had (of a map: keys and values) */
    uint64_t index;      /* of the item, among its siblings */
    bool key;            /* the item is a key of a map */
    enum cbor_flaw why;  /* of ERROR */
    size_t why_at;
    size_t items, deepest;
    struct cbor_frame *frames;
    size_t depth, size;
};

/* From the first byte; the bytes are borrowed. finish frees the frames. */
void cbor_walk_init(struct cbor_walk *walk, struct span bytes);
void cbor_walk_finish(struct cbor_walk *walk);
enum cbor_event cbor_walk_next(struct cbor_walk *walk);
/* What the item is in, or NULL at the top. (Of OPEN: what the opened one is in.) */
const struct cbor_frame *cbor_walk_parent(const struct cbor_walk *walk);

/* The two orders of encoded keys, in the form that reorder.h wants. */
int cbor_compare_bytewise(void *context, struct span a, struct span b);
int cbor_compare_length_first(void *context, struct span a, struct span b);

/* ---- heads and numbers ---- */

void cbor_head_write(struct buf *out, enum cbor_major major, uint64_t argument); /* the shortest */
/* A half, single or double (RFC 8949 §3.3). */
bool cbor_head_is_float(const struct cbor_head *head);
/* The float of a head, widened to the bits of a double, exactly, NaN payloads too. */
uint64_t cbor_float_bits(const struct cbor_head *head);
/* Additional information of the shortest float that keeps every bit of meaning. */
uint8_t cbor_float_shortest(uint64_t bits);
void cbor_float_write(struct buf *out, uint64_t bits, uint8_t info);
/* Has the double an integral value that major types 0 and 1 hold within -2^63 to 2^64-1? (-0 is 0.)
 */
bool cbor_float_integral(double value, enum cbor_major *major, uint64_t *argument);
/* Appends the integer with this absolute value (big-endian), or -1 less it: in the shortest form.
 */
void cbor_big_write(struct buf *out, bool negative, struct span magnitude);

#endif
