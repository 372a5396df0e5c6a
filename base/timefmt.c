#include "base/timefmt.h"

#include <stdio.h>
#include <string.h>

/* ---- the calendar ---- */

/* Days from 1970-01-01 to a date of the Gregorian calendar. Years are counted from March, so that
 * the leap day is the last of its year; an era is 400 years, which always have as many days. */
static int64_t days_of(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static void date_of(int64_t days, int *year, int *month, int *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t from_march = (5 * day_of_year + 2) / 153;
    *day = (int)(day_of_year - (153 * from_march + 2) / 5 + 1);
    *month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = (int)(year_of_era + era * 400 + (*month <= 2));
}

static int month_length(int year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return lengths[month - 1] + (month == 2 && leap);
}

/* ---- reading ---- */

struct scan {
    const char *at, *end;
};

/* Exactly `count` digits. */
static bool take_digits(struct scan *scan, int count, int *number)
{
    *number = 0;
    if (scan->end - scan->at < count)
        return false;
    for (int i = 0; i < count; i++, scan->at++) {
        if (*scan->at < '0' || *scan->at > '9')
            return false;
        *number = *number * 10 + (*scan->at - '0');
    }
    return true;
}

static bool take_one_of(struct scan *scan, const char *bytes)
{
    if (scan->at == scan->end || *scan->at == '\0' || !strchr(bytes, *scan->at))
        return false;
    scan->at++;
    return true;
}

/* The digits behind a point, as nanoseconds; false where there are none. */
static bool take_fraction(struct scan *scan, int64_t *ns, int *digits)
{
    const char *begin = scan->at;
    *ns = 0;
    for (; scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9'; scan->at++)
        if (scan->at - begin < 9)
            *ns = *ns * 10 + (*scan->at - '0');
    *digits = (int)(scan->at - begin < 9 ? scan->at - begin : 9);
    for (int i = *digits; i < 9; i++)
        *ns *= 10;
    return *digits > 0;
}

/* Z or an offset: *seconds is what local time is ahead of UTC. Else takes nothing. */
static bool take_zone(struct scan *scan, int64_t *seconds)
{
    struct scan before = *scan;
    int hours, minutes = 0;
    *seconds = 0;
    if (take_one_of(scan, "Zz"))
        return true;
    int sign = scan->at < scan->end && *scan->at == '-' ? -1 : 1;
    if (take_one_of(scan, "+-") && take_digits(scan, 2, &hours)) {
        struct scan behind_hours = *scan;
        take_one_of(scan, ":");
        if (!take_digits(scan, 2, &minutes)) {
            *scan = behind_hours;
            minutes = 0;
        }
        if (hours < 24 && minutes < 60) {
            *seconds = INT64_C(60) * sign * (hours * 60 + minutes);
            return true;
        }
    }
    *scan = before;
    return false;
}

static bool take_date(struct scan *scan, int64_t *days)
{
    int year, month, day;
    if (!take_digits(scan, 4, &year) || !take_one_of(scan, "-/") || !take_digits(scan, 2, &month) ||
        !take_one_of(scan, "-/") || !take_digits(scan, 2, &day))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > month_length(year, month))
        return false;
    *days = days_of(year, month, day);
    return true;
}

static bool take_clock(struct scan *scan, int64_t *seconds)
{
    int hour, minute, second;
    if (!take_digits(scan, 2, &hour) || !take_one_of(scan, ":") || !take_digits(scan, 2, &minute) ||
        !take_one_of(scan, ":") || !take_digits(scan, 2, &second))
        return false;
    if (hour > 23 || minute > 59 || second > 60)
        return false;
    *seconds = hour * 3600 + minute * 60 + second;
    return true;
}

/* Seconds and what is over them, put together where 64 bits hold it. */
static bool join(int64_t seconds, int64_t ns, int64_t *sum)
{
    return !__builtin_mul_overflow(seconds, TIME_SECOND, sum) &&
           !__builtin_add_overflow(*sum, ns, sum);
}

size_t time_parse_prefix(struct span text, struct moment *moment)
{
    if (text.len == 0)
        return 0;
    struct scan scan = {text.at, text.at + text.len};
    int64_t days, clock, fraction = 0, ahead;
    struct moment read = {0};
    if (!take_date(&scan, &days) || !take_one_of(&scan, "Tt ") || !take_clock(&scan, &clock))
        return 0;
    struct scan behind_clock = scan;
    if (take_one_of(&scan, ".,") && !take_fraction(&scan, &fraction, &read.digits))
        scan = behind_clock;
    read.has_zone = take_zone(&scan, &ahead);
    if (!join(days * 86400 + clock - ahead, fraction, &read.ns))
        return 0;
    *moment = read;
    return (size_t)(scan.at - text.at);
}

bool time_parse(struct span text, struct moment *moment)
{
    struct moment read;
    if (text.len == 0 || time_parse_prefix(text, &read) != text.len)
        return false;
    *moment = read;
    return true;
}

bool time_parse_epoch(struct span number, struct moment *moment)
{
    static const struct {
        unsigned long long below;
        int digits; /* of a second in one unit */
        int64_t ns;
    } units[] = {
        {100000000000, 0, TIME_SECOND},
        {100000000000000, 3, 1000000},
        {100000000000000000, 6, 1000},
        {0, 9, 1},
    };
    size_t point = span_find_byte(number, '.'), unit = 0;
    unsigned long long count;
    if (!span_to_u64(span_sub(number, 0, point), &count) || count > INT64_MAX)
        return false;
    while (units[unit].below && count >= units[unit].below)
        unit++;
    int64_t fraction = 0;
    int digits = 0;
    if (point < number.len) {
        struct scan scan = {number.at + point + 1, number.at + number.len};
        if (!take_fraction(&scan, &fraction, &digits) || scan.at < scan.end)
            return false;
    }
    int64_t ns;
    if (__builtin_mul_overflow((int64_t)count, units[unit].ns, &ns) ||
        __builtin_add_overflow(ns, fraction / (TIME_SECOND / units[unit].ns), &ns))
        return false;
    digits += units[unit].digits;
    *moment = (struct moment){.ns = ns, .digits = digits < 9 ? digits : 9, .has_zone = true};
    return true;
}

/* ---- writing ---- */

void time_print(struct buf *out, int64_t ns, int digits)
{
    int64_t seconds = ns / TIME_SECOND, fraction = ns % TIME_SECOND;
    if (fraction < 0) {
        fraction += TIME_SECOND;
        seconds--;
    }
    int64_t days = seconds / 86400, clock = seconds % 86400;
    if (clock < 0) {
        clock += 86400;
        days--;
    }
    int year, month, day;
    date_of(days, &year, &month, &day);
    buf_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, (int)(clock / 3600),
             (int)(clock / 60 % 60), (int)(clock % 60));
    if (digits > 0) {
        char text[16];
        snprintf(text, sizeof text, ".%09lld", (long long)fraction);
        buf_add(out, (struct span){text, 1 + (size_t)(digits < 9 ? digits : 9)});
    }
    buf_byte(out, 'Z');
}
