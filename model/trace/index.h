/*
 * The table behind a trace: from a hash to the few places where it stood. Open
 * addressing by lines of the cache, each of INDEX_LINE hashes and their places,
 * so that to look at a whole line is one access and no branch. At most
 * INDEX_SAME places of one hash are kept: the first ones, and in a long session
 * some of later parts of it. So text that repeats itself a million times costs
 * no more than text that does not. A probe is at most INDEX_PROBE lines long,
 * whatever hashes are thrown at it.
 *
 * An entry is in a line whose number ends with the last INDEX_KNOWN bits of its
 * hash (quotienting: Cleary, 1984), which so need not be kept. In their place
 * stands what is near the text: half for what is before it, half for what is
 * behind. Places that differ in both halves are not given, so that the texts of
 * most that would not do are never looked at.
 */
#ifndef STRANDLINE_MODEL_TRACE_INDEX_H
#define STRANDLINE_MODEL_TRACE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    INDEX_SAME = 4,
    INDEX_LINE = 8,
    INDEX_KNOWN = 8, /* bits */
    INDEX_PROBE = 8,
    INDEX_PENDING = 128,
    INDEX_FULL = 1 << 11,
};
#define INDEX_PLACES 0x7fffffffu

struct index_full {
    uint32_t hash;
    uint64_t until; /* the running place from which on another one is wanted */
};

/* Filled from the front, never emptied; a key of 0: nothing is there. */
struct index_line {
    uint32_t key[INDEX_LINE], place[INDEX_LINE];
};

struct index_entry {
    uint32_t hash, place;
    uint8_t near;
};

struct index {
    struct index_line *lines;
    size_t size, most;        /* lines in use, so that others cost nothing: powers of two */
    size_t used;              /* entries */
    uint64_t live_from, next; /* running places: those before live_from are dead */
    uint64_t purge_again;     /* not before `next` is here */
    uint64_t unindexed;       /* additions that found no room */
    uint64_t fresh;           /* how long the last of INDEX_SAME places is good enough */
    struct index_full *full;  /* hashes that have INDEX_SAME places: no need to look */
    size_t pending_count;     /* additions that wait for each other */
    struct index_entry pending[INDEX_PENDING];
};

/* Room for at most that many entries, of which five in eight are used; text lives for about
 * `window` places (UINT64_MAX: for ever). */
void index_init(struct index *index, size_t most, uint64_t window);
void index_finish(struct index *index);
size_t index_memory(const struct index *index);
/* `place` is a running place & INDEX_PLACES; `near`: see above. Additions take effect at the
 * latest with index_flush. */
void index_add(struct index *index, uint32_t hash, uint8_t near, uint32_t place);
void index_flush(struct index *index);
/* Live places of that hash with half of `near`, smallest first. */
size_t index_find(const struct index *index, uint32_t hash, uint8_t near,
                  uint32_t places[INDEX_SAME]);

/* ---- inside, here for speed ---- */

/* What of a key is of the hash; no hash has none of it. */
#define INDEX_HASH (~0u << INDEX_KNOWN)
/* A hash as it stands in keys. */
static inline uint32_t index_hash(uint32_t hash)
{
    return hash & INDEX_HASH ? hash : hash | 1u << INDEX_KNOWN;
}

/* The lines to try for a hash, one after the other, further and further away, so that full ones
 * don't grow together. Twice as many lines, and the first one is the same, or the one as far into
 * the new half: a table grows where it is. */
static inline struct index_line *index_line_at(const struct index *index, uint32_t hash,
                                               size_t step)
{
    return &index->lines[(hash + (step * (step + 1) / 2 << INDEX_KNOWN)) & (index->size - 1)];
}

/* Lines are filled from the front. */
static inline bool index_line_is_full(const struct index_line *line)
{
    return line->key[INDEX_LINE - 1];
}

/* Has the first line of a hash on its way into the cache, for whoever asks soon. */
static inline void index_expect(const struct index *index, uint32_t hash)
{
    __builtin_prefetch(index_line_at(index, index_hash(hash), 0));
}

/* Seen from its first line alone; true asks for the next one too, if that has to be looked at. */
static inline bool index_may_have(const struct index *index, uint32_t hash)
{
    hash = index_hash(hash);
    const struct index_line *line = index_line_at(index, hash, 0);
    bool full = index_line_is_full(line);
    uint32_t equal = 0; /* bits, so that compilers see several at once */
    for (unsigned i = 0; i < INDEX_LINE; i++)
        equal |= ((line->key[i] ^ hash) & INDEX_HASH) == 0 ? UINT32_MAX : 0;
    if (full)
        __builtin_prefetch(index_line_at(index, hash, 1));
    return equal || full;
}

/* The running place that a kept place stands for. */
static inline uint64_t index_running(const struct index *index, uint32_t place)
{
    return index->next - ((index->next - place) & INDEX_PLACES);
}

#endif
