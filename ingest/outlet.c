#include "ingest/outlet.h"

#include <stdlib.h>

#include "base/mem.h"

void outlet_init(struct outlet *out)
{
    *out = (struct outlet){0};
}

void outlet_finish(struct outlet *out)
{
    arena_finish(&out->arena);
    mem_free(out->records);
    mem_free(out->parts);
    mem_free(out->settled);
    outlet_init(out);
}

void outlet_clear(struct outlet *out)
{
    arena_reset(&out->arena);
    out->count = out->part_count = out->bad_at = out->settled_count = 0;
    out->held = 0;
    out->noise = out->bad = NULL;
}

static int outlet_by_place(const void *a, const void *b)
{
    const struct record *x = *(struct record *const *)a, *y = *(struct record *const *)b;
    return (x->within.at > y->within.at) - (x->within.at < y->within.at);
}

void outlet_count_lines(struct outlet *out, struct span text)
{
    struct record **parts = NEW_ARRAY(struct record *, out->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].within.at)
            parts[count++] = &out->records[i];
    qsort(parts, count, sizeof *parts, outlet_by_place);
    uint64_t lines = 0;
    for (size_t i = 0; i < count; i++) {
        while (text.len && text.at < parts[i]->within.at) {
            size_t ahead = (size_t)(parts[i]->within.at - text.at);
            size_t line = span_find_byte(span_sub(text, 0, ahead), '\n');
            lines += line < ahead && line < text.len;
            text = span_sub(text, line + (line < ahead), text.len);
        }
        parts[i]->lines_before = lines;
    }
    mem_free(parts);
}

struct arena *outlet_arena(struct outlet *out)
{
    return &out->arena;
}

struct record *outlet_record(struct outlet *out, enum record_kind kind)
{
    out->records = mem_one_more(out->records, out->count, &out->size, sizeof *out->records);
    struct record *record = &out->records[out->count++];
    *record = (struct record){.kind = kind, .time_digits = -1};
    return record;
}

void outlet_noise(struct outlet *out, const char *kind)
{
    out->noise = kind;
}

static struct outlet_part *add_part(struct outlet *out)
{
    out->parts = mem_one_more(out->parts, out->part_count, &out->part_size, sizeof *out->parts);
    return &out->parts[out->part_count++];
}

void outlet_noise_part(struct outlet *out, const char *kind, size_t bytes)
{
    if (bytes)
        *add_part(out) = (struct outlet_part){.noise = kind, .length = bytes};
}

void outlet_bad(struct outlet *out, size_t offset, const char *what)
{
    out->bad = what;
    out->bad_at = offset;
}

void outlet_bad_part(struct outlet *out, size_t offset, size_t length, const char *what)
{
    enum { PARTS_MOST = 64 }; /* a batch may hold a million things that are no message */
    if (out->part_count >= PARTS_MOST && !out->parts[out->part_count - 1].noise) {
        out->parts[out->part_count - 1].length += length;
        return;
    }
    *add_part(out) = (struct outlet_part){.what = what, .offset = offset, .length = length};
}

void outlet_hold(struct outlet *out, uint64_t bytes)
{
    out->held += bytes;
}

void outlet_settle(struct outlet *out, const char *noise, const char *what, uint64_t offset,
                   uint64_t bytes)
{
    if (!bytes)
        return;
    out->settled =
        mem_one_more(out->settled, out->settled_count, &out->settled_size, sizeof *out->settled);
    out->settled[out->settled_count++] = (struct outlet_settled){noise, what, offset, bytes};
}
