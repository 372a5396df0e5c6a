/*
 * Traces of Invariant's Explorer and Analyzer (explorer.invariantlabs.ai, "Trace format"): JSON
 * lines, each a conversation: a bare array of messages of OpenAI's shape, or an object that holds
 * it beside annotations and metadata. Tool calls may have their arguments as an object.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/talk.h"

enum { INV_MESSAGES, INV_ID, INV_INDEX, INV_ANNOTATIONS, INV_METADATA, INV_MEMBERS };
static const char *const invariant_names[INV_MEMBERS] = {"messages", "id", "index", "annotations",
                                                         "metadata"};

static void invariant_read_line(void *path, const struct unit *unit, struct outlet *out)
{
    struct span line = span_trim(unit->text), m[INV_MEMBERS] = {{0}}, messages = line, time;
    struct arena *arena = outlet_arena(out);
    struct jsonr_items items;
    enum jsonr_fault fault;
    size_t at;
    if (!line.len)
        return;
    if (!jsonr_valid(line, &fault, &at)) {
        outlet_bad(out, (size_t)(line.at - unit->text.at) + at, jsonr_fault_text(fault));
        return;
    }
    if (jsonr_is_object(line)) {
        pick(line, invariant_names, m, INV_MEMBERS);
        messages = m[INV_MESSAGES];
    }
    struct record base = {
        .time_digits = -1, .rpc_type = SPAN("message"), .host = SPAN("invariant")};
    base.session = pick_string(m[INV_ID], arena); /* a trace is a session */
    if (!base.session.len)
        base.session = talk_line_session(path, unit, arena);
    if (jsonr_is_array(messages))
        for (jsonr_items_init(&items, messages); jsonr_items_next(&items);) {
            struct record of_message = base;
            if (jsonr_member(items.value, "timestamp", &time))
                pick_time(time, &of_message);
            talk_message(out, items.value, &of_message);
        }
    if (!out->count)
        outlet_noise(out, "empty");
}

/* ---- probe ---- */

static bool invariant_is_message(struct span value)
{
    struct span role, word;
    enum speaker speaker;
    return jsonr_is_object(value) && jsonr_member(value, "role", &role) &&
           jsonr_plain_string(role, &word) && talk_speaker(word, &speaker);
}

static bool invariant_is_list(struct span array)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return false;
    jsonr_items_init(&items, array);
    return jsonr_items_next(&items) && invariant_is_message(items.value);
}

static bool invariant_is_line(struct span line)
{
    struct span m[INV_MEMBERS];
    if (jsonr_is_array(line))
        return invariant_is_list(line);
    pick(line, invariant_names, m, INV_MEMBERS);
    return invariant_is_list(m[INV_MESSAGES]) && (m[INV_ANNOTATIONS].at || m[INV_METADATA].at) &&
           (m[INV_INDEX].at || m[INV_ANNOTATIONS].at);
}

static void invariant_probe(struct probe *p)
{
    struct vote vote = probe_lines(p, invariant_is_line);
    if (vote.seen > 1 || probe_begins(p, '{'))
        probe_count(p, vote, 88, "are Invariant's traces: a list of messages each");
}

static const char *const invariant_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which server a tool belongs to, but in names like SERVER__TOOL",
    "times, where the writer gave none",
    NULL,
};

const struct reader reader_invariant = {
    .name = "invariant",
    .title = "Invariant's traces: JSON lines, a list of messages each",
    .cannot_show = invariant_cannot_show,
    .framing = FRAME_LINES,
    .transcript = true,
    .probe = invariant_probe,
    .open = talk_path_open,
    .read = invariant_read_line,
    .close = mem_free,
};
