/*
 * Inspect's evaluations: the members of an .eval archive, one behind the other (a header, then a
 * value a sample), and the older form of one JSON document with "samples"
 * (inspect.aisi.org.uk/eval-logs.html; the shapes: reference/inspect_ai.log, inspect_ai.model). A
 * sample is a session: its messages are what the model was shown. Its events tell the times of
 * calls, and what was cut.
 */
#include "ingest/names.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/inspect_attachments.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { INSPECT_NAME_SIZE = 128 };

struct inspect_state {
    char run[INSPECT_NAME_SIZE], host[INSPECT_NAME_SIZE];
    size_t run_len, host_len;
};

/* What the events of a sample tell of a call. */
struct inspect_tool {
    struct record start, end; /* for their times alone */
    bool truncated, approved; /* by a person */
};

struct inspect_tools {
    struct names ids;
    struct inspect_tool *at;
    size_t count, size;
};

static void *inspect_open_state(struct span path)
{
    (void)path;
    return NEW(struct inspect_state);
}

static struct span inspect_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

static size_t inspect_keep(char *into, size_t at, struct span text)
{
    text = span_sub(text, 0, INSPECT_NAME_SIZE - at);
    memcpy(into + at, text.at, text.len);
    return at + text.len;
}

/* {eval: {run_id, model, …}}: sessions of two runs of one task are two. */
static void inspect_head(struct inspect_state *state, struct span head, struct arena *arena)
{
    struct span eval = inspect_member(head, "eval");
    struct span model = pick_string(inspect_member(eval, "model"), arena);
    struct span run = pick_string(inspect_member(eval, "run_id"), arena);
    if (!jsonr_is_object(eval))
        return;
    state->run_len = inspect_keep(state->run, 0, run);
    state->host_len = inspect_keep(state->host, 0, SPAN("inspect "));
    state->host_len = inspect_keep(state->host, state->host_len, model);
}

/* ---- events ---- */

static struct inspect_tool *inspect_tool_of(struct inspect_tools *tools, struct span id)
{
    int64_t *place = names_at(&tools->ids, id);
    if (!*place) {
        tools->at = mem_one_more(tools->at, tools->count, &tools->size, sizeof *tools->at);
        tools->at[tools->count++] =
            (struct inspect_tool){.start = {.time_digits = -1}, .end = {.time_digits = -1}};
        *place = (int64_t)tools->count;
    }
    return &tools->at[*place - 1];
}

static void inspect_events(struct inspect_tools *tools, struct span events, struct arena *arena)
{
    enum {
        INS_EVENT,
        INS_ID,
        INS_START,
        INS_END,
        INS_TRUNCATED,
        INS_CALL,
        INS_APPROVER,
        INS_DECISION,
        INS_MEMBERS
    };
    static const char *const names[] = {"event",     "id",   "timestamp", "completed",
                                        "truncated", "call", "approver",  "decision"};
    struct span m[INS_MEMBERS];
    struct jsonr_items items;
    if (!jsonr_is_array(events))
        return;
    for (jsonr_items_init(&items, events); jsonr_items_next(&items);) {
        pick(items.value, names, m, INS_MEMBERS);
        bool approval = span_is(m[INS_EVENT], "\"approval\"");
        struct span id =
            pick_string(approval ? inspect_member(m[INS_CALL], "id") : m[INS_ID], arena);
        if ((!approval && !span_is(m[INS_EVENT], "\"tool\"")) || !id.len)
            continue;
        struct inspect_tool *tool = inspect_tool_of(tools, id);
        if (approval) {
            tool->approved =
                span_is(m[INS_APPROVER], "\"human\"") &&
                (span_is(m[INS_DECISION], "\"approve\"") || span_is(m[INS_DECISION], "\"modify\""));
            continue;
        }
        pick_time(m[INS_START], &tool->start);
        pick_time(m[INS_END], &tool->end);
        tool->truncated = jsonr_is_array(m[INS_TRUNCATED]);
    }
}

static void inspect_times(struct inspect_tools *tools, struct outlet *out, size_t first)
{
    for (size_t i = first; i < out->count; i++) {
        struct record *r = &out->records[i];
        bool call = r->kind == RECORD_CALL, result = r->kind == RECORD_RESULT;
        int64_t place = (call || result) && r->call_id.len ? *names_at(&tools->ids, r->call_id) : 0;
        if (!place)
            continue;
        const struct inspect_tool *tool = &tools->at[place - 1];
        const struct record *when = call ? &tool->start : &tool->end;
        r->time_ns = when->time_ns;
        r->time_digits = when->time_digits;
        r->truncated = result && tool->truncated;
        if (call && tool->approved)
            r->decision = DECISION_APPROVED;
    }
}

/* ---- messages ---- */

/* Tools that the model's provider ran, of MCP servers too: {type: "tool_use", tool_type, id, name,
 * context, arguments, result, error} tells call and result at once. */
static void inspect_provider_tools(struct outlet *out, size_t call, struct span content,
                                   const struct record *base)
{
    enum { INS_TYPE, INS_ID, INS_CONTEXT, INS_RESULT, INS_ERROR, INS_KIND, INS_MEMBERS };
    static const char *const names[] = {"type", "id", "context", "result", "error", "tool_type"};
    struct arena *arena = outlet_arena(out);
    struct span m[INS_MEMBERS];
    struct jsonr_items items;
    size_t calls = out->count;
    if (!jsonr_is_array(content))
        return;
    for (jsonr_items_init(&items, content); jsonr_items_next(&items);) {
        pick(items.value, names, m, INS_MEMBERS);
        if (!span_is(m[INS_TYPE], "\"tool_use\"") || !m[INS_KIND].at)
            continue;
        struct span id = pick_string(m[INS_ID], arena);
        while (call < calls && !span_equal(out->records[call].call_id, id))
            call++; /* calls stand in the order of their blocks */
        if (call < calls)
            out->records[call++].server = pick_string(m[INS_CONTEXT], arena);
        bool failed = m[INS_ERROR].at && !span_is(m[INS_ERROR], "null");
        if (!m[INS_RESULT].at && !failed)
            continue;
        struct record *record =
            talk_value(out, RECORD_RESULT, failed ? m[INS_ERROR] : m[INS_RESULT], base);
        record->call_id = id;
        record->is_error = failed;
    }
}

/* What a tool's error tells: {type: "approval" | "timeout" | …, message}. It is shown to the model
 * in place of content. */
static void inspect_error(struct outlet *out, size_t first, struct span error)
{
    struct span message = inspect_member(error, "message");
    bool refused = span_is(inspect_member(error, "type"), "\"approval\"");
    for (size_t i = first; i < out->count; i++) {
        struct record *r = &out->records[i];
        if (r->kind != RECORD_RESULT)
            continue;
        r->refused = refused;
        if (!r->payload.len && jsonr_is_string(message)) {
            r->payload = message;
            r->recipe = "s;";
        }
    }
}

static void inspect_message(struct outlet *out, struct span message, const struct record *base)
{
    size_t first = out->count;
    struct span error = inspect_member(message, "error");
    talk_message(out, message, base);
    if (span_is(inspect_member(message, "role"), "\"assistant\""))
        inspect_provider_tools(out, first, inspect_member(message, "content"), base);
    else if (jsonr_is_object(error))
        inspect_error(out, first, error);
}

static struct span inspect_session(const struct inspect_state *state, const struct span *id,
                                   const struct span *epoch, struct arena *arena)
{
    struct span run = {state->run, state->run_len};
    struct span name = jsonr_is_string(*id) ? pick_string(*id, arena) : *id;
    return span_of(arena_printf(arena, "%.*s%s%.*s epoch %.*s", SPAN_ARG(run), run.len ? " " : "",
                                SPAN_ARG(name), SPAN_ARG(*epoch)));
}

static bool inspect_sample(const struct inspect_state *state, const struct unit *unit,
                           struct outlet *out, struct span sample)
{
    enum { INS_ID, INS_EPOCH, INS_INPUT, INS_MESSAGES, INS_EVENTS, INS_ATTACHMENTS, INS_MEMBERS };
    static const char *const names[] = {"id",       "epoch",  "input",
                                        "messages", "events", "attachments"};
    struct arena *arena = outlet_arena(out);
    struct inspect_tools tools = {0};
    struct span m[INS_MEMBERS];
    struct jsonr_items items;
    pick(sample, names, m, INS_MEMBERS);
    if (!m[INS_EPOCH].at || !m[INS_ID].at)
        return false;
    struct record base = {.time_digits = -1,
                          .host = {state->host, state->host_len},
                          .rpc_type = SPAN("sample"),
                          .session = inspect_session(state, &m[INS_ID], &m[INS_EPOCH], arena)};
    inspect_events(&tools, m[INS_EVENTS], arena);
    if (jsonr_is_array(m[INS_MESSAGES]))
        for (jsonr_items_init(&items, m[INS_MESSAGES]); jsonr_items_next(&items);) {
            base.within = items.value;
            inspect_message(out, items.value, &base);
        }
    if (!out->count) /* it ended before a message was sent */
        talk_content(out, m[INS_INPUT], SPEAKER_USER, &base);
    inspect_times(&tools, out, 0);
    inspect_attach(out, unit, m[INS_ATTACHMENTS]);
    names_finish(&tools.ids);
    mem_free(tools.at);
    if (!out->count)
        outlet_noise(out, "empty");
    return true;
}

/* ---- units ---- */

static bool inspect_whole(const struct unit *unit, struct outlet *out)
{
    static const char *const nothing[] = {"id"};
    struct span none[1];
    return pick_unit(unit, out, nothing, none, 1);
}

static void inspect_read_value(void *at, const struct unit *unit, struct outlet *out)
{
    struct inspect_state *state = at;
    struct span value = span_trim(unit->text);
    if (!inspect_whole(unit, out) || inspect_sample(state, unit, out, value))
        return;
    inspect_head(state, value, outlet_arena(out));
    outlet_noise(out, "metadata");
}

static void inspect_read_document(void *at, const struct unit *unit, struct outlet *out)
{
    struct inspect_state *state = at;
    struct span text = span_trim(unit->text);
    if (unit->part == UNIT_HEAD)
        inspect_head(state, text, outlet_arena(out));
    if (unit->part != UNIT_ELEMENT) {
        if (text.len)
            outlet_noise(out, "document");
        return;
    }
    if (inspect_whole(unit, out) && !inspect_sample(state, unit, out, text))
        outlet_noise(out, "json");
}

/* ---- probes ---- */

static bool inspect_is_value(struct span value)
{
    static const char *const sample[] = {"id", "epoch", "input", "target", NULL};
    static const char *const head[] = {"version", "eval", "plan", NULL};
    return jsonr_is_object(value) && (object_has(value, sample) || object_has(value, head));
}

static void inspect_probe_values(struct probe *p)
{
    struct span samples;
    if (!probe_begins(p, '{') || probe_member(p, "samples", &samples))
        return;
    probe_count(p, probe_values(p, inspect_is_value), 94,
                "are the header or samples of an evaluation of Inspect's");
}

static void inspect_probe_document(struct probe *p)
{
    static const char *const eval_names[] = {"task", "model", NULL};
    struct span eval, samples;
    if (probe_begins(p, '{') && probe_member(p, "eval", &eval) && object_has(eval, eval_names) &&
        (!p->whole || probe_member(p, "samples", &samples)))
        probe_say(p, 93, "a document with eval and samples");
}

static const char *const inspect_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which server a tool belongs to, but for those that the provider ran",
    "times of messages, but for calls",
    "approvals, but those of a person",
    NULL,
};

const struct reader reader_inspect = {
    .name = "inspect",
    .title = "Inspect's evaluations (.eval)",
    .where = "logs/*.eval",
    .cannot_show = inspect_cannot_show,
    .framing = FRAME_VALUES,
    .transcript = true,
    .probe = inspect_probe_values,
    .open = inspect_open_state,
    .read = inspect_read_value,
    .close = mem_free,
};

const struct reader reader_inspect_json = {
    .name = "inspect-json",
    .title = "Inspect's evaluations of older versions (one document)",
    .where = "logs/*.json",
    .cannot_show = inspect_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "samples",
    .transcript = true,
    .probe = inspect_probe_document,
    .open = inspect_open_state,
    .read = inspect_read_document,
    .close = mem_free,
};
