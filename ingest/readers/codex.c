/*
 * Codex CLI: rollouts of all eras (bare items; {timestamp,type,payload}; events
 * of MCP calls; completed items) and the stream of `codex exec --json`. One call
 * appears up to three times: as the model asked for it, as the server answered
 * it, and as the model was shown the answer.
 */
#include "base/hash.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { CODEX_NAME_SIZE = 96 };

enum { CODEX_ASKED = 64 };

struct codex_state {
    uint64_t asked[CODEX_ASKED]; /* hashes of the ids of calls about which the person was asked */
    size_t asked_count;
    char session[CODEX_NAME_SIZE], host[CODEX_NAME_SIZE];
    size_t session_len, host_len;
    bool headed;     /* the session's own head was read */
    uint32_t *turns; /* those that were not undone, by the number of each */
    size_t turn_count, turn_size;
    uint32_t last; /* number given to a turn */
    bool *undone;  /* by number */
    size_t undone_size;
};

static void *codex_open_state(struct span path)
{
    (void)path;
    return NEW(struct codex_state);
}

static void codex_close_state(void *at)
{
    struct codex_state *state = at;
    if (!state)
        return;
    mem_free(state->turns);
    mem_free(state->undone);
    mem_free(state);
}

/* ---- turns: what the person asked, and all that came of it ---- */

static void codex_turn_begins(struct codex_state *state)
{
    state->turns =
        mem_one_more(state->turns, state->turn_count, &state->turn_size, sizeof *state->turns);
    state->turns[state->turn_count++] = ++state->last;
    if (state->last >= state->undone_size) {
        size_t size = state->undone_size ? state->undone_size * 2 : 64;
        state->undone = mem_resize(state->undone, size * sizeof *state->undone);
        memset(state->undone + state->undone_size, 0, size - state->undone_size);
        state->undone_size = size;
    }
}

static void codex_turns_undone(struct codex_state *state, struct span number)
{
    unsigned long long count = 0;
    for (span_to_u64(number, &count); count && state->turn_count; count--)
        state->undone[state->turns[--state->turn_count]] = true;
}

static uint32_t codex_turn(const struct codex_state *state)
{
    return state->turn_count ? state->turns[state->turn_count - 1] : 0;
}

static bool codex_abandoned(void *at, uint32_t node)
{
    const struct codex_state *state = at;
    return node && node < state->undone_size && state->undone[node];
}

static void codex_keep(char *into, size_t *len, const char *front, struct span text)
{
    size_t at = strlen(front);
    memcpy(into, front, at);
    text = span_sub(text, 0, CODEX_NAME_SIZE - at);
    memcpy(into + at, text.at, text.len);
    *len = at + text.len;
}

static struct span codex_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

static struct span text_member(struct span object, const char *name, struct arena *arena)
{
    return pick_string(codex_member(object, name), arena);
}

static bool codex_ends_with(struct span type, const char *word)
{
    return span_ends_with(type, span_of(word));
}

/* ---- calls as the server saw them ---- */

static void server_call(struct outlet *out, struct span call, struct span id,
                        const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span arguments = codex_member(call, "arguments");
    struct record *record =
        talk_value(out, RECORD_CALL, arguments.at ? arguments : span_sub(call, 0, 0), base);
    record->server = text_member(call, "server", arena);
    record->tool = text_member(call, "tool", arena);
    record->call_id = id;
    record->server_side = true;
}

static void server_result(struct outlet *out, struct span result, struct span id, bool failed,
                          const struct record *base)
{
    struct record *record = talk_value(out, RECORD_RESULT, result, base);
    record->call_id = id;
    record->is_error = failed || pick_true(codex_member(result, "isError"));
    record->server_side = true;
}

/* The host's own error, in the place of an answer. */
static void codex_error(struct outlet *out, struct span error, struct span id,
                        const struct record *base)
{
    struct span message = codex_member(error, "message");
    struct span text = pick_string(message.at ? message : error, outlet_arena(out));
    server_result(out, error, id, true, base);
    out->records[out->count - 1].refused = talk_tells_refusal(text);
}

static bool is_there(struct span value)
{
    return value.at && !span_is(value, "null");
}

/* {type: "McpToolCall" | "mcp_tool_call", id, server, tool, arguments, result, error, status} */
static void call_item(struct outlet *out, struct span item, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span id = text_member(item, "id", arena), result = codex_member(item, "result");
    struct span error = codex_member(item, "error");
    bool failed = span_is(text_member(item, "status", arena), "failed");
    server_call(out, item, id, base);
    if (is_there(result))
        server_result(out, result, id, failed, base);
    else if (is_there(error))
        codex_error(out, error, id, base);
}

/* mcp_tool_call_begin and _end: {call_id, invocation: {…}, result: {Ok | Err}} */
static void call_event(struct outlet *out, struct span payload, bool end, const struct record *base)
{
    struct span id = text_member(payload, "call_id", outlet_arena(out));
    struct span result = codex_member(payload, "result"), ok = codex_member(result, "Ok");
    server_call(out, codex_member(payload, "invocation"), id, base);
    struct span failure = codex_member(result, "Err");
    if (end && failure.at && !ok.at)
        codex_error(out, failure, id, base);
    else if (end && result.at)
        server_result(out, ok.at ? ok : result, id, !ok.at, base);
}

/* ---- items of the conversation ---- */

static bool is_host_made(struct span text)
{
    static const char *const fronts[] = {"<environment_context>", "<user_instructions>",
                                         "<permissions", "# AGENTS.md"};
    for (size_t i = 0; i < COUNT_OF(fronts); i++)
        if (span_starts_with(text, span_of(fronts[i])))
            return true;
    return false;
}

static void model_call(struct outlet *out, struct span item, const struct record *base)
{
    static const char *const bodies[] = {"arguments", "input", "action"};
    struct arena *arena = outlet_arena(out);
    struct span body = {0}, name = text_member(item, "name", arena);
    for (size_t i = 0; !body.at && i < COUNT_OF(bodies); i++)
        body = codex_member(item, bodies[i]);
    struct record *record = talk_value(out, RECORD_CALL, body.at ? body : item, base);
    struct span space = text_member(item, "namespace", arena),
                type = text_member(item, "type", arena);
    record->call_id = text_member(item, "call_id", arena);
    if (!record->call_id.len)
        record->call_id = text_member(item, "id", arena);
    record->tool = name.len ? name : type;
    if (span_starts_with(space, SPAN("mcp__")))
        record->server = span_sub(space, 5, space.len);
    else if (!talk_tool_name(name, &record->server, &record->tool))
        talk_split_name(name.len ? name : type, "", "__", &record->server, &record->tool);
}

/* The host cuts the middle out of what it shows to the model, and says so there. */
static bool codex_tells_cut(struct span output)
{
    static const char *const marks[] = {" tokens truncated\u2026", " chars truncated\u2026",
                                        "\\n[... omitted "};
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (span_find(output, span_of(marks[i])) < output.len)
            return true;
    return false;
}

static void shown_result(struct outlet *out, struct span item, const struct record *base)
{
    struct span output = codex_member(item, "output");
    struct record *record = talk_value(out, RECORD_RESULT, output.at ? output : item, base);
    record->call_id = text_member(item, "call_id", outlet_arena(out));
    record->truncated = codex_tells_cut(output);
    record->refused = talk_tells_refusal(pick_string(output, outlet_arena(out)));
    record->is_error = record->refused;
}

/* exec_approval_request, apply_patch_approval_request: the person is asked. Where the command then
 * begins, the answer was yes; a no is the call's result. */
static void approval_event(struct codex_state *state, struct outlet *out, struct span payload,
                           struct span type, const struct record *base)
{
    struct record event = *base;
    event.call_id = text_member(payload, "call_id", outlet_arena(out));
    if (codex_ends_with(type, "_approval_request")) {
        if (event.call_id.len)
            state->asked[state->asked_count++ % CODEX_ASKED] = hash_of(event.call_id);
    } else if (span_is(type, "exec_command_begin") || span_is(type, "patch_apply_begin")) {
        for (size_t i = 0; event.call_id.len && i < CODEX_ASKED && i < state->asked_count; i++)
            if (state->asked[i] == hash_of(event.call_id))
                event.decision = DECISION_APPROVED;
    }
    talk_other(out, payload, type, &event);
}

/* Of the person; what the host puts in their name begins no turn. */
static bool codex_is_asked(const struct outlet *out)
{
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].kind == RECORD_PROMPT && !out->records[i].system)
            return true;
    return false;
}

static void response_item(struct codex_state *state, struct outlet *out, struct span item,
                          struct span type, const struct record *base)
{
    if (span_is(type, "message") || (!type.len && codex_member(item, "role").at)) {
        talk_message(out, item, base);
        for (size_t i = 0; i < out->count; i++)
            if (out->records[i].kind == RECORD_PROMPT && is_host_made(out->records[i].payload))
                out->records[i].system = true;
        if (codex_is_asked(out)) {
            codex_turn_begins(state);
            for (size_t i = 0; i < out->count; i++)
                out->records[i].node = codex_turn(state);
        }
    } else if (codex_ends_with(type, "_call_output")) {
        shown_result(out, item, base);
    } else if (codex_ends_with(type, "_call")) {
        model_call(out, item, base);
    } else if (span_is(type, "reasoning")) {
        outlet_noise(out, "thinking");
    } else {
        talk_other(out, item, type, base);
    }
}

/* ---- lines ---- */

static void event_message(struct codex_state *state, struct outlet *out, struct span payload,
                          struct span type, const struct record *base)
{
    static const char *const repeats[] = {"user_message", "agent_message", "agent_reasoning",
                                          "item_started"};
    static const char *const accounts[] = {"token_count", "task_started", "task_complete"};
    struct span item = codex_member(payload, "item");
    struct span item_type = text_member(item, "type", outlet_arena(out));
    if (span_is(type, "item_completed") && span_is(item_type, "McpToolCall")) {
        call_item(out, item, base);
        return;
    }
    if (span_is(type, "thread_rolled_back"))
        codex_turns_undone(state, codex_member(payload, "num_turns"));
    if (span_starts_with(type, SPAN("mcp_tool_call_"))) {
        call_event(out, payload, span_is(type, "mcp_tool_call_end"), base);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(repeats); i++)
        if (span_is(type, repeats[i]) || span_is(item_type, "UserMessage") ||
            span_is(item_type, "AgentMessage")) {
            outlet_noise(out, "repeated");
            return;
        }
    for (size_t i = 0; i < COUNT_OF(accounts); i++)
        if (span_is(type, accounts[i])) {
            outlet_noise(out, "progress");
            return;
        }
    approval_event(state, out, payload, type, base);
}

static void session_meta(struct codex_state *state, struct outlet *out, struct span payload,
                         const struct record *line_base)
{
    struct arena *arena = outlet_arena(out);
    struct span id = text_member(payload, "id", arena),
                instructions = codex_member(payload, "instructions");
    if (state->headed) { /* a session that was forked off holds the head of the other one too */
        talk_other(out, payload, SPAN("session_meta"), line_base);
        return;
    }
    state->headed = id.len;
    codex_keep(state->session, &state->session_len, "", id);
    codex_keep(state->host, &state->host_len, "codex ", text_member(payload, "cli_version", arena));
    struct record base = *line_base;
    base.session = (struct span){state->session, state->session_len};
    base.host = span_trim((struct span){state->host, state->host_len});
    struct span given = codex_member(codex_member(payload, "base_instructions"), "text");
    if (!given.at)
        given = instructions;
    if (jsonr_is_string(given))
        talk_value(out, RECORD_PROMPT, given, &base)->system = true;
    else
        talk_other(out, payload, SPAN("session_meta"), &base);
}

static void compacted(struct outlet *out, struct span payload, const struct record *base)
{
    struct span message = codex_member(payload, "message");
    struct record *record = talk_value(out, RECORD_RESET, span_sub(payload, 0, 0), base);
    record->compaction = true;
    if (jsonr_is_string(message) && message.len > 2)
        talk_value(out, RECORD_ASSISTANT, message, base);
}

enum {
    CODEX_TYPE,
    PAYLOAD,
    CODEX_TIME,
    ITEM,
    THREAD,
    CODEX_ID,
    CODEX_ROLE,
    RECORD_TYPE,
    CODEX_MEMBERS
};
static const char *const codex_names[CODEX_MEMBERS] = {
    "type", "payload", "timestamp", "item", "thread_id", "id", "role", "record_type",
};

/* `codex exec --json`: thread.started, item.started, item.completed, turn.… */
static bool exec_line(struct codex_state *state, struct outlet *out, const struct span *m,
                      struct span type, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    if (span_is(type, "thread.started")) {
        codex_keep(state->session, &state->session_len, "", pick_string(m[THREAD], arena));
        codex_keep(state->host, &state->host_len, "codex", SPAN_EMPTY);
        outlet_noise(out, "progress");
        return true;
    }
    if (!span_starts_with(type, SPAN("item.")) || !m[ITEM].at) {
        bool turn = span_starts_with(type, SPAN("turn."));
        if (turn)
            outlet_noise(out, "progress");
        return turn;
    }
    struct span kind = text_member(m[ITEM], "type", arena);
    struct span text = codex_member(m[ITEM], "text");
    bool completed = span_is(type, "item.completed");
    if (span_is(kind, "mcp_tool_call"))
        call_item(out, m[ITEM], base);
    else if (!completed || span_is(kind, "reasoning"))
        outlet_noise(out, "progress");
    else if (span_is(kind, "agent_message") && jsonr_is_string(text))
        talk_value(out, RECORD_ASSISTANT, text, base);
    else
        talk_other(out, m[ITEM], kind, base);
    return true;
}

static void codex_read_line(void *at, const struct unit *unit, struct outlet *out)
{
    struct codex_state *state = at;
    struct span m[CODEX_MEMBERS], line = span_trim(unit->text);
    if (!pick_unit(unit, out, codex_names, m, CODEX_MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    struct span type = pick_string(m[CODEX_TYPE], arena);
    struct record base = {.time_digits = -1, .rpc_type = type};
    pick_time(m[CODEX_TIME], &base);
    base.session = (struct span){state->session, state->session_len};
    base.host = span_trim((struct span){state->host, state->host_len});
    base.node = codex_turn(state);
    struct span inner = text_member(m[PAYLOAD], "type", arena);
    if (exec_line(state, out, m, type, &base))
        return;
    if (span_is(type, "session_meta"))
        session_meta(state, out, m[PAYLOAD], &base);
    else if (span_is(type, "response_item"))
        response_item(state, out, m[PAYLOAD], inner, &base);
    else if (span_is(type, "event_msg"))
        event_message(state, out, m[PAYLOAD], inner, &base);
    else if (span_is(type, "compacted"))
        compacted(out, m[PAYLOAD], &base);
    else if (!m[PAYLOAD].at && !m[CODEX_TYPE].at && m[CODEX_ID].at &&
             m[CODEX_TIME].at) /* the first era's head */
        session_meta(state, out, line, &base);
    else if (!m[PAYLOAD].at && (m[CODEX_ROLE].at || codex_ends_with(type, "_call") ||
                                codex_ends_with(type, "_call_output") || span_is(type, "message")))
        response_item(state, out, line, type, &base);
    else if (m[RECORD_TYPE].at || span_is(type, "token_usage_record"))
        outlet_noise(out, "progress");
    else
        talk_other(out, line, type, &base);
    if (!out->count && !out->noise && !out->bad)
        outlet_noise(out, "empty");
}

/* ---- probe ---- */

static bool codex_is_line(struct span line)
{
    static const char *const wrapped[] = {"timestamp", "type", "payload", NULL};
    static const char *const head[] = {"id", "timestamp", "instructions", NULL};
    static const char *const types[] = {"thread.started", "item.started", "item.completed",
                                        "turn.started", "turn.completed"};
    struct span value, type;
    if (!jsonr_is_object(line))
        return false;
    if (object_has(line, wrapped) || object_has(line, head))
        return true;
    if (!jsonr_member(line, "type", &value) || !jsonr_plain_string(value, &type))
        return false;
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (span_is(type, types[i]))
            return true;
    return span_is(type, "function_call_output") || span_is(type, "function_call");
}

static void codex_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, codex_is_line), 94,
                "have the type and payload of Codex's rollouts");
}

static const char *const codex_cannot_show[] = {
    "annotations (_meta) of results in rollouts older than mcp_tool_call_end",
    "definitions and hints of tools",
    "approvals, where the events of asking were not kept",
    NULL,
};

static const char *const codex_places[] = {
    "${CODEX_HOME:-~/.codex}/sessions/*/*/*/rollout-*.jsonl",
    "${CODEX_HOME:-~/.codex}/archived_sessions/rollout-*.jsonl",
    NULL,
};

const struct reader reader_codex = {
    .name = "codex",
    .title = "Codex CLI's rollouts and `codex exec --json`",
    .places = codex_places,
    .cannot_show = codex_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = codex_probe,
    .open = codex_open_state,
    .read = codex_read_line,
    .abandoned = codex_abandoned,
    .close = codex_close_state,
};
