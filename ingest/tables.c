#include "ingest/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsonr.h"
#include "base/mem.h"
#include "model/case/db.h"

enum { PATH_SIZE = 64, TABLES_CHUNK = 256 * 1024 };

struct copy {
    char folder[PATH_SIZE], file[PATH_SIZE + 8], wal[PATH_SIZE + 8];
};

static bool copy_bytes(int from, int to)
{
    char *bytes = mem_alloc(TABLES_CHUNK);
    ssize_t n;
    while ((n = read(from, bytes, TABLES_CHUNK)) > 0)
        for (ssize_t done = 0, wrote; done < n; done += wrote)
            if ((wrote = write(to, bytes + done, (size_t)(n - done))) < 0) {
                mem_free(bytes);
                return false;
            }
    mem_free(bytes);
    return n == 0;
}

static bool copy_file(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool ok = out >= 0 && copy_bytes(in, out);
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return ok;
}

static void copy_remove(const struct copy *copy)
{
    char other[PATH_SIZE + 24];
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
        snprintf(other, sizeof other, "%s%s", copy->file, suffixes[i]);
        unlink(other);
    }
    rmdir(copy->folder);
}

static bool copy_make(struct copy *copy, const char *path, struct err *err)
{
    const char *base = getenv("TMPDIR");
    char wal[4096];
    int len = snprintf(copy->folder, sizeof copy->folder - 8, "%s/strandline-XXXXXX",
                       base && strlen(base) < 32 ? base : "/tmp");
    if (len < 0 || !mkdtemp(copy->folder))
        return err_set(err, ERR_INPUT, path, "set TMPDIR to a folder that can be written to",
                       "no place for a copy: %s", strerror(errno));
    snprintf(copy->file, sizeof copy->file, "%s/db", copy->folder);
    snprintf(copy->wal, sizeof copy->wal, "%s/db-wal", copy->folder);
    snprintf(wal, sizeof wal, "%s-wal", path);
    if (!copy_file(path, copy->file)) {
        err_set(err, ERR_INPUT, path, "make room where TMPDIR says, or set it to another folder",
                "it can't be copied: %s", strerror(errno));
        copy_remove(copy);
        return false;
    }
    if (access(wal, R_OK) == 0)
        copy_file(wal, copy->wal);
    return true;
}

/* ---- the tables that are known ---- */

enum { TABLES_MOST = 3, COLUMNS_MOST = 6, TIME_COLUMN = 2 };

/* Columns of each: text members come first, then the JSON member; the names are those of the line.
 */
static const struct known {
    const char *tables[TABLES_MOST]; /* all must be there */
    const char *sql;
    const char *names[COLUMNS_MOST]; /* the last one is JSON */
} known[] = {
    {{"part", "message",
      "session"}, /* a sub-agent's session has the one that it works for as parent */
     "SELECT 'part', p.session_id, p.time_created,"
     " CASE WHEN json_valid(m.data) THEN m.data->>'role' END,"
     " (WITH RECURSIVE up(id, depth) AS (SELECT p.session_id, 0"
     "   UNION ALL SELECT s.parent_id, depth+1 FROM up JOIN session s ON s.id=up.id"
     "   WHERE s.parent_id IS NOT NULL AND depth<64)" /* no further: it may be a circle */
     "  SELECT id FROM up ORDER BY depth DESC LIMIT 1),"
     " p.data FROM part p JOIN message m ON m.id=p.message_id"
     " ORDER BY m.session_id, m.time_created, m.id, p.id",
     {"type", "sessionID", "timestamp", "role", "rootID", "part"}},
    {{"part", "message"},
     "SELECT 'part', p.session_id, p.time_created,"
     " CASE WHEN json_valid(m.data) THEN m.data->>'role' END, p.data FROM part p JOIN message m"
     " ON m.id=p.message_id ORDER BY m.session_id, m.time_created, m.id, p.id",
     {"type", "sessionID", "timestamp", "role", "part"}},
    {{"messages", "sessions"},
     "SELECT 'goose', session_id, created_timestamp, role, content_json FROM messages"
     " ORDER BY session_id, id",
     {"type", "session_id", "created", "role", "content"}},
};

static bool has_table(struct db *db, const char *name)
{
    struct err ignored;
    struct stmt *stmt =
        db_stmt(db, "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=?1", &ignored);
    if (!stmt)
        return false;
    stmt_bind_text(stmt, 1, span_of(name));
    bool there = stmt_step(stmt, &ignored) > 0;
    stmt_finish(stmt);
    return there;
}

static bool has_tables(struct db *db, const struct known *table)
{
    for (size_t i = 0; i < TABLES_MOST && table->tables[i]; i++)
        if (!has_table(db, table->tables[i]))
            return false;
    return true;
}

/* One line. A newline in JSON outside of strings is white space; inside it can't be. */
static void write_row(struct buf *line, struct stmt *stmt, const struct known *table)
{
    for (int i = 0; i < COLUMNS_MOST && table->names[i]; i++) {
        bool last = i + 1 == COLUMNS_MOST || !table->names[i + 1];
        struct span text = stmt_text(stmt, i);
        buf_addf(line, "%s\"%s\":", i ? "," : "{", table->names[i]);
        unsigned long long number;
        if (!text.at)
            buf_puts(line, "null");
        else if ((last && jsonr_valid(text, NULL, NULL)) ||
                 (i == TIME_COLUMN && span_to_u64(text, &number)))
            buf_add(line, text);
        else
            jsonr_quote(line, text);
    }
    for (size_t i = 0; i < line->len; i++)
        if (line->at[i] == '\n' || line->at[i] == '\r')
            line->at[i] = ' ';
    buf_puts(line, "}\n");
}

static bool write_rows(struct db *db, const struct known *table, FILE *out, struct err *err)
{
    struct buf line = {0};
    struct stmt *stmt = db_prepare(db, span_of(table->sql), err);
    int row = -1;
    while (stmt && (row = stmt_step(stmt, err)) > 0) {
        buf_clear(&line);
        write_row(&line, stmt, table);
        if (fwrite(line.at, 1, line.len, out) != line.len) {
            err_set(err, ERR_INPUT, NULL, "make room in TMPDIR", "%s", strerror(errno));
            row = -1;
            break;
        }
    }
    if (stmt)
        stmt_finish(stmt);
    buf_finish(&line);
    return row == 0;
}

static int write_known(struct db *db, struct err *err)
{
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (!has_tables(db, &known[i]))
            continue;
        FILE *out = tmpfile();
        if (!out) {
            err_set(err, ERR_INPUT, NULL, "make room in TMPDIR", "%s", strerror(errno));
            return -1;
        }
        int fd = -1;
        if (write_rows(db, &known[i], out, err) && fflush(out) == 0)
            fd = dup(fileno(out));
        fclose(out);
        if (fd >= 0)
            lseek(fd, 0, SEEK_SET);
        return fd;
    }
    return -2;
}

int tables_open(const char *path, struct err *err)
{
    struct copy copy;
    if (!copy_make(&copy, path, err))
        return -1;
    struct db *db = db_open(copy.file, DB_READ_WRITE, err);
    int fd = db ? write_known(db, err) : -1;
    db_close(db);
    copy_remove(&copy);
    if (fd == -1) /* the copy's name says nothing to anybody */
        err_set(err, err->kind, path, "see that it is whole and that TMPDIR has room", "%s",
                err->what);
    return fd;
}
