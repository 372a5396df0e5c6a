/* JSON to CBOR and back. */
#include "model/evidence/cbor.h"

#include <assert.h>
#include <math.h>

#include "base/jsonr.h"
#include "base/mem.h"
#include "model/evidence/cbor_walk.h"
#include "model/evidence/number.h"
#include "model/evidence/reorder.h"

/* ---- from JSON ---- */

/* An open object or array. */
struct open_value {
    size_t begin, head, mark;
    bool object;
};

struct from_json {
    struct span text;
    enum cbor_numbers numbers;
    struct jcs_report *report;
    struct buf written, string;
    struct reorder reorder;
    bool ordered;
    struct open_value *open;
    size_t depth, size;
    size_t *counts; /* members or elements of each container, in the order in which they begin */
    size_t count_count, count_size, next_count;
};

static bool cbor_json_refuse(struct from_json *f, enum jsonr_fault fault, size_t at,
                             const char *why)
{
    f->report->ok = false;
    f->report->fault = fault;
    f->report->at = at;
    f->report->why = why;
    return false;
}

static void cbor_json_note(struct from_json *f, enum jcs_note which, size_t at)
{
    if (f->report->note[which].count++ == 0)
        f->report->note[which].first = at;
}

static bool opens(enum jsonr_token token)
{
    return token == JSONR_OBJECT || token == JSONR_ARRAY;
}

static bool closes(enum jsonr_token token)
{
    return token == JSONR_OBJECT_END || token == JSONR_ARRAY_END;
}

/* First pass: is it JSON, and how many items has each container? A head comes before them. */
static bool count_items(struct from_json *f)
{
    struct jsonr r;
    size_t depth = 0, size = 32, *stack = NEW_ARRAY(size_t, size);
    jsonr_init(&r, f->text);
    r.i_json = true;
    while (jsonr_next(&r) > JSONR_END) {
        if (closes(r.token)) {
            depth--;
            continue;
        }
        assert(!depth || f->counts);
        if (r.token != JSONR_NAME && depth)
            f->counts[stack[depth - 1]]++;
        if (!opens(r.token))
            continue;
        if (depth == size) {
            size *= 2;
            stack = mem_resize(stack, size * sizeof *stack);
        }
        f->counts = mem_one_more(f->counts, f->count_count, &f->count_size, sizeof *f->counts);
        stack[depth++] = f->count_count;
        f->counts[f->count_count++] = 0;
    }
    bool ok = r.token == JSONR_END;
    if (!ok)
        cbor_json_refuse(f, r.fault, r.fault_at, jsonr_fault_text(r.fault));
    jsonr_finish(&r);
    mem_free(stack);
    return ok;
}

static void cbor_json_write_string(struct from_json *f, const struct jsonr *r)
{
    struct span text = r->value;
    if (r->escaped) {
        buf_clear(&f->string);
        jsonr_string((struct span){text.at - 1, text.len + 2}, &f->string, NULL);
        text = buf_span(&f->string);
    }
    cbor_head_write(&f->written, CBOR_TEXT, text.len);
    buf_add(&f->written, text);
}

/* The bytes of a decimal integer, big-endian; at most the 309 digits that a double reaches. */
static void write_integer(struct from_json *f, struct span token)
{
    int64_t small;
    if (jsonr_int(token, &small)) {
        bool below = small < 0;
        cbor_head_write(&f->written, below ? CBOR_NEGATIVE : CBOR_UNSIGNED,
                        below ? (uint64_t) - (small + 1) : (uint64_t)small);
        return;
    }
    unsigned char bytes[136] = {0};
    bool negative = token.at[0] == '-';
    for (size_t i = negative; i < token.len; i++) {
        unsigned carry = (unsigned)(token.at[i] - '0');
        for (size_t k = sizeof bytes; k-- > 0;) {
            carry += bytes[k] * 10u;
            bytes[k] = (unsigned char)carry;
            carry >>= 8;
        }
    }
    struct span magnitude = {(char *)bytes, sizeof bytes};
    if (negative) /* -1 - n stands for it: n is one less, and it isn't zero */
        for (size_t k = sizeof bytes; bytes[--k]-- == 0;)
            ;
    cbor_big_write(&f->written, negative, magnitude);
}

static bool is_integral(enum cbor_numbers numbers, double value, enum cbor_major *major,
                        uint64_t *argument)
{
    if (numbers == CBOR_NUMBERS_VALUE)
        return fabs(value) <= 0x1p53 && !(value == 0 && signbit(value)) &&
               cbor_float_integral(value, major, argument);
    return numbers == CBOR_NUMBERS_DCBOR && cbor_float_integral(value, major, argument);
}

static bool cbor_json_write_number(struct from_json *f, struct span token)
{
    size_t at = (size_t)(token.at - f->text.at);
    double value;
    enum number_kind kind = number_from_text(token, &value);
    if (kind == NUMBER_OVERFLOW)
        return cbor_json_refuse(f, JSONR_OK, at, "a number beyond the range of a double");
    bool integer = number_is_integer_token(token);
    if (kind == NUMBER_UNDERFLOW)
        cbor_json_note(f, JCS_NOTE_UNDERFLOW, at);
    else if (value == 0 && token.at[0] == '-')
        cbor_json_note(f, JCS_NOTE_NEGATIVE_ZERO, at);
    if (integer && fabs(value) >= 0x1p53)
        cbor_json_note(f, JCS_NOTE_BIG_INTEGER, at);

    enum cbor_major major;
    uint64_t argument;
    if (is_integral(f->numbers, value, &major, &argument)) {
        cbor_head_write(&f->written, major, argument);
    } else if (integer && f->numbers != CBOR_NUMBERS_VALUE) {
        write_integer(f, token);
    } else {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        uint8_t info = f->numbers == CBOR_NUMBERS_DOUBLE ? CBOR_DOUBLE : cbor_float_shortest(bits);
        cbor_float_write(&f->written, bits, info);
    }
    return true;
}

static void open_value(struct from_json *f, bool object)
{
    f->open = mem_one_more(f->open, f->depth, &f->size, sizeof *f->open);
    assert(f->counts);
    struct open_value *open = &f->open[f->depth++];
    *open = (struct open_value){
        .begin = f->written.len, .mark = reorder_open(&f->reorder), .object = object};
    cbor_head_write(&f->written, object ? CBOR_MAP : CBOR_ARRAY, f->counts[f->next_count++]);
    open->head = f->written.len - open->begin;
}

static bool close_value(struct from_json *f)
{
    assert(f->open && f->depth);
    struct open_value open = f->open[--f->depth];
    struct reorder_extent extent = {.begin = open.begin, .head = open.head};
    size_t duplicate;
    if (!open.object ||
        reorder_close(&f->reorder, open.mark, buf_span(&f->written), &extent, &duplicate))
        return true;
    return cbor_json_refuse(f, JSONR_DUPLICATE, duplicate, jsonr_fault_text(JSONR_DUPLICATE));
}

static bool write_token(struct from_json *f, const struct jsonr *r)
{
    switch (r->token) {
    case JSONR_NAME:
        reorder_begin(&f->reorder, f->written.len, (size_t)(r->value.at - f->text.at) - 1);
        cbor_json_write_string(f, r);
        reorder_key(&f->reorder, f->written.len, 0);
        return true;
    case JSONR_STRING:
        cbor_json_write_string(f, r);
        break;
    case JSONR_NUMBER:
        if (!cbor_json_write_number(f, r->value))
            return false;
        break;
    case JSONR_OBJECT:
    case JSONR_ARRAY:
        open_value(f, r->token == JSONR_OBJECT);
        return true;
    case JSONR_OBJECT_END:
    case JSONR_ARRAY_END:
        if (!close_value(f))
            return false;
        break;
    default:
        cbor_head_write(&f->written, CBOR_SIMPLE,
                        r->token == JSONR_NULL   ? CBOR_NULL
                        : r->token == JSONR_TRUE ? CBOR_TRUE
                                                 : CBOR_FALSE);
        break;
    }
    return true;
}

bool cbor_from_json(struct span json, enum cbor_numbers numbers, enum cbor_order order,
                    struct buf *out, struct jcs_report *report)
{
    struct from_json f = {.text = json, .numbers = numbers, .report = report};
    *report = (struct jcs_report){.ok = true, .why = ""};
    f.reorder.compare =
        order == CBOR_ORDER_LENGTH_FIRST ? cbor_compare_length_first : cbor_compare_bytewise;
    if (count_items(&f)) {
        struct jsonr r;
        jsonr_init(&r, json);
        while (jsonr_next(&r) > JSONR_END && write_token(&f, &r))
            ;
        jsonr_finish(&r);
    }
    /* Sorted in any case, since that is what finds duplicates; used only where it is asked for. */
    if (report->ok && order != CBOR_ORDER_AS_WRITTEN && reorder_needed(&f.reorder))
        reorder_write(&f.reorder, buf_span(&f.written), out);
    else if (report->ok)
        buf_add(out, buf_span(&f.written));
    reorder_finish(&f.reorder);
    buf_finish(&f.written);
    buf_finish(&f.string);
    mem_free(f.open);
    mem_free(f.counts);
    return report->ok;
}

/* ---- to JSON ---- */

struct to_json {
    struct cbor_walk walk;
    struct buf *out;
    struct buf string; /* of a string in chunks */
    bool lossy;
};

static void put_base64url(struct buf *out, struct span bytes)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        unsigned three = (unsigned)(unsigned char)bytes.at[i] << 16;
        if (left > 1)
            three |= (unsigned)(unsigned char)bytes.at[i + 1] << 8;
        if (left > 2)
            three |= (unsigned char)bytes.at[i + 2];
        for (size_t k = 0; k < (left > 2 ? 4 : left + 1); k++)
            buf_byte(out, digit[three >> (18 - 6 * k) & 63]);
    }
}

/* -1 - argument, of which the least is -2^64. */
static void put_negative(struct buf *out, uint64_t argument)
{
    if (argument == UINT64_MAX)
        buf_puts(out, "-18446744073709551616");
    else
        buf_addf(out, "-%llu", (unsigned long long)argument + 1);
}

static void cbor_json_put_float(struct to_json *t, const struct cbor_head *head)
{
    uint64_t bits = cbor_float_bits(head);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
        buf_puts(t->out, "null");
        t->lossy = true;
        return;
    }
    char text[NUMBER_TEXT];
    struct span written = {text, number_to_text(value, text)};
    if (value == 0 && signbit(value))
        buf_puts(t->out, "-");
    buf_add(t->out, written);
    if (number_is_integer_token(written))
        buf_puts(t->out, ".0"); /* so that it stays a float */
}

static void cbor_json_put_string(struct to_json *t, enum cbor_major major, struct span bytes)
{
    if (major == CBOR_TEXT) {
        jsonr_quote(t->out, bytes);
        return;
    }
    t->lossy = true;
    buf_byte(t->out, '"');
    put_base64url(t->out, bytes);
    buf_byte(t->out, '"');
}

static void put_scalar(struct to_json *t)
{
    const struct cbor_head *head = &t->walk.head;
    switch (head->major) {
    case CBOR_UNSIGNED:
        buf_addf(t->out, "%llu", (unsigned long long)head->argument);
        return;
    case CBOR_NEGATIVE:
        put_negative(t->out, head->argument);
        return;
    case CBOR_BYTES:
    case CBOR_TEXT:
        cbor_json_put_string(t, head->major, t->walk.payload);
        return;
    default:
        break;
    }
    if (cbor_head_is_float(head)) {
        cbor_json_put_float(t, head);
        return;
    }
    bool known = head->argument >= CBOR_FALSE && head->argument <= CBOR_NULL;
    t->lossy |= !known;
    buf_puts(t->out, head->argument == CBOR_TRUE    ? "true"
                     : head->argument == CBOR_FALSE ? "false"
                                                    : "null");
}

/* A key that is no text: its diagnostic notation, quoted. Its whole encoding is walked over. */
static void put_odd_key(struct to_json *t)
{
    struct cbor_verdict why;
    struct buf text = {0};
    struct span rest = span_sub(t->walk.bytes, t->walk.begin, t->walk.bytes.len);
    size_t len = cbor_first_item(rest, &why);
    cbor_diagnostic(span_sub(rest, 0, len), 4096, &text);
    jsonr_quote(t->out, buf_span(&text));
    buf_finish(&text);
    t->lossy = true;
    if (t->walk.event != CBOR_EVENT_OPEN)
        return;
    for (size_t depth = t->walk.depth; t->walk.depth >= depth;)
        cbor_walk_next(&t->walk);
}

/* The comma, or the colon, before an item. */
static void put_mark(struct to_json *t, const struct cbor_frame *parent)
{
    if (!parent || (parent->head.major != CBOR_ARRAY && parent->head.major != CBOR_MAP))
        return;
    if (parent->head.major == CBOR_MAP && t->walk.index % 2)
        buf_byte(t->out, ':');
    else if (t->walk.index)
        buf_byte(t->out, ',');
}

static void put_event(struct to_json *t)
{
    struct cbor_walk *walk = &t->walk;
    enum cbor_major major = walk->head.major;
    if (walk->event == CBOR_EVENT_CLOSE) {
        if (major == CBOR_ARRAY || major == CBOR_MAP)
            buf_byte(t->out, major == CBOR_ARRAY ? ']' : '}');
        else if (major != CBOR_TAG)
            cbor_json_put_string(t, major, buf_span(&t->string));
        return;
    }
    const struct cbor_frame *parent = cbor_walk_parent(walk);
    if (parent && (parent->head.major == CBOR_TEXT || parent->head.major == CBOR_BYTES)) {
        buf_add(&t->string, walk->payload);
        return;
    }
    put_mark(t, parent);
    if (walk->key && major != CBOR_TEXT) {
        put_odd_key(t);
    } else if (walk->event == CBOR_EVENT_ITEM) {
        put_scalar(t);
    } else if (major == CBOR_TAG) {
        t->lossy = true;
    } else if (major == CBOR_ARRAY || major == CBOR_MAP) {
        buf_byte(t->out, major == CBOR_ARRAY ? '[' : '{');
    } else {
        buf_clear(&t->string);
    }
}

bool cbor_to_json(struct span bytes, struct buf *out, bool *lossy)
{
    struct cbor_report report;
    if (!cbor_check(bytes, &report))
        return false;
    struct to_json t = {.out = out};
    cbor_walk_init(&t.walk, bytes);
    while (cbor_walk_next(&t.walk) > CBOR_EVENT_END)
        put_event(&t);
    assert(t.walk.event == CBOR_EVENT_END);
    cbor_walk_finish(&t.walk);
    buf_finish(&t.string);
    if (lossy)
        *lossy = t.lossy;
    return true;
}
