/*
 * The one place where a person's text is made from what a replay says. Each
 * rule has its sentence; %s is the operand from data, %l the label, made safe.
 */
#include "base/text.h"
#include "model/flow/replay.h"

static const struct {
    const char *rule, *sentence;
} sentences[] = {
    {"TA.untrusted", "the server claims untrusted: %s (trust-annotations)"},
    {"TA.sensitive", "the server claims sensitive: %s (trust-annotations)"},
    {"TA.annotation", "the trust annotation is %s"},
    {"IFC.integrity", "the server's label says integrity %s (ifc-fides)"},
    {"IFC.confidentiality", "the server's label says confidentiality %s (ifc-fides)"},
    {"IFC.labels", "the server labels a part of the result %s"},
    {"IFC.label", "the server's label is %s"},
    {"SEP1913.openWorldHint", "the result's openWorldHint is %s (SEP-1913)"},
    {"SEP1913.maliciousActivityHint", "the result's maliciousActivityHint is %s (SEP-1913)"},
    {"SEP1913.privateHint", "the result's privateHint is %s (SEP-1913)"},
    {"SEP1913.sensitivity", "the result's sensitivity is %s (SEP-1913)"},
    {"malformed.closed", "a malformed claim (%s) is taken at its worst: %l"},
    {"malformed.ignored", "a malformed claim (%s) is ignored, as the policy says"},
    {"evidence.record", "the record behind an evidence reference of type %s was re-derived: %l"},
    {"evidence.failed",
     "the evidence reference of type %s does not re-derive, and is taken at its worst: %l"},
    {"evidence.ignored",
     "the evidence reference of type %s does not re-derive, and is ignored, as the policy says"},
    {"sub-agent", "the answer of a sub-agent carries the label that its context ended with: %l"},
    {"policy", "the policy assumes %l (%s)"},
    {"catalogue", "the catalogue of well-known tools assumes %l (%s)"},
    {"unlabelled.untrusted",
     "nothing is claimed, and the policy takes what is unlabelled for untrusted"},
    {"unlabelled.hint", "nothing is claimed; by the tool's openWorldHint it is %l"},
    {"no-claim",
     "nothing is claimed and nothing assumed: it adds nothing to the label and is counted as unclaimed"},
    {"no-rule", "nothing is claimed and no rule assumes anything"},
    {"prompt", "the user's and the system's words are trusted and public"},
    {"context.widened",
     "the context holds so many private things that they are taken together by server"},
    {"reset.clear", "the context was cleared: a new one begins"},
    {"reset.compaction", "the context was compacted: the summary keeps its label, %l"},
    {"role.policy", "its role is set by the policy (%s)"},
    {"role.catalogue", "its role is that of a well-known tool (%s)"},
    {"role.hint", "its role follows the hints of its definition"},
    {ROLE_DISTRUSTED,
     "its server is not among the trusted ones, so that its hints are not relied upon: it writes, and its world is open"},
    {"role.default",
     "its definition has no hints, so that the defaults of MCP are assumed: it writes, and its world is open"},
    {"role.rendering", "the answer holds a link to %s: showing it tells that host"},
    {"role.named", "the user's prompt names where it goes"},
    {"role.unnamed", "no prompt of the user names where it goes, so that the context chose it"},
    {"audience.assumed", "who reads it is not known, so that everybody is assumed"},
    {"P-F.readers", "%s is not among the readers of the context"},
    {"P-F.endorsed", "%s is named by a prompt, which counts as permission"},
    {"P-F.followed",
     "the address at %s stands word for word in what came in, and tells it nothing"},
    {"P-F.owner", "%s is the user, who may read what is private here"},
    {"directory", "a directory says who is meant by a name in the user's prompt (%s)"},
    {"mode.warn", "the policy only warns: what it would deny is asked"},
    {"mode.audit", "the policy only audits: what it would deny is allowed"},
};

static void add_sentence(struct buf *out, const struct label_pool *pool, const char *sentence,
                         const struct reason *reason)
{
    enum { OPERAND_MAX = 200 };
    for (; *sentence; sentence++) {
        if (sentence[0] == '%' && sentence[1] == 's') {
            text_safe(out, span_sub(reason->text, 0, OPERAND_MAX));
            if (reason->text.len > OPERAND_MAX)
                buf_puts(out, "…");
            sentence++;
        } else if (sentence[0] == '%' && sentence[1] == 'l') {
            label_text(out, pool, reason->label);
            sentence++;
        } else {
            buf_byte(out, *sentence);
        }
    }
}

static void trusted_action_sentence(struct buf *out, const struct reason *reason)
{
    if (reason->verdict == VERDICT_ALLOW)
        buf_puts(out, "P-T holds: nothing in the context is labelled untrusted");
    else
        buf_puts(out, "P-T fails: the context is untrusted, so that whoever wrote to it may have "
                      "chosen this call");
}

static void permitted_flow_sentence(struct buf *out, const struct label_pool *pool,
                                    const struct reason *reason)
{
    bool everybody = span_is(reason->text, "public");
    switch (reason->verdict) {
    case VERDICT_ALLOW:
        buf_puts(out, "P-F holds: ");
        if (label_is_public(reason->label)) {
            buf_puts(out, "nothing in the context is labelled private");
            break;
        }
        text_safe(out, everybody ? SPAN("everybody") : reason->text);
        buf_puts(out, " may read all that the context holds");
        break;
    case VERDICT_ASK:
        buf_puts(out, "P-F can't be decided: nobody says who may read what the context holds (");
        label_text(out, pool, reason->label);
        buf_puts(out, "), and it would go to ");
        text_safe(out, reason->text);
        break;
    default:
        buf_puts(out, "P-F fails: ");
        text_safe(out, everybody ? SPAN("not everybody") : reason->text);
        buf_puts(out, everybody ? " may read what the context holds ("
                                : " may not read what the context holds (");
        label_text(out, pool, reason->label);
        buf_puts(out, ")");
        break;
    }
}

static void marker_sentence(struct buf *out, const struct reason *reason)
{
    text_safe(out, reason->text);
    buf_puts(out, reason->verdict == VERDICT_ASK
                      ? " is private, and the policy doesn't resolve who may read it"
                      : " is private, and its readers are not known to include the audience");
}

void reason_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                     const struct reason *reason)
{
    (void)step;
    if (strcmp(reason->rule, "P-T") == 0) {
        trusted_action_sentence(out, reason);
        return;
    }
    if (strcmp(reason->rule, "P-F") == 0) {
        permitted_flow_sentence(out, pool, reason);
        return;
    }
    if (strcmp(reason->rule, "P-F.marker") == 0) {
        marker_sentence(out, reason);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(sentences); i++)
        if (strcmp(sentences[i].rule, reason->rule) == 0) {
            add_sentence(out, pool, sentences[i].sentence, reason);
            return;
        }
    buf_puts(out, reason->rule);
}

/* ---- one sentence for a step ---- */

static void who(struct buf *out, const struct step *step)
{
    if (step->server.len) {
        text_safe(out, step->server);
        if (step->tool.len)
            buf_byte(out, '.');
    }
    text_safe(out, span_sub(step->tool, 0, 200));
}

static const char *what(enum step_kind kind)
{
    switch (kind) {
    case STEP_PROMPT:
        return "The prompt";
    case STEP_TOOL_RESULT:
        return "The result of ";
    case STEP_DEFINITIONS:
        return "The definitions of ";
    case STEP_INSTRUCTIONS:
        return "The instructions of ";
    case STEP_RESOURCE:
        return "The resource ";
    case STEP_PROMPT_GET:
        return "The prompt of ";
    case STEP_SAMPLING:
        return "The sampling request of ";
    default:
        return "";
    }
}

static void context_sentence(struct buf *out, const struct label_pool *pool,
                             const struct replay_out *result)
{
    bool integrity = result->after.integrity != result->before.integrity;
    bool readers = result->after.readers != result->before.readers ||
                   result->after.markers != result->before.markers;
    const char *turns =
        integrity && readers && !label_is_private(result->before)
            ? "; with it the context turns untrusted and private"
        : integrity && !readers ? "; with it the context turns untrusted"
        : integrity             ? "; with it the context turns untrusted, and fewer may read it: "
        : readers && !label_is_private(result->before) ? "; with it the context turns private"
        : readers                                      ? "; fewer may read the context now: "
                                                       : "; the context is unchanged";
    buf_puts(out, turns);
    if (readers &&
        label_is_private(result->before)) /* how it turned is what was said of the item */
        label_text(out, pool, result->after);
}

static void content_sentence(struct buf *out, const struct label_pool *pool,
                             const struct step *step, const struct replay_out *result)
{
    bool several = step->kind == STEP_DEFINITIONS || step->kind == STEP_INSTRUCTIONS;
    bool system = step->kind == STEP_PROMPT && step->tool.len;
    buf_puts(out, system ? "The system prompt" : what(step->kind));
    if (step->kind != STEP_PROMPT)
        who(out, step);
    if (result->origin == ORIGIN_NONE) {
        buf_puts(out, system                      ? " is the host's own"
                      : step->kind == STEP_PROMPT ? " is the user's own"
                      : several                   ? " have no label"
                                                  : " has no label");
    } else {
        buf_puts(out, several ? " are " : " is ");
        label_text(out, pool, result->label);
        buf_addf(out, " (%s%s%s)", label_origin_word(result->origin), result->rule ? ", " : "",
                 result->rule ? result->rule : "");
    }
    context_sentence(out, pool, result);
    buf_byte(out, '.');
}

static const struct reason *replay_text_reason_find(const struct replay_out *result,
                                                    const char *rule)
{
    for (size_t i = 0; i < result->reason_count; i++)
        if (strcmp(result->reasons[i].rule, rule) == 0)
            return &result->reasons[i];
    return NULL;
}

/* "Denied by policy, yet carried out": a verdict is what the policy says, not what happened. */
static void verdict_clause(struct buf *out, enum verdict verdict, enum outcome outcome)
{
    static const char *const verdicts[] = {"", "Allowed", "To be asked about", "Denied by policy"};
    static const char *const outcomes[] = {
        [OUTCOME_NONE] = "",
        [OUTCOME_COMPLETED] = ", and carried out",
        [OUTCOME_FAILED] = ", and failed",
        [OUTCOME_REFUSED] = ", and refused",
        [OUTCOME_UNANSWERED] = ", and no answer is recorded",
    };
    buf_puts(out, verdicts[verdict]);
    buf_puts(out, verdict == VERDICT_DENY && outcome == OUTCOME_COMPLETED ? ", yet carried out"
                                                                          : outcomes[outcome]);
    buf_puts(out, ": ");
}

static void role_clause(struct buf *out, const struct step *step, const struct replay_out *result)
{
    if (step->kind == STEP_ASSISTANT)
        buf_puts(out, "the answer holds a link");
    else
        who(out, step);
    if (!result->role)
        buf_puts(out, " changes nothing and sends nothing out");
    else if (result->role == ROLE_CONSEQUENTIAL)
        buf_puts(out, " has consequences");
    else if (result->role == ROLE_EGRESS)
        buf_puts(out, step->kind == STEP_ASSISTANT ? ", which lets something out"
                                                   : " lets something out");
    else
        buf_puts(out, " has consequences and lets something out");
    if (result->role & ROLE_EGRESS) {
        buf_puts(out, " to ");
        text_safe(out, span_is(result->audience, "public") ? SPAN("everybody") : result->audience);
        if (result->audience_assumed)
            buf_puts(out, " (assumed)");
    }
}

/* Where the context got so, for a person who asks what to look at next. */
static void since_clause(struct buf *out, int64_t first)
{
    if (first > 0)
        buf_addf(out, " since step %lld", (long long)first);
}

static void trusted_action_clause(struct buf *out, const struct replay_out *result)
{
    buf_puts(out, ". The context is untrusted");
    since_clause(out, result->first_untrusted);
    buf_puts(out, ": whoever wrote to it may have chosen this (P-T)");
}

static void permitted_flow_clause(struct buf *out, const struct replay_out *result,
                                  const struct reason *reason, bool named)
{
    bool everybody = span_is(reason->text, "public");
    buf_puts(out, named ? ". It holds private text" : ". The context holds private text");
    since_clause(out, result->first_private);
    if (reason->verdict == VERDICT_ASK) {
        buf_puts(out, ", and nobody says who may read it (P-F)");
        return;
    }
    buf_puts(out, " that ");
    text_safe(out, everybody ? SPAN("not everybody") : span_sub(reason->text, 0, 200));
    buf_puts(out, everybody ? " may read (P-F)" : " may not read (P-F)");
}

static void sink_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                          const struct replay_out *result)
{
    const struct reason *action = replay_text_reason_find(result, "P-T");
    const struct reason *flow = replay_text_reason_find(result, "P-F");
    bool allowed = result->verdict == VERDICT_ALLOW;
    /* both are always computed; what the policy does not ask of this call is no reason */
    bool acted = result->asked & ASKED_TRUSTED_ACTION && action && action->verdict != VERDICT_ALLOW;
    bool flowed = result->asked & ASKED_PERMITTED_FLOW && flow && flow->verdict != VERDICT_ALLOW;
    verdict_clause(out, result->verdict, step->outcome);
    role_clause(out, step, result);
    if (acted && !allowed) {
        trusted_action_clause(out, result);
    } else if (action && allowed && result->role & ROLE_CONSEQUENTIAL) {
        buf_puts(out, "; ");
        reason_sentence(out, pool, step, action);
    }
    if (flowed && !allowed) {
        permitted_flow_clause(out, result, flow, acted);
    } else if (flow && allowed && result->role & ROLE_EGRESS) {
        buf_puts(out, "; ");
        reason_sentence(out, pool, step, flow);
    }
    buf_byte(out, '.');
}

void replay_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                     const struct replay_out *result)
{
    if (result->has_label) {
        content_sentence(out, pool, step, result);
    } else if (result->verdict != VERDICT_NONE) {
        sink_sentence(out, pool, step, result);
    } else if (step->kind == STEP_RESET && result->reason_count) {
        struct buf text = {0};
        reason_sentence(&text, pool, step, &result->reasons[0]);
        if (text.len) {
            buf_byte(out,
                     (char)(text.at[0] >= 'a' && text.at[0] <= 'z' ? text.at[0] - 32 : text.at[0]));
            buf_add(out, span_sub(buf_span(&text), 1, text.len));
            buf_byte(out, '.');
        }
        buf_finish(&text);
    } else {
        buf_puts(out, step->kind == STEP_ASSISTANT
                          ? "The model's own words, and no address in them."
                          : "It brings nothing into the context and asks for nothing.");
    }
}
