/* Lint of what is on the wire (TA, IF, DC, MC, S13), and of the evidence behind it (EV). */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/text.h"
#include "model/evidence/verdict.h"
#include "model/findings/check_internal.h"

static struct finding_evidence at_claim(const struct look *look, const struct claim *claim)
{
    return evidence_here(look, claim->pointer);
}

static void add_claim(const struct look *look, enum code code, const struct claim *claim,
                      const char *what)
{
    struct finding_evidence here = at_claim(look, claim);
    struct buf value = {0};
    text_safe(&value, span_sub(claim->value, 0, 120));
    if (claim->value.len)
        finding_add(look, code, SEVERITY_DEFAULT, &here, 1, "%s: %s is %s", what,
                    claim->name.len ? "its value" : "it", buf_cstr(&value));
    else
        finding_add(look, code, SEVERITY_DEFAULT, &here, 1, "%s", what);
    buf_finish(&value);
}

static bool check_claims_is_true(const struct claim *claim)
{
    return span_is(claim->value, "true");
}

/* ---- one claim ---- */

static void look_at_trust(const struct look *look, const struct claim *claim)
{
    if (claim->problem && strcmp(claim->problem, CLAIM_ON_DEFINITION) == 0)
        add_claim(look, CODE_TA16, claim, "a tool definition carries a trust annotation");
    else if (claim->problem &&
             strncmp(claim->problem, CLAIM_UNSPECIFIED, sizeof CLAIM_UNSPECIFIED - 1) == 0)
        add_claim(look, CODE_TA17, claim, "a trust annotation stands where none is specified");
    else if (span_is(claim->name, "evidenceRef"))
        add_claim(look, claim->value.len && claim->value.at[0] == '[' ? CODE_TA20 : CODE_TA03,
                  claim, "evidenceRef is not one reference");
    else if (claim->problem)
        add_claim(look, CODE_TA01, claim, "a trust annotation can't be read");
}

static bool list_holds(struct span array, const char *word)
{
    struct jsonr_items items;
    jsonr_items_init(&items, array);
    while (jsonr_items_next(&items))
        if (jsonr_string_is(items.value, word))
            return true;
    return false;
}

static void look_at_label(const struct look *look, const struct claim *claim)
{
    bool confidentiality = span_is(claim->name, "confidentiality");
    if (claim->problem && strcmp(claim->problem, CLAIM_UNSPECIFIED) != 0) {
        bool integrity =
            span_is(claim->name, "integrity") || strncmp(claim->problem, "integrity", 9) == 0;
        add_claim(look, integrity ? CODE_IF03 : CODE_IF04, claim, claim->problem);
    } else if (confidentiality && jsonr_is_array(claim->value)) {
        if (list_holds(claim->value, "public"))
            add_claim(look, CODE_IF13, claim, "a list of readers holds \"public\"");
        else
            add_claim(look, CODE_IF05, claim, "confidentiality is a list of readers");
    }
}

/* ---- claims against each other ---- */

/* By place, shape and name, so that each is found without going through all of them: a hostile
 * result has a claim on each of a hundred thousand blocks. Those that something is wrong with come
 * last. */
static int by_name(const struct claim *a, const struct claim *b)
{
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->shape != b->shape)
        return a->shape < b->shape ? -1 : 1;
    if (!a->problem != !b->problem)
        return a->problem ? 1 : -1;
    return span_compare(a->name, b->name);
}

/* Of two with the same name the one that says true comes first. */
static int by_name_and_value(const void *a, const void *b)
{
    const struct claim *x = *(const struct claim *const *)a, *y = *(const struct claim *const *)b;
    int order = by_name(x, y);
    if (order)
        return order;
    order = check_claims_is_true(y) - check_claims_is_true(x);
    return order ? order : (x > y) - (x < y);
}

void check_claims_sort(struct look *look)
{
    size_t count = look->input->claim_count;
    look->claims = arena_array(&look->checks->scratch, count, sizeof(struct claim *));
    for (size_t i = 0; i < count; i++)
        look->claims[i] = &look->input->claims[i];
    if (count > 1)
        qsort(look->claims, count, sizeof(struct claim *), by_name_and_value);
}

static const struct claim *find_claim(const struct look *look, enum claim_shape shape, int block,
                                      struct span name)
{
    const struct claim wanted = {.shape = shape, .block = block, .name = name};
    size_t low = 0, high = look->input->claim_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_name(look->claims[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < look->input->claim_count && by_name(look->claims[low], &wanted) == 0;
    return found ? look->claims[low] : NULL;
}

/* A block must not weaken: an explicit false under a true. */
static void look_at_blocks(const struct look *look, const struct claim *claim)
{
    if (claim->block < 0 || claim->problem)
        return;
    if (claim->shape == CLAIM_TRUST && span_is(claim->value, "false")) {
        const struct claim *above = find_claim(look, CLAIM_TRUST, -1, claim->name);
        if (above && check_claims_is_true(above))
            add_claim(look, CODE_TA11, claim, "the result claims true, and a block of it false");
    }
    if (claim->shape == CLAIM_SEP1913 && check_claims_is_true(claim)) {
        const struct claim *above = find_claim(look, CLAIM_SEP1913, -1, claim->name);
        if (!above || !check_claims_is_true(above))
            add_claim(look, CODE_S1303, claim, "a block has a hint that its result lacks");
    }
}

static bool has_shape(const struct look *look, enum claim_shape shape)
{
    for (size_t i = 0; i < look->input->claim_count; i++)
        if (look->input->claims[i].shape == shape)
            return true;
    return false;
}

/* ---- names in _meta (MCP, "_meta") ---- */

static bool alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Labels with dots between: each begins with a letter, ends with a letter or digit. */
static bool prefix_fits(struct span prefix)
{
    while (prefix.len) {
        size_t end = span_find_byte(prefix, '.');
        struct span label = span_sub(prefix, 0, end);
        if (!label.len || !alphanumeric(label.at[label.len - 1]) || (label.at[0] | 32) < 'a' ||
            (label.at[0] | 32) > 'z')
            return false;
        for (size_t i = 0; i < label.len; i++)
            if (!alphanumeric(label.at[i]) && label.at[i] != '-')
                return false;
        if (end + 1 == prefix.len)
            return false;
        prefix = span_sub(prefix, end + 1, prefix.len);
    }
    return true;
}

static bool meta_name_fits(struct span name)
{
    size_t slash = span_find_byte(name, '/');
    if (slash < name.len && (slash == 0 || !prefix_fits(span_sub(name, 0, slash))))
        return false;
    struct span last = slash < name.len ? span_sub(name, slash + 1, name.len) : name;
    for (size_t i = 0; i < last.len; i++)
        if (!alphanumeric(last.at[i]) && !ascii_is_one_of(last.at[i], "-_."))
            return false;
    return !last.len || (alphanumeric(last.at[0]) && alphanumeric(last.at[last.len - 1]));
}

static void look_at_meta(const struct look *look)
{
    struct span body, meta;
    struct jsonr_items items;
    if (look->step->kind != STEP_TOOL_RESULT || !look_body(look, &body) ||
        !jsonr_member(body, "_meta", &meta) || !jsonr_is_object(meta))
        return;
    for (jsonr_items_init(&items, meta); jsonr_items_next(&items);) {
        struct buf name = {0}, safe = {0};
        jsonr_name(items.name, &name, NULL);
        if (!meta_name_fits(buf_span(&name))) {
            struct finding_evidence here = evidence_here(look, SPAN("/_meta"));
            text_safe(&safe, span_sub(buf_span(&name), 0, 100));
            finding_add(look, CODE_MC01, SEVERITY_DEFAULT, &here, 1,
                        "\"%s\" is not the form of a key of _meta", buf_cstr(&safe));
        }
        buf_finish(&name);
        buf_finish(&safe);
    }
}

/* ---- things that are narrower than what they are in ---- */

/* Tools of a well-known server whose results are private in a public repository, too. */
static const char *const narrower_tools[] = {
    "repository_collaborators",
    "code_scanning_alert",
    "dependabot_alert",
    "secret_scanning_alert",
    "org_repository_security_advisories",
};

static void look_at_narrower(const struct look *look)
{
    const struct claim *label = find_claim(look, CLAIM_IFC, -1, SPAN("confidentiality"));
    bool public =
        look->step->kind == STEP_TOOL_RESULT && label && jsonr_string_is(label->value, "public");
    for (size_t i = 0; public && i < COUNT_OF(narrower_tools); i++)
        if (span_find(look->step->tool, span_of(narrower_tools[i])) < look->step->tool.len)
            add_claim(look, CODE_IF12, label,
                      "a result of a kind that is private in public repositories, too");
}

void check_claims(struct look *look)
{
    const struct replay_input *in = look->input;
    const struct claim *legacy = NULL, *inline_label = NULL;
    look_at_meta(look);
    for (size_t i = 0; i < in->claim_count; i++) {
        const struct claim *claim = &in->claims[i];
        look_at_blocks(look, claim);
        switch (claim->shape) {
        case CLAIM_TRUST:
            look_at_trust(look, claim);
            break;
        case CLAIM_IFC:
            inline_label = inline_label ? inline_label : claim;
            look_at_label(look, claim);
            break;
        case CLAIM_IFC_LABELS:
            look_at_label(look, claim);
            break;
        case CLAIM_SEP1913:
            legacy = legacy ? legacy : claim;
            break;
        default: /* what is signed: check_signed */
            break;
        }
    }
    bool request = look->step->kind == STEP_TOOL_CALL; /* what the host says: check_request */
    if (legacy)
        add_claim(look, CODE_S1301, legacy,
                  request ? "the request uses the hints of SEP-1913"
                          : "the result uses the hints of SEP-1913");
    if (request)
        return;
    look_at_narrower(look);
    if (inline_label) {
        bool annotated = has_shape(look, CLAIM_TRUST) || in->evidence_count;
        struct finding_evidence here = at_claim(look, inline_label);
        finding_add(look, annotated ? CODE_IF01 : CODE_IF02, SEVERITY_DEFAULT, &here, 1, "%s",
                    annotated ? "the label stands in the result itself, beside an annotation"
                              : "the label stands in the result itself, and no annotation with it");
    }
    for (int block = -1; block < 1; block++) { /* the result; its first block stands for all */
        const struct claim *sensitive = find_claim(look, CLAIM_TRUST, block, SPAN("sensitive"));
        if (sensitive && check_claims_is_true(sensitive) && !in->evidence_count) {
            add_claim(look, CODE_TA14, sensitive, "sensitive has no evidence behind it");
            break;
        }
    }
}

/* ---- evidence ---- */

static void add_ref(const struct look *look, enum code code, int severity,
                    const struct evidence_input *e, const char *what)
{
    struct finding_evidence here = evidence_here(look, e->ref ? e->ref->pointer : SPAN_EMPTY);
    struct buf type = {0};
    text_safe(&type, span_sub(e->type, 0, 60));
    finding_add(look, code, severity, &here, 1, "%s%s%s", what, type.len ? ", type " : "",
                buf_cstr(&type));
    buf_finish(&type);
}

/* How the digest and the canonicalization are written, where they can be read at all. */
static void look_at_spelling(const struct look *look, const struct evidence_input *e)
{
    const struct evidence_claim *ref = e->ref;
    struct digest digest;
    enum canonicalization canon;
    unsigned lints = 0;
    bool alias = false;
    enum digest_fault fault = digest_parse(ref->digest, &digest, &lints);
    if (fault == DIGEST_BAD_TEXT || fault == DIGEST_BAD_LENGTH) {
        add_ref(look, CODE_TA04, SEVERITY_DEFAULT, e, "digest is in no form that we know");
        return;
    }
    for (int i = 0; i < DIGEST_LINT_COUNT && fault == DIGEST_OK; i++)
        if (lints & (1u << i))
            add_ref(look, CODE_TA21, SEVERITY_DEFAULT, e, digest_lint_text((enum digest_lint)i));
    if (canonicalization_find(ref->canonicalization, &canon, &alias) && alias) {
        struct buf what = {0};
        text_safe(&what, ref->canonicalization);
        buf_addf(&what, " for %s", canonicalization_name(canon));
        add_ref(look, CODE_TA21, SEVERITY_DEFAULT, e, buf_cstr(&what));
        buf_finish(&what);
    }
}

/* The members of a reference; bit i of `bad` is member i (type, digest, canonicalization, …). */
static void look_at_ref(const struct look *look, const struct evidence_input *e)
{
    const struct evidence_claim *ref = e->ref;
    if (!ref || !jsonr_is_object(ref->raw)) /* what is no object was told with its claim */
        return;
    if (!ref->type.len || (ref->bad & 1))
        add_ref(look, CODE_TA03, SEVERITY_DEFAULT, e, "type is missing, empty or not a string");
    if (!ref->digest.len || (ref->bad & 2))
        add_ref(look, CODE_TA04, SEVERITY_DEFAULT, e, "digest is missing, empty or not a string");
    else
        look_at_spelling(look, e);
    if (!ref->canonicalization.len || (ref->bad & 4))
        add_ref(look, CODE_TA05, SEVERITY_DEFAULT, e,
                "canonicalization is missing, empty or not a string");
    if (!ref->schema.at)
        add_ref(look, CODE_TA06, SEVERITY_DEFAULT, e, "the reference names no schema");
    if (ref->problem)
        add_ref(look, strcmp(ref->problem, CLAIM_ON_DEFINITION) ? CODE_TA17 : CODE_TA16,
                SEVERITY_DEFAULT, e, "the reference stands where none is specified");
}

static bool known_type(struct span type)
{
    static const char *const types[] = {"ifc.fides.v1", "data-class.v1", "policy-decision",
                                        "sequence"};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (span_is(type, types[i]))
            return true;
    return false;
}

/* What the record says, and what the annotation says against it (IF11, TA13, TA15, DC01). */
static void compare_record(const struct look *look, const struct evidence_input *e)
{
    struct label label;
    struct label_pool *pool = look->checks->pool;
    if (record_label(pool, e->type, e->record, SPAN("record"), true, &label) != SENSE_LABEL)
        return;
    const struct claim *sensitive = find_claim(look, CLAIM_TRUST, e->block, SPAN("sensitive"));
    const struct claim *untrusted = find_claim(look, CLAIM_TRUST, e->block, SPAN("untrusted"));
    bool private = label_is_private(label), labels = span_is(e->type, "ifc.fides.v1");
    struct span readers;
    if (labels && jsonr_member(e->record, "confidentiality", &readers) && jsonr_is_array(readers))
        add_ref(look, CODE_IF11, SEVERITY_DEFAULT, e, "the record lists who may read");
    if (private && !(sensitive && check_claims_is_true(sensitive)))
        add_ref(look, CODE_TA13, SEVERITY_DEFAULT, e,
                sensitive ? "the record says private, and the annotation says sensitive: false"
                          : "the record says private, and the annotation leaves sensitive out");
    if (labels && label.integrity == UNTRUSTED && !(untrusted && check_claims_is_true(untrusted)))
        add_ref(look, CODE_TA15, untrusted ? SEVERITY_MEDIUM : SEVERITY_LOW, e,
                untrusted ? "the record says untrusted, and the annotation says untrusted: false"
                          : "the record says untrusted, and the annotation leaves untrusted out");
    if (labels && label.integrity == TRUSTED && untrusted && check_claims_is_true(untrusted))
        add_ref(look, CODE_TA15, SEVERITY_LOW, e,
                "the record says trusted, and the annotation is stricter");
    if (!labels && !(sensitive && check_claims_is_true(sensitive)))
        add_ref(look, CODE_DC01, private ? SEVERITY_LOW : SEVERITY_INFO, e,
                "a data class is given without sensitive: true");
}

static const struct {
    const char *verdict;
    enum code code;
    int severity;
    const char *what;
} verdict_findings[] = {
    {"digest_mismatch", CODE_EV01, SEVERITY_DEFAULT, "the record held does not hash to the digest"},
    {"canonicalization_mismatch", CODE_EV02, SEVERITY_DEFAULT,
     "the digest fits the record under the other canonicalization only"},
    {"unresolved_ref", CODE_EV03, SEVERITY_DEFAULT, "the record that is referred to is not held"},
    {"unresolvable_digest_only", CODE_EV03, SEVERITY_INFO,
     "only a digest is given, and no record held has it"},
    {"malformed_record", CODE_EV04, SEVERITY_DEFAULT, "the record may not be hashed"},
    {"schema_mismatch", CODE_EV05, SEVERITY_DEFAULT, "the record does not fit its schema"},
    {"unsupported_canonicalization", CODE_EV06, SEVERITY_DEFAULT,
     "the canonicalization is not one that we have"},
    {"unsupported_algorithm", CODE_EV06, SEVERITY_DEFAULT,
     "the digest's algorithm is unknown or too weak"},
};

void check_evidence(struct look *look)
{
    const struct replay_input *in = look->input;
    for (size_t i = 0; i < in->evidence_count; i++) {
        const struct evidence_input *e = &in->evidence[i];
        look_at_ref(look, e);
        if (e->type.len && !known_type(e->type))
            add_ref(look, CODE_TA07, SEVERITY_DEFAULT, e, "a type of evidence that is not known");
        if (!e->verdict)
            continue;
        for (size_t j = 0; j < COUNT_OF(verdict_findings); j++)
            if (strcmp(e->verdict, verdict_findings[j].verdict) == 0)
                add_ref(look, verdict_findings[j].code, verdict_findings[j].severity, e,
                        verdict_findings[j].what);
        if (strcmp(e->verdict, "recomputed") == 0 && look->step->kind != STEP_TOOL_CALL)
            compare_record(look, e);
    }
}
