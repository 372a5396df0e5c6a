#include "ingest/merge.h"

#include <stdlib.h>

#include "base/timefmt.h"
#include "model/case/store.h"

enum { CALLS_MOST = 200000 }; /* beyond that a session is a benchmark, and not an incident */

void merge_finish(struct merge *merge)
{
    names_finish(&merge->keys);
    mem_free(merge->calls);
    buf_finish(&merge->key);
    buf_finish(&merge->text);
    *merge = (struct merge){0};
}

/* Tool, and arguments in canonical form where they have one, else as they are. */
static struct span merge_key_of(struct merge *merge, struct span tool, struct span arguments,
                                struct jcs *jcs)
{
    struct jcs_report report;
    buf_clear(&merge->key);
    buf_add(&merge->key, tool);
    buf_byte(&merge->key, '\0');
    size_t before = merge->key.len;
    struct span trimmed = span_trim(arguments);
    if (!trimmed.len || span_is(trimmed, "{}"))
        buf_puts(&merge->key, "{}");
    else if (!jcs_canonicalize(jcs, trimmed, &merge->key, &report)) {
        merge->key.len = before;
        buf_add(&merge->key, arguments);
    }
    return buf_span(&merge->key);
}

static void merge_add(struct merge *merge, struct span key, struct merge_call call)
{
    if (merge->count == merge->size) {
        merge->size = merge->size ? merge->size * 2 : 64;
        merge->calls = mem_resize(merge->calls, merge->size * sizeof *merge->calls);
    }
    int64_t *first = names_at(&merge->keys, key);
    uint32_t index = (uint32_t)merge->count++;
    merge->calls[index] = call;
    if (!*first)
        *first = index;
    else
        merge->calls[merge->calls[*first].last].next = index;
    merge->calls[*first].last = index;
}

static bool take_row(struct merge *merge, struct case_file *c, struct stmt *stmt, struct jcs *jcs,
                     struct err *err)
{
    char recipe[512];
    struct span written = stmt_text(stmt, 4);
    struct extent at = {stmt_int(stmt, 1), (uint64_t)stmt_int(stmt, 2), (uint64_t)stmt_int(stmt, 3),
                        SPAN_EMPTY};
    if (written.len > sizeof recipe)
        return true;
    if (written.len)
        memcpy(recipe, written.at, written.len);
    at.recipe = (struct span){recipe, written.len};
    buf_clear(&merge->text);
    if (!case_read(c, &at, 0, &merge->text, NULL, err))
        return false;
    struct merge_call call = {
        .step = stmt_int(stmt, 0),
        .result = stmt_int(stmt, 6),
        .server = stmt_int(stmt, 7),
        .time_ns = stmt_int(stmt, 8),
        .timed = !stmt_is_null(stmt, 8),
        .shown = stmt_int(stmt, 9) & ROW_SHOWN,
    };
    struct span tool = stmt_text(stmt, 5);
    merge_add(merge, merge_key_of(merge, tool, buf_span(&merge->text), jcs), call);
    return true;
}

bool merge_load(struct merge *merge, struct case_file *c, int64_t session, int64_t but_source,
                struct jcs *jcs, struct err *err)
{
    merge_finish(merge);
    merge->session = session;
    merge_add(merge, SPAN_EMPTY, (struct merge_call){0});
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT s.id, s.source_id, s.offset, s.length, s.recipe, s.tool,"
                " (SELECT min(r.id) FROM step r WHERE r.call_id=s.id AND r.kind='tool_result'),"
                " s.server_id, s.time_ns, s.flags FROM step s"
                " WHERE s.session_id=?1 AND s.source_id<>?2 AND s.kind='tool_call'"
                /* but those that this source has told already, before its file grew */
                " AND NOT EXISTS (SELECT 1 FROM step_source t JOIN event e ON e.id=t.event_id"
                "  WHERE t.step_id=s.id AND e.source_id=?2)"
                " ORDER BY s.n LIMIT ?3",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, but_source);
    stmt_bind_int(stmt, 3, CALLS_MOST);
    int row;
    while ((row = stmt_step(stmt, err)) > 0 && take_row(merge, c, stmt, jcs, err))
        ;
    stmt_finish(stmt);
    return row == 0;
}

/* Times of two recordings of one call differ by what lies between their writers. */
static bool fits(const struct merge_call *call, const struct merge_wanted *wanted)
{
    int64_t gap = 30 * TIME_SECOND; /* host and wire */
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
    struct span key = merge_key_of(merge, wanted->tool, wanted->arguments, jcs);
    int64_t *first = names_at(&merge->keys, key);
    while (*first &&
           merge->calls[*first].taken) /* so that many equal calls cost no more than others */
        *first = merge->calls[*first].next;
    for (int64_t at = *first; at; at = merge->calls[at].next) {
        struct merge_call *call = &merge->calls[at];
        if (call->taken || !fits(call, wanted))
            continue;
        call->taken = true;
        return call;
    }
    return NULL;
}
