/* JSON-RPC as it went over the wire: bare, with marks for time and direction, or in envelopes of a
 * proxy. Anything that holds "jsonrpc" in balanced braces is found by the same code. */
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/wire.h"

/* Holes that a power loss leaves, and their like. */
static struct span without_nul(struct span s, size_t *nuls)
{
    size_t before = s.len;
    while (s.len && !s.at[0])
        s = span_sub(s, 1, s.len);
    while (s.len && !s.at[s.len - 1])
        s.len--;
    *nuls = before - s.len;
    return s;
}

/* In text of any kind, what only begins like JSON is text. */
static bool speaks(struct span text)
{
    return span_find(text, SPAN("\"jsonrpc\"")) < text.len ||
           span_find(text, SPAN("\"method\"")) < text.len;
}

static void unreadable(struct outlet *out, const struct unit *unit, struct span text, bool any_text,
                       const struct record *base)
{
    struct rpc rpc;
    if (any_text && span_find(text, SPAN("jsonrpc")) < text.len &&
        wire_inside(out, unit, text, base))
        return;
    if (any_text && !speaks(text)) {
        outlet_noise(out, "text");
        return;
    }
    bool json = jsonr_is_object(text) || jsonr_is_array(text);
    if (!json) {
        outlet_noise(out, "text");
    } else if (unit->cut) {
        outlet_bad(out, text.len, "the file ends inside this message");
    } else if (rpc_parse(text, outlet_arena(out), &rpc) || rpc.fault == JSONR_OK) {
        outlet_noise(out, "json");
    } else {
        size_t at = (size_t)(text.at - unit->text.at) + rpc.fault_at;
        outlet_bad(out, at < unit->text.len ? at : unit->text.len, jsonr_fault_text(rpc.fault));
    }
}

static void jsonrpc_read_line(const struct unit *unit, struct outlet *out, bool any_text)
{
    size_t nuls;
    struct span line = without_nul(unit->text, &nuls);
    outlet_noise_part(out, "nul", nuls);
    if (!span_trim(line).len)
        return;
    struct prefix prefix = wire_prefix(line);
    struct span text = span_sub(line, prefix.len, line.len);
    if (prefix.is_stderr) {
        struct record *record = outlet_record(out, RECORD_STDERR);
        *record = prefix.base;
        record->kind = RECORD_STDERR;
        record->payload = text;
        return;
    }
    if (text.at[0] == '"' && jsonr_valid(text, NULL, NULL)) { /* as docker writes a line */
        if (!wire_string(out, text, &prefix.base))
            outlet_noise(out, "text");
        return;
    }
    if (!wire_messages(out, unit, text, &prefix.base) &&
        (unit->cut || !wire_salvage(out, unit, text, &prefix.base)))
        unreadable(out, unit, text, any_text, &prefix.base);
}

void jsonrpc_read(void *state, const struct unit *unit, struct outlet *out)
{
    (void)state;
    jsonrpc_read_line(unit, out, false);
}

static void scan_read(void *state, const struct unit *unit, struct outlet *out)
{
    (void)state;
    jsonrpc_read_line(unit, out, true);
}

/* ---- probes ---- */

/* A string, and nothing behind it: no member of an object that is printed over lines. */
static bool is_one_string(struct span s)
{
    for (size_t i = 1; i < s.len; i++) {
        if (s.at[i] == '"')
            return i + 1 == s.len;
        i += s.at[i] == '\\';
    }
    return true;
}

static bool jsonrpc_is_message(struct span line)
{
    struct prefix prefix = wire_prefix(line);
    struct span text = span_sub(line, prefix.len, line.len), value;
    if (jsonr_is_string(text))
        return is_one_string(text) && span_find(text, SPAN("jsonrpc\\\"")) < text.len;
    if (jsonr_is_array(text)) {
        struct jsonr_items items;
        jsonr_items_init(&items, text);
        return jsonr_items_next(&items) && jsonr_member(items.value, "jsonrpc", &value);
    }
    return jsonr_is_object(text) && jsonr_member(text, "jsonrpc", &value);
}

static void probe_bare(struct probe *p)
{
    probe_count(p, probe_lines(p, jsonrpc_is_message), 96, "are JSON-RPC messages");
}

static void probe_envelopes(struct probe *p)
{
    probe_count(p, probe_lines(p, wire_is_envelope), 92, "are envelopes with a JSON-RPC message");
}

/* Values that are spread over lines: the first line is not a whole one. */
static bool is_spread(const struct probe *p)
{
    struct span head = span_trim(p->head);
    struct span line = span_sub(head, 0, span_find_byte(head, '\n'));
    return (probe_begins(p, '{') || probe_begins(p, '[')) && line.len < head.len &&
           !jsonr_valid(line, NULL, NULL);
}

static bool is_message_or_envelope(struct span value)
{
    return jsonrpc_is_message(value) || wire_is_envelope(value);
}

static void probe_spread(struct probe *p)
{
    if (is_spread(p))
        probe_count(p, probe_values(p, is_message_or_envelope), 90,
                    "are JSON-RPC messages over several lines");
}

static bool holds_message(struct span line)
{
    size_t at = span_find(line, SPAN("\"jsonrpc\""));
    if (at == line.len) /* in a string */
        at = span_find(line, SPAN("\\\"jsonrpc\\\""));
    return at < line.len && span_find_byte(span_sub(line, 0, at), '{') < at;
}

static void probe_anything(struct probe *p)
{
    probe_say(p, 1, "nothing else fits; text is searched for JSON-RPC messages");
    probe_count(p, probe_lines(p, holds_message), 50, "hold a JSON-RPC message");
}

static const char *const jsonrpc_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "what of a result the model was shown",
    "approvals of the person, where the host asked for them",
    NULL,
};

static const char *const cannot_show_found[] = {
    "prompts, the model's text and the host's own tools",
    "messages that the log holds in another form than JSON",
    NULL,
};

const struct reader reader_jsonrpc_lines = {
    .name = "jsonrpc-lines",
    .title = "JSON-RPC messages, one or more a line, bare or behind marks (>>> --> c2s [time])",
    .cannot_show = jsonrpc_cannot_show,
    .framing = FRAME_TEXT,
    .probe = probe_bare,
    .read = jsonrpc_read,
};

const struct reader reader_jsonrpc_envelope = {
    .name = "jsonrpc-envelope",
    .title = "JSON lines of proxies and taps with a message inside (mcptap, mcpspy, mcpsnoop, …)",
    .cannot_show = jsonrpc_cannot_show,
    .framing = FRAME_TEXT,
    .probe = probe_envelopes,
    .read = jsonrpc_read,
};

const struct reader reader_jsonrpc_values = {
    .name = "jsonrpc-values",
    .title = "JSON-RPC messages or envelopes, pretty-printed or back to back",
    .cannot_show = jsonrpc_cannot_show,
    .framing = FRAME_VALUES,
    .probe = probe_spread,
    .read = jsonrpc_read,
};

const struct reader reader_fallback = {
    .name = "scan",
    .title = "any text: balanced objects that hold \"jsonrpc\" are found in it",
    .cannot_show = cannot_show_found,
    .framing = FRAME_TEXT,
    .probe = probe_anything,
    .read = scan_read,
};
