#include "cli/verbs.h"

#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "cli/table.h"

enum { EGRESS_PAGE = 256 };

static const struct table_column egress_columns[] = {
    {"step", TABLE_RIGHT, 0, 0},   {"to", TABLE_LEFT, 40, 0},      {"by", TABLE_LEFT, 18, 0},
    {"tool", TABLE_LEFT, 30, 0},   {"context", TABLE_LEFT, 40, 2}, {"verdict", TABLE_LEFT, 0, 0},
    {"outcome", TABLE_LEFT, 0, 1}, {"what", TABLE_LEFT, 100, 0},
};

static void egress_text_row(struct table *t, struct review *review, const struct flow_row *row)
{
    struct buf text = {0};
    table_number(t, row->step.n);
    text_safe(&text, row->audience.len ? row->audience : SPAN("not known"));
    if (row->audience_assumed)
        buf_puts(&text, " (assumed)");
    table_data(t, buf_span(&text));
    table_data(t, row->step.server.len ? row->step.server : SPAN("(host)"));
    table_data(t, row->step.tool.len ? row->step.tool : SPAN("rendered link"));
    buf_clear(&text);
    label_text(&text, review_labels(review), row->before);
    table_data(t, buf_span(&text));
    table_tinted(t, render_verdict_tint(row->verdict),
                 row->verdict ? verdict_word(row->verdict) : "");
    table_text(t, row->step.outcome == OUTCOME_NONE ? "not recorded"
                                                    : outcome_word(row->step.outcome));
    buf_clear(&text);
    render_preview(&text, row, 100);
    table_data(t, buf_span(&text));
    table_row(t);
    buf_finish(&text);
}

/* The findings that say which earlier text is in what left. */
static bool json_texts(struct json *j, struct review *review, const struct flow_row *row,
                       struct arena *arena, struct err *err)
{
    struct finding_view *findings = NULL;
    size_t count = 0;
    if (row->finding_count && !review_findings(review, row->step.n, arena, &findings, &count, err))
        return false;
    json_array(j, "texts");
    for (size_t i = 0; i < count; i++) {
        struct span evidence;
        if (span_starts_with(findings[i].code, SPAN("EX")) &&
            jsonr_member(findings[i].detail, "evidence", &evidence)) {
            json_object(j, NULL);
            json_string(j, "finding", findings[i].id);
            json_string(j, "code", findings[i].code);
            json_raw(j, "evidence", evidence);
            json_end(j);
        }
    }
    json_end(j);
    return true;
}

static bool egress_json_row(struct json *j, struct review *review, struct span session,
                            const struct flow_row *row, struct arena *arena, struct err *err)
{
    json_object(j, NULL);
    render_head(j, "egress", review_policy(review));
    json_string(j, "session", session);
    json_int(j, "step", row->step.n);
    render_time(j, "time", row->step.time_ns, row->step.time_digits);
    json_string(j, "server", row->step.server.len ? row->step.server : (struct span){0});
    json_string(j, "tool", row->step.tool.len ? row->step.tool : (struct span){0});
    json_string(j, "audience", row->audience.len ? row->audience : (struct span){0});
    json_bool(j, "audience_assumed", row->audience_assumed);
    bool ok = render_context(j, "context", review, row->before, row->step.n - 1, err);
    json_word(j, "verdict", verdict_word(row->verdict));
    json_word(j, "outcome",
              row->step.outcome == OUTCOME_NONE ? NULL : outcome_word(row->step.outcome));
    ok = ok && json_texts(j, review, row, arena, err);
    json_end(j);
    json_line(j);
    return ok;
}

static bool egress_print_session(struct review *review, struct span session, struct json *j,
                                 struct table *t, struct err *err)
{
    struct arena arena = {0};
    struct flow_row *rows = NEW_ARRAY(struct flow_row, EGRESS_PAGE);
    bool ok = true;
    long got;
    for (int64_t n = 1; ok && !interrupt_came(); n += got) {
        got = review_rows(review, n, EGRESS_PAGE, t ? FLOW_PREVIEW : 0, &arena, rows, err);
        ok = got >= 0;
        if (got <= 0)
            break;
        for (long i = 0; ok && i < got; i++) {
            if (!(rows[i].role & ROLE_EGRESS))
                continue;
            if (t)
                egress_text_row(t, review, &rows[i]);
            else
                ok = egress_json_row(j, review, session, &rows[i], &arena, err);
        }
        arena_reset(&arena);
    }
    mem_free(rows);
    arena_finish(&arena);
    return ok;
}

static bool egress_print_all(struct subject *subject, struct invocation *call,
                             const struct output *output, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    if (!subject_sessions(subject, call, subject->from_logs, &sessions, &count, err))
        return false;
    struct json j;
    struct table *t = NULL;
    json_init(&j, stdout, false);
    if (!output->json)
        t = table_create(stdout, egress_columns, COUNT_OF(egress_columns), output->width,
                         output->colour);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct review *review = subject_review(subject, call, sessions[i].id, REVIEW_FINDINGS, err);
        ok = review && egress_print_session(review, session_label(&sessions[i]), &j, t, err);
        review_close(review);
    }
    json_close(&j);
    table_finish(t);
    return ok;
}

static int egress_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_SESSION, egress_print_all);
}

static const struct option_spec egress_options[] = {
    {"all", 'a', NULL, "every session"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_egress = {
    .name = "egress",
    .usage = "CASE|LOG... [SESSION]",
    .summary =
        "What left: every call and rendered link that sends something out, to whom, from which context.",
    .options = egress_options,
    .run = egress_run,
};
