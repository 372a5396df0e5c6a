#include <criterion/criterion.h>

#include "tests/unit/case_support.h"
#include "tests/unit/files.h"

/* docs/schema.md, whole. */
static void read_page(struct buf *page)
{
    struct buf path = {0};
    cr_assert(files_read(files_project("docs/schema.md", &path), page), "%s", buf_cstr(&path));
    buf_finish(&path);
}

/* The part of the page that tells of a view: from its name in a heading to the next heading. */
static struct span section_of(struct span page, struct span view)
{
    for (;;) {
        size_t heading = span_find(page, SPAN("\n### "));
        cr_assert_lt(heading, page.len, "%.*s is in no heading", SPAN_ARG(view));
        page = span_sub(page, heading + 5, page.len);
        size_t line = span_find_byte(page, '\n');
        size_t end = span_find(page, SPAN("\n##"));
        if (span_find(span_sub(page, 0, line), view) < line)
            return span_sub(page, 0, end);
    }
}

Test(schema, every_column_is_documented)
{
    struct err err = {0};
    struct buf page = {0};
    read_page(&page);
    struct case_file *c = case_temporary(&err);
    MUST(c);
    struct stmt *stmt = db_prepare(
        case_db(c),
        SPAN(
            "SELECT v.name, p.name FROM sqlite_schema v, pragma_table_info(v.name) p WHERE v.type = 'view'"),
        &err);
    MUST(stmt);
    int columns = 0;
    while (stmt_step(stmt, &err) > 0) {
        struct span view = stmt_text(stmt, 0), column = stmt_text(stmt, 1);
        struct span section = section_of(buf_span(&page), view);
        cr_assert_lt(span_find(section, column), section.len, "%.*s.%.*s", SPAN_ARG(view),
                     SPAN_ARG(column));
        columns++;
    }
    cr_assert_gt(columns, 100);
    stmt_finish(stmt);
    case_close(c);
    buf_finish(&page);
}

static bool any_row(void *arg, struct stmt *row)
{
    (void)arg;
    (void)row;
    return true;
}

Test(schema, the_examples_run)
{
    struct err err = {0};
    struct buf page = {0};
    read_page(&page);
    struct case_file *c = case_temporary(&err);
    MUST(c);
    struct span rest = buf_span(&page);
    struct db_reading reading = {.milliseconds = 5000, .row = any_row};
    int queries = 0;
    for (size_t at; (at = span_find(rest, SPAN("\n    SELECT"))) < rest.len; queries++) {
        rest = span_sub(rest, at + 1, rest.len);
        size_t end = span_find_byte(rest, ';');
        cr_assert(db_read(case_db(c), span_sub(rest, 0, end), &reading, &err), "%.*s: %s", (int)end,
                  rest.at, err.what);
        rest = span_sub(rest, end, rest.len);
    }
    cr_assert_geq(queries, 6);
    case_close(c);
    buf_finish(&page);
}
