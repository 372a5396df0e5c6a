/*
 * Lesson: the open session one step at a time. What the context becomes, or
 * what the policy says of a call, is asked before it is shown; then the
 * sentence, the reasons and the rule behind them. Keeps score, and at the end
 * shows what was missed.
 */

#include "tui/core.h"
#include "tui/doc.h"
#include "tui/excerpt.h"
#include "tui/flow_row.h"

enum { ROWS_FOR_FLOW = 18 }; /* in a lower window the question has all of it */
enum lesson_phase { LESSON_ASKS, LESSON_TELLS, LESSON_ENDED };
enum lesson_question { LESSON_NOTHING, LESSON_CONTEXT, LESSON_VERDICT };
enum { LESSON_CHOICES = 4, LESSON_MISSES = 200 };

struct lesson_state {
    int64_t n; /* the step asked about */
    enum lesson_phase phase;
    enum lesson_question question;
    int answer, right;  /* of the choices, from 0 */
    int asked, correct; /* the score */
    int64_t missed[LESSON_MISSES];
    int misses;
    struct arena arena; /* of rows */
    struct doc doc;
    size_t told; /* line where the answer begins, until that was drawn; 0: none */
    struct doc_view view;
};

static const char *const lesson_contexts[LESSON_CHOICES] = {
    "trusted, public", "untrusted, public", "trusted, private", "untrusted, private"};
static const char *const lesson_verdicts[] = {"allow: nothing is wrong with it",
                                              "ask a person first", "deny it"};

/* ---- the question ---- */

static int lesson_context_of(struct label label)
{
    return (label.integrity == UNTRUSTED) + 2 * label_is_private(label);
}

static bool lesson_row(struct lesson_state *s, struct explorer *x, int64_t n, struct flow_row *row)
{
    struct err err = {0};
    if (review_rows(x->review, n, 1, FLOW_PREVIEW, &s->arena, row, &err) == 1)
        return true;
    explorer_fail(x, &err);
    return false;
}

static enum lesson_question lesson_asks(const struct flow_row *row)
{
    if (row->verdict)
        return LESSON_VERDICT;
    /* a prompt is the user's own: nothing to learn from asking each time */
    return row->has_label && row->step.kind != STEP_PROMPT && row->step.kind != STEP_ASSISTANT
               ? LESSON_CONTEXT
               : LESSON_NOTHING;
}

/* What the label rests on: the claims as they were written, and their evidence. */
static void lesson_add_claims(struct lesson_state *s, struct explorer *x)
{
    struct claim_view *claims;
    struct evidence_view *evidence;
    size_t count = 0, refs = 0;
    struct err err = {0};
    if (!review_claims(x->review, s->n, &s->arena, &claims, &count, &err) ||
        !review_evidence(x->review, s->n, &s->arena, &evidence, &refs, &err))
        explorer_fail(x, &err);
    for (size_t i = 0; i < count; i++) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_DIM, "its server claims  ");
        doc_data(&s->doc, STYLE_JSON_NAME, claims[i].name);
        doc_ours(&s->doc, STYLE_PLAIN, ": ");
        doc_data(&s->doc, STYLE_STRONG, claims[i].value.at ? claims[i].value : SPAN("(too long)"));
        doc_one_row(&s->doc);
    }
    for (size_t i = 0; i < refs; i++) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_DIM, "with evidence  ");
        doc_data(&s->doc, style_of_evidence(evidence[i].verdict), evidence[i].verdict);
    }
    if (!count && !refs) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_UNKNOWN, "its server claims nothing about it");
    }
}

static void lesson_add_hint(struct doc *doc, const char *name, enum tri value)
{
    doc_oursf(doc, value == TRI_ABSENT ? STYLE_UNKNOWN : STYLE_PLAIN, "  %s %s", name,
              value == TRI_ABSENT ? "not given"
              : value == TRI_TRUE ? "true"
                                  : "false");
}

static void lesson_add_call(struct lesson_state *s, const struct flow_row *row)
{
    doc_line(&s->doc, 2);
    doc_ours(&s->doc, STYLE_DIM, "by its own hints ");
    if (!row->step.hints.defined) {
        doc_ours(&s->doc, STYLE_UNKNOWN, "nothing: no definition of it was recorded");
        return;
    }
    lesson_add_hint(&s->doc, "readOnlyHint", row->step.hints.read_only);
    lesson_add_hint(&s->doc, "openWorldHint", row->step.hints.open_world);
}

static void lesson_add_choices(struct lesson_state *s)
{
    bool verdict = s->question == LESSON_VERDICT;
    int count = verdict ? (int)COUNT_OF(lesson_verdicts) : LESSON_CHOICES;
    for (int i = 0; i < count; i++) {
        bool told = s->phase == LESSON_TELLS;
        enum style style = !told            ? STYLE_PLAIN
                           : i == s->right  ? STYLE_GOOD
                           : i == s->answer ? STYLE_BAD
                                            : STYLE_DIM;
        doc_line(&s->doc, 4);
        doc_oursf(&s->doc, told ? style : STYLE_KEY, "%d", i + 1);
        doc_oursf(&s->doc, style, "  %s", verdict ? lesson_verdicts[i] : lesson_contexts[i]);
        if (told && i == s->right)
            doc_ours(&s->doc, STYLE_GOOD, "  ✔");
        else if (told && i == s->answer)
            doc_ours(&s->doc, STYLE_BAD, "  ✘ your answer");
    }
}

/* What to do now, for whoever has not done it before. */
static void lesson_add_how(struct lesson_state *s)
{
    doc_line(&s->doc, 0);
    doc_line(&s->doc, 0);
    if (s->phase == LESSON_TELLS)
        doc_ours(&s->doc, STYLE_DIM, "Enter goes on.");
    else if (s->question == LESSON_VERDICT)
        doc_ours(&s->doc, STYLE_DIM, "Answer with 1, 2 or 3.");
    else
        doc_ours(&s->doc, STYLE_DIM, "Answer with 1, 2, 3 or 4.");
    if (s->asked)
        return;
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_DIM,
             "The context is all that the agent has taken in. Untrusted: a stranger may have "
             "written some of it. Private: not everybody may read all of it.");
}

/* ---- the answer ---- */

/* The rules behind the reasons, in our words, with where they come from. */
static const struct {
    const char *begins, *says;
} lesson_rules[] = {
    {"TA.",
     "Rule: what a server marks untrusted makes the context untrusted, what it marks sensitive "
     "makes it private. A claim of false takes nothing away. (trust-annotations)"},
    {"IFC", "Rule: a label in the result counts as it stands: integrity, and who may read it. "
            "(ifc-fides)"},
    {"no-claim",
     "Rule: no claim is not a claim of safe. It adds nothing, and is counted as unclaimed. "
     "(trust-annotations)"},
    {"catalogue",
     "Rule: of well-known tools the policy assumes what they bring in. An assumption is "
     "marked as one."},
    {"audience.assumed",
     "Rule: where nobody says who can read what a call sends out, everybody can."},
    {"P-T",
     "Rule P-T, trusted action: a call with consequences needs a trusted context, for whoever "
     "wrote untrusted text may have chosen the call. (arXiv:2505.23643)"},
    {"P-F", "Rule P-F, permitted flow: text goes only to those who may read everything the context "
            "holds. Private is never public. (arXiv:2505.23643)"},
};

static void lesson_add_rules(struct lesson_state *s, const struct replay_out *out)
{
    bool said[COUNT_OF(lesson_rules)] = {false};
    for (size_t i = 0; i < out->reason_count; i++)
        for (size_t k = 0; k < COUNT_OF(lesson_rules); k++)
            if (!said[k] &&
                span_starts_with(span_of(out->reasons[i].rule), span_of(lesson_rules[k].begins))) {
                said[k] = true;
                doc_line(&s->doc, 2);
                doc_ours(&s->doc, STYLE_NOTE, lesson_rules[k].says);
                doc_hang(&s->doc, 4);
            }
    if (s->question == LESSON_CONTEXT) {
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_NOTE,
                 "The context keeps the worst of all that came in: it can only rise.");
    }
}

static void lesson_add_answer(struct lesson_state *s, struct explorer *x)
{
    struct flow_row row;
    struct replay_out out;
    struct err err = {0};
    struct buf text = {0};
    bool right = s->answer == s->right;
    doc_line(&s->doc, 0);
    doc_line(&s->doc, 0);
    s->told = s->doc.lines - 1;
    doc_ours(&s->doc, right ? STYLE_GOOD : STYLE_BAD, right ? "✔ Right. " : "✘ Not quite. ");
    if (!review_explain(x->review, s->n, &row, &out, &err)) {
        explorer_fail(x, &err);
        return;
    }
    replay_sentence(&text, review_labels(x->review), &row.step, &out);
    doc_data(&s->doc, STYLE_STRONG, buf_span(&text));
    for (size_t i = 0; i < out.reason_count; i++) {
        buf_clear(&text);
        reason_sentence(&text, review_labels(x->review), &row.step, &out.reasons[i]);
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_DIM, "· ");
        doc_data(&s->doc, STYLE_PLAIN, buf_span(&text));
        doc_hang(&s->doc, 4);
    }
    lesson_add_rules(s, &out);
    buf_finish(&text);
}

static void lesson_add_end(struct lesson_state *s, struct explorer *x)
{
    doc_line(&s->doc, 0);
    doc_oursf(&s->doc, STYLE_STRONG, "The session ends here. You had %d of %d right.", s->correct,
              s->asked);
    if (s->misses) {
        doc_line(&s->doc, 0);
        doc_ours(&s->doc, STYLE_PLAIN, "Look again at these; Enter opens one in the flow:");
    }
    for (int i = 0; i < s->misses; i++) {
        doc_line(&s->doc, 2);
        doc_oursf(&s->doc, STYLE_KEY, "step %lld  ", (long long)s->missed[i]);
        excerpt_step(&s->doc, x, s->missed[i]);
        doc_one_row(&s->doc);
        doc_link(&s->doc, s->missed[i]);
    }
    doc_line(&s->doc, 0);
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_DIM,
             "q goes to the flow, where all of it is shown. `strandline lesson` lists the others.");
}

static void lesson_fill(struct lesson_state *s, struct explorer *x)
{
    struct flow_row row;
    doc_clear(&s->doc);
    arena_reset(&s->arena);
    if (s->phase == LESSON_ENDED) {
        lesson_add_end(s, x);
    } else if (lesson_row(s, x, s->n, &row)) {
        const char *now = lesson_contexts[lesson_context_of(row.before)];
        doc_line(&s->doc, 0);
        doc_oursf(&s->doc, STYLE_STRONG, "Step %lld  ", (long long)s->n);
        if (s->phase == LESSON_TELLS || s->question != LESSON_VERDICT) {
            excerpt_step(&s->doc, x, s->n);
            if (x->grid.rows < ROWS_FOR_FLOW)
                doc_one_row(&s->doc);
        } else { /* the name alone: the rest would tell the answer */
            doc_data(&s->doc, style_of_server(x->session->servers, row.step.server),
                     row.step.server);
            doc_ours(&s->doc, STYLE_PLAIN, " ");
            doc_data(&s->doc, STYLE_STRONG, row.step.tool);
            doc_ours(&s->doc, STYLE_PLAIN, "  ");
            doc_data(&s->doc, STYLE_DIM, span_sub(row.preview, 0, 300));
        }
        if (s->question == LESSON_VERDICT)
            lesson_add_call(s, &row);
        else
            lesson_add_claims(s, x);
        doc_line(&s->doc, 0);
        doc_line(&s->doc, 0);
        doc_ours(&s->doc, STYLE_PLAIN, "The context is ");
        doc_ours(&s->doc, style_of_label(row.before), now);
        doc_oursf(&s->doc, STYLE_PLAIN, " so far. %s",
                  s->question == LESSON_VERDICT ? "What does the policy say of this call?"
                                                : "What will it be with this?");
        lesson_add_choices(s);
        if (s->phase == LESSON_TELLS)
            lesson_add_answer(s, x);
        lesson_add_how(s);
    }
    doc_view_reset(&s->view, &s->doc);
}

/* ---- going on ---- */

static void lesson_next(struct lesson_state *s, struct explorer *x)
{
    int64_t last = review_steps(x->review);
    struct flow_row row;
    s->phase = LESSON_ENDED;
    for (s->n++; s->n <= last; s->n++) {
        arena_reset(&s->arena);
        if (!lesson_row(s, x, s->n, &row))
            break;
        s->question = lesson_asks(&row);
        if (s->question == LESSON_NOTHING)
            continue;
        s->right = s->question == LESSON_VERDICT ? (int)row.verdict - VERDICT_ALLOW
                                                 : lesson_context_of(row.after);
        s->phase = LESSON_ASKS;
        break;
    }
    lesson_fill(s, x);
}

static void lesson_take(struct lesson_state *s, struct explorer *x, int answer)
{
    s->answer = answer;
    s->asked++;
    s->correct += answer == s->right;
    if (answer != s->right && s->misses < LESSON_MISSES)
        s->missed[s->misses++] = s->n;
    s->phase = LESSON_TELLS;
    lesson_fill(s, x);
}

static bool lesson_open(struct view *v, struct explorer *x)
{
    struct lesson_state *s = v->state;
    doc_init(&s->doc);
    buf_clear(&x->message); /* it may tell too much */
    lesson_next(s, x);
    return true;
}

static void lesson_close(struct view *v)
{
    struct lesson_state *s = v->state;
    doc_finish(&s->doc);
    arena_finish(&s->arena);
}

/* ---- drawing ---- */

/* A row as it looks before it is judged. */
static void lesson_hide(struct flow_row *row)
{
    row->has_label = false;
    row->after = row->before;
    row->changed = 0;
    row->verdict = VERDICT_NONE;
    row->finding_count = row->evidence_count = 0;
    row->worst = -1;
}

/* The steps so far, as the flow shows them; the last one keeps its secret while it is asked. */
static void lesson_draw_flow(struct lesson_state *s, struct explorer *x, struct area area)
{
    struct arena arena = {0};
    struct err err = {0};
    int64_t last = review_steps(x->review), to = s->n < last ? s->n : last;
    int64_t from = to - (area.rows - 2) < 1 ? 1 : to - (area.rows - 2);
    size_t count = to >= from ? (size_t)(to - from + 1) : 0;
    struct flow_row *rows = arena_array(&arena, count + 1, sizeof *rows);
    if (count &&
        review_rows(x->review, from, count, FLOW_PREVIEW, &arena, rows, &err) == (long)count) {
        struct flow_joins *joins = arena_array(&arena, count, sizeof *joins);
        struct flow_columns columns;
        if (s->phase == LESSON_ASKS)
            lesson_hide(&rows[count - 1]);
        int tracks = flow_joins_find(rows, count, s->n, true, joins);
        flow_columns_for(&columns, area.columns, last, tracks, x->session->servers);
        flow_header_draw(&columns, area, 0, NULL);
        for (size_t i = 0; i < count; i++)
            flow_row_draw(&columns, area, (int)i + 1, &rows[i], i ? &rows[i - 1] : NULL, &joins[i],
                          0);
        if (s->phase != LESSON_ENDED)
            cells_select(area, (int)count, 0, area.columns);
    }
    arena_finish(&arena);
}

/* Where there is no room for the question as well, the answer comes to the top. */
static void lesson_show_answer(struct lesson_state *s, struct area area)
{
    if (s->told && doc_rows(&s->doc, area.columns, area.rows + 1, area.grid->ascii) > area.rows)
        s->view.top = s->view.cursor = s->told;
    s->told = 0;
}

static void lesson_draw(struct view *v, struct area area)
{
    struct lesson_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Lesson");
    int rows = area.rows < ROWS_FOR_FLOW ? 0 : area.rows * 2 / 5;
    if (s->n + 2 < rows)
        rows = (int)s->n + 2;
    if (rows)
        lesson_draw_flow(s, x, area_sub(area, 0, 0, rows, area.columns));
    cells_fill(area, rows, 0, area.columns, STYLE_DIVIDER, "─");
    cells_oursf(area, rows, 2, STYLE_STRONG, " score %d of %d ", s->correct, s->asked);
    struct area below = area_sub(area, rows + 1, 2, area.rows - rows - 1, area.columns - 4);
    lesson_show_answer(s, below);
    doc_view_draw(&s->view, below, s->phase == LESSON_ENDED);
}

static unsigned lesson_act(struct view *v, enum action action)
{
    struct lesson_state *s = v->state;
    struct explorer *x = v->explorer;
    int choices = s->question == LESSON_VERDICT ? (int)COUNT_OF(lesson_verdicts) : LESSON_CHOICES;
    if (action >= ACTION_TAB_1 && action <= ACTION_TAB_6) {
        int answer = (int)action - ACTION_TAB_1;
        if (s->phase == LESSON_ASKS && answer < choices)
            lesson_take(s, x, answer);
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && s->phase == LESSON_TELLS) {
        lesson_next(s, x);
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && s->phase == LESSON_ASKS) {
        explorer_say(x, STYLE_PLAIN, "answer with 1 to %d", choices);
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && doc_view_step(&s->view)) {
        explorer_goto(x, doc_view_step(&s->view));
        return VIEW_REDRAW;
    }
    return doc_view_act(&s->view, action) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct hint *lesson_hints(const struct view *v)
{
    static const struct hint contexts[] = {{ACTION_TAB_1, "to 4: your answer"}, {0}};
    static const struct hint verdicts[] = {{ACTION_TAB_1, "to 3: your answer"}, {0}};
    static const struct hint go_on[] = {{ACTION_OPEN, "go on"}, {0}};
    static const struct hint look[] = {{ACTION_OPEN, "look again"}, {0}};
    const struct lesson_state *s = v->state;
    if (s->phase == LESSON_ASKS)
        return s->question == LESSON_VERDICT ? verdicts : contexts;
    return s->phase == LESSON_TELLS ? go_on : doc_view_step(&s->view) ? look : NULL;
}

const struct view_ops view_lesson = {
    .name = "lesson",
    .title = "Lesson",
    .size = sizeof(struct lesson_state),
    .open = lesson_open,
    .close = lesson_close,
    .draw = lesson_draw,
    .act = lesson_act,
    .hints = lesson_hints,
};
