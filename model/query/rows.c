/* Rows of the flow, and the explanation of one. */
#include <stdio.h>

#include "base/mem.h"
#include "model/query/review_internal.h"
#include "model/trace/secret.h"

/* A credential at the cut is only known by what stands behind the cut. */
enum { PREVIEW_BYTES = 400, PREVIEW_READ = 2048 };

/* ---- words back to values ---- */

static enum label_origin rows_origin_of(struct span word)
{
    for (int i = 0; i < LABEL_ORIGIN_COUNT; i++)
        if (span_is(word, label_origin_word((enum label_origin)i)))
            return (enum label_origin)i;
    return ORIGIN_NONE;
}

static enum role_origin role_origin_of(struct span word)
{
    for (int i = ROLE_FROM_POLICY; i <= ROLE_FROM_DEFAULT; i++)
        if (span_is(word, role_origin_word((enum role_origin)i)))
            return (enum role_origin)i;
    return ROLE_FROM_NONE;
}

static enum verdict rows_verdict_of(struct span word)
{
    for (int i = VERDICT_ALLOW; i <= VERDICT_DENY; i++)
        if (span_is(word, verdict_word((enum verdict)i)))
            return (enum verdict)i;
    return VERDICT_NONE;
}

/* ---- what the run says of the rows ---- */

static bool fill_derived(struct review *r, int64_t n, size_t count, struct arena *arena,
                         struct flow_row *rows, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT n, label_id, before_id, after_id, origin, unclaimed, role, role_origin, audience,"
        " audience_assumed, verdict, trusted_action, permitted_flow, changed, rule FROM run_step"
        " WHERE run_id=?1 AND n BETWEEN ?2 AND ?3 ORDER BY n",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    stmt_bind_int(stmt, 2, n);
    stmt_bind_int(stmt, 3, n + (int64_t)count - 1);
    int row = 0;
    bool ok = true;
    size_t filled = 0;
    while (ok && (row = stmt_step(stmt, err)) > 0 && filled < count &&
           stmt_int(stmt, 0) == n + (int64_t)filled) {
        struct flow_row *to = &rows[filled++];
        to->has_label = !stmt_is_null(stmt, 1);
        ok = (!to->has_label || labels_at(&r->labels, stmt_int(stmt, 1), &to->label, err)) &&
             labels_at(&r->labels, stmt_int(stmt, 2), &to->before, err) &&
             labels_at(&r->labels, stmt_int(stmt, 3), &to->after, err);
        to->origin = rows_origin_of(stmt_text(stmt, 4));
        to->unclaimed = stmt_int(stmt, 5);
        to->role = (unsigned)stmt_int(stmt, 6);
        to->role_origin = role_origin_of(stmt_text(stmt, 7));
        to->audience = arena_copy(arena, stmt_text(stmt, 8));
        to->audience_assumed = stmt_int(stmt, 9) != 0;
        to->verdict = rows_verdict_of(stmt_text(stmt, 10));
        to->trusted_action = rows_verdict_of(stmt_text(stmt, 11));
        to->permitted_flow = rows_verdict_of(stmt_text(stmt, 12));
        to->changed = (int)stmt_int(stmt, 13) & 3;
        to->rule = arena_copy(arena, stmt_text(stmt, 14));
    }
    stmt_finish(stmt);
    if (ok && row >= 0 && filled != count)
        ok = err_set(err, ERR_INPUT, case_path(r->c), "'strandline check' derives it anew",
                     "the replay that the case holds is not whole");
    return ok && row >= 0;
}

static bool rows_count_findings(struct review *r, int64_t n, size_t count, struct flow_row *rows,
                                struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT n, count(*), max(severity) FROM finding WHERE run_id=?1 AND suppressed IS NULL AND n BETWEEN ?2 AND ?3 GROUP BY n",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    stmt_bind_int(stmt, 2, n);
    stmt_bind_int(stmt, 3, n + (int64_t)count - 1);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct flow_row *to = &rows[stmt_int(stmt, 0) - n];
        to->finding_count = (int)stmt_int(stmt, 1);
        to->worst = (int)stmt_int(stmt, 2);
    }
    stmt_finish(stmt);
    return row == 0;
}

static bool count_evidence(struct review *r, int64_t n, size_t count, struct flow_row *rows,
                           struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT n, count(*), coalesce(sum(verdict = 'recomputed'), 0), coalesce(sum(failed), 0)"
        " FROM step JOIN evidence_ref ON step_id = step.id LEFT JOIN evidence_verdict ON ref_id = evidence_ref.id"
        " WHERE session_id=?1 AND n BETWEEN ?2 AND ?3 GROUP BY n",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    stmt_bind_int(stmt, 2, n);
    stmt_bind_int(stmt, 3, n + (int64_t)count - 1);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct flow_row *to = &rows[stmt_int(stmt, 0) - n];
        to->evidence_count = (int)stmt_int(stmt, 1);
        to->evidence_ok = (int)stmt_int(stmt, 2);
        to->evidence_bad = (int)stmt_int(stmt, 3);
    }
    stmt_finish(stmt);
    return row == 0;
}

/* ---- the steps themselves ---- */

static struct extent keep_extent(struct arena *arena, struct extent where)
{
    where.recipe = arena_copy(arena, where.recipe);
    return where;
}

static void keep_step(struct arena *arena, struct flow_row *to, const struct streamed *from)
{
    *to = (struct flow_row){.step = from->step, .worst = -1};
    to->step.server = arena_copy(arena, from->step.server);
    to->step.tool = arena_copy(arena, from->step.tool);
    to->step.body = keep_extent(arena, from->step.body);
    to->step.whole = keep_extent(arena, from->step.whole);
    to->file = arena_copy(arena, from->file);
    to->audience = to->preview = SPAN_EMPTY;
}

/* Bytes that can't be read are a preview of nothing; the details of the step say why. */
static void read_preview(struct review *r, struct flow_row *row, struct arena *arena)
{
    struct buf text = {0}, masked = {0};
    struct err unread = {0};
    if (case_read(r->c, &row->step.body, PREVIEW_READ, &text, &row->preview_cut, &unread)) {
        secrets_mask(&masked, buf_span(&text));
        row->preview_cut = row->preview_cut || masked.len > PREVIEW_BYTES;
        row->preview = arena_copy(arena, span_sub(buf_span(&masked), 0, PREVIEW_BYTES));
    }
    buf_finish(&text);
    buf_finish(&masked);
}

/* Steps are missing from a case that is not as an import leaves it. */
static bool not_whole(struct review *r, int64_t n, struct err *err)
{
    return err_set(err, ERR_INPUT, case_path(r->c), "import the logs into a new case",
                   "step %lld of the session is missing, or points at no message", (long long)n);
}

long review_rows(struct review *r, int64_t n, size_t count, unsigned want, struct arena *arena,
                 struct flow_row *rows, struct err *err)
{
    if (n < 1 || n > r->steps || count == 0)
        return 0;
    if (count > (uint64_t)(r->steps - n + 1))
        count = (size_t)(r->steps - n + 1);
    if (!stream_seek(r->stream, n, err))
        return -1;
    size_t got = 0;
    struct streamed streamed;
    int more = 1;
    while (got < count && (more = stream_next(r->stream, &streamed, err)) > 0 &&
           streamed.step.n == n + (int64_t)got)
        keep_step(arena, &rows[got++], &streamed);
    if (more < 0)
        return -1;
    if (got < count) {
        not_whole(r, n + (int64_t)got, err);
        return -1;
    }
    if (!fill_derived(r, n, got, arena, rows, err) || !rows_count_findings(r, n, got, rows, err) ||
        !count_evidence(r, n, got, rows, err))
        return -1;
    for (size_t i = 0; want & FLOW_PREVIEW && i < got; i++)
        read_preview(r, &rows[i], arena);
    return (long)got;
}

/* ---- one step, explained ---- */

/* Hands the texts that a query gives to the replay: what naming, n, tool, and where its text is. */
static bool give_texts(struct review *r, struct replay *replay, const char *sql, int64_t bind,
                       struct err *err)
{
    enum { PROMPT_BYTES = 64 * 1024 };
    struct stmt *stmt = db_prepare(case_db(r->c), span_of(sql), err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    if (bind)
        stmt_bind_int(stmt, 2, bind);
    struct buf text = {0};
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct extent at = {stmt_int(stmt, 2), (uint64_t)stmt_int(stmt, 3),
                            (uint64_t)stmt_int(stmt, 4), stmt_text(stmt, 5)};
        struct err unread = {0};
        buf_clear(&text);
        if (case_read(r->c, &at, PROMPT_BYTES, &text, NULL, &unread))
            replay_prompt(replay, stmt_int(stmt, 1), (enum naming)stmt_int(stmt, 0),
                          buf_span(&text));
    }
    buf_finish(&text);
    stmt_finish(stmt);
    return row == 0;
}

bool review_give_prompts(struct review *r, struct replay *replay, struct err *err)
{
    const struct step prompt = {.kind = STEP_PROMPT};
    if (!replay_wants_body(replay, &prompt))
        return true;
    char prompts[320], names[320];
    snprintf(
        prompts, sizeof prompts,
        "SELECT CASE tool WHEN 'system' THEN %d ELSE %d END, n, source_id, offset, length, recipe"
        " FROM step WHERE session_id=?1 AND kind IN ('prompt', 'reset') AND kind = 'prompt'"
        " ORDER BY n",
        NAMING_SYSTEM, NAMING_USER);
    snprintf(names, sizeof names,
             "SELECT %d, step.n, source_id, offset, length, recipe FROM run_step"
             " JOIN step ON step.session_id=?1 AND step.n = run_step.n"
             " WHERE run_id=?2 AND names > 0 ORDER BY step.n",
             NAMING_DIRECTORY);
    return give_texts(r, replay, prompts, 0, err) && give_texts(r, replay, names, r->run.id, err);
}

/* Assumed is weaker than claimed, and that is weaker than verified. */
static enum label_origin weaker(enum label_origin a, enum label_origin b)
{
    static const int strength[LABEL_ORIGIN_COUNT] = {
        [ORIGIN_NONE] = 3, [ORIGIN_VERIFIED] = 2, [ORIGIN_CLAIMED] = 1, [ORIGIN_ASSUMED] = 0};
    return strength[a] <= strength[b] ? a : b;
}

static enum label_origin origin_of_word(struct span word)
{
    for (int i = 0; i < LABEL_ORIGIN_COUNT; i++)
        if (span_is(word, label_origin_word((enum label_origin)i)))
            return (enum label_origin)i;
    return ORIGIN_NONE;
}

/* Goes on from the step that was asked of last, where that is of the same context. */
bool review_context_origin(struct review *r, int64_t n, enum label_origin *origin,
                           struct span *rule, struct err *err)
{
    struct context_origin *c = &r->context;
    int64_t since;
    if (!review_context_began(r, n, &since, err))
        return false;
    if (since != c->since || n < c->n) {
        buf_clear(&c->rule);
        c->n = c->since = since;
        c->origin = ORIGIN_NONE;
    }
    struct stmt *stmt = db_stmt(case_db(r->c),
                                "SELECT origin, rule FROM run_step INDEXED BY run_step_changed"
                                " WHERE run_id=?1 AND n>?2 AND n<=?3 AND changed > 0 ORDER BY n",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    stmt_bind_int(stmt, 2, c->n);
    stmt_bind_int(stmt, 3, n);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        c->origin = weaker(origin_of_word(stmt_text(stmt, 0)), c->origin);
        buf_clear(&c->rule);
        buf_add(&c->rule, stmt_text(stmt, 1));
    }
    stmt_finish(stmt);
    c->n = n;
    *origin = c->origin;
    *rule = buf_span(&c->rule);
    return row == 0;
}

/* The step before n at which the context that began at `since` first rose on an axis; 0: none. */
static bool first_rise(struct review *r, int64_t n, int64_t since, int axis, int64_t *first,
                       struct err *err)
{
    static const char sql[] =
        "SELECT n FROM run_step INDEXED BY run_step_changed"
        " WHERE run_id=?1 AND n>=?2 AND n<?3 AND changed > 0 AND changed & ?4 <> 0 ORDER BY n LIMIT 1";
    return db_number(case_db(r->c), sql, (int64_t[]){r->run.id, since, n, axis}, 4, first, err) >=
           0;
}

/* Did the kept run find that the addresses of step n had come in before? */
static bool explain_follows(struct review *r, int64_t n, bool *follows, struct err *err)
{
    int64_t number = 0;
    int row = db_number(case_db(r->c), "SELECT follows FROM run_step WHERE run_id=?1 AND n=?2",
                        (int64_t[]){r->run.id, n}, 2, &number, err);
    *follows = number != 0;
    return row >= 0;
}

static bool unclaimed_before(struct review *r, int64_t n, int64_t *unclaimed, struct err *err)
{
    return db_number(case_db(r->c), "SELECT unclaimed FROM run_step WHERE run_id=?1 AND n=?2",
                     (int64_t[]){r->run.id, n - 1}, 2, unclaimed, err) >= 0;
}

bool review_state_before(struct review *r, int64_t n, struct label context,
                         struct replay_state *state, struct err *err)
{
    replay_start(state);
    state->context = context;
    return unclaimed_before(r, n, &state->unclaimed, err) &&
           review_context_began(r, n - 1, &state->since, err) &&
           first_rise(r, n, state->since, 1, &state->first_untrusted, err) &&
           first_rise(r, n, state->since, 2, &state->first_private, err);
}

bool review_explain(struct review *r, int64_t n, struct flow_row *row, struct replay_out *out,
                    struct err *err)
{
    int64_t id;
    struct replay_state state;
    if (!review_step_id(r, n, &id, err))
        return false;
    arena_reset(&r->arena);
    if (review_rows(r, n, 1, FLOW_PREVIEW, &r->arena, row, err) != 1 ||
        !review_state_before(r, n, row->before, &state, err))
        return false;
    if (!r->replay) {
        r->replay = replay_create(r->policy, r->pool);
        if (!review_give_prompts(r, r->replay, err))
            return false;
    }
    if (!r->whole &&
        !(r->whole = stream_open(r->c, r->session, n, STREAM_CLAIMS | STREAM_RESULTS, err)))
        return false;
    if (!stream_seek(r->whole, n, err))
        return false;
    int more = stream_next(r->whole, &r->explained, err);
    if (more != 1 || r->explained.step.n != n)
        return more < 0 ? false : not_whole(r, n, err);
    struct replay_input *input = &r->explained.input;
    if (r->explained.child &&
        !run_child_label(r->c, r->explained.child, r->policy, &r->labels, input, err))
        return false;
    if (!run_load_bodies(r->c, NULL, r->replay, &r->explained, input, &r->body, &r->call_body,
                         &r->arena, err))
        return false;
    if (!explain_follows(r, n, &input->follows, err))
        return false;
    *out = (struct replay_out){0};
    replay_step(r->replay, &state, input, out);
    return true;
}
