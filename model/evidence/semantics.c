#include "model/evidence/semantics.h"

#include "base/jsonr.h"

static const char *const type_names[] = {
#define X(id, name) name,
    EVIDENCE_TYPES(X)
#undef X
        "unknown",
};

enum evidence_type evidence_type_find(struct span type)
{
    for (size_t i = 0; i < EVIDENCE_TYPE_UNKNOWN; i++)
        if (span_is(type, type_names[i]))
            return (enum evidence_type)i;
    return span_is(type, "policy_decision") ? EVIDENCE_TYPE_POLICY_DECISION : EVIDENCE_TYPE_UNKNOWN;
}

const char *evidence_type_name(enum evidence_type type)
{
    return type_names[type];
}

/* ---- reading ---- */

/* The index of a string value in a list of words; `count` where it is another string. */
static size_t word_of(struct span value, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (jsonr_string_is(value, words[i]))
            return i;
    return count;
}

static bool is_text(struct span value)
{
    return jsonr_is_string(value) && value.len > 2;
}

static struct span member(struct span object, const char *name)
{
    struct span value = SPAN_EMPTY;
    jsonr_member(object, name, &value);
    return value;
}

/* A member twice, at the top or in what is read of the record. */
static bool has_duplicate(struct span json)
{
    return jsonr_duplicate(json, NULL);
}

/* ---- ifc.fides.v1 ---- */

static enum ifc_integrity read_integrity(struct span value)
{
    static const char *const words[] = {"trusted", "untrusted"};
    static const enum ifc_integrity means[] = {IFC_TRUSTED, IFC_UNTRUSTED, IFC_INTEGRITY_BAD};
    return value.len ? means[word_of(value, words, COUNT_OF(words))] : IFC_INTEGRITY_ABSENT;
}

static void read_readers(struct span array, struct ifc_label *label)
{
    struct jsonr_items items;
    jsonr_items_init(&items, array);
    for (; jsonr_items_next(&items); label->readers++) {
        label->readers_bad |= !is_text(items.value);
        label->readers_public |= jsonr_string_is(items.value, "public");
        label->readers_private |= jsonr_string_is(items.value, "private");
    }
}

static enum ifc_confidentiality read_confidentiality(struct span value, struct ifc_label *label)
{
    static const char *const words[] = {"public", "private"};
    static const enum ifc_confidentiality means[] = {IFC_PUBLIC, IFC_PRIVATE,
                                                     IFC_CONFIDENTIALITY_BAD};
    if (value.len == 0)
        return IFC_CONFIDENTIALITY_ABSENT;
    if (!jsonr_is_array(value))
        return means[word_of(value, words, COUNT_OF(words))];
    read_readers(value, label);
    return label->readers_bad ? IFC_CONFIDENTIALITY_BAD : IFC_READERS;
}

bool ifc_read(struct span json, struct ifc_label *label)
{
    *label = (struct ifc_label){.integrity_value = SPAN_EMPTY, .confidentiality_value = SPAN_EMPTY};
    json = span_trim(json);
    label->object = jsonr_is_object(json);
    if (!label->object)
        return false;
    label->duplicate = has_duplicate(json);
    label->integrity_value = member(json, "integrity");
    label->confidentiality_value = member(json, "confidentiality");
    label->integrity = read_integrity(label->integrity_value);
    label->confidentiality = read_confidentiality(label->confidentiality_value, label);
    struct jsonr_items items;
    jsonr_items_init(&items, json);
    while (jsonr_items_next(&items))
        label->extra |= !jsonr_name_is(items.name, SPAN("integrity")) &&
                        !jsonr_name_is(items.name, SPAN("confidentiality"));
    return !label->duplicate &&
           (label->integrity == IFC_TRUSTED || label->integrity == IFC_UNTRUSTED) &&
           label->confidentiality != IFC_CONFIDENTIALITY_ABSENT &&
           label->confidentiality != IFC_CONFIDENTIALITY_BAD;
}

/* ---- data-class.v1 ---- */

/* "confidential:hipaa" is the class and a scope; only of strings without escapes. */
static enum data_class_level read_level(struct span value, struct span *scope)
{
    static const char *const words[] = {"public", "personal", "confidential",
                                        "highly_confidential"};
    static const enum data_class_level means[] = {DATA_CLASS_PUBLIC, DATA_CLASS_PERSONAL,
                                                  DATA_CLASS_CONFIDENTIAL,
                                                  DATA_CLASS_HIGHLY_CONFIDENTIAL, DATA_CLASS_OTHER};
    if (value.len == 0)
        return DATA_CLASS_ABSENT;
    if (!is_text(value))
        return DATA_CLASS_BAD;
    struct span text;
    if (jsonr_plain_string(value, &text)) {
        size_t colon = span_find_byte(text, ':');
        for (size_t i = 0; colon < text.len && i < COUNT_OF(words); i++)
            if (span_is(span_sub(text, 0, colon), words[i])) {
                *scope = span_sub(text, colon + 1, text.len);
                return means[i];
            }
    }
    return means[word_of(value, words, COUNT_OF(words))];
}

bool data_class_read(struct span json, struct data_class_record *class)
{
    *class = (struct data_class_record){
        .class_value = SPAN_EMPTY, .scope = SPAN_EMPTY, .regulatory = SPAN_EMPTY};
    json = span_trim(json);
    class->object = jsonr_is_object(json);
    if (!class->object)
        return false;
    class->duplicate = has_duplicate(json);
    class->class_value = member(json, "class");
    class->level = read_level(class->class_value, &class->scope);
    class->regulatory = member(json, "regulatory");
    if (jsonr_is_array(class->regulatory)) {
        struct jsonr_items items;
        jsonr_items_init(&items, class->regulatory);
        while (jsonr_items_next(&items))
            class->regulatory_bad |= !is_text(items.value);
    } else if (class->regulatory.len) {
        class->regulatory_bad = !is_text(class->regulatory);
    }
    return !class->duplicate && !class->regulatory_bad && class->level != DATA_CLASS_ABSENT &&
           class->level != DATA_CLASS_BAD;
}

static struct span inside_quotes(struct span value)
{
    return span_sub(value, 1, value.len - 2);
}

bool data_class_scope(const struct data_class_record *class, size_t *index, struct span *scope)
{
    size_t at = (*index)++, seen = 0;
    if (jsonr_is_array(class->regulatory)) {
        struct jsonr_items items;
        jsonr_items_init(&items, class->regulatory);
        while (jsonr_items_next(&items))
            if (is_text(items.value) && seen++ == at) {
                *scope = inside_quotes(items.value);
                return true;
            }
    } else if (is_text(class->regulatory) && seen++ == at) {
        *scope = inside_quotes(class->regulatory);
        return true;
    }
    *scope = class->scope;
    return class->scope.len && seen == at;
}

/* ---- policy-decision ---- */

static enum policy_decision_word read_decision(struct span value)
{
    static const struct {
        const char *word;
        enum policy_decision_word means;
    } words[] = {
        {"allow", DECISION_ALLOW}, {"permit", DECISION_ALLOW}, {"deny", DECISION_DENY},
        {"block", DECISION_DENY},  {"ask", DECISION_ASK},      {"review", DECISION_ASK},
        {"confirm", DECISION_ASK}, {"prompt", DECISION_ASK},
    };
    if (value.len == 0)
        return DECISION_ABSENT;
    if (!is_text(value))
        return DECISION_BAD;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (jsonr_string_is(value, words[i].word))
            return words[i].means;
    return DECISION_OTHER;
}

bool policy_decision_read(struct span json, struct policy_decision *decision)
{
    *decision = (struct policy_decision){0};
    json = span_trim(json);
    decision->object = jsonr_is_object(json);
    if (decision->object)
        decision->duplicate = has_duplicate(json);
    decision->decision_value = member(json, "decision");
    decision->rule_value = member(json, "rule");
    decision->stage_value = member(json, "stage");
    decision->subject_value = member(json, "subject");
    decision->reasons = member(json, "reasons");
    if (!jsonr_is_array(decision->reasons))
        decision->reasons = SPAN_EMPTY;
    decision->decision = read_decision(decision->decision_value);
    return decision->object && !decision->duplicate && decision->decision != DECISION_ABSENT &&
           decision->decision != DECISION_BAD;
}

/* ---- sequence ---- */

static bool semantics_read_number(struct span json, const char *name, long long *number)
{
    int64_t read;
    struct span value = member(json, name);
    if (!value.len || !jsonr_int(value, &read))
        return false;
    *number = read;
    return true;
}

bool sequence_read(struct span json, struct sequence_record *sequence)
{
    *sequence = (struct sequence_record){.steps = SPAN_EMPTY};
    json = span_trim(json);
    sequence->object = jsonr_is_object(json);
    if (!sequence->object)
        return false;
    sequence->duplicate = has_duplicate(json);
    struct span steps = member(json, "sequence");
    if (jsonr_is_array(steps)) {
        struct jsonr_items items;
        sequence->steps = steps;
        jsonr_items_init(&items, steps);
        for (; jsonr_items_next(&items); sequence->count++)
            sequence->steps_bad |= !is_text(items.value);
    }
    sequence->flagged_known = semantics_read_number(json, "flagged_step", &sequence->flagged_step);
    sequence->window_known = semantics_read_number(json, "window", &sequence->window);
    sequence->flagged_outside =
        sequence->flagged_known && (sequence->flagged_step < 0 ||
                                    (unsigned long long)sequence->flagged_step >= sequence->count);
    return !sequence->duplicate && sequence->steps.len && !sequence->steps_bad;
}
