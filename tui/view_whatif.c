/*
 * What if: the same record with an item labelled otherwise, an item left out,
 * or under another policy. Before and after stand side by side; the record is
 * never touched. What is supposed outlives the screen, so that the next step
 * can be chosen in the flow.
 */

#include "model/query/whatif.h"
#include "tui/list.h"
#include "tui/policies.h"

/* A verdict or a finding that differs: the other is NULL. */
struct difference {
    const struct whatif_verdict *verdict;
    const struct whatif_finding *finding;
};

struct whatif_state {
    struct arena arena; /* of the answer */
    struct arena sight; /* of what is in sight */
    struct whatif answer;
    bool asked; /* `answer` is of what is supposed now */
    bool waits; /* it is being looked for */
    struct policy *policy;
    struct difference *differences;
    struct list list;         /* of differences; of policies while nothing is supposed */
    struct policies policies; /* asked while nothing is supposed */
    size_t fates[WHATIF_DISAPPEARS + 1], verdicts; /* how many of each */
};

/* ---- what is supposed ---- */

static bool whatif_progress(void *arg, int64_t done, int64_t total)
{
    struct explorer *x = arg;
    explorer_say(x, STYLE_DIM, "replaying with that: %lld of %lld steps; Esc stops",
                 (long long)done, (long long)total);
    return explorer_may_go_on(x);
}

/* The changes as the query layer takes them; of two policies the later holds. */
static bool whatif_edits(struct explorer *x, struct arena *arena, struct whatif_edit **edits,
                         size_t *count, struct policy **policy, struct err *err)
{
    const struct supposed *all = &x->supposed;
    struct span name = SPAN_EMPTY;
    *edits = arena_array(arena, all->count + 1, sizeof **edits);
    *count = 0;
    *policy = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct change *change = &all->change[i];
        struct whatif_edit edit = {.kind = WHATIF_DROP, .n = change->n};
        if (change->kind == CHANGE_POLICY) {
            name = buf_span(&change->text);
            continue;
        }
        if (change->kind == CHANGE_LABEL) {
            edit.kind = WHATIF_LABEL;
            if (!label_parse(review_labels(x->review), buf_span(&change->text), &edit.label))
                return err_set(err, ERR_USAGE, NULL,
                               "write trusted, untrusted, public, private:MARKER or readers:A+B, "
                               "or two of them with a comma",
                               "'%.*s' is no label", SPAN_ARG(buf_span(&change->text)));
        }
        (*edits)[(*count)++] = edit;
    }
    if (name.len)
        *policy = policy_load(arena_cstr(arena, name), err);
    return !name.len || *policy;
}

static void whatif_collect(struct whatif_state *s)
{
    const struct whatif *w = &s->answer;
    size_t count = 0;
    s->differences =
        arena_array(&s->arena, w->verdict_count + w->finding_count + 1, sizeof *s->differences);
    memset(s->fates, 0, sizeof s->fates);
    for (size_t i = 0; i < w->verdict_count; i++) /* P-T and P-F alone decide nothing */
        if (w->verdicts[i].was != w->verdicts[i].is)
            s->differences[count++] = (struct difference){.verdict = &w->verdicts[i]};
    s->verdicts = count;
    for (size_t i = 0; i < w->finding_count; i++) {
        s->fates[w->findings[i].fate]++;
        if (w->findings[i].fate != WHATIF_STAYS)
            s->differences[count++] = (struct difference){.finding = &w->findings[i]};
    }
    s->list = (struct list){.count = (int64_t)count};
}

struct whatif_question {
    struct whatif_state *s;
    struct explorer *x;
};

static bool whatif_question(void *arg, struct err *err)
{
    struct whatif_question *q = arg;
    struct whatif_state *s = q->s;
    struct whatif_edit *edits;
    size_t count;
    policy_destroy(s->policy);
    s->policy = NULL;
    arena_reset(&s->arena);
    return whatif_edits(q->x, &s->arena, &edits, &count, &s->policy, err) &&
           review_whatif(q->x->review, s->policy, edits, count, whatif_progress, q->x, &s->arena,
                         &s->answer, err);
}

/* False: a message says why there is no answer. */
static bool whatif_try(struct whatif_state *s, struct explorer *x, struct slice *slice)
{
    struct whatif_question q = {s, x};
    struct err err = {0};
    int more = explorer_ask(x, slice, whatif_question, &q, &err);
    s->waits = more > 0;
    s->asked = more == 0;
    if (more < 0)
        explorer_fail(x, &err);
    if (s->asked) {
        buf_clear(&x->message);
        whatif_collect(s);
    }
    return more >= 0;
}

/* Asks anew; false: a message says why not. */
static bool whatif_ask(struct whatif_state *s, struct explorer *x)
{
    struct slice slice = slice_begin(NULL, NULL);
    bool any = x->supposed.count > 0;
    s->asked = s->waits = false;
    s->list = (struct list){.count = any ? 0 : (int64_t)policies_count()};
    return !any || whatif_try(s, x, &slice);
}

void supposed_clear(struct explorer *x)
{
    for (size_t i = 0; i < x->supposed.count; i++)
        buf_finish(&x->supposed.change[i].text);
    x->supposed.count = 0;
}

static void forget_last(struct explorer *x)
{
    struct change *last = &x->supposed.change[--x->supposed.count];
    buf_finish(&last->text);
    *last = (struct change){0};
}

static bool is_relabelled(const struct explorer *x, int64_t n)
{
    for (size_t i = 0; i < x->supposed.count; i++)
        if (x->supposed.change[i].kind == CHANGE_LABEL && x->supposed.change[i].n == n)
            return true;
    return false;
}

/* A label belongs to what comes in. Of a call that is its result; but a call that is not simply
 * allowed was judged by what had come in before: there it is the step that made the context so. */
int64_t explorer_labelled_step(struct explorer *x)
{
    const struct review_summary *sum = &x->summary;
    struct arena arena = {0};
    struct flow_row row = {0};
    struct err err = {0};
    bool got = x->n && review_rows(x->review, x->n, 1, 0, &arena, &row, &err) == 1;
    arena_finish(&arena);
    if (!got || row.step.kind != STEP_TOOL_CALL)
        return got ? x->n : 0;
    const struct {
        enum verdict verdict;
        int64_t rose;
    } judged[] = {{row.trusted_action, sum->first_untrusted},
                  {row.permitted_flow, sum->first_private}};
    for (size_t i = 0; i < COUNT_OF(judged); i++)
        if (judged[i].verdict > VERDICT_ALLOW && judged[i].rose && judged[i].rose < x->n &&
            !is_relabelled(x, judged[i].rose))
            return judged[i].rose;
    return row.step.result_n;
}

struct span explorer_other_label(struct explorer *x)
{
    struct arena arena = {0};
    struct flow_row row = {0};
    struct err err = {0};
    int64_t n = explorer_labelled_step(x);
    bool low = n && review_rows(x->review, n, 1, 0, &arena, &row, &err) == 1 && row.has_label &&
               row.label.integrity != UNTRUSTED && label_is_public(row.label);
    arena_finish(&arena);
    return low ? SPAN("untrusted,public") : SPAN("trusted,public");
}

/* The last thing can't be supposed: as before it, and what was said about it stays. */
static void whatif_take_back(struct whatif_state *s, struct explorer *x)
{
    struct buf message = {0};
    buf_add(&message, buf_span(&x->message));
    forget_last(x);
    if (whatif_ask(s, x)) {
        explorer_say(x, STYLE_ERROR, "%s", "");
        explorer_say_data(x, buf_span(&message));
    }
    buf_finish(&message);
}

void explorer_suppose(struct explorer *x, enum change_kind kind, struct span text)
{
    if (kind != CHANGE_POLICY && !x->n) {
        explorer_say(x, STYLE_UNKNOWN, "this session has no steps");
        return;
    }
    int64_t n = kind == CHANGE_LABEL ? explorer_labelled_step(x) : x->n;
    if (kind != CHANGE_POLICY && n < 1) {
        explorer_say(x, STYLE_UNKNOWN, "this call has no result in the record: nothing came in");
        return;
    }
    if (x->supposed.count == CHANGES_MOST) {
        explorer_say(x, STYLE_UNKNOWN, "that is as much as can be supposed at once; U undoes");
        return;
    }
    struct change *change = &x->supposed.change[x->supposed.count++];
    *change = (struct change){.kind = kind, .n = n};
    buf_add(&change->text, text);
    if (explorer_top(x)->ops != &view_whatif)
        explorer_push(x, &view_whatif);
    else if (!whatif_ask(explorer_top(x)->state, x))
        whatif_take_back(explorer_top(x)->state, x);
}

static bool whatif_open(struct view *v, struct explorer *x)
{
    if (whatif_ask(v->state, x))
        return true;
    forget_last(x);
    return false;
}

static bool whatif_idle(struct view *v, struct slice *slice)
{
    struct whatif_state *s = v->state;
    (void)slice; /* a key ends the question */
    if (s->waits && !whatif_try(s, v->explorer, NULL))
        whatif_take_back(s, v->explorer);
    return s->waits || (!v->explorer->supposed.count && policies_ask(&s->policies, v->explorer));
}

static void whatif_close(struct view *v)
{
    struct whatif_state *s = v->state;
    policy_destroy(s->policy);
    arena_finish(&s->arena);
    arena_finish(&s->sight);
}

/* ---- drawing ---- */

/* "github list_issues result", from the record; gives the column behind. */
static int whatif_name(struct whatif_state *s, struct explorer *x, struct area area, int row,
                       int column, int64_t n)
{
    struct flow_row r;
    struct err err = {0};
    if (n < 1 || review_rows(x->review, n, 1, 0, &s->sight, &r, &err) != 1)
        return column;
    if (r.step.server.len)
        column = cells_data(area, row, column, style_of_server(x->session->servers, r.step.server),
                            r.step.server, 16) +
                 1;
    bool tool = r.step.tool.len > 0;
    if (tool)
        column = cells_data(area, row, column, STYLE_STRONG, r.step.tool, 28);
    if (r.step.kind == STEP_TOOL_RESULT)
        column = cells_ours(area, row, column, STYLE_DIM, tool ? ": its result" : "a result");
    else if (!tool)
        column = cells_ours(area, row, column, STYLE_STRONG, step_kind_word(r.step.kind));
    return column;
}

static int draw_supposed(struct whatif_state *s, struct explorer *x, struct area area, int most)
{
    const struct supposed *all = &x->supposed;
    int row = 1, shown = (int)all->count < most ? (int)all->count : most;
    if (!all->count) {
        return row + cells_wrapped(area, row, 1, STYLE_STRONG,
                                   "What if? Nothing is supposed yet, and the record is never "
                                   "touched.");
    }
    cells_ours(area, row++, 1, STYLE_STRONG, "Suppose that");
    for (size_t i = all->count - (size_t)shown; i < all->count; i++, row++) {
        const struct change *change = &all->change[i];
        int column = cells_ours(area, row, 3, STYLE_DIM, i ? "and " : "");
        if (change->kind == CHANGE_POLICY) {
            column = cells_ours(area, row, column, STYLE_PLAIN, "the policy is ");
            column = cells_data(area, row, column, STYLE_KEY, buf_span(&change->text), 40);
            cells_oursf(area, row, column, STYLE_DIM, ", not %s", policy_name(x->options.policy));
            continue;
        }
        column = cells_oursf(area, row, column, STYLE_PLAIN, "step %lld ", (long long)change->n);
        column = whatif_name(s, x, area, row, column, change->n);
        column = cells_ours(area, row, column, STYLE_PLAIN,
                            change->kind == CHANGE_DROP ? " never was" : " came in as ");
        if (change->kind == CHANGE_LABEL)
            cells_data(area, row, column, STYLE_KEY, buf_span(&change->text), 40);
    }
    return row;
}

/* The step that is selected in the flow: what is supposed next is of it. */
static int draw_selected(struct whatif_state *s, struct explorer *x, struct area area, int row)
{
    int column = cells_oursf(area, row, 1, STYLE_DIM, "selected: step %lld ", (long long)x->n);
    whatif_name(s, x, area, row, column, x->n);
    return row + 1;
}

static void draw_step(struct area area, int row, int column, int64_t n)
{
    if (n)
        cells_oursf(area, row, column, STYLE_PLAIN, "at step %lld", (long long)n);
    else
        cells_ours(area, row, column, STYLE_DIM, "never");
}

static void draw_context(struct area area, int row, int column, struct label label)
{
    const char *words = label_short(label);
    cells_ours(area, row, column, style_of_label(label), words[0] ? words : "trusted, public");
}

/* Where the columns of before and after begin. */
static int column_was(struct area area)
{
    return area.columns > 100 ? 60 : area.columns * 11 / 20;
}
static int column_is(struct area area)
{
    int was = column_was(area);
    return area.columns > 100 ? was + 24 : was + (area.columns - was) / 2;
}

/* What is not known yet is shown as that. */
static int draw_sides(struct whatif_state *s, struct explorer *x, struct area area, int row)
{
    const struct review_summary *r = &x->summary;
    const struct whatif_side now = {.first_untrusted = r->first_untrusted,
                                    .first_private = r->first_private,
                                    .denied = r->denied,
                                    .asked = r->asked};
    const struct whatif_side *sides[] = {s->asked ? &s->answer.was : &now, &s->answer.is};
    const int columns[] = {column_was(area), column_is(area)};
    static const char *const captions[] = {"the context turns untrusted",
                                           "the context turns private", "calls that policy denies",
                                           "calls to ask about", "the context at the end"};
    cells_fill(area, row, 0, area.columns, STYLE_HEADER, " ");
    cells_ours(area, row, columns[0], STYLE_HEADER, "as recorded");
    cells_ours(area, row, columns[1], STYLE_HEADER, "what if");
    int rows = COUNT_OF(captions);
    for (int i = 0; i < rows; i++)
        cells_ours(area, row + 1 + i, 1, STYLE_DIM, captions[i]);
    int known = s->asked ? 2 : 1;
    for (int i = 0; !s->asked && i < rows; i++)
        cells_ours(area, row + 1 + i, columns[1], STYLE_UNKNOWN, "…");
    if (!s->asked)
        cells_ours(area, row + 5, columns[0], STYLE_UNKNOWN, "…");
    for (int k = 0; k < known; k++) {
        draw_step(area, row + 1, columns[k], sides[k]->first_untrusted);
        draw_step(area, row + 2, columns[k], sides[k]->first_private);
        cells_oursf(area, row + 3, columns[k], sides[k]->denied ? STYLE_DENY : STYLE_PLAIN, "%lld",
                    (long long)sides[k]->denied);
        cells_oursf(area, row + 4, columns[k], sides[k]->asked ? STYLE_ASK : STYLE_PLAIN, "%lld",
                    (long long)sides[k]->asked);
        if (s->asked)
            draw_context(area, row + 5, columns[k], sides[k]->context);
    }
    return row + 1 + rows;
}

static void draw_fate(struct area area, int row, int column, const struct whatif_finding *f)
{
    if (f)
        cells_oursf(area, row, column, style_of_severity((int)f->severity), "%s %s",
                    glyph_of_severity((int)f->severity), severity_word(f->severity));
    else
        cells_ours(area, row, column, STYLE_DIM, "–");
}

static int64_t difference_step(const struct difference *d)
{
    return d->verdict ? d->verdict->n : d->finding->n;
}

static void draw_difference(struct whatif_state *s, struct explorer *x, struct area area, int row,
                            const struct difference *d)
{
    int was = column_was(area), is = column_is(area);
    struct area what = area_sub(area, row, 8, 1, was - 9);
    int64_t n = difference_step(d);
    if (n)
        cells_oursf(area, row, 1, STYLE_DIM, "%5lld", (long long)n);
    if (d->verdict) {
        whatif_name(s, x, what, 0, 0, n);
        verdict_draw(area, row, was, d->verdict->was);
        verdict_draw(area, row, is, d->verdict->is);
        return;
    }
    const struct whatif_finding *f = d->finding;
    int column = cells_data(what, 0, 0, STYLE_KEY, f->code, 6) + 1;
    cells_data_start(what, 0, column, STYLE_PLAIN, f->message, what.columns - column);
    draw_fate(area, row, was, f->fate == WHATIF_APPEARS ? NULL : f->was ? f->was : f);
    draw_fate(area, row, is, f->fate == WHATIF_DISAPPEARS ? NULL : f);
    if (f->was && f->was->severity == f->severity &&
        area.columns - is > 24) /* where it is narrow the count says so */
        cells_ours(area, row, is + 11, STYLE_DIM, "other reason");
}

static void draw_count(const struct whatif_state *s, struct area area, int row)
{
    cells_fill(area, row, 0, area.columns, STYLE_DIVIDER, "─");
    int column =
        cells_oursf(area, row, 2, STYLE_STRONG, " %zu verdict%s · findings: %zu gone, %zu new, ",
                    s->verdicts, s->verdicts == 1 ? " changes" : "s change",
                    s->fates[WHATIF_DISAPPEARS], s->fates[WHATIF_APPEARS]);
    if (s->fates[WHATIF_CHANGES])
        column = cells_oursf(area, row, column, STYLE_STRONG, "%zu for another reason, ",
                             s->fates[WHATIF_CHANGES]);
    cells_oursf(area, row, column, STYLE_STRONG, "%zu stay ", s->fates[WHATIF_STAYS]);
}

static void whatif_draw(struct view *v, struct area area)
{
    struct whatif_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "What if");
    arena_reset(&s->sight);
    int row = draw_supposed(s, x, area, area.rows > 20 ? area.rows / 4 : 2);
    row = draw_selected(s, x, area, row) + (area.rows > 20 ? 1 : 0);
    if (!x->supposed.count) {
        list_show(&s->list, area.rows - row - 1);
        policies_draw(&s->policies, x, area_sub(area, row, 0, area.rows - row, area.columns),
                      s->list.cursor);
        return;
    }
    row = draw_sides(s, x, area, row);
    if (s->waits)
        return;
    draw_count(s, area, row++);
    if (!s->list.count) {
        cells_ours(area, row, 1, STYLE_PLAIN, "No verdict and no finding would be another.");
        return;
    }
    list_show(&s->list, area.rows - row);
    for (int i = 0; i < area.rows - row && s->list.top + i < s->list.count; i++) {
        draw_difference(s, x, area, row + i, &s->differences[s->list.top + i]);
        if (s->list.top + i == s->list.cursor)
            cells_select(area, row + i, 0, area.columns);
    }
}

static unsigned whatif_act(struct view *v, enum action action)
{
    struct whatif_state *s = v->state;
    struct explorer *x = v->explorer;
    if (list_act(&s->list, action))
        return VIEW_REDRAW;
    if (action == ACTION_OPEN && !x->supposed.count) {
        explorer_suppose(x, CHANGE_POLICY, span_of(policy_builtin_name((size_t)s->list.cursor)));
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && s->asked && s->list.count) {
        const struct difference *d = &s->differences[s->list.cursor];
        int64_t n = difference_step(d);
        if (n)
            explorer_goto(x, n);
        return VIEW_REDRAW;
    }
    if (action == ACTION_ESCAPE && s->waits) {
        forget_last(x);
        explorer_say(x, STYLE_PLAIN, "stopped; that is not supposed any more");
        whatif_ask(s, x);
        return VIEW_REDRAW;
    }
    if (action == ACTION_UNDO) {
        if (!x->supposed.count)
            explorer_say(x, STYLE_PLAIN, "nothing is supposed");
        else {
            forget_last(x);
            whatif_ask(s, x);
        }
        return VIEW_REDRAW;
    }
    return VIEW_IGNORED;
}

static const struct hint *whatif_hints(const struct view *v)
{
    static const struct hint suppose[] = {{ACTION_OPEN, "suppose it"},
                                          {ACTION_RELABEL, "relabel"},
                                          {ACTION_DROP, "drop"},
                                          {ACTION_POLICY, "policy"},
                                          {0}};
    static const struct hint supposed[] = {
        {ACTION_OPEN, "go to the step"}, {ACTION_RELABEL, "relabel"}, {ACTION_DROP, "drop"},
        {ACTION_POLICY, "policy"},       {ACTION_UNDO, "undo"},       {0}};
    return v->explorer->supposed.count ? supposed : suppose;
}

const struct view_ops view_whatif = {
    .name = "whatif",
    .title = "What if",
    .size = sizeof(struct whatif_state),
    .open = whatif_open,
    .close = whatif_close,
    .draw = whatif_draw,
    .act = whatif_act,
    .idle = whatif_idle,
    .hints = whatif_hints,
};
