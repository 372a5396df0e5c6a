#include "model/flow/links.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "base/jsonr.h"
#include "base/mem.h"
#include "model/flow/match.h"

/* A hostile log could have addresses without end. Beyond this many no more are known, and what
 * isn't known doesn't count as followed. */
enum { LINKS_MAX = 1 << 20 };

struct link_seen {
    uint64_t key; /* 0: free */
    int64_t n;    /* the first step of the context that has it */
    bool own;
};

struct links {
    struct link_seen *seen; /* open addressing */
    size_t count, size;
};

struct links *links_create(void)
{
    return NEW(struct links);
}

void links_destroy(struct links *links)
{
    if (!links)
        return;
    mem_free(links->seen);
    mem_free(links);
}

/* ---- addresses in a text ---- */

static bool breaks(char c)
{
    /* Asked of every byte of a session. */
    static const bool signs[256] = {
        ['"'] = true, ['\''] = true, ['<'] = true,  ['>'] = true, ['('] = true,
        [')'] = true, ['['] = true,  [']'] = true,  ['{'] = true, ['}'] = true,
        ['`'] = true, ['|'] = true,  ['\\'] = true,
    };
    return (unsigned char)c <= ' ' || signs[(unsigned char)c];
}

static bool next_word(struct span *rest, struct span *word)
{
    size_t begin = 0, end;
    while (begin < rest->len && breaks(rest->at[begin]))
        begin++;
    for (end = begin; end < rest->len && !breaks(rest->at[end]);)
        end++;
    *word = span_sub(*rest, begin, end - begin);
    *rest = span_sub(*rest, end, rest->len);
    while (word->len && ascii_is_one_of(word->at[word->len - 1], ".,;:!?*_/"))
        word->len--;
    return word->len > 0 || rest->len > 0;
}

/* The next word that may be an address, which has a dot in it: other words are never looked at. */
static bool next_dotted(struct span *rest, struct span *word)
{
    for (size_t dot; (dot = span_find_byte(*rest, '.')) < rest->len;) {
        size_t begin = dot;
        while (begin > 0 && !breaks(rest->at[begin - 1]))
            begin--;
        *rest = span_sub(*rest, begin, rest->len);
        next_word(rest, word);
        if (span_find_byte(*word, '.') < word->len)
            return true;
    }
    return false;
}

/* An address without scheme and final slash, the host in small letters: so that "www.a.example" is
 * "http://www.A.example/". Gives its key; 0 where the word is none. */
static uint64_t address_key(struct span word)
{
    struct span whole = word, url, host;
    bool schemed = url_next(&whole, &url, &host);
    if (schemed) {
        size_t colon = span_find(url, SPAN("://"));
        word = span_sub(url, colon + 3, url.len);
    } else if (!bare_url_next(&whole, &url, &host)) {
        return 0;
    }
    uint64_t hash = HASH_BEGIN;
    bool in_host = true;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i];
        in_host = in_host && !ascii_is_one_of(c, "/?#");
        hash = hash_byte(hash, in_host ? ascii_lower(c) : c);
    }
    return hash ? hash : 1;
}

static struct link_seen *link_place(const struct links *links, uint64_t key)
{
    size_t at = (size_t)(key ^ key >> 29) & (links->size - 1);
    while (links->seen[at].key && links->seen[at].key != key)
        at = (at + 1) & (links->size - 1);
    return &links->seen[at];
}

static void link_add(struct links *links, uint64_t key, int64_t n, int64_t since, bool own)
{
    if (links->count * 2 >= links->size) {
        struct links old = *links;
        links->size = old.size ? old.size * 2 : 256;
        links->seen = NEW_ARRAY(struct link_seen, links->size);
        for (size_t i = 0; i < old.size; i++)
            if (old.seen[i].key)
                *link_place(links, old.seen[i].key) = old.seen[i];
        mem_free(old.seen);
    }
    struct link_seen *seen = link_place(links, key);
    if (!seen->key) {
        if (links->count == LINKS_MAX)
            return;
        *seen = (struct link_seen){key, n, own};
        links->count++;
    } else if (seen->n < since || n < seen->n) { /* of a context that is gone */
        seen->n = n;
        seen->own = own;
    }
}

static bool link_known(const struct links *links, uint64_t key, int64_t n, int64_t since)
{
    if (!links->size)
        return false;
    const struct link_seen *seen = link_place(links, key);
    return seen->key && !seen->own && seen->n < n && seen->n >= since;
}

/* Strings of JSON, decoded, a line each; other text as it is. */
static struct span plain_text(struct span text, struct buf *decoded, size_t *strings)
{
    struct jsonr r;
    *strings = 1;
    if (!jsonr_is_object(text) && !jsonr_is_array(text) && !jsonr_is_string(text))
        return text;
    *strings = 0;
    jsonr_init(&r, text);
    for (enum jsonr_token token; (token = jsonr_next(&r)) > JSONR_END;)
        if (token == JSONR_STRING) {
            jsonr_string((struct span){r.value.at - 1, r.value.len + 2}, decoded, NULL);
            buf_byte(decoded, '\n');
            ++*strings;
        }
    bool whole = r.fault == JSONR_OK;
    jsonr_finish(&r);
    return whole ? buf_span(decoded) : text;
}

void links_note(struct links *links, int64_t n, int64_t since, struct span text, bool own)
{
    struct buf decoded = {0};
    size_t strings;
    struct span word, rest = plain_text(text, &decoded, &strings);
    while (next_dotted(&rest, &word)) {
        uint64_t key = address_key(word);
        if (key)
            link_add(links, key, n, since, own);
    }
    buf_finish(&decoded);
}

bool links_all_known(const struct links *links, int64_t n, int64_t since, struct span text)
{
    struct span word;
    size_t count = 0;
    while (next_word(&text, &word)) {
        if (span_find(word, SPAN("://")) == word.len)
            continue;
        uint64_t key = address_key(word);
        if (!key || !link_known(links, key, n, since))
            return false;
        count++;
    }
    return count > 0;
}

bool links_call_follows(const struct links *links, int64_t n, int64_t since, struct span arguments)
{
    struct buf decoded = {0};
    size_t strings;
    struct span word = SPAN_EMPTY, rest = span_trim(plain_text(arguments, &decoded, &strings));
    bool one = strings == 1 && next_word(&rest, &word) && !rest.len;
    uint64_t key = one ? address_key(word) : 0;
    buf_finish(&decoded);
    return key && link_known(links, key, n, since);
}
