/*
 * How this session differs from another one, such as a run that went well:
 * the two side by side, steps aligned, runs of equal steps folded to a line.
 */

#include "base/slice.h"
#include "model/query/diff.h"
#include "tui/core.h"
#include "tui/doc.h"
#include "tui/excerpt.h"
#include "tui/list.h"
#include "tui/preview.h"

enum { ALIKE_SHOWN = 2, DIFF_TEXT = 64 * 1024 };

/* A line of the screen: a fact, a step that differs, or steps that are alike. */
struct diff_line {
    const struct fact_diff *fact; /* NULL: steps */
    struct step_diff step;        /* kind SAME: alike, the first of `alike` steps */
    int64_t alike;
};

struct diff_state {
    struct arena arena;
    struct arena answer;               /* of the difference */
    struct arena sight;                /* of what is in sight */
    bool asking;                       /* there is no answer yet */
    const struct session_view *other;  /* NULL: a person chooses */
    struct review *review;             /* of the other session */
    const struct session_view **offer; /* those to choose from */
    bool facts_failed;                 /* which of them went well can't be told */
    struct session_diff diff;
    struct diff_line *lines;
    struct list list; /* of lines, or of sessions to choose from */
    struct doc doc;   /* the line under the cursor, both texts */
    int64_t shown;
};

/* ---- what to compare with ---- */

/* Sessions of the same servers come first: one of those is the good run, where there is one. */
static void diff_offer(struct diff_state *s, struct explorer *x)
{
    size_t count = 0;
    s->offer = arena_array(&s->arena, x->session_count + 1, sizeof *s->offer);
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < x->session_count; i++) {
            const struct session_view *other = &x->sessions[i];
            bool alike = span_equal(other->servers, x->session->servers);
            if (other != x->session && alike == (round == 0))
                s->offer[count++] = other;
        }
    s->list = (struct list){.count = (int64_t)count};
}

/* Steps that are alike between two differences; long runs are one line. */
static void diff_add_alike(struct diff_state *s, size_t *count, int64_t a, int64_t b, int64_t alike)
{
    bool folded = alike > ALIKE_SHOWN;
    for (int64_t i = 0; i < (folded ? 1 : alike); i++)
        s->lines[(*count)++] = (struct diff_line){
            .step = {.kind = DIFF_SAME, .a = a + i, .b = b + i}, .alike = folded ? alike : 1};
}

static void diff_add_lines(struct diff_state *s, struct explorer *x)
{
    const struct session_diff *d = &s->diff;
    size_t count = 0, most = d->fact_count + (1 + ALIKE_SHOWN) * (d->step_count + 1);
    int64_t a = 1, b = 1, last = review_steps(x->review);
    s->lines = arena_array(&s->answer, most, sizeof *s->lines);
    for (size_t i = 0; i < d->fact_count; i++)
        s->lines[count++] = (struct diff_line){.fact = &d->facts[i]};
    for (size_t i = 0; i < d->step_count; i++) {
        const struct step_diff *step = &d->steps[i];
        int64_t alike = step->a ? step->a - a : step->b - b;
        diff_add_alike(s, &count, a, b, alike);
        a += alike + (step->a > 0);
        b += alike + (step->b > 0);
        s->lines[count++] = (struct diff_line){.step = *step};
    }
    diff_add_alike(s, &count, a, b, last + 1 - a);
    s->list = (struct list){.count = (int64_t)count};
    while (s->list.cursor + 1 < s->list.count && s->lines[s->list.cursor].alike)
        s->list.cursor++; /* the first difference */
    if (s->list.count && s->lines[s->list.cursor].alike)
        s->list.cursor = 0;
    s->shown = -1;
}

static bool diff_question(void *arg, struct err *err)
{
    struct view *v = arg;
    struct diff_state *s = v->state;
    struct explorer *x = v->explorer;
    arena_reset(&s->answer); /* of a try that was stopped */
    if (!s->review)
        s->review = review_open(x->options.case_file, s->other->id, x->options.policy, false, NULL,
                                NULL, err);
    return s->review && review_diff(x->review, s->review, &s->answer, &s->diff, err);
}

/* Both sessions are read whole for it. True: it is to be asked again. */
static bool diff_ask(struct view *v, struct slice *slice)
{
    struct diff_state *s = v->state;
    struct err err = {0};
    int more = s->asking ? explorer_ask(v->explorer, slice, diff_question, v, &err) : 0;
    if (more > 0 || !s->asking)
        return more > 0;
    s->asking = false;
    if (more) {
        explorer_fail(v->explorer, &err);
        s->other = NULL;
    } else {
        diff_add_lines(s, v->explorer);
    }
    return false;
}

static void diff_with(struct view *v, const struct session_view *other)
{
    struct diff_state *s = v->state;
    struct slice slice = slice_begin(NULL, NULL);
    s->other = other;
    s->asking = true;
    diff_ask(v, &slice);
}

/* Which one went well? True: it is to be asked again. */
static bool diff_know_sessions(struct view *v)
{
    struct diff_state *s = v->state;
    struct err err = {0};
    if (s->other || s->facts_failed || !s->list.count)
        return false;
    int more = explorer_know_sessions(v->explorer, NULL, &err);
    s->facts_failed = more < 0;
    if (more < 0)
        explorer_fail(v->explorer, &err);
    return more > 0;
}

static bool diff_idle(struct view *v, struct slice *slice)
{
    (void)slice;
    return diff_know_sessions(v) || diff_ask(v, NULL);
}

static bool diff_open(struct view *v, struct explorer *x)
{
    struct diff_state *s = v->state;
    doc_init(&s->doc);
    diff_offer(s, x);
    const struct session_view *asked = NULL;
    for (size_t i = 0; i < x->session_count; i++)
        if (x->sessions[i].id == x->compare_with && &x->sessions[i] != x->session)
            asked = &x->sessions[i];
    x->compare_with = 0;
    if (!asked && s->list.count == 1)
        asked = s->offer[0];
    if (asked)
        diff_with(v, asked);
    return true;
}

static void diff_close(struct view *v)
{
    struct diff_state *s = v->state;
    review_close(s->review);
    doc_finish(&s->doc);
    arena_finish(&s->arena);
    arena_finish(&s->answer);
    arena_finish(&s->sight);
}

/* ---- drawing ---- */

/* Name, steps, denied calls, servers. */
static void diff_draw_other(const struct session_view *other, bool known, struct area area, int row,
                            int name)
{
    int column = name + 6;
    cells_data(area, row, 4, STYLE_STRONG, other->name, name);
    if (known) {
        cells_oursf(area, row, column, STYLE_DIM, "%7lld", (long long)other->steps);
        cells_oursf(area, row, column + 7, other->denied ? STYLE_DENY : STYLE_DIM, "%8lld",
                    (long long)other->denied);
    } else {
        cells_ours(area, row, column, STYLE_UNKNOWN, "      …       …");
    }
    cells_data(area, row, column + 17, STYLE_PLAIN, other->servers, area.columns - column - 18);
}

static void diff_draw_offer(struct diff_state *s, const struct explorer *x, struct area area)
{
    if (!s->list.count) {
        cells_ours(area, 1, 2, STYLE_UNKNOWN, "This case holds no other session to compare with.");
        cells_wrapped(area, 2, 2, STYLE_DIM,
                      "`strandline import -o CASE LOG…` adds one, such as a run that went well.");
        return;
    }
    int name = area.columns / 2;
    cells_ours(area, 1, 2, STYLE_STRONG, "Compare this session with which one?");
    cells_ours(area, 2, name + 6, STYLE_DIM, "  steps  denied  servers");
    list_show(&s->list, area.rows - 4);
    for (int row = 0; row < area.rows - 4 && s->list.top + row < s->list.count; row++) {
        diff_draw_other(s->offer[s->list.top + row], x->sessions_known, area, row + 3, name);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 3, 0, area.columns);
    }
}

/* One half of a line: number, who, what. */
static void diff_draw_step(struct diff_state *s, struct review *review, struct explorer *x,
                           struct area area, int row, int column, int end, int64_t n)
{
    struct flow_row r;
    struct err err = {0};
    if (!n || review_rows(review, n, 1, FLOW_PREVIEW, &s->sight, &r, &err) != 1)
        return;
    struct area half = area_sub(area, row, column, 1, end - column);
    cells_oursf(half, 0, 0, STYLE_DIM, "%5lld", (long long)n);
    bool call = r.step.kind == STEP_TOOL_CALL;
    int at = cells_ours(half, 0, 6, style_of_server(x->session->servers, r.step.server),
                        call                              ? "▸ "
                        : r.step.kind == STEP_TOOL_RESULT ? "◂ "
                                                          : "  ");
    if (r.verdict == VERDICT_DENY)
        at = cells_ours(half, 0, at, STYLE_DENY, "✘ ");
    at = cells_data(half, 0, at, r.verdict == VERDICT_DENY ? STYLE_DENY : STYLE_STRONG,
                    r.step.tool.len ? r.step.tool : span_of(step_kind_word(r.step.kind)), 26) +
         1;
    if (call && at + 4 < half.columns) {
        preview_arguments(half, 0, at, half.columns - at, r.preview, false);
    } else if (at + 4 < half.columns) {
        struct buf text = {0};
        preview_text(r.preview, &text);
        cells_data_start(half, 0, at, STYLE_DIM, buf_span(&text), half.columns - at);
        buf_finish(&text);
    }
}

static void diff_draw_fact(struct area area, int row, int middle, const struct fact_diff *fact)
{
    int column = cells_data(area, row, 1, STYLE_DIM, fact->what, 12) + 1;
    column = cells_data(area, row, column, STYLE_STRONG, fact->name, 24) + 1;
    if (column < middle - 4)
        cells_data(area, row, column, STYLE_PLAIN, fact->a.at ? span_trim(fact->a) : SPAN("none"),
                   middle - column - 1);
    cells_data(area, row, middle + 4, STYLE_PLAIN, fact->b.at ? span_trim(fact->b) : SPAN("none"),
               area.columns - middle - 5);
}

static void diff_draw_line(struct diff_state *s, struct explorer *x, struct area area, int row,
                           const struct diff_line *line)
{
    static const struct {
        const char *sign;
        enum style style;
    } signs[] = {[DIFF_SAME] = {"=", STYLE_FAINT},
                 [DIFF_ADDED] = {">", STYLE_GOOD},
                 [DIFF_REMOVED] = {"<", STYLE_BAD},
                 [DIFF_CHANGED] = {"~", STYLE_ASK}};
    int middle = area.columns / 2 - 1;
    enum diff_kind kind = line->fact ? line->fact->kind : line->step.kind;
    cells_ours(area, row, middle, signs[kind].style, signs[kind].sign);
    if (line->fact) {
        diff_draw_fact(area, row, middle, line->fact);
    } else if (line->alike > 1) {
        cells_oursf(area, row, 1, STYLE_FAINT, "%5lld", (long long)line->step.a);
        cells_oursf(area, row, 7, STYLE_DIM, "  %lld steps alike", (long long)line->alike);
        cells_oursf(area, row, middle + 2, STYLE_FAINT, "%5lld", (long long)line->step.b);
    } else {
        diff_draw_step(s, x->review, x, area, row, 1, middle - 1, line->step.a);
        diff_draw_step(s, s->review, x, area, row, middle + 2, area.columns - 1, line->step.b);
    }
}

/* What differs in the line under the cursor: in words, and both texts with the difference lit. */
static void diff_explain(struct diff_state *s, struct explorer *x)
{
    const struct diff_line *line = &s->lines[s->list.cursor];
    struct doc *doc = &s->doc;
    if (s->shown == s->list.cursor)
        return;
    s->shown = s->list.cursor;
    doc_clear(doc);
    doc_line(doc, 0);
    if (line->fact) {
        doc_data(doc, STYLE_STRONG, line->fact->what);
        doc_ours(doc, STYLE_PLAIN, " ");
        doc_data(doc, STYLE_STRONG, line->fact->name);
        excerpt_differ(doc, line->fact->a.at ? line->fact->a : SPAN("(none)"),
                       line->fact->b.at ? line->fact->b : SPAN("(none)"));
        return;
    }
    const struct step_diff *d = &line->step;
    if (d->kind != DIFF_CHANGED) {
        doc_ours(doc, STYLE_STRONG,
                 d->kind == DIFF_ADDED     ? "Only in the other session."
                 : d->kind == DIFF_REMOVED ? "Only in this session."
                                           : "Alike in both.");
        return;
    }
    doc_oursf(doc, STYLE_STRONG, "The same step in both, with another%s%s%s.",
              d->body ? " text" : "",
              d->verdict ? (d->body ? ", another verdict" : " verdict") : "",
              d->context ? (d->body || d->verdict ? ", another context" : " context") : "");
    struct buf a = {0}, b = {0};
    struct err err = {0};
    bool cut;
    if (d->body && review_body(x->review, d->a, DIFF_TEXT, &a, &cut, &err) &&
        review_body(s->review, d->b, DIFF_TEXT, &b, &cut, &err))
        excerpt_differ(doc, buf_span(&a), buf_span(&b));
    buf_finish(&a);
    buf_finish(&b);
}

static void diff_draw(struct view *v, struct area area)
{
    struct diff_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Diff");
    if (!s->other) {
        diff_draw_offer(s, x, area);
        return;
    }
    if (s->asking) {
        cells_ours(area, 1, 2, STYLE_DIM, "Reading both sessions, to set them side by side…");
        return;
    }
    int middle = area.columns / 2 - 1, rows = area.rows - 8;
    if (rows > s->list.count) /* the texts below get what the list leaves */
        rows = (int)s->list.count;
    cells_fill(area, 0, 0, area.columns, STYLE_HEADER, " ");
    int column = cells_ours(area, 0, 1, STYLE_HEADER, "< this: ");
    cells_data(area, 0, column, STYLE_HEADER, x->session->name, middle - column - 1);
    column = cells_ours(area, 0, middle, STYLE_HEADER, "> the other: ");
    cells_data(area, 0, column, STYLE_HEADER, s->other->name, area.columns - column - 1);
    arena_reset(&s->sight);
    list_show(&s->list, rows);
    for (int row = 0; row < rows && s->list.top + row < s->list.count; row++) {
        diff_draw_line(s, x, area, row + 1, &s->lines[s->list.top + row]);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
    cells_fill(area, rows + 1, 0, area.columns, STYLE_DIVIDER, "─");
    column = cells_oursf(area, rows + 1, 2, STYLE_STRONG, " %zu step%s alike · %zu differ ",
                         s->diff.same, s->diff.same == 1 ? "" : "s", s->diff.step_count);
    if (s->diff.fact_count)
        column = cells_oursf(area, rows + 1, column, STYLE_STRONG, "· %zu of server or tool ",
                             s->diff.fact_count);
    if (s->diff.capped)
        cells_ours(area, rows + 1, column, STYLE_UNKNOWN,
                   "· too different to be aligned to the end ");
    if (!s->list.count)
        return;
    diff_explain(s, x);
    struct doc_view below = {.doc = &s->doc};
    doc_view_draw(&below, area_sub(area, rows + 2, 2, area.rows - rows - 2, area.columns - 4),
                  false);
}

/* ---- keys ---- */

static unsigned diff_choose(struct view *v, enum action action)
{
    struct diff_state *s = v->state;
    if (action != ACTION_OPEN || !s->list.count)
        return VIEW_IGNORED;
    diff_with(v, s->offer[s->list.cursor]);
    return VIEW_REDRAW;
}

static unsigned diff_act(struct view *v, enum action action)
{
    struct diff_state *s = v->state;
    struct explorer *x = v->explorer;
    if (s->asking)
        return VIEW_IGNORED;
    if (list_act(&s->list, action))
        return VIEW_REDRAW;
    if (!s->other)
        return diff_choose(v, action);
    if (action != ACTION_OPEN || !s->list.count)
        return VIEW_IGNORED;
    const struct diff_line *line = &s->lines[s->list.cursor];
    if (line->fact)
        explorer_say(x, STYLE_PLAIN, "this is about the session, not one step");
    else if (line->step.a)
        explorer_goto(x, line->step.a);
    else
        explorer_visit(x, s->other, line->step.b);
    return VIEW_REDRAW;
}

static const struct hint *diff_hints(const struct view *v)
{
    static const struct hint go[] = {{ACTION_OPEN, "go to the step"}, {0}};
    static const struct hint choose[] = {{ACTION_OPEN, "compare with it"}, {0}};
    const struct diff_state *s = v->state;
    return !s->list.count ? NULL : s->other ? go : choose;
}

const struct view_ops view_diff = {
    .name = "diff",
    .title = "Diff",
    .size = sizeof(struct diff_state),
    .open = diff_open,
    .close = diff_close,
    .draw = diff_draw,
    .act = diff_act,
    .idle = diff_idle,
    .hints = diff_hints,
};
