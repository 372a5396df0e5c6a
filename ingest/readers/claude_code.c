/*
 * Claude Code's transcripts: ~/.claude/projects/PROJECT/SESSION.jsonl, and the
 * files of sub-agents below SESSION/subagents. Lines name their parents, so
 * that a file is a tree; most lines of a big file are progress.
 */
#include "base/hash.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"
#include "ingest/tree.h"

enum {
    CLAUDE_CODE_TYPE,
    UUID,
    PARENT,
    LOGICAL_PARENT,
    CLAUDE_CODE_SESSION,
    CLAUDE_CODE_TIME,
    SIDECHAIN,
    CLAUDE_CODE_MESSAGE,
    VERSION,
    AGENT,
    META,
    CLAUDE_CODE_SUMMARY,
    SUBTYPE,
    CLAUDE_CODE_RESULT,
    ATTACHMENT,
    MCP_META,
    CLAUDE_CODE_MEMBERS
};
static const char *const claude_code_names[CLAUDE_CODE_MEMBERS] = {
    "type",      "uuid",          "parentUuid",  "logicalParentUuid",
    "sessionId", "timestamp",     "isSidechain", "message",
    "version",   "agentId",       "isMeta",      "isCompactSummary",
    "subtype",   "toolUseResult", "attachment",  "mcpMeta",
};

/* Lines that bring nothing into a context. */
static const char *const claude_code_noise[] = {
    "progress",
    "file-history-snapshot",
    "queue-operation",
    "permission-mode",
    "last-prompt",
    "summary",
    "custom-title",
    "ai-title",
    "agent-name",
    "tag",
    "pr-link",
    "mode",
    "worktree-state",
    "content-replacement",
    "attribution-snapshot",
    "file-history-delta",
    "speculation-accept",
};

/* Attachments whose text the host puts before the model. */
static const char *const claude_code_shown[] = {
    "hook_additional_context",
    "skill_listing",
    "nested_memory",
    "mcp_instructions_delta",
    "file",
    "edited_text_file",
    "directory",
    "selected_lines_in_ide",
    "mcp_resource",
    "agent_listing_delta",
    "hook_blocking_error",
    "queued_command",
    "critical_system_reminder",
};

enum { CLAUDE_CODE_CALLS = 16, AGENT_SIZE = 64 };

/* A sub-agent started by a call that has no answer yet: old files tell them apart by their prompt.
 */
struct started {
    uint64_t prompt;
    char call[AGENT_SIZE];
    size_t call_len;
};

struct claude_code_state {
    struct tree *tree;
    struct started started[CLAUDE_CODE_CALLS];
    size_t next;
    uint32_t *agents; /* for side chains without an agent's id: the node of their first line */
    size_t agents_size;
};

static void *claude_code_open_state(struct span path)
{
    (void)path;
    struct claude_code_state *state = NEW(struct claude_code_state);
    state->tree = tree_create();
    return state;
}

static void claude_code_close_state(void *at)
{
    struct claude_code_state *state = at;
    if (!state)
        return;
    tree_destroy(state->tree);
    mem_free(state->agents);
    mem_free(state);
}

static bool claude_code_abandoned(void *at, uint32_t node)
{
    return tree_abandoned(((struct claude_code_state *)at)->tree, node);
}

static const char *find_word(struct span word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(word, words[i]))
            return words[i];
    return NULL;
}

/* ---- sub-agents ---- */

static void remember_start(struct claude_code_state *state, const struct record *call)
{
    struct span prompt;
    if (call->server.len || call->recipe || call->call_id.len > AGENT_SIZE ||
        !(span_is(call->tool, "Task") || span_is(call->tool, "Agent")) ||
        !jsonr_member(call->payload, "prompt", &prompt))
        return;
    struct started *start = &state->started[state->next++ % CLAUDE_CODE_CALLS];
    start->prompt = hash_of(prompt);
    start->call_len = call->call_id.len;
    memcpy(start->call, call->call_id.at, call->call_id.len);
}

/* The call whose prompt is this side chain's first message. */
static struct span starter(const struct claude_code_state *state, struct span content)
{
    struct span text = {0};
    if (jsonr_is_array(content)) {
        struct jsonr_items items;
        jsonr_items_init(&items, content);
        if (jsonr_items_next(&items))
            jsonr_member(items.value, "text", &text);
        content = text;
    }
    uint64_t hash = content.len ? hash_of(content) : 0;
    for (size_t i = 0; content.len && i < CLAUDE_CODE_CALLS; i++)
        if (state->started[i].call_len && state->started[i].prompt == hash)
            return (struct span){state->started[i].call, state->started[i].call_len};
    return SPAN_EMPTY;
}

/* Which side chain a line without an agent's id belongs to: named by its first line. */
static const char *chain_of(struct claude_code_state *state, uint32_t node, uint32_t parent,
                            struct arena *arena)
{
    if (node >= state->agents_size) {
        size_t size = state->agents_size ? state->agents_size * 2 : 64;
        while (size <= node)
            size *= 2;
        state->agents = mem_resize(state->agents, size * sizeof *state->agents);
        memset(state->agents + state->agents_size, 0,
               (size - state->agents_size) * sizeof *state->agents);
        state->agents_size = size;
    }
    uint32_t first =
        parent < state->agents_size && state->agents[parent] ? state->agents[parent] : node;
    state->agents[node] = first;
    return arena_printf(arena, "chain-%u", first);
}

/* ---- lines ---- */

static uint32_t add_node(struct claude_code_state *state, const struct span *m, struct span type,
                         struct arena *arena)
{
    struct span uuid = pick_string(m[UUID], arena), id = SPAN_EMPTY, value;
    struct span parent = pick_string(m[PARENT], arena);
    if (!parent.len)
        parent = pick_string(m[LOGICAL_PARENT], arena);
    enum node_kind kind = NODE_OTHER;
    if (span_is(type, "assistant")) {
        kind = NODE_ASSISTANT;
        if (jsonr_member(m[CLAUDE_CODE_MESSAGE], "id", &value))
            id = pick_string(value, arena);
    } else if (span_is(type, "user") && !m[CLAUDE_CODE_RESULT].at && !pick_true(m[META])) {
        bool result =
            span_find(m[CLAUDE_CODE_MESSAGE], SPAN("\"tool_result\"")) < m[CLAUDE_CODE_MESSAGE].len;
        kind = result ? NODE_OTHER : NODE_PROMPT;
    }
    return tree_add(state->tree, uuid, parent, kind, id,
                    pick_string(m[CLAUDE_CODE_SESSION], arena));
}

static void side_chain(struct claude_code_state *state, const struct span *m, struct record *base,
                       struct arena *arena)
{
    struct span content;
    bool first = !pick_string(m[PARENT], arena).len;
    base->agent = pick_string(m[AGENT], arena);
    if (!base->agent.len) {
        uint32_t parent = tree_find(state->tree, pick_string(m[PARENT], arena));
        base->agent = span_of(chain_of(state, base->node, parent, arena));
    }
    if (first && jsonr_member(m[CLAUDE_CODE_MESSAGE], "content", &content))
        base->parent_call = starter(state, content);
}

/* What the server sent beside the content that the model was shown: `_meta` and structuredContent,
 * in the shape of a tool's result. It belongs to the one result of the line. */
static void add_server_meta(struct outlet *out, struct span meta, const struct record *base)
{
    struct span call = {0};
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].kind == RECORD_RESULT && !call.at)
            call = out->records[i].call_id;
    if (!call.len || !jsonr_is_object(meta))
        return;
    struct record *record = outlet_record(out, RECORD_RESULT);
    *record = *base;
    record->kind = RECORD_RESULT;
    record->payload = meta;
    record->call_id = call;
    record->server_side = true;
}

/* A big result was moved to a file below SESSION/tool-results; its beginning is all that stands
 * here, and all that the model was shown. */
static void mark_moved(struct outlet *out)
{
    for (size_t i = 0; i < out->count; i++) {
        struct record *r = &out->records[i];
        struct span front = span_sub(r->payload, 0, 400);
        bool moved = span_find(front, SPAN("<persisted-output>")) < front.len ||
                     (span_find(front, SPAN("saved to")) < front.len &&
                      span_find(front, SPAN("tool-results")) < front.len);
        r->truncated = r->truncated || (r->kind == RECORD_RESULT && moved);
    }
}

static void read_user(struct outlet *out, const struct span *m, const struct record *line)
{
    struct record base = *line;
    struct span content, agent;
    base.system = pick_true(m[META]);
    enum speaker speaker = pick_true(m[CLAUDE_CODE_SUMMARY]) ? SPEAKER_ASSISTANT : SPEAKER_USER;
    if (!jsonr_member(m[CLAUDE_CODE_MESSAGE], "content", &content) ||
        !talk_content(out, content, speaker, &base)) {
        outlet_noise(out, "empty");
        return;
    }
    mark_moved(out);
    add_server_meta(out, m[MCP_META], &base);
    if (!jsonr_is_object(m[CLAUDE_CODE_RESULT]) ||
        !jsonr_member(m[CLAUDE_CODE_RESULT], "agentId", &agent))
        return;
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].kind == RECORD_RESULT)
            out->records[i].child = pick_string(agent, outlet_arena(out));
}

static void read_assistant(struct claude_code_state *state, struct outlet *out,
                           const struct span *m, const struct record *base)
{
    struct span content;
    if (!jsonr_member(m[CLAUDE_CODE_MESSAGE], "content", &content) ||
        !talk_content(out, content, SPEAKER_ASSISTANT, base)) {
        outlet_noise(out, "thinking");
        return;
    }
    for (size_t i = 0; i < out->count; i++)
        if (out->records[i].kind == RECORD_CALL)
            remember_start(state, &out->records[i]);
}

static void read_system(struct outlet *out, const struct span *m, struct span line,
                        const struct record *base)
{
    struct span subtype = pick_string(m[SUBTYPE], outlet_arena(out));
    if (!span_is(subtype, "compact_boundary") && !span_is(subtype, "microcompact_boundary")) {
        talk_other(out, line, subtype.len ? subtype : SPAN("system"), base);
        return;
    }
    struct record *record = outlet_record(out, RECORD_RESET);
    *record = *base;
    record->kind = RECORD_RESET;
    record->compaction = true;
    record->payload = line;
}

static void read_attachment(struct outlet *out, const struct span *m, struct span line,
                            const struct record *line_base)
{
    struct record base = *line_base;
    struct span value, type = SPAN_EMPTY;
    if (jsonr_member(m[ATTACHMENT], "type", &value))
        type = pick_string(value, outlet_arena(out));
    if (!find_word(type, claude_code_shown, COUNT_OF(claude_code_shown))) {
        talk_other(out, line, type.len ? type : SPAN("attachment"), &base);
        return;
    }
    struct record *record = talk_value(out, RECORD_PROMPT, m[ATTACHMENT], &base);
    record->system = true;
}

static void claude_code_read_line(void *at, const struct unit *unit, struct outlet *out)
{
    struct claude_code_state *state = at;
    struct arena *arena = outlet_arena(out);
    struct span line = span_trim(unit->text), m[CLAUDE_CODE_MEMBERS];
    if (!pick_unit(unit, out, claude_code_names, m, CLAUDE_CODE_MEMBERS))
        return;
    struct span type = pick_string(m[CLAUDE_CODE_TYPE], arena);
    const char *kind = find_word(type, claude_code_noise, COUNT_OF(claude_code_noise));
    if (kind) { /* told of the whole line: a second type further on is the one that counts */
        tree_pass(state->tree, pick_string(m[UUID], arena), pick_string(m[PARENT], arena));
        outlet_noise(out, kind);
        return;
    }
    struct record base = {.time_digits = -1, .rpc_type = type};
    pick_time(m[CLAUDE_CODE_TIME], &base);
    base.session = pick_string(m[CLAUDE_CODE_SESSION], arena);
    struct span version = pick_string(m[VERSION], arena);
    base.host = version.len ? span_of(arena_printf(arena, "claude-code %.*s", SPAN_ARG(version)))
                            : SPAN("claude-code");
    base.node = add_node(state, m, type, arena);
    if (pick_true(m[SIDECHAIN]))
        side_chain(state, m, &base, arena);
    if (span_is(type, "user"))
        read_user(out, m, &base);
    else if (span_is(type, "assistant"))
        read_assistant(state, out, m, &base);
    else if (span_is(type, "system"))
        read_system(out, m, line, &base);
    else if (span_is(type, "attachment"))
        read_attachment(out, m, line, &base);
    else
        talk_other(out, line, type, &base);
}

/* ---- probe ---- */

static bool claude_code_is_line(struct span line)
{
    static const char *const tree[] = {"sessionId", "parentUuid", NULL};
    struct span value, type;
    if (!jsonr_is_object(line))
        return false;
    if (object_has(line, tree))
        return true;
    return jsonr_member(line, "type", &value) && jsonr_plain_string(value, &type) &&
           find_word(type, claude_code_noise, COUNT_OF(claude_code_noise)) &&
           (jsonr_member(line, "sessionId", &value) || jsonr_member(line, "leafUuid", &value) ||
            jsonr_member(line, "snapshot", &value));
}

static bool is_plain_line(struct span line)
{
    static const char *const few[] = {"type", "message", "timestamp", NULL};
    struct span value, type;
    return jsonr_is_object(line) && object_has(line, few) && jsonr_member(line, "type", &value) &&
           jsonr_plain_string(value, &type) &&
           (span_is(type, "user") || span_is(type, "assistant"));
}

static bool claude_code_is_any(struct span line)
{
    return claude_code_is_line(line) || is_plain_line(line);
}

static void claude_code_probe(struct probe *p)
{
    struct vote sure = probe_lines(p, claude_code_is_line);
    struct vote all =
        sure.matched && sure.matched == sure.seen ? sure : probe_lines(p, claude_code_is_any);
    if (sure.matched * 2 >= all.matched)
        probe_count(p, all, 97, "have Claude Code's sessionId and parentUuid");
    else
        probe_count(p, all, sure.matched ? 90 : 70, "have Claude Code's type and message");
}

static const char *const claude_code_cannot_show[] = {
    "definitions that servers sent; annotations (_meta) but where the line has mcpMeta",
    "all of a result that was moved to a file of its own, but where that file is given, too",
    "approvals, but for refusals",
    "the model's system prompt and tool definitions",
    NULL,
};

static const char *const claude_code_places[] = {
    "${CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/*.jsonl",
    "${CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/*/subagents/*.jsonl",
    NULL,
};

const struct reader reader_claude_code = {
    .name = "claude-code",
    .title = "Claude Code's transcripts (JSON lines)",
    .places = claude_code_places,
    .cannot_show = claude_code_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = claude_code_probe,
    .open = claude_code_open_state,
    .read = claude_code_read_line,
    .abandoned = claude_code_abandoned,
    .close = claude_code_close_state,
};
