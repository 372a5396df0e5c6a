#include "model/trace/trace.h"

#include "base/attr.h"
#include "model/trace/fold.h"
#include "model/trace/keep.h"
#include "model/trace/token.h"

enum {
    KEEP_DEFAULT = 32 << 20,
    PROMPT_DEFAULT = 4 << 20,
    KEEP_MOST = 1 << 29, /* places are 31 bits */
    DECODED_LEAST = 12,  /* folded bytes of a decoded run that are worth keeping */
};

const char *trace_source_word(enum trace_source source)
{
    static const char *const words[] = {
#define X(id, word) word,
        TRACE_SOURCES(X)
#undef X
    };
    return words[source];
}

const char *trace_how_word(enum trace_how how)
{
    static const char *const words[] = {
#define X(id, word) word,
        TRACE_HOWS(X)
#undef X
    };
    return words[how];
}

static size_t trace_bounded(size_t asked, size_t otherwise)
{
    size_t value = asked ? asked : otherwise;
    return value < KEEP_MOST ? value : KEEP_MOST;
}

/* Prose needs a slot for every eighth byte, ids one for every third, and not all are used. */
static size_t slots_for(const struct trace_options *options, size_t bytes)
{
    return options->index_slots ? options->index_slots : bytes;
}

struct trace *trace_create(const struct trace_options *options)
{
    struct trace *trace = NEW(struct trace);
    if (options)
        trace->options = *options;
    trace->options.keep_bytes = trace_bounded(trace->options.keep_bytes, KEEP_DEFAULT);
    trace->options.prompt_bytes = trace_bounded(trace->options.prompt_bytes, PROMPT_DEFAULT);
    kept_list_init(&trace->prompts, trace->options.prompt_bytes,
                   slots_for(&trace->options, trace->options.prompt_bytes), true);
    kept_list_init(&trace->recent, trace->options.keep_bytes,
                   slots_for(&trace->options, trace->options.keep_bytes), false);
    return trace;
}

void trace_destroy(struct trace *trace)
{
    if (!trace)
        return;
    kept_list_finish(&trace->prompts);
    kept_list_finish(&trace->recent);
    for (size_t i = 0; i < COUNT_OF(trace->subjects); i++) {
        struct subject *subject = &trace->subjects[i];
        mem_free(subject->folded);
        mem_free(subject->from);
        mem_free(subject->owned);
        mem_free(subject->own);
        buf_finish(&subject->decoded);
    }
    buf_finish(&trace->scratch[0]);
    buf_finish(&trace->scratch[1]);
    mem_free(trace);
}

/* ---- keeping ---- */

/* As much of a text as may be kept. */
static size_t room_for(struct trace *trace, bool prompt, size_t len)
{
    size_t room = trace->options.keep_bytes / 2;
    if (prompt) {
        uint64_t used = trace->prompts.next + KEEP_LEAST;
        room =
            used < trace->options.prompt_bytes ? (size_t)(trace->options.prompt_bytes - used) : 0;
    }
    if (len <= room)
        return len;
    trace->cut_bytes += len - room;
    return room;
}

static bool trace_is_prompt(enum trace_source source)
{
    return source == TRACE_PROMPT || source == TRACE_SYSTEM;
}

/* Was the word there in this text before? Forgets some, invents none. */
static bool is_said(struct trace *trace, uint32_t hash)
{
    uint32_t *said = &trace->said[hash % KEEP_SAID];
    bool is = *said == hash;
    *said = hash;
    return is;
}

/* The text that is being indexed, and where it begins. */
struct indexing {
    struct trace *trace;
    struct index *index;
    struct span text;
    uint64_t base;
};

static void index_place(const struct indexing *in, uint32_t hash, uint8_t near, size_t at)
{
    index_add(in->index, hash, near, (uint32_t)(in->base + at) & INDEX_PLACES);
}

static void index_word(void *arg, const struct token *word)
{
    const struct indexing *in = arg;
    if (!is_said(in->trace, word->hash))
        index_place(in, word->hash, 0, word->at);
}

static void index_token(void *arg, const struct token *token)
{
    const struct indexing *in = arg;
    struct token pieces[TOKEN_PIECES];
    if (token->distinctive)
        index_word(arg, token);
    size_t count = token->dividable ? token_pieces(in->text, token, pieces) : 0;
    for (size_t i = 0; i < count; i++)
        index_word(arg, &pieces[i]);
}

/* TRACE_GRAM folded bytes of every TRACE_STRIDE. */
static void index_runs(const struct indexing *in)
{
    enum { BLOCK = 512, BEHIND = TRACE_GRAM + GRAM_NEAR };
    uint8_t folded[GRAM_NEAR + BEHIND + BLOCK + FOLD_MOST];
    uint32_t from[COUNT_OF(folded)];
    size_t at = 0, count = 0, gram = 0;
    while (at < in->text.len) {
        count += fold_run(in->text, &at, folded + count, from + count, BLOCK);
        size_t behind = at < in->text.len ? BEHIND : TRACE_GRAM;
        for (; gram + behind <= count; gram += TRACE_STRIDE)
            index_place(in, gram_hash(folded + gram), gram_near(folded, gram, count), from[gram]);
        size_t done = gram > GRAM_NEAR ? gram - GRAM_NEAR : 0; /* what is before belongs to it */
        count -= done;
        gram -= done;
        memmove(folded, folded + done, count);
        memmove(from, from + done, count * sizeof(*from));
    }
}

/* Copies, keeps and indexes one text. */
static void trace_keep(struct trace *trace, const struct trace_text *said,
                       const struct encoded *run)
{
    bool prompt = trace_is_prompt(said->source);
    struct kept_list *list = prompt ? &trace->prompts : &trace->recent;
    struct trace_text kept_part = *said;
    kept_part.text.len = room_for(trace, prompt, said->text.len);
    if (kept_part.text.len == 0)
        return;
    const struct kept *kept = kept_list_add(list, &kept_part, run);
    struct indexing in = {trace, &list->index, kept->said.text, kept->base};
    index_runs(&in);
    memset(trace->said, 0, sizeof(trace->said));
    token_each(in.text, index_word, index_token, &in);
    trace->work += in.text.len;
}

void trace_add(struct trace *trace, const struct trace_text *said)
{
    trace_keep(trace, said, &(struct encoded){.how = TRACE_EXACT});
    struct decoder decoder;
    struct encoded run;
    struct buf *out = &trace->scratch[0];
    decoder_init(&decoder, span_sub(said->text, 0, trace->options.keep_bytes / 2));
    for (buf_clear(out); decode_next(&decoder, &run, out); buf_clear(out)) {
        struct trace_text decoded = *said;
        decoded.text = buf_span(out);
        decoded.flags = 0;
        if (decoded.text.len >= DECODED_LEAST)
            trace_keep(trace, &decoded, &run);
    }
    trace->work += said->text.len;
}

void trace_limits(const struct trace *trace, struct trace_limits *out)
{
    *out = (struct trace_limits){
        .lost_before = trace->recent.lost_before,
        .cut_bytes = trace->cut_bytes,
        .unindexed = trace->prompts.index.unindexed + trace->recent.index.unindexed,
        .work = trace->work,
    };
    out->capped = out->lost_before || out->cut_bytes || out->unindexed;
    out->memory =
        sizeof(*trace) + kept_list_memory(&trace->prompts) + kept_list_memory(&trace->recent);
    for (size_t i = 0; i < COUNT_OF(trace->subjects); i++)
        out->memory += trace->subjects[i].size * 6 + trace->subjects[i].own_size * 4 +
                       trace->subjects[i].decoded.size;
}
