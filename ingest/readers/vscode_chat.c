/*
 * VS Code's chats, as "Chat: Export Chat…" writes them and as they lie in
 * workspaceStorage/ID/chatSessions: a document with requests, each a message of the person and the
 * parts of the response, tools that were called among them (src/vs/workbench/contrib/chat/common,
 * ISerializableChatRequestData).
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { VSCODE_CHAT_ID = 96 };

struct vscode_chat_state {
    char session[VSCODE_CHAT_ID];
    size_t session_len;
};

static void *vscode_chat_open(struct span path)
{
    (void)path;
    return NEW(struct vscode_chat_state);
}

static struct span vscode_chat_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_is_object(object) && jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* How the call came to be allowed: a word of ConfirmedReason's. */
static enum decision vscode_chat_decision(struct span confirmed)
{
    struct span type = vscode_chat_member(confirmed, "type");
    if (span_is(confirmed, "false") || span_is(type, "0"))
        return DECISION_REFUSED;
    return span_is(type, "4") ? DECISION_APPROVED : DECISION_NONE;
}

/* "mcp_SERVER_TOOL", where the server is known. */
static struct span vscode_chat_tool(struct span id, struct span server)
{
    struct span rest = span_sub(id, sizeof "mcp_" - 1, id.len);
    bool named = span_starts_with(id, SPAN("mcp_")) && server.len && rest.len > server.len + 1 &&
                 span_equal_nocase(span_sub(rest, 0, server.len), server) &&
                 rest.at[server.len] == '_';
    return named ? span_sub(rest, server.len + 1, rest.len) : id;
}

/* The text of a result that is one text; else all of it. */
static struct span vscode_chat_output(struct span output)
{
    struct jsonr_items items;
    if (!jsonr_is_array(output))
        return output;
    jsonr_items_init(&items, output);
    if (!jsonr_items_next(&items))
        return output;
    struct span text = vscode_chat_member(items.value, "value");
    return jsonr_is_string(text) && !jsonr_items_next(&items) ? text : output;
}

static void vscode_chat_call(struct outlet *out, struct span part, struct span results,
                             const struct record *base)
{
    enum { C_ID, C_TOOL, C_SOURCE, C_DETAILS, C_DATA, C_CONFIRMED, C_COUNT };
    static const char *const names[C_COUNT] = {"toolCallId",    "toolId",           "source",
                                               "resultDetails", "toolSpecificData", "isConfirmed"};
    struct arena *arena = outlet_arena(out);
    struct span c[C_COUNT];
    pick(part, names, c, C_COUNT);
    struct span input = vscode_chat_member(c[C_DETAILS], "input");
    struct span raw = vscode_chat_member(c[C_DATA], "rawInput");
    struct span command = vscode_chat_member(c[C_DATA], "commandLine");
    struct span args = input.at     ? input
                       : raw.at     ? raw
                       : command.at ? command
                                    : span_sub(part, 0, 0);
    struct record *record = talk_value(out, RECORD_CALL, args, base);
    if (span_is(vscode_chat_member(c[C_SOURCE], "type"), "\"mcp\""))
        record->server = pick_string(vscode_chat_member(c[C_SOURCE], "label"), arena);
    record->tool = vscode_chat_tool(pick_string(c[C_TOOL], arena), record->server);
    record->call_id = pick_string(c[C_ID], arena);
    record->decision = vscode_chat_decision(c[C_CONFIRMED]);
    struct span id = record->call_id;
    struct span output = vscode_chat_output(vscode_chat_member(c[C_DETAILS], "output"));
    if (!output.at && id.len)
        output = vscode_chat_output(vscode_chat_member(
            vscode_chat_member(results, arena_printf(arena, "%.*s", SPAN_ARG(id))), "content"));
    bool refused = vscode_chat_decision(c[C_CONFIRMED]) == DECISION_REFUSED;
    if (!output.at && !refused)
        return;
    record = talk_value(out, RECORD_RESULT, output.at ? output : span_sub(part, 0, 0), base);
    record->call_id = id;
    record->refused = refused;
    record->is_error = refused || pick_true(vscode_chat_member(c[C_DETAILS], "isError"));
}

static void vscode_chat_part(struct outlet *out, struct span part, struct span results,
                             const struct record *base)
{
    struct span kind = vscode_chat_member(part, "kind");
    if (span_is(kind, "\"toolInvocationSerialized\""))
        vscode_chat_call(out, part, results, base);
    else if (span_is(kind, "\"markdownContent\""))
        talk_content(out, vscode_chat_member(vscode_chat_member(part, "content"), "value"),
                     SPEAKER_ASSISTANT, base);
    else if (!kind.at)
        talk_content(out, vscode_chat_member(part, "value"), SPEAKER_ASSISTANT, base);
}

static void vscode_chat_request(const struct vscode_chat_state *state, struct outlet *out,
                                const struct unit *unit)
{
    enum { R_MESSAGE, R_RESPONSE, R_RESULT, R_TIME, R_COUNT };
    static const char *const names[R_COUNT] = {"message", "response", "result", "timestamp"};
    struct span r[R_COUNT];
    struct jsonr_items items;
    if (!pick_unit(unit, out, names, r, R_COUNT))
        return;
    struct record base = {.time_digits = -1,
                          .rpc_type = SPAN("request"),
                          .host = SPAN("vscode"),
                          .session = {state->session, state->session_len}};
    pick_time(r[R_TIME], &base);
    struct span text = vscode_chat_member(r[R_MESSAGE], "text");
    base.within = r[R_MESSAGE];
    talk_content(out, text.at ? text : r[R_MESSAGE], SPEAKER_USER, &base);
    base.time_digits = -1; /* that was when it was asked */
    struct span results =
        vscode_chat_member(vscode_chat_member(r[R_RESULT], "metadata"), "toolCallResults");
    if (jsonr_is_array(r[R_RESPONSE]))
        for (jsonr_items_init(&items, r[R_RESPONSE]); jsonr_items_next(&items);) {
            base.within = items.value;
            vscode_chat_part(out, items.value, results, &base);
        }
    if (!out->count)
        outlet_noise(out, "empty");
}

static void vscode_chat_read(void *at, const struct unit *unit, struct outlet *out)
{
    struct vscode_chat_state *state = at;
    struct span text = span_trim(unit->text);
    if (unit->part == UNIT_ELEMENT) {
        vscode_chat_request(state, out, unit);
        return;
    }
    if (unit->part == UNIT_HEAD) {
        struct span id = pick_string(vscode_chat_member(text, "sessionId"), outlet_arena(out));
        state->session_len = id.len < VSCODE_CHAT_ID ? id.len : 0;
        memcpy(state->session, id.at ? id.at : "", state->session_len);
    }
    if (text.len)
        outlet_noise(out, "document");
}

static void vscode_chat_probe(struct probe *p)
{
    static const char *const needed[] = {"message", "response", NULL};
    struct span requests, name;
    struct jsonr_items items;
    if (!probe_begins(p, '{') || !probe_member(p, "requests", &requests) ||
        !jsonr_is_array(requests))
        return;
    bool named =
        probe_member(p, "responderUsername", &name) || probe_member(p, "requesterUsername", &name);
    jsonr_items_init(&items, requests);
    if (jsonr_items_next(&items) && (object_has(items.value, needed) || named))
        probe_say(p, named ? 95 : 80, "a document whose \"requests\" have message and response");
}

static const char *const vscode_chat_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "what the model was shown of a result",
    "times of single calls",
    "the system prompt",
    NULL,
};

static const char *const vscode_chat_places[] = {
    "~/.config/Code/User/workspaceStorage/*/chatSessions/*.json", NULL};

const struct reader reader_vscode_chat = {
    .name = "vscode-chat",
    .title = "VS Code's chats (chatSessions, Export Chat)",
    .places = vscode_chat_places,
    .cannot_show = vscode_chat_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "requests",
    .transcript = true,
    .probe = vscode_chat_probe,
    .open = vscode_chat_open,
    .read = vscode_chat_read,
    .close = mem_free,
};
