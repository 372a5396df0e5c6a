/* Digest text in every form, and hashes with known answers. */
#include <criterion/criterion.h>

#include "model/evidence/digest.h"

#define HEX     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define UPPER   "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"
#define B64     "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
#define B64U    "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
#define BIT(id) (1u << DIGEST_LINT_##id)

/* All of these are SHA-256 of nothing. */
Test(digest, forms)
{
    static const struct {
        const char *text;
        unsigned lints;
    } cases[] = {
        {"sha256:" HEX, 0},
        {"sha256:" UPPER, BIT(UPPER_HEX)},
        {"sha256:0x" HEX, BIT(PREFIX_0X)},
        {"SHA-256:" HEX, BIT(ALGORITHM_SPELLING)},
        {"sha2-256:" HEX, BIT(ALGORITHM_SPELLING)},
        {"sha256:" B64, BIT(BASE64)},
        {"sha256:" B64U, BIT(BASE64URL) | BIT(NO_PADDING)},
        {"sha256:" B64U "=", BIT(BASE64URL)},
        {"sha256-" B64, BIT(BASE64) | BIT(SRI)},
        {"sha256-" HEX, BIT(SEPARATOR)},
        {"sha256=" HEX, BIT(SEPARATOR)},
        {" sha256:" HEX "\n", BIT(SPACE)},
        {HEX, BIT(NO_ALGORITHM)},
        {"0x" HEX, BIT(NO_ALGORITHM) | BIT(PREFIX_0X)},
        {B64, BIT(NO_ALGORITHM) | BIT(BASE64)},
        {B64U, BIT(NO_ALGORITHM) | BIT(BASE64URL) | BIT(NO_PADDING)},
        {"1220" HEX, BIT(MULTIHASH)},
        {"f1220" HEX, BIT(MULTIBASE) | BIT(MULTIHASH)},
        {"QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n", BIT(MULTIHASH)},
        {"zQmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n", BIT(MULTIBASE) | BIT(MULTIHASH)},
        {"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku",
         BIT(MULTIBASE) | BIT(MULTIHASH)},
        {"uEiDjsMRCmPwcFJr79MiZb7kkJ65B5GSbk0yklZkbeFK4VQ", BIT(MULTIBASE) | BIT(MULTIHASH)},
    };
    struct hasher *hasher = hasher_create();
    struct digest want;
    cr_assert(hasher_digest(hasher, DIGEST_SHA256, SPAN_EMPTY, &want, NULL));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct digest digest;
        unsigned lints;
        cr_expect_eq(digest_parse(span_of(cases[i].text), &digest, &lints), DIGEST_OK, "%s",
                     cases[i].text);
        cr_expect(digest_equal(&digest, &want), "%s", cases[i].text);
        cr_expect_eq(lints, cases[i].lints, "%s: %x", cases[i].text, lints);
    }
    hasher_destroy(hasher);
}

Test(digest, refused)
{
    static const struct {
        const char *text;
        enum digest_fault fault;
    } cases[] = {
        {"", DIGEST_EMPTY},
        {"  ", DIGEST_EMPTY},
        {"sha256:", DIGEST_BAD_TEXT},
        {":" HEX, DIGEST_BAD_TEXT},
        {"sha256:zz", DIGEST_BAD_TEXT},
        {"sha256:" HEX "00", DIGEST_BAD_LENGTH},
        {"sha256:00", DIGEST_BAD_LENGTH},
        {"sha256:" HEX "0", DIGEST_BAD_TEXT},
        {"sha512:" HEX, DIGEST_BAD_LENGTH},
        {"sha999:00", DIGEST_UNKNOWN_ALGORITHM},
        {"https://example.com/x", DIGEST_UNKNOWN_ALGORITHM},
        {"sha1:da39a3ee5e6b4b0d3255bfef95601890afd80709", DIGEST_WEAK_ALGORITHM},
        {"da39a3ee5e6b4b0d3255bfef95601890afd80709", DIGEST_WEAK_ALGORITHM},
        {"md5:d41d8cd98f00b204e9800998ecf8427e", DIGEST_WEAK_ALGORITHM},
        {"hello", DIGEST_BAD_TEXT},
        {"sha256:" HEX ":" HEX, DIGEST_BAD_TEXT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct digest digest;
        unsigned lints;
        enum digest_fault fault = digest_parse(span_of(cases[i].text), &digest, &lints);
        cr_expect_eq(fault, cases[i].fault, "%s", cases[i].text);
    }
}

/* SHA-2 and SHA-3 of "abc" from FIPS 180-4 and 202, BLAKE2 from RFC 7693. */
Test(digest, known_answers)
{
    static const char *const abc[] = {
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha384:"
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358ba"
        "eca134c825a7",
        "sha512:"
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3"
        "c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "sha512-256:53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
        "sha3-256:3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
        "sha3-384:"
        "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1"
        "edf228376d25",
        "sha3-512:"
        "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7e"
        "c57647e3934057340b4cf408d5a56592f8274eec53f0",
        "blake2b512:"
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc"
        "252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
        "blake2s256:508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
        "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
        "md5:900150983cd24fb0d6963f7d28e17f72",
    };
    cr_assert_eq(COUNT_OF(abc), DIGEST_ALGORITHM_COUNT);
    struct hasher *hasher = hasher_create();
    struct buf text = {0};
    for (size_t i = 0; i < COUNT_OF(abc); i++) {
        struct digest digest, parts, parsed;
        unsigned lints;
        enum digest_algorithm algorithm = (enum digest_algorithm)i;
        cr_assert(hasher_digest(hasher, algorithm, SPAN("abc"), &digest, NULL));
        buf_clear(&text);
        digest_write(&text, &digest);
        cr_expect_str_eq(buf_cstr(&text), abc[i]);
        hasher_begin(hasher, algorithm, NULL);
        hasher_add(hasher, SPAN("a"));
        hasher_add(hasher, SPAN("bc"));
        hasher_end(hasher, &parts);
        cr_expect(digest_equal(&digest, &parts));
        enum digest_fault fault = digest_parse(span_of(abc[i]), &parsed, &lints);
        cr_expect_eq(fault,
                     digest_algorithm_accepted(algorithm) ? DIGEST_OK : DIGEST_WEAK_ALGORITHM);
        cr_expect(digest_equal(&digest, &parsed));
        cr_expect_eq(lints, 0);
    }
    hasher_destroy(hasher);
    buf_finish(&text);
}

Test(digest, compared_as_bytes_of_one_algorithm)
{
    struct digest a, b;
    unsigned lints;
    digest_parse(SPAN("sha256:" HEX), &a, &lints);
    digest_parse(SPAN("sha3-256:" HEX), &b, &lints);
    cr_expect(!digest_equal(&a, &b), "another algorithm");
    digest_parse(SPAN("sha256:" B64), &b, &lints);
    cr_expect(digest_equal(&a, &b));
    for (size_t i = 0; i < b.len; i++) {
        b.bytes[i] ^= 0x40;
        cr_expect(!digest_equal(&a, &b), "byte %zu", i);
        b.bytes[i] ^= 0x40;
    }
}

Test(digest, encodings)
{
    struct buf out = {0};
    static const char *const bad_base64[] = {"A", "AB=", "AB", "A===", "AAA=A", "A*AA", "AB=="};
    for (size_t i = 0; i < COUNT_OF(bad_base64); i++)
        cr_expect(!base64_decode(span_of(bad_base64[i]), &out), "%s", bad_base64[i]);
    cr_expect(base64_decode(SPAN("AA"), &out));
    cr_expect(base64_decode(SPAN("+/-_"), &out));
    cr_expect(!hex_decode(SPAN("abc"), &out));
    cr_expect_eq(out.len, 4);
    buf_finish(&out);
}
