/*
 * Cursor's output of an MCP server, "MCP user-NAME.log": what it did, line by line, as its users
 * paste it into issues ("Calling tool 'x' with toolCallId: …", "Successfully called tool 'x'").
 * Arguments and results are not written, and an answer names the tool alone.
 */
#include "base/timefmt.h"
#include "ingest/places.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { CURSOR_CALLS = 64, CURSOR_NAME_SIZE = 128 };

/* A call that has no answer yet. */
struct cursor_call {
    uint32_t number; /* 0: none */
    size_t len;
    char tool[CURSOR_NAME_SIZE];
};

struct cursor_state {
    char server[CURSOR_NAME_SIZE];
    size_t server_len;
    uint32_t calls;
    bool in_call; /* the line before was of a call: its id may go on here */
    struct cursor_call waiting[CURSOR_CALLS];
};

/* "MCP user-github.log" is of the server github. */
static struct span cursor_server_of(struct span path)
{
    static const char *const fronts[] = {"MCP ", "user-"};
    size_t slash = path.len;
    while (slash && path.at[slash - 1] != '/')
        slash--;
    struct span name = span_sub(path, slash, path.len);
    if (!span_starts_with(name, SPAN("MCP ")))
        return SPAN_EMPTY;
    for (size_t i = 0; i < COUNT_OF(fronts); i++)
        if (span_starts_with(name, span_of(fronts[i])))
            name = span_sub(name, strlen(fronts[i]), name.len);
    return span_ends_with(name, SPAN(".log")) ? span_sub(name, 0, name.len - 4) : name;
}

static void *cursor_open_state(struct span path)
{
    struct cursor_state *state = NEW(struct cursor_state);
    struct span server = span_sub(cursor_server_of(path), 0, CURSOR_NAME_SIZE);
    memcpy(state->server, server.at, server.len);
    state->server_len = server.len;
    return state;
}

/* Past "TIME [level] "; false where the line has another shape. */
static bool cursor_front(struct span line, struct moment *when, struct span *rest)
{
    size_t taken = time_parse_prefix(line, when);
    struct span after = span_sub(line, taken, line.len);
    if (!taken || !span_starts_with(after, SPAN(" [")))
        return false;
    size_t end = span_find_byte(after, ']');
    *rest = span_trim(span_sub(after, end + 1, after.len));
    return end < after.len;
}

/* FRONT'TOOL': the tool, and what stands behind it. */
static bool cursor_names(struct span text, const char *front, struct span *tool, struct span *rest)
{
    struct span word = span_of(front);
    if (!span_starts_with(text, word))
        return false;
    struct span after = span_sub(text, word.len, text.len);
    size_t end = span_find_byte(after, '\'');
    *tool = span_sub(after, 0, end);
    *rest = span_sub(after, end + 1, after.len);
    return end && end < after.len;
}

static void cursor_call(struct cursor_state *state, struct outlet *out, struct span tool,
                        const struct record *base)
{
    struct cursor_call *call = &state->waiting[state->calls++ % CURSOR_CALLS];
    struct span kept = span_sub(tool, 0, CURSOR_NAME_SIZE);
    call->number = state->calls;
    call->len = kept.len;
    memcpy(call->tool, kept.at, kept.len);
    struct record *record = outlet_record(out, RECORD_CALL);
    *record = *base;
    record->kind = RECORD_CALL;
    record->tool = tool;
    record->call_id = span_of(arena_printf(outlet_arena(out), "call %u", call->number));
    state->in_call = true;
}

/* The call of that tool that waits longest; 0: none. */
static uint32_t cursor_answered(struct cursor_state *state, struct span tool)
{
    struct cursor_call *found = NULL;
    tool = span_sub(tool, 0, CURSOR_NAME_SIZE);
    for (size_t i = 0; i < CURSOR_CALLS; i++) {
        struct cursor_call *call = &state->waiting[i];
        if (call->number && span_equal((struct span){call->tool, call->len}, tool) &&
            (!found || call->number < found->number))
            found = call;
    }
    uint32_t number = found ? found->number : 0;
    if (found)
        found->number = 0;
    return number;
}

static void cursor_result(struct cursor_state *state, struct outlet *out, struct span tool,
                          struct span text, bool failed, const struct record *base)
{
    uint32_t number = cursor_answered(state, tool);
    struct record *record = outlet_record(out, RECORD_RESULT);
    *record = *base;
    record->kind = RECORD_RESULT;
    record->payload = text;
    record->tool = tool;
    record->call_id =
        number ? span_of(arena_printf(outlet_arena(out), "call %u", number)) : SPAN("unseen");
    record->is_error = failed;
}

static void cursor_read_line(void *at, const struct unit *unit, struct outlet *out)
{
    struct cursor_state *state = at;
    struct span line = unit->text, text = line, tool, rest;
    struct moment when;
    struct record base = {.time_digits = -1, .host = SPAN("cursor"), .rpc_type = SPAN("log")};
    bool continued = state->in_call;
    state->in_call = false;
    if (!span_trim(line).len)
        return;
    if (!cursor_front(line, &when, &text)) {
        if (continued) /* an id of two lines */
            outlet_noise(out, "continued");
        else
            talk_other(out, line, SPAN("text"), &base);
        return;
    }
    base.time_ns = when.ns;
    base.time_digits = when.digits;
    base.server = (struct span){state->server, state->server_len};
    if (cursor_names(text, "Handling CallTool action for tool '", &tool, &rest)) {
        state->in_call = true;
        outlet_noise(out, "progress");
    } else if (cursor_names(text, "Calling tool '", &tool, &rest)) {
        cursor_call(state, out, tool, &base);
    } else if (cursor_names(text, "Successfully called tool '", &tool, &rest)) {
        cursor_result(state, out, tool, span_sub(rest, 0, 0), false, &base);
    } else if (cursor_names(text, "Error calling tool '", &tool, &rest)) {
        rest = span_starts_with(rest, SPAN(":")) ? span_trim(span_sub(rest, 1, rest.len)) : rest;
        cursor_result(state, out, tool, rest, true, &base);
    } else {
        talk_other(out, text, SPAN("log"), &base);
    }
}

/* ---- probe ---- */

static bool cursor_is_line(struct span line)
{
    static const char *const fronts[] = {
        "Handling ",
        "Calling tool '",
        "Successfully called tool '",
        "Error calling tool",
        "Starting new ",
        "Successfully connected to ",
        "Creating ",
        "Connected to ",
        "Connecting to ",
        "Found ",
        "listOfferings: Found",
        "Client closed for command",
        "Storing ",
        "Cleaning up",
    };
    struct moment when;
    struct span text;
    if (!cursor_front(line, &when, &text))
        return false;
    for (size_t i = 0; i < COUNT_OF(fronts); i++)
        if (span_starts_with(text, span_of(fronts[i])))
            return true;
    return false;
}

static void cursor_probe(struct probe *p)
{
    static const char *const marks[] = {"Handling CallTool action",
                                        "with toolCallId:", "Handling ListOfferings action",
                                        "Handling GetInstructions action"};
    bool marked = false;
    for (size_t i = 0; !marked && i < COUNT_OF(marks); i++)
        marked = span_find(p->head, span_of(marks[i])) < p->head.len;
    if (marked)
        probe_count(p, probe_lines(p, cursor_is_line), 92, "are of Cursor's MCP log");
}

static const char *const cursor_cannot_show[] = {
    "arguments and results of calls",
    "prompts, the model's text and the host's own tools",
    "annotations (_meta), definitions and hints of tools",
    "which answer belongs to which call of the same tool, but by their order",
    "the zone of its times, and the server's name, but in the name of the file",
    NULL,
};

static const char *const cursor_places[] = {
    PLACE_CONFIG "/Cursor/logs/*/window*/exthost/anysphere.cursor-mcp/MCP *.log",
    NULL,
};

const struct reader reader_cursor = {
    .name = "cursor",
    .title = "Cursor's output of an MCP server",
    .places = cursor_places,
    .cannot_show = cursor_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = cursor_probe,
    .open = cursor_open_state,
    .read = cursor_read_line,
    .close = mem_free,
};
