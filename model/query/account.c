#include "model/query/account.h"

#include "model/evidence/digest.h"

static struct span account_kept(struct arena *arena, struct span s)
{
    return s.at ? arena_copy(arena, s) : s;
}

static bool count_rows(struct db *db, const char *sql, size_t *count, struct err *err)
{
    int64_t number;
    bool ok = db_number(db, sql, NULL, 0, &number, err) > 0;
    *count = ok ? (size_t)number : 0;
    return ok;
}

/* Adds one row of the account to its source. */
static void add_account(struct source_view *v, struct arena *arena, struct stmt *s)
{
    struct span kind = stmt_text(s, 0);
    int64_t bytes = stmt_int(s, 3);
    if (span_is(kind, "event"))
        v->event += bytes;
    else if (span_is(kind, "diagnostic"))
        v->diagnostic += bytes;
    else if (span_is(kind, "blank"))
        v->blank += bytes;
    else {
        struct noise_view *more = arena_array(arena, v->noise_count + 1, sizeof *more);
        if (v->noise_count)
            memcpy(more, v->noises, v->noise_count * sizeof *more);
        more[v->noise_count++] =
            (struct noise_view){account_kept(arena, stmt_text(s, 1)), stmt_int(s, 2), bytes};
        v->noises = more;
        v->noise += bytes;
    }
}

static bool read_account(struct db *db, struct source_view *v, struct arena *arena, struct err *err)
{
    struct stmt *s = db_stmt(db,
                             "SELECT kind, detail, units, bytes FROM account"
                             " WHERE source_id = ?1 ORDER BY kind, detail",
                             err);
    if (!s)
        return false;
    int row;
    stmt_bind_int(s, 1, v->id);
    while ((row = stmt_step(s, err)) == 1)
        add_account(v, arena, s);
    stmt_finish(s);
    return row == 0;
}

static struct span hex(struct arena *arena, struct span bytes)
{
    if (!bytes.at || bytes.len == 0)
        return (struct span){0};
    struct buf text = {0};
    hex_encode(&text, bytes);
    struct span kept_text = arena_copy(arena, buf_span(&text));
    buf_finish(&text);
    return kept_text;
}

bool query_sources(struct case_file *c, struct arena *arena, struct source_view **out,
                   size_t *count, struct err *err)
{
    struct db *db = case_db(c);
    size_t room;
    *count = 0;
    if (!count_rows(db, "SELECT count(*) FROM source", &room, err))
        return false;
    struct source_view *views = arena_array(arena, room + 1, sizeof *views);
    struct stmt *s = db_stmt(db,
                             "SELECT id, path, role, format, reason, sha256, bytes, lines,"
                             " confidence, complete,"
                             " (SELECT count(*) FROM diagnostic d WHERE d.source_id = source.id)"
                             " FROM source ORDER BY id",
                             err);
    if (!s)
        return false;
    int row;
    while ((row = stmt_step(s, err)) == 1 && *count < room)
        views[(*count)++] = (struct source_view){
            .id = stmt_int(s, 0),
            .path = account_kept(arena, stmt_text(s, 1)),
            .role = account_kept(arena, stmt_text(s, 2)),
            .format = account_kept(arena, stmt_text(s, 3)),
            .reason = account_kept(arena, stmt_text(s, 4)),
            .sha256 = hex(arena, stmt_blob(s, 5)),
            .bytes = stmt_int(s, 6),
            .lines = stmt_int(s, 7),
            .confidence = stmt_int(s, 8),
            .complete = stmt_int(s, 9) != 0,
            .diagnostic_count = stmt_int(s, 10),
        };
    stmt_finish(s);
    bool ok = row >= 0;
    for (size_t i = 0; ok && i < *count; i++)
        ok = read_account(db, &views[i], arena, err);
    *out = views;
    return ok;
}

bool query_diagnostics(struct case_file *c, int64_t source, int64_t from, size_t most,
                       struct arena *arena, struct diagnostic_view **out, size_t *count,
                       struct err *err)
{
    *count = 0;
    *out = arena_array(arena, most + 1, sizeof **out);
    struct stmt *s = db_stmt(case_db(c),
                             "SELECT line, offset, length, code, what FROM diagnostic"
                             " WHERE source_id = ?1 AND offset >= ?2 ORDER BY offset, id LIMIT ?3",
                             err);
    if (!s)
        return false;
    stmt_bind_int(s, 1, source);
    stmt_bind_int(s, 2, from);
    stmt_bind_int(s, 3, (int64_t)most);
    int row;
    while ((row = stmt_step(s, err)) == 1 && *count < most)
        (*out)[(*count)++] = (struct diagnostic_view){
            .line = stmt_int(s, 0),
            .offset = stmt_int(s, 1),
            .length = stmt_int(s, 2),
            .code = account_kept(arena, stmt_text(s, 3)),
            .what = account_kept(arena, stmt_text(s, 4)),
        };
    stmt_finish(s);
    return row >= 0;
}
