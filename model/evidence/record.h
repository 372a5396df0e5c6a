/*
 * The evidence records that are held: raw bytes, found by their digest under
 * every canonicalization. What a reference calls a record is only a hint.
 *
 * A record that may not be hashed is kept, with the reason: it can still be
 * named by a reference, and then it is a malformed record and not a missing one.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_RECORD_H
#define STRANDLINE_MODEL_EVIDENCE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"
#include "model/evidence/cbor.h"
#include "model/evidence/digest.h"

/* id, the name of the specification, name in our output */
#define CANONICALIZATIONS(X)                                                                       \
    X(JCS, "jcs/rfc8785", "jcs")                                                                   \
    X(CBOR, "cbor/rfc8949", "cbor")

enum canonicalization {
#define X(id, name, word) CANON_##id,
    CANONICALIZATIONS(X)
#undef X
        CANON_COUNT
};

/* The name in the specification: "jcs/rfc8785". */
const char *canonicalization_name(enum canonicalization canon);
/* By its name or an alias; *alias (may be NULL) says that it was an alias. */
bool canonicalization_find(struct span name, enum canonicalization *canon, bool *alias);

enum record_form { RECORD_JSON, RECORD_CBOR };

struct held_record {
    struct span bytes;  /* as they came */
    struct span name;   /* what a `ref` may call it: path, locator, key; may be empty */
    struct span origin; /* where it came from, for people: "records.jsonl:12" */
    enum record_form form;
    bool hashable;
    const char *why;    /* why not; "" else */
    size_t why_at;      /* byte offset in bytes */
    bool deterministic; /* CBOR only: the bytes are core deterministic as they came */
};

#define RECORD_NONE SIZE_MAX

struct records;
/* Never NULL; owned by the caller. destroy(NULL) is fine. */
struct records *records_create(void);
void records_destroy(struct records *records);

/* Takes a copy. JSON where it is JSON, CBOR where it is that, and else whatever it begins like;
 * `name` decides nothing. Returns its index. The same bytes under the same name are kept once. */
size_t records_add(struct records *records, struct span bytes, struct span name,
                   struct span origin);
/* The lines of a JSONL stream, each a record called NAME:LINE. Returns how many. */
size_t records_add_lines(struct records *records, struct span bytes, struct span name);

/* How many are held; their indexes count from 0. */
size_t records_count(const struct records *records);
/* Valid until the next records_add. */
const struct held_record *records_at(const struct records *records, size_t index);

/* Appends the canonical bytes; false where the record may not be hashed, or has no such form: a
 * CBOR record with byte strings, tags or keys that JSON lacks has none under JCS. */
bool records_canonical(struct records *records, size_t index, enum canonicalization canon,
                       struct buf *out);
bool records_digest(struct records *records, size_t index, enum canonicalization canon,
                    enum digest_algorithm algorithm, struct digest *digest);

/* The first record with that digest under that canonicalization, or RECORD_NONE. Builds the index
 * for (algorithm, canonicalization) when it is first asked. */
size_t records_find(struct records *records, const struct digest *digest,
                    enum canonicalization canon);
/* The first record whose name is `ref`, or ends in it behind a '/' or with .json or .cbor behind
 * it; or RECORD_NONE. */
size_t records_named(struct records *records, struct span ref);

/* The record as JSON text (itself, or made from CBOR); false where it isn't hashable. */
bool records_json(struct records *records, size_t index, struct buf *out);

/* The hasher that the records use; for one thread at a time, as all of this. */
struct hasher *records_hasher(struct records *records);

#endif
