#include "model/flow/match.h"

#include <string.h>

#include "base/ascii.h"
#include "base/jsonr.h"

static bool glob_match_by(struct span pattern, struct span text, bool (*same)(char a, char b))
{
    size_t p = 0, t = 0, star = SIZE_MAX, star_text = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.at[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.len && (pattern.at[p] == '?' || same(pattern.at[p], text.at[t]))) {
            p++;
            t++;
        } else if (star != SIZE_MAX) { /* let the last star take one byte more */
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.at[p] == '*')
        p++;
    return p == pattern.len;
}

static bool same_byte(char a, char b)
{
    return a == b;
}

static bool same_letter(char a, char b)
{
    return ascii_lower(a) == ascii_lower(b);
}

bool glob_match(struct span pattern, struct span text)
{
    return glob_match_by(pattern, text, same_byte);
}

bool glob_any(const struct span *patterns, size_t count, struct span text)
{
    for (size_t i = 0; i < count; i++)
        if (glob_match(patterns[i], text))
            return true;
    return count == 0;
}

bool json_text(struct span value, struct buf *out)
{
    switch (jsonr_type(value)) {
    case JSONR_STRING:
        return jsonr_string(value, out, NULL);
    case JSONR_NUMBER:
    case JSONR_TRUE:
    case JSONR_FALSE:
        buf_add(out, value);
        return true;
    default:
        return false;
    }
}

/* ---- SQL ---- */

struct sql {
    struct span rest;
};

/* Skips white space, comments and quoted text; true where something else is next. */
static bool sql_skip(struct sql *sql)
{
    while (sql->rest.len) {
        struct span rest = sql->rest;
        char c = rest.at[0];
        size_t end;
        if (ascii_is_blank(c) || c == '\v' || c == '\f' || c == '(') {
            end = 1;
        } else if (span_starts_with(rest, SPAN("--"))) {
            end = span_find_byte(rest, '\n');
        } else if (span_starts_with(rest, SPAN("/*"))) {
            end = span_find(span_sub(rest, 2, rest.len), SPAN("*/")) + 4;
        } else if (c == '\'' || c == '"' || c == '`') {
            end = span_find_byte(span_sub(rest, 1, rest.len), c) + 2;
        } else {
            return true;
        }
        sql->rest = span_sub(rest, end, rest.len);
    }
    return false;
}

/* The next keyword, or "" for one other byte. False at the end. */
static bool sql_token(struct sql *sql, struct span *word, char *other)
{
    if (!sql_skip(sql))
        return false;
    size_t len = 0;
    while (len < sql->rest.len && (ascii_is_alnum(sql->rest.at[len]) || sql->rest.at[len] == '_'))
        len++;
    *word = span_sub(sql->rest, 0, len);
    *other = len ? '\0' : sql->rest.at[0];
    sql->rest = span_sub(sql->rest, len ? len : 1, sql->rest.len);
    return true;
}

static bool word_among(struct span word, const char *const *words)
{
    for (; *words; words++)
        if (span_equal_nocase(word, span_of(*words)))
            return true;
    return false;
}

const char *sql_kind(struct span text)
{
    static const char *const reads[] = {"select", "show", "describe", "desc",   "values", "table",
                                        "pragma", "use",  "begin",    "commit", "start",  NULL};
    /* What may follow in a statement that begins harmlessly: WITH … INSERT, EXPLAIN ANALYZE DELETE,
     * SELECT … INTO, PRAGMA x = y. */
    static const char *const leads[] = {"with", "explain", NULL};
    static const char *const writes[] = {"insert", "update", "delete",   "merge", "replace", "drop",
                                         "create", "alter",  "truncate", "grant", "into",    NULL};
    struct sql sql = {text};
    struct span word;
    char other;
    bool first = true, any = false, leading = false;
    while (sql_token(&sql, &word, &other)) {
        if (other == ';') {
            first = true;
            continue;
        }
        if (first && word.len) {
            any = true;
            first = false;
            leading = word_among(word, leads);
            if (!leading && !word_among(word, reads))
                return "write";
        } else if ((leading && word_among(word, writes)) || span_equal_nocase(word, SPAN("into"))) {
            return "write";
        }
    }
    return any ? "read" : NULL;
}

/* ---- URLs ---- */

static bool host_byte(char c)
{
    return ascii_is_alnum(c) || c == '-' || c == '.' || c == '_' || (unsigned char)c >= 0x80;
}

/* Where the scheme in front of "://" at `colon` begins; `colon` itself where it is none of ours. */
static size_t scheme_start(struct span text, size_t colon)
{
    static const char *const schemes[] = {"http", "https", "ws", "wss", "ftp", NULL};
    size_t start = colon;
    while (start > 0 && ascii_is_letter(text.at[start - 1]) && colon - start < 6)
        start--;
    for (; start < colon; start++)
        if (word_among(span_sub(text, start, colon - start), schemes))
            return start;
    return colon;
}

static bool url_end(char c)
{
    return (unsigned char)c <= ' ' || c == '"' || c == '\'' || c == '<' || c == '>' || c == ')' ||
           c == ']' || c == '}' || c == '`' || c == '\\' || c == '|';
}

/* How long the address in brackets is that stands here (RFC 3986 §3.2.2, IP-literal); 0: none. */
static size_t ip_literal(struct span text)
{
    size_t length = 1;
    if (!text.len || text.at[0] != '[')
        return 0;
    while (length < text.len &&
           (hex_digit(text.at[length]) >= 0 || ascii_is_one_of(text.at[length], ":.%")))
        length++;
    return length > 2 && length < text.len && text.at[length] == ']' ? length + 1 : 0;
}

bool url_next(struct span *rest, struct span *url, struct span *host)
{
    for (;;) {
        struct span text = *rest;
        size_t colon = span_find(text, SPAN("://"));
        if (colon == text.len)
            return false;
        size_t start = scheme_start(text, colon), end = colon + 3;
        do {
            if (text.at[end - 1] == '/' || text.at[end - 1] == '@')
                end += ip_literal(span_sub(text, end, text.len));
        } while (end < text.len && !url_end(text.at[end]) && end++);
        *rest = span_sub(text, end > colon + 3 ? end : colon + 3, text.len);
        *url = span_sub(text, start, end - start);
        struct span authority = span_sub(text, colon + 3, end - colon - 3);
        size_t length = 0;
        while (length < authority.len && authority.at[length] != '/' &&
               authority.at[length] != '?' && authority.at[length] != '#')
            length++;
        authority = span_sub(authority, 0, length);
        for (size_t at; (at = span_find_byte(authority, '@')) < authority.len;)
            authority = span_sub(authority, at + 1, authority.len);
        length = ip_literal(authority);
        while (length < authority.len && authority.at[0] != '[' && host_byte(authority.at[length]))
            length++;
        while (length && authority.at[length - 1] == '.')
            length--;
        *host = span_sub(authority, 0, length);
        if (start < colon && host->len)
            return true;
    }
}

/* ---- addresses of people ---- */

bool address_next(struct span *rest, struct span *address)
{
    while (rest->len) {
        bool list = span_find_byte(*rest, '@') < rest->len;
        size_t end = list ? 0 : rest->len;
        while (end < rest->len && rest->at[end] != ',' && rest->at[end] != ';')
            end++;
        struct span one = span_trim(span_sub(*rest, 0, end));
        *rest = span_sub(*rest, end + 1, rest->len);
        size_t open = span_find_byte(one, '<'), close = span_find_byte(one, '>');
        if (open < close && close < one.len)
            one = span_sub(one, open + 1, close - open - 1);
        *address = one;
        if (one.len)
            return true;
    }
    return false;
}

/* ---- paths ---- */

/* Resolves `.`, `..` and doubled slashes by name alone: nothing is looked up on this machine. */
static void path_normalise(struct span path, struct buf *out)
{
    bool absolute = path.len && path.at[0] == '/';
    while (path.len) {
        size_t end = span_find_byte(path, '/');
        struct span part = span_sub(path, 0, end);
        path = span_sub(path, end + 1, path.len);
        if (part.len == 0 || span_is(part, "."))
            continue;
        if (span_is(part, "..")) {
            size_t cut = out->len;
            while (cut && out->at[cut - 1] != '/')
                cut--;
            struct span last = {out->len ? out->at + cut : "", out->len - cut};
            if (last.len && !span_is(last, "..")) {
                out->len = cut ? cut - 1 : 0;
                continue;
            }
            if (absolute)
                continue;
        }
        if (absolute || out->len)
            buf_byte(out, '/');
        buf_add(out, part);
    }
}

bool path_under(struct span path, struct span root)
{
    struct buf a = {0}, b = {0};
    path_normalise(path, &a);
    path_normalise(root, &b);
    struct span inner = buf_span(&a), outer = buf_span(&b);
    bool under = span_starts_with(inner, outer) &&
                 (inner.len == outer.len || outer.len == 0 || inner.at[outer.len] == '/');
    buf_finish(&a);
    buf_finish(&b);
    return under;
}

/* ---- addresses without a scheme ---- */

/* Labels of letters, digits and hyphens with dots between; the last one is a word. */
static bool is_host_name(struct span host)
{
    size_t label = 0, dots = 0;
    bool letters = false;
    for (size_t i = 0; i < host.len; i++) {
        char c = host.at[i];
        if (c == '.') {
            if (!label)
                return false;
            dots++;
            label = 0;
            letters = false;
        } else if (ascii_is_alnum(c) || c == '-') {
            label++;
            letters = letters || ascii_is_letter(c);
        } else {
            return false;
        }
    }
    return dots && label > 1 && letters;
}

bool bare_url_next(struct span *rest, struct span *url, struct span *host)
{
    while (rest->len) {
        size_t end = span_find_byte(*rest, '\n'), stop = 0;
        struct span line = span_trim(span_sub(*rest, 0, end));
        *rest = span_sub(*rest, end + 1, rest->len);
        while (stop < line.len && !ascii_is_one_of(line.at[stop], "/?#:"))
            stop++;
        *url = line;
        *host = span_sub(line, 0, stop);
        if (span_find_byte(line, ' ') == line.len && is_host_name(*host))
            return true;
    }
    return false;
}

/* ---- conditions ---- */

static bool host_among(const struct condition *c, struct span text)
{
    struct span url, host;
    while (url_next(&text, &url, &host))
        for (size_t i = 0; i < c->word_count; i++)
            if (glob_match_by(c->words[i], host, same_letter)) /* RFC 3986 §3.2.2 */
                return true;
    return false;
}

static bool text_holds(const struct condition *c, struct span text)
{
    const char *kind;
    switch (c->test) {
    case TEST_IS:
        for (size_t i = 0; i < c->word_count; i++)
            if (span_equal(c->words[i], text))
                return true;
        return false;
    case TEST_GLOB:
        return glob_any(c->words, c->word_count, text);
    case TEST_REGEX:
        return pattern_finds(&c->pattern, text);
    case TEST_SQL:
        kind = sql_kind(text);
        return kind && span_is(c->words[0], kind);
    case TEST_HOST:
        return host_among(c, text);
    case TEST_UNDER:
        for (size_t i = 0; i < c->word_count; i++)
            if (path_under(text, c->words[i]))
                return true;
        return false;
    default:
        return true;
    }
}

static bool value_holds(const struct condition *c, struct span value, struct buf *text)
{
    buf_clear(text);
    if (!json_text(value, text))
        return false;
    return text_holds(c, buf_span(text));
}

/* A list holds where one of its elements does. */
static bool condition_holds(const struct condition *c, struct span arguments, struct buf *text)
{
    struct span value;
    bool holds = false;
    if (!arguments.len || !jsonr_pointer(arguments, c->pointer, &value))
        return c->negated;
    if (c->test == TEST_EXISTS)
        return !c->negated;
    if (jsonr_is_array(value)) {
        struct jsonr_items items;
        jsonr_items_init(&items, value);
        while (!holds && jsonr_items_next(&items))
            holds = value_holds(c, items.value, text);
    } else {
        holds = value_holds(c, value, text);
    }
    return holds != c->negated;
}

bool match_names(const struct match *match, struct span server, struct span tool)
{
    return glob_any(match->servers, match->server_count, server) &&
           glob_any(match->tools, match->tool_count, tool);
}

bool match_arguments(const struct match *match, struct span arguments)
{
    struct buf text = {0};
    bool all = true;
    for (size_t i = 0; all && i < match->condition_count; i++)
        all = condition_holds(&match->conditions[i], arguments, &text);
    buf_finish(&text);
    return all;
}
