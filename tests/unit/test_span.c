#include <criterion/criterion.h>

#include "base/span.h"

Test(span, parts)
{
    struct span s = SPAN("tools/call");
    cr_assert(span_is(span_sub(s, 6, 99), "call"));
    cr_assert(span_is(span_sub(s, 99, 1), ""));
    cr_assert(span_starts_with(s, SPAN("tools/")));
    cr_assert(span_ends_with(s, SPAN("/call")));
    cr_assert_not(span_ends_with(s, SPAN("a much longer suffix")));
    cr_assert_eq(span_find_byte(s, '/'), 5);
    cr_assert_eq(span_find(s, SPAN("nothing")), s.len);
    cr_assert(span_is(span_trim(SPAN(" \t x y\r\n")), "x y"));
}

Test(span, order_and_numbers)
{
    unsigned long long value = 0;
    cr_assert(span_to_u64(SPAN("18446744073709551615"), &value));
    cr_assert_eq(value, 18446744073709551615ULL);
    const char *bad[] = {"", "18446744073709551616", "-1", "1x", " 1"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        cr_assert_not(span_to_u64(span_of(bad[i]), &value), "%s", bad[i]);
    cr_assert_lt(span_compare(SPAN("a"), SPAN("ab")), 0);
    cr_assert_gt(span_compare(SPAN("\xff"), SPAN("a")), 0);
    cr_assert(span_equal_nocase(SPAN("SHA256"), SPAN("sha256")));
}
