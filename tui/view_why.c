/* Why the context is what it is at a step: the chain of causes, as a path one can walk. */
#include <stdio.h>
#include <string.h>

#include "tui/core.h"
#include "tui/doc.h"
#include "tui/excerpt.h"

enum { WHY_AXES = 2 /* integrity, confidentiality */ };
enum { TRACE_AT_ONCE = 20000 }; /* steps whose texts are compared without being asked */

struct why_state {
    struct doc doc;
    struct doc_view view;
    int64_t n;
    enum step_kind kind;
    bool is_so[WHY_AXES]; /* the context is untrusted, is private */
    int64_t unclaimed;
    int known;      /* axes whose path is in the document */
    size_t first;   /* line where the cursor begins; SIZE_MAX: a person has moved it */
    bool suspects;  /* what was found in earlier content was asked for */
    bool drawn;     /* it was shown once: slow work may begin */
    bool traced;    /* the origins of the text are in the document */
    char wish[128]; /* whether the user wished it; "": not known yet */
    enum style wish_style;
    size_t ask; /* the line whose Enter begins to trace; 0: none */
};

/* The path of one axis, as it is asked for. */
struct why_question {
    struct explorer *x;
    int64_t n;
    enum axis axis;
    int64_t unclaimed; /* results in the context of which nothing is claimed */
    struct arena arena;
    struct why why;
};

/* What the rule asks that the path ends at. */
static const char *why_asks(struct span rule)
{
    if (span_is(rule, "P-T"))
        return "what changes things needs a trusted context";
    if (span_is(rule, "P-F"))
        return "what leaves may only reach those who may read it";
    return span_is(rule, "context") ? "what the agent had taken in by then" : "";
}

static void add_chain(struct doc *doc, struct explorer *x, const struct why *why, enum style style)
{
    for (size_t i = 0; i < why->chain_count; i++) {
        const struct cause_link *link = &why->chain[i];
        bool last = i + 1 == why->chain_count;
        doc_line(doc, 2);
        doc_ours(doc, style, i == 0 ? "● " : last ? "▼ " : "┃ ");
        doc_oursf(doc, STYLE_STRONG, "%4lld ", (long long)link->n);
        excerpt_step(doc, x, link->n);
        doc_one_row(doc);
        doc_link(doc, link->n);
        doc_line(doc, 2);
        doc_ours(doc, style, last ? "  " : "┃ ");
        doc_ours(doc, STYLE_KEY, "     ");
        doc_data(doc, STYLE_KEY, link->rule);
        doc_ours(doc, STYLE_KEY, "  ");
        if (!excerpt_claim(doc, x, link))
            doc_data(doc, STYLE_DIM, last ? span_of(why_asks(link->rule)) : link->pointer);
        doc_one_row(doc);
        doc_link(doc, link->n);
    }
}

static void add_causes(struct doc *doc, struct explorer *x, const struct why *why)
{
    if (!why->cause_count)
        return;
    doc_line(doc, 2);
    doc_ours(doc, STYLE_DIM,
             why->cause_count > 1 ? "What made it so, the most likely origin first:"
                                  : "What made it so:");
    for (size_t i = 0; i < why->cause_count; i++) {
        const struct cause *cause = &why->causes[i];
        doc_line(doc, 4);
        doc_oursf(doc, STYLE_STRONG, "%zu. step %lld  ", i + 1, (long long)cause->n);
        excerpt_step(doc, x, cause->n);
        doc_one_row(doc);
        doc_link(doc, cause->n);
        for (size_t k = 0; k < cause->reason_count; k++) {
            if (k == 0)
                doc_line(doc, 7);
            doc_ours(doc, STYLE_FAINT, k ? " · " : "");
            doc_data(doc, STYLE_PLAIN, cause->reasons[k]);
            doc_link(doc, cause->n);
        }
    }
}

static void add_axis(struct doc *doc, struct why_question *q, const struct err *err)
{
    enum style style = q->axis == AXIS_INTEGRITY ? STYLE_UNTRUSTED : STYLE_PRIVATE;
    const char *what = q->axis == AXIS_INTEGRITY ? "untrusted" : "private";
    doc_line(doc, 0);
    if (err->kind) {
        doc_data(doc, STYLE_ERROR, span_of(err->what));
    } else if (!q->why.chain_count && !q->why.cause_count) {
        doc_oursf(doc, STYLE_DIM, "No label makes the context %s at step %lld", what,
                  (long long)q->n);
        if (q->unclaimed)
            doc_oursf(doc, STYLE_UNKNOWN, ", but %lld result%s came without any claim",
                      (long long)q->unclaimed, q->unclaimed == 1 ? "" : "s");
        doc_ours(doc, STYLE_DIM, ".");
    } else {
        doc_oursf(doc, style, "Why the context is %s at step %lld", what, (long long)q->n);
        add_chain(doc, q->x, &q->why, style);
        add_causes(doc, q->x, &q->why);
        if (q->why.capped) {
            doc_line(doc, 4);
            doc_ours(doc, STYLE_UNKNOWN,
                     "Not all earlier content was looked at: others may be likelier.");
        }
    }
    doc_line(doc, 0);
}

static bool ask_axis(void *arg, struct err *err)
{
    struct why_question *q = arg;
    arena_reset(&q->arena); /* of a try that was stopped */
    q->why = (struct why){0};
    return review_why(q->x->review, q->n, q->axis, &q->arena, &q->why, err);
}

/* What was found in definitions and in hidden text before: it may have steered the agent whatever
 * its label is, and no label tells of it. */
static void add_suspects(struct why_state *s, struct explorer *x)
{
    enum { MOST = 3 };
    struct arena arena = {0};
    struct finding_view *all;
    struct err err = {0};
    size_t count = 0, told = 0;
    s->suspects = review_is_checked(x->review);
    if (!s->suspects || !review_findings(x->review, 0, &arena, &all, &count, &err))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct finding_view *f = &all[i];
        bool steers =
            span_starts_with(f->code, SPAN("TD")) || span_starts_with(f->code, SPAN("HX"));
        if (!steers || f->n < 1 || f->n >= s->n || f->severity < SEVERITY_MEDIUM || told == MOST)
            continue;
        if (!told++) {
            doc_line(&s->doc, 0);
            doc_ours(&s->doc, STYLE_STRONG, "Found in what the agent had read before, worst first");
        }
        doc_line(&s->doc, 2);
        doc_oursf(&s->doc, style_of_severity((int)f->severity), "%s ",
                  glyph_of_severity((int)f->severity));
        doc_oursf(&s->doc, STYLE_STRONG, "step %lld  ", (long long)f->n);
        doc_data(&s->doc, STYLE_PLAIN, f->message);
        doc_oursf(&s->doc, STYLE_KEY, "  %.*s", SPAN_ARG(f->code));
        doc_link(&s->doc, f->n);
    }
    if (told)
        doc_line(&s->doc, 0);
    arena_finish(&arena);
}

/* ---- where the text of the call stood before ---- */

/* The two texts side by side, the part that they share lit in both. */
static void add_origin(struct doc *doc, struct explorer *x, int64_t n, const struct origin *o)
{
    doc_line(doc, 2);
    doc_data(doc, STYLE_JSON_NAME, o->pointer.len ? o->pointer : SPAN("the text"));
    doc_oursf(doc, STYLE_DIM, "  of this call (%s):", o->how);
    doc_beside(doc);
    doc_ours(doc, STYLE_FAINT, "← ");
    doc_oursf(doc, STYLE_STRONG, "%lld ", (long long)o->n);
    excerpt_step(doc, x, o->n);
    doc_one_row(doc);
    doc_link(doc, o->n);
    doc_line(doc, 4);
    if (excerpt_here(doc, x, n, o->at, o->len))
        doc_beside(doc);
    doc_ours(doc, STYLE_FAINT, "← ");
    excerpt_here(doc, x, o->n, o->offset, o->length);
    doc_link(doc, o->n);
}

/* Was it the user's own wish? Only where their words were recorded that can be seen. It is told on
 * the first line, too, as the rest of it may be far below. */
static void add_wish(struct why_state *s, const struct origins *origins)
{
    size_t wished = 0;
    for (size_t i = 0; i < origins->count; i++)
        wished += strcmp(origins->items[i].source, "prompt") == 0;
    s->wish_style = !origins->prompts ? STYLE_UNKNOWN : wished ? STYLE_GOOD : STYLE_STRONG;
    if (!origins->prompts)
        snprintf(s->wish, sizeof s->wish,
                 "Whether the user wished it is not known: no prompt was recorded.");
    else if (wished)
        snprintf(s->wish, sizeof s->wish,
                 "%zu of %zu passages of its text stood in the user's own prompt.", wished,
                 origins->count);
    else
        snprintf(s->wish, sizeof s->wish,
                 "No passage of its text stood in the user's own prompts.");
    doc_line(&s->doc, 2);
    doc_ours(&s->doc, s->wish_style, s->wish);
}

static void view_why_trace(struct why_state *s, struct explorer *x)
{
    enum { MOST = 40 };
    struct arena arena = {0};
    struct origins origins = {0};
    struct err err = {0};
    s->traced = true;
    s->ask = 0;
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_STRONG, "Where the text of this call stood before");
    if (!review_origins(x->review, s->n, SPAN_EMPTY, &arena, &origins, &err)) {
        doc_line(&s->doc, 2);
        doc_data(&s->doc, STYLE_ERROR, span_of(err.what));
    } else if (!origins.count) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_DIM,
                 "No passage of it that is long or rare enough stands in an earlier step.");
    }
    add_wish(s, &origins);
    for (size_t i = 0; i < origins.count && i < MOST; i++)
        add_origin(&s->doc, x, s->n, &origins.items[i]);
    if (origins.count > MOST) {
        doc_line(&s->doc, 2);
        doc_oursf(&s->doc, STYLE_UNKNOWN, "and %zu more; `strandline why --arg` gives all",
                  origins.count - MOST);
    }
    if (origins.capped) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_UNKNOWN,
                 "Some text was too long to be kept for this: what is missing here is not known.");
    }
    arena_finish(&arena);
}

/* In long sessions only when it is asked for: every earlier text has to be read. */
static void offer_trace(struct why_state *s, enum step_kind kind)
{
    if (kind != STEP_TOOL_CALL && kind != STEP_ASSISTANT) {
        s->traced = true;
        return;
    }
    if (s->n <= TRACE_AT_ONCE)
        return;
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_KEY, "Enter here");
    doc_ours(&s->doc, STYLE_PLAIN,
             " looks where the text of this call stood before; all earlier texts are read for it");
    s->ask = s->doc.lines - 1;
}

/* What happened at the step; is the context there to be explained? */
static void add_sentence(struct why_state *s, struct explorer *x)
{
    struct flow_row row = {0};
    struct replay_out out;
    struct err err = {0};
    struct buf text = {0};
    doc_line(&s->doc, 0);
    if (review_explain(x->review, s->n, &row, &out, &err)) {
        s->unclaimed = row.unclaimed;
        s->is_so[AXIS_INTEGRITY] = row.after.integrity == UNTRUSTED;
        s->is_so[AXIS_CONFIDENTIALITY] = label_is_private(row.after);
        replay_sentence(&text, review_labels(x->review), &row.step, &out);
        doc_data(&s->doc, row.verdict == VERDICT_DENY ? STYLE_DENY : STYLE_STRONG, buf_span(&text));
    } else { /* where that can't be told, the path is asked for */
        s->is_so[AXIS_INTEGRITY] = s->is_so[AXIS_CONFIDENTIALITY] = true;
        doc_data(&s->doc, STYLE_ERROR, span_of(err.what));
    }
    doc_line(&s->doc, 0);
    s->kind = row.step.kind;
    buf_finish(&text);
}

/* The paths, one after the other; slice as of explorer_ask. True: there is more to ask. */
static bool add_paths(struct why_state *s, struct explorer *x, struct slice *slice)
{
    for (; s->known < WHY_AXES; s->known++) {
        struct why_question q = {
            .x = x, .n = s->n, .axis = (enum axis)s->known, .unclaimed = s->unclaimed};
        struct err err = {0};
        int more = s->is_so[q.axis] ? explorer_ask(x, slice, ask_axis, &q, &err) : 0;
        if (more <= 0)
            add_axis(&s->doc, &q, &err);
        arena_finish(&q.arena);
        if (more > 0)
            return true;
    }
    bool walked = s->view.cursor != s->first;
    while (!walked && s->view.cursor + 1 < s->doc.lines && !s->doc.line[s->view.cursor].step)
        s->view.cursor++; /* the first step of the path */
    s->first = walked ? SIZE_MAX : s->view.cursor;
    offer_trace(s, s->kind);
    return false;
}

/* What is at hand at once; the paths follow as far as the slice goes. */
static bool view_why_fill(struct why_state *s, struct explorer *x, struct slice *slice)
{
    doc_clear(&s->doc);
    doc_view_reset(&s->view, &s->doc);
    s->first = s->view.cursor;
    s->known = 0;
    s->traced = false;
    s->wish[0] = 0;
    s->ask = 0;
    add_sentence(s, x);
    add_suspects(s, x);
    return add_paths(s, x, slice);
}

static bool why_idle(struct view *v, struct slice *slice)
{
    struct why_state *s = v->state;
    (void)slice; /* a key ends the question; the trace is one look, of some milliseconds */
    /* The findings came while it was read: unless a person has begun to walk in it. */
    if (!s->suspects && s->view.cursor == s->first && review_is_checked(v->explorer->review))
        return view_why_fill(s, v->explorer, NULL);
    if (s->known < WHY_AXES)
        return add_paths(s, v->explorer, NULL);
    if (s->drawn && !s->traced && !s->ask)
        view_why_trace(s, v->explorer);
    return false;
}

static bool why_open(struct view *v, struct explorer *x)
{
    struct why_state *s = v->state;
    if (!x->n) {
        explorer_say(x, STYLE_UNKNOWN, "there is no step to ask about");
        return false;
    }
    struct slice slice = slice_begin(NULL, NULL);
    doc_init(&s->doc);
    s->doc.linear = x->options.plain && !x->options.ascii;
    s->n = x->n;
    view_why_fill(s, x, &slice);
    return true;
}

static void why_close(struct view *v)
{
    struct why_state *s = v->state;
    doc_finish(&s->doc);
}

static void why_draw(struct view *v, struct area area)
{
    struct why_state *s = v->state;
    area = explorer_title(v->explorer, area, "Why");
    if (s->known < WHY_AXES)
        cells_ours(area, 0, 2, STYLE_UNKNOWN, "looking for the causes…");
    else
        cells_ours(area, 0, 2, s->wish_style, s->wish);
    doc_view_draw(&s->view, area_sub(area, 1, 2, area.rows - 1, area.columns - 4), true);
    s->drawn = true;
}

static unsigned why_act(struct view *v, enum action action)
{
    struct why_state *s = v->state;
    if (action == ACTION_OPEN && s->ask && s->view.cursor == s->ask) {
        view_why_trace(s, v->explorer);
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && doc_view_step(&s->view)) {
        explorer_goto(v->explorer, doc_view_step(&s->view));
        return VIEW_REDRAW;
    }
    if (action == ACTION_COPY) {
        struct buf text = {0};
        doc_line_text(&s->doc, s->view.cursor, &text);
        explorer_copy(v->explorer, buf_span(&text));
        buf_finish(&text);
        return VIEW_REDRAW;
    }
    return doc_view_act(&s->view, action) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct hint *why_hints(const struct view *v)
{
    static const struct hint hints[] = {
        {ACTION_OPEN, "go to the step"}, {ACTION_COPY, "copy"}, {0}};
    static const struct hint trace[] = {{ACTION_OPEN, "look there"}, {ACTION_COPY, "copy"}, {0}};
    static const struct hint reading[] = {{ACTION_COPY, "copy"}, {0}};
    const struct why_state *s = v->state;
    return s->ask && s->view.cursor == s->ask ? trace : doc_view_step(&s->view) ? hints : reading;
}

const struct view_ops view_why = {
    .name = "why",
    .title = "Why",
    .size = sizeof(struct why_state),
    .open = why_open,
    .close = why_close,
    .draw = why_draw,
    .act = why_act,
    .idle = why_idle,
    .hints = why_hints,
};
