/*
 * How does one session differ from another? Steps are aligned by what they are
 * (kind, server, tool), by the shortest edit script (Myers 1986, "An O(ND)
 * Difference Algorithm"); aligned steps may still say other things. Versions
 * of servers and definitions of tools are compared by name.
 */
#ifndef STRANDLINE_MODEL_QUERY_DIFF_H
#define STRANDLINE_MODEL_QUERY_DIFF_H

#include "model/query/query.h"

#define DIFF_KINDS(X)                                                                              \
    X(SAME, "same")                                                                                \
    X(ADDED, "added")     /* only in b */                                                          \
    X(REMOVED, "removed") /* only in a */                                                          \
    X(CHANGED, "changed") /* the same step with another text or verdict */

enum diff_kind {
#define X(id, word) DIFF_##id,
    DIFF_KINDS(X)
#undef X
        DIFF_KIND_COUNT
};
/* The word in JSON. */
const char *diff_kind_word(enum diff_kind kind);

struct step_diff {
    enum diff_kind kind;         /* never SAME */
    int64_t a, b;                /* step numbers; 0: none */
    bool body, verdict, context; /* of CHANGED: what differs */
};

struct fact_diff {       /* a server's version, a tool's definition */
    enum diff_kind kind; /* never SAME */
    struct span what;    /* "server", "definition", "protocol", "client" */
    struct span name;
    struct span a, b; /* at NULL: none */
};

struct session_diff {
    struct step_diff *steps;
    size_t step_count, same; /* same: steps that are alike in both */
    struct fact_diff *facts;
    size_t fact_count;
    bool capped; /* they differ so much that steps were not aligned beyond the first difference */
};

/* Bodies are compared by their text. Everything lives in the arena. */
bool review_diff(struct review *a, struct review *b, struct arena *arena, struct session_diff *out,
                 struct err *err);

#endif
