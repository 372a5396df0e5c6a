#include "base/jsonr.h"
#include "model/trace/keep.h"

enum {
    POINTER_MOST = 4096
}; /* longer ones are left out: a hit has its place in the text as well */

/* Where the walk is: for each open value, how long its pointer is and the index of its element. */
struct walk {
    struct buf path;
    size_t *lengths;
    uint64_t *elements;
    bool *arrays;
    size_t depth, size;
};

static void walk_finish(struct walk *walk)
{
    buf_finish(&walk->path);
    mem_free(walk->lengths);
    mem_free(walk->elements);
    mem_free(walk->arrays);
}

static void walk_open(struct walk *walk, bool array)
{
    if (walk->depth == walk->size) {
        walk->size = walk->size ? walk->size * 2 : 16;
        walk->lengths = mem_resize(walk->lengths, walk->size * sizeof(*walk->lengths));
        walk->elements = mem_resize(walk->elements, walk->size * sizeof(*walk->elements));
        walk->arrays = mem_resize(walk->arrays, walk->size * sizeof(*walk->arrays));
    }
    walk->lengths[walk->depth] = walk->path.len;
    walk->elements[walk->depth] = 0;
    walk->arrays[walk->depth++] = array;
}

/* In an array the next value is the next element. */
static void walk_value(struct walk *walk)
{
    if (walk->depth == 0 || !walk->arrays[walk->depth - 1])
        return;
    walk->path.len = walk->lengths[walk->depth - 1];
    uint64_t element = walk->elements[walk->depth - 1]++;
    if (walk->path.len <= POINTER_MOST)
        buf_addf(&walk->path, "/%llu", (unsigned long long)element);
}

/* A member's name as a reference token (RFC 6901 §3). */
static void walk_name(struct walk *walk, struct span name)
{
    if (walk->depth == 0)
        return;
    walk->path.len = walk->lengths[walk->depth - 1];
    if (walk->path.len > POINTER_MOST)
        return;
    buf_byte(&walk->path, '/');
    struct jsonr_bytes bytes;
    jsonr_bytes_init(&bytes, name);
    for (char byte; walk->path.len <= POINTER_MOST && jsonr_bytes_next(&bytes, &byte);) {
        if (byte == '~')
            buf_puts(&walk->path, "~0");
        else if (byte == '/')
            buf_puts(&walk->path, "~1");
        else
            buf_byte(&walk->path, byte);
    }
}

/* Matches one string, number or name, and moves its hits to where it stands. */
static void walk_leaf(struct trace *trace, const struct walk *walk, struct span json,
                      struct span leaf, unsigned flags, struct arena *arena, struct hit_list *hits)
{
    size_t before = hits->count;
    match_append(trace, leaf, flags | TRACE_IS_JSON, hits);
    if (hits->count == before)
        return;
    struct span path = buf_span(&walk->path);
    struct span pointer = path.len <= POINTER_MOST ? arena_copy(arena, path) : SPAN_EMPTY;
    for (size_t i = before; i < hits->count; i++) {
        hits->items[i].pointer = pointer;
        hits->items[i].at += (uint64_t)(leaf.at - json.at);
    }
}

/* False where the text is no JSON. */
static bool walk_json(struct trace *trace, struct span json, unsigned flags, struct arena *arena,
                      struct hit_list *hits)
{
    struct walk walk = {0};
    struct jsonr r;
    jsonr_init(&r, json);
    while (jsonr_next(&r) > JSONR_END) {
        switch (r.token) {
        case JSONR_OBJECT:
        case JSONR_ARRAY:
            walk_value(&walk);
            walk_open(&walk, r.token == JSONR_ARRAY);
            break;
        case JSONR_OBJECT_END:
        case JSONR_ARRAY_END:
            if (walk.depth == 0)
                break; /* the reader never gives that */
            walk.depth--;
            walk.path.len = walk.lengths[walk.depth];
            break;
        case JSONR_NAME:
            walk_name(&walk, r.value);
            if (r.value.len >= TRACE_SPAN)
                walk_leaf(trace, &walk, json, r.value, flags & ~(unsigned)TRACE_WANT_WORDS, arena,
                          hits);
            break;
        case JSONR_STRING:
        case JSONR_NUMBER:
            walk_value(&walk);
            walk_leaf(trace, &walk, json, r.value, flags, arena, hits);
            break;
        default:
            walk_value(&walk);
            break;
        }
    }
    bool valid = r.token == JSONR_END;
    jsonr_finish(&r);
    walk_finish(&walk);
    return valid;
}

void trace_match_json(struct trace *trace, struct span json, unsigned flags, struct arena *arena,
                      struct trace_found *found)
{
    struct hit_list hits = {0};
    if (!walk_json(trace, json, flags, arena, &hits)) {
        hits.count = 0;
        hits.capped = false;
        match_append(trace, json, flags, &hits);
    }
    hits_finish(trace, &hits, arena, found);
}
