#include "model/trace/index.h"

#include "base/mem.h"

enum { INDEX_LEAST = 1 << 12, INDEX_LARGE = 1 << 20 };

static uint32_t slot_hash(uint64_t slot)
{
    return (uint32_t)(slot >> 32);
}

static uint32_t slot_place(uint64_t slot)
{
    return (uint32_t)slot;
}

/* An empty slot is 0; so no hash may be. */
static uint32_t never_zero(uint32_t hash)
{
    return hash ? hash : 1;
}

/* Mixed again: fingerprints are the smallest of their windows, and would crowd the low end. */
static size_t home_of(const struct index *index, uint32_t hash)
{
    return (size_t)(((uint64_t)(hash * 0x9e3779b1u) * index->size) >> 32);
}

/* The slots to try for a hash, one after the other: a cache line, then others further and further
 * away, so that full lines don't grow together. */
static size_t slot_at(const struct index *index, size_t home, size_t step)
{
    size_t line = step / 8;
    return ((home & ~(size_t)7) + ((home + step) & 7) + line * (line + 1) / 2 * 8) &
           (index->size - 1);
}

void index_init(struct index *index, size_t most, uint64_t window)
{
    *index = (struct index){.size = INDEX_LEAST, .most = most, .fresh = window / 4};
    while (index->most & (index->most - 1))
        index->most &= index->most - 1;
    if (index->most < INDEX_LEAST)
        index->most = INDEX_LEAST;
    index->slots = NEW_ARRAY(uint64_t, index->size);
    index->full = NEW_ARRAY(struct index_full, INDEX_FULL);
}

void index_finish(struct index *index)
{
    mem_free(index->slots);
    mem_free(index->full);
    *index = (struct index){0};
}

uint64_t index_running(const struct index *index, uint32_t place)
{
    return index->next - ((index->next - place) & INDEX_PLACES);
}

bool index_is_live(const struct index *index, uint32_t place)
{
    return (place & INDEX_PROMPT) || index_running(index, place) >= index->live_from;
}

/* Puts what is live into a table of `size` slots. */
static void rebuild(struct index *index, size_t size)
{
    uint64_t *old = index->slots;
    size_t old_size = index->size;
    index->slots = NEW_ARRAY(uint64_t, size);
    index->size = size;
    index->used = 0;
    for (size_t i = 0; i < old_size; i++) {
        if (!old[i] || !index_is_live(index, slot_place(old[i])))
            continue;
        size_t home = home_of(index, slot_hash(old[i])), step = 0;
        while (step < INDEX_PROBE && index->slots[slot_at(index, home, step)])
            step++;
        if (step == INDEX_PROBE) {
            index->unindexed++;
            continue;
        }
        index->slots[slot_at(index, home, step)] = old[i];
        index->used++;
    }
    mem_free(old);
}

static bool has_room(struct index *index)
{
    if (index->used < index->size / 2)
        return true;
    if (index->size < index->most) {
        /* By four while it is small: each growth reads all of it again. */
        size_t size = index->size * (index->size < INDEX_LARGE ? 4 : 2);
        rebuild(index, size < index->most ? size : index->most);
        return true;
    }
    if (index->next < index->purge_again)
        return false;
    rebuild(index, index->size);
    index->purge_again = index->next + index->size / 4;
    return index->used < index->size / 2;
}

static struct index_full *full_of(const struct index *index, uint32_t hash)
{
    return &index->full[hash % INDEX_FULL];
}

/* A hash that has all its places: the new one goes in the place of the latest, once that is far
 * enough behind. `same` are its slots. */
static void replace(struct index *index, const size_t *same, uint32_t hash, uint32_t place)
{
    size_t last = same[0];
    for (size_t i = 1; i < INDEX_SAME; i++)
        if (index_running(index, slot_place(index->slots[same[i]])) >
            index_running(index, slot_place(index->slots[last])))
            last = same[i];
    uint64_t until = index_running(index, slot_place(index->slots[last])) + index->fresh;
    if (place & INDEX_PROMPT)
        return;
    if (index_running(index, place) < until)
        *full_of(index, hash) = (struct index_full){hash, until};
    else
        index->slots[last] = (uint64_t)hash << 32 | place;
}

static void add_now(struct index *index, uint32_t hash, uint32_t place)
{
    if (!has_room(index)) {
        index->unindexed++;
        return;
    }
    size_t home = home_of(index, hash), free_at = SIZE_MAX, same[INDEX_SAME], count = 0;
    uint64_t slot = (uint64_t)hash << 32 | place;
    bool some_dead = index->live_from > 0;
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        size_t at = slot_at(index, home, step);
        uint64_t old = index->slots[at];
        if (!old) {
            if (free_at == SIZE_MAX) {
                free_at = at;
                index->used++;
            }
            break;
        }
        if (some_dead && !index_is_live(index, slot_place(old))) {
            if (free_at == SIZE_MAX)
                free_at = at;
            continue;
        }
        if (slot_hash(old) != hash || ((slot_place(old) ^ place) & INDEX_PROMPT))
            continue;
        if (slot_place(old) == place)
            return;
        same[count++] = at;
        if (count == INDEX_SAME) {
            replace(index, same, hash, place);
            return;
        }
    }
    if (free_at == SIZE_MAX)
        index->unindexed++;
    else
        index->slots[free_at] = slot;
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
    hash = never_zero(hash);
    const struct index_full *full = full_of(index, hash);
    if (full->hash == hash && !(place & INDEX_PROMPT) && index_running(index, place) < full->until)
        return;
    __builtin_prefetch(&index->slots[home_of(index, hash)], 1);
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
    hash = never_zero(hash);
    size_t home = home_of(index, hash);
    for (size_t step = 0; step < INDEX_PROBE && count < INDEX_FOUND; step++) {
        uint64_t slot = index->slots[slot_at(index, home, step)];
        if (!slot)
            break;
        uint32_t place = slot_place(slot);
        if (slot_hash(slot) != hash || !index_is_live(index, place))
            continue;
        size_t at = count++;
        for (; at > 0 && is_before(index, place, places[at - 1]); at--)
            places[at] = places[at - 1];
        places[at] = place;
    }
    return count;
}
