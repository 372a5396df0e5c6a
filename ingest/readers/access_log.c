/*
 * Access logs of gateways that know MCP: agentgateway's lines of name=value, and the
 * JSON of Envoy's AI gateway; and Envoy's own text, which knows HTTP alone. They say
 * that a tool was called and how it ended, and nothing of what was said.
 */
#include "base/timefmt.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum access_field {
    ACCESS_METHOD,
    ACCESS_TOOL,
    ACCESS_SERVER,
    ACCESS_SESSION,
    ACCESS_ID,
    ACCESS_STATUS,
    ACCESS_DURATION,
    ACCESS_TIME,
    ACCESS_ERROR,
    ACCESS_FIELDS
};

static const struct {
    const char *name;
    enum access_field field;
} access_names[] = {
    {"mcp.method.name", ACCESS_METHOD},   {"mcp.method", ACCESS_METHOD},
    {"mcp_method", ACCESS_METHOD},        {"gen_ai.tool.name", ACCESS_TOOL},
    {"mcp.tool.name", ACCESS_TOOL},       {"mcp.resource.name", ACCESS_TOOL},
    {"mcp_primitive_name", ACCESS_TOOL},  {"mcp.target", ACCESS_SERVER},
    {"mcp.provider.name", ACCESS_SERVER}, {"mcp.session.id", ACCESS_SESSION},
    {"jsonrpc.request.id", ACCESS_ID},    {"http.status", ACCESS_STATUS},
    {"response_code", ACCESS_STATUS},     {"duration", ACCESS_DURATION},
    {"start_time", ACCESS_TIME},          {"time", ACCESS_TIME},
    {"timestamp", ACCESS_TIME},           {"error", ACCESS_ERROR},
};

static void put_field(struct span name, struct span value, struct span *fields)
{
    if (span_is(value, "-")) /* Envoy's word for nothing */
        return;
    for (size_t i = 0; i < COUNT_OF(access_names); i++)
        if (span_is(name, access_names[i].name))
            fields[access_names[i].field] = value;
}

/* "8ms", "1.5s", "250" (milliseconds) as nanoseconds; 0: it says none. */
static int64_t access_duration(struct span text)
{
    unsigned long long whole;
    size_t digits = 0;
    while (digits < text.len && text.at[digits] >= '0' && text.at[digits] <= '9')
        digits++;
    if (!span_to_u64(span_sub(text, 0, digits), &whole) || whole > 1000000000)
        return 0;
    struct span unit = span_sub(text, digits, text.len);
    if (span_is(unit, "s"))
        return (int64_t)whole * 1000000000;
    return !unit.len || span_is(unit, "ms") ? (int64_t)whole * 1000000 : 0;
}

/* One request with its answer. */
static void access_tell(struct outlet *out, const struct unit *unit, const struct span *fields,
                        struct record base)
{
    struct span nothing = span_sub(unit->text, 0, 0);
    base.server = fields[ACCESS_SERVER].at ? fields[ACCESS_SERVER] : SPAN_EMPTY;
    base.session = fields[ACCESS_SESSION].at ? fields[ACCESS_SESSION] : SPAN_EMPTY;
    base.host = SPAN("gateway");
    if (!span_is(fields[ACCESS_METHOD], "tools/call") || !fields[ACCESS_TOOL].len) {
        talk_other(out, unit->text, fields[ACCESS_METHOD].at ? fields[ACCESS_METHOD] : SPAN("http"),
                   &base);
        return;
    }
    struct record *call = outlet_record(out, RECORD_CALL);
    *call = base;
    call->kind = RECORD_CALL;
    call->tool = fields[ACCESS_TOOL];
    call->call_id = fields[ACCESS_ID].at ? fields[ACCESS_ID] : SPAN_EMPTY;
    call->payload = nothing;
    call->truncated = true;
    struct span id = call->call_id, status = fields[ACCESS_STATUS];
    struct record *result = outlet_record(out, RECORD_RESULT);
    *result = base;
    result->kind = RECORD_RESULT;
    result->call_id = id;
    result->payload = nothing;
    result->truncated = true;
    result->time_ns += base.time_digits >= 0 ? access_duration(fields[ACCESS_DURATION]) : 0;
    result->is_error = fields[ACCESS_ERROR].len || (status.len == 3 && status.at[0] > '3');
}

/* ---- agentgateway: TIME level request name=value name="value" … ---- */

static bool take_pair(struct span *rest, struct span *name, struct span *value)
{
    *rest = span_trim(*rest);
    size_t equals = span_find_byte(*rest, '='), space = span_find_byte(*rest, ' ');
    if (equals >= rest->len || equals > space)
        return false;
    *name = span_sub(*rest, 0, equals);
    struct span after = span_sub(*rest, equals + 1, rest->len);
    if (span_starts_with(after, SPAN("\""))) {
        struct span inner = span_sub(after, 1, after.len);
        size_t end = span_find_byte(inner, '"');
        *value = span_sub(inner, 0, end);
        *rest = span_sub(inner, end + 1, inner.len);
        return true;
    }
    *value = span_sub(after, 0, span_find_byte(after, ' '));
    *rest = span_sub(after, value->len, after.len);
    return true;
}

/* Past "TIME level request "; the words between the time and the first pair. */
static bool take_gateway_front(struct span line, struct moment *when, struct span *rest)
{
    size_t taken = time_parse_prefix(line, when);
    *rest = span_sub(line, taken, line.len);
    size_t at = span_find(*rest, SPAN("request "));
    if (!taken || at > 40 || at == rest->len)
        return false;
    *rest = span_sub(*rest, at + 8, rest->len);
    return span_find(*rest, SPAN("gateway=")) < rest->len ||
           span_find(*rest, SPAN("protocol=mcp")) < rest->len;
}

static void read_gateway(void *state, const struct unit *unit, struct outlet *out)
{
    struct moment when;
    struct span rest, name, value, fields[ACCESS_FIELDS] = {{0}};
    (void)state;
    if (!span_trim(unit->text).len)
        return;
    if (!take_gateway_front(unit->text, &when, &rest)) {
        outlet_noise(out, "text");
        return;
    }
    while (take_pair(&rest, &name, &value))
        put_field(name, value, fields);
    access_tell(out, unit, fields, (struct record){.time_ns = when.ns, .time_digits = when.digits});
}

static bool is_gateway_line(struct span line)
{
    struct moment when;
    struct span rest;
    return take_gateway_front(line, &when, &rest);
}

static void probe_gateway(struct probe *p)
{
    probe_count(p, probe_lines(p, is_gateway_line), 92, "are requests in agentgateway's log");
}

/* ---- Envoy ---- */

static void read_envoy_json(const struct unit *unit, struct outlet *out)
{
    struct jsonr_items items;
    struct span fields[ACCESS_FIELDS] = {{0}}, time = {0}, text = span_trim(unit->text);
    struct record base = {.time_digits = -1};
    if (!jsonr_valid(text, NULL, NULL)) {
        outlet_bad(out, 0, unit->cut ? "the file ends inside this record" : "no JSON");
        return;
    }
    for (jsonr_items_init(&items, text); jsonr_items_next(&items);) {
        struct span value = jsonr_is_string(items.value)
                                ? pick_string(items.value, outlet_arena(out))
                                : items.value;
        if (!span_is(value, "null"))
            put_field(items.name, value, fields);
        if (fields[ACCESS_TIME].at == value.at && value.len)
            time = items.value;
    }
    pick_time(time, &base);
    access_tell(out, unit, fields, base);
}

/* [TIME] "POST /mcp HTTP/1.1" 200 … */
static bool take_envoy_text(struct span line, struct moment *when)
{
    struct span rest = span_sub(line, 1, line.len);
    size_t taken = span_starts_with(line, SPAN("[")) ? time_parse_prefix(rest, when) : 0;
    return taken && span_starts_with(span_sub(rest, taken, rest.len), SPAN("] \"")) &&
           span_find(rest, SPAN(" HTTP/")) < rest.len;
}

static void read_envoy(void *state, const struct unit *unit, struct outlet *out)
{
    struct moment when;
    struct span fields[ACCESS_FIELDS] = {{0}};
    (void)state;
    if (!span_trim(unit->text).len)
        return;
    if (jsonr_is_object(span_trim(unit->text)))
        read_envoy_json(unit, out);
    else if (take_envoy_text(unit->text, &when))
        access_tell(out, unit, fields,
                    (struct record){.time_ns = when.ns, .time_digits = when.digits});
    else
        outlet_noise(out, "text");
}

static bool is_envoy_line(struct span line)
{
    static const char *const mcp[] = {"mcp.method.name", "response_code", NULL};
    static const char *const tyk[] = {"mcp_method", "api_type", NULL};
    struct moment when;
    if (!jsonr_is_object(line))
        return take_envoy_text(line, &when);
    return object_has(line, mcp) || object_has(line, tyk);
}

static void probe_envoy(struct probe *p)
{
    probe_count(p, probe_lines(p, is_envoy_line), 90, "are records of an access log");
}

static const char *const access_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "arguments of calls, and what was answered",
    "definitions and annotations of tools",
    "errors that a server says in a result: HTTP's status is all there is",
    NULL,
};

const struct reader reader_agentgateway = {
    .name = "agentgateway",
    .title = "agentgateway's log of requests",
    .cannot_show = access_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_gateway,
    .read = read_gateway,
};

const struct reader reader_access_log = {
    .name = "access-log",
    .title = "access logs of Envoy and of gateways that name MCP's methods in JSON",
    .cannot_show = access_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_envoy,
    .read = read_envoy,
};
