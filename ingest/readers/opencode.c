/* opencode: `opencode export` (one document), `opencode run --format json` (a part a line), and the
 * rows of its database written out the same way. */
#include "ingest/pick.h"
#include "ingest/places.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

static const char *const host_tools[] = {
    "bash",       "edit",        "webfetch",  "glob",
    "grep",       "list",        "patch",     "read",
    "write",      "todowrite",   "todoread",  "task",
    "invalid",    "apply_patch", "lsp_hover", "lsp_diagnostics",
    "plan_enter", "plan_exit",   "question",  "skill",
    "websearch",  "codesearch",
};

/* SERVER_TOOL, where it is none of the host's own. */
static void opencode_tool_name(struct span name, struct record *record)
{
    record->tool = name;
    for (size_t i = 0; i < COUNT_OF(host_tools); i++)
        if (span_is(name, host_tools[i]))
            return;
    talk_split_name(name, "", "_", &record->server, &record->tool);
}

static struct span opencode_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* {type: "tool", tool, callID, state: {status, input, output | error, time: {start, end}}} */
static void tool_part(struct outlet *out, struct span part, const struct record *line_base)
{
    enum {
        OPENCODE_STATUS,
        OPENCODE_INPUT,
        OUTPUT,
        OPENCODE_ERROR,
        OPENCODE_TIME,
        OPENCODE_MEMBERS
    };
    static const char *const names[] = {"status", "input", "output", "error", "time"};
    struct arena *arena = outlet_arena(out);
    struct span s[OPENCODE_MEMBERS];
    pick(opencode_member(part, "state"), names, s, OPENCODE_MEMBERS);
    struct record base = *line_base;
    struct span id = pick_string(opencode_member(part, "callID"), arena);
    struct span status = pick_string(s[OPENCODE_STATUS], arena);
    pick_time(opencode_member(s[OPENCODE_TIME], "start"), &base);
    struct record *record = talk_value(
        out, RECORD_CALL, s[OPENCODE_INPUT].at ? s[OPENCODE_INPUT] : span_sub(part, 0, 0), &base);
    opencode_tool_name(pick_string(opencode_member(part, "tool"), arena), record);
    record->call_id = id;
    struct span answer = s[OUTPUT].at ? s[OUTPUT] : s[OPENCODE_ERROR];
    if (!answer.at)
        return;
    pick_time(opencode_member(s[OPENCODE_TIME], "end"), &base);
    record = talk_value(out, RECORD_RESULT, answer, &base);
    record->call_id = id;
    record->is_error = span_is(status, "error");
    record->refused = record->is_error && talk_tells_refusal(pick_string(answer, arena));
    record->truncated = pick_true(
        opencode_member(opencode_member(opencode_member(part, "state"), "metadata"), "truncated"));
}

static void take_part(struct outlet *out, struct span part, bool user, const struct record *base)
{
    struct span type = pick_string(opencode_member(part, "type"), outlet_arena(out));
    struct span text = opencode_member(part, "text");
    if (span_is(type, "tool"))
        tool_part(out, part, base);
    else if (span_is(type, "text") && jsonr_is_string(text) && text.len > 2)
        talk_value(out, user ? RECORD_PROMPT : RECORD_ASSISTANT, text, base)->system =
            user && pick_true(opencode_member(part, "synthetic"));
    else if (span_is(type, "file") && user)
        talk_value(out, RECORD_PROMPT, part, base);
    else if (span_is(type, "compaction"))
        talk_value(out, RECORD_RESET, span_sub(part, 0, 0), base)->compaction = true;
}

/* The session of the sub-agent that a task ran; the database holds it too. */
static void opencode_child(struct outlet *out, struct span part)
{
    struct span metadata = opencode_member(opencode_member(part, "state"), "metadata");
    struct span child = pick_string(opencode_member(metadata, "sessionId"), outlet_arena(out));
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].kind == RECORD_RESULT &&
            span_is(opencode_member(part, "tool"), "\"task\""))
            out->records[i].child = child;
}

static void opencode_read_document(void *state, const struct unit *unit, struct outlet *out)
{
    enum { INFO, PARTS, OPENCODE_MEMBERS };
    static const char *const names[] = {"info", "parts"};
    struct span m[OPENCODE_MEMBERS];
    struct arena *arena = outlet_arena(out);
    (void)state;
    if (unit->part != UNIT_ELEMENT) {
        if (span_trim(unit->text).len)
            outlet_noise(out, "document");
        return;
    }
    if (!pick_unit(unit, out, names, m, OPENCODE_MEMBERS))
        return;
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message"), .host = SPAN("opencode")};
    base.session = pick_string(opencode_member(m[INFO], "sessionID"), arena);
    pick_time(opencode_member(opencode_member(m[INFO], "time"), "created"), &base);
    bool user = span_is(pick_string(opencode_member(m[INFO], "role"), arena), "user");
    struct jsonr_items items;
    if (jsonr_is_array(m[PARTS]))
        for (jsonr_items_init(&items, m[PARTS]); jsonr_items_next(&items);)
            take_part(out, items.value, user, &base);
    if (!out->count)
        outlet_noise(out, "empty");
}

static void opencode_read_line(void *state, const struct unit *unit, struct outlet *out)
{
    enum {
        OPENCODE_TYPE,
        OPENCODE_TIME,
        OPENCODE_SESSION,
        PART,
        OPENCODE_ROLE,
        OPENCODE_ROOT,
        OPENCODE_MEMBERS
    };
    static const char *const names[] = {"type", "timestamp", "sessionID", "part", "role", "rootID"};
    struct span m[OPENCODE_MEMBERS];
    struct arena *arena = outlet_arena(out);
    (void)state;
    if (!pick_unit(unit, out, names, m, OPENCODE_MEMBERS))
        return;
    struct record base = {.time_digits = -1, .host = SPAN("opencode")};
    base.rpc_type = pick_string(m[OPENCODE_TYPE], arena);
    base.session = pick_string(m[OPENCODE_SESSION], arena);
    pick_time(m[OPENCODE_TIME], &base);
    struct span root = pick_string(m[OPENCODE_ROOT], arena);
    if (root.len && !span_equal(root, base.session)) { /* of a sub-agent */
        base.agent = base.session;
        base.session = root;
    }
    take_part(out, m[PART], span_is(pick_string(m[OPENCODE_ROLE], arena), "user"), &base);
    if (root.len)
        opencode_child(out, m[PART]);
    if (!out->count)
        outlet_noise(out, "progress");
}

static void opencode_probe_document(struct probe *p)
{
    static const char *const needed[] = {"info", "parts", NULL};
    struct span info, value, messages;
    struct jsonr_items items;
    if (!probe_begins(p, '{') || !probe_member(p, "info", &info) ||
        !jsonr_member(info, "directory", &value) || !probe_member(p, "messages", &messages) ||
        !jsonr_is_array(messages))
        return;
    jsonr_items_init(&items, messages);
    if (jsonr_items_next(&items) && object_has(items.value, needed))
        probe_say(p, 95, "a document with info and messages of info and parts");
}

static bool opencode_is_line(struct span line)
{
    static const char *const needed[] = {"type", "timestamp", "sessionID", "part", NULL};
    return jsonr_is_object(line) && object_has(line, needed);
}

static void opencode_probe_stream(struct probe *p)
{
    probe_count(p, probe_lines(p, opencode_is_line), 95, "have sessionID and part");
}

static const char *const opencode_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which server a tool belongs to, but by the first part of its name",
    "approvals of the person",
    NULL,
};

const struct reader reader_opencode = {
    .name = "opencode",
    .title = "opencode export",
    .where = "opencode export SESSION > FILE",
    .cannot_show = opencode_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "messages",
    .transcript = true,
    .probe = opencode_probe_document,
    .read = opencode_read_document,
};

static const char *const opencode_places[] = {PLACE_DATA "/opencode/opencode.db", NULL};

const struct reader reader_opencode_stream = {
    .name = "opencode-stream",
    .title = "the output of opencode run --format json, and opencode.db",
    .places = opencode_places,
    .cannot_show = opencode_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = opencode_probe_stream,
    .read = opencode_read_line,
};
