/* What a policy says, in sentences (policy_explain). */
#include "base/text.h"
#include "model/flow/policy_rules.h"

/* Words from a list with commas between, as they may be shown. */
static void words_add(struct buf *out, const struct span *words, size_t count, const char *none)
{
    enum { SHOWN = 12 };
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        buf_puts(out, i ? ", " : "");
        text_safe(out, words[i]);
    }
    if (count > SHOWN)
        buf_addf(out, " and %zu more", count - SHOWN);
    if (!count)
        buf_puts(out, none);
}

static void roles_add(struct buf *out, unsigned roles)
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {
        {ROLE_CONSEQUENTIAL, "consequential"},
        {ROLE_EGRESS, "egress"},
        {ROLE_UNLESS_NAMED, "consequential unless the user named the place"},
        {ROLE_FETCH, "a fetch of what its arguments name"},
    };
    bool any = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (roles & words[i].bit) {
            buf_addf(out, "%s%s", any ? " and " : "", words[i].word);
            any = true;
        }
    if (!any)
        buf_puts(out, "no sink");
}

static const char *requirement_sentence(enum requirement requirement)
{
    static const char *const sentences[] = {
        [REQUIRE_TRUSTED_ACTION] = "a trusted context (P-T)",
        [REQUIRE_PERMITTED_FLOW] = "readers who may read the context (P-F)",
        [REQUIRE_ANY] = "a trusted context or permitted readers (P-T or P-F)",
        [REQUIRE_ALL] = "a trusted context and permitted readers (P-T and P-F)",
    };
    return sentences[requirement];
}

/* ---- settings ---- */

static void explain_assumptions(const struct policy *policy, struct buf *out)
{
    static const char *const unlabelled[] = {
        [UNLABELLED_NO_CLAIM] = "adds nothing to the context, and is counted",
        [UNLABELLED_UNTRUSTED] = "is untrusted",
        [UNLABELLED_BY_HINT] = "is untrusted where the tool's openWorldHint is true",
        [UNLABELLED_BY_HINT_OR_UNTRUSTED] = "is untrusted unless the tool's openWorldHint is false",
    };
    const struct {
        bool on;
        const char *word;
    } catalogue[] = {
        {policy->catalogue_labels, "labels"},
        {policy->catalogue_roles, "roles"},
        {policy->catalogue_audiences, "audiences"},
        {policy->catalogue_resources, "resources"},
    };
    bool any = false;
    buf_addf(out, "A result without a label %s.\n", unlabelled[policy->unlabelled]);
    buf_addf(out, "A label that can't be read %s.\n",
             policy->malformed_ignored ? "is ignored" : "is taken at its worst");
    if (policy->fill)
        buf_puts(out, "An axis that a claim leaves open is filled by what is assumed.\n");
    if (!policy->reader_lists)
        buf_puts(out, "A list of readers on the wire is malformed.\n");
    if (!policy->blocks)
        buf_puts(out, "Claims on content blocks don't count.\n");
    buf_addf(out, "Records of data-class.v1 are private from %s on.\n",
             data_class_word(policy->private_from));
    buf_puts(out, "The catalogue of well-known tools is asked for ");
    for (size_t i = 0; i < COUNT_OF(catalogue); i++)
        if (catalogue[i].on) {
            buf_addf(out, "%s%s", any ? ", " : "", catalogue[i].word);
            any = true;
        }
    buf_puts(out, any ? ".\n" : "nothing.\n");
}

static void explain_sinks(const struct policy *policy, struct buf *out)
{
    static const char *const modes[] = {
        [MODE_WARN] = "What would be denied is asked (mode warn).\n",
        [MODE_AUDIT] = "What would be denied is allowed, and still found (mode audit).\n",
    };
    const struct {
        const char *what;
        unsigned roles;
    } hints[] = {
        {"only reads", policy->hint_read},
        {"reads in an open world", policy->hint_read_open},
        {"writes", policy->hint_write},
        {"writes in a closed world", policy->hint_write_closed},
    };
    buf_addf(out, "A consequential call needs %s.\n", requirement_sentence(policy->consequential));
    buf_addf(out, "A call that lets data out needs %s.\n", requirement_sentence(policy->egress));
    for (size_t i = 0; i < COUNT_OF(hints); i++) {
        buf_addf(out, "A tool that says it %s is ", hints[i].what);
        roles_add(out, hints[i].roles);
        buf_puts(out, ".\n");
    }
    if (policy->trusted_servers) {
        buf_puts(out, "That is relied upon where the server is trusted: ");
        if (policy->trusted_server_count)
            words_add(out, policy->trusted_servers, policy->trusted_server_count, "");
        else
            buf_puts(out, "none is");
        buf_puts(out, "; any other tool writes in an open world.\n");
    }
    buf_addf(out, "A link in an answer %s.\n",
             policy->rendering ? "lets data out to its host" : "is not looked at");
    buf_addf(out, "Private data of which nobody says who may read it: %s.\n",
             policy->unresolved_denies ? "deny" : "ask");
    if (policy->prompt_endorses)
        buf_puts(out, "Whom the user's prompt names, counts as permitted; so does who the system's "
                      "prompt says the user is.\n");
    if (policy->reference_rules)
        buf_puts(out, "The six rules of SEP-1913's reference kit are told beside it (S1310).\n");
    if (policy->follows_links)
        buf_puts(out,
                 "An address that stands word for word in what came in tells its host nothing.\n");
    if (policy->owner_count) {
        buf_puts(out, "The user, who may read all that is private here, is ");
        words_add(out, policy->owners, policy->owner_count, "");
        buf_puts(out, ".\n");
    }
    if (modes[policy->mode])
        buf_puts(out, modes[policy->mode]);
}

/* ---- rules ---- */

static void condition_add(struct buf *out, const struct condition *c)
{
    static const char *const tests[][2] = {
        [TEST_EXISTS] = {"is there", "is not there"}, [TEST_IS] = {"is", "is not"},
        [TEST_GLOB] = {"is like", "is not like"},     [TEST_REGEX] = {"matches", "does not match"},
        [TEST_SQL] = {"is SQL to", "is not SQL to"},  [TEST_HOST] = {"is a URL of", "is no URL of"},
        [TEST_UNDER] = {"is under", "is not under"},
    };
    if (c->pointer.len)
        text_safe(out, c->pointer);
    else
        buf_puts(out, "the whole");
    buf_addf(out, " %s", tests[c->test][c->negated]);
    if (c->test != TEST_EXISTS) {
        buf_byte(out, ' ');
        words_add(out, c->words, c->word_count, "");
    }
}

static void rule_match_add(struct buf *out, const struct match *match)
{
    if (match->server_count == 1 && !match->servers[0].len)
        buf_puts(out, "the host's own");
    else
        words_add(out, match->servers, match->server_count, "any server");
    buf_puts(out, ": ");
    words_add(out, match->tools, match->tool_count, "any tool");
    for (size_t i = 0; i < match->condition_count; i++) {
        buf_puts(out, i ? " and " : ", where ");
        condition_add(out, &match->conditions[i]);
    }
}

static void rule_audience_add(struct buf *out, const struct rule *rule)
{
    static const char *const words[] = {
        [AUDIENCE_PUBLIC] = "everybody",
        [AUDIENCE_CONSTANT] = "",
        [AUDIENCE_POINTERS] = "whom the arguments name at ",
        [AUDIENCE_RESOURCE] = "whoever may read what the arguments name",
        [AUDIENCE_RESOURCE_IF_PRIVATE] =
            "whoever may read what the arguments name, where it is known as private",
        [AUDIENCE_URL] = "the hosts of its URLs",
    };
    buf_addf(out, "; goes to %s", words[rule->audience]);
    words_add(out, rule->audience_words, rule->audience_count, "");
}

static void rule_add(struct buf *out, const struct rule *rule)
{
    buf_puts(out, "  ");
    text_safe(out, rule->name);
    buf_puts(out, ": ");
    rule_match_add(out, &rule->match);
    if (rule->has_label) {
        buf_puts(out, "; what comes in is ");
        text_safe(out, rule->label);
        if (rule->own_marker)
            buf_puts(out, ", private");
    }
    if (rule->party_count) {
        buf_puts(out, ", read by its ");
        words_add(out, rule->parties, rule->party_count, "");
    }
    if (rule->directory) {
        buf_puts(out, "; it says who is meant by the name at ");
        words_add(out, rule->directory, rule->directory_count, "");
    }
    if (rule->resource) {
        buf_puts(out, "; its resource is named at ");
        words_add(out, rule->resource, rule->resource_count, "");
    }
    if (rule->has_role) {
        buf_puts(out, "; it is ");
        roles_add(out, rule->role);
    }
    if (rule->has_audience)
        rule_audience_add(out, rule);
    if (rule->has_require)
        buf_addf(out, "; needs %s", requirement_sentence(rule->require));
    buf_byte(out, '\n');
}

/* ---- findings ---- */

/* Until when it holds; it says so where that day is past. */
static void until_add(struct buf *out, int until, int today)
{
    if (until)
        buf_addf(out, " (%s %04d-%02d-%02d)", today > until ? "no more: expired after" : "until",
                 until / 10000, until / 100 % 100, until % 100);
}

static void explain_findings(const struct policy *policy, int today, struct buf *out)
{
    static const char *const weights[] = {"info", "low", "medium", "high", "critical"};
    for (size_t i = 0; i < policy->severity_count; i++) {
        buf_puts(out, i ? "" : "Findings weigh here:\n");
        buf_puts(out, "  ");
        text_safe(out, policy->severities[i].code);
        buf_addf(out, " is %s\n", weights[policy->severities[i].severity]);
    }
    for (size_t i = 0; i < policy->suppression_count; i++) {
        const struct suppression *s = &policy->suppressions[i];
        buf_puts(out, i ? "  " : "Findings that are accepted:\n  ");
        text_safe(out, s->code.len ? s->code : s->id);
        if (s->server.len || s->tool.len) {
            buf_puts(out, " of ");
            text_safe(out, s->server.len ? s->server : SPAN("any server"));
            buf_puts(out, s->tool.len ? ": " : "");
            text_safe(out, s->tool);
        }
        buf_puts(out, ", since ");
        text_safe(out, s->reason);
        until_add(out, s->until, today);
        buf_byte(out, '\n');
    }
}

/* ---- what is watched beside labels ---- */

static void named_add(struct buf *out, struct span name)
{
    buf_puts(out, "  ");
    text_safe(out, name);
    buf_puts(out, ": ");
}

static void explain_guards(const struct policy *policy, struct buf *out)
{
    for (size_t i = 0; i < policy->root_count; i++) {
        const struct guard_root *root = &policy->roots[i];
        buf_puts(out, i ? "  " : "Paths stay under:\n  ");
        rule_match_add(out, &root->match);
        buf_puts(out, ": ");
        words_add(out, root->folders, root->folders_count, "");
        if (root->pointers_count) {
            buf_puts(out, ", at ");
            words_add(out, root->pointers, root->pointers_count, "");
        }
        buf_byte(out, '\n');
    }
    for (size_t i = 0; i < policy->scope_count; i++) {
        const struct guard_scope *scope = &policy->scopes[i];
        buf_puts(out, i ? "" : "Results belong to the session:\n");
        named_add(out, scope->name);
        rule_match_add(out, &scope->match);
        buf_puts(out, "; each ");
        words_add(out, scope->members, scope->members_count, "");
        buf_puts(out, " is ");
        words_add(out, scope->allowed, scope->allowed_count, "");
        buf_puts(out, scope->allowed_count && scope->same_count ? ", or " : "");
        buf_puts(out, scope->same_count ? "what the call has at " : "");
        words_add(out, scope->same, scope->same_count, "");
        buf_byte(out, '\n');
    }
    for (size_t i = 0; i < policy->sequence_count; i++) {
        const struct guard_sequence *s = &policy->sequences[i];
        buf_puts(out, i ? "" : "What must not follow:\n");
        named_add(out, s->name);
        buf_puts(out, "after ");
        rule_match_add(out, &s->after.match);
        buf_puts(out, s->after.untrusted ? " (untrusted)" : s->after.private ? " (private)" : "");
        buf_puts(out, " no ");
        rule_match_add(out, &s->call.match);
        if (s->unless.given) {
            buf_puts(out, ", unless ");
            rule_match_add(out, &s->unless.match);
            buf_puts(out, " stood between");
        }
        buf_byte(out, '\n');
    }
    for (size_t i = 0; i < policy->query_count; i++) {
        buf_puts(out, i ? "" : "Rows of these are findings:\n");
        named_add(out, policy->queries[i].name);
        text_safe(out, policy->queries[i].sql);
        buf_byte(out, '\n');
    }
}

static void explain_approvals(const struct policy *policy, int today, struct buf *out)
{
    for (size_t i = 0; i < policy->approval_count; i++) {
        const struct approval *a = &policy->approvals[i];
        buf_addf(out, "%sstep %lld of ", i ? "  " : "Calls that were approved:\n  ",
                 (long long)a->step);
        text_safe(out, a->session.len ? a->session : SPAN("any session"));
        buf_puts(out, ", by ");
        text_safe(out, a->by);
        buf_puts(out, a->reason.len ? ": " : "");
        text_safe(out, a->reason);
        until_add(out, a->until, today);
        buf_byte(out, '\n');
    }
}

void policy_explain(const struct policy *policy, struct buf *out)
{
    int today = policy_today();
    explain_assumptions(policy, out);
    explain_sinks(policy, out);
    for (size_t i = 0; i < policy->rules.count; i++) {
        buf_puts(out, i ? "" : "Rules, of which the first that speaks decides:\n");
        rule_add(out, &policy->rules.items[i]);
    }
    for (size_t i = 0; i < policy->resolve_count; i++) {
        const struct resolve *r = &policy->resolves[i];
        buf_puts(out, i ? "  " : "Who may read what is private:\n  ");
        text_safe(out, r->pattern);
        buf_puts(out, ": ");
        words_add(out, r->readers, r->count, "nobody");
        for (size_t j = 0; j < r->count; j++)
            if (span_starts_with(r->readers[j], SPAN("@"))) {
                buf_puts(out, " (no group is called ");
                text_safe(out, r->readers[j]);
                buf_puts(out, ": that is taken for a reader's own name)");
                break;
            }
        buf_byte(out, '\n');
    }
    explain_guards(policy, out);
    explain_findings(policy, today, out);
    explain_approvals(policy, today, out);
}
