#include <criterion/criterion.h>

#include "tests/unit/case_support.h"

static int64_t session_of(struct case_file *c, const char *name)
{
    struct err err = {0};
    struct session_row row = {.name = span_of(name)};
    int64_t id = store_session(c, &row, &err);
    MUST(id);
    return id;
}

/* The sources of the steps in order, as a word: "abab". */
static void order_of(struct case_file *c, int64_t session, const int64_t *sources, char *word)
{
    struct err err = {0};
    struct stmt *stmt = db_stmt(
        case_db(c), "SELECT source_id, n, time_ns FROM step WHERE session_id=?1 ORDER BY n", &err);
    MUST(stmt);
    stmt_bind_int(stmt, 1, session);
    int64_t n = 0;
    while (stmt_step(stmt, &err) > 0) {
        cr_assert_eq(stmt_int(stmt, 1), ++n, "numbers have no gap");
        *word++ = stmt_int(stmt, 0) == sources[0] ? 'a' : 'b';
    }
    *word = '\0';
    stmt_finish(stmt);
}

/* Times of the steps of two sources, in the order in which they are stored; -1: none. */
static const struct {
    const char *sources; /* of the steps, as stored */
    int64_t times[6];
    int64_t offset_b; /* clock of the second source */
    const char *order;
} orders[] = {
    {"aaa", {3, 2, 1}, 0, "aaa"}, /* one source: by position, whatever the clock */
    {"aaabbb", {1, 3, 5, 2, 4, 6}, 0, "ababab"},
    {"aaabbb", {1, 3, 5, 2, 4, 6}, 10, "aaabbb"}, /* clock offset */
    {"aaabbb", {1, 3, 5, 2, 4, 6}, -10, "bbbaaa"},
    {"aaabbb", {1, 1, 1, 1, 1, 1}, 0, "aaabbb"},   /* equal times: source by source */
    {"aaabbb", {1, 9, 2, 3, 4, 5}, 0, "abbbaa"},   /* position outranks the clock inside a source */
    {"aaabbb", {-1, 3, -1, 2, 4, 6}, 0, "baaabb"}, /* no time: that of the one before */
    {"aaabbb", {-1, -1, -1, 0, 0, 0}, 0, "aaabbb"}, /* a source without times */
    {"bbbaaa", {-1, -1, -1, 0, 0, 0}, 0, "aaabbb"},
    {"ababab", {1, 2, 3, 4, 5, 6}, 0, "ababab"},
};

Test(store, steps_are_numbered)
{
    struct err err = {0};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        struct case_file *c = case_temporary(&err);
        MUST(c);
        MUST(db_begin(case_db(c), &err));
        int64_t sources[2] = {add_source(c, SPAN("aaaaaaaaaa")), add_source(c, SPAN("bbbbbbbbbb"))};
        struct stmt *offset =
            db_stmt(case_db(c), "UPDATE source SET clock_offset_ns=?2 WHERE id=?1", &err);
        stmt_bind_int(offset, 1, sources[1]);
        stmt_bind_int(offset, 2, orders[i].offset_b);
        MUST(stmt_run(offset, &err));
        int64_t session = session_of(c, "s");
        for (size_t k = 0; orders[i].sources[k]; k++) {
            struct step_sketch s = {STEP_PROMPT, "", sources[orders[i].sources[k] - 'a'],
                                    0,           0,  orders[i].times[k],
                                    k,           1};
            add_step(c, session, &s, 0);
        }
        MUST(store_number_steps(c, session, &err));
        char word[8];
        order_of(c, session, sources, word);
        cr_assert_str_eq(word, orders[i].order, "case %zu", i);
        cr_assert_eq(ask(c, "SELECT count(*) FROM step a JOIN step b ON a.source_id = b.source_id"
                            " AND a.id < b.id AND a.n > b.n"),
                     0, "position inside a source, case %zu", i);
        /* A step that comes later goes to the end, and numbering again changes nothing. */
        struct step_sketch last = {STEP_PROMPT, "", sources[1], 0, 0, 1000000, 9, 1};
        add_step(c, session, &last, 0);
        MUST(store_number_steps(c, session, &err));
        order_of(c, session, sources, word);
        MUST(db_commit(case_db(c), &err));
        case_close(c);
    }
}

Test(store, a_rolled_back_step_leaves_no_gap)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t source = add_source(c, SPAN("x")), session = session_of(c, "s");
    struct step_sketch s = {STEP_PROMPT, "", source, 0, 0, -1, 0, 1};
    MUST(db_begin(case_db(c), &err));
    add_step(c, session, &s, 0);
    db_rollback(case_db(c));
    MUST(db_begin(case_db(c), &err));
    add_step(c, session, &s, 0);
    MUST(db_commit(case_db(c), &err));
    cr_assert_eq(ask(c, "SELECT n FROM step"), 1);
    case_close(c);
}

Test(store, rows)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    int64_t source = add_source(c, SPAN("{\"a\":true}")), session = session_of(c, "s");
    int64_t server = store_server(c, SPAN("github"), &err);
    cr_assert_eq(store_server(c, SPAN("github"), &err), server);
    cr_assert_neq(store_server(c, SPAN("slack"), &err), server);

    struct buf longest = {0};
    buf_fill(&longest, 'x', 100000);
    int64_t a = store_server(c, buf_span(&longest), &err);
    longest.at[99999] = 'y';
    cr_assert_neq(store_server(c, buf_span(&longest), &err), a, "long names stay apart");
    cr_assert_leq(ask(c, "SELECT max(length(CAST(name AS BLOB))) FROM server"), STORE_NAME_MAX);

    struct step_sketch s = {STEP_TOOL_CALL, "get", source, server, 0, -1, 0, 10};
    int64_t call = add_step(c, session, &s, 0);
    cr_assert_eq(ask(c, "SELECT outcome = 'unanswered' FROM step"), 1);
    MUST(store_outcome(c, call, OUTCOME_COMPLETED, &err));
    cr_assert_eq(ask(c, "SELECT outcome = 'completed' FROM step"), 1);
    s.kind = STEP_TOOL_RESULT;
    int64_t result = add_step(c, session, &s, call);
    cr_assert_eq(ask(c, "SELECT call_id FROM step WHERE kind = 'tool_result'"), call);
    cr_assert_eq(ask(c, "SELECT outcome IS NULL FROM step WHERE kind = 'tool_result'"), 1);

    struct claim_row claim = {.step = result,
                              .block = -1,
                              .shape = "trust",
                              .name = SPAN("untrusted"),
                              .value = buf_span(&longest),
                              .pointer = SPAN("/_meta")};
    MUST(store_claim(c, &claim, &err));
    cr_assert_eq(ask(c, "SELECT value IS NULL AND problem IS NULL FROM claim"), 1,
                 "too long to keep twice");

    struct evidence_row evidence = {.step = result,
                                    .block = -1,
                                    .type = SPAN("ifc.fides.v1"),
                                    .digest = SPAN(""),
                                    .raw = SPAN("{}"),
                                    .pointer = SPAN("/x")};
    MUST(store_evidence_ref(c, &evidence, &err));
    cr_assert_eq(ask(c, "SELECT digest = '' AND ref IS NULL FROM evidence_ref"), 1,
                 "empty is not absent");

    struct definition_row definition = {
        .step = result,
        .tool = SPAN("get"),
        .at = {source, 0, 10, SPAN_EMPTY},
        .hints = {true, TRI_TRUE, TRI_ABSENT, TRI_ABSENT, TRI_FALSE}};
    MUST(store_definition(c, &definition, &err));
    cr_assert_eq(
        ask(c, "SELECT read_only = 1 AND destructive IS NULL AND open_world = 0 AND digest IS NULL"
               " FROM definition"),
        1);

    for (int i = 0; i < 3; i++)
        MUST(store_account(c, source, "noise", SPAN("progress"), 1, 10, &err));
    cr_assert_eq(ask(c, "SELECT units * 1000 + bytes FROM account"), 3030);
    buf_finish(&longest);
    cr_assert_eq(ask(c, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    case_close(c);
}
