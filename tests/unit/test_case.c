#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "model/case/case_internal.h"
#include "tests/unit/case_support.h"

/* Bytes that don't compress, with newlines among them; the same each time. */
static void fill(struct buf *out, size_t size, uint32_t seed)
{
    struct numbers numbers = {seed};
    for (size_t i = 0; i < size; i++)
        buf_byte(out, (char)numbers_next(&numbers));
}

static void same_bytes(struct case_file *c, int64_t source, struct span bytes)
{
    struct err err = {0};
    struct buf out = {0};
    enum source_state state = SOURCE_CHANGED;
    MUST(source_read(c, source, 0, bytes.len, &out, &err));
    cr_assert(span_equal(buf_span(&out), bytes));
    MUST(source_verify(c, source, &state, &err));
    cr_assert_eq(state, SOURCE_UNCHANGED);
    FILE *file = tmpfile();
    MUST(source_write_out(c, source, fileno(file), &err));
    cr_assert_eq(lseek(fileno(file), 0, SEEK_END), (off_t)bytes.len);
    fclose(file);
    cr_assert_not(source_read(c, source, 0, bytes.len + 1, &out, &err), "one byte too many");
    buf_finish(&out);
}

Test(case_file, sources_come_out_the_same)
{
    struct err err = {0};
    struct case_file *c = case_temporary(&err);
    MUST(c);
    const size_t sizes[] = {
        0, 1, SOURCE_FRAME - 1, SOURCE_FRAME, SOURCE_FRAME + 1, 3 * SOURCE_FRAME + 17};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct buf bytes = {0};
        fill(&bytes, sizes[i], (uint32_t)i);
        same_bytes(c, add_source(c, buf_span(&bytes)), buf_span(&bytes));
        buf_finish(&bytes);
    }
    case_close(c);
}

/* A case with a source, a session and some steps. */
static void make_case(const char *path)
{
    struct err err = {0};
    struct case_file *c = case_create(path, &err);
    MUST(c);
    MUST(db_begin(case_db(c), &err));
    struct buf text = {0};
    for (int i = 0; i < 2000; i++)
        buf_addf(&text, "{\"n\":%d,\"text\":\"line\"}\n", i);
    int64_t source = add_source(c, buf_span(&text));
    struct session_row session = {.key = SPAN("k"), .name = SPAN("one")};
    int64_t id = store_session(c, &session, &err);
    int64_t server = store_server(c, SPAN("github"), &err);
    for (uint64_t i = 0; i < 200; i++) {
        struct step_sketch s = {STEP_TOOL_RESULT, "get", source, server, 0, (int64_t)i, i * 20, 20};
        add_step(c, id, &s, 0);
    }
    MUST(store_number_steps(c, id, &err));
    MUST(db_commit(case_db(c), &err));
    case_close(c);
    buf_finish(&text);
}

static void change(const char *path, const char *sql)
{
    sqlite3 *raw;
    cr_assert_eq(sqlite3_open(path, &raw), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(raw, sql, NULL, NULL, NULL), SQLITE_OK, "%s", sqlite3_errmsg(raw));
    sqlite3_close(raw);
}

Test(case_file, opens_what_it_made)
{
    struct err err = {0};
    struct folder f = folder_make("a.strand");
    cr_assert_not(case_is(f.file));
    make_case(f.file);
    struct stat info;
    cr_assert_eq(stat(f.file, &info), 0);
    cr_assert_eq(info.st_mode & 0777, 0600);
    cr_assert(case_is(f.file));
    struct case_file *c = case_open(f.file, &err);
    MUST(c);
    cr_assert(case_is_writable(c));
    cr_assert_eq(ask(c, "SELECT count(*) FROM step"), 200);
    const char *views[] = {"source",     "account", "diagnostic", "run",     "session",
                           "connection", "event",   "step",       "verdict", "claim",
                           "evidence",   "finding", "definition", "note"};
    for (size_t i = 0; i < COUNT_OF(views); i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM (SELECT * FROM v_%s)", views[i]);
        ask(c, sql);
    }
    cr_assert_eq(ask(c, "SELECT count(*) FROM v_step WHERE time = '1970-01-01T00:00:00.000Z'"),
                 200);
    case_close(c);
    c = case_create(f.file, &err); /* opens it for adding */
    MUST(c);
    cr_assert_eq(ask(c, "SELECT count(*) FROM step"), 200);
    case_close(c);
    folder_remove(&f);
}

/* The file is made a large one by nothing behind its pages. */
static void enlarge(const char *path)
{
    int fd = open(path, O_WRONLY);
    cr_assert_eq(ftruncate(fd, 65 << 20), 0);
    close(fd);
}

/* Writes over the b-tree of a table, so that nothing is seen of it until it is looked at. */
static void wreck(const char *path, const char *table)
{
    struct err err = {0};
    struct case_file *c = case_open(path, &err);
    MUST(c);
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT rootpage FROM main.sqlite_schema WHERE name='%s'", table);
    int64_t page = ask(c, sql), size = ask(c, "PRAGMA page_size");
    case_close(c);
    int fd = open(path, O_WRONLY);
    char junk[64];
    memset(junk, 0xee, sizeof junk);
    cr_assert_eq(pwrite(fd, junk, sizeof junk, (page - 1) * size + 8), (ssize_t)sizeof junk);
    close(fd);
}

/* A large file is looked at behind the first screen; whoever asks is told, and nobody waits. */
Test(case_file, checks_a_large_file_beside)
{
    static const struct {
        const char *wrecked;
        enum case_check found;
    } cases[] = {{NULL, CASE_SOUND}, {"step", CASE_DAMAGED}, {"session", CASE_DAMAGED}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct err err = {0};
        struct folder f = folder_make("a.strand");
        make_case(f.file);
        if (cases[i].wrecked)
            wreck(f.file, cases[i].wrecked);
        enlarge(f.file);
        struct case_file *c = case_open_to_look(f.file, &err);
        MUST(c);
        enum case_check first = case_check(c, false, &err);
        cr_assert(first == CASE_CHECKING || first == cases[i].found, "%zu: %d", i, (int)first);
        enum case_check last = case_check(c, true, &err);
        cr_assert_eq(last, cases[i].found, "%zu: %d %s", i, (int)last, err.what);
        cr_assert_eq(err.kind, last == CASE_SOUND ? ERR_NONE : ERR_INPUT);
        cr_assert_eq(case_check(c, false, &err), cases[i].found, "the answer stays");
        case_close(c);
        c = case_open_to_look(f.file, &err); /* closed while it is being looked at */
        MUST(c);
        case_check(c, false, &err);
        case_close(c);
        folder_remove(&f);
    }
}

Test(case_file, refuses_what_is_not_ours)
{
    struct err err = {0};
    static const struct {
        const char *sql, *why;
    } cases[] = {
        {"CREATE TRIGGER t AFTER INSERT ON note BEGIN DELETE FROM note; END", "laid out"},
        {"CREATE VIEW x AS SELECT 1", "laid out"},
        {"CREATE TABLE x(a)", "laid out"},
        {"CREATE TABLE x(a); ALTER TABLE note ADD COLUMN more TEXT", "laid out"},
        {"DROP VIEW v_step; CREATE VIEW v_step AS SELECT 1", "laid out"},
        {"CREATE VIRTUAL TABLE x USING fts5(a)", "laid out"},
        {"PRAGMA user_version=2", "version 2"},
        {"PRAGMA user_version=0", "version 0"},
        {"PRAGMA application_id=7", "not a case"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct folder f = folder_make("a.strand");
        make_case(f.file);
        change(f.file, cases[i].sql);
        cr_assert_null(case_open(f.file, &err), "%s", cases[i].sql);
        cr_assert(strstr(err.what, cases[i].why), "%s: %s", cases[i].sql, err.what);
        folder_remove(&f);
    }
    cr_assert_null(case_open("/nonexistent/x.strand", &err));
    cr_assert_null(case_open("/tmp", &err));
    cr_assert_null(case_create("/tmp", &err));
}

Test(case_file, frames_are_checked)
{
    struct err err = {0};
    static const char *const changes[] = {
        "UPDATE frame SET length=length+1",
        "UPDATE frame SET length=-1",
        "UPDATE frame SET length=1<<40",
        "UPDATE frame SET packed=x'28b52ffd'",
        "UPDATE frame SET packed=zeroblob(0)",
        "UPDATE frame SET offset=offset+1",
        "UPDATE frame SET line=7",
        "DELETE FROM frame",
        "UPDATE source SET bytes=bytes+1",
        "UPDATE source SET sha256=zeroblob(32)",
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        struct folder f = folder_make("a.strand");
        make_case(f.file);
        change(f.file, changes[i]);
        struct case_file *c = case_open(f.file, &err);
        MUST(c);
        enum source_state state = SOURCE_UNCHANGED;
        MUST(source_verify(c, 1, &state, &err));
        cr_assert_eq(state, SOURCE_CHANGED, "%s", changes[i]);
        struct buf out = {0};
        source_read(c, 1, 0, 100, &out, &err);
        source_read(c, 1, UINT64_MAX - 3, 100, &out, &err);
        buf_finish(&out);
        case_close(c);
        folder_remove(&f);
    }
}

/* Whatever stands in a case file: no crash, no hang. Most of these don't even open. */
Test(case_file, survives_random_changes, .timeout = 120)
{
    struct folder f = folder_make("a.strand");
    char bad[160];
    snprintf(bad, sizeof bad, "%s/b.strand", f.path);
    make_case(f.file);
    int opened = 0;
    for (uint32_t seed = 1; seed <= 400; seed++) {
        struct err err = {0};
        corrupt(f.file, bad, seed);
        struct case_file *c = case_open(bad, &err);
        cr_assert(c || err.what[0]);
        if (!c)
            continue;
        opened++;
        struct buf out = {0};
        enum source_state state;
        bool cut;
        source_verify(c, 1, &state, &err);
        struct stmt *stmt = db_prepare(
            case_db(c), SPAN("SELECT source_id, offset, length, recipe FROM step"), &err);
        while (stmt && stmt_step(stmt, &err) > 0) {
            struct extent at = {stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                                (uint64_t)stmt_int(stmt, 2), stmt_text(stmt, 3)};
            buf_clear(&out);
            case_read(c, &at, 400, &out, &cut, &err);
        }
        stmt_finish(stmt);
        store_number_steps(c, 1, &err);
        buf_finish(&out);
        case_close(c);
    }
    cr_assert_gt(opened, 10, "the changes hit more than what the first look sees");
    folder_remove(&f);
}

Test(case_file, a_kill_leaves_a_case_that_opens)
{
    struct err err = {0};
    struct folder f = folder_make("a.strand");
    make_case(f.file);
    pid_t child = fork();
    if (child == 0) {
        struct case_file *c = case_open(f.file, &err);
        struct step_sketch s = {STEP_PROMPT, "", 1, 0, 0, 0, 0, 10};
        db_begin(case_db(c), &err);
        db_exec(case_db(c), "PRAGMA cache_size=10; PRAGMA cache_spill=1",
                &err); /* so that it reaches the file */
        for (int i = 0; i < 20000; i++)
            add_step(c, 1, &s, 0);
        kill(getpid(), SIGKILL);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFSIGNALED(status));
    struct stat info;
    char journal[160];
    snprintf(journal, sizeof journal, "%s-journal", f.file);
    cr_assert_eq(stat(journal, &info), 0, "the kill came in the middle");
    struct case_file *c = case_open(f.file, &err);
    MUST(c);
    cr_assert_eq(ask(c, "SELECT count(*) FROM step"), 200);
    case_close(c);
    folder_remove(&f);
}

/* Read-only: by its mode, by its folder's. Root may write anywhere, so the test gives that up. */
Test(case_file, opens_where_it_may_not_write)
{
    struct err err = {0};
    struct folder f = folder_make("a.strand");
    make_case(f.file);
    cr_assert_eq(chmod(f.path, 0555), 0);
    cr_assert_eq(chmod(f.file, 0444), 0);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 &&
            (chown(f.path, 65534, 65534) || chown(f.file, 65534, 65534) || setuid(65534)))
            _exit(9);
        struct case_file *c = case_open(f.file, &err);
        if (!c || case_is_writable(c))
            _exit(1);
        /* What is derived goes beside it, under the same names. */
        bool ok =
            db_exec(case_db(c),
                    "INSERT INTO label(integrity, private, json) VALUES('trusted', 0, '{}')",
                    &err) &&
            !db_exec(case_db(c), "INSERT INTO note(session_id, created_at) VALUES(1, '')", &err);
        _exit(ok && !case_create(f.file, &err) ? 0 : 2);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status));
    cr_assert_eq(WEXITSTATUS(status), 0);
    chmod(f.path, 0755);
    folder_remove(&f);
}

Test(case_file, any_number_of_threads_keeps_the_same_bytes)
{
    struct err err = {0};
    struct buf bytes = {0};
    fill(&bytes, 20 * SOURCE_FRAME + 4711, 1);
    static const unsigned workers[] = {0, 1, 2, 3, 100};
    for (size_t i = 0; i < COUNT_OF(workers); i++) {
        struct case_file *c = case_temporary(&err);
        MUST(c);
        case_use_workers(c, workers[i]);
        same_bytes(c, add_source(c, buf_span(&bytes)), buf_span(&bytes));
        case_close(c);
    }
    buf_finish(&bytes);
}

/* SQLite keeps as many pages as its bound allows: a new case must not have twice that of one that
 * was opened. */
Test(case_file, what_is_kept_of_a_large_case_in_memory_is_bounded)
{
    enum { CASE_TEST_MB = 1 << 20 };
    struct err err = {0};
    struct folder folder = folder_make("case.strand");
    struct case_file *c = case_create(folder.file, &err);
    MUST(c);
    MUST(db_begin(case_db(c), &err));
    for (int i = 0; i < 40; i++)
        MUST(db_exec(case_db(c),
                     "INSERT INTO meta SELECT hex(randomblob(16)), hex(zeroblob(524288))", &err));
    int used = 0, most = 0;
    sqlite3_db_status(db_handle(case_db(c)), SQLITE_DBSTATUS_CACHE_USED, &used, &most, 0);
    cr_expect_lt(used, 18 * CASE_TEST_MB, "%d bytes", used);
    MUST(db_commit(case_db(c), &err));
    case_close(c);
    folder_remove(&folder);
}
