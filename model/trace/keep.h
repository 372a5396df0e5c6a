/*
 * What a trace keeps, for trace.c (adding), keep.c (keeping), subject.c and
 * match.c (finding) and walk.c (JSON).
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
    KEEP_LEAST = 64,         /* places of a text, so that what is said of them all is bounded too */
    KEEP_NESTING = 3,        /* encodings inside encodings */
    SUBJECT_MOST = 16 << 20, /* bytes of one text that are matched */
};

/* One text that came in, or what an encoded run in it decodes to. */
struct kept {
    struct trace_text said; /* text points into the ring */
    struct encoded run;     /* where it was, when decoded; how TRACE_EXACT: it is the text itself */
    uint64_t base;          /* running place of its first byte */
};

/*
 * Texts, one behind the other in a ring. A place is a number of bytes since the
 * beginning, and so, modulo the size of the ring, where the byte is: to look at
 * the text around a place nothing else has to be read. Whose text it is, is
 * found by the page that the place is in.
 */
struct kept_list {
    struct index index;
    char *ring;
    size_t size;        /* of the ring: a power of two */
    struct kept *items; /* first .. end are live, by base */
    size_t first, end, room;
    uint64_t gone;       /* items that were before items[0] */
    uint64_t next;       /* the running place for what comes */
    int64_t lost_before; /* text of steps before this one has been let go; 0: none */
    uint32_t *pages;     /* the item (counted since the beginning) that a page begins in */
    size_t page_count;
};
/* Room for that many bytes; for ever: for as many as ever come. */
void kept_list_init(struct kept_list *list, size_t bytes, size_t slots, bool for_ever);
void kept_list_finish(struct kept_list *list);
/* Copies the text, at most half the ring; the oldest go where there is no room. The result is good
 * until the next one. */
const struct kept *kept_list_add(struct kept_list *list, const struct trace_text *said,
                                 const struct encoded *run);
size_t kept_list_memory(const struct kept_list *list);

/* The text that is matched, folded: one entry a folded byte. */
struct subject {
    struct span text;
    uint8_t *folded;
    uint32_t *from; /* its unit in the text */
    bool *owned;    /* by a hit already */
    size_t count, size;
    uint32_t *own; /* grams that the model's own words have a run around */
    size_t own_count, own_size;
    struct buf decoded;
};

/* A gram of the subject, and a place that has it. */
struct meeting {
    size_t q;
    uint32_t place;
};
enum { SUBJECT_BLOCK = 64 }; /* grams that are looked up together */

/* Folds the text that is to be looked for; it is borrowed until the next. */
void subject_fold(struct subject *subject, struct span text);
/* Where the unit of a folded byte ends in the text. */
size_t subject_end(const struct subject *subject, size_t i);
/* The first folded byte whose unit ends behind `at`. */
size_t subject_index(const struct subject *subject, size_t at);
/* Does no hit own a byte of text[at, at+len)? */
bool subject_is_free(const struct subject *subject, size_t at, size_t len);
void subject_own(struct subject *subject, size_t at, size_t len);

/* Of TRACE_GRAM folded bytes. */
static inline uint32_t gram_hash(const uint8_t *folded)
{
    uint64_t first, last; /* eight bytes each: they overlap */
    memcpy(&first, folded, sizeof(first));
    memcpy(&last, folded + TRACE_GRAM - sizeof(last), sizeof(last));
    first ^= last << 29 ^ last >> 35;
    return (uint32_t)(((first ^ first >> 29) * 0x9e3779b97f4a7c15u) >> 32);
}

/* What is around the gram at q: four bits of what is before and behind it each. In a run of
 * TRACE_SPAN bytes one of the two is in the run, wherever the gram is in it. */
enum { GRAM_NEAR = (TRACE_SPAN - TRACE_GRAM + 1) / 2 };
static inline uint8_t gram_near(const uint8_t *folded, size_t q, size_t count)
{
    uint32_t before = 0, behind = 0;
    if (q >= GRAM_NEAR)
        memcpy(&before, folded + q - GRAM_NEAR, GRAM_NEAR);
    if (q + TRACE_GRAM + GRAM_NEAR <= count)
        memcpy(&behind, folded + q + TRACE_GRAM, GRAM_NEAR);
    return (uint8_t)((before * 0x9e3779b1u >> 28) << 4 | behind * 0x9e3779b1u >> 28);
}

struct trace {
    struct trace_options options;
    struct kept_list prompts, recent;
    uint32_t said[KEEP_SAID]; /* words of the text that is being added, by their hash */
    struct subject subjects[KEEP_NESTING];
    struct buf scratch[2];
    uint64_t cut_bytes, work;
};

/* What a source stands for when several have the same text: the first of these. */
enum { CLASS_PROMPT, CLASS_CONTENT, CLASS_OWN };
static inline int trace_class_of(enum trace_source source)
{
    if (source == TRACE_PROMPT || source == TRACE_SYSTEM)
        return CLASS_PROMPT;
    return source == TRACE_ASSISTANT || source == TRACE_CALL ? CLASS_OWN : CLASS_CONTENT;
}

/* Where the grams from *q on that no hit has whole are met in the list: `most` of them, up to
 * SUBJECT_BLOCK; *q is then behind the last. Gives how many meetings. */
size_t subject_meet(struct trace *trace, const struct kept_list *list,
                    const struct subject *subject, size_t *q, size_t most,
                    struct meeting meetings[SUBJECT_BLOCK * INDEX_SAME]);
/* Is there a run around a meeting? Where other texts lie beside the one that is met: may be. */
bool subject_may_run(struct trace *trace, const struct kept_list *list,
                     const struct subject *subject, const struct meeting *meeting);
/* Is a byte of the gram at q free? */
static inline bool subject_has_free(const struct subject *subject, size_t q)
{
    return !subject->owned[q] || !subject->owned[q + TRACE_GRAM - 1];
}

/* Hits so far, of one call of the public functions. */
struct hit_list {
    struct trace_hit *items;
    size_t count, size;
    bool capped;
};

/* The bytes around a live place, and where it is in them: other texts lie beside its own. */
struct span keep_around(const struct kept_list *list, uint32_t place, size_t *offset);
/* What a place in the list's index is in, and where; NULL: no longer kept. */
const struct kept *keep_at(const struct kept_list *list, uint32_t place, size_t *offset);
void match_append(struct trace *trace, struct span text, unsigned flags, struct hit_list *hits);
void hits_finish(struct trace *trace, struct hit_list *hits, struct arena *arena,
                 struct trace_found *found);

#endif
