/* What the files of the verbs share: the table's entries, and how a verb fails. */
#ifndef STRANDLINE_CLI_VERBS_H
#define STRANDLINE_CLI_VERBS_H

#include "cli/subject.h"
#include "cli/verb.h"

#define VERBS(X)                                                                                   \
    X(import)                                                                                      \
    X(sessions)                                                                                    \
    X(steps)                                                                                       \
    X(show)                                                                                        \
    X(replay)                                                                                      \
    X(why)                                                                                         \
    X(check)                                                                                       \
    X(verify)                                                                                      \
    X(whatif)                                                                                      \
    X(egress)                                                                                      \
    X(tools)                                                                                       \
    X(search)                                                                                      \
    X(diff)                                                                                        \
    X(sql)                                                                                         \
    X(report)                                                                                      \
    X(digest)                                                                                      \
    X(policy)                                                                                      \
    X(export)                                                                                      \
    X(merge)                                                                                       \
    X(redact)                                                                                      \
    X(scan)                                                                                        \
    X(seal)                                                                                        \
    X(keygen)                                                                                      \
    X(record)                                                                                      \
    X(formats)                                                                                     \
    X(lesson)                                                                                      \
    X(explain)                                                                                     \
    X(completion)

#define X(name) extern const struct verb verb_##name;
VERBS(X)
#undef X

/* Prints the error's line and gives its exit status. */
int verb_failed(const struct err *err);
/* The worse of two exit statuses, in the order of interface.md: 5, 4, 3, 1, 0. */
int worse_status(int a, int b);

/* The explorer, when no verb is named: operands are a case or logs. */
extern const struct verb verb_explore;

#endif
