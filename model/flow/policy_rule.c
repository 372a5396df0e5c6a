/* Rules of policies and catalogues: what they match, and what they say there. */
#include "model/flow/policy_tree.h"

/* ---- conditions ---- */

static bool condition_pointer(struct tree *r, json_object *value, void *into)
{
    struct condition *c = into;
    return tree_string(r, value, &c->pointer) && tree_is_pointer(r, c->pointer);
}

static bool condition_not(struct tree *r, json_object *value, void *into)
{
    return tree_bool(r, value, &((struct condition *)into)->negated);
}

static bool condition_test(struct tree *r, json_object *value, struct condition *c,
                           enum test_kind test)
{
    if (c->test != TEST_COUNT)
        return tree_fail(r, "write two conditions", "a second test in one condition");
    c->test = test;
    return tree_strings(r, value, &c->words, &c->word_count);
}

static bool condition_exists(struct tree *r, json_object *value, void *into)
{
    struct condition *c = into;
    bool there = false;
    if (c->test != TEST_COUNT)
        return tree_fail(r, "write two conditions", "a second test in one condition");
    if (!tree_bool(r, value, &there))
        return false;
    c->test = TEST_EXISTS;
    c->negated ^= !there;
    return true;
}

static bool condition_regex(struct tree *r, json_object *value, void *into)
{
    struct condition *c = into;
    if (!tree_is_string(value) || !condition_test(r, value, c, TEST_REGEX))
        return tree_fail(r, "write one in quotes", "not a regular expression");
    char why[PATTERN_WHY];
    if (!pattern_compile(&c->pattern, span_of(json_object_get_string(value)), 0, why)) {
        c->test = TEST_COUNT;
        return tree_fail(r, "see regex(7)", "not a regular expression: %s", why);
    }
    return true;
}

static bool condition_sql(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"read", "write", NULL};
    int which;
    return tree_word(r, value, words, &which) && condition_test(r, value, into, TEST_SQL);
}

#define CONDITION_OF(name, test)                                                                   \
    static bool condition_##name(struct tree *r, json_object *value, void *into)                   \
    {                                                                                              \
        return condition_test(r, value, into, test);                                               \
    }
CONDITION_OF(is, TEST_IS)
CONDITION_OF(glob, TEST_GLOB)
CONDITION_OF(host, TEST_HOST)
CONDITION_OF(under, TEST_UNDER)

static const struct tree_member condition_members[] = {
    {"pointer", condition_pointer}, {"not", condition_not},
    {"exists", condition_exists},   {"is", condition_is},
    {"glob", condition_glob},       {"regex", condition_regex},
    {"sql", condition_sql},         {"host", condition_host},
    {"under", condition_under},     {NULL, NULL},
};

/* ---- rules ---- */

static bool rule_name(struct tree *r, json_object *value, void *into)
{
    return tree_string(r, value, &((struct rule *)into)->name);
}

static bool rule_why(struct tree *r, json_object *value, void *into)
{
    struct span why; /* for who reads the file */
    (void)into;
    return tree_string(r, value, &why);
}

static bool rule_server(struct tree *r, json_object *value, void *into)
{
    struct match *m = &((struct rule *)into)->match;
    return tree_strings(r, value, &m->servers, &m->server_count);
}

static bool rule_tool(struct tree *r, json_object *value, void *into)
{
    struct match *m = &((struct rule *)into)->match;
    return tree_strings(r, value, &m->tools, &m->tool_count);
}

static bool rule_kind(struct tree *r, json_object *value, void *into)
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
        if (!tree_word(r, list ? json_object_array_get_idx(value, i) : value, words, &kind))
            return false;
        rule->kinds |= 1u << kind;
    }
    return true;
}

bool conditions_read(struct tree *r, json_object *value, struct match *m)
{
    bool list = json_object_is_type(value, json_type_array);
    size_t length = list ? json_object_array_length(value) : 1;
    m->conditions = arena_array(&r->policy->arena, length ? length : 1, sizeof *m->conditions);
    for (size_t i = 0; i < length; i++) {
        struct condition *c = &m->conditions[m->condition_count++];
        *c = (struct condition){.test = TEST_COUNT, .pointer = SPAN_EMPTY};
        size_t at = list ? tree_enter_index(r, i) : r->path.len;
        json_object *item = list ? json_object_array_get_idx(value, i) : value;
        if (!tree_object(r, item, condition_members, c))
            return false;
        if (c->test == TEST_COUNT)
            return tree_fail(r, "add is, glob, regex, sql, host, under or exists",
                             "it tests nothing");
        tree_leave(r, at);
    }
    return true;
}

static bool rule_when(struct tree *r, json_object *value, void *into)
{
    return conditions_read(r, value, &((struct rule *)into)->match);
}

bool roles_read(struct tree *r, json_object *value, unsigned *roles)
{
    static const char *const words[] = {"consequential", "egress", "consequential-unless-named",
                                        "fetch", NULL};
    static const unsigned bits[] = {ROLE_CONSEQUENTIAL, ROLE_EGRESS, ROLE_UNLESS_NAMED, ROLE_FETCH};
    if (!json_object_is_type(value, json_type_array))
        return tree_fail(r, "write [], or some of \"consequential\", \"egress\"",
                         "not a list of roles");
    *roles = 0;
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        int which;
        size_t at = tree_enter_index(r, i);
        if (!tree_word(r, json_object_array_get_idx(value, i), words, &which))
            return false;
        *roles |= bits[which];
        tree_leave(r, at);
    }
    return true;
}

static bool rule_role(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    rule->has_role = true;
    return roles_read(r, value, &rule->role);
}

const char *const requirement_words[] = {"P-T", "P-F", "any", "all", NULL};

static bool rule_require(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    int which = 0;
    rule->has_require = tree_word(r, value, requirement_words, &which);
    rule->require = (enum requirement)which;
    return rule->has_require;
}

/* "public", "resource", "resource-if-private", "url", {"reader": WHO}, {"pointer": WHERE}, or that
 * with "within": MARKER. */
static bool rule_audience(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    json_object *part;
    rule->has_audience = true;
    if (tree_is_string(value)) {
        static const char *const words[] = {"public", "resource", "resource-if-private", "url",
                                            NULL};
        static const enum audience_kind kinds[] = {AUDIENCE_PUBLIC, AUDIENCE_RESOURCE,
                                                   AUDIENCE_RESOURCE_IF_PRIVATE, AUDIENCE_URL};
        int which = 0;
        if (!tree_word(r, value, words, &which))
            return false;
        rule->audience = kinds[which];
        return true;
    }
    bool object = json_object_is_type(value, json_type_object);
    bool within = object && json_object_object_get_ex(value, "within", &part);
    if (within && !tree_string(r, part, &rule->audience_within))
        return false;
    if (object && json_object_object_length(value) == 1 + within) {
        if (json_object_object_get_ex(value, "pointer", &part)) {
            rule->audience = AUDIENCE_POINTERS;
            return tree_pointers(r, part, &rule->audience_words, &rule->audience_count);
        }
        if (!within && json_object_object_get_ex(value, "reader", &part)) {
            rule->audience = AUDIENCE_CONSTANT;
            return tree_strings(r, part, &rule->audience_words, &rule->audience_count);
        }
    }
    return tree_fail(r,
                     "write \"public\", \"resource\", \"url\", {\"reader\": \"who\"} or "
                     "{\"pointer\": \"/to\"}",
                     "not an audience");
}

static bool rule_resource(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    return tree_pointers(r, value, &rule->resource, &rule->resource_count);
}

static bool rule_parties(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    return tree_strings(r, value, &rule->parties, &rule->party_count);
}

static bool rule_directory(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    return tree_pointers(r, value, &rule->directory, &rule->directory_count);
}

/* Takes the word "private" out, which is not a marker of its own here, and checks the rest. */
static bool rule_label(struct tree *r, json_object *value, void *into)
{
    struct rule *rule = into;
    struct span text, word;
    struct buf rest = {0};
    if (!tree_string(r, value, &text))
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
    return good || tree_fail(r, "for example \"untrusted, private\" or \"trusted, readers:a+b\"",
                             "not a label");
}

static const struct tree_member rule_members[] = {
    {"name", rule_name},           {"why", rule_why},
    {"server", rule_server},       {"tool", rule_tool},
    {"kind", rule_kind},           {"when", rule_when},
    {"label", rule_label},         {"role", rule_role},
    {"require", rule_require},     {"audience", rule_audience},
    {"resource", rule_resource},   {"parties", rule_parties},
    {"directory", rule_directory}, {NULL, NULL},
};

/* New rules stand before those that are there already. */
bool rules_read(struct tree *r, json_object *value, struct rules *rules)
{
    if (!json_object_is_type(value, json_type_array))
        return tree_fail(r, "write [ … ]", "not a list of rules");
    struct arena *arena = &r->policy->arena;
    size_t length = json_object_array_length(value);
    struct rule *items = arena_array(arena, length + rules->count + 1, sizeof *items);
    if (rules->count)
        memcpy(items + length, rules->items, rules->count * sizeof *items);
    rules->items = items;
    rules->count += length;
    for (size_t i = 0; i < length; i++) {
        struct rule *rule = &items[i];
        size_t at = tree_enter_index(r, i);
        rule->name = span_of(arena_printf(arena, "%s %zu", r->kind, i + 1));
        if (!tree_object(r, json_object_array_get_idx(value, i), rule_members, rule))
            return false;
        if (!rule->kinds)
            rule->kinds = 1u << CONTENT_RESULT;
        if (!rule->has_label && !rule->has_role && !rule->has_require && !rule->has_audience &&
            !rule->resource && !rule->directory)
            return tree_fail(r, "add label, role, require, audience, resource or directory",
                             "it says nothing");
        if (rule->party_count && !rule->own_marker)
            return tree_fail(r, "add \"label\": \"private\": what holds where they can't be read",
                             "parties of what isn't private");
        tree_leave(r, at);
    }
    return true;
}
