#include <criterion/criterion.h>

#include "cli/table.h"

static const struct table_column columns[] = {
    {"#", TABLE_RIGHT, 0}, {"name", TABLE_LEFT, 8}, {"text", TABLE_LEFT, 0}};

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
