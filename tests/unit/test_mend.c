#include <criterion/criterion.h>

#include "base/jsonr.h"
#include "tui/mend.h"
#include "tui/preview.h"

Test(mend, closes_what_was_cut)
{
    static const struct {
        const char *cut, *whole;
    } cases[] = {
        {"{\"a\":1,\"b\":[1,2", "{\"a\":1,\"b\":[1]}"}, /* is it 2 or 20? */
        {"{\"a\":1,\"b\":[1,2,", "{\"a\":1,\"b\":[1,2]}"},
        {"{\"a\":\"some te", "{\"a\":\"some te\"}"},
        {"{\"a\":\"some \\u00", "{\"a\":\"some \"}"},
        {"{\"a\":\"some \xc3", "{\"a\":\"some \"}"},
        {"{\"a\":1,\"na", "{\"a\":1}"},
        {"{\"a\":1,\"name\"", "{\"a\":1}"},
        {"{\"a\":1,\"name\":", "{\"a\":1}"},
        {"{\"a\":{", "{\"a\":{}}"},
        {"[\"x\",\"y", "[\"x\",\"y\"]"},
        {"{\"a\":[{\"b\":\"c\"}", "{\"a\":[{\"b\":\"c\"}]}"},
        {"{\"a\":1}", "{\"a\":1}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buf out = {0};
        cr_expect(json_mend(span_of(cases[i].cut), &out), "%s", cases[i].cut);
        cr_expect(span_is(buf_span(&out), cases[i].whole), "%s became %s", cases[i].cut,
                  buf_cstr(&out));
        buf_finish(&out);
    }
    static const char *const never[] = {"", "words", "{\"a\" 1", "{]", "\"\x01"};
    for (size_t i = 0; i < COUNT_OF(never); i++) {
        struct buf out = {0};
        cr_expect_not(json_mend(span_of(never[i]), &out), "%s", never[i]);
        buf_finish(&out);
    }
}

/* Cut at every byte: what comes out is valid, or nothing does. */
Test(mend, at_every_byte)
{
    struct span whole = SPAN(
        "{\"content\":[{\"type\":\"text\",\"text\":\"a \\\"b\\\" \\ud83d\\ude00 \xc3\xa9\\n\"},null,true,-1.5e3],\"x\":{}}");
    for (size_t cut = 0; cut <= whole.len; cut++) {
        struct buf out = {0};
        if (json_mend(span_sub(whole, 0, cut), &out))
            cr_expect(jsonr_valid(buf_span(&out), NULL, NULL), "cut at %zu: %s", cut,
                      buf_cstr(&out));
        else
            cr_expect(cut < 1, "cut at %zu gave nothing", cut);
        buf_clear(&out);
        preview_text(span_sub(whole, 0, cut), &out);
        buf_finish(&out);
    }
}

Test(mend, previews_say_what_a_person_reads_first)
{
    static const struct {
        const char *body, *shown;
    } cases[] = {
        {"plain  words\nover\tlines", "plain words over lines"},
        {"{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}", "hello"},
        {"{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"id\\\":1,\\\"title\\\":\\\"T\\\"}\"}]}",
         "T"},
        {"{\"content\":[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"two\"}]}",
         "one | two"},
        {"{\"content\":[{\"type\":\"text\",\"text\":\"cut he", "cut he"},
        {"{\"message\":\"went wrong\",\"code\":-1}", "went wrong"},
        {"{\"other\":true}", "{\"other\":true}"},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct buf out = {0};
        preview_text(span_of(cases[i].body), &out);
        cr_expect(span_is(buf_span(&out), cases[i].shown), "%s became %s", cases[i].body,
                  buf_cstr(&out));
        buf_finish(&out);
    }
}
