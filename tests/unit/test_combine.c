#include "tests/unit/case_support.h"

#include "model/case/combine.h"
#include "model/query/notes.h"

/* A case whose one session has a call and its result; the source's bytes are those given. */
static struct case_file *small_case(const char *name, struct span bytes)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    MUST(c);
    MUST(db_begin(case_db(c), &err));
    int64_t source = add_source(c, bytes);
    int64_t server = store_server(c, SPAN("github"), &err);
    struct session_row row = {.name = span_of(name)};
    int64_t session = store_session(c, &row, &err);
    MUST(session && store_session_source(c, session, source, &err));
    struct step_sketch call = {.kind = STEP_TOOL_CALL,
                               .tool = name,
                               .source = source,
                               .server = server,
                               .time_ns = -1,
                               .length = 4};
    struct step_sketch result = call;
    result.kind = STEP_TOOL_RESULT;
    result.offset = 4;
    int64_t call_id = add_step(c, session, &call, 0);
    int64_t result_id = add_step(c, session, &result, call_id);
    struct claim_row claim = {.step = result_id,
                              .block = -1,
                              .shape = "trust",
                              .name = SPAN("untrusted"),
                              .value = SPAN("true"),
                              .pointer = SPAN("/_meta")};
    MUST(store_claim(c, &claim, &err));
    MUST(store_account(c, source, "event", SPAN_EMPTY, 2, bytes.len, &err));
    MUST(store_number_steps(c, session, &err));
    MUST(db_commit(case_db(c), &err));
    return c;
}

/* The one number that a query gives. */
static int64_t number(struct case_file *c, const char *sql)
{
    struct err err = {0};
    struct stmt *stmt = db_prepare(case_db(c), span_of(sql), &err);
    MUST(stmt && stmt_step(stmt, &err) > 0);
    int64_t value = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return value;
}

static bool always(void *arg)
{
    (void)arg;
    return true;
}

Test(combine, what_is_new_comes_and_what_is_held_does_not)
{
    struct err err = {0};
    struct case_file *into = small_case("ours", SPAN("aaaabbbb"));
    struct case_file *from = small_case("theirs", SPAN("ccccdddd"));
    struct combine_totals totals = {0};
    MUST(note_add(from, 1, 2, SPAN("look"), &err));
    MUST(mark_set(from, 1, 'a', 1, &err));
    MUST(case_combine(into, from, &(struct combine_options){0}, &totals, &err));
    cr_expect(totals.sources == 1 && totals.sessions == 1 && totals.notes == 2);
    cr_expect(totals.held_sources == 0 && totals.held_sessions == 0);
    static const struct {
        const char *sql;
        int64_t value;
    } facts[] = {
        {"SELECT count(*) FROM session", 2},
        {"SELECT count(*) FROM server", 1},
        {"SELECT count(*) FROM pragma_foreign_key_check", 0},
        {"SELECT count(*) FROM step r JOIN step c ON c.id = r.call_id"
         " WHERE c.session_id = r.session_id AND c.tool = r.tool",
         2},
        {"SELECT count(*) FROM claim JOIN step ON step.id = step_id WHERE step.n = 2", 2},
        {"SELECT count(*) FROM step JOIN event ON event.id = event_id"
         " WHERE event.source_id = step.source_id AND event.session_id = step.session_id",
         4},
        {"SELECT count(*) FROM note JOIN step ON step.id = step_id"
         " WHERE tool = 'theirs' AND step.session_id = note.session_id",
         2},
        {"SELECT sum(bytes) FROM account", 16},
    };
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT_OF(facts); i++)
            cr_expect_eq(number(into, facts[i].sql), facts[i].value, "%s", facts[i].sql);
        totals = (struct combine_totals){0};
        MUST(case_combine(into, from, &(struct combine_options){0}, &totals,
                          &err)); /* again: nothing is new */
        cr_expect(totals.sources == 0 && totals.sessions == 0 && totals.notes == 0);
        cr_expect(totals.held_sources == 1 && totals.held_sessions == 1);
    }
    struct buf text = {0};
    struct extent at = {number(into, "SELECT max(id) FROM source"), 4, 4, SPAN_EMPTY};
    MUST(case_read(into, &at, 0, &text, NULL, &err));
    cr_expect(span_is(buf_span(&text), "dddd"), "the bytes came too");
    buf_finish(&text);
    case_close(from);
    case_close(into);
}

Test(combine, notes_of_a_session_that_is_held_come)
{
    struct err err = {0};
    struct case_file *into = small_case("same", SPAN("aaaabbbb"));
    struct case_file *from = small_case("same", SPAN("aaaabbbb"));
    struct combine_totals totals = {0};
    MUST(mark_set(into, 1, 'a', 1, &err));
    MUST(mark_set(from, 1, 'a', 2, &err));
    MUST(note_add(from, 1, 2, SPAN("theirs"), &err));
    MUST(note_add(from, 1, 0, SPAN("of the session"), &err));
    MUST(case_combine(into, from, &(struct combine_options){0}, &totals, &err));
    cr_expect(totals.sessions == 0 && totals.held_sessions == 1 && totals.notes == 2);
    cr_expect_eq(number(into, "SELECT count(*) FROM session"), 1);
    cr_expect_eq(number(into, "SELECT n FROM note JOIN step ON step.id = step_id WHERE mark = 'a'"),
                 1, "our own mark stays");
    cr_expect_eq(number(into, "SELECT count(*) FROM note WHERE step_id IS NULL"), 1);
    case_close(from);
    case_close(into);
}

Test(combine, all_or_nothing)
{
    struct err err = {0};
    struct case_file *into = small_case("ours", SPAN("aaaabbbb"));
    struct case_file *from = small_case("theirs", SPAN("ccccdddd"));
    struct combine_totals totals = {0};
    MUST(db_begin(case_db(from), &err));
    for (int i = 0; i < 5000; i++)
        MUST(store_account(from, 1, "noise", (struct span){(const char *)&i, 2}, 1, 0, &err));
    MUST(db_commit(case_db(from), &err));
    cr_expect_not(
        case_combine(into, from, &(struct combine_options){.stop = always}, &totals, &err));
    cr_expect_str_eq(err.what, "interrupted, so nothing was added");
    cr_expect(totals.sources == 0 && totals.sessions == 0);
    cr_expect_eq(number(into, "SELECT count(*) FROM source"), 1);
    case_close(from);
    case_close(into);
}

Test(notes, are_listed_changed_and_deleted)
{
    struct err err = {0};
    struct arena arena = {0};
    struct note_view *notes;
    size_t count = 0;
    struct case_file *c = small_case("ours", SPAN("aaaabbbb"));
    MUST(note_add(c, 1, 2, SPAN("second"), &err));
    MUST(note_add(c, 1, 1, SPAN("first"), &err));
    MUST(mark_set(c, 1, 'a', 2, &err));
    MUST(notes_list(c, 0, 0, &arena, &notes, &count, &err));
    cr_assert_eq(count, 3);
    cr_expect(notes[0].session == 1 && notes[0].n == 1 && span_is(notes[0].text, "first"));
    MUST(note_change(c, notes[1].id, SPAN("other words"), &err));
    MUST(note_delete(c, notes[0].id, &err));
    MUST(notes_list(c, 1, 2, &arena, &notes, &count, &err));
    cr_assert_eq(count, 2);
    cr_expect(span_is(notes[0].text, "other words"));
    cr_expect_eq(notes[1].mark, 'a');
    MUST(notes_list(c, 2, 0, &arena, &notes, &count, &err));
    cr_expect_eq(count, 0, "of a session that has none");
    arena_finish(&arena);
    case_close(c);
}
