#include "model/case/combine.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/slice.h"
#include "model/case/case_internal.h"
#include "model/case/store.h"

/* Tables whose rows have ids that others name. */
enum room { SOURCE, SERVER, SESSION, CONNECTION, EVENT, STEP, DEFINITION, ROOMS, NONE = ROOMS };
static const char *const room_names[] = {"source", "server", "session",   "connection",
                                         "event",  "step",   "definition"};

/* A column `THING_id` names a row of the table THING; these have other names. */
static const struct {
    const char *column;
    enum room room;
} named_otherwise[] = {
    {"parent_id", SESSION},
    {"child_id", SESSION},
    {"call_id", STEP},
    {"pair_id", EVENT},
};

struct pair {
    int64_t from, to;
};

/* How ids of one table change: those in the list as it says, all others by the same amount. */
struct id_map {
    struct pair *pairs; /* in order of `from` */
    size_t count, size;
    int64_t shift;
};

struct case_combining {
    struct case_file *into, *from;
    struct id_map maps[ROOMS];
    struct combine_totals *totals;
    const struct combine_options *options;
    int64_t rows; /* copied so far */
};

enum { COMBINE_STOP_EVERY = 4096, COLUMNS_MOST = 32 };

/* ---- ids ---- */

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

static int64_t map_id(const struct id_map *map, int64_t from)
{
    const struct pair key = {from, 0};
    const struct pair *found =
        map->count ? bsearch(&key, map->pairs, map->count, sizeof key, compare_pairs) : NULL;
    return found ? found->to : (int64_t)((uint64_t)from + (uint64_t)map->shift);
}

static void map_add(struct id_map *map, int64_t from, int64_t to)
{
    map->pairs = mem_one_more(map->pairs, map->count, &map->size, sizeof *map->pairs);
    map->pairs[map->count++] = (struct pair){from, to};
}

static enum room room_of_column(struct span column)
{
    for (size_t i = 0; i < COUNT_OF(named_otherwise); i++)
        if (span_is(column, named_otherwise[i].column))
            return named_otherwise[i].room;
    if (!span_ends_with(column, SPAN("_id")))
        return NONE;
    for (int i = 0; i < ROOMS; i++)
        if (span_is(span_sub(column, 0, column.len - 3), room_names[i]))
            return (enum room)i;
    return NONE;
}

/* New rows get ids above all that are there. */
static bool find_shifts(struct case_combining *k, struct err *err)
{
    for (int i = 0; i < ROOMS; i++) {
        struct buf sql = {0};
        buf_addf(&sql, "SELECT coalesce(max(id), 0) FROM main.%s", room_names[i]);
        struct stmt *stmt = db_prepare(k->into->db, buf_span(&sql), err);
        bool ok = stmt && stmt_step(stmt, err) > 0;
        k->maps[i].shift = ok ? stmt_int(stmt, 0) : 0;
        stmt_finish(stmt);
        buf_finish(&sql);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- copying rows ---- */

/* "INSERT INTO main.T(a, b) VALUES(?1, ?2)", with the columns of the row. Of a table that others
 * don't name, the id is left to SQLite. */
static struct stmt *prepare_insert(struct case_combining *k, const char *table, struct stmt *row,
                                   bool own_id, struct err *err)
{
    struct buf sql = {0};
    int columns = stmt_columns(row);
    buf_addf(&sql, "INSERT INTO main.%s(", table);
    for (int i = 0; i < columns; i++)
        buf_addf(&sql, "%s%.*s", i ? ", " : "", SPAN_ARG(stmt_column_name(row, i)));
    buf_puts(&sql, ") VALUES(");
    for (int i = 0; i < columns; i++) {
        bool drop = !own_id && span_is(stmt_column_name(row, i), "id");
        buf_addf(&sql, drop ? "%sNULL" : "%s?%d", i ? ", " : "", i + 1);
    }
    buf_byte(&sql, ')');
    struct stmt *insert = db_prepare(k->into->db, buf_span(&sql), err);
    buf_finish(&sql);
    return insert;
}

/* The bytes as they are to be copied; where they are changed, they are in `room`. */
static bool changed_bytes(struct case_combining *k, const char *table, struct stmt *row, int i,
                          struct span *bytes, struct buf *room, struct err *err)
{
    const struct combine_options *o = k->options;
    const struct combine_value value = {table, stmt_column_name(row, i), *bytes, row, i};
    bool changed = false;
    buf_clear(room);
    if (o->change && !o->change(o->arg, &value, room, &changed, err))
        return false;
    if (changed)
        *bytes = buf_span(room);
    return true;
}

static bool bind_column(struct case_combining *k, const char *table, struct stmt *insert,
                        struct stmt *row, int i, enum room own, struct buf *changed,
                        struct err *err)
{
    struct span column = stmt_column_name(row, i), bytes;
    enum room room = own != NONE && span_is(column, "id") ? own : room_of_column(column);
    switch (stmt_type(row, i)) {
    case SQLITE_INTEGER:
        stmt_bind_int(insert, i + 1,
                      room == NONE ? stmt_int(row, i) : map_id(&k->maps[room], stmt_int(row, i)));
        return true;
    case SQLITE_TEXT:
        bytes = stmt_text(row, i);
        if (!changed_bytes(k, table, row, i, &bytes, changed, err))
            return false;
        stmt_bind_text(insert, i + 1, bytes);
        return true;
    case SQLITE_BLOB:
        bytes = stmt_blob(row, i);
        if (!changed_bytes(k, table, row, i, &bytes, changed, err))
            return false;
        stmt_bind_blob(insert, i + 1, bytes);
        return true;
    default:
        stmt_bind_null(insert, i + 1);
        return true;
    }
}

/* Copies the rows of `table` that `where` (with ?1 for `id`) selects. `own`: what its ids are. */
static bool copy_rows(struct case_combining *k, const char *table, enum room own, const char *where,
                      int64_t id, struct err *err)
{
    struct buf sql = {0};
    buf_addf(&sql, "SELECT t.* FROM main.%s t %s ORDER BY 1", table, where);
    struct stmt *rows = db_prepare(k->from->db, buf_span(&sql), err);
    struct stmt *insert = rows ? prepare_insert(k, table, rows, own != NONE, err) : NULL;
    struct buf changed[COLUMNS_MOST] = {{0}};
    const struct combine_options *o = k->options;
    bool ok = insert != NULL;
    int more = 0;
    if (ok)
        stmt_bind_int(rows, 1, id);
    while (ok && (more = stmt_step(rows, err)) > 0) {
        for (int i = 0; ok && i < stmt_columns(rows) && i < COLUMNS_MOST; i++)
            ok = bind_column(k, table, insert, rows, i, own, &changed[i], err);
        ok = ok && stmt_run(insert, err);
        if (ok && ++k->rows % COMBINE_STOP_EVERY == 0 && o->stop && o->stop(o->arg))
            ok = err_set(err, ERR_INTERNAL, case_where(k->into), "run it again",
                         "interrupted, so nothing was added");
    }
    for (int i = 0; i < COLUMNS_MOST; i++)
        buf_finish(&changed[i]);
    stmt_finish(insert);
    stmt_finish(rows);
    buf_finish(&sql);
    return ok && more == 0;
}

/* ---- sources and servers ---- */

/* The source here that has the same bytes in the same role; 0 where there is none. */
static bool find_source(struct case_combining *k, struct span sha256, struct span role, int64_t *id,
                        struct err *err)
{
    struct stmt *stmt =
        db_stmt(k->into->db,
                "SELECT id FROM main.source WHERE sha256 = ?1 AND role = ?2 AND complete", err);
    if (!stmt)
        return false;
    stmt_bind_blob(stmt, 1, sha256);
    stmt_bind_text(stmt, 2, role);
    int row = stmt_step(stmt, err);
    *id = row > 0 ? stmt_int(stmt, 0) : 0;
    stmt_reset(stmt);
    return row >= 0;
}

static bool copy_source(struct case_combining *k, int64_t id, struct err *err)
{
    static const struct {
        const char *table, *where;
        enum room own;
    } parts[] = {
        {"source", "WHERE id = ?1", SOURCE},       {"frame", "WHERE source_id = ?1", NONE},
        {"account", "WHERE source_id = ?1", NONE}, {"diagnostic", "WHERE source_id = ?1", NONE},
        {"record", "WHERE source_id = ?1", NONE},  {"redaction", "WHERE source_id = ?1", NONE},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!copy_rows(k, parts[i].table, parts[i].own, parts[i].where, id, err))
            return false;
    k->totals->sources++;
    return true;
}

static bool copy_sources(struct case_combining *k, struct err *err)
{
    struct stmt *stmt = db_prepare(
        k->from->db, SPAN("SELECT id, sha256, role, complete FROM main.source ORDER BY id"), err);
    bool ok = stmt != NULL;
    int more = 0;
    while (ok && (more = stmt_step(stmt, err)) > 0) {
        int64_t id = stmt_int(stmt, 0), held = 0;
        bool whole = stmt_int(stmt, 3) && !stmt_is_null(stmt, 1);
        ok = !whole || find_source(k, stmt_blob(stmt, 1), stmt_text(stmt, 2), &held, err);
        if (ok && held) {
            map_add(&k->maps[SOURCE], id, held);
            k->totals->held_sources++;
        } else if (ok) {
            ok = copy_source(k, id, err);
        }
    }
    stmt_finish(stmt);
    return ok && more == 0;
}

static bool map_servers(struct case_combining *k, struct err *err)
{
    struct stmt *stmt =
        db_prepare(k->from->db, SPAN("SELECT id, name FROM main.server ORDER BY id"), err);
    bool ok = stmt != NULL;
    struct buf changed = {0};
    int more = 0;
    while (ok && (more = stmt_step(stmt, err)) > 0) {
        struct span name = stmt_text(stmt, 1);
        ok = changed_bytes(k, "server", stmt, 1, &name, &changed, err);
        int64_t here = ok ? store_server(k->into, name, err) : 0;
        ok = here != 0;
        map_add(&k->maps[SERVER], stmt_int(stmt, 0), here);
    }
    buf_finish(&changed);
    stmt_finish(stmt);
    return ok && more == 0;
}

/* ---- sessions ---- */

/* What a session is told by: its names, and the digests of all it was read from. */
struct known_session {
    struct span told;
    int64_t id;
};

static int compare_known(const void *a, const void *b)
{
    const struct known_session *x = a, *y = b;
    int order = span_compare(x->told, y->told);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* The sessions of a case by what tells them, sorted; in the arena. */
static bool combine_list(struct case_file *c, struct arena *arena, struct known_session **list,
                         size_t *count, struct err *err)
{
    static const char counting[] = "SELECT count(*) FROM main.session";
    static const char listing[] =
        "SELECT id, quote(key) || quote(name) || quote(host) || (SELECT group_concat("
        "coalesce(hex(sha256), 'source ' || id)) FROM (SELECT source.id, sha256 FROM"
        " main.session_source JOIN main.source ON source.id = source_id"
        " WHERE session_source.session_id = session.id ORDER BY sha256, source.id))"
        " FROM main.session";
    struct stmt *stmt = db_stmt(c->db, counting, err);
    int row = stmt ? stmt_step(stmt, err) : -1;
    size_t most = row > 0 ? (size_t)stmt_int(stmt, 0) : 0;
    stmt_finish(stmt);
    *list = arena_array(arena, most + 1, sizeof **list);
    *count = 0;
    stmt = row > 0 ? db_stmt(c->db, listing, err) : NULL;
    while (stmt && *count < most && (row = stmt_step(stmt, err)) > 0)
        (*list)[(*count)++] =
            (struct known_session){arena_copy(arena, stmt_text(stmt, 1)), stmt_int(stmt, 0)};
    stmt_finish(stmt);
    qsort(*list, *count, sizeof **list, compare_known);
    return stmt && row >= 0;
}

/* Pairs the sessions that both cases have; both lists are sorted. */
static void pair_sessions(struct case_combining *k, const struct known_session *mine,
                          size_t mine_count, const struct known_session *theirs, size_t their_count)
{
    struct id_map *map = &k->maps[SESSION];
    for (size_t i = 0, j = 0; i < mine_count && j < their_count;) {
        int order = span_compare(mine[i].told, theirs[j].told);
        if (order == 0)
            map_add(map, theirs[j].id, mine[i].id);
        i += order <= 0;
        j += order >= 0;
    }
    if (map->count)
        qsort(map->pairs, map->count, sizeof *map->pairs, compare_pairs);
}

#define OF_STEP "JOIN main.step s ON s.id = t.step_id WHERE s.session_id = ?1"

static bool copy_session(struct case_combining *k, int64_t id, struct err *err)
{
    static const struct {
        const char *table, *where;
        enum room own;
    } parts[] = {
        {"session", "WHERE id = ?1", SESSION},
        {"session_source", "WHERE session_id = ?1", NONE},
        {"connection", "WHERE session_id = ?1", CONNECTION},
        {"event", "WHERE session_id = ?1", EVENT},
        {"step", "WHERE session_id = ?1", STEP},
        {"step_source", OF_STEP, NONE},
        {"definition", OF_STEP, DEFINITION},
        {"claim", OF_STEP, NONE},
        {"evidence_ref", OF_STEP, NONE},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!copy_rows(k, parts[i].table, parts[i].own, parts[i].where, id, err))
            return false;
    k->totals->sessions++;
    return true;
}

/* A note that is not here yet, at the step of the same number. A mark that is taken stays. */
static bool copy_note(struct case_combining *k, struct stmt *note, struct err *err)
{
    struct stmt *stmt = db_stmt(
        k->into->db,
        "INSERT INTO main.note(session_id, step_id, mark, text, created_at)"
        " SELECT ?1, (SELECT id FROM main.step WHERE session_id = ?1 AND n = ?2), ?3, ?4, ?5"
        " WHERE NOT EXISTS (SELECT 1 FROM main.note WHERE session_id = ?1 AND (mark = ?3 OR"
        " (mark IS ?3 AND text = ?4 AND created_at = ?5)))",
        err);
    struct span text = stmt_text(note, 3);
    struct buf changed = {0};
    if (!stmt || !changed_bytes(k, "note", note, 3, &text, &changed, err)) {
        buf_finish(&changed);
        return false;
    }
    stmt_bind_int(stmt, 1, map_id(&k->maps[SESSION], stmt_int(note, 0)));
    stmt_bind_int_or_null(stmt, 2, stmt_int(note, 1), !stmt_is_null(note, 1));
    stmt_bind_text(stmt, 3, stmt_text(note, 2));
    stmt_bind_text(stmt, 4, text);
    stmt_bind_text(stmt, 5, stmt_text(note, 4));
    bool ok = stmt_run(stmt, err);
    buf_finish(&changed);
    k->totals->notes += ok ? sqlite3_changes(db_handle(k->into->db)) : 0;
    return ok;
}

static bool copy_notes(struct case_combining *k, struct err *err)
{
    struct stmt *stmt =
        db_prepare(k->from->db,
                   SPAN("SELECT note.session_id, step.n, mark, text, created_at FROM main.note"
                        " LEFT JOIN main.step ON step.id = note.step_id ORDER BY note.id"),
                   err);
    bool ok = stmt != NULL;
    int more = 0;
    while (ok && (more = stmt_step(stmt, err)) > 0)
        ok = copy_note(k, stmt, err);
    stmt_finish(stmt);
    return ok && more == 0;
}

static bool copy_sessions(struct case_combining *k, struct err *err)
{
    struct arena arena = {0};
    struct known_session *mine, *theirs;
    size_t mine_count, their_count;
    bool ok = combine_list(k->into, &arena, &mine, &mine_count, err) &&
              combine_list(k->from, &arena, &theirs, &their_count, err);
    if (ok)
        pair_sessions(k, mine, mine_count, theirs, their_count);
    size_t held = k->maps[SESSION].count;
    for (size_t i = 0; ok && i < their_count; i++) {
        const struct pair key = {theirs[i].id, 0};
        if (held && bsearch(&key, k->maps[SESSION].pairs, held, sizeof key, compare_pairs))
            k->totals->held_sessions++;
        else
            ok = copy_session(k, theirs[i].id, err);
    }
    arena_finish(&arena);
    return ok;
}

bool case_combine(struct case_file *into, struct case_file *from,
                  const struct combine_options *options, struct combine_totals *totals,
                  struct err *err)
{
    struct case_combining k = {.into = into, .from = from, .totals = totals, .options = options};
    struct combine_totals before = *totals;
    bool ok = db_begin(into->db, err);
    if (ok) {
        ok = find_shifts(&k, err) && copy_sources(&k, err) && map_servers(&k, err) &&
             copy_sessions(&k, err) && copy_notes(&k, err) && store_drop_derived(into, err) &&
             (!options->also || options->also(options->arg, err)) && db_commit(into->db, err);
        if (!ok)
            db_rollback(into->db);
        store_forget_tails(into);
    }
    if (!ok)
        *totals = before;
    for (int i = 0; i < ROOMS; i++)
        mem_free(k.maps[i].pairs);
    return ok;
}
