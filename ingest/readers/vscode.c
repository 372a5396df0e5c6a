/*
 * VS Code's output of an MCP server: "TIME [level] [editor -> server] {…}", older
 * "[Client Says]" and "[Server Says]". Times are local, without a zone.
 */
#include "base/timefmt.h"
#include "ingest/places.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/wire.h"

static const char *const vscode_levels[] = {"trace", "debug", "info", "warning", "error"};

/* Past "TIME [level] "; false where the line has another shape. */
static bool take_front(struct span line, struct moment *when, struct span *rest)
{
    size_t taken = time_parse_prefix(line, when);
    struct span after = span_sub(line, taken, line.len);
    if (!taken || !span_starts_with(after, SPAN(" [")))
        return false;
    size_t end = span_find_byte(after, ']');
    struct span level = span_sub(after, 2, end > 2 ? end - 2 : 0);
    for (size_t i = 0; i < COUNT_OF(vscode_levels); i++)
        if (span_is(level, vscode_levels[i])) {
            *rest = span_sub(after, end + 2, after.len);
            return true;
        }
    return false;
}

static void vscode_read_line(void *state, const struct unit *unit, struct outlet *out)
{
    struct moment when;
    struct span rest;
    if (!take_front(unit->text, &when, &rest)) {
        jsonrpc_read(state, unit, out); /* a line of a value that is printed over several, … */
        return;
    }
    struct prefix prefix = wire_prefix(rest);
    struct span text = span_sub(rest, prefix.len, rest.len);
    struct record base = prefix.base;
    base.time_ns = when.ns;
    base.time_digits = when.digits;
    if (prefix.is_stderr) {
        struct record *record = outlet_record(out, RECORD_STDERR);
        *record = base;
        record->kind = RECORD_STDERR;
        record->payload = text;
        return;
    }
    if (wire_messages(out, unit, text, &base))
        return;
    if (jsonr_is_object(text) && unit->cut) {
        outlet_bad(out, unit->text.len, "the file ends inside this message");
        return;
    }
    if (wire_salvage(out, unit, text, &base))
        return;
    bool starts = span_starts_with(text, SPAN("Starting server"));
    talk_other(out, text, SPAN("log"), &base);
    if (starts)
        out->records[out->count - 1].kind = RECORD_START;
}

static bool vscode_is_line(struct span line)
{
    static const char *const marks[] = {"[editor -> server]", "[server -> editor]", "[Client Says]",
                                        "[Server Says]"};
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (span_find(span_sub(line, 0, 80), span_of(marks[i])) < 80 &&
            span_find(line, span_of(marks[i])) < line.len)
            return true;
    return false;
}

static void vscode_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, vscode_is_line), 97, "have VS Code's [editor -> server] marks");
}

static const char *const vscode_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "the zone of its times",
    "the server's name, which is in the name of the file",
    NULL,
};

static const char *const vscode_places[] = {
    PLACE_CONFIG "/Code/logs/*/window*/mcpServer.*.log",
    NULL,
};

const struct reader reader_vscode = {
    .name = "vscode",
    .title = "VS Code's output of an MCP server",
    .places = vscode_places,
    .cannot_show = vscode_cannot_show,
    .framing = FRAME_LINES,
    .probe = vscode_probe,
    .read = vscode_read_line,
};
