/*
 * Two halves of one connection in two files, as `tee` on each pipe of a stdio
 * server writes them: one holds what the client sent, the other what the server
 * did. The requests of the first wait for the second, where nothing else could
 * be meant: one connection, begun once, no request of it answered in its file.
 * Both have to be whole: a half that is followed while it grows is read alone.
 */
#include "ingest/assembler_internal.h"

void half_forget(struct assembler *a)
{
    pendings_destroy(a->half.conn.requests);
    a->half = (struct half){0};
}

void half_keep(struct assembler *a)
{
    struct connection *conn = a->conn_count == 1 ? &a->conns[0] : NULL;
    if (a->reader->transcript || a->options.growing || !conn || !conn->asked || conn->answered ||
        conn->half_of || conn->before)
        return;
    bool several = a->half.session == conn->session && a->half.conn.requests;
    half_forget(a);
    a->half.session = conn->session;
    a->half.source = a->source;
    a->half.first_step = a->first_step;
    a->half.several = several;
    a->half.conn = *conn;
    conn->requests = NULL; /* its strings go with the source, and are not looked at again */
}

bool half_fits(const struct assembler *a, const struct connection *conn,
               const struct record *record, struct span id, int64_t session)
{
    const struct half *half = &a->half;
    return half->conn.requests && !half->several && half->session == session && !conn->asked &&
           !conn->alien && !conn->before && record->direction != CLIENT_TO_SERVER &&
           (record->rpc.kind == RPC_RESULT || record->rpc.kind == RPC_ERROR) &&
           pendings_find(half->conn.requests, 'c', id);
}

void half_take(struct assembler *a, struct connection *conn)
{
    struct half *half = &a->half;
    if (!conn->requests)
        conn->requests = pendings_create(PENDING_MAX);
    conn->before = half->conn.requests;
    conn->half_of = half->source;
    conn->half_begin = half->first_step;
    conn->id = half->conn.id;
    conn->session = half->session;
    conn->server = half->conn.server;
    conn->initialize = half->conn.initialize;
    conn->began = half->conn.began;
    conn->named_by_end = half->conn.named_by_file;
    memcpy(conn->operations, half->conn.operations, sizeof conn->operations);
    half->conn.requests = NULL;
    half_forget(a);
}

void half_end(struct assembler *a)
{
    const struct connection *conn = a->conn_count ? &a->conns[0] : NULL;
    if (!conn || !conn->half_of)
        return;
    /* The calls of the first half have results now, and perhaps another server. */
    for (size_t i = 0; i < a->merge_count; i++)
        if (a->merges[i].source > conn->half_of) {
            assemble_forget_merges(a);
            break;
        }
    a->joined = mem_one_more(a->joined, a->joined_count, &a->joined_size, sizeof *a->joined);
    a->joined[a->joined_count++] = (struct joined){conn->id, conn->half_begin, a->first_step};
}

/* Calls of the first half were stored before the definitions of the second were known. */
bool half_define(struct assembler *a)
{
    while (a->joined_count) {
        const struct joined *one = &a->joined[a->joined_count - 1];
        struct stmt *stmt = db_stmt(
            case_db(a->c),
            "UPDATE step SET definition_id=(SELECT d.id FROM definition d"
            "  JOIN step l ON l.id=d.step_id WHERE d.step_id>=?3 AND d.connection_id=?1"
            "  AND d.tool=step.tool AND l.n<step.n ORDER BY l.n DESC LIMIT 1)"
            " WHERE id>=?2 AND connection_id=?1 AND kind='tool_call' AND definition_id IS NULL",
            a->err);
        if (!stmt)
            return false;
        stmt_bind_int(stmt, 1, one->connection);
        stmt_bind_int(stmt, 2, one->first_step);
        stmt_bind_int(stmt, 3, one->second_step);
        if (!stmt_run(stmt, a->err))
            return false;
        a->joined_count--;
    }
    return true;
}

/* Its answers were read from another source, which would have to be read again with it. */
bool assembler_may_grow(struct assembler *a, int64_t source, struct err *err)
{
    static const char sql[] =
        "SELECT 1 FROM session_source mine CROSS JOIN step ON step.session_id = mine.session_id"
        " JOIN event answer ON answer.id = step.event_id"
        " JOIN event request ON request.id = answer.pair_id"
        " WHERE mine.source_id=?1 AND step.source_id<>?1 AND request.source_id=?1 LIMIT 1";
    int row = db_number(case_db(a->c), sql, &source, 1, NULL, err);
    return row == 0 ||
           (row > 0 && err_set(err, ERR_INPUT, NULL, "import both into a new case",
                               "it has grown, and is half of a connection that the case has"));
}

bool assembler_waits(const struct assembler *a)
{
    return a->half.conn.requests;
}

int64_t assembler_half_of(const struct assembler *a)
{
    return a->conn_count ? a->conns[0].half_of : 0;
}
