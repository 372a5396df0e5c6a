#include "model/flow/parties.h"

#include <string.h>

#include "base/ascii.h"
#include "base/jsonr.h"
#include "base/mem.h"
#include "model/flow/match.h"

enum {
    PARTIES_MEMBERS = 32,  /* of a rule that are looked at */
    PARTIES_PENDING = 4096 /* containers of a result that wait; beyond, nothing is known */
};

struct parties {
    struct label_pool *pool;
    const struct span *members;
    size_t member_count;
    set_id readers; /* of all items so far */
    bool any;       /* there was an item */
};

static bool is_party(const struct parties *p, struct span name, size_t *which)
{
    for (*which = 0; *which < p->member_count; ++*which)
        if (span_equal(p->members[*which], name))
            return true;
    return false;
}

/* One item is over; these are its parties. */
static bool take_item(struct parties *p, set_id item)
{
    if (!set_size(p->pool, item))
        return false;
    p->readers = p->any ? set_intersect(p->pool, p->readers, item) : item;
    p->any = true;
    return true;
}

static void add_people(struct parties *p, set_id *item, struct span text)
{
    struct span address;
    while (address_next(&text, &address))
        *item = set_add(p->pool, *item, address);
}

/* ---- JSON ---- */

static void json_person(struct parties *p, set_id *item, struct span value)
{
    struct buf text = {0};
    struct span address;
    if (jsonr_is_object(value) &&
        (jsonr_member(value, "email", &address) || jsonr_member(value, "address", &address)))
        value = address;
    if (jsonr_is_string(value) && json_text(value, &text))
        add_people(p, item, buf_span(&text));
    buf_finish(&text);
}

static void json_party(struct parties *p, set_id *item, struct span value)
{
    struct jsonr_items items;
    struct span ignored;
    if (jsonr_is_array(value)) {
        for (jsonr_items_init(&items, value); jsonr_items_next(&items);)
            json_person(p, item, items.value);
        return;
    }
    if (!jsonr_is_object(value) || jsonr_member(value, "email", &ignored) ||
        jsonr_member(value, "address", &ignored)) {
        json_person(p, item, value);
        return;
    }
    struct buf text = {0};
    for (jsonr_items_init(&items, value); jsonr_items_next(&items);) {
        buf_clear(&text);
        buf_addf(&text, "\"%.*s\"", SPAN_ARG(items.name));
        json_person(p, item, buf_span(&text));
    }
    buf_finish(&text);
}

/* An object that has such members is an item; false of others. Good, unless they name nobody. */
static bool json_item(struct parties *p, struct span object, bool *good)
{
    struct jsonr_items items;
    set_id item = 0;
    bool found = false;
    for (jsonr_items_init(&items, object); jsonr_items_next(&items);)
        for (size_t i = 0; i < p->member_count; i++)
            if (jsonr_name_is(items.name, p->members[i])) {
                found = true;
                json_party(p, &item, items.value);
            }
    *good = !found || take_item(p, item);
    return found;
}

struct container {
    struct span value;
    bool inside; /* of an item: its other members are read by its parties */
};

/* Lists of items, and objects around them that hold nothing else that somebody could read. An item
 * inside an item, as a mail in a thread, counts as well. */
static bool json_document(struct parties *p, struct span document)
{
    struct container *pending = NEW_ARRAY(struct container, PARTIES_PENDING);
    size_t count = 1;
    bool good = true;
    pending[0] = (struct container){document, false};
    while (good && count) {
        struct container at = pending[--count];
        struct jsonr_items items;
        if (jsonr_is_object(at.value) && json_item(p, at.value, &good))
            at.inside = true;
        for (jsonr_items_init(&items, at.value); good && jsonr_items_next(&items);) {
            if (jsonr_is_object(items.value) || jsonr_is_array(items.value)) {
                good = count < PARTIES_PENDING;
                if (good)
                    pending[count++] = (struct container){items.value, at.inside};
            } else {
                good = at.inside || !jsonr_is_string(items.value);
            }
        }
    }
    mem_free(pending);
    return good;
}

/* ---- YAML, as far as it is printed for lists of mappings ---- */

enum yaml_due { YAML_NOTHING, YAML_OTHER, YAML_PARTY }; /* of the member at hand, what may follow */

struct yaml {
    struct parties *p;
    size_t base; /* where members stand: 2 in a list of mappings, else 0 */
    set_id item;
    bool open;
    uint32_t seen; /* parties of the item that were there: a second one is no YAML */
    enum yaml_due due;
};

static struct span yaml_scalar(struct span text)
{
    text = span_trim(text);
    bool quoted = text.len > 1 && (text.at[0] == '\'' || text.at[0] == '"') &&
                  text.at[text.len - 1] == text.at[0];
    return quoted ? span_sub(text, 1, text.len - 2) : text;
}

/* "name: value"; a name is one word. */
static bool yaml_member(struct span line, struct span *name, struct span *value)
{
    size_t end = 0;
    while (end < line.len && (ascii_is_alnum(line.at[end]) || ascii_is_one_of(line.at[end], "_-")))
        end++;
    if (!end || end == line.len || line.at[end] != ':' ||
        (end + 1 < line.len && line.at[end + 1] != ' '))
        return false;
    *name = span_sub(line, 0, end);
    *value = span_trim(span_sub(line, end + 1, line.len));
    return true;
}

static bool yaml_take_member(struct yaml *y, struct span line)
{
    struct span name, value;
    size_t which;
    if (!yaml_member(line, &name, &value))
        return false;
    y->open = true;
    y->due = value.len ? YAML_NOTHING : YAML_OTHER;
    if (!is_party(y->p, name, &which))
        return true;
    if (y->seen & (1u << which))
        return false;
    y->seen |= 1u << which;
    if (!value.len)
        y->due = YAML_PARTY;
    else if (!span_is(value, "[]") && !span_is(value, "{}") && !span_is(value, "null"))
        add_people(y->p, &y->item, yaml_scalar(value));
    return true;
}

static bool yaml_end_item(struct yaml *y)
{
    bool good = !y->open || take_item(y->p, y->item);
    y->open = false;
    y->item = 0;
    y->seen = 0;
    y->due = YAML_NOTHING;
    return good;
}

static bool is_dash(struct span line)
{
    return line.len > 1 && line.at[0] == '-' && line.at[1] == ' ';
}

/* Something deeper than the members: an element, a name of a mapping, or more of a value. */
static void yaml_below(struct yaml *y, struct span line)
{
    if (y->due != YAML_PARTY)
        return;
    struct span who = is_dash(line) ? span_sub(line, 2, line.len)
                                    : span_sub(line, 0, span_find(line, SPAN(": ")));
    add_people(y->p, &y->item, yaml_scalar(who));
}

static bool yaml_line(struct yaml *y, struct span line)
{
    size_t indent = 0;
    while (indent < line.len && line.at[indent] == ' ')
        indent++;
    struct span rest = span_sub(line, indent, line.len);
    if (!span_trim(rest).len)
        return true;
    if (y->base && !indent)
        return is_dash(rest) && yaml_end_item(y) &&
               yaml_take_member(y, span_sub(rest, 2, rest.len));
    if (indent < y->base)
        return false;
    if (indent > y->base || is_dash(rest)) {
        if (indent == y->base && y->due == YAML_NOTHING)
            return false;
        yaml_below(y, rest);
        return true;
    }
    return yaml_take_member(y, rest);
}

static bool yaml_document(struct parties *p, struct span text)
{
    struct yaml y = {.p = p, .base = is_dash(text) ? 2 : 0};
    while (text.len) {
        size_t end = span_find_byte(text, '\n');
        if (!yaml_line(&y, span_sub(text, 0, end)))
            return false;
        text = span_sub(text, end + 1, text.len);
    }
    return yaml_end_item(&y);
}

/* ---- what MCP wraps around it ---- */

static bool parties_text(struct parties *p, struct span text)
{
    if (!jsonr_is_object(text) && !jsonr_is_array(text))
        return yaml_document(p, text);
    return jsonr_valid(text, NULL, NULL) && json_document(p, text);
}

/* A list of content blocks, each of which is such a text. */
static bool parties_blocks(struct parties *p, struct span blocks)
{
    struct jsonr_items items;
    struct buf text = {0};
    bool good = true;
    for (jsonr_items_init(&items, blocks); good && jsonr_items_next(&items);) {
        struct span type, value;
        buf_clear(&text);
        good = jsonr_is_object(items.value) && jsonr_member(items.value, "type", &type) &&
               jsonr_string_is(type, "text") && jsonr_member(items.value, "text", &value) &&
               jsonr_is_string(value) && jsonr_string(value, &text, NULL) &&
               parties_text(p, buf_span(&text));
    }
    buf_finish(&text);
    return good;
}

static bool is_blocks(struct span value)
{
    struct jsonr_items items;
    struct span type;
    if (!jsonr_is_array(value))
        return false;
    jsonr_items_init(&items, value);
    return jsonr_items_next(&items) && jsonr_is_object(items.value) &&
           jsonr_member(items.value, "type", &type) && jsonr_member(items.value, "text", &type);
}

static bool parties_body(struct parties *p, struct span body)
{
    struct span blocks, structured;
    body = span_trim(body);
    if (!jsonr_is_object(body) && !jsonr_is_array(body))
        return parties_text(p, body);
    if (!jsonr_valid(body, NULL, NULL))
        return false;
    if (is_blocks(body))
        return parties_blocks(p, body);
    if (!jsonr_is_object(body) || !jsonr_member(body, "content", &blocks) || !is_blocks(blocks))
        return json_document(p, body);
    return parties_blocks(p, blocks) &&
           (!jsonr_member(body, "structuredContent", &structured) || json_document(p, structured));
}

bool parties_read(struct label_pool *pool, struct span body, const struct span *members,
                  size_t member_count, set_id *readers)
{
    struct parties p = {.pool = pool,
                        .members = members,
                        .member_count =
                            member_count < PARTIES_MEMBERS ? member_count : PARTIES_MEMBERS};
    if (!parties_body(&p, body) || !p.any)
        return false;
    *readers = p.readers;
    return true;
}
