/* What HTTP says of an exchange beside its bodies: which connection of MCP it belongs to. */
#ifndef STRANDLINE_INGEST_EXCHANGE_H
#define STRANDLINE_INGEST_EXCHANGE_H

#include "base/mem.h"
#include "base/span.h"

struct exchange {
    struct span url;             /* or its path */
    struct span host;            /* "host:port"; empty: as in the url */
    struct span client;          /* who asked; empty: not known */
    struct span request_session; /* Mcp-Session-Id */
    struct span response_session;
};

/*
 * A key for the connection: Streamable HTTP's Mcp-Session-Id, else the sessionId in
 * the url that the older HTTP+SSE posts to, else the two ends. Lives in the arena, or
 * in the exchange.
 */
struct span exchange_connection(const struct exchange *x, struct arena *arena);
/* HTTP+SSE: the sessionId in the event "endpoint" that such a stream begins with; empty: none. */
struct span exchange_endpoint_session(struct span events);

#endif
