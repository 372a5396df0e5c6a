/*
 * An order may take two steps: read this, then send what you read. What is sent
 * then stands in the second result, and the order in an earlier item that named
 * what was to be read. This says of each item how far it named what the calls
 * asked for whose results the call at hand carries on.
 */
#ifndef STRANDLINE_MODEL_TRACE_STEER_H
#define STRANDLINE_MODEL_TRACE_STEER_H

#include "base/mem.h"
#include "base/span.h"

struct steer_item { /* in order */
    struct span text, arguments;
    bool is_prompt;
    double share;  /* of the call at hand, that it has too: 0..1 */
    double steers; /* the answer: 0..1 */
};

/* Time is linear in the texts. Prompts steer by wish, and get 0. */
void steer_weigh(struct steer_item *items, size_t count, struct arena *arena);

#endif
