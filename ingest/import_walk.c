#include <errno.h>
#include <fts.h>
#include <glob.h>
#include <unistd.h>

#include "base/sha256.h"
#include "ingest/import_internal.h"
#include "ingest/input.h"
#include "model/case/source.h"

static int import_walk_by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool walk_entry(const FTSENT *entry, bool (*each)(void *arg, const char *path),
                       void (*failed)(void *arg, const struct err *err), void *arg)
{
    struct err err = {0};
    switch (entry->fts_info) {
    case FTS_F:
        return each(arg, entry->fts_path);
    case FTS_DEFAULT: /* a pipe or a device: only where it was named */
    case FTS_SL:
        if (entry->fts_level == FTS_ROOTLEVEL)
            return each(arg, entry->fts_path);
        err_set(&err, ERR_NONE, entry->fts_path, "name it to have it read", "%s in a folder",
                entry->fts_info == FTS_SL ? "a link" : "a pipe, socket or device");
        failed(arg, &err);
        return true;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
    case FTS_SLNONE:
        err_set(&err, ERR_INPUT, entry->fts_path, "check the name and the permissions", "%s",
                strerror(entry->fts_errno ? entry->fts_errno : ENOENT));
        failed(arg, &err);
        return true;
    default:
        return true;
    }
}

static bool walk_path(const char *path, bool (*each)(void *arg, const char *path),
                      void (*failed)(void *arg, const struct err *err), void *arg)
{
    char *const roots[] = {(char *)(uintptr_t)path, NULL};
    FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, import_walk_by_name);
    if (!fts) {
        struct err err = {0};
        err_set(&err, ERR_INPUT, path, NULL, "%s", strerror(errno));
        failed(arg, &err);
        return true;
    }
    bool on = true;
    for (const FTSENT *entry; on && (entry = fts_read(fts));)
        on = walk_entry(entry, each, failed, arg);
    fts_close(fts);
    return on;
}

/* A pattern that no shell has seen, as in a config or between quotes. A file of that very name
 * comes first. */
static bool walk_operand(const char *word, bool (*each)(void *arg, const char *path),
                         void (*failed)(void *arg, const struct err *err), void *arg)
{
    glob_t found;
    if (strcmp(word, "-") == 0)
        return each(arg, word);
    if (!strpbrk(word, "*?[") || access(word, F_OK) == 0 || glob(word, 0, NULL, &found) != 0)
        return walk_path(word, each, failed, arg);
    bool on = true;
    for (size_t i = 0; on && i < found.gl_pathc; i++)
        on = walk_path(found.gl_pathv[i], each, failed, arg);
    globfree(&found);
    return on;
}

bool import_walk(const char *const *paths, size_t count, bool (*each)(void *arg, const char *path),
                 void (*failed)(void *arg, const struct err *err), void *arg)
{
    for (size_t i = 0; i < count; i++)
        if (!walk_operand(paths[i], each, failed, arg))
            return false;
    return true;
}

int import_has_twin(struct case_file *c, int64_t source, struct err *err)
{
    struct arena arena = {0};
    struct source_info info;
    int64_t first = 0;
    bool ok = source_describe(c, source, &arena, &info, err) &&
              source_find(c, info.sha256, "log", &first, err);
    arena_finish(&arena);
    return !ok ? -1 : first && first != source;
}

int import_stopped_there(struct case_file *c, int64_t source, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c),
                                "SELECT 1 FROM source now JOIN source before ON"
                                " before.path=now.path AND before.sha256=now.sha256"
                                " AND before.role=now.role AND before.id<>now.id"
                                " WHERE now.id=?1 LIMIT 1",
                                err);
    if (!stmt)
        return -1;
    stmt_bind_int(stmt, 1, source);
    int row = stmt_step(stmt, err);
    stmt_finish(stmt);
    return row;
}

static int has_size(struct case_file *c, uint64_t bytes, struct err *err)
{
    return db_number(case_db(c), "SELECT 1 FROM source WHERE bytes=?1 LIMIT 1",
                     (int64_t[]){(int64_t)bytes}, 1, NULL, err);
}

/* The first `most` bytes of the file, or all where it has no more: *bytes of them. */
static bool hash_file(const char *path, uint64_t most, uint8_t digest[SHA256_BYTES],
                      uint64_t *bytes, struct err *err)
{
    enum { IMPORT_WALK_CHUNK = 256 * 1024 };
    struct input *in = input_open(path, err);
    if (!in)
        return false;
    struct sha256 hash;
    sha256_init(&hash);
    char *chunk = mem_alloc(IMPORT_WALK_CHUNK);
    ptrdiff_t n;
    *bytes = 0;
    while ((n = input_read(in, chunk, IMPORT_WALK_CHUNK, err)) > 0 && *bytes < most) {
        struct span read = span_sub((struct span){chunk, (size_t)n}, 0, most - *bytes);
        sha256_add(&hash, read);
        *bytes += read.len;
    }
    sha256_so_far(&hash, SPAN_EMPTY, digest);
    mem_free(chunk);
    sha256_finish(&hash);
    input_close(in);
    return n >= 0;
}

bool import_begins_as(const char *path, struct span sha256, uint64_t bytes)
{
    uint8_t digest[SHA256_BYTES];
    struct err ignored;
    uint64_t read;
    return sha256.len && hash_file(path, bytes, digest, &read, &ignored) && read == bytes &&
           span_equal((struct span){(const char *)digest, sizeof digest}, sha256);
}

int import_is_known(struct case_file *c, const char *path, const char *role, uint64_t size,
                    struct err *err)
{
    int sized = size ? has_size(c, size, err) : 0;
    if (sized <= 0)
        return sized;
    uint8_t digest[SHA256_BYTES];
    struct err ignored; /* a file that can't be read will say so when it is imported */
    int64_t source = 0;
    uint64_t bytes;
    if (!hash_file(path, UINT64_MAX, digest, &bytes, &ignored))
        return 0;
    return source_find(c, digest, role, &source, err) ? source != 0 : -1;
}
