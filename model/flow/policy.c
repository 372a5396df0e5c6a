#include "model/flow/policy.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/jsonr.h"
#include "base/sha256.h"
#include "model/flow/policy_rules.h"

EMBEDDED(policy_files);
EMBEDDED(catalogue_files);

enum { POLICY_FILE_MAX = 4 << 20 };

/* The order in which people should see them; embed.py sorts by name. */
static const struct {
    const char *name, *summary;
} builtins[] = {
    {"additive", "what the drafts say: labels are claims, what is unlabelled is allowed (default)"},
    {"fides", "the FIDES paper: unlabelled external data is untrusted, P-T or P-F for egress"},
    {"agent-framework", "as an agent framework with a security middleware does it: hints only"},
    {"strict", "the 16 June revision: no reader lists, malformed fails closed, unresolved denies"},
    {"rule-of-two", "never all three: untrusted input, private data, and a way out or a change"},
    {"sep-1913", "the older hints of SEP-1913: open world once, open world always"},
};

size_t policy_builtin_count(void)
{
    return COUNT_OF(builtins);
}

const char *policy_builtin_name(size_t index)
{
    return builtins[index].name;
}

const char *policy_builtin_summary(size_t index)
{
    return builtins[index].summary;
}

struct span policy_builtin_text(size_t index)
{
    const struct embedded *file = embedded_find(policy_files, span_of(builtins[index].name));
    return file ? file->text : SPAN_EMPTY;
}

struct span policy_starter_text(void)
{
    const struct embedded *file = embedded_find(policy_files, SPAN("starter"));
    return file ? file->text : SPAN_EMPTY;
}

bool policy_builtin(struct span name, struct span *text)
{
    for (size_t i = 0; i < COUNT_OF(builtins); i++)
        if (span_is(name, builtins[i].name)) {
            *text = policy_builtin_text(i);
            return true;
        }
    return false;
}

/* ---- making one ---- */

static void policy_digest_text(const struct sha256 *hash, char out[80])
{
    uint8_t bytes[SHA256_BYTES];
    sha256_so_far(hash, SPAN_EMPTY, bytes);
    int at = snprintf(out, 80, "sha256:");
    for (size_t i = 0; i < sizeof bytes; i++)
        at += snprintf(out + at, 80 - (size_t)at, "%02x", bytes[i]);
}

/* Over the texts, each with its length in front, so that no two lists of texts are the same. */
static void digest_texts(const struct span *texts, size_t count, char out[80])
{
    struct sha256 hash;
    sha256_init(&hash);
    for (size_t i = 0; i < count; i++) {
        if (count > 1) {
            char length[32];
            int digits = snprintf(length, sizeof length, "%zu\n", texts[i].len);
            sha256_add(&hash, (struct span){length, (size_t)digits});
        }
        sha256_add(&hash, texts[i]);
    }
    policy_digest_text(&hash, out);
    sha256_finish(&hash);
}

/* What holds where a policy says nothing. */
static struct policy *policy_new(void)
{
    struct policy *policy = NEW(struct policy);
    arena_init(&policy->arena);
    policy->reader_lists = policy->blocks = policy->rendering = true;
    policy->catalogue_roles = policy->catalogue_audiences = policy->catalogue_resources = true;
    policy->private_from = CLASS_PERSONAL;
    policy->hint_read_open = ROLE_EGRESS;
    policy->hint_write = ROLE_CONSEQUENTIAL | ROLE_EGRESS;
    policy->hint_write_closed = ROLE_CONSEQUENTIAL;
    policy->consequential = REQUIRE_TRUSTED_ACTION;
    policy->egress = REQUIRE_PERMITTED_FLOW;
    return policy;
}

static bool policy_add_catalogue(struct policy *policy, struct err *err)
{
    const struct embedded *file = embedded_find(catalogue_files, SPAN("catalogue"));
    return !file || catalogue_read(policy, file->text, "catalogue.json", err);
}

static struct policy *policy_make(struct span text, const char *where, const char *folder,
                                  struct err *err)
{
    struct policy *policy = policy_new();
    policy->text = arena_copy(&policy->arena, text);
    if (!policy_add_catalogue(policy, err) || !policy_read(policy, text, where, folder, err)) {
        policy_destroy(policy);
        return NULL;
    }
    if (!policy->name) {
        policy->name = mem_alloc(strlen(where) + 1);
        memcpy(policy->name, where, strlen(where));
    }
    const struct span texts[] = {policy->text, policy->approvals_text};
    digest_texts(texts, policy->approvals_text.len ? 2 : 1, policy->digest);
    bool used = policy->catalogue_labels || policy->catalogue_roles ||
                policy->catalogue_audiences || policy->catalogue_resources;
    if (used)
        digest_texts(policy->catalogue_texts, policy->catalogue_text_count,
                     policy->catalogue_digest);
    return policy;
}

struct policy *policy_parse(struct span text, const char *where, struct err *err)
{
    return policy_make(text, where, NULL, err);
}

static bool policy_file(const char *path, struct buf *out, struct err *err)
{
    int why = file_bytes(path, POLICY_FILE_MAX, out);
    if (why == EFBIG)
        return err_set(err, ERR_USAGE, path, "at most 4 MB", "too long for a policy");
    if (why == EISDIR)
        return err_set(err, ERR_USAGE, path, "give a file", "it can't be read");
    return !why ||
           err_set(err, ERR_USAGE, path, "see 'strandline policy list' for the built-in ones",
                   "no such policy, and no file that can be read: %s", strerror(why));
}

struct policy *policy_load(const char *name_or_file, struct err *err)
{
    struct span text;
    if (policy_builtin(span_of(name_or_file), &text))
        return policy_make(text, name_or_file, NULL, err);
    struct buf file = {0}, folder = {0};
    struct policy *policy = NULL;
    const char *slash = strrchr(name_or_file, '/');
    buf_add(&folder, slash ? span_from(name_or_file, slash) : SPAN("."));
    if (slash == name_or_file)
        buf_puts(&folder, "/");
    const char *where = strcmp(name_or_file, "-") ? name_or_file : "standard input";
    if (policy_file(name_or_file, &file, err))
        policy = policy_make(buf_span(&file), where, buf_cstr(&folder), err);
    buf_finish(&file);
    buf_finish(&folder);
    return policy;
}

static void rules_finish(struct rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        for (size_t j = 0; j < rules->items[i].match.condition_count; j++) {
            struct condition *c = &rules->items[i].match.conditions[j];
            if (c->test == TEST_REGEX)
                pattern_finish(&c->pattern);
        }
}

bool policy_trusts_hints(const struct policy *policy, struct span server)
{
    return !policy->trusted_servers ||
           glob_any(policy->trusted_servers, policy->trusted_server_count, server);
}

void policy_destroy(struct policy *policy)
{
    if (!policy)
        return;
    rules_finish(&policy->rules);
    rules_finish(&policy->catalogue);
    guards_finish(policy);
    arena_finish(&policy->arena);
    mem_free(policy->name);
    mem_free(policy);
}

/* ---- asking it ---- */

const char *policy_name(const struct policy *policy)
{
    return policy->name;
}

struct span policy_text(const struct policy *policy)
{
    return policy->text;
}

const char *policy_digest(const struct policy *policy)
{
    return policy->digest;
}

const char *policy_catalogue_digest(const struct policy *policy)
{
    return policy->catalogue_digest;
}

bool policy_severity(const struct policy *policy, const char *code, int *severity)
{
    for (size_t i = 0; i < policy->severity_count; i++)
        if (span_is(policy->severities[i].code, code)) {
            *severity = policy->severities[i].severity;
            return true;
        }
    return false;
}

int policy_today(void)
{
    time_t now = time(NULL);
    struct tm tm;
    if (!gmtime_r(&now, &tm))
        return 0;
    return (tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
}

bool policy_has_dates(const struct policy *policy)
{
    for (size_t i = 0; i < policy->suppression_count; i++)
        if (policy->suppressions[i].until)
            return true;
    for (size_t i = 0; i < policy->approval_count; i++)
        if (policy->approvals[i].until)
            return true;
    return false;
}

static bool absent_or_matches(struct span pattern, struct span text)
{
    return pattern.len == 0 || glob_match(pattern, text);
}

bool policy_suppresses(const struct policy *policy, const char *code, struct span id,
                       struct span server, struct span tool, int today, struct span *reason)
{
    for (size_t i = 0; i < policy->suppression_count; i++) {
        const struct suppression *s = &policy->suppressions[i];
        if ((s->until && today > s->until) || (s->code.len && !span_is(s->code, code)) ||
            (s->id.len && !span_equal(s->id, id)) || !absent_or_matches(s->server, server) ||
            !absent_or_matches(s->tool, tool))
            continue;
        *reason = s->reason;
        return true;
    }
    return false;
}

bool policy_asks_approval(const char *code)
{
    static const char *const about_calls[] = {"PT01", "PT02", "PF01", "PF02", "IF09",
                                              "R201", "AM01", "PO01", "PO03"};
    for (size_t i = 0; i < COUNT_OF(about_calls); i++)
        if (strcmp(code, about_calls[i]) == 0)
            return true;
    return false;
}

bool policy_approves(const struct policy *policy, const char *code, struct span session,
                     int64_t step, int today, struct span *by, struct span *reason)
{
    for (size_t i = 0; policy_asks_approval(code) && i < policy->approval_count; i++) {
        const struct approval *a = &policy->approvals[i];
        if (a->step != step || (a->until && today > a->until) ||
            (a->session.len && !span_equal(a->session, session)))
            continue;
        *by = a->by;
        *reason = a->reason;
        return true;
    }
    return false;
}

bool policy_follows_labels(const struct policy *policy)
{
    return policy->sequence_count > 0 || policy->reference_rules;
}

const char *policy_query_where(const struct policy *policy, size_t index)
{
    return policy->queries[index].where;
}

bool policy_query(const struct policy *policy, size_t index, struct span *name, struct span *sql)
{
    if (index >= policy->query_count)
        return false;
    *name = policy->queries[index].name;
    *sql = policy->queries[index].sql;
    return true;
}
