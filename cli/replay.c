#include "cli/verbs.h"

#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/wrap.h"

enum { REPLAY_PAGE = 128, PREVIEW_COLUMNS = 76 };

static void print_title(const struct session_view *session, struct review *review,
                        const struct output *output)
{
    struct buf line = {0};
    struct review_summary summary;
    struct err err = {0};
    text_safe(&line, session_label(session));
    printf("%s%.*s%s  %lld steps, policy %s\n", tint_begin(TINT_STRONG, output->colour),
           SPAN_ARG(buf_span(&line)), tint_end(output->colour), (long long)session->steps,
           policy_name(review_policy(review)));
    if (review_summary(review, &summary, &err)) {
        if (summary.first_untrusted)
            printf("  untrusted from step %lld", (long long)summary.first_untrusted);
        else
            printf("  never untrusted");
        if (summary.first_private)
            printf(", private from step %lld", (long long)summary.first_private);
        else
            printf(", never private");
        printf(", %lld denied, %lld to ask, %lld results without a claim\n",
               (long long)summary.denied, (long long)summary.asked, (long long)summary.unclaimed);
    }
    putchar('\n');
    buf_finish(&line);
}

/* "▲" where the context rose, "✘" where a call was denied, else a bar. */
static const char *rail(const struct flow_row *row)
{
    if (row->verdict == VERDICT_DENY)
        return "✘";
    if (row->verdict == VERDICT_ASK)
        return "?";
    return row->changed ? "▲" : "·";
}

static void print_step(struct review *review, const struct flow_row *row,
                       const struct replay_out *why, const struct output *output)
{
    const struct step *step = &row->step;
    struct buf line = {0};
    enum tint tint = row->changed ? TINT_WARN : render_verdict_tint(row->verdict);
    buf_addf(&line, "%s%5lld %s ", tint_begin(tint, output->colour && tint), (long long)step->n,
             rail(row));
    buf_puts(&line, step_kind_word(step->kind));
    buf_puts(&line, tint_end(output->colour && tint));
    if (step->server.len) {
        buf_puts(&line, "  ");
        text_safe(&line, step->server);
    }
    if (step->tool.len) {
        buf_puts(&line, "  ");
        text_safe(&line, step->tool);
    }
    if (row->preview.len) {
        buf_puts(&line, "  ");
        render_preview(&line, row, PREVIEW_COLUMNS);
    }
    wrap_line(stdout, output->width, 8, buf_span(&line));
    buf_clear(&line);
    buf_puts(&line, "        ");
    replay_sentence(&line, review_labels(review), step, why);
    wrap_line(stdout, output->width, 8, buf_span(&line));
    for (size_t i = 0; output->verbose && i < why->reason_count; i++) {
        buf_clear(&line);
        buf_addf(&line, "          %s: ", why->reasons[i].rule);
        reason_sentence(&line, review_labels(review), step, &why->reasons[i]);
        wrap_line(stdout, output->width, 12, buf_span(&line));
    }
    buf_finish(&line);
}

static bool tell_step(struct review *review, struct span session, const struct flow_row *row,
                      const struct output *output, struct json *j, struct err *err)
{
    struct flow_row again;
    struct replay_out why;
    if (!review_explain(review, row->step.n, &again, &why, err))
        return false;
    if (!output->json) {
        print_step(review, row, &why, output);
        return true;
    }
    struct buf text = {0};
    json_object(j, NULL);
    render_head(j, "replay", review_policy(review));
    replay_sentence(&text, review_labels(review), &row->step, &why);
    json_string(j, "sentence", buf_span(&text));
    json_array(j, "rules");
    for (size_t i = 0; i < why.reason_count; i++) {
        json_object(j, NULL);
        json_word(j, "rule", why.reasons[i].rule);
        json_string(j, "pointer", why.reasons[i].pointer);
        json_end(j);
    }
    json_end(j);
    bool ok = render_step(j, review, session, row, err);
    json_end(j);
    json_line(j);
    buf_finish(&text);
    return ok;
}

static bool tell_session(struct review *review, const struct session_view *session,
                         const struct output *output, struct json *j, struct err *err)
{
    struct arena arena = {0};
    struct flow_row *rows = NEW_ARRAY(struct flow_row, REPLAY_PAGE);
    bool ok = true;
    long got;
    if (!output->json)
        print_title(session, review, output);
    for (int64_t n = 1; ok && !interrupt_came(); n += got) {
        got = review_rows(review, n, REPLAY_PAGE, FLOW_PREVIEW, &arena, rows, err);
        ok = got >= 0;
        if (got <= 0)
            break;
        for (long i = 0; ok && i < got; i++)
            ok = tell_step(review, session_label(session), &rows[i], output, j, err);
        arena_reset(&arena);
    }
    if (!output->json)
        putchar('\n');
    mem_free(rows);
    arena_finish(&arena);
    return ok;
}

static bool tell_all(struct subject *subject, struct invocation *call, const struct output *output,
                     struct err *err)
{
    struct session_view *sessions;
    size_t count;
    /* logs that were just given: all that is in them is meant */
    if (!subject_sessions(subject, call, subject->from_logs, &sessions, &count, err))
        return false;
    struct json j;
    json_init(&j, stdout, false);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct review *review =
            subject_review(subject, call, sessions[i].id, output->json ? REVIEW_FINDINGS : 0, err);
        ok = review && tell_session(review, &sessions[i], output, &j, err);
        review_close(review);
    }
    json_close(&j);
    return ok;
}

static int replay_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_SESSION, tell_all);
}

static const struct option_spec replay_options[] = {
    {"all", 'a', NULL, "every session of the case"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_replay = {
    .name = "replay",
    .usage = "CASE|LOG... [SESSION]",
    .summary = "The replay told step by step, with the rule that moved each label.",
    .help = "▲ the context rose here   ✘ the policy denies this call   ? it would ask\n"
            "-v adds every rule with where it was found.",
    .options = replay_options,
    .run = replay_run,
};
