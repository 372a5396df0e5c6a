/* What claims and records say, as labels: the table of model.md §3. */
#include "model/flow/claim.h"

static bool claim_label_is_true(struct span value)
{
    return jsonr_type(value) == JSONR_TRUE;
}

static bool is_false(struct span value)
{
    return jsonr_type(value) == JSONR_FALSE;
}

static struct label untrusted_label(void)
{
    struct label l = LABEL_PUBLIC;
    l.integrity = UNTRUSTED;
    return l;
}

static struct label private_label(struct label_pool *pool, struct span marker)
{
    struct label l = LABEL_PUBLIC;
    l.markers = set_of(pool, &marker, 1);
    return l;
}

/* Everything that can be said against a piece of data. */
static struct label closed_label(struct label_pool *pool, struct span marker)
{
    struct label l = private_label(pool, marker);
    l.integrity = UNTRUSTED;
    return l;
}

/* Adds a string value of JSON to a set, decoded. */
static set_id set_add_string(struct label_pool *pool, set_id set, struct span string)
{
    struct buf text = {0};
    jsonr_string(string, &text, NULL);
    set = set_add(pool, set, buf_span(&text));
    buf_finish(&text);
    return set;
}

/* ---- ifc.fides.v1 ---- */

static enum claim_sense integrity_label(struct span value, struct label *label)
{
    *label = LABEL_PUBLIC;
    if (jsonr_string_is(value, "trusted"))
        return SENSE_LABEL;
    label->integrity = UNTRUSTED;
    return jsonr_string_is(value, "untrusted") ? SENSE_LABEL : SENSE_MALFORMED;
}

/*
 * A list that holds "public" is public (seen in the wild); one that holds
 * "private" is private, and whoever else it names is a reader all the same.
 */
static enum claim_sense readers_label(struct label_pool *pool, struct span array,
                                      struct span marker, struct label *label)
{
    struct jsonr_items items;
    bool everyone = false, hidden = false, others = false;
    set_id readers = 0;
    size_t count = 0;
    jsonr_items_init(&items, array);
    for (; jsonr_items_next(&items); count++) {
        if (!jsonr_is_string(items.value)) {
            *label = private_label(pool, marker);
            return SENSE_MALFORMED;
        }
        everyone |= jsonr_string_is(items.value, "public");
        if (jsonr_string_is(items.value, "private"))
            hidden = true;
        else
            others = true;
    }
    *label = LABEL_PUBLIC;
    if (everyone)
        return SENSE_LABEL;
    if (hidden)
        *label = private_label(pool, marker);
    if (!others && count) /* ["private"] */
        return SENSE_LABEL;
    struct span *members = NEW_ARRAY(struct span, count);
    struct arena arena = {0};
    struct buf text = {0};
    size_t kept = 0;
    jsonr_items_init(&items, array);
    while (jsonr_items_next(&items)) {
        if (jsonr_string_is(items.value, "private"))
            continue;
        buf_clear(&text);
        jsonr_string(items.value, &text, NULL);
        members[kept++] = arena_copy(&arena, buf_span(&text));
    }
    readers = set_of(pool, members, kept);
    buf_finish(&text);
    arena_finish(&arena);
    mem_free(members);
    label->readers = readers;
    return SENSE_LABEL;
}

static enum claim_sense confidentiality_label(struct label_pool *pool, struct span value,
                                              struct span marker, bool reader_lists,
                                              struct label *label)
{
    *label = LABEL_PUBLIC;
    if (jsonr_string_is(value, "public"))
        return SENSE_LABEL;
    if (jsonr_is_array(value) && reader_lists)
        return readers_label(pool, value, marker, label);
    *label = private_label(pool, marker);
    return jsonr_string_is(value, "private") ? SENSE_LABEL : SENSE_MALFORMED;
}

/* {integrity, confidentiality}: each half is read by itself, so that it joins what it can. */
static enum claim_sense ifc_label_of(struct label_pool *pool, struct span object,
                                     struct span marker, bool reader_lists, struct label *label)
{
    struct span value;
    struct label integrity, confidentiality;
    if (!jsonr_is_object(object)) {
        *label = closed_label(pool, marker);
        return SENSE_MALFORMED;
    }
    if (!jsonr_member(object, "integrity", &value))
        value = SPAN_EMPTY;
    enum claim_sense sense = integrity_label(value, &integrity);
    if (!jsonr_member(object, "confidentiality", &value))
        value = SPAN_EMPTY;
    if (confidentiality_label(pool, value, marker, reader_lists, &confidentiality) ==
        SENSE_MALFORMED)
        sense = SENSE_MALFORMED;
    *label = label_join(pool, integrity, confidentiality);
    return sense;
}

/* ---- data-class.v1 ---- */

static void scopes_add(struct label_pool *pool, struct span value, struct label *label)
{
    if (jsonr_is_string(value)) {
        label->scopes = set_add_string(pool, label->scopes, value);
    } else if (jsonr_is_array(value)) {
        struct jsonr_items items;
        jsonr_items_init(&items, value);
        while (jsonr_items_next(&items))
            if (jsonr_is_string(items.value))
                label->scopes = set_add_string(pool, label->scopes, items.value);
    }
}

/* "confidential", "confidential:hipaa", or a word of one's own. */
static void class_read(struct label_pool *pool, struct span text, struct label *label)
{
    size_t colon = span_find_byte(text, ':');
    struct span word = span_sub(text, 0, colon), scope = span_sub(text, colon + 1, text.len);
    if (!data_class_of(word, &label->class))
        label->other_classes = set_add(pool, label->other_classes, word);
    if (scope.len)
        label->scopes = set_add(pool, label->scopes, scope);
}

static enum claim_sense data_class_label(struct label_pool *pool, struct span record,
                                         struct span marker, struct label *label)
{
    struct span value;
    *label = private_label(pool, marker);
    if (!jsonr_is_object(record) || !jsonr_member(record, "class", &value) ||
        !jsonr_is_string(value) || value.len == 2)
        return SENSE_MALFORMED;
    struct buf text = {0};
    struct label tags = LABEL_PUBLIC;
    jsonr_string(value, &text, NULL);
    class_read(pool, buf_span(&text), &tags);
    buf_finish(&text);
    if (jsonr_member(record, "regulatory", &value))
        scopes_add(pool, value, &tags);
    *label = tags.class == CLASS_PUBLIC ? tags : label_join(pool, tags, *label);
    return SENSE_LABEL;
}

/* ---- SEP-1913 ---- */

/* From `pii` up a result is private; the words below are the two that say it is not. */
static const char *const harmless_words[] = {"none", "user", "public", "low"};

static enum claim_sense sensitivity_label(struct label_pool *pool, struct span value,
                                          struct span marker, struct label *label)
{
    *label = LABEL_PUBLIC;
    if (is_false(value))
        return SENSE_LABEL;
    if (!claim_label_is_true(value) && (!jsonr_is_string(value) || value.len == 2)) {
        *label = private_label(pool, marker);
        return SENSE_MALFORMED;
    }
    for (size_t i = 0; i < COUNT_OF(harmless_words); i++)
        if (jsonr_string_is(value, harmless_words[i]))
            return SENSE_LABEL;
    *label = private_label(pool, marker);
    if (jsonr_is_string(value)) {
        struct buf text = {0};
        jsonr_string(value, &text, NULL);
        class_read(pool, buf_span(&text), label);
        buf_finish(&text);
    }
    return SENSE_LABEL;
}

static enum claim_sense legacy_label(struct label_pool *pool, const struct claim *claim,
                                     struct span marker, struct label *label)
{
    if (span_is(claim->name, "attribution"))
        return SENSE_NOTHING;
    if (span_is(claim->name, "sensitivity") || span_is(claim->name, "sensitiveHint"))
        return sensitivity_label(pool, claim->value, marker, label);
    bool about_readers = span_is(claim->name, "privateHint");
    *label = LABEL_PUBLIC;
    if (is_false(claim->value))
        return SENSE_LABEL;
    *label = about_readers ? private_label(pool, marker) : untrusted_label();
    return claim_label_is_true(claim->value) ? SENSE_LABEL : SENSE_MALFORMED;
}

/* ---- all of them ---- */

static enum claim_sense trust_label(struct label_pool *pool, const struct claim *claim,
                                    struct span marker, struct label *label)
{
    if (span_is(claim->name, "evidenceRef"))
        return SENSE_NOTHING;
    if (is_false(claim->value) && claim->name.len) {
        *label = LABEL_PUBLIC;
        return SENSE_LABEL;
    }
    if (span_is(claim->name, "untrusted"))
        *label = untrusted_label();
    else if (span_is(claim->name, "sensitive"))
        *label = private_label(pool, marker);
    else
        *label = closed_label(pool, marker); /* the annotation is not even an object */
    return claim->name.len && claim_label_is_true(claim->value) ? SENSE_LABEL : SENSE_MALFORMED;
}

enum claim_sense claim_label(struct label_pool *pool, const struct claim *claim, struct span marker,
                             bool reader_lists, struct label *label)
{
    *label = LABEL_PUBLIC;
    if (claim->problem && (strcmp(claim->problem, CLAIM_INSIDE_DATA) == 0 ||
                           strcmp(claim->problem, CLAIM_ON_DEFINITION) == 0))
        return SENSE_NOTHING;
    switch (claim->shape) {
    case CLAIM_TRUST:
        return trust_label(pool, claim, marker, label);
    case CLAIM_IFC:
        if (span_is(claim->name, "integrity"))
            return integrity_label(claim->value, label);
        if (span_is(claim->name, "confidentiality"))
            return confidentiality_label(pool, claim->value, marker, reader_lists, label);
        *label = closed_label(pool, marker);
        return SENSE_MALFORMED;
    case CLAIM_IFC_LABELS:
        return ifc_label_of(pool, claim->value, marker, reader_lists, label);
    case CLAIM_SEP1913:
        return legacy_label(pool, claim, marker, label);
    default:
        return SENSE_NOTHING;
    }
}

#define TYPE_IFC   "ifc.fides.v1"
#define TYPE_CLASS "data-class.v1"

enum claim_sense record_label(struct label_pool *pool, struct span type, struct span record,
                              struct span marker, bool reader_lists, struct label *label)
{
    *label = LABEL_PUBLIC;
    if (span_is(type, TYPE_IFC))
        return ifc_label_of(pool, record, marker, reader_lists, label);
    if (span_is(type, TYPE_CLASS))
        return data_class_label(pool, record, marker, label);
    return SENSE_NOTHING;
}

bool record_label_closed(struct label_pool *pool, struct span type, struct span marker,
                         struct label *label)
{
    if (span_is(type, TYPE_IFC))
        *label = closed_label(pool, marker);
    else if (span_is(type, TYPE_CLASS))
        *label = private_label(pool, marker);
    else
        return false;
    return true;
}
