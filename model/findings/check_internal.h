/* What the checks share. Everybody else uses check.h. */
#ifndef STRANDLINE_MODEL_FINDINGS_CHECK_INTERNAL_H
#define STRANDLINE_MODEL_FINDINGS_CHECK_INTERNAL_H

#include "base/mem.h"
#include "model/findings/check.h"
#include "model/findings/codes.h"
#include "model/findings/strings.h"

/* What a definition says of its tool in the words of SEP-1913. */
enum sensitivity {
    SENSITIVITY_NONE,
    SENSITIVITY_USER,
    SENSITIVITY_PII,
    SENSITIVITY_FINANCIAL,
    SENSITIVITY_CREDENTIALS,
    SENSITIVITY_REGULATED,
};
struct trust_hints {
    bool malicious, destructive, regulated;
    enum sensitivity sensitivity; /* the highest of what it takes and gives */
};

/* One step under the eyes of the checks. */
struct look {
    struct checks *checks;
    const struct step *step;
    const struct replay_input *input;
    const struct replay_out *out;
    const struct claim **claims; /* those of the input, in the order of check_claims_sort() */
    bool contradicts;            /* the call does what its tool's hints deny */
    bool text_left;              /* text of a private item is in what leaves */
    int policy_finding;          /* index + 1 of a PT or PF finding of this step; 0: none */
};

enum { BODY_MAX = 1 << 20 }; /* a body is looked at this far */

struct habit { /* a finding that is told once a server */
    enum code code;
    struct span server;
    size_t finding, count;
};

struct hints_kept {       /* what SEP-1913 has a host say with every later call */
    int64_t open_world;   /* the step that said so first; 0: none */
    int sensitive;        /* 0: not at all */
    int64_t sensitive_at; /* the step that said so */
};

struct leaks;  /* text of earlier items: check_leak.c */
struct guards; /* where the policy's own rules stand: check_guard.c */
struct tools;  /* definitions seen: check_tools.c */

struct checks {
    const struct policy *policy;
    struct label_pool *pool;
    struct check_hooks hooks;
    struct arena arena; /* findings and what they hold */
    struct span session_key;
    struct finding *findings;
    struct step_note {
        struct span server, tool;
        struct span rule; /* of the policy, where several may speak of the same step */
        bool approved;    /* the log tells that a person let the call be made */
        int64_t source;
        uint64_t offset;
    } * notes; /* beside findings */
    size_t count, size;
    size_t per_code[CODE_COUNT];
    struct habit *habits;
    size_t habit_count, habit_size;
    struct arena scratch; /* of one step */
    struct buf body;
    struct strings strings;
    bool body_loaded, body_there, strings_read;
    struct leaks *leaks;
    struct tools *tools;
    struct guards *guards;
    struct roots *roots;
    struct hints_kept hints;
    bool unlabelled_told, rule_of_two_told;
    bool resumed;
    struct check_resume resume;
    int64_t connected, unanswered; /* the first such step; 0: none */
    size_t connections, unanswered_calls, other_steps;
};

/* The body of the step; false where it can't be read. */
bool look_body(const struct look *look, struct span *body);
/* Does the step bring in text that somebody else wrote? */
bool look_brings_text(const struct look *look);
/* All texts in it, decoded, each with its pointer. */
const struct strings *look_strings(const struct look *look);

/*
 * Adds a finding about this step. `severity` SEVERITY_DEFAULT takes the code's.
 * The message is a sentence without its full stop; data in it has gone through
 * text_safe or will: it is shown only through it.
 */
enum { SEVERITY_DEFAULT = -1 };
struct finding *finding_add(const struct look *look, enum code code, int severity,
                            const struct finding_evidence *evidence, size_t evidence_count,
                            const char *format, ...) ATTR_PRINTF(6, 7);
/* Says by which rule of the policy it was found, so that its id is its own. NULL is fine. */
void finding_by_rule(const struct look *look, const struct finding *finding, struct span rule);
/* The usual evidence: the value at this pointer into this step's body. */
struct finding_evidence evidence_here(const struct look *look, struct span pointer);
/* A part of one of the body's texts; the whole of it where escapes hide where the part begins. */
struct finding_evidence evidence_in(const struct look *look, const struct string_at *s, size_t at,
                                    size_t len);

/* A violation whose leaked text was found is above one without. */
void check_raise_violation(const struct look *look);

/* Before them: the claims of the step, so that each is found fast by where it stands. */
void check_claims_sort(struct look *look);
/* The checks, in order. */
void check_claims(struct look *look);
void check_evidence(struct look *look);
void check_request(struct look *look);
void check_signed(struct look *look);
void check_verdict(struct look *look);
void check_tools(struct look *look);
void check_hidden(struct look *look);
void check_encoded(struct look *look);
void check_secrets(struct look *look);
void check_leaks(struct look *look);
/* Before a step: reads what it needs of earlier ones. */
void check_leaks_catch_up(struct checks *checks);
void check_roots(struct look *look);
void check_guards(struct look *look);
void check_reference(struct look *look);
/* The part of check_request that rests on the labels of the context (IF06). */
void check_context_label(const struct look *look);

/* Of the tool that this step calls, as it was listed last; nothing where it wasn't. */
struct trust_hints tool_trust_hints(const struct look *look);

/* With checks_destroy; NULL is fine. */
void leaks_destroy(struct leaks *leaks);
void tools_destroy(struct tools *tools);
void check_guards_destroy(struct guards *guards);
void check_roots_destroy(struct roots *roots);

/* A finding about bytes that are no step's. */
void check_bytes(struct checks *checks, enum code code, const struct source_bytes *where,
                 struct span what);

#endif
