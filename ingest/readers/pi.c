/* The pi coding agent's sessions, and recorded calls of Anthropic's managed agents: JSON lines,
 * each an event of a conversation. */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/tree.h"

enum { PI_NAME_SIZE = 96 };

struct pi_state {
    char session[PI_NAME_SIZE];
    size_t session_len;
    struct tree *tree; /* of pi's entries, which name their parents since its second version */
};

static void *pi_open_state(struct span path)
{
    (void)path;
    struct pi_state *state = NEW(struct pi_state);
    state->tree = tree_create();
    return state;
}

static void pi_close_state(void *at)
{
    struct pi_state *state = at;
    if (!state)
        return;
    tree_destroy(state->tree);
    mem_free(state);
}

static bool pi_abandoned(void *at, uint32_t node)
{
    return tree_abandoned(((struct pi_state *)at)->tree, node);
}

static void keep_session(struct pi_state *state, struct span id)
{
    id = span_sub(id, 0, PI_NAME_SIZE);
    memcpy(state->session, id.at, id.len);
    state->session_len = id.len;
}

static struct span pi_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* ---- pi ---- */

/* A command that the person typed: call and result in one. */
static void bash_execution(struct outlet *out, struct span message, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span id = span_of(arena_printf(arena, "bash-%lld", (long long)base->time_ns));
    struct record *record = talk_value(out, RECORD_CALL, pi_member(message, "command"), base);
    record->tool = SPAN("bash");
    record->call_id = id;
    record = talk_value(out, RECORD_RESULT, pi_member(message, "output"), base);
    record->call_id = id;
    record->is_error = !span_is(pi_member(message, "exitCode"), "0");
    record->truncated = pick_true(pi_member(message, "truncated"));
}

/* Another branch begins where an entry names a parent that has a child already. */
static uint32_t pi_node(struct pi_state *state, struct span id, struct span parent,
                        struct span message, struct arena *arena)
{
    struct span role = pick_string(pi_member(message, "role"), arena);
    enum node_kind kind = span_is(role, "user")        ? NODE_PROMPT
                          : span_is(role, "assistant") ? NODE_ASSISTANT
                                                       : NODE_OTHER;
    return id.len ? tree_add(state->tree, id, parent, kind, SPAN_EMPTY, SPAN_EMPTY) : 0;
}

static void read_pi(void *at, const struct unit *unit, struct outlet *out)
{
    enum { PI_TYPE, PI_TIME, PI_MESSAGE, PI_ID, PI_SUMMARY, PI_PARENT, PI_MEMBERS };
    static const char *const names[] = {"type", "timestamp", "message",
                                        "id",   "summary",   "parentId"};
    struct pi_state *state = at;
    struct arena *arena = outlet_arena(out);
    struct span m[PI_MEMBERS];
    if (!pick_unit(unit, out, names, m, PI_MEMBERS))
        return;
    struct span type = pick_string(m[PI_TYPE], arena);
    struct record base = {.time_digits = -1, .rpc_type = type, .host = SPAN("pi")};
    pick_time(m[PI_TIME], &base);
    if (span_is(type, "session"))
        keep_session(state, pick_string(m[PI_ID], arena));
    else
        base.node = pi_node(state, pick_string(m[PI_ID], arena), pick_string(m[PI_PARENT], arena),
                            m[PI_MESSAGE], arena);
    base.session = (struct span){state->session, state->session_len};
    if (span_is(type, "message")) {
        struct span role = pick_string(pi_member(m[PI_MESSAGE], "role"), arena);
        if (span_is(role, "bashExecution"))
            bash_execution(out, m[PI_MESSAGE], &base);
        else
            talk_message(out, m[PI_MESSAGE], &base);
        if (!out->count)
            outlet_noise(out, "thinking");
    } else if (span_is(type, "compaction")) {
        talk_value(out, RECORD_RESET, span_sub(unit->text, 0, 0), &base)->compaction = true;
        if (jsonr_is_string(m[PI_SUMMARY]))
            talk_value(out, RECORD_ASSISTANT, m[PI_SUMMARY], &base);
    } else {
        outlet_noise(out, "metadata");
    }
}

static bool is_pi_line(struct span line)
{
    static const char *const said[] = {"type", "timestamp", "message", NULL};
    static const char *const head[] = {"type", "cwd", "modelId", NULL};
    struct span value;
    if (!jsonr_is_object(line) || !jsonr_member(line, "type", &value))
        return false;
    return object_has(line, head) || (object_has(line, said) && span_is(value, "\"message\""));
}

static void probe_pi(struct probe *p)
{
    probe_count(p, probe_lines(p, is_pi_line), 93, "are messages of pi's sessions");
}

/* ---- managed agents: ["client.beta.sessions.events.stream", {event}] ---- */

static void managed_event(struct outlet *out, struct span event, const struct record *line_base)
{
    enum {
        PI_TYPE,
        PI_CONTENT,
        PI_ID,
        PI_INPUT,
        PI_NAME,
        PI_SERVER,
        USE,
        MCP_USE,
        PI_ERROR,
        PI_TIME,
        PERMISSION,
        PI_RESULT,
        PI_MEMBERS
    };
    static const char *const names[] = {
        "type",
        "content",
        "id",
        "input",
        "name",
        "mcp_server_name",
        "tool_use_id",
        "mcp_tool_use_id",
        "is_error",
        "processed_at",
        "evaluated_permission",
        "result",
    };
    struct arena *arena = outlet_arena(out);
    struct span m[PI_MEMBERS];
    pick(event, names, m, PI_MEMBERS);
    struct span type = pick_string(m[PI_TYPE], arena);
    struct record base = *line_base;
    base.rpc_type = type;
    pick_time(m[PI_TIME], &base);
    if (span_is(type, "user.message")) {
        talk_content(out, m[PI_CONTENT], SPEAKER_USER, &base);
    } else if (span_is(type, "agent.message")) {
        talk_content(out, m[PI_CONTENT], SPEAKER_ASSISTANT, &base);
    } else if (span_starts_with(type, SPAN("agent.")) && span_ends_with(type, SPAN("tool_use"))) {
        struct span input = m[PI_INPUT].at ? m[PI_INPUT] : span_sub(event, 0, 0);
        struct record *record = talk_value(out, RECORD_CALL, input, &base);
        record->tool = pick_string(m[PI_NAME], arena);
        record->server = pick_string(m[PI_SERVER], arena);
        record->call_id = pick_string(m[PI_ID], arena);
    } else if (span_ends_with(type, SPAN("tool_result"))) {
        struct span id = m[MCP_USE].at ? m[MCP_USE] : m[USE];
        struct record *record =
            talk_value(out, RECORD_RESULT, m[PI_CONTENT].at ? m[PI_CONTENT] : event, &base);
        record->call_id = pick_string(id, arena);
        record->is_error = pick_true(m[PI_ERROR]);
    } else {
        talk_other(out, event, type, &base);
    }
}

static void read_managed(void *at, const struct unit *unit, struct outlet *out)
{
    struct pi_state *state = at;
    struct span line = span_trim(unit->text), call = {0}, id;
    enum jsonr_fault fault;
    size_t fault_at;
    struct jsonr_items items;
    if (!line.len)
        return;
    if (!jsonr_valid(line, &fault, &fault_at)) {
        outlet_bad(out, (size_t)(line.at - unit->text.at) + fault_at, jsonr_fault_text(fault));
        return;
    }
    jsonr_items_init(&items, line);
    if (jsonr_is_array(line) && jsonr_items_next(&items))
        call = pick_string(items.value, outlet_arena(out));
    bool create = span_ends_with(call, SPAN("sessions.create"));
    bool more = jsonr_is_array(line) && jsonr_items_next(&items);
    if (more && create && jsonr_member(items.value, "id", &id))
        keep_session(state, pick_string(id, outlet_arena(out)));
    struct record base = {.time_digits = -1, .host = SPAN("anthropic managed agents")};
    base.session = (struct span){state->session, state->session_len};
    if (more && span_ends_with(call, SPAN("events.stream")))
        managed_event(out, items.value, &base);
    if (!out->count) /* what was sent comes back in the stream */
        outlet_noise(out, "request");
}

static bool is_managed_line(struct span line)
{
    return span_starts_with(line, SPAN("[\"client.beta.sessions."));
}

static void probe_managed(struct probe *p)
{
    probe_count(p, probe_lines(p, is_managed_line), 95, "are calls of the managed agents' SDK");
}

static const char *const pi_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "approvals of the person",
    NULL,
};
static const char *const managed_cannot[] = {
    "annotations (_meta), definitions and hints of tools",
    "results that the stream does not carry",
    NULL,
};

static const char *const pi_places[] = {
    "~/.pi/agent/sessions/*/*.jsonl",
    NULL,
};

const struct reader reader_pi = {
    .name = "pi",
    .title = "the pi coding agent's sessions",
    .places = pi_places,
    .cannot_show = pi_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_pi,
    .open = pi_open_state,
    .read = read_pi,
    .abandoned = pi_abandoned,
    .close = pi_close_state,
};

const struct reader reader_managed_agents = {
    .name = "managed-agents",
    .title = "recorded SDK calls of Anthropic's managed agents",
    .cannot_show = managed_cannot,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_managed,
    .open = pi_open_state,
    .read = read_managed,
    .close = pi_close_state,
};
