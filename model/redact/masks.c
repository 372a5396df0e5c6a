#include "model/redact/masks.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/jsonr_scan.h"
#include "base/text.h"
#include "model/trace/secret.h"

struct word_list {
    struct span *at; /* in the arena */
    size_t count, size;
};

struct masks {
    bool secrets;
    struct word_list words; /* as they were named: found however JSON or an address spells them */
    struct word_list forms; /* bytes that come of other encodings */
    struct arena arena;
};

struct masks *masks_create(bool secrets)
{
    struct masks *masks = NEW(struct masks);
    masks->secrets = secrets;
    return masks;
}

void masks_destroy(struct masks *masks)
{
    if (!masks)
        return;
    arena_finish(&masks->arena);
    mem_free(masks->words.at);
    mem_free(masks->forms.at);
    mem_free(masks);
}

static void add_word(struct masks *masks, struct word_list *list, struct span word)
{
    for (size_t i = 0; i < list->count; i++)
        if (span_equal(list->at[i], word))
            return;
    list->at = mem_one_more(list->at, list->count, &list->size, sizeof *list->at);
    list->at[list->count++] = arena_copy(&masks->arena, word);
}

static void masks_put_utf16(struct buf *out, uint32_t code, bool little)
{
    if (code >= 0x10000) {
        masks_put_utf16(out, 0xd7c0 + (code >> 10), little);
        code = 0xdc00 + (code & 0x3ff);
    }
    buf_byte(out, (char)(little ? code & 0xff : code >> 8));
    buf_byte(out, (char)(little ? code >> 8 : code & 0xff));
}

static void masks_add_utf16(struct masks *masks, struct span word, bool little)
{
    struct buf form = {0};
    for (struct span rest = word; rest.len;) {
        uint32_t code;
        size_t len = utf8_decode(rest, &code);
        masks_put_utf16(&form, len ? code : (unsigned char)rest.at[0], little);
        rest = span_sub(rest, len ? len : 1, rest.len);
    }
    add_word(masks, &masks->forms, buf_span(&form));
    buf_finish(&form);
}

/* What base64 makes of the word behind `before` other bytes, without the letters that those, or
 * what follows, have a part in. Too few letters left could be anything. */
static void add_base64(struct masks *masks, struct span word, size_t before, const char *letters)
{
    enum { LETTERS_LEAST = 6 };
    struct buf form = {0};
    size_t first = (before * 8 + 5) / 6, end = (before + word.len) * 8 / 6;
    for (size_t i = first; i < end; i++) {
        size_t bit = i * 6 - before * 8, byte = bit / 8, shift = bit % 8;
        unsigned two = (unsigned)(unsigned char)word.at[byte] << 8;
        if (byte + 1 < word.len)
            two |= (unsigned char)word.at[byte + 1];
        buf_byte(&form, letters[two >> (10 - shift) & 0x3f]);
    }
    if (form.len >= LETTERS_LEAST)
        add_word(masks, &masks->forms, buf_span(&form));
    buf_finish(&form);
}

/* In hex. Less than eight digits could be anything. */
static void add_hex(struct masks *masks, struct span word, const char *digits)
{
    enum { BYTES_LEAST = 4 };
    struct buf form = {0};
    for (size_t i = 0; i < word.len; i++) {
        buf_byte(&form, digits[(unsigned char)word.at[i] >> 4]);
        buf_byte(&form, digits[(unsigned char)word.at[i] & 15]);
    }
    if (word.len >= BYTES_LEAST)
        add_word(masks, &masks->forms, buf_span(&form));
    buf_finish(&form);
}

/* What encodings make of the word in exactly these letters. */
static void add_forms(struct masks *masks, struct span word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                      url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    masks_add_utf16(masks, word, true);
    masks_add_utf16(masks, word, false);
    for (size_t before = 0; before < 3; before++) {
        add_base64(masks, word, before, plain);
        add_base64(masks, word, before, url);
    }
    add_hex(masks, word, "0123456789abcdef");
    add_hex(masks, word, "0123456789ABCDEF");
}

void masks_add(struct masks *masks, struct span word)
{
    struct buf small = {0}, large = {0};
    for (size_t i = 0; i < word.len; i++) {
        buf_byte(&small, ascii_lower(word.at[i]));
        char c = word.at[i];
        buf_byte(&large, c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c);
    }
    add_word(masks, &masks->words, word);
    add_forms(masks, word);
    add_forms(masks, buf_span(&small));
    add_forms(masks, buf_span(&large));
    buf_finish(&small);
    buf_finish(&large);
}

/* ---- how a character may be spelt ---- */

/* The number that all of the text is in hex. */
static bool hex_of(struct span text, unsigned *value)
{
    *value = 0;
    for (size_t i = 0; i < text.len; i++) {
        int digit = hex_digit(text.at[i]);
        if (digit < 0)
            return false;
        *value = *value << 4 | (unsigned)digit;
    }
    return true;
}

/* Without case, as in 'strandline search': of the letters of ASCII. */
static uint32_t fold(uint32_t code)
{
    return code >= 'A' && code <= 'Z' ? code | 0x20 : code;
}

/* %XX for each byte; how long that is, or 0. */
static size_t spelt_percent(struct span text, struct span bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        struct span part = span_sub(text, 3 * i, 3);
        unsigned value;
        if (part.len < 3 || part.at[0] != '%' || !hex_of(span_sub(part, 1, 2), &value) ||
            fold(value) != fold((unsigned char)bytes.at[i]))
            return 0;
    }
    return 3 * bytes.len;
}

/* \uXXXX, or two of them, behind as many backslashes as JSON in JSON in JSON has. */
static size_t spelt_unicode(struct span text, size_t slashes, uint32_t code)
{
    unsigned unit, low;
    struct span rest = span_sub(text, slashes, text.len);
    if (rest.len < 5 || rest.at[0] != 'u' || !hex_of(span_sub(rest, 1, 4), &unit))
        return 0;
    if (code < 0x10000)
        return fold(unit) == fold(code) ? slashes + 5 : 0;
    rest = span_sub(rest, 5, rest.len);
    for (size_t i = 0; i < slashes; i++)
        if (i >= rest.len || rest.at[i] != '\\')
            return 0;
    rest = span_sub(rest, slashes, rest.len);
    if (rest.len < 5 || rest.at[0] != 'u' || !hex_of(span_sub(rest, 1, 4), &low))
        return 0;
    return unit == 0xd7c0 + (code >> 10) && low == 0xdc00 + (code & 0x3ff) ? 2 * (slashes + 5) : 0;
}

static bool begins_with(struct span text, struct span bytes)
{
    return bytes.len == 1
               ? text.len && fold((unsigned char)text.at[0]) == fold((unsigned char)bytes.at[0])
               : span_starts_with(text, bytes);
}

/* How many bytes at the begin of `text` spell the character `code`, whose UTF-8 is `bytes`; 0: they
 * don't. */
static size_t spelt(struct span text, uint32_t code, struct span bytes)
{
    static const char letters[] = "nrtbf", meant[] = "\n\r\t\b\f", kept[] = "\"'/";
    size_t slashes = 0;
    while (slashes < text.len && text.at[slashes] == '\\')
        slashes++;
    if (code == '\\' && slashes)
        return slashes;
    if (slashes && slashes < text.len) {
        char next = text.at[slashes];
        for (size_t i = 0; i < sizeof letters - 1; i++)
            if (next == letters[i] && code == (unsigned char)meant[i])
                return slashes + 1;
        if (code == (unsigned char)next && next && strchr(kept, next))
            return slashes + 1;
        return spelt_unicode(text, slashes, code);
    }
    if (begins_with(text, bytes))
        return bytes.len;
    if (code == ' ' && text.len && text.at[0] == '+')
        return 1;
    return spelt_percent(text, bytes);
}

/* White space where the word has a blank: as a line was broken, or columns were filled. */
static size_t spelt_blanks(struct span text)
{
    enum { BLANKS_MOST = 64 };
    static const char blanks[] = " \n\t\r";
    size_t at = 0;
    for (int i = 0; i < BLANKS_MOST; i++) {
        size_t taken = 0;
        for (size_t j = 0; !taken && j < sizeof blanks - 1; j++)
            taken = spelt(span_sub(text, at, text.len), (unsigned char)blanks[j],
                          (struct span){&blanks[j], 1});
        if (!taken)
            break;
        at += taken;
    }
    return at;
}

/* How long the word is at the begin of `text`, however it is spelt; 0: it isn't there. */
static size_t spelt_word(struct span text, struct span word)
{
    size_t at = 0;
    while (word.len) {
        uint32_t code;
        size_t len = utf8_decode(word, &code);
        if (!len) { /* no UTF-8: as it is */
            code = UINT32_MAX;
            len = 1;
        }
        if (code == '\\') /* of several in a row, one takes all */
            while (len < word.len && word.at[len] == '\\')
                len++;
        struct span rest = span_sub(text, at, text.len);
        size_t taken = code == ' ' ? spelt_blanks(rest) : spelt(rest, code, span_sub(word, 0, len));
        if (!taken)
            return 0;
        at += taken;
        word = span_sub(word, len, word.len);
    }
    return at;
}

/* ---- finding ---- */

struct hits {
    struct mask_hit *at;
    size_t count, size;
};

static void add_hit(struct hits *hits, uint64_t offset, uint64_t length, const char *what)
{
    hits->at = mem_one_more(hits->at, hits->count, &hits->size, sizeof *hits->at);
    hits->at[hits->count++] = (struct mask_hit){offset, length, what};
}

static void mask_secrets(struct span text, struct hits *hits)
{
    struct arena arena = {0};
    struct secret *secrets;
    size_t count;
    secrets_find(text, &arena, &secrets, &count);
    for (size_t i = 0; i < count; i++)
        add_hit(hits, secrets[i].offset, secrets[i].length, secrets[i].kind);
    arena_finish(&arena);
}

static void mask_spelt(struct span text, struct span word, struct hits *hits)
{
    for (size_t at = 0; at < text.len;) {
        char c = text.at[at];
        bool maybe = fold((unsigned char)c) == fold((unsigned char)word.at[0]) || c == '\\' ||
                     c == '%' || c == '+';
        size_t len = maybe ? spelt_word(span_sub(text, at, text.len), word) : 0;
        if (len)
            add_hit(hits, at, len, "a text that was named");
        at++;          /* the word may begin again inside of itself */
        if (c == '\\') /* none begins inside of a run of backslashes */
            while (at < text.len && text.at[at] == '\\')
                at++;
    }
}

static void mask_form(struct span text, struct span word, struct hits *hits)
{
    size_t from = 0, at;
    while (from < text.len &&
           (at = span_find(span_sub(text, from, text.len), word)) < text.len - from) {
        add_hit(hits, from + at, word.len, "a text that was named");
        from += at + word.len;
    }
}

static int compare_hits(const void *a, const void *b)
{
    const struct mask_hit *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Joins those that overlap; the first says what it is. */
static size_t join_hits(struct hits *hits)
{
    size_t kept = 0;
    for (size_t i = 0; i < hits->count; i++) {
        struct mask_hit *last = kept ? &hits->at[kept - 1] : NULL, *hit = &hits->at[i];
        if (!last || hit->offset >= last->offset + last->length)
            hits->at[kept++] = *hit;
        else if (hit->offset + hit->length > last->offset + last->length)
            last->length = hit->offset + hit->length - last->offset;
    }
    return kept;
}

static void find_masks(const struct masks *masks, bool secrets, struct span text,
                       struct arena *arena, struct mask_hit **out, size_t *count)
{
    struct hits hits = {0};
    if (secrets)
        mask_secrets(text, &hits);
    for (size_t i = 0; i < masks->words.count; i++)
        mask_spelt(text, masks->words.at[i], &hits);
    for (size_t i = 0; i < masks->forms.count; i++)
        mask_form(text, masks->forms.at[i], &hits);
    if (hits.count)
        qsort(hits.at, hits.count, sizeof *hits.at, compare_hits);
    *count = join_hits(&hits);
    *out = arena_array(arena, *count + 1, sizeof **out);
    if (*count)
        memcpy(*out, hits.at, *count * sizeof **out);
    mem_free(hits.at);
}

void masks_find(const struct masks *masks, struct span text, struct arena *arena,
                struct mask_hit **hits, size_t *count)
{
    find_masks(masks, masks->secrets, text, arena, hits, count);
}

void masks_find_words(const struct masks *masks, struct span text, struct arena *arena,
                      struct mask_hit **hits, size_t *count)
{
    find_masks(masks, false, text, arena, hits, count);
}

/* What stands in the place of a byte: never, of all of them, what was there. */
static char filling(size_t i, bool digits, int another)
{
    static const char word[] = "redacted";
    if (digits)
        return another ? '0' : '9';
    if (another)
        return '#';
    return i < sizeof word - 1 ? word[i] : '*';
}

void mask_over(char *bytes, size_t length)
{
    bool digits = true, same = true;
    for (size_t i = 0; i < length && digits; i++)
        digits = bytes[i] >= '0' && bytes[i] <= '9';
    for (size_t i = 0; i < length && same; i++)
        same = bytes[i] == '\n' || bytes[i] == filling(i, digits, 0);
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != '\n') /* lines stay lines */
            bytes[i] = filling(i, digits, same);
}
