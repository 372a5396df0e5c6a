/* A slice of long work between two keys: bounded by time, since one step may hold a few bytes or
 * some megabytes. */
#ifndef STRANDLINE_BASE_SLICE_H
#define STRANDLINE_BASE_SLICE_H

#include <stdbool.h>
#include <time.h>

enum { SLICE_MS = 5 }; /* with a frame behind it, well under the 16 ms that a key may take */

struct slice {
    struct timespec end;
};

static inline struct slice slice_begin(void)
{
    struct slice s;
    clock_gettime(CLOCK_MONOTONIC, &s.end);
    s.end.tv_nsec += SLICE_MS * 1000000L;
    if (s.end.tv_nsec >= 1000000000L) {
        s.end.tv_nsec -= 1000000000L;
        s.end.tv_sec++;
    }
    return s;
}

static inline bool slice_is_over(const struct slice *s)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > s->end.tv_sec ||
           (now.tv_sec == s->end.tv_sec && now.tv_nsec >= s->end.tv_nsec);
}

#endif
