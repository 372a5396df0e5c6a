#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/jsonr.h"
#include "base/jsonr_scan.h"
#include "base/mem.h"

/* ---- faults and their places ---- */

static const struct {
    struct span text;
    enum jsonr_fault fault;
    size_t at;
} FAULTY[] = {
    {SPAN_INIT(""), JSONR_EMPTY, 0},
    {SPAN_INIT(" \n\t\r "), JSONR_EMPTY, 5},
    {SPAN_INIT("\xef\xbb\xbf{}"), JSONR_BOM, 0},
    {SPAN_INIT(" \xef\xbb\xbf{}"), JSONR_SYNTAX, 1},
    {SPAN_INIT("x"), JSONR_SYNTAX, 0},
    {SPAN_INIT("NaN"), JSONR_SYNTAX, 0},
    {SPAN_INIT("nul"), JSONR_CUT, 3},
    {SPAN_INIT("nulL"), JSONR_SYNTAX, 3},
    {SPAN_INIT("null x"), JSONR_TRAILING, 5},
    {SPAN_INIT("{} {}"), JSONR_TRAILING, 3},
    {SPAN_INIT("[1]]"), JSONR_TRAILING, 3},
    {SPAN_INIT("["), JSONR_CUT, 1},
    {SPAN_INIT("[1"), JSONR_CUT, 2},
    {SPAN_INIT("[1,"), JSONR_CUT, 3},
    {SPAN_INIT("[1,]"), JSONR_SYNTAX, 3},
    {SPAN_INIT("[,1]"), JSONR_SYNTAX, 1},
    {SPAN_INIT("[1 2]"), JSONR_SYNTAX, 3},
    {SPAN_INIT("[1}"), JSONR_SYNTAX, 2},
    {SPAN_INIT("{\"a\":1]"), JSONR_SYNTAX, 6},
    {SPAN_INIT("{\"a\":1,}"), JSONR_SYNTAX, 7},
    {SPAN_INIT("{\"a\" 1}"), JSONR_SYNTAX, 5},
    {SPAN_INIT("{\"a\""), JSONR_CUT, 4},
    {SPAN_INIT("{\"a\":"), JSONR_CUT, 5},
    {SPAN_INIT("{a:1}"), JSONR_SYNTAX, 1},
    {SPAN_INIT("{1:1}"), JSONR_SYNTAX, 1},
    {SPAN_INIT("{\"a\":}"), JSONR_SYNTAX, 5},
    {SPAN_INIT("-"), JSONR_CUT, 1},
    {SPAN_INIT("-x"), JSONR_BAD_NUMBER, 1},
    {SPAN_INIT("01"), JSONR_BAD_NUMBER, 1},
    {SPAN_INIT("-012"), JSONR_BAD_NUMBER, 2},
    {SPAN_INIT("1."), JSONR_CUT, 2},
    {SPAN_INIT("1.]"), JSONR_BAD_NUMBER, 2},
    {SPAN_INIT(".5"), JSONR_SYNTAX, 0},
    {SPAN_INIT("+1"), JSONR_SYNTAX, 0},
    {SPAN_INIT("1e"), JSONR_CUT, 2},
    {SPAN_INIT("1e+"), JSONR_CUT, 3},
    {SPAN_INIT("1E-x"), JSONR_BAD_NUMBER, 3},
    {SPAN_INIT("0x10"), JSONR_TRAILING, 1},
    {SPAN_INIT("\"a"), JSONR_CUT, 2},
    {SPAN_INIT("\"\\"), JSONR_CUT, 2},
    {SPAN_INIT("\"\\u12"), JSONR_CUT, 5},
    {SPAN_INIT("\"\\x\""), JSONR_BAD_ESCAPE, 2},
    {SPAN_INIT("\"\\u12g4\""), JSONR_BAD_ESCAPE, 5},
    {SPAN_INIT("\"a\tb\""), JSONR_RAW_CONTROL, 2},
    {SPAN_INIT("\"\0\""), JSONR_RAW_CONTROL, 1},
    {SPAN_INIT("[\0]"), JSONR_SYNTAX, 1},
    {SPAN_INIT("\"0123456789abcdef0123\x1f\""), JSONR_RAW_CONTROL, 21},
    {SPAN_INIT("\"\xff\""), JSONR_BAD_UTF8, 1},
    {SPAN_INIT("\"ab\xc0\xaf\""), JSONR_BAD_UTF8, 3},       /* overlong */
    {SPAN_INIT("\"\xe0\x80\xaf\""), JSONR_BAD_UTF8, 1},     /* overlong */
    {SPAN_INIT("\"\xed\xa0\x80\""), JSONR_BAD_UTF8, 1},     /* a surrogate */
    {SPAN_INIT("\"\xf4\x90\x80\x80\""), JSONR_BAD_UTF8, 1}, /* beyond U+10FFFF */
    {SPAN_INIT("\"\xc3\""), JSONR_BAD_UTF8, 1},
    {SPAN_INIT("\"\xc3"), JSONR_CUT, 2},
    {SPAN_INIT("\"\xf0\x9f\x98"), JSONR_CUT, 4},
    {SPAN_INIT("\"\xe0"), JSONR_CUT, 2},
    {SPAN_INIT("\"\xe0\xa0"), JSONR_CUT, 3},
    {SPAN_INIT("\"\xe0\x9f"), JSONR_BAD_UTF8, 1},
    {SPAN_INIT("\"\xf0"), JSONR_CUT, 2},
    {SPAN_INIT("\"\xf0\x80"), JSONR_BAD_UTF8, 1},
    {SPAN_INIT("\"\xed\xa0"), JSONR_BAD_UTF8, 1},
    {SPAN_INIT("\xc3\xa9"), JSONR_SYNTAX, 0},
    {SPAN_INIT("[\xc2\xa0]"), JSONR_SYNTAX, 1}, /* a no-break space is no white space */
};

Test(jsonr, faults_and_places)
{
    for (size_t i = 0; i < COUNT_OF(FAULTY); i++) {
        enum jsonr_fault fault;
        size_t at;
        cr_assert_not(jsonr_valid(FAULTY[i].text, &fault, &at), "row %zu", i);
        cr_assert_eq(fault, FAULTY[i].fault, "row %zu: %s", i, jsonr_fault_text(fault));
        cr_assert_eq(at, FAULTY[i].at, "row %zu: at %zu", i, at);
    }
    for (enum jsonr_fault fault = 0; fault < JSONR_FAULTS; fault++)
        cr_assert(jsonr_fault_text(fault) && jsonr_fault_text(fault)[0]);
}

Test(jsonr, lone_surrogates)
{
    static const struct {
        const char *text;
        bool whole;
        enum jsonr_fault fault;
        size_t at;
    } rows[] = {
        {"\"\\ud83d\\ude00\"", true, JSONR_OK, 0},
        {"\"\\uD800\\uDFFF\"", true, JSONR_OK, 0},
        {"\"\\uDBFF\\uDC00\"", true, JSONR_OK, 0},
        {"\"x\\ud800\"", false, JSONR_LONE_SURROGATE, 2},
        {"\"\\ude00\"", false, JSONR_LONE_SURROGATE, 1},
        {"\"\\ud800\\n\"", false, JSONR_LONE_SURROGATE, 1},
        {"\"\\ud800\\u0041\"", false, JSONR_LONE_SURROGATE, 1},
        {"\"\\ud800\\ud800\\udc00\"", false, JSONR_LONE_SURROGATE, 1},
        {"\"\\ude00\\ud83d\"", false, JSONR_LONE_SURROGATE, 1},
        {"\"\\ud800\\uzzzz\"", false, JSONR_BAD_ESCAPE, 9},
        {"\"\\ud800", false, JSONR_CUT, 7},
        {"\"\\ud800\\", false, JSONR_CUT, 8},
        {"\"\\ud800\\udc", false, JSONR_CUT, 11},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct jsonr r;
        jsonr_init(&r, span_of(rows[i].text));
        r.i_json = true;
        cr_assert_eq(jsonr_next(&r) == JSONR_STRING, rows[i].whole, "%s", rows[i].text);
        cr_assert_eq(r.fault, rows[i].fault, "%s", rows[i].text);
        cr_assert_eq(r.fault_at, rows[i].at, "%s at %zu", rows[i].text, r.fault_at);
    }
    cr_assert(jsonr_valid(SPAN("\"\\ud800\""), NULL, NULL)); /* RFC 8259 itself allows it */
}

Test(jsonr, errors_read_well)
{
    struct jsonr r;
    struct err err = {0};
    jsonr_init(&r, SPAN("{\n  \"a\": tru3\n}"));
    while (jsonr_next(&r) > JSONR_END)
        ;
    cr_assert_not(jsonr_fail(&r, "policy.json", &err));
    cr_assert_str_eq(err.where, "policy.json:2:11");
    cr_assert_str_eq(err.what, "not JSON, at byte 12");
    cr_assert_eq(err.kind, ERR_INPUT);
    cr_assert_eq(jsonr_next(&r), JSONR_ERROR, "an error stays");
    jsonr_init(&r, SPAN("{\"a\": 01}"));
    while (jsonr_next(&r) > JSONR_END)
        ;
    cr_assert_not(jsonr_fail(&r, "log.jsonl:7", &err));
    cr_assert_str_eq(err.where, "log.jsonl:7");
    cr_assert_str_eq(err.what, "a number that JSON doesn't allow, at byte 7");
}

/* ---- tokens ---- */

Test(jsonr, tokens)
{
    static const struct {
        enum jsonr_token token;
        const char *value;
        size_t depth;
    } wanted[] = {
        {JSONR_OBJECT, "{", 1},
        {JSONR_NAME, "a\\n", 1},
        {JSONR_ARRAY, "[", 2},
        {JSONR_NUMBER, "-0.5e+10", 2},
        {JSONR_STRING, "x\xc3\xa9", 2},
        {JSONR_OBJECT, "{", 3},
        {JSONR_OBJECT_END, "{ }", 2},
        {JSONR_ARRAY, "[", 3},
        {JSONR_ARRAY_END, "[ ]", 2},
        {JSONR_ARRAY_END, "[ -0.5e+10 ,\"x\xc3\xa9\", { }, [ ]]", 1},
        {JSONR_NAME, "", 1},
        {JSONR_NULL, "null", 1},
        {JSONR_NAME, "t", 1},
        {JSONR_TRUE, "true", 1},
        {JSONR_NAME, "f", 1},
        {JSONR_FALSE, "false", 1},
        {JSONR_OBJECT_END, NULL, 0},
        {JSONR_END, "", 0},
        {JSONR_END, "", 0},
    };
    struct span text =
        SPAN(" {\"a\\n\" : [ -0.5e+10 ,\"x\xc3\xa9\", { }, [ ]],\t\"\":null,\"t\":true,"
             "\"f\":false}\n");
    struct jsonr r;
    jsonr_init(&r, text);
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        cr_assert_eq(jsonr_next(&r), wanted[i].token, "token %zu", i);
        cr_assert_eq(r.depth, wanted[i].depth, "token %zu", i);
        cr_assert_eq(r.escaped && r.token == JSONR_NAME, i == 1, "token %zu", i);
        if (wanted[i].value)
            cr_assert(span_is(r.value, wanted[i].value), "token %zu", i);
        else
            cr_assert(span_equal(r.value, span_trim(text)));
    }
}

Test(jsonr, skip)
{
    struct span text = SPAN("{\"a\":[1,{\"b\":\"]\\\"\"}] , \"c\":\"d\",\"e\":{}}"), value;
    struct jsonr r;
    jsonr_init(&r, text);
    cr_assert_not(jsonr_skip(&r, &value) && value.len, "nothing to skip yet");
    jsonr_init(&r, text);
    cr_assert_eq(jsonr_next(&r), JSONR_OBJECT);
    cr_assert_eq(jsonr_next(&r), JSONR_NAME);
    cr_assert(jsonr_skip(&r, &value));
    cr_assert(span_is(value, "[1,{\"b\":\"]\\\"\"}]"));
    cr_assert_eq(jsonr_next(&r), JSONR_NAME);
    cr_assert(jsonr_skip(&r, &value));
    cr_assert(span_is(value, "\"d\""));
    cr_assert_eq(jsonr_next(&r), JSONR_NAME);
    cr_assert_eq(jsonr_next(&r), JSONR_OBJECT);
    cr_assert(jsonr_skip(&r, &value));
    cr_assert(span_is(value, "{}"));
    cr_assert_eq(jsonr_next(&r), JSONR_OBJECT_END);
    cr_assert_eq(jsonr_next(&r), JSONR_END);
    jsonr_init(&r, text);
    jsonr_next(&r);
    cr_assert(jsonr_skip(&r, NULL));
    cr_assert_eq(jsonr_next(&r), JSONR_END);
    jsonr_init(&r, SPAN("[[1,2,\"\xff\"]]"));
    jsonr_next(&r);
    cr_assert_not(jsonr_skip(&r, &value), "skipping validates");
    cr_assert_eq(r.fault, JSONR_BAD_UTF8);
}

Test(jsonr, first_value)
{
    static const struct {
        const char *text;
        size_t len;
        bool cut;
    } rows[] = {
        {"{}{}", 2, false},   {" [1] x", 4, false}, {"12 13", 2, false}, {"\"a\"\"b\"", 3, false},
        {"{\"a\":", 0, true}, {"  ", 0, false},     {"x", 0, false},     {"tru", 0, true},
        {"", 0, false},       {"null\n", 4, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool cut = !rows[i].cut;
        cr_assert_eq(jsonr_first_value(span_of(rows[i].text), &cut), rows[i].len, "%s",
                     rows[i].text);
        cr_assert_eq(cut, rows[i].cut, "%s", rows[i].text);
    }
}

Test(jsonr, deep_nesting)
{
    size_t depth = JSONR_DEPTH;
    struct buf text = {0};
    for (size_t i = 0; i < depth; i++)
        buf_puts(&text, i % 3 ? "[" : "{\"a\":");
    buf_puts(&text, "7");
    for (size_t i = depth; i-- > 0;)
        buf_byte(&text, i % 3 ? ']' : '}');
    cr_assert(jsonr_valid(buf_span(&text), NULL, NULL));
    struct jsonr r;
    size_t seen = 0;
    for (jsonr_init(&r, buf_span(&text)); jsonr_next(&r) > JSONR_END;)
        seen += r.token == JSONR_ARRAY_END || r.token == JSONR_OBJECT_END;
    cr_assert_eq(r.token, JSONR_END);
    cr_assert_eq(seen, depth);
    cr_assert_null(r.far_starts, "the end releases");
    cr_assert_not(jsonr_duplicate(buf_span(&text), NULL));
    struct jsonr_items items;
    jsonr_items_init(&items, buf_span(&text));
    cr_assert(jsonr_items_next(&items));
    cr_assert_eq(items.value.len, text.len - 6);
    /* given up half way */
    jsonr_init(&r, buf_span(&text));
    while (r.depth < 5000)
        jsonr_next(&r);
    jsonr_finish(&r);
    /* one level more */
    buf_clear(&text);
    buf_fill(&text, '[', depth + 1);
    enum jsonr_fault fault;
    size_t at;
    cr_assert_not(jsonr_valid(buf_span(&text), &fault, &at));
    cr_assert_eq(fault, JSONR_TOO_DEEP);
    cr_assert_eq(at, depth);
    buf_finish(&text);
}

/* ---- every prefix of something valid is cut, or valid ---- */

Test(jsonr, prefixes)
{
    struct span text =
        SPAN(" {\"a\\u00e9\\ud83d\\ude00\":[ -10.25e+7,0,true,false,null,\"\xc3\xa9\xe2\x82\xac\xf0"
             "\x9f\x98\x80\\\"\\\\\\n\"],\"b\":{\"c\":{}},\"d\":[[],[1]]} ");
    cr_assert(jsonr_valid(text, NULL, NULL));
    for (size_t len = 0; len < text.len; len++) {
        enum jsonr_fault fault;
        size_t at;
        char *copy = mem_alloc(len + 1); /* of its own, so that a sanitizer sees reading too far */
        memcpy(copy, text.at, len);
        copy = mem_resize(copy, len ? len : 1);
        bool valid = jsonr_valid((struct span){copy, len}, &fault, &at);
        if (len == text.len - 1)
            cr_assert(valid);
        else
            cr_assert_eq(fault, len < 2 ? JSONR_EMPTY : JSONR_CUT, "prefix of %zu: %s", len,
                         jsonr_fault_text(fault));
        cr_assert(valid || at == len);
        mem_free(copy);
    }
}

/* ---- picking ---- */

Test(jsonr, members_and_items)
{
    struct span doc =
        SPAN("{\"a\":1,\"b\":{\"x\":[true,null]},\"a\":\"two\",\"\\u0063\":[],\"n\\\"\":\"\"}");
    struct span value;
    cr_assert(jsonr_member(doc, "a", &value));
    cr_assert(span_is(value, "\"two\""), "the last of duplicates");
    cr_assert(jsonr_member(doc, "c", &value));
    cr_assert(span_is(value, "[]"));
    cr_assert(jsonr_member(doc, "n\"", &value));
    cr_assert(span_is(value, "\"\""));
    cr_assert_not(jsonr_member(doc, "x", &value), "of this object only");
    cr_assert_not(jsonr_member(SPAN("[1]"), "a", &value));
    cr_assert_not(jsonr_member(SPAN_EMPTY, "a", &value));
    struct jsonr_items items;
    size_t count = 0;
    for (jsonr_items_init(&items, SPAN("[ 1 , \"a,]\" ,{\"b\":2},[3,[4]] , -5e1 ]"));
         jsonr_items_next(&items);)
        count++;
    cr_assert_eq(count, 5);
    cr_assert(span_is(items.value, "-5e1"));
    cr_assert(jsonr_member(SPAN("{\"v\": [1, [2]] }"), "v", &value));
    cr_assert(span_is(value, "[1, [2]]"));
    static const struct {
        enum jsonr_token type;
        const char *text;
    } types[] = {
        {JSONR_NULL, "null"}, {JSONR_TRUE, "true"},   {JSONR_FALSE, "false"},
        {JSONR_NUMBER, "-1"}, {JSONR_STRING, "\"\""}, {JSONR_OBJECT, "{}"},
        {JSONR_ARRAY, "[]"},  {JSONR_ERROR, ""},      {JSONR_ERROR, "?"},
    };
    for (size_t i = 0; i < COUNT_OF(types); i++)
        cr_assert_eq(jsonr_type(span_of(types[i].text)), types[i].type, "%s", types[i].text);
}

Test(jsonr, pointers)
{
    /* names with every character that is special to pointers, to JSON, or to neither */
    struct span doc = SPAN(" {\"rows\":[\"one\",\"two\"],\"\":0,\"repo/"
                           "issue\":1,\"until~now\":2,\"\\t\":3,\"say \\\"hi\\\"\":4,"
                           "\"\\u0072un\\/it\":5,\"deep\":{\"er\":[[6,7]]},\"\\u0000\":8} ");
    static const struct {
        struct span pointer;
        const char *value;
    } rows[] = {
        {SPAN_INIT("/rows"), "[\"one\",\"two\"]"},
        {SPAN_INIT("/rows/0"), "\"one\""},
        {SPAN_INIT("/rows/1"), "\"two\""},
        {SPAN_INIT("/"), "0"},
        {SPAN_INIT("/repo~1issue"), "1"},
        {SPAN_INIT("/until~0now"), "2"},
        {SPAN_INIT("/\t"), "3"},
        {SPAN_INIT("/say \"hi\""), "4"},
        {SPAN_INIT("/run~1it"), "5"},
        {SPAN_INIT("/deep/er/0/1"), "7"},
        {SPAN_INIT("/\0"), "8"},
        {SPAN_INIT("/rows/2"), NULL},
        {SPAN_INIT("/rows/-"), NULL},
        {SPAN_INIT("/rows/00"), NULL},
        {SPAN_INIT("/rows/01"), NULL},
        {SPAN_INIT("/rows/"), NULL},
        {SPAN_INIT("/rows/99999999999999999999999"), NULL},
        {SPAN_INIT("/rows/0/0"), NULL},
        {SPAN_INIT("rows"), NULL},
        {SPAN_INIT("/until~now"), NULL},
        {SPAN_INIT("/until~"), NULL},
        {SPAN_INIT("/until~2now"), NULL},
        {SPAN_INIT("/repo/issue"), NULL},
    };
    struct span value;
    cr_assert(jsonr_pointer(doc, SPAN(""), &value));
    cr_assert(span_equal(value, span_trim(doc)));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool found = jsonr_pointer(doc, rows[i].pointer, &value);
        cr_assert_eq(found, rows[i].value != NULL, "row %zu", i);
        if (found)
            cr_assert(span_is(value, rows[i].value), "row %zu", i);
    }
}

Test(jsonr, strings)
{
    static const struct {
        struct span value, decoded;
        bool lossy;
    } rows[] = {
        {SPAN_INIT("\"\""), SPAN_INIT(""), false},
        {SPAN_INIT("\"plain\""), SPAN_INIT("plain"), false},
        {SPAN_INIT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), SPAN_INIT("\"\\/\b\f\n\r\t"), false},
        {SPAN_INIT("\"a\\u0000b\""), SPAN_INIT("a\0b"), false},
        {SPAN_INIT("\"\\u00e9\\u20AC\\ud83d\\ude00\""),
         SPAN_INIT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), false},
        {SPAN_INIT("\"\\udbff\\udfff\\ud800\\udc00\""),
         SPAN_INIT("\xf4\x8f\xbf\xbf\xf0\x90\x80\x80"), false},
        {SPAN_INIT("\"x\\ud800y\""), SPAN_INIT("x\xef\xbf\xbdy"), true},
        {SPAN_INIT("\"\\udc00\\ud800\""), SPAN_INIT("\xef\xbf\xbd\xef\xbf\xbd"), true},
        {SPAN_INIT("\"\\ud800\\ud800\\udc00\""), SPAN_INIT("\xef\xbf\xbd\xf0\x90\x80\x80"), true},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool lossy = false;
        buf_clear(&out);
        cr_assert(jsonr_string(rows[i].value, &out, &lossy), "row %zu", i);
        cr_assert(span_equal(buf_span(&out), rows[i].decoded), "row %zu", i);
        cr_assert_eq(lossy, rows[i].lossy, "row %zu", i);
        struct span name = span_sub(rows[i].value, 1, rows[i].value.len - 2);
        cr_assert(jsonr_name_is(name, rows[i].decoded), "row %zu", i);
        cr_assert_not(jsonr_name_is(name, SPAN("other")), "row %zu", i);
        if (rows[i].decoded.len)
            cr_assert_not(
                jsonr_name_is(name, span_sub(rows[i].decoded, 0, rows[i].decoded.len - 1)));
    }
    buf_clear(&out);
    buf_puts(&out, "kept");
    cr_assert_not(jsonr_string(SPAN("\"ab\\q\""), &out, NULL));
    cr_assert_not(jsonr_string(SPAN("17"), &out, NULL));
    cr_assert_not(jsonr_string(SPAN("\""), &out, NULL));
    cr_assert(span_is(buf_span(&out), "kept"));
    buf_finish(&out);
    struct span text;
    cr_assert(jsonr_plain_string(SPAN("\"ab\""), &text) && span_is(text, "ab"));
    cr_assert_not(jsonr_plain_string(SPAN("\"a\\tb\""), &text));
    cr_assert_not(jsonr_plain_string(SPAN("1"), &text));
    cr_assert(jsonr_string_is(SPAN("\"tools\\/call\""), "tools/call"));
    cr_assert_not(jsonr_string_is(SPAN("\"tools\\/call\""), "tools\\/call"));
    cr_assert_not(jsonr_string_is(SPAN("true"), "true"));
}

Test(jsonr, integers)
{
    static const struct {
        const char *text;
        bool is;
        int64_t number;
    } rows[] = {
        {"0", true, 0},
        {"-0", true, 0},
        {"12", true, 12},
        {"9223372036854775807", true, INT64_MAX},
        {"-9223372036854775808", true, INT64_MIN},
        {"9223372036854775808", false, 0},
        {"-9223372036854775809", false, 0},
        {"1.0", false, 0},
        {"1e2", false, 0},
        {"01", false, 0},
        {"", false, 0},
        {"-", false, 0},
        {"\"1\"", false, 0},
        {"99999999999999999999", false, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int64_t number = 0;
        cr_assert_eq(jsonr_int(span_of(rows[i].text), &number), rows[i].is, "%s", rows[i].text);
        cr_assert_eq(number, rows[i].number, "%s", rows[i].text);
    }
}

Test(jsonr, duplicates)
{
    static const struct {
        const char *text;
        size_t at; /* SIZE_MAX: none */
    } rows[] = {
        {"{\"a\":1,\"b\":2}", SIZE_MAX},
        {"{\"a\":1,\"a\":2}", 7},
        {"{\"a\":1,\"\\u0061\":2}", 7},
        {"[{\"a\":1},{\"a\":2}]", SIZE_MAX},
        {"{\"a\":{\"a\":{\"a\":1}}}", SIZE_MAX},
        {"{\"a\":{\"x\":1,\"x\":1},\"a\":2}", 12},
        {"{\"a\":1,\"a\":{\"x\":1,\"x\":1}}", 7},
        {"{\"\":1,\"\":2}", 6},
        {"{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"c\":0,\"a\":"
         "0}",
         55},
        {"{\"ab\":1,\"a\":2,\"\":3}", SIZE_MAX},
        {"3", SIZE_MAX},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t at = SIZE_MAX;
        cr_assert_eq(jsonr_duplicate(span_of(rows[i].text), &at), rows[i].at != SIZE_MAX, "%s",
                     rows[i].text);
        cr_assert_eq(at, rows[i].at, "%s: %zu", rows[i].text, at);
    }
}

Test(jsonr, quoting_and_back)
{
    static const struct {
        struct span text;
        const char *literal;
    } rows[] = {
        {SPAN_INIT("plain"), "\"plain\""},
        {SPAN_INIT("\"\\/\b\f\n\r\t"), "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {SPAN_INIT("\0\x1b\x7f"), "\"\\u0000\\u001b\\u007f\""},
        {SPAN_INIT("\xc3\xa9\xf0\x9f\x98\x80"), "\"\xc3\xa9\xf0\x9f\x98\x80\""},
        {SPAN_INIT("\xe2\x80\xae\xf3\xa0\x81\xa1\xc2\x9b"), "\"\\u202e\\udb40\\udc61\\u009b\""},
        {SPAN_INIT("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81"), "\"e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\""},
        {SPAN_INIT("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x82 \xcc\x81"),
         "\"e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\\u0301\\u0302 \xcc\x81\""},
        {SPAN_INIT("\xcc\x81x\n\xcc\x81"), "\"\\u0301x\\n\\u0301\""},
        {SPAN_INIT("\xff"), "\"\xef\xbf\xbd\""},
    };
    struct buf out = {0}, back = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        buf_clear(&out);
        buf_clear(&back);
        jsonr_quote(&out, rows[i].text);
        cr_assert(span_is(buf_span(&out), rows[i].literal), "row %zu: %s", i, buf_cstr(&out));
        cr_assert(jsonr_valid(buf_span(&out), NULL, NULL));
        cr_assert(jsonr_string(buf_span(&out), &back, NULL));
        if (i + 1 < COUNT_OF(rows))
            cr_assert(span_equal(buf_span(&back), rows[i].text), "row %zu", i);
    }
    buf_finish(&out);
    buf_finish(&back);
}
