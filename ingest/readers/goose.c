/* Goose: session files of JSON lines, and the rows of its database written out the same way. */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

static struct span member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* {toolCall: {status, value: {name, arguments}}} */
static void request(struct outlet *out, struct span block, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span call = member(member(block, "toolCall"), "value");
    struct span arguments = member(call, "arguments");
    struct record *record =
        talk_value(out, RECORD_CALL, arguments.at ? arguments : span_sub(block, 0, 0), base);
    record->call_id = pick_string(member(block, "id"), arena);
    talk_split_name(pick_string(member(call, "name"), arena), "", "__", &record->server,
                    &record->tool);
}

/* {toolResult: {status, value | error}} */
static void response(struct outlet *out, struct span block, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span result = member(block, "toolResult"), value = member(result, "value");
    struct span error = member(result, "error");
    bool failed = span_is(pick_string(member(result, "status"), arena), "error");
    struct record *record = talk_value(out, RECORD_RESULT,
                                       value.at   ? value
                                       : error.at ? error
                                                  : block,
                                       base);
    record->call_id = pick_string(member(block, "id"), arena);
    record->is_error = failed || pick_true(member(value, "isError"));
}

static void blocks(struct outlet *out, struct span content, enum speaker speaker,
                   const struct record *base)
{
    struct jsonr_items items;
    if (!jsonr_is_array(content))
        return;
    for (jsonr_items_init(&items, content); jsonr_items_next(&items);) {
        struct span type = pick_string(member(items.value, "type"), outlet_arena(out));
        if (span_is(type, "toolRequest"))
            request(out, items.value, base);
        else if (span_is(type, "toolResponse"))
            response(out, items.value, base);
        else
            talk_content(out, items.value, speaker, base);
    }
}

static void read_line(void *state, const struct unit *unit, struct outlet *out)
{
    enum { ROLE, CREATED, CONTENT, SESSION, MEMBERS };
    static const char *const names[] = {"role", "created", "content", "session_id"};
    struct span m[MEMBERS];
    enum speaker speaker;
    (void)state;
    if (!pick_unit(unit, out, names, m, MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message"), .host = SPAN("goose")};
    base.session = pick_string(m[SESSION], arena);
    pick_time(m[CREATED], &base);
    if (talk_speaker(pick_string(m[ROLE], arena), &speaker))
        blocks(out, m[CONTENT], speaker, &base);
    if (!out->count)
        outlet_noise(out, "metadata");
}

static bool is_line(struct span line)
{
    static const char *const said[] = {"role", "created", "content", NULL};
    static const char *const head[] = {"working_dir", "description", NULL};
    return jsonr_is_object(line) && (object_has(line, said) || object_has(line, head));
}

static void probe(struct probe *p)
{
    probe_count(p, probe_lines(p, is_line), 90,
                "have role, created and content of Goose's sessions");
}

static const char *const cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "approvals of the person",
    NULL,
};

const struct reader reader_goose = {
    .name = "goose",
    .title = "Goose's sessions, in files or its database",
    .where = "~/.local/share/goose/sessions",
    .cannot_show = cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = probe,
    .read = read_line,
};
