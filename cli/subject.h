/*
 * What a verb works on: a case, or logs that are read into a private one; a
 * policy; one session of it or all. Every verb takes logs where it takes a
 * case, so that nobody has to import first in order to look.
 */
#ifndef STRANDLINE_CLI_SUBJECT_H
#define STRANDLINE_CLI_SUBJECT_H

#include "cli/options.h"
#include "cli/output.h"
#include "ingest/import.h"
#include "model/query/query.h"

struct subject {
    struct case_file *c;
    struct policy *policy;
    bool from_logs;              /* read into a private case */
    size_t log_count;            /* how many were named; 0 for a case */
    struct import_totals totals; /* of that reading */
    struct err import_err;       /* ERR_NONE, or what could not be read (the rest was) */
    struct span session_word;    /* SESSION as typed; empty: none */
    struct span *words;          /* operands behind CASE [SESSION] */
    size_t word_count;
};

/* How a verb's operands are to be read. */
enum subject_shape {
    SUBJECT_CASE,         /* CASE|LOG… */
    SUBJECT_CASE_SESSION, /* CASE|LOG… [SESSION] */
    SUBJECT_CASE_STEP,    /* CASE|LOG… STEP; STEP is the last operand */
    SUBJECT_CASE_TEXT,    /* CASE|LOG… TEXT; the same */
    SUBJECT_CASE_TO_LOOK, /* CASE|LOG…; a large case is checked behind the first screen */
};

/* For the option table of every verb that takes logs. */
#define SUBJECT_OPTIONS                                                                            \
    {                                                                                              \
        "evidence", 'e', "PATH",                                                                   \
            "evidence records beside logs: file, folder, JSONL, .cbor (repeatable)"                \
    }

/* Loads --policy, opens the case or reads the logs, with --evidence, and takes the words behind
 * them apart. False: what it holds already is still given back by subject_close, which is fine
 * with a subject that was never opened but zeroed. */
bool subject_open(struct subject *s, struct invocation *call, enum subject_shape shape,
                  struct err *err);
void subject_close(struct subject *s);

/* The sessions asked for: the one named, all with --all (or `every`), else the only one. */
bool subject_sessions(struct subject *s, struct invocation *call, bool every,
                      struct session_view **out, size_t *count, struct err *err);
/* Opens the review of a session; its replay shows progress on a terminal and can be interrupted. */
enum { REVIEW_FINDINGS = 1, REVIEW_RECOMPUTE = 2 };
struct review *subject_review(struct subject *s, struct invocation *call, int64_t session,
                              unsigned want, struct err *err);
/* STEP: "N" or "SESSION:N". Opens the review of that session; *n is checked to exist. */
struct review *subject_step(struct subject *s, struct invocation *call, unsigned want, int64_t *n,
                            struct err *err);

/* May a verb write its answer to `path`? Not where that is what it was asked about, by whatever
 * name or link: an operand, a record given with --evidence, or a file that a source was read from.
 */
bool subject_spares(struct subject *s, struct invocation *call, const char *path, struct err *err);

/* How a session is called in output: its key, else its name. */
struct span session_label(const struct session_view *session);

/* How most verbs run: options, the subject, the answer; what failed is printed. Exit status. */
typedef bool (*subject_work)(struct subject *s, struct invocation *call,
                             const struct output *output, struct err *err);
int subject_answer(struct invocation *call, enum subject_shape shape, subject_work work);

#endif
