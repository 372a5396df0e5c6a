/*
 * One evidenceRef, read and verified offline against the records held.
 * `recomputed` is said only of bytes that were derived again here.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_VERDICT_H
#define STRANDLINE_MODEL_EVIDENCE_VERDICT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/span.h"
#include "model/evidence/digest.h"
#include "model/evidence/record.h"

/* id, word, does it count as failed evidence (exit status 3), what it says */
#define EVIDENCE_VERDICTS(X)                                                                       \
    X(RECOMPUTED, "recomputed", false,                                                             \
      "the record held here hashes to the digest of the reference")                                \
    X(DIGEST_MISMATCH, "digest_mismatch", true,                                                    \
      "the record that the reference names hashes to something else")                              \
    X(CANONICALIZATION_MISMATCH, "canonicalization_mismatch", true,                                \
      "a record held here has this digest, but under the other canonicalization")                  \
    X(SCHEMA_MISMATCH, "schema_mismatch", true,                                                    \
      "the digest is right, but the record does not fit the schema that the reference declares")   \
    X(MALFORMED_REF, "malformed_ref", true, "the reference lacks what it must have")               \
    X(MALFORMED_RECORD, "malformed_record", true,                                                  \
      "the record that the reference names may not be hashed")                                     \
    X(UNRESOLVED_REF, "unresolved_ref", false, "the record that the reference names is not held")  \
    X(UNRESOLVABLE_DIGEST_ONLY, "unresolvable_digest_only", false,                                 \
      "only a digest, and no record held here has it")                                             \
    X(UNSUPPORTED_CANONICALIZATION, "unsupported_canonicalization", false,                         \
      "the reference names a canonicalization that we don't have")                                 \
    X(UNSUPPORTED_ALGORITHM, "unsupported_algorithm", false,                                       \
      "the digest's algorithm is unknown or too weak to rest on")

enum evidence_verdict {
#define X(id, word, failed, text) EVIDENCE_##id,
    EVIDENCE_VERDICTS(X)
#undef X
        EVIDENCE_VERDICT_COUNT
};

/* The word of the verdict ("recomputed"), what it means for people, and the reason for people. */
const char *evidence_verdict_word(enum evidence_verdict verdict);
const char *evidence_verdict_text(enum evidence_verdict verdict);
/* False of `recomputed` and of what is merely inconclusive. */
bool evidence_verdict_failed(enum evidence_verdict verdict);
/* By its word; false where there is none such. */
bool evidence_verdict_find(struct span word, enum evidence_verdict *verdict);

/* ---- the reference ---- */

enum ref_state {
    REF_ABSENT,    /* no such member, or null */
    REF_TEXT,      /* a string, in `text` */
    REF_MALFORMED, /* something else, or an empty string where it is required */
};

struct ref_field {
    enum ref_state state;
    struct span text; /* decoded */
    struct span raw;  /* the JSON value as written */
};

struct evidence_ref {
    bool object;    /* it was a JSON object at all */
    bool duplicate; /* a member is there twice: readers would differ about it */
    struct ref_field type, digest, canonicalization, schema, schema_version, ref;
};

/* Reads the JSON value of an evidenceRef. Spans point into it, or into the arena where escapes had
 * to be decoded. Never fails: what is wrong is in the fields. */
void evidence_ref_read(struct span json, struct arena *arena, struct evidence_ref *ref);

/* ---- schemas that are held ---- */

/*
 * A schema here is the list of members a record must have, unredacted. Whoever
 * verifies holds the schemas: what a reference or a record says about its own
 * requirements is not honoured.
 */
struct schemas;
struct schemas *schemas_create(void);
void schemas_destroy(struct schemas *schemas);
/* From {"NAME": {"required_fields": ["member", …]}, …}, where NAME is the schema, or
 * SCHEMA/VERSION where references carry a schema_version; false where it has another shape. */
bool schemas_read(struct schemas *schemas, struct span json, struct err *err);

/* ---- verifying ---- */

/* Why, in one more word than the verdict. id, text */
#define EVIDENCE_REASONS(X)                                                                        \
    X(NONE, "")                                                                                    \
    X(NOT_AN_OBJECT, "the reference is not a JSON object")                                         \
    X(DUPLICATE_MEMBER, "the reference has a member twice")                                        \
    X(TYPE_MISSING, "type is missing")                                                             \
    X(TYPE_MALFORMED, "type is not a string, or empty")                                            \
    X(DIGEST_MISSING, "digest is missing")                                                         \
    X(DIGEST_MALFORMED, "digest is not a string, or empty")                                        \
    X(DIGEST_BAD_TEXT, "digest is in no form that we know")                                        \
    X(DIGEST_BAD_LENGTH, "digest has not as many bytes as its algorithm gives")                    \
    X(CANON_MISSING, "canonicalization is missing")                                                \
    X(CANON_MALFORMED, "canonicalization is not a string, or empty")                               \
    X(CANON_UNKNOWN, "canonicalization is not one that we have")                                   \
    X(ALGORITHM_UNKNOWN, "the digest's algorithm is not one that we have")                         \
    X(ALGORITHM_WEAK, "the digest's algorithm is broken")                                          \
    X(NO_SUCH_FORM, "the record has no form under this canonicalization")                          \
    X(SCHEMA_DIFFERS, "the record declares another schema")                                        \
    X(SCHEMA_VERSION_DIFFERS, "the record declares another schema version")                        \
    X(MEMBER_MISSING, "the record lacks a member that its schema requires")                        \
    X(MEMBER_REDACTED, "a member that its schema requires is redacted")

enum evidence_reason {
#define X(id, text) EVIDENCE_REASON_##id,
    EVIDENCE_REASONS(X)
#undef X
        EVIDENCE_REASON_COUNT
};

/* Ours, for people; "" where nothing is to be said. */
const char *evidence_reason_text(enum evidence_reason reason);

struct evidence_options {
    const struct schemas *schemas; /* NULL: no schema is held */
    size_t offered;   /* a record that stands with the reference (inline in the log, or the only one
                         given for it); RECORD_NONE for none */
    bool ref_decides; /* only the record that `ref` names counts, where there is a ref. Stricter
                         than it should be by default: what a record is called proves nothing */
};

struct evidence_result {
    enum evidence_verdict verdict;
    enum evidence_reason reason;
    struct span member;  /* of MEMBER_…: which; as long as the schemas live */
    size_t record;       /* the record that decided, or RECORD_NONE */
    bool declared_known; /* `declared` and `wanted` are filled */
    enum canonicalization declared;
    struct digest wanted; /* what the reference commits to */
    bool computed_known;
    struct digest computed;        /* what `record` hashes to, as declared */
    enum canonicalization matched; /* of recomputed and canonicalization_mismatch */
    unsigned digest_lints;         /* bits of enum digest_lint */
    bool canon_alias;              /* canonicalization is called by an alias */
    bool ref_disagrees;            /* the digest found another record than the one that ref names */
    bool not_deterministic; /* the record is CBOR and was encoded again before it was hashed */
    const char *record_why; /* of malformed_record: why, and where in the record */
    size_t record_why_at;
};

/* Verifies one reference. Never fails; everything is in the result. `options` may be NULL. */
void evidence_verify(const struct evidence_ref *ref, struct records *records,
                     const struct evidence_options *options, struct evidence_result *result);

/* One line of ours about the result, safe to show: verdict, reason, digests. */
void evidence_describe(struct buf *out, const struct evidence_result *result);

#endif
