/*
 * The main screen: a row a step with the two tide lanes, and the selected step
 * beside it or below, by the window's shape.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/details.h"
#include "tui/flow_row.h"

enum { BESIDE_FROM = 150 }; /* columns from which details stand beside the list */

struct flow_state {
    struct list_rows {
        struct arena arena;
        struct flow_row *rows; /* in sight; the one above them stands before the first */
        size_t count;
        int64_t top;
        size_t matches; /* how many there were when the rows were fetched */
        const void *filter;
        int64_t review; /* x->reviews at that time */
    } fetched;
    int64_t top;     /* position of the first row in sight */
    int rows;        /* in sight */
    bool in_details; /* the keys go to the details */
    bool zoom;       /* the pane with the keys fills the screen */
    int grown;       /* rows or columns added to the details */
    int tracks;      /* the most that joins needed so far: columns never move back */
    bool beside;     /* the details stand beside the list */
    /* where things stood on the last frame, for the mouse */
    struct area list_area, strip_area, details_area, divider_area;
    int tab_at[DETAIL_TAB_COUNT + 1]; /* column where each tab begins, and the last one's end */
    bool dragged;                     /* the divider, by the mouse */
    int strip_wide;
    struct details details;
    int64_t rested; /* the step under the cursor when the keys last paused */
    int64_t rested_review;
    struct strip_cell *strip;
    size_t strip_count;
    int64_t strip_review;
    struct arena marks_arena;
    struct note_view *marks;
    size_t mark_count;
    int64_t marks_version;
};

static bool flow_open(struct view *v, struct explorer *x)
{
    struct flow_state *s = v->state;
    (void)x;
    details_init(&s->details);
    s->marks_version = -1;
    return true;
}

static void flow_close(struct view *v)
{
    struct flow_state *s = v->state;
    details_finish(&s->details);
    arena_finish(&s->fetched.arena);
    arena_finish(&s->marks_arena);
    mem_free(s->strip);
}

/* ---- rows ---- */

/* Rows by their place in sight of the flow. */
static bool fetch_rows(struct explorer *x, int64_t from, size_t count, struct arena *arena,
                       struct flow_row *rows, struct err *err)
{
    if (!count)
        return true;
    if (!x->matches.on)
        return review_rows(x->review, from + 1, count, FLOW_PREVIEW, arena, rows, err) ==
               (long)count;
    for (size_t i = 0; i < count; i++)
        if (review_rows(x->review, matches_step(x, from + (int64_t)i), 1, FLOW_PREVIEW, arena,
                        &rows[i], err) < 1)
            return false;
    return true;
}

/* The rows in sight, and the one above them, kept while nothing changed. */
static bool fetch(struct flow_state *s, struct explorer *x, int64_t top, size_t count)
{
    struct list_rows *f = &s->fetched;
    struct err err = {0};
    if (f->review == x->reviews && f->top == top && f->count == count &&
        f->matches == x->matches.count && f->filter == (x->matches.on ? x->matches.filter : NULL))
        return true;
    arena_reset(&f->arena);
    size_t above = top > 0 && count ? 1 : 0;
    struct flow_row *rows = arena_array(&f->arena, count + 1, sizeof *rows);
    f->rows = rows + above;
    f->review = 0;
    if (!fetch_rows(x, top - (int64_t)above, count + above, &f->arena, rows, &err)) {
        explorer_fail(x, &err);
        return false;
    }
    f->count = count;
    f->top = top;
    f->matches = x->matches.count;
    f->filter = x->matches.on ? x->matches.filter : NULL;
    f->review = x->reviews;
    return true;
}

static void load_marks(struct flow_state *s, struct explorer *x)
{
    struct err err = {0};
    if (s->marks_version == x->notes_version)
        return;
    arena_reset(&s->marks_arena);
    s->mark_count = 0;
    if (!notes_list(x->options.case_file, x->session->id, 0, &s->marks_arena, &s->marks,
                    &s->mark_count, &err))
        explorer_fail(x, &err);
    s->marks_version = x->notes_version;
}

/* A mark's letter, or n for a note; 0: neither. */
static char mark_of(const struct flow_state *s, int64_t n)
{
    char mark = 0;
    for (size_t i = 0; i < s->mark_count; i++)
        if (s->marks[i].n == n)
            mark = s->marks[i].mark ? s->marks[i].mark : mark ? mark : '*';
    return mark;
}

/* Keeps the selected step in sight. At the edge a step moves the list by a third of itself, not by
 * a row: what comes is seen before it is reached, and most steps write the cursor alone. Beside the
 * details so does a jump, as a terminal can move whole lines only. */
static void view_flow_scroll(struct flow_state *s, struct explorer *x, int rows)
{
    int64_t count = matches_shown(x), at = matches_position(x, x->n);
    int64_t margin = rows > 8 ? 2 : 0, leap = s->beside || x->stepped ? rows / 3 : 0;
    s->rows = rows;
    if (at - margin < s->top)
        s->top = at - margin - leap;
    if (at + margin >= s->top + rows)
        s->top = at + margin - rows + 1 + leap;
    if (s->top > count - rows)
        s->top = count - rows;
    if (s->top < 0)
        s->top = 0;
}

static void draw_rows(struct flow_state *s, struct explorer *x, struct area area)
{
    int64_t shown = matches_shown(x);
    if (!shown) {
        cells_ours(area, 2, 3, STYLE_UNKNOWN,
                   !x->matches.on    ? "this session has no steps"
                   : x->matches.done ? "no step matches the filter; & changes it, * switches it off"
                                     : "looking for steps that match the filter…");
        return;
    }
    int visible = area.rows - 1;
    view_flow_scroll(s, x, visible);
    s->list_area = area;
    size_t count = (size_t)(shown - s->top < visible ? shown - s->top : visible);
    if (!fetch(s, x, s->top, count))
        return;
    struct flow_joins *joins = NEW_ARRAY(struct flow_joins, count);
    struct flow_columns columns;
    int tracks = flow_joins_find(s->fetched.rows, count, s->rested, !x->matches.on, joins);
    s->tracks = tracks > s->tracks ? tracks : s->tracks;
    flow_columns_for(&columns, area.columns, review_steps(x->review), s->tracks,
                     x->session->servers);
    flow_header_draw(&columns, area, 0, s->top ? s->fetched.rows : NULL);
    int64_t selected = matches_step(x, matches_position(x, x->n));
    for (size_t i = 0; i < count; i++) {
        const struct flow_row *row = &s->fetched.rows[i];
        flow_row_draw(&columns, area, (int)i + 1, row, i || s->top ? row - 1 : NULL, &joins[i],
                      mark_of(s, row->step.n));
        cells_light(area_sub(area, (int)i + 1, columns.what_at, 1, columns.what),
                    buf_span(&x->search.text));
        if (row->step.n == selected)
            flow_row_select(&columns, area, (int)i + 1);
    }
    mem_free(joins);
}

/* ---- the strip ---- */

static const char *strip_glyph(const struct strip_cell *cell, bool crowded, enum style *style)
{
    *style = STYLE_LANE_LOW;
    if (cell->denied) { /* a wall of red would hide the shape */
        *style = crowded ? STYLE_DENY : STYLE_DENY_BADGE;
        return "✘";
    }
    if (cell->asked) {
        *style = STYLE_ASK;
        return "?";
    }
    if (cell->untrusted && cell->is_private) {
        *style = STYLE_BOTH;
        return "█";
    }
    if (cell->untrusted) {
        *style = STYLE_UNTRUSTED;
        return "▅";
    }
    if (cell->is_private) {
        *style = STYLE_PRIVATE;
        return "▃";
    }
    return "▁";
}

/* The whole session in one line; `columns` cells of it. */
static void draw_strip_cells(struct flow_state *s, struct explorer *x, struct area area)
{
    int64_t steps = review_steps(x->review);
    size_t count = (size_t)(steps < area.columns ? steps : area.columns);
    struct err err = {0};
    if (!count)
        return;
    if (s->strip_count != count || s->strip_review != x->reviews) {
        s->strip = mem_resize(s->strip, count * sizeof *s->strip);
        if (!review_strip(x->review, s->strip, count, &err)) {
            explorer_fail(x, &err);
            s->strip_count = 0;
            return;
        }
        s->strip_count = count;
        s->strip_review = x->reviews;
    }
    /* A short session: each step gets the same number of cells, so that its shape is as wide. */
    int wide = area.columns / (int)count;
    if (wide > 6)
        wide = 6;
    size_t denied = 0;
    for (size_t i = 0; i < count; i++)
        denied += s->strip[i].denied;
    for (size_t i = 0; i < count; i++) {
        enum style style;
        const char *glyph = strip_glyph(&s->strip[i], count > 40 && denied * 4 > count, &style);
        for (int k = 0; k < wide; k++)
            cells_ours(area, 0, (int)i * wide + k, style,
                       style == STYLE_DENY_BADGE && k ? " " : glyph);
    }
    s->strip_area = area;
    s->strip_wide = wide;
    int64_t n = x->hurried && x->stepped ? s->rested : x->n;
    int64_t at = (int64_t)((double)(n - 1) * (double)count / (double)steps);
    cells_select(area, 0, (int)at * wide, 1);
}

static int strip_words(struct explorer *x, char text[200])
{
    const struct review_summary *r = &x->summary;
    int used = snprintf(text, 200, "%lld step%s", (long long)r->steps, r->steps == 1 ? "" : "s");
    used += snprintf(text + used, 200 - (size_t)used,
                     r->denied || r->asked ? " · " : " · nothing denied");
    enum severity worst = r->findings[SEVERITY_CRITICAL] ? SEVERITY_CRITICAL : SEVERITY_HIGH;
    if (r->findings[worst] && !r->denied && !r->asked)
        used += snprintf(text + used, 200 - (size_t)used, ", yet %lld %s finding%s",
                         (long long)r->findings[worst], severity_word(worst),
                         r->findings[worst] == 1 ? "" : "s");
    if (r->denied)
        used += snprintf(text + used, 200 - (size_t)used, "%lld denied", (long long)r->denied);
    if (r->asked)
        used += snprintf(text + used, 200 - (size_t)used, "%s%lld to ask", r->denied ? ", " : "",
                         (long long)r->asked);
    if (r->first_untrusted)
        used += snprintf(text + used, 200 - (size_t)used, " · untrusted at %lld",
                         (long long)r->first_untrusted);
    if (r->first_private)
        used += snprintf(text + used, 200 - (size_t)used, " · private at %lld",
                         (long long)r->first_private);
    if (r->unclaimed)
        used += snprintf(text + used, 200 - (size_t)used, " · %lld without claim",
                         (long long)r->unclaimed);
    if (!review_is_checked(x->review) && r->steps)
        used += snprintf(text + used, 200 - (size_t)used, " · checking %d %%",
                         (int)(x->checked * 100 / r->steps));
    return used;
}

/* What comes last matters least: whole phrases go until the rest fits. */
static void words_to_fit(char *words, int columns)
{
    char *last;
    while ((int)text_columns(span_of(words), false) > columns &&
           (last = strrchr(words, (unsigned char)"·"[0])) != NULL)
        last[last > words ? -1 : 0] = 0;
}

static bool strip_is_bad(const struct review_summary *r)
{
    return r->denied || r->findings[SEVERITY_HIGH] || r->findings[SEVERITY_CRITICAL];
}

static void draw_strip(struct flow_state *s, struct explorer *x, struct area area)
{
    char words[200];
    strip_words(x, words);
    if (x->matches.on)
        snprintf(words, sizeof words, "only %zu of %lld steps%s: ", x->matches.count,
                 (long long)x->summary.steps, x->matches.done ? "" : " so far");
    else
        words_to_fit(words, area.columns - area.columns / 5 - 1);
    struct span filter = x->matches.on ? buf_span(&x->matches.text) : SPAN_EMPTY;
    int width = (int)text_columns(span_of(words), false) + (filter.len ? 22 : 0);
    int at = area.columns - width - 1;
    if (at < area.columns / 5)
        at = area.columns / 5;
    draw_strip_cells(s, x, area_sub(area, 0, 1, 1, at - 2));
    int column =
        cells_ours(area, 0, at, strip_is_bad(&x->summary) ? STYLE_STRONG : STYLE_DIM, words);
    if (filter.len)
        cells_data(area, 0, column, STYLE_KEY, filter, area.columns - column);
}

/* ---- details ---- */

static void draw_tabs(struct flow_state *s, struct area area, int row)
{
    enum style line = s->in_details ? STYLE_DIVIDER_ON : STYLE_DIVIDER;
    cells_fill(area, row, 0, area.columns, line, "─");
    int column = cells_oursf(area, row, 1, s->in_details ? STYLE_DIVIDER_ON : STYLE_DIM, " %lld ",
                             (long long)s->details.n);
    bool tight = area.columns < 72;
    for (int tab = 0; tab < DETAIL_TAB_COUNT; tab++) {
        bool on = (int)s->details.tab == tab;
        cells_ours(area, row, column, line, tight ? " " : "─ ");
        column += tight ? 1 : 2;
        s->tab_at[tab] = area.column + column;
        column = cells_oursf(area, row, column, on ? STYLE_KEY : STYLE_FAINT, "%d", tab + 1);
        column = cells_ours(area, row, column, on ? STYLE_TAB_ON : STYLE_TAB,
                            detail_tab_title((enum detail_tab)tab));
        column = cells_ours(area, row, column, line, " ");
    }
    s->tab_at[DETAIL_TAB_COUNT] = area.column + column;
}

static void load_details(struct flow_state *s, struct explorer *x, int64_t n)
{
    struct details *d = &s->details;
    d->view.needle = buf_span(&x->search.text);
    if (details_load(d, x, n)) /* what was searched for is the part to look at */
        doc_find(&d->doc, d->view.needle, 0, true, &d->view.cursor);
}

static void draw_details(struct flow_state *s, struct explorer *x, struct area area)
{
    struct details *d = &s->details;
    int64_t n = s->in_details || d->tab != d->loaded_tab ? x->n : s->rested;
    if (!n || area.rows < 3 || !matches_shown(x))
        return;
    d->large = s->zoom && s->in_details;
    s->details_area = area;
    load_details(s, x, n);
    draw_tabs(s, area, 0);
    int room = area.rows - 1;
    int say =
        doc_rows(&d->sentence, area.columns - 2, room > 5 ? (room + 1) / 2 : 2, area.grid->ascii);
    struct doc_view sentence = {.doc = &d->sentence};
    doc_view_draw(&sentence, area_sub(area, 1, 1, say, area.columns - 2), false);
    if (doc_rows(&d->sentence, area.columns - 2, say + 1, area.grid->ascii) > say)
        cells_ours(area, say, area.columns - 1, STYLE_DIM, "…"); /* there is more: tab 3 has it */
    int from = 1 + say + (room > 9 ? 1 : 0);
    doc_view_draw(&d->view, area_sub(area, from, 1, area.rows - from, area.columns - 2),
                  s->in_details);
}

static void draw_divider(struct area area, int column, enum style style)
{
    for (int row = 0; row < area.rows; row++)
        cells_ours(area, row, column, style, "│");
}

static int limit(int value, int low, int high)
{
    return value > high ? high : value < low ? low : value;
}

static void flow_draw(struct view *v, struct area area)
{
    struct flow_state *s = v->state;
    struct explorer *x = v->explorer;
    load_marks(s, x);
    if (!x->hurried || s->rested_review != x->reviews) {
        s->rested = x->n;
        s->rested_review = x->reviews;
    }
    bool spoken = x->options.plain && !x->options.ascii; /* row by row: what stands beside mixes */
    s->beside = area.columns >= BESIDE_FROM && !s->zoom && !spoken;
    s->list_area = s->strip_area = s->details_area = s->divider_area = (struct area){0};
    area = explorer_title(x, area, NULL);
    draw_strip(s, x, area);
    area = area_sub(area, 1, 0, area.rows - 1, area.columns);
    if (s->zoom && s->in_details) {
        draw_details(s, x, area);
    } else if (s->zoom) {
        draw_rows(s, x, area);
    } else if (s->beside) {
        int list = limit(area.columns * 3 / 5 - s->grown, 70, area.columns - 40);
        draw_rows(s, x, area_sub(area, 0, 0, area.rows, list));
        s->divider_area = area_sub(area, 0, list, area.rows, 1);
        draw_divider(s->divider_area, 0, s->in_details ? STYLE_DIVIDER_ON : STYLE_DIVIDER);
        draw_details(s, x, area_sub(area, 0, list + 1, area.rows, area.columns - list - 1));
    } else {
        int64_t needed =
            matches_shown(x) + 1; /* a short session leaves more room for the details */
        int usual = area.rows * 2 / 5;
        if (needed > 1 && needed < area.rows - usual)
            usual = area.rows - (int)needed;
        int details = limit(usual + s->grown, 4, area.rows - 5);
        draw_rows(s, x, area_sub(area, 0, 0, area.rows - details, area.columns));
        draw_details(s, x, area_sub(area, area.rows - details, 0, details, area.columns));
    }
}

/* A long body that fills the screen is read on when its start has been seen. */
static bool flow_idle(struct view *v, struct slice *slice)
{
    struct flow_state *s = v->state;
    struct explorer *x = v->explorer;
    bool untouched = !s->details.view.cursor;
    (void)slice; /* a moment, when the keys pause; the next one ends it */
    if (!s->zoom || !s->in_details || !x->review || x->hurried)
        return false;
    details_rest(&s->details, x, true);
    if (untouched) /* what was searched for is the part to look at */
        doc_find(&s->details.doc, buf_span(&x->search.text), 0, true, &s->details.view.cursor);
    return false;
}

/* ---- keys ---- */

static void select_position(struct explorer *x, int64_t at)
{
    int64_t count = matches_shown(x);
    if (at >= count)
        at = count - 1;
    if (at < 0)
        at = 0;
    if (count)
        x->n = matches_step(x, at);
}

/* Moving in the list; by how many rows. */
static bool list_move(struct flow_state *s, struct explorer *x, enum action action)
{
    int64_t page = s->rows > 2 ? s->rows - 1 : 1, at = matches_position(x, x->n);
    switch (action) {
    case ACTION_UP:
        at -= 1;
        break;
    case ACTION_DOWN:
        at += 1;
        break;
    case ACTION_PAGE_UP:
        at -= page;
        break;
    case ACTION_PAGE_DOWN:
        at += page;
        break;
    case ACTION_HALF_UP:
        at -= (page + 1) / 2;
        break;
    case ACTION_HALF_DOWN:
        at += (page + 1) / 2;
        break;
    case ACTION_TOP:
        at = 0;
        break;
    case ACTION_BOTTOM:
        at = matches_shown(x) - 1;
        break;
    default:
        return false;
    }
    select_position(x, at);
    x->stepped = action == ACTION_UP || action == ACTION_DOWN;
    return true;
}

static void pick_tab(struct flow_state *s, int tab)
{
    s->details.tab = (enum detail_tab)((tab + DETAIL_TAB_COUNT) % DETAIL_TAB_COUNT);
    s->details.picked = true;
}

static void go_to_pair(struct flow_state *s, struct explorer *x)
{
    for (size_t i = 0; i < s->fetched.count; i++) {
        const struct step *step = &s->fetched.rows[i].step;
        if (step->n != x->n)
            continue;
        int64_t other = step->call_n ? step->call_n : step->result_n;
        if (other)
            explorer_goto(x, other);
        else
            explorer_say(x, STYLE_UNKNOWN, "this step has no other half in the record");
        return;
    }
}

static void copy_selection(struct flow_state *s, struct explorer *x)
{
    struct buf text = {0};
    if (s->in_details)
        doc_line_text(&s->details.doc, s->details.view.cursor, &text);
    else
        for (size_t i = 0; i < s->details.doc.lines; i++) {
            buf_fill(&text, ' ', (size_t)s->details.doc.line[i].indent);
            doc_line_text(&s->details.doc, i, &text);
            buf_byte(&text, '\n');
        }
    explorer_copy(x, buf_span(&text));
    buf_finish(&text);
}

static unsigned view_flow_back(struct flow_state *s, struct explorer *x)
{
    if (x->search.running)
        return VIEW_IGNORED;
    if (s->zoom || s->in_details) {
        s->zoom = s->in_details = false;
        return VIEW_REDRAW;
    }
    return VIEW_IGNORED;
}

static unsigned flow_act(struct view *v, enum action action)
{
    struct flow_state *s = v->state;
    struct explorer *x = v->explorer;
    if (!x->n)
        return VIEW_IGNORED;
    if (action >= ACTION_TAB_1 && action <= ACTION_TAB_6) {
        pick_tab(s, (int)action - ACTION_TAB_1);
        return VIEW_REDRAW;
    }
    if (s->in_details || action == ACTION_COPY) /* they may lag behind keys that come fast */
        load_details(s, x, x->n);
    if (s->in_details && doc_view_act(&s->details.view, action))
        return VIEW_REDRAW;
    if (!s->in_details && list_move(s, x, action))
        return VIEW_REDRAW;
    switch (action) {
    case ACTION_LEFT:
        pick_tab(s, (int)s->details.tab - 1);
        return VIEW_REDRAW;
    case ACTION_RIGHT:
        pick_tab(s, (int)s->details.tab + 1);
        return VIEW_REDRAW;
    case ACTION_NEXT_PANE:
    case ACTION_PREVIOUS_PANE:
        s->in_details = !s->in_details;
        return VIEW_REDRAW;
    case ACTION_OPEN:
        s->in_details = s->zoom = true;
        return VIEW_REDRAW;
    case ACTION_ZOOM:
        s->zoom = !s->zoom;
        return VIEW_REDRAW;
    case ACTION_GROW:
        s->grown = limit(s->grown + 2, -40, 60);
        return VIEW_REDRAW;
    case ACTION_SHRINK:
        s->grown = limit(s->grown - 2, -40, 60);
        return VIEW_REDRAW;
    case ACTION_PAIR:
        go_to_pair(s, x);
        return VIEW_REDRAW;
    case ACTION_COPY:
        copy_selection(s, x);
        return VIEW_REDRAW;
    case ACTION_COPY_PATH:
        if (!s->in_details)
            return VIEW_IGNORED;
        explorer_copy_path(x, &s->details.view);
        return VIEW_REDRAW;
    case ACTION_FOLD_ALL:
    case ACTION_WRAP:
        doc_view_act(&s->details.view, action);
        return VIEW_REDRAW;
    case ACTION_SEARCH_NEXT:
    case ACTION_SEARCH_PREVIOUS: {
        size_t line = s->details.view.cursor;
        bool forward = action == ACTION_SEARCH_NEXT;
        if (!s->in_details)
            return VIEW_IGNORED;
        details_rest(&s->details, x, false);
        if (doc_find(&s->details.doc, buf_span(&x->search.text), line + (forward ? 1 : SIZE_MAX),
                     forward, &line))
            s->details.view.cursor = line;
        else
            explorer_say(x, STYLE_UNKNOWN, "no more hits in this tab; Tab goes back to the steps");
        return VIEW_REDRAW;
    }
    case ACTION_BACK:
        return view_flow_back(s, x);
    default:
        return VIEW_IGNORED;
    }
}

static bool is_inside(const struct area *area, int row, int column)
{
    return row >= area->row && row < area->row + area->rows && column >= area->column &&
           column < area->column + area->columns;
}

/* A tab in the line above the details; the line itself is the divider where the list is above. */
static void click_tabs(struct flow_state *s, int column)
{
    int tab = 0;
    while (tab < DETAIL_TAB_COUNT && column >= s->tab_at[tab + 1])
        tab++;
    if (tab < DETAIL_TAB_COUNT && column >= s->tab_at[tab])
        pick_tab(s, tab);
    else
        s->dragged = !s->divider_area.rows && !s->zoom;
}

/* The divider was let go: the details begin there. */
static unsigned flow_drop(struct view *v, int row, int column)
{
    struct flow_state *s = v->state;
    int more = s->divider_area.rows ? s->divider_area.column - column : s->details_area.row - row;
    if (!s->dragged)
        return VIEW_IGNORED;
    s->dragged = false;
    s->grown = limit(s->grown + more, -40, 60);
    return VIEW_REDRAW;
}

/* A row of the list, a place on the strip, a tab, the divider, a line of the details. */
static unsigned flow_click(struct view *v, int row, int column)
{
    struct flow_state *s = v->state;
    struct explorer *x = v->explorer;
    s->dragged = false;
    if (is_inside(&s->strip_area, row, column) && s->strip_wide && s->strip_count) {
        int64_t cell = (column - s->strip_area.column) / s->strip_wide;
        int64_t n =
            (int64_t)((double)cell * (double)review_steps(x->review) / (double)s->strip_count) + 1;
        if (cell < (int64_t)s->strip_count)
            explorer_goto(x, n);
    } else if (is_inside(&s->divider_area, row, column)) {
        s->dragged = true;
    } else if (is_inside(&s->details_area, row, column) && row == s->details_area.row) {
        click_tabs(s, column);
    } else if (is_inside(&s->details_area, row, column)) {
        s->in_details = true;
    } else if (is_inside(&s->list_area, row, column) && row > s->list_area.row) {
        s->in_details = false;
        if (s->top + row - s->list_area.row - 1 < matches_shown(x))
            select_position(x, s->top + row - s->list_area.row - 1);
    }
    return VIEW_REDRAW;
}

/* With the keys in the details, search looks there. */
static bool flow_find(struct view *v, struct span needle, bool again, bool forward)
{
    struct flow_state *s = v->state;
    struct explorer *x = v->explorer;
    size_t line = s->details.view.cursor;
    (void)again;
    if (!s->in_details)
        return false;
    buf_clear(&x->search.text);
    buf_add(&x->search.text, needle);
    details_rest(&s->details, x, false);
    if (doc_find(&s->details.doc, needle, line, forward, &line) ||
        doc_find(&s->details.doc, needle, 0, forward, &line))
        s->details.view.cursor = line;
    else
        explorer_say(x, STYLE_UNKNOWN, "no hits in this tab");
    return true;
}

static const struct hint *flow_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_NEXT_VIOLATION, "next violation"},
                                        {ACTION_WHY, "why"},
                                        {ACTION_EGRESS, "what left"},
                                        {ACTION_FINDINGS, "findings"},
                                        {ACTION_OPEN, "open"},
                                        {ACTION_SEARCH, "search"},
                                        {ACTION_FILTER, "filter"},
                                        {ACTION_EVIDENCE, "evidence"},
                                        {ACTION_TOOLS, "tools"},
                                        {ACTION_FIRST_UNTRUSTED, "first untrusted"},
                                        {ACTION_FIRST_PRIVATE, "first private"},
                                        {ACTION_NEXT_CHANGE, "next change"},
                                        {ACTION_WHATIF, "what if"},
                                        {ACTION_REPORT, "hand over"},
                                        {0}};
    static const struct hint in_details[] = {{ACTION_SEARCH, "search here"},
                                             {ACTION_FOLD_ALL, "fold all"},
                                             {ACTION_COPY, "copy"},
                                             {ACTION_PAIR, "call or result"},
                                             {ACTION_WRAP, "wrap"},
                                             {ACTION_NEXT_PANE, "to the steps"},
                                             {ACTION_COPY_PATH, "its path"},
                                             {ACTION_BACK, "back"},
                                             {0}};
    const struct flow_state *s = v->state;
    return s->zoom || s->in_details ? in_details : hints;
}

const struct view_ops view_flow = {
    .name = "flow",
    .title = "Flow",
    .of_case = true,
    .size = sizeof(struct flow_state),
    .open = flow_open,
    .close = flow_close,
    .draw = flow_draw,
    .act = flow_act,
    .idle = flow_idle,
    .find = flow_find,
    .click = flow_click,
    .drop = flow_drop,
    .hints = flow_hints,
};
