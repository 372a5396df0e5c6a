/* Signed things: recognised, verified under the right key, refused under any change, and never
 * called signed without a key. */
#include <criterion/criterion.h>

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "model/evidence/attest.h"

static EVP_PKEY *make_key(bool ec)
{
    return ec ? EVP_EC_gen("P-256") : EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

/* 64 bytes, whatever the key. */
static void sign(EVP_PKEY *key, struct span bytes, unsigned char out[64])
{
    unsigned char der[256];
    size_t len = sizeof der;
    bool ec = EVP_PKEY_is_a(key, "EC");
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    cr_assert_eq(EVP_DigestSignInit(context, NULL, ec ? EVP_sha256() : NULL, NULL, key), 1);
    cr_assert_eq(EVP_DigestSign(context, der, &len, (const unsigned char *)bytes.at, bytes.len), 1);
    EVP_MD_CTX_free(context);
    if (!ec) {
        memcpy(out, der, 64);
        return;
    }
    const unsigned char *at = der;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &at, (long)len);
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + 32, 32);
    ECDSA_SIG_free(pair);
}

static struct attest_key *public_of(EVP_PKEY *key)
{
    struct err err;
    struct attest_key *read;
    if (EVP_PKEY_is_a(key, "EC")) {
        BIO *bio = BIO_new(BIO_s_mem());
        char *text;
        PEM_write_bio_PUBKEY(bio, key);
        long len = BIO_get_mem_data(bio, &text);
        read = attest_key_read((struct span){text, (size_t)len}, &err);
        BIO_free(bio);
    } else {
        unsigned char raw[32];
        size_t len = sizeof raw;
        struct buf hex = {0};
        EVP_PKEY_get_raw_public_key(key, raw, &len);
        hex_encode(&hex, (struct span){(char *)raw, len});
        buf_byte(&hex, '\n');
        read = attest_key_read(buf_span(&hex), &err);
        buf_finish(&hex);
    }
    cr_assert(read, "%s", err.what);
    return read;
}

/* A receipt: `before` and `after` stand around the hex of the signature over `canonical`. */
static void write_receipt(struct buf *out, EVP_PKEY *key, const char *before, const char *canonical,
                          const char *after)
{
    unsigned char signature[64];
    sign(key, span_of(canonical), signature);
    buf_clear(out);
    buf_puts(out, before);
    hex_encode(out, (struct span){(char *)signature, 64});
    buf_puts(out, after);
}

static enum attest_verdict verdict_of(struct span record, const struct attest_key *key,
                                      enum attest_kind kind)
{
    struct arena arena = {0};
    struct attestation a;
    cr_expect(attest_read(record, &arena, &a), "%.*s", SPAN_ARG(record));
    cr_expect_eq(a.kind, kind, "%s", attest_kind_name(a.kind));
    enum attest_verdict verdict = attest_verify(&a, key, NULL);
    arena_finish(&arena);
    return verdict;
}

Test(attest, receipts)
{
    static const struct {
        const char *before, *canonical, *after;
        bool ec;
        enum attest_kind kind;
    } cases[] = {
        {"{ \"b\": 1.0, \"a\": \"x\", \"signature\": \"", "{\"a\":\"x\",\"b\":1}", "\" }", false,
         ATTEST_RECEIPT},
        {"{\"b\":1,\"a\":\"x\",\"sig\":\"ed25519:", "{\"a\":\"x\",\"b\":1}", "\"}", false,
         ATTEST_RECEIPT},
        {"{\"a\":1,\"signature\":{\"alg\":\"Ed25519\",\"kid\":\"k1\",\"value\":\"", "{\"a\":1}",
         "\"}}", false, ATTEST_RECEIPT},
        {"{\"alg\":\"ES256\",\"backLink\":\"sha256:00\",\"signature\":\"",
         "{\"alg\":\"ES256\",\"backLink\":\"sha256:00\"}", "\"}", true, ATTEST_RECEIPT},
        {"{\"issuer_asserted\":{\"alg\":\"ES256\",\"iss\":\"i\"},\"payload_derived\":{},"
         "\"signature\":\"",
         "{\"issuer_asserted\":{\"alg\":\"ES256\",\"iss\":\"i\"},\"payload_derived\":{}}", "\"}",
         true, ATTEST_TOOL_CALL},
    };
    EVP_PKEY *keys[] = {make_key(false), make_key(true)}, *other = make_key(false);
    struct attest_key *readers[] = {public_of(keys[0]), public_of(keys[1])},
                      *wrong = public_of(other);
    struct buf record = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool ec = cases[i].ec;
        write_receipt(&record, keys[ec], cases[i].before, cases[i].canonical, cases[i].after);
        cr_expect_eq(verdict_of(buf_span(&record), readers[ec], cases[i].kind), ATTEST_VERIFIED,
                     "%zu", i);
        cr_expect_eq(verdict_of(buf_span(&record), NULL, cases[i].kind), ATTEST_NOT_CHECKED, "%zu",
                     i);
        cr_expect_eq(verdict_of(buf_span(&record), wrong, cases[i].kind),
                     ec ? ATTEST_WRONG_KEY : ATTEST_BAD_SIGNATURE, "%zu", i);
        /* One letter of the first name, and the signature is right no more. */
        record.at[span_find_byte(buf_span(&record), '"') + 1] ^= 1;
        cr_expect_eq(verdict_of(buf_span(&record), readers[ec], cases[i].kind),
                     ATTEST_BAD_SIGNATURE, "%s", buf_cstr(&record));
    }
    buf_finish(&record);
    for (size_t i = 0; i < 2; i++) {
        attest_key_destroy(readers[i]);
        EVP_PKEY_free(keys[i]);
    }
    attest_key_destroy(wrong);
    EVP_PKEY_free(other);
}

Test(attest, cose_sign1)
{
    EVP_PKEY *key = make_key(false);
    struct attest_key *reader = public_of(key);
    unsigned char signature[64];
    struct buf record = {0}, signed_bytes = {0};
    /* Protected {1: -8}, payload "hello", no external data: RFC 9052 section 4.4. */
    buf_add(&signed_bytes, SPAN("\x84\x6aSignature1\x43\xa1\x01\x27\x40\x45hello"));
    sign(key, buf_span(&signed_bytes), signature);
    buf_add(&record, SPAN("\xd2\x84\x43\xa1\x01\x27\xa1\x04\x42k1\x45hello\x58\x40"));
    buf_add(&record, (struct span){(char *)signature, 64});
    cr_expect_eq(verdict_of(buf_span(&record), reader, ATTEST_COSE_SIGN1), ATTEST_VERIFIED);
    cr_expect_eq(verdict_of(span_sub(buf_span(&record), 1, record.len), reader, ATTEST_COSE_SIGN1),
                 ATTEST_VERIFIED, "untagged");
    struct arena arena = {0};
    struct attestation a;
    cr_assert(attest_read(buf_span(&record), &arena, &a));
    cr_expect_eq(a.algorithm, ATTEST_BY_EDDSA);
    cr_expect(span_is(a.key_id, "k1"));
    enum { HEADER = 6, HEADER_END = 11 }; /* the unprotected header: nobody signs it */
    for (size_t i = 2; i < record.len; i++) {
        record.at[i] ^= 4;
        if ((i < HEADER || i >= HEADER_END) && attest_read(buf_span(&record), &arena, &a))
            cr_expect_neq(attest_verify(&a, reader, NULL), ATTEST_VERIFIED, "byte %zu changed", i);
        record.at[i] ^= 4;
    }
    arena_finish(&arena);
    /* A detached payload can't be checked, and that is said. */
    buf_clear(&record);
    buf_add(&record, SPAN("\xd2\x84\x43\xa1\x01\x27\xa0\xf6\x41\x00"));
    cr_expect_eq(verdict_of(buf_span(&record), reader, ATTEST_COSE_SIGN1), ATTEST_UNSUPPORTED);
    attest_key_destroy(reader);
    EVP_PKEY_free(key);
    buf_finish(&record);
    buf_finish(&signed_bytes);
}

Test(attest, what_is_none_or_malformed)
{
    static const char *const none[] = {"{}",
                                       "[]",
                                       "",
                                       "{\"a\":1}",
                                       "{\"signature\":\"John\"}",
                                       "{\"signature\":5}",
                                       "{\"signature\":\"00\",\"signature\":\"01\"}",
                                       "\x84\x40\xa0\x40",
                                       "\x84\xa0\xa0\xa0\xa0",
                                       "{\"signature\":{}}",
                                       "\xd2\x80",
                                       "{\"sig\":\"AA\",\"n\":1e999,\"alg\":\"EdDSA\"}"};
    struct arena arena = {0};
    struct attestation a;
    for (size_t i = 0; i < COUNT_OF(none); i++)
        cr_expect(!attest_read(span_of(none[i]), &arena, &a) && a.kind == ATTEST_NONE, "%s",
                  none[i]);
    cr_expect_eq(
        verdict_of(SPAN("{\"alg\":\"Ed25519\",\"signature\":\"?\"}"), NULL, ATTEST_RECEIPT),
        ATTEST_MALFORMED);
    cr_expect_eq(
        verdict_of(SPAN("{\"alg\":\"Ed25519\",\"signature\":\"00\"}"), NULL, ATTEST_RECEIPT),
        ATTEST_MALFORMED);
    cr_expect_eq(verdict_of(SPAN("{\"issuer_asserted\":{\"alg\":\"HS256\"},\"signature\":\"00\"}"),
                            NULL, ATTEST_TOOL_CALL),
                 ATTEST_UNSUPPORTED);
    cr_expect_eq(verdict_of(SPAN("{\"issuer_asserted\":{\"alg\":\"none\"},\"signature\":\"00\"}"),
                            NULL, ATTEST_TOOL_CALL),
                 ATTEST_UNSUPPORTED);
    arena_finish(&arena);
    static const char *const bad_keys[] = {
        "", "00", "hello", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"};
    for (size_t i = 0; i < COUNT_OF(bad_keys); i++) {
        struct err err;
        cr_expect_null(attest_key_read(span_of(bad_keys[i]), &err), "%s", bad_keys[i]);
        cr_expect_eq(err.kind, ERR_USAGE);
    }
}

/* A chain of three, of which the second is not held; and a record that nobody signed. */
Test(attest, survey)
{
    struct records *records = records_create();
    struct arena arena = {0};
    struct buf text = {0}, last = {0};
    struct attested *list;
    struct digest digest;
    for (int i = 0; i < 4; i++) {
        buf_clear(&text);
        buf_addf(&text, "{\"alg\":\"EdDSA\",\"n\":%d,\"signature\":\"00\"", i);
        if (i) {
            hasher_digest(records_hasher(records), DIGEST_SHA256, buf_span(&last), &digest, NULL);
            buf_puts(&text, ",\"zprev\":0,\"prev_hash\":\"");
            digest_write(&text, &digest);
            buf_puts(&text, "\"");
        }
        buf_puts(&text, "}");
        size_t index =
            i == 1 ? RECORD_NONE : records_add(records, buf_span(&text), SPAN("r"), SPAN("r"));
        buf_clear(&last);
        if (index != RECORD_NONE)
            records_canonical(records, index, CANON_JCS, &last);
        else
            buf_puts(&last, "never held");
    }
    records_add(records, SPAN("{\"a\":1}"), SPAN("plain"), SPAN("plain"));
    cr_assert_eq(attest_survey(records, NULL, &arena, &list), 3);
    cr_expect_eq(list[0].parent, ATTEST_NO_PARENT);
    cr_expect_eq(list[1].parent, ATTEST_PARENT_MISSING);
    cr_expect_eq(list[2].parent, ATTEST_PARENT_HELD);
    cr_expect_eq(list[2].parent_record, list[1].record);
    cr_expect_eq(list[0].verdict, ATTEST_MALFORMED, "no 64 bytes");
    arena_finish(&arena);
    buf_finish(&text);
    buf_finish(&last);
    records_destroy(records);
}
