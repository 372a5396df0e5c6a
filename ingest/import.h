/*
 * Import: files into a case. A source is in it whole or not at all: a killed
 * import leaves a case that opens, with the sources that were finished (but for
 * the last half second of small ones, which share a commit).
 */
#ifndef STRANDLINE_INGEST_IMPORT_H
#define STRANDLINE_INGEST_IMPORT_H

#include "base/err.h"
#include "ingest/reader.h"
#include "model/case/case.h"

struct import_progress {
    struct span file;       /* that is being read */
    uint64_t bytes, total;  /* of all files; total 0: unknown (a pipe) */
    uint64_t number, files; /* which one of how many it is; files 0: unknown */
    uint64_t sessions, diagnostics;
};

/* Lines of 100 MB are met in logs; what is longer is a few bytes of an attacker's, unpacked. */
enum { IMPORT_LONGEST = 512 * 1024 * 1024 };

struct import_options {
    const char *session;         /* name: everything given goes into that one session; NULL */
    const char *server;          /* name of the server where the log doesn't say; NULL */
    const struct reader *format; /* forced; NULL: detect */
    int64_t offset_ns;           /* added to the times */
    size_t longest;              /* bytes of a line or value, held in memory; 0: IMPORT_LONGEST */
    bool follow;                 /* then wait for more, until progress says stop */
    bool strict;                 /* the first unreadable unit ends the import with an error */
    bool (*progress)(void *arg, const struct import_progress *p); /* false: stop; may be NULL */
    /* Files that could not be read beside the first, which is the import's error, and those named
     * in which nothing was found; of the kind ERR_NONE, the like of files in folders, and what was
     * passed over there: links, pipes. May be NULL. */
    void (*told)(void *arg, const struct err *err);
    void *arg;
};

struct import_totals {
    uint64_t empty;  /* files without a message; they are sources all the same */
    uint64_t passed; /* links, pipes, sockets and devices in folders: not read */
    uint64_t sources, skipped, bytes, events, steps, sessions, diagnostics;
    uint64_t records;  /* of evidence */
    uint64_t failed;   /* files that could not be read */
    uint64_t replaced; /* files under the path of another that the case has, cut or written anew */
    bool interrupted;
    char stopped_in[512]; /* where: a path, cut */
    uint64_t stopped_at;  /* a byte of it */
};

/*
 * Imports files, folders and patterns ("-": standard input) into the case; folders with
 * all that is below, in sorted order, links in them not followed. A file that
 * can't be read is reported through *err at the end (the first of them), the
 * others are imported all the same. A file whose bytes are in the case already
 * is skipped; one that has grown, or whose reading was stopped, is gone on with.
 * When progress says stop, what was read is kept and its source marked as
 * incomplete.
 */
bool import_logs(struct case_file *c, const char *const *paths, size_t count,
                 const struct import_options *options, struct import_totals *totals,
                 struct err *err);
/*
 * What a file looks like, by the bytes that an import decides by: unpacked, and as many. `best` has
 * confidence and reason. Of "-", and of a pipe, those bytes are gone then.
 */
bool import_look(const char *path, const struct reader **reader, struct probe *best,
                 struct err *err);
/*
 * Evidence records: files, folders, JSONL streams, .cbor. Adds to the totals, so that
 * they may be those of an import of logs before; files that can't be read are as there.
 */
bool import_evidence(struct case_file *c, const char *const *paths, size_t count,
                     struct import_totals *totals, struct err *err);

#endif
