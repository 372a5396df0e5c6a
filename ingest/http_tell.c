#include "ingest/exchange.h"
#include "ingest/http_internal.h"
#include "ingest/talk.h"
#include "ingest/wire.h"

static const char noise_heads[] = "HTTP heads";
static const char noise_events[] = "SSE without messages";
static const char noise_again[] = "SSE sent again";

/* ---- memory ---- */

void http_stretch_finish(struct stretch *s)
{
    buf_finish(&s->bytes);
    stitch_finish(&s->stitch);
}

void http_message_free(struct http_talk *t, struct http_message *m)
{
    if (!m)
        return;
    t->shared->bytes -= m->body.bytes.len;
    http_stretch_finish(&m->head);
    http_stretch_finish(&m->body);
    mem_free(m);
}

/* ---- what of the bytes became what ---- */

static uint64_t side_begin(const struct http_side *s)
{
    return s->in.stitch.begin + s->at;
}

struct span http_side_rest(const struct http_side *s)
{
    return span_sub(buf_span(&s->in.bytes), s->at, s->in.bytes.len);
}

/* Moves over bytes that are settled, or were added to a stretch. */
void http_side_skip(struct http_talk *t, struct http_side *s, size_t bytes)
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

void http_side_settle(struct http_talk *t, struct http_side *s, struct outlet *out, size_t bytes,
                      const char *noise, const char *what)
{
    outlet_settle(out, noise, what, stitch_offset(&s->in.stitch, side_begin(s)), bytes);
    http_side_skip(t, s, bytes);
}

/* The same of what is unreadable, in how many packets it may come. */
void http_side_damaged(struct http_talk *t, struct http_side *s, struct outlet *out, size_t bytes,
                       const char *what)
{
    http_side_settle(t, s, out, bytes, NULL, s->said ? "" : what);
    s->said = s->said || bytes;
}

void http_stretch_take(struct http_side *s, struct stretch *to, size_t bytes)
{
    buf_add(&to->bytes, span_sub(http_side_rest(s), 0, bytes));
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

struct span http_head_line(struct span *rest)
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
        struct span line = http_head_line(&rest);
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
void http_tell_events(struct http_talk *t, int side, bool all, struct outlet *out)
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
struct http_message *http_next_request(struct http_talk *t)
{
    if (!t->count)
        return NULL;
    struct http_message *m = t->requests[t->first];
    t->first = (t->first + 1) % REQUESTS_MOST;
    t->count--;
    return m;
}

/* Once its response begins, or none will come. */
void http_tell_request(struct http_talk *t, struct http_message *request, struct outlet *out)
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
        struct http_message *oldest = http_next_request(t);
        http_tell_request(t, oldest, out);
        http_message_free(t, oldest);
    }
    t->requests[(t->first + t->count++) % REQUESTS_MOST] = s->now;
    s->now = NULL;
}

static void response_done(struct http_talk *t, struct outlet *out)
{
    struct http_side *s = &t->sides[!t->client];
    struct http_message *m = s->now;
    if (m->stream && !m->damaged && !m->coding.len) {
        http_tell_events(t, !t->client, true, out);
        settle_stretch(&m->head, out, noise_heads, NULL);
    } else {
        tell_message(t, m, SERVER_TO_CLIENT, out);
        bool empty = !m->body.bytes.len && t->asked && t->asked->told; /* 202 Accepted */
        if (!m->told && !m->damaged && empty)
            settle_stretch(&m->head, out, noise_heads, NULL);
        else if (!m->told && !m->damaged)
            tell_other(t, m, SERVER_TO_CLIENT, out);
    }
    http_message_free(t, m);
    http_message_free(t, t->asked);
    s->now = t->asked = NULL;
}

void http_message_done(struct http_talk *t, int side, struct outlet *out)
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

void http_tell_head(struct http_message *m, struct outlet *out)
{
    settle_stretch(&m->head, out, noise_heads, NULL);
}

void http_lose_events(struct http_message *m, struct outlet *out)
{
    settle_stretch(&m->body, out, NULL, "bytes of this event are not in the capture");
}
