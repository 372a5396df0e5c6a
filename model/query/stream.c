#include "model/query/stream.h"

#include "base/mem.h"
#include "model/case/store.h"
#include "model/evidence/cbor.h"
#include "model/evidence/verdict.h"

/*
 * Small tables that steps point at (servers, sources, definitions, calls) are
 * looked up through direct-mapped caches: a slot is chosen by the row's id,
 * and a miss costs one SELECT.
 */
enum { SMALL_SLOTS = 64, CALL_SLOTS = 4096, RECORD_SLOTS = 16 };

struct name_slot {
    int64_t id;
    struct buf name;
    int64_t clock_offset; /* of sources */
};

struct hints_slot {
    int64_t id;
    struct hints hints;
};

struct call_slot {
    int64_t id, n, child, definition;
};

struct record_slot {
    int64_t id;
    struct buf json; /* empty: can't be given as JSON */
};

/* Rows that hang on steps, in order of the steps' ids. */
struct attached {
    struct stmt *stmt;
    int64_t at;    /* step of the row that waits; INT64_MAX where none does */
    bool waits;    /* a damaged case may have a step of that number */
    int64_t asked; /* the last step that was asked for */
};

struct stream {
    struct case_file *c;
    struct db *db;
    int64_t session;
    unsigned want;
    struct stmt *steps;
    struct attached claims, evidence;
    struct arena arena; /* of one step */
    struct name_slot servers[SMALL_SLOTS], sources[SMALL_SLOTS];
    struct hints_slot definitions[SMALL_SLOTS];
    struct call_slot calls[CALL_SLOTS];
    struct record_slot records[RECORD_SLOTS];
};

/* ---- rows that hang on steps ---- */

static bool attached_move(struct attached *a, struct err *err)
{
    int row = stmt_step(a->stmt, err);
    a->waits = row > 0;
    a->at = a->waits ? stmt_int(a->stmt, 0) : INT64_MAX;
    return row >= 0;
}

static bool attached_seek(struct attached *a, int64_t step, struct err *err)
{
    stmt_reset(a->stmt);
    stmt_bind_int(a->stmt, 1, step);
    return attached_move(a, err);
}

/* Makes the first row of this step the one that waits, where there is one. */
static bool attached_ask(struct attached *a, int64_t step, struct err *err)
{
    enum {
        STREAM_FEW = 16
    }; /* rows of other sessions: passed over, or jumped over where they are many */
    bool back = step <= a->asked; /* its rows were given already */
    a->asked = step;
    for (int i = 0; !back && i < STREAM_FEW && a->at < step; i++)
        if (!attached_move(a, err))
            return false;
    return (!back && a->at >= step) || attached_seek(a, step, err);
}

/* ---- small tables ---- */

/* SELECT by id: 1 a row, 0 none. The statement is kept; finish it. */
static int look_up(struct stream *s, const char *sql, int64_t id, struct stmt **stmt,
                   struct err *err)
{
    *stmt = db_stmt(s->db, sql, err);
    if (!*stmt)
        return -1;
    stmt_bind_int(*stmt, 1, id);
    return stmt_step(*stmt, err);
}

static bool named(struct stream *s, struct name_slot *slots, const char *sql, int64_t id,
                  struct name_slot **found, struct err *err)
{
    struct name_slot *slot = &slots[(uint64_t)id % SMALL_SLOTS];
    if (slot->id != id || !slot->name.at) {
        struct stmt *stmt;
        int row = look_up(s, sql, id, &stmt, err);
        if (row < 0)
            return false;
        slot->id = id;
        buf_clear(&slot->name);
        buf_add(&slot->name, row ? stmt_text(stmt, 0) : SPAN_EMPTY);
        buf_cstr(&slot->name); /* so that it has an address */
        slot->clock_offset = row ? stmt_int(stmt, 1) : 0;
        stmt_finish(stmt);
    }
    *found = slot;
    return true;
}

static bool server_name(struct stream *s, int64_t id, struct span *name, struct err *err)
{
    struct name_slot *slot;
    *name = SPAN_EMPTY;
    if (id == 0)
        return true;
    if (!named(s, s->servers, "SELECT name, 0 FROM server WHERE id=?1", id, &slot, err))
        return false;
    *name = buf_span(&slot->name);
    return true;
}

static enum tri tri_column(struct stmt *stmt, int column)
{
    return stmt_is_null(stmt, column) ? TRI_ABSENT : stmt_int(stmt, column) ? TRI_TRUE : TRI_FALSE;
}

static bool hints_of(struct stream *s, int64_t id, struct hints *hints, struct err *err)
{
    *hints = (struct hints){false, TRI_ABSENT, TRI_ABSENT, TRI_ABSENT, TRI_ABSENT};
    if (id == 0)
        return true;
    struct hints_slot *slot = &s->definitions[(uint64_t)id % SMALL_SLOTS];
    if (slot->id != id) {
        struct stmt *stmt;
        int row = look_up(
            s, "SELECT read_only, destructive, idempotent, open_world FROM definition WHERE id=?1",
            id, &stmt, err);
        if (row < 0)
            return false;
        slot->id = id;
        slot->hints = *hints;
        if (row)
            slot->hints = (struct hints){true, tri_column(stmt, 0), tri_column(stmt, 1),
                                         tri_column(stmt, 2), tri_column(stmt, 3)};
        stmt_finish(stmt);
    }
    *hints = slot->hints;
    return true;
}

static bool call_of(struct stream *s, int64_t id, struct call_slot **found, struct err *err)
{
    struct call_slot *slot = &s->calls[(uint64_t)id % CALL_SLOTS];
    if (slot->id != id) {
        struct stmt *stmt;
        int row =
            look_up(s, "SELECT n, child_id, definition_id FROM step WHERE id=?1", id, &stmt, err);
        if (row < 0)
            return false;
        *slot = (struct call_slot){id, row ? stmt_int(stmt, 0) : 0, row ? stmt_int(stmt, 1) : 0,
                                   row ? stmt_int(stmt, 2) : 0};
        stmt_finish(stmt);
    }
    *found = slot;
    return true;
}

/* ---- opening ---- */

static struct stmt *stream_prepare(struct stream *s, const char *sql, struct err *err)
{
    return db_prepare(s->db, span_of(sql), err);
}

bool stream_seek(struct stream *s, int64_t from, struct err *err)
{
    (void)err;
    stmt_reset(s->steps);
    stmt_bind_int(s->steps, 1, s->session);
    stmt_bind_int(s->steps, 2, from);
    stmt_bind_int(s->steps, 3, s->want & STREAM_RESULTS);
    return true;
}

struct stream *stream_open(struct case_file *c, int64_t session, int64_t from, unsigned want,
                           struct err *err)
{
    struct stream *s = NEW(struct stream);
    s->c = c;
    s->db = case_db(c);
    s->session = session;
    s->want = want;
    s->steps = stream_prepare(
        s,
        "SELECT s.id, s.n, s.kind, s.server_id, s.tool, s.call_id, s.definition_id, s.child_id, s.outcome,"
        " s.is_error, s.source_id, s.offset, s.length, s.recipe, s.time_ns, s.time_digits, s.flags,"
        " e.offset, e.length, e.recipe, e.line,"
        " CASE WHEN ?3 AND s.kind = 'tool_call' THEN (SELECT r.n FROM step r WHERE r.call_id = s.id LIMIT 1) END"
        " FROM step s JOIN event e ON e.id = s.event_id"
        " WHERE s.session_id=?1 AND s.n>=?2 ORDER BY s.n",
        err);
    bool ok = s->steps && stream_seek(s, from, err);
    if (ok && want & STREAM_CLAIMS) {
        s->claims.stmt =
            stream_prepare(s,
                           "SELECT step_id, block, shape, name, value, pointer, problem FROM claim"
                           " WHERE step_id>=?1 ORDER BY step_id, id",
                           err);
        s->evidence.stmt = stream_prepare(
            s,
            "SELECT step_id, block, type, digest, canonicalization, schema, schema_version, ref, bad, raw,"
            " pointer, verdict, record_id FROM evidence_ref LEFT JOIN evidence_verdict ON ref_id = id"
            " WHERE step_id>=?1 ORDER BY step_id, id",
            err);
        s->claims.asked = s->evidence.asked = INT64_MAX;
        ok = s->claims.stmt && s->evidence.stmt;
    }
    if (ok)
        return s;
    stream_close(s);
    return NULL;
}

void stream_close(struct stream *s)
{
    if (!s)
        return;
    stmt_finish(s->steps);
    stmt_finish(s->claims.stmt);
    stmt_finish(s->evidence.stmt);
    arena_finish(&s->arena);
    for (size_t i = 0; i < SMALL_SLOTS; i++) {
        buf_finish(&s->servers[i].name);
        buf_finish(&s->sources[i].name);
    }
    for (size_t i = 0; i < RECORD_SLOTS; i++)
        buf_finish(&s->records[i].json);
    mem_free(s);
}

/* ---- claims ---- */

static struct span stream_kept(struct stream *s, struct stmt *stmt, int column)
{
    struct span text = stmt_text(stmt, column);
    return text.at ? arena_copy(&s->arena, text) : (struct span){0};
}

static bool read_claims(struct stream *s, int64_t step, struct replay_input *input, struct err *err)
{
    struct attached *a = &s->claims;
    if (!attached_ask(a, step, err))
        return false;
    struct claim *items = NULL;
    size_t count = 0, size = 0;
    while (a->waits && a->at == step) {
        items = arena_one_more(&s->arena, items, count, &size, sizeof *items);
        struct span problem = stream_kept(s, a->stmt, 6);
        struct claim claim = {
            .block = (int)stmt_int(a->stmt, 1),
            .name = stream_kept(s, a->stmt, 3),
            .value = stream_kept(s, a->stmt, 4),
            .pointer = stream_kept(s, a->stmt, 5),
            .problem = problem.at, /* the arena ends it with a NUL */
        };
        if (!claim.value.at && !claim.problem)
            claim.problem = "too long to be weighed";
        if (claim_shape_of(stmt_text(a->stmt, 2), &claim.shape))
            items[count++] = claim;
        if (!attached_move(a, err))
            return false;
    }
    input->claims = items;
    input->claim_count = count;
    return true;
}

/* ---- evidence ---- */

/* What a record says, as JSON; empty where it can't be read as such. */
static struct span record_json(struct stream *s, int64_t id)
{
    struct record_slot *slot = &s->records[(uint64_t)id % RECORD_SLOTS];
    if (slot->id == id)
        return buf_span(&slot->json);
    slot->id = id;
    buf_clear(&slot->json);
    struct err ignored = {0};
    struct stmt *stmt;
    int row =
        look_up(s, "SELECT source_id, offset, length, recipe, encoding FROM record WHERE id=?1", id,
                &stmt, &ignored);
    if (row > 0) {
        struct extent at = {stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                            (uint64_t)stmt_int(stmt, 2), stmt_text(stmt, 3)};
        bool cbor = span_is(stmt_text(stmt, 4), "cbor");
        struct buf bytes = {0};
        if (!case_read(s->c, &at, 0, cbor ? &bytes : &slot->json, NULL, &ignored) ||
            (cbor && !cbor_to_json(buf_span(&bytes), &slot->json, NULL)))
            buf_clear(&slot->json);
        buf_finish(&bytes);
    }
    if (row >= 0)
        stmt_finish(stmt);
    return buf_span(&slot->json);
}

static const char *stream_verdict_of(struct span word)
{
    enum evidence_verdict verdict;
    return evidence_verdict_find(word, &verdict) ? evidence_verdict_word(verdict) : NULL;
}

static void read_reference(struct stream *s, struct stmt *stmt, struct evidence_input *out)
{
    struct evidence_claim *ref = arena_alloc(&s->arena, sizeof *ref);
    *ref = (struct evidence_claim){
        .block = (int)stmt_int(stmt, 1),
        .type = stream_kept(s, stmt, 2),
        .digest = stream_kept(s, stmt, 3),
        .canonicalization = stream_kept(s, stmt, 4),
        .schema = stream_kept(s, stmt, 5),
        .schema_version = stream_kept(s, stmt, 6),
        .ref = stream_kept(s, stmt, 7),
        .bad = (unsigned)stmt_int(stmt, 8),
        .raw = stream_kept(s, stmt, 9),
        .pointer = stream_kept(s, stmt, 10),
    };
    const char *verdict = stream_verdict_of(stmt_text(stmt, 11));
    *out = (struct evidence_input){.block = ref->block,
                                   .verdict = verdict,
                                   .type = ref->type,
                                   .record = SPAN_EMPTY,
                                   .ref = ref};
    if (!verdict)
        out->verdict = evidence_verdict_word(EVIDENCE_UNRESOLVABLE_DIGEST_ONLY);
    else if (strcmp(verdict, evidence_verdict_word(EVIDENCE_RECOMPUTED)) == 0 &&
             !stmt_is_null(stmt, 12))
        out->record = arena_copy(&s->arena, record_json(s, stmt_int(stmt, 12)));
}

static bool read_evidence(struct stream *s, int64_t step, struct replay_input *input,
                          struct err *err)
{
    struct attached *a = &s->evidence;
    if (!attached_ask(a, step, err))
        return false;
    struct evidence_input *items = NULL;
    size_t count = 0, size = 0;
    while (a->waits && a->at == step) {
        items = arena_one_more(&s->arena, items, count, &size, sizeof *items);
        read_reference(s, a->stmt, &items[count++]);
        if (!attached_move(a, err))
            return false;
    }
    input->evidence = items;
    input->evidence_count = count;
    return true;
}

/* ---- steps ---- */

static bool fill_step(struct stream *s, struct streamed *out, struct err *err)
{
    struct stmt *row = s->steps;
    struct step *step = &out->step;
    struct name_slot *source;
    if (!named(s, s->sources, "SELECT path, clock_offset_ns FROM source WHERE id=?1",
               stmt_int(row, 10), &source, err))
        return false;
    bool timed = !stmt_is_null(row, 14);
    *step = (struct step){
        .id = stmt_int(row, 0),
        .session = s->session,
        .n = stmt_int(row, 1),
        .time_digits = timed ? (int)stmt_int(row, 15) : -1,
        .tool = stmt_text(row, 4),
        .result_n = stmt_int(row, 21),
        .child = stmt_int(row, 7),
        .is_error = stmt_int(row, 9) != 0,
        .flags = (unsigned)stmt_int(row, 16),
        .approved = stmt_int(row, 16) & ROW_APPROVED,
        .body = {stmt_int(row, 10), (uint64_t)stmt_int(row, 11), (uint64_t)stmt_int(row, 12),
                 stmt_text(row, 13)},
        .whole = {stmt_int(row, 10), (uint64_t)stmt_int(row, 17), (uint64_t)stmt_int(row, 18),
                  stmt_text(row, 19)},
        .line = (uint64_t)stmt_int(row, 20),
    };
    if (timed && __builtin_add_overflow(stmt_int(row, 14), source->clock_offset, &step->time_ns))
        step->time_ns = stmt_int(row, 14);
    if (!step_kind_of(stmt_text(row, 2), &step->kind))
        return err_set(err, ERR_INPUT, case_path(s->c), "import the logs into a new case",
                       "step %lld is of an unknown kind", (long long)step->n);
    struct span outcome = stmt_text(row, 8);
    if (outcome.at)
        outcome_of(outcome, &step->outcome);
    out->file = buf_span(&source->name);
    out->call = stmt_int(row, 5);
    out->definition = stmt_int(row, 6);
    return server_name(s, stmt_int(row, 3), &step->server, err) &&
           hints_of(s, out->definition, &step->hints, err);
}

int stream_next(struct stream *s, struct streamed *out, struct err *err)
{
    int row = stmt_step(s->steps, err);
    if (row <= 0)
        return row;
    arena_reset(&s->arena);
    *out = (struct streamed){0};
    if (!fill_step(s, out, err))
        return -1;
    struct step *step = &out->step;
    if (step->kind == STEP_TOOL_CALL)
        s->calls[(uint64_t)step->id % CALL_SLOTS] =
            (struct call_slot){step->id, step->n, step->child, out->definition};
    if (out->call) {
        struct call_slot *call;
        if (!call_of(s, out->call, &call, err))
            return -1;
        step->call_n = call->n;
        out->child = call->child;
        /* A result has the hints of its call: policies may go by them. */
        if (!hints_of(s, call->definition, &step->hints, err))
            return -1;
    }
    out->input.step = &out->step;
    if (s->claims.stmt && (!read_claims(s, step->id, &out->input, err) ||
                           !read_evidence(s, step->id, &out->input, err)))
        return -1;
    return 1;
}

bool stream_body_of(struct case_file *c, int64_t step, struct arena *arena, struct extent *body,
                    struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c), "SELECT source_id, offset, length, recipe FROM step WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, step);
    int row = stmt_step(stmt, err);
    if (row > 0)
        *body = (struct extent){stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                                (uint64_t)stmt_int(stmt, 2), arena_copy(arena, stmt_text(stmt, 3))};
    else if (row == 0)
        err_set(err, ERR_INPUT, case_path(c), NULL, "no such step");
    stmt_finish(stmt);
    return row > 0;
}
