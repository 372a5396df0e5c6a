/* usage: bench_case FILE [STEPS]: how long a case of that many steps takes to write, to replay and
 * to ask. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "model/case/source.h"
#include "model/case/store.h"
#include "model/query/query.h"
#include "model/query/whatif.h"

struct times {
    double wall, cpu;
};

static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct times now(void)
{
    return (struct times){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

static struct times lap(const char *what, struct times since)
{
    struct times end = now();
    printf("%-44s %10.3f ms %10.3f ms\n", what, (end.wall - since.wall) * 1e3,
           (end.cpu - since.cpu) * 1e3);
    return now();
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if (!(call)) {                                                                             \
            err_print(&err);                                                                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Calls that only read and their results by turns; every thousandth result claims something, and
 * every thousandth call sends something. */
static int64_t write_steps(struct case_file *c, int64_t source, int64_t steps, uint64_t line)
{
    struct err err = {0};
    struct session_row row = {.key = SPAN("bench"), .name = SPAN("bench")};
    int64_t session = store_session(c, &row, &err), server = store_server(c, SPAN("github"), &err);
    int64_t call = 0, definition = 0;
    MUST(session && server);
    MUST(store_session_source(c, session, source, &err));
    for (int64_t i = 0; i < steps; i++) {
        struct extent at = {source, (uint64_t)i * line, line - 1, SPAN_EMPTY};
        bool is_call = i % 2 == 0;
        struct event_row event = {.session = session,
                                  .at = at,
                                  .line = (uint64_t)i + 1,
                                  .time_ns = i * 1000000,
                                  .time_digits = 3,
                                  .direction = is_call ? "c2s" : "s2c",
                                  .kind = is_call ? "request" : "response",
                                  .method = SPAN("tools/call"),
                                  .rpc_id = SPAN("12")};
        int64_t id = store_event(c, &event, &err);
        MUST(id);
        bool sends = i % 2000 == 1000;
        struct step_row step = {.session = session,
                                .event = id,
                                .server = server,
                                .tool = sends ? SPAN("send_mail") : SPAN("get_issue"),
                                .definition = is_call && !sends ? definition : 0,
                                .kind = is_call ? STEP_TOOL_CALL : STEP_TOOL_RESULT,
                                .call = is_call ? 0 : call,
                                .body = at,
                                .time_ns = i * 1000000,
                                .time_digits = 3};
        int64_t step_id = store_step(c, &step, &err);
        MUST(step_id);
        if (i == 0) {
            struct definition_row reads = {
                .step = step_id,
                .tool = SPAN("get_issue"),
                .at = at,
                .hints = {true, TRI_TRUE, TRI_ABSENT, TRI_ABSENT, TRI_FALSE}};
            definition = store_definition(c, &reads, &err);
            MUST(definition);
        }
        if (is_call)
            call = step_id;
        else
            MUST(store_outcome(c, call, OUTCOME_COMPLETED, &err));
        if (i % 1000 == 501) {
            struct claim_row claim = {.step = step_id,
                                      .block = -1,
                                      .shape = "trust",
                                      .name = SPAN("untrusted"),
                                      .value = SPAN("true"),
                                      .pointer = SPAN("/_meta")};
            MUST(store_claim(c, &claim, &err));
        }
    }
    return session;
}

int main(int argc, char **argv)
{
    struct err err = {0};
    if (argc < 2)
        return 2;
    int64_t steps = argc > 2 ? atoll(argv[2]) : 1000000;
    const char *policy_name = argc > 3 ? argv[3] : "additive";
    unlink(argv[1]);
    printf("%-44s %10s    %10s\n", "", "wall", "processor");
    struct times t = now();
    struct case_file *c = case_create(argv[1], &err);
    MUST(c);
    MUST(db_begin(case_db(c), &err));
    struct source_writer *w = source_begin(c, SPAN("bench.jsonl"), "log", &err);
    int64_t source = source_writer_id(w);
    /* Of one length; a result is no echo of calls. */
    static const char call[] =
        "{\"jsonrpc\":\"2.0\",\"id\":%010lld,\"method\":\"tools/call\",\"params\":{\"name\":\"get_issue\"}}\n";
    static const char result[] =
        "{\"title\":\"Crash when the window is resized, seen %010lld times\",\"open\":true,\"r\":1}\n";
    char line[128];
    int len = 0;
    for (int64_t i = 0; i < steps; i++) {
        len = i % 2 ? snprintf(line, sizeof line, result, (long long)i)
                    : snprintf(line, sizeof line, call, (long long)i);
        MUST(source_append(w, (struct span){line, (size_t)len}, &err));
    }
    struct source_info info = {
        .format = SPAN("jsonrpc-lines"), .confidence = 100, .lines = (uint64_t)steps};
    MUST(source_end(w, &info, true, &err));
    t = lap("write the source", t);
    int64_t session = write_steps(c, source, steps, (uint64_t)len);
    t = lap("store events and steps", t);
    MUST(store_number_steps(c, session, &err));
    t = lap("number them", t);
    MUST(db_commit(case_db(c), &err));
    t = lap("commit", t);
    case_close(c);
    c = case_open(argv[1], &err);
    MUST(c);
    t = lap("open the case, checked", t);
    struct policy *policy = policy_load(policy_name, &err);
    MUST(policy);
    t = now();
    struct review *r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    t = lap("replay and write the run", t);
    review_close(r);
    t = now();
    r = review_open(c, session, policy, false, NULL, NULL, &err);
    MUST(r);
    t = lap("open the kept run", t);
    struct arena arena = {0};
    struct flow_row rows[60];
    MUST(review_rows(r, steps / 2, 60, FLOW_PREVIEW, &arena, rows, &err) == 60);
    t = lap("a screen of 60 rows with previews, cold", t);
    arena_reset(&arena);
    MUST(review_rows(r, steps / 2 + 30, 60, FLOW_PREVIEW, &arena, rows, &err) == 60);
    t = lap("the next screen", t);
    int64_t n;
    MUST(review_next(r, MARK_VIOLATION, steps / 2, true, &n, &err));
    t = lap("next violation", t);
    MUST(review_next(r, MARK_LABEL_CHANGE, steps, false, &n, &err));
    t = lap("previous label change", t);
    struct strip_cell cells[200];
    MUST(review_strip(r, cells, 200, &err));
    t = lap("overview strip, first", t);
    MUST(review_strip(r, cells, 200, &err));
    t = lap("overview strip, again", t);
    struct flow_row row;
    struct replay_out out;
    MUST(review_explain(r, steps / 2, &row, &out, &err));
    t = lap("explain a step", t);
    static const char *const filters[] = {"verdict:deny label:private", "0000999999",
                                          "/99999[89]/"};
    for (size_t i = 0; i < COUNT_OF(filters); i++) {
        struct filter *f = filter_parse(span_of(filters[i]), &err);
        int64_t found[10], looked;
        long got = 0;
        for (looked = 0; f && got == 0 && looked < steps;)
            got = review_filter(r, f, looked + 1, true, SIZE_MAX, found, 10, &looked, &err);
        MUST(f && got >= 0);
        filter_destroy(f);
        t = lap(filters[i], t);
    }
    MUST(review_check(r, NULL, NULL, &err));
    t = lap("findings", t);
    const struct whatif_edit edits[] = {{WHATIF_LABEL, steps / 10 * 9, LABEL_PUBLIC},
                                        {WHATIF_LABEL, 2, LABEL_PUBLIC}};
    struct whatif whatif;
    struct whatif_edit edit;
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        edit = edits[i];
        MUST(label_parse(review_labels(r), SPAN("private"), &edit.label));
        MUST(review_whatif(r, NULL, &edit, 1, NULL, NULL, &arena, &whatif, &err));
        t = lap(i ? "what if the first result had been private" : "the same of one at nine tenths",
                t);
    }
    struct session_view *views;
    size_t count;
    MUST(query_sessions(c, policy, &arena, &views, &count, &err));
    t = lap("list the sessions", t);
    review_close(r);
    policy_destroy(policy);
    arena_finish(&arena);
    case_close(c);
    return 0;
}
