#include "ingest/http.h"

#include "base/ascii.h"
#include "ingest/http_internal.h"

static const char noise_framing[] = "HTTP framing";
static const char noise_other[] = "TCP other than HTTP";

static void *http_begin(void *arg, const struct endpoint ends[2])
{
    struct http_talk *t = NEW(struct http_talk);
    t->shared = arg;
    endpoint_text(&ends[0], t->ends[0]);
    endpoint_text(&ends[1], t->ends[1]);
    return t;
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
    http_head_line(&rest);
    while (rest.len) {
        struct span line = http_head_line(&rest);
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
    http_stretch_take(s, &m->head, size);
    http_side_skip(t, s, size);
    struct span head = buf_span(&m->head.bytes), rest = head, line = http_head_line(&rest);
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
        bool leaves = span_is(status, "101");
        http_tell_head(m, out);
        http_message_free(t, m);
        s->now = NULL;
        if (leaves) {
            t->kind = TALK_OTHER;
            t->noise = "connections that left HTTP";
        }
        return;
    }
    t->asked = http_next_request(t);
    http_tell_request(t, t->asked, out);
    s->state = body_state(t, side, head, status, &s->left);
}

static bool starts_message(const struct http_talk *t, int side, struct span s)
{
    static const char *const known[] = {"GET ",     "POST ",  "PUT ",     "HEAD ", "DELETE ",
                                        "OPTIONS ", "PATCH ", "CONNECT ", "TRACE "};
    if (side != t->client)
        return span_starts_with(s, SPAN("HTTP/1."));
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_starts_with(s, span_of(known[i])))
            return true;
    return false;
}

/* ---- bodies ---- */

static bool take_head(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct span rest = http_side_rest(s);
    size_t blank = 0;
    while (blank < rest.len && (rest.at[blank] == '\r' || rest.at[blank] == '\n'))
        blank++;
    if (blank) {
        http_side_settle(t, s, out, blank, noise_framing, NULL);
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
    struct span rest = http_side_rest(s);
    size_t bytes = s->state == H_TO_END || rest.len < s->left ? rest.len : (size_t)s->left;
    if (m->damaged || m->body.bytes.len + bytes > BODY_BYTES) {
        m->damaged = true;
        http_side_damaged(t, s, out, bytes, "a part of a body that is damaged, or too large");
    } else if (bytes) {
        http_stretch_take(s, &m->body, bytes);
        t->shared->bytes += bytes;
        http_side_skip(t, s, bytes);
    }
    s->left -= s->state == H_TO_END ? 0 : bytes;
    if (bytes && m->stream && !m->damaged && !m->coding.len && side != t->client)
        http_tell_events(t, side, false, out);
    if (s->state == H_TO_END || s->left)
        return false;
    if (s->state == H_LENGTH)
        http_message_done(t, side, out);
    else
        s->state = H_CHUNK_END;
    return true;
}

/* A line of the chunked coding (RFC 9112 §7.1): a size, the end of a chunk, a trailer. */
static bool take_chunk_line(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct span rest = http_side_rest(s), line = span_sub(rest, 0, span_find_byte(rest, '\n'));
    if (line.len == rest.len && rest.len < HEAD_BYTES)
        return false;
    size_t digits = 0;
    uint64_t size = 0;
    struct span text = span_trim(line);
    if (s->state == H_CHUNK_SIZE) {
        while (digits < text.len && digits < 15 && hex_digit(text.at[digits]) >= 0)
            size = size << 4 | (unsigned)hex_digit(text.at[digits++]);
        bool good = digits && (digits == text.len || ascii_is_one_of(text.at[digits], "; \t"));
        if (!good) {
            s->now->damaged = true;
            http_message_done(t, side, out);
            s->state = H_LOST;
            return true;
        }
    }
    http_side_settle(t, s, out, line.len < rest.len ? line.len + 1 : rest.len, noise_framing, NULL);
    if (s->state == H_CHUNK_END) {
        s->state = H_CHUNK_SIZE;
    } else if (s->state == H_CHUNK_SIZE) {
        s->left = size;
        s->state = size ? H_CHUNK : H_TRAILER;
    } else if (!text.len) {
        http_message_done(t, side, out);
    }
    return true;
}

/* After a gap: what begins like a message is one. */
static bool take_lost(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    struct span rest = http_side_rest(s);
    size_t at = 0;
    while (at < rest.len && !starts_message(t, side, span_sub(rest, at, rest.len))) {
        at += span_find_byte(span_sub(rest, at, rest.len), '\n') + 1;
        if (at > rest.len)
            at = rest.len;
    }
    bool found = at < rest.len;
    http_side_damaged(t, s, out, at, "bytes that belong to no HTTP message that is whole");
    if (found) {
        s->state = H_HEAD;
        s->said = false;
    }
    return found;
}

static bool side_step(struct http_talk *t, int side, struct outlet *out)
{
    struct http_side *s = &t->sides[side];
    if (!http_side_rest(s).len && !(s->state == H_LENGTH && !s->left))
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
    http_side_settle(t, s, out, http_side_rest(s).len, t->noise, NULL);
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
    size_t bytes = http_side_rest(s).len;
    t->kind = TALK_OTHER;
    t->noise = noise;
    http_side_settle(t, s, out, bytes < METHOD_MOST ? bytes : METHOD_MOST, NULL, what);
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
    struct span rest = http_side_rest(&t->sides[side]);
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
    if (t->kind == TALK_OTHER && t->noise == noise_other && !http_side_rest(&t->sides[side]).len &&
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
            http_lose_events(m, out);
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
        http_message_done(t, side, out);
    }
    s->state = H_LOST;
    http_side_settle(t, s, out, http_side_rest(s).len, NULL, "a part of it is not in the capture");
}

static void http_finished(void *talk, int side, struct outlet *out)
{
    struct http_talk *t = talk;
    struct http_side *s = &t->sides[side];
    if (t->kind == TALK_UNKNOWN && http_side_rest(s).len) {
        t->kind = TALK_OTHER;
        t->noise = noise_other;
    }
    if (t->kind == TALK_OTHER)
        http_discard(t, side, out);
    http_side_settle(t, s, out, http_side_rest(s).len, NULL, "the connection ends inside this");
    if (!s->now) /* of a connection that left HTTP there may still be one */
        return;
    bool whole = s->state == H_TO_END || (s->now->stream && side != t->client);
    s->now->damaged = s->now->damaged || !whole;
    http_message_done(t, side, out);
}

static void http_end(void *talk, struct outlet *out)
{
    struct http_talk *t = talk;
    struct http_message *request;
    while ((request = http_next_request(t))) {
        http_tell_request(t, request, out);
        http_message_free(t, request);
    }
    for (int side = 0; side < 2; side++) {
        t->shared->bytes -= http_side_rest(&t->sides[side]).len;
        http_stretch_finish(&t->sides[side].in);
        http_message_free(t, t->sides[side].now);
    }
    http_message_free(t, t->asked);
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
