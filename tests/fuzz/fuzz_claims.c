/* Claims and the checks over them: any bytes as a result; every span given lies in the input or is
 * valid, every pointer leads back to the value, and labels only ever rise. */
#include "model/findings/check.h"
#include "model/flow/claim.h"

#include "tests/fuzz/fuzz.h"

static void check_places(struct span input, const struct claims *claims)
{
    for (size_t i = 0; i < claims->count; i++) {
        const struct claim *c = &claims->items[i];
        struct span value;
        FUZZ_CHECK(c->value.len == 0 ||
                   (c->value.at >= input.at && c->value.at + c->value.len <= input.at + input.len));
        FUZZ_CHECK(c->pointer.len == 0 || c->pointer.at[0] == '/');
        FUZZ_CHECK(c->block >= -1);
        /* A duplicate name hides the value from its pointer, so that only valid objects without
         * any are asked. */
        if (c->value.len && !jsonr_duplicate(input, NULL))
            FUZZ_CHECK(jsonr_pointer(input, c->pointer, &value) && span_equal(value, c->value));
    }
}

static void check_labels(const struct claims *claims)
{
    struct label_pool *pool = label_pool_create();
    struct label all = LABEL_PUBLIC, one;
    for (size_t i = 0; i < claims->count; i++) {
        claim_label(pool, &claims->items[i], SPAN("m"), i % 2, &one);
        struct label joined = label_join(pool, all, one);
        FUZZ_CHECK(label_flows_to(pool, all, joined) && label_flows_to(pool, one, joined));
        all = joined;
    }
    label_pool_destroy(pool);
}

/* The same bytes as definitions, result, arguments and answer, through replay and all checks. */
static void check_session(struct span input, const struct claims *claims)
{
    static const enum step_kind kinds[] = {STEP_PROMPT,    STEP_DEFINITIONS, STEP_TOOL_RESULT,
                                           STEP_TOOL_CALL, STEP_DEFINITIONS, STEP_ASSISTANT};
    const unsigned claiming = 1u << STEP_TOOL_RESULT | 1u << STEP_TOOL_CALL;
    static struct policy *policy;
    struct err err;
    if (!policy)
        policy = policy_load("strict", &err);
    FUZZ_CHECK(policy);
    struct label_pool *pool = label_pool_create();
    struct replay *replay = replay_create(policy, pool);
    struct check_hooks hooks = {0};
    struct checks *checks = checks_begin(policy, pool, SPAN("fuzz"), &hooks);
    struct replay_state state;
    replay_start(&state);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct step step = {.n = (int64_t)i + 1,
                            .kind = kinds[i],
                            .server = SPAN("github"),
                            .tool = SPAN("create_issue"),
                            .outcome = OUTCOME_COMPLETED};
        struct replay_input in = {.step = &step,
                                  .body = input,
                                  .has_body = true,
                                  .call_body = input,
                                  .has_call_body = true};
        if (claiming >> kinds[i] & 1) {
            in.claims = claims->items;
            in.claim_count = claims->count;
        }
        struct replay_out out;
        struct buf sentence = {0};
        replay_step(replay, &state, &in, &out);
        replay_sentence(&sentence, pool, &step, &out);
        FUZZ_CHECK(label_flows_to(pool, out.before, out.after));
        checks_step(checks, &in, &out);
        buf_finish(&sentence);
    }
    const struct finding *findings;
    size_t count;
    checks_end(checks, &findings, &count);
    for (size_t i = 0; i < count; i++) {
        struct buf detail = {0};
        finding_detail_json(&detail, &findings[i], policy);
        FUZZ_CHECK(jsonr_valid(buf_span(&detail), NULL, NULL));
        buf_finish(&detail);
    }
    checks_destroy(checks);
    replay_destroy(replay);
    label_pool_destroy(pool);
}

/* The same bytes as the params of a request. */
static void check_request(struct span input)
{
    struct arena arena = {0};
    struct claims claims;
    struct buf request = {0};
    struct span params;
    buf_puts(&request, "{\"params\":");
    buf_add(&request, input);
    buf_puts(&request, "}");
    if (jsonr_valid(buf_span(&request), NULL, NULL) &&
        jsonr_member(buf_span(&request), "params", &params)) {
        claims_find_request(params, &arena, &claims);
        check_places(buf_span(&request), &claims);
        check_session(input, &claims);
    }
    buf_finish(&request);
    arena_finish(&arena);
}

void fuzz_one(struct span input)
{
    struct arena arena = {0};
    struct claims claims;
    claims_find(input, &arena, &claims);
    check_places(input, &claims);
    check_labels(&claims);
    check_session(input, &claims);
    check_request(input);
    arena_finish(&arena);
}
