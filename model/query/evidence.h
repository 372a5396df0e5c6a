/*
 * Evidence of a case: every evidenceRef against every record held. Sources are
 * verified by source_verify; `verify` is both.
 */
#ifndef STRANDLINE_MODEL_QUERY_EVIDENCE_H
#define STRANDLINE_MODEL_QUERY_EVIDENCE_H

#include "model/case/case.h"
#include "model/evidence/diagnose.h"
#include "model/evidence/verdict.h"

/* Are there references that were not verified since evidence was last imported? */
bool case_evidence_pending(struct case_file *c, bool *pending, struct err *err);

/* Told of each reference as it is verified, in the order of their ids. `diagnosing` is NULL where
 * there was nothing to diagnose; spans in it live as long as the records. */
struct evidence_listener {
    void *arg;
    void (*hear)(void *arg, int64_t ref, const struct evidence_result *result,
                 const struct diagnosing *diagnosing);
};

/*
 * Verifies every reference against the case's records and those of `extra`
 * (NULL: none; they are used this once and the case's are added to them), and
 * keeps the verdicts. Replays that rest on the old ones are dropped. `options`
 * NULL: no schemas, and a ref is only a hint; its `offered` is not looked at.
 * `listener` may be NULL.
 */
bool case_resolve_evidence(struct case_file *c, struct records *extra,
                           const struct evidence_options *options,
                           const struct evidence_listener *listener, struct err *err);

#endif
