/*
 * The tools of a session: what their servers said they are, when a definition
 * changed, and how often each was called.
 */
#ifndef STRANDLINE_MODEL_QUERY_TOOLS_H
#define STRANDLINE_MODEL_QUERY_TOOLS_H

#include "model/query/query.h"

/* One definition as a server gave it. A server that lists its tools twice gives two; where the text
 * is the same as the one before they are one version. */
struct tool_version {
    int64_t id;         /* row: for review_definition */
    int64_t n;          /* step at which it was first given */
    struct span digest; /* "sha256:…" of its JCS form; at NULL: it has none */
    struct hints hints;
};

struct tool_view {
    struct span server, tool;
    struct tool_version *versions; /* in order; none: it was called without a definition */
    size_t version_count;
    int64_t listed;            /* how many lists held it */
    int64_t calls, first_call; /* first_call: step, 0: never called */
};

/* By server and name; strings in the arena. */
bool review_tools(struct review *r, struct arena *arena, struct tool_view **out, size_t *count,
                  struct err *err);
/* The definition's JSON as it was recorded, at most `limit` bytes. */
bool review_definition(struct review *r, int64_t id, uint64_t limit, struct buf *out, bool *cut,
                       struct err *err);

#endif
