/* Goose: session files of JSON lines, and the rows of its database written out the same way. */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

static struct span goose_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

/* {toolCall: {status, value: {name, arguments}}} */
static void request(struct outlet *out, struct span block, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span call = goose_member(goose_member(block, "toolCall"), "value");
    struct span arguments = goose_member(call, "arguments");
    struct record *record =
        talk_value(out, RECORD_CALL, arguments.at ? arguments : span_sub(block, 0, 0), base);
    record->call_id = pick_string(goose_member(block, "id"), arena);
    talk_split_name(pick_string(goose_member(call, "name"), arena), "", "__", &record->server,
                    &record->tool);
}

/* {toolResult: {status, value | error}} */
static void response(struct outlet *out, struct span block, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span result = goose_member(block, "toolResult"), value = goose_member(result, "value");
    struct span error = goose_member(result, "error");
    bool failed = span_is(pick_string(goose_member(result, "status"), arena), "error");
    struct record *record = talk_value(out, RECORD_RESULT,
                                       value.at   ? value
                                       : error.at ? error
                                                  : block,
                                       base);
    record->call_id = pick_string(goose_member(block, "id"), arena);
    record->is_error = failed || pick_true(goose_member(value, "isError"));
}

static void blocks(struct outlet *out, struct span content, enum speaker speaker,
                   const struct record *base)
{
    struct jsonr_items items;
    if (!jsonr_is_array(content))
        return;
    for (jsonr_items_init(&items, content); jsonr_items_next(&items);) {
        struct span type = pick_string(goose_member(items.value, "type"), outlet_arena(out));
        if (span_is(type, "toolRequest"))
            request(out, items.value, base);
        else if (span_is(type, "toolResponse"))
            response(out, items.value, base);
        else
            talk_content(out, items.value, speaker, base);
    }
}

static void goose_read_line(void *state, const struct unit *unit, struct outlet *out)
{
    enum { GOOSE_ROLE, GOOSE_CREATED, GOOSE_CONTENT, GOOSE_SESSION, GOOSE_MEMBERS };
    static const char *const names[] = {"role", "created", "content", "session_id"};
    struct span m[GOOSE_MEMBERS];
    enum speaker speaker;
    (void)state;
    if (!pick_unit(unit, out, names, m, GOOSE_MEMBERS))
        return;
    struct arena *arena = outlet_arena(out);
    struct record base = {.time_digits = -1, .rpc_type = SPAN("message"), .host = SPAN("goose")};
    base.session = pick_string(m[GOOSE_SESSION], arena);
    pick_time(m[GOOSE_CREATED], &base);
    if (talk_speaker(pick_string(m[GOOSE_ROLE], arena), &speaker))
        blocks(out, m[GOOSE_CONTENT], speaker, &base);
    if (!out->count)
        outlet_noise(out, "metadata");
}

static bool goose_is_line(struct span line)
{
    static const char *const said[] = {"role", "created", "content", NULL};
    static const char *const head[] = {"working_dir", "description", NULL};
    return jsonr_is_object(line) && (object_has(line, said) || object_has(line, head));
}

static void goose_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, goose_is_line), 90,
                "have role, created and content of Goose's sessions");
}

static const char *const goose_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "approvals of the person",
    NULL,
};

const struct reader reader_goose = {
    .name = "goose",
    .title = "Goose's sessions, in files or its database",
    .where = "~/.local/share/goose/sessions",
    .cannot_show = goose_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = goose_probe,
    .read = goose_read_line,
};
