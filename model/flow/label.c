#include "model/flow/label.h"

#include "base/jsonr.h"
#include "base/mem.h"
#include "base/text.h"

static const char *const label_class_words[] = {
    [CLASS_NONE] = "none",
    [CLASS_PUBLIC] = "public",
    [CLASS_PERSONAL] = "personal",
    [CLASS_CONFIDENTIAL] = "confidential",
    [CLASS_HIGHLY_CONFIDENTIAL] = "highly_confidential",
};

const char *data_class_word(enum data_class class)
{
    return label_class_words[class];
}

bool data_class_of(struct span word, enum data_class *class)
{
    for (size_t i = CLASS_PUBLIC; i < COUNT_OF(label_class_words); i++)
        if (span_is(word, label_class_words[i])) {
            *class = (enum data_class)i;
            return true;
        }
    return false;
}

/* ---- the lattice (FIDES §4.1; model.md §2) ---- */

static set_id readers_intersect(struct label_pool *pool, set_id a, set_id b)
{
    if (a == READERS_EVERYONE)
        return b;
    if (b == READERS_EVERYONE)
        return a;
    return set_intersect(pool, a, b);
}

static bool readers_within(const struct label_pool *pool, set_id inner, set_id outer)
{
    if (outer == READERS_EVERYONE)
        return true;
    return inner != READERS_EVERYONE && set_within(pool, inner, outer);
}

struct label label_join(struct label_pool *pool, struct label a, struct label b)
{
    return (struct label){
        .integrity = a.integrity > b.integrity ? a.integrity : b.integrity,
        .readers = readers_intersect(pool, a.readers, b.readers),
        .markers = set_union(pool, a.markers, b.markers),
        .class = a.class > b.class ? a.class : b.class,
        .other_classes = set_union(pool, a.other_classes, b.other_classes),
        .scopes = set_union(pool, a.scopes, b.scopes),
    };
}

bool label_flows_to(const struct label_pool *pool, struct label a, struct label b)
{
    return a.integrity <= b.integrity && readers_within(pool, b.readers, a.readers) &&
           set_within(pool, a.markers, b.markers);
}

bool label_equal(struct label a, struct label b)
{
    return a.integrity == b.integrity && a.readers == b.readers && a.markers == b.markers &&
           a.class == b.class && a.other_classes == b.other_classes && a.scopes == b.scopes;
}

/* ---- for people ---- */

enum { TEXT_MEMBERS = 8 }; /* more than that are counted, not listed */

static void set_text(struct buf *out, const struct label_pool *pool, set_id set)
{
    size_t size = set_size(pool, set);
    for (size_t i = 0; i < size && i < TEXT_MEMBERS; i++) {
        if (i)
            buf_puts(out, ", ");
        text_safe(out, set_member(pool, set, i));
    }
    if (size > TEXT_MEMBERS)
        buf_addf(out, " and %zu more", size - TEXT_MEMBERS);
}

void label_text(struct buf *out, const struct label_pool *pool, struct label l)
{
    buf_puts(out, l.integrity == UNTRUSTED ? "untrusted, " : "trusted, ");
    if (label_is_public(l)) {
        buf_puts(out, "public");
    } else {
        if (l.markers) {
            buf_puts(out, "private (");
            set_text(out, pool, l.markers);
            buf_puts(out, ")");
        }
        if (l.readers == 0) {
            buf_puts(out, l.markers ? ", readable by nobody" : "readable by nobody");
        } else if (l.readers != READERS_EVERYONE) {
            buf_puts(out, l.markers ? ", readers " : "readers ");
            set_text(out, pool, l.readers);
        }
    }
    if (l.class) {
        buf_puts(out, ", ");
        buf_puts(out, data_class_word(l.class));
    }
    if (l.other_classes) {
        buf_puts(out, ", class ");
        set_text(out, pool, l.other_classes);
    }
    if (l.scopes) {
        buf_puts(out, " [");
        set_text(out, pool, l.scopes);
        buf_puts(out, "]");
    }
}

/* ---- JSON (interface.md, "A label is always") ---- */

static void set_json(struct buf *out, const struct label_pool *pool, set_id set)
{
    buf_byte(out, '[');
    for (size_t i = 0; i < set_size(pool, set); i++) {
        if (i)
            buf_puts(out, ", ");
        jsonr_quote(out, set_member(pool, set, i));
    }
    buf_byte(out, ']');
}

void label_json(struct buf *out, const struct label_pool *pool, struct label l)
{
    buf_addf(out, "{\"integrity\": \"%s\", \"confidentiality\": {\"readers\": ",
             l.integrity == UNTRUSTED ? "untrusted" : "trusted");
    if (l.readers == READERS_EVERYONE)
        buf_puts(out, "\"everyone\"");
    else
        set_json(out, pool, l.readers);
    buf_puts(out, ", \"markers\": ");
    set_json(out, pool, l.markers);
    buf_puts(out, "}, \"class\": ");
    if (l.class)
        buf_addf(out, "\"%s\"", data_class_word(l.class));
    else
        buf_puts(out, "null");
    if (l.other_classes) {
        buf_puts(out, ", \"other_classes\": ");
        set_json(out, pool, l.other_classes);
    }
    buf_puts(out, ", \"scopes\": ");
    set_json(out, pool, l.scopes);
    buf_byte(out, '}');
}

/* ---- reading ---- */

/* A JSON array of strings as a set; false where it is anything else. */
static bool set_read(struct label_pool *pool, struct span array, set_id *set)
{
    if (!jsonr_is_array(array))
        return false;
    struct arena arena = {0};
    struct span *members = NULL;
    size_t count = 0, size = 0;
    bool good = true;
    struct buf text = {0};
    struct jsonr_items items;
    jsonr_items_init(&items, array);
    while (good && jsonr_items_next(&items)) {
        buf_clear(&text);
        good = jsonr_is_string(items.value) && jsonr_string(items.value, &text, NULL);
        members = mem_one_more(members, count, &size, sizeof *members);
        members[count++] = arena_copy(&arena, buf_span(&text));
    }
    if (good)
        *set = set_of(pool, members, count);
    buf_finish(&text);
    mem_free(members);
    arena_finish(&arena);
    return good;
}

static bool integrity_read(struct span value, enum integrity *integrity)
{
    *integrity = jsonr_string_is(value, "untrusted") ? UNTRUSTED : TRUSTED;
    return *integrity == UNTRUSTED || jsonr_string_is(value, "trusted");
}

static bool confidentiality_read(struct label_pool *pool, struct span value, struct label *l)
{
    struct span part;
    if (!jsonr_is_object(value))
        return false;
    if (jsonr_member(value, "readers", &part) && !jsonr_string_is(part, "everyone") &&
        !set_read(pool, part, &l->readers))
        return false;
    return !jsonr_member(value, "markers", &part) || set_read(pool, part, &l->markers);
}

static bool label_read_json(struct label_pool *pool, struct span text, struct label *l)
{
    struct span part;
    if (!jsonr_valid(text, NULL, NULL))
        return false;
    if (jsonr_member(text, "integrity", &part) && !integrity_read(part, &l->integrity))
        return false;
    if (jsonr_member(text, "confidentiality", &part) && !confidentiality_read(pool, part, l))
        return false;
    if (jsonr_member(text, "class", &part) && jsonr_type(part) != JSONR_NULL) {
        struct span word;
        if (!jsonr_plain_string(part, &word) || !data_class_of(word, &l->class))
            return false;
    }
    if (jsonr_member(text, "other_classes", &part) && !set_read(pool, part, &l->other_classes))
        return false;
    return !jsonr_member(text, "scopes", &part) || set_read(pool, part, &l->scopes);
}

/* "a+b+c" */
static set_id set_split(struct label_pool *pool, struct span list)
{
    set_id set = 0;
    while (list.len) {
        size_t end = span_find_byte(list, '+');
        struct span member = span_trim(span_sub(list, 0, end));
        if (member.len)
            set = set_add(pool, set, member);
        list = span_sub(list, end + 1, list.len);
    }
    return set;
}

/* One comma-separated word of the short form. */
static bool label_read_word(struct label_pool *pool, struct span word, struct label *l)
{
    static const struct {
        const char *prefix;
        enum { WORD_READERS, WORD_MARKER, WORD_CLASS, WORD_SCOPE } what;
    } prefixes[] = {
        {"readers:", WORD_READERS},
        {"private:", WORD_MARKER},
        {"class:", WORD_CLASS},
        {"scope:", WORD_SCOPE},
    };
    if (span_is(word, "trusted") || span_is(word, "public"))
        return true;
    if (span_is(word, "untrusted")) {
        l->integrity = UNTRUSTED;
        return true;
    }
    if (span_is(word, "nobody")) {
        l->readers = 0;
        return true;
    }
    if (span_is(word, "private")) {
        l->markers = set_add(pool, l->markers, SPAN("private"));
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        struct span prefix = span_of(prefixes[i].prefix);
        if (!span_starts_with(word, prefix) || word.len == prefix.len)
            continue;
        struct span rest = span_sub(word, prefix.len, word.len);
        switch (prefixes[i].what) {
        case WORD_READERS:
            l->readers = set_split(pool, rest);
            return true;
        case WORD_MARKER:
            l->markers = set_union(pool, l->markers, set_split(pool, rest));
            return true;
        case WORD_CLASS:
            return data_class_of(rest, &l->class);
        case WORD_SCOPE:
            l->scopes = set_union(pool, l->scopes, set_split(pool, rest));
            return true;
        }
    }
    return false;
}

bool label_parse(struct label_pool *pool, struct span text, struct label *out)
{
    struct label l = LABEL_PUBLIC;
    text = span_trim(text);
    if (jsonr_is_object(text)) {
        if (!label_read_json(pool, text, &l))
            return false;
        *out = l;
        return true;
    }
    if (!text.len)
        return false;
    while (text.len) {
        size_t end = span_find_byte(text, ',');
        if (!label_read_word(pool, span_trim(span_sub(text, 0, end)), &l))
            return false;
        text = span_sub(text, end + 1, text.len);
    }
    *out = l;
    return true;
}
