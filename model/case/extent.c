#include "model/case/extent.h"

#include <string.h>

#include "base/jsliteral.h"
#include "base/jsonr.h"
#include "base/text.h"
#include "model/case/case_internal.h"
#include "model/case/source.h"
#include "model/case/unpack.h"
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

static bool step_js(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    (void)limit;
    return jsliteral_text(text, out);
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

static bool step_unpack(enum packing packing, struct span text, uint64_t limit, struct buf *out)
{
    uint64_t most = limit && limit < UNPACKED_MAX ? limit : UNPACKED_MAX;
    enum unpacked result = unpack(packing, text, most, out);
    return result == UNPACKED_WHOLE || (result == UNPACKED_PART && limit == most);
}

static bool step_gzip(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    return step_unpack(PACKED_GZIP, text, limit, out);
}

static bool step_deflate(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    return step_unpack(PACKED_DEFLATE, text, limit, out);
}

static bool step_zstd(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    return step_unpack(PACKED_ZSTD, text, limit, out);
}

static bool step_brotli(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)operand;
    return step_unpack(PACKED_BROTLI, text, limit, out);
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

/* N+M at the front of *rest, up to the comma or the end. */
static bool take_range(struct span *rest, unsigned long long *offset, unsigned long long *length)
{
    struct span range = span_sub(*rest, 0, span_find_byte(*rest, ','));
    size_t plus = span_find_byte(range, '+');
    *rest = span_sub(*rest, range.len + 1, rest->len);
    return plus < range.len && span_to_u64(span_sub(range, 0, plus), offset) &&
           span_to_u64(span_sub(range, plus + 1, range.len), length);
}

/* @N+M,N+M… */
static bool step_part(struct span operand, struct span text, uint64_t limit, struct buf *out)
{
    (void)limit;
    struct span rest = span_sub(operand, 1, operand.len);
    do {
        unsigned long long offset, length;
        if (!take_range(&rest, &offset, &length) || offset > text.len ||
            length > text.len - offset || out->len > UNPACKED_MAX - length)
            return false;
        buf_add(out, span_sub(text, offset, length));
    } while (rest.len);
    return true;
}

static const struct {
    const char *word; /* all of the step, or where `prefix` its first character */
    bool prefix;
    recipe_step run;
    const char *wants; /* "is not …" */
} extent_steps[] = {
    {"s", false, step_string, "a JSON string"},
    {"j", false, step_js, "a string of JavaScript"},
    {"/", true, step_pointer, "JSON with such a member"},
    {"b", false, step_base64, "base64"},
    {"z", false, step_gzip, "gzip or zlib of a size that can be unpacked"},
    {"zr", false, step_deflate, "deflated, of a size that can be unpacked"},
    {"zs", false, step_zstd, "zstd of a size that can be unpacked"},
    {"br", false, step_brotli, "brotli of a size that can be unpacked"},
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
static bool run_recipe(struct case_file *c, const struct extent *where, struct span rest,
                       uint64_t limit, struct buf *text, struct err *err)
{
    struct buf next = {0};
    bool ok = true;
    for (size_t count = rest.at != where->recipe.at; ok && rest.len; count++) {
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

/* Parts that come first are read by themselves: what lies between them may be the rest of a large
 * file. Takes that step off the recipe. */
static bool read_parts(struct case_file *c, const struct extent *where, struct span *recipe,
                       struct buf *text, struct err *err)
{
    size_t end = span_find_byte(*recipe, ';');
    struct span rest = span_sub(*recipe, 1, end - 1);
    *recipe = span_sub(*recipe, end + 1, recipe->len);
    do {
        unsigned long long offset, length;
        if (!take_range(&rest, &offset, &length) || offset > where->length ||
            length > where->length - offset || text->len > UNPACKED_MAX - length)
            return bad_recipe(c, where, "as long as that", err);
        if (!source_read(c, where->source, where->offset + offset, length, text, err))
            return false;
    } while (rest.len);
    return true;
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
    struct span recipe = where->recipe;
    bool ok = span_starts_with(recipe, SPAN("@"))
                  ? read_parts(c, where, &recipe, &text, err)
                  : source_read(c, where->source, where->offset, length, &text, err);
    if (ok && part && literal)
        close_literal(&text);
    ok = ok && run_recipe(c, where, recipe, limit, &text, err);
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
