#include "cli/export.h"

#include <stdio.h>

#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/verbs.h"

enum { EXPORT_PAGE = 256 };

static const struct export_form *const export_forms[] = {
    &export_jsonl, &export_timesketch, &export_cef, &export_ocsf, &export_dot, &export_otlp,
};

void export_step_title(struct buf *out, const struct flow_row *row)
{
    const struct step *step = &row->step;
    buf_puts(out, step_kind_word(step->kind));
    if (step->tool.len) {
        buf_byte(out, ' ');
        buf_add(out, step->tool);
    }
    if (step->server.len) {
        buf_puts(out, step->kind == STEP_TOOL_RESULT ? " from " : " of ");
        buf_add(out, step->server);
    }
}

/* Can it stand in this form? What can't is counted. */
static bool fits(struct exporting *x, const struct export_form *form, const struct flow_row *row)
{
    bool timed = row && row->step.time_digits >= 0;
    x->without_time += form->needs_time && !timed;
    return !form->needs_time || timed;
}

static bool export_steps(struct exporting *x, const struct export_form *form, struct err *err)
{
    struct arena arena = {0};
    struct flow_row *rows = NEW_ARRAY(struct flow_row, EXPORT_PAGE);
    long got = 0;
    bool ok = true;
    x->arena = &arena;
    for (int64_t n = 1; ok && !interrupt_came(); n += got) {
        got = review_rows(x->review, n, EXPORT_PAGE, 0, &arena, rows, err);
        ok = got >= 0;
        if (got <= 0)
            break;
        for (long i = 0; ok && i < got; i++)
            ok = !fits(x, form, &rows[i]) || form->step(x, &rows[i], err);
        arena_reset(&arena);
    }
    mem_free(rows);
    arena_finish(&arena);
    return ok;
}

static bool export_findings(struct exporting *x, const struct export_form *form, struct err *err)
{
    struct arena list = {0}, arena = {0};
    struct finding_view *findings;
    struct flow_row row;
    size_t count;
    bool ok = review_findings(x->review, 0, &list, &findings, &count, err);
    x->arena = &arena;
    for (size_t i = 0; ok && i < count && !interrupt_came(); i++) {
        bool of_step = findings[i].n > 0;
        ok = !of_step || review_rows(x->review, findings[i].n, 1, 0, &arena, &row, err) >= 0;
        ok = ok && (!fits(x, form, of_step ? &row : NULL) ||
                    form->finding(x, &findings[i], of_step ? &row : NULL, err));
        arena_reset(&arena);
    }
    arena_finish(&list);
    arena_finish(&arena);
    return ok;
}

static bool export_session(struct exporting *x, const struct export_form *form, struct err *err)
{
    return (!form->begin_session || form->begin_session(x, err)) &&
           (!form->step || export_steps(x, form, err)) &&
           (!form->finding || export_findings(x, form, err)) &&
           (!form->end_session || form->end_session(x, err));
}

static bool export_sessions(struct exporting *x, struct invocation *call,
                            const struct export_form *form, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    bool ok = subject_sessions(x->subject, call, true, &sessions, &count, err) &&
              (!form->begin || form->begin(x, err));
    for (size_t i = 0; ok && i < count && !interrupt_came(); i++) {
        x->session = session_label(&sessions[i]);
        x->review = subject_review(x->subject, call, sessions[i].id,
                                   REVIEW_FINDINGS | REVIEW_RECOMPUTE, err);
        ok = x->review && export_session(x, form, err);
        review_close(x->review);
    }
    return ok && (!form->end || form->end(x, err));
}

static const struct export_form *form_of(struct invocation *call, struct err *err)
{
    const char *word = option_value(call, "as");
    for (size_t i = 0; word && i < COUNT_OF(export_forms); i++)
        if (strcmp(export_forms[i]->name, word) == 0)
            return export_forms[i];
    err_set(err, ERR_USAGE, "--as", "use jsonl, timesketch, cef, ocsf, dot or otlp",
            word ? "'%s' is no form that we write" : "no form named", word);
    return NULL;
}

static bool export_answer(struct subject *s, struct invocation *call, const struct output *output,
                          struct err *err)
{
    const struct export_form *form = form_of(call, err);
    const char *path = option_value(call, "output");
    struct file_writing file = {0};
    struct exporting x = {.subject = s};
    if (!form)
        return false;
    if (!path)
        return err_set(err, ERR_USAGE, "export", "strandline export CASE -o FILE --as FORM",
                       "no file named to write to");
    if (!subject_spares(s, call, path, err) || !file_begin(&file, path, err))
        return false;
    x.to = file.to;
    json_init(&x.json, file.to, false);
    bool ok = export_sessions(&x, call, form, err);
    json_close(&x.json);
    if (ok && interrupt_came())
        ok = err_set(err, ERR_INTERNAL, path, "run it again", "interrupted, so nothing is written");
    ok = file_end(&file, ok, err);
    if (ok && x.without_time && !output->quiet)
        fprintf(stderr,
                "strandline: %lld without a recorded time left out, since %s needs one; "
                "--as jsonl has them\n",
                (long long)x.without_time, form->name);
    return ok;
}

static int export_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE, export_answer);
}

static const struct option_spec export_options[] = {
    {"output", 'o', "FILE", "what to write; - is standard output"},
    {"as", 0, "FORM", "jsonl, timesketch, cef, ocsf, dot or otlp"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_export = {
    .name = "export",
    .usage = "CASE|LOG... -o FILE --as FORM",
    .summary = "Steps and findings in the form of another tool.",
    .help = "jsonl        the objects of 'steps --json' and, behind them, of 'check --json'\n"
            "timesketch   a line a step and finding, for its timeline\n"
            "cef          findings, ArcSight's Common Event Format\n"
            "ocsf         findings, Open Cybersecurity Schema Framework (class 2004)\n"
            "dot          what led to each violation, for Graphviz\n"
            "otlp         calls as spans, OTLP/JSON\n\n"
            "    strandline export incident.strand -o - --as cef | logger\n"
            "    strandline export incident.strand -o why.dot --as dot && dot -Tsvg why.dot",
    .options = export_options,
    .run = export_run,
};
