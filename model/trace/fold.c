#include "model/trace/fold.h"

#include "base/ascii.h"
#include "base/text.h"

/* Lower case for ASCII letters, 0 for white space and controls, all else itself. */
/* clang-format off */
#define ROW(b) (b), (b) + 1, (b) + 2, (b) + 3, (b) + 4, (b) + 5, (b) + 6, (b) + 7, (b) + 8, (b) + 9, \
    (b) + 10, (b) + 11, (b) + 12, (b) + 13, (b) + 14, (b) + 15
const uint8_t fold_table[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, '!', '"', '#', '$', '%', '&', '\'', '(', ')', '*', '+', ',', '-', '.', '/',
    ROW(0x30),
    '@', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o',
    'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '[', FOLD_ESCAPE, ']', '^', '_',
    ROW(0x60),
    'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', '{', '|', '}', '~', 0,
    ROW(0x80), ROW(0x90), ROW(0xa0), ROW(0xb0), ROW(0xc0), ROW(0xd0), ROW(0xe0), ROW(0xf0),
};

#define IS_DIGIT(c)  ((c) >= '0' && (c) <= '9')
#define IS_ASCII(c)  (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z'))
#define IS_HEX(c)    (IS_DIGIT(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define IS_64(c)     (IS_DIGIT(c) || IS_ASCII(c) || (c) == '+' || (c) == '/' || (c) == '-' || (c) == '_')
#define IS_JOIN(c)   ((c) == '.' || (c) == '@' || (c) == '-' || (c) == '_' || (c) == '+' || (c) == '~')
#define IS_DIVIDE(c) ((c) == '/' || (c) == ':')
#define IS_URL(c)    (IS_64(c) || IS_JOIN(c) || IS_DIVIDE(c) || (c) >= 0x80 || (c) == '%' || (c) == '?' || \
    (c) == '#' || (c) == '[' || (c) == ']' || (c) == '!' || (c) == '$' || ((c) >= '&' && (c) <= '*') || \
    (c) == ',' || (c) == ';' || (c) == '=')
#define CLASS(c) ((IS_ASCII(c) || (c) >= 0x80 ? BYTE_LETTER : 0) | (IS_DIGIT(c) ? BYTE_DIGIT : 0) | \
    (IS_JOIN(c) ? BYTE_JOIN : 0) | (IS_DIVIDE(c) ? BYTE_DIVIDE : 0) | (IS_HEX(c) ? BYTE_HEX : 0) | \
    (IS_64(c) ? BYTE_BASE64 : 0) | (IS_URL(c) ? BYTE_URL : 0) | \
    ((c) >= 'a' && (c) <= 'z' ? BYTE_SMALL : 0))
#define CLASSES(b) CLASS(b), CLASS((b) + 1), CLASS((b) + 2), CLASS((b) + 3), CLASS((b) + 4), \
    CLASS((b) + 5), CLASS((b) + 6), CLASS((b) + 7), CLASS((b) + 8), CLASS((b) + 9), CLASS((b) + 10), \
    CLASS((b) + 11), CLASS((b) + 12), CLASS((b) + 13), CLASS((b) + 14), CLASS((b) + 15)
const uint8_t byte_class[256] = {
    CLASSES(0x00), CLASSES(0x10), CLASSES(0x20), CLASSES(0x30), CLASSES(0x40), CLASSES(0x50),
    CLASSES(0x60), CLASSES(0x70), CLASSES(0x80), CLASSES(0x90), CLASSES(0xa0), CLASSES(0xb0),
    CLASSES(0xc0), CLASSES(0xd0), CLASSES(0xe0), CLASSES(0xf0),
};
/* clang-format on */

enum { FOLD_BACKSLASHES = 64 };

/* The number of `uHHHH` at `at`; -1 where there is none. */
static int escape_code(struct span text, size_t at)
{
    if (text.len - at < 5 || text.at[at] != 'u')
        return -1;
    int code = 0;
    for (size_t i = 1; i < 5; i++) {
        int digit = hex_digit(text.at[at + i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static bool is_blank_letter(char c)
{
    return c == 'n' || c == 'r' || c == 't' || c == 'b' || c == 'f';
}

/* UTF-8 of a scalar value, ASCII letters folded; white space and controls give nothing. */
static uint8_t encode_folded(uint32_t code, uint8_t bytes[4])
{
    if (code < 0x80) {
        bytes[0] = fold_table[code];
        return bytes[0] != 0 && code != FOLD_ESCAPE;
    }
    if (code < 0x800) {
        bytes[0] = (uint8_t)(0xc0 | code >> 6);
        bytes[1] = (uint8_t)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        bytes[0] = (uint8_t)(0xe0 | code >> 12);
        bytes[1] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (uint8_t)(0x80 | (code & 0x3f));
        return 3;
    }
    bytes[0] = (uint8_t)(0xf0 | code >> 18);
    bytes[1] = (uint8_t)(0x80 | (code >> 12 & 0x3f));
    bytes[2] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
    bytes[3] = (uint8_t)(0x80 | (code & 0x3f));
    return 4;
}

static bool is_high(int code)
{
    return code >= 0xd800 && code < 0xdc00;
}

static bool is_low(int code)
{
    return code >= 0xdc00 && code < 0xe000;
}

/* The code behind a high surrogate at `end`, where its other half follows behind any number of
 * backslashes (few: they double with each level of JSON). */
static int low_half(struct span text, size_t end)
{
    size_t next = end;
    while (next < text.len && next - end < FOLD_BACKSLASHES && text.at[next] == '\\')
        next++;
    int low = next > end && next < text.len ? escape_code(text, next) : -1;
    return is_low(low) ? low : -1;
}

/* Halves of a surrogate pair are units of their own: the high one gives the whole character, the
 * low one behind it nothing. */
static struct unit code_unit(struct span text, size_t at, int code)
{
    struct unit unit = {.len = 5};
    if (is_low(code))
        return unit;
    if (is_high(code)) {
        int low = low_half(text, at + 5);
        if (low < 0)
            return unit;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    unit.count = encode_folded((uint32_t)code, unit.bytes);
    return unit;
}

struct unit fold_escaped(struct span text, size_t at)
{
    uint8_t folded = fold_table[(uint8_t)text.at[at]];
    if (at > 0 && text.at[at - 1] == '\\') {
        int code = escape_code(text, at);
        if (code >= 0)
            return code_unit(text, at, code);
        if (is_blank_letter(text.at[at]))
            return (struct unit){.len = 1};
    }
    if (folded == FOLD_ESCAPE)
        return (struct unit){.len = 1};
    return (struct unit){.bytes = {folded}, .count = folded != 0, .len = 1};
}

size_t fold_run(struct span text, size_t *at, uint8_t *folded, uint32_t *from, size_t most)
{
    size_t count = 0, next = *at;
    while (next < text.len && count < most) {
        if (next > 0 && text.at[next - 1] == '\\') {
            struct unit unit = fold_escaped(text, next);
            memcpy(folded + count, unit.bytes, FOLD_MOST);
            for (size_t i = 0; i < unit.count; i++)
                from[count++] = (uint32_t)next;
            next += unit.len;
            continue;
        }
        /* No branch on most bytes: what folds to nothing is written over by the next. */
        while (next < text.len && count < most) {
            uint8_t byte = fold_table[(uint8_t)text.at[next]];
            if (byte == FOLD_ESCAPE)
                break;
            folded[count] = byte;
            from[count] = (uint32_t)next++;
            count += byte != 0;
        }
        next += next < text.len && text.at[next] == '\\';
    }
    *at = next;
    return count;
}

struct unit fold_before_escaped(struct span text, size_t at)
{
    return fold_next(text, at - (escape_code(text, at - 5) >= 0 ? 5 : 1));
}

size_t fold_escape(struct span text, size_t at)
{
    struct unit next = fold_next(text, at + 1);
    bool escapes = next.len == 5 || (next.len && next.count == 0 && text.at[at + 1] != '\\');
    return 1 + (escapes ? next.len : 0);
}

void fold_unescape(struct buf *out, struct span text)
{
    static const char letters[] = "nrtbf", values[] = "\n\r\t\b\f";
    for (size_t at = 0; at < text.len;) {
        size_t plain = span_find_byte(span_sub(text, at, text.len), '\\');
        buf_add(out, span_sub(text, at, plain));
        at += plain;
        if (at >= text.len)
            break;
        if (at + 1 == text.len) {
            buf_byte(out, '\\');
            break;
        }
        char letter = text.at[at + 1];
        const char *found = memchr(letters, letter, sizeof(letters) - 1);
        int code = escape_code(text, at + 1);
        if (found) {
            buf_byte(out, values[found - letters]);
            at += 2;
        } else if (code >= 0) {
            at += 6;
            int low = at < text.len && text.at[at] == '\\' ? escape_code(text, at + 1) : -1;
            if (is_high(code) && is_low(low)) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                at += 6;
            }
            utf8_encode(out, is_high(code) || is_low(code) ? 0xfffd : (uint32_t)code);
        } else {
            if (letter != '"' && letter != '\\' && letter != '/')
                buf_byte(out, '\\');
            buf_byte(out, letter);
            at += 2;
        }
    }
}
