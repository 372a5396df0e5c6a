/* Every key, from the table of actions, and what the signs on the screen mean. Enter runs a line.
 */
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
        {"▲untrusted", STYLE_RISE_INTEGRITY, "this result's label raised the context"},
        {"+private", STYLE_PRIVATE, "this result made the context more private than it was"},
        {"no claim", STYLE_UNKNOWN,
         "the server said nothing about this result: that is not a claim of safe"},
        {"assumed", STYLE_UNKNOWN,
         "a label that the policy assumes (~ where there is little room)"},
        {" ✘ DENY ", STYLE_DENY_BADGE,
         "the policy denies this call; whether it was carried out is told beside it"},
        {"? ask", STYLE_ASK, "the policy would have asked a person first"},
        {"✔ ? ✘", STYLE_GOOD, "evidence: re-derived here; can't be checked; failed"},
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
        doc_oursf(doc, STYLE_PLAIN, "  %s", signs[i].meaning);
    }
    doc_line(doc, 2);
    doc_data(doc, STYLE_PLAIN, SPAN("\x1b"));
    doc_ours(
        doc, STYLE_PLAIN,
        "  in this colour: a hidden or control character of the data, shown instead of obeyed");
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
    doc_ours(
        &s->doc, STYLE_DIM,
        "Keys and colours of your own: strandline/explorer.conf in your configuration folder, with "
        "lines like `key why w F6` and `colour untrusted 208 - bold`.");
    doc_line(&s->doc, 0);
    add_signs(&s->doc);
    add_filter_words(&s->doc);
    add_actions(&s->doc, &x->config.keys);
    doc_view_reset(&s->view, &s->doc);
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
        int64_t chosen = s->view.cursor < s->doc.lines ? s->doc.line[s->view.cursor].step : 0;
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

static const enum action help_hints[] = {ACTION_SEARCH, ACTION_SEARCH_NEXT, ACTION_OPEN,
                                         ACTION_BACK, ACTION_NONE};

const struct view_ops view_help = {
    .name = "help",
    .title = "Help",
    .size = sizeof(struct help_state),
    .open = help_open,
    .close = help_close,
    .draw = help_draw,
    .act = help_act,
    .find = help_find,
    .hints = help_hints,
};
