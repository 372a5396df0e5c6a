/*
 * Which transcript and which wire logs tell of the same calls? A host writes
 * what its agent did; a recording of the wire says nothing of agents. The tools
 * that were called, with the same arguments at the same time, tell that they
 * belong together.
 */
#ifndef STRANDLINE_INGEST_SAME_CALLS_H
#define STRANDLINE_INGEST_SAME_CALLS_H

#include "base/err.h"
#include "model/case/case.h"

struct same_calls {
    int64_t transcript, wire; /* sessions */
    int64_t source;           /* of the wire session, only this log; 0: all of it */
    size_t rank;              /* its place among all pairs, the nearest first */
    int64_t clock_ns;         /* what the transcript's times lack, to be those of the wire */
};

/*
 * The pairs, those of a transcript together, the nearest in the folders first. A wire session is in
 * one pair at most: it belongs to the nearest transcript that has at least four of five of its
 * calls; a transcript may have several wire sessions, but no call of it stands for two. A wire
 * session that belongs to none as a whole may be logs of several agents that ran at one time: each
 * of its logs is looked at alone. A clock may be off by minutes, or by a time zone, where three
 * calls agree; without times, three calls are the least. *pairs is to be freed with mem_free.
 */
bool same_calls_find(struct case_file *c, struct same_calls **pairs, size_t *count,
                     struct err *err);

/* What the times of that transcript, whose calls are steps of their own, lack to be those of a wire
 * log of its session that tells of the same ones; 0: nothing, or it can't be told. */
bool same_calls_clock(struct case_file *c, int64_t source, int64_t *clock_ns, struct err *err);

#endif
