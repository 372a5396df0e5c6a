#include "ingest/records.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

static bool records_read_file(const char *path, struct buf *out, struct err *err)
{
    enum { RECORDS_CHUNK = 64 * 1024 };
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t got = fd < 0 ? -1 : 1;
    while (fd >= 0 && out->len <= RECORD_FILE_MOST &&
           (got = read(fd, buf_reserve(out, RECORDS_CHUNK), RECORDS_CHUNK)) > 0)
        out->len += (size_t)got;
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (got < 0)
        return err_set(err, ERR_INPUT, path, "check the path and its permissions", "%s",
                       strerror(why));
    if (out->len > RECORD_FILE_MOST)
        return err_set(err, ERR_INPUT, path, "split it, or name the records one by one",
                       "too large for an evidence file");
    return true;
}

static bool add_file(struct records *records, const char *path, struct err *err)
{
    struct buf text = {0};
    struct span name = span_of(path);
    bool ok = records_read_file(path, &text, err);
    if (ok && (span_ends_with(name, SPAN(".jsonl")) || span_ends_with(name, SPAN(".ndjson"))))
        records_add_lines(records, buf_span(&text), name);
    else if (ok)
        records_add(records, buf_span(&text), name, name);
    buf_finish(&text);
    return ok;
}

static int records_by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

bool records_load(struct records *records, const char *const *paths, size_t count, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        char *roots[] = {strdup(paths[i]), NULL};
        if (!roots[0])
            mem_exhausted();
        FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, records_by_name);
        FTSENT *entry;
        errno = 0;
        while (ok && walk && (entry = fts_read(walk))) {
            if (entry->fts_info == FTS_F)
                ok = add_file(records, entry->fts_path, err);
            else if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR ||
                     entry->fts_info == FTS_ERR)
                ok = err_set(err, ERR_INPUT, entry->fts_path, "check the path and its permissions",
                             "%s", strerror(entry->fts_errno));
        }
        if (!walk)
            ok = err_set(err, ERR_INPUT, paths[i], NULL, "%s", strerror(errno));
        else
            fts_close(walk);
        free(roots[0]);
    }
    return ok;
}
