/* Reads on where logs grow. Every file is looked at a few times a second; one that has grown is
 * gone on with, and what waits in it is kept in memory for the next time. */
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"
#include "ingest/import_internal.h"

enum {
    FOLLOW_MS = 250,
    FOLLOW_LIVE = 8, /* readings that are kept: some megabytes each */
};

struct followed {
    char *path;
    uint64_t size; /* when it was looked at last */
    ino_t file;
    uint64_t round;          /* that met it last */
    struct reading *reading; /* NULL: it has not grown since, or others have more often */
    struct followed *next;
};

struct following {
    struct import *im;
    struct followed *first;
    uint64_t round;
};

static void forget_reading(struct followed *f)
{
    if (!f->reading)
        return;
    assembler_destroy(f->reading->assembler);
    reading_finish(f->reading);
    mem_free(f->reading);
    f->reading = NULL;
}

static struct followed *followed_of(struct following *all, const char *path)
{
    struct followed **at = &all->first;
    while (*at && strcmp((*at)->path, path) != 0)
        at = &(*at)->next;
    if (!*at) {
        *at = NEW(struct followed);
        (*at)->path = mem_alloc(strlen(path) + 1);
        memcpy((*at)->path, path, strlen(path));
    }
    return *at;
}

/* One more is to be kept: that which has waited longest goes. */
static void make_room(struct following *all)
{
    size_t live = 0;
    struct followed *oldest = NULL;
    for (struct followed *f = all->first; f; f = f->next) {
        live += f->reading != NULL;
        if (f->reading && (!oldest || f->round < oldest->round))
            oldest = f;
    }
    if (live >= FOLLOW_LIVE)
        forget_reading(oldest);
}

static bool open_live(struct following *all, struct followed *f, struct err *err)
{
    struct import *im = all->im;
    struct assembler_options names = import_names(im);
    make_room(all);
    struct reading *r = f->reading = NEW(struct reading);
    r->path = f->path;
    r->longest = im->options->longest ? im->options->longest : IMPORT_LONGEST;
    r->live = true;
    r->framer = framer_create();
    r->assembler = assembler_create(im->c, &names, err);
    r->in = r->assembler ? input_open(f->path, err) : NULL;
    if (!r->in || !import_find_prior(im, r, err))
        return false;
    r->writer = source_resume(im->c, r->prior, err);
    return r->writer;
}

/* What the file has more is in the case. False, with the error's kind 0, where it can't be gone on
 * with; *busy: somebody else is writing to the case. */
static bool grow(struct following *all, struct followed *f, bool *busy, struct err *err)
{
    struct import *im = all->im;
    struct err reading_err = {0};
    bool was_live = f->reading;
    if (!was_live && !open_live(all, f, err))
        return false;
    struct reading *r = f->reading;
    struct assembler_counts before = assembler_counts(r->assembler);
    uint64_t bytes = was_live ? r->bytes : r->known;
    if (!import_begin(im, err)) {
        *busy = true;
        return false;
    }
    bool ok = (!was_live || reading_wake(im, r, err)) &&
              reading_run(im, r, import_group_of(im, r->path), err, &reading_err) &&
              !r->rehearsing && reading_settle(im, r, err) && db_keep(case_db(im->c), err) &&
              import_commit(im, err);
    if (!ok) {
        import_take_back(im, r->assembler);
        import_commit(im, &reading_err);
        return false;
    }
    struct assembler_counts after = assembler_counts(r->assembler);
    import_count(im, &before, &after);
    im->totals->bytes += r->bytes - bytes;
    return true;
}

/* How far the import came with it; SIZE_MAX: the case has no such file. */
static uint64_t imported_bytes(struct import *im, const char *path)
{
    struct err ignored;
    uint64_t bytes = SIZE_MAX;
    struct stmt *stmt =
        db_stmt(case_db(im->c), "SELECT bytes FROM source WHERE path=?1 ORDER BY id DESC LIMIT 1",
                &ignored);
    if (!stmt)
        return bytes;
    stmt_bind_text(stmt, 1, span_of(path));
    if (stmt_step(stmt, &ignored) > 0)
        bytes = (uint64_t)stmt_int(stmt, 0);
    stmt_finish(stmt);
    return bytes;
}

static void look_again(struct following *all, struct followed *f, const struct stat *info)
{
    struct import *im = all->im;
    struct err err = {0};
    uint64_t size = (uint64_t)info->st_size;
    bool other = f->file != info->st_ino || size<f->size, grown = size> f->size;
    if (other)
        forget_reading(f);
    f->file = info->st_ino;
    f->size = size;
    if (!other && !grown)
        return;
    bool busy = false;
    if (grown && !other && grow(all, f, &busy, &err))
        return;
    if (busy) { /* the next round may have more luck */
        f->size = size - 1;
        return;
    }
    forget_reading(f);
    if (err.kind && err.kind != ERR_EVIDENCE)
        import_keep_err(im, &err);
    else if (size)
        import_file(im, f->path);
    uint64_t known = imported_bytes(im, f->path); /* it may have grown while it was read */
    f->size = known != SIZE_MAX && known > size ? known : size;
    if (import_commit(im, &err) || im->stop)
        return;
    import_keep_err(im, &err);
    im->stop = true;
}

static bool follow_each(void *arg, const char *path)
{
    struct following *all = arg;
    struct stat info;
    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return true;
    struct followed *f = followed_of(all, path);
    if (!f->round) {
        uint64_t size = (uint64_t)info.st_size, known = imported_bytes(all->im, path);
        f->file = info.st_ino;
        f->size = all->round > 1 ? 0 : known < size ? known : size;
    }
    look_again(all, f, &info);
    f->round = all->round;
    return !all->im->stop;
}

static void follow_failed(void *arg, const struct err *err)
{
    (void)arg; /* a file that is moved away right now is no error: the next round will see */
    (void)err;
}

static bool wait_for_more(const struct import *im)
{
    const struct timespec pause = {0, FOLLOW_MS * 1000000L};
    struct import_progress now = {.file = SPAN("waiting for more"),
                                  .bytes = im->totals->bytes,
                                  .sessions = im->totals->sessions,
                                  .diagnostics = im->totals->diagnostics};
    nanosleep(&pause, NULL);
    return !im->options->progress || im->options->progress(im->options->arg, &now);
}

void import_follow(struct import *im)
{
    struct following all = {.im = im};
    struct err err = {0};
    if (!import_commit(im, &err) || !case_say_followed(im->c, true, &err)) {
        import_keep_err(im, &err);
        return;
    }
    do {
        all.round++;
        import_walk(im->paths, im->path_count, follow_each, follow_failed, &all);
    } while (!im->stop && wait_for_more(im));
    case_say_followed(im->c, false,
                      &err); /* where it can't be written, that costs a look a second */
    while (all.first) {
        struct followed *f = all.first;
        all.first = f->next;
        forget_reading(f);
        mem_free(f->path);
        mem_free(f);
    }
}
