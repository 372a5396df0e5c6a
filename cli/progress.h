/*
 * Progress of long work on standard error: a line that is rewritten, only on a
 * terminal, only after a while. Also where Ctrl-C is noticed.
 */
#ifndef STRANDLINE_CLI_PROGRESS_H
#define STRANDLINE_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "ingest/import.h"

struct progress {
    size_t session, sessions; /* of several that are replayed; sessions 0: of one */
    bool shown, wanted, verbose;
    int64_t begun, last; /* monotonic_ms */
};

/* Is --progress, where it is given, one of auto and never? */
bool progress_option(const struct invocation *call, struct err *err);
/* To standard error, unless that is no terminal, or --quiet or --progress never is given. */
void progress_begin(struct progress *p, const struct invocation *call);
void progress_end(struct progress *p); /* takes the line away */

/* For import_options.told: a line each; of what was passed over only where --verbose is given. */
void progress_told(void *arg, const struct err *err);
/* For import_options.progress and review_open; arg is the struct progress. */
bool progress_import(void *arg, const struct import_progress *now);
bool progress_replay(void *arg, int64_t done, int64_t total);

#endif
