#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/account.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/render.h"

/* Seconds with a fraction and a sign, as nanoseconds. */
static bool parse_offset(const char *text, int64_t *ns, struct err *err)
{
    const char *at = text;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    int64_t whole = 0, fraction = 0, unit = 1000000000;
    bool digits = false;
    for (; *at >= '0' && *at <= '9' && whole < 4000000000; at++, digits = true)
        whole = whole * 10 + (*at - '0');
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9' && unit > 1; at++, digits = true) {
            unit /= 10;
            fraction += (*at - '0') * unit;
        }
    if (!digits || *at)
        return err_set(err, ERR_USAGE, "--offset", "give seconds, as in -2.5",
                       "'%s' is no number of seconds", text);
    *ns = (whole * 1000000000 + fraction) * (negative ? -1 : 1);
    return true;
}

static bool read_options(struct invocation *call, struct import_options *options, struct err *err)
{
    const char *format = option_value(call, "format");
    const char *offset = option_value(call, "offset");
    options->session = option_value(call, "session");
    options->server = option_value(call, "server");
    options->strict = option_given(call, "strict");
    options->follow = option_given(call, "follow");
    if (!progress_option(call, err))
        return false;
    if (format) {
        options->format = reader_find(span_of(format));
        if (!options->format)
            return err_set(err, ERR_USAGE, "--format", "'strandline formats' lists them",
                           "'%s' is no format", format);
    }
    return !offset || parse_offset(offset, &options->offset_ns, err);
}

/* Threads beside the one that reads. */
static bool read_jobs(const struct invocation *call, unsigned *workers, struct err *err)
{
    unsigned long long jobs;
    const char *text = option_value(call, "jobs");
    *workers = CASE_WORKERS;
    if (!text)
        return true;
    if (!span_to_u64(span_of(text), &jobs) || jobs < 1 || jobs > 64)
        return err_set(err, ERR_USAGE, "-j", "give a number from 1 to 64",
                       "'%s' is no number of threads", text);
    *workers = (unsigned)jobs - 1;
    return true;
}

static bool print_totals(struct case_file *c, const struct import_totals *totals,
                         const struct output *output, struct err *err)
{
    if (output->json) {
        struct json j;
        render_begin(&j, "import", NULL);
        json_word(&j, "case", case_path(c));
        json_int(&j, "sources", (int64_t)totals->sources);
        json_int(&j, "skipped", (int64_t)totals->skipped);
        json_int(&j, "passed", (int64_t)totals->passed);
        json_int(&j, "empty", (int64_t)totals->empty);
        json_int(&j, "failed", (int64_t)totals->failed);
        json_int(&j, "replaced", (int64_t)totals->replaced);
        json_int(&j, "bytes", (int64_t)totals->bytes);
        json_int(&j, "events", (int64_t)totals->events);
        json_int(&j, "steps", (int64_t)totals->steps);
        json_int(&j, "sessions", (int64_t)totals->sessions);
        json_int(&j, "diagnostics", (int64_t)totals->diagnostics);
        json_bool(&j, "interrupted", totals->interrupted);
        json_finish(&j);
        return true;
    }
    if (output->quiet)
        return true;
    struct buf line = {0};
    bool ok = account_line(c, &line, err);
    if (ok) {
        printf("%llu %s, %llu %s, %llu %s\n", (unsigned long long)totals->events,
               totals->events == 1 ? "event" : "events", (unsigned long long)totals->steps,
               totals->steps == 1 ? "step" : "steps", (unsigned long long)totals->sessions,
               totals->sessions == 1 ? "session" : "sessions");
        printf("%.*s\n", SPAN_ARG(buf_span(&line)));
        if (totals->skipped)
            printf("%llu skipped: in the case already, or a case itself\n",
                   (unsigned long long)totals->skipped);
        if (totals->empty)
            printf("%llu without a message%s\n", (unsigned long long)totals->empty,
                   output->verbose ? "" : "; --verbose names them");
        if (totals->passed)
            printf("%llu passed over in folders: links, pipes, sockets or devices%s\n",
                   (unsigned long long)totals->passed,
                   output->verbose ? "" : "; --verbose names them");
        if (totals->replaced)
            printf("%llu no longer what the case has under that name: kept beside it\n",
                   (unsigned long long)totals->replaced);
    }
    buf_finish(&line);
    return ok;
}

/* Replays every session once, so that whoever opens the case needn't wait for it. */
static bool replay_all(struct case_file *c, struct invocation *call, struct err *err)
{
    const char *name = option_value(call, "policy");
    struct policy *policy = policy_load(name ? name : "additive", err);
    struct session_view *sessions;
    size_t count = 0;
    bool ok = policy && query_sessions(c, NULL, &call->arena, &sessions, &count, err);
    struct progress progress;
    progress_begin(&progress, call);
    progress.sessions = count;
    for (; ok && progress.session < count && !interrupt_came(); progress.session++) {
        struct review *review = review_open(c, sessions[progress.session].id, policy, false,
                                            progress_replay, &progress, err);
        ok = review != NULL || interrupt_came();
        review_close(review);
    }
    progress_end(&progress);
    policy_destroy(policy);
    return ok;
}

/* A word as a shell takes it, and as a terminal may show it. */
static void put_word(struct buf *out, const char *word)
{
    struct buf quoted = {0};
    bool plain = *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-+=:,./@%") == strlen(word);
    for (const char *at = word; !plain && *at; at++)
        if (*at == '\'')
            buf_puts(&quoted, "'\\''");
        else
            buf_byte(&quoted, *at);
    buf_puts(out, plain ? " " : " '");
    text_safe(out, plain ? span_of(word) : buf_span(&quoted));
    buf_puts(out, plain ? "" : "'");
    buf_finish(&quoted);
}

static void tell_how_to_go_on(struct invocation *call, const struct import_totals *totals)
{
    static const char *const same[] = {"output", "session", "format", "server", "offset"};
    struct buf line = {0};
    buf_puts(&line, "strandline: interrupted");
    if (totals->stopped_in[0]) {
        if (totals->stopped_at)
            buf_addf(&line, " at byte %llu of", (unsigned long long)totals->stopped_at);
        else
            buf_puts(&line, " before");
        put_word(&line, totals->stopped_in);
    }
    buf_puts(&line, "; what was read is in the case; to go on: strandline import");
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        const char *value = option_value(call, same[i]);
        if (!value)
            continue;
        buf_addf(&line, " --%s", same[i]);
        put_word(&line, value);
    }
    for (size_t i = 0; i < call->operand_count; i++)
        put_word(&line, call->operands[i]);
    fprintf(stderr, "%.*s\n", SPAN_ARG(buf_span(&line)));
    buf_finish(&line);
}

/* Logs, then evidence; what could not be read is told and the rest stays. */
static int import_into(struct case_file *c, struct invocation *call, struct import_options *options,
                       const struct output *output)
{
    struct import_totals totals = {0};
    struct err err = {0};
    struct progress progress;
    int status = 0;
    progress_begin(&progress, call);
    options->progress = progress_import;
    options->told = progress_told;
    options->arg = &progress;
    if (call->operand_count && !import_logs(c, (const char *const *)call->operands,
                                            call->operand_count, options, &totals, &err)) {
        progress_end(&progress);
        status = verb_failed(&err);
    }
    progress_end(&progress);
    size_t count;
    const char *const *evidence = option_values(call, "evidence", &count);
    if (status == ERR_INTERNAL) /* the disk is full: all that follows would say so again */
        return status;
    if (count && !import_evidence(c, evidence, count, &totals, &err))
        status = worse_status(status, verb_failed(&err));
    if (!option_given(call, "no-replay") && !totals.interrupted && !replay_all(c, call, &err))
        status = worse_status(status, verb_failed(&err));
    if (!print_totals(c, &totals, output, &err))
        status = worse_status(status, verb_failed(&err));
    if (totals.interrupted) {
        tell_how_to_go_on(call, &totals);
        status = worse_status(status, ERR_INPUT);
    }
    return status;
}

static int import_run(struct invocation *call)
{
    struct import_options options = {0};
    struct output output;
    struct err err = {0};
    unsigned workers;
    const char *path = option_value(call, "output");
    if (!output_options(call, &output, &err) || !read_options(call, &options, &err) ||
        !read_jobs(call, &workers, &err))
        return verb_failed(&err);
    if (!path || (call->operand_count == 0 && !option_given(call, "evidence"))) {
        err_set(&err, ERR_USAGE, "import", "strandline import -o CASE.strand LOG...",
                path ? "no log is named" : "no case is named");
        return verb_failed(&err);
    }
    struct case_file *c = case_create(path, &err);
    if (!c)
        return verb_failed(&err);
    case_use_workers(c, workers);
    int status = import_into(c, call, &options, &output);
    case_close(c);
    return status;
}

static const struct option_spec import_options[] = {
    {"output", 'o', "CASE", "the case to make or to add to"},
    {"session", 0, "NAME", "all of it is one session of that name"},
    {"format", 0, "F", "do not detect: it is this format ('strandline formats')"},
    {"server", 0, "NAME", "the server's name, where the log does not say"},
    {"offset", 0, "SECONDS", "added to the times of these logs"},
    {"evidence", 'e', "PATH", "records: a file, a folder, JSONL, .cbor (repeatable)"},
    {"follow", 0, NULL, "then add what comes, until Ctrl-C"},
    {"jobs", 'j', "N", "threads: one reads, the others pack"},
    {"no-replay", 0, NULL, "leave the replay to whoever opens the case first"},
    {"strict", 0, NULL, "stop at the first line that can't be read"},
    {"progress", 0, "WHEN", "auto or never"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_import = {
    .name = "import",
    .usage = "-o CASE LOG...",
    .summary = "Reads logs (files, folders, patterns, - for standard input) into a case.",
    .help =
        "Each source is kept byte for byte. What can't be read becomes a finding with file,\n"
        "line and byte, and the rest is still read. An interrupted import leaves a case that\n"
        "opens; the same command goes on with it, and with files that have grown since.\n"
        "Wire logs of one folder, or named one by one, that overlap in time (or tell none), and\n"
        "a transcript that tells the same calls, are one session. Then every session is\n"
        "replayed once, so that the explorer opens it at once.",
    .options = import_options,
    .run = import_run,
};
