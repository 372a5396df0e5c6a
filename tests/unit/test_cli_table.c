#include <criterion/criterion.h>

#include "cli/table.h"
#include "cli/wrap.h"

static const struct table_column columns[] = {
    {"#", TABLE_RIGHT, 0, 0}, {"name", TABLE_LEFT, 8, 1}, {"text", TABLE_LEFT, 0, 0}};

static struct span printed(int width, struct span last, char *room, size_t size)
{
    FILE *to = fmemopen(room, size, "w");
    struct table *t = table_create(to, columns, COUNT_OF(columns), width, false);
    table_number(t, 7);
    table_data(t, SPAN("short"));
    table_data(t, last);
    table_row(t);
    table_number(t, 12);
    table_data(t, SPAN("a very long name"));
    table_row(t);
    table_finish(t);
    fclose(to);
    return span_of(room);
}

Test(cli_table, columns_align_and_data_is_safe)
{
    char room[1024] = {0};
    struct span out = printed(0, SPAN("\033[31mred"), room, sizeof room);
    cr_assert(span_starts_with(out, SPAN(" #  name ")), "%s", room);
    cr_assert(span_find(out, SPAN("\n 7  short")) < out.len, "%s", room);
    cr_assert(span_find(out, SPAN("\n12  a v")) < out.len, "%s", room);
    cr_assert_eq(span_find_byte(out, '\033'), out.len);
    cr_assert_eq(span_find_byte(out, '\t'), out.len);
}

Test(cli_table, last_column_is_cut_on_a_terminal_only)
{
    char room[2048] = {0};
    char text[300];
    memset(text, 'x', sizeof text);
    struct span piped = printed(0, (struct span){text, sizeof text}, room, sizeof room);
    cr_assert_lt(span_find(piped, (struct span){text, sizeof text}), piped.len);
    memset(room, 0, sizeof room);
    struct span narrow = printed(40, (struct span){text, sizeof text}, room, sizeof room);
    cr_assert_eq(span_find(narrow, (struct span){text, 60}), narrow.len);
}

Test(cli_table, a_column_that_may_go_is_left_out_and_named)
{
    char room[2048] = {0};
    struct span wide = printed(60, SPAN("a text of some words"), room, sizeof room);
    cr_assert_lt(span_find(wide, SPAN("short")), wide.len);
    memset(room, 0, sizeof room);
    struct span narrow = printed(24, SPAN("a text of some words"), room, sizeof room);
    cr_assert_eq(span_find(narrow, SPAN("short")), narrow.len, "%s", room);
    cr_assert_lt(span_find(narrow, SPAN("narrow: name\n")), narrow.len, "%s", room);
}

Test(cli_table, lines_break_at_blanks)
{
    static const struct {
        int width;
        size_t hang;
        const char *line, *expect;
    } cases[] = {
        {0, 2, "  piped it stays as it is, however long that may be in the end",
         "  piped it stays as it is, however long that may be in the end\n"},
        {30, 2, "  one two three four five six seven", "  one two three four five six\n  seven\n"},
        {30, 4, "\033[31mred\033[0m takes no room at all, it is said",
         "\033[31mred\033[0m takes no room at all, it\n    is said\n"},
        {30, 0, "averyveryverylongwordthathasnoblank x",
         "averyveryverylongwordthathasnoblank\nx\n"},
        {30, 2, "", "\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char room[256] = {0};
        FILE *to = fmemopen(room, sizeof room, "w");
        wrap_line(to, cases[i].width, cases[i].hang, span_of(cases[i].line));
        fclose(to);
        cr_expect_str_eq(room, cases[i].expect);
    }
    char room[512] = {0};
    FILE *to = fmemopen(room, sizeof room, "w");
    wrap_prose(
        to, 40,
        SPAN("# A heading\n\nTwo lines of a\nparagraph.\n\n- an item\n- another\n\n    kept\n"));
    fclose(to);
    cr_expect_str_eq(
        room, "# A heading\n\nTwo lines of a paragraph.\n\n- an item\n- another\n\n    kept\n");
}
