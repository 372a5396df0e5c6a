/*
 * A step: what the replay advances by. An event that brings content into the
 * context, or asks for an action.
 */
#ifndef STRANDLINE_MODEL_CASE_STEP_H
#define STRANDLINE_MODEL_CASE_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"
#include "model/case/extent.h"

#define STEP_KINDS(X)                                                                              \
    X(PROMPT, "prompt", "a prompt of the user or the system")                                      \
    X(ASSISTANT, "assistant", "text of the model")                                                 \
    X(TOOL_CALL, "tool_call", "a call of a tool")                                                  \
    X(TOOL_RESULT, "tool_result", "what a tool gave back")                                         \
    X(DEFINITIONS, "definitions", "a list of tool definitions")                                    \
    X(INSTRUCTIONS, "instructions", "a server's instructions")                                     \
    X(RESOURCE, "resource", "a resource that was read")                                            \
    X(PROMPT_GET, "prompt_get", "a prompt that a server gave")                                     \
    X(SAMPLING, "sampling", "a server asked for a completion")                                     \
    X(ELICITATION, "elicitation", "a server asked the person")                                     \
    X(NOTIFICATION, "notification", "a notification")                                              \
    X(RESET, "reset", "the context was cleared or compacted")                                      \
    X(CONNECTION, "connection", "a connection began or ended")

enum step_kind {
#define X(id, word, text) STEP_##id,
    STEP_KINDS(X)
#undef X
        STEP_KIND_COUNT
};

/* The word in JSON and in the case: "tool_call". */
const char *step_kind_word(enum step_kind kind);
/* false where it is no such word */
bool step_kind_of(struct span word, enum step_kind *kind);

/* Three states: what was said, or that nothing was. Absent is not false. */
enum tri { TRI_ABSENT = -1, TRI_FALSE = 0, TRI_TRUE = 1 };

/* Hints of a tool's definition (MCP "ToolAnnotations"). */
struct hints {
    bool defined; /* a definition was seen; the rest is meaningless without */
    enum tri read_only, destructive, idempotent, open_world;
};

enum outcome {
    OUTCOME_NONE,       /* not a call */
    OUTCOME_COMPLETED,  /* a result came */
    OUTCOME_FAILED,     /* an error came */
    OUTCOME_REFUSED,    /* the host or the person said no */
    OUTCOME_UNANSWERED, /* nothing came before the record's end */
};
/* "completed"; and back, false of any other word. */
const char *outcome_word(enum outcome outcome);
bool outcome_of(struct span word, enum outcome *outcome);

struct step {
    int64_t id;         /* row */
    int64_t session, n; /* n counts from 1 in the session */
    enum step_kind kind;
    int64_t time_ns;
    int time_digits;    /* -1: no time recorded */
    struct span server; /* empty: the host itself */
    struct span tool;   /* tool, resource, prompt, method. Of a RESET: "clear" begins a new context,
                           anything else (compaction) keeps its label. Of a PROMPT: "system" or "" */
    int64_t call_n, result_n; /* the other half; 0: none */
    int64_t child;            /* session of a sub-agent; 0: none */
    struct hints hints; /* of the definition in force at a call; of a result: those of its call */
    enum outcome outcome;
    bool approved; /* of a call: the log tells that a person who was asked let it be made */
    bool is_error;
    unsigned flags;      /* ROW_… of store.h */
    struct extent whole; /* the message */
    struct extent body;  /* arguments, result, text */
    uint64_t line;
};

#endif
