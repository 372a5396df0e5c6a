/* Bodies of HTTP messages, in a JSON string or as they are: JSON, or Server-Sent Events (WHATWG
 * HTML, "Server-sent events") whose data is JSON. */
#include "ingest/wire.h"

#include "model/evidence/digest.h"

struct body {
    struct outlet *out;
    struct span literal, text;
    const char *recipe;
    const struct record *base;
    size_t found;
};

static void body_emit(struct body *b, struct span at, const char *last, struct span message)
{
    struct rpc rpc;
    if (!rpc_parse(message, outlet_arena(b->out), &rpc) || !rpc.versioned)
        return;
    struct record *record = outlet_record(b->out, RECORD_MESSAGE);
    *record = *b->base;
    record->kind = RECORD_MESSAGE;
    if (b->recipe) {
        record->payload = b->literal;
        record->recipe = arena_printf(outlet_arena(b->out), "%s@%zu+%zu;%s", b->recipe,
                                      (size_t)(at.at - b->text.at), at.len, last);
        record->text = message;
    } else { /* the body stands in the unit as it is */
        record->payload = at;
        record->recipe = *last ? "e;" : NULL;
        record->text = *last ? message : (struct span){0};
    }
    record->rpc = rpc;
    b->found++;
}

/* A message, or a batch of them. */
static void body_messages(struct body *b, struct span json)
{
    struct jsonr_items items;
    json = span_trim(json);
    if (jsonr_is_object(json)) {
        body_emit(b, json, "", json);
    } else if (jsonr_is_array(json) && jsonr_valid(json, NULL, NULL)) {
        for (jsonr_items_init(&items, json); jsonr_items_next(&items);)
            body_emit(b, items.value, "", items.value);
    }
}

static struct span line_of(struct span *rest)
{
    size_t end = span_find_byte(*rest, '\n');
    struct span line = span_sub(*rest, 0, end);
    *rest = span_sub(*rest, end + 1, rest->len);
    if (line.len && line.at[line.len - 1] == '\r')
        line.len--;
    return line;
}

static struct span data_of(struct span line)
{
    struct span data = span_sub(line, 5, line.len);
    return data.len && data.at[0] == ' ' ? span_sub(data, 1, data.len) : data;
}

/* One event: its data lines joined. A single one needs no copy. */
static void event(struct body *b, struct span block, struct span data, size_t lines)
{
    if (lines == 1) {
        body_messages(b, data);
        return;
    }
    struct buf joined = {0};
    struct span rest = block;
    while (rest.len) {
        struct span line = line_of(&rest);
        if (!span_starts_with(line, SPAN("data:")))
            continue;
        if (joined.len)
            buf_byte(&joined, '\n');
        buf_add(&joined, data_of(line));
    }
    struct span copy = arena_copy(outlet_arena(b->out), buf_span(&joined));
    buf_finish(&joined);
    body_emit(b, block, "e;", copy);
}

static void events(struct body *b)
{
    struct span rest = b->text, data = {0};
    const char *begin = rest.at;
    size_t lines = 0;
    while (rest.len) {
        struct span line = line_of(&rest);
        if (span_starts_with(line, SPAN("data:"))) {
            data = data_of(line);
            lines++;
        }
        if (line.len && rest.len)
            continue;
        if (lines)
            event(b, span_from(begin, line.len ? rest.at : line.at), data, lines);
        begin = rest.at;
        lines = 0;
    }
}

static void read_text(struct body *b)
{
    struct span front = span_trim(b->text);
    if (jsonr_is_object(front) || jsonr_is_array(front))
        body_messages(b, b->text);
    else
        events(b);
}

enum packing wire_packing(struct span coding, struct span body)
{
    static const struct {
        const char *word;
        enum packing packing;
    } codings[] = {{"gzip", PACKED_GZIP},
                   {"x-gzip", PACKED_GZIP},
                   {"deflate", PACKED_DEFLATE},
                   {"br", PACKED_BROTLI},
                   {"zstd", PACKED_ZSTD}};
    enum packing packing = PACKED_NOT;
    for (size_t i = 0; i < COUNT_OF(codings); i++)
        if (span_equal_nocase(span_trim(coding), span_of(codings[i].word)))
            packing = codings[i].packing;
    if (span_starts_with(body, SPAN("\x1f\x8b")) && packing == PACKED_NOT)
        return PACKED_GZIP;
    /* "deflate" is zlib's format (RFC 9110 §8.4.1.2), and what lacks its head in practice. */
    enum { ZLIB_METHOD = 8, ZLIB_CHECK = 31 };
    if (packing == PACKED_DEFLATE && body.len >= 2) {
        unsigned first = (unsigned char)body.at[0], second = (unsigned char)body.at[1];
        if ((first & 0xf) == ZLIB_METHOD && (first << 8 | second) % ZLIB_CHECK == 0)
            return PACKED_GZIP; /* its unpacker tells both heads apart */
    }
    return packing;
}

size_t wire_raw_body(struct outlet *out, struct span bytes, enum packing packing,
                     const struct record *base)
{
    enum { MOST = 256 * 1024 * 1024 };
    struct body b = {.out = out, .literal = bytes, .text = bytes, .base = base};
    struct buf unpacked = {0};
    if (packing) {
        enum unpacked result = unpack(packing, bytes, MOST, &unpacked);
        b.recipe = unpack_recipe(packing);
        b.text = result == UNPACKED_WHOLE ? arena_copy(outlet_arena(out), buf_span(&unpacked))
                                          : SPAN_EMPTY;
    }
    read_text(&b);
    buf_finish(&unpacked);
    return b.found;
}

size_t wire_body(struct outlet *out, struct span literal, const char *recipe,
                 const struct record *base)
{
    struct body b = {.out = out, .literal = literal, .recipe = recipe, .base = base};
    struct buf text = {0}, raw = {0};
    if (jsonr_is_string(literal) && jsonr_string(literal, &text, NULL)) {
        bool packed = strstr(recipe, "b;");
        if (packed && !base64_decode(buf_span(&text), &raw))
            buf_clear(&raw);
        b.text = arena_copy(outlet_arena(out), buf_span(packed ? &raw : &text));
        read_text(&b);
    }
    buf_finish(&text);
    buf_finish(&raw);
    return b.found;
}
