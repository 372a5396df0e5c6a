/*
 * SHA-256 (FIPS 180-4) of bytes that come in parts, or all at once. It can't
 * fail: where libcrypto has no memory for it, the program ends (base/mem.h).
 * Digests whose algorithm data names are those of model/evidence/digest.h.
 */
#ifndef STRANDLINE_BASE_SHA256_H
#define STRANDLINE_BASE_SHA256_H

#include <stdint.h>

#include "base/span.h"

enum { SHA256_BYTES = 32 };

struct sha256 {
    struct evp_md_ctx_st *context; /* libcrypto's */
};

/* A hash of nothing yet, which owns memory until sha256_finish. */
void sha256_init(struct sha256 *hash);
void sha256_finish(struct sha256 *hash); /* releases it; one that is all zero is fine */
/* More bytes, behind those before. */
void sha256_add(struct sha256 *hash, struct span bytes);
/* The digest of all that was added so far, and of `more` behind it, which is not added by that. */
void sha256_so_far(const struct sha256 *hash, struct span more, uint8_t digest[SHA256_BYTES]);
void sha256_of(struct span bytes, uint8_t digest[SHA256_BYTES]);

#endif
