#include <criterion/criterion.h>

#include "base/buf.h"

Test(buf, building)
{
    struct buf buf = {0};
    cr_assert(span_is(buf_span(&buf), ""));
    cr_assert_str_eq(buf_cstr(&buf), "");
    buf_puts(&buf, "one");
    buf_byte(&buf, ' ');
    buf_addf(&buf, "%s %d", "two", 3);
    buf_addf(&buf, "%s", "");
    buf_add(&buf, SPAN("\0!"));
    buf_add(&buf, (struct span){NULL, 0});
    buf_fill(&buf, '-', 3);
    buf_fill(&buf, '-', 0);
    cr_assert(span_equal(buf_span(&buf), SPAN("one two 3\0!---")));
    cr_assert_eq(buf_cstr(&buf)[buf.len], '\0');
    buf_clear(&buf);
    cr_assert_eq(buf.len, 0);
    buf_finish(&buf);
    cr_assert_null(buf.at);
}

Test(buf, growing)
{
    struct buf buf;
    buf_init(&buf);
    for (int i = 0; i < 100000; i++) {
        buf_addf(&buf, "%d,", i % 10);
        buf_byte(&buf, 'x');
    }
    cr_assert_eq(buf.len, 300000);
    for (size_t i = 0; i < 100000; i++)
        cr_assert(buf.at[3 * i] == (char)('0' + i % 10) && buf.at[3 * i + 1] == ',' &&
                  buf.at[3 * i + 2] == 'x');
    memcpy(buf_reserve(&buf, 1000000), "end", 3);
    buf.len += 3;
    cr_assert(span_ends_with(buf_span(&buf), SPAN("x3,xend")) ||
              span_ends_with(buf_span(&buf), SPAN("9,xend")));
    buf_finish(&buf);
}
