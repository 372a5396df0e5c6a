/* Links in what the model wrote: what a host would fetch, and what a person might click. */
#include <criterion/criterion.h>

#include "base/attr.h"
#include "base/buf.h"
#include "model/trace/link.h"

static const struct {
    const char *text;
    enum link_kind kind;
    bool image;
    const char *url, *host, *query; /* url NULL: there is no link */
} cases[] = {
    {"see [here](https://a.example/x?q=1#f) ok", LINK_INLINE, false, "https://a.example/x?q=1#f",
     "a.example", "q=1"},
    {"![p](https://a.example/p.png?d=s \"title\")", LINK_INLINE, true,
     "https://a.example/p.png?d=s", "a.example", "d=s"},
    {"![p](<https://a.example/a b>)", LINK_INLINE, true, "https://a.example/a b", "a.example", ""},
    {"[a](//a.example/x)", LINK_INLINE, false, "//a.example/x", "a.example", ""},
    {"[a](https://a.example/x_(y))", LINK_INLINE, false, "https://a.example/x_(y)", "a.example",
     ""},
    {"![a][r]\n\n[r]: https://a.example/p?d=1\n", LINK_REFERENCE, true, "https://a.example/p?d=1",
     "a.example", "d=1"},
    {"![R]\n\n[ r ]: <https://a.example/p>", LINK_REFERENCE, true, "https://a.example/p",
     "a.example", ""},
    {"[a][r]\n\n[r]: https://a.example/p", LINK_REFERENCE, false, "https://a.example/p",
     "a.example", ""},
    {"<https://a.example/x>", LINK_AUTOLINK, false, "https://a.example/x", "a.example", ""},
    {"<img alt='' src = \"https://a.example/i?n=a%40b\">", LINK_HTML, true,
     "https://a.example/i?n=a%40b", "a.example", "n=a%40b"},
    {"<a href=https://a.example/x>y</a>", LINK_HTML, false, "https://a.example/x", "a.example", ""},
    {"<IMG SRC=//a.example/x>", LINK_HTML, true, "//a.example/x", "a.example", ""},
    {"go to https://user:pw@A.example:8080/x, now", LINK_BARE, false,
     "https://user:pw@A.example:8080/x", "A.example", ""},
    {"(http://a.example)", LINK_BARE, false, "http://a.example", "a.example", ""},
    {"http://[::1]:8/x", LINK_BARE, false, "http://[::1]:8/x", "::1", ""},
    {"https:\\\\a.example\\x", LINK_BARE, false, NULL, NULL, NULL},
    {"[a](https:\\\\a.example\\x)", LINK_INLINE, false, "https:\\\\a.example\\x", "a.example", ""},
    {"[a](/local?x=1)", LINK_INLINE, false, NULL, NULL, NULL},
    {"\\[a](javascript:x)", LINK_INLINE, false, NULL, NULL, NULL},
    {"xhttps://a.example", LINK_BARE, false, NULL, NULL, NULL},
    {"a < b and c > d", LINK_HTML, false, NULL, NULL, NULL},
    {"<img src=\"https://a.example/x", LINK_HTML, true, NULL, NULL, NULL},
};

Test(link, shapes)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct arena arena = {0};
        struct link *links;
        size_t count;
        bool capped;
        links_find(span_of(cases[i].text), &arena, &links, &count, &capped);
        cr_expect_not(capped);
        cr_expect_eq(count, cases[i].url ? 1 : 0, "%zu: %zu in %s", i, count, cases[i].text);
        if (count && cases[i].url) {
            cr_expect(span_is(links->url, cases[i].url), "%zu: %.*s", i, SPAN_ARG(links->url));
            cr_expect(span_is(links->host, cases[i].host), "%zu: %.*s", i, SPAN_ARG(links->host));
            cr_expect(span_is(links->query, cases[i].query), "%zu: %.*s", i,
                      SPAN_ARG(links->query));
            cr_expect_eq(links->kind, cases[i].kind, "%zu", i);
            cr_expect_eq(links->image, cases[i].image, "%zu", i);
        }
        arena_finish(&arena);
    }
}

/* Text that begins something at every byte, and never ends it. */
Test(link, hostile)
{
    static const char *const pieces[] = {"[",
                                         "![a]",
                                         "<a href=\"",
                                         "<img src='x",
                                         "[a](<",
                                         "[a](",
                                         "https://",
                                         "<a ",
                                         "]:",
                                         "\\",
                                         "[r]: http://a.example\n"};
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        struct buf text = {0};
        struct arena arena = {0};
        struct link *links;
        size_t count;
        bool capped;
        while (text.len < 400000)
            buf_puts(&text, pieces[i]);
        links_find(buf_span(&text), &arena, &links, &count, &capped);
        cr_expect_leq(count, LINK_MAX);
        cr_expect_eq(capped, i == COUNT_OF(pieces) - 1, "%zu", i);
        arena_finish(&arena);
        buf_finish(&text);
    }
}
