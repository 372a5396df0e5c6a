#include <criterion/criterion.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "cli/json.h"
#include "tests/unit/numbers.h"

static struct span written(struct json *j)
{
    return buf_span(&j->text);
}

Test(cli_json, shapes)
{
    struct json j;
    json_init(&j, NULL, false);
    json_object(&j, NULL);
    json_int(&j, "n", -3);
    json_array(&j, "list");
    json_end(&j);
    json_array(&j, "words");
    json_word(&j, NULL, "a");
    json_word(&j, NULL, NULL);
    json_end(&j);
    json_object(&j, "inner");
    json_bool(&j, "yes", true);
    json_end(&j);
    json_double(&j, "d", 0.25, 2);
    json_int_or_null(&j, "none", 7, false);
    json_end(&j);
    cr_assert(span_is(written(&j), "{\"n\":-3,\"list\":[],\"words\":[\"a\",null],"
                                   "\"inner\":{\"yes\":true},\"d\":0.25,\"none\":null}"));
    buf_finish(&j.text);
}

/* Whatever the bytes, the output is JSON, says the same, and holds nothing a terminal acts on. */
Test(cli_json, any_bytes)
{
    struct numbers numbers = {7};
    for (int round = 0; round < 2000; round++) {
        char bytes[24];
        size_t len = numbers_below(&numbers, sizeof bytes);
        for (size_t i = 0; i < len; i++)
            bytes[i] = numbers_below(&numbers, 3)
                           ? (char)numbers_next(&numbers)
                           : "\x1b\x9b\xe2\x80\xae\xf3\xa0\x81\xa1"[numbers_below(&numbers, 9)];
        struct json j;
        json_init(&j, NULL, false);
        json_string(&j, NULL, (struct span){bytes, len});
        cr_assert(jsonr_valid(written(&j), NULL, NULL));
        struct text_census census = {0};
        text_count(&census, written(&j));
        for (int mark = TEXT_PLAIN + 1; mark < TEXT_MARKS; mark++)
            cr_assert_eq(census.count[mark], 0, "mark %d", mark);
        struct buf back = {0}, wanted = {0};
        cr_assert(jsonr_string(written(&j), &back, NULL));
        for (struct span rest = {bytes, len}; rest.len;) {
            uint32_t code;
            size_t took = utf8_decode(rest, &code);
            utf8_encode(&wanted, took ? code : 0xfffd);
            rest = span_sub(rest, took ? took : 1, rest.len);
        }
        cr_assert(span_equal(buf_span(&back), buf_span(&wanted)));
        buf_finish(&back);
        buf_finish(&wanted);
        buf_finish(&j.text);
    }
}
