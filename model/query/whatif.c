#include "model/query/whatif.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/mem.h"
#include "model/query/review_internal.h"
#include "model/trace/trace.h"

struct placed { /* an edit, in order of steps */
    const struct whatif_edit *edit;
};

struct trial {
    struct review *r;
    struct arena *arena;
    struct placed *edits; /* by step; of two for one step the later holds */
    size_t count;
    struct stmt *kept; /* the rows of the run that is compared with, in order */
    int64_t kept_n;    /* step of the row that waits; INT64_MAX: none */
    struct whatif *out;
    size_t verdict_size, finding_size;
    size_t was_count; /* findings of the kept run: the first of out->findings */

    struct run_trial *shown; /* the run as edited, for the policy's queries; NULL: it has none */

    /* Of an answer that begins at the first edit: */
    struct trace *edited; /* the texts whose tags the edits change; NULL: there are none */
    struct buf body;
    struct arena hits;
    int64_t *left; /* steps where text that left was found, in order */
    size_t left_count;
    bool told_of_bounds; /* EX05 */
    bool touched;        /* what left later holds such a text: the whole has to be looked at */
};

/* ---- edits ---- */

static int by_step(const void *a, const void *b)
{
    const struct whatif_edit *x = ((const struct placed *)a)->edit;
    const struct whatif_edit *y = ((const struct placed *)b)->edit;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return (x > y) - (x < y); /* as they were given */
}

static const struct whatif_edit *edit_of(const struct trial *t, int64_t n)
{
    size_t low = 0, high = t->count; /* the last edit that is not behind n */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->edits[middle].edit->n <= n)
            low = middle + 1;
        else
            high = middle;
    }
    return low && t->edits[low - 1].edit->n == n ? t->edits[low - 1].edit : NULL;
}

static bool is_dropped(void *arg, int64_t n)
{
    const struct whatif_edit *edit = edit_of(arg, n);
    return edit && edit->kind == WHATIF_DROP;
}

/* What came in at a step gets the label of the edit in place of its own. */
static void relabel(void *arg, const struct step *step, const struct replay_state *before,
                    struct replay_state *state, struct replay_out *out)
{
    struct trial *t = arg;
    const struct whatif_edit *edit = edit_of(t, step->n);
    if (!edit || edit->kind != WHATIF_LABEL)
        return;
    state->context = label_join(t->r->pool, before->context, edit->label);
    state->unclaimed = before->unclaimed;
    state->first_untrusted = before->first_untrusted;
    state->first_private = before->first_private;
    if (!state->first_untrusted && state->context.integrity == UNTRUSTED)
        state->first_untrusted = step->n;
    if (!state->first_private && label_is_private(state->context))
        state->first_private = step->n;
    out->has_label = true;
    out->label = edit->label;
    out->origin = ORIGIN_ASSUMED;
    out->rule = "whatif";
    out->after = state->context;
    out->unclaimed = state->unclaimed;
}

static bool check_edits(struct review *r, const struct whatif_edit *edits, size_t count,
                        struct err *err)
{
    int64_t id;
    for (size_t i = 0; i < count; i++)
        if (!review_step_id(r, edits[i].n, &id, err))
            return false;
    return true;
}

/* ---- verdicts ---- */

static enum verdict verdict_at(struct stmt *stmt, int column)
{
    struct span word = stmt_text(stmt, column);
    for (int i = VERDICT_ALLOW; i <= VERDICT_DENY; i++)
        if (span_is(word, verdict_word((enum verdict)i)))
            return (enum verdict)i;
    return VERDICT_NONE;
}

static bool next_kept(struct trial *t, struct err *err)
{
    int row = stmt_step(t->kept, err);
    t->kept_n = row > 0 ? stmt_int(t->kept, 0) : INT64_MAX;
    return row >= 0;
}

static void add_verdict(struct trial *t, const struct whatif_verdict *verdict)
{
    struct whatif *out = t->out;
    if (verdict->was == verdict->is && verdict->was_action == verdict->is_action &&
        verdict->was_flow == verdict->is_flow)
        return;
    out->verdicts = arena_one_more(t->arena, out->verdicts, out->verdict_count, &t->verdict_size,
                                   sizeof *out->verdicts);
    out->verdicts[out->verdict_count++] = *verdict;
}

/* The row that waits, as it was. */
static struct whatif_verdict kept_verdict(const struct trial *t)
{
    return (struct whatif_verdict){.n = t->kept_n,
                                   .was = verdict_at(t->kept, 1),
                                   .was_action = verdict_at(t->kept, 2),
                                   .was_flow = verdict_at(t->kept, 3)};
}

/* Rows before n belong to steps that were left out. */
static bool pass_dropped(struct trial *t, int64_t n, struct err *err)
{
    while (t->kept_n < n) {
        struct whatif_verdict gone = kept_verdict(t);
        add_verdict(t, &gone);
        if (!next_kept(t, err))
            return false;
    }
    return true;
}

/* The row that waits is of this step: what it says of links stays so, whatever labels are. */
static bool keep_follows(void *arg, struct replay_input *input, struct err *err)
{
    struct trial *t = arg;
    if (!pass_dropped(t, input->step->n, err))
        return false;
    input->follows = t->kept_n == input->step->n && stmt_int(t->kept, 4) != 0;
    return true;
}

static bool compare_step(void *arg, const struct replay_input *input, const struct replay_out *out,
                         struct err *err)
{
    struct trial *t = arg;
    int64_t n = input->step->n;
    if (!pass_dropped(t, n, err))
        return false;
    struct whatif_verdict verdict = {.n = n};
    bool kept = t->kept_n == n;
    if (kept)
        verdict = kept_verdict(t);
    verdict.is = out->verdict;
    verdict.is_action = out->trusted_action;
    verdict.is_flow = out->permitted_flow;
    verdict.context = out->before;
    add_verdict(t, &verdict);
    return !kept || next_kept(t, err);
}

/* ---- findings ---- */

static void add_finding(struct trial *t, const struct whatif_finding *finding)
{
    struct whatif *out = t->out;
    out->findings = arena_one_more(t->arena, out->findings, out->finding_count, &t->finding_size,
                                   sizeof *out->findings);
    out->findings[out->finding_count++] = *finding;
}

/* Those of the kept run, by their ids; each is gone until it turns up again. */
static bool kept_findings(struct trial *t, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(t->r->c),
                                "SELECT finding_id, code, message, severity, n FROM finding"
                                " WHERE run_id=?1 AND suppressed IS NULL ORDER BY finding_id, rank",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, t->r->run.id);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        int64_t severity = stmt_int(stmt, 3);
        struct whatif_finding finding = {
            .fate = WHATIF_DISAPPEARS,
            .id = arena_copy(t->arena, stmt_text(stmt, 0)),
            .code = arena_copy(t->arena, stmt_text(stmt, 1)),
            .message = arena_copy(t->arena, stmt_text(stmt, 2)),
            .severity = severity >= SEVERITY_INFO && severity <= SEVERITY_CRITICAL
                            ? (enum severity)severity
                            : SEVERITY_INFO,
            .n = stmt_int(stmt, 4),
        };
        add_finding(t, &finding);
    }
    stmt_finish(stmt);
    t->was_count = t->out->finding_count;
    return row == 0;
}

/* The kept finding of that id that has not turned up again yet. */
static struct whatif_finding *still_gone(const struct trial *t, struct span id)
{
    size_t low = 0, high = t->was_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (span_compare(t->out->findings[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < t->was_count && span_equal(t->out->findings[low].id, id); low++)
        if (t->out->findings[low].fate == WHATIF_DISAPPEARS)
            return &t->out->findings[low];
    return NULL;
}

static bool compare_finding(void *arg, const struct finding *f, size_t index, struct err *err)
{
    struct trial *t = arg;
    (void)index;
    (void)err;
    if (f->suppressed.at)
        return true;
    struct whatif_finding finding = {
        .fate = WHATIF_APPEARS,
        .id = arena_copy(t->arena, span_of(f->id)),
        .code = span_of(f->code->code),
        .message = arena_copy(t->arena, f->message),
        .severity = f->severity,
        .n = f->n,
    };
    struct whatif_finding *same = still_gone(t, finding.id);
    if (same && same->severity == f->severity && span_equal(same->message, f->message))
        same->fate = WHATIF_STAYS;
    else
        add_finding(t, &finding);
    return true;
}

/* What is said of the same step under the same code stands together, that of before first. */
static int by_code_of_step(const void *a, const void *b)
{
    const struct whatif_finding *x = a, *y = b;
    int code = span_compare(x->code, y->code);
    if (code || x->n != y->n)
        return code ? code : x->n < y->n ? -1 : 1;
    if (x->fate != y->fate)
        return x->fate > y->fate ? -1 : 1;
    return span_compare(x->id, y->id);
}

/* What goes while the like comes at the same step is one finding that changes. */
static void pair_findings(struct trial *t)
{
    struct whatif *out = t->out;
    size_t kept = 0, gone = 0; /* of those kept: the next that may have a partner */
    if (out->finding_count)
        qsort(out->findings, out->finding_count, sizeof *out->findings, by_code_of_step);
    for (size_t i = 0; i < out->finding_count; i++) {
        struct whatif_finding f = out->findings[i];
        while (gone < kept &&
               (out->findings[gone].fate != WHATIF_DISAPPEARS || out->findings[gone].n != f.n ||
                !span_equal(out->findings[gone].code, f.code)))
            gone++;
        if (f.fate == WHATIF_APPEARS && gone < kept) {
            struct whatif_finding *was = arena_array(t->arena, 1, sizeof *was);
            *was = out->findings[gone];
            f.fate = WHATIF_CHANGES;
            f.was = was;
            out->findings[gone++] = f;
        } else {
            out->findings[kept++] = f;
        }
    }
    out->finding_count = kept;
}

static int differing_first(const void *a, const void *b)
{
    const struct whatif_finding *x = a, *y = b;
    bool x_stays = x->fate == WHATIF_STAYS, y_stays = y->fate == WHATIF_STAYS;
    if (x_stays != y_stays)
        return x_stays ? 1 : -1;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return span_compare(x->id, y->id);
}

/* ---- asking ---- */

static struct whatif_side side_of(const struct run *run, struct label context)
{
    return (struct whatif_side){.first_untrusted = run->first_untrusted,
                                .first_private = run->first_private,
                                .first_denied = run->first_denied,
                                .denied = run->denied,
                                .asked = run->asked,
                                .unclaimed = run->unclaimed,
                                .context = context};
}

/* Sub-agents' answers carry labels of runs under the same policy: another one needs those first. */
static bool children_first(struct review *r, const struct run_options *options, struct err *err)
{
    struct run ignored;
    return options->policy == r->policy ||
           run_ensure(r->c, r->session, options, r->pool, &ignored, err);
}

static bool replay_edited(struct trial *t, const struct run_options *options,
                          const struct run_visitor *visitor, const struct run_resume *from,
                          struct err *err)
{
    struct review *r = t->r;
    struct run run = {0};
    struct label context = LABEL_PUBLIC, was = LABEL_PUBLIC;
    stmt_reset(t->kept);
    stmt_bind_int(t->kept, 2, from ? from->n : 0);
    if (!labels_at(&r->labels, r->run.final_label, &was, err) || !next_kept(t, err) ||
        !run_replay(r->c, r->session, options, r->pool, visitor, from, &run, &context, err) ||
        !pass_dropped(t, INT64_MAX, err))
        return false;
    t->out->was = side_of(&r->run, was);
    t->out->is = side_of(&run, context);
    return true;
}

static bool compare_and_show(void *arg, const struct replay_input *input,
                             const struct replay_out *out, struct err *err)
{
    struct trial *t = arg;
    return (!t->shown || run_trial_step(t->shown, input, out, err)) &&
           compare_step(arg, input, out, err);
}

/* The whole session; queries of the policy see it as edited. */
static bool replay_whole(struct trial *t, const struct run_options *options, struct err *err)
{
    const struct run_visitor visitor = {.arg = t,
                                        .skip = is_dropped,
                                        .edit = relabel,
                                        .step = compare_and_show,
                                        .finding = compare_finding};
    struct span name, sql;
    if (policy_query(options->policy, 0, &name, &sql) &&
        !(t->shown = run_trial_begin(t->r->c, t->r->session, options->policy, t->r->pool, err)))
        return false;
    bool ok = replay_edited(t, options, &visitor, NULL, err);
    run_trial_end(t->shown);
    t->shown = NULL;
    return ok;
}

/* ---- from the first edit on ---- */

static bool same_policy(const struct policy *a, const struct policy *b)
{
    return strcmp(policy_digest(a), policy_digest(b)) == 0 &&
           strcmp(policy_catalogue_digest(a), policy_catalogue_digest(b)) == 0;
}

/*
 * The kept run is a checkpoint at every step, so that labels and verdicts need
 * only be replayed from the first edit on. Of the findings, those that rest on
 * labels are made anew; those about text that left rest on whole texts of
 * earlier steps, and they can only change where an edited text turns up in what
 * left. That is looked for on the way, and where it does, or where the edits are
 * of another kind, everything is looked at from the start.
 */
static bool could_resume(const struct trial *t, const struct run_options *options)
{
    struct span name, sql;
    if (!t->count || !same_policy(options->policy, t->r->policy) ||
        policy_query(options->policy, 0, &name, &sql) || policy_follows_labels(options->policy))
        return false;
    for (size_t i = 0; i < t->count; i++)
        if (t->edits[i].edit->kind != WHATIF_LABEL)
            return false;
    for (size_t i = 0; i < t->was_count; i++) { /* bounds that were hit are counted over all */
        const struct whatif_finding *f = &t->out->findings[i];
        bool text = span_starts_with(f->code, SPAN("EX"));
        if (!f->n && (text || check_rests_on_labels(f->code)))
            return false;
    }
    return true;
}

static bool same_tag(struct label a, struct label b)
{
    return a.integrity == b.integrity && label_is_private(a) == label_is_private(b);
}

static bool text_of(struct trial *t, const struct step *step, struct span *text)
{
    struct err unread = {0};
    buf_clear(&t->body);
    bool read = case_read(t->r->c, &step->body, 0, &t->body, NULL, &unread);
    *text = buf_span(&t->body);
    return read;
}

/* An edit that makes another thing of a text: what left is searched for it. */
static void note_edited(struct trial *t, const struct step *step, struct label was,
                        struct label now)
{
    struct span text;
    struct trace_limits limits;
    bool content = step->kind == STEP_TOOL_RESULT || step->kind == STEP_RESOURCE ||
                   step->kind == STEP_PROMPT_GET;
    if (!content || same_tag(was, now))
        return;
    if (!t->edited)
        t->edited = trace_create(NULL);
    if (!text_of(t, step, &text)) {
        t->touched = true;
        return;
    }
    bool json = text.len && ascii_is_one_of(text.at[0], "{[\"");
    trace_add(t->edited, &(struct trace_text){.n = step->n,
                                              .source = TRACE_RESULT,
                                              .text = text,
                                              .flags = json ? TRACE_IS_JSON : 0});
    trace_limits(t->edited, &limits);
    t->touched = limits.capped;
}

static void search_edited(struct trial *t, const struct step *step)
{
    struct span text;
    bool call = step->kind == STEP_TOOL_CALL;
    if (!t->edited || t->touched || (!call && step->kind != STEP_ASSISTANT) ||
        !text_of(t, step, &text))
        return;
    arena_reset(&t->hits);
    t->touched = check_text_matters(t->edited, text, !call, &t->hits);
}

static void relabel_and_note(void *arg, const struct step *step, const struct replay_state *before,
                             struct replay_state *state, struct replay_out *out)
{
    struct trial *t = arg;
    const struct label was = out->label;
    relabel(arg, step, before, state, out);
    if (edit_of(t, step->n))
        note_edited(t, step, was, out->label);
}

static bool compare_and_search(void *arg, const struct replay_input *input,
                               const struct replay_out *out, struct err *err)
{
    search_edited(arg, input->step);
    return compare_step(arg, input, out, err);
}

static bool text_left(void *arg, int64_t n)
{
    const struct trial *t = arg;
    size_t low = 0, high = t->left_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->left[middle] < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->left_count && t->left[low] == n;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The kept findings that the edits can't change stay; the others are gone until they turn up. */
static void settle_findings(struct trial *t, struct run_resume *from)
{
    t->left = arena_array(t->arena, t->was_count + 1, sizeof *t->left);
    for (size_t i = 0; i < t->was_count; i++) {
        struct whatif_finding *f = &t->out->findings[i];
        bool rests = check_rests_on_labels(f->code);
        if (!rests || f->n < from->n)
            f->fate = WHATIF_STAYS;
        if (rests && f->n < from->n) {
            from->checks.unlabelled_told |= span_is(f->code, "IF08");
            from->checks.rule_of_two_told |= span_is(f->code, "R201");
        }
        t->told_of_bounds |= span_is(f->code, "EX05");
        if (span_is(f->code, "EX01") || span_is(f->code, "EX02"))
            t->left[t->left_count++] = f->n;
    }
    if (t->left_count)
        qsort(t->left, t->left_count, sizeof *t->left, by_number);
}

static bool count_before(struct review *r, struct run_resume *from, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT (SELECT count(*) FROM run_step WHERE run_id=?1 AND n<?2 AND verdict='deny'),"
        " (SELECT count(*) FROM run_step WHERE run_id=?1 AND n<?2 AND verdict='ask'),"
        " (SELECT min(n) FROM run_step WHERE run_id=?1 AND n<?2 AND verdict='deny'),"
        " (SELECT before_id FROM run_step WHERE run_id=?1 AND n=?2)",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    stmt_bind_int(stmt, 2, from->n);
    bool ok = stmt_step(stmt, err) > 0;
    int64_t denied = ok ? stmt_int(stmt, 0) : 0, asked = ok ? stmt_int(stmt, 1) : 0;
    int64_t first = ok ? stmt_int(stmt, 2) : 0, before = ok ? stmt_int(stmt, 3) : 0;
    stmt_finish(stmt);
    struct label context;
    ok = ok && labels_at(&r->labels, before, &context, err) &&
         review_state_before(r, from->n, context, &from->state, err);
    from->state.calls_denied = denied;
    from->state.calls_asked = asked;
    from->first_denied = first;
    return ok;
}

/* *done: the answer is whole. */
static bool try_from_edit(struct trial *t, const struct run_options *options, bool *done,
                          struct err *err)
{
    struct run_resume from = {
        .review = t->r, .n = t->edits[0].edit->n, .checks = {.arg = t, .text_left = text_left}};
    const struct run_visitor visitor = {.arg = t,
                                        .prepare = keep_follows,
                                        .edit = relabel_and_note,
                                        .step = compare_and_search,
                                        .finding = compare_finding};
    *done = false;
    settle_findings(t, &from);
    if (!count_before(t->r, &from, err))
        return false;
    /* Bounds are told of from the first private or untrusted text on: it must be before the edits.
     */
    if (t->told_of_bounds && label_equal(from.state.context, LABEL_PUBLIC))
        t->touched = true;
    if (!t->touched && !replay_edited(t, options, &visitor, &from, err))
        return false;
    *done = !t->touched;
    if (!*done) { /* as if nothing had been looked at yet */
        t->out->verdict_count = 0;
        t->out->finding_count = t->was_count;
        for (size_t i = 0; i < t->was_count; i++)
            t->out->findings[i].fate = WHATIF_DISAPPEARS;
    }
    return true;
}

static bool try_it(struct trial *t, const struct run_options *options, struct err *err)
{
    bool done = false;
    if (!review_check(t->r, options->progress, options->arg, err) || !kept_findings(t, err) ||
        (could_resume(t, options) && !try_from_edit(t, options, &done, err)) ||
        (!done && !replay_whole(t, options, err)))
        return false;
    pair_findings(t);
    if (t->out->finding_count)
        qsort(t->out->findings, t->out->finding_count, sizeof *t->out->findings, differing_first);
    return true;
}

bool review_whatif(struct review *r, const struct policy *policy, const struct whatif_edit *edits,
                   size_t count, review_progress progress, void *arg, struct arena *arena,
                   struct whatif *out, struct err *err)
{
    const struct run_options options = {
        .policy = policy ? policy : r->policy, .progress = progress, .arg = arg};
    struct trial t = {.r = r, .arena = arena, .count = count, .out = out};
    *out = (struct whatif){0};
    if (!check_edits(r, edits, count, err) || !children_first(r, &options, err))
        return false;
    t.edits = arena_array(arena, count + 1, sizeof *t.edits);
    for (size_t i = 0; i < count; i++)
        t.edits[i].edit = &edits[i];
    if (count)
        qsort(t.edits, count, sizeof *t.edits, by_step);
    t.kept =
        db_prepare(case_db(r->c),
                   SPAN("SELECT n, verdict, trusted_action, permitted_flow, follows FROM run_step"
                        " WHERE run_id=?1 AND n>=?2 ORDER BY n"),
                   err);
    if (!t.kept)
        return false;
    stmt_bind_int(t.kept, 1, r->run.id);
    bool ok = try_it(&t, &options, err);
    stmt_finish(t.kept);
    trace_destroy(t.edited);
    buf_finish(&t.body);
    arena_finish(&t.hits);
    return ok;
}
