/* Connections: when one begins, what the two sides call themselves. */
#include "ingest/assembler_internal.h"
#include "ingest/pick.h"

struct span assemble_string(struct assembler *a, struct span object, const char *name)
{
    struct span value;
    return jsonr_member(object, name, &value) ? pick_string(value, &a->arena) : SPAN_EMPTY;
}

static struct connection *find_connection(struct assembler *a, const struct record *record)
{
    const struct connection *last = a->last_conn >= 0 ? &a->conns[a->last_conn] : NULL;
    if (last && span_equal(record->server, last->said_server) &&
        span_equal(record->connection, last->said_key))
        return &a->conns[a->last_conn];
    buf_clear(&a->key);
    buf_add(&a->key, record->server);
    buf_byte(&a->key, 0);
    buf_add(&a->key, record->connection);
    int64_t *index = names_at(&a->connections, buf_span(&a->key));
    if (!*index) {
        a->conns = mem_one_more(a->conns, a->conn_count, &a->conn_size, sizeof *a->conns);
        a->conns[a->conn_count++] = (struct connection){
            .fresh = true,
            .said_server = arena_copy(&a->source_arena, record->server),
            .said_key = arena_copy(&a->source_arena, record->connection),
        };
        *index = (int64_t)a->conn_count;
    }
    a->last_conn = *index - 1;
    return &a->conns[a->last_conn];
}

/* Epochs count per server of a session; while the name is not known, per source. */
static int64_t next_epoch(struct assembler *a, const struct connection *conn)
{
    int64_t key[3] = {conn->session, conn->server, conn->server ? 0 : a->source};
    return ++*names_at(&a->epochs, (struct span){(const char *)key, sizeof key});
}

static bool open_epoch(struct assembler *a, struct connection *conn)
{
    struct connection_row row = {
        .session = conn->session,
        .server = conn->server,
        .source = a->source,
        .epoch = next_epoch(a, conn),
    };
    conn->id = store_connection(a->c, &row, a->err);
    pendings_destroy(conn->before);
    conn->before = conn->requests;
    conn->requests = pendings_create(PENDING_MAX);
    conn->fresh = true;
    conn->began = false;
    conn->initialize = 0;
    memset(conn->operations, 0, sizeof conn->operations);
    return conn->id;
}

struct connection *connection_of(struct assembler *a, const struct record *record, int64_t session)
{
    struct connection *conn = find_connection(a, record);
    if (a->half.conn.requests) {
        bool answer = record->rpc.kind == RPC_RESULT || record->rpc.kind == RPC_ERROR;
        if (half_fits(a, conn, record, assemble_id_key(a, record->rpc.id), session))
            half_take(a, conn);
        else if (answer) /* to somebody else: so are those behind it */
            conn->alien = true;
    }
    if (conn->id)
        return conn;
    struct span name = record->server.len ? record->server : a->options.server;
    conn->session = session;
    conn->server = name.len ? assemble_server(a, name) : 0;
    if (name.len && !conn->server)
        return NULL;
    conn->started_as = arena_copy(&a->source_arena, record->started_as);
    return open_epoch(a, conn) ? conn : NULL;
}

/* The server's name, when a step needs it and the log hasn't said it: what the server calls itself
 * (known by then), else what was started, else the file. */
static bool need_server(struct assembler *a, struct connection *conn, struct span own_name)
{
    if (conn->server)
        return true;
    struct span other_name = conn->started_as.len ? conn->started_as : a->stem;
    conn->server = assemble_server(a, own_name.len ? own_name : other_name);
    conn->named_by_file = !own_name.len && !conn->started_as.len;
    return conn->server &&
           store_connection_info(a->c, conn->id, &(struct connection_row){.server = conn->server},
                                 a->err);
}

static bool begin_step(struct assembler *a, struct connection *conn)
{
    if (!conn->initialize || conn->began)
        return true;
    conn->began = true;
    struct step_row row = {
        .session = conn->session,
        .event = conn->initialize,
        .server = conn->server,
        .connection = conn->id,
        .kind = STEP_CONNECTION,
        .body = conn->initialize_at,
        .time_ns = conn->initialize_ns,
        .time_digits = conn->initialize_digits,
    };
    return assemble_step(a, &row);
}

/* Everything before a message that makes a step: the server has a name, the connection begun. */
bool connection_ready(struct assembler *a, struct connection *conn, struct making *m)
{
    if (!need_server(a, conn, SPAN_EMPTY) || !begin_step(a, conn))
        return false;
    m->server = conn->server;
    return true;
}

bool assemble_start(struct assembler *a, struct making *m)
{
    /* What is no message begins no connection: traffic of other hosts, a logger's own lines. */
    struct connection *conn = m->record->kind == RECORD_OTHER
                                  ? find_connection(a, m->record)
                                  : connection_of(a, m->record, m->session);
    if (!conn)
        return false;
    const char *kind = m->record->kind == RECORD_STDERR       ? "stderr"
                       : span_is(m->record->rpc_type, "http") ? "http"
                                                              : "other";
    if (m->record->kind == RECORD_START && !conn->fresh && !open_epoch(a, conn))
        return false;
    m->connection = conn->id;
    return assemble_event(a, m, kind, m->record->rpc_type, SPAN_EMPTY, 0);
}

bool assemble_wire_end(struct assembler *a)
{
    for (size_t i = 0; i < a->conn_count; i++) {
        struct connection *conn = &a->conns[i];
        if (!conn->initialize || conn->began)
            continue;
        conn->named_by_end = !conn->server;
        if (!need_server(a, conn, SPAN_EMPTY) || !begin_step(a, conn))
            return false;
    }
    return true;
}

static bool client_info(struct assembler *a, struct connection *conn, struct span params)
{
    struct span info = {0};
    jsonr_member(params, "clientInfo", &info);
    struct connection_row row = {
        .protocol_version = assemble_string(a, params, "protocolVersion"),
        .client_name = assemble_string(a, info, "name"),
        .client_version = assemble_string(a, info, "version"),
    };
    return store_connection_info(a->c, conn->id, &row, a->err);
}

/* 2026-07-28 has no initialize: each request says who asks. */
bool connection_asked(struct assembler *a, struct connection *conn, struct span params)
{
    struct span meta, info = {0};
    if (conn->initialize || !conn->fresh || !jsonr_member(params, "_meta", &meta))
        return true;
    struct span version = assemble_string(a, meta, "io.modelcontextprotocol/protocolVersion");
    if (!version.len)
        return true;
    jsonr_member(meta, "io.modelcontextprotocol/clientInfo", &info);
    struct connection_row row = {
        .protocol_version = version,
        .client_name = assemble_string(a, info, "name"),
        .client_version = assemble_string(a, info, "version"),
    };
    return store_connection_info(a->c, conn->id, &row, a->err);
}

bool connection_begin(struct assembler *a, struct connection *conn, struct making *m)
{
    const struct rpc *rpc = &m->record->rpc;
    if (!conn->fresh && !open_epoch(a, conn))
        return false;
    m->connection = conn->id;
    return client_info(a, conn, rpc->params);
}

void connection_initialize(struct assembler *a, struct connection *conn, const struct making *m)
{
    const struct rpc *rpc = &m->record->rpc;
    conn->initialize = m->event;
    conn->initialize_at = assemble_extent(a, m, rpc->params.at ? rpc->params : m->text);
    conn->initialize_at.recipe = arena_copy(&a->source_arena, conn->initialize_at.recipe);
    conn->initialize_ns = m->record->time_ns;
    conn->initialize_digits = m->record->time_digits;
}

/* The log had ended before the server could say its name, and went on. */
static bool name_again(struct assembler *a, struct connection *conn, struct span own_name)
{
    if (!conn->named_by_end || !own_name.len)
        return true;
    conn->named_by_end = false;
    conn->server = 0;
    return need_server(a, conn, own_name) &&
           store_steps_server(a->c, conn->id, conn->half_of ? conn->half_begin : a->first_step,
                              conn->server, a->err);
}

bool connection_welcomed(struct assembler *a, struct connection *conn, struct making *m,
                         struct span result)
{
    struct span info = {0}, meta, instructions;
    jsonr_member(result, "serverInfo", &info);
    if (!info.at && jsonr_member(result, "_meta", &meta))
        jsonr_member(meta, "io.modelcontextprotocol/serverInfo", &info);
    struct connection_row row = {
        .protocol_version = assemble_string(a, result, "protocolVersion"),
        .server_name = assemble_string(a, info, "name"),
        .server_version = assemble_string(a, info, "version"),
    };
    if (!name_again(a, conn, row.server_name) || !need_server(a, conn, row.server_name) ||
        !begin_step(a, conn) || !store_connection_info(a->c, conn->id, &row, a->err))
        return false;
    m->server = conn->server;
    if (!jsonr_member(result, "instructions", &instructions) || !jsonr_is_string(instructions))
        return true;
    struct span plain;
    struct extent body;
    if (jsonr_plain_string(instructions, &plain)) {
        body = assemble_extent(a, m, plain);
    } else {
        body = assemble_extent(a, m, instructions);
        body.recipe = span_of(arena_printf(&a->arena, "%.*ss;", SPAN_ARG(body.recipe)));
    }
    struct step_row step = assemble_step_row(m, STEP_INSTRUCTIONS);
    step.body = body;
    return assemble_step(a, &step);
}
