/* RFC 8785: published vectors, what must be refused, order, and properties on made-up records. */
#include <criterion/criterion.h>

#include <dirent.h>
#include <math.h>
#include <time.h>

#include "model/evidence/digest.h"
#include "model/evidence/jcs.h"
#include "model/evidence/number.h"
#include "tests/unit/files.h"
#include "tests/unit/numbers.h"

static bool canonical(struct span text, struct buf *out, struct jcs_report *report)
{
    struct jcs *jcs = jcs_create();
    bool ok = jcs_canonicalize(jcs, text, out, report);
    jcs_destroy(jcs);
    return ok;
}

static void expect(struct span text, struct span want, const char *what)
{
    struct buf out = {0};
    struct jcs_report report;
    cr_expect(canonical(text, &out, &report), "%s: %s at %zu", what, report.why, report.at);
    cr_expect(span_equal(buf_span(&out), want), "%s gives %s", what, buf_cstr(&out));
    buf_finish(&out);
}

Test(jcs, canonical_form)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"{}", "{}"},
        {" [ ] ", "[]"},
        {"\n{\"b\" : 1 , \"a\" : [ 1.0 , 2e0 , -0.0 , 1E21, 1e-7 ] }",
         "{\"a\":[1,2,0,1e+21,1e-7],\"b\":1}"},
        {"\"\\u0041\\/\\u00e9\\u20ac\\ud83d\\ude02\\u007f\"", "\"A/é€😂\x7f\""},
        {"\"\\u0000\\u0008\\u0009\\u000A\\u000b\\u000C\\u000d\\u001F\\u0022\\u005C\"",
         "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\\""},
        {"{\"\\u000a\":1,\"\\u0001\":2,\"\":3,\" \":4}",
         "{\"\":3,\"\\u0001\":2,\"\\n\":1,\" \":4}"},
        /* '"' is 22 and '\' is 5c, whatever their escapes look like. */
        {"{\"\\\\\":1,\"\\\"\":2,\"[\":3,\"!\":4,\"#\":5}",
         "{\"!\":4,\"\\\"\":2,\"#\":5,\"[\":3,\"\\\\\":1}"},
        /* U+FB33 is after U+1F600 in UTF-16, before it by code point. */
        {"{\"\xef\xac\xb3\":1,\"\xf0\x9f\x98\x80\":2,\"\xed\x9f\xbf\":3,\"\xee\x80\x80\":4}",
         "{\"\xed\x9f\xbf\":3,\"\xf0\x9f\x98\x80\":2,\"\xee\x80\x80\":4,\"\xef\xac\xb3\":1}"},
        /* … and so are U+FFFD and U+E000 after the very last planes. */
        {"{\"\xef\xbf\xbd\":1,\"\xee\x80\x80\":2,\"\xf4\x8f\xbf\xbf\":3,\"\xf3\xb0\x80\x80\":4}",
         "{\"\xf3\xb0\x80\x80\":4,\"\xf4\x8f\xbf\xbf\":3,\"\xee\x80\x80\":2,\"\xef\xbf\xbd\":1}"},
        {"{\"aa\":1,\"a\":2,\"a\\u0000\":3}", "{\"a\":2,\"a\\u0000\":3,\"aa\":1}"},
        {"{\"b\":{\"d\":1,\"c\":{\"f\":1,\"e\":2}},\"a\":[{\"y\":1,\"x\":2},{\"z\":{\"2\":1,\"1\":"
         "2},\"k\":0}]}",
         "{\"a\":[{\"x\":2,\"y\":1},{\"k\":0,\"z\":{\"1\":2,\"2\":1}}],\"b\":{\"c\":{\"e\":2,\"f\":"
         "1},\"d\":1}}"},
        {"{\"a\":{\"d\":1,\"c\":2},\"b\":{\"f\":1,\"e\":2}}",
         "{\"a\":{\"c\":2,\"d\":1},\"b\":{\"e\":2,\"f\":1}}"},
        {"true", "true"},
        {"9007199254740993", "9007199254740992"},
        {"123456789012345", "123456789012345"},
        {"[\":\",\"[\",\"{\",1,\",\"]", "[\":\",\"[\",\"{\",1,\",\"]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(span_of(cases[i].text), span_of(cases[i].want), cases[i].text);
}

Test(jcs, refused_with_place_and_reason)
{
    static const struct {
        const char *text;
        enum jsonr_fault fault;
        size_t at;
    } cases[] = {
        {"{\"a\":1,\"b\":2,\"a\":3}", JSONR_DUPLICATE, 13},
        {"{\"a\":1,\"\\u0061\":2}", JSONR_DUPLICATE, 7},
        {"{\"b\":1,\"c\":{\"z\":0,\"k\":1,\"z\":2},\"a\":3}", JSONR_DUPLICATE, 24},
        {"[1e400]", JSONR_OK, 1},
        {"[-1e309]", JSONR_OK, 1},
        {"\"\\ud800\"", JSONR_LONE_SURROGATE, 1},
        {"{\"a\":1}x", JSONR_TRAILING, 7},
        {"{\"a\":1", JSONR_CUT, 6},
        {"", JSONR_EMPTY, 0},
        {"[1,]", JSONR_SYNTAX, 3},
        {"\"a\tb\"", JSONR_RAW_CONTROL, 2},
        {"\"\xff\"", JSONR_BAD_UTF8, 1},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct jcs_report report;
        buf_clear(&out);
        buf_puts(&out, "kept");
        cr_expect(!canonical(span_of(cases[i].text), &out, &report), "%s", cases[i].text);
        cr_expect_eq(report.fault, cases[i].fault, "%s: %s", cases[i].text, report.why);
        cr_expect_eq(report.at, cases[i].at, "%s: %s at %zu", cases[i].text, report.why, report.at);
        cr_expect(*report.why);
        cr_expect_str_eq(buf_cstr(&out), "kept");
        struct err err;
        cr_expect(!jcs_fail(&report, "r.json", &err));
        cr_expect_eq(err.kind, ERR_INPUT);
    }
    buf_finish(&out);
}

Test(jcs, notes)
{
    static const struct {
        const char *text;
        enum jcs_note note;
        size_t count, first;
    } cases[] = {
        {"[1,9007199254740993]", JCS_NOTE_BIG_INTEGER, 1, 3},
        {"[9007199254740992,9007199254740991,1e300,123456789012345678901234567890]",
         JCS_NOTE_BIG_INTEGER, 2, 1},
        {"[1e-400]", JCS_NOTE_UNDERFLOW, 1, 1},
        {"[0,-0,-0.0]", JCS_NOTE_NEGATIVE_ZERO, 2, 3},
        {"[1.0,1,1e2]", JCS_NOTE_NUMBER_FORM, 2, 1},
        {"[\"\\/\",\"\\n\"]", JCS_NOTE_ESCAPES, 1, 1},
        {"[{\"b\":1,\"a\":2},{\"a\":1,\"b\":2}]", JCS_NOTE_NAME_ORDER, 1, 1},
        {"[0,{\"\xef\xac\xb3\":1,\"\xf0\x9f\x98\x80\":2}]", JCS_NOTE_ASTRAL_NAMES, 1, 3},
        {"{\"a\":[1,\"x\"]}", JCS_NOTE_NUMBER_FORM, 0, 0},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct jcs_report report;
        canonical(span_of(cases[i].text), &out, &report);
        cr_expect_eq(report.note[cases[i].note].count, cases[i].count, "%s: %zu", cases[i].text,
                     report.note[cases[i].note].count);
        cr_expect_eq(report.note[cases[i].note].first, cases[i].first, "%s: %zu", cases[i].text,
                     report.note[cases[i].note].first);
    }
    buf_finish(&out);
}

/* A string member of a line of the vectors, decoded from base64. */
static bool base64_member(struct span line, const char *name, struct buf *out)
{
    struct span value, text;
    buf_clear(out);
    return jsonr_member(line, name, &value) && jsonr_plain_string(value, &text) &&
           (text.len == 0 || base64_decode(text, out));
}

static struct span next_line(struct span *rest)
{
    size_t end = span_find_byte(*rest, '\n');
    struct span line = span_sub(*rest, 0, end);
    *rest = span_sub(*rest, end + 1, rest->len);
    return line;
}

Test(jcs, vectors_of_node)
{
    struct buf file = {0}, input = {0}, want = {0}, out = {0};
    if (!files_read_shared("vectors/jcs/jcs_accept_node.jsonl", &file))
        cr_skip_test("no shared vectors");
    size_t accepted = 0, refused = 0;
    struct jcs_report report;
    for (struct span rest = buf_span(&file); rest.len; accepted++) {
        struct span line = next_line(&rest);
        cr_assert(base64_member(line, "input_b64", &input) &&
                  base64_member(line, "jcs_b64", &want));
        expect(buf_span(&input), buf_span(&want), buf_cstr(&input));
    }
    buf_clear(&file);
    cr_assert(files_read_shared("vectors/jcs/jcs_reject.jsonl", &file));
    for (struct span rest = buf_span(&file); rest.len; refused++) {
        struct span line = next_line(&rest);
        cr_assert(base64_member(line, "input_b64", &input));
        cr_expect(!canonical(buf_span(&input), &out, &report), "%.*s", SPAN_ARG(line));
    }
    cr_expect_eq(accepted, 57);
    cr_expect_eq(refused, 41);
    buf_finish(&file);
    buf_finish(&input);
    buf_finish(&want);
    buf_finish(&out);
}

Test(jcs, vectors_of_cyberphone_and_erdtman)
{
    static const char *const names[] = {"arrays",  "french", "structures",
                                        "unicode", "values", "weird"};
    static const char *const folders[] = {"cyberphone", "erdtman-js"};
    struct buf input = {0}, want = {0}, hex = {0}, bytes = {0};
    for (size_t f = 0; f < COUNT_OF(folders); f++)
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            char path[256];
            buf_clear(&input);
            buf_clear(&want);
            snprintf(path, sizeof path, "vectors/jcs/%s/input/%s.json", folders[f], names[i]);
            if (!files_read_shared(path, &input))
                cr_skip_test("no shared vectors");
            snprintf(path, sizeof path, "vectors/jcs/%s/output/%s.json", folders[f], names[i]);
            cr_assert(files_read_shared(path, &want));
            expect(buf_span(&input), span_trim(buf_span(&want)), path);
        }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[256];
        buf_clear(&input);
        buf_clear(&want);
        buf_clear(&hex);
        buf_clear(&bytes);
        snprintf(path, sizeof path, "vectors/jcs/cyberphone/outhex/%s.txt", names[i]);
        cr_assert(files_read_shared(path, &hex));
        for (size_t k = 0; k < hex.len; k++)
            if (hex.at[k] > ' ')
                buf_byte(&want, hex.at[k]);
        cr_assert(hex_decode(buf_span(&want), &bytes));
        snprintf(path, sizeof path, "vectors/jcs/cyberphone/input/%s.json", names[i]);
        cr_assert(files_read_shared(path, &input));
        expect(buf_span(&input), buf_span(&bytes), path);
    }
    buf_finish(&input);
    buf_finish(&want);
    buf_finish(&hex);
    buf_finish(&bytes);
}

/* JSONTestSuite: what must be refused is, and what must be accepted is, but for what RFC 8785
 * refuses beyond JSON: these files hold duplicate names. */
Test(jcs, json_test_suite)
{
    static const char *const beyond_json[] = {"y_object_duplicated_key.json",
                                              "y_object_duplicated_key_and_value.json"};
    static const char suite[] = "vectors/json/JSONTestSuite/test_parsing";
    struct buf path = {0}, file = {0}, out = {0};
    DIR *dir = opendir(files_shared(suite, &path));
    if (!dir) {
        buf_finish(&path);
        cr_skip_test("no shared vectors");
    }
    size_t seen = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct jcs_report report;
        if (entry->d_name[0] != 'y' && entry->d_name[0] != 'n')
            continue;
        files_shared(suite, &path);
        buf_addf(&path, "/%s", entry->d_name);
        buf_clear(&file);
        buf_clear(&out);
        cr_assert(files_read(buf_cstr(&path), &file));
        bool want = entry->d_name[0] == 'y';
        for (size_t i = 0; i < COUNT_OF(beyond_json); i++)
            if (strcmp(entry->d_name, beyond_json[i]) == 0)
                want = false;
        cr_expect_eq(canonical(buf_span(&file), &out, &report), want, "%s: %s", entry->d_name,
                     report.why);
        seen++;
    }
    cr_expect_gt(seen, 250);
    closedir(dir);
    buf_finish(&path);
    buf_finish(&file);
    buf_finish(&out);
}

/* ---- properties ---- */

static struct numbers numbers = {20260528};

static unsigned random_below(unsigned n)
{
    return (unsigned)numbers_below(&numbers, n);
}

static const char *const atoms[] = {"0",     "-1",          "1.5", "true", "null",
                                    "\"x\"", "\"\\u00e9\"", "1e3", "[]",   "{}"};
static const char *const names[] = {
    "\"a\"",   "\"b\"", "\"\\u0063\"", "\"\xf0\x9f\x98\x80\"", "\"\xef\xac\xb3\"", "\"aa\"",
    "\"\\n\"", "\"\"",  "\"Z\""};

/* A random value, its members in the order of `seed`: the same structure for every seed. */
static void make(struct buf *out, unsigned depth, unsigned seed)
{
    unsigned kind = random_below(depth ? 4 : 2);
    if (kind < 2) {
        buf_puts(out, atoms[random_below(COUNT_OF(atoms))]);
        return;
    }
    unsigned count = random_below(kind == 2 ? 4 : COUNT_OF(names) + 1);
    struct buf part[COUNT_OF(names) + 1] = {0};
    for (unsigned i = 0; i < count; i++)
        make(&part[i], depth - 1, seed);
    buf_puts(out, kind == 2 ? "[" : "{");
    for (unsigned i = 0; i < count; i++) {
        unsigned which = kind == 2 ? i : (i + seed) % count;
        buf_puts(out, i ? seed % 2 ? " , " : "," : "");
        if (kind == 3)
            buf_addf(out, "%s:", names[which]);
        buf_add(out, buf_span(&part[which]));
    }
    buf_puts(out, kind == 2 ? "]" : "}");
    for (unsigned i = 0; i < count; i++)
        buf_finish(&part[i]);
}

Test(jcs, order_does_not_matter_and_once_is_enough)
{
    struct buf text = {0}, first = {0}, out = {0}, again = {0};
    struct jcs_report report;
    struct jcs *jcs = jcs_create();
    for (int i = 0; i < 3000; i++) {
        struct numbers begin = numbers;
        for (unsigned seed = 0; seed < 3; seed++) {
            numbers = begin;
            buf_clear(&text);
            buf_clear(&out);
            buf_clear(&again);
            make(&text, 5, seed);
            cr_assert(jcs_canonicalize(jcs, buf_span(&text), &out, &report), "%s: %s",
                      buf_cstr(&text), report.why);
            if (seed == 0) {
                buf_clear(&first);
                buf_add(&first, buf_span(&out));
            }
            cr_assert(span_equal(buf_span(&first), buf_span(&out)), "%s\n%s\n%s", buf_cstr(&text),
                      buf_cstr(&first), buf_cstr(&out));
            cr_assert(jcs_canonicalize(jcs, buf_span(&out), &again, &report));
            cr_assert(span_equal(buf_span(&again), buf_span(&out)));
            for (size_t n = 0; n < JCS_NOTE_ASTRAL_NAMES; n++)
                cr_assert_eq(report.note[n].count, 0, "%s: %s", buf_cstr(&out),
                             jcs_note_text((enum jcs_note)n));
        }
    }
    jcs_destroy(jcs);
    buf_finish(&text);
    buf_finish(&first);
    buf_finish(&out);
    buf_finish(&again);
}

/* A number is copied where it is canonical already: that shortcut against the long way, over tokens
 * of all lengths around the 15 digits and the 1e-6 that decide. */
Test(jcs, numbers_copied_or_written_anew)
{
    struct jcs *jcs = jcs_create();
    struct buf token = {0}, out = {0};
    struct jcs_report report;
    size_t copied = 0;
    for (int i = 0; i < 200000; i++) {
        double value;
        char want[NUMBER_TEXT];
        buf_clear(&token);
        buf_clear(&out);
        double drawn = ldexp(random_below(1u << 30), -(int)random_below(60));
        int digits = 1 + (int)random_below(17);
        buf_puts(&token, random_below(2) ? "-" : "");
        if (random_below(2))
            buf_addf(&token, "%.*f", digits, random_below(3) ? drawn : drawn * 1e-8);
        else
            buf_addf(&token, "%.*g", digits, drawn);
        if (random_below(4) == 0 && span_find_byte(buf_span(&token), 'e') == token.len)
            buf_puts(&token, span_find_byte(buf_span(&token), '.') == token.len ? ".50" : "0");
        cr_assert_leq(number_from_text(buf_span(&token), &value), NUMBER_UNDERFLOW);
        size_t len = number_to_text(value, want);
        cr_assert(jcs_canonicalize(jcs, buf_span(&token), &out, &report));
        cr_assert(span_equal(buf_span(&out), (struct span){want, len}), "%s gives %s",
                  buf_cstr(&token), buf_cstr(&out));
        bool same = span_equal(buf_span(&out), buf_span(&token));
        cr_assert_eq(report.note[JCS_NOTE_NUMBER_FORM].count, !same, "%s", buf_cstr(&token));
        copied += same;
    }
    cr_expect(copied > 20000 && copied < 180000, "%zu", copied);
    jcs_destroy(jcs);
    buf_finish(&token);
    buf_finish(&out);
}

/* What explain says can be checked: each changed piece, canonicalized alone, is what stands at the
 * place it names; what it doesn't name is there byte for byte. */
Test(jcs, explain)
{
    struct jcs *jcs = jcs_create();
    struct buf text = {0}, out = {0}, plain = {0}, piece = {0};
    struct jcs_changes changes = {0};
    struct jcs_report report;
    for (int i = 0; i < 1000; i++) {
        buf_clear(&text);
        buf_clear(&out);
        buf_clear(&plain);
        make(&text, 4, 1);
        cr_assert(jcs_explain(jcs, buf_span(&text), &out, &report, &changes));
        cr_assert(jcs_canonicalize(jcs, buf_span(&text), &plain, &report));
        cr_assert(span_equal(buf_span(&plain), buf_span(&out)));
        size_t removed = 0;
        for (size_t c = 0; c < changes.count; c++) {
            struct jcs_change *ch = &changes.at[c];
            cr_assert(ch->in + ch->in_len <= text.len && ch->out + ch->out_len <= out.len);
            struct span in = span_sub(buf_span(&text), ch->in, ch->in_len);
            struct span to = span_sub(buf_span(&out), ch->out, ch->out_len);
            removed += ch->in_len - ch->out_len;
            buf_clear(&piece);
            if (ch->kind == JCS_SPACE) {
                cr_assert(span_is_empty(span_trim(in)) && ch->out_len == 0);
                continue;
            }
            bool member = ch->kind == JCS_MOVED;
            if (member) {
                buf_puts(&piece, "{");
                removed -= ch->in_len - ch->out_len;
            }
            buf_add(&piece, in);
            buf_puts(&piece, member ? "}" : "");
            buf_clear(&plain);
            cr_assert(jcs_canonicalize(jcs, buf_span(&piece), &plain, &report), "%s",
                      buf_cstr(&piece));
            cr_assert(span_equal(span_sub(buf_span(&plain), member, plain.len - 2 * member), to),
                      "%s\n%s\n%s", buf_cstr(&text), buf_cstr(&out), buf_cstr(&piece));
        }
        cr_assert_eq(text.len - removed, out.len, "%s\n%s", buf_cstr(&text), buf_cstr(&out));
    }
    jcs_changes_finish(&changes);
    jcs_destroy(jcs);
    buf_finish(&text);
    buf_finish(&out);
    buf_finish(&plain);
    buf_finish(&piece);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Deep, unsorted at every level, and wide: time must stay in proportion. */
Test(jcs, hostile_shapes)
{
    struct jcs *jcs = jcs_create();
    struct buf text = {0}, out = {0};
    struct jcs_report report;
    enum { DEEP = 90000, WIDE = 200000 };
    for (int i = 0; i < DEEP; i++)
        buf_puts(&text, "{\"b\":0,\"a\":");
    buf_puts(&text, "1");
    buf_fill(&text, '}', DEEP);
    double begin = now();
    cr_expect(jcs_canonicalize(jcs, buf_span(&text), &out, &report), "%s", report.why);
    cr_expect(span_starts_with(buf_span(&out), SPAN("{\"a\":{\"a\":{\"a\":")));
    cr_expect(span_ends_with(buf_span(&out), SPAN(",\"b\":0},\"b\":0}")));
    cr_expect_eq(out.len, text.len);
    buf_clear(&text);
    buf_clear(&out);
    buf_puts(&text, "{");
    for (int i = WIDE; i > 0; i--)
        buf_addf(&text, "\"%08d\":%d%s", i, i, i > 1 ? "," : "}");
    cr_expect(jcs_canonicalize(jcs, buf_span(&text), &out, &report), "%s", report.why);
    cr_expect(span_starts_with(buf_span(&out), SPAN("{\"00000001\":1,\"00000002\":2,")));
    cr_expect_lt(now() - begin, 5.0);
    jcs_destroy(jcs);
    buf_finish(&text);
    buf_finish(&out);
}
