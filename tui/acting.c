/* What actions do on every screen, and what keys mean: an action, a letter of a mark, or text of
 * the prompt. */
#include <string.h>

#include "base/ascii.h"
#include "base/attr.h"
#include "base/text.h"
#include "tui/doc.h"
#include "tui/explorer_internal.h"

/* ---- marks ---- */

/* "from step 3 to which mark? a 12  b 40": what there is to choose from. */
static void list_marks(struct explorer *x)
{
    struct arena arena = {0};
    struct note_view *notes;
    size_t count = 0;
    struct err err = {0};
    if (notes_list(x->options.case_file, x->session->id, 0, &arena, &notes, &count, &err))
        for (size_t i = 0; i < count; i++)
            if (notes[i].mark)
                buf_addf(&x->message, "  %c: %lld", notes[i].mark, (long long)notes[i].n);
    arena_finish(&arena);
}

static void await(struct explorer *x, enum awaiting what)
{
    x->awaiting = what;
    explorer_say(x, STYLE_PLAIN,
                 what == AWAIT_MARK ? "mark step %lld with which letter?"
                                    : "from step %lld to which mark? '' goes back",
                 (long long)x->n);
    if (what == AWAIT_JUMP)
        list_marks(x);
}

static void set_mark(struct explorer *x, char letter)
{
    struct err err = {0};
    if (!mark_set(x->options.case_file, x->session->id, letter, x->n, &err)) {
        explorer_fail(x, &err);
        return;
    }
    x->notes_version++;
    explorer_say(x, STYLE_GOOD, "step %lld is marked %c; '%c comes back here", (long long)x->n,
                 letter, letter);
}

static void jump_to_mark(struct explorer *x, char letter)
{
    struct err err = {0};
    int64_t n = 0;
    if (letter == '\'') {
        explorer_goto(x, x->before_jump);
    } else if (!mark_find(x->options.case_file, x->session->id, letter, &n, &err)) {
        explorer_fail(x, &err);
    } else if (!n) {
        explorer_say(x, STYLE_UNKNOWN, "no step is marked %c; m marks one", letter);
    } else {
        explorer_goto(x, n);
    }
}

void awaited(struct explorer *x, struct key key)
{
    enum awaiting what = x->awaiting;
    x->awaiting = AWAIT_KEY;
    buf_clear(&x->message);
    bool letter = (key.code >= 'a' && key.code <= 'z') || (key.code >= 'A' && key.code <= 'Z');
    if (!x->session || (!letter && !(what == AWAIT_JUMP && key.code == '\'')))
        explorer_say(x, STYLE_PLAIN, "a mark is a letter");
    else if (what == AWAIT_MARK)
        set_mark(x, (char)key.code);
    else
        jump_to_mark(x, (char)key.code);
}

void explorer_copy(struct explorer *x, struct span text)
{
    if (!x->copy)
        explorer_say(x, STYLE_UNKNOWN, "there is no terminal to copy with");
    else if (x->copy(x->terminal, text))
        explorer_say(x, STYLE_PLAIN,
                     "sent %zu bytes to the terminal for its clipboard; it does not say whether it "
                     "took them",
                     text.len);
    else
        explorer_say(x, STYLE_UNKNOWN,
                     "not sent: %zu bytes are more than terminals take; Tab and y copy one line",
                     text.len);
}

void explorer_copy_path(struct explorer *x, const struct doc_view *view)
{
    struct buf path = {0}, said = {0};
    if (!doc_line_path(view->doc, view->cursor, &path)) {
        explorer_say(x, STYLE_UNKNOWN, "the line under the cursor stands in no JSON");
        return;
    }
    explorer_copy(x, buf_span(&path));
    buf_add(&said, buf_span(&x->message));
    explorer_say(x, x->message_style, "%s", "");
    explorer_say_data(x, buf_span(&path));
    buf_addf(&x->message, ": %s", buf_cstr(&said));
    buf_finish(&path);
    buf_finish(&said);
}

/* To the next or the previous one of a kind; false: not such a jump. */
static bool jump_along(struct explorer *x, enum action action)
{
    static const struct {
        enum action action;
        enum review_mark what;
        bool forward;
        const char *none;
    } jumps[] = {
        {ACTION_NEXT_VIOLATION, MARK_VIOLATION, true, "no call below is denied or asked about"},
        {ACTION_PREVIOUS_VIOLATION, MARK_VIOLATION, false,
         "no call above is denied or asked about"},
        {ACTION_NEXT_CHANGE, MARK_LABEL_CHANGE, true, "the context's label does not change below"},
        {ACTION_PREVIOUS_CHANGE, MARK_LABEL_CHANGE, false,
         "the context's label does not change above"},
        {ACTION_NEXT_FINDING, MARK_FINDING, true, "no finding below"},
        {ACTION_PREVIOUS_FINDING, MARK_FINDING, false, "no finding above"},
    };
    for (size_t i = 0; i < COUNT_OF(jumps); i++) {
        if (jumps[i].action != action)
            continue;
        struct err err = {0};
        int64_t n = 0;
        if (!review_next(x->review, jumps[i].what, x->n, jumps[i].forward, &n, &err))
            explorer_fail(x, &err);
        else if (!n)
            explorer_say(x, STYLE_UNKNOWN, "%s", jumps[i].none);
        else
            explorer_goto(x, n);
        return true;
    }
    return false;
}

static void goto_first(struct explorer *x, int64_t n, const char *never)
{
    if (n > 0)
        explorer_goto(x, n);
    else
        explorer_say(x, STYLE_PLAIN, "the context never turns %s in this session", never);
}

/* Jumps, which every screen has; false: not one of them. */
static bool jump(struct explorer *x, enum action action)
{
    switch (action) {
    case ACTION_FIRST_UNTRUSTED:
        goto_first(x, x->summary.first_untrusted, "untrusted");
        return true;
    case ACTION_FIRST_PRIVATE:
        goto_first(x, x->summary.first_private, "private");
        return true;
    case ACTION_BACKWARD:
    case ACTION_FORWARD:
        explorer_retrace(x, action == ACTION_FORWARD);
        return true;
    default:
        return jump_along(x, action);
    }
}

static unsigned back_or_stay(struct explorer *x);

/* One thing at a time: the search, its hits, then the screen. It never leaves the program. */
static unsigned escape(struct explorer *x)
{
    if (explorer_stop_opening(x)) {
        explorer_say(x, STYLE_PLAIN, "stopped; what was there before is still there");
    } else if (x->search.running) {
        search_stop(x);
        explorer_say(x, STYLE_PLAIN, "the search was stopped; n goes on with it");
    } else if (x->search.text.len) {
        search_start(x, SPAN_EMPTY, false);
    } else {
        return back_or_stay(x);
    }
    return VIEW_REDRAW;
}

static unsigned acting_back(struct explorer *x)
{
    search_stop(x);
    if (x->depth > 1) {
        explorer_pop(x);
        return VIEW_REDRAW;
    }
    return VIEW_QUIT;
}

static unsigned cancel(struct explorer *x)
{
    if (x->cancelled)
        return VIEW_QUIT;
    x->cancelled = true;
    search_stop(x);
    explorer_say(x, STYLE_PLAIN, "C-c again leaves the program");
    return VIEW_REDRAW;
}

void explorer_ask_search(struct explorer *x)
{
    x->search.origin = x->n; /* where Esc goes back to */
    buf_clear(&x->search.before);
    buf_add(&x->search.before, buf_span(&x->search.text));
    prompt_open(&x->prompt, PROMPT_SEARCH, SPAN_EMPTY);
}

static void ask_for_filter(struct explorer *x)
{
    prompt_open(&x->prompt, PROMPT_FILTER, buf_span(&x->matches.text));
    x->matches.origin = x->n;
    buf_clear(&x->matches.before);
    if (x->matches.on)
        buf_add(&x->matches.before, buf_span(&x->matches.text));
}

/* Actions that look for something in the session; false: not one of them. */
static bool find(struct explorer *x, enum action action)
{
    switch (action) {
    case ACTION_SEARCH:
        explorer_ask_search(x);
        return true;
    case ACTION_SEARCH_NEXT:
    case ACTION_SEARCH_PREVIOUS:
        search_again(x, action == ACTION_SEARCH_NEXT);
        return true;
    case ACTION_FILTER:
        ask_for_filter(x);
        return true;
    case ACTION_FILTER_TOGGLE:
        x->matches.on = !x->matches.on && x->matches.filter;
        explorer_say(x, STYLE_PLAIN, "%s",
                     x->matches.on       ? "the filter is on again"
                     : x->matches.filter ? "the filter is off for now; * switches it on again"
                                         : "there is no filter; & makes one");
        return true;
    case ACTION_SORT:
        explorer_say(x, STYLE_PLAIN,
                     "steps stand as they were recorded; s and then r sorts sessions");
        return true;
    default:
        return false;
    }
}

/* What an action opens, and whether that is about the open session. Jumps, and what looks for
 * something, always are; what isn't here is about any screen. */
static const struct {
    const struct view_ops *screen;
    bool of_session;
} opens[ACTION_COUNT] = {
    [ACTION_GOTO] = {NULL, true},
    [ACTION_MARK] = {NULL, true},
    [ACTION_JUMP] = {NULL, true},
    [ACTION_NOTE] = {NULL, true},
    [ACTION_NOTEBOOK] = {&view_notebook, true},
    [ACTION_EDIT] = {NULL, true},
    [ACTION_DELETE] = {NULL, true},
    [ACTION_REPORT] = {&view_report, false},
    [ACTION_WHY] = {&view_why, true},
    [ACTION_FINDINGS] = {&view_findings, true},
    [ACTION_EVIDENCE] = {&view_evidence, true},
    [ACTION_RECORD] = {&view_record, false},
    [ACTION_EGRESS] = {&view_egress, true},
    [ACTION_TOOLS] = {&view_tools, true},
    [ACTION_WHATIF] = {&view_whatif, true},
    [ACTION_POLICY] = {NULL, true},
    [ACTION_RELABEL] = {NULL, true},
    [ACTION_DROP] = {NULL, true},
    [ACTION_UNDO] = {NULL, true},
    [ACTION_DIFF] = {&view_diff, true},
    [ACTION_ELSEWHERE] = {&view_elsewhere, true},
    [ACTION_LESSON] = {&view_lesson, true},
    [ACTION_STEPS] = {NULL, true},
    [ACTION_SESSIONS] = {&view_sessions, false},
    [ACTION_HELP] = {&view_help, false},
};

bool needs_session(enum action action)
{
    enum action_group group = action_info(action)->group;
    return group == GROUP_JUMP || (group == GROUP_FIND && action != ACTION_SEARCH_CASE) ||
           opens[action].of_session;
}

/* What is done to the selected step, or to the session, without a screen of its own. */
static void act_on_session(struct explorer *x, enum action action)
{
    struct prompt *p = &x->prompt;
    switch (action) {
    case ACTION_GOTO:
        prompt_open(p, PROMPT_GOTO, SPAN_EMPTY);
        return;
    case ACTION_STEPS:
        explorer_goto(x, x->n);
        return;
    case ACTION_MARK:
        await(x, AWAIT_MARK);
        return;
    case ACTION_JUMP:
        await(x, AWAIT_JUMP);
        return;
    case ACTION_NOTE:
        x->note_edited = 0;
        prompt_open(p, PROMPT_NOTE, SPAN_EMPTY);
        return;
    case ACTION_EDIT:
    case ACTION_DELETE:
        explorer_say(x, STYLE_PLAIN, "a note is edited and deleted on the screen of notes: %.*s",
                     SPAN_ARG(keymap_first(&x->config.keys, ACTION_NOTEBOOK)));
        return;
    case ACTION_POLICY:
        prompt_open(p, PROMPT_POLICY, SPAN_EMPTY);
        return;
    case ACTION_RELABEL:
        prompt_suggest(p, PROMPT_LABEL, explorer_other_label(x));
        return;
    case ACTION_DROP:
        explorer_suppose(x, CHANGE_DROP, SPAN_EMPTY);
        return;
    case ACTION_UNDO:
        explorer_say(x, STYLE_PLAIN, "there is nothing to undo here");
        return;
    default:
        return;
    }
}

/* A question to begin with: the steps of the open session. */
static void ask_for_sql(struct explorer *x)
{
    struct buf query = {0};
    buf_puts(&query, "SELECT session_id, step, server, tool, verdict FROM v_step");
    if (x->session)
        buf_addf(&query, " WHERE session_id = %lld", (long long)x->session->id);
    buf_puts(&query, " ORDER BY step");
    prompt_open(&x->prompt, PROMPT_SQL, buf_span(&query));
    buf_finish(&query);
}

static void toggle_mouse(struct explorer *x)
{
    if (!x->mouse)
        explorer_say(x, STYLE_UNKNOWN, "there is no terminal with a mouse");
    else
        explorer_say(x, STYLE_PLAIN, "%s",
                     x->mouse(x->terminal)
                         ? "click and wheel work here; M gives them back to the terminal"
                         : "the mouse is the terminal's again");
}

/* What holds on every screen. */
static unsigned act_everywhere(struct explorer *x, enum action action)
{
    bool of_session = needs_session(action);
    if (of_session || opens[action].screen) {
        if (of_session && !x->review)
            explorer_say(x, STYLE_UNKNOWN, "open a session first: Enter");
        else if (opens[action].screen)
            explorer_push(x, opens[action].screen);
        else if (!jump(x, action) && !find(x, action))
            act_on_session(x, action);
        return VIEW_REDRAW;
    }
    switch (action) {
    case ACTION_ESCAPE:
        return escape(x);
    case ACTION_BACK:
        return acting_back(x);
    case ACTION_QUIT:
        return VIEW_QUIT;
    case ACTION_CANCEL:
        return cancel(x);
    case ACTION_COMMAND:
        prompt_open(&x->prompt, PROMPT_COMMAND, SPAN_EMPTY);
        return VIEW_REDRAW;
    case ACTION_SQL:
        ask_for_sql(x);
        return VIEW_REDRAW;
    case ACTION_SEARCH_CASE:
        prompt_suggest(&x->prompt, PROMPT_CASE, buf_span(&x->case_search));
        return VIEW_REDRAW;
    case ACTION_MOUSE:
        toggle_mouse(x);
        return VIEW_REDRAW;
    case ACTION_COPY_PATH:
        explorer_say(x, STYLE_PLAIN, "that is of JSON: %.*s leads into it, where there is some",
                     SPAN_ARG(keymap_first(&x->config.keys, ACTION_NEXT_PANE)));
        return VIEW_REDRAW;
    case ACTION_REDRAW:
        if (x->redraw)
            x->redraw(x->terminal);
        return VIEW_REDRAW;
    case ACTION_SUSPEND:
        if (x->suspend)
            x->suspend(x->terminal);
        return VIEW_REDRAW;
    default:
        return VIEW_IGNORED;
    }
}

/* Asks the screen first whether it has something to leave. Not out of the program. */
static unsigned back_or_stay(struct explorer *x)
{
    struct view *v = explorer_top(x);
    unsigned result = v && v->ops->act ? v->ops->act(v, ACTION_BACK) : VIEW_IGNORED;
    if (result == VIEW_IGNORED && x->depth < 2) {
        explorer_say(x, STYLE_PLAIN, "q leaves the program");
        return VIEW_REDRAW;
    }
    return result == VIEW_IGNORED ? acting_back(x) : result;
}

unsigned explorer_act(struct explorer *x, enum action action)
{
    struct view *v = explorer_top(x);
    x->stepped = false;
    unsigned result = v && v->ops->act ? v->ops->act(v, action) : VIEW_IGNORED;
    if (result == VIEW_IGNORED)
        result = act_everywhere(x, action);
    if ((result & VIEW_CLOSE) && x->depth > 1)
        explorer_pop(x);
    else if (result & VIEW_CLOSE)
        result |= VIEW_QUIT;
    x->quit |= (result & VIEW_QUIT) != 0;
    return result;
}

/* ---- keys and scripts ---- */

bool explorer_key(struct explorer *x, struct key key)
{
    if (x->prompt.kind != PROMPT_NONE)
        return prompt_takes(x, key);
    if (x->awaiting != AWAIT_KEY) {
        awaited(x, key);
        return true;
    }
    enum action action = keymap_action(&x->config.keys, key);
    if (action != ACTION_CANCEL)
        x->cancelled = false;
    buf_clear(&x->message);
    if (action == ACTION_NONE) {
        struct buf name = {0};
        key_put_name(key, &name);
        explorer_say(x, STYLE_UNKNOWN, "no action on this key (? shows all keys): ");
        explorer_say_data(x, buf_span(&name));
        buf_finish(&name);
        return true;
    }
    explorer_act(x, action);
    return !x->quit;
}

void explorer_mouse(struct explorer *x, enum mouse_what what, int row, int column)
{
    enum { WHEEL = 3 }; /* lines a notch */
    struct view *v = explorer_top(x);
    if (x->prompt.kind != PROMPT_NONE || x->awaiting != AWAIT_KEY)
        return;
    if (what == MOUSE_DROP) {
        if (v && v->ops->drop)
            v->ops->drop(v, row, column);
        return;
    }
    buf_clear(&x->message);
    if (what != MOUSE_CLICK)
        for (int i = 0; i < WHEEL; i++)
            explorer_act(x, what == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
    else if (v && v->ops->click)
        v->ops->click(v, row, column);
}

static bool type_text(struct explorer *x, struct span text)
{
    uint32_t code;
    size_t length;
    bool on = true;
    while (on && (length = utf8_decode(text, &code)) > 0) {
        on = explorer_key(x, KEY_OF(code));
        text = span_sub(text, length, text.len);
    }
    return on;
}

/* Letter by letter it would do what nobody meant. */
static bool no_such_key(struct explorer *x, struct span word)
{
    explorer_say(x, STYLE_ERROR, "no key is called ");
    explorer_say_data(x, word);
    buf_puts(&x->message, "; write keys by their names with a blank between, as in: v w Down");
    return true;
}

bool explorer_line(struct explorer *x, struct span line)
{
    line = span_trim(line);
    if (line.len > 1 &&
        ascii_is_one_of(line.at[0], ":/&")) { /* a prompt, what is typed into it, and Enter */
        if (!type_text(x, span_sub(line, 0, 1)))
            return false;
        if (x->prompt.kind !=
            PROMPT_NONE) /* all of it is meant, not what was there to be corrected */
            prompt_set(&x->prompt, SPAN_EMPTY);
        return type_text(x, span_sub(line, 1, line.len)) && explorer_key(x, KEY_OF(KEYS_ENTER));
    }
    bool on = true;
    while (on && line.len) {
        size_t end = span_find_byte(line, ' ');
        struct key key;
        struct span word = span_sub(line, 0, end);
        if (key_parse(word, &key))
            on = explorer_key(x, key);
        else if (x->prompt.kind != PROMPT_NONE)
            on = type_text(x, word);
        else
            return no_such_key(x, word);
        line = span_trim(span_sub(line, end, line.len));
    }
    return on;
}
