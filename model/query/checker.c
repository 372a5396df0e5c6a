/*
 * The findings of a run. Looking at texts takes longer than all the rest of a session, and one step
 * may hold megabytes, so it is done on a thread of its own: the explorer answers keys meanwhile.
 */
#include <signal.h>

#include "base/mem.h"
#include "model/case/turns.h"
#include "model/query/review_internal.h"

struct checker {
    struct case_file *c;
    int64_t run_id;
    struct turns turns;
    struct run_options options;
    struct run_visitor visitor;
    struct label_pool *pool;
    struct replayer *replayer;
    struct buf detail;
    pthread_t thread;
    bool runs;      /* the thread was begun and not waited for */
    int result;     /* of it, as checker_some */
    struct err err; /* of it */
};

static bool write_finding(void *arg, const struct finding *f, size_t index, struct err *err)
{
    struct checker *k = arg;
    struct stmt *stmt = db_stmt(
        case_db(k->c),
        "INSERT INTO finding(run_id, finding_id, code, severity, rank, n, message, detail, suppressed)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        err);
    if (!stmt)
        return false;
    buf_clear(&k->detail);
    finding_detail_json(&k->detail, f, k->options.policy);
    stmt_bind_int(stmt, 1, k->run_id);
    stmt_bind_text(stmt, 2, span_of(f->id));
    stmt_bind_text(stmt, 3, span_of(f->code->code));
    stmt_bind_int(stmt, 4, f->severity);
    stmt_bind_int(stmt, 5, (int64_t)index + 1);
    stmt_bind_int_or_null(stmt, 6, f->n, f->n != 0);
    stmt_bind_text(stmt, 7, f->message.len ? f->message : SPAN_EMPTY);
    stmt_bind_text(stmt, 8, buf_span(&k->detail));
    stmt_bind_text(stmt, 9, f->suppressed);
    return stmt_run(stmt, err);
}

/* Those of another day, on which other dates of the policy held. */
static bool drop_findings(struct case_file *c, int64_t run, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "DELETE FROM finding WHERE run_id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, run);
    return stmt_run(stmt, err);
}

static bool say_checked(struct case_file *c, int64_t run, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "UPDATE run SET checked=?2 WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, run);
    stmt_bind_int(stmt, 2, policy_today());
    return stmt_run(stmt, err);
}

static bool write_findings(struct checker *k, struct err *err)
{
    struct db *db = case_db(k->c);
    struct run ignored;
    struct label context;
    bool own = !db_in_transaction(db);
    if (own && !case_begin_derived(k->c, err))
        return false;
    bool ok = drop_findings(k->c, k->run_id, err) &&
              replayer_finish(k->replayer, &ignored, &context, err) &&
              say_checked(k->c, k->run_id, err) && (!own || db_commit(db, err));
    if (!ok && own)
        db_rollback(db);
    return ok;
}

static void *checker_run(void *arg)
{
    enum { CHECKER_STEPS = 64 };
    struct checker *k = arg;
    int more = turns_take(&k->turns) ? 1 : -1;
    while (more > 0)
        more = replayer_some(k->replayer, CHECKER_STEPS, &k->err);
    k->result =
        more == 0 && replayer_ask(k->replayer, &k->err) && write_findings(k, &k->err) ? 0 : -1;
    turns_leave(&k->turns);
    return NULL;
}

struct checker *checker_create(struct case_file *c, int64_t session, const struct policy *policy,
                               const struct run *run, struct err *err)
{
    struct checker *k = NEW(struct checker);
    k->c = c;
    k->run_id = run->id;
    turns_init(&k->turns);
    k->options = (struct run_options){.policy = policy, .turns = &k->turns};
    k->visitor = (struct run_visitor){.arg = k, .finding = write_finding};
    k->pool = label_pool_create();
    k->replayer = replayer_create(c, session, &k->options, k->pool, &k->visitor, err);
    if (k->replayer)
        return k;
    checker_destroy(k);
    return NULL;
}

static void checker_wait(struct checker *k)
{
    if (k->runs)
        pthread_join(k->thread, NULL);
    k->runs = false;
}

void checker_destroy(struct checker *k)
{
    if (!k)
        return;
    turns_end(&k->turns);
    checker_wait(k);
    turns_finish(&k->turns);
    replayer_destroy(k->replayer);
    label_pool_destroy(k->pool);
    buf_finish(&k->detail);
    mem_free(k);
}

/* Signals are the caller's business: the thread takes none. */
static bool checker_begin(struct checker *k, struct err *err)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    k->runs = pthread_create(&k->thread, NULL, checker_run, k) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return k->runs || err_set(err, ERR_INTERNAL, case_path(k->c), "close some programs",
                              "the system gives no thread to look for findings with");
}

static bool slice_ends(void *arg, bool hurry)
{
    struct slice *slice = arg;
    return hurry ? slice->stop && slice->stop(slice->arg) : slice_is_over(slice);
}

int checker_some(struct checker *k, struct slice *slice, int64_t *done, struct err *err)
{
    if (!k->runs && !checker_begin(k, err))
        return -1;
    bool left = turns_lend(&k->turns, slice_ends, slice);
    *done = replayer_done(k->replayer);
    if (!left)
        return 1;
    checker_wait(k);
    if (k->result < 0)
        *err = k->err;
    return k->result;
}
