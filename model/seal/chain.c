#include "model/seal/chain.h"

#include "model/case/source.h"
#include "model/evidence/digest.h"
#include "model/seal/row_hash.h"

enum { LINK = 32, BLOCK = 1024 /* links in a row */, CHAIN_STOP_EVERY = 1024 };

/* A walk along the events, which makes a link of each. */
struct chain_walk {
    struct case_file *c;
    struct hasher *hasher;
    struct stmt *events;
    int64_t place, event; /* of the link just made */
    struct digest link, content;
    int64_t source, offset, length; /* what `content` is of */
    struct buf bytes;
};

static void chain_walk_end(struct chain_walk *w)
{
    stmt_finish(w->events);
    hasher_destroy(w->hasher);
    buf_finish(&w->bytes);
}

/* Ended with chain_walk_end, also where it fails. */
static bool chain_walk_begin(struct chain_walk *w, struct case_file *c, struct err *err)
{
    *w = (struct chain_walk){.c = c, .hasher = hasher_create(), .length = -1};
    w->link.len = LINK;
    w->events = db_prepare(
        case_db(c),
        SPAN("SELECT id, session_id, connection_id, source_id, line, offset, length, recipe,"
             " time_ns, time_digits, direction, kind, method, rpc_id, pair_id, flags"
             " FROM main.event ORDER BY id"),
        err);
    return w->events != NULL;
}

/* Messages of one batch all stand on the same bytes: those are hashed once. */
static bool hash_content(struct chain_walk *w, struct err *err)
{
    int64_t source = stmt_int(w->events, 3), offset = stmt_int(w->events, 5),
            length = stmt_int(w->events, 6);
    if (source == w->source && offset == w->offset && length == w->length)
        return true;
    w->source = source;
    w->offset = offset;
    w->length = length;
    buf_clear(&w->bytes);
    return source_read(w->c, source, (uint64_t)offset, (uint64_t)length, &w->bytes, err) &&
           hasher_digest(w->hasher, DIGEST_SHA256, buf_span(&w->bytes), &w->content, err);
}

static struct span bytes_of(const struct digest *digest)
{
    return (struct span){(const char *)digest->bytes, LINK};
}

/* 1: w->link is of the next event; 0: there are no more; -1: error. */
static int chain_walk_next(struct chain_walk *w, seal_stop stop, void *arg, struct err *err)
{
    if (w->place % CHAIN_STOP_EVERY == 0 && stop && stop(arg)) {
        err_set(err, ERR_INTERNAL, case_path(w->c), "run it again", "interrupted");
        return -1;
    }
    int row = stmt_step(w->events, err);
    if (row <= 0)
        return row;
    if (!hash_content(w, err) || !hasher_begin(w->hasher, DIGEST_SHA256, err))
        return -1;
    hasher_add(w->hasher, bytes_of(&w->link));
    row_hash(w->hasher, w->events);
    hasher_add(w->hasher, bytes_of(&w->content));
    hasher_end(w->hasher, &w->link);
    w->place++;
    w->event = stmt_int(w->events, 0);
    return 1;
}

static bool store_block(struct case_file *c, int64_t first, struct span links, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c), "INSERT INTO seal_link(first, links) VALUES(?1, ?2)", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, first);
    stmt_bind_blob(stmt, 2, links);
    return stmt_run(stmt, err);
}

/* Hashes a block of links, and keeps it where that is asked for. */
static bool end_block(struct chain_walk *w, struct hasher *all, bool keep, struct buf *block,
                      struct err *err)
{
    int64_t count = (int64_t)(block->len / LINK);
    hasher_add(all, buf_span(block));
    bool ok = !keep || !count || store_block(w->c, w->place - count + 1, buf_span(block), err);
    buf_clear(block);
    return ok;
}

bool chain_make(struct case_file *c, bool keep, struct chain_end *end, seal_stop stop, void *arg,
                struct err *err)
{
    struct chain_walk w;
    struct buf block = {0};
    struct digest links;
    struct hasher *all = hasher_create();
    int more = -1;
    bool ok = chain_walk_begin(&w, c, err) &&
              (!keep || db_exec(case_db(c), "DELETE FROM seal_link", err)) &&
              hasher_begin(all, DIGEST_SHA256, err);
    while (ok && (more = chain_walk_next(&w, stop, arg, err)) > 0) {
        buf_add(&block, bytes_of(&w.link));
        if (block.len == BLOCK * LINK)
            ok = end_block(&w, all, keep, &block, err);
    }
    ok = ok && more == 0 && end_block(&w, all, keep, &block, err);
    if (ok) {
        hasher_end(all, &links);
        end->events = w.place;
        memcpy(end->last, w.link.bytes, LINK);
        memcpy(end->links, links.bytes, LINK);
    }
    buf_finish(&block);
    hasher_destroy(all);
    chain_walk_end(&w);
    return ok;
}

/* All links that the case keeps, in `out`. */
static bool load_links(struct case_file *c, struct buf *out, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "SELECT links FROM main.seal_link ORDER BY first", err);
    if (!stmt)
        return false;
    int row;
    while ((row = stmt_step(stmt, err)) > 0)
        buf_add(out, stmt_blob(stmt, 0));
    return row == 0;
}

static bool links_are_sealed(struct span links, const struct chain_end *sealed)
{
    struct digest digest;
    struct hasher *hasher = hasher_create();
    bool same = hasher_digest(hasher, DIGEST_SHA256, links, &digest, NULL) &&
                memcmp(digest.bytes, sealed->links, LINK) == 0 &&
                links.len == (size_t)sealed->events * LINK;
    hasher_destroy(hasher);
    return same;
}

bool chain_first_difference(struct case_file *c, const struct chain_end *sealed, int64_t *place,
                            int64_t *event, seal_stop stop, void *arg, struct err *err)
{
    struct buf links = {0};
    struct chain_walk w;
    int more = -1;
    *place = *event = 0;
    bool ok = chain_walk_begin(&w, c, err) && load_links(c, &links, err);
    if (ok && links_are_sealed(buf_span(&links), sealed)) {
        while ((more = chain_walk_next(&w, stop, arg, err)) > 0 && w.place <= sealed->events &&
               memcmp(links.at + (w.place - 1) * LINK, w.link.bytes, LINK) == 0)
            ;
        bool unreadable = more < 0 && err->kind == ERR_EVIDENCE;
        ok = more >= 0 || unreadable;
        *place = more > 0 ? w.place : w.place + 1;
        *event = more > 0 ? w.event : unreadable ? stmt_int(w.events, 0) : 0;
    }
    buf_finish(&links);
    chain_walk_end(&w);
    return ok;
}
