/*
 * Claude Desktop's logs: `mcp-server-NAME.log` has "TIME [NAME] [level] text",
 * `mcp.log` the two brackets in the other order. Lines without such a prefix
 * are the server's stderr, or the lines of a printed object of the one before.
 */
#include "base/timefmt.h"
#include "ingest/places.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/wire.h"

struct line {
    struct moment when;
    struct span server, text;
};

static const char *const claude_desktop_levels[] = {"info",    "error", "warn",
                                                    "warning", "debug", "trace"};

static bool desktop_is_level(struct span word)
{
    for (size_t i = 0; i < COUNT_OF(claude_desktop_levels); i++)
        if (span_is(word, claude_desktop_levels[i]))
            return true;
    return false;
}

/* "[word] " at the front of *rest. */
static bool take_bracket(struct span *rest, struct span *word)
{
    if (!rest->len || rest->at[0] != '[')
        return false;
    size_t end = span_find_byte(*rest, ']');
    if (end == rest->len)
        return false;
    *word = span_sub(*rest, 1, end - 1);
    *rest = span_sub(*rest, end + 1, rest->len);
    if (rest->len && rest->at[0] == ' ')
        *rest = span_sub(*rest, 1, rest->len);
    return true;
}

static bool take_line(struct span text, struct line *line)
{
    struct span first, second;
    size_t taken = time_parse_prefix(text, &line->when);
    struct span rest = span_sub(text, taken, text.len);
    if (!taken || !rest.len || rest.at[0] != ' ')
        return false;
    rest = span_sub(rest, 1, rest.len);
    if (!take_bracket(&rest, &first))
        return false;
    bool two = take_bracket(&rest, &second);
    if (two && desktop_is_level(second))
        line->server = first;
    else if (desktop_is_level(first))
        line->server = two ? second : SPAN_EMPTY;
    else
        return false;
    line->text = rest;
    return true;
}

static const struct {
    const char *text;
    enum direction direction;
} openings[] = {
    {"Message from client: ", CLIENT_TO_SERVER},
    {"Message from server: ", SERVER_TO_CLIENT},
};

/* The JSON of a message line, without what the logger appends: " { metadata: undefined }". */
static struct span without_suffix(struct span text)
{
    size_t len = jsonr_first_value(text, NULL);
    return len ? span_sub(text, 0, len) : text;
}

static void read_message(const struct unit *unit, struct outlet *out, struct span text,
                         const struct record *base)
{
    text = span_trim(text);
    if (wire_messages(out, unit, without_suffix(text), base))
        return;
    size_t at = (size_t)(text.at - unit->text.at);
    if (unit->cut)
        outlet_bad(out, unit->text.len, "the file ends inside this message");
    else if (!wire_salvage(out, unit, text, base))
        outlet_bad(out, at, "the message can't be read as JSON");
}

static void claude_desktop_read_line(void *state, const struct unit *unit, struct outlet *out)
{
    (void)state;
    struct line line;
    if (!span_trim(unit->text).len)
        return;
    if (!take_line(unit->text, &line)) {
        struct record *record = outlet_record(out, RECORD_STDERR);
        record->payload = unit->text;
        return;
    }
    struct record base = {
        .server = line.server, .time_ns = line.when.ns, .time_digits = line.when.digits};
    for (size_t i = 0; i < COUNT_OF(openings); i++) {
        struct span opening = span_of(openings[i].text);
        if (!span_starts_with(line.text, opening))
            continue;
        base.direction = openings[i].direction;
        read_message(unit, out, span_sub(line.text, opening.len, line.text.len), &base);
        return;
    }
    bool starts = span_starts_with(line.text, SPAN("Initializing server"));
    struct record *record = outlet_record(out, starts ? RECORD_START : RECORD_OTHER);
    enum record_kind kind = record->kind;
    *record = base;
    record->kind = kind;
    record->payload = line.text;
    record->rpc_type = SPAN("log");
}

/* ---- probe ---- */

static bool claude_desktop_is_line(struct span text)
{
    struct line line;
    return take_line(text, &line);
}

static bool is_message_line(struct span text)
{
    struct line line;
    return take_line(text, &line) && (span_starts_with(line.text, SPAN("Message from ")) ||
                                      span_starts_with(line.text, SPAN("Initializing server")) ||
                                      span_starts_with(line.text, SPAN("Server started")));
}

static void claude_desktop_probe(struct probe *p)
{
    struct vote messages = probe_lines(p, is_message_line);
    if (messages.matched) /* raw stderr may be most of it */
        probe_count(p, probe_lines(p, claude_desktop_is_line), 98,
                    "are lines of Claude Desktop's MCP log");
}

static const char *const claude_desktop_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "approvals of the person",
    "the middle of long messages: versions of 2026 cut it out",
    "which process wrote a line of stderr, in mcp.log",
    NULL,
};

static const char *const claude_desktop_places[] = {
    PLACE_CLAUDE_LOGS "/mcp*.log",
    NULL,
};

const struct reader reader_claude_desktop = {
    .name = "claude-desktop",
    .title = "Claude Desktop's mcp.log and mcp-server-NAME.log",
    .places = claude_desktop_places,
    .cannot_show = claude_desktop_cannot_show,
    .framing = FRAME_LINES,
    .probe = claude_desktop_probe,
    .read = claude_desktop_read_line,
};
