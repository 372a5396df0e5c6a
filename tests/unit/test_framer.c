#include <criterion/criterion.h>

#include "base/buf.h"
#include "ingest/framer.h"

#define BYTES(literal)                                                                             \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

/* Puts `bytes` in, `step` at a time, and writes the units out: text, '~' where it was cut, '|'.
 * Checks that the units leave no gap. */
static void cut(struct buf *out, struct span bytes, size_t step, enum framing framing,
                const char *elements)
{
    struct framer *f = framer_create();
    struct unit unit;
    uint64_t reached = 0;
    size_t put = 0;
    framer_cut_by(f, framing, elements);
    buf_clear(out);
    for (bool ended = false; !ended;) {
        size_t room, n = bytes.len - put < step ? bytes.len - put : step;
        char *at = framer_room(f, &room);
        memcpy(at, bytes.at + put, n);
        put += n;
        if (n)
            framer_filled(f, n);
        else
            framer_end(f), ended = true;
        while (framer_next(f, &unit)) {
            cr_assert_eq(unit.start, reached);
            cr_assert_gt(unit.size, 0);
            reached += unit.size;
            if (!unit.recipe)
                cr_assert_eq(memcmp(bytes.at + unit.offset, unit.text.at, unit.text.len), 0);
            static const char *const parts[] = {"", "H:", "", "T:", "M:"};
            buf_puts(out, parts[unit.part]);
            buf_addf(out, "%d:", (int)unit.line);
            buf_add(out, unit.text);
            buf_puts(out, unit.cut ? "~|" : "|");
        }
    }
    cr_assert_eq(reached, bytes.len, "%zu of %zu", (size_t)reached, bytes.len);
    framer_destroy(f);
}

static void expect(struct span bytes, enum framing framing, const char *elements, const char *units)
{
    static const size_t steps[] = {1, 2, 3, 7, 64, 1000};
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        /* Space may be given out earlier when it comes in pieces; the rest may not differ. */
        cut(&out, bytes, steps[i], framing, elements);
        struct buf bare = {0};
        for (const char *at = buf_cstr(&out); *at;) {
            size_t len = strcspn(at, "|") + 1;
            bool blank = at[strcspn(at, ":") + 1] == '|';
            if (!blank || framing == FRAME_LINES)
                buf_add(&bare, (struct span){at, len});
            at += len;
        }
        cr_assert_str_eq(buf_cstr(&bare), units, "step %zu\n%s\n%s", steps[i], buf_cstr(&bare),
                         units);
        buf_finish(&bare);
    }
    buf_finish(&out);
}

Test(framer, text)
{
    static const struct {
        struct span bytes;
        const char *units;
    } cases[] = {
        {BYTES("a\nb {\n  \"c\": [\n {},\n 1\n ]\n} d\ne\n"),
         "1:a|2:b {\n  \"c\": [\n {},\n 1\n ]\n} d|8:e|"},
        {BYTES("{\n\"a\": 1,\n{\"b\":2}\n"), "1:{|2:\"a\": 1,|3:{\"b\":2}|"},
        {BYTES("{\"a\": \"x,\n y\"}\n"), "1:{\"a\": \"x,|2: y\"}|"},
        {BYTES("{\r\n  }\r\n{\n\n}\n"), "1:{\r\n  }|3:{|5:}|"},
        {BYTES("x {\n  \"a\": {\n  }"), "1:x {|2:  \"a\": {|3:  }~|"},
        {BYTES("{\n }"), "1:{\n }|"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(cases[i].bytes, FRAME_TEXT, NULL, cases[i].units);
}

Test(framer, lines)
{
    static const struct {
        struct span bytes;
        const char *units;
    } cases[] = {
        {BYTES("a\nbc\n"), "1:a|2:bc|"},
        {BYTES("a\nbc"), "1:a|2:bc~|"},
        {BYTES("a\r\n\r\nb\r\n"), "1:a|2:|3:b|"},
        {BYTES("\n\n"), "1:|2:|"},
        {BYTES("\xef\xbb\xbf{}\n"), "M:1:\xef\xbb\xbf|1:{}|"},
        {BYTES("\xff\xfe"
               "a\0\n\0\x3d\xd8\x00\xde"),
         "M:1:\xff\xfe|1:a|2:\xf0\x9f\x98\x80~|"},
        {BYTES("\xfe\xff"
               "\0a\0\r\0\n\0b\0\n"),
         "M:1:\xfe\xff|1:a|2:b|"},
        {BYTES(""), ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(cases[i].bytes, FRAME_LINES, NULL, cases[i].units);
}

Test(framer, values)
{
    static const struct {
        const char *bytes, *units;
    } cases[] = {
        {"{}{\"a\":[1,{}]}[2]", "1:{}|1:{\"a\":[1,{}]}|1:[2]|"},
        {"{\n \"a\": 1\n}\n\n{\n}\n", "1:{\n \"a\": 1\n}|5:{\n}|"},
        {"{\"a\":\"}\\\"{\"}{}", "1:{\"a\":\"}\\\"{\"}|1:{}|"},
        {"hello\n{}\n", "1:hello|2:{}|"},
        {"{\"a\":\"open\n{}\n", "1:{\"a\":\"open|2:{}|"},
        {"{\"a\":", "1:{\"a\":~|"},
        {"  \n ", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(span_of(cases[i].bytes), FRAME_VALUES, NULL, cases[i].units);
}

Test(framer, elements)
{
    static const struct {
        const char *bytes, *path, *units;
    } cases[] = {
        {"[1, {\"a\":2},\"x,]\" ]\n", "", "H:1:[|1:1|1:{\"a\":2}|1:\"x,]\"|T:1:]|"},
        {"{\"v\":\"messages\",\"n\":{\"messages\":[9]},\"messages\":[1,2],\"z\":0}", "messages",
         "H:1:{\"v\":\"messages\",\"n\":{\"messages\":[9]},\"messages\":[|1:1|1:2|T:1:],\"z\":0}|"},
        {"{\"log\":{\"a\":[],\"entries\":[{}\n,{}]}}", "log/entries",
         "H:1:{\"log\":{\"a\":[],\"entries\":[|1:{}|2:{}|T:2:]}}|"},
        {"{\"x\":{\"entries\":[1]},\"log\":{\"entries\":[2]}}", "log/entries",
         "H:1:{\"x\":{\"entries\":[1]},\"log\":{\"entries\":[|1:2|T:1:]}}|"},
        {"{\"messages\":[{\"a\":", "messages", "H:1:{\"messages\":[|1:{\"a\":~|"},
        {"{\"other\":1}", "messages", "H:1:{\"other\":1}|"},
        {"[]", "", "H:1:[|T:1:]|"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(span_of(cases[i].bytes), FRAME_ELEMENTS, cases[i].path, cases[i].units);
}

Test(framer, netstrings)
{
    static const struct {
        const char *bytes, *units;
    } cases[] = {
        {"2:ab,0:~4:1:a,]", "1:2:ab,|1:0:~|1:4:1:a,]|"},
        {"5:ab", "1:5:ab~|"},
        {"2:ab,what?\n0:~", "1:2:ab,|1:what?|2:0:~|"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect(span_of(cases[i].bytes), FRAME_NETSTRINGS, NULL, cases[i].units);
}

/* A line longer than any read, and many that are almost nothing: time and memory stay in
 * proportion. */
Test(framer, sizes)
{
    struct buf bytes = {0};
    buf_fill(&bytes, 'x', 20000000);
    buf_byte(&bytes, '\n');
    for (int i = 0; i < 1000000; i++)
        buf_byte(&bytes, '\n');
    struct framer *f = framer_create();
    struct unit unit;
    size_t put = 0, units = 0, longest = 0;
    framer_cut_by(f, FRAME_LINES, NULL);
    for (bool ended = false; !ended;) {
        size_t room;
        char *at = framer_room(f, &room);
        size_t n = bytes.len - put < room ? bytes.len - put : room;
        memcpy(at, bytes.at + put, n);
        put += n;
        if (n)
            framer_filled(f, n);
        else
            framer_end(f), ended = true;
        for (; framer_next(f, &unit); units++)
            if (unit.text.len > longest)
                longest = unit.text.len;
    }
    cr_assert_eq(units, 1000001);
    cr_assert_eq(longest, 20000000);
    cr_assert_eq(framer_lines(f), 1000001);
    framer_destroy(f);
    buf_finish(&bytes);
}
