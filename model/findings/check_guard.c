/* What the policy watches beside labels: scopes and sequences (PO02, PO03). */
#include "base/jsonr.h"
#include "base/text.h"
#include "model/findings/check_internal.h"
#include "model/flow/policy_rules.h"

enum {
    PENDING = 64,       /* calls whose arguments are kept until their result comes */
    ARGUMENTS = 65536,  /* bytes of them that are kept */
    SCOPE_FINDINGS = 3, /* of a result; the others are of the same kind */
    SCOPE_VALUE = 256,
};

struct guards {
    struct pending_call {
        int64_t n;
        struct buf arguments;
    } pending[PENDING];
    size_t next;
    int64_t *since; /* of each sequence: the result that it waits after; 0: none */
};

static struct guards *guards_of(struct look *look)
{
    struct checks *checks = look->checks;
    if (!checks->guards) {
        checks->guards = NEW(struct guards);
        checks->guards->since =
            arena_array(&checks->arena, checks->policy->sequence_count + 1, sizeof(int64_t));
    }
    return checks->guards;
}

void check_guards_destroy(struct guards *guards)
{
    if (!guards)
        return;
    for (size_t i = 0; i < PENDING; i++)
        buf_finish(&guards->pending[i].arguments);
    mem_free(guards);
}

static struct span arguments_of(const struct guards *guards, int64_t call)
{
    for (size_t i = 0; i < PENDING; i++)
        if (call && guards->pending[i].n == call)
            return buf_span(&guards->pending[i].arguments);
    return SPAN_EMPTY;
}

static void keep_arguments(struct guards *guards, int64_t n, struct span arguments)
{
    struct pending_call *place = &guards->pending[guards->next++ % PENDING];
    place->n = n;
    buf_clear(&place->arguments);
    if (arguments.len <= ARGUMENTS) /* a part of them is no JSON */
        buf_add(&place->arguments, arguments);
}

static bool guard_matches(const struct match *match, const struct step *step, struct span arguments)
{
    return match_names(match, step->server, step->tool) && match_arguments(match, arguments);
}

/* ---- scopes ---- */

struct scoping {
    struct look *look;
    const struct guard_scope *scope;
    struct span arguments;
    size_t found;
};

/* A call that doesn't say which one it is about has no scope of its own: of its result only `is`
 * says anything. */
static bool in_scope(const struct scoping *s, struct span value)
{
    struct buf text = {0};
    struct span wanted;
    bool said = s->scope->allowed_count > 0;
    bool in = said && glob_any(s->scope->allowed, s->scope->allowed_count, value);
    for (size_t i = 0; !in && i < s->scope->same_count; i++) {
        buf_clear(&text);
        if (s->arguments.len && jsonr_pointer(s->arguments, s->scope->same[i], &wanted) &&
            json_text(wanted, &text)) {
            said = true;
            in = span_equal(buf_span(&text), value);
        }
    }
    buf_finish(&text);
    return in || !said;
}

static bool is_member(const struct guard_scope *scope, struct span name)
{
    for (size_t i = 0; i < scope->members_count; i++)
        if (jsonr_name_is(name, scope->members[i]))
            return true;
    return false;
}

static void scope_value(struct scoping *s, struct span name, struct span value)
{
    struct buf text = {0}, shown = {0};
    if (json_text(value, &text) && !in_scope(s, buf_span(&text)) && s->found++ < SCOPE_FINDINGS) {
        struct finding_evidence here = evidence_here(s->look, SPAN_EMPTY);
        struct span body;
        if (look_body(s->look, &body) && value.at >= body.at && value.at < body.at + body.len) {
            here.offset = (uint64_t)(value.at - body.at);
            here.length = value.len;
        }
        text_safe(&shown, span_sub(buf_span(&text), 0, SCOPE_VALUE));
        const struct finding *f =
            finding_add(s->look, CODE_PO02, SEVERITY_DEFAULT, &here, 1,
                        "%.*s: a result of %.*s has %.*s %.*s, which is not of this session",
                        SPAN_ARG(s->scope->name), SPAN_ARG(s->look->step->tool), SPAN_ARG(name),
                        SPAN_ARG(buf_span(&shown)));
        finding_by_rule(s->look, f, s->scope->name);
    }
    buf_finish(&shown);
    buf_finish(&text);
}

/* The members of that name at any depth of this text. */
static void scope_text(struct scoping *s, struct span text)
{
    struct jsonr r;
    struct span name = SPAN_EMPTY;
    bool due = false;
    jsonr_init(&r, text);
    for (enum jsonr_token token; (token = jsonr_next(&r)) > JSONR_END;) {
        if (token == JSONR_NAME) {
            name = r.value;
            due = is_member(s->scope, name);
            continue;
        }
        if (due && token == JSONR_STRING)
            scope_value(s, name, (struct span){r.value.at - 1, r.value.len + 2});
        else if (due && token == JSONR_NUMBER)
            scope_value(s, name, r.value);
        due = false;
    }
    jsonr_finish(&r);
}

/* A result of MCP says what it says in JSON, or in texts that are JSON again. Where both are there
 * they say the same. */
static void watch_scope(struct look *look, const struct guard_scope *scope, struct span arguments)
{
    struct scoping s = {.look = look, .scope = scope, .arguments = arguments};
    struct span body;
    if (!look_body(look, &body))
        return;
    scope_text(&s, body);
    const struct strings *strings = look_strings(look);
    for (size_t i = 0; !s.found && i < strings->count; i++)
        if (jsonr_is_object(strings->items[i].text) || jsonr_is_array(strings->items[i].text))
            scope_text(&s, strings->items[i].text);
}

/* ---- sequences ---- */

static bool label_fits(const struct guard_event *event, const struct replay_out *out)
{
    return (!event->untrusted || (out->has_label && out->label.integrity == UNTRUSTED)) &&
           (!event->private || (out->has_label && label_is_private(out->label)));
}

static void watch_call(struct look *look, const struct guard_sequence *sequence, int64_t *since,
                       struct span arguments)
{
    if (sequence->unless.given && guard_matches(&sequence->unless.match, look->step, arguments)) {
        *since = 0;
        return;
    }
    if (!*since || look->step->outcome == OUTCOME_REFUSED ||
        !guard_matches(&sequence->call.match, look->step, arguments))
        return;
    struct finding_evidence evidence[2] = {evidence_here(look, SPAN_EMPTY),
                                           {.n = *since, .pointer = SPAN_EMPTY}};
    const struct finding *f =
        finding_add(look, CODE_PO03, SEVERITY_DEFAULT, evidence, 2, "%.*s: %.*s follows step %lld",
                    SPAN_ARG(sequence->name), SPAN_ARG(look->step->tool), (long long)*since);
    finding_by_rule(look, f, sequence->name);
}

/* ---- a step ---- */

void check_guards(struct look *look)
{
    const struct policy *policy = look->checks->policy;
    bool call = look->step->kind == STEP_TOOL_CALL;
    if ((!call && look->step->kind != STEP_TOOL_RESULT) ||
        (!policy->scope_count && !policy->sequence_count))
        return;
    struct guards *guards = guards_of(look);
    struct span arguments = SPAN_EMPTY;
    if (call) {
        look_body(look, &arguments);
        keep_arguments(guards, look->step->n, arguments);
        for (size_t i = 0; i < policy->sequence_count; i++)
            watch_call(look, &policy->sequences[i], &guards->since[i], arguments);
        return;
    }
    arguments = arguments_of(guards, look->step->call_n);
    for (size_t i = 0; i < policy->scope_count; i++)
        if (guard_matches(&policy->scopes[i].match, look->step, arguments))
            watch_scope(look, &policy->scopes[i], arguments);
    for (size_t i = 0; i < policy->sequence_count; i++) {
        const struct guard_event *after = &policy->sequences[i].after;
        if (label_fits(after, look->out) && guard_matches(&after->match, look->step, arguments))
            guards->since[i] = look->step->n;
    }
}
