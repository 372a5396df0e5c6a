/*
 * Two recorders have two clocks. Where both tell of the same calls, the
 * differences of their times show by how much one is off.
 */
#ifndef STRANDLINE_INGEST_CLOCK_H
#define STRANDLINE_INGEST_CLOCK_H

#include <stddef.h>
#include <stdint.h>

struct clock_offset {
    int64_t ns;                /* to be added to the source's times; 0: none was found */
    int64_t least_ns, most_ns; /* of the middle half of the differences */
    size_t calls;              /* that tell it */
};

/* Calls of a source that another one tells too: by how much its times are behind that one's.
 * Zero-initialised is valid and empty. */
struct clock_calls {
    int64_t *at;
    size_t count, size;
};

void clock_forget(struct clock_calls *calls); /* frees it and leaves it empty */
/* One more of them; the first ten thousand are kept. */
void clock_note(struct clock_calls *calls, int64_t there_ns, int64_t here_ns);
/*
 * The median of the differences, as the other one's clock has it. None, where fewer than three tell
 * it, where it is less than a second (a call takes its time from one recorder to the other), or
 * where they don't agree (somebody was asked first). Puts them in order.
 */
struct clock_offset clock_estimate(struct clock_calls *calls);

#endif
