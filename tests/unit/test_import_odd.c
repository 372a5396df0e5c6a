/* Files in odd states into a case: cut short, packed, piped, in use, too long. */
#include <pthread.h>
#include <sys/stat.h>

#include <zlib.h>
#include <zstd.h>

#include "ingest/records.h"
#include "tests/unit/ingest_support.h"

static bool stop_in_the_file(void *arg, const struct import_progress *progress)
{
    ++*(int *)arg;
    return !progress->bytes; /* asked before the file, then in it */
}

Test(import_odd, interrupted_keeps_what_was_read)
{
    struct folder f = folder_make("big.log");
    struct buf bytes = {0};
    for (int i = 0; i < 20000; i++)
        buf_puts(&bytes, ASKED ANSWERED);
    put_file(f.file, buf_span(&bytes));
    struct err err = {0};
    struct import_totals totals;
    int asked = 0;
    struct import_options options = {.progress = stop_in_the_file, .arg = &asked};
    struct case_file *c = fresh();
    const char *paths[] = {f.file, f.file};
    MUST(import_logs(c, paths, 2, &options, &totals, &err));
    cr_assert(totals.interrupted && totals.sources == 1 && asked == 2);
    cr_assert_lt(totals.bytes, bytes.len);
    cr_assert_gt(totals.steps, 0);
    cr_assert_eq(number_of(c, "SELECT complete FROM source"), 0);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM diagnostic WHERE code='PR05'"), 1);
    account_adds_up(c, "interrupted");
    case_close(c);
    folder_remove(&f);
    buf_finish(&bytes);
}

/* Stops in the file that is called so, not before it. */
struct stop_in {
    const char *name;
    int asked;
};

static bool stop_in_one(void *arg, const struct import_progress *progress)
{
    struct stop_in *in = arg;
    in->asked += span_ends_with(progress->file, span_of(in->name));
    return in->asked < 2;
}

static void stopped_in_a_half(struct folder *f, const char *name, struct buf *said)
{
    struct err err = {0};
    struct import_totals totals;
    struct stop_in in = {name, 0};
    struct import_options until = {.progress = stop_in_one, .arg = &in};
    struct import_options options = {0};
    struct case_file *c = fresh();
    const char *paths[] = {f->path};
    MUST(import_logs(c, paths, 1, &until, &totals, &err));
    cr_assert_eq(totals.interrupted, strcmp(name, "/none") != 0);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM source WHERE NOT complete"),
                 totals.interrupted);
    MUST(import_logs(c, paths, 1, &options, &totals, &err));
    say_steps(c, said);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM diagnostic"), 0);
    case_close(c);
}

/* Of the two files that hold a connection, either is cut in the middle, and read on later. */
Test(import_odd, halves_that_were_interrupted)
{
    struct folder f = folder_make("");
    char sent[128], received[128];
    struct buf to = {0}, from = {0}, whole = {0}, said = {0};
    buf_puts(&to, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n");
    buf_puts(&from, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\","
                    "\"serverInfo\":{\"name\":\"srv\"}}}\n");
    for (int i = 1; i < 9000; i++) {
        buf_addf(&to,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":"
                 "{\"name\":\"x\",\"arguments\":{\"of\":\"the connection\"}}}\n",
                 i);
        buf_addf(&from,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\","
                 "\"text\":\"what came of the call\"}]}}\n",
                 i);
    }
    snprintf(sent, sizeof sent, "%s/c2s.jsonl", f.path);
    snprintf(received, sizeof received, "%s/s2c.jsonl", f.path);
    put_file(sent, buf_span(&to));
    put_file(received, buf_span(&from));
    stopped_in_a_half(&f, "/none", &whole);
    stopped_in_a_half(&f, "/c2s.jsonl", &said);
    cr_assert(span_equal(buf_span(&said), buf_span(&whole)));
    stopped_in_a_half(&f, "/s2c.jsonl", &said);
    cr_assert(span_equal(buf_span(&said), buf_span(&whole)));
    remove(sent);
    remove(received);
    rmdir(f.path);
    buf_finish(&to);
    buf_finish(&from);
    buf_finish(&whole);
    buf_finish(&said);
}

Test(import_odd, strict_stops_at_the_first_unreadable)
{
    struct folder f = folder_make("s.log");
    put_file(f.file, SPAN(ASKED "{\"jsonrpc\":\"2.0\",\"id\":\n" ANSWERED));
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {.strict = true};
    struct case_file *c = fresh();
    const char *paths[] = {f.file};
    cr_assert_not(import_logs(c, paths, 1, &options, &totals, &err));
    cr_assert(strstr(err.where, "s.log:2"), "%s", err.where);
    cr_assert_eq(number_of(c, "SELECT count(*) FROM source"), 0);
    case_close(c);
    folder_remove(&f);
}

static void *write_pipe(void *path)
{
    put_file(path, SPAN(ASKED ANSWERED));
    return NULL;
}

Test(import_odd, pipes_and_packed_files)
{
    struct folder f = folder_make("p");
    struct err err = {0};
    struct import_totals totals;
    cr_assert_eq(mkfifo(f.file, 0600), 0);
    pthread_t writer;
    pthread_create(&writer, NULL, write_pipe, f.file);
    struct case_file *c = fresh();
    MUST(import_one(c, f.file, &totals, &err));
    pthread_join(writer, NULL);
    cr_assert_eq(totals.steps, 2);
    case_close(c);
    remove(f.file);

    gzFile gz = gzopen(f.file, "wb");
    gzputs(gz, ASKED ANSWERED);
    gzclose(gz);
    c = fresh();
    MUST(import_one(c, f.file, &totals, &err));
    cr_assert_eq(totals.steps, 2);
    cr_assert_eq(
        number_of(
            c,
            "SELECT count(*) FROM source WHERE reason LIKE '%unpacked with gzip out of a file that is not kept, sha256:%'"),
        1);
    case_close(c);

    char packed[512];
    size_t size = ZSTD_compress(packed, sizeof packed, ASKED ANSWERED, strlen(ASKED ANSWERED), 1);
    put_file(f.file, (struct span){packed, size});
    c = fresh();
    MUST(import_one(c, f.file, &totals, &err));
    cr_assert_eq(totals.steps, 2);
    case_close(c);

    put_file(f.file, (struct span){packed, size - 5}); /* cut: said, and what there is is kept */
    c = fresh();
    cr_assert_not(import_one(c, f.file, &totals, &err));
    cr_assert_eq(number_of(c, "SELECT complete FROM source"), 0);
    case_close(c);

    put_file(f.file, SPAN(""));
    c = fresh();
    MUST(import_one(c, f.file, &totals, &err));
    cr_assert_eq(totals.sources, 1);
    account_adds_up(c, "empty");
    case_close(c);
    folder_remove(&f);
}

/* Few packed bytes may unpack to a line that no memory holds. */
Test(import_odd, a_line_that_is_too_long_ends_its_file)
{
    struct folder f = folder_make("long");
    struct err err = {0};
    struct import_totals totals;
    gzFile gz = gzopen(f.file, "wb");
    gzputs(gz, ASKED ANSWERED);
    for (int i = 0; i < 4 * 1024 * 1024; i++)
        gzputc(gz, ' ');
    gzputs(gz, "\n" ASKED);
    gzclose(gz);
    struct import_options options = {.longest = 1024 * 1024};
    const char *paths[] = {f.file};
    struct case_file *c = fresh();
    cr_assert_not(import_logs(c, paths, 1, &options, &totals, &err));
    cr_assert(err.kind == ERR_INPUT && strstr(err.what, "longer than 1048576"), "%s", err.what);
    cr_assert_eq(totals.steps, 2); /* what came before it is kept */
    cr_assert_lt(totals.bytes, 2 * 1024 * 1024);
    cr_assert_eq(number_of(c, "SELECT complete FROM source"), 0);
    account_adds_up(c, "long");
    case_close(c);

    c = fresh();
    MUST(import_one(c, f.file, &totals, &err)); /* the usual bound is far above it */
    cr_assert_eq(totals.steps, 3);
    case_close(c);
    folder_remove(&f);
}

/* Goose keeps its messages in a database; one with other tables is only text. */
Test(import_odd, databases)
{
    struct folder f = folder_make("sessions.db");
    struct err err = {0};
    struct import_totals totals;
    struct db *db = db_open(f.file, DB_CREATE, &err);
    MUST(db);
    MUST(db_exec(
        db,
        "CREATE TABLE sessions(id TEXT); CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT,"
        " role TEXT, content_json TEXT, created_timestamp INTEGER);"
        "INSERT INTO messages VALUES(1, 's', 'assistant', '[{\"type\":\"toolRequest\",\"id\":\"c\",\n"
        "\"toolCall\":{\"status\":\"success\",\"value\":{\"name\":\"git__log\",\"arguments\":{\"n\":1}}}}]', 1764529200),"
        "(2, 's', 'user', '[{\"type\":\"toolResponse\",\"id\":\"c\",\"toolResult\":{\"status\":\"error\",\"error\":\"no\"}}]', 1764529201),"
        "(3, 's', 'user', 'broken', 1764529202);",
        &err));
    db_close(db);
    struct case_file *c = fresh();
    struct buf said = {0};
    MUST(import_one(c, f.file, &totals, &err));
    cr_expect_str_eq(say_steps(c, &said),
                     "1:1 tool_call log@git failed | {\"n\":1}\n"
                     "1:2 tool_result log@git of 1 error | no\n",
                     "%s", buf_cstr(&said));
    account_adds_up(c, "goose");
    case_close(c);
    db = db_open(f.file, DB_READ_WRITE, &err);
    MUST(db);
    MUST(db_exec(db, "DROP TABLE sessions; CREATE VIEW sessions AS SELECT 1", &err));
    db_close(db);
    c = fresh();
    MUST(import_one(c, f.file, &totals, &err));
    cr_expect_eq(totals.steps, 0);
    case_close(c);
    buf_finish(&said);
    folder_remove(&f);
}

static void *write_record(void *path)
{
    put_file(path, SPAN("{}"));
    return NULL;
}

/* A writer that is at work: what it has not moved into the file yet stands in the log beside it,
 * and counts. Sub-agents have sessions of their own there, below the one that they work for, or
 * below another sub-agent. */
Test(import_odd, database_in_use)
{
    struct folder f = folder_make("opencode.db");
    struct err err = {0};
    struct import_totals totals;
    struct buf said = {0}, wal = {0};
    struct db *db = db_open(f.file, DB_CREATE, &err);
    MUST(db);
    MUST(db_exec(
        db,
        "PRAGMA journal_mode=WAL;"
        "CREATE TABLE session(id TEXT, parent_id TEXT);"
        "CREATE TABLE message(id TEXT, session_id TEXT, time_created INTEGER, data TEXT);"
        "CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, time_created INTEGER,"
        " data TEXT);"
        "INSERT INTO session VALUES('s', NULL), ('t', 'b'), ('a', 's'), ('b', 'c'), ('c', 'a'),"
        " ('x', 'y'), ('y', 'x');"
        "INSERT INTO message VALUES('m', 's', 1, '{\"role\":\"assistant\"}'),"
        " ('n', 't', 2, '{\"role\":\"user\"}'), ('o', 'x', 3, 'broken');"
        "INSERT INTO part VALUES('p', 'm', 's', 1, '{\"type\":\"tool\",\"tool\":\"task\","
        "\"callID\":\"c\",\"state\":{\"status\":\"completed\",\"input\":{},\"output\":\"r\","
        "\"metadata\":{\"sessionId\":\"t\"}}}'),"
        " ('q', 'n', 't', 2, '{\"type\":\"text\",\"text\":\"look\"}'),"
        " ('r', 'o', 'x', 3, '{\"type\":\"text\",\"text\":\"in a circle\"}');",
        &err));
    buf_addf(&wal, "%s-wal", f.file);
    cr_expect_eq(access(buf_cstr(&wal), R_OK), 0);
    struct case_file *c = fresh();
    MUST(import_one(c, f.file, &totals, &err));
    cr_expect_str_eq(say_steps(c, &said),
                     "1:1 tool_call task completed ran 2 | {}\n"
                     "1:2 tool_result task of 1 | r\n"
                     "2:1 prompt  | look\n"
                     "3:1 assistant  | in a circle\n",
                     "%s", buf_cstr(&said));
    account_adds_up(c, "opencode");
    case_close(c);
    db_close(db);
    buf_finish(&said);
    buf_finish(&wal);
    folder_remove(&f);
}

/* A pipe that is named is read, one that lies in a folder would wait for ever. */
Test(import_odd, records_of_odd_files)
{
    struct folder f = folder_make("pipe");
    struct err err = {0};
    cr_assert_eq(mkfifo(f.file, 0600), 0);
    struct records *records = records_create();
    const char *folder[] = {f.path}, *pipe[] = {f.file}, *nameless[] = {""};
    MUST(records_load(records, folder, 1, &err));
    pthread_t writer;
    pthread_create(&writer, NULL, write_record, f.file);
    MUST(records_load(records, pipe, 1, &err));
    pthread_join(writer, NULL);
    cr_assert_eq(records_count(records), 1);
    cr_assert_not(records_load(records, nameless, 1, &err));
    cr_assert_str_eq(err.what, "No such file or directory");
    records_destroy(records);
    folder_remove(&f);
}
