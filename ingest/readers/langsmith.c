/*
 * LangSmith and what logs like it: runs {id, name, run_type, inputs, outputs, start_time, end_time,
 * parent_run_id, trace_id} (docs.langchain.com/langsmith/run-data-format), as an array, as
 * {"runs": […]}, as JSON lines, and nested in "child_runs". Runs come in no order; the API gives
 * the latest first.
 */
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/traces.h"

enum {
    LS_ID,
    LS_PARENT,
    LS_TRACE,
    LS_TYPE,
    LS_NAME,
    LS_START,
    LS_END,
    LS_INPUTS,
    LS_OUTPUTS,
    LS_ERROR,
    LS_CHILDREN,
    LS_RUNS,
    LS_MEMBERS
};
static const char *const langsmith_names[LS_MEMBERS] = {
    "id",       "parent_run_id", "trace_id", "run_type", "name",       "start_time",
    "end_time", "inputs",        "outputs",  "error",    "child_runs", "runs",
};

/* Containers that are still to be looked through. */
struct langsmith_work {
    struct span *at;
    size_t count, size;
};

static void langsmith_later(struct langsmith_work *work, struct span value)
{
    if (!jsonr_is_array(value) && !jsonr_is_object(value))
        return;
    work->at = mem_one_more(work->at, work->count, &work->size, sizeof *work->at);
    work->at[work->count++] = value;
}

static enum run_kind langsmith_kind(struct span type)
{
    return span_equal_nocase(type, SPAN("tool"))  ? RUN_TOOL
           : span_equal_nocase(type, SPAN("llm")) ? RUN_MODEL
                                                  : RUN_OTHER;
}

static struct span langsmith_there(struct span value)
{
    return span_is(value, "null") || span_is(value, "{}") ? (struct span){0} : value;
}

static void langsmith_add(struct traces *traces, struct langsmith_work *work, struct outlet *out,
                          struct span object)
{
    struct arena *arena = outlet_arena(out);
    struct span m[LS_MEMBERS];
    pick(object, langsmith_names, m, LS_MEMBERS);
    langsmith_later(work, m[LS_RUNS]);
    langsmith_later(work, m[LS_CHILDREN]);
    if (!m[LS_TYPE].at)
        return;
    struct run *run = traces_add(traces);
    run->whole = object;
    run->kind = langsmith_kind(pick_string(m[LS_TYPE], arena));
    run->id = pick_string(m[LS_ID], arena);
    run->parent = pick_string(m[LS_PARENT], arena);
    run->name = pick_string(m[LS_NAME], arena);
    run->session = pick_string(m[LS_TRACE], arena);
    run->input = span_is(m[LS_INPUTS], "null") ? (struct span){0} : m[LS_INPUTS];
    run->output = langsmith_there(m[LS_OUTPUTS]);
    run->error = langsmith_there(m[LS_ERROR]);
    run->failed = run->error.at;
    pick_time(m[LS_START], &run->start);
    pick_time(m[LS_END], &run->end);
}

static void langsmith_walk(struct traces *traces, struct outlet *out, struct span value)
{
    struct langsmith_work work = {0};
    struct jsonr_items items;
    langsmith_later(&work, value);
    while (work.count) {
        struct span next = work.at[--work.count];
        if (jsonr_is_object(next)) {
            langsmith_add(traces, &work, out, next);
            continue;
        }
        for (jsonr_items_init(&items, next); jsonr_items_next(&items);)
            if (jsonr_is_object(items.value))
                langsmith_add(traces, &work, out, items.value);
    }
    mem_free(work.at);
}

/* Runs that are whole, of an array that is not: how far they reach in it. */
static size_t langsmith_salvage(struct traces *traces, struct outlet *out, struct span text)
{
    struct jsonr_items items;
    size_t end = 0;
    struct span array = text;
    if (!jsonr_is_array(text) && !(jsonr_member(text, "runs", &array) && jsonr_is_array(array)))
        return 0;
    for (jsonr_items_init(&items, array); jsonr_items_next(&items);) {
        if (!jsonr_valid(items.value, NULL, NULL))
            break;
        langsmith_walk(traces, out, items.value);
        end = (size_t)(items.value.at - text.at) + items.value.len;
    }
    return end;
}

/* Length of what can't be read: to the line in which that shows, for a good one may begin there. */
static size_t langsmith_damaged(struct span rest)
{
    enum jsonr_fault fault;
    size_t at = 0, line;
    jsonr_valid(rest, &fault, &at);
    line = at < rest.len ? at : rest.len;
    while (line && rest.at[line - 1] != '\n')
        line--;
    size_t end = line + span_find_byte(span_sub(rest, line, rest.len), '\n') + 1;
    return span_trim(span_sub(rest, 0, line)).len ? line : end < rest.len ? end : rest.len;
}

/* A run that ends nowhere takes all that is left, unless another one begins on the next line. */
static size_t langsmith_torn(struct span rest, unsigned *tries)
{
    enum { TRIES = 64 }; /* each of them may look through the rest */
    size_t line = span_find_byte(rest, '\n') + 1;
    struct span next = span_sub(rest, line < rest.len ? line : rest.len, rest.len);
    bool lines = jsonr_is_object(rest) && jsonr_is_object(next) && (*tries)++ < TRIES;
    return lines ? line : rest.len;
}

static void langsmith_read(void *state, const struct unit *unit, struct outlet *out)
{
    struct span rest = unit->text;
    struct traces *traces = traces_create();
    unsigned tries = 0;
    (void)state;
    while ((rest = span_trim(rest)).len) {
        bool cut;
        size_t len = jsonr_first_value(rest, &cut), at = (size_t)(rest.at - unit->text.at);
        struct span value = span_trim(span_sub(rest, 0, len));
        if (len && jsonr_valid(value, NULL, NULL)) {
            langsmith_walk(traces, out, value);
        } else {
            len = cut ? langsmith_torn(rest, &tries) : langsmith_damaged(rest);
            size_t kept = langsmith_salvage(traces, out, span_sub(rest, 0, len));
            outlet_bad_part(out, at + kept, len - kept,
                            cut && len == rest.len ? "the file ends inside this run"
                                                   : "no whole run");
        }
        rest = span_sub(rest, len, rest.len);
    }
    traces_tell(traces, out, SPAN("langsmith"));
    traces_destroy(traces);
    if (!out->count && span_trim(unit->text).len)
        outlet_noise(out, "telemetry");
}

/* ---- probe ---- */

static bool langsmith_is_run(struct span value)
{
    static const char *const needed[] = {"run_type", "inputs", "start_time", NULL};
    return jsonr_is_object(value) && object_has(value, needed);
}

static void langsmith_probe(struct probe *p)
{
    struct span array = span_trim(p->head);
    struct jsonr_items items;
    if (probe_begins(p, '{') && !probe_member(p, "runs", &array)) {
        probe_count(p, probe_values(p, langsmith_is_run), 93, "are runs with run_type and inputs");
        return;
    }
    if (!jsonr_is_array(array))
        return;
    jsonr_items_init(&items, array);
    if (jsonr_items_next(&items) && langsmith_is_run(items.value))
        probe_say(p, 94, "an array of runs with run_type, inputs and start_time");
}

static const char *const langsmith_cannot_show[] = {
    "annotations (_meta), definitions and hints of tools",
    "which server a tool belongs to, but in names like SERVER__TOOL",
    "runs that were not sampled, and content that was masked",
    "approvals of the person",
    NULL,
};

const struct reader reader_langsmith = {
    .name = "langsmith",
    .title = "LangSmith's runs: an array, a document, or JSON lines",
    .cannot_show = langsmith_cannot_show,
    .framing = FRAME_WHOLE,
    .transcript = true,
    .probe = langsmith_probe,
    .read = langsmith_read,
};
