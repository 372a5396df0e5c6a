#include "model/evidence/reorder.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

/* A map whose members were not in order. Maps are numbered as they end, so those inside of one
 * are the numbers `inner` up to its own. */
struct reorder_map {
    size_t begin, end, head, tail;
    size_t first, count; /* in `placed`, in order */
    size_t inner;
};

/* Work that is left: bytes [low, high) with the misplaced maps [inner, inner_end) in them; and,
 * where `map` is one, the members of it before `member`. */
struct reorder_frame {
    size_t low, high, inner, inner_end;
    const struct reorder_map *map;
    size_t member;
};

static void *grow(void *at, size_t *size, size_t need, size_t each)
{
    if (need <= *size)
        return at;
    size_t size_new = *size ? *size * 2 : 32;
    void *grown = mem_array(size_new, each);
    if (at)
        memcpy(grown, at, *size * each);
    mem_free(at);
    *size = size_new;
    return grown;
}

void reorder_finish(struct reorder *r)
{
    mem_free(r->open);
    mem_free(r->placed);
    mem_free(r->maps);
    mem_free(r->frames);
    *r = (struct reorder){0};
}

void reorder_reset(struct reorder *r)
{
    r->open_count = r->placed_count = r->map_count = r->frame_count = 0;
}

void reorder_grow(struct reorder *r)
{
    r->open = grow(r->open, &r->open_size, r->open_count + 1, sizeof *r->open);
}

struct sorting {
    const struct reorder *r;
    const char *output;
};

static inline int by_key(const void *left, const void *right, void *context)
{
    const struct reorder_member *a = left, *b = right;
    const struct sorting *s = context;
    if (a->prefix && b->prefix && a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    return s->r->compare(s->r->context, span_from(s->output + a->begin, s->output + a->key_end),
                         span_from(s->output + b->begin, s->output + b->key_end));
}

/* Few members, as most maps have, are sorted where they are. False where a key is there twice. */
static bool sort(struct reorder_member *members, size_t count, struct sorting *s, size_t *duplicate)
{
    enum { REORDER_FEW = 16 };
    if (count > REORDER_FEW)
        qsort_r(members, count, sizeof *members, by_key, s);
    for (size_t i = 1; i < count; i++) {
        int order = by_key(&members[i - 1], &members[i], s);
        if (order < 0)
            continue;
        struct reorder_member member = members[i];
        size_t to = i;
        for (; to > 0 && (order = by_key(&members[to - 1], &member, s)) > 0; to--)
            members[to] = members[to - 1];
        if (to > 0 && order == 0) {
            size_t a = members[to - 1].source;
            *duplicate = a > member.source ? a : member.source;
            return false;
        }
        members[to] = member;
    }
    return true;
}

static bool in_order(const struct reorder_member *members, size_t count, struct sorting *s)
{
    for (size_t i = 1; i < count; i++)
        if (by_key(&members[i - 1], &members[i], s) >= 0)
            return false;
    return true;
}

bool reorder_close(struct reorder *r, size_t mark, struct span output, size_t begin, size_t head,
                   size_t tail, size_t *duplicate)
{
    struct reorder_member *members = r->open + mark;
    size_t count = r->open_count - mark;
    struct sorting s = {r, output.at};
    r->open_count = mark;
    if (in_order(members, count, &s))
        return true;

    for (size_t i = 0; i < count; i++)
        members[i].rank = i;
    if (!sort(members, count, &s, duplicate))
        return false;
    while (r->placed_size < r->placed_count + count)
        r->placed = grow(r->placed, &r->placed_size, r->placed_size + 1, sizeof *r->placed);
    memcpy(r->placed + r->placed_count, members, count * sizeof *members);
    r->maps = grow(r->maps, &r->map_size, r->map_count + 1, sizeof *r->maps);
    /* Misplaced maps inside lie in the members: the first of them is in the member that came first.
     */
    size_t inner = members[0].inner;
    for (size_t i = 1; i < count; i++)
        if (members[i].inner < inner)
            inner = members[i].inner;
    r->maps[r->map_count++] = (struct reorder_map){.begin = begin,
                                                   .end = output.len,
                                                   .head = head,
                                                   .tail = tail,
                                                   .first = r->placed_count,
                                                   .count = count,
                                                   .inner = inner};
    r->placed_count += count;
    return true;
}

static void reorder_push(struct reorder *r, struct reorder_frame frame)
{
    r->frames = grow(r->frames, &r->frame_size, r->frame_count + 1, sizeof *r->frames);
    r->frames[r->frame_count++] = frame;
}

/* Where the new output is written, backwards. */
struct target {
    const char *from;
    char *begin, *at;
};

static void put_before(struct reorder *r, struct target *t, size_t low, size_t high)
{
    size_t len = high - low;
    t->at -= len;
    memcpy(t->at, t->from + low, len);
    if (r->piece && len)
        r->piece(r->trace, low, len, (size_t)(t->at - t->begin));
}

/* One step of a range: up to the last misplaced map in it. */
static void step_range(struct reorder *r, struct target *t)
{
    struct reorder_frame *frame = &r->frames[r->frame_count - 1];
    if (frame->inner == frame->inner_end) {
        put_before(r, t, frame->low, frame->high);
        r->frame_count--;
        return;
    }
    const struct reorder_map *map = &r->maps[frame->inner_end - 1];
    put_before(r, t, map->end - map->tail, frame->high);
    frame->high = map->begin;
    frame->inner_end = map->inner;
    reorder_push(r, (struct reorder_frame){.map = map, .member = map->count});
}

/* A map: its members from the last one that is left to one that holds misplaced maps, which is put
 * on the stack; its head when there are no more. */
static void step_map(struct reorder *r, struct target *t)
{
    struct reorder_frame *frame = &r->frames[r->frame_count - 1];
    const struct reorder_map *map = frame->map;
    while (frame->member > 0) {
        if (frame->member < map->count) {
            t->at -= r->separator.len;
            memcpy(t->at, r->separator.at, r->separator.len);
        }
        size_t place = --frame->member;
        const struct reorder_member *m = &r->placed[map->first + place];
        if (r->moved && m->rank != place)
            r->moved(r->trace, m, (size_t)(t->at - t->begin) - (m->end - m->begin));
        if (m->inner != m->inner_end) {
            reorder_push(r, (struct reorder_frame){.low = m->begin,
                                                   .high = m->end,
                                                   .inner = m->inner,
                                                   .inner_end = m->inner_end});
            return;
        }
        put_before(r, t, m->begin, m->end);
    }
    put_before(r, t, map->begin, map->begin + map->head);
    r->frame_count--;
}

static void write_range(struct reorder *r, struct target *t, struct reorder_frame whole)
{
    r->frame_count = 0;
    reorder_push(r, whole);
    while (r->frame_count) {
        if (r->frames[r->frame_count - 1].map)
            step_map(r, t);
        else
            step_range(r, t);
    }
}

void reorder_write(struct reorder *r, struct span output, struct buf *out)
{
    char *begin = buf_reserve(out, output.len);
    struct target t = {output.at, begin, begin + output.len};
    write_range(r, &t,
                (struct reorder_frame){.low = 0, .high = output.len, .inner_end = r->map_count});
    assert(t.at == begin);
    out->len += output.len;
}

void reorder_settle(struct reorder *r, struct buf *output, size_t from, size_t kept,
                    struct buf *scratch)
{
    if (r->map_count == kept)
        return;
    size_t len = output->len - from;
    buf_clear(scratch);
    char *begin = buf_reserve(scratch, len);
    struct target t = {output->at, begin, begin + len};
    write_range(r, &t,
                (struct reorder_frame){
                    .low = from, .high = output->len, .inner = kept, .inner_end = r->map_count});
    memcpy(output->at + from, begin, len);
    r->placed_count = r->maps[kept].first;
    r->map_count = kept;
}
