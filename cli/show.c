#include "cli/verbs.h"

#include <unistd.h>

#include "base/text.h"
#include "base/timefmt.h"
#include "cli/account.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/wrap.h"
#include "model/case/source.h"

enum { SHOWN_BYTES = 64 * 1024 };

/* Text of many lines from data: split at newlines, each made safe, indented. */
static void print_lines(struct span text, bool cut)
{
    while (text.len) {
        size_t end = span_find_byte(text, '\n');
        struct buf line = {0};
        text_safe(&line, span_sub(text, 0, end));
        printf("    %.*s\n", SPAN_ARG(buf_span(&line)));
        buf_finish(&line);
        text = span_sub(text, end + 1, text.len);
    }
    if (cut)
        puts("    … cut here; --full shows all of it");
}

static bool print_body(struct review *review, int64_t n, const char *title, uint64_t limit,
                       struct err *err)
{
    struct buf body = {0};
    bool cut = false;
    bool ok = review_body(review, n, limit, &body, &cut, err);
    if (ok && body.len) {
        printf("\n%s\n", title);
        print_lines(buf_span(&body), cut);
    }
    buf_finish(&body);
    return ok;
}

/* A line of ours with safe text in it. */
static void show_line(size_t hang, const struct buf *line)
{
    wrap_line(stdout, terminal_columns(stdout), hang, buf_span(line));
}

static void print_field(const char *name, struct span value)
{
    struct buf line = {0};
    buf_addf(&line, "%-14s ", name);
    text_safe(&line, value);
    show_line(15, &line);
    buf_finish(&line);
}

/* Both rules are always computed; one that the policy does not ask of the step decides nothing. */
static void add_rule(struct buf *text, const char *name, enum verdict verdict, bool asked)
{
    buf_addf(text, "%s %s", name, verdict ? verdict_word(verdict) : "not asked");
    if (verdict > VERDICT_ALLOW && !asked)
        buf_puts(text, " (not asked of it)");
}

/* What was recorded: the step, when, of whom, and where its bytes are. */
static void print_recorded(const struct flow_row *row)
{
    const struct step *step = &row->step;
    struct buf text = {0};
    buf_addf(&text, "%lld  %s", (long long)step->n, step_kind_word(step->kind));
    print_field("step", buf_span(&text));
    buf_clear(&text);
    if (step->time_digits >= 0)
        time_print(&text, step->time_ns, step->time_digits);
    else
        buf_puts(&text, "not recorded");
    print_field("time", buf_span(&text));
    if (step->server.len)
        print_field("server", step->server);
    if (step->tool.len)
        print_field("tool", step->tool);
    buf_clear(&text);
    buf_add(&text, row->file);
    if (step->line)
        buf_addf(&text, ":%llu", (unsigned long long)step->line);
    buf_addf(&text, "  bytes %llu+%llu", (unsigned long long)step->whole.offset,
             (unsigned long long)step->whole.length);
    print_field("source", buf_span(&text));
    buf_finish(&text);
}

static void print_labels(const struct flow_row *row, const struct label_pool *pool)
{
    struct buf text = {0};
    if (row->has_label) {
        render_row_label(&text, pool, row);
        if (row->origin != ORIGIN_NONE)
            buf_addf(&text, "  (%s)", label_origin_word(row->origin));
        print_field("label", buf_span(&text));
    }
    buf_clear(&text);
    label_text(&text, pool, row->before);
    print_field("context before", buf_span(&text));
    buf_clear(&text);
    label_text(&text, pool, row->after);
    print_field("context after", buf_span(&text));
    buf_finish(&text);
}

/* Of a call: what it may do, to whom, what policy says of it and what became of it. */
static void print_call(const struct flow_row *row, const struct replay_out *why)
{
    struct buf text = {0};
    if (row->role || row->role_origin != ROLE_FROM_NONE) {
        buf_addf(&text, "%s  (by %s)", render_role(row->role), role_origin_word(row->role_origin));
        print_field("role", buf_span(&text));
    }
    if (row->audience.len)
        print_field("audience", row->audience);
    if (row->verdict) {
        buf_clear(&text);
        buf_addf(&text, "%s  ", verdict_word(row->verdict));
        add_rule(&text, "P-T", row->trusted_action, why->asked & ASKED_TRUSTED_ACTION);
        buf_puts(&text, ", ");
        add_rule(&text, "P-F", row->permitted_flow, why->asked & ASKED_PERMITTED_FLOW);
        print_field("verdict", buf_span(&text));
    }
    if (row->step.outcome != OUTCOME_NONE)
        print_field("outcome", span_of(outcome_word(row->step.outcome)));
    if (row->step.approved)
        print_field("approved", SPAN("by the person who was asked, as the log tells"));
    buf_finish(&text);
}

static void print_explanation(const struct flow_row *row, const struct label_pool *pool,
                              const struct replay_out *why)
{
    struct buf text = {0};
    replay_sentence(&text, pool, &row->step, why);
    putchar('\n');
    show_line(0, &text);
    for (size_t i = 0; i < why->reason_count; i++) {
        buf_clear(&text);
        buf_addf(&text, "  %s: ", why->reasons[i].rule);
        reason_sentence(&text, pool, &row->step, &why->reasons[i]);
        show_line(4, &text);
    }
    buf_finish(&text);
}

static bool print_claims(struct review *review, int64_t n, struct arena *arena, struct err *err)
{
    struct claim_view *claims;
    size_t count;
    if (!review_claims(review, n, arena, &claims, &count, err))
        return false;
    if (count)
        puts("\nClaims");
    for (size_t i = 0; i < count; i++) {
        struct buf line = {0};
        buf_puts(&line, "    ");
        text_safe(&line, claims[i].name);
        buf_puts(&line, " = ");
        text_safe(&line, claims[i].value.len ? claims[i].value : SPAN("(too long to show)"));
        buf_puts(&line, "  at ");
        text_safe(&line, claims[i].pointer);
        if (claims[i].problem.len) {
            buf_puts(&line, "  malformed: ");
            text_safe(&line, claims[i].problem);
        }
        show_line(6, &line);
        buf_finish(&line);
    }
    return true;
}

static bool print_evidence(struct review *review, int64_t n, struct arena *arena, struct err *err)
{
    struct evidence_view *evidence;
    size_t count;
    if (!review_evidence(review, n, arena, &evidence, &count, err))
        return false;
    if (count)
        puts("\nEvidence");
    for (size_t i = 0; i < count; i++) {
        struct buf line = {0};
        buf_puts(&line, "    ");
        text_safe(&line, evidence[i].verdict.len ? evidence[i].verdict : SPAN("not verified yet"));
        buf_puts(&line, "  ");
        text_safe(&line, evidence[i].type);
        buf_puts(&line, "  ");
        text_safe(&line, evidence[i].digest);
        if (evidence[i].reason.len) {
            buf_puts(&line, "  — ");
            text_safe(&line, evidence[i].reason);
        }
        show_line(6, &line);
        buf_finish(&line);
    }
    return true;
}

static bool print_findings(struct review *review, int64_t n, struct arena *arena, struct err *err)
{
    struct finding_view *findings;
    size_t count;
    if (!review_findings(review, n, arena, &findings, &count, err))
        return false;
    if (count)
        puts("\nFindings");
    for (size_t i = 0; i < count; i++) {
        struct buf line = {0};
        buf_puts(&line, "    ");
        text_safe(&line, findings[i].code);
        buf_addf(&line, "  %s  ", severity_word(findings[i].severity));
        text_safe(&line, findings[i].message);
        show_line(6, &line);
        buf_finish(&line);
    }
    return true;
}

/* Where else the step is recorded, with what is said there, unless it is the same. */
static bool print_recordings(struct review *review, int64_t n, uint64_t limit, struct arena *arena,
                             struct err *err)
{
    struct recording_view *recordings;
    size_t count;
    struct buf own = {0}, body = {0}, line = {0};
    bool cut = false;
    bool ok = review_recordings(review, n, arena, &recordings, &count, err) &&
              (!count || review_body(review, n, limit, &own, &cut, err));
    for (size_t i = 0; ok && i < count; i++) {
        const struct recording_view *one = &recordings[i];
        buf_clear(&body);
        buf_clear(&line);
        ok = review_recording_body(review, one, limit, &body, &cut, err);
        bool same = span_equal(buf_span(&own), buf_span(&body));
        text_safe(&line, one->file);
        if (one->line)
            buf_addf(&line, ":%llu", (unsigned long long)one->line);
        buf_addf(&line, "  bytes %llu+%llu  (", (unsigned long long)one->offset,
                 (unsigned long long)one->length);
        text_safe(&line, one->format);
        printf("\nRecorded also in %.*s)%s\n", SPAN_ARG(buf_span(&line)), same ? ", the same" : "");
        if (ok && !same)
            print_lines(buf_span(&body), cut);
    }
    buf_finish(&own);
    buf_finish(&body);
    buf_finish(&line);
    return ok;
}

static bool show_text(struct review *review, const struct flow_row *row,
                      const struct replay_out *why, uint64_t limit, struct err *err)
{
    struct arena arena = {0};
    int64_t n = row->step.n;
    int64_t other = row->step.kind == STEP_TOOL_CALL ? row->step.result_n : row->step.call_n;
    bool is_call = row->step.kind == STEP_TOOL_CALL;
    const struct label_pool *pool = review_labels(review);
    print_recorded(row);
    print_labels(row, pool);
    print_call(row, why);
    print_explanation(row, pool, why);
    bool ok = print_claims(review, n, &arena, err) && print_evidence(review, n, &arena, err) &&
              print_findings(review, n, &arena, err) &&
              print_body(review, n, is_call ? "Arguments" : "Content", limit, err) &&
              print_recordings(review, n, limit, &arena, err) &&
              (!other ||
               print_body(review, other, is_call ? "Result" : "Arguments of the call", limit, err));
    arena_finish(&arena);
    return ok;
}

static void json_body(struct json *j, const char *key, struct review *review, int64_t n,
                      uint64_t limit, struct err *err)
{
    struct buf body = {0};
    bool cut = false;
    if (n && review_body(review, n, limit, &body, &cut, err))
        json_string(j, key, buf_span(&body));
    else
        json_null(j, key);
    if (cut) {
        char name[48];
        snprintf(name, sizeof name, "%s_cut", key);
        json_bool(j, name, true);
    }
    buf_finish(&body);
}

static bool json_recordings(struct json *j, struct review *review, int64_t n, uint64_t limit,
                            struct arena *arena, struct err *err)
{
    struct recording_view *recordings;
    size_t count;
    if (!review_recordings(review, n, arena, &recordings, &count, err))
        return false;
    bool ok = true;
    json_array(j, "recordings");
    for (size_t i = 0; ok && i < count; i++) {
        const struct recording_view *one = &recordings[i];
        struct buf body = {0};
        bool cut = false;
        ok = review_recording_body(review, one, limit, &body, &cut, err);
        json_object(j, NULL);
        json_string(j, "file", one->file);
        json_string(j, "format", one->format);
        json_int_or_null(j, "line", (int64_t)one->line, one->line > 0);
        json_int(j, "offset", (int64_t)one->offset);
        json_int(j, "length", (int64_t)one->length);
        json_string(j, "text", buf_span(&body));
        json_bool(j, "cut", cut);
        json_end(j);
        buf_finish(&body);
    }
    json_end(j);
    return ok;
}

static bool show_json(struct review *review, struct span session, const struct flow_row *row,
                      const struct replay_out *why, uint64_t limit, struct err *err)
{
    struct json j;
    struct label_pool *pool = review_labels(review);
    bool is_call = row->step.kind == STEP_TOOL_CALL;
    render_begin(&j, "step", review_policy(review));
    bool ok = render_step(&j, review, session, row, err);
    json_array(&j, "reasons");
    for (size_t i = 0; i < why->reason_count; i++) {
        struct buf text = {0};
        reason_sentence(&text, pool, &row->step, &why->reasons[i]);
        json_object(&j, NULL);
        json_word(&j, "rule", why->reasons[i].rule);
        json_string(&j, "pointer", why->reasons[i].pointer);
        json_string(&j, "text", buf_span(&text));
        json_end(&j);
        buf_finish(&text);
    }
    json_end(&j);
    struct arena arena = {0};
    ok = ok && json_recordings(&j, review, row->step.n, limit, &arena, err);
    arena_finish(&arena);
    json_body(&j, "request", review, is_call ? row->step.n : row->step.call_n, limit, err);
    json_body(&j, "result", review, is_call ? row->step.result_n : row->step.n, limit, err);
    json_finish(&j);
    return ok;
}

static bool show_step(struct subject *subject, struct invocation *call, const struct output *output,
                      struct err *err)
{
    int64_t n;
    struct review *review = subject_step(subject, call, REVIEW_FINDINGS, &n, err);
    if (!review)
        return false;
    struct session_view *sessions;
    size_t count;
    struct span session = SPAN_EMPTY;
    bool ok = query_sessions(subject->c, subject->policy, &call->arena, &sessions, &count, err);
    for (size_t i = 0; ok && i < count; i++)
        if (sessions[i].id == review_session(review))
            session = session_label(&sessions[i]);
    struct flow_row row;
    struct replay_out why;
    uint64_t limit = option_given(call, "full") ? 0 : SHOWN_BYTES;
    /* the row of the query carries evidence and findings; the explanation is derived anew */
    ok = ok && review_rows(review, n, 1, 0, &call->arena, &row, err) == 1;
    struct flow_row explained;
    ok = ok && review_explain(review, n, &explained, &why, err);
    if (ok)
        ok = output->json ? show_json(review, session, &row, &why, limit, err)
                          : show_text(review, &row, &why, limit, err);
    review_close(review);
    return ok;
}

/* `show CASE --source N|FILE`: the original bytes, identical. */
static bool show_source(struct subject *subject, const char *which, struct err *err)
{
    int64_t id = account_find_source(subject->c, span_of(which), err);
    if (!id)
        return false;
    fflush(stdout);
    return source_write_out(subject->c, id, STDOUT_FILENO, err);
}

static int show_run(struct invocation *call)
{
    struct subject subject = {0};
    struct output output;
    struct err err = {0};
    const char *source = option_value(call, "source");
    bool account = option_given(call, "account");
    bool ok =
        output_options(call, &output, &err) &&
        subject_open(&subject, call, source || account ? SUBJECT_CASE : SUBJECT_CASE_STEP, &err);
    if (ok && source)
        ok = show_source(&subject, source, &err);
    else if (ok && account)
        ok = account_print(subject.c, &output, &err);
    else if (ok)
        ok = show_step(&subject, call, &output, &err);
    int status = ok ? (int)subject.import_err.kind : verb_failed(&err);
    subject_close(&subject);
    return status;
}

static const struct option_spec show_options[] = {
    {"account", 0, NULL, "instead of a step: what became of every byte of every source"},
    {"source", 0, "N|FILE", "instead of a step: write that source out, byte for byte"},
    {"full", 0, NULL, "long texts whole"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_show = {
    .name = "show",
    .usage = "CASE|LOG... STEP | CASE --account | CASE --source N|FILE",
    .summary = "One step, whole: request, result, claims, label and where it came from, evidence.",
    .help = "STEP is a number, or SESSION:NUMBER.",
    .options = show_options,
    .run = show_run,
};
