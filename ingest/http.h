/*
 * HTTP/1.1 (RFC 9112) as two streams of bytes: requests one way, responses the
 * other. The bodies are read for messages as those of HAR files and flows are;
 * events of a stream (Server-Sent Events) as soon as each is whole. Requests
 * are told with their answer, since only that may say which session it is.
 */
#ifndef STRANDLINE_INGEST_HTTP_H
#define STRANDLINE_INGEST_HTTP_H

#include "ingest/flows.h"

/* Bytes that all conversations together hold; their owner sees to it that they don't get too many.
 */
struct http_budget {
    size_t bytes;
};

/* For flows_create; its `arg` is a struct http_budget. */
extern const struct flow_user http_flow_user;

#endif
