#include "ingest/peel_layers.h"

#include "base/ascii.h"
#include "base/jsonr.h"
#include "ingest/pick.h"
#include "ingest/wire.h"

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
           ascii_is_one_of(c, "_.-/@");
}

static size_t word_length(struct span s)
{
    size_t len = 0;
    while (len < s.len && is_word_byte(s.at[len]))
        len++;
    return len;
}

/* Bytes of colours (ECMA-48 SGR) at the front. */
static size_t colours(struct span s)
{
    size_t at = 0;
    while (at + 2 < s.len && s.at[at] == 0x1b && s.at[at + 1] == '[') {
        size_t end = at + 2;
        while (end < s.len && ascii_is_one_of(s.at[end], "0123456789;"))
            end++;
        if (end == s.len || s.at[end] != 'm')
            break;
        at = end + 1;
    }
    return at;
}

/* Words that loggers put before a bar, and that name no container. */
static bool is_log_level(struct span word)
{
    static const char *const words[] = {"trace",   "debug", "info",     "notice", "warn",
                                        "warning", "error", "critical", "fatal"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (span_equal_nocase(word, span_of(words[i])))
            return true;
    return false;
}

static bool take_compose(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    size_t at = colours(line), word = word_length(span_sub(line, at, line.len));
    peeled->key = span_sub(line, at, word);
    at += word;
    if (!word || is_log_level(peeled->key))
        return false;
    while (at < line.len && line.at[at] == ' ')
        at++;
    if (at == line.len || line.at[at] != '|')
        return false;
    at++;
    at += colours(span_sub(line, at, line.len));
    at += at < line.len && line.at[at] == ' ';
    at += colours(span_sub(line, at, line.len));
    peeled->from = at;
    return true;
}

static bool take_pod(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    size_t end = span_find_byte(line, ']');
    if (!span_starts_with(line, SPAN("[pod/")) || end == line.len)
        return false;
    peeled->key = span_sub(line, 1, end - 1);
    peeled->from = end + 1 + (end + 1 < line.len && line.at[end + 1] == ' ');
    return true;
}

static bool take_cri(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    size_t taken = time_parse_prefix(line, &peeled->when);
    struct span rest = span_sub(line, taken, line.len);
    peeled->is_stderr = span_starts_with(rest, SPAN(" stderr "));
    if (!taken || (!peeled->is_stderr && !span_starts_with(rest, SPAN(" stdout "))))
        return false;
    enum { STREAM = 8 };
    struct span tag = span_sub(rest, STREAM, 2);
    if (tag.len < 1 || !ascii_is_one_of(tag.at[0], "FP") || (tag.len == 2 && tag.at[1] != ' '))
        return false;
    peeled->timed = true;
    peeled->partial = tag.at[0] == 'P';
    peeled->from = taken + STREAM + tag.len;
    return true;
}

/* Docker's own files. It cuts lines at 16 KB: what doesn't end with a newline goes on. */
static bool take_docker(struct span line, size_t width, struct peeled *peeled)
{
    enum { LOG, STREAM, TIME, MEMBERS };
    static const char *const names[] = {"log", "stream", "time"};
    struct span m[MEMBERS], when, stream;
    (void)width;
    if (!span_starts_with(line, SPAN("{\"log\":\"")))
        return false;
    pick(line, names, m, MEMBERS);
    if (!jsonr_is_string(m[LOG]) || !jsonr_plain_string(m[STREAM], &stream) ||
        !jsonr_plain_string(m[TIME], &when) || !time_parse(when, &peeled->when))
        return false;
    peeled->timed = peeled->literal = true;
    peeled->is_stderr = span_is(stream, "stderr");
    peeled->partial = !span_ends_with(m[LOG], SPAN("\\n\"")) && m[LOG].len > 2;
    peeled->from = (size_t)(m[LOG].at - line.at);
    peeled->tail = line.len - peeled->from - m[LOG].len + peeled->partial;
    return true;
}

/* "Nov 30 17:56:00 ": a time without a year says too little to be one. */
static size_t short_time(struct span s)
{
    enum { SHORT = 16 };
    static const char shape[] = "Aaa _0 00:00:00 ";
    for (size_t i = 0; i < SHORT; i++) {
        char c = i < s.len ? s.at[i] : 0, digit = c >= '0' && c <= '9';
        bool good = shape[i] == 'A'   ? c >= 'A' && c <= 'Z'
                    : shape[i] == 'a' ? ascii_is_lower(c)
                    : shape[i] == '0' ? digit
                    : shape[i] == '_' ? digit || c == ' '
                                      : c == shape[i];
        if (!good)
            return 0;
    }
    return SHORT;
}

static bool peel_is_level(struct span word)
{
    static const char *const levels[] = {"TRACE",   "DEBUG", "INFO",  "NOTICE",
                                         "WARNING", "WARN",  "ERROR", "CRITICAL"};
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        if (span_equal_nocase(word, span_of(levels[i])))
            return true;
    return false;
}

/* journalctl -o short, short-iso, short-precise; and what syslog writes. */
static bool take_journal(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    size_t at = time_parse_prefix(line, &peeled->when);
    peeled->timed = at;
    if (at && at < line.len && line.at[at] == ' ')
        at++;
    else if (!(at = short_time(line)))
        return false;
    size_t host = word_length(span_sub(line, at, line.len));
    if (peel_is_level(span_sub(line, at, host))) /* a logger's own line */
        return false;
    at += host;
    if (!host || at == line.len || line.at[at] != ' ')
        return false;
    at++;
    size_t unit = word_length(span_sub(line, at, line.len));
    struct span rest = span_sub(line, at + unit, line.len);
    size_t bracket = span_starts_with(rest, SPAN("[")) ? span_find_byte(rest, ']') + 1 : 0;
    if (!unit || !span_starts_with(span_sub(rest, bracket, rest.len), SPAN(": ")))
        return false;
    peeled->key = span_sub(line, at, unit + bracket);
    peeled->from = at + unit + bracket + 2;
    return true;
}

static bool take_tail(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    if (!span_starts_with(line, SPAN("==> ")) || !span_ends_with(line, SPAN(" <==")) ||
        line.len < 9)
        return false;
    peeled->key = span_sub(line, 4, line.len - 8);
    peeled->whole = true;
    return true;
}

static bool take_fence(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    struct span text = span_trim(line);
    peeled->whole = span_starts_with(text, SPAN("```")) || span_starts_with(text, SPAN("~~~"));
    return peeled->whole && span_find_byte(text, '{') == text.len;
}

static bool take_quote(struct span line, size_t width, struct peeled *peeled)
{
    (void)width;
    size_t at = 0;
    while (at < line.len && line.at[at] == '>' && (at + 1 == line.len || line.at[at + 1] == ' '))
        at += 1 + (at + 1 < line.len);
    peeled->from = at;
    return at;
}

size_t peel_characters(struct span line)
{
    size_t count = 0;
    for (size_t i = 0; i < line.len; i++)
        count += ((unsigned char)line.at[i] & 0xc0) != 0x80;
    return count;
}

/* A message that fills its line to the last column is none that was broken. */
static bool is_whole_message(struct span line)
{
    struct span text = span_sub(line, wire_prefix(line).len, line.len);
    return jsonr_is_object(text) && jsonr_valid(text, NULL, NULL);
}

static bool take_wrapped(struct span line, size_t width, struct peeled *peeled)
{
    peeled->partial = peel_characters(line) == width && !is_whole_message(line);
    return true;
}

size_t peel_width(struct span head, bool whole)
{
    enum { WIDTH_LEAST = 40, LINES_LEAST = 3 };
    size_t width = 0, full = 0, lines = 0;
    while (head.len) {
        struct span line = span_sub(head, 0, span_find_byte(head, '\n'));
        if (line.len == head.len && !whole && lines)
            break;
        head = span_sub(head, line.len + 1, head.len);
        size_t len = peel_characters(line);
        bool broken = len >= width && !is_whole_message(line);
        full = len > width ? broken : full + (len == width && broken);
        width = len > width ? len : width;
        lines += len != 0;
    }
    return width >= WIDTH_LEAST && full >= LINES_LEAST && full * 3 >= lines ? width : 0;
}

const struct peel_layer *peel_layer(enum peel_kind kind)
{
    static const struct peel_layer layers[PEEL_KINDS] = {
        [PEEL_COMPOSE] = {"docker compose's prefixes", "docker compose's prefixes", take_compose},
        [PEEL_POD] = {"kubectl's prefixes", "kubectl's prefixes", take_pod},
        [PEEL_CRI] = {"prefixes of a container runtime (CRI)", "CRI prefixes", take_cri},
        [PEEL_DOCKER] = {"docker's JSON", "docker's JSON", take_docker},
        [PEEL_JOURNAL] = {"the journal's prefixes", "journal prefixes", take_journal},
        [PEEL_TAIL] = {"tail's headers", "tail's headers", take_tail},
        [PEEL_FENCES] = {"fences of Markdown", "fences of Markdown", take_fence},
        [PEEL_QUOTES] = {"quotation marks", "quotation marks", take_quote},
        [PEEL_WRAP] = {"the breaks of wrapped lines", "line breaks", take_wrapped},
    };
    return &layers[kind];
}
