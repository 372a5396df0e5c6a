/*
 * A process that reads what an attacker wrote needs no network and starts no program: the kernel is
 * told to refuse both, so that a fault in any library that reads the data stays without
 * consequence.
 */
#ifndef STRANDLINE_CLI_CONFINE_H
#define STRANDLINE_CLI_CONFINE_H

#include <stdbool.h>

/*
 * Gives up sockets, other programs and other processes' memory, for this process and for good: such
 * a call fails with EPERM from now on. Threads that run already are not bound; call it before any.
 * False where the kernel has no such filter; then nothing has changed, and nothing else needs it.
 * Source: seccomp(2), SECCOMP_SET_MODE_FILTER.
 */
bool confine_process(void);

#endif
