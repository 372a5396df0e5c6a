/*
 * Where else in the case something of the selected step stands: the same text,
 * host or address, the same definition of a tool, the same evidence digest, in
 * other sessions. The case is looked through in slices.
 */
#include <stdio.h>

#include "base/text.h"
#include "model/query/elsewhere.h"
#include "tui/core.h"
#include "tui/doc.h"
#include "tui/excerpt.h"
#include "tui/list.h"

enum { ELSEWHERE_SLICE = 4 }; /* steps between two looks at the clock */

struct elsewhere_state {
    struct elsewhere *search;
    struct list list;
    struct doc doc; /* what is looked for */
    bool more;
};

static bool elsewhere_open(struct view *v, struct explorer *x)
{
    struct elsewhere_state *s = v->state;
    struct err err = {0};
    if (!x->n) {
        explorer_say(x, STYLE_UNKNOWN, "this session has no steps");
        return false;
    }
    s->search = elsewhere_begin(x->review, x->n, &err);
    if (!s->search) {
        explorer_fail(x, &err);
        return false;
    }
    s->more = true;
    doc_init(&s->doc);
    doc_line(&s->doc, 0);
    doc_oursf(&s->doc, STYLE_PLAIN, "of step %lld  ", (long long)x->n);
    excerpt_step(&s->doc, x, x->n);
    doc_one_row(&s->doc);
    return true;
}

static void elsewhere_close(struct view *v)
{
    struct elsewhere_state *s = v->state;
    elsewhere_end(s->search);
    doc_finish(&s->doc);
}

static bool elsewhere_idle(struct view *v, struct slice *slice)
{
    struct elsewhere_state *s = v->state;
    struct err err = {0};
    while (s->more) {
        int more = elsewhere_some(s->search, ELSEWHERE_SLICE, &err);
        s->more = more > 0;
        if (more < 0)
            explorer_fail(v->explorer, &err);
        if (slice_is_over(slice))
            break;
    }
    return s->more;
}

/* ---- drawing ---- */

static const struct session_view *elsewhere_session(const struct explorer *x, int64_t id)
{
    for (size_t i = 0; i < x->session_count; i++)
        if (x->sessions[i].id == id)
            return &x->sessions[i];
    return NULL;
}

/* Columns for the names of sessions: as many as they need, up to two fifths. */
static int elsewhere_name_columns(const struct explorer *x, struct area area,
                                  const struct sighting *seen, size_t count)
{
    enum { LEAST = 20 };
    int most = area.columns * 2 / 5, name = LEAST;
    for (size_t i = 0; i < count && name < most; i++) {
        const struct session_view *session = elsewhere_session(x, seen[i].session);
        int needed = session ? (int)text_columns(session->name, area.grid->ascii) + 2 : 0;
        name = needed > name ? needed : name;
    }
    return name < most || most < LEAST ? name : most;
}

static void elsewhere_draw_row(struct explorer *x, struct area area, int row, int name,
                               const struct sighting *seen, bool named)
{
    static const char *const words[] = {[SIGHTING_DEFINITION] = "definition",
                                        [SIGHTING_EVIDENCE] = "evidence",
                                        [SIGHTING_TEXT] = "text",
                                        [SIGHTING_NAME] = "name"};
    const struct session_view *session = elsewhere_session(x, seen->session);
    if (named && session)
        cells_data(area, row, 1, STYLE_STRONG, session->name, name - 2);
    cells_oursf(area, row, name, STYLE_DIM, "%6lld", (long long)seen->n);
    int column = name + 8;
    cells_ours(area, row, column, seen->kind == SIGHTING_TEXT ? STYLE_KEY : STYLE_PLAIN,
               words[seen->kind]);
    column += 12;
    char more[48] = "";
    if (seen->more)
        snprintf(more, sizeof more, "  and %zu more", seen->more);
    else if (seen->again)
        snprintf(more, sizeof more, "  %zu times", seen->again + 1);
    int room = area.columns - column - (int)sizeof "  and 999 more";
    column = cells_data(area, row, column, STYLE_PLAIN, seen->what, room);
    column = cells_ours(area, row, column, STYLE_DIM, more);
    if (seen->how && !span_is(span_of(seen->how), "exact"))
        cells_oursf(area, row, column, STYLE_UNKNOWN, "  %s", seen->how);
}

static void elsewhere_draw_count(struct elsewhere_state *s, struct area area, int row, size_t count)
{
    int64_t done, total;
    elsewhere_progress(s->search, &done, &total);
    int column = 0;
    if (s->more)
        column = cells_oursf(area, row, 1, STYLE_DIM, "looking: %lld of %lld steps",
                             (long long)done, (long long)total);
    else
        column =
            cells_oursf(area, row, 1, STYLE_DIM, "%zu step%s of other sessions; all %lld looked at",
                        count, count == 1 ? "" : "s", (long long)total);
    if (elsewhere_is_capped(s->search))
        cells_ours(area, row, column, STYLE_UNKNOWN,
                   "; not all: there is more than is shown, or a text too long to be read whole");
}

static void elsewhere_draw_none(struct elsewhere_state *s, struct explorer *x, struct area area)
{
    if (x->session_count < 2) {
        cells_ours(area, 3, 1, STYLE_UNKNOWN, "This case holds no other session.");
        cells_wrapped(area, 4, 1, STYLE_DIM,
                      "`strandline import -o CASE LOG…` adds some, which are then looked through.");
        return;
    }
    cells_wrapped(area, 3, 1, s->more ? STYLE_DIM : STYLE_PLAIN,
                  s->more ? "Looking through the other sessions…"
                          : "No other session of this case holds text, a host, a definition or a "
                            "digest of it.");
}

static void elsewhere_draw(struct view *v, struct area area)
{
    struct elsewhere_state *s = v->state;
    struct explorer *x = v->explorer;
    size_t count;
    const struct sighting *seen = elsewhere_seen(s->search, &count);
    area = explorer_title(x, area, "Elsewhere");
    struct doc_view what = {.doc = &s->doc};
    doc_view_draw(&what, area_sub(area, 0, 1, 1, area.columns - 2), false);
    if (!count) {
        elsewhere_draw_none(s, x, area);
        return;
    }
    int name = elsewhere_name_columns(x, area, seen, count);
    cells_fill(area, 2, 0, area.columns, STYLE_HEADER, " ");
    cells_ours(area, 2, 1, STYLE_HEADER, "seen in session");
    cells_ours(area, 2, name + 2, STYLE_HEADER, "step  shared      what");
    s->list.count = (int64_t)count;
    list_show(&s->list, area.rows - 4);
    for (int row = 0; row < area.rows - 4 && s->list.top + row < s->list.count; row++) {
        int64_t i = s->list.top + row;
        bool named = row == 0 || seen[i - 1].session != seen[i].session;
        elsewhere_draw_row(x, area, row + 3, name, &seen[i], named);
        if (i == s->list.cursor)
            cells_select(area, row + 3, 0, area.columns);
    }
    elsewhere_draw_count(s, area, area.rows - 1, count);
}

static unsigned elsewhere_act(struct view *v, enum action action)
{
    struct elsewhere_state *s = v->state;
    struct explorer *x = v->explorer;
    size_t count;
    const struct sighting *seen = elsewhere_seen(s->search, &count);
    if (list_act(&s->list, action))
        return VIEW_REDRAW;
    if (!count)
        return VIEW_IGNORED;
    if (action == ACTION_OPEN)
        explorer_visit(x, explorer_session(x, seen[s->list.cursor].session),
                       seen[s->list.cursor].n);
    else if (action == ACTION_COPY)
        explorer_copy(x, seen[s->list.cursor].what);
    else
        return VIEW_IGNORED;
    return VIEW_REDRAW;
}

static const struct hint *elsewhere_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go there"}, {ACTION_COPY, "copy"}, {0}};
    const struct elsewhere_state *s = v->state;
    return s->list.count ? hints : NULL;
}

const struct view_ops view_elsewhere = {
    .name = "elsewhere",
    .title = "Elsewhere",
    .size = sizeof(struct elsewhere_state),
    .open = elsewhere_open,
    .close = elsewhere_close,
    .draw = elsewhere_draw,
    .act = elsewhere_act,
    .idle = elsewhere_idle,
    .hints = elsewhere_hints,
};
