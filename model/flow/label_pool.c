/* Interned strings and sets of strings: what labels are made of. */
#include "model/flow/label.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

/* Unions and intersections are remembered in a direct-mapped table: a replay does the same few over
 * and over. A slot holds the operands and the result; a lost slot costs time only. */
enum { MEMO_SLOTS = 4096 };
struct memo {
    set_id a, b, result;
    uint8_t operation; /* 0: empty */
};
enum { OPERATION_UNION = 1, OPERATION_INTERSECT };

struct set {
    uint32_t *members; /* string ids in order of the strings' bytes */
    uint32_t count;
    uint32_t hash;
};

struct label_pool_table { /* open addressing; an entry is an id + 1, 0 is empty */
    uint32_t *slots;
    size_t size; /* a power of two */
};

struct label_pool {
    struct arena text;
    struct span *strings;
    uint32_t *string_hashes;
    size_t string_count, string_size;
    struct set *sets;
    size_t set_count, set_size;
    struct label_pool_table string_table, set_table;
    struct memo memo[MEMO_SLOTS];
    uint32_t *scratch;
    size_t scratch_size;
};

static uint32_t hash_bytes(const void *at, size_t len, uint32_t seed)
{
    return (uint32_t)hash_add(HASH_BEGIN ^ seed, (struct span){at, len});
}

/* A hostile log may pick strings that collide, so the hash of strings is keyed per pool. */
static uint32_t hash_string(const struct label_pool *pool, struct span s)
{
    return hash_bytes(s.at, s.len, (uint32_t)((uintptr_t)pool >> 4) * 2654435761u);
}

static void label_pool_table_put(struct label_pool_table *table, uint32_t hash, uint32_t id)
{
    size_t i = hash & (table->size - 1);
    while (table->slots[i])
        i = (i + 1) & (table->size - 1);
    table->slots[i] = id + 1;
}

/* Empties the table at double size; the caller puts everything back. */
static void table_grow(struct label_pool_table *table, size_t least)
{
    size_t size = table->size ? table->size : 64;
    while (size < least * 2)
        size *= 2;
    mem_free(table->slots);
    table->slots = NEW_ARRAY(uint32_t, size);
    table->size = size;
}

struct label_pool *label_pool_create(void)
{
    struct label_pool *pool = NEW(struct label_pool);
    arena_init(&pool->text);
    set_of(pool, NULL, 0); /* set 0 is the empty set */
    return pool;
}

void label_pool_destroy(struct label_pool *pool)
{
    if (!pool)
        return;
    for (size_t i = 0; i < pool->set_count; i++)
        mem_free(pool->sets[i].members);
    mem_free(pool->sets);
    mem_free(pool->strings);
    mem_free(pool->string_hashes);
    mem_free(pool->string_table.slots);
    mem_free(pool->set_table.slots);
    mem_free(pool->scratch);
    arena_finish(&pool->text);
    mem_free(pool);
}

static uint32_t *scratch(struct label_pool *pool, size_t count)
{
    if (pool->scratch_size < count) {
        mem_free(pool->scratch);
        pool->scratch = NEW_ARRAY(uint32_t, count);
        pool->scratch_size = count;
    }
    return pool->scratch;
}

static bool string_find(const struct label_pool *pool, struct span s, uint32_t *id)
{
    const struct label_pool_table *table = &pool->string_table;
    if (!table->size)
        return false;
    uint32_t hash = hash_string(pool, s);
    for (size_t i = hash & (table->size - 1); table->slots[i]; i = (i + 1) & (table->size - 1)) {
        uint32_t found = table->slots[i] - 1;
        if (pool->string_hashes[found] == hash && span_equal(pool->strings[found], s)) {
            *id = found;
            return true;
        }
    }
    return false;
}

static uint32_t string_id(struct label_pool *pool, struct span s)
{
    uint32_t id;
    if (string_find(pool, s, &id))
        return id;
    if (pool->string_count == pool->string_size) {
        pool->string_size = pool->string_size ? pool->string_size * 2 : 64;
        pool->strings = mem_resize(pool->strings, pool->string_size * sizeof *pool->strings);
        pool->string_hashes =
            mem_resize(pool->string_hashes, pool->string_size * sizeof *pool->string_hashes);
    }
    id = (uint32_t)pool->string_count++;
    pool->strings[id] = arena_copy(&pool->text, s);
    pool->string_hashes[id] = hash_string(pool, s);
    if (pool->string_count * 2 > pool->string_table.size) {
        table_grow(&pool->string_table, pool->string_count);
        for (uint32_t i = 0; i <= id; i++)
            label_pool_table_put(&pool->string_table, pool->string_hashes[i], i);
    } else {
        label_pool_table_put(&pool->string_table, pool->string_hashes[id], id);
    }
    return id;
}

/* Interns a set of which the members are sorted and single. */
static set_id set_intern(struct label_pool *pool, const uint32_t *members, size_t count)
{
    uint32_t hash = hash_bytes(members, count * sizeof *members, 0x5e7);
    const struct label_pool_table *table = &pool->set_table;
    if (table->size)
        for (size_t i = hash & (table->size - 1); table->slots[i];
             i = (i + 1) & (table->size - 1)) {
            const struct set *set = &pool->sets[table->slots[i] - 1];
            if (set->hash == hash && set->count == count &&
                (!count || memcmp(set->members, members, count * sizeof *members) == 0))
                return table->slots[i] - 1;
        }
    pool->sets = mem_one_more(pool->sets, pool->set_count, &pool->set_size, sizeof *pool->sets);
    set_id id = (set_id)pool->set_count++;
    struct set *set = &pool->sets[id];
    *set = (struct set){.count = (uint32_t)count, .hash = hash};
    if (count) {
        set->members = NEW_ARRAY(uint32_t, count);
        memcpy(set->members, members, count * sizeof *members);
    }
    if (pool->set_count * 2 > pool->set_table.size) {
        table_grow(&pool->set_table, pool->set_count);
        for (uint32_t i = 0; i <= id; i++)
            label_pool_table_put(&pool->set_table, pool->sets[i].hash, i);
    } else {
        label_pool_table_put(&pool->set_table, hash, id);
    }
    return id;
}

static int compare_spans(const void *a, const void *b)
{
    return span_compare(*(const struct span *)a, *(const struct span *)b);
}

set_id set_of(struct label_pool *pool, const struct span *members, size_t count)
{
    struct span *sorted = NEW_ARRAY(struct span, count);
    if (count)
        memcpy(sorted, members, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_spans);
    uint32_t *ids = scratch(pool, count);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !span_equal(sorted[i], sorted[i - 1]))
            ids[kept++] = string_id(pool, sorted[i]);
    mem_free(sorted);
    return set_intern(pool, ids, kept);
}

set_id set_add(struct label_pool *pool, set_id set, struct span member)
{
    return set_union(pool, set, set_of(pool, &member, 1));
}

static struct memo *memo_slot(struct label_pool *pool, set_id a, set_id b, uint8_t operation)
{
    return &pool->memo[(a * 2654435761u ^ b * 40503u ^ operation) % MEMO_SLOTS];
}

/* Merges two sorted sets; both kinds of operation are the same walk. */
static set_id set_merge(struct label_pool *pool, set_id a, set_id b, uint8_t operation)
{
    struct memo *memo = memo_slot(pool, a, b, operation);
    if (memo->operation == operation && memo->a == a && memo->b == b)
        return memo->result;
    const struct set *left = &pool->sets[a], *right = &pool->sets[b];
    uint32_t *out = scratch(pool, (size_t)left->count + right->count);
    size_t i = 0, j = 0, count = 0;
    while (i < left->count && j < right->count) {
        uint32_t x = left->members[i], y = right->members[j];
        int order = x == y ? 0 : span_compare(pool->strings[x], pool->strings[y]);
        if (order == 0 || operation == OPERATION_UNION)
            out[count++] = order <= 0 ? x : y;
        i += order <= 0;
        j += order >= 0;
    }
    if (operation == OPERATION_UNION) {
        while (i < left->count)
            out[count++] = left->members[i++];
        while (j < right->count)
            out[count++] = right->members[j++];
    }
    set_id result = set_intern(pool, out, count);
    *memo = (struct memo){a, b, result, operation};
    return result;
}

set_id set_union(struct label_pool *pool, set_id a, set_id b)
{
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    return a < b ? set_merge(pool, a, b, OPERATION_UNION) : set_merge(pool, b, a, OPERATION_UNION);
}

set_id set_intersect(struct label_pool *pool, set_id a, set_id b)
{
    if (a == b || a == 0)
        return a;
    if (b == 0)
        return b;
    return a < b ? set_merge(pool, a, b, OPERATION_INTERSECT)
                 : set_merge(pool, b, a, OPERATION_INTERSECT);
}

static bool has_id(const struct label_pool *pool, set_id set, uint32_t id)
{
    const struct set *s = &pool->sets[set];
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = span_compare(pool->strings[s->members[middle]], pool->strings[id]);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool set_has(const struct label_pool *pool, set_id set, struct span member)
{
    uint32_t id;
    return string_find(pool, member, &id) && has_id(pool, set, id);
}

bool set_within(const struct label_pool *pool, set_id a, set_id b)
{
    if (a == b || a == 0)
        return true;
    const struct set *inner = &pool->sets[a];
    if (inner->count > pool->sets[b].count)
        return false;
    for (size_t i = 0; i < inner->count; i++)
        if (!has_id(pool, b, inner->members[i]))
            return false;
    return true;
}

size_t set_size(const struct label_pool *pool, set_id set)
{
    return pool->sets[set].count;
}

struct span set_member(const struct label_pool *pool, set_id set, size_t index)
{
    return pool->strings[pool->sets[set].members[index]];
}
