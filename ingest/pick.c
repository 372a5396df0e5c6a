#include "ingest/pick.h"

#include "base/timefmt.h"

/* Is the name that word? Most are told apart by their first byte. A name may hold a NUL, where the
 * text was not valid JSON. */
static bool is_word(struct span name, const char *word)
{
    return name.len && *name.at == *word && span_is(name, word);
}

static void put(struct span name, bool escaped, struct span value, const char *const *names,
                struct span *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (escaped ? jsonr_name_is(name, span_of(names[i])) : is_word(name, names[i])) {
            values[i] = value;
            return;
        }
    }
}

bool pick_valid(struct span text, const char *const *names, struct span *values, size_t count,
                struct pick_fault *fault)
{
    struct jsonr r;
    memset(values, 0, count * sizeof *values);
    jsonr_init(&r, text);
    bool object = jsonr_next(&r) == JSONR_OBJECT;
    while (object && jsonr_next(&r) == JSONR_NAME) {
        struct span name = r.value, value;
        bool escaped = r.escaped;
        if (!jsonr_skip(&r, &value))
            break;
        put(name, escaped, value, names, values, count);
    }
    bool whole = object && r.token == JSONR_OBJECT_END && jsonr_next(&r) == JSONR_END;
    *fault = (struct pick_fault){r.token == JSONR_ERROR ? r.fault : JSONR_OK, r.fault_at};
    jsonr_finish(&r);
    return whole;
}

bool pick_unit(const struct unit *unit, struct outlet *out, const char *const *names,
               struct span *values, size_t count)
{
    struct pick_fault fault;
    struct span text = span_trim(unit->text);
    if (!text.len)
        return false;
    if (pick_valid(text, names, values, count, &fault))
        return true;
    size_t start = (size_t)(text.at - unit->text.at);
    if (fault.fault)
        outlet_bad(out, start + fault.at, jsonr_fault_text(fault.fault));
    else
        outlet_bad(out, start, "no JSON object");
    return false;
}

void pick(struct span object, const char *const *names, struct span *values, size_t count)
{
    memset(values, 0, count * sizeof *values);
    if (!jsonr_is_object(object))
        return;
    struct jsonr_items items;
    jsonr_items_init(&items, object);
    while (jsonr_items_next(&items)) {
        bool escaped = memchr(items.name.at, '\\', items.name.len);
        put(items.name, escaped, items.value, names, values, count);
    }
}

struct span pick_string(struct span value, struct arena *arena)
{
    struct span text;
    if (jsonr_plain_string(value, &text))
        return text;
    struct buf buf = {0};
    if (!jsonr_is_string(value) || !jsonr_string(value, &buf, NULL)) {
        buf_finish(&buf);
        return SPAN_EMPTY;
    }
    text = arena_copy(arena, buf_span(&buf));
    buf_finish(&buf);
    return text;
}

bool pick_true(struct span value)
{
    return span_is(value, "true");
}

void pick_time(struct span value, struct record *record)
{
    struct span text = value;
    struct moment when;
    bool string = jsonr_plain_string(value, &text);
    if (!value.len || !((string && time_parse(text, &when)) || time_parse_epoch(text, &when)))
        return;
    record->time_ns = when.ns;
    record->time_digits = when.digits;
}
