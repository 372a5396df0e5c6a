/* One file, while it is read. */
#include <math.h>
#include <stdio.h>

#include "ingest/diagnose.h"
#include "ingest/import_internal.h"
#include "ingest/peel.h"
#include "model/evidence/digest.h"

/* ---- a unit ---- */

static uint64_t place(const struct reading *r, const struct unit *unit, size_t at)
{
    if (r->peel && unit->size && !unit->recipe)
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
    return assembler_diagnostic(r->assembler, line, place(r, unit, at), length, PR_UNREADABLE, what,
                                err);
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
           assembler_take(r->assembler, unit, &im->outlet, err);
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

/* A line of UTF-16 that has something around it. */
static bool take_decoded(struct import *im, struct reading *r, const struct unit *line,
                         struct err *err)
{
    const char *noise;
    struct unit inside;
    uint64_t taken;
    outlet_clear(&im->outlet);
    if (peel_decoded(r->peel, line, &inside, &noise, &taken))
        r->reader->read(r->state, &inside, &im->outlet);
    if (taken)
        outlet_noise_part(&im->outlet, noise, (size_t)taken);
    return take_said(im, r, line, err);
}

/* A line of a file whose log has something around it. */
static bool import_take_line(struct import *im, struct reading *r, const struct unit *line,
                             struct err *err)
{
    const char *noise;
    if (line->part == UNIT_MARK)
        return take_unit(im, r, line, err);
    if (line->recipe)
        return take_decoded(im, r, line, err);
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
        if (!r->live)
            framer_end(r->framer);
        r->complete = n == 0;
        return n < 0 ? -1 : 0;
    }
    r->bytes += (uint64_t)n;
    framer_filled(r->framer, (size_t)n);
    return source_append(r->writer, (struct span){at, (size_t)n}, err) ? 1 : -2;
}

/* Enough to tell the format. */
static int import_read_head(struct reading *r, struct err *err)
{
    int more = 1;
    while (more > 0 && r->bytes < IMPORT_HEAD_MAX)
        more = import_read_more(r, err);
    return more;
}

void import_name_packing(const struct input *in, struct probe *probe)
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
    import_name_packing(r->in, &r->probe);
    bool by_lines = r->reader->framing == FRAME_LINES || r->reader->framing == FRAME_TEXT;
    if (plan.count && (by_lines || framer_is_utf8(r->framer)))
        r->peel = peel_create(&plan, r->reader);
}

static void open_reader(struct reading *r)
{
    if (r->peel)
        framer_cut_by(r->framer, FRAME_LINES, NULL);
    else
        framer_cut_by(r->framer, r->reader->framing, r->reader->elements);
    r->state = r->reader->open ? r->reader->open(span_of(r->path)) : NULL;
    r->begun = true;
}

/* ---- what was read before ---- */

/* The end of what was read before was inside of a line, which was taken as it was. Where nothing
 * came of that, it is taken back, and the line is taken whole. */
static bool take_cut_line(struct import *im, struct reading *r, const struct unit *whole,
                          bool *taken_back, struct err *err)
{
    struct unit cut = *whole;
    cut.size = r->known - whole->start;
    cut.text = span_sub(whole->text, 0, (size_t)(r->known - whole->offset));
    cut.cut = true;
    if (whole->recipe || whole->offset > r->known)
        return err_set(err, ERR_EVIDENCE, r->path, NULL, "it was cut inside of a character");
    outlet_clear(&im->outlet);
    r->reader->read(r->state, &cut, &im->outlet);
    *taken_back = !im->outlet.count;
    if (!*taken_back)
        return assembler_take(r->assembler, &cut, &im->outlet, err);
    struct account account = {0};
    account_unit(&account, &cut, &im->outlet);
    account_subtract(&r->account, &account);
    return true;
}

static struct unit rest_of(const struct unit *whole, uint64_t from)
{
    struct unit rest = *whole;
    rest.start = from;
    rest.size = whole->start + whole->size - from;
    rest.text = span_sub(whole->text, (size_t)(from - whole->offset), whole->text.len);
    rest.offset = from;
    return rest;
}

/* All that was read before has been told again: what comes now is new. */
static bool end_rehearsal(struct import *im, struct reading *r, uint64_t from, struct err *err)
{
    r->rehearsing = false;
    return assembler_resumed(r->assembler, err) && store_forget_end(im->c, r->source, from, err);
}

static bool rehearse_unit(struct import *im, struct reading *r, struct unit *unit, bool *is_new,
                          struct err *err)
{
    bool taken_back = false;
    *is_new = false;
    if (unit->start + unit->size <= r->known) {
        outlet_clear(&im->outlet);
        if (unit->part == UNIT_MARK)
            return true;
        r->reader->read(r->state, unit, &im->outlet);
        return assembler_take(r->assembler, unit, &im->outlet, err);
    }
    *is_new = true;
    if (unit->start < r->known && !take_cut_line(im, r, unit, &taken_back, err))
        return false;
    if (unit->start < r->known && !taken_back)
        *unit = rest_of(unit, r->known);
    return end_rehearsal(im, r, unit->start, err);
}

/* ---- all of it ---- */

static bool take_units(struct import *im, struct reading *r, struct err *err)
{
    struct unit unit;
    while (framer_next(r->framer, &unit)) {
        bool is_new = true;
        if ((r->rehearsing && !rehearse_unit(im, r, &unit, &is_new, err)) ||
            (is_new &&
             !(r->peel ? import_take_line(im, r, &unit, err) : take_unit(im, r, &unit, err))))
            return false;
    }
    return true;
}

static bool take_last_units(struct import *im, struct reading *r, struct err *err)
{
    if (!take_units(im, r, err))
        return false;
    if (source_differs(r->writer)) /* it ended before all that was read before */
        return err_set(err, ERR_EVIDENCE, r->path, NULL, "it is shorter than it was");
    return (!r->rehearsing || end_rehearsal(im, r, r->known, err)) && take_end(im, r, err);
}

/* The end of a file that is followed is no end. Where the line that was cut before is still cut,
 * nothing is new: the rehearsal stays on. */
static bool take_units_so_far(struct import *im, struct reading *r, struct err *err)
{
    if (!take_units(im, r, err))
        return false;
    if (source_differs(r->writer))
        return err_set(err, ERR_EVIDENCE, r->path, NULL, "it is shorter than it was");
    bool over = r->rehearsing && r->bytes - framer_held(r->framer) >= r->known;
    return !over || end_rehearsal(im, r, r->known, err);
}

/* Of a few lines a format can't be told, and a log that is followed begins with few. What is around
 * a log is taken off from its start only. */
static bool looks_otherwise(struct import *im, struct reading *r)
{
    struct probe probe = {0};
    struct peel_plan plan = {0};
    struct span head = framer_head(r->framer), path = span_of(r->path);
    const struct reader *reader = r->reader;
    if (im->options->format)
        peel_plan_for(reader, head, path, r->complete, &plan);
    else
        reader = peel_detect(head, path, r->complete, &probe, &plan);
    return plan.count || (r->known < IMPORT_HEAD_MAX && reader != r->reader &&
                          probe.confidence > r->probe.confidence);
}

static bool begin_source(struct import *im, struct reading *r, struct span group, struct err *err)
{
    r->rehearsing = r->prior;
    if (r->prior && input_packing(r->in))
        return err_set(err, ERR_EVIDENCE, r->path, NULL, "it is packed now");
    r->other_format = r->prior && looks_otherwise(im, r);
    if (r->other_format)
        return err_set(err, ERR_EVIDENCE, r->path, NULL, "it is of another format");
    if (!r->prior)
        choose_reader(im, r);
    if (r->prior && !r->again && !r->reader->transcript &&
        !assembler_may_grow(r->assembler, r->source, err))
        return false;
    open_reader(r);
    return r->prior ? assembler_resume(r->assembler, r->source, span_of(r->path), group, r->reader,
                                       r->state, err)
                    : assembler_begin(r->assembler, r->source, span_of(r->path), group, r->reader,
                                      r->state, err);
}

bool reading_run(struct import *im, struct reading *r, struct span group, struct err *err,
                 struct err *reading_err)
{
    int more = r->begun ? import_read_more(r, err) : import_read_head(r, err);
    if (more == -2 || (!r->begun && !begin_source(im, r, group, err)))
        return false;
    for (;;) {
        if (more == -1) {
            *reading_err = *err;
            memcpy(r->stopped_by, err->what, sizeof r->stopped_by);
        }
        if (more <= 0)
            return r->live ? take_units_so_far(im, r, err) : take_last_units(im, r, err);
        if (!take_units(im, r, err))
            return false;
        if (!import_tell(im, r->assembler, r->path, input_position(r->in))) {
            im->stop = true;
            if (r->live)
                return take_units_so_far(im, r, err);
            im->totals->interrupted = true;
            im->totals->stopped_at = r->bytes;
            snprintf(im->totals->stopped_in, sizeof im->totals->stopped_in, "%s", r->path);
            framer_end(r->framer);
            return take_last_units(im, r, err);
        }
        more = import_read_more(r, err);
        if (more == -2)
            return false;
    }
}

/* What is kept is what was unpacked, and its hash. The file on disk has another one. */
static void name_packed_file(struct reading *r)
{
    struct span digest = input_file_digest(r->in);
    struct buf hex = {0};
    if (!digest.len)
        return;
    hex_encode(&hex, digest);
    size_t len = strlen(r->probe.reason);
    snprintf(r->probe.reason + len, sizeof r->probe.reason - len,
             " out of a file that is not kept, sha256:%s", buf_cstr(&hex));
    buf_finish(&hex);
}

/* Of two files that hold a half of a connection each, the second says so. */
static void name_other_half(struct reading *r)
{
    int64_t other = assembler_half_of(r->assembler);
    size_t len = strlen(r->probe.reason);
    if (other)
        snprintf(r->probe.reason + len, sizeof r->probe.reason - len,
                 "; the requests that it answers are in source %lld: each answer is put behind its "
                 "own",
                 (long long)other);
}

static struct source_info info_of(const struct reading *r)
{
    return (struct source_info){
        .format = span_of(r->reader->name),
        .confidence = r->probe.confidence,
        .reason = span_of(r->probe.reason),
        .clock_offset_ns = r->clock_offset_ns,
        .lines = framer_lines(r->framer),
    };
}

/* The offset that was given, that it had, or what calls tell of it: steps are put in order by it.
 */
static bool set_clock(struct import *im, struct reading *r, struct err *err)
{
    if (im->options->offset_ns) {
        r->clock_offset_ns = im->options->offset_ns;
    } else if (!r->prior) {
        struct clock_offset found = assembler_clock(r->assembler);
        r->clock_offset_ns = found.ns;
        size_t len = strlen(r->probe.reason);
        if (found.ns)
            snprintf(
                r->probe.reason + len, sizeof r->probe.reason - len,
                "; its clock is %.3f s %s: %zu calls are in another log too, %.3f to %.3f s apart",
                fabs((double)found.ns) / 1e9, found.ns > 0 ? "behind" : "ahead", found.calls,
                fmin(fabs((double)found.least_ns), fabs((double)found.most_ns)) / 1e9,
                fmax(fabs((double)found.least_ns), fabs((double)found.most_ns)) / 1e9);
    }
    return !r->clock_offset_ns || store_clock(im->c, r->source, r->clock_offset_ns, err);
}

bool reading_close(struct import *im, struct reading *r, struct err *err)
{
    if (!r->complete &&
        !assembler_diagnostic(r->assembler, framer_lines(r->framer), r->bytes, 0, PR_INCOMPLETE,
                              im->totals->interrupted ? "the import was stopped here"
                              : r->stopped_by[0]      ? r->stopped_by
                                                      : "the file could not be read further",
                              err))
        return false;
    name_packed_file(r);
    name_other_half(r);
    if (!account_store(&r->account, im->c, r->source, err) || !set_clock(im, r, err) ||
        !assembler_end(r->assembler, err))
        return false;
    struct source_info info = info_of(r);
    struct source_writer *writer = r->writer;
    r->writer = NULL; /* source_end frees it, also where it fails */
    return source_end(writer, &info, r->complete, err);
}

bool reading_settle(struct import *im, struct reading *r, struct err *err)
{
    r->unended = framer_held(r->framer);
    if (r->unended) {
        account_add(&r->account, "diagnostic", "", r->unended);
        if (!assembler_diagnostic(r->assembler, framer_lines(r->framer) + 1, r->bytes - r->unended,
                                  r->unended, PR_INCOMPLETE, "the line has no end yet", err))
            return false;
    }
    bool ok =
        account_store(&r->account, im->c, r->source, err) && assembler_settle(r->assembler, err);
    r->account = (struct account){0};
    struct source_info info = info_of(r);
    return ok && source_settle(r->writer, &info, true, err);
}

bool reading_wake(struct import *im, struct reading *r, struct err *err)
{
    struct account account = {0};
    if (r->unended) {
        account_add(&account, "diagnostic", "", r->unended);
        account_subtract(&r->account, &account);
        if (!store_forget_end(im->c, r->source, r->bytes - r->unended, err))
            return false;
    }
    r->unended = 0;
    return assembler_wake(r->assembler, err);
}

void reading_finish(struct reading *r)
{
    if (r->begun && r->reader->close)
        r->reader->close(r->state);
    source_abandon(r->writer);
    peel_destroy(r->peel);
    framer_destroy(r->framer);
    input_close(r->in);
}
