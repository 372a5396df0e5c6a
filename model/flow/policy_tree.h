/*
 * Reading a file of settings: JSON with comments, as json-c's tree, with every
 * member checked. json-c forgets where things stood, so the strict reader goes
 * over the text first (comments blanked, so that offsets stay), and a member
 * that is wrong is found again by its pointer: an error names file, line and
 * member.
 *
 * For the files of flow/ that read policies and catalogues.
 */
#ifndef STRANDLINE_MODEL_FLOW_POLICY_TREE_H
#define STRANDLINE_MODEL_FLOW_POLICY_TREE_H

#include <json-c/json.h>

#include "model/flow/policy_rules.h"

struct tree {
    struct policy *policy;
    const char *where, *folder;
    struct span text;         /* comments blanked */
    struct buf blanked, path; /* pointer of what is being read */
    const char *kind;         /* of a rule: what it is called without a name */
    json_object *root, *groups;
    int depth; /* of inheritance */
    struct err *err;
};

/* Reads the text into tree->root; where, policy and err are set. Strict first, so that what is no
 * JSON, or has a member twice, is an error with its place. */
bool tree_parse(struct tree *tree, struct span text);
void tree_finish(struct tree *tree);

/* Where the reading stands: file, line and member. */
void tree_where(const struct tree *r, struct buf *out);
/* Fills the error with where the reading stands; returns false. */
bool tree_fail(struct tree *r, const char *todo, const char *format, ...) ATTR_PRINTF(3, 4);
/* Into a member or an element, and back to where it was; enter gives what leave takes. */
size_t tree_enter(struct tree *r, const char *name);
size_t tree_enter_index(struct tree *r, size_t index);
void tree_leave(struct tree *r, size_t length);

/* Each gives the value, or fails. Strings live as long as the policy. */
bool tree_is_string(json_object *value);
struct span tree_copy(struct tree *r, json_object *string);
bool tree_string(struct tree *r, json_object *value, struct span *out);
bool tree_bool(struct tree *r, json_object *value, bool *out);
/* One of a list of words that ends with NULL; *out is which. */
bool tree_word(struct tree *r, json_object *value, const char *const *words, int *out);
/* A string, or a list of strings. */
bool tree_strings(struct tree *r, json_object *value, struct span **out, size_t *count);
/* Is it one (RFC 6901)? Else the error says so. */
bool tree_is_pointer(struct tree *r, struct span pointer);
bool tree_pointers(struct tree *r, json_object *value, struct span **out, size_t *count);

/* "2026-12-31" as 20261231. */
bool tree_day(struct tree *r, json_object *value, int *day);
/* Reads a file that the policy names, which lies in its folder; at most 4 MB. */
bool tree_side_file(struct tree *r, struct span name, struct buf *path, struct buf *text);

/* An object by a table of its members (the last has no name); nothing else may stand in it. */
struct tree_member {
    const char *name;
    bool (*read)(struct tree *r, json_object *value, void *into);
};
/* False, and the reader's err is filled, where it is no object, has a member that is not in the
 * table, or one that is wrong. */
bool tree_object(struct tree *r, json_object *value, const struct tree_member *members, void *into);

/* policy_rule.c */
extern const char *const requirement_words[];
bool roles_read(struct tree *r, json_object *value, unsigned *roles);
/* New rules stand before those that are there already. */
bool rules_read(struct tree *r, json_object *value, struct rules *rules);
/* A condition, or a list of which all must hold. */
bool conditions_read(struct tree *r, json_object *value, struct match *match);

/* policy_approval.c: the list, or the name of a file that has it; `into` is the policy */
bool approvals_read(struct tree *r, json_object *value, void *into);
/* policy_guard.c; `into` is the policy */
bool guard_roots_read(struct tree *r, json_object *value, void *into);
bool guard_scopes_read(struct tree *r, json_object *value, void *into);
bool guard_sequences_read(struct tree *r, json_object *value, void *into);
bool guard_queries_read(struct tree *r, json_object *value, void *into);

#endif
