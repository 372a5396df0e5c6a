/* Policies: any text is read or refused with a place and a reason; what is read can be used. */
#include "model/flow/match.h"
#include "model/flow/replay.h"

#include "tests/fuzz/fuzz.h"

void fuzz_one(struct span input)
{
    struct err err = {0};
    struct policy *policy = policy_parse(input, "policy", &err);
    sql_kind(input);
    if (!policy) {
        FUZZ_CHECK(err.kind == ERR_USAGE && err.where[0] && err.what[0]);
        return;
    }
    struct label_pool *pool = label_pool_create();
    struct replay *replay = replay_create(policy, pool);
    struct replay_state state;
    struct replay_out out;
    struct span body = SPAN("{\"a\": [\"https://a.example\", 1], \"query\": \"select 1\"}");
    struct step step = {.n = 1, .kind = STEP_TOOL_CALL, .server = SPAN("a"), .tool = SPAN("b")};
    struct replay_input in = {
        .step = &step, .body = body, .has_body = true, .call_body = body, .has_call_body = true};
    replay_start(&state);
    replay_step(replay, &state, &in, &out);
    FUZZ_CHECK(out.verdict != VERDICT_NONE);
    step.kind = STEP_TOOL_RESULT;
    replay_step(replay, &state, &in, &out);
    FUZZ_CHECK(out.has_label);
    replay_destroy(replay);
    label_pool_destroy(pool);
    policy_destroy(policy);
}
