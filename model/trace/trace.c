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

struct trace *trace_create(const struct trace_options *options)
{
    struct trace *trace = NEW(struct trace);
    if (options)
        trace->options = *options;
    trace->options.keep_bytes = trace_bounded(trace->options.keep_bytes, KEEP_DEFAULT);
    trace->options.prompt_bytes = trace_bounded(trace->options.prompt_bytes, PROMPT_DEFAULT);
    size_t slots = trace->options.index_slots;
    if (!slots) /* a fingerprint for every fourth or fifth byte, and words */
        for (slots = 1; slots < (trace->options.keep_bytes + trace->options.prompt_bytes) / 2;)
            slots *= 2;
    index_init(&trace->index, slots, trace->options.keep_bytes);
    return trace;
}

static void list_finish(struct kept_list *list)
{
    for (size_t i = list->first; i < list->end; i++)
        mem_free((char *)list->items[i].said.text.at);
    mem_free(list->items);
}

void trace_destroy(struct trace *trace)
{
    if (!trace)
        return;
    list_finish(&trace->prompts);
    list_finish(&trace->recent);
    index_finish(&trace->index);
    for (size_t i = 0; i < COUNT_OF(trace->subjects); i++) {
        struct subject *subject = &trace->subjects[i];
        mem_free(subject->folded);
        mem_free(subject->from);
        mem_free(subject->to);
        mem_free(subject->owned);
        mem_free(subject->grams);
        mem_free(subject->hashes);
        buf_finish(&subject->decoded);
    }
    buf_finish(&trace->scratch[0]);
    buf_finish(&trace->scratch[1]);
    mem_free(trace);
}

/* ---- keeping ---- */

/* Room at the end of the list; what is dead at its front is moved over first. */
static struct kept *list_push(struct kept_list *list)
{
    if (list->end == list->size && list->first > list->size / 2) {
        memmove(list->items, list->items + list->first,
                (list->end - list->first) * sizeof(*list->items));
        list->end -= list->first;
        list->first = 0;
    } else if (list->end == list->size) {
        list->size = list->size ? list->size * 2 : 64;
        list->items = mem_resize(list->items, list->size * sizeof(*list->items));
    }
    return &list->items[list->end++];
}

/* Lets the oldest texts go until the rest fits. */
static void forget(struct trace *trace)
{
    struct kept_list *list = &trace->recent;
    while (list->bytes > trace->options.keep_bytes && list->end - list->first > 1) {
        struct kept *oldest = &list->items[list->first++];
        list->bytes -= oldest->said.text.len + sizeof(*oldest);
        trace->lost_before = oldest->said.n + 1;
        mem_free((char *)oldest->said.text.at);
        trace->index.live_from = list->items[list->first].base;
    }
}

/* As much of a text as may be kept. */
static size_t room_for(struct trace *trace, bool prompt, size_t len)
{
    size_t room = trace->options.keep_bytes / 2;
    if (prompt) {
        uint64_t used = trace->prompts.bytes + sizeof(struct kept);
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

/* The place of a byte of a text that begins at the running place `base`. */
static uint32_t trace_place_of(uint32_t base, uint32_t mark, size_t at)
{
    return ((base + (uint32_t)at) & INDEX_PLACES) | mark;
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
    struct span text;
    uint32_t base, mark;
};

static void index_word(void *arg, const struct token *word)
{
    const struct indexing *in = arg;
    if (!is_said(in->trace, word->hash))
        index_add(&in->trace->index, word->hash, trace_place_of(in->base, in->mark, word->at));
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

static void index_gram(void *arg, uint32_t hash, uint32_t place)
{
    index_add(&((struct trace *)arg)->index, hash, place);
}

static void index_runs(struct trace *trace, struct span text, uint32_t base, uint32_t mark)
{
    struct winnow winnow;
    winnow_init(&winnow, index_gram, trace);
    for (size_t at = 0; at < text.len;) {
        uint8_t folded = fold_table[(uint8_t)text.at[at]];
        if (folded != FOLD_ESCAPE) {
            if (folded)
                winnow_push(&winnow, folded, trace_place_of(base, mark, at));
            at++;
            continue;
        }
        /* The next byte reads differently behind a backslash. */
        at++;
        struct unit unit =
            at < text.len && text.at[at] != '\\' ? fold_next(text, at) : (struct unit){.len = 0};
        for (size_t i = 0; i < unit.count; i++)
            winnow_push(&winnow, unit.bytes[i], trace_place_of(base, mark, at));
        at += unit.len;
    }
    winnow_block(&winnow);
}

/* Copies, keeps and indexes one text. */
static void trace_keep(struct trace *trace, const struct trace_text *said, struct encoded run)
{
    bool prompt = trace_is_prompt(said->source);
    size_t len = room_for(trace, prompt, said->text.len);
    if (len == 0)
        return;
    struct kept_list *list = prompt ? &trace->prompts : &trace->recent;
    char *copy = mem_alloc(len);
    memcpy(copy, said->text.at, len);
    struct kept *kept = list_push(list);
    *kept = (struct kept){.said = *said, .run = run, .base = list->next};
    kept->said.text = (struct span){copy, len};
    list->next += len + 1;
    list->bytes += len + sizeof(*kept);
    if (!prompt)
        trace->index.next = list->next;
    struct span text = kept->said.text;
    uint32_t base = (uint32_t)kept->base, mark = prompt ? INDEX_PROMPT : 0;
    forget(trace);
    index_runs(trace, text, base, mark);
    memset(trace->said, 0, sizeof(trace->said));
    token_each(text, index_word, index_token, &(struct indexing){trace, text, base, mark});
    index_flush(&trace->index);
    trace->work += len;
}

void trace_add(struct trace *trace, const struct trace_text *said)
{
    trace_keep(trace, said, (struct encoded){.how = TRACE_EXACT});
    struct decoder decoder;
    struct encoded run;
    struct buf *out = &trace->scratch[0];
    decoder_init(&decoder, span_sub(said->text, 0, trace->options.keep_bytes / 2));
    for (buf_clear(out); decode_next(&decoder, &run, out); buf_clear(out)) {
        struct trace_text decoded = *said;
        decoded.text = buf_span(out);
        decoded.flags = 0;
        if (decoded.text.len >= DECODED_LEAST)
            trace_keep(trace, &decoded, run);
    }
    trace->work += said->text.len;
}

const struct kept *keep_at(const struct trace *trace, uint32_t place, size_t *offset)
{
    bool prompt = place & INDEX_PROMPT;
    const struct kept_list *list = prompt ? &trace->prompts : &trace->recent;
    uint64_t running = prompt ? place & INDEX_PLACES : index_running(&trace->index, place);
    size_t low = list->first, high = list->end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].base <= running)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == list->first)
        return NULL;
    const struct kept *kept = &list->items[low - 1];
    *offset = (size_t)(running - kept->base);
    return *offset < kept->said.text.len ? kept : NULL;
}

void trace_limits(const struct trace *trace, struct trace_limits *out)
{
    *out = (struct trace_limits){
        .lost_before = trace->lost_before,
        .cut_bytes = trace->cut_bytes,
        .unindexed = trace->index.unindexed,
        .work = trace->work,
    };
    out->capped = out->lost_before || out->cut_bytes || out->unindexed;
    out->memory = sizeof(*trace) + trace->index.size * sizeof(uint64_t) +
                  INDEX_FULL * sizeof(struct index_full) +
                  (size_t)(trace->prompts.bytes + trace->recent.bytes);
    for (size_t i = 0; i < COUNT_OF(trace->subjects); i++)
        out->memory += trace->subjects[i].size * 10 + trace->subjects[i].gram_size * 8 +
                       trace->subjects[i].decoded.size;
}
