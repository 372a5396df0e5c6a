/*
 * Documents of exchanges, each a request with its answer: HAR files of browsers
 * and proxies, cassettes of mcp-recorder, and exports of the MCP Inspector.
 */
#include "ingest/exchange.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/wire.h"

static struct span exchange_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

static bool is_element(const struct unit *unit, struct outlet *out)
{
    if (unit->part == UNIT_ELEMENT)
        return true;
    if (span_trim(unit->text).len)
        outlet_noise(out, "document");
    return false;
}

static void exchange_one_way(struct outlet *out, const struct unit *unit, struct span message,
                             enum direction direction, struct record base)
{
    base.direction = direction;
    if (message.at && !span_is(message, "null"))
        wire_messages(out, unit, message, &base);
}

static enum direction other_way(enum direction direction)
{
    return direction == CLIENT_TO_SERVER ? SERVER_TO_CLIENT : CLIENT_TO_SERVER;
}

static void add_ms(struct record *record, struct span ms)
{
    int64_t number;
    struct span whole = span_sub(ms, 0, span_find_byte(ms, '.'));
    if (record->time_digits >= 0 && jsonr_int(whole, &number) && number > 0 &&
        number < INT64_MAX / 2000000)
        record->time_ns += number * 1000000;
}

/* ---- mcp-recorder: {type, request, response, latency_ms} ---- */

static void read_cassette(void *state, const struct unit *unit, struct outlet *out)
{
    enum { REQUEST, RESPONSE, EXCHANGE_MEMBERS };
    static const char *const names[] = {"request", "response"};
    struct span m[EXCHANGE_MEMBERS];
    (void)state;
    if (!is_element(unit, out) || !pick_unit(unit, out, names, m, EXCHANGE_MEMBERS))
        return;
    struct record base = {.time_digits = -1};
    exchange_one_way(out, unit, m[REQUEST], CLIENT_TO_SERVER, base);
    exchange_one_way(out, unit, m[RESPONSE], SERVER_TO_CLIENT, base);
    if (!out->count)
        outlet_noise(out, "json");
}

static void probe_cassette(struct probe *p)
{
    struct span value;
    if (probe_begins(p, '{') && probe_member(p, "interactions", &value) && jsonr_is_array(value) &&
        probe_member(p, "metadata", &value))
        probe_say(p, 90, "a document with metadata and interactions");
}

/* ---- MCP Inspector: {direction, origin, message, response, timestamp, duration} ---- */

static void read_inspector(void *state, const struct unit *unit, struct outlet *out)
{
    enum { ORIGIN, EXCHANGE_MESSAGE, RESPONSE, EXCHANGE_TIME, DURATION, EXCHANGE_MEMBERS };
    static const char *const names[] = {"origin", "message", "response", "timestamp", "duration"};
    struct span m[EXCHANGE_MEMBERS];
    (void)state;
    if (!is_element(unit, out) || !pick_unit(unit, out, names, m, EXCHANGE_MEMBERS))
        return;
    struct record base = {.time_digits = -1};
    bool server = span_is(pick_string(m[ORIGIN], outlet_arena(out)), "server");
    enum direction way = server ? SERVER_TO_CLIENT : CLIENT_TO_SERVER;
    pick_time(m[EXCHANGE_TIME], &base);
    exchange_one_way(out, unit, m[EXCHANGE_MESSAGE], way, base);
    add_ms(&base, m[DURATION]);
    exchange_one_way(out, unit, m[RESPONSE], other_way(way), base);
    if (!out->count)
        outlet_noise(out, "json");
}

static void probe_inspector(struct probe *p)
{
    static const char *const needed[] = {"direction", "message", "timestamp", NULL};
    struct jsonr_items items;
    if (!probe_begins(p, '['))
        return;
    jsonr_items_init(&items, span_trim(p->head));
    if (jsonr_items_next(&items) && object_has(items.value, needed))
        probe_say(p, 92, "an array of entries with direction, message and timestamp");
}

/* ---- HAR 1.2: {startedDateTime, time, request, response} ---- */

static struct span exchange_header(struct span headers, const char *name, struct arena *arena)
{
    struct jsonr_items items;
    if (!jsonr_is_array(headers))
        return SPAN_EMPTY;
    for (jsonr_items_init(&items, headers); jsonr_items_next(&items);)
        if (span_equal_nocase(pick_string(exchange_member(items.value, "name"), arena),
                              span_of(name)))
            return pick_string(exchange_member(items.value, "value"), arena);
    return SPAN_EMPTY;
}

/* HTTP+SSE: the stream itself says in its first event which session it is. */
static struct span endpoint_in(struct span literal, struct arena *arena)
{
    enum { FRONT = 4096 };
    struct span front = span_sub(literal, 0, FRONT);
    if (span_find(front, SPAN("endpoint")) == front.len)
        return SPAN_EMPTY;
    return exchange_endpoint_session(pick_string(literal, arena));
}

/* What Chrome keeps of a WebSocket: [{type: "send" | "receive", time, opcode, data}]. */
static void har_socket(struct outlet *out, struct span messages, const struct record *of)
{
    struct jsonr_items items;
    struct record base = *of;
    if (!jsonr_is_array(messages))
        return;
    for (jsonr_items_init(&items, messages); jsonr_items_next(&items);) {
        bool sent = span_is(exchange_member(items.value, "type"), "\"send\"");
        base.direction = sent ? CLIENT_TO_SERVER : SERVER_TO_CLIENT;
        pick_time(exchange_member(items.value, "time"), &base);
        wire_string(out, exchange_member(items.value, "data"), &base);
    }
}

static void read_entry(void *state, const struct unit *unit, struct outlet *out)
{
    enum { REQUEST, RESPONSE, EXCHANGE_TIME, TOOK, SOCKET, EXCHANGE_MEMBERS };
    static const char *const names[] = {"request", "response", "startedDateTime", "time",
                                        "_webSocketMessages"};
    struct arena *arena = outlet_arena(out);
    struct span m[EXCHANGE_MEMBERS];
    (void)state;
    if (!is_element(unit, out) || !pick_unit(unit, out, names, m, EXCHANGE_MEMBERS))
        return;
    struct record base = {.time_digits = -1};
    struct span content = exchange_member(m[RESPONSE], "content");
    struct span encoding = pick_string(exchange_member(content, "encoding"), arena);
    pick_time(m[EXCHANGE_TIME], &base);
    struct exchange x = {
        .url = pick_string(exchange_member(m[REQUEST], "url"), arena),
        .request_session =
            exchange_header(exchange_member(m[REQUEST], "headers"), "mcp-session-id", arena),
        .response_session =
            exchange_header(exchange_member(m[RESPONSE], "headers"), "mcp-session-id", arena),
    };
    if (!x.response_session.len)
        x.response_session = endpoint_in(exchange_member(content, "text"), arena);
    base.connection = exchange_connection(&x, arena);
    base.direction = CLIENT_TO_SERVER;
    wire_body(out, exchange_member(exchange_member(m[REQUEST], "postData"), "text"), "s;", &base);
    add_ms(&base, m[TOOK]);
    base.direction = SERVER_TO_CLIENT;
    wire_body(out, exchange_member(content, "text"), span_is(encoding, "base64") ? "s;b;" : "s;",
              &base);
    har_socket(out, m[SOCKET], &base);
    base.direction = DIRECTION_UNKNOWN;
    if (!out->count)
        talk_other(out, unit->text, SPAN("http"), &base);
}

static void probe_har(struct probe *p)
{
    struct span log, value;
    if (probe_begins(p, '{') && probe_member(p, "log", &log) &&
        jsonr_member(log, "entries", &value))
        probe_say(p, 95, "an HTTP archive: log.entries");
}

static const char *const wire_cannot[] = {
    "prompts, the model's text and the host's own tools",
    "approvals of the person",
    NULL,
};
static const char *const har_cannot[] = {
    "prompts, the model's text and the host's own tools",
    "bodies that the browser or proxy did not keep",
    "when the parts of a stream came",
    NULL,
};

const struct reader reader_cassette = {
    .name = "mcp-recorder",
    .title = "cassettes of mcp-recorder",
    .cannot_show = wire_cannot,
    .framing = FRAME_ELEMENTS,
    .elements = "interactions",
    .probe = probe_cassette,
    .read = read_cassette,
};

const struct reader reader_inspector = {
    .name = "inspector",
    .title = "history exports of the MCP Inspector",
    .cannot_show = wire_cannot,
    .framing = FRAME_ELEMENTS,
    .elements = "",
    .probe = probe_inspector,
    .read = read_inspector,
};

const struct reader reader_har = {
    .name = "har",
    .title = "HTTP archives (HAR) with Streamable HTTP or HTTP+SSE",
    .cannot_show = har_cannot,
    .framing = FRAME_ELEMENTS,
    .elements = "log/entries",
    .probe = probe_har,
    .read = read_entry,
};
