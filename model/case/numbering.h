/* Private to number*.c: the steps of a session while their order is looked for. */
#ifndef STRANDLINE_MODEL_CASE_NUMBERING_H
#define STRANDLINE_MODEL_CASE_NUMBERING_H

#include <stdint.h>

#include "model/case/case.h"

struct numbered {
    int64_t id, n, source;
    int64_t time; /* never decreases inside a source: position outranks its clock */
    int beside;   /* of that time: before (-1) or behind (1) the step that has it */
    int64_t own;  /* its event */
    /* Where it stands when there are no times: behind that event of that source. It is its own, or,
     * where a source answers what another one asked, that of the request. */
    int64_t event, event_source;
    bool timed;
};

struct steps {
    struct numbered *items;
    size_t count, size;
};

/* A step that a second source tells, too: there it has a place between that source's own steps. */
struct told {
    int64_t step, source, event; /* source and event: of the second recording */
    int64_t seen;                /* when that source has it; see `is_seen` */
    int64_t time;                /* of the step */
    bool is_seen, timed;
};

struct tolds {
    struct told *items;
    size_t count, size;
};

/* Those of a session, by step. False: error. */
bool numbering_load_told(struct case_file *c, int64_t session, struct tolds *tolds,
                         struct err *err);
/* Gives steps of sources without any time the times at which another source tells them. Steps are
 * given, and left, by source and id; `timed` is set of those that got one. */
void numbering_lend_times(struct steps *steps, struct tolds *tolds);
/* The source with the most second recordings; sorts them by source and event. There are some. */
int64_t numbering_tells_most(struct tolds *tolds);
/*
 * Two sources have two clocks, and a source may have none: what a source tells in front of a step
 * that another one dates stays in front of it, and what it tells behind it, behind. Steps are
 * given, and left, by source and id, with times that don't decrease in a source; each has a time
 * then.
 */
void numbering_keep_places(struct steps *steps, struct tolds *tolds);
int numbering_by_id(const void *a, const void *b); /* of struct numbered: by source and id */

#endif
