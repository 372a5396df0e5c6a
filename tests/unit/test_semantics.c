/* What records say: every member absent, right, and wrong in every way. */
#include <criterion/criterion.h>

#include "base/jsonr.h"
#include "model/evidence/semantics.h"

Test(semantics, types)
{
    cr_expect_eq(evidence_type_find(SPAN("ifc.fides.v1")), EVIDENCE_TYPE_IFC_FIDES);
    cr_expect_eq(evidence_type_find(SPAN("policy_decision")), EVIDENCE_TYPE_POLICY_DECISION);
    cr_expect_eq(evidence_type_find(SPAN("ifc.fides.v2")), EVIDENCE_TYPE_UNKNOWN);
    cr_expect_eq(evidence_type_find(SPAN("")), EVIDENCE_TYPE_UNKNOWN);
    cr_expect_str_eq(evidence_type_name(EVIDENCE_TYPE_SEQUENCE), "sequence");
    cr_expect_str_eq(evidence_type_name(EVIDENCE_TYPE_UNKNOWN), "unknown");
}

Test(semantics, ifc)
{
    static const struct {
        const char *json;
        bool ok;
        enum ifc_integrity integrity;
        enum ifc_confidentiality confidentiality;
        size_t readers;
    } cases[] = {
        {"{\"integrity\":\"trusted\",\"confidentiality\":\"public\"}", true, IFC_TRUSTED,
         IFC_PUBLIC, 0},
        {" { \"confidentiality\" : \"private\", \"integrity\" : \"untru\\u0073ted\" } ", true,
         IFC_UNTRUSTED, IFC_PRIVATE, 0},
        {"{\"integrity\":\"trusted\",\"confidentiality\":[\"a\",\"b\"]}", true, IFC_TRUSTED,
         IFC_READERS, 2},
        {"{\"integrity\":\"trusted\",\"confidentiality\":[]}", true, IFC_TRUSTED, IFC_READERS, 0},
        {"{\"integrity\":\"trusted\",\"confidentiality\":[\"public\"]}", true, IFC_TRUSTED,
         IFC_READERS, 1},
        {"{\"integrity\":\"trusted\",\"confidentiality\":[\"a\",1]}", false, IFC_TRUSTED,
         IFC_CONFIDENTIALITY_BAD, 2},
        {"{\"integrity\":\"trusted\",\"confidentiality\":[\"\"]}", false, IFC_TRUSTED,
         IFC_CONFIDENTIALITY_BAD, 1},
        {"{\"integrity\":\"Trusted\",\"confidentiality\":null}", false, IFC_INTEGRITY_BAD,
         IFC_CONFIDENTIALITY_BAD, 0},
        {"{\"integrity\":[\"trusted\"],\"confidentiality\":\"secret\"}", false, IFC_INTEGRITY_BAD,
         IFC_CONFIDENTIALITY_BAD, 0},
        {"{\"integrity\":\"trusted\"}", false, IFC_TRUSTED, IFC_CONFIDENTIALITY_ABSENT, 0},
        {"{}", false, IFC_INTEGRITY_ABSENT, IFC_CONFIDENTIALITY_ABSENT, 0},
        {"[]", false, IFC_INTEGRITY_ABSENT, IFC_CONFIDENTIALITY_ABSENT, 0},
        {"\"trusted\"", false, IFC_INTEGRITY_ABSENT, IFC_CONFIDENTIALITY_ABSENT, 0},
        {"{\"integrity\":\"untrusted\",\"integrity\":\"trusted\",\"confidentiality\":\"public\"}",
         false, IFC_TRUSTED, IFC_PUBLIC, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct ifc_label label;
        cr_expect_eq(ifc_read(span_of(cases[i].json), &label), cases[i].ok, "%s", cases[i].json);
        cr_expect_eq(label.integrity, cases[i].integrity, "%s", cases[i].json);
        cr_expect_eq(label.confidentiality, cases[i].confidentiality, "%s", cases[i].json);
        cr_expect_eq(label.readers, cases[i].readers, "%s", cases[i].json);
    }
    struct ifc_label label;
    cr_expect(ifc_read(
        SPAN("{\"integrity\":\"trusted\",\"confidentiality\":[\"private\",\"public\"],\"x\":1}"),
        &label));
    cr_expect(label.readers_public && label.readers_private && label.extra && !label.duplicate);
}

Test(semantics, data_class)
{
    static const struct {
        const char *json;
        bool ok;
        enum data_class_level level;
        const char *scopes;
    } cases[] = {
        {"{\"class\":\"public\"}", true, DATA_CLASS_PUBLIC, ""},
        {"{\"class\":\"highly_confidential\",\"regulatory\":[\"hipaa\",\"gdpr\"]}", true,
         DATA_CLASS_HIGHLY_CONFIDENTIAL, "hipaa gdpr "},
        {"{\"class\":\"confidential:hipaa\",\"regulatory\":\"gdpr\"}", true,
         DATA_CLASS_CONFIDENTIAL, "gdpr hipaa "},
        {"{\"class\":\"personal\",\"regulatory\":[]}", true, DATA_CLASS_PERSONAL, ""},
        {"{\"class\":\"unknown\",\"origin\":\"x\"}", true, DATA_CLASS_OTHER, ""},
        {"{\"class\":\"Public\"}", true, DATA_CLASS_OTHER, ""},
        {"{\"class\":\"secret:x\"}", true, DATA_CLASS_OTHER, ""},
        {"{\"class\":\"\"}", false, DATA_CLASS_BAD, ""},
        {"{\"class\":1}", false, DATA_CLASS_BAD, ""},
        {"{\"class\":null}", false, DATA_CLASS_BAD, ""},
        {"{\"class\":\"public\",\"regulatory\":[1,\"a\"]}", false, DATA_CLASS_PUBLIC, "a "},
        {"{\"class\":\"public\",\"regulatory\":{}}", false, DATA_CLASS_PUBLIC, ""},
        {"{\"class\":\"public\",\"class\":\"personal\"}", false, DATA_CLASS_PERSONAL, ""},
        {"{}", false, DATA_CLASS_ABSENT, ""},
        {"\"public\"", false, DATA_CLASS_ABSENT, ""},
    };
    struct buf scopes = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct data_class_record class;
        cr_expect_eq(data_class_read(span_of(cases[i].json), &class), cases[i].ok, "%s",
                     cases[i].json);
        cr_expect_eq(class.level, cases[i].level, "%s", cases[i].json);
        buf_clear(&scopes);
        struct span scope;
        for (size_t at = 0; data_class_scope(&class, &at, &scope);)
            buf_add(&scopes, scope), buf_byte(&scopes, ' ');
        cr_expect_str_eq(buf_cstr(&scopes), cases[i].scopes, "%s", cases[i].json);
    }
    buf_finish(&scopes);
}

Test(semantics, policy_decision_and_sequence)
{
    struct policy_decision d;
    cr_expect(policy_decision_read(
        SPAN("{\"decision\":\"deny\",\"rule\":\"r\",\"reasons\":[\"a\"]}"), &d));
    cr_expect(d.decision == DECISION_DENY && span_is(d.rule_value, "\"r\"") &&
              span_is(d.reasons, "[\"a\"]"));
    cr_expect(span_is_empty(d.stage_value));
    cr_expect(policy_decision_read(SPAN("{\"decision\":\"maybe\",\"reasons\":1}"), &d));
    cr_expect(d.decision == DECISION_OTHER && span_is_empty(d.reasons));
    cr_expect(!policy_decision_read(SPAN("{\"decision\":true}"), &d));
    cr_expect_eq(d.decision, DECISION_BAD);
    cr_expect(!policy_decision_read(SPAN("{\"rule\":\"r\"}"), &d));
    cr_expect(!policy_decision_read(SPAN("[]"), &d) && !d.object);
    cr_expect(!policy_decision_read(SPAN("{\"decision\":\"deny\",\"decision\":\"allow\"}"), &d));

    struct sequence_record s;
    cr_expect(
        sequence_read(SPAN("{\"sequence\":[\"a\",\"b\"],\"flagged_step\":1,\"window\":3}"), &s));
    cr_expect(s.count == 2 && s.flagged_known && s.flagged_step == 1 && s.window == 3 &&
              !s.flagged_outside);
    cr_expect(sequence_read(SPAN("{\"sequence\":[],\"flagged_step\":0}"), &s));
    cr_expect(s.flagged_outside && !s.window_known);
    cr_expect(sequence_read(SPAN("{\"sequence\":[\"a\"],\"flagged_step\":1.5}"), &s) &&
              !s.flagged_known);
    cr_expect(!sequence_read(SPAN("{\"sequence\":[1]}"), &s) && s.steps_bad);
    cr_expect(!sequence_read(SPAN("{\"sequence\":\"a\"}"), &s) && !sequence_read(SPAN("{}"), &s));
}
