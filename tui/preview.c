#include "tui/preview.h"

#include "base/ascii.h"
#include "base/jsonr.h"
#include "base/text.h"

/* Appends s with every run of white space as one blank. */
static void add_one_line(struct buf *out, struct span s)
{
    bool blank = out->len == 0;
    for (size_t i = 0; i < s.len; i++) {
        bool white = ascii_is_blank(s.at[i]);
        if (!white)
            buf_byte(out, s.at[i]);
        else if (!blank)
            buf_byte(out, ' ');
        blank = white;
    }
}

/* ---- arguments ---- */

/* Reads past the rest of a container that has just begun. */
static void skip_inner(struct jsonr *r)
{
    size_t outside = r->depth - 1;
    while (jsonr_next(r) > JSONR_END && r->depth > outside)
        ;
}

/* The value under the reader as one short text. False: the text was cut before its end. */
static bool value_text(struct jsonr *r, struct buf *out, enum style *style)
{
    *style = STYLE_JSON_NUMBER;
    switch (r->token) {
    case JSONR_STRING: {
        struct buf text = {0};
        *style = STYLE_PLAIN;
        jsonr_string(span_from(r->value.at - 1, r->value.at + r->value.len + 1), &text, NULL);
        add_one_line(out, buf_span(&text));
        buf_finish(&text);
        return true;
    }
    case JSONR_OBJECT:
    case JSONR_ARRAY: {
        const char *begin = r->value.at;
        *style = STYLE_DIM;
        skip_inner(r);
        add_one_line(out, span_from(begin, r->token == JSONR_ERROR ? r->end : r->at));
        return r->token != JSONR_ERROR;
    }
    case JSONR_NULL:
    case JSONR_TRUE:
    case JSONR_FALSE:
        *style = STYLE_JSON_WORD;
        buf_add(out, r->value);
        return true;
    case JSONR_NUMBER:
        buf_add(out, r->value);
        return true;
    default:
        return false;
    }
}

/* Decodes the string that begins behind the quote at s, as far as it goes. */
static void add_string_start(struct span s, struct buf *out)
{
    size_t end = 0;
    while (end < s.len && s.at[end] != '"')
        end += s.at[end] == '\\' ? 2 : 1;
    if (end > s.len)
        end = s.len;
    struct buf quoted = {0}, text = {0};
    buf_byte(&quoted, '"');
    buf_add(&quoted, span_sub(s, 0, end));
    buf_byte(&quoted, '"');
    /* Cut inside of an escape or a character: without the last few bytes it is whole. */
    for (int cut = 0; cut < 12 && quoted.len > 2; cut++) {
        if (jsonr_valid(buf_span(&quoted), NULL, NULL))
            break;
        quoted.len -= 1;
        quoted.at[quoted.len - 1] = '"';
    }
    if (jsonr_string(buf_span(&quoted), &text, NULL))
        add_one_line(out, buf_span(&text));
    else
        add_one_line(out, span_sub(s, 0, end));
    buf_finish(&quoted);
    buf_finish(&text);
}

/* What stands behind a name where the body was cut inside of its value. */
static void cut_value(struct span body, struct span name, struct buf *out)
{
    struct span rest = span_from(name.at + name.len + 1, body.at + body.len);
    rest = span_trim(rest);
    if (rest.len && rest.at[0] == ':')
        rest = span_trim(span_sub(rest, 1, rest.len));
    if (rest.len && rest.at[0] == '"')
        add_string_start(span_sub(rest, 1, rest.len), out);
    else
        add_one_line(out, rest);
}

int preview_arguments(struct area area, int row, int column, int columns, struct span body,
                      bool names)
{
    int end = column + columns - 1;
    struct jsonr r;
    struct buf text = {0};
    jsonr_init(&r, body);
    if (jsonr_next(&r) != JSONR_OBJECT) {
        add_one_line(&text, body);
        column = cells_data_start(area, row, column, STYLE_PLAIN, buf_span(&text), columns);
    }
    bool whole = true, first = true;
    while (whole && r.token != JSONR_ERROR && jsonr_next(&r) == JSONR_NAME && column < end) {
        struct span name = r.value;
        enum style style;
        buf_clear(&text);
        jsonr_next(&r);
        whole = value_text(&r, &text, &style);
        if (!whole && !text.len) {
            cut_value(body, name, &text);
            style = STYLE_PLAIN;
        }
        int caption = names ? (int)text_columns(name, false) + 2 : 0;
        if (!first && column + caption + 6 > end) { /* no room for another one: say that there is */
            column = cells_ours(area, row, column, STYLE_DIM, "…");
            break;
        }
        if (!first)
            column = cells_ours(area, row, column, STYLE_FAINT, names ? "  " : " · ");
        if (names && column < end) {
            column = cells_data_start(area, row, column, STYLE_DIM, name, end - column);
            column = cells_ours(area, row, column, STYLE_PLAIN, " ");
        }
        if (column < end && end - column < 24)
            column = cells_data_start(area, row, column, style, buf_span(&text), end - column);
        else if (column < end)
            column = cells_data(area, row, column, style, buf_span(&text), end - column);
        first = false;
    }
    jsonr_finish(&r);
    buf_finish(&text);
    return column;
}

void preview_pairs(struct span body, struct buf *out)
{
    enum { ENOUGH = 400 };
    struct jsonr r;
    enum style style;
    size_t before = out->len;
    bool whole = true;
    jsonr_init(&r, body);
    if (jsonr_next(&r) != JSONR_OBJECT)
        add_one_line(out, body);
    while (whole && r.token != JSONR_ERROR && jsonr_next(&r) == JSONR_NAME &&
           out->len - before < ENOUGH) {
        buf_puts(out, out->len > before ? "  " : "");
        buf_add(out, r.value);
        buf_byte(out, ' ');
        struct span name = r.value;
        size_t begin = out->len;
        jsonr_next(&r);
        whole = value_text(&r, out, &style);
        if (!whole && out->len == begin)
            cut_value(body, name, out);
    }
    jsonr_finish(&r);
}

/* ---- content ---- */

/* Offset behind `"name": "`, s.len where there is none. */
static size_t string_member(struct span s, struct span quoted_name)
{
    size_t at = span_find(s, quoted_name);
    while (at < s.len) {
        size_t next = at + quoted_name.len;
        while (next < s.len && (s.at[next] == ' ' || s.at[next] == ':' || s.at[next] == '\n'))
            next++;
        if (next < s.len && s.at[next] == '"' && next > at + quoted_name.len)
            return next + 1;
        struct span rest = span_sub(s, next, s.len);
        size_t found = span_find(rest, quoted_name);
        at = found < rest.len ? next + found : s.len;
    }
    return s.len;
}

/* Names of members that a person reads first. */
static bool is_telling(struct span name)
{
    static const char *const names[] = {"title", "name",    "full_name", "subject", "body",
                                        "text",  "message", "content",   "summary", "description",
                                        "error", "path",    "url",       "login",   "sender"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (span_is(name, names[i]))
            return true;
    return false;
}

/* JSON as its texts, one behind the other; `telling`: only those of members with telling names.
 * Gives how many there were. */
static int add_values(struct span text, bool telling, struct buf *out)
{
    struct jsonr r;
    struct span name = SPAN_EMPTY;
    int found = 0;
    jsonr_init(&r, text);
    while (jsonr_next(&r) > JSONR_END && out->len < 400) {
        enum style style;
        if (r.token == JSONR_NAME)
            name = r.value;
        bool scalar = r.token == JSONR_STRING || (!telling && r.token == JSONR_NUMBER);
        if (!scalar || !r.value.len || (telling && !is_telling(name)))
            continue;
        if (found++)
            buf_puts(out, " | ");
        value_text(&r, out, &style);
    }
    jsonr_finish(&r);
    return found;
}

/* A text of a result: where it is JSON itself, what that says. */
static void add_text(struct span text, struct buf *out)
{
    if (!text.len || (text.at[0] != '{' && text.at[0] != '[') ||
        (!add_values(text, true, out) && !add_values(text, false, out)))
        buf_add(out, text);
}

/* All strings of that name, one behind the other; false: there is none. */
static bool add_members(struct span body, const char *quoted_name, struct buf *out)
{
    struct buf text = {0};
    bool found = false;
    size_t at;
    while ((at = string_member(body, span_of(quoted_name))) < body.len) {
        body = span_sub(body, at, body.len);
        buf_clear(&text);
        add_string_start(body, &text);
        if (found)
            buf_puts(out, " | ");
        add_text(buf_span(&text), out);
        found = true;
    }
    buf_finish(&text);
    return found;
}

void preview_text(struct span body, struct buf *out)
{
    static const char *const names[] = {"\"text\"", "\"message\"", "\"content\"", "\"uri\"",
                                        "\"name\""};
    body = span_trim(body);
    if (body.len && (body.at[0] == '{' || body.at[0] == '['))
        for (size_t i = 0; i < COUNT_OF(names); i++)
            if (add_members(body, names[i], out))
                return;
    add_one_line(out, body);
}
