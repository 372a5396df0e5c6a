#include "model/trace/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/attr.h"
#include "model/trace/cues.h"
#include "model/trace/legible.h"
#include "model/trace/secret.h"
#include "model/trace/steer.h"
#include "model/trace/values.h"

enum {
    RANK_PASSAGE = 500,    /* bytes that count as close together */
    EVENTS_MOST = 2000000, /* words of interest in all items */
    SHINGLES_SIZE = 1 << 16,
    SHINGLE = 4, /* words */
};

/* A word of interest in an item. */
enum event_kind { EVENT_CUE, EVENT_ORDER, EVENT_TOOL, EVENT_VALUE };
struct event {
    size_t at;
    uint32_t what; /* bits of cues; the word's hash; the stem's index; the value */
    uint8_t kind;
    bool tool; /* an order that the tool carries out */
};

/* What speaks for a passage or an item; each 0..1. */
struct evidence {
    double cues, orders, tool, values;
    double all_values, all_content; /* of the whole item */
    double repeats;                 /* how much of the passage stands in an earlier item */
    double steers; /* it named what was asked for to get what the call carries on */
    bool tool_order;
    uint32_t classes;
};

struct rank_candidate {
    struct legible legible; /* its text */
    size_t first, end;      /* its events */
    struct evidence evidence;
    size_t begin, stop; /* the passage */
    double score;
};

struct ranking {
    const struct rank_call *call;
    const struct rank_item *items;
    size_t count;
    struct values values;
    struct cue_lexicon *lexicon;
    uint32_t stems[CUE_STEMS];
    size_t stem_count;
    struct event *events;
    size_t event_count, event_size;
    struct rank_candidate *candidates;
    uint32_t *shingles;
    uint32_t reading; /* the text that is read, from 1 */
    bool collecting;
    bool capped;
    bool has_prompt; /* one of the items is a prompt */
    /* of the passage at hand: */
    uint32_t value_in[VALUES_MOST];
};

static bool rank_is_prompt(enum trace_source source)
{
    return source == TRACE_PROMPT || source == TRACE_SYSTEM;
}

/* ---- reading ---- */

static void push_event(struct ranking *r, struct event event)
{
    if (r->event_count == EVENTS_MOST) {
        r->capped = true;
        return;
    }
    r->events = mem_one_more(r->events, r->event_count, &r->event_size, sizeof *r->events);
    r->events[r->event_count++] = event;
}

static void value_seen(void *arg, size_t value, size_t at)
{
    struct ranking *r = arg;
    struct value *v = &r->values.items[value];
    if (!r->collecting) {
        v->seen_by = r->reading;
        return;
    }
    if (v->wished || v->said)
        return; /* the user's wish, or the model's own */
    if (v->seen_by != r->reading)
        v->items++;
    v->seen_by = r->reading;
    push_event(r, (struct event){at, (uint32_t)value, EVENT_VALUE, false});
}

/* Marks the values that a text has. */
static void read_values(struct ranking *r, struct span text)
{
    struct value_state state = {.count = 0};
    struct cue_word word;
    r->collecting = false;
    for (size_t at = 0; cue_word_next(text, &at, &word);)
        values_step(&r->values, &state, &word, value_seen, r);
}

static size_t stem_index(const struct ranking *r, uint32_t stem)
{
    size_t i = 0;
    while (i < r->stem_count && r->stems[i] != stem)
        i++;
    return i;
}

static void read_item(struct ranking *r, const struct rank_item *item, struct span text)
{
    struct value_state values = {.count = 0};
    struct cue_state cues = {.count = 0};
    struct cue_word word;
    bool is_definition = item->source == TRACE_DEFINITIONS;
    r->collecting = true;
    for (size_t at = 0; cue_word_next(text, &at, &word);) {
        struct cue_seen seen = cue_step(r->lexicon, &cues, &word);
        /* Definitions name their tools and say what to do with them: no evidence by itself. */
        size_t stem = is_definition ? r->stem_count : stem_index(r, word.stem);
        bool is_tool = stem < r->stem_count && !r->call->only_content;
        if (r->call->only_content)
            seen = (struct cue_seen){0};
        if (seen.classes)
            push_event(r, (struct event){word.at, seen.classes, EVENT_CUE, false});
        if (seen.imperative && !is_definition)
            push_event(r, (struct event){word.at, word.hash, EVENT_ORDER, is_tool});
        if (is_tool)
            push_event(r, (struct event){word.at, (uint32_t)stem, EVENT_TOOL, false});
        values_step(&r->values, &values, &word, value_seen, r);
    }
}

static int rank_by_place(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->kind != y->kind ? x->kind - y->kind : x->what < y->what ? -1 : x->what > y->what;
}

static void read_all(struct ranking *r, struct arena *arena)
{
    for (size_t i = 0; i < r->count; i++) {
        r->reading = 1;
        if (rank_is_prompt(r->items[i].source))
            read_values(r, r->items[i].text);
    }
    for (size_t v = 0; v < r->values.count; v++)
        r->values.items[v].wished = r->values.items[v].seen_by == 1;
    for (size_t i = 0; i < r->count; i++) {
        struct rank_candidate *c = &r->candidates[i];
        c->first = c->end = r->event_count;
        if (rank_is_prompt(r->items[i].source) || r->items[i].source == TRACE_ASSISTANT)
            continue;
        r->reading++;
        read_values(r, r->items[i].arguments);
        for (size_t v = 0; v < r->values.count; v++)
            r->values.items[v].said |= r->values.items[v].seen_by == r->reading;
        r->reading++;
        legible_read(r->items[i].text, arena, &c->legible);
        read_item(r, &r->items[i], c->legible.text);
        c->end = r->event_count;
        if (c->end > c->first)
            qsort(r->events + c->first, c->end - c->first, sizeof(*r->events), rank_by_place);
    }
}

/* ---- weighing ---- */

static double value_weight(const struct value *value)
{
    return value->weight / sqrt((double)value->items);
}

/* A window over the events of one item. Counts say how often each thing is in it, so that it can
 * move on at both ends. */
struct window {
    uint32_t cues[CUE_CLASSES], tools[CUE_STEMS];
    size_t cue_kinds, tool_kinds, tool_orders;
    struct {
        uint32_t hash, count;
    } orders[128]; /* more than there are verbs */
    size_t order_kinds;
    double values;
};

static void window_order(struct window *w, uint32_t hash, bool enter)
{
    size_t at = hash % COUNT_OF(w->orders), tries = 0;
    while (tries < COUNT_OF(w->orders) && w->orders[at].hash && w->orders[at].hash != hash) {
        at = (at + 1) % COUNT_OF(w->orders);
        tries++;
    }
    if (tries == COUNT_OF(w->orders))
        return; /* more orders in one passage than say more */
    w->orders[at].hash = hash;
    if (enter)
        w->order_kinds += w->orders[at].count++ == 0;
    else if (w->orders[at].count)
        w->order_kinds -= --w->orders[at].count == 0;
}

static void window_move(struct ranking *r, struct window *w, const struct event *event, bool enter)
{
    switch ((enum event_kind)event->kind) {
    case EVENT_CUE:
        for (uint32_t rest = event->what; rest; rest &= rest - 1) {
            uint32_t *count = &w->cues[__builtin_ctz(rest)];
            w->cue_kinds += enter ? (*count)++ == 0 : 0;
            w->cue_kinds -= enter ? 0 : --*count == 0;
        }
        break;
    case EVENT_ORDER:
        window_order(w, event->what, enter);
        w->tool_orders += enter ? event->tool : 0;
        w->tool_orders -= enter ? 0 : event->tool;
        break;
    case EVENT_TOOL: {
        uint32_t *count = &w->tools[event->what];
        w->tool_kinds += enter ? (*count)++ == 0 : 0;
        w->tool_kinds -= enter ? 0 : --*count == 0;
        break;
    }
    case EVENT_VALUE: {
        const struct value *value = &r->values.items[event->what];
        uint32_t *count = &r->value_in[event->what];
        bool changes = enter ? (*count)++ == 0 : --*count == 0;
        if (changes && !value->content)
            w->values += enter ? value_weight(value) : -value_weight(value);
        break;
    }
    }
}

static struct evidence window_evidence(const struct window *w)
{
    struct evidence e = {
        .cues = 1 - pow(0.75, (double)w->cue_kinds),
        .orders = 1 - pow(0.7, (double)w->order_kinds),
        .tool = 1 - pow(0.6, (double)w->tool_kinds),
        .values = 1 - exp(-(w->values > 0 ? w->values : 0)),
        .tool_order = w->tool_orders > 0,
    };
    for (size_t i = 0; i < CUE_CLASSES; i++)
        e.classes |= w->cues[i] ? 1u << i : 0;
    return e;
}

/* Evidence that stands together says more than apart. The weights are round numbers: halving or
 * doubling any of them changes the order in few cases. */
static double passage_score(const struct evidence *e)
{
    double tool_order = e->tool_order ? 1 : 0;
    return 0.35 * e->cues + 0.35 * e->values + 0.05 * e->tool + 0.05 * tool_order +
           0.4 * e->cues * e->values + 0.15 * e->cues * e->tool + 0.15 * tool_order * e->values +
           0.1 * e->orders * e->values + 0.05 * e->orders;
}
enum { SCORE_MOST = 2 }; /* of all weights together, about */

/* The best passage of an item: from each word of interest on, PASSAGE bytes. */
static void find_passage(struct ranking *r, struct rank_candidate *c)
{
    struct window window = {0};
    double best = 0;
    memset(r->value_in, 0, sizeof(r->value_in));
    for (size_t from = c->first, to = c->first; from < c->end; from++) {
        size_t begin = r->events[from].at;
        while (to < c->end && r->events[to].at < begin + RANK_PASSAGE)
            window_move(r, &window, &r->events[to++], true);
        bool same_place = from > c->first && r->events[from - 1].at == begin;
        struct evidence e = window_evidence(&window);
        double score = same_place ? 0 : passage_score(&e);
        if (score > best + 1e-9) {
            best = score;
            c->evidence = e;
            c->begin = begin;
            c->stop = r->events[to - 1].at;
        }
        window_move(r, &window, &r->events[from], false);
    }
}

/* What the whole item shares with the arguments. */
static void weigh_values(struct ranking *r, struct rank_candidate *c)
{
    double values = 0, content = 0;
    memset(r->value_in, 0, sizeof(r->value_in));
    for (size_t i = c->first; i < c->end; i++) {
        if (r->events[i].kind != EVENT_VALUE || r->value_in[r->events[i].what]++)
            continue;
        const struct value *value = &r->values.items[r->events[i].what];
        *(value->content ? &content : &values) += value_weight(value);
    }
    c->evidence.all_values = 1 - exp(-values);
    c->evidence.all_content = 1 - exp(-content);
}

/* How much of the passage has been said before, in the passages of earlier items: by runs of
 * words. A full table forgets nothing but takes no more. */
static void weigh_repeats(struct ranking *r, struct rank_candidate *c, struct span text)
{
    uint32_t last[SHINGLE] = {0}, fresh[RANK_PASSAGE + 128];
    size_t words = 0, known = 0, runs = 0, fresh_count = 0;
    size_t begin = c->begin;
    struct span passage = span_sub(text, begin, c->stop - begin + 64);
    struct cue_word word;
    for (size_t at = 0; cue_word_next(passage, &at, &word); words++) {
        last[words % SHINGLE] = word.hash;
        if (words + 1 < SHINGLE)
            continue;
        uint32_t hash = 0;
        for (size_t i = 1; i <= SHINGLE; i++)
            hash = hash * 0x9e3779b1u + last[(words + i) % SHINGLE];
        hash = hash ? hash : 1;
        size_t slot = hash % SHINGLES_SIZE, tries = 0;
        while (tries < 16 && r->shingles[slot] && r->shingles[slot] != hash) {
            slot = (slot + 1) % SHINGLES_SIZE;
            tries++;
        }
        runs++;
        known += r->shingles[slot] == hash;
        if (tries < 16 && !r->shingles[slot] && fresh_count < COUNT_OF(fresh))
            fresh[fresh_count++] = hash;
    }
    for (size_t i = 0; i < fresh_count; i++) {
        size_t slot = fresh[i] % SHINGLES_SIZE, tries = 0;
        while (tries++ < 16 && r->shingles[slot] && r->shingles[slot] != fresh[i])
            slot = (slot + 1) % SHINGLES_SIZE;
        if (tries <= 16)
            r->shingles[slot] = fresh[i];
    }
    c->evidence.repeats = runs ? (double)known / (double)runs : 0;
}

/* Who asked for the results that the call carries on. */
static void weigh_steering(struct ranking *r, struct arena *arena)
{
    struct steer_item *items = arena_array(arena, r->count + 1, sizeof *items);
    for (size_t i = 0; i < r->count; i++) {
        const struct evidence *e = &r->candidates[i].evidence;
        double content = e->all_content > e->all_values ? e->all_content : e->all_values;
        bool is_prompt = rank_is_prompt(r->items[i].source);
        items[i] = (struct steer_item){
            .text = is_prompt ? r->items[i].text : r->candidates[i].legible.text,
            .arguments = r->items[i].arguments,
            .is_prompt = is_prompt,
            .share = is_prompt ? 0 : content,
        };
    }
    steer_weigh(items, r->count, arena);
    for (size_t i = 0; i < r->count; i++)
        r->candidates[i].evidence.steers = items[i].steers;
}

static void score_item(struct ranking *r, size_t i)
{
    struct rank_candidate *c = &r->candidates[i];
    const struct evidence *e = &c->evidence;
    double score = passage_score(&c->evidence) + 0.25 * c->evidence.all_values +
                   0.05 * c->evidence.all_content +
                   0.6 * e->steers * (e->cues > e->orders ? e->cues : e->orders);
    if (score <= 0)
        return;
    if (c->stop > c->begin)
        weigh_repeats(r, c, c->legible.text);
    score -= 0.3 * c->evidence.repeats;
    score = (score > 0.01 ? score : 0.01) + (r->items[i].untrusted ? 0.1 : 0);
    c->score = score / SCORE_MOST < 1 ? score / SCORE_MOST : 1;
}

/* A prompt is a cause as far as it has the values of the call and the words of the tool; to name an
 * address, an id or the like is to ask for most of the call. */
static void score_prompt(struct ranking *r, size_t i)
{
    double wished = 0, all = 0;
    bool names = false;
    uint32_t stems = 0;
    for (size_t v = 0; v < r->values.count; v++)
        r->values.items[v].seen_by = 0;
    r->reading = 1;
    read_values(r, r->items[i].text);
    for (size_t v = 0; v < r->values.count; v++) {
        const struct value *value = &r->values.items[v];
        all += value->weight;
        wished += value->seen_by == 1 ? value->weight : 0;
        names = names || (value->seen_by == 1 && !value->content && value->weight > 1);
    }
    struct cue_word word;
    for (size_t at = 0; cue_word_next(r->items[i].text, &at, &word);)
        stems += stem_index(r, word.stem) < r->stem_count;
    stems = r->call->only_content ? 0 : stems;
    double share = all > 0 ? wished / all : 0;
    share = names && share < 0.7 ? 0.7 : share;
    r->candidates[i].score = 0.5 * share * (stems ? 1 : 0.4) + (stems && all <= 0 ? 0.25 : 0);
    r->candidates[i].evidence.all_values = share;
    r->candidates[i].evidence.tool = stems ? 1 : 0;
}

/* ---- reasons ---- */

static struct span heaviest_value(const struct ranking *r, const struct rank_candidate *c)
{
    const struct value *best = NULL;
    for (size_t i = c->first; i < c->end; i++) {
        if (r->events[i].kind != EVENT_VALUE)
            continue;
        const struct value *value = &r->values.items[r->events[i].what];
        if (!best || value_weight(value) > value_weight(best))
            best = value;
    }
    return best ? best->text : SPAN_EMPTY;
}

static const char *const rank_class_words[CUE_CLASSES] = {
    "before you",    "after you",    "ignore what was said",
    "important",     "urgent",       "immediately",
    "you must",      "the model",    "do not tell",
    "the following", "instructions", "please",
    "a tag or role", "the user",     "first, instead",
};

static void rank_add_reason(struct rank_cause *cause, struct arena *arena, const char *text)
{
    if (cause->reason_count < RANK_REASONS)
        cause->reasons[cause->reason_count++] = arena_copy(arena, span_of(text));
}

/* What it and the call have in common. */
static void explain_value(struct ranking *r, struct span value, struct arena *arena,
                          struct rank_cause *cause)
{
    struct buf text = {0}, masked = {0};
    secrets_mask(&masked, value);
    value = buf_span(&masked);
    buf_puts(&text, "shares \"");
    buf_add(&text, span_sub(value, 0, 80));
    buf_addf(&text, "%s\" with the %s; %s", value.len > 80 ? "\xe2\x80\xa6" : "",
             r->call->tool.len ? "call" : "answer",
             r->has_prompt ? "no prompt has it" : "no prompt was recorded");
    rank_add_reason(cause, arena, buf_cstr(&text));
    buf_finish(&masked);
    buf_finish(&text);
}

/* `how`: as what its passage is written, where that takes decoding. */
static void explain(struct ranking *r, size_t i, const char *how, struct arena *arena,
                    struct rank_cause *cause)
{
    const struct rank_candidate *c = &r->candidates[i];
    struct buf text = {0};
    enum { TELLING = 3 }; /* bytes; that two texts share "1" says nothing */
    struct span value = rank_is_prompt(r->items[i].source) ? SPAN_EMPTY : heaviest_value(r, c);
    if (value.len >= TELLING) {
        explain_value(r, value, arena, cause);
    } else if (rank_is_prompt(r->items[i].source) && c->evidence.all_values > 0) {
        rank_add_reason(cause, arena, "the prompt itself has values of the call");
    }
    if (how)
        rank_add_reason(cause, arena, arena_printf(arena, "what says so is hidden in it: %s", how));
    if (c->evidence.classes) {
        buf_clear(&text);
        buf_puts(&text, "reads like an instruction");
        size_t said = 0;
        for (size_t k = 0; k < CUE_CLASSES && said < 4; k++)
            if (c->evidence.classes & 1u << k)
                buf_addf(&text, "%s%s", said++ ? ", " : ": ", rank_class_words[k]);
        rank_add_reason(cause, arena, buf_cstr(&text));
    }
    if (c->evidence.tool > 0)
        rank_add_reason(cause, arena,
                        c->evidence.tool_order ? "asks for what the tool does"
                                               : "has words of the tool's name");
    if (c->evidence.steers > 0.1 && c->evidence.cues + c->evidence.orders > 0)
        rank_add_reason(cause, arena, "names what was asked for to get what the call carries on");
    if (c->evidence.repeats > 0.5)
        rank_add_reason(cause, arena, "repeats what an earlier item says");
    if (r->items[i].untrusted)
        rank_add_reason(cause, arena, "untrusted");
    if (!cause->reason_count && value.len)
        explain_value(r, value, arena, cause);
    buf_finish(&text);
}

static int by_score(const void *a, const void *b)
{
    const struct rank_cause *x = a, *y = b;
    /* As whole numbers, so that what differs by rounding only is equal for all. */
    long long a_score = llround(x->score * 1e9), b_score = llround(y->score * 1e9);
    if (a_score != b_score)
        return a_score > b_score ? -1 : 1;
    return x->n < y->n ? -1 : x->n > y->n;
}

void rank_causes(const struct rank_call *call, const struct rank_item *items, size_t count,
                 struct arena *arena, struct rank_cause **causes, size_t *cause_count, bool *capped)
{
    struct ranking *r = NEW(struct ranking);
    r->call = call;
    r->items = items;
    r->count = count;
    values_init(&r->values);
    values_read(&r->values, call->arguments, arena);
    for (size_t v = 0; v < r->values.count && call->only_content; v++)
        r->values.items[v].content = false;
    r->lexicon = cue_lexicon_create();
    r->stem_count = cue_tool_stems(call->tool, r->stems);
    r->candidates = NEW_ARRAY(struct rank_candidate, count ? count : 1);
    r->shingles = NEW_ARRAY(uint32_t, SHINGLES_SIZE);
    read_all(r, arena);
    for (size_t i = 0; i < count; i++)
        r->has_prompt = r->has_prompt || rank_is_prompt(items[i].source);
    *causes = arena_array(arena, count, sizeof(**causes));
    *cause_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!rank_is_prompt(items[i].source)) {
            find_passage(r, &r->candidates[i]);
            weigh_values(r, &r->candidates[i]);
        }
    if (!call->only_content)
        weigh_steering(r, arena);
    for (size_t i = 0; i < count; i++) {
        struct rank_candidate *c = &r->candidates[i];
        if (rank_is_prompt(items[i].source))
            continue;
        score_item(r, i);
        if (c->score <= 0)
            continue;
        struct rank_cause *cause = &(*causes)[(*cause_count)++];
        *cause = (struct rank_cause){
            .n = items[i].n, .score = c->score, .offset = c->begin, .length = c->stop - c->begin};
        const char *how = legible_place(&c->legible, c->begin, &cause->offset, &cause->length);
        explain(r, i, how, arena, cause);
    }
    for (size_t i = 0; i < count; i++) {
        if (!rank_is_prompt(items[i].source))
            continue;
        score_prompt(r, i);
        if (r->candidates[i].score <= 0.05)
            continue;
        struct rank_cause *cause = &(*causes)[(*cause_count)++];
        *cause = (struct rank_cause){.n = items[i].n, .score = r->candidates[i].score};
        explain(r, i, NULL, arena, cause);
    }
    if (*cause_count)
        qsort(*causes, *cause_count, sizeof(**causes), by_score);
    if (capped)
        *capped = r->capped;
    mem_free(r->shingles);
    mem_free(r->candidates);
    mem_free(r->events);
    cue_lexicon_destroy(r->lexicon);
    values_finish(&r->values);
    mem_free(r);
}
