#include "model/evidence/digest.h"

#include <openssl/evp.h>

#include "base/ascii.h"
#include "base/mem.h"

/* ---- the algorithms ---- */

struct algorithm {
    const char *name, *openssl;
    uint32_t multihash;
    uint8_t bytes;
    bool accepted;
};

static const struct algorithm algorithms[DIGEST_ALGORITHM_COUNT] = {
#define X(id, name, ossl, bytes, code, accepted) {name, ossl, code, bytes, accepted},
    DIGEST_ALGORITHMS(X)
#undef X
};

/* Other spellings, after letters are lowered and '_' and '/' are made '-'. */
static const struct {
    const char *name;
    enum digest_algorithm algorithm;
} spellings[] = {
    {"sha-256", DIGEST_SHA256},
    {"sha2-256", DIGEST_SHA256},
    {"sha-384", DIGEST_SHA384},
    {"sha2-384", DIGEST_SHA384},
    {"sha-512", DIGEST_SHA512},
    {"sha2-512", DIGEST_SHA512},
    {"sha-512-256", DIGEST_SHA512_256},
    {"sha2-512-256", DIGEST_SHA512_256},
    {"sha512-256", DIGEST_SHA512_256},
    {"sha3256", DIGEST_SHA3_256},
    {"sha-3-256", DIGEST_SHA3_256},
    {"sha3-256", DIGEST_SHA3_256},
    {"sha-3-384", DIGEST_SHA3_384},
    {"sha-3-512", DIGEST_SHA3_512},
    {"blake2b", DIGEST_BLAKE2B512},
    {"blake2b-512", DIGEST_BLAKE2B512},
    {"blake2s", DIGEST_BLAKE2S256},
    {"blake2s-256", DIGEST_BLAKE2S256},
    {"sha-1", DIGEST_SHA1},
    {"md-5", DIGEST_MD5},
};

const char *digest_algorithm_name(enum digest_algorithm algorithm)
{
    return algorithms[algorithm].name;
}

size_t digest_algorithm_bytes(enum digest_algorithm algorithm)
{
    return algorithms[algorithm].bytes;
}

bool digest_algorithm_accepted(enum digest_algorithm algorithm)
{
    return algorithms[algorithm].accepted;
}

bool digest_algorithm_find(struct span name, enum digest_algorithm *algorithm)
{
    char plain[24];
    if (name.len >= sizeof plain)
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = ascii_lower(name.at[i]);
        plain[i] = c == '_' || c == '/' ? '-' : c;
    }
    struct span folded = {plain, name.len};
    for (size_t i = 0; i < DIGEST_ALGORITHM_COUNT; i++)
        if (span_is(folded, algorithms[i].name)) {
            *algorithm = (enum digest_algorithm)i;
            return true;
        }
    for (size_t i = 0; i < COUNT_OF(spellings); i++)
        if (span_is(folded, spellings[i].name)) {
            *algorithm = spellings[i].algorithm;
            return true;
        }
    return false;
}

/* ---- encodings ---- */

bool hex_decode(struct span text, struct buf *out)
{
    size_t before = out->len;
    if (text.len % 2)
        return false;
    for (size_t i = 0; i < text.len; i += 2) {
        int high = hex_digit(text.at[i]), low = hex_digit(text.at[i + 1]);
        if (high < 0 || low < 0) {
            out->len = before;
            return false;
        }
        buf_byte(out, (char)(high << 4 | low));
    }
    return true;
}

void hex_encode(struct buf *out, struct span bytes)
{
    static const char digit[] = "0123456789abcdef";
    char *at = buf_reserve(out, bytes.len * 2);
    for (size_t i = 0; i < bytes.len; i++) {
        *at++ = digit[(unsigned char)bytes.at[i] >> 4];
        *at++ = digit[bytes.at[i] & 15];
    }
    out->len += bytes.len * 2;
}

bool base64_decode(struct span text, struct buf *out)
{
    size_t before = out->len, len = text.len;
    while (len && text.len - len < 2 && text.at[len - 1] == '=')
        len--;
    if (len % 4 == 1 || (len != text.len && text.len % 4))
        return false;
    unsigned held = 0;
    int bits = 0;
    for (size_t i = 0; i < len; i++) {
        int value = base64_digit(text.at[i]);
        if (value < 0) {
            out->len = before;
            return false;
        }
        held = (held << 6 | (unsigned)value) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            buf_byte(out, (char)(held >> bits));
        }
    }
    if (held & ((1u << bits) - 1)) { /* bits that stand for nothing must be 0 */
        out->len = before;
        return false;
    }
    return true;
}

/* RFC 4648 base32, lower or upper case, without padding (multibase b and B). */
static bool base32_decode(struct span text, struct buf *out)
{
    size_t before = out->len;
    unsigned held = 0;
    int bits = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = ascii_lower(text.at[i]);
        int value = c >= 'a' && c <= 'z' ? c - 'a' : c >= '2' && c <= '7' ? c - '2' + 26 : -1;
        if (value < 0) {
            out->len = before;
            return false;
        }
        held = (held << 5 | (unsigned)value) & 0xffff;
        bits += 5;
        if (bits >= 8) {
            bits -= 8;
            buf_byte(out, (char)(held >> bits));
        }
    }
    return true;
}

/* base58btc (multibase z). Quadratic, so only of what can be a digest. */
static bool base58_decode(struct span text, struct buf *out)
{
    static const char alphabet[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    uint8_t bytes[DIGEST_BYTES + 8] = {0}; /* big-endian, at the end */
    size_t used = 0, zeros = 0;
    while (zeros < text.len && text.at[zeros] == '1')
        zeros++;
    for (size_t i = 0; i < text.len; i++) {
        const char *found = text.at[i] ? strchr(alphabet, text.at[i]) : NULL;
        if (!found)
            return false;
        unsigned carry = (unsigned)(found - alphabet);
        for (size_t k = 0; k < used || carry; k++) {
            if (k == sizeof bytes)
                return false;
            uint8_t *byte = &bytes[sizeof bytes - 1 - k];
            carry += *byte * 58u;
            *byte = (uint8_t)carry;
            carry >>= 8;
            if (k >= used)
                used = k + 1;
        }
    }
    buf_fill(out, '\0', zeros);
    buf_add(out, (struct span){(char *)bytes + sizeof bytes - used, used});
    return true;
}

/* ---- digest text ---- */

const char *digest_lint_text(enum digest_lint lint)
{
    static const char *const texts[DIGEST_LINT_COUNT] = {
#define X(id, text) text,
        DIGEST_LINTS(X)
#undef X
    };
    return texts[lint];
}

#define LINT(id) (1u << DIGEST_LINT_##id)

static bool has_any(struct span text, const char *set)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] && strchr(set, text.at[i]))
            return true;
    return false;
}

static bool is_hex(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (hex_digit(text.at[i]) < 0)
            return false;
    return text.len > 0;
}

/* The value behind the algorithm: hex, or else base64. Bytes appended. */
static bool decode_value(struct span value, size_t expected, struct buf *out, unsigned *lints)
{
    if (value.len > 2 && value.at[0] == '0' && (value.at[1] == 'x' || value.at[1] == 'X')) {
        *lints |= LINT(PREFIX_0X);
        value = span_sub(value, 2, value.len);
    }
    size_t base64_len = (expected * 8 + 5) / 6;
    bool maybe_base64 = value.len == base64_len || value.len == (expected + 2) / 3 * 4;
    if (is_hex(value) && (!maybe_base64 || value.len == expected * 2)) {
        *lints |= has_any(value, "ABCDEF") ? LINT(UPPER_HEX) : 0;
        return hex_decode(value, out);
    }
    if (!base64_decode(value, out))
        return false;
    *lints |= has_any(value, "-_") ? LINT(BASE64URL) : LINT(BASE64);
    if (expected % 3 && value.at[value.len - 1] != '=')
        *lints |= LINT(NO_PADDING);
    return true;
}

static enum digest_fault fill(struct digest *digest, enum digest_algorithm algorithm,
                              struct span bytes)
{
    digest->algorithm = algorithm;
    if (bytes.len != algorithms[algorithm].bytes)
        return DIGEST_BAD_LENGTH;
    digest->len = (uint8_t)bytes.len;
    memcpy(digest->bytes, bytes.at, bytes.len);
    return algorithms[algorithm].accepted ? DIGEST_OK : DIGEST_WEAK_ALGORITHM;
}

/* Multihash: varint code, varint length, the digest. */
static bool take_varint(struct span *bytes, uint32_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 28 && bytes->len; shift += 7) {
        unsigned char byte = (unsigned char)*bytes->at;
        *bytes = span_sub(*bytes, 1, bytes->len);
        *value |= (uint32_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static enum digest_fault from_multihash(struct span bytes, struct digest *digest)
{
    uint32_t code, len;
    if (!take_varint(&bytes, &code) || !take_varint(&bytes, &len) || len != bytes.len)
        return DIGEST_BAD_TEXT;
    for (size_t i = 0; i < DIGEST_ALGORITHM_COUNT; i++)
        if (algorithms[i].multihash == code)
            return fill(digest, (enum digest_algorithm)i, bytes);
    return DIGEST_UNKNOWN_ALGORITHM;
}

/* A CIDv1 (version 1, a codec, a multihash) or a plain multihash. */
static enum digest_fault from_cid_or_multihash(struct span bytes, struct digest *digest)
{
    if (bytes.len > 2 && bytes.at[0] == 1) {
        struct span rest = span_sub(bytes, 1, bytes.len);
        uint32_t codec;
        if (take_varint(&rest, &codec)) {
            enum digest_fault fault = from_multihash(rest, digest);
            if (fault != DIGEST_BAD_TEXT)
                return fault;
        }
    }
    return from_multihash(bytes, digest);
}

static bool multibase_decode(struct span text, struct buf *out)
{
    struct span body = span_sub(text, 1, text.len);
    switch (text.at[0]) {
    case 'f':
    case 'F':
        return hex_decode(body, out);
    case 'm':
    case 'M':
    case 'u':
    case 'U':
        return base64_decode(body, out);
    case 'b':
    case 'B':
        return base32_decode(body, out);
    case 'z':
        return base58_decode(body, out);
    default:
        return false;
    }
}

/* No algorithm is named: bare hex or base64 by its length, multihash, multibase. */
static enum digest_fault parse_bare(struct span text, struct digest *digest, unsigned *lints,
                                    struct buf *bytes)
{
    struct span hex = text;
    unsigned found = 0;
    if (text.len > 2 && text.at[0] == '0' && (text.at[1] == 'x' || text.at[1] == 'X')) {
        hex = span_sub(text, 2, text.len);
        found |= LINT(PREFIX_0X);
    }
    if (is_hex(hex) && hex_decode(hex, bytes)) {
        found |= has_any(hex, "ABCDEF") ? LINT(UPPER_HEX) : 0;
        enum digest_fault fault = from_multihash(buf_span(bytes), digest);
        if (fault == DIGEST_OK || fault == DIGEST_WEAK_ALGORITHM) {
            *lints |= found | LINT(MULTIHASH);
            return fault;
        }
        static const enum digest_algorithm by_length[] = {DIGEST_SHA256, DIGEST_SHA384,
                                                          DIGEST_SHA512, DIGEST_SHA1, DIGEST_MD5};
        for (size_t i = 0; i < COUNT_OF(by_length); i++)
            if (algorithms[by_length[i]].bytes == bytes->len) {
                *lints |= found | LINT(NO_ALGORITHM);
                return fill(digest, by_length[i], buf_span(bytes));
            }
    }
    buf_clear(bytes);
    if (multibase_decode(text, bytes)) {
        enum digest_fault fault = from_cid_or_multihash(buf_span(bytes), digest);
        if (fault != DIGEST_BAD_TEXT) {
            *lints |= LINT(MULTIBASE) | LINT(MULTIHASH);
            return fault;
        }
    }
    buf_clear(bytes);
    if (base58_decode(text, bytes) && from_multihash(buf_span(bytes), digest) == DIGEST_OK) {
        *lints |= LINT(MULTIHASH); /* the old Qm… of IPFS */
        return DIGEST_OK;
    }
    buf_clear(bytes);
    unsigned encoding = 0;
    if (decode_value(text, 32, bytes, &encoding) && bytes->len == 32) {
        *lints |= encoding | LINT(NO_ALGORITHM);
        return fill(digest, DIGEST_SHA256, buf_span(bytes));
    }
    return DIGEST_BAD_TEXT;
}

/* Where the algorithm's name ends: at the first ':' or '=', or at a '-' that has an algorithm
 * before it and no shorter one (SRI). text.len where no algorithm is named. */
static size_t separator(struct span text)
{
    size_t colon = span_find_byte(text, ':');
    if (colon < text.len)
        return colon;
    enum digest_algorithm unused;
    for (size_t at = text.len < 20 ? text.len : 20; at-- > 1;)
        if ((text.at[at] == '-' || text.at[at] == '=') &&
            digest_algorithm_find(span_sub(text, 0, at), &unused))
            return at;
    return text.len;
}

static enum digest_fault parse_named(struct span text, size_t at, struct digest *digest,
                                     unsigned *lints, struct buf *bytes)
{
    struct span name = span_sub(text, 0, at), value = span_sub(text, at + 1, text.len);
    if (name.len == 0)
        return DIGEST_BAD_TEXT;
    if (!digest_algorithm_find(name, &digest->algorithm))
        return DIGEST_UNKNOWN_ALGORITHM;
    if (!span_is(name, digest_algorithm_name(digest->algorithm)))
        *lints |= LINT(ALGORITHM_SPELLING);
    size_t expected = algorithms[digest->algorithm].bytes;
    if (value.len == 0 || !decode_value(value, expected, bytes, lints))
        return DIGEST_BAD_TEXT;
    if (text.at[at] == '-' && *lints & (LINT(BASE64) | LINT(BASE64URL)))
        *lints |= LINT(SRI);
    else if (text.at[at] != ':')
        *lints |= LINT(SEPARATOR);
    return fill(digest, digest->algorithm, buf_span(bytes));
}

enum digest_fault digest_parse(struct span text, struct digest *digest, unsigned *lints)
{
    enum { LONGEST = 256 }; /* of anything that could be one */
    struct span trimmed = span_trim(text);
    *lints = trimmed.len != text.len ? LINT(SPACE) : 0;
    *digest = (struct digest){0};
    if (trimmed.len == 0)
        return DIGEST_EMPTY;
    if (trimmed.len > LONGEST)
        return DIGEST_BAD_TEXT;
    struct buf bytes = {0};
    size_t at = separator(trimmed);
    enum digest_fault fault = at < trimmed.len ? parse_named(trimmed, at, digest, lints, &bytes)
                                               : parse_bare(trimmed, digest, lints, &bytes);
    buf_finish(&bytes);
    return fault;
}

bool digest_equal(const struct digest *a, const struct digest *b)
{
    return a->algorithm == b->algorithm && a->len == b->len &&
           memcmp(a->bytes, b->bytes, a->len) == 0;
}

void digest_write(struct buf *out, const struct digest *digest)
{
    buf_puts(out, digest_algorithm_name(digest->algorithm));
    buf_byte(out, ':');
    hex_encode(out, (struct span){(const char *)digest->bytes, digest->len});
}

/* ---- hashing ---- */

struct hasher {
    EVP_MD *fetched[DIGEST_ALGORITHM_COUNT]; /* NULL: not to be had */
    EVP_MD_CTX *context;
    enum digest_algorithm algorithm; /* of the digest begun */
};

struct hasher *hasher_create(void)
{
    struct hasher *hasher = NEW(struct hasher);
    hasher->context = EVP_MD_CTX_new();
    if (!hasher->context)
        mem_exhausted();
    for (size_t i = 0; i < DIGEST_ALGORITHM_COUNT; i++)
        hasher->fetched[i] = EVP_MD_fetch(NULL, algorithms[i].openssl, NULL);
    return hasher;
}

void hasher_destroy(struct hasher *hasher)
{
    if (!hasher)
        return;
    for (size_t i = 0; i < DIGEST_ALGORITHM_COUNT; i++)
        EVP_MD_free(hasher->fetched[i]);
    EVP_MD_CTX_free(hasher->context);
    mem_free(hasher);
}

bool hasher_begin(struct hasher *hasher, enum digest_algorithm algorithm, struct err *err)
{
    hasher->algorithm = algorithm;
    if (hasher->fetched[algorithm] &&
        EVP_DigestInit_ex2(hasher->context, hasher->fetched[algorithm], NULL) == 1)
        return true;
    if (err)
        err_set(err, ERR_INTERNAL, digest_algorithm_name(algorithm),
                "use sha256, or an OpenSSL that has it",
                "the OpenSSL library at hand does not offer this digest");
    return false;
}

void hasher_add(struct hasher *hasher, struct span bytes)
{
    EVP_DigestUpdate(hasher->context, bytes.at, bytes.len);
}

void hasher_end(struct hasher *hasher, struct digest *digest)
{
    unsigned len = 0;
    *digest = (struct digest){.algorithm = hasher->algorithm};
    EVP_DigestFinal_ex(hasher->context, digest->bytes, &len);
    digest->len = (uint8_t)len;
}

bool hasher_digest(struct hasher *hasher, enum digest_algorithm algorithm, struct span bytes,
                   struct digest *digest, struct err *err)
{
    if (!hasher_begin(hasher, algorithm, err))
        return false;
    hasher_add(hasher, bytes);
    hasher_end(hasher, digest);
    return true;
}
