#include "ingest/rpc.h"

#include <stddef.h>

#include "base/buf.h"

/* The members of a message (JSON-RPC 2.0 §4, §5) and where they go. */
static const struct rpc_member {
    const char *name;
    size_t at;
} rpc_members[] = {
    {"id", offsetof(struct rpc, id)},         {"method", offsetof(struct rpc, method)},
    {"params", offsetof(struct rpc, params)}, {"result", offsetof(struct rpc, result)},
    {"error", offsetof(struct rpc, error)},
};

static struct span *slot(struct rpc *rpc, struct span name, bool escaped)
{
    for (size_t i = 0; i < COUNT_OF(rpc_members); i++) {
        struct span word = span_of(rpc_members[i].name);
        if (escaped ? jsonr_name_is(name, word) : span_equal(name, word))
            return (struct span *)(void *)((char *)rpc + rpc_members[i].at);
    }
    return NULL;
}

static struct span rpc_decoded(struct span value, struct arena *arena)
{
    struct span text;
    if (jsonr_plain_string(value, &text))
        return text;
    struct buf buf = {0};
    jsonr_string(value, &buf, NULL);
    text = arena_copy(arena, buf_span(&buf));
    buf_finish(&buf);
    return text;
}

static bool take_members(struct jsonr *r, struct rpc *rpc)
{
    while (jsonr_next(r) == JSONR_NAME) {
        struct span name = r->value, value;
        bool escaped = r->escaped;
        if (!jsonr_skip(r, &value))
            return false;
        struct span *into = slot(rpc, name, escaped);
        if (into) {
            if (into->at)
                rpc->problem = "a member of the message is there twice";
            *into = value;
        } else if (!rpc->versioned && name.len == 7 && memcmp(name.at, "jsonrpc", 7) == 0) {
            rpc->versioned = jsonr_string_is(value, "2.0");
        }
    }
    return r->token == JSONR_OBJECT_END && jsonr_next(r) == JSONR_END;
}

static enum rpc_kind rpc_kind_of(struct rpc *rpc)
{
    bool has_id = rpc->id.at && !span_is(rpc->id, "null");
    if (rpc->method.at) {
        if (rpc->result.at || rpc->error.at)
            rpc->problem = "a message with a method and a result";
        else if (rpc->id.at && !has_id && !span_starts_with(rpc->method, SPAN("notifications/")))
            rpc->problem = "a request whose id is null: it can have no answer";
        return has_id ? RPC_REQUEST : RPC_NOTIFICATION;
    }
    if (rpc->error.at && rpc->result.at)
        rpc->problem = "a response with a result and an error";
    if (rpc->error.at)
        return RPC_ERROR;
    return rpc->result.at ? RPC_RESULT : RPC_NONE;
}

bool rpc_parse(struct span text, struct arena *arena, struct rpc *rpc)
{
    *rpc = (struct rpc){0};
    struct jsonr r;
    jsonr_init(&r, text);
    if (jsonr_next(&r) == JSONR_OBJECT && take_members(&r, rpc)) {
        if (rpc->method.at) {
            if (jsonr_is_string(rpc->method))
                rpc->method = rpc_decoded(rpc->method, arena);
            else
                rpc->method.at = NULL;
        }
        rpc->kind = rpc_kind_of(rpc);
    } else if (r.token == JSONR_ERROR) {
        rpc->fault = r.fault;
        rpc->fault_at = r.fault_at;
    }
    jsonr_finish(&r);
    return rpc->kind != RPC_NONE;
}
