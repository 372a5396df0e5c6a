/*
 * Rows of the query layer as text and JSON: the names of interface.md, each
 * written in one place.
 */
#ifndef STRANDLINE_CLI_RENDER_H
#define STRANDLINE_CLI_RENDER_H

#include "cli/json.h"
#include "cli/subject.h"
#include "cli/table.h"

/* "schema", "version", and the digests of policy and catalogue (policy may be NULL). Call right
 * after json_object. */
void render_head(struct json *j, const char *schema, const struct policy *policy);
/* The document of a verb: one object on standard output, with that head. json_finish ends it. */
void render_begin(struct json *j, const char *schema, const struct policy *policy);
void render_label(struct json *j, const char *key, const struct label_pool *pool,
                  struct label label, const char *origin, struct span rule);
/* The label of the context after step n: its origin is the weakest of what made it so, and its rule
 * that of what moved it last. */
bool render_context(struct json *j, const char *key, struct review *review, struct label context,
                    int64_t n, struct err *err);
void render_time(struct json *j, const char *key, int64_t ns, int digits);
/* One step, with the keys of `steps --json`, inside an object already begun. */
bool render_step(struct json *j, struct review *review, struct span session,
                 const struct flow_row *row, struct err *err);

/* The members of a finding, with the keys of `check --json`, inside an object already begun. */
void render_finding(struct json *j, struct span session, const struct finding_view *f);
/* Words for people. */
/* What a row says, on one line of at most so many columns: of a result the texts in it. That it is
 * cut is said with … */
void render_preview(struct buf *out, const struct flow_row *row, size_t columns);
const char *render_role(unsigned role);
void render_badges(struct buf *out, const struct flow_row *row);
enum tint render_verdict_tint(enum verdict verdict);
/* What a step's content is labelled; "no claim" where nothing is known; nothing where it has none.
 */
void render_row_label(struct buf *out, const struct label_pool *pool, const struct flow_row *row);

#endif
