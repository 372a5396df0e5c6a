/* What a person asks of a case, and the rows that come back. */
#include <criterion/criterion.h>

#include "model/query/evidence.h"
#include "model/query/kept.h"
#include "model/query/query.h"
#include "model/query/review_internal.h"
#include "tests/unit/query_support.h"

Test(query, rows_say_what_replay_says)
{
    struct err err = {0};
    struct arena arena = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *policy = policy_of("additive");
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    cr_assert_eq(review_steps(r), (int64_t)COUNT_OF(lines));
    struct flow_row rows[20];
    long count = review_rows(r, 1, 20, FLOW_PREVIEW, &arena, rows, &err);
    cr_assert_eq(count, (long)COUNT_OF(lines), "%s", err.what);
    for (long i = 0; i < count; i++) {
        cr_assert_eq(rows[i].step.n, i + 1);
        cr_assert_eq(rows[i].step.kind, lines[i].kind);
        cr_assert(span_is(rows[i].step.tool, lines[i].tool));
        cr_assert(span_is(rows[i].step.server, lines[i].server ? lines[i].server : ""));
        cr_assert(span_is(rows[i].preview, lines[i].body));
        cr_assert_eq(rows[i].step.call_n, lines[i].call);
        cr_assert_eq(rows[i].after.integrity, i >= 2 ? UNTRUSTED : TRUSTED, "step %ld", i + 1);
        cr_assert_eq(label_is_private(rows[i].after), i >= 4, "step %ld", i + 1);
        cr_assert_eq(rows[i].changed, i == 2 ? 1 : i == 4 ? 2 : 0, "step %ld", i + 1);
    }
    cr_assert_eq(rows[1].step.result_n, 3);
    cr_assert_eq(rows[5].verdict, VERDICT_DENY, "an untrusted context sends private text out");
    cr_assert_eq(rows[2].origin, ORIGIN_CLAIMED);
    cr_assert_eq(review_rows(r, 7, 20, 0, &arena, rows, &err), 2);
    cr_assert_eq(review_rows(r, 9, 20, 0, &arena, rows, &err), 0);
    cr_assert_eq(review_rows(r, 0, 20, 0, &arena, rows, &err), 0);

    /* A step on its own is explained as it was in the run. */
    for (int64_t n = 1; n <= (int64_t)COUNT_OF(lines); n++) {
        struct flow_row row;
        struct replay_out out;
        MUST(review_explain(r, n, &row, &out, &err));
        cr_assert(label_equal(row.before, out.before) && label_equal(row.after, out.after),
                  "step %d", (int)n);
        cr_assert_eq(row.has_label, out.has_label);
        cr_assert_eq(row.verdict, out.verdict);
        cr_assert_eq(row.unclaimed, out.unclaimed);
    }
    cr_assert_eq(rows[3].step.hints.read_only, TRI_TRUE);
    cr_assert_not(rows[5].step.hints.defined);
    struct flow_row row;
    struct replay_out out;
    cr_assert_not(review_explain(r, 9, &row, &out, &err));
    cr_assert(strstr(err.todo, "1 to 8"), "%s", err.todo);

    struct review_summary summary;
    MUST(review_summary(r, &summary, &err));
    cr_assert_eq(summary.first_untrusted, 3);
    cr_assert_eq(summary.first_private, 5);
    cr_assert_eq(summary.first_denied, 6);
    struct buf body = {0};
    bool cut;
    MUST(review_body(r, 1, 4, &body, &cut, &err));
    cr_assert(cut && span_is(buf_span(&body), "Look"));
    buf_finish(&body);
    review_close(r);
    policy_destroy(policy);
    arena_finish(&arena);
    case_close(c);
}

Test(query, a_run_is_kept_and_dropped)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *policy = policy_of("additive"), *fides = policy_of("fides");
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    int64_t run = r->run.id;
    review_close(r);
    r = review_open(c, session, policy, false, NULL, NULL, &err);
    cr_assert_eq(r->run.id, run, "kept");
    review_close(r);
    r = review_open(c, session, fides, false, NULL, NULL, &err);
    MUST(r);
    cr_assert_neq(r->run.id, run);
    cr_assert_eq(ask(c, "SELECT run_id FROM v_run"), r->run.id, "the one looked at last");
    review_close(r);
    r = review_open(c, session, policy, false, NULL, NULL, &err);
    cr_assert_eq(ask(c, "SELECT run_id FROM v_run"), run);
    review_close(r);

    /* A stranger's rows: believed only until they are made again. */
    MUST(db_exec(case_db(c), "UPDATE run_step SET verdict='allow'", &err));
    r = review_open(c, session, policy, true, NULL, NULL, &err);
    MUST(r);
    cr_assert_eq(ask(c, "SELECT verdict = 'deny' FROM v_step WHERE step = 6"), 1);
    review_close(r);

    struct extent nothing = {1, 0, 4, SPAN_EMPTY};
    MUST(store_record(c, &nothing, SPAN("r"), "json", &err));
    cr_assert_eq(ask(c, "SELECT count(*) FROM run_step"), 0, "new evidence: all is derived anew");
    r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    MUST(store_number_steps(c, session, &err));
    cr_assert_eq(ask(c, "SELECT count(*) FROM run"), 0, "new steps: the session is derived anew");
    review_close(r);
    policy_destroy(policy);
    policy_destroy(fides);
    case_close(c);
}

static int64_t findings_of_today(struct case_file *c, int64_t session, const struct policy *policy,
                                 bool *kept)
{
    struct err err = {0};
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    *kept = review_is_checked(r);
    MUST(review_check(r, NULL, NULL, &err));
    review_close(r);
    return ask(c, "SELECT count(*) FROM v_finding");
}

Test(query, what_is_accepted_until_a_day_is_looked_at_anew_on_another)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *always = policy_of("additive");
    struct policy *dated = policy_parse(
        SPAN("{\"schema\": \"strandline/policy/1\", \"name\": \"ours\", \"suppress\": [{\"code\":"
             " \"PT01\", \"reason\": \"looked at\", \"until\": \"2999-12-31\"}]}"),
        "ours", &err);
    MUST(dated);
    const struct policy *const policies[] = {always, dated};
    for (size_t i = 0; i < COUNT_OF(policies); i++) {
        bool kept;
        int64_t count = findings_of_today(c, session, policies[i], &kept);
        cr_assert(count > 0 && !kept);
        cr_assert_eq(findings_of_today(c, session, policies[i], &kept), count);
        cr_assert(kept, "on the same day");
        MUST(db_exec(case_db(c), "UPDATE run SET checked = 20200101", &err));
        cr_assert_eq(findings_of_today(c, session, policies[i], &kept), count, "once");
        cr_assert_eq(kept, policies[i] == always);
    }
    policy_destroy(always);
    policy_destroy(dated);
    case_close(c);
}

/* What a stranger wrote into the rows that are kept is found when they are made again. */
Test(query, what_is_kept_is_held_against_what_comes_of_the_steps)
{
    static const struct {
        const char *forged; /* NULL: nothing */
        bool same;
    } cases[] = {
        {NULL, true},
        {"UPDATE run_step SET verdict='allow'", false},
        {"UPDATE run_step SET audience='kim' WHERE n=6", false},
        {"UPDATE label SET integrity='trusted'", false},
        {"UPDATE run SET first_denied=NULL, denied=0", false},
        {"DELETE FROM finding WHERE rank=1", false},
        {"UPDATE finding SET message='nothing'", false},
    };
    struct policy *policy = policy_of("fides");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = {0};
        struct case_file *c = case_temporary(&err);
        int64_t session = write_session(c, "one");
        bool was_kept;
        findings_of_today(c, session, policy, &was_kept);
        struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
        MUST(r);
        review_close(r);
        if (cases[i].forged)
            MUST(db_exec(case_db(c), cases[i].forged, &err));
        struct kept_replays *kept = kept_collect(c, NULL, &err);
        MUST(kept);
        MUST(case_resolve_evidence(c, NULL, NULL, NULL, &err));
        MUST(kept_again(kept, NULL, NULL, &err));
        size_t count;
        const struct kept_run *runs = kept_runs(kept, &count);
        cr_assert_eq(count, 1);
        cr_expect_eq(runs[0].same, cases[i].same, "%s", cases[i].forged);
        cr_expect(span_is(runs[0].session, "one") && span_is(runs[0].policy, "fides"));
        kept_destroy(kept);
        case_close(c);
    }
    policy_destroy(policy);
}

static bool stop(void *arg, int64_t done, int64_t total)
{
    int *calls = arg;
    return (*calls)++ < 1 && done < total;
}

Test(query, a_stopped_replay_leaves_nothing)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    MUST(db_begin(case_db(c), &err));
    int64_t source = add_source(c, SPAN("0123456789"));
    struct session_row row = {.name = SPAN("long")};
    int64_t session = store_session(c, &row, &err);
    struct step_sketch s = {STEP_PROMPT, "", source, 0, 0, -1, 0, 10};
    for (int i = 0; i < 10000; i++)
        add_step(c, session, &s, 0);
    MUST(store_number_steps(c, session, &err));
    MUST(db_commit(case_db(c), &err));
    struct policy *policy = policy_of("additive");
    int calls = 0;
    cr_assert_null(review_open(c, session, policy, false, stop, &calls, &err));
    cr_assert(strstr(err.what, "stopped"), "%s", err.what);
    cr_assert_eq(ask(c, "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM run_step)"), 0);
    policy_destroy(policy);
    case_close(c);
}

Test(query, next_and_strip)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one"), n;
    struct policy *policy = policy_of("additive");
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    MUST(!review_is_checked(r));
    MUST(review_check(r, NULL, NULL, &err));
    MUST(review_is_checked(r));
    static const struct {
        enum review_mark mark;
        int64_t from;
        bool forward;
        int64_t n;
    } cases[] = {
        {MARK_VIOLATION, 1, true, 6},     {MARK_VIOLATION, 6, true, 0},
        {MARK_VIOLATION, 8, false, 6},    {MARK_LABEL_CHANGE, 1, true, 3},
        {MARK_LABEL_CHANGE, 3, true, 5},  {MARK_LABEL_CHANGE, 5, false, 3},
        {MARK_LABEL_CHANGE, 3, false, 0}, {MARK_EVIDENCE_BAD, 1, true, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        MUST(review_next(r, cases[i].mark, cases[i].from, cases[i].forward, &n, &err));
        cr_assert_eq(n, cases[i].n, "case %zu: %d", i, (int)n);
    }
    MUST(review_next(r, MARK_FINDING, 1, true, &n, &err));
    cr_assert_gt(n, 0);
    MUST(db_exec(case_db(c), "UPDATE finding SET suppressed='known'", &err));
    MUST(review_next(r, MARK_FINDING, 1, true, &n, &err));
    cr_assert_eq(n, 0, "what the policy suppresses doesn't count");
    struct review_summary summary;
    MUST(review_summary(r, &summary, &err));
    cr_assert_eq(summary.findings[SEVERITY_HIGH] + summary.findings[SEVERITY_CRITICAL], 0);
    for (size_t width = 1; width < 40; width += 3) {
        struct strip_cell cells[40];
        MUST(review_strip(r, cells, width, &err));
        cr_assert(cells[width - 1].untrusted && cells[width - 1].is_private);
        cr_assert_eq(cells[0].untrusted, width < 4, "width %zu", width);
        size_t denied = 0;
        for (size_t i = 0; i < width; i++)
            denied += cells[i].denied;
        cr_assert_gt(denied, 0);
    }
    review_close(r);
    policy_destroy(policy);
    case_close(c);
}

Test(query, filters)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *policy = policy_of("additive");
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    static const struct {
        const char *text, *steps; /* digits; NULL: an error, which says `steps`'s place */
        const char *error;
    } cases[] = {
        {"", "12345678", NULL},
        {"tool:send_*", "67", NULL},
        {"tool:SEND_MAIL,list_*", "2367", NULL},
        {"-tool:*", "", NULL},
        {"kind:tool_call", "246", NULL},
        {"kind:tool_call -server:git*", "46", NULL},
        {"label:untrusted", "3", NULL},
        {"label:private", "5", NULL},
        {"context:untrusted kind:tool_call", "46", NULL},
        {"verdict:deny", "6", NULL},
        {"payroll", "34", NULL},
        {"PAYROLL -kind:tool_result", "4", NULL},
        {"\"base pay\"", "56", NULL},
        {"/pay(roll|ment)\\.csv/", "4", NULL},
        {"/^nothing$/", "", NULL},
        {"is:unanswered", "246", NULL},
        {"is:change", "35", NULL},
        {"since:2026-05-28T20:26:45Z", "678", NULL},
        {"before:2026-05-28T20:26:42Z", "12", NULL},
        {"before:2026-05-28", "", NULL},
        {"evidence:any", "", NULL},
        {"digest:sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "",
         NULL},
        {"digest:sha256:e3b0", NULL, "e3b0"},
        {"tols:x", NULL, "tols"},
        {"tool:x verdict:denny", NULL, "denny"},
        {"tool:", NULL, "not known"},
        {"tool:a,,b", NULL, "not known"},
        {"since:yesterday", NULL, "yesterday"},
        {"\"open", NULL, "no end"},
        {"/(/", NULL, "regular"},
        {"//", NULL, "empty"},
        {"label:loud", NULL, "loud"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct filter *f = filter_parse(span_of(cases[i].text), &err);
        cr_assert_eq(f != NULL, cases[i].steps != NULL, "%s", cases[i].text);
        if (!f) {
            cr_assert(strstr(err.what, cases[i].error), "%s: %s", cases[i].text, err.what);
            cr_assert(strstr(err.where, "character"), "%s", err.where);
            continue;
        }
        char got[20] = "", back[20] = "";
        int64_t steps[20], from = 1, looked;
        do { /* in slices of two steps, as a screen does it */
            long count = review_filter(r, f, from, true, 2, steps, 20, &looked, &err);
            cr_assert_geq(count, 0, "%s", err.what);
            for (long k = 0; k < count; k++)
                sprintf(got + strlen(got), "%d", (int)steps[k]);
            from = looked + 1;
        } while (looked < review_steps(r));
        cr_assert_str_eq(got, cases[i].steps, "%s", cases[i].text);
        long count = review_filter(r, f, 8, false, 100, steps, 20, &looked, &err);
        for (long k = count - 1; k >= 0; k--)
            sprintf(back + strlen(back), "%d", (int)steps[k]);
        cr_assert_str_eq(back, got, "backward: %s", cases[i].text);
        filter_destroy(f);
    }
    review_close(r);
    policy_destroy(policy);
    case_close(c);
}

Test(query, sessions)
{
    struct err err = {0};
    struct arena arena = {0};
    struct case_file *c = case_temporary(&err);
    struct policy *policy = policy_of("additive");
    struct session_view *views;
    size_t count;
    int64_t id;
    MUST(query_sessions(c, policy, &arena, &views, &count, &err));
    cr_assert_eq(count, 0);
    cr_assert_not(query_session_find(c, SPAN_EMPTY, &id, &err));
    int64_t one = write_session(c, "abc-1");
    MUST(query_session_find(c, SPAN_EMPTY, &id, &err));
    cr_assert_eq(id, one);
    int64_t two = write_session(c, "abd-2");
    MUST(query_sessions(c, policy, &arena, &views, &count, &err));
    cr_assert_eq(count, 2);
    cr_assert_eq(views[1].steps, 8);
    cr_assert_eq(views[1].events, 8);
    cr_assert_eq(views[1].first_denied, 6);
    cr_assert_eq(views[1].end_ns - views[1].begin_ns, 7000000000);
    struct buf opening = {0}, file = {0};
    MUST(query_session_opening(c, two, &file, &opening, &err));
    cr_assert(span_starts_with(buf_span(&opening), SPAN("Look at the open issues")), "%s",
              buf_cstr(&opening));
    cr_assert(span_is(buf_span(&file), "log.jsonl"), "%s", buf_cstr(&file));
    buf_finish(&opening);
    buf_finish(&file);
    static const struct {
        const char *word;
        int found; /* 1, 2; 0: an error */
    } words[] = {{"1", 1},   {"2", 2},  {"3", 0}, {"abc-1", 1},
                 {"abd", 2}, {"ab", 0}, {"x", 0}, {"", 0}};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        bool found = query_session_find(c, span_of(words[i].word), &id, &err);
        cr_assert_eq(found, words[i].found != 0, "%s", words[i].word);
        if (found)
            cr_assert_eq(id, words[i].found == 1 ? one : two);
        else
            cr_assert(strstr(err.todo, "abc-1"), "the error lists what there is: %s", err.todo);
    }
    policy_destroy(policy);
    arena_finish(&arena);
    case_close(c);
}

/* Two sessions that run each other, in a stranger's case: no hang. */
Test(query, circles_end)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t one = write_session(c, "one"), two = write_session(c, "two");
    MUST(store_child(c, 2, two, &err));
    MUST(store_child(c, 10, one, &err));
    struct policy *policy = policy_of("additive");
    struct review *r = review_open(c, one, policy, false, NULL, NULL, &err);
    MUST(r);
    struct flow_row row;
    struct arena arena = {0};
    cr_assert_eq(review_rows(r, 3, 1, 0, &arena, &row, &err), 1);
    cr_assert(label_is_private(row.label), "the answer carries the sub-agent's final label");
    review_close(r);
    policy_destroy(policy);
    arena_finish(&arena);
    case_close(c);
}

Test(query, why)
{
    struct err err = {0};
    struct arena arena = {0};
    struct case_file *c = case_temporary(&err);
    int64_t session = write_session(c, "one");
    struct policy *policy = policy_of("additive");
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    struct why why;
    MUST(review_why(r, 6, AXIS_INTEGRITY, &arena, &why, &err));
    cr_assert_geq(why.cause_count, 1);
    cr_assert(why.causes[0].bears);
    cr_assert_eq(why.causes[0].n, 3);
    cr_assert(strstr(why.causes[0].reasons[0].at, "mallory@example.org"), "%s",
              why.causes[0].reasons[0].at);
    cr_assert_eq(why.chain_count, 2);
    cr_assert_eq(why.chain[0].n, 3);
    cr_assert(span_is(why.chain[0].rule, "TA.untrusted"));
    cr_assert(span_is(why.chain[0].pointer, "/_meta/x"));
    cr_assert_eq(why.chain[1].n, 6);
    cr_assert_eq(why.chain[1].from, 3);
    MUST(review_why(r, 6, AXIS_CONFIDENTIALITY, &arena, &why, &err));
    cr_assert_eq(why.causes[0].n, 5);
    cr_assert_eq(why.chain[0].n, 5);
    MUST(review_why(r, 2, AXIS_INTEGRITY, &arena, &why, &err));
    cr_assert_eq(why.cause_count, 0, "nothing had come in");
    cr_assert_eq(why.chain_count, 1);
    MUST(review_why(r, 3, AXIS_INTEGRITY, &arena, &why, &err));
    cr_assert_eq(why.causes[0].n, 3, "the step that came in untrusted is itself the cause");
    cr_assert_not(review_why(r, 99, AXIS_INTEGRITY, &arena, &why, &err));
    review_close(r);
    policy_destroy(policy);
    arena_finish(&arena);
    case_close(c);
}

Test(query, evidence)
{
    struct err err = {0};
    struct arena arena = {0};
    struct policy *policy = policy_of("additive");
    for (int right = 0; right < 2; right++) {
        struct case_file *c = case_temporary(&err);
        int64_t session = write_session(c, "one");
        add_evidence(c, 7, right); /* the answer of send_mail */
        struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
        MUST(r);
        struct evidence_view *views;
        size_t count;
        MUST(review_evidence(r, 0, &arena, &views, &count, &err));
        cr_assert_eq(count, 1);
        cr_assert_eq(views[0].n, 7);
        cr_assert(span_is(views[0].verdict, right ? "recomputed" : "digest_mismatch"), "%s",
                  views[0].verdict.at);
        cr_assert(span_is(views[0].record, "r1"));
        struct derivation derived;
        MUST(review_derive(r, views[0].id, &arena, &derived, &err));
        cr_assert(derived.record.at && derived.canonical.at && derived.changes_known);
        cr_assert_eq(derived.same, right, "the screen derives what the verdict says");
        cr_assert_eq(span_equal(derived.computed, derived.wanted), right);
        cr_assert_eq(derived.diagnosed, !right);
        struct flow_row row;
        cr_assert_eq(review_rows(r, 7, 1, 0, &arena, &row, &err), 1);
        cr_assert_eq(row.evidence_count, 1);
        cr_assert_eq(row.evidence_ok, right);
        cr_assert_eq(row.evidence_bad, !right);
        cr_assert_eq(row.origin == ORIGIN_VERIFIED, right,
                     "a record speaks only where its digest holds");
        int64_t n;
        MUST(review_next(r, MARK_EVIDENCE_BAD, 1, true, &n, &err));
        cr_assert_eq(n, right ? 0 : 7);
        struct review_summary summary;
        MUST(review_summary(r, &summary, &err));
        cr_assert_eq(summary.evidence_recomputed, right);
        cr_assert_eq(summary.evidence_failed, !right);
        review_close(r);

        /* A stranger's case says that it verified: believed only until it is asked again. */
        MUST(db_exec(case_db(c), "UPDATE evidence_verdict SET verdict='recomputed', failed=0",
                     &err));
        r = review_open(c, session, policy, true, NULL, NULL, &err);
        MUST(review_evidence(r, 7, &arena, &views, &count, &err));
        cr_assert(span_is(views[0].verdict, right ? "recomputed" : "digest_mismatch"));
        review_close(r);
        case_close(c);
    }
    policy_destroy(policy);
    arena_finish(&arena);
}

/* Of a long session the few references are walked, of a short one its steps: the same answer. */
Test(query, evidence_in_a_long_session)
{
    struct err err = {0};
    struct arena arena = {0};
    struct policy *policy = policy_of("additive");
    struct case_file *c = case_temporary(&err);
    int64_t longer = write_session(c, "longer"), shorter = write_session(c, "shorter");
    struct step_sketch sketch = {STEP_PROMPT, "", 1, 0, 0, 0, 0, 10};
    for (int i = 0; i < 90; i++)
        add_step(c, longer, &sketch, 0);
    MUST(store_number_steps(c, longer, &err));
    add_evidence(c, 7, true);
    MUST(
        db_exec(case_db(c),
                "INSERT INTO evidence_ref(step_id, block, type, digest, canonicalization, schema,"
                " schema_version, ref, bad, raw, pointer) SELECT (SELECT id FROM step WHERE"
                " session_id=column1 AND n=column2), block, type, digest, canonicalization, schema,"
                " schema_version, ref, bad, raw, pointer FROM evidence_ref, (VALUES(1, 3), (2, 7))",
                &err));
    const struct {
        int64_t session, n[2];
        size_t count;
    } cases[] = {{longer, {3, 7}, 2}, {shorter, {7}, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct review *r = review_open(c, cases[i].session, policy, false, NULL, NULL, &err);
        MUST(r);
        cr_assert_eq(review_names_little(r, &err), cases[i].session == longer);
        struct evidence_view *views;
        struct review_summary summary;
        size_t count;
        MUST(review_evidence(r, 0, &arena, &views, &count, &err));
        cr_assert_eq(count, cases[i].count, "%zu: %zu", i, count);
        for (size_t k = 0; k < count; k++)
            cr_assert_eq(views[k].n, cases[i].n[k], "%zu: in the order of steps", i);
        MUST(review_summary(r, &summary, &err));
        cr_assert_eq(summary.evidence_refs, (int64_t)cases[i].count);
        cr_assert_eq(summary.evidence_recomputed, (int64_t)cases[i].count);
        review_close(r);
    }
    case_close(c);
    policy_destroy(policy);
    arena_finish(&arena);
}
