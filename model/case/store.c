#include "model/case/store.h"

#include <stdio.h>

#include "base/sha256.h"
#include "model/case/case_internal.h"
#include "model/case/rehearse.h"

/* ---- helpers of binding ---- */

static struct span or_null(struct span text)
{
    return text.len ? text : (struct span){0};
}

static void bind_ref(struct stmt *stmt, int index, int64_t id)
{
    stmt_bind_int_or_null(stmt, index, id, id != 0);
}

static void bind_extent(struct stmt *stmt, int first, const struct extent *where)
{
    stmt_bind_int(stmt, first, (int64_t)where->offset);
    stmt_bind_int(stmt, first + 1, (int64_t)where->length);
    stmt_bind_text(stmt, first + 2, or_null(where->recipe));
}

/* A name of a sane length: names are repeated in every row, and a log may hold one of a hundred
 * megabytes. Longer ones are cut and end in a digest of the whole, so that they stay apart. */
struct name {
    char cut[STORE_NAME_MAX];
    struct span text;
};

static struct span store_bounded(struct name *name, struct span text)
{
    enum { STORE_HEX = 32 };
    name->text = text;
    if (text.len <= STORE_NAME_MAX)
        return text;
    uint8_t digest[SHA256_BYTES];
    sha256_of(text, digest);
    size_t keep = STORE_NAME_MAX - sizeof "…#" - STORE_HEX;
    while (keep && ((unsigned char)text.at[keep] & 0xc0) == 0x80)
        keep--;
    memcpy(name->cut, text.at, keep);
    int len = snprintf(name->cut + keep, sizeof name->cut - keep, "…#");
    keep += (size_t)len;
    for (size_t i = 0; i < STORE_HEX / 2; i++)
        keep += (size_t)snprintf(name->cut + keep, sizeof name->cut - keep, "%02x", digest[i]);
    name->text = (struct span){name->cut, keep};
    return name->text;
}

static int64_t run_insert(struct case_file *c, struct stmt *stmt, struct err *err)
{
    return stmt_run(stmt, err) ? db_last_id(c->db) : 0;
}

/* ---- sessions, servers, connections ---- */

int64_t store_session(struct case_file *c, const struct session_row *row, struct err *err)
{
    struct stmt *stmt = db_stmt(
        c->db, "INSERT INTO session(key, name, host, parent_id) VALUES(?1, ?2, ?3, ?4)", err);
    if (!stmt)
        return 0;
    struct name key, name, host;
    stmt_bind_text(stmt, 1, store_bounded(&key, row->key.len ? row->key : SPAN_EMPTY));
    stmt_bind_text(stmt, 2, store_bounded(&name, row->name.len ? row->name : SPAN_EMPTY));
    stmt_bind_text(stmt, 3, store_bounded(&host, row->host.len ? row->host : SPAN_EMPTY));
    bind_ref(stmt, 4, row->parent);
    return run_insert(c, stmt, err);
}

int64_t store_server(struct case_file *c, struct span name, struct err *err)
{
    struct name bound;
    name = store_bounded(&bound, name.len ? name : SPAN_EMPTY);
    struct stmt *find = db_stmt(c->db, "SELECT id FROM server WHERE name=?1", err);
    if (!find)
        return 0;
    stmt_bind_text(find, 1, name);
    int row = stmt_step(find, err);
    int64_t id = row > 0 ? stmt_int(find, 0) : 0;
    stmt_finish(find);
    if (row != 0)
        return id;
    struct stmt *add = db_stmt(c->db, "INSERT INTO server(name) VALUES(?1)", err);
    if (!add)
        return 0;
    stmt_bind_text(add, 1, name);
    return run_insert(c, add, err);
}

/* Binds five names from `first` on. */
static bool run_with_names(struct stmt *stmt, int first, const struct connection_row *row,
                           struct err *err)
{
    struct name names[5];
    const struct span texts[5] = {row->protocol_version, row->client_name, row->client_version,
                                  row->server_name, row->server_version};
    for (int i = 0; i < 5; i++)
        stmt_bind_text(stmt, first + i, or_null(store_bounded(&names[i], texts[i])));
    return stmt_run(stmt, err);
}

int64_t store_connection(struct case_file *c, const struct connection_row *row, struct err *err)
{
    if (c->rehearsal)
        return rehearse_connection(c, err);
    struct stmt *stmt =
        db_stmt(c->db,
                "INSERT INTO connection(session_id, server_id, source_id, epoch, protocol_version,"
                " client_name, client_version, server_name, server_version)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                err);
    if (!stmt)
        return 0;
    stmt_bind_int(stmt, 1, row->session);
    bind_ref(stmt, 2, row->server);
    stmt_bind_int(stmt, 3, row->source);
    stmt_bind_int(stmt, 4, row->epoch);
    return run_with_names(stmt, 5, row, err) ? db_last_id(c->db) : 0;
}

bool store_connection_info(struct case_file *c, int64_t connection,
                           const struct connection_row *row, struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(
        c->db,
        "UPDATE connection SET server_id=coalesce(?2, server_id),"
        " protocol_version=coalesce(?3, protocol_version), client_name=coalesce(?4, client_name),"
        " client_version=coalesce(?5, client_version), server_name=coalesce(?6, server_name),"
        " server_version=coalesce(?7, server_version) WHERE id=?1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, connection);
    bind_ref(stmt, 2, row->server);
    return run_with_names(stmt, 3, row, err);
}

bool store_session_source(struct case_file *c, int64_t session, int64_t source, struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO session_source(session_id, source_id) VALUES(?1, ?2) ON CONFLICT DO NOTHING",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, source);
    return stmt_run(stmt, err);
}

/* ---- events and steps ---- */

int64_t store_event(struct case_file *c, const struct event_row *row, struct err *err)
{
    if (c->rehearsal)
        return rehearse_event(c, row->at.offset, err);
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO event(session_id, connection_id, source_id, line, offset, length, recipe, time_ns,"
        " time_digits, direction, kind, method, rpc_id, pair_id, flags)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        err);
    if (!stmt)
        return 0;
    struct name method, rpc_id;
    stmt_bind_int(stmt, 1, row->session);
    bind_ref(stmt, 2, row->connection);
    stmt_bind_int(stmt, 3, row->at.source);
    stmt_bind_int(stmt, 4, (int64_t)row->line);
    bind_extent(stmt, 5, &row->at);
    stmt_bind_int_or_null(stmt, 8, row->time_ns, row->time_digits >= 0);
    stmt_bind_int_or_null(stmt, 9, row->time_digits, row->time_digits >= 0);
    stmt_bind_text(stmt, 10, or_null(span_of(row->direction)));
    stmt_bind_text(stmt, 11, span_of(row->kind));
    stmt_bind_text(stmt, 12, or_null(store_bounded(&method, row->method)));
    stmt_bind_text(stmt, 13, or_null(store_bounded(&rpc_id, row->rpc_id)));
    bind_ref(stmt, 14, row->pair);
    stmt_bind_int(stmt, 15, row->flags);
    return run_insert(c, stmt, err);
}

static void forget_tails(void *arg)
{
    struct case_file *c = arg;
    memset(c->tails, 0, sizeof c->tails);
    for (size_t i = 0; i < FRAMES_KEPT;
         i++) /* the id of a source that was taken back is given again */
        c->frames[i].source = 0;
}

void store_forget_tails(struct case_file *c)
{
    forget_tails(c);
}

/* The number for a step at the end of its session. Numbers are given as steps come, so that a
 * session from one source is in order already when it is whole. */
static int64_t next_number(struct case_file *c, int64_t session, struct err *err)
{
    struct session_tail *tail = &c->tails[(size_t)session % TAILS_KEPT];
    if (tail->session != session) {
        int64_t last;
        if (db_number(c->db, "SELECT max(n) FROM step WHERE session_id=?1", &session, 1, &last,
                      err) < 0)
            return 0;
        /* What is rolled back was not numbered. */
        sqlite3_rollback_hook(db_handle(c->db), forget_tails, c);
        *tail = (struct session_tail){session, last};
    }
    return ++tail->last_n;
}

int64_t store_step(struct case_file *c, const struct step_row *row, struct err *err)
{
    if (c->rehearsal)
        return rehearse_step(c, row->event, step_kind_word(row->kind), err);
    int64_t n = next_number(c, row->session, err);
    struct stmt *stmt =
        n == 0
            ? NULL
            : db_stmt(
                  c->db,
                  "INSERT INTO step(session_id, n, kind, event_id, source_id, server_id, connection_id, tool,"
                  " call_id, definition_id, child_id, outcome, is_error, offset, length, recipe, time_ns,"
                  " time_digits, flags)"
                  " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
                  err);
    if (!stmt)
        return 0;
    struct name tool;
    /* A call is unanswered until its result comes. */
    const char *outcome = row->kind == STEP_TOOL_CALL ? outcome_word(OUTCOME_UNANSWERED) : NULL;
    stmt_bind_int(stmt, 1, row->session);
    stmt_bind_int(stmt, 2, n);
    stmt_bind_text(stmt, 3, span_of(step_kind_word(row->kind)));
    stmt_bind_int(stmt, 4, row->event);
    stmt_bind_int(stmt, 5, row->body.source);
    bind_ref(stmt, 6, row->server);
    bind_ref(stmt, 7, row->connection);
    stmt_bind_text(stmt, 8, or_null(store_bounded(&tool, row->tool)));
    bind_ref(stmt, 9, row->call);
    bind_ref(stmt, 10, row->definition);
    bind_ref(stmt, 11, row->child);
    stmt_bind_text(stmt, 12, or_null(span_of(outcome)));
    stmt_bind_int(stmt, 13, row->is_error);
    bind_extent(stmt, 14, &row->body);
    stmt_bind_int_or_null(stmt, 17, row->time_ns, row->time_digits >= 0);
    stmt_bind_int_or_null(stmt, 18, row->time_digits, row->time_digits >= 0);
    stmt_bind_int(stmt, 19, row->flags);
    return run_insert(c, stmt, err);
}

bool store_outcome(struct case_file *c, int64_t call_step, enum outcome outcome, struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(c->db, "UPDATE step SET outcome=?2 WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, call_step);
    stmt_bind_text(stmt, 2,
                   outcome == OUTCOME_NONE ? (struct span){0} : span_of(outcome_word(outcome)));
    return stmt_run(stmt, err);
}

bool store_steps_server(struct case_file *c, int64_t connection, int64_t first_step, int64_t server,
                        struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt =
        db_stmt(c->db, "UPDATE step SET server_id=?3 WHERE id>=?2 AND connection_id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, connection);
    stmt_bind_int(stmt, 2, first_step);
    stmt_bind_int(stmt, 3, server);
    return stmt_run(stmt, err);
}

bool store_child(struct case_file *c, int64_t call_step, int64_t child_session, struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(c->db, "UPDATE step SET child_id=?2 WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, call_step);
    bind_ref(stmt, 2, child_session);
    return stmt_run(stmt, err);
}

bool store_step_flags(struct case_file *c, int64_t step, unsigned set, unsigned clear,
                      struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(c->db,
                                "UPDATE step SET flags=(flags & ~?3)|?2"
                                " WHERE id=?1 AND flags<>((flags & ~?3)|?2)",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, step);
    stmt_bind_int(stmt, 2, set);
    stmt_bind_int(stmt, 3, clear);
    return stmt_run(stmt, err);
}

bool store_step_source(struct case_file *c, int64_t step, int64_t event, const struct extent *body,
                       struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO step_source(step_id, event_id, offset, length, recipe) VALUES(?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT DO NOTHING",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, step);
    stmt_bind_int(stmt, 2, event);
    bind_extent(stmt, 3, body);
    return stmt_run(stmt, err);
}

/* ---- what hangs on steps ---- */

int64_t store_definition(struct case_file *c, const struct definition_row *row, struct err *err)
{
    if (c->rehearsal)
        return rehearse_definition(c, err);
    static const uint8_t none[32];
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO definition(step_id, connection_id, server_id, tool, source_id, offset, length,"
        " recipe, digest, read_only, destructive, idempotent, open_world)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        err);
    if (!stmt)
        return 0;
    struct name tool;
    stmt_bind_int(stmt, 1, row->step);
    bind_ref(stmt, 2, row->connection);
    bind_ref(stmt, 3, row->server);
    stmt_bind_text(stmt, 4, store_bounded(&tool, row->tool.len ? row->tool : SPAN_EMPTY));
    stmt_bind_int(stmt, 5, row->at.source);
    bind_extent(stmt, 6, &row->at);
    if (memcmp(row->digest, none, sizeof none) != 0)
        stmt_bind_blob(stmt, 9, (struct span){(const char *)row->digest, sizeof row->digest});
    const enum tri hints[4] = {row->hints.read_only, row->hints.destructive, row->hints.idempotent,
                               row->hints.open_world};
    for (int i = 0; i < 4; i++)
        stmt_bind_int_or_null(stmt, 10 + i, hints[i], hints[i] != TRI_ABSENT);
    return run_insert(c, stmt, err);
}

bool store_claim(struct case_file *c, const struct claim_row *row, struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO claim(step_id, block, shape, name, value, pointer, problem, offset, length)"
        " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        err);
    if (!stmt)
        return false;
    struct name name, pointer;
    stmt_bind_int(stmt, 1, row->step);
    stmt_bind_int(stmt, 2, row->block);
    stmt_bind_text(stmt, 3, span_of(row->shape));
    stmt_bind_text(stmt, 4, store_bounded(&name, row->name.len ? row->name : SPAN_EMPTY));
    stmt_bind_text(stmt, 5,
                   row->value.len <= CLAIM_VALUE_MAX ? or_null(row->value) : (struct span){0});
    stmt_bind_text(stmt, 6, store_bounded(&pointer, row->pointer.len ? row->pointer : SPAN_EMPTY));
    stmt_bind_text(stmt, 7, or_null(span_of(row->problem)));
    stmt_bind_int(stmt, 8, (int64_t)row->offset);
    stmt_bind_int(stmt, 9, (int64_t)row->length);
    return stmt_run(stmt, err);
}

int64_t store_evidence_ref(struct case_file *c, const struct evidence_row *row, struct err *err)
{
    if (c->rehearsal)
        return 1;
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO evidence_ref(step_id, block, type, digest, canonicalization, schema, schema_version,"
        " ref, bad, raw, pointer) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        err);
    if (!stmt)
        return 0;
    const struct span members[6] = {row->type,   row->digest,         row->canonicalization,
                                    row->schema, row->schema_version, row->ref};
    struct name names[6], pointer;
    stmt_bind_int(stmt, 1, row->step);
    stmt_bind_int(stmt, 2, row->block);
    for (int i = 0; i < 6; i++)
        stmt_bind_text(stmt, 3 + i, store_bounded(&names[i], members[i])); /* empty is not absent */
    stmt_bind_int(stmt, 9, row->bad);
    stmt_bind_text(stmt, 10,
                   row->raw.len && row->raw.len <= CLAIM_VALUE_MAX ? row->raw : SPAN_EMPTY);
    stmt_bind_text(stmt, 11, store_bounded(&pointer, row->pointer.len ? row->pointer : SPAN_EMPTY));
    return run_insert(c, stmt, err);
}

bool store_drop_derived(struct case_file *c, struct err *err)
{
    return db_exec(c->db,
                   "DELETE FROM evidence_verdict; DELETE FROM run_step; DELETE FROM finding;"
                   " DELETE FROM run; DELETE FROM label",
                   err);
}

int64_t store_record(struct case_file *c, const struct extent *at, struct span name,
                     const char *encoding, struct err *err)
{
    if (c->rehearsal)
        return 1;
    struct stmt *probe =
        db_stmt(c->db, "SELECT 1 FROM evidence_verdict UNION ALL SELECT 1 FROM run LIMIT 1", err);
    int derived = probe ? stmt_step(probe, err) : -1;
    stmt_finish(probe);
    if (derived < 0 || (derived > 0 && !store_drop_derived(c, err)))
        return 0;
    struct stmt *stmt =
        db_stmt(c->db,
                "INSERT INTO record(source_id, offset, length, recipe, name, encoding)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                err);
    if (!stmt)
        return 0;
    struct name bound;
    stmt_bind_int(stmt, 1, at->source);
    bind_extent(stmt, 2, at);
    stmt_bind_text(stmt, 5, store_bounded(&bound, name.len ? name : SPAN_EMPTY));
    stmt_bind_text(stmt, 6, span_of(encoding));
    return run_insert(c, stmt, err);
}

/* ---- the account of a source ---- */

bool store_diagnostic(struct case_file *c, const struct diagnostic_row *row, struct err *err)
{
    if (c->rehearsal)
        return true;
    struct stmt *stmt =
        db_stmt(c->db,
                "INSERT INTO diagnostic(source_id, line, offset, length, code, what)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                err);
    if (!stmt)
        return false;
    struct name what;
    stmt_bind_int(stmt, 1, row->source);
    stmt_bind_int(stmt, 2, (int64_t)row->line);
    stmt_bind_int(stmt, 3, (int64_t)row->offset);
    stmt_bind_int(stmt, 4, (int64_t)row->length);
    stmt_bind_text(stmt, 5, span_of(row->code));
    stmt_bind_text(stmt, 6, store_bounded(&what, row->what.len ? row->what : SPAN_EMPTY));
    return stmt_run(stmt, err);
}

bool store_clock(struct case_file *c, int64_t source, int64_t offset_ns, struct err *err)
{
    struct stmt *stmt = db_stmt(c->db, "UPDATE source SET clock_offset_ns=?2 WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    stmt_bind_int(stmt, 2, offset_ns);
    return stmt_run(stmt, err);
}

/* 1: there is such a row, 0: none, -1: an error. */
static bool run_on(struct case_file *c, const char *sql, int64_t source, struct err *err)
{
    struct stmt *stmt = db_stmt(c->db, sql, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    return stmt_run(stmt, err);
}

/* Sessions that no other source tells of. */
#define DELETE_LONELY                                                                              \
    "DELETE FROM session WHERE id IN (SELECT session_id FROM session_source WHERE source_id=?1)"   \
    " AND NOT EXISTS (SELECT 1 FROM session_source o WHERE o.session_id=session.id"                \
    "  AND o.source_id<>?1) AND "

bool store_forget_source(struct case_file *c, int64_t source, struct err *err)
{
    static const char *const deletes[] = {
        "DELETE FROM claim WHERE step_id IN (SELECT id FROM step WHERE source_id=?1)",
        "DELETE FROM evidence_ref WHERE step_id IN (SELECT id FROM step WHERE source_id=?1)",
        "DELETE FROM step_source WHERE event_id IN (SELECT id FROM event WHERE source_id=?1)",
        "DELETE FROM definition WHERE source_id=?1",
        "DELETE FROM record WHERE source_id=?1",
        "DELETE FROM step WHERE source_id=?1",
        "DELETE FROM event WHERE source_id=?1",
        "DELETE FROM connection WHERE source_id=?1",
        "DELETE FROM diagnostic WHERE source_id=?1",
        "DELETE FROM account WHERE source_id=?1",
        "DELETE FROM frame WHERE source_id=?1",
        DELETE_LONELY "parent_id IS NOT NULL",
        DELETE_LONELY "NOT EXISTS (SELECT 1 FROM session k WHERE k.parent_id=session.id)",
        "DELETE FROM session_source WHERE source_id=?1",
        "DELETE FROM source WHERE id=?1",
    };
    int rests = db_number(c->db,
                          "SELECT 1 FROM note n JOIN session_source s ON s.session_id=n.session_id"
                          " WHERE s.source_id=?1"
                          " UNION ALL SELECT 1 FROM step_source t JOIN step s ON s.id=t.step_id"
                          "  JOIN event e ON e.id=t.event_id"
                          "  WHERE s.source_id=?1 AND e.source_id<>?1"
                          " UNION ALL SELECT 1 FROM step s JOIN step k ON k.call_id=s.id"
                          "  WHERE s.source_id=?1 AND k.source_id<>?1 LIMIT 1",
                          &source, 1, NULL, err);
    if (rests > 0)
        return err_set(err, ERR_INPUT, case_where(c), NULL, "other rows rest on the source");
    if (rests < 0 || !store_drop_derived(c, err))
        return false;
    for (size_t i = 0; i < COUNT_OF(deletes); i++)
        if (!run_on(c, deletes[i], source, err))
            return false;
    store_forget_tails(c);
    return true;
}

bool store_forget_end(struct case_file *c, int64_t source, uint64_t offset, struct err *err)
{
    struct stmt *stmt = db_stmt(c->db,
                                "DELETE FROM diagnostic WHERE source_id=?1 AND offset>=?2"
                                " AND code IN ('PR01', 'PR05')",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    stmt_bind_int(stmt, 2, (int64_t)offset);
    return stmt_run(stmt, err);
}

bool store_account(struct case_file *c, int64_t source, const char *kind, struct span detail,
                   uint64_t units, uint64_t bytes, struct err *err)
{
    struct stmt *stmt = db_stmt(
        c->db,
        "INSERT INTO account(source_id, kind, detail, units, bytes) VALUES(?1, ?2, ?3, ?4, ?5)"
        " ON CONFLICT DO UPDATE SET units=units+excluded.units, bytes=bytes+excluded.bytes",
        err);
    if (!stmt)
        return false;
    struct name bound;
    stmt_bind_int(stmt, 1, source);
    stmt_bind_text(stmt, 2, span_of(kind));
    stmt_bind_text(stmt, 3, store_bounded(&bound, detail.len ? detail : SPAN_EMPTY));
    stmt_bind_int(stmt, 4, (int64_t)units);
    stmt_bind_int(stmt, 5, (int64_t)bytes);
    return stmt_run(stmt, err);
}
