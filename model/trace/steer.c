#include "model/trace/steer.h"

#include <math.h>

#include "model/trace/values.h"

enum { STEER_HOPS = 4 }; /* results whose calls are looked at */

struct steering {
    struct values values; /* of those calls */
    uint32_t reading;     /* the text that is read, from 1 */
    double sum;           /* of what the text at hand names */
    double share;         /* the largest of those results */
};

static void steer_seen(void *arg, size_t value, size_t at)
{
    struct steering *s = arg;
    struct value *v = &s->values.items[value];
    (void)at;
    if (v->seen_by != s->reading && !v->wished && !v->said)
        s->sum += v->weight;
    v->seen_by = s->reading;
}

static void steer_read(struct steering *s, struct span text)
{
    struct value_state state = {.count = 0};
    struct cue_word word;
    s->reading++;
    s->sum = 0;
    for (size_t at = 0; cue_word_next(text, &at, &word);)
        values_step(&s->values, &state, &word, steer_seen, s);
}

/* The results that share most with the call at hand. */
static size_t choose_hops(const struct steer_item *items, size_t count, size_t chosen[STEER_HOPS])
{
    const double least = 0.3;
    size_t hops = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = hops;
        if (items[i].is_prompt || !items[i].arguments.len || items[i].share < least)
            continue;
        while (at > 0 && items[chosen[at - 1]].share < items[i].share)
            at--;
        if (at == STEER_HOPS)
            continue;
        hops += hops < STEER_HOPS;
        memmove(chosen + at + 1, chosen + at, (hops - at - 1) * sizeof *chosen);
        chosen[at] = i;
    }
    return hops;
}

void steer_weigh(struct steer_item *items, size_t count, struct arena *arena)
{
    size_t chosen[STEER_HOPS], hops = choose_hops(items, count, chosen);
    for (size_t i = 0; i < count; i++)
        items[i].steers = 0;
    if (!hops)
        return;
    struct steering *s = NEW(struct steering);
    values_init(&s->values);
    for (size_t i = 0; i < hops; i++)
        values_read(&s->values, items[chosen[i]].arguments, arena);
    s->share = items[chosen[0]].share;
    for (size_t i = 0; i < count; i++) {
        if (!items[i].is_prompt)
            continue;
        steer_read(s, items[i].text);
        for (size_t v = 0; v < s->values.count; v++)
            s->values.items[v].wished |= s->values.items[v].seen_by == s->reading;
    }
    for (size_t i = 0; i < count; i++) {
        if (items[i].is_prompt)
            continue;
        steer_read(s, items[i].arguments);
        for (size_t v = 0; v < s->values.count; v++)
            s->values.items[v].said |= s->values.items[v].seen_by == s->reading;
        steer_read(s, items[i].text);
        items[i].steers = s->share * (1 - exp(-s->sum));
    }
    values_finish(&s->values);
    mem_free(s);
}
