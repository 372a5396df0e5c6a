#include <criterion/criterion.h>
#include <string.h>

#include "base/buf.h"
#include "base/pattern.h"

static bool compiles(struct span text)
{
    struct pattern p;
    char why[PATTERN_WHY];
    bool ok = pattern_compile(&p, text, 0, why);
    if (ok)
        pattern_finish(&p);
    return ok;
}

static struct span repeated(struct buf *buf, const char *open, size_t times, const char *middle,
                            const char *close)
{
    buf_clear(buf);
    for (size_t i = 0; i < times; i++)
        buf_puts(buf, open);
    buf_puts(buf, middle);
    for (size_t i = 0; i < times; i++)
        buf_puts(buf, close);
    return buf_span(buf);
}

Test(pattern, what_people_write_compiles)
{
    static const char *const good[] = {
        "",
        "a",
        "[0-9]{1,3}(\\.[0-9]{1,3}){3}",
        "^(GET|POST) /[^ ]*$",
        "a{500}",
        "x{2,}",
        "[]a]+[^]b]",
        "[[:alpha:]_]+\\(\\{",
        "a|b|",
        "(a+)+$",
        "[a-z.]+@[a-z.]+\\.(com|org)",
        "a**",
        "\\$[0-9,]+",
        "[[.a.]b]",
        "(((a{9}){9}))",
    };
    for (size_t i = 0; i < COUNT_OF(good); i++)
        cr_expect(compiles(span_of(good[i])), "%s", good[i]);
}

/* Each of these ends or stalls a program that gives it to regcomp and regexec as it is. */
Test(pattern, what_asks_for_too_much_is_refused)
{
    static const char *const bad[] = {
        "((a{1,1000}){1,1000}){1,1000}",
        "((((.{1,255}){1,255}){1,255}))",
        "a{32767}",
        "[[:alpha:]]{200}{200}{200}",
        ".{0,500}.{0,500}.{0,500}",
        "(.*)\\1(.*)\\2x",
        "{(a{30}){30}",
        "([]{}]{30}){30}",
        "(a{30}b{,30}){20}",
        "a{99999999999999999999}",
        "((",
        "[a",
        "[[:",
        "a\\",
    };
    struct buf buf = {0};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_expect_not(compiles(span_of(bad[i])), "%s", bad[i]);
    cr_expect_not(compiles(SPAN("a\0b")));
    cr_expect(compiles(repeated(&buf, "(", PATTERN_DEPTH_MAX, "a", ")")));
    cr_expect_not(compiles(repeated(&buf, "(", PATTERN_DEPTH_MAX + 1, "a", ")")));
    cr_expect_not(compiles(repeated(&buf, "{(", 900, "a", ")")));
    cr_expect_not(compiles(repeated(&buf, "(", 100000, "a", ")")));
    cr_expect_not(compiles(repeated(&buf, "|", 50000, "a", "")));
    buf_finish(&buf);
}

Test(pattern, a_text_of_any_length_is_searched)
{
    struct pattern word, edges;
    char why[PATTERN_WHY];
    struct buf text = {0};
    cr_assert(pattern_compile(&word, SPAN("ne+dle"), REG_ICASE, why));
    cr_assert(pattern_compile(&edges, SPAN("^needle$"), 0, why));
    cr_expect_not(pattern_finds(&word, SPAN_EMPTY));
    cr_expect(pattern_finds(&edges, SPAN("needle")));
    cr_expect(pattern_finds(&word, SPAN("\0a\0NEEEDLE\0")));
    /* around each edge of the pieces; and no piece's edge is the text's */
    for (size_t at = PATTERN_PIECE - PATTERN_OVERLAP - 8; at < PATTERN_PIECE + 8; at++) {
        buf_clear(&text);
        buf_fill(&text, '\0', at);
        buf_puts(&text, "needle");
        cr_assert(pattern_finds(&word, buf_span(&text)), "at %zu", at);
        if (at == PATTERN_PIECE - PATTERN_OVERLAP || at == PATTERN_PIECE - 6) {
            buf_fill(&text, ' ', PATTERN_PIECE);
            cr_expect_not(pattern_finds(&edges, buf_span(&text)), "at %zu", at);
        }
        if (at == PATTERN_PIECE - PATTERN_OVERLAP + 8)
            at = PATTERN_PIECE - 16;
    }
    buf_finish(&text);
    pattern_finish(&word);
    pattern_finish(&edges);
}
