#include "model/findings/strings.h"

#include "base/jsonr.h"

struct strings_level {
    size_t pointer; /* length of the pointer to the container */
    size_t index;
    bool object;
};

struct reading {
    struct strings *out;
    struct arena *arena;
    struct buf pointer;
    struct strings_level *levels;
    size_t depth, size;
};

enum { POINTER_MAX = 1024, LEVELS_MAX = 256 };

static void pointer_name(struct buf *pointer, struct span name)
{
    struct buf text = {0};
    jsonr_name(name, &text, NULL);
    buf_byte(pointer, '/');
    for (size_t i = 0; i < text.len && i < POINTER_MAX; i++) {
        if (text.at[i] == '~')
            buf_puts(pointer, "~0");
        else if (text.at[i] == '/')
            buf_puts(pointer, "~1");
        else
            buf_byte(pointer, text.at[i]);
    }
    buf_finish(&text);
}

static void strings_add(struct reading *r, struct span text, size_t offset, struct span pointer,
                        struct span written, struct span body)
{
    struct strings *out = r->out;
    out->items = mem_one_more(out->items, out->count, &out->size, sizeof *out->items);
    out->items[out->count++] = (struct string_at){arena_copy(r->arena, pointer), text, offset,
                                                  (size_t)(written.at - body.at), written.len};
}

/* Before a value: an element of an array gets its index into the pointer. */
static void value_begins(struct reading *r)
{
    struct strings_level *top = r->depth ? &r->levels[r->depth - 1] : NULL;
    if (top && !top->object) {
        r->pointer.len = top->pointer;
        buf_addf(&r->pointer, "/%zu", top->index++);
    }
}

static void strings_push(struct reading *r, bool object)
{
    r->levels = mem_one_more(r->levels, r->depth, &r->size, sizeof *r->levels);
    r->levels[r->depth++] = (struct strings_level){r->pointer.len, 0, object};
}

static bool text_add(struct reading *r, struct span value, struct span body)
{
    size_t before = r->out->bytes.len;
    jsonr_string((struct span){value.at - 1, value.len + 2}, &r->out->bytes, NULL);
    /* The buffer may move: offsets now, addresses at the end. */
    strings_add(r, (struct span){"", r->out->bytes.len - before}, before, buf_span(&r->pointer),
                value, body);
    return r->out->count < STRINGS_MAX;
}

static void walk(struct reading *r, struct span body)
{
    struct jsonr json;
    bool more = true;
    jsonr_init(&json, body);
    for (enum jsonr_token token; more && (token = jsonr_next(&json)) > JSONR_END;) {
        switch (token) {
        case JSONR_NAME:
            r->pointer.len = r->levels[r->depth - 1].pointer;
            pointer_name(&r->pointer, json.value);
            break;
        case JSONR_OBJECT:
        case JSONR_ARRAY:
            value_begins(r);
            if (json.depth > LEVELS_MAX || r->pointer.len > POINTER_MAX) {
                more = jsonr_skip(&json, NULL); /* nobody reads text that deep */
                break;
            }
            strings_push(r, token == JSONR_OBJECT);
            break;
        case JSONR_OBJECT_END:
        case JSONR_ARRAY_END:
            r->depth--;
            break;
        case JSONR_STRING:
            value_begins(r);
            more = text_add(r, json.value, body);
            break;
        default:
            value_begins(r);
        }
    }
    jsonr_finish(&json);
}

void strings_read(struct strings *strings, struct span body, struct arena *arena)
{
    struct reading r = {.out = strings, .arena = arena};
    struct span trimmed = span_trim(body);
    strings->count = 0;
    buf_clear(&strings->bytes);
    if (!jsonr_is_object(trimmed) && !jsonr_is_array(trimmed) && !jsonr_is_string(trimmed)) {
        strings_add(&r, body, 0, SPAN_EMPTY, body, body);
        return;
    }
    walk(&r, body);
    for (size_t i = 0; i < strings->count; i++) {
        struct string_at *s = &strings->items[i];
        s->text = span_sub(buf_span(&strings->bytes), s->offset, s->text.len);
    }
    if (!strings->count && !jsonr_valid(body, NULL, NULL)) /* text that only begins like JSON */
        strings_add(&r, body, 0, SPAN_EMPTY, body, body);
    buf_finish(&r.pointer);
    mem_free(r.levels);
}

void strings_finish(struct strings *strings)
{
    mem_free(strings->items);
    buf_finish(&strings->bytes);
    *strings = (struct strings){0};
}
