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
    if (size_new < need)
        size_new = need;
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
    mem_free(r->order);
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

/* What is sorted: small, since most maps have few members and need little else. */
struct reorder_place {
    uint64_t prefix;
    size_t rank;
};

struct sorting {
    const struct reorder *r;
    const struct reorder_member *members;
    const char *output;
};

static inline struct span key_of(const struct sorting *s, size_t rank)
{
    const struct reorder_member *member = &s->members[rank];
    return span_from(s->output + member->begin, s->output + member->key_end);
}

static inline int by_key(const void *left, const void *right, void *context)
{
    const struct reorder_place *a = left, *b = right;
    const struct sorting *s = context;
    if (a->prefix && b->prefix && a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    return s->r->compare(s->r->context, key_of(s, a->rank), key_of(s, b->rank));
}

/* Few members are sorted where they are. False where a key is there twice. */
static bool sort(struct reorder_place *order, size_t count, struct sorting *s, size_t *duplicate)
{
    enum { REORDER_FEW = 16 };
    if (count > REORDER_FEW)
        qsort_r(order, count, sizeof *order, by_key, s);
    for (size_t i = 1; i < count; i++) {
        struct reorder_place place = order[i];
        size_t to = i;
        int sign = 0;
        while (to > 0 && (sign = by_key(&order[to - 1], &place, s)) > 0) {
            order[to] = order[to - 1];
            to--;
        }
        order[to] = place;
        if (to > 0 && sign == 0) {
            size_t a = s->members[order[to - 1].rank].source, b = s->members[place.rank].source;
            *duplicate = a > b ? a : b;
            return false;
        }
    }
    return true;
}

static bool in_order(const struct sorting *s, size_t count)
{
    struct reorder_place last = {s->members[0].prefix, 0};
    for (size_t i = 1; i < count; i++) {
        struct reorder_place place = {s->members[i].prefix, i};
        if (by_key(&last, &place, (void *)s) >= 0)
            return false;
        last = place;
    }
    return true;
}

/* Keeps a map that is not in order, its members sorted. */
static void keep_map(struct reorder *r, const struct reorder_member *members, size_t count,
                     size_t len, const struct reorder_extent *extent)
{
    const struct reorder_member behind = {
        .begin = len - extent->tail, .source = extent->source_end, .inner = r->map_count};
    const size_t between = r->separator != '\0';
    r->placed = grow(r->placed, &r->placed_size, r->placed_count + count, sizeof *r->placed);
    for (size_t i = 0; i < count; i++) {
        size_t rank = r->order[i].rank;
        bool last = rank == count - 1;
        const struct reorder_member *m = &members[rank], *next = last ? &behind : m + 1;
        r->placed[r->placed_count + i] = (struct reorder_placed){
            .begin = m->begin,
            .end = next->begin - (last ? 0 : between),
            .source = m->source,
            .source_end = next->source,
            .inner = m->inner,
            .inner_end = next->inner,
            .rank = rank,
        };
    }
    r->maps = grow(r->maps, &r->map_size, r->map_count + 1, sizeof *r->maps);
    r->maps[r->map_count++] = (struct reorder_map){.begin = extent->begin,
                                                   .end = len,
                                                   .head = extent->head,
                                                   .tail = extent->tail,
                                                   .first = r->placed_count,
                                                   .count = count,
                                                   .inner = members[0].inner};
    r->placed_count += count;
}

bool reorder_close(struct reorder *r, size_t mark, struct span output,
                   const struct reorder_extent *extent, size_t *duplicate)
{
    struct reorder_member *members = r->open + mark;
    size_t count = r->open_count - mark;
    struct sorting s = {r, members, output.at};
    r->open_count = mark;
    if (count < 2 || in_order(&s, count))
        return true;
    r->order = grow(r->order, &r->order_size, count, sizeof *r->order);
    for (size_t i = 0; i < count; i++)
        r->order[i] = (struct reorder_place){members[i].prefix, i};
    if (!sort(r->order, count, &s, duplicate))
        return false;
    keep_map(r, members, count, output.len, extent);
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

/* Most pieces are short, and then a copy of fixed size costs no call: it only spoils what is still
 * to be written. */
static inline void put_before(struct reorder *r, struct target *t, size_t low, size_t high)
{
    enum { SHORT_PIECE = 32 };
    size_t len = high - low;
    t->at -= len;
    if (len <= SHORT_PIECE && high >= SHORT_PIECE && t->at + len - t->begin >= SHORT_PIECE)
        memcpy(t->at + len - SHORT_PIECE, t->from + high - SHORT_PIECE, SHORT_PIECE);
    else
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
        if (frame->member < map->count && r->separator)
            *--t->at = r->separator;
        size_t place = --frame->member;
        const struct reorder_placed *m = &r->placed[map->first + place];
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
