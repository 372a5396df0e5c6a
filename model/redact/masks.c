#include "model/redact/masks.h"

#include <stdlib.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "model/trace/secret.h"

struct masks {
    bool secrets;
    struct span *words; /* every way in which one may be written; in the arena */
    size_t count, size;
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
    mem_free(masks->words);
    mem_free(masks);
}

static void add_form(struct masks *masks, struct span form)
{
    for (size_t i = 0; i < masks->count; i++)
        if (span_equal(masks->words[i], form))
            return;
    if (masks->count == masks->size) {
        masks->size = masks->size ? masks->size * 2 : 16;
        masks->words = mem_resize(masks->words, masks->size * sizeof *masks->words);
    }
    masks->words[masks->count++] = arena_copy(&masks->arena, form);
}

/* What json.dumps and its like make of a text: our own way of quoting, without the quotes. */
static void mask_quote(struct buf *out, struct span text)
{
    struct buf literal = {0};
    jsonr_quote(&literal, text);
    buf_add(out, span_sub(buf_span(&literal), 1, literal.len - 2));
    buf_finish(&literal);
}

/* The same in pure ASCII, as most producers write it. */
static void quote_ascii(struct buf *out, struct span text)
{
    struct buf quoted = {0};
    mask_quote(&quoted, text);
    struct span rest = buf_span(&quoted);
    while (rest.len) {
        uint32_t code;
        size_t len = utf8_decode(rest, &code);
        if (len < 2)
            buf_byte(out, rest.at[0]);
        else if (code < 0x10000)
            buf_addf(out, "\\u%04x", (unsigned)code);
        else
            buf_addf(out, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (code >> 10)),
                     (unsigned)(0xdc00 + (code & 0x3ff)));
        rest = span_sub(rest, len ? len : 1, rest.len);
    }
    buf_finish(&quoted);
}

void masks_add(struct masks *masks, struct span word)
{
    static void (*const ways[])(struct buf *, struct span) = {mask_quote, quote_ascii};
    add_form(masks, word);
    for (size_t i = 0; i < 2; i++) {
        struct buf once = {0}, twice = {0};
        ways[i](&once, word);
        ways[i](&twice, buf_span(&once)); /* JSON in a string of JSON */
        add_form(masks, buf_span(&once));
        add_form(masks, buf_span(&twice));
        buf_finish(&once);
        buf_finish(&twice);
    }
}

/* ---- finding ---- */

struct hits {
    struct mask_hit *at;
    size_t count, size;
};

static void add_hit(struct hits *hits, uint64_t offset, uint64_t length, const char *what)
{
    if (hits->count == hits->size) {
        hits->size = hits->size ? hits->size * 2 : 16;
        hits->at = mem_resize(hits->at, hits->size * sizeof *hits->at);
    }
    hits->at[hits->count++] = (struct mask_hit){offset, length, what};
}

static void mask_secrets(struct span text, struct hits *hits)
{
    size_t from = 0;
    bool capped = true;
    while (capped) { /* a text may hold more than are given at once */
        struct arena arena = {0};
        struct secret *secrets;
        size_t count;
        secrets_find(span_sub(text, from, text.len), &arena, &secrets, &count, &capped);
        size_t begin = from;
        for (size_t i = 0; i < count; i++) {
            add_hit(hits, begin + secrets[i].offset, secrets[i].length, secrets[i].kind);
            from = begin + (size_t)(secrets[i].offset + secrets[i].length);
        }
        capped = capped && count > 0;
        arena_finish(&arena);
    }
}

static void mask_words(struct span text, struct span word, struct hits *hits)
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

void masks_find(const struct masks *masks, struct span text, struct arena *arena,
                struct mask_hit **out, size_t *count)
{
    struct hits hits = {0};
    if (masks->secrets)
        mask_secrets(text, &hits);
    for (size_t i = 0; i < masks->count; i++)
        mask_words(text, masks->words[i], &hits);
    if (hits.count)
        qsort(hits.at, hits.count, sizeof *hits.at, compare_hits);
    *count = join_hits(&hits);
    *out = arena_array(arena, *count + 1, sizeof **out);
    if (*count)
        memcpy(*out, hits.at, *count * sizeof **out);
    mem_free(hits.at);
}

void mask_over(char *bytes, size_t length)
{
    static const char word[] = "redacted";
    bool digits = true;
    for (size_t i = 0; i < length && digits; i++)
        digits = bytes[i] >= '0' && bytes[i] <= '9';
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != '\n') /* lines stay lines */
            bytes[i] = digits ? '9' : i < sizeof word - 1 ? word[i] : '*';
}
