/* What is typed on the bottom line: commands, searches, filters, notes. */
#include <stdio.h>
#include <string.h>

#include "tui/explorer_internal.h"

static void prompt_accept(struct explorer *x);

static void search_typed(struct explorer *x)
{
    struct view *v = explorer_top(x);
    struct span text = buf_span(&x->prompt.text);
    if (v && v->ops->find && v->ops->find(v, text, false, true))
        return;
    x->n = x->search.origin; /* each word typed is looked for from where the search began */
    buf_clear(&x->message);
    search_start(x, text, true);
}

static void sessions_filter_set(struct explorer *x, struct span text)
{
    buf_clear(&x->sessions_filter);
    buf_add(&x->sessions_filter, text);
    x->sessions_filter_on = true;
    x->sessions_filter_version++;
}

/* Esc: as if nothing had been typed. */
static void prompt_left(struct explorer *x)
{
    struct prompt *p = &x->prompt;
    if (p->kind == PROMPT_SEARCH && x->review) {
        x->n = x->search.origin;
        search_start(x, buf_span(&x->search.before), true);
        search_stop(x); /* n goes on with it */
    } else if (p->kind == PROMPT_SESSIONS) {
        sessions_filter_set(x, SPAN_EMPTY);
    } else if (p->kind == PROMPT_FILTER) {
        x->n = x->matches.origin;
        matches_set(x, buf_span(&x->matches.before));
        x->matches.problem[0] = 0;
    }
    prompt_close(p);
}

/* Whatever was shown for half of the text: the nearest match is that of where one was. */
static void filter_typed(struct explorer *x)
{
    matches_set(x, buf_span(&x->prompt.text));
    if (!x->matches.problem[0])
        x->n = x->matches.origin;
}

static void prompt_typed(struct explorer *x)
{
    if (x->prompt.kind == PROMPT_SESSIONS)
        sessions_filter_set(x, buf_span(&x->prompt.text));
    if (x->prompt.kind == PROMPT_SEARCH)
        search_typed(x);
    else if (x->prompt.kind == PROMPT_FILTER)
        filter_typed(x);
}

/* What may stand behind a command's name: the nth that begins with the text; at NULL past them. */
static struct span complete_argument(struct explorer *x, enum action action, struct span begun,
                                     size_t nth)
{
    static const char *const labels[] = {"trusted",  "untrusted",      "public",
                                         "private:", "trusted,public", "untrusted,public",
                                         "readers:"};
    static const char *const filters[] = {"tool:",           "server:",        "kind:tool_call",
                                          "label:untrusted", "label:private",  "context:untrusted",
                                          "context:private", "origin:assumed", "verdict:deny",
                                          "verdict:ask",     "finding:high",   "evidence:bad",
                                          "digest:",         "is:error"};
    size_t count = action == ACTION_POLICY    ? policy_builtin_count()
                   : action == ACTION_DIFF    ? x->session_count
                   : action == ACTION_RELABEL ? COUNT_OF(labels)
                   : action == ACTION_FILTER  ? COUNT_OF(filters)
                                              : 0;
    for (size_t i = 0; i < count; i++) {
        struct span word = action == ACTION_POLICY    ? span_of(policy_builtin_name(i))
                           : action == ACTION_DIFF    ? x->sessions[i].name
                           : action == ACTION_RELABEL ? span_of(labels[i])
                                                      : span_of(filters[i]);
        if (span_starts_with(word, begun) && nth-- == 0)
            return word;
    }
    return (struct span){0};
}

/* "policy fi": the name stays, what stands behind it is completed. True: there was something. */
static bool complete_behind(struct explorer *x, struct span stem)
{
    struct prompt *p = &x->prompt;
    size_t blank = span_find_byte(stem, ' ');
    enum action action = action_of_name(span_sub(stem, 0, blank));
    if (p->kind == PROMPT_COMMAND && (blank == stem.len || action == ACTION_NONE))
        return false;
    if (p->kind == PROMPT_POLICY)
        action = ACTION_POLICY;
    else if (p->kind == PROMPT_LABEL)
        action = ACTION_RELABEL;
    else if (p->kind == PROMPT_FILTER)
        action = ACTION_FILTER;
    size_t from = stem.len; /* only the last word of a filter is completed */
    size_t least = p->kind == PROMPT_COMMAND ? blank + 1 : 0;
    while (from > least && (action != ACTION_FILTER || stem.at[from - 1] != ' '))
        from--;
    struct span begun = span_sub(stem, from, stem.len);
    struct span word = complete_argument(x, action, begun, (size_t)++p->choice);
    if (!word.at)
        word = complete_argument(x, action, begun, (size_t)(p->choice = 0));
    if (word.at) {
        struct buf line = {0};
        buf_add(&line, span_sub(stem, 0, from));
        buf_add(&line, word);
        prompt_set(p, buf_span(&line));
        buf_finish(&line);
        prompt_typed(x);
    }
    return true;
}

/* Tab: the next thing that begins with what was typed, going round: an action's name, or what may
 * stand behind it. */
static void complete(struct explorer *x)
{
    struct prompt *p = &x->prompt;
    bool words = p->kind == PROMPT_POLICY || p->kind == PROMPT_LABEL || p->kind == PROMPT_FILTER;
    if (p->kind != PROMPT_COMMAND && !words)
        return;
    if (p->kind == PROMPT_FILTER && p->choice < 0 && !p->stem.len)
        buf_add(&p->stem, buf_span(&p->text)); /* the filter that is on, to be added to */
    if (complete_behind(x, buf_span(&p->stem)) || words)
        return;
    enum action match = action_complete(buf_span(&p->stem), (size_t)++p->choice);
    if (match == ACTION_NONE)
        match = action_complete(buf_span(&p->stem), (size_t)(p->choice = 0));
    if (match != ACTION_NONE)
        prompt_set(p, span_of(action_info(match)->name));
}

bool prompt_takes(struct explorer *x, struct key key)
{
    struct prompt *p = &x->prompt;
    switch (prompt_key(p, key)) {
    case PROMPT_DONE:
        prompt_accept(x);
        break;
    case PROMPT_LEFT:
        prompt_left(x);
        break;
    case PROMPT_COMPLETE:
        complete(x);
        break;
    case PROMPT_TYPED:
        p->choice = -1;
        buf_clear(&p->stem);
        buf_add(&p->stem, buf_span(&p->text));
        prompt_typed(x);
        break;
    case PROMPT_MOVED:
        break;
    }
    return !x->quit;
}

static void add_note(struct explorer *x, struct span text)
{
    struct err err = {0};
    if (!span_trim(text).len)
        return;
    if (x->note_edited) {
        if (!note_change(x->options.case_file, x->note_edited, text, &err))
            explorer_fail(x, &err);
        x->note_edited = 0;
        x->notes_version++;
        return;
    }
    if (!note_add(x->options.case_file, x->session->id, x->n, text, &err)) {
        explorer_fail(x, &err);
        return;
    }
    x->notes_version++;
    explorer_say(x, STYLE_GOOD, "noted at step %lld; %.*s lists all notes", (long long)x->n,
                 SPAN_ARG(keymap_first(&x->config.keys, ACTION_NOTEBOOK)));
}

/* False where there is no such place, which is said. */
static bool goto_text(struct explorer *x, struct span text)
{
    unsigned long long value;
    bool percent = text.len && text.at[text.len - 1] == '%';
    if (percent)
        text.len--;
    int64_t count = review_steps(x->review);
    if (!span_to_u64(text, &value) || (percent && value > 100) ||
        (!percent && value > (uint64_t)count) || (!percent && !value)) {
        explorer_say(x, STYLE_ERROR, "a step from 1 to %lld, or a place like 50%%",
                     (long long)count);
        return false;
    }
    int64_t n = percent ? (int64_t)((double)count * (double)value / 100.0) : (int64_t)value;
    explorer_goto(x, n < 1 ? 1 : n);
    return true;
}

static void write_report(struct explorer *x, struct span text)
{
    struct err err = {0};
    struct buf path = {0};
    buf_add(&path, text);
    if (!x->options.report)
        explorer_say(x, STYLE_UNKNOWN, "this run writes no reports; `strandline report CASE` does");
    else if (x->options.report(x->options.report_arg, x->options.policy, buf_cstr(&path), &err)) {
        explorer_say(x, STYLE_GOOD, "written: ");
        explorer_say_data(x, text);
    } else
        explorer_fail(x, &err);
    buf_finish(&path);
}

static void ask_sql(struct explorer *x, struct span query)
{
    buf_clear(&x->query);
    buf_add(&x->query, span_trim(query));
    if (!x->query.len)
        return;
    if (explorer_top(x)->ops == &view_sql) /* the next question takes the place of the last */
        explorer_pop(x);
    explorer_push(x, &view_sql);
}

static void search_case(struct explorer *x, struct span text)
{
    struct buf words = {0};
    buf_add(&words, span_trim(text));
    buf_clear(&x->case_search);
    buf_add(&x->case_search, buf_span(&words));
    buf_finish(&words);
    if (!x->case_search.len)
        return;
    if (explorer_top(x)->ops == &view_search) /* the next search takes the place of the last */
        explorer_pop(x);
    explorer_push(x, &view_search);
}

/* Enter: the hit that was previewed is the place to be; a search that still runs goes on. */
static void search_accept(struct explorer *x, struct span text)
{
    struct search *s = &x->search;
    if (!text.len) { /* the last one again */
        search_again(x, true);
        return;
    }
    if (!s->filter || !span_equal(text, buf_span(&s->text)))
        search_start(x, text, false);
    else if (!s->running && x->n != s->origin)
        explorer_leave(x, s->origin);
}

/* On the What-if screen a policy is one more thing that is supposed; elsewhere it is used. */
static void take_policy(struct explorer *x, struct span name)
{
    if (explorer_top(x)->ops != &view_whatif)
        explorer_use_policy(x, name);
    else if (name.len)
        explorer_suppose(x, CHANGE_POLICY, name);
}

static void prompt_accept(struct explorer *x)
{
    struct prompt *p = &x->prompt;
    struct span text = buf_span(&p->text);
    struct view *v = explorer_top(x);
    enum prompt_kind kind = p->kind;
    prompt_close(p);
    switch (kind) {
    case PROMPT_COMMAND:
        explorer_command(x, text);
        break;
    case PROMPT_SEARCH:
        if (!v || !v->ops->find || !v->ops->find(v, text, false, true))
            search_accept(x, text);
        break;
    case PROMPT_FILTER:
        matches_set(x, text);
        if (x->matches.problem[0]) /* stays open, to be corrected */
            p->kind = PROMPT_FILTER;
        break;
    case PROMPT_NOTE:
        add_note(x, text);
        break;
    case PROMPT_GOTO:
        goto_text(x, span_trim(text));
        break;
    case PROMPT_SQL:
        ask_sql(x, text);
        break;
    case PROMPT_CASE:
        search_case(x, text);
        break;
    case PROMPT_POLICY:
        take_policy(x, span_trim(text));
        break;
    case PROMPT_LABEL:
        if (span_trim(text).len)
            explorer_suppose(x, CHANGE_LABEL, span_trim(text));
        break;
    case PROMPT_SESSIONS:
        sessions_filter_set(x, text);
        break;
    case PROMPT_REPORT:
        write_report(x, text);
        break;
    default:
        break;
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

static void compare_with(struct explorer *x, struct span name)
{
    struct err err = {0};
    if (query_session_find(x->options.case_file, name, &x->compare_with, &err))
        explorer_push(x, &view_diff);
    else
        explorer_fail(x, &err);
}

/* "why 12", "show 12": at that step. */
static bool takes_step(enum action action)
{
    return action == ACTION_OPEN || action == ACTION_WHY || action == ACTION_DROP ||
           action == ACTION_PAIR || action == ACTION_ELSEWHERE;
}

/* Commands that take a text of their own; false: run the plain action. */
static bool command_with_text(struct explorer *x, enum action action, struct span text)
{
    if (!text.len || (needs_session(action) && !x->review))
        return false;
    switch (action) {
    case ACTION_SEARCH:
        search_start(x, text, false);
        return true;
    case ACTION_FILTER:
        matches_set(x, text);
        if (x->matches.problem[0])
            explorer_say(x, STYLE_ERROR, "%s", x->matches.problem);
        return true;
    case ACTION_NOTE:
        x->note_edited = 0;
        add_note(x, text);
        return true;
    case ACTION_GOTO:
        goto_text(x, text);
        return true;
    case ACTION_SQL:
        ask_sql(x, text);
        return true;
    case ACTION_SEARCH_CASE:
        search_case(x, text);
        return true;
    case ACTION_POLICY:
        take_policy(x, text);
        return true;
    case ACTION_DIFF:
        compare_with(x, text);
        return true;
    case ACTION_RELABEL:
        explorer_suppose(x, CHANGE_LABEL, text);
        return true;
    case ACTION_REPORT:
        write_report(x, text);
        return true;
    case ACTION_MARK:
        awaited((x->awaiting = AWAIT_MARK, x), KEY_OF((unsigned char)text.at[0]));
        return true;
    case ACTION_JUMP:
        awaited((x->awaiting = AWAIT_JUMP, x), KEY_OF((unsigned char)text.at[0]));
        return true;
    case ACTION_SAVE_SCREEN:
        save_screen(x, text);
        return true;
    default:
        if (!takes_step(action))
            explorer_say(x, STYLE_ERROR, "%s takes no words behind it", action_info(action)->name);
        else if (x->review && goto_text(x, text))
            explorer_act(x, action);
        return true;
    }
}

/* What a code means in a line. */
static void explain(struct explorer *x, struct span code)
{
    const struct finding_code *found = finding_code_find(code);
    if (found) {
        explorer_say(x, STYLE_PLAIN, "%s: %s; `strandline explain %s` tells more", found->code,
                     found->title ? found->title : "", found->code);
    } else {
        explorer_say(x, STYLE_ERROR, "explain takes the code of a finding, as PT01; no such one: ");
        explorer_say_data(x, code);
    }
}

/* What is no action here: a verb that needs no screen. */
static void command_without_action(struct explorer *x, struct span word, struct span text)
{
    if (span_is(word, "explain"))
        explain(x, text);
    else if (action_is_outside(word))
        explorer_say(x, STYLE_ERROR,
                     "%.*s works on files and has no screen: run `strandline %.*s` in a shell",
                     SPAN_ARG(word), SPAN_ARG(word));
    else {
        explorer_say(x, STYLE_ERROR, "no such command (? lists them, Tab completes): ");
        explorer_say_data(x, word);
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
        command_without_action(x, word, text);
    } else if (!command_with_text(x, action, text)) {
        explorer_act(x, action);
    }
}
