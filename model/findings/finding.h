/*
 * Findings: what a reviewer should see. A code's list entry lives once, in the
 * table of codes; docs, `explain` and the tests of completeness come from it.
 */
#ifndef STRANDLINE_MODEL_FINDINGS_FINDING_H
#define STRANDLINE_MODEL_FINDINGS_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/case/case.h"
#include "model/flow/policy.h"

enum severity { SEVERITY_INFO, SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH, SEVERITY_CRITICAL };
/* "critical" to "info"; and back, false of any other word. */
const char *severity_word(enum severity severity);
bool severity_of(struct span word, enum severity *severity);

struct finding_code {
    const char *code; /* "PT01" */
    enum severity severity;
    const char *title;     /* one line */
    const char *statement; /* what it rests on, in our words */
    const char *source;    /* "trust-annotations, Attachment point" */
};
/* NULL where there is no such code. */
const struct finding_code *finding_code_find(struct span code);
/* All codes, in the order of the table. */
size_t finding_code_count(void);
const struct finding_code *finding_code_at(size_t index);
/* The page of docs/findings, compiled in; empty where there is none (a test forbids that). */
struct span finding_page(const struct finding_code *code);

/* One piece of what a finding rests on. */
struct finding_evidence {
    int64_t n;               /* step; 0: none */
    struct span pointer;     /* RFC 6901 into the step's body; empty: the body itself */
    uint64_t offset, length; /* in the body's text, as written; length 0: the pointer says it all */
};

struct finding {
    char id[24]; /* from code, session key, step's bytes and evidence */
    const struct finding_code *code;
    enum severity severity;
    int64_t n;           /* step; 0: of the session */
    struct span message; /* one sentence; holds data */
    const struct finding_evidence *evidence;
    size_t evidence_count;
    struct span suppressed; /* the reason that the policy gives; at NULL: not suppressed */
};

#endif
