#include "ingest/names.h"

#include "base/hash.h"

void names_finish(struct names *names)
{
    arena_finish(&names->arena);
    mem_free(names->slots);
    *names = (struct names){0};
}

static uint64_t names_hash_of(struct span s)
{
    uint64_t hash = hash_of(s);
    return hash ^ hash >> 32;
}

static struct name_slot *names_find(struct name_slot *slots, size_t room, uint64_t hash,
                                    struct span name)
{
    size_t i = (size_t)hash & (room - 1);
    while (slots[i].used && (slots[i].hash != hash || !span_equal(slots[i].name, name)))
        i = (i + 1) & (room - 1);
    return &slots[i];
}

static void names_grow(struct names *names)
{
    size_t room = names->room ? names->room * 2 : 16;
    struct name_slot *slots = NEW_ARRAY(struct name_slot, room);
    for (size_t i = 0; i < names->room; i++)
        if (names->slots[i].used)
            *names_find(slots, room, names->slots[i].hash, names->slots[i].name) = names->slots[i];
    mem_free(names->slots);
    names->slots = slots;
    names->room = room;
}

int64_t *names_at(struct names *names, struct span name)
{
    if (names->count * 2 >= names->room)
        names_grow(names);
    uint64_t hash = names_hash_of(name);
    struct name_slot *slot = names_find(names->slots, names->room, hash, name);
    if (!slot->used) {
        *slot = (struct name_slot){hash, arena_copy(&names->arena, name), 0, true};
        names->count++;
    }
    return &slot->value;
}
