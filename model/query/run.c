/* From steps to rows: a session is replayed once under a policy, and the run is kept. */

#include "base/mem.h"
#include "model/case/source.h"
#include "model/evidence/verdict.h"
#include "model/findings/check.h"
#include "model/query/review_internal.h"

#define PROGRAM "strandline " STRANDLINE_VERSION

/* ---- runs that are kept ---- */

bool run_steps_of(struct case_file *c, int64_t session, int64_t *steps, struct err *err)
{
    return db_number(case_db(c), "SELECT max(n) FROM step WHERE session_id=?1", &session, 1, steps,
                     err) > 0;
}

/* Findings say what is accepted, and that may end on a day: then they hold only on the day on which
 * they were written, as `checked` says. */
static bool findings_hold(const struct policy *policy, int64_t checked)
{
    return checked && (checked == policy_today() || !policy_has_dates(policy));
}

bool run_find(struct case_file *c, int64_t session, const struct policy *policy, struct run *run,
              struct err *err)
{
    *run = (struct run){0};
    int64_t steps;
    if (!run_steps_of(c, session, &steps, err))
        return false;
    struct stmt *stmt = db_stmt(
        case_db(c),
        "SELECT id, steps, first_untrusted, first_private, first_denied, denied, asked, unclaimed,"
        " final_label, checked FROM run WHERE session_id=?1 AND policy_digest=?2 AND catalogue_digest=?3"
        " AND program=?4 AND steps=?5",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_text(stmt, 2, span_of(policy_digest(policy)));
    stmt_bind_text(stmt, 3, span_of(policy_catalogue_digest(policy)));
    stmt_bind_text(stmt, 4, SPAN(PROGRAM));
    stmt_bind_int(stmt, 5, steps);
    int row = stmt_step(stmt, err);
    if (row > 0)
        *run = (struct run){stmt_int(stmt, 0), stmt_int(stmt, 1),
                            stmt_int(stmt, 2), stmt_int(stmt, 3),
                            stmt_int(stmt, 4), stmt_int(stmt, 5),
                            stmt_int(stmt, 6), stmt_int(stmt, 7),
                            stmt_int(stmt, 8), findings_hold(policy, stmt_int(stmt, 9))};
    stmt_finish(stmt);
    return row >= 0;
}

/* Drops the run that is about to be made again, and those of other versions of the program. */
static bool drop_old(struct case_file *c, int64_t session, const struct policy *policy,
                     struct err *err)
{
    static const char *const drops[] = {
        "DELETE FROM run_step WHERE run_id IN (SELECT id FROM run WHERE session_id=?1 AND"
        " (program<>?4 OR (policy_digest=?2 AND catalogue_digest=?3)))",
        "DELETE FROM finding WHERE run_id IN (SELECT id FROM run WHERE session_id=?1 AND"
        " (program<>?4 OR (policy_digest=?2 AND catalogue_digest=?3)))",
        "DELETE FROM run WHERE session_id=?1 AND"
        " (program<>?4 OR (policy_digest=?2 AND catalogue_digest=?3))",
    };
    for (size_t i = 0; i < COUNT_OF(drops); i++) {
        struct stmt *stmt = db_stmt(case_db(c), drops[i], err);
        if (!stmt)
            return false;
        stmt_bind_int(stmt, 1, session);
        stmt_bind_text(stmt, 2, span_of(policy_digest(policy)));
        stmt_bind_text(stmt, 3, span_of(policy_catalogue_digest(policy)));
        stmt_bind_text(stmt, 4, SPAN(PROGRAM));
        if (!stmt_run(stmt, err))
            return false;
    }
    return true;
}

static bool insert_run(struct case_file *c, int64_t session, const struct policy *policy,
                       const char *program, int64_t *id, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c),
                "INSERT INTO run(session_id, policy, policy_digest, catalogue_digest, program)"
                " VALUES(?1, ?2, ?3, ?4, ?5)",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_text(stmt, 2, span_of(policy_name(policy)));
    stmt_bind_text(stmt, 3, span_of(policy_digest(policy)));
    stmt_bind_text(stmt, 4, span_of(policy_catalogue_digest(policy)));
    stmt_bind_text(stmt, 5, span_of(program));
    bool ok = stmt_run(stmt, err);
    *id = db_last_id(case_db(c));
    return ok;
}

static bool finish_run(struct case_file *c, const struct run *run, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(c),
        "UPDATE run SET steps=?2, first_untrusted=?3, first_private=?4, first_denied=?5, denied=?6,"
        " asked=?7, unclaimed=?8, final_label=?9 WHERE id=?1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, run->id);
    stmt_bind_int(stmt, 2, run->steps);
    stmt_bind_int_or_null(stmt, 3, run->first_untrusted, run->first_untrusted != 0);
    stmt_bind_int_or_null(stmt, 4, run->first_private, run->first_private != 0);
    stmt_bind_int_or_null(stmt, 5, run->first_denied, run->first_denied != 0);
    stmt_bind_int(stmt, 6, run->denied);
    stmt_bind_int(stmt, 7, run->asked);
    stmt_bind_int(stmt, 8, run->unclaimed);
    stmt_bind_int(stmt, 9, run->final_label);
    return stmt_run(stmt, err);
}

/* ---- writing one ---- */

struct run_writer {
    struct case_file *c;
    struct label_pool *pool;
    const struct policy *policy;
    int64_t run_id;
    struct labels labels;
    struct stmt *insert;
};

/* 1: the integrity of the context rose, 2: its confidentiality. */
static int what_rose(const struct label_pool *pool, struct label before, struct label after)
{
    int rose = after.integrity > before.integrity ? 1 : 0;
    if (after.readers == before.readers && after.markers == before.markers)
        return rose;
    after.integrity = before.integrity;
    return label_flows_to(pool, after, before) ? rose : rose | 2;
}

static struct span word(const char *ours)
{
    return ours && ours[0] ? span_of(ours) : (struct span){0};
}

static int failed_evidence(const struct replay_input *input)
{
    int failed = 0;
    enum evidence_verdict verdict;
    for (size_t i = 0; i < input->evidence_count; i++)
        failed += evidence_verdict_find(span_of(input->evidence[i].verdict), &verdict) &&
                  evidence_verdict_failed(verdict);
    return failed;
}

static bool write_step(void *arg, const struct replay_input *input, const struct replay_out *out,
                       struct err *err)
{
    struct run_writer *p = arg;
    int64_t label = 0, before, after;
    if ((out->has_label && !labels_row(&p->labels, out->label, &label, err)) ||
        !labels_row(&p->labels, out->before, &before, err) ||
        !labels_row(&p->labels, out->after, &after, err))
        return false;
    struct stmt *stmt = p->insert;
    stmt_bind_int(stmt, 2, input->step->n);
    stmt_bind_int_or_null(stmt, 3, label, out->has_label);
    stmt_bind_int(stmt, 4, before);
    stmt_bind_int(stmt, 5, after);
    stmt_bind_text(stmt, 6,
                   out->has_label ? word(label_origin_word(out->origin)) : (struct span){0});
    stmt_bind_text(stmt, 7, word(out->rule));
    stmt_bind_int(stmt, 8, out->unclaimed);
    stmt_bind_int(stmt, 9, out->role);
    stmt_bind_text(stmt, 10,
                   out->role_origin == ROLE_FROM_NONE ? (struct span){0}
                                                      : word(role_origin_word(out->role_origin)));
    stmt_bind_text(stmt, 11, out->audience.len ? out->audience : (struct span){0});
    stmt_bind_int(stmt, 12, out->audience_assumed);
    stmt_bind_text(stmt, 13, word(verdict_word(out->verdict)));
    stmt_bind_text(stmt, 14, word(verdict_word(out->trusted_action)));
    stmt_bind_text(stmt, 15, word(verdict_word(out->permitted_flow)));
    stmt_bind_int(stmt, 16, what_rose(p->pool, out->before, out->after));
    stmt_bind_int(stmt, 17, failed_evidence(input));
    stmt_bind_int(stmt, 18, out->names);
    stmt_bind_int(stmt, 19, out->follows);
    return stmt_run(stmt, err);
}

/* The statement that write_step runs. */
static bool prepare_steps(struct run_writer *w, struct err *err)
{
    w->insert = db_prepare(
        case_db(w->c),
        SPAN(
            "INSERT INTO run_step(run_id, n, label_id, before_id, after_id, origin, rule, unclaimed, role,"
            " role_origin, audience, audience_assumed, verdict, trusted_action, permitted_flow, changed,"
            " evidence_failed, names, follows)"
            " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)"),
        err);
    if (w->insert)
        stmt_bind_int(w->insert, 1, w->run_id);
    return w->insert != NULL;
}

static bool replay_session(struct case_file *c, int64_t session, const struct run_options *options,
                           struct label_pool *pool, struct run *run, struct err *err)
{
    struct run_writer w = {.c = c, .pool = pool, .policy = options->policy};
    const struct run_visitor visitor = {.arg = &w, .step = write_step};
    struct label context;
    labels_init(&w.labels, c, pool);
    *run = (struct run){0};
    bool ok = drop_old(c, session, options->policy, err) &&
              insert_run(c, session, options->policy, PROGRAM, &w.run_id, err);
    ok = ok && prepare_steps(&w, err);
    if (ok) {
        ok = run_replay(c, session, options, pool, &visitor, NULL, run, &context, err) &&
             labels_row(&w.labels, context, &run->final_label, err);
        run->id = w.run_id;
        ok = ok && finish_run(c, run, err);
    }
    stmt_finish(w.insert);
    labels_finish(&w.labels);
    return ok;
}

/* ---- sub-agents first ---- */

struct run_pending {
    int64_t session;
    bool opened; /* its sub-agents are on the list already */
};

struct worklist {
    struct run_pending *items; /* a stack */
    size_t count, size;
    int64_t *seen;
    size_t seen_count, seen_size;
};

/* A stranger's case may say that two sessions run each other: each is taken once. */
static void push_once(struct worklist *list, int64_t session)
{
    for (size_t i = 0; i < list->seen_count; i++)
        if (list->seen[i] == session)
            return;
    list->seen = mem_one_more(list->seen, list->seen_count, &list->seen_size, sizeof *list->seen);
    list->seen[list->seen_count++] = session;
    list->items = mem_one_more(list->items, list->count, &list->size, sizeof *list->items);
    list->items[list->count++] = (struct run_pending){session, false};
}

static bool push_children(struct case_file *c, struct worklist *list, int64_t session,
                          struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(c),
        "SELECT DISTINCT child_id FROM step WHERE session_id=?1 AND child_id IS NOT NULL", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row;
    while ((row = stmt_step(stmt, err)) > 0)
        push_once(list, stmt_int(stmt, 0));
    stmt_finish(stmt);
    return row == 0;
}

static bool ensure_all(struct case_file *c, int64_t root, const struct run_options *options,
                       struct label_pool *pool, struct run *run, struct err *err)
{
    struct worklist list = {0};
    bool ok = true;
    push_once(&list, root);
    while (ok && list.count) {
        struct run_pending *top = &list.items[list.count - 1];
        int64_t session = top->session;
        if (!top->opened) {
            top->opened = true;
            ok = push_children(c, &list, session, err);
            continue;
        }
        list.count--;
        struct run found = {0};
        ok = (options->recompute || run_find(c, session, options->policy, &found, err)) &&
             (found.id || replay_session(c, session, options, pool, &found, err));
        if (session == root)
            *run = found;
    }
    mem_free(list.items);
    mem_free(list.seen);
    return ok;
}

/* Makes the run the one that v_run gives. */
static bool mark_used(struct case_file *c, int64_t session, int64_t run, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(c),
        "UPDATE run SET used = 1 + (SELECT max(used) FROM run WHERE session_id=?1) WHERE id=?2",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, run);
    return stmt_run(stmt, err);
}

static bool is_latest(struct case_file *c, int64_t session, int64_t run, bool *latest,
                      struct err *err)
{
    int64_t last = 0;
    int row = db_number(case_db(c), "SELECT run_id FROM v_run WHERE session_id=?1", &session, 1,
                        &last, err);
    *latest = row > 0 && last == run;
    return row >= 0;
}

bool run_ensure(struct case_file *c, int64_t session, const struct run_options *options,
                struct label_pool *pool, struct run *run, struct err *err)
{
    bool latest = false;
    if (!options->recompute) { /* the usual case needs no lock */
        if (!run_find(c, session, options->policy, run, err) ||
            (run->id && !is_latest(c, session, run->id, &latest, err)))
            return false;
        if (latest)
            return true;
    }
    bool own = !db_in_transaction(case_db(c));
    if (own && !case_begin_derived(c, err))
        return false;
    bool ok = ensure_all(c, session, options, pool, run, err) &&
              mark_used(c, session, run->id, err) && (!own || db_commit(case_db(c), err));
    if (!ok && own)
        db_rollback(case_db(c));
    return ok;
}

/* ---- a run that is only looked at ---- */

struct run_trial {
    struct run_writer writer;
};

struct run_trial *run_trial_begin(struct case_file *c, int64_t session, const struct policy *policy,
                                  struct label_pool *pool, struct err *err)
{
    if (!case_begin_derived(c, err))
        return NULL;
    struct run_trial *trial = NEW(struct run_trial);
    struct run_writer *w = &trial->writer;
    *w = (struct run_writer){.c = c, .pool = pool, .policy = policy};
    labels_init(&w->labels, c, pool);
    if (insert_run(c, session, policy, "what-if", &w->run_id, err) &&
        mark_used(c, session, w->run_id, err) && prepare_steps(w, err))
        return trial;
    run_trial_end(trial);
    return NULL;
}

bool run_trial_step(struct run_trial *trial, const struct replay_input *input,
                    const struct replay_out *out, struct err *err)
{
    return write_step(&trial->writer, input, out, err);
}

void run_trial_end(struct run_trial *trial)
{
    if (!trial)
        return;
    struct run_writer *w = &trial->writer;
    stmt_finish(w->insert);
    labels_finish(&w->labels);
    db_rollback(case_db(w->c));
    mem_free(trial);
}
