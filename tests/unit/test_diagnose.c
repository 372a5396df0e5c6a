/* Digests as real producers get them wrong: each has to be explained, by exactly what was done. */
#include <criterion/criterion.h>

#include <math.h>
#include <time.h>

#include "base/jsonr.h"
#include "model/evidence/cbor.h"
#include "model/evidence/diagnose.h"
#include "model/evidence/nfc.h"
#include "tests/unit/files.h"

/* The names of all choices, as fixtures call them. */
#define X(id, phrase, advice) #id,
#define D(id, values)         static const char *const names_##id[] = {values(X)};
STYLE_DIMENSIONS(D)
#undef D
static const char *const names_form[] = {DIAGNOSIS_FORMS(X)};
static const char *const names_end[] = {DIAGNOSIS_ENDS(X)};
static const char *const names_cbor_order[] = {DIAGNOSIS_CBOR_ORDERS(X)};
static const char *const names_cbor_numbers[] = {DIAGNOSIS_CBOR_NUMBERS(X)};
static const char *const names_cbor_tag[] = {DIAGNOSIS_CBOR_TAGS(X)};
static const char *const names_hash[] = {DIAGNOSIS_HASHES(X)};
#undef X
#define D(id, values) names_##id,
static const char *const *const names_style[] = {STYLE_DIMENSIONS(D)};
#undef D

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What a diagnosis says, as a sorted JSON array of names. */
static void list_names(const struct diagnosis *d, struct buf *out)
{
    const char *names[16];
    size_t count = 0;
    bool crossed = d->form <= DIAGNOSIS_FORM_CBOR &&
                   (d->form == DIAGNOSIS_FORM_CBOR) != (d->declared == CANON_CBOR);
    if (crossed || d->form > DIAGNOSIS_FORM_CBOR)
        names[count++] = names_form[d->form];
    for (size_t i = 0; i < STYLE_DIMENSION_COUNT; i++)
        if (d->style.choice[i])
            names[count++] = names_style[i][d->style.choice[i]];
    if (d->end)
        names[count++] = names_end[d->end];
    if (d->cbor_order)
        names[count++] = names_cbor_order[d->cbor_order];
    if (d->cbor_numbers)
        names[count++] = names_cbor_numbers[d->cbor_numbers];
    if (d->cbor_tag)
        names[count++] = names_cbor_tag[d->cbor_tag];
    if (d->hash)
        names[count++] = names_hash[d->hash];
    qsort(names, count, sizeof *names, by_text);
    buf_puts(out, "[");
    for (size_t i = 0; i < count; i++)
        buf_addf(out, "%s\"%s\"", i ? ", " : "", names[i]);
    buf_puts(out, "]");
}

static struct span text_member(struct span line, const char *name)
{
    struct span value = SPAN_EMPTY, text = SPAN_EMPTY;
    cr_assert(jsonr_member(line, name, &value) && jsonr_plain_string(value, &text), "%s", name);
    return text;
}

static void expect_diagnosis(struct span line, struct buf *seen)
{
    struct records *records = records_create();
    struct buf bytes = {0}, got = {0}, said = {0};
    struct span want, id = text_member(line, "id");
    struct digest digest;
    unsigned lints;
    enum canonicalization declared;
    struct diagnosing result;
    cr_assert(base64_decode(text_member(line, "record"), &bytes));
    cr_assert_eq(digest_parse(text_member(line, "digest"), &digest, &lints), DIGEST_OK);
    cr_assert(canonicalization_find(text_member(line, "declared"), &declared, NULL));
    cr_assert(jsonr_member(line, "expect", &want));
    size_t index = records_add(records, buf_span(&bytes), SPAN("r"), SPAN("r"));
    cr_expect_eq(records_find(records, &digest, declared), RECORD_NONE, "%.*s is no mistake",
                 SPAN_ARG(id));
    diagnose(records, index, &digest, declared, 2000, &result);
    cr_expect(result.found, "%.*s: nothing found of %u", SPAN_ARG(id), result.tried);
    if (result.found) {
        list_names(&result.diagnosis, &got);
        cr_expect(span_equal(buf_span(&got), want), "%.*s: %s, not %.*s", SPAN_ARG(id),
                  buf_cstr(&got), SPAN_ARG(want));
        diagnosis_cause(&said, &result.diagnosis);
        cr_expect(span_starts_with(buf_span(&said), SPAN("matches if ")) && said.len > 15);
        buf_clear(&said);
        diagnosis_advice(&said, &result.diagnosis);
        cr_expect(span_starts_with(buf_span(&said), SPAN("the producer should ")) && said.len > 25);
        buf_add(seen, buf_span(&got));
    }
    buf_finish(&bytes);
    buf_finish(&got);
    buf_finish(&said);
    records_destroy(records);
}

static void expect_seen(struct buf *seen, const char *const *names, size_t count, size_t first)
{
    for (size_t i = first; i < count; i++)
        cr_expect(strstr(buf_cstr(seen), names[i]), "no producer does %s", names[i]);
}

Test(diagnose, producers)
{
    struct buf path = {0}, file = {0}, seen = {0};
    cr_assert(files_read(files_project("tests/fixtures/evidence/producers.jsonl", &path), &file));
    size_t count = 0;
    for (struct span rest = buf_span(&file); rest.len; count++) {
        size_t end = span_find_byte(rest, '\n');
        expect_diagnosis(span_sub(rest, 0, end), &seen);
        rest = span_sub(rest, end + 1, rest.len);
    }
    cr_expect_gt(count, 60);
    /* Every choice that can be named is one that a producer makes. */
    expect_seen(&seen, names_form, COUNT_OF(names_form), 2);
    expect_seen(&seen, names_end, COUNT_OF(names_end), 1);
    expect_seen(&seen, names_cbor_order, COUNT_OF(names_cbor_order), 1);
    expect_seen(&seen, names_cbor_numbers, COUNT_OF(names_cbor_numbers), 1);
    expect_seen(&seen, names_cbor_tag, COUNT_OF(names_cbor_tag), 1);
    expect_seen(&seen, names_hash, COUNT_OF(names_hash), 1);
#define D(id, values) expect_seen(&seen, names_##id, COUNT_OF(names_##id), 1);
    STYLE_DIMENSIONS(D)
#undef D
    buf_finish(&path);
    buf_finish(&file);
    buf_finish(&seen);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A digest of something else is not explained, and the search for it ends in time. */
Test(diagnose, nothing_to_find)
{
    struct records *records = records_create();
    struct buf text = {0};
    buf_puts(&text, "{\"digest\":1,\"sig\":null,\"\\ud83d\\ude00\":1,\"\\ufb33\":[1.0,1e21,1e-7,"
                    "9007199254740993],\"t\":\"");
    for (int i = 0; i < 60; i++)
        buf_puts(&text,
                 "caf\\u00e9 e\\u0301 <b>/x & 'y' \\u2028 \x7f lorem ipsum dolor sit amet, ");
    buf_puts(&text, "\"}");
    size_t index = records_add(records, buf_span(&text), SPAN("r"), SPAN("r"));
    struct digest wanted = {.algorithm = DIGEST_SHA256, .len = 32};
    struct diagnosing result;
    double begin = now();
    diagnose(records, index, &wanted, CANON_JCS, DIAGNOSE_BUDGET_MS, &result);
    double took = now() - begin;
    cr_expect(!result.found);
    cr_expect_gt(result.tried, 20);
    cr_expect_lt(took, 0.5, "%.3f s", took);

    static const char *const odd[] = {"",           "{",           "[[[[", "\xff\xfe",
                                      "{\"a\":1}x", "\"\\ud800\"", "1e999"};
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        index = records_add(records, span_of(odd[i]), SPAN("o"), SPAN("o"));
        for (enum canonicalization c = 0; c < CANON_COUNT; c++) {
            diagnose(records, index, &wanted, c, 50, &result);
            cr_expect(!result.found);
        }
    }
    buf_clear(&text);
    buf_fill(&text, '[', 5000);
    buf_fill(&text, ']', 5000);
    index = records_add(records, buf_span(&text), SPAN("d"), SPAN("d"));
    diagnose(records, index, &wanted, CANON_JCS, 50, &result);
    cr_expect(!result.found);
    buf_finish(&text);
    records_destroy(records);
}

/* Usual causes come before all that could be put together: a large record leaves room for no more.
 */
Test(diagnose, usual_causes_first)
{
    struct records *records = records_create();
    struct buf text = {0}, cbor = {0};
    struct jcs_report report;
    struct digest wanted;
    struct diagnosing result;
    buf_puts(&text,
             "{\"digest\":1,\"sig\":null,\"\\ud83d\\ude00\":1,\"\\ufb33\":[1.0,1e21,1e-7,-0.0,"
             "9007199254740993],\"t\":\"caf\\u00e9 e\\u0301 <b>/x & 'y' \\u2028 \x7f\"}\n");
    size_t index = records_add(records, buf_span(&text), SPAN("r"), SPAN("r"));
    cr_assert(cbor_from_json(buf_span(&text), CBOR_NUMBERS_DOUBLE, CBOR_ORDER_AS_WRITTEN, &cbor,
                             &report));
    hasher_digest(records_hasher(records), DIGEST_SHA256, buf_span(&cbor), &wanted, NULL);
    diagnose(records, index, &wanted, CANON_JCS, 10000, &result);
    cr_expect(result.found && result.tried < 2000, "%u", result.tried);
    cr_expect_eq(result.diagnosis.form, DIAGNOSIS_FORM_CBOR);
    buf_finish(&text);
    buf_finish(&cbor);
    records_destroy(records);
}

Test(diagnose, explained_in_one_line)
{
    static const struct {
        const char *hashed, *line;
    } cases[] = {
        {"{\"b\": 1, \"a\": 2}",
         "matches if members keep the order they were written in, a space follows ',' and ':'"},
        {"{\"a\":2,\"b\":1}\n",
         "matches if a newline is hashed with it; the producer should hash no"},
        {"{\"a\":3}", "no usual way of writing this record gives that digest"},
    };
    struct records *records = records_create();
    size_t index = records_add(records, SPAN("{\"b\":1 ,\"a\":2}"), SPAN("r"), SPAN("r"));
    struct evidence_options options = {.offered = index};
    struct arena arena = {0};
    struct buf ref = {0}, line = {0};
    unsigned budget = 5000;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct digest digest;
        struct evidence_ref read;
        struct evidence_result result;
        hasher_digest(records_hasher(records), DIGEST_SHA256, span_of(cases[i].hashed), &digest,
                      NULL);
        buf_clear(&ref);
        buf_puts(&ref, "{\"type\":\"t\",\"canonicalization\":\"jcs/rfc8785\",\"digest\":\"");
        digest_write(&ref, &digest);
        buf_puts(&ref, "\"}");
        evidence_ref_read(buf_span(&ref), &arena, &read);
        evidence_verify(&read, records, &options, &result);
        cr_expect_eq(result.verdict, EVIDENCE_DIGEST_MISMATCH);
        buf_clear(&line);
        struct diagnosing diagnosing;
        bool diagnosed = evidence_diagnose(&result, records, &budget, &diagnosing);
        evidence_explain(&line, &result, diagnosed ? &diagnosing : NULL);
        cr_expect(strstr(buf_cstr(&line), cases[i].line), "%s", buf_cstr(&line));
    }
    cr_expect_leq(budget, 5000);
    arena_finish(&arena);
    buf_finish(&ref);
    buf_finish(&line);
    records_destroy(records);
}

Test(diagnose, numbers_of_languages)
{
    static const struct {
        double value;
        const char *python, *rust, *java, *ruby, *php, *jq;
    } cases[] = {
        {1.0, "1.0", "1.0", "1.0", "1.0", "1", "1"},
        {0.0001, "0.0001", "0.0001", "1.0E-4", "0.0001", "0.0001", "0.0001"},
        {0.00001, "1e-05", "0.00001", "1.0E-5", "1.0e-05", "1.0e-5", "1e-05"},
        {1e16, "1e+16", "1e16", "1.0E16", "1.0e+16", "10000000000000000", "1e+16"},
        {1e15, "1000000000000000.0", "1000000000000000.0", "1.0E15", "1000000000000000.0",
         "1000000000000000", "1000000000000000"},
        {1e17, "1e+17", "1e17", "1.0E17", "1.0e+17", "1.0e+17", "1e+17"},
        {1.5e300, "1.5e+300", "1.5e300", "1.5E300", "1.5e+300", "1.5e+300", "1.5e+300"},
        {-0.0, "-0.0", "-0.0", "-0.0", "-0.0", "-0", "-0"},
        {123.456, "123.456", "123.456", "123.456", "123.456", "123.456", "123.456"},
        {1e7, "10000000.0", "10000000.0", "1.0E7", "10000000.0", "10000000", "10000000"},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *want[] = {cases[i].python, cases[i].rust, cases[i].java,
                              cases[i].ruby,   cases[i].php,  cases[i].jq};
        static const enum style_numbers languages[] = {NUMBERS_PYTHON, NUMBERS_RUST, NUMBERS_JAVA,
                                                       NUMBERS_RUBY,   NUMBERS_PHP,  NUMBERS_JQ};
        for (size_t l = 0; l < COUNT_OF(languages); l++) {
            buf_clear(&out);
            restyle_number(languages[l], cases[i].value, &out);
            cr_expect_str_eq(buf_cstr(&out), want[l]);
        }
    }
    buf_finish(&out);
}

Test(diagnose, nfc)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"plain", "plain"},
        {"e\xcc\x81", "\xc3\xa9"},
        {"\xe2\x84\xab", "\xc3\x85"},                                  /* Angstrom sign */
        {"\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", "\xea\xb0\x81"},      /* Hangul */
        {"a\xcc\xa7\xcc\x81\xcc\xa3", "\xe1\xba\xa1\xcc\xa7\xcc\x81"}, /* reordered by class */
        {"\xcc\x81", "\xcc\x81"},
        {"a\xcc\x85\xcc\x81", "a\xcc\x85\xcc\x81"},   /* blocked by its like */
        {"\xe0\xa5\x98", "\xe0\xa4\x95\xe0\xa4\xbc"}, /* a composition exclusion */
        {"a\xcc\x81\xcc\x81", "\xc3\xa1\xcc\x81"},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        buf_clear(&out);
        nfc_normalize(span_of(cases[i].text), &out);
        cr_expect_str_eq(buf_cstr(&out), cases[i].want, "%zu", i);
    }
    buf_finish(&out);
}
