#include "model/evidence/restyle.h"

#include <assert.h>
#include <stdlib.h>

#include "base/jsonr.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/evidence/jcs.h"
#include "model/evidence/nfc.h"
#include "model/evidence/number.h"

enum { DEEPEST = 200 };

/* A value, and its name where it is a member. */
struct node {
    enum jsonr_token token;
    bool named, escaped;
    bool shadowed; /* a later member has the same name */
    bool shadows;  /* an earlier one has */
    size_t twin;   /* the last member of that name; its value stands in when the last counts */
    struct span name, name_written;   /* decoded, and between the quotes */
    struct span value, value_written; /* of strings likewise; of numbers as written */
    size_t first, count;              /* of objects and arrays: in `children` */
};

struct restyle {
    struct arena arena;
    struct node *nodes;
    size_t node_count, node_size;
    size_t *children[STYLE_ORDER_COUNT]; /* node numbers; each container's are together */
    size_t child_count;
    bool duplicates;
    struct buf scratch;
};

/* ---- reading ---- */

static struct span restyle_decoded(struct restyle *r, const struct jsonr *reader)
{
    if (!reader->escaped)
        return reader->value;
    buf_clear(&r->scratch);
    jsonr_string((struct span){reader->value.at - 1, reader->value.len + 2}, &r->scratch, NULL);
    return arena_copy(&r->arena, buf_span(&r->scratch));
}

static size_t add_node(struct restyle *r)
{
    r->nodes = mem_one_more(r->nodes, r->node_count, &r->node_size, sizeof *r->nodes);
    r->nodes[r->node_count] = (struct node){0};
    return r->node_count++;
}

/* Nodes come in the order of the text; parents are told by a stack. */
static bool read_nodes(struct restyle *r, struct span json, size_t **parents)
{
    struct jsonr reader;
    struct node pending = {0};
    size_t stack[DEEPEST] = {0}, depth = 0, parent_size = 0;
    jsonr_init(&reader, json);
    reader.i_json = true;
    while (jsonr_next(&reader) > JSONR_END) {
        if (reader.token == JSONR_OBJECT_END || reader.token == JSONR_ARRAY_END) {
            depth--;
            continue;
        }
        if (reader.token == JSONR_NAME) {
            pending = (struct node){
                .named = true, .name = restyle_decoded(r, &reader), .name_written = reader.value};
            continue;
        }
        size_t index = add_node(r);
        struct node *node = &r->nodes[index];
        *node = pending;
        pending = (struct node){0};
        node->token = reader.token;
        node->value_written = reader.value;
        node->value = reader.token == JSONR_STRING ? restyle_decoded(r, &reader) : reader.value;
        if (index >= parent_size) {
            parent_size = r->node_size;
            *parents = mem_resize(*parents, parent_size * sizeof **parents);
        }
        (*parents)[index] = depth ? stack[depth - 1] : SIZE_MAX;
        if (depth)
            r->nodes[stack[depth - 1]].count++;
        if (reader.token == JSONR_OBJECT || reader.token == JSONR_ARRAY) {
            if (depth == DEEPEST)
                break;
            stack[depth++] = index;
        }
    }
    bool ok = reader.token == JSONR_END;
    jsonr_finish(&reader);
    return ok;
}

static void link_children(struct restyle *r, const size_t *parents)
{
    for (size_t i = 0; i < r->node_count; i++) {
        r->nodes[i].first = r->child_count;
        r->child_count += r->nodes[i].count;
    }
    size_t *filled = NEW_ARRAY(size_t, r->node_count + 1);
    for (size_t o = 0; o < STYLE_ORDER_COUNT; o++)
        r->children[o] = NEW_ARRAY(size_t, r->child_count + 1);
    assert(parents);
    for (size_t i = 1; i < r->node_count; i++) {
        size_t parent = parents[i];
        r->children[ORDER_WRITTEN][r->nodes[parent].first + filled[parent]++] = i;
    }
    mem_free(filled);
}

static int by_utf16(const void *left, const void *right, void *context)
{
    const struct node *nodes = context;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    int order = jcs_compare_names(nodes[a].name, nodes[b].name);
    return order ? order : (a > b) - (a < b);
}

static int by_code_point(const void *left, const void *right, void *context)
{
    const struct node *nodes = context;
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    int order = span_compare(nodes[a].name, nodes[b].name);
    return order ? order : (a > b) - (a < b);
}

/* Members of the same name are neighbours once they are sorted. */
static void mark_twins(struct restyle *r, const size_t *sorted, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && span_equal(r->nodes[sorted[i]].name, r->nodes[sorted[end]].name))
            end++;
        for (size_t k = i; k < end; k++) {
            struct node *node = &r->nodes[sorted[k]];
            node->twin = sorted[end - 1];
            node->shadows = k > i;
            node->shadowed = k + 1 < end;
            r->duplicates |= node->shadows;
        }
        i = end;
    }
}

static void sort_children(struct restyle *r)
{
    for (size_t i = 0; i < r->node_count; i++) {
        const struct node *node = &r->nodes[i];
        size_t bytes = node->count * sizeof(size_t);
        size_t *written = r->children[ORDER_WRITTEN] + node->first;
        size_t *utf16 = r->children[ORDER_UTF16] + node->first;
        size_t *point = r->children[ORDER_CODE_POINT] + node->first;
        memcpy(utf16, written, bytes);
        memcpy(point, written, bytes);
        if (node->token != JSONR_OBJECT)
            continue;
        qsort_r(utf16, node->count, sizeof *utf16, by_utf16, r->nodes);
        qsort_r(point, node->count, sizeof *point, by_code_point, r->nodes);
        mark_twins(r, utf16, node->count);
    }
}

struct restyle *restyle_create(struct span json)
{
    struct restyle *r = NEW(struct restyle);
    size_t *parents = NULL;
    bool ok = read_nodes(r, json, &parents);
    if (ok) {
        link_children(r, parents);
        sort_children(r);
    }
    mem_free(parents);
    if (ok)
        return r;
    restyle_destroy(r);
    return NULL;
}

void restyle_destroy(struct restyle *r)
{
    if (!r)
        return;
    for (size_t o = 0; o < STYLE_ORDER_COUNT; o++)
        mem_free(r->children[o]);
    mem_free(r->nodes);
    buf_finish(&r->scratch);
    arena_finish(&r->arena);
    mem_free(r);
}

bool restyle_has_duplicates(const struct restyle *r)
{
    return r->duplicates;
}

/* ---- numbers ---- */

/* How a language lays out the shortest digits. Fixed notation is used where the decimal point is in
 * (low, high] digits from the first digit; else an exponent. */
static const struct layout {
    int low, high;
    int exponent_digits;
    bool high_follows_digits; /* high counts from the number of digits (jq) */
    bool negative_zero;
    const char *whole;    /* behind an integral number in fixed notation */
    const char *mantissa; /* behind a one-digit mantissa */
    const char *exponent, *plus;
} layouts[STYLE_NUMBERS_COUNT] = {
    [NUMBERS_ES] = {-6, 21, 1, false, false, "", "", "e", "+"},
    [NUMBERS_EXACT] = {-6, 21, 1, false, false, "", "", "e", "+"},
    [NUMBERS_PYTHON] = {-4, 16, 2, false, true, ".0", "", "e", "+"},
    [NUMBERS_GO] = {-6, 21, 1, false, true, "", "", "e", "+"},
    [NUMBERS_RUST] = {-5, 16, 1, false, true, ".0", "", "e", ""},
    [NUMBERS_JAVA] = {-3, 7, 1, false, true, ".0", ".0", "E", ""},
    [NUMBERS_RUBY] = {-4, 16, 2, false, true, ".0", ".0", "e", "+"},
    [NUMBERS_PHP] = {-4, 17, 1, false, true, "", ".0", "e", "+"},
    [NUMBERS_JQ] = {-4, 15, 2, true, true, "", "", "e", "+"},
};

void restyle_number(enum style_numbers language, double value, struct buf *out)
{
    const struct layout *l = &layouts[language];
    struct number_digits d;
    number_digits(value, &d);
    int count = d.count, high = l->high + (l->high_follows_digits ? count : 0);
    bool zero = d.digit[0] == '0';
    if (d.negative && (!zero || l->negative_zero))
        buf_byte(out, '-');
    struct span digits = {d.digit, d.count};
    if (!zero && (d.point <= l->low || d.point > high)) {
        buf_byte(out, d.digit[0]);
        buf_puts(out, count > 1 ? "." : l->mantissa);
        buf_add(out, span_sub(digits, 1, digits.len));
        int exponent = d.point - 1;
        buf_addf(out, "%s%s%0*d", l->exponent, exponent < 0 ? "-" : l->plus, l->exponent_digits,
                 abs(exponent));
    } else if (d.point <= 0) {
        buf_puts(out, "0.");
        buf_fill(out, '0', (size_t)-d.point);
        buf_add(out, digits);
    } else if (count <= d.point) {
        buf_add(out, digits);
        buf_fill(out, '0', (size_t)(d.point - count));
        buf_puts(out, l->whole);
    } else {
        buf_add(out, span_sub(digits, 0, (size_t)d.point));
        buf_byte(out, '.');
        buf_add(out, span_sub(digits, (size_t)d.point, digits.len));
    }
}

/* Does the language keep this integer as an integer? */
static bool keeps_integer(enum style_numbers language, struct span token)
{
    int64_t unused;
    bool below_2_64 =
        jsonr_int(token, &unused) ||
        (token.at[0] != '-' &&
         (token.len < 20 ||
          (token.len == 20 && span_compare(token, SPAN("18446744073709551615")) <= 0)));
    switch (language) {
    case NUMBERS_PYTHON:
    case NUMBERS_RUBY:
    case NUMBERS_JAVA:
    case NUMBERS_EXACT:
        return true;
    case NUMBERS_RUST:
        return below_2_64 && !span_is(token, "-0");
    case NUMBERS_PHP:
        return jsonr_int(token, &unused) && !span_is(token, "-0");
    default:
        return false;
    }
}

static void restyle_write_number(enum style_numbers language, struct span token, struct buf *out)
{
    double value;
    if (language != NUMBERS_WRITTEN && number_is_integer_token(token) &&
        keeps_integer(language, token)) {
        buf_add(out, span_is(token, "-0") ? SPAN("0") : token);
        return;
    }
    if (language == NUMBERS_WRITTEN || number_from_text(token, &value) == NUMBER_OVERFLOW)
        buf_add(out, token);
    else
        restyle_number(language, value, out);
}

/* ---- strings ---- */

static const struct escaping {
    const char *as_hex; /* ASCII characters that become \u00XX */
    bool ascii;         /* all beyond ASCII */
    bool upper;         /* hex digits */
    bool separators;    /* U+2028 and U+2029 */
    bool slash;
} escapings[STYLE_ESCAPES_COUNT] = {
    [ESCAPES_JCS] = {.as_hex = ""},
    [ESCAPES_PYTHON] = {.ascii = true, .as_hex = "\x7f"},
    [ESCAPES_GO] = {.separators = true, .as_hex = "<>&"},
    [ESCAPES_GO_PLAIN] = {.separators = true, .as_hex = ""},
    [ESCAPES_PHP] = {.ascii = true, .slash = true, .as_hex = ""},
    [ESCAPES_PHP_SLASH] = {.slash = true, .separators = true, .as_hex = ""},
    [ESCAPES_PHP_UNICODE] = {.ascii = true, .as_hex = ""},
    [ESCAPES_DOTNET] = {.ascii = true, .upper = true, .as_hex = "<>&'+`\"\x7f"},
    [ESCAPES_GSON] = {.separators = true, .as_hex = "<>&='"},
    [ESCAPES_JQ] = {.as_hex = "\x7f"},
};

static void put_unit(struct buf *out, unsigned unit, bool upper)
{
    buf_addf(out, upper ? "\\u%04X" : "\\u%04x", unit);
}

static void put_ascii(struct buf *out, char c, const struct escaping *e)
{
    static const char shorts[] = "\bb\tt\nn\ff\rr\"\"\\\\";
    if (c && strchr(e->as_hex, c)) {
        put_unit(out, (unsigned char)c, e->upper);
        return;
    }
    if (c == '/' && e->slash) {
        buf_puts(out, "\\/");
        return;
    }
    for (size_t i = 0; i < sizeof shorts - 1; i += 2)
        if (shorts[i] == c) {
            buf_byte(out, '\\');
            buf_byte(out, shorts[i + 1]);
            return;
        }
    put_unit(out, (unsigned char)c, e->upper);
}

static bool is_plain(char c, const struct escaping *e)
{
    return (unsigned char)c >= 0x20 && c != '"' && c != '\\' && !(c == '/' && e->slash) &&
           !strchr(e->as_hex, c);
}

static void put_text(struct buf *out, struct span text, const struct escaping *e)
{
    size_t run = 0; /* where bytes that stay as they are begin */
    for (size_t at = 0; at < text.len;) {
        uint32_t code = (unsigned char)text.at[at];
        size_t len = 1;
        bool plain;
        if (code < 0x80) {
            plain = is_plain(text.at[at], e);
        } else {
            len = utf8_decode(span_sub(text, at, 4), &code);
            plain = !e->ascii && !(e->separators && (code == 0x2028 || code == 0x2029));
        }
        if (!plain) {
            buf_add(out, span_sub(text, run, at - run));
            run = at + len;
            if (code < 0x80) {
                put_ascii(out, (char)code, e);
            } else if (code < 0x10000) {
                put_unit(out, code, e->upper);
            } else {
                put_unit(out, 0xd800 + ((code - 0x10000) >> 10), e->upper);
                put_unit(out, 0xdc00 + ((code - 0x10000) & 0x3ff), e->upper);
            }
        }
        at += len;
    }
    buf_add(out, span_sub(text, run, text.len - run));
}

void restyle_quote(enum style_escapes escapes, struct span text, struct buf *out)
{
    buf_byte(out, '"');
    put_text(out, text, &escapings[escapes]);
    buf_byte(out, '"');
}

static void restyle_write_string(struct restyle *r, const struct text_style *style,
                                 struct span text, struct span written, struct buf *out)
{
    enum style_escapes escapes = (enum style_escapes)style->choice[STYLE_ESCAPES];
    if (escapes == ESCAPES_WRITTEN) {
        buf_byte(out, '"');
        buf_add(out, written);
        buf_byte(out, '"');
        return;
    }
    if (style->choice[STYLE_TEXTS] == TEXTS_NFC) {
        buf_clear(&r->scratch);
        nfc_normalize(text, &r->scratch);
        text = buf_span(&r->scratch);
    }
    restyle_quote(escapes, text, out);
}

/* ---- writing ---- */

static bool restyle_is_one_of(struct span name, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_is(name, words[i]))
            return true;
    return false;
}

/* Is this member written? `top` of members of the record itself. */
static bool is_kept(const struct node *node, const struct text_style *style, bool top)
{
    static const char *const digests[] = {
        "digest",       "hash",        "sha256",          "checksum",
        "record_hash",  "recordHash",  "record_digest",   "recordDigest",
        "content_hash", "contentHash", "evidence_digest", "_hash"};
    static const char *const signatures[] = {"signature",      "signatures", "sig",
                                             "proof",          "mac",        "signature_value",
                                             "signatureValue", "_signature"};
    unsigned fields = style->choice[STYLE_FIELDS], duplicates = style->choice[STYLE_DUPLICATES];
    /* Readers that let the last one count keep it at the place of the first. */
    if (duplicates != DUPLICATES_NONE && node->shadows)
        return false;
    if (fields == FIELDS_NO_NULLS)
        return !(node->named && node->token == JSONR_NULL);
    if (!top || !node->named)
        return true;
    bool no_digest = fields == FIELDS_NO_DIGEST || fields == FIELDS_NO_DIGEST_OR_SIGNATURE;
    bool no_signature = fields == FIELDS_NO_SIGNATURE || fields == FIELDS_NO_DIGEST_OR_SIGNATURE;
    return !(no_digest && restyle_is_one_of(node->name, digests, COUNT_OF(digests))) &&
           !(no_signature && restyle_is_one_of(node->name, signatures, COUNT_OF(signatures)));
}

static void put_line(struct buf *out, unsigned spacing, size_t depth)
{
    if (spacing < SPACING_INDENT_2)
        return;
    buf_byte(out, '\n');
    if (spacing == SPACING_INDENT_TAB)
        buf_fill(out, '\t', depth);
    else
        buf_fill(out, ' ', depth * (spacing == SPACING_INDENT_2 ? 2 : 4));
}

struct writing {
    const struct node *node; /* an open container */
    size_t next;             /* of its children */
    bool any;                /* one has been written */
};

/* A scalar, or the opening of a container: then it goes on the stack. */
static void write_value(struct restyle *r, const struct text_style *style, const struct node *node,
                        struct writing *stack, size_t *depth, struct buf *out)
{
    switch (node->token) {
    case JSONR_STRING:
        restyle_write_string(r, style, node->value, node->value_written, out);
        break;
    case JSONR_NUMBER:
        restyle_write_number((enum style_numbers)style->choice[STYLE_NUMBERS], node->value, out);
        break;
    case JSONR_OBJECT:
    case JSONR_ARRAY:
        buf_byte(out, node->token == JSONR_OBJECT ? '{' : '[');
        stack[(*depth)++] = (struct writing){.node = node};
        break;
    default:
        buf_add(out, node->value);
        break;
    }
}

void restyle_write(struct restyle *r, const struct text_style *style, struct buf *out)
{
    struct writing stack[DEEPEST + 1];
    size_t depth = 0;
    unsigned spacing = style->choice[STYLE_SPACING];
    const size_t *children = r->children[style->choice[STYLE_ORDER]];
    write_value(r, style, &r->nodes[0], stack, &depth, out);
    while (depth) {
        struct writing *w = &stack[depth - 1];
        if (w->next == w->node->count) {
            if (w->any)
                put_line(out, spacing, depth - 1);
            buf_byte(out, w->node->token == JSONR_OBJECT ? '}' : ']');
            depth--;
            continue;
        }
        const struct node *child = &r->nodes[children[w->node->first + w->next++]];
        if (!is_kept(child, style, depth == 1))
            continue;
        if (w->any)
            buf_puts(out, spacing == SPACING_PYTHON ? ", " : ",");
        w->any = true;
        put_line(out, spacing, depth);
        if (child->named) {
            restyle_write_string(r, style, child->name, child->name_written, out);
            buf_puts(out, spacing == SPACING_NONE ? ":" : ": ");
        }
        if (child->shadowed && style->choice[STYLE_DUPLICATES] == DUPLICATES_LAST)
            child = &r->nodes[child->twin];
        write_value(r, style, child, stack, &depth, out);
    }
}
