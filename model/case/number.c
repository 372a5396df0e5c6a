/* The order of a session's steps: store_number_steps. */
#include "model/case/store.h"

#include <stdlib.h>

#include "model/case/case_internal.h"
#include "model/case/numbering.h"

/* Does the session come from one source, numbered without a gap? store_step numbers in the order of
 * the source, so that there is nothing to do then. */
static bool in_order_already(struct case_file *c, int64_t session, bool *in_order, struct err *err)
{
    struct stmt *stmt = db_stmt(
        c->db,
        "SELECT count(*), min(n), max(n), min(source_id), max(source_id) FROM step WHERE session_id=?1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row = stmt_step(stmt, err);
    if (row > 0) {
        int64_t count = stmt_int(stmt, 0);
        *in_order = count == 0 || (stmt_int(stmt, 1) == 1 && stmt_int(stmt, 2) == count &&
                                   stmt_int(stmt, 3) == stmt_int(stmt, 4));
    }
    stmt_finish(stmt);
    return row > 0;
}

/* Times of one source, begin..end: those before the first are taken as the first, and none is
 * before the one in front of it. False where it has no time at all. */
static bool smooth_times(struct numbered *items, size_t begin, size_t end)
{
    size_t first = begin;
    while (first < end && !items[first].timed)
        first++;
    if (first == end)
        return false;
    int64_t now = items[first].time;
    for (size_t i = begin; i < end; i++) {
        if (i > first && items[i].timed && items[i].time > now)
            now = items[i].time;
        items[i].time = now;
    }
    return true;
}

int numbering_by_id(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_time(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->beside != y->beside ? x->beside - y->beside : numbering_by_id(x, y);
}

static int number_by_event(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->event_source != y->event_source)
        return x->event_source < y->event_source ? -1 : 1;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return numbering_by_id(x, y);
}

static bool load(struct case_file *c, int64_t session, struct steps *steps, struct err *err)
{
    struct stmt *stmt =
        db_stmt(c->db,
                "SELECT step.id, n, step.source_id, step.time_ns, clock_offset_ns,"
                " coalesce(asked.id, own.id), coalesce(asked.source_id, own.source_id), own.id"
                " FROM step JOIN source ON source.id = step.source_id"
                " JOIN event own ON own.id = step.event_id LEFT JOIN event asked"
                "  ON asked.id = own.pair_id AND asked.source_id <> step.source_id"
                " WHERE step.session_id=?1",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        steps->items = mem_one_more(steps->items, steps->count, &steps->size, sizeof *steps->items);
        int64_t time = stmt_int(stmt, 3);
        if (__builtin_add_overflow(time, stmt_int(stmt, 4), &time))
            time = stmt_int(stmt, 3);
        steps->items[steps->count++] = (struct numbered){
            .id = stmt_int(stmt, 0),
            .n = stmt_int(stmt, 1),
            .source = stmt_int(stmt, 2),
            .time = time,
            .event = stmt_int(stmt, 5),
            .event_source = stmt_int(stmt, 6),
            .own = stmt_int(stmt, 7),
            .timed = !stmt_is_null(stmt, 3),
        };
    }
    stmt_finish(stmt);
    return row == 0;
}

/* Steps of one source, begin..end: those that answer another source stand behind what was asked
 * there, with all that came before them; the others stand where they are. */
static void place_by_requests(struct numbered *items, size_t begin, size_t end)
{
    size_t first = begin;
    while (first < end && items[first].event_source == items[first].source)
        first++;
    struct numbered at = items[first < end ? first : begin];
    for (size_t i = begin; i < end; i++) {
        if (items[i].event > at.event && items[i].event_source == at.event_source)
            at.event = items[i].event;
        items[i].event = at.event;
        items[i].event_source = at.event_source;
    }
}

static void sort_steps(struct steps *steps, int (*compare)(const void *, const void *))
{
    if (steps->count)
        qsort(steps->items, steps->count, sizeof *steps->items, compare);
}

/* Where the steps of the source that begins at `begin` end. */
static size_t end_of_source(const struct steps *steps, size_t begin)
{
    size_t end = begin + 1;
    while (end < steps->count && steps->items[end].source == steps->items[begin].source)
        end++;
    return end;
}

/* A source has times, or it has none. */
static void smooth_all(struct steps *steps)
{
    for (size_t begin = 0, end; begin < steps->count; begin = end) {
        end = end_of_source(steps, begin);
        bool timed = smooth_times(steps->items, begin, end);
        for (size_t i = begin; i < end; i++)
            steps->items[i].timed = timed;
    }
}

static size_t count_timed(const struct steps *steps)
{
    size_t count = 0;
    for (size_t i = 0; i < steps->count; i++)
        count += steps->items[i].timed;
    return count;
}

/* No clock at all: places in the source that tells most of what others tell are the times. */
static void count_as_times(struct steps *steps, struct tolds *tolds)
{
    int64_t source = numbering_tells_most(tolds);
    for (size_t i = 0; i < tolds->count; i++) {
        tolds->items[i].seen = tolds->items[i].event;
        tolds->items[i].is_seen = tolds->items[i].source == source;
    }
    for (size_t i = 0; i < steps->count; i++) {
        steps->items[i].time = steps->items[i].own;
        steps->items[i].timed = steps->items[i].source == source;
    }
}

/* Puts the steps in order; they stay source by source where one of the sources has no times, of its
 * own or by what it tells with others. */
static void number_put_in_order(struct steps *steps, struct tolds *tolds)
{
    sort_steps(steps, numbering_by_id);
    smooth_all(steps);
    for (size_t begin = 0; begin < steps->count; begin = end_of_source(steps, begin))
        place_by_requests(steps->items, begin, end_of_source(steps, begin));
    if (tolds->count) {
        if (!count_timed(steps))
            count_as_times(steps, tolds);
        numbering_lend_times(steps, tolds);
        smooth_all(steps);
        numbering_keep_places(steps, tolds);
    }
    bool all_timed = count_timed(steps) == steps->count;
    sort_steps(steps, all_timed ? by_time : number_by_event);
}

/* Numbers are unique at every moment: the new ones are written as negative first. */
static bool write_numbers(struct case_file *c, int64_t session, const struct steps *steps,
                          struct err *err)
{
    struct stmt *stmt = db_stmt(c->db, "UPDATE step SET n=?2 WHERE id=?1", err);
    if (!stmt)
        return false;
    bool changed = false;
    for (size_t i = 0; i < steps->count; i++) {
        int64_t n = (int64_t)i + 1;
        if (steps->items[i].n == n)
            continue;
        stmt_bind_int(stmt, 1, steps->items[i].id);
        stmt_bind_int(stmt, 2, -n);
        if (!stmt_run(stmt, err))
            return false;
        changed = true;
    }
    if (!changed)
        return true;
    stmt = db_stmt(c->db, "UPDATE step SET n=-n WHERE session_id=?1 AND n<0", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    return stmt_run(stmt, err);
}

static bool drop_derived(struct case_file *c, int64_t session, struct err *err)
{
    static const char *const drops[] = {
        "DELETE FROM run_step WHERE run_id IN (SELECT id FROM run WHERE session_id=?1)",
        "DELETE FROM finding WHERE run_id IN (SELECT id FROM run WHERE session_id=?1)",
        "DELETE FROM run WHERE session_id=?1",
    };
    for (size_t i = 0; i < COUNT_OF(drops); i++) {
        struct stmt *stmt = db_stmt(c->db, drops[i], err);
        if (!stmt)
            return false;
        stmt_bind_int(stmt, 1, session);
        if (!stmt_run(stmt, err))
            return false;
    }
    return true;
}

bool store_number_steps(struct case_file *c, int64_t session, struct err *err)
{
    bool in_order = false;
    if (!drop_derived(c, session, err) || !in_order_already(c, session, &in_order, err))
        return false;
    if (in_order)
        return true;
    struct steps steps = {0};
    struct tolds tolds = {0};
    bool ok = load(c, session, &steps, err) && numbering_load_told(c, session, &tolds, err);
    if (ok) {
        number_put_in_order(&steps, &tolds);
        ok = write_numbers(c, session, &steps, err);
    }
    mem_free(steps.items);
    mem_free(tolds.items);
    store_forget_tails(c);
    return ok;
}

bool store_join_sessions(struct case_file *c, int64_t from, int64_t into, struct err *err)
{
    static const char *const moves[] = {
        "UPDATE connection SET session_id=?2 WHERE session_id=?1",
        "UPDATE event SET session_id=?2 WHERE session_id=?1",
        ("UPDATE step SET session_id=?2,"
         " n = n + (SELECT coalesce(max(n), 0) FROM step WHERE session_id=?2) WHERE session_id=?1"),
        "UPDATE note SET session_id=?2 WHERE session_id=?1",
        "UPDATE session SET parent_id=?2 WHERE parent_id=?1",
        ("INSERT OR IGNORE INTO session_source(session_id, source_id)"
         " SELECT ?2, source_id FROM session_source WHERE session_id=?1"),
        "DELETE FROM session_source WHERE session_id=?1 AND ?2",
        "DELETE FROM session WHERE id=?1 AND ?2",
    };
    for (size_t i = 0; i < COUNT_OF(moves); i++) {
        struct stmt *stmt = db_stmt(c->db, moves[i], err);
        if (!stmt)
            return false;
        stmt_bind_int(stmt, 1, from);
        stmt_bind_int(stmt, 2, into);
        bool ok = stmt_run(stmt, err);
        stmt_finish(stmt);
        if (!ok)
            return false;
    }
    return true;
}

bool store_move_step(struct case_file *c, int64_t step, int64_t session, struct err *err)
{
    static const char *const moves[] = {
        ("UPDATE step SET session_id=?2,"
         " n = (SELECT coalesce(max(n), 0) + 1 FROM step WHERE session_id=?2) WHERE id=?1"),
        "UPDATE event SET session_id=?2 WHERE id=(SELECT event_id FROM step WHERE id=?1)",
    };
    bool ok = true;
    for (size_t i = 0; ok && i < COUNT_OF(moves); i++) {
        struct stmt *stmt = db_stmt(c->db, moves[i], err);
        if (!stmt)
            return false;
        stmt_bind_int(stmt, 1, step);
        stmt_bind_int(stmt, 2, session);
        ok = stmt_run(stmt, err);
        stmt_finish(stmt);
    }
    store_forget_tails(c);
    return ok;
}

/* Sources with a part in the connections of source ?3 of session ?1. What is looked up by is the
 * source: a session may be of thousands of them. */
#define PART_OF_SOURCE                                                                             \
    " IN (SELECT ?3 UNION SELECT e.source_id FROM connection k CROSS JOIN event e"                 \
    " ON e.connection_id=k.id WHERE k.source_id=?3 AND +e.session_id IN (?1, ?2))"

int64_t store_split_session(struct case_file *c, int64_t session, int64_t source, struct err *err)
{
    static const char *const moves[] = {
        "UPDATE step SET session_id=?2 WHERE +session_id=?1 AND source_id" PART_OF_SOURCE,
        ("UPDATE session_source SET session_id=?2 WHERE session_id=?1 AND source_id" PART_OF_SOURCE),
        "UPDATE event SET session_id=?2 WHERE +session_id=?1 AND source_id" PART_OF_SOURCE,
        "UPDATE connection SET session_id=?2 WHERE +session_id=?1 AND source_id=?3",
        ("DELETE FROM session WHERE id=?1 AND ?2 AND ?3"
         " AND NOT EXISTS (SELECT 1 FROM session_source WHERE session_id=?1)"),
    };
    int64_t own = store_session(
        c, &(struct session_row){.key = SPAN_EMPTY, .name = SPAN_EMPTY, .host = SPAN_EMPTY}, err);
    bool ok = own;
    for (size_t i = 0; ok && i < COUNT_OF(moves); i++) {
        struct stmt *stmt = db_stmt(c->db, moves[i], err);
        if (!stmt)
            return 0;
        stmt_bind_int(stmt, 1, session);
        stmt_bind_int(stmt, 2, own);
        stmt_bind_int(stmt, 3, source);
        ok = stmt_run(stmt, err);
        stmt_finish(stmt);
    }
    store_forget_tails(c);
    return ok ? own : 0;
}
