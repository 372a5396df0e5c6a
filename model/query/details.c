/* What hangs on one step: claims, evidence, findings, text. */
#include "base/mem.h"
#include "model/query/review_internal.h"

/* A text of the row, kept; at NULL where the row has none. */
static struct span details_kept(struct arena *arena, struct stmt *stmt, int column)
{
    struct span text = stmt_text(stmt, column);
    return text.at ? arena_copy(arena, text) : (struct span){0};
}

bool review_claims(struct review *r, int64_t n, struct arena *arena, struct claim_view **out,
                   size_t *count, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT block, shape, claim.name, value, pointer, problem FROM step JOIN claim ON step_id = step.id"
        " WHERE session_id=?1 AND n=?2 ORDER BY claim.id",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    stmt_bind_int(stmt, 2, n);
    size_t size = 0;
    int row;
    *out = NULL;
    *count = 0;
    while ((row = stmt_step(stmt, err)) > 0) {
        *out = arena_one_more(arena, *out, *count, &size, sizeof **out);
        (*out)[(*count)++] = (struct claim_view){
            .block = (int)stmt_int(stmt, 0),
            .shape = details_kept(arena, stmt, 1),
            .name = details_kept(arena, stmt, 2),
            .value = details_kept(arena, stmt, 3),
            .pointer = details_kept(arena, stmt, 4),
            .problem = details_kept(arena, stmt, 5),
        };
    }
    stmt_finish(stmt);
    return row == 0;
}

#define EVIDENCE_COLUMNS                                                                                \
    "SELECT evidence_ref.id, step.n, block, type, digest, canonicalization, schema, ref, pointer, raw," \
    " verdict, reason, record.name FROM "
#define EVIDENCE_FROM                                                                              \
    " ON step_id = step.id LEFT JOIN evidence_verdict ON ref_id = evidence_ref.id LEFT JOIN record ON record.id = record_id"

bool review_evidence(struct review *r, int64_t n, struct arena *arena, struct evidence_view **out,
                     size_t *count, struct err *err)
{
    static const char one[] =
        EVIDENCE_COLUMNS "step CROSS JOIN evidence_ref" EVIDENCE_FROM
                         " WHERE session_id=?1 AND n=?2 ORDER BY evidence_ref.id";
    static const char by_step[] =
        EVIDENCE_COLUMNS "step CROSS JOIN evidence_ref" EVIDENCE_FROM
                         " WHERE session_id=?1 ORDER BY n, evidence_ref.id";
    static const char by_reference[] =
        EVIDENCE_COLUMNS "evidence_ref CROSS JOIN step" EVIDENCE_FROM
                         " WHERE session_id=?1 ORDER BY n, evidence_ref.id";
    int little = n ? 0 : review_names_little(r, err);
    struct stmt *stmt = little < 0 ? NULL
                                   : db_stmt(case_db(r->c),
                                             n        ? one
                                             : little ? by_reference
                                                      : by_step,
                                             err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    if (n)
        stmt_bind_int(stmt, 2, n);
    size_t size = 0;
    int row;
    *out = NULL;
    *count = 0;
    while ((row = stmt_step(stmt, err)) > 0) {
        *out = arena_one_more(arena, *out, *count, &size, sizeof **out);
        (*out)[(*count)++] = (struct evidence_view){
            .id = stmt_int(stmt, 0),
            .n = stmt_int(stmt, 1),
            .block = (int)stmt_int(stmt, 2),
            .type = details_kept(arena, stmt, 3),
            .digest = details_kept(arena, stmt, 4),
            .canonicalization = details_kept(arena, stmt, 5),
            .schema = details_kept(arena, stmt, 6),
            .ref = details_kept(arena, stmt, 7),
            .pointer = details_kept(arena, stmt, 8),
            .raw = details_kept(arena, stmt, 9),
            .verdict = details_kept(arena, stmt, 10),
            .reason = details_kept(arena, stmt, 11),
            .record = details_kept(arena, stmt, 12),
        };
    }
    stmt_finish(stmt);
    return row == 0;
}

bool review_findings(struct review *r, int64_t n, struct arena *arena, struct finding_view **out,
                     size_t *count, struct err *err)
{
    static const char one[] =
        "SELECT finding_id, code, severity, n, message, detail, suppressed FROM finding"
        " WHERE run_id=?1 AND n=?2 ORDER BY rank";
    static const char all[] =
        "SELECT finding_id, code, severity, n, message, detail, suppressed FROM finding"
        " WHERE run_id=?1 ORDER BY rank";
    struct stmt *stmt = db_stmt(case_db(r->c), n ? one : all, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->run.id);
    if (n)
        stmt_bind_int(stmt, 2, n);
    size_t size = 0;
    int row;
    *out = NULL;
    *count = 0;
    while ((row = stmt_step(stmt, err)) > 0) {
        *out = arena_one_more(arena, *out, *count, &size, sizeof **out);
        int64_t severity = stmt_int(stmt, 2);
        (*out)[(*count)++] = (struct finding_view){
            .id = details_kept(arena, stmt, 0),
            .code = details_kept(arena, stmt, 1),
            .severity = severity >= SEVERITY_INFO && severity <= SEVERITY_CRITICAL
                            ? (enum severity)severity
                            : SEVERITY_INFO,
            .n = stmt_int(stmt, 3),
            .message = details_kept(arena, stmt, 4),
            .detail = details_kept(arena, stmt, 5),
            .suppressed = details_kept(arena, stmt, 6),
        };
    }
    stmt_finish(stmt);
    return row == 0;
}

bool review_recordings(struct review *r, int64_t n, struct arena *arena,
                       struct recording_view **out, size_t *count, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT path, format, e.line, e.offset, e.length, source.id, t.offset, t.length, t.recipe"
        " FROM step JOIN step_source t ON t.step_id = step.id JOIN event e ON e.id = t.event_id"
        " JOIN source ON source.id = e.source_id WHERE step.session_id=?1 AND n=?2 ORDER BY e.id",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    stmt_bind_int(stmt, 2, n);
    size_t size = 0;
    int row;
    *out = NULL;
    *count = 0;
    while ((row = stmt_step(stmt, err)) > 0) {
        *out = arena_one_more(arena, *out, *count, &size, sizeof **out);
        (*out)[(*count)++] = (struct recording_view){
            .file = details_kept(arena, stmt, 0),
            .format = details_kept(arena, stmt, 1),
            .line = (uint64_t)stmt_int(stmt, 2),
            .offset = (uint64_t)stmt_int(stmt, 3),
            .length = (uint64_t)stmt_int(stmt, 4),
            .body = {stmt_int(stmt, 5), (uint64_t)stmt_int(stmt, 6), (uint64_t)stmt_int(stmt, 7),
                     details_kept(arena, stmt, 8)},
        };
    }
    stmt_finish(stmt);
    return row == 0;
}

bool review_recording_body(struct review *r, const struct recording_view *recording, uint64_t limit,
                           struct buf *out, bool *cut, struct err *err)
{
    return case_read(r->c, &recording->body, limit, out, cut, err);
}

/* The text that a statement's row says where to find: of step n, which it gets bound. */
static bool read_of_step(struct review *r, int64_t n, struct stmt *stmt, uint64_t limit,
                         struct buf *out, bool *cut, struct err *err)
{
    int64_t id;
    if (!stmt || !review_step_id(r, n, &id, err)) {
        stmt_finish(stmt);
        return false;
    }
    stmt_bind_int(stmt, 1, id);
    int row = stmt_step(stmt, err);
    bool ok = row > 0;
    if (ok) {
        struct extent where = {stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                               (uint64_t)stmt_int(stmt, 2), stmt_text(stmt, 3)};
        ok = case_read(r->c, &where, limit, out, cut, err);
    } else if (row == 0) {
        err_set(err, ERR_INPUT, case_path(r->c), "import the logs into a new case",
                "step %lld points at no event", (long long)n);
    }
    stmt_finish(stmt);
    return ok;
}

bool review_body(struct review *r, int64_t n, uint64_t limit, struct buf *out, bool *cut,
                 struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c), "SELECT source_id, offset, length, recipe FROM step WHERE id=?1", err);
    return read_of_step(r, n, stmt, limit, out, cut, err);
}

bool review_message(struct review *r, int64_t n, uint64_t limit, struct buf *out, bool *cut,
                    struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(r->c),
                                "SELECT e.source_id, e.offset, e.length, e.recipe FROM step s JOIN "
                                "event e ON e.id = s.event_id WHERE s.id=?1",
                                err);
    return read_of_step(r, n, stmt, limit, out, cut, err);
}
