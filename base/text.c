/* UTF-8, what a character is, and the next thing to show. */
#include "base/text.h"

#include <stdio.h>

#include "base/text_tables.h"
#include "base/utf8.h"

/* ---- UTF-8 ---- */

size_t utf8_decode(struct span s, uint32_t *code)
{
    return s.len ? utf8_get(s.at, s.at + s.len, code) : 0;
}

bool utf8_valid(struct span s, size_t *bad_at)
{
    if (s.len == 0)
        return true;
    const char *at = s.at, *end = s.at + s.len;
    for (;;) {
        uint64_t word;
        while (end - at >= 8 && (memcpy(&word, at, 8), (word & UINT64_C(0x8080808080808080)) == 0))
            at += 8;
        while (at < end && (uint8_t)*at < 0x80)
            at++;
        if (at == end)
            return true;
        const char *behind = utf8_run(at, end);
        if (behind < end && (uint8_t)*behind >= 0x80) {
            if (bad_at)
                *bad_at = (size_t)(behind - s.at);
            return false;
        }
        at = behind;
    }
}

void utf8_encode(struct buf *out, uint32_t code)
{
    buf_reserve(out, 4);
    out->len += utf8_put(out->at + out->len, code);
}

/* The character of s at `offset`: its length, 0 at the end and where it is invalid. */
static inline size_t character_at(struct span s, size_t offset, uint32_t *code)
{
    return offset < s.len ? utf8_get(s.at + offset, s.at + s.len, code) : 0;
}

/* ---- what a character is ---- */

static unsigned properties(uint32_t code)
{
    return code <= 0x10ffff ? text_properties_of(code) : TEXT_UNKNOWN << 4 | 1;
}

int text_width(uint32_t code)
{
    return (int)(properties(code) & 3);
}

enum text_mark text_classify(uint32_t code)
{
    return (enum text_mark)(properties(code) >> 4 & 7);
}

static bool is_emoji(uint32_t code)
{
    return properties(code) & 0x80;
}

/* ---- glyphs ---- */

enum {
    COMBINING_RUN = 4096, /* one mark stands for so many at most, so that a glyph costs little */
    TAG_FIRST = 0xe0000,
    TAG_CANCEL = 0xe007f,
    BLACK_FLAG = 0x1f3f4,
    TEXT_STYLE = 0xfe0e,
    EMOJI_STYLE = 0xfe0f,
};

static void show_code(struct glyph *glyph, uint32_t code)
{
    glyph->show_len = (uint8_t)(glyph->show_len + utf8_put(glyph->show + glyph->show_len, code));
}

/* Adds our own ASCII, a column a byte. */
static void show_ascii(struct glyph *glyph, const char *ours)
{
    for (; *ours; ours++, glyph->width++)
        glyph->show[glyph->show_len++] = *ours;
}

static void show_hex(struct glyph *glyph, uint32_t number, int digits)
{
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4, glyph->width++)
        glyph->show[glyph->show_len++] = "0123456789ABCDEF"[number >> shift & 15];
}

/* The character's number, as Unicode writes it: <U+202E. The bracket is still open. */
static void show_number(struct glyph *glyph, uint32_t code)
{
    show_ascii(glyph, "<U+");
    show_hex(glyph, code, code > 0xfffff ? 6 : code > 0xffff ? 5 : 4);
}

/* C0 and DEL have pictures in Unicode; C1 has none. */
static void show_control(struct glyph *glyph, uint32_t code, bool ascii)
{
    if (ascii || code > 0x7f) {
        show_number(glyph, code);
        show_ascii(glyph, ">");
        return;
    }
    show_code(glyph, code == 0x7f ? 0x2421 : 0x2400 + code);
    glyph->width++;
}

/* Length of the tags behind a black flag that name a region, so that all of it is a flag: three to
 * six letters or digits and the end tag (UTS 51, "Emoji Tag Sequences"). Longer ones would be a
 * place to hide text in. 0 where there is none. */
static size_t flag_tags(struct span s)
{
    size_t len = 0, count = 0;
    uint32_t code;
    for (;; count++) {
        size_t step = character_at(s, len, &code);
        if (step == 0 || code < TAG_FIRST || code > TAG_CANCEL)
            return 0;
        len += step;
        if (code == TAG_CANCEL)
            return count >= 3 ? len : 0;
        char tag = (char)(code - TAG_FIRST);
        if (count == 6 || !((tag >= 'a' && tag <= 'z') || (tag >= '0' && tag <= '9')))
            return 0;
    }
}

/* A run of tags as the text it spells, as much as one glyph can show. */
static void take_tags(struct glyph *glyph, struct span rest, bool ascii)
{
    glyph->bytes = 0;
    if (ascii) {
        show_ascii(glyph, "<tag:");
    } else {
        show_code(glyph, 0x27e6); /* ⟦ */
        glyph->width++;
        show_ascii(glyph, "tag:");
    }
    for (;;) {
        uint32_t code;
        size_t len = character_at(rest, glyph->bytes, &code);
        bool full = glyph->show_len + 3 > (int)sizeof glyph->show - 3; /* a picture, and ⟧ */
        if (len == 0 || code < TAG_FIRST || code > TAG_CANCEL || full)
            break;
        glyph->bytes += len;
        uint32_t tag = code - TAG_FIRST;
        if (tag >= 0x20 && tag < 0x7f) {
            show_ascii(glyph, (char[]){(char)tag, '\0'});
        } else if (ascii) {
            show_ascii(glyph, "?");
        } else {
            show_control(glyph, tag, false);
        }
    }
    if (ascii) {
        show_ascii(glyph, ">");
    } else {
        show_code(glyph, 0x27e7); /* ⟧ */
        glyph->width++;
    }
}

/* Combining characters with nothing to stand on, or more of them than a base may carry. */
static void take_combining(struct glyph *glyph, struct span rest, uint32_t first)
{
    int count = 1;
    uint32_t code;
    for (; count < COMBINING_RUN; count++) {
        size_t len = character_at(rest, glyph->bytes, &code);
        if (len == 0 || !text_is_combining(code))
            break;
        glyph->bytes += len;
    }
    glyph->mark = TEXT_COMBINING;
    show_number(glyph, first);
    if (count > 1) {
        char more[8];
        snprintf(more, sizeof more, " +%d", count - 1);
        show_ascii(glyph, more);
    }
    show_ascii(glyph, ">");
}

/* A base with what is drawn into its cell. */
static void take_base(struct glyph *glyph, struct span rest, uint32_t base, bool ascii)
{
    uint32_t code;
    show_code(glyph, base);
    glyph->width = (uint8_t)text_width(base);
    if (ascii || rest.len == glyph->bytes || (uint8_t)rest.at[glyph->bytes] < 0x80)
        return; /* nothing can follow that belongs to it */
    if (base == BLACK_FLAG)
        glyph->bytes += flag_tags(span_sub(rest, glyph->bytes, rest.len));
    /* The choice between the two looks of an emoji is its own; it isn't passed on, since terminals
     * differ in what it does to the width. */
    size_t len = character_at(rest, glyph->bytes, &code);
    if (len && (code == TEXT_STYLE || code == EMOJI_STYLE) && is_emoji(base))
        glyph->bytes += len;
    for (int count = 0; count < TEXT_COMBINING_MOST; count++) {
        len = character_at(rest, glyph->bytes, &code);
        if (len == 0 || !text_is_combining(code))
            break;
        show_code(glyph, code);
        glyph->bytes += len;
    }
}

static void take_mark(struct glyph *glyph, struct span rest, uint32_t code, bool ascii)
{
    switch (glyph->mark) {
    case TEXT_CONTROL:
        show_control(glyph, code, ascii);
        break;
    case TEXT_TAG:
        take_tags(glyph, rest, ascii);
        break;
    default:
        show_number(glyph, code);
        show_ascii(glyph, ">");
        break;
    }
}

/* A byte that is no UTF-8: <ff>, in lower case, unlike a character's number. */
static void take_invalid(struct glyph *glyph, uint8_t byte)
{
    char text[5] = {'<', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15], '>', '\0'};
    glyph->bytes = 1;
    glyph->mark = TEXT_INVALID;
    show_ascii(glyph, text);
}

static void take_character(struct glyph *glyph, struct span rest, uint32_t code, bool ascii)
{
    glyph->mark = text_classify(code);
    if (glyph->mark != TEXT_PLAIN) {
        take_mark(glyph, rest, code, ascii);
    } else if (!ascii && text_is_combining(code)) {
        take_combining(glyph, rest, code);
    } else if (!ascii || code < 0x7f) {
        take_base(glyph, rest, code, ascii);
    } else { /* a character at a time */
        show_number(glyph, code);
        show_ascii(glyph, ">");
    }
}

bool text_next(struct span *rest, struct glyph *glyph, bool ascii)
{
    uint32_t code;
    if (rest->len == 0)
        return false;
    glyph->show_len = glyph->width = 0;
    glyph->mark = TEXT_PLAIN;
    glyph->bytes = character_at(*rest, 0, &code);
    if (glyph->bytes)
        take_character(glyph, *rest, code, ascii);
    else
        take_invalid(glyph, (uint8_t)rest->at[0]);
    *rest = (struct span){rest->at + glyph->bytes, rest->len - glyph->bytes};
    return true;
}
