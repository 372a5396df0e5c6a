/*
 * Policies: assumptions, catalogue, sinks, audiences, resolve tables, and
 * which of P-T and P-F a sink asks for (model.md §3–§5). A policy is a file
 * (JSON with comments); the built-in ones are files too, compiled in.
 */
#ifndef STRANDLINE_MODEL_FLOW_POLICY_H
#define STRANDLINE_MODEL_FLOW_POLICY_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/case/step.h"
#include "model/flow/label.h"

enum role { ROLE_CONSEQUENTIAL = 1, ROLE_EGRESS = 2 }; /* bits */

struct policy;

/* By the name of a built-in ("additive", "fides", …) or by file. */
struct policy *policy_load(const char *name_or_file, struct err *err);
struct policy *policy_parse(struct span text, const char *where, struct err *err);
void policy_destroy(struct policy *policy);

/* These live as long as the policy. */
const char *policy_name(const struct policy *policy);
struct span policy_text(const struct policy *policy);             /* as written */
const char *policy_digest(const struct policy *policy);           /* "sha256:…" of the text */
const char *policy_catalogue_digest(const struct policy *policy); /* "" where it uses none */

/* Of findings. False: the policy says nothing about this code. `severity` is an enum severity. */
bool policy_severity(const struct policy *policy, const char *code, int *severity);
/* The day, in UTC, that dates in policies are compared with, as YYYYMMDD. */
int policy_today(void);
/* Does what it says depend on the day: does something in it end on one? */
bool policy_has_dates(const struct policy *policy);
/* Is such a finding suppressed today (a day as YYYYMMDD)? *reason is the policy's. `id` is the
 * finding's; server and tool may be empty. */
bool policy_suppresses(const struct policy *policy, const char *code, struct span id,
                       struct span server, struct span tool, int today, struct span *reason);

/* The table of built-in policies, by index below the count; static. */
/* Is a finding of this code about whether a call should have been made, so that an approval answers
 * it? */
bool policy_asks_approval(const char *code);
/* Did somebody approve of the call at this step, as the policy or its side file says? Only findings
 * about whether the call should have been made are answered by that. Gives who it was, and why. */
bool policy_approves(const struct policy *policy, const char *code, struct span session,
                     int64_t step, int today, struct span *by, struct span *reason);
/* The queries of its own, one by one; false behind the last. Each row is a finding. */
bool policy_query(const struct policy *policy, size_t index, struct span *name, struct span *sql);
/* Where it stands: file, line and member, for errors. */
const char *policy_query_where(const struct policy *policy, size_t index);

/* Has it rules that ask for labels and texts of earlier results (sequences, reference_rules)? */
bool policy_follows_labels(const struct policy *policy);

/* The policies that the program brings, the default first. All live for ever. */
size_t policy_builtin_count(void);
const char *policy_builtin_name(size_t index);
const char *policy_builtin_summary(size_t index); /* one line */
struct span policy_builtin_text(size_t index);
/* A commented policy to begin with. It is no built-in one: nothing is judged by it under a name. */
struct span policy_starter_text(void);

/* What a policy says, for people: each line is one sentence, in the words of docs/policies.md. */
void policy_explain(const struct policy *policy, struct buf *out);

#endif
