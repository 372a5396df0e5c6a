/* Cases that a stranger wrote, that are damaged, or that can't be written to: an answer or an
 * error, never a crash or a hang. */
#include <criterion/criterion.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "model/query/evidence.h"
#include "model/query/query.h"
#include "tests/unit/query_support.h"

/* All that a reader does with a case, on a copy that may not be written to. */
static bool look_at_everything(struct case_file *c, const struct policy *policy, struct err *err)
{
    struct arena arena = {0};
    struct session_view *sessions;
    struct flow_row rows[20];
    struct why why;
    struct strip_cell cells[20];
    struct claim_view *claims;
    struct finding_view *findings;
    struct buf text = {0};
    size_t count;
    bool cut;
    int64_t session = 0, steps[20], looked;
    bool ok = query_sessions(c, policy, &arena, &sessions, &count, err) &&
              query_session_find(c, SPAN_EMPTY, &session, err);
    struct review *r = ok ? review_open(c, session, policy, false, NULL, NULL, err) : NULL;
    ok = ok && r && review_check(r, NULL, NULL, err);
    ok = r && review_rows(r, 1, 20, FLOW_PREVIEW, &arena, rows, err) >= 0 &&
         review_strip(r, cells, 20, err);
    for (int64_t n = 1; ok && n <= review_steps(r) && n <= 20; n++) {
        struct flow_row row;
        struct replay_out out;
        ok = review_explain(r, n, &row, &out, err) &&
             review_why(r, n, AXIS_INTEGRITY, &arena, &why, err) &&
             review_claims(r, n, &arena, &claims, &count, err) &&
             review_findings(r, n, &arena, &findings, &count, err) &&
             review_message(r, n, 1000, &text, &cut, err);
    }
    struct filter *filter = filter_parse(SPAN("payroll -tool:x label:untrusted,private"), err);
    looked = 0;
    for (int64_t from = 1; ok && from <= review_steps(r); from = looked + 1) {
        ok = review_filter(r, filter, from, true, 1000, steps, 20, &looked, err) >= 0;
        cr_assert(!ok || looked >= from, "it comes to no end");
    }
    filter_destroy(filter);
    review_close(r);
    buf_finish(&text);
    arena_finish(&arena);
    return ok;
}

static void write_file(const char *path)
{
    struct err err = {0};
    struct case_file *c = case_create(path, &err);
    MUST(c);
    write_session(c, "one");
    add_evidence(c, 7, true);
    case_close(c);
}

Test(query_hostile, beside_a_case_that_cannot_be_written_to)
{
    struct err err = {0};
    struct folder f = folder_make("a.strand");
    struct policy *policy = policy_of("additive");
    write_file(f.file);
    cr_assert_eq(chmod(f.file, 0444), 0);
    cr_assert_eq(chmod(f.path, 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 &&
            (chown(f.path, 65534, 65534) || chown(f.file, 65534, 65534) || setuid(65534)))
            _exit(9);
        struct case_file *c = case_open(f.file, &err);
        bool ok = c && !case_is_writable(c) && look_at_everything(c, policy, &err) &&
                  ask(c, "SELECT count(*) FROM v_step WHERE verdict = 'deny'") == 1 &&
                  ask(c, "SELECT count(*) FROM main.run") == 0;
        if (!ok)
            err_print(&err);
        case_close(c);
        _exit(!ok);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    chmod(f.path, 0755);
    folder_remove(&f);
    policy_destroy(policy);
}

/* A search that goes on from where it was comes to an end. */
static void look_for_all(struct review *r, const char *change)
{
    struct err err = {0};
    struct filter *filter = filter_parse(SPAN("a"), &err);
    int64_t steps[4], looked_to;
    MUST(filter);
    for (int64_t from = 1; from <= review_steps(r); from = looked_to + 1) {
        if (review_filter(r, filter, from, true, 4, steps, 4, &looked_to, &err) < 0)
            break;
        cr_assert(looked_to >= from, "%s", change);
        if (looked_to == INT64_MAX)
            break;
    }
    filter_destroy(filter);
}

/* Rows that no importer would write, in a file that is sound: no crash, no hang; an error is fine.
 */
Test(query_hostile, hostile_rows)
{
    static const char *const changes[] = {
        "UPDATE step SET kind='nonsense'",
        "UPDATE step SET offset=-1",
        "UPDATE step SET length=1<<62",
        "UPDATE step SET source_id=99",
        "UPDATE step SET event_id=99",
        "UPDATE step SET call_id=id",
        "UPDATE step SET child_id=session_id",
        "UPDATE step SET n=n*1000000007",
        "UPDATE step SET n=-n",
        "UPDATE step SET n=9223372036854775807 WHERE n=(SELECT max(n) FROM step)",
        "UPDATE step SET time_ns=9223372036854775807, time_digits=77",
        "UPDATE step SET recipe='s;s;s;/a;z;'",
        "UPDATE step SET recipe='@9999999999999999999+1;'",
        "UPDATE step SET definition_id=-5, server_id=-7, outcome='maybe'",
        "UPDATE source SET clock_offset_ns=9223372036854775807",
        "UPDATE claim SET block=-9, shape='x'",
        "UPDATE claim SET value='{', pointer='//~', name=''",
        "UPDATE claim SET value=NULL",
        "UPDATE evidence_ref SET raw='[[[['",
        "UPDATE evidence_ref SET step_id=99",
        "UPDATE record SET offset=1<<50",
        "UPDATE session SET parent_id=id",
        "UPDATE step SET id=9223372036854775807 WHERE n=(SELECT max(n) FROM step)",
        "UPDATE step SET id=9223372036854775807 WHERE n=2",
        "UPDATE run SET id=9223372036854775807",
        "DELETE FROM event",
        "DELETE FROM frame",
        "DELETE FROM step WHERE n=3",
        "UPDATE OR IGNORE label SET json='x'",
        "UPDATE label SET json=replace(json, 'everyone', 'nobody at all')",
        "UPDATE run_step SET before_id=99, after_id=99",
        "DELETE FROM run_step WHERE n=4",
        "UPDATE run_step SET verdict='x', role=99, origin='y', role_origin='z', changed=77",
        "UPDATE run SET steps=9223372036854775807",
        "UPDATE run SET final_label=99",
        "UPDATE finding SET severity=99, n=-1, rank=-1",
        "UPDATE finding SET n=1<<40",
        "UPDATE evidence_verdict SET verdict='recomputed', record_id=99",
    };
    struct policy *policy = policy_of("fides");
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        struct err err = {0};
        struct case_file *c = case_temporary(&err);
        write_session(c, "one");
        add_evidence(c, 7, i % 2);
        cr_assert(look_at_everything(c, policy, &err), "%s", err.what);
        MUST(db_exec(case_db(c), changes[i], &err));
        if (!look_at_everything(c, policy, &err))
            cr_assert(err.what[0], "%s", changes[i]);
        struct review *r = review_open(c, 1, policy, true, NULL, NULL, &err);
        if (r && !review_check(r, NULL, NULL, &err))
            cr_assert(err.what[0], "%s", changes[i]);
        if (r)
            look_for_all(r, changes[i]);
        review_close(r);
        look_at_everything(c, policy, &err);
        case_close(c);
    }
    policy_destroy(policy);
}

/* Any bytes of the file changed: it doesn't open, or all that is asked of it is answered or
 * refused. */
Test(query_hostile, hostile_bytes, .timeout = 240)
{
    struct folder f = folder_make("a.strand");
    char bad[160];
    snprintf(bad, sizeof bad, "%s/b.strand", f.path);
    struct policy *policy = policy_of("additive");
    write_file(f.file);
    struct err err = {0};
    struct case_file *c = case_open(f.file, &err);
    MUST(c);
    cr_assert(look_at_everything(c, policy, &err), "%s",
              err.what); /* so that there is a run in it */
    case_close(c);
    const char *runs = getenv("STRANDLINE_RUNS"); /* for longer searches by hand */
    uint32_t seeds = runs ? (uint32_t)atoi(runs) : 150;
    int opened = 0;
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        corrupt(f.file, bad, seed);
        c = case_open(bad, &err);
        if (!c)
            continue;
        opened++;
        err = (struct err){0};
        if (!look_at_everything(c, policy, &err))
            cr_assert(err.what[0], "seed %u", seed);
        case_close(c);
    }
    cr_assert_gt(opened, 0);
    folder_remove(&f);
    policy_destroy(policy);
}
