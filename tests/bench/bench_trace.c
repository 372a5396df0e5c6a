/*
 * Attribution of text over a session of our own making: results of tools as
 * they look (JSON in JSON, prose, ids), a call behind each. One line: megabytes
 * of session text a second, for adding, for matching, and memory at the end.
 *
 *     bench_trace [MEGABYTES [KEPT MEGABYTES]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "model/trace/trace.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t state = 88172645463325252u;
static unsigned draw(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % below;
}

/* Words of a language that does not exist, the n-th about as often as 1/n (Zipf). */
static void add_words(struct buf *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned word = draw(2u << draw(16));
        for (unsigned rest = word * 7919 + 13; rest; rest /= 20)
            buf_byte(out, "etaoinsrhldcumfpgwyb"[rest % 20]);
        buf_byte(out, draw(12) ? ' ' : '.');
    }
}

static void make_result(struct buf *out, unsigned n)
{
    buf_addf(out,
             "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"id\\\":%u,\\\"user\\\":\\\"u%u@"
             "example.org\\\",\\\"body\\\":\\\"",
             n, draw(5000));
    add_words(out, 40 + draw(600));
    buf_addf(out, "\\\\n\\\",\\\"url\\\":\\\"https://example.org/items/%u\\\"}\"}]}", n);
}

int main(int argc, char **argv)
{
    size_t total = (size_t)(argc > 1 ? atoi(argv[1]) : 200) << 20, added = 0, matched = 0, hits = 0;
    struct trace_options options = {.keep_bytes = (size_t)(argc > 2 ? atoi(argv[2]) : 0) << 20};
    struct trace *trace = trace_create(&options);
    struct arena arena = {0};
    struct buf result = {0}, call = {0};
    double adding = 0, matching = 0;
    for (unsigned n = 1; added < total; n++) {
        buf_clear(&result);
        make_result(&result, n);
        buf_clear(&call);
        buf_puts(&call, "{\"to\":\"someone\",\"text\":\"");
        if (n % 2)
            buf_add(&call, span_sub(buf_span(&result), 80, 200));
        add_words(&call, 30);
        buf_puts(&call, "\"}");
        double begin = now();
        trace_add(trace, &(struct trace_text){.n = n,
                                              .source = TRACE_RESULT,
                                              .flags = TRACE_IS_JSON,
                                              .text = buf_span(&result)});
        double middle = now();
        struct trace_found found;
        arena_reset(&arena);
        trace_match_json(trace, buf_span(&call), 0, &arena, &found);
        matching += now() - middle;
        adding += middle - begin;
        added += result.len;
        matched += call.len;
        hits += found.count;
    }
    struct trace_limits limits;
    trace_limits(trace, &limits);
    printf("added %zu MB at %.0f MB/s, matched %zu MB at %.0f MB/s (%zu hits), %zu MB held%s\n",
           added >> 20, (double)added / adding / 1e6, matched >> 20,
           (double)matched / matching / 1e6, hits, limits.memory >> 20,
           limits.capped ? ", capped" : "");
    arena_finish(&arena);
    buf_finish(&result);
    buf_finish(&call);
    trace_destroy(trace);
    return 0;
}
