#include "model/query/notes.h"

#include <time.h>

#include "model/case/db.h"

static bool writable(struct case_file *c, struct err *err)
{
    return case_is_writable(c) ||
           err_set(err, ERR_INPUT, case_path(c), "copy it to a place where you may write",
                   "this case is read-only, so notes can't be kept");
}

/* UTC now, as RFC 3339. */
static struct span now_text(char text[32])
{
    time_t now = time(NULL);
    struct tm tm;
    gmtime_r(&now, &tm);
    return (struct span){text, strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &tm)};
}

bool notes_list(struct case_file *c, int64_t session, int64_t n, struct arena *arena,
                struct note_view **out, size_t *count, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT note.id, coalesce(step.n, 0), note.mark, note.text, note.created_at,"
                " note.session_id FROM note LEFT JOIN step ON step.id = note.step_id"
                " WHERE (?1 = 0 OR note.session_id = ?1) AND (?2 = 0 OR step.n = ?2)"
                " ORDER BY 6, 2, 1",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, n);
    size_t room = 0, used = 0;
    struct note_view *notes = NULL;
    int got;
    while ((got = stmt_step(stmt, err)) > 0) {
        notes = arena_one_more(arena, notes, used, &room, sizeof *notes);
        struct span mark = stmt_text(stmt, 2);
        notes[used++] = (struct note_view){.id = stmt_int(stmt, 0),
                                           .session = stmt_int(stmt, 5),
                                           .n = stmt_int(stmt, 1),
                                           .mark = mark.len ? mark.at[0] : 0,
                                           .text = arena_copy(arena, stmt_text(stmt, 3)),
                                           .created_at = arena_copy(arena, stmt_text(stmt, 4))};
    }
    stmt_reset(stmt);
    *out = notes;
    *count = used;
    return got == 0;
}

bool note_add(struct case_file *c, int64_t session, int64_t n, struct span text, struct err *err)
{
    char now[32];
    struct stmt *stmt =
        writable(c, err)
            ? db_stmt(case_db(c),
                      "INSERT INTO note(session_id, step_id, text, created_at) VALUES (?1,"
                      " (SELECT id FROM step WHERE session_id = ?1 AND n = ?2), ?3, ?4)",
                      err)
            : NULL;
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, n);
    stmt_bind_text(stmt, 3, text);
    stmt_bind_text(stmt, 4, now_text(now));
    return stmt_run(stmt, err);
}

bool note_change(struct case_file *c, int64_t id, struct span text, struct err *err)
{
    char now[32];
    struct stmt *stmt =
        writable(c, err)
            ? db_stmt(case_db(c), "UPDATE note SET text = ?2, created_at = ?3 WHERE id = ?1", err)
            : NULL;
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, id);
    stmt_bind_text(stmt, 2, text);
    stmt_bind_text(stmt, 3, now_text(now));
    return stmt_run(stmt, err);
}

bool note_delete(struct case_file *c, int64_t id, struct err *err)
{
    struct stmt *stmt =
        writable(c, err) ? db_stmt(case_db(c), "DELETE FROM note WHERE id = ?1", err) : NULL;
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, id);
    return stmt_run(stmt, err);
}

static bool mark_forget(struct case_file *c, int64_t session, struct span letter, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c), "DELETE FROM note WHERE session_id = ?1 AND mark = ?2", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_text(stmt, 2, letter);
    return stmt_run(stmt, err);
}

bool mark_set(struct case_file *c, int64_t session, char letter, int64_t n, struct err *err)
{
    char now[32];
    struct span mark = {&letter, 1};
    if (!writable(c, err) || !mark_forget(c, session, mark, err))
        return false;
    struct stmt *stmt = db_stmt(case_db(c),
                                "INSERT INTO note(session_id, step_id, mark, created_at)"
                                " SELECT ?1, id, ?3, ?4 FROM step WHERE session_id = ?1 AND n = ?2",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_int(stmt, 2, n);
    stmt_bind_text(stmt, 3, mark);
    stmt_bind_text(stmt, 4, now_text(now));
    return stmt_run(stmt, err);
}

bool mark_find(struct case_file *c, int64_t session, char letter, int64_t *n, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c),
                                "SELECT step.n FROM note JOIN step ON step.id = note.step_id"
                                " WHERE note.session_id = ?1 AND note.mark = ?2",
                                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_text(stmt, 2, (struct span){&letter, 1});
    int got = stmt_step(stmt, err);
    *n = got > 0 ? stmt_int(stmt, 0) : 0;
    stmt_reset(stmt);
    return got >= 0;
}

bool state_save(struct case_file *c, const char *key, struct span value, struct err *err)
{
    if (!case_is_writable(c)) /* a position that can't be kept is no failure */
        return true;
    struct stmt *stmt = db_stmt(case_db(c),
                                "INSERT INTO view_state(key, value) VALUES (?1, ?2)"
                                " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                                err);
    if (!stmt)
        return false;
    stmt_bind_text(stmt, 1, span_of(key));
    stmt_bind_text(stmt, 2, value);
    return stmt_run(stmt, err);
}

bool state_load(struct case_file *c, const char *key, struct arena *arena, struct span *value,
                struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(c), "SELECT value FROM view_state WHERE key = ?1", err);
    if (!stmt)
        return false;
    stmt_bind_text(stmt, 1, span_of(key));
    int got = stmt_step(stmt, err);
    *value = got > 0 ? arena_copy(arena, stmt_text(stmt, 0)) : SPAN_EMPTY;
    stmt_reset(stmt);
    return got >= 0;
}
