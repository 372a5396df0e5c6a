/* opencode: `opencode export` (one document), `opencode run --format json` (a part a line), and the
 * rows of its database written out the same way. */
#include "ingest/pick.h"
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
static void tool_name(struct span name, struct record *record)
{
    record->tool = name;
    for (size_t i = 0; i < COUNT_OF(host_tools); i++)
        if (span_is(name, host_tools[i]))
            return;
    talk_split_name(name, "", "_", &record->server, &record->tool);
}

static struct span member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* {type: "tool", tool, callID, state: {status, input, output | error, time: {start, end}}} */
static void tool_part(struct outlet *out, struct span part, const struct record *line_base)
{
    enum { STATUS, INPUT, OUTPUT, ERROR, TIME, MEMBERS };
    static const char *const names[] = {"status", "input", "output", "error", "time"};
    struct arena *arena = outlet_arena(out);
    struct span s[MEMBERS];
    pick(member(part, "state"), names, s, MEMBERS);
    struct record base = *line_base;
    struct span id = pick_string(member(part, "callID"), arena);
    struct span status = pick_string(s[STATUS], arena);
    pick_time(member(s[TIME], "start"), &base);
    struct record *record =
        talk_value(out, RECORD_CALL, s[INPUT].at ? s[INPUT] : span_sub(part, 0, 0), &base);
    tool_name(pick_string(member(part, "tool"), arena), record);
    record->call_id = id;
    struct span answer = s[OUTPUT].at ? s[OUTPUT] : s[ERROR];
    if (!answer.at)
        return;
    pick_time(member(s[TIME], "end"), &base);
    record = talk_value(out, RECORD_RESULT, answer, &base);
    record->call_id = id;
    record->is_error = span_is(status, "error");
    record->truncated = pick_true(member(member(member(part, "state"), "metadata"), "truncated"));
}

static void take_part(struct outlet *out, struct span part, bool user, const struct record *base)
{
    struct span type = pick_string(member(part, "type"), outlet_arena(out));
    struct span text = member(part, "text");
    if (span_is(type, "tool"))
        tool_part(out, part, base);
    else if (span_is(type, "text") && jsonr_is_string(text) && text.len > 2)
        talk_value(out, user ? RECORD_PROMPT : RECORD_ASSISTANT, text, base)->system =
            user && pick_true(member(part, "synthetic"));
    else if (span_is(type, "file") && user)
        talk_value(out, RECORD_PROMPT, part, base);
    else if (span_is(type, "compaction"))
        talk_value(out, RECORD_RESET, span_sub(part, 0, 0), base)->compaction = true;
}

static void read_document(void *state, const struct unit *unit, struct outlet *out)
{
    enum { INFO, PARTS, MEMBERS };
    static const char *const names[] = {"info", "parts"};
    struct span m[MEMBERS];
    struct arena *arena = outlet_arena(out);
    (void)state;
    if (unit->part != UNIT_ELEMENT) {
        if (span_trim(unit->text).len)
            outlet_noise(out, "document");
        return;
    }
    if (!pick_unit(unit, out, names, m, MEMBERS))
        return;
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message"), .host = SPAN("opencode")};
    base.session = pick_string(member(m[INFO], "sessionID"), arena);
    pick_time(member(member(m[INFO], "time"), "created"), &base);
    bool user = span_is(pick_string(member(m[INFO], "role"), arena), "user");
    struct jsonr_items items;
    if (jsonr_is_array(m[PARTS]))
        for (jsonr_items_init(&items, m[PARTS]); jsonr_items_next(&items);)
            take_part(out, items.value, user, &base);
    if (!out->count)
        outlet_noise(out, "empty");
}

static void read_line(void *state, const struct unit *unit, struct outlet *out)
{
    enum { TYPE, TIME, SESSION, PART, ROLE, MEMBERS };
    static const char *const names[] = {"type", "timestamp", "sessionID", "part", "role"};
    struct span m[MEMBERS];
    struct arena *arena = outlet_arena(out);
    (void)state;
    if (!pick_unit(unit, out, names, m, MEMBERS))
        return;
    struct record base = {.time_digits = -1, .host = SPAN("opencode")};
    base.rpc_type = pick_string(m[TYPE], arena);
    base.session = pick_string(m[SESSION], arena);
    pick_time(m[TIME], &base);
    take_part(out, m[PART], span_is(pick_string(m[ROLE], arena), "user"), &base);
    if (!out->count)
        outlet_noise(out, "progress");
}

static void probe_document(struct probe *p)
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

static bool is_line(struct span line)
{
    static const char *const needed[] = {"type", "timestamp", "sessionID", "part", NULL};
    return jsonr_is_object(line) && object_has(line, needed);
}

static void probe_stream(struct probe *p)
{
    probe_count(p, probe_lines(p, is_line), 95, "have sessionID and part");
}

static const char *const cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which server a tool belongs to, but by the first part of its name",
    "approvals of the person",
    NULL,
};

const struct reader reader_opencode = {
    .name = "opencode",
    .title = "opencode export",
    .where = "opencode export SESSION > FILE",
    .cannot_show = cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "messages",
    .transcript = true,
    .probe = probe_document,
    .read = read_document,
};

const struct reader reader_opencode_stream = {
    .name = "opencode-stream",
    .title = "the output of opencode run --format json, and opencode.db",
    .cannot_show = cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_stream,
    .read = read_line,
};
