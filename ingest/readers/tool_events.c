/*
 * Events of tools as SDKs log them, JSON lines {"ts", "event": "tool.call" | "tool.result" |
 * "policy.decision", …}. The three words are fixed; what the other members are called differs from
 * one writer to the next, so that each has a few names. They may stand in "data" or "payload".
 */
#include "base/hash.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum {
    TE_EVENT,
    TE_TIME,
    TE_SESSION,
    TE_CALL,
    TE_SERVER,
    TE_TOOL,
    TE_ARGUMENTS,
    TE_RESULT,
    TE_ERROR,
    TE_IS_ERROR,
    TE_DECISION,
    TE_ALLOWED,
    TE_REASON,
    TE_APPROVER,
    TE_TRUNCATED,
    TE_REDACTED,
    TE_INSIDE,
    TE_COUNT
};

static const struct {
    const char *name;
    int member;
} tool_event_names[] = {
    {"event", TE_EVENT},         {"ts", TE_TIME},
    {"timestamp", TE_TIME},      {"time", TE_TIME},
    {"session_id", TE_SESSION},  {"session", TE_SESSION},
    {"run_id", TE_SESSION},      {"trace_id", TE_SESSION},
    {"call_id", TE_CALL},        {"tool_call_id", TE_CALL},
    {"request_id", TE_CALL},     {"id", TE_CALL},
    {"server", TE_SERVER},       {"server_name", TE_SERVER},
    {"mcp_server", TE_SERVER},   {"tool", TE_TOOL},
    {"tool_name", TE_TOOL},      {"name", TE_TOOL},
    {"arguments", TE_ARGUMENTS}, {"args", TE_ARGUMENTS},
    {"input", TE_ARGUMENTS},     {"params", TE_ARGUMENTS},
    {"result", TE_RESULT},       {"output", TE_RESULT},
    {"content", TE_RESULT},      {"error", TE_ERROR},
    {"is_error", TE_IS_ERROR},   {"isError", TE_IS_ERROR},
    {"decision", TE_DECISION},   {"verdict", TE_DECISION},
    {"outcome", TE_DECISION},    {"allowed", TE_ALLOWED},
    {"allow", TE_ALLOWED},       {"reason", TE_REASON},
    {"truncated", TE_TRUNCATED}, {"redacted", TE_REDACTED},
    {"data", TE_INSIDE},         {"payload", TE_INSIDE},
    {"approver", TE_APPROVER},   {"approved_by", TE_APPROVER},
    {"reviewer", TE_APPROVER},
};

enum { DENIED_KEPT = 64 };

struct tool_events_state {
    uint64_t denied[DENIED_KEPT]; /* hashes of the ids of calls that a decision stopped */
    size_t count;
};

static void *tool_events_open_state(struct span path)
{
    (void)path;
    return NEW(struct tool_events_state);
}

/* The first of the names of a member that is there wins. */
static void tool_event_members(struct span object, struct span *m)
{
    enum { NAMES = COUNT_OF(tool_event_names) };
    const char *names[NAMES];
    struct span values[NAMES];
    for (size_t i = 0; i < NAMES; i++)
        names[i] = tool_event_names[i].name;
    pick(object, names, values, NAMES);
    for (size_t i = 0; i < NAMES; i++)
        if (values[i].at && !span_is(values[i], "null") && !m[tool_event_names[i].member].at)
            m[tool_event_names[i].member] = values[i];
}

static bool was_denied(const struct tool_events_state *state, struct span id)
{
    size_t kept = state->count < DENIED_KEPT ? state->count : DENIED_KEPT;
    uint64_t hash = hash_of(id);
    for (size_t i = 0; id.len && i < kept; i++)
        if (state->denied[i] == hash)
            return true;
    return false;
}

static bool tells_denial(const struct span *m, struct arena *arena)
{
    static const char *const words[] = {"deny",    "denied", "block",   "blocked",
                                        "refused", "reject", "rejected"};
    struct span word = pick_string(m[TE_DECISION], arena);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (span_equal_nocase(word, span_of(words[i])))
            return true;
    return span_is(m[TE_ALLOWED], "false");
}

static void tool_event_call(struct outlet *out, const struct span *m, struct span line,
                            const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span args = m[TE_ARGUMENTS].at ? m[TE_ARGUMENTS] : span_sub(line, 0, 0);
    struct record *record = talk_value(out, RECORD_CALL, args, base);
    talk_tool_name(pick_string(m[TE_TOOL], arena), &record->server, &record->tool);
    if (m[TE_SERVER].at)
        record->server = pick_string(m[TE_SERVER], arena);
}

static void tool_event_result(struct outlet *out, const struct span *m, struct span line,
                              bool refused, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span text = m[TE_RESULT].at   ? m[TE_RESULT]
                       : m[TE_ERROR].at  ? m[TE_ERROR]
                       : m[TE_REASON].at ? m[TE_REASON]
                                         : span_sub(line, 0, 0);
    bool failed = (m[TE_ERROR].at && !span_is(m[TE_ERROR], "false")) || pick_true(m[TE_IS_ERROR]);
    struct record *record = talk_value(out, RECORD_RESULT, text, base);
    talk_tool_name(pick_string(m[TE_TOOL], arena), &record->server, &record->tool);
    if (m[TE_SERVER].at)
        record->server = pick_string(m[TE_SERVER], arena);
    record->is_error = refused || failed;
    record->refused = refused;
}

/* Only with somebody's name: that a rule let a call pass is no person's approval. */
static bool tells_approval(const struct span *m, struct arena *arena)
{
    static const char *const words[] = {"allow",    "allowed", "approve",
                                        "approved", "accept",  "accepted"};
    struct span word = pick_string(m[TE_DECISION], arena);
    bool yes = pick_true(m[TE_ALLOWED]);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        yes = yes || span_equal_nocase(word, span_of(words[i]));
    return yes && pick_string(m[TE_APPROVER], arena).len > 0;
}

/* A decision that stops a call is its answer; any other one is kept as an event. */
static void tool_event_decision(struct tool_events_state *state, struct outlet *out,
                                const struct span *m, struct span line, const struct record *base)
{
    if (!tells_denial(m, outlet_arena(out)) || !base->call_id.len) {
        struct record decided = *base;
        if (tells_approval(m, outlet_arena(out)))
            decided.decision = DECISION_APPROVED;
        talk_other(out, line, SPAN("policy.decision"), &decided);
        return;
    }
    state->denied[state->count++ % DENIED_KEPT] = hash_of(base->call_id);
    tool_event_result(out, m, line, true, base);
}

static void tool_events_read_line(void *at, const struct unit *unit, struct outlet *out)
{
    static const char *const nothing[] = {"event"};
    struct tool_events_state *state = at;
    struct arena *arena = outlet_arena(out);
    struct span m[TE_COUNT] = {0}, first[1], line = span_trim(unit->text), number;
    if (!pick_unit(unit, out, nothing, first, 1))
        return;
    tool_event_members(line, m);
    if (jsonr_is_object(m[TE_INSIDE]))
        tool_event_members(m[TE_INSIDE], m);
    struct span event = pick_string(m[TE_EVENT], arena);
    struct record base = {.time_digits = -1, .rpc_type = event};
    pick_time(m[TE_TIME], &base);
    base.session = pick_string(m[TE_SESSION], arena);
    number = m[TE_CALL];
    base.call_id = jsonr_is_string(number) ? pick_string(number, arena) : number;
    base.truncated = pick_true(m[TE_TRUNCATED]);
    base.redacted = pick_true(m[TE_REDACTED]);
    if (span_is(event, "tool.call"))
        tool_event_call(out, m, line, &base);
    else if (span_is(event, "tool.result") || span_is(event, "tool.error"))
        tool_event_result(out, m, line, was_denied(state, base.call_id), &base);
    else if (span_is(event, "policy.decision"))
        tool_event_decision(state, out, m, line, &base);
    else if (event.len)
        talk_other(out, line, event, &base);
    else
        outlet_noise(out, "json");
}

/* ---- probe ---- */

static bool tool_events_is_line(struct span line)
{
    static const char *const words[] = {"\"tool.call\"", "\"tool.result\"", "\"tool.error\"",
                                        "\"policy.decision\""};
    struct span event;
    if (!jsonr_is_object(line) || !jsonr_member(line, "event", &event))
        return false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (span_is(event, words[i]))
            return true;
    return false;
}

static void tool_events_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, tool_events_is_line), 93,
                "have the event tool.call, tool.result or policy.decision");
}

static const char *const tool_events_cannot_show[] = {
    "prompts and the model's text",
    "annotations (_meta), where results are written without",
    "definitions and hints of tools",
    "arguments and results, where the writer left them out",
    NULL,
};

const struct reader reader_tool_events = {
    .name = "tool-events",
    .title = "events of tools and policies as SDKs log them (tool.call, tool.result)",
    .cannot_show = tool_events_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = tool_events_probe,
    .open = tool_events_open_state,
    .read = tool_events_read_line,
    .close = mem_free,
};
