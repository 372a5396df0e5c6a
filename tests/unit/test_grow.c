/* Logs that grow between two imports, and while they are followed: the case is the same as if the
 * whole log had been imported at once. */
#include "tests/unit/ingest_support.h"

#define CALL(id, text)                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"read\","  \
    "\"arguments\":{\"q\":\"" text "\"}}}\n"
#define ANSWER(id, text)                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":" id                                                              \
    ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" text                                \
    "\"}],\"_meta\":{\"io.modelcontextprotocol/trust-annotations\":{\"untrusted\":true}}}}\n"
#define LINE(uuid, parent, rest)                                                                   \
    "{\"uuid\":\"" uuid "\",\"parentUuid\":" parent ",\"sessionId\":\"s1\",\"timestamp\":"         \
    "\"2026-01-30T10:00:00Z\"," rest "}\n"

static const char wire_log[] =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-06-18\",\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"serverInfo\":"
    "{\"name\":\"office\",\"version\":\"1\"},\"instructions\":\"be \\\"kind\\\"\"}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"read\",\"inputSchema\":{}}]}}\n"
    /* two at a time, then an id again, then one without an answer */
    CALL("2", "a") CALL("3", "b") ANSWER("3", "bb") ANSWER("2", "aa") CALL("2", "c")
        ANSWER("2", "cc") "stray \xff\n" CALL("\"2\"", "d");

static const char transcript[] = LINE("a", "null",
                                      "\"type\":\"user\",\"message\":{\"content\":\"go\"}")
    LINE("b", "\"a\"",
         "\"type\":\"assistant\",\"message\":{\"id\":\"m1\",\"content\":[{\"type\":\"tool_use\","
         "\"id\":\"t1\",\"name\":\"mcp__office__read\",\"input\":{\"q\":1}}]}")
        LINE("p", "\"b\"", "\"type\":\"progress\",\"data\":{}")
            LINE("c", "\"p\"",
                 "\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\","
                 "\"tool_use_id\":\"t1\",\"content\":\"fine\"}]}")
    /* the person goes back: what came after the first line is left */
    LINE("d", "\"a\"", "\"type\":\"user\",\"message\":{\"content\":\"no, this\"}")
        LINE("e", "\"d\"",
             "\"type\":\"assistant\",\"message\":{\"id\":\"m2\",\"content\":[{\"type\":\"text\","
             "\"text\":\"well\"}]}");

static void must_import(struct case_file *c, const char *path, struct import_totals *totals)
{
    struct err err = {0};
    struct import_options options = {0};
    cr_assert(import_logs(c, &path, 1, &options, totals, &err), "%s: %s", path, err.what);
}

/* Everything that an import writes, but for the diagnostics, and blank ends of lines. */
static void tell(struct case_file *c, struct buf *out)
{
    struct err err = {0};
    struct buf steps = {0};
    buf_clear(out);
    say_steps(c, &steps);
    buf_add(out, buf_span(&steps));
    static const char *const queries[] = {
        "SELECT group_concat(hex(sha256)||' '||bytes||' '||format||' '||complete) FROM source",
        "SELECT group_concat(line||' '||offset||' '||length||' '||kind||' '||flags) FROM event",
        "SELECT group_concat(coalesce(pair_id,'-')||' '||coalesce(connection_id,'-')) FROM event",
        "SELECT group_concat(offset||' '||length||' '||line) FROM (SELECT * FROM frame ORDER BY offset)",
        "SELECT group_concat(step_id||' '||tool||' '||hex(digest)) FROM definition",
        "SELECT group_concat(name||' '||key) FROM session",
    };
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        struct stmt *stmt = db_prepare(case_db(c), span_of(queries[i]), &err);
        MUST(stmt);
        cr_assert_gt(stmt_step(stmt, &err), 0);
        buf_add(out, column(stmt, 0));
        buf_byte(out, '\n');
        stmt_finish(stmt);
    }
    buf_finish(&steps);
}

static void adds_up(struct case_file *c, size_t cut)
{
    cr_expect_eq(number_of(c, "SELECT sum(bytes) FROM account"),
                 number_of(c, "SELECT sum(bytes) FROM source"), "cut at %zu", cut);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM account WHERE bytes<0 OR units<0"), 0,
                 "cut at %zu", cut);
}

static void grows(const char *name, const char *log, size_t len, size_t stride)
{
    struct folder folder = folder_make(name);
    struct import_totals totals;
    struct err err = {0};
    struct buf whole = {0}, grown = {0};
    put_file(folder.file, (struct span){log, len});
    struct case_file *c = case_temporary(&err);
    must_import(c, folder.file, &totals);
    tell(c, &whole);
    case_close(c);
    const char *first = strchr(log, '\n');
    for (size_t cut = (size_t)(first - log) + 1; cut < len; cut += stride) {
        c = case_temporary(&err);
        put_file(folder.file, (struct span){log, cut});
        must_import(c, folder.file, &totals);
        adds_up(c, cut);
        int64_t events = number_of(c, "SELECT count(*) FROM event");
        put_file(folder.file, (struct span){log, len});
        must_import(c, folder.file, &totals);
        tell(c, &grown);
        adds_up(c, cut);
        cr_expect_str_eq(buf_cstr(&grown), buf_cstr(&whole), "cut at %zu", cut);
        cr_expect_eq(totals.bytes, len - cut, "only what is new, cut at %zu", cut);
        cr_expect_eq((int64_t)totals.events, number_of(c, "SELECT count(*) FROM event") - events);
        must_import(c, folder.file, &totals);
        cr_expect_eq(totals.skipped, 1);
        case_close(c);
    }
    buf_finish(&whole);
    buf_finish(&grown);
    folder_remove(&folder);
}

Test(grow, a_log_that_has_grown_is_gone_on_with)
{
    grows("wire.log", wire_log, sizeof wire_log - 1, 61);
    grows("transcript.jsonl", transcript, sizeof transcript - 1, 67);
}

Test(grow, what_was_cut_or_written_anew_is_another_source)
{
    struct folder folder = folder_make("wire.log");
    struct import_totals totals;
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    size_t len = sizeof wire_log - 1;
    put_file(folder.file, (struct span){wire_log, len});
    must_import(c, folder.file, &totals);
    put_file(folder.file, SPAN(CALL("9", "other")));
    must_import(c, folder.file, &totals); /* shorter */
    cr_expect_eq(totals.replaced, 1);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM source"), 2);
    put_file(folder.file, SPAN(CALL("8", "third")));
    cr_assert(files_append(folder.file, (struct span){wire_log, len}));
    must_import(c, folder.file, &totals); /* longer, and another beginning */
    cr_expect_eq(totals.replaced, 1);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM source"), 3);
    cr_expect_eq(number_of(c, "SELECT sum(bytes) FROM account"),
                 number_of(c, "SELECT sum(bytes) FROM source"));
    case_close(c);
    folder_remove(&folder);
}

/* ---- the reading is stopped ---- */

static bool stop_at_once(void *arg, const struct import_progress *p)
{
    (void)p;
    return ++*(int *)arg < 3;
}

Test(grow, a_stopped_import_goes_on)
{
    struct folder folder = folder_make("wire.log");
    struct import_totals totals;
    struct err err = {0};
    struct buf log = {0}, whole = {0}, stopped = {0};
    for (int i = 0; i < 12000; i++)
        buf_addf(
            &log,
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}}\n"
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[]}}\n",
            i, i);
    put_file(folder.file, buf_span(&log));
    struct case_file *c = case_temporary(&err);
    must_import(c, folder.file, &totals);
    tell(c, &whole);
    case_close(c);
    c = case_temporary(&err);
    int asked = 0;
    const char *path = folder.file;
    struct import_options options = {.progress = stop_at_once, .arg = &asked};
    MUST(import_logs(c, &path, 1, &options, &totals, &err));
    cr_assert(totals.interrupted);
    cr_expect_str_eq(totals.stopped_in, folder.file);
    cr_expect_eq((int64_t)totals.stopped_at, number_of(c, "SELECT bytes FROM source"));
    cr_expect_lt(totals.stopped_at, log.len);
    adds_up(c, totals.stopped_at);
    must_import(c, folder.file, &totals);
    tell(c, &stopped);
    cr_expect_str_eq(buf_cstr(&stopped), buf_cstr(&whole));
    cr_expect_eq(number_of(c, "SELECT count(*) FROM diagnostic"), 0);
    adds_up(c, 0);
    case_close(c);
    buf_finish(&log);
    buf_finish(&whole);
    buf_finish(&stopped);
    folder_remove(&folder);
}

/* ---- followed ---- */

struct writer {
    const char *path;
    struct span log;
    size_t at, step;
    struct case_file *c;
};

/* Called while the import waits: writes some more, until there is no more. */
static bool write_some(void *arg, const struct import_progress *p)
{
    struct writer *w = arg;
    if (!span_is(p->file, "waiting for more"))
        return true;
    adds_up(w->c, w->at);
    if (w->at == w->log.len)
        return false;
    struct span part = span_sub(w->log, w->at, w->at + w->step);
    cr_assert(files_append(w->path, part));
    w->at += part.len;
    return true;
}

static void follow(const char *name, const char *log, size_t len)
{
    struct folder folder = folder_make(name);
    struct import_totals totals;
    struct err err = {0};
    struct buf whole = {0}, followed = {0};
    put_file(folder.file, (struct span){log, len});
    struct case_file *c = case_temporary(&err);
    must_import(c, folder.file, &totals);
    tell(c, &whole);
    case_close(c);
    c = case_temporary(&err);
    struct writer w = {folder.file, {log, len}, 60, len / 5, c};
    const char *path = folder.file;
    struct import_options options = {.follow = true, .progress = write_some, .arg = &w};
    put_file(folder.file, (struct span){log, w.at});
    MUST(import_logs(c, &path, 1, &options, &totals, &err));
    cr_expect_not(totals.interrupted, "an end is how following ends");
    tell(c, &followed);
    cr_expect_str_eq(buf_cstr(&followed), buf_cstr(&whole));
    case_close(c);
    buf_finish(&whole);
    buf_finish(&followed);
    folder_remove(&folder);
}

Test(grow, a_log_that_is_followed)
{
    follow("wire.log", wire_log, sizeof wire_log - 1);
    follow("transcript.jsonl", transcript, sizeof transcript - 1);
}
