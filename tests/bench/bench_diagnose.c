/*
 * How long it takes to find out why a digest doesn't match: each cause on a
 * record of 4 KB with everything in it that producers differ about, then a
 * digest of something else, which takes the whole budget. Judges nothing.
 *
 *     bench_diagnose [BYTES]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/evidence/cbor.h"
#include "model/evidence/diagnose.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Short members with numbers, nulls, names and characters of all kinds; `twice`: one name is there
 * twice. */
static void make_record(struct buf *out, size_t bytes, bool twice)
{
    buf_puts(out, twice ? "{ \"dup\":1, \"dup\":2,\n" : "{ ");
    buf_puts(out,
             "\"digest\":\"d\", \"signature\":\"s\", \"\xef\xac\xb3\":1, \"\xf0\x9f\x98\x80\":2");
    for (int i = 0; out->len < bytes; i++)
        buf_addf(
            out,
            ",\n \"m%d\": {\"t\":\"caf\\u00e9 e\\u0301 </b> & \\u2028 'q' \x7f\", \"n\":[1.0,1e21,"
            "1e-7,1e-5,1e16,9007199254740993,-0.0], \"z\":null, \"a\":true}",
            i);
    buf_puts(out, " }\n");
}

/* The slowest so far, and how many weren't found in the budget. */
struct tally {
    const char *name;
    double worst;
    unsigned tried;
    size_t count, missed;
};

static void try_cause(struct tally *tally, struct span record, struct span hashed,
                      enum canonicalization declared, const char *name)
{
    struct records *records = records_create();
    size_t index = records_add(records, record, SPAN("r"), SPAN("r"));
    struct digest digest;
    struct diagnosing result;
    hasher_digest(records_hasher(records), DIGEST_SHA256, hashed, &digest, NULL);
    if (records_find(records, &digest, declared) == RECORD_NONE) { /* else it is no mistake here */
        double begin = now_ms();
        diagnose(records, index, &digest, declared, DIAGNOSE_BUDGET_MS, &result);
        double took = now_ms() - begin;
        tally->count++;
        tally->missed += !result.found;
        if (!result.found)
            printf("  not found in %d ms: %s\n", DIAGNOSE_BUDGET_MS, name);
        if (took > tally->worst) {
            tally->worst = took;
            tally->name = name;
            tally->tried = result.tried;
        }
    }
    records_destroy(records);
}

#define X(id, phrase, advice) #id,
#define D(id, values)         static const char *const names_##id[] = {values(X)};
STYLE_DIMENSIONS(D)
#undef D
#undef X
#define D(id, values) {names_##id, COUNT_OF(names_##id)},
static const struct {
    const char *const *names;
    size_t count;
} dimensions[] = {STYLE_DIMENSIONS(D)};
#undef D

static void try_style(struct tally *tally, struct span record, struct restyle *restyle,
                      const struct text_style *style, const char *end, const char *name)
{
    struct buf text = {0};
    restyle_write(restyle, style, &text);
    buf_puts(&text, end);
    try_cause(tally, record, buf_span(&text), CANON_JCS, name);
    buf_finish(&text);
}

/* Each single thing done otherwise, and what serializers do that do several at once. */
static void json_causes(struct span record, struct tally *tally)
{
    static const struct {
        const char *name;
        struct text_style style;
    } producers[] = {
#define STYLE(order, spacing, escapes, numbers)                                                    \
    {{ORDER_##order, SPACING_##spacing, escapes, numbers}}
        {"Python", STYLE(WRITTEN, PYTHON, ESCAPES_PYTHON, NUMBERS_PYTHON)},
        {"Python, sorted", STYLE(CODE_POINT, PYTHON, ESCAPES_PYTHON, NUMBERS_PYTHON)},
        {"Python, indented", STYLE(CODE_POINT, INDENT_4, ESCAPES_PYTHON, NUMBERS_PYTHON)},
        {"JavaScript", STYLE(WRITTEN, INDENT_2, ESCAPES_JCS, NUMBERS_ES)},
        {"Go", STYLE(CODE_POINT, INDENT_TAB, ESCAPES_GO, NUMBERS_GO)},
        {"PHP", STYLE(WRITTEN, NONE, ESCAPES_PHP, NUMBERS_PHP)},
        {"PHP, pretty", STYLE(WRITTEN, INDENT_4, ESCAPES_PHP, NUMBERS_PHP)},
        {"jq", STYLE(CODE_POINT, INDENT_2, ESCAPES_JQ, NUMBERS_JQ)},
        {"Gson", STYLE(WRITTEN, INDENT_2, ESCAPES_GSON, NUMBERS_JAVA)},
        {"Ruby", STYLE(WRITTEN, INDENT_2, ESCAPES_JCS, NUMBERS_RUBY)},
        {"System.Text.Json", STYLE(WRITTEN, INDENT_2, ESCAPES_DOTNET, NUMBERS_EXACT)},
        {"as written", STYLE(CODE_POINT, INDENT_TAB, ESCAPES_WRITTEN, NUMBERS_WRITTEN)},
#undef STYLE
    };
    struct restyle *restyle = restyle_create(record);
    for (size_t d = 0; d < COUNT_OF(dimensions); d++)
        for (size_t c = 0; c < dimensions[d].count; c++) {
            struct text_style style = {{0}};
            style.choice[d] = (unsigned char)c;
            try_style(tally, record, restyle, &style, "", dimensions[d].names[c]);
            try_style(tally, record, restyle, &style, "\r\n", dimensions[d].names[c]);
        }
    for (size_t i = 0; i < COUNT_OF(producers); i++) {
        struct text_style style = producers[i].style;
        if (restyle_has_duplicates(restyle)) /* they read it into a map first */
            style.choice[STYLE_DUPLICATES] = DUPLICATES_LAST;
        try_style(tally, record, restyle, &style, "", producers[i].name);
        try_style(tally, record, restyle, &style, "\n", producers[i].name);
    }
    restyle_destroy(restyle);
}

static void cbor_causes(struct span record, struct tally *tally)
{
    struct jcs_report report;
    for (enum cbor_numbers n = CBOR_NUMBERS_TOKEN; n <= CBOR_NUMBERS_DOUBLE; n++)
        for (enum cbor_order o = CBOR_ORDER_BYTEWISE; o <= CBOR_ORDER_AS_WRITTEN; o++) {
            struct buf cbor = {0};
            if (cbor_from_json(record, n, o, &cbor, &report)) {
                try_cause(tally, record, buf_span(&cbor), CANON_CBOR, "CBOR");
                try_cause(tally, record, buf_span(&cbor), CANON_JCS, "CBOR under JCS");
            }
            buf_finish(&cbor);
        }
}

static void tell(const char *what, const struct tally *tally)
{
    printf("%-14s %4zu causes, %zu not found; the slowest %5.1f ms, %u digests tried: %s\n", what,
           tally->count, tally->missed, tally->worst, tally->tried, tally->name);
}

int main(int argc, char **argv)
{
    size_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 4096;
    struct buf plain = {0}, twice = {0};
    struct tally json = {.name = ""}, duplicates = json, cbor = json, nothing = json;
    make_record(&plain, bytes, false);
    make_record(&twice, bytes, true);
    json_causes(buf_span(&plain), &json);
    tell("JSON", &json);
    json_causes(buf_span(&twice), &duplicates);
    tell("a name twice", &duplicates);
    cbor_causes(buf_span(&plain), &cbor);
    tell("CBOR", &cbor);
    try_cause(&nothing, buf_span(&plain), SPAN("something else"), CANON_JCS, "something else");
    tell("no cause", &nothing);
    buf_finish(&plain);
    buf_finish(&twice);
    return 0;
}
