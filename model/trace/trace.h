/*
 * Attribution of text: where the text of an argument, or of a link that the
 * model wrote, stood before (model.md §7). Labels say what could have flowed;
 * a hit here says what did, since every hit is verified byte by byte.
 *
 *     struct trace *trace = trace_create(NULL);
 *     for each step, in order:
 *         a call:  trace_match_json(trace, arguments, 0, &arena, &found);
 *         content: trace_add(trace, &(struct trace_text){.n = …, .text = …});
 *     trace_destroy(trace);
 *
 * How: texts are read as folded bytes (ASCII letters without case, no white
 * space, JSON escapes undone). Of what is added, TRACE_GRAM folded bytes at
 * every TRACE_STRIDE-th go into a table; of what is matched, those at every
 * byte are looked up. So any common text of at least TRACE_SPAN folded bytes is
 * sure to be met, at one entry for eight bytes of a session and no work for
 * those between. (One side in blocks, the other at every offset: rsync, Tridgell
 * and Mackerras, ANU TR-CS-96-05, 1996. Winnowing, by Schleimer, Wilkerson and
 * Aiken, SIGMOD 2003, samples both sides alike: fewer look-ups, nearly twice
 * the entries. Much more is added than matched.) Shorter things count as whole
 * words and tokens (an address, a host, a path, an id, an amount, a name).
 *
 * Time is linear in the text added and matched; memory is bounded by the
 * options. Where a bound was hit, `capped` says so: what is not reported then
 * is not known. Nothing depends on the clock or on addresses: two runs agree.
 */
#ifndef STRANDLINE_MODEL_TRACE_TRACE_H
#define STRANDLINE_MODEL_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/span.h"

enum {
    TRACE_GRAM = 9,
    TRACE_STRIDE = 8,
    TRACE_SPAN = TRACE_GRAM + TRACE_STRIDE - 1, /* 16 folded bytes are always found */
    TRACE_WORD = 4, /* shortest word that counts, in bytes; of small letters only: 8 */
};

#define TRACE_SOURCES(X)                                                                           \
    X(PROMPT, "prompt") /* the user's */                                                           \
    X(SYSTEM, "system prompt")                                                                     \
    X(DEFINITIONS, "definitions")                                                                  \
    X(INSTRUCTIONS, "instructions")                                                                \
    X(RESULT, "result")                                                                            \
    X(RESOURCE, "resource")                                                                        \
    X(PROMPT_GET, "prompt_get")                                                                    \
    X(ASSISTANT, "assistant") /* the model's own words, which may repeat others */                 \
    X(CALL, "call")           /* the arguments of an earlier call: its own words too */

enum trace_source {
#define X(id, word) TRACE_##id,
    TRACE_SOURCES(X)
#undef X
        TRACE_SOURCE_COUNT
};
/* The words in JSON, for people too. */
const char *trace_source_word(enum trace_source source);

/* How the text in the argument becomes the text in the source. */
#define TRACE_HOWS(X)                                                                              \
    X(EXACT, "exact")                                                                              \
    X(FOLDED, "folded")   /* after case and space folding */                                       \
    X(PERCENT, "percent") /* after percent decoding, of the one or the other */                    \
    X(BASE64, "base64")                                                                            \
    X(HEX, "hex")                                                                                  \
    X(ESCAPE, "json-escape") /* JSON inside a JSON string */

enum trace_how {
#define X(id, word) TRACE_##id,
    TRACE_HOWS(X)
#undef X
        TRACE_HOW_COUNT
};
/* The word in JSON. */
const char *trace_how_word(enum trace_how how);

enum trace_shape {
    TRACE_RUN,   /* a run of at least TRACE_SPAN folded bytes */
    TRACE_TOKEN, /* an address, URL, host, path, number or id, or a whole short value */
    TRACE_WORDS, /* one word; only where asked for */
};

enum {
    TRACE_IS_JSON = 1,   /* the text is JSON: its strings' own escapes are no encoding */
    TRACE_WANT_WORDS = 2 /* of a match: single words too (queries of URLs, short values) */
};

struct trace_options {
    size_t keep_bytes;   /* of text that can be matched, up to a power of two; older
                            text is let go. 0: 32 MB */
    size_t prompt_bytes; /* of prompts, which are never let go. 0: 4 MB */
    size_t index_slots;  /* of eight bytes, at most; a power of two. 0: fits keep_bytes */
};

struct trace_text {
    int64_t n; /* step */
    enum trace_source source;
    unsigned flags;   /* TRACE_IS_JSON */
    uint32_t tag;     /* the caller's (labels…); comes back with each hit */
    struct span text; /* copied */
};

struct trace_hit {
    int64_t n; /* the earlier step */
    enum trace_source source;
    uint32_t tag;
    uint64_t offset, length; /* in its text, as it was added */
    struct span pointer;     /* RFC 6901: the value in the arguments; empty for plain text */
    uint64_t at, len;        /* in the text that was matched (as written: escapes included) */
    enum trace_how how;
    enum trace_shape shape;
    double weight; /* 0..1: long and rare is heavy, common to many sources is light */
};

struct trace_found {
    struct trace_hit *hits; /* by place in the matched text; no two overlap there */
    size_t count;
    bool capped; /* more than TRACE_HITS, or something that could matter was let go */
};
enum { TRACE_HITS = 1000 }; /* of one text or one set of arguments */

struct trace;
/* NULL: the defaults. */
struct trace *trace_create(const struct trace_options *options);
void trace_destroy(struct trace *trace);

/* What comes into the context at step n; steps come in order. */
void trace_add(struct trace *trace, const struct trace_text *text);

/*
 * The earlier spans that `text` came from. What stands in a prompt is given to
 * the prompt, since it is the user's own wish; the rest to the content with the
 * longest run that came in, among equals to the earliest. The model's own words
 * get what stands nowhere else, and what they said before it came in (then the
 * content is their echo). Hits live in the arena.
 */
void trace_match(struct trace *trace, struct span text, unsigned flags, struct arena *arena,
                 struct trace_found *found);
/* The same for each string and number in a JSON value (member names too). Text that is not valid
 * JSON is matched as plain text. */
void trace_match_json(struct trace *trace, struct span json, unsigned flags, struct arena *arena,
                      struct trace_found *found);

struct trace_limits {
    bool capped;
    int64_t lost_before; /* text of steps before this one has been let go; 0: none */
    uint64_t cut_bytes;  /* of texts too long to be kept whole, or prompts beyond their bound */
    uint64_t unindexed;  /* fingerprints that found no room */
    uint64_t work;       /* units of work so far: the tests of linear time count these */
    size_t memory;       /* bytes held */
};
/* What was not looked at, and what the rest cost. */
void trace_limits(const struct trace *trace, struct trace_limits *out);

#endif
