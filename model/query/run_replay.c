/* One session through replay and checks, step by step; what becomes of it is the visitor's. */
#include "base/mem.h"
#include "model/findings/check.h"
#include "model/query/review_internal.h"

/* ---- what the policy wants to see ---- */

/* Whoever waits for the case has it between two pieces. A text that a recipe makes is one. */
static bool read_whole(struct case_file *c, struct turns *turns, const struct extent *where,
                       struct buf *out)
{
    enum { WHOLE_PIECE = 1 << 20 };
    struct err unread = {0}; /* bytes that can't be read are not loaded; `verify` tells of them */
    struct extent piece = *where;
    buf_clear(out);
    if (where->recipe.len)
        return case_read(c, where, 0, out, NULL, &unread);
    for (uint64_t left = where->length; left; left -= piece.length, piece.offset += piece.length) {
        if (left < where->length) {
            turns_give(turns);
            if (!turns_take(turns))
                return false;
        }
        piece.length = left < WHOLE_PIECE ? left : WHOLE_PIECE;
        if (!case_read(c, &piece, 0, out, NULL, &unread))
            return false;
    }
    return true;
}

bool run_load_bodies(struct case_file *c, struct turns *turns, struct replay *replay,
                     const struct streamed *streamed, struct replay_input *input, struct buf *body,
                     struct buf *call_body, struct arena *arena, struct err *err)
{
    const struct step *step = &streamed->step;
    if (replay_wants_body(replay, step)) {
        input->has_body = read_whole(c, turns, &step->body, body);
        input->body = input->has_body ? buf_span(body) : SPAN_EMPTY;
    }
    if (streamed->call && replay_wants_call_body(replay, step)) {
        struct extent at;
        if (!stream_body_of(c, streamed->call, arena, &at, err))
            return false;
        input->has_call_body = read_whole(c, turns, &at, call_body);
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
    if (!run.id || !run.final_label || !run.steps)
        return true; /* nothing of it is recorded: what it had read is not known */
    input->has_child = true;
    input->child_unclaimed = run.unclaimed;
    return labels_at(labels, run.final_label, &input->child_label, err);
}

/* ---- one replay ---- */

struct replayer {
    struct case_file *c;
    int64_t session;
    const struct run_options *options;
    const struct run_visitor *visitor;
    struct labels labels;
    struct replay *replay;
    struct checks *checks;
    struct buf body, call_body;
    struct arena arena;
    const struct step *now; /* the step at hand */
    struct stream *stream;
    struct replay_state state;
    int64_t done, first_denied;
    bool resumed;
};

static bool body_of(struct replayer *p, int64_t n, uint64_t limit, struct buf *out)
{
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

/* The checks ask while they are apart from the case. */
static bool read_body(void *arg, int64_t n, uint64_t limit, struct buf *out)
{
    struct replayer *p = arg;
    if (!turns_take(p->options->turns))
        return false;
    bool ok = body_of(p, n, limit, out);
    turns_give(p->options->turns);
    return ok;
}

/* At the end, when the case is there. */
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

static bool replay_one(struct replayer *p, struct streamed *streamed, struct err *err)
{
    struct replay_state *state = &p->state;
    const struct run_visitor *v = p->visitor;
    struct replay_input *input = &streamed->input;
    arena_reset(&p->arena);
    if (v->skip && v->skip(v->arg, streamed->step.n))
        return true;
    if (streamed->child &&
        !run_child_label(p->c, streamed->child, p->options->policy, &p->labels, input, err))
        return false;
    if (!run_load_bodies(p->c, p->options->turns, p->replay, streamed, input, &p->body,
                         &p->call_body, &p->arena, err))
        return false;
    if (v->prepare && !v->prepare(v->arg, input, err))
        return false;
    struct replay_out out = {0};
    const struct replay_state before = *state;
    p->now = &streamed->step;
    /* From here on it is about texts that were read, which takes long: meanwhile the case is free.
     */
    turns_give(p->options->turns);
    replay_step(p->replay, state, input, &out);
    if (v->edit)
        v->edit(v->arg, &streamed->step, &before, state, &out);
    if (p->checks)
        checks_step(p->checks, input, &out);
    if (!turns_take(p->options->turns))
        return false;
    if (out.verdict == VERDICT_DENY && !p->first_denied)
        p->first_denied = streamed->step.n;
    return !v->step || v->step(v->arg, input, &out, err);
}

int replayer_some(struct replayer *p, int64_t steps, struct err *err)
{
    struct streamed streamed;
    int more = 1;
    for (int64_t i = 0; i < steps && more > 0; i++) {
        more = stream_next(p->stream, &streamed, err);
        if (more <= 0)
            break;
        p->done++;
        if (!replay_one(p, &streamed, err))
            more = -1;
        p->now = NULL;
    }
    return more;
}

int64_t replayer_done(const struct replayer *p)
{
    return p->done;
}

/* The first five columns: source, path, line, offset, length. */
static struct source_bytes bytes_of_row(struct stmt *row)
{
    return (struct source_bytes){.source = stmt_int(row, 0),
                                 .file = stmt_text(row, 1),
                                 .line = (uint64_t)stmt_int(row, 2),
                                 .offset = (uint64_t)stmt_int(row, 3),
                                 .length = (uint64_t)stmt_int(row, 4)};
}

/* What the importer could not read of the session's sources. */
static bool give_diagnostics(struct replayer *p, struct err *err)
{
    struct stmt *stmt = db_prepare(
        case_db(p->c),
        SPAN(
            "SELECT source_id, path, line, offset, length, code, what FROM diagnostic"
            " JOIN source ON source.id = source_id WHERE source_id IN"
            " (SELECT source_id FROM session_source WHERE session_id=?1) ORDER BY source_id, offset"),
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, p->session);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct source_bytes where = bytes_of_row(stmt);
        checks_diagnostic(p->checks, stmt_text(stmt, 5), &where, stmt_text(stmt, 6));
    }
    stmt_finish(stmt);
    return row == 0;
}

/* What was exchanged over HTTP around the beginning of the session, beside its messages: a sign-in.
 * Events stand in the order of their ids. */
static bool give_exchanges(struct replayer *p, struct err *err)
{
    enum { EVENTS_BEFORE = 100, EVENTS_BEHIND = 400, EXCHANGE_BYTES = 64 << 10 };
    struct stmt *stmt =
        db_prepare(case_db(p->c),
                   SPAN("SELECT e.source_id, path, e.line, e.offset, e.length, e.recipe FROM step s"
                        " JOIN event e ON e.id BETWEEN s.event_id - ?2 AND s.event_id + ?3"
                        " JOIN source ON source.id = e.source_id"
                        " WHERE s.session_id=?1 AND s.n=1 AND s.kind='connection'"
                        " AND e.session_id=?1 AND e.kind='http' AND e.length <= ?4 ORDER BY e.id"),
                   err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, p->session);
    stmt_bind_int(stmt, 2, EVENTS_BEFORE);
    stmt_bind_int(stmt, 3, EVENTS_BEHIND);
    stmt_bind_int(stmt, 4, EXCHANGE_BYTES);
    struct buf text = {0};
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct source_bytes where = bytes_of_row(stmt);
        struct extent at = {where.source, where.offset, where.length, stmt_text(stmt, 5)};
        struct err unread = {0};
        buf_clear(&text);
        if (case_read(p->c, &at, EXCHANGE_BYTES, &text, NULL, &unread))
            checks_exchange(p->checks, &where, buf_span(&text));
    }
    stmt_finish(stmt);
    buf_finish(&text);
    return row == 0;
}

static bool give_findings(struct replayer *p, struct err *err)
{
    const struct finding *findings;
    size_t count;
    bool ok = true;
    checks_end(p->checks, &findings, &count);
    for (size_t i = 0; ok && i < count; i++)
        ok = p->visitor->finding(p->visitor->arg, &findings[i], i, err);
    return ok;
}

/* What findings know the session by. Where the log gives it no id, that is its bytes: a name comes
 * from folders, and they differ between machines. */
static bool session_key(struct case_file *c, int64_t session, struct arena *arena, struct span *key,
                        struct span *name, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(c),
        "SELECT coalesce(nullif(key, ''), (SELECT hex(min(source.sha256)) FROM session_source"
        " JOIN source ON source.id = source_id WHERE session_id = session.id), ''),"
        " coalesce(nullif(key, ''), name) FROM session WHERE id=?1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row = stmt_step(stmt, err);
    if (row > 0) {
        *key = arena_copy(arena, stmt_text(stmt, 0));
        *name = arena_copy(arena, stmt_text(stmt, 1));
    }
    stmt_finish(stmt);
    return row > 0 ||
           (row == 0 && err_set(err, ERR_USAGE, case_path(c), "see `strandline sessions`",
                                "no session %lld", (long long)session));
}

struct replayer *replayer_create(struct case_file *c, int64_t session,
                                 const struct run_options *options, struct label_pool *pool,
                                 const struct run_visitor *visitor, struct err *err)
{
    struct replayer *p = NEW(struct replayer);
    struct span key = SPAN_EMPTY, name = SPAN_EMPTY;
    *p = (struct replayer){.c = c, .session = session, .options = options, .visitor = visitor};
    labels_init(&p->labels, c, pool);
    replay_start(&p->state);
    p->stream = stream_open(c, session, 1, STREAM_CLAIMS, err);
    if (!p->stream || !session_key(c, session, &p->arena, &key, &name, err)) {
        replayer_destroy(p);
        return NULL;
    }
    const struct check_hooks hooks = {
        .arg = p, .body = read_body, .source_digest = digest_of_source, .session_name = name};
    p->replay = replay_create(options->policy, pool);
    if (visitor->finding)
        p->checks = checks_begin(options->policy, pool, key, &hooks);
    if (p->checks && !run_declare_roots(c, session, p->checks, err)) {
        replayer_destroy(p);
        return NULL;
    }
    return p;
}

static bool replayer_resume(struct replayer *p, const struct run_resume *from, struct err *err)
{
    p->resumed = true;
    p->state = from->state;
    p->first_denied = from->first_denied;
    p->done = from->n - 1;
    if (p->checks)
        checks_resume(p->checks, &from->checks);
    return review_give_prompts(from->review, p->replay, err) &&
           stream_seek(p->stream, from->n, err);
}

void replayer_destroy(struct replayer *p)
{
    if (!p)
        return;
    stream_close(p->stream);
    checks_destroy(p->checks);
    replay_destroy(p->replay);
    labels_finish(&p->labels);
    buf_finish(&p->body);
    buf_finish(&p->call_body);
    arena_finish(&p->arena);
    mem_free(p);
}

/* ---- queries of the policy ---- */

enum { QUERY_MS = 10000, QUERY_ROWS = 10000 };

struct asked_row {
    int64_t step;
    struct span message;
};

struct asking {
    struct replayer *p; /* NULL: it is only tried */
    struct arena arena;
    struct asked_row *rows;
    size_t count, size, seen;
    bool lacks_columns;
};

static int column_of(struct stmt *row, const char *name)
{
    for (int i = 0; i < stmt_columns(row); i++)
        if (span_is(stmt_column_name(row, i), name))
            return i;
    return -1;
}

static bool names_a_step(void *arg, struct stmt *row)
{
    struct asking *a = arg;
    a->lacks_columns = column_of(row, "session_id") < 0 || column_of(row, "step") < 0;
    return !a->lacks_columns;
}

static void keep_row(struct asking *a, int64_t step, struct span message)
{
    a->rows = mem_one_more(a->rows, a->count, &a->size, sizeof *a->rows);
    a->rows[a->count++] = (struct asked_row){step, arena_copy(&a->arena, message)};
}

/* A finding about the step that the row names, if it is of this session; the other columns are its
 * message. */
static bool take_row(void *arg, struct stmt *row)
{
    struct asking *a = arg;
    int session = column_of(row, "session_id"), step = column_of(row, "step");
    struct buf message = {0};
    if (a->p && stmt_int(row, session) == a->p->session) {
        for (int i = 0; i < stmt_columns(row); i++) {
            if (i == session || i == step || stmt_is_null(row, i))
                continue;
            buf_puts(&message, message.len ? ", " : "");
            buf_add(&message, span_sub(stmt_text(row, i), 0, 200));
        }
        keep_row(a, stmt_int(row, step), buf_span(&message));
    }
    buf_finish(&message);
    return ++a->seen < QUERY_ROWS;
}

static bool case_is_wanted(void *arg)
{
    const struct asking *a = arg;
    return a->p && turns_wanted(a->p->options->turns);
}

/* Asks one query; its errors name the policy's file, where in it, and the query. */
static bool ask_query(struct case_file *c, const struct policy *policy, size_t index,
                      struct asking *asking, struct err *err)
{
    const struct db_reading reading = {.milliseconds = QUERY_MS,
                                       .stop = case_is_wanted,
                                       .head = names_a_step,
                                       .row = take_row,
                                       .arg = asking};
    struct span name, sql;
    policy_query(policy, index, &name, &sql);
    bool ok = db_read(case_db(c), sql, &reading, err);
    if (ok && asking->lacks_columns)
        ok = err_set(err, ERR_USAGE, "SQL", "select session_id and step, as v_step has them",
                     "it doesn't say which step a row is about");
    return ok || err_set(err, err->kind, policy_query_where(policy, index), err->todo,
                         "the query '%.*s': %s", SPAN_ARG(name), err->what);
}

static void asking_finish(struct asking *asking)
{
    arena_finish(&asking->arena);
    mem_free(asking->rows);
}

bool query_try_queries(const struct policy *policy, struct err *err)
{
    struct span name, sql;
    if (!policy_query(policy, 0, &name, &sql))
        return true;
    struct case_file *c = case_temporary(err);
    bool ok = c != NULL;
    for (size_t i = 0; ok && policy_query(policy, i, &name, &sql); i++) {
        struct asking asking = {.p = NULL};
        ok = ask_query(c, policy, i, &asking, err);
        asking_finish(&asking);
    }
    case_close(c);
    return ok;
}

/* One query, once more from its beginning where the case was wanted meanwhile. */
static bool ask_until_answered(struct replayer *p, size_t index, struct span name, struct err *err)
{
    struct turns *turns = p->options->turns;
    for (;;) {
        struct asking asking = {.p = p};
        bool ok = ask_query(p->c, p->options->policy, index, &asking, err);
        bool again = !ok && turns_wanted(turns);
        for (size_t i = 0; ok && i < asking.count; i++)
            checks_row(p->checks, asking.rows[i].step, name, asking.rows[i].message);
        asking_finish(&asking);
        if (!again)
            return ok;
        *err = (struct err){0};
        turns_give(turns);
        if (!turns_take(turns))
            return false;
    }
}

bool replayer_ask(struct replayer *p, struct err *err)
{
    struct span name, sql;
    bool ok = true;
    turns_be_patient(p->options->turns, true);
    for (size_t i = 0; ok && policy_query(p->options->policy, i, &name, &sql); i++)
        ok = ask_until_answered(p, i, name, err);
    turns_be_patient(p->options->turns, false);
    return ok;
}

bool replayer_finish(struct replayer *p, struct run *run, struct label *context, struct err *err)
{
    *context = p->state.context;
    *run = (struct run){
        .steps = p->done,
        .first_untrusted = p->state.first_untrusted,
        .first_private = p->state.first_private,
        .first_denied = p->first_denied,
        .denied = p->state.calls_denied,
        .asked = p->state.calls_asked,
        .unclaimed = p->state.unclaimed,
    };
    if (!p->checks)
        return true;
    return (p->resumed || (give_diagnostics(p, err) && give_exchanges(p, err))) &&
           give_findings(p, err);
}

bool run_replay(struct case_file *c, int64_t session, const struct run_options *options,
                struct label_pool *pool, const struct run_visitor *visitor,
                const struct run_resume *from, struct run *run, struct label *context,
                struct err *err)
{
    enum { RUN_REPLAY_SLICE = 256 };
    int64_t total;
    int more = 1;
    if (!run_steps_of(c, session, &total, err))
        return false;
    struct replayer *p = replayer_create(c, session, options, pool, visitor, err);
    if (p && from && !replayer_resume(p, from, err))
        more = -1;
    while (p && more > 0 && (more = replayer_some(p, RUN_REPLAY_SLICE, err)) > 0)
        if (options->progress && !options->progress(options->arg, p->done, total)) {
            err_set(err, ERR_INTERNAL, case_path(c), NULL, "stopped at step %lld of %lld",
                    (long long)p->done, (long long)total);
            more = -1;
            break;
        }
    bool ok = p && more == 0 && (!p->checks || p->resumed || replayer_ask(p, err)) &&
              replayer_finish(p, run, context, err);
    replayer_destroy(p);
    return ok;
}
