/*
 * The key that a seal is made with: Ed25519 (RFC 8032), kept as PKCS #8 in PEM
 * (RFC 8410), so that any other tool reads it too.
 */
#ifndef STRANDLINE_MODEL_SEAL_SIGNING_KEY_H
#define STRANDLINE_MODEL_SEAL_SIGNING_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

enum { PUBLIC_KEY_BYTES = 32, SIGNATURE_BYTES = 64 };

struct signing_key;

/* A new one, from the system's randomness. */
struct signing_key *signing_key_generate(struct err *err);
/* From PEM. A key that is locked with a passphrase is refused: it would have to be asked for. */
struct signing_key *signing_key_read(struct span pem, struct err *err);
void signing_key_destroy(struct signing_key *key); /* NULL is fine */

/* Appends the private key, or the public one that belongs to it, as PEM. */
bool signing_key_write(const struct signing_key *key, struct buf *pem, struct err *err);
bool signing_key_write_public(const struct signing_key *key, struct buf *pem, struct err *err);
void signing_key_public(const struct signing_key *key, uint8_t out[PUBLIC_KEY_BYTES]);

/* Ed25519 (RFC 8032 §5.1). False, err filled, where OpenSSL fails. */
bool signing_key_sign(const struct signing_key *key, struct span bytes,
                      uint8_t signature[SIGNATURE_BYTES], struct err *err);

/* Is this the signature that the owner of the public key made over these bytes? */
bool signature_is_right(const uint8_t public_key[PUBLIC_KEY_BYTES], struct span bytes,
                        struct span signature);

#endif
