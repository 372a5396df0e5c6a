/*
 * What a seal is over: every part of a case with its digest, as JSON in its
 * RFC 8785 form. docs/evidence.md describes it.
 */
#ifndef STRANDLINE_MODEL_SEAL_MANIFEST_H
#define STRANDLINE_MODEL_SEAL_MANIFEST_H

#include "model/flow/policy.h"
#include "model/seal/chain.h"

struct manifest {
    struct buf text; /* canonical */
    struct chain_end chain;
};

/* What does not come from the case's content. */
struct manifest_head {
    struct span sealed_at, public_key, policy, policy_digest; /* public_key: hex */
};

/* Makes the manifest of the case as it is. `seal`: it will be signed, so that every source has to
 * be what was imported, and the links of the chain are kept in the case. */
bool manifest_make(struct case_file *c, const struct manifest_head *head, bool seal,
                   struct manifest *manifest, seal_stop stop, void *arg, struct err *err);
void manifest_finish(struct manifest *manifest);

/* Reads back what a sealed manifest says; false where it is none. Strings go to the arena. */
bool manifest_read(struct span text, struct arena *arena, struct manifest_head *head,
                   struct chain_end *chain);

/* The parts in which two manifests differ, in the arena, and how many `sealed` has. */
void manifest_compare(struct span sealed, struct span now, struct arena *arena,
                      struct seal_report *report);

#endif
