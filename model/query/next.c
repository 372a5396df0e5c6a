/* The next step of some kind, by index: no scan of the steps between. */
#include "model/query/review_internal.h"

/* ?1 run, ?2 session, ?3 the step to start from */
static const struct {
    const char *forward, *back;
} marks[] = {
    [MARK_VIOLATION] = {
        "SELECT min(n) FROM run_step WHERE run_id=?1 AND verdict IN ('ask', 'deny') AND n>?3",
        "SELECT max(n) FROM run_step WHERE run_id=?1 AND verdict IN ('ask', 'deny') AND n<?3"},
    [MARK_LABEL_CHANGE] = {
        "SELECT min(n) FROM run_step WHERE run_id=?1 AND changed > 0 AND n>?3",
        "SELECT max(n) FROM run_step WHERE run_id=?1 AND changed > 0 AND n<?3"},
    [MARK_FINDING] = {
        "SELECT min(n) FROM finding WHERE run_id=?1 AND n>?3",
        "SELECT max(n) FROM finding WHERE run_id=?1 AND n<?3"},
    [MARK_EVIDENCE_BAD] = {
        "SELECT min(step.n) FROM evidence_verdict JOIN evidence_ref ON evidence_ref.id = ref_id"
        " JOIN step ON step.id = step_id WHERE failed AND session_id=?2 AND step.n>?3",
        "SELECT max(step.n) FROM evidence_verdict JOIN evidence_ref ON evidence_ref.id = ref_id"
        " JOIN step ON step.id = step_id WHERE failed AND session_id=?2 AND step.n<?3"},
};

bool review_next(struct review *r, enum review_mark what, int64_t from, bool forward, int64_t *n,
                 struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(r->c), forward ? marks[what].forward : marks[what].back, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    if (what == MARK_EVIDENCE_BAD)
        stmt_bind_int(stmt, 2, r->session);
    stmt_bind_int(stmt, 3, from);
    int row = stmt_step(stmt, err);
    *n = row > 0 ? stmt_int(stmt, 0) : 0; /* NULL, where there is none, is 0 */
    stmt_finish(stmt);
    return row > 0;
}
