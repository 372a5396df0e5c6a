/*
 * A small model for the tests of screens: the query layer's functions over a
 * table of steps, so that a screen's golden text never changes for reasons of
 * the real model's. Linked in place of model/query.
 */
#ifndef STRANDLINE_TESTS_UNIT_FAKE_REVIEW_H
#define STRANDLINE_TESTS_UNIT_FAKE_REVIEW_H

#include "model/flow/replay.h"
#include "model/query/query.h"

struct fake_step {
    enum step_kind kind;
    const char *server, *tool, *body;
    int64_t call_n, result_n;
    int64_t time_ms; /* since the session's begin; -1: no time recorded */
    enum outcome outcome;
    bool has_label, untrusted, is_private;
    enum label_origin origin;
    unsigned role;
    enum verdict verdict;
    int evidence;        /* index + 1 into evidence verdicts; 0: none */
    const char *finding; /* "PT01" or NULL */
    enum severity severity;
    const char *message;
};

struct fake_session {
    const char *name, *host, *servers;
    const struct fake_step *steps;
    int64_t count;
    int64_t repeat; /* the steps over and over, this many times; 0 and 1: once */
};

/* The sessions that the next explorer sees. */
void fake_use(const struct fake_session *sessions, size_t count);
extern const struct fake_session fake_github;  /* an incident: S01 in small */
extern const struct fake_session fake_quiet;   /* nothing happens */
extern const struct fake_session fake_hostile; /* every field attacks the terminal */
extern const struct fake_session fake_empty;   /* no steps */

#endif
