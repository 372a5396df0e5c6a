#include "ingest/places.h"

#include <glob.h>
#include <stdlib.h>

#include "base/span.h"

/* Takes the variable off the front: its value, or its default; else empty. */
static struct span take_variable(struct span *pattern, bool *from_user)
{
    *from_user = false;
    if (!span_starts_with(*pattern, SPAN("${")))
        return SPAN_EMPTY;
    char name[64];
    size_t end = span_find_byte(*pattern, '}'), middle = span_find(*pattern, SPAN(":-"));
    struct span word = span_sub(*pattern, 2, middle - 2);
    struct span fallback = span_sub(*pattern, middle + 2, end - middle - 2);
    *pattern = span_sub(*pattern, end + 1, pattern->len);
    if (word.len >= sizeof name)
        return fallback;
    memcpy(name, word.at, word.len);
    name[word.len] = '\0';
    const char *value = getenv(name);
    *from_user = value && *value;
    return *from_user ? span_of(value) : fallback;
}

void place_text(const char *pattern, struct buf *out)
{
    bool from_user;
    struct span rest = span_of(pattern);
    buf_add(out, take_variable(&rest, &from_user));
    buf_add(out, rest);
}

/* A folder's own name is no pattern. */
static void add_quoted(struct buf *out, struct span folder)
{
    for (size_t i = 0; i < folder.len; i++) {
        if (memchr("*?[]\\", folder.at[i], 5))
            buf_byte(out, '\\');
        buf_byte(out, folder.at[i]);
    }
}

bool place_pattern(const char *pattern, struct buf *out)
{
    bool from_user;
    const char *home = getenv("HOME");
    struct span rest = span_of(pattern), front = take_variable(&rest, &from_user);
    struct span *tilde = front.len ? &front : &rest;
    if (!from_user && span_starts_with(*tilde, SPAN("~/"))) {
        if (!home || !*home)
            return false;
        add_quoted(out, span_of(home));
        *tilde = span_sub(*tilde, 1, tilde->len);
    }
    if (from_user)
        add_quoted(out, front);
    else
        buf_add(out, front);
    buf_add(out, rest);
    return true;
}

size_t place_files(const char *pattern)
{
    struct buf path = {0};
    glob_t found;
    size_t count = 0;
    if (place_pattern(pattern, &path) && glob(buf_cstr(&path), GLOB_NOSORT, NULL, &found) == 0) {
        count = found.gl_pathc;
        globfree(&found);
    }
    buf_finish(&path);
    return count;
}
