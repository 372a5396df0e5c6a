/*
 * Signed things found in logs and among records: attestations of tool calls
 * (the envelopes of SEP-2787 and its like), receipts (a JSON object signed over
 * its RFC 8785 form, often with the digest of the receipt before it), and
 * COSE_Sign1 (RFC 9052). They are recognised always and verified when a key is
 * given; without one they are "not checked", never "signed".
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_ATTEST_H
#define STRANDLINE_MODEL_EVIDENCE_ATTEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/span.h"
#include "model/evidence/digest.h"
#include "model/evidence/record.h"

/* id, what it is called */
#define ATTEST_KINDS(X)                                                                            \
    X(NONE, "nothing signed")                                                                      \
    X(TOOL_CALL, "tool call attestation (like SEP-2787)")                                          \
    X(RECEIPT, "signed receipt over RFC 8785")                                                     \
    X(COSE_SIGN1, "COSE_Sign1")

/* id, name, what it is called in JSON and COSE */
#define ATTEST_ALGORITHMS(X)                                                                       \
    X(UNKNOWN, "unknown")                                                                          \
    X(EDDSA, "EdDSA (Ed25519)")                                                                    \
    X(ES256, "ES256")                                                                              \
    X(ES384, "ES384")                                                                              \
    X(HMAC, "a shared secret")

/* id, word, what it says */
#define ATTEST_VERDICTS(X)                                                                         \
    X(NOT_CHECKED, "not_checked", "no key is given, so the signature is not checked")              \
    X(VERIFIED, "verified", "the signature is right under the key given")                          \
    X(BAD_SIGNATURE, "bad_signature", "the signature is not right under the key given")            \
    X(WRONG_KEY, "wrong_key", "the key given is of another kind than the signature")               \
    X(UNSUPPORTED, "unsupported", "signed in a way that we can't check")                           \
    X(MALFORMED, "malformed", "what should be a signature is none")

#define X(id, ...) ATTEST_##id,
enum attest_kind { ATTEST_KINDS(X) ATTEST_KIND_COUNT };
enum attest_verdict { ATTEST_VERDICTS(X) ATTEST_VERDICT_COUNT };
#undef X
#define X(id, name) ATTEST_BY_##id,
enum attest_algorithm { ATTEST_ALGORITHMS(X) ATTEST_ALGORITHM_COUNT };
#undef X

/* Ours, for ever: names as people know them, a word for JSON, a sentence for people. */
const char *attest_kind_name(enum attest_kind kind);
const char *attest_algorithm_name(enum attest_algorithm algorithm);
const char *attest_verdict_word(enum attest_verdict verdict);
const char *attest_verdict_text(enum attest_verdict verdict);

struct attestation {
    enum attest_kind kind;
    enum attest_algorithm algorithm;
    struct span algorithm_text; /* as written, decoded; empty where it isn't said */
    struct span key_id;         /* decoded; empty where it isn't said */
    struct span signature;      /* bytes; empty where it can't be decoded */
    struct span signed_bytes;   /* what it is over */
    struct span parent;         /* decoded text of the digest of the one before; empty where none */
    bool detached;              /* COSE: the payload is elsewhere, so signed_bytes lacks it */
};

/*
 * Is this record, JSON or CBOR, one of them? False where not, or where it can't
 * be read (a record that may not be hashed can't be signed either). What the
 * attestation holds is in the record or the arena.
 */
bool attest_read(struct span record, struct arena *arena, struct attestation *attestation);

/* A public key. */
struct attest_key;
/* From PEM, or 32 bytes for Ed25519: as they are, in hex, or in base64 of either alphabet. */
struct attest_key *attest_key_read(struct span text, struct err *err);
void attest_key_destroy(struct attest_key *key);
/* The 32 bytes of an Ed25519 key; false of a key of another kind. */
bool attest_key_ed25519(const struct attest_key *key, uint8_t out[32]);

/* `key` may be NULL: then NOT_CHECKED (or MALFORMED, UNSUPPORTED). Receipts are also tried as
 * signatures over the SHA-256 of their canonical form; *over_digest (may be NULL) says so. */
enum attest_verdict attest_verify(const struct attestation *attestation,
                                  const struct attest_key *key, bool *over_digest);

/* What no chain of parents proves, for the end of every list of them. */
const char *attest_open_end(void);

/* ---- all that are held ---- */

enum attest_parent {
    ATTEST_NO_PARENT,      /* it names none */
    ATTEST_PARENT_HELD,    /* the receipt before it is among the records */
    ATTEST_PARENT_MISSING, /* it isn't, or what is named is no digest */
};

struct attested {
    size_t record; /* its index */
    struct attestation attestation;
    enum attest_verdict verdict;
    bool over_digest;
    enum attest_parent parent;
    size_t parent_record; /* of HELD */
};

/* The signed things among the records, in their order, in the arena; returns how many. `key` may be
 * NULL. */
size_t attest_survey(struct records *records, const struct attest_key *key, struct arena *arena,
                     struct attested **list);

#endif
