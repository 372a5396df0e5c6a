#include "model/case/case.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embed.h"
#include "model/case/case_internal.h"
#include "model/case/soundness.h"

EMBEDDED(schema_files);

/* The parts of the schema in the order in which they are made. */
static const char *const schema_parts[] = {"schema", "derived", "views"};

static const char *schema_part(const char *name)
{
    const struct embedded *file = embedded_find(schema_files, span_of(name));
    return file ? file->text.at : "";
}

const char *case_where(const struct case_file *c)
{
    return c->path[0] ? c->path : "the case";
}

/* ---- the file's head ---- */

enum {
    HEAD_SIZE = 100,
    HEAD_WRITE_VERSION = 18,
    HEAD_APPLICATION_ID = 68
}; /* SQLite's file format §1.3 */

/* Bytes read of the file's head, -1 where it can't be opened. */
static ssize_t read_head(const char *path, unsigned char head[HEAD_SIZE])
{
    struct stat info;
    if (stat(path, &info) != 0)
        return -1;
    if (!S_ISREG(info.st_mode)) /* what is read of a pipe is gone for whoever reads it next */
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    ssize_t got = read(fd, head, HEAD_SIZE);
    close(fd);
    return got;
}

static bool head_is_case(const unsigned char head[HEAD_SIZE])
{
    uint32_t id = 0;
    for (size_t i = 0; i < 4; i++)
        id = id << 8 | head[HEAD_APPLICATION_ID + i];
    return memcmp(head, "SQLite format 3", 16) == 0 && id == CASE_APPLICATION_ID;
}

bool case_is(const char *path)
{
    unsigned char head[HEAD_SIZE];
    return read_head(path, head) == HEAD_SIZE && head_is_case(head);
}

/* ---- the schema ---- */

static bool make_schema(struct db *db, struct err *err)
{
    for (size_t i = 0; i < COUNT_OF(schema_parts); i++)
        if (!db_exec(db, schema_part(schema_parts[i]), err))
            return false;
    char pragmas[120];
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id=%d; PRAGMA user_version=%d;",
             CASE_APPLICATION_ID, CASE_SCHEMA_VERSION);
    return db_exec(db, pragmas, err) &&
           db_exec(db, "INSERT INTO meta VALUES('program', 'strandline " STRANDLINE_VERSION "')",
                   err);
}

/* Appends a part of the schema, changed so that it makes temporary tables and views. */
static void temporary_part(struct buf *out, const char *sql)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"CREATE TABLE ", "CREATE TEMP TABLE "},
        {"CREATE VIEW ", "CREATE TEMP VIEW "},
        {"CREATE INDEX ", "CREATE INDEX temp."},
        {"CREATE UNIQUE INDEX ", "CREATE UNIQUE INDEX temp."},
    };
    while (*sql) {
        size_t i = 0;
        while (i < COUNT_OF(changes) && strncmp(sql, changes[i].from, strlen(changes[i].from)) != 0)
            i++;
        if (i < COUNT_OF(changes)) {
            buf_puts(out, changes[i].to);
            sql += strlen(changes[i].from);
        } else {
            buf_byte(out, *sql++);
        }
    }
}

/*
 * Beside a case that can't be written to, what replay derives goes to tables of the same names in
 * SQLite's temporary schema: names are looked up there first, so every query works on both.
 */
static bool make_temporary_part(struct db *db, struct err *err)
{
    struct buf sql = {0};
    temporary_part(&sql, schema_part("derived"));
    temporary_part(&sql, schema_part("views"));
    bool ok = db_exec(db, buf_cstr(&sql), err);
    buf_finish(&sql);
    return ok;
}

/* Everything a schema is made of, one text a line, for comparing. */
static bool describe_schema(struct db *db, struct buf *out, struct err *err)
{
    static const char sql[] = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema"
                              " ORDER BY type, name, rowid";
    struct stmt *stmt = db_stmt(db, sql, err);
    if (!stmt)
        return false;
    int more;
    while ((more = stmt_step(stmt, err)) > 0) {
        for (int column = 0; column < 4; column++) {
            struct span text = stmt_text(stmt, column);
            buf_addf(out, "%zu:", text.len);
            buf_add(out, text);
        }
    }
    stmt_finish(stmt);
    return more == 0;
}

/*
 * A case file is data from a stranger. Its schema must be ours to the letter:
 * a trigger, a view, a virtual table, a generated column or a default of
 * somebody else's would be code that runs when we look at it.
 */
static bool case_check_schema(struct db *db, struct err *err)
{
    bool ok = false;
    struct buf ours = {0}, theirs = {0};
    struct db *model = db_open(":memory:", DB_TEMPORARY, err);
    if (!model || !make_schema(model, err) || !describe_schema(model, &ours, err) ||
        !describe_schema(db, &theirs, err))
        goto out;
    ok = span_equal(buf_span(&ours), buf_span(&theirs));
    if (!ok)
        err_set(err, ERR_INPUT, db_path(db),
                "another version made it, or somebody else; import the logs into a new case",
                "the database inside is not laid out as a case of this version is");
out:
    db_close(model);
    buf_finish(&ours);
    buf_finish(&theirs);
    return ok;
}

/* ---- versions ---- */

/* Each brings a case of version `from` to the next one. */
struct migration {
    int from;
    const char *sql;
};
static const struct migration migrations[] = {
    {0, NULL}, /* no older version exists yet */
};

static bool case_read_number(struct db *db, const char *pragma, int64_t *number, struct err *err)
{
    return db_number(db, pragma, NULL, 0, number, err) > 0;
}

static bool migrate(struct db *db, int64_t from, struct err *err)
{
    if (!db_begin(db, err))
        return false;
    for (int64_t at = from; at < CASE_SCHEMA_VERSION; at++) {
        size_t i = 0;
        while (i < COUNT_OF(migrations) && (migrations[i].from != at || !migrations[i].sql))
            i++;
        char version[48];
        snprintf(version, sizeof version, "PRAGMA user_version=%d", (int)at + 1);
        if (i == COUNT_OF(migrations)) {
            err_set(err, ERR_INPUT, db_path(db), "import the logs into a new case",
                    "the case is of version %lld, which no release of strandline wrote",
                    (long long)from);
            goto fail;
        }
        if (!db_exec(db, migrations[i].sql, err) || !db_exec(db, version, err))
            goto fail;
    }
    return db_commit(db, err);
fail:
    db_rollback(db);
    return false;
}

static bool check_version(struct db *db, bool writable, struct err *err)
{
    int64_t id = 0, version = 0;
    if (!case_read_number(db, "PRAGMA application_id", &id, err) ||
        !case_read_number(db, "PRAGMA user_version", &version, err))
        return false;
    if (id != CASE_APPLICATION_ID)
        return err_set(err, ERR_INPUT, db_path(db),
                       "use `strandline import -o CASE LOG` to make one", "not a case file");
    if (version == CASE_SCHEMA_VERSION)
        return true;
    if (version > CASE_SCHEMA_VERSION)
        return err_set(err, ERR_INPUT, db_path(db), "use a newer strandline",
                       "the case is of version %lld; this program knows versions up to %d",
                       (long long)version, CASE_SCHEMA_VERSION);
    if (!writable)
        return err_set(err, ERR_INPUT, db_path(db),
                       "copy it to a place where you may write, and open it there",
                       "the case is of the older version %lld and must be brought up to date",
                       (long long)version);
    return migrate(db, version, err);
}

/* ---- being watched ---- */

void case_watch(struct case_file *c, bool (*stop)(void *arg), void *arg)
{
    db_watch(c->db, stop, arg);
}

bool case_watch_end(struct case_file *c)
{
    return db_watch_end(c->db);
}

/* ---- opening ---- */

bool case_has_changed(struct case_file *c)
{
    struct err ignored;
    int64_t version;
    bool changed = case_read_number(c->db, "PRAGMA data_version", &version, &ignored) &&
                   version != c->data_version;
    if (changed)
        c->data_version = version;
    return changed;
}

static struct case_file *wrap(struct db *db, const char *path, bool writable)
{
    struct case_file *c = NEW(struct case_file);
    c->db = db;
    c->path = strdup(path);
    if (!c->path)
        mem_exhausted();
    c->writable = writable;
    c->workers = CASE_WORKERS;
    case_has_changed(c);
    return c;
}

bool case_is_followed(struct case_file *c)
{
    struct err ignored;
    return db_number(c->db, "SELECT 1 FROM meta WHERE key='followed'", NULL, 0, NULL, &ignored) > 0;
}

bool case_say_followed(struct case_file *c, bool on, struct err *err)
{
    return db_exec(c->db,
                   on ? "INSERT OR REPLACE INTO meta VALUES('followed', 'by an import')"
                      : "DELETE FROM meta WHERE key='followed'",
                   err);
}

void case_use_workers(struct case_file *c, unsigned workers)
{
    c->workers = workers;
}

/* May files be made beside this one? SQLite keeps its rollback journal there. */
static bool folder_is_writable(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        mem_exhausted();
    bool writable = access(dirname(copy), W_OK) == 0;
    free(copy);
    return writable;
}

static enum db_mode mode_for(const char *path, bool wal)
{
    if (!folder_is_writable(path))
        return DB_IMMUTABLE;
    if (access(path, W_OK) != 0)
        return wal ? DB_IMMUTABLE : DB_READ_ONLY; /* reading a WAL needs to write beside the file */
    return DB_READ_WRITE;
}

static bool check_journal(const char *path, enum db_mode mode, struct err *err)
{
    if (mode == DB_READ_WRITE)
        return true; /* SQLite rolls an interrupted import back by itself */
    struct buf journal = {0};
    buf_addf(&journal, "%s-journal", path);
    struct stat info;
    bool hot = stat(buf_cstr(&journal), &info) == 0 && info.st_size > 0;
    buf_finish(&journal);
    if (hot)
        return err_set(
            err, ERR_INPUT, path,
            "copy it and the -journal file beside it to a place where you may write, and open it there",
            "an import into this case was interrupted and has to be undone first");
    return true;
}

/*
 * A rollback journal and not a WAL: a case must be one file that can be mailed
 * and read from a read-only medium, and a WAL leaves two more beside it. The
 * journal of an import is short, since new pages need no saving.
 */
static bool set_journal(struct db *db, struct err *err)
{
    return db_exec(db, "PRAGMA journal_mode=DELETE", err);
}

static struct case_file *open_checked(const char *path, bool check_later, struct err *err)
{
    unsigned char head[HEAD_SIZE] = {0};
    ssize_t got = read_head(path, head);
    if (got < 0) {
        err_set(err, ERR_INPUT, path, "check the path", "%s", strerror(errno));
        return NULL;
    }
    if (got < HEAD_SIZE || !head_is_case(head)) {
        err_set(err, ERR_INPUT, path, "use `strandline import -o CASE LOG` to make one",
                "not a case file");
        return NULL;
    }
    struct stat info;
    enum db_mode mode = mode_for(path, head[HEAD_WRITE_VERSION] == 2);
    if (stat(path, &info) != 0 || !check_journal(path, mode, err))
        return NULL;
    bool writable = mode == DB_READ_WRITE;
    struct db *db = db_open(path, mode, err);
    if (!db)
        return NULL;
    bool later = check_later && !soundness_is_quick((uint64_t)info.st_size);
    if ((writable && !set_journal(db, err)) || !check_version(db, writable, err) ||
        !case_check_schema(db, err) || (!later && !soundness_of(db, (uint64_t)info.st_size, err)) ||
        (!writable && !make_temporary_part(db, err))) {
        db_close(db);
        return NULL;
    }
    struct case_file *c = wrap(db, path, writable);
    c->reading = mode == DB_IMMUTABLE ? DB_IMMUTABLE : DB_READ_ONLY;
    c->unchecked = later;
    return c;
}

struct case_file *case_open(const char *path, struct err *err)
{
    return open_checked(path, false, err);
}

struct case_file *case_open_to_look(const char *path, struct err *err)
{
    return open_checked(path, true, err);
}

/* Makes the file, for its owner's eyes only: a case holds whatever the logs held. */
static bool make_file(const char *path, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return err_set(err, ERR_INPUT, path, "name another file with -o", "%s", strerror(errno));
    close(fd);
    return true;
}

/* Larger pages than SQLite's default: most of a case is packed frames of tens of kilobytes. */
enum { CASE_PAGE = 8192 };

static struct case_file *fill_new(struct db *db, const char *path, struct err *err)
{
    if (!db)
        return NULL;
    if (!db_page_size(db, CASE_PAGE, err) || !set_journal(db, err) || !db_begin(db, err)) {
        db_close(db);
        return NULL;
    }
    if (!make_schema(db, err) || !db_commit(db, err)) {
        db_rollback(db);
        db_close(db);
        return NULL;
    }
    return wrap(db, path, true);
}

struct case_file *case_create(const char *path, struct err *err)
{
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (there &&
        info.st_size > 0) { /* an empty file is what a kill before the first commit leaves */
        if (!case_is(path)) {
            err_set(err, ERR_INPUT, path, "name another file with -o",
                    "a file that is not a case is there already");
            return NULL;
        }
        struct case_file *c = case_open(path, err);
        if (c && !c->writable) {
            err_set(err, ERR_INPUT, path, "copy it to a place where you may write",
                    "the case can't be written to");
            case_close(c);
            return NULL;
        }
        return c;
    }
    if (!there && !make_file(path, err))
        return NULL;
    struct case_file *c = fill_new(db_open(path, DB_READ_WRITE, err), path, err);
    if (!c && !there)
        unlink(path);
    return c;
}

struct case_file *case_temporary(struct err *err)
{
    return fill_new(db_open("", DB_TEMPORARY, err), "", err);
}

void case_close(struct case_file *c)
{
    if (!c)
        return;
    soundness_destroy(c->soundness);
    for (size_t i = 0; i < FRAMES_KEPT; i++)
        buf_finish(&c->frames[i].bytes);
    ZSTD_freeDCtx(c->unpack);
    buf_finish(&c->packed);
    db_close(c->db);
    free(c->path);
    mem_free(c);
}

struct db *case_db(struct case_file *c)
{
    return c->db;
}

bool case_is_writable(const struct case_file *c)
{
    return c->writable;
}

const char *case_path(const struct case_file *c)
{
    return c->path;
}

bool case_begin_derived(struct case_file *c, struct err *err)
{
    return c->writable ? db_begin(c->db, err) : db_exec(c->db, "BEGIN", err);
}
