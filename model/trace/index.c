#include "model/trace/index.h"

#include "base/mem.h"

enum { INDEX_LEAST = INDEX_PROBE << INDEX_KNOWN }; /* lines, so that no two tries are the same */

/* What of a line is so: a bit an entry, in a shape that compilers see as one look at them all. */
static const uint32_t line_bits[INDEX_LINE] = {1, 2, 4, 8, 16, 32, 64, 128};

/* The entries with that hash. */
static unsigned equal_in(const struct index_line *line, uint32_t hash)
{
    uint32_t equal = 0;
    for (unsigned i = 0; i < INDEX_LINE; i++)
        equal |= line_bits[i] & (((line->key[i] ^ hash) & INDEX_HASH) == 0 ? UINT32_MAX : 0);
    return equal;
}

/* Where an entry can go: where none is, or one that is dead. */
static unsigned free_in(const struct index *index, const struct index_line *line)
{
    uint32_t free = 0, next = (uint32_t)index->next;
    int32_t most = (int32_t)(index->next - index->live_from);
    for (unsigned i = 0; i < INDEX_LINE; i++) {
        int32_t age = (int32_t)((next - line->place[i]) & INDEX_PLACES);
        uint32_t dead = age > most ? UINT32_MAX : 0;
        uint32_t none = line->key[i] == 0 ? UINT32_MAX : 0;
        free |= line_bits[i] & (none | dead);
    }
    return free;
}

static unsigned entries_in(const struct index_line *line)
{
    unsigned count = 0;
    for (unsigned i = 0; i < INDEX_LINE; i++)
        count += line->key[i] != 0;
    return count;
}

static void line_set(struct index_line *line, unsigned at, struct index_entry entry)
{
    line->key[at] = (entry.hash & INDEX_HASH) | entry.near;
    line->place[at] = entry.place;
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
static void put(struct index *index, struct index_entry entry)
{
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        struct index_line *line = index_line_at(index, entry.hash, step);
        if (index_line_is_full(line))
            continue;
        line_set(line, entries_in(line), entry);
        index->used++;
        return;
    }
    index->unindexed++;
}

/* Entries that are not in the first line of their hash. */
struct index_entries {
    struct index_entry *items;
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
            uint32_t hash = (old.key[k] & INDEX_HASH) | (i & ~INDEX_HASH);
            bool is_first = (hash & (old_size - 1)) == i;
            bool stays = !(free >> k & 1);
            unsigned to = (hash & half) != 0, at = counts[to];
            if (stays && !is_first)
                keep_entry(&others, (struct index_entry){hash, old.place[k], (uint8_t)old.key[k]});
            /* No branch on what is as good as random: the next one comes over what goes. */
            lines[to].key[at] = stays && is_first ? old.key[k] : 0;
            lines[to].place[at] = old.place[k];
            counts[to] += stays && is_first;
        }
        index->lines[i] = lines[0];
        if (half)
            index->lines[i + half] = lines[1];
        index->used += counts[0] + counts[1];
    }
    for (size_t i = 0; i < others.count; i++)
        put(index, others.items[i]);
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

struct index_slot {
    struct index_line *line;
    unsigned at;
};

/* A hash that has all its places: the new one goes in the place of the latest, once that is far
 * enough behind. */
static void replace(struct index *index, const struct index_slot same[INDEX_SAME],
                    struct index_entry entry)
{
    const struct index_slot *last = &same[0];
    uint64_t latest = 0;
    for (size_t i = 0; i < INDEX_SAME; i++) {
        uint64_t running = index_running(index, same[i].line->place[same[i].at]);
        if (running >= latest) {
            latest = running;
            last = &same[i];
        }
    }
    uint64_t until = latest + index->fresh;
    if (index_running(index, entry.place) < until)
        *full_of(index, entry.hash) = (struct index_full){entry.hash, until};
    else
        line_set(last->line, last->at, entry);
}

static void add_now(struct index *index, struct index_entry entry)
{
    struct index_slot same[INDEX_SAME], free_slot = {0};
    unsigned count = 0;
    if (!has_room(index)) {
        index->unindexed++;
        return;
    }
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        struct index_line *line = index_line_at(index, entry.hash, step);
        unsigned free = free_in(index, line);
        for (unsigned equal = equal_in(line, entry.hash) & ~free; equal; equal &= equal - 1) {
            unsigned at = (unsigned)__builtin_ctz(equal);
            if (line->place[at] == entry.place)
                return;
            same[count++] = (struct index_slot){line, at};
            if (count == INDEX_SAME) {
                replace(index, same, entry);
                return;
            }
        }
        if (free && !free_slot.line)
            free_slot = (struct index_slot){line, (unsigned)__builtin_ctz(free)};
        if (!index_line_is_full(line))
            break;
    }
    if (!free_slot.line) {
        index->unindexed++;
        return;
    }
    index->used += !free_slot.line->key[free_slot.at];
    line_set(free_slot.line, free_slot.at, entry);
}

/* The lines of all are asked for before any is looked at, so that they are waited for together. */
void index_flush(struct index *index)
{
    for (size_t i = 0; i < index->pending_count; i++)
        __builtin_prefetch(index_line_at(index, index->pending[i].hash, 0), 1);
    for (size_t i = 0; i < index->pending_count; i++) {
        uint32_t hash = index->pending[i].hash;
        size_t step = index_line_is_full(index_line_at(index, hash, 0));
        __builtin_prefetch(index_line_at(index, hash, step), 1);
    }
    for (size_t i = 0; i < index->pending_count; i++)
        add_now(index, index->pending[i]);
    index->pending_count = 0;
}

void index_add(struct index *index, uint32_t hash, uint8_t near, uint32_t place)
{
    hash = index_hash(hash);
    const struct index_full *full = full_of(index, hash);
    if (full->hash == hash && index_running(index, place) < full->until)
        return;
    index->pending[index->pending_count++] = (struct index_entry){hash, place, near};
    if (index->pending_count == INDEX_PENDING)
        index_flush(index);
}

size_t index_find(const struct index *index, uint32_t hash, uint8_t near,
                  uint32_t places[INDEX_SAME])
{
    size_t count = 0;
    hash = index_hash(hash);
    for (size_t step = 0; step < INDEX_PROBE; step++) {
        const struct index_line *line = index_line_at(index, hash, step);
        unsigned equal = equal_in(line, hash);
        for (equal = equal ? equal & ~free_in(index, line) : 0; equal && count < INDEX_SAME;
             equal &= equal - 1) {
            unsigned i = (unsigned)__builtin_ctz(equal);
            uint32_t differs = line->key[i] ^ near, place = line->place[i];
            if (differs & 0xf0 && differs & 0x0f)
                continue;
            size_t at = count++;
            for (; at > 0 && index_running(index, place) < index_running(index, places[at - 1]);
                 at--)
                places[at] = places[at - 1];
            places[at] = place;
        }
        if (!index_line_is_full(line))
            break;
    }
    return count;
}
