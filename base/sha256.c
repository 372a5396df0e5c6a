#include "base/sha256.h"

#include <openssl/evp.h>

#include "base/mem.h"

static EVP_MD_CTX *new_context(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context)
        mem_exhausted();
    return context;
}

void sha256_init(struct sha256 *hash)
{
    hash->context = new_context();
    if (EVP_DigestInit_ex(hash->context, EVP_sha256(), NULL) != 1)
        mem_exhausted();
}

void sha256_finish(struct sha256 *hash)
{
    EVP_MD_CTX_free(hash->context);
    hash->context = NULL;
}

void sha256_add(struct sha256 *hash, struct span bytes)
{
    if (EVP_DigestUpdate(hash->context, bytes.at, bytes.len) != 1)
        mem_exhausted();
}

void sha256_so_far(const struct sha256 *hash, struct span more, uint8_t digest[SHA256_BYTES])
{
    EVP_MD_CTX *copy = new_context();
    if (EVP_MD_CTX_copy_ex(copy, hash->context) != 1 ||
        EVP_DigestUpdate(copy, more.at, more.len) != 1 ||
        EVP_DigestFinal_ex(copy, digest, NULL) != 1)
        mem_exhausted();
    EVP_MD_CTX_free(copy);
}

void sha256_of(struct span bytes, uint8_t digest[SHA256_BYTES])
{
    if (EVP_Digest(bytes.at, bytes.len, digest, NULL, EVP_sha256(), NULL) != 1)
        mem_exhausted();
}
