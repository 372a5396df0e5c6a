/* Everything found in the session, worst first; the one under the cursor explained. */
#include "base/jsonr.h"
#include "tui/core.h"
#include "tui/excerpt.h"
#include "tui/listed.h"

struct findings_state {
    struct arena arena;
    struct finding_view *findings;
    size_t count;
    struct listed listed;
    bool loaded, failed;
};

static bool findings_open(struct view *v, struct explorer *x)
{
    struct findings_state *s = v->state;
    (void)x;
    listed_init(&s->listed);
    return true;
}

/* They come when all steps were looked at. */
static bool findings_load(struct findings_state *s, struct explorer *x)
{
    struct err err = {0};
    if (s->loaded || !review_is_checked(x->review))
        return s->loaded;
    s->loaded = true;
    if (!review_findings(x->review, 0, &s->arena, &s->findings, &s->count, &err)) {
        s->failed = true;
        s->count = 0;
        explorer_fail(x, &err);
    }
    s->listed.list.count = (int64_t)s->count;
    for (size_t i = 0; i < s->count; i++)
        if (s->findings[i].n == x->n) {
            s->listed.list.cursor = (int64_t)i;
            break;
        }
    return true;
}

static void findings_close(struct view *v)
{
    struct findings_state *s = v->state;
    listed_finish(&s->listed);
    arena_finish(&s->arena);
}

static int64_t number_of(struct span object, const char *name)
{
    struct span value;
    int64_t number = 0;
    return jsonr_member(object, name, &value) && jsonr_int(value, &number) && number > 0 ? number
                                                                                         : 0;
}

/* The places that a finding rests on: step, pointer, and the bytes themselves. */
static void add_places(struct doc *doc, struct explorer *x, struct span detail)
{
    struct span list, pointer, text;
    struct jsonr_items items;
    if (!jsonr_valid(detail, NULL, NULL) || !jsonr_member(detail, "evidence", &list))
        return;
    jsonr_items_init(&items, list);
    while (jsonr_items_next(&items)) {
        int64_t n = number_of(items.value, "step");
        doc_line(doc, 2);
        doc_oursf(doc, STYLE_STRONG, n ? "step %lld  " : "the session", (long long)n);
        doc_link(doc, n);
        if (n)
            excerpt_step(doc, x, n);
        doc_one_row(doc);
        if (jsonr_member(items.value, "pointer", &pointer) && jsonr_plain_string(pointer, &text) &&
            text.len) {
            doc_line(doc, 4);
            doc_ours(doc, STYLE_DIM, "at ");
            doc_data(doc, STYLE_DIM, text);
        }
        if (n)
            excerpt_add(doc, x, n, (uint64_t)number_of(items.value, "offset"),
                        (uint64_t)number_of(items.value, "length"), 4);
    }
}

/* What the code means and rests on: from the table of codes. */
static void findings_lay_out(struct view *v, int64_t i, int columns)
{
    struct findings_state *s = v->state;
    struct doc *doc = &s->listed.doc;
    const struct finding_view *f = &s->findings[i];
    const struct finding_code *code = finding_code_find(f->code);
    (void)columns;
    doc_line(doc, 0);
    doc_data(doc, STYLE_STRONG, f->message);
    if (f->suppressed.at) {
        doc_line(doc, 0);
        doc_ours(doc, STYLE_UNKNOWN, "suppressed, so that it does not count: ");
        doc_data(doc, STYLE_PLAIN, f->suppressed);
    }
    if (code) {
        doc_line(doc, 0);
        doc_ours(doc, STYLE_KEY, code->code);
        doc_oursf(doc, STYLE_STRONG, "  %s", code->title ? code->title : "");
        if (code->statement) {
            doc_line(doc, 2);
            doc_ours(doc, STYLE_PLAIN, code->statement);
        }
        if (code->source) {
            doc_line(doc, 2);
            doc_oursf(doc, STYLE_DIM, "source: %s", code->source);
        }
    }
    add_places(doc, v->explorer, f->detail);
    size_t line = doc->lines;
    doc_line(doc, 0);
    doc_ours(doc, STYLE_DIM, "as JSON, id ");
    doc_data(doc, STYLE_DIM, f->id);
    if (f->detail.len && !doc_json(doc, 2, f->detail))
        doc_text(doc, 2, STYLE_DIM, f->detail, false);
    doc_fold_from(doc, line, true);
}

static void view_findings_draw_row(struct view *v, struct area area, int row, int64_t i)
{
    const struct findings_state *s = v->state;
    const struct finding_view *f = &s->findings[i];
    int severity = (int)f->severity;
    enum style style = style_of_severity(severity);
    cells_ours(area, row, 1, style, glyph_of_severity(severity));
    cells_ours(area, row, 3, style, severity_word(f->severity));
    cells_data(area, row, 13, STYLE_KEY, f->code, 6);
    if (f->n)
        cells_oursf(area, row, 19, STYLE_DIM, "%6lld", (long long)f->n);
    else
        cells_ours(area, row, 19, STYLE_FAINT, "     –");
    int column = 27;
    if (f->suppressed.at)
        column = cells_ours(area, row, column, STYLE_UNKNOWN, "suppressed: ");
    cells_data_start(area, row, column, severity >= SEVERITY_HIGH ? STYLE_STRONG : STYLE_PLAIN,
                     f->message, area.columns - column - 1);
}

/* Which secrets moved? That none was seen is an answer. */
static void findings_sum_up(struct view *v, struct area area, int row, int column)
{
    enum { TOLD = 4 };
    const struct findings_state *s = v->state;
    int64_t told[TOLD];
    size_t count = 0;
    for (size_t i = 0; i < s->count && count < TOLD; i++) {
        const struct finding_view *f = &s->findings[i];
        size_t known = 0;
        while (known < count && told[known] != f->n)
            known++;
        if (span_starts_with(f->code, SPAN("SE")) && known == count)
            told[count++] = f->n;
    }
    column = cells_ours(area, row, column, count ? STYLE_STRONG : STYLE_DIM,
                        count ? "· secrets at step " : "· no secrets seen ");
    for (size_t i = 0; i < count && i + 1 < TOLD; i++)
        column =
            cells_oursf(area, row, column, STYLE_STRONG, i ? ", %lld" : "%lld", (long long)told[i]);
    if (count)
        cells_ours(area, row, column, STYLE_STRONG, count == TOLD ? " and more " : " ");
}

static const struct listed_ops findings_listed = {
    .head = "  severity  code    step  what",
    .draw_row = view_findings_draw_row,
    .lay_out = findings_lay_out,
    .sum_up = findings_sum_up,
};

static void findings_draw(struct view *v, struct area area)
{
    struct findings_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Findings");
    if (!findings_load(s, x)) {
        cells_oursf(area, 1, 2, STYLE_UNKNOWN,
                    x->check_failed ? "The steps could not be looked at."
                                    : "Looking for findings: %lld of %lld steps so far.",
                    (long long)x->checked, (long long)review_steps(x->review));
        return;
    }
    if (s->failed) {
        cells_ours(area, 1, 2, STYLE_ERROR, "The findings can't be read.");
        return;
    }
    if (!s->count) {
        cells_wrapped(area, 1, 2, STYLE_GOOD,
                      "Nothing was found in this session under this policy.");
        cells_wrapped(area, 3, 2, STYLE_DIM,
                      "That is what the record shows; what it does not hold can't be judged.");
        return;
    }
    listed_draw(&s->listed, v, area, area.rows * 3 / 5, &findings_listed);
}

static unsigned findings_act(struct view *v, enum action action)
{
    struct findings_state *s = v->state;
    findings_load(s, v->explorer); /* a key may come before the first frame */
    if (listed_act(&s->listed, v, action))
        return VIEW_REDRAW;
    if (!s->count)
        return VIEW_IGNORED;
    const struct finding_view *f = &s->findings[s->listed.list.cursor];
    if (action == ACTION_OPEN && f->n)
        explorer_goto(v->explorer, f->n);
    else if (action == ACTION_OPEN)
        explorer_say(v->explorer, STYLE_PLAIN,
                     "this finding is about the whole session, not one step");
    else if (action == ACTION_COPY)
        explorer_copy(v->explorer, f->message);
    else
        return VIEW_IGNORED;
    return VIEW_REDRAW;
}

static const struct hint *findings_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go to the step"},
                                        {ACTION_NEXT_PANE, "other pane"},
                                        {ACTION_FOLD_ALL, "fold all"},
                                        {ACTION_COPY, "copy"},
                                        {0}};
    const struct findings_state *s = v->state;
    return s->count ? hints : NULL;
}

const struct view_ops view_findings = {
    .name = "findings",
    .title = "Findings",
    .size = sizeof(struct findings_state),
    .open = findings_open,
    .close = findings_close,
    .draw = findings_draw,
    .act = findings_act,
    .hints = findings_hints,
};
