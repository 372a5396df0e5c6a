#include "model/evidence/nfc.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

struct decomposition {
    uint32_t code, to[4]; /* in full; 0 behind the last */
};
struct composition {
    uint32_t first, second, code;
};
struct combining {
    uint32_t code;
    uint8_t class;
};

#include "model/evidence/nfc_tables.h"

/* Hangul is composed by arithmetic (Unicode 3.12). */
enum {
    S_BASE = 0xac00,
    L_BASE = 0x1100,
    V_BASE = 0x1161,
    T_BASE = 0x11a7,
    L_COUNT = 19,
    V_COUNT = 21,
    T_COUNT = 28,
    S_COUNT = L_COUNT * V_COUNT * T_COUNT,
};

static int by_code(const void *key, const void *entry)
{
    uint32_t code = *(const uint32_t *)key, at = *(const uint32_t *)entry;
    return (code > at) - (code < at);
}

static uint8_t nfc_class_of(uint32_t code)
{
    const struct combining *found =
        bsearch(&code, nfc_classes, COUNT_OF(nfc_classes), sizeof *nfc_classes, by_code);
    return found ? found->class : 0;
}

static int by_pair(const void *key, const void *entry)
{
    const struct composition *a = key, *b = entry;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

/* The character that the two make, or 0. */
static uint32_t compose(uint32_t first, uint32_t second)
{
    if (first - L_BASE < L_COUNT && second - V_BASE < V_COUNT)
        return S_BASE + ((first - L_BASE) * V_COUNT + (second - V_BASE)) * T_COUNT;
    if (first - S_BASE < S_COUNT && (first - S_BASE) % T_COUNT == 0 && second > T_BASE &&
        second - T_BASE < T_COUNT)
        return first + (second - T_BASE);
    struct composition pair = {first, second, 0};
    const struct composition *found =
        bsearch(&pair, compositions, COUNT_OF(compositions), sizeof *compositions, by_pair);
    return found ? found->code : 0;
}

/* Up to four characters. */
static size_t decompose(uint32_t code, uint32_t to[4])
{
    if (code - S_BASE < S_COUNT) {
        uint32_t index = code - S_BASE;
        to[0] = L_BASE + index / (V_COUNT * T_COUNT);
        to[1] = V_BASE + index % (V_COUNT * T_COUNT) / T_COUNT;
        to[2] = T_BASE + index % T_COUNT;
        return to[2] == T_BASE ? 2 : 3;
    }
    const struct decomposition *found =
        bsearch(&code, decompositions, COUNT_OF(decompositions), sizeof *decompositions, by_code);
    if (!found) {
        to[0] = code;
        return 1;
    }
    size_t count = 0;
    while (count < 4 && found->to[count]) {
        to[count] = found->to[count];
        count++;
    }
    return count;
}

struct character {
    uint32_t code, place;
    uint8_t class;
};

static int by_class(const void *left, const void *right)
{
    const struct character *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Canonical ordering: runs of combining characters sorted by class, stably. */
static void order(struct character *text, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i;
        while (end < count && text[end].class)
            end++;
        if (end > i + 1)
            qsort(text + i, end - i, sizeof *text, by_class);
        i = end > i ? end : i + 1;
    }
}

/* Each character is composed with the last starter where nothing blocks it. Returns the new count.
 */
static size_t compose_all(struct character *text, size_t count)
{
    size_t kept = 0, starter = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        struct character c = text[i];
        if (starter != SIZE_MAX) {
            bool adjacent = kept == starter + 1;
            bool blocked =
                !adjacent && (text[kept - 1].class >= c.class || text[kept - 1].class == 0);
            uint32_t made = blocked ? 0 : compose(text[starter].code, c.code);
            if (made) {
                text[starter].code = made;
                continue;
            }
        }
        if (c.class == 0)
            starter = kept;
        text[kept++] = c;
    }
    return kept;
}

void nfc_normalize(struct span text, struct buf *out)
{
    bool ascii = true;
    for (size_t i = 0; i < text.len; i++)
        ascii &= (unsigned char)text.at[i] < 0x80;
    if (ascii) {
        buf_add(out, text);
        return;
    }
    struct character *chars = NEW_ARRAY(struct character, text.len * 4);
    size_t count = 0;
    while (text.len) {
        uint32_t code, to[4];
        size_t len = utf8_decode(text, &code);
        text = span_sub(text, len ? len : 1, text.len);
        size_t parts = len ? decompose(code, to) : 0;
        for (size_t i = 0; i < parts; i++, count++)
            chars[count] = (struct character){to[i], (uint32_t)count, nfc_class_of(to[i])};
    }
    order(chars, count);
    count = compose_all(chars, count);
    for (size_t i = 0; i < count; i++)
        utf8_encode(out, chars[i].code);
    mem_free(chars);
}
