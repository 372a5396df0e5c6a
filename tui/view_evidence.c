/* Every evidence record that the session refers to, and what re-deriving its digest gave. */
#include "tui/derivation.h"
#include "tui/details.h"
#include "tui/list.h"

struct evidence_state {
    struct arena arena;
    struct evidence_view *evidence;
    size_t count;
    struct list list;
    struct doc doc;
    struct doc_view view;
    bool in_doc;   /* the keys go to the document below */
    int64_t shown; /* the one in the document, laid out for */
    int columns;
};

static bool evidence_open(struct view *v, struct explorer *x)
{
    struct evidence_state *s = v->state;
    struct err err = {0};
    doc_init(&s->doc);
    doc_view_reset(&s->view, &s->doc);
    s->shown = -1;
    if (!review_evidence(x->review, 0, &s->arena, &s->evidence, &s->count, &err)) {
        explorer_fail(x, &err);
        return false;
    }
    s->list.count = (int64_t)s->count;
    for (size_t i = 0; i < s->count; i++)
        if (s->evidence[i].n == x->n) {
            s->list.cursor = (int64_t)i;
            break;
        }
    return true;
}

static void evidence_close(struct view *v)
{
    struct evidence_state *s = v->state;
    doc_finish(&s->doc);
    arena_finish(&s->arena);
}

static void view_evidence_draw_row(struct evidence_state *s, struct area area, int row, int64_t i)
{
    const struct evidence_view *e = &s->evidence[i];
    enum style style = style_of_evidence(e->verdict);
    cells_ours(area, row, 1, style, glyph_of_evidence(e->verdict));
    cells_data(area, row, 3, style, e->verdict.len ? e->verdict : SPAN("not checked yet"), 25);
    cells_oursf(area, row, 29, STYLE_DIM, "%6lld", (long long)e->n);
    cells_data(area, row, 37, STYLE_PLAIN, e->type.at ? e->type : SPAN("(no type)"), 16);
    cells_data(area, row, 55, STYLE_DIM, e->digest.at ? e->digest : SPAN("(no digest)"),
               area.columns - 56);
}

/* The reference under the cursor, derived again step by step. */
static void evidence_show(struct view *v, int columns)
{
    struct evidence_state *s = v->state;
    if (s->shown == s->list.cursor && s->columns == columns)
        return;
    const struct evidence_view *e = &s->evidence[s->list.cursor];
    struct arena arena = {0};
    struct derivation derivation;
    struct err err = {0};
    doc_clear(&s->doc);
    details_add_verdict(&s->doc, e, false);
    doc_line(&s->doc, 0);
    if (review_derive(v->explorer->review, e->id, &arena, &derivation, &err)) {
        derivation_add(&s->doc, e, &derivation, columns);
    } else {
        doc_data(&s->doc, STYLE_ERROR, span_of(err.what));
    }
    doc_line(&s->doc, 0);
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_STRONG, "the reference");
    details_add_reference(&s->doc, e);
    doc_view_reset(&s->view, &s->doc);
    s->shown = s->list.cursor;
    s->columns = columns;
    arena_finish(&arena);
}

static void evidence_draw(struct view *v, struct area area)
{
    struct evidence_state *s = v->state;
    area = explorer_title(v->explorer, area, "Evidence");
    if (!s->count) {
        cells_ours(area, 1, 2, STYLE_PLAIN,
                   "No step of this session refers to an evidence record.");
        cells_ours(
            area, 2, 2, STYLE_DIM,
            "Its labels rest on what the servers claimed, and on nothing that can be re-derived.");
        return;
    }
    /* the derivation is long: it gets the room while it has the keys */
    int list_rows = s->in_doc ? area.rows / 6 + 2 : area.rows / 2;
    if (list_rows > (int)s->count + 2)
        list_rows = (int)s->count + 2;
    cells_ours(area, 0, 1, STYLE_DIM,
               "  what re-deriving gave       step  type              digest");
    list_show(&s->list, list_rows - 1);
    for (int row = 0; row < list_rows - 1 && s->list.top + row < s->list.count; row++) {
        view_evidence_draw_row(s, area, row + 1, s->list.top + row);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
    cells_fill(area, list_rows, 0, area.columns, s->in_doc ? STYLE_DIVIDER_ON : STYLE_DIVIDER, "─");
    cells_oursf(area, list_rows, 2, STYLE_DIM, " %lld of %zu ", (long long)s->list.cursor + 1,
                s->count);
    evidence_show(v, area.columns - 4);
    doc_view_draw(&s->view,
                  area_sub(area, list_rows + 1, 2, area.rows - list_rows - 1, area.columns - 4),
                  s->in_doc);
}

static unsigned evidence_act(struct view *v, enum action action)
{
    struct evidence_state *s = v->state;
    if (action == ACTION_NEXT_PANE || action == ACTION_PREVIOUS_PANE) {
        s->in_doc = !s->in_doc;
        return VIEW_REDRAW;
    }
    if (s->in_doc && action == ACTION_BACK) {
        s->in_doc = false;
        return VIEW_REDRAW;
    }
    if (s->in_doc && s->view.cursor < s->doc.lines && action == ACTION_OPEN &&
        s->doc.line[s->view.cursor].step) {
        explorer_goto(v->explorer, s->doc.line[s->view.cursor].step);
        return VIEW_REDRAW;
    }
    if (s->in_doc ? doc_view_act(&s->view, action) : list_act(&s->list, action))
        return VIEW_REDRAW;
    if (!s->count)
        return VIEW_IGNORED;
    const struct evidence_view *e = &s->evidence[s->list.cursor];
    if (action == ACTION_OPEN)
        explorer_goto(v->explorer, e->n);
    else if (action == ACTION_COPY)
        explorer_copy(v->explorer, e->digest.at ? e->digest : e->raw);
    else if (action == ACTION_FOLD_ALL || action == ACTION_RIGHT || action == ACTION_LEFT)
        doc_view_act(&s->view, ACTION_FOLD_ALL);
    else
        return VIEW_IGNORED;
    return VIEW_REDRAW;
}

static const enum action evidence_hints[] = {ACTION_OPEN, ACTION_NEXT_PANE, ACTION_FOLD_ALL,
                                             ACTION_COPY, ACTION_HELP,      ACTION_BACK,
                                             ACTION_NONE};

const struct view_ops view_evidence = {
    .name = "evidence",
    .title = "Evidence",
    .size = sizeof(struct evidence_state),
    .open = evidence_open,
    .close = evidence_close,
    .draw = evidence_draw,
    .act = evidence_act,
    .hints = evidence_hints,
};
