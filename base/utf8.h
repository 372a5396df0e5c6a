/*
 * One step over UTF-8 (RFC 3629), inlined where every byte counts: the JSON
 * reader and base/text. Others call utf8_decode() of base/text.h.
 */
#ifndef STRANDLINE_BASE_UTF8_H
#define STRANDLINE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Is it a byte behind the first of a sequence (RFC 3629 §3)? */
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

/* The same, and the code point. */
static inline size_t utf8_get(const char *at, const char *end, uint32_t *code)
{
    const uint8_t *byte = (const uint8_t *)at;
    switch (utf8_step(at, end)) {
    case 1:
        *code = byte[0];
        return 1;
    case 2:
        *code = (byte[0] & 0x1fu) << 6 | (byte[1] & 0x3fu);
        return 2;
    case 3:
        *code = (byte[0] & 0x0fu) << 12 | (byte[1] & 0x3fu) << 6 | (byte[2] & 0x3fu);
        return 3;
    case 4:
        *code = (byte[0] & 0x07u) << 18 | (byte[1] & 0x3fu) << 12 | (byte[2] & 0x3fu) << 6 |
                (byte[3] & 0x3fu);
        return 4;
    default:
        return 0;
    }
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

/*
 * Past all valid non-ASCII sequences at `at`: to an ASCII byte, to `end`, or to what is invalid.
 * Most text of other scripts is long runs of one length, so each length is tested on four bytes at
 * once: the fixed bits of lead and tails, then the bits that tell the few wrong second bytes.
 */
static inline const char *utf8_run(const char *at, const char *end)
{
    while (end - at >= 4) {
        uint32_t four;
        memcpy(&four, at, sizeof four);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        four = __builtin_bswap32(four);
#endif
        if ((four & 0x00c0c0f0) == 0x008080e0) {
            uint32_t tell = four & 0x200f; /* E0 80..9F is overlong, ED A0..BF a surrogate */
            if (tell == 0 || tell == 0x200d)
                return at;
            at += 3;
        } else if ((four & 0xc0e0) == 0x80c0) {
            if ((four & 0x1e) == 0) /* C0 and C1 are overlong */
                return at;
            at += 2;
        } else if ((four & 0xc0c0c0f8) == 0x808080f0) {
            uint32_t lead = four & 7, second = four & 0x3000;
            if (lead > 4 || (lead == 0 && second == 0) || (lead == 4 && second != 0))
                return at; /* F5.., F0 80..8F is overlong, F4 90.. is beyond U+10FFFF */
            at += 4;
        } else {
            return at;
        }
    }
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
