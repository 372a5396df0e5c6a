/*
 * The overview strip. A coarse picture is made once, from the run's indexes of
 * changes and violations, in at most STRIP_CELLS cells; every screen width is
 * drawn from that.
 */
#include "base/mem.h"
#include "model/query/review_internal.h"

enum { STRIP_CELLS = 16384 };
enum { UNTRUSTED_BIT = 1, PRIVATE_BIT = 2, DENIED_BIT = 4, ASKED_BIT = 8, FINDING_BIT = 16, EVIDENCE_BIT = 32 };

static size_t cell_of(const struct review *r, int64_t n)
{
    return (size_t)((n - 1) / r->strip_width);
}

static bool mark(struct review *r, const char *sql, int64_t key, uint8_t bit, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(r->c), sql, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, key);
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        int64_t n = stmt_int(stmt, 0);
        if (n >= 1 && n <= r->steps)
            r->strip[cell_of(r, n)] |= bit;
    }
    stmt_finish(stmt);
    return row == 0;
}

static uint8_t bits_of(struct label context)
{
    return (uint8_t)((context.integrity == UNTRUSTED ? UNTRUSTED_BIT : 0) |
                     (label_is_private(context) ? PRIVATE_BIT : 0));
}

static void paint(struct review *r, int64_t from, int64_t to, uint8_t bits)
{
    for (size_t cell = cell_of(r, from); from <= to && bits && cell <= cell_of(r, to); cell++)
        r->strip[cell] |= bits;
}

/* The tide: between two rises and clears the context doesn't move. */
static bool mark_tide(struct review *r, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(r->c),
        "SELECT n, after_id FROM run_step WHERE run_id=?1 AND changed > 0"
        " UNION SELECT step.n, after_id FROM step JOIN run_step ON run_id=?1 AND run_step.n = step.n"
        " WHERE session_id=?2 AND step.kind IN ('prompt', 'reset') AND step.kind = 'reset' ORDER BY 1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    stmt_bind_int(stmt, 2, r->session);
    int64_t since = 1;
    uint8_t bits = 0;
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct label after;
        int64_t n = stmt_int(stmt, 0);
        if (n < since || n > r->steps || !labels_at(&r->labels, stmt_int(stmt, 1), &after, err)) {
            row = n < since || n > r->steps ? 0 : -1;
            break;
        }
        paint(r, since, n - 1, bits);
        since = n;
        bits = bits_of(after);
    }
    stmt_finish(stmt);
    paint(r, since, r->steps, bits);
    return row == 0;
}

static bool make_picture(struct review *r, struct err *err)
{
    r->strip_width = (r->steps + STRIP_CELLS - 1) / STRIP_CELLS;
    if (r->strip_width < 1)
        r->strip_width = 1;
    r->strip_cells = r->steps ? cell_of(r, r->steps) + 1 : 0;
    r->strip = mem_alloc(r->strip_cells + 1);
    return mark_tide(r, err) &&
           mark(r, "SELECT n FROM run_step WHERE run_id=?1 AND verdict IN ('ask', 'deny') AND verdict='deny'", r->run.id, DENIED_BIT, err) &&
           mark(r, "SELECT n FROM run_step WHERE run_id=?1 AND verdict IN ('ask', 'deny') AND verdict='ask'", r->run.id, ASKED_BIT, err) &&
           mark(r, "SELECT DISTINCT n FROM finding WHERE run_id=?1 AND n IS NOT NULL", r->run.id, FINDING_BIT, err) &&
           mark(r, "SELECT step.n FROM evidence_verdict JOIN evidence_ref ON evidence_ref.id = ref_id"
                   " JOIN step ON step.id = step_id WHERE failed AND session_id=?1", r->session, EVIDENCE_BIT, err);
}

bool review_strip(struct review *r, struct strip_cell *cells, size_t count, struct err *err)
{
    if (!r->strip && !make_picture(r, err)) {
        mem_free(r->strip);
        r->strip = NULL;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i] = (struct strip_cell){0};
        if (!r->strip_cells)
            continue;
        size_t begin = i * r->strip_cells / count, end = (i + 1) * r->strip_cells / count;
        uint8_t bits = r->strip[begin]; /* a wide strip shows a cell of the picture more than once */
        for (size_t at = begin + 1; at < end; at++)
            bits |= r->strip[at];
        cells[i] = (struct strip_cell){
            .untrusted = bits & UNTRUSTED_BIT,
            .is_private = bits & PRIVATE_BIT,
            .denied = bits & DENIED_BIT,
            .asked = bits & ASKED_BIT,
            .finding = bits & FINDING_BIT,
            .evidence_bad = bits & EVIDENCE_BIT,
        };
    }
    return true;
}
