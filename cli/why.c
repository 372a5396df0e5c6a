#include "cli/verbs.h"

#include "base/text.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/wrap.h"

static bool axis_of(struct invocation *call, enum axis *axis, bool *given, struct err *err)
{
    const char *word = option_value(call, "axis");
    *given = word != NULL;
    if (!word || strcmp(word, "integrity") == 0)
        *axis = AXIS_INTEGRITY;
    else if (strcmp(word, "confidentiality") == 0)
        *axis = AXIS_CONFIDENTIALITY;
    else
        return err_set(err, ERR_USAGE, "--axis", "use integrity or confidentiality",
                       "'%s' is no axis", word);
    return true;
}

static void print_step_name(struct buf *line, struct review *review, int64_t n)
{
    struct arena arena = {0};
    struct flow_row row;
    struct err err = {0};
    if (review_rows(review, n, 1, FLOW_PREVIEW, &arena, &row, &err) == 1) {
        buf_addf(line, "step %lld  %s", (long long)n, step_kind_word(row.step.kind));
        if (row.step.server.len) {
            buf_puts(line, "  ");
            text_safe(line, row.step.server);
        }
        if (row.step.tool.len) {
            buf_puts(line, "  ");
            text_safe(line, row.step.tool);
        }
        if (row.preview.len) {
            buf_puts(line, "  ");
            render_preview(line, &row, 60);
        }
    }
    arena_finish(&arena);
}

/* A join is as bad as the worst in it: the smallest set whose relabelling clears the axis is all
 * that bear it. Where some content was not looked at the set is not known. */
static void print_smallest(const struct why *why, bool integrity)
{
    size_t count = 0;
    for (size_t i = 0; !why->capped && i < why->cause_count; i++)
        if (why->causes[i].bears)
            printf("%s%lld",
                   count++     ? ", "
                   : integrity ? "  trusted if these were, and no fewer: step "
                               : "  public if these were, and no fewer: step ",
                   (long long)why->causes[i].n);
    if (count)
        putchar('\n');
}

static void why_print_text(struct review *review, const struct why *why, const char *axis)
{
    struct buf line = {0};
    if (why->cause_count == 0)
        printf("%s: nothing before this step moved it\n", axis);
    else
        printf("%s: made so by, the most likely origin first\n", axis);
    for (size_t i = 0; i < why->cause_count; i++) {
        buf_clear(&line);
        buf_addf(&line, "  %zu. ", i + 1);
        print_step_name(&line, review, why->causes[i].n);
        wrap_line(stdout, terminal_columns(stdout), 7, buf_span(&line));
        for (size_t k = 0; k < why->causes[i].reason_count; k++) {
            buf_clear(&line);
            buf_puts(&line, "       ");
            text_safe(&line, why->causes[i].reasons[k]);
            wrap_line(stdout, terminal_columns(stdout), 9, buf_span(&line));
        }
    }
    print_smallest(why, strcmp(axis, "integrity") == 0);
    if (why->capped)
        puts("  not all earlier content was looked at: others may be likelier");
    if (why->chain_count)
        puts("  path");
    for (size_t i = 0; i < why->chain_count; i++) {
        buf_clear(&line);
        buf_puts(&line, "    ");
        print_step_name(&line, review, why->chain[i].n);
        wrap_line(stdout, terminal_columns(stdout), 7, buf_span(&line));
        buf_clear(&line);
        buf_puts(&line, "       ");
        text_safe(&line, why->chain[i].rule);
        if (why->chain[i].pointer.len) {
            buf_puts(&line, " at ");
            text_safe(&line, why->chain[i].pointer);
        }
        wrap_line(stdout, terminal_columns(stdout), 9, buf_span(&line));
    }
    buf_finish(&line);
}

static void why_print_json(struct json *j, const struct why *why)
{
    json_array(j, "causes");
    for (size_t i = 0; i < why->cause_count; i++) {
        json_object(j, NULL);
        json_int(j, "step", why->causes[i].n);
        json_double(j, "score", why->causes[i].score, 4);
        json_bool(j, "bears", why->causes[i].bears);
        json_array(j, "reasons");
        for (size_t k = 0; k < why->causes[i].reason_count; k++)
            json_string(j, NULL, why->causes[i].reasons[k]);
        json_end(j);
        json_end(j);
    }
    json_end(j);
    json_array(j, "chain");
    for (size_t i = 0; i < why->chain_count; i++) {
        const struct cause_link *link = &why->chain[i];
        json_object(j, NULL);
        json_int(j, "step", link->n);
        json_string(j, "rule", link->rule);
        json_int_or_null(j, "from", link->from, link->from > 0);
        json_string(j, "pointer", link->pointer);
        json_int(j, "offset", (int64_t)link->offset);
        json_int(j, "length", (int64_t)link->length);
        json_end(j);
    }
    json_end(j);
}

/* ---- the origins of an argument ---- */

static void print_origins(struct review *review, const struct origins *origins)
{
    struct buf line = {0};
    if (origins->count == 0)
        puts("no earlier text of this session stands in it");
    for (size_t i = 0; i < origins->count; i++) {
        const struct origin *o = &origins->items[i];
        buf_clear(&line);
        buf_puts(&line, "  ");
        text_safe(&line, o->pointer);
        buf_puts(&line, o->pointer.len ? "  \"" : "\"");
        text_fit(&line, o->text, 70, false);
        buf_addf(&line, "\"\n    %s, from ", o->how);
        print_step_name(&line, review, o->n);
        buf_addf(&line, "\n    bytes %llu to %llu there\n", (unsigned long long)o->offset,
                 (unsigned long long)(o->offset + o->length));
        fwrite(line.at, 1, line.len, stdout);
    }
    if (origins->capped)
        puts("  some earlier text could not be kept: there may be more");
    buf_finish(&line);
}

/* The steps that the origins lie in, heaviest first, as causes. */
static void origin_causes(const struct origins *origins, struct arena *arena, struct why *why)
{
    why->causes = arena_array(arena, origins->count + 1, sizeof *why->causes);
    for (size_t i = 0; i < origins->count; i++) {
        const struct origin *o = &origins->items[i];
        size_t at = 0;
        while (at < why->cause_count && why->causes[at].n != o->n)
            at++;
        struct cause *cause = &why->causes[at];
        if (at == why->cause_count)
            *cause = (struct cause){.n = why->causes[why->cause_count++].n = o->n};
        cause->score = o->weight > cause->score ? o->weight : cause->score;
        if (cause->reason_count < COUNT_OF(cause->reasons))
            cause->reasons[cause->reason_count++] =
                span_of(arena_printf(arena, "\"%.*s\" (%s)", SPAN_ARG(o->text), o->how));
        for (; at > 0 && why->causes[at - 1].score < why->causes[at].score; at--) {
            struct cause lighter = why->causes[at - 1];
            why->causes[at - 1] = why->causes[at];
            why->causes[at] = lighter;
        }
    }
}

static void json_origins(struct json *j, const struct origins *origins)
{
    json_array(j, "origins");
    for (size_t i = 0; i < origins->count; i++) {
        const struct origin *o = &origins->items[i];
        json_object(j, NULL);
        json_string(j, "pointer", o->pointer);
        json_int(j, "at", (int64_t)o->at);
        json_int(j, "len", (int64_t)o->len);
        json_string(j, "text", o->text);
        json_int(j, "step", o->n);
        json_word(j, "source", o->source);
        json_int(j, "offset", (int64_t)o->offset);
        json_int(j, "length", (int64_t)o->length);
        json_word(j, "how", o->how);
        json_double(j, "weight", o->weight, 4);
        json_end(j);
    }
    json_end(j);
    json_bool(j, "capped", origins->capped);
}

static bool answer_argument(struct subject *subject, struct invocation *call,
                            const struct output *output, struct review *review, int64_t n,
                            const char *pointer, struct err *err)
{
    struct origins origins;
    if (!review_origins(review, n, span_of(pointer), &call->arena, &origins, err))
        return false;
    if (!output->json) {
        print_origins(review, &origins);
        return true;
    }
    struct why why = {0};
    struct json j;
    origin_causes(&origins, &call->arena, &why);
    render_begin(&j, "why", subject->policy);
    json_int(&j, "step", n);
    json_string(&j, "argument", span_of(pointer));
    why_print_json(&j, &why);
    json_origins(&j, &origins);
    json_finish(&j);
    return true;
}

/* ---- asking ---- */

static const char *const axis_words[] = {"integrity", "confidentiality"};

static bool why_answer(struct subject *subject, struct invocation *call,
                       const struct output *output, struct err *err)
{
    enum axis axis = AXIS_INTEGRITY;
    bool given, ok = true;
    int64_t n;
    if (!axis_of(call, &axis, &given, err))
        return false;
    struct review *review = subject_step(subject, call, 0, &n, err);
    if (!review)
        return false;
    const char *pointer = option_value(call, "arg");
    if (pointer) {
        ok = answer_argument(subject, call, output, review, n, pointer, err);
        review_close(review);
        return ok;
    }
    struct why why = {0};
    if (output->json) {
        struct json j;
        ok = review_why(review, n, axis, &call->arena, &why, err);
        if (ok) {
            render_begin(&j, "why", subject->policy);
            json_int(&j, "step", n);
            json_word(&j, "axis", axis_words[axis]);
            why_print_json(&j, &why);
            json_bool(&j, "capped", why.capped);
            json_finish(&j);
        }
    } else {
        for (int a = 0; ok && a < 2; a++) {
            if (given && a != (int)axis)
                continue;
            ok = review_why(review, n, (enum axis)a, &call->arena, &why, err);
            if (ok)
                why_print_text(review, &why, axis_words[a]);
        }
    }
    review_close(review);
    return ok;
}

static int why_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_STEP, why_answer);
}

static const struct option_spec why_options[] = {
    {"axis", 0, "AXIS", "integrity or confidentiality (default: both; with --json integrity)"},
    {"arg", 0, "POINTER", "where this argument's text stood before (a pointer; \"\": all)"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_why = {
    .name = "why",
    .usage = "CASE|LOG... STEP",
    .summary =
        "What made the context what it is at a step: causes, and the path from the first one.",
    .options = why_options,
    .run = why_run,
};
