/* What people let be done, where the record has no place for it. */
#include "model/flow/policy_tree.h"

#define APPROVAL_STRING(name)                                                                      \
    static bool approval_##name(struct tree *r, json_object *value, void *into)                    \
    {                                                                                              \
        return tree_string(r, value, &((struct approval *)into)->name);                            \
    }
APPROVAL_STRING(session)
APPROVAL_STRING(by)
APPROVAL_STRING(reason)

static bool approval_step(struct tree *r, json_object *value, void *into)
{
    int64_t step = json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : 0;
    ((struct approval *)into)->step = step;
    return step > 0 || tree_fail(r, "its number, as in 15", "not a step");
}

static bool approval_until(struct tree *r, json_object *value, void *into)
{
    return tree_day(r, value, &((struct approval *)into)->until);
}

static bool approvals_list(struct tree *r, json_object *value, void *into)
{
    static const struct tree_member members[] = {
        {"session", approval_session}, {"step", approval_step},   {"by", approval_by},
        {"reason", approval_reason},   {"until", approval_until}, {NULL, NULL},
    };
    struct policy *policy = into;
    if (!json_object_is_type(value, json_type_array))
        return tree_fail(r, "write [ … ]", "not a list");
    size_t more = json_object_array_length(value);
    struct approval *all =
        arena_array(&policy->arena, more + policy->approval_count + 1, sizeof *all);
    if (policy->approval_count)
        memcpy(all + more, policy->approvals, policy->approval_count * sizeof *all);
    for (size_t i = 0; i < more; i++) {
        size_t at = tree_enter_index(r, i);
        if (!tree_object(r, json_object_array_get_idx(value, i), members, &all[i]))
            return false;
        if (!all[i].step || !all[i].by.len)
            return tree_fail(r, "add \"step\" and \"by\"", "it doesn't say who approved of what");
        tree_leave(r, at);
    }
    policy->approvals = all;
    policy->approval_count += more;
    return true;
}

static bool approvals_schema(struct tree *r, json_object *value, void *into)
{
    static const char *const words[] = {"strandline/approvals/1", NULL};
    int which;
    (void)into;
    return tree_word(r, value, words, &which);
}

static bool approvals_file(struct tree *r, struct span name)
{
    static const struct tree_member members[] = {
        {"schema", approvals_schema}, {"approvals", approvals_list}, {NULL, NULL}};
    struct policy *policy = r->policy;
    struct buf path = {0}, text = {0};
    bool good = tree_side_file(r, name, &path, &text);
    struct tree side = {.policy = policy, .where = buf_cstr(&path), .err = r->err};
    if (good) {
        policy->approvals_text = arena_copy(&policy->arena, buf_span(&text));
        good = tree_parse(&side, policy->approvals_text) &&
               tree_object(&side, side.root, members, policy);
        tree_finish(&side);
    }
    buf_finish(&path);
    buf_finish(&text);
    return good;
}

/* The list itself, or the name of a file that has it. */
bool approvals_read(struct tree *r, json_object *value, void *into)
{
    struct span name = SPAN_EMPTY;
    if (!tree_is_string(value))
        return approvals_list(r, value, into);
    return tree_string(r, value, &name) && approvals_file(r, name);
}
