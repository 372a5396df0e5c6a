/*
 * Which earlier content brought a call about: the candidates ordered by
 * evidence. General evidence only, each piece with its sentence:
 *
 *   values    text of the arguments that stands in the candidate and not in
 *             the user's prompt (rare text counts more)
 *   orders    text that speaks to the reader of it: imperatives, urgency,
 *             "before you", role tags
 *   tool      words of the tool's name or of its server in such text
 *   wish      what of the call the user's prompt asked for itself
 *   label     untrusted
 *   recency   only breaks ties
 */
#ifndef STRANDLINE_MODEL_RANK_H
#define STRANDLINE_MODEL_RANK_H

#include "base/mem.h"
#include "base/span.h"
#include "model/trace/trace.h"

struct rank_item { /* earlier content, in order */
    int64_t n;
    enum trace_source source;
    bool untrusted;
    bool is_json;
    struct span text;
};

struct rank_call {
    struct span server, tool;
    struct span arguments; /* JSON; plain text of the model for a rendered link */
};

enum { RANK_REASONS = 4 };
struct rank_cause {
    int64_t n;
    double score;                      /* 0..1; the order is what matters */
    struct span reasons[RANK_REASONS]; /* short sentences, heaviest first; hold data */
    size_t reason_count;
};

/* Prompts among the items are what the others are measured against, and are ranked too: last,
 * unless the call is what they asked for. Causes in the arena, most likely first; items without
 * any evidence are left out. */
void rank_causes(const struct rank_call *call, const struct rank_item *items, size_t count,
                 struct arena *arena, struct rank_cause **causes, size_t *cause_count);

#endif
