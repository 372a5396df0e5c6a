/*
 * Every screen against its golden text, at three sizes, from a small model of
 * its own. STRANDLINE_UPDATE=1 writes the goldens anew: then look at the diff.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/fake_review.h"
#include "tests/unit/files.h"
#include "tui/core.h"

struct shot {
    const char *name;
    const struct fake_session *session;
    const char *script;
};

static const struct shot shots[] = {
    {"flow", &fake_github, ""},
    {"flow-top", &fake_github, "g"},
    {"flow-violation", &fake_github, "g v"},
    {"flow-label-tab", &fake_github, "g v 3"},
    {"flow-result-open", &fake_github, "u Enter"},
    {"flow-filter", &fake_github, "&tool:get_"},
    {"flow-filter-none", &fake_github, "&nothing-like-this"},
    {"flow-filter-bad", &fake_github, "&bad:word"},
    {"flow-search", &fake_github, "/payroll"},
    {"flow-search-none", &fake_github, "/nothing-like-this"},
    {"flow-evidence-tab", &fake_github, "u 4"},
    {"flow-raw-tab", &fake_github, "g j j 5"},
    {"flow-notes-tab", &fake_github, "u m k a text Enter 6"},
    {"notebook-none", &fake_github, "A"},
    {"notebook", &fake_github, "u m k a text Enter g v a other Enter A"},
    {"notebook-edited", &fake_github, "u a text Enter A E - changed Enter m k"},
    {"notebook-deleted", &fake_github, "u m k a text Enter A j X"},
    {"notebook-restored", &fake_github, "u m k a text Enter A j X U"},
    {"why", &fake_github, "g v w"},
    {"findings", &fake_github, "f"},
    {"evidence", &fake_github, "e"},
    {"evidence-mismatch", &fake_github, "e j j"},
    {"egress", &fake_github, "x"},
    {"tools", &fake_github, "d j"},
    {"sql", &fake_github, ":sql SELECT step, tool FROM v_step"},
    {"sql-refused", &fake_github, ":sql DELETE FROM step"},
    {"record", &fake_github, "i"},
    {"whatif-none", &fake_github, "u c"},
    {"whatif", &fake_github, "u L Enter"},
    {"policy", &fake_github, ":policy fides"},
    {"help", &fake_github, "?"},
    {"palette", &fake_github, "g : f i"},
    {"report", &fake_github, "R"},
    {"lesson", &fake_github, ":lesson"},
    {"lesson-told", &fake_github, "g : lesson Enter 1"},
    {"elsewhere-alone", &fake_github, "u O"},
    {"diff-alone", &fake_github, "="},
    {"quiet", &fake_quiet, "G"},
    {"empty", &fake_empty, ""},
};

static const int sizes[][2] = {{24, 80}, {36, 120}, {50, 200}};

static struct explorer *open_shot(const struct fake_session *session, size_t count, int rows,
                                  int columns, bool ascii)
{
    struct explorer_options options = {
        .name = "cases/incident.strand", .rows = rows, .columns = columns, .ascii = ascii};
    struct err err = {0};
    fake_use(session, count);
    struct explorer *x = explorer_create(&options, &err);
    cr_assert(x, "%s", err.what);
    return x;
}

static void settle(struct explorer *x)
{
    while (explorer_idle(x))
        ;
}

static void take_shot(struct explorer *x, const char *script, struct buf *out)
{
    settle(x);
    explorer_frame(x);
    explorer_line(x, span_of(script));
    settle(x);
    explorer_frame(x);
    settle(x);
    cells_text_styled(explorer_frame(x), out);
}

/* Equal to the golden, or (asked to) the new golden. */
static bool holds(const char *name, int rows, int columns, bool ascii, const struct buf *shot)
{
    struct buf path = {0}, golden = {0};
    files_project("tests/golden/screens/", &path);
    buf_addf(&path, "%s-%dx%d%s.txt", name, columns, rows, ascii ? "-ascii" : "");
    if (getenv("STRANDLINE_UPDATE"))
        cr_assert(files_write(buf_cstr(&path), buf_span(shot)), "%s", buf_cstr(&path));
    bool same =
        files_read(buf_cstr(&path), &golden) && span_equal(buf_span(&golden), buf_span(shot));
    if (!same)
        cr_log_error("%s differs; the screen is now:\n%.*s", buf_cstr(&path), (int)shot->len,
                     shot->at);
    buf_finish(&path);
    buf_finish(&golden);
    return same;
}

Test(screens, are_as_they_were)
{
    int failed = 0;
    for (size_t i = 0; i < COUNT_OF(shots); i++) {
        for (size_t k = 0; k < COUNT_OF(sizes); k++) {
            struct buf shot = {0};
            struct explorer *x = open_shot(shots[i].session, 1, sizes[k][0], sizes[k][1], false);
            take_shot(x, shots[i].script, &shot);
            failed += !holds(shots[i].name, sizes[k][0], sizes[k][1], false, &shot);
            explorer_destroy(x);
            buf_finish(&shot);
        }
    }
    cr_assert_eq(failed, 0, "%d screens differ", failed);
}

/* Screens of a case with several sessions. */
Test(screens, several_sessions)
{
    static const struct {
        const char *name, *script;
    } of_several[] = {
        {"sessions", "j"},
        {"sessions-sorted", "r"},
        {"sessions-filter", "&verdict:deny"},
        {"elsewhere", "Enter u O"},
        {"search-case", ":search-case payroll"},
        {"search-case-none", "Enter \\ nothing-like-this Enter"},
        {"diff-choose", "Enter ="},
        {"diff", "Enter = Enter j j"},
    };
    const struct fake_session all[] = {fake_github, fake_quiet, fake_empty};
    for (size_t i = 0; i < COUNT_OF(of_several); i++)
        for (size_t k = 0; k < 2 * COUNT_OF(sizes); k++) {
            struct buf shot = {0};
            bool ascii = k % 2 != 0;
            int rows = sizes[k / 2][0], columns = sizes[k / 2][1];
            struct explorer *x = open_shot(all, 3, rows, columns, ascii);
            take_shot(x, of_several[i].script, &shot);
            cr_expect(holds(of_several[i].name, rows, columns, ascii, &shot));
            for (size_t at = 0; ascii && at < shot.len; at++)
                cr_assert((unsigned char)shot.at[at] < 0x80, "%s", of_several[i].name);
            explorer_destroy(x);
            buf_finish(&shot);
        }
}

/* Hostile bytes through every screen: what comes out is ours, and only printable. */
Test(screens, hostile_text_is_shown_never_obeyed)
{
    static const char *const scripts[] = {"",
                                          "j",
                                          "j 1",
                                          "j 2",
                                          "j 3",
                                          "j 4",
                                          "j 5",
                                          "G 2",
                                          "j Enter",
                                          "j w",
                                          "f",
                                          "e",
                                          "x",
                                          "d",
                                          "d j j",
                                          "i",
                                          "c",
                                          "j j w",
                                          "?",
                                          "/abc",
                                          "&abc",
                                          "j O",
                                          "=",
                                          "R",
                                          "a x Enter A",
                                          ":search-case a",
                                          ":lesson",
                                          "g : lesson Enter 1",
                                          "s"};
    for (size_t i = 0; i < COUNT_OF(scripts); i++) {
        for (int ascii = 0; ascii < 2; ascii++) {
            struct buf shot = {0};
            struct explorer *x = open_shot(&fake_hostile, 1, 36, 120, ascii);
            settle(x);
            explorer_line(x, SPAN("g"));
            explorer_line(x, span_of(scripts[i]));
            settle(x);
            cells_text(explorer_frame(x), &shot);
            for (size_t at = 0; at < shot.len; at++) {
                unsigned char byte = (unsigned char)shot.at[at];
                cr_assert(byte >= 0x20 || byte == '\n', "control %02x on screen %s", byte,
                          scripts[i]);
                cr_assert(byte != 0x7f && !(ascii && byte > 0x7e), "byte %02x on screen %s", byte,
                          scripts[i]);
            }
            static const char *const never[] = {"\xc2\x9b",         "\xe2\x80\xae", "\xe2\x80\x8b",
                                                "\xf3\xa0\x81\xa1", "\xff",         "\xe3\x85\xa4"};
            for (size_t k = 0; k < COUNT_OF(never); k++)
                cr_assert_eq(span_find(buf_span(&shot), span_of(never[k])), shot.len,
                             "payload %zu on screen %s", k, scripts[i]);
            explorer_destroy(x);
            buf_finish(&shot);
        }
    }
}

Test(screens, ascii_has_a_twin_for_every_glyph)
{
    for (size_t i = 0; i < COUNT_OF(shots); i++) {
        struct buf shot = {0};
        struct explorer *x = open_shot(shots[i].session, 1, 36, 120, true);
        take_shot(x, shots[i].script, &shot);
        for (size_t at = 0; at < shot.len; at++)
            cr_assert((unsigned char)shot.at[at] < 0x80, "%s", shots[i].name);
        cr_expect(holds(shots[i].name, 36, 120, true, &shot));
        explorer_destroy(x);
        buf_finish(&shot);
    }
}

Test(screens, every_size)
{
    struct explorer *x = open_shot(&fake_github, 1, 36, 120, false);
    for (int rows = 1; rows < 64; rows += 3) {
        for (int columns = 1; columns < 320; columns += 13) {
            explorer_resize(x, rows, columns);
            const struct cells *frame = explorer_frame(x);
            cr_assert_eq(frame->rows, rows);
            cr_assert_eq(frame->columns, columns);
        }
    }
    explorer_destroy(x);
}

/* A million steps: what is drawn is what is visible. */
Test(screens, long_sessions)
{
    struct fake_session big = fake_github;
    big.repeat = 5000;
    struct buf shot = {0};
    struct explorer *x = open_shot(&big, 1, 36, 120, false);
    explorer_line(x, SPAN("G k k PgUp C-u % 5 0 % Enter"));
    settle(x);
    cells_text(explorer_frame(x), &shot);
    cr_assert_lt(span_find(buf_span(&shot), SPAN("40000")), shot.len);
    explorer_destroy(x);
    buf_finish(&shot);
}

/* The jump list: back over each jump, forward again, and a new jump leaves the old way. */
Test(screens, jumps_are_retraced)
{
    static const struct {
        const char *keys;
        int64_t n;
    } walk[] = {{"g", 1}, {"u", 4}, {"p", 8},  {"[", 4}, {"[", 1}, {"[", 1}, {"]", 4}, {"]", 8},
                {"]", 8}, {"[", 4}, {"v", 12}, {"[", 4}, {"[", 1}, {"]", 4}, {"]", 12}};
    struct explorer *x = open_shot(&fake_github, 1, 36, 120, false);
    settle(x);
    explorer_line(x, SPAN("g"));
    for (size_t i = 0; i < COUNT_OF(walk); i++) {
        explorer_line(x, span_of(walk[i].keys));
        settle(x);
        cr_expect_eq(x->n, walk[i].n, "%zu. %s: step %lld", i, walk[i].keys, (long long)x->n);
    }
    for (int i = 0; i < 200; i++) /* more than it holds */
        explorer_line(x, i % 2 ? SPAN("u") : SPAN("p"));
    for (int i = 0; i < 200; i++)
        explorer_line(x, SPAN("["));
    cr_expect(x->n == 4 || x->n == 8);
    explorer_destroy(x);
}

/* What a step down writes at once, on each shape of window: the two numbers. What the cursor stands
 * on is there in the frame after. */
Test(screens, a_step_down_answers_with_the_cursor)
{
    for (size_t k = 0; k < COUNT_OF(sizes); k++) {
        struct explorer *x = open_shot(&fake_github, 1, sizes[k][0], sizes[k][1], false);
        struct buf before = {0}, at_once = {0}, rested = {0};
        settle(x);
        explorer_line(x, SPAN("g j j j"));
        cells_text_styled(explorer_frame(x), &before);
        explorer_hurry(x, true);
        explorer_line(x, SPAN("j"));
        cells_text_styled(explorer_frame(x), &at_once);
        explorer_hurry(x, false);
        cells_text_styled(explorer_frame(x), &rested);
        struct span rows[2] = {buf_span(&before), buf_span(&at_once)};
        int differ = 0;
        while (rows[0].len && rows[1].len) {
            size_t end[2] = {span_find_byte(rows[0], '\n'), span_find_byte(rows[1], '\n')};
            differ += !span_equal(span_sub(rows[0], 0, end[0]), span_sub(rows[1], 0, end[1]));
            rows[0] = span_sub(rows[0], end[0] + 1, rows[0].len);
            rows[1] = span_sub(rows[1], end[1] + 1, rows[1].len);
        }
        cr_expect_eq(differ, 4, "%d columns: two rows and their styles, not %d", sizes[k][1],
                     differ);
        cr_expect_lt(span_find(buf_span(&before), SPAN(" 4 ─ 1Request")), before.len);
        cr_expect_lt(span_find(buf_span(&at_once), SPAN(" 4 ─ 1Request")), at_once.len);
        cr_expect_lt(span_find(buf_span(&rested), SPAN(" 5 ─ 1Request")), rested.len);
        buf_finish(&before);
        buf_finish(&at_once);
        buf_finish(&rested);
        explorer_destroy(x);
    }
}
