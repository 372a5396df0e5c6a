/* Duplicate member names, found in one pass: the names of the open objects are kept on a stack,
 * and an object's own are compared when it closes. */
#include "base/jsonr.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

struct name {
    const char *at; /* NULL: the mark under the names of an object */
    size_t len;
    bool escaped;
};

struct names {
    struct name *at;
    size_t count, size;
};

static void push(struct names *names, struct name name)
{
    names->at = mem_one_more(names->at, names->count, &names->size, sizeof *names->at);
    names->at[names->count++] = name;
}

static struct span written(struct name name)
{
    return (struct span){name.at, name.len};
}

static int compare_decoded(struct span a, struct span b)
{
    struct jsonr_bytes left, right;
    jsonr_bytes_init(&left, a);
    jsonr_bytes_init(&right, b);
    for (;;) {
        char x = 0, y = 0;
        bool more_left = jsonr_bytes_next(&left, &x), more_right = jsonr_bytes_next(&right, &y);
        if (!more_left || !more_right)
            return more_left - more_right;
        if (x != y)
            return (unsigned char)x < (unsigned char)y ? -1 : 1;
    }
}

static int compare_names(struct name a, struct name b)
{
    if (a.escaped || b.escaped)
        return compare_decoded(written(a), written(b));
    return span_compare(written(a), written(b));
}

/* By name, and among equals as they stand in the text. */
static int compare_for_sort(const void *left, const void *right)
{
    const struct name *a = left, *b = right;
    int order = compare_names(*a, *b);
    return order ? order : a->at < b->at ? -1 : a->at > b->at;
}

enum { FEW = 8 };

/* The earliest name among these that repeats one before it, or `best` if that is earlier. */
static const char *first_repeat(struct name *names, size_t count, const char *best)
{
    if (count <= FEW) {
        for (size_t i = 1; i < count; i++)
            for (size_t j = 0; j < i; j++)
                if (compare_names(names[i], names[j]) == 0 && (!best || names[i].at < best))
                    best = names[i].at;
        return best;
    }
    qsort(names, count, sizeof *names, compare_for_sort);
    for (size_t i = 1; i < count; i++)
        if (compare_names(names[i], names[i - 1]) == 0 && (!best || names[i].at < best))
            best = names[i].at;
    return best;
}

/* Takes the names of the object that closes off the stack, and its mark. */
static const char *pop_object(struct names *names, const char *best)
{
    assert(names->count > 0 && names->at); /* the mark at least */
    size_t first = names->count;
    while (first > 0 && names->at[first - 1].at)
        first--;
    best = first_repeat(names->at + first, names->count - first, best);
    names->count = first - 1;
    return best;
}

bool jsonr_duplicate(struct span value, size_t *at)
{
    struct jsonr r;
    struct names names = {0};
    const char *best = NULL;
    jsonr_init(&r, value);
    while (jsonr_next(&r) > JSONR_END) {
        if (r.token == JSONR_OBJECT)
            push(&names, (struct name){.at = NULL});
        else if (r.token == JSONR_NAME)
            push(&names, (struct name){r.value.at, r.value.len, r.escaped});
        else if (r.token == JSONR_OBJECT_END)
            best = pop_object(&names, best);
    }
    mem_free(names.at);
    if (best && at)
        *at = (size_t)(best - value.at) - 1; /* of its quote */
    return best != NULL;
}
