/*
 * The table behind a trace: from a hash to the few places where it stood. Open
 * addressing, eight bytes a slot (hash, place). At most INDEX_SAME places of
 * one hash are kept on each side: the first ones, and in a long session some
 * of later parts of it. So text that repeats itself a million times costs no
 * more than text that does not. A probe is at most INDEX_PROBE slots long,
 * whatever hashes are thrown at it.
 */
#ifndef STRANDLINE_MODEL_TRACE_INDEX_H
#define STRANDLINE_MODEL_TRACE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INDEX_SAME = 4,
    INDEX_PROBE = 64,
    INDEX_PENDING = 16,
    INDEX_FOUND = 2 * INDEX_SAME,
    INDEX_FULL = 1 << 11,
};
/* Places with this bit are in the prompts and never die. */
#define INDEX_PROMPT 0x80000000u
#define INDEX_PLACES 0x7fffffffu

struct index_full {
    uint32_t hash;
    uint64_t until; /* the running place from which on another one is wanted */
};

struct index {
    uint64_t *slots;
    size_t size, most; /* powers of two */
    size_t used;
    uint64_t live_from, next; /* running places: those before live_from are dead */
    uint64_t purge_again;     /* not before `next` is here */
    uint64_t unindexed;       /* additions that found no room */
    uint64_t fresh;           /* how long the last of INDEX_SAME places is good enough */
    struct index_full *full;  /* hashes that have INDEX_SAME places: no need to look */
    uint64_t given, taken;    /* additions whose slots are on their way into the cache */
    uint32_t pending_hash[INDEX_PENDING], pending_place[INDEX_PENDING];
};

/* At most that many slots; text lives for about `window` places. */
void index_init(struct index *index, size_t most, uint64_t window);
void index_finish(struct index *index);
/* `place` is a running place & INDEX_PLACES, or one in the prompts. Additions take effect at the
 * latest with index_flush. */
void index_add(struct index *index, uint32_t hash, uint32_t place);
void index_flush(struct index *index);
/* Live places of that hash, smallest first. */
size_t index_find(const struct index *index, uint32_t hash, uint32_t places[INDEX_FOUND]);
bool index_is_live(const struct index *index, uint32_t place);
/* The running place that a kept place stands for. */
uint64_t index_running(const struct index *index, uint32_t place);

#endif
