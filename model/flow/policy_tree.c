#include "model/flow/policy_tree.h"

#include <stdio.h>

#include "base/jsonr.h"

/* ---- the text ---- */

/* A copy with comments and nothing else turned into spaces; line breaks stay. */
static void blank_comments(struct span text, struct buf *out)
{
    buf_add(out, text);
    char *at = out->at, *end = out->at + out->len;
    while (at < end) {
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++)
                at += *at == '\\' && at + 1 < end;
            at += at < end;
        } else if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n')
                *at++ = ' ';
        } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
            at[0] = at[1] = ' ';
            for (at += 2; at < end && !(end - at >= 2 && at[0] == '*' && at[1] == '/'); at++)
                if (*at != '\n')
                    *at = ' ';
            for (int i = 0; i < 2 && at < end; i++)
                *at++ = ' ';
        } else {
            at++;
        }
    }
}

/* A member that stands there twice means two things to two readers. */
static bool fail_twice(const struct tree *r, size_t at)
{
    char where[ERR_TEXT];
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += r->text.at[i] == '\n';
    snprintf(where, sizeof where, "%s:%zu", r->where, line);
    struct span name = span_sub(r->text, at, r->text.len);
    struct jsonr json;
    jsonr_init(&json, name);
    if (jsonr_next(&json) == JSONR_STRING)
        name = span_sub(json.value, 0, 80);
    jsonr_finish(&json);
    return err_set(r->err, ERR_USAGE, where, "keep one of them",
                   "a member that stands there twice: %.*s", SPAN_ARG(name));
}

static bool strict(struct tree *r)
{
    struct jsonr json;
    size_t at;
    jsonr_init(&json, r->text);
    while (jsonr_next(&json) > JSONR_END)
        ;
    bool good = json.token == JSONR_END;
    if (!good)
        jsonr_fail(&json, r->where, r->err);
    jsonr_finish(&json);
    if (!good) {
        r->err->kind = ERR_USAGE; /* not a log, but a file of the user's own */
        return false;
    }
    return !jsonr_duplicate(r->text, &at) || fail_twice(r, at);
}

bool tree_parse(struct tree *tree, struct span text)
{
    blank_comments(text, &tree->blanked);
    tree->text = buf_span(&tree->blanked);
    if (!strict(tree))
        return false;
    if (tree->text.len > INT32_MAX || memchr(tree->text.at, '\0', tree->text.len))
        return tree_fail(tree, "keep it short", "the text is too long, or holds a NUL");
    json_tokener *tokener = json_tokener_new();
    if (!tokener)
        mem_exhausted();
    tree->root = json_tokener_parse_ex(tokener, tree->text.at, (int)tree->text.len);
    if (!tree->root)
        tree_fail(tree, "nest less deep", "%s",
                  json_tokener_error_desc(json_tokener_get_error(tokener)));
    json_tokener_free(tokener);
    return tree->root;
}

void tree_finish(struct tree *tree)
{
    json_object_put(tree->root);
    buf_finish(&tree->blanked);
    buf_finish(&tree->path);
}

/* ---- errors that name file, line and member ---- */

void tree_where(const struct tree *r, struct buf *out)
{
    struct span value = SPAN_EMPTY;
    buf_puts(out, r->where);
    if (jsonr_pointer(r->text, (struct span){r->path.at ? r->path.at : "", r->path.len}, &value)) {
        size_t line = 1;
        for (const char *at = r->text.at; at < value.at; at++)
            line += *at == '\n';
        buf_addf(out, ":%zu", line);
    }
    if (r->path.len) {
        buf_puts(out, ": ");
        buf_add(out, buf_span(&r->path));
    }
}

bool tree_fail(struct tree *r, const char *todo, const char *format, ...)
{
    struct buf where = {0}, what = {0};
    va_list args;
    tree_where(r, &where);
    va_start(args, format);
    buf_addv(&what, format, args);
    va_end(args);
    err_set(r->err, ERR_USAGE, buf_cstr(&where), todo, "%s", buf_cstr(&what));
    buf_finish(&where);
    buf_finish(&what);
    return false;
}

/* ---- the path ---- */

size_t tree_enter(struct tree *r, const char *name)
{
    size_t length = r->path.len;
    buf_byte(&r->path, '/');
    for (; *name; name++) {
        if (*name == '~')
            buf_puts(&r->path, "~0");
        else if (*name == '/')
            buf_puts(&r->path, "~1");
        else
            buf_byte(&r->path, *name);
    }
    return length;
}

size_t tree_enter_index(struct tree *r, size_t index)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", index);
    return tree_enter(r, number);
}

void tree_leave(struct tree *r, size_t length)
{
    r->path.len = length;
}

/* ---- scalars ---- */

struct span tree_copy(struct tree *r, json_object *value)
{
    struct span s = {json_object_get_string(value), (size_t)json_object_get_string_len(value)};
    return arena_copy(&r->policy->arena, s);
}

bool tree_is_string(json_object *value)
{
    return json_object_is_type(value, json_type_string);
}

bool tree_string(struct tree *r, json_object *value, struct span *out)
{
    if (!tree_is_string(value))
        return tree_fail(r, "write it in quotes", "not a string");
    *out = tree_copy(r, value);
    return true;
}

bool tree_bool(struct tree *r, json_object *value, bool *out)
{
    if (!json_object_is_type(value, json_type_boolean))
        return tree_fail(r, "write true or false", "not a boolean");
    *out = json_object_get_boolean(value);
    return true;
}

/* One of a list of words that ends with NULL; *out is which. */
bool tree_word(struct tree *r, json_object *value, const char *const *words, int *out)
{
    struct buf todo = {0};
    for (int i = 0; words[i]; i++) {
        if (tree_is_string(value) && strcmp(json_object_get_string(value), words[i]) == 0) {
            *out = i;
            buf_finish(&todo);
            return true;
        }
        buf_addf(&todo, "%s\"%s\"", i ? ", " : "write one of ", words[i]);
    }
    tree_fail(r, buf_cstr(&todo), "not a word that is known here");
    buf_finish(&todo);
    return false;
}

/* A string, or a list of strings. */
bool tree_strings(struct tree *r, json_object *value, struct span **out, size_t *count)
{
    bool list = json_object_is_type(value, json_type_array);
    size_t length = list ? json_object_array_length(value) : 1;
    *out = arena_array(&r->policy->arena, length ? length : 1, sizeof **out);
    *count = length;
    for (size_t i = 0; i < length; i++) {
        size_t at = list ? tree_enter_index(r, i) : r->path.len;
        if (!tree_string(r, list ? json_object_array_get_idx(value, i) : value, &(*out)[i]))
            return false;
        tree_leave(r, at);
    }
    return true;
}

bool tree_is_pointer(struct tree *r, struct span pointer)
{
    if (pointer.len && pointer.at[0] != '/')
        return tree_fail(r, "begin it with / (RFC 6901)", "not a JSON pointer");
    for (size_t i = 0; i < pointer.len; i++)
        if (pointer.at[i] == '~' &&
            (i + 1 == pointer.len || (pointer.at[i + 1] != '0' && pointer.at[i + 1] != '1')))
            return tree_fail(r, "write ~0 for ~, and ~1 for / (RFC 6901)", "not a JSON pointer");
    return true;
}

bool tree_pointers(struct tree *r, json_object *value, struct span **out, size_t *count)
{
    if (!tree_strings(r, value, out, count))
        return false;
    for (size_t i = 0; i < *count; i++)
        if (!tree_is_pointer(r, (*out)[i]))
            return false;
    return true;
}

/* ---- objects: a table of members, and nothing else may stand there ---- */

static bool unknown_member(struct tree *r, const struct tree_member *members, const char *name)
{
    struct buf todo = {0};
    tree_enter(r, name);
    for (size_t i = 0; members[i].name; i++)
        buf_addf(&todo, "%s%s", i ? ", " : "known here: ", members[i].name);
    tree_fail(r, buf_cstr(&todo), "unknown member");
    buf_finish(&todo);
    return false;
}

bool tree_object(struct tree *r, json_object *value, const struct tree_member *members, void *into)
{
    if (!json_object_is_type(value, json_type_object))
        return tree_fail(r, "write { … }", "not an object");
    json_object_object_foreach(value, name, item)
    {
        const struct tree_member *m = members;
        while (m->name && strcmp(m->name, name) != 0)
            m++;
        if (!m->name)
            return unknown_member(r, members, name);
        size_t at = tree_enter(r, name);
        if (!m->read(r, item, into))
            return false;
        tree_leave(r, at);
    }
    return true;
}
