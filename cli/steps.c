#include "cli/verbs.h"

#include "base/text.h"
#include "base/timefmt.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "cli/table.h"

enum { STEPS_PAGE = 256 };

static const struct table_column steps_columns[] = {
    {"step", TABLE_RIGHT, 0, 0},   {"time", TABLE_LEFT, 0, 4},
    {"server", TABLE_LEFT, 18, 0}, {"kind", TABLE_LEFT, 0, 3},
    {"tool", TABLE_LEFT, 32, 0},   {"label", TABLE_LEFT, 40, 0},
    {"from", TABLE_LEFT, 0, 5},    {"context after", TABLE_LEFT, 44, 2},
    {"verdict", TABLE_LEFT, 0, 0}, {"marks", TABLE_LEFT, 0, 0},
};

static void steps_print_row(struct table *t, struct review *review, const struct flow_row *row)
{
    const struct step *step = &row->step;
    struct label_pool *pool = review_labels(review);
    struct buf text = {0};
    table_number(t, step->n);
    if (step->time_digits >= 0)
        time_print(&text, step->time_ns, step->time_digits);
    table_text(t, text.len ? buf_cstr(&text) : "");
    table_data(t, step->server);
    table_text(t, step_kind_word(step->kind));
    table_data(t, step->tool);
    buf_clear(&text);
    render_row_label(&text, pool, row);
    table_data(t, buf_span(&text));
    table_text(t, row->has_label ? label_origin_word(row->origin) : "");
    buf_clear(&text);
    label_text(&text, pool, row->after);
    table_data(t, buf_span(&text));
    table_tinted(t, render_verdict_tint(row->verdict),
                 row->verdict ? verdict_word(row->verdict) : "");
    buf_clear(&text);
    render_badges(&text, row);
    if (row->finding_count)
        buf_addf(&text, "%s%d %s", text.len ? ", " : "", row->finding_count,
                 row->finding_count == 1 ? "finding" : "findings");
    table_data(t, buf_span(&text));
    table_row(t);
    buf_finish(&text);
}

/* Walks a session page by page, so that memory stays bounded. */
static bool steps_print_session(struct review *review, struct span session, struct json *j,
                                struct table *t, struct err *err)
{
    struct arena arena = {0};
    struct flow_row *rows = NEW_ARRAY(struct flow_row, STEPS_PAGE);
    long got = 0;
    bool ok = true;
    for (int64_t n = 1; ok && !interrupt_came(); n += got) {
        got = review_rows(review, n, STEPS_PAGE, 0, &arena, rows, err);
        ok = got >= 0;
        if (got <= 0)
            break;
        for (long i = 0; ok && i < got; i++) {
            if (t) {
                steps_print_row(t, review, &rows[i]);
                continue;
            }
            json_object(j, NULL);
            render_head(j, "steps", review_policy(review));
            ok = render_step(j, review, session, &rows[i], err);
            json_end(j);
            json_line(j);
        }
        arena_reset(&arena);
    }
    mem_free(rows);
    arena_finish(&arena);
    return ok;
}

static bool steps_print_all(struct subject *subject, struct invocation *call,
                            const struct output *output, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    if (!subject_sessions(subject, call, false, &sessions, &count, err))
        return false;
    struct json j;
    json_init(&j, stdout, false);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct review *review = subject_review(subject, call, sessions[i].id, REVIEW_FINDINGS, err);
        struct table *t = NULL;
        if (!output->json)
            t = table_create(stdout, steps_columns, COUNT_OF(steps_columns), output->width,
                             output->colour);
        ok = review && steps_print_session(review, session_label(&sessions[i]), &j, t, err);
        table_finish(t);
        review_close(review);
    }
    json_close(&j);
    return ok;
}

static int steps_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_SESSION, steps_print_all);
}

static const struct option_spec steps_options[] = {
    {"all", 'a', NULL, "every session"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_steps = {
    .name = "steps",
    .usage = "CASE|LOG... [SESSION]",
    .summary = "A line a step: time, server, tool, label, the context after it, verdict.",
    .help = "A result's label is what it brings into the context; `from` says whether that was\n"
            "claimed, verified, assumed, or none. --json gives one object a line.",
    .options = steps_options,
    .run = steps_run,
};
