/* Goose: session files of JSON lines, and the rows of its database written out the same way. */
#include "ingest/names.h"
#include "ingest/pick.h"
#include "ingest/places.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

static struct span goose_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

struct goose_state {
    struct names asked; /* ids of calls that the person was asked for */
};

static void *goose_open_state(struct span path)
{
    (void)path;
    return NEW(struct goose_state);
}

static void goose_close_state(void *at)
{
    struct goose_state *state = at;
    if (!state)
        return;
    names_finish(&state->asked);
    mem_free(state);
}

/* EXTENSION__TOOL; newer versions name the extension beside it. */
static void goose_tool_name(struct span block, struct span name, struct record *record)
{
    struct span extension = goose_member(goose_member(block, "_meta"), "goose_extension");
    if (!jsonr_plain_string(extension, &extension) || !extension.len) {
        talk_split_name(name, "", "__", &record->server, &record->tool);
        return;
    }
    size_t front = extension.len + 2;
    bool named = span_starts_with(name, extension) && name.len > front &&
                 span_starts_with(span_sub(name, extension.len, name.len), SPAN("__"));
    record->server = extension;
    record->tool = named ? span_sub(name, front, name.len) : name;
}

/* {toolCall: {status, value: {name, arguments}}} */
static void request(struct outlet *out, struct span block, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span call = goose_member(goose_member(block, "toolCall"), "value");
    struct span arguments = goose_member(call, "arguments");
    struct record *record =
        talk_value(out, RECORD_CALL, arguments.at ? arguments : span_sub(block, 0, 0), base);
    record->call_id = pick_string(goose_member(block, "id"), arena);
    goose_tool_name(block, pick_string(goose_member(call, "name"), arena), record);
}

static bool goose_declines(struct span value, struct arena *arena)
{
    struct jsonr_items items;
    struct span content = jsonr_is_object(value) ? goose_member(value, "content") : value, text;
    if (!jsonr_is_array(content))
        return false;
    jsonr_items_init(&items, content);
    return jsonr_items_next(&items) && jsonr_member(items.value, "text", &text) &&
           talk_tells_refusal(pick_string(text, arena));
}

/* {toolResult: {status, value | error}} */
static void response(struct goose_state *state, struct outlet *out, struct span block,
                     const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span result = goose_member(block, "toolResult"), value = goose_member(result, "value");
    struct span error = goose_member(result, "error");
    bool failed = span_is(pick_string(goose_member(result, "status"), arena), "error");
    struct record *record = talk_value(out, RECORD_RESULT,
                                       value.at   ? value
                                       : error.at ? error
                                                  : block,
                                       base);
    record->call_id = pick_string(goose_member(block, "id"), arena);
    record->is_error = failed || pick_true(goose_member(value, "isError"));
    /* The host's words stand where a server's would: only where the person was asked are they its.
     */
    if (!record->call_id.len || !*names_at(&state->asked, record->call_id))
        return;
    if (goose_declines(value, arena))
        record->is_error = record->refused = true;
    else
        record->decision = DECISION_APPROVED;
}

/* What the host showed to the person alone: it asks whether a tool may run. Kept as an event. */
static void goose_asks(struct goose_state *state, struct outlet *out, struct span block,
                       struct span type, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span id = goose_member(block, "id");
    if (!id.at)
        id = goose_member(goose_member(block, "data"), "id");
    *names_at(&state->asked, pick_string(id, arena)) = 1;
    talk_other(out, block, type, base);
}

static void blocks(struct goose_state *state, struct outlet *out, struct span content,
                   enum speaker speaker, const struct record *base)
{
    struct jsonr_items items;
    if (!jsonr_is_array(content))
        return;
    for (jsonr_items_init(&items, content); jsonr_items_next(&items);) {
        struct span type = pick_string(goose_member(items.value, "type"), outlet_arena(out));
        if (span_is(type, "toolRequest"))
            request(out, items.value, base);
        else if (span_is(type, "toolResponse"))
            response(state, out, items.value, base);
        else if (span_is(type, "toolConfirmationRequest") || span_is(type, "actionRequired"))
            goose_asks(state, out, items.value, type, base);
        else if (span_is(type, "systemNotification"))
            talk_other(out, items.value, type, base);
        else
            talk_content(out, items.value, speaker, base);
    }
}

static void goose_read_line(void *at, const struct unit *unit, struct outlet *out)
{
    enum { GOOSE_ROLE, GOOSE_CREATED, GOOSE_CONTENT, GOOSE_SESSION, GOOSE_MEMBERS };
    static const char *const names[] = {"role", "created", "content", "session_id"};
    struct span m[GOOSE_MEMBERS];
    struct goose_state *state = at;
    enum speaker speaker;
    if (!pick_unit(unit, out, names, m, GOOSE_MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message"), .host = SPAN("goose")};
    base.session = pick_string(m[GOOSE_SESSION], arena);
    pick_time(m[GOOSE_CREATED], &base);
    if (talk_speaker(pick_string(m[GOOSE_ROLE], arena), &speaker))
        blocks(state, out, m[GOOSE_CONTENT], speaker, &base);
    if (!out->count)
        outlet_noise(out, "metadata");
}

static bool goose_is_line(struct span line)
{
    static const char *const said[] = {"role", "created", "content", NULL};
    static const char *const head[] = {"working_dir", "description", NULL};
    return jsonr_is_object(line) && (object_has(line, said) || object_has(line, head));
}

static void goose_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, goose_is_line), 90,
                "have role, created and content of Goose's sessions");
}

static const char *const goose_cannot_show[] = {
    "annotations (_meta) of results, in versions that kept their content alone",
    "definitions and hints of tools",
    "approvals, where the request for one was not kept",
    NULL,
};

static const char *const goose_places[] = {
    PLACE_DATA "/goose/sessions/sessions.db",
    PLACE_DATA "/goose/sessions/*.jsonl",
    NULL,
};

const struct reader reader_goose = {
    .name = "goose",
    .title = "Goose's sessions, in files or its database",
    .places = goose_places,
    .cannot_show = goose_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = goose_probe,
    .open = goose_open_state,
    .read = goose_read_line,
    .close = goose_close_state,
};
