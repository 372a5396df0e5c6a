#include "tui/policies.h"

#include <stdio.h>
#include <string.h>

size_t policies_count(void)
{
    size_t count = policy_builtin_count();
    return count < POLICIES_MOST ? count : POLICIES_MOST;
}

struct policy_question {
    struct explorer *x;
    const struct policy *policy;
    struct policy_row *row;
};

static bool policy_question(void *arg, struct err *err)
{
    struct policy_question *q = arg;
    struct arena arena = {0};
    struct flow_row row = {0};
    struct review *review =
        review_open(q->x->options.case_file, q->x->session->id, q->policy, false, NULL, NULL, err);
    bool ok = review && review_summary(review, &q->row->sum, err) &&
              (!q->x->n || review_rows(review, q->x->n, 1, 0, &arena, &row, err) == 1);
    q->row->verdict = row.verdict;
    review_close(review);
    arena_finish(&arena);
    return ok;
}

/* A long session is replayed under a policy where a person asks for it: each replay is kept in the
 * case, which grows by it. */
static bool is_long(const struct explorer *x)
{
    enum { AT_ONCE = 20000 };
    return review_steps(x->review) > AT_ONCE;
}

static bool is_now(const struct explorer *x, size_t i)
{
    return strcmp(policy_builtin_name(i), policy_name(x->options.policy)) == 0;
}

/* The policy of the open review is at hand, however long the session is. */
static void know_now(struct policies *p, struct explorer *x)
{
    struct arena arena = {0};
    struct flow_row row = {0};
    struct err err = {0};
    for (size_t i = 0; i < policies_count(); i++) {
        if (!is_now(x, i) || p->row[i].known)
            continue;
        p->row[i].sum = x->summary;
        p->row[i].known = !x->n || review_rows(x->review, x->n, 1, 0, &arena, &row, &err) == 1;
        p->row[i].verdict = row.verdict;
    }
    arena_finish(&arena);
}

bool policies_ask(struct policies *p, struct explorer *x)
{
    struct err err = {0};
    know_now(p, x);
    if (p->asked >= policies_count() || is_long(x))
        return false;
    struct policy *policy = policy_load(policy_builtin_name(p->asked), &err);
    struct policy_question q = {x, policy, &p->row[p->asked]};
    int more = policy ? explorer_ask(x, NULL, policy_question, &q, &err) : -1;
    policy_destroy(policy);
    if (more > 0)
        return true;
    if (more < 0)
        explorer_fail(x, &err);
    p->row[p->asked++].known = more == 0;
    return p->asked < policies_count();
}

/* Columns: of the context where there is room, of the calls, of the step that is selected. */
enum { NAME = 24, CONTEXT = 11, CALLS = 8 };

static void policies_draw_count(struct area area, int row, int column, int64_t calls,
                                enum style style)
{
    cells_oursf(area, row, column, calls ? style : STYLE_DIM, "%*lld", CALLS, (long long)calls);
}

static void policies_draw_rise(struct area area, int row, int column, int64_t n)
{
    if (n)
        cells_oursf(area, row, column, STYLE_PLAIN, "%*lld", CONTEXT, (long long)n);
    else
        cells_oursf(area, row, column, STYLE_DIM, "%*s", CONTEXT, "never");
}

/* A replay is there at once the next time, as it is kept. */
static void say_growth(const struct explorer *x, struct area area, int row)
{
    enum { KEPT = 57 }; /* bytes of a step */
    char text[160];
    snprintf(text, sizeof text,
             "The replay under a policy is kept in the case, which grows by some %lld MB for it.",
             (long long)review_steps(x->review) * KEPT / 1000000 + 1);
    cells_wrapped(area, row, 1, STYLE_DIM, text);
}

/* What the policy under the cursor asks, in a sentence; gives how many rows it takes. */
static int say_summary(struct area area, int row, size_t policy)
{
    char text[160];
    snprintf(text, sizeof text, "%s: %s", policy_builtin_name(policy),
             policy_builtin_summary(policy));
    return cells_wrapped(area, row, 1, STYLE_PLAIN, text);
}

void policies_draw(const struct policies *p, struct explorer *x, struct area area, int64_t lit)
{
    bool wide = area.columns >= 1 + NAME + 2 * CONTEXT + 2 * CALLS + 12;
    int context = 1 + NAME, calls = context + (wide ? 2 * CONTEXT : 0),
        step = calls + 2 * CALLS + 2;
    cells_fill(area, 0, 0, area.columns, STYLE_HEADER, " ");
    cells_ours(area, 0, 1, STYLE_HEADER, "under policy");
    if (wide) {
        cells_oursf(area, 0, context, STYLE_HEADER, "%*s", CONTEXT, "untrusted");
        cells_oursf(area, 0, context + CONTEXT, STYLE_HEADER, "%*s", CONTEXT, "private");
    }
    cells_oursf(area, 0, calls, STYLE_HEADER, "%*s%*s", CALLS, "denied", CALLS, "to ask");
    cells_oursf(area, 0, step, STYLE_HEADER, "step %lld", (long long)x->n);
    for (int i = 0; i < area.rows - 1 && i < (int)policies_count(); i++) {
        const struct policy_row *row = &p->row[i];
        const char *name = policy_builtin_name((size_t)i);
        bool now = is_now(x, (size_t)i);
        int column = cells_ours(area, i + 1, 1, STYLE_STRONG, name);
        cells_ours(area, i + 1, column, STYLE_DIM, now ? " now" : "");
        if (!row->known) {
            cells_ours(area, i + 1, context + 2, STYLE_UNKNOWN,
                       (size_t)i < p->asked ? "?"
                       : is_long(x)         ? "Enter asks"
                                            : "…");
        } else {
            if (wide) {
                policies_draw_rise(area, i + 1, context, row->sum.first_untrusted);
                policies_draw_rise(area, i + 1, context + CONTEXT, row->sum.first_private);
            }
            policies_draw_count(area, i + 1, calls, row->sum.denied, STYLE_DENY);
            policies_draw_count(area, i + 1, calls + CALLS, row->sum.asked, STYLE_ASK);
            verdict_draw(area, i + 1, step, row->verdict);
        }
        if (i == lit)
            cells_select(area, i + 1, 0, area.columns);
    }
    int row = (int)policies_count() + 1;
    row += area.rows > row + 2; /* a blank one, where there is room */
    if (area.rows > row && lit < (int64_t)policies_count())
        row += say_summary(area, row, (size_t)lit) + 1;
    if (is_long(x) && area.rows > row + 1)
        say_growth(x, area, row);
}
