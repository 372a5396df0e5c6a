/*
 * CBOR (RFC 8949) by its bytes: is it well-formed, valid, deterministic, and
 * where not; re-encoded as it should be; made from JSON; shown in diagnostic
 * notation. Heads with an explicit stack; declared lengths are checked against
 * what is left before anything is allocated for them.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_CBOR_H
#define STRANDLINE_MODEL_EVIDENCE_CBOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"
#include "model/evidence/jcs.h"

enum { CBOR_DEPTH = 10000, CBOR_KEY_DEPTH = 16 };

/*
 * The profiles of determinism. They agree on shortest heads and floats, definite
 * lengths and bignums only where no integer holds the value. Length-first differs
 * in the order of keys; CDE is the core, by name; dCBOR also writes integral
 * floats as integers, has one NaN, and only false, true and null beside floats.
 * (That dCBOR wants text in NFC is not checked.) id, name
 */
#define CBOR_PROFILES(X)                                                                           \
    X(CORE, "core deterministic (RFC 8949 section 4.2.1)")                                         \
    X(LENGTH_FIRST, "length-first (RFC 8949 section 4.2.3)")                                       \
    X(CDE, "CDE (common deterministic encoding)")                                                  \
    X(DCBOR, "dCBOR")

enum cbor_profile {
#define X(id, name) CBOR_##id,
    CBOR_PROFILES(X)
#undef X
        CBOR_PROFILE_COUNT
};

/* Ours, as people know it. */
const char *cbor_profile_name(enum cbor_profile profile);

/* Everything that can be said against an item. id, text; in three groups */
#define CBOR_FLAWS(X)                                                                              \
    X(NONE, "")                                                                                    \
    /* not well-formed */                                                                          \
    X(EMPTY, "no bytes at all")                                                                    \
    X(CUT, "the bytes end inside an item")                                                         \
    X(RESERVED, "a reserved additional information value (28 to 30)")                              \
    X(BAD_INDEFINITE, "an indefinite length where none can be")                                    \
    X(STRAY_BREAK, "a break outside of an indefinite-length item")                                 \
    X(ODD_MAP, "a break between a key and its value")                                              \
    X(BAD_CHUNK, "a chunk of another type, or of indefinite length, inside a string")              \
    X(BAD_SIMPLE, "a simple value below 32 in two bytes")                                          \
    X(TRAILING, "bytes behind the item")                                                           \
    X(TOO_DEEP, "nested deeper than we follow")                                                    \
    /* well-formed, not valid */                                                                   \
    X(BAD_UTF8, "text that is not valid UTF-8")                                                    \
    X(DUPLICATE_KEY, "a key twice in one map")                                                     \
    X(BAD_TAG, "a date or a bignum tag around something else")                                     \
    /* valid, not deterministic */                                                                 \
    X(LONG_HEAD, "an integer or a length not in its shortest form")                                \
    X(LONG_FLOAT, "a float that a shorter one holds exactly")                                      \
    X(INDEFINITE, "an indefinite length")                                                          \
    X(UNSORTED, "map keys out of order")                                                           \
    X(LONG_BIGNUM, "a bignum that an integer holds, or with leading zeros")                        \
    X(NAN_PAYLOAD, "a NaN other than f97e00 (dCBOR has one)")                                      \
    X(INTEGRAL_FLOAT, "a float with an integral value (dCBOR writes an integer)")                  \
    X(BAD_TYPE, "a simple value that dCBOR has no place for")

enum cbor_flaw {
#define X(id, text) CBOR_FLAW_##id,
    CBOR_FLAWS(X)
#undef X
        CBOR_FLAW_COUNT
};

/* For people: what is wrong. */
const char *cbor_flaw_text(enum cbor_flaw flaw);

struct cbor_verdict {
    bool ok;
    enum cbor_flaw why; /* the first, by position */
    size_t at;          /* byte offset */
};

struct cbor_report {
    struct cbor_verdict well_formed;
    struct cbor_verdict valid;                       /* only where well-formed */
    struct cbor_verdict profile[CBOR_PROFILE_COUNT]; /* only where valid */
    size_t items, depth;
};

/* Looks at one item that must be all of `bytes`. True where it is well-formed and valid. */
bool cbor_check(struct span bytes, struct cbor_report *report);
/* Length of the first item of a sequence (RFC 8742); 0 where it is not well-formed. */
size_t cbor_first_item(struct span bytes, struct cbor_verdict *why);

/* Appends the item as the profile writes it. False where it isn't valid, or where dCBOR has no
 * place for what is in it: the report says why. */
bool cbor_deterministic(struct span bytes, enum cbor_profile profile, struct buf *out,
                        struct cbor_report *report);

/* How JSON numbers become CBOR ones. */
enum cbor_numbers {
    CBOR_NUMBERS_TOKEN, /* no point, no exponent: an integer of any size; else the shortest float */
    CBOR_NUMBERS_VALUE, /* an integral double within 2^53 is an integer, as in ECMAScript */
    CBOR_NUMBERS_DCBOR, /* numeric reduction over all of -2^63 to 2^64-1 */
    CBOR_NUMBERS_DOUBLE, /* as TOKEN, but floats always in 64 bits */
    CBOR_NUMBERS_COUNT
};

/* How the members of JSON objects are ordered. */
enum cbor_order {
    CBOR_ORDER_BYTEWISE,
    CBOR_ORDER_LENGTH_FIRST,
    CBOR_ORDER_AS_WRITTEN,
};

/* Appends the CBOR of a JSON text. What may not be hashed as JSON may not be hashed as CBOR: false,
 * and the report is filled as by jcs_canonicalize (its notes on numbers too). */
bool cbor_from_json(struct span json, enum cbor_numbers numbers, enum cbor_order order,
                    struct buf *out, struct jcs_report *report);

/* Appends JSON text for an item, so that it can be read as other records are. Byte strings become
 * base64url, keys that are no text their diagnostic notation, tags what they enclose; *lossy (may
 * be NULL) says that some of that happened. False where the item is not valid. */
bool cbor_to_json(struct span bytes, struct buf *out, bool *lossy);

/* Appends diagnostic notation (RFC 8949 section 8) of a valid item, to be shown through
 * base/text.h; cut with … after about `limit` bytes. */
bool cbor_diagnostic(struct span bytes, size_t limit, struct buf *out);

/* One head of an item, in order: where it is, its bytes, how deep it is nested, whether it is a
 * key, and in words or in diagnostic notation what it says: data, to be shown through base/text.h.
 */
typedef void cbor_each_head(void *context, size_t at, struct span head, size_t depth, bool key,
                            struct span says);
/* Calls `each` for every head of a valid item; strings are cut at about `limit` bytes. */
bool cbor_heads(struct span bytes, size_t limit, cbor_each_head *each, void *context);

#endif
