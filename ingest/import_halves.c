/*
 * An import that goes on may find the second half of a connection (assemble_halves.c) where the
 * case has the first: what waited in that is known to nobody any more, so it is told again.
 */
#include "base/mem.h"
#include "ingest/import_internal.h"

enum { HALVES_MOST = 2 }; /* one that waits beside another is not answered */

struct halves {
    char *path[HALVES_MOST]; /* the last one first */
    size_t count;
};

static char *copy_of(struct span text)
{
    char *copy = mem_alloc(text.len + 1);
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    return copy;
}

/* Sources of one connection that no server answered. */
static bool list_halves(struct import *im, struct span group, struct halves *halves,
                        struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(im->c),
        "SELECT o.path FROM (SELECT source_id, id, session_id FROM connection"
        "  GROUP BY source_id HAVING count(*) = 1 AND max(server_name) IS NULL) k"
        " JOIN source o ON o.id=k.source_id WHERE o.role='log' AND o.complete"
        " AND NOT EXISTS (SELECT 1 FROM step s"
        "  WHERE s.session_id=k.session_id AND s.connection_id=k.id AND s.call_id IS NOT NULL)"
        " ORDER BY o.id DESC",
        err);
    if (!stmt)
        return false;
    int row = 1;
    while (halves->count < HALVES_MOST && (row = stmt_step(stmt, err)) > 0) {
        char *path = copy_of(stmt_text(stmt, 0));
        if (span_equal(import_group_of(im, path), group))
            halves->path[halves->count++] = path;
        else
            mem_free(path);
    }
    stmt_finish(stmt);
    return row >= 0;
}

static void tell_again(struct import *im, const char *path)
{
    struct reading r;
    struct err err = {0}, reading_err = {0};
    bool ok = import_open_reading(im, &r, path, &err);
    r.again = true;
    if (ok && import_find_prior(im, &r, &err) && r.known == input_size(r.in)) {
        ok = import_begin(im, &err) && (r.writer = source_resume(im->c, r.prior, &err)) &&
             reading_run(im, &r, import_group_of(im, path), &err, &reading_err) && r.complete &&
             reading_close(im, &r, &err) && db_keep(case_db(im->c), &err);
        if (!ok) /* it is another file by now, or nobody waits: what comes is read by itself */
            import_take_back(im, im->assembler);
    }
    reading_finish(&r);
}

/* The file with the requests that are answered in that source, where it is another one; NULL: none,
 * or an error. */
static char *first_half_of(struct import *im, int64_t source)
{
    struct err ignored;
    struct stmt *stmt =
        db_stmt(case_db(im->c),
                "SELECT o.path FROM session_source m CROSS JOIN step s ON s.session_id=m.session_id"
                " JOIN connection k ON k.id=s.connection_id JOIN source o ON o.id=k.source_id"
                " WHERE m.source_id=?1 AND s.source_id=?1 AND k.source_id<>?1 LIMIT 1",
                &ignored);
    if (!stmt)
        return NULL;
    stmt_bind_int(stmt, 1, source);
    char *path = stmt_step(stmt, &ignored) > 0 ? copy_of(stmt_text(stmt, 0)) : NULL;
    stmt_finish(stmt);
    return path;
}

void import_recall_first_half(struct import *im, int64_t source)
{
    char *path = first_half_of(im, source);
    if (path)
        tell_again(im, path);
    mem_free(path);
}

void import_recall_halves(struct import *im, const char *path)
{
    struct halves halves = {0};
    struct err ignored;
    if (im->known_wire && !assembler_waits(im->assembler) &&
        list_halves(im, import_group_of(im, path), &halves, &ignored))
        while (halves.count && !im->stop) {
            tell_again(im, halves.path[--halves.count]);
            mem_free(halves.path[halves.count]);
        }
    while (halves.count)
        mem_free(halves.path[--halves.count]);
}
