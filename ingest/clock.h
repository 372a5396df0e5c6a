/*
 * Two recorders have two clocks. Where both tell of the same calls, the
 * differences of their times show by how much one is off.
 */
#ifndef STRANDLINE_INGEST_CLOCK_H
#define STRANDLINE_INGEST_CLOCK_H

#include "base/err.h"
#include "model/case/case.h"

struct clock_offset {
    int64_t ns;                /* to be added to the source's times; 0: none was found */
    int64_t least_ns, most_ns; /* of the middle half of the differences */
    size_t calls;              /* that tell it */
};

/*
 * The median of the differences, over calls of the source that another one tells too, as that one's
 * clock has it. None, where fewer than three tell it, where it is less than a second (a call takes
 * its time from one recorder to the other), or where they don't agree (somebody was asked first).
 */
bool clock_estimate(struct case_file *c, int64_t source, struct clock_offset *out, struct err *err);

#endif
