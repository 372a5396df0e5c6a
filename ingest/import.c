#include "ingest/import.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/monotonic.h"
#include "ingest/import_internal.h"
#include "ingest/peel.h"
#include "ingest/readers/readers.h"
#include "ingest/same_calls.h"

/* Small files share a commit; so much is lost at most when the machine stops. Before a commit steps
 * are put in order, which takes longer the more there are: work of a few times as long goes before
 * it, so that all of it stays in proportion to what is read. */
enum { BATCH_MS = 500, BATCH_COMMITS = 4 };

void import_keep_err(struct import *im, const struct err *err)
{
    im->totals->failed++;
    if (!im->has_err)
        *im->err = *err;
    else if (im->options->told &&
             im->round < ROUNDS) /* who follows would be told again and again */
        im->options->told(im->options->arg, err);
    im->has_err = true;
}

bool import_tell(struct import *im, const struct assembler *a, const char *path, uint64_t position)
{
    if (!im->options->progress)
        return true;
    struct assembler_counts counts = assembler_counts(a);
    uint64_t bytes = im->done + position;
    struct import_progress progress = {
        .file = span_of(path),
        .bytes = im->total && bytes > im->total ? im->total : bytes,
        .total = im->total,
        .number = im->files_done < im->files ? im->files_done + 1 : im->files,
        .files = im->files,
        .sessions = counts.sessions,
        .diagnostics = counts.diagnostics,
    };
    return im->options->progress(im->options->arg, &progress);
}

static struct span import_folder_of(struct span path)
{
    while (path.len && path.at[path.len - 1] != '/')
        path.len--;
    return path;
}

struct span import_group_of(const struct import *im, const char *path)
{
    for (size_t i = 0; i < im->path_count; i++)
        if (strcmp(im->paths[i], path) == 0)
            return SPAN_EMPTY;
    return import_folder_of(span_of(path));
}

/* ---- a file ---- */

/* A source is gone on with where a line or value ends. */
static bool can_go_on(const struct import *im, const struct reader *reader)
{
    return reader && !reader->end &&
           (reader->framing == FRAME_LINES || reader->framing == FRAME_TEXT ||
            reader->framing == FRAME_VALUES) &&
           (!im->options->format || im->options->format == reader);
}

bool import_find_prior(struct import *im, struct reading *r, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(im->c),
                                "SELECT id, bytes, format, confidence, reason, clock_offset_ns,"
                                " complete FROM source WHERE path=?1 AND role='log'"
                                " ORDER BY id DESC LIMIT 1",
                                err);
    r->prior = 0;
    if (!stmt)
        return false;
    stmt_bind_text(stmt, 1, span_of(r->path));
    uint64_t size = input_size(r->in); /* 0 of what is no file */
    if (stmt_step(stmt, err) > 0) {
        uint64_t known = (uint64_t)stmt_int(stmt, 1);
        const struct reader *reader = reader_find(stmt_text(stmt, 2));
        bool grown = known && (known < size || (known == size && (r->again || !stmt_int(stmt, 6))));
        if (grown && can_go_on(im, reader)) {
            struct span reason = stmt_text(stmt, 4);
            r->prior = r->source = stmt_int(stmt, 0);
            r->known = known;
            r->reader = reader;
            r->probe = (struct probe){.confidence = (int)stmt_int(stmt, 3)};
            snprintf(r->probe.reason, sizeof r->probe.reason, "%.*s", SPAN_ARG(reason));
            r->clock_offset_ns = stmt_int(stmt, 5);
        }
        r->replaces = !r->prior && size;
    }
    stmt_finish(stmt);
    return r->prior;
}

/* Calls of a transcript are found among those of the wire by time: where none was found, its clock
 * may be far off. */
static bool may_be_off(const struct import *im, const struct reading *r)
{
    return im->options->session && !im->options->offset_ns && !im->clock_ns && !r->prior &&
           r->reader->transcript && input_size(r->in) && !assembler_merged(r->assembler);
}

/* Inside a transaction. *twin: the case has these bytes; nothing is to be kept. */
static bool import_open(struct import *im, struct reading *r, bool *twin, struct err *err,
                        struct err *reading_err)
{
    r->writer = r->prior ? source_resume(im->c, r->prior, err)
                         : source_begin(im->c, span_of(r->path), "log", err);
    if (!r->writer)
        return false;
    r->source = source_writer_id(r->writer);
    if (!reading_run(im, r, import_group_of(im, r->path), err, reading_err))
        return false;
    bool ask = may_be_off(im, r);
    if (!reading_close(im, r, err) ||
        (ask && !same_calls_clock(im->c, r->source, &r->clock_found_ns, err)) ||
        r->clock_found_ns) /* it is read once more */
        return false;
    int found = r->complete ? import_has_twin(im->c, r->source, err)
                            : import_stopped_there(im->c, r->source, err);
    *twin = found > 0 && !r->prior;
    return found >= 0;
}

bool import_begin(struct import *im, struct err *err)
{
    if (!im->open) {
        if (!db_begin(case_db(im->c), err))
            return false;
        im->open = true;
        im->since = monotonic_ms();
    }
    return db_mark(case_db(im->c), err);
}

bool import_commit(struct import *im, struct err *err)
{
    if (!im->open)
        return true;
    int64_t begin = monotonic_ms();
    im->open = false;
    if (!assembler_number(im->assembler, err) || !db_commit(case_db(im->c), err)) {
        db_rollback(case_db(im->c));
        return false;
    }
    im->last_commit = monotonic_ms() - begin;
    return true;
}

/* The source is whole. It is on disk at once, or with the small ones that come after it. */
static bool import_keep(struct import *im, struct err *err)
{
    if (!db_keep(case_db(im->c), err))
        return false;
    if (im->held)
        return true;
    int64_t open = monotonic_ms() - im->since;
    return open < BATCH_MS || open < BATCH_COMMITS * im->last_commit || import_commit(im, err);
}

/* As if the source had never been read. Where SQLite took back more than that (the disk is full),
 * nothing can go on. */
void import_take_back(struct import *im, struct assembler *a)
{
    if (im->open && !db_in_transaction(case_db(im->c)))
        im->open = false, im->stop = true;
    db_back_to_mark(case_db(im->c));
    store_forget_tails(im->c);
    assembler_drop(a);
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

/* The case has the file: it stands in this walk as if it had been read in it. */
static void place_known(struct import *im, const char *path)
{
    struct err ignored;
    struct stmt *stmt = db_stmt(case_db(im->c),
                                "SELECT id, format FROM source WHERE path=?1 AND role='log'"
                                " ORDER BY id DESC LIMIT 1",
                                &ignored);
    if (!stmt)
        return;
    stmt_bind_text(stmt, 1, span_of(path));
    if (stmt_step(stmt, &ignored) > 0) {
        const struct reader *reader = reader_find(stmt_text(stmt, 1));
        im->known_wire = im->known_wire || (reader && !reader->transcript);
        assembler_known(im->assembler, stmt_int(stmt, 0), import_group_of(im, path), reader);
    }
    stmt_finish(stmt);
}

static void tell_twin(struct import *im, const char *path)
{
    place_known(im, path);
    struct err note = {0};
    err_set(&note, ERR_NONE, path, NULL, "the case has these bytes already");
    if (im->options->told)
        im->options->told(im->options->arg, &note);
}

/* A file in which nothing was found: of one that was named among others, whoever named it is told.
 */
static void tell_empty(struct import *im, const char *path)
{
    struct err note = {0};
    bool asked = im->path_count > 1 && is_named(im, path);
    im->totals->empty++;
    err_set(&note, asked ? ERR_INPUT : ERR_NONE, path,
            "see 'strandline formats FILE' for what it looks like", "no message was found in it");
    if (im->options->told)
        im->options->told(im->options->arg, &note);
}

void import_count(struct import *im, const struct assembler_counts *before,
                  const struct assembler_counts *after)
{
    im->totals->events += after->events - before->events;
    im->totals->steps += after->steps - before->steps;
    im->totals->sessions += after->sessions - before->sessions;
    im->totals->diagnostics += after->diagnostics - before->diagnostics;
}

/* Reads the file into a source of its own, or on with the one that the case has. False where it
 * can't be gone on with: it is another file now. */
static bool import_reading(struct import *im, struct reading *r)
{
    struct err err = {0}, reading_err = {0};
    struct assembler_counts before = assembler_counts(im->assembler);
    bool twin = false, ok = import_begin(im, &err);
    ok = ok && import_open(im, r, &twin, &err, &reading_err);
    ok = ok && (twin || import_keep(im, &err));
    bool other = !ok && ((r->prior && err.kind == ERR_EVIDENCE) || r->clock_found_ns);
    if (!ok || twin)
        import_take_back(im, im->assembler);
    if (other && !im->stop)
        return false;
    if (!ok) {
        err_at(&err, r->path);
        import_keep_err(im, &err);
        im->stop = im->stop || err.kind == ERR_INTERNAL || im->options->strict;
    } else if (reading_err.kind) {
        import_keep_err(im, &reading_err);
    }
    struct assembler_counts after = assembler_counts(im->assembler);
    if (ok && twin) {
        im->totals->skipped++;
        tell_twin(im, r->path);
    } else if (ok) {
        im->totals->sources++;
        im->totals->bytes += r->bytes - r->known;
        import_count(im, &before, &after);
        if (!reading_err.kind && !r->prior && after.events == before.events)
            tell_empty(im, r->path);
    }
    return true;
}

bool import_open_reading(struct import *im, struct reading *r, const char *path, struct err *err)
{
    size_t longest = im->options->longest;
    *r = (struct reading){
        .path = path,
        .longest = longest ? longest : IMPORT_LONGEST,
        .assembler = im->assembler,
        .in = input_open(path, err),
        .framer = framer_create(),
    };
    return r->in;
}

static void read_anew(struct import *im, const char *path)
{
    struct reading r;
    struct err err = {0};
    if (import_open_reading(im, &r, path, &err))
        import_reading(im, &r);
    else
        import_keep_err(im, &err);
    reading_finish(&r);
}

static void read_by_clock(struct import *im, const char *path, int64_t clock_ns)
{
    im->clock_ns = clock_ns;
    assembler_set_clock(im->assembler, clock_ns);
    read_anew(im, path);
    assembler_set_clock(im->assembler, 0);
    im->clock_ns = 0;
}

/* The file is not what the case has of it, but another one under its name; or what the case has
 * was read by the wrong reader, and is read anew. */
static void import_other_file(struct import *im, const char *path, int64_t misread)
{
    struct err err = {0};
    bool ok = !misread || (import_begin(im, &err) && store_forget_source(im->c, misread, &err) &&
                           db_keep(case_db(im->c), &err));
    if (!ok)
        import_take_back(im, im->assembler);
    im->totals->replaced += !misread || !ok;
    read_anew(im, path);
}

void import_file(struct import *im, const char *path)
{
    if (case_is(path)) {
        refuse_case(im, path);
        return;
    }
    struct reading r;
    struct err err = {0};
    bool opened = import_open_reading(im, &r, path, &err);
    int known = opened ? import_is_known(im->c, path, "log", input_size(r.in), &err) : -1;
    if (known == 0 && strcmp(path, "-") != 0)
        import_find_prior(im, &r, &err);
    im->totals->replaced += r.replaces;
    if (r.prior)
        import_recall_first_half(im, r.prior);
    else if (opened && known == 0)
        import_recall_halves(im, path);
    bool same = known != 0 || import_reading(im, &r);
    if (known > 0) {
        im->totals->skipped++;
        tell_twin(im, path);
    } else if (known < 0) {
        import_keep_err(im, &err);
    }
    int64_t misread = r.other_format ? r.prior : 0, clock_ns = r.clock_found_ns;
    im->done += opened ? input_size(r.in) : 0;
    im->files_done++;
    reading_finish(&r);
    if (!same && clock_ns)
        read_by_clock(im, path, clock_ns);
    else if (!same)
        import_other_file(im, path, misread);
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
    while (n > 0 && r.bytes < IMPORT_HEAD_MAX) {
        char *at = framer_room(r.framer, &room);
        n = input_read(r.in, at, room, err);
        framer_filled(r.framer, n > 0 ? (size_t)n : 0);
        r.bytes += n > 0 ? (uint64_t)n : 0;
    }
    if (n >= 0) {
        struct peel_plan plan;
        *reader = peel_detect(framer_head(r.framer), span_of(path), n == 0, best, &plan);
        best->head = SPAN_EMPTY;
        import_name_packing(r.in, best);
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

/* Does the file begin with the answer to initialize? What was asked is in another one, then. */
static bool begins_with_answer(const char *path)
{
    char head[4096];
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "re") : NULL;
    size_t len = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    struct span line = {head, len};
    line = span_sub(line, 0, span_find_byte(line, '\n'));
    return span_find(line, SPAN("\"jsonrpc\"")) < line.len &&
           span_find(line, SPAN("\"result\"")) < line.len &&
           span_find(line, SPAN("\"protocolVersion\"")) < line.len &&
           span_find(line, SPAN("\"method\":")) == line.len;
}

static enum import_round round_of(const struct import *im, const char *path)
{
    if (!im->options->format && reader_is_side_file(span_of(path)))
        return ROUND_SIDES;
    if (begins_with_answer(path))
        return ROUND_ANSWERS;
    return im->wire_first && is_transcript(im, path) ? ROUND_TRANSCRIPTS : ROUND_LOGS;
}

static bool import_each(void *arg, const char *path)
{
    struct import *im = arg;
    enum import_round round = round_of(im, path);
    im->met[round] = true;
    if (round != im->round)
        return true;
    if (import_tell(im, im->assembler, path, 0)) {
        import_file(im, path);
        return !im->stop;
    }
    im->stop = im->totals->interrupted = true;
    snprintf(im->totals->stopped_in, sizeof im->totals->stopped_in, "%s", path);
    return false;
}

static void import_failed(void *arg, const struct err *err)
{
    struct import *im = arg;
    if (im->round != ROUND_LOGS)
        return;
    if (err->kind) {
        import_keep_err(im, err);
        return;
    }
    im->totals->passed++;
    if (im->options->told)
        im->options->told(im->options->arg, err);
}

/* How much there is to be read, so that it can be told how far it came. */
static bool measure_each(void *arg, const char *path)
{
    struct import *im = arg;
    struct stat info;
    bool known = strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    im->files++;
    im->total += known ? (uint64_t)info.st_size : 0;
    return true;
}

static void ignore_failed(void *arg, const struct err *err)
{
    (void)arg; /* the walk that reads says so */
    (void)err;
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

struct assembler_options import_names(const struct import *im)
{
    return (struct assembler_options){
        .session = span_of(im->options->session),
        .server = span_of(im->options->server),
        .clock_ns = im->options->offset_ns,
        .fallback = import_name_of(im->paths, im->path_count),
        .growing = im->options->follow,
    };
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
    *totals = (struct import_totals){0};
    struct assembler_options names = import_names(&im);
    im.assembler = assembler_create(c, &names, err);
    if (!im.assembler)
        return false;
    outlet_init(&im.outlet);
    if (options->progress)
        import_walk(paths, count, measure_each, ignore_failed, &im);
    /* In one session wire logs come first: theirs are the claims, the host tells what was shown. */
    im.wire_first = options->session;
    im.met[ROUND_LOGS] = true;
    for (im.round = ROUND_LOGS; im.round < ROUNDS && !im.stop; im.round++) {
        /* Also where the case has all of them: who was killed may not have come to it. */
        if (im.round == ROUND_SIDES && !options->session && totals->sources + totals->skipped)
            import_join(&im);
        if (im.met[im.round] && !im.stop)
            import_walk(paths, count, import_each, import_failed, &im);
    }
    if (options->follow && !im.stop)
        import_follow(&im);
    struct err last = {0};
    if (!import_commit(&im, &last))
        import_keep_err(&im, &last);
    outlet_finish(&im.outlet);
    assembler_destroy(im.assembler);
    return !im.has_err;
}
