/*
 * The one query layer. Each question a person asks is one function that gives
 * plain rows; screens, commands, JSON and reports are renderings of the same
 * rows, so that they can't disagree.
 *
 * A `struct review` is one session of a case under one policy. Opening it
 * replays the session unless the case holds that replay already (under the
 * digests of policy and catalogue and the program's version).
 */
#ifndef STRANDLINE_MODEL_QUERY_QUERY_H
#define STRANDLINE_MODEL_QUERY_QUERY_H

#include "base/mem.h"
#include "base/slice.h"
#include "model/case/case.h"
#include "model/findings/finding.h"
#include "model/flow/replay.h"

/* ---- sessions ---- */

struct session_view {
    int64_t id, parent;
    struct span key, name, host;
    struct span servers; /* "github, slack" */
    int64_t steps, events, diagnostics;
    int64_t begin_ns, end_ns; /* valid where time_digits >= 0 */
    int time_digits;
    /* under the policy asked: */
    int64_t first_untrusted, first_private, first_denied, denied, asked, unclaimed;
    int worst;    /* enum severity, -1: no finding that counts */
    bool checked; /* findings are known; else `worst` says nothing */
    int64_t evidence_refs, evidence_recomputed;
};
/* Can the queries of this policy be asked? Tries them on a case that holds nothing; err names file,
 * query and reason. */
bool query_try_queries(const struct policy *policy, struct err *err);

/* All sessions in order; strings in the arena. Sessions that were not replayed under the policy yet
 * are replayed; without a policy (NULL) only what was recorded is given. */
bool query_sessions(struct case_file *c, const struct policy *policy, struct arena *arena,
                    struct session_view **out, size_t *count, struct err *err);
/* The same, but only what names them: id, parent, key, name, host, servers. At once, however large
 * the case is. */
bool query_session_names(struct case_file *c, struct arena *arena, struct session_view **out,
                         size_t *count, struct err *err);
/* What tells a session from others whose names are ids: the file that its first step stands in, and
 * what the user asked for first: the start of it, credentials masked. That is empty where the
 * record holds no prompt; what a host writes in the user's place (<command-name>…) comes last. */
bool query_session_opening(struct case_file *c, int64_t session, struct buf *file,
                           struct buf *asked, struct err *err);
/* "1", a name, or a unique prefix of its key or name; empty: the only session (that is no
 * sub-agent's). Errors list what there is. */
bool query_session_find(struct case_file *c, struct span word, int64_t *id, struct err *err);

/* ---- one session under one policy ---- */

struct review;
/* Progress of a long replay: return false to stop (the error then says so). May be NULL. */
typedef bool (*review_progress)(void *arg, int64_t done, int64_t total);
struct review *review_open(struct case_file *c, int64_t session, const struct policy *policy,
                           bool recompute, review_progress progress, void *arg, struct err *err);
/*
 * Opening replays: labels and verdicts. Findings look into texts and take longer, so they come when
 * they are asked for: until then there are none, and the summary says so. All at once, or a slice
 * (1: there is more; *done counts steps).
 */
bool review_check(struct review *r, review_progress progress, void *arg, struct err *err);
int review_check_some(struct review *r, struct slice *slice, int64_t *done, struct err *err);
bool review_is_checked(const struct review *r);
void review_close(struct review *r);
/* Between two questions: nothing is being read any more, so that others can write to the case. */
void review_rest(struct review *review);
int64_t review_session(const struct review *r);
int64_t review_steps(const struct review *r);
struct label_pool *review_labels(struct review *r);
const struct policy *review_policy(const struct review *r);

/* Summary of the run, for title lines. */
struct review_summary {
    int64_t steps, first_untrusted, first_private, first_denied, denied, asked, unclaimed;
    int64_t evidence_refs, evidence_recomputed, evidence_failed;
    int64_t findings[5]; /* by severity; those that are suppressed don't count */
};
/* What the session came to, in numbers; of findings, where the checks have been run. */
bool review_summary(struct review *r, struct review_summary *out, struct err *err);

/* A row of the flow: facts of the step and what the replay says of it. */
struct flow_row {
    struct step step;
    bool has_label;
    struct label label, before, after;
    enum label_origin origin;
    struct span rule; /* of the label; empty: none */
    int64_t unclaimed;
    unsigned role;
    enum role_origin role_origin;
    struct span audience;
    bool audience_assumed;
    enum verdict verdict, trusted_action, permitted_flow;
    int changed;              /* 1 integrity rose, 2 confidentiality rose, 3 both */
    int finding_count, worst; /* of those that count; worst severity, -1 */
    int evidence_count, evidence_ok, evidence_bad;
    struct span file;    /* source path */
    struct span preview; /* start of the body's text, at most 400 bytes; only if asked */
    bool preview_cut;
};
enum { FLOW_PREVIEW = 1 };
/* Rows n .. n+count-1, in order; strings live in the arena. Gives how many there were, -1 on error.
 */
long review_rows(struct review *r, int64_t n, size_t count, unsigned want, struct arena *arena,
                 struct flow_row *rows, struct err *err);

/* Where the label of the context after step n (0: the start) came from: the weakest origin among
 * the items that made it what it is, and the rule of the last that moved it (empty: none did). The
 * rule is valid until the next call. */
bool review_context_origin(struct review *r, int64_t n, enum label_origin *origin,
                           struct span *rule, struct err *err);

/* Replays the one step again, from the context before it, for its explanation. Valid until the
 * next call. */
bool review_explain(struct review *r, int64_t n, struct flow_row *row, struct replay_out *out,
                    struct err *err);

/* Next (or previous, forward false) step after `from` of that kind; 0: none. */
enum review_mark { MARK_VIOLATION, MARK_LABEL_CHANGE, MARK_FINDING, MARK_EVIDENCE_BAD };
bool review_next(struct review *r, enum review_mark what, int64_t from, bool forward, int64_t *n,
                 struct err *err);

/* A coarse picture of the whole session in `cells` cells, for the overview strip. */
struct strip_cell {
    bool untrusted, is_private, denied, asked, finding, evidence_bad;
};
/* Cell i is of the i-th part of the steps: what is true of any of them. */
bool review_strip(struct review *r, struct strip_cell *cells, size_t count, struct err *err);

/* ---- details of a step ---- */

struct claim_view {
    struct span shape, name, value, pointer, problem; /* problem.at NULL: none */
    int block;
};
struct evidence_view {
    int64_t id, n;
    int block;
    struct span type, digest, canonicalization, schema, ref, pointer, raw; /* at NULL: absent */
    struct span verdict, reason, record; /* record: its name; at NULL: none held */
};
struct finding_view {
    struct span id, code, message, detail; /* detail: JSON {"evidence":[…],"refs":[…]} */
    struct span suppressed;                /* the policy's reason; at NULL: it counts */
    enum severity severity;
    int64_t n;
};
/* What step n claims of itself, in the order of the record; in the arena, as all views are. */
bool review_claims(struct review *r, int64_t n, struct arena *arena, struct claim_view **out,
                   size_t *count, struct err *err);
/* n 0: of the whole session. */
bool review_evidence(struct review *r, int64_t n, struct arena *arena, struct evidence_view **out,
                     size_t *count, struct err *err);
bool review_findings(struct review *r, int64_t n, struct arena *arena, struct finding_view **out,
                     size_t *count, struct err *err);

/* ---- how a verdict on evidence came about ---- */

enum { DERIVATION_SHOWN = 4096, DERIVATION_CHANGES = 1000, DERIVATION_NOTES = 16 };

struct derivation_change {
    const char *what;
    bool moved;                      /* a member that changed places, with all that is in it */
    size_t in, in_len, out, out_len; /* byte ranges of the record and of the canonical bytes */
};
/* record -> canonical bytes -> digest -> compare -> diagnosis, derived again from the bytes that
 * the case holds. What could not be derived is NULL or an empty span. */
struct derivation {
    const char *canonicalization, *algorithm; /* that the reference names; NULL: none we have */
    const char *form;                         /* of the record: "JSON", "CBOR" */
    struct span record;                       /* its first bytes; at NULL: no record is held */
    size_t record_len;
    struct span canonical; /* the first of its canonical bytes; at NULL: it has none */
    size_t canonical_len;
    const char *why; /* it has none, and where in the record */
    size_t why_at;
    bool encoded_again;  /* CBOR that was not deterministic as it came */
    bool changes_known;  /* JSON under JCS: what canonicalization changed */
    size_t change_count; /* of which `changes` holds the first */
    struct derivation_change *changes;
    size_t changes_kept;
    const char *note[DERIVATION_NOTES]; /* what is allowed and yet makes producers differ */
    size_t note_count;
    struct span computed, wanted; /* "alg:hex" */
    bool same;
    const char *matches_under; /* the other canonicalization, where it has the digest; NULL: no */
    bool diagnosed;            /* the usual ways of writing it wrong were tried */
    unsigned tried;            /* digests computed for that */
    bool out_of_time;          /* and not all of them */
    struct span cause, advice; /* at NULL: none gives that digest */
};
/* `ref` is the id of an evidence_view. Takes some 50 ms at most, and what the record takes. */
bool review_derive(struct review *r, int64_t ref, struct arena *arena, struct derivation *out,
                   struct err *err);

/* One more recording of a step: in another log, or what the server sent beside what the model was
 * shown. */
struct recording_view {
    struct span file, format;
    uint64_t line, offset, length; /* of the message there; line 0: a binary format */
    struct extent body;
};
/* Where step n was recorded: more than once where two logs tell of it. */
bool review_recordings(struct review *r, int64_t n, struct arena *arena,
                       struct recording_view **out, size_t *count, struct err *err);
/* Text of what it says in the step's place, at most limit bytes. */
bool review_recording_body(struct review *r, const struct recording_view *recording, uint64_t limit,
                           struct buf *out, bool *cut, struct err *err);
/* Appends the text of a step's body, or of the message that it stands in: at most limit bytes (0:
 * all), *cut where there is more. */
bool review_body(struct review *r, int64_t n, uint64_t limit, struct buf *out, bool *cut,
                 struct err *err);
bool review_message(struct review *r, int64_t n, uint64_t limit, struct buf *out, bool *cut,
                    struct err *err);

/* ---- cause ---- */

struct cause {
    int64_t n;
    double score; /* 0..1; the order is what matters */
    struct span reasons[4];
    size_t reason_count;
    bool bears; /* its own label is untrusted (private): only without all of these is the axis clear
                 */
};
struct cause_link {
    int64_t n;
    struct span rule; /* as the case has it, and a stranger may have written that */
    int64_t from;     /* the step before it in the chain; 0: none */
    struct span pointer;
    uint64_t offset, length;
};
enum axis { AXIS_INTEGRITY, AXIS_CONFIDENTIALITY };
struct why {
    struct cause *causes; /* most likely origin first */
    size_t cause_count;
    struct cause_link *chain;
    size_t chain_count;
    bool capped; /* some earlier content was not looked at, or not to its end */
};
/* What moved the axis of the context at step n. False, err filled, where there is no such step. */
bool review_why(struct review *r, int64_t n, enum axis axis, struct arena *arena, struct why *out,
                struct err *err);

/* Where the text of a call's arguments (or of a text of the model) stood before: every span is
 * verified byte by byte. What stands in the user's prompt is given to the prompt. */
struct origin {
    struct span pointer;     /* the argument; empty where the step's body is no JSON */
    uint64_t at, len;        /* in the step's body */
    struct span text;        /* these bytes, at most 400 of them */
    int64_t n;               /* the earlier step */
    const char *source;      /* prompt, result, definitions, … */
    uint64_t offset, length; /* in its body */
    const char *how;         /* exact, folded, percent, base64, hex, json-escape */
    double weight;           /* 0..1: long and rare is heavy */
};
struct origins {
    struct origin *items; /* by place */
    size_t count;
    size_t prompts; /* of the user that came before: 0 means that their wish was not recorded */
    bool capped;    /* some text could not be kept: what is missing is not known */
};
/* Of the values at `pointer` and below it; empty: of all. False: error (no such step, or nothing
 * is at `pointer`). */
bool review_origins(struct review *r, int64_t n, struct span pointer, struct arena *arena,
                    struct origins *out, struct err *err);

/* ---- search and filter ---- */

/*
 * Words of a filter; all must hold. `-` in front negates, a comma gives choices:
 *   tool:send_*  server:git*  kind:tool_call  label:untrusted  context:private  origin:assumed
 *   verdict:ask,deny  finding:high (or worse)  finding:PT01  evidence:bad  is:error  is:unanswered
 *   since:2026-05-26  before:2026-05-26T09:12:04Z  text  "text with spaces"  /regex/
 * Text is looked for without case in tool names and bodies; regexes are POSIX extended, line by
 * line, and within the bounds of base/pattern.h. Errors name the word and its position.
 */
struct filter;
struct filter *filter_parse(struct span text, struct err *err);
void filter_destroy(struct filter *filter);
/*
 * Steps from `from` (inclusive) that match, in the order they are met, looking at no more than
 * `budget` steps (fewer, where their texts are long) and giving no more than `room`. *looked_to is
 * the last step looked at, so that a screen goes on between keys from the one behind it; it has
 * looked at all when that is the last step (or, backward, 1).
 */
long review_filter(struct review *r, const struct filter *filter, int64_t from, bool forward,
                   size_t budget, int64_t *steps, size_t room, int64_t *looked_to, struct err *err);

#endif
