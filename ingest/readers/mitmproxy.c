/* mitmproxy's flow files: tnetstrings, one a flow, with request and response in it. */
#include "ingest/exchange.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/wire.h"

struct item {
    struct span text; /* of the value */
    char type; /* , bytes; ; text; # integer; ^ float; ! boolean; ~ null; ] list; } dictionary */
};

/* The item at the front of *rest. */
static bool mitmproxy_take_item(struct span *rest, struct item *item)
{
    size_t colon = span_find_byte(span_sub(*rest, 0, 12), ':');
    unsigned long long len;
    if (colon >= rest->len || !span_to_u64(span_sub(*rest, 0, colon), &len) ||
        len >= rest->len - colon - 1)
        return false;
    item->text = span_sub(*rest, colon + 1, (size_t)len);
    item->type = rest->at[colon + 1 + len];
    *rest = span_sub(*rest, colon + (size_t)len + 2, rest->len);
    return true;
}

static struct item mitmproxy_member(struct item dictionary, const char *name)
{
    struct span rest = dictionary.type == '}' ? dictionary.text : SPAN_EMPTY;
    struct item key, value;
    while (mitmproxy_take_item(&rest, &key) && mitmproxy_take_item(&rest, &value))
        if (span_is(key.text, name))
            return value;
    return (struct item){SPAN_EMPTY, '~'};
}

static struct span mitmproxy_header(struct item message, const char *name)
{
    struct span rest = mitmproxy_member(message, "headers").text;
    struct item pair, key, value;
    while (mitmproxy_take_item(&rest, &pair)) {
        struct span inner = pair.text;
        if (mitmproxy_take_item(&inner, &key) && mitmproxy_take_item(&inner, &value) &&
            span_equal_nocase(key.text, span_of(name)))
            return value.text;
    }
    return SPAN_EMPTY;
}

static struct span mitmproxy_host_of(struct item request, struct arena *arena)
{
    struct span host = mitmproxy_member(request, "host").text,
                port = mitmproxy_member(request, "port").text;
    return span_of(arena_printf(arena, "%.*s:%.*s", SPAN_ARG(host), SPAN_ARG(port)));
}

static void mitmproxy_one_way(struct outlet *out, struct item message, enum direction direction,
                              struct record base)
{
    base.direction = direction;
    pick_time(mitmproxy_member(message, "timestamp_start").text, &base);
    struct item content = mitmproxy_member(message, "content");
    if (content.type == ',' || content.type == ';')
        wire_raw_body(out, content.text,
                      wire_packing(mitmproxy_header(message, "content-encoding"), content.text),
                      &base);
}

static void read_flow(void *state, const struct unit *unit, struct outlet *out)
{
    struct span rest = unit->text;
    struct item flow;
    (void)state;
    if (!rest.len)
        return;
    if (!mitmproxy_take_item(&rest, &flow) || flow.type != '}') {
        outlet_bad(out, 0, unit->cut ? "the file ends inside this flow" : "no flow of mitmproxy");
        return;
    }
    struct item request = mitmproxy_member(flow, "request"),
                response = mitmproxy_member(flow, "response");
    struct record base = {.time_digits = -1};
    struct exchange x = {
        .url = mitmproxy_member(request, "path").text,
        .host = mitmproxy_host_of(request, outlet_arena(out)),
        .request_session = mitmproxy_header(request, "mcp-session-id"),
        .response_session = mitmproxy_header(response, "mcp-session-id"),
    };
    if (!x.response_session.len)
        x.response_session = exchange_endpoint_session(mitmproxy_member(response, "content").text);
    base.connection = exchange_connection(&x, outlet_arena(out));
    mitmproxy_one_way(out, request, CLIENT_TO_SERVER, base);
    mitmproxy_one_way(out, response, SERVER_TO_CLIENT, base);
    pick_time(mitmproxy_member(request, "timestamp_start").text, &base);
    if (!out->count)
        talk_other(out, unit->text, SPAN("http"), &base);
}

static void mitmproxy_probe(struct probe *p)
{
    struct span head = p->head;
    size_t colon = span_find_byte(span_sub(head, 0, 12), ':');
    unsigned long long len;
    if (colon < 12 && span_to_u64(span_sub(head, 0, colon), &len) &&
        span_find(span_sub(head, 0, 4096), SPAN("4:type;")) < 4096 &&
        span_find(head, SPAN("7:request;")) + span_find(head, SPAN("7:version;")) < 2 * head.len)
        probe_say(p, 95, "tnetstrings with the members of mitmproxy's flows");
}

static const char *const mitmproxy_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "when the parts of a stream came",
    "streams that were not kept: mitmproxy holds them back until they end",
    NULL,
};

const struct reader reader_mitmproxy = {
    .name = "mitmproxy",
    .title = "mitmproxy's flows with Streamable HTTP or HTTP+SSE",
    .cannot_show = mitmproxy_cannot_show,
    .framing = FRAME_NETSTRINGS,
    .probe = mitmproxy_probe,
    .read = read_flow,
};
