#include "ingest/traces.h"

#include <stdlib.h>

#include "ingest/names.h"
#include "ingest/pick.h"
#include "ingest/repeats.h"
#include "ingest/talk.h"

enum { ANCESTORS = 64 }; /* looked at; a trace may name its runs in a circle */

struct traces {
    struct run *runs;
    size_t count, size;
    bool tools; /* tools have runs of their own: what models say of calls only repeats them */
    struct names ids;
    struct repeats repeats;
};

/* A run starts, or ends. */
struct turn {
    int64_t at;
    size_t run, depth;
    bool end, instant;
};

struct traces *traces_create(void)
{
    return NEW(struct traces);
}

void traces_destroy(struct traces *t)
{
    if (!t)
        return;
    names_finish(&t->ids);
    repeats_finish(&t->repeats);
    mem_free(t->runs);
    mem_free(t);
}

struct run *traces_add(struct traces *t)
{
    t->runs = mem_one_more(t->runs, t->count, &t->size, sizeof *t->runs);
    struct run *run = &t->runs[t->count++];
    *run = (struct run){.start = {.time_digits = -1}, .end = {.time_digits = -1}};
    return run;
}

/* Drops what models repeat: what they were given, and calls that have runs of their own. */
static void drop_repeated(struct traces *t, struct outlet *out, size_t first, bool input)
{
    size_t kept = first;
    for (size_t i = first; i < out->count; i++) {
        enum record_kind kind = out->records[i].kind;
        if (!t->tools || (kind != RECORD_CALL && kind != RECORD_RESULT))
            out->records[kept++] = out->records[i];
    }
    out->count = kept;
    repeats_drop(&t->repeats, out, first, input);
}

/* ---- messages ---- */

static struct span traces_member(struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? value : (struct span){0};
}

static struct span first_of(struct span array)
{
    struct jsonr_items items;
    if (!jsonr_is_array(array))
        return array;
    jsonr_items_init(&items, array);
    return jsonr_items_next(&items) ? items.value : (struct span){0};
}

/* LangChain's objects, written out: {lc, type: "constructor", id: […, "HumanMessage"], kwargs}. */
static void serialized_message(struct outlet *out, struct span id, struct span kwargs,
                               const struct record *base)
{
    static const struct {
        const char *word;
        enum speaker speaker;
    } classes[] = {{"HumanMessage", SPEAKER_USER},
                   {"SystemMessage", SPEAKER_SYSTEM},
                   {"AIMessage", SPEAKER_ASSISTANT}};
    size_t before = out->count;
    if (talk_message(out, kwargs, base) || out->count > before)
        return;
    for (size_t i = 0; i < COUNT_OF(classes); i++)
        if (span_find(id, span_of(classes[i].word)) < id.len) {
            talk_content(out, traces_member(kwargs, "content"), classes[i].speaker, base);
            return;
        }
}

static void told_message(struct outlet *out, struct span message, enum speaker speaker,
                         const struct record *base)
{
    struct span kwargs = traces_member(message, "kwargs");
    if (jsonr_is_object(kwargs))
        serialized_message(out, traces_member(message, "id"), kwargs, base);
    else if (traces_member(message, "role").at || !traces_member(message, "content").at)
        talk_message(out, message, base);
    else if (speaker == SPEAKER_ASSISTANT || traces_member(message, "type").at)
        talk_message(out, message, base);
}

/* An array of messages, or, for a batch, of arrays of them: of which the first is told. */
static void told_messages(struct outlet *out, struct span array, enum speaker speaker,
                          const struct record *base)
{
    struct jsonr_items items;
    struct span inner = first_of(array);
    if (!jsonr_is_array(array))
        return;
    for (jsonr_items_init(&items, jsonr_is_array(inner) ? inner : array);
         jsonr_items_next(&items);) {
        if (jsonr_is_object(items.value))
            told_message(out, items.value, speaker, base);
        else if (jsonr_is_string(items.value))
            talk_content(out, items.value, speaker, base);
    }
}

static bool is_text(struct span value)
{
    return jsonr_is_string(value) && value.len > 2;
}

static void told_input(struct outlet *out, struct span value, const struct record *base)
{
    enum { T_MESSAGES, T_SYSTEM, T_PROMPT, T_PROMPTS, T_INPUT, T_ROLE, T_KWARGS, T_COUNT };
    static const char *const names[] = {"messages", "system", "prompt", "prompts",
                                        "input",    "role",   "kwargs"};
    struct span m[T_COUNT];
    if (jsonr_is_string(value))
        talk_content(out, value, SPEAKER_USER, base);
    else if (jsonr_is_array(value))
        told_messages(out, value, SPEAKER_USER, base);
    pick(value, names, m, T_COUNT);
    if (m[T_ROLE].at || m[T_KWARGS].at) {
        told_message(out, value, SPEAKER_USER, base);
        return;
    }
    if (m[T_SYSTEM].at)
        talk_content(out, m[T_SYSTEM], SPEAKER_SYSTEM, base);
    told_messages(out, m[T_MESSAGES], SPEAKER_USER, base);
    told_messages(out, m[T_PROMPTS], SPEAKER_USER, base);
    for (int i = T_PROMPT; i <= T_INPUT; i++) {
        if (is_text(m[i]))
            talk_content(out, m[i], SPEAKER_USER, base);
        else if (i == T_INPUT)
            told_messages(out, m[i], SPEAKER_USER, base);
    }
}

static void told_output(struct outlet *out, struct span value, const struct record *base)
{
    enum {
        T_ROLE,
        T_KWARGS,
        T_CONTENT,
        T_MESSAGES,
        T_GENERATIONS,
        T_CHOICES,
        T_OUTPUT,
        T_TEXT,
        T_COUNT
    };
    static const char *const names[] = {"role",        "kwargs",  "content", "messages",
                                        "generations", "choices", "output",  "text"};
    struct span m[T_COUNT], inner;
    if (jsonr_is_string(value))
        talk_content(out, value, SPEAKER_ASSISTANT, base);
    else if (jsonr_is_array(value))
        told_messages(out, value, SPEAKER_ASSISTANT, base);
    pick(value, names, m, T_COUNT);
    if (m[T_ROLE].at || m[T_KWARGS].at) {
        told_message(out, value, SPEAKER_ASSISTANT, base);
    } else if (m[T_GENERATIONS].at) {
        struct span best = first_of(first_of(m[T_GENERATIONS]));
        inner = traces_member(best, "message");
        if (inner.at)
            told_message(out, inner, SPEAKER_ASSISTANT, base);
        else
            talk_content(out, traces_member(best, "text"), SPEAKER_ASSISTANT, base);
    } else if (m[T_CHOICES].at) {
        told_message(out, traces_member(first_of(m[T_CHOICES]), "message"), SPEAKER_ASSISTANT,
                     base);
    } else if (m[T_MESSAGES].at) {
        told_messages(out, m[T_MESSAGES], SPEAKER_ASSISTANT, base);
    } else {
        for (int i = T_CONTENT; i <= T_TEXT; i++)
            if (i == T_CONTENT || (i >= T_OUTPUT && is_text(m[i])))
                talk_content(out, m[i], SPEAKER_ASSISTANT, base);
    }
}

/* ---- turns ---- */

/* The only member of an object, where it has that name: {"input": …}. */
static struct span unwrapped(struct span value, const char *name)
{
    struct jsonr_items items;
    if (!jsonr_is_object(value))
        return value;
    jsonr_items_init(&items, value);
    if (!jsonr_items_next(&items) || !jsonr_name_is(items.name, span_of(name)))
        return value;
    struct span only = items.value;
    return jsonr_items_next(&items) ? value : only;
}

static void tell_call(struct outlet *out, const struct run *run, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    size_t first = out->count;
    struct span input = run->input;
    struct span text = talk_open(input, arena), args = unwrapped(text, "input");
    struct record *record = talk_value(out, RECORD_CALL, args, base);
    talk_tool_name(run->name, &record->server, &record->tool);
    record->call_id = run->id;
    talk_inside(out, first, input, text);
}

static void tell_result(struct outlet *out, const struct run *run, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    size_t first = out->count;
    struct span output = run->output.at ? run->output : run->error;
    struct span text = talk_open(output, arena), result = unwrapped(text, "output");
    struct span kwargs = traces_member(result, "kwargs"),
                content = traces_member(kwargs, "content");
    struct span status = traces_member(kwargs, "status");
    if (!content.at && span_is(traces_member(result, "type"), "\"tool\"")) {
        content = traces_member(result, "content");
        status = traces_member(result, "status");
    }
    struct record *record = talk_value(out, RECORD_RESULT, content.at ? content : result, base);
    record->call_id = run->id;
    record->is_error = run->failed || span_is(status, "\"error\"");
    record->truncated = run->truncated;
    talk_inside(out, first, output, text);
}

static void tell_model(struct traces *t, struct outlet *out, struct span value, bool input,
                       const struct record *base)
{
    size_t first = out->count;
    if (!value.at)
        return;
    struct span text = talk_open(value, outlet_arena(out));
    if (input)
        told_input(out, text, base);
    else
        told_output(out, text, base);
    talk_inside(out, first, value, text);
    drop_repeated(t, out, first, input);
}

static void tell_turn(struct traces *t, struct outlet *out, const struct turn *turn,
                      struct span host)
{
    const struct run *run = &t->runs[turn->run];
    const struct record *when = turn->end ? &run->end : &run->start;
    struct record base = {.time_digits = when->time_digits,
                          .time_ns = when->time_ns,
                          .host = host,
                          .session = run->session,
                          .within = run->whole,
                          .rpc_type = run->name};
    if (run->kind == RUN_TOOL && !turn->end)
        tell_call(out, run, &base);
    else if (run->kind == RUN_TOOL)
        tell_result(out, run, &base);
    else if (!turn->end && (run->kind == RUN_MODEL || !run->parent.len))
        tell_model(t, out, run->input, true, &base);
    else if (turn->end && run->kind == RUN_MODEL)
        tell_model(t, out, run->output, false, &base);
}

/* ---- order ---- */

static int by_time(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    bool x_ends = x->end && !x->instant, y_ends = y->end && !y->instant;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x_ends != y_ends) /* what ends here makes room for what starts */
        return x_ends ? -1 : 1;
    if (x->depth != y->depth)
        return (x->depth < y->depth) == x_ends ? 1 : -1;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    return (int)x->end - (int)y->end;
}

/* No run starts before those that it is in, whatever its clock says. */
static struct turn start_of(struct traces *t, size_t run)
{
    struct turn turn = {.at = t->runs[run].start.time_ns, .run = run};
    struct span parent = t->runs[run].parent;
    while (parent.len && turn.depth < ANCESTORS) {
        int64_t found = *names_at(&t->ids, parent);
        if (!found)
            break;
        const struct run *above = &t->runs[found - 1];
        if (above->start.time_digits >= 0 && above->start.time_ns > turn.at)
            turn.at = above->start.time_ns;
        parent = above->parent;
        turn.depth++;
    }
    return turn;
}

static void fill_times(struct traces *t)
{
    int64_t last = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct run *run = &t->runs[i];
        if (run->id.len)
            *names_at(&t->ids, run->id) = (int64_t)i + 1;
        t->tools = t->tools || run->kind == RUN_TOOL;
        if (run->start.time_digits < 0) /* it stands where it is written */
            run->start.time_ns = last;
        last = run->start.time_ns;
    }
}

void traces_tell(struct traces *t, struct outlet *out, struct span host)
{
    struct turn *turns = NEW_ARRAY(struct turn, t->count * 2 + 1);
    size_t count = 0;
    fill_times(t);
    for (size_t i = 0; i < t->count; i++) {
        const struct run *run = &t->runs[i];
        bool ended = run->end.time_digits >= 0 || run->output.at || run->error.at;
        struct turn turn = start_of(t, i), end = turn;
        end.end = true;
        if (run->end.time_digits >= 0 && run->end.time_ns > turn.at)
            end.at = run->end.time_ns;
        turn.instant = end.instant = end.at == turn.at;
        turns[count++] = turn;
        if (ended)
            turns[count++] = end;
    }
    qsort(turns, count, sizeof *turns, by_time);
    for (size_t i = 0; i < count; i++)
        tell_turn(t, out, &turns[i], host);
    mem_free(turns);
}
