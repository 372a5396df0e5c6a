/* Another label, an item less, another policy: which verdicts and findings change. */
#include <criterion/criterion.h>

#include "model/query/whatif.h"
#include "tests/unit/query_support.h"

static const struct whatif_verdict *verdict_of_step(const struct whatif *w, int64_t n)
{
    for (size_t i = 0; i < w->verdict_count; i++)
        if (w->verdicts[i].n == n)
            return &w->verdicts[i];
    return NULL;
}

static size_t count_fate(const struct whatif *w, enum whatif_fate fate, const char *code)
{
    size_t count = 0;
    for (size_t i = 0; i < w->finding_count; i++)
        count += w->findings[i].fate == fate && span_is(w->findings[i].code, code);
    return count;
}

Test(whatif, whatif)
{
    struct err err = {0};
    struct arena arena = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *policy = policy_of("additive"), *other = policy_of("rule-of-two");
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    int64_t rows = ask(c, "SELECT count(*) FROM run_step");
    struct whatif w;

    /* Nothing is changed: nothing differs, all that was found stays. */
    MUST(review_whatif(r, NULL, NULL, 0, NULL, NULL, &arena, &w, &err));
    cr_assert_eq(w.verdict_count, 0);
    cr_assert_gt(w.finding_count, 0);
    for (size_t i = 0; i < w.finding_count; i++)
        cr_assert(w.findings[i].fate == WHATIF_STAYS && !w.findings[i].was, "%s",
                  w.findings[i].code.at);
    cr_assert_eq(w.is.first_untrusted, 3);
    cr_assert(label_equal(w.was.context, w.is.context));

    /* Had the issues been trusted: P-T allows, and what was private still may not go out. */
    struct whatif_edit edits[2] = {{WHATIF_LABEL, 3, LABEL_PUBLIC}, {WHATIF_DROP, 5, LABEL_PUBLIC}};
    MUST(review_whatif(r, NULL, edits, 1, NULL, NULL, &arena, &w, &err));
    const struct whatif_verdict *v = verdict_of_step(&w, 6);
    cr_assert(v);
    cr_assert_eq(v->was_action, VERDICT_DENY);
    cr_assert_eq(v->is_action, VERDICT_ALLOW);
    cr_assert_eq(v->is, v->is_flow, "P-F alone decides: %d", v->is);
    cr_assert_neq(v->is, VERDICT_ALLOW);
    cr_assert_eq(w.is.first_untrusted, 0);
    cr_assert_eq(w.is.first_private, 5);
    cr_assert_eq(count_fate(&w, WHATIF_DISAPPEARS, "PT01"), 1);
    cr_assert_eq(w.findings[0].fate == WHATIF_STAYS, false, "what differs comes first");

    /* And had the payroll never been read: nothing is left to deny. */
    MUST(review_whatif(r, NULL, edits, 2, NULL, NULL, &arena, &w, &err));
    v = verdict_of_step(&w, 6);
    cr_assert(v);
    cr_assert_eq(v->is, VERDICT_ALLOW);
    cr_assert_eq(w.is.denied, 0);
    cr_assert_eq(w.was.denied, 1);
    cr_assert_eq(count_fate(&w, WHATIF_DISAPPEARS, "PT01"), 1);
    cr_assert_eq(count_fate(&w, WHATIF_STAYS, "PT01") + count_fate(&w, WHATIF_STAYS, "PF01") +
                     count_fate(&w, WHATIF_STAYS, "PF02"),
                 0);

    /* Untrusted by another step: it is the same finding, told as it is now. */
    struct label untrusted = LABEL_PUBLIC;
    untrusted.integrity = UNTRUSTED;
    edits[1] = (struct whatif_edit){WHATIF_LABEL, 4, untrusted};
    MUST(review_whatif(r, NULL, edits, 2, NULL, NULL, &arena, &w, &err));
    cr_assert_eq(w.is.first_untrusted, 4);
    cr_assert_eq(count_fate(&w, WHATIF_DISAPPEARS, "PT01"), 0);
    cr_assert_eq(count_fate(&w, WHATIF_APPEARS, "PT01"), 0);
    cr_assert_eq(count_fate(&w, WHATIF_CHANGES, "PT01"), 1);
    for (size_t i = 0; i < w.finding_count; i++)
        cr_assert(!span_is(w.findings[i].code, "PT01") ||
                  span_find(w.findings[i].message, SPAN("since step 4")) <
                      w.findings[i].message.len);

    MUST(review_whatif(r, other, NULL, 0, NULL, NULL, &arena, &w, &err));
    edits[0].n = 99;
    cr_assert_not(review_whatif(r, NULL, edits, 1, NULL, NULL, &arena, &w, &err));
    cr_assert_eq(
        ask(c, "SELECT count(*) FROM run_step JOIN run ON run.id = run_id WHERE policy='additive'"),
        rows, "the record is as it was");
    review_close(r);
    policy_destroy(policy);
    policy_destroy(other);
    arena_finish(&arena);
    case_close(c);
}

/* An answer that begins at the first edit is the one of the whole session. A query that finds
 * nothing makes the other policy look at all of it. */
Test(whatif, whatif_from_the_edit)
{
    static const char *const labels[] = {"trusted", "untrusted", "private", "untrusted, private",
                                         "readers:ann"};
    struct err err = {0};
    struct arena arena = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *policy = policy_of("additive");
    struct policy *whole = policy_parse(
        SPAN(
            "{\"schema\": \"strandline/policy/1\", \"name\": \"additive\", \"extends\": \"additive\","
            " \"queries\": [{\"sql\": \"SELECT session_id, step FROM v_step WHERE 0\"}]}"),
        "whole", &err);
    MUST(whole);
    struct review *near = review_open(c, session, policy, false, NULL, NULL, &err);
    struct review *far = review_open(c, session, whole, false, NULL, NULL, &err);
    MUST(near && far);
    for (int64_t n = 1; n <= review_steps(near); n++)
        for (size_t l = 0; l < COUNT_OF(labels); l++) {
            struct whatif_edit edit = {WHATIF_LABEL, n, LABEL_PUBLIC};
            struct whatif a, b;
            arena_reset(&arena);
            MUST(label_parse(review_labels(near), span_of(labels[l]), &edit.label));
            MUST(review_whatif(near, NULL, &edit, 1, NULL, NULL, &arena, &a, &err));
            MUST(label_parse(review_labels(far), span_of(labels[l]), &edit.label));
            MUST(review_whatif(far, NULL, &edit, 1, NULL, NULL, &arena, &b, &err));
            cr_assert_eq(a.verdict_count, b.verdict_count, "step %d %s", (int)n, labels[l]);
            for (size_t i = 0; i < a.verdict_count; i++)
                cr_assert(a.verdicts[i].n == b.verdicts[i].n &&
                          a.verdicts[i].is == b.verdicts[i].is);
            cr_assert_eq(a.finding_count, b.finding_count, "step %d %s", (int)n, labels[l]);
            for (size_t i = 0; i < a.finding_count; i++)
                cr_assert(span_equal(a.findings[i].id, b.findings[i].id) &&
                              a.findings[i].fate == b.findings[i].fate &&
                              a.findings[i].severity == b.findings[i].severity,
                          "step %d %s: %s", (int)n, labels[l], a.findings[i].code.at);
            cr_assert(a.is.first_untrusted == b.is.first_untrusted &&
                      a.is.first_private == b.is.first_private &&
                      a.is.first_denied == b.is.first_denied && a.is.denied == b.is.denied &&
                      a.is.asked == b.is.asked && a.is.unclaimed == b.is.unclaimed);
        }
    review_close(near);
    review_close(far);
    policy_destroy(policy);
    policy_destroy(whole);
    arena_finish(&arena);
    case_close(c);
}
