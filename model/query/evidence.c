#include "model/query/evidence.h"

#include "base/mem.h"
#include "model/case/store.h"

bool case_evidence_pending(struct case_file *c, bool *pending, struct err *err)
{
    static const char sql[] =
        "SELECT (SELECT count(*) FROM evidence_ref) <> (SELECT count(*) FROM evidence_verdict)";
    int64_t differ = 0;
    int row = db_number(case_db(c), sql, NULL, 0, &differ, err);
    *pending = differ != 0;
    return row > 0;
}

/* The case's records in a set, and which row each came from. */
struct held {
    struct records *records;
    int64_t *rows; /* by index in the set; 0: not of the case */
    size_t size;
    unsigned diagnose_ms; /* left for finding out why digests don't match */
    const struct evidence_listener *listener;
};

enum { DIAGNOSE_ALL_MS = 2000 };

static void note_row(struct held *held, size_t index, int64_t row)
{
    if (index >= held->size) {
        size_t size = held->size ? held->size : 64;
        while (size <= index)
            size *= 2;
        held->rows = mem_resize(held->rows, size * sizeof *held->rows);
        memset(held->rows + held->size, 0, (size - held->size) * sizeof *held->rows);
        held->size = size;
    }
    if (!held->rows[index])
        held->rows[index] = row;
}

static bool load_records(struct case_file *c, struct held *held, struct err *err)
{
    struct stmt *stmt = db_prepare(
        case_db(c),
        SPAN(
            "SELECT record.id, source_id, offset, length, recipe, name, source.path FROM record"
            " JOIN source ON source.id = source_id"
            /* where something was taken out of it, its digest can't be derived */
            " WHERE NOT EXISTS (SELECT 1 FROM redaction AS r WHERE r.source_id = record.source_id AND"
            " r.offset < record.offset + record.length AND r.offset + r.length > record.offset)"
            " ORDER BY record.id"),
        err);
    if (!stmt)
        return false;
    struct buf bytes = {0};
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct extent at = {stmt_int(stmt, 1), (uint64_t)stmt_int(stmt, 2),
                            (uint64_t)stmt_int(stmt, 3), stmt_text(stmt, 4)};
        buf_clear(&bytes);
        if (!case_read(c, &at, 0, &bytes, NULL, err)) {
            row = -1;
            break;
        }
        size_t index =
            records_add(held->records, buf_span(&bytes), stmt_text(stmt, 5), stmt_text(stmt, 6));
        note_row(held, index, stmt_int(stmt, 0));
    }
    buf_finish(&bytes);
    stmt_finish(stmt);
    return row == 0;
}

static bool keep_verdict(struct case_file *c, int64_t ref, const struct evidence_result *result,
                         struct held *held, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(c),
        "INSERT OR REPLACE INTO evidence_verdict(ref_id, verdict, failed, reason, record_id)"
        " VALUES(?1, ?2, ?3, ?4, ?5)",
        err);
    if (!stmt)
        return false;
    struct buf reason = {0};
    struct diagnosing diagnosing, *diagnosed = NULL;
    if (evidence_diagnose(result, held->records, &held->diagnose_ms, &diagnosing))
        diagnosed = &diagnosing;
    evidence_explain(&reason, result, diagnosed);
    if (held->listener)
        held->listener->hear(held->listener->arg, ref, result, diagnosed);
    int64_t record = result->record != RECORD_NONE && result->record < held->size
                         ? held->rows[result->record]
                         : 0;
    stmt_bind_int(stmt, 1, ref);
    stmt_bind_text(stmt, 2, span_of(evidence_verdict_word(result->verdict)));
    stmt_bind_int(stmt, 3, evidence_verdict_failed(result->verdict));
    stmt_bind_text(stmt, 4, buf_span(&reason));
    stmt_bind_int_or_null(stmt, 5, record, record != 0);
    bool ok = stmt_run(stmt, err);
    buf_finish(&reason);
    return ok;
}

static bool verify_all(struct case_file *c, struct held *held, const struct evidence_options *given,
                       struct err *err)
{
    struct stmt *stmt =
        db_prepare(case_db(c), SPAN("SELECT id, raw FROM evidence_ref ORDER BY id"), err);
    if (!stmt)
        return false;
    struct evidence_options options = given ? *given : (struct evidence_options){0};
    options.offered = RECORD_NONE;
    struct arena arena = {0};
    bool ok = true;
    int row;
    while (ok && (row = stmt_step(stmt, err)) != 0) {
        struct evidence_ref ref;
        struct evidence_result result;
        ok = row > 0;
        if (!ok)
            break;
        arena_reset(&arena);
        evidence_ref_read(stmt_text(stmt, 1), &arena, &ref);
        evidence_verify(&ref, held->records, &options, &result);
        ok = keep_verdict(c, stmt_int(stmt, 0), &result, held, err);
    }
    arena_finish(&arena);
    stmt_finish(stmt);
    return ok;
}

bool case_resolve_evidence(struct case_file *c, struct records *extra,
                           const struct evidence_options *options,
                           const struct evidence_listener *listener, struct err *err)
{
    struct db *db = case_db(c);
    struct held held = {.records = extra ? extra : records_create(),
                        .diagnose_ms = DIAGNOSE_ALL_MS,
                        .listener = listener};
    bool own = !db_in_transaction(db);
    bool ok = !own || case_begin_derived(c, err);
    ok = ok && store_drop_derived(c, err) && load_records(c, &held, err) &&
         verify_all(c, &held, options, err) && (!own || db_commit(db, err));
    if (!ok && own)
        db_rollback(db);
    if (!extra)
        records_destroy(held.records);
    mem_free(held.rows);
    return ok;
}
