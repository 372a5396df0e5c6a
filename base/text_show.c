/* Whole strings: shown, measured, cut to fit, and what hides in them counted. */
#include "base/ascii.h"
#include "base/text.h"

static bool is_plain_ascii(char c)
{
    return c >= 0x20 && c < 0x7f;
}

/* Plain ASCII at the start of s that surely combines with nothing: all of it but its last byte. */
static size_t plain_ascii(struct span s)
{
    size_t len = 0;
    while (len < s.len && is_plain_ascii(s.at[len]))
        len++;
    return len > 0 && len < s.len ? len - 1 : len;
}

void text_safe(struct buf *out, struct span s)
{
    struct glyph glyph;
    do {
        size_t plain = plain_ascii(s);
        buf_add(out, span_sub(s, 0, plain));
        s = span_sub(s, plain, s.len);
        if (!text_next(&s, &glyph, false))
            break;
        buf_add(out, (struct span){glyph.show, glyph.show_len});
    } while (s.len);
}

size_t text_columns(struct span s, bool ascii)
{
    struct glyph glyph;
    size_t columns = 0;
    do {
        size_t plain = plain_ascii(s);
        columns += plain;
        s = span_sub(s, plain, s.len);
        if (!text_next(&s, &glyph, ascii))
            break;
        columns += glyph.width;
    } while (s.len);
    return columns;
}

/* ---- cut to fit ---- */

/* Do all of s take at most `columns`? Looks no further than that. */
static bool fits(struct span s, size_t columns, bool ascii)
{
    struct glyph glyph;
    size_t used = 0;
    while (used <= columns && text_next(&s, &glyph, ascii))
        used += glyph.width;
    return used <= columns;
}

/* Adds glyphs from the front while they fit; returns the columns used. */
static size_t add_head(struct buf *out, struct span s, size_t columns, bool ascii)
{
    struct glyph glyph;
    size_t used = 0;
    while (text_next(&s, &glyph, ascii) && glyph.width <= columns - used) {
        buf_add(out, (struct span){glyph.show, glyph.show_len});
        used += glyph.width;
    }
    return used;
}

/* The last bytes of s, enough for `columns` of ordinary text whatever the length of s, from the
 * start of a glyph on. */
static struct span last_part(struct span s, size_t columns, bool ascii)
{
    enum { BYTES_A_COLUMN = 24 }; /* a base with four combining characters has at most 20 */
    struct glyph glyph;
    if (s.len / BYTES_A_COLUMN <= columns)
        return s;
    struct span part = span_sub(s, s.len - columns * BYTES_A_COLUMN, s.len);
    for (int i = 0; i < 3 && ((unsigned char)part.at[0] & 0xc0) == 0x80; i++)
        part = span_sub(part, 1, part.len);
    text_next(&part, &glyph, ascii); /* it may be the end of one that began before */
    return part;
}

/* Adds the glyphs at the end that fit into `columns`; returns the columns used. */
static size_t add_tail(struct buf *out, struct span s, size_t columns, bool ascii)
{
    struct glyph glyph;
    struct span part = last_part(s, columns, ascii);
    size_t all = text_columns(part, ascii);
    while (all > columns && text_next(&part, &glyph, ascii))
        all -= glyph.width;
    return add_head(out, part, all, ascii);
}

size_t text_fit(struct buf *out, struct span s, size_t columns, bool ascii)
{
    if (fits(s, columns, ascii))
        return add_head(out, s, columns, ascii);
    size_t dots = ascii ? 3 : 1;
    if (columns <= dots) {
        buf_puts(out, ascii ? &"..."[dots - columns] : columns ? "…" : "");
        return columns;
    }
    size_t tail = (columns - dots) / 2;
    size_t used = add_head(out, s, columns - dots - tail, ascii);
    buf_puts(out, ascii ? "..." : "…");
    return used + dots + add_tail(out, s, tail, ascii);
}

/* ---- counting what hides ---- */

/* Counts the characters of one glyph. Tags are four bytes each, and so on: count code points. */
static size_t characters(struct span s)
{
    size_t count = 0;
    for (size_t i = 0; i < s.len; i++)
        count += ((unsigned char)s.at[i] & 0xc0) != 0x80;
    return count;
}

/* A newline, a tab, or the return of a CRLF. */
static bool is_layout(struct span s)
{
    return s.at[0] == '\n' || s.at[0] == '\t' || (s.len > 1 && s.at[0] == '\r' && s.at[1] == '\n');
}

void text_count(struct text_census *census, struct span s)
{
    struct glyph glyph;
    size_t blanks = 0;
    while (s.len) {
        size_t plain = plain_ascii(s);
        for (size_t i = 0; i < plain; i++) {
            blanks = s.at[i] == ' ' ? blanks + 1 : 0;
            if (blanks > census->longest_blank_run)
                census->longest_blank_run = blanks;
        }
        census->count[TEXT_PLAIN] += plain;
        s = span_sub(s, plain, s.len);
        struct span here = s;
        if (!text_next(&s, &glyph, false))
            break;
        blanks = ascii_is_blank(here.at[0]) && glyph.bytes == 1 ? blanks + 1 : 0;
        if (blanks > census->longest_blank_run)
            census->longest_blank_run = blanks;
        if (glyph.mark == TEXT_INVALID)
            census->count[TEXT_INVALID]++;
        else if (glyph.mark == TEXT_PLAIN)
            census->count[TEXT_PLAIN]++;
        else if (!is_layout(here))
            census->count[glyph.mark] += characters(span_sub(here, 0, glyph.bytes));
    }
}

bool text_decode_tags(struct buf *out, struct span s)
{
    struct glyph glyph;
    bool found = false;
    if (span_find(s, SPAN("\xf3\xa0")) == s.len) /* the first two bytes of every tag */
        return false;
    for (struct span here = s; text_next(&s, &glyph, false); here = s) {
        if (glyph.mark != TEXT_TAG)
            continue;
        found = true;
        for (size_t i = 0; i < glyph.bytes; i += 4) {
            uint32_t code = 0;
            utf8_decode(span_sub(here, i, 4), &code);
            if (code >= 0xe0020 && code < 0xe007f)
                buf_byte(out, (char)(code - 0xe0000));
        }
    }
    return found;
}
