/* Picking members, elements and scalars out of raw value ranges. */
#include "base/ascii.h"
#include "base/jsonr.h"

#include "base/jsonr_scan.h"

enum jsonr_token jsonr_type(struct span value)
{
    if (value.len == 0)
        return JSONR_ERROR;
    switch (value.at[0]) {
    case '"':
        return JSONR_STRING;
    case '{':
        return JSONR_OBJECT;
    case '[':
        return JSONR_ARRAY;
    case 't':
        return JSONR_TRUE;
    case 'f':
        return JSONR_FALSE;
    case 'n':
        return JSONR_NULL;
    default:
        return value.at[0] == '-' || (value.at[0] >= '0' && value.at[0] <= '9') ? JSONR_NUMBER
                                                                                : JSONR_ERROR;
    }
}

/* ---- walking a container whose text is known to be valid ---- */

/* The closing quote of the string whose text starts at `at`, or end. */
static const char *find_quote(const char *at, const char *end)
{
    while (end - at > SCAN_BLOCK) { /* there is a byte behind the block, for an escape across */
        uint64_t mask = scan_block_quote(at);
        const char *next = at + SCAN_BLOCK;
        while (mask) {
            size_t place = scan_first(mask);
            if (at[place] == '"')
                return at + place;
            if (place == SCAN_BLOCK - 1)
                next++;
            mask = scan_without_pair(mask, place);
        }
        at = next;
    }
    while (at < end && *at != '"')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at;
}

/* Behind the object or array that starts at `at`; NULL where the text ends inside it. */
static const char *behind_container(const char *at, const char *end)
{
    size_t depth = 0;
    while ((at = scan_nesting(at, end)) < end) {
        char c = *at++;
        if (c == '"') {
            at = find_quote(at, end);
            if (at == end)
                return NULL;
            at++;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (--depth == 0) {
            return at;
        }
    }
    return NULL;
}

static bool ends_scalar(char c)
{
    return c == ',' || c == '}' || c == ']' || ascii_is_blank(c);
}

/* Behind the value that starts at `at`, which is before end; NULL where there is none. */
static const char *behind_value(const char *at, const char *end)
{
    if (*at == '"') {
        at = find_quote(at + 1, end);
        return at < end ? at + 1 : NULL;
    }
    if (*at == '{' || *at == '[')
        return behind_container(at, end);
    const char *begin = at;
    while (at < end && !ends_scalar(*at))
        at++;
    return at > begin ? at : NULL;
}

void jsonr_items_init(struct jsonr_items *items, struct span container)
{
    *items = (struct jsonr_items){.rest = {container.at, 0}, .object = jsonr_is_object(container)};
    if (items->object || jsonr_is_array(container))
        items->rest = span_sub(container, 1, container.len);
}

/* Takes a name and its colon off `at`; NULL where there is none. */
static const char *take_item_name(struct jsonr_items *items, const char *at, const char *end)
{
    if (*at != '"')
        return NULL;
    const char *quote = find_quote(at + 1, end);
    if (quote == end)
        return NULL;
    items->name = span_from(at + 1, quote);
    at = scan_white(quote + 1, end);
    if (at == end || *at != ':')
        return NULL;
    at = scan_white(at + 1, end);
    return at < end ? at : NULL;
}

static bool stop(struct jsonr_items *items)
{
    items->rest.len = 0;
    return false;
}

bool jsonr_items_next(struct jsonr_items *items)
{
    const char *end = items->rest.at + items->rest.len;
    const char *at = scan_white(items->rest.at, end);
    if (at == end || *at == '}' || *at == ']')
        return stop(items);
    if (items->object) {
        at = take_item_name(items, at, end);
        if (!at)
            return stop(items);
    }
    const char *behind = behind_value(at, end);
    if (!behind)
        return stop(items);
    items->value = span_from(at, behind);
    at = scan_white(behind, end);
    if (at < end && *at == ',')
        at++;
    else
        at = end; /* the closing bracket was next, or the text is not valid: no more in any case */
    items->rest = span_from(at, end);
    return true;
}

bool jsonr_member(struct span object, const char *name, struct span *value)
{
    bool found = false;
    struct span wanted = span_of(name);
    struct jsonr_items items;
    if (!jsonr_is_object(object))
        return false;
    for (jsonr_items_init(&items, object); jsonr_items_next(&items);) {
        if (jsonr_name_is(items.name, wanted)) {
            *value = items.value;
            found = true;
        }
    }
    return found;
}

/* ---- RFC 6901 ---- */

static bool element(struct span array, struct span token, struct span *value)
{
    unsigned long long wanted, index = 0;
    struct jsonr_items items;
    if (!span_to_u64(token, &wanted) || (token.len > 1 && token.at[0] == '0'))
        return false;
    for (jsonr_items_init(&items, array); jsonr_items_next(&items); index++) {
        if (index == wanted) {
            *value = items.value;
            return true;
        }
    }
    return false;
}

/* Section 4: ~1 is a slash and ~0 a tilde; anything else behind a tilde is an error. */
static bool valid_token(struct span token)
{
    for (size_t i = 0; i < token.len; i++)
        if (token.at[i] == '~' && (i + 1 == token.len || (token.at[i + 1] & ~1) != '0'))
            return false;
    return true;
}

/* Is the name (as written) what the token (as written) stands for? */
static bool name_is_token(struct span name, struct span token)
{
    struct jsonr_bytes bytes;
    char byte;
    jsonr_bytes_init(&bytes, name);
    for (size_t i = 0; i < token.len; i++) {
        char wanted = token.at[i];
        if (wanted == '~')
            wanted = token.at[++i] == '1' ? '/' : '~';
        if (!jsonr_bytes_next(&bytes, &byte) || byte != wanted)
            return false;
    }
    return !jsonr_bytes_next(&bytes, &byte);
}

static bool member_by_token(struct span object, struct span token, struct span *value)
{
    bool found = false, plain = span_find_byte(token, '~') == token.len;
    struct jsonr_items items;
    for (jsonr_items_init(&items, object); jsonr_items_next(&items);) {
        if (plain ? jsonr_name_is(items.name, token) : name_is_token(items.name, token)) {
            *value = items.value;
            found = true;
        }
    }
    return found;
}

bool jsonr_pointer(struct span doc, struct span pointer, struct span *value)
{
    struct span here = span_trim(doc);
    while (pointer.len) {
        if (pointer.at[0] != '/')
            return false;
        pointer = span_sub(pointer, 1, pointer.len);
        struct span token = span_sub(pointer, 0, span_find_byte(pointer, '/'));
        pointer = span_sub(pointer, token.len, pointer.len);
        bool found = false;
        if (!valid_token(token))
            return false;
        if (jsonr_is_object(here))
            found = member_by_token(here, token, &here);
        else if (jsonr_is_array(here))
            found = element(here, token, &here);
        if (!found)
            return false;
    }
    *value = here;
    return here.len > 0;
}

/* ---- scalars ---- */

bool jsonr_int(struct span value, int64_t *number)
{
    bool minus = value.len && value.at[0] == '-';
    struct span digits = span_sub(value, minus, value.len);
    unsigned long long size;
    if (!span_to_u64(digits, &size) || (digits.len > 1 && digits.at[0] == '0'))
        return false;
    if (size > (unsigned long long)INT64_MAX + minus)
        return false;
    *number = minus ? (int64_t)(0 - size) : (int64_t)size;
    return true;
}
