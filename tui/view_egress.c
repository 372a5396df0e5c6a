/* What left, and to whom: the calls that send something out, found in slices. */
#include <stdlib.h>

#include "tui/core.h"
#include "tui/doc.h"
#include "tui/list.h"
#include "tui/preview.h"

enum { VIEW_EGRESS_SLICE = 64 }; /* steps between two looks at the clock */

struct egress_state {
    struct list list;
    int64_t *steps;            /* calls with the role egress */
    size_t count, room, calls; /* what is no call is an answer with a link */
    bool assumed;              /* of some, who can read it */
    int64_t looked_to;
    struct arena arena; /* of what is in sight */
    struct doc doc;     /* the call under the cursor: what it sends, and where that stood before */
    struct doc_view below;
    bool in_doc;        /* the keys go to the document */
    int64_t told;       /* its step; 0: none yet */
    bool traced;        /* its origins are in the document */
    struct arena found; /* of the origins */
    struct origins origins;
};

static bool egress_open(struct view *v, struct explorer *x)
{
    struct egress_state *s = v->state;
    (void)x;
    doc_init(&s->doc);
    doc_view_reset(&s->below, &s->doc); /* keys may come before it has had room to be drawn */
    return true;
}

static void egress_close(struct view *v)
{
    struct egress_state *s = v->state;
    mem_free(s->steps);
    arena_finish(&s->arena);
    arena_finish(&s->found);
    doc_finish(&s->doc);
}

static bool egress_look(struct view *v)
{
    struct egress_state *s = v->state;
    struct explorer *x = v->explorer;
    struct err err = {0};
    int64_t steps = review_steps(x->review);
    if (s->looked_to >= steps)
        return false;
    arena_reset(&s->arena);
    struct flow_row *rows = arena_array(&s->arena, VIEW_EGRESS_SLICE, sizeof *rows);
    long got =
        review_rows(x->review, s->looked_to + 1, VIEW_EGRESS_SLICE, 0, &s->arena, rows, &err);
    if (got < 1) {
        explorer_fail(x, &err);
        s->looked_to = steps;
        return false;
    }
    for (long i = 0; i < got; i++) {
        if (!(rows[i].role & ROLE_EGRESS))
            continue;
        s->steps = mem_one_more(s->steps, s->count, &s->room, sizeof *s->steps);
        s->assumed |= rows[i].audience_assumed;
        s->calls += rows[i].step.kind == STEP_TOOL_CALL;
        if (rows[i].step.n <= x->n) /* begin at the one that was looked at */
            s->list.cursor = (int64_t)s->count;
        s->steps[s->count++] = rows[i].step.n;
    }
    s->list.count = (int64_t)s->count;
    s->looked_to += got;
    return s->looked_to < steps;
}

/* ---- what it sends ---- */

static int64_t egress_at(const struct egress_state *s)
{
    return s->list.cursor >= 0 && s->list.cursor < s->list.count ? s->steps[s->list.cursor] : 0;
}

static bool egress_question(void *arg, struct err *err)
{
    struct view *v = arg;
    struct egress_state *s = v->state;
    arena_reset(&s->found);
    return review_origins(v->explorer->review, s->told, SPAN_EMPTY, &s->found, &s->origins, err);
}

static int egress_heavier(const void *a, const void *b)
{
    const struct origin *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* "we are moving to …"  in /content  <- 10 github get_file_contents  private */
static void egress_add_origin(struct egress_state *s, struct explorer *x, const struct origin *o)
{
    struct arena arena = {0};
    struct flow_row row;
    struct err err = {0};
    doc_line(&s->doc, 2);
    doc_ours(&s->doc, STYLE_FAINT, "“");
    doc_data(&s->doc, STYLE_MATCH, span_sub(o->text, 0, 120));
    doc_ours(&s->doc, STYLE_FAINT, o->text.len > 120 ? "…”" : "”");
    doc_ours(&s->doc, STYLE_DIM, "  in ");
    doc_data(&s->doc, STYLE_JSON_NAME, o->pointer.len ? o->pointer : SPAN("the text"));
    doc_oursf(&s->doc, STYLE_DIM, "  ← step %lld ", (long long)o->n);
    if (review_rows(x->review, o->n, 1, 0, &arena, &row, &err) == 1) {
        doc_data(&s->doc, STYLE_PLAIN,
                 row.step.tool.len ? row.step.tool : span_of(step_kind_word(row.step.kind)));
        if (row.has_label && label_short(row.label)[0])
            doc_oursf(&s->doc, style_of_label(row.label), "  %s", label_short(row.label));
        else if (row.has_label && row.origin == ORIGIN_NONE && row.step.kind != STEP_PROMPT)
            doc_ours(&s->doc, STYLE_UNKNOWN, "  no claim");
    }
    if (!span_is(span_of(o->how), "exact"))
        doc_oursf(&s->doc, STYLE_UNKNOWN, "  (%s)", o->how);
    doc_link(&s->doc, o->n);
    doc_hang(&s->doc, 4);
    arena_finish(&arena);
}

/* Long and rare passages first. */
static void egress_add_origins(struct egress_state *s, struct explorer *x)
{
    enum { MOST = 30 };
    struct origins *found = &s->origins;
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_STRONG,
             found->count ? "Where its text stood before"
                          : "Nothing in it that is long or rare enough stood in an earlier step.");
    if (found->count)
        qsort(found->items, found->count, sizeof *found->items, egress_heavier);
    for (size_t i = 0; i < found->count && i < MOST; i++)
        egress_add_origin(s, x, &found->items[i]);
    if (found->count > MOST || found->capped) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_UNKNOWN, "there is more; w shows where all of it stood");
    }
}

/* The sentence at once, the origins when nobody types. */
static void egress_tell(struct egress_state *s, struct explorer *x)
{
    struct flow_row row;
    struct replay_out out;
    struct err err = {0};
    struct buf text = {0};
    int64_t n = egress_at(s);
    if (s->told == n)
        return;
    s->told = n;
    s->traced = false;
    doc_clear(&s->doc);
    doc_view_reset(&s->below, &s->doc);
    if (n && review_explain(x->review, n, &row, &out, &err)) {
        replay_sentence(&text, review_labels(x->review), &row.step, &out);
        doc_line(&s->doc, 0);
        doc_data(&s->doc, row.verdict == VERDICT_DENY ? STYLE_DENY : STYLE_STRONG, buf_span(&text));
    }
    buf_finish(&text);
}

/* True: it is to be asked again. */
static bool egress_trace(struct view *v)
{
    enum { AT_ONCE = 20000 }; /* steps whose texts are read without being asked */
    struct egress_state *s = v->state;
    struct err err = {0};
    if (!s->told || s->traced)
        return false;
    int more = s->told > AT_ONCE ? 0 : explorer_ask(v->explorer, NULL, egress_question, v, &err);
    if (more > 0)
        return true;
    s->traced = true;
    if (more < 0) {
        explorer_fail(v->explorer, &err);
    } else if (s->told <= AT_ONCE) {
        egress_add_origins(s, v->explorer);
    } else {
        doc_line(&s->doc, 0);
        doc_ours(&s->doc, STYLE_DIM,
                 "w and Enter look where its text stood before: all earlier texts "
                 "are read for it");
    }
    return false;
}

static bool egress_idle(struct view *v, struct slice *slice)
{
    bool more;
    while ((more = egress_look(v)) && !slice_is_over(slice))
        ;
    if (more)
        return true;
    egress_tell(v->state, v->explorer); /* of the first call too, before it was drawn */
    return egress_trace(v);
}

static int egress_who_columns(struct area area)
{
    return area.columns > 150 ? 40 : area.columns >= 100 ? 22 : 14;
}

static void view_egress_draw_row(struct explorer *x, struct egress_state *s, struct area area,
                                 int row, int64_t n)
{
    struct flow_row r;
    struct err err = {0};
    if (review_rows(x->review, n, 1, FLOW_PREVIEW, &s->arena, &r, &err) != 1)
        return;
    bool wide = area.columns >= 100;
    int who = egress_who_columns(area), label = wide ? 18 : 3;
    if (r.finding_count) /* the worst that was found tells which of them to look at first */
        cells_ours(area, row, 0, style_of_severity(r.worst), glyph_of_severity(r.worst));
    cells_oursf(area, row, 1, STYLE_DIM, "%6lld", (long long)n);
    int behind = cells_data(area, row, 9, STYLE_STRONG,
                            r.audience.len ? r.audience : SPAN("not known"), who - 3);
    if (r.audience_assumed)
        cells_ours(area, row, behind + 1, STYLE_UNKNOWN, "~");
    int column = 9 + who;
    if (wide)
        cells_ours(area, row, column, style_of_label(r.before), label_short(r.before));
    else
        cells_oursf(area, row, column, style_of_label(r.before), "%s%s",
                    r.before.integrity == UNTRUSTED ? "U" : " ",
                    label_is_private(r.before) ? "P" : " ");
    column += label;
    verdict_draw(area, row, column, r.verdict);
    column += 8;
    /* A rendered link has no outcome of its own: whether it was followed is not in the record. */
    bool known = r.step.outcome != OUTCOME_NONE;
    cells_ours(area, row, column, r.step.outcome == OUTCOME_COMPLETED ? STYLE_PLAIN : STYLE_UNKNOWN,
               known ? outcome_word(r.step.outcome) : "not told");
    column += 12;
    if (r.step.kind != STEP_TOOL_CALL)
        column = cells_ours(area, row, column, STYLE_AGENT, "agent") + 1;
    else if (!r.step.server.len)
        column = cells_ours(area, row, column, STYLE_AGENT, "host") + 1;
    else
        column = cells_data(area, row, column, style_of_server(x->session->servers, r.step.server),
                            r.step.server, 12) +
                 1;
    if (r.step.tool.len)
        column = cells_data(area, row, column, STYLE_STRONG, r.step.tool, 26) + 2;
    if (column + 4 < area.columns)
        preview_arguments(area, row, column, area.columns - column - 1, r.preview, wide);
}

static void egress_draw(struct view *v, struct area area)
{
    struct egress_state *s = v->state;
    struct explorer *x = v->explorer;
    bool done = s->looked_to >= review_steps(x->review);
    area = explorer_title(x, area, "Egress");
    arena_reset(&s->arena);
    if (!s->count && !done) {
        cells_oursf(area, 1, 2, STYLE_UNKNOWN,
                    "Looking for calls that send: %lld of %lld steps so far.",
                    (long long)s->looked_to, (long long)review_steps(x->review));
        return;
    }
    if (!s->count) {
        cells_wrapped(area, 1, 2, STYLE_PLAIN,
                      "Nothing in this session sends anything out, as far as the record tells.");
        cells_wrapped(area, 3, 2, STYLE_DIM,
                      "What a server does behind its own door is not in the record.");
        return;
    }
    bool wide = area.columns >= 100;
    int behind = 9 + egress_who_columns(area);
    cells_ours(area, 0, 1, STYLE_DIM, "  step  who can read");
    cells_ours(area, 0, behind, STYLE_DIM,
               wide ? "context           verdict outcome     call"
                    : "ctx verdict outcome     call");
    int rows = area.rows / 2 - 1;
    if (rows > (int)s->count)
        rows = (int)s->count;
    list_show(&s->list, rows);
    for (int row = 0; row < rows && s->list.top + row < s->list.count; row++) {
        view_egress_draw_row(x, s, area, row + 1, s->steps[s->list.top + row]);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
    cells_fill(area, rows + 1, 0, area.columns, s->in_doc ? STYLE_DIVIDER_ON : STYLE_DIVIDER, "─");
    const char *what = s->calls == s->count ? "call" : s->calls ? "call or answer" : "answer";
    int column = cells_oursf(area, rows + 1, 2, STYLE_STRONG, " %zu %s%s something out%s", s->count,
                             what, s->count == 1 ? " sends" : "s send", done ? "" : " so far");
    cells_ours(area, rows + 1, column, STYLE_STRONG,
               !s->assumed         ? " "
               : area.columns < 70 ? "; ~: assumed "
                                   : "; ~: who can read it is assumed ");
    egress_tell(s, x);
    doc_view_draw(&s->below, area_sub(area, rows + 2, 2, area.rows - rows - 2, area.columns - 4),
                  s->in_doc);
}

static unsigned egress_act(struct view *v, enum action action)
{
    struct egress_state *s = v->state;
    if (action == ACTION_NEXT_PANE || action == ACTION_PREVIOUS_PANE) {
        s->in_doc = !s->in_doc;
        return VIEW_REDRAW;
    }
    if (s->in_doc && action == ACTION_BACK) {
        s->in_doc = false;
        return VIEW_REDRAW;
    }
    if (s->in_doc ? doc_view_act(&s->below, action) : list_act(&s->list, action))
        return VIEW_REDRAW;
    if (s->in_doc && action == ACTION_OPEN && doc_view_step(&s->below)) {
        explorer_goto(v->explorer, doc_view_step(&s->below));
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && s->count) {
        explorer_goto(v->explorer, s->steps[s->list.cursor]);
        return VIEW_REDRAW;
    }
    if (action == ACTION_WHY && s->count) { /* of the call under the cursor */
        v->explorer->n = s->steps[s->list.cursor];
        return VIEW_IGNORED;
    }
    return VIEW_IGNORED;
}

static const struct hint *egress_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go to the step"},
                                        {ACTION_WHY, "why"},
                                        {ACTION_NEXT_PANE, "other pane"},
                                        {0}};
    const struct egress_state *s = v->state;
    return s->count ? hints : NULL;
}

const struct view_ops view_egress = {
    .name = "egress",
    .title = "Egress",
    .size = sizeof(struct egress_state),
    .open = egress_open,
    .close = egress_close,
    .draw = egress_draw,
    .act = egress_act,
    .idle = egress_idle,
    .hints = egress_hints,
};
