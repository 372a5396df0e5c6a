/*
 * One JSON-RPC message taken apart in one pass: which kind it is, and where its
 * members stand. Nothing is decoded but the method. MCP's envelopes that carry
 * the members themselves (mcptap) are taken apart by the same function.
 */
#ifndef STRANDLINE_INGEST_RPC_H
#define STRANDLINE_INGEST_RPC_H

#include <stdbool.h>

#include "base/jsonr.h"
#include "base/mem.h"
#include "base/span.h"

enum rpc_kind { RPC_NONE, RPC_REQUEST, RPC_NOTIFICATION, RPC_RESULT, RPC_ERROR };

/* Member values are raw JSON; at == NULL where a member is absent. */
struct rpc {
    enum rpc_kind kind;
    bool versioned; /* "jsonrpc":"2.0" is there */
    struct span id;
    struct span method; /* decoded, without quotes */
    struct span params, result, error;
    const char *problem;    /* what is wrong with a message that can still be read; NULL */
    enum jsonr_fault fault; /* RPC_NONE: why it can't be read; JSONR_OK: valid, but no message */
    size_t fault_at;
};

/* Takes `text` apart. False, and kind RPC_NONE, where it is not one JSON object that is a message.
 * The arena is used for methods written with escapes only. */
bool rpc_parse(struct span text, struct arena *arena, struct rpc *rpc) ATTR_MUST_USE;

#endif
