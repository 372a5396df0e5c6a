#include "ingest/peel.h"

#include <stdio.h>

#include "base/jsonr.h"
#include "ingest/framer.h"
#include "ingest/names.h"
#include "ingest/outlet.h"
#include "ingest/peel_layers.h"
#include "ingest/probe.h"

enum {
    KEYS_MOST = 4096,               /* containers, files */
    STREAMS_MOST = 256,             /* whose lines are put together at a time */
    JOINED_MOST = 64 * 1024 * 1024, /* bytes of a line in parts */
    PEEL_HEAD = 128 * 1024,         /* that is looked at */
};

/* ---- taking off ---- */

/* All layers, from the outside in. `noise` becomes the kind of the first that took something. */
static struct span take_layers(const struct peel_plan *plan, struct span line, struct peeled *all,
                               const char **noise)
{
    *all = (struct peeled){.key = SPAN_EMPTY};
    *noise = NULL;
    struct span text = line;
    for (size_t i = 0; i < plan->count && !all->whole; i++) {
        const struct peel_layer *layer = peel_layer(plan->layers[i]);
        struct peeled one = {.key = SPAN_EMPTY};
        if (!layer->take(text, plan->width, &one))
            continue;
        if (!*noise && (one.whole || one.from || one.partial))
            *noise = layer->noise;
        text = span_sub(text, one.from, text.len - one.from - one.tail);
        all->tail += one.tail;
        all->literal |= one.literal;
        all->whole = one.whole;
        all->partial |= one.partial;
        all->is_stderr |= one.is_stderr;
        if (one.timed) {
            all->when = one.when;
            all->timed = true;
        }
        if (one.key.len)
            all->key = one.key;
    }
    return text;
}

/* ---- detection ---- */

/* The head as it looks without those layers. */
static void peel_head(const struct peel_plan *plan, struct span head, struct buf *out)
{
    buf_clear(out);
    while (head.len) {
        struct peeled peeled;
        const char *noise;
        struct span line = span_sub(head, 0, span_find_byte(head, '\n'));
        head = span_sub(head, line.len + 1, head.len);
        if (line.len && line.at[line.len - 1] == '\r')
            line.len--;
        struct span text = take_layers(plan, line, &peeled, &noise);
        if (peeled.whole)
            continue;
        buf_add(out, text);
        if (!peeled.partial || peeled.literal)
            buf_byte(out, '\n');
    }
}

static bool has_layer(enum peel_kind kind, struct span head, bool whole)
{
    enum { TENTHS = 8 };
    const struct peel_layer *layer = peel_layer(kind);
    size_t seen = 0, matched = 0;
    bool first = false;
    if (kind == PEEL_WRAP)
        return peel_width(head, whole);
    while (head.len && seen < PROBE_RECORDS) {
        struct peeled peeled = {0};
        struct span line = span_sub(head, 0, span_find_byte(head, '\n'));
        if (line.len == head.len && !whole && seen)
            break;
        head = span_sub(head, line.len + 1, head.len);
        line = line.len && line.at[line.len - 1] == '\r' ? span_sub(line, 0, line.len - 1) : line;
        if (!span_trim(line).len)
            continue;
        bool match = layer->take(line, 0, &peeled);
        first = first || (match && !seen);
        matched += match;
        seen++;
    }
    if (kind == PEEL_TAIL)
        return first;
    if (kind == PEEL_FENCES)
        return matched > 1;
    return matched && matched * 10 >= seen * TENTHS;
}

/* The outermost layer of the head. */
static bool find_layer(struct span head, bool whole, struct peel_plan *plan)
{
    for (int kind = 0; kind < PEEL_KINDS; kind++) {
        bool used = false;
        for (size_t i = 0; i < plan->count; i++)
            used |= plan->layers[i] == (enum peel_kind)kind;
        if (used || !has_layer((enum peel_kind)kind, head, whole))
            continue;
        plan->layers[plan->count++] = (enum peel_kind)kind;
        if (kind == PEEL_WRAP)
            plan->width = peel_width(head, whole);
        return true;
    }
    return false;
}

static void find_plan(struct span head, bool whole, struct peel_plan *plan, struct buf *inside)
{
    *plan = (struct peel_plan){0};
    whole = whole && head.len <= PEEL_HEAD;
    head = span_sub(head, 0, PEEL_HEAD);
    if (memchr(head.at, 0, head.len)) /* no text */
        return;
    struct span now = head;
    while (plan->count < PEEL_DEPTH && find_layer(now, whole, plan)) {
        peel_head(plan, head, inside);
        now = buf_span(inside);
    }
}

static void name_layers(const struct peel_plan *plan, struct probe *best)
{
    for (size_t i = 0; i < plan->count; i++) {
        size_t len = strlen(best->reason);
        snprintf(best->reason + len, sizeof best->reason - len, "%s%s",
                 i ? ", " : "; taken off: ", peel_layer(plan->layers[i])->name);
    }
}

const struct reader *peel_detect(struct span head, struct span path, bool whole, struct probe *best,
                                 struct peel_plan *plan)
{
    const struct reader *reader = reader_detect(head, path, whole, best);
    struct buf inside = {0};
    struct probe under;
    find_plan(head, whole, plan, &inside);
    const struct reader *other =
        plan->count ? reader_detect(buf_span(&inside), path, false, &under) : NULL;
    if (other && under.confidence > best->confidence) {
        reader = other;
        *best = under;
        best->head = head;
        name_layers(plan, best);
    } else {
        plan->count = 0;
    }
    buf_finish(&inside);
    return reader;
}

void peel_plan_for(const struct reader *reader, struct span head, struct span path, bool whole,
                   struct peel_plan *plan)
{
    struct buf inside = {0};
    find_plan(head, whole, plan, &inside);
    struct probe bare = {.head = head, .path = path, .whole = whole};
    struct probe under = {.head = buf_span(&inside), .path = path};
    if (plan->count) {
        reader->probe(&bare);
        reader->probe(&under);
    }
    if (under.confidence <= bare.confidence)
        plan->count = 0;
    buf_finish(&inside);
}

/* ---- a file ---- */

/* A line in parts, until its last one comes. */
struct peel_stream {
    struct buf text;
    struct stitch stitch;
    uint64_t line;
};

/* What is known of a line that the reader has not had yet. */
struct peel_line {
    uint64_t begin, line; /* in the text inside; in the file */
    int64_t time_ns;
    int digits; /* -1: no time */
    bool is_stderr;
    int64_t key;
};

struct peel {
    struct peel_plan plan;
    struct framer *framer;
    struct stitch stitch;
    struct names keys;      /* container or file: its number */
    struct span *key_names; /* by number, from 1 */
    size_t key_count, key_size;
    int64_t key; /* that lines without one belong to: tail's file */
    struct names stream_of;
    struct peel_stream *streams;
    size_t stream_count;
    struct peel_line *lines;
    size_t first, count, size;
};

struct peel *peel_create(const struct peel_plan *plan, const struct reader *reader)
{
    struct peel *p = NEW(struct peel);
    p->plan = *plan;
    p->framer = framer_create();
    framer_cut_by(p->framer, reader->framing, reader->elements);
    p->streams = NEW_ARRAY(struct peel_stream, STREAMS_MOST);
    return p;
}

void peel_destroy(struct peel *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->stream_count; i++) {
        buf_finish(&p->streams[i].text);
        stitch_finish(&p->streams[i].stitch);
    }
    mem_free(p->streams);
    framer_destroy(p->framer);
    stitch_finish(&p->stitch);
    names_finish(&p->keys);
    names_finish(&p->stream_of);
    mem_free(p->key_names);
    mem_free(p->lines);
    mem_free(p);
}

static int64_t key_number(struct peel *p, struct span key)
{
    if (!key.len || p->key_count == KEYS_MOST)
        return p->key;
    int64_t *number = names_at(&p->keys, key);
    if (*number)
        return *number;
    p->key_names = mem_one_more(p->key_names, p->key_count, &p->key_size, sizeof *p->key_names);
    p->key_names[p->key_count++] = arena_copy(&p->keys.arena, key);
    return *number = (int64_t)p->key_count;
}

static struct peel_stream *stream_of(struct peel *p, int64_t key, bool is_stderr)
{
    int64_t id[2] = {key, is_stderr};
    int64_t *number = names_at(&p->stream_of, (struct span){(const char *)id, sizeof id});
    if (!*number && p->stream_count < STREAMS_MOST)
        *number = (int64_t)++p->stream_count;
    return &p->streams[*number ? *number - 1 : STREAMS_MOST - 1];
}

static void feed(struct peel *p, struct span text)
{
    while (text.len) {
        size_t room;
        char *at = framer_room(p->framer, &room);
        size_t n = text.len < room ? text.len : room;
        memcpy(at, text.at, n);
        framer_filled(p->framer, n);
        text = span_sub(text, n, text.len);
    }
}

static void remember_line(struct peel *p, const struct peel_line *line)
{
    if (p->count == p->size && p->first > p->size / 2) {
        memmove(p->lines, p->lines + p->first, (p->count - p->first) * sizeof *p->lines);
        p->count -= p->first;
        p->first = 0;
    } else {
        p->lines = mem_one_more(p->lines, p->count, &p->size, sizeof *p->lines);
    }
    p->lines[p->count++] = *line;
}

uint64_t peel_put(struct peel *p, const struct unit *unit, const char **noise)
{
    struct peeled peeled;
    struct span text = take_layers(&p->plan, unit->text, &peeled, noise);
    int64_t key = key_number(p, peeled.key);
    if (peeled.whole) {
        p->key = peeled.key.len ? key : p->key;
        return unit->size;
    }
    struct peel_stream *s = stream_of(p, key, peeled.is_stderr);
    if (peeled.literal && s->text.len) /* it goes on: the first part's quote is theirs */
        text = span_sub(text, 1, text.len);
    uint64_t offset = unit->offset + (uint64_t)(text.at - unit->text.at);
    uint64_t end = unit->start + unit->size, line_end = unit->offset + unit->text.len;
    bool partial = peeled.partial && end > line_end && s->text.len + text.len < JOINED_MOST;
    if (!s->text.len)
        s->line = unit->line;
    buf_add(&s->text, text);
    stitch_add(&s->stitch, offset, text.len);
    if (partial) /* the end of the line is the layer's, too */
        return unit->size - text.len;
    struct peel_line line = {
        .begin = p->stitch.end,
        .line = s->line,
        .time_ns = peeled.when.ns,
        .digits = peeled.timed ? peeled.when.digits : -1,
        .is_stderr = peeled.is_stderr,
        .key = key,
    };
    remember_line(p, &line);
    static const char ends[] = "\r\n";
    size_t ending = (size_t)(end - line_end);
    buf_add(&s->text, (struct span){ends + (sizeof ends - 1 - ending), ending});
    stitch_add(&s->stitch, line_end, ending);
    stitch_add_part(&p->stitch, &s->stitch, s->stitch.begin, s->stitch.end - s->stitch.begin);
    feed(p, buf_span(&s->text));
    buf_clear(&s->text);
    stitch_clear(&s->stitch);
    return (uint64_t)(offset - unit->start) + peeled.tail;
}

bool peel_decoded(struct peel *p, const struct unit *line, struct unit *inside, const char **noise,
                  uint64_t *taken)
{
    enum { UNIT_BYTES = 2 }; /* what is taken off is ASCII, but for names of files */
    struct peeled peeled;
    *inside = *line;
    inside->text = take_layers(&p->plan, line->text, &peeled, noise);
    size_t before = (size_t)(inside->text.at - line->text.at);
    uint64_t bytes = UNIT_BYTES * (uint64_t)(peel_characters(span_sub(line->text, 0, before)));
    *taken = peeled.whole || bytes > line->size ? line->size : bytes;
    return !peeled.whole;
}

void peel_end(struct peel *p)
{
    for (size_t i = 0; i < p->stream_count; i++) { /* whose last part never came */
        struct peel_stream *s = &p->streams[i];
        struct peel_line line = {.begin = p->stitch.end, .line = s->line, .digits = -1};
        if (!s->text.len)
            continue;
        remember_line(p, &line);
        stitch_add_part(&p->stitch, &s->stitch, s->stitch.begin, s->stitch.end - s->stitch.begin);
        feed(p, buf_span(&s->text));
        buf_clear(&s->text);
    }
    framer_end(p->framer);
}

/* The line that holds a byte of the text inside. */
static const struct peel_line *line_at(const struct peel *p, uint64_t at)
{
    size_t i = p->first;
    while (i + 1 < p->count && p->lines[i + 1].begin <= at)
        i++;
    return &p->lines[i];
}

bool peel_next(struct peel *p, struct unit *unit)
{
    if (!framer_next(p->framer, unit))
        return false;
    while (p->first + 1 < p->count && p->lines[p->first + 1].begin <= unit->start)
        p->first++;
    stitch_drop(&p->stitch, unit->start);
    unit->line = line_at(p, unit->offset)->line;
    return true;
}

const struct framer *peel_framer(const struct peel *p)
{
    return p->framer;
}

uint64_t peel_offset(const struct peel *p, const struct unit *unit, size_t at)
{
    return stitch_offset(&p->stitch, unit->offset + at);
}

static const struct stitch *peeled_pieces(const struct peel *p, const struct stitch *pieces,
                                          struct arena *arena)
{
    struct stitch placed = {0};
    for (size_t i = pieces->first; i < pieces->count; i++)
        stitch_add_part(&placed, &p->stitch, pieces->pieces[i].offset, pieces->pieces[i].length);
    const struct stitch *copy = stitch_copy(&placed, 0, placed.end, arena);
    stitch_finish(&placed);
    return copy;
}

void peel_place(struct peel *p, const struct unit *unit, struct outlet *out)
{
    if (!out->count && out->noise && p->count && line_at(p, unit->offset)->is_stderr) {
        struct record *record = outlet_record(out, RECORD_STDERR);
        record->payload = unit->text;
        record->recipe = jsonr_is_string(unit->text) ? "s;" : NULL;
    }
    if (!out->count)
        return;
    const struct stitch *stitch =
        stitch_copy(&p->stitch, unit->offset, unit->text.len, outlet_arena(out));
    for (size_t i = 0; i < out->count; i++) {
        struct record *r = &out->records[i];
        if (!r->payload.at)
            r->payload = span_sub(unit->text, 0, 0);
        uint64_t place = (uint64_t)(r->payload.at - unit->text.at);
        r->within =
            (struct span){0}; /* it may lie in pieces: the event is what the text rests on */
        if (r->stitch) {      /* its text lies in pieces of what was peeled */
            place = r->stitch->pieces[0].offset - unit->offset;
            r->stitch = peeled_pieces(p, r->stitch, outlet_arena(out));
        } else {
            r->stitch = stitch;
            r->stitch_at = place;
        }
        const struct peel_line *line = line_at(p, unit->offset + place);
        if (r->time_digits < 0 && line->digits >= 0) {
            r->time_ns = line->time_ns;
            r->time_digits = line->digits;
        }
        if (!r->connection.len && line->key > 0)
            r->connection = p->key_names[line->key - 1];
    }
}
