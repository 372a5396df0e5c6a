/*
 * The words that a text uses when it gives orders to its reader, and what a
 * word counts as while texts are ranked. Lists of ordinary English, not of any
 * attack's wording; a text in another language gives fewer cues, and is then
 * ranked by the values that it shares with the call.
 */
#ifndef STRANDLINE_MODEL_TRACE_CUES_H
#define STRANDLINE_MODEL_TRACE_CUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum { CUE_CLASSES = 15, CUE_STEM = 5 };

/* One word, read in the order of a text. */
struct cue_word {
    size_t at, len;
    uint32_t hash; /* of its folded bytes */
    uint32_t stem; /* of the first CUE_STEM of them */
    bool starts;   /* a sentence, a line or a clause may begin here */
    bool tagged;   /* '<', '[' or "</" stands before it, or ':' behind: a tag or a role */
};
/* The next word from *at on (escapes of JSON are separators); false at the end. */
bool cue_word_next(struct span text, size_t *at, struct cue_word *word);
uint32_t cue_stem(struct span word);

/* All that is known of words, looked up by hash. */
struct cue_lexicon;
struct cue_lexicon *cue_lexicon_create(void);
void cue_lexicon_destroy(struct cue_lexicon *lexicon);

/* Follows a text word by word. */
struct cue_state {
    uint64_t first[8]; /* cues that the last words may begin */
    unsigned count;
    bool after_please; /* the last word lets an imperative follow: please, then, and, to, must … */
};
struct cue_seen {
    uint32_t classes; /* bits: cues that are complete with this word */
    bool imperative;
};
/* The next word of a text; the state is kept between them and begins zeroed. */
struct cue_seen cue_step(const struct cue_lexicon *lexicon, struct cue_state *state,
                         const struct cue_word *word);

/* The stems of a tool's name (`create_branch`, `sendMessage`) and of words that ask for the same;
 * gives how many. */
enum { CUE_STEMS = 64 };
size_t cue_tool_stems(struct span tool, uint32_t stems[CUE_STEMS]);

#endif
