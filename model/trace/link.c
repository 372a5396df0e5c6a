#include "model/trace/link.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/hash.h"
#include "model/trace/fold.h"

enum {
    OPEN_MOST = 64,   /* brackets that may be open: older ones are forgotten */
    LABEL_MOST = 999, /* CommonMark's bound on a label */
    PAREN_MOST = 32,
    QUOTES = 2,
};

struct scan {
    struct span text;
    size_t at;
    struct arena *arena;
    struct link *links;
    size_t count, size;
    uint32_t *labels; /* hash of a reference's label, beside links; 0: it is none */
    uint32_t *images; /* hashes of labels that images use */
    size_t image_count, image_size;
    struct {
        size_t at;
        bool image;
    } open[OPEN_MOST];
    size_t opened, closed; /* running numbers; at most OPEN_MOST apart */
    bool no_quote[QUOTES]; /* no closing quote of that kind follows any more */
    bool capped;
};

static char byte_at(const struct scan *s, size_t at)
{
    return at < s->text.len ? s->text.at[at] : '\0';
}

static bool is_space(char c)
{
    return ascii_is_blank(c) || c == '\f';
}

static bool has_at(struct span text, size_t at, const char *word)
{
    size_t len = strlen(word);
    return at <= text.len && text.len - at >= len &&
           span_equal_nocase(span_sub(text, at, len), span_of(word));
}

/* ---- URLs ---- */

/* Takes a URL apart; false where it has no host. */
static bool link_parse(struct span url, struct link *link)
{
    size_t begin = has_at(url, 0, "https:") ? 6 : has_at(url, 0, "http:") ? 5 : 0;
    /* Browsers take a backslash for a slash, here and behind the host. */
    size_t slashes = 0;
    while (begin + slashes < url.len && ascii_is_one_of(url.at[begin + slashes], "/\\") &&
           slashes < 3)
        slashes++;
    if (slashes < 2)
        return false;
    size_t at = begin + slashes, end = at;
    while (end < url.len && !ascii_is_one_of(url.at[end], "/\\?#"))
        end++;
    for (size_t i = at; i < end; i++)
        if (url.at[i] == '@')
            at = i + 1;
    size_t stop = at;
    if (at < end && url.at[at] == '[') {
        at++;
        while (stop < end && url.at[stop] != ']')
            stop++;
    } else {
        while (stop < end && url.at[stop] != ':')
            stop++;
    }
    link->url = url;
    link->host = span_sub(url, at, stop > at ? stop - at : 0);
    size_t query = span_find_byte(url, '?'), hash = span_find_byte(url, '#');
    link->query =
        query < hash && query < url.len ? span_sub(url, query + 1, hash - query - 1) : SPAN_EMPTY;
    return link->host.len > 0;
}

static void add_link(struct scan *s, size_t begin, size_t end, enum link_kind kind, bool image,
                     uint32_t label)
{
    struct link link = {.kind = kind, .image = image};
    if (!link_parse(span_trim(span_sub(s->text, begin, end - begin)), &link))
        return;
    if (s->count == LINK_MAX) {
        s->capped = true;
        return;
    }
    if (s->count == s->size) {
        s->size = s->size ? s->size * 2 : 16;
        s->links = mem_resize(s->links, s->size * sizeof(*s->links));
        s->labels = mem_resize(s->labels, s->size * sizeof(*s->labels));
    }
    s->labels[s->count] = label;
    s->links[s->count++] = link;
}

/* Where a destination ends that begins at `at`: "<…>", or up to white space or an unbalanced
 * parenthesis. *after is where to go on. */
static bool destination(const struct scan *s, size_t at, bool parens, size_t *begin, size_t *end,
                        size_t *after)
{
    while (is_space(byte_at(s, at)))
        at++;
    if (byte_at(s, at) == '<') {
        *begin = *end = at + 1;
        while (*end < s->text.len && !ascii_is_one_of(s->text.at[*end], "<>\n"))
            (*end)++;
        *after = *end + (byte_at(s, *end) == '>');
        return byte_at(s, *end) == '>';
    }
    *begin = *end = at;
    for (size_t depth = 0; *end < s->text.len; (*end)++) {
        char c = s->text.at[*end];
        if (is_space(c) || (parens && c == ')' && depth == 0) || depth > PAREN_MOST)
            break;
        if (parens)
            depth += c == '(', depth -= c == ')';
    }
    *after = *end;
    return *end > *begin;
}

/* ---- Markdown ---- */

/* Labels match without case, with white space folded (CommonMark §4.7). */
static uint32_t label_hash(struct span label)
{
    uint64_t hash = HASH_BEGIN;
    for (size_t i = 0; i < label.len; i++)
        if (!is_space(label.at[i]))
            hash = hash_byte(hash, (char)fold_table[(uint8_t)label.at[i]]);
    return (uint32_t)(hash >> 32) | 1;
}

static void use_image(struct scan *s, struct span label)
{
    if (label.len == 0 || label.len > LABEL_MOST || s->image_count >= LINK_MAX)
        return;
    s->images = mem_one_more(s->images, s->image_count, &s->image_size, sizeof *s->images);
    s->images[s->image_count++] = label_hash(label);
}

static void open_bracket(struct scan *s)
{
    size_t slot = s->opened++ % OPEN_MOST;
    if (s->opened - s->closed > OPEN_MOST)
        s->closed++;
    s->open[slot].at = s->at;
    s->open[slot].image = s->at > 0 && s->text.at[s->at - 1] == '!';
    s->at++;
}

static bool begins_line(const struct scan *s, size_t at)
{
    size_t spaces = 0;
    while (at > spaces && s->text.at[at - spaces - 1] == ' ' && spaces < 4)
        spaces++;
    return spaces < 4 && (at == spaces || s->text.at[at - spaces - 1] == '\n');
}

/* A "]": of "[text](url)", "[text][label]", "[label]: url", "[label]". */
static void close_bracket(struct scan *s)
{
    size_t close = s->at++;
    if (s->opened == s->closed)
        return;
    size_t slot = --s->opened % OPEN_MOST;
    bool image = s->open[slot].image;
    size_t open = s->open[slot].at, begin, end, after;
    struct span inside = span_sub(s->text, open + 1, close - open - 1);
    char next = byte_at(s, s->at);
    if (next == '(') {
        if (destination(s, s->at + 1, true, &begin, &end, &after)) {
            add_link(s, begin, end, LINK_INLINE, image, 0);
            s->at = after;
        }
    } else if (next == ':' && inside.len <= LABEL_MOST && begins_line(s, open)) {
        if (destination(s, s->at + 1, false, &begin, &end, &after)) {
            add_link(s, begin, end, LINK_REFERENCE, false, label_hash(inside));
            s->at = after;
        }
    } else if (image && next == '[') {
        size_t stop = s->at + 1;
        while (stop < s->text.len && stop - s->at <= LABEL_MOST && s->text.at[stop] != ']')
            stop++;
        struct span label = span_sub(s->text, s->at + 1, stop - s->at - 1);
        use_image(s, label.len ? label : inside);
    } else if (image) {
        use_image(s, inside);
    }
}

/* ---- HTML ---- */

/* The value of an attribute at `at`, behind "=": quoted or not. */
static size_t attribute_end(struct scan *s, size_t at, size_t *begin, size_t *end)
{
    char quote = byte_at(s, at);
    if (quote != '"' && quote != '\'') {
        *begin = *end = at;
        while (*end < s->text.len && !is_space(s->text.at[*end]) && s->text.at[*end] != '>')
            (*end)++;
        return *end;
    }
    *begin = at + 1;
    bool *none = &s->no_quote[quote == '"'];
    struct span rest = span_sub(s->text, *begin, s->text.len);
    size_t len = *none ? rest.len : span_find_byte(rest, quote);
    *none = len == rest.len;
    *end = *begin + (*none ? 0 : len);
    return *none ? *begin : *end + 1;
}

static bool is_url_attribute(struct span name)
{
    static const char *const names[] = {"src",  "href",      "srcset",     "poster",
                                        "data", "action",    "formaction", "background",
                                        "ping", "xlink:href"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (span_equal_nocase(name, span_of(names[i])))
            return true;
    return false;
}

/* A tag: its attributes that hold an address. What a person must click is no image. */
static void tag(struct scan *s)
{
    size_t at = s->at + 1;
    while (byte_is(byte_at(s, at), BYTE_WORD))
        at++;
    struct span name = span_sub(s->text, s->at + 1, at - s->at - 1);
    bool click = span_equal_nocase(name, SPAN("a")) || span_equal_nocase(name, SPAN("area")) ||
                 span_equal_nocase(name, SPAN("form")) || span_equal_nocase(name, SPAN("button"));
    while (at < s->text.len && s->text.at[at] != '>' && s->text.at[at] != '<') {
        size_t from = at, begin, end;
        while (at < s->text.len && !is_space(s->text.at[at]) &&
               !ascii_is_one_of(s->text.at[at], "=<>/"))
            at++;
        struct span attribute = span_sub(s->text, from, at - from);
        size_t equals = at;
        while (is_space(byte_at(s, equals)))
            equals++;
        if (attribute.len == 0 || byte_at(s, equals) != '=') {
            at = attribute.len ? equals : at + 1;
            continue;
        }
        equals++;
        while (is_space(byte_at(s, equals)))
            equals++;
        at = attribute_end(s, equals, &begin, &end);
        if (is_url_attribute(attribute))
            add_link(s, begin, end, LINK_HTML, !click, 0);
    }
    s->at = at;
}

/* ---- bare ---- */

static bool link_is_scheme(struct span text, size_t at)
{
    return has_at(text, at, "https://") || has_at(text, at, "http://");
}

/* A URL that stands in the text by itself; what ends a sentence is no part of it. */
static void bare(struct scan *s, enum link_kind kind)
{
    size_t begin = s->at, end = begin, depth = 0;
    for (; end < s->text.len; end++) {
        char c = s->text.at[end];
        if (is_space(c) || ascii_is_one_of(c, "<>\"`|") || (c == ')' && depth == 0))
            break;
        depth += c == '(';
        depth -= c == ')';
    }
    s->at = end;
    while (end > begin && ascii_is_one_of(s->text.at[end - 1], ".,;:!?'*_~]"))
        end--;
    add_link(s, begin, end, kind, false, 0);
}

static bool is_bare(const struct scan *s)
{
    char c = ascii_lower(s->text.at[s->at]);
    return c == 'h' && link_is_scheme(s->text, s->at) &&
           (s->at == 0 || !byte_is(s->text.at[s->at - 1], BYTE_WORD));
}

/* ---- all ---- */

static void step(struct scan *s)
{
    char c = s->text.at[s->at], next = byte_at(s, s->at + 1);
    if (c == '\\' && next) {
        s->at += 2; /* an escaped bracket is text */
    } else if (c == '[') {
        open_bracket(s);
    } else if (c == ']') {
        close_bracket(s);
    } else if (c == '<' && link_is_scheme(s->text, s->at + 1)) {
        s->at++;
        bare(s, LINK_AUTOLINK);
    } else if (c == '<' && byte_is(next, BYTE_LETTER)) {
        tag(s);
    } else if (is_bare(s)) {
        bare(s, LINK_BARE);
    } else {
        s->at++;
    }
}

static int by_hash(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void links_find(struct span text, struct arena *arena, struct link **links, size_t *count,
                bool *capped)
{
    struct scan s = {.text = text, .arena = arena};
    while (s.at < text.len)
        step(&s);
    if (s.image_count)
        qsort(s.images, s.image_count, sizeof(*s.images), by_hash);
    for (size_t i = 0; i < s.count; i++)
        if (s.labels[i] && s.image_count &&
            bsearch(&s.labels[i], s.images, s.image_count, sizeof(*s.images), by_hash))
            s.links[i].image = true;
    *links = arena_array(arena, s.count, sizeof(**links));
    if (s.count)
        memcpy(*links, s.links, s.count * sizeof(**links));
    *count = s.count;
    *capped = s.capped;
    mem_free(s.links);
    mem_free(s.labels);
    mem_free(s.images);
}
