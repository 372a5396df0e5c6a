/*
 * OpenHands: the events of a conversation, as its first version wrote them ({id, source, action,
 * args} and {cause, observation, content, extras}: openhands/events/serialization/event.py) and as
 * its SDK does ({kind: "ActionEvent" | "ObservationEvent" | …}: docs.openhands.dev, "Events"). They
 * come as an array, as a document with "trajectory", as files of one event each, and as the
 * "history" in lines of evaluations.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum {
    OH_ID,
    OH_TIME,
    OH_SOURCE,
    OH_ACTION,
    OH_ARGS,
    OH_OBSERVATION,
    OH_CAUSE,
    OH_CONTENT,
    OH_EXTRAS,
    OH_METADATA,
    OH_KIND,
    OH_TOOL_NAME,
    OH_TOOL_CALL,
    OH_TOOL_CALL_ID,
    OH_THOUGHT,
    OH_LLM_MESSAGE,
    OH_SYSTEM_PROMPT,
    OH_REASON,
    OH_ERROR,
    OH_MEMBERS
};
static const char *const openhands_names[OH_MEMBERS] = {
    "id",          "timestamp",     "source",           "action",       "args",
    "observation", "cause",         "content",          "extras",       "tool_call_metadata",
    "kind",        "tool_name",     "tool_call",        "tool_call_id", "thought",
    "llm_message", "system_prompt", "rejection_reason", "error",
};

static struct span openhands_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

static bool openhands_is_one_of(struct span word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(word, words[i]))
            return true;
    return false;
}

/* Of a number or a string, as it is written. */
static struct span openhands_id(struct span value, struct arena *arena)
{
    return jsonr_is_string(value) ? pick_string(value, arena) : value;
}

/* ---- the first version ---- */

/* An observation names the action that it answers; where events have no numbers, both name the
 * model's call. */
static struct span openhands_call_id(const struct span *m, struct span named, struct arena *arena)
{
    if (named.at && !span_is(named, "null"))
        return span_of(arena_printf(arena, "event %.*s", SPAN_ARG(openhands_id(named, arena))));
    return pick_string(openhands_member(m[OH_METADATA], "tool_call_id"), arena);
}

static void openhands_action(struct outlet *out, const struct span *m, struct span event,
                             const struct record *base)
{
    static const char *const states[] = {"change_agent_state", "null", "recall", "think",
                                         "start_task"};
    struct arena *arena = outlet_arena(out);
    struct span action = pick_string(m[OH_ACTION], arena), thought, arguments;
    bool user = span_is(pick_string(m[OH_SOURCE], arena), "user");
    struct span content = openhands_member(m[OH_ARGS], "content");
    if (span_is(action, "message")) {
        talk_content(out, content, user ? SPEAKER_USER : SPEAKER_ASSISTANT, base);
        return;
    }
    if (span_is(action, "system")) {
        talk_content(out, content, SPEAKER_SYSTEM, base);
        return;
    }
    if (span_starts_with(action, SPAN("condensation"))) {
        if (span_is(action, "condensation"))
            talk_value(out, RECORD_RESET, span_sub(event, 0, 0), base)->compaction = true;
        return;
    }
    thought = openhands_member(m[OH_ARGS], "thought");
    if (jsonr_is_string(thought) && thought.len > 2 && !span_is(action, "think"))
        talk_value(out, RECORD_ASSISTANT, thought, base);
    if (span_is(action, "finish")) {
        struct span final = openhands_member(m[OH_ARGS], "final_thought");
        if (jsonr_is_string(final) && final.len > 2)
            talk_value(out, RECORD_ASSISTANT, final, base);
        return;
    }
    if (openhands_is_one_of(action, states, COUNT_OF(states)))
        return;
    arguments = openhands_member(m[OH_ARGS], "arguments");
    bool mcp = span_is(action, "call_tool_mcp") || span_is(action, "mcp");
    struct span body = mcp && arguments.at ? arguments : m[OH_ARGS];
    struct record *record =
        talk_value(out, RECORD_CALL, body.at ? body : span_sub(event, 0, 0), base);
    record->tool = mcp ? pick_string(openhands_member(m[OH_ARGS], "name"), arena) : action;
    record->call_id = openhands_call_id(m, m[OH_ID], arena);
}

static void openhands_observation(struct outlet *out, const struct span *m, struct span event,
                                  const struct record *base)
{
    static const char *const states[] = {"agent_state_changed", "null", "think", "condense"};
    struct arena *arena = outlet_arena(out);
    struct span what = pick_string(m[OH_OBSERVATION], arena);
    struct span text = m[OH_CONTENT].at ? m[OH_CONTENT] : span_sub(event, 0, 0);
    if (openhands_is_one_of(what, states, COUNT_OF(states)))
        return;
    if (span_is(what, "recall")) { /* what the host puts before the model of its own accord */
        if (m[OH_EXTRAS].at)
            talk_value(out, RECORD_PROMPT, m[OH_EXTRAS], base)->system = true;
        return;
    }
    struct record *record = talk_value(out, RECORD_RESULT, text, base);
    record->call_id = openhands_call_id(m, m[OH_CAUSE], arena);
    record->refused = span_is(what, "user_rejected");
    record->is_error = record->refused || span_is(what, "error");
    record->truncated =
        span_find(text, SPAN("[... Observation truncated due to length ...]")) < text.len;
}

/* ---- the SDK ---- */

static void openhands_call(struct outlet *out, const struct span *m, struct span event,
                           const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span arguments = openhands_member(m[OH_TOOL_CALL], "arguments");
    struct span function = openhands_member(m[OH_TOOL_CALL], "function");
    if (!arguments.at)
        arguments = openhands_member(function, "arguments");
    if (!arguments.at)
        arguments = m[OH_ACTION].at ? m[OH_ACTION] : span_sub(event, 0, 0);
    talk_content(out, m[OH_THOUGHT], SPEAKER_ASSISTANT, base);
    struct record *record = talk_value(out, RECORD_CALL, arguments, base);
    talk_tool_name(pick_string(m[OH_TOOL_NAME], arena), &record->server, &record->tool);
    record->call_id = pick_string(m[OH_TOOL_CALL_ID], arena);
}

static void openhands_answer(struct outlet *out, const struct span *m, struct span event,
                             struct span kind, const struct record *base)
{
    struct span content = openhands_member(m[OH_OBSERVATION], "content");
    struct span text = m[OH_REASON].at        ? m[OH_REASON]
                       : content.at           ? content
                       : m[OH_ERROR].at       ? m[OH_ERROR]
                       : m[OH_OBSERVATION].at ? m[OH_OBSERVATION]
                                              : span_sub(event, 0, 0);
    struct arena *arena = outlet_arena(out);
    struct record *record = talk_value(out, RECORD_RESULT, text, base);
    talk_tool_name(pick_string(m[OH_TOOL_NAME], arena), &record->server, &record->tool);
    record->call_id = pick_string(m[OH_TOOL_CALL_ID], arena);
    record->refused = span_is(kind, "UserRejectObservation");
    record->is_error = !span_is(kind, "ObservationEvent") ||
                       pick_true(openhands_member(m[OH_OBSERVATION], "is_error"));
}

static void openhands_of_kind(struct outlet *out, const struct span *m, struct span event,
                              const struct record *base)
{
    static const char *const answers[] = {"ObservationEvent", "UserRejectObservation",
                                          "AgentErrorEvent"};
    struct arena *arena = outlet_arena(out);
    struct span kind = pick_string(m[OH_KIND], arena);
    bool user = span_is(pick_string(m[OH_SOURCE], arena), "user");
    if (span_is(kind, "MessageEvent")) {
        talk_content(out, openhands_member(m[OH_LLM_MESSAGE], "content"),
                     user ? SPEAKER_USER : SPEAKER_ASSISTANT, base);
    } else if (span_is(kind, "SystemPromptEvent")) {
        talk_content(out, m[OH_SYSTEM_PROMPT], SPEAKER_SYSTEM, base);
    } else if (span_is(kind, "ActionEvent")) {
        openhands_call(out, m, event, base);
    } else if (openhands_is_one_of(kind, answers, COUNT_OF(answers))) {
        openhands_answer(out, m, event, kind, base);
    } else if (span_is(kind, "Condensation")) {
        talk_value(out, RECORD_RESET, span_sub(event, 0, 0), base)->compaction = true;
    }
}

/* ---- units ---- */

static bool openhands_event(struct outlet *out, struct span event, struct span session)
{
    struct span m[OH_MEMBERS];
    size_t before = out->count;
    pick(event, openhands_names, m, OH_MEMBERS);
    struct record base = {.time_digits = -1, .host = SPAN("openhands"), .session = session};
    struct span kind = m[OH_KIND].at     ? m[OH_KIND]
                       : m[OH_ACTION].at ? m[OH_ACTION]
                                         : m[OH_OBSERVATION];
    base.rpc_type = pick_string(kind, outlet_arena(out));
    pick_time(m[OH_TIME], &base);
    if (m[OH_KIND].at)
        openhands_of_kind(out, m, event, &base);
    else if (jsonr_is_string(m[OH_ACTION]))
        openhands_action(out, m, event, &base);
    else if (jsonr_is_string(m[OH_OBSERVATION]))
        openhands_observation(out, m, event, &base);
    else
        return false;
    if (out->count == before)
        outlet_noise(out, "state");
    return true;
}

static void openhands_read_element(void *state, const struct unit *unit, struct outlet *out)
{
    struct span none[1];
    static const char *const nothing[] = {"id"};
    (void)state;
    if (unit->part != UNIT_ELEMENT) {
        if (span_trim(unit->text).len)
            outlet_noise(out, "document");
        return;
    }
    if (pick_unit(unit, out, nothing, none, 1) &&
        !openhands_event(out, span_trim(unit->text), SPAN_EMPTY))
        outlet_noise(out, "json");
}

/* An event, or a line of an evaluation: {instance_id, history: [event…]}. Its history may also be
 * of pairs [action, observation], as it once was. */
static void openhands_read_value(void *state, const struct unit *unit, struct outlet *out)
{
    enum { OH_INSTANCE, OH_HISTORY, OH_FEW };
    static const char *const few[] = {"instance_id", "history"};
    struct span m[OH_FEW], value = span_trim(unit->text);
    struct jsonr_items items, pair;
    (void)state;
    if (!pick_unit(unit, out, few, m, OH_FEW))
        return;
    if (!jsonr_is_array(m[OH_HISTORY])) {
        if (!openhands_event(out, value, SPAN_EMPTY))
            outlet_noise(out, "json");
        return;
    }
    struct span session = pick_string(m[OH_INSTANCE], outlet_arena(out));
    for (jsonr_items_init(&items, m[OH_HISTORY]); jsonr_items_next(&items);) {
        if (jsonr_is_object(items.value))
            openhands_event(out, items.value, session);
        else if (jsonr_is_array(items.value))
            for (jsonr_items_init(&pair, items.value); jsonr_items_next(&pair);)
                openhands_event(out, pair.value, session);
    }
    if (!out->count)
        outlet_noise(out, "empty");
}

/* ---- probes ---- */

static bool openhands_is_event(struct span value)
{
    static const char *const action[] = {"source", "action", "args", NULL};
    static const char *const observation[] = {"source", "observation", "extras", NULL};
    static const char *const kind[] = {"source", "kind", "timestamp", NULL};
    struct span text;
    if (!jsonr_is_object(value))
        return false;
    if (object_has(value, action) || object_has(value, observation))
        return true;
    return object_has(value, kind) && jsonr_member(value, "kind", &text) &&
           (span_find(text, SPAN("Event")) < text.len ||
            span_find(text, SPAN("Observation")) < text.len ||
            span_find(text, SPAN("Condensation")) < text.len);
}

static void openhands_vote(struct probe *p, struct span array, const char *what)
{
    struct jsonr_items items;
    struct vote vote = {0};
    if (!jsonr_is_array(array))
        return;
    jsonr_items_init(&items, array);
    while (vote.seen < PROBE_RECORDS && jsonr_items_next(&items)) {
        vote.seen++;
        vote.matched += openhands_is_event(items.value);
    }
    probe_count(p, vote, 92, what);
}

static void openhands_probe_array(struct probe *p)
{
    if (probe_begins(p, '['))
        openhands_vote(p, span_trim(p->head), "are OpenHands' events");
}

static void openhands_probe_document(struct probe *p)
{
    struct span array;
    if (probe_begins(p, '{') && probe_member(p, "trajectory", &array))
        openhands_vote(p, array, "of its \"trajectory\" are OpenHands' events");
}

static bool openhands_is_value(struct span value)
{
    struct span history;
    struct jsonr_items items;
    if (openhands_is_event(value))
        return true;
    if (!jsonr_is_object(value) || !jsonr_member(value, "history", &history) ||
        !jsonr_is_array(history))
        return false;
    jsonr_items_init(&items, history);
    if (!jsonr_items_next(&items))
        return false;
    if (openhands_is_event(items.value))
        return true;
    jsonr_items_init(&items, jsonr_is_array(items.value) ? items.value : history);
    return jsonr_items_next(&items) && openhands_is_event(items.value);
}

static void openhands_probe_values(struct probe *p)
{
    if (probe_begins(p, '{'))
        probe_count(p, probe_values(p, openhands_is_value), 91,
                    "are OpenHands' events, or hold a history of them");
}

static const char *const openhands_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which server a tool belongs to",
    "approvals of the person, but for what was rejected",
    NULL,
};

const struct reader reader_openhands = {
    .name = "openhands",
    .title = "OpenHands' trajectories (an array of events)",
    .cannot_show = openhands_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "",
    .transcript = true,
    .probe = openhands_probe_array,
    .read = openhands_read_element,
};

const struct reader reader_openhands_trajectory = {
    .name = "openhands-trajectory",
    .title = "OpenHands' trajectories (a document with \"trajectory\")",
    .cannot_show = openhands_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "trajectory",
    .transcript = true,
    .probe = openhands_probe_document,
    .read = openhands_read_element,
};

static const char *const openhands_places[] = {
    "~/.openhands/sessions/*/events/*.json",
    "~/.openhands/conversations/*/events/*.json",
    NULL,
};

const struct reader reader_openhands_events = {
    .name = "openhands-events",
    .title = "OpenHands' events, one a file or a line, and lines of its evaluations",
    .places = openhands_places,
    .cannot_show = openhands_cannot_show,
    .framing = FRAME_VALUES,
    .transcript = true,
    .probe = openhands_probe_values,
    .read = openhands_read_value,
};
