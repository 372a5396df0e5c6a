#include "tests/unit/case_support.h"

#include "model/redact/redact.h"

#define TOKEN "ghp_0123456789abcdefghijABCDEFGHIJ012345"

static void check_find(bool secrets, const char *word, const char *text, const char *left)
{
    struct masks *masks = masks_create(secrets);
    struct arena arena = {0};
    struct mask_hit *hits;
    size_t count;
    char copy[400];
    snprintf(copy, sizeof copy, "%s", text);
    if (word)
        masks_add(masks, span_of(word));
    masks_find(masks, span_of(text), &arena, &hits, &count);
    for (size_t i = 0; i < count; i++)
        mask_over(copy + hits[i].offset, (size_t)hits[i].length);
    cr_expect_str_eq(copy, left);
    arena_finish(&arena);
    masks_destroy(masks);
}

Test(masks, words_in_every_way_they_are_written)
{
    check_find(false, "Ann Lee", "Dear Ann Lee,", "Dear redacte,");
    check_find(false, "Jos\u00e9 \"J\"", "{\"n\":\"Jos\u00e9 \\\"J\\\"\"}",
               "{\"n\":\"redacted***\"}");
    check_find(false, "Jos\u00e9", "Jos\\u00e9 Jos\\\\u00e9 Jos\u00e9",
               "redacted* redacted** redac");
    check_find(false, "a\nb", "x a\\nb x", "x reda x");
    /* as JSON may, but hardly anybody does; in JSON in JSON in JSON; as Go and as PHP do */
    check_find(false, "Ann", "\\u0041nn \\u0041\\u006E\\u006en \\\\u0041nn",
               "redacted redacted**********n redacted*");
    check_find(false, "<a@b.c>", "\\u003ca@b.c\\u003e \\\\u003Ca@b.c>",
               "redacted********* redacted*****");
    check_find(false, "a/b", "a\\/b a\\\\\\/b", "reda redact");
    check_find(false, "C:\\Ann", "C:\\Ann C:\\\\Ann C:\\\\\\\\Ann", "redact redacte redacted*");
    check_find(false, "say \"x\"", "say \\\"x\\\" say \\\\\\\"x\\\\\\\"",
               "redacted* redacted*****");
    check_find(false, "\U0001f600!", "\\ud83d\\ude00! \\\\uD83D\\\\uDE00! \U0001f600!",
               "redacted***** redacted******* redac");
    /* in an address, and in base64 at each of the three places */
    check_find(false, "Ann L\u00e9e", "?n=Ann%20L%C3%A9e&m=Ann+L%c3%a9e",
               "?n=redacted******&m=redacted****");
    check_find(false, "Ann Lee", "QW5uIExlZQ eEFubiBMZWU eHhBbm4gTGVl",
               "redacted*Q eEredactedU eHhredacted*");
    check_find(false, "Ann Lee", "ANN LEE \\u0061nn lee %41nn+lee",
               "redacte redacted**** redacted*");
    check_find(false, "Ann Lee", "416e6e204c6565 414E4E204C4545 x616e6e206c6565 QU5OIExFRQ",
               "redacted****** redacted****** xredacted****** redacted*Q");
    check_find(false, "Ann", "416e6e", "416e6e"); /* three bytes of hex are anybody's */
    check_find(false, "Ann Lee", "Ann  Lee, Ann\\nLee, Ann\nLee, AnnLee",
               "redacted, redacted, red\ncte, AnnLee");
    /* what stands in its place is never what was there */
    check_find(false, "99999", "x 99999 y", "x 00000 y");
    check_find(false, "redacted", "redacted", "########");
    check_find(false, "Ann", "An\\n \\\\ Anm %41n", "An\\n \\\\ Anm %41n");
    check_find(false, "5551234", "{\"tel\":5551234}", "{\"tel\":9999999}");
    check_find(false, "aba", "ababa", "redac");
    check_find(true, NULL, "token " TOKEN " end",
               "token redacted******************************** end");
    check_find(false, NULL, "token " TOKEN, "token " TOKEN);
    check_find(true, "kgh", "kghp_x " TOKEN, "redp_x redacted********************************");
}

/* Does the text stand anywhere in the bytes that the case keeps of the source? */
static bool keeps(struct case_file *c, int64_t source, uint64_t bytes, const char *text)
{
    struct err err = {0};
    struct buf all = {0};
    MUST(source_read(c, source, 0, bytes, &all, &err));
    bool found = span_find(buf_span(&all), span_of(text)) < all.len;
    buf_finish(&all);
    return found;
}

Test(redact, nothing_of_it_is_left)
{
    /* Around the ends of frames, of windows, and of the source. */
    static const uint64_t places[] = {7, SOURCE_FRAME - 20, 4 * 1024 * 1024 - 64 * 1024 - 10,
                                      4 * 1024 * 1024 - 20, 5 * 1024 * 1024 - sizeof TOKEN};
    struct err err = {0};
    struct case_file *from = case_temporary(&err), *into = case_temporary(&err);
    MUST(from && into);
    struct buf bytes = {0};
    buf_fill(&bytes, ' ', 5 * 1024 * 1024);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        memcpy(bytes.at + places[i], TOKEN, sizeof TOKEN - 1);
    MUST(db_begin(case_db(from), &err));
    int64_t source = add_source(from, buf_span(&bytes));
    struct session_row row = {.name = SPAN("of " TOKEN)};
    int64_t session = store_session(from, &row, &err);
    MUST(session);
    struct step_sketch sketch = {
        .kind = STEP_TOOL_CALL, .tool = "t", .source = source, .time_ns = -1, .length = 100};
    add_step(from, session, &sketch, 0);
    sketch.offset = 1000;
    add_step(from, session, &sketch, 0);
    MUST(db_commit(case_db(from), &err));

    struct masks *masks = masks_create(true);
    struct redact_totals totals = {0};
    MUST(case_redact(from, into, masks, &totals, NULL, NULL, &err));
    cr_expect_eq(totals.places, COUNT_OF(places));
    cr_expect_eq(totals.bytes, (int64_t)(COUNT_OF(places) * (sizeof TOKEN - 1)));
    cr_expect_eq(totals.texts, 1);
    cr_expect(keeps(from, source, bytes.len, TOKEN));
    cr_expect_not(keeps(into, source, bytes.len, "ghp_"));
    cr_expect_not(keeps(into, source, bytes.len, "J012345"));

    enum source_state state;
    MUST(source_verify(from, source, &state, &err));
    cr_expect_eq(state, SOURCE_UNCHANGED);
    MUST(source_verify(into, source, &state, &err));
    cr_expect_eq(state, SOURCE_REDACTED);
    struct stmt *stmt = db_prepare(
        case_db(into), SPAN("SELECT sum(flags & 2), min(name) FROM step, session"), &err);
    MUST(stmt && stmt_step(stmt, &err) > 0);
    cr_expect_eq(stmt_int(stmt, 0), 2, "one of the two steps lost something");
    cr_expect(span_is(stmt_text(stmt, 1), "of redacted********************************"));
    stmt_finish(stmt);
    masks_destroy(masks);
    buf_finish(&bytes);
    case_close(from);
    case_close(into);
}

Test(redact, what_is_encoded_goes_whole)
{
    /* base64 of "to Ann Lee" */
    static const char text[] = "\"dG8gQW5uIExlZQ==\" and more";
    struct err err = {0};
    struct case_file *from = case_temporary(&err), *into = case_temporary(&err);
    MUST(from && into);
    MUST(db_begin(case_db(from), &err));
    int64_t source = add_source(from, span_of(text));
    struct session_row session_row = {.name = SPAN("s")};
    int64_t session = store_session(from, &session_row, &err);
    struct extent at = {source, 0, 18, SPAN("s;b;")};
    struct event_row event = {
        .session = session, .at = at, .line = 1, .time_digits = -1, .kind = "other"};
    int64_t event_id = store_event(from, &event, &err);
    struct step_row step = {
        .session = session, .event = event_id, .kind = STEP_PROMPT, .body = at, .time_digits = -1};
    MUST(event_id && store_step(from, &step, &err));
    MUST(store_record(from, &at, SPAN("r"), "json", &err));
    MUST(db_commit(case_db(from), &err));
    struct masks *masks = masks_create(false);
    masks_add(masks, SPAN("Ann Lee"));
    struct redact_totals totals = {0};
    MUST(case_redact(from, into, masks, &totals, NULL, NULL, &err));
    cr_expect(totals.places == 1 && totals.bytes == 18 && totals.packed == 3);
    struct extent now = {source, 0, 18, SPAN_EMPTY};
    struct buf body = {0};
    MUST(case_read(into, &now, 0, &body, NULL, &err));
    cr_expect(span_is(buf_span(&body), "redacted**********"));
    struct stmt *stmt =
        db_prepare(case_db(into), SPAN("SELECT count(*) FROM step WHERE recipe IS NULL"), &err);
    MUST(stmt && stmt_step(stmt, &err) > 0);
    cr_expect_eq(stmt_int(stmt, 0), 1, "there is nothing to decode any more");
    stmt_finish(stmt);
    buf_finish(&body);
    masks_destroy(masks);
    case_close(from);
    case_close(into);
}
