/* Whole files into a case: the corpus where it is there, several files of one session, evidence. */
#include <fts.h>
#include <pthread.h>
#include <sys/stat.h>

#include <zlib.h>
#include <zstd.h>

#include "ingest/records.h"
#include "tests/unit/ingest_support.h"

/* ---- the corpus ---- */

/* Files in which the calls and results are known: how many, and how many results are joined to a
 * call. */
static const struct known {
    const char *file, *format;
    int calls, results, joined;
} known[] = {
    {"formats/stdio-marked/marked.log", "jsonrpc-lines", 18, 17, 17},
    {"formats/stdio-raw/all.log", "jsonrpc-lines", 18, 17, 17},
    {"formats/mcp-2026-07-28/stdio-marked.log", "jsonrpc-lines", 6, 6, 6},
    {"formats/synthetic-shape/mcpsnoop-envelope.jsonl", "jsonrpc-envelope", 6, 6, 6},
    {"formats/mcptap/everything-2026-11-30.jsonl", "jsonrpc-envelope", 18, 17, 17},
    {"formats/mangled/concatenated-no-newlines.json", "jsonrpc-lines", 0, 17, 0},
    {"formats/mangled/utf16le-bom.jsonl", "jsonrpc-lines", 0, 17, 0},
    {"formats/mangled/utf8-bom.jsonl", "jsonrpc-lines", 0, 17, 0},
    {"formats/mangled/cri-k8s.log", "jsonrpc-lines", 0, 17, 0},
    {"formats/mangled/journald.log", "jsonrpc-lines", 0, 17, 0},
    {"formats/claude-code/cc-mcp-worktrees.jsonl", "claude-code", 40, 40, 40},
    {"formats/claude-code/cc-queue-operation.jsonl", "claude-code", 76, 76, 76},
    {"formats/claude-code/cc-subagent-agent-a4ca.jsonl", "claude-code", 24, 24, 24},
    {"formats/codex/rollout-0.171-mcp-injection.jsonl", "codex", 5, 5, 5},
    {"formats/codex/codex-0.171-exec-json-stream.jsonl", "codex", 5, 5, 5},
    {"formats/gemini-cli/gemini-0.61-session-injection.jsonl", "gemini", 3, 3, 3},
    {"formats/gemini-cli/gemini-0.61-stream-json-injection.jsonl", "gemini-stream", 3, 3, 3},
    {"formats/gemini-cli/session-sample.jsonl", "gemini", 1, 1, 1},
    {"formats/opencode/opencode.db", "opencode-stream", 3, 3, 3},
    {"formats/otel/codex-0.171-otlp-logs.compact.jsonl", "otlp", 5, 5, 5},
    {"formats/pi-agent/before-compaction.jsonl", "pi", 457, 451, 451},
    {"formats/anthropic-managed-agents/anthropic_managed_mcp_tools.jsonl", "managed-agents", 1, 1,
     1},
    {"formats/opencode/opencode-1.18.33-export.json", "opencode", 3, 3, 3},
    {"formats/opencode/opencode-1.18.33-run-json.jsonl", "opencode-stream", 3, 3, 3},
    {"formats/mcp-2026-07-28/http.har", "har", 6, 6, 6},
    {"formats/http/streamable.har", "har", 9, 9, 9},
    {"formats/http/streamable.pcap", "pcap", 28, 26, 26},
    {"formats/http/streamable.mitm", "mitmproxy", 10, 9, 9},
    {"formats/mcp-recorder/devhelm-cassette.json", "mcp-recorder", 4, 4, 4},
    {"formats/synthetic-shape/inspector-protocol-export.json", "inspector", 6, 6, 6},
    {"formats/langfuse/claude-agent-2025-12-22.trace.json", "langfuse", 2, 2, 2},
    {"formats/openai-messages/tau-airline-few_shot.jsonl", "messages-display", 0, 99, 0},
    {"formats/claude-desktop/taptools-mcp.log", "claude-desktop", 0, 0, 0},
};

Test(import, known_files)
{
    struct buf path = {0};
    size_t seen = 0;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        struct err err = {0};
        struct import_totals totals;
        const char *file = files_shared(known[i].file, &path);
        if (access(file, R_OK) != 0)
            continue;
        seen++;
        struct case_file *c = fresh();
        cr_expect(import_one(c, file, &totals, &err), "%s: %s", file, err.what);
        int64_t calls = number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call'");
        int64_t results = number_of(c, "SELECT count(*) FROM step WHERE kind='tool_result'");
        int64_t joined = number_of(
            c, "SELECT count(*) FROM step WHERE kind='tool_result' AND call_id IS NOT NULL");
        cr_expect(calls == known[i].calls && results == known[i].results &&
                      joined == known[i].joined,
                  "%s: %d calls, %d results, %d joined", known[i].file, (int)calls, (int)results,
                  (int)joined);
        struct buf format = {0};
        buf_addf(&format, "SELECT count(*) FROM source WHERE format='%s'", known[i].format);
        cr_expect_eq(number_of(c, buf_cstr(&format)), 1, "%s", known[i].file);
        buf_finish(&format);
        case_close(c);
    }
    buf_finish(&path);
    if (!seen)
        cr_skip_test("no shared corpus");
}

/* Whatever a file is, it can be imported, every byte is accounted for, and comes out again. */
Test(import, every_file_adds_up)
{
    struct buf path = {0};
    char *const roots[] = {(char *)(uintptr_t)files_shared("formats", &path), NULL};
    if (access(roots[0], R_OK) != 0) {
        buf_finish(&path);
        cr_skip_test("no shared corpus");
    }
    FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    int files = 0;
    for (const FTSENT *entry; (entry = fts_read(fts));) {
        struct err err = {0};
        struct import_totals totals;
        if (entry->fts_info != FTS_F)
            continue;
        struct case_file *c = fresh();
        cr_expect(import_one(c, entry->fts_path, &totals, &err), "%s: %s", entry->fts_path,
                  err.what);
        account_adds_up(c, entry->fts_path);
        if (!strstr(entry->fts_path, ".db"))
            cr_expect_eq(totals.bytes, (uint64_t)entry->fts_statp->st_size);
        struct buf said = {0};
        say_steps(c, &said); /* every body can be read */
        buf_finish(&said);
        case_close(c);
        files++;
    }
    fts_close(fts);
    buf_finish(&path);
    cr_expect_gt(files, 50);
}

/* AgentDojo tells how many calls each run made. */
Test(import, agentdojo_calls)
{
    struct buf path = {0}, truth = {0};
    if (!files_read(files_shared("agentdojo/truth.tsv", &path), &truth)) {
        buf_finish(&path);
        cr_skip_test("no runs of AgentDojo");
    }
    struct span rest = buf_span(&truth);
    rest = span_sub(rest, span_find_byte(rest, '\n') + 1, rest.len);
    int runs = 0;
    for (; rest.len && runs < 60; runs++) {
        struct span line = span_sub(rest, 0, span_find_byte(rest, '\n'));
        rest = span_sub(rest, line.len + 1, rest.len);
        struct span file = span_sub(line, 0, span_find_byte(line, '\t'));
        for (int column = 0; column < 5; column++)
            line = span_sub(line, span_find_byte(line, '\t') + 1, line.len);
        unsigned long long calls = 0;
        cr_assert(span_to_u64(span_sub(line, 0, span_find_byte(line, '\t')), &calls));
        files_shared("agentdojo/", &path);
        buf_add(&path, file);
        struct err err = {0};
        struct import_totals totals;
        struct case_file *c = fresh();
        cr_expect(import_one(c, buf_cstr(&path), &totals, &err), "%s", err.what);
        cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call'"),
                     (int64_t)calls, "%.*s", SPAN_ARG(file));
        account_adds_up(c, "agentdojo");
        case_close(c);
    }
    cr_expect_eq(runs, 60);
    buf_finish(&path);
    buf_finish(&truth);
}

/* ---- several files ---- */

Test(import, the_same_bytes_once)
{
    struct folder f = folder_make("a.log");
    struct err err = {0};
    struct import_totals totals;
    struct case_file *c = fresh();
    put_file(f.file, SPAN(ASKED ANSWERED));
    MUST(import_one(c, f.file, &totals, &err));
    cr_assert(totals.sources == 1 && totals.skipped == 0 && totals.steps == 2);
    MUST(import_one(c, f.file, &totals, &err));
    cr_assert(totals.sources == 0 && totals.skipped == 1 && totals.steps == 0);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM session"), 1);
    case_close(c);
    folder_remove(&f);
}

/* One that must be taken back leaves those before and behind it as they are. */
Test(import, a_twin_between_others)
{
    static const char *const names[] = {"a.log", "b.log", "c.log"};
    struct folder f = folder_make("");
    char path[3][128];
    for (size_t i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%s", f.path, names[i]);
    put_file(path[0], SPAN(ASKED ANSWERED));
    gzFile gz = gzopen(path[1], "wb"); /* packed: only known to be the same when it was read */
    gzputs(gz, ASKED ANSWERED);
    gzclose(gz);
    put_file(path[2], SPAN(ASKED ANSWERED ASKED ANSWERED));
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {.session = "s"};
    struct case_file *c = fresh();
    const char *paths[] = {path[0], path[1], path[2]};
    MUST(import_logs(c, paths, 3, &options, &totals, &err));
    cr_assert(totals.sources == 2 && totals.skipped == 1 && totals.steps == 6);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM source"), 2);
    cr_assert_eq(number_of(c, "SELECT max(n) FROM step"), 6);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM session"), 1);
    account_adds_up(c, "twins");
    case_close(c);
    for (size_t i = 0; i < 3; i++)
        remove(path[i]);
    rmdir(f.path);
}

/* Several wire logs of one command are one session, in the order of their times; each is a
 * connection. */
Test(import, one_session_of_several_logs)
{
    struct folder f = folder_make("");
    char a[128], b[128], none[128];
    snprintf(a, sizeof a, "%s/a.log", f.path);
    snprintf(b, sizeof b, "%s/b.log", f.path);
    snprintf(none, sizeof none, "%s/none.log", f.path);
    put_file(a, SPAN("2026-01-01T00:00:01Z --> " ASKED "2026-01-01T00:00:04Z <-- " ANSWERED));
    put_file(b, SPAN("2026-01-01T00:00:02Z --> " ASKED "2026-01-01T00:00:03Z <-- " ANSWERED));
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {.session = "case 7"};
    struct case_file *c = fresh();
    const char *paths[] = {none, a, b};
    cr_assert_not(import_logs(c, paths, 3, &options, &totals, &err));
    cr_assert(err.kind == ERR_INPUT && strstr(err.where, "none.log"), "%s", err.where);
    cr_assert(totals.sources == 2 && totals.failed == 1 && totals.sessions == 1);
    struct buf said = {0};
    cr_assert_str_eq(say_steps(c, &said), "1:1 tool_call x@a completed | \n"
                                          "1:2 tool_call x@b completed | \n"
                                          "1:3 tool_result x@b of 2 | {\"content\":[]}\n"
                                          "1:4 tool_result x@a of 1 | {\"content\":[]}\n");
    cr_assert_eq(number_of(c, "SELECT count(*) FROM session WHERE name='case 7'"), 1);
    buf_finish(&said);
    case_close(c);
    remove(a);
    remove(b);
    rmdir(f.path);
}

#define PING                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n"

/* A request, and a file of answers that begins with another one's. */
Test(import, answers_to_somebody_else_are_no_half)
{
    struct folder f = folder_make("");
    char a[128], b[128];
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {0};
    snprintf(a, sizeof a, "%s/a.jsonl", f.path);
    snprintf(b, sizeof b, "%s/b.jsonl", f.path);
    put_file(a, SPAN(PING));
    put_file(b, SPAN("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n" PONG));
    const char *paths[] = {a, b};
    struct case_file *c = fresh();
    MUST(import_logs(c, paths, 2, &options, &totals, &err));
    cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call' AND"
                              " outcome='unanswered'"),
                 1);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM diagnostic WHERE code='PR02'"), 2);
    case_close(c);
    remove(a);
    remove(b);
    folder_remove(&f);
}

/* What `tee` on each pipe of a server leaves: answers find what was asked in the other file, and
 * stand behind it; what was defined before a call is in force for it. Where two files could have
 * asked, nothing is guessed. */
Test(import, two_halves_of_one_connection)
{
    static const char sent[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"roots\":[]}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"y\"}}\n";
    static const char received[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"serverInfo\":{\"name\":\"srv\"}}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"x\"}]}}\n" ANSWERED
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"roots/list\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}\n";
    struct folder f = folder_make("");
    char a[128], b[128], d[128];
    snprintf(a, sizeof a, "%s/a.jsonl", f.path);
    snprintf(b, sizeof b, "%s/b.jsonl", f.path);
    snprintf(d, sizeof d, "%s/d.jsonl", f.path);
    put_file(a, span_of(sent));
    put_file(b,
             span_sub(span_of(sent), 0, sizeof sent - 2)); /* the same bytes would be read once */
    put_file(d, span_of(received));
    const char *halves[] = {d, a}, *unclear[] = {a, b, d};
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {0};
    struct case_file *c = fresh();
    cr_assert(import_logs(c, halves, 2, &options, &totals, &err), "%s", err.what);
    struct buf said = {0};
    cr_assert_str_eq(say_steps(c, &said), "1:1 connection @srv | {}\n"
                                          "1:2 definitions @srv | {\"tools\":[{\"name\":\"x\"}]}\n"
                                          "1:3 tool_call x@srv completed defined | \n"
                                          "1:4 tool_result x@srv of 3 | {\"content\":[]}\n"
                                          "1:5 tool_call y@srv completed | \n"
                                          "1:6 tool_result y@srv of 5 | {\"content\":[]}\n");
    cr_assert_eq(number_of(c, "SELECT count(*) FROM step WHERE definition_id IS NOT NULL"), 1);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM diagnostic"), 1); /* what roots are asked for */
    struct buf grown = {0};
    buf_puts(&grown, sent);
    buf_puts(&grown, "{\"jsonrpc\":\"2.0\",\"method\":\"a/b\"}\n");
    put_file(a, buf_span(&grown)); /* the other half would have to be read again with it */
    cr_assert_not(import_one(c, a, &totals, &err));
    cr_assert(strstr(err.what, "half of a connection"), "%s", err.what);
    buf_clear(&said);
    say_steps(c, &said);
    cr_assert(strstr(buf_cstr(&said), "1:6 tool_result y@srv of 5"));
    buf_finish(&grown);
    case_close(c);
    c = fresh();
    put_file(a, span_of(sent));
    cr_assert(import_logs(c, unclear, 3, &options, &totals, &err), "%s", err.what);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM step WHERE call_id IS NOT NULL"), 0);
    buf_finish(&said);
    case_close(c);
    remove(a);
    remove(b);
    remove(d);
    rmdir(f.path);
}

/* The host's transcript and the log of the wire: one session, each call once, with two recordings.
 */
Test(import, host_and_wire_are_one_session)
{
    static const char host[] =
        "{\"type\":\"user\",\"sessionId\":\"s\",\"parentUuid\":null,\"timestamp\":\"2026-01-01T00:00:00.500Z\","
        "\"message\":{\"content\":\"hi\"}}\n"
        "{\"type\":\"assistant\",\"sessionId\":\"s\",\"parentUuid\":null,\"timestamp\":\"2026-01-01T00:00:00.900Z\","
        "\"message\":{\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"mcp__mail__x\",\"input\":{\"b\":2, \"a\":1}}]}}\n"
        "{\"type\":\"user\",\"sessionId\":\"s\",\"parentUuid\":null,\"timestamp\":\"2026-01-01T00:00:03Z\","
        "\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"shown\"}]}}\n";
    static const char wire[] =
        "2026-01-01T00:00:01Z --> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\","
        "\"arguments\":{\"a\":1,\"b\":2}}}\n"
        "2026-01-01T00:00:02Z <-- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"_meta\":{\"ifc\":"
        "{\"integrity\":\"untrusted\",\"confidentiality\":\"public\"}}}}\n";
    struct folder f = folder_make("");
    char a[128], b[128];
    snprintf(a, sizeof a, "%s/a.jsonl", f.path);
    snprintf(b, sizeof b, "%s/b.log", f.path);
    put_file(a, span_of(host));
    put_file(b, span_of(wire));
    const char *paths[] = {a, b};
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {.session = "one"};
    struct case_file *c = fresh();
    struct buf said = {0};
    MUST(import_logs(c, paths, 2, &options, &totals, &err));
    cr_expect_str_eq(
        say_steps(c, &said),
        "1:1 prompt  | hi\n"
        "1:2 tool_call x@b completed | {\"a\":1,\"b\":2}\n"
        "1:3 tool_result x@b of 2 claims 2+0 | {\"content\":[],\"_meta\":{\"ifc\":{\"integrity\":\"untru\n",
        "%s", buf_cstr(&said));
    cr_expect_eq(number_of(c, "SELECT count(*) FROM step_source"), 2);
    case_close(c);
    c = fresh(); /* the transcript alone, the wire later: its claims come in all the same */
    MUST(import_logs(c, paths, 1, &options, &totals, &err));
    MUST(import_logs(c, paths + 1, 1, &options, &totals, &err));
    cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call'"), 1);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM claim"), 2);
    case_close(c);
    buf_finish(&said);
    remove(a);
    remove(b);
    rmdir(f.path);
}

Test(import, evidence)
{
    struct folder f = folder_make("");
    char one[128], many[128], cbor[128];
    snprintf(one, sizeof one, "%s/a.json", f.path);
    snprintf(many, sizeof many, "%s/b.jsonl", f.path);
    snprintf(cbor, sizeof cbor, "%s/c.cbor", f.path);
    put_file(one, SPAN("{\n \"a\": 1\n}\n"));
    put_file(many, SPAN("{\"b\":1}\n\n{\"b\":2}\n"));
    put_file(cbor, SPAN("\xa1\x61\x61\x01"));
    struct err err = {0};
    struct import_totals totals = {.sources = 1, .events = 7}; /* of logs before */
    struct case_file *c = fresh();
    const char *paths[] = {f.path};
    MUST(import_evidence(c, paths, 1, &totals, &err));
    cr_assert(totals.sources == 4 && totals.records == 4 && totals.events == 7);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM record WHERE encoding='cbor' AND length=4"), 1);
    cr_assert_eq(
        number_of(c, "SELECT count(*) FROM record WHERE name LIKE '%b.jsonl:3' AND offset=9"), 1);
    cr_assert_eq(number_of(c, "SELECT length FROM record WHERE name LIKE '%a.json'"), 11);
    account_adds_up(c, "evidence");
    case_close(c);
    remove(one);
    remove(many);
    remove(cbor);
    rmdir(f.path);
}

/* A file that is one document: each step says where in it it stands, whatever its turn. */
Test(import, the_runs_of_a_trace_have_places_of_their_own)
{
    static const char *const log =
        "[\n{\"run_type\":\"llm\",\"id\":\"b\",\"start_time\":9,\n"
        " \"inputs\":{\"prompt\":\"go\"}},\n"
        "{\"run_type\":\"tool\",\"id\":\"a\",\"name\":\"get\",\n"
        " \"start_time\":1,\"end_time\":2,\"inputs\":{},\"outputs\":{}}]\n";
    struct folder folder = folder_make("trace.json");
    struct import_totals totals;
    struct err err = {0};
    struct case_file *c = fresh();
    put_file(folder.file, span_of(log));
    MUST(import_one(c, folder.file, &totals, &err));
    cr_expect_eq(number_of(c, "SELECT e.line * 1000 + e.offset FROM step s JOIN event e ON"
                              " e.id=s.event_id WHERE s.kind='tool_call'"),
                 4000 + (int64_t)(strstr(log, "{\"run_type\":\"tool\"") - log));
    cr_expect_eq(number_of(c, "SELECT e.line * 1000 + e.offset FROM step s JOIN event e ON"
                              " e.id=s.event_id WHERE s.kind='prompt'"),
                 2002);
    account_adds_up(c, "trace");
    case_close(c);
    folder_remove(&folder);
}

/* The text of a call lies in pieces: its own, and those that it names. */
Test(import, attachments_stand_where_they_are_named)
{
    static const char *const sample =
        "{\"id\":1,\"epoch\":1,\"input\":\"x\",\"target\":\"\",\"messages\":[{\"role\":"
        "\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"c\",\"function\":\"get\","
        "\"arguments\":{\"a\":\"attachment://f1\",\"b\":\"attachment://f2\"}}]}],"
        "\"attachments\":{\"f2\":\"two\",\"f1\":\"\\u0031\"}}";
    static const char *const around[] = {"", "2026-11-30T10:00:00.000000000Z stdout F "};
    for (size_t i = 0; i < COUNT_OF(around); i++) {
        struct folder folder = folder_make("sample.json");
        struct import_totals totals;
        struct err err = {0};
        struct buf text = {0};
        struct case_file *c = fresh();
        buf_addf(&text, "%s%s\n", around[i], sample);
        put_file(folder.file, buf_span(&text));
        MUST(import_one(c, folder.file, &totals, &err));
        struct stmt *stmt = db_prepare(case_db(c),
                                       SPAN("SELECT source_id, offset, length, recipe FROM step"
                                            " WHERE kind='tool_call'"),
                                       &err);
        MUST(stmt);
        cr_assert(stmt_step(stmt, &err) > 0, "%zu", i);
        buf_clear(&text);
        body_text(c, stmt, 0, &text);
        cr_expect_str_eq(buf_cstr(&text), "{\"a\":\"\\u0031\",\"b\":\"two\"}");
        stmt_finish(stmt);
        account_adds_up(c, around[i]);
        case_close(c);
        folder_remove(&folder);
        buf_finish(&text);
    }
}

/* ---- what can't be read ---- */

static void note_told(void *arg, const struct err *err)
{
    struct buf *said = arg;
    const char *name = strrchr(err->where, '/');
    buf_addf(said, "%d %s: %s\n", (int)err->kind, name ? name : err->where, err->what);
}

Test(import, each_file_that_can_not_be_read_is_told_and_kept_in_the_account)
{
    struct err err = {0};
    struct folder folder = folder_make("x");
    struct import_totals totals;
    struct buf said = {0}, path = {0};
    static const struct {
        const char *name, *bytes;
        size_t len;
    } files[] = {{"a.gz", "\x1f\x8b\x08\0\0\0\0\0\0\3\x4b", 11},
                 {"b.zip", "PK\3\4", 4},
                 {"c.log", ASKED, sizeof ASKED - 1},
                 {"d.log", ASKED, sizeof ASKED - 1}};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        buf_clear(&path);
        buf_addf(&path, "%s/%s", folder.path, files[i].name);
        put_file(buf_cstr(&path), (struct span){files[i].bytes, files[i].len});
    }
    struct buf pipe = {0}, link = {0};
    buf_addf(&pipe, "%s/e", folder.path);
    buf_addf(&link, "%s/f", folder.path);
    cr_assert(mkfifo(buf_cstr(&pipe), 0600) == 0 && symlink("..", buf_cstr(&link)) == 0);
    const char *paths[] = {folder.path};
    struct case_file *c = fresh();
    struct import_options options = {.told = note_told, .arg = &said};
    for (int round = 0; round < 2; round++) {
        buf_clear(&said);
        cr_expect(!import_logs(c, paths, 1, &options, &totals, &err));
        cr_expect(strstr(err.where, "/a.gz"), "the first is the import's error: %s", err.where);
        cr_expect_str_eq(buf_cstr(&said),
                         round ? "0 /a.gz: the case has these bytes already\n"
                                 "4 /b.zip: the archive has no directory: it is cut, or damaged\n"
                                 "0 /b.zip: the case has these bytes already\n"
                                 "0 /c.log: the case has these bytes already\n"
                                 "0 /d.log: the case has these bytes already\n"
                                 "0 /e: a pipe, socket or device in a folder\n"
                                 "0 /f: a link in a folder\n"
                               : "4 /b.zip: the archive has no directory: it is cut, or damaged\n"
                                 "0 /d.log: the case has these bytes already\n"
                                 "0 /e: a pipe, socket or device in a folder\n"
                                 "0 /f: a link in a folder\n");
        cr_expect(totals.failed == 2 && totals.passed == 2);
    }
    cr_expect_eq(number_of(c, "SELECT count(*) FROM diagnostic WHERE what LIKE '%no directory%'"),
                 1, "the account says why");
    case_close(c);
    cr_assert(remove(buf_cstr(&pipe)) == 0 && remove(buf_cstr(&link)) == 0);
    folder_remove(&folder);
    buf_finish(&pipe);
    buf_finish(&link);
    buf_finish(&said);
    buf_finish(&path);
}

/* ---- clocks ---- */

/* Calls of a server's log, and of the host's, whose clock is `apart` seconds behind. The host takes
 * up to half a second more for each. */
static void write_two_logs(const struct folder *f, struct buf *wire, struct buf *host, int apart)
{
    FILE *server = NULL, *client = NULL;
    buf_addf(wire, "%s/server.log", f->path);
    buf_addf(host, "%s/host.jsonl", f->path);
    cr_assert((server = fopen(buf_cstr(wire), "w")) && (client = fopen(buf_cstr(host), "w")));
    for (int i = 0; i < 6; i++) {
        fprintf(server,
                "2026-01-30T10:01:%02d.000Z >>> {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":"
                "\"tools/call\",\"params\":{\"name\":\"read\",\"arguments\":{\"q\":%d}}}\n"
                "2026-01-30T10:01:%02d.100Z <<< {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":"
                "{\"content\":[]}}\n",
                i * 5, i, i, i * 5, i);
        int at = 36060 + i * 5 - apart;
        fprintf(
            client,
            "{\"type\":\"assistant\",\"uuid\":\"u%d\",\"parentUuid\":null,\"sessionId\":\"s\","
            "\"timestamp\":\"2026-01-30T%02d:%02d:%02d.%d00Z\",\"message\":{\"id\":\"m%d\",\"content\":"
            "[{\"type\":\"tool_use\",\"id\":\"t%d\",\"name\":\"mcp__office__read\",\"input\":"
            "{\"q\":%d}}]}}\n",
            i, at / 3600, at / 60 % 60, at % 60, i % 5, i, i, i);
    }
    cr_assert_eq(fclose(server) | fclose(client), 0);
}

Test(import, a_clock_that_is_off_is_told_by_calls_that_both_logs_have)
{
    static const struct {
        int apart;                  /* seconds */
        int64_t given, least, most; /* nanoseconds */
    } cases[] = {
        {12, 0, INT64_C(11500000000), INT64_C(12000000000)},
        {10800, 0, INT64_C(10799500000000), INT64_C(10800000000000)}, /* farther than calls last */
        {0, 0, 0, 0}, /* what a call takes is no offset */
        {12, INT64_C(5000000000), INT64_C(5000000000), INT64_C(5000000000)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = {0};
        struct folder folder = folder_make("x");
        struct buf wire = {0}, host = {0};
        struct import_totals totals;
        write_two_logs(&folder, &wire, &host, cases[i].apart);
        struct case_file *c = fresh();
        const char *first[] = {buf_cstr(&wire)}, *second[] = {buf_cstr(&host)};
        struct import_options options = {.session = "one"};
        MUST(import_logs(c, first, 1, &options, &totals, &err));
        options.offset_ns = cases[i].given;
        MUST(import_logs(c, second, 1, &options, &totals, &err));
        cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call'"), 6,
                     "a call of two logs is one step");
        int64_t offset = number_of(c, "SELECT clock_offset_ns FROM source WHERE id=2");
        cr_expect(offset >= cases[i].least && offset <= cases[i].most, "%zu: %lld", i,
                  (long long)offset);
        cr_expect_eq(number_of(c, "SELECT reason LIKE '%clock is 1%behind: 6 calls%' FROM source"
                                  " WHERE id=2"),
                     cases[i].apart && !cases[i].given);
        cr_expect_eq(totals.sources, 1);
        cr_expect_eq(totals.events, 6);
        case_close(c);
        folder_remove(&folder);
        buf_finish(&wire);
        buf_finish(&host);
    }
}
