/* The server's process: started with three pipes, in our process group. */
#ifndef STRANDLINE_RECORDER_CHILD_H
#define STRANDLINE_RECORDER_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct child {
    pid_t pid;
    int to, from, err; /* our ends: its stdin, stdout, stderr; not blocking */
};

enum { CHILD_NOT_FOUND = 127, CHILD_NOT_STARTED = 126, CHILD_NO_MEANS = 125 };

/*
 * Starts command[0] (looked up in PATH) with the signal dispositions that we
 * were started with. Returns 0; else one of the CHILD_ statuses, which are those
 * of env(1) and nohup(1), and err says why.
 */
int child_start(struct child *child, char *const *command, struct err *err) ATTR_MUST_USE;

/* Has it ended? Then *status is its exit status, or the negative number of the signal. */
bool child_ended(const struct child *child, int *status);

#endif
