#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "cli/table.h"
#include "model/evidence/digest.h"

enum { BOUND_MS = 60000 };

/* One answer on its way out. */
struct answering {
    struct output output;
    struct json json;
    struct table *table;
    struct table_column columns[TABLE_COLUMNS];
    struct arena arena; /* the columns' titles */
    size_t rows;
};

static void json_value(struct json *j, const char *key, struct stmt *row, int column)
{
    struct buf hex = {0};
    switch (stmt_type(row, column)) {
    case SQLITE_INTEGER:
        json_int(j, key, stmt_int(row, column));
        break;
    case SQLITE_FLOAT:
        json_double(j, key, stmt_real(row, column), 9);
        break;
    case SQLITE_NULL:
        json_null(j, key);
        break;
    case SQLITE_BLOB:
        hex_encode(&hex, stmt_blob(row, column));
        json_string(j, key, buf_span(&hex));
        break;
    default:
        json_string(j, key, stmt_text(row, column));
    }
    buf_finish(&hex);
}

static bool sql_json_row(struct answering *a, struct stmt *row)
{
    struct arena arena = {0};
    json_object(&a->json, NULL);
    for (int i = 0; i < stmt_columns(row); i++)
        json_value(&a->json, arena_cstr(&arena, stmt_column_name(row, i)), row, i);
    json_end(&a->json);
    json_line(&a->json);
    arena_finish(&arena);
    return true;
}

static void begin_table(struct answering *a, struct stmt *row)
{
    size_t count = (size_t)stmt_columns(row);
    if (count > TABLE_COLUMNS) {
        fprintf(stderr, "strandline: SQL: %d of the %zu columns are shown; --json has them all\n",
                TABLE_COLUMNS, count);
        count = TABLE_COLUMNS;
    }
    for (size_t i = 0; i < count; i++) {
        struct buf title = {0};
        text_safe(&title, stmt_column_name(row, (int)i));
        a->columns[i] = (struct table_column){arena_cstr(&a->arena, buf_span(&title)),
                                              stmt_type(row, (int)i) == SQLITE_INTEGER ? TABLE_RIGHT
                                                                                       : TABLE_LEFT,
                                              i + 1 < count ? 60 : 0, 0};
        buf_finish(&title);
    }
    a->table = table_create(stdout, a->columns, count, a->output.width, a->output.colour);
}

static bool sql_text_row(struct answering *a, struct stmt *row)
{
    if (!a->table)
        begin_table(a, row);
    for (int i = 0; i < stmt_columns(row); i++) {
        if (stmt_is_null(row, i))
            table_tinted(a->table, TINT_DIM, "NULL");
        else
            table_data(a->table, stmt_text(row, i));
    }
    table_row(a->table);
    return true;
}

static bool on_row(void *arg, struct stmt *row)
{
    struct answering *a = arg;
    a->rows++;
    return a->output.json ? sql_json_row(a, row) : sql_text_row(a, row);
}

static bool sql_answer(struct subject *subject, struct invocation *call, struct answering *a,
                       struct err *err)
{
    struct buf query = {0};
    struct session_view *sessions;
    size_t count;
    bool ok = true;
    if (subject->session_word.len)
        buf_add(&query, subject->session_word);
    else
        ok = file_read("-", &query, err);
    /* what the views show of labels and findings rests on a replay */
    ok = ok && query_sessions(subject->c, subject->policy, &call->arena, &sessions, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        struct review *review = subject_review(subject, call, sessions[i].id, REVIEW_FINDINGS, err);
        ok = review != NULL;
        review_close(review);
    }
    const struct db_reading reading = {
        .milliseconds = BOUND_MS, .stop = interrupt_stop, .row = on_row, .arg = a};
    json_init(&a->json, stdout, false);
    ok = ok && db_read(case_db(subject->c), buf_span(&query), &reading, err);
    json_close(&a->json);
    table_finish(a->table);
    if (ok && !a->output.json && !a->output.quiet && a->rows == 0)
        puts("no rows");
    arena_finish(&a->arena);
    buf_finish(&query);
    return ok;
}

static int sql_run(struct invocation *call)
{
    struct subject subject = {0};
    struct answering a = {0};
    struct err err = {0};
    int status;
    if (output_options(call, &a.output, &err) &&
        subject_open(&subject, call, SUBJECT_CASE_SESSION, &err) &&
        sql_answer(&subject, call, &a, &err))
        status = (int)subject.import_err.kind;
    else
        status = verb_failed(&err);
    subject_close(&subject);
    return status;
}

static const struct option_spec sql_options[] = {
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_sql = {
    .name = "sql",
    .usage = "CASE|LOG... [QUERY]",
    .summary =
        "Read-only SQL over the documented views; the query from standard input where none is given.",
    .help =
        "docs/schema.md lists the views. One SELECT, a minute at most; anything else is refused.\n\n"
        "    strandline sql CASE \"SELECT step, tool, verdict FROM v_step WHERE verdict = 'deny'\"",
    .options = sql_options,
    .run = sql_run,
};
