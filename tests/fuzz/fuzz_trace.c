/* Attribution: any text against any other. Every hit must hold, byte by byte. */
#include "base/buf.h"
#include "model/trace/fold.h"
#include "model/trace/link.h"
#include "model/trace/rank.h"
#include "model/trace/secret.h"
#include "model/trace/trace.h"
#include "tests/fuzz/fuzz.h"

/* The folded bytes of a text. */
static void folded(struct buf *out, struct span text)
{
    buf_clear(out);
    for (size_t at = 0; at < text.len;) {
        struct unit unit = fold_next(text, at);
        FUZZ_CHECK(unit.len > 0 && unit.count <= unit.len);
        struct unit back = fold_before(text, at + unit.len);
        FUZZ_CHECK(back.len == unit.len && back.count == unit.count);
        buf_add(out, (struct span){(const char *)unit.bytes, unit.count});
        at += unit.len;
    }
}

static void check_hits(struct span source, struct span matched, const struct trace_found *found)
{
    struct buf a = {0}, b = {0};
    uint64_t behind = 0;
    for (size_t i = 0; i < found->count; i++) {
        const struct trace_hit *hit = &found->hits[i];
        FUZZ_CHECK(hit->n == 1 && hit->len > 0 && hit->at >= behind);
        FUZZ_CHECK(hit->at + hit->len <= matched.len);
        FUZZ_CHECK(hit->offset + hit->length <= source.len && hit->length > 0);
        FUZZ_CHECK(hit->weight > 0 && hit->weight <= 1);
        behind = hit->at + hit->len;
        if (hit->how != TRACE_EXACT)
            continue;
        folded(&a, span_sub(source, hit->offset, hit->length));
        folded(&b, span_sub(matched, hit->at, hit->len));
        FUZZ_CHECK(span_equal(buf_span(&a), buf_span(&b)));
    }
    buf_finish(&a);
    buf_finish(&b);
}

static void check_parts(struct span text, struct arena *arena)
{
    struct link *links;
    struct secret *secrets;
    size_t count;
    bool capped;
    uint64_t behind = 0;
    links_find(text, arena, &links, &count, &capped);
    for (size_t i = 0; i < count; i++)
        FUZZ_CHECK(links[i].url.at >= text.at && links[i].url.len <= text.len && links[i].host.len);
    secrets_find(text, arena, &secrets, &count);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(secrets[i].offset >= behind && secrets[i].length > 0);
        behind = secrets[i].offset + secrets[i].length;
        FUZZ_CHECK(behind <= text.len);
    }
}

void fuzz_one(struct span input)
{
    /* A zero byte divides what came in from what is matched. */
    size_t half = span_find_byte(input, '\0');
    struct span source = span_sub(input, 0, half), matched = span_sub(input, half + 1, input.len);
    if (half == input.len)
        matched = source;
    struct trace *trace = trace_create(&(struct trace_options){.keep_bytes = 1 << 16});
    struct arena arena = {0};
    struct trace_found found;
    struct buf all = {0};
    folded(&all, source);
    trace_add(trace, &(struct trace_text){.n = 1, .source = TRACE_RESULT, .text = source});
    trace_match(trace, matched, TRACE_WANT_WORDS, &arena, &found);
    check_hits(source, matched, &found);
    trace_match_json(trace, matched, 0, &arena, &found);
    check_hits(source, matched, &found);
    check_parts(source, &arena);
    struct rank_item item = {.n = 1, .source = TRACE_RESULT, .text = source};
    struct rank_call call = {.tool = SPAN("send_mail"), .arguments = matched};
    struct rank_cause *causes;
    size_t count;
    rank_causes(&call, &item, 1, &arena, &causes, &count, NULL);
    FUZZ_CHECK(count <= 1);
    buf_finish(&all);
    arena_finish(&arena);
    trace_destroy(trace);
}
