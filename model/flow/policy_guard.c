/* What a policy watches beside labels: roots, scopes, sequences and queries of its own. */
#include "model/flow/policy_tree.h"

#define GUARD_STRING(what, type, member)                                                           \
    static bool what(struct tree *r, json_object *value, void *into)                               \
    {                                                                                              \
        return tree_string(r, value, &((struct type *)into)->member);                              \
    }
#define GUARD_STRINGS(what, type, member)                                                          \
    static bool what(struct tree *r, json_object *value, void *into)                               \
    {                                                                                              \
        struct type *guard = into;                                                                 \
        return tree_strings(r, value, &guard->member, &guard->member##_count);                     \
    }
#define GUARD_SERVER(what, type, member)                                                           \
    static bool what(struct tree *r, json_object *value, void *into)                               \
    {                                                                                              \
        struct match *match = &((struct type *)into)->member;                                      \
        return tree_strings(r, value, &match->servers, &match->server_count);                      \
    }
#define GUARD_TOOL(what, type, member)                                                             \
    static bool what(struct tree *r, json_object *value, void *into)                               \
    {                                                                                              \
        struct match *match = &((struct type *)into)->member;                                      \
        return tree_strings(r, value, &match->tools, &match->tool_count);                          \
    }

static bool guard_why(struct tree *r, json_object *value, void *into)
{
    struct span why; /* for who reads the file */
    (void)into;
    return tree_string(r, value, &why);
}

/* Room for the items of a list, before those that are there already. */
static void *guards_room(struct tree *r, json_object *value, void *old, size_t count, size_t size,
                         size_t *more)
{
    *more = json_object_array_length(value);
    char *all = arena_array(&r->policy->arena, *more + count + 1, size);
    if (count)
        memcpy(all + *more * size, old, count * size);
    return all;
}

static bool guards_are_list(struct tree *r, json_object *value)
{
    return json_object_is_type(value, json_type_array) || tree_fail(r, "write [ … ]", "not a list");
}

/* ---- roots ---- */

GUARD_SERVER(root_server, guard_root, match)
GUARD_TOOL(root_tool, guard_root, match)
GUARD_STRINGS(root_under, guard_root, folders)

static bool root_pointer(struct tree *r, json_object *value, void *into)
{
    struct guard_root *root = into;
    return tree_pointers(r, value, &root->pointers, &root->pointers_count);
}

bool guard_roots_read(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"server", root_server},   {"tool", root_tool}, {"under", root_under},
        {"pointer", root_pointer}, {"why", guard_why},  {NULL, NULL},
    };
    struct policy *policy = into;
    size_t more;
    if (!guards_are_list(r, value))
        return false;
    policy->roots =
        guards_room(r, value, policy->roots, policy->root_count, sizeof *policy->roots, &more);
    policy->root_count += more;
    for (size_t i = 0; i < more; i++) {
        size_t at = tree_enter_index(r, i);
        if (!tree_object(r, json_object_array_get_idx(value, i), members, &policy->roots[i]))
            return false;
        if (!policy->roots[i].folders_count)
            return tree_fail(r, "add \"under\": \"/folder\"", "roots without a folder");
        tree_leave(r, at);
    }
    return true;
}

/* ---- scopes ---- */

GUARD_STRING(scope_name, guard_scope, name)
GUARD_SERVER(scope_server, guard_scope, match)
GUARD_TOOL(scope_tool, guard_scope, match)
GUARD_STRINGS(scope_member, guard_scope, members)
GUARD_STRINGS(scope_is, guard_scope, allowed)

static bool scope_same(struct tree *r, json_object *value, void *into)
{
    struct guard_scope *scope = into;
    return tree_pointers(r, value, &scope->same, &scope->same_count);
}

static bool scope_when(struct tree *r, json_object *value, void *into)
{
    return conditions_read(r, value, &((struct guard_scope *)into)->match);
}

bool guard_scopes_read(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"name", scope_name}, {"server", scope_server}, {"tool", scope_tool},
        {"when", scope_when}, {"member", scope_member}, {"is", scope_is},
        {"same", scope_same}, {"why", guard_why},       {NULL, NULL},
    };
    struct policy *policy = into;
    size_t more;
    if (!guards_are_list(r, value))
        return false;
    policy->scopes =
        guards_room(r, value, policy->scopes, policy->scope_count, sizeof *policy->scopes, &more);
    policy->scope_count += more;
    for (size_t i = 0; i < more; i++) {
        struct guard_scope *scope = &policy->scopes[i];
        size_t at = tree_enter_index(r, i);
        scope->name = span_of(arena_printf(&r->policy->arena, "scope %zu", i + 1));
        if (!tree_object(r, json_object_array_get_idx(value, i), members, scope))
            return false;
        if (!scope->members_count || (!scope->allowed_count && !scope->same_count))
            return tree_fail(r, "add \"member\": \"workspace\", and \"is\" or \"same\"",
                             "it doesn't say what has to be what");
        tree_leave(r, at);
    }
    return true;
}

/* ---- sequences ---- */

GUARD_SERVER(event_server, guard_event, match)
GUARD_TOOL(event_tool, guard_event, match)

static bool event_when(struct tree *r, json_object *value, void *into)
{
    return conditions_read(r, value, &((struct guard_event *)into)->match);
}

static bool event_label(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"untrusted", "private", NULL};
    struct guard_event *event = into;
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    event->untrusted = good && which == 0;
    event->private = good && which == 1;
    return good;
}

static bool event_read(struct tree *r, json_object *value, struct guard_event *event, bool result)
{
    static const struct tree_member members[] = {
        {"server", event_server}, {"tool", event_tool},   {"when", event_when},
        {"why", guard_why},       {"label", event_label}, {NULL, NULL},
    };
    if (!tree_object(r, value, members, event))
        return false;
    event->given = true;
    return result || !(event->untrusted || event->private) ||
           tree_fail(r, "only \"after\" is about a result", "a call has no label");
}

static bool sequence_after(struct tree *r, json_object *value, void *into)
{
    return event_read(r, value, &((struct guard_sequence *)into)->after, true);
}

static bool sequence_call(struct tree *r, json_object *value, void *into)
{
    return event_read(r, value, &((struct guard_sequence *)into)->call, false);
}

static bool sequence_unless(struct tree *r, json_object *value, void *into)
{
    return event_read(r, value, &((struct guard_sequence *)into)->unless, false);
}

GUARD_STRING(sequence_name, guard_sequence, name)

bool guard_sequences_read(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"name", sequence_name},     {"after", sequence_after}, {"call", sequence_call},
        {"unless", sequence_unless}, {"why", guard_why},        {NULL, NULL},
    };
    struct policy *policy = into;
    size_t more;
    if (!guards_are_list(r, value))
        return false;
    policy->sequences = guards_room(r, value, policy->sequences, policy->sequence_count,
                                    sizeof *policy->sequences, &more);
    policy->sequence_count += more;
    for (size_t i = 0; i < more; i++) {
        struct guard_sequence *sequence = &policy->sequences[i];
        size_t at = tree_enter_index(r, i);
        sequence->name = span_of(arena_printf(&r->policy->arena, "sequence %zu", i + 1));
        if (!tree_object(r, json_object_array_get_idx(value, i), members, sequence))
            return false;
        if (!sequence->after.given || !sequence->call.given)
            return tree_fail(r, "add both \"after\" and \"call\"", "half a sequence");
        tree_leave(r, at);
    }
    return true;
}

/* ---- queries ---- */

GUARD_STRING(query_name, guard_query, name)
GUARD_STRING(query_sql, guard_query, sql)

bool guard_queries_read(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"name", query_name}, {"sql", query_sql}, {"why", guard_why}, {NULL, NULL}};
    struct policy *policy = into;
    size_t more;
    if (!guards_are_list(r, value))
        return false;
    policy->queries =
        guards_room(r, value, policy->queries, policy->query_count, sizeof *policy->queries, &more);
    policy->query_count += more;
    for (size_t i = 0; i < more; i++) {
        struct guard_query *query = &policy->queries[i];
        size_t at = tree_enter_index(r, i);
        query->name = span_of(arena_printf(&r->policy->arena, "query %zu", i + 1));
        if (!tree_object(r, json_object_array_get_idx(value, i), members, query))
            return false;
        if (!query->sql.len)
            return tree_fail(r, "add \"sql\": \"SELECT step, … FROM v_step …\"",
                             "a query without SQL");
        struct buf where = {0};
        tree_where(r, &where);
        query->where = arena_printf(&r->policy->arena, "%s", buf_cstr(&where));
        buf_finish(&where);
        tree_leave(r, at);
    }
    return true;
}

static void match_finish(struct match *match)
{
    for (size_t i = 0; i < match->condition_count; i++)
        if (match->conditions[i].test == TEST_REGEX)
            pattern_finish(&match->conditions[i].pattern);
}

void guards_finish(struct policy *policy)
{
    for (size_t i = 0; i < policy->scope_count; i++)
        match_finish(&policy->scopes[i].match);
    for (size_t i = 0; i < policy->sequence_count; i++) {
        match_finish(&policy->sequences[i].after.match);
        match_finish(&policy->sequences[i].call.match);
        match_finish(&policy->sequences[i].unless.match);
    }
}
