/* The explorer as a value: its stack of screens, the open session, where the reviewer was. */
#include "base/monotonic.h"
#include "tui/explorer_internal.h"

#include <stdio.h>
#include <string.h>

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

static void select_step(struct explorer *x, int64_t n)
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
    select_step(x, n);
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
    state_save(x->options.case_file, key, x->matches.on ? buf_span(&x->matches.text) : SPAN_EMPTY,
               &err);
}

/* What is said first has to be read whole. */
static bool is_narrow(const struct explorer *x)
{
    return x->grid.columns < 76;
}

/* Servers that label nothing break no rule: that must not be read as harmless. */
static void offer_other_policy(struct explorer *x)
{
    const struct review_summary *s = &x->summary;
    struct span key = keymap_first(&x->config.keys, ACTION_WHATIF);
    if (s->first_untrusted || s->first_private || !s->unclaimed ||
        !span_is(span_of(policy_name(x->options.policy)), "additive"))
        return;
    explorer_say(x, STYLE_UNKNOWN, "no labels, so nothing is denied; %.*s asks other policies",
                 SPAN_ARG(key));
    if (!is_narrow(x))
        buf_puts(&x->message, " too, such as fides");
}

/* A session that is opened for the first time shows the first call that went wrong. */
static void begin_at_violation(struct explorer *x)
{
    static const struct {
        enum action action;
        const char *word;
    } next[] = {{ACTION_WHY, "why"}, {ACTION_NEXT_VIOLATION, "next"}, {ACTION_EGRESS, "what left"}};
    const struct review_summary *s = &x->summary;
    struct err err = {0};
    int64_t n = s->first_denied;
    if (!n && s->asked && !review_next(x->review, MARK_VIOLATION, 0, true, &n, &err))
        explorer_fail(x, &err);
    if (!n) {
        offer_other_policy(x);
        return;
    }
    x->n = n;
    int64_t calls = s->denied ? s->denied : s->asked;
    explorer_say(x, s->denied ? STYLE_DENY : STYLE_ASK, "step %lld: ", (long long)n);
    if (calls > 1)
        buf_addf(&x->message, "first of %lld", (long long)calls);
    else
        buf_puts(&x->message, "the one");
    if (is_narrow(x))
        buf_puts(&x->message, s->denied ? " denied" : " to ask");
    else
        buf_addf(&x->message, " call%s %s", calls > 1 ? "s" : "",
                 s->denied ? "that policy denies" : "to be asked about");
    for (size_t i = 0; i < COUNT_OF(next); i++) {
        struct span key = keymap_first(&x->config.keys, next[i].action);
        buf_addf(&x->message, "%s %.*s %s", i ? "," : ";", SPAN_ARG(key), next[i].word);
    }
}

static void return_to(struct explorer *x, int64_t n)
{
    if (n == x->n)
        return;
    x->n = n;
    explorer_say(x, STYLE_PLAIN, "step %lld, where you were last", (long long)n);
    if (x->summary.first_denied)
        buf_addf(&x->message, "; the first call that policy denies is at step %lld",
                 (long long)x->summary.first_denied);
}

static void load_place(struct explorer *x)
{
    char key[48];
    struct err err = {0};
    struct arena arena = {0};
    begin_at_violation(x);
    struct span value = SPAN_EMPTY;
    unsigned long long n = 0;
    snprintf(key, sizeof key, "step:%lld", (long long)x->session->id);
    if (state_load(x->options.case_file, key, &arena, &value, &err) && span_to_u64(value, &n) &&
        n >= 1 && n <= (unsigned long long)review_steps(x->review))
        return_to(x, (int64_t)n);
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
    supposed_clear(x);
    find_finish(x);
    review_close(x->review);
    x->review = NULL;
    x->session = NULL;
    x->n = x->before_jump = 0;
    x->places = (struct places){.count = 0};
}

/* ---- opening: what is asked of long sessions, and of short ones at once ---- */

static bool show_progress(void *arg, int64_t done, int64_t total)
{
    struct explorer *x = arg;
    explorer_say(x, STYLE_DIM, "replaying: %lld of %lld steps; Esc stops", (long long)done,
                 (long long)total);
    return explorer_may_go_on(x);
}

static void opening_end(struct explorer *x)
{
    policy_destroy(x->opening.policy);
    x->opening = (struct opening){.session = NULL};
}

bool explorer_stop_opening(struct explorer *x)
{
    bool was = x->opening.session != NULL;
    opening_end(x);
    return was;
}

static void drop_views_of_session(struct explorer *x)
{
    int kept = 0;
    for (int i = 0; i < x->depth; i++) {
        struct view *v = &x->stack[i];
        if (v->ops->of_case) {
            x->stack[kept++] = *v;
            continue;
        }
        if (v->ops->close)
            v->ops->close(v);
        mem_free(v->state);
    }
    x->depth = kept;
}

/* The review becomes the one of the screens. What belonged to the last one is gone. */
static void take_review(struct explorer *x, struct review *review,
                        const struct session_view *session)
{
    struct err err = {0};
    drop_views_of_session(x);
    close_session(x);
    x->review = review;
    x->reviews++;
    x->checked = 0;
    x->check_failed = false;
    x->session = session;
    if (!review_summary(review, &x->summary, &err))
        explorer_fail(x, &err);
}

static void show_flow(struct explorer *x)
{
    if (explorer_top(x) && explorer_top(x)->ops != &view_flow)
        explorer_push(x, &view_flow);
}

static void take_session(struct explorer *x, struct review *review)
{
    struct opening o = x->opening;
    const struct session_view *from = x->session;
    int64_t was = x->n;
    take_review(x, review, o.session);
    buf_clear(&x->message);
    x->n = review_steps(review) > 0 ? 1 : 0;
    load_place(x);
    if (o.n >= 1 && o.n <= review_steps(review)) {
        buf_clear(&x->message);
        x->n = o.n;
        if (!matches_has(x, o.n))
            x->matches.on = false;
        if (from) {
            explorer_say(x, STYLE_PLAIN, "another session; you came from step %lld of ",
                         (long long)was);
            explorer_say_data(x, from->name);
        }
    }
    show_flow(x);
}

/* The open session once more under another policy; the place stays. The record is never touched. */
static void take_other_policy(struct explorer *x, struct review *review)
{
    struct review_summary before = x->summary;
    struct policy *policy = x->opening.policy;
    int64_t n = x->n;
    struct buf filter = {0};
    x->opening.policy = NULL; /* it stays */
    while (x->depth > 1)
        explorer_pop(x);
    if (x->matches.on)
        buf_add(&filter, buf_span(&x->matches.text));
    take_review(x, review, x->opening.session);
    x->options.policy = policy;
    policy_destroy(x->own_policy);
    x->own_policy = policy;
    x->n = n;
    matches_set(x, buf_span(&filter));
    buf_finish(&filter);
    explorer_say(x, STYLE_STRONG,
                 "under %s: %lld denied (before: %lld), %lld to ask (before: %lld)",
                 policy_name(policy), (long long)x->summary.denied, (long long)before.denied,
                 (long long)x->summary.asked, (long long)before.asked);
    struct span key = keymap_first(&x->config.keys, ACTION_NEXT_VIOLATION);
    if (x->summary.denied + x->summary.asked > before.denied + before.asked)
        buf_addf(&x->message, "; %.*s goes to the next", SPAN_ARG(key));
    show_flow(x);
}

struct opening_question {
    struct explorer *x;
    struct review *review;
};

static bool opening_question(void *arg, struct err *err)
{
    struct opening_question *q = arg;
    struct explorer *x = q->x;
    const struct opening *o = &x->opening;
    review_close(q->review); /* of a try that was stopped at its very end */
    q->review =
        review_open(x->options.case_file, o->session->id, o->policy ? o->policy : x->options.policy,
                    false, show_progress, x, err);
    return q->review != NULL;
}

/* True: it is to be gone on with. */
static bool opening_try(struct explorer *x, struct slice *slice)
{
    struct opening_question q = {.x = x};
    struct err err = {0};
    if (!x->opening.session)
        return false;
    int more = explorer_ask(x, slice, opening_question, &q, &err);
    if (more > 0) {
        review_close(q.review);
        return true;
    }
    if (more < 0)
        explorer_fail(x, &err);
    else if (x->opening.policy)
        take_other_policy(x, q.review);
    else
        take_session(x, q.review);
    opening_end(x);
    return false;
}

static void opening_begin(struct explorer *x, const struct opening *opening)
{
    struct slice slice = slice_begin(NULL, NULL);
    opening_end(x);
    x->opening = *opening;
    if (opening_try(x, &slice))
        explorer_say(x, STYLE_DIM, "replaying; Esc stops");
}

void explorer_visit(struct explorer *x, const struct session_view *session, int64_t n)
{
    if (x->session != session) {
        opening_begin(x, &(struct opening){.session = session, .n = n});
        return;
    }
    if (n >= 1 && n != x->n) {
        explorer_leave(x, x->n);
        select_step(x, n);
    }
    show_flow(x);
}

const struct session_view *explorer_session(const struct explorer *x, int64_t id)
{
    for (size_t i = 0; i < x->session_count; i++)
        if (x->sessions[i].id == id)
            return &x->sessions[i];
    return NULL;
}

void explorer_use_policy(struct explorer *x, struct span name)
{
    struct err err = {0};
    struct arena arena = {0};
    struct policy *policy = name.len ? policy_load(arena_cstr(&arena, name), &err) : NULL;
    arena_finish(&arena);
    if (policy)
        opening_begin(x, &(struct opening){.session = x->session, .policy = policy});
    else if (name.len)
        explorer_fail(x, &err);
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
    close_session(x);
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

/* Nothing is denied, and yet something grave was found: that is what to look at first. In a long
 * session it comes when a person may be reading already, who is left where they are. */
static void begin_at_finding(struct explorer *x)
{
    enum { AT_ONCE = 20000 };
    const struct review_summary *s = &x->summary;
    struct finding_view *all;
    struct arena arena = {0};
    struct err err = {0};
    size_t count = 0;
    bool grave = s->findings[SEVERITY_HIGH] || s->findings[SEVERITY_CRITICAL];
    if (grave && !s->denied && !s->asked && x->n == 1 && !x->places.count && s->steps <= AT_ONCE &&
        review_findings(x->review, 0, &arena, &all, &count, &err) && count && all[0].n > 1) {
        struct span key = keymap_first(&x->config.keys, ACTION_FINDINGS);
        bool unlabelled = !s->first_untrusted && !s->first_private;
        x->n = all[0].n;
        explorer_say(
            x, STYLE_ASK,
            "step %lld: the worst that was found, though no call is denied%s; %.*s lists all",
            (long long)x->n, unlabelled ? ", as nothing is labelled" : "", SPAN_ARG(key));
    }
    arena_finish(&arena);
}

/* The findings are there: rows get their marks. */
static void take_findings(struct explorer *x)
{
    struct err err = {0};
    x->reviews++;
    if (review_summary(x->review, &x->summary, &err))
        begin_at_finding(x);
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

/* The open session once more, with its new steps. Whoever stands on the last one goes with them. */
static void take_new_steps(struct explorer *x)
{
    struct err err = {0};
    struct buf filter = {0};
    int64_t before = review_steps(x->review);
    struct opening_question q = {.x = x};
    x->opening.session = x->session;
    int more = explorer_ask(x, NULL, opening_question, &q, &err);
    opening_end(x);
    struct review *review = q.review;
    if (more) { /* a key came, or the import is writing right now: the next look has it */
        review_close(review);
        return;
    }
    bool last = x->n == before, on = x->matches.on;
    buf_add(&filter, buf_span(&x->matches.text));
    supposed_clear(x);
    matches_finish(x); /* what was searched for stays lit */
    review_close(x->review);
    x->review = review;
    x->reviews++;
    x->checked = 0;
    x->check_failed = x->grown = false;
    int64_t count = review_steps(review);
    x->n = last ? count : x->n;
    matches_set(x, buf_span(&filter));
    x->matches.on = on;
    buf_finish(&filter);
    if (!review_summary(review, &x->summary, &err))
        explorer_fail(x, &err);
    else if (count > before)
        explorer_say(x, STYLE_DIM, "%lld new steps", (long long)(count - before));
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
    take_new_steps(x);
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
