#include "model/case/soundness.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/case/case_internal.h"

enum {
    QUICK_UP_TO = 64 << 20, /* bytes of a file that is small */
    BUSY_PIECE_MS = 50,     /* between two looks whether the check is to end while others write */
};

bool soundness_is_quick(uint64_t file_bytes)
{
    return file_bytes <= QUICK_UP_TO;
}

/* What an error of SQLite says of the file: only some of them are about what is in it. */
static enum case_check soundness_after(struct db *db)
{
    switch (sqlite3_errcode(db_handle(db)) & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return CASE_DAMAGED;
    case SQLITE_BUSY: /* an import writes right now: it is asked again */
        return CASE_CHECKING;
    default:
        return CASE_UNKNOWN;
    }
}

/* The table behind row *at of the schema; *at moves on when it is sound. CASE_SOUND: that was the
 * last. In a large case the frames are left out, since that would read the whole file: each is
 * checked when it is unpacked. */
static enum case_check check_table(struct db *db, bool large, int64_t *at, struct err *err)
{
    struct stmt *next = db_stmt(db,
                                "SELECT rowid, name FROM main.sqlite_schema WHERE type='table'"
                                " AND rowid > ?1 ORDER BY rowid LIMIT 1",
                                err);
    if (!next)
        return soundness_after(db);
    stmt_bind_int(next, 1, *at);
    int row = stmt_step(next, err);
    enum case_check found = row > 0 ? CASE_CHECKING : row == 0 ? CASE_SOUND : soundness_after(db);
    if (row > 0 && !(large && span_is(stmt_text(next, 1), "frame"))) {
        struct buf sql = {0}; /* ours: the schema was compared before */
        buf_addf(&sql, "PRAGMA main.quick_check('%.*s')", SPAN_ARG(stmt_text(next, 1)));
        struct stmt *check = db_prepare(db, buf_span(&sql), err);
        row = check ? stmt_step(check, err) : -1;
        if (row < 0) {
            found = soundness_after(db);
        } else if (row > 0 && !span_is(stmt_text(check, 0), "ok")) {
            err_set(err, ERR_INPUT, db_path(db), "import the logs into a new case",
                    "the case file is damaged");
            found = CASE_DAMAGED;
        }
        stmt_finish(check);
        buf_finish(&sql);
    }
    if (row > 0 && found == CASE_CHECKING)
        *at = stmt_int(next, 0);
    stmt_finish(next);
    return found;
}

bool soundness_of(struct db *db, uint64_t file_bytes, struct err *err)
{
    int64_t at = 0, before;
    enum case_check found;
    do {
        before = at;
        found = check_table(db, !soundness_is_quick(file_bytes), &at, err);
    } while (found == CASE_CHECKING && at > before);
    return found == CASE_SOUND;
}

/* ---- on a thread ---- */

struct soundness {
    pthread_t thread;
    bool runs, joined; /* false: no thread could be had; it has ended and was waited for */
    char *path;
    enum db_mode mode;
    atomic_bool stop;
    atomic_int found; /* an enum case_check; err is the reader's once it is not CASE_CHECKING */
    struct err err;
};

static bool is_stopped(void *arg)
{
    struct soundness *s = arg;
    return atomic_load(&s->stop);
}

static void *soundness_run(void *arg)
{
    struct soundness *s = arg;
    enum case_check found = CASE_CHECKING;
    int64_t at = 0;
    struct db *db = db_open(s->path, s->mode, &s->err);
    if (!db) {
        found = CASE_UNKNOWN;
    } else {
        sqlite3_busy_timeout(db_handle(db), BUSY_PIECE_MS);
        db_watch(db, is_stopped, s);
    }
    while (found == CASE_CHECKING && !is_stopped(s))
        found = check_table(db, true, &at, &s->err);
    if (db)
        db_watch_end(db);
    db_close(db);
    atomic_store(&s->found, found);
    return NULL;
}

/* Signals are the caller's business: the thread takes none. */
static struct soundness *soundness_create(const char *path, enum db_mode mode)
{
    struct soundness *s = NEW(struct soundness);
    sigset_t all, before;
    s->path = strdup(path);
    if (!s->path)
        mem_exhausted();
    s->mode = mode;
    atomic_init(&s->stop, false);
    atomic_init(&s->found, CASE_CHECKING);
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) == 0) {
        s->runs = pthread_create(&s->thread, NULL, soundness_run, s) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!s->runs) /* then here: a file is not shown without being checked */
        soundness_run(s);
    return s;
}

static void soundness_wait(struct soundness *s)
{
    if (s->runs && !s->joined)
        pthread_join(s->thread, NULL);
    s->joined = true;
}

void soundness_destroy(struct soundness *s)
{
    if (!s)
        return;
    atomic_store(&s->stop, true);
    soundness_wait(s);
    free(s->path);
    mem_free(s);
}

enum case_check case_check(struct case_file *c, bool wait, struct err *err)
{
    if (!c->unchecked)
        return CASE_SOUND;
    if (!c->soundness)
        c->soundness = soundness_create(c->path, c->reading);
    if (wait)
        soundness_wait(c->soundness);
    enum case_check found = (enum case_check)atomic_load(&c->soundness->found);
    if (found == CASE_DAMAGED || found == CASE_UNKNOWN)
        *err = c->soundness->err;
    return found;
}
