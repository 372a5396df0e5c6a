#include "ingest/merge.h"

#include "base/sha256.h"
#include "base/timefmt.h"
#include "model/case/store.h"

enum {
    CALLS_MOST = 200000, /* beyond that a session is a benchmark, and not an incident */
    MERGE_KEY_MOST = 64,
};

void merge_finish(struct merge *merge)
{
    names_finish(&merge->keys);
    mem_free(merge->calls);
    buf_finish(&merge->key);
    *merge = (struct merge){0};
}

/* Tool, and arguments in canonical form where they have one, else as they are; of long ones the
 * digest, as they are kept. */
static struct span merge_key_of(struct buf *key, struct span tool, struct span arguments,
                                struct jcs *jcs)
{
    struct jcs_report report;
    buf_clear(key);
    buf_add(key, tool);
    buf_byte(key, '\0');
    size_t before = key->len;
    struct span trimmed = span_trim(arguments);
    if (!trimmed.len || span_is(trimmed, "{}"))
        buf_puts(key, "{}");
    else if (!jcs_canonicalize(jcs, trimmed, key, &report)) {
        key->len = before;
        buf_add(key, arguments);
    }
    if (key->len > MERGE_KEY_MOST) {
        uint8_t digest[SHA256_BYTES];
        sha256_of(buf_span(key), digest);
        buf_clear(key);
        buf_add(key, (struct span){(const char *)digest, sizeof digest});
    }
    return buf_span(key);
}

static void merge_add(void *arg, struct span key, const struct merge_call *call)
{
    struct merge *merge = arg;
    merge->calls = mem_one_more(merge->calls, merge->count, &merge->size, sizeof *merge->calls);
    int64_t *first = names_at(&merge->keys, key);
    uint32_t index = (uint32_t)merge->count++;
    merge->calls[index] = *call;
    if (!*first)
        *first = index;
    else
        merge->calls[merge->calls[*first].last].next = index;
    merge->calls[*first].last = index;
}

/* The arguments of a row of merge_each, appended; false on an error. */
static bool read_arguments(struct case_file *c, struct stmt *stmt, struct buf *out, struct err *err)
{
    struct extent at = {stmt_int(stmt, 1), (uint64_t)stmt_int(stmt, 2), (uint64_t)stmt_int(stmt, 3),
                        SPAN_EMPTY};
    struct span written = stmt_text(stmt, 4);
    struct buf recipe = {0}; /* reading asks other rows, and the row's own text may move */
    buf_add(&recipe, written);
    at.recipe = buf_span(&recipe);
    bool ok = case_read(c, &at, 0, out, NULL, err);
    buf_finish(&recipe);
    return ok;
}

/* In the order in which the steps were stored: their numbers come later, and change. */
#define MERGE_CALLS                                                                                \
    "SELECT s.id, s.source_id, s.offset, s.length, s.recipe, s.tool,"                              \
    " (SELECT min(r.id) FROM step r WHERE r.call_id=s.id AND r.kind='tool_result'),"               \
    " s.server_id, s.time_ns + o.clock_offset_ns, s.flags"                                         \
    " FROM step s CROSS JOIN source o ON o.id=s.source_id WHERE "
#define MERGE_WHICH                                                                                \
    " AND s.source_id<>?2 AND s.kind='tool_call'" /* but those that this source has told already,  \
                                                     before its file grew */                       \
    " AND NOT EXISTS (SELECT 1 FROM step_source t JOIN event e ON e.id=t.event_id"                 \
    "  WHERE t.step_id=s.id AND e.source_id=?2)"                                                   \
    " ORDER BY s.id LIMIT ?3"

bool merge_each(struct case_file *c, int64_t session, int64_t but_source, int64_t behind,
                struct jcs *jcs, merge_each_fn *each, void *arg, struct err *err)
{
    /* All steps of the session, or all that were stored since, of whatever session. */
    static const char all[] = MERGE_CALLS "s.session_id=?1 AND s.id>?4" MERGE_WHICH;
    static const char since[] = MERGE_CALLS "+s.session_id=?1 AND s.id>?4" MERGE_WHICH;
    struct stmt *stmt = db_stmt(case_db(c), behind ? since : all, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, but_source);
    stmt_bind_int(stmt, 3, CALLS_MOST);
    stmt_bind_int(stmt, 4, behind);
    struct buf key = {0}, text = {0};
    bool ok = true;
    int row = 0;
    while (ok && (row = stmt_step(stmt, err)) > 0) {
        struct merge_call call = {
            .step = stmt_int(stmt, 0),
            .result = stmt_int(stmt, 6),
            .server = stmt_int(stmt, 7),
            .source = stmt_int(stmt, 1),
            .time_ns = stmt_int(stmt, 8),
            .timed = !stmt_is_null(stmt, 8),
            .shown = stmt_int(stmt, 9) & ROW_SHOWN,
        };
        buf_clear(&text);
        ok = read_arguments(c, stmt, &text, err);
        if (ok)
            each(arg, merge_key_of(&key, stmt_text(stmt, 5), buf_span(&text), jcs), &call);
    }
    buf_finish(&text);
    buf_finish(&key);
    stmt_finish(stmt);
    return ok && row == 0;
}

static bool last_step(struct case_file *c, int64_t *last, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "SELECT coalesce(max(id), 0) FROM step", err);
    int row = stmt ? stmt_step(stmt, err) : -1;
    if (row > 0)
        *last = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return row > 0;
}

bool merge_load(struct merge *merge, struct case_file *c, int64_t session, int64_t source,
                struct jcs *jcs, struct err *err)
{
    if (!merge->count)
        merge_add(merge, SPAN_EMPTY, &(struct merge_call){0});
    merge->source = source;
    return (merge->count > CALLS_MOST ||
            merge_each(c, session, source, merge->until, jcs, merge_add, merge, err)) &&
           last_step(c, &merge->until, err);
}

/* Times of two recordings of one call differ by what lies between their writers. */
static bool fits(const struct merge_call *call, const struct merge_wanted *wanted)
{
    int64_t gap = MERGE_SHOWN_SECONDS * TIME_SECOND;
    if (!call->shown && !wanted->shown) {
        gap = TIME_SECOND; /* a log and its copy */
        if (call->server != wanted->server || !call->timed || !wanted->timed)
            return false;
    } else if (call->shown && wanted->shown) {
        gap = 5 * TIME_SECOND;
    }
    if (!call->timed || !wanted->timed)
        return true;
    int64_t between;
    return !__builtin_sub_overflow(call->time_ns, wanted->time_ns, &between) && between <= gap &&
           between >= -gap;
}

struct merge_call *merge_find(struct merge *merge, const struct merge_wanted *wanted,
                              struct jcs *jcs)
{
    if (merge->count < 2)
        return NULL;
    struct span key = merge_key_of(&merge->key, wanted->tool, wanted->arguments, jcs);
    int64_t index = *names_at(&merge->keys, key);
    struct merge_call *first = &merge->calls[index];
    if (index && first->asked_by != merge->source) {
        first->asked_by = merge->source;
        first->from = (uint32_t)index;
    }
    /* Past those that are taken, so that many equal calls cost no more than others. */
    while (first->from && merge->calls[first->from].taken_by == merge->source)
        first->from = merge->calls[first->from].next;
    for (uint32_t at = first->from; at; at = merge->calls[at].next) {
        struct merge_call *call = &merge->calls[at];
        if (call->taken_by == merge->source || !fits(call, wanted))
            continue;
        call->taken_by = merge->source;
        return call;
    }
    return NULL;
}
