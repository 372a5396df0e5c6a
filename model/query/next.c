/* The next step of some kind, by index: no scan of the steps between. */
#include "model/query/review_internal.h"

/* ?1 run, ?2 the step to start from. Each has a partial index with the very words of its condition,
 * and names it: else the planner walks the rows where there is none of that kind. */
static const struct {
    const char *forward, *back;
} marks[] = {
    [MARK_VIOLATION] =
        {"SELECT min(n) FROM (SELECT min(n) AS n FROM run_step INDEXED BY run_step_denied WHERE run_id=?1 AND verdict = 'deny' AND n>?2"
         " UNION ALL SELECT min(n) FROM run_step INDEXED BY run_step_asked WHERE run_id=?1 AND verdict = 'ask' AND n>?2)",
         "SELECT max(n) FROM (SELECT max(n) AS n FROM run_step INDEXED BY run_step_denied WHERE run_id=?1 AND verdict = 'deny' AND n<?2"
         " UNION ALL SELECT max(n) FROM run_step INDEXED BY run_step_asked WHERE run_id=?1 AND verdict = 'ask' AND n<?2)"},
    [MARK_LABEL_CHANGE] =
        {"SELECT min(n) FROM run_step INDEXED BY run_step_changed WHERE run_id=?1 AND changed > 0 AND n>?2",
         "SELECT max(n) FROM run_step INDEXED BY run_step_changed WHERE run_id=?1 AND changed > 0 AND n<?2"},
    [MARK_FINDING] = {"SELECT min(n) FROM finding WHERE run_id=?1 AND suppressed IS NULL AND n>?2",
                      "SELECT max(n) FROM finding WHERE run_id=?1 AND suppressed IS NULL AND n<?2"},
    [MARK_EVIDENCE_BAD] =
        {"SELECT min(n) FROM run_step INDEXED BY run_step_evidence WHERE run_id=?1 AND evidence_failed > 0 AND n>?2",
         "SELECT max(n) FROM run_step INDEXED BY run_step_evidence WHERE run_id=?1 AND evidence_failed > 0 AND n<?2"},
};

bool review_next(struct review *r, enum review_mark what, int64_t from, bool forward, int64_t *n,
                 struct err *err)
{
    /* NULL, where there is none, is 0 */
    return db_number(case_db(r->c), forward ? marks[what].forward : marks[what].back,
                     (int64_t[]){r->run.id, from}, 2, n, err) > 0;
}
