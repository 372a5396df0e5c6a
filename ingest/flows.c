#include "ingest/flows.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "ingest/outlet.h"

enum {
    FLOWS_MOST = 4096,
    BUCKETS = 8192,
    WAITING_MOST = 256,              /* segments of one side that came too early */
    WAITING_BYTES = 4 * 1024 * 1024, /* theirs */
    RECENT_BYTES = 16 * 1024,        /* of one side, for comparison with what is sent again */
};

/* Acknowledged and still not seen after this time: it was not captured. */
static const int64_t patience_ns = INT64_C(1000000000);

static const char noise_repeated[] = "TCP retransmissions";
static const char other_bytes[] =
    "TCP data was sent again with other bytes: which of the two arrived is not known";
static const char noise_behind[] = "TCP data behind a stream's end";

struct waiting {
    struct waiting *next; /* in the order of their sequence numbers */
    uint32_t sequence, missing;
    struct flow_mark mark;
    struct span bytes; /* behind this struct */
};

struct flow_side {
    bool begun, fin_seen, finished;
    uint32_t next;     /* sequence number that is expected */
    uint32_t fin;      /* sequence number of the end */
    struct buf recent; /* the last bytes in front of `next` */
    struct waiting *waiting;
    size_t waiting_count, waiting_bytes;
};

struct flow {
    struct endpoint ends[2];
    struct flow_side sides[2];
    void *talk;
    struct flow *in_bucket;       /* next in its bucket */
    struct flow *older, *younger; /* by when they were heard of */
};

struct flows {
    const struct flow_user *user;
    void *arg;
    struct flow *buckets[BUCKETS];
    struct flow *oldest, *youngest;
    size_t count;
};

/* ---- the table ---- */

static bool same_end(const struct endpoint *a, const struct endpoint *b)
{
    return a->port == b->port && memcmp(a->address, b->address, ADDRESS_SIZE) == 0;
}

static uint32_t end_hash(const struct endpoint *e)
{
    uint64_t hash = hash_of((struct span){(const char *)e->address, ADDRESS_SIZE});
    return (uint32_t)hash_byte(hash_byte(hash, (char)(e->port >> 8)), (char)e->port);
}

/* The same for both directions. */
static struct flow **bucket_of(struct flows *f, const struct endpoint *a, const struct endpoint *b)
{
    uint32_t hash = end_hash(a) + end_hash(b);
    return &f->buckets[(hash ^ hash >> 16) % BUCKETS];
}

static struct flow *find_flow(struct flows *f, const struct segment *s, int *side)
{
    struct flow *flow = *bucket_of(f, &s->from, &s->to);
    for (; flow; flow = flow->in_bucket)
        for (*side = 0; *side < 2; ++*side)
            if (same_end(&flow->ends[*side], &s->from) && same_end(&flow->ends[!*side], &s->to))
                return flow;
    *side = 0;
    return NULL;
}

static void unlink_age(struct flows *f, struct flow *flow)
{
    *(flow->older ? &flow->older->younger : &f->oldest) = flow->younger;
    *(flow->younger ? &flow->younger->older : &f->youngest) = flow->older;
}

static void link_youngest(struct flows *f, struct flow *flow)
{
    flow->older = f->youngest;
    flow->younger = NULL;
    *(f->youngest ? &f->youngest->younger : &f->oldest) = flow;
    f->youngest = flow;
}

static struct flow *new_flow(struct flows *f, const struct segment *s, struct outlet *out)
{
    if (f->count == FLOWS_MOST)
        flows_end_oldest(f, out);
    struct flow *flow = NEW(struct flow), **bucket = bucket_of(f, &s->from, &s->to);
    flow->ends[0] = s->from;
    flow->ends[1] = s->to;
    flow->talk = f->user->begin(f->arg, flow->ends);
    flow->in_bucket = *bucket;
    *bucket = flow;
    link_youngest(f, flow);
    f->count++;
    return flow;
}

/* ---- one side ---- */

/* How far `a` is ahead of `b`; sequence numbers wrap (RFC 9293 §3.4). */
static int32_t ahead(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b);
}

static struct waiting *take_waiting(struct flow_side *s)
{
    struct waiting *w = s->waiting;
    s->waiting = w->next;
    s->waiting_count--;
    s->waiting_bytes -= w->bytes.len;
    return w;
}

static void side_finished(struct flows *f, struct flow *flow, int side, struct outlet *out)
{
    struct flow_side *s = &flow->sides[side];
    if (s->finished)
        return;
    s->finished = true;
    while (s->waiting) {
        struct waiting *w = take_waiting(s);
        outlet_settle(out, noise_behind, NULL, w->mark.offset, w->bytes.len);
        mem_free(w);
    }
    f->user->finished(flow->talk, side, out);
}

static void remember_recent(struct flow_side *s, struct span bytes)
{
    if (bytes.len > RECENT_BYTES)
        bytes = span_sub(bytes, bytes.len - RECENT_BYTES, RECENT_BYTES);
    if (s->recent.len + bytes.len > 2 * RECENT_BYTES) {
        memmove(s->recent.at, s->recent.at + s->recent.len - RECENT_BYTES, RECENT_BYTES);
        s->recent.len = RECENT_BYTES;
    }
    buf_add(&s->recent, bytes);
}

/* Are bytes that begin `late` in front of what is expected other than those that came first? Only
 * what is remembered can tell. */
static bool is_other(const struct flow_side *s, struct span bytes, size_t late)
{
    struct span recent = {s->recent.at, s->recent.len};
    if (bytes.len == 1 && late == 1) /* a probe of an idle connection (RFC 9293 §3.8.4) */
        return false;
    size_t before = late > recent.len ? late - recent.len : 0;
    if (before >= bytes.len)
        return false;
    bytes = span_sub(bytes, before, bytes.len);
    size_t len = bytes.len < late - before ? bytes.len : late - before;
    return memcmp(recent.at + recent.len - (late - before), bytes.at, len) != 0;
}

/* Gives out bytes that are next in order, or partly known. */
static void side_deliver(struct flows *f, struct flow *flow, int side, const struct waiting *w,
                         struct outlet *out)
{
    struct flow_side *s = &flow->sides[side];
    struct flow_mark at = w->mark;
    struct span bytes = w->bytes;
    uint64_t whole = (uint64_t)bytes.len + w->missing;
    int32_t late = ahead(s->next, w->sequence);
    uint64_t known = late > 0 ? (uint64_t)late : 0;
    size_t skipped = known < bytes.len ? (size_t)known : bytes.len;
    bool other = is_other(s, span_sub(bytes, 0, skipped), (size_t)known);
    outlet_settle(out, other ? NULL : noise_repeated, other ? other_bytes : NULL, at.offset,
                  skipped);
    if (known >= whole)
        return;
    s->next += (uint32_t)(whole - known);
    at.offset += skipped;
    bytes = span_sub(bytes, skipped, bytes.len);
    remember_recent(s, bytes);
    if (bytes.len)
        f->user->bytes(flow->talk, side, bytes, &at, out);
    at.offset += bytes.len;
    if (whole - known > bytes.len)
        buf_clear(&s->recent);
    if (whole - known > bytes.len)
        f->user->gap(flow->talk, side, whole - known - bytes.len, &at, out);
}

static void side_wait(struct flow_side *s, const struct waiting *early)
{
    struct waiting *w = mem_alloc(sizeof *w + early->bytes.len), **at = &s->waiting;
    char *bytes = (char *)(w + 1);
    memcpy(bytes, early->bytes.at, early->bytes.len);
    *w = *early;
    w->bytes.at = bytes;
    while (*at && ahead((*at)->sequence, w->sequence) <= 0)
        at = &(*at)->next;
    w->next = *at;
    *at = w;
    s->waiting_count++;
    s->waiting_bytes += w->bytes.len;
}

/* What waited and is next now; with `skip`, also over one gap. */
static void side_catch_up(struct flows *f, struct flow *flow, int side, bool skip,
                          struct outlet *out)
{
    struct flow_side *s = &flow->sides[side];
    while (s->waiting) {
        struct waiting *w = s->waiting;
        int32_t gap = ahead(w->sequence, s->next);
        if (gap > 0 && !skip)
            return;
        if (gap > 0) {
            s->next = w->sequence;
            buf_clear(&s->recent);
            f->user->gap(flow->talk, side, (uint32_t)gap, &w->mark, out);
        }
        skip = false;
        side_deliver(f, flow, side, take_waiting(s), out);
        mem_free(w);
    }
}

static void side_close(struct flows *f, struct flow *flow, int side, struct outlet *out)
{
    while (flow->sides[side].waiting)
        side_catch_up(f, flow, side, true, out);
    side_finished(f, flow, side, out);
}

static void side_put(struct flows *f, struct flow *flow, int side, const struct segment *segment,
                     const struct flow_mark *mark, struct outlet *out)
{
    struct flow_side *s = &flow->sides[side];
    struct waiting now = {NULL, segment->sequence, segment->missing, *mark, segment->payload};
    if (!s->begun) {
        s->begun = true;
        s->next = segment->sequence;
    }
    outlet_hold(out, now.bytes.len);
    if (s->finished) {
        bool late = ahead(s->next, now.sequence + (uint32_t)now.bytes.len) >= 0;
        outlet_settle(out, late ? noise_repeated : noise_behind, NULL, mark->offset, now.bytes.len);
        return;
    }
    if ((now.bytes.len || now.missing) && ahead(now.sequence, s->next) > 0)
        side_wait(s, &now);
    else if (now.bytes.len || now.missing)
        side_deliver(f, flow, side, &now, out);
    if (segment->fin && !s->fin_seen) {
        s->fin_seen = true;
        s->fin = now.sequence + (uint32_t)now.bytes.len + now.missing;
    }
    side_catch_up(f, flow, side, false, out);
    while (s->waiting_count > WAITING_MOST || s->waiting_bytes > WAITING_BYTES)
        side_catch_up(f, flow, side, true, out);
    if (s->fin_seen && ahead(s->next, s->fin) >= 0)
        side_finished(f, flow, side, out);
}

/* The other end has got what was not captured: it won't come any more. */
static void side_acknowledged(struct flows *f, struct flow *flow, int side, uint32_t number,
                              const struct flow_mark *mark, struct outlet *out)
{
    struct flow_side *s = &flow->sides[side];
    while (s->waiting && ahead(number, s->waiting->sequence) > 0 &&
           mark->time_ns - s->waiting->mark.time_ns > patience_ns)
        side_catch_up(f, flow, side, true, out);
}

/* ---- connections ---- */

static void end_flow(struct flows *f, struct flow *flow, struct outlet *out)
{
    struct flow **at = bucket_of(f, &flow->ends[0], &flow->ends[1]);
    side_close(f, flow, 0, out);
    side_close(f, flow, 1, out);
    f->user->end(flow->talk, out);
    while (*at != flow)
        at = &(*at)->in_bucket;
    *at = flow->in_bucket;
    unlink_age(f, flow);
    f->count--;
    buf_finish(&flow->sides[0].recent);
    buf_finish(&flow->sides[1].recent);
    mem_free(flow);
}

bool flows_end_oldest(struct flows *f, struct outlet *out)
{
    if (f->oldest)
        end_flow(f, f->oldest, out);
    return f->count;
}

/* A SYN begins a connection; where one with these ends is known already, that one is over. A SYN
 * that is sent again has the number of the first. */
static bool begins_anew(const struct flow *flow, int side, const struct segment *segment)
{
    const struct flow_side *s = &flow->sides[side];
    return segment->syn && !segment->ack && s->begun && ahead(segment->sequence + 1, s->next) != 0;
}

void flows_put(struct flows *f, const struct segment *segment, const struct flow_mark *mark,
               struct outlet *out)
{
    int side;
    struct segment s = *segment;
    struct flow *flow = find_flow(f, &s, &side);
    if (flow && begins_anew(flow, side, &s)) {
        end_flow(f, flow, out);
        flow = NULL;
        side = 0;
    }
    if (!flow && !s.payload.len && !s.missing && !s.syn)
        return; /* the last words of a connection that is over, or a sign of life */
    if (!flow)
        flow = new_flow(f, &s, out);
    if (s.syn)
        s.sequence++; /* the SYN counts as one */
    unlink_age(f, flow);
    link_youngest(f, flow);
    side_put(f, flow, side, &s, mark, out);
    if (s.ack)
        side_acknowledged(f, flow, !side, s.acknowledged, mark, out);
    if (s.reset || (flow->sides[0].finished && flow->sides[1].finished))
        end_flow(f, flow, out);
}

struct flows *flows_create(const struct flow_user *user, void *arg)
{
    struct flows *f = NEW(struct flows);
    f->user = user;
    f->arg = arg;
    return f;
}

void flows_destroy(struct flows *f, struct outlet *out)
{
    if (!f)
        return;
    while (f->oldest)
        end_flow(f, f->oldest, out);
    mem_free(f);
}
