/* Numbers that look random and are the same in every run. */
#ifndef STRANDLINE_TESTS_UNIT_NUMBERS_H
#define STRANDLINE_TESTS_UNIT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

struct numbers {
    uint64_t state; /* begins as any seed but 0 */
};

/* xorshift64* (Vigna 2016), less its weakest bits: 48 of them. */
static inline uint64_t numbers_next(struct numbers *numbers)
{
    uint64_t x = numbers->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    numbers->state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static inline size_t numbers_below(struct numbers *numbers, size_t limit)
{
    return (size_t)(numbers_next(numbers) % limit);
}

/* All 64 bits. */
static inline uint64_t numbers_bits(struct numbers *numbers)
{
    return numbers_next(numbers) << 32 ^ numbers_next(numbers);
}

#endif
