#include <criterion/criterion.h>

#include <stdlib.h>

#include "ingest/account.h"
#include "ingest/framer.h"
#include "ingest/peel.h"
#include "tests/unit/ingest_support.h"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define CALL                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"x\","          \
    "\"arguments\":{\"a\":1}}}"
#define PONG                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"0123456789 0123456789 0123456789\"}}"

static struct span source;

static void say(struct buf *said, const struct outlet *out)
{
    static const char *const ways[] = {"", "c2s ", "s2c "};
    for (size_t i = 0; i < out->count; i++) {
        const struct record *r = &out->records[i];
        check_stitched(r, source);
        buf_puts(said, r->kind == RECORD_MESSAGE  ? ""
                       : r->kind == RECORD_STDERR ? "stderr "
                                                  : "o ");
        buf_puts(said, ways[r->direction]);
        if (r->time_digits >= 0)
            buf_addf(said, "%lld ", (long long)(r->time_ns / 1000000000));
        if (r->connection.len)
            buf_addf(said, "%.*s ", SPAN_ARG(r->connection));
        buf_add(said, r->text.at ? r->text : r->payload);
        buf_puts(said, "\n");
    }
}

static void take_units(struct peel *p, const struct reader *reader, struct account *account,
                       struct buf *said)
{
    struct outlet out;
    struct unit unit;
    outlet_init(&out);
    void *state = reader->open ? reader->open(SPAN("test")) : NULL;
    while (peel_next(p, &unit)) {
        outlet_clear(&out);
        reader->read(state, &unit, &out);
        peel_place(p, &unit, &out);
        account_unit(account, &unit, &out);
        say(said, &out);
    }
    if (reader->close)
        reader->close(state);
    outlet_finish(&out);
}

/* The file as it is detected; `step` bytes at a time. */
static void read_file(struct span bytes, size_t step, struct probe *best, struct buf *said)
{
    struct peel_plan plan;
    struct account account = {0};
    const struct reader *reader = peel_detect(bytes, SPAN("test"), true, best, &plan);
    source = bytes;
    buf_clear(said);
    cr_assert(plan.count, "%s", best->reason);
    struct framer *f = framer_create();
    struct peel *p = peel_create(&plan, reader);
    for (size_t put = 0, n = 1; n; put += n) {
        size_t room;
        struct unit line;
        const char *noise;
        char *at = framer_room(f, &room);
        n = bytes.len - put < step ? bytes.len - put : step;
        memcpy(at, bytes.at + put, n);
        framer_filled(f, n);
        if (!n)
            framer_end(f);
        while (framer_next(f, &line)) {
            uint64_t taken = peel_put(p, &line, &noise);
            if (taken)
                account_add(&account, "noise", noise, taken);
            take_units(p, reader, &account, said);
        }
    }
    peel_end(p);
    take_units(p, reader, &account, said);
    uint64_t sum = 0;
    for (size_t i = 0; i < account.count; i++)
        sum += account.lines[i].bytes;
    cr_expect_eq(sum, bytes.len, "%d of %d", (int)sum, (int)bytes.len);
    peel_destroy(p);
    framer_destroy(f);
}

Test(peel, layers)
{
    static const struct {
        const char *bytes, *reader, *said;
    } cases[] = {
        {"\x1b[36moffice-1  | \x1b[0m" PING "\nweb_2     | listening\noffice-1  | " PONG "\n",
         "jsonrpc-lines", "office-1 " PING "\noffice-1 " PONG "\n"},
        {"[pod/a-5f/mcp] " PING "\n[pod/a-5f/mcp] " PONG "\r\n", "jsonrpc-lines",
         "pod/a-5f/mcp " PING "\npod/a-5f/mcp " PONG "\n"},
        {/* parts of a line, another stream between them */
         "2026-11-30T17:56:00.1Z stdout P {\"jsonrpc\":\"2.0\",\n"
         "2026-11-30T17:56:00.2Z stderr F oops\n"
         "2026-11-30T17:56:01.3Z stdout P \"id\":1,\n"
         "2026-11-30T17:56:02.4Z stdout F \"method\":\"ping\"}\n"
         "2026-11-30T17:56:03.5Z stdout F " PONG "\n",
         "jsonrpc-lines", "stderr 1796061360 oops\n1796061362 " PING "\n1796061363 " PONG "\n"},
        {/* docker's files: a literal in parts */
         "{\"log\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\",\"stream\":\"stdout\",\"time\":\"2026-11-30T17:56:00Z\"}\n"
         "{\"log\":\"oops\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-30T17:56:00Z\"}\n"
         "{\"log\":\"\\\"method\\\":\",\"stream\":\"stdout\",\"time\":\"2026-11-30T17:56:01Z\"}\n"
         "{\"log\":\"\\\"ping\\\"}\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-30T17:56:02Z\"}\n",
         "jsonrpc-lines", "stderr 1796061360 \"oops\\n\"\n1796061362 " PING "\n\n"},
        {"Nov 30 17:56:00 host mcp[4711]: " PING "\nNov  3 17:56:00 host mcp[4711]: " PONG,
         "jsonrpc-lines", "mcp[4711] " PING "\nmcp[4711] " PONG "\n"},
        {"2026-11-30T17:56:00+0100 host mcp[1]: " PING "\n", "jsonrpc-lines",
         "1796057760 mcp[1] " PING "\n"},
        {"==> a.log <==\n" PING "\n\n==> b.log <==\n" PING "\n\n==> a.log <==\n" PONG "\n",
         "jsonrpc-lines", "a.log " PING "\nb.log " PING "\na.log " PONG "\n"},
        {"Hi\n```json\n{\n  \"jsonrpc\": \"2.0\", \"id\": 1,\n  \"result\": {}\n}\n```\n```\n" PING
         "\n```\n",
         "jsonrpc-lines", "{\n  \"jsonrpc\": \"2.0\", \"id\": 1,\n  \"result\": {}\n}\n" PING "\n"},
        {"> see:\n>\n> ```\n> " PING "\n> ```\n> > " PONG "\n", "jsonrpc-lines",
         PING "\n" PONG "\n"},
        {/* at 42 columns */
         "--> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\n\"}\n"
         "<-- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\n\"0123456789 0123456789 0123456789\"}}\n"
         "--> {\"jsonrpc\":\"2.0\",\"method\":\"notes/\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n/x\"}\n",
         "jsonrpc-lines",
         "c2s " PING "\ns2c " PONG
         "\nc2s {\"jsonrpc\":\"2.0\",\"method\":\"notes/\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4/x\"}\n"},
        {/* compose of a runtime of Claude Desktop's log */
         "x-1 | 2026-11-30T17:56:00Z stdout P 2026-11-30T18:00:00.000Z [fs] [info] Message from \n"
         "x-1 | 2026-11-30T17:56:00Z stdout F client: " PING " { metadata: undefined }\n"
         "x-1 | 2026-11-30T17:56:00Z stdout F 2026-11-30T18:00:01.000Z [fs] [info] Message from "
         "server: " PONG "\n",
         "claude-desktop", "c2s 1796061600 x-1 " PING "\ns2c 1796061601 x-1 " PONG "\n"},
    };
    struct buf said = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t step = 1; step < 5000; step *= 17) {
            struct probe best;
            read_file(span_of(cases[i].bytes), step, &best, &said);
            cr_expect_str_eq(buf_cstr(&said), cases[i].said, "%zu: %s\n%snot\n%s", i, best.reason,
                             buf_cstr(&said), cases[i].said);
            struct peel_plan plan;
            cr_expect_str_eq(
                peel_detect(span_of(cases[i].bytes), SPAN("x"), true, &best, &plan)->name,
                cases[i].reader, "%zu", i);
        }
    buf_finish(&said);
}

/* What looks like a layer, and is none. */
Test(peel, none)
{
    static const char *const cases[] = {
        PING "\n" PONG "\n",
        "INFO  | " PING "\nDEBUG | " PONG "\n",
        ">>> " PING "\n<<< " PONG "\n",
        "2026-11-30T17:56:17.088Z --> " PING "\n",
        "2026-02-22T04:14:49.196Z [fs] [info] Message from client: " PING "\n",
        "",
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct probe best;
        struct peel_plan plan;
        peel_detect(span_of(cases[i]), SPAN("x"), true, &best, &plan);
        cr_expect_eq(plan.count, 0, "%zu: %s", i, best.reason);
    }
}

/* In a case: the steps of a log in layers are those of the log, read from its bytes in the file. */
Test(peel, into_a_case)
{
    static const char cri[] =
        "2026-11-30T17:56:00Z stdout P {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\n"
        "2026-11-30T17:56:00Z stderr F oops\n"
        "2026-11-30T17:56:00Z stdout P \"params\":{\"name\":\"x\",\"argu\n"
        "2026-11-30T17:56:00Z stdout F ments\":{\"a\":\"\\u0031\"}}}\n"
        "2026-11-30T17:56:01Z stdout F {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n"
        "2026-11-30T17:56:02Z stdout F {\"jsonrpc\":\"2.0\",\"id\":2,\"resu\n";
    struct import_options options = {.server = "s"};
    struct import_totals totals;
    struct buf said = {0};
    struct case_file *c = import_text("pod.log", span_of(cri), &options, &totals);
    cr_expect_str_eq(say_steps(c, &said), "1:1 tool_call x@s completed | {\"a\":\"\\u0031\"}\n"
                                          "1:2 tool_result x@s of 1 | {\"content\":[]}\n");
    cr_expect_eq(number_of(c, "SELECT sum(bytes) FROM account"), (int64_t)sizeof cri - 1);
    cr_expect_eq(number_of(c, "SELECT line FROM event WHERE kind='response'"), 5);
    cr_expect_eq(number_of(c, "SELECT count(*) FROM event WHERE kind='stderr' AND line=2"), 1);
    size_t torn = (size_t)(strstr(cri, "{\"jsonrpc\":\"2.0\",\"id\":2") - cri);
    cr_expect_eq(number_of(c, "SELECT line FROM diagnostic"), 6);
    cr_expect_geq(number_of(c, "SELECT offset FROM diagnostic"), (int64_t)torn);
    case_close(c);

    struct buf wide = {0}; /* as PowerShell writes what it redirects */
    buf_add(&wide, SPAN("\xff\xfe"));
    for (const char *at = "x-1  | " PING "\r\nx-1  | " CALL "\r\n"; *at; at++)
        buf_byte(&wide, *at), buf_byte(&wide, 0);
    c = import_text("wide.log", buf_span(&wide), &options, &totals);
    cr_expect_str_eq(say_steps(c, &said), "1:1 tool_call x@s unanswered | {\"a\":1}\n");
    cr_expect_eq(number_of(c, "SELECT bytes FROM account WHERE kind='noise' AND units=2"), 28);
    cr_expect_eq(number_of(c, "SELECT sum(bytes) FROM account"), (int64_t)wide.len);
    buf_finish(&wide);
    case_close(c);
    buf_finish(&said);
}
