/*
 * What records say: the typed reading of the evidence types that we know. All
 * of these take valid JSON text (a record, or a label inline in `_meta`) and
 * give plain structs that point into it. They judge nothing: what is malformed
 * is flagged, and the caller decides what that means.
 *
 * Spans named `…_value` are raw JSON values, quotes included: see jsonr_string
 * and jsonr_items.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_SEMANTICS_H
#define STRANDLINE_MODEL_EVIDENCE_SEMANTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"

/* The registry of trust-annotations, open by design. id, name */
#define EVIDENCE_TYPES(X)                                                                          \
    X(IFC_FIDES, "ifc.fides.v1")                                                                   \
    X(DATA_CLASS, "data-class.v1")                                                                 \
    X(POLICY_DECISION, "policy-decision")                                                          \
    X(SEQUENCE, "sequence")

enum evidence_type {
#define X(id, name) EVIDENCE_TYPE_##id,
    EVIDENCE_TYPES(X)
#undef X
        EVIDENCE_TYPE_UNKNOWN, /* safely ignorable; its digest is still checked */
};

/* `type` is decoded text. `policy_decision` is taken for `policy-decision`. */
enum evidence_type evidence_type_find(struct span type);
const char *evidence_type_name(enum evidence_type type); /* "unknown" of UNKNOWN */

/* ---- ifc.fides.v1 ---- */

enum ifc_integrity { IFC_INTEGRITY_ABSENT, IFC_TRUSTED, IFC_UNTRUSTED, IFC_INTEGRITY_BAD };

enum ifc_confidentiality {
    IFC_CONFIDENTIALITY_ABSENT,
    IFC_PUBLIC,
    IFC_PRIVATE,
    IFC_READERS, /* an array of strings; may be empty, which means nobody */
    IFC_CONFIDENTIALITY_BAD,
};

struct ifc_label {
    bool object;
    enum ifc_integrity integrity;
    struct span integrity_value;
    enum ifc_confidentiality confidentiality;
    struct span confidentiality_value; /* of READERS: the array */
    size_t readers;                    /* elements of it */
    bool readers_public;  /* the array holds "public" (taken as public, with a finding) */
    bool readers_private; /* the array holds "private" */
    bool readers_bad;     /* an element is no string, or empty: the label is then BAD */
    bool extra;           /* members beside the two */
    bool duplicate;       /* a member twice: the label is not to be trusted at all */
};

/* Also of the inline form `_meta.ifc`. False where it is no object or a member is absent or bad;
 * the fields say which. */
bool ifc_read(struct span json, struct ifc_label *label);

/* ---- data-class.v1 ---- */

enum data_class_level {
    DATA_CLASS_ABSENT,
    DATA_CLASS_PUBLIC,
    DATA_CLASS_PERSONAL,
    DATA_CLASS_CONFIDENTIAL,
    DATA_CLASS_HIGHLY_CONFIDENTIAL,
    DATA_CLASS_OTHER, /* another string: kept, shown, treated as private */
    DATA_CLASS_BAD,   /* no string, or empty */
};

struct data_class_record {
    bool object;
    enum data_class_level level;
    struct span class_value; /* the string as written */
    struct span scope;       /* of "confidential:hipaa": hipaa, else empty; as written */
    struct span regulatory;  /* the array, or one string; empty where absent */
    bool regulatory_bad;     /* neither, or an element is no string */
    bool duplicate;
};

bool data_class_read(struct span json, struct data_class_record *class);
/* Next scope of the record: those of `regulatory` in order, then `scope`. Start with *index 0. The
 * span is text as written (between quotes). False when there are no more. */
bool data_class_scope(const struct data_class_record *class, size_t *index, struct span *scope);

/* ---- policy-decision ---- */

enum policy_decision_word {
    DECISION_ABSENT,
    DECISION_ALLOW,
    DECISION_ASK, /* also "review", "confirm", "prompt" */
    DECISION_DENY,
    DECISION_OTHER,
    DECISION_BAD,
};

struct policy_decision {
    bool object;
    enum policy_decision_word decision;
    struct span decision_value, rule_value, stage_value,
        subject_value;   /* raw; empty where absent */
    struct span reasons; /* array, or empty */
    bool duplicate;
};

bool policy_decision_read(struct span json, struct policy_decision *decision);

/* ---- sequence ---- */

struct sequence_record {
    bool object;
    struct span steps; /* the array of tool names; empty where absent or no array */
    size_t count;
    bool steps_bad; /* an element is no string */
    bool flagged_known, window_known;
    long long flagged_step, window; /* as written in the record */
    bool flagged_outside;           /* flagged_step is no index of steps */
    bool duplicate;
};

bool sequence_read(struct span json, struct sequence_record *sequence);

#endif
