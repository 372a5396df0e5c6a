/* What the reviewer marked and noted, in all sessions of the case: to go there, edit, or delete. */
#include "tui/core.h"
#include "tui/excerpt.h"
#include "tui/listed.h"

struct notebook_state {
    struct arena arena;
    struct note_view *notes;
    size_t count;
    int64_t version; /* of the notes that are shown */
    struct listed listed;
    struct note_view gone; /* the one that was deleted last; id 0: none */
    struct buf gone_text;
};

/* They are read again after each change. */
static void notebook_load(struct notebook_state *s, struct explorer *x)
{
    struct err err = {0};
    if (s->version == x->notes_version)
        return;
    s->version = x->notes_version;
    arena_finish(&s->arena);
    s->count = 0;
    if (!notes_list(x->options.case_file, 0, 0, &s->arena, &s->notes, &s->count, &err)) {
        s->count = 0;
        explorer_fail(x, &err);
    }
    s->listed.list.count = (int64_t)s->count;
    s->listed.shown = -1;
}

static bool notebook_open(struct view *v, struct explorer *x)
{
    struct notebook_state *s = v->state;
    listed_init(&s->listed);
    s->version = -1;
    notebook_load(s, x);
    for (size_t i = s->count; i-- > 0;) /* the first one of the selected step */
        if (s->notes[i].session == x->session->id && s->notes[i].n == x->n)
            s->listed.list.cursor = (int64_t)i;
    return true;
}

static void notebook_close(struct view *v)
{
    struct notebook_state *s = v->state;
    listed_finish(&s->listed);
    arena_finish(&s->arena);
    buf_finish(&s->gone_text);
}

/* ---- drawing ---- */

static struct span notebook_session(const struct explorer *x, int64_t id)
{
    for (size_t i = 0; i < x->session_count; i++)
        if (x->sessions[i].id == id)
            return x->sessions[i].name;
    return SPAN_EMPTY;
}

static void notebook_draw_row(struct view *v, struct area area, int row, int64_t i)
{
    const struct notebook_state *s = v->state;
    const struct note_view *note = &s->notes[i];
    bool named = i == 0 || s->notes[i - 1].session != note->session;
    if (named)
        cells_data(area, row, 1, STYLE_STRONG, notebook_session(v->explorer, note->session), 16);
    if (note->n)
        cells_oursf(area, row, 18, STYLE_DIM, "%6lld", (long long)note->n);
    if (note->mark) {
        cells_oursf(area, row, 26, STYLE_NOTE, "⚑ mark %c", note->mark);
    } else {
        cells_ours(area, row, 26, STYLE_NOTE, "✎");
        cells_data(area, row, 28, STYLE_PLAIN, note->text, area.columns - 29);
    }
}

static void notebook_lay_out(struct view *v, int64_t i, int columns)
{
    struct notebook_state *s = v->state;
    struct explorer *x = v->explorer;
    struct doc *doc = &s->listed.doc;
    const struct note_view *note = &s->notes[i];
    (void)columns;
    if (note->mark) {
        doc_line(doc, 0);
        doc_oursf(doc, STYLE_NOTE, "⚑ mark %c", note->mark);
        doc_oursf(doc, STYLE_DIM, "  '%c goes there", note->mark);
    } else {
        doc_text(doc, 0, STYLE_PLAIN, note->text, false);
    }
    doc_line(doc, 0);
    doc_ours(doc, STYLE_DIM, "written ");
    doc_data(doc, STYLE_DIM, note->created_at);
    if (!note->n)
        return;
    doc_oursf(doc, STYLE_DIM, " on step %lld", (long long)note->n);
    if (note->session != x->session->id) {
        doc_ours(doc, STYLE_DIM, " of another session");
        return;
    }
    doc_line(doc, 2);
    excerpt_step(doc, x, note->n);
    doc_link(doc, note->n);
}

static const struct listed_ops notebook_listed = {
    .head = "session            step  mark or note",
    .draw_row = notebook_draw_row,
    .lay_out = notebook_lay_out,
};

static void notebook_draw(struct view *v, struct area area)
{
    struct notebook_state *s = v->state;
    notebook_load(s, v->explorer);
    area = explorer_title(v->explorer, area, "Marks and notes");
    if (s->count) {
        listed_draw(&s->listed, v, area, area.rows * 3 / 5, &notebook_listed);
        return;
    }
    cells_ours(area, 1, 2, STYLE_PLAIN, "You have marked and noted nothing in this case.");
    cells_wrapped(area, 2, 2, STYLE_DIM,
                  "On any step: m and a letter marks it, a writes a note on it.");
}

/* ---- acting ---- */

static void notebook_delete(struct notebook_state *s, struct explorer *x)
{
    const struct note_view *note = &s->notes[s->listed.list.cursor];
    struct err err = {0};
    s->gone = *note;
    buf_clear(&s->gone_text);
    buf_add(&s->gone_text, note->text);
    if (!note_delete(x->options.case_file, note->id, &err)) {
        s->gone.id = 0;
        explorer_fail(x, &err);
        return;
    }
    x->notes_version++;
    explorer_say(x, STYLE_PLAIN, "the %s is gone; %.*s brings it back",
                 s->gone.mark ? "mark" : "note",
                 SPAN_ARG(keymap_first(&x->config.keys, ACTION_UNDO)));
}

static void notebook_restore(struct notebook_state *s, struct explorer *x)
{
    struct err err = {0};
    struct case_file *c = x->options.case_file;
    const struct note_view *gone = &s->gone;
    if (!gone->id)
        explorer_say(x, STYLE_PLAIN, "nothing was deleted here");
    else if (!(gone->mark ? mark_set(c, gone->session, gone->mark, gone->n, &err)
                          : note_add(c, gone->session, gone->n, buf_span(&s->gone_text), &err)))
        explorer_fail(x, &err);
    else
        s->gone.id = 0;
    x->notes_version++;
}

static void notebook_go(struct explorer *x, const struct note_view *note)
{
    if (!note->n)
        explorer_say(x, STYLE_PLAIN, "this note is on the whole session, not on a step");
    else if (note->session == x->session->id)
        explorer_goto(x, note->n);
    else
        explorer_visit(x, explorer_session(x, note->session), note->n);
}

static unsigned notebook_act(struct view *v, enum action action)
{
    struct notebook_state *s = v->state;
    struct explorer *x = v->explorer;
    if (action == ACTION_UNDO) {
        notebook_restore(s, x);
        return VIEW_REDRAW;
    }
    if (listed_act(&s->listed, v, action))
        return VIEW_REDRAW;
    if (!s->count)
        return VIEW_IGNORED;
    const struct note_view *note = &s->notes[s->listed.list.cursor];
    if (action == ACTION_OPEN) {
        notebook_go(x, note);
    } else if (action == ACTION_DELETE || action == ACTION_DROP) {
        notebook_delete(s, x);
    } else if (action == ACTION_EDIT && note->mark) {
        explorer_say(x, STYLE_PLAIN, "a mark has no text; m on another step moves it there");
    } else if (action == ACTION_EDIT) {
        x->note_edited = note->id;
        prompt_open(&x->prompt, PROMPT_NOTE, note->text);
    } else if (action == ACTION_COPY) {
        explorer_copy(x, note->text);
    } else {
        return VIEW_IGNORED;
    }
    return VIEW_REDRAW;
}

static const struct hint *notebook_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go to the step"},
                                        {ACTION_EDIT, "edit"},
                                        {ACTION_DELETE, "delete"},
                                        {ACTION_UNDO, "undo"},
                                        {0}};
    static const struct hint gone[] = {{ACTION_UNDO, "undo"}, {0}};
    const struct notebook_state *s = v->state;
    return s->count ? hints : s->gone.id ? gone : NULL;
}

const struct view_ops view_notebook = {
    .name = "notebook",
    .title = "Marks and notes",
    .size = sizeof(struct notebook_state),
    .open = notebook_open,
    .close = notebook_close,
    .draw = notebook_draw,
    .act = notebook_act,
    .hints = notebook_hints,
};
