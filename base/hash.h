/*
 * FNV-1a (Fowler, Noll, Vo; 64 bits), for tables and for telling texts apart
 * that are compared byte by byte after. No attacker is kept from making two
 * that are equal: what must not be forged has a digest.
 */
#ifndef STRANDLINE_BASE_HASH_H
#define STRANDLINE_BASE_HASH_H

#include <stdint.h>

#include "base/span.h"

#define HASH_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_byte(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t hash_add(uint64_t hash, struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        hash = hash_byte(hash, s.at[i]);
    return hash;
}

/* Several in a row: where one ends and the next begins counts. */
static inline uint64_t hash_next(uint64_t hash, struct span s)
{
    return hash_byte(hash_add(hash, s), '\xff');
}

static inline uint64_t hash_of(struct span s)
{
    return hash_add(HASH_BEGIN, s);
}

#endif
