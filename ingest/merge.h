/*
 * The same call in two logs is one step with two recordings: what the server
 * was asked and what the host wrote of it, a log and its copy. Calls of a session
 * that came from other sources are found again by tool and arguments (compared
 * in canonical form), in order, where their times don't tell them apart.
 */
#ifndef STRANDLINE_INGEST_MERGE_H
#define STRANDLINE_INGEST_MERGE_H

#include "base/err.h"
#include "ingest/names.h"
#include "model/case/case.h"
#include "model/evidence/jcs.h"

struct merge_call {
    int64_t step, result; /* result 0: none */
    int64_t server;       /* 0: the host's own */
    int64_t source;
    int64_t time_ns;
    bool timed, shown; /* shown: from a transcript */
    int64_t taken_by;  /* source that tells it once more, too; 0: none yet */
    /* Those of the same tool and arguments hang together, 0 behind the last. In the first of them:
     * the last, and where to look for one that `asked_by` has not taken. */
    uint32_t next, last, from;
    int64_t asked_by;
};

/* Of one session, for one source after the other. Zero-initialised is valid and empty. */
struct merge {
    int64_t source; /* that asks */
    int64_t until;  /* step up to which it was loaded */
    struct names keys;
    struct merge_call *calls; /* calls[0] is none */
    size_t count, size;
    struct buf key;
};

struct merge_wanted {
    struct span tool, arguments;
    int64_t server, time_ns;
    bool timed, shown;
};

/* How far apart, in nanoseconds, a host and a recording of the wire may see one call. */
enum { MERGE_SHOWN_SECONDS = 30 };

/* Frees it and leaves it empty. */
void merge_finish(struct merge *merge);
/*
 * Each call of the session that other sources than `but_source` told (0: all), stored behind the
 * step `behind` (0: all), in the order in which they were stored, with its key: tool and canonical
 * arguments or a digest of them, equal for two recordings of one call. Times have their clock's
 * offset added. The key is valid during the call.
 */
typedef void merge_each_fn(void *arg, struct span key, const struct merge_call *call);
bool merge_each(struct case_file *c, int64_t session, int64_t but_source, int64_t behind,
                struct jcs *jcs, merge_each_fn *each, void *arg, struct err *err);
/* The calls of the session that sources other than this one told: those that are not loaded yet. */
bool merge_load(struct merge *merge, struct case_file *c, int64_t session, int64_t source,
                struct jcs *jcs, struct err *err);
/* The call that this is another recording of; no source finds one twice. NULL: none. */
struct merge_call *merge_find(struct merge *merge, const struct merge_wanted *wanted,
                              struct jcs *jcs);

#endif
