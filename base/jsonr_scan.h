/*
 * The inner loops of the JSON reader. A block of bytes is looked at at once,
 * and gives a mask with a bit for every byte that stops the loop: blocks of 16
 * with SSE2, else of 8 in a 64-bit word. A test holds the two against each
 * other, and the reader's own tests run with either. Private to jsonr*.c and
 * its tests.
 */
#ifndef STRANDLINE_BASE_JSONR_SCAN_H
#define STRANDLINE_BASE_JSONR_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined __SSE2__ && !defined STRANDLINE_SCAN_PORTABLE
#define SCAN_SSE2 1
#include <emmintrin.h>
#else
#define SCAN_SSE2 0
#endif

#include "base/ascii.h"

/* ---- what stops which loop, byte by byte ---- */

/* A quote, a backslash, a control character, or no ASCII: the end of a plain run in a string. */
static inline bool scan_stops_plain(char c)
{
    return (signed char)c < 0x20 || c == '"' || c == '\\';
}

/* A quote or a bracket: all that matters between the strings of a valid value. Brackets and braces
 * differ by 0x20. */
static inline bool scan_stops_nesting(char c)
{
    return c == '"' || (c | 0x20) == '{' || (c | 0x20) == '}';
}

static inline bool scan_stops_white(char c)
{
    return !ascii_is_blank(c);
}

/* ---- eight bytes at a time ---- */

enum { SCAN_WORD = 8, SCAN_WORD_BITS = 8 }; /* bytes in a block, bits of the mask for each */

#define SCAN_ONES  UINT64_C(0x0101010101010101)
#define SCAN_HIGHS UINT64_C(0x8080808080808080)

static inline uint64_t scan_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* High bit of each byte that is not `byte`; the bytes of the word must be ASCII. */
static inline uint64_t scan_word_not(uint64_t ascii, char byte)
{
    return (ascii ^ SCAN_ONES * (uint8_t)byte) + SCAN_ONES * 0x7f;
}

static inline uint64_t scan_word_plain(const char *at)
{
    uint64_t word = scan_word(at), ascii = word & ~SCAN_HIGHS, printable = ascii + SCAN_ONES * 0x60;
    return (word | ~(printable & scan_word_not(ascii, '"') & scan_word_not(ascii, '\\'))) &
           SCAN_HIGHS;
}

/* Quotes and backslashes: all that matters in a string that is known to be valid. */
static inline uint64_t scan_word_quote(const char *at)
{
    uint64_t word = scan_word(at), ascii = word & ~SCAN_HIGHS;
    return ~(word | (scan_word_not(ascii, '"') & scan_word_not(ascii, '\\'))) & SCAN_HIGHS;
}

static inline uint64_t scan_word_nesting(const char *at)
{
    uint64_t word = scan_word(at), ascii = word & ~SCAN_HIGHS, lower = ascii | SCAN_ONES * 0x20;
    uint64_t none =
        scan_word_not(ascii, '"') & scan_word_not(lower, '{') & scan_word_not(lower, '}');
    return ~(word | none) & SCAN_HIGHS;
}

static inline uint64_t scan_word_white(const char *at)
{
    uint64_t word = scan_word(at), ascii = word & ~SCAN_HIGHS;
    uint64_t lines = scan_word_not(ascii, '\n') & scan_word_not(ascii, '\r');
    return (word | (lines & scan_word_not(ascii, ' ') & scan_word_not(ascii, '\t'))) & SCAN_HIGHS;
}

/* ---- sixteen bytes at a time ---- */

#if SCAN_SSE2

enum { SCAN_BLOCK = 16, SCAN_BITS = 1 };

static inline __m128i scan_block(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline __m128i scan_same(__m128i block, char byte)
{
    return _mm_cmpeq_epi8(block, _mm_set1_epi8(byte));
}

static inline uint64_t scan_mask(__m128i bytes)
{
    return (uint64_t)_mm_movemask_epi8(bytes);
}

static inline uint64_t scan_block_plain(const char *at)
{
    __m128i block = scan_block(at);
    /* as signed bytes, the control characters and all that is not ASCII are below 0x20 */
    __m128i low = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
    return scan_mask(
        _mm_or_si128(low, _mm_or_si128(scan_same(block, '"'), scan_same(block, '\\'))));
}

static inline uint64_t scan_block_quote(const char *at)
{
    __m128i block = scan_block(at);
    return scan_mask(_mm_or_si128(scan_same(block, '"'), scan_same(block, '\\')));
}

static inline uint64_t scan_block_nesting(const char *at)
{
    __m128i block = scan_block(at), lower = _mm_or_si128(block, _mm_set1_epi8(0x20));
    __m128i brackets = _mm_or_si128(scan_same(lower, '{'), scan_same(lower, '}'));
    return scan_mask(_mm_or_si128(brackets, scan_same(block, '"')));
}

static inline uint64_t scan_block_white(const char *at)
{
    __m128i block = scan_block(at);
    __m128i lines = _mm_or_si128(scan_same(block, '\n'), scan_same(block, '\r'));
    __m128i spaces = _mm_or_si128(scan_same(block, ' '), scan_same(block, '\t'));
    return scan_mask(_mm_or_si128(lines, spaces)) ^ 0xffff;
}

#else

enum { SCAN_BLOCK = SCAN_WORD, SCAN_BITS = SCAN_WORD_BITS };

#define scan_block_plain   scan_word_plain
#define scan_block_quote   scan_word_quote
#define scan_block_nesting scan_word_nesting
#define scan_block_white   scan_word_white

#endif

/* ---- the loops ---- */

/* The place in its block of the first byte that stops; the mask is not 0. */
static inline size_t scan_first(uint64_t mask)
{
    return (size_t)__builtin_ctzll(mask) / SCAN_BITS;
}

/* The mask without a backslash at `place` and what it escapes. */
static inline uint64_t scan_without_pair(uint64_t mask, size_t place)
{
    const uint64_t pair = (UINT64_C(1) << SCAN_BITS << SCAN_BITS) - 1;
    return mask & ~(pair << place * SCAN_BITS);
}

typedef uint64_t scan_block_function(const char *at);
typedef bool scan_byte_function(char c);

__attribute__((always_inline)) static inline const char *
scan_on(const char *at, const char *end, scan_block_function *block, scan_byte_function *stops)
{
    for (; end - at >= SCAN_BLOCK; at += SCAN_BLOCK) {
        uint64_t mask = block(at);
        if (mask)
            return at + scan_first(mask);
    }
    while (at < end && !stops(*at))
        at++;
    return at;
}

static inline const char *scan_plain(const char *at, const char *end)
{
    return scan_on(at, end, scan_block_plain, scan_stops_plain);
}

static inline const char *scan_nesting(const char *at, const char *end)
{
    return scan_on(at, end, scan_block_nesting, scan_stops_nesting);
}

/* White space between tokens is most often none or one byte: look before going wide. */
static inline const char *scan_white(const char *at, const char *end)
{
    if (at < end && (unsigned char)*at > ' ')
        return at;
    if (end - at > 1 && ascii_is_blank(*at) && (unsigned char)at[1] > ' ')
        return at + 1;
    return scan_on(at, end, scan_block_white, scan_stops_white);
}

#endif
