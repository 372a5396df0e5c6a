/* Sessions: how one is opened, left, replayed under another policy or with the steps that came
 * since, and at which step it is shown first. What is asked of long ones, and of short ones at
 * once, may be stopped by a key, and is tried again (explorer_ask). */
#include <stdio.h>

#include "tui/explorer_internal.h"

/* ---- where a session is shown first ---- */

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

void opening_at_finding(struct explorer *x)
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

/* ---- opening ---- */

void opening_leave(struct explorer *x)
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

static bool show_progress(void *arg, int64_t done, int64_t total)
{
    struct explorer *x = arg;
    explorer_say(x, STYLE_DIM, "replaying: %lld of %lld steps; Esc stops", (long long)done,
                 (long long)total);
    return explorer_may_go_on(x);
}

void opening_end(struct explorer *x)
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
    opening_leave(x);
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

bool opening_try(struct explorer *x, struct slice *slice)
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
        explorer_select(x, n);
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

void opening_take_new_steps(struct explorer *x)
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
