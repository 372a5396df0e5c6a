#include "tui/action.h"

#include "base/attr.h"

static const struct action_info action_table[ACTION_COUNT] = {
#define X(id, name, keys, group, help) [ACTION_##id] = {name, keys, help, GROUP_##group},
    ACTIONS(X)
#undef X
};

static const char *const group_titles[GROUP_COUNT] = {
#define X(id, title) [GROUP_##id] = (title),
    ACTION_GROUPS(X)
#undef X
};

static const struct {
    const char *verb;
    enum action action;
} action_verbs[] = {
#define X(verb, id) {verb, ACTION_##id},
    ACTION_VERBS(X)
#undef X
};

static const char *const outer_verbs[] = {
#define X(verb) verb,
    OUTER_VERBS(X)
#undef X
};

const struct action_info *action_info(enum action action)
{
    return &action_table[action];
}

const char *action_group_title(enum action_group group)
{
    return group_titles[group];
}

/* Takes the next name off a list of keys that are parted by blanks. */
static bool next_word(struct span *rest, struct span *word)
{
    *rest = span_trim(*rest);
    size_t end = span_find_byte(*rest, ' ');
    *word = span_sub(*rest, 0, end);
    *rest = span_sub(*rest, end, rest->len);
    return word->len > 0;
}

void keymap_init(struct keymap *map)
{
    for (int a = 0; a < ACTION_COUNT; a++)
        map->of[a] = a ? action_table[a].keys : "";
}

enum action keymap_action(const struct keymap *map, struct key key)
{
    for (int a = 1; a < ACTION_COUNT; a++) {
        struct span rest = span_of(map->of[a]), word;
        while (next_word(&rest, &word)) {
            struct key bound;
            if (key_parse(word, &bound) && bound.code == key.code)
                return (enum action)a;
        }
    }
    return ACTION_NONE;
}

struct span keymap_first(const struct keymap *map, enum action action)
{
    struct span rest = span_of(map->of[action]), word;
    return next_word(&rest, &word) ? word : SPAN_EMPTY;
}

void keymap_release(struct keymap *map, struct key key, struct arena *arena)
{
    enum action holder = keymap_action(map, key);
    if (holder == ACTION_NONE)
        return;
    struct span rest = span_of(map->of[holder]), word;
    const char *kept = "";
    while (next_word(&rest, &word)) {
        struct key bound;
        if (key_parse(word, &bound) && bound.code != key.code)
            kept = arena_printf(arena, "%s%s%.*s", kept, kept[0] ? " " : "", SPAN_ARG(word));
    }
    map->of[holder] = kept;
}

enum action action_of_name(struct span name)
{
    for (int a = 1; a < ACTION_COUNT; a++)
        if (span_is(name, action_table[a].name))
            return (enum action)a;
    for (size_t i = 0; i < COUNT_OF(action_verbs); i++)
        if (span_is(name, action_verbs[i].verb))
            return action_verbs[i].action;
    return ACTION_NONE;
}

bool action_is_outside(struct span verb)
{
    for (size_t i = 0; i < COUNT_OF(outer_verbs); i++)
        if (span_is(verb, outer_verbs[i]))
            return true;
    return false;
}

enum action action_complete(struct span prefix, size_t nth)
{
    for (int a = 1; a < ACTION_COUNT; a++)
        if (span_starts_with(span_of(action_table[a].name), prefix) && nth-- == 0)
            return (enum action)a;
    for (size_t i = 0; i < COUNT_OF(action_verbs) && prefix.len; i++)
        if (span_starts_with(span_of(action_verbs[i].verb), prefix) && nth-- == 0)
            return action_verbs[i].action;
    return ACTION_NONE;
}
