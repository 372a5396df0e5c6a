#include "ingest/pending.h"

#include <sys/random.h>
#include <time.h>

#include "base/mem.h"

enum { NONE = 0 }; /* items[0] is no item */

struct pendings {
    struct pending *items;
    uint32_t count, size, used, most; /* used: waiting */
    uint32_t free;                    /* list through `next` */
    uint32_t *heads, room;            /* room: a power of two */
    uint32_t oldest, newest;
    uint64_t seed[2];
};

struct pendings *pendings_create(uint32_t most)
{
    struct pendings *p = NEW(struct pendings);
    p->most = most;
    p->size = 16;
    p->items = NEW_ARRAY(struct pending, p->size);
    p->count = 1;
    p->room = 32;
    p->heads = NEW_ARRAY(uint32_t, p->room);
    if (getrandom(p->seed, sizeof p->seed, 0) != (ssize_t)sizeof p->seed)
        p->seed[0] = (uint64_t)time(NULL) ^ (uintptr_t)p, p->seed[1] = (uintptr_t)&p;
    return p;
}

void pendings_destroy(struct pendings *p)
{
    if (!p)
        return;
    for (uint32_t i = p->oldest; i != NONE; i = p->items[i].newer)
        mem_free(p->items[i].long_name);
    mem_free(p->items);
    mem_free(p->heads);
    mem_free(p);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static void pending_key_of(const struct pendings *p, char sender, struct span id, uint64_t key[2])
{
    uint64_t a = p->seed[0] ^ (unsigned char)sender, b = p->seed[1] ^ id.len;
    for (size_t i = 0; i < id.len; i += 8) {
        uint64_t word = 0;
        size_t n = id.len - i < 8 ? id.len - i : 8;
        memcpy(&word, id.at + i, n);
        a = mix(a ^ word, p->seed[1]);
        b = mix(b + word, p->seed[0]);
    }
    key[0] = mix(a, p->seed[0]);
    key[1] = mix(b, a);
}

static uint32_t *head_of(struct pendings *p, const uint64_t key[2])
{
    return &p->heads[key[0] & (p->room - 1)];
}

static void rehash(struct pendings *p)
{
    p->room *= 2;
    mem_free(p->heads);
    p->heads = NEW_ARRAY(uint32_t, p->room);
    for (uint32_t i = p->oldest; i != NONE; i = p->items[i].newer) {
        uint32_t *head = head_of(p, p->items[i].key);
        p->items[i].next = *head;
        *head = i;
    }
}

static struct pending *pending_find(struct pendings *p, const uint64_t key[2])
{
    for (uint32_t i = *head_of(p, key); i != NONE; i = p->items[i].next)
        if (p->items[i].key[0] == key[0] && p->items[i].key[1] == key[1])
            return &p->items[i];
    return NULL;
}

struct pending *pendings_find(struct pendings *p, char sender, struct span id)
{
    uint64_t key[2];
    pending_key_of(p, sender, id, key);
    return pending_find(p, key);
}

/* The one that waits longest; NULL where none does. */
static struct pending *pendings_oldest(struct pendings *p)
{
    return p->oldest == NONE ? NULL : &p->items[p->oldest];
}

void pendings_remove(struct pendings *p, struct pending *one)
{
    uint32_t index = (uint32_t)(one - p->items);
    uint32_t *at = head_of(p, one->key);
    while (*at != index)
        at = &p->items[*at].next;
    *at = one->next;
    *(one->older ? &p->items[one->older].newer : &p->oldest) = one->newer;
    *(one->newer ? &p->items[one->newer].older : &p->newest) = one->older;
    mem_free(one->long_name);
    one->long_name = NULL;
    one->next = p->free;
    p->free = index;
    p->used--;
}

static uint32_t take_free(struct pendings *p)
{
    if (p->free != NONE) {
        uint32_t index = p->free;
        p->free = p->items[index].next;
        return index;
    }
    if (p->count == p->size) {
        p->size *= 2;
        p->items = mem_resize(p->items, p->size * sizeof *p->items);
    }
    return p->count++;
}

struct pending *pendings_add(struct pendings *p, char sender, struct span id, bool *displaced)
{
    uint64_t key[2];
    pending_key_of(p, sender, id, key);
    struct pending *same = pending_find(p, key);
    *displaced = same;
    if (same)
        pendings_remove(p, same);
    if (p->used == p->most)
        pendings_remove(p, pendings_oldest(p));
    if (p->used >= p->room)
        rehash(p);
    uint32_t index = take_free(p);
    struct pending *one = &p->items[index];
    uint32_t *head = head_of(p, key);
    *one = (struct pending){.key = {key[0], key[1]}, .next = *head, .older = p->newest};
    *head = index;
    *(p->newest ? &p->items[p->newest].newer : &p->oldest) = index;
    p->newest = index;
    p->used++;
    return one;
}

void pending_set_name(struct pending *one, struct span name)
{
    one->name_len = (uint32_t)name.len;
    if (name.len > PENDING_NAME)
        one->long_name = mem_alloc(name.len);
    if (name.len)
        memcpy(one->long_name ? one->long_name : one->name, name.at, name.len);
}

struct span pending_name(const struct pending *one)
{
    return (struct span){one->long_name ? one->long_name : one->name, one->name_len};
}
