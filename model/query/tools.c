#include "model/query/tools.h"

#include "model/evidence/digest.h"
#include "model/query/review_internal.h"

struct tools_list {
    struct arena *arena;
    struct tool_view *tools;
    size_t count, room;
};

/* The last tool where it is this one, else a new one behind it: rows come ordered by server and
 * tool. */
static struct tool_view *tool_of(struct tools_list *l, struct span server, struct span tool)
{
    struct tool_view *last = l->count ? &l->tools[l->count - 1] : NULL;
    if (last && span_equal(last->server, server) && span_equal(last->tool, tool))
        return last;
    l->tools = arena_one_more(l->arena, l->tools, l->count, &l->room, sizeof *l->tools);
    l->tools[l->count] = (struct tool_view){.server = arena_copy(l->arena, server),
                                            .tool = arena_copy(l->arena, tool)};
    return &l->tools[l->count++];
}

static enum tri tri_at(struct stmt *stmt, int column)
{
    return stmt_is_null(stmt, column) ? TRI_ABSENT : stmt_int(stmt, column) ? TRI_TRUE : TRI_FALSE;
}

static struct span tools_digest_text(struct arena *arena, struct span digest)
{
    if (digest.len != 32)
        return (struct span){0};
    struct buf text = {0};
    buf_puts(&text, "sha256:");
    hex_encode(&text, digest);
    struct span kept = arena_copy(arena, buf_span(&text));
    buf_finish(&text);
    return kept;
}

/* One row of the definitions: another version, or the same text once more. */
static void add_version(struct tools_list *l, struct tool_view *tool, struct stmt *stmt)
{
    struct span digest = tools_digest_text(l->arena, stmt_blob(stmt, 4));
    struct tool_version *last =
        tool->version_count ? &tool->versions[tool->version_count - 1] : NULL;
    tool->listed++;
    if (last && digest.at && last->digest.at && span_equal(last->digest, digest))
        return;
    struct tool_version *more = arena_array(l->arena, tool->version_count + 1, sizeof *more);
    if (tool->version_count)
        memcpy(more, tool->versions, tool->version_count * sizeof *more);
    more[tool->version_count++] = (struct tool_version){
        .id = stmt_int(stmt, 2),
        .n = stmt_int(stmt, 3),
        .digest = digest,
        .hints = {true, tri_at(stmt, 5), tri_at(stmt, 6), tri_at(stmt, 7), tri_at(stmt, 8)}};
    tool->versions = more;
}

bool review_tools(struct review *r, struct arena *arena, struct tool_view **out, size_t *count,
                  struct err *err)
{
    /* Definitions in order of their steps (kind 0), and the calls behind them (kind 1), by tool. */
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT coalesce(server.name, ''), d.tool, d.id, s.n, d.digest, d.read_only, d.destructive,"
        " d.idempotent, d.open_world, 0 AS kind, 0 AS calls"
        " FROM definition d JOIN step s ON s.id = d.step_id LEFT JOIN server ON server.id = d.server_id"
        " WHERE s.session_id = ?1"
        " UNION ALL"
        " SELECT coalesce(server.name, ''), coalesce(u.tool, ''), 0, min(u.n), NULL, NULL, NULL, NULL, NULL, 1,"
        " sum(u.calls) FROM (SELECT server_id, tool, min(n) AS n, count(*) AS calls FROM step"
        " WHERE session_id = ?1 AND kind = 'tool_call' GROUP BY server_id, tool) u"
        " LEFT JOIN server ON server.id = u.server_id GROUP BY 1, 2"
        " ORDER BY 1, 2, 10, 4, 3",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, r->session);
    struct tools_list l = {.arena = arena};
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        struct tool_view *tool = tool_of(&l, stmt_text(stmt, 0), stmt_text(stmt, 1));
        if (stmt_int(stmt, 9)) {
            tool->calls = stmt_int(stmt, 10);
            tool->first_call = stmt_int(stmt, 3);
        } else {
            add_version(&l, tool, stmt);
        }
    }
    stmt_finish(stmt);
    *out = l.tools;
    *count = l.count;
    return row == 0;
}

bool review_definition(struct review *r, int64_t id, uint64_t limit, struct buf *out, bool *cut,
                       struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->c),
        "SELECT d.source_id, d.offset, d.length, d.recipe FROM definition d JOIN step s ON s.id = d.step_id"
        " WHERE d.id = ?1 AND s.session_id = ?2",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, id);
    stmt_bind_int(stmt, 2, r->session);
    int row = stmt_step(stmt, err);
    struct buf recipe = {0};
    if (row > 0)
        buf_add(&recipe, stmt_text(stmt, 3));
    struct extent at = {row > 0 ? stmt_int(stmt, 0) : 0, row > 0 ? (uint64_t)stmt_int(stmt, 1) : 0,
                        row > 0 ? (uint64_t)stmt_int(stmt, 2) : 0, buf_span(&recipe)};
    stmt_finish(stmt);
    bool good =
        row > 0 ? case_read(r->c, &at, limit, out, cut, err)
                : row == 0 && err_set(err, ERR_INPUT, case_path(r->c), NULL,
                                      "there is no definition %lld in this session", (long long)id);
    buf_finish(&recipe);
    return good;
}
