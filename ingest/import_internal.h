/* What importing logs and importing evidence share. */
#ifndef STRANDLINE_INGEST_IMPORT_INTERNAL_H
#define STRANDLINE_INGEST_IMPORT_INTERNAL_H

#include "ingest/account.h"
#include "ingest/assembler.h"
#include "ingest/framer.h"
#include "ingest/import.h"
#include "ingest/input.h"
#include "model/case/source.h"

/* A file may tell of what another one has to tell first. The walk is made again for each round that
 * has files. */
enum import_round {
    ROUND_LOGS,
    ROUND_ANSWERS,     /* what servers sent, where it is a file of its own */
    ROUND_TRANSCRIPTS, /* where wire logs come first */
    ROUND_SIDES,       /* parts of transcripts */
    ROUNDS
};

struct import {
    struct case_file *c;
    const struct import_options *options;
    const char *const *paths; /* as they were named */
    size_t path_count;
    struct import_totals *totals;
    struct assembler *assembler;
    struct err *err;
    struct outlet outlet;
    bool open;                  /* a transaction is, since `since` */
    bool held;                  /* it is not committed before all of something is done */
    int64_t since, last_commit; /* ms; how long the last commit took */
    bool wire_first;            /* wire logs and transcripts tell of the same calls */
    uint64_t done, total;       /* bytes of files: those that were read, all of them */
    uint64_t files_done, files; /* the same in files */
    enum import_round round;
    bool met[ROUNDS]; /* files to be read in it */
    int64_t
        clock_ns;    /* what the times of the file lack that is read once more for it; 0: none is */
    bool known_wire; /* a wire log was met that the case has */
    bool has_err;    /* *err holds the first thing that went wrong */
    bool stop;       /* nothing more can be done */
};

/* One file while it is read. */
struct reading {
    struct input *in;
    struct framer *framer;
    struct source_writer *writer;
    int64_t source;
    const char *path;
    const struct reader *reader;
    void *state;
    bool begun; /* state is open */
    bool complete;
    size_t longest; /* unit that is held */
    struct probe probe;
    struct peel *peel; /* NULL: nothing is around the log */
    struct account account;
    uint64_t bytes;
    char stopped_by[ERR_TEXT]; /* why it could not be read to its end; empty: it was */
    int64_t clock_offset_ns;
    int64_t
        clock_found_ns; /* by this its clock is off, so that no call was found to be another's */
    struct assembler *assembler; /* that of the import, or its own */

    /* Of a source that the case has, and whose file has grown. */
    int64_t prior;     /* 0: it is a new one */
    uint64_t known;    /* bytes of it that were read before */
    bool rehearsing;   /* they are being read again */
    bool replaces;     /* the case has another file under its name */
    bool other_format; /* now that there is more of it, it looks like something else */
    bool again;        /* all of it is: nothing of it is new */
    bool live;         /* it is followed: its end is only where the writer is by now */
    uint64_t unended;  /* bytes of a line at that end, that had none of its own; as was accounted */
};

/* import_read.c: one file, inside a transaction. */

/* The most bytes that a format is told by. */
enum { IMPORT_HEAD_MAX = 512 * 1024 };
/*
 * Reads it all, into r->writer. False where the import can't go on with this file and it must be
 * rolled back; an error of reading is kept in `reading_err`, with what was read before it. Where
 * the file turns out not to begin as the source that was to be gone on with, source_differs says so
 * of the writer.
 */
bool reading_run(struct import *im, struct reading *r, struct span group, struct err *err,
                 struct err *reading_err);
/* What was read becomes a whole source. */
bool reading_close(struct import *im, struct reading *r, struct err *err);
/* Of a reading that is live: the case holds what was read by now; more may follow. Before more is
 * read, it is woken. */
bool reading_settle(struct import *im, struct reading *r, struct err *err);
bool reading_wake(struct import *im, struct reading *r, struct err *err);
void reading_finish(struct reading *r);
void import_name_packing(const struct input *in, struct probe *probe);

/* import.c */
bool import_begin(struct import *im, struct err *err);
bool import_commit(struct import *im, struct err *err);
/* The file is as if it had never been read; `a` was reading it. */
void import_take_back(struct import *im, struct assembler *a);
/* Tells of progress: `position` bytes of the file are read, by `a`. False: to be stopped. */
bool import_tell(struct import *im, const struct assembler *a, const char *path, uint64_t position);
void import_keep_err(struct import *im, const struct err *err);
void import_file(struct import *im, const char *path);
/* A file that was named belongs with the others that were: empty. One found in a folder, to that
 * folder. */
struct span import_group_of(const struct import *im, const char *path);
void import_count(struct import *im, const struct assembler_counts *before,
                  const struct assembler_counts *after);
/* Readies r to go on with the source that the case has under its path, where that is possible.
 * False: it is a new file. */
bool import_find_prior(struct import *im, struct reading *r, struct err *err);
/* False where the file can't be opened; r is to be finished all the same. */
bool import_open_reading(struct import *im, struct reading *r, const char *path, struct err *err);
struct assembler_options import_names(const struct import *im);

/* import_join.c: transcripts and wire logs that tell the same calls become one session. Before side
 * files are read: those rest on transcripts. */
void import_join(struct import *im);

/* import_halves.c: before the new file at `path` is read. What it answers may be in the case since
 * an earlier command. */
void import_recall_halves(struct import *im, const char *path);

/* The same, before the file of a source is read that the case has the beginning of. */
void import_recall_first_half(struct import *im, int64_t source);

/* import_follow.c: reads on where files under the paths grow, until progress says stop. */
void import_follow(struct import *im);

/* Serves every file under the paths and patterns, folders in sorted order, links in them not
 * followed. `each` returns false to end the walk. Paths that can't be walked are given to `failed`,
 * and so is, as an error of the kind ERR_NONE, what is passed over. */
bool import_walk(const char *const *paths, size_t count, bool (*each)(void *arg, const char *path),
                 void (*failed)(void *arg, const struct err *err), void *arg);
/* Is a source with these very bytes in the case, beside `source`? 1, 0, or -1 on an error. */
int import_has_twin(struct case_file *c, int64_t source, struct err *err);
/* Was the source's file read to this very place before, and no further? 1, 0, or -1 on an error. */
int import_stopped_there(struct case_file *c, int64_t source, struct err *err);
/* Is the file in the case already? Asked before it is read: it is hashed only where the case has a
 * source of its size and role ("log", "evidence"). 1, 0, or -1 on an error. */
int import_is_known(struct case_file *c, const char *path, const char *role, uint64_t size,
                    struct err *err);
/* Does the file begin with so many bytes of that hash? Where it can't be read it doesn't. */
bool import_begins_as(const char *path, struct span sha256, uint64_t bytes);
/* May more be read to what the framer holds of an unfinished unit? A line without an end, or a few
 * packed bytes that unpack to one, must not fill the memory. */
bool import_may_hold(const struct framer *framer, size_t longest, const char *path,
                     struct err *err);

#endif
