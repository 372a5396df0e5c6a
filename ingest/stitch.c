#include "ingest/stitch.h"

#include <stdint.h>

void stitch_finish(struct stitch *s)
{
    mem_free(s->pieces);
    *s = (struct stitch){0};
}

void stitch_clear(struct stitch *s)
{
    s->first = s->count = 0;
    s->begin = s->end = 0;
}

void stitch_add(struct stitch *s, uint64_t offset, uint64_t length)
{
    struct stitch_piece *last = s->count > s->first ? &s->pieces[s->count - 1] : NULL;
    if (!length)
        return;
    s->end += length;
    if (last && last->offset + last->length == offset) {
        last->length += length;
        return;
    }
    if (s->count == s->size && s->first > s->size / 2) {
        memmove(s->pieces, s->pieces + s->first, (s->count - s->first) * sizeof *s->pieces);
        s->count -= s->first;
        s->first = 0;
    } else {
        s->pieces = mem_one_more(s->pieces, s->count, &s->size, sizeof *s->pieces);
    }
    s->pieces[s->count++] = (struct stitch_piece){offset, length};
}

void stitch_drop(struct stitch *s, uint64_t begin)
{
    while (s->first < s->count && s->begin < begin) {
        struct stitch_piece *piece = &s->pieces[s->first];
        uint64_t bytes = begin - s->begin < piece->length ? begin - s->begin : piece->length;
        piece->offset += bytes;
        piece->length -= bytes;
        s->begin += bytes;
        s->first += !piece->length;
    }
    if (s->first == s->count)
        s->first = s->count = 0;
}

/* Serves the pieces of a part. */
struct stitch_walk {
    const struct stitch *stitch;
    size_t next;
    uint64_t at, from, to; /* `at`: where the next piece begins in the text */
};

static struct stitch_walk stitch_walk_begin(const struct stitch *s, uint64_t from, uint64_t length)
{
    return (struct stitch_walk){s, s->first, s->begin, from, from + length};
}

static bool stitch_walk_next(struct stitch_walk *w, struct stitch_piece *part)
{
    while (w->next < w->stitch->count && w->at < w->to) {
        struct stitch_piece piece = w->stitch->pieces[w->next++];
        uint64_t begin = w->at > w->from ? w->at : w->from;
        uint64_t end = w->at + piece.length < w->to ? w->at + piece.length : w->to;
        uint64_t skipped = begin - w->at;
        w->at += piece.length;
        if (begin >= end)
            continue;
        *part = (struct stitch_piece){piece.offset + skipped, end - begin};
        return true;
    }
    return false;
}

void stitch_add_part(struct stitch *s, const struct stitch *other, uint64_t from, uint64_t length)
{
    struct stitch_walk walk = stitch_walk_begin(other, from, length);
    struct stitch_piece part;
    while (stitch_walk_next(&walk, &part))
        stitch_add(s, part.offset, part.length);
}

uint64_t stitch_offset(const struct stitch *s, uint64_t at)
{
    struct stitch_walk walk = stitch_walk_begin(s, at, 1);
    struct stitch_piece part;
    if (stitch_walk_next(&walk, &part))
        return part.offset;
    const struct stitch_piece *last = s->count > s->first ? &s->pieces[s->count - 1] : NULL;
    return last ? last->offset + last->length : 0;
}

void stitch_extent(const struct stitch *s, uint64_t from, uint64_t length, struct extent *extent,
                   struct buf *recipe)
{
    struct stitch_walk walk = stitch_walk_begin(s, from, length);
    struct stitch_piece part;
    uint64_t begin = UINT64_MAX, end = 0;
    size_t count = 0;
    while (stitch_walk_next(&walk, &part)) {
        begin = part.offset < begin ? part.offset : begin;
        end = part.offset + part.length > end ? part.offset + part.length : end;
        count++;
    }
    if (!count)
        begin = end = stitch_offset(s, from);
    extent->offset = begin;
    extent->length = end - begin;
    if (count < 2)
        return;
    walk = stitch_walk_begin(s, from, length);
    for (const char *before = "@"; stitch_walk_next(&walk, &part); before = ",")
        buf_addf(recipe, "%s%llu+%llu", before, (unsigned long long)(part.offset - begin),
                 (unsigned long long)part.length);
    buf_byte(recipe, ';');
}

const struct stitch *stitch_copy(const struct stitch *s, uint64_t from, uint64_t length,
                                 struct arena *arena)
{
    struct stitch_walk walk = stitch_walk_begin(s, from, length);
    struct stitch *copy = arena_alloc(arena, sizeof *copy);
    struct stitch_piece part;
    while (stitch_walk_next(&walk, &part))
        copy->size++;
    copy->pieces = arena_array(arena, copy->size, sizeof *copy->pieces);
    walk = stitch_walk_begin(s, from, length);
    while (stitch_walk_next(&walk, &copy->pieces[copy->count])) {
        copy->end += copy->pieces[copy->count].length;
        copy->count++;
        if (copy->count == copy->size)
            break;
    }
    return copy;
}
