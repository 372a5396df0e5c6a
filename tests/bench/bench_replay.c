/* usage: bench_replay [STEPS]: how long the replay of that many labelled steps takes. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "model/flow/replay.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Calls and results by turns over twenty tools; every result is labelled, some are private. */
static void run(const char *name, long steps)
{
    struct err err = {0};
    struct policy *policy = policy_load(name, &err);
    if (!policy) {
        err_print(&err);
        exit(1);
    }
    struct label_pool *pool = label_pool_create();
    struct replay *replay = replay_create(policy, pool);
    struct replay_state state;
    struct replay_out out;
    static const char *const servers[] = {"github", "files", "mail", "web", "notes"};
    static const char *const tools[] = {"get_file_contents", "read_text_file", "send_email", "x"};
    struct claim claims[2] = {
        {.shape = CLAIM_TRUST, .block = -1, .name = SPAN("untrusted"), .value = SPAN("false")},
        {.shape = CLAIM_TRUST, .block = -1, .name = SPAN("sensitive"), .value = SPAN("false")},
    };
    struct span arguments =
        SPAN("{\"owner\": \"acme\", \"repo\": \"payroll\", \"to\": \"a@b.example\"}");
    replay_start(&state);
    double begin = now();
    for (long n = 1; n <= steps; n++) {
        bool call = n % 2;
        struct step step = {.n = n,
                            .kind = call ? STEP_TOOL_CALL : STEP_TOOL_RESULT,
                            .server = span_of(servers[n / 2 % 5]),
                            .tool = span_of(tools[n / 2 % 4]),
                            .hints = {true, TRI_TRUE, TRI_ABSENT, TRI_ABSENT, TRI_FALSE}};
        claims[0].value = n % 10 == 0 ? SPAN("true") : SPAN("false");
        claims[1].value = n % 100 == 0 ? SPAN("true") : SPAN("false");
        struct replay_input input = {
            .step = &step, .claims = claims, .claim_count = call ? 0 : 2, .call_body = arguments};
        input.has_body = call && replay_wants_body(replay, &step);
        input.body = input.has_body ? arguments : SPAN_EMPTY;
        input.has_call_body = !call && replay_wants_call_body(replay, &step);
        replay_step(replay, &state, &input, &out);
    }
    double took = now() - begin;
    printf("%-16s %ld steps in %.3f s, %.0f ns a step\n", name, steps, took,
           took * 1e9 / (double)steps);
    replay_destroy(replay);
    label_pool_destroy(pool);
    policy_destroy(policy);
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 1000000;
    for (size_t i = 0; i < policy_builtin_count(); i++)
        run(policy_builtin_name(i), steps);
    return 0;
}
