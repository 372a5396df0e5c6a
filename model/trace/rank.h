/*
 * Which earlier content brought a call about: the candidates ordered by
 * evidence. General evidence only, each piece with its sentence:
 *
 *   values    what the arguments say and the candidate says too, and no prompt
 *             does (what few candidates say counts more; what says where to
 *             and to whom counts more than the content that is sent)
 *   orders    text that speaks to its reader: cues and imperatives (cues.h)
 *   tool      words of the tool's name in such text
 *   steering  it named what was asked for to get what the call carries on, and gives orders
 * (steer.h) label     untrusted
 *
 * Cues, tool and values count most where they stand close together. Of several
 * that say the same the earliest keeps the credit. What the model said in a call
 * before an item came in (the call that it answers, or an earlier one), it did
 * not have from that item: such values don't count.
 */
#ifndef STRANDLINE_MODEL_TRACE_RANK_H
#define STRANDLINE_MODEL_TRACE_RANK_H

#include "base/mem.h"
#include "base/span.h"
#include "model/trace/trace.h"

struct rank_item { /* earlier content, in order */
    int64_t n;
    enum trace_source source;
    bool untrusted;
    struct span text;
    struct span arguments; /* of the call that a result answers; empty: none, or not known */
};

struct rank_call {
    struct span server, tool;
    struct span arguments; /* JSON; plain text of the model for a rendered link */
    bool only_content;     /* which items its content came from, whoever ordered it */
};

enum { RANK_REASONS = 4 };
struct rank_cause {
    int64_t n;
    double score;                      /* 0..1; the order is what matters */
    struct span reasons[RANK_REASONS]; /* short sentences, heaviest first; hold data */
    size_t reason_count;
    size_t offset, length; /* the passage in its text that says most; length 0: none */
};

/* Causes in the arena, most likely first; items without any evidence are left out. Prompts are
 * what the others are measured against, and are causes where the call is what they ask for. Time
 * is linear in the text; memory too, up to a bound: *capped (may be NULL) says that it was hit. */
void rank_causes(const struct rank_call *call, const struct rank_item *items, size_t count,
                 struct arena *arena, struct rank_cause **causes, size_t *cause_count,
                 bool *capped);

#endif
