#include "cli/report.h"

#include <stdio.h>
#include <sys/stat.h>

#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/verbs.h"

/* ---- formats ---- */

static const struct report_format *const report_formats[] = {&report_sarif, &report_html,
                                                             &report_markdown, &report_json};

static bool report_ends_like(struct span path, struct span endings)
{
    while (endings.len) {
        size_t end = span_find_byte(endings, ' ');
        struct span ending = span_sub(endings, 0, end);
        if (path.len > ending.len &&
            span_equal_nocase(span_sub(path, path.len - ending.len, ending.len), ending))
            return true;
        endings = span_sub(endings, end + 1, endings.len);
    }
    return false;
}

const struct report_format *report_format_find(const char *as, const char *path, struct err *err)
{
    for (size_t i = 0; i < COUNT_OF(report_formats); i++) {
        const struct report_format *f = report_formats[i];
        if (as ? strcmp(as, f->name) == 0 : report_ends_like(span_of(path), span_of(f->endings)))
            return f;
    }
    if (as)
        err_set(err, ERR_USAGE, "--as", "use html, md, json or sarif", "'%s' is no format", as);
    else
        err_set(err, ERR_USAGE, path, "end it in .html, .md, .json or .sarif, or give --as FORMAT",
                "the file's name names no format");
    return NULL;
}

/* ---- writing ---- */

/* Where the case lies on this machine is nobody else's business. */
static const char *report_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool report_flush(struct buf *out, FILE *to)
{
    bool good = fwrite(out->at, 1, out->len, to) == out->len;
    buf_clear(out);
    return good;
}

static bool report_put(struct report *r, const struct report_format *format, FILE *to,
                       const char *path, struct err *err)
{
    struct buf out = {0};
    format->begin(r, &out);
    bool ok = true, written = report_flush(&out, to);
    for (size_t i = 0; ok && written && i < r->session_count && !interrupt_came(); i++) {
        struct report_session s;
        ok = report_session_gather(r, &r->sessions[i], &s, err);
        if (ok) {
            format->session(r, &s, &out);
            report_session_finish(&s);
            written = report_flush(&out, to);
        }
    }
    format->end(r, &out);
    written = report_flush(&out, to) && written;
    buf_finish(&out);
    if (ok && interrupt_came())
        return err_set(err, ERR_INTERNAL, path, "write it again",
                       "interrupted, so nothing is written");
    if (ok && !written && to != stdout) /* of that, main says it */
        return err_set(err, ERR_INTERNAL, path, "is the disk full?", "could not be written");
    return ok;
}

bool report_write(struct case_file *c, const struct policy *policy, const char *name,
                  const struct session_view *sessions, size_t count,
                  const struct report_format *format, const char *path, bool fresh, struct err *err)
{
    struct report r;
    struct file_writing file;
    struct stat there;
    if (fresh && lstat(path, &there) == 0)
        return err_set(err, ERR_USAGE, path, "give another name", "there is such a file already");
    if (!report_gather(&r, c, policy, report_base_name(name), sessions, count, err))
        return false;
    bool ok = file_begin(&file, path, err) &&
              file_end(&file, report_put(&r, format, file.to, path, err), err);
    report_finish(&r);
    return ok;
}

/* ---- the verb ---- */

static bool report_answer(struct subject *subject, struct invocation *call,
                          const struct output *output, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    const char *path = option_value(call, "output"), *as = option_value(call, "as");
    if (!path)
        path = "-";
    const struct report_format *format =
        report_format_find(as                       ? as
                           : strcmp(path, "-") == 0 ? (output->json ? "json" : "md")
                                                    : NULL,
                           path, err);
    if (!format || !subject_spares(subject, call, path, err) ||
        !subject_sessions(subject, call, true, &sessions, &count, err))
        return false;
    const char *name =
        subject->log_count > 1
            ? arena_printf(&call->arena, "%llu logs", (unsigned long long)subject->totals.sources)
            : call->operands[0];
    if (subject->from_logs && count == 1)
        name = arena_cstr(&call->arena, sessions[0].name);
    return report_write(subject->c, subject->policy, name, sessions, count, format, path, false,
                        err);
}

static int report_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_SESSION, report_answer);
}

static const struct option_spec report_options[] = {
    {"output", 'o', "FILE", "where to (default: standard output, as Markdown)"},
    {"as", 0, "FORMAT", "html, md, json or sarif (default: by the ending of FILE)"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_report = {
    .name = "report",
    .usage = "CASE|LOG... [SESSION] [-o FILE]",
    .summary = "A report to hand over: HTML, Markdown, JSON or SARIF, of all sessions or one.",
    .help =
        "Sources and their digests, each session's timeline, the findings with the text that\n"
        "they rest on (credentials masked), what left and where it came from, the evidence,\n"
        "what the record can't show, and the reviewer's notes. The HTML is one file that loads\n"
        "nothing and runs nothing. The same case and policy give the same bytes.",
    .options = report_options,
    .run = report_run,
};
