/*
 * A span is bytes that came from data: somewhere, so many, never NUL-terminated,
 * never assumed to be text, and never shown except through base/text.h.
 * A plain `const char *` in this program is always ours.
 *
 * A span owns nothing; it is valid as long as what it points into.
 */
#ifndef STRANDLINE_BASE_SPAN_H
#define STRANDLINE_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/attr.h"

struct span {
    const char *at;
    size_t len;
};

#define SPAN_EMPTY    ((struct span){"", 0})
#define SPAN(literal) ((struct span){"" literal, sizeof(literal) - 1})
/* The same as an initialiser, for static tables. */
/* clang-format off */
#define SPAN_INIT(literal) {"" literal, sizeof(literal) - 1}
/* clang-format on */

/* For printf's "%.*s" in OUR formats only; data goes through text_safe(). */
#define SPAN_ARG(s) (int)(s).len, (s).at

static inline struct span span_of(const char *cstr)
{
    return (struct span){cstr ? cstr : "", cstr ? strlen(cstr) : 0};
}

static inline struct span span_from(const char *begin, const char *end)
{
    return (struct span){begin, (size_t)(end - begin)};
}

static inline bool span_is_empty(struct span s)
{
    return s.len == 0;
}

static inline bool span_equal(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Is s exactly the C string `word`? */
static inline bool span_is(struct span s, const char *word)
{
    return span_equal(s, span_of(word));
}

/* The part from `offset` of at most `len` bytes, clipped to s. */
static inline struct span span_sub(struct span s, size_t offset, size_t len)
{
    if (offset > s.len)
        offset = s.len;
    if (len > s.len - offset)
        len = s.len - offset;
    return (struct span){offset ? s.at + offset : s.at, len}; /* no sum with NULL */
}

/* Bytewise; every span starts and ends with the empty one. */
bool span_starts_with(struct span s, struct span prefix);
bool span_ends_with(struct span s, struct span suffix);
/* Offset of the first `byte` or of the first `needle`; s.len where there is none. */
size_t span_find_byte(struct span s, char byte);
size_t span_find(struct span s, struct span needle);
/* How often the byte stands in s. */
size_t span_count_byte(struct span s, char byte);
/* Without white space (space, tab, CR, LF) at both ends. */
struct span span_trim(struct span s);
/* Bytewise order, shorter first among equals: <0, 0, >0. */
int span_compare(struct span a, struct span b);
/* ASCII letters compared without case. */
bool span_equal_nocase(struct span a, struct span b);
/* Non-negative decimal integer, all of s; false on anything else or overflow. */
bool span_to_u64(struct span s, unsigned long long *value);

#endif
