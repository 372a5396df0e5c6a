/* A filter, compiled: filter_parse.c makes it, filter.c asks it. */
#ifndef STRANDLINE_MODEL_QUERY_FILTER_INTERNAL_H
#define STRANDLINE_MODEL_QUERY_FILTER_INTERNAL_H

#include "base/mem.h"
#include "base/pattern.h"
#include "model/evidence/digest.h"
#include "model/query/query.h"

/* Words before the colon. id, word, what stands behind it (for messages and help) */
#define FILTER_FIELDS(X)                                                                           \
    X(TOOL, "tool", "a tool's name, with * and ?")                                                 \
    X(SERVER, "server", "a server's name, with * and ?")                                           \
    X(KIND, "kind", "a kind of step: prompt, tool_call, tool_result, …")                           \
    X(LABEL, "label", "untrusted, trusted, private, public or none: of what came in")              \
    X(CONTEXT, "context", "untrusted, trusted, private or public: of the context after it")        \
    X(ORIGIN, "origin", "none, claimed, verified or assumed")                                      \
    X(VERDICT, "verdict", "allow, ask or deny")                                                    \
    X(FINDING, "finding", "a code (PT01), or a severity: that or worse")                           \
    X(EVIDENCE, "evidence", "a verdict on evidence, or any, ok, bad")                              \
    X(DIGEST, "digest", "a digest: sha256:…, of evidence or of a tool's definition")               \
    X(IS, "is",                                                                                    \
      "error, truncated, redacted, sidechain, change, completed, failed, refused or unanswered")   \
    X(SINCE, "since", "a time: 2026-05-26T09:12:04Z")                                              \
    X(BEFORE, "before", "a time: 2026-05-26T09:12:04Z")                                            \
    X(TEXT, NULL, "text, \"quoted text\" or /regex/")

enum filter_field {
#define X(id, word, text) FIELD_##id,
    FILTER_FIELDS(X)
#undef X
        FIELD_COUNT
};

/* One choice of a term: `tool:a,b` has two. What is filled depends on the field. */
struct choice {
    struct span text; /* patterns, codes and text to look for (lower case) */
    int64_t number;   /* kinds, verdicts, severities, flags, times */
    struct digest digest;
    struct pattern *pattern; /* /regex/ */
};

struct term {
    enum filter_field field;
    bool negated;
    struct choice *choices; /* one of them must hold */
    size_t count;
};

struct filter {
    struct arena arena;
    struct term *terms; /* all must hold; those that read text come last */
    size_t count;
    bool wants_findings, wants_evidence;
};

/* What `is:` asks. id, word */
#define FILTER_STATES(X)                                                                           \
    X(ERROR, "error")                                                                              \
    X(TRUNCATED, "truncated")                                                                      \
    X(REDACTED, "redacted")                                                                        \
    X(SIDECHAIN, "sidechain")                                                                      \
    X(CHANGE, "change")                                                                            \
    X(COMPLETED, "completed")                                                                      \
    X(FAILED, "failed")                                                                            \
    X(REFUSED, "refused")                                                                          \
    X(UNANSWERED, "unanswered")

enum filter_state {
#define X(id, word) STATE_##id,
    FILTER_STATES(X)
#undef X
        STATE_COUNT
};

/* What `label:` and `context:` ask. */
enum filter_label { ASKS_UNTRUSTED, ASKS_TRUSTED, ASKS_PRIVATE, ASKS_PUBLIC, ASKS_NONE };

#endif
