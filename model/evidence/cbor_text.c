/* Diagnostic notation, RFC 8949 section 8. */
#include "model/evidence/cbor.h"

#include <math.h>

#include "model/evidence/cbor_walk.h"
#include "model/evidence/digest.h"
#include "model/evidence/number.h"

static void cbor_text_put_string(struct buf *out, enum cbor_major major, struct span bytes,
                                 size_t limit)
{
    size_t room = out->len < limit ? limit - out->len : 0;
    struct span shown = span_sub(bytes, 0, room);
    if (major == CBOR_BYTES) {
        buf_puts(out, "h'");
        hex_encode(out, shown);
        buf_puts(out, shown.len < bytes.len ? "…'" : "'");
        return;
    }
    /* A cut must not fall inside a character. */
    while (shown.len && shown.len < bytes.len && (bytes.at[shown.len] & 0xc0) == 0x80)
        shown.len--;
    jsonr_quote(out, shown);
    if (shown.len < bytes.len)
        buf_puts(out, "…");
}

static void cbor_text_put_float(struct buf *out, const struct cbor_head *head)
{
    uint64_t bits = cbor_float_bits(head);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnan(value) && bits << 12 != UINT64_C(1) << 63) {
        buf_addf(out, "float'%0*llx'", 1 << (head->info - 23), (unsigned long long)head->argument);
    } else if (isnan(value)) {
        buf_puts(out, "NaN");
    } else if (isinf(value)) {
        buf_puts(out, value < 0 ? "-Infinity" : "Infinity");
    } else {
        char text[NUMBER_TEXT];
        struct span written = {text, number_to_text(value, text)};
        buf_puts(out, value == 0 && signbit(value) ? "-" : "");
        buf_add(out, written);
        buf_puts(out, number_is_integer_token(written) ? ".0" : "");
    }
}

static void put_simple(struct buf *out, const struct cbor_head *head)
{
    static const char *const words[] = {"false", "true", "null", "undefined"};
    if (cbor_head_is_float(head))
        cbor_text_put_float(out, head);
    else if (head->argument >= CBOR_FALSE && head->argument <= CBOR_UNDEFINED)
        buf_puts(out, words[head->argument - CBOR_FALSE]);
    else
        buf_addf(out, "simple(%llu)", (unsigned long long)head->argument);
}

static void put_item(struct buf *out, const struct cbor_walk *walk, size_t limit)
{
    const struct cbor_head *head = &walk->head;
    switch (head->major) {
    case CBOR_UNSIGNED:
        buf_addf(out, "%llu", (unsigned long long)head->argument);
        break;
    case CBOR_NEGATIVE:
        if (head->argument == UINT64_MAX)
            buf_puts(out, "-18446744073709551616");
        else
            buf_addf(out, "-%llu", (unsigned long long)head->argument + 1);
        break;
    case CBOR_BYTES:
    case CBOR_TEXT:
        cbor_text_put_string(out, head->major, walk->payload, limit);
        break;
    default:
        put_simple(out, head);
        break;
    }
}

static void put_open(struct buf *out, const struct cbor_head *head)
{
    if (head->major == CBOR_TAG) {
        buf_addf(out, "%llu(", (unsigned long long)head->argument);
        return;
    }
    buf_puts(out, head->major == CBOR_ARRAY ? "[" : head->major == CBOR_MAP ? "{" : "(");
    if (head->info == CBOR_INDEFINITE)
        buf_puts(out, "_ ");
}

bool cbor_diagnostic(struct span bytes, size_t limit, struct buf *out)
{
    struct cbor_report report;
    if (!cbor_check(bytes, &report))
        return false;
    struct cbor_walk walk;
    size_t end = out->len + limit;
    cbor_walk_init(&walk, bytes);
    while (cbor_walk_next(&walk) > CBOR_EVENT_END) {
        if (out->len > end) {
            buf_puts(out, "…");
            break;
        }
        if (walk.event == CBOR_EVENT_CLOSE) {
            buf_puts(out, walk.head.major == CBOR_ARRAY ? "]"
                          : walk.head.major == CBOR_MAP ? "}"
                                                        : ")");
            continue;
        }
        const struct cbor_frame *parent = cbor_walk_parent(&walk);
        if (parent && parent->head.major == CBOR_MAP && walk.index % 2)
            buf_puts(out, ": ");
        else if (parent && walk.index)
            buf_puts(out, ", ");
        if (walk.event == CBOR_EVENT_OPEN)
            put_open(out, &walk.head);
        else
            put_item(out, &walk, end);
    }
    cbor_walk_finish(&walk);
    return true;
}

static void put_head(struct buf *out, const struct cbor_walk *walk, size_t limit)
{
    static const char *const containers[] = {
        [CBOR_BYTES] = "bytes", [CBOR_TEXT] = "text", [CBOR_ARRAY] = "array", [CBOR_MAP] = "map"};
    const struct cbor_head *head = &walk->head;
    if (walk->event == CBOR_EVENT_ITEM)
        put_item(out, walk, limit);
    else if (head->major == CBOR_TAG)
        buf_addf(out, "tag %llu", (unsigned long long)head->argument);
    else if (head->info == CBOR_INDEFINITE)
        buf_addf(out, "%s of indefinite length", containers[head->major]);
    else
        buf_addf(out, "%s of %llu", containers[head->major], (unsigned long long)head->argument);
}

bool cbor_heads(struct span bytes, size_t limit, cbor_each_head *each, void *context)
{
    struct cbor_report report;
    if (!cbor_check(bytes, &report))
        return false;
    struct cbor_walk walk;
    struct buf says = {0};
    size_t depth = 0;
    cbor_walk_init(&walk, bytes);
    while (cbor_walk_next(&walk) > CBOR_EVENT_END) {
        if (walk.event == CBOR_EVENT_CLOSE) {
            depth--;
            continue;
        }
        buf_clear(&says);
        put_head(&says, &walk, limit);
        each(context, walk.begin, span_sub(bytes, walk.begin, walk.head.len), depth, walk.key,
             buf_span(&says));
        depth += walk.event == CBOR_EVENT_OPEN;
    }
    cbor_walk_finish(&walk);
    buf_finish(&says);
    return true;
}
