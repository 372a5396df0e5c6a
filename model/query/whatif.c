#include "model/query/whatif.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/query/review_internal.h"

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

static void *room(struct arena *arena, void *items, size_t count, size_t *size, size_t item)
{
    if (count < *size)
        return items;
    *size = *size ? *size * 2 : 16;
    void *grown = arena_array(arena, *size, item);
    if (count)
        memcpy(grown, items, count * item);
    return grown;
}

static void add_verdict(struct trial *t, const struct whatif_verdict *verdict)
{
    struct whatif *out = t->out;
    if (verdict->was == verdict->is && verdict->was_action == verdict->is_action &&
        verdict->was_flow == verdict->is_flow)
        return;
    out->verdicts =
        room(t->arena, out->verdicts, out->verdict_count, &t->verdict_size, sizeof *out->verdicts);
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
    out->findings =
        room(t->arena, out->findings, out->finding_count, &t->finding_size, sizeof *out->findings);
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
    struct whatif_finding *same = still_gone(t, span_of(f->id));
    if (same) {
        same->fate = WHATIF_STAYS;
        return true;
    }
    struct whatif_finding finding = {
        .fate = WHATIF_APPEARS,
        .id = arena_copy(t->arena, span_of(f->id)),
        .code = span_of(f->code->code),
        .message = arena_copy(t->arena, f->message),
        .severity = f->severity,
        .n = f->n,
    };
    add_finding(t, &finding);
    return true;
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

static bool try_it(struct trial *t, const struct run_options *options, struct err *err)
{
    struct review *r = t->r;
    const struct run_visitor visitor = {t, is_dropped, relabel, compare_step, compare_finding};
    struct run run = {0};
    struct label context = LABEL_PUBLIC, was = LABEL_PUBLIC;
    if (!review_check(r, options->progress, options->arg, err) ||
        !labels_at(&r->labels, r->run.final_label, &was, err) || !kept_findings(t, err) ||
        !next_kept(t, err) ||
        !run_replay(r->c, r->session, options, r->pool, &visitor, &run, &context, err) ||
        !pass_dropped(t, INT64_MAX, err))
        return false;
    t->out->was = side_of(&r->run, was);
    t->out->is = side_of(&run, context);
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
    t.kept = db_prepare(case_db(r->c),
                        SPAN("SELECT n, verdict, trusted_action, permitted_flow FROM run_step"
                             " WHERE run_id=?1 ORDER BY n"),
                        err);
    if (!t.kept)
        return false;
    stmt_bind_int(t.kept, 1, r->run.id);
    bool ok = try_it(&t, &options, err);
    stmt_finish(t.kept);
    return ok;
}
