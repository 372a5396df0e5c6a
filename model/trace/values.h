/*
 * The values of a call's arguments, as sequences of words that can be looked
 * for in many texts at once: short arguments as a whole, tokens in them
 * (addresses, hosts, ids), and of long ones what any three words in a row say.
 */
#ifndef STRANDLINE_MODEL_TRACE_VALUES_H
#define STRANDLINE_MODEL_TRACE_VALUES_H

#include "base/buf.h"
#include "base/mem.h"
#include "model/trace/cues.h"

enum {
    VALUES_MOST = 512,
    VALUE_WORDS = 24,  /* of one value */
    VALUE_SHORT = 100, /* bytes: a longer argument is content, a shorter one says what to do */
};

struct value {
    struct span text; /* decoded, in the arena */
    uint32_t first;   /* its words, in values.words */
    uint8_t count;
    bool content;     /* a piece of a long argument */
    double weight;    /* before it is known how common it is */
    bool wished;      /* a prompt has it */
    bool said;        /* an earlier call has it */
    uint32_t items;   /* how many items have it */
    uint32_t seen_by; /* the last text that has it, from 1 */
    uint32_t next;    /* the next with the same last word; VALUES_MOST: none */
};

struct values {
    struct value items[VALUES_MOST];
    size_t count;
    uint32_t *words;
    size_t word_count, word_size;
    uint32_t heads[1024]; /* by last word: an index, VALUES_MOST: none */
};

void values_init(struct values *values);
/* Adds what stands in the arguments (JSON, else plain text). */
void values_read(struct values *values, struct span arguments, struct arena *arena);
void values_finish(struct values *values);

/* The last words of a text, for looking back. */
struct value_state {
    uint32_t hash[32];
    size_t at[32];
    size_t count;
};
/* Takes the next word and calls `found` for each value that ends with it. */
void values_step(struct values *values, struct value_state *state, const struct cue_word *word,
                 void (*found)(void *arg, size_t value, size_t at), void *arg);

#endif
