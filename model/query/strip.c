/*
 * The overview strip. A coarse picture is made once, in at most STRIP_CELLS
 * cells, and every screen width is drawn from that. Nothing is scanned: for
 * each cell an index is asked for the first mark in it, so that the picture of
 * a million steps costs a few thousand look-ups.
 */
#include "base/mem.h"
#include "model/query/review_internal.h"

enum { STRIP_CELLS = 2048 };
enum {
    UNTRUSTED_BIT = 1,
    PRIVATE_BIT = 2,
    DENIED_BIT = 4,
    ASKED_BIT = 8,
    FINDING_BIT = 16,
    EVIDENCE_BIT = 32
};

static size_t cell_of(const struct review *r, int64_t n)
{
    return (size_t)((n - 1) / r->strip_width);
}

/* The first n that a query gives from ?2 on, 0 for none, -1 for an error; *id its second column. */
static int64_t first_from(struct review *r, const char *sql, int64_t key, int64_t from, int64_t *id,
                          struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(r->c), sql, err);
    if (!stmt)
        return -1;
    stmt_bind_int(stmt, 1, key);
    stmt_bind_int(stmt, 2, from);
    int row = stmt_step(stmt, err);
    int64_t n = row > 0 ? stmt_int(stmt, 0) : row;
    if (id)
        *id = row > 0 ? stmt_int(stmt, 1) : 0;
    stmt_finish(stmt);
    return n >= from && n <= r->steps ? n : row < 0 ? -1 : 0;
}

/* Marks every cell that has such a step: the first in it is enough. */
static bool mark(struct review *r, const char *sql, int64_t key, uint8_t bit, struct err *err)
{
    int64_t n = 1;
    while ((n = first_from(r, sql, key, n, NULL, err)) > 0) {
        size_t cell = cell_of(r, n);
        r->strip[cell] |= bit;
        n = (int64_t)(cell + 1) * r->strip_width + 1;
    }
    return n == 0;
}

static uint8_t strip_bits_of(struct label context)
{
    return (uint8_t)((context.integrity == UNTRUSTED ? UNTRUSTED_BIT : 0) |
                     (label_is_private(context) ? PRIVATE_BIT : 0));
}

static void paint(struct review *r, int64_t from, int64_t to, uint8_t bits)
{
    if (from > to || !bits)
        return;
    for (size_t cell = cell_of(r, from); cell <= cell_of(r, to); cell++)
        r->strip[cell] |= bits;
}

/* The tide: the context only rises, until it is cleared. When both axes have risen, what rises
 * further doesn't show. */
static bool mark_tide(struct review *r, struct err *err)
{
    static const char rise[] =
        "SELECT n, after_id FROM run_step INDEXED BY run_step_changed WHERE run_id=?1 AND changed > 0 AND n>=?2"
        " ORDER BY n LIMIT 1";
    static const char clear[] =
        "SELECT n FROM step WHERE session_id=?1 AND n>=?2 AND kind IN ('prompt', 'reset')"
        " AND kind = 'reset' AND tool = 'clear' ORDER BY n LIMIT 1";
    int64_t since = 1, at = 1, n = 0, id = 0;
    int64_t cleared = first_from(r, clear, r->session, 1, NULL, err);
    uint8_t bits = 0;
    while (cleared >= 0) {
        bool full = bits == (UNTRUSTED_BIT | PRIVATE_BIT);
        n = full ? 0 : first_from(r, rise, r->run.id, at, &id, err);
        if (n < 0)
            return false;
        if (cleared && (n == 0 || n >= cleared)) { /* the rises up to there are known */
            paint(r, since, cleared - 1, bits);
            bits = 0;
            since = cleared;
            at = n == cleared ? n : cleared;
            cleared = first_from(r, clear, r->session, cleared + 1, NULL, err);
            continue;
        }
        if (n == 0)
            break;
        struct label after;
        if (!labels_at(&r->labels, id, &after, err))
            return false;
        paint(r, since, n - 1, bits);
        bits = strip_bits_of(after);
        since = n;
        at = n + 1;
    }
    paint(r, since, r->steps, bits);
    return cleared >= 0;
}

static bool make_picture(struct review *r, struct err *err)
{
    r->strip_width = (r->steps + STRIP_CELLS - 1) / STRIP_CELLS;
    if (r->strip_width < 1)
        r->strip_width = 1;
    r->strip_cells = r->steps ? cell_of(r, r->steps) + 1 : 0;
    r->strip = mem_alloc(r->strip_cells + 1);
    return mark_tide(r, err) &&
           mark(
               r,
               "SELECT min(n) FROM run_step INDEXED BY run_step_denied WHERE run_id=?1 AND verdict = 'deny'"
               " AND n>=?2",
               r->run.id, DENIED_BIT, err) &&
           mark(
               r,
               "SELECT min(n) FROM run_step INDEXED BY run_step_asked WHERE run_id=?1 AND verdict = 'ask'"
               " AND n>=?2",
               r->run.id, ASKED_BIT, err) &&
           mark(r, "SELECT min(n) FROM finding WHERE run_id=?1 AND suppressed IS NULL AND n>=?2",
                r->run.id, FINDING_BIT, err) &&
           mark(
               r,
               "SELECT min(n) FROM run_step INDEXED BY run_step_evidence WHERE run_id=?1 AND evidence_failed > 0 AND n>=?2",
               r->run.id, EVIDENCE_BIT, err);
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
        uint8_t bits =
            r->strip[begin]; /* a wide strip shows a cell of the picture more than once */
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
