/* Every key, from the table of actions, and what the signs on the screen mean. Enter runs a line.
 */
#include "base/text.h"
#include "tui/core.h"
#include "tui/doc.h"

struct help_state {
    struct doc doc;
    struct doc_view view;
    struct buf needle;
};

static void add_actions(struct doc *doc, const struct keymap *keys)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        doc_line(doc, 0);
        doc_ours(doc, STYLE_STRONG, action_group_title((enum action_group)group));
        for (int a = 1; a < ACTION_COUNT; a++) {
            const struct action_info *info = action_info((enum action)a);
            if ((int)info->group != group)
                continue;
            doc_line(doc, 2);
            doc_oursf(doc, STYLE_KEY, "%-15s ", keys->of[a]);
            doc_oursf(doc, STYLE_DIM, ":%-18s ", info->name);
            doc_ours(doc, STYLE_PLAIN, info->help);
            doc_link(doc, a); /* here a line leads to an action */
        }
        doc_line(doc, 0);
    }
}

static void add_signs(struct doc *doc)
{
    enum { SIGN = 13 }; /* columns up to what it means */
    static const struct {
        const char *sign;
        enum style style;
        const char *meaning;
    } signs[] = {
        {"│", STYLE_LANE_LOW,
         "a lane that is low: the context is trusted (left lane), public (right lane)"},
        {"╰┓", STYLE_UNTRUSTED,
         "the lane rises: from this step on the context is untrusted, or private"},
        {" ┃", STYLE_PRIVATE, "the lane is high, and stays so: labels only rise within a context"},
        {" ┣", STYLE_PRIVATE, "more private than before: a marker was added or readers were lost"},
        {"▸ ◂", STYLE_SERVER_0,
         "a call to a server, and its result; a line on the left joins the two"},
        {"09:12 +3.0s", STYLE_DIM,
         "the clock (UTC) of the first row in sight, and how long after the row above a row came"},
        {"▲untrusted", STYLE_RISE_INTEGRITY, "this result's label raised the context"},
        {"+private", STYLE_PRIVATE, "this result made the context more private than it was"},
        {"no claim", STYLE_UNKNOWN,
         "the server said nothing about this result: that is not a claim of safe"},
        {"U P ?", STYLE_UNTRUSTED,
         "untrusted, private, no claim, in a narrow window; lit where the context rose"},
        {"assumed", STYLE_UNKNOWN,
         "a label that the policy assumes (~ where there is little room)"},
        {" ✘ DENY ", STYLE_DENY_BADGE,
         "the policy denies this call; whether it was carried out is told beside it"},
        {"? ask", STYLE_ASK, "the policy would have asked a person first"},
        {"allow ·", STYLE_ALLOW, "the policy allows this call; a dot in a narrow window"},
        {"✔ ? ✘", STYLE_GOOD, "under E, the evidence: re-derived here, can't be checked, failed"},
        {"‼ ▲ ◆ ◇ ·", STYLE_HIGH,
         "findings: critical, high, medium, low, for information; a number where there are "
         "several"},
        {"▁ ▅ ▃ █ ✘", STYLE_BOTH,
         "the strip: all low, untrusted, private, both, a denied call; the lit cell is where you "
         "are"},
    };
    doc_line(doc, 0);
    doc_ours(doc, STYLE_STRONG, "What the signs mean");
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        doc_line(doc, 2);
        doc_ours(doc, signs[i].style, signs[i].sign);
        doc_oursf(doc, STYLE_PLAIN, "%*s%s",
                  SIGN - (int)text_columns(span_of(signs[i].sign), false), "", signs[i].meaning);
        doc_hang(doc, 2 + SIGN);
    }
    doc_line(doc, 2);
    doc_data(doc, STYLE_PLAIN, SPAN("\x1b"));
    doc_oursf(doc, STYLE_PLAIN, "%*s%s", SIGN - 1, "",
              "in this colour: a hidden or control character of the data, shown, not obeyed");
    doc_hang(doc, 2 + SIGN);
    doc_line(doc, 0);
}

/* What a person asks after an incident, and the key that answers it from the flow. */
static void add_questions(struct doc *doc, const struct keymap *keys)
{
    static const struct {
        enum action action;
        const char *question;
    } questions[] = {
        {ACTION_NEXT_VIOLATION, "Where did it go wrong? The calls that policy denies, one by one"},
        {ACTION_FINDINGS, "What broke policy, worst first? Which secrets moved?"},
        {ACTION_FIRST_UNTRUSTED, "Where did the context first turn untrusted?"},
        {ACTION_FIRST_PRIVATE, "Where did it first turn private?"},
        {ACTION_WHY,
         "Why is it so here? Where did this argument come from? Was it the user's wish?"},
        {ACTION_EGRESS, "What left, to whom, and where did that text stand before?"},
        {ACTION_TOOLS, "What authority was there, and used? Did definitions change, or instruct?"},
        {ACTION_EVIDENCE, "Does the evidence behind the labels hold?"},
        {ACTION_WHATIF, "Would another policy have stopped it?"},
        {ACTION_RELABEL, "Would another label have stopped it?"},
        {ACTION_ELSEWHERE, "Which other sessions saw this text, host or definition?"},
        {ACTION_DIFF, "How does this run differ from a good one?"},
        {ACTION_RECORD, "Is the record complete and unchanged? What does it not show?"},
        {ACTION_NOTEBOOK, "What have I marked and noted?"},
        {ACTION_REPORT, "Can it be handed over?"},
    };
    doc_line(doc, 0);
    doc_ours(doc, STYLE_STRONG, "What do you want to know?");
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        struct span key = keymap_first(keys, questions[i].action);
        doc_line(doc, 2);
        doc_oursf(doc, STYLE_KEY, "%-3.*s ", SPAN_ARG(key));
        doc_ours(doc, STYLE_PLAIN, questions[i].question);
        doc_hang(doc, 6);
        doc_link(doc, questions[i].action); /* here a line leads to an action */
    }
    doc_line(doc, 0);
}

/* Each word of the trade that a screen may show. */
static void add_glossary(struct doc *doc)
{
    static const struct {
        const char *word, *meaning;
    } words[] = {
        {"context", "all that the agent has taken in so far; its label is the worst of all of it"},
        {"label", "integrity (who may have written it) and confidentiality (who may read it)"},
        {"trusted, untrusted",
         "untrusted: a stranger may have written it, and may have meant the agent"},
        {"public, private", "private: not everybody may read it"},
        {"readers", "who may read it; where two meet, only those whom both name"},
        {"marker",
         "a name for something private whose readers nobody told: github:acme/payroll, or "
         "github#8 for what came in at step 8"},
        {"claim", "what a server says of its own result; none is not the same as false"},
        {"claimed", "a label that rests on a claim alone"},
        {"verified", "a claim whose evidence was derived again here, and agrees"},
        {"assumed", "a label or an audience that nobody stated: the policy takes it so"},
        {"consequential", "a call that changes something"},
        {"egress",
         "a call or a link that sends something out; its audience is who can read it then"},
        {"P-T", "trusted action: a consequential call needs a trusted context"},
        {"P-F", "permitted flow: what is sent may go only to those who may read the whole context"},
        {"verdict", "what the policy says of a call: allow, ask or deny; it is no event"},
        {"carried out", "what happened afterwards, where the record tells: a result came"},
        {"evidence", "a record that a label refers to by its digest"},
        {"recomputed", "the record held here hashes to that digest"},
        {"digest_mismatch", "it hashes to something else: changed, or hashed in another way"},
        {"canonicalization_…",
         "…mismatch: it hashes to that digest only in the other canonical form"},
        {"unresolved_ref",
         "the record is not held here, so that nothing can be checked; the same is "
         "unresolvable_digest_only, where only a digest is given"},
        {"exact, folded", "folded: the same text but for case and spaces; percent, base64, hex, "
                          "json-escape: after decoding it"},
        {"hints", "readOnlyHint and the like: what a tool's definition says of the tool"},
        {"TA.untrusted", "rules whose names begin with TA: trust annotations of the result"},
        {"IFC.integrity",
         "rules whose names begin with IFC: labels that the result carries itself"},
        {"additive, fides",
         "policies: additive counts only what is claimed; fides also takes data from "
         "outside for untrusted; `strandline policy list` says what the others ask"},
    };
    doc_line(doc, 0);
    doc_ours(doc, STYLE_STRONG, "What the words mean");
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        doc_line(doc, 2);
        doc_oursf(doc, STYLE_KEY, "%-20s ", words[i].word);
        doc_ours(doc, STYLE_PLAIN, words[i].meaning);
        doc_hang(doc, 23);
    }
    doc_line(doc, 0);
}

static void add_filter_words(struct doc *doc)
{
    static const struct {
        const char *word, *meaning;
    } words[] = {
        {"tool:send_*  server:git*", "names, with * and ?"},
        {"kind:tool_call",
         "prompt, assistant, tool_call, tool_result, definitions, resource and so on"},
        {"label:untrusted", "untrusted, trusted, private, public or none: of what came in"},
        {"context:private", "the same words: of the context after the step"},
        {"origin:assumed", "none, claimed, verified or assumed"},
        {"verdict:deny", "allow, ask or deny"},
        {"finding:high", "a severity, that or worse; or a code, finding:PT01"},
        {"evidence:bad", "any, ok, bad, or a verdict word"},
        {"digest:sha256:…", "of a reference to evidence, or of a tool's definition"},
        {"is:error",
         "error, truncated, redacted, sidechain, change, completed, failed, refused, unanswered"},
        {"since:2026-05-26", "and before: with a date or a time"},
        {"words  \"some words\"  /regex/", "text of the step, in any case"},
        {"-tool:get_*  verdict:ask,deny",
         "- in front: not; a comma: one of these; all words must hold"},
    };
    doc_line(doc, 0);
    doc_ours(doc, STYLE_STRONG, "Words of a filter (&)");
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        doc_line(doc, 2);
        doc_oursf(doc, STYLE_KEY, "%-31s ", words[i].word);
        doc_ours(doc, STYLE_PLAIN, words[i].meaning);
    }
    doc_line(doc, 0);
}

static bool help_open(struct view *v, struct explorer *x)
{
    struct help_state *s = v->state;
    doc_init(&s->doc);
    doc_line(&s->doc, 0);
    doc_ours(&s->doc, STYLE_DIM,
             "/ searches this help, Enter runs the line under the cursor, q goes back.");
    doc_line(&s->doc, 0);
    add_questions(&s->doc, &x->config.keys);
    add_signs(&s->doc);
    add_actions(&s->doc, &x->config.keys);
    add_glossary(&s->doc);
    add_filter_words(&s->doc);
    doc_line(&s->doc, 0);
    doc_ours(
        &s->doc, STYLE_DIM,
        "Keys and colours of your own: strandline/explorer.conf in your configuration folder, with "
        "lines like `key why w F6` and `colour untrusted 208 - bold`.");
    doc_line(&s->doc, 0);
    doc_view_reset(&s->view, &s->doc);
    while (s->view.cursor + 1 < s->doc.lines && !s->doc.line[s->view.cursor].step)
        s->view.cursor++; /* the first line that does something */
    return true;
}

static void help_close(struct view *v)
{
    struct help_state *s = v->state;
    doc_finish(&s->doc);
    buf_finish(&s->needle);
}

static void help_draw(struct view *v, struct area area)
{
    struct help_state *s = v->state;
    s->view.needle = buf_span(&s->needle);
    area = explorer_title(v->explorer, area, "Help");
    doc_view_draw(&s->view, area_sub(area, 1, 2, area.rows - 1, area.columns - 4), true);
}

static bool help_find(struct view *v, struct span needle, bool again, bool forward)
{
    struct help_state *s = v->state;
    size_t line = s->view.cursor + (again ? (forward ? 1 : SIZE_MAX) : 0);
    if (!again) {
        buf_clear(&s->needle);
        buf_add(&s->needle, needle);
    }
    if (doc_find(&s->doc, buf_span(&s->needle), line, forward, &line) ||
        doc_find(&s->doc, buf_span(&s->needle), forward ? 0 : s->doc.lines - 1, forward, &line))
        s->view.cursor = line;
    else if (s->needle.len)
        explorer_say(v->explorer, STYLE_UNKNOWN, "no hits in the help");
    return true;
}

static unsigned help_act(struct view *v, enum action action)
{
    struct help_state *s = v->state;
    struct explorer *x = v->explorer;
    switch (action) {
    case ACTION_SEARCH:
        explorer_ask_search(x);
        return VIEW_REDRAW;
    case ACTION_SEARCH_NEXT:
    case ACTION_SEARCH_PREVIOUS:
        help_find(v, SPAN_EMPTY, true, action == ACTION_SEARCH_NEXT);
        return VIEW_REDRAW;
    case ACTION_HELP:
        return VIEW_CLOSE | VIEW_REDRAW;
    case ACTION_OPEN: {
        int64_t chosen = doc_view_step(&s->view);
        if (!chosen)
            return VIEW_HANDLED;
        explorer_act(x, ACTION_BACK); /* this screen is gone from here on */
        explorer_act(x, (enum action)chosen);
        return VIEW_REDRAW;
    }
    default:
        return doc_view_act(&s->view, action) ? VIEW_REDRAW : VIEW_IGNORED;
    }
}

static const struct hint *help_hints(const struct view *v)
{
    static const struct hint hints[] = {
        {ACTION_SEARCH, "search"}, {ACTION_SEARCH_NEXT, "next hit"}, {ACTION_OPEN, "do it"}, {0}};
    static const struct hint reading[] = {
        {ACTION_SEARCH, "search"}, {ACTION_SEARCH_NEXT, "next hit"}, {0}};
    const struct help_state *s = v->state;
    return doc_view_step(&s->view) ? hints : reading;
}

const struct view_ops view_help = {
    .name = "help",
    .title = "Help",
    .of_case = true,
    .size = sizeof(struct help_state),
    .open = help_open,
    .close = help_close,
    .draw = help_draw,
    .act = help_act,
    .find = help_find,
    .hints = help_hints,
};
