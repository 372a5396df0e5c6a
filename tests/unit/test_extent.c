#include <criterion/criterion.h>
#include <zlib.h>

#include "tests/unit/case_support.h"

static struct case_file *c;

static bool read_all(struct span bytes, const char *recipe, uint64_t limit, struct buf *out,
                     bool *cut)
{
    struct err err = {0};
    struct extent at = {add_source(c, bytes), 0, bytes.len, span_of(recipe)};
    buf_clear(out);
    return case_read(c, &at, limit, out, cut, &err);
}

/* Raw bytes, recipe, what comes out (NULL: an error). */
#define BYTES(literal)                                                                             \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    } /* SPAN is no constant */

static const struct {
    struct span bytes;
    const char *recipe;
    const char *text;
} recipes[] = {
    {BYTES("plain"), "", "plain"},
    {BYTES("\"a\\n\\u00e9\\\"\""), "s;", "a\n\xc3\xa9\""},
    {BYTES("{\"a\":{\"b\":[1,2]}}"), "/a/b/1;", "2"},
    {BYTES("{\"a;b\":\"x\"}"), "/a~2b;s;", "x"},
    {BYTES("\"{\\\"arguments\\\":\\\"{}\\\"}\""), "s;/arguments;s;", "{}"},
    {BYTES("aGVsbG8="), "b;", "hello"},
    {BYTES("aGVsbG8="), "b;@1+3;", "ell"},
    {BYTES("'a\\n\\'\\\\\\x41\\u00e9\"'"), "j;", "a\n'\\A\xc3\xa9\""},
    {BYTES("`a"), "j;", NULL},
    {BYTES("'\\x4'"), "j;", NULL},
    {BYTES("[abcdef]"), "@1+2,5+1,1+1;", "abea"},
    {BYTES("aGVs|bG8="), "@0+4,5+4;b;@1+2,4+1;", "elo"},
    {BYTES("\x4b\x4c\x02\x00"), "zr;", "ab"},
    {BYTES("\x28\xb5\x2f\xfd\x20\x02\x11\x00\x00\x61\x62"), "zs;", "ab"},
    {BYTES("\x8b\x00\x80\x61\x62\x03"), "br;", "ab"},
    {BYTES("event: message\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n"), "e;", "{\"a\":\n1}"},
    {BYTES("data\ndata:x\n"), "e;", "\nx"},
    {BYTES("h\0i\0"), "u16le;", "hi"},
    {BYTES("\xd8\x3d\xde\x00"), "u16be;", "\xf0\x9f\x98\x80"},
    {BYTES("\xd8\x3d"), "u16be;", "\xef\xbf\xbd"},
    {BYTES("\xd8\x3d\0"), "u16be;", "\xef\xbf\xbd\xef\xbf\xbd"},
    /* a recipe that doesn't fit, and hostile ones */
    {BYTES("{}"), "s;", NULL},
    {BYTES("{}"), "/a;", NULL},
    {BYTES("!!!"), "b;", NULL},
    {BYTES("plain"), "z;", NULL},
    {BYTES("abc"), "@1+3;", NULL},
    {BYTES("abc"), "@0+1,1+3;", NULL},
    {BYTES("abc"), "@0+1,;", "a"},
    {BYTES("abc"), "@0+1,2;", NULL},
    {BYTES("\x4b\x4c\x02"), "zr;", NULL},
    {BYTES("\x28\xb5\x2f\xfd\x20\x02\x11\x00\x00\x61"), "zs;", NULL},
    {BYTES("\x8b\x00\x80\x61"), "br;", NULL},
    {BYTES("abc"), "@18446744073709551615+2;", NULL},
    {BYTES("abc"), "@1;", NULL},
    {BYTES("abc"), "q;", NULL},
    {BYTES("abc"), ";", NULL},
    {BYTES("id: 1\n"), "e;", NULL},
    {BYTES("a"),
     "@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;"
     "@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;@0+1;",
     NULL},
};

Test(extent, recipes)
{
    struct err err = {0};
    c = case_temporary(&err);
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(recipes); i++) {
        bool ok = read_all(recipes[i].bytes, recipes[i].recipe, 0, &out, NULL);
        cr_assert_eq(ok, recipes[i].text != NULL, "%zu: %s", i, recipes[i].recipe);
        if (ok)
            cr_assert(span_is(buf_span(&out), recipes[i].text), "%zu: %.*s", i,
                      SPAN_ARG(buf_span(&out)));
    }
    buf_finish(&out);
    case_close(c);
}

Test(extent, cut_between_characters)
{
    struct err err = {0};
    c = case_temporary(&err);
    struct buf plain = {0}, literal = {0}, out = {0};
    buf_puts(&literal, "\"");
    for (int i = 0; i < 5000; i++) { /* of 1, 2, 3 and 4 bytes, as themselves and as escapes */
        buf_puts(&plain, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                         "b\xf0\x9f\x98\x80");
        buf_puts(&literal, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
                           "\\u0062\\ud83d\\ude00");
    }
    buf_puts(&literal, "\"");
    for (uint64_t limit = 1; limit < 64; limit++) {
        bool cut = false;
        cr_assert(read_all(buf_span(&plain), "", limit, &out, &cut));
        cr_assert(cut);
        cr_assert(out.len <= limit && out.len + 4 > limit);
        struct span first = span_sub(buf_span(&plain), 0, out.len);
        cr_assert(span_equal(buf_span(&out), first));
        size_t expected = out.len;
        cr_assert(read_all(buf_span(&literal), "s;", limit, &out, &cut));
        cr_assert(cut);
        cr_assert_eq(out.len, expected);
        cr_assert(span_equal(buf_span(&out), first), "limit %d", (int)limit);
    }
    bool cut = true;
    cr_assert(read_all(SPAN("\"abc\""), "s;", 3, &out, &cut));
    cr_assert_not(cut);
    buf_finish(&plain);
    buf_finish(&literal);
    buf_finish(&out);
    case_close(c);
}

Test(extent, gzip)
{
    struct err err = {0};
    c = case_temporary(&err);
    enum { SIZE = 40 << 20 };
    char *zeros = calloc(1, SIZE);
    uLongf size = compressBound(SIZE);
    unsigned char *packed = malloc(size);
    cr_assert_eq(compress(packed, &size, (const unsigned char *)zeros, SIZE), Z_OK);
    struct buf out = {0};
    bool cut = false;
    struct span bomb = {(char *)packed, size};
    cr_assert(read_all(bomb, "z;", 1000, &out, &cut),
              "a bomb is unpacked as far as it is asked for");
    cr_assert(cut);
    cr_assert_eq(out.len, 1000);
    cr_assert_lt(out.size, 1 << 20);
    cr_assert(read_all(bomb, "z;", 0, &out, &cut));
    cr_assert_eq(out.len, SIZE);
    cr_assert_not(read_all(span_sub(bomb, 0, size - 10), "z;", 0, &out, &cut), "cut short");
    buf_finish(&out);
    free(packed);
    free(zeros);
    case_close(c);
}
