/*
 * Text that left (EX): passages of an earlier private item in the arguments of
 * a call that lets something out, or in a rendered address; passages of an
 * untrusted item in a call with consequences; destinations that only untrusted
 * text names. model/trace finds where text came from. Here the items are kept
 * for it, and each step goes to whom it concerns.
 */
#include "model/findings/check_leak_internal.h"

/* Text that is neither private nor untrusted matters only beside text that is: it is read again
 * when the first such text comes, before the next step is looked at. A
 * session without labels costs nothing. */
struct check_leak_pending {
    int64_t n;
    enum trace_source source;
    uint32_t tag;
};

void leaks_destroy(struct leaks *leaks)
{
    if (!leaks)
        return;
    trace_destroy(leaks->trace);
    buf_finish(&leaks->text);
    mem_free(leaks->pending);
    mem_free(leaks);
}

static struct leaks *leaks_of(const struct look *look)
{
    struct checks *checks = look->checks;
    if (!checks->leaks) {
        checks->leaks = NEW(struct leaks);
        checks->leaks->trace = trace_create(NULL);
    }
    return checks->leaks;
}

static void add_text(struct leaks *leaks, int64_t n, enum trace_source source, uint32_t tag,
                     struct span text)
{
    bool json = text.len && (text.at[0] == '{' || text.at[0] == '[' || text.at[0] == '"');
    trace_add(
        leaks->trace,
        &(struct trace_text){
            .n = n, .source = source, .tag = tag, .text = text, .flags = json ? TRACE_IS_JSON : 0});
}

void check_leaks_catch_up(struct checks *checks)
{
    struct leaks *leaks = checks->leaks;
    if (!leaks || !leaks->behind)
        return;
    for (size_t i = 0; i < leaks->pending_count; i++) {
        const struct check_leak_pending *next = &leaks->pending[i];
        buf_clear(&leaks->text);
        if (checks->hooks.body(checks->hooks.arg, next->n, BODY_MAX, &leaks->text))
            add_text(leaks, next->n, next->source, next->tag, buf_span(&leaks->text));
    }
    leaks->pending_count = 0;
    leaks->behind = false;
}

void check_leak_catch_up_now(const struct look *look)
{
    leaks_of(look)->behind = look->checks->hooks.body != NULL;
    check_leaks_catch_up(look->checks);
}

static void push_pending(struct leaks *leaks, int64_t n, enum trace_source source, uint32_t tag)
{
    leaks->pending = mem_one_more(leaks->pending, leaks->pending_count, &leaks->pending_size,
                                  sizeof *leaks->pending);
    leaks->pending[leaks->pending_count++] = (struct check_leak_pending){n, source, tag};
}

static void check_leak_keep(const struct look *look, enum trace_source source, uint32_t tag)
{
    struct leaks *leaks = leaks_of(look);
    struct span body;
    leaks->tainted |= (tag & (TAG_PRIVATE | TAG_UNTRUSTED)) != 0;
    bool wanted = tag || leaks->tainted, can_wait = look->checks->hooks.body;
    if (can_wait && (!wanted || leaks->pending_count)) {
        push_pending(leaks, look->step->n, source, tag);
        leaks->behind = wanted; /* what came before first, in order */
    } else if (wanted && look_body(look, &body)) {
        add_text(leaks, look->step->n, source, tag, body);
    }
}

/* ---- a step ---- */

static uint32_t tag_of(const struct replay_out *out)
{
    return (label_is_private(out->label) ? TAG_PRIVATE : 0u) |
           (out->label.integrity == UNTRUSTED ? TAG_UNTRUSTED : 0u);
}

void check_leaks(struct look *look)
{
    switch (look->step->kind) {
    case STEP_PROMPT: {
        bool system = span_is(look->step->tool, "system");
        check_leak_keep(look, system ? TRACE_SYSTEM : TRACE_PROMPT, 0);
        if (!system)
            leaks_of(look)->any_prompt = true;
        break;
    }
    case STEP_TOOL_RESULT:
        check_leak_keep(look, TRACE_RESULT, tag_of(look->out));
        break;
    case STEP_RESOURCE:
        check_leak_keep(look, TRACE_RESOURCE, tag_of(look->out));
        break;
    case STEP_PROMPT_GET:
        check_leak_keep(look, TRACE_PROMPT_GET, tag_of(look->out));
        break;
    case STEP_DEFINITIONS:
        check_leak_keep(look, TRACE_DEFINITIONS, TAG_DEFINITION);
        break;
    case STEP_INSTRUCTIONS:
        check_leak_keep(look, TRACE_INSTRUCTIONS, TAG_DEFINITION);
        break;
    case STEP_TOOL_CALL:
        if (look->checks->leaks && (look->out->role || leak_lets_out(look))) {
            if (look->checks->leaks->tainted)
                leak_search_call(look);
            if (leak_lets_out(look))
                leak_search_destinations(look);
        }
        /* What the model said first is no leak when it comes back. */
        check_leak_keep(look, TRACE_CALL, 0);
        break;
    case STEP_ASSISTANT:
        if (look->checks->leaks && look->checks->leaks->tainted)
            leak_search_answer(look);
        check_leak_keep(look, TRACE_ASSISTANT, 0);
        break;
    default:
        break;
    }
}
