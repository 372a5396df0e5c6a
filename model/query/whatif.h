/*
 * What if: the same record with some labels changed, some items left out, or
 * under another policy. Nothing of it is written; the answer is the
 * difference (model.md §8).
 */
#ifndef STRANDLINE_MODEL_QUERY_WHATIF_H
#define STRANDLINE_MODEL_QUERY_WHATIF_H

#include "model/query/query.h"

enum whatif_kind {
    WHATIF_LABEL, /* what came in at step n had this label */
    WHATIF_DROP,  /* step n never was */
};

struct whatif_edit {
    enum whatif_kind kind;
    int64_t n;
    struct label label; /* of the review's pool: see label_parse */
};

/* A call whose verdict differs. */
struct whatif_verdict {
    int64_t n;
    enum verdict was, is;               /* VERDICT_NONE where the step is left out */
    enum verdict was_action, is_action; /* P-T */
    enum verdict was_flow, is_flow;     /* P-F */
    struct label context;               /* before the call, as it is with the edits */
};

/* What is found of the same step for another reason, or weighs otherwise, changes. */
enum whatif_fate { WHATIF_STAYS, WHATIF_CHANGES, WHATIF_APPEARS, WHATIF_DISAPPEARS };
struct whatif_finding {
    enum whatif_fate fate;
    const struct whatif_finding *was; /* what changes, as it is without the edits; else NULL */
    struct span id, code, message;
    enum severity severity;
    int64_t n; /* 0: of the session */
};

/* Numbers before and after, and why: where the context rises now. */
struct whatif_side {
    int64_t first_untrusted, first_private, first_denied, denied, asked, unclaimed;
    struct label context; /* at the end */
};

struct whatif {
    struct whatif_side was, is;
    struct whatif_verdict *verdicts; /* only those that differ, in order */
    size_t verdict_count;
    struct whatif_finding *findings; /* all of both sides: those that differ first, worst first */
    size_t finding_count;
};

/* The edits' steps must be of the session. `policy` NULL: that of the review. Memory of the answer
 * in the arena. */
bool review_whatif(struct review *r, const struct policy *policy, const struct whatif_edit *edits,
                   size_t count, review_progress progress, void *arg, struct arena *arena,
                   struct whatif *out, struct err *err);

#endif
