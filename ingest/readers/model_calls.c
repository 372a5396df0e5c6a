/*
 * Logs of a model's calls, a request and its response each: LiteLLM's StandardLoggingPayload (which
 * tells calls of MCP tools, too), what proxies and wrappers of the APIs of OpenAI and Anthropic
 * write. A request repeats all that came before; of that only the new is told.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/repeats.h"
#include "ingest/talk.h"

enum {
    MC_MESSAGES,
    MC_INPUT,
    MC_SYSTEM,
    MC_REQUEST,
    MC_BODY,
    MC_RESPONSE,
    MC_CHOICES,
    MC_CONTENT,
    MC_OUTPUT,
    MC_START,
    MC_END,
    MC_TIME,
    MC_TRACE,
    MC_SESSION,
    MC_METADATA,
    MC_STATUS,
    MC_MEMBERS
};
static const char *const model_calls_names[MC_MEMBERS] = {
    "messages", "input",      "system",   "request",   "body",    "response",
    "choices",  "content",    "output",   "startTime", "endTime", "timestamp",
    "trace_id", "session_id", "metadata", "status",
};

struct model_calls_state {
    struct repeats repeats;
    struct asked asked;
};

static void *model_calls_open(struct span path)
{
    (void)path;
    return NEW(struct model_calls_state);
}

static void model_calls_close(void *at)
{
    struct model_calls_state *state = at;
    if (state)
        repeats_finish(&state->repeats);
    mem_free(state);
}

static struct span model_calls_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_is_object(object) && jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* The object itself, or what stands in its "body". */
static struct span model_calls_body(struct span object)
{
    struct span body = model_calls_member(object, "body");
    return jsonr_is_object(body) ? body : object;
}

static void model_calls_messages(struct outlet *out, struct span array, const struct record *base)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array)) {
        talk_content(out, array, SPEAKER_USER, base);
        return;
    }
    for (jsonr_items_init(&items, array); jsonr_items_next(&items);)
        talk_message(out, items.value, base);
}

static void model_calls_given(struct model_calls_state *state, struct outlet *out,
                              struct span request, const struct record *base)
{
    struct span m[MC_MEMBERS];
    size_t first = out->count;
    pick(request, model_calls_names, m, MC_MEMBERS);
    talk_content(out, m[MC_SYSTEM], SPEAKER_SYSTEM, base);
    model_calls_messages(out, m[MC_MESSAGES].at ? m[MC_MESSAGES] : m[MC_INPUT], base);
    repeats_drop(&state->repeats, out, first, true);
}

/* {choices: [{message}]}, {role, content: […]} or {output: […]}. */
static void model_calls_answered(struct model_calls_state *state, struct outlet *out,
                                 struct span response, const struct record *base)
{
    struct span m[MC_MEMBERS];
    struct jsonr_items items;
    size_t first = out->count;
    pick(response, model_calls_names, m, MC_MEMBERS);
    if (jsonr_is_array(m[MC_CHOICES])) {
        jsonr_items_init(&items, m[MC_CHOICES]);
        if (jsonr_items_next(&items))
            talk_message(out, model_calls_member(items.value, "message"), base);
    } else if (jsonr_is_array(m[MC_OUTPUT])) {
        model_calls_messages(out, m[MC_OUTPUT], base);
    } else {
        talk_content(out, m[MC_CONTENT], SPEAKER_ASSISTANT, base);
    }
    repeats_drop(&state->repeats, out, first, false);
    asked_note(&state->asked, out, first);
}

/* LiteLLM made the call itself: {name, arguments, mcp_server_name}. */
static void model_calls_tool(struct model_calls_state *state, struct outlet *out, struct span call,
                             const struct span *m, const struct record *base,
                             const struct record *end)
{
    enum { T_NAME, T_ARGUMENTS, T_SERVER, T_COUNT };
    static const char *const names[T_COUNT] = {"name", "arguments", "mcp_server_name"};
    struct arena *arena = outlet_arena(out);
    struct span t[T_COUNT];
    pick(call, names, t, T_COUNT);
    struct record *record = talk_value(
        out, RECORD_CALL, t[T_ARGUMENTS].at ? t[T_ARGUMENTS] : span_sub(call, 0, 0), base);
    record->tool = pick_string(t[T_NAME], arena);
    record->server = pick_string(t[T_SERVER], arena);
    bool asked = record->server_side = asked_take(&state->asked, record, arena);
    struct span id = record->call_id;
    bool failed = span_is(m[MC_STATUS], "\"failure\"");
    if (!m[MC_RESPONSE].at && !failed)
        return;
    struct span text = m[MC_RESPONSE].at ? m[MC_RESPONSE] : span_sub(call, 0, 0);
    record = talk_value(out, RECORD_RESULT, text, end);
    record->call_id = id;
    record->server_side = asked;
    record->is_error = failed;
}

static void model_calls_read(void *at, const struct unit *unit, struct outlet *out)
{
    struct model_calls_state *state = at;
    struct arena *arena = outlet_arena(out);
    struct span m[MC_MEMBERS];
    if (!pick_unit(unit, out, model_calls_names, m, MC_MEMBERS))
        return;
    struct record base = {.time_digits = -1, .rpc_type = SPAN("model call")};
    base.session = pick_string(m[MC_SESSION].at ? m[MC_SESSION] : m[MC_TRACE], arena);
    pick_time(m[MC_START].at ? m[MC_START] : m[MC_TIME], &base);
    struct record end = base;
    pick_time(m[MC_END], &end);
    struct span call = model_calls_member(m[MC_METADATA], "mcp_tool_call_metadata");
    if (jsonr_is_object(call)) {
        model_calls_tool(state, out, call, m, &base, &end);
    } else {
        struct span request = jsonr_is_object(m[MC_REQUEST]) ? model_calls_body(m[MC_REQUEST])
                                                             : span_trim(unit->text);
        model_calls_given(state, out, request, &base);
        model_calls_answered(state, out, model_calls_body(m[MC_RESPONSE]), &end);
    }
    if (!out->count)
        outlet_noise(out, "repeated");
}

/* ---- probe ---- */

static bool model_calls_is_line(struct span line)
{
    struct span m[MC_MEMBERS];
    if (!jsonr_is_object(line))
        return false;
    pick(line, model_calls_names, m, MC_MEMBERS);
    if (model_calls_member(m[MC_METADATA], "mcp_tool_call_metadata").at)
        return true;
    struct span request = jsonr_is_object(m[MC_REQUEST]) ? model_calls_body(m[MC_REQUEST]) : line;
    struct span response = model_calls_body(m[MC_RESPONSE]), given, answered;
    return (jsonr_member(request, "messages", &given) || jsonr_member(request, "input", &given)) &&
           (jsonr_is_array(given) || jsonr_is_string(given)) && jsonr_is_object(response) &&
           (jsonr_member(response, "choices", &answered) ||
            jsonr_member(response, "content", &answered) ||
            jsonr_member(response, "output", &answered)) &&
           jsonr_is_array(answered);
}

static void model_calls_probe(struct probe *p)
{
    probe_count(p, probe_values(p, model_calls_is_line), 88,
                "are a request to a model and its response, or a call of LiteLLM's");
}

static const char *const model_calls_cannot_show[] = {
    "annotations (_meta), and hints of tools",
    "which server a tool belongs to, but where the proxy made the call",
    "which requests are one conversation, where they have no id in common",
    "approvals of the person",
    NULL,
};

const struct reader reader_model_calls = {
    .name = "model-calls",
    .title = "requests to a model with their responses, as LiteLLM and other proxies log them",
    .cannot_show = model_calls_cannot_show,
    .framing = FRAME_VALUES,
    .transcript = true,
    .probe = model_calls_probe,
    .open = model_calls_open,
    .read = model_calls_read,
    .close = model_calls_close,
};
