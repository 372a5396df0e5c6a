#include "ingest/import.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "ingest/account.h"
#include "ingest/assembler.h"
#include "ingest/diagnose.h"
#include "ingest/framer.h"
#include "ingest/import_internal.h"
#include "ingest/input.h"
#include "ingest/peel.h"
#include "model/case/source.h"

enum {
    HEAD_MAX = 512 * 1024,
    BATCH_MS = 500, /* small files share a commit; so much is lost at most when the machine stops */
};

struct import {
    struct case_file *c;
    const struct import_options *options;
    const char *const *paths; /* as they were named */
    size_t path_count;
    struct import_totals *totals;
    struct assembler *assembler;
    struct err *err;
    struct outlet outlet;
    bool open; /* a transaction is, since `since` */
    int64_t since;
    bool two_rounds;  /* wire logs first, transcripts then: they tell of the same calls */
    bool transcripts; /* the second of them */
    bool has_err;     /* *err holds the first thing that went wrong */
    bool stop;        /* nothing more can be done */
};

/* One file while it is read. */
struct reading {
    struct input *in;
    struct framer *framer;
    struct source_writer *writer;
    int64_t source;
    const char *path;
    const struct reader *reader;
    void *state;
    bool begun; /* state is open */
    bool complete;
    size_t longest; /* unit that is held */
    struct probe probe;
    struct peel *peel; /* NULL: nothing is around the log */
    struct account account;
    uint64_t bytes;
};

static void import_keep_err(struct import *im, const struct err *err)
{
    im->totals->failed++;
    if (!im->has_err)
        *im->err = *err;
    im->has_err = true;
}

static struct span import_folder_of(struct span path)
{
    while (path.len && path.at[path.len - 1] != '/')
        path.len--;
    return path;
}

/* A file that was named belongs with the others that were; one found in a folder, to that folder.
 */
static struct span group_of(const struct import *im, const char *path)
{
    for (size_t i = 0; i < im->path_count; i++)
        if (strcmp(im->paths[i], path) == 0)
            return SPAN_EMPTY;
    return import_folder_of(span_of(path));
}

/* ---- a unit ---- */

static uint64_t place(const struct reading *r, const struct unit *unit, size_t at)
{
    if (r->peel && unit->size)
        return peel_offset(r->peel, unit, at);
    return unit->recipe ? unit->start : unit->offset + at;
}

static bool note_bad(struct import *im, struct reading *r, const struct unit *unit, size_t at,
                     size_t length, const char *what, struct err *err)
{
    uint64_t line = unit->line;
    bool counted = r->reader->framing == FRAME_PACKETS; /* by packets, not by lines */
    for (size_t i = 0; i < at && i < unit->text.len && !counted; i++)
        line += unit->text.at[i] == '\n';
    if (im->options->strict) {
        char where[ERR_TEXT];
        snprintf(where, sizeof where, "%s:%llu", r->path, (unsigned long long)line);
        return err_set(err, ERR_INPUT, where, "without --strict the rest is imported",
                       "byte %llu: %s", (unsigned long long)place(r, unit, at), what);
    }
    return assembler_diagnostic(im->assembler, line, place(r, unit, at), length, PR_UNREADABLE,
                                what, err);
}

static bool note_parts(struct import *im, struct reading *r, const struct unit *unit,
                       struct err *err)
{
    const struct outlet *out = &im->outlet;
    if (out->bad && !out->count && !out->noise) {
        size_t length = out->bad_at < unit->text.len ? unit->text.len - out->bad_at : 0;
        if (!note_bad(im, r, unit, out->bad_at, length, out->bad, err))
            return false;
    }
    for (size_t i = 0; i < out->part_count; i++) {
        const struct outlet_part *part = &out->parts[i];
        if (!part->noise && !note_bad(im, r, unit, part->offset, part->length, part->what, err))
            return false;
    }
    return true;
}

/* Bytes that were held, and turn out to be unreadable. */
static bool note_settled(struct import *im, struct reading *r, const struct unit *unit,
                         struct err *err)
{
    const struct outlet *out = &im->outlet;
    for (size_t i = 0; i < out->settled_count; i++) {
        const struct outlet_settled *one = &out->settled[i];
        struct unit at = {.offset = one->offset, .line = unit->line, .text = SPAN_EMPTY};
        if (one->what && *one->what && !one->noise &&
            !note_bad(im, r, &at, 0, (size_t)one->bytes, one->what, err))
            return false;
    }
    return true;
}

/* What the reader said of a unit. */
static bool take_said(struct import *im, struct reading *r, const struct unit *unit,
                      struct err *err)
{
    account_unit(&r->account, unit, &im->outlet);
    return note_parts(im, r, unit, err) && note_settled(im, r, unit, err) &&
           assembler_take(im->assembler, unit, &im->outlet, err);
}

static bool take_unit(struct import *im, struct reading *r, const struct unit *unit,
                      struct err *err)
{
    outlet_clear(&im->outlet);
    if (unit->part == UNIT_MARK) {
        account_add(&r->account, "noise", "byte order mark", unit->size);
        return true;
    }
    r->reader->read(r->state, unit, &im->outlet);
    if (r->peel)
        peel_place(r->peel, unit, &im->outlet);
    return take_said(im, r, unit, err);
}

static bool take_peeled(struct import *im, struct reading *r, struct err *err)
{
    struct unit unit;
    while (peel_next(r->peel, &unit))
        if (!take_unit(im, r, &unit, err))
            return false;
    return true;
}

/* A line of a file whose log has something around it. */
static bool take_line(struct import *im, struct reading *r, const struct unit *line,
                      struct err *err)
{
    const char *noise;
    if (line->part == UNIT_MARK)
        return take_unit(im, r, line, err);
    uint64_t bytes = peel_put(r->peel, line, &noise);
    if (bytes)
        account_add(&r->account, "noise", noise, bytes);
    return take_peeled(im, r, err);
}

/* After the last unit: what the reader held back until it knew more. */
static bool take_end(struct import *im, struct reading *r, struct err *err)
{
    struct unit unit = {
        .text = SPAN_EMPTY,
        .offset = r->bytes,
        .start = r->bytes,
        .line = framer_lines(r->framer),
    };
    if (r->peel) {
        peel_end(r->peel);
        if (!take_peeled(im, r, err))
            return false;
    }
    if (!r->reader->end)
        return true;
    outlet_clear(&im->outlet);
    r->reader->end(r->state, &unit, &im->outlet);
    bool ok = take_said(im, r, &unit, err);
    account_end(&r->account);
    return ok;
}

/* ---- a file ---- */

bool import_may_hold(const struct framer *framer, size_t longest, const char *path, struct err *err)
{
    return framer_held(framer) <= longest ||
           err_set(err, ERR_INPUT, path, "cut it into shorter ones; what came before is kept",
                   "a line or value is longer than %zu bytes", longest);
}

/* More bytes into the case and the framer. 1, 0 at the end, -1 on an error of reading (what came is
 * kept), -2 on one of ours. */
static int import_read_more(struct reading *r, struct err *err)
{
    size_t room;
    if (!import_may_hold(r->framer, r->longest, r->path, err) ||
        (r->peel && !import_may_hold(peel_framer(r->peel), r->longest, r->path, err))) {
        framer_end(r->framer);
        return -1;
    }
    char *at = framer_room(r->framer, &room);
    ptrdiff_t n = input_read(r->in, at, room, err);
    if (n <= 0) {
        framer_end(r->framer);
        r->complete = n == 0;
        return n < 0 ? -1 : 0;
    }
    r->bytes += (uint64_t)n;
    framer_filled(r->framer, (size_t)n);
    return source_append(r->writer, (struct span){at, (size_t)n}, err) ? 1 : -2;
}

static bool go_on(struct import *im, const struct reading *r)
{
    if (!im->options->progress)
        return true;
    struct assembler_counts counts = assembler_counts(im->assembler);
    struct import_progress progress = {
        .file = span_of(r->path),
        .bytes = input_position(r->in),
        .total = input_size(r->in),
        .files = im->totals->sources,
        .events = counts.events,
        .diagnostics = counts.diagnostics,
    };
    return im->options->progress(im->options->arg, &progress);
}

/* Enough to tell the format. */
static int import_read_head(struct reading *r, struct err *err)
{
    int more = 1;
    while (more > 0 && r->bytes < HEAD_MAX)
        more = import_read_more(r, err);
    return more;
}

static void name_packing(const struct input *in, struct probe *probe)
{
    const char *packing = input_packing(in);
    size_t len = strlen(probe->reason);
    if (packing)
        snprintf(probe->reason + len, sizeof probe->reason - len, "; %s", packing);
}

static void choose_reader(struct import *im, struct reading *r)
{
    struct span head = framer_head(r->framer);
    struct peel_plan plan;
    r->reader = peel_detect(head, span_of(r->path), r->complete, &r->probe, &plan);
    if (im->options->format && r->reader != im->options->format) {
        r->reader = im->options->format;
        peel_plan_for(r->reader, head, span_of(r->path), r->complete, &plan);
        r->probe = (struct probe){.confidence = 100};
        snprintf(r->probe.reason, sizeof r->probe.reason, "chosen with --format");
    }
    name_packing(r->in, &r->probe);
    if (plan.count && framer_is_utf8(r->framer)) {
        r->peel = peel_create(&plan, r->reader);
        framer_cut_by(r->framer, FRAME_LINES, NULL);
    } else {
        framer_cut_by(r->framer, r->reader->framing, r->reader->elements);
    }
    r->state = r->reader->open ? r->reader->open(span_of(r->path)) : NULL;
    r->begun = true;
}

static bool take_units(struct import *im, struct reading *r, struct err *err)
{
    struct unit unit;
    while (framer_next(r->framer, &unit))
        if (!(r->peel ? take_line(im, r, &unit, err) : take_unit(im, r, &unit, err)))
            return false;
    return true;
}

/* Reads it all. False where the import can't go on with this file and it must be rolled back; an
 * error of reading is kept in `reading_err`, with what was read before it. */
static bool import_read_file(struct import *im, struct reading *r, struct err *err,
                             struct err *reading_err)
{
    int more = import_read_head(r, err);
    if (more == -2)
        return false;
    choose_reader(im, r);
    if (!assembler_begin(im->assembler, r->source, span_of(r->path), group_of(im, r->path),
                         r->reader, r->state, err))
        return false;
    for (;;) {
        if (more == -1)
            *reading_err = *err;
        if (!take_units(im, r, err))
            return false;
        if (more <= 0)
            return take_end(im, r, err);
        if (!go_on(im, r)) {
            im->totals->interrupted = im->stop = true;
            framer_end(r->framer);
            return take_units(im, r, err) && take_end(im, r, err);
        }
        more = import_read_more(r, err);
        if (more == -2)
            return false;
    }
}

/* What is kept is what was unpacked, and its hash. The file on disk has another one. */
static void name_packed_file(struct reading *r)
{
    struct digest digest;
    struct buf hex = {0};
    if (!input_file_digest(r->in, &digest))
        return;
    hex_encode(&hex, (struct span){(const char *)digest.bytes, digest.len});
    size_t len = strlen(r->probe.reason);
    snprintf(r->probe.reason + len, sizeof r->probe.reason - len, ", a file of sha256:%s",
             buf_cstr(&hex));
    buf_finish(&hex);
}

static bool close_source(struct import *im, struct reading *r, struct err *err)
{
    if (!r->complete &&
        !assembler_diagnostic(im->assembler, framer_lines(r->framer), r->bytes, 0, PR_INCOMPLETE,
                              im->totals->interrupted ? "the import was stopped here"
                                                      : "the file could not be read further",
                              err))
        return false;
    name_packed_file(r);
    if (!account_store(&r->account, im->c, r->source, err) || !assembler_end(im->assembler, err))
        return false;
    struct source_info info = {
        .format = span_of(r->reader->name),
        .confidence = r->probe.confidence,
        .reason = span_of(r->probe.reason),
        .clock_offset_ns = im->options->offset_ns,
        .lines = framer_lines(r->framer),
    };
    struct source_writer *writer = r->writer;
    r->writer = NULL; /* source_end frees it, also where it fails */
    return source_end(writer, &info, r->complete, err);
}

static void finish_reading(struct reading *r)
{
    if (r->begun && r->reader->close)
        r->reader->close(r->state);
    source_abandon(r->writer);
    peel_destroy(r->peel);
    framer_destroy(r->framer);
    input_close(r->in);
}

/* Inside a transaction. *twin: the case has these bytes; nothing is to be kept. */
static bool import_open(struct import *im, struct reading *r, bool *twin, struct err *err,
                        struct err *reading_err)
{
    r->writer = source_begin(im->c, span_of(r->path), "log", err);
    if (!r->writer)
        return false;
    r->source = source_writer_id(r->writer);
    if (!import_read_file(im, r, err, reading_err) || !close_source(im, r, err))
        return false;
    int found = r->complete ? import_has_twin(im->c, r->source, err) : 0;
    *twin = found > 0;
    return found >= 0;
}

static int64_t now_ms(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

static bool begin(struct import *im, struct err *err)
{
    if (!im->open) {
        if (!db_begin(case_db(im->c), err))
            return false;
        im->open = true;
        im->since = now_ms();
    }
    return db_mark(case_db(im->c), err);
}

static bool commit(struct import *im, struct err *err)
{
    if (!im->open)
        return true;
    im->open = false;
    if (db_commit(case_db(im->c), err))
        return true;
    db_rollback(case_db(im->c));
    return false;
}

/* The source is whole. It is on disk at once, or with the small ones that come after it. */
static bool import_keep(struct import *im, struct err *err)
{
    if (!db_keep(case_db(im->c), err))
        return false;
    return now_ms() - im->since < BATCH_MS || commit(im, err);
}

/* As if the source had never been read. Where SQLite took back more than that (the disk is full),
 * nothing can go on. */
static void take_back(struct import *im)
{
    if (im->open && !db_in_transaction(case_db(im->c)))
        im->open = false, im->stop = true;
    db_back_to_mark(case_db(im->c));
    store_forget_tails(im->c);
    assembler_drop(im->assembler);
}

static bool is_named(const struct import *im, const char *path)
{
    for (size_t i = 0; i < im->path_count; i++)
        if (strcmp(im->paths[i], path) == 0)
            return true;
    return false;
}

/* A case is no log; it may lie among them, even the one that is being made. */
static void refuse_case(struct import *im, const char *path)
{
    struct err err;
    im->totals->skipped++;
    if (!is_named(im, path))
        return;
    err_set(&err, ERR_INPUT, path, "name the logs that it was made of, or open it alone",
            "it is a case and no log");
    import_keep_err(im, &err);
}

static void import_file(struct import *im, const char *path)
{
    if (case_is(path)) {
        refuse_case(im, path);
        return;
    }
    size_t longest = im->options->longest;
    struct reading r = {.path = path, .longest = longest ? longest : IMPORT_LONGEST};
    struct err err = {0}, reading_err = {0};
    struct assembler_counts before = assembler_counts(im->assembler);
    r.in = input_open(path, &err);
    if (!r.in) {
        import_keep_err(im, &err);
        return;
    }
    int known = import_is_known(im->c, path, "log", input_size(r.in), &err);
    if (known) {
        input_close(r.in);
        if (known > 0)
            im->totals->skipped++;
        else
            import_keep_err(im, &err);
        return;
    }
    r.framer = framer_create();
    bool twin = false, ok = begin(im, &err);
    ok = ok && import_open(im, &r, &twin, &err, &reading_err);
    ok = ok && (twin || import_keep(im, &err));
    if (!ok || twin)
        take_back(im);
    if (!ok) {
        err_at(&err, path);
        import_keep_err(im, &err);
        im->stop = im->stop || err.kind == ERR_INTERNAL || im->options->strict;
    } else if (reading_err.kind) {
        import_keep_err(im, &reading_err);
    }
    struct assembler_counts after = assembler_counts(im->assembler);
    if (ok && twin) {
        im->totals->skipped++;
    } else if (ok) {
        im->totals->sources++;
        im->totals->bytes += r.bytes;
        im->totals->events += after.events - before.events;
        im->totals->steps += after.steps - before.steps;
        im->totals->sessions += after.sessions - before.sessions;
        im->totals->diagnostics += after.diagnostics - before.diagnostics;
    }
    finish_reading(&r);
}

/* ---- all of them ---- */

bool import_look(const char *path, const struct reader **reader, struct probe *best,
                 struct err *err)
{
    struct reading r = {.path = path, .in = input_open(path, err)};
    if (!r.in)
        return false;
    size_t room;
    ptrdiff_t n = 1;
    r.framer = framer_create();
    while (n > 0 && r.bytes < HEAD_MAX) {
        char *at = framer_room(r.framer, &room);
        n = input_read(r.in, at, room, err);
        framer_filled(r.framer, n > 0 ? (size_t)n : 0);
        r.bytes += n > 0 ? (uint64_t)n : 0;
    }
    if (n >= 0) {
        struct peel_plan plan;
        *reader = peel_detect(framer_head(r.framer), span_of(path), n == 0, best, &plan);
        best->head = SPAN_EMPTY;
        name_packing(r.in, best);
    }
    framer_destroy(r.framer);
    input_close(r.in);
    return n >= 0;
}

/* Is the file a transcript? What can't be read twice is not asked. */
static bool is_transcript(const struct import *im, const char *path)
{
    struct err ignored;
    struct probe probe;
    struct stat info;
    const struct reader *reader;
    if (im->options->format)
        return im->options->format->transcript;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           import_look(path, &reader, &probe, &ignored) && reader->transcript;
}

static bool import_each(void *arg, const char *path)
{
    struct import *im = arg;
    if (!im->two_rounds || is_transcript(im, path) == im->transcripts)
        import_file(im, path);
    return !im->stop;
}

static void import_failed(void *arg, const struct err *err)
{
    struct import *im = arg;
    if (!im->transcripts)
        import_keep_err(im, err);
}

static struct span last_part(struct span path)
{
    while (path.len > 1 && path.at[path.len - 1] == '/')
        path.len--;
    return span_sub(path, import_folder_of(path).len, path.len);
}

/* What to call the session of wire logs that were named: the folder that all of them stand in;
 * empty: each is called as its file. */
static struct span import_name_of(const char *const *paths, size_t count)
{
    struct span folder = count ? import_folder_of(span_of(paths[0])) : SPAN_EMPTY;
    bool together = count > 1 && folder.len > 1;
    for (size_t i = 1; i < count; i++)
        together = together && span_equal(folder, import_folder_of(span_of(paths[i])));
    struct span name = together ? last_part(folder) : SPAN_EMPTY;
    return span_is(name, ".") || span_is(name, "..") ? SPAN_EMPTY : name;
}

bool import_logs(struct case_file *c, const char *const *paths, size_t count,
                 const struct import_options *options, struct import_totals *totals,
                 struct err *err)
{
    struct import im = {.c = c,
                        .options = options,
                        .paths = paths,
                        .path_count = count,
                        .totals = totals,
                        .err = err};
    struct assembler_options names = {
        .session = span_of(options->session),
        .server = span_of(options->server),
        .fallback = import_name_of(paths, count),
    };
    *totals = (struct import_totals){0};
    im.assembler = assembler_create(c, &names, err);
    if (!im.assembler)
        return false;
    outlet_init(&im.outlet);
    /* In one session wire logs come first: theirs are the claims, the host tells what was shown. */
    im.two_rounds = options->session;
    import_walk(paths, count, import_each, import_failed, &im);
    if (im.two_rounds && !im.stop) {
        im.transcripts = true;
        import_walk(paths, count, import_each, import_failed, &im);
    }
    struct err last = {0};
    if (!commit(&im, &last))
        import_keep_err(&im, &last);
    outlet_finish(&im.outlet);
    assembler_destroy(im.assembler);
    return !im.has_err;
}
