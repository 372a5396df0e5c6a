/* Calls and rendered links: role, audience, P-T, P-F and the verdict (model.md §4, §5). */
#include "base/ascii.h"
#include "base/jsonr.h"
#include "model/flow/replay_internal.h"

/* ---- audience ---- */

enum who {
    WHO_EVERYONE,
    WHO_READER,
    WHO_HOST,   /* of a URL. Anyone may run one, so that it is no reader unless a policy says so */
    WHO_MARKER, /* whoever may read that resource */
};

struct audience {
    enum who who;
    struct span text;
    struct span within; /* a marker that this reader may read, as the rule knows; empty: none */
};

enum { AUDIENCES_MAX = 256, AUDIENCES_SHOWN = 8 };

struct audiences {
    struct audience items[AUDIENCES_MAX];
    size_t count;
    bool assumed;
    bool more; /* there were more than fit: then everybody is meant, to be safe */
};

static void audience_add(struct pass *p, struct audiences *all, enum who who, struct span text)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].who == who && span_equal(all->items[i].text, text))
            return;
    if (all->count == AUDIENCES_MAX) {
        all->more = true;
        return;
    }
    all->items[all->count++] = (struct audience){
        .who = who, .text = arena_copy(&p->replay->scratch, text), .within = SPAN_EMPTY};
}

static void audience_add_text(struct pass *p, struct audiences *all, struct span text)
{
    struct span address;
    while (address_next(&text, &address))
        audience_add(p, all, WHO_READER, address);
}

static void audience_add_value(struct pass *p, struct audiences *all, struct span value)
{
    struct buf text = {0};
    if (jsonr_is_array(value)) {
        struct jsonr_items items;
        jsonr_items_init(&items, value);
        while (jsonr_items_next(&items)) {
            buf_clear(&text);
            if (json_text(items.value, &text))
                audience_add_text(p, all, buf_span(&text));
        }
    } else if (json_text(value, &text)) {
        audience_add_text(p, all, buf_span(&text));
    }
    buf_finish(&text);
}

/* Whom the arguments name. The rule may know a circle that all of these belong to. */
static void audience_add_named(struct pass *p, struct audiences *all, const struct rule *rule,
                               struct span arguments)
{
    struct span value;
    for (size_t i = 0; i < rule->audience_count; i++)
        if (jsonr_pointer(arguments, rule->audience_words[i], &value))
            audience_add_value(p, all, value);
    for (size_t i = 0; i < all->count; i++)
        all->items[i].within = rule->audience_within;
}

/* All strings in the arguments, decoded, a line each. */
static void strings_of(struct span json, struct buf *out)
{
    struct jsonr r;
    jsonr_init(&r, json);
    for (enum jsonr_token token; (token = jsonr_next(&r)) > JSONR_END;)
        if (token == JSONR_STRING) {
            jsonr_string((struct span){r.value.at - 1, r.value.len + 2}, out, NULL);
            buf_byte(out, '\n');
        }
    jsonr_finish(&r);
}

static void audience_add_hosts(struct pass *p, struct audiences *all, struct span text,
                               bool (*next)(struct span *rest, struct span *url, struct span *host))
{
    struct span url, host;
    while (next(&text, &url, &host)) {
        char *lower = arena_alloc(&p->replay->scratch, host.len + 1);
        for (size_t i = 0; i < host.len; i++)
            lower[i] = ascii_lower(host.at[i]);
        audience_add(p, all, WHO_HOST, (struct span){lower, host.len});
    }
}

static void audience_add_urls(struct pass *p, struct audiences *all, struct span arguments)
{
    struct buf text = {0};
    strings_of(arguments, &text);
    audience_add_hosts(p, all, buf_span(&text), url_next);
    if (!all->count)
        audience_add_hosts(p, all, buf_span(&text), bare_url_next);
    buf_finish(&text);
}

static void audience_by_rule(struct pass *p, struct audiences *all, const struct rule *rule,
                             struct span arguments)
{
    struct span value;
    switch (rule->audience) {
    case AUDIENCE_PUBLIC:
        audience_add(p, all, WHO_EVERYONE, SPAN("public"));
        break;
    case AUDIENCE_CONSTANT:
        for (size_t i = 0; i < rule->audience_count; i++)
            audience_add(p, all, WHO_READER, rule->audience_words[i]);
        break;
    case AUDIENCE_POINTERS:
        audience_add_named(p, all, rule, arguments);
        break;
    case AUDIENCE_RESOURCE:
    case AUDIENCE_RESOURCE_IF_PRIVATE:
        value = replay_resource(p, arguments, true);
        if (value.len && (rule->audience == AUDIENCE_RESOURCE ||
                          set_has(p->replay->pool, p->state->context.markers, value)))
            audience_add(p, all, WHO_MARKER, value);
        break;
    case AUDIENCE_URL:
        audience_add_urls(p, all, arguments);
        break;
    }
}

/* A rule; the URLs of a tool that only fetches; else everybody, which is assumed. */
static void audience_find(struct pass *p, struct audiences *all, struct span arguments, bool known,
                          bool by_url)
{
    const struct rule *rule = replay_rule(p, ASPECT_AUDIENCE, 0, arguments, known);
    if (rule)
        audience_by_rule(p, all, rule, arguments);
    if (!all->count && by_url && known)
        audience_add_urls(p, all, arguments);
    if (!all->count || all->more) {
        all->count = 0;
        all->assumed = true;
        audience_add(p, all, WHO_EVERYONE, SPAN("public"));
    }
}

static struct span audience_text(const struct pass *p, const struct audiences *all)
{
    if (all->count == 1)
        return all->items[0].text;
    struct buf text = {0};
    for (size_t i = 0; i < all->count && i < AUDIENCES_SHOWN; i++) {
        if (i)
            buf_puts(&text, ", ");
        buf_add(&text, all->items[i].text);
    }
    if (all->count > AUDIENCES_SHOWN)
        buf_addf(&text, ", and %zu more", all->count - AUDIENCES_SHOWN);
    struct span copy = arena_copy(&p->replay->scratch, buf_span(&text));
    buf_finish(&text);
    return copy;
}

/* ---- P-F: may this audience receive this context? ---- */

static const struct resolve *resolve_find(const struct policy *policy, struct span marker)
{
    for (size_t i = 0; i < policy->resolve_count; i++)
        if (glob_match(policy->resolves[i].pattern, marker))
            return &policy->resolves[i];
    return NULL;
}

static bool resolve_has(const struct resolve *resolve, struct span reader)
{
    return resolve->count && glob_any(resolve->readers, resolve->count, reader);
}

/* Whoever a marker stands for ⊆ the readers given. False also where nobody knows. */
static bool resolved_within(const struct label_pool *pool, const struct resolve *inner,
                            set_id outer)
{
    for (size_t i = 0; i < inner->count; i++)
        if (!set_has(pool, outer, inner->readers[i]))
            return false;
    return true;
}

static bool resolve_within(const struct resolve *inner, const struct resolve *outer)
{
    for (size_t i = 0; i < inner->count; i++)
        if (!resolve_has(outer, inner->readers[i]))
            return false;
    return true;
}

static enum verdict unresolved(const struct policy *policy)
{
    return policy->unresolved_denies ? VERDICT_DENY : VERDICT_ASK;
}

/* A ⊆ R */
static enum verdict readers_permit(const struct pass *p, const struct audience *a)
{
    const struct label *context = &p->state->context;
    const struct resolve *resolve;
    if (context->readers == READERS_EVERYONE)
        return VERDICT_ALLOW;
    switch (a->who) {
    case WHO_EVERYONE:
        return VERDICT_DENY;
    case WHO_MARKER:
        resolve = resolve_find(p->replay->policy, a->text);
        if (!resolve)
            return unresolved(p->replay->policy);
        return resolved_within(p->replay->pool, resolve, context->readers) ? VERDICT_ALLOW
                                                                           : VERDICT_DENY;
    default:
        return set_has(p->replay->pool, context->readers, a->text) ? VERDICT_ALLOW : VERDICT_DENY;
    }
}

/* The marker resolves to a superset of A. */
static enum verdict marker_permits(const struct pass *p, struct span marker,
                                   const struct audience *a)
{
    const struct policy *policy = p->replay->policy;
    const struct resolve *resolve, *target;
    switch (a->who) {
    case WHO_EVERYONE:
        return VERDICT_DENY; /* private is never public */
    case WHO_MARKER:
        if (span_equal(a->text, marker))
            return VERDICT_ALLOW;
        resolve = resolve_find(policy, marker);
        target = resolve_find(policy, a->text);
        if (!resolve || !target)
            return unresolved(policy);
        return resolve_within(target, resolve) ? VERDICT_ALLOW : VERDICT_DENY;
    case WHO_HOST:
        resolve = resolve_find(policy, marker);
        return resolve && resolve_has(resolve, a->text) ? VERDICT_ALLOW : VERDICT_DENY;
    default:
        if (a->within.len && span_equal(a->within, marker))
            return VERDICT_ALLOW;
        resolve = resolve_find(policy, marker);
        if (!resolve)
            return unresolved(policy);
        return resolve_has(resolve, a->text) ? VERDICT_ALLOW : VERDICT_DENY;
    }
}

static struct span named_text(const struct audience *a)
{
    size_t colon = a->who == WHO_MARKER ? span_find_byte(a->text, ':') : a->text.len;
    return colon < a->text.len ? span_sub(a->text, colon + 1, a->text.len) : a->text;
}

/* Everybody can't be named; anyone else whom the user's own prompt names is meant by the user. */
static bool endorsed(const struct pass *p, const struct audience *a)
{
    if (!p->replay->policy->prompt_endorses || a->who == WHO_EVERYONE)
        return false;
    return a->who == WHO_READER ? replay_prompt_names_reader(p, a->text)
                                : replay_prompt_names(p, named_text(a));
}

/* What is private in a session is the user's own. */
static bool is_owner(const struct pass *p, const struct audience *a)
{
    const struct policy *policy = p->replay->policy;
    return policy->owner_count && a->who == WHO_READER &&
           glob_any(policy->owners, policy->owner_count, a->text);
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

static enum verdict audience_permitted(struct pass *p, const struct audience *a)
{
    struct label_pool *pool = p->replay->pool;
    const struct label *context = &p->state->context;
    if (label_is_public(*context))
        return VERDICT_ALLOW;
    bool owner = is_owner(p, a);
    if (owner || endorsed(p, a)) {
        replay_reason(p, (struct reason){.rule = owner ? "P-F.owner" : "P-F.endorsed",
                                         .text = a->text,
                                         .label = *context,
                                         .verdict = VERDICT_ALLOW});
        return VERDICT_ALLOW;
    }
    if (a->who == WHO_HOST && p->out->follows && p->replay->policy->follows_links) {
        replay_reason(p, (struct reason){.rule = "P-F.followed",
                                         .text = a->text,
                                         .label = *context,
                                         .verdict = VERDICT_ALLOW});
        return VERDICT_ALLOW;
    }
    enum verdict verdict = readers_permit(p, a);
    if (verdict != VERDICT_ALLOW)
        replay_reason(
            p, (struct reason){
                   .rule = "P-F.readers", .text = a->text, .label = *context, .verdict = verdict});
    for (size_t i = 0; i < set_size(pool, context->markers); i++) {
        struct span marker = set_member(pool, context->markers, i);
        enum verdict one = marker_permits(p, marker, a);
        if (one != VERDICT_ALLOW)
            replay_reason(
                p, (struct reason){
                       .rule = "P-F.marker", .text = marker, .label = *context, .verdict = one});
        verdict = worse(verdict, one);
    }
    return verdict;
}

static enum verdict replay_verdict_permitted_flow(struct pass *p, const struct audiences *all)
{
    enum verdict verdict = VERDICT_ALLOW;
    for (size_t i = 0; i < all->count; i++)
        verdict = worse(verdict, audience_permitted(p, &all->items[i]));
    replay_reason(p, (struct reason){.rule = "P-F",
                                     .text = audience_text(p, all),
                                     .label = p->state->context,
                                     .verdict = verdict});
    return verdict;
}

/* ---- P-T: does the call need a trusted context, and has it one? ---- */

static enum verdict replay_verdict_trusted_action(struct pass *p)
{
    enum verdict verdict = p->state->context.integrity == TRUSTED ? VERDICT_ALLOW : VERDICT_DENY;
    replay_reason(p,
                  (struct reason){.rule = "P-T", .label = p->state->context, .verdict = verdict});
    return verdict;
}

/* ---- role ---- */

struct sink {
    unsigned role;
    bool by_url; /* a tool that reads the open world: it goes where its arguments say */
};

static void role_by_hints(struct pass *p, struct sink *sink)
{
    const struct policy *policy = p->replay->policy;
    const struct hints *h = &p->in->step->hints;
    bool hinted = h->defined && (h->read_only != TRI_ABSENT || h->open_world != TRI_ABSENT);
    bool read_only = h->defined && h->read_only == TRI_TRUE;
    bool lowers = read_only || (h->defined && h->open_world == TRI_FALSE);
    if (lowers && !policy_trusts_hints(policy, p->in->step->server)) {
        sink->role = policy->hint_write;
        p->out->role_origin = ROLE_FROM_DEFAULT;
        replay_reason(p, (struct reason){.rule = ROLE_DISTRUSTED});
        return;
    }
    if (read_only && h->open_world == TRI_TRUE) {
        sink->role = policy->hint_read_open;
        sink->by_url = true;
    } else if (read_only) {
        sink->role = policy->hint_read;
    } else if (h->defined && h->open_world == TRI_FALSE) {
        sink->role = policy->hint_write_closed;
    } else {
        sink->role = policy->hint_write; /* the defaults of MCP: it writes, and its world is open */
    }
    p->out->role_origin = hinted ? ROLE_FROM_HINT : ROLE_FROM_DEFAULT;
    replay_reason(p, (struct reason){.rule = hinted ? "role.hint" : "role.default"});
}

static void count_named(struct pass *p, struct span text,
                        bool (*next)(struct span *rest, struct span *url, struct span *host),
                        size_t *count, size_t *named)
{
    struct span url, host;
    while (next(&text, &url, &host)) {
        ++*count;
        *named += replay_prompt_names(p, host) || replay_prompt_names(p, url);
    }
}

/* Consequential unless the user's prompt names the URL or its host: then the user chose where. */
static void settle_unless_named(struct pass *p, struct sink *sink, struct span arguments)
{
    struct buf text = {0};
    size_t count = 0, named = 0;
    strings_of(arguments, &text);
    count_named(p, buf_span(&text), url_next, &count, &named);
    if (!count)
        count_named(p, buf_span(&text), bare_url_next, &count, &named);
    buf_finish(&text);
    sink->role &= ~(unsigned)ROLE_UNLESS_NAMED;
    if (!count)
        return;
    if (named < count)
        sink->role |= ROLE_CONSEQUENTIAL;
    replay_reason(p, (struct reason){.rule = named == count ? "role.named" : "role.unnamed"});
}

static struct sink sink_find(struct pass *p, struct span arguments, bool known)
{
    struct sink sink = {0};
    const struct rule *rule = replay_rule(p, ASPECT_ROLE, 0, arguments, known);
    if (rule) {
        bool catalogue = replay_rule_is_catalogue(p, rule);
        sink.role = rule->role;
        if (rule->role & ROLE_FETCH) {
            sink.role = (rule->role & ~(unsigned)ROLE_FETCH) | p->replay->policy->hint_read_open;
            sink.by_url = true;
        }
        p->out->role_origin = catalogue ? ROLE_FROM_CATALOGUE : ROLE_FROM_POLICY;
        replay_reason(p, (struct reason){.rule = catalogue ? "role.catalogue" : "role.policy",
                                         .text = rule->name});
    } else {
        role_by_hints(p, &sink);
    }
    if (sink.role & ROLE_UNLESS_NAMED)
        settle_unless_named(p, &sink, arguments);
    return sink;
}

/* ---- the verdict ---- */

static enum verdict required(enum requirement requirement, enum verdict t, enum verdict f)
{
    switch (requirement) {
    case REQUIRE_TRUSTED_ACTION:
        return t;
    case REQUIRE_PERMITTED_FLOW:
        return f;
    case REQUIRE_ANY:
        return t < f ? t : f;
    default:
        return worse(t, f);
    }
}

static unsigned asks(enum requirement requirement)
{
    static const unsigned bits[] = {
        [REQUIRE_TRUSTED_ACTION] = ASKED_TRUSTED_ACTION,
        [REQUIRE_PERMITTED_FLOW] = ASKED_PERMITTED_FLOW,
        [REQUIRE_ANY] = ASKED_TRUSTED_ACTION | ASKED_PERMITTED_FLOW,
        [REQUIRE_ALL] = ASKED_TRUSTED_ACTION | ASKED_PERMITTED_FLOW,
    };
    return bits[requirement];
}

/* Adds one requirement to the verdict. */
static void require(struct replay_out *out, enum requirement requirement)
{
    out->asked |= asks(requirement);
    out->verdict =
        worse(out->verdict, required(requirement, out->trusted_action, out->permitted_flow));
}

static void replay_verdict_judge(struct pass *p, const struct rule *rule)
{
    static const enum verdict ceiling[] = {
        [MODE_ENFORCE] = VERDICT_DENY, [MODE_WARN] = VERDICT_ASK, [MODE_AUDIT] = VERDICT_ALLOW};
    const struct policy *policy = p->replay->policy;
    struct replay_out *out = p->out;
    out->verdict = VERDICT_ALLOW;
    if (out->role && rule) {
        require(out, rule->require);
    } else {
        if (out->role & ROLE_CONSEQUENTIAL)
            require(out, policy->consequential);
        if (out->role & ROLE_EGRESS)
            require(out, policy->egress);
    }
    if (out->verdict > ceiling[policy->mode]) {
        replay_reason(
            p, (struct reason){.rule = policy->mode == MODE_WARN ? "mode.warn" : "mode.audit",
                               .verdict = out->verdict});
        out->verdict = ceiling[policy->mode];
    }
}

/* Both are always computed: what a policy doesn't ask for is shown all the same. */
void replay_call(struct pass *p)
{
    struct span arguments = p->in->has_body ? p->in->body : SPAN_EMPTY;
    bool known = p->in->has_body;
    struct sink sink = sink_find(p, arguments, known);
    struct audiences all = {0};
    audience_find(p, &all, arguments, known, sink.by_url);
    p->out->role = sink.role;
    p->out->audience_assumed = all.assumed;
    if (sink.role & ROLE_EGRESS) {
        p->out->audience = audience_text(p, &all);
        if (all.assumed)
            replay_reason(p, (struct reason){.rule = "audience.assumed", .text = SPAN("public")});
    }
    p->out->trusted_action = replay_verdict_trusted_action(p);
    p->out->permitted_flow = replay_verdict_permitted_flow(p, &all);
    replay_verdict_judge(p, replay_rule(p, ASPECT_REQUIRE, 0, arguments, known));
}

void replay_rendering(struct pass *p)
{
    if (!p->replay->policy->rendering || !p->in->has_body)
        return;
    struct audiences all = {0};
    audience_add_hosts(p, &all, p->in->body, url_next);
    if (all.more) {
        all.count = 0;
        audience_add(p, &all, WHO_EVERYONE, SPAN("public"));
    }
    if (!all.count)
        return;
    p->out->role = ROLE_EGRESS;
    p->out->role_origin = ROLE_FROM_DEFAULT;
    p->out->audience = audience_text(p, &all);
    replay_reason(p, (struct reason){.rule = "role.rendering", .text = p->out->audience});
    p->out->trusted_action = replay_verdict_trusted_action(p);
    p->out->permitted_flow = replay_verdict_permitted_flow(p, &all);
    replay_verdict_judge(p, NULL);
}
