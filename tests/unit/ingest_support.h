/* What the tests of importing share: logs given as text, and a case told as text. */
#ifndef STRANDLINE_TESTS_UNIT_INGEST_SUPPORT_H
#define STRANDLINE_TESTS_UNIT_INGEST_SUPPORT_H

#include <stdarg.h>

#include "ingest/import.h"
#include "ingest/outlet.h"
#include "tests/unit/case_support.h"
#include "tests/unit/files.h"

/* A column's text, or "" for NULL. */
static inline struct span column(struct stmt *stmt, int at)
{
    struct span text = stmt_text(stmt, at);
    return text.at ? text : SPAN_EMPTY;
}

static inline int64_t number_of(struct case_file *c, const char *sql)
{
    struct err err = {0};
    struct stmt *stmt = db_prepare(case_db(c), span_of(sql), &err);
    MUST(stmt);
    int64_t value = stmt_step(stmt, &err) > 0 ? stmt_int(stmt, 0) : -1;
    stmt_finish(stmt);
    return value;
}

static inline void body_text(struct case_file *c, struct stmt *stmt, int first, struct buf *out)
{
    struct err err = {0};
    struct buf recipe = {0};
    buf_add(&recipe, column(stmt, first + 3));
    struct extent at = {stmt_int(stmt, first), (uint64_t)stmt_int(stmt, first + 1),
                        (uint64_t)stmt_int(stmt, first + 2), buf_span(&recipe)};
    MUST(case_read(c, &at, 48, out, NULL, &err));
    buf_finish(&recipe);
}

/* One line a step: session, number, kind, tool@server, the step it answers, outcome, body. */
static inline const char *say_steps(struct case_file *c, struct buf *out)
{
    struct err err = {0};
    struct stmt *stmt = db_prepare(
        case_db(c),
        SPAN(
            "SELECT s.session_id, s.n, s.kind, s.tool, server.name, answered.n, s.outcome, s.is_error,"
            " s.flags, s.child_id, s.source_id, s.offset, s.length, s.recipe, s.definition_id IS NOT NULL,"
            " (SELECT count(*) FROM claim WHERE step_id=s.id),"
            " (SELECT count(*) FROM evidence_ref WHERE step_id=s.id)"
            " FROM step s LEFT JOIN server ON server.id=s.server_id"
            " LEFT JOIN step answered ON answered.id=s.call_id ORDER BY s.session_id, s.n"),
        &err);
    MUST(stmt);
    buf_clear(out);
    while (stmt_step(stmt, &err) > 0) {
        buf_addf(out, "%d:%d ", (int)stmt_int(stmt, 0), (int)stmt_int(stmt, 1));
        buf_add(out, column(stmt, 2));
        buf_byte(out, ' ');
        buf_add(out, column(stmt, 3));
        if (!stmt_is_null(stmt, 4)) {
            buf_byte(out, '@');
            buf_add(out, column(stmt, 4));
        }
        if (!stmt_is_null(stmt, 5))
            buf_addf(out, " of %d", (int)stmt_int(stmt, 5));
        if (!stmt_is_null(stmt, 6)) {
            buf_byte(out, ' ');
            buf_add(out, column(stmt, 6));
        }
        buf_puts(out, stmt_int(stmt, 7) ? " error" : "");
        buf_puts(out, stmt_int(stmt, 8) & ROW_SIDECHAIN ? " left" : "");
        buf_puts(out, stmt_int(stmt, 8) & ROW_TRUNCATED ? " truncated" : "");
        buf_puts(out, stmt_int(stmt, 8) & ROW_REDACTED ? " redacted" : "");
        buf_puts(out, stmt_int(stmt, 14) ? " defined" : "");
        if (stmt_int(stmt, 15) || stmt_int(stmt, 16))
            buf_addf(out, " claims %d+%d", (int)stmt_int(stmt, 15), (int)stmt_int(stmt, 16));
        if (!stmt_is_null(stmt, 9))
            buf_addf(out, " ran %d", (int)stmt_int(stmt, 9));
        buf_puts(out, " | ");
        struct buf body = {0};
        body_text(c, stmt, 10, &body);
        for (size_t i = 0; i < body.len; i++)
            buf_byte(out, body.at[i] == '\n' ? '~' : body.at[i]);
        buf_finish(&body);
        buf_byte(out, '\n');
    }
    stmt_finish(stmt);
    return buf_cstr(out);
}

/* For each source: do event, noise, diagnostic and blank make all of its bytes? */
static inline void account_adds_up(struct case_file *c, const char *what)
{
    struct err err = {0};
    struct stmt *stmt = db_prepare(
        case_db(c),
        SPAN(
            "SELECT path, bytes, (SELECT coalesce(sum(bytes), 0) FROM account WHERE source_id=source.id)"
            " FROM source"),
        &err);
    MUST(stmt);
    while (stmt_step(stmt, &err) > 0)
        cr_expect_eq(stmt_int(stmt, 1), stmt_int(stmt, 2),
                     "%s: %.*s has %lld bytes, accounted %lld", what, (int)column(stmt, 0).len,
                     column(stmt, 0).at, (long long)stmt_int(stmt, 1),
                     (long long)stmt_int(stmt, 2));
    stmt_finish(stmt);
}

static inline void put_file(const char *path, struct span bytes)
{
    cr_assert(files_write(path, bytes), "%s", path);
}

/* Imports one file of that name and text into a case of its own. */
static inline struct case_file *import_text(const char *name, struct span text,
                                            const struct import_options *options,
                                            struct import_totals *totals)
{
    struct err err = {0};
    struct folder f = folder_make(name);
    put_file(f.file, text);
    struct case_file *c = case_temporary(&err);
    MUST(c);
    const char *paths[] = {f.file};
    MUST(import_logs(c, paths, 1, options, totals, &err));
    account_adds_up(c, name);
    folder_remove(&f);
    return c;
}

/* Is the record's payload what its extent and recipe take out of `source`, the whole file? */
static inline void check_stitched(const struct record *r, struct span source)
{
    struct extent extent = {0};
    struct buf recipe = {0}, text = {0};
    stitch_extent(r->stitch, r->stitch_at, r->payload.len, &extent, &recipe);
    cr_assert_leq(extent.offset + extent.length, source.len);
    struct span range = span_sub(source, extent.offset, extent.length);
    if (!recipe.len)
        buf_add(&text, range);
    for (const char *at = buf_cstr(&recipe); *at && *at != ';';) {
        unsigned long offset = strtoul(at + 1, (char **)&at, 10);
        unsigned long length = strtoul(at + 1, (char **)&at, 10);
        buf_add(&text, span_sub(range, offset, length));
    }
    cr_expect(span_equal(buf_span(&text), r->payload), "%.*s\nis not\n%.*s",
              SPAN_ARG(buf_span(&text)), SPAN_ARG(r->payload));
    buf_finish(&recipe);
    buf_finish(&text);
}

/* ---- whole files ---- */

/* A call, and its answer: a line each. */
#define ASKED                                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n"
#define ANSWERED "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n"

/* A case of its own, which goes with the test. */
static inline struct case_file *fresh(void)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    MUST(c);
    return c;
}

static inline bool import_one(struct case_file *c, const char *path, struct import_totals *totals,
                              struct err *err)
{
    struct import_options options = {0};
    return import_logs(c, &path, 1, &options, totals, err);
}

#endif
