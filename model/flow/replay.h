/*
 * Replay: a pure step function (state, step) → (state, explanation). No file,
 * no clock, no SQLite: the whole model runs in a test.
 *
 *     struct replay_state state;  replay_start(&state);
 *     for each step: replay_step(replay, &state, &input, &out);
 *
 * The state is small and copyable: that is what makes checkpoints, what-if and
 * stepping backwards simple.
 */
#ifndef STRANDLINE_MODEL_FLOW_REPLAY_H
#define STRANDLINE_MODEL_FLOW_REPLAY_H

#include "base/buf.h"
#include "base/mem.h"
#include "model/case/step.h"
#include "model/flow/claim.h"
#include "model/flow/label.h"
#include "model/flow/policy.h"

#define LABEL_ORIGINS(X)                                                                           \
    X(NONE, "none") /* nothing was claimed and nothing assumed */                                  \
    X(CLAIMED, "claimed")                                                                          \
    X(VERIFIED, "verified") /* a claim whose evidence re-derived */                                \
    X(ASSUMED, "assumed")   /* by a rule of the policy or the catalogue */

enum label_origin {
#define X(id, word) ORIGIN_##id,
    LABEL_ORIGINS(X)
#undef X
        LABEL_ORIGIN_COUNT
};
/* "claimed": the word in JSON and text. */
const char *label_origin_word(enum label_origin origin);

enum verdict { VERDICT_NONE, VERDICT_ALLOW, VERDICT_ASK, VERDICT_DENY };
const char *verdict_word(enum verdict verdict); /* NULL for NONE */

enum role_origin {
    ROLE_FROM_NONE,
    ROLE_FROM_POLICY,
    ROLE_FROM_CATALOGUE,
    ROLE_FROM_HINT,
    ROLE_FROM_DEFAULT,
};
#define ROLE_DISTRUSTED "role.distrusted" /* rule of a reason: hints that nobody relies upon */
const char *role_origin_word(enum role_origin origin); /* policy, catalogue, hint, assumed */

/* What the record behind an evidenceRef said, already looked up and re-derived. */
struct evidence_input {
    int block;
    const char *verdict; /* word of evidence.md */
    struct span type;
    struct span record; /* its JSON text where it is held and the digest matched, else empty */
    const struct evidence_claim
        *ref; /* as it was on the wire; NULL: not loaded. For the checks only */
};

struct replay_input {
    const struct step *step;
    const struct claim *claims; /* of this step */
    size_t claim_count;
    const struct evidence_input *evidence;
    size_t evidence_count;
    struct span body; /* text of arguments/result/prompt; empty where not loaded */
    bool has_body;
    struct span call_body; /* of a result: the arguments of its call; empty where not loaded */
    bool has_call_body;
    struct label child_label; /* of a sub-agent's answer: the child's final context */
    bool has_child;
    int64_t child_unclaimed; /* and how much of it came in unclaimed */
    bool follows;            /* out->follows is known to be true from an earlier replay */
};

struct replay_state {
    struct label context;
    int64_t unclaimed; /* results that came in with no claim and no assumption */
    int64_t first_untrusted, first_private; /* step numbers; 0: never */
    int64_t calls_denied, calls_asked;
    int64_t since; /* the step that began this context (an explicit clear); 0: the session */
};

/* One thing that contributed to a label or a verdict: the rule, its operands, its bytes. */
struct reason {
    const char *rule;     /* "TA.untrusted", "IFC.integrity", "catalogue", "policy:3", "P-T"… */
    struct span pointer;  /* where in the body; empty: not there */
    struct span text;     /* operand from data (a marker, an audience, a rule's name) */
    struct label label;   /* what it contributes (labels) */
    enum verdict verdict; /* what it decides (verdicts); else VERDICT_NONE */
};

enum asked { ASKED_TRUSTED_ACTION = 1, ASKED_PERMITTED_FLOW = 2 };

struct replay_out {
    bool has_label; /* the step brought content in */
    struct label label;
    enum label_origin origin;
    const char *rule; /* of the first reason that raised the label, else of the first; NULL without.
                         Lives as reasons do */
    struct label before, after; /* context */
    int64_t unclaimed;          /* of the context after the step */
    bool names;                 /* a directory's answer that says whom the user means */
    bool follows;               /* a call or answer whose addresses all came in word for word */
    /* calls and rendered links: */
    unsigned role; /* bits of enum role; 0: neither */
    enum role_origin role_origin;
    struct span audience; /* "public", a reader, a host, a marker; several with ", " between;
                             empty: no egress */
    bool audience_assumed;
    enum verdict verdict, trusted_action, permitted_flow; /* P-T and P-F: always both computed */
    unsigned asked; /* bits of enum asked: what the policy asks of this call */
    int64_t first_untrusted,
        first_private;      /* when the context got there, up to this step; 0: never */
    struct reason *reasons; /* in order; from the replay's arena, valid until the next step */
    size_t reason_count;
};

/*
 * Policy, label pool, scratch, and the words of the user's prompts. One replay is for one session:
 * prompts that were replayed are remembered by their step, so that replay_step may be called again
 * for any step from a kept state and gives the same as the first time (`prompt_endorses` needs the
 * prompts before it). After a jump over steps that were never replayed, give their texts with
 * replay_prompt first, and in each input what the first replay said of `follows`.
 */
struct replay;
struct replay *replay_create(const struct policy *policy, struct label_pool *pool);
void replay_destroy(struct replay *replay);
/* Does the policy look at the arguments or the text of this step? Callers load bodies only then. */
bool replay_wants_body(const struct replay *replay, const struct step *step);
/* Of a result: does it need the arguments of its call (conditions of rules, resources)? */
bool replay_wants_call_body(const struct replay *replay, const struct step *step);
enum naming {
    NAMING_USER,      /* a prompt of the user: names whom and what the user means */
    NAMING_SYSTEM,    /* a prompt of the system: says who the user is */
    NAMING_DIRECTORY, /* a result that says who is meant by a name of the user's: out->names */
};
/* Such a text at step n that is not replayed itself. Only policies that let prompts endorse keep
 * them (at most 64 KB of each, the first 4 MB in all). */
void replay_prompt(struct replay *replay, int64_t n, enum naming naming, struct span text);
void replay_start(struct replay_state *state);
void replay_step(struct replay *replay, struct replay_state *state,
                 const struct replay_input *input, struct replay_out *out);

/* The one place where a person's text is made from the data: one sentence on what happened to the
 * context at this step and why. */
void replay_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                     const struct replay_out *result);
/* The sentence of one reason. */
void reason_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                     const struct reason *reason);

#endif
