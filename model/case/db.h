/*
 * SQLite, wrapped thinly: statements are prepared once and kept, every value
 * is bound, errors become `struct err`, and opening is hardened for files that
 * an attacker may have written.
 */
#ifndef STRANDLINE_MODEL_CASE_DB_H
#define STRANDLINE_MODEL_CASE_DB_H

#include <sqlite3.h>
#include <stdint.h>

#include "base/err.h"
#include "base/span.h"

struct db; /* one connection and its kept statements */

enum db_mode {
    DB_CREATE, /* makes the file where there is none */
    DB_READ_WRITE,
    DB_READ_ONLY,
    DB_IMMUTABLE, /* read-only, and nobody else can write either: no locks, no files beside it */
    DB_TEMPORARY, /* a private file that goes with the connection; path is ignored */
};

/*
 * Defensive mode, trusted_schema off, no extensions, no attach, limits on SQL
 * length and expression depth, mmap off. Does not look at the content.
 */
struct db *db_open(const char *path, enum db_mode mode, struct err *err);
void db_close(struct db *db); /* NULL is fine */
/* Of a database that has no table yet. */
bool db_page_size(struct db *db, int bytes, struct err *err);
sqlite3 *db_handle(struct db *db);
const char *db_path(const struct db *db);

/* Runs statements that give no rows and have no parameters; ours only. */
bool db_exec(struct db *db, const char *sql, struct err *err);
bool db_begin(struct db *db, struct err *err); /* IMMEDIATE */
bool db_commit(struct db *db, struct err *err);
void db_rollback(struct db *db);
/*
 * Parts of a transaction that can be taken back alone: mark, then keep or go back. Rows that were
 * added are gone then: who remembers numbers of them forgets (store_forget_tails).
 */
bool db_mark(struct db *db, struct err *err);
bool db_keep(struct db *db, struct err *err);
void db_back_to_mark(struct db *db);
bool db_in_transaction(struct db *db);
int64_t db_last_id(struct db *db);
/* Fills err from the connection's last error, in our words with what to do; returns false. */
bool db_fail(struct db *db, struct err *err);

/*
 * Until db_watch_end, statements fail as stopped when `stop` says true; it is asked several times a
 * millisecond. NULL: nothing stops them. For questions that are asked again from their beginning
 * when a key came between; db_watch_end tells whether one was stopped. One watch at a time.
 */
void db_watch(struct db *db, bool (*stop)(void *arg), void *arg);
bool db_watch_end(struct db *db);

/*
 * A statement. Get one with db_stmt (kept by the address of the literal: same
 * literal, same prepared statement, reset and unbound), bind, then step.
 */
struct stmt;
struct stmt *db_stmt(struct db *db, const char *sql, struct err *err);
/* A statement of one's own (SQL built at run time); finish with stmt_finish. */
struct stmt *db_prepare(struct db *db, struct span sql, struct err *err);
void stmt_finish(struct stmt *stmt); /* back to the shelf, or gone; NULL is fine */

/* Parameters count from 1, columns from 0. */
void stmt_bind_int(struct stmt *stmt, int index, int64_t value);
void stmt_bind_int_or_null(struct stmt *stmt, int index, int64_t value, bool present);
/* The bytes must stay valid until the statement is next stepped or reset. Text is bound as is; the
 * caller has validated it (see text.h) or it is ours. An empty span with at == NULL is NULL. */
void stmt_bind_text(struct stmt *stmt, int index, struct span text);
void stmt_bind_blob(struct stmt *stmt, int index, struct span bytes);
void stmt_bind_null(struct stmt *stmt, int index);

/* 1: a row; 0: done; -1: error, filled. */
int stmt_step(struct stmt *stmt, struct err *err);
/* For statements without rows: step, reset, true when it worked. */
bool stmt_run(struct stmt *stmt, struct err *err);
void stmt_reset(struct stmt *stmt);

/*
 * A question that one number answers: `values` are bound to ?1, ?2 … and *number (may be NULL) gets
 * the first column of the first row. 1: there was one; 0: none; -1: error, filled;
 * *number is 0 then.
 * The statement is kept as by db_stmt.
 */
int db_number(struct db *db, const char *sql, const int64_t *values, size_t count, int64_t *number,
              struct err *err);

/* Of the row that the last step gave; NULL is 0. */
int64_t stmt_int(struct stmt *stmt, int column);
bool stmt_is_null(struct stmt *stmt, int column);
/* Valid until the next step or reset. NULL gives an empty span with at == NULL. */
struct span stmt_text(struct stmt *stmt, int column);
struct span stmt_blob(struct stmt *stmt, int column);

/* For statements whose columns are not known. */
int stmt_columns(struct stmt *stmt);
struct span stmt_column_name(struct stmt *stmt, int column); /* as long as the statement */
int stmt_type(struct stmt *stmt, int column); /* SQLITE_INTEGER, FLOAT, TEXT, BLOB, NULL */
double stmt_real(struct stmt *stmt, int column);
/* Did more SQL stand behind the statement that db_prepare took? */
bool stmt_has_more(const struct stmt *stmt);

/* ---- SQL that a person wrote ---- */

struct db_reading {
    int milliseconds;        /* at most so long; 0: no bound */
    bool (*stop)(void *arg); /* asked every millisecond or so; true stops it; may be NULL */
    /* Asked of the columns, before any row: false and nothing is read. May be NULL. */
    bool (*head)(void *arg, struct stmt *row);
    bool (*row)(void *arg, struct stmt *row); /* false ends the reading: there were enough rows */
    void *arg;
};
/*
 * Runs one SELECT over our tables and views (docs/schema.md) and hands every
 * row over. Whatever else it is - a write, a pragma, an attach, SQLite's own
 * tables - is refused, by SQLite's authorizer. Columns: stmt_columns and
 * stmt_column_name of a row; a result without rows calls nothing.
 */
bool db_read(struct db *db, struct span sql, const struct db_reading *reading, struct err *err);

#endif
