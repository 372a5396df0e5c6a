#include "model/case/db.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"

enum {
    BUSY_MS = 2000,              /* how long to wait for another program's write */
    CACHE_KIB = 16 * 1024,       /* pages kept in memory */
    VALUE_MAX = 64 * 1024 * 1024 /* no value or row of ours comes near */
};

struct stmt {
    struct db *db;
    sqlite3_stmt *handle;
    const char *literal; /* its key on the shelf; NULL: the caller's own */
    int bind_fault;      /* first error of a bind, told at the next step */
    bool has_more;       /* SQL stood behind it */
};

struct db {
    sqlite3 *handle;
    char *path;
    struct stmt **shelf; /* open addressing by the literal's address; size is a power of two */
    size_t shelf_size, shelf_used;
    bool (*watch_stop)(void *arg); /* see db_watch */
    void *watch_arg;
    bool watch_stopped;
};

/* ---- being watched ---- */

static int db_watch_ask(void *arg)
{
    struct db *db = arg;
    db->watch_stopped = db->watch_stopped || db->watch_stop(db->watch_arg);
    return db->watch_stopped;
}

void db_watch(struct db *db, bool (*stop)(void *arg), void *arg)
{
    enum { OPERATIONS = 2000 }; /* of SQLite between two questions */
    db->watch_stop = stop;
    db->watch_arg = arg;
    db->watch_stopped = false;
    if (stop)
        sqlite3_progress_handler(db->handle, OPERATIONS, db_watch_ask, db);
}

bool db_watch_end(struct db *db)
{
    sqlite3_progress_handler(db->handle, 0, NULL, NULL);
    return db->watch_stopped;
}

/* ---- errors ---- */

struct advice {
    int code; /* primary result code of SQLite */
    enum err_kind kind;
    const char *what; /* NULL: SQLite's own words */
    const char *todo;
};

static const struct advice advices[] = {
    {SQLITE_FULL, ERR_INTERNAL, "the disk is full",
     "free some space and run it again; nothing is half written"},
    {SQLITE_BUSY, ERR_INTERNAL, "another program is writing to this case",
     "try again when it is done"},
    {SQLITE_LOCKED, ERR_INTERNAL, "another program is writing to this case",
     "try again when it is done"},
    {SQLITE_READONLY, ERR_INPUT, "the case can't be written to",
     "copy it to a place where you may write"},
    {SQLITE_CANTOPEN, ERR_INPUT, "can't be opened",
     "check that it exists and that you may read it"},
    {SQLITE_PERM, ERR_INPUT, "can't be opened", "check that you may read it"},
    {SQLITE_NOTADB, ERR_INPUT, "not a case file",
     "use `strandline import -o CASE LOG` to make one"},
    {SQLITE_CORRUPT, ERR_INPUT, "the case file is damaged", "import the logs into a new case"},
    {SQLITE_IOERR, ERR_INTERNAL, "the disk reports an error", "check the disk, then try again"},
    {SQLITE_TOOBIG, ERR_INPUT, "a value is too large",
     "ask for a part of it, as substr() gives one"},
    {SQLITE_INTERRUPT, ERR_INTERNAL, "stopped", NULL},
};

bool db_fail(struct db *db, struct err *err)
{
    int code = sqlite3_errcode(db->handle) & 0xff;
    if (code == SQLITE_NOMEM)
        mem_exhausted();
    for (size_t i = 0; i < COUNT_OF(advices); i++) {
        const struct advice *a = &advices[i];
        if (a->code == code)
            return err_set(err, a->kind, db->path, a->todo, "%s", a->what);
    }
    return err_set(err, ERR_INTERNAL, db->path, NULL, "%s", sqlite3_errmsg(db->handle));
}

/* ---- opening ---- */

static void harden(sqlite3 *handle)
{
    static const struct {
        int option, value;
    } options[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},
        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_ENABLE_FKEY,
         0}, /* a fifth of an import; tests run foreign_key_check instead */
    };
    static const struct {
        int limit, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, VALUE_MAX},
        {SQLITE_LIMIT_SQL_LENGTH, 256 * 1024},
        {SQLITE_LIMIT_EXPR_DEPTH, 200},
        {SQLITE_LIMIT_COMPOUND_SELECT, 50},
        {SQLITE_LIMIT_ATTACHED, 0},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 4},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
        {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < COUNT_OF(options); i++)
        sqlite3_db_config(handle, options[i].option, options[i].value, NULL);
    for (size_t i = 0; i < COUNT_OF(limits); i++)
        sqlite3_limit(handle, limits[i].limit, limits[i].value);
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, BUSY_MS);
}

/* No accounts of memory, so that no lock is taken for each allocation. Works only before the first
 * connection of the program, which is made before there are threads. */
static void configure(void)
{
    static bool done;
    if (!done) {
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        /* A mark for each source: what a small one changes is noted in memory, not in a file. Not
         * more than SQLite writes at once: it cuts a longer write at 17 bits, comes to a rest of no
         * bytes, and takes that for a full disk (os_unix.c, seekAndWriteFd). */
        sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, 0x1ffff);
    }
    done = true;
}

/* A path as a URI of SQLite, so that it may hold any byte and can't smuggle parameters in. */
static void path_uri(struct buf *out, const char *path, const char *parameters)
{
    buf_puts(out, "file:");
    for (const char *at = path; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '-' ||
                     byte == '_';
        if (plain)
            buf_byte(out, *at);
        else
            buf_addf(out, "%%%02x", byte);
    }
    buf_puts(out, parameters);
}

/* SQLite counts the pages that fit at the size that a page has now: a bound set before the size of
 * pages is changed is another one after it. */
static bool bound_cache(struct db *db, struct err *err)
{
    char pragma[48];
    snprintf(pragma, sizeof pragma, "PRAGMA cache_size=-%d", CACHE_KIB);
    return db_exec(db, pragma, err);
}

struct db *db_open(const char *path, enum db_mode mode, struct err *err)
{
    static const struct {
        int flags;
        const char *parameters;
    } ways[] = {
        [DB_CREATE] = {SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, ""},
        [DB_READ_WRITE] = {SQLITE_OPEN_READWRITE, ""},
        [DB_READ_ONLY] = {SQLITE_OPEN_READONLY, ""},
        [DB_IMMUTABLE] = {SQLITE_OPEN_READONLY, "?immutable=1"},
        [DB_TEMPORARY] = {SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, ""},
    };
    configure();
    struct db *db = NEW(struct db);
    struct buf uri = {0};
    struct span name = mode == DB_TEMPORARY ? SPAN_EMPTY : span_of(path);
    db->path = mem_alloc(name.len + 1);
    memcpy(db->path, name.at, name.len);
    if (mode != DB_TEMPORARY) /* the empty name is SQLite's for a private file */
        path_uri(&uri, path, ways[mode].parameters);
    int flags = ways[mode].flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(buf_cstr(&uri), &db->handle, flags, NULL);
    buf_finish(&uri);
    if (!db->handle)
        mem_exhausted();
    if (code != SQLITE_OK) {
        db_fail(db, err);
        db_close(db);
        return NULL;
    }
    harden(db->handle);
    if (!db_exec(db, "PRAGMA mmap_size=0; PRAGMA cell_size_check=ON", err) ||
        !bound_cache(db, err)) {
        db_close(db);
        return NULL;
    }
    return db;
}

bool db_page_size(struct db *db, int bytes, struct err *err)
{
    char pragma[48];
    snprintf(pragma, sizeof pragma, "PRAGMA page_size=%d", bytes);
    return db_exec(db, pragma, err) && bound_cache(db, err);
}

void db_close(struct db *db)
{
    if (!db)
        return;
    for (size_t i = 0; i < db->shelf_size; i++) {
        if (db->shelf[i]) {
            sqlite3_finalize(db->shelf[i]->handle);
            mem_free(db->shelf[i]);
        }
    }
    mem_free(db->shelf);
    sqlite3_close_v2(db->handle);
    mem_free(db->path);
    mem_free(db);
}

sqlite3 *db_handle(struct db *db)
{
    return db->handle;
}

const char *db_path(const struct db *db)
{
    return db->path;
}

/* ---- whole statements ---- */

bool db_exec(struct db *db, const char *sql, struct err *err)
{
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK || db_fail(db, err);
}

bool db_begin(struct db *db, struct err *err)
{
    return db_exec(db, "BEGIN IMMEDIATE", err);
}

bool db_commit(struct db *db, struct err *err)
{
    return db_exec(db, "COMMIT", err);
}

void db_rollback(struct db *db)
{
    if (!sqlite3_get_autocommit(db->handle)) /* an error may have rolled back already */
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

bool db_mark(struct db *db, struct err *err)
{
    return db_exec(db, "SAVEPOINT mark", err);
}

bool db_keep(struct db *db, struct err *err)
{
    return db_exec(db, "RELEASE mark", err);
}

void db_back_to_mark(struct db *db)
{
    if (db_in_transaction(db))
        sqlite3_exec(db->handle, "ROLLBACK TO mark; RELEASE mark", NULL, NULL, NULL);
}

bool db_in_transaction(struct db *db)
{
    return !sqlite3_get_autocommit(db->handle);
}

int64_t db_last_id(struct db *db)
{
    return sqlite3_last_insert_rowid(db->handle);
}

/* ---- statements ---- */

/* Where on the shelf the statement of this literal is, or would go. */
static size_t shelf_slot(const struct db *db, const char *literal)
{
    size_t slot = (size_t)(((uintptr_t)literal * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
    for (;; slot++) {
        slot &= db->shelf_size - 1;
        if (!db->shelf[slot] || db->shelf[slot]->literal == literal)
            return slot;
    }
}

static void shelf_grow(struct db *db)
{
    struct stmt **old = db->shelf;
    size_t old_size = db->shelf_size;
    db->shelf_size = old_size ? old_size * 2 : 64;
    db->shelf = NEW_ARRAY(struct stmt *, db->shelf_size);
    for (size_t i = 0; i < old_size; i++)
        if (old[i])
            db->shelf[shelf_slot(db, old[i]->literal)] = old[i];
    mem_free(old);
}

static struct stmt *prepare_flagged(struct db *db, struct span sql, unsigned flags, struct err *err)
{
    sqlite3_stmt *handle = NULL;
    const char *tail = NULL;
    if (sql.len > INT32_MAX) {
        err_set(err, ERR_USAGE, db->path, "write it shorter", "the SQL text is too long");
        return NULL;
    }
    if (sqlite3_prepare_v3(db->handle, sql.at, (int)sql.len, flags, &handle, &tail) != SQLITE_OK) {
        db_fail(db, err);
        return NULL;
    }
    struct stmt *stmt = NEW(struct stmt);
    struct span rest = span_trim(span_from(tail, sql.at + sql.len));
    while (span_starts_with(rest, SPAN(";")))
        rest = span_trim(span_sub(rest, 1, rest.len));
    *stmt = (struct stmt){.db = db, .handle = handle, .has_more = rest.len > 0};
    return stmt;
}

struct stmt *db_stmt(struct db *db, const char *sql, struct err *err)
{
    if (db->shelf_used * 2 >= db->shelf_size)
        shelf_grow(db);
    size_t slot = shelf_slot(db, sql);
    struct stmt *stmt = db->shelf[slot];
    if (stmt) {
        stmt_finish(stmt);
        return stmt;
    }
    stmt = prepare_flagged(db, span_of(sql), SQLITE_PREPARE_PERSISTENT, err);
    if (!stmt)
        return NULL;
    stmt->literal = sql;
    db->shelf[slot] = stmt;
    db->shelf_used++;
    return stmt;
}

struct stmt *db_prepare(struct db *db, struct span sql, struct err *err)
{
    return prepare_flagged(db, sql, 0, err);
}

void stmt_finish(struct stmt *stmt)
{
    if (!stmt)
        return;
    if (!stmt->literal) {
        sqlite3_finalize(stmt->handle);
        mem_free(stmt);
        return;
    }
    stmt_reset(stmt);
    sqlite3_clear_bindings(stmt->handle);
}

static void bound(struct stmt *stmt, int code)
{
    if (code != SQLITE_OK && stmt->bind_fault == SQLITE_OK)
        stmt->bind_fault = code;
}

void stmt_bind_int(struct stmt *stmt, int index, int64_t value)
{
    bound(stmt, sqlite3_bind_int64(stmt->handle, index, value));
}

void stmt_bind_int_or_null(struct stmt *stmt, int index, int64_t value, bool present)
{
    if (present)
        stmt_bind_int(stmt, index, value);
    else
        stmt_bind_null(stmt, index);
}

void stmt_bind_text(struct stmt *stmt, int index, struct span text)
{
    bound(stmt,
          sqlite3_bind_text64(stmt->handle, index, text.at, text.len, SQLITE_STATIC, SQLITE_UTF8));
}

void stmt_bind_blob(struct stmt *stmt, int index, struct span bytes)
{
    bound(stmt, sqlite3_bind_blob64(stmt->handle, index, bytes.at, bytes.len, SQLITE_STATIC));
}

void stmt_bind_null(struct stmt *stmt, int index)
{
    bound(stmt, sqlite3_bind_null(stmt->handle, index));
}

int stmt_step(struct stmt *stmt, struct err *err)
{
    if (stmt->bind_fault != SQLITE_OK) {
        int fault = stmt->bind_fault;
        stmt->bind_fault = SQLITE_OK;
        if (fault == SQLITE_NOMEM)
            mem_exhausted();
        err_set(err, fault == SQLITE_TOOBIG ? ERR_INPUT : ERR_INTERNAL, stmt->db->path, NULL,
                "a value could not be handed to SQLite: %s", sqlite3_errstr(fault));
        return -1;
    }
    int code = sqlite3_step(stmt->handle);
    if (code == SQLITE_ROW)
        return 1;
    if (code == SQLITE_DONE)
        return 0;
    db_fail(stmt->db, err);
    return -1;
}

bool stmt_run(struct stmt *stmt, struct err *err)
{
    int result;
    do {
        result = stmt_step(stmt, err);
    } while (result > 0);
    stmt_reset(stmt);
    return result == 0;
}

void stmt_reset(struct stmt *stmt)
{
    sqlite3_reset(stmt->handle);
    stmt->bind_fault = SQLITE_OK;
}

int db_number(struct db *db, const char *sql, const int64_t *values, size_t count, int64_t *number,
              struct err *err)
{
    struct stmt *stmt = db_stmt(db, sql, err);
    if (number)
        *number = 0;
    if (!stmt)
        return -1;
    for (size_t i = 0; i < count; i++)
        stmt_bind_int(stmt, (int)i + 1, values[i]);
    int row = stmt_step(stmt, err);
    if (row > 0 && number)
        *number = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return row;
}

int64_t stmt_int(struct stmt *stmt, int column)
{
    return sqlite3_column_int64(stmt->handle, column);
}

bool stmt_is_null(struct stmt *stmt, int column)
{
    return sqlite3_column_type(stmt->handle, column) == SQLITE_NULL;
}

struct span stmt_text(struct stmt *stmt, int column)
{
    const void *at = sqlite3_column_text(stmt->handle, column);
    return (struct span){at, (size_t)sqlite3_column_bytes(stmt->handle, column)};
}

struct span stmt_blob(struct stmt *stmt, int column)
{
    const void *at = sqlite3_column_blob(stmt->handle, column);
    size_t len = (size_t)sqlite3_column_bytes(stmt->handle, column);
    if (!at && !stmt_is_null(stmt, column))
        at = ""; /* SQLite gives no address for an empty blob */
    return (struct span){at, len};
}

int stmt_columns(struct stmt *stmt)
{
    return sqlite3_column_count(stmt->handle);
}

struct span stmt_column_name(struct stmt *stmt, int column)
{
    return span_of(sqlite3_column_name(stmt->handle, column));
}

int stmt_type(struct stmt *stmt, int column)
{
    return sqlite3_column_type(stmt->handle, column);
}

double stmt_real(struct stmt *stmt, int column)
{
    return sqlite3_column_double(stmt->handle, column);
}

bool stmt_has_more(const struct stmt *stmt)
{
    return stmt->has_more;
}
