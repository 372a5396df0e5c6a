/*
 * Digests: as text in every form met in the wild, and as bytes, which is how
 * they are compared. `alg:hex`, lower case, is the form; all the others are
 * understood and named, so that a lint can say what the producer should write.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_DIGEST_H
#define STRANDLINE_MODEL_EVIDENCE_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

/* id, name as we write it, name for OpenSSL, bytes, multihash code, accepted as evidence */
#define DIGEST_ALGORITHMS(X)                                                                       \
    X(SHA256, "sha256", "SHA2-256", 32, 0x12, true)                                                \
    X(SHA384, "sha384", "SHA2-384", 48, 0x20, true)                                                \
    X(SHA512, "sha512", "SHA2-512", 64, 0x13, true)                                                \
    X(SHA512_256, "sha512-256", "SHA2-512/256", 32, 0x1015, true)                                  \
    X(SHA3_256, "sha3-256", "SHA3-256", 32, 0x16, true)                                            \
    X(SHA3_384, "sha3-384", "SHA3-384", 48, 0x15, true)                                            \
    X(SHA3_512, "sha3-512", "SHA3-512", 64, 0x14, true)                                            \
    X(BLAKE2B512, "blake2b512", "BLAKE2B-512", 64, 0xb240, true)                                   \
    X(BLAKE2S256, "blake2s256", "BLAKE2S-256", 32, 0xb260, true)                                   \
    X(SHA1, "sha1", "SHA1", 20, 0x11, false)                                                       \
    X(MD5, "md5", "MD5", 16, 0xd5, false)

enum digest_algorithm {
#define X(id, name, ossl, bytes, code, accepted) DIGEST_##id,
    DIGEST_ALGORITHMS(X)
#undef X
        DIGEST_ALGORITHM_COUNT
};

enum { DIGEST_BYTES = 64 };

struct digest {
    enum digest_algorithm algorithm;
    uint8_t len;
    uint8_t bytes[DIGEST_BYTES];
};

/* "sha256", as digests are written here. */
const char *digest_algorithm_name(enum digest_algorithm algorithm);
size_t digest_algorithm_bytes(enum digest_algorithm algorithm);
/* False of sha1 and md5, which are recognised in order to be refused by name. */
bool digest_algorithm_accepted(enum digest_algorithm algorithm);
/* Also `SHA-256`, `sha2-256`, `SHA_256`, `blake2b-512` and their like. */
bool digest_algorithm_find(struct span name, enum digest_algorithm *algorithm);

/* In which ways a text is not the canonical form: id, what is said of it */
#define DIGEST_LINTS(X)                                                                            \
    X(UPPER_HEX, "hex digits in upper case")                                                       \
    X(PREFIX_0X, "a 0x in front of the hex digits")                                                \
    X(ALGORITHM_SPELLING, "another spelling of the algorithm's name")                              \
    X(NO_ALGORITHM, "no algorithm named (taken from the length)")                                  \
    X(BASE64, "base64 in place of hex")                                                            \
    X(BASE64URL, "base64url in place of hex")                                                      \
    X(NO_PADDING, "base64 without its padding")                                                    \
    X(SRI, "Subresource Integrity form (alg-base64)")                                              \
    X(MULTIHASH, "multihash")                                                                      \
    X(MULTIBASE, "multibase")                                                                      \
    X(SEPARATOR, "a separator other than ':'")                                                     \
    X(SPACE, "white space around it")

enum digest_lint {
#define X(id, text) DIGEST_LINT_##id,
    DIGEST_LINTS(X)
#undef X
        DIGEST_LINT_COUNT
};

/* For people: what is unusual about how a digest is written. */
const char *digest_lint_text(enum digest_lint lint);

enum digest_fault {
    DIGEST_OK,
    DIGEST_EMPTY,
    DIGEST_UNKNOWN_ALGORITHM, /* an algorithm is named that we don't have */
    DIGEST_WEAK_ALGORITHM,    /* sha1, md5: `digest` is filled all the same */
    DIGEST_BAD_LENGTH,        /* not as many bytes as the algorithm gives */
    DIGEST_BAD_TEXT,          /* no form that we know */
};

/* Reads `text` (decoded, no quotes). `*lints` gets a bit (1u << DIGEST_LINT_…) for each way in
 * which it isn't the canonical form; 0 says it is. */
enum digest_fault digest_parse(struct span text, struct digest *digest, unsigned *lints);

/* Same algorithm and same bytes. */
bool digest_equal(const struct digest *a, const struct digest *b);
/* Appends `alg:hex`. */
void digest_write(struct buf *out, const struct digest *digest);

/* ---- hashing ---- */

/* Every algorithm fetched once, and one context. Not shared between threads: one for each. */
struct hasher;
struct hasher *hasher_create(void);
void hasher_destroy(struct hasher *hasher);
/* The digest of all of `bytes`. False where the OpenSSL at hand lacks the algorithm (its legacy
 * provider, a FIPS build); err (may be NULL) says so. */
bool hasher_digest(struct hasher *hasher, enum digest_algorithm algorithm, struct span bytes,
                   struct digest *digest, struct err *err);
/* The same in parts: begin, add any number of times, end. */
bool hasher_begin(struct hasher *hasher, enum digest_algorithm algorithm, struct err *err);
void hasher_add(struct hasher *hasher, struct span bytes);
void hasher_end(struct hasher *hasher, struct digest *digest);

/* ---- the encodings, also of use elsewhere ---- */

/* Appends what the text stands for; false (and nothing appended) where it is something else.
 * base64 takes both alphabets; padding may be there or not. */
bool hex_decode(struct span text, struct buf *out);
bool base64_decode(struct span text, struct buf *out);
void hex_encode(struct buf *out, struct span bytes);

#endif
