/*
 * Folding: how texts are read so that the same text written twice compares
 * equal. A unit is the smallest piece of a text that folds by itself: a byte
 * (white space, controls and backslashes fold to nothing), or what follows a
 * backslash as a JSON escape at any depth of nesting: the letters of `\n` and
 * the like fold to nothing, `u00e9` to its UTF-8. Units can be read forwards
 * and backwards from any unit's border.
 */
#ifndef STRANDLINE_MODEL_TRACE_FOLD_H
#define STRANDLINE_MODEL_TRACE_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

enum { FOLD_MOST = 4 };
struct unit {
    uint8_t bytes[FOLD_MOST];
    uint8_t count; /* folded bytes; 0: it folds to nothing */
    size_t len;    /* bytes of the text; 0 at its end */
};

/* What a byte folds to; 0: nothing; FOLD_ESCAPE: a backslash, which says how the next one reads. */
enum { FOLD_ESCAPE = '\\' };
extern const uint8_t fold_table[256];

/* What a byte may be part of. */
enum {
    BYTE_LETTER = 1, /* ASCII letters, and all bytes of other characters */
    BYTE_DIGIT = 2,
    BYTE_JOIN = 4,   /* . @ - _ + ~ */
    BYTE_DIVIDE = 8, /* / : */
    BYTE_HEX = 16,
    BYTE_BASE64 = 32, /* digits of either alphabet */
    BYTE_URL = 64,
    BYTE_SMALL = 128, /* a to z */
    BYTE_WORD = BYTE_LETTER | BYTE_DIGIT,
    BYTE_TOKEN = BYTE_WORD | BYTE_JOIN | BYTE_DIVIDE,
};
extern const uint8_t byte_class[256];

/* Is it of one of the classes? */
static inline bool byte_is(char c, unsigned classes)
{
    return (byte_class[(uint8_t)c] & classes) != 0;
}

/* Where a backslash is, or stands before. */
struct unit fold_escaped(struct span text, size_t at);
struct unit fold_before_escaped(struct span text, size_t at); /* a backslash is six before */

/* The unit that begins at `at`; of length 0 at the end. */
static inline struct unit fold_next(struct span text, size_t at)
{
    if (at >= text.len)
        return (struct unit){.len = 0};
    uint8_t folded = fold_table[(uint8_t)text.at[at]];
    if (folded == FOLD_ESCAPE || (at > 0 && text.at[at - 1] == '\\'))
        return fold_escaped(text, at);
    return (struct unit){.bytes = {folded}, .count = folded != 0, .len = 1};
}

/* The unit that ends at `at`; of length 0 at the start. */
static inline struct unit fold_before(struct span text, size_t at)
{
    if (at == 0)
        return (struct unit){.len = 0};
    if (at >= 6 && text.at[at - 6] == '\\')
        return fold_before_escaped(text, at);
    return fold_next(text, at - 1);
}

/* Does the unit fold to what stands at `folded`, where `left` bytes are left? */
static inline bool unit_equals(const struct unit *unit, const uint8_t *folded, size_t left)
{
    if (unit->count > left)
        return false;
    for (size_t i = 0; i < unit->count; i++)
        if (unit->bytes[i] != folded[i])
            return false;
    return true;
}

/* Folds text from *at on, until it ends or `most` bytes are there; `from` says where the unit of
 * each begins. Gives how many; room for FOLD_MOST more is needed. */
size_t fold_run(struct span text, size_t *at, uint8_t *folded, uint32_t *from, size_t most);

/* Length of the escape at a backslash: 1 where it is only a backslash. */
size_t fold_escape(struct span text, size_t at);

/* Appends text with one level of JSON escapes undone; a lone surrogate becomes U+FFFD, a backslash
 * that begins no escape stays. */
void fold_unescape(struct buf *out, struct span text);

#endif
