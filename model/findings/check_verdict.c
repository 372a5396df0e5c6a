/* What the policy said of a call, and what really happened (PT, PF, IF08–IF10, R2). */
#include "base/ascii.h"
#include "base/text.h"
#include "model/findings/check_internal.h"

static const struct reason *check_verdict_reason_find(const struct replay_out *out,
                                                      const char *rule)
{
    for (size_t i = 0; i < out->reason_count; i++)
        if (strcmp(out->reasons[i].rule, rule) == 0)
            return &out->reasons[i];
    return NULL;
}

/* A violation that was stopped is no incident; one that only a person was to look at is less. */
static int severity_of_violation(const struct look *look)
{
    if (look->step->outcome == OUTCOME_REFUSED)
        return SEVERITY_LOW;
    if (look->out->verdict != VERDICT_DENY || look->step->outcome == OUTCOME_FAILED)
        return SEVERITY_MEDIUM;
    return SEVERITY_HIGH;
}

/* "github.create_branch", or what the assistant showed. */
static void name_call(struct buf *out, const struct step *step)
{
    if (step->kind == STEP_ASSISTANT) {
        buf_puts(out, "the answer's link");
        return;
    }
    if (step->server.len) {
        text_safe(out, span_sub(step->server, 0, 100));
        buf_byte(out, '.');
    }
    text_safe(out, span_sub(step->tool, 0, 100));
}

static const char *happened(const struct step *step)
{
    switch (step->outcome) {
    case OUTCOME_COMPLETED:
        return "; it was carried out";
    case OUTCOME_REFUSED:
        return "; it was refused";
    case OUTCOME_FAILED:
        return "; it failed";
    case OUTCOME_UNANSWERED:
        return "; no answer is recorded";
    default:
        return "";
    }
}

/* Evidence: the call, and where the context got to be what it is. */
static size_t violation_evidence(const struct look *look, int64_t since,
                                 struct finding_evidence evidence[2])
{
    evidence[0] = evidence_here(look, SPAN_EMPTY);
    evidence[1] = (struct finding_evidence){.n = since, .pointer = SPAN_EMPTY};
    return since ? 2 : 1;
}

static void check_verdict_trusted_action(struct look *look, const char *call)
{
    struct finding_evidence evidence[2];
    int64_t since = look->out->first_untrusted;
    size_t count = violation_evidence(look, since, evidence);
    finding_add(look, CODE_PT01, severity_of_violation(look), evidence, count,
                "%s has consequences, and the context is untrusted since step %lld%s", call,
                (long long)since, happened(look->step));
    look->policy_finding = (int)look->checks->count;
}

static void check_verdict_permitted_flow(struct look *look, const char *call)
{
    struct finding_evidence evidence[2];
    const struct replay_out *out = look->out;
    int64_t since = out->first_private;
    size_t count = violation_evidence(look, since, evidence);
    const struct reason *why = check_verdict_reason_find(out, "P-F");
    struct buf audience = {0};
    struct span to = why ? why->text : out->audience;
    bool everybody = span_is(to, "public");
    buf_puts(&audience, "goes out to ");
    if (everybody)
        buf_puts(&audience, out->audience_assumed ? "everybody (assumed)" : "everybody");
    else
        text_safe(&audience, span_sub(to, 0, 200));
    if (out->permitted_flow == VERDICT_DENY) {
        finding_add(look, CODE_PF01, severity_of_violation(look), evidence, count,
                    "%s %s, %s private since step %lld%s", call, buf_cstr(&audience),
                    everybody ? "and the context is" : "who may not read the context,",
                    (long long)since, happened(look->step));
        look->policy_finding = (int)look->checks->count;
    } else {
        size_t markers = set_size(look->checks->pool, out->before.markers);
        bool refused = look->step->outcome == OUTCOME_REFUSED;
        finding_add(look, markers > 1 ? CODE_IF09 : CODE_PF02,
                    refused ? SEVERITY_LOW : SEVERITY_DEFAULT, evidence, count,
                    "%s %s, and the policy doesn't say who may read what the context holds "
                    "(%zu private %s)%s",
                    call, buf_cstr(&audience), markers, markers == 1 ? "source" : "sources",
                    happened(look->step));
    }
    buf_finish(&audience);
}

/* [F] "When a label is absent, the host falls back to its default": say so, once a session. */
static void allowed_for_want(struct look *look, const char *call)
{
    struct finding_evidence here = evidence_here(look, SPAN_EMPTY);
    long long count = look->out->unclaimed;
    if (look->checks->unlabelled_told)
        return;
    look->checks->unlabelled_told = true;
    finding_add(look, CODE_IF08, SEVERITY_DEFAULT, &here, 1,
                "%s is allowed by default: %lld %s came into the context without a label, and "
                "nothing is assumed of %s",
                call, count, count == 1 ? "result" : "results", count == 1 ? "it" : "them");
}

static void rule_of_two(struct look *look, const char *call)
{
    const struct replay_out *out = look->out;
    if (look->checks->rule_of_two_told || out->before.integrity != UNTRUSTED ||
        !label_is_private(out->before) || look->step->outcome == OUTCOME_REFUSED)
        return;
    look->checks->rule_of_two_told = true;
    struct finding_evidence evidence[3] = {
        evidence_here(look, SPAN_EMPTY),
        {.n = out->first_untrusted, .pointer = SPAN_EMPTY},
        {.n = out->first_private, .pointer = SPAN_EMPTY},
    };
    finding_add(
        look, CODE_R201, SEVERITY_DEFAULT, evidence, 3,
        "%s is the first act of an agent that holds untrusted input (step %lld) and private "
        "data (step %lld)",
        call, (long long)out->first_untrusted, (long long)out->first_private);
}

/* ---- what steers an agent, or runs by itself ---- */

static const char *const steering[] = {
    "mcp.json",
    ".mcp.json",
    "claude_desktop_config.json",
    ".claude/",
    ".claude.json",
    "CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    ".cursor/",
    ".cursorrules",
    ".codex/",
    ".gemini/",
    ".vscode/",
    ".git/config",
    ".git/hooks/",
    ".github/workflows/",
    ".ssh/",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".npmrc",
    ".pypirc",
    "crontab",
    ".config/autostart/",
};

/* A path is short and stands on one line; a command may have several words. */
static const char *steers(struct span text)
{
    enum { PATH_TEXT = 400 };
    if (text.len > PATH_TEXT || span_find_byte(text, '\n') < text.len)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(steering); i++) {
        struct span name = span_of(steering[i]);
        size_t at = span_find(text, name);
        bool begins = at == 0 || (at < text.len && ascii_is_one_of(text.at[at - 1], "/ \\\"'=~"));
        if (at < text.len && begins)
            return steering[i];
    }
    return NULL;
}

static void look_at_targets(const struct look *look, const char *call)
{
    if (!(look->out->role & ROLE_CONSEQUENTIAL) || look->out->before.integrity != UNTRUSTED ||
        look->step->kind != STEP_TOOL_CALL)
        return;
    const struct strings *strings = look_strings(look);
    for (size_t i = 0; i < strings->count; i++) {
        const char *what = steers(strings->items[i].text);
        if (!what)
            continue;
        struct finding_evidence evidence[2] = {
            evidence_in(look, &strings->items[i], 0, strings->items[i].text.len),
            {.n = look->out->first_untrusted, .pointer = SPAN_EMPTY}};
        finding_add(look, CODE_PT02, severity_of_violation(look), evidence, 2,
                    "%s is about %s, and the context is untrusted since step %lld%s", call, what,
                    (long long)look->out->first_untrusted, happened(look->step));
        return;
    }
}

static void look_at_distrusted(const struct look *look)
{
    const struct hints *hints = &look->step->hints;
    if (look->checks->resumed || !check_verdict_reason_find(look->out, ROLE_DISTRUSTED))
        return; /* labels change nothing of it */
    struct finding_evidence here = evidence_here(look, SPAN_EMPTY);
    struct buf call = {0};
    name_call(&call, look->step);
    finding_add(look, CODE_MC02, SEVERITY_DEFAULT, &here, 1,
                "%s says that %s; its server is not among the policy's trusted_servers, so that "
                "it is judged as one that writes in an open world",
                buf_cstr(&call),
                hints->read_only == TRI_TRUE ? "it only reads" : "its world is closed");
    buf_finish(&call);
}

void check_verdict(struct look *look)
{
    const struct replay_out *out = look->out;
    look_at_distrusted(look);
    if (out->verdict == VERDICT_NONE || !out->role)
        return;
    struct buf call = {0};
    name_call(&call, look->step);
    const char *name = buf_cstr(&call);
    bool violated = out->verdict != VERDICT_ALLOW || check_verdict_reason_find(out, "mode.audit");
    bool egress = out->role & ROLE_EGRESS;
    if (violated && (out->asked & ASKED_TRUSTED_ACTION) && out->trusted_action != VERDICT_ALLOW)
        check_verdict_trusted_action(look, name);
    if (violated && (out->asked & ASKED_PERMITTED_FLOW) && out->permitted_flow != VERDICT_ALLOW)
        check_verdict_permitted_flow(look, name);
    if (!violated && egress && out->permitted_flow == VERDICT_DENY &&
        look->step->outcome != OUTCOME_REFUSED) {
        struct finding_evidence here = evidence_here(look, SPAN_EMPTY);
        finding_add(look, CODE_IF10, SEVERITY_DEFAULT, &here, 1,
                    "%s lets private data out; the policy allows it since the context is trusted",
                    name);
    }
    if (!violated && out->unclaimed)
        allowed_for_want(look, name);
    look_at_targets(look, name);
    rule_of_two(look, name);
    buf_finish(&call);
}
