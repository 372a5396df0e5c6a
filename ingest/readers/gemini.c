/*
 * Gemini CLI: session files of JSON lines (metadata, messages, {"$set": …},
 * {"$rewindTo": id}; the last line of an id wins), the older single document, and
 * `gemini -o stream-json`. Answers of MCP tools stand as the model was shown them.
 */
#include "base/hash.h"
#include "ingest/names.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/tree.h"

enum { GEMINI_NAME_SIZE = 96 };

/* A place of records: a message, or a text of it, which may have been written again. */
struct gemini_node {
    uint32_t in_tree;
    bool replaced;
};

struct gemini_state {
    char session[GEMINI_NAME_SIZE];
    size_t session_len;
    struct names said;  /* what of a message was given out already, by id and part */
    struct names texts; /* the node of the text that a message has now, by its id */
    struct tree *tree;
    struct gemini_node *nodes;
    size_t node_count, node_size;
    struct arena ids;
    struct span *path; /* ids of the messages that the conversation consists of now */
    size_t path_len, path_size;
    unsigned rewinds;
};

/* Above all messages, so that what is left of a conversation begun anew is off its path. */
#define GEMINI_ROOT SPAN("\1conversation")

static void *gemini_open_state(struct span path)
{
    (void)path;
    struct gemini_state *state = NEW(struct gemini_state);
    state->tree = tree_create();
    tree_add(state->tree, GEMINI_ROOT, SPAN_EMPTY, NODE_OTHER, SPAN_EMPTY, SPAN_EMPTY);
    return state;
}

static void gemini_close_state(void *at)
{
    struct gemini_state *state = at;
    if (!state)
        return;
    names_finish(&state->said);
    names_finish(&state->texts);
    tree_destroy(state->tree);
    arena_finish(&state->ids);
    mem_free(state->nodes);
    mem_free(state->path);
    mem_free(state);
}

static bool gemini_abandoned(void *at, uint32_t node)
{
    const struct gemini_state *state = at;
    if (!node || node > state->node_count)
        return false;
    const struct gemini_node *place = &state->nodes[node - 1];
    return place->replaced || tree_abandoned(state->tree, place->in_tree);
}

static uint32_t gemini_place(struct gemini_state *state, uint32_t in_tree)
{
    state->nodes =
        mem_one_more(state->nodes, state->node_count, &state->node_size, sizeof *state->nodes);
    state->nodes[state->node_count++] = (struct gemini_node){in_tree, false};
    return (uint32_t)state->node_count;
}

static struct span gemini_last(const struct gemini_state *state)
{
    return state->path_len ? state->path[state->path_len - 1] : GEMINI_ROOT;
}

/* A message's node in the tree; a new one hangs below the last one. */
static uint32_t gemini_hang(struct gemini_state *state, struct span id, bool model)
{
    uint32_t node = id.len ? tree_find(state->tree, id) : 0;
    if (node)
        return node;
    node = tree_add(state->tree, id, gemini_last(state), model ? NODE_ASSISTANT : NODE_PROMPT,
                    SPAN_EMPTY, SPAN_EMPTY);
    if (!id.len)
        return node;
    state->path =
        mem_one_more(state->path, state->path_len, &state->path_size, sizeof *state->path);
    state->path[state->path_len++] = arena_copy(&state->ids, id);
    return node;
}

/* The message of that id and all behind it are undone; all are, where there is none of that id. */
static void gemini_rewind(struct gemini_state *state, struct span id, struct arena *arena)
{
    size_t at = state->path_len;
    while (at && !span_equal(state->path[at - 1], id))
        at--;
    state->path_len = at ? at - 1 : 0;
    /* The path ends here, also where nothing more is said. */
    const char *name = arena_printf(arena, "\1rewind %u", ++state->rewinds);
    tree_add(state->tree, span_of(name), gemini_last(state), NODE_PROMPT, SPAN_EMPTY, SPAN_EMPTY);
}

/* A text that stands in place of one that was told before: that one is not part of the
 * conversation any more. */
static uint32_t gemini_text_place(struct gemini_state *state, struct span id, uint32_t in_tree)
{
    uint32_t place = gemini_place(state, in_tree);
    if (!id.len)
        return place;
    int64_t *now = names_at(&state->texts, id);
    if (*now)
        state->nodes[*now - 1].replaced = true;
    *now = place;
    return place;
}

static void gemini_keep(char *into, size_t *len, struct span text)
{
    text = span_sub(text, 0, GEMINI_NAME_SIZE);
    memcpy(into, text.at, text.len);
    *len = text.len;
}

static struct span gemini_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* Is it the first time that this part of a message comes? A line that is written again only adds.
 */
static bool is_new(struct gemini_state *state, struct arena *arena, struct span id,
                   const char *part, struct span content)
{
    if (!id.len)
        return true;
    uint64_t hash = hash_of(content);
    const char *key =
        arena_printf(arena, "%s %.*s %llx", part, SPAN_ARG(id), (unsigned long long)hash);
    int64_t *seen = names_at(&state->said, span_of(key));
    bool first = !*seen;
    *seen = 1;
    return first;
}

/* ---- calls ---- */

static void gemini_tool_name(struct span name, struct record *record)
{
    if (!talk_tool_name(name, &record->server, &record->tool) &&
        !talk_split_name(name, "mcp_", "_", &record->server, &record->tool))
        talk_split_name(name, "", "__", &record->server, &record->tool);
}

/* [{functionResponse: {id, name, response: {output | error}}}], or a plain string in old files. */
static struct span output_of(struct span result)
{
    struct jsonr_items items;
    if (!jsonr_is_array(result))
        return result;
    jsonr_items_init(&items, result);
    if (!jsonr_items_next(&items))
        return result;
    struct span response =
        gemini_member(gemini_member(items.value, "functionResponse"), "response");
    struct span output = gemini_member(response, "output"),
                error = gemini_member(response, "error");
    return output.at ? output : error.at ? error : response.at ? response : result;
}

static void gemini_tool_call(struct gemini_state *state, struct outlet *out, struct span call,
                             const struct record *line_base)
{
    enum {
        GEMINI_ID,
        GEMINI_NAME,
        GEMINI_ARGS,
        GEMINI_RESULT,
        GEMINI_STATUS,
        GEMINI_TIME,
        GEMINI_MEMBERS
    };
    static const char *const gemini_names[] = {"id",     "name",   "args",
                                               "result", "status", "timestamp"};
    struct arena *arena = outlet_arena(out);
    struct span c[GEMINI_MEMBERS];
    pick(call, gemini_names, c, GEMINI_MEMBERS);
    struct span id = pick_string(c[GEMINI_ID], arena),
                status = pick_string(c[GEMINI_STATUS], arena);
    struct record base = *line_base;
    if (is_new(state, arena, id, "call", SPAN_EMPTY)) {
        struct record *record = talk_value(
            out, RECORD_CALL, c[GEMINI_ARGS].at ? c[GEMINI_ARGS] : span_sub(call, 0, 0), &base);
        record->call_id = id;
        gemini_tool_name(pick_string(c[GEMINI_NAME], arena), record);
    }
    bool cancelled = span_is(status, "cancelled");
    if ((!c[GEMINI_RESULT].at && !cancelled) || !is_new(state, arena, id, "result", SPAN_EMPTY))
        return;
    pick_time(c[GEMINI_TIME], &base);
    struct span output = c[GEMINI_RESULT].at ? output_of(c[GEMINI_RESULT]) : span_sub(call, 0, 0);
    struct record *record = talk_value(out, RECORD_RESULT, output, &base);
    record->call_id = id;
    record->is_error = span_is(status, "error") || cancelled;
    struct span front = span_sub(output, 0, 120); /* behind <untrusted_context> as well */
    record->truncated = span_find(front, SPAN("Output too large. ")) < front.len;
    record->refused = cancelled;
}

/* ---- messages ---- */

enum {
    GEMINI_ID,
    GEMINI_TYPE,
    GEMINI_CONTENT,
    GEMINI_TIME,
    GEMINI_CALLS,
    GEMINI_SESSION,
    SET,
    REWIND,
    HASH,
    MODEL,
    GEMINI_MEMBERS
};
static const char *const gemini_names[GEMINI_MEMBERS] = {
    "id",        "type", "content",   "timestamp",   "toolCalls",
    "sessionId", "$set", "$rewindTo", "projectHash", "model",
};

static bool holds_answers(struct span content)
{
    return span_find(content, SPAN("\"functionResponse\"")) < content.len;
}

static void message(struct gemini_state *state, struct outlet *out, struct span text)
{
    struct arena *arena = outlet_arena(out);
    struct span m[GEMINI_MEMBERS];
    pick(text, gemini_names, m, GEMINI_MEMBERS);
    struct span type = pick_string(m[GEMINI_TYPE], arena), id = pick_string(m[GEMINI_ID], arena);
    bool model = span_is(type, "gemini") || span_is(type, "model");
    struct record base = {.time_digits = -1, .rpc_type = type, .host = SPAN("gemini-cli")};
    pick_time(m[GEMINI_TIME], &base);
    base.session = (struct span){state->session, state->session_len};
    uint32_t in_tree = gemini_hang(state, id, model);
    base.node = gemini_place(state, in_tree);
    if (!model && !span_is(type, "user")) {
        talk_other(out, text, type, &base);
        return;
    }
    if (!holds_answers(m[GEMINI_CONTENT]) && m[GEMINI_CONTENT].len > 2 &&
        is_new(state, arena, id, "text", m[GEMINI_CONTENT])) {
        struct record said = base;
        said.node = gemini_text_place(state, id, in_tree);
        talk_content(out, m[GEMINI_CONTENT], model ? SPEAKER_ASSISTANT : SPEAKER_USER, &said);
    }
    struct jsonr_items items;
    if (!jsonr_is_array(m[GEMINI_CALLS]))
        return;
    for (jsonr_items_init(&items, m[GEMINI_CALLS]); jsonr_items_next(&items);)
        gemini_tool_call(state, out, items.value, &base);
}

/* A list that begins with another message than the conversation did stands in its place: it was
 * compressed. */
static void gemini_replace(struct gemini_state *state, struct outlet *out, struct span array)
{
    struct jsonr_items items;
    struct arena *arena = outlet_arena(out);
    if (!state->path_len || !jsonr_is_array(array))
        return;
    jsonr_items_init(&items, array);
    if (!jsonr_items_next(&items))
        return;
    struct span id = pick_string(gemini_member(items.value, "id"), arena);
    if (span_equal(id, state->path[0]))
        return;
    struct record base = {.time_digits = -1, .host = SPAN("gemini-cli")};
    base.session = (struct span){state->session, state->session_len};
    base.node = gemini_place(state, tree_find(state->tree, gemini_last(state)));
    talk_value(out, RECORD_RESET, span_sub(array, 0, 0), &base)->compaction = true;
}

static void gemini_messages(struct gemini_state *state, struct outlet *out, struct span array)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return;
    for (jsonr_items_init(&items, array); jsonr_items_next(&items);)
        message(state, out, items.value);
}

/* The host's own words at the start of a session. */
static void mark_context(struct outlet *out)
{
    for (size_t i = 0; i < out->count; i++) {
        struct span begin = span_sub(out->records[i].payload, 0, 40);
        if (span_find(begin, SPAN("<session_context>")) < begin.len)
            out->records[i].system = out->records[i].kind == RECORD_PROMPT;
    }
}

static void gemini_read_line(void *at, const struct unit *unit, struct outlet *out)
{
    struct gemini_state *state = at;
    struct span m[GEMINI_MEMBERS];
    if (!pick_unit(unit, out, gemini_names, m, GEMINI_MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    if (m[GEMINI_SESSION].at)
        gemini_keep(state->session, &state->session_len, pick_string(m[GEMINI_SESSION], arena));
    if (m[SET].at) {
        struct span messages = gemini_member(m[SET], "messages");
        gemini_replace(state, out, messages);
        gemini_messages(state, out, messages);
    } else if (m[REWIND].at)
        gemini_rewind(state, pick_string(m[REWIND], arena), arena);
    else if (m[HASH].at)
        gemini_messages(state, out, gemini_member(span_trim(unit->text), "messages"));
    else
        message(state, out, span_trim(unit->text));
    mark_context(out);
    if (!out->count)
        outlet_noise(out, m[SET].at || m[HASH].at ? "metadata"
                          : m[REWIND].at          ? "rewind"
                                                  : "repeated");
}

static void gemini_read_document(void *at, const struct unit *unit, struct outlet *out)
{
    struct gemini_state *state = at;
    struct span m[GEMINI_MEMBERS], text = span_trim(unit->text);
    if (unit->part == UNIT_ELEMENT) {
        if (pick_unit(unit, out, gemini_names, m, GEMINI_MEMBERS))
            message(state, out, text);
        mark_context(out);
    } else if (unit->part == UNIT_HEAD) {
        pick(text, gemini_names, m, GEMINI_MEMBERS);
        gemini_keep(state->session, &state->session_len,
                    pick_string(m[GEMINI_SESSION], outlet_arena(out)));
    }
    if (!out->count && !out->bad && text.len)
        outlet_noise(out, unit->part == UNIT_ELEMENT ? "empty" : "document");
}

/* ---- -o stream-json ---- */

static void read_stream(void *at, const struct unit *unit, struct outlet *out)
{
    enum {
        S_TYPE,
        S_TIME,
        S_SESSION,
        S_ROLE,
        S_CONTENT,
        S_NAME,
        S_ID,
        S_ARGS,
        S_STATUS,
        S_OUTPUT,
        S_ERROR,
        S_MEMBERS
    };
    static const char *const stream[] = {"type",    "timestamp", "session_id", "role",
                                         "content", "tool_name", "tool_id",    "parameters",
                                         "status",  "output",    "error"};
    struct gemini_state *state = at;
    struct span m[S_MEMBERS], line = span_trim(unit->text);
    if (!pick_unit(unit, out, stream, m, S_MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    struct span type = pick_string(m[S_TYPE], arena);
    struct record base = {.time_digits = -1, .rpc_type = type, .host = SPAN("gemini-cli")};
    enum speaker speaker;
    if (m[S_SESSION].at)
        gemini_keep(state->session, &state->session_len, pick_string(m[S_SESSION], arena));
    base.session = (struct span){state->session, state->session_len};
    pick_time(m[S_TIME], &base);
    if (span_is(type, "message") && talk_speaker(pick_string(m[S_ROLE], arena), &speaker)) {
        talk_content(out, m[S_CONTENT], speaker, &base);
    } else if (span_is(type, "tool_use")) {
        struct span args = m[S_ARGS].at ? m[S_ARGS] : span_sub(line, 0, 0);
        struct record *record = talk_value(out, RECORD_CALL, args, &base);
        record->call_id = pick_string(m[S_ID], arena);
        gemini_tool_name(pick_string(m[S_NAME], arena), record);
    } else if (span_is(type, "tool_result")) {
        struct span output = m[S_OUTPUT].at ? m[S_OUTPUT] : m[S_ERROR].at ? m[S_ERROR] : line;
        struct record *record = talk_value(out, RECORD_RESULT, output, &base);
        record->call_id = pick_string(m[S_ID], arena);
        record->is_error = !span_is(pick_string(m[S_STATUS], arena), "success");
    } else if (span_is(type, "init") || span_is(type, "result")) {
        outlet_noise(out, "metadata");
    } else {
        talk_other(out, line, type, &base);
    }
    if (!out->count && !out->noise)
        outlet_noise(out, "empty");
}

/* ---- probes ---- */

static bool gemini_is_line(struct span line)
{
    static const char *const head[] = {"sessionId", "projectHash", NULL};
    static const char *const said[] = {"id", "timestamp", "type", "content", NULL};
    struct span value;
    return jsonr_is_object(line) &&
           (object_has(line, head) || object_has(line, said) ||
            jsonr_member(line, "$set", &value) || jsonr_member(line, "$rewindTo", &value));
}

static void probe_lines_of(struct probe *p)
{
    struct span value;
    if (probe_member(p, "sessionId", &value) && probe_member(p, "projectHash", &value))
        probe_count(p, probe_lines(p, gemini_is_line), 95,
                    "have the shape of Gemini CLI's sessions");
}

static void gemini_probe_document(struct probe *p)
{
    struct span value;
    struct span line = span_sub(p->head, 0, span_find_byte(p->head, '\n'));
    if (probe_begins(p, '{') && probe_member(p, "sessionId", &value) &&
        probe_member(p, "projectHash", &value) && probe_member(p, "messages", &value) &&
        !jsonr_valid(span_trim(line), NULL, NULL))
        probe_say(p, 96, "a document with sessionId, projectHash and messages");
}

static bool is_stream_line(struct span line)
{
    static const char *const few[] = {"type", "timestamp", NULL};
    struct span value;
    return object_has(line, few) &&
           (jsonr_member(line, "session_id", &value) || jsonr_member(line, "tool_id", &value) ||
            jsonr_member(line, "role", &value) || jsonr_member(line, "stats", &value));
}

static void gemini_probe_stream(struct probe *p)
{
    struct span type;
    if (probe_member(p, "type", &type) && span_is(type, "\"init\""))
        probe_count(p, probe_lines(p, is_stream_line), 93, "are events of gemini -o stream-json");
}

static const char *const gemini_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "what servers sent, where the model was shown another text",
    "approvals, but for cancelled calls",
    NULL,
};

static const char *const gemini_places[] = {"~/.gemini/tmp/*/chats/session-*.jsonl", NULL};
static const char *const gemini_json_places[] = {"~/.gemini/tmp/*/chats/session-*.json", NULL};

const struct reader reader_gemini = {
    .name = "gemini",
    .title = "Gemini CLI's sessions (JSON lines)",
    .places = gemini_places,
    .cannot_show = gemini_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_lines_of,
    .open = gemini_open_state,
    .read = gemini_read_line,
    .abandoned = gemini_abandoned,
    .close = gemini_close_state,
};

const struct reader reader_gemini_json = {
    .name = "gemini-json",
    .title = "Gemini CLI's sessions of older versions (one document)",
    .places = gemini_json_places,
    .cannot_show = gemini_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "messages",
    .transcript = true,
    .probe = gemini_probe_document,
    .open = gemini_open_state,
    .read = gemini_read_document,
    .abandoned = gemini_abandoned,
    .close = gemini_close_state,
};

const struct reader reader_gemini_stream = {
    .name = "gemini-stream",
    .title = "the output of gemini -o stream-json",
    .cannot_show = gemini_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = gemini_probe_stream,
    .open = gemini_open_state,
    .read = read_stream,
    .close = gemini_close_state,
};
