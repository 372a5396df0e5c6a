/* What the host says of its own context in the _meta of a call, against what the context had taken
 * in by then (IF06, S13). */
#include "model/findings/check_internal.h"

/* ---- the label of the context ---- */

static struct span label_operand(const struct look *look, const char *name)
{
    for (size_t i = 0; i < look->input->claim_count; i++) {
        const struct claim *claim = &look->input->claims[i];
        if (claim->shape == CLAIM_IFC && span_is(claim->name, name))
            return claim->value;
    }
    return SPAN_EMPTY;
}

/* Readers are named who may not read the context. What an opaque marker stands for is not known, so
 * that a list may well be what the host resolved it to. */
static bool names_more_readers(const struct look *look, struct span value)
{
    struct label_pool *pool = look->checks->pool;
    struct claim claim = {
        .shape = CLAIM_IFC, .block = -1, .name = SPAN("confidentiality"), .value = value};
    struct label said, known = look->out->before;
    known.markers = 0;
    known.integrity = TRUSTED;
    return jsonr_is_array(value) &&
           claim_label(pool, &claim, SPAN_EMPTY, true, &said) == SENSE_LABEL &&
           !label_flows_to(pool, known, said);
}

static void check_request_lower(const struct look *look, int64_t step, const char *said,
                                const char *is)
{
    const struct finding_evidence evidence[] = {evidence_here(look, SPAN("/params/_meta/ifc")),
                                                {.n = step, .pointer = SPAN_EMPTY}};
    finding_add(look, CODE_IF06, SEVERITY_DEFAULT, evidence, 1 + (step > 0),
                "the host calls its context %s, and by step %lld it was %s", said, (long long)step,
                is);
}

void check_context_label(const struct look *look)
{
    const struct replay_out *out = look->out;
    if (look->step->kind != STEP_TOOL_CALL || !out)
        return;
    struct span integrity = label_operand(look, "integrity");
    struct span readers = label_operand(look, "confidentiality");
    if (jsonr_string_is(integrity, "trusted") && out->before.integrity == UNTRUSTED)
        check_request_lower(look, out->first_untrusted, "trusted", "untrusted");
    if (jsonr_string_is(readers, "public") && label_is_private(out->before))
        check_request_lower(look, out->first_private, "public", "private");
    else if (names_more_readers(look, readers))
        check_request_lower(look, out->first_private, "readable by people",
                            "closed to some of them");
}

/* ---- the hints of SEP-1913 ---- */

/* How sensitive a value of sensitivity or sensitiveHint is: as far as words have an order. */
static int check_request_rank(const struct claim *claim)
{
    static const struct {
        const char *word;
        int rank;
    } words[] = {{"none", 0}, {"public", 0}, {"low", 1}, {"user", 1}, {"high", 3}};
    enum { OTHER = 2 }; /* medium, pii, true, and what else there is */
    if (span_is(claim->value, "false"))
        return 0;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (jsonr_string_is(claim->value, words[i].word))
            return words[i].rank;
    return OTHER;
}

/* What the claims of one step say: 0 where nothing. */
struct hints_said {
    bool any, open_world;
    int sensitive;
};

static struct hints_said hints_said(const struct look *look)
{
    struct hints_said said = {0};
    for (size_t i = 0; i < look->input->claim_count; i++) {
        const struct claim *claim = &look->input->claims[i];
        if (claim->shape != CLAIM_SEP1913 || !claim->value.len)
            continue;
        said.any = true;
        if (span_is(claim->name, "openWorldHint"))
            said.open_world |= span_is(claim->value, "true");
        if (!span_starts_with(claim->name, SPAN("sensitiv")))
            continue;
        int rank = check_request_rank(claim);
        if (rank > said.sensitive)
            said.sensitive = rank;
    }
    return said;
}

static void add_dropped(const struct look *look, enum code code, int64_t step, const char *what)
{
    const struct finding_evidence evidence[] = {
        evidence_here(look, SPAN("/params/_meta/annotations")), {.n = step, .pointer = SPAN_EMPTY}};
    finding_add(look, code, SEVERITY_DEFAULT, evidence, COUNT_OF(evidence), "%s step %lld %s",
                "the hints of the request fall behind what", (long long)step, what);
}

/* A host that sends hints at all has to keep those that came in. */
static void check_request_hints(struct look *look)
{
    struct hints_kept *kept = &look->checks->hints;
    struct hints_said said = hints_said(look);
    if (!said.any)
        return;
    if (look->step->kind == STEP_TOOL_CALL) {
        if (kept->open_world && !said.open_world)
            add_dropped(look, CODE_S1302, kept->open_world, "said: open world");
        if (kept->sensitive > said.sensitive)
            add_dropped(look, CODE_S1304, kept->sensitive_at, "said of how sensitive it is");
    }
    if (said.open_world && !kept->open_world)
        kept->open_world = look->step->n;
    if (said.sensitive > kept->sensitive) {
        kept->sensitive = said.sensitive;
        kept->sensitive_at = look->step->n;
    }
}

void check_request(struct look *look)
{
    if (look->step->kind == STEP_RESET && span_is(look->step->tool, "clear"))
        look->checks->hints = (struct hints_kept){0}; /* a new context */
    check_context_label(look);
    check_request_hints(look);
}
