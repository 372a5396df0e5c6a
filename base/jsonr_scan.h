/*
 * The inner loops of the JSON reader: over the plain part of a string, over
 * white space, and to the next byte that matters for nesting. Each in a form
 * for SSE2 and a portable one of eight bytes at a time; a test holds the two
 * against each other. Private to jsonr*.c and its tests.
 */
#ifndef STRANDLINE_BASE_JSONR_SCAN_H
#define STRANDLINE_BASE_JSONR_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Ends a plain run: a quote, a backslash, a control character, a byte of no ASCII. */
static inline bool scan_ends_plain(char c)
{
    return (signed char)c < 0x20 || c == '"' || c == '\\';
}

static inline bool scan_is_white(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Matters when only the end of a value is looked for: a quote or a bracket. */
static inline bool scan_is_nesting(char c)
{
    return c == '"' || (c | 0x20) == '{' || (c | 0x20) == '}';
}

/* Of a hexadecimal digit, its value; else -1. */
static inline int scan_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* ---- eight bytes at a time ---- */

#define SCAN_ONES  UINT64_C(0x0101010101010101)
#define SCAN_HIGHS UINT64_C(0x8080808080808080)

static inline uint64_t scan_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Not zero if a byte of the word is 0; exact as a yes or no, which is all it is used for. */
static inline uint64_t scan_zero(uint64_t word)
{
    return (word - SCAN_ONES) & ~word & SCAN_HIGHS;
}

static inline uint64_t scan_has(uint64_t word, char byte)
{
    return scan_zero(word ^ (SCAN_ONES * (uint8_t)byte));
}

static inline const char *scan_plain_portable(const char *at, const char *end)
{
    for (; end - at >= 8; at += 8) {
        uint64_t word = scan_word(at);
        uint64_t control = (word - SCAN_ONES * 0x20) & ~word & SCAN_HIGHS;
        if ((word & SCAN_HIGHS) | control | scan_has(word, '"') | scan_has(word, '\\'))
            break;
    }
    while (at < end && !scan_ends_plain(*at))
        at++;
    return at;
}

static inline const char *scan_white_portable(const char *at, const char *end)
{
    while (end - at >= 8 && scan_word(at) == SCAN_ONES * ' ')
        at += 8;
    while (at < end && scan_is_white(*at))
        at++;
    return at;
}

static inline const char *scan_nesting_portable(const char *at, const char *end)
{
    for (; end - at >= 8; at += 8) {
        uint64_t word = scan_word(at), lower = word | SCAN_ONES * 0x20;
        if (scan_has(word, '"') | scan_has(lower, '{') | scan_has(lower, '}'))
            break;
    }
    while (at < end && !scan_is_nesting(*at))
        at++;
    return at;
}

/* ---- sixteen bytes at a time ---- */

#ifdef __SSE2__

static inline __m128i scan_block(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static inline __m128i scan_same(__m128i block, char byte)
{
    return _mm_cmpeq_epi8(block, _mm_set1_epi8(byte));
}

static inline const char *scan_plain_sse2(const char *at, const char *end)
{
    for (; end - at >= 16; at += 16) {
        __m128i block = scan_block(at);
        /* as signed bytes, the control characters and all that is not ASCII are below 0x20 */
        __m128i low = _mm_cmplt_epi8(block, _mm_set1_epi8(0x20));
        __m128i ends = _mm_or_si128(low, _mm_or_si128(scan_same(block, '"'), scan_same(block, '\\')));
        unsigned mask = (unsigned)_mm_movemask_epi8(ends);
        if (mask)
            return at + __builtin_ctz(mask);
    }
    while (at < end && !scan_ends_plain(*at))
        at++;
    return at;
}

static inline const char *scan_white_sse2(const char *at, const char *end)
{
    for (; end - at >= 16; at += 16) {
        __m128i block = scan_block(at);
        __m128i lines = _mm_or_si128(scan_same(block, '\n'), scan_same(block, '\r'));
        __m128i white = _mm_or_si128(lines, _mm_or_si128(scan_same(block, ' '), scan_same(block, '\t')));
        unsigned mask = (unsigned)_mm_movemask_epi8(white) ^ 0xffffu;
        if (mask)
            return at + __builtin_ctz(mask);
    }
    while (at < end && scan_is_white(*at))
        at++;
    return at;
}

static inline const char *scan_nesting_sse2(const char *at, const char *end)
{
    for (; end - at >= 16; at += 16) {
        __m128i block = scan_block(at);
        __m128i lower = _mm_or_si128(block, _mm_set1_epi8(0x20));
        __m128i nest = _mm_or_si128(scan_same(lower, '{'), scan_same(lower, '}'));
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_or_si128(nest, scan_same(block, '"')));
        if (mask)
            return at + __builtin_ctz(mask);
    }
    while (at < end && !scan_is_nesting(*at))
        at++;
    return at;
}

#define scan_plain       scan_plain_sse2
#define scan_long_white  scan_white_sse2
#define scan_nesting     scan_nesting_sse2
#else
#define scan_plain       scan_plain_portable
#define scan_long_white  scan_white_portable
#define scan_nesting     scan_nesting_portable
#endif

/* White space between tokens is most often none or one byte: look before going wide. */
static inline const char *scan_white(const char *at, const char *end)
{
    if (at < end && (unsigned char)*at > ' ')
        return at;
    if (end - at > 1 && scan_is_white(*at) && (unsigned char)at[1] > ' ')
        return at + 1;
    return scan_long_white(at, end);
}

#endif
