#include "model/seal/signing_key.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "base/mem.h"

struct signing_key {
    EVP_PKEY *key;
};

static struct signing_key *signing_key_of(EVP_PKEY *found)
{
    struct signing_key *key = NEW(struct signing_key);
    key->key = found;
    return key;
}

static bool crypto_failed(struct err *err, const char *what)
{
    ERR_clear_error();
    return err_set(err, ERR_INTERNAL, NULL, "is Ed25519 allowed by this system's OpenSSL?",
                   "OpenSSL could not %s", what);
}

struct signing_key *signing_key_generate(struct err *err)
{
    EVP_PKEY *made = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    if (!made) {
        crypto_failed(err, "make a key");
        return NULL;
    }
    return signing_key_of(made);
}

/* In place of OpenSSL's own, which would ask on the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *arg)
{
    (void)buffer, (void)size, (void)writing;
    *(bool *)arg = true;
    return -1;
}

struct signing_key *signing_key_read(struct span pem, struct err *err)
{
    bool locked = false;
    BIO *bio = pem.len < 65536 ? BIO_new_mem_buf(pem.at, (int)pem.len) : NULL;
    EVP_PKEY *found = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, &locked) : NULL;
    BIO_free(bio);
    ERR_clear_error();
    if (found && EVP_PKEY_is_a(found, "ED25519"))
        return signing_key_of(found);
    const char *what = locked  ? "the key is locked with a passphrase"
                       : found ? "a private key, but not of Ed25519"
                               : "not a private key in PEM";
    EVP_PKEY_free(found);
    err_set(err, ERR_USAGE, NULL,
            locked ? "give an unlocked copy of it (openssl pkey -in KEY -out COPY)"
                   : "'strandline keygen -o KEY' makes one",
            "%s", what);
    return NULL;
}

void signing_key_destroy(struct signing_key *key)
{
    if (!key)
        return;
    EVP_PKEY_free(key->key);
    mem_free(key);
}

static bool write_pem(const struct signing_key *key, bool secret, struct buf *pem, struct err *err)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *text = NULL;
    bool ok =
        bio && (secret ? PEM_write_bio_PKCS8PrivateKey(bio, key->key, NULL, NULL, 0, NULL, NULL)
                       : PEM_write_bio_PUBKEY(bio, key->key)) == 1;
    if (ok) {
        long len = BIO_get_mem_data(bio, &text);
        buf_add(pem, (struct span){text, (size_t)len});
    }
    BIO_free(bio);
    return ok || crypto_failed(err, "write the key");
}

bool signing_key_write(const struct signing_key *key, struct buf *pem, struct err *err)
{
    return write_pem(key, true, pem, err);
}

bool signing_key_write_public(const struct signing_key *key, struct buf *pem, struct err *err)
{
    return write_pem(key, false, pem, err);
}

void signing_key_public(const struct signing_key *key, uint8_t out[PUBLIC_KEY_BYTES])
{
    size_t len = PUBLIC_KEY_BYTES;
    if (EVP_PKEY_get_raw_public_key(key->key, out, &len) != 1)
        mem_exhausted(); /* of an Ed25519 key nothing else can go wrong */
}

bool signing_key_sign(const struct signing_key *key, struct span bytes,
                      uint8_t signature[SIGNATURE_BYTES], struct err *err)
{
    size_t len = SIGNATURE_BYTES;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ok =
        context && EVP_DigestSignInit(context, NULL, NULL, NULL, key->key) == 1 &&
        EVP_DigestSign(context, signature, &len, (const unsigned char *)bytes.at, bytes.len) == 1;
    EVP_MD_CTX_free(context);
    return ok || crypto_failed(err, "sign");
}

bool signature_is_right(const uint8_t public_key[PUBLIC_KEY_BYTES], struct span bytes,
                        struct span signature)
{
    EVP_PKEY *key =
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, PUBLIC_KEY_BYTES);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool right = key && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
                 EVP_DigestVerify(context, (const unsigned char *)signature.at, signature.len,
                                  (const unsigned char *)bytes.at, bytes.len) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    ERR_clear_error();
    return right;
}
