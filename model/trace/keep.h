/*
 * What a trace keeps, for trace.c (adding), match.c (finding) and walk.c (JSON).
 */
#ifndef STRANDLINE_MODEL_TRACE_KEEP_H
#define STRANDLINE_MODEL_TRACE_KEEP_H

#include "base/buf.h"
#include "model/trace/decode.h"
#include "model/trace/index.h"
#include "model/trace/trace.h"

enum {
    KEEP_BLANKS = 512, /* units that fold to nothing inside a match: more end it, to keep time
                          linear where a hostile text is mostly padding */
    KEEP_SAID = 1 << 11,
    KEEP_NESTING = 3,        /* encodings inside encodings */
    SUBJECT_MOST = 16 << 20, /* bytes of one text that are matched */
};

/* One text that came in, or what an encoded run in it decodes to. */
struct kept {
    struct trace_text said; /* text points to our copy */
    struct encoded run;     /* where it was, when decoded; how TRACE_EXACT: it is the text itself */
    uint64_t base;          /* running place of its first byte */
};

struct kept_list {
    struct kept *items; /* first .. end are live, by base */
    size_t first, end, size;
    uint64_t next;  /* the running place for what comes */
    uint64_t bytes; /* held: texts and what says so of them */
};

/* The text that is matched, folded: one entry a folded byte. */
struct subject {
    uint8_t *folded;
    uint32_t *from, *to; /* its unit in the text */
    bool *owned;         /* by a hit already */
    size_t count, size;
    uint32_t *grams, *hashes; /* chosen fingerprints: where, and their hash */
    size_t gram_count, gram_size;
    struct buf decoded;
};

struct trace {
    struct trace_options options;
    struct kept_list prompts, recent;
    struct index index;
    uint32_t said[KEEP_SAID]; /* words of the text that is being added, by their hash */
    struct subject subjects[KEEP_NESTING];
    struct buf scratch[2];
    int64_t lost_before;
    uint64_t cut_bytes, work;
};

/* Hits so far, of one call of the public functions. */
struct hit_list {
    struct trace_hit *items;
    size_t count, size;
    bool capped;
};

/* What a place in the index is in, and where; NULL: no longer kept. */
const struct kept *keep_at(const struct trace *trace, uint32_t place, size_t *offset);
void match_append(struct trace *trace, struct span text, unsigned flags, struct hit_list *hits);
void hits_finish(struct trace *trace, struct hit_list *hits, struct arena *arena,
                 struct trace_found *found);

/* ---- winnowing ---- */

enum { WINNOW_BLOCK = 1024, WINNOW_TAIL = TRACE_GRAM + TRACE_WINDOW };

/* Folded bytes on their way to fingerprints, a block at a time. */
struct winnow {
    uint8_t folded[WINNOW_BLOCK + WINNOW_TAIL];
    uint32_t place[WINNOW_BLOCK + WINNOW_TAIL]; /* of each */
    size_t count;
    size_t best; /* gram chosen last; SIZE_MAX: none yet */
    void (*chosen)(void *arg, uint32_t hash, uint32_t place);
    void *arg;
};
void winnow_init(struct winnow *w, void (*chosen)(void *arg, uint32_t hash, uint32_t place),
                 void *arg);
/* Chooses among what is there and keeps what the next block needs of it. Call at the end too. */
void winnow_block(struct winnow *w);

static inline void winnow_push(struct winnow *w, uint8_t byte, uint32_t place)
{
    w->folded[w->count] = byte;
    w->place[w->count++] = place;
    if (w->count == WINNOW_BLOCK + WINNOW_TAIL)
        winnow_block(w);
}

#endif
