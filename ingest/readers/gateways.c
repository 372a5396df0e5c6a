/*
 * Programs that stand between a host and a server and print what goes by: mcp-remote
 * (its debug log), supergateway, and mcp-proxy. What they print is for people;
 * each leaves something out.
 */
#include "base/ascii.h"
#include "base/jsliteral.h"
#include "base/timefmt.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/wire.h"

static struct span text_behind(struct span line, size_t len)
{
    return span_sub(line, len, line.len);
}

static bool take_word(struct span *rest, const char *word)
{
    struct span prefix = span_of(word);
    if (!span_starts_with(*rest, prefix))
        return false;
    *rest = text_behind(*rest, prefix.len);
    return true;
}

/* ---- mcp-remote: "[TIME][pid] text" ---- */

static bool take_remote_front(struct span line, struct record *base, struct span *text)
{
    struct moment when;
    struct span rest = line;
    if (!take_word(&rest, "["))
        return false;
    size_t taken = time_parse_prefix(rest, &when);
    rest = text_behind(rest, taken);
    if (!taken || !take_word(&rest, "]["))
        return false;
    size_t end = span_find_byte(rest, ']');
    unsigned long long pid;
    if (!span_to_u64(span_sub(rest, 0, end), &pid))
        return false;
    *base = (struct record){.time_ns = when.ns, .time_digits = when.digits};
    base->connection = span_sub(rest, 0, end);
    *text = span_trim(text_behind(rest, end + 1));
    return true;
}

/* {"method","id","params": a string that holds the start of it, "result": only that there is one}
 */
static bool read_remote_message(struct outlet *out, struct span object, struct record base)
{
    enum { ID, METHOD, PARAMS, RESULT, ERROR, MEMBERS };
    static const char *const names[] = {"id", "method", "params", "result", "error"};
    struct span m[MEMBERS];
    struct pick_fault fault;
    if (!pick_valid(object, names, m, MEMBERS, &fault))
        return false;
    struct rpc rpc = {.id = m[ID], .versioned = true};
    struct span params = m[METHOD].at ? pick_string(m[PARAMS], outlet_arena(out)) : SPAN_EMPTY;
    if (m[METHOD].at) {
        rpc.method = pick_string(m[METHOD], outlet_arena(out));
        rpc.kind = m[ID].at ? RPC_REQUEST : RPC_NOTIFICATION;
        rpc.params = params.len ? params : (struct span){0};
    } else {
        /* Of what the host answers it prints the id alone. */
        rpc.kind = m[ERROR].at ? RPC_ERROR : m[ID].at ? RPC_RESULT : RPC_NONE;
        rpc.error = m[ERROR];
        rpc.result = m[ERROR].at ? m[RESULT] : span_sub(object, 0, 0);
    }
    if (rpc.kind == RPC_NONE)
        return false;
    struct record *record = outlet_record(out, RECORD_MESSAGE);
    *record = base;
    record->kind = RECORD_MESSAGE;
    record->payload = params.len ? m[PARAMS] : object;
    record->recipe = params.len ? "s;" : NULL;
    record->text = params.len ? params : (struct span){0};
    record->rpc = rpc;
    bool cut = params.len && !jsonr_valid(params, NULL, NULL);
    record->truncated = cut || rpc.kind == RPC_RESULT;
    return true;
}

static void read_remote(void *state, const struct unit *unit, struct outlet *out)
{
    struct record base;
    struct span text;
    (void)state;
    if (!span_trim(unit->text).len)
        return;
    if (!take_remote_front(unit->text, &base, &text)) {
        outlet_noise(out, "stack traces and printed objects");
        return;
    }
    bool to_server = take_word(&text, "Local → Remote message ");
    if (to_server || take_word(&text, "Remote → Local message ")) {
        base.direction = to_server ? CLIENT_TO_SERVER : SERVER_TO_CLIENT;
        if (!read_remote_message(out, text, base))
            outlet_bad(out, (size_t)(text.at - unit->text.at),
                       "no message as mcp-remote prints it");
        return;
    }
    if (take_word(&text, "[Local→Remote]") || take_word(&text, "[Remote→Local]")) {
        outlet_noise(out, "repeated");
        return;
    }
    talk_other(out, text, SPAN("log"), &base);
    if (span_starts_with(text, SPAN("Starting mcp-remote")))
        out->records[out->count - 1].kind = RECORD_START;
}

static bool is_remote_line(struct span line)
{
    struct record base;
    struct span text;
    return take_remote_front(line, &base, &text);
}

static void probe_remote(struct probe *p)
{
    struct vote vote = probe_lines(p, is_remote_line);
    size_t named = span_find(p->head, SPAN("mcp-remote"));
    if (named < p->head.len && vote.matched)
        probe_say(p, 94, "%u of the first %u lines begin [time][pid], and mcp-remote is named",
                  vote.matched, vote.seen);
}

static const char *const remote_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "what servers answered: only that there was a result",
    "arguments beyond the first 500 characters",
    "definitions and annotations of tools",
    NULL,
};

static const char *const remote_places[] = {"~/.mcp-auth/mcp-remote-*/*_debug.log", NULL};

const struct reader reader_mcp_remote = {
    .name = "mcp-remote",
    .title = "mcp-remote's debug log",
    .places = remote_places,
    .cannot_show = remote_cannot_show,
    .framing = FRAME_LINES,
    .probe = probe_remote,
    .read = read_remote,
};

/* ---- supergateway: "[supergateway] A → B: {…}" ---- */

static const char super_front[] = "[supergateway] ";

/* "A → Child (session X): " and "Child → B: ": which way, of whom, and what is behind it. */
static enum direction take_arrow(struct span *text, struct span *session)
{
    static const char arrow[] = " → ", named[] = "(session ";
    size_t at = span_find(*text, SPAN(" → ")), colon = span_find(*text, SPAN(": "));
    if (at >= colon || colon == text->len)
        return DIRECTION_UNKNOWN;
    struct span from = span_sub(*text, 0, at);
    struct span to = span_sub(*text, at + sizeof arrow - 1, colon - at - (sizeof arrow - 1));
    size_t open = span_find(to, SPAN("(session "));
    *session = SPAN_EMPTY;
    if (open < to.len) {
        struct span id = span_sub(to, open + sizeof named - 1, to.len);
        *session = span_sub(id, 0, span_find_byte(id, ')'));
        to = span_trim(span_sub(to, 0, open));
    }
    *text = span_sub(*text, colon + 2, text->len);
    if (span_is(to, "Child") || span_is(from, "Stdio"))
        return CLIENT_TO_SERVER;
    return span_is(from, "Child") || span_is(to, "Stdio") ? SERVER_TO_CLIENT : DIRECTION_UNKNOWN;
}

static void read_super(void *state, const struct unit *unit, struct outlet *out)
{
    struct span text = unit->text;
    struct record base = {.time_digits = -1};
    (void)state;
    if (!span_trim(text).len)
        return;
    if (!take_word(&text, super_front)) {
        outlet_noise(out, "text");
        return;
    }
    if (take_word(&text, "Child stderr: ")) {
        struct record *record = outlet_record(out, RECORD_STDERR);
        record->payload = text;
        return;
    }
    base.direction = take_arrow(&text, &base.connection);
    if (!base.direction) {
        bool starts = span_starts_with(text, SPAN("Starting..."));
        talk_other(out, text, SPAN("log"), &base);
        if (starts)
            out->records[0].kind = RECORD_START;
        return;
    }
    if (!wire_messages(out, unit, text, &base) &&
        (unit->cut || !wire_salvage(out, unit, text, &base)))
        outlet_bad(out, (size_t)(text.at - unit->text.at),
                   "a message that is printed as an object of JavaScript, not as JSON");
}

static bool is_super_line(struct span line)
{
    return span_starts_with(line, span_of(super_front));
}

static void probe_super(struct probe *p)
{
    probe_count(p, probe_lines(p, is_super_line), 96, "begin with [supergateway]");
}

static const char *const super_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "times",
    "which of several clients a message went to",
    "messages, where it was not started with --logLevel debug",
    NULL,
};

const struct reader reader_supergateway = {
    .name = "supergateway",
    .title = "what supergateway prints",
    .cannot_show = super_cannot_show,
    .framing = FRAME_TEXT,
    .probe = probe_super,
    .read = read_super,
};

/* ---- mcp-proxy: "transport event {", "  chunk: '…'" ---- */

/* A literal of what the server wrote: lines of JSON. */
static bool read_chunk(struct outlet *out, struct span literal)
{
    struct buf decoded = {0};
    bool any = false;
    if (!jsliteral_text(literal, &decoded)) {
        buf_finish(&decoded);
        return false;
    }
    struct span text = arena_copy(outlet_arena(out), buf_span(&decoded)), rest = text;
    buf_finish(&decoded);
    while (rest.len) {
        struct span line = span_sub(rest, 0, span_find_byte(rest, '\n'));
        struct rpc rpc;
        rest = text_behind(rest, line.len + 1);
        bool message = rpc_parse(line, outlet_arena(out), &rpc) && rpc.versioned;
        bool part = !message && wire_guess(line, outlet_arena(out), &rpc);
        if (!message && !part)
            continue;
        struct record *record = outlet_record(out, RECORD_MESSAGE);
        record->direction = SERVER_TO_CLIENT;
        record->payload = literal;
        record->recipe =
            arena_printf(outlet_arena(out), "j;@%zu+%zu;", (size_t)(line.at - text.at), line.len);
        record->text = line;
        record->rpc = rpc;
        record->truncated = part;
        any = true;
    }
    return any;
}

static void read_proxy(void *state, const struct unit *unit, struct outlet *out)
{
    struct span text = span_trim(unit->text), rest = text;
    (void)state;
    if (!text.len)
        return;
    /* A chunk of several lines goes on with a literal of each. */
    bool chunk = take_word(&rest, "chunk: ") || ascii_is_one_of(text.at[0], "'\"`");
    struct span literal = span_sub(rest, 0, jsliteral_size(rest));
    if (chunk && literal.len && read_chunk(out, literal)) {
        outlet_noise_part(out, "printed objects", unit->text.len - literal.len);
        return;
    }
    if (span_find(rest, SPAN("\"jsonrpc\"")) < rest.len && span_starts_with(text, SPAN("chunk:")))
        outlet_bad(out, (size_t)(rest.at - unit->text.at), "a chunk that holds no whole message");
    else if (span_starts_with(unit->text, SPAN("[mcp-proxy]")) ||
             span_starts_with(unit->text, SPAN("starting server")))
        talk_other(out, text, SPAN("log"), &(struct record){.time_digits = -1});
    else
        outlet_noise(out, "printed objects");
}

static bool is_proxy_event(struct span line)
{
    return span_starts_with(line, SPAN("transport event {")) ||
           span_starts_with(line, SPAN("[mcp-proxy]"));
}

static bool is_proxy_chunk(struct span line)
{
    return span_starts_with(line, SPAN("chunk: "));
}

static void probe_proxy(struct probe *p)
{
    if (probe_lines(p, is_proxy_event).matched && probe_lines(p, is_proxy_chunk).matched)
        probe_say(p, 93, "the first lines print transport events with chunks, as mcp-proxy does");
}

static const char *const proxy_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "what the client sent: arguments of calls among it",
    "times",
    "what stands beyond the first 10000 characters of a message",
    NULL,
};

const struct reader reader_mcp_proxy = {
    .name = "mcp-proxy",
    .title = "what mcp-proxy prints with --debug",
    .cannot_show = proxy_cannot_show,
    .framing = FRAME_LINES,
    .probe = probe_proxy,
    .read = read_proxy,
};
