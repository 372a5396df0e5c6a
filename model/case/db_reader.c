/* SQL that a person wrote: it may look at the case and do nothing else. */
#include <string.h>

#include "base/buf.h"
#include "base/monotonic.h"
#include "model/case/db.h"

struct reader {
    struct buf names; /* of our tables and views, each ended by a NUL */
    const struct db_reading *reading;
    int64_t deadline_ms; /* 0: none */
    bool late;
};

static bool is_ours(const struct reader *r, const char *name)
{
    for (size_t at = 0; at < r->names.len; at += strlen(r->names.at + at) + 1)
        if (strcmp(r->names.at + at, name) == 0)
            return true;
    return false;
}

/* Reading is allowed, of what is ours; everything else that SQLite knows is not. */
static int authorize(void *arg, int action, const char *first, const char *second,
                     const char *schema, const char *by)
{
    const struct reader *r = arg;
    (void)by;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE: /* bounded by time */
        return SQLITE_OK;
    case SQLITE_READ: /* without a schema: rows are counted, of a table or of a WITH; no value is
                         read */
        return !schema || is_ours(r, first) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
        return second && (strcmp(second, "load_extension") == 0 ||
                          strcmp(second, "fts3_tokenizer") == 0)
                   ? SQLITE_DENY
                   : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

static int watch(void *arg)
{
    struct reader *r = arg;
    r->late = r->deadline_ms && monotonic_ms() > r->deadline_ms;
    return r->late || (r->reading->stop && r->reading->stop(r->reading->arg));
}

/* The two JSON tables are allowed too; asking them here has SQLite make them before it is watched.
 */
static bool list_names(struct db *db, struct reader *r, struct err *err)
{
    struct stmt *stmt = db_stmt(
        db,
        "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')"
        " UNION SELECT name FROM temp.sqlite_schema WHERE type IN ('table', 'view')"
        " UNION SELECT 'json_each' FROM json_each('[1]') UNION SELECT 'json_tree' FROM json_tree('[1]')",
        err);
    if (!stmt)
        return false;
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct span name = stmt_text(stmt, 0);
        if (span_starts_with(name, SPAN("sqlite_")))
            continue;
        buf_add(&r->names, name);
        buf_byte(&r->names, '\0');
    }
    stmt_finish(stmt);
    return row == 0;
}

/* SQLite's words about the reader's own SQL are the most useful ones. */
static bool db_reader_refuse(struct db *db, const struct reader *r, struct err *err)
{
    int code = sqlite3_errcode(db_handle(db)) & 0xff;
    const char *todo = "see docs/schema.md for the tables and views";
    if (code == SQLITE_AUTH)
        return err_set(err, ERR_USAGE, "SQL", "write one SELECT over the case's views",
                       "only reading is allowed");
    if (code == SQLITE_INTERRUPT && r->late)
        return err_set(err, ERR_USAGE, "SQL", "narrow the query, or add a LIMIT",
                       "took longer than %d seconds", r->reading->milliseconds / 1000);
    if (code == SQLITE_INTERRUPT)
        return err_set(err, ERR_USAGE, "SQL", NULL, "stopped");
    if (code == SQLITE_ERROR)
        return err_set(err, ERR_USAGE, "SQL", todo, "%s", sqlite3_errmsg(db_handle(db)));
    return db_fail(db, err);
}

static bool is_one_statement(struct span sql)
{
    sql = span_trim(sql);
    while (span_ends_with(sql, SPAN(";")))
        sql = span_trim(span_sub(sql, 0, sql.len - 1));
    return sql.len > 0 && !memchr(sql.at, '\0', sql.len);
}

static bool read_rows(struct db *db, struct reader *r, struct span sql, struct err *err)
{
    const struct db_reading *reading = r->reading;
    struct err plain = {0};
    struct stmt *stmt = db_prepare(db, sql, &plain);
    if (!stmt)
        return db_reader_refuse(db, r, err);
    int columns = stmt_columns(stmt), row = 1;
    bool ok = !stmt_has_more(stmt) ||
              err_set(err, ERR_USAGE, "SQL", "write one SELECT", "more than one statement");
    ok = ok && (columns > 0 ||
                err_set(err, ERR_USAGE, "SQL", "write a SELECT", "a statement without a result"));
    bool wanted = !ok || !reading->head || reading->head(reading->arg, stmt);
    while (ok && wanted && (row = stmt_step(stmt, &plain)) > 0)
        if (!reading->row(reading->arg, stmt))
            break;
    if (ok && row < 0)
        ok = db_reader_refuse(db, r, err);
    stmt_finish(stmt);
    return ok;
}

bool db_read(struct db *db, struct span sql, const struct db_reading *reading, struct err *err)
{
    enum { WATCH_EVERY = 20000 }; /* steps of SQLite's machine: about a millisecond */
    struct reader r = {.reading = reading};
    if (reading->milliseconds > 0)
        r.deadline_ms = monotonic_ms() + reading->milliseconds;
    if (!is_one_statement(sql))
        return err_set(err, ERR_USAGE, "SQL", "write one SELECT over the case's views",
                       "no statement");
    bool ok = list_names(db, &r, err);
    if (ok) {
        sqlite3_set_authorizer(db_handle(db), authorize, &r);
        sqlite3_progress_handler(db_handle(db), WATCH_EVERY, watch, &r);
        ok = read_rows(db, &r, sql, err);
        sqlite3_progress_handler(db_handle(db), 0, NULL, NULL);
        sqlite3_set_authorizer(db_handle(db), NULL, NULL);
    }
    buf_finish(&r.names);
    return ok;
}
