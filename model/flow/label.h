/*
 * Labels and their join: model.md §2, after FIDES (arXiv:2505.23643 §4.1).
 *
 * Integrity: trusted ⊑ untrusted. Confidentiality is a pair (R, O): readers,
 * or everyone; and opaque private markers. Fewer readers or more markers is
 * more confidential. Tags (data class, scopes) ride along.
 *
 * A label is a value whose sets live in a label_pool and are interned there:
 * equal sets have equal numbers, so that a label is small, copyable and
 * comparable, and a replay of a million steps allocates next to nothing.
 */
#ifndef STRANDLINE_MODEL_FLOW_LABEL_H
#define STRANDLINE_MODEL_FLOW_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"

enum integrity { TRUSTED = 0, UNTRUSTED = 1 };

enum data_class { /* of data-class.v1; the order is the lattice's */
                  CLASS_NONE = 0,
                  CLASS_PUBLIC,
                  CLASS_PERSONAL,
                  CLASS_CONFIDENTIAL,
                  CLASS_HIGHLY_CONFIDENTIAL,
};

/* The word on the wire; "none" of CLASS_NONE. */
const char *data_class_word(enum data_class class);
/* false of words that are not of the lattice */
bool data_class_of(struct span word, enum data_class *class);

/* A set of strings in a pool. 0 is the empty set. */
typedef uint32_t set_id;
#define READERS_EVERYONE UINT32_MAX

struct label {
    enum integrity integrity;
    set_id readers; /* READERS_EVERYONE, or a set; the empty set is nobody */
    set_id markers; /* opaque private markers */
    enum data_class class;
    set_id other_classes; /* class words that are not of the lattice: kept, treated as private */
    set_id scopes;
};

/* The identity of join: trusted, public, no tags. */
#define LABEL_PUBLIC ((struct label){TRUSTED, READERS_EVERYONE, 0, CLASS_NONE, 0, 0})

struct label_pool;
/* Never NULL; owned by the caller, and outlives every label whose sets it holds. destroy(NULL) is
 * fine. */
struct label_pool *label_pool_create(void);
void label_pool_destroy(struct label_pool *pool);

/* Sets; equal sets give equal ids. Members are copied, sorted bytewise, without duplicates. */
set_id set_of(struct label_pool *pool, const struct span *members, size_t count);
set_id set_add(struct label_pool *pool, set_id set, struct span member);
set_id set_union(struct label_pool *pool, set_id a, set_id b);
set_id set_intersect(struct label_pool *pool, set_id a, set_id b);
bool set_has(const struct label_pool *pool, set_id set, struct span member);
bool set_within(const struct label_pool *pool, set_id a, set_id b); /* a ⊆ b */
size_t set_size(const struct label_pool *pool, set_id set);
struct span set_member(const struct label_pool *pool, set_id set, size_t index);

/* The least label that both flow to (model.md §2): worse integrity, readers of both, markers of
 * either, the higher class, all scopes. */
struct label label_join(struct label_pool *pool, struct label a, struct label b);
/* a ⊑ b: data labelled a may be treated as b without loss. Tags take no part. */
bool label_flows_to(const struct label_pool *pool, struct label a, struct label b);
bool label_equal(struct label a, struct label b);
static inline bool label_is_public(struct label l)
{
    return l.readers == READERS_EVERYONE && l.markers == 0;
}
/* Private in the sense of the second tide lane: not everyone may read it. */
static inline bool label_is_private(struct label l)
{
    return !label_is_public(l);
}

/* "untrusted, private (github:acme/payroll)": for people. Parts from data are made safe. */
void label_text(struct buf *out, const struct label_pool *pool, struct label l);
/* The JSON object of interface.md, without origin and rule: those belong to the step. */
void label_json(struct buf *out, const struct label_pool *pool, struct label l);
/* Reads what label_json wrote, and the short forms of `whatif --label`, a list with commas:
 * "trusted", "untrusted", "public", "private" (the marker "private"), "private:marker",
 * "readers:a+b", "nobody", "class:confidential", "scope:hipaa". What is not said is trusted and
 * public. */
bool label_parse(struct label_pool *pool, struct span text, struct label *out);

#endif
