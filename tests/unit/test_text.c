#include <criterion/criterion.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tests/unit/numbers.h"

Test(text, utf8)
{
    static const struct {
        struct span text;
        size_t len;
        uint32_t code;
    } rows[] = {
        {SPAN_INIT("A"), 1, 'A'},
        {SPAN_INIT("\0"), 1, 0},
        {SPAN_INIT("\xc3\xa9!"), 2, 0xe9},
        {SPAN_INIT("\xc2\x80"), 2, 0x80},
        {SPAN_INIT("\xdf\xbf"), 2, 0x7ff},
        {SPAN_INIT("\xe0\xa0\x80"), 3, 0x800},
        {SPAN_INIT("\xed\x9f\xbf"), 3, 0xd7ff},
        {SPAN_INIT("\xee\x80\x80"), 3, 0xe000},
        {SPAN_INIT("\xef\xbf\xbf"), 3, 0xffff},
        {SPAN_INIT("\xf0\x90\x80\x80"), 4, 0x10000},
        {SPAN_INIT("\xf4\x8f\xbf\xbf"), 4, 0x10ffff},
        {SPAN_INIT(""), 0, 0},
        {SPAN_INIT("\x80"), 0, 0},
        {SPAN_INIT("\xc0\x80"), 0, 0},
        {SPAN_INIT("\xc1\xbf"), 0, 0},
        {SPAN_INIT("\xe0\x9f\xbf"), 0, 0},
        {SPAN_INIT("\xed\xa0\x80"), 0, 0},
        {SPAN_INIT("\xf0\x8f\xbf\xbf"), 0, 0},
        {SPAN_INIT("\xf4\x90\x80\x80"), 0, 0},
        {SPAN_INIT("\xf5\x80\x80\x80"), 0, 0},
        {SPAN_INIT("\xc3"), 0, 0},
        {SPAN_INIT("\xe2\x82"), 0, 0},
        {SPAN_INIT("\xe2\x82z"), 0, 0},
        {SPAN_INIT("\xf0\x9f\x98"), 0, 0},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint32_t code = 0;
        size_t bad = 99;
        cr_assert_eq(utf8_decode(rows[i].text, &code), rows[i].len, "row %zu", i);
        cr_assert_eq(code, rows[i].code, "row %zu", i);
        cr_assert_eq(utf8_valid(rows[i].text, &bad), rows[i].len || !rows[i].text.len, "row %zu",
                     i);
        cr_assert_eq(bad, rows[i].len || !rows[i].text.len ? 99 : 0, "row %zu", i);
    }
    for (uint32_t code = 0; code <= 0x10ffff; code++) { /* every scalar value, there and back */
        uint32_t back = 0;
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        buf_clear(&out);
        utf8_encode(&out, code);
        cr_assert(utf8_decode(buf_span(&out), &back) == out.len && back == code, "U+%04X",
                  (unsigned)code);
    }
    size_t bad;
    cr_assert_not(utf8_valid(SPAN("0123456789 \xc3\xa9 0123456789\xff"), &bad));
    cr_assert_eq(bad, 24);
    buf_finish(&out);
}

/* The quick step over runs against the careful one, on all of four bytes that matter. */
Test(text, utf8_runs)
{
    static const unsigned char bytes[] = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xaf,
                                          0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
                                          0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff};
    enum { BYTES = sizeof bytes };
    for (size_t pick = 0; pick < BYTES * BYTES * BYTES * BYTES; pick++) {
        char text[5] = {(char)bytes[pick % BYTES], (char)bytes[pick / BYTES % BYTES],
                        (char)bytes[pick / BYTES / BYTES % BYTES],
                        (char)bytes[pick / BYTES / BYTES / BYTES], 'x'};
        for (size_t len = 4; len <= 5; len++) {
            const char *end = text + len, *careful = text;
            while (careful < end && (unsigned char)*careful >= 0x80) {
                size_t step = utf8_step(careful, end);
                if (!step)
                    break;
                careful += step;
            }
            cr_assert(utf8_run(text, end) == careful, "%02x %02x %02x %02x", (unsigned char)text[0],
                      (unsigned char)text[1], (unsigned char)text[2], (unsigned char)text[3]);
        }
    }
}

Test(text, classes_and_widths)
{
    static const struct {
        uint32_t code;
        enum text_mark mark;
        int width;
    } rows[] = {
        {'A', TEXT_PLAIN, 1},         {0xe9, TEXT_PLAIN, 1},       {0x301, TEXT_PLAIN, 0},
        {0x4e00, TEXT_PLAIN, 2},      {0xff21, TEXT_PLAIN, 2},     {0xac00, TEXT_PLAIN, 2},
        {0x1100, TEXT_PLAIN, 2},      {0x1161, TEXT_PLAIN, 0},     {0x1f600, TEXT_PLAIN, 2},
        {0x1fae8, TEXT_PLAIN, 2},     {0x2764, TEXT_PLAIN, 1},     {0x3000, TEXT_PLAIN, 2},
        {0xa0, TEXT_PLAIN, 1},        {0x0903, TEXT_PLAIN, 1},     {0x20dd, TEXT_PLAIN, 0},
        {0x05d0, TEXT_PLAIN, 1},      {0x2026, TEXT_PLAIN, 1},     {0x241b, TEXT_PLAIN, 1},
        {0x00, TEXT_CONTROL, 1},      {0x1b, TEXT_CONTROL, 1},     {'\n', TEXT_CONTROL, 1},
        {0x7f, TEXT_CONTROL, 1},      {0x80, TEXT_CONTROL, 1},     {0x9b, TEXT_CONTROL, 1},
        {0x202a, TEXT_BIDI, 1},       {0x202e, TEXT_BIDI, 1},      {0x2066, TEXT_BIDI, 1},
        {0x2069, TEXT_BIDI, 1},       {0x200e, TEXT_BIDI, 1},      {0x200f, TEXT_BIDI, 1},
        {0x61c, TEXT_BIDI, 1},        {0x200b, TEXT_INVISIBLE, 1}, {0x200c, TEXT_INVISIBLE, 1},
        {0x200d, TEXT_INVISIBLE, 1},  {0x2060, TEXT_INVISIBLE, 1}, {0xfeff, TEXT_INVISIBLE, 1},
        {0xad, TEXT_INVISIBLE, 1},    {0x2028, TEXT_INVISIBLE, 1}, {0x2029, TEXT_INVISIBLE, 1},
        {0x3164, TEXT_INVISIBLE, 1},  {0xffa0, TEXT_INVISIBLE, 1}, {0x115f, TEXT_INVISIBLE, 1},
        {0x1160, TEXT_INVISIBLE, 1},  {0x2800, TEXT_INVISIBLE, 1}, {0x34f, TEXT_INVISIBLE, 1},
        {0x180e, TEXT_INVISIBLE, 1},  {0xfe0f, TEXT_INVISIBLE, 1}, {0xe0100, TEXT_INVISIBLE, 1},
        {0x1d173, TEXT_INVISIBLE, 1}, {0xfffb, TEXT_INVISIBLE, 1}, {0x600, TEXT_INVISIBLE, 1},
        {0x17b4, TEXT_INVISIBLE, 1},  {0xe0000, TEXT_TAG, 1},      {0xe0001, TEXT_TAG, 1},
        {0xe0041, TEXT_TAG, 1},       {0xe007f, TEXT_TAG, 1},      {0xe0080, TEXT_UNKNOWN, 1},
        {0xe000, TEXT_UNKNOWN, 1},    {0x378, TEXT_UNKNOWN, 1},    {0xffff, TEXT_UNKNOWN, 1},
        {0xfdd0, TEXT_UNKNOWN, 1},    {0x10ffff, TEXT_UNKNOWN, 1}, {0xf0000, TEXT_UNKNOWN, 1},
        {0x2065, TEXT_UNKNOWN, 1},    {0x110000, TEXT_UNKNOWN, 1}, {0xffffffff, TEXT_UNKNOWN, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        cr_assert_eq(text_classify(rows[i].code), rows[i].mark, "U+%04X", (unsigned)rows[i].code);
        cr_assert_eq(text_width(rows[i].code), rows[i].width, "U+%04X", (unsigned)rows[i].code);
    }
    cr_assert_str_eq(text_unicode_version, "15.0");
}

static const struct {
    struct span text;
    const char *shown, *ascii;
} SHOWN[] = {
    {SPAN_INIT(""), "", ""},
    {SPAN_INIT("plain text"), "plain text", "plain text"},
    {SPAN_INIT("a\x1b[31mb"), "a␛[31mb", "a<U+001B>[31mb"},
    {SPAN_INIT("a\r\nb\tc\0"), "a␍␊b␉c␀", "a<U+000D><U+000A>b<U+0009>c<U+0000>"},
    {SPAN_INIT("\x7f"), "␡", "<U+007F>"},
    {SPAN_INIT("\xc2\x9b"), "<U+009B>", "<U+009B>"},
    {SPAN_INIT("caf\xc3\xa9"), "café", "caf<U+00E9>"},
    {SPAN_INIT("cafe\xcc\x81"), "cafe\xcc\x81", "cafe<U+0301>"},
    {SPAN_INIT("x\xe9y"), "x<e9>y", "x<e9>y"},
    {SPAN_INIT("\xed\xa0\x80"), "<ed><a0><80>", "<ed><a0><80>"},
    {SPAN_INIT("a\xe2\x80\xae"
               "b"),
     "a<U+202E>b", "a<U+202E>b"},
    {SPAN_INIT("a\xe2\x80\x8b"
               "b"),
     "a<U+200B>b", "a<U+200B>b"},
    {SPAN_INIT("\xef\xbb\xbf{}"), "<U+FEFF>{}", "<U+FEFF>{}"},
    {SPAN_INIT("\xe3\x85\xa4\xe2\xa0\x80"), "<U+3164><U+2800>", "<U+3164><U+2800>"},
    {SPAN_INIT("\xee\x80\x80\xf4\x8f\xbf\xbf"), "<U+E000><U+10FFFF>", "<U+E000><U+10FFFF>"},
    /* tags spell "hi!", with the tag that begins a language and the one that ends */
    {SPAN_INIT("a\xf3\xa0\x81\xa8\xf3\xa0\x81\xa9\xf3\xa0\x80\xa1"
               "b"),
     "a⟦tag:hi!⟧b", "a<tag:hi!>b"},
    {SPAN_INIT("\xf3\xa0\x80\x81\xf3\xa0\x81\xa8\xf3\xa0\x81\xbf"), "⟦tag:␁h␡⟧", "<tag:?h?>"},
    /* the flag of Scotland is its flag alone; a longer "flag" is a place to hide text */
    {SPAN_INIT("\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2\xf3\xa0\x81\xb3\xf3\xa0\x81\xa3"
               "\xf3\xa0\x81\xb4\xf3\xa0\x81\xbf!"),
     "🏴!", "<U+1F3F4><tag:gbsct?>!"},
    {SPAN_INIT("\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x80\xa0\xf3\xa0\x81\xb3\xf3\xa0\x81\xa3"
               "\xf3\xa0\x81\xbf"),
     "🏴⟦tag:g sc␡⟧", "<U+1F3F4><tag:g sc?>"},
    {SPAN_INIT("\xf0\x9f\x8f\xb4\xf3\xa0\x81\xa7\xf3\xa0\x81\xa2\xf3\xa0\x81\xb3\xf3\xa0\x81\xa3"),
     "🏴⟦tag:gbsc⟧", "<U+1F3F4><tag:gbsc>"},
    /* one choice of look behind an emoji is its own, not two, nor one behind a letter */
    {SPAN_INIT("\xe2\x9d\xa4\xef\xb8\x8f!"), "❤!", "<U+2764><U+FE0F>!"},
    {SPAN_INIT("\xe2\x9d\xa4\xef\xb8\x8f\xef\xb8\x8f"), "❤<U+FE0F>", "<U+2764><U+FE0F><U+FE0F>"},
    {SPAN_INIT("a\xef\xb8\x8f"), "a<U+FE0F>", "a<U+FE0F>"},
    {SPAN_INIT("1\xef\xb8\x8f\xe2\x83\xa3"), "1\xe2\x83\xa3", "1<U+FE0F><U+20E3>"},
    {SPAN_INIT("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb"), "👩<U+200D>💻",
     "<U+1F469><U+200D><U+1F4BB>"},
    /* four combining characters, and the rest of the run as one mark */
    {SPAN_INIT("a\xcc\x80\xcc\x81\xcc\x82\xcc\x83"), "a\xcc\x80\xcc\x81\xcc\x82\xcc\x83",
     "a<U+0300><U+0301><U+0302><U+0303>"},
    {SPAN_INIT("a\xcc\x80\xcc\x81\xcc\x82\xcc\x83\xcc\x84"),
     "a\xcc\x80\xcc\x81\xcc\x82\xcc\x83<U+0304>", "a<U+0300><U+0301><U+0302><U+0303><U+0304>"},
    {SPAN_INIT("a\xcc\x80\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86"
               "b"),
     "a\xcc\x80\xcc\x81\xcc\x82\xcc\x83<U+0304 +2>b", NULL},
    {SPAN_INIT("\xcc\x80x"), "<U+0300>x", "<U+0300>x"},
    {SPAN_INIT("\n\xcc\x80x"), "␊<U+0300>x", NULL},
    {SPAN_INIT("\xe4\xb8\xad\xe6\x96\x87"), "中文", "<U+4E2D><U+6587>"},
};

static void add_shown(struct buf *out, struct span text, bool ascii)
{
    struct glyph glyph;
    while (text_next(&text, &glyph, ascii))
        buf_add(out, (struct span){glyph.show, glyph.show_len});
}

Test(text, what_is_shown)
{
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(SHOWN); i++) {
        buf_clear(&out);
        text_safe(&out, SHOWN[i].text);
        cr_assert(span_is(buf_span(&out), SHOWN[i].shown), "row %zu: %s", i, buf_cstr(&out));
        buf_clear(&out);
        add_shown(&out, SHOWN[i].text, false);
        cr_assert(span_is(buf_span(&out), SHOWN[i].shown), "row %zu: %s", i, buf_cstr(&out));
        buf_clear(&out);
        add_shown(&out, SHOWN[i].text, true);
        if (SHOWN[i].ascii)
            cr_assert(span_is(buf_span(&out), SHOWN[i].ascii), "row %zu: %s", i, buf_cstr(&out));
    }
    buf_finish(&out);
}

Test(text, long_runs)
{
    struct buf text = {0}, out = {0};
    for (int i = 0; i < 100; i++)
        utf8_encode(&text, 0xe0000 + 'a' + (uint32_t)i % 26);
    text_safe(&out, buf_span(&text));
    cr_assert(span_starts_with(buf_span(&out), SPAN("⟦tag:abcdefghijklmnopqrstuvwxyz")));
    buf_clear(&out);
    cr_assert(text_decode_tags(&out, buf_span(&text)));
    cr_assert_eq(out.len, 100);
    cr_assert(span_starts_with(buf_span(&out), SPAN("abcdefghijklmnopqrstuvwxyzabcd")));
    cr_assert_not(text_decode_tags(&out, SPAN("none\xf3\xa0\x84\x80")));
    buf_clear(&text);
    for (int i = 0; i < 10000; i++)
        utf8_encode(&text, 0x300);
    buf_clear(&out);
    text_safe(&out, buf_span(&text));
    cr_assert(span_is(buf_span(&out), "<U+0300 +4095><U+0300 +4095><U+0300 +1807>"), "%s",
              buf_cstr(&out));
    buf_finish(&text);
    buf_finish(&out);
}

Test(text, fitting)
{
    static const struct {
        const char *text;
        size_t columns;
        bool ascii;
        const char *shown;
        size_t used;
    } rows[] = {
        {"short", 10, false, "short", 5},
        {"exactly10!", 10, false, "exactly10!", 10},
        {"one too long", 11, false, "one t… long", 11},
        {"one too long", 11, true, "one ...long", 11},
        {"one too long", 1, false, "…", 1},
        {"one too long", 0, false, "", 0},
        {"one too long", 2, true, "..", 2},
        {"one too long", 3, true, "...", 3},
        {"one too long", 4, true, "o...", 4},
        {"中文中文中文", 7, false, "中…文", 5},
        {"中文中文中文", 8, false, "中文…文", 7},
        {"", 5, false, "", 0},
        {"a\x1b"
         "b",
         3, false, "a␛b", 3},
        {"a\xe2\x80\xae"
         "b",
         8, false, "a…b", 3},
        {"cafe\xcc\x81 cafe\xcc\x81", 5, false, "ca…fe\xcc\x81", 5},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        buf_clear(&out);
        size_t used = text_fit(&out, span_of(rows[i].text), rows[i].columns, rows[i].ascii);
        cr_assert(span_is(buf_span(&out), rows[i].shown), "row %zu: %s", i, buf_cstr(&out));
        cr_assert_eq(used, rows[i].used, "row %zu: %zu", i, used);
        cr_assert_eq(text_columns(buf_span(&out), false), used, "row %zu", i);
    }
    /* a hundred megabytes cost no more than their ends */
    struct buf large = {0};
    buf_fill(&large, 'x', 100 << 20);
    memcpy(large.at + large.len - 4, "\xc3\xa9nd", 4);
    for (int i = 0; i < 10000; i++) {
        buf_clear(&out);
        cr_assert_eq(text_fit(&out, buf_span(&large), 9, false), 9);
    }
    cr_assert(span_is(buf_span(&out), "xxxx…xénd"), "%s", buf_cstr(&out));
    buf_finish(&large);
    buf_finish(&out);
}

Test(text, census)
{
    struct text_census census = {0};
    text_count(&census, SPAN("two  words\tand\r\n\n\n "
                             "a\x1b\r\xff\xff\xe2\x80\xae\xe2\x80\x8b\xe2\x80\x8b\xee\x80\x80"
                             "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
                             "\xf3\xa0\x81\xa1\xf3\xa0\x81\xa2"));
    static const size_t wanted[TEXT_MARKS] = {
        [TEXT_PLAIN] = 16,    [TEXT_CONTROL] = 2, [TEXT_INVALID] = 2, [TEXT_BIDI] = 1,
        [TEXT_INVISIBLE] = 2, [TEXT_TAG] = 2,     [TEXT_UNKNOWN] = 1, [TEXT_COMBINING] = 2,
    };
    for (size_t i = 0; i < TEXT_MARKS; i++)
        cr_assert_eq(census.count[i], wanted[i], "kind %zu: %zu", i, census.count[i]);
    cr_assert_eq(census.longest_blank_run, 5); /* CR LF LF LF and a space */
    text_count(&census, SPAN("      x"));
    cr_assert_eq(census.longest_blank_run, 6);
    cr_assert_eq(census.count[TEXT_PLAIN], 23);
}

/* ---- the promise ---- */

/* What may never be shown, found without the tables' help where that is possible. */
static bool is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0x61c ||
           (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2060 && code <= 0x206f) || code == 0xfeff || code == 0x3164 ||
           code == 0x2800 || (code >= 0xfe00 && code <= 0xfe0f) ||
           (code >= 0xe000 && code <= 0xf8ff) || code >= 0xe0000 ||
           text_classify(code) != TEXT_PLAIN;
}

static void check_safe(struct span shown, size_t columns)
{
    size_t width = 0, combining = 0;
    for (size_t at = 0; at < shown.len;) {
        uint32_t code = 0;
        size_t len = utf8_decode(span_sub(shown, at, 4), &code);
        cr_assert_gt(len, 0, "not UTF-8");
        cr_assert_not(is_harmful(code), "U+%04X", (unsigned)code);
        combining = text_width(code) ? 0 : combining + 1;
        cr_assert_leq(combining, 4);
        width += (size_t)text_width(code);
        at += len;
    }
    cr_assert_eq(width, columns);
}

static void check_all(struct span text)
{
    struct buf out = {0};
    struct span rest = text;
    struct glyph glyph;
    size_t bytes = 0, columns = 0;
    while (text_next(&rest, &glyph, false)) {
        cr_assert(glyph.bytes > 0 && glyph.width > 0 && glyph.show_len <= sizeof glyph.show);
        check_safe((struct span){glyph.show, glyph.show_len}, glyph.width);
        bytes += glyph.bytes;
        columns += glyph.width;
    }
    cr_assert_eq(bytes, text.len);
    cr_assert_eq(text_columns(text, false), columns);
    text_safe(&out, text);
    check_safe(buf_span(&out), columns);
    for (rest = text, columns = 0; text_next(&rest, &glyph, true); columns += glyph.width)
        for (size_t i = 0; i < glyph.show_len; i++)
            cr_assert(glyph.show[i] >= 0x20 && glyph.show[i] < 0x7f);
    cr_assert_eq(text_columns(text, true), columns);
    for (size_t room = 0; room < 30; room += 7) {
        buf_clear(&out);
        size_t used = text_fit(&out, text, room, false);
        cr_assert_leq(used, room);
        check_safe(buf_span(&out), used);
    }
    buf_finish(&out);
}

Test(text, nothing_harmful_gets_out)
{
    static const uint32_t interesting[] = {'a',     ' ',    0x1b,   0x9b,    0x301,   0x302,
                                           0x200d,  0xfe0f, 0x2764, 0x1f3f4, 0xe0061, 0xe0062,
                                           0xe007f, 0x202e, 0x4e2d, 0x1161,  0x378,   '\n'};
    struct numbers numbers = {99};
    struct buf text = {0};
    for (int round = 0; round < 20000; round++) {
        buf_clear(&text);
        for (size_t count = numbers_below(&numbers, 40); count > 0; count--) {
            switch (round % 3) {
            case 0:
                buf_byte(&text, (char)numbers_next(&numbers));
                break;
            case 1:
                utf8_encode(&text, interesting[numbers_below(&numbers, COUNT_OF(interesting))]);
                break;
            default:
                utf8_encode(&text, (uint32_t)numbers_below(&numbers, 0xd800));
                break;
            }
        }
        check_all(buf_span(&text));
    }
    for (uint32_t code = 0; code <= 0x10ffff; code++) { /* each one by itself */
        struct glyph glyph;
        buf_clear(&text);
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        utf8_encode(&text, code);
        struct span rest = buf_span(&text);
        cr_assert(text_next(&rest, &glyph, false) && rest.len == 0);
        check_safe((struct span){glyph.show, glyph.show_len}, glyph.width);
        cr_assert_eq(glyph.mark != TEXT_PLAIN,
                     text_classify(code) != TEXT_PLAIN || text_width(code) == 0);
    }
    buf_finish(&text);
}
