/* Every evidence record that the session refers to, and what re-deriving its digest gave. */
#include "tui/derivation.h"
#include "tui/details.h"
#include "tui/listed.h"

enum { DIGEST_COLUMNS = 72 }; /* where it is narrower, only the pane below has room for a digest */

struct evidence_state {
    struct arena arena;
    struct evidence_view *evidence;
    size_t count;
    struct listed listed;
};

static bool evidence_open(struct view *v, struct explorer *x)
{
    struct evidence_state *s = v->state;
    struct err err = {0};
    listed_init(&s->listed);
    if (!review_evidence(x->review, 0, &s->arena, &s->evidence, &s->count, &err)) {
        explorer_fail(x, &err);
        return false;
    }
    s->listed.list.count = (int64_t)s->count;
    for (size_t i = 0; i < s->count; i++)
        if (s->evidence[i].n == x->n) {
            s->listed.list.cursor = (int64_t)i;
            break;
        }
    return true;
}

static void evidence_close(struct view *v)
{
    struct evidence_state *s = v->state;
    listed_finish(&s->listed);
    arena_finish(&s->arena);
}

static void view_evidence_draw_row(struct view *v, struct area area, int row, int64_t i)
{
    const struct evidence_state *s = v->state;
    const struct evidence_view *e = &s->evidence[i];
    enum style style = style_of_evidence(e->verdict);
    cells_ours(area, row, 1, style, glyph_of_evidence(e->verdict));
    cells_data(area, row, 3, style, e->verdict.len ? e->verdict : SPAN("not checked yet"), 25);
    cells_oursf(area, row, 29, STYLE_DIM, "%6lld", (long long)e->n);
    cells_data(area, row, 37, STYLE_PLAIN, e->type.at ? e->type : SPAN("(no type)"), 16);
    if (area.columns >= DIGEST_COLUMNS)
        cells_data(area, row, 55, STYLE_DIM, e->digest.at ? e->digest : SPAN("(no digest)"),
                   area.columns - 56);
}

/* The reference, derived again step by step. */
static void evidence_lay_out(struct view *v, int64_t i, int columns)
{
    struct evidence_state *s = v->state;
    struct doc *doc = &s->listed.doc;
    const struct evidence_view *e = &s->evidence[i];
    struct arena arena = {0};
    struct derivation derivation;
    struct err err = {0};
    details_add_verdict(doc, e, false);
    doc_line(doc, 0);
    if (review_derive(v->explorer->review, e->id, &arena, &derivation, &err))
        derivation_add(doc, e, &derivation, columns);
    else
        doc_data(doc, STYLE_ERROR, span_of(err.what));
    doc_line(doc, 0);
    doc_line(doc, 0);
    doc_ours(doc, STYLE_STRONG, "the reference");
    details_add_reference(doc, e);
    arena_finish(&arena);
}

static const struct listed_ops evidence_listed = {
    .head = "  what re-deriving gave       step  type              digest",
    .draw_row = view_evidence_draw_row,
    .lay_out = evidence_lay_out,
};

static const struct listed_ops evidence_narrow = {
    .head = "  what re-deriving gave       step  type",
    .draw_row = view_evidence_draw_row,
    .lay_out = evidence_lay_out,
};

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
    int rows = s->listed.in_doc ? area.rows / 6 + 2 : area.rows / 2;
    listed_draw(&s->listed, v, area, rows,
                area.columns < DIGEST_COLUMNS ? &evidence_narrow : &evidence_listed);
}

static unsigned evidence_act(struct view *v, enum action action)
{
    struct evidence_state *s = v->state;
    if (listed_act(&s->listed, v, action))
        return VIEW_REDRAW;
    if (!s->count)
        return VIEW_IGNORED;
    const struct evidence_view *e = &s->evidence[s->listed.list.cursor];
    if (action == ACTION_OPEN)
        explorer_goto(v->explorer, e->n);
    else if (action == ACTION_COPY)
        explorer_copy(v->explorer, e->digest.at ? e->digest : e->raw);
    else
        return VIEW_IGNORED;
    return VIEW_REDRAW;
}

static const struct hint *evidence_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go to the step"},
                                        {ACTION_NEXT_PANE, "other pane"},
                                        {ACTION_FOLD_ALL, "fold all"},
                                        {ACTION_COPY, "copy the digest"},
                                        {0}};
    const struct evidence_state *s = v->state;
    return s->count ? hints : NULL;
}

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
