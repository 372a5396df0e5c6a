/*
 * Signals as bytes to be read from a pipe, so that the relay waits for them
 * together with everything else. Those that ask a server to end, or tell it
 * something, are caught; one that was ignored when we were started stays so.
 */
#ifndef STRANDLINE_RECORDER_SIGNALS_H
#define STRANDLINE_RECORDER_SIGNALS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/attr.h"

/* Begins catching. Returns the descriptor to wait on, -1 where there can't be one. Once a process.
 */
int signals_catch(void) ATTR_MUST_USE;

struct caught {
    int number;
    bool by_terminal; /* Ctrl-C and its like: the whole process group got it, the server too */
};
/* The next one that was caught; false where there is none. */
bool signals_next(struct caught *caught);

/* fork(2), with no signal caught in the child before signals_restore. */
pid_t signals_fork(void);
/* In the child: everything as we were started. */
void signals_restore(void);

#endif
