/*
 * From a policy's text to its rules. JSON with comments; every member is
 * checked, and an error names the file, the line and the member.
 *
 * json-c builds the tree. It forgets where things stood, so the strict reader
 * goes over the text first (comments blanked, so that offsets stay), and a
 * member that is wrong is found again by its pointer.
 */
#include <json-c/json.h>
#include <stdio.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "model/flow/policy_rules.h"

enum { INHERIT_MAX = 4, GROUP_DEPTH = 8, READERS_MAX = 65536 };

struct reader {
    struct policy *policy;
    const char *where, *folder;
    struct span text; /* comments blanked */
    struct buf path;  /* pointer of what is being read */
    const char *kind; /* of a rule: what it is called without a name */
    json_object *groups;
    int depth; /* of inheritance */
    struct err *err;
};

/* ---- errors that name file, line and member ---- */

static void where_is(const struct reader *r, struct buf *out)
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

static bool fail(struct reader *r, const char *todo, const char *format, ...) ATTR_PRINTF(3, 4);
static bool fail(struct reader *r, const char *todo, const char *format, ...)
{
    struct buf where = {0}, what = {0};
    va_list args;
    where_is(r, &where);
    va_start(args, format);
    buf_addv(&what, format, args);
    va_end(args);
    err_set(r->err, ERR_USAGE, buf_cstr(&where), todo, "%s", buf_cstr(&what));
    buf_finish(&where);
    buf_finish(&what);
    return false;
}

/* ---- the path ---- */

static size_t path_push(struct reader *r, const char *name)
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

static size_t path_push_index(struct reader *r, size_t index)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", index);
    return path_push(r, number);
}

static void path_pop(struct reader *r, size_t length)
{
    r->path.len = length;
}

/* ---- scalars ---- */

static struct span copy_string(struct reader *r, json_object *value)
{
    struct span s = {json_object_get_string(value), (size_t)json_object_get_string_len(value)};
    return arena_copy(&r->policy->arena, s);
}

static bool is_string(json_object *value)
{
    return json_object_is_type(value, json_type_string);
}

static bool read_string(struct reader *r, json_object *value, struct span *out)
{
    if (!is_string(value))
        return fail(r, "write it in quotes", "not a string");
    *out = copy_string(r, value);
    return true;
}

static bool read_bool(struct reader *r, json_object *value, bool *out)
{
    if (!json_object_is_type(value, json_type_boolean))
        return fail(r, "write true or false", "not a boolean");
    *out = json_object_get_boolean(value);
    return true;
}

/* One of a list of words that ends with NULL; *out is which. */
static bool read_word(struct reader *r, json_object *value, const char *const *words, int *out)
{
    struct buf todo = {0};
    for (int i = 0; words[i]; i++) {
        if (is_string(value) && strcmp(json_object_get_string(value), words[i]) == 0) {
            *out = i;
            buf_finish(&todo);
            return true;
        }
        buf_addf(&todo, "%s\"%s\"", i ? ", " : "write one of ", words[i]);
    }
    fail(r, buf_cstr(&todo), "not a word that is known here");
    buf_finish(&todo);
    return false;
}

/* A string, or a list of strings. */
static bool read_strings(struct reader *r, json_object *value, struct span **out, size_t *count)
{
    bool list = json_object_is_type(value, json_type_array);
    size_t length = list ? json_object_array_length(value) : 1;
    *out = arena_array(&r->policy->arena, length ? length : 1, sizeof **out);
    *count = length;
    for (size_t i = 0; i < length; i++) {
        size_t at = list ? path_push_index(r, i) : r->path.len;
        if (!read_string(r, list ? json_object_array_get_idx(value, i) : value, &(*out)[i]))
            return false;
        path_pop(r, at);
    }
    return true;
}

static bool read_pointers(struct reader *r, json_object *value, struct span **out, size_t *count)
{
    if (!read_strings(r, value, out, count))
        return false;
    for (size_t i = 0; i < *count; i++)
        if ((*out)[i].len && (*out)[i].at[0] != '/')
            return fail(r, "begin it with / (RFC 6901)", "not a JSON pointer");
    return true;
}

/* ---- objects: a table of members, and nothing else may stand there ---- */

struct member {
    const char *name;
    bool (*read)(struct reader *r, json_object *value, void *into);
};

static bool unknown_member(struct reader *r, const struct member *members, const char *name)
{
    struct buf todo = {0};
    path_push(r, name);
    for (size_t i = 0; members[i].name; i++)
        buf_addf(&todo, "%s%s", i ? ", " : "known here: ", members[i].name);
    fail(r, buf_cstr(&todo), "unknown member");
    buf_finish(&todo);
    return false;
}

static bool read_object(struct reader *r, json_object *value, const struct member *members,
                        void *into)
{
    if (!json_object_is_type(value, json_type_object))
        return fail(r, "write { … }", "not an object");
    json_object_object_foreach(value, name, item)
    {
        const struct member *m = members;
        while (m->name && strcmp(m->name, name) != 0)
            m++;
        if (!m->name)
            return unknown_member(r, members, name);
        size_t at = path_push(r, name);
        if (!m->read(r, item, into))
            return false;
        path_pop(r, at);
    }
    return true;
}

/* ---- conditions ---- */

static bool condition_pointer(struct reader *r, json_object *value, void *into)
{
    struct condition *c = into;
    if (!read_string(r, value, &c->pointer))
        return false;
    return !c->pointer.len || c->pointer.at[0] == '/' ||
           fail(r, "begin it with / (RFC 6901)", "not a JSON pointer");
}

static bool condition_not(struct reader *r, json_object *value, void *into)
{
    return read_bool(r, value, &((struct condition *)into)->negated);
}

static bool condition_test(struct reader *r, json_object *value, struct condition *c,
                           enum test_kind test)
{
    if (c->test != TEST_COUNT)
        return fail(r, "write two conditions", "a second test in one condition");
    c->test = test;
    return read_strings(r, value, &c->words, &c->word_count);
}

static bool condition_exists(struct reader *r, json_object *value, void *into)
{
    struct condition *c = into;
    bool there = false;
    if (c->test != TEST_COUNT)
        return fail(r, "write two conditions", "a second test in one condition");
    if (!read_bool(r, value, &there))
        return false;
    c->test = TEST_EXISTS;
    c->negated ^= !there;
    return true;
}

static bool condition_regex(struct reader *r, json_object *value, void *into)
{
    struct condition *c = into;
    if (!is_string(value) || !condition_test(r, value, c, TEST_REGEX))
        return fail(r, "write one in quotes", "not a regular expression");
    char message[200];
    int code = regcomp(&c->regex, json_object_get_string(value), REG_EXTENDED | REG_NOSUB);
    if (code) {
        c->test = TEST_COUNT;
        regerror(code, &c->regex, message, sizeof message);
        return fail(r, "see regex(7)", "not a regular expression: %s", message);
    }
    return true;
}

static bool condition_sql(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"read", "write", NULL};
    int which;
    return read_word(r, value, words, &which) && condition_test(r, value, into, TEST_SQL);
}

#define CONDITION_OF(name, test)                                                                   \
    static bool condition_##name(struct reader *r, json_object *value, void *into)                 \
    {                                                                                              \
        return condition_test(r, value, into, test);                                               \
    }
CONDITION_OF(is, TEST_IS)
CONDITION_OF(glob, TEST_GLOB)
CONDITION_OF(host, TEST_HOST)
CONDITION_OF(under, TEST_UNDER)

static const struct member condition_members[] = {
    {"pointer", condition_pointer}, {"not", condition_not},
    {"exists", condition_exists},   {"is", condition_is},
    {"glob", condition_glob},       {"regex", condition_regex},
    {"sql", condition_sql},         {"host", condition_host},
    {"under", condition_under},     {NULL, NULL},
};

/* ---- rules ---- */

static bool rule_name(struct reader *r, json_object *value, void *into)
{
    return read_string(r, value, &((struct rule *)into)->name);
}

static bool rule_why(struct reader *r, json_object *value, void *into)
{
    struct span why; /* for who reads the file */
    (void)into;
    return read_string(r, value, &why);
}

static bool rule_server(struct reader *r, json_object *value, void *into)
{
    struct match *m = &((struct rule *)into)->match;
    return read_strings(r, value, &m->servers, &m->server_count);
}

static bool rule_tool(struct reader *r, json_object *value, void *into)
{
    struct match *m = &((struct rule *)into)->match;
    return read_strings(r, value, &m->tools, &m->tool_count);
}

static bool rule_kind(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {
#define X(id, word) word,
        CONTENT_KINDS(X)
#undef X
            NULL,
    };
    struct rule *rule = into;
    bool list = json_object_is_type(value, json_type_array);
    size_t length = list ? json_object_array_length(value) : 1;
    for (size_t i = 0; i < length; i++) {
        int kind;
        if (!read_word(r, list ? json_object_array_get_idx(value, i) : value, words, &kind))
            return false;
        rule->kinds |= 1u << kind;
    }
    return true;
}

static bool rule_when(struct reader *r, json_object *value, void *into)
{
    struct match *m = &((struct rule *)into)->match;
    bool list = json_object_is_type(value, json_type_array);
    size_t length = list ? json_object_array_length(value) : 1;
    m->conditions = arena_array(&r->policy->arena, length ? length : 1, sizeof *m->conditions);
    for (size_t i = 0; i < length; i++) {
        struct condition *c = &m->conditions[m->condition_count++];
        *c = (struct condition){.test = TEST_COUNT, .pointer = SPAN_EMPTY};
        size_t at = list ? path_push_index(r, i) : r->path.len;
        json_object *item = list ? json_object_array_get_idx(value, i) : value;
        if (!read_object(r, item, condition_members, c))
            return false;
        if (c->test == TEST_COUNT)
            return fail(r, "add is, glob, regex, sql, host, under or exists", "it tests nothing");
        path_pop(r, at);
    }
    return true;
}

static bool read_roles(struct reader *r, json_object *value, unsigned *roles)
{
    static const char *const words[] = {"consequential", "egress", "consequential-unless-named",
                                        "fetch", NULL};
    static const unsigned bits[] = {ROLE_CONSEQUENTIAL, ROLE_EGRESS, ROLE_UNLESS_NAMED, ROLE_FETCH};
    if (!json_object_is_type(value, json_type_array))
        return fail(r, "write [], or some of \"consequential\", \"egress\"", "not a list of roles");
    *roles = 0;
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        int which;
        size_t at = path_push_index(r, i);
        if (!read_word(r, json_object_array_get_idx(value, i), words, &which))
            return false;
        *roles |= bits[which];
        path_pop(r, at);
    }
    return true;
}

static bool rule_role(struct reader *r, json_object *value, void *into)
{
    struct rule *rule = into;
    rule->has_role = true;
    return read_roles(r, value, &rule->role);
}

static const char *const requirement_words[] = {"P-T", "P-F", "any", "all", NULL};

static bool rule_require(struct reader *r, json_object *value, void *into)
{
    struct rule *rule = into;
    int which = 0;
    rule->has_require = read_word(r, value, requirement_words, &which);
    rule->require = (enum requirement)which;
    return rule->has_require;
}

/* "public", "resource", "resource-if-private", "url", {"reader": WHO}, or {"pointer": WHERE}. */
static bool rule_audience(struct reader *r, json_object *value, void *into)
{
    struct rule *rule = into;
    json_object *part;
    rule->has_audience = true;
    if (is_string(value)) {
        static const char *const words[] = {"public", "resource", "resource-if-private", "url",
                                            NULL};
        static const enum audience_kind kinds[] = {AUDIENCE_PUBLIC, AUDIENCE_RESOURCE,
                                                   AUDIENCE_RESOURCE_IF_PRIVATE, AUDIENCE_URL};
        int which = 0;
        if (!read_word(r, value, words, &which))
            return false;
        rule->audience = kinds[which];
        return true;
    }
    if (json_object_is_type(value, json_type_object) && json_object_object_length(value) == 1) {
        if (json_object_object_get_ex(value, "pointer", &part)) {
            rule->audience = AUDIENCE_POINTERS;
            return read_pointers(r, part, &rule->audience_words, &rule->audience_count);
        }
        if (json_object_object_get_ex(value, "reader", &part)) {
            rule->audience = AUDIENCE_CONSTANT;
            return read_strings(r, part, &rule->audience_words, &rule->audience_count);
        }
    }
    return fail(r,
                "write \"public\", \"resource\", \"url\", {\"reader\": \"who\"} or "
                "{\"pointer\": \"/to\"}",
                "not an audience");
}

static bool rule_resource(struct reader *r, json_object *value, void *into)
{
    struct rule *rule = into;
    return read_pointers(r, value, &rule->resource, &rule->resource_count);
}

/* Takes the word "private" out, which is not a marker of its own here, and checks the rest. */
static bool rule_label(struct reader *r, json_object *value, void *into)
{
    struct rule *rule = into;
    struct span text, word;
    struct buf rest = {0};
    if (!read_string(r, value, &text))
        return false;
    rule->has_label = true;
    while (text.len) {
        size_t end = span_find_byte(text, ',');
        word = span_trim(span_sub(text, 0, end));
        text = span_sub(text, end + 1, text.len);
        if (span_is(word, "private"))
            rule->own_marker = true;
        else
            buf_addf(&rest, "%s%.*s", rest.len ? "," : "", SPAN_ARG(word));
    }
    if (!rest.len)
        buf_puts(&rest, "trusted");
    rule->label = arena_copy(&r->policy->arena, buf_span(&rest));
    buf_finish(&rest);
    struct label_pool *pool = label_pool_create();
    struct label label;
    bool good = label_parse(pool, rule->label, &label);
    label_pool_destroy(pool);
    return good ||
           fail(r, "for example \"untrusted, private\" or \"trusted, readers:a+b\"", "not a label");
}

static const struct member rule_members[] = {
    {"name", rule_name},         {"why", rule_why},           {"server", rule_server},
    {"tool", rule_tool},         {"kind", rule_kind},         {"when", rule_when},
    {"label", rule_label},       {"role", rule_role},         {"require", rule_require},
    {"audience", rule_audience}, {"resource", rule_resource}, {NULL, NULL},
};

/* New rules stand before those that are there already. */
static bool read_rules(struct reader *r, json_object *value, struct rules *rules)
{
    if (!json_object_is_type(value, json_type_array))
        return fail(r, "write [ … ]", "not a list of rules");
    struct arena *arena = &r->policy->arena;
    size_t length = json_object_array_length(value);
    struct rule *items = arena_array(arena, length + rules->count + 1, sizeof *items);
    if (rules->count)
        memcpy(items + length, rules->items, rules->count * sizeof *items);
    rules->items = items;
    rules->count += length;
    for (size_t i = 0; i < length; i++) {
        struct rule *rule = &items[i];
        size_t at = path_push_index(r, i);
        rule->name = span_of(arena_printf(arena, "%s %zu", r->kind, i + 1));
        if (!read_object(r, json_object_array_get_idx(value, i), rule_members, rule))
            return false;
        if (!rule->kinds)
            rule->kinds = 1u << CONTENT_RESULT;
        if (!rule->has_label && !rule->has_role && !rule->has_require && !rule->has_audience &&
            !rule->resource)
            return fail(r, "add label, role, require, audience or resource", "it says nothing");
        path_pop(r, at);
    }
    return true;
}

static bool policy_rules(struct reader *r, json_object *value, void *into)
{
    return read_rules(r, value, &((struct policy *)into)->rules);
}

/* ---- the rest of a policy ---- */

static bool policy_schema(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"strandline/policy/1", NULL};
    int which;
    (void)into;
    return read_word(r, value, words, &which);
}

static bool policy_name_read(struct reader *r, json_object *value, void *into)
{
    struct policy *policy = into;
    struct span name = SPAN_EMPTY;
    if (!read_string(r, value, &name))
        return false;
    if (!name.len || name.len > 100)
        return fail(r, "1 to 100 bytes", "not a name");
    mem_free(policy->name);
    policy->name = mem_alloc(name.len + 1);
    memcpy(policy->name, name.at, name.len);
    return true;
}

static bool policy_summary_read(struct reader *r, json_object *value, void *into)
{
    struct span summary = SPAN_EMPTY;
    (void)into;
    return read_string(r, value, &summary);
}

static bool policy_extends(struct reader *r, json_object *value, void *into)
{
    (void)into; /* was done before all the others */
    struct span name = SPAN_EMPTY;
    return read_string(r, value, &name);
}

/* ---- catalogue ---- */

static bool catalogue_flag(struct reader *r, json_object *value, bool *flag)
{
    return read_bool(r, value, flag);
}

#define CATALOGUE_FLAG(name)                                                                       \
    static bool catalogue_##name(struct reader *r, json_object *value, void *into)                 \
    {                                                                                              \
        return catalogue_flag(r, value, &((struct policy *)into)->catalogue_##name);               \
    }
CATALOGUE_FLAG(labels)
CATALOGUE_FLAG(roles)
CATALOGUE_FLAG(audiences)
CATALOGUE_FLAG(resources)

enum { CATALOGUE_FILE_MAX = 4 << 20 };

static bool catalogue_file(struct reader *r, struct span name)
{
    struct buf path = {0}, text = {0};
    bool good = false;
    if (!r->folder)
        return fail(r, "read the policy from a file", "a built-in policy can name no files");
    if (name.len && name.at[0] != '/')
        buf_addf(&path, "%s/", r->folder);
    buf_add(&path, name);
    FILE *file = fopen(buf_cstr(&path), "re");
    if (!file) {
        fail(r, "paths are relative to the policy's folder", "can't be opened");
        goto out;
    }
    size_t got;
    while ((got = fread(buf_reserve(&text, 65536), 1, 65536, file)) > 0 &&
           (text.len += got) <= CATALOGUE_FILE_MAX)
        ;
    fclose(file);
    if (text.len > CATALOGUE_FILE_MAX)
        fail(r, "at most 4 MB", "too long");
    else
        good = catalogue_read(r->policy, buf_span(&text), buf_cstr(&path), r->err);
out:
    buf_finish(&path);
    buf_finish(&text);
    return good;
}

static bool catalogue_extra(struct reader *r, json_object *value, void *into)
{
    struct span *names;
    size_t count;
    (void)into;
    if (!read_strings(r, value, &names, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!catalogue_file(r, names[i]))
            return false;
    return true;
}

static bool policy_catalogue(struct reader *r, json_object *value, void *into)
{
    static const struct member members[] = {
        {"labels", catalogue_labels},       {"roles", catalogue_roles},
        {"audiences", catalogue_audiences}, {"resources", catalogue_resources},
        {"extra", catalogue_extra},         {NULL, NULL},
    };
    struct policy *policy = into;
    if (json_object_is_type(value, json_type_boolean)) {
        bool on = json_object_get_boolean(value);
        policy->catalogue_labels = policy->catalogue_roles = on;
        policy->catalogue_audiences = policy->catalogue_resources = on;
        return true;
    }
    return read_object(r, value, members, policy);
}

/* ---- settings ---- */

static bool policy_unlabelled(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"no-claim", "untrusted", "by-hint", "by-hint-or-untrusted",
                                        NULL};
    int which = 0;
    bool good = read_word(r, value, words, &which);
    ((struct policy *)into)->unlabelled = (enum unlabelled)which;
    return good;
}

static bool policy_malformed(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"closed", "ignore", NULL};
    int which = 0;
    bool good = read_word(r, value, words, &which);
    ((struct policy *)into)->malformed_ignored = which == 1;
    return good;
}

static bool policy_partial(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"accept", "fill", NULL};
    int which = 0;
    bool good = read_word(r, value, words, &which);
    ((struct policy *)into)->fill = which == 1;
    return good;
}

static bool policy_unresolved(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"ask", "deny", NULL};
    int which = 0;
    bool good = read_word(r, value, words, &which);
    ((struct policy *)into)->unresolved_denies = which == 1;
    return good;
}

static bool policy_mode_read(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"enforce", "warn", "audit", NULL};
    int which = 0;
    bool good = read_word(r, value, words, &which);
    ((struct policy *)into)->mode = (enum policy_mode)which;
    return good;
}

static bool policy_private_from(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"personal", "confidential", "highly_confidential", NULL};
    int which = 0;
    bool good = read_word(r, value, words, &which);
    ((struct policy *)into)->private_from = (enum data_class)(CLASS_PERSONAL + which);
    return good;
}

#define POLICY_FLAG(name)                                                                          \
    static bool policy_##name(struct reader *r, json_object *value, void *into)                    \
    {                                                                                              \
        return read_bool(r, value, &((struct policy *)into)->name);                                \
    }
POLICY_FLAG(reader_lists)
POLICY_FLAG(blocks)
POLICY_FLAG(rendering)
POLICY_FLAG(prompt_endorses)

#define HINT_ROLES(name)                                                                           \
    static bool hint_##name##_read(struct reader *r, json_object *value, void *into)               \
    {                                                                                              \
        return read_roles(r, value, &((struct policy *)into)->hint_##name);                        \
    }
HINT_ROLES(read)
HINT_ROLES(read_open)
HINT_ROLES(write)
HINT_ROLES(write_closed)

static bool policy_hints(struct reader *r, json_object *value, void *into)
{
    static const struct member members[] = {
        {"read", hint_read_read},
        {"read_open_world", hint_read_open_read},
        {"write", hint_write_read},
        {"write_closed_world", hint_write_closed_read},
        {NULL, NULL},
    };
    return read_object(r, value, members, into);
}

static bool require_consequential(struct reader *r, json_object *value, void *into)
{
    int which = 0;
    bool good = read_word(r, value, requirement_words, &which);
    ((struct policy *)into)->consequential = (enum requirement)which;
    return good;
}

static bool require_egress(struct reader *r, json_object *value, void *into)
{
    int which = 0;
    bool good = read_word(r, value, requirement_words, &which);
    ((struct policy *)into)->egress = (enum requirement)which;
    return good;
}

static bool policy_require(struct reader *r, json_object *value, void *into)
{
    static const struct member members[] = {
        {"consequential", require_consequential}, {"egress", require_egress}, {NULL, NULL}};
    return read_object(r, value, members, into);
}

/* ---- who stands behind a marker ---- */

struct readers {
    struct span *items;
    size_t count, size;
};

/* Adds the strings of a list; names of groups give their members. */
static bool readers_add(struct reader *r, json_object *list, struct readers *readers, int depth)
{
    if (!json_object_is_type(list, json_type_array))
        return fail(r, "write [ \"who\", … ]", "not a list of readers");
    if (depth > GROUP_DEPTH)
        return fail(r, "look for a group that holds itself", "groups are nested too deep");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *item = json_object_array_get_idx(list, i), *group;
        if (!is_string(item))
            return fail(r, "write each in quotes", "a reader is not a string");
        if (r->groups &&
            json_object_object_get_ex(r->groups, json_object_get_string(item), &group)) {
            if (!readers_add(r, group, readers, depth + 1))
                return false;
            continue;
        }
        if (readers->count == READERS_MAX)
            return fail(r, "write a pattern, as in \"*@example.org\"", "too many readers");
        if (readers->count == readers->size) {
            readers->size = readers->size ? readers->size * 2 : 16;
            readers->items = mem_resize(readers->items, readers->size * sizeof *readers->items);
        }
        readers->items[readers->count++] = copy_string(r, item);
    }
    return true;
}

static bool policy_resolve(struct reader *r, json_object *value, void *into)
{
    struct policy *policy = into;
    if (!json_object_is_type(value, json_type_object))
        return fail(r, "write {\"server:resource\": [\"who\", …]}", "not an object");
    size_t more = (size_t)json_object_object_length(value), n = 0;
    struct resolve *all =
        arena_array(&policy->arena, more + policy->resolve_count + 1, sizeof *all);
    if (policy->resolve_count)
        memcpy(all + more, policy->resolves, policy->resolve_count * sizeof *all);
    policy->resolves = all;
    policy->resolve_count += more;
    json_object_object_foreach(value, name, item)
    {
        struct readers readers = {0};
        size_t at = path_push(r, name);
        bool good = readers_add(r, item, &readers, 0);
        struct resolve *entry = &all[n++];
        entry->pattern = arena_copy(&policy->arena, span_of(name));
        entry->count = readers.count;
        entry->readers = arena_array(&policy->arena, readers.count + 1, sizeof *entry->readers);
        if (readers.count)
            memcpy(entry->readers, readers.items, readers.count * sizeof *entry->readers);
        mem_free(readers.items);
        if (!good)
            return false;
        path_pop(r, at);
    }
    return true;
}

static bool policy_groups(struct reader *r, json_object *value, void *into)
{
    struct readers readers = {0}; /* read where they are used; here only checked */
    bool good = true;
    (void)into;
    if (!json_object_is_type(value, json_type_object))
        return fail(r, "write {\"@group\": [\"who\", …]}", "not an object");
    json_object_object_foreach(value, name, item)
    {
        size_t at = path_push(r, name);
        good = readers_add(r, item, &readers, 0);
        if (!good)
            break;
        path_pop(r, at);
    }
    mem_free(readers.items);
    return good;
}

/* ---- about findings ---- */

static bool is_code(struct span code)
{
    if (code.len < 3 || code.len > 6)
        return false;
    for (size_t i = 0; i < code.len; i++)
        if (!((code.at[i] >= 'A' && code.at[i] <= 'Z') || (code.at[i] >= '0' && code.at[i] <= '9')))
            return false;
    return true;
}

static bool policy_severity_read(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"info", "low", "medium", "high", "critical", NULL};
    struct policy *policy = into;
    if (!json_object_is_type(value, json_type_object))
        return fail(r, "write {\"CODE\": \"high\", …}", "not an object");
    size_t more = (size_t)json_object_object_length(value), n = 0;
    struct severity_override *all =
        arena_array(&policy->arena, more + policy->severity_count + 1, sizeof *all);
    if (policy->severity_count)
        memcpy(all + more, policy->severities, policy->severity_count * sizeof *all);
    json_object_object_foreach(value, name, item)
    {
        size_t at = path_push(r, name);
        if (!is_code(span_of(name)))
            return fail(r, "as in PT01", "not a code of a finding");
        if (!read_word(r, item, words, &all[n].severity))
            return false;
        all[n++].code = arena_copy(&policy->arena, span_of(name));
        path_pop(r, at);
    }
    policy->severities = all;
    policy->severity_count += more;
    return true;
}

static bool suppress_code(struct reader *r, json_object *value, void *into)
{
    struct suppression *s = into;
    return read_string(r, value, &s->code) &&
           (is_code(s->code) || fail(r, "as in PT01", "not a code of a finding"));
}

#define SUPPRESS_STRING(name)                                                                      \
    static bool suppress_##name(struct reader *r, json_object *value, void *into)                  \
    {                                                                                              \
        return read_string(r, value, &((struct suppression *)into)->name);                         \
    }
SUPPRESS_STRING(id)
SUPPRESS_STRING(server)
SUPPRESS_STRING(tool)
SUPPRESS_STRING(reason)

static bool suppress_until(struct reader *r, json_object *value, void *into)
{
    struct span day = SPAN_EMPTY;
    if (!read_string(r, value, &day))
        return false;
    int date = 0, digits = 0;
    for (size_t i = 0; i < day.len && i < 10; i++) {
        bool dash = i == 4 || i == 7;
        if (dash ? day.at[i] != '-' : day.at[i] < '0' || day.at[i] > '9')
            break;
        digits++;
        if (!dash)
            date = date * 10 + (day.at[i] - '0');
    }
    int month = date / 100 % 100, dom = date % 100;
    if (day.len != 10 || digits != 10 || month < 1 || month > 12 || dom < 1 || dom > 31)
        return fail(r, "as in 2026-12-31", "not a date");
    ((struct suppression *)into)->until = date;
    return true;
}

static bool policy_suppress(struct reader *r, json_object *value, void *into)
{
    static const struct member members[] = {
        {"code", suppress_code},
        {"id", suppress_id},
        {"server", suppress_server},
        {"tool", suppress_tool},
        {"reason", suppress_reason},
        {"until", suppress_until},
        {NULL, NULL},
    };
    struct policy *policy = into;
    if (!json_object_is_type(value, json_type_array))
        return fail(r, "write [ … ]", "not a list");
    size_t more = json_object_array_length(value);
    struct suppression *all =
        arena_array(&policy->arena, more + policy->suppression_count + 1, sizeof *all);
    if (policy->suppression_count)
        memcpy(all + more, policy->suppressions, policy->suppression_count * sizeof *all);
    for (size_t i = 0; i < more; i++) {
        size_t at = path_push_index(r, i);
        if (!read_object(r, json_object_array_get_idx(value, i), members, &all[i]))
            return false;
        if (!all[i].reason.len)
            return fail(r, "add \"reason\"", "a suppression without a reason");
        if (!all[i].code.len && !all[i].id.len)
            return fail(r, "add \"code\" or \"id\"", "it doesn't say which findings");
        path_pop(r, at);
    }
    policy->suppressions = all;
    policy->suppression_count += more;
    return true;
}

static const struct member policy_members[] = {
    {"schema", policy_schema},
    {"name", policy_name_read},
    {"summary", policy_summary_read},
    {"extends", policy_extends},
    {"catalogue", policy_catalogue},
    {"unlabelled", policy_unlabelled},
    {"malformed", policy_malformed},
    {"partial", policy_partial},
    {"reader_lists", policy_reader_lists},
    {"blocks", policy_blocks},
    {"private_from", policy_private_from},
    {"hints", policy_hints},
    {"require", policy_require},
    {"rendering", policy_rendering},
    {"unresolved", policy_unresolved},
    {"prompt_endorses", policy_prompt_endorses},
    {"mode", policy_mode_read},
    {"rules", policy_rules},
    {"groups", policy_groups},
    {"resolve", policy_resolve},
    {"severity", policy_severity_read},
    {"suppress", policy_suppress},
    {NULL, NULL},
};

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

/* Strict first (positions, duplicates), then the tree. NULL with the error filled. */
static json_object *parse(struct reader *r)
{
    struct jsonr strict;
    size_t at;
    jsonr_init(&strict, r->text);
    while (jsonr_next(&strict) > JSONR_END)
        ;
    bool good = strict.token == JSONR_END;
    if (!good)
        jsonr_fail(&strict, r->where, r->err);
    jsonr_finish(&strict);
    r->err->kind = good ? r->err->kind : ERR_USAGE;
    if (!good)
        return NULL;
    if (jsonr_duplicate(r->text, &at)) {
        size_t line = 1;
        for (size_t i = 0; i < at; i++)
            line += r->text.at[i] == '\n';
        char where[ERR_TEXT];
        snprintf(where, sizeof where, "%s:%zu", r->where, line);
        err_set(r->err, ERR_USAGE, where, "keep one of them", "a member that stands there twice");
        return NULL;
    }
    if (r->text.len > INT32_MAX || memchr(r->text.at, '\0', r->text.len)) {
        fail(r, "keep it short", "the text is too long, or holds a NUL");
        return NULL;
    }
    json_tokener *tokener = json_tokener_new();
    if (!tokener)
        mem_exhausted();
    json_object *tree = json_tokener_parse_ex(tokener, r->text.at, (int)r->text.len);
    if (!tree)
        fail(r, "nest less deep", "%s", json_tokener_error_desc(json_tokener_get_error(tokener)));
    json_tokener_free(tokener);
    return tree;
}

/* What a policy extends is read first, then the policy itself over it. */
static bool read_base(struct reader *r, json_object *tree)
{
    json_object *name;
    struct span text = SPAN_EMPTY;
    if (!json_object_object_get_ex(tree, "extends", &name))
        return true;
    size_t at = path_push(r, "extends");
    if (!is_string(name) || !policy_builtin(span_of(json_object_get_string(name)), &text))
        return fail(r, "see `strandline policy list`", "not the name of a built-in policy");
    if (r->depth >= INHERIT_MAX)
        return fail(r, "extend a simpler policy", "policies extend each other too deep");
    struct reader base = {.policy = r->policy,
                          .where = json_object_get_string(name),
                          .depth = r->depth + 1,
                          .err = r->err,
                          .kind = "rule"};
    struct buf blanked = {0};
    blank_comments(text, &blanked);
    base.text = buf_span(&blanked);
    json_object *base_tree = parse(&base);
    bool good = base_tree && read_base(&base, base_tree);
    if (good) {
        json_object_object_get_ex(base_tree, "groups", &base.groups);
        good = read_object(&base, base_tree, policy_members, r->policy);
    }
    json_object_put(base_tree);
    buf_finish(&blanked);
    buf_finish(&base.path);
    path_pop(r, at);
    return good;
}

bool policy_read(struct policy *policy, struct span text, const char *where, const char *folder,
                 struct err *err)
{
    struct reader r = {
        .policy = policy, .where = where, .folder = folder, .err = err, .kind = "rule"};
    struct buf blanked = {0};
    blank_comments(text, &blanked);
    r.text = buf_span(&blanked);
    json_object *tree = parse(&r), *part;
    bool good = tree != NULL;
    if (good && !json_object_is_type(tree, json_type_object))
        good = fail(&r, "write { … }", "a policy is an object");
    if (good && !json_object_object_get_ex(tree, "schema", &part))
        good = fail(&r, "add \"schema\": \"strandline/policy/1\"", "it doesn't say what it is");
    if (good)
        good = read_base(&r, tree);
    if (good) {
        json_object_object_get_ex(tree, "groups", &r.groups);
        good = read_object(&r, tree, policy_members, policy);
    }
    json_object_put(tree);
    buf_finish(&blanked);
    buf_finish(&r.path);
    return good;
}

static bool catalogue_schema(struct reader *r, json_object *value, void *into)
{
    static const char *const words[] = {"strandline/catalogue/1", NULL};
    int which;
    (void)into;
    return read_word(r, value, words, &which);
}

static bool catalogue_rules(struct reader *r, json_object *value, void *into)
{
    return read_rules(r, value, &((struct policy *)into)->catalogue);
}

bool catalogue_read(struct policy *policy, struct span text, const char *where, struct err *err)
{
    static const struct member members[] = {
        {"schema", catalogue_schema}, {"rules", catalogue_rules}, {NULL, NULL}};
    struct reader r = {.policy = policy, .where = where, .err = err, .kind = "catalogue rule"};
    struct buf blanked = {0};
    blank_comments(text, &blanked);
    r.text = buf_span(&blanked);
    json_object *tree = parse(&r);
    bool good = tree && read_object(&r, tree, members, policy);
    if (good) {
        struct span *texts =
            arena_array(&policy->arena, policy->catalogue_text_count + 1, sizeof *texts);
        if (policy->catalogue_text_count)
            memcpy(texts, policy->catalogue_texts, policy->catalogue_text_count * sizeof *texts);
        texts[policy->catalogue_text_count++] = arena_copy(&policy->arena, text);
        policy->catalogue_texts = texts;
    }
    json_object_put(tree);
    buf_finish(&blanked);
    buf_finish(&r.path);
    return good;
}
