/*
 * Attribution of text over sessions of our own making: a system prompt, results
 * of tools as they look (JSON in JSON, prose, ids), a call behind each. The first
 * is a session as they are: in recorded runs of agents that read and send
 * (AgentDojo's) arguments are 10 % of the bytes of results and arguments, and 7 %
 * with prompts and answers, which are added too. The second is one that writes
 * files: in coding agents' logs arguments are about a third. The others are what
 * they could be at worst. One line each: megabytes of session text a second in all
 * (results and arguments over the time of both), for adding, for matching, and
 * memory at the end.
 *
 *     bench_trace [MEGABYTES [KEPT MEGABYTES [SESSION]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "model/trace/trace.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What it takes to ask: some hundredths of adding a text, and none of the work. */
static double asking(void)
{
    enum { TIMES = 10000 };
    double begin = now();
    for (int i = 1; i < TIMES; i++)
        now();
    return (now() - begin) / TIMES;
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

/* A session: how many words a result has at least and how many more it may have, or bytes of
 * base64; how many words of its own a call has, and how many bytes of the result before it. */
struct session {
    const char *name;
    unsigned least, more, encoded, own, copied;
    unsigned calls; /* one call for so many results */
};

/* clang-format off */
static const struct session sessions[] = {
    {"a session",                40,    600,   0,    20,  120,  1},
    {"a session that writes",    40,    300,   0,    60,  400,  1},
    {"no copies",                40,    600,   0,    30,  0,    1},
    {"long results",             20000, 40000, 0,    30,  200,  1},
    {"short results",            5,     10,    0,    5,   0,    4},
    {"base64",                   0,     0,     6000, 20,  120,  1},
    {"only results",             40,    600,   0,    0,   0,    0},
    {"calls as long as results", 40,    600,   0,    200, 1200, 1},
};
/* clang-format on */

static void make_result(struct buf *out, const struct session *s, unsigned n)
{
    buf_addf(out,
             "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"id\\\":%u,\\\"user\\\":\\\"u%u@"
             "example.org\\\",\\\"body\\\":\\\"",
             n, draw(5000));
    if (s->more)
        add_words(out, s->least + draw(s->more));
    for (unsigned i = 0; i < s->encoded; i++)
        buf_byte(out, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"[draw(64)]);
    buf_addf(out, "\\\\n\\\",\\\"url\\\":\\\"https://example.org/items/%u\\\"}\"}]}", n);
}

static void make_call(struct buf *out, const struct session *s, unsigned n, struct span result)
{
    buf_puts(out, "{\"to\":\"someone\",\"text\":\"");
    if (n % 2)
        buf_add(out, span_sub(result, 80, s->copied));
    add_words(out, s->own);
    buf_puts(out, "\"}");
}

struct cost {
    size_t added, matched, hits;
    double adding, matching;
    struct trace_limits limits;
};

static struct cost run(const struct session *s, size_t total, const struct trace_options *options)
{
    struct trace *trace = trace_create(options);
    struct arena arena = {0};
    struct buf result = {0}, call = {0};
    struct cost cost = {0};
    double ask = asking();
    add_words(&result, 2000);
    trace_add(trace, &(struct trace_text){.source = TRACE_SYSTEM, .text = buf_span(&result)});
    for (unsigned n = 1; cost.added < total; n++) {
        buf_clear(&result);
        buf_clear(&call);
        make_result(&result, s, n);
        bool calls = s->calls && n % s->calls == 0;
        if (calls)
            make_call(&call, s, n, buf_span(&result));
        double begin = now();
        trace_add(trace, &(struct trace_text){.n = n,
                                              .source = TRACE_RESULT,
                                              .flags = TRACE_IS_JSON,
                                              .text = buf_span(&result)});
        double middle = now();
        cost.adding += middle - begin - ask;
        cost.added += result.len;
        if (!calls)
            continue;
        struct trace_found found;
        arena_reset(&arena);
        trace_match_json(trace, buf_span(&call), 0, &arena, &found);
        cost.matching += now() - middle - ask;
        cost.matched += call.len;
        cost.hits += found.count;
    }
    trace_limits(trace, &cost.limits);
    arena_finish(&arena);
    buf_finish(&result);
    buf_finish(&call);
    trace_destroy(trace);
    return cost;
}

int main(int argc, char **argv)
{
    size_t total = (size_t)(argc > 1 ? atoi(argv[1]) : 100) << 20;
    const struct trace_options options = {.keep_bytes = (size_t)(argc > 2 ? atoi(argv[2]) : 0)
                                                        << 20};
    printf("%-25s %5s %6s %6s %6s %6s %8s %5s\n", "MB/s", "MB", "args", "all", "add", "match",
           "hits", "held");
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        if (argc > 3 && strcmp(argv[3], sessions[i].name) != 0)
            continue;
        struct cost c = run(&sessions[i], total, &options);
        double bytes = (double)(c.added + c.matched);
        printf("%-25s %5.0f %5.1f%% %6.0f %6.0f %6.0f %8zu %5zu%s\n", sessions[i].name, bytes / 1e6,
               100 * (double)c.matched / bytes, bytes / (c.adding + c.matching) / 1e6,
               (double)c.added / c.adding / 1e6,
               c.matched ? (double)c.matched / c.matching / 1e6 : 0, c.hits, c.limits.memory >> 20,
               c.limits.capped ? " (capped)" : "");
    }
    return 0;
}
