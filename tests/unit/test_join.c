/* A transcript and the logs of its servers, given as one folder: one session, each call one step.
 */
#include <sys/stat.h>

#include "tests/unit/ingest_support.h"

enum { HOUR = 3600, CALLS = 6, BEGIN = 10 * HOUR, EVERY = 7 };

static FILE *file_in(const char *folder, const char *name, struct buf *path)
{
    buf_clear(path);
    buf_addf(path, "%s/%s", folder, name);
    FILE *file = fopen(buf_cstr(path), "w");
    cr_assert(file, "%s", buf_cstr(path));
    return file;
}

static void put_time(FILE *file, int at, const char *rest)
{
    fprintf(file, "2026-01-30T%02d:%02d:%02d%sZ", at / HOUR, at / 60 % 60, at % 60, rest);
}

/* A server's calls, by a clock that is off; without one, where `timed` is false. */
static void write_wire(FILE *file, int off, bool timed, int calls, const char *tool)
{
    for (int i = 0; i < calls; i++) {
        for (int answer = 0; answer < 2; answer++) {
            if (timed)
                put_time(file, BEGIN + i * EVERY + off, answer ? ".300" : ".200");
            fprintf(file,
                    answer ? " <<< {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[]}}\n"
                           : " >>> {\"jsonrpc\":\"2.0\",\"id\":%d,",
                    i);
            if (!answer)
                fprintf(file,
                        "\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":"
                        "{\"q\":%d}}}\n",
                        tool, i);
        }
    }
    cr_assert_eq(fclose(file), 0);
}

/* What a host tells of calls of two servers; the second one's calls are a sub-agent's, maybe. */
static void write_host(FILE *file, const char *session, int begin, const char *const *tools,
                       bool agent)
{
    for (int i = 0; i < CALLS * 2; i++) {
        fprintf(
            file,
            "{%s\"type\":\"assistant\",\"uuid\":\"u%s%d\",\"parentUuid\":null,\"sessionId\":\"%s\","
            "\"timestamp\":\"",
            agent && i % 2 ? "\"isSidechain\":true,\"agentId\":\"sub\"," : "", session, i, session);
        put_time(file, begin + i / 2 * EVERY, ".000");
        fprintf(file,
                "\",\"message\":{\"id\":\"m%d\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t%d\","
                "\"name\":\"mcp__o__%s\",\"input\":{ \"q\" : %d }}]}}\n",
                i, i, tools[i % 2], i / 2);
    }
    cr_assert_eq(fclose(file), 0);
}

struct trial {
    int off[2];              /* of the two servers' clocks, in seconds */
    bool timed;              /* they have any */
    bool agent;              /* a sub-agent called the second server */
    bool stray;              /* a log beside the first that has other calls, and no times */
    int calls;               /* of each server, in its log */
    int other;               /* when another session made the same calls; 0: none did */
    int64_t sessions, steps; /* of calls */
    int64_t put_right[2];
};

static void try_folder(const struct trial *trial, size_t number)
{
    static const char *const names[] = {"wires/one.log", "more/two.log", "host.jsonl",
                                        "other.jsonl", "wires/stray.log"};
    static const char *const tools[] = {"read", "send"};
    char folder[] = "/tmp/strandline-join-XXXXXX";
    struct buf path = {0};
    struct err err = {0};
    struct import_totals totals;
    struct import_options options = {0};
    cr_assert(mkdtemp(folder));
    buf_addf(&path, "%s/wires", folder);
    cr_assert_eq(mkdir(buf_cstr(&path), 0700), 0);
    buf_clear(&path);
    buf_addf(&path, "%s/more", folder);
    cr_assert_eq(mkdir(buf_cstr(&path), 0700), 0);
    for (int k = 0; k < 2; k++)
        write_wire(file_in(folder, names[k], &path), trial->off[k], trial->timed, trial->calls,
                   tools[k]);
    write_host(file_in(folder, names[2], &path), "s", BEGIN, tools, trial->agent);
    if (trial->other)
        write_host(file_in(folder, names[3], &path), "o", trial->other, tools, false);

    if (trial->stray)
        write_wire(file_in(folder, names[4], &path), 0, false, CALLS, "list");

    struct case_file *c = case_temporary(&err);
    const char *paths[] = {folder};
    MUST(c);
    MUST(import_logs(c, paths, 1, &options, &totals, &err));
    cr_expect_eq(number_of(c, "SELECT count(*) FROM session"), trial->sessions, "%zu", number);
    cr_expect_eq((int64_t)totals.sessions, trial->sessions, "%zu", number);
    cr_expect_eq((int64_t)totals.steps, number_of(c, "SELECT count(*) FROM step"), "%zu", number);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call'"), trial->steps,
                 "%zu: a call of two logs is one step", number);
    cr_expect_eq(number_of(c, "SELECT max(n) - count(*) FROM step GROUP BY session_id LIMIT 1"), 0);
    cr_expect_eq(number_of(c, "SELECT clock_offset_ns FROM source WHERE path LIKE '%one.log'"),
                 trial->put_right[0], "%zu", number);
    cr_expect_eq(number_of(c, "SELECT clock_offset_ns FROM source WHERE path LIKE '%two.log'"),
                 trial->put_right[1], "%zu", number);
    if (trial->agent)
        cr_expect_eq(number_of(c, "SELECT count(*) FROM step JOIN session s ON s.id=session_id"
                                  " WHERE s.parent_id IS NOT NULL"),
                     CALLS * 2, "calls and results of the sub-agent are in its session");
    case_close(c);

    for (size_t k = 0; k < COUNT_OF(names); k++) {
        buf_clear(&path);
        buf_addf(&path, "%s/%s", folder, names[k]);
        remove(buf_cstr(&path));
    }
    buf_clear(&path);
    buf_addf(&path, "%s/wires", folder);
    rmdir(buf_cstr(&path));
    buf_clear(&path);
    buf_addf(&path, "%s/more", folder);
    rmdir(buf_cstr(&path));
    rmdir(folder);
    buf_finish(&path);
}

Test(join, a_transcript_and_the_logs_of_its_servers_are_one_session)
{
    const int64_t second = INT64_C(1000000000), lag = INT64_C(200000000);
    const struct trial trials[] = {
        {{0, 0}, true, false, false, CALLS, 0, 1, CALLS * 2, {0, 0}},
        /* A wrong clock; local time; a sub-agent that calls one of them. */
        {{0, 100}, true, false, false, CALLS, 0, 1, CALLS * 2, {0, -100 * second - lag}},
        {{-2 * HOUR, 0}, true, false, false, CALLS, 0, 1, CALLS * 2, {2 * HOUR * second - lag, 0}},
        {{0, 0}, true, true, false, CALLS, 0, 2, CALLS * 2, {0, 0}},
        /* A log of who knows whom in the folder of one of them. */
        {{0, 0}, true, false, true, CALLS, 0, 2, CALLS * 3, {0, 0}},
        {{0, 100}, true, false, true, CALLS, 0, 2, CALLS * 3, {0, -100 * second - lag}},
        /* No times at all. */
        {{0, 0}, false, false, false, CALLS, 0, 1, CALLS * 2, {0, 0}},
        /* No clock is off like that; of one call nobody can tell. */
        {{5 * HOUR + 400, 0}, true, false, false, CALLS, 0, 2, CALLS * 3, {0, 0}},
        {{0, 100}, true, false, false, 1, 0, 2, CALLS * 2 + 1, {0, 0}},
        /* Who made the same calls two hours later; logs that are mostly of others. */
        {{0, 0}, true, false, false, CALLS, BEGIN + 2 * HOUR, 2, CALLS * 4, {0, 0}},
        {{0, 0}, true, false, false, CALLS * 3, 0, 3, CALLS * 8, {0, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(trials); i++)
        try_folder(&trials[i], i);
}

/* What became of the transcript's file before the logs of its servers come. */
enum fate { STAYS, GROWS, IS_ANOTHER, IS_GONE, WAS_REDACTED, FATES };

static void meet_fate(enum fate fate, const char *host, struct case_file *c)
{
    static const char *const other[] = {"find", "list"};
    struct err err = {0};
    if (fate == GROWS) {
        FILE *file = fopen(host, "a");
        cr_assert(file);
        fputs(
            "{\"type\":\"user\",\"uuid\":\"z\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\","
            "\"content\":\"and now?\"}}\n",
            file);
        fclose(file);
    } else if (fate == IS_ANOTHER) {
        write_host(fopen(host, "w"), "another", BEGIN, other, false);
    } else if (fate == IS_GONE) {
        remove(host);
    } else if (fate == WAS_REDACTED) {
        MUST(db_exec(case_db(c), "INSERT INTO redaction VALUES(1, 0, 1, 'a key')", &err));
    }
}

Test(join, nothing_of_a_transcript_is_lost_where_its_file_is_not_what_it_was)
{
    static const char *const tools[] = {"read", "send"};
    const int64_t sessions[FATES] = {1, 1, 2, 2, 2};
    for (enum fate fate = STAYS; fate < FATES; fate++) {
        char folder[] = "/tmp/strandline-join-XXXXXX";
        struct buf host = {0}, wire = {0};
        struct err err = {0};
        struct import_totals totals;
        struct import_options options = {0};
        struct case_file *c = case_temporary(&err);
        MUST(c);
        cr_assert(mkdtemp(folder));
        write_host(file_in(folder, "host.jsonl", &host), "s", BEGIN, tools, false);
        MUST(import_logs(c, &(const char *){buf_cstr(&host)}, 1, &options, &totals, &err));
        meet_fate(fate, buf_cstr(&host), c);
        write_wire(file_in(folder, "wire.log", &wire), 0, true, CALLS, tools[0]);
        MUST(import_logs(c, &(const char *){buf_cstr(&wire)}, 1, &options, &totals, &err));

        cr_expect_eq(number_of(c, "SELECT count(*) FROM session"), sessions[fate], "%d", fate);
        cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='tool_call'"),
                     CALLS * (sessions[fate] + 1), "%d", fate);
        cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE tool='send'"), CALLS, "%d",
                     fate);
        cr_expect_eq(number_of(c, "SELECT count(*) FROM step WHERE kind='prompt'"), fate == GROWS);
        cr_expect_eq(number_of(c, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'join%'"), 0);
        case_close(c);
        remove(buf_cstr(&host));
        remove(buf_cstr(&wire));
        rmdir(folder);
        buf_finish(&host);
        buf_finish(&wire);
    }
}
