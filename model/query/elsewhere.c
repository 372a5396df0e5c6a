#include "model/query/elsewhere.h"

#include <stdlib.h>

#include "base/jsonr.h"
#include "model/query/review_internal.h"
#include "model/trace/trace.h"

enum {
    ELSEWHERE_BODY = 4 << 20, /* of one step */
    ELSEWHERE_SHOWN = 200,    /* bytes of a shared text */
};

/* A name that says less than this is in every second log. */
static const double light = 0.15;

struct elsewhere {
    struct review *r;
    int64_t id; /* row of the step that is looked for */
    struct trace *trace;
    struct arena arena;   /* of what is kept */
    struct arena scratch; /* of one step */
    int64_t session, n;   /* the step that was looked at last */
    int64_t done, total;
    struct sighting *seen;
    size_t count, room;
    bool linked; /* the digests were looked up */
    bool capped;
};

const char *sighting_word(enum sighting_kind kind)
{
    static const char *const words[] = {
#define X(id, word) word,
        SIGHTINGS(X)
#undef X
    };
    return words[kind];
}

/* A name is seen once in a session: that it goes on being spoken of says nothing more. */
static bool elsewhere_again(struct elsewhere *e, const struct sighting *sighting)
{
    struct span what = span_sub(sighting->what, 0, ELSEWHERE_SHOWN);
    for (size_t i = e->count; sighting->kind == SIGHTING_NAME && i-- > 0;) {
        struct sighting *seen = &e->seen[i];
        if (seen->kind == SIGHTING_NAME && seen->session == sighting->session &&
            span_equal(seen->what, what)) {
            seen->again++;
            return true;
        }
    }
    return false;
}

static void elsewhere_add(struct elsewhere *e, const struct sighting *sighting)
{
    if (elsewhere_again(e, sighting))
        return;
    if (e->count == SIGHTINGS_MOST) {
        e->capped = true;
        return;
    }
    e->seen = mem_one_more(e->seen, e->count, &e->room, sizeof *e->seen);
    e->seen[e->count] = *sighting;
    e->seen[e->count++].what = arena_copy(&e->arena, span_sub(sighting->what, 0, ELSEWHERE_SHOWN));
}

/* ---- digests: what the case has as rows ---- */

static const char elsewhere_links[] =
    "SELECT 0, s.session_id, s.n, d.tool FROM definition d CROSS JOIN step s ON s.id = d.step_id"
    " WHERE s.session_id <> ?2 AND d.digest IN"
    "  (SELECT digest FROM definition WHERE digest IS NOT NULL AND (step_id = ?1"
    "   OR id = (SELECT definition_id FROM step WHERE id = ?1)"
    "   OR id = (SELECT c.definition_id FROM step r JOIN step c ON c.id = r.call_id WHERE r.id = ?1)))"
    " UNION ALL SELECT 1, s.session_id, s.n, e.digest FROM evidence_ref e CROSS JOIN step s ON s.id = e.step_id"
    " WHERE s.session_id <> ?2 AND e.digest IN (SELECT digest FROM evidence_ref WHERE step_id = ?1)"
    " ORDER BY 2, 3, 1 LIMIT ?3";

static bool elsewhere_link(struct elsewhere *e, struct err *err)
{
    static const enum sighting_kind kinds[] = {SIGHTING_DEFINITION, SIGHTING_EVIDENCE};
    struct stmt *stmt = db_stmt(case_db(e->r->c), elsewhere_links, err);
    int row = -1;
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, e->id);
    stmt_bind_int(stmt, 2, e->r->session);
    stmt_bind_int(stmt, 3, SIGHTINGS_MOST);
    while ((row = stmt_step(stmt, err)) > 0) {
        struct sighting s = {.kind = kinds[stmt_int(stmt, 0)],
                             .session = stmt_int(stmt, 1),
                             .n = stmt_int(stmt, 2),
                             .what = stmt_text(stmt, 3)};
        struct sighting *last = e->count ? &e->seen[e->count - 1] : NULL;
        if (last && last->session == s.session && last->n == s.n && last->kind == s.kind)
            last->more++; /* a list of definitions is one sighting */
        else
            elsewhere_add(e, &s);
    }
    stmt_finish(stmt);
    e->linked = true;
    return row == 0;
}

/* ---- texts ---- */

static bool elsewhere_count(struct elsewhere *e, struct err *err)
{
    /* By their last numbers: to count them would be to walk them. */
    static const char sql[] = "SELECT coalesce(sum((SELECT max(n) FROM step WHERE session_id ="
                              " session.id)), 0) FROM session WHERE id <> ?1";
    return db_number(case_db(e->r->c), sql, &e->r->session, 1, &e->total, err) >= 0;
}

struct elsewhere *elsewhere_begin(struct review *r, int64_t n, struct err *err)
{
    struct elsewhere *e = NEW(struct elsewhere);
    struct buf body = {0};
    e->r = r;
    e->trace = trace_create(NULL);
    if (!review_step_id(r, n, &e->id, err) || !elsewhere_count(e, err) ||
        !review_body(r, n, ELSEWHERE_BODY, &body, &e->capped, err)) {
        elsewhere_end(e);
        e = NULL;
    } else {
        bool json = jsonr_valid(buf_span(&body), NULL, NULL);
        trace_add(e->trace, &(struct trace_text){.n = 1,
                                                 .source = TRACE_RESULT,
                                                 .flags = json ? TRACE_IS_JSON : 0,
                                                 .text = buf_span(&body)});
    }
    buf_finish(&body);
    return e;
}

void elsewhere_end(struct elsewhere *e)
{
    if (!e)
        return;
    trace_destroy(e->trace);
    arena_finish(&e->arena);
    arena_finish(&e->scratch);
    mem_free(e->seen);
    mem_free(e);
}

/* Labels and the names of the protocol are in every result: no payload. What evidence they refer to
 * is looked up by its digest. */
static bool is_in_meta(struct span body, const struct trace_hit *hit)
{
    struct span meta, pointer = hit->pointer;
    if (span_find(pointer, SPAN("/_meta")) < pointer.len)
        return true;
    return jsonr_member(body, "_meta", &meta) && body.at + hit->at >= meta.at &&
           body.at + hit->at < meta.at + meta.len;
}

/* The heaviest thing that a step shares stands for all of them. */
static void elsewhere_match(struct elsewhere *e, struct span body)
{
    struct trace_found found;
    const struct trace_hit *best = NULL;
    size_t shared = 0;
    trace_match_json(e->trace, body, 0, &e->scratch, &found);
    e->capped = e->capped || found.capped;
    for (size_t i = 0; i < found.count; i++) {
        const struct trace_hit *hit = &found.hits[i];
        if (hit->weight < light || is_in_meta(body, hit))
            continue;
        shared++;
        if (!best || hit->weight > best->weight)
            best = hit;
    }
    if (best)
        elsewhere_add(
            e, &(struct sighting){.kind = best->shape == TRACE_RUN ? SIGHTING_TEXT : SIGHTING_NAME,
                                  .session = e->session,
                                  .n = e->n,
                                  .what = span_sub(body, (size_t)best->at, (size_t)best->len),
                                  .offset = best->at,
                                  .length = best->len,
                                  .more = shared - 1,
                                  .how = trace_how_word(best->how)});
}

static bool elsewhere_look(struct elsewhere *e, int64_t step, struct err *err)
{
    struct buf body = {0};
    struct extent where;
    struct err unread = {0};
    bool cut = false, ok = stream_body_of(e->r->c, step, &e->scratch, &where, err);
    if (ok && !case_read(e->r->c, &where, ELSEWHERE_BODY, &body, &cut, &unread))
        cut = true; /* a step that can't be read is one that may hold it */
    e->capped = e->capped || cut;
    if (ok && body.len)
        elsewhere_match(e, buf_span(&body));
    buf_finish(&body);
    arena_reset(&e->scratch);
    return ok;
}

/* In two parts, so that the steps of the session itself, which may be most, are not walked over. */
#define ELSEWHERE_NEXT "SELECT id, session_id, n FROM step WHERE (session_id, n) > (?1, ?2)"
static const char elsewhere_before[] =
    ELSEWHERE_NEXT " AND session_id < ?3 ORDER BY session_id, n LIMIT ?4";
static const char elsewhere_behind[] =
    ELSEWHERE_NEXT " AND session_id > ?3 ORDER BY session_id, n LIMIT ?4";

int elsewhere_some(struct elsewhere *e, size_t steps, struct err *err)
{
    enum { PAGE_MOST = 256 };
    struct {
        int64_t id, session, n;
    } page[PAGE_MOST];
    size_t count = 0;
    int row = -1;
    if (!e->linked && !elsewhere_link(e, err))
        return -1;
    bool before = e->session < e->r->session;
    struct stmt *stmt =
        db_stmt(case_db(e->r->c), before ? elsewhere_before : elsewhere_behind, err);
    if (!stmt)
        return -1;
    size_t most = steps < PAGE_MOST ? steps : PAGE_MOST;
    stmt_bind_int(stmt, 1, e->session);
    stmt_bind_int(stmt, 2, e->n);
    stmt_bind_int(stmt, 3, e->r->session);
    stmt_bind_int(stmt, 4, (int64_t)most);
    while ((row = stmt_step(stmt, err)) > 0 && count < most) {
        page[count].id = stmt_int(stmt, 0);
        page[count].session = stmt_int(stmt, 1);
        page[count++].n = stmt_int(stmt, 2);
    }
    stmt_finish(stmt);
    for (size_t i = 0; row >= 0 && i < count; i++) {
        e->session = page[i].session;
        e->n = page[i].n;
        e->done++;
        if (!elsewhere_look(e, page[i].id, err))
            return -1;
    }
    if (row >= 0 && before && count < most) { /* past the session itself */
        e->session = e->r->session;
        e->n = INT64_MAX;
        return 1;
    }
    return row < 0 ? -1 : count == most && most > 0;
}

static int elsewhere_order(const void *a, const void *b)
{
    const struct sighting *x = a, *y = b;
    if (x->session != y->session)
        return x->session < y->session ? -1 : 1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

const struct sighting *elsewhere_seen(const struct elsewhere *e, size_t *count)
{
    *count = e->count;
    if (e->count)
        qsort(e->seen, e->count, sizeof *e->seen, elsewhere_order);
    return e->seen;
}

void elsewhere_progress(const struct elsewhere *e, int64_t *done, int64_t *total)
{
    *done = e->done;
    *total = e->total;
}

bool elsewhere_is_capped(const struct elsewhere *e)
{
    return e->capped;
}
