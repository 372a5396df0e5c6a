/* What the strings of JSON decode to, and how they are written. */
#include "base/ascii.h"
#include "base/jsonr.h"

#include "base/jsonr_scan.h"
#include "base/text.h"
#include "base/text_tables.h"
#include "base/utf8.h"

/* ---- decoding, a piece at a time ---- */

/* The unit of the \uXXXX at the start of s, or -1. */
static long unit_at(struct span s)
{
    long unit = 0;
    if (s.len < 6 || s.at[0] != '\\' || s.at[1] != 'u')
        return -1;
    for (size_t i = 2; i < 6; i++) {
        int digit = hex_digit(s.at[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static const char SHORT_ESCAPES[][2] = {
    {'"', '"'},  {'\\', '\\'}, {'/', '/'},  {'b', '\b'},
    {'f', '\f'}, {'n', '\n'},  {'r', '\r'}, {'t', '\t'},
};

enum { REPLACEMENT = 0xfffd };

/* Length of the escape at the start of s and the scalar value it stands for: U+FFFD for half a
 * surrogate pair, with *lone set. 0 where it is no escape of JSON. */
static size_t decode_escape(struct span s, uint32_t *code, bool *lone)
{
    *lone = false;
    for (size_t i = 0; s.len > 1 && i < COUNT_OF(SHORT_ESCAPES); i++) {
        if (SHORT_ESCAPES[i][0] == s.at[1]) {
            *code = (uint32_t)SHORT_ESCAPES[i][1];
            return 2;
        }
    }
    long unit = unit_at(s);
    if (unit < 0)
        return 0;
    *code = (uint32_t)unit;
    if (unit < 0xd800 || unit > 0xdfff)
        return 6;
    long low = unit < 0xdc00 ? unit_at(span_sub(s, 6, s.len)) : -1;
    if (low >= 0xdc00 && low <= 0xdfff) {
        *code = 0x10000 + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
        return 12;
    }
    *code = REPLACEMENT;
    *lone = true;
    return 6;
}

void jsonr_bytes_init(struct jsonr_bytes *bytes, struct span written)
{
    *bytes = (struct jsonr_bytes){.rest = written};
}

bool jsonr_bytes_next(struct jsonr_bytes *bytes, char *byte)
{
    if (bytes->taken < bytes->held) {
        *byte = bytes->hold[bytes->taken++];
        return true;
    }
    if (bytes->rest.len == 0)
        return false;
    size_t step = 1;
    *byte = bytes->rest.at[0];
    if (*byte == '\\') {
        uint32_t code;
        bool lone;
        step = decode_escape(bytes->rest, &code, &lone);
        if (step == 0)
            return false;
        bytes->held = (uint8_t)utf8_put(bytes->hold, code);
        bytes->taken = 1;
        *byte = bytes->hold[0];
    }
    bytes->rest = span_sub(bytes->rest, step, bytes->rest.len);
    return true;
}

/* ---- whole strings ---- */

static bool inside_quotes(struct span value, struct span *inside)
{
    if (value.len < 2 || value.at[0] != '"' || value.at[value.len - 1] != '"')
        return false;
    *inside = span_sub(value, 1, value.len - 2);
    return true;
}

bool jsonr_string(struct span value, struct buf *out, bool *lossy)
{
    struct span written;
    return inside_quotes(value, &written) && jsonr_name(written, out, lossy);
}

bool jsonr_name(struct span name, struct buf *out, bool *lossy)
{
    struct span rest = name;
    size_t before = out->len;
    buf_reserve(out, rest.len);
    while (rest.len) {
        size_t plain = span_find_byte(rest, '\\');
        buf_add(out, span_sub(rest, 0, plain));
        rest = span_sub(rest, plain, rest.len);
        if (rest.len == 0)
            break;
        uint32_t code;
        bool lone;
        char bytes[4];
        size_t step = decode_escape(rest, &code, &lone);
        if (step == 0) {
            out->len = before;
            return false;
        }
        if (lone && lossy)
            *lossy = true;
        buf_add(out, (struct span){bytes, utf8_put(bytes, code)});
        rest = span_sub(rest, step, rest.len);
    }
    return true;
}

bool jsonr_name_is(struct span name, struct span decoded)
{
    struct jsonr_bytes bytes;
    char byte;
    if (name.len < decoded.len) /* an escape is never shorter than what it stands for */
        return false;
    if (name.len == decoded.len && span_equal(name, decoded))
        return span_find_byte(name, '\\') == name.len;
    if (span_find_byte(name, '\\') == name.len)
        return false;
    jsonr_bytes_init(&bytes, name);
    for (size_t i = 0; i < decoded.len; i++)
        if (!jsonr_bytes_next(&bytes, &byte) || byte != decoded.at[i])
            return false;
    return bytes.taken == bytes.held && bytes.rest.len == 0;
}

bool jsonr_string_is(struct span value, const char *word)
{
    struct span inside;
    return inside_quotes(value, &inside) && jsonr_name_is(inside, span_of(word));
}

bool jsonr_plain_string(struct span value, struct span *text)
{
    struct span inside;
    if (!inside_quotes(value, &inside) || span_find_byte(inside, '\\') < inside.len)
        return false;
    *text = inside;
    return true;
}

/* ---- writing ---- */

static void quote_unit(struct buf *out, uint32_t unit)
{
    buf_addf(out, "\\u%04x", (unsigned)unit);
}

static void quote_code(struct buf *out, uint32_t code)
{
    if (code < 0x10000) {
        quote_unit(out, code);
        return;
    }
    quote_unit(out, 0xd800 + ((code - 0x10000) >> 10));
    quote_unit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
}

static void quote_ascii(struct buf *out, char c)
{
    for (size_t i = 0; i < COUNT_OF(SHORT_ESCAPES); i++) {
        if (SHORT_ESCAPES[i][1] == c) {
            buf_byte(out, '\\');
            buf_byte(out, SHORT_ESCAPES[i][0]);
            return;
        }
    }
    quote_unit(out, (uint8_t)c);
}

enum { NO_BASE = -1 };

/* Would base/text show the character as itself? *carried is how many combining ones stand on the
 * last base in the output: on none they would change the quote or the escape before them. */
static bool shows_as_itself(uint32_t code, int *carried)
{
    bool itself = text_classify(code) == TEXT_PLAIN;
    bool combines = itself && text_is_combining(code);
    if (combines)
        itself = *carried != NO_BASE && *carried < TEXT_COMBINING_MOST;
    *carried = !itself ? NO_BASE : combines ? *carried + 1 : 0;
    return itself;
}

void jsonr_quote(struct buf *out, struct span text)
{
    const char *at = text.len ? text.at : "", *end = at + text.len;
    int carried = NO_BASE;
    buf_byte(out, '"');
    while (at < end) {
        struct span plain = span_from(at, scan_plain(at, end));
        plain.len = span_find_byte(plain, 0x7f); /* DEL may stand raw in JSON; not in ours */
        buf_add(out, plain);
        at += plain.len;
        if (at == end)
            break;
        if (plain.len)
            carried = 0;
        uint32_t code;
        size_t len = utf8_decode(span_from(at, end), &code);
        if (len < 2)
            carried = NO_BASE;
        if (len == 0)
            buf_puts(out, "\xef\xbf\xbd");
        else if (len == 1)
            quote_ascii(out, *at);
        else if (shows_as_itself(code, &carried))
            buf_add(out, (struct span){at, len});
        else
            quote_code(out, code); /* what a terminal would hide or obey is visible in JSON, too */
        at += len ? len : 1;
    }
    buf_byte(out, '"');
}
