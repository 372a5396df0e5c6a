/* A slice of long work between two keys. It is over when its time is, since one step may hold a few
 * bytes or some megabytes, and as soon as a key waits. */
#ifndef STRANDLINE_BASE_SLICE_H
#define STRANDLINE_BASE_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/monotonic.h"

enum { SLICE_US = 8000, SLICE_LOOK_US = 200 /* between two looks for a key */ };

struct slice {
    int64_t end, look;       /* monotonic_us */
    bool (*stop)(void *arg); /* is something waiting? NULL: nothing ever is */
    void *arg;
    bool over;
};

/* A slice that begins now and takes SLICE_US at most; `stop` is asked with `arg`, and may be NULL.
 */
static inline struct slice slice_begin(bool (*stop)(void *arg), void *arg)
{
    int64_t now = monotonic_us();
    return (struct slice){.end = now + SLICE_US, .look = now, .stop = stop, .arg = arg};
}

/* Cheap enough to be asked after every step. */
static inline bool slice_is_over(struct slice *s)
{
    int64_t now = s->over ? 0 : monotonic_us();
    s->over = s->over || now >= s->end;
    if (!s->over && s->stop && now >= s->look) {
        s->look = now + SLICE_LOOK_US;
        s->over = s->stop(s->arg);
    }
    return s->over;
}

#endif
