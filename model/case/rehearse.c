#include "model/case/rehearse.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/case/case_internal.h"
#include "model/case/store.h"

enum rehearsed {
    REHEARSED_EVENT,
    REHEARSED_STEP,
    REHEARSED_CONNECTION,
    REHEARSED_DEFINITION,
    REHEARSED_KINDS
};

/* Each in the order in which its rows were made. */
static const char *const rehearse_queries[REHEARSED_KINDS] = {
    [REHEARSED_EVENT] = "SELECT id, offset, session_id FROM event WHERE source_id=?1 ORDER BY id",
    [REHEARSED_STEP] = "SELECT id, event_id, kind FROM step WHERE source_id=?1 ORDER BY id",
    [REHEARSED_CONNECTION] = "SELECT id FROM connection WHERE source_id=?1 ORDER BY id",
    [REHEARSED_DEFINITION] = "SELECT id FROM definition WHERE source_id=?1 ORDER BY id",
};

struct merged {
    int64_t event, step;
    uint64_t offset;
};

struct rehearsal {
    struct rows {
        struct stmt *stmt;
        enum { ROWS_UNSEEN, ROWS_FRONT, ROWS_ENDED } front; /* was the next one looked at? */
    } rows[REHEARSED_KINDS];
    struct merged *merged; /* in order of their events */
    size_t merged_count, merged_size;
    int64_t session;
};

static bool rehearse_fail(struct case_file *c, struct err *err)
{
    return err_set(err, ERR_INPUT, case_where(c), "import it into a new case",
                   "what is read of the source now is not what was read of it then");
}

/* 1: there is a next row, it can be read; 0: there is none; -1: an error. */
static int rehearse_look(struct rows *rows, struct err *err)
{
    if (rows->front == ROWS_UNSEEN) {
        int row = stmt_step(rows->stmt, err);
        if (row < 0)
            return row;
        rows->front = row ? ROWS_FRONT : ROWS_ENDED;
    }
    return rows->front == ROWS_FRONT;
}

/* The next row; 0 where there is none, or on an error. */
static int64_t rehearse_next(struct case_file *c, enum rehearsed kind, struct err *err)
{
    struct rows *rows = &c->rehearsal->rows[kind];
    int row = rehearse_look(rows, err);
    if (row == 0)
        rehearse_fail(c, err);
    if (row <= 0)
        return 0;
    rows->front = ROWS_UNSEEN;
    return stmt_int(rows->stmt, 0);
}

static bool load_merged(struct case_file *c, int64_t source, struct err *err)
{
    struct rehearsal *r = c->rehearsal;
    struct stmt *stmt = db_stmt(c->db,
                                "SELECT t.event_id, t.step_id, t.offset FROM step_source t"
                                " JOIN event e ON e.id=t.event_id JOIN step s ON s.id=t.step_id"
                                " WHERE e.source_id=?1 AND s.source_id<>?1 AND s.kind='tool_call'"
                                " ORDER BY t.event_id, t.step_id",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        r->merged = mem_one_more(r->merged, r->merged_count, &r->merged_size, sizeof *r->merged);
        r->merged[r->merged_count++] =
            (struct merged){stmt_int(stmt, 0), stmt_int(stmt, 1), (uint64_t)stmt_int(stmt, 2)};
    }
    stmt_finish(stmt);
    return row == 0;
}

static bool first_session(struct case_file *c, int64_t source, struct err *err)
{
    return db_number(c->db, "SELECT session_id FROM event WHERE source_id=?1 ORDER BY id LIMIT 1",
                     &source, 1, &c->rehearsal->session, err) >= 0;
}

bool rehearse_begin(struct case_file *c, int64_t source, struct err *err)
{
    rehearse_drop(c);
    c->rehearsal = NEW(struct rehearsal);
    bool ok = first_session(c, source, err) && load_merged(c, source, err);
    for (size_t i = 0; ok && i < REHEARSED_KINDS; i++) {
        struct stmt *stmt = db_prepare(c->db, span_of(rehearse_queries[i]), err);
        c->rehearsal->rows[i].stmt = stmt;
        ok = stmt;
        if (ok)
            stmt_bind_int(stmt, 1, source);
    }
    if (!ok)
        rehearse_drop(c);
    return ok;
}

bool rehearse_end(struct case_file *c, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < REHEARSED_KINDS; i++) {
        int row = rehearse_look(&c->rehearsal->rows[i], err);
        ok = row == 0 || (row > 0 && rehearse_fail(c, err));
    }
    rehearse_drop(c);
    return ok;
}

void rehearse_drop(struct case_file *c)
{
    if (!c->rehearsal)
        return;
    for (size_t i = 0; i < REHEARSED_KINDS; i++)
        stmt_finish(c->rehearsal->rows[i].stmt);
    mem_free(c->rehearsal->merged);
    mem_free(c->rehearsal);
    c->rehearsal = NULL;
}

bool rehearse_is_on(const struct case_file *c)
{
    return c->rehearsal;
}

int64_t rehearse_session(const struct case_file *c)
{
    return c->rehearsal->session;
}

bool rehearse_has_step(struct case_file *c)
{
    struct err ignored;
    return rehearse_look(&c->rehearsal->rows[REHEARSED_STEP], &ignored) > 0;
}

static int by_event(const void *a, const void *b)
{
    const struct merged *x = a, *y = b;
    return (x->event > y->event) - (x->event < y->event);
}

/* Calls of one line share its event. */
static int64_t merged_step(const struct rehearsal *r, int64_t event, uint64_t offset)
{
    struct merged key = {.event = event};
    const struct merged *found =
        r->merged_count ? bsearch(&key, r->merged, r->merged_count, sizeof key, by_event) : NULL;
    if (!found)
        return 0;
    const struct merged *end = r->merged + r->merged_count;
    while (found > r->merged && found[-1].event == event)
        found--;
    for (; found < end && found->event == event; found++)
        if (found->offset == offset)
            return found->step;
    return 0;
}

int64_t rehearse_merged(struct case_file *c, int64_t event, uint64_t offset, int64_t *result,
                        bool *shown, struct err *err)
{
    int64_t step = merged_step(c->rehearsal, event, offset);
    if (!step)
        return 0;
    struct stmt *stmt = db_stmt(
        c->db,
        "SELECT flags, (SELECT min(r.id) FROM step r WHERE r.call_id=s.id AND r.kind='tool_result')"
        " FROM step s WHERE s.id=?1",
        err);
    if (!stmt)
        return -1;
    stmt_bind_int(stmt, 1, step);
    int row = stmt_step(stmt, err);
    *shown = row > 0 && stmt_int(stmt, 0) & ROW_SHOWN;
    *result = row > 0 ? stmt_int(stmt, 1) : 0;
    stmt_finish(stmt);
    return row < 0 ? -1 : step;
}

int64_t rehearse_event(struct case_file *c, uint64_t offset, struct err *err)
{
    int64_t id = rehearse_next(c, REHEARSED_EVENT, err);
    if (id && (uint64_t)stmt_int(c->rehearsal->rows[REHEARSED_EVENT].stmt, 1) != offset)
        return rehearse_fail(c, err);
    return id;
}

int64_t rehearse_step(struct case_file *c, int64_t event, const char *kind, struct err *err)
{
    int64_t id = rehearse_next(c, REHEARSED_STEP, err);
    struct stmt *row = c->rehearsal->rows[REHEARSED_STEP].stmt;
    if (id && (stmt_int(row, 1) != event || !span_is(stmt_text(row, 2), kind)))
        return rehearse_fail(c, err);
    return id;
}

int64_t rehearse_connection(struct case_file *c, struct err *err)
{
    return rehearse_next(c, REHEARSED_CONNECTION, err);
}

int64_t rehearse_definition(struct case_file *c, struct err *err)
{
    return rehearse_next(c, REHEARSED_DEFINITION, err);
}
