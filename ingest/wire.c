#include "ingest/wire.h"

#include "base/ascii.h"
#include "base/text.h"
#include "base/timefmt.h"

enum { WIRE_TRIES = 16, GUESS_TAIL = 256 };

/* ---- prefixes ---- */

/* Marks that stand before a message. The longest of those that begin alike comes first. */
static const struct mark {
    const char *text;
    enum direction direction;
    bool is_stderr;
} wire_marks[] = {
    {"client->server", CLIENT_TO_SERVER, false},
    {"server->client", SERVER_TO_CLIENT, false},
    {"editor -> server", CLIENT_TO_SERVER, false},
    {"server -> editor", SERVER_TO_CLIENT, false},
    {"client -> server", CLIENT_TO_SERVER, false},
    {"server -> client", SERVER_TO_CLIENT, false},
    {"Client Says", CLIENT_TO_SERVER, false},
    {"Server Says", SERVER_TO_CLIENT, false},
    {"server stderr", DIRECTION_UNKNOWN, true},
    {"client → server", CLIENT_TO_SERVER, false},
    {"server → client", SERVER_TO_CLIENT, false},
    {">>>", CLIENT_TO_SERVER, false},
    {"<<<", SERVER_TO_CLIENT, false},
    {"-->", CLIENT_TO_SERVER, false},
    {"<--", SERVER_TO_CLIENT, false},
    {"->", CLIENT_TO_SERVER, false},
    {"<-", SERVER_TO_CLIENT, false},
    {"C->S", CLIENT_TO_SERVER, false},
    {"S->C", SERVER_TO_CLIENT, false},
    {"→", CLIENT_TO_SERVER, false},
    {"←", SERVER_TO_CLIENT, false},
    {">>", CLIENT_TO_SERVER, false},
    {"<<", SERVER_TO_CLIENT, false},
    {"c2s", CLIENT_TO_SERVER, false},
    {"s2c", SERVER_TO_CLIENT, false},
    {"C2S", CLIENT_TO_SERVER, false},
    {"S2C", SERVER_TO_CLIENT, false},
    {"CLIENT", CLIENT_TO_SERVER, false},
    {"SERVER", SERVER_TO_CLIENT, false},
    {"client", CLIENT_TO_SERVER, false},
    {"server", SERVER_TO_CLIENT, false},
    {"SEND", CLIENT_TO_SERVER, false},
    {"RECV", SERVER_TO_CLIENT, false},
    {"send", CLIENT_TO_SERVER, false},
    {"recv", SERVER_TO_CLIENT, false},
    {"!!!", DIRECTION_UNKNOWN, true},
    {"stderr", DIRECTION_UNKNOWN, true},
    {"STDERR", DIRECTION_UNKNOWN, true},
};

static size_t take_mark(struct span s, struct prefix *prefix)
{
    for (size_t i = 0; i < COUNT_OF(wire_marks); i++) {
        struct span word = span_of(wire_marks[i].text);
        if (!span_starts_with(s, word))
            continue;
        char next = s.len > word.len ? s.at[word.len] : ' ';
        if (!ascii_is_one_of(next, " :\t]|{["))
            return 0;
        prefix->base.direction = wire_marks[i].direction;
        prefix->is_stderr = wire_marks[i].is_stderr;
        return word.len;
    }
    return 0;
}

/* Seconds, or smaller units, since 1970, of this century: the length of the number. */
static size_t take_epoch(struct span s, struct moment *when)
{
    size_t len = 0, whole;
    while (len < s.len && s.at[len] >= '0' && s.at[len] <= '9')
        len++;
    whole = len;
    if (len < s.len && s.at[len] == '.')
        for (len++; len < s.len && s.at[len] >= '0' && s.at[len] <= '9';)
            len++;
    bool ends = len < s.len && ascii_is_one_of(s.at[len], " \t]:|");
    bool long_enough = whole == 10 || whole == 13 || whole == 16 || whole == 19;
    return ends && long_enough && time_parse_epoch(span_sub(s, 0, len), when) ? len : 0;
}

struct prefix wire_prefix(struct span line)
{
    struct prefix prefix = {.base = {.time_digits = -1}};
    bool timed = false;
    size_t at = 0;
    while (at < line.len) {
        struct span rest = span_sub(line, at, line.len);
        char c = rest.at[0];
        bool bracket = c == '[' && rest.len > 1 && !ascii_is_one_of(rest.at[1], "{[\" ]");
        struct span inner = bracket ? span_sub(rest, 1, rest.len) : rest;
        struct moment when;
        size_t taken = 0;
        if (!timed &&
            ((taken = time_parse_prefix(inner, &when)) || (taken = take_epoch(inner, &when)))) {
            timed = true;
            prefix.base.time_ns = when.ns;
            prefix.base.time_digits = when.digits;
        } else if (!prefix.base.direction && !prefix.is_stderr) {
            taken = take_mark(inner, &prefix);
        }
        if (taken)
            prefix.marked = true;
        else if (c != ' ' && c != '\t' && !(prefix.marked && (c == ']' || c == ':' || c == '|')))
            break;
        at += taken ? taken + bracket : 1;
    }
    prefix.len = at;
    return prefix;
}

/* ---- messages ---- */

static void wire_emit(struct outlet *out, struct span message, const struct rpc *rpc,
                      const struct record *base)
{
    struct record *record = outlet_record(out, RECORD_MESSAGE);
    *record = *base;
    record->kind = RECORD_MESSAGE;
    record->payload = message;
    record->rpc = *rpc;
}

/* Without "jsonrpc" it is only taken for a message where nothing else looks like one. */
static bool is_bare(const struct rpc *rpc)
{
    if (rpc->kind == RPC_NONE || rpc->versioned)
        return rpc->kind != RPC_NONE;
    bool request = rpc->kind == RPC_REQUEST || rpc->kind == RPC_NOTIFICATION;
    if (request)
        return span_find_byte(rpc->method, '/') < rpc->method.len ||
               span_is(rpc->method, "initialize") || span_is(rpc->method, "ping");
    return rpc->id.at && rpc->kind == RPC_RESULT && jsonr_is_object(rpc->result);
}

static bool object_message(struct outlet *out, const struct unit *unit, struct span object,
                           const struct rpc *rpc, const struct record *base)
{
    if (rpc->kind != RPC_NONE && rpc->versioned) {
        wire_emit(out, object, rpc, base);
        return true;
    }
    if (wire_envelope(out, unit, object, base))
        return true;
    if (!is_bare(rpc))
        return false;
    wire_emit(out, object, rpc, base);
    return true;
}

static bool batch_messages(struct outlet *out, const struct unit *unit, struct span batch,
                           const struct record *base)
{
    struct jsonr_items items;
    jsonr_items_init(&items, batch);
    bool any = false;
    while (jsonr_items_next(&items)) {
        struct rpc rpc;
        bool is_message = rpc_parse(items.value, outlet_arena(out), &rpc);
        if (is_message && is_bare(&rpc)) {
            wire_emit(out, items.value, &rpc, base);
            any = true;
        } else if (any) {
            size_t at = (size_t)(items.value.at - unit->text.at);
            outlet_bad_part(out, at, items.value.len, "no message in a batch");
        }
    }
    return any;
}

/* One value at the front of *rest; takes it off where it was a message. */
static bool wire_one_message(struct outlet *out, const struct unit *unit, struct span *rest,
                             const struct record *base)
{
    struct span text = *rest;
    struct rpc rpc;
    if (jsonr_is_array(text)) {
        size_t len = jsonr_first_value(text, NULL);
        *rest = span_sub(text, len, text.len);
        return len && batch_messages(out, unit, span_sub(text, 0, len), base);
    }
    if (!jsonr_is_object(text))
        return false;
    bool is_message = rpc_parse(text, outlet_arena(out), &rpc);
    if (!is_message && rpc.fault == JSONR_TRAILING) {
        size_t len = jsonr_first_value(text, NULL);
        *rest = span_sub(text, len, text.len);
        text = span_sub(text, 0, len);
        is_message = rpc_parse(text, outlet_arena(out), &rpc);
    } else {
        *rest = SPAN_EMPTY;
    }
    return rpc.fault == JSONR_OK && object_message(out, unit, text, &rpc, base);
}

static struct span skip_between(struct span s)
{
    while (s.len && (ascii_is_one_of(s.at[0], " \t\r\n,") || s.at[0] == 0x1e))
        s = span_sub(s, 1, s.len);
    return s;
}

bool wire_messages(struct outlet *out, const struct unit *unit, struct span text,
                   const struct record *base)
{
    struct span rest = span_trim(text);
    if (!wire_one_message(out, unit, &rest, base))
        return false;
    for (rest = skip_between(rest); rest.len; rest = skip_between(rest)) {
        struct span before = rest;
        if (wire_one_message(out, unit, &rest, base))
            continue;
        size_t at = (size_t)(before.at - unit->text.at);
        if (jsonr_is_object(before) && wire_salvage(out, unit, before, base))
            break;
        if (span_find(before, SPAN("{\"")) == before.len) { /* what a logger puts behind */
            outlet_noise_part(out, "text", before.len);
            break;
        }
        outlet_bad_part(out, at, before.len, "text behind a message on the same line");
        break;
    }
    return true;
}

/* ---- damaged ones ---- */

/* A copy of the text of the same length, in which what JSON forbids in strings is replaced. */
static struct span patched(struct span text, struct arena *arena)
{
    struct span copy = arena_copy(arena, text);
    char *bytes = (char *)(uintptr_t)copy.at;
    size_t at = 0, bad;
    while (at < copy.len && !utf8_valid(span_sub(copy, at, copy.len), &bad)) {
        at += bad;
        bytes[at++] = '?';
    }
    for (size_t i = 0; i < copy.len; i++)
        if ((unsigned char)bytes[i] < 0x20)
            bytes[i] = ' ';
    return copy;
}

static bool save_forbidden(struct outlet *out, const struct unit *unit, struct span text,
                           const struct rpc *why, const struct record *base)
{
    if (why->fault != JSONR_BAD_UTF8 && why->fault != JSONR_RAW_CONTROL)
        return false;
    struct rpc rpc;
    struct span copy = patched(text, outlet_arena(out));
    if (!rpc_parse(copy, outlet_arena(out), &rpc) || !rpc.versioned)
        return false;
    wire_emit(out, text, &rpc, base);
    out->records[out->count - 1].text = copy;
    outlet_bad_part(out, (size_t)(text.at - unit->text.at) + why->fault_at, 1,
                    jsonr_fault_text(why->fault));
    return true;
}

/* A whole message somewhere behind the start of the text. */
static bool save_inner(struct outlet *out, const struct unit *unit, struct span text,
                       const struct record *base)
{
    size_t at = 1;
    for (int tries = 0; tries < WIRE_TRIES; tries++, at++) {
        at += span_find(span_sub(text, at, text.len), SPAN("{\""));
        if (at >= text.len)
            return false;
        struct span rest = span_sub(text, at, text.len);
        struct rpc rpc;
        size_t len = jsonr_first_value(rest, NULL);
        if (!len || !rpc_parse(span_sub(rest, 0, len), outlet_arena(out), &rpc) || !rpc.versioned)
            continue;
        wire_emit(out, span_sub(rest, 0, len), &rpc, base);
        size_t start = (size_t)(text.at - unit->text.at);
        outlet_bad_part(out, start, at, "text that is no whole message");
        struct span behind = span_sub(rest, len, rest.len);
        if (span_trim(behind).len)
            outlet_bad_part(out, start + at + len, behind.len, "text behind a message");
        return true;
    }
    return false;
}

/* End of a JSON value at the front, by brackets and quotes only; 0 where it doesn't end. */
static size_t loose_value(struct span s)
{
    size_t depth = 0, i = 0;
    bool string = false;
    for (; i < s.len; i++) {
        char c = s.at[i];
        if (string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                string = false;
        } else if (c == '"') {
            string = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (!depth && ascii_is_one_of(c, ",}]")) {
            return i;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return 0;
}

static struct span loose_plain(struct span value)
{
    struct span text;
    value = span_trim(value);
    return jsonr_plain_string(value, &text) ? text : (struct span){0};
}

static void guess_member(struct rpc *rpc, struct span name, struct span value)
{
    if (span_is(name, "id"))
        rpc->id = value;
    else if (span_is(name, "method"))
        rpc->method = loose_plain(value);
    else if (span_is(name, "params"))
        rpc->params = value;
    else if (span_is(name, "result"))
        rpc->result = value;
    else if (span_is(name, "error"))
        rpc->error = value;
}

/* Members from the front, as far as they are whole; the one that isn't takes the rest. */
static void guess_front(struct span text, struct rpc *rpc)
{
    struct span rest = span_sub(text, 1, text.len);
    while ((rest = skip_between(rest)).len && rest.at[0] == '"') {
        size_t end = span_find_byte(span_sub(rest, 1, rest.len), '"');
        struct span name = span_sub(rest, 1, end);
        rest = span_trim(span_sub(rest, end + 2, rest.len));
        if (!rest.len || rest.at[0] != ':')
            return;
        rest = span_trim(span_sub(rest, 1, rest.len));
        size_t len = loose_value(rest);
        guess_member(rpc, name, span_trim(len ? span_sub(rest, 0, len) : rest));
        if (!len)
            return;
        rest = span_sub(rest, len, rest.len);
    }
}

/* The id from the end: …,"jsonrpc":"2.0","id":5} in whatever order. */
static void guess_back(struct span text, struct rpc *rpc)
{
    struct span tail =
        span_sub(text, text.len > GUESS_TAIL ? text.len - GUESS_TAIL : 0, GUESS_TAIL);
    struct span last = {0};
    for (size_t at = 0; (at += span_find(span_sub(tail, at, tail.len), SPAN("\"id\":"))) < tail.len;
         at++)
        last = span_sub(tail, at + 5, tail.len);
    size_t len = loose_value(last);
    struct span behind = span_sub(last, len, last.len);
    if (len && len < 100 && (span_is(behind, "}") || span_find(behind, SPAN("\"jsonrpc\"")) < 3))
        rpc->id = span_trim(span_sub(last, 0, len));
}

bool wire_guess(struct span text, struct arena *arena, struct rpc *rpc)
{
    (void)arena;
    *rpc = (struct rpc){0};
    if (!jsonr_is_object(text) || span_find(text, SPAN("\"jsonrpc\"")) == text.len)
        return false;
    rpc->versioned = true;
    rpc->problem = "cut inside";
    guess_front(text, rpc);
    if (!rpc->id.at)
        guess_back(text, rpc);
    if (rpc->method.at)
        rpc->kind = rpc->id.at ? RPC_REQUEST : RPC_NOTIFICATION;
    else if (rpc->error.at)
        rpc->kind = RPC_ERROR;
    else if (rpc->result.at)
        rpc->kind = RPC_RESULT;
    return rpc->kind != RPC_NONE;
}

bool wire_is_cut(struct span text)
{
    return span_find(text, SPAN("truncated]")) < text.len ||
           span_find(text, SPAN("[truncated ")) < text.len;
}

bool wire_salvage(struct outlet *out, const struct unit *unit, struct span text,
                  const struct record *base)
{
    struct rpc rpc;
    text = span_trim(text);
    if (!jsonr_is_object(text)) {
        struct span rest = span_sub(text, span_find(text, SPAN("{\"")), text.len);
        size_t before = text.len - rest.len;
        if (!rest.len)
            return false;
        size_t count = out->count;
        if (!wire_messages(out, unit, rest, base) && !wire_salvage(out, unit, rest, base))
            return false;
        if (out->count > count)
            outlet_noise_part(out, "text", before);
        return true;
    }
    if (rpc_parse(text, outlet_arena(out), &rpc) || rpc.fault == JSONR_OK)
        return false; /* nothing is damaged */
    if (save_forbidden(out, unit, text, &rpc, base) || save_inner(out, unit, text, base))
        return true;
    if (!wire_is_cut(text) || !wire_guess(text, outlet_arena(out), &rpc))
        return false;
    wire_emit(out, text, &rpc, base);
    out->records[out->count - 1].truncated = true;
    return true;
}

/* ---- anywhere ---- */

enum {
    INSIDE_DEPTH = 256, /* of braces, around a message */
    INSIDE_TIMES = 16,  /* that all of a text may be looked at, of objects in objects */
};

/* A brace that is open. */
struct inside_object {
    size_t at;
    bool speaks;    /* it has a member "jsonrpc" */
    size_t records; /* when it was opened */
};

struct inside_scan {
    struct inside_object open[INSIDE_DEPTH];
    size_t depth;  /* may be more than are kept */
    size_t looked; /* bytes of objects that were looked at: they may lie in one another */
};

/* The length of the string at the front; 0 where its line ends before it does. */
static size_t inside_string(struct span s)
{
    for (size_t i = 1; i < s.len && s.at[i] != '\n'; i++) {
        if (s.at[i] == '"')
            return i + 1;
        i += s.at[i] == '\\';
    }
    return 0;
}

static void inside_close(struct outlet *out, struct inside_scan *scan, struct span text, size_t end,
                         const struct record *base)
{
    struct rpc rpc;
    if (!scan->depth || --scan->depth >= INSIDE_DEPTH)
        return;
    const struct inside_object *o = &scan->open[scan->depth];
    struct span object = span_sub(text, o->at, end - o->at);
    if (!o->speaks || scan->looked / INSIDE_TIMES > text.len)
        return;
    scan->looked += object.len;
    if (!rpc_parse(object, outlet_arena(out), &rpc) || !rpc.versioned)
        return;
    out->count = o->records; /* what is inside of a message is its own */
    wire_emit(out, object, &rpc, base);
    out->records[out->count - 1].within = object;
}

bool wire_inside(struct outlet *out, const struct unit *unit, struct span text,
                 const struct record *base)
{
    struct inside_scan *scan = NEW(struct inside_scan);
    size_t before = out->count, taken = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        size_t len = c == '"' ? inside_string(span_sub(text, i, text.len)) : 0;
        struct span literal = span_sub(text, i, len);
        if (c == '{') {
            if (scan->depth < INSIDE_DEPTH)
                scan->open[scan->depth] = (struct inside_object){i, false, out->count};
            scan->depth++;
        } else if (c == '}') {
            inside_close(out, scan, text, i + 1, base);
        } else if (len && span_is(literal, "\"jsonrpc\"")) {
            if (scan->depth && scan->depth <= INSIDE_DEPTH)
                scan->open[scan->depth - 1].speaks = true;
        } else if (len && span_find(literal, SPAN("jsonrpc\\\"")) < len) {
            if (wire_string(out, literal, base))
                out->records[out->count - 1].within = literal;
        }
        i += len ? len - 1 : 0;
    }
    mem_free(scan);
    size_t end = 0;
    for (size_t i = before; i < out->count; i++) {
        const struct record *r = &out->records[i];
        taken += r->payload.len;
        end = (size_t)(r->payload.at - text.at) + r->payload.len;
    }
    if (out->count == before)
        return false;
    if (unit->cut && end < text.len) { /* it may have ended inside of one */
        outlet_bad_part(out, (size_t)(text.at - unit->text.at) + end, text.len - end,
                        "the file ends inside this text");
        taken += text.len - end;
    }
    outlet_noise_part(out, "text", text.len - taken);
    return true;
}
