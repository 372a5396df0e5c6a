/*
 * What a case keeps of its replays, against what comes of its steps now. A run
 * that is kept is shown without being made again, so that a case which somebody
 * else wrote may show what no replay says.
 *
 *     kept = kept_collect(c, policy, &err);    before anything derived is dropped
 *     … the case drops what was derived …
 *     kept_again(kept, …);                      makes the runs anew and compares
 */
#ifndef STRANDLINE_MODEL_QUERY_KEPT_H
#define STRANDLINE_MODEL_QUERY_KEPT_H

#include "model/query/query.h"

struct kept_run {
    struct span session, policy; /* names; they live as long as the struct kept_replays */
    bool same;                   /* made again, it says what it said */
};

struct kept_replays;
/* The runs of this version of the program under the built-in policies and this one (borrowed, may
 * be NULL); nothing is known of others. */
struct kept_replays *kept_collect(struct case_file *c, const struct policy *policy,
                                  struct err *err);
void kept_destroy(struct kept_replays *kept); /* NULL is fine */
/* Makes each again, with findings where they had been looked for. The new ones are kept. */
bool kept_again(struct kept_replays *kept, review_progress progress, void *arg, struct err *err);
const struct kept_run *kept_runs(const struct kept_replays *kept, size_t *count);

#endif
