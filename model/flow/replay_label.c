/* Content that comes in: its label, where that came from, and the context with it (model.md §3). */
#include <stdio.h>

#include "base/jsonr.h"
#include "model/flow/replay_internal.h"

/* What is known of one piece of content so far. */
struct gathering {
    struct label label;
    bool usable;           /* something well-formed was claimed about the whole */
    bool closed;           /* something malformed was joined at its worst */
    bool verified, failed; /* evidence that re-derived; that should have and didn't */
    bool integrity_said, readers_said;
    const char *rule; /* the first that brought something in; before there is one, the first */
    bool brought;
};

static void contribute(struct pass *p, struct gathering *g, struct reason reason)
{
    g->label = label_join(p->replay->pool, g->label, reason.label);
    bool brings = !label_equal(reason.label, LABEL_PUBLIC);
    if (!g->rule || (brings && !g->brought))
        g->rule = reason.rule;
    g->brought = g->brought || brings;
    replay_reason(p, reason);
}

/* `server:resource` where the rules say what the arguments name, the URI of a resource, else
 * `server#step`: two results are not the same private thing unless something says so. */
static struct span own_marker(const struct pass *p, enum content_kind kind)
{
    const struct step *step = p->in->step;
    struct span marker = SPAN_EMPTY;
    if (kind == CONTENT_RESULT)
        marker = replay_resource(p, p->in->call_body, p->in->has_call_body);
    if (marker.len)
        return marker;
    struct span server = replay_server(step);
    bool uri = kind == CONTENT_RESOURCE && step->tool.len;
    char number[24];
    int digits = snprintf(number, sizeof number, "#%lld", (long long)step->n);
    struct span tail = uri ? step->tool : (struct span){number, (size_t)digits};
    char *text = arena_alloc(&p->replay->scratch, server.len + tail.len + 1);
    memcpy(text, server.at, server.len);
    if (uri)
        text[server.len] = ':';
    memcpy(text + server.len + uri, tail.at, tail.len);
    return (struct span){text, server.len + uri + tail.len};
}

/* ---- claims ---- */

static const char *claim_rule(const struct claim *claim)
{
    static const struct {
        const char *name, *rule;
    } rules[] = {
        {"untrusted", "TA.untrusted"},
        {"sensitive", "TA.sensitive"},
        {"integrity", "IFC.integrity"},
        {"confidentiality", "IFC.confidentiality"},
        {"openWorldHint", "SEP1913.openWorldHint"},
        {"maliciousActivityHint", "SEP1913.maliciousActivityHint"},
        {"privateHint", "SEP1913.privateHint"},
        {"sensitivity", "SEP1913.sensitivity"},
        {"sensitiveHint", "SEP1913.sensitivity"},
        {"attribution", "SEP1913.attribution"},
    };
    if (claim->shape == CLAIM_IFC_LABELS)
        return "IFC.labels";
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (span_is(claim->name, rules[i].name))
            return rules[i].rule;
    return claim->shape == CLAIM_TRUST ? "TA.annotation" : "IFC.label";
}

static void note_axes(struct gathering *g, const struct claim *claim)
{
    bool both = claim->shape == CLAIM_IFC_LABELS;
    bool integrity = span_is(claim->name, "untrusted") || span_is(claim->name, "integrity") ||
                     span_is(claim->name, "openWorldHint") ||
                     span_is(claim->name, "maliciousActivityHint");
    g->integrity_said |= both || integrity;
    g->readers_said |= both || !integrity;
}

static void take_claim(struct pass *p, struct gathering *g, const struct claim *claim,
                       struct span marker, enum content_kind kind)
{
    const struct policy *policy = p->replay->policy;
    struct label label;
    if (claim->block >= 0 && !policy->blocks)
        return;
    enum claim_sense sense =
        claim_label(p->replay->pool, claim, marker, policy->reader_lists, &label);
    struct reason reason = {
        .rule = claim_rule(claim), .pointer = claim->pointer, .text = claim->value, .label = label};
    if (sense == SENSE_MALFORMED) {
        reason.rule = policy->malformed_ignored ? "malformed.ignored" : "malformed.closed";
        if (policy->malformed_ignored) {
            reason.label = LABEL_PUBLIC;
            replay_reason(p, reason);
        } else {
            contribute(p, g, reason);
            g->closed = true;
        }
    } else if (sense == SENSE_LABEL) {
        contribute(p, g, reason);
        /* In a slot that the extension doesn't speak of, a claim is heard, but does not stand in
         * for the claim that the result itself lacks. Resources and prompts have no other slot. */
        if (!claim->problem || kind != CONTENT_RESULT) {
            g->usable = true;
            note_axes(g, claim);
        }
    }
}

/* ---- evidence ---- */

/* Below the class from which a policy takes data for private, only the tags are kept. */
static void lower_class(const struct pass *p, struct label *label)
{
    if (label->class && label->class < p->replay->policy->private_from && !label->other_classes)
        label->markers = 0;
}

static bool verdict_is_failure(const char *verdict)
{
    static const char *const words[] = {"digest_mismatch", "canonicalization_mismatch",
                                        "schema_mismatch", "malformed_record"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcmp(verdict, words[i]) == 0)
            return true;
    return false;
}

static void replay_label_take_evidence(struct pass *p, struct gathering *g,
                                       const struct evidence_input *e, struct span marker)
{
    const struct policy *policy = p->replay->policy;
    struct label_pool *pool = p->replay->pool;
    struct reason reason = {.rule = "evidence.record",
                            .text = e->type,
                            .pointer = e->ref ? e->ref->pointer : SPAN_EMPTY};
    if ((e->block >= 0 && !policy->blocks) || !e->verdict)
        return;
    if (strcmp(e->verdict, "recomputed") == 0) {
        enum claim_sense sense =
            record_label(pool, e->type, e->record, marker, policy->reader_lists, &reason.label);
        if (sense == SENSE_NOTHING)
            return;
        if (sense == SENSE_LABEL) {
            lower_class(p, &reason.label);
            contribute(p, g, reason);
            g->usable = g->verified = g->readers_said = true;
            g->integrity_said |= span_is(e->type, "ifc.fides.v1");
            return;
        }
    } else if (!verdict_is_failure(e->verdict) ||
               !record_label_closed(pool, e->type, marker, &reason.label)) {
        return;
    }
    g->failed = true;
    reason.rule = policy->malformed_ignored ? "evidence.ignored" : "evidence.failed";
    if (policy->malformed_ignored) {
        reason.label = LABEL_PUBLIC;
        replay_reason(p, reason);
    } else {
        contribute(p, g, reason);
        g->closed = true;
    }
}

/* ---- a sub-agent's answer ---- */

/* A `server#step` of the sub-agent's context counts its steps: in this context it is named by the
 * call that ran it ("fetch#12.5"), or it would be taken for our own step 5. */
static struct label child_label(const struct pass *p)
{
    struct label label = p->in->child_label;
    struct label_pool *pool = p->replay->pool;
    set_id renamed = 0;
    struct buf text = {0};
    for (size_t i = 0; i < set_size(pool, label.markers); i++) {
        struct span marker = set_member(pool, label.markers, i);
        size_t hash = marker.len;
        while (hash && marker.at[hash - 1] != '#' && marker.at[hash - 1] != ':')
            hash--;
        if (hash && marker.at[hash - 1] == '#') {
            buf_clear(&text);
            buf_add(&text, span_sub(marker, 0, hash));
            buf_addf(&text, "%lld.", (long long)p->in->step->call_n);
            buf_add(&text, span_sub(marker, hash, marker.len));
            marker = buf_span(&text);
        }
        renamed = set_add(pool, renamed, marker);
    }
    buf_finish(&text);
    label.markers = renamed;
    return label;
}

/* ---- assumptions ---- */

static bool hint_says_trusted(const struct pass *p)
{
    const struct hints *hints = &p->in->step->hints;
    return hints->defined && hints->open_world == TRI_FALSE &&
           policy_trusts_hints(p->replay->policy, p->in->step->server);
}

/* The hint of the tool's definition, where the policy goes by it. */
static bool hint_says_untrusted(const struct pass *p)
{
    const struct hints *hints = &p->in->step->hints;
    if (hints->defined && hints->open_world == TRI_TRUE)
        return true;
    if (hint_says_trusted(p))
        return false;
    return p->replay->policy->unlabelled == UNLABELLED_BY_HINT_OR_UNTRUSTED;
}

/* Explicit rule, catalogue, then `unlabelled`, which is about what tools, resources and prompts
 * give. False where nothing is assumed. */
static bool assumption(const struct pass *p, enum content_kind kind, struct span marker,
                       struct reason *reason)
{
    const struct policy *policy = p->replay->policy;
    const struct rule *rule =
        replay_rule(p, ASPECT_LABEL, 1u << kind, p->in->call_body, p->in->has_call_body);
    *reason = (struct reason){.label = LABEL_PUBLIC};
    if (rule) {
        reason->rule = replay_rule_is_catalogue(p, rule) ? "catalogue" : "policy";
        reason->text = rule->name;
        reason->label = replay_rule_label(p, rule, marker);
        return true;
    }
    if (kind != CONTENT_RESULT && kind != CONTENT_RESOURCE && kind != CONTENT_PROMPT)
        return false;
    switch (policy->unlabelled) {
    case UNLABELLED_NO_CLAIM:
        return false;
    case UNLABELLED_UNTRUSTED:
        reason->rule = "unlabelled.untrusted";
        reason->label.integrity = UNTRUSTED;
        return true;
    default:
        if (hint_says_untrusted(p)) {
            reason->rule = "unlabelled.hint";
            reason->label.integrity = UNTRUSTED;
            return true;
        }
        reason->rule = "unlabelled.hint";
        return hint_says_trusted(p);
    }
}

/* Of an assumed label only the axes that no claim spoke of. */
static struct label open_axes(const struct gathering *g, struct label label)
{
    struct label kept = LABEL_PUBLIC;
    if (!g->integrity_said)
        kept.integrity = label.integrity;
    if (!g->readers_said) {
        kept = label;
        if (g->integrity_said)
            kept.integrity = TRUSTED;
    }
    return kept;
}

/* ---- the context ---- */

/*
 * A context can take in a private thing a step for as long as a session lasts.
 * Beyond this many, the markers of a server become one, `server#*` or
 * `server:*`: that never permits more than the many did, since nobody resolves
 * it, and keeps the state small.
 */
enum { MARKERS_MAX = 128 };

/* The marker that a marker is part of. False where it has neither a step nor a resource. */
static bool widened(const struct pass *p, struct span marker, struct span *wide)
{
    size_t at = span_find_byte(marker, ':');
    if (at == marker.len)
        at = span_find_byte(marker, '#');
    if (at == marker.len)
        return false;
    char *text = arena_alloc(&p->replay->scratch, at + 2);
    memcpy(text, marker.at, at + 1);
    text[at + 1] = '*';
    *wide = (struct span){text, at + 2};
    return true;
}

static struct label keep_small(const struct pass *p, struct label label)
{
    struct label_pool *pool = p->replay->pool;
    set_id context = p->state->context.markers, kept = 0;
    size_t size = set_size(pool, label.markers);
    bool full = set_size(pool, context) + size > MARKERS_MAX;
    /* A context that was widened stays so. */
    for (size_t i = 0; i < size; i++) {
        struct span marker = set_member(pool, label.markers, i), wide;
        if (widened(p, marker, &wide) && (full || set_has(pool, context, wide)))
            marker = wide;
        kept = set_add(pool, kept, marker);
    }
    label.markers = kept;
    return label;
}

static void widen_context(struct pass *p)
{
    struct label_pool *pool = p->replay->pool;
    struct label *context = &p->state->context;
    set_id kept = 0;
    for (size_t i = 0; i < set_size(pool, context->markers); i++) {
        struct span marker = set_member(pool, context->markers, i), wide;
        kept = set_add(pool, kept, widened(p, marker, &wide) ? wide : marker);
    }
    context->markers = kept;
    replay_reason(p, (struct reason){.rule = "context.widened", .label = *context});
}

/* Joins a label into the context and notes when it got there. */
static void replay_take(struct pass *p, struct label label)
{
    struct replay_state *state = p->state;
    struct label_pool *pool = p->replay->pool;
    if (label.markers && !set_within(pool, label.markers, state->context.markers)) {
        if (set_size(pool, state->context.markers) + set_size(pool, label.markers) > MARKERS_MAX)
            widen_context(p);
        label = keep_small(p, label);
    }
    state->context = label_join(pool, state->context, label);
    if (!state->first_untrusted && state->context.integrity == UNTRUSTED)
        state->first_untrusted = p->in->step->n;
    if (!state->first_private && label_is_private(state->context))
        state->first_private = p->in->step->n;
}

/* ---- all together ---- */

static enum label_origin replay_label_origin_of(const struct gathering *g, bool assumed)
{
    if (g->usable)
        return g->verified && !g->failed ? ORIGIN_VERIFIED : ORIGIN_CLAIMED;
    return assumed || g->closed ? ORIGIN_ASSUMED : ORIGIN_NONE;
}

static bool counts_as_result(enum content_kind kind)
{
    return kind == CONTENT_RESULT || kind == CONTENT_RESOURCE || kind == CONTENT_PROMPT;
}

void replay_content(struct pass *p, enum content_kind kind)
{
    const struct replay_input *in = p->in;
    struct gathering g = {.label = LABEL_PUBLIC};
    struct reason assumed;
    bool is_assumed = false;
    bool labelled = in->claim_count || in->evidence_count || p->plan->count;
    struct span marker = labelled ? own_marker(p, kind) : SPAN_EMPTY;
    for (size_t i = 0; i < in->claim_count; i++)
        take_claim(p, &g, &in->claims[i], marker, kind);
    for (size_t i = 0; i < in->evidence_count; i++)
        replay_label_take_evidence(p, &g, &in->evidence[i], marker);
    if (in->has_child) {
        contribute(p, &g, (struct reason){.rule = "sub-agent", .label = child_label(p)});
        p->state->unclaimed += in->child_unclaimed;
        is_assumed = true;
    }
    if (!g.usable && !in->has_child && assumption(p, kind, marker, &assumed)) {
        contribute(p, &g, assumed);
        is_assumed = true;
    } else if (g.usable && p->replay->policy->fill && assumption(p, kind, marker, &assumed)) {
        assumed.label = open_axes(&g, assumed.label);
        if (!label_equal(assumed.label, LABEL_PUBLIC))
            contribute(p, &g, assumed);
    }
    p->out->has_label = true;
    p->out->label = g.label;
    p->out->origin = replay_label_origin_of(&g, is_assumed);
    p->out->rule = g.rule;
    if (p->out->origin == ORIGIN_NONE) {
        bool counted = counts_as_result(kind);
        p->state->unclaimed += counted;
        p->out->rule = counted ? "no-claim" : kind <= CONTENT_SAMPLING ? "no-rule" : "prompt";
        replay_reason(p, (struct reason){.rule = p->out->rule, .label = LABEL_PUBLIC});
    }
    replay_take(p, g.label);
}

/* ---- directories ---- */

void replay_directory(struct pass *p)
{
    const struct replay_input *in = p->in;
    if (!p->plan->result_wants_body || !in->has_body || !in->has_call_body ||
        p->out->label.integrity != TRUSTED)
        return;
    const struct rule *rule = replay_rule(p, ASPECT_DIRECTORY, 0, in->call_body, true);
    struct buf name = {0};
    bool said = rule != NULL;
    for (size_t i = 0; said && i < rule->directory_count; i++) {
        struct span value;
        buf_clear(&name);
        said = jsonr_pointer(in->call_body, rule->directory[i], &value) &&
               json_text(value, &name) && replay_prompt_names(p, buf_span(&name));
    }
    buf_finish(&name);
    if (!said)
        return;
    p->out->names = true;
    replay_reason(p,
                  (struct reason){.rule = "directory", .text = rule->name, .label = LABEL_PUBLIC});
    replay_prompt(p->replay, in->step->n, NAMING_DIRECTORY, in->body);
}
