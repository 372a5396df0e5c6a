#include "tui/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/text.h"

enum { ROWS_LEAST = 15, COLUMNS_LEAST = 60 };

/* ---- what is said on the bottom line ---- */

void explorer_say(struct explorer *x, enum style style, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_clear(&x->message);
    buf_addv(&x->message, format, args);
    va_end(args);
    x->message_style = style;
}

void explorer_say_data(struct explorer *x, struct span data)
{
    buf_add(&x->message, span_sub(data, 0, 400));
}

void explorer_fail(struct explorer *x, const struct err *err)
{
    explorer_say(x, STYLE_ERROR, "%s%s%s%s%s", err->where, err->where[0] ? ": " : "", err->what,
                 err->todo[0] ? "; " : "", err->todo);
}

/* ---- the stack of screens ---- */

struct view *explorer_top(struct explorer *x)
{
    return x->depth ? &x->stack[x->depth - 1] : NULL;
}

static void pop(struct explorer *x)
{
    struct view *v = explorer_top(x);
    if (v->ops->close)
        v->ops->close(v);
    mem_free(v->state);
    x->depth--;
}

void explorer_push(struct explorer *x, const struct view_ops *ops)
{
    struct view *top = explorer_top(x);
    if (top && top->ops == ops)
        return;
    if (x->depth == VIEW_DEPTH) {
        explorer_say(x, STYLE_UNKNOWN, "too many screens are open; q closes one");
        return;
    }
    struct view *v = &x->stack[x->depth++];
    *v = (struct view){.ops = ops, .explorer = x, .state = mem_alloc(ops->size)};
    if (ops->open && !ops->open(v, x))
        pop(x);
}

static void pop_to_flow(struct explorer *x)
{
    while (x->depth > 1 && explorer_top(x)->ops != &view_flow)
        pop(x);
    if (!explorer_top(x) || explorer_top(x)->ops != &view_flow)
        explorer_push(x, &view_flow);
}

void explorer_goto(struct explorer *x, int64_t n)
{
    if (!x->review || n < 1 || n > review_steps(x->review))
        return;
    if (x->n != n)
        x->before_jump = x->n;
    x->n = n;
    pop_to_flow(x);
}

/* ---- sessions ---- */

static void save_place(struct explorer *x)
{
    if (!x->session)
        return;
    char key[48], value[24];
    struct err err = {0};
    snprintf(key, sizeof key, "step:%lld", (long long)x->session->id);
    int length = snprintf(value, sizeof value, "%lld", (long long)x->n);
    state_save(x->options.case_file, key, (struct span){value, (size_t)length}, &err);
    snprintf(key, sizeof key, "filter:%lld", (long long)x->session->id);
    state_save(x->options.case_file, key, x->matches.on ? buf_span(&x->matches.text) : SPAN_EMPTY, &err);
}

static void load_place(struct explorer *x)
{
    char key[48];
    struct err err = {0};
    struct arena arena = {0};
    struct span value = SPAN_EMPTY;
    unsigned long long n = 0;
    snprintf(key, sizeof key, "step:%lld", (long long)x->session->id);
    if (state_load(x->options.case_file, key, &arena, &value, &err) && span_to_u64(value, &n) &&
        n >= 1 && n <= (unsigned long long)review_steps(x->review))
        x->n = (int64_t)n;
    snprintf(key, sizeof key, "filter:%lld", (long long)x->session->id);
    if (state_load(x->options.case_file, key, &arena, &value, &err) && value.len) {
        matches_set(x, value);
        explorer_say(x, STYLE_UNKNOWN, "the filter of last time is on (* switches it off): ");
        explorer_say_data(x, value);
    }
    arena_finish(&arena);
}

static void close_session(struct explorer *x)
{
    save_place(x);
    find_finish(x);
    review_close(x->review);
    x->review = NULL;
    x->session = NULL;
    x->n = x->before_jump = 0;
}

static bool show_progress(void *arg, int64_t done, int64_t total)
{
    struct explorer *x = arg;
    explorer_say(x, STYLE_DIM, "replaying: %lld of %lld steps; Esc stops", (long long)done, (long long)total);
    return !x->interrupted || !x->interrupted(x->terminal);
}

bool explorer_open_session(struct explorer *x, const struct session_view *session)
{
    struct err err = {0};
    if (x->session == session)
        return true;
    struct review *review = review_open(x->options.case_file, session->id, x->options.policy, false,
                                        show_progress, x, &err);
    if (!review) {
        explorer_fail(x, &err);
        return false;
    }
    close_session(x);
    buf_clear(&x->message);
    x->review = review;
    x->session = session;
    x->n = review_steps(review) > 0 ? 1 : 0;
    if (!review_summary(review, &x->summary, &err))
        explorer_fail(x, &err);
    load_place(x);
    return true;
}

struct explorer *explorer_create(const struct explorer_options *options, struct err *err)
{
    struct explorer *x = NEW(struct explorer);
    x->options = *options;
    cells_init(&x->grid, options->rows > 0 ? options->rows : 36,
               options->columns > 0 ? options->columns : 120, options->ascii);
    if (!query_sessions(options->case_file, options->policy, &x->arena, &x->sessions,
                        &x->session_count, err)) {
        explorer_destroy(x);
        return NULL;
    }
    const struct session_view *first = NULL;
    for (size_t i = 0; i < x->session_count; i++)
        if (x->sessions[i].id == options->session || (!options->session && x->session_count == 1))
            first = &x->sessions[i];
    if (!first) {
        explorer_push(x, &view_sessions);
    } else if (explorer_open_session(x, first)) {
        if (options->step > 0 && options->step <= review_steps(x->review))
            x->n = options->step;
        explorer_push(x, &view_flow);
    } else {
        explorer_push(x, &view_sessions);
    }
    return x;
}

void explorer_destroy(struct explorer *x)
{
    if (!x)
        return;
    while (x->depth)
        pop(x);
    close_session(x);
    prompt_finish(&x->prompt);
    buf_finish(&x->message);
    arena_finish(&x->arena);
    cells_finish(&x->grid);
    mem_free(x);
}

void explorer_resize(struct explorer *x, int rows, int columns)
{
    if (rows != x->grid.rows || columns != x->grid.columns)
        cells_resize(&x->grid, rows, columns);
}

/* ---- keys ---- */

static void await(struct explorer *x, enum awaiting what)
{
    x->awaiting = what;
    explorer_say(x, STYLE_PLAIN, what == AWAIT_MARK
                     ? "mark step %lld with which letter?" : "from step %lld to which mark? '' goes back",
                 (long long)x->n);
}

static void set_mark(struct explorer *x, char letter)
{
    struct err err = {0};
    if (!mark_set(x->options.case_file, x->session->id, letter, x->n, &err)) {
        explorer_fail(x, &err);
        return;
    }
    x->notes_version++;
    explorer_say(x, STYLE_GOOD, "step %lld is marked %c; '%c comes back here", (long long)x->n, letter, letter);
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

static void awaited(struct explorer *x, struct key key)
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
        explorer_say(x, STYLE_GOOD, "sent %zu bytes to the terminal's clipboard", text.len);
    else
        explorer_say(x, STYLE_UNKNOWN, "too long to copy: %zu bytes", text.len);
}

/* Jumps that every screen has. */
static bool jump(struct explorer *x, enum action action)
{
    static const struct {
        enum action action;
        enum review_mark what;
        bool forward;
        const char *none;
    } jumps[] = {
        {ACTION_NEXT_VIOLATION, MARK_VIOLATION, true, "no call below is denied or asked about"},
        {ACTION_PREVIOUS_VIOLATION, MARK_VIOLATION, false, "no call above is denied or asked about"},
        {ACTION_NEXT_CHANGE, MARK_LABEL_CHANGE, true, "the context's label does not change below"},
        {ACTION_PREVIOUS_CHANGE, MARK_LABEL_CHANGE, false, "the context's label does not change above"},
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

static unsigned back(struct explorer *x)
{
    if (x->search.running) {
        search_stop(x);
        explorer_say(x, STYLE_PLAIN, "the search was stopped");
        return VIEW_REDRAW;
    }
    if (x->depth > 1) {
        pop(x);
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

/* Actions that need an open session; false: not one of them. */
static bool act_on_session(struct explorer *x, enum action action)
{
    struct prompt *p = &x->prompt;
    switch (action) {
    case ACTION_FIRST_UNTRUSTED: goto_first(x, x->summary.first_untrusted, "untrusted"); return true;
    case ACTION_FIRST_PRIVATE: goto_first(x, x->summary.first_private, "private"); return true;
    case ACTION_SEARCH: prompt_open(p, PROMPT_SEARCH, SPAN_EMPTY); return true;
    case ACTION_SEARCH_NEXT: search_again(x, true); return true;
    case ACTION_SEARCH_PREVIOUS: search_again(x, false); return true;
    case ACTION_FILTER: prompt_open(p, PROMPT_FILTER, buf_span(&x->matches.text)); return true;
    case ACTION_FILTER_TOGGLE:
        x->matches.on = !x->matches.on && x->matches.filter;
        explorer_say(x, STYLE_PLAIN, "%s", x->matches.on ? "the filter is on again"
                     : x->matches.filter ? "the filter is off for now; * switches it on again"
                                         : "there is no filter; & makes one");
        return true;
    case ACTION_MARK: await(x, AWAIT_MARK); return true;
    case ACTION_JUMP: await(x, AWAIT_JUMP); return true;
    case ACTION_NOTE: prompt_open(p, PROMPT_NOTE, SPAN_EMPTY); return true;
    case ACTION_GOTO: prompt_open(p, PROMPT_GOTO, SPAN_EMPTY); return true;
    case ACTION_WHY: explorer_push(x, &view_why); return true;
    case ACTION_FINDINGS: explorer_push(x, &view_findings); return true;
    case ACTION_EVIDENCE: explorer_push(x, &view_evidence); return true;
    default: return jump(x, action);
    }
}

static bool needs_session(enum action action)
{
    enum action_group group = action_info(action)->group;
    return group == GROUP_JUMP || group == GROUP_FIND || action == ACTION_MARK || action == ACTION_JUMP ||
           action == ACTION_NOTE || action == ACTION_GOTO || action == ACTION_WHY ||
           action == ACTION_FINDINGS || action == ACTION_EVIDENCE;
}

/* What holds on every screen. */
static unsigned act_everywhere(struct explorer *x, enum action action)
{
    if (needs_session(action)) {
        if (!x->review)
            explorer_say(x, STYLE_UNKNOWN, "open a session first: Enter");
        else
            act_on_session(x, action);
        return VIEW_REDRAW;
    }
    switch (action) {
    case ACTION_BACK: return back(x);
    case ACTION_QUIT: return VIEW_QUIT;
    case ACTION_CANCEL: return cancel(x);
    case ACTION_SESSIONS: explorer_push(x, &view_sessions); return VIEW_REDRAW;
    case ACTION_HELP: explorer_push(x, &view_help); return VIEW_REDRAW;
    case ACTION_COMMAND: prompt_open(&x->prompt, PROMPT_COMMAND, SPAN_EMPTY); return VIEW_REDRAW;
    case ACTION_REPORT:
        if (x->options.report)
            prompt_open(&x->prompt, PROMPT_REPORT, SPAN("report.html"));
        else
            explorer_say(x, STYLE_UNKNOWN, "this run can't write reports; `strandline report` does");
        return VIEW_REDRAW;
    case ACTION_REDRAW:
        if (x->redraw)
            x->redraw(x->terminal);
        return VIEW_REDRAW;
    case ACTION_SUSPEND:
        if (x->suspend)
            x->suspend(x->terminal);
        return VIEW_REDRAW;
    default: return VIEW_IGNORED;
    }
}

unsigned explorer_act(struct explorer *x, enum action action)
{
    struct view *v = explorer_top(x);
    unsigned result = v && v->ops->act ? v->ops->act(v, action) : VIEW_IGNORED;
    if (result == VIEW_IGNORED)
        result = act_everywhere(x, action);
    if ((result & VIEW_CLOSE) && x->depth > 1)
        pop(x);
    else if (result & VIEW_CLOSE)
        result |= VIEW_QUIT;
    x->quit |= (result & VIEW_QUIT) != 0;
    return result;
}

/* ---- the prompt ---- */

static void prompt_accept(struct explorer *x);

static void search_typed(struct explorer *x)
{
    struct view *v = explorer_top(x);
    struct span text = buf_span(&x->prompt.text);
    if (v && v->ops->find && v->ops->find(v, text, false, true))
        return;
    buf_clear(&x->search.text);
    buf_add(&x->search.text, text);
}

static void prompt_typed(struct explorer *x)
{
    if (x->prompt.kind == PROMPT_SEARCH)
        search_typed(x);
    else if (x->prompt.kind == PROMPT_FILTER)
        matches_set(x, buf_span(&x->prompt.text));
}

/* Tab: the next action whose name begins with what was typed. */
static void complete(struct explorer *x)
{
    struct prompt *p = &x->prompt;
    enum action match = action_complete(buf_span(&p->text), 0);
    enum action exact = action_of_name(buf_span(&p->text));
    if (p->kind != PROMPT_COMMAND || match == ACTION_NONE)
        return;
    if (exact != ACTION_NONE) { /* go round */
        int next = exact + 1;
        match = next < ACTION_COUNT ? (enum action)next : (enum action)1;
    }
    prompt_set(p, span_of(action_info(match)->name));
}

static bool prompt_takes(struct explorer *x, struct key key)
{
    struct prompt *p = &x->prompt;
    switch (prompt_key(p, key)) {
    case PROMPT_DONE: prompt_accept(x); break;
    case PROMPT_LEFT:
        if (p->kind == PROMPT_FILTER)
            x->matches.problem[0] = 0;
        prompt_close(p);
        break;
    case PROMPT_COMPLETE: complete(x); break;
    case PROMPT_TYPED: prompt_typed(x); break;
    case PROMPT_MOVED: break;
    }
    return !x->quit;
}

static void add_note(struct explorer *x, struct span text)
{
    struct err err = {0};
    if (!span_trim(text).len)
        return;
    if (!note_add(x->options.case_file, x->session->id, x->n, text, &err)) {
        explorer_fail(x, &err);
        return;
    }
    x->notes_version++;
    explorer_say(x, STYLE_GOOD, "noted at step %lld; tab 6 shows it", (long long)x->n);
}

static void goto_text(struct explorer *x, struct span text)
{
    unsigned long long value;
    bool percent = text.len && text.at[text.len - 1] == '%';
    if (percent)
        text.len--;
    int64_t count = review_steps(x->review);
    if (!span_to_u64(text, &value) || (percent && value > 100) || (!percent && value > (uint64_t)count) ||
        (!percent && !value)) {
        explorer_say(x, STYLE_ERROR, "a step from 1 to %lld, or a place like 50%%", (long long)count);
        return;
    }
    int64_t n = percent ? (int64_t)((double)count * (double)value / 100.0) : (int64_t)value;
    explorer_goto(x, n < 1 ? 1 : n);
}

static void write_report(struct explorer *x, struct span text)
{
    struct err err = {0};
    struct buf path = {0};
    buf_add(&path, text);
    if (!x->options.report)
        explorer_say(x, STYLE_UNKNOWN, "this run can't write reports; `strandline report` does");
    else if (x->options.report(x->options.report_arg, buf_cstr(&path), &err)) {
        explorer_say(x, STYLE_GOOD, "written: ");
        explorer_say_data(x, text);
    } else
        explorer_fail(x, &err);
    buf_finish(&path);
}

static void prompt_accept(struct explorer *x)
{
    struct prompt *p = &x->prompt;
    struct span text = buf_span(&p->text);
    struct view *v = explorer_top(x);
    enum prompt_kind kind = p->kind;
    prompt_close(p);
    switch (kind) {
    case PROMPT_COMMAND: explorer_command(x, text); break;
    case PROMPT_SEARCH:
        if (!v || !v->ops->find || !v->ops->find(v, text, false, true))
            search_start(x, text, true, false);
        break;
    case PROMPT_FILTER:
        matches_set(x, text);
        if (x->matches.problem[0])
            explorer_say(x, STYLE_ERROR, "%s; the filter stays as it was", x->matches.problem);
        break;
    case PROMPT_NOTE: add_note(x, text); break;
    case PROMPT_GOTO: goto_text(x, span_trim(text)); break;
    case PROMPT_REPORT: write_report(x, text); break;
    default: break;
    }
}

/* ---- `:` ---- */

static void save_screen(struct explorer *x, struct span name)
{
    struct buf path = {0}, text = {0};
    buf_add(&path, name);
    cells_text(explorer_frame(x), &text);
    FILE *file = name.len ? fopen(buf_cstr(&path), "wxe") : NULL;
    bool good = file && fwrite(text.at, 1, text.len, file) == text.len;
    if (file)
        good &= fclose(file) == 0;
    if (good)
        explorer_say(x, STYLE_GOOD, "this screen is in ");
    else
        explorer_say(x, STYLE_ERROR, "can't write the screen (is there such a file already?): ");
    explorer_say_data(x, name);
    buf_finish(&path);
    buf_finish(&text);
}

/* Commands that take a text of their own; false: run the plain action. */
static bool command_with_text(struct explorer *x, enum action action, struct span text)
{
    if (!text.len || (needs_session(action) && !x->review))
        return false;
    switch (action) {
    case ACTION_SEARCH: search_start(x, text, true, false); return true;
    case ACTION_FILTER: matches_set(x, text);
        if (x->matches.problem[0])
            explorer_say(x, STYLE_ERROR, "%s", x->matches.problem);
        return true;
    case ACTION_NOTE: add_note(x, text); return true;
    case ACTION_GOTO: goto_text(x, text); return true;
    case ACTION_REPORT: write_report(x, text); return true;
    case ACTION_MARK: awaited((x->awaiting = AWAIT_MARK, x), KEY_OF((unsigned char)text.at[0])); return true;
    case ACTION_JUMP: awaited((x->awaiting = AWAIT_JUMP, x), KEY_OF((unsigned char)text.at[0])); return true;
    case ACTION_SAVE_SCREEN: save_screen(x, text); return true;
    default: return false;
    }
}

void explorer_command(struct explorer *x, struct span line)
{
    line = span_trim(line);
    size_t end = span_find_byte(line, ' ');
    struct span word = span_sub(line, 0, end), text = span_trim(span_sub(line, end, line.len));
    unsigned long long n;
    if (!line.len)
        return;
    if (x->review && (span_to_u64(line, &n) || (line.len > 1 && line.at[line.len - 1] == '%'))) {
        goto_text(x, line);
        return;
    }
    enum action action = action_of_name(word);
    if (action == ACTION_NONE && span_is(word, "q"))
        action = ACTION_QUIT;
    if (action == ACTION_NONE && action_complete(word, 1) == ACTION_NONE)
        action = action_complete(word, 0); /* a beginning that only one name has */
    if (action == ACTION_NONE) {
        explorer_say(x, STYLE_ERROR, "no such command (? lists them, Tab completes): ");
        explorer_say_data(x, word);
    } else if (!command_with_text(x, action, text)) {
        explorer_act(x, action);
    }
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
    enum action action = action_of_key(key);
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

bool explorer_line(struct explorer *x, struct span line)
{
    line = span_trim(line);
    if (line.len > 1 && strchr(":/&%", line.at[0])) /* a prompt, what is typed into it, and Enter */
        return type_text(x, line) && explorer_key(x, KEY_OF(KEYS_ENTER));
    bool on = true;
    while (on && line.len) {
        size_t end = span_find_byte(line, ' ');
        struct key key;
        struct span word = span_sub(line, 0, end);
        if (key_parse(word, &key))
            on = explorer_key(x, key);
        else
            on = type_text(x, word);
        line = span_trim(span_sub(line, end, line.len));
    }
    return on;
}

bool explorer_idle(struct explorer *x)
{
    bool more = matches_slice(x);
    more |= search_slice(x);
    struct view *v = explorer_top(x);
    if (v && v->ops->idle)
        more |= v->ops->idle(v);
    return more;
}

/* ---- the frame ---- */

/* Text of ours and of data on the title line, up to `most` columns. */
static int title_data(struct area area, int column, int most, enum style style, struct span text)
{
    int room = area.columns - column;
    return cells_data(area, 0, column, style, text, most < room ? most : room);
}

/* What is known of the session as a whole, at the right end; gives the column where it begins. */
static int title_right(struct explorer *x, struct area area)
{
    const struct review_summary *s = &x->summary;
    char policy[64], good[48] = "", bad[32] = "";
    snprintf(policy, sizeof policy, " policy %s ", policy_name(x->options.policy));
    if (s->evidence_refs)
        snprintf(good, sizeof good, " evidence %lld of %lld ✔ ", (long long)s->evidence_recomputed,
                 (long long)s->evidence_refs);
    if (s->evidence_failed)
        snprintf(bad, sizeof bad, " %lld ✘ ", (long long)s->evidence_failed);
    int width = (int)(text_columns(span_of(policy), false) + text_columns(span_of(good), false) +
                      text_columns(span_of(bad), false));
    int at = area.columns - width;
    if (!x->review || at < 40)
        return area.columns;
    int column = cells_ours(area, 0, at, STYLE_TITLE_DIM, policy);
    column = cells_ours(area, 0, column, STYLE_TITLE_GOOD, good);
    cells_ours(area, 0, column, STYLE_TITLE_BAD, bad);
    return at;
}

/* "caption value", whole or not at all where there is too little room. */
static int title_field(struct area area, int column, const char *caption, struct span value)
{
    int need = (int)strlen(caption) + 8;
    if (!value.len || area.columns - column < need)
        return column;
    column = cells_ours(area, 0, column, STYLE_TITLE_DIM, caption);
    return title_data(area, column, 32, STYLE_TITLE, value);
}

static struct span base_name(struct span path)
{
    for (size_t i = path.len; i > 0; i--)
        if (path.at[i - 1] == '/')
            return span_sub(path, i, path.len);
    return path;
}

struct area explorer_title(struct explorer *x, struct area area, const char *screen)
{
    cells_fill(area, 0, 0, area.columns, STYLE_TITLE, " ");
    struct area left = area_sub(area, 0, 0, 1, title_right(x, area));
    struct span name = base_name(span_of(x->options.name));
    int column = title_data(left, 1, 28, STYLE_TITLE_STRONG, name);
    if (x->session) {
        if (x->session_count > 1)
            column = cells_oursf(left, 0, column, STYLE_TITLE_DIM, " ▸ %d/%zu",
                                 (int)(x->session - x->sessions) + 1, x->session_count);
        if (!span_starts_with(name, x->session->name)) {
            column = cells_ours(left, 0, column, STYLE_TITLE_DIM, " ▸ ");
            column = title_data(left, column, 24, STYLE_TITLE_STRONG, x->session->name);
        }
    }
    if (screen) {
        column = cells_ours(left, 0, column, STYLE_TITLE_DIM, " ▸ ");
        column = cells_ours(left, 0, column, STYLE_TITLE_STRONG, screen);
    }
    if (x->session) {
        column = title_field(left, column, "  servers ", x->session->servers);
        title_field(left, column, "  host ", x->session->host);
    }
    return area_sub(area, 1, 0, area.rows - 1, area.columns);
}

static void draw_hints(struct explorer *x, struct area area)
{
    static const enum action usual[] = {ACTION_HELP, ACTION_BACK, ACTION_NONE};
    struct view *v = explorer_top(x);
    const enum action *hints = v && v->ops->hints ? v->ops->hints : usual;
    int column = 1;
    for (; *hints != ACTION_NONE; hints++) {
        struct span key = action_key(*hints);
        const char *name = action_info(*hints)->name;
        if (column + (int)key.len + (int)strlen(name) + 3 > area.columns)
            return;
        column = cells_oursf(area, 0, column, STYLE_KEY, "%.*s", SPAN_ARG(key));
        column = cells_oursf(area, 0, column, STYLE_BAR, " %s   ", name);
    }
}

static void draw_filter_state(struct explorer *x, struct area area, int column)
{
    const struct matches *m = &x->matches;
    char text[ERR_TEXT + 64];
    enum style style = STYLE_DIM;
    if (m->problem[0]) {
        snprintf(text, sizeof text, "  ✘ %s", m->problem);
        style = STYLE_BAD;
    } else if (!m->filter) {
        snprintf(text, sizeof text, "  tool:send_*  server:github  label:untrusted  verdict:deny  finding:high  words");
    } else {
        snprintf(text, sizeof text, "  ✔ %zu of %lld steps%s", m->count, (long long)review_steps(x->review),
                 m->done ? "" : ", still looking");
        style = STYLE_GOOD;
    }
    cells_data_start(area, 0, column, style, span_of(text), area.columns - column);
}

/* What completion would give, as a row of names. */
static void draw_completions(struct explorer *x, struct area area, int column)
{
    enum action action;
    column += 2;
    for (size_t i = 0; (action = action_complete(buf_span(&x->prompt.text), i)) != ACTION_NONE; i++) {
        const char *name = action_info(action)->name;
        if (column + (int)strlen(name) > area.columns)
            return;
        column = cells_ours(area, 0, column, i ? STYLE_DIM : STYLE_KEY, name) + 2;
    }
}

static void draw_bottom(struct explorer *x, struct area area)
{
    static const char *const captions[PROMPT_KINDS] = {
        [PROMPT_COMMAND] = ":", [PROMPT_SEARCH] = "search: ", [PROMPT_FILTER] = "only steps with: ",
        [PROMPT_NOTE] = "note: ", [PROMPT_GOTO] = "go to step, or percent: ", [PROMPT_REPORT] = "report to file: "};
    if (x->prompt.kind != PROMPT_NONE) {
        int column = prompt_draw(&x->prompt, area, 0, captions[x->prompt.kind]);
        if (x->prompt.kind == PROMPT_FILTER)
            draw_filter_state(x, area, column);
        else if (x->prompt.kind == PROMPT_COMMAND)
            draw_completions(x, area, column);
    } else if (x->message.len) {
        cells_data_start(area, 0, 1, x->message_style, buf_span(&x->message), area.columns - 2);
    } else {
        draw_hints(x, area);
    }
}

const struct cells *explorer_frame(struct explorer *x)
{
    struct area area = area_of(&x->grid);
    cells_clear(&x->grid);
    if (area.rows < ROWS_LEAST || area.columns < COLUMNS_LEAST) {
        char text[96];
        snprintf(text, sizeof text, "%d x %d is too small: %d x %d is needed", area.columns, area.rows,
                 COLUMNS_LEAST, ROWS_LEAST);
        cells_data_start(area, area.rows / 2, 0, STYLE_PLAIN, span_of(text), area.columns);
        return &x->grid;
    }
    struct view *v = explorer_top(x);
    if (v)
        v->ops->draw(v, area_sub(area, 0, 0, area.rows - 1, area.columns));
    draw_bottom(x, area_sub(area, area.rows - 1, 0, 1, area.columns));
    return &x->grid;
}
