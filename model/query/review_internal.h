/* What the files of this room share and nobody else sees. */
#ifndef STRANDLINE_MODEL_QUERY_REVIEW_INTERNAL_H
#define STRANDLINE_MODEL_QUERY_REVIEW_INTERNAL_H

#include "model/case/turns.h"
#include "model/findings/check.h"
#include "model/query/query.h"
#include "model/query/stream.h"

/*
 * Labels as rows. The run keeps each different label once; `labels` goes both
 * ways between a row's id and a label of the pool.
 */
struct label_entry {
    int64_t id; /* 0: free */
    struct label label;
};
struct labels {
    struct case_file *c;
    struct label_pool *pool;              /* borrowed */
    struct label_entry *by_label, *by_id; /* open addressing, `size` places each */
    size_t size, used_label, used_id;
    struct buf scratch;
};
/* Empty; both are borrowed until finish. */
void labels_init(struct labels *labels, struct case_file *c, struct label_pool *pool);
void labels_finish(struct labels *labels);
/* The row of a label, made where there is none. */
bool labels_row(struct labels *labels, struct label label, int64_t *id, struct err *err);
/* The label of a row. */
bool labels_at(struct labels *labels, int64_t id, struct label *label, struct err *err);

/* What a run came to. */
struct run {
    int64_t id, steps, first_untrusted, first_private, first_denied, denied, asked, unclaimed;
    int64_t final_label;
    bool checked; /* its findings are written */
};

/* How sessions are to be replayed. */
struct run_options {
    const struct policy *policy;
    bool recompute;
    review_progress progress; /* may be NULL */
    void *arg;
    struct turns *turns; /* on a thread that only borrows the case; else NULL */
};
/* What becomes of a replay, step by step. */
struct run_visitor {
    void *arg;
    /* Is this step to be left out? May be NULL. */
    bool (*skip)(void *arg, int64_t n);
    /* Sees what is about to be replayed, and may add to it. May be NULL. */
    bool (*prepare)(void *arg, struct replay_input *input, struct err *err);
    /* May change what replay made of a step, and the state behind it. May be NULL. */
    void (*edit)(void *arg, const struct step *step, const struct replay_state *before,
                 struct replay_state *state, struct replay_out *out);
    /* May be NULL. */
    bool (*step)(void *arg, const struct replay_input *input, const struct replay_out *out,
                 struct err *err);
    /* Worst first. NULL: no checks are made, which is most of the time that a replay takes. */
    bool (*finding)(void *arg, const struct finding *finding, size_t index, struct err *err);
};
/* Where a session is taken up in its middle: before step n, with this state. Findings are only
 * those that rest on labels. */
struct run_resume {
    struct review *review; /* whose kept run the state is of */
    int64_t n, first_denied;
    struct replay_state state;
    struct check_resume checks;
};
/* A replay in slices. All that is given must outlive it. */
/* Gives the checks the roots that were declared in the session. False: error. */
bool run_declare_roots(struct case_file *c, int64_t session, struct checks *checks,
                       struct err *err);

struct replayer;
struct replayer *replayer_create(struct case_file *c, int64_t session,
                                 const struct run_options *options, struct label_pool *pool,
                                 const struct run_visitor *visitor, struct err *err);
void replayer_destroy(struct replayer *p); /* NULL is fine */
/* As many steps. 1: there are more, 0: that was all, -1: error. */
int replayer_some(struct replayer *p, int64_t steps, struct err *err);
/* After the last step: asks the queries of the policy. */
bool replayer_ask(struct replayer *p, struct err *err);
/* After that: findings, the run's numbers, the context it ended in. */
bool replayer_finish(struct replayer *p, struct run *run, struct label *context, struct err *err);
int64_t replayer_done(const struct replayer *p); /* steps so far */

/* Replays the session, whole or (from not NULL) from there on; run gets the numbers, and *context
 * what it ended in. Writes nothing. */
bool run_replay(struct case_file *c, int64_t session, const struct run_options *options,
                struct label_pool *pool, const struct run_visitor *visitor,
                const struct run_resume *from, struct run *run, struct label *context,
                struct err *err);
/*
 * A run that is only looked at: its steps can be asked of in SQL, in v_step and
 * the other views, as the run that was used last, until run_trial_end takes
 * everything back. For the queries of a policy in a what-if.
 */
struct run_trial;
struct run_trial *run_trial_begin(struct case_file *c, int64_t session, const struct policy *policy,
                                  struct label_pool *pool, struct err *err);
bool run_trial_step(struct run_trial *trial, const struct replay_input *input,
                    const struct replay_out *out, struct err *err);
void run_trial_end(struct run_trial *trial); /* NULL is fine */
bool run_steps_of(struct case_file *c, int64_t session, int64_t *steps, struct err *err);

/* The run of a session under a policy: the one the case holds, else the session (and its sub-agents
 * first) is replayed and the run written. */
bool run_ensure(struct case_file *c, int64_t session, const struct run_options *options,
                struct label_pool *pool, struct run *run, struct err *err);
/* Looks for the findings of a run, and writes them when all are there. */
struct checker;
struct checker *checker_create(struct case_file *c, int64_t session, const struct policy *policy,
                               const struct run *run, struct err *err);
void checker_destroy(struct checker *k); /* NULL is fine */
/* Goes on until the slice is over. 1: there is more, 0: they are in the case, -1: error. *done:
 * steps so far. */
int checker_some(struct checker *k, struct slice *slice, int64_t *done, struct err *err);

/* Looks only; run->id is 0 where there is none. */
bool run_find(struct case_file *c, int64_t session, const struct policy *policy, struct run *run,
              struct err *err);

struct review {
    struct case_file *c;
    int64_t session;
    const struct policy *policy; /* borrowed */
    struct label_pool *pool;
    struct labels labels;
    struct run run;
    int64_t steps;

    struct stream *stream;      /* for rows */
    struct stream *whole;       /* with claims, for explanations */
    struct replay *replay;      /* for explanations */
    struct buf body, call_body; /* of the step that was explained last */
    struct streamed explained;
    struct arena arena; /* of the same */

    struct context_origin {
        int64_t n, since; /* of the context after step n, which began at `since` */
        enum label_origin origin;
        struct buf rule;
    } context; /* what was asked of last: most ask step by step */

    struct checker *checker; /* at work; NULL: not begun, or done */

    uint8_t *strip; /* bits a cell: see strip.c; NULL: not made yet */
    size_t strip_cells;
    int64_t strip_width; /* steps of a cell */
};

/* The step at which the context in force behind `last` began: an explicit clear; 0: the session's
 * start. False: err says why. */
bool review_context_began(struct review *r, int64_t last, int64_t *since, struct err *err);

/* Has the whole case far fewer references to evidence than the session has steps? Then they are
 * walked, else the steps: a session may be long, or one of many. -1: an error. */
int review_names_little(struct review *r, struct err *err);

/* The texts of the session that may say whom the user means, for a replay that will not go over
 * them: only for policies that look at them. */
bool review_give_prompts(struct review *r, struct replay *replay, struct err *err);
/* The state before step n, out of the run's rows, where the context was this. */
bool review_state_before(struct review *r, int64_t n, struct label context,
                         struct replay_state *state, struct err *err);
/* Finds a step's row by its number; err says which there are. */
bool review_step_id(struct review *r, int64_t n, int64_t *id, struct err *err);
/* The label of the context that a sub-agent's run ended in; *has false where it has no run. */
bool run_child_label(struct case_file *c, int64_t child, const struct policy *policy,
                     struct labels *labels, struct replay_input *input, struct err *err);
/* Reads what the policy wants to see of a step: its body, its call's. `turns` as in run_options. */
bool run_load_bodies(struct case_file *c, struct turns *turns, struct replay *replay,
                     const struct streamed *streamed, struct replay_input *input, struct buf *body,
                     struct buf *call_body, struct arena *arena, struct err *err);

#endif
