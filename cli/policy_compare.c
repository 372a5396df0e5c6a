/* `policy compare`: one session under every built-in policy, and under one of your own. */
#include "cli/policy_compare.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/render.h"
#include "cli/verbs.h"

struct compared {
    const char *name; /* safe to print */
    struct review_summary sum;
    int64_t first_violation; /* 0: none */
};

/* The first call that a policy does not simply allow. */
static bool find_violation(struct review *review, int64_t *n, struct err *err)
{
    return review_next(review, MARK_VIOLATION, 0, true, n, err);
}

static bool compare_one(struct subject *s, struct invocation *call, int64_t session,
                        struct compared *out, struct err *err)
{
    struct review *review = subject_review(s, call, session, REVIEW_FINDINGS, err);
    struct buf name = {0};
    if (!review)
        return false;
    text_safe(&name, span_of(policy_name(s->policy)));
    out->name = arena_cstr(&call->arena, buf_span(&name));
    bool ok = review_summary(review, &out->sum, err) &&
              find_violation(review, &out->first_violation, err);
    buf_finish(&name);
    review_close(review);
    return ok;
}

/* Each built-in policy in its turn, then the one that --policy names where it is none of them. */
static bool compare_all(struct subject *s, struct invocation *call, int64_t session,
                        struct compared *rows, size_t *count, struct err *err)
{
    struct policy *own = s->policy;
    bool ok = true, builtin = false;
    *count = 0;
    for (size_t i = 0; ok && i < policy_builtin_count(); i++) {
        builtin = builtin || strcmp(policy_name(own), policy_builtin_name(i)) == 0;
        s->policy = policy_load(policy_builtin_name(i), err);
        ok = s->policy && compare_one(s, call, session, &rows[(*count)++], err);
        policy_destroy(s->policy);
    }
    s->policy = own;
    if (ok && !builtin)
        ok = compare_one(s, call, session, &rows[(*count)++], err);
    return ok;
}

static void compare_text(const struct compared *rows, size_t count, const struct output *output)
{
    static const struct table_column columns[] = {
        {"policy", TABLE_LEFT, 0, 0},     {"untrusted", TABLE_RIGHT, 0, 0},
        {"private", TABLE_RIGHT, 0, 0},   {"violation", TABLE_RIGHT, 0, 0},
        {"denied", TABLE_RIGHT, 0, 0},    {"to ask", TABLE_RIGHT, 0, 0},
        {"unclaimed", TABLE_RIGHT, 0, 2}, {"critical", TABLE_RIGHT, 0, 1},
        {"high", TABLE_RIGHT, 0, 3},      {"medium", TABLE_RIGHT, 0, 4},
        {"low", TABLE_RIGHT, 0, 5},
    };
    struct table *t =
        table_create(stdout, columns, COUNT_OF(columns), output->width, output->colour);
    for (size_t i = 0; i < count; i++) {
        const struct review_summary *sum = &rows[i].sum;
        table_text(t, rows[i].name);
        table_number_or(t, sum->first_untrusted, sum->first_untrusted > 0, "never");
        table_number_or(t, sum->first_private, sum->first_private > 0, "never");
        table_number_or(t, rows[i].first_violation, rows[i].first_violation > 0, "never");
        table_number(t, sum->denied);
        table_number(t, sum->asked);
        table_number(t, sum->unclaimed);
        for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_LOW; severity--)
            table_number(t, sum->findings[severity]);
        table_row(t);
    }
    table_finish(t);
}

static void compare_json(const struct compared *rows, size_t count, struct span session)
{
    struct json j;
    render_begin(&j, "compare", NULL);
    json_string(&j, "session", session);
    json_array(&j, "policies");
    for (size_t i = 0; i < count; i++) {
        const struct review_summary *sum = &rows[i].sum;
        json_object(&j, NULL);
        json_word(&j, "policy", rows[i].name);
        json_int_or_null(&j, "first_untrusted", sum->first_untrusted, sum->first_untrusted > 0);
        json_int_or_null(&j, "first_private", sum->first_private, sum->first_private > 0);
        json_int_or_null(&j, "first_violation", rows[i].first_violation,
                         rows[i].first_violation > 0);
        json_int(&j, "denied", sum->denied);
        json_int(&j, "asked", sum->asked);
        json_int(&j, "unclaimed", sum->unclaimed);
        json_object(&j, "findings");
        for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--)
            json_int(&j, severity_word((enum severity)severity), sum->findings[severity]);
        json_end(&j);
        json_end(&j);
    }
    json_finish(&j);
}

int policy_compare(struct invocation *call, const struct output *output)
{
    struct subject subject = {0};
    struct session_view *sessions;
    struct err err = {0};
    size_t count;
    struct compared *rows = arena_array(&call->arena, policy_builtin_count() + 1, sizeof *rows);
    bool ok = subject_open(&subject, call, SUBJECT_CASE_SESSION, &err) &&
              subject_sessions(&subject, call, false, &sessions, &count, &err) &&
              compare_all(&subject, call, sessions->id, rows, &count, &err);
    if (ok && output->json)
        compare_json(rows, count, session_label(sessions));
    else if (ok)
        compare_text(rows, count, output);
    int status = ok ? (int)subject.import_err.kind : verb_failed(&err);
    subject_close(&subject);
    return status;
}
