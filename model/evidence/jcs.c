#include "model/evidence/jcs.h"

#include <assert.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/evidence/jcs_changes.h"
#include "model/evidence/number.h"
#include "model/evidence/reorder.h"

/* An object or array that is open. */
struct jcs_frame {
    size_t begin; /* in the output */
    size_t mark;  /* of reorder_open */
    bool members; /* an object that had a member */
};

struct jcs {
    struct reorder reorder;
    struct buf scratch;
    struct jcs_frame *frames;
    size_t depth, size;
    /* of the run in progress: */
    struct span text;
    struct buf *out;
    size_t base;      /* out->len when the run began */
    size_t token_end; /* of the last token, in the text */
    bool astral;      /* a comparison met a pair that code points would order otherwise */
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

/* The first bytes of a name, as a number that sorts as they do; 0 where an escape or UTF-16 makes
 * it less simple. `at` is behind the opening quote, and 8 bytes may be read there. */
static uint64_t prefix_of(const char *at, size_t len)
{
    enum { WIDTH = 8 };
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    unsigned char bytes[WIDTH];
    uint64_t prefix = 0;
    memcpy(bytes, at, WIDTH);
    for (size_t i = 0; i < WIDTH; i++)
        prefix = prefix << 8 | bytes[i];
    if (len < WIDTH)
        prefix &= len ? ~UINT64_C(0) << (8 * (WIDTH - len)) : 0;
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

/* ---- writing ---- */

static char *end_of(struct jcs *j)
{
    return j->out->at + j->out->len;
}

/* Everything but a number that is written anew is at most as long as it was in the text, so that
 * room is made once, and again only there. */
static void jcs_make_room(struct jcs *j, size_t read)
{
    buf_reserve(j->out, j->text.len - read + SLACK);
}

static void put_byte(struct jcs *j, char byte)
{
    j->out->at[j->out->len++] = byte;
}

/* Bytes of the text to the output. Most are few, and then a copy of fixed size costs no call: there
 * is always SLACK behind the output, and mostly text behind these. */
static inline char *copy(const struct jcs *j, char *to, struct span s)
{
    enum { JCS_FEW = 16 };
    if (s.len <= JCS_FEW && (size_t)(j->text.at + j->text.len - s.at) >= JCS_FEW)
        memcpy(to, s.at, JCS_FEW);
    else
        memcpy(to, s.at, s.len);
    return to + s.len;
}

static void jcs_put(struct jcs *j, struct span s)
{
    j->out->len = (size_t)(copy(j, end_of(j), s) - j->out->at);
}

/* A comma, unless this is the first in its container or the value of a name. */
static void put_comma(struct jcs *j)
{
    if (j->out->len == j->base)
        return;
    char last = j->out->at[j->out->len - 1];
    if (last != '{' && last != '[' && last != ':')
        put_byte(j, ',');
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

static void jcs_put_string(struct jcs *j, struct span inside, bool escaped)
{
    size_t from = j->out->len, source = (size_t)(inside.at - j->text.at) - 1;
    char *to = end_of(j);
    *to++ = '"';
    if (!escaped) {
        to = copy(j, to, inside);
    } else {
        const char *at = inside.at, *end = inside.at + inside.len;
        while (at < end) {
            const char *slash = memchr(at, '\\', (size_t)(end - at));
            size_t jcs_run = (size_t)((slash ? slash : end) - at);
            memcpy(to, at, jcs_run);
            to += jcs_run;
            at += jcs_run;
            if (slash)
                to = put_character(to, take_escape(&at));
        }
    }
    *to++ = '"';
    j->out->len = (size_t)(to - j->out->at);
    if (escaped) {
        size_t len = j->out->len - from;
        if (len != inside.len + 2 || memcmp(j->out->at + from + 1, inside.at, inside.len) != 0) {
            jcs_remark(j, JCS_NOTE_ESCAPES, source);
            change(j, JCS_STRING, source, inside.len + 2, from, len);
        }
    }
}

/* Digits that are their own canonical form: a short integer that isn't -0. */
static bool is_canonical_integer(struct span token)
{
    if (token.len > 15 || (token.len == 2 && token.at[0] == '-' && token.at[1] == '0'))
        return false;
    for (size_t i = token.at[0] == '-'; i < token.len; i++)
        if (token.at[i] < '0' || token.at[i] > '9')
            return false;
    return true;
}

static bool put_number(struct jcs *j, struct span token)
{
    if (is_canonical_integer(token)) {
        jcs_put(j, token);
        return true;
    }
    size_t source = (size_t)(token.at - j->text.at), from = j->out->len;
    double value;
    enum number_kind kind = number_from_text(token, &value);
    assert(kind != NUMBER_INVALID);
    if (kind == NUMBER_OVERFLOW)
        return jcs_refuse(j, JSONR_OK, source, "a number beyond the range of a double");
    jcs_make_room(j, source);
    j->out->len += number_to_text(value, end_of(j));
    if (kind == NUMBER_UNDERFLOW)
        jcs_remark(j, JCS_NOTE_UNDERFLOW, source);
    else if (value == 0 && token.at[0] == '-')
        jcs_remark(j, JCS_NOTE_NEGATIVE_ZERO, source);
    if ((value > 9007199254740992.0 || value < -9007199254740992.0 ||
         (token.len >= 16 && (value == 9007199254740992.0 || value == -9007199254740992.0))) &&
        number_is_integer_token(token))
        jcs_remark(j, JCS_NOTE_BIG_INTEGER, source);
    struct span written = span_from(j->out->at + from, end_of(j));
    if (!span_equal(written, token)) {
        jcs_remark(j, JCS_NOTE_NUMBER_FORM, source);
        change(j, JCS_NUMBER, source, token.len, from, written.len);
    }
    return true;
}

/* ---- tokens ---- */

static void push_frame(struct jcs *j)
{
    if (j->depth == j->size) {
        j->size = j->size ? j->size * 2 : 32;
        j->frames = mem_resize(j->frames, j->size * sizeof *j->frames);
    }
    j->frames[j->depth++] =
        (struct jcs_frame){.begin = j->out->len, .mark = reorder_open(&j->reorder)};
}

static void put_name(struct jcs *j, const struct jsonr *r)
{
    struct jcs_frame *frame = &j->frames[j->depth - 1];
    if (frame->members)
        reorder_end(&j->reorder, j->out->len - j->base, j->token_end);
    frame->members = true;
    put_comma(j);
    reorder_begin(&j->reorder, j->out->len - j->base, (size_t)(r->value.at - j->text.at) - 1);
    size_t name = j->out->len + 1;
    jcs_put_string(j, r->value, r->escaped);
    reorder_key(&j->reorder, j->out->len - j->base,
                prefix_of(j->out->at + name, j->out->len - 1 - name));
    put_byte(j, ':');
}

static bool close_object(struct jcs *j, size_t source)
{
    struct jcs_frame frame = j->frames[--j->depth];
    if (frame.members)
        reorder_end(&j->reorder, j->out->len - j->base, j->token_end);
    put_byte(j, '}');
    struct span output = {j->out->at + j->base, j->out->len - j->base};
    size_t misplaced = reorder_count(&j->reorder), duplicate;
    if (!reorder_close(&j->reorder, frame.mark, output, frame.begin - j->base, 1, 1, &duplicate))
        return jcs_refuse(j, JSONR_DUPLICATE, duplicate, jsonr_fault_text(JSONR_DUPLICATE));
    if (reorder_count(&j->reorder) != misplaced)
        jcs_remark(j, JCS_NOTE_NAME_ORDER, source);
    if (j->astral) {
        jcs_remark(j, JCS_NOTE_ASTRAL_NAMES, source);
        j->astral = false;
    }
    return true;
}

/* White space between the last token and this one; commas and colons are in it, too. */
static void list_space(struct jcs *j, size_t from, size_t to)
{
    for (size_t at = from; at < to;) {
        size_t jcs_run = at;
        while (jcs_run < to && j->text.at[jcs_run] != ',' && j->text.at[jcs_run] != ':')
            jcs_run++;
        if (jcs_run > at)
            change(j, JCS_SPACE, at, jcs_run - at, j->out->len, 0);
        at = jcs_run + 1;
    }
}

static bool put_token(struct jcs *j, const struct jsonr *r)
{
    switch (r->token) {
    case JSONR_NAME:
        put_name(j, r);
        return true;
    case JSONR_OBJECT_END:
        return close_object(j, (size_t)(r->value.at - j->text.at));
    case JSONR_ARRAY_END:
        j->depth--;
        put_byte(j, ']');
        return true;
    default:
        break;
    }
    put_comma(j);
    switch (r->token) {
    case JSONR_OBJECT:
        push_frame(j);
        put_byte(j, '{');
        return true;
    case JSONR_ARRAY:
        push_frame(j);
        put_byte(j, '[');
        return true;
    case JSONR_STRING:
        jcs_put_string(j, r->value, r->escaped);
        return true;
    case JSONR_NUMBER:
        return put_number(j, r->value);
    default: /* null, false, true */
        jcs_put(j, r->value);
        return true;
    }
}

static bool put_all(struct jcs *j, struct jsonr *r)
{
    for (;;) {
        enum jsonr_token token = jsonr_next(r);
        if (token == JSONR_ERROR)
            return jcs_refuse(j, r->fault, r->fault_at, jsonr_fault_text(r->fault));
        bool quoted = token == JSONR_STRING || token == JSONR_NAME;
        bool ends = token == JSONR_OBJECT_END || token == JSONR_ARRAY_END;
        if (j->changes) {
            size_t begin =
                (size_t)(r->value.at - j->text.at) - quoted + (ends ? r->value.len - 1 : 0);
            list_space(j, j->token_end, token == JSONR_END ? j->text.len : begin);
        }
        if (token == JSONR_END)
            return true;
        if (!put_token(j, r))
            return false;
        j->token_end = (size_t)(r->value.at + r->value.len - j->text.at) + quoted;
        if (token == JSONR_OBJECT || token == JSONR_ARRAY)
            j->token_end = (size_t)(r->value.at - j->text.at) + 1;
    }
}

static void jcs_put_in_order(struct jcs *j)
{
    struct jcs_trace trace = {.changes = j->changes};
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
    j->reorder.separator = SPAN(",");
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
    j->token_end = 0;
    j->depth = 0;
    j->astral = false;
    j->report = report;
    j->changes = changes;
    reorder_reset(&j->reorder);
    jcs_make_room(j, 0);

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
