#include "model/evidence/jcs.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/evidence/jcs_changes.h"
#include "model/evidence/number.h"
#include "model/evidence/reorder.h"

/* An object that is open. */
struct jcs_frame {
    size_t begin; /* in the output */
    size_t mark;  /* of reorder_open */
};

struct jcs {
    struct reorder reorder;
    struct buf scratch;
    struct jcs_frame *frames;
    size_t depth, size;
    /* of the run in progress: */
    struct span text;
    struct buf *out;
    size_t base; /* out->len when the run began */
    bool astral; /* a comparison met a pair that code points would order otherwise */
    struct jcs_report *report;
    struct jcs_changes *changes; /* NULL where nobody asked */
};

enum { SLACK = 64 }; /* room kept in the output beyond what is left of the text */

static const char *const note_texts[JCS_NOTE_COUNT] = {
#define X(id, text) text,
    JCS_NOTES(X)
#undef X
};

const char *jcs_note_text(enum jcs_note jcs_remark)
{
    return note_texts[jcs_remark];
}

/* ---- the order of names ---- */

/* UTF-8 sorts as code points do; UTF-16 puts surrogates (lead bytes F0 to F4 in UTF-8) before
 * U+E000 to U+FFFF (lead bytes EE and EF). */
static int rank_of_byte(unsigned char byte)
{
    if (byte >= 0xf0)
        return byte - 2;
    return byte == 0xee || byte == 0xef ? byte + 5 : byte;
}

static int compare_bytes(unsigned char a, unsigned char b, bool *astral)
{
    int order = rank_of_byte(a) - rank_of_byte(b);
    if ((order < 0) != (a < b))
        *astral = true;
    return order;
}

int jcs_compare_names(struct span a, struct span b)
{
    bool unused = false;
    size_t shorter = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < shorter; i++)
        if (a.at[i] != b.at[i])
            return compare_bytes((unsigned char)a.at[i], (unsigned char)b.at[i], &unused);
    return (a.len > b.len) - (a.len < b.len);
}

static unsigned hex4(const char *at)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        unsigned digit = (unsigned char)at[i];
        value = value << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
    return value;
}

/* Next byte of a canonically escaped name; its escapes all stand for one byte. */
static unsigned char next_unescaped(struct span *rest)
{
    static const char escapes[] = "b\bt\tn\nf\fr\r\"\"\\\\";
    char first = rest->at[0];
    if (first != '\\') {
        *rest = (struct span){rest->at + 1, rest->len - 1};
        return (unsigned char)first;
    }
    if (rest->at[1] == 'u') { /* \u00XX */
        unsigned code = hex4(rest->at + 2);
        *rest = (struct span){rest->at + 6, rest->len - 6};
        return (unsigned char)code;
    }
    const char *at = escapes;
    while (*at != rest->at[1])
        at += 2;
    *rest = (struct span){rest->at + 2, rest->len - 2};
    return (unsigned char)at[1];
}

static int compare_escaped(struct span a, struct span b, bool *astral)
{
    while (a.len && b.len) {
        unsigned char x = next_unescaped(&a), y = next_unescaped(&b);
        if (x != y)
            return compare_bytes(x, y, astral);
    }
    return (a.len > 0) - (b.len > 0);
}

/* Keys are written names, quotes included. They rarely hold escapes, and differ early. */
static int compare_keys(void *context, struct span a, struct span b)
{
    struct jcs *j = context;
    a = (struct span){a.at + 1, a.len - 2};
    b = (struct span){b.at + 1, b.len - 2};
    size_t shorter = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < shorter; i++) {
        if (a.at[i] == '\\' || b.at[i] == '\\')
            return compare_escaped(span_sub(a, i, a.len), span_sub(b, i, b.len), &j->astral);
        if (a.at[i] != b.at[i])
            return compare_bytes((unsigned char)a.at[i], (unsigned char)b.at[i], &j->astral);
    }
    return (a.len > b.len) - (a.len < b.len);
}

/* The first bytes of a name as it stands in the text, as a number that sorts as they do; 0 where an
 * escape or UTF-16 makes it less simple, or the text ends. (Read from the text and not from the
 * output: what was just written there byte by byte would have to be waited for.) */
static uint64_t prefix_of(const struct jcs *j, struct span name)
{
    enum { WIDTH = 8 };
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    unsigned char bytes[WIDTH];
    uint64_t prefix = 0;
    if ((size_t)(j->text.at + j->text.len - name.at) < WIDTH)
        return 0;
    memcpy(bytes, name.at, WIDTH);
    for (size_t i = 0; i < WIDTH; i++)
        prefix = prefix << 8 | bytes[i];
    if (name.len < WIDTH)
        prefix &= name.len ? ~UINT64_C(0) << (8 * (WIDTH - name.len)) : 0;
    uint64_t slash = prefix ^ ones * '\\';
    bool simple = !(prefix & tops) && !((slash - ones) & ~slash & tops);
    return simple ? prefix : 0;
}

/* ---- what is reported ---- */

static void jcs_remark(struct jcs *j, enum jcs_note which, size_t at)
{
    if (j->report->note[which].count++ == 0)
        j->report->note[which].first = at;
}

static void change(struct jcs *j, enum jcs_change_kind kind, size_t in, size_t in_len, size_t out,
                   size_t out_len)
{
    if (j->changes)
        jcs_changes_add(j->changes, &(struct jcs_change){kind, in, in_len, out, out_len});
}

static bool jcs_refuse(struct jcs *j, enum jsonr_fault fault, size_t at, const char *why)
{
    j->report->ok = false;
    j->report->fault = fault;
    j->report->at = at;
    j->report->why = why;
    return false;
}

bool jcs_fail(const struct jcs_report *report, const char *where, struct err *err)
{
    char place[ERR_TEXT];
    snprintf(place, sizeof place, "%s%sbyte %zu", where ? where : "", where && *where ? ": " : "",
             report->at);
    return err_set(err, ERR_INPUT, place,
                   "a record like this may not be hashed; correct it at its source", "%s",
                   report->why);
}

/* ---- writing ----
 *
 * What writes takes the place where it writes and returns the one behind what it wrote: the
 * output's own length would have to be loaded and stored again for every byte. A comma is put
 * behind every value; the end of what the value is in takes the last one back.
 */

/* Everything but a number that is written anew is at most as long as it was in the text, so that
 * room is made once, and again only there. */
static char *jcs_make_room(struct jcs *j, size_t read)
{
    return buf_reserve(j->out, j->text.len - read + SLACK);
}

static size_t offset_of(const struct jcs *j, const char *to)
{
    return (size_t)(to - j->out->at);
}

/* Bytes of the text to the output. Most are few, and then a copy of fixed size costs no call: there
 * is always SLACK behind the output, and mostly text behind these. */
static inline char *jcs_put(const struct jcs *j, char *to, struct span s)
{
    enum { JCS_FEW = 32 };
    if (s.len <= JCS_FEW && (size_t)(j->text.at + j->text.len - s.at) >= JCS_FEW)
        memcpy(to, s.at, JCS_FEW);
    else
        memcpy(to, s.at, s.len);
    return to + s.len;
}

/* RFC 8785 §3.2.2.2. */
static char *put_character(char *at, unsigned code)
{
    static const char hex[] = "0123456789abcdef";
    static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    for (size_t i = 0; i < sizeof shorts - 1; i += 2)
        if ((unsigned char)shorts[i] == code) {
            *at++ = '\\';
            *at++ = shorts[i + 1];
            return at;
        }
    if (code < 0x20) {
        const char escape[] = {'\\', 'u', '0', '0', hex[code >> 4], hex[code & 15]};
        memcpy(at, escape, sizeof escape);
        return at + sizeof escape;
    }
    if (code < 0x80) {
        *at++ = (char)code;
        return at;
    }
    if (code < 0x800) {
        *at++ = (char)(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *at++ = (char)(0xe0 | code >> 12);
        } else {
            *at++ = (char)(0xf0 | code >> 18);
            *at++ = (char)(0x80 | (code >> 12 & 0x3f));
        }
        *at++ = (char)(0x80 | (code >> 6 & 0x3f));
    }
    *at++ = (char)(0x80 | (code & 0x3f));
    return at;
}

/* What the escape at `at` (a backslash; the reader has checked it) stands for; moves behind it. */
static unsigned take_escape(const char **at)
{
    static const char escapes[] = "b\bt\tn\nf\fr\r\"\"\\\\//";
    char kind = (*at)[1];
    if (kind != 'u') {
        const char *found = escapes;
        while (*found != kind)
            found += 2;
        *at += 2;
        return (unsigned char)found[1];
    }
    unsigned code = hex4(*at + 2);
    *at += 6;
    if (code >= 0xd800 && code < 0xdc00) { /* the reader lets no lone one through */
        code = 0x10000 + ((code - 0xd800) << 10) + (hex4(*at + 2) - 0xdc00);
        *at += 6;
    }
    return code;
}

static char *put_escaped(struct jcs *j, char *to, struct span inside)
{
    const char *at = inside.at, *end = inside.at + inside.len;
    char *begin = to;
    *to++ = '"';
    while (at < end) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        size_t plain = (size_t)((slash ? slash : end) - at);
        memcpy(to, at, plain);
        to += plain;
        at += plain;
        if (slash)
            to = put_character(to, take_escape(&at));
    }
    *to++ = '"';
    size_t len = (size_t)(to - begin), source = (size_t)(inside.at - j->text.at) - 1;
    if (len != inside.len + 2 || memcmp(begin + 1, inside.at, inside.len) != 0) {
        jcs_remark(j, JCS_NOTE_ESCAPES, source);
        change(j, JCS_STRING, source, inside.len + 2, offset_of(j, begin), len);
    }
    return to;
}

static inline char *jcs_put_string(struct jcs *j, char *to, const struct jsonr *r)
{
    if (r->escaped)
        return put_escaped(j, to, r->value);
    return jcs_put(j, to, (struct span){r->value.at - 1, r->value.len + 2}); /* its quotes, too */
}

/*
 * Is a number that the reader has passed its own canonical form? That is plain where it has up to
 * 15 digits: no two decimals that short are the same double (DBL_DIG), so that it is the shortest
 * that there is for its own, and as long as it needs no exponent (from 1e-6 on) and has no zeros at
 * its end it is written the same.
 */
static bool is_canonical_number(struct span token)
{
    static const struct span too_small = SPAN_INIT("0.000000");
    bool minus = token.at[0] == '-', fraction = false;
    struct span digits = {token.at + minus, token.len - minus};
    if (digits.len > DBL_DIG + 1) /* and the point */
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.at[i] == '.')
            fraction = true;
        else if (digits.at[i] < '0' || digits.at[i] > '9')
            return false;
    }
    if (!fraction)
        return digits.len <= DBL_DIG && !(minus && digits.at[0] == '0');
    return digits.at[digits.len - 1] != '0' && !span_starts_with(digits, too_small);
}

static void remark_number(struct jcs *j, struct span token, enum number_kind kind, double value)
{
    const double limit = 0x1p53;
    size_t source = (size_t)(token.at - j->text.at);
    bool beyond = value > limit || value < -limit;
    bool at_limit = token.len >= 16 && (value == limit || value == -limit);
    if (kind == NUMBER_UNDERFLOW)
        jcs_remark(j, JCS_NOTE_UNDERFLOW, source);
    else if (value == 0 && token.at[0] == '-')
        jcs_remark(j, JCS_NOTE_NEGATIVE_ZERO, source);
    if ((beyond || at_limit) && number_is_integer_token(token))
        jcs_remark(j, JCS_NOTE_BIG_INTEGER, source);
}

/* NULL where a double can't hold it. */
static char *put_number(struct jcs *j, char *to, struct span token)
{
    if (is_canonical_number(token))
        return jcs_put(j, to, token);
    size_t source = (size_t)(token.at - j->text.at), from = offset_of(j, to);
    double value;
    enum number_kind kind = number_from_text(token, &value);
    assert(kind != NUMBER_INVALID);
    if (kind == NUMBER_OVERFLOW) {
        jcs_refuse(j, JSONR_OK, source, "a number beyond the range of a double");
        return NULL;
    }
    remark_number(j, token, kind, value);
    j->out->len = from;
    to = jcs_make_room(j, source);
    size_t len = number_to_text(value, to);
    if (!span_equal((struct span){to, len}, token)) {
        jcs_remark(j, JCS_NOTE_NUMBER_FORM, source);
        change(j, JCS_NUMBER, source, token.len, from, len);
    }
    return to + len;
}

/* ---- tokens ---- */

static char *put_name(struct jcs *j, char *to, const struct jsonr *r)
{
    reorder_begin(&j->reorder, offset_of(j, to) - j->base, (size_t)(r->value.at - j->text.at) - 1);
    to = jcs_put_string(j, to, r);
    reorder_key(&j->reorder, offset_of(j, to) - j->base, prefix_of(j, r->value));
    *to++ = ':';
    return to;
}

static char *open_object(struct jcs *j, char *to)
{
    j->frames = mem_one_more(j->frames, j->depth, &j->size, sizeof *j->frames);
    j->frames[j->depth++] =
        (struct jcs_frame){offset_of(j, to) - j->base, reorder_open(&j->reorder)};
    *to++ = '{';
    return to;
}

/* Over the comma behind the last value, if there is one. */
static inline char *put_end(char *to, char bracket)
{
    to -= to[-1] == ',';
    *to++ = bracket;
    return to;
}

/* NULL where a name is there twice. */
static char *close_object(struct jcs *j, char *to, struct span source)
{
    to = put_end(to, '}');
    struct jcs_frame frame = j->frames[--j->depth];
    struct span output = span_from(j->out->at + j->base, to);
    struct reorder_extent extent = {frame.begin, 1, 1,
                                    (size_t)(source.at - j->text.at) + source.len - 1};
    size_t misplaced = reorder_count(&j->reorder), duplicate;
    if (!reorder_close(&j->reorder, frame.mark, output, &extent, &duplicate)) {
        jcs_refuse(j, JSONR_DUPLICATE, duplicate, jsonr_fault_text(JSONR_DUPLICATE));
        return NULL;
    }
    size_t begin = (size_t)(source.at - j->text.at);
    if (reorder_count(&j->reorder) != misplaced)
        jcs_remark(j, JCS_NOTE_NAME_ORDER, begin);
    if (j->astral)
        jcs_remark(j, JCS_NOTE_ASTRAL_NAMES, begin);
    j->astral = false;
    return to;
}

/* White space of the text between two tokens; commas and colons are in it, too, and the one that is
 * in the output already is there only behind what comes before it here. */
static void list_space(struct jcs *j, size_t from, size_t to, const char *out)
{
    size_t place = offset_of(j, out), mark = 0;
    if (place > j->base && (out[-1] == ',' || out[-1] == ':'))
        mark = 1;
    for (size_t at = from; at < to; at++) {
        size_t begin = at;
        while (at < to && j->text.at[at] != ',' && j->text.at[at] != ':')
            at++;
        if (at > begin)
            change(j, JCS_SPACE, begin, at - begin, place - mark, 0);
        mark = 0;
    }
}

/* Where in the text the reader's last token begins: a bracket that closes is a token of its own. */
static size_t token_begin(const struct jcs *j, const struct jsonr *r)
{
    size_t at = (size_t)(r->value.at - j->text.at);
    if (r->token == JSONR_OBJECT_END || r->token == JSONR_ARRAY_END)
        return at + r->value.len - 1;
    return at - (r->token == JSONR_STRING || r->token == JSONR_NAME);
}

/* The reader's last token; NULL where the text may not be hashed because of it. */
static inline char *put_token(struct jcs *j, char *to, const struct jsonr *r)
{
    switch (r->token) {
    case JSONR_NAME:
        return put_name(j, to, r);
    case JSONR_OBJECT:
        return open_object(j, to);
    case JSONR_ARRAY:
        *to++ = '[';
        return to;
    case JSONR_OBJECT_END:
        to = close_object(j, to, r->value);
        break;
    case JSONR_ARRAY_END:
        to = put_end(to, ']');
        break;
    case JSONR_STRING:
        to = jcs_put_string(j, to, r);
        break;
    case JSONR_NUMBER:
        to = put_number(j, to, r->value);
        break;
    default: /* null, false, true */
        to = jcs_put(j, to, r->value);
    }
    if (to)
        *to++ = ',';
    return to;
}

static bool put_all(struct jcs *j, struct jsonr *r)
{
    char *to = jcs_make_room(j, 0);
    size_t token_end = 0;
    while (to && jsonr_next(r) > JSONR_END) {
        if (j->changes) {
            list_space(j, token_end, token_begin(j, r), to);
            token_end = (size_t)(r->at - j->text.at);
        }
        to = put_token(j, to, r);
    }
    if (r->token == JSONR_ERROR)
        return jcs_refuse(j, r->fault, r->fault_at, jsonr_fault_text(r->fault));
    if (!to)
        return false;
    if (j->changes)
        list_space(j, token_end, j->text.len, to);
    j->out->len = offset_of(j, to - 1); /* no comma behind it all */
    return true;
}

static void jcs_put_in_order(struct jcs *j)
{
    struct jcs_trace trace = {.text = j->text, .changes = j->changes};
    size_t listed = j->changes ? j->changes->count : 0;
    if (j->changes) {
        j->reorder.trace = &trace;
        j->reorder.moved = jcs_trace_moved;
        j->reorder.piece = jcs_trace_piece;
    }
    buf_clear(&j->scratch);
    reorder_write(&j->reorder, (struct span){j->out->at + j->base, j->out->len - j->base},
                  &j->scratch);
    if (j->base == 0) {
        struct buf written = j->scratch;
        j->scratch = *j->out;
        *j->out = written;
    } else {
        memcpy(j->out->at + j->base, j->scratch.at, j->scratch.len);
    }
    j->reorder.moved = NULL;
    j->reorder.piece = NULL;
    jcs_trace_finish(&trace, listed);
}

/* ---- the calls ---- */

struct jcs *jcs_create(void)
{
    struct jcs *j = NEW(struct jcs);
    j->reorder.compare = compare_keys;
    j->reorder.context = j;
    j->reorder.separator = ',';
    return j;
}

void jcs_destroy(struct jcs *j)
{
    if (!j)
        return;
    reorder_finish(&j->reorder);
    buf_finish(&j->scratch);
    mem_free(j->frames);
    mem_free(j);
}

static bool jcs_run(struct jcs *j, struct span text, struct buf *out, struct jcs_report *report,
                    struct jcs_changes *changes)
{
    *report = (struct jcs_report){.ok = true, .why = ""};
    j->text = text;
    j->out = out;
    j->base = out->len;
    j->depth = 0;
    j->astral = false;
    j->report = report;
    j->changes = changes;
    reorder_reset(&j->reorder);

    struct jsonr r;
    jsonr_init(&r, text);
    r.i_json = true;
    if (put_all(j, &r)) {
        if (reorder_needed(&j->reorder))
            jcs_put_in_order(j);
    } else {
        out->len = j->base;
    }
    jsonr_finish(&r);
    if (changes)
        jcs_changes_sort(changes);
    return report->ok;
}

bool jcs_canonicalize(struct jcs *jcs, struct span text, struct buf *out, struct jcs_report *report)
{
    return jcs_run(jcs, text, out, report, NULL);
}

bool jcs_explain(struct jcs *jcs, struct span text, struct buf *out, struct jcs_report *report,
                 struct jcs_changes *changes)
{
    assert(out->len == 0);
    changes->count = 0;
    return jcs_run(jcs, text, out, report, changes);
}
