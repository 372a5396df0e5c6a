#include "model/case/extent.h"

#include <string.h>
#define ZLIB_CONST /* next_in is const */
#include <zlib.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "model/case/case_internal.h"
#include "model/case/source.h"
#include "model/evidence/digest.h"

/* A recipe is data when the case is a stranger's: bounds for what it may ask for. */
enum { RECIPE_STEPS = 32, UNPACKED_MAX = 512 << 20 };

/* One step: from the text so far to the next one. `limit` (0: none) bounds what is needed of it.
 * False where the text is not what the step says. */
typedef bool (*recipe_step)(struct span operand, struct span text, uint64_t limit, struct buf *out);

static bool step_string(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    (void)limit;
    return jsonr_string(text, out, NULL);
}

static bool step_pointer(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)limit;
    struct buf pointer = {0}; /* with every ~2 made the ';' that it stands for */
    while (operand.len) {
        size_t plain = span_find(operand, SPAN("~2"));
        buf_add(&pointer, span_sub(operand, 0, plain));
        if (plain < operand.len)
            buf_byte(&pointer, ';');
        operand = span_sub(operand, plain + 2, operand.len);
    }
    struct span value;
    bool found = jsonr_pointer(text, buf_span(&pointer), &value);
    if (found)
        buf_add(out, value);
    buf_finish(&pointer);
    return found;
}

static bool step_base64(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    (void)limit;
    return base64_decode(text, out);
}

/* gzip (RFC 1952) or zlib (RFC 1950), all members of it. */
static bool step_unzip(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    enum { CHUNK = 64 * 1024, WINDOW_ANY = 15 + 32 };
    uint64_t most = limit && limit < UNPACKED_MAX ? limit : UNPACKED_MAX;
    z_stream z = {0};
    if (inflateInit2(&z, WINDOW_ANY) != Z_OK)
        mem_exhausted();
    z.next_in = (const unsigned char *)text.at;
    int code = Z_OK;
    while (code == Z_OK && out->len <= most) {
        if (z.avail_in == 0) {
            size_t done = (size_t)((const char *)z.next_in - text.at);
            size_t left = text.len - done;
            z.avail_in = (unsigned)(left < INT32_MAX ? left : INT32_MAX);
        }
        z.next_out = (unsigned char *)buf_reserve(out, CHUNK);
        z.avail_out = CHUNK;
        code = inflate(&z, Z_NO_FLUSH);
        out->len += CHUNK - z.avail_out;
        if (code == Z_STREAM_END && (const char *)z.next_in < text.at + text.len)
            code = inflateReset(&z); /* another member follows */
    }
    inflateEnd(&z);
    return code == Z_STREAM_END || (out->len > most && limit == most);
}

static void add_utf16(struct buf *out, struct span text, bool little)
{
    uint32_t high = 0; /* a surrogate that waits for its other half */
    for (size_t i = 0; i < text.len; i += 2) {
        uint32_t unit = 0xfffd; /* half a unit at the end */
        if (i + 1 < text.len) {
            uint32_t a = (unsigned char)text.at[i], b = (unsigned char)text.at[i + 1];
            unit = little ? b << 8 | a : a << 8 | b;
        }
        bool low = unit >= 0xdc00 && unit < 0xe000;
        if (high && low) {
            utf8_encode(out, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
            high = 0;
            continue;
        }
        if (high)
            utf8_encode(out, 0xfffd);
        high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
        if (!high)
            utf8_encode(out, low ? 0xfffd : unit);
    }
    if (high)
        utf8_encode(out, 0xfffd);
}

static bool step_utf16le(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    (void)limit;
    add_utf16(out, text, true);
    return true;
}

static bool step_utf16be(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    (void)limit;
    add_utf16(out, text, false);
    return true;
}

/* The data lines of a Server-Sent Event, joined by newlines (WHATWG HTML §9.2.6). */
static bool step_sse(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    (void)limit;
    bool any = false;
    while (text.len) {
        size_t end = 0;
        while (end < text.len && text.at[end] != '\n' && text.at[end] != '\r')
            end++;
        struct span line = span_sub(text, 0, end);
        bool crlf = end + 1 < text.len && text.at[end] == '\r' && text.at[end + 1] == '\n';
        text = span_sub(text, end + (crlf ? 2 : 1), text.len);
        bool bare = span_is(line, "data");
        if (!bare && !span_starts_with(line, SPAN("data:")))
            continue;
        line = bare ? SPAN_EMPTY : span_sub(line, 5, line.len);
        if (span_starts_with(line, SPAN(" ")))
            line = span_sub(line, 1, line.len);
        if (any)
            buf_byte(out, '\n');
        buf_add(out, line);
        any = true;
    }
    return any;
}

/* @N+M */
static bool step_part(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)limit;
    size_t plus = span_find_byte(operand, '+');
    unsigned long long offset, length;
    if (plus == operand.len || !span_to_u64(span_sub(operand, 1, plus - 1), &offset) ||
        !span_to_u64(span_sub(operand, plus + 1, operand.len), &length))
        return false;
    if (offset > text.len || length > text.len - offset)
        return false;
    buf_add(out, span_sub(text, offset, length));
    return true;
}

static const struct {
    const char *word; /* all of the step, or where `prefix` its first character */
    bool prefix;
    recipe_step run;
    const char *wants; /* "is not …" */
} extent_steps[] = {
    {"s", false, step_string, "a JSON string"},
    {"/", true, step_pointer, "JSON with such a member"},
    {"b", false, step_base64, "base64"},
    {"z", false, step_unzip, "gzip or zlib of a size that can be unpacked"},
    {"u16le", false, step_utf16le, "UTF-16"},
    {"u16be", false, step_utf16be, "UTF-16"},
    {"e", false, step_sse, "a server-sent event with data"},
    {"@", true, step_part, "as long as that"},
};

static bool bad_recipe(struct case_file *c, const struct extent *where, const char *wants,
                       struct err *err)
{
    const char *todo = "the log was read differently than it was imported; import it again";
    if (!wants)
        return err_set(err, ERR_INPUT, case_where(c), todo,
                       "source %lld, byte %llu: unknown recipe", (long long)where->source,
                       (unsigned long long)where->offset);
    return err_set(err, ERR_INPUT, case_where(c), todo, "source %lld, byte %llu: not %s",
                   (long long)where->source, (unsigned long long)where->offset, wants);
}

/* Runs the recipe on the bytes in *text; the result is in it again. */
static bool run_recipe(struct case_file *c, const struct extent *where, uint64_t limit,
                       struct buf *text, struct err *err)
{
    struct span rest = where->recipe;
    struct buf next = {0};
    bool ok = true;
    for (size_t count = 0; ok && rest.len; count++) {
        size_t end = span_find_byte(rest, ';');
        struct span word = span_sub(rest, 0, end);
        rest = span_sub(rest, end + 1, rest.len);
        size_t i = 0;
        while (i < COUNT_OF(extent_steps) &&
               !(extent_steps[i].prefix ? span_starts_with(word, span_of(extent_steps[i].word))
                                        : span_is(word, extent_steps[i].word)))
            i++;
        if (i == COUNT_OF(extent_steps) || count == RECIPE_STEPS) {
            ok = bad_recipe(c, where, NULL, err);
            break;
        }
        buf_clear(&next);
        ok = extent_steps[i].run(word, buf_span(text), rest.len ? 0 : limit, &next) ||
             bad_recipe(c, where, extent_steps[i].wants, err);
        struct buf swap = *text;
        *text = next;
        next = swap;
    }
    buf_finish(&next);
    return ok;
}

/* A JSON string literal of which only the start was read: cut before an escape that is not whole,
 * and closed. The text that is wanted ends well before the cut. */
static void close_literal(struct buf *literal)
{
    size_t at = 1, last = 1;
    while (at < literal->len) {
        last = at;
        if (literal->at[at] != '\\')
            at++;
        else
            at += at + 1 < literal->len && literal->at[at + 1] == 'u' ? 6 : 2;
    }
    if (at > literal->len)
        literal->len = last;
    while (literal->len > 1 && (literal->at[literal->len - 1] & 0xc0) == 0x80)
        literal->len--; /* perhaps a whole character; it is behind what is wanted */
    if (literal->len > 1 && (unsigned char)literal->at[literal->len - 1] >= 0xc0)
        literal->len--;
    buf_byte(literal, '"');
}

/* Cuts to at most `limit` bytes, not inside a character. */
static void cut_text(struct buf *text, uint64_t limit)
{
    size_t len = (size_t)limit;
    for (int i = 0; i < 3 && len > 0 && ((unsigned char)text->at[len] & 0xc0) == 0x80; i++)
        len--;
    text->len = len;
}

bool case_read(struct case_file *c, const struct extent *where, uint64_t limit, struct buf *out,
               bool *cut, struct err *err)
{
    /* One byte of a text takes at most six of a JSON literal. */
    enum { ESCAPE_MAX = 6, LITERAL_SLACK = 64 };
    uint64_t length = where->length;
    bool plain = where->recipe.len == 0, literal = span_is(where->recipe, "s;"), part = false;
    if (limit && limit < UINT32_MAX) {
        uint64_t enough = plain ? limit + 4 : limit * ESCAPE_MAX + LITERAL_SLACK;
        part = (plain || literal) && enough < length;
        length = part ? enough : length;
    }
    if (plain && (!limit || length <= limit)) { /* most of what is read: no copy between */
        if (cut)
            *cut = false;
        return source_read(c, where->source, where->offset, length, out, err);
    }
    struct buf text = {0};
    bool ok = source_read(c, where->source, where->offset, length, &text, err);
    if (ok && part && literal)
        close_literal(&text);
    ok = ok && run_recipe(c, where, limit, &text, err);
    bool was_cut = ok && limit && text.len > limit;
    if (was_cut)
        cut_text(&text, limit);
    if (ok)
        buf_add(out, buf_span(&text));
    if (cut)
        *cut = was_cut;
    buf_finish(&text);
    return ok;
}
