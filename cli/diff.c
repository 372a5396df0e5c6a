#include "cli/verbs.h"

#include "base/text.h"
#include "cli/render.h"
#include "cli/table.h"
#include "model/query/diff.h"

static const char *sign_of(enum diff_kind kind)
{
    return kind == DIFF_ADDED ? "+" : kind == DIFF_REMOVED ? "-" : "~";
}

static enum tint tint_of(enum diff_kind kind)
{
    return kind == DIFF_ADDED ? TINT_GOOD : kind == DIFF_REMOVED ? TINT_BAD : TINT_WARN;
}

static void add_name(struct buf *line, struct review *review, int64_t n)
{
    struct arena arena = {0};
    struct flow_row row;
    struct err err = {0};
    if (review_rows(review, n, 1, FLOW_PREVIEW, &arena, &row, &err) == 1) {
        buf_addf(line, "%s  ", step_kind_word(row.step.kind));
        text_safe(line, row.step.server);
        buf_puts(line, row.step.server.len ? "  " : "");
        text_safe(line, row.step.tool);
        if (row.preview.len) {
            buf_puts(line, "  ");
            render_preview(line, &row, 60);
        }
    }
    arena_finish(&arena);
}

static void text_step(const struct output *output, struct review *a, struct review *b,
                      const struct step_diff *d)
{
    struct buf line = {0};
    buf_addf(&line, "%s%s ", tint_begin(tint_of(d->kind), output->colour), sign_of(d->kind));
    if (d->kind == DIFF_CHANGED)
        buf_addf(&line, "%lld/%lld  ", (long long)d->a, (long long)d->b);
    else
        buf_addf(&line, "%lld  ", (long long)(d->a ? d->a : d->b));
    buf_puts(&line, tint_end(output->colour));
    add_name(&line, d->b ? b : a, d->b ? d->b : d->a);
    if (d->kind == DIFF_CHANGED)
        buf_addf(&line, "  (%s%s%s)", d->body ? "another text" : "",
                 d->verdict ? (d->body ? ", another verdict" : "another verdict") : "",
                 d->context ? (d->body || d->verdict ? ", another context" : "another context")
                            : "");
    buf_byte(&line, '\n');
    fwrite(line.at, 1, line.len, stdout);
    buf_finish(&line);
}

static void text_fact(const struct output *output, const struct fact_diff *f)
{
    struct buf line = {0};
    buf_addf(&line, "%s%s%s ", tint_begin(tint_of(f->kind), output->colour), sign_of(f->kind),
             tint_end(output->colour));
    text_safe(&line, f->what);
    buf_puts(&line, "  ");
    text_safe(&line, f->name);
    buf_puts(&line, "  ");
    text_safe(&line, f->a.at ? span_trim(f->a) : SPAN("(not in the first)"));
    buf_puts(&line, " -> ");
    text_safe(&line, f->b.at ? span_trim(f->b) : SPAN("(not in the second)"));
    buf_byte(&line, '\n');
    fwrite(line.at, 1, line.len, stdout);
    buf_finish(&line);
}

static void diff_print_text(const struct output *output, struct review *a, struct review *b,
                            const struct session_diff *diff)
{
    for (size_t i = 0; i < diff->fact_count; i++)
        text_fact(output, &diff->facts[i]);
    for (size_t i = 0; i < diff->step_count; i++)
        text_step(output, a, b, &diff->steps[i]);
    if (diff->capped)
        puts("too different to be aligned step by step: only what they begin with was compared");
    printf("%zu %s alike, %zu differ, %zu other differences\n", diff->same,
           diff->same == 1 ? "step" : "steps", diff->step_count, diff->fact_count);
}

static void diff_print_json(struct subject *subject, const struct session_view *a,
                            const struct session_view *b, const struct session_diff *diff)
{
    struct json j;
    render_begin(&j, "diff", subject->policy);
    json_string(&j, "a", session_label(a));
    json_string(&j, "b", session_label(b));
    json_array(&j, "facts");
    for (size_t i = 0; i < diff->fact_count; i++) {
        const struct fact_diff *f = &diff->facts[i];
        json_object(&j, NULL);
        json_word(&j, "change", diff_kind_word(f->kind));
        json_string(&j, "what", f->what);
        json_string(&j, "name", f->name);
        json_string(&j, "a", f->a.at ? span_trim(f->a) : f->a);
        json_string(&j, "b", f->b.at ? span_trim(f->b) : f->b);
        json_end(&j);
    }
    json_end(&j);
    json_array(&j, "steps");
    for (size_t i = 0; i < diff->step_count; i++) {
        const struct step_diff *d = &diff->steps[i];
        json_object(&j, NULL);
        json_word(&j, "change", diff_kind_word(d->kind));
        json_int_or_null(&j, "a", d->a, d->a > 0);
        json_int_or_null(&j, "b", d->b, d->b > 0);
        json_bool(&j, "text", d->body);
        json_bool(&j, "verdict", d->verdict);
        json_bool(&j, "context", d->context);
        json_end(&j);
    }
    json_end(&j);
    json_int(&j, "alike", (int64_t)diff->same);
    json_bool(&j, "capped", diff->capped);
    json_finish(&j);
}

static const struct session_view *view_of(const struct session_view *all, size_t count, int64_t id)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].id == id)
            return &all[i];
    return &all[0];
}

static bool diff_compare(struct subject *subject, struct invocation *call,
                         const struct output *output, struct span first, struct span second,
                         struct err *err)
{
    struct session_view *all;
    size_t count;
    int64_t id_a, id_b;
    if (!query_sessions(subject->c, subject->policy, &call->arena, &all, &count, err) ||
        !query_session_find(subject->c, first, &id_a, err) ||
        !query_session_find(subject->c, second, &id_b, err))
        return false;
    struct review *a = subject_review(subject, call, id_a, 0, err);
    struct review *b = a ? subject_review(subject, call, id_b, 0, err) : NULL;
    struct session_diff diff;
    bool ok = a && b && review_diff(a, b, &call->arena, &diff, err);
    if (ok && output->json)
        diff_print_json(subject, view_of(all, count, id_a), view_of(all, count, id_b), &diff);
    else if (ok)
        diff_print_text(output, a, b, &diff);
    review_close(b);
    review_close(a);
    return ok;
}

static int diff_run(struct invocation *call)
{
    struct subject subject = {0};
    struct output output;
    struct err err = {0};
    struct span words[2] = {SPAN_EMPTY, SPAN_EMPTY};
    bool ok = output_options(call, &output, &err);
    if (ok && call->operand_count < 3)
        ok = err_set(&err, ERR_USAGE, "diff", "strandline diff CASE SESSION_A SESSION_B",
                     "a case and two sessions are needed");
    if (ok) {
        words[0] = span_of(call->operands[call->operand_count - 2]);
        words[1] = span_of(call->operands[call->operand_count - 1]);
        call->operand_count -= 2;
        ok = subject_open(&subject, call, SUBJECT_CASE, &err);
    }
    ok = ok && diff_compare(&subject, call, &output, words[0], words[1], &err);
    int status = ok ? (int)subject.import_err.kind : verb_failed(&err);
    subject_close(&subject);
    return status;
}

static const struct option_spec diff_options[] = {
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_diff = {
    .name = "diff",
    .usage = "CASE|LOG... SESSION_A SESSION_B",
    .summary = "How one session differs from another: server versions, definitions, steps.",
    .help = "- only in the first   + only in the second   ~ the same step, another text or verdict",
    .options = diff_options,
    .run = diff_run,
};
