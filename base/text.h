/*
 * Text from data, made safe to show. Nothing else in the program may put bytes
 * of data on a terminal, into a table or into an error line.
 *
 * What is shown as a visible mark, never as itself: C0, DEL, C1, invalid UTF-8,
 * every format character (Cf: bidi, zero-width, soft hyphen), U+2028/2029,
 * blank fillers (U+3164, U+2800 …), private use, unassigned, and combining
 * runs over four. Unicode tags are decoded: ⟦tag:ignore previous…⟧ (not in an
 * emoji flag sequence). Width is by our own table (Unicode 15), since libc's
 * iswprint lets bidi, zero-width and tag characters through.
 */
#ifndef STRANDLINE_BASE_TEXT_H
#define STRANDLINE_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

/* ---- UTF-8 (RFC 3629) ---- */

/* Length of the valid sequence at the start of s (1–4) and its code point; 0 where it is invalid
 * (overlong, surrogate, beyond U+10FFFF, cut short) or s is empty. */
size_t utf8_decode(struct span s, uint32_t *code);
/* Is all of s valid? Else *bad_at (may be NULL) is the offset of the first invalid byte. Fast on
 * ASCII. */
bool utf8_valid(struct span s, size_t *bad_at);
/* Appends the encoding of a scalar value (not a surrogate). */
void utf8_encode(struct buf *out, uint32_t code);

/* ---- what a character is ---- */

enum text_mark {
    TEXT_PLAIN,     /* shown as itself */
    TEXT_CONTROL,   /* C0, DEL, C1: ␛ ␍ ␊ or <U+009B> */
    TEXT_INVALID,   /* a byte that is not UTF-8: <ff> */
    TEXT_BIDI,      /* U+202A–202E, U+2066–2069, LRM, RLM, ALM */
    TEXT_INVISIBLE, /* zero-width, fillers, soft hyphen, variation selectors out of place, 2028/9 */
    TEXT_TAG,       /* U+E0000–E007F, decoded */
    TEXT_UNKNOWN,   /* private use, unassigned, noncharacters */
    TEXT_COMBINING, /* what is over four in a combining run, or has no base */
    TEXT_MARKS
};

/* The version of Unicode that the tables are made from: "15.0". */
extern const char text_unicode_version[];

/* Columns that a code point takes: 0, 1 or 2. Only meaningful for TEXT_PLAIN. */
int text_width(uint32_t code);
/* What it is by itself; in a text its neighbours count too (emoji variation, flags, runs). */
enum text_mark text_classify(uint32_t code);

/* ---- iterating over cells ---- */

/* One thing to show: a base character with its combining ones, or a mark. `show` is always safe,
 * valid UTF-8 and `width` columns wide; `bytes` is how much of the data it stands for. */
struct glyph {
    char show[48];
    uint8_t show_len;
    uint8_t width; /* columns; may be 0 at no time: a mark is at least 1 wide */
    size_t bytes;
    enum text_mark mark;
};

/* Takes the next glyph off the front of *rest; false at the end. A newline or tab is TEXT_CONTROL
 * too (␊, ␉): callers that lay out lines split before they iterate. `ascii` gives marks and
 * non-ASCII text as plain ASCII (`<U+202E>`, `<U+00E9>`; `<e9>` is a byte). A long run of
 * tags or of combining characters is several glyphs, each a mark by itself. */
bool text_next(struct span *rest, struct glyph *glyph, bool ascii);

/* ---- whole strings ---- */

/* Appends s, one line, all marks written out. */
void text_safe(struct buf *out, struct span s);
/* The same, cut to `columns`: in the middle with … (or ... in ASCII) when it is too long. Returns
 * the columns used. The time it takes depends on `columns`, not on how long s is. */
size_t text_fit(struct buf *out, struct span s, size_t columns, bool ascii);
/* Columns that s takes when shown whole: with text_safe, or in ASCII. */
size_t text_columns(struct span s, bool ascii);

/* ---- counting what hides ---- */

struct text_census {
    /* Characters of each kind (bytes where invalid). Newline, tab and the CR of a CRLF are not
     * counted; plain ones are counted with what combines with them as one. */
    size_t count[TEXT_MARKS];
    size_t longest_blank_run; /* longest run of spaces, tabs and newlines, in bytes */
};

/* Adds s to the census; needs no allocation. */
void text_count(struct text_census *census, struct span s);

/* What the tags in s (outside of flags) spell, appended; false where there are none. */
bool text_decode_tags(struct buf *out, struct span s);

#endif
