/* Lists of messages as the APIs of OpenAI and Anthropic take them: a document with "messages", a
 * bare array, or JSON lines, each of which is a message or a whole conversation. */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum {
    MESSAGES_ROLE,
    MESSAGES_CONTENT,
    MESSAGES_TOOL_CALLS,
    MESSAGES,
    SYSTEM,
    TIMESTAMP,
    MESSAGES_ID,
    MESSAGES_MESSAGE,
    MESSAGES_CREATED,
    MESSAGES_PARTS,
    MESSAGES_MEMBERS
};
static const char *const messages_names[MESSAGES_MEMBERS] = {
    "role",      "content", "tool_calls", "messages",   "system",
    "timestamp", "id",      "message",    "created_at", "parts",
};

static bool valid(const struct unit *unit, struct span text, struct outlet *out)
{
    enum jsonr_fault fault;
    size_t at;
    if (jsonr_valid(text, &fault, &at))
        return true;
    outlet_bad(out, (size_t)(text.at - unit->text.at) + at, jsonr_fault_text(fault));
    return false;
}

static struct record messages_base_of(const struct span *m)
{
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message")};
    pick_time(m[TIMESTAMP].at ? m[TIMESTAMP] : m[MESSAGES_CREATED], &base);
    return base;
}

static void messages_one_message(struct outlet *out, struct span text)
{
    struct span m[MESSAGES_MEMBERS];
    pick(text, messages_names, m, MESSAGES_MEMBERS);
    struct record base = messages_base_of(m);
    if (!m[MESSAGES_ROLE].at && jsonr_is_object(m[MESSAGES_MESSAGE]))
        text = m[MESSAGES_MESSAGE];
    if (!talk_message(out, text, &base))
        outlet_noise(out, "empty");
}

static void system_prompt(struct outlet *out, struct span system, const struct record *base)
{
    talk_content(out, system, SPEAKER_SYSTEM, base);
}

static void messages_read_document(void *state, const struct unit *unit, struct outlet *out)
{
    (void)state;
    struct span text = span_trim(unit->text), m[MESSAGES_MEMBERS];
    if (!text.len)
        return;
    if (unit->part == UNIT_ELEMENT) {
        if (valid(unit, text, out))
            messages_one_message(out, text);
        return;
    }
    pick(unit->part == UNIT_HEAD ? text : SPAN("{}"), messages_names, m, MESSAGES_MEMBERS);
    struct record base = messages_base_of(m);
    if (m[SYSTEM].at)
        system_prompt(out, m[SYSTEM], &base);
    if (!out->count)
        outlet_noise(out, "document");
}

/* A conversation a line is a session a line. */
static void conversation(const char *path, const struct unit *unit, struct outlet *out,
                         const struct span *m)
{
    struct record base = messages_base_of(m);
    struct arena *arena = outlet_arena(out);
    base.session = pick_string(m[MESSAGES_ID], arena);
    if (!base.session.len)
        base.session = talk_line_session(path, unit, arena);
    if (m[SYSTEM].at)
        system_prompt(out, m[SYSTEM], &base);
    struct jsonr_items items;
    jsonr_items_init(&items, m[MESSAGES]);
    while (jsonr_items_next(&items))
        talk_message(out, items.value, &base);
    if (!out->count)
        outlet_noise(out, "empty");
}

static void messages_read_line(void *path, const struct unit *unit, struct outlet *out)
{
    struct span line = span_trim(unit->text), m[MESSAGES_MEMBERS];
    if (!line.len || !valid(unit, line, out))
        return;
    pick(line, messages_names, m, MESSAGES_MEMBERS);
    if (jsonr_is_array(m[MESSAGES]))
        conversation(path, unit, out, m);
    else if (m[MESSAGES_ROLE].at || m[MESSAGES_MESSAGE].at)
        messages_one_message(out, line);
    else
        outlet_noise(out, "json");
}

/* ---- probes ---- */

static bool messages_is_message(struct span text)
{
    struct span m[MESSAGES_MEMBERS], role;
    enum speaker speaker;
    pick(text, messages_names, m, MESSAGES_MEMBERS);
    return jsonr_plain_string(m[MESSAGES_ROLE], &role) && talk_speaker(role, &speaker) &&
           (m[MESSAGES_CONTENT].at || m[MESSAGES_TOOL_CALLS].at || m[MESSAGES_PARTS].at);
}

static bool first_is_message(struct span array)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return false;
    jsonr_items_init(&items, array);
    return jsonr_items_next(&items) && messages_is_message(items.value);
}

static bool messages_is_line(struct span line)
{
    struct span messages;
    return messages_is_message(line) ||
           (jsonr_member(line, "messages", &messages) && first_is_message(messages));
}

static void messages_probe_document(struct probe *p)
{
    struct span messages;
    if (probe_begins(p, '{') && probe_member(p, "messages", &messages) &&
        first_is_message(messages))
        probe_say(p, 80, "a document whose \"messages\" have role and content");
}

/* Continue's sessions wrap each message, Gemini's saved chats don't. */
static void probe_history(struct probe *p)
{
    struct span history, message;
    struct jsonr_items items;
    if (!probe_begins(p, '{') || !probe_member(p, "history", &history) || !jsonr_is_array(history))
        return;
    jsonr_items_init(&items, history);
    if (jsonr_items_next(&items) &&
        (messages_is_message(items.value) ||
         (jsonr_member(items.value, "message", &message) && messages_is_message(message))))
        probe_say(p, 81, "a document whose \"history\" has messages with role and content");
}

/* A response of OpenAI's API. */
static void probe_output(struct probe *p)
{
    struct span output, object;
    if (probe_begins(p, '{') && probe_member(p, "output", &output) && jsonr_is_array(output) &&
        probe_member(p, "object", &object) && span_is(object, "\"response\""))
        probe_say(p, 84, "a response with an array \"output\"");
}

static void probe_array(struct probe *p)
{
    if (probe_begins(p, '[') && first_is_message(span_trim(p->head)))
        probe_say(p, 80, "an array of messages with role and content");
}

static void probe_jsonl(struct probe *p)
{
    struct vote vote = probe_lines(p, messages_is_line);
    probe_count(p, vote, vote.seen > 1 ? 82 : 60, "are messages with a role, or lists of them");
}

static const char *const messages_cannot_show[] = {
    "annotations (_meta), and hints of tools",
    "which server a tool belongs to, but in names like SERVER__TOOL",
    "times, where the writer gave none",
    NULL,
};

const struct reader reader_messages_json = {
    .name = "messages",
    .title = "a document with \"messages\" of OpenAI's or Anthropic's shape",
    .cannot_show = messages_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "messages",
    .transcript = true,
    .probe = messages_probe_document,
    .read = messages_read_document,
};

const struct reader reader_messages_history = {
    .name = "messages-history",
    .title = "a document with \"history\": sessions of Continue, saved chats of Gemini CLI",
    .where = "~/.continue/sessions/*.json",
    .cannot_show = messages_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "history",
    .transcript = true,
    .probe = probe_history,
    .read = messages_read_document,
};

const struct reader reader_messages_output = {
    .name = "messages-output",
    .title = "a response of OpenAI's API (\"output\")",
    .cannot_show = messages_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "output",
    .transcript = true,
    .probe = probe_output,
    .read = messages_read_document,
};

const struct reader reader_messages_array = {
    .name = "messages-array",
    .title = "an array of messages of OpenAI's or Anthropic's shape",
    .cannot_show = messages_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "",
    .transcript = true,
    .probe = probe_array,
    .read = messages_read_document,
};

const struct reader reader_messages_jsonl = {
    .name = "messages-jsonl",
    .title = "JSON lines: a message, or a list of messages, each",
    .cannot_show = messages_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe_jsonl,
    .open = talk_path_open,
    .read = messages_read_line,
    .close = mem_free,
};
