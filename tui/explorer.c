/* The explorer as a value: its stack of screens, the open session, where the reviewer was. */
#include <stdio.h>
#include <string.h>

#include "base/monotonic.h"
#include "tui/explorer_internal.h"

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

void explorer_pop(struct explorer *x)
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
        explorer_pop(x);
}

static void pop_to_flow(struct explorer *x)
{
    while (x->depth > 1 && explorer_top(x)->ops != &view_flow)
        explorer_pop(x);
    if (!explorer_top(x) || explorer_top(x)->ops != &view_flow)
        explorer_push(x, &view_flow);
}

void explorer_leave(struct explorer *x, int64_t n)
{
    struct places *p = &x->places;
    x->before_jump = n;
    p->count = p->at; /* what lay ahead is another way now */
    if (p->count == PLACES_MOST)
        memmove(p->n, p->n + 1, (size_t)--p->count * sizeof *p->n);
    if (!p->count || p->n[p->count - 1] != n)
        p->n[p->count++] = n;
    p->at = p->count;
}

static void show_step(struct explorer *x, int64_t n);

void explorer_retrace(struct explorer *x, bool forward)
{
    struct places *p = &x->places;
    if (forward ? p->at + 1 >= p->count : p->at == 0) {
        explorer_say(x, STYLE_PLAIN,
                     forward ? "this is the last place you jumped to"
                             : "there is no earlier place: this is where you began");
        return;
    }
    if (!forward && p->at == p->count)
        p->n[p->count++] = x->n; /* to come back to */
    p->at += forward ? 1 : -1;
    show_step(x, p->n[p->at]);
    explorer_say(x, STYLE_PLAIN, "place %d of %d on the way you came", p->at + 1, p->count);
}

void explorer_goto(struct explorer *x, int64_t n)
{
    if (!x->review || n < 1 || n > review_steps(x->review))
        return;
    if (x->n != n && x->n > 0)
        explorer_leave(x, x->n);
    show_step(x, n);
}

void explorer_select(struct explorer *x, int64_t n)
{
    if (!matches_has(x, n)) {
        x->matches.on = false;
        explorer_say(x, STYLE_UNKNOWN,
                     "the filter hides step %lld, so it is off; * switches it on again",
                     (long long)n);
    }
    x->n = n;
}

static void show_step(struct explorer *x, int64_t n)
{
    explorer_select(x, n);
    pop_to_flow(x);
}

/* ---- questions ---- */

static bool slice_stop(void *slice)
{
    return slice_is_over(slice);
}

static void watch(struct explorer *x)
{
    if (x->asking)
        case_watch(x->options.case_file, slice_stop, x->asking);
    else
        case_watch(x->options.case_file, x->has_key, x->terminal);
}

int explorer_ask(struct explorer *x, struct slice *slice,
                 bool (*question)(void *arg, struct err *err), void *arg, struct err *err)
{
    x->asking = x->terminal ? slice : NULL; /* without a terminal nobody waits for a key */
    x->ask_stopped = false;
    watch(x);
    bool answered = question(arg, err);
    /* What was stopped may have been answered with a text less: that is no answer. */
    bool stopped = case_watch_end(x->options.case_file) || x->ask_stopped;
    if (stopped)
        *err = (struct err){0};
    x->asking = NULL;
    return stopped ? 1 : answered ? 0 : -1;
}

bool explorer_is_waited_for(struct explorer *x)
{
    x->ask_stopped = x->ask_stopped ||
                     (x->asking ? slice_is_over(x->asking) : x->has_key && x->has_key(x->terminal));
    return x->ask_stopped;
}

bool explorer_may_go_on(struct explorer *x)
{
    /* A frame asks the case, too, and must not be stopped half way. */
    x->ask_stopped = case_watch_end(x->options.case_file) || x->ask_stopped;
    bool stopped = explorer_is_waited_for(x);
    if (!stopped && x->show && !x->asking)
        x->show(x->terminal);
    watch(x);
    return !stopped;
}

static bool ask_sessions(void *arg, struct err *err)
{
    struct explorer *x = arg;
    struct session_view *all;
    size_t count;
    arena_reset(&x->facts); /* of a try that was stopped */
    if (!query_sessions(x->options.case_file, x->options.policy, &x->facts, &all, &count, err))
        return false;
    for (size_t i = 0; i < count && i < x->session_count; i++) /* in place: one of them is open */
        x->sessions[i] = all[i];
    x->sessions_known = true;
    return true;
}

int explorer_know_sessions(struct explorer *x, struct slice *slice, struct err *err)
{
    return x->sessions_known ? 0 : explorer_ask(x, slice, ask_sessions, x, err);
}

/* ---- making and ending it ---- */

/* The session that was asked for, or the only one that is no sub-agent's; NULL: a person chooses.
 */
static const struct session_view *first_session(const struct explorer *x)
{
    const struct session_view *only = NULL;
    size_t own = 0;
    for (size_t i = 0; i < x->session_count; i++) {
        if (x->options.session && x->sessions[i].id == x->options.session)
            return &x->sessions[i];
        if (!x->sessions[i].parent) {
            only = &x->sessions[i];
            own++;
        }
    }
    return own == 1 && !x->options.session ? only : NULL;
}

/* The step that was asked for on the command line. */
static void open_at(struct explorer *x, int64_t n)
{
    if (n > review_steps(x->review)) {
        explorer_say(x, STYLE_ERROR, "there is no step %lld; the session has %lld", (long long)n,
                     (long long)review_steps(x->review));
        return;
    }
    buf_clear(&x->message);
    explorer_goto(x, n);
}

struct explorer *explorer_create(const struct explorer_options *options, struct err *err)
{
    struct explorer *x = NEW(struct explorer);
    x->options = *options;
    x->followed = options->case_file && case_is_followed(options->case_file);
    config_init(&x->config);
    cells_init(&x->grid, options->rows > 0 ? options->rows : 36,
               options->columns > 0 ? options->columns : 120, options->ascii);
    if (!query_session_names(options->case_file, &x->arena, &x->sessions, &x->session_count, err)) {
        explorer_destroy(x);
        return NULL;
    }
    const struct session_view *first = first_session(x);
    if (first)
        explorer_visit(x, first, 0);
    bool opened = x->session != NULL;
    if (opened && options->step > 0)
        open_at(x, options->step);
    explorer_push(x, opened ? &view_flow : &view_sessions);
    if (opened && options->lesson)
        explorer_push(x, &view_lesson);
    return x;
}

void explorer_destroy(struct explorer *x)
{
    if (!x)
        return;
    while (x->depth)
        explorer_pop(x);
    opening_end(x);
    opening_leave(x);
    policy_destroy(x->own_policy);
    prompt_finish(&x->prompt);
    buf_finish(&x->message);
    buf_finish(&x->query);
    buf_finish(&x->case_search);
    buf_finish(&x->sessions_filter);
    arena_finish(&x->arena);
    arena_finish(&x->facts);
    config_finish(&x->config);
    cells_finish(&x->grid);
    mem_free(x);
}

void explorer_resize(struct explorer *x, int rows, int columns)
{
    if (rows != x->grid.rows || columns != x->grid.columns)
        cells_resize(&x->grid, rows, columns);
}

void explorer_hurry(struct explorer *x, bool on)
{
    x->hurried = on;
}

/* ---- between two keys ---- */

/* The findings are there: rows get their marks. */
static void take_findings(struct explorer *x)
{
    struct err err = {0};
    x->reviews++;
    if (review_summary(x->review, &x->summary, &err))
        opening_at_finding(x);
    else
        explorer_fail(x, &err);
}

/* The structure of a large file is looked at behind the first screen. Without a terminal there is
 * one frame for each line, which says what was found. */
static void look_at_file(struct explorer *x)
{
    struct err err = {0};
    if (x->soundness != CASE_CHECKING)
        return;
    x->soundness = case_check(x->options.case_file, !x->terminal, &err);
    if (x->soundness == CASE_DAMAGED || x->soundness == CASE_UNKNOWN)
        explorer_fail(x, &err);
}

static bool check_slice(struct explorer *x, struct slice *slice)
{
    struct err err = {0};
    if (!x->review || review_is_checked(x->review) || x->check_failed)
        return false;
    int more = review_check_some(x->review, slice, &x->checked, &err);
    if (more < 0) {
        x->check_failed = true;
        explorer_fail(x, &err);
    } else if (more == 0) {
        take_findings(x);
    }
    return more > 0;
}

/* ---- a case that an import adds to ---- */

enum { LOOK_EVERY_MS = 1000, CHECK_EVERY_MS = 100 };

int explorer_patience(const struct explorer *x)
{
    if (x->soundness == CASE_CHECKING)
        return CHECK_EVERY_MS;
    return x->followed ? LOOK_EVERY_MS : -1;
}

/* Looks once a second at most, with the keys or, where an import says that it adds, by itself. */
static void look_at_case(struct explorer *x)
{
    int64_t now = monotonic_ms();
    if (!x->options.case_file || now - x->looked_ms < LOOK_EVERY_MS)
        return;
    x->looked_ms = now;
    if (case_has_changed(x->options.case_file)) {
        x->grown = true;
        x->followed = case_is_followed(x->options.case_file);
    }
    struct view *v = explorer_top(x);
    bool typing = x->prompt.kind != PROMPT_NONE || x->awaiting != AWAIT_KEY;
    if (!x->grown || !x->review || !v || v->ops != &view_flow || typing)
        return;
    opening_take_new_steps(x);
    x->looked_ms = 2 * monotonic_ms() - now; /* what takes long is done less often */
}

bool explorer_idle(struct explorer *x)
{
    struct slice slice = slice_begin(x->has_key, x->terminal);
    /* What a person waits for comes first. A hit of the search may close screens. */
    bool more = opening_try(x, NULL);
    more |= matches_slice(x, &slice);
    more |= search_slice(x, &slice);
    struct view *v = explorer_top(x);
    if (v && v->ops->idle)
        more |= v->ops->idle(v, &slice);
    if (!more)
        look_at_case(x);
    look_at_file(x);
    if (!more)
        more = check_slice(x, &slice);
    if (!more && x->review && x->followed)
        review_rest(x->review);
    return more;
}
