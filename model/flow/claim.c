#include "model/flow/claim.h"

#include "model/evidence/attest.h"

const char *claim_shape_word(enum claim_shape shape)
{
    static const char *const words[] = {
#define X(id, word) word,
        CLAIM_SHAPES(X)
#undef X
    };
    return words[shape];
}

bool claim_shape_of(struct span word, enum claim_shape *shape)
{
    for (int i = 0; i < CLAIM_SHAPE_COUNT; i++)
        if (span_is(word, claim_shape_word((enum claim_shape)i))) {
            *shape = (enum claim_shape)i;
            return true;
        }
    return false;
}

/* ---- the walk ---- */

/* One open object or array: which member or element of it we are in. */
struct claim_level {
    bool object;
    struct span name; /* as written */
    size_t index;     /* SIZE_MAX before the first element, so that counting it gives 0 */
};

/* Nested or repeated keys inside data can't cost more than this, however they are arranged. */
enum { LOOK_DEPTH = 64, INSIDE_DATA_MAX = 16, SIGNED_MAX = 16 };

struct claim_walk {
    struct arena *arena;
    struct claims *out;
    size_t claims_size, evidence_size;
    struct claim_level *levels;
    size_t depth, size;
    struct buf pointer;
    int inside_data; /* annotations found inside data so far */
    bool may_sign;   /* something signed could be in the text */
    int signed_things;
};

/* Where an annotation stands: which block it is about, and what is wrong with the place. */
struct claim_place {
    int block;
    const char *problem;
};

static bool level_is(const struct claim_walk *w, size_t depth, const char *name)
{
    return depth < w->depth && w->levels[depth].object &&
           jsonr_name_is(w->levels[depth].name, span_of(name));
}

static bool level_is_element(const struct claim_walk *w, size_t depth)
{
    return depth < w->depth && !w->levels[depth].object;
}

static int block_at(const struct claim_walk *w, size_t depth)
{
    size_t index = w->levels[depth].index;
    return index > INT32_MAX ? INT32_MAX : (int)index;
}

/* Of the object that holds the annotation, `depth` levels down: what is it in the protocol? */
static struct claim_place claim_place_of(const struct claim_walk *w, size_t depth)
{
    if (depth == 0)
        return (struct claim_place){-1, NULL};
    if (depth >= 2 && level_is_element(w, 1)) {
        int block = block_at(w, 1);
        if (level_is(w, 0, "content")) {
            if (depth == 2)
                return (struct claim_place){block, NULL};
            if (depth == 3 && level_is(w, 2, "resource"))
                return (struct claim_place){block, CLAIM_UNSPECIFIED};
        }
        if (level_is(w, 0, "contents") && depth == 2)
            return (struct claim_place){block, CLAIM_UNSPECIFIED};
        if (level_is(w, 0, "messages") && (depth == 2 || (depth == 3 && level_is(w, 2, "content"))))
            return (struct claim_place){block, CLAIM_UNSPECIFIED};
        if (level_is(w, 0, "tools") && depth == 2)
            return (struct claim_place){-1, CLAIM_ON_DEFINITION};
    }
    if (depth == 1 && level_is(w, 0, "params"))
        return (struct claim_place){-1, CLAIM_UNSPECIFIED};
    return (struct claim_place){-1, CLAIM_INSIDE_DATA};
}

/* Adds "/name" in the escapes of RFC 6901 to the pointer that is being built. */
static void pointer_add(struct buf *pointer, struct span name)
{
    buf_byte(pointer, '/');
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '~')
            buf_puts(pointer, "~0");
        else if (name.at[i] == '/')
            buf_puts(pointer, "~1");
        else
            buf_byte(pointer, name.at[i]);
    }
}

static struct span claim_decoded(struct claim_walk *w, struct span string)
{
    struct span plain;
    if (jsonr_plain_string(string, &plain))
        return plain;
    struct buf text = {0};
    jsonr_string(string, &text, NULL);
    struct span copy = arena_copy(w->arena, buf_span(&text));
    buf_finish(&text);
    return copy;
}

/* A name as the reader gives it (without quotes), decoded. */
static struct span decoded_name(struct claim_walk *w, struct span name)
{
    if (span_find_byte(name, '\\') == name.len)
        return name;
    struct buf text = {0};
    jsonr_name(name, &text, NULL);
    struct span copy = arena_copy(w->arena, buf_span(&text));
    buf_finish(&text);
    return copy;
}

/* Builds the pointer to where the walk stands. */
static void pointer_here(struct claim_walk *w)
{
    buf_clear(&w->pointer);
    for (size_t i = 0; i < w->depth; i++) {
        if (w->levels[i].object)
            pointer_add(&w->pointer, decoded_name(w, w->levels[i].name));
        else
            buf_addf(&w->pointer, "/%zu", w->levels[i].index);
    }
}

static bool place_says_nothing(struct claim_place place)
{
    return place.problem && strcmp(place.problem, CLAIM_UNSPECIFIED) != 0;
}

static void claim_add(struct claim_walk *w, enum claim_shape shape, struct claim_place place,
                      struct span name, struct span value, const char *problem)
{
    struct claims *out = w->out;
    out->items =
        arena_one_more(w->arena, out->items, out->count, &w->claims_size, sizeof *out->items);
    size_t length = w->pointer.len;
    if (name.len)
        pointer_add(&w->pointer, name);
    out->items[out->count++] = (struct claim){
        .shape = shape,
        .block = place.block,
        .name = name,
        .value = value,
        .pointer = arena_copy(w->arena, buf_span(&w->pointer)),
        .problem = problem && !place_says_nothing(place) ? problem : place.problem,
    };
    w->pointer.len = length;
}

/* ---- trust-annotations ---- */

static const char *const evidence_members[EVIDENCE_MEMBERS] = {
    "type", "digest", "canonicalization", "schema", "schema_version", "ref",
};

static void evidence_add(struct claim_walk *w, struct claim_place place, struct span raw,
                         struct span pointer)
{
    struct claims *out = w->out;
    out->evidence = arena_one_more(w->arena, out->evidence, out->evidence_count, &w->evidence_size,
                                   sizeof *out->evidence);
    struct evidence_claim *e = &out->evidence[out->evidence_count++];
    *e = (struct evidence_claim){
        .block = place.block, .raw = raw, .pointer = pointer, .problem = place.problem};
    struct span *const fields[EVIDENCE_MEMBERS] = {
        &e->type, &e->digest, &e->canonicalization, &e->schema, &e->schema_version, &e->ref,
    };
    for (unsigned i = 0; i < EVIDENCE_MEMBERS; i++) {
        struct span value;
        *fields[i] = (struct span){NULL, 0};
        if (!jsonr_member(raw, evidence_members[i], &value))
            continue;
        bool string = jsonr_is_string(value);
        *fields[i] = string ? claim_decoded(w, value) : value;
        if (!string)
            e->bad |= 1u << i;
    }
}

/* Some value is there: one that is no object is a reference that can't be read, not none. */
static bool evidence_is_given(struct span value)
{
    return jsonr_type(value) != JSONR_NULL;
}

static void evidence_read(struct claim_walk *w, struct claim_place place, struct span name,
                          struct span value)
{
    size_t length = w->pointer.len;
    pointer_add(&w->pointer, name);
    if (jsonr_is_object(value)) {
        evidence_add(w, place, value, arena_copy(w->arena, buf_span(&w->pointer)));
        w->pointer.len = length;
        return;
    }
    if (jsonr_is_array(value)) {
        /* The slot holds one reference; several are read, and said to be several. */
        size_t here = w->pointer.len, index = 0;
        struct jsonr_items items;
        jsonr_items_init(&items, value);
        for (; jsonr_items_next(&items); index++) {
            buf_addf(&w->pointer, "/%zu", index);
            if (evidence_is_given(items.value))
                evidence_add(w, place, items.value, arena_copy(w->arena, buf_span(&w->pointer)));
            w->pointer.len = here;
        }
    } else if (evidence_is_given(value)) {
        evidence_add(w, place, value, arena_copy(w->arena, buf_span(&w->pointer)));
    }
    w->pointer.len = length;
    claim_add(w, CLAIM_TRUST, place, name, value,
              jsonr_is_array(value) ? "a list, where one reference is specified" : "not an object");
}

static void trust_read(struct claim_walk *w, struct claim_place place, struct span value)
{
    if (!jsonr_is_object(value)) {
        claim_add(w, CLAIM_TRUST, place, SPAN_EMPTY, value, "not an object");
        return;
    }
    struct jsonr_items items;
    jsonr_items_init(&items, value);
    while (jsonr_items_next(&items)) {
        struct span name = decoded_name(w, items.name);
        if (span_is(name, "untrusted") || span_is(name, "sensitive")) {
            enum jsonr_token type = jsonr_type(items.value);
            bool boolean = type == JSONR_TRUE || type == JSONR_FALSE;
            claim_add(w, CLAIM_TRUST, place, name, items.value, boolean ? NULL : "not a boolean");
        } else if (span_is(name, "evidenceRef")) {
            evidence_read(w, place, name, items.value);
        }
    }
}

/* ---- labels ---- */

static const char *integrity_problem(struct span value)
{
    if (jsonr_string_is(value, "trusted") || jsonr_string_is(value, "untrusted"))
        return NULL;
    return "neither trusted nor untrusted";
}

static const char *confidentiality_problem(struct span value)
{
    if (jsonr_string_is(value, "public") || jsonr_string_is(value, "private"))
        return NULL;
    if (!jsonr_is_array(value))
        return "neither public, private nor a list of readers";
    struct jsonr_items items;
    jsonr_items_init(&items, value);
    while (jsonr_items_next(&items))
        if (!jsonr_is_string(items.value))
            return "a reader is not a string";
    return NULL;
}

static void ifc_object_read(struct claim_walk *w, struct claim_place place, struct span label)
{
    struct span value;
    if (!jsonr_is_object(label)) {
        claim_add(w, CLAIM_IFC, place, SPAN_EMPTY, label, "not an object");
        return;
    }
    if (jsonr_member(label, "integrity", &value))
        claim_add(w, CLAIM_IFC, place, SPAN("integrity"), value, integrity_problem(value));
    else
        claim_add(w, CLAIM_IFC, place, SPAN("integrity"), SPAN_EMPTY, "missing");
    if (jsonr_member(label, "confidentiality", &value))
        claim_add(w, CLAIM_IFC, place, SPAN("confidentiality"), value,
                  confidentiality_problem(value));
    else
        claim_add(w, CLAIM_IFC, place, SPAN("confidentiality"), SPAN_EMPTY, "missing");
}

/* One label, or a list of them (before 14 May 2026): the label is the join of the list. */
static void ifc_read_inline(struct claim_walk *w, struct claim_place place, struct span value)
{
    if (!jsonr_is_array(value)) {
        ifc_object_read(w, place, value);
        return;
    }
    size_t length = w->pointer.len, index = 0;
    struct jsonr_items items;
    jsonr_items_init(&items, value);
    for (; jsonr_items_next(&items); index++) {
        buf_addf(&w->pointer, "/%zu", index);
        ifc_object_read(w, place, items.value);
        w->pointer.len = length;
    }
}

static const char *label_problem(struct span label)
{
    struct span value;
    if (!jsonr_is_object(label))
        return "not an object";
    if (!jsonr_member(label, "integrity", &value))
        return "integrity is missing";
    if (integrity_problem(value))
        return "integrity is neither trusted nor untrusted";
    if (!jsonr_member(label, "confidentiality", &value))
        return "confidentiality is missing";
    return confidentiality_problem(value) ? "confidentiality is malformed" : NULL;
}

static void ifc_labels_read(struct claim_walk *w, struct claim_place place, struct span value)
{
    if (!jsonr_is_object(value)) {
        claim_add(w, CLAIM_IFC_LABELS, place, SPAN_EMPTY, value, "not an object");
        return;
    }
    struct jsonr_items items;
    jsonr_items_init(&items, value);
    while (jsonr_items_next(&items))
        claim_add(w, CLAIM_IFC_LABELS, place, decoded_name(w, items.name), items.value,
                  label_problem(items.value));
}

/* ---- SEP-1913 ---- */

static bool is_boolean(struct span value)
{
    enum jsonr_token type = jsonr_type(value);
    return type == JSONR_TRUE || type == JSONR_FALSE;
}

static bool is_word(struct span value)
{
    return jsonr_is_string(value) && value.len > 2;
}

static bool is_boolean_or_word(struct span value)
{
    return is_boolean(value) || is_word(value);
}

static bool is_anything(struct span value)
{
    return value.len > 0;
}

static const struct {
    const char *name;
    bool (*fits)(struct span value);
    const char *problem;
} legacy_members[] = {
    {"openWorldHint", is_boolean, "not a boolean"},
    {"maliciousActivityHint", is_boolean, "not a boolean"},
    {"privateHint", is_boolean, "not a boolean"},
    {"sensitivity", is_word, "not a word"},
    {"sensitiveHint", is_boolean_or_word, "neither a boolean nor a word"},
    {"attribution", is_anything, NULL},
};

/* The protocol's own annotations (audience, priority, lastModified) share the name; they are none
 * of our business. */
static void legacy_read(struct claim_walk *w, struct claim_place place, struct span value)
{
    struct jsonr_items items;
    if (!jsonr_is_object(value))
        return;
    jsonr_items_init(&items, value);
    while (jsonr_items_next(&items))
        for (size_t i = 0; i < COUNT_OF(legacy_members); i++)
            if (jsonr_name_is(items.name, span_of(legacy_members[i].name)))
                claim_add(w, CLAIM_SEP1913, place, span_of(legacy_members[i].name), items.value,
                          legacy_members[i].fits(items.value) ? NULL : legacy_members[i].problem);
}

/* ---- what is signed ---- */

/* Every name of a signature begins with one of these. */
static bool may_sign(struct span text)
{
    return span_find(text, SPAN("\"sig")) < text.len ||
           span_find(text, SPAN("\"proof\"")) < text.len ||
           span_find(text, SPAN("\"x-assay-sig\"")) < text.len;
}

/* `name` is the member it stands in, decoded; the pointer is built already. */
static void signed_read(struct claim_walk *w, int block, struct span name, struct span value)
{
    struct attestation attestation;
    if (!jsonr_is_object(value) || w->signed_things >= SIGNED_MAX ||
        !attest_read(value, w->arena, &attestation))
        return;
    w->signed_things++;
    claim_add(w, CLAIM_SIGNED, (struct claim_place){block, NULL}, SPAN_EMPTY, value, NULL);
    w->out->items[w->out->count - 1].name = name;
}

/* ---- which names are looked at ---- */

enum holder { HOLDER_META, HOLDER_ITSELF }; /* a member of _meta; a member of the result itself */
enum { PLACE_ANYWHERE, PLACE_PROTOCOL };    /* also inside data; only in slots of the protocol */

static const struct {
    const char *name;
    enum holder holder;
    int where;
    void (*read)(struct claim_walk *w, struct claim_place place, struct span value);
} annotations[] = {
    {TRUST_ANNOTATIONS_KEY, HOLDER_META, PLACE_ANYWHERE, trust_read},
    {"ifc", HOLDER_META, PLACE_PROTOCOL, ifc_read_inline},
    {"com.github.ifc/labels", HOLDER_META, PLACE_PROTOCOL, ifc_labels_read},
    {"annotations", HOLDER_META, PLACE_PROTOCOL, legacy_read},
    {"annotations", HOLDER_ITSELF, PLACE_PROTOCOL, legacy_read},
};

/* The value of the member whose name the reader gave; the text is valid. */
static struct span value_behind(const struct jsonr *reader)
{
    const char *at = reader->value.at + reader->value.len + 1; /* the closing quote */
    while (at < reader->end && *at++ != ':')
        ;
    bool cut;
    struct span rest = span_from(at, reader->end);
    return span_trim(span_sub(rest, 0, jsonr_first_value(rest, &cut)));
}

/* Signed things stand in _meta and structuredContent, or are these themselves. */
static void signed_look(struct claim_walk *w, const struct jsonr *reader, bool in_meta)
{
    size_t top = w->depth - 1;
    bool meta = in_meta || level_is(w, top, "_meta");
    if (!meta && !level_is(w, 0, "structuredContent"))
        return;
    struct claim_place place = {-1, NULL};
    if (meta)
        place = claim_place_of(w, in_meta ? top - 1 : top);
    else if (top > 1)
        return;
    if (place_says_nothing(place))
        return;
    pointer_here(w);
    signed_read(w, place.block, decoded_name(w, w->levels[top].name), value_behind(reader));
}

/* The walk stands on the name of a member. */
static void name_look(struct claim_walk *w, const struct jsonr *reader)
{
    if (w->depth > LOOK_DEPTH)
        return;
    size_t top = w->depth - 1;
    struct span name = w->levels[top].name;
    bool in_meta = top > 0 && level_is(w, top - 1, "_meta");
    if (w->may_sign)
        signed_look(w, reader, in_meta);
    for (size_t i = 0; i < COUNT_OF(annotations); i++) {
        if (!jsonr_name_is(name, span_of(annotations[i].name)))
            continue;
        if (annotations[i].holder == HOLDER_META && !in_meta &&
            annotations[i].where == PLACE_PROTOCOL)
            continue;
        if (annotations[i].holder == HOLDER_ITSELF && in_meta)
            continue;
        struct claim_place place = claim_place_of(w, in_meta ? top - 1 : top);
        if (annotations[i].holder == HOLDER_META && !in_meta)
            place.problem = CLAIM_INSIDE_DATA; /* the key outside of any _meta */
        if (annotations[i].where == PLACE_PROTOCOL && place_says_nothing(place))
            continue;
        if (place_says_nothing(place) && w->inside_data++ >= INSIDE_DATA_MAX)
            continue;
        pointer_here(w);
        annotations[i].read(w, place, value_behind(reader));
    }
}

/* Most results have no claim at all. A name could be written with \u escapes. */
static bool may_claim(struct span text)
{
    return span_find(text, SPAN("annotations")) < text.len ||
           span_find(text, SPAN("ifc")) < text.len || span_find(text, SPAN("\\u00")) < text.len;
}

static void level_push(struct claim_walk *w, bool object)
{
    w->levels = mem_one_more(w->levels, w->depth, &w->size, sizeof *w->levels);
    w->levels[w->depth++] = (struct claim_level){object, SPAN_EMPTY, SIZE_MAX};
}

/* Before a value: elements of an array are counted. */
static void level_next(struct claim_walk *w)
{
    if (w->depth)
        w->levels[w->depth - 1].index++;
}

/* Over a value that is valid. */
static void claims_walk(struct claim_walk *w, struct span value)
{
    struct jsonr r;
    jsonr_init(&r, value);
    for (enum jsonr_token token; (token = jsonr_next(&r)) > JSONR_END;) {
        switch (token) {
        case JSONR_NAME:
            w->levels[w->depth - 1].name = r.value;
            name_look(w, &r);
            break;
        case JSONR_OBJECT:
        case JSONR_ARRAY:
            level_next(w);
            level_push(w, token == JSONR_OBJECT);
            break;
        case JSONR_OBJECT_END:
        case JSONR_ARRAY_END:
            w->depth--;
            break;
        default:
            level_next(w);
        }
    }
    jsonr_finish(&r);
}

static void claim_walk_finish(struct claim_walk *w)
{
    mem_free(w->levels);
    buf_finish(&w->pointer);
}

void claims_find(struct span result, struct arena *arena, struct claims *out)
{
    struct claim_walk w = {.arena = arena, .out = out, .may_sign = may_sign(result)};
    *out = (struct claims){0};
    if (jsonr_is_object(span_trim(result)) && (w.may_sign || may_claim(result)) &&
        jsonr_valid(result, NULL, NULL))
        claims_walk(&w, result);
    claim_walk_finish(&w);
}

/* Of a request: its _meta as if the walk had come there, so that what is read knows its place. */
static void claims_walk_meta(struct claim_walk *w, struct span meta)
{
    static const struct span way[] = {SPAN_INIT("\"params\""), SPAN_INIT("\"_meta\"")};
    for (size_t i = 0; i < COUNT_OF(way); i++) {
        level_push(w, true);
        w->levels[i].name = span_sub(way[i], 1, way[i].len - 2);
    }
    if (w->may_sign) {
        pointer_here(w);
        signed_read(w, -1, SPAN("_meta"), meta);
    }
    claims_walk(w, meta);
    w->depth = 0;
}

void claims_find_request(struct span params, struct arena *arena, struct claims *out)
{
    struct claim_walk w = {.arena = arena, .out = out, .may_sign = may_sign(params)};
    struct span meta, arguments;
    struct jsonr_items items;
    *out = (struct claims){0};
    if (jsonr_member(params, "_meta", &meta) && jsonr_is_object(meta) &&
        jsonr_valid(meta, NULL, NULL))
        claims_walk_meta(&w, meta);
    if (w.may_sign && jsonr_member(params, "arguments", &arguments) && jsonr_is_object(arguments)) {
        buf_clear(&w.pointer);
        buf_puts(&w.pointer, "/params/arguments");
        size_t here = w.pointer.len;
        signed_read(&w, -1, SPAN("arguments"), arguments);
        for (jsonr_items_init(&items, arguments); jsonr_items_next(&items);) {
            struct span name = decoded_name(&w, items.name);
            pointer_add(&w.pointer, name);
            signed_read(&w, -1, name, items.value);
            w.pointer.len = here;
        }
    }
    claim_walk_finish(&w);
}
