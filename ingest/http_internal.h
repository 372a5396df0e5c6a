/* What the two files of ingest/http.h share: http.c takes the streams apart, http_tell.c says what
 * was in them. */
#ifndef STRANDLINE_INGEST_HTTP_INTERNAL_H
#define STRANDLINE_INGEST_HTTP_INTERNAL_H

#include "base/buf.h"
#include "ingest/http.h"
#include "ingest/outlet.h"

enum {
    HEAD_BYTES = 64 * 1024,        /* of a head, or a line of chunks */
    BODY_BYTES = 64 * 1024 * 1024, /* of a body */
    REQUESTS_MOST = 64,            /* that wait for their response */
    METHOD_MOST = 8,
    EVENT_IDS_MOST = 1 << 16,
};

/* A text and where its bytes stand; byte 0 of the buffer is byte `begin` of the stitch. */
struct stretch {
    struct buf bytes;
    struct stitch stitch;
};

struct http_message {
    struct stretch head, body;
    struct span url, host, session, coding; /* inside the head */
    bool stream;                            /* text/event-stream */
    bool damaged;                           /* bytes are missing, or it is larger than is read */
    bool told;                              /* a message of MCP was in it */
    int64_t time_ns;
    bool timed;
};

enum http_state {
    H_HEAD,
    H_LENGTH,
    H_CHUNK_SIZE,
    H_CHUNK,
    H_CHUNK_END,
    H_TRAILER,
    H_TO_END,
    H_LOST
};

struct http_side {
    struct stretch in; /* not yet taken apart */
    size_t at;         /* bytes of it that are */
    enum http_state state;
    uint64_t left;            /* of a body or a chunk */
    bool said;                /* that what is read now is damaged: once is enough */
    struct http_message *now; /* whose body is being read */
    size_t searched;          /* of its body: no event ends before */
    int64_t time_ns;
    bool timed;
};

enum talk_kind { TALK_UNKNOWN, TALK_HTTP, TALK_OTHER };

struct http_talk {
    struct http_shared *shared;
    enum talk_kind kind;
    const char *noise; /* TALK_OTHER: kind of noise that it is */
    int client;        /* side that asks; known with TALK_HTTP */
    char ends[2][ENDPOINT_TEXT];
    struct http_side sides[2];
    struct http_message *requests[REQUESTS_MOST];
    size_t first, count;
    struct http_message *asked; /* the request that the response being read answers */
    struct buf session;         /* that an event "endpoint" named */
};

/* Frees what it holds. */
void http_stretch_finish(struct stretch *s);
void http_message_free(struct http_talk *t, struct http_message *m); /* NULL is fine */

/* Bytes of a side that are not taken apart yet. */
struct span http_side_rest(const struct http_side *s);
/* Moves over bytes that are settled, or were added to a stretch. */
void http_side_skip(struct http_talk *t, struct http_side *s, size_t bytes);
/* The same, and settles them: as outlet_settle. */
void http_side_settle(struct http_talk *t, struct http_side *s, struct outlet *out, size_t bytes,
                      const char *noise, const char *what);
/* The same of what is unreadable, in how many packets it may come. */
void http_side_damaged(struct http_talk *t, struct http_side *s, struct outlet *out, size_t bytes,
                       const char *what);
/* Adds the next bytes of a side to a stretch, with their places. */
void http_stretch_take(struct http_side *s, struct stretch *to, size_t bytes);
/* Takes a line off the front, without the white space around it. */
struct span http_head_line(struct span *rest);

/* The whole events of the body that is being read; with `all`, also one that was not finished. */
void http_tell_events(struct http_talk *t, int side, bool all, struct outlet *out);
/* Once its response begins, or none will come; NULL is fine. */
void http_tell_request(struct http_talk *t, struct http_message *request, struct outlet *out);
/* The head is of no interest. */
void http_tell_head(struct http_message *m, struct outlet *out);
/* A gap in the middle of an event: the bytes of it that came are told as lost. */
void http_lose_events(struct http_message *m, struct outlet *out);
/* The oldest request without a response; NULL: none. The caller frees it. */
struct http_message *http_next_request(struct http_talk *t);
/* The message being read is whole, or will be no more. */
void http_message_done(struct http_talk *t, int side, struct outlet *out);

#endif
