#include <criterion/criterion.h>

#include <time.h>

#include "base/timefmt.h"
#include "tests/unit/numbers.h"

Test(timefmt, reading)
{
    static const struct {
        const char *text, *printed; /* NULL: not a time */
        bool has_zone;
    } rows[] = {
        {"2026-05-26T09:12:04.120Z", "2026-05-26T09:12:04.120Z", true},
        {"2026-05-26t09:12:04z", "2026-05-26T09:12:04Z", true},
        {"2026-05-26T09:12:04+02:00", "2026-05-26T07:12:04Z", true},
        {"2026-05-26T00:12:04.5-01:30", "2026-05-26T01:42:04.5Z", true},
        {"2026-05-26T00:12:04+0030", "2026-05-25T23:42:04Z", true},
        {"2026-05-26T09:12:04+02", "2026-05-26T07:12:04Z", true},
        {"2026-03-02 10:11:12.345", "2026-03-02T10:11:12.345Z", false},
        {"2026-03-02 10:11:12,345", "2026-03-02T10:11:12.345Z", false},
        {"2026-03-02T10:11:12.123456789Z", "2026-03-02T10:11:12.123456789Z", true},
        {"2026-03-02T10:11:12.1234567899Z", "2026-03-02T10:11:12.123456789Z", true},
        {"1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.9Z", true},
        {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z", true},
        {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", true},
        {"1700-01-01T00:00:00Z", "1700-01-01T00:00:00Z", true},
        {"2262-04-11T23:47:16.854775807Z", "2262-04-11T23:47:16.854775807Z", true},
        {"2262-04-11T23:47:16.854775808Z", NULL, false},
        {"2300-01-01T00:00:00Z", NULL, false},
        {"0000-01-01T00:00:00Z", NULL, false},
        {"2023-02-29T00:00:00Z", NULL, false},
        {"2100-02-29T00:00:00Z", NULL, false},
        {"2026-13-01T00:00:00Z", NULL, false},
        {"2026-00-01T00:00:00Z", NULL, false},
        {"2026-01-32T00:00:00Z", NULL, false},
        {"2026-01-01T24:00:00Z", NULL, false},
        {"2026-01-01T00:60:00Z", NULL, false},
        {"2026-01-01T00:00:61Z", NULL, false},
        {"2026-01-01T00:00:00+24:00", NULL, false},
        {"2026-01-01T00:00:00.Z", NULL, false},
        {"2026-01-01T00:00Z", NULL, false},
        {"2026-01-01", NULL, false},
        {"26-01-01T00:00:00Z", NULL, false},
        {"2026-01-01T00:00:00Z ", NULL, false},
        {"2026-01-01T00:00:00 trailing", NULL, false},
        {"", NULL, false},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct moment moment;
        bool is = time_parse(span_of(rows[i].text), &moment);
        cr_assert_eq(is, rows[i].printed != NULL, "%s", rows[i].text);
        if (!is)
            continue;
        buf_clear(&out);
        time_print(&out, moment.ns, moment.digits);
        cr_assert(span_is(buf_span(&out), rows[i].printed), "%s: %s", rows[i].text, buf_cstr(&out));
        cr_assert_eq(moment.has_zone, rows[i].has_zone, "%s", rows[i].text);
        for (size_t len = 0; len < strlen(rows[i].text); len++) { /* no read behind the end */
            char *copy = malloc(len ? len : 1);
            memcpy(copy, rows[i].text, len);
            time_parse((struct span){copy, len}, &moment);
            free(copy);
        }
    }
    struct moment moment;
    cr_assert_eq(time_parse_prefix(SPAN("2026-03-02 10:11:12.345 [trace] x"), &moment), 23);
    cr_assert_eq(time_parse_prefix(SPAN("2026-03-02 10:11:12. Then"), &moment), 19);
    cr_assert_eq(time_parse_prefix(SPAN("2026-03-02 10:11:12-x"), &moment), 19);
    buf_finish(&out);
}

Test(timefmt, epochs)
{
    static const struct {
        const char *text, *printed;
    } rows[] = {
        {"0", "1970-01-01T00:00:00Z"},
        {"1764529298", "2025-11-30T19:01:38Z"},
        {"1764529298.25", "2025-11-30T19:01:38.25Z"},
        {"1764529298123", "2025-11-30T19:01:38.123Z"},
        {"1764529298123.5", "2025-11-30T19:01:38.1235Z"},
        {"1764529298123456", "2025-11-30T19:01:38.123456Z"},
        {"1764529298123456789", "2025-11-30T19:01:38.123456789Z"},
        {"1764529298.1234567891", "2025-11-30T19:01:38.123456789Z"},
        {"99999999999", NULL}, /* seconds beyond 2262 */
        {"9223372036854775808", NULL},
        {"-1", NULL},
        {"1e9", NULL},
        {"1.", NULL},
        {"1.5x", NULL},
        {"", NULL},
        {"x", NULL},
    };
    struct buf out = {0};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct moment moment;
        cr_assert_eq(time_parse_epoch(span_of(rows[i].text), &moment), rows[i].printed != NULL,
                     "%s", rows[i].text);
        if (!rows[i].printed)
            continue;
        buf_clear(&out);
        time_print(&out, moment.ns, moment.digits);
        cr_assert(span_is(buf_span(&out), rows[i].printed), "%s: %s", rows[i].text, buf_cstr(&out));
    }
    buf_finish(&out);
}

/* The calendar against libc's, over all that 64 bits reach, and there and back. */
Test(timefmt, calendar)
{
    struct numbers numbers = {5};
    struct buf out = {0};
    for (int round = 0; round < 100000; round++) {
        int64_t ns = (int64_t)(numbers_next(&numbers) << 16 ^ numbers_next(&numbers));
        time_t seconds = (time_t)(ns / TIME_SECOND - (ns % TIME_SECOND < 0));
        struct tm tm;
        char wanted[64];
        struct moment back;
        gmtime_r(&seconds, &tm);
        strftime(wanted, sizeof wanted, "%Y-%m-%dT%H:%M:%S", &tm);
        buf_clear(&out);
        time_print(&out, ns, 9);
        cr_assert(span_starts_with(buf_span(&out), span_of(wanted)), "%s %s", wanted,
                  buf_cstr(&out));
        if (ns < INT64_MIN + TIME_SECOND)
            continue;
        cr_assert(time_parse(buf_span(&out), &back), "%s", buf_cstr(&out));
        cr_assert_eq(back.ns, ns, "%s", buf_cstr(&out));
    }
    time_print(&out, INT64_MIN, 0);
    time_print(&out, INT64_MAX, 9);
    buf_finish(&out);
}
