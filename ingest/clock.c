#include "ingest/clock.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/timefmt.h"

enum { CLOCK_CALLS_LEAST = 3, CLOCK_CALLS_MOST = 10000 };

void clock_forget(struct clock_calls *calls)
{
    mem_free(calls->at);
    *calls = (struct clock_calls){0};
}

void clock_note(struct clock_calls *calls, int64_t there_ns, int64_t here_ns)
{
    int64_t behind;
    if (calls->count == CLOCK_CALLS_MOST || __builtin_sub_overflow(there_ns, here_ns, &behind))
        return;
    calls->at = mem_one_more(calls->at, calls->count, &calls->size, sizeof *calls->at);
    calls->at[calls->count++] = behind;
}

static int clock_by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

struct clock_offset clock_estimate(struct clock_calls *calls)
{
    size_t count = calls->count;
    if (count < CLOCK_CALLS_LEAST)
        return (struct clock_offset){0};
    qsort(calls->at, count, sizeof *calls->at, clock_by_value);
    int64_t median = calls->at[count / 2];
    int64_t least = calls->at[count / 4], most = calls->at[count - 1 - count / 4], between;
    bool far = median >= TIME_SECOND || median <= -TIME_SECOND;
    /* Differences are some seconds: calls that lie farther apart are not taken for the same. */
    bool agree = !__builtin_sub_overflow(most, least, &between) &&
                 between <= (median < 0 ? -(median + 1) : median) / 4;
    return far && agree ? (struct clock_offset){median, least, most, count}
                        : (struct clock_offset){0};
}
