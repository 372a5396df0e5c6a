/* Where the text of a step's arguments stood before. */
#include "base/jsonr.h"
#include "model/query/review_internal.h"
#include "model/trace/secret.h"
#include "model/trace/trace.h"

enum {
    ORIGIN_BODY_MAX = 16 << 20, /* of one step */
    ORIGIN_TEXT_MAX = 400,      /* of the bytes that are shown */
};

/* What a step is as a source of text; false where it brings none. */
static bool origin_source_of(const struct step *step, enum trace_source *source)
{
    static const struct {
        enum step_kind kind;
        enum trace_source source;
    } sources[] = {
        {STEP_PROMPT, TRACE_PROMPT},
        {STEP_DEFINITIONS, TRACE_DEFINITIONS},
        {STEP_INSTRUCTIONS, TRACE_INSTRUCTIONS},
        {STEP_TOOL_RESULT, TRACE_RESULT},
        {STEP_RESOURCE, TRACE_RESOURCE},
        {STEP_PROMPT_GET, TRACE_PROMPT_GET},
        {STEP_ASSISTANT, TRACE_ASSISTANT},
        {STEP_TOOL_CALL, TRACE_CALL},
        {STEP_SAMPLING, TRACE_RESULT},
    };
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        if (sources[i].kind != step->kind)
            continue;
        *source = sources[i].source;
        if (*source == TRACE_PROMPT && step->tool.len)
            *source = TRACE_SYSTEM;
        return true;
    }
    return false;
}

/* Gives the trace every text that came in before step n. */
static bool add_texts(struct review *r, int64_t n, struct trace *trace, struct origins *out,
                      struct err *err)
{
    struct stream *stream = stream_open(r->c, r->session, 1, 0, err);
    struct streamed streamed;
    struct buf body = {0};
    int more = stream ? 1 : -1;
    while (more > 0 && (more = stream_next(stream, &streamed, err)) > 0 && streamed.step.n < n) {
        enum trace_source source;
        struct err unread = {0};
        bool cut = false;
        buf_clear(&body);
        if (!origin_source_of(&streamed.step, &source))
            continue;
        if (!case_read(r->c, &streamed.step.body, ORIGIN_BODY_MAX, &body, &cut, &unread))
            cut = true;
        out->capped = out->capped || cut;
        out->prompts += source == TRACE_PROMPT;
        bool json = jsonr_valid(buf_span(&body), NULL, NULL);
        trace_add(trace, &(struct trace_text){.n = streamed.step.n,
                                              .source = source,
                                              .flags = json ? TRACE_IS_JSON : 0,
                                              .text = buf_span(&body)});
    }
    buf_finish(&body);
    stream_close(stream);
    return more >= 0;
}

/* Is the value at `pointer` the one that is asked for, or inside it? */
static bool is_below(struct span pointer, struct span asked)
{
    return span_starts_with(pointer, asked) &&
           (pointer.len == asked.len || asked.len == 0 || pointer.at[asked.len] == '/');
}

static void take_hits(const struct trace_found *found, struct span body, struct span pointer,
                      struct arena *arena, struct origins *out)
{
    struct secret *secrets;
    size_t count;
    struct buf text = {0};
    secrets_find(body, arena, &secrets, &count);
    out->items = arena_array(arena, found->count + 1, sizeof *out->items);
    out->capped = out->capped || found->capped;
    for (size_t i = 0; i < found->count; i++) {
        const struct trace_hit *hit = &found->hits[i];
        if (!is_below(hit->pointer, pointer))
            continue;
        size_t len = hit->len < ORIGIN_TEXT_MAX ? (size_t)hit->len : ORIGIN_TEXT_MAX;
        buf_clear(&text);
        secrets_mask_in(&text, body, (size_t)hit->at, (size_t)hit->at + len, secrets, count);
        out->items[out->count++] = (struct origin){
            .pointer = hit->pointer,
            .at = hit->at,
            .len = hit->len,
            .text = arena_copy(arena, buf_span(&text)),
            .n = hit->n,
            .source = trace_source_word(hit->source),
            .offset = hit->offset,
            .length = hit->length,
            .how = trace_how_word(hit->how),
            .weight = hit->weight,
        };
    }
    buf_finish(&text);
}

/* An answer of "nothing" about an argument that is not there would be taken for one about one that
 * is. What was cut may hold it. */
static bool names_argument(struct span body, bool cut, struct span pointer, int64_t n,
                           struct err *err)
{
    struct span value;
    if (pointer.len == 0 || cut || jsonr_pointer(body, pointer, &value))
        return true;
    return err_set(err, ERR_USAGE, "--arg",
                   "give a pointer into what 'strandline show' gives as the step's request or "
                   "result, as in /body",
                   "'%.*s' names nothing in step %lld", SPAN_ARG(pointer), (long long)n);
}

bool review_origins(struct review *r, int64_t n, struct span pointer, struct arena *arena,
                    struct origins *out, struct err *err)
{
    struct buf body = {0};
    struct trace *trace = trace_create(NULL);
    bool cut = false;
    *out = (struct origins){0};
    bool ok =
        review_body(r, n, ORIGIN_BODY_MAX, &body, &cut, err) && add_texts(r, n, trace, out, err);
    if (ok) {
        struct trace_found found;
        trace_match_json(trace, buf_span(&body), TRACE_WANT_WORDS, arena, &found);
        out->capped = out->capped || cut;
        take_hits(&found, buf_span(&body), pointer, arena, out);
        ok = out->count || names_argument(buf_span(&body), cut, pointer, n, err);
    }
    trace_destroy(trace);
    buf_finish(&body);
    return ok;
}
