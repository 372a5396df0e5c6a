#include "model/evidence/cbor_walk.h"

#include <assert.h>
#include <math.h>

#include "base/mem.h"

void cbor_walk_init(struct cbor_walk *walk, struct span bytes)
{
    *walk = (struct cbor_walk){.bytes = bytes, .event = CBOR_EVENT_ITEM};
}

void cbor_walk_finish(struct cbor_walk *walk)
{
    mem_free(walk->frames);
    walk->frames = NULL;
    walk->size = 0;
}

static enum cbor_event fail(struct cbor_walk *walk, enum cbor_flaw why, size_t at)
{
    walk->why = why;
    walk->why_at = at;
    return walk->event = CBOR_EVENT_ERROR;
}

static size_t left_of(const struct cbor_walk *walk)
{
    return walk->bytes.len - walk->at;
}

/* The head at walk->at, which is moved behind it. */
static bool take_head(struct cbor_walk *walk, struct cbor_head *head)
{
    const unsigned char *at = (const unsigned char *)walk->bytes.at + walk->at;
    *head =
        (struct cbor_head){.major = (enum cbor_major)(at[0] >> 5), .info = at[0] & 31, .len = 1};
    if (head->info < 24) {
        head->argument = head->info;
    } else if (head->info < 28) {
        size_t more = (size_t)1 << (head->info - 24);
        if (left_of(walk) < 1 + more)
            return fail(walk, CBOR_FLAW_CUT, walk->bytes.len), false;
        for (size_t i = 1; i <= more; i++)
            head->argument = head->argument << 8 | at[i];
        head->len = (uint8_t)(1 + more);
    } else if (head->info < CBOR_INDEFINITE) {
        return fail(walk, CBOR_FLAW_RESERVED, walk->at), false;
    }
    walk->at += head->len;
    return true;
}

static struct cbor_frame *top(struct cbor_walk *walk)
{
    return walk->depth ? &walk->frames[walk->depth - 1] : NULL;
}

const struct cbor_frame *cbor_walk_parent(const struct cbor_walk *walk)
{
    size_t depth = walk->depth - (walk->event == CBOR_EVENT_OPEN);
    return depth ? &walk->frames[depth - 1] : NULL;
}

static bool is_string(enum cbor_major major)
{
    return major == CBOR_BYTES || major == CBOR_TEXT;
}

static enum cbor_event open_item(struct cbor_walk *walk, uint64_t left)
{
    if (walk->depth == CBOR_DEPTH)
        return fail(walk, CBOR_FLAW_TOO_DEEP, walk->begin);
    walk->frames = mem_one_more(walk->frames, walk->depth, &walk->size, sizeof *walk->frames);
    assert(walk->frames);
    walk->frames[walk->depth++] = (struct cbor_frame){
        .head = walk->head, .begin = walk->begin, .left = left, .key = walk->key};
    if (walk->depth > walk->deepest)
        walk->deepest = walk->depth;
    return walk->event = CBOR_EVENT_OPEN;
}

static enum cbor_event close_item(struct cbor_walk *walk)
{
    const struct cbor_frame *frame = &walk->frames[--walk->depth];
    walk->head = frame->head;
    walk->begin = frame->begin;
    walk->key = frame->key;
    walk->count = frame->count;
    walk->index = walk->depth ? walk->frames[walk->depth - 1].count - 1 : 0;
    return walk->event = CBOR_EVENT_CLOSE;
}

static enum cbor_event take_break(struct cbor_walk *walk)
{
    struct cbor_frame *frame = top(walk);
    if (!frame || frame->head.info != CBOR_INDEFINITE)
        return fail(walk, CBOR_FLAW_STRAY_BREAK, walk->at);
    if (frame->head.major == CBOR_MAP && frame->count % 2)
        return fail(walk, CBOR_FLAW_ODD_MAP, walk->at);
    walk->at++;
    return close_item(walk);
}

/* A string, an array or a map: its declared length can't be more than what is left. */
static enum cbor_event take_sized(struct cbor_walk *walk)
{
    struct cbor_head *head = &walk->head;
    if (head->info == CBOR_INDEFINITE)
        return open_item(walk, 0);
    size_t most = head->major == CBOR_MAP ? left_of(walk) / 2 : left_of(walk);
    if (head->argument > most)
        return fail(walk, CBOR_FLAW_CUT, walk->bytes.len);
    if (!is_string(head->major))
        return open_item(walk, head->major == CBOR_MAP ? head->argument * 2 : head->argument);
    walk->payload = span_sub(walk->bytes, walk->at, (size_t)head->argument);
    walk->at += (size_t)head->argument;
    return walk->event = CBOR_EVENT_ITEM;
}

static enum cbor_event cbor_walk_take_item(struct cbor_walk *walk)
{
    struct cbor_frame *parent = top(walk);
    walk->begin = walk->at;
    walk->payload = SPAN_EMPTY;
    if (!take_head(walk, &walk->head))
        return CBOR_EVENT_ERROR;
    struct cbor_head *head = &walk->head;
    if (parent && is_string(parent->head.major) &&
        (head->major != parent->head.major || head->info == CBOR_INDEFINITE))
        return fail(walk, CBOR_FLAW_BAD_CHUNK, walk->begin);
    walk->key = parent && parent->head.major == CBOR_MAP && parent->count % 2 == 0;
    walk->index = parent ? parent->count++ : 0;
    if (parent && parent->head.info != CBOR_INDEFINITE)
        parent->left--;
    walk->items++;

    switch (head->major) {
    case CBOR_BYTES:
    case CBOR_TEXT:
    case CBOR_ARRAY:
    case CBOR_MAP:
        return take_sized(walk);
    case CBOR_TAG:
        if (head->info == CBOR_INDEFINITE)
            return fail(walk, CBOR_FLAW_BAD_INDEFINITE, walk->begin);
        return open_item(walk, 1);
    case CBOR_SIMPLE:
        if (head->info == 24 && head->argument < 32)
            return fail(walk, CBOR_FLAW_BAD_SIMPLE, walk->begin);
        return walk->event = CBOR_EVENT_ITEM;
    default:
        if (head->info == CBOR_INDEFINITE)
            return fail(walk, CBOR_FLAW_BAD_INDEFINITE, walk->begin);
        return walk->event = CBOR_EVENT_ITEM;
    }
}

enum cbor_event cbor_walk_next(struct cbor_walk *walk)
{
    if (walk->event <= CBOR_EVENT_END)
        return walk->event;
    struct cbor_frame *frame = top(walk);
    if (!frame && walk->items) {
        if (walk->at < walk->bytes.len && !walk->sequence)
            return fail(walk, CBOR_FLAW_TRAILING, walk->at);
        return walk->event = CBOR_EVENT_END;
    }
    if (frame && frame->head.info != CBOR_INDEFINITE && frame->left == 0)
        return close_item(walk);
    /* A tag's head never says "indefinite", and what a tag encloses has to be there. */
    if (left_of(walk) == 0)
        return fail(walk, walk->items ? CBOR_FLAW_CUT : CBOR_FLAW_EMPTY, walk->at);
    if ((unsigned char)walk->bytes.at[walk->at] == CBOR_BREAK)
        return take_break(walk);
    return cbor_walk_take_item(walk);
}

int cbor_compare_bytewise(void *context, struct span a, struct span b)
{
    (void)context;
    return span_compare(a, b);
}

int cbor_compare_length_first(void *context, struct span a, struct span b)
{
    (void)context;
    return a.len != b.len ? (a.len > b.len) - (a.len < b.len) : span_compare(a, b);
}

/* ---- heads and numbers ---- */

void cbor_head_write(struct buf *out, enum cbor_major major, uint64_t argument)
{
    uint8_t info = argument < 24            ? (uint8_t)argument
                   : argument <= UINT8_MAX  ? 24
                   : argument <= UINT16_MAX ? 25
                   : argument <= UINT32_MAX ? 26
                                            : 27;
    buf_byte(out, (char)((unsigned)major << 5 | info));
    if (info >= 24)
        for (int shift = (8 << (info - 24)) - 8; shift >= 0; shift -= 8)
            buf_byte(out, (char)(argument >> shift));
}

bool cbor_head_is_float(const struct cbor_head *head)
{
    return head->major == CBOR_SIMPLE && head->info >= CBOR_HALF && head->info <= CBOR_DOUBLE;
}

/* Widens a float with `exponent_bits` and `fraction_bits` to a double's bits; exact by the nature
 * of the formats, done on bits so that a NaN keeps its payload. */
static uint64_t widen(uint64_t bits, int exponent_bits, int fraction_bits)
{
    uint64_t sign = bits >> (exponent_bits + fraction_bits);
    uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
    int most = (1 << exponent_bits) - 1, bias = most >> 1;
    int exponent = (int)(bits >> fraction_bits) & most;
    int wide = 0;
    if (exponent == most) {
        wide = 0x7ff;
    } else if (exponent != 0) {
        wide = exponent - bias + 1023;
    } else if (fraction != 0) { /* subnormal there, normal here */
        exponent = 1;
        while (!(fraction >> fraction_bits)) {
            fraction <<= 1;
            exponent--;
        }
        fraction &= (UINT64_C(1) << fraction_bits) - 1;
        wide = exponent - bias + 1023;
    }
    return sign << 63 | (uint64_t)wide << 52 | fraction << (52 - fraction_bits);
}

uint64_t cbor_float_bits(const struct cbor_head *head)
{
    switch (head->info) {
    case CBOR_HALF:
        return widen(head->argument, 5, 10);
    case CBOR_SINGLE:
        return widen(head->argument, 8, 23);
    default:
        return head->argument;
    }
}

/* The double's bits in a smaller format, where nothing is lost. */
static bool narrow(uint64_t bits, int exponent_bits, int fraction_bits, uint64_t *narrow_bits)
{
    uint64_t sign = bits >> 63, fraction = bits & ((UINT64_C(1) << 52) - 1);
    int wide = (int)(bits >> 52) & 0x7ff, most = (1 << exponent_bits) - 1, bias = most >> 1;
    int exponent = wide - 1023 + bias, drop = 52 - fraction_bits;
    if (wide == 0x7ff) {
        exponent = most;
    } else if (wide == 0 && fraction == 0) {
        exponent = 0;
    } else if (wide == 0 || exponent >= most || exponent < 1 - fraction_bits) {
        return false;
    } else if (exponent < 1) { /* normal here, subnormal there */
        fraction |= UINT64_C(1) << 52;
        drop += 1 - exponent;
        exponent = 0;
    }
    if (fraction & ((UINT64_C(1) << drop) - 1))
        return false;
    *narrow_bits = sign << (exponent_bits + fraction_bits) | (uint64_t)exponent << fraction_bits |
                   fraction >> drop;
    return true;
}

uint8_t cbor_float_shortest(uint64_t bits)
{
    uint64_t unused;
    if (narrow(bits, 5, 10, &unused))
        return CBOR_HALF;
    return narrow(bits, 8, 23, &unused) ? CBOR_SINGLE : CBOR_DOUBLE;
}

void cbor_float_write(struct buf *out, uint64_t bits, uint8_t info)
{
    uint64_t written = bits;
    if (info == CBOR_HALF)
        narrow(bits, 5, 10, &written);
    else if (info == CBOR_SINGLE)
        narrow(bits, 8, 23, &written);
    buf_byte(out, (char)(CBOR_SIMPLE << 5 | info));
    for (int shift = (8 << (info - 24)) - 8; shift >= 0; shift -= 8)
        buf_byte(out, (char)(written >> shift));
}

bool cbor_float_integral(double value, enum cbor_major *major, uint64_t *argument)
{
    if (!(value >= -0x1p63 && value < 0x1p64) || value != trunc(value))
        return false;
    *major = value < 0 ? CBOR_NEGATIVE : CBOR_UNSIGNED;
    *argument = value < 0 ? (uint64_t)(-value) - 1 : (uint64_t)value;
    return true;
}

void cbor_big_write(struct buf *out, bool negative, struct span magnitude)
{
    while (magnitude.len && magnitude.at[0] == 0)
        magnitude = span_sub(magnitude, 1, magnitude.len);
    if (magnitude.len <= 8) {
        uint64_t argument = 0;
        for (size_t i = 0; i < magnitude.len; i++)
            argument = argument << 8 | (unsigned char)magnitude.at[i];
        cbor_head_write(out, negative ? CBOR_NEGATIVE : CBOR_UNSIGNED, argument);
        return;
    }
    cbor_head_write(out, CBOR_TAG, negative ? CBOR_TAG_BIG_NEGATIVE : CBOR_TAG_BIG);
    cbor_head_write(out, CBOR_BYTES, magnitude.len);
    buf_add(out, magnitude);
}
