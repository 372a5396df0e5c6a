/*
 * Conversations that were written out for reading: JSON lines whose "messages_display" is one text,
 * a line "ROLE: TEXT" where each message begins (as tau-bench keeps its examples). Calls are not in
 * it: where the model made one, it says "assistant: None".
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

/* "ROLE: " at the start of a line: its length, else 0. */
static size_t display_role(struct span text, enum speaker *speaker)
{
    size_t colon = span_find_byte(span_sub(text, 0, 16), ':');
    bool found = colon + 1 < text.len && text.at[colon + 1] == ' ' &&
                 talk_speaker(span_sub(text, 0, colon), speaker);
    return found ? colon + 2 : 0;
}

/* One message: its text is bytes of the literal's. */
static void display_message(struct outlet *out, struct span literal, struct span whole,
                            struct span text, enum speaker speaker, const struct record *base)
{
    static const enum record_kind kinds[] = {
        [SPEAKER_USER] = RECORD_PROMPT,
        [SPEAKER_SYSTEM] = RECORD_PROMPT,
        [SPEAKER_ASSISTANT] = RECORD_ASSISTANT,
        [SPEAKER_TOOL] = RECORD_RESULT,
    };
    if (!text.len || (speaker == SPEAKER_ASSISTANT && span_is(text, "None")))
        return;
    struct record *record = outlet_record(out, kinds[speaker]);
    *record = *base;
    record->kind = kinds[speaker];
    record->system = speaker == SPEAKER_SYSTEM;
    record->payload = literal;
    record->text = text;
    record->recipe =
        arena_printf(outlet_arena(out), "s;@%zu+%zu;", (size_t)(text.at - whole.at), text.len);
    record->call_id = speaker == SPEAKER_TOOL ? SPAN("not written") : SPAN_EMPTY;
}

/* Where the next message begins, from `at` on, and how long its role is. */
static size_t display_next(struct span whole, size_t at, size_t *role, enum speaker *speaker)
{
    while (at < whole.len) {
        struct span rest = span_sub(whole, at, whole.len);
        if ((*role = display_role(rest, speaker)))
            break;
        at += span_find_byte(rest, '\n') + 1;
    }
    return at < whole.len ? at : whole.len;
}

static void display_text(struct outlet *out, struct span literal, const struct record *base)
{
    struct span whole = pick_string(literal, outlet_arena(out));
    enum speaker speaker;
    size_t role = 0, at = display_next(whole, 0, &role, &speaker);
    while (at < whole.len) {
        enum speaker now = speaker;
        size_t begin = at + role;
        size_t line = span_find_byte(span_sub(whole, begin, whole.len), '\n') + 1;
        at = display_next(whole, begin + line, &role, &speaker);
        size_t end = at > begin && whole.at[at - 1] == '\n' ? at - 1 : at;
        display_message(out, literal, whole, span_sub(whole, begin, end - begin), now, base);
    }
}

static void display_read_line(void *path, const struct unit *unit, struct outlet *out)
{
    static const char *const names[] = {"messages_display"};
    struct span m[1];
    if (!pick_unit(unit, out, names, m, 1))
        return;
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message")};
    base.session = talk_line_session(path, unit, outlet_arena(out));
    if (jsonr_is_string(m[0]))
        display_text(out, m[0], &base);
    if (!out->count)
        outlet_noise(out, "json");
}

static bool display_is_line(struct span line)
{
    struct span value;
    return jsonr_is_object(line) && jsonr_member(line, "messages_display", &value) &&
           jsonr_is_string(value);
}

static void display_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, display_is_line), 90, "have a conversation in messages_display");
}

static const char *const display_cannot_show[] = {
    "calls: their tools, arguments, and which answer belongs to which",
    "where a message begins, but by a line that starts with a role: a text can hold such a line",
    "times, servers, and annotations (_meta)",
    NULL,
};

const struct reader reader_messages_display = {
    .name = "messages-display",
    .title = "conversations written out for reading (messages_display)",
    .cannot_show = display_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = display_probe,
    .open = talk_path_open,
    .read = display_read_line,
    .close = mem_free,
};
