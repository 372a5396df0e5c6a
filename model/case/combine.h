/*
 * One case into another: what a second responder imported and noted joins what
 * is here. Rows are copied as they are, with ids of their own; a source whose
 * bytes are held already is not kept twice, and of a session that is here
 * already only the notes are taken.
 */
#ifndef STRANDLINE_MODEL_CASE_COMBINE_H
#define STRANDLINE_MODEL_CASE_COMBINE_H

#include "model/case/case.h"

struct combine_totals {
    int64_t sources, sessions, notes; /* that came */
    int64_t held_sources, held_sessions;
};

/* All or nothing, in one transaction; adds to the totals. `stop` (may be NULL) is asked now and
 * then: true ends it with an error. The target's seal, where it has one, doesn't hold any more. */
bool case_combine(struct case_file *into, struct case_file *from, struct combine_totals *totals,
                  bool (*stop)(void *arg), void *arg, struct err *err);

#endif
