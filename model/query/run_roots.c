/* What hosts declared to their servers as roots, for the checks. */
#include "base/jsonr.h"
#include "model/query/review_internal.h"

/* The answer to one `roots/list`: {"result": {"roots": [{"uri": …}]}}. */
static void declare_all(struct checks *checks, struct span server, struct span answer)
{
    struct span roots, uri;
    struct buf url = {0};
    if (!jsonr_pointer(answer, SPAN("/result/roots"), &roots) || !jsonr_is_array(roots))
        return;
    struct jsonr_items items;
    jsonr_items_init(&items, roots);
    while (jsonr_items_next(&items)) {
        if (!jsonr_member(items.value, "uri", &uri) || !jsonr_is_string(uri))
            continue;
        buf_clear(&url);
        jsonr_string(uri, &url, NULL);
        checks_declare_root(checks, server, buf_span(&url));
    }
    buf_finish(&url);
}

bool run_declare_roots(struct case_file *c, int64_t session, struct checks *checks, struct err *err)
{
    enum { ANSWERS = 1000, ANSWER_BYTES = 64 << 10, EVENTS_BETWEEN = 1000 };
    struct stmt *stmt =
        db_prepare(case_db(c),
                   SPAN("SELECT v.name, a.source_id, a.offset, a.length, a.recipe FROM event q"
                        " JOIN event a ON a.id BETWEEN q.id - ?3 AND q.id + ?3 AND a.pair_id = q.id"
                        " JOIN connection k ON k.id = a.connection_id"
                        " JOIN server v ON v.id = k.server_id"
                        " WHERE q.session_id=?1 AND q.method='roots/list' AND a.kind='response'"
                        " ORDER BY a.id LIMIT ?2"),
                   err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, ANSWERS);
    stmt_bind_int(stmt, 3, EVENTS_BETWEEN);
    struct buf answer = {0}, server = {0}, recipe = {0};
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        buf_clear(&answer);
        buf_clear(&server);
        buf_clear(&recipe);
        buf_add(&server, stmt_text(stmt, 0)); /* reading asks other rows, and the text may move */
        buf_add(&recipe, stmt_text(stmt, 4));
        struct extent at = {stmt_int(stmt, 1), (uint64_t)stmt_int(stmt, 2),
                            (uint64_t)stmt_int(stmt, 3), buf_span(&recipe)};
        struct err unread = {0};
        if (case_read(c, &at, ANSWER_BYTES, &answer, NULL, &unread))
            declare_all(checks, buf_span(&server), buf_span(&answer));
    }
    stmt_finish(stmt);
    buf_finish(&answer);
    buf_finish(&server);
    buf_finish(&recipe);
    return row == 0;
}
