/* CBOR by its bytes: well-formed, valid, deterministic; from JSON and back; published vectors. */
#include <criterion/criterion.h>

#include "model/evidence/cbor.h"
#include "model/evidence/cbor_walk.h"
#include "model/evidence/digest.h"
#include "tests/unit/files.h"
#include "tests/unit/numbers.h"

static struct span bytes_of(struct buf *buf, const char *hex)
{
    buf_clear(buf);
    cr_assert(hex_decode(span_of(hex), buf), "%s", hex);
    return buf_span(buf);
}

static const char *hex_of(struct buf *buf, struct span bytes)
{
    buf_clear(buf);
    hex_encode(buf, bytes);
    return buf_cstr(buf);
}

Test(cbor, not_well_formed_or_not_valid)
{
    static const struct {
        const char *hex;
        bool formed;
        enum cbor_flaw why;
        size_t at;
    } cases[] = {
        {"", false, CBOR_FLAW_EMPTY, 0},
        {"18", false, CBOR_FLAW_CUT, 1},
        {"1c", false, CBOR_FLAW_RESERVED, 0},
        {"1f", false, CBOR_FLAW_BAD_INDEFINITE, 0},
        {"df00", false, CBOR_FLAW_BAD_INDEFINITE, 0},
        {"ff", false, CBOR_FLAW_STRAY_BREAK, 0},
        {"82ff", false, CBOR_FLAW_CUT, 2},
        {"8200ff", false, CBOR_FLAW_STRAY_BREAK, 2},
        {"c1ff", false, CBOR_FLAW_STRAY_BREAK, 1},
        {"bf00ff", false, CBOR_FLAW_ODD_MAP, 2},
        {"5f6161ff", false, CBOR_FLAW_BAD_CHUNK, 1},
        {"5f5f4100ffff", false, CBOR_FLAW_BAD_CHUNK, 1},
        {"f81f", false, CBOR_FLAW_BAD_SIMPLE, 0},
        {"0000", false, CBOR_FLAW_TRAILING, 1},
        {"9bffffffffffffffff", false, CBOR_FLAW_CUT, 9}, /* 2^64 items, and no memory for them */
        {"5b7fffffffffffffff00", false, CBOR_FLAW_CUT, 10},
        {"bb800000000000000000", false, CBOR_FLAW_CUT, 10},
        {"6161ff", false, CBOR_FLAW_TRAILING, 2},
        {"61ff", true, CBOR_FLAW_BAD_UTF8, 1},
        {"63610080", true, CBOR_FLAW_BAD_UTF8, 3},
        {"7f61c361a9ff", true, CBOR_FLAW_BAD_UTF8, 2}, /* a character in two chunks */
        {"a200000001", true, CBOR_FLAW_DUPLICATE_KEY, 3},
        {"a3010002000103", true, CBOR_FLAW_DUPLICATE_KEY, 5},
        {"a20000180001", true, CBOR_FLAW_DUPLICATE_KEY, 3}, /* 0 in two encodings */
        {"a2420102005f41014102ff01", true, CBOR_FLAW_DUPLICATE_KEY, 5},
        {"a2a261620161610200a261610261620100", true, CBOR_FLAW_DUPLICATE_KEY, 9},
        {"c001", true, CBOR_FLAW_BAD_TAG, 0},
        {"c261ff", true, CBOR_FLAW_BAD_TAG, 0},
        {"81c200", true, CBOR_FLAW_BAD_TAG, 1},
    };
    struct buf bytes = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct cbor_report report;
        cr_expect(!cbor_check(bytes_of(&bytes, cases[i].hex), &report), "%s", cases[i].hex);
        cr_expect_eq(report.well_formed.ok, cases[i].formed, "%s", cases[i].hex);
        const struct cbor_verdict *verdict = cases[i].formed ? &report.valid : &report.well_formed;
        cr_expect_eq(verdict->why, cases[i].why, "%s: %s", cases[i].hex,
                     cbor_flaw_text(verdict->why));
        cr_expect_eq(verdict->at, cases[i].at, "%s: %zu", cases[i].hex, verdict->at);
    }
    buf_finish(&bytes);
}

Test(cbor, deterministic_or_why_not)
{
    static const struct {
        const char *hex;
        enum cbor_profile profile;
        enum cbor_flaw why;
        size_t at;
        const char *want;
    } cases[] = {
        {"1817", CBOR_CORE, CBOR_FLAW_LONG_HEAD, 0, "17"},
        {"190018", CBOR_CORE, CBOR_FLAW_LONG_HEAD, 0, "1818"},
        {"1b00000000ffffffff", CBOR_CORE, CBOR_FLAW_LONG_HEAD, 0, "1affffffff"},
        {"780161", CBOR_CORE, CBOR_FLAW_LONG_HEAD, 0, "6161"},
        {"d80001", CBOR_CORE, CBOR_FLAW_NONE, 0, NULL}, /* tag 0 around a number */
        {"fb3ff0000000000000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "f93c00"},
        {"fb3ff0000000000000", CBOR_DCBOR, CBOR_FLAW_LONG_FLOAT, 0, "01"},
        {"f93c00", CBOR_DCBOR, CBOR_FLAW_INTEGRAL_FLOAT, 0, "01"},
        {"f98000", CBOR_DCBOR, CBOR_FLAW_INTEGRAL_FLOAT, 0, "00"},
        {"fb3fb999999999999a", CBOR_CORE, CBOR_FLAW_NONE, 0, "fb3fb999999999999a"},
        {"fa33800000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "f90001"}, /* the least half */
        {"fb3e70000000000000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "f90001"},
        {"fb3e60000000000000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "fa33000000"},
        {"fb36a0000000000000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "fa00000001"},
        {"fb0000000000000001", CBOR_CORE, CBOR_FLAW_NONE, 0, "fb0000000000000001"},
        {"fa477fe000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "f97bff"},
        {"fa47800000", CBOR_CORE, CBOR_FLAW_NONE, 0, "fa47800000"},
        {"fb7ff8000000000000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "f97e00"},
        {"fb7ff8000000000001", CBOR_CORE, CBOR_FLAW_NONE, 0, "fb7ff8000000000001"},
        {"fb7ff8000000000001", CBOR_DCBOR, CBOR_FLAW_NAN_PAYLOAD, 0, "f97e00"},
        {"fb7ff0000000000000", CBOR_CORE, CBOR_FLAW_LONG_FLOAT, 0, "f97c00"},
        {"9f0102ff", CBOR_CORE, CBOR_FLAW_INDEFINITE, 0, "820102"},
        {"bf616101ff", CBOR_CORE, CBOR_FLAW_INDEFINITE, 0, "a1616101"},
        {"7f61616162ff", CBOR_CORE, CBOR_FLAW_INDEFINITE, 0, "626162"},
        {"829f9fffff5f41004101ff", CBOR_CORE, CBOR_FLAW_INDEFINITE, 1, "828180420001"},
        {"a2616201616102", CBOR_CORE, CBOR_FLAW_UNSORTED, 4, "a2616102616201"},
        {"a21864002001", CBOR_CORE, CBOR_FLAW_NONE, 0, "a21864002001"},
        {"a21864002001", CBOR_LENGTH_FIRST, CBOR_FLAW_UNSORTED, 4, "a22001186400"},
        {"a22001186400", CBOR_CORE, CBOR_FLAW_UNSORTED, 3, "a21864002001"},
        {"a22001186400", CBOR_LENGTH_FIRST, CBOR_FLAW_NONE, 0, "a22001186400"},
        {"c24101", CBOR_CORE, CBOR_FLAW_LONG_BIGNUM, 0, "01"},
        {"c2480100000000000000", CBOR_CORE, CBOR_FLAW_LONG_BIGNUM, 0, "1b0100000000000000"},
        {"c340", CBOR_CORE, CBOR_FLAW_LONG_BIGNUM, 0, "20"},
        {"c249010000000000000000", CBOR_CORE, CBOR_FLAW_NONE, 0, "c249010000000000000000"},
        {"c24a00010000000000000000", CBOR_CORE, CBOR_FLAW_LONG_BIGNUM, 0, "c249010000000000000000"},
        {"c25f41014101ff", CBOR_CORE, CBOR_FLAW_INDEFINITE, 1, "190101"},
        {"f7", CBOR_CORE, CBOR_FLAW_NONE, 0, "f7"},
        {"f7", CBOR_DCBOR, CBOR_FLAW_BAD_TYPE, 0, NULL},
        {"f8ff", CBOR_CORE, CBOR_FLAW_NONE, 0, "f8ff"},
        /* Keys that are maps: their own keys have to be put in order first. */
        {"a2a261620161610200a001", CBOR_CORE, CBOR_FLAW_UNSORTED, 5, "a2a001a261610261620100"},
        {"a2a261620161610200a261610361630000", CBOR_CORE, CBOR_FLAW_UNSORTED, 5,
         "a2a261610261620100a261610361630000"},
        {"a3616300a26162016161020161618102", CBOR_CORE, CBOR_FLAW_UNSORTED, 8,
         "a361618102616300a261610261620101"},
    };
    struct buf bytes = {0}, out = {0}, hex = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct cbor_report report;
        buf_clear(&out);
        bool ok =
            cbor_deterministic(bytes_of(&bytes, cases[i].hex), cases[i].profile, &out, &report);
        cr_expect_eq(ok, cases[i].want != NULL, "%s", cases[i].hex);
        if (ok)
            cr_expect_str_eq(hex_of(&hex, buf_span(&out)), cases[i].want, "%s gives %s",
                             cases[i].hex, buf_cstr(&hex));
        if (!report.valid.ok)
            continue;
        const struct cbor_verdict *verdict = &report.profile[cases[i].profile];
        cr_expect_eq(verdict->ok, cases[i].why == CBOR_FLAW_NONE, "%s", cases[i].hex);
        cr_expect_eq(verdict->why, cases[i].why, "%s: %s", cases[i].hex,
                     cbor_flaw_text(verdict->why));
        cr_expect_eq(verdict->at, cases[i].at, "%s at %zu", cases[i].hex, verdict->at);
    }
    buf_finish(&bytes);
    buf_finish(&out);
    buf_finish(&hex);
}

Test(cbor, from_json)
{
    static const struct {
        const char *json;
        enum cbor_numbers numbers;
        enum cbor_order order;
        const char *want;
    } cases[] = {
        {"{\"b\":1,\"a\":[true,false,null]}", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE,
         "a2616183f5f4f6616201"},
        {"{\"b\":1,\"a\":2}", CBOR_NUMBERS_TOKEN, CBOR_ORDER_AS_WRITTEN, "a2616201616102"},
        {"{\"aa\":1,\"b\":2}", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "a261620262616101"},
        {"[1.0,-0.0,1e2,0.1]", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE,
         "84f93c00f98000f95640fb3fb999999999999a"},
        {"[1.0,-0.0,1e2,0.5]", CBOR_NUMBERS_VALUE, CBOR_ORDER_BYTEWISE, "8401f980001864f93800"},
        {"[1.0,-0.0,1e2,0.5]", CBOR_NUMBERS_DCBOR, CBOR_ORDER_BYTEWISE, "8401001864f93800"},
        {"[1.0,1]", CBOR_NUMBERS_DOUBLE, CBOR_ORDER_BYTEWISE, "82fb3ff000000000000001"},
        {"[-1,-24,-25,-0]", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "842037381800"},
        {"9007199254740993", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "1b0020000000000001"},
        {"9007199254740993", CBOR_NUMBERS_VALUE, CBOR_ORDER_BYTEWISE, "1b0020000000000000"},
        {"1e16", CBOR_NUMBERS_VALUE, CBOR_ORDER_BYTEWISE, "fb4341c37937e08000"},
        {"18446744073709551615", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "1bffffffffffffffff"},
        {"18446744073709551616", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "c249010000000000000000"},
        {"-9223372036854775808", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "3b7fffffffffffffff"},
        {"-18446744073709551616", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "3bffffffffffffffff"},
        {"-18446744073709551617", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE,
         "c349010000000000000000"},
        {"\"\\u00e9\\n\"", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "63c3a90a"},
        {"{}", CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, "a0"},
        {"{\"z\":{\"b\":{},\"a\":[]},\"y\":{\"d\":0,\"c\":{\"2\":0,\"1\":0}}}", CBOR_NUMBERS_TOKEN,
         CBOR_ORDER_BYTEWISE, "a26179a26163a2613100613200616400617aa26161806162a0"},
    };
    struct buf out = {0}, hex = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct jcs_report report;
        buf_clear(&out);
        cr_expect(cbor_from_json(span_of(cases[i].json), cases[i].numbers, cases[i].order, &out,
                                 &report));
        cr_expect_str_eq(hex_of(&hex, buf_span(&out)), cases[i].want, "%s gives %s", cases[i].json,
                         buf_cstr(&hex));
    }
    static const char *const refused[] = {"{\"a\":1,\"b\":0,\"\\u0061\":2}", "\"\\ud800\"", "1e400",
                                          "[", ""};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        struct jcs_report report;
        buf_clear(&out);
        cr_expect(!cbor_from_json(span_of(refused[i]), CBOR_NUMBERS_TOKEN, CBOR_ORDER_AS_WRITTEN,
                                  &out, &report),
                  "%s", refused[i]);
        cr_expect(*report.why && out.len == 0);
    }
    buf_finish(&out);
    buf_finish(&hex);
}

Test(cbor, shown_and_to_json)
{
    static const struct {
        const char *hex, *text, *json;
        bool lossy;
    } cases[] = {
        {"a2616101616283f5f6f93c00", "{\"a\": 1, \"b\": [true, null, 1.0]}",
         "{\"a\":1,\"b\":[true,null,1.0]}", false},
        {"3bffffffffffffffff", "-18446744073709551616", "-18446744073709551616", false},
        {"43010203", "h'010203'", "\"AQID\"", true},
        {"5f41014102ff", "(_ h'01', h'02')", "\"AQI\"", true},
        {"7f61616162ff", "(_ \"a\", \"b\")", "\"ab\"", false},
        {"c074323031332d30332d32315432303a30343a30305a", "0(\"2013-03-21T20:04:00Z\")",
         "\"2013-03-21T20:04:00Z\"", true},
        {"f97e00", "NaN", "null", true},
        {"f97e01", "float'7e01'", "null", true},
        {"f9fc00", "-Infinity", "null", true},
        {"f98000", "-0.0", "-0.0", false},
        {"f7", "undefined", "null", true},
        {"f8ff", "simple(255)", "null", true},
        {"bf9f01ff02ff", "{_ [_ 1]: 2}", "{\"[_ 1]\":2}", true},
        {"a1a1010203", "{{1: 2}: 3}", "{\"{1: 2}\":3}", true},
        {"fb7e37e43c8800759c", "1e+300", "1e+300", false},
        {"80", "[]", "[]", false},
    };
    struct buf bytes = {0}, out = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool lossy;
        buf_clear(&out);
        cr_expect(cbor_diagnostic(bytes_of(&bytes, cases[i].hex), 1000, &out));
        cr_expect_str_eq(buf_cstr(&out), cases[i].text);
        buf_clear(&out);
        cr_expect(cbor_to_json(buf_span(&bytes), &out, &lossy));
        cr_expect_str_eq(buf_cstr(&out), cases[i].json);
        cr_expect_eq(lossy, cases[i].lossy, "%s", cases[i].hex);
    }
    buf_clear(&out);
    cbor_diagnostic(bytes_of(&bytes, "836461c3a9626461c3a9626461c3a962"), 2, &out);
    cr_expect_str_eq(buf_cstr(&out), "[\"a\"……");
    buf_finish(&bytes);
    buf_finish(&out);
}

/* ---- published vectors ---- */

/* The encoding of a text key's value in the map whose encoding begins at `map`. */
static bool member(struct span map, const char *name, struct span *value)
{
    struct cbor_walk walk;
    bool found = false;
    size_t begin = 0;
    cbor_walk_init(&walk, map);
    walk.sequence = true;
    cbor_walk_next(&walk);
    while (cbor_walk_next(&walk) > CBOR_EVENT_END) {
        if (walk.depth == 1 && walk.event == CBOR_EVENT_ITEM && walk.key) {
            found = span_is(walk.payload, name);
            begin = walk.at;
        } else if (walk.depth == 1 && walk.event != CBOR_EVENT_OPEN && found) {
            *value = span_sub(map, begin, walk.at - begin);
            break;
        }
    }
    cbor_walk_finish(&walk);
    return found;
}

static struct span string_of(struct span item)
{
    struct cbor_walk walk;
    cbor_walk_init(&walk, item);
    cbor_walk_next(&walk);
    cbor_walk_finish(&walk);
    return walk.payload;
}

/* One test of a vector file. Where it decodes, what is decoded encodes to the same bytes as ours.
 */
static void expect_vector(struct span test, bool all_fail, const char *path)
{
    struct span encoded, decoded, fail, text;
    struct buf ours = {0}, theirs = {0};
    struct cbor_report report;
    cr_assert(member(test, "encoded", &encoded), "%s", path);
    encoded = string_of(encoded);
    bool bad = all_fail || (member(test, "fail", &fail) && fail.at[0] == (char)0xf5);
    char what[200] = "";
    if (member(test, "description", &text))
        snprintf(what, sizeof what, "%.*s", SPAN_ARG(string_of(text)));
    bool ok = cbor_deterministic(encoded, CBOR_CORE, &ours, &report);
    cr_expect_eq(ok, !bad, "%s: %s: %s at %zu", path, what, cbor_flaw_text(report.valid.why),
                 report.valid.at);
    if (ok && member(test, "decoded", &decoded)) {
        cr_expect(cbor_deterministic(decoded, CBOR_CORE, &theirs, &report), "%s: %s", path, what);
        cr_expect(span_equal(buf_span(&ours), buf_span(&theirs)), "%s: %s", path, what);
    }
    buf_finish(&ours);
    buf_finish(&theirs);
}

Test(cbor, shared_vectors)
{
    static const char *const files[] = {
        "rfc8949/good",
        "rfc8949/bad",
        "rfc8949-appendixA/mt0",
        "rfc8949-appendixA/mt1",
        "rfc8949-appendixA/mt2",
        "rfc8949-appendixA/mt3",
        "rfc8949-appendixA/mt4",
        "rfc8949-appendixA/mt5",
        "rfc8949-appendixA/mt6",
        "rfc8949-appendixA/mt7-float",
        "rfc8949-appendixA/mt7-simple",
        "rfc8949-appendixA/streaming",
    };
    size_t tests_seen = 0;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char path[256];
        struct buf file = {0};
        snprintf(path, sizeof path, "vectors/cbor/%s.cbor", files[i]);
        if (!files_read_shared(path, &file))
            cr_skip_test("no shared vectors");
        struct span tests, fail;
        bool all_fail = member(buf_span(&file), "fail", &fail) && fail.at[0] == (char)0xf5;
        cr_assert(member(buf_span(&file), "tests", &tests));
        struct cbor_walk walk;
        cbor_walk_init(&walk, tests);
        while (cbor_walk_next(&walk) > CBOR_EVENT_END)
            if (walk.event == CBOR_EVENT_CLOSE && walk.depth == 1) {
                expect_vector(span_sub(tests, walk.begin, walk.at - walk.begin), all_fail, path);
                tests_seen++;
            }
        cr_expect_eq(walk.event, CBOR_EVENT_END);
        cbor_walk_finish(&walk);
        buf_finish(&file);
    }
    cr_expect_gt(tests_seen, 200, "%zu", tests_seen);
}

/* ---- properties ---- */

static struct numbers numbers = {20260528};

static unsigned random_below(unsigned n)
{
    return (unsigned)numbers_below(&numbers, n);
}

/* Random bytes, with a liking for heads that open things. */
static void make(struct buf *out)
{
    static const unsigned char liked[] = {0xa2, 0x82, 0xbf, 0x9f, 0xff, 0x61, 0x62, 0xc2,
                                          0x41, 0x7f, 0x5f, 0x18, 0xf9, 0xfa, 0xa1, 0x00,
                                          0x01, 0x20, 0xa0, 0x80, 0xc1, 0xf6};
    buf_clear(out);
    for (unsigned len = 1 + random_below(24); len > 0; len--)
        buf_byte(out, (char)(random_below(4) ? liked[random_below(COUNT_OF(liked))]
                                             : random_below(256)));
}

Test(cbor, once_is_enough_and_orders_agree)
{
    struct buf bytes = {0}, core = {0}, again = {0}, other = {0}, json = {0}, text = {0};
    size_t valid = 0;
    for (int i = 0; i < 300000; i++) {
        make(&bytes);
        struct cbor_report report;
        buf_clear(&core);
        struct span item = buf_span(&bytes);
        struct cbor_verdict why;
        size_t len = cbor_first_item(item, &why);
        if (len == 0 || !cbor_check(span_sub(item, 0, len), &report))
            continue;
        valid++;
        item = span_sub(item, 0, len);
        if (!cbor_deterministic(item, CBOR_CORE, &core, &report))
            continue; /* keys nested in keys too deep */
        cr_assert(cbor_check(buf_span(&core), &report));
        cr_assert(report.profile[CBOR_CORE].ok, "%s", hex_of(&text, item));
        for (enum cbor_profile p = CBOR_CORE; p < CBOR_DCBOR; p++) {
            buf_clear(&other);
            buf_clear(&again);
            cr_assert(cbor_deterministic(item, p, &other, &report));
            cr_assert(cbor_deterministic(buf_span(&other), CBOR_CORE, &again, &report));
            cr_assert(span_equal(buf_span(&again), buf_span(&core)), "%s", hex_of(&text, item));
        }
        buf_clear(&json);
        buf_clear(&other);
        cr_assert(cbor_to_json(item, &json, NULL));
        cr_assert(cbor_diagnostic(item, 100, &other));
        enum jsonr_fault fault;
        size_t at;
        cr_assert(jsonr_valid(buf_span(&json), &fault, &at), "%s", buf_cstr(&json));
    }
    cr_expect_gt(valid, 5000, "%zu", valid);
    buf_finish(&bytes);
    buf_finish(&core);
    buf_finish(&again);
    buf_finish(&other);
    buf_finish(&json);
    buf_finish(&text);
}

/* JSON that becomes CBOR and JSON again has the same canonical form. */
Test(cbor, json_round_trip)
{
    static const char *const texts[] = {
        "{\"a\":[1,2.5,-3,1e300,\"\xf0\x9f\x98\x80\",\"\\u0000\"],\"b\":{\"z\":null,\"y\":true},"
        "\"c\":1.0}",
        "[9007199254740991,-9007199254740991,0.1,1e-7,5e-324,123456789.125]",
    };
    struct jcs *jcs = jcs_create();
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (enum cbor_numbers n = 0; n < CBOR_NUMBERS_COUNT; n++) {
            struct buf bytes = {0}, json = {0}, want = {0}, got = {0};
            struct jcs_report report;
            cr_assert(cbor_from_json(span_of(texts[i]), n, CBOR_ORDER_AS_WRITTEN, &bytes, &report));
            cr_assert(cbor_to_json(buf_span(&bytes), &json, NULL));
            cr_assert(jcs_canonicalize(jcs, span_of(texts[i]), &want, &report));
            cr_assert(jcs_canonicalize(jcs, buf_span(&json), &got, &report));
            cr_expect(span_equal(buf_span(&want), buf_span(&got)), "%s", buf_cstr(&json));
            buf_finish(&bytes);
            buf_finish(&json);
            buf_finish(&want);
            buf_finish(&got);
        }
    jcs_destroy(jcs);
}

/* Depth beyond what is followed is said, and keys that nest in keys don't cost more than their
 * size. */
Test(cbor, hostile_shapes)
{
    struct buf bytes = {0}, out = {0};
    struct cbor_report report;
    buf_fill(&bytes, (char)0x81, CBOR_DEPTH + 1);
    buf_byte(&bytes, 0);
    cr_expect(!cbor_check(buf_span(&bytes), &report));
    cr_expect_eq(report.well_formed.why, CBOR_FLAW_TOO_DEEP);
    cr_expect_eq(report.well_formed.at, CBOR_DEPTH);
    buf_clear(&bytes);
    for (int i = 0; i < 9000; i++)
        buf_add(&bytes, SPAN("\xa2\x61"
                             "b\x00\x61"
                             "a"));
    buf_byte(&bytes, 0);
    cr_expect(cbor_deterministic(buf_span(&bytes), CBOR_CORE, &out, &report));
    cr_expect_eq(out.len, bytes.len);
    cr_expect(span_starts_with(buf_span(&out), SPAN("\xa2\x61"
                                                    "a\xa2\x61"
                                                    "a")));
    buf_clear(&bytes);
    buf_fill(&bytes, (char)0xa1, 100);
    buf_fill(&bytes, 0, 101);
    cr_expect(cbor_check(buf_span(&bytes), &report));
    bytes.at[100] = 0x18;
    buf_byte(&bytes, 0);
    cr_expect(!cbor_check(buf_span(&bytes), &report));
    cr_expect_eq(report.valid.why, CBOR_FLAW_TOO_DEEP);
    buf_finish(&bytes);
    buf_finish(&out);
}
