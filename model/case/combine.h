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

/* A value on its way: a text, or the packed bytes of a frame (SOURCE_FRAME; source.h). */
struct combine_value {
    const char *table;
    struct span column, bytes;
    struct stmt *row; /* all of its row */
    int at;           /* which of its columns this is */
};

struct combine_options {
    bool (*stop)(void *arg); /* asked now and then: true ends it with an error; may be NULL */
    /* May put something else in its place: into `out`, with *changed. May be NULL. */
    bool (*change)(void *arg, const struct combine_value *value, struct buf *out, bool *changed,
                   struct err *err);
    /* Writes what else belongs to it, in the same transaction. May be NULL. */
    bool (*also)(void *arg, struct err *err);
    void *arg;
};

/* All or nothing, in one transaction; adds to the totals. The target's seal, where it has one,
 * doesn't hold any more. */
bool case_combine(struct case_file *into, struct case_file *from,
                  const struct combine_options *options, struct combine_totals *totals,
                  struct err *err);

#endif
