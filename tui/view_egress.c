/* What left, and to whom: the calls that send something out, found in slices. */
#include "tui/core.h"
#include "tui/list.h"
#include "tui/preview.h"

enum { VIEW_EGRESS_SLICE = 64 }; /* steps between two looks at the clock */

struct egress_state {
    struct list list;
    int64_t *steps; /* calls with the role egress */
    size_t count, room;
    int64_t looked_to;
    struct arena arena; /* of what is in sight */
};

static bool egress_open(struct view *v, struct explorer *x)
{
    (void)v;
    (void)x;
    return true;
}

static void egress_close(struct view *v)
{
    struct egress_state *s = v->state;
    mem_free(s->steps);
    arena_finish(&s->arena);
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
        if (s->count == s->room) {
            s->room = s->room ? s->room * 2 : 64;
            s->steps = mem_resize(s->steps, s->room * sizeof *s->steps);
        }
        if (rows[i].step.n <= x->n) /* begin at the one that was looked at */
            s->list.cursor = (int64_t)s->count;
        s->steps[s->count++] = rows[i].step.n;
    }
    s->list.count = (int64_t)s->count;
    s->looked_to += got;
    return s->looked_to < steps;
}

static bool egress_idle(struct view *v, struct slice *slice)
{
    bool more;
    while ((more = egress_look(v)) && !slice_is_over(slice))
        ;
    return more;
}

static void view_egress_draw_row(struct explorer *x, struct egress_state *s, struct area area,
                                 int row, int64_t n)
{
    struct flow_row r;
    struct err err = {0};
    if (review_rows(x->review, n, 1, FLOW_PREVIEW, &s->arena, &r, &err) != 1)
        return;
    bool wide = area.columns >= 100;
    int who = wide ? 22 : 14, label = wide ? 18 : 3;
    cells_oursf(area, row, 1, STYLE_DIM, "%6lld", (long long)n);
    cells_data(area, row, 9, STYLE_STRONG, r.audience.len ? r.audience : SPAN("not known"),
               who - 2);
    if (r.audience_assumed)
        cells_ours(area, row, 9 + who - 2, STYLE_UNKNOWN, "~");
    int column = 9 + who;
    if (wide)
        cells_ours(area, row, column, style_of_label(r.before), label_short(r.before));
    else
        cells_oursf(area, row, column, style_of_label(r.before), "%s%s",
                    r.before.integrity == UNTRUSTED ? "U" : " ",
                    label_is_private(r.before) ? "P" : " ");
    column += label;
    const char *verdict = r.verdict == VERDICT_DENY  ? "✘ deny"
                          : r.verdict == VERDICT_ASK ? "? ask"
                          : r.verdict                ? "allow"
                                                     : "";
    cells_ours(area, row, column,
               r.verdict == VERDICT_DENY  ? STYLE_DENY
               : r.verdict == VERDICT_ASK ? STYLE_ASK
                                          : STYLE_ALLOW,
               verdict);
    column += 8;
    /* A rendered link has no outcome of its own: whether it was followed is not in the record. */
    bool known = r.step.outcome != OUTCOME_NONE;
    cells_ours(area, row, column, r.step.outcome == OUTCOME_COMPLETED ? STYLE_PLAIN : STYLE_UNKNOWN,
               known ? outcome_word(r.step.outcome) : "not told");
    column += 12;
    column = cells_data(area, row, column, style_of_server(x->session->servers, r.step.server),
                        r.step.server, 12) +
             1;
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
    if (!s->count) {
        cells_ours(area, 1, 2, STYLE_PLAIN,
                   done ? "Nothing in this session sends anything out, as far as the record tells."
                        : "Looking for calls that send something out…");
        if (done)
            cells_ours(area, 2, 2, STYLE_DIM,
                       "What a server does behind its own door is not in the record.");
        return;
    }
    bool wide = area.columns >= 100;
    cells_ours(area, 0, 1, STYLE_DIM,
               wide ? "  step  who can read it       context           verdict what became   call"
                    : "  step  to whom       ctx verdict what became   call");
    list_show(&s->list, area.rows - 2);
    for (int row = 0; row < area.rows - 2 && s->list.top + row < s->list.count; row++) {
        view_egress_draw_row(x, s, area, row + 1, s->steps[s->list.top + row]);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
    cells_oursf(area, area.rows - 1, 1, STYLE_DIM,
                "%zu calls send something out%s; ~ means that the audience is assumed", s->count,
                done ? "" : " so far");
}

static unsigned egress_act(struct view *v, enum action action)
{
    struct egress_state *s = v->state;
    if (list_act(&s->list, action))
        return VIEW_REDRAW;
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

static const enum action egress_hints[] = {ACTION_OPEN, ACTION_WHY, ACTION_HELP, ACTION_BACK,
                                           ACTION_NONE};

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
