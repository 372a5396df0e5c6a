/*
 * The export of claude.ai and Claude Desktop's chats (conversations.json): an array of
 * conversations, each with chat_messages. Tools of connectors are called SERVER:TOOL.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

static void claude_ai_message(struct outlet *out, struct span message, const struct record *of)
{
    enum { MESSAGE_SENDER, MESSAGE_CONTENT, MESSAGE_TEXT, MESSAGE_TIME, MESSAGE_COUNT };
    static const char *const names[MESSAGE_COUNT] = {"sender", "content", "text", "created_at"};
    struct span m[MESSAGE_COUNT];
    enum speaker speaker = SPEAKER_USER;
    size_t first = out->count;
    pick(message, names, m, MESSAGE_COUNT);
    struct record base = *of;
    base.within = message;
    pick_time(m[MESSAGE_TIME], &base);
    talk_speaker(pick_string(m[MESSAGE_SENDER], outlet_arena(out)), &speaker);
    if (!talk_content(out, m[MESSAGE_CONTENT], speaker, &base))
        talk_content(out, m[MESSAGE_TEXT], speaker, &base);
    for (size_t i = first; i < out->count; i++) {
        struct record *r = &out->records[i];
        struct span server, tool;
        if (r->kind == RECORD_CALL && talk_split_name(r->tool, "", ":", &server, &tool)) {
            r->server = server;
            r->tool = tool;
        }
    }
}

static void claude_ai_read(void *state, const struct unit *unit, struct outlet *out)
{
    enum { C_ID, C_MESSAGES, C_COUNT };
    static const char *const names[C_COUNT] = {"uuid", "chat_messages"};
    struct span c[C_COUNT];
    struct jsonr_items items;
    (void)state;
    if (unit->part != UNIT_ELEMENT) {
        if (span_trim(unit->text).len)
            outlet_noise(out, "document");
        return;
    }
    if (!pick_unit(unit, out, names, c, C_COUNT))
        return;
    struct record base = {.time_digits = -1,
                          .rpc_type = SPAN("message"),
                          .host = SPAN("claude.ai"),
                          .session = pick_string(c[C_ID], outlet_arena(out))};
    if (jsonr_is_array(c[C_MESSAGES]))
        for (jsonr_items_init(&items, c[C_MESSAGES]); jsonr_items_next(&items);)
            claude_ai_message(out, items.value, &base);
    if (!out->count)
        outlet_noise(out, "empty");
}

static void claude_ai_probe(struct probe *p)
{
    static const char *const needed[] = {"uuid", "chat_messages", NULL};
    struct jsonr_items items;
    struct span array = span_trim(p->head);
    if (!jsonr_is_array(array))
        return;
    jsonr_items_init(&items, array);
    if (jsonr_items_next(&items) && object_has(items.value, needed))
        probe_say(p, 94, "an array of conversations with chat_messages");
}

static const char *const claude_ai_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "what a server sent, where the model was shown another text",
    "approvals of the person",
    "the system prompt",
    NULL,
};

const struct reader reader_claude_ai = {
    .name = "claude-ai",
    .title = "the export of claude.ai's chats (conversations.json)",
    .cannot_show = claude_ai_cannot_show,
    .framing = FRAME_ELEMENTS,
    .elements = "",
    .transcript = true,
    .probe = claude_ai_probe,
    .read = claude_ai_read,
};
