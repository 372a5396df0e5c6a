/* The protocol: connections, requests and their answers, and what of them is a step. */
#include "ingest/assembler_internal.h"
#include "ingest/diagnose.h"
#include "ingest/pick.h"

enum { CLIENT = 'c', ASSEMBLE_RPC_SERVER = 's' };

enum method {
    M_OTHER,
    M_INITIALIZE,
    M_DISCOVER,
    M_TOOLS_LIST,
    M_TOOLS_CALL,
    M_TASK_RESULT,
    M_RESOURCES_READ,
    M_PROMPTS_GET,
    M_SAMPLING,
    M_ELICITATION,
    M_ROOTS,
};

/* Requests that make steps, or tell who sends them (MCP 2024-11-05 to 2026-07-28). */
static const struct {
    const char *name;
    enum method method;
    char sender;
} methods[] = {
    {"tools/call", M_TOOLS_CALL, CLIENT},
    {"tools/list", M_TOOLS_LIST, CLIENT},
    {"initialize", M_INITIALIZE, CLIENT},
    {"server/discover", M_DISCOVER, CLIENT},
    {"tasks/result", M_TASK_RESULT, CLIENT},
    {"resources/read", M_RESOURCES_READ, CLIENT},
    {"prompts/get", M_PROMPTS_GET, CLIENT},
    {"sampling/createMessage", M_SAMPLING, ASSEMBLE_RPC_SERVER},
    {"elicitation/create", M_ELICITATION, ASSEMBLE_RPC_SERVER},
    {"roots/list", M_ROOTS, ASSEMBLE_RPC_SERVER},
};

/* Notifications that are steps, and by whom they are sent. Progress and log messages bring nothing
 * into a context. */
static const struct {
    const char *name;
    char sender;
    bool step;
} notifications[] = {
    {"notifications/initialized", CLIENT, false},
    {"notifications/cancelled", CLIENT, true},
    {"notifications/roots/list_changed", CLIENT, true},
    {"notifications/progress", ASSEMBLE_RPC_SERVER, false},
    {"notifications/message", ASSEMBLE_RPC_SERVER, false},
    {"notifications/tools/list_changed", ASSEMBLE_RPC_SERVER, true},
    {"notifications/prompts/list_changed", ASSEMBLE_RPC_SERVER, true},
    {"notifications/resources/list_changed", ASSEMBLE_RPC_SERVER, true},
    {"notifications/resources/updated", ASSEMBLE_RPC_SERVER, true},
    {"notifications/elicitation/complete", ASSEMBLE_RPC_SERVER, true},
};

static enum method method_of(struct span name, char *sender)
{
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (span_is(name, methods[i].name)) {
            *sender = methods[i].sender;
            return methods[i].method;
        }
    *sender = CLIENT;
    return M_OTHER;
}

/* ---- steps of the protocol ---- */

static int64_t step_of(struct assembler *a, const struct making *m, enum step_kind kind,
                       struct span tool, struct span body, int64_t call)
{
    struct step_row row = assemble_step_row(m, kind);
    row.tool = tool;
    row.call = call;
    row.body = assemble_extent(a, m, body.at ? body : span_sub(m->text, 0, 0));
    return assemble_step(a, &row);
}

/* The step of a call: a new one, or the one that another source told of; then
 * its answer there is put into `waits`. */
static int64_t assemble_rpc_call_step(struct assembler *a, const struct making *m, struct span tool,
                                      struct span params, struct pending *waits)
{
    struct span arguments = {0};
    bool ok;
    jsonr_member(params, "arguments", &arguments);
    struct merge_call *same =
        assemble_twin(a, m, tool, arguments.at ? arguments : SPAN_EMPTY, arguments, &ok);
    if (!ok)
        return 0;
    if (same) {
        waits->twin = same->result;
        waits->twin_shown = same->shown;
        return assemble_recording(a, m, same->step, arguments) ? same->step : 0;
    }
    struct step_row row = assemble_step_row(m, STEP_TOOL_CALL);
    row.tool = tool;
    row.definition = *assemble_definition(a, m->server, tool);
    row.body = assemble_extent(a, m, arguments.at ? arguments : span_sub(m->text, 0, 0));
    int64_t step = assemble_step(a, &row);
    return step && assemble_request_claims(a, m, step, params) ? step : 0;
}

/* ---- operations over several requests ---- */

static uint64_t keys_of(struct span object)
{
    struct jsonr_items items;
    uint64_t sum = 1;
    if (!jsonr_is_object(object))
        return 0;
    for (jsonr_items_init(&items, object); jsonr_items_next(&items);)
        sum += assemble_hash(items.name);
    return sum;
}

/* The operation that a retry goes on with: by its state, else by method, name and answered keys. */
static struct operation *find_operation(struct connection *conn, enum method method,
                                        struct span name, struct span params, struct span answers)
{
    struct span state;
    bool has_state = jsonr_member(params, "requestState", &state);
    uint64_t state_hash = has_state ? assemble_hash(state) : 0;
    for (size_t i = 0; i < OPERATIONS; i++) {
        struct operation *op = &conn->operations[i];
        if (!op->step || op->method != (int)method)
            continue;
        if (has_state && op->state
                ? op->state == state_hash
                : op->name == assemble_hash(name) && op->keys == keys_of(answers))
            return op;
    }
    return NULL;
}

static bool input_required(struct assembler *a, struct connection *conn, const struct making *m,
                           const struct pending *request, struct span result)
{
    struct span inputs = {0}, state = {0};
    jsonr_member(result, "inputRequests", &inputs);
    bool has_state = jsonr_member(result, "requestState", &state);
    if (request->step)
        conn->operations[conn->next_operation++ % OPERATIONS] = (struct operation){
            .step = request->step,
            .method = request->method,
            .state = has_state ? assemble_hash(state) : 0,
            .name = assemble_hash(pending_name(request)),
            .keys = keys_of(inputs),
        };
    struct jsonr_items items;
    if (!jsonr_is_object(inputs))
        return true;
    for (jsonr_items_init(&items, inputs); jsonr_items_next(&items);) {
        char sender;
        struct span name = assemble_string(a, items.value, "method");
        enum method method = method_of(name, &sender);
        enum step_kind kind = method == M_SAMPLING ? STEP_SAMPLING : STEP_ELICITATION;
        if ((method == M_SAMPLING || method == M_ELICITATION) &&
            !step_of(a, m, kind, name, items.value, request->step))
            return false;
    }
    return true;
}

/* ---- requests ---- */

static struct span assemble_rpc_name_of(struct assembler *a, enum method method, struct span params)
{
    switch (method) {
    case M_TOOLS_CALL:
    case M_PROMPTS_GET:
        return assemble_string(a, params, "name");
    case M_RESOURCES_READ:
        return assemble_string(a, params, "uri");
    case M_TASK_RESULT:
        return assemble_string(a, params, "taskId");
    default:
        return SPAN_EMPTY;
    }
}

/* The step that a request makes, into `waits`; 0 where it makes none. False on an error. */
static bool request_step(struct assembler *a, struct connection *conn, struct making *m,
                         enum method method, struct span name, struct pending *waits)
{
    const struct rpc *rpc = &m->record->rpc;
    struct span answers;
    if (method == M_TOOLS_CALL || method == M_SAMPLING || method == M_ELICITATION)
        if (!connection_ready(a, conn, m))
            return false;
    if (jsonr_member(rpc->params, "inputResponses", &answers)) {
        struct operation *op = find_operation(conn, method, name, rpc->params, answers);
        if (op) {
            waits->step = op->step;
            op->step = 0;
            return step_of(a, m, STEP_ELICITATION, SPAN("inputResponses"), answers, waits->step);
        }
    }
    if (method == M_TOOLS_CALL)
        waits->step = assemble_rpc_call_step(a, m, name, rpc->params, waits);
    else if (method == M_SAMPLING || method == M_ELICITATION)
        waits->step = step_of(a, m, method == M_SAMPLING ? STEP_SAMPLING : STEP_ELICITATION,
                              rpc->method, rpc->params, 0);
    else
        return true;
    return waits->step;
}

static bool remember_task(struct connection *conn, struct span id, int64_t *step, struct span *tool)
{
    struct pending *task = conn->tasks ? pendings_find(conn->tasks, CLIENT, id) : NULL;
    if (!task)
        return false;
    *step = task->step;
    *tool = pending_name(task);
    return true;
}

struct span assemble_id_key(struct assembler *a, struct span id)
{
    if (!jsonr_is_string(id) || !memchr(id.at, '\\', id.len))
        return id;
    struct span text = pick_string(id, &a->arena);
    return span_of(arena_printf(&a->arena, "\"%.*s\"", SPAN_ARG(text)));
}

static bool take_request(struct assembler *a, struct connection *conn, struct making *m)
{
    const struct rpc *rpc = &m->record->rpc;
    char usual;
    enum method method = method_of(rpc->method, &usual);
    enum direction direction = m->record->direction;
    char sender =
        direction ? (direction == CLIENT_TO_SERVER ? CLIENT : ASSEMBLE_RPC_SERVER) : usual;
    if (method == M_INITIALIZE && !connection_begin(a, conn, m))
        return false;
    conn->asked = conn->asked || sender == CLIENT;
    if (sender == CLIENT && !connection_asked(a, conn, rpc->params))
        return false;
    conn->fresh = false;
    m->event = assemble_event(a, m, "request", rpc->method, rpc->id, 0);
    if (!m->event)
        return false;
    if (method == M_INITIALIZE)
        connection_initialize(a, conn, m);
    struct span name = assemble_rpc_name_of(a, method, rpc->params);
    struct pending waits = {.event = m->event, .method = (int)method};
    if (!request_step(a, conn, m, method, name, &waits))
        return false;
    if (method == M_TASK_RESULT)
        remember_task(conn, name, &waits.step, &name);
    bool displaced;
    struct pending *one =
        pendings_add(conn->requests, sender, assemble_id_key(a, rpc->id), &displaced);
    one->event = waits.event;
    one->step = waits.step;
    one->twin = waits.twin;
    one->twin_shown = waits.twin_shown;
    one->method = waits.method;
    pending_set_name(one, method == M_OTHER ? rpc->method : name);
    return !displaced ||
           assemble_note(a, m, PR_DUPLICATE_ID, "the id was used again before it was answered");
}

/* ---- responses ---- */

/* What a result looks like, for those whose request is not in the log. */
static enum method method_by_shape(struct span result)
{
    static const struct {
        const char *member;
        enum method method;
    } shapes[] = {
        {"serverInfo", M_INITIALIZE},
        {"tools", M_TOOLS_LIST},
        {"contents", M_RESOURCES_READ},
        {"structuredContent", M_TOOLS_CALL},
        {"model", M_SAMPLING},
        {"action", M_ELICITATION},
        {"roots", M_ROOTS},
        {"messages", M_PROMPTS_GET},
    };
    struct span value;
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        if (jsonr_member(result, shapes[i].member, &value))
            return shapes[i].method;
    return jsonr_member(result, "content", &value) && jsonr_is_array(value) ? M_TOOLS_CALL
                                                                            : M_OTHER;
}

static struct pending *waiting(struct connection *conn, char sender, struct span id,
                               struct pendings **of)
{
    struct pendings *both[] = {conn->requests, conn->before};
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        struct pending *one = both[i] ? pendings_find(both[i], sender, id) : NULL;
        if (one) {
            *of = both[i];
            return one;
        }
    }
    return NULL;
}

/* The request that "notifications/cancelled" names, while it waits; NULL: none does. Each side
 * takes back its own requests. */
static struct pending *cancelled(struct assembler *a, struct connection *conn,
                                 const struct record *record)
{
    struct span id;
    struct pendings *of;
    if (!span_is(record->rpc.method, "notifications/cancelled") ||
        !jsonr_member(record->rpc.params, "requestId", &id))
        return NULL;
    id = assemble_id_key(a, id);
    struct pending *one = NULL;
    if (record->direction != SERVER_TO_CLIENT)
        one = waiting(conn, CLIENT, id, &of);
    if (!one && record->direction != CLIENT_TO_SERVER)
        one = waiting(conn, ASSEMBLE_RPC_SERVER, id, &of);
    return one;
}

static bool take_notification(struct assembler *a, struct connection *conn, struct making *m)
{
    const struct rpc *rpc = &m->record->rpc;
    const struct pending *request = cancelled(a, conn, m->record);
    m->event =
        assemble_event(a, m, "notification", rpc->method, SPAN_EMPTY, request ? request->event : 0);
    conn->fresh = false;
    for (size_t i = 0; m->event && i < COUNT_OF(notifications); i++)
        if (notifications[i].step && span_is(rpc->method, notifications[i].name))
            return connection_ready(a, conn, m) &&
                   step_of(a, m, STEP_NOTIFICATION, rpc->method, rpc->params,
                           request ? request->step : 0);
    return m->event;
}

/* What only a client answers: roots, what was sampled, what the person filled in. */
static bool is_of_client(struct span result)
{
    struct span value;
    enum method method = method_by_shape(result);
    bool content = jsonr_member(result, "content", &value) && jsonr_is_array(value);
    return method == M_ROOTS || (method == M_ELICITATION && !content) ||
           (method == M_SAMPLING && jsonr_member(result, "role", &value));
}

/* Both sides count their ids from 0: without a mark, the shape tells whose request it answers. */
static struct pending *answered(struct assembler *a, struct connection *conn,
                                const struct record *record, struct pendings **of)
{
    const struct rpc *rpc = &record->rpc;
    struct span id = assemble_id_key(a, rpc->id);
    if (record->direction)
        return waiting(conn, record->direction == SERVER_TO_CLIENT ? CLIENT : ASSEMBLE_RPC_SERVER,
                       id, of);
    struct pendings *of_client = NULL, *of_server = NULL;
    struct pending *client = waiting(conn, CLIENT, id, &of_client);
    struct pending *server = waiting(conn, ASSEMBLE_RPC_SERVER, id, &of_server);
    if (client && !server && rpc->kind == RPC_RESULT && is_of_client(rpc->result))
        client = NULL; /* the log is what the client sent, and nothing of what it was sent */
    bool to_server = server && (!client || (rpc->kind == RPC_RESULT &&
                                            (int)method_by_shape(rpc->result) == server->method));
    *of = to_server ? of_server : of_client;
    return to_server ? server : client;
}

static bool content_step(struct assembler *a, struct connection *conn, struct making *m,
                         enum step_kind kind, struct span tool, int64_t call, struct span body,
                         bool is_error)
{
    if (!connection_ready(a, conn, m))
        return false;
    struct step_row row = assemble_step_row(m, kind);
    row.tool = tool;
    row.call = call;
    row.is_error = is_error;
    row.body = assemble_extent(a, m, body);
    int64_t step = assemble_step(a, &row);
    if (!step || !assemble_claims(a, m, step, body))
        return false;
    if (kind == STEP_RESOURCE)
        return assemble_records(a, m, body);
    if (kind == STEP_TOOL_RESULT && call)
        return store_outcome(a->c, call, is_error ? OUTCOME_FAILED : OUTCOME_COMPLETED, a->err);
    return true;
}

static bool list_step(struct assembler *a, struct connection *conn, struct making *m,
                      struct span result)
{
    struct span tools = {0};
    if (!jsonr_member(result, "tools", &tools))
        return true;
    if (!connection_ready(a, conn, m))
        return false;
    int64_t step = step_of(a, m, STEP_DEFINITIONS, SPAN_EMPTY, result, 0);
    return step && assemble_definitions(a, m, step, tools) && assemble_claims(a, m, step, result);
}

/* A call that runs on as a task: its result comes with tasks/result. */
static bool begins_task(struct assembler *a, struct connection *conn, const struct pending *request,
                        struct span result)
{
    struct span task, content;
    if (!jsonr_member(result, "task", &task) || jsonr_member(result, "content", &content))
        return false;
    struct span id = assemble_string(a, task, "taskId");
    if (!id.len)
        return false;
    bool displaced;
    if (!conn->tasks)
        conn->tasks = pendings_create(PENDING_MAX);
    struct pending *one = pendings_add(conn->tasks, CLIENT, id, &displaced);
    one->step = request->step;
    pending_set_name(one, pending_name(request));
    return true;
}

/* What of a response is a step. The request is a copy, or zeroed where there is none. */
static bool response_step(struct assembler *a, struct connection *conn, struct making *m,
                          const struct pending *request)
{
    const struct rpc *rpc = &m->record->rpc;
    bool failed = rpc->kind == RPC_ERROR;
    struct span body = failed ? rpc->error : rpc->result, tool = pending_name(request);
    enum method method = (enum method)request->method;
    if (!request->event)
        method = failed ? M_OTHER : method_by_shape(body);
    if (!failed && span_is(assemble_string(a, body, "resultType"), "input_required"))
        return connection_ready(a, conn, m) && input_required(a, conn, m, request, body);
    switch (method) {
    case M_INITIALIZE:
    case M_DISCOVER:
        return failed || connection_welcomed(a, conn, m, body);
    case M_TOOLS_LIST:
        return failed || list_step(a, conn, m, body);
    case M_TOOLS_CALL:
        if (!failed && begins_task(a, conn, request, body))
            return true;
        /* fall through */
    case M_TASK_RESULT: {
        struct span is_error;
        bool says_error = jsonr_member(body, "isError", &is_error) && pick_true(is_error);
        if (request->twin) /* the answer is a step already; what a transcript left out of it is
                              added */
            return assemble_recording(a, m, request->twin, body) &&
                   (!request->twin_shown || assemble_claims(a, m, request->twin, body));
        return content_step(a, conn, m, STEP_TOOL_RESULT, tool, request->step, body,
                            failed || says_error);
    }
    case M_RESOURCES_READ:
        return content_step(a, conn, m, STEP_RESOURCE, tool, 0, body, failed);
    case M_PROMPTS_GET:
        return content_step(a, conn, m, STEP_PROMPT_GET, tool, 0, body, failed);
    case M_SAMPLING:
        return content_step(a, conn, m, STEP_SAMPLING, SPAN("sampling/createMessage"),
                            request->step, body, failed);
    case M_ELICITATION:
        return content_step(a, conn, m, STEP_ELICITATION, SPAN("elicitation/create"), request->step,
                            body, failed);
    case M_ROOTS:
    case M_OTHER:
        break;
    }
    return true;
}

static bool take_response(struct assembler *a, struct connection *conn, struct making *m)
{
    const struct rpc *rpc = &m->record->rpc;
    struct pendings *of = NULL;
    struct pending none = {0}, *found = answered(a, conn, m->record, &of);
    struct pending request = found ? *found : none;
    if (found) {
        conn->answered = true;
        found->long_name = NULL; /* now the copy's */
        pendings_remove(of, found);
    }
    conn->fresh = false;
    m->event = assemble_event(a, m, rpc->kind == RPC_ERROR ? "error" : "response", SPAN_EMPTY,
                              rpc->id.at ? rpc->id : SPAN_EMPTY, request.event);
    bool ok = m->event && response_step(a, conn, m, &request);
    if (ok && !found)
        ok = assemble_note(a, m, PR_NO_REQUEST, "a response, and no request of that id before it");
    mem_free(request.long_name);
    return ok;
}

bool assemble_message(struct assembler *a, struct making *m)
{
    struct connection *conn = connection_of(a, m->record, m->session);
    if (!conn)
        return false;
    m->connection = conn->id;
    m->server = conn->server;
    const struct rpc *rpc = &m->record->rpc;
    if (rpc->problem && !m->record->truncated && !assemble_note(a, m, PR_MALFORMED, rpc->problem))
        return false;
    switch (rpc->kind) {
    case RPC_REQUEST:
        return take_request(a, conn, m);
    case RPC_NOTIFICATION:
        return take_notification(a, conn, m);
    case RPC_RESULT:
    case RPC_ERROR:
        return take_response(a, conn, m);
    case RPC_NONE:
        break;
    }
    return true;
}
