#include "cli/verbs.h"

#include <stdio.h>

#include "cli/fail_on.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "model/query/account.h"

/* One scan over many files. */
struct scanning {
    struct invocation *call;
    struct json json;
    enum severity fail_on;
    unsigned long long shard, shards; /* this one, from 1; of how many */
    int status;
};

static void scan_head(struct scanning *k, const char *file, const char *record,
                      const struct policy *policy)
{
    json_object(&k->json, NULL);
    render_head(&k->json, "scan", policy);
    json_string(&k->json, "file", span_of(file));
    json_word(&k->json, "record", record);
}

static void scan_end(struct scanning *k)
{
    json_end(&k->json);
    json_line(&k->json);
}

/* What was read of the file: of a folder, all that is below. */
static bool scan_sources(struct scanning *k, const char *file, struct subject *s, struct err *err)
{
    struct source_view *sources;
    size_t count;
    if (!query_sources(s->c, &k->call->arena, &sources, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct source_view *v = &sources[i];
        scan_head(k, file, "source", s->policy);
        json_string(&k->json, "path", v->path);
        json_string(&k->json, "sha256", v->sha256);
        json_string(&k->json, "format", v->format);
        json_int_or_null(&k->json, "confidence", v->confidence, v->format.at != NULL);
        json_int(&k->json, "bytes", v->bytes);
        json_int(&k->json, "event", v->event);
        json_int(&k->json, "noise", v->noise);
        json_int(&k->json, "diagnostic", v->diagnostic);
        json_int(&k->json, "blank", v->blank);
        scan_end(k);
    }
    return true;
}

static void scan_summary(struct scanning *k, const char *file, const struct policy *policy,
                         struct span session, const struct review_summary *sum)
{
    struct json *j = &k->json;
    scan_head(k, file, "session", policy);
    json_string(j, "session", session);
    json_int(j, "steps", sum->steps);
    json_int_or_null(j, "first_untrusted", sum->first_untrusted, sum->first_untrusted > 0);
    json_int_or_null(j, "first_private", sum->first_private, sum->first_private > 0);
    json_int_or_null(j, "first_denied", sum->first_denied, sum->first_denied > 0);
    json_int(j, "denied", sum->denied);
    json_int(j, "asked", sum->asked);
    json_int(j, "unclaimed", sum->unclaimed);
    json_int(j, "evidence_refs", sum->evidence_refs);
    json_int(j, "evidence_failed", sum->evidence_failed);
    scan_end(k);
}

static bool scan_session(struct scanning *k, const char *file, struct subject *s,
                         const struct session_view *session, struct err *err)
{
    struct arena arena = {0};
    struct review_summary sum;
    struct finding_view *findings;
    size_t count;
    struct review *review = subject_review(s, k->call, session->id, REVIEW_FINDINGS, err);
    bool ok = review && review_summary(review, &sum, err) &&
              review_findings(review, 0, &arena, &findings, &count, err);
    if (ok)
        scan_summary(k, file, s->policy, session_label(session), &sum);
    for (size_t i = 0; ok && i < count; i++) {
        scan_head(k, file, "finding", s->policy);
        json_object(&k->json, "finding");
        render_finding(&k->json, session_label(session), &findings[i]);
        json_end(&k->json);
        scan_end(k);
        if (findings[i].severity >= k->fail_on && !findings[i].suppressed.at)
            k->status = worse_status(k->status, 1);
    }
    if (ok && sum.evidence_failed)
        k->status = worse_status(k->status, ERR_EVIDENCE);
    arena_finish(&arena);
    review_close(review);
    return ok;
}

static void scan_failed(struct scanning *k, const char *file, const struct err *err)
{
    scan_head(k, file, "error", NULL);
    json_string(&k->json, "what", span_of(err->what));
    scan_end(k);
    k->status = worse_status(k->status, verb_failed(err));
}

/* One file, as if it were alone: what is wrong with it is told, and the next one comes. */
static void scan_file(struct scanning *k, char **file)
{
    struct invocation alone = *k->call;
    struct subject s = {0};
    struct err err = {0};
    struct session_view *sessions;
    size_t count = 0;
    alone.operands = file;
    alone.operand_count = 1;
    alone.arena = (struct arena){0};
    bool ok = subject_open(&s, &alone, SUBJECT_CASE, &err) && scan_sources(k, *file, &s, &err) &&
              query_sessions(s.c, s.policy, &alone.arena, &sessions, &count, &err);
    for (size_t i = 0; ok && i < count && !interrupt_came(); i++)
        ok = scan_session(k, *file, &s, &sessions[i], &err);
    if (!ok)
        scan_failed(k, *file, &err);
    k->status = worse_status(k->status, (int)s.import_err.kind);
    subject_close(&s);
    arena_finish(&alone.arena);
    arena_reset(&k->call->arena);
}

/* "I/N" */
static bool read_shard(struct scanning *k, struct err *err)
{
    const char *text = option_value(k->call, "shard");
    k->shard = k->shards = 1;
    if (!text)
        return true;
    struct span all = span_of(text);
    size_t slash = span_find_byte(all, '/');
    if (span_to_u64(span_sub(all, 0, slash), &k->shard) &&
        span_to_u64(span_sub(all, slash + 1, all.len), &k->shards) && k->shard >= 1 &&
        k->shard <= k->shards)
        return true;
    return err_set(err, ERR_USAGE, "--shard", "1/4 is the first quarter of the files, 4/4 the last",
                   "'%s' is no shard", text);
}

static int scan_run(struct invocation *call)
{
    struct scanning k = {.call = call};
    struct err err = {0};
    if (call->operand_count == 0) {
        err_set(&err, ERR_USAGE, "scan", "strandline scan FILE...", "no file named");
        return verb_failed(&err);
    }
    if (!fail_on_option(call, &k.fail_on, &err) || !read_shard(&k, &err))
        return verb_failed(&err);
    json_init(&k.json, stdout, false);
    for (size_t i = 0; i < call->operand_count && !interrupt_came(); i++)
        if (i % k.shards == k.shard - 1)
            scan_file(&k, &call->operands[i]);
    json_close(&k.json);
    return k.status;
}

static const struct option_spec scan_options[] = {
    {"shard", 0, "I/N", "only every Nth file, from the Ith on: for N machines with the same list"},
    FAIL_ON_OPTION,
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_scan = {
    .name = "scan",
    .usage = "FILE...",
    .summary = "Files in, JSONL out, and nothing is kept: for many files on many machines.",
    .help =
        "Each file stands alone. Its lines name it, and are a source, a session, a finding, or\n"
        "the error for which it could not be read; the next file is scanned all the same.\n\n"
        "    strandline scan ~/.claude/projects/*/*.jsonl | jq -c 'select(.record==\"finding\")'\n"
        "    find /logs -name '*.log' -print0 | xargs -0 strandline scan --shard 1/4",
    .options = scan_options,
    .run = scan_run,
};
