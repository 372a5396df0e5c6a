/*
 * Langfuse: a trace with its observations, as its API and its pages export them: {"trace": …,
 * "observations": […]}, a trace whose "observations" stand inside of it, an array of observations,
 * or the API's {"data": […]} (api.reference.langfuse.com, "Trace", "Observation"). Input and output
 * are JSON, or JSON in a string. Observations come in no order. Exports to a bucket have one
 * observation a line, its names with underscores.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/traces.h"

enum {
    LF_ID,
    LF_PARENT,
    LF_TRACE,
    LF_TYPE,
    LF_NAME,
    LF_START,
    LF_END,
    LF_INPUT,
    LF_OUTPUT,
    LF_LEVEL,
    LF_STATUS,
    LF_MEMBERS
};
static const char *const langfuse_names[LF_MEMBERS] = {
    "id",
    "parentObservationId",
    "traceId",
    "type",
    "name",
    "startTime",
    "endTime",
    "input",
    "output",
    "level",
    "statusMessage",
};
static const char *const langfuse_export_names[LF_MEMBERS] = {
    "id",
    "parent_observation_id",
    "trace_id",
    "type",
    "name",
    "start_time",
    "end_time",
    "input",
    "output",
    "level",
    "status_message",
};

static struct span langfuse_there(struct span value)
{
    return span_is(value, "null") ? (struct span){0} : value;
}

static enum run_kind langfuse_kind(struct span type)
{
    static const struct {
        const char *word;
        enum run_kind kind;
    } kinds[] = {{"TOOL", RUN_TOOL}, {"GENERATION", RUN_MODEL}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (span_is(type, kinds[i].word))
            return kinds[i].kind;
    return RUN_OTHER;
}

static void langfuse_add(struct traces *traces, struct outlet *out, struct span observation,
                         struct span session)
{
    struct arena *arena = outlet_arena(out);
    struct span m[LF_MEMBERS];
    pick(observation, langfuse_names, m, LF_MEMBERS);
    if (!m[LF_TRACE].at)
        pick(observation, langfuse_export_names, m, LF_MEMBERS);
    if (!m[LF_TYPE].at && !m[LF_START].at)
        return;
    struct run *run = traces_add(traces);
    run->whole = observation;
    run->kind = langfuse_kind(pick_string(m[LF_TYPE], arena));
    run->id = pick_string(m[LF_ID], arena);
    run->parent = pick_string(m[LF_PARENT], arena);
    run->name = pick_string(m[LF_NAME], arena);
    run->session = session.len ? session : pick_string(m[LF_TRACE], arena);
    run->input = langfuse_there(m[LF_INPUT]);
    run->output = langfuse_there(m[LF_OUTPUT]);
    run->failed = span_is(m[LF_LEVEL], "\"ERROR\"");
    if (run->failed)
        run->error = langfuse_there(m[LF_STATUS]);
    pick_time(m[LF_START], &run->start);
    pick_time(m[LF_END], &run->end);
}

static bool langfuse_is_observation(struct span value)
{
    static const char *const needed[] = {"traceId", "type", "startTime", NULL};
    static const char *const exported[] = {"trace_id", "type", "start_time", NULL};
    return jsonr_is_object(value) && (object_has(value, needed) || object_has(value, exported));
}

/* The observations of a document; `session` is the name of the session, where it tells one. */
static struct span langfuse_observations(struct span text, struct span *session,
                                         struct arena *arena)
{
    enum { LF_TRACE_OBJECT, LF_OBSERVATIONS, LF_DATA, LF_OWN_SESSION, LF_TOP };
    static const char *const names[] = {"trace", "observations", "data", "sessionId"};
    struct span m[LF_TOP], own;
    *session = SPAN_EMPTY;
    if (jsonr_is_array(text))
        return text;
    pick(text, names, m, LF_TOP);
    if (jsonr_member(m[LF_TRACE_OBJECT], "sessionId", &own))
        *session = pick_string(own, arena);
    else
        *session = pick_string(m[LF_OWN_SESSION], arena);
    return m[LF_OBSERVATIONS].at ? m[LF_OBSERVATIONS] : m[LF_DATA];
}

/* A document, an array, or one observation. What of it is whole, where it is not: `valid` tells. */
static size_t langfuse_value(struct traces *traces, struct outlet *out, struct span value,
                             bool valid)
{
    struct span session, array = langfuse_observations(value, &session, outlet_arena(out));
    struct jsonr_items items;
    size_t end = 0;
    if (valid && langfuse_is_observation(value)) {
        langfuse_add(traces, out, value, SPAN_EMPTY);
    } else if (jsonr_is_array(array)) {
        for (jsonr_items_init(&items, array); jsonr_items_next(&items);) {
            if (!valid && !jsonr_valid(items.value, NULL, NULL))
                break;
            langfuse_add(traces, out, items.value, session);
            end = (size_t)(items.value.at - value.at) + items.value.len;
        }
    }
    return valid ? value.len : end;
}

static void langfuse_read(void *state, const struct unit *unit, struct outlet *out)
{
    struct span rest = unit->text;
    struct traces *traces = traces_create();
    (void)state;
    while ((rest = span_trim(rest)).len) {
        bool cut;
        enum jsonr_fault fault;
        size_t place = (size_t)(rest.at - unit->text.at), len = jsonr_first_value(rest, &cut), at;
        struct span value = span_trim(span_sub(rest, 0, len ? len : rest.len));
        bool valid = jsonr_valid(value, &fault, &at);
        size_t end = langfuse_value(traces, out, value, valid);
        len = len && !cut ? len : rest.len;
        if (!valid)
            outlet_bad_part(out, place + end, len - end, jsonr_fault_text(fault));
        rest = span_sub(rest, len, rest.len);
    }
    traces_tell(traces, out, SPAN("langfuse"));
    traces_destroy(traces);
    if (!out->count && !out->part_count && span_trim(unit->text).len)
        outlet_noise(out, "telemetry");
}

/* ---- probe ---- */

static void langfuse_probe(struct probe *p)
{
    struct span array = span_trim(p->head);
    struct jsonr_items items;
    if (probe_begins(p, '{') && !probe_member(p, "observations", &array) &&
        !probe_member(p, "data", &array)) {
        probe_count(p, probe_values(p, langfuse_is_observation), 94,
                    "are observations with a trace, a type and a start");
        return;
    }
    if (!jsonr_is_array(array))
        return;
    jsonr_items_init(&items, array);
    if (jsonr_items_next(&items) && langfuse_is_observation(items.value))
        probe_say(p, 95, "observations with traceId, type and startTime");
}

static const char *const langfuse_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools, where the writer kept none",
    "which server a tool belongs to, but in names like SERVER__TOOL",
    "calls that were not sampled, and content that was masked",
    "approvals of the person",
    NULL,
};

const struct reader reader_langfuse = {
    .name = "langfuse",
    .title = "Langfuse's traces: observations of models and tools",
    .cannot_show = langfuse_cannot_show,
    .framing = FRAME_WHOLE,
    .transcript = true,
    .probe = langfuse_probe,
    .read = langfuse_read,
};
