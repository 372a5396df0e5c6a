/* A host's transcript and the wire logs of its servers are one session, where they tell the same
 * calls. Which they are is known when both have been read; then the transcript is read once more,
 * into the session of the wire: theirs are the claims, the host tells what was shown. All of that
 * is one transaction: nothing that was read before is missed, whatever happens meanwhile. */
#include <sys/stat.h>

#include "base/mem.h"
#include "ingest/import_internal.h"
#include "ingest/same_calls.h"

/* What is to be read again. */
struct joining {
    struct arena arena;
    const char **paths;
    int64_t *sources;
    size_t count, size;
    struct span key, host;
    struct buf name; /* of the session that all will be */
};

static void finish_joining(struct joining *j)
{
    mem_free(j->paths);
    mem_free(j->sources);
    buf_finish(&j->name);
    arena_finish(&j->arena);
}

/* Can the source be read again from where it was? Its file may have grown, and may not be another
 * one by now. Where bytes were taken out of the case, it would bring them back. */
static bool is_there_still(const char *path, struct span sha256, uint64_t bytes, bool redacted)
{
    struct stat info;
    return !redacted && strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           import_begins_as(path, sha256, bytes);
}

/* What the transcript's session was read from, and its sub-agents. *alone: its files are there
 * still, and tell of no other session. */
static bool list_sources(struct import *im, int64_t session, struct joining *j, bool *alone,
                         struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(im->c),
        "SELECT o.id, o.path, s.key, s.host,"
        " EXISTS (SELECT 1 FROM session_source x JOIN session z ON z.id=x.session_id"
        "  WHERE x.source_id=o.id AND x.session_id<>?1 AND z.parent_id IS NOT ?1),"
        " o.sha256, o.bytes, EXISTS (SELECT 1 FROM redaction r WHERE r.source_id=o.id)"
        " FROM session s JOIN source o WHERE s.id=?1 AND o.id IN (SELECT source_id FROM session_source"
        "  WHERE session_id IN (SELECT id FROM session WHERE id=?1 OR parent_id=?1)) ORDER BY o.id",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row;
    *alone = true;
    while ((row = stmt_step(stmt, err)) > 0) {
        if (j->count == j->size) {
            j->size = j->size ? j->size * 2 : 8;
            j->paths = mem_resize(j->paths, j->size * sizeof *j->paths);
            j->sources = mem_resize(j->sources, j->size * sizeof *j->sources);
        }
        struct span path = stmt_text(stmt, 1);
        j->key = arena_copy(&j->arena, stmt_text(stmt, 2));
        j->host = arena_copy(&j->arena, stmt_text(stmt, 3));
        j->sources[j->count] = stmt_int(stmt, 0);
        j->paths[j->count++] = arena_printf(&j->arena, "%.*s", SPAN_ARG(path));
        *alone = *alone && !stmt_int(stmt, 4) &&
                 is_there_still(j->paths[j->count - 1], stmt_blob(stmt, 5),
                                (uint64_t)stmt_int(stmt, 6), stmt_int(stmt, 7));
    }
    stmt_finish(stmt);
    return row == 0;
}

static bool read_name(struct import *im, int64_t session, struct buf *name, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(im->c), "SELECT name FROM session WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    int row = stmt_step(stmt, err);
    if (row > 0)
        buf_add(name, stmt_text(stmt, 0));
    stmt_finish(stmt);
    return row > 0;
}

static bool name_session(struct import *im, int64_t session, const struct joining *j,
                         struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(im->c), "UPDATE session SET key=?2, host=?3, name=?4 WHERE id=?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, session);
    stmt_bind_text(stmt, 2, j->key);
    stmt_bind_text(stmt, 3, j->host);
    stmt_bind_text(stmt, 4, buf_span(&j->name));
    bool ok = stmt_run(stmt, err);
    stmt_finish(stmt);
    return ok;
}

/* The clocks of a wire session are put right by those that the transcript is read by: of several
 * servers one may have a wrong one. */
static bool set_clocks(struct import *im, int64_t wire, int64_t off_ns, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(im->c),
                "UPDATE source SET clock_offset_ns = clock_offset_ns + ?2, reason = reason ||"
                " printf('; its clock is %.3f s %s: its calls are in a transcript, too',"
                "  abs(?2) / 1e9, CASE WHEN ?2 > 0 THEN 'behind' ELSE 'ahead' END)"
                " WHERE id IN (SELECT source_id FROM session_source WHERE session_id=?1)",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, wire);
    stmt_bind_int(stmt, 2, off_ns);
    bool ok = stmt_run(stmt, err);
    stmt_finish(stmt);
    return ok;
}

/* A log of a wire session becomes a session of its own. */
static bool split_logs(struct import *im, struct same_calls *pairs, size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!pairs[i].source)
            continue;
        assembler_left_gaps(im->assembler, pairs[i].wire);
        pairs[i].wire = store_split_session(im->c, pairs[i].wire, pairs[i].source, err);
        if (!pairs[i].wire)
            return false;
    }
    return true;
}

/* All become one session, the first of them, without what was read of the transcript. */
static bool make_way(struct import *im, struct joining *j, struct same_calls *pairs, size_t count,
                     int64_t *one, struct err *err)
{
    if (!split_logs(im, pairs, count, err))
        return false;
    int64_t into = pairs[0].transcript;
    for (size_t i = 0; i < count; i++)
        into = pairs[i].wire < into ? pairs[i].wire : into;
    *one = into;
    if (!read_name(im, pairs[0].wire, &j->name, err))
        return false;
    for (size_t i = 1; i < count; i++) {
        int64_t off_ns = pairs[0].clock_ns - pairs[i].clock_ns;
        if (off_ns && !set_clocks(im, pairs[i].wire, off_ns, err))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (pairs[i].wire != into && !store_join_sessions(im->c, pairs[i].wire, into, err))
            return false;
    if (pairs[0].transcript != into && !store_join_sessions(im->c, pairs[0].transcript, into, err))
        return false;
    for (size_t i = j->count; i-- > 0;) /* a copy rests on what it is a copy of */
        if (!store_forget_source(im->c, j->sources[i], err))
            return false;
    return name_session(im, into, j, err) && store_number_steps(im->c, into, err);
}

static bool read_again(struct import *im, const struct joining *j, const struct same_calls *pair,
                       int64_t into, struct err *err)
{
    struct assembler_options names = import_names(im);
    struct assembler *before = im->assembler;
    uint64_t sources = im->totals->sources;
    names.only = into;
    if (!names.clock_ns)
        names.clock_ns = pair->clock_ns;
    if (!j->key.len) /* the log has no id that the session would be found by */
        names.session = buf_span(&j->name);
    im->assembler = assembler_create(im->c, &names, err);
    bool ok = im->assembler;
    for (size_t i = 0; ok && i < j->count && !im->stop; i++)
        import_file(im, j->paths[i]);
    ok = ok && im->totals->sources == sources + j->count && assembler_number(im->assembler, err);
    assembler_destroy(im->assembler);
    im->assembler = before;
    return ok;
}

/* One transcript, with the wire sessions that it belongs to. Where that can't be (notes rest on
 * what was read, the file is gone), all stays as it is; why a file can't be read was told. */
static bool join_one(struct import *im, struct same_calls *pairs, size_t count, struct err *err)
{
    struct joining j = {0};
    int64_t into;
    bool alone, ok = list_sources(im, pairs[0].transcript, &j, &alone, err);
    if (ok && alone) {
        ok = db_mark(case_db(im->c), err);
        if (ok && make_way(im, &j, pairs, count, &into, err) &&
            read_again(im, &j, pairs, into, err)) {
            ok = db_keep(case_db(im->c), err);
        } else if (ok) {
            import_take_back(im, im->assembler);
            ok = !im->stop && (err->kind == ERR_NONE || err->kind == ERR_INPUT);
        }
    }
    finish_joining(&j);
    return ok;
}

static bool count_rows(struct import *im, struct assembler_counts *counts, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(im->c),
                "SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM step),"
                " (SELECT count(*) FROM session), (SELECT count(*) FROM diagnostic)",
                err);
    if (!stmt)
        return false;
    int row = stmt_step(stmt, err);
    if (row > 0)
        *counts =
            (struct assembler_counts){(uint64_t)stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                                      (uint64_t)stmt_int(stmt, 2), (uint64_t)stmt_int(stmt, 3)};
    stmt_finish(stmt);
    return row > 0;
}

/* What was read twice is counted once. */
static void count_once(struct import *im, const struct import_totals *before,
                       const struct assembler_counts *from, const struct assembler_counts *to)
{
    im->totals->sources = before->sources;
    im->totals->bytes = before->bytes;
    im->totals->events = before->events;
    im->totals->steps = before->steps;
    im->totals->sessions = before->sessions;
    im->totals->diagnostics = before->diagnostics;
    import_count(im, from, to);
}

/* The pair's transcript, with all that belong to it. */
static bool join_with_others(struct import *im, struct same_calls *pairs, size_t i, size_t count,
                             struct same_calls *of_one, struct err *err)
{
    size_t wires = 0;
    for (size_t k = i; k < count && pairs[k].transcript == pairs[i].transcript; k++) {
        of_one[wires++] = pairs[k];
        if (!pairs[k].clock_ns) { /* one that agrees with the transcript is first */
            of_one[wires - 1] = of_one[0];
            of_one[0] = pairs[k];
        }
    }
    *err = (struct err){0};
    return join_one(im, of_one, wires, err);
}

static bool join_all(struct import *im, struct same_calls *pairs, size_t count, struct err *err)
{
    struct same_calls *of_one = NEW_ARRAY(struct same_calls, count);
    bool ok = true;
    for (size_t i = 0; ok && !im->stop && i < count; i++)
        if (i == 0 || pairs[i].transcript != pairs[i - 1].transcript)
            ok = join_with_others(im, pairs, i, count, of_one, err);
    mem_free(of_one);
    return ok;
}

/* What joining looks rows up by, and nothing else does. */
static const char join_indexes[] = "CREATE INDEX join_step_source ON step(source_id);"
                                   "CREATE INDEX join_event_source ON event(source_id);"
                                   "CREATE INDEX join_event_session ON event(session_id);"
                                   "CREATE INDEX join_event_connection ON event(connection_id);"
                                   "CREATE INDEX join_step_source_event ON step_source(event_id);"
                                   "CREATE INDEX join_connection_source ON connection(source_id);"
                                   "CREATE INDEX join_connection_session ON connection(session_id);"
                                   "CREATE INDEX join_definition_source ON definition(source_id);"
                                   "CREATE INDEX join_record_source ON record(source_id);"
                                   "CREATE INDEX join_session_source ON session_source(source_id)";
static const char join_no_indexes[] =
    "DROP INDEX join_step_source; DROP INDEX join_event_source; DROP INDEX join_event_session;"
    "DROP INDEX join_event_connection; DROP INDEX join_step_source_event;"
    "DROP INDEX join_connection_source; DROP INDEX join_connection_session;"
    "DROP INDEX join_definition_source; DROP INDEX join_record_source;"
    "DROP INDEX join_session_source";

static bool join_in_one(struct import *im, struct same_calls *pairs, size_t count, struct err *err)
{
    if (!import_begin(im, err))
        return false;
    im->held = true;
    bool ok = db_exec(case_db(im->c), join_indexes, err) && join_all(im, pairs, count, err) &&
              db_exec(case_db(im->c), join_no_indexes, err) && db_keep(case_db(im->c), err);
    im->held = false;
    if (!ok)
        import_take_back(im, im->assembler);
    return ok;
}

void import_join(struct import *im)
{
    struct same_calls *pairs;
    size_t count;
    struct err err = {0};
    struct import_totals before = *im->totals;
    struct assembler_counts from, to;
    bool ok = same_calls_find(im->c, &pairs, &count, &err) &&
              assembler_number(im->assembler, &err); /* another one reads, and may commit */
    if (ok && count) {
        ok = count_rows(im, &from, &err) && join_in_one(im, pairs, count, &err) &&
             assembler_wake(im->assembler, &err) && count_rows(im, &to, &err);
        if (ok)
            count_once(im, &before, &from, &to);
    }
    mem_free(pairs);
    if (!ok)
        import_keep_err(im, &err);
}
