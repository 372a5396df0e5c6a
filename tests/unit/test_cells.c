#include <criterion/criterion.h>

#include "tui/cells.h"
#include "tui/spoken.h"

static void expect(const struct cells *grid, const char *text)
{
    struct buf out = {0};
    cells_text(grid, &out);
    cr_expect(span_is(buf_span(&out), text), "%s instead of %s", buf_cstr(&out), text);
    buf_finish(&out);
}

Test(cells, data_is_cut_and_made_safe)
{
    static const struct {
        const char *data;
        int columns;
        bool ascii;
        const char *shown;
    } cases[] = {
        {"plain", 12, false, "plain\n"},
        {"twelve chars", 12, false, "twelve chars\n"},
        {"thirteen long", 12, false, "thirtee…long\n"},
        {"thirteen long", 12, true, "thirtee~long\n"},
        {"漢字", 12, false, "漢字\n"},
        {"漢字漢字漢字漢", 12, false, "漢字漢…字漢\n"},
        {"e\xcc\x81t\xc3\xa9", 12, false, "e\xcc\x81t\xc3\xa9\n"},
        {"", 12, false, "\n"},
        {"abc", 0, false, "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct cells grid;
        cells_init(&grid, 1, 12, cases[i].ascii);
        int end =
            cells_data(area_of(&grid), 0, 0, STYLE_PLAIN, span_of(cases[i].data), cases[i].columns);
        cr_expect(end <= 12);
        expect(&grid, cases[i].shown);
        cells_finish(&grid);
    }
}

Test(cells, marks_have_a_style_of_their_own)
{
    struct cells grid;
    cells_init(&grid, 1, 20, false);
    cells_data(area_of(&grid), 0, 0, STYLE_PLAIN,
               SPAN("a\x1b"
                    "b\xe2\x80\xae"),
               20);
    cr_expect_eq(cells_at(&grid, 0, 0)->style, STYLE_PLAIN);
    cr_expect_eq(cells_at(&grid, 0, 1)->style, STYLE_MARK);
    cr_expect_eq(cells_at(&grid, 0, 2)->style, STYLE_PLAIN);
    cr_expect_eq(cells_at(&grid, 0, 3)->style, STYLE_MARK);
    cells_finish(&grid);
}

Test(cells, half_of_a_wide_character_is_never_left)
{
    struct cells grid;
    cells_init(&grid, 1, 6, false);
    cells_data(area_of(&grid), 0, 0, STYLE_PLAIN, SPAN("漢字"), 6);
    cells_ours(area_of(&grid), 0, 1, STYLE_PLAIN, "x");
    expect(&grid, " x字\n");
    cells_ours(area_of(&grid), 0, 2, STYLE_PLAIN, "y");
    expect(&grid, " xy\n");
    cells_finish(&grid);
}

Test(cells, areas_clip)
{
    struct cells grid;
    cells_init(&grid, 3, 8, false);
    struct area area = area_sub(area_of(&grid), 1, 2, 9, 4);
    cr_expect_eq(area.rows, 2);
    cells_ours(area, 0, 0, STYLE_PLAIN, "too long for it");
    cells_ours(area, 5, 0, STYLE_PLAIN, "outside");
    cells_ours(area, 1, -3, STYLE_PLAIN, "left of it");
    cells_fill(area, 1, 2, 99, STYLE_PLAIN, "─");
    cr_expect_null(cells_at(&grid, 3, 0));
    expect(&grid, "\n  too…\n  t ──\n");
    cells_clear(&grid);
    cr_expect_eq(cells_wrapped(area_of(&grid), 0, 1, STYLE_PLAIN, "one two thr"), 3);
    expect(&grid, " one\n two\n thr\n");
    cells_clear(&grid);
    cells_ours(area, 0, 0, STYLE_PLAIN, "just  "); /* blanks are no loss */
    expect(&grid, "\n  just\n\n");
    cells_finish(&grid);
}

Test(cells, styles_look_different_without_colour)
{
    /* What carries a verdict or a level is told apart by attributes where there is no colour. */
    for (int style = 0; style < STYLE_COUNT; style++) {
        struct look look = style_look((enum style)style, false, COLOURS_NONE, false);
        cr_expect(look.fg == -1 && look.bg == -1, "%s has a colour", style_name((enum style)style));
    }
    cr_expect_neq(style_look(STYLE_PLAIN, true, COLOURS_NONE, false).attributes,
                  style_look(STYLE_PLAIN, false, COLOURS_NONE, false).attributes);
    cr_expect_neq(style_of_server(SPAN("github, notes"), SPAN("github")),
                  style_of_server(SPAN("github, notes"), SPAN("notes")));
    cr_expect_eq(style_of_server(SPAN("a, b"), SPAN("elsewhere")),
                 style_of_server(SPAN_EMPTY, SPAN("elsewhere")));
}

Test(cells, are_read_aloud)
{
    struct cells grid;
    struct buf text = {0};
    cells_init(&grid, 6, 40, false);
    struct area area = area_of(&grid);
    cells_fill(area, 0, 0, 40, STYLE_DIVIDER, "─"); /* says nothing */
    cells_ours(area, 1, 1, STYLE_UNTRUSTED, "┃");
    cells_ours(area, 1, 4, STYLE_LANE_LOW, "│");
    cells_ours(area, 1, 7, STYLE_CURSOR, "► 15");
    cells_ours(area, 1, 13, STYLE_SERVER_0, "▸ github");
    cells_ours(area, 1, 24, STYLE_DENY_BADGE, " ✘ DENY ");
    cells_ours(area, 1, 33, STYLE_HIGH, "▲3");
    cells_ours(area, 2, 1, STYLE_UNTRUSTED, "▅▅▅▅");
    cells_ours(area, 2, 5, STYLE_DENY_BADGE, "✘");
    cells_ours(area, 2, 8, STYLE_DIM, "22 steps · 3 denied");
    cells_ours(area, 3, 2, STYLE_DENY_BADGE, "✘");
    cells_data(area, 4, 0, STYLE_PLAIN, SPAN("a\x1b[8mb"), 20);
    cells_ours(area, 5, 0, STYLE_UNKNOWN, "? held, no key (? lists them); why?");
    cells_spoken(&grid, &text);
    cr_expect_str_eq(buf_cstr(&text), "untrusted, selected step 15, call github, DENY, high 3\n"
                                      "22 steps, 3 denied\n"
                                      "denied\n"
                                      "a␛[8mb\n"
                                      "unknown held, no key (? lists them); why?\n");
    buf_finish(&text);
    cells_finish(&grid);
}
