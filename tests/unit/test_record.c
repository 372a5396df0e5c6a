/* Records held: found by digest under every canonicalization, named, kept when they can't be
 * hashed. */
#include <criterion/criterion.h>

#include <time.h>

#include "model/evidence/record.h"

Test(record, forms_and_faults)
{
    const struct {
        struct span bytes;
        enum record_form form;
        bool hashable;
        size_t why_at;
    } cases[] = {
        {SPAN("{\"a\":1}"), RECORD_JSON, true, 0},
        {SPAN(" 12 "), RECORD_JSON, true, 0},
        {SPAN("{\"a\":1,\"a\":2}"), RECORD_JSON, false, 7},
        {SPAN("{\"a\":"), RECORD_JSON, false, 5},
        {SPAN(""), RECORD_JSON, false, 0},
        {SPAN("\xef\xbb\xbf{}"), RECORD_JSON, false, 0},
        {SPAN("\xa1\x61\x61\x01"), RECORD_CBOR, true, 0},
        {SPAN("\x63"
              "abc"),
         RECORD_CBOR, true, 0},
        {SPAN("\xa1\x61\x61"), RECORD_CBOR, false, 3},
        {SPAN("\xd2\x84\x43\xa1\x01\x26\xa0\x41\x00\x41\x00"), RECORD_CBOR, true,
         0}, /* COSE_Sign1 */
    };
    struct records *records = records_create();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        size_t index = records_add(records, cases[i].bytes, SPAN("n"), SPAN("o"));
        const struct held_record *record = records_at(records, index);
        cr_expect_eq(index, i);
        cr_expect_eq(record->form, cases[i].form, "%zu", i);
        cr_expect_eq(record->hashable, cases[i].hashable, "%zu: %s", i, record->why);
        cr_expect_eq(record->why_at, cases[i].why_at, "%zu: %zu", i, record->why_at);
        cr_expect_eq(*record->why == '\0', cases[i].hashable);
        cr_expect_eq(records_add(records, cases[i].bytes, SPAN("n"), SPAN("p")), i, "kept once");
    }
    records_destroy(records);
}

Test(record, canonicalization_names)
{
    static const struct {
        const char *name;
        bool known, alias;
        enum canonicalization canon;
    } cases[] = {
        {"jcs/rfc8785", true, false, CANON_JCS},
        {"cbor/rfc8949", true, false, CANON_CBOR},
        {"JCS", true, true, CANON_JCS},
        {"jcs-json-v1", true, true, CANON_JCS},
        {"cbor-deterministic-v1", true, true, CANON_CBOR},
        {"dcbor", true, true, CANON_CBOR},
        {"cbor/rfc8949-4.2.3", true, true, CANON_CBOR},
        {"Cbor/RFC8949", true, true, CANON_CBOR},
        {"", false, true, 0},
        {"protobuf", false, true, 0},
        {"jcs/rfc8785 ", false, true, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        enum canonicalization canon = 0;
        bool alias;
        cr_expect_eq(canonicalization_find(span_of(cases[i].name), &canon, &alias), cases[i].known,
                     "%s", cases[i].name);
        if (cases[i].known)
            cr_expect(canon == cases[i].canon && alias == cases[i].alias, "%s", cases[i].name);
    }
}

Test(record, names)
{
    struct records *records = records_create();
    records_add(records, SPAN("1"), SPAN("store/a.json"), SPAN_EMPTY);
    records_add(records, SPAN("2"), SPAN("other/a.json"), SPAN_EMPTY);
    records_add(records, SPAN("3"), SPAN("audit://d/2026/0001"), SPAN_EMPTY);
    records_add(records, SPAN("4"), SPAN("a"), SPAN_EMPTY);
    cr_expect_eq(records_add_lines(records, SPAN("5\n\n  {\"x\":1}\r\nbroken"), SPAN("r.jsonl")),
                 3);
    static const struct {
        const char *ref;
        size_t index;
    } cases[] = {
        {"store/a.json", 0},
        {"other/a.json", 1},
        {"other/a", 1},
        {"a.json", 0},
        {"a", 3},
        {"audit://d/2026/0001", 2},
        {"2026/0001", 2},
        {"0001", 2},
        {"001", RECORD_NONE},
        {"026/0001", RECORD_NONE},
        {"", RECORD_NONE},
        {"/", RECORD_NONE},
        {"r.jsonl:3", 5},
        {"x/store/a.json", RECORD_NONE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_eq(records_named(records, span_of(cases[i].ref)), cases[i].index, "%s",
                     cases[i].ref);
    cr_expect(span_is(records_at(records, 5)->bytes, "{\"x\":1}"));
    cr_expect(!records_at(records, 6)->hashable);
    records_destroy(records);
}

Test(record, thousands_are_found_quickly)
{
    enum { COUNT = 20000 };
    struct records *records = records_create();
    struct buf text = {0};
    struct timespec from, to;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int i = 0; i < COUNT; i++) {
        buf_clear(&text);
        buf_addf(&text, "{\"n\": %d, \"class\": \"confidential\"}", i);
        records_add(records, buf_span(&text), SPAN("same"), SPAN_EMPTY);
    }
    struct digest digest;
    for (size_t i = 0; i < COUNT; i += 7)
        for (enum canonicalization c = 0; c < CANON_COUNT; c++) {
            cr_assert(records_digest(records, i, c, DIGEST_SHA256, &digest));
            cr_assert_eq(records_find(records, &digest, c), i);
            cr_assert_eq(records_find(records, &digest, c == CANON_JCS ? CANON_CBOR : CANON_JCS),
                         RECORD_NONE);
        }
    /* One more, after the index was made. */
    size_t last = records_add(records, SPAN("{\"z\":0}"), SPAN("z"), SPAN_EMPTY);
    records_digest(records, last, CANON_JCS, DIGEST_SHA256, &digest);
    cr_expect_eq(records_find(records, &digest, CANON_JCS), last);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    cr_expect_lt(to.tv_sec - from.tv_sec, 10);
    buf_finish(&text);
    records_destroy(records);
}

Test(record, cbor_under_jcs)
{
    struct records *records = records_create();
    struct buf out = {0};
    size_t plain = records_add(records,
                               SPAN("\xa2\x61"
                                    "b\x01\x61"
                                    "a\xf9\x3e\x00"),
                               SPAN_EMPTY, SPAN_EMPTY);
    size_t bytes = records_add(records, SPAN("\x41\x00"), SPAN_EMPTY, SPAN_EMPTY);
    cr_expect(records_canonical(records, plain, CANON_JCS, &out));
    cr_expect_str_eq(buf_cstr(&out), "{\"a\":1.5,\"b\":1}");
    cr_expect(!records_at(records, plain)->deterministic);
    cr_expect(!records_canonical(records, bytes, CANON_JCS, &out), "JSON has no byte strings");
    cr_expect(records_canonical(records, bytes, CANON_CBOR, &out));
    buf_finish(&out);
    records_destroy(records);
}
