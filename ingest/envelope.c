/* Envelopes: what proxies and taps write around a message. The names of members differ, what they
 * say doesn't; so it is a table of names. */
#include "ingest/pick.h"
#include "ingest/wire.h"

enum role {
    ROLE_TIME,
    ROLE_DIRECTION,
    ROLE_SERVER,
    ROLE_CONNECTION,
    ROLE_INNER, /* the message: an object, or a string that holds one */
    ROLE_KIND,  /* request, response, notification: the envelope has the members itself */
    ROLE_TEXT,  /* of stderr */
    ROLE_TRUNCATED,
    ROLE_REDACTED,
    ROLE_HTTP, /* {pid, host, is_request} */
    ROLES
};

static const struct {
    const char *name;
    enum role role;
} envelope_names[] = {
    {"ts", ROLE_TIME},
    {"time", ROLE_TIME},
    {"timestamp", ROLE_TIME},
    {"@timestamp", ROLE_TIME},
    {"t", ROLE_TIME},
    {"__REALTIME_TIMESTAMP", ROLE_TIME}, /* journalctl -o json */
    {"dir", ROLE_DIRECTION},
    {"direction", ROLE_DIRECTION},
    {"origin", ROLE_DIRECTION},
    {"stream", ROLE_DIRECTION}, /* docker's files: stdout, stderr */
    {"server", ROLE_SERVER},
    {"server_name", ROLE_SERVER},
    {"serverName", ROLE_SERVER},
    {"server_label", ROLE_SERVER},
    {"session_id", ROLE_CONNECTION},
    {"sessionId", ROLE_CONNECTION},
    {"pid", ROLE_CONNECTION},
    {"_PID", ROLE_CONNECTION},
    {"connection", ROLE_CONNECTION},
    {"raw", ROLE_INNER},
    {"msg", ROLE_INNER},
    {"message", ROLE_INNER},
    {"frame", ROLE_INNER},
    {"payload", ROLE_INNER},
    {"data", ROLE_INNER},
    {"rpc", ROLE_INNER},
    {"json", ROLE_INNER},
    {"body", ROLE_INNER},
    {"log", ROLE_INNER},
    {"MESSAGE", ROLE_INNER},
    {"jsonPayload", ROLE_INNER}, /* Google's Cloud Logging */
    {"textPayload", ROLE_INNER},
    {"kind", ROLE_KIND},
    {"type", ROLE_KIND},
    {"text", ROLE_TEXT},
    {"truncated", ROLE_TRUNCATED},
    {"redacted", ROLE_REDACTED},
    {"http_transport", ROLE_HTTP},
};

enum { INNERS = 6, DEPTH = 3 };

struct envelope {
    struct span at[ROLES];
    struct span inner[INNERS];
    size_t inner_count;
};

static const struct {
    const char *word;
    enum direction direction;
} envelope_words[] = {
    {"c2s", CLIENT_TO_SERVER},
    {"s2c", SERVER_TO_CLIENT},
    {"client->server", CLIENT_TO_SERVER},
    {"server->client", SERVER_TO_CLIENT},
    {"client-to-server", CLIENT_TO_SERVER},
    {"server-to-client", SERVER_TO_CLIENT},
    {"client_to_server", CLIENT_TO_SERVER},
    {"server_to_client", SERVER_TO_CLIENT},
    {"client", CLIENT_TO_SERVER},
    {"server", SERVER_TO_CLIENT},
    {"host", CLIENT_TO_SERVER},
    {"upstream", CLIENT_TO_SERVER},
    {"downstream", SERVER_TO_CLIENT},
    {"outgoing", CLIENT_TO_SERVER},
    {"incoming", SERVER_TO_CLIENT},
    {"out", CLIENT_TO_SERVER},
    {"in", SERVER_TO_CLIENT},
    {"send", CLIENT_TO_SERVER},
    {"recv", SERVER_TO_CLIENT},
    {"sent", CLIENT_TO_SERVER},
    {"received", SERVER_TO_CLIENT},
    {">", CLIENT_TO_SERVER},
    {"<", SERVER_TO_CLIENT},
    {"->", CLIENT_TO_SERVER},
    {"<-", SERVER_TO_CLIENT},
};

enum direction wire_direction(struct span word)
{
    for (size_t i = 0; i < COUNT_OF(envelope_words); i++)
        if (span_equal_nocase(word, span_of(envelope_words[i].word)))
            return envelope_words[i].direction;
    return DIRECTION_UNKNOWN;
}

static void open_envelope(struct span object, struct envelope *e)
{
    *e = (struct envelope){0};
    struct jsonr_items items;
    jsonr_items_init(&items, object);
    while (jsonr_items_next(&items)) {
        size_t i = 0;
        while (i < COUNT_OF(envelope_names) && !span_is(items.name, envelope_names[i].name))
            i++;
        if (i == COUNT_OF(envelope_names))
            continue;
        enum role role = envelope_names[i].role;
        if (role != ROLE_INNER)
            e->at[role] = items.value;
        else if (e->inner_count < INNERS &&
                 (jsonr_is_object(items.value) || jsonr_is_string(items.value) ||
                  jsonr_is_array(items.value)))
            e->inner[e->inner_count++] = items.value;
    }
}

static struct span word_of(struct span value)
{
    struct span text;
    if (jsonr_plain_string(value, &text))
        return text;
    return jsonr_type(value) == JSONR_NUMBER ? value : SPAN_EMPTY;
}

static struct record envelope_base_of(const struct envelope *e, struct span object,
                                      const struct record *outer)
{
    struct record base = *outer;
    pick_time(e->at[ROLE_TIME], &base);
    enum direction direction = wire_direction(word_of(e->at[ROLE_DIRECTION]));
    if (direction)
        base.direction = direction;
    if (word_of(e->at[ROLE_SERVER]).len)
        base.server = word_of(e->at[ROLE_SERVER]);
    if (word_of(e->at[ROLE_CONNECTION]).len)
        base.connection = word_of(e->at[ROLE_CONNECTION]);
    if (jsonr_is_object(e->at[ROLE_HTTP])) {
        struct span value;
        bool request = jsonr_member(e->at[ROLE_HTTP], "is_request", &value) && pick_true(value);
        base.direction = request ? CLIENT_TO_SERVER : SERVER_TO_CLIENT;
        if (jsonr_member(e->at[ROLE_HTTP], "host", &value))
            base.connection = word_of(value);
    }
    if (pick_true(e->at[ROLE_TRUNCATED]) || span_find(object, SPAN("[truncated ")) < object.len)
        base.truncated = true;
    if (pick_true(e->at[ROLE_REDACTED]) || span_find(object, SPAN("[REDACTED")) < object.len)
        base.redacted = true;
    return base;
}

/* A message in a text that a logger may have put something in front of. */
static bool find_message(struct span text, struct arena *arena, struct span *message,
                         struct rpc *rpc)
{
    enum { TRIES = 8 };
    size_t at = wire_prefix(text).len;
    for (int tries = 0; tries < TRIES && at < text.len; tries++, at++) {
        at += span_find_byte(span_sub(text, at, text.len), '{');
        struct span rest = span_sub(text, at, text.len);
        *message = span_sub(rest, 0, jsonr_first_value(rest, NULL));
        if (message->len && rpc_parse(*message, arena, rpc) && rpc->versioned)
            return true;
    }
    return false;
}

/* What is left of a message that the recorder cut, in the text of a string. */
static bool cut_message(struct outlet *out, struct span text, bool said, struct span *message,
                        struct rpc *rpc)
{
    size_t at = wire_prefix(text).len;
    at += span_find(span_sub(text, at, text.len), SPAN("{\""));
    *message = span_sub(text, at, text.len);
    return (said || wire_is_cut(text)) && wire_guess(*message, outlet_arena(out), rpc);
}

/* A string that holds a message. */
bool wire_string(struct outlet *out, struct span literal, const struct record *base)
{
    struct buf text = {0};
    struct span message;
    struct rpc rpc;
    bool found = false;
    if (span_find(literal, SPAN("jsonrpc")) < literal.len && jsonr_string(literal, &text, NULL)) {
        struct span copy = arena_copy(outlet_arena(out), buf_span(&text));
        found = find_message(copy, outlet_arena(out), &message, &rpc);
        bool cut = !found && cut_message(out, copy, base->truncated, &message, &rpc);
        found = found || cut;
        if (found) {
            bool whole = message.len == span_trim(copy).len;
            struct record *record = outlet_record(out, RECORD_MESSAGE);
            *record = *base;
            record->kind = RECORD_MESSAGE;
            record->payload = literal;
            record->recipe = whole ? "s;"
                                   : arena_printf(outlet_arena(out), "s;@%zu+%zu;",
                                                  (size_t)(message.at - copy.at), message.len);
            record->text = whole ? copy : message;
            record->rpc = rpc;
            record->truncated = record->truncated || cut;
            if (!record->direction)
                record->direction =
                    wire_prefix(span_sub(copy, 0, (size_t)(message.at - copy.at))).base.direction;
        }
    }
    buf_finish(&text);
    return found;
}

/* The envelope holds the members of the message itself; its kind says which. */
static bool members_message(struct outlet *out, struct span object, struct span kind,
                            const struct record *base)
{
    struct rpc rpc;
    if (!kind.at || !rpc_parse(object, outlet_arena(out), &rpc))
        return false;
    struct span word = word_of(kind);
    rpc.problem = NULL;
    if (span_is(word, "response") || span_is(word, "error")) {
        rpc.method = (struct span){0};
        bool failed = jsonr_is_object(rpc.error) && rpc.error.len > 2 && !rpc.result.at;
        rpc.kind = failed ? RPC_ERROR : RPC_RESULT;
    } else if (span_is(word, "request") && rpc.method.at) {
        rpc.kind = RPC_REQUEST;
    } else if (span_is(word, "notification") && rpc.method.at) {
        rpc.kind = RPC_NOTIFICATION;
    } else {
        return false;
    }
    struct record *record = outlet_record(out, RECORD_MESSAGE);
    *record = *base;
    record->kind = RECORD_MESSAGE;
    record->payload = object;
    record->rpc = rpc;
    return true;
}

static bool stderr_line(struct outlet *out, const struct envelope *e, const struct record *base)
{
    struct span direction = word_of(e->at[ROLE_DIRECTION]);
    bool is_stderr = span_is(direction, "stderr");
    if (!is_stderr && !span_is(direction, "meta"))
        return false;
    struct record *record = outlet_record(out, is_stderr ? RECORD_STDERR : RECORD_START);
    enum record_kind kind = record->kind;
    *record = *base;
    record->kind = kind;
    struct span text = e->inner_count && !e->at[ROLE_TEXT].at ? e->inner[0] : e->at[ROLE_TEXT];
    if (is_stderr && jsonr_is_string(text)) {
        record->payload = text;
        record->recipe = "s;";
    }
    return true;
}

static bool inner_message(struct outlet *out, const struct unit *unit, struct span inner,
                          const struct record *base, int depth);

static bool envelope_at(struct outlet *out, const struct unit *unit, struct span object,
                        const struct record *outer, int depth)
{
    struct envelope e;
    open_envelope(object, &e);
    struct record base = envelope_base_of(&e, object, outer);
    if (stderr_line(out, &e, &base))
        return true;
    for (size_t i = 0; i < e.inner_count; i++)
        if (inner_message(out, unit, e.inner[i], &base, depth))
            return true;
    return members_message(out, object, e.at[ROLE_KIND], &base);
}

static bool inner_message(struct outlet *out, const struct unit *unit, struct span inner,
                          const struct record *base, int depth)
{
    if (jsonr_is_string(inner))
        return wire_string(out, inner, base);
    struct rpc rpc;
    if (jsonr_is_object(inner) && rpc_parse(inner, outlet_arena(out), &rpc) && rpc.versioned) {
        struct record *record = outlet_record(out, RECORD_MESSAGE);
        *record = *base;
        record->kind = RECORD_MESSAGE;
        record->payload = inner;
        record->rpc = rpc;
        return true;
    }
    if (jsonr_is_array(inner))
        return wire_messages(out, unit, inner, base);
    return depth < DEPTH && envelope_at(out, unit, inner, base, depth + 1);
}

bool wire_envelope(struct outlet *out, const struct unit *unit, struct span object,
                   const struct record *base)
{
    return envelope_at(out, unit, object, base, 0);
}

bool wire_is_envelope(struct span object)
{
    struct envelope e;
    if (!jsonr_is_object(object))
        return false;
    open_envelope(object, &e);
    bool tells = e.at[ROLE_DIRECTION].at || e.at[ROLE_HTTP].at || e.at[ROLE_CONNECTION].at ||
                 e.at[ROLE_TIME].at;
    if (!tells)
        return false;
    for (size_t i = 0; i < e.inner_count; i++)
        if (span_find(e.inner[i], SPAN("jsonrpc")) < e.inner[i].len)
            return true;
    struct span kind = word_of(e.at[ROLE_KIND]);
    return e.at[ROLE_DIRECTION].at &&
           (span_is(kind, "request") || span_is(kind, "response") || span_is(kind, "notification"));
}
