/*
 * Why does a digest not match? The ways in which producers get it wrong are
 * tried on the record, cheapest and fewest first, within a budget of time. What
 * is found is never "valid": it "matches if …", with what the producer should do.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_DIAGNOSE_H
#define STRANDLINE_MODEL_EVIDENCE_DIAGNOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"
#include "model/evidence/digest.h"
#include "model/evidence/record.h"
#include "model/evidence/restyle.h"
#include "model/evidence/verdict.h"

/* What was hashed. id, "matches if …", what the producer should do */
#define DIAGNOSIS_FORMS(X)                                                                         \
    X(FORM_JSON, "", "")                                                                           \
    X(FORM_CBOR, "", "")                                                                           \
    X(FORM_RAW, "the bytes of the file are hashed as they are",                                    \
      "hash the canonical form of the record, not the bytes it happens to be stored in")           \
    X(FORM_RAW_NO_NEWLINE, "the bytes of the file are hashed without their last newline",          \
      "hash the canonical form of the record, not the bytes it happens to be stored in")           \
    X(FORM_RAW_NEWLINE, "the bytes of the file and a newline are hashed",                          \
      "hash the canonical form of the record, not the bytes it happens to be stored in")           \
    X(FORM_RAW_CRLF, "the bytes of the file are hashed with CRLF line ends",                       \
      "hash the canonical form of the record, not the bytes it happens to be stored in")           \
    X(FORM_RAW_LF, "the bytes of the file are hashed with LF line ends",                           \
      "hash the canonical form of the record, not the bytes it happens to be stored in")           \
    X(FORM_RAW_BOM, "the bytes of the file are hashed with a byte order mark",                     \
      "write no byte order mark, and hash the canonical form")                                     \
    X(FORM_RAW_NO_BOM, "the bytes of the file are hashed without their byte order mark",           \
      "write no byte order mark, and hash the canonical form")                                     \
    X(FORM_JSON_STRING, "the canonical form is encoded once more, as a JSON string",               \
      "hash the record, not a string that holds it")                                               \
    X(FORM_BASE64, "the base64 of the canonical form is hashed",                                   \
      "hash the canonical bytes, not their base64")                                                \
    X(FORM_UTF16, "the canonical form is hashed as UTF-16",                                        \
      "encode the canonical form as UTF-8 before hashing")                                         \
    X(FORM_MEMBER, "only one member of the record is hashed",                                      \
      "hand over the member itself as the record")                                                 \
    X(FORM_MEMBER_TEXT, "only the text of one member is hashed, as it is",                         \
      "hand over what the text holds as the record")

/* What stands around it. */
#define DIAGNOSIS_ENDS(X)                                                                          \
    X(END_NONE, "", "")                                                                            \
    X(END_NEWLINE, "a newline is hashed with it", "hash no newline (echo -n, printf, jq -j)")      \
    X(END_CRLF, "a CRLF is hashed with it", "hash no line end")                                    \
    X(END_BOM, "a byte order mark is hashed with it", "write no byte order mark")                  \
    X(END_NUL, "a NUL is hashed with it", "hash the text, not its terminator")

/* How CBOR was written. */
#define DIAGNOSIS_CBOR_ORDERS(X)                                                                   \
    X(CBOR_BYTEWISE, "", "")                                                                       \
    X(CBOR_LENGTHS, "map keys are sorted by length first (RFC 8949 section 4.2.3, RFC 7049)",      \
      "sort map keys by the bytes of their encoding (RFC 8949 section 4.2.1)")                     \
    X(CBOR_WRITTEN, "map keys keep the order they were written in",                                \
      "sort map keys by the bytes of their encoding (RFC 8949 section 4.2.1)")

#define DIAGNOSIS_CBOR_NUMBERS(X)                                                                  \
    X(CBOR_BY_TOKEN, "", "")                                                                       \
    X(CBOR_BY_VALUE, "integral numbers are integers whatever they were written like (JavaScript)", \
      "agree on how numbers are mapped: 1.0 is a float in the record")                             \
    X(CBOR_REDUCED, "integral floats are reduced to integers (dCBOR)",                             \
      "name dCBOR as the canonicalization, or keep floats")                                        \
    X(CBOR_DOUBLES, "floats are always written in 64 bits",                                        \
      "write the shortest float that holds the value (RFC 8949 section 4.2.1)")

#define DIAGNOSIS_CBOR_TAGS(X)                                                                     \
    X(CBOR_UNTAGGED, "", "")                                                                       \
    X(CBOR_SELF_DESCRIBED, "the self-described CBOR tag (d9d9f7) is in front",                     \
      "hash the record without the tag 55799")

/* What was done with it. */
#define DIAGNOSIS_HASHES(X)                                                                        \
    X(HASH_ONCE, "", "")                                                                           \
    X(HASH_OTHER, "another algorithm is used than the one that is named",                          \
      "name the algorithm that is used")                                                           \
    X(HASH_OF_HEX, "the hex text of the digest is hashed again", "hash the canonical bytes once")  \
    X(HASH_OF_TEXT, "the text 'alg:hex' of the digest is hashed again",                            \
      "hash the canonical bytes once")                                                             \
    X(HASH_TWICE, "the digest is hashed again", "hash the canonical bytes once")                   \
    X(HASH_REVERSED, "the bytes of the digest are in reverse order",                               \
      "write the digest's bytes in the order the algorithm gives them")

#define X(id, phrase, advice) DIAGNOSIS_##id,
enum diagnosis_form { DIAGNOSIS_FORMS(X) DIAGNOSIS_FORM_COUNT };
enum diagnosis_end { DIAGNOSIS_ENDS(X) DIAGNOSIS_END_COUNT };
enum diagnosis_cbor_order { DIAGNOSIS_CBOR_ORDERS(X) DIAGNOSIS_CBOR_ORDER_COUNT };
enum diagnosis_cbor_numbers { DIAGNOSIS_CBOR_NUMBERS(X) DIAGNOSIS_CBOR_NUMBERS_COUNT };
enum diagnosis_cbor_tag { DIAGNOSIS_CBOR_TAGS(X) DIAGNOSIS_CBOR_TAG_COUNT };
enum diagnosis_hash { DIAGNOSIS_HASHES(X) DIAGNOSIS_HASH_COUNT };
#undef X

/* One way in which the digest comes out. */
struct diagnosis {
    enum diagnosis_form form;
    struct text_style style;              /* of FORM_JSON, and of what FORM_JSON_STRING… hold */
    enum diagnosis_cbor_order cbor_order; /* of FORM_CBOR, the same of the next two */
    enum diagnosis_cbor_numbers cbor_numbers;
    enum diagnosis_cbor_tag cbor_tag;
    struct span member; /* of FORM_MEMBER…: its name as written, in the record */
    enum diagnosis_end end;
    enum diagnosis_hash hash;
    enum digest_algorithm algorithm; /* that gave the digest */
    enum canonicalization declared;  /* what the reference said */
};

struct diagnosing {
    bool found;
    struct diagnosis diagnosis;
    unsigned tried;   /* digests computed */
    bool out_of_time; /* the budget ended before the ways did */
};

enum { DIAGNOSE_BUDGET_MS = 50 };

/*
 * Looks for a way in which the record at `index` has the digest `wanted`, which
 * it doesn't have as declared. Works for records that may not be hashed, too
 * (a name twice, trailing bytes). Takes `budget_ms` of processor time at most, and a little.
 */
void diagnose(struct records *records, size_t index, const struct digest *wanted,
              enum canonicalization declared, unsigned budget_ms, struct diagnosing *result);

/* "matches if …", ours, one line; and what the producer should do, one line. */
void diagnosis_cause(struct buf *out, const struct diagnosis *diagnosis);
void diagnosis_advice(struct buf *out, const struct diagnosis *diagnosis);

/*
 * Diagnoses a mismatch, or a record that may not be hashed; false where there is nothing to
 * diagnose. Takes what it needs off *budget_ms, so that a case full of mismatches is still verified
 * in time.
 */
bool evidence_diagnose(const struct evidence_result *result, struct records *records,
                       unsigned *budget_ms, struct diagnosing *diagnosing);

/* What the producer should do where the record matches under the other canonicalization, as
 * diagnosis_advice says it. */
#define DIAGNOSIS_CANON_ADVICE "the producer should declare the canonicalization it uses"

/*
 * evidence_describe, and behind it what a diagnosis has found, or that it has
 * found nothing: one line. `diagnosing` is what evidence_diagnose gave, NULL
 * where there was nothing to diagnose.
 */
void evidence_explain(struct buf *out, const struct evidence_result *result,
                      const struct diagnosing *diagnosing);

#endif
