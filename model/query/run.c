/* From steps to rows: a session is replayed once under a policy, and the run is kept. */
#include <stdio.h>

#include "base/mem.h"
#include "model/case/source.h"
#include "model/evidence/verdict.h"
#include "model/findings/check.h"
#include "model/query/review_internal.h"

#define PROGRAM "strandline " STRANDLINE_VERSION

/* ---- runs that are kept ---- */

static bool steps_of(struct case_file *c, int64_t session, int64_t *steps, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "SELECT max(n) FROM step WHERE session_id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row = stmt_step(stmt, err);
    *steps = row > 0 ? stmt_int(stmt, 0) : 0;
    stmt_finish(stmt);
    return row > 0;
}

bool run_find(struct case_file *c, int64_t session, const struct policy *policy, struct run *run,
              struct err *err)
{
    *run = (struct run){0};
    int64_t steps;
    if (!steps_of(c, session, &steps, err))
        return false;
    struct stmt *stmt = db_stmt(
        case_db(c),
        "SELECT id, steps, first_untrusted, first_private, first_denied, denied, asked, unclaimed,"
        " final_label FROM run WHERE session_id=?1 AND policy_digest=?2 AND catalogue_digest=?3"
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
        *run = (struct run){stmt_int(stmt, 0), stmt_int(stmt, 1), stmt_int(stmt, 2),
                            stmt_int(stmt, 3), stmt_int(stmt, 4), stmt_int(stmt, 5),
                            stmt_int(stmt, 6), stmt_int(stmt, 7), stmt_int(stmt, 8)};
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
                       int64_t *id, struct err *err)
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
    stmt_bind_text(stmt, 5, SPAN(PROGRAM));
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

/* ---- what the policy wants to see ---- */

bool run_load_bodies(struct case_file *c, struct replay *replay, const struct streamed *streamed,
                     struct replay_input *input, struct buf *body, struct buf *call_body,
                     struct arena *arena, struct err *err)
{
    const struct step *step = &streamed->step;
    struct err unread = {0}; /* bytes that can't be read are not loaded; `verify` tells of them */
    if (replay_wants_body(replay, step)) {
        buf_clear(body);
        input->has_body = case_read(c, &step->body, 0, body, NULL, &unread);
        input->body = input->has_body ? buf_span(body) : SPAN_EMPTY;
    }
    if (streamed->call && replay_wants_call_body(replay, step)) {
        struct extent at;
        if (!stream_body_of(c, streamed->call, arena, &at, err))
            return false;
        buf_clear(call_body);
        input->has_call_body = case_read(c, &at, 0, call_body, NULL, &unread);
        input->call_body = input->has_call_body ? buf_span(call_body) : SPAN_EMPTY;
    }
    return true;
}

bool run_child_label(struct case_file *c, int64_t child, const struct policy *policy,
                     struct labels *labels, struct replay_input *input, struct err *err)
{
    struct run run;
    if (!run_find(c, child, policy, &run, err))
        return false;
    if (!run.id || !run.final_label)
        return true;
    input->has_child = true;
    input->child_unclaimed = run.unclaimed;
    return labels_at(labels, run.final_label, &input->child_label, err);
}

/* ---- one replay ---- */

struct replayer {
    struct case_file *c;
    int64_t session;
    const struct run_options *options;
    struct label_pool *pool;
    struct labels labels;
    struct replay *replay;
    struct checks *checks;
    struct stmt *insert;
    struct buf body, call_body;
    struct arena arena;
    const struct step *now; /* the step at hand */
    struct run run;
};

static bool read_body(void *arg, int64_t n, uint64_t limit, struct buf *out)
{
    struct replayer *p = arg;
    struct err ignored = {0};
    if (p->now && p->now->n == n) /* nearly always */
        return case_read(p->c, &p->now->body, limit, out, NULL, &ignored);
    struct stmt *stmt =
        db_stmt(case_db(p->c),
                "SELECT source_id, offset, length, recipe FROM step WHERE session_id=?1 AND n=?2",
                &ignored);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, p->session);
    stmt_bind_int(stmt, 2, n);
    bool ok = stmt_step(stmt, &ignored) > 0;
    if (ok) {
        struct extent at = {stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                            (uint64_t)stmt_int(stmt, 2), stmt_text(stmt, 3)};
        ok = case_read(p->c, &at, limit, out, NULL, &ignored);
    }
    stmt_finish(stmt);
    return ok;
}

static bool digest_of_source(void *arg, int64_t source, uint8_t digest[32])
{
    struct replayer *p = arg;
    struct err ignored = {0};
    struct stmt *stmt = db_stmt(case_db(p->c), "SELECT sha256 FROM source WHERE id=?1", &ignored);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    struct span found = stmt_step(stmt, &ignored) > 0 ? stmt_blob(stmt, 0) : SPAN_EMPTY;
    bool ok = found.len == 32;
    if (ok)
        memcpy(digest, found.at, 32);
    stmt_finish(stmt);
    return ok;
}

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

static bool write_step(struct replayer *p, const struct replay_input *input,
                       const struct replay_out *out, struct err *err)
{
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
    return stmt_run(stmt, err);
}

static bool replay_one(struct replayer *p, struct replay_state *state, struct streamed *streamed,
                       struct err *err)
{
    struct replay_input *input = &streamed->input;
    arena_reset(&p->arena);
    if (streamed->child &&
        !run_child_label(p->c, streamed->child, p->options->policy, &p->labels, input, err))
        return false;
    if (!run_load_bodies(p->c, p->replay, streamed, input, &p->body, &p->call_body, &p->arena, err))
        return false;
    struct replay_out out = {0};
    p->now = &streamed->step;
    replay_step(p->replay, state, input, &out);
    checks_step(p->checks, input, &out);
    if (out.verdict == VERDICT_DENY && !p->run.first_denied)
        p->run.first_denied = streamed->step.n;
    return write_step(p, input, &out, err);
}

static bool replay_steps(struct replayer *p, struct err *err)
{
    enum { PROGRESS_EVERY = 2048 };
    struct replay_state state;
    struct streamed streamed;
    int64_t total = 0, done = 0;
    struct stream *stream = stream_open(p->c, p->session, 1, STREAM_CLAIMS, err);
    bool ok = stream && steps_of(p->c, p->session, &total, err);
    replay_start(&state);
    int more;
    while (ok && (more = stream_next(stream, &streamed, err)) != 0) {
        ok = more > 0 && replay_one(p, &state, &streamed, err);
        done++;
        if (ok && p->options->progress && done % PROGRESS_EVERY == 0 &&
            !p->options->progress(p->options->arg, done, total))
            ok = err_set(err, ERR_INTERNAL, case_path(p->c), NULL, "stopped at step %lld of %lld",
                         (long long)done, (long long)total);
    }
    stream_close(stream);
    p->now = NULL;
    if (!ok)
        return false;
    p->run.steps = done;
    p->run.first_untrusted = state.first_untrusted;
    p->run.first_private = state.first_private;
    p->run.denied = state.calls_denied;
    p->run.asked = state.calls_asked;
    p->run.unclaimed = state.unclaimed;
    return labels_row(&p->labels, state.context, &p->run.final_label, err);
}

/* What the importer could not read of the session's sources. */
static bool give_diagnostics(struct replayer *p, struct err *err)
{
    struct stmt *stmt = db_prepare(
        case_db(p->c),
        SPAN(
            "SELECT code, source_id, line, offset, length, what FROM diagnostic WHERE source_id IN"
            " (SELECT source_id FROM session_source WHERE session_id=?1) ORDER BY source_id, offset"),
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, p->session);
    int row;
    while ((row = stmt_step(stmt, err)) > 0)
        checks_diagnostic(p->checks, stmt_text(stmt, 0), stmt_int(stmt, 1),
                          (uint64_t)stmt_int(stmt, 2), (uint64_t)stmt_int(stmt, 3),
                          (uint64_t)stmt_int(stmt, 4), stmt_text(stmt, 5));
    stmt_finish(stmt);
    return row == 0;
}

static bool write_findings(struct replayer *p, struct err *err)
{
    const struct finding *findings;
    size_t count;
    checks_end(p->checks, &findings, &count);
    struct stmt *stmt = db_stmt(
        case_db(p->c),
        "INSERT INTO finding(run_id, finding_id, code, severity, rank, n, message, detail, suppressed)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        err);
    struct buf detail = {0};
    bool ok = stmt != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const struct finding *f = &findings[i];
        buf_clear(&detail);
        finding_detail_json(&detail, f, p->options->policy);
        stmt_bind_int(stmt, 1, p->run.id);
        stmt_bind_text(stmt, 2, span_of(f->id));
        stmt_bind_text(stmt, 3, span_of(f->code->code));
        stmt_bind_int(stmt, 4, f->severity);
        stmt_bind_int(stmt, 5, (int64_t)i + 1);
        stmt_bind_int_or_null(stmt, 6, f->n, f->n != 0);
        stmt_bind_text(stmt, 7, f->message.len ? f->message : SPAN_EMPTY);
        stmt_bind_text(stmt, 8, buf_span(&detail));
        stmt_bind_text(stmt, 9, f->suppressed);
        ok = stmt_run(stmt, err);
    }
    buf_finish(&detail);
    return ok;
}

static bool session_key(struct case_file *c, int64_t session, struct arena *arena, struct span *key,
                        struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "SELECT key, name FROM session WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row = stmt_step(stmt, err);
    if (row > 0)
        *key = arena_copy(arena, stmt_text(stmt, 0).len ? stmt_text(stmt, 0) : stmt_text(stmt, 1));
    stmt_finish(stmt);
    return row > 0 ||
           (row == 0 && err_set(err, ERR_USAGE, case_path(c), "see `strandline sessions`",
                                "no session %lld", (long long)session));
}

static bool replay_session(struct case_file *c, int64_t session, const struct run_options *options,
                           struct label_pool *pool, struct run *run, struct err *err)
{
    struct replayer p = {.c = c, .session = session, .options = options, .pool = pool};
    struct span key = SPAN_EMPTY;
    labels_init(&p.labels, c, pool);
    bool ok = session_key(c, session, &p.arena, &key, err) &&
              drop_old(c, session, options->policy, err) &&
              insert_run(c, session, options->policy, &p.run.id, err);
    if (!ok)
        goto out;
    const struct check_hooks hooks = {&p, read_body, digest_of_source};
    p.replay = replay_create(options->policy, pool);
    p.checks = checks_begin(options->policy, pool, key, &hooks);
    p.insert = db_prepare(
        case_db(c),
        SPAN(
            "INSERT INTO run_step(run_id, n, label_id, before_id, after_id, origin, rule, unclaimed, role,"
            " role_origin, audience, audience_assumed, verdict, trusted_action, permitted_flow, changed,"
            " evidence_failed)"
            " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"),
        err);
    ok = p.insert != NULL;
    if (ok) {
        stmt_bind_int(p.insert, 1, p.run.id);
        ok = replay_steps(&p, err) && give_diagnostics(&p, err) && write_findings(&p, err) &&
             finish_run(c, &p.run, err);
    }
    *run = p.run;
out:
    stmt_finish(p.insert);
    checks_destroy(p.checks);
    replay_destroy(p.replay);
    labels_finish(&p.labels);
    buf_finish(&p.body);
    buf_finish(&p.call_body);
    arena_finish(&p.arena);
    return ok;
}

/* ---- sub-agents first ---- */

struct pending {
    int64_t session;
    bool opened; /* its sub-agents are on the list already */
};

struct worklist {
    struct pending *items; /* a stack */
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
    if (list->seen_count == list->seen_size) {
        list->seen_size = list->seen_size ? list->seen_size * 2 : 16;
        list->seen = mem_resize(list->seen, list->seen_size * sizeof *list->seen);
    }
    list->seen[list->seen_count++] = session;
    if (list->count == list->size) {
        list->size = list->size ? list->size * 2 : 16;
        list->items = mem_resize(list->items, list->size * sizeof *list->items);
    }
    list->items[list->count++] = (struct pending){session, false};
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
        struct pending *top = &list.items[list.count - 1];
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
    struct stmt *stmt = db_stmt(case_db(c), "SELECT run_id FROM v_run WHERE session_id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row = stmt_step(stmt, err);
    *latest = row > 0 && stmt_int(stmt, 0) == run;
    stmt_finish(stmt);
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
