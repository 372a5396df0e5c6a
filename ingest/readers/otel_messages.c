#include "ingest/readers/otel_messages.h"

#include <stdlib.h>

#include "ingest/pick.h"
#include "ingest/talk.h"

static struct span any_inside(struct span any, const char *name)
{
    struct span value;
    return jsonr_is_object(any) && jsonr_member(any, name, &value) ? value : (struct span){0};
}

/* A member of a value: OTLP writes {kvlistValue: {values: [{key, value}]}}, the SDKs plain JSON. */
static struct span otel_any_member(struct span any, const char *name, struct arena *arena)
{
    struct span list = any_inside(any_inside(any, "kvlistValue"), "values");
    struct jsonr_items items;
    if (!jsonr_is_array(list))
        return any_inside(any, name);
    for (jsonr_items_init(&items, list); jsonr_items_next(&items);)
        if (span_is(pick_string(any_inside(items.value, "key"), arena), name))
            return any_inside(items.value, "value");
    return (struct span){0};
}

/* The value itself: of {stringValue: …} what is in it; plain JSON as it is. */
static struct span otel_any_value(struct span any)
{
    struct span text = any_inside(any, "stringValue");
    return text.at ? text : any;
}

/* The array in {arrayValue: {values: […]}}, or the value itself. */
static struct span any_array(struct span any)
{
    struct span values = any_inside(any_inside(any, "arrayValue"), "values");
    return values.at ? values : any;
}

/* ---- messages as values ---- */

static void any_call(struct outlet *out, struct span call, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span function = otel_any_member(call, "function", arena);
    struct span inner = function.at ? function : call;
    struct span args = otel_any_value(otel_any_member(inner, "arguments", arena));
    struct record *record =
        talk_value(out, RECORD_CALL, args.at ? args : span_sub(call, 0, 0), base);
    struct span name = otel_any_value(otel_any_member(inner, "name", arena));
    talk_tool_name(pick_string(name, arena), &record->server, &record->tool);
    record->call_id = pick_string(otel_any_value(otel_any_member(call, "id", arena)), arena);
}

static void any_result(struct outlet *out, struct span value, struct span id,
                       const struct record *base)
{
    struct record *record = talk_value(out, RECORD_RESULT, otel_any_value(value), base);
    record->call_id = pick_string(otel_any_value(id), outlet_arena(out));
}

static void any_part(struct outlet *out, struct span part, enum speaker speaker,
                     const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span type = pick_string(otel_any_value(otel_any_member(part, "type", arena)), arena);
    struct span content = otel_any_value(otel_any_member(part, "content", arena));
    struct span id = otel_any_member(part, "id", arena);
    if (span_is(type, "tool_call")) {
        any_call(out, part, base);
    } else if (span_is(type, "tool_call_response")) {
        struct span answer = otel_any_member(part, "response", arena);
        any_result(out, answer.at ? answer : otel_any_member(part, "result", arena), id, base);
    } else if (!span_is(type, "reasoning")) {
        talk_content(out, jsonr_is_string(content) ? content : part, speaker, base);
    }
}

static void any_message(struct outlet *out, struct span message, enum speaker speaker,
                        const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct jsonr_items items;
    talk_speaker(pick_string(otel_any_value(otel_any_member(message, "role", arena)), arena),
                 &speaker);
    struct span content = otel_any_value(otel_any_member(message, "content", arena));
    struct span parts = any_array(otel_any_member(message, "parts", arena));
    struct span calls = any_array(otel_any_member(message, "tool_calls", arena));
    if (speaker == SPEAKER_TOOL && content.at) {
        struct span id = otel_any_member(message, "id", arena);
        any_result(out, content, id.at ? id : otel_any_member(message, "tool_call_id", arena),
                   base);
    } else {
        talk_content(out, content, speaker, base);
    }
    if (jsonr_is_array(parts))
        for (jsonr_items_init(&items, parts); jsonr_items_next(&items);)
            any_part(out, items.value, speaker, base);
    if (jsonr_is_array(calls))
        for (jsonr_items_init(&items, calls); jsonr_items_next(&items);)
            any_call(out, items.value, base);
}

void otel_tell_messages(struct outlet *out, struct span value, const struct record *base)
{
    size_t first = out->count;
    struct span text = talk_open(value, outlet_arena(out)), list = any_array(text);
    struct jsonr_items items;
    if (!jsonr_is_array(list))
        return;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items);)
        any_message(out, items.value, SPEAKER_USER, base);
    talk_inside(out, first, value, text);
}

bool otel_tell_event(struct outlet *out, struct span name, struct span body, bool *input,
                     const struct record *base)
{
    static const struct {
        const char *name;
        enum speaker speaker;
    } events[] = {
        {"gen_ai.system.message", SPEAKER_SYSTEM}, {"gen_ai.user.message", SPEAKER_USER},
        {"gen_ai.tool.message", SPEAKER_TOOL},     {"gen_ai.assistant.message", SPEAKER_ASSISTANT},
        {"gen_ai.choice", SPEAKER_ASSISTANT},
    };
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        if (!span_is(name, events[i].name))
            continue;
        struct span inner = otel_any_member(body, "message", outlet_arena(out));
        *input = !span_is(name, "gen_ai.choice");
        any_message(out, inner.at ? inner : body, events[i].speaker, base);
        return true;
    }
    return false;
}

/* ---- a member each ---- */

enum { FLAT_MOST = 1 << 16 }; /* attributes of one span */

/* Of which message, and, of its calls, which one; CALL_NONE: of the message itself. */
struct flat_member {
    bool input;
    unsigned message, call;
    enum flat_what { FLAT_ROLE, FLAT_CONTENT, FLAT_ID, FLAT_NAME, FLAT_ARGUMENTS } what;
    size_t order;
    struct span value;
};

enum { CALL_NONE = 0 }; /* else its number + 1 */

void flat_finish(struct flat *flat)
{
    mem_free(flat->at);
    *flat = (struct flat){0};
}

/* The word in front of the next dot, which is taken off. */
static struct span flat_word(struct span *key)
{
    size_t end = span_find_byte(*key, '.');
    struct span word = span_sub(*key, 0, end);
    *key = span_sub(*key, end + 1, key->len);
    return word;
}

static bool flat_number(struct span word, unsigned *number)
{
    unsigned long long value;
    if (!span_to_u64(word, &value) || value > FLAT_MOST)
        return false;
    *number = (unsigned)value;
    return true;
}

/* "message.tool_calls.0.tool_call.function.name": which message and call, and what of it. */
static bool flat_path(struct span key, struct flat_member *m)
{
    static const struct {
        const char *word;
        enum flat_what what;
    } lasts[] = {{"role", FLAT_ROLE},          {"content", FLAT_CONTENT},
                 {"text", FLAT_CONTENT},       {"id", FLAT_ID},
                 {"tool_call_id", FLAT_ID},    {"name", FLAT_NAME},
                 {"arguments", FLAT_ARGUMENTS}};
    if (!flat_number(flat_word(&key), &m->message))
        return false;
    while (key.len) {
        struct span word = flat_word(&key);
        if (span_is(word, "tool_calls") || span_is(word, "contents")) {
            unsigned number;
            bool calls = span_is(word, "tool_calls");
            if (!flat_number(flat_word(&key), &number))
                return false;
            m->call = calls ? number + 1 : CALL_NONE;
            continue;
        }
        for (size_t i = 0; i < COUNT_OF(lasts) && !key.len; i++)
            if (span_is(word, lasts[i].word)) {
                m->what = lasts[i].what;
                return m->call || m->what <= FLAT_ID;
            }
    }
    return false;
}

bool flat_take(struct flat *flat, struct span key, struct span value)
{
    static const struct {
        const char *front;
        bool input;
    } fronts[] = {{"llm.input_messages.", true},
                  {"llm.output_messages.", false},
                  {"gen_ai.prompt.", true},
                  {"gen_ai.completion.", false}};
    for (size_t i = 0; i < COUNT_OF(fronts); i++) {
        struct span front = span_of(fronts[i].front);
        struct flat_member m = {
            .input = fronts[i].input, .order = flat->count, .value = otel_any_value(value)};
        if (!span_starts_with(key, front))
            continue;
        if (flat->count < FLAT_MOST && flat_path(span_sub(key, front.len, key.len), &m)) {
            flat->at = mem_one_more(flat->at, flat->count, &flat->size, sizeof *flat->at);
            flat->at[flat->count++] = m;
        }
        return true;
    }
    return false;
}

static int flat_order(const void *a, const void *b)
{
    const struct flat_member *x = a, *y = b;
    if (x->input != y->input)
        return x->input ? -1 : 1;
    if (x->message != y->message)
        return x->message < y->message ? -1 : 1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static struct span flat_find(const struct flat_member *at, size_t count, enum flat_what what)
{
    for (size_t i = 0; i < count; i++)
        if (at[i].what == what)
            return at[i].value;
    return (struct span){0};
}

/* The members of one message, or of one of its calls. */
static void flat_part(struct outlet *out, const struct flat_member *at, size_t count,
                      enum speaker *speaker, const struct record *base)
{
    struct arena *arena = outlet_arena(out);
    struct span id = pick_string(flat_find(at, count, FLAT_ID), arena);
    if (at->call) {
        struct span args = flat_find(at, count, FLAT_ARGUMENTS);
        struct record *record =
            talk_value(out, RECORD_CALL, args.at ? args : span_sub(at->value, 0, 0), base);
        struct span name = pick_string(flat_find(at, count, FLAT_NAME), arena);
        talk_tool_name(name, &record->server, &record->tool);
        record->call_id = id;
        return;
    }
    talk_speaker(pick_string(flat_find(at, count, FLAT_ROLE), arena), speaker);
    for (size_t i = 0; i < count; i++) {
        if (at[i].what != FLAT_CONTENT)
            continue;
        if (*speaker == SPEAKER_TOOL)
            talk_value(out, RECORD_RESULT, at[i].value, base)->call_id = id;
        else
            talk_content(out, at[i].value, *speaker, base);
    }
}

void flat_tell(struct flat *flat, bool input, struct outlet *out, const struct record *base)
{
    if (!flat->count)
        return;
    qsort(flat->at, flat->count, sizeof *flat->at, flat_order);
    enum speaker speaker = SPEAKER_USER;
    for (size_t i = 0, end; i < flat->count; i = end) {
        const struct flat_member *m = &flat->at[i];
        for (end = i + 1; end < flat->count; end++)
            if (flat->at[end].input != m->input || flat->at[end].message != m->message ||
                flat->at[end].call != m->call)
                break;
        if (m->input != input)
            continue;
        if (!m->call)
            speaker = input ? SPEAKER_USER : SPEAKER_ASSISTANT;
        flat_part(out, m, end - i, &speaker, base);
    }
}
