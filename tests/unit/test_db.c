#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/case/db.h"

static struct db *temporary(void)
{
    struct err err = {0};
    struct db *db = db_open("", DB_TEMPORARY, &err);
    cr_assert(db, "%s", err.what);
    return db;
}

Test(db, statements_bind_and_read)
{
    struct err err = {0};
    struct db *db = temporary();
    cr_assert(db_exec(db, "CREATE TABLE t(a INTEGER, b TEXT, c BLOB) STRICT", &err));
    static const char insert[] = "INSERT INTO t VALUES(?1, ?2, ?3)";
    for (int i = 0; i < 3; i++) {
        struct stmt *stmt = db_stmt(db, insert, &err);
        stmt_bind_int_or_null(stmt, 1, i, i != 1);
        stmt_bind_text(stmt, 2, i == 2 ? (struct span){0} : (struct span){"a\0b", 3});
        stmt_bind_blob(stmt, 3, (struct span){"", 0});
        cr_assert(stmt_run(stmt, &err), "%s", err.what);
    }
    cr_assert_eq(db_stmt(db, insert, &err), db_stmt(db, insert, &err), "kept");
    struct stmt *read = db_stmt(db, "SELECT a, b, c FROM t ORDER BY rowid", &err);
    cr_assert_eq(stmt_step(read, &err), 1);
    cr_assert_eq(stmt_text(read, 1).len, 3);
    cr_assert_not(stmt_is_null(read, 2));
    cr_assert(stmt_blob(read, 2).at);
    cr_assert_eq(stmt_step(read, &err), 1);
    cr_assert(stmt_is_null(read, 0));
    cr_assert_eq(stmt_step(read, &err), 1);
    cr_assert_null(stmt_text(read, 1).at);
    cr_assert_eq(stmt_step(read, &err), 0);
    db_close(db);
}

/* What a mark has to remember may be more than is kept in memory, and goes to a file then. */
Test(db, a_mark_remembers_more_than_memory_holds)
{
    struct err err = {0};
    struct db *db = temporary();
    cr_assert(db_exec(db,
                      "CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB) STRICT;"
                      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)"
                      " INSERT INTO t SELECT i, zeroblob(3000) FROM n",
                      &err));
    cr_assert(db_begin(db, &err));
    cr_assert(db_mark(db, &err));
    cr_assert(db_exec(db, "UPDATE t SET b = randomblob(3000)", &err), "%s", err.what);
    db_back_to_mark(db);
    cr_assert(db_mark(db, &err));
    cr_assert(db_exec(db, "DELETE FROM t WHERE a > 1", &err), "%s", err.what);
    cr_assert(db_keep(db, &err));
    cr_assert(db_commit(db, &err), "%s", err.what);
    struct stmt *read = db_stmt(db, "SELECT count(*), sum(b = zeroblob(3000)) FROM t", &err);
    cr_assert_eq(stmt_step(read, &err), 1);
    cr_assert_eq(stmt_int(read, 0), 1);
    cr_assert_eq(stmt_int(read, 1), 1);
    db_close(db);
}

Test(db, what_is_wrong_is_said)
{
    struct err err = {0};
    struct db *db = temporary();
    cr_assert_null(db_prepare(db, SPAN("SELECT a FROM nowhere"), &err));
    cr_assert(strstr(err.what, "nowhere"), "%s", err.what);
    cr_assert(db_exec(db, "CREATE TABLE t(a INTEGER NOT NULL) STRICT", &err));
    struct stmt *stmt = db_stmt(db, "INSERT INTO t VALUES(?1)", &err);
    stmt_bind_int(stmt, 7, 1); /* there is no such parameter */
    cr_assert_not(stmt_run(stmt, &err));
    stmt = db_stmt(db, "INSERT INTO t VALUES(?1)", &err);
    cr_assert_not(stmt_run(stmt, &err), "NULL in a NOT NULL column");
    db_close(db);
    cr_assert_null(db_open("/nonexistent/folder/x.strand", DB_READ_WRITE, &err));
    cr_assert_str_eq(err.where, "/nonexistent/folder/x.strand");
    cr_assert(err.todo[0]);
}

Test(db, hardened)
{
    struct err err = {0};
    struct db *db = temporary();
    const char *refused[] = {
        "ATTACH '/tmp/strandline-test-attach' AS other",
        "SELECT load_extension('x')",
        "PRAGMA writable_schema=ON; CREATE TABLE t(a); DELETE FROM sqlite_schema",
        "SELECT \"no such column\"",
    };
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        cr_assert_not(db_exec(db, refused[i], &err), "%s", refused[i]);
    db_close(db);
}

Test(db, a_path_is_no_uri)
{
    struct err err = {0};
    char folder[] = "/tmp/strandline-db-XXXXXX", path[64];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a?mode=memory#%%41", folder);
    struct db *db = db_open(path, DB_CREATE, &err);
    cr_assert(db, "%s", err.what);
    cr_assert(db_exec(db, "CREATE TABLE t(a)", &err));
    db_close(db);
    cr_assert_eq(remove(path), 0, "the file has the name it was given");
    cr_assert_eq(remove(folder), 0);
}

static bool take_row(void *arg, struct stmt *row)
{
    int *rows = arg;
    cr_assert_gt(stmt_columns(row), 0);
    cr_assert(stmt_column_name(row, 0).len);
    return ++*rows < 100;
}

static bool stop_now(void *arg)
{
    (void)arg;
    return true;
}

Test(db, a_reader_only_reads)
{
    struct err err = {0};
    struct db *db = temporary();
    cr_assert(db_exec(db,
                      "CREATE TABLE t(a INTEGER, b TEXT); CREATE VIEW v_t AS SELECT a FROM t;"
                      "INSERT INTO t VALUES(1, '[1,2]'), (2, '[]')",
                      &err));
    int rows = 0;
    struct db_reading reading = {.milliseconds = 2000, .row = take_row, .arg = &rows};
    static const struct {
        const char *sql;
        int rows; /* -1: refused */
    } cases[] = {
        {"SELECT * FROM t", 2},
        {" SELECT a FROM v_t WHERE a > 1 ; ", 1},
        {"WITH x AS (SELECT a FROM t) SELECT count(*) FROM x", 1},
        {"SELECT value FROM t, json_each(t.b)", 2},
        {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n", 100},
        {"SELECT lower(b) FROM t", 2},
        {"", -1},
        {" ; ", -1},
        {"-- nothing", -1},
        {"SELECT 1; DROP TABLE t", -1},
        {"INSERT INTO t VALUES(3, '')", -1},
        {"DELETE FROM t", -1},
        {"UPDATE t SET a = 0", -1},
        {"CREATE TEMP TABLE x(a)", -1},
        {"PRAGMA user_version", -1},
        {"PRAGMA user_version=3", -1},
        {"SELECT * FROM pragma_table_info('t')", -1},
        {"SELECT * FROM sqlite_schema", -1},
        {"SELECT load_extension('x')", -1},
        {"ATTACH 'x' AS x", -1},
        {"BEGIN", -1},
        {"VACUUM", -1},
        {"SELECT nothing FROM t", -1},
        {"EXPLAIN SELECT 1", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rows = 0;
        bool ok = db_read(db, span_of(cases[i].sql), &reading, &err);
        if (strncmp(cases[i].sql, "EXPLAIN", 7) == 0)
            continue; /* as SQLite likes; it reads nothing */
        cr_assert_eq(ok, cases[i].rows >= 0, "%s: %s", cases[i].sql, err.what);
        if (ok)
            cr_assert_eq(rows, cases[i].rows, "%s", cases[i].sql);
        else
            cr_assert_eq(err.kind, ERR_USAGE, "%s: %s", cases[i].sql, err.what);
    }
    static const char endless[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                                  " SELECT count(*) FROM n";
    reading.milliseconds = 50;
    cr_assert_not(db_read(db,
                          SPAN("SELECT 1 FROM t WHERE (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
                               " SELECT i + 1 FROM n) SELECT count(*) FROM n) > 0"),
                          &reading, &err));
    cr_assert(strstr(err.what, "longer"), "%s", err.what);
    reading.milliseconds = 0;
    reading.stop = stop_now;
    cr_assert_not(db_read(db, span_of(endless), &reading, &err));
    cr_assert_str_eq(err.what, "stopped");
    cr_assert(db_exec(db, "INSERT INTO t VALUES(3, '')", &err), "and we may still write");
    db_close(db);
}
