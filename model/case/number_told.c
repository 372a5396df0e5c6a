/* The order of a session's steps: those that several sources tell. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/case/case_internal.h"
#include "model/case/numbering.h"

bool numbering_load_told(struct case_file *c, int64_t session, struct tolds *tolds, struct err *err)
{
    struct stmt *stmt = db_stmt(c->db,
                                "SELECT t.step_id, e.source_id, t.event_id, e.time_ns,"
                                " o.clock_offset_ns FROM step s"
                                " JOIN step_source t ON t.step_id = s.id"
                                " JOIN event e ON e.id = t.event_id"
                                " JOIN source o ON o.id = e.source_id"
                                " WHERE s.session_id=?1 AND e.source_id <> s.source_id",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        tolds->items = mem_one_more(tolds->items, tolds->count, &tolds->size, sizeof *tolds->items);
        int64_t seen = stmt_int(stmt, 3);
        if (__builtin_add_overflow(seen, stmt_int(stmt, 4), &seen))
            seen = stmt_int(stmt, 3);
        tolds->items[tolds->count++] = (struct told){.step = stmt_int(stmt, 0),
                                                     .source = stmt_int(stmt, 1),
                                                     .event = stmt_int(stmt, 2),
                                                     .seen = seen,
                                                     .is_seen = !stmt_is_null(stmt, 3)};
    }
    stmt_finish(stmt);
    return row == 0;
}

static int told_by_step(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

static int told_by_place(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static int steps_by_step(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

int64_t numbering_tells_most(struct tolds *tolds)
{
    int64_t most = 0;
    size_t best = 0;
    qsort(tolds->items, tolds->count, sizeof *tolds->items, told_by_place);
    for (size_t begin = 0, end; begin < tolds->count; begin = end) {
        for (end = begin;
             end < tolds->count && tolds->items[end].source == tolds->items[begin].source;)
            end++;
        if (end - begin > best) {
            best = end - begin;
            most = tolds->items[begin].source;
        }
    }
    return most;
}

/* The step of each, in the order of steps; NULL behind the last. */
static struct numbered *step_of(struct steps *steps, size_t *at, const struct told *told)
{
    while (*at < steps->count && steps->items[*at].id < told->step)
        ++*at;
    return *at < steps->count ? &steps->items[*at] : NULL;
}

static void sort_by_step(struct steps *steps, struct tolds *tolds)
{
    qsort(tolds->items, tolds->count, sizeof *tolds->items, told_by_step);
    qsort(steps->items, steps->count, sizeof *steps->items, steps_by_step);
}

void numbering_lend_times(struct steps *steps, struct tolds *tolds)
{
    struct numbered *step;
    sort_by_step(steps, tolds);
    for (size_t i = 0, k = 0; i < tolds->count && (step = step_of(steps, &k, &tolds->items[i]));
         i++)
        if (!step->timed && tolds->items[i].is_seen) {
            step->time = tolds->items[i].seen;
            step->timed = true;
        }
    qsort(steps->items, steps->count, sizeof *steps->items, numbering_by_id);
}

/* Gives each its step's time, and leaves them in the order in which their sources tell them. */
static void date_told(struct steps *steps, struct tolds *tolds)
{
    const struct numbered *step;
    sort_by_step(steps, tolds);
    for (size_t i = 0, k = 0; i < tolds->count && (step = step_of(steps, &k, &tolds->items[i]));
         i++) {
        tolds->items[i].time = step->time;
        tolds->items[i].timed = step->timed;
    }
    qsort(steps->items, steps->count, sizeof *steps->items, numbering_by_id);
    size_t dated = 0;
    for (size_t i = 0; i < tolds->count; i++)
        if (tolds->items[i].timed)
            tolds->items[dated++] = tolds->items[i];
    tolds->count = dated;
    qsort(tolds->items, tolds->count, sizeof *tolds->items, told_by_place);
}

/* What a source tells of others' steps: the latest time up to each, and the earliest from it on. */
struct bounds {
    const struct told *told;
    size_t count;
    int64_t *latest, *earliest;
};

static struct bounds bounds_of(const struct told *told, size_t count)
{
    struct bounds b = {told, count, NEW_ARRAY(int64_t, count), NEW_ARRAY(int64_t, count)};
    for (size_t i = 0; i < count; i++)
        b.latest[i] = i && b.latest[i - 1] > told[i].time ? b.latest[i - 1] : told[i].time;
    for (size_t i = count; i-- > 0;)
        b.earliest[i] =
            i + 1 < count && b.earliest[i + 1] < told[i].time ? b.earliest[i + 1] : told[i].time;
    return b;
}

/* Puts a step between those that its source tells in front of it and behind it: `at` of them are in
 * front. Where these overlap, as parallel calls do, it stays behind the former. */
static void place(struct numbered *step, const struct bounds *b, size_t at)
{
    if (at && (!step->timed || step->time <= b->latest[at - 1])) {
        step->time = b->latest[at - 1];
        step->beside = 1;
    } else if (at < b->count && (!step->timed || step->time >= b->earliest[at]) &&
               (!at || b->earliest[at] > b->latest[at - 1])) {
        step->time = b->earliest[at];
        step->beside = -1;
    }
    step->timed = true;
}

/* No step is before the one in front of it. */
static void keep_order(struct numbered *step, const struct numbered *before)
{
    if (step->time < before->time ||
        (step->time == before->time && step->beside < before->beside)) {
        step->time = before->time;
        step->beside = before->beside;
    }
}

/* What has no time, and tells nothing that has one, comes first: the definitions of a server that
 * was never called. */
static void put_first(struct numbered *step)
{
    step->time = step->timed ? step->time : INT64_MIN;
    step->timed = true;
}

void numbering_keep_places(struct steps *steps, struct tolds *tolds)
{
    date_told(steps, tolds);
    size_t i = 0;
    for (size_t begin = 0, end; begin < tolds->count; begin = end) {
        int64_t source = tolds->items[begin].source;
        for (end = begin; end < tolds->count && tolds->items[end].source == source;)
            end++;
        struct bounds bounds = bounds_of(&tolds->items[begin], end - begin);
        for (; i < steps->count && steps->items[i].source < source; i++)
            put_first(&steps->items[i]);
        size_t first = i, at = 0;
        for (; i < steps->count && steps->items[i].source == source; i++) {
            while (at < bounds.count && bounds.told[at].event < steps->items[i].own)
                at++;
            place(&steps->items[i], &bounds, at);
            if (i > first)
                keep_order(&steps->items[i], &steps->items[i - 1]);
        }
        mem_free(bounds.latest);
        mem_free(bounds.earliest);
    }
    for (; i < steps->count; i++)
        put_first(&steps->items[i]);
}
