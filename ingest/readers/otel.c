/*
 * OpenTelemetry: OTLP/JSON exports of logs and traces, one a line or
 * pretty-printed, and what the SDKs' console exporters print: a span or a log
 * record as an object of its own, back to back. Tool calls are told by attributes (semantic
 * conventions for generative AI and MCP, and those of agents before them); their content is opt-in,
 * so that many exports hold names only.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/otel_messages.h"
#include "ingest/readers/readers.h"
#include "ingest/repeats.h"
#include "ingest/talk.h"

enum attribute {
    A_EVENT,
    A_TOOL,
    A_SPACE,
    A_SERVER,
    A_ARGUMENTS,
    A_RESULT,
    A_CALL,
    A_SESSION,
    A_PROMPT,
    A_SUCCESS,
    A_CUT,
    A_METHOD,
    A_DECISION,
    A_SOURCE,
    A_OPERATION,
    A_SPAN_KIND,
    A_INPUT,
    A_OUTPUT,
    A_GIVEN,
    A_SYSTEM,
    A_ANSWERED,
    A_COUNT
};

static const struct {
    const char *name;
    enum attribute attribute;
} attributes[] = {
    {"event.name", A_EVENT},
    {"gen_ai.tool.name", A_TOOL},
    {"tool_name", A_TOOL},
    {"tool.name", A_TOOL},
    {"tool_namespace", A_SPACE},
    {"mcp.server.name", A_SERVER},
    {"mcp_server", A_SERVER},
    {"mcp_server_name", A_SERVER},
    {"gen_ai.tool.call.arguments", A_ARGUMENTS},
    {"arguments", A_ARGUMENTS},
    {"tool_parameters", A_ARGUMENTS},
    {"tool_input", A_ARGUMENTS},
    {"gen_ai.tool.call.result", A_RESULT},
    {"output", A_RESULT},
    {"gen_ai.tool.call.id", A_CALL},
    {"call_id", A_CALL},
    {"tool.call_id", A_CALL},
    {"jsonrpc.request.id", A_CALL},
    {"conversation.id", A_SESSION},
    {"gen_ai.conversation.id", A_SESSION},
    {"session.id", A_SESSION},
    {"mcp.session.id", A_SESSION},
    {"prompt", A_PROMPT},
    {"success", A_SUCCESS},
    {"output_truncated", A_CUT},
    {"mcp.method.name", A_METHOD},
    {"rpc.method", A_METHOD},
    {"tool_use_id", A_CALL},
    {"decision", A_DECISION},
    {"source", A_SOURCE},
    {"decision_source", A_SOURCE},
    {"gen_ai.operation.name", A_OPERATION},
    {"openinference.span.kind", A_SPAN_KIND},
    {"traceloop.span.kind", A_SPAN_KIND},
    {"input.value", A_INPUT},
    {"traceloop.entity.input", A_INPUT},
    {"output.value", A_OUTPUT},
    {"traceloop.entity.output", A_OUTPUT},
    {"traceloop.entity.name", A_TOOL},
    {"tool_call.id", A_CALL},
    {"gen_ai.input.messages", A_GIVEN},
    {"gen_ai.system_instructions", A_SYSTEM},
    {"gen_ai.output.messages", A_ANSWERED},
};

struct otel_state {
    struct repeats repeats;
    struct asked asked;
    struct flat flat; /* of the span that is read */
};

static void *otel_open_state(struct span path)
{
    (void)path;
    return NEW(struct otel_state);
}

static void otel_close_state(void *at)
{
    struct otel_state *state = at;
    if (!state)
        return;
    repeats_finish(&state->repeats);
    flat_finish(&state->flat);
    mem_free(state);
}

static struct span otel_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* {stringValue | boolValue | intValue | …}: the value as it is written. */
static struct span value_of(struct span any)
{
    struct jsonr_items items;
    if (!jsonr_is_object(any))
        return (struct span){0};
    jsonr_items_init(&items, any);
    return jsonr_items_next(&items) ? items.value : (struct span){0};
}

static void put_attribute(struct flat *flat, struct span *a, struct span key, struct span value)
{
    if (flat_take(flat, key, value))
        return;
    for (size_t i = 0; i < COUNT_OF(attributes); i++)
        if (span_is(key, attributes[i].name))
            a[attributes[i].attribute] = value;
}

/* OTLP has an array of {key, value: {stringValue: …}}, the SDKs an object. */
static void read_attributes(struct flat *flat, struct span value, struct span *a,
                            struct arena *arena)
{
    struct jsonr_items items;
    memset(a, 0, A_COUNT * sizeof *a);
    flat->count = 0;
    if (!jsonr_is_array(value) && !jsonr_is_object(value))
        return;
    bool plain = jsonr_is_object(value);
    for (jsonr_items_init(&items, value); jsonr_items_next(&items);)
        if (plain)
            put_attribute(flat, a, items.name, items.value);
        else
            put_attribute(flat, a, pick_string(otel_member(items.value, "key"), arena),
                          value_of(otel_member(items.value, "value")));
}

/* A time of OTLP, of the SDK of Python (text), or of JavaScript: [seconds, nanoseconds]. */
static void otel_time(struct span value, struct record *record)
{
    struct jsonr_items items;
    int64_t seconds, part, ns;
    if (!jsonr_is_array(value)) {
        if (!span_is(value, "\"0\""))
            pick_time(value, record);
        return;
    }
    jsonr_items_init(&items, value);
    if (!jsonr_items_next(&items) || !jsonr_int(items.value, &seconds) ||
        !jsonr_items_next(&items) || !jsonr_int(items.value, &part) || part < 0 ||
        part >= 1000000000 || __builtin_mul_overflow(seconds, (int64_t)1000000000, &ns) ||
        __builtin_add_overflow(ns, part, &ns))
        return;
    record->time_ns = ns;
    record->time_digits = 9;
}

static void otel_tool_call(struct otel_state *state, struct outlet *out, const struct span *a,
                           const struct record *base, const struct record *end, bool ended)
{
    struct arena *arena = outlet_arena(out);
    struct span tool = pick_string(a[A_TOOL], arena), space = pick_string(a[A_SPACE], arena);
    struct record *record = talk_value(
        out, RECORD_CALL, a[A_ARGUMENTS].at ? a[A_ARGUMENTS] : span_sub(a[A_TOOL], 0, 0), base);
    record->call_id = pick_string(a[A_CALL], arena);
    if (!talk_tool_name(tool, &record->server, &record->tool) &&
        span_starts_with(space, SPAN("mcp__")))
        record->server = span_sub(space, 5, space.len);
    if (a[A_SERVER].at)
        record->server = pick_string(a[A_SERVER], arena);
    bool asked = record->server_side = asked_take(&state->asked, record, arena);
    struct span id = record->call_id, success = pick_string(a[A_SUCCESS], arena);
    bool failed = span_is(success, "false") || span_is(a[A_SUCCESS], "false");
    if (!a[A_RESULT].at && !ended)
        return;
    /* A span that ended was answered, also where the answer was not recorded. */
    record = talk_value(out, RECORD_RESULT,
                        a[A_RESULT].at ? a[A_RESULT] : span_sub(a[A_TOOL], 0, 0), end);
    record->call_id = id;
    record->is_error = failed;
    record->server_side = asked;
    record->truncated = pick_true(a[A_CUT]);
}

/* What a model was given, and what it answered. */
static void otel_model(struct otel_state *state, struct outlet *out, const struct span *a,
                       const struct record *base, const struct record *end)
{
    size_t first = out->count;
    if (a[A_SYSTEM].at) {
        otel_tell_messages(out, a[A_SYSTEM], base);
        for (size_t i = first; i < out->count; i++)
            out->records[i].system = true;
    }
    if (a[A_GIVEN].at)
        otel_tell_messages(out, a[A_GIVEN], base);
    flat_tell(&state->flat, true, out, base);
    repeats_drop(&state->repeats, out, first, true);
    first = out->count;
    if (a[A_ANSWERED].at)
        otel_tell_messages(out, a[A_ANSWERED], end);
    flat_tell(&state->flat, false, out, end);
    repeats_drop(&state->repeats, out, first, false);
    asked_note(&state->asked, out, first);
}

static void otel_event(struct otel_state *state, struct outlet *out, struct span body,
                       const struct record *base)
{
    size_t first = out->count;
    bool input;
    if (!otel_tell_event(out, base->rpc_type, body, &input, base))
        return;
    repeats_drop(&state->repeats, out, first, input);
    if (!input)
        asked_note(&state->asked, out, first);
}

/* OpenInference and OpenLLMetry have one name for what any span was given and gave. */
static void otel_name_values(struct span *a, struct arena *arena)
{
    struct span kind = pick_string(a[A_SPAN_KIND], arena);
    if (!span_equal_nocase(kind, SPAN("tool")))
        return;
    a[A_ARGUMENTS] = a[A_ARGUMENTS].at ? a[A_ARGUMENTS] : a[A_INPUT];
    a[A_RESULT] = a[A_RESULT].at ? a[A_RESULT] : a[A_OUTPUT];
    a[A_OPERATION] = SPAN("\"execute_tool\"");
}

/* "codex.tool_decision", "claude_code.tool_decision": who let a call be made, or stopped it. A yes
 * of the configuration is no person's. */
static void otel_decision(struct outlet *out, const struct span *a, struct span item,
                          const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span decision = pick_string(a[A_DECISION], arena);
    struct span source = pick_string(a[A_SOURCE], arena);
    bool yes =
        span_starts_with(decision, SPAN("accept")) || span_starts_with(decision, SPAN("approved"));
    bool person = span_equal_nocase(span_sub(source, 0, 4), SPAN("user"));
    struct record event = *base;
    event.call_id = pick_string(a[A_CALL], arena);
    event.decision = !yes ? DECISION_REFUSED : person ? DECISION_APPROVED : DECISION_NONE;
    talk_other(out, item, base->rpc_type, &event);
}

enum otel_kind { OTEL_OTLP, OTEL_SDK, OTEL_JS };

/* A log record or a span. */
static void otel_take_item(struct otel_state *state, struct outlet *out, struct span item,
                           enum otel_kind kind)
{
    enum {
        ATTRIBUTES,
        OBSERVED,
        OTEL_TIME,
        START,
        END,
        OTEL_NAME,
        EVENT_NAME,
        OTEL_BODY,
        OTEL_MEMBERS
    };
    static const char *const names[] = {"attributes",      "observedTimeUnixNano",
                                        "timeUnixNano",    "startTimeUnixNano",
                                        "endTimeUnixNano", "name",
                                        "eventName",       "body"};
    static const char *const sdk_names[] = {
        "attributes", "observed_timestamp", "timestamp", "start_time", "end_time",
        "name",       "event_name",         "body"};
    static const char *const js_names[] = {"attributes", "hrTimeObserved", "hrTime",    "startTime",
                                           "endTime",    "name",           "eventName", "body"};
    static const char *const *const kinds[] = {names, sdk_names, js_names};
    struct arena *arena = outlet_arena(out);
    struct span m[OTEL_MEMBERS], a[A_COUNT];
    pick(item, kinds[kind], m, OTEL_MEMBERS);
    read_attributes(&state->flat, m[ATTRIBUTES], a, arena);
    otel_name_values(a, arena);
    struct record base = {.time_digits = -1, .host = SPAN("opentelemetry")};
    base.rpc_type = pick_string(a[A_EVENT].at      ? a[A_EVENT]
                                : m[EVENT_NAME].at ? m[EVENT_NAME]
                                                   : m[OTEL_NAME],
                                arena);
    base.session = pick_string(a[A_SESSION], arena);
    otel_time(m[OBSERVED], &base);
    otel_time(m[OTEL_TIME], &base);
    otel_time(m[START], &base);
    struct record end = base;
    otel_time(m[END], &end);
    bool called = span_is(pick_string(a[A_METHOD], arena), "tools/call") ||
                  span_is(pick_string(a[A_OPERATION], arena), "execute_tool");
    if (jsonr_is_string(a[A_DECISION]) && span_ends_with(base.rpc_type, SPAN("tool_decision")))
        otel_decision(out, a, item, &base);
    else if (a[A_TOOL].at && (a[A_ARGUMENTS].at || a[A_RESULT].at || called))
        otel_tool_call(state, out, a, &base, &end, m[END].at);
    else if (jsonr_is_string(a[A_PROMPT]))
        talk_value(out, RECORD_PROMPT, a[A_PROMPT], &base);
    else if (jsonr_is_object(m[OTEL_BODY]) && span_starts_with(base.rpc_type, SPAN("gen_ai.")))
        otel_event(state, out, m[OTEL_BODY], &base);
    else
        otel_model(state, out, a, &base, &end);
}

static void each(struct otel_state *state, struct outlet *out, struct span array)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return;
    for (jsonr_items_init(&items, array); jsonr_items_next(&items);)
        otel_take_item(state, out, items.value, OTEL_OTLP);
}

static void each_scope(struct otel_state *state, struct outlet *out, struct span array,
                       const char *inner)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return;
    for (jsonr_items_init(&items, array); jsonr_items_next(&items);)
        each(state, out, otel_member(items.value, inner));
}

static void each_resource(struct otel_state *state, struct outlet *out, struct span array,
                          const char *scopes, const char *inner)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return;
    for (jsonr_items_init(&items, array); jsonr_items_next(&items);)
        each_scope(state, out, otel_member(items.value, scopes), inner);
}

/* What an SDK printed on the console: a span, or a log record. */
static bool is_printed(struct span value, enum otel_kind *kind)
{
    static const struct {
        const char *const names[3];
        enum otel_kind kind;
    } shapes[] = {
        {{"_spanContext", "attributes", NULL}, OTEL_JS},
        {{"hrTime", "attributes", NULL}, OTEL_JS},
        {{"start_time", "attributes", NULL}, OTEL_SDK},
        {{"observed_timestamp", "attributes", NULL}, OTEL_SDK},
    };
    for (size_t i = 0; i < COUNT_OF(shapes) && jsonr_is_object(value); i++)
        if (object_has(value, shapes[i].names)) {
            *kind = shapes[i].kind;
            return true;
        }
    return false;
}

static void read_export(void *at, const struct unit *unit, struct outlet *out)
{
    enum { LOGS, SPANS, OTEL_MEMBERS };
    static const char *const names[] = {"resourceLogs", "resourceSpans"};
    struct span m[OTEL_MEMBERS];
    enum otel_kind kind;
    struct otel_state *state = at;
    if (!pick_unit(unit, out, names, m, OTEL_MEMBERS))
        return;
    each_resource(state, out, m[LOGS], "scopeLogs", "logRecords");
    each_resource(state, out, m[SPANS], "scopeSpans", "spans");
    if (!m[LOGS].at && !m[SPANS].at && is_printed(span_trim(unit->text), &kind))
        otel_take_item(state, out, span_trim(unit->text), kind);
    if (!out->count)
        outlet_noise(out, "telemetry");
}

static bool is_export(struct span value)
{
    struct span inner;
    enum otel_kind kind;
    return jsonr_is_object(value) &&
           (jsonr_member(value, "resourceLogs", &inner) ||
            jsonr_member(value, "resourceSpans", &inner) || is_printed(value, &kind));
}

static void otel_probe(struct probe *p)
{
    probe_count(p, probe_values(p, is_export), 94,
                "are OTLP exports of logs or traces, or spans that an SDK printed");
}

static const char *const otel_cannot_show[] = {
    "arguments and results, where the content was not opted in",
    "annotations (_meta), definitions and hints of tools",
    "calls that were not sampled",
    NULL,
};

const struct reader reader_otel = {
    .name = "otlp",
    .title = "OpenTelemetry logs and traces (OTLP/JSON, and what SDKs print)",
    .cannot_show = otel_cannot_show,
    .framing = FRAME_VALUES,
    .transcript = true,
    .probe = otel_probe,
    .open = otel_open_state,
    .read = read_export,
    .close = otel_close_state,
};
