/*
 * A copy of a case to share: what must not be shared is written over, byte for
 * byte, so that every offset stays right and everything else can still be
 * checked. Of each source the digest of the original stays beside that of the
 * copy; a record from which something was taken out is not held any more, for
 * its digest could not be derived.
 */
#ifndef STRANDLINE_MODEL_REDACT_REDACT_H
#define STRANDLINE_MODEL_REDACT_REDACT_H

#include "model/case/case.h"
#include "model/redact/masks.h"

struct redact_totals {
    int64_t sources, places, bytes; /* with something taken out; how often; how much */
    int64_t packed;                 /* places that were packed or encoded, taken out whole */
    int64_t texts;                  /* names, notes and the like that were changed */
};

/* Copies `from` into the empty case `into`. `stop` (may be NULL) is asked now and then. */
bool case_redact(struct case_file *from, struct case_file *into, const struct masks *masks,
                 struct redact_totals *totals, bool (*stop)(void *arg), void *arg, struct err *err);

#endif
