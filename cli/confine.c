#include "cli/confine.h"

#ifdef __linux__

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>

/* What would lead out of this process. io_uring opens sockets beside socket(2). */
static const int refused[] = {
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(io_uring_setup),
    SCMP_SYS(execve), SCMP_SYS(execveat),   SCMP_SYS(process_vm_writev),
#ifndef __SANITIZE_ADDRESS__ /* whose search for leaks looks on from a process of its own */
    SCMP_SYS(ptrace),
#endif
};

bool confine_process(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool ok = filter != NULL;
    for (size_t i = 0; ok && i < sizeof refused / sizeof *refused; i++)
        ok = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0) == 0;
    ok = ok && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return ok;
}

#else

bool confine_process(void)
{
    return false;
}

#endif
