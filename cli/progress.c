#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/subject.h"

enum { QUIET_MS = 400, EVERY_MS = 100 };

static long since_ms(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

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
    clock_gettime(CLOCK_MONOTONIC, &p->begun);
    p->last = p->begun;
}

static bool due(struct progress *p)
{
    if (!p->wanted || since_ms(&p->begun) < QUIET_MS || (p->shown && since_ms(&p->last) < EVERY_MS))
        return false;
    clock_gettime(CLOCK_MONOTONIC, &p->last);
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

bool progress_import(void *arg, const struct import_progress *now)
{
    struct progress *p = arg;
    if (due(p)) {
        struct buf line = {0};
        double seconds = (double)since_ms(&p->begun) / 1000;
        double rate = (double)now->bytes / 1e6 / seconds;
        buf_puts(&line, "reading ");
        text_fit(&line, now->file, 30, false);
        buf_addf(&line, "  %.0f MB", (double)now->bytes / 1e6);
        if (now->total)
            buf_addf(&line, " of %.0f", (double)now->total / 1e6);
        buf_addf(&line, "  %.0f MB/s  %llu events", rate, (unsigned long long)now->events);
        if (now->diagnostics)
            buf_addf(&line, "  %llu diagnostics", (unsigned long long)now->diagnostics);
        if (now->total > now->bytes && rate > 0)
            buf_addf(&line, "  %.0f s left", (double)(now->total - now->bytes) / 1e6 / rate);
        print_line(&line);
    }
    return !was_interrupted();
}

bool progress_replay(void *arg, int64_t done, int64_t total)
{
    struct progress *p = arg;
    if (due(p)) {
        struct buf line = {0};
        buf_addf(&line, "replaying  %lld of %lld steps", (long long)done, (long long)total);
        print_line(&line);
    }
    return !was_interrupted();
}
