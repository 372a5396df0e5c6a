/*
 * Cline's and Roo's ui_messages.json: an array of what was shown to the person.
 * JSON in strings in strings, and no ids: an answer belongs to the call before.
 */
#include "ingest/pick.h"
#include "ingest/places.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { TS, CLINE_TYPE, ASK, SAY, TEXT, PARTIAL, CLINE_MEMBERS };
static const char *const cline_names[CLINE_MEMBERS] = {"ts",  "type", "ask",
                                                       "say", "text", "partial"};

struct cline_state {
    bool begun;                  /* something was said */
    unsigned mcp, command, host; /* calls so far, which makes their ids */
    bool asked; /* the person was asked for the last MCP call, and it did not begin */
    bool let; /* it began after that: the answer was yes. What needs no asking is said, not asked */
    bool command_asked; /* the same of the last command, which has no output yet */
};

static void *cline_open_state(struct span path)
{
    (void)path;
    return NEW(struct cline_state);
}

static struct span call_id(struct arena *arena, const char *kind, unsigned number)
{
    return span_of(arena_printf(arena, "%s-%u", kind, number));
}

/* {"serverName","toolName","arguments":"…"} or {"uri"} in a string. */
static void mcp_call(struct cline_state *state, struct outlet *out, struct span literal,
                     const struct record *base)
{
    enum { CLINE_SERVER, TOOL, CLINE_ARGUMENTS, URI, INNER };
    static const char *const inner[] = {"serverName", "toolName", "arguments", "uri"};
    struct arena *arena = outlet_arena(out);
    struct span text = pick_string(literal, arena), c[INNER];
    pick(text, inner, c, INNER);
    struct record *record = outlet_record(out, RECORD_CALL);
    *record = *base;
    record->kind = RECORD_CALL;
    record->payload = literal;
    record->recipe = jsonr_is_string(c[CLINE_ARGUMENTS]) ? "s;/arguments;s;"
                     : c[CLINE_ARGUMENTS].at             ? "s;/arguments;"
                     : c[URI].at                         ? "s;/uri;"
                                                         : "s;";
    record->text = jsonr_is_string(c[CLINE_ARGUMENTS]) ? pick_string(c[CLINE_ARGUMENTS], arena)
                   : c[CLINE_ARGUMENTS].at             ? c[CLINE_ARGUMENTS]
                   : c[URI].at                         ? c[URI]
                                                       : text;
    record->server = pick_string(c[CLINE_SERVER], arena);
    record->tool = c[TOOL].at ? pick_string(c[TOOL], arena) : SPAN("access_mcp_resource");
    record->call_id = call_id(arena, "mcp", ++state->mcp);
}

/* A tool of the host: {"tool":"readFile","path":…,"content":…} tells call and result at once. */
static void host_tool(struct cline_state *state, struct outlet *out, struct span literal,
                      const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span text = pick_string(literal, arena), tool = {0}, content;
    jsonr_member(text, "tool", &tool);
    struct record *record = talk_value(out, RECORD_CALL, literal, base);
    record->tool = pick_string(tool, arena);
    record->call_id = call_id(arena, "host", ++state->host);
    struct span id = record->call_id;
    if (!jsonr_member(text, "content", &content))
        return;
    record = talk_value(out, RECORD_RESULT, literal, base);
    record->payload = literal;
    record->recipe = jsonr_is_string(content) ? "s;/content;s;" : "s;/content;";
    record->text = jsonr_is_string(content) ? pick_string(content, arena) : content;
    record->call_id = id;
}

/* The model was asked for more, and the call that the person was asked for has not begun. */
static void refused_call(struct cline_state *state, struct outlet *out, struct span text,
                         const struct record *base)
{
    struct record *record = talk_value(out, RECORD_RESULT, span_sub(text, 0, 0), base);
    record->call_id = call_id(outlet_arena(out), "mcp", state->mcp);
    record->is_error = record->refused = true;
    state->asked = false;
}

static bool is_one_of(struct span word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(word, words[i]))
            return true;
    return false;
}

/* What was asked for has an answer: then a person let it be made. */
static void answer(struct outlet *out, struct span text, struct span id, bool let,
                   const struct record *base)
{
    struct record *record = talk_value(out, RECORD_RESULT, text, base);
    record->call_id = id;
    record->decision = let ? DECISION_APPROVED : DECISION_NONE;
}

static void read_said(struct cline_state *state, struct outlet *out, struct span what, bool said,
                      struct span text, const struct record *base)
{
    static const char *const person[] = {"task", "user_feedback", "user_feedback_diff"};
    static const char *const silent[] = {"api_req_started",
                                         "api_req_finished",
                                         "reasoning",
                                         "checkpoint_created",
                                         "checkpoint_saved",
                                         "api_req_retried",
                                         "mcp_server_request_started",
                                         "shell_integration_warning",
                                         "condense_context"};
    struct arena *arena = outlet_arena(out);
    if (span_is(what, "use_mcp_server")) {
        mcp_call(state, out, text, base);
        state->asked = !said;
        state->let = false;
    } else if (span_is(what, "mcp_server_response")) {
        bool let = state->asked || state->let;
        answer(out, text, call_id(arena, "mcp", state->mcp), let, base);
        state->asked = state->let = false;
    } else if (span_is(what, "tool")) {
        host_tool(state, out, text, base);
    } else if (span_is(what, "command")) {
        struct record *record = talk_value(out, RECORD_CALL, text, base);
        record->tool = SPAN("execute_command");
        record->call_id = call_id(arena, "command", ++state->command);
        state->command_asked = !said;
    } else if (span_is(what, "command_output")) {
        answer(out, text, call_id(arena, "command", state->command), state->command_asked, base);
        state->command_asked = false;
    } else if (said && is_one_of(what, person, COUNT_OF(person))) {
        talk_value(out, RECORD_PROMPT, text, base);
    } else if (state->asked && span_is(what, "api_req_started")) {
        refused_call(state, out, text, base);
    } else if (is_one_of(what, silent, COUNT_OF(silent))) {
        outlet_noise(out, "progress");
    } else if (span_is(what, "text") || span_is(what, "completion_result") ||
               span_is(what, "followup") || span_is(what, "plan_mode_respond")) {
        talk_value(out, RECORD_ASSISTANT, text, base);
    } else {
        talk_other(out, text, what, base);
    }
}

static void cline_read_unit(void *at, const struct unit *unit, struct outlet *out)
{
    struct cline_state *state = at;
    struct span m[CLINE_MEMBERS];
    if (unit->part != UNIT_ELEMENT) {
        if (span_trim(unit->text).len)
            outlet_noise(out, "document");
        return;
    }
    if (!pick_unit(unit, out, cline_names, m, CLINE_MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    bool said = m[SAY].at;
    struct span what = pick_string(said ? m[SAY] : m[ASK], arena);
    struct record base = {.time_digits = -1, .rpc_type = what, .host = SPAN("cline")};
    pick_time(m[TS], &base);
    if (span_is(what, "mcp_server_request_started")) { /* it has no text */
        state->let = state->let || state->asked;
        state->asked = false;
    }
    if (!jsonr_is_string(m[TEXT]) || m[TEXT].len == 2 || pick_true(m[PARTIAL])) {
        outlet_noise(out, "empty");
        return;
    }
    /* The first text of the file is the person's: their task, where no line is called so. */
    if (said && !state->begun && span_is(what, "text"))
        what = SPAN("task");
    state->begun = true;
    read_said(state, out, what, said, m[TEXT], &base);
}

static void cline_probe(struct probe *p)
{
    struct jsonr_items items;
    struct vote vote = {0};
    struct span value;
    if (!probe_begins(p, '['))
        return;
    jsonr_items_init(&items, span_trim(p->head));
    while (vote.seen < PROBE_RECORDS && jsonr_items_next(&items)) {
        vote.seen++;
        vote.matched +=
            jsonr_member(items.value, "ts", &value) &&
            (jsonr_member(items.value, "say", &value) || jsonr_member(items.value, "ask", &value));
    }
    probe_count(p, vote, 95, "have ts and say or ask");
}

static const char *const cline_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which answer belongs to which call, but by their order",
    "whether a setting answered in the person's name where a call was asked for; a call that never "
    "began was refused",
    NULL,
};

static const char *const cline_places[] = {
    PLACE_CONFIG "/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/*/ui_messages.json",
    PLACE_CONFIG "/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/*/ui_messages.json",
    NULL,
};

const struct reader reader_cline = {
    .name = "cline",
    .title = "Cline's and Roo's ui_messages.json",
    .places = cline_places,
    .cannot_show = cline_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "",
    .transcript = true,
    .probe = cline_probe,
    .open = cline_open_state,
    .read = cline_read_unit,
    .close = mem_free,
};
