/*
 * One step over UTF-8 (RFC 3629), inlined where every byte counts: the JSON
 * reader and base/text. Others call utf8_decode() of base/text.h.
 */
#ifndef STRANDLINE_BASE_UTF8_H
#define STRANDLINE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool utf8_is_tail(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

/*
 * Length of the valid sequence at `at`, which is before `end`; 0 where there is none. The ranges
 * of the second byte are table 3-7 of the Unicode standard: they keep out overlong forms,
 * surrogates and what lies beyond U+10FFFF.
 */
static inline size_t utf8_step(const char *at, const char *end)
{
    const uint8_t *byte = (const uint8_t *)at;
    size_t left = (size_t)(end - at);
    if (byte[0] < 0x80)
        return 1;
    if (byte[0] < 0xc2 || byte[0] > 0xf4 || left < 2)
        return 0;
    if (byte[0] < 0xe0)
        return utf8_is_tail(byte[1]) ? 2 : 0;
    if (left < 3 || !utf8_is_tail(byte[1]) || !utf8_is_tail(byte[2]))
        return 0;
    if (byte[0] < 0xf0) {
        bool wrong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xed && byte[1] > 0x9f);
        return wrong ? 0 : 3;
    }
    if (left < 4 || !utf8_is_tail(byte[3]))
        return 0;
    bool wrong = (byte[0] == 0xf0 && byte[1] < 0x90) || (byte[0] == 0xf4 && byte[1] > 0x8f);
    return wrong ? 0 : 4;
}

/* Where utf8_step found nothing: is it only that the text ends too early? */
static inline bool utf8_is_cut(const char *at, const char *end)
{
    char whole[4] = {at[0], (char)0x80, (char)0x80, (char)0x80};
    uint8_t lead = (uint8_t)at[0];
    size_t left = (size_t)(end - at);
    size_t need = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (left >= need)
        return false;
    if (lead == 0xe0)
        whole[1] = (char)0xa0; /* the lowest second bytes that these leads allow */
    else if (lead == 0xf0)
        whole[1] = (char)0x90;
    for (size_t i = 1; i < left; i++)
        whole[i] = at[i];
    return utf8_step(whole, whole + need) == need;
}

/* Past all valid non-ASCII sequences at `at`: to an ASCII byte, to `end`, or to what is invalid. */
static inline const char *utf8_run(const char *at, const char *end)
{
    while (at < end && (uint8_t)*at >= 0x80) {
        size_t len = utf8_step(at, end);
        if (len == 0)
            break;
        at += len;
    }
    return at;
}

/* Writes the encoding of a scalar value, up to four bytes, and returns its length. */
static inline size_t utf8_put(char *to, uint32_t code)
{
    static const uint8_t leads[] = {[2] = 0xc0, [3] = 0xe0, [4] = 0xf0};
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(leads[len] | code);
    return len;
}

#endif
