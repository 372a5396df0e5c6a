#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/account.h"
#include "cli/baseline.h"
#include "cli/fail_on.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/wrap.h"
#include "model/query/account.h"

/* One check over all sessions: what was found so far. */
struct checking {
    struct subject *subject;
    struct invocation *call;
    struct output output;
    struct json json;
    struct baseline baseline;
    enum severity fail_on;
    size_t findings, failing;
    size_t by_default; /* sessions with calls that are allowed for want of labels */
    bool evidence_failed;
};

static void json_finding(struct checking *k, struct span session, const struct finding_view *f)
{
    struct json *j = &k->json;
    json_object(j, NULL);
    render_finding(j, session, f);
    if (k->baseline.loaded)
        json_word(j, "baseline", baseline_has(&k->baseline, f->id) ? "unchanged" : "new");
    json_end(j);
}

static enum tint severity_tint(enum severity severity)
{
    return severity >= SEVERITY_HIGH     ? TINT_BAD
           : severity == SEVERITY_MEDIUM ? TINT_WARN
                                         : TINT_DIM;
}

/* A finding that is accepted stays in the list, and says why. */
static void text_accepted(struct buf *line, const struct finding_view *f)
{
    if (!f->suppressed.at)
        return;
    buf_puts(line, "  (accepted: ");
    text_safe(line, f->suppressed);
    buf_byte(line, ')');
}

static void text_finding(const struct checking *k, const struct finding_view *f)
{
    bool colour = k->output.colour;
    struct buf line = {0};
    buf_addf(&line, "  %s%-8s%s  ", tint_begin(severity_tint(f->severity), colour),
             severity_word(f->severity), tint_end(colour));
    text_safe(&line, f->code);
    if (f->n)
        buf_addf(&line, "  step %-4lld  ", (long long)f->n);
    else
        buf_puts(&line, "             ");
    if (k->baseline.loaded)
        buf_puts(&line, baseline_has(&k->baseline, f->id) ? "unchanged  " : "new        ");
    text_safe(&line, f->message);
    text_accepted(&line, f);
    wrap_line(stdout, k->output.width, k->baseline.loaded ? 40 : 29, buf_span(&line));
    buf_finish(&line);
}

static bool check_session(struct checking *k, const struct session_view *session, struct err *err)
{
    struct review *review =
        subject_review(k->subject, k->call, session->id, REVIEW_FINDINGS | REVIEW_RECOMPUTE, err);
    if (!review)
        return false;
    struct arena arena = {0};
    struct finding_view *findings;
    struct review_summary sum;
    size_t count;
    bool ok = review_summary(review, &sum, err) &&
              review_findings(review, 0, &arena, &findings, &count, err);
    if (ok && !k->output.json) {
        struct buf name = {0};
        text_safe(&name, session_label(session));
        printf("%.*s  %lld %s", SPAN_ARG(buf_span(&name)), (long long)sum.steps,
               sum.steps == 1 ? "step" : "steps");
        if (sum.steps == 0) /* "0 findings" must not be read as "looked at and found clean" */
            printf(": no tool call, result or other content was found in it to check");
        if (sum.first_untrusted)
            printf(", untrusted from step %lld", (long long)sum.first_untrusted);
        if (sum.first_private)
            printf(", private from step %lld", (long long)sum.first_private);
        if (sum.first_denied)
            printf(", first denied at step %lld", (long long)sum.first_denied);
        printf("\n");
        buf_finish(&name);
    }
    for (size_t i = 0; ok && i < count; i++) {
        const struct finding_view *f = &findings[i];
        k->findings++;
        k->by_default += span_is(f->code, "IF08");
        if (f->severity >= k->fail_on && !f->suppressed.at &&
            !(k->baseline.loaded && baseline_has(&k->baseline, f->id)))
            k->failing++;
        if (k->output.json)
            json_finding(k, session_label(session), f);
        else if (f->severity > SEVERITY_INFO || k->output.verbose)
            text_finding(k, f);
    }
    if (ok && sum.evidence_failed)
        k->evidence_failed = true;
    arena_finish(&arena);
    review_close(review);
    return ok;
}

static void json_summary(struct checking *k, const struct session_view *sessions, size_t count)
{
    struct json *j = &k->json;
    json_end(j); /* findings */
    json_array(j, "sessions");
    for (size_t i = 0; i < count; i++) {
        const struct session_view *s = &sessions[i];
        json_object(j, NULL);
        json_string(j, "session", session_label(s));
        json_int(j, "steps", s->steps);
        json_int_or_null(j, "first_untrusted", s->first_untrusted, s->first_untrusted > 0);
        json_int_or_null(j, "first_private", s->first_private, s->first_private > 0);
        json_int_or_null(j, "first_denied", s->first_denied, s->first_denied > 0);
        json_int(j, "denied", s->denied);
        json_int(j, "asked", s->asked);
        json_int(j, "unclaimed", s->unclaimed);
        json_end(j);
    }
    json_end(j);
    if (k->baseline.loaded)
        baseline_json_absent(&k->baseline, j);
}

/* What the formats that were read cannot show, each once: absence proves nothing there. */
static bool say_limits(struct checking *k, struct err *err)
{
    struct source_view *sources;
    size_t count;
    struct limits limits = {.count = 0};
    if (!query_sources(k->subject->c, &k->call->arena, &sources, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        account_add_limits(&limits, sources[i].format);
    account_end_limits(&limits);
    if (k->output.json)
        json_array(&k->json, "cannot_show");
    for (size_t i = 0; i < limits.count; i++)
        if (k->output.json)
            json_word(&k->json, NULL, limits.lines[i]);
        else if (!k->output.quiet)
            printf("%s%s\n", i == 0 ? "not shown by this record: " : "    ", limits.lines[i]);
    if (k->output.json)
        json_end(&k->json);
    return true;
}

/* A session without labels has few findings or none, and that must not be read as harmless. */
static void say_by_default(const struct checking *k)
{
    if (k->by_default && !k->output.json && !k->output.quiet)
        printf(
            "allowed for want of labels: calls in %zu %s (IF08); --policy fides takes unlabelled "
            "data from outside for untrusted\n",
            k->by_default, k->by_default == 1 ? "session" : "sessions");
}

static bool check_all(struct checking *k, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    if (!subject_sessions(k->subject, k->call, true, &sessions, &count, err))
        return false;
    json_init(&k->json, stdout, true);
    if (k->output.json) {
        json_object(&k->json, NULL);
        render_head(&k->json, "check", k->subject->policy);
        json_array(&k->json, "findings");
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = check_session(k, &sessions[i], err);
    /* the numbers of the summary come from the replays just made */
    ok = ok && subject_sessions(k->subject, k->call, true, &sessions, &count, err);
    if (ok && k->output.json)
        json_summary(k, sessions, count);
    ok = ok && say_limits(k, err);
    if (ok)
        say_by_default(k);
    if (ok && k->output.json) {
        json_finish(&k->json);
    } else {
        json_close(&k->json);
        if (ok && !k->output.quiet)
            printf("%zu %s, %zu at or above %s\n", k->findings,
                   k->findings == 1 ? "finding" : "findings", k->failing,
                   severity_word(k->fail_on));
    }
    return ok;
}

static int check_run(struct invocation *call)
{
    struct subject subject = {0};
    struct checking k = {.subject = &subject, .call = call};
    struct err err = {0};
    int status;
    if (output_options(call, &k.output, &err) && fail_on_option(call, &k.fail_on, &err) &&
        baseline_load(&k.baseline, option_value(call, "baseline"), &err) &&
        subject_open(&subject, call, SUBJECT_CASE, &err) && check_all(&k, &err)) {
        status = k.failing ? 1 : 0;
        if (k.evidence_failed)
            status = worse_status(status, ERR_EVIDENCE);
        status = worse_status(status, (int)subject.import_err.kind);
    } else {
        status = verb_failed(&err);
    }
    baseline_finish(&k.baseline);
    subject_close(&subject);
    return status;
}

static const struct option_spec check_options[] = {
    FAIL_ON_OPTION,
    {"baseline", 0, "FILE", "an earlier check --json: only what is new fails"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_check = {
    .name = "check",
    .usage = "CASE|LOG...",
    .summary = "All findings, worst first; exit status 1 where one is at or above --fail-on.",
    .help = "Everything is derived anew: nothing that the case has cached is believed.\n"
            "-v shows informational findings too. Exit status 3 where evidence fails, and 4\n"
            "where an input could not be read.\n"
            "\n"
            "A server that labels nothing breaks no rule of the default policy: where a verdict\n"
            "rests on that alone, it is said below the findings. --policy fides takes unlabelled\n"
            "data from outside for untrusted.",
    .options = check_options,
    .run = check_run,
};
