#include "model/evidence/attest.h"

#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <stdlib.h>

#include "base/jsonr.h"
#include "base/sha256.h"
#include "model/evidence/cbor_walk.h"
#include "model/evidence/jcs.h"

/* ---- words ---- */

const char *attest_kind_name(enum attest_kind kind)
{
    static const char *const names[] = {
#define X(id, name) name,
        ATTEST_KINDS(X)
#undef X
    };
    return names[kind];
}

const char *attest_algorithm_name(enum attest_algorithm algorithm)
{
    static const char *const names[] = {
#define X(id, name) name,
        ATTEST_ALGORITHMS(X)
#undef X
    };
    return names[algorithm];
}

static const struct {
    const char *word, *text;
} attest_verdicts[] = {
#define X(id, word, text) {word, text},
    ATTEST_VERDICTS(X)
#undef X
};

const char *attest_verdict_word(enum attest_verdict verdict)
{
    return attest_verdicts[verdict].word;
}

const char *attest_verdict_text(enum attest_verdict verdict)
{
    return attest_verdicts[verdict].text;
}

const char *attest_open_end(void)
{
    return "the record's end is not committed to: later entries may have been cut off";
}

static enum attest_algorithm algorithm_of(struct span name)
{
    static const struct {
        const char *name;
        enum attest_algorithm algorithm;
    } names[] = {
        {"ed25519", ATTEST_BY_EDDSA},
        {"eddsa", ATTEST_BY_EDDSA},
        {"es256", ATTEST_BY_ES256},
        {"es384", ATTEST_BY_ES384},
        {"hs256", ATTEST_BY_HMAC},
        {"hmac-sha256", ATTEST_BY_HMAC},
        {"ecdsa-p256-sha256", ATTEST_BY_ES256},
    };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (span_equal_nocase(name, span_of(names[i].name)))
            return names[i].algorithm;
    return ATTEST_BY_UNKNOWN;
}

/* ---- JSON ---- */

static const char *const signature_names[] = {"signature", "sig", "signature_b64", "proof",
                                              "x-assay-sig"};

/* The decoded text of a string value, else empty. */
static struct span attest_text_of(struct span value, struct arena *arena)
{
    struct span text = SPAN_EMPTY;
    if (jsonr_is_string(value) && !jsonr_plain_string(value, &text)) {
        struct buf decoded = {0};
        jsonr_string(value, &decoded, NULL);
        text = arena_copy(arena, buf_span(&decoded));
        buf_finish(&decoded);
    }
    return text;
}

/* The first of the names that the object has as a string. */
static struct span find_text(struct span object, const char *const *names, size_t count,
                             struct arena *arena)
{
    struct span value;
    for (size_t i = 0; i < count; i++)
        if (jsonr_member(object, names[i], &value) && jsonr_is_string(value))
            return attest_text_of(value, arena);
    return SPAN_EMPTY;
}

/* The object's canonical form without one member, in the arena; empty where there is none. */
static struct span canonical_without(struct span object, const char *without, struct arena *arena)
{
    struct buf text = {0}, out = {0};
    struct jsonr_items items;
    struct jcs_report report;
    struct jcs *jcs = jcs_create();
    buf_byte(&text, '{');
    jsonr_items_init(&items, object);
    while (jsonr_items_next(&items)) {
        if (without && jsonr_name_is(items.name, span_of(without)))
            continue;
        buf_puts(&text, text.len > 1 ? ",\"" : "\"");
        buf_add(&text, items.name);
        buf_puts(&text, "\":");
        buf_add(&text, items.value);
    }
    buf_byte(&text, '}');
    struct span canonical = SPAN_EMPTY;
    if (jcs_canonicalize(jcs, buf_span(&text), &out, &report))
        canonical = arena_copy(arena, buf_span(&out));
    jcs_destroy(jcs);
    buf_finish(&text);
    buf_finish(&out);
    return canonical;
}

/* Hex where it is hex, else base64; perhaps behind "alg:". */
static struct span decode_signature(struct span text, struct arena *arena)
{
    struct buf bytes = {0};
    size_t colon = span_find_byte(text, ':');
    if (colon < text.len)
        text = span_sub(text, colon + 1, text.len);
    struct span decoded = SPAN_EMPTY;
    if (text.len && (hex_decode(text, &bytes) || base64_decode(text, &bytes)))
        decoded = arena_copy(arena, buf_span(&bytes));
    buf_finish(&bytes);
    return decoded;
}

static struct span object_member(struct span object, const char *name)
{
    struct span value = SPAN_EMPTY;
    return jsonr_member(object, name, &value) && jsonr_is_object(value) ? value : SPAN_EMPTY;
}

/* Algorithm, key and parent are looked for in the signature, in the blocks of an envelope, and at
 * the top, in that order. */
static void read_particulars(struct span object, struct span signature, struct arena *arena,
                             struct attestation *a)
{
    static const char *const algorithms[] = {"alg", "algorithm", "signature_alg", "type"};
    static const char *const keys[] = {"kid",           "key_id",        "keyId",
                                       "public_key_id", "signer_key_id", "verificationMethod",
                                       "secret_version"};
    static const char *const parents[] = {
        "parent_hash",           "parentHash",    "prev_hash", "prevHash",
        "previous_hash",         "parent_digest", "previous",  "prev_receipt_hash",
        "prev_receipt_hash_b64", "backLink"};
    const struct span places[] = {signature, object_member(object, "issuer_asserted"),
                                  object_member(object, "chain"), object};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        /* At the top, "type" says something else. */
        size_t count = COUNT_OF(algorithms) - (i != 0);
        if (!a->algorithm_text.len)
            a->algorithm_text = find_text(places[i], algorithms, count, arena);
        if (!a->key_id.len)
            a->key_id = find_text(places[i], keys, COUNT_OF(keys), arena);
        if (!a->parent.len)
            a->parent = find_text(places[i], parents, COUNT_OF(parents), arena);
    }
    a->algorithm = algorithm_of(a->algorithm_text);
}

static bool read_json(struct span object, struct arena *arena, struct attestation *a)
{
    static const char *const values[] = {"value", "signature", "sig", "signatureValue",
                                         "proofValue"};
    struct span value = SPAN_EMPTY;
    const char *name = NULL;
    for (size_t i = 0; i < COUNT_OF(signature_names) && !name; i++)
        if (jsonr_member(object, signature_names[i], &value) &&
            (jsonr_is_string(value) || jsonr_is_object(value)))
            name = signature_names[i];
    if (!name)
        return false;
    a->signed_bytes = canonical_without(object, name, arena);
    if (!a->signed_bytes.len)
        return false;
    bool inside = jsonr_is_object(value);
    struct span text =
        inside ? find_text(value, values, COUNT_OF(values), arena) : attest_text_of(value, arena);
    a->signature = decode_signature(text, arena);
    bool envelope = object_member(object, "issuer_asserted").len ||
                    object_member(object, "planner_declared").len ||
                    object_member(object, "payload_derived").len;
    a->kind = envelope ? ATTEST_TOOL_CALL : ATTEST_RECEIPT;
    read_particulars(object, inside ? value : SPAN_EMPTY, arena, a);
    /* Many records have a "signature" that is a name or a function's. */
    enum { SHORTEST = 32 };
    bool meant = envelope || a->algorithm != ATTEST_BY_UNKNOWN || a->signature.len >= SHORTEST;
    if (!meant)
        a->kind = ATTEST_NONE;
    return meant;
}

/* ---- COSE ---- */

/* Walks over one item, whole; its bytes. */
static struct span attest_take_item(struct cbor_walk *walk)
{
    size_t begin = walk->at;
    if (cbor_walk_next(walk) == CBOR_EVENT_OPEN)
        for (size_t depth = walk->depth; walk->depth >= depth;)
            if (cbor_walk_next(walk) <= CBOR_EVENT_END)
                break;
    return span_sub(walk->bytes, begin, walk->at - begin);
}

/* A map's value under an integer key, by its encoding; empty where there is none. */
static struct span header_value(struct span map, char key)
{
    struct cbor_walk walk;
    struct span found = SPAN_EMPTY;
    cbor_walk_init(&walk, map);
    if (cbor_walk_next(&walk) == CBOR_EVENT_OPEN && walk.head.major == CBOR_MAP)
        for (uint64_t left = walk.head.argument; left > 0 && walk.depth == 1; left--) {
            struct span name = attest_take_item(&walk), value = attest_take_item(&walk);
            if (name.len == 1 && name.at[0] == key)
                found = value;
        }
    cbor_walk_finish(&walk);
    return found;
}

static enum attest_algorithm cose_algorithm(struct span value)
{
    if (span_equal(value, SPAN("\x27"))) /* -8 */
        return ATTEST_BY_EDDSA;
    if (span_equal(value, SPAN("\x26"))) /* -7 */
        return ATTEST_BY_ES256;
    return span_equal(value, SPAN("\x38\x22")) ? ATTEST_BY_ES384 : ATTEST_BY_UNKNOWN; /* -35 */
}

static struct span string_of(struct span item)
{
    struct cbor_walk walk;
    cbor_walk_init(&walk, item);
    struct span payload = cbor_walk_next(&walk) == CBOR_EVENT_ITEM ? walk.payload : SPAN_EMPTY;
    cbor_walk_finish(&walk);
    return payload;
}

/* RFC 9052 section 4.4: ["Signature1", protected, external_aad, payload]. */
static struct span signature_structure(struct span protected_header, struct span payload,
                                       struct arena *arena)
{
    struct buf out = {0};
    cbor_head_write(&out, CBOR_ARRAY, 4);
    cbor_head_write(&out, CBOR_TEXT, 10);
    buf_puts(&out, "Signature1");
    cbor_head_write(&out, CBOR_BYTES, protected_header.len);
    buf_add(&out, protected_header);
    cbor_head_write(&out, CBOR_BYTES, 0);
    cbor_head_write(&out, CBOR_BYTES, payload.len);
    buf_add(&out, payload);
    struct span structure = arena_copy(arena, buf_span(&out));
    buf_finish(&out);
    return structure;
}

static bool is_definite(const struct cbor_walk *walk, enum cbor_major major)
{
    return walk->head.major == major && walk->head.info != CBOR_INDEFINITE;
}

static bool read_cose(struct span bytes, struct arena *arena, struct attestation *a)
{
    enum { TAG_SIGN1 = 18 };
    struct cbor_report report;
    if (!cbor_check(bytes, &report))
        return false;
    struct cbor_walk walk;
    cbor_walk_init(&walk, bytes);
    cbor_walk_next(&walk);
    if (walk.head.major == CBOR_TAG && walk.head.argument == TAG_SIGN1)
        cbor_walk_next(&walk);
    bool ok = is_definite(&walk, CBOR_ARRAY) && walk.head.argument == 4;
    struct span protected_item = SPAN_EMPTY, header = SPAN_EMPTY, payload = SPAN_EMPTY,
                signature = SPAN_EMPTY;
    if (ok) {
        protected_item = attest_take_item(&walk);
        header = attest_take_item(&walk);
        payload = attest_take_item(&walk);
        signature = attest_take_item(&walk);
    }
    cbor_walk_finish(&walk);
    /* Byte string, map, byte string or null, byte string: by their major types. */
    ok = ok && (unsigned char)protected_item.at[0] >> 5 == CBOR_BYTES &&
         (unsigned char)header.at[0] >> 5 == CBOR_MAP &&
         ((unsigned char)payload.at[0] >> 5 == CBOR_BYTES || payload.at[0] == (char)0xf6) &&
         (unsigned char)signature.at[0] >> 5 == CBOR_BYTES;
    if (!ok)
        return false;
    struct span protected_header = string_of(protected_item);
    a->kind = ATTEST_COSE_SIGN1;
    a->detached = payload.at[0] == (char)0xf6;
    a->signature = string_of(signature);
    a->algorithm = cose_algorithm(header_value(protected_header, 0x01));
    a->algorithm_text = span_of(attest_algorithm_name(a->algorithm));
    struct span key_id = header_value(header, 0x04);
    if (!key_id.len)
        key_id = header_value(protected_header, 0x04);
    a->key_id = string_of(key_id);
    a->signed_bytes = signature_structure(protected_header, string_of(payload), arena);
    return true;
}

bool attest_read(struct span record, struct arena *arena, struct attestation *a)
{
    *a = (struct attestation){.algorithm_text = SPAN_EMPTY,
                              .key_id = SPAN_EMPTY,
                              .signature = SPAN_EMPTY,
                              .signed_bytes = SPAN_EMPTY,
                              .parent = SPAN_EMPTY};
    struct span text = span_trim(record);
    if (jsonr_is_object(text) && jsonr_valid(text, &(enum jsonr_fault){0}, &(size_t){0}))
        return !jsonr_duplicate(text, NULL) && read_json(text, arena, a);
    return read_cose(record, arena, a);
}

/* ---- keys and signatures ---- */

struct attest_key {
    EVP_PKEY *key;
};

/* Bytes that are a key are never all printable; a text of 32 characters is no key. */
static bool is_printable(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < ' ' || text.at[i] > '~')
            return false;
    return true;
}

static EVP_PKEY *raw_ed25519(struct span text)
{
    struct buf bytes = {0};
    EVP_PKEY *key = NULL;
    struct span trimmed = span_trim(text);
    if (text.len == 32 && !is_printable(text))
        buf_add(&bytes, text);
    else if (!hex_decode(trimmed, &bytes))
        base64_decode(trimmed, &bytes);
    if (bytes.len == 32)
        key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, (unsigned char *)bytes.at, 32);
    buf_finish(&bytes);
    return key;
}

struct attest_key *attest_key_read(struct span text, struct err *err)
{
    EVP_PKEY *found = NULL;
    if (span_find(text, SPAN("-----BEGIN")) < text.len && text.len < 65536) {
        BIO *bio = BIO_new_mem_buf(text.at, (int)text.len);
        if (bio)
            found = PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
        BIO_free(bio);
    } else {
        found = raw_ed25519(text);
    }
    ERR_clear_error();
    if (!found) {
        err_set(err, ERR_USAGE, NULL,
                "give a public key in PEM, or 32 bytes of Ed25519 in hex or base64",
                "not a public key that we know");
        return NULL;
    }
    struct attest_key *key = NEW(struct attest_key);
    key->key = found;
    return key;
}

void attest_key_destroy(struct attest_key *key)
{
    if (!key)
        return;
    EVP_PKEY_free(key->key);
    mem_free(key);
}

bool attest_key_ed25519(const struct attest_key *key, uint8_t out[32])
{
    size_t len = 32;
    return EVP_PKEY_is_a(key->key, "ED25519") &&
           EVP_PKEY_get_raw_public_key(key->key, out, &len) == 1;
}

static bool verify_bytes(EVP_PKEY *key, const EVP_MD *md, struct span bytes, struct span signature)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context)
        mem_exhausted();
    bool right = EVP_DigestVerifyInit(context, NULL, md, NULL, key) == 1 &&
                 EVP_DigestVerify(context, (const unsigned char *)signature.at, signature.len,
                                  (const unsigned char *)bytes.at, bytes.len) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return right;
}

/* r and s side by side, as JOSE and COSE have them, in the DER that OpenSSL wants. */
static bool verify_ecdsa(EVP_PKEY *key, const EVP_MD *md, struct span bytes, struct span signature)
{
    int half = (int)signature.len / 2, len;
    unsigned char *der = NULL;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn((const unsigned char *)signature.at, half, NULL);
    BIGNUM *s = BN_bin2bn((const unsigned char *)signature.at + half, half, NULL);
    if (!pair || !r || !s || ECDSA_SIG_set0(pair, r, s) != 1)
        mem_exhausted();
    len = i2d_ECDSA_SIG(pair, &der);
    bool right = len > 0 && verify_bytes(key, md, bytes, (struct span){(char *)der, (size_t)len});
    OPENSSL_free(der);
    ECDSA_SIG_free(pair);
    return right;
}

static enum attest_algorithm algorithm_of_key(EVP_PKEY *key)
{
    if (EVP_PKEY_is_a(key, "ED25519"))
        return ATTEST_BY_EDDSA;
    if (!EVP_PKEY_is_a(key, "EC"))
        return ATTEST_BY_UNKNOWN;
    int bits = EVP_PKEY_get_bits(key);
    return bits == 256 ? ATTEST_BY_ES256 : bits == 384 ? ATTEST_BY_ES384 : ATTEST_BY_UNKNOWN;
}

static bool verify_with(EVP_PKEY *key, enum attest_algorithm algorithm, struct span bytes,
                        struct span signature)
{
    switch (algorithm) {
    case ATTEST_BY_EDDSA:
        return verify_bytes(key, NULL, bytes, signature);
    case ATTEST_BY_ES256:
        return verify_ecdsa(key, EVP_sha256(), bytes, signature);
    case ATTEST_BY_ES384:
        return verify_ecdsa(key, EVP_sha384(), bytes, signature);
    default:
        return false;
    }
}

enum attest_verdict attest_verify(const struct attestation *a, const struct attest_key *key,
                                  bool *over_digest)
{
    static const size_t lengths[] = {
        [ATTEST_BY_EDDSA] = 64, [ATTEST_BY_ES256] = 64, [ATTEST_BY_ES384] = 96};
    if (over_digest)
        *over_digest = false;
    if (!a->signature.len)
        return ATTEST_MALFORMED;
    if (a->detached || a->algorithm == ATTEST_BY_HMAC ||
        (a->algorithm == ATTEST_BY_UNKNOWN && a->algorithm_text.len))
        return ATTEST_UNSUPPORTED;
    if (a->algorithm != ATTEST_BY_UNKNOWN && a->signature.len != lengths[a->algorithm])
        return ATTEST_MALFORMED;
    if (!key)
        return ATTEST_NOT_CHECKED;
    /* Where no algorithm is said the key says it; where one is said it has to be the key's. */
    enum attest_algorithm algorithm = algorithm_of_key(key->key);
    if (algorithm == ATTEST_BY_UNKNOWN ||
        (a->algorithm != ATTEST_BY_UNKNOWN && a->algorithm != algorithm))
        return ATTEST_WRONG_KEY;
    if (a->signature.len != lengths[algorithm])
        return ATTEST_MALFORMED;
    if (verify_with(key->key, algorithm, a->signed_bytes, a->signature))
        return ATTEST_VERIFIED;
    uint8_t digest[SHA256_BYTES];
    sha256_of(a->signed_bytes, digest);
    if (a->kind == ATTEST_COSE_SIGN1 ||
        !verify_with(key->key, algorithm, (struct span){(char *)digest, sizeof digest},
                     a->signature))
        return ATTEST_BAD_SIGNATURE;
    if (over_digest)
        *over_digest = true;
    return ATTEST_VERIFIED;
}

/* ---- all that are held ---- */

/* SHA-256 of what a signature is over: how some receipts name the one before. */
struct unsigned_form {
    struct digest digest;
    size_t record;
};

static int by_digest(const void *left, const void *right)
{
    const struct unsigned_form *a = left, *b = right;
    return memcmp(a->digest.bytes, b->digest.bytes, sizeof a->digest.bytes);
}

static void find_parent(struct attested *item, struct records *records,
                        const struct unsigned_form *forms, size_t count)
{
    struct unsigned_form wanted = {{0}, 0};
    unsigned lints;
    if (!item->attestation.parent.len)
        return;
    item->parent = ATTEST_PARENT_MISSING;
    if (digest_parse(item->attestation.parent, &wanted.digest, &lints) != DIGEST_OK)
        return;
    item->parent_record = records_find(records, &wanted.digest, CANON_JCS);
    if (item->parent_record == RECORD_NONE && wanted.digest.algorithm == DIGEST_SHA256) {
        const struct unsigned_form *found =
            bsearch(&wanted, forms, count, sizeof *forms, by_digest);
        item->parent_record = found ? found->record : RECORD_NONE;
    }
    if (item->parent_record != RECORD_NONE)
        item->parent = ATTEST_PARENT_HELD;
}

size_t attest_survey(struct records *records, const struct attest_key *key, struct arena *arena,
                     struct attested **list)
{
    size_t count = 0, size = records_count(records);
    *list = arena_array(arena, size + 1, sizeof **list);
    struct unsigned_form *forms = NEW_ARRAY(struct unsigned_form, size + 1);
    for (size_t i = 0; i < size; i++) {
        struct attested *item = &(*list)[count];
        if (!attest_read(records_at(records, i)->bytes, arena, &item->attestation))
            continue;
        item->record = i;
        item->verdict = attest_verify(&item->attestation, key, &item->over_digest);
        item->parent = ATTEST_NO_PARENT;
        forms[count].record = i;
        hasher_digest(records_hasher(records), DIGEST_SHA256, item->attestation.signed_bytes,
                      &forms[count].digest, NULL);
        count++;
    }
    qsort(forms, count, sizeof *forms, by_digest);
    for (size_t i = 0; i < count; i++)
        find_parent(&(*list)[i], records, forms, count);
    mem_free(forms);
    return count;
}
