/*
 * Traces: nested runs of models and tools with a start and an end, as observability services export
 * them, in no order that means anything. They are told in order of time: a tool's run is a call
 * where it starts and a result where it ends; a model's tells the prompts it was given and what it
 * answered. What a model is given repeats all that came before: only what is new is told.
 *
 * All of a trace is held, since its beginning may stand at its end.
 */
#ifndef STRANDLINE_INGEST_TRACES_H
#define STRANDLINE_INGEST_TRACES_H

#include "ingest/outlet.h"

enum run_kind { RUN_OTHER, RUN_MODEL, RUN_TOOL };

struct run {
    enum run_kind kind;
    struct span id, parent, name, session; /* text; empty: none */
    struct span whole;                     /* in the unit: for its place */
    struct span input, output, error;      /* JSON values; at == NULL: none */
    struct record start, end;              /* for their times alone */
    bool failed, truncated;
};

struct traces;

/* Never NULL; the caller's. destroy(NULL) is fine. */
struct traces *traces_create(void);
void traces_destroy(struct traces *t);
/* Zeroed, its times unknown. Valid until the next call. What it points to must live until
 * traces_tell: in the unit, or in its outlet's arena. */
struct run *traces_add(struct traces *t);
/* Makes the records of all runs. */
void traces_tell(struct traces *t, struct outlet *out, struct span host);

#endif
