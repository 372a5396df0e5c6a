/* Evidence records: each file becomes a source of that role, each record in it a row. */
#include <stdio.h>

#include "base/monotonic.h"
#include "ingest/account.h"
#include "ingest/framer.h"
#include "ingest/import_internal.h"
#include "ingest/input.h"
#include "model/case/source.h"

enum { EVIDENCE_BATCH_MS = 500 }; /* files share a commit: there are many, and they are small */

struct evidence {
    struct case_file *c;
    int64_t since;  /* when the transaction that is open began, in ms */
    size_t pending; /* files that wait for its commit */
    struct import_totals *totals;
    struct err *err;
    bool has_err;
};

/* One file. */
struct holding {
    const char *path;
    struct input *in;
    struct framer *framer;
    struct source_writer *writer;
    struct account account;
    bool lines, cbor, ended;
};

static bool path_ends(const char *path, const char *suffix)
{
    struct span whole = span_of(path), end = span_of(suffix);
    return whole.len >= end.len &&
           span_equal_nocase(span_sub(whole, whole.len - end.len, whole.len), end);
}

static bool import_evidence_read_more(struct holding *h, bool *more, struct err *err)
{
    size_t room;
    if (!import_may_hold(h->framer, IMPORT_LONGEST, h->path, err))
        return false;
    char *at = framer_room(h->framer, &room);
    ptrdiff_t n = input_read(h->in, at, room, err);
    *more = n > 0;
    if (n < 0)
        return false;
    if (n == 0) {
        framer_end(h->framer);
        h->ended = true;
        return true;
    }
    framer_filled(h->framer, (size_t)n);
    return source_append(h->writer, (struct span){at, (size_t)n}, err);
}

static bool store_unit(struct evidence *ev, struct holding *h, const struct unit *unit,
                       struct err *err)
{
    struct span text = h->cbor ? unit->text : span_trim(unit->text);
    if (!text.len) {
        account_add(&h->account, "blank", "", unit->size);
        return true;
    }
    char name[4200];
    if (h->lines)
        snprintf(name, sizeof name, "%s:%llu", h->path, (unsigned long long)unit->line);
    struct extent at = {
        .source = source_writer_id(h->writer),
        .offset = unit->offset + (uint64_t)(text.at - unit->text.at),
        .length = text.len,
        .recipe = SPAN_EMPTY,
    };
    account_add(&h->account, "event", "", unit->size);
    ev->totals->records++;
    return store_record(ev->c, &at, span_of(h->lines ? name : h->path), h->cbor ? "cbor" : "json",
                        err);
}

/* A name that says so, or text whose first line is a value and whose whole is none. */
static bool is_lines(const struct holding *h)
{
    if (path_ends(h->path, ".jsonl") || path_ends(h->path, ".ndjson"))
        return true;
    struct span head = framer_head(h->framer);
    struct span line = span_trim(span_sub(head, 0, span_find_byte(head, '\n')));
    return line.len < span_trim(head).len && jsonr_is_object(line) && jsonr_valid(line, NULL, NULL);
}

/* Like JSON text, or not: what the bytes begin like decides, not the name. */
static bool is_cbor(struct span head)
{
    head = span_trim(head);
    unsigned char first = head.len ? (unsigned char)head.at[0] : '{';
    return first != '{' && first != '[' && first != '"' && first != 0xef;
}

static bool hold(struct evidence *ev, struct holding *h, struct err *err)
{
    bool more = true;
    struct unit unit;
    h->writer = source_begin(ev->c, span_of(h->path), "evidence", err);
    if (!h->writer || !import_evidence_read_more(h, &more, err))
        return false;
    h->cbor = path_ends(h->path, ".cbor") || is_cbor(framer_head(h->framer));
    h->lines = !h->cbor && is_lines(h);
    framer_cut_by(h->framer, h->lines ? FRAME_LINES : FRAME_WHOLE, NULL);
    for (;;) {
        while (framer_next(h->framer, &unit))
            if (!store_unit(ev, h, &unit, err))
                return false;
        if (!more)
            break;
        if (!import_evidence_read_more(h, &more, err))
            return false;
    }
    int64_t source = source_writer_id(h->writer);
    if (!account_store(&h->account, ev->c, source, err))
        return false;
    struct source_info info = {
        .format = SPAN_EMPTY, .reason = SPAN_EMPTY, .lines = framer_lines(h->framer)};
    struct source_writer *writer = h->writer;
    h->writer = NULL;
    return source_end(writer, &info, true, err);
}

static void import_evidence_keep_err(struct evidence *ev, const struct err *err)
{
    ev->totals->failed++;
    if (!ev->has_err)
        *ev->err = *err;
    ev->has_err = true;
}

static bool begin_file(struct evidence *ev, struct err *err)
{
    if (!db_in_transaction(case_db(ev->c))) {
        if (!db_begin(case_db(ev->c), err))
            return false;
        ev->since = monotonic_ms();
    }
    return db_mark(case_db(ev->c), err);
}

/* What waits for the commit is not held when it fails. */
static bool commit_files(struct evidence *ev)
{
    struct err err = {0};
    bool ok = !db_in_transaction(case_db(ev->c)) || db_commit(case_db(ev->c), &err);
    if (!ok) {
        db_rollback(case_db(ev->c));
        ev->totals->sources -= ev->pending;
        import_evidence_keep_err(ev, &err);
    }
    ev->pending = 0;
    return ok;
}

/* The file is as if it had never been read. False where SQLite took back more than that (the disk
 * is full): then nothing can go on. */
static bool take_file_back(struct evidence *ev)
{
    bool open = db_in_transaction(case_db(ev->c));
    db_back_to_mark(case_db(ev->c));
    if (!open) {
        ev->totals->sources -= ev->pending;
        ev->pending = 0;
    }
    return open;
}

static bool hold_each(void *arg, const char *path)
{
    struct evidence *ev = arg;
    struct holding h = {.path = path};
    struct err err = {0};
    bool go_on = true;
    h.in = input_open(path, &err);
    int known = h.in ? import_is_known(ev->c, path, "evidence", input_size(h.in), &err) : -1;
    if (known) {
        input_close(h.in);
        if (known > 0)
            ev->totals->skipped++;
        else
            import_evidence_keep_err(ev, &err);
        return true;
    }
    h.framer = framer_create();
    if (begin_file(ev, &err) && hold(ev, &h, &err) && db_keep(case_db(ev->c), &err)) {
        ev->totals->sources++;
        ev->totals->bytes += input_position(h.in);
        ev->pending++;
        if (monotonic_ms() - ev->since >= EVIDENCE_BATCH_MS)
            go_on = commit_files(ev);
    } else {
        go_on = take_file_back(ev);
        err_at(&err, path);
        import_evidence_keep_err(ev, &err);
    }
    source_abandon(h.writer);
    framer_destroy(h.framer);
    input_close(h.in);
    return go_on;
}

static void hold_failed(void *arg, const struct err *err)
{
    if (err->kind)
        import_evidence_keep_err(arg, err);
}

bool import_evidence(struct case_file *c, const char *const *paths, size_t count,
                     struct import_totals *totals, struct err *err)
{
    struct evidence ev = {.c = c, .totals = totals, .err = err};
    import_walk(paths, count, hold_each, hold_failed, &ev);
    commit_files(&ev);
    return !ev.has_err;
}
