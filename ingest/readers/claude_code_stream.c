/*
 * What `claude -p --output-format stream-json` prints, and the Agent SDK's messages: JSON lines,
 * or, as CI keeps them, one array (docs.anthropic.com/en/docs/claude-code/sdk). No times. A line of
 * a sub-agent names the call that started it.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum {
    CLAUDE_STREAM_TYPE,
    CLAUDE_STREAM_SESSION,
    CLAUDE_STREAM_PARENT_CALL,
    CLAUDE_STREAM_MESSAGE,
    CLAUDE_STREAM_SUBTYPE,
    CLAUDE_STREAM_TIME,
    CLAUDE_STREAM_SYNTHETIC,
    CLAUDE_STREAM_DENIALS,
    CLAUDE_STREAM_VERSION,
    CLAUDE_STREAM_MEMBERS
};
static const char *const claude_stream_names[CLAUDE_STREAM_MEMBERS] = {
    "type",        "session_id",         "parent_tool_use_id",  "message", "subtype", "timestamp",
    "isSynthetic", "permission_denials", "claude_code_version",
};

/* A compaction tells where the context was replaced. */
static void claude_stream_system(struct outlet *out, struct span line, struct span subtype,
                                 const struct record *base)
{
    if (!span_is(subtype, "compact_boundary")) {
        outlet_noise(out, "metadata");
        return;
    }
    struct record *record = outlet_record(out, RECORD_RESET);
    *record = *base;
    record->kind = RECORD_RESET;
    record->compaction = true;
    record->payload = line;
}

/* The end tells which calls were not permitted. */
static void claude_stream_denials(struct outlet *out, struct span denials,
                                  const struct record *base)
{
    struct jsonr_items items;
    struct span id;
    if (jsonr_is_array(denials))
        for (jsonr_items_init(&items, denials); jsonr_items_next(&items);) {
            if (!jsonr_member(items.value, "tool_use_id", &id))
                continue;
            talk_other(out, items.value, SPAN("permission_denial"), base);
            struct record *record = &out->records[out->count - 1];
            record->call_id = pick_string(id, outlet_arena(out));
            record->decision = DECISION_REFUSED;
        }
    if (!out->count)
        outlet_noise(out, "metadata");
}

static void claude_stream_message(struct outlet *out, struct span message, enum speaker speaker,
                                  const struct record *base)
{
    struct span content;
    if (!jsonr_member(message, "content", &content) || !talk_content(out, content, speaker, base))
        outlet_noise(out, speaker == SPEAKER_USER ? "empty" : "thinking");
}

static void claude_stream_read(void *state, const struct unit *unit, struct outlet *out)
{
    struct arena *arena = outlet_arena(out);
    struct span line = span_trim(unit->text), m[CLAUDE_STREAM_MEMBERS];
    (void)state;
    if (unit->part == UNIT_HEAD || unit->part == UNIT_TAIL) {
        if (line.len)
            outlet_noise(out, "document");
        return;
    }
    if (!pick_unit(unit, out, claude_stream_names, m, CLAUDE_STREAM_MEMBERS))
        return;
    struct span type = pick_string(m[CLAUDE_STREAM_TYPE], arena);
    struct record base = {.time_digits = -1,
                          .rpc_type = type,
                          .host = SPAN("claude-code"),
                          .session = pick_string(m[CLAUDE_STREAM_SESSION], arena),
                          .system = pick_true(m[CLAUDE_STREAM_SYNTHETIC])};
    pick_time(m[CLAUDE_STREAM_TIME], &base);
    base.agent = base.parent_call = pick_string(m[CLAUDE_STREAM_PARENT_CALL], arena);
    if (span_is(type, "user"))
        claude_stream_message(out, m[CLAUDE_STREAM_MESSAGE], SPEAKER_USER, &base);
    else if (span_is(type, "assistant"))
        claude_stream_message(out, m[CLAUDE_STREAM_MESSAGE], SPEAKER_ASSISTANT, &base);
    else if (span_is(type, "system"))
        claude_stream_system(out, line, pick_string(m[CLAUDE_STREAM_SUBTYPE], arena), &base);
    else if (span_is(type, "result"))
        claude_stream_denials(out, m[CLAUDE_STREAM_DENIALS], &base);
    else
        outlet_noise(out, span_is(type, "stream_event") ? "progress" : "metadata");
}

static bool claude_stream_is_line(struct span line)
{
    static const char *const needed[] = {"type", "session_id", NULL};
    static const char *const words[] = {"system", "assistant", "user", "result", "stream_event"};
    struct span value, type;
    if (!jsonr_is_object(line) || !object_has(line, needed) ||
        !jsonr_member(line, "type", &value) || !jsonr_plain_string(value, &type))
        return false;
    bool has_type = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        has_type = has_type || span_is(type, words[i]);
    return has_type && (jsonr_member(line, "parent_tool_use_id", &value) ||
                        jsonr_member(line, "subtype", &value));
}

static void claude_stream_probe_lines(struct probe *p)
{
    probe_count(p, probe_lines(p, claude_stream_is_line), 93,
                "are messages of claude --output-format stream-json");
}

static void claude_stream_probe_array(struct probe *p)
{
    struct jsonr_items items;
    struct span array = span_trim(p->head);
    if (!jsonr_is_array(array))
        return;
    jsonr_items_init(&items, array);
    if (jsonr_items_next(&items) && claude_stream_is_line(items.value))
        probe_say(p, 93, "an array of messages of claude --output-format stream-json");
}

static const char *const claude_stream_cannot_show[] = {
    "times, and the prompt, but where it was replayed",
    "definitions that servers sent, and annotations (_meta)",
    "the model's system prompt",
    "approvals, but for what was not permitted",
    NULL,
};

const struct reader reader_claude_code_stream = {
    .name = "claude-code-stream",
    .title = "the output of claude -p --output-format stream-json",
    .cannot_show = claude_stream_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = claude_stream_probe_lines,
    .read = claude_stream_read,
};

const struct reader reader_claude_code_array = {
    .name = "claude-code-array",
    .title = "the same as one array, as CI keeps it, and of --output-format json --verbose",
    .cannot_show = claude_stream_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "",
    .transcript = true,
    .probe = claude_stream_probe_array,
    .read = claude_stream_read,
};
