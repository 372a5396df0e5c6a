/* The reader: a state machine that takes one token at a time. */
#include "base/jsonr.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/jsonr_scan.h"
#include "base/mem.h"
#include "base/utf8.h"

/* What may come next. */
enum {
    WANT_VALUE,
    WANT_ELEMENT, /* behind '[': a value or ']' */
    WANT_MEMBER,  /* behind '{': a name or '}' */
    WANT_COLON,   /* behind a name */
    WANT_MORE,    /* behind a value: ',' or the end of what it is in */
};

void jsonr_init(struct jsonr *r, struct span text)
{
    r->begin = r->at = text.len ? text.at : "";
    r->end = r->begin + text.len;
    r->token = JSONR_NULL; /* any that goes on */
    r->value = (struct span){r->at, 0};
    r->depth = 0;
    r->escaped = r->i_json = r->in_object = false;
    r->fault = JSONR_OK;
    r->fault_at = 0;
    r->state = WANT_VALUE;
    r->far_starts = NULL;
    r->far_size = 0; /* near_starts is written before it is read */
}

void jsonr_finish(struct jsonr *r)
{
    mem_free(r->far_starts);
    r->far_starts = NULL;
    r->far_size = 0;
}

static enum jsonr_token fail(struct jsonr *r, enum jsonr_fault fault, const char *at)
{
    r->fault = fault;
    r->fault_at = (size_t)(at - r->begin);
    r->at = at;
    r->value = (struct span){at, 0};
    jsonr_finish(r);
    return r->token = JSONR_ERROR;
}

/* ---- strings ---- */

/* Four hexadecimal digits at `at`; else -1 and the fault. */
static long escape_unit(struct jsonr *r, const char *at)
{
    long unit = 0;
    for (int i = 0; i < 4; i++) {
        if (at + i == r->end) {
            fail(r, JSONR_CUT, r->end);
            return -1;
        }
        int digit = hex_digit(at[i]);
        if (digit < 0) {
            fail(r, JSONR_BAD_ESCAPE, at + i);
            return -1;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

/* Past \uXXXX at `at`, and under I-JSON past the other half of a pair; NULL and the fault. */
static const char *past_unit(struct jsonr *r, const char *at)
{
    long unit = escape_unit(r, at + 2);
    if (unit < 0)
        return NULL;
    const char *behind = at + 6;
    if (!r->i_json || unit < 0xd800 || unit > 0xdfff)
        return behind;
    if (unit < 0xdc00) {
        if (behind == r->end || (behind[0] == '\\' && behind + 1 == r->end)) {
            fail(r, JSONR_CUT, r->end);
            return NULL;
        }
        if (behind[0] == '\\' && behind[1] == 'u') {
            unit = escape_unit(r, behind + 2);
            if (unit < 0)
                return NULL;
            if (unit >= 0xdc00 && unit <= 0xdfff)
                return behind + 6;
        }
    }
    fail(r, JSONR_LONE_SURROGATE, at);
    return NULL;
}

/* By the byte behind the backslash. */
static const bool SHORT_ESCAPE[256] = {
    ['"'] = true, ['\\'] = true, ['/'] = true, ['b'] = true,
    ['f'] = true, ['n'] = true,  ['r'] = true, ['t'] = true,
};

/* Past the escape at `at`; NULL and the fault. */
static inline const char *past_escape(struct jsonr *r, const char *at)
{
    if (at + 1 == r->end) {
        fail(r, JSONR_CUT, r->end);
        return NULL;
    }
    if (SHORT_ESCAPE[(uint8_t)at[1]])
        return at + 2;
    if (at[1] == 'u')
        return past_unit(r, at);
    fail(r, JSONR_BAD_ESCAPE, at + 1);
    return NULL;
}

/*
 * Past plain text and short escapes, as long as there are whole blocks: to a quote, to something
 * that has to be looked at closely, or to near the end. Logs hold JSON inside JSON strings, with an
 * escape every few bytes, so one look at a block serves for all of those in it.
 */
static inline const char *past_plain_blocks(struct jsonr *r, const char *at)
{
    while (r->end - at > SCAN_BLOCK) { /* there is a byte behind the block, for an escape across */
        uint64_t mask = scan_block_plain(at);
        const char *next = at + SCAN_BLOCK;
        while (mask) {
            size_t place = scan_first(mask);
            if (at[place] != '\\' || !SHORT_ESCAPE[(uint8_t)at[place + 1]])
                return at + place;
            r->escaped = true;
            if (place == SCAN_BLOCK - 1)
                next++;
            mask = scan_without_pair(mask, place);
        }
        at = next;
    }
    return at;
}

/* The closing quote of the string whose text starts at `at`; NULL and the fault. */
static inline const char *string_end(struct jsonr *r, const char *at)
{
    r->escaped = false;
    for (;;) {
        at = past_plain_blocks(r, at);
        while (at < r->end && !scan_stops_plain(*at)) /* none, or in the last block */
            at++;
        if (at == r->end)
            break;
        if (*at == '"')
            return at;
        if (*at == '\\') {
            r->escaped = true;
            at = past_escape(r, at);
            if (!at)
                return NULL;
        } else if ((uint8_t)*at < 0x20) {
            fail(r, JSONR_RAW_CONTROL, at);
            return NULL;
        } else {
            at = utf8_run(at, r->end);
            while (r->end - at > 1 && (uint8_t)at[1] >= 0x80 && !scan_stops_plain(*at))
                at = utf8_run(at + 1, r->end); /* a space between words needs no look at a block */
            if (at < r->end && (uint8_t)*at >= 0x80) {
                bool cut = utf8_is_cut(at, r->end);
                fail(r, cut ? JSONR_CUT : JSONR_BAD_UTF8, cut ? r->end : at);
                return NULL;
            }
        }
    }
    fail(r, JSONR_CUT, r->end);
    return NULL;
}

static inline enum jsonr_token take_string(struct jsonr *r, enum jsonr_token token, int state)
{
    const char *text = r->at + 1, *end = string_end(r, text);
    if (!end)
        return JSONR_ERROR;
    r->value = span_from(text, end);
    r->at = end + 1;
    r->state = state;
    return r->token = token;
}

/* ---- numbers and words ---- */

/* Past one or more digits; NULL and the fault where there is none. */
static inline const char *past_digits(struct jsonr *r, const char *at)
{
    if (at == r->end || !ascii_is_digit(*at)) {
        fail(r, at == r->end ? JSONR_CUT : JSONR_BAD_NUMBER, at);
        return NULL;
    }
    while (at < r->end && ascii_is_digit(*at))
        at++;
    return at;
}

static inline enum jsonr_token take_number(struct jsonr *r)
{
    const char *at = r->at + (*r->at == '-');
    bool zero = at < r->end && *at == '0';
    const char *behind = past_digits(r, at);
    if (!behind)
        return JSONR_ERROR;
    if (zero && behind - at > 1)
        return fail(r, JSONR_BAD_NUMBER, at + 1);
    if (behind < r->end && *behind == '.') {
        behind = past_digits(r, behind + 1);
        if (!behind)
            return JSONR_ERROR;
    }
    if (behind < r->end && (*behind | 0x20) == 'e') {
        behind++;
        if (behind < r->end && (*behind == '+' || *behind == '-'))
            behind++;
        behind = past_digits(r, behind);
        if (!behind)
            return JSONR_ERROR;
    }
    r->value = span_from(r->at, behind);
    r->at = behind;
    r->state = WANT_MORE;
    return r->token = JSONR_NUMBER;
}

static inline enum jsonr_token take_word(struct jsonr *r, struct span word, enum jsonr_token token)
{
    for (size_t i = 0; i < word.len; i++) {
        if (r->at + i == r->end)
            return fail(r, JSONR_CUT, r->end);
        if (r->at[i] != word.at[i])
            return fail(r, JSONR_SYNTAX, r->at + i);
    }
    r->value = (struct span){r->at, word.len};
    r->at += word.len;
    r->state = WANT_MORE;
    return r->token = token;
}

/* ---- nesting ---- */

static void grow_far(struct jsonr *r)
{
    r->far_size = r->far_size ? r->far_size * 2 : JSONR_NEAR;
    r->far_starts = mem_resize(r->far_starts, r->far_size * sizeof *r->far_starts);
}

static inline size_t *start_of(struct jsonr *r, size_t level)
{
    return level < JSONR_NEAR ? &r->near_starts[level] : &r->far_starts[level - JSONR_NEAR];
}

static inline enum jsonr_token open_value(struct jsonr *r, bool object)
{
    if (r->depth == JSONR_DEPTH)
        return fail(r, JSONR_TOO_DEEP, r->at);
    if (r->depth >= JSONR_NEAR && r->depth - JSONR_NEAR == r->far_size)
        grow_far(r);
    *start_of(r, r->depth++) = (size_t)(r->at - r->begin);
    r->in_object = object;
    r->value = (struct span){r->at++, 1};
    r->state = object ? WANT_MEMBER : WANT_ELEMENT;
    return r->token = object ? JSONR_OBJECT : JSONR_ARRAY;
}

static inline enum jsonr_token close_value(struct jsonr *r)
{
    bool object = r->in_object;
    r->value = span_from(r->begin + *start_of(r, --r->depth), ++r->at);
    if (r->depth)
        r->in_object = r->begin[*start_of(r, r->depth - 1)] == '{';
    r->state = WANT_MORE;
    return r->token = object ? JSONR_OBJECT_END : JSONR_ARRAY_END;
}

/* ---- the machine ---- */

static inline enum jsonr_token take_value(struct jsonr *r)
{
    switch (*r->at) {
    case '"':
        return take_string(r, JSONR_STRING, WANT_MORE);
    case '{':
        return open_value(r, true);
    case '[':
        return open_value(r, false);
    case 't':
        return take_word(r, SPAN("true"), JSONR_TRUE);
    case 'f':
        return take_word(r, SPAN("false"), JSONR_FALSE);
    case 'n':
        return take_word(r, SPAN("null"), JSONR_NULL);
    default:
        if (*r->at == '-' || ascii_is_digit(*r->at))
            return take_number(r);
        return fail(r, JSONR_SYNTAX, r->at);
    }
}

static inline enum jsonr_token take_name(struct jsonr *r)
{
    if (*r->at != '"')
        return fail(r, JSONR_SYNTAX, r->at);
    return take_string(r, JSONR_NAME, WANT_COLON);
}

static enum jsonr_token at_end(struct jsonr *r)
{
    if (r->state == WANT_MORE && r->depth == 0) {
        jsonr_finish(r);
        r->value = (struct span){r->end, 0};
        return r->token = JSONR_END;
    }
    bool empty = r->state == WANT_VALUE && r->depth == 0;
    return fail(r, empty ? JSONR_EMPTY : JSONR_CUT, r->end);
}

/* Over `,` or `:` and the white space behind it. False where the text ends there. */
static inline bool past_mark(struct jsonr *r)
{
    r->at = scan_white(r->at + 1, r->end);
    return r->at < r->end;
}

static inline enum jsonr_token step(struct jsonr *r)
{
    if (r->token <= JSONR_END)
        return r->token;
    r->at = scan_white(r->at, r->end);
    if (r->at == r->end)
        return at_end(r);
    switch (r->state) {
    case WANT_MORE:
        if (r->depth == 0)
            return fail(r, JSONR_TRAILING, r->at);
        if (*r->at == ',') {
            if (!past_mark(r))
                return fail(r, JSONR_CUT, r->end);
            return r->in_object ? take_name(r) : take_value(r);
        }
        if (*r->at == (r->in_object ? '}' : ']'))
            return close_value(r);
        return fail(r, JSONR_SYNTAX, r->at);
    case WANT_COLON:
        if (*r->at != ':')
            return fail(r, JSONR_SYNTAX, r->at);
        if (!past_mark(r))
            return fail(r, JSONR_CUT, r->end);
        return take_value(r);
    case WANT_MEMBER:
        return *r->at == '}' ? close_value(r) : take_name(r);
    case WANT_ELEMENT:
        return *r->at == ']' ? close_value(r) : take_value(r);
    default:
        if (r->at == r->begin && r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0)
            return fail(r, JSONR_BOM, r->at);
        return take_value(r);
    }
}

enum jsonr_token jsonr_next(struct jsonr *r)
{
    return step(r);
}

/* Takes tokens until only `depth` values are open again. */
static bool close_down_to(struct jsonr *r, size_t depth)
{
    while (r->depth > depth)
        if (step(r) == JSONR_ERROR)
            return false;
    return true;
}

bool jsonr_skip(struct jsonr *r, struct span *value)
{
    if (r->token == JSONR_NAME && step(r) == JSONR_ERROR)
        return false;
    switch (r->token) {
    case JSONR_OBJECT:
    case JSONR_ARRAY:
        if (!close_down_to(r, r->depth - 1))
            return false;
        break;
    case JSONR_NULL:
    case JSONR_FALSE:
    case JSONR_TRUE:
    case JSONR_NUMBER:
    case JSONR_STRING:
        break;
    default:
        return false;
    }
    if (value) {
        size_t quote = r->token == JSONR_STRING;
        *value = (struct span){r->value.at - quote, r->value.len + 2 * quote};
    }
    return true;
}

bool jsonr_valid(struct span text, enum jsonr_fault *fault, size_t *at)
{
    struct jsonr r;
    jsonr_init(&r, text);
    if (step(&r) != JSONR_ERROR && close_down_to(&r, 0))
        step(&r);
    if (fault)
        *fault = r.fault;
    if (at)
        *at = r.fault_at;
    return r.token == JSONR_END;
}

size_t jsonr_first_value(struct span text, bool *cut)
{
    struct jsonr r;
    jsonr_init(&r, text);
    bool found = step(&r) != JSONR_ERROR && close_down_to(&r, 0);
    jsonr_finish(&r);
    if (cut)
        *cut = r.fault == JSONR_CUT;
    return found ? (size_t)(r.at - r.begin) : 0;
}

/* ---- faults in words ---- */

static const struct {
    const char *text, *todo;
} faults[JSONR_FAULTS] = {
    [JSONR_OK] = {"no fault", NULL},
    [JSONR_EMPTY] = {"no JSON value", "a value was expected here"},
    [JSONR_SYNTAX] = {"not JSON", "see RFC 8259 for what may stand here"},
    [JSONR_CUT] = {"the JSON text ends inside a value", "look for the rest of it"},
    [JSONR_TRAILING] = {"bytes behind the JSON value", "keep one value and nothing else"},
    [JSONR_BAD_NUMBER] = {"a number that JSON doesn't allow", "write it as in RFC 8259 section 6"},
    [JSONR_BAD_ESCAPE] = {"an escape that JSON doesn't allow in a string",
                          "escape only as in RFC 8259 section 7"},
    [JSONR_BAD_UTF8] = {"invalid UTF-8 in a string", "convert the text to UTF-8"},
    [JSONR_RAW_CONTROL] = {"a raw control character in a string", "write it as \\u00XX"},
    [JSONR_LONE_SURROGATE] = {"half of a surrogate pair in a string",
                              "write both halves, or U+FFFD in their place"},
    [JSONR_DUPLICATE] = {"a member name that occurs twice in its object", "keep one of the two"},
    [JSONR_TOO_DEEP] = {"nested too deeply", "strandline reads up to 100000 levels"},
    [JSONR_BOM] = {"a byte order mark before the JSON value", "remove the first three bytes"},
};

const char *jsonr_fault_text(enum jsonr_fault fault)
{
    return faults[fault].text;
}

bool jsonr_fail(const struct jsonr *r, const char *where, struct err *err)
{
    size_t line = 1, column = 1;
    for (const char *at = r->begin; at < r->begin + r->fault_at; at++) {
        bool ends_line = *at == '\n';
        line += ends_line;
        column = ends_line ? 1 : column + 1;
    }
    bool has_lines = memchr(r->begin, '\n', (size_t)(r->end - r->begin)) != NULL;
    char place[ERR_TEXT];
    if (has_lines && where && where[0])
        snprintf(place, sizeof place, "%s:%zu:%zu", where, line, column);
    else
        snprintf(place, sizeof place, "%s", where ? where : "");
    return err_set(err, ERR_INPUT, place, faults[r->fault].todo, "%s, at byte %zu",
                   faults[r->fault].text, r->fault_at);
}
