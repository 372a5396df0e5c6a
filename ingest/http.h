/*
 * HTTP/1.1 (RFC 9112) as two streams of bytes: requests one way, responses the
 * other. The bodies are read for messages as those of HAR files and flows are;
 * events of a stream (Server-Sent Events) as soon as each is whole. Requests
 * are told with their answer, since only that may say which session it is.
 */
#ifndef STRANDLINE_INGEST_HTTP_H
#define STRANDLINE_INGEST_HTTP_H

#include "ingest/flows.h"
#include "ingest/names.h"

/* What all conversations share. Zeroed it is empty. */
struct http_shared {
    size_t bytes; /* that they hold; their owner sees to it that they don't get too many */
    struct names
        events; /* ids of the events that were seen: a stream that is resumed repeats some */
};

/* Frees it and leaves it empty. */
void http_shared_finish(struct http_shared *shared);

/* For flows_create; its `arg` is a struct http_shared. */
extern const struct flow_user http_flow_user;

#endif
