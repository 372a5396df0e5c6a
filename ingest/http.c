#include "ingest/http.h"

#include "base/buf.h"
#include "ingest/exchange.h"
#include "ingest/talk.h"
#include "ingest/wire.h"

enum {
    HEAD_BYTES = 64 * 1024,        /* of a head, or a line of chunks */
    BODY_BYTES = 64 * 1024 * 1024, /* of a body */
    REQUESTS_MOST = 64,            /* that wait for their response */
    METHOD_MOST = 8,
    EVENT_IDS_MOST = 1 << 16,
};

static const char noise_heads[] = "HTTP heads";
static const char noise_framing[] = "HTTP framing";
static const char noise_events[] = "SSE without messages";
static const char noise_other[] = "TCP other than HTTP";
static const char noise_again[] = "SSE sent again";

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

/* ---- memory ---- */

static void stretch_finish(struct stretch *s)
{
    buf_finish(&s->bytes);
    stitch_finish(&s->stitch);
}

static void message_free(struct http_talk *t, struct http_message *m)
{
    if (!m)
        return;
    t->shared->bytes -= m->body.bytes.len;
    stretch_finish(&m->head);
    stretch_finish(&m->body);
    mem_free(m);
}

static void *http_begin(void *arg, const struct endpoint ends[2])
{
    struct http_talk *t = NEW(struct http_talk);
    t->shared = arg;
    endpoint_text(&ends[0], t->ends[0]);
    endpoint_text(&ends[1], t->ends[1]);
    return t;
}

/* ---- what of the bytes became what ---- */

static uint64_t side_begin(const struct http_side *s)
{
    return s->in.stitch.begin + s->at;
}

static struct span side_rest(const struct http_side *s)
{
    return span_sub(buf_span(&s->in.bytes), s->at, s->in.bytes.len);
}

/* Moves over bytes that are settled, or were added to a stretch. */
static void side_skip(struct http_talk *t, struct http_side *s, size_t bytes)
{
    s->at += bytes;
    t->shared->bytes -= bytes;
    if (s->at < s->in.bytes.len && s->at < HEAD_BYTES)
        return;
    size_t left = s->in.bytes.len - s->at;
    if (left)
        memmove(s->in.bytes.at, s->in.bytes.at + s->at, left);
    s->in.bytes.len = left;
    stitch_drop(&s->in.stitch, s->in.stitch.begin + s->at);
    s->at = 0;
}

static void side_settle(struct http_talk *t, struct http_side *s, struct outlet *out, size_t bytes,
                        const char *noise, const char *what)
{
    outlet_settle(out, noise, what, stitch_offset(&s->in.stitch, side_begin(s)), bytes);
    side_skip(t, s, bytes);
}

/* The same of what is unreadable, in how many packets it may come. */
static void side_damaged(struct http_talk *t, struct http_side *s, struct outlet *out, size_t bytes,
                         const char *what)
{
    side_settle(t, s, out, bytes, NULL, s->said ? "" : what);
    s->said = s->said || bytes;
}

static void stretch_take(struct http_side *s, struct stretch *to, size_t bytes)
{
    buf_add(&to->bytes, span_sub(side_rest(s), 0, bytes));
    stitch_add_part(&to->stitch, &s->in.stitch, side_begin(s), bytes);
}

static void settle_stretch(struct stretch *s, struct outlet *out, const char *noise,
                           const char *what)
{
    if (s->bytes.len)
        outlet_settle(out, noise, what, stitch_offset(&s->stitch, s->stitch.begin), s->bytes.len);
}

/* ---- records ---- */

static struct record base_of(const struct http_talk *t, const struct http_message *m,
                             enum direction direction, struct outlet *out)
{
    struct record base = {.direction = direction, .time_ns = m->time_ns};
    base.time_digits = m->timed ? 9 : -1;
    const struct http_message *asked = direction == CLIENT_TO_SERVER ? m : t->asked;
    const struct http_message *answer = t->sides[!t->client].now;
    struct exchange x = {.url = SPAN_EMPTY, .host = span_of(t->ends[!t->client])};
    struct span client = span_of(t->ends[t->client]);
    size_t port = client.len;
    while (port && client.at[port - 1] != ':')
        port--;
    x.client = span_sub(client, 0, port ? port - 1 : 0);
    if (asked) {
        x.url = asked->url;
        x.request_session = asked->session;
        x.host = asked->host.len ? asked->host : x.host;
    }
    if (answer)
        x.response_session = answer->session;
    struct span key = exchange_connection(&x, outlet_arena(out));
    bool named = x.response_session.len || x.request_session.len;
    if (!named && t->session.len && direction == SERVER_TO_CLIENT)
        key = buf_span(&t->session);
    base.connection = arena_copy(outlet_arena(out), key);
    return base;
}

/* Records whose payload lies in `text`, a copy of bytes [from, …) of the stretch. */
static void place_records(struct outlet *out, size_t first, const struct stretch *s, size_t from,
                          struct span text)
{
    if (first == out->count)
        return;
    const struct stitch *where =
        stitch_copy(&s->stitch, s->stitch.begin + from, text.len, outlet_arena(out));
    for (size_t i = first; i < out->count; i++) {
        struct record *record = &out->records[i];
        record->stitch = where;
        record->stitch_at = (uint64_t)(record->payload.at - text.at);
    }
}

/* Bytes of a body, read for messages. They are settled here. */
static void tell_body(struct http_message *m, size_t from, size_t bytes, enum packing packing,
                      const struct record *base, const char *noise, struct outlet *out)
{
    struct span part = span_sub(buf_span(&m->body.bytes), from, bytes);
    size_t first = out->count;
    if (!bytes)
        return;
    struct span text = arena_copy(outlet_arena(out), part);
    bool any = wire_raw_body(out, text, packing, base) != 0;
    place_records(out, first, &m->body, from, text);
    m->told = m->told || any;
    uint64_t offset = stitch_offset(&m->body.stitch, m->body.stitch.begin + from);
    if (any || noise)
        outlet_settle(out, any ? NULL : noise, NULL, offset, bytes);
}

/* A message of HTTP that holds none of MCP: authorization, discovery, errors. Its head tells. */
static void tell_other(struct http_talk *t, struct http_message *m, enum direction direction,
                       struct outlet *out)
{
    struct span head = arena_copy(outlet_arena(out), buf_span(&m->head.bytes));
    struct record base = base_of(t, m, direction, out);
    size_t first = out->count;
    talk_other(out, head, SPAN("http"), &base);
    place_records(out, first, &m->head, 0, head);
    settle_stretch(&m->head, out, NULL, NULL);
    settle_stretch(&m->body, out, NULL, NULL);
}

/* ---- the events of a stream ---- */

static struct span head_line(struct span *rest)
{
    struct span line = span_sub(*rest, 0, span_find_byte(*rest, '\n'));
    *rest = span_sub(*rest, line.len + 1, rest->len);
    return span_trim(line);
}

/* End of the first event in the body: behind its empty line. 0: it is not whole. */
static size_t event_end(struct span body, size_t from)
{
    for (size_t i = from > 3 ? from - 3 : 0; i < body.len; i++) {
        if (body.at[i] != '\n' || !i)
            continue;
        if (body.at[i - 1] == '\n' || (body.at[i - 1] == '\r' && i > 1 && body.at[i - 2] == '\n'))
            return i + 1;
    }
    return 0;
}

/* Was an event of this connection with its id seen before? A client that lost a stream asks for
 * what came after the last id that it got (Last-Event-ID); the capture has it twice. */
static bool is_again(struct http_talk *t, struct span connection, struct span event)
{
    struct span rest = event, id = SPAN_EMPTY;
    while (rest.len) {
        struct span line = head_line(&rest);
        if (span_starts_with(line, SPAN("id:")))
            id = span_trim(span_sub(line, 3, line.len));
    }
    if (!id.len || t->shared->events.count > EVENT_IDS_MOST)
        return false;
    struct buf key = {0};
    buf_add(&key, connection);
    buf_byte(&key, 0);
    buf_add(&key, id);
    int64_t *seen = names_at(&t->shared->events, buf_span(&key));
    buf_finish(&key);
    return (*seen)++ != 0;
}

static void learn_endpoint(struct http_talk *t, struct span events)
{
    struct span session = exchange_endpoint_session(events);
    if (!session.len)
        return;
    buf_clear(&t->session);
    buf_add(&t->session, session);
}

/* An event, or what there is of it; `end` is where it ends in the body. */
static void tell_event(struct http_talk *t, int side, size_t end, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct http_message *m = s->now;
    struct span body = buf_span(&m->body.bytes), event = span_sub(body, 0, end);
    learn_endpoint(t, event);
    m->time_ns = s->time_ns; /* each has a time of its own */
    m->timed = s->timed;
    struct record base = base_of(t, m, SERVER_TO_CLIENT, out);
    if (is_again(t, base.connection, event))
        outlet_settle(out, noise_again, NULL, stitch_offset(&m->body.stitch, m->body.stitch.begin),
                      end);
    else
        tell_body(m, 0, end, PACKED_NOT, &base, noise_events, out);
    t->shared->bytes -= end;
    memmove(m->body.bytes.at, m->body.bytes.at + end, body.len - end);
    m->body.bytes.len -= end;
    stitch_drop(&m->body.stitch, m->body.stitch.begin + end);
    s->searched = 0;
}

/* The whole events of the body; with `all`, also one that was not finished. */
static void tell_events(struct http_talk *t, int side, bool all, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct buf *body = &s->now->body.bytes;
    size_t end;
    while ((end = event_end(buf_span(body), s->searched)))
        tell_event(t, side, end, out);
    s->searched = body->len;
    if (all && body->len)
        tell_event(t, side, body->len, out);
}

/* ---- whole messages ---- */

static void tell_message(struct http_talk *t, struct http_message *m, enum direction direction,
                         struct outlet *out)
{
    if (m->damaged) {
        settle_stretch(&m->head, out, noise_heads, NULL);
        settle_stretch(&m->body, out, NULL, "bytes of this HTTP message are not in the capture");
        return;
    }
    enum packing packing = wire_packing(m->coding, buf_span(&m->body.bytes));
    struct record base = base_of(t, m, direction, out);
    tell_body(m, 0, m->body.bytes.len, packing, &base, NULL, out);
    if (m->told)
        settle_stretch(&m->head, out, noise_heads, NULL);
}

/* The oldest request without a response; NULL: none. */
static struct http_message *next_request(struct http_talk *t)
{
    if (!t->count)
        return NULL;
    struct http_message *m = t->requests[t->first];
    t->first = (t->first + 1) % REQUESTS_MOST;
    t->count--;
    return m;
}

/* Once its response begins, or none will come. */
static void tell_request(struct http_talk *t, struct http_message *request, struct outlet *out)
{
    if (!request)
        return;
    tell_message(t, request, CLIENT_TO_SERVER, out);
    if (!request->told && !request->damaged)
        tell_other(t, request, CLIENT_TO_SERVER, out);
}

static void request_done(struct http_talk *t, struct outlet *out)
{
    struct http_side *s = &t->sides[t->client];
    if (t->count == REQUESTS_MOST) { /* nobody answers */
        struct http_message *oldest = next_request(t);
        tell_request(t, oldest, out);
        message_free(t, oldest);
    }
    t->requests[(t->first + t->count++) % REQUESTS_MOST] = s->now;
    s->now = NULL;
}

static void response_done(struct http_talk *t, struct outlet *out)
{
    struct http_side *s = &t->sides[!t->client];
    struct http_message *m = s->now;
    if (m->stream && !m->damaged && !m->coding.len) {
        tell_events(t, !t->client, true, out);
        settle_stretch(&m->head, out, noise_heads, NULL);
    } else {
        tell_message(t, m, SERVER_TO_CLIENT, out);
        bool empty = !m->body.bytes.len && t->asked && t->asked->told; /* 202 Accepted */
        if (!m->told && !m->damaged && empty)
            settle_stretch(&m->head, out, noise_heads, NULL);
        else if (!m->told && !m->damaged)
            tell_other(t, m, SERVER_TO_CLIENT, out);
    }
    message_free(t, m);
    message_free(t, t->asked);
    s->now = t->asked = NULL;
}

static void message_done(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    s->state = H_HEAD;
    s->searched = 0;
    s->said = false;
    if (side == t->client)
        request_done(t, out);
    else
        response_done(t, out);
}

/* ---- heads ---- */

/* Behind the empty line that ends a head; 0: it is not whole. */
static size_t head_size(struct span s)
{
    size_t at = span_find(s, SPAN("\r\n\r\n")), bare = span_find(s, SPAN("\n\n"));
    if (at == s.len && bare == s.len)
        return 0;
    return at < bare ? at + 4 : bare + 2;
}

static struct span field(struct span head, const char *name)
{
    struct span rest = head;
    head_line(&rest);
    while (rest.len) {
        struct span line = head_line(&rest);
        size_t colon = span_find_byte(line, ':');
        if (span_equal_nocase(span_sub(line, 0, colon), span_of(name)))
            return span_trim(span_sub(line, colon + 1, line.len));
    }
    return SPAN_EMPTY;
}

static struct span word_at(struct span line, int number)
{
    for (; number > 0; number--)
        line = span_trim(span_sub(line, span_find_byte(line, ' '), line.len));
    return span_sub(line, 0, span_find_byte(line, ' '));
}

static bool ends_chunked(struct span coding)
{
    enum { WORD = 7 };
    return coding.len >= WORD &&
           span_equal_nocase(span_sub(coding, coding.len - WORD, WORD), SPAN("chunked"));
}

/* RFC 9112 §6.3: how the body's end is found. */
static enum http_state body_state(const struct http_talk *t, int side, struct span head,
                                  struct span status, uint64_t *left)
{
    unsigned long long length;
    *left = 0;
    if (side != t->client) {
        struct span first = t->asked ? buf_span(&t->asked->head.bytes) : SPAN_EMPTY;
        if (span_is(status, "204") || span_is(status, "304") ||
            span_starts_with(first, SPAN("HEAD ")))
            return H_LENGTH;
    }
    if (ends_chunked(field(head, "transfer-encoding")))
        return H_CHUNK_SIZE;
    if (span_to_u64(field(head, "content-length"), &length)) {
        *left = length;
        return H_LENGTH;
    }
    return side == t->client ? H_LENGTH : H_TO_END;
}

static void begin_message(struct http_talk *t, int side, size_t size, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct http_message *m = NEW(struct http_message);
    stretch_take(s, &m->head, size);
    side_skip(t, s, size);
    struct span head = buf_span(&m->head.bytes), rest = head, line = head_line(&rest);
    m->session = field(head, "mcp-session-id");
    m->host = field(head, "host");
    m->coding = field(head, "content-encoding");
    if (span_equal_nocase(m->coding, SPAN("identity")))
        m->coding = SPAN_EMPTY;
    m->stream = span_find(field(head, "content-type"), SPAN("event-stream")) <
                field(head, "content-type").len;
    m->url = side == t->client ? word_at(line, 1) : SPAN_EMPTY;
    m->time_ns = s->time_ns;
    m->timed = s->timed;
    s->now = m;
    struct span status = word_at(line, 1);
    if (side == t->client) {
        s->state = body_state(t, side, head, SPAN_EMPTY, &s->left);
        return;
    }
    if (status.len == 3 && status.at[0] == '1') { /* "100 Continue": the real one comes later */
        settle_stretch(&m->head, out, noise_heads, NULL);
        message_free(t, m);
        s->now = NULL;
        if (span_is(status, "101")) {
            t->kind = TALK_OTHER;
            t->noise = "connections that left HTTP";
        }
        return;
    }
    t->asked = next_request(t);
    tell_request(t, t->asked, out);
    s->state = body_state(t, side, head, status, &s->left);
}

static bool starts_message(const struct http_talk *t, int side, struct span s)
{
    static const char *const methods[] = {"GET ",     "POST ",  "PUT ",     "HEAD ", "DELETE ",
                                          "OPTIONS ", "PATCH ", "CONNECT ", "TRACE "};
    if (side != t->client)
        return span_starts_with(s, SPAN("HTTP/1."));
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (span_starts_with(s, span_of(methods[i])))
            return true;
    return false;
}

/* ---- bodies ---- */

static bool take_head(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct span rest = side_rest(s);
    size_t blank = 0;
    while (blank < rest.len && (rest.at[blank] == '\r' || rest.at[blank] == '\n'))
        blank++;
    if (blank) {
        side_settle(t, s, out, blank, noise_framing, NULL);
        return true;
    }
    if (rest.len < METHOD_MOST)
        return false;
    size_t size = starts_message(t, side, rest) ? head_size(rest) : 0;
    if (size) {
        begin_message(t, side, size, out);
        return true;
    }
    if (starts_message(t, side, rest) && rest.len < HEAD_BYTES)
        return false;
    s->state = H_LOST;
    return true;
}

static bool take_body(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct http_message *m = s->now;
    struct span rest = side_rest(s);
    size_t bytes = s->state == H_TO_END || rest.len < s->left ? rest.len : (size_t)s->left;
    if (m->damaged || m->body.bytes.len + bytes > BODY_BYTES) {
        m->damaged = true;
        side_damaged(t, s, out, bytes, "a part of a body that is damaged, or too large");
    } else if (bytes) {
        stretch_take(s, &m->body, bytes);
        t->shared->bytes += bytes;
        side_skip(t, s, bytes);
    }
    s->left -= s->state == H_TO_END ? 0 : bytes;
    if (bytes && m->stream && !m->damaged && !m->coding.len && side != t->client)
        tell_events(t, side, false, out);
    if (s->state == H_TO_END || s->left)
        return false;
    if (s->state == H_LENGTH)
        message_done(t, side, out);
    else
        s->state = H_CHUNK_END;
    return true;
}

static int hex_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A line of the chunked coding (RFC 9112 §7.1): a size, the end of a chunk, a trailer. */
static bool take_chunk_line(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct span rest = side_rest(s), line = span_sub(rest, 0, span_find_byte(rest, '\n'));
    if (line.len == rest.len && rest.len < HEAD_BYTES)
        return false;
    size_t digits = 0;
    uint64_t size = 0;
    struct span text = span_trim(line);
    if (s->state == H_CHUNK_SIZE) {
        while (digits < text.len && digits < 15 && hex_of(text.at[digits]) >= 0)
            size = size << 4 | (unsigned)hex_of(text.at[digits++]);
        bool good = digits && (digits == text.len || strchr("; \t", text.at[digits]));
        if (!good) {
            s->now->damaged = true;
            message_done(t, side, out);
            s->state = H_LOST;
            return true;
        }
    }
    side_settle(t, s, out, line.len < rest.len ? line.len + 1 : rest.len, noise_framing, NULL);
    if (s->state == H_CHUNK_END) {
        s->state = H_CHUNK_SIZE;
    } else if (s->state == H_CHUNK_SIZE) {
        s->left = size;
        s->state = size ? H_CHUNK : H_TRAILER;
    } else if (!text.len) {
        message_done(t, side, out);
    }
    return true;
}

/* After a gap: what begins like a message is one. */
static bool take_lost(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct span rest = side_rest(s);
    size_t at = 0;
    while (at < rest.len && !starts_message(t, side, span_sub(rest, at, rest.len))) {
        at += span_find_byte(span_sub(rest, at, rest.len), '\n') + 1;
        if (at > rest.len)
            at = rest.len;
    }
    bool found = at < rest.len;
    side_damaged(t, s, out, at, "bytes that belong to no HTTP message that is whole");
    if (found) {
        s->state = H_HEAD;
        s->said = false;
    }
    return found;
}

static bool side_step(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    if (!side_rest(s).len && !(s->state == H_LENGTH && !s->left))
        return false;
    switch (s->state) {
    case H_HEAD:
        return take_head(t, side, out);
    case H_LENGTH:
    case H_CHUNK:
    case H_TO_END:
        return take_body(t, side, out);
    case H_CHUNK_SIZE:
    case H_CHUNK_END:
    case H_TRAILER:
        return take_chunk_line(t, side, out);
    case H_LOST:
        return take_lost(t, side, out);
    }
    return false;
}

/* ---- what the connection is ---- */

static void http_discard(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    side_settle(t, s, out, side_rest(s).len, t->noise, NULL);
}

/* TLS (RFC 8446 §5.1): a record of a handshake, with a ClientHello. */
static bool is_tls(struct span s)
{
    return s.len >= 6 && s.at[0] == 0x16 && s.at[1] == 3 && (s.at[5] == 1 || s.at[5] == 2);
}

static void tell_unreadable(struct http_talk *t, int side, const char *noise, const char *what,
                            struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    size_t bytes = side_rest(s).len;
    t->kind = TALK_OTHER;
    t->noise = noise;
    side_settle(t, s, out, bytes < METHOD_MOST ? bytes : METHOD_MOST, NULL, what);
}

/* A first line of HTTP at the front: sets which side asks. */
static bool finds_http(struct http_talk *t, int side, struct span rest)
{
    for (t->client = 0; t->client < 2; t->client++)
        if (starts_message(t, side, rest)) {
            t->kind = TALK_HTTP;
            return true;
        }
    t->client = 0;
    return false;
}

static void find_kind(struct http_talk *t, int side, struct outlet *out)
{
    struct span rest = side_rest(&t->sides[side]);
    if (rest.len < METHOD_MOST || finds_http(t, side, rest))
        return;
    if (is_tls(rest)) {
        tell_unreadable(t, side, "TLS", "encrypted with TLS: what is said here can't be read", out);
    } else if (span_starts_with(rest, SPAN("PRI * HT"))) {
        tell_unreadable(t, side, "HTTP/2", "HTTP/2, which is not read", out);
    } else {
        t->kind = TALK_OTHER;
        t->noise = noise_other;
    }
}

/* A capture may begin in the middle of a message: the next one begins with a packet. */
static void find_late(struct http_talk *t, int side, struct span bytes)
{
    struct span line = span_sub(bytes, 0, span_find_byte(bytes, '\n'));
    if (t->kind == TALK_OTHER && t->noise == noise_other && !side_rest(&t->sides[side]).len &&
        span_find(line, SPAN("HTTP/1.")) < line.len)
        finds_http(t, side, bytes);
}

static void side_run(struct http_talk *t, int side, struct outlet *out)
{
    if (t->kind == TALK_UNKNOWN)
        find_kind(t, side, out);
    if (t->kind == TALK_HTTP) /* the other side may have been waiting to know */
        while (side_step(t, side, out) && t->kind == TALK_HTTP)
            ;
    if (t->kind == TALK_OTHER)
        http_discard(t, side, out);
}

static void http_bytes(void *talk, int side, struct span bytes, const struct flow_mark *mark,
                       struct outlet *out)
{
    struct http_talk *t = talk;
    struct http_side *s = &t->sides[side];
    bool unknown = t->kind == TALK_UNKNOWN;
    find_late(t, side, bytes);
    buf_add(&s->in.bytes, bytes);
    stitch_add(&s->in.stitch, mark->offset, bytes.len);
    t->shared->bytes += bytes.len;
    s->time_ns = mark->time_ns;
    s->timed = mark->timed;
    side_run(t, side, out);
    if (unknown && t->kind != TALK_UNKNOWN)
        side_run(t, !side, out);
}

static void http_gap(void *talk, int side, uint64_t missing, const struct flow_mark *mark,
                     struct outlet *out)
{
    struct http_talk *t = talk;
    struct http_side *s = &t->sides[side];
    (void)mark;
    if (t->kind != TALK_HTTP)
        return;
    bool in_body = s->state == H_LENGTH || s->state == H_CHUNK || s->state == H_TO_END;
    if (s->now && in_body && (s->state == H_TO_END || missing <= s->left)) {
        /* The gap is inside of the body: its end is known all the same. */
        struct http_message *m = s->now;
        s->left -= s->state == H_TO_END ? 0 : missing;
        if (m->stream && !m->coding.len) {
            settle_stretch(&m->body, out, NULL, "bytes of this event are not in the capture");
            t->shared->bytes -= m->body.bytes.len;
            m->body.bytes.len = s->searched = 0;
            stitch_clear(&m->body.stitch);
        } else {
            m->damaged = true;
        }
        while (side_step(t, side, out))
            ;
        return;
    }
    if (s->now) {
        s->now->damaged = true;
        message_done(t, side, out);
    }
    s->state = H_LOST;
    side_settle(t, s, out, side_rest(s).len, NULL, "a part of it is not in the capture");
}

static void http_finished(void *talk, int side, struct outlet *out)
{
    struct http_talk *t = talk;
    struct http_side *s = &t->sides[side];
    if (t->kind == TALK_UNKNOWN && side_rest(s).len) {
        t->kind = TALK_OTHER;
        t->noise = noise_other;
    }
    if (t->kind == TALK_OTHER)
        http_discard(t, side, out);
    side_settle(t, s, out, side_rest(s).len, NULL, "the connection ends inside this");
    if (!s->now) /* of a connection that left HTTP there may still be one */
        return;
    bool whole = s->state == H_TO_END || (s->now->stream && side != t->client);
    s->now->damaged = s->now->damaged || !whole;
    message_done(t, side, out);
}

static void http_end(void *talk, struct outlet *out)
{
    struct http_talk *t = talk;
    struct http_message *request;
    while ((request = next_request(t))) {
        tell_request(t, request, out);
        message_free(t, request);
    }
    for (int side = 0; side < 2; side++) {
        t->shared->bytes -= side_rest(&t->sides[side]).len;
        stretch_finish(&t->sides[side].in);
        message_free(t, t->sides[side].now);
    }
    message_free(t, t->asked);
    buf_finish(&t->session);
    mem_free(t);
}

const struct flow_user http_flow_user = {
    .begin = http_begin,
    .bytes = http_bytes,
    .gap = http_gap,
    .finished = http_finished,
    .end = http_end,
};

void http_shared_finish(struct http_shared *shared)
{
    names_finish(&shared->events);
}
