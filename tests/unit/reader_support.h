/* What the tests of readers share: all that a reader says of some bytes, as one line of text. */
#ifndef STRANDLINE_TESTS_UNIT_READER_SUPPORT_H
#define STRANDLINE_TESTS_UNIT_READER_SUPPORT_H

#include <criterion/criterion.h>

#include "ingest/account.h"
#include "ingest/framer.h"
#include "ingest/outlet.h"

static const char *const kinds[] = {
    "message",     "prompt", "assistant", "call",   "result",
    "definitions", "reset",  "start",     "stderr", "other",
};
static const char *const directions[] = {"", " c2s", " s2c"};
static const char *const rpc_kinds[] = {"none", "request", "notification", "result", "error"};

static inline void say_span(struct buf *out, const char *name, struct span s)
{
    if (!s.len)
        return;
    buf_addf(out, " %s=", name);
    buf_add(out, span_sub(s, 0, 60));
}

static inline void say_record(struct buf *out, const struct record *r)
{
    buf_puts(out, kinds[r->kind]);
    buf_puts(out, directions[r->direction]);
    if (r->kind == RECORD_MESSAGE) {
        buf_addf(out, " %s", rpc_kinds[r->rpc.kind]);
        say_span(out, "method", r->rpc.method);
        say_span(out, "id", r->rpc.id.at ? r->rpc.id : SPAN_EMPTY);
    } else if (r->kind != RECORD_OTHER) {
        say_span(out, "text", r->payload);
    }
    say_span(out, "server", r->server);
    say_span(out, "tool", r->tool);
    say_span(out, "call", r->call_id);
    say_span(out, "agent", r->agent);
    say_span(out, "by", r->parent_call);
    say_span(out, "child", r->child);
    say_span(out, "session", r->session);
    say_span(out, "on", r->connection);
    say_span(out, "as", r->started_as);
    if (r->time_digits >= 0)
        buf_addf(out, " t=%lld.%d", (long long)(r->time_ns / 1000000), r->time_digits);
    const struct {
        bool set;
        const char *word;
    } flags[] = {{r->is_error, " error"},
                 {r->refused, " refused"},
                 {r->system, " system"},
                 {r->compaction, " compaction"},
                 {r->truncated, " truncated"},
                 {r->redacted, " redacted"},
                 {r->decision == DECISION_APPROVED, " approved"},
                 {r->decision == DECISION_REFUSED, " stopped"}};
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        buf_puts(out, flags[i].set ? flags[i].word : "");
    buf_puts(out, "; ");
}

static inline void say_unit(struct buf *text, const struct outlet *out)
{
    for (size_t i = 0; i < out->count; i++)
        say_record(text, &out->records[i]);
    if (!out->count && out->noise)
        buf_addf(text, "noise %s; ", out->noise);
    else if (!out->count && out->bad)
        buf_addf(text, "bad at %zu: %s; ", out->bad_at, out->bad);
    for (size_t i = 0; i < out->part_count; i++) {
        const struct outlet_part *part = &out->parts[i];
        if (part->noise)
            buf_addf(text, "(%zu noise %s) ", part->length, part->noise);
        else
            buf_addf(text, "(%zu+%zu bad: %s) ", part->offset, part->length, part->what);
    }
}

/* Every byte that a reader was given is an event, noise, unreadable, or blank. */
static inline uint64_t accounted(const struct unit *unit, const struct outlet *out)
{
    struct account account = {0};
    uint64_t bytes = 0;
    account_unit(&account, unit, out);
    for (size_t i = 0; i < account.count; i++)
        bytes += account.lines[i].bytes;
    return bytes;
}

static inline void read_all(struct span bytes, const struct reader *reader, struct buf *text,
                            struct framer *f)
{
    struct outlet out;
    struct unit unit;
    void *state = reader->open ? reader->open(SPAN("/logs/MCP user-github.log")) : NULL;
    size_t put = 0;
    uint64_t sum = 0;
    outlet_init(&out);
    for (bool ended = false; !ended;) {
        size_t room;
        char *at = framer_room(f, &room);
        size_t n = bytes.len - put < room ? bytes.len - put : room;
        if (n)
            memcpy(at, bytes.at + put, n);
        put += n;
        if (n)
            framer_filled(f, n);
        else
            framer_end(f), ended = true;
        while (framer_next(f, &unit)) {
            outlet_clear(&out);
            if (unit.part != UNIT_MARK) {
                reader->read(state, &unit, &out);
                say_unit(text, &out);
            }
            sum += accounted(&unit, &out);
        }
    }
    cr_expect_eq(sum, bytes.len, "%s: %llu of %zu bytes are accounted for", reader->name,
                 (unsigned long long)sum, bytes.len);
    if (reader->close)
        reader->close(state);
    outlet_finish(&out);
}

static inline void say_all(struct span bytes, const char *name, struct buf *text)
{
    const struct reader *reader = reader_find(span_of(name));
    cr_assert_not_null(reader, "%s", name);
    struct framer *f = framer_create();
    framer_cut_by(f, reader->framing, reader->elements);
    buf_clear(text);
    read_all(bytes, reader, text, f);
    framer_destroy(f);
}

struct example {
    const char *name, *bytes, *said;
};

static inline void expect(const struct example *examples, size_t count)
{
    struct buf text = {0};
    for (size_t i = 0; i < count; i++) {
        say_all(span_of(examples[i].bytes), examples[i].name, &text);
        cr_expect_str_eq(buf_cstr(&text), examples[i].said, "%s\n%s\nis\n%s\nnot\n%s",
                         examples[i].name, examples[i].bytes, buf_cstr(&text), examples[i].said);
    }
    buf_finish(&text);
}

/* The same for examples that are written with ` in place of ". */
static inline const char *quoted(const char *written, struct buf *out)
{
    buf_clear(out);
    for (const char *at = written; *at; at++)
        buf_byte(out, *at == '`' ? '"' : *at);
    return buf_cstr(out);
}

static inline void expect_quoted(const struct example *examples, size_t count)
{
    struct buf bytes = {0}, said = {0};
    for (size_t i = 0; i < count; i++) {
        struct example one = examples[i];
        one.bytes = quoted(examples[i].bytes, &bytes);
        one.said = quoted(examples[i].said, &said);
        expect(&one, 1);
    }
    buf_finish(&bytes);
    buf_finish(&said);
}

/* The reader that detection takes for these bytes. */
static inline const char *detected(const char *head)
{
    struct probe best;
    return reader_detect(span_of(head), SPAN("x"), true, &best)->name;
}

#endif
