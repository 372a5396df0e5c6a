/*
 * Points in time: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds,
 * as far as 64 bits reach (1677 to 2262). How many digits of a second a source
 * gave is kept beside it, so that no more is shown than was known.
 */
#ifndef STRANDLINE_BASE_TIMEFMT_H
#define STRANDLINE_BASE_TIMEFMT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

#define TIME_SECOND INT64_C(1000000000)

struct moment {
    int64_t ns;
    int digits;    /* of the fraction of a second, as written: 0 to 9; more are cut off */
    bool has_zone; /* Z or an offset was written; without one the time is taken as UTC */
};

/*
 * All of text as RFC 3339 ("2026-05-26T09:12:04.120Z", "…+02:00"), or with a space in place of T, a
 * comma in place of the point, slashes in the date, an offset of "+0200" or "+02", or no zone. A
 * 60th second is the first of the next minute. False for anything else, and for what 64 bits don't
 * reach.
 */
bool time_parse(struct span text, struct moment *moment);
/* The time at the start of text, as loggers write it: its length, 0 where there is none. */
size_t time_parse_prefix(struct span text, struct moment *moment);

/*
 * A count since the epoch, as a JSON number is written ("1764529298", "1764529298123",
 * "1764529298.5"). The unit is a guess by size: below 1e11 seconds (to the year 5138), below 1e14
 * milliseconds (from 1973 on), below 1e17 microseconds, else nanoseconds. False for exponents,
 * for negative numbers, and for what 64 bits don't reach.
 */
bool time_parse_epoch(struct span number, struct moment *moment);

/* "2026-05-26T09:12:04.120Z", with that many digits (0 to 9) of the second. */
void time_print(struct buf *out, int64_t ns, int digits);

#endif
