#include "cli/explore.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/account.h"
#include "cli/report.h"
#include "cli/verbs.h"

static bool number_of(struct invocation *call, const char *name, int least, int most, int *out,
                      struct err *err)
{
    const char *word = option_value(call, name);
    unsigned long long value = 0;
    if (!word)
        return true;
    if (!span_to_u64(span_of(word), &value) || value < (unsigned)least || value > (unsigned)most)
        return err_set(err, ERR_USAGE, name, NULL, "give a number from %d to %d", least, most);
    *out = (int)value;
    return true;
}

static bool look_of(struct invocation *call, const struct output *output,
                    struct explorer_options *explore_options, struct err *err)
{
    const char *ground = option_value(call, "background");
    explore_options->ascii = option_given(call, "ascii");
    explore_options->plain = option_given(call, "plain");
    explore_options->script = option_value(call, "script");
    const char *colour = option_value(call, "color");
    if (!output->colour && (getenv("NO_COLOR") || (colour && strcmp(colour, "never") == 0)))
        explore_options->colours = COLOURS_NONE;
    if (!ground)
        return true;
    if (strcmp(ground, "dark") == 0)
        explore_options->ground = GROUND_DARK;
    else if (strcmp(ground, "light") == 0)
        explore_options->ground = GROUND_LIGHT;
    else
        return err_set(err, ERR_USAGE, "--background", "use dark or light", "'%s' is neither",
                       ground);
    return true;
}

/* What the title calls the thing that is open. */
static const char *title_of(const struct subject *subject, struct invocation *call)
{
    if (!subject->from_logs || call->operand_count == 1)
        return call->operands[0];
    return arena_printf(&call->arena, "%llu logs", (unsigned long long)subject->totals.sources);
}

/* Where to open it: --session and --step. */
static bool place_of(struct invocation *call, struct subject *subject,
                     struct explorer_options *options, struct err *err)
{
    const char *session = option_value(call, "session"), *step = option_value(call, "step");
    unsigned long long n = 0;
    if ((session || step) &&
        !query_session_find(subject->c, span_of(session), &options->session, err))
        return false;
    if (step && (!span_to_u64(span_of(step), &n) || !n || n > INT64_MAX))
        return err_set(err, ERR_USAGE, "--step", "give its number, as in --step 12",
                       "'%s' is no step", step);
    options->step = (int64_t)n;
    return true;
}

/* The explorer's R. A file that is there already is left alone. */
static bool explore_report(void *arg, const struct policy *policy, const char *path,
                           struct err *err)
{
    struct subject *subject = arg;
    struct arena arena = {0};
    struct session_view *sessions;
    size_t count;
    const struct report_format *format = report_format_find(NULL, path, err);
    bool ok = format && query_sessions(subject->c, policy, &arena, &sessions, &count, err) &&
              report_write(subject->c, policy, subject->from_logs ? "logs" : case_path(subject->c),
                           sessions, count, format, path, true, err);
    arena_finish(&arena);
    return ok;
}

bool explore_look(struct invocation *call, struct explorer_options *options, struct err *err)
{
    struct output output;
    if (!output_options(call, &output, err) || !look_of(call, &output, options, err) ||
        !number_of(call, "rows", 5, 1000, &options->rows, err) ||
        !number_of(call, "columns", 20, 2000, &options->columns, err))
        return false;
    if (!options->plain && !options->script && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
        return err_set(err, ERR_USAGE, "explorer", "use 'strandline replay' for text, or --plain",
                       "this is no terminal");
    return true;
}

int explore_open(struct subject *subject, struct explorer_options *options)
{
    options->case_file = subject->c;
    options->report = explore_report;
    options->report_arg = subject;
    options->cannot_show = account_cannot_show;
    options->policy = subject->policy;
    return worse_status(explorer_run(options), (int)subject->import_err.kind);
}

static int explore_run(struct invocation *call)
{
    struct subject subject = {0};
    struct err err = {0};
    struct explorer_options options = {0};
    bool ok = explore_look(call, &options, &err) &&
              subject_open(&subject, call, SUBJECT_CASE_TO_LOOK, &err) &&
              place_of(call, &subject, &options, &err);
    options.name = ok ? title_of(&subject, call) : NULL;
    int status = ok ? explore_open(&subject, &options) : verb_failed(&err);
    subject_close(&subject);
    return status;
}

static const struct option_spec explore_options[] = {
    SUBJECT_OPTIONS,
    {"session", 0, "SESSION", "open this one: a number, a name, or the beginning of either"},
    {"step", 0, "N", "and show this step"},
    EXPLORE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_explore = {
    .name = "explore",
    .usage = "[CASE | LOG...]",
    .summary = "The explorer: where the context went untrusted or private, and what followed.",
    .help = "? inside shows every key.",
    .options = explore_options,
    .run = explore_run,
};
