#include "ingest/records.h"

#include <errno.h>

#include "base/file.h"
#include "ingest/import_internal.h"

static bool records_read_file(const char *path, struct buf *out, struct err *err)
{
    int why = file_bytes(path, RECORD_FILE_MOST, out);
    if (why == EFBIG)
        return err_set(err, ERR_INPUT, path, "split it, or name the records one by one",
                       "too large for an evidence file");
    return !why ||
           err_set(err, ERR_INPUT, path, "check the path and its permissions", "%s", strerror(why));
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

struct records_loading {
    struct records *records;
    struct err *err;
    bool failed;
};

static bool records_load_one(void *arg, const char *path)
{
    struct records_loading *l = arg;
    l->failed = l->failed || !add_file(l->records, path, l->err);
    return !l->failed;
}

static void records_load_failed(void *arg, const struct err *err)
{
    struct records_loading *l = arg;
    if (!l->failed && err->kind)
        *l->err = *err;
    l->failed = l->failed || err->kind;
}

bool records_load(struct records *records, const char *const *paths, size_t count, struct err *err)
{
    struct records_loading loading = {.records = records, .err = err};
    import_walk(paths, count, records_load_one, records_load_failed, &loading);
    return !loading.failed;
}
