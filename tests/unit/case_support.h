/* What the tests of cases share: a folder of their own, and a small case to start from. */
#ifndef STRANDLINE_TESTS_UNIT_CASE_SUPPORT_H
#define STRANDLINE_TESTS_UNIT_CASE_SUPPORT_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/case/source.h"
#include "model/case/store.h"
#include "tests/unit/files.h"
#include "tests/unit/numbers.h"

#define MUST(call) cr_assert((call), "%s: %s", #call, err.what)

struct folder {
    char path[64], file[128];
};

/* A fresh folder, and a path in it. */
static inline struct folder folder_make(const char *name)
{
    struct folder f;
    snprintf(f.path, sizeof f.path, "/tmp/strandline-test-XXXXXX");
    cr_assert(mkdtemp(f.path));
    snprintf(f.file, sizeof f.file, "%s/%s", f.path, name);
    return f;
}

static inline void folder_remove(const struct folder *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", f->path);
    cr_assert_eq(system(command), 0);
}

/* A source with these bytes. */
static inline int64_t add_source(struct case_file *c, struct span bytes)
{
    struct err err = {0};
    struct source_writer *w = source_begin(c, SPAN("log.jsonl"), "log", &err);
    MUST(w);
    int64_t id = source_writer_id(w);
    MUST(source_append(w, bytes, &err));
    struct source_info info = {
        .format = SPAN("jsonrpc-lines"), .confidence = 90, .reason = SPAN("a test")};
    MUST(source_end(w, &info, true, &err));
    return id;
}

struct step_sketch {
    enum step_kind kind;
    const char *tool;
    int64_t source, server, call; /* call: index of an earlier sketch + 1; 0: none */
    int64_t time_ns;              /* -1: none */
    uint64_t offset, length;
};

/* Adds an event and a step; gives the step's row. */
static inline int64_t add_step(struct case_file *c, int64_t session, const struct step_sketch *s,
                               int64_t call)
{
    struct err err = {0};
    struct extent at = {s->source, s->offset, s->length, SPAN_EMPTY};
    struct event_row event = {.session = session,
                              .at = at,
                              .line = 1,
                              .time_ns = s->time_ns,
                              .time_digits = s->time_ns < 0 ? -1 : 3,
                              .kind = "request"};
    int64_t event_id = store_event(c, &event, &err);
    MUST(event_id);
    struct step_row row = {.session = session,
                           .event = event_id,
                           .server = s->server,
                           .kind = s->kind,
                           .tool = span_of(s->tool),
                           .call = call,
                           .body = at,
                           .time_ns = s->time_ns,
                           .time_digits = s->time_ns < 0 ? -1 : 3};
    int64_t id = store_step(c, &row, &err);
    MUST(id);
    return id;
}

/* One number out of the case. */
static inline int64_t ask(struct case_file *c, const char *sql)
{
    struct err err = {0};
    struct stmt *stmt = db_prepare(case_db(c), span_of(sql), &err);
    MUST(stmt);
    cr_assert_eq(stmt_step(stmt, &err), 1, "%s", sql);
    int64_t value = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return value;
}

/* Copies a file with some bytes changed. */
static inline void corrupt(const char *from, const char *to, uint32_t seed)
{
    struct numbers numbers = {seed + 1};
    struct buf bytes = {0};
    cr_assert(files_read(from, &bytes));
    for (int i = 0; i < 1 + (int)(seed % 5); i++)
        bytes.at[numbers_below(&numbers, bytes.len)] = (char)numbers_next(&numbers);
    cr_assert(files_write(to, buf_span(&bytes)));
    buf_finish(&bytes);
}

#endif
