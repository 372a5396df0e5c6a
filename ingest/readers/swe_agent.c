/*
 * SWE-agent's .traj: one document, {"trajectory": [step…], "history": [message…], "info": …}
 * (swe-agent.com, "Output files"). A step tells the model's answer, the command and its output,
 * and, from version 1.1 on, in "query", what the model was shown; older files hold the prompts in
 * the history alone, which is read there instead. All commands run in one shell of the environment.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

struct swe_agent_state {
    unsigned steps;
    bool acted; /* the message before was an action */
};

static void *swe_agent_open_state(struct span path)
{
    (void)path;
    return NEW(struct swe_agent_state);
}

static struct record swe_agent_base(void)
{
    return (struct record){.time_digits = -1, .host = SPAN("swe-agent"), .rpc_type = SPAN("step")};
}

static bool swe_agent_says(struct span value)
{
    return jsonr_is_string(value) && value.len > 2;
}

static void swe_agent_call(struct swe_agent_state *state, struct outlet *out, struct span action,
                           const struct record *base)
{
    struct record *record = talk_value(out, RECORD_CALL, action, base);
    record->tool = SPAN("shell");
    record->call_id = span_of(arena_printf(outlet_arena(out), "step %u", ++state->steps));
}

static void swe_agent_answer(struct swe_agent_state *state, struct outlet *out, struct span text,
                             const struct record *base)
{
    struct record *record = talk_value(out, RECORD_RESULT, text, base);
    record->call_id = span_of(arena_printf(outlet_arena(out), "step %u", state->steps));
}

/* An element, whole and valid; false where it is something else, which has been said then. */
static bool swe_agent_element(const struct unit *unit, struct outlet *out, const char *const *names,
                              struct span *m, size_t count)
{
    if (unit->part == UNIT_ELEMENT)
        return pick_unit(unit, out, names, m, count);
    if (span_trim(unit->text).len)
        outlet_noise(out, "document");
    return false;
}

/* ---- steps ---- */

/* What the first step was shown: the prompts. The demonstration in it never happened. */
static void swe_agent_prompts(struct outlet *out, struct span query, const struct record *base)
{
    struct jsonr_items items;
    struct span demo;
    if (!jsonr_is_array(query))
        return;
    for (jsonr_items_init(&items, query); jsonr_items_next(&items);)
        if (!jsonr_member(items.value, "is_demo", &demo) || !pick_true(demo))
            talk_message(out, items.value, base);
}

static void swe_agent_read_step(void *at, const struct unit *unit, struct outlet *out)
{
    enum { SWE_ACTION, SWE_OBSERVATION, SWE_RESPONSE, SWE_THOUGHT, SWE_QUERY, SWE_MEMBERS };
    static const char *const names[] = {"action", "observation", "response", "thought", "query"};
    struct swe_agent_state *state = at;
    struct span m[SWE_MEMBERS];
    if (!swe_agent_element(unit, out, names, m, SWE_MEMBERS))
        return;
    struct record base = swe_agent_base();
    if (!state->steps)
        swe_agent_prompts(out, m[SWE_QUERY], &base);
    struct span said = swe_agent_says(m[SWE_RESPONSE]) ? m[SWE_RESPONSE] : m[SWE_THOUGHT];
    if (swe_agent_says(said))
        talk_value(out, RECORD_ASSISTANT, said, &base);
    if (swe_agent_says(m[SWE_ACTION])) {
        swe_agent_call(state, out, m[SWE_ACTION], &base);
        if (jsonr_is_string(m[SWE_OBSERVATION]))
            swe_agent_answer(state, out, m[SWE_OBSERVATION], &base);
    } else if (swe_agent_says(m[SWE_OBSERVATION])) { /* the host's own words: format it so */
        talk_value(out, RECORD_PROMPT, m[SWE_OBSERVATION], &base)->system = true;
    }
    if (!out->count)
        outlet_noise(out, "empty");
}

/* ---- the history ---- */

static void swe_agent_read_history(void *at, const struct unit *unit, struct outlet *out)
{
    enum { SWE_ROLE, SWE_CONTENT, SWE_ACTION, SWE_DEMO, SWE_MEMBERS };
    static const char *const names[] = {"role", "content", "action", "is_demo"};
    struct swe_agent_state *state = at;
    struct arena *arena = outlet_arena(out);
    struct span m[SWE_MEMBERS];
    enum speaker speaker;
    if (!swe_agent_element(unit, out, names, m, SWE_MEMBERS))
        return;
    struct record base = swe_agent_base();
    if (pick_true(m[SWE_DEMO])) {
        outlet_noise(out, "demonstration");
        return;
    }
    if (talk_speaker(pick_string(m[SWE_ROLE], arena), &speaker)) {
        bool answers = state->acted && (speaker == SPEAKER_USER || speaker == SPEAKER_TOOL);
        state->acted = false;
        if (answers)
            swe_agent_answer(state, out, m[SWE_CONTENT], &base);
        else
            talk_content(out, m[SWE_CONTENT], speaker, &base);
        if (speaker == SPEAKER_ASSISTANT && swe_agent_says(m[SWE_ACTION])) {
            swe_agent_call(state, out, m[SWE_ACTION], &base);
            state->acted = true;
        }
    }
    if (!out->count)
        outlet_noise(out, "empty");
}

/* ---- probes ---- */

static bool swe_agent_is_document(const struct probe *p, bool *shown)
{
    static const char *const step[] = {"action", "observation", "response", NULL};
    struct span array, query;
    struct jsonr_items items;
    if (!probe_begins(p, '{') || !probe_member(p, "trajectory", &array) || !jsonr_is_array(array))
        return false;
    jsonr_items_init(&items, array);
    if (!jsonr_items_next(&items) || !object_has(items.value, step))
        return false;
    *shown = jsonr_member(items.value, "query", &query) && jsonr_is_array(query);
    return true;
}

static void swe_agent_probe_steps(struct probe *p)
{
    bool shown;
    if (swe_agent_is_document(p, &shown))
        probe_say(p, shown ? 95 : 85, "a \"trajectory\" of steps with action and observation");
}

static void swe_agent_probe_history(struct probe *p)
{
    bool shown;
    struct span history;
    if (swe_agent_is_document(p, &shown) && !shown &&
        (!p->whole || (probe_member(p, "history", &history) && jsonr_is_array(history))))
        probe_say(p, 92, "a \"trajectory\" of steps without their queries: the history is read");
}

static const char *const swe_agent_cannot_show[] = {
    "times",
    "MCP servers: commands run in the environment's shell",
    "approvals of the person",
    NULL,
};

const struct reader reader_swe_agent = {
    .name = "swe-agent",
    .title = "SWE-agent's trajectories (.traj)",
    .where = "trajectories/USER/RUN/INSTANCE/INSTANCE.traj",
    .cannot_show = swe_agent_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "trajectory",
    .transcript = true,
    .probe = swe_agent_probe_steps,
    .open = swe_agent_open_state,
    .read = swe_agent_read_step,
    .close = mem_free,
};

const struct reader reader_swe_agent_history = {
    .name = "swe-agent-history",
    .title = "SWE-agent's trajectories older than 1.1, whose prompts stand in \"history\"",
    .where = "trajectories/USER/RUN/INSTANCE.traj",
    .cannot_show = swe_agent_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "history",
    .transcript = true,
    .probe = swe_agent_probe_history,
    .open = swe_agent_open_state,
    .read = swe_agent_read_history,
    .close = mem_free,
};
