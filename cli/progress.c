#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/subject.h"
#include "cli/wrap.h"

enum { QUIET_MS = 400, EVERY_MS = 100 };

bool progress_option(const struct invocation *call, struct err *err)
{
    const char *asked = option_value(call, "progress");
    if (!asked || strcmp(asked, "auto") == 0 || strcmp(asked, "never") == 0)
        return true;
    return err_set(err, ERR_USAGE, "--progress", "use auto or never", "'%s' is neither", asked);
}

void progress_begin(struct progress *p, const struct invocation *call)
{
    const char *asked = option_value(call, "progress");
    *p = (struct progress){
        .wanted = isatty(STDERR_FILENO) && !option_given(call, "quiet") &&
                  !(asked && strcmp(asked, "never") == 0),
        .verbose = option_given(call, "verbose"),
    };
    p->begun = p->last = monotonic_ms();
}

static bool due(struct progress *p)
{
    int64_t now = monotonic_ms();
    if (!p->wanted || now - p->begun < QUIET_MS || (p->shown && now - p->last < EVERY_MS))
        return false;
    p->last = now;
    p->shown = true;
    return true;
}

void progress_end(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

void progress_told(void *arg, const struct err *err)
{
    struct progress *p = arg;
    if (err->kind == ERR_NONE && !p->verbose)
        return;
    progress_end(p);
    err_print(err);
}

static void print_line(struct buf *line)
{
    fputs("\r\033[K", stderr);
    fwrite(line->at, 1, line->len, stderr);
    fflush(stderr);
    buf_finish(line);
}

/* "12 s", "3 min", "1 h 20 min". */
static void put_left(struct buf *line, double seconds)
{
    enum { MINUTE = 60, HOUR = 3600 };
    long left = seconds < 1 ? 1 : seconds < 100 * HOUR ? (long)seconds : 100 * HOUR;
    if (left >= HOUR)
        buf_addf(line, "%ld h %ld min", left / HOUR, left % HOUR / MINUTE);
    else if (left >= 2 * MINUTE)
        buf_addf(line, "%ld min", left / MINUTE);
    else
        buf_addf(line, "%ld s", left);
}

/* What comes of many files stands behind what tells how long it takes; in few columns each word is
 * short and one blank is between. */
static void put_import(struct buf *line, const struct import_progress *now, double rate, bool brief)
{
    const char *gap = brief ? " " : "  ";
    buf_addf(line, "%.0f", (double)now->bytes / 1e6);
    if (now->total)
        buf_addf(line, brief ? "/%.0f" : " of %.0f", (double)now->total / 1e6);
    buf_addf(line, " MB%s%.0f MB/s", gap, rate);
    if (now->total > now->bytes && rate > 0) {
        buf_puts(line, gap);
        put_left(line, (double)(now->total - now->bytes) / 1e6 / rate);
        buf_puts(line, " left");
    }
    buf_addf(line, "%s%llu %s", gap, (unsigned long long)now->sessions,
             brief                ? "sess."
             : now->sessions == 1 ? "session"
                                  : "sessions");
    buf_addf(line, "%s%llu %s", gap, (unsigned long long)now->diagnostics,
             brief                   ? "diag."
             : now->diagnostics == 1 ? "diagnostic"
                                     : "diagnostics");
    if (now->files > 1)
        buf_addf(line, "%s%llu/%llu", gap, (unsigned long long)now->number,
                 (unsigned long long)now->files);
    buf_puts(line, gap);
}

/* The file's name without its folders takes what is left of the line. */
static void put_file(struct buf *line, struct span file, size_t columns)
{
    enum { PROGRESS_FILE_MOST = 40 };
    for (size_t i = file.len; i; i--)
        if (file.at[i - 1] == '/') {
            file = span_sub(file, i, file.len);
            break;
        }
    size_t left = columns > line->len ? columns - line->len : 0;
    text_fit(line, file, left < PROGRESS_FILE_MOST ? left : PROGRESS_FILE_MOST, false);
}

bool progress_import(void *arg, const struct import_progress *now)
{
    enum { FILE_LEAST = 16, COLUMNS = 80 };
    struct progress *p = arg;
    if (due(p)) {
        struct buf line = {0};
        int width = terminal_columns(stderr);
        size_t columns = (size_t)(width > 0 ? width : COLUMNS) - 1; /* a full line would wrap */
        double rate = (double)now->bytes * 1e3 / 1e6 / (double)(monotonic_ms() - p->begun);
        put_import(&line, now, rate, false);
        if (line.len + FILE_LEAST > columns) {
            buf_clear(&line);
            put_import(&line, now, rate, true);
        }
        put_file(&line, now->file, columns);
        print_line(&line);
    }
    return !interrupt_came();
}

bool progress_replay(void *arg, int64_t done, int64_t total)
{
    struct progress *p = arg;
    if (due(p)) {
        struct buf line = {0};
        buf_puts(&line, "replaying  ");
        if (p->sessions > 1)
            buf_addf(&line, "session %zu of %zu  ", p->session + 1, p->sessions);
        buf_addf(&line, "%lld of %lld steps", (long long)done, (long long)total);
        print_line(&line);
    }
    return !interrupt_came();
}
