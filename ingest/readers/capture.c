/*
 * What `strandline record` writes: docs/capture.md. Each record carries its
 * connection and a number that goes up by one, so that what is missing shows.
 */
#include "base/ascii.h"
#include "ingest/names.h"
#include "ingest/pick.h"
#include "ingest/probe.h"
#include "ingest/readers/readers.h"
#include "ingest/wire.h"
#include "model/evidence/digest.h"

enum capture_member {
    M_CAPTURE,
    M_BEGAN,
    M_CONNECTION,
    M_SERVER,
    M_COMMAND,
    M_TIME,
    M_OF,
    M_NUMBER,
    M_DIRECTION,
    M_MSG,
    M_RAW,
    M_TEXT,
    M_BASE64,
    M_REST,
    M_UNDELIVERED,
    M_LOST,
    M_LOST_RECORDS,
    M_CLOSED,
    M_SIGNAL,
    M_END,
    CAPTURE_MEMBERS
};

static const char *const capture_members[CAPTURE_MEMBERS] = {
    "strandline",  "time", "connection",   "server", "command", "t",      "c",
    "n",           "dir",  "msg",          "raw",    "text",    "base64", "rest",
    "undelivered", "lost", "lost_records", "closed", "signal",  "end",
};

struct capture_connection {
    struct span server; /* as the person named it; empty: not named */
    int64_t next;       /* number that the next record has */
};

struct captures {
    struct names names; /* 1 + index of the connection */
    struct arena arena;
    struct capture_connection *connections;
    size_t count, size;
};

static void *open_captures(struct span path)
{
    (void)path;
    return NEW(struct captures);
}

static void close_captures(void *state)
{
    struct captures *c = state;
    names_finish(&c->names);
    arena_finish(&c->arena);
    mem_free(c->connections);
    mem_free(c);
}

static struct capture_connection *capture_connection_of(struct captures *c, struct span id)
{
    int64_t *index = names_at(&c->names, id);
    if (!*index) {
        c->connections = mem_one_more(c->connections, c->count, &c->size, sizeof *c->connections);
        c->connections[c->count++] = (struct capture_connection){.next = -1};
        *index = (int64_t)c->count;
    }
    return &c->connections[*index - 1];
}

/* ---- the first record ---- */

/* They start servers, and are none. */
static const char *const launchers[] = {
    "npx",    "npm",     "pnpm", "yarn", "node", "bun", "bunx", "deno", "uv",   "uvx", "pipx",
    "python", "python3", "sh",   "bash", "env",  "tsx", "exec", "run",  "tool", "dlx", "cmd",
};

static bool is_launcher(struct span word)
{
    for (size_t i = 0; i < COUNT_OF(launchers); i++)
        if (span_is(word, launchers[i]))
            return true;
    return false;
}

static struct span base_name(struct span path)
{
    size_t at = path.len;
    while (at && path.at[at - 1] != '/' && path.at[at - 1] != '\\')
        at--;
    return span_sub(path, at, path.len);
}

static bool is_name(struct span word)
{
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i], lower = (char)(c | 0x20);
        if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') &&
            !ascii_is_one_of(c, "._-@"))
            return false;
    }
    return word.len != 0;
}

/* "npx -y @scope/server-x /folder" starts server-x; "sh -c …" nothing that has a name. */
static struct span name_in_command(struct span command, struct arena *arena)
{
    struct jsonr_items items;
    if (!jsonr_is_array(command))
        return SPAN_EMPTY;
    jsonr_items_init(&items, command);
    while (jsonr_items_next(&items)) {
        struct span word = pick_string(items.value, arena), name = base_name(word);
        if (span_is(word, "-c") || span_is(word, "-e"))
            return SPAN_EMPTY;
        if (word.len && word.at[0] != '-' && !is_launcher(name))
            return is_name(name) ? name : SPAN_EMPTY;
    }
    return SPAN_EMPTY;
}

static void read_start(struct captures *c, const struct unit *unit, struct outlet *out,
                       const struct span *values)
{
    struct record *record = outlet_record(out, RECORD_START);
    record->connection = pick_string(values[M_CONNECTION], outlet_arena(out));
    struct capture_connection *of = capture_connection_of(c, record->connection);
    of->server = arena_copy(&c->arena, pick_string(values[M_SERVER], outlet_arena(out)));
    of->next = 1;
    record->server = of->server;
    record->started_as = name_in_command(values[M_COMMAND], outlet_arena(out));
    record->payload = unit->text;
    record->rpc_type = SPAN("start");
    pick_time(values[M_BEGAN], record);
}

/* ---- what a record holds ---- */

/* A string's text, or the bytes that it is base64 of, in the arena. */
static bool capture_decoded(struct span literal, bool base64, struct outlet *out, struct span *text)
{
    struct buf string = {0}, bytes = {0};
    bool good = jsonr_string(literal, &string, NULL) &&
                (!base64 || base64_decode(buf_span(&string), &bytes));
    if (good)
        *text = arena_copy(outlet_arena(out), buf_span(base64 ? &bytes : &string));
    buf_finish(&string);
    buf_finish(&bytes);
    return good;
}

/* What went by and is no JSON, or no whole line: kept, and a message where it is one after all. */
static void read_string(struct outlet *out, struct span literal, bool base64, bool unheard,
                        const struct record *base)
{
    struct span text;
    struct rpc rpc;
    if (!capture_decoded(literal, base64, out, &text)) {
        outlet_bad(out, 0, "a string that can't be decoded");
        return;
    }
    bool message = base->kind == RECORD_OTHER && !unheard &&
                   rpc_parse(span_trim(text), outlet_arena(out), &rpc);
    struct record *record = outlet_record(out, RECORD_OTHER);
    *record = *base;
    record->payload = literal;
    record->recipe = base64 ? "s;b;" : "s;";
    record->text = text;
    if (message) {
        record->kind = RECORD_MESSAGE;
        record->text = span_trim(text);
        record->rpc = rpc;
    }
}

static void read_content(const struct unit *unit, struct outlet *out, const struct span *values,
                         struct record *base)
{
    struct span direction = pick_string(values[M_DIRECTION], outlet_arena(out));
    base->kind = span_is(direction, "err") ? RECORD_STDERR : RECORD_OTHER;
    base->direction = wire_direction(direction);
    /* What didn't reach the host is in no context; what the host wanted to send still tells of it.
     */
    bool unheard = base->direction == SERVER_TO_CLIENT && pick_true(values[M_UNDELIVERED]);
    if (values[M_MSG].at) {
        if (unheard || !wire_messages(out, unit, values[M_MSG], base)) {
            struct record *record = outlet_record(out, RECORD_OTHER);
            *record = *base;
            record->payload = values[M_MSG];
            record->rpc_type = unheard ? SPAN("undelivered") : SPAN("json");
        }
    } else if (values[M_RAW].at || values[M_TEXT].at || values[M_BASE64].at) {
        struct span literal = values[M_RAW].at    ? values[M_RAW]
                              : values[M_TEXT].at ? values[M_TEXT]
                                                  : values[M_BASE64];
        base->truncated = pick_true(values[M_REST]);
        read_string(out, literal, literal.at == values[M_BASE64].at, unheard, base);
    } else {
        struct record *record = outlet_record(out, RECORD_OTHER);
        *record = *base;
        record->kind = RECORD_OTHER;
        record->payload = unit->text;
        record->rpc_type = values[M_END].at      ? SPAN("end")
                           : values[M_CLOSED].at ? SPAN("closed")
                           : values[M_SIGNAL].at ? SPAN("signal")
                                                 : SPAN("record");
    }
}

/* ---- a line ---- */

static void count_on(struct capture_connection *of, const struct unit *unit, struct outlet *out,
                     struct span number)
{
    int64_t n;
    if (!number.at || !jsonr_int(number, &n))
        return;
    if (of->next >= 0 && n != of->next)
        outlet_bad_part(out, (size_t)(number.at - unit->text.at), number.len,
                        "records of this connection are missing before this one");
    of->next = n < INT64_MAX ? n + 1 : -1;
}

static void read_record(struct captures *c, const struct unit *unit, struct outlet *out,
                        const struct span *values)
{
    struct record base = {.kind = RECORD_OTHER, .time_digits = -1};
    base.connection = pick_string(values[M_OF], outlet_arena(out));
    struct capture_connection *of = capture_connection_of(c, base.connection);
    base.server = of->server;
    pick_time(values[M_TIME], &base);
    count_on(of, unit, out, values[M_NUMBER]);
    struct span lost = values[M_LOST].at ? values[M_LOST] : values[M_LOST_RECORDS];
    if (lost.at)
        outlet_bad(out, (size_t)(lost.at - unit->text.at),
                   values[M_LOST].at ? "the recorder could not keep up: traffic went by unrecorded"
                                     : "the recorder could not write: records are missing");
    else
        read_content(unit, out, values, &base);
}

static void capture_read_line(void *state, const struct unit *unit, struct outlet *out)
{
    struct span values[CAPTURE_MEMBERS];
    struct pick_fault fault;
    if (!span_trim(unit->text).len)
        return;
    if (!pick_valid(unit->text, capture_members, values, CAPTURE_MEMBERS, &fault)) {
        size_t at = fault.at < unit->text.len ? fault.at : unit->text.len;
        outlet_bad(
            out, at,
            unit->cut
                ? "the file ends inside this record: the recorder was stopped, or the tail torn off"
                : "a record torn off, or damaged");
        return;
    }
    if (values[M_CAPTURE].at)
        read_start(state, unit, out, values);
    else if (values[M_OF].at)
        read_record(state, unit, out, values);
    else
        outlet_noise(out, "json");
}

/* ---- probe ---- */

static bool is_record(struct span line)
{
    static const char *const names[] = {"t", "c", "n"};
    struct span values[COUNT_OF(names)];
    if (span_starts_with(line, SPAN("{\"strandline\":\"capture/1\"")))
        return true;
    if (!span_starts_with(line, SPAN("{\"t\":\"")))
        return false;
    pick(line, names, values, COUNT_OF(names));
    return values[0].at && jsonr_is_string(values[1]) && values[2].at;
}

static void capture_probe(struct probe *p)
{
    probe_count(p, probe_lines(p, is_record), 99, "are records of 'strandline record'");
}

static const char *const capture_cannot_show[] = {
    "prompts, the model's text and the host's own tools",
    "what of a result the model was shown",
    "approvals of the person, where the host asked for them",
    NULL,
};

const struct reader reader_capture = {
    .name = "capture",
    .title = "What 'strandline record' writes",
    .cannot_show = capture_cannot_show,
    .framing = FRAME_LINES,
    .probe = capture_probe,
    .open = open_captures,
    .read = capture_read_line,
    .close = close_captures,
};
