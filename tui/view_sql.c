/* The answer to one question in SQL over the documented views; Enter on a row goes to its step. */

#include "base/text.h"
#include "model/case/db.h"
#include "tui/core.h"
#include "tui/doc.h"

enum { ROWS_MOST = 2000, COLUMNS_MOST = 24, WIDTH_MOST = 48, BOUND_MS = 20000 };

struct sql_state {
    struct doc doc;
    struct doc_view view;
    struct buf query;
    bool waits; /* for its answer */
};

/* Rows as they come in, kept as text until their widths are known. */
struct answer {
    struct explorer *x;
    struct sql_state *s;
    struct arena arena;
    struct span name[COLUMNS_MOST];
    int width[COLUMNS_MOST];
    bool number[COLUMNS_MOST];
    int columns, step_column; /* step_column -1: no column is called step */
    struct span (*row)[COLUMNS_MOST];
    int64_t *step;
    size_t rows, room;
    int session_column;
    bool links; /* some row leads to a step */
    bool more;
};

static int width_of(struct span text)
{
    size_t columns = text.len < 4 * WIDTH_MOST ? text_columns(text, false) : WIDTH_MOST;
    return columns < WIDTH_MOST ? (int)columns : WIDTH_MOST;
}

static void view_sql_begin(struct answer *a, struct stmt *row)
{
    a->columns = stmt_columns(row) < COLUMNS_MOST ? stmt_columns(row) : COLUMNS_MOST;
    for (int i = 0; i < a->columns; i++) {
        a->name[i] = arena_copy(&a->arena, stmt_column_name(row, i));
        a->width[i] = width_of(a->name[i]);
        a->number[i] = stmt_type(row, i) == SQLITE_INTEGER;
        if (span_is(a->name[i], "step") && a->number[i])
            a->step_column = i;
        if (span_is(a->name[i], "session_id") && a->number[i])
            a->session_column = i;
    }
}

/* The step of a row, where it is one of the open session: 0 where that can't be told. */
static int64_t step_of(const struct answer *a, struct stmt *row)
{
    const struct explorer *x = a->x;
    if (a->step_column < 0 || !x->session)
        return 0;
    bool ours = a->session_column >= 0 ? stmt_int(row, a->session_column) == x->session->id
                                       : x->session_count == 1;
    return ours ? stmt_int(row, a->step_column) : 0;
}

static bool on_row(void *arg, struct stmt *row)
{
    struct answer *a = arg;
    if (!a->rows)
        view_sql_begin(a, row);
    if (a->rows == ROWS_MOST) {
        a->more = true;
        return false;
    }
    if (a->rows == a->room) {
        a->room = a->room ? a->room * 2 : 64;
        a->row = mem_resize(a->row, a->room * sizeof *a->row);
        a->step = mem_resize(a->step, a->room * sizeof *a->step);
    }
    for (int i = 0; i < a->columns; i++) {
        struct span text = stmt_text(row, i);
        a->row[a->rows][i] = text.at ? arena_copy(&a->arena, text) : text;
        int width = text.at ? width_of(text) : 4;
        if (width > a->width[i])
            a->width[i] = width;
    }
    a->step[a->rows] = step_of(a, row);
    a->links |= a->step[a->rows] > 0;
    a->rows++;
    return true;
}

static bool sql_is_stopped(void *arg)
{
    const struct answer *a = arg;
    return explorer_is_waited_for(a->x);
}

/* ---- as a document ---- */

/* One value, cut or filled to the width of its column. */
static void view_sql_add_value(struct doc *doc, enum style style, struct span text, int width,
                               bool right)
{
    struct buf fitted = {0};
    int used = (int)text_fit(&fitted, text, (size_t)width, false);
    if (right)
        doc_oursf(doc, STYLE_PLAIN, "%*s", width - used, "");
    doc_data(doc, style, buf_span(&fitted));
    doc_oursf(doc, STYLE_PLAIN, "%*s", right ? 2 : width - used + 2, "");
    buf_finish(&fitted);
}

static void view_sql_lay_out(struct sql_state *s, const struct answer *a)
{
    doc_line(&s->doc, 0);
    for (int i = 0; i < a->columns; i++)
        view_sql_add_value(&s->doc, STYLE_DIM, a->name[i], a->width[i], a->number[i]);
    doc_one_row(&s->doc);
    for (size_t r = 0; r < a->rows; r++) {
        doc_line(&s->doc, 0);
        for (int i = 0; i < a->columns; i++) {
            struct span text = a->row[r][i];
            view_sql_add_value(&s->doc, text.at ? STYLE_PLAIN : STYLE_FAINT,
                               text.at ? text : SPAN("NULL"), a->width[i], a->number[i]);
        }
        doc_one_row(&s->doc);
        doc_link(&s->doc, a->step[r]);
    }
    doc_line(&s->doc, 0);
    doc_line(&s->doc, 0);
    if (a->more)
        doc_oursf(&s->doc, STYLE_UNKNOWN,
                  "the first %d rows; there are more: LIMIT and WHERE, or `strandline sql`",
                  ROWS_MOST);
    else
        doc_oursf(&s->doc, STYLE_DIM, "%zu row%s%s", a->rows, a->rows == 1 ? "" : "s",
                  a->links ? "; Enter goes to the step" : "");
}

static bool sql_question(void *arg, struct err *err)
{
    struct answer *a = arg;
    const struct sql_state *s = a->s;
    const struct db_reading reading = {
        .milliseconds = BOUND_MS, .stop = sql_is_stopped, .row = on_row, .arg = a};
    return db_read(case_db(a->x->options.case_file), buf_span(&s->query), &reading, err);
}

/* False: it can't be answered, and a message says why. */
static bool sql_ask(struct sql_state *s, struct explorer *x, struct slice *slice)
{
    struct answer a = {.x = x, .s = s, .step_column = -1, .session_column = -1};
    struct err err = {0};
    int more = explorer_ask(x, slice, sql_question, &a, &err);
    s->waits = more > 0;
    if (more < 0)
        explorer_fail(x, &err);
    if (more == 0)
        view_sql_lay_out(s, &a);
    doc_view_reset(&s->view, &s->doc);
    s->view.cursor = more == 0 && a.rows ? 1 : 0;
    arena_finish(&a.arena);
    mem_free(a.row);
    mem_free(a.step);
    return more >= 0;
}

static bool sql_open(struct view *v, struct explorer *x)
{
    struct sql_state *s = v->state;
    struct slice slice = slice_begin(NULL, NULL);
    buf_add(&s->query, buf_span(&x->query));
    doc_init(&s->doc);
    return sql_ask(s, x, &slice);
}

static bool sql_idle(struct view *v, struct slice *slice)
{
    struct sql_state *s = v->state;
    (void)slice;
    if (s->waits && !sql_ask(s, v->explorer, NULL))
        s->waits = false;
    return s->waits;
}

static void sql_close(struct view *v)
{
    struct sql_state *s = v->state;
    doc_finish(&s->doc);
    buf_finish(&s->query);
}

static void sql_draw(struct view *v, struct area area)
{
    struct sql_state *s = v->state;
    area = explorer_title(v->explorer, area, "SQL");
    cells_data(area, 0, 1, STYLE_KEY, buf_span(&s->query), area.columns - 2);
    if (s->waits)
        cells_ours(area, 2, 1, STYLE_DIM, "asking; Esc stops");
    doc_view_draw(&s->view, area_sub(area, 2, 1, area.rows - 2, area.columns - 2), true);
}

static unsigned sql_act(struct view *v, enum action action)
{
    struct sql_state *s = v->state;
    struct explorer *x = v->explorer;
    if (action == ACTION_ESCAPE && s->waits) {
        s->waits = false;
        explorer_say(x, STYLE_UNKNOWN, "stopped: there is no answer");
        return VIEW_REDRAW;
    }
    int64_t step = doc_view_step(&s->view);
    if (action == ACTION_OPEN && step) {
        explorer_goto(x, step);
        return VIEW_REDRAW;
    }
    if (action == ACTION_COPY) {
        struct buf text = {0};
        doc_line_text(&s->doc, s->view.cursor, &text);
        explorer_copy(x, buf_span(&text));
        buf_finish(&text);
        return VIEW_REDRAW;
    }
    return doc_view_act(&s->view, action) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct hint *sql_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go to the step"},
                                        {ACTION_SQL, "ask again"},
                                        {ACTION_COPY, "copy"},
                                        {ACTION_WRAP, "wrap"},
                                        {0}};
    static const struct hint no_step[] = {
        {ACTION_SQL, "ask again"}, {ACTION_COPY, "copy"}, {ACTION_WRAP, "wrap"}, {0}};
    const struct sql_state *s = v->state;
    return doc_view_step(&s->view) ? hints : no_step;
}

const struct view_ops view_sql = {
    .name = "sql",
    .title = "SQL",
    .size = sizeof(struct sql_state),
    .open = sql_open,
    .close = sql_close,
    .draw = sql_draw,
    .act = sql_act,
    .idle = sql_idle,
    .hints = sql_hints,
};
