#include "model/trace/index.h"

#include "base/mem.h"

enum { INDEX_LEAST = 1 << 9, INDEX_LARGE = 1 << 17 }; /* lines */

/* Bits: the entries with that hash. */
static unsigned equal_in(const struct index_line *line, uint32_t hash)
{
    unsigned equal = 0;
    for (unsigned i = 0; i < INDEX_LINE; i++)
        equal |= (unsigned)(line->hash[i] == hash) << i;
    return equal;
}

static unsigned entries_in(const struct index_line *line)
{
    unsigned count = INDEX_LINE;
    while (count && !line->hash[count - 1])
        count--;
    return count;
}

/* Empty lines, each of which is one of the cache. */
static void make_lines(struct index *index, size_t count)
{
    size_t line = sizeof(struct index_line);
    index->memory = mem_array(count + 1, line);
    mem_scattered(index->memory, (count + 1) * line);
    index->lines = (struct index_line *)(((uintptr_t)index->memory + line - 1) / line * line);
    index->size = count;
    index->used = 0;
}

void index_init(struct index *index, size_t most, uint64_t window)
{
    *index = (struct index){.most = INDEX_LEAST, .fresh = window / 4};
    while (index->most * 2 <= most / INDEX_LINE)
        index->most *= 2;
    make_lines(index, INDEX_LEAST);
    index->full = NEW_ARRAY(struct index_full, INDEX_FULL);
}

void index_finish(struct index *index)
{
    mem_free(index->memory);
    mem_free(index->full);
    *index = (struct index){0};
}

size_t index_memory(const struct index *index)
{
    return index->size * sizeof(*index->lines) + INDEX_FULL * sizeof(*index->full);
}

/* Puts an entry behind the others of the first line that has room. */
static void put(struct index *index, uint32_t hash, uint32_t place)
{
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        struct index_line *line = index_line_at(index, hash, step);
        if (index_line_is_full(line))
            continue;
        unsigned at = entries_in(line);
        line->hash[at] = hash;
        line->place[at] = place;
        index->used++;
        return;
    }
    index->unindexed++;
}

/* Puts what is live into a table of `size` lines. */
static void rebuild(struct index *index, size_t size)
{
    struct index_line *old = index->lines;
    void *old_memory = index->memory;
    size_t old_size = index->size;
    make_lines(index, size);
    for (size_t i = 0; i < old_size; i++)
        for (unsigned k = 0; k < INDEX_LINE && old[i].hash[k]; k++)
            if (index_is_live(index, old[i].place[k]))
                put(index, old[i].hash[k], old[i].place[k]);
    mem_free(old_memory);
}

/* Fuller, and more and more lines overflow into others. */
static bool is_crowded(const struct index *index)
{
    return index->used >= index->size * INDEX_LINE / 8 * 5;
}

/* What is dead goes first; where that is little the table grows. */
static bool has_room(struct index *index)
{
    if (!is_crowded(index))
        return true;
    if (index->live_from && index->next >= index->purge_again) {
        rebuild(index, index->size);
        index->purge_again = index->next + index->size * INDEX_LINE / 4;
        if (index->used < index->size * INDEX_LINE / 2)
            return true;
    }
    if (index->size < index->most) {
        /* By four while it is small: each growth reads all of it again. */
        size_t size = index->size * (index->size < INDEX_LARGE ? 4 : 2);
        rebuild(index, size < index->most ? size : index->most);
    }
    return !is_crowded(index);
}

static struct index_full *full_of(const struct index *index, uint32_t hash)
{
    return &index->full[hash % INDEX_FULL];
}

/* A hash that has all its places: the new one goes in the place of the latest, once that is far
 * enough behind. */
static void replace(struct index *index, uint32_t *const same[INDEX_SAME], uint32_t hash,
                    uint32_t place)
{
    uint32_t *last = same[0];
    for (size_t i = 1; i < INDEX_SAME; i++)
        if (index_running(index, *same[i]) > index_running(index, *last))
            last = same[i];
    uint64_t until = index_running(index, *last) + index->fresh;
    if (place & INDEX_PROMPT)
        return;
    if (index_running(index, place) < until)
        *full_of(index, hash) = (struct index_full){hash, until};
    else
        *last = place;
}

/* Where an entry can go: where one is dead, or behind the others; INDEX_LINE: nowhere. */
static unsigned room_in(const struct index *index, const struct index_line *line)
{
    unsigned at = 0, count = entries_in(line);
    if (!index->live_from)
        return count;
    while (at < count && index_is_live(index, line->place[at]))
        at++;
    return at;
}

static void add_now(struct index *index, uint32_t hash, uint32_t place)
{
    struct index_line *free_line = NULL;
    uint32_t *same[INDEX_SAME];
    unsigned free_at = 0, count = 0;
    if (!has_room(index)) {
        index->unindexed++;
        return;
    }
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        struct index_line *line = index_line_at(index, hash, step);
        for (unsigned equal = equal_in(line, hash); equal; equal &= equal - 1) {
            uint32_t *old = &line->place[__builtin_ctz(equal)];
            if (*old == place)
                return;
            if (((*old ^ place) & INDEX_PROMPT) || !index_is_live(index, *old))
                continue;
            same[count++] = old;
            if (count == INDEX_SAME) {
                replace(index, same, hash, place);
                return;
            }
        }
        unsigned at = free_line ? INDEX_LINE : room_in(index, line);
        if (at < INDEX_LINE) {
            free_line = line;
            free_at = at;
        }
        if (!index_line_is_full(line))
            break;
    }
    if (!free_line) {
        index->unindexed++;
        return;
    }
    index->used += !free_line->hash[free_at];
    free_line->hash[free_at] = hash;
    free_line->place[free_at] = place;
}

void index_flush(struct index *index)
{
    for (; index->taken < index->given; index->taken++) {
        size_t at = index->taken % INDEX_PENDING;
        add_now(index, index->pending_hash[at], index->pending_place[at]);
    }
}

void index_add(struct index *index, uint32_t hash, uint32_t place)
{
    hash = index_hash(hash);
    const struct index_full *full = full_of(index, hash);
    if (full->hash == hash && !(place & INDEX_PROMPT) && index_running(index, place) < full->until)
        return;
    __builtin_prefetch(index_line_at(index, hash, 0), 1);
    size_t at = index->given++ % INDEX_PENDING;
    if (index->given - index->taken > INDEX_PENDING) {
        index->taken++;
        add_now(index, index->pending_hash[at], index->pending_place[at]);
    }
    index->pending_hash[at] = hash;
    index->pending_place[at] = place;
}

/* Prompts come before everything else, and are told by their own places. */
static bool is_before(const struct index *index, uint32_t a, uint32_t b)
{
    if ((a ^ b) & INDEX_PROMPT)
        return a & INDEX_PROMPT;
    return (a & INDEX_PROMPT) ? a < b : index_running(index, a) < index_running(index, b);
}

size_t index_find(const struct index *index, uint32_t hash, uint32_t places[INDEX_FOUND])
{
    size_t count = 0;
    hash = index_hash(hash);
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        const struct index_line *line = index_line_at(index, hash, step);
        for (unsigned equal = equal_in(line, hash); equal && count < INDEX_FOUND;
             equal &= equal - 1) {
            uint32_t place = line->place[__builtin_ctz(equal)];
            if (!index_is_live(index, place))
                continue;
            size_t at = count++;
            for (; at > 0 && is_before(index, place, places[at - 1]); at--)
                places[at] = places[at - 1];
            places[at] = place;
        }
        if (!index_line_is_full(line))
            break;
    }
    return count;
}
