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
