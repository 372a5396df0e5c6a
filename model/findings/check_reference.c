/*
 * What the reference kit of SEP-1913 would have said: its six rules, each on
 * its own, under the policy's mode (audit, warn, enforce). They look at what a
 * tool's definition says of itself (sensitivity of what it takes and gives,
 * destructiveHint, maliciousActivityHint), at where a call goes, and at what the
 * session has taken in.
 */
#include "model/findings/check_internal.h"
#include "model/flow/policy_rules.h"

enum effect { EFFECT_WARN, EFFECT_ESCALATE, EFFECT_BLOCK };

/* What the rules ask of a call. */
struct asked_of_rules {
    struct trust_hints tool;
    bool leaves, to_everybody;          /* it lets something out; to whoever */
    bool open_world, session_sensitive; /* what came in before it */
    bool forwards;                      /* text of a private item is in its arguments */
};

static bool malicious(const struct asked_of_rules *a)
{
    return a->tool.malicious;
}

static bool credentials_to_public(const struct asked_of_rules *a)
{
    return a->to_everybody && a->tool.sensitivity >= SENSITIVITY_CREDENTIALS;
}

static bool regulated_to_external(const struct asked_of_rules *a)
{
    return a->leaves && a->tool.regulated;
}

static bool openworld_to_sensitive_write(const struct asked_of_rules *a)
{
    return a->open_world && a->tool.destructive && a->tool.sensitivity >= SENSITIVITY_PII;
}

static bool session_sensitivity(const struct asked_of_rules *a)
{
    return a->leaves && a->session_sensitive;
}

static bool pii_forward(const struct asked_of_rules *a)
{
    return a->forwards;
}

static const struct {
    const char *name;
    enum effect effect;
    bool (*speaks)(const struct asked_of_rules *asked);
    const char *why;
} reference_rules[] = {
    {"block-malicious-activity", EFFECT_BLOCK, malicious, "the tool is flagged as malicious"},
    {"block-credentials-to-public", EFFECT_BLOCK, credentials_to_public,
     "credentials would go to everybody"},
    {"block-regulated-to-external", EFFECT_BLOCK, regulated_to_external,
     "regulated data would leave"},
    {"block-openworld-to-sensitive-write", EFFECT_BLOCK, openworld_to_sensitive_write,
     "untrusted content came in, and the tool destroys what is sensitive"},
    {"escalate-session-sensitivity", EFFECT_ESCALATE, session_sensitivity,
     "the session holds private data, and the call lets something out"},
    {"warn-pii-forward", EFFECT_WARN, pii_forward, "text of a private item is passed on"},
};

/* What the mode makes of an effect. */
static const char *effect_word(enum policy_mode mode, enum effect effect)
{
    static const char *const words[] = {
        [EFFECT_WARN] = "warns", [EFFECT_ESCALATE] = "asks a person", [EFFECT_BLOCK] = "blocks"};
    if (mode == MODE_AUDIT)
        return "notes";
    return mode == MODE_WARN ? "warns" : words[effect];
}

void check_reference(struct look *look)
{
    const struct policy *policy = look->checks->policy;
    const struct replay_out *out = look->out;
    if (!policy->reference_rules || look->step->kind != STEP_TOOL_CALL || !out)
        return;
    bool leaves = out->role & ROLE_EGRESS;
    const struct asked_of_rules asked = {.tool = tool_trust_hints(look),
                                         .leaves = leaves,
                                         .to_everybody = leaves && span_is(out->audience, "public"),
                                         .open_world = out->before.integrity == UNTRUSTED,
                                         .session_sensitive = label_is_private(out->before),
                                         .forwards = look->text_left};
    for (size_t i = 0; i < COUNT_OF(reference_rules); i++) {
        if (!reference_rules[i].speaks(&asked))
            continue;
        struct finding_evidence here = evidence_here(look, SPAN_EMPTY);
        bool blocks = reference_rules[i].effect == EFFECT_BLOCK && policy->mode == MODE_ENFORCE;
        const struct finding *f = finding_add(
            look, CODE_S1310, blocks ? SEVERITY_MEDIUM : SEVERITY_DEFAULT, &here, 1, "%s %s: %s",
            reference_rules[i].name, effect_word(policy->mode, reference_rules[i].effect),
            reference_rules[i].why);
        finding_by_rule(look, f, span_of(reference_rules[i].name));
    }
}
