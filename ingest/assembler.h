/*
 * The assembler makes events and steps of records. It knows the protocol and
 * how agents run, and no format: it pairs requests with responses, tells
 * connections apart, follows retries and sub-agents, and writes rows.
 *
 * One assembler is for one import command: wire logs of one group that overlap
 * in time make one session; transcripts make a session each, by their own id,
 * or go on with the one that has that id (same_calls.h).
 */
#ifndef STRANDLINE_INGEST_ASSEMBLER_H
#define STRANDLINE_INGEST_ASSEMBLER_H

#include "base/err.h"
#include "ingest/clock.h"
#include "ingest/outlet.h"
#include "ingest/reader.h"
#include "model/case/store.h"

struct assembler;

struct assembler_options {
    struct span session;  /* everything goes into the session of this name; empty: see above */
    struct span fallback; /* what to call the session of wire logs otherwise */
    struct span server;   /* the server's name where the log doesn't say; empty: none given */
    int64_t clock_ns;     /* what its times lack, to be those of the case's other sources */
    int64_t only;         /* no other session of the case, but its sub-agents, is gone on with; 0 */
    bool growing;         /* sources will be gone on with: none is half of another's connection */
};

struct assembler_counts {
    uint64_t events, steps, sessions, diagnostics;
};

/* The options' spans must outlive it. */
struct assembler *assembler_create(struct case_file *c, const struct assembler_options *options,
                                   struct err *err);
void assembler_destroy(struct assembler *a); /* NULL is fine */

/* Begins a source, inside its transaction. `state` is the reader's; `group` is empty for files that
 * were named one by one, else their folder. */
bool assembler_begin(struct assembler *a, int64_t source, struct span path, struct span group,
                     const struct reader *reader, void *state, struct err *err);
/*
 * Begins a source that the case has, whose file has grown: what is taken until assembler_resumed is
 * what was taken then, and writes nothing; `state` is a new one. Then it goes on, in the session
 * that the source has.
 */
bool assembler_resume(struct assembler *a, int64_t source, struct span path, struct span group,
                      const struct reader *reader, void *state, struct err *err);
/* May the source be gone on with? Not where it is the first half of a connection whose answers
 * another source has: err says so. */
bool assembler_may_grow(struct assembler *a, int64_t source, struct err *err);
/* A source that the case has, and that is not read again: where it is a wire log, those that come
 * after it and overlap with it in time are of its session, as if it had been read now. */
void assembler_known(struct assembler *a, int64_t source, struct span group,
                     const struct reader *reader);
bool assembler_resumed(struct assembler *a, struct err *err);
/* What the reader said of one unit: records become rows. */
bool assembler_take(struct assembler *a, const struct unit *unit, struct outlet *out,
                    struct err *err);
/* Ends the source: what waits stays unanswered. */
bool assembler_end(struct assembler *a, struct err *err);
/* Before a commit: the steps of all sources that ended since get their numbers. */
bool assembler_number(struct assembler *a, struct err *err);
/* All that its file holds by now was taken: as assembler_end and assembler_number, but more may be
 * taken later, after assembler_wake. */
bool assembler_settle(struct assembler *a, struct err *err);
/* Others may have written to the case since. */
bool assembler_wake(struct assembler *a, struct err *err);
/* Was a call of the source found to be another one's? */
bool assembler_merged(const struct assembler *a);
/* What the times of the sources to come lack, instead of what the options said. */
void assembler_set_clock(struct assembler *a, int64_t clock_ns);
/* What calls of the source tell of its clock, that another one tells too. */
struct clock_offset assembler_clock(struct assembler *a);
/* Steps of the session are gone: before a commit it is to be numbered. */
void assembler_left_gaps(struct assembler *a, int64_t session);
/* The source whose requests are answered in this one, where each holds half of a connection; 0:
 * none.
 */
int64_t assembler_half_of(const struct assembler *a);
/* Does the first half of a connection wait for the second? */
bool assembler_waits(const struct assembler *a);
/* The source was given up and will be rolled back. */
void assembler_drop(struct assembler *a);

/* A diagnostic about the source being read. */
bool assembler_diagnostic(struct assembler *a, uint64_t line, uint64_t offset, uint64_t length,
                          const char *code, const char *what, struct err *err);
struct assembler_counts assembler_counts(const struct assembler *a);

#endif
