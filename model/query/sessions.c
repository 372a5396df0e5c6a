/* The list of sessions, and finding one by a word. */
#include <stdlib.h>

#include "base/mem.h"
#include "model/query/evidence.h"
#include "model/query/review_internal.h"
#include "model/query/stream.h"
#include "model/trace/secret.h"

struct sessions_list {
    struct case_file *c;
    struct session_view *items; /* by id */
    size_t count;
};

static int by_id(const void *key, const void *item)
{
    int64_t id = *(const int64_t *)key;
    const struct session_view *view = item;
    return (id > view->id) - (id < view->id);
}

static struct session_view *view_of(const struct sessions_list *list, int64_t id)
{
    return list->count ? bsearch(&id, list->items, list->count, sizeof *list->items, by_id) : NULL;
}

static bool list_sessions(struct sessions_list *list, struct arena *arena, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(list->c),
        "SELECT id, parent_id, key, name, host, (SELECT count(*) FROM session) FROM session ORDER BY id",
        err);
    if (!stmt)
        return false;
    size_t size = 0;
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        if (!list->items) {
            size = (size_t)stmt_int(stmt, 5);
            list->items = arena_array(arena, size, sizeof *list->items);
        }
        if (list->count == size)
            break;
        list->items[list->count++] = (struct session_view){
            .id = stmt_int(stmt, 0),
            .parent = stmt_int(stmt, 1),
            .key = arena_copy(arena, stmt_text(stmt, 2)),
            .name = arena_copy(arena, stmt_text(stmt, 3)),
            .host = arena_copy(arena, stmt_text(stmt, 4)),
            .servers = SPAN_EMPTY,
            .time_digits = -1,
            .worst = -1,
        };
    }
    stmt_finish(stmt);
    return row >= 0;
}

/* ---- what was recorded: one grouped query each; column 0 is the session ---- */

static void take_steps(struct session_view *view, struct stmt *stmt, struct arena *arena)
{
    (void)arena;
    view->steps = stmt_int(stmt, 1);
    view->begin_ns = stmt_int(stmt, 2);
    view->end_ns = stmt_int(stmt, 3);
    view->time_digits = stmt_is_null(stmt, 4) ? -1 : (int)stmt_int(stmt, 4);
}

static void take_events(struct session_view *view, struct stmt *stmt, struct arena *arena)
{
    (void)arena;
    view->events = stmt_int(stmt, 1);
}

static void take_diagnostics(struct session_view *view, struct stmt *stmt, struct arena *arena)
{
    (void)arena;
    view->diagnostics = stmt_int(stmt, 1);
}

static void take_servers(struct session_view *view, struct stmt *stmt, struct arena *arena)
{
    view->servers = arena_copy(arena, stmt_text(stmt, 1));
}

static void sessions_take_evidence(struct session_view *view, struct stmt *stmt,
                                   struct arena *arena)
{
    (void)arena;
    view->evidence_refs = stmt_int(stmt, 1);
    view->evidence_recomputed = stmt_int(stmt, 2);
}

struct sessions_fact {
    const char *sql;
    void (*take)(struct session_view *view, struct stmt *stmt, struct arena *arena);
};

static const struct sessions_fact servers = {
    /* In the order in which the case met them. A transcript has calls to servers and no
       connections: from one server that was called to the next by index, past a million calls. */
    "WITH RECURSIVE called(session_id, server_id) AS ("
    "SELECT id, (SELECT min(server_id) FROM step WHERE session_id = session.id AND kind = 'tool_call')"
    " FROM session UNION ALL SELECT session_id, (SELECT min(server_id) FROM step"
    " WHERE step.session_id = called.session_id AND step.server_id > called.server_id"
    " AND kind = 'tool_call') FROM called WHERE server_id IS NOT NULL),"
    " met AS (SELECT session_id, server_id FROM connection UNION SELECT * FROM called"
    " UNION SELECT session_id, definition.server_id FROM definition JOIN step ON step.id = step_id"
    " WHERE definition.connection_id IS NULL)"
    " SELECT session_id, group_concat(name, ', ') FROM (SELECT session_id, name"
    " FROM met JOIN server ON server.id = server_id ORDER BY session_id, server_id)"
    " GROUP BY session_id",
    take_servers};

static const struct sessions_fact facts[] = {
    {"SELECT session_id, count(*), min(time_ns + clock_offset_ns), max(time_ns + clock_offset_ns),"
     " max(time_digits) FROM step JOIN source ON source.id = source_id GROUP BY session_id",
     take_steps},
    {"SELECT session_id, count(*) FROM event GROUP BY session_id", take_events},
    {"SELECT session_id, count(*) FROM session_source JOIN diagnostic USING(source_id) GROUP BY session_id",
     take_diagnostics},
    {"SELECT session_id, count(*), coalesce(sum(verdict = 'recomputed'), 0) FROM evidence_ref"
     " JOIN step ON step.id = step_id LEFT JOIN evidence_verdict ON ref_id = evidence_ref.id"
     " GROUP BY session_id",
     sessions_take_evidence},
};

static bool fill_fact(struct sessions_list *list, const struct sessions_fact *fact,
                      struct arena *arena, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(list->c), fact->sql, err);
    int row = -1;
    while (stmt && (row = stmt_step(stmt, err)) > 0) {
        struct session_view *view = view_of(list, stmt_int(stmt, 0));
        if (view)
            fact->take(view, stmt, arena);
    }
    stmt_finish(stmt);
    return row == 0;
}

static bool fill_facts(struct sessions_list *list, struct arena *arena, struct err *err)
{
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (!fill_fact(list, &facts[i], arena, err))
            return false;
    return true;
}

/* ---- what replay says ---- */

static bool fill_run(struct case_file *c, struct session_view *view, const struct run *run,
                     struct err *err)
{
    view->first_untrusted = run->first_untrusted;
    view->first_private = run->first_private;
    view->first_denied = run->first_denied;
    view->denied = run->denied;
    view->asked = run->asked;
    view->unclaimed = run->unclaimed;
    view->checked = run->checked;
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT max(severity) FROM finding WHERE run_id=?1 AND suppressed IS NULL", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, run->id);
    int row = stmt_step(stmt, err);
    view->worst = row > 0 && !stmt_is_null(stmt, 0) ? (int)stmt_int(stmt, 0) : -1;
    stmt_finish(stmt);
    return row > 0;
}

static bool fill_runs(struct sessions_list *list, const struct policy *policy, struct err *err)
{
    const struct run_options options = {.policy = policy};
    bool own = false, ok = true; /* one transaction for all that must be replayed */
    for (size_t i = 0; ok && i < list->count; i++) {
        struct run run;
        ok = run_find(list->c, list->items[i].id, policy, &run, err);
        if (ok && !run.id) {
            if (!own && !db_in_transaction(case_db(list->c)))
                ok = own = case_begin_derived(list->c, err);
            struct label_pool *pool = label_pool_create();
            ok = ok && run_ensure(list->c, list->items[i].id, &options, pool, &run, err);
            label_pool_destroy(pool);
        }
        ok = ok && fill_run(list->c, &list->items[i], &run, err);
    }
    if (own && ok)
        ok = db_commit(case_db(list->c), err);
    if (own && !ok)
        db_rollback(case_db(list->c));
    return ok;
}

bool query_sessions(struct case_file *c, const struct policy *policy, struct arena *arena,
                    struct session_view **out, size_t *count, struct err *err)
{
    struct sessions_list list = {.c = c};
    bool pending = false;
    bool ok = case_evidence_pending(c, &pending, err) &&
              (!pending || case_resolve_evidence(c, NULL, NULL, NULL, err)) &&
              list_sessions(&list, arena, err) && fill_fact(&list, &servers, arena, err) &&
              fill_facts(&list, arena, err) && (!policy || fill_runs(&list, policy, err));
    *out = ok ? list.items : NULL;
    *count = ok ? list.count : 0;
    return ok;
}

bool query_session_names(struct case_file *c, struct arena *arena, struct session_view **out,
                         size_t *count, struct err *err)
{
    struct sessions_list list = {.c = c};
    bool ok = list_sessions(&list, arena, err) && fill_fact(&list, &servers, arena, err);
    *out = ok ? list.items : NULL;
    *count = ok ? list.count : 0;
    return ok;
}

/* ---- finding one ---- */

static bool no_session(struct case_file *c, const char *what, struct span word, struct err *err)
{
    enum { LISTED = 8 };
    struct buf todo = {0};
    struct stmt *stmt = db_stmt(
        case_db(c), "SELECT id, name FROM session WHERE parent_id IS NULL ORDER BY id", err);
    if (!stmt)
        return false;
    int row, listed = 0;
    while ((row = stmt_step(stmt, err)) > 0 && listed < LISTED) {
        struct span name = span_sub(stmt_text(stmt, 1), 0, 40);
        buf_addf(&todo, "%s%lld %.*s", listed++ ? ", " : "it has: ", (long long)stmt_int(stmt, 0),
                 SPAN_ARG(name));
    }
    if (row > 0)
        buf_puts(&todo, ", …");
    stmt_finish(stmt);
    word = span_sub(word, 0, 100);
    err_set(err, ERR_USAGE, case_path(c), buf_cstr(&todo), "%s%.*s", what, SPAN_ARG(word));
    buf_finish(&todo);
    return false;
}

/* How many sessions a query gives, and the first. */
static int count_of(struct case_file *c, const char *sql, struct span word, int64_t *id,
                    struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), sql, err);
    if (!stmt)
        return -1;
    unsigned long long number = 0;
    bool numeric = span_to_u64(word, &number) && number <= INT64_MAX;
    if (strstr(sql, "?1"))
        stmt_bind_text(stmt, 1, word);
    if (strstr(sql, "?2"))
        stmt_bind_int(stmt, 2, numeric ? (int64_t)number : 0);
    int count = 0, row;
    while ((row = stmt_step(stmt, err)) > 0 && count < 2)
        if (count++ == 0)
            *id = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return row < 0 ? -1 : count;
}

bool query_session_opening(struct case_file *c, int64_t session, struct buf *file,
                           struct buf *asked, struct err *err)
{
    enum { STEPS = 64, BYTES = 2000 };
    struct stream *stream = stream_open(c, session, 1, 0, err);
    struct streamed at;
    struct buf text = {0};
    bool found = false;
    int more = stream ? 1 : -1;
    for (int steps = 0; !found && steps < STEPS && more > 0; steps++) {
        bool cut;
        more = stream_next(stream, &at, err);
        if (more > 0 && !steps)
            buf_add(file, at.file);
        if (more <= 0 || at.step.kind != STEP_PROMPT || at.step.tool.len)
            continue;
        struct buf prompt = {0};
        if (!case_read(c, &at.step.body, BYTES, &prompt, &cut, err))
            more = -1;
        struct span said = span_trim(buf_span(&prompt));
        found = said.len && said.at[0] != '<';
        if (found || !text.len) {
            buf_clear(&text);
            buf_add(&text, said);
        }
        buf_finish(&prompt);
    }
    secrets_mask(asked, buf_span(&text));
    buf_finish(&text);
    stream_close(stream);
    return more >= 0;
}

bool query_session_find(struct case_file *c, struct span word, int64_t *id, struct err *err)
{
    static const char *const ways[] = {
        "SELECT id FROM session WHERE id=?2",
        "SELECT id FROM session WHERE name=?1",
        "SELECT id FROM session WHERE key=?1",
        "SELECT id FROM session WHERE substr(key, 1, length(?1)) = ?1",
        "SELECT id FROM session WHERE substr(name, 1, length(?1)) = ?1",
    };
    static const char only[] = "SELECT id FROM session WHERE parent_id IS NULL";
    if (span_is_empty(word)) {
        int count = count_of(c, only, word, id, err);
        if (count < 0)
            return false;
        if (count == 0)
            return err_set(err, ERR_INPUT, case_path(c), "import a log into it",
                           "the case has no session");
        return count == 1 ||
               no_session(c, "the case has several sessions: name one", SPAN_EMPTY, err);
    }
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        int count = count_of(c, ways[i], word, id, err);
        if (count < 0)
            return false;
        if (count == 1)
            return true;
        if (count > 1)
            return no_session(c, "several sessions are called ", word, err);
    }
    return no_session(c, "no session is called ", word, err);
}
