#include "model/trace/index.h"

#include "base/mem.h"

enum { INDEX_LEAST = 1 << 9 }; /* lines */

/* What of a line is so: a bit an entry, in a shape that compilers see as one look at them all. */
static const uint32_t line_bits[INDEX_LINE] = {1, 2, 4, 8, 16, 32, 64, 128};

/* The entries with that hash. */
static unsigned equal_in(const struct index_line *line, uint32_t hash)
{
    uint32_t equal = 0;
    for (unsigned i = 0; i < INDEX_LINE; i++)
        equal |= line_bits[i] & (line->hash[i] == hash ? UINT32_MAX : 0);
    return equal;
}

/* Where an entry can go: where none is, or one that is dead. */
static unsigned free_in(const struct index *index, const struct index_line *line)
{
    uint32_t free = 0, next = (uint32_t)index->next;
    int32_t most = (int32_t)(index->next - index->live_from);
    for (unsigned i = 0; i < INDEX_LINE; i++) {
        int32_t age = (int32_t)((next - line->place[i]) & INDEX_PLACES);
        uint32_t dead = age > most ? ~line->place[i] : 0; /* in its INDEX_PROMPT */
        uint32_t none = line->hash[i] == 0 ? UINT32_MAX : 0;
        free |= line_bits[i] & (none | (0 - (dead >> 31)));
    }
    return free;
}

static unsigned entries_in(const struct index_line *line)
{
    unsigned count = 0;
    for (unsigned i = 0; i < INDEX_LINE; i++)
        count += line->hash[i] != 0;
    return count;
}

void index_init(struct index *index, size_t most, uint64_t window)
{
    *index = (struct index){.size = INDEX_LEAST, .most = INDEX_LEAST, .fresh = window / 4};
    while (index->most * 2 <= most / INDEX_LINE)
        index->most *= 2;
    index->lines = mem_reserve(index->most * sizeof *index->lines); /* pages are whole lines */
    index->full = NEW_ARRAY(struct index_full, INDEX_FULL);
}

void index_finish(struct index *index)
{
    mem_unreserve(index->lines, index->most * sizeof *index->lines);
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

/* Entries that are not in the first line of their hash. */
struct index_entries {
    struct index_entry {
        uint32_t hash, place;
    } * items;
    size_t count, size;
};

static void keep_entry(struct index_entries *entries, struct index_entry entry)
{
    entries->items =
        mem_one_more(entries->items, entries->count, &entries->size, sizeof *entries->items);
    entries->items[entries->count++] = entry;
}

/* Lets what is dead go, and spreads the rest over `size` lines: as many as there are or twice as
 * many, where an entry stays in its line or goes to the one as far into the new half. What had
 * found no room in its first line finds its place anew. */
static void spread(struct index *index, size_t size)
{
    struct index_entries others = {0};
    size_t old_size = index->size, half = size - old_size;
    index->size = size;
    index->used = 0;
    mem_scattered(index->lines, size * sizeof(*index->lines));
    for (size_t i = 0; i < old_size; i++) {
        const struct index_line old = index->lines[i];
        struct index_line lines[2] = {0};
        unsigned counts[2] = {0}, free = free_in(index, &old);
        for (unsigned k = 0; k < INDEX_LINE; k++) {
            bool is_first = (old.hash[k] & (old_size - 1)) == i;
            bool stays = !(free >> k & 1);
            unsigned to = (old.hash[k] & half) != 0, at = counts[to];
            if (stays && !is_first)
                keep_entry(&others, (struct index_entry){old.hash[k], old.place[k]});
            /* No branch on what is as good as random: the next one comes over what goes. */
            lines[to].hash[at] = stays && is_first ? old.hash[k] : 0;
            lines[to].place[at] = old.place[k];
            counts[to] += stays && is_first;
        }
        index->lines[i] = lines[0];
        if (half)
            index->lines[i + half] = lines[1];
        index->used += counts[0] + counts[1];
    }
    for (size_t i = 0; i < others.count; i++)
        put(index, others.items[i].hash, others.items[i].place);
    mem_free(others.items);
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
        spread(index, index->size);
        index->purge_again = index->next + index->size * INDEX_LINE / 4;
        if (index->used < index->size * INDEX_LINE / 2)
            return true;
    }
    if (index->size < index->most)
        spread(index, index->size * 2);
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
        unsigned free = free_in(index, line);
        for (unsigned equal = equal_in(line, hash) & ~free; equal; equal &= equal - 1) {
            uint32_t *old = &line->place[__builtin_ctz(equal)];
            if (*old == place)
                return;
            if ((*old ^ place) & INDEX_PROMPT)
                continue;
            same[count++] = old;
            if (count == INDEX_SAME) {
                replace(index, same, hash, place);
                return;
            }
        }
        if (free && !free_line) {
            free_line = line;
            free_at = (unsigned)__builtin_ctz(free);
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

/* The lines of all are asked for before any is looked at, so that they are waited for together. */
void index_flush(struct index *index)
{
    for (size_t i = 0; i < index->pending; i++)
        __builtin_prefetch(index_line_at(index, index->pending_hash[i], 0), 1);
    for (size_t i = 0; i < index->pending; i++) {
        const struct index_line *line = index_line_at(index, index->pending_hash[i], 0);
        __builtin_prefetch(index_line_at(index, index->pending_hash[i], index_line_is_full(line)),
                           1);
    }
    for (size_t i = 0; i < index->pending; i++)
        add_now(index, index->pending_hash[i], index->pending_place[i]);
    index->pending = 0;
}

void index_add(struct index *index, uint32_t hash, uint32_t place)
{
    hash = index_hash(hash);
    const struct index_full *full = full_of(index, hash);
    if (full->hash == hash && !(place & INDEX_PROMPT) && index_running(index, place) < full->until)
        return;
    index->pending_hash[index->pending] = hash;
    index->pending_place[index->pending] = place;
    if (++index->pending == INDEX_PENDING)
        index_flush(index);
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
        unsigned equal = equal_in(line, hash) & ~free_in(index, line);
        for (; equal && count < INDEX_FOUND; equal &= equal - 1) {
            uint32_t place = line->place[__builtin_ctz(equal)];
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
