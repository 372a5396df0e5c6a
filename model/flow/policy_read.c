/* The members of a policy: from a file's tree to settings. */
#include <errno.h>

#include "base/file.h"
#include "model/findings/codes.h"
#include "model/flow/policy_tree.h"

enum { INHERIT_MAX = 4, GROUP_DEPTH = 8, READERS_MAX = 65536, NAMES_MAX = 1 << 20 };

static bool policy_rules(struct tree *r, json_object *value, void *into)
{
    return rules_read(r, value, &((struct policy *)into)->rules);
}

/* ---- the rest of a policy ---- */

static bool policy_schema(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"strandline/policy/1", NULL};
    int which;
    (void)into;
    return tree_word(r, value, words, &which);
}

static bool policy_name_read(struct tree *r, json_object *value, void *into)
{
    struct policy *policy = into;
    struct span name = SPAN_EMPTY;
    if (!tree_string(r, value, &name))
        return false;
    if (!name.len || name.len > 100)
        return tree_fail(r, "1 to 100 bytes", "not a name");
    mem_free(policy->name);
    policy->name = mem_alloc(name.len + 1);
    memcpy(policy->name, name.at, name.len);
    return true;
}

static bool policy_summary_read(struct tree *r, json_object *value, void *into)
{
    struct span summary = SPAN_EMPTY;
    (void)into;
    return tree_string(r, value, &summary);
}

static bool policy_extends(struct tree *r, json_object *value, void *into)
{
    (void)into; /* was done before all the others */
    struct span name = SPAN_EMPTY;
    return tree_string(r, value, &name);
}

/* ---- catalogue ---- */

static bool catalogue_flag(struct tree *r, json_object *value, bool *flag)
{
    return tree_bool(r, value, flag);
}

#define CATALOGUE_FLAG(name)                                                                       \
    static bool catalogue_##name(struct tree *r, json_object *value, void *into)                   \
    {                                                                                              \
        return catalogue_flag(r, value, &((struct policy *)into)->catalogue_##name);               \
    }
CATALOGUE_FLAG(labels)
CATALOGUE_FLAG(roles)
CATALOGUE_FLAG(audiences)
CATALOGUE_FLAG(resources)

enum { SIDE_FILE_MAX = 4 << 20 };

/* Reads a file that the policy names, which lies in its folder. */
bool tree_side_file(struct tree *r, struct span name, struct buf *path, struct buf *text)
{
    if (!r->folder)
        return tree_fail(r, "read the policy from a file", "a built-in policy can name no files");
    if (name.len && name.at[0] != '/')
        buf_addf(path, "%s/", r->folder);
    buf_add(path, name);
    int why = file_bytes(buf_cstr(path), SIDE_FILE_MAX, text);
    if (why == EFBIG)
        return tree_fail(r, "at most 4 MB", "too long");
    return !why || tree_fail(r, "paths are relative to the policy's folder", "can't be opened");
}

static bool catalogue_file(struct tree *r, struct span name)
{
    struct buf path = {0}, text = {0};
    bool good = tree_side_file(r, name, &path, &text) &&
                catalogue_read(r->policy, buf_span(&text), buf_cstr(&path), r->err);
    buf_finish(&path);
    buf_finish(&text);
    return good;
}

static bool catalogue_extra(struct tree *r, json_object *value, void *into)
{
    struct span *names;
    size_t count;
    (void)into;
    if (!tree_strings(r, value, &names, &count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!catalogue_file(r, names[i]))
            return false;
    return true;
}

static bool policy_catalogue(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
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
    return tree_object(r, value, members, policy);
}

/* ---- settings ---- */

static bool policy_unlabelled(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"no-claim", "untrusted", "by-hint", "by-hint-or-untrusted",
                                        NULL};
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    ((struct policy *)into)->unlabelled = (enum unlabelled)which;
    return good;
}

static bool policy_malformed(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"closed", "ignore", NULL};
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    ((struct policy *)into)->malformed_ignored = which == 1;
    return good;
}

static bool policy_partial(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"accept", "fill", NULL};
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    ((struct policy *)into)->fill = which == 1;
    return good;
}

static bool policy_unresolved(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"ask", "deny", NULL};
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    ((struct policy *)into)->unresolved_denies = which == 1;
    return good;
}

static bool policy_mode_read(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"enforce", "warn", "audit", NULL};
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    ((struct policy *)into)->mode = (enum policy_mode)which;
    return good;
}

static bool policy_private_from(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"personal", "confidential", "highly_confidential", NULL};
    int which = 0;
    bool good = tree_word(r, value, words, &which);
    ((struct policy *)into)->private_from = (enum data_class)(CLASS_PERSONAL + which);
    return good;
}

#define POLICY_FLAG(name)                                                                          \
    static bool policy_##name(struct tree *r, json_object *value, void *into)                      \
    {                                                                                              \
        return tree_bool(r, value, &((struct policy *)into)->name);                                \
    }
POLICY_FLAG(reader_lists)
POLICY_FLAG(blocks)
POLICY_FLAG(rendering)
POLICY_FLAG(prompt_endorses)
POLICY_FLAG(follows_links)
POLICY_FLAG(reference_rules)

static bool policy_owner(struct tree *r, json_object *value, void *into)
{
    struct policy *policy = into;
    return tree_strings(r, value, &policy->owners, &policy->owner_count);
}

static bool policy_trusted_servers(struct tree *r, json_object *value, void *into)
{
    struct policy *policy = into;
    return tree_strings(r, value, &policy->trusted_servers, &policy->trusted_server_count);
}

#define HINT_ROLES(name)                                                                           \
    static bool hint_##name##_read(struct tree *r, json_object *value, void *into)                 \
    {                                                                                              \
        return roles_read(r, value, &((struct policy *)into)->hint_##name);                        \
    }
HINT_ROLES(read)
HINT_ROLES(read_open)
HINT_ROLES(write)
HINT_ROLES(write_closed)

static bool policy_hints(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"read", hint_read_read},
        {"read_open_world", hint_read_open_read},
        {"write", hint_write_read},
        {"write_closed_world", hint_write_closed_read},
        {NULL, NULL},
    };
    return tree_object(r, value, members, into);
}

static bool require_consequential(struct tree *r, json_object *value, void *into)
{
    int which = 0;
    bool good = tree_word(r, value, requirement_words, &which);
    ((struct policy *)into)->consequential = (enum requirement)which;
    return good;
}

static bool require_egress(struct tree *r, json_object *value, void *into)
{
    int which = 0;
    bool good = tree_word(r, value, requirement_words, &which);
    ((struct policy *)into)->egress = (enum requirement)which;
    return good;
}

static bool policy_require(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"consequential", require_consequential}, {"egress", require_egress}, {NULL, NULL}};
    return tree_object(r, value, members, into);
}

/* ---- who stands behind a marker ---- */

struct readers {
    struct span *items;
    size_t count, size;
    size_t looked_at; /* names of readers and groups: groups of groups of nobody end, too */
};

/* Adds the strings of a list; names of groups give their members. */
static bool readers_add(struct tree *r, json_object *list, struct readers *readers, int depth)
{
    if (!json_object_is_type(list, json_type_array))
        return tree_fail(r, "write [ \"who\", … ]", "not a list of readers");
    if (depth > GROUP_DEPTH)
        return tree_fail(r, "look for a group that holds itself", "groups are nested too deep");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *item = json_object_array_get_idx(list, i), *group;
        if (!tree_is_string(item))
            return tree_fail(r, "write each in quotes", "a reader is not a string");
        if (++readers->looked_at > NAMES_MAX)
            return tree_fail(r, "write a pattern, as in \"*@example.org\"", "too many readers");
        if (r->groups &&
            json_object_object_get_ex(r->groups, json_object_get_string(item), &group)) {
            if (!readers_add(r, group, readers, depth + 1))
                return false;
            continue;
        }
        if (readers->count == READERS_MAX)
            return tree_fail(r, "write a pattern, as in \"*@example.org\"", "too many readers");
        readers->items =
            mem_one_more(readers->items, readers->count, &readers->size, sizeof *readers->items);
        readers->items[readers->count++] = tree_copy(r, item);
    }
    return true;
}

static bool policy_resolve(struct tree *r, json_object *value, void *into)
{
    struct policy *policy = into;
    if (!json_object_is_type(value, json_type_object))
        return tree_fail(r, "write {\"server:resource\": [\"who\", …]}", "not an object");
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
        size_t at = tree_enter(r, name);
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
        tree_leave(r, at);
    }
    return true;
}

static bool policy_groups(struct tree *r, json_object *value, void *into)
{
    struct readers readers = {0}; /* read where they are used; here only checked */
    bool good = true;
    (void)into;
    if (!json_object_is_type(value, json_type_object))
        return tree_fail(r, "write {\"@group\": [\"who\", …]}", "not an object");
    json_object_object_foreach(value, name, item)
    {
        size_t at = tree_enter(r, name);
        good = readers_add(r, item, &readers, 0);
        if (!good)
            break;
        tree_leave(r, at);
    }
    mem_free(readers.items);
    return good;
}

/* ---- about findings ---- */

/* A code that no finding has would be a rule that never does anything. */
static bool is_code(struct tree *r, struct span code)
{
    static const char *const codes[] = {
#define X(name, ...) #name,
        FINDING_CODES(X)
#undef X
    };
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (span_is(code, codes[i]))
            return true;
    return tree_fail(r, "see 'strandline explain' for all of them", "not a code of a finding");
}

static bool policy_severity_read(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"info", "low", "medium", "high", "critical", NULL};
    struct policy *policy = into;
    if (!json_object_is_type(value, json_type_object))
        return tree_fail(r, "write {\"CODE\": \"high\", …}", "not an object");
    size_t more = (size_t)json_object_object_length(value), n = 0;
    struct severity_override *all =
        arena_array(&policy->arena, more + policy->severity_count + 1, sizeof *all);
    if (policy->severity_count)
        memcpy(all + more, policy->severities, policy->severity_count * sizeof *all);
    json_object_object_foreach(value, name, item)
    {
        size_t at = tree_enter(r, name);
        if (!is_code(r, span_of(name)))
            return false;
        if (!tree_word(r, item, words, &all[n].severity))
            return false;
        all[n++].code = arena_copy(&policy->arena, span_of(name));
        tree_leave(r, at);
    }
    policy->severities = all;
    policy->severity_count += more;
    return true;
}

static bool suppress_code(struct tree *r, json_object *value, void *into)
{
    struct suppression *s = into;
    return tree_string(r, value, &s->code) && is_code(r, s->code);
}

#define SUPPRESS_STRING(name)                                                                      \
    static bool suppress_##name(struct tree *r, json_object *value, void *into)                    \
    {                                                                                              \
        return tree_string(r, value, &((struct suppression *)into)->name);                         \
    }
SUPPRESS_STRING(id)
SUPPRESS_STRING(server)
SUPPRESS_STRING(tool)
SUPPRESS_STRING(reason)

bool tree_day(struct tree *r, json_object *value, int *out)
{
    struct span day = SPAN_EMPTY;
    if (!tree_string(r, value, &day))
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
    bool leap = date / 10000 % 4 == 0 && (date / 10000 % 100 != 0 || date / 10000 % 400 == 0);
    static const int lengths[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (day.len != 10 || digits != 10 || month < 1 || month > 12 || dom < 1 ||
        dom > lengths[month] + (month == 2 && leap))
        return tree_fail(r, "as in 2026-12-31", "not a date");
    *out = date;
    return true;
}

static bool suppress_until(struct tree *r, json_object *value, void *into)
{
    return tree_day(r, value, &((struct suppression *)into)->until);
}

static bool policy_suppress(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
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
        return tree_fail(r, "write [ … ]", "not a list");
    size_t more = json_object_array_length(value);
    struct suppression *all =
        arena_array(&policy->arena, more + policy->suppression_count + 1, sizeof *all);
    if (policy->suppression_count)
        memcpy(all + more, policy->suppressions, policy->suppression_count * sizeof *all);
    for (size_t i = 0; i < more; i++) {
        size_t at = tree_enter_index(r, i);
        if (!tree_object(r, json_object_array_get_idx(value, i), members, &all[i]))
            return false;
        if (!all[i].reason.len)
            return tree_fail(r, "add \"reason\"", "a suppression without a reason");
        if (!all[i].code.len && !all[i].id.len)
            return tree_fail(r, "add \"code\" or \"id\"", "it doesn't say which findings");
        tree_leave(r, at);
    }
    policy->suppressions = all;
    policy->suppression_count += more;
    return true;
}

static const struct tree_member policy_members[] = {
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
    {"trusted_servers", policy_trusted_servers},
    {"require", policy_require},
    {"rendering", policy_rendering},
    {"unresolved", policy_unresolved},
    {"prompt_endorses", policy_prompt_endorses},
    {"owner", policy_owner},
    {"follows_links", policy_follows_links},
    {"reference_rules", policy_reference_rules},
    {"mode", policy_mode_read},
    {"rules", policy_rules},
    {"groups", policy_groups},
    {"resolve", policy_resolve},
    {"severity", policy_severity_read},
    {"suppress", policy_suppress},
    {"approvals", approvals_read},
    {"roots", guard_roots_read},
    {"scopes", guard_scopes_read},
    {"sequences", guard_sequences_read},
    {"queries", guard_queries_read},
    {NULL, NULL},
};

/* ---- whole files ---- */

/* What a policy extends is read first, then the policy itself over it. */
static bool read_over_base(struct tree *r);

static bool read_base(struct tree *r, json_object *name)
{
    struct span text;
    size_t at = tree_enter(r, "extends");
    if (!tree_is_string(name) || !policy_builtin(span_of(json_object_get_string(name)), &text))
        return tree_fail(r, "see 'strandline policy list'", "not the name of a built-in policy");
    if (r->depth >= INHERIT_MAX)
        return tree_fail(r, "extend a simpler policy", "policies extend each other too deep");
    struct tree base = {.policy = r->policy,
                        .where = json_object_get_string(name),
                        .depth = r->depth + 1,
                        .err = r->err,
                        .kind = "rule"};
    bool good = tree_parse(&base, text) && read_over_base(&base);
    tree_finish(&base);
    tree_leave(r, at);
    return good;
}

static bool read_over_base(struct tree *r)
{
    json_object *name;
    if (json_object_object_get_ex(r->root, "extends", &name) && !read_base(r, name))
        return false;
    json_object_object_get_ex(r->root, "groups", &r->groups);
    return tree_object(r, r->root, policy_members, r->policy);
}

bool policy_read(struct policy *policy, struct span text, const char *where, const char *folder,
                 struct err *err)
{
    struct tree r = {
        .policy = policy, .where = where, .folder = folder, .err = err, .kind = "rule"};
    json_object *part;
    bool good = tree_parse(&r, text);
    if (good && !json_object_is_type(r.root, json_type_object))
        good = tree_fail(&r, "write { … }", "a policy is an object");
    if (good && !json_object_object_get_ex(r.root, "schema", &part))
        good =
            tree_fail(&r, "add \"schema\": \"strandline/policy/1\"", "it doesn't say what it is");
    good = good && read_over_base(&r);
    tree_finish(&r);
    return good;
}

static bool catalogue_schema(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"strandline/catalogue/1", NULL};
    int which;
    (void)into;
    return tree_word(r, value, words, &which);
}

static bool catalogue_rules(struct tree *r, json_object *value, void *into)
{
    return rules_read(r, value, &((struct policy *)into)->catalogue);
}

/* What the catalogue's digest is over. */
static void note_text(struct policy *policy, struct span text)
{
    size_t count = policy->catalogue_text_count++;
    struct span *texts = arena_array(&policy->arena, count + 1, sizeof *texts);
    if (count)
        memcpy(texts, policy->catalogue_texts, count * sizeof *texts);
    texts[count] = arena_copy(&policy->arena, text);
    policy->catalogue_texts = texts;
}

bool catalogue_read(struct policy *policy, struct span text, const char *where, struct err *err)
{
    static const struct tree_member members[] = {
        {"schema", catalogue_schema}, {"rules", catalogue_rules}, {NULL, NULL}};
    struct tree r = {.policy = policy, .where = where, .err = err, .kind = "catalogue rule"};
    bool good = tree_parse(&r, text) && tree_object(&r, r.root, members, policy);
    if (good)
        note_text(policy, text);
    tree_finish(&r);
    return good;
}
