/*
 * What canonicalization changed, and where that ended up after members were
 * put in order. Inside the room only.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_JCS_CHANGES_H
#define STRANDLINE_MODEL_EVIDENCE_JCS_CHANGES_H

#include "model/evidence/jcs.h"
#include "model/evidence/reorder.h"

/* A change, copied; in any order. */
void jcs_changes_add(struct jcs_changes *changes, const struct jcs_change *change);
/* In the order of the text; what holds another comes before it. */
void jcs_changes_sort(struct jcs_changes *changes);

/* Follows reorder_write: gets the pieces that it copies, so that offsets can be carried over. */
struct jcs_piece {
    size_t from, len, to;
};

struct jcs_trace {
    struct span text;
    struct jcs_changes *changes;
    struct jcs_piece *pieces;
    size_t count, size;
};

/* The two callbacks of reorder.h; the context is a trace. */
void jcs_trace_moved(void *trace, const struct reorder_placed *member, size_t out);
void jcs_trace_piece(void *trace, size_t from, size_t len, size_t to);
/* Carries the offsets of the first `listed` changes over, and releases the trace. */
void jcs_trace_finish(struct jcs_trace *trace, size_t listed);

#endif
