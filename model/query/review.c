#include <stdio.h>

#include "base/mem.h"
#include "model/query/evidence.h"
#include "model/query/review_internal.h"

/* Verdicts on evidence come first: replay rests on them. A stranger's are not trusted. */
static bool evidence_first(struct case_file *c, bool recompute, struct err *err)
{
    bool pending = false;
    if (!recompute && !case_evidence_pending(c, &pending, err))
        return false;
    return (!recompute && !pending) || case_resolve_evidence(c, NULL, NULL, NULL, err);
}

struct review *review_open(struct case_file *c, int64_t session, const struct policy *policy,
                           bool recompute, review_progress progress, void *arg, struct err *err)
{
    const struct run_options options = {
        .policy = policy, .recompute = recompute, .progress = progress, .arg = arg};
    struct review *r = NEW(struct review);
    r->c = c;
    r->session = session;
    r->policy = policy;
    r->pool = label_pool_create();
    labels_init(&r->labels, c, r->pool);
    if (evidence_first(c, recompute, err) &&
        run_ensure(c, session, &options, r->pool, &r->run, err)) {
        r->steps = r->run.steps;
        r->stream = stream_open(c, session, 1, STREAM_RESULTS, err);
        if (r->stream)
            return r;
    }
    review_close(r);
    return NULL;
}

bool review_is_checked(const struct review *r)
{
    return r->run.checked;
}

int review_check_some(struct review *r, struct slice *slice, int64_t *done, struct err *err)
{
    *done = r->steps;
    if (r->run.checked)
        return 0;
    if (!r->checker)
        r->checker = checker_create(r->c, r->session, r->policy, &r->run, err);
    int more = r->checker ? checker_some(r->checker, slice, done, err) : -1;
    if (more > 0)
        return 1;
    checker_destroy(r->checker);
    r->checker = NULL;
    r->run.checked = more == 0;
    mem_free(r->strip); /* its findings were not known */
    r->strip = NULL;
    return more;
}

bool review_check(struct review *r, review_progress progress, void *arg, struct err *err)
{
    int64_t done;
    int more;
    for (;;) {
        struct slice slice = slice_begin(NULL, NULL);
        more = review_check_some(r, &slice, &done, err);
        if (more <= 0)
            break;
        if (progress && !progress(arg, done, r->steps))
            return err_set(err, ERR_INTERNAL, case_path(r->c), NULL, "stopped at step %lld of %lld",
                           (long long)done, (long long)r->steps);
    }
    return more == 0;
}

void review_rest(struct review *r)
{
    struct err ignored;
    stream_close(r->whole); /* it is opened again when a step is explained */
    r->whole = NULL;
    stream_seek(r->stream, 1, &ignored);
}

void review_close(struct review *r)
{
    if (!r)
        return;
    checker_destroy(r->checker);
    stream_close(r->stream);
    stream_close(r->whole);
    replay_destroy(r->replay);
    labels_finish(&r->labels);
    label_pool_destroy(r->pool);
    buf_finish(&r->body);
    buf_finish(&r->call_body);
    buf_finish(&r->context.rule);
    arena_finish(&r->arena);
    mem_free(r->strip);
    mem_free(r);
}

int64_t review_session(const struct review *r)
{
    return r->session;
}

int64_t review_steps(const struct review *r)
{
    return r->steps;
}

struct label_pool *review_labels(struct review *r)
{
    return r->pool;
}

const struct policy *review_policy(const struct review *r)
{
    return r->policy;
}

bool review_step_id(struct review *r, int64_t n, int64_t *id, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(r->c), "SELECT id FROM step WHERE session_id=?1 AND n=?2", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    stmt_bind_int(stmt, 2, n);
    int row = stmt_step(stmt, err);
    *id = row > 0 ? stmt_int(stmt, 0) : 0;
    stmt_finish(stmt);
    if (row != 0)
        return row > 0;
    if (r->steps == 0)
        return err_set(err, ERR_USAGE, case_path(r->c), NULL, "the session has no steps");
    char todo[64];
    snprintf(todo, sizeof todo, "its steps are 1 to %lld", (long long)r->steps);
    return err_set(err, ERR_USAGE, case_path(r->c), todo, "the session has no step %lld",
                   (long long)n);
}

static bool review_count_findings(struct review *r, struct review_summary *out, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT severity, count(*) FROM finding WHERE run_id=?1 AND suppressed IS NULL GROUP BY severity",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        int64_t severity = stmt_int(stmt, 0);
        if (severity >= SEVERITY_INFO && severity <= SEVERITY_CRITICAL)
            out->findings[severity] = stmt_int(stmt, 1);
    }
    stmt_finish(stmt);
    return row == 0;
}

bool review_context_began(struct review *r, int64_t last, int64_t *since, struct err *err)
{
    static const char sql[] =
        "SELECT n FROM step WHERE session_id=?1 AND n<=?2 AND kind IN ('prompt', 'reset')"
        " AND kind = 'reset' AND tool = 'clear' ORDER BY n DESC LIMIT 1";
    return db_number(case_db(r->c), sql, (int64_t[]){r->session, last}, 2, since, err) >= 0;
}

int review_names_little(struct review *r, struct err *err)
{
    enum { FAR_MORE = 16 };
    int64_t last;
    int row = db_number(case_db(r->c), "SELECT coalesce(max(id), 0) FROM evidence_ref", NULL, 0,
                        &last, err);
    return row > 0 ? last < r->steps / FAR_MORE : -1;
}

/* Evidence that the labels of the session name. */
static bool review_count_evidence(struct review *r, struct review_summary *out, struct err *err)
{
#define EVIDENCE_COUNTS                                                                            \
    "SELECT count(*), coalesce(sum(verdict = 'recomputed'), 0), coalesce(sum(failed), 0) FROM "
#define EVIDENCE_OF_SESSION                                                                        \
    " ON step.id = step_id LEFT JOIN evidence_verdict ON ref_id = evidence_ref.id"                 \
    " WHERE session_id=?1"
    static const char by_step[] =
        EVIDENCE_COUNTS "step CROSS JOIN evidence_ref" EVIDENCE_OF_SESSION;
    static const char by_reference[] =
        EVIDENCE_COUNTS "evidence_ref CROSS JOIN step" EVIDENCE_OF_SESSION;
    int little = review_names_little(r, err);
    struct stmt *stmt =
        little < 0 ? NULL : db_stmt(case_db(r->c), little ? by_reference : by_step, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    int row = stmt_step(stmt, err);
    if (row > 0) {
        out->evidence_refs = stmt_int(stmt, 0);
        out->evidence_recomputed = stmt_int(stmt, 1);
        out->evidence_failed = stmt_int(stmt, 2);
    }
    stmt_finish(stmt);
    return row > 0;
}

bool review_summary(struct review *r, struct review_summary *out, struct err *err)
{
    *out = (struct review_summary){
        .steps = r->run.steps,
        .first_untrusted = r->run.first_untrusted,
        .first_private = r->run.first_private,
        .first_denied = r->run.first_denied,
        .denied = r->run.denied,
        .asked = r->run.asked,
        .unclaimed = r->run.unclaimed,
    };
    return review_count_evidence(r, out, err) && review_count_findings(r, out, err);
}
