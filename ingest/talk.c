#include "ingest/talk.h"

#include "ingest/pick.h"

static const struct {
    const char *word;
    enum speaker speaker;
} roles[] = {
    {"user", SPEAKER_USER},        {"human", SPEAKER_USER},          {"system", SPEAKER_SYSTEM},
    {"developer", SPEAKER_SYSTEM}, {"assistant", SPEAKER_ASSISTANT}, {"model", SPEAKER_ASSISTANT},
    {"ai", SPEAKER_ASSISTANT},     {"tool", SPEAKER_TOOL},           {"function", SPEAKER_TOOL},
    {"toolResult", SPEAKER_TOOL},
};

bool talk_speaker(struct span role, enum speaker *speaker)
{
    for (size_t i = 0; i < COUNT_OF(roles); i++)
        if (span_is(role, roles[i].word)) {
            *speaker = roles[i].speaker;
            return true;
        }
    return false;
}

bool talk_split_name(struct span name, const char *front, const char *between, struct span *server,
                     struct span *tool)
{
    *server = SPAN_EMPTY;
    *tool = name;
    struct span word = span_of(front), middle = span_of(between);
    if (!span_starts_with(name, word))
        return false;
    struct span rest = span_sub(name, word.len, name.len);
    size_t end = span_find(rest, middle);
    if (!end || end + middle.len >= rest.len)
        return false;
    *server = span_sub(rest, 0, end);
    *tool = span_sub(rest, end + middle.len, rest.len);
    return true;
}

bool talk_tool_name(struct span name, struct span *server, struct span *tool)
{
    bool prefixed = span_starts_with(name, SPAN("mcp__"));
    return talk_split_name(name, prefixed ? "mcp__" : "", "__", server, tool);
}

void *talk_path_open(struct span path)
{
    char *copy = mem_alloc(path.len + 1);
    memcpy(copy, path.at, path.len);
    return copy;
}

/* Lines of other files have the same numbers. */
struct span talk_line_session(const char *path, const struct unit *unit, struct arena *arena)
{
    return span_of(arena_printf(arena, "%s line %llu", path, (unsigned long long)unit->line));
}

void talk_other(struct outlet *out, struct span payload, struct span type,
                const struct record *base)
{
    struct record *record = outlet_record(out, RECORD_OTHER);
    *record = *base;
    record->kind = RECORD_OTHER;
    record->payload = payload;
    record->rpc_type = type;
}

struct record *talk_value(struct outlet *out, enum record_kind kind, struct span value,
                          const struct record *base)
{
    struct record *record = outlet_record(out, kind);
    *record = *base;
    record->kind = kind;
    struct span plain;
    if (jsonr_plain_string(value, &plain)) {
        record->payload = plain;
    } else {
        record->payload = value;
        record->recipe = jsonr_is_string(value) ? "s;" : NULL;
    }
    return record;
}

struct span talk_open(struct span literal, struct arena *arena)
{
    struct span text = pick_string(literal, arena);
    bool holds = (jsonr_is_object(text) || jsonr_is_array(text)) && jsonr_valid(text, NULL, NULL);
    return holds ? text : literal;
}

void talk_inside(struct outlet *out, size_t first, struct span literal, struct span text)
{
    struct arena *arena = outlet_arena(out);
    if (text.at == literal.at)
        return;
    for (size_t i = first; i < out->count; i++) {
        struct record *r = &out->records[i];
        if (r->payload.at < text.at || r->payload.at > text.at + text.len)
            continue;
        size_t at = (size_t)(r->payload.at - text.at);
        r->text = r->recipe ? pick_string(r->payload, arena) : r->payload;
        r->recipe =
            arena_printf(arena, "s;@%zu+%zu;%s", at, r->payload.len, r->recipe ? r->recipe : "");
        r->payload = literal;
    }
}

static enum record_kind talk_kind_of(enum speaker speaker)
{
    static const enum record_kind kinds[] = {
        [SPEAKER_USER] = RECORD_PROMPT,
        [SPEAKER_SYSTEM] = RECORD_PROMPT,
        [SPEAKER_ASSISTANT] = RECORD_ASSISTANT,
        [SPEAKER_TOOL] = RECORD_RESULT,
    };
    return kinds[speaker];
}

static void said(struct outlet *out, struct span value, enum speaker speaker,
                 const struct record *base)
{
    struct record *record = talk_value(out, talk_kind_of(speaker), value, base);
    record->system = base->system || speaker == SPEAKER_SYSTEM;
}

/* ---- blocks ---- */

enum {
    B_TYPE,
    B_TEXT,
    B_ID,
    B_CALL_ID,
    B_TOOL_USE_ID,
    B_NAME,
    B_INPUT,
    B_ARGUMENTS,
    B_CONTENT,
    B_IS_ERROR,
    B_OUTPUT,
    B_SERVER_NAME,
    B_SERVER_LABEL,
    B_ERROR,
    B_TOOLS,
    B_COUNT
};
static const char *const block_names[B_COUNT] = {
    "type",    "text",     "id",     "call_id",     "tool_use_id",  "name",  "input", "arguments",
    "content", "is_error", "output", "server_name", "server_label", "error", "tools",
};

static void call_block(struct outlet *out, const struct span *b, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span input = b[B_INPUT].at ? b[B_INPUT] : b[B_ARGUMENTS];
    struct record *record = talk_value(out, RECORD_CALL, input, base);
    talk_tool_name(pick_string(b[B_NAME], arena), &record->server, &record->tool);
    struct span server = b[B_SERVER_NAME].at ? b[B_SERVER_NAME] : b[B_SERVER_LABEL];
    if (server.at)
        record->server = pick_string(server, arena);
    record->call_id = pick_string(b[B_CALL_ID].at ? b[B_CALL_ID] : b[B_ID], arena);
}

/* A call that the provider made itself, of OpenAI's Responses API: {type: "mcp_call", id, name,
 * server_label, arguments, output, error} tells call and result at once. */
static void provider_call(struct outlet *out, const struct span *b, const struct record *base)
{
    bool failed = b[B_ERROR].at && !span_is(b[B_ERROR], "null");
    bool answered = b[B_OUTPUT].at && !span_is(b[B_OUTPUT], "null");
    call_block(out, b, base);
    if (!failed && !answered)
        return;
    struct record *record =
        talk_value(out, RECORD_RESULT, answered ? b[B_OUTPUT] : b[B_ERROR], base);
    record->call_id = pick_string(b[B_ID], outlet_arena(out));
    record->is_error = failed;
}

/* What it got to know of a server: {type: "mcp_list_tools", server_label, tools}. */
static void provider_tools(struct outlet *out, const struct span *b, const struct record *base)
{
    struct record *record = talk_value(out, RECORD_DEFINITIONS, b[B_TOOLS], base);
    record->server = pick_string(b[B_SERVER_LABEL], outlet_arena(out));
}

bool talk_tells_refusal(struct span text)
{
    static const char *const fronts[] = {
        "The user doesn't want to proceed with this tool use",         /* Claude Code */
        "[Request interrupted by user for tool use]",                  /* the same */
        "The user doesn't want to take this action right now",         /* the same */
        "Claude requested permissions to use ",                        /* the same */
        "Permission to use ",                                          /* the same */
        "rejected by user",                                            /* Codex */
        "user rejected MCP tool call",                                 /* the same */
        "user cancelled MCP tool call",                                /* the same */
        "exec command rejected by user",                               /* the same */
        "patch rejected by user",                                      /* the same */
        "The user rejected permission to use this specific tool call", /* opencode */
        "The user has specified a rule which prevents you from using", /* the same */
        "The user has declined to run this tool",                      /* Goose */
    };
    for (size_t i = 0; i < COUNT_OF(fronts); i++)
        if (span_starts_with(text, span_of(fronts[i])))
            return true;
    return false;
}

/* Of a string, or of the first block of an array. */
static bool refuses(struct span content, struct arena *arena)
{
    struct jsonr_items items;
    struct span text = content;
    if (jsonr_is_array(content)) {
        jsonr_items_init(&items, content);
        if (!jsonr_items_next(&items) || !jsonr_member(items.value, "text", &text))
            return false;
    }
    return talk_tells_refusal(pick_string(text, arena));
}

static void result_block(struct outlet *out, const struct span *b, struct span block,
                         const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span content = b[B_CONTENT].at ? b[B_CONTENT] : b[B_OUTPUT].at ? b[B_OUTPUT] : block;
    struct record *record = talk_value(out, RECORD_RESULT, content, base);
    struct span id = b[B_TOOL_USE_ID].at ? b[B_TOOL_USE_ID] : b[B_CALL_ID];
    record->call_id = pick_string(id, arena);
    record->is_error = pick_true(b[B_IS_ERROR]);
    record->refused = record->is_error && refuses(content, arena);
}

/* ---- blocks of other APIs ---- */

enum { O_CALL_ID, O_USE_ID, O_ID, O_NAME, O_TOOL_NAME, O_INPUT, O_ARGS, O_COUNT };
static const char *const other_call_names[O_COUNT] = {"toolCallId", "toolUseId", "id",  "name",
                                                      "toolName",   "input",     "args"};

static struct span talk_first_of(struct span a, struct span b)
{
    return a.at ? a : b;
}

/* A call: {toolUseId, name, input}, {id, name, args} or {toolCallId, toolName, input}. `name` is
 * what it is called where it doesn't say. Its id. */
static struct span other_call(struct outlet *out, struct span call, struct span name,
                              const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span o[O_COUNT];
    pick(call, other_call_names, o, O_COUNT);
    struct span input = talk_first_of(o[O_INPUT], o[O_ARGS]);
    struct record *record =
        talk_value(out, RECORD_CALL, input.at ? input : span_sub(call, 0, 0), base);
    struct span said = pick_string(talk_first_of(o[O_TOOL_NAME], o[O_NAME]), arena);
    talk_tool_name(said.len ? said : name, &record->server, &record->tool);
    record->call_id =
        pick_string(talk_first_of(talk_first_of(o[O_CALL_ID], o[O_USE_ID]), o[O_ID]), arena);
    return record->call_id;
}

static void other_result(struct outlet *out, struct span value, struct span id, bool failed,
                         const struct record *base)
{
    struct record *record = talk_value(out, RECORD_RESULT, value, base);
    record->call_id = id;
    record->is_error = failed;
}

/* Vercel's AI SDK puts what a tool gave into {type, value}. */
static struct span vercel_value(struct span output, bool *failed)
{
    struct span type, value;
    if (!jsonr_member(output, "type", &type) || !jsonr_member(output, "value", &value))
        return output;
    *failed = *failed || span_starts_with(type, SPAN("\"error"));
    return value;
}

/* Of its messages to a model, "tool-call" and "tool-result"; of those to a screen, "tool-NAME",
 * "dynamic-tool" and "tool-invocation", which tell both at once. */
static bool vercel_block(struct outlet *out, struct span block, struct span type,
                         const struct record *base)
{
    enum { V_OUTPUT, V_RESULT, V_ERROR, V_CALL_ID, V_INVOCATION, V_IS_ERROR, V_COUNT };
    static const char *const names[V_COUNT] = {"output",     "result",         "errorText",
                                               "toolCallId", "toolInvocation", "isError"};
    struct span v[V_COUNT];
    bool whole = span_is(type, "tool-invocation");
    pick(block, names, v, V_COUNT);
    if (whole && jsonr_is_object(v[V_INVOCATION])) {
        block = v[V_INVOCATION];
        pick(block, names, v, V_COUNT);
    }
    if (!v[V_CALL_ID].at)
        return false;
    bool failed = v[V_ERROR].at || pick_true(v[V_IS_ERROR]);
    struct span value = vercel_value(talk_first_of(v[V_OUTPUT], v[V_RESULT]), &failed);
    struct span id = pick_string(v[V_CALL_ID], outlet_arena(out));
    if (!span_is(type, "tool-result"))
        other_call(out, block, span_sub(type, sizeof "tool-" - 1, type.len), base);
    value = value.at ? value : v[V_ERROR];
    if (value.at || span_is(type, "tool-result"))
        other_result(out, value, id, failed, base);
    return true;
}

/* Blocks that are known by their one member: Bedrock's, Gemini's. */
static bool untyped_block(struct outlet *out, struct span block, const struct record *base)
{
    enum { U_USE, U_RESULT, U_CALL, U_RESPONSE, U_COUNT };
    static const char *const names[U_COUNT] = {"toolUse", "toolResult", "functionCall",
                                               "functionResponse"};
    enum { U_ID, U_USE_ID, U_CONTENT, U_STATUS, U_ANSWER, U_MEMBERS };
    static const char *const members[U_MEMBERS] = {"id", "toolUseId", "content", "status",
                                                   "response"};
    struct span u[U_COUNT], r[U_MEMBERS];
    pick(block, names, u, U_COUNT);
    struct span call = talk_first_of(u[U_USE], u[U_CALL]);
    struct span result = talk_first_of(u[U_RESULT], u[U_RESPONSE]);
    if (jsonr_is_object(call)) {
        other_call(out, call, SPAN_EMPTY, base);
        return true;
    }
    if (!jsonr_is_object(result))
        return false;
    pick(result, members, r, U_MEMBERS);
    struct span value = talk_first_of(r[U_CONTENT], r[U_ANSWER]), inner;
    bool failed = span_is(r[U_STATUS], "\"error\"");
    if (r[U_ANSWER].at && jsonr_member(value, "error", &inner))
        failed = true;
    if (r[U_ANSWER].at && (failed || jsonr_member(value, "output", &inner)))
        value = inner;
    struct span id = pick_string(talk_first_of(r[U_USE_ID], r[U_ID]), outlet_arena(out));
    other_result(out, value, id, failed, base);
    return true;
}

/* A part of a message that has a type of its own API, or none. */
static bool other_block(struct outlet *out, struct span block, struct span type,
                        const struct record *base)
{
    if (!type.len)
        return untyped_block(out, block, base);
    return (span_starts_with(type, SPAN("tool-")) || span_is(type, "dynamic-tool")) &&
           vercel_block(out, block, type, base);
}

static bool talk_ends_with(struct span type, const char *word)
{
    return span_ends_with(type, span_of(word));
}

static void block_record(struct outlet *out, struct span block, enum speaker speaker,
                         const struct record *base)
{
    struct span b[B_COUNT];
    pick(block, block_names, b, B_COUNT);
    struct span type = pick_string(b[B_TYPE], outlet_arena(out));
    if (span_is(type, "thinking") || span_is(type, "redacted_thinking") ||
        span_is(type, "reasoning"))
        return;
    if (talk_ends_with(type, "tool_use") || span_is(type, "toolCall") ||
        span_is(type, "function_call"))
        call_block(out, b, base);
    else if (span_is(type, "mcp_call"))
        provider_call(out, b, base);
    else if (span_is(type, "mcp_list_tools") && jsonr_is_array(b[B_TOOLS]))
        provider_tools(out, b, base);
    else if (span_starts_with(type, SPAN("mcp_approval_re"))) /* request, response */
        talk_other(out, block, type, base);
    else if (talk_ends_with(type, "tool_result") || span_is(type, "function_call_output"))
        result_block(out, b, block, base);
    else if (span_is(type, "step-start"))
        return;
    else if (b[B_TEXT].at)
        said(out, b[B_TEXT], speaker, base);
    else if (span_is(type, "text") && b[B_CONTENT].at)
        said(out, b[B_CONTENT], speaker, base);
    else if (!other_block(out, block, type, base))
        said(out, block, speaker, base); /* an image, a document, … */
}

size_t talk_content(struct outlet *out, struct span content, enum speaker speaker,
                    const struct record *base)
{
    size_t before = out->count;
    if (jsonr_is_string(content)) {
        if (content.len > 2)
            said(out, content, speaker, base);
    } else if (jsonr_is_object(content)) {
        block_record(out, content, speaker, base);
    } else if (jsonr_is_array(content)) {
        struct jsonr_items items;
        jsonr_items_init(&items, content);
        while (jsonr_items_next(&items)) {
            if (jsonr_is_object(items.value))
                block_record(out, items.value, speaker, base);
            else if (jsonr_is_string(items.value))
                said(out, items.value, speaker, base);
        }
    }
    return out->count - before;
}

/* ---- messages ---- */

/* OpenAI: {id, type: "function", function: {name, arguments: "…"}}. AgentDojo: {id, function:
 * "name", args: {…}}. LangChain: {id, name, args}. */
static void talk_tool_call(struct outlet *out, struct span call, const struct record *base)
{
    enum { TALK_ID, FUNCTION, TALK_NAME, TALK_ARGS, TALK_ARGUMENTS, TALK_CALLS };
    static const char *const names[] = {"id", "function", "name", "args", "arguments"};
    struct span c[TALK_CALLS], f[TALK_CALLS];
    struct arena *arena = outlet_arena(out);
    pick(call, names, c, TALK_CALLS);
    pick(c[FUNCTION], names, f, TALK_CALLS);
    struct span name = jsonr_is_string(c[FUNCTION]) ? c[FUNCTION]
                       : f[TALK_NAME].at            ? f[TALK_NAME]
                                                    : c[TALK_NAME];
    struct span args = f[TALK_ARGUMENTS].at   ? f[TALK_ARGUMENTS]
                       : c[TALK_ARGS].at      ? c[TALK_ARGS]
                       : c[TALK_ARGUMENTS].at ? c[TALK_ARGUMENTS]
                                              : SPAN("{}");
    bool written = args.at >= call.at && args.at < call.at + call.len;
    struct record *record =
        talk_value(out, RECORD_CALL, written ? args : span_sub(call, 0, 0), base);
    talk_tool_name(pick_string(name, arena), &record->server, &record->tool);
    record->call_id = pick_string(c[TALK_ID], arena);
}

static void tool_calls(struct outlet *out, struct span calls, const struct record *base)
{
    if (!jsonr_is_array(calls))
        return;
    struct jsonr_items items;
    jsonr_items_init(&items, calls);
    while (jsonr_items_next(&items))
        if (jsonr_is_object(items.value))
            talk_tool_call(out, items.value, base);
}

/* Does each block say which call it answers? */
static bool told_in_blocks(struct span content)
{
    struct jsonr_items items;
    struct span id;
    if (!jsonr_is_array(content))
        return false;
    jsonr_items_init(&items, content);
    return jsonr_items_next(&items) && jsonr_member(items.value, "toolCallId", &id);
}

size_t talk_message(struct outlet *out, struct span message, const struct record *base)
{
    enum {
        TALK_ROLE,
        TALK_CONTENT,
        TALK_TOOL_CALLS,
        TOOL_CALL_ID,
        TOOLCALLID,
        TALK_NAME,
        TALK_ERROR,
        FUNCTION_CALL,
        TALK_TYPE,
        IS_ERROR,
        TALK_PARTS,
        TALK_CALLS_TOO, /* of Continue */
        TALK_MEMBERS
    };
    static const char *const names[] = {
        "role",  "content",       "tool_calls", "tool_call_id", "toolCallId", "name",
        "error", "function_call", "type",       "isError",      "parts",      "toolCalls",
    };
    struct span m[TALK_MEMBERS];
    struct arena *arena = outlet_arena(out);
    enum speaker speaker;
    size_t before = out->count;
    pick(message, names, m, TALK_MEMBERS);
    if (!talk_speaker(pick_string(m[TALK_ROLE].at ? m[TALK_ROLE] : m[TALK_TYPE], arena),
                      &speaker)) {
        if (!m[TALK_ROLE].at &&
            m[TALK_TYPE].at) /* a bare item: function_call, function_call_output, … */
            block_record(out, message, SPEAKER_ASSISTANT, base);
        return out->count - before;
    }
    if (speaker == SPEAKER_TOOL && told_in_blocks(m[TALK_CONTENT])) {
        talk_content(out, m[TALK_CONTENT], speaker, base);
        return out->count - before;
    }
    if (speaker == SPEAKER_TOOL) {
        struct record *record = talk_value(out, RECORD_RESULT, m[TALK_CONTENT], base);
        struct span id = m[TOOL_CALL_ID].at ? m[TOOL_CALL_ID] : m[TOOLCALLID];
        record->call_id = pick_string(id, arena);
        struct span name = pick_string(m[TALK_NAME], arena);
        if (name.len)
            talk_tool_name(name, &record->server, &record->tool);
        bool failed = m[TALK_ERROR].at && !span_is(m[TALK_ERROR], "null");
        record->is_error = failed || pick_true(m[IS_ERROR]);
        if (failed && m[TALK_CONTENT].len <= 2 && jsonr_is_string(m[TALK_ERROR])) {
            record->payload = m[TALK_ERROR];
            record->recipe = "s;";
        }
        return out->count - before;
    }
    talk_content(out, m[TALK_PARTS].at ? m[TALK_PARTS] : m[TALK_CONTENT], speaker, base);
    tool_calls(out, m[TALK_TOOL_CALLS].at ? m[TALK_TOOL_CALLS] : m[TALK_CALLS_TOO], base);
    if (jsonr_is_object(m[FUNCTION_CALL]))
        talk_tool_call(out, m[FUNCTION_CALL], base);
    return out->count - before;
}
