/* What the files of the replay share. Everybody else uses replay.h. */
#ifndef STRANDLINE_MODEL_FLOW_REPLAY_INTERNAL_H
#define STRANDLINE_MODEL_FLOW_REPLAY_INTERNAL_H

#include "model/flow/links.h"
#include "model/flow/policy_rules.h"
#include "model/flow/replay.h"

/* The rules whose names match a server's tool, looked up once: policy first, then catalogue. */
struct plan {
    struct span server, tool;
    uint32_t hash;
    const struct rule **rules;
    size_t count, policy_count;
    bool call_wants_arguments, result_wants_arguments, result_wants_body;
};

struct prompt {
    int64_t n;
    enum naming naming;
    struct span text;
};

struct replay {
    const struct policy *policy;
    struct label_pool *pool;
    struct arena scratch;                           /* of one step */
    struct label *policy_labels, *catalogue_labels; /* of the rules, by index */
    struct arena plans_arena;
    struct plan **plans; /* open addressing */
    size_t plan_count, plan_size;
    bool wants_prompts;
    struct arena prompts_arena;
    struct prompt *prompts; /* in order of n */
    size_t prompt_count, prompt_size, prompt_bytes;
    struct links *links; /* NULL: the policy doesn't ask */
    size_t reason_size;
};

/* One step being replayed. */
struct pass {
    struct replay *replay;
    struct replay_state *state;
    const struct replay_input *in;
    struct replay_out *out;
    const struct plan *plan;
};

/* Adds a reason to those of this step. */
void replay_reason(struct pass *p, struct reason reason);

enum aspect {
    ASPECT_LABEL,
    ASPECT_ROLE,
    ASPECT_REQUIRE,
    ASPECT_AUDIENCE,
    ASPECT_RESOURCE,
    ASPECT_DIRECTORY
};
/* The first rule that speaks of the aspect and whose conditions hold; NULL where there is none.
 * `kinds` are bits of content, for labels. A rule with conditions doesn't match unknown arguments.
 */
const struct rule *replay_rule(const struct pass *p, enum aspect aspect, unsigned kinds,
                               struct span arguments, bool known);
bool replay_rule_is_catalogue(const struct pass *p, const struct rule *rule);
struct label replay_rule_label(const struct pass *p, const struct rule *rule, struct span marker);

/* "server:resource" by the rules, or empty where the arguments name none. */
struct span replay_resource(const struct pass *p, struct span arguments, bool known);
/* The server's name, or "host" for tools of the host itself. */
struct span replay_server(const struct step *step);
/* Do the user's prompts since the context began, and before step n, name this place? As a word of
 * its own. */
bool replay_prompt_names(const struct pass *p, struct span what);
/* This person or account? Then what a directory said of a name counts too, and the system's prompt,
 * which says who the user is. */
bool replay_prompt_names_reader(const struct pass *p, struct span reader);

/* replay_label.c: a step that brings content in. */
void replay_content(struct pass *p, enum content_kind kind);
/* The answer of a directory of people: whom it tells of a name that the user said is meant by the
 * user. Only where the answer is trusted, and all that was asked for are words of the user's. */
void replay_directory(struct pass *p);
/* replay_verdict.c: a call, and a text of the assistant. */
void replay_call(struct pass *p);
void replay_rendering(struct pass *p);

#endif
