#include "recorder/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* First those that are passed on. A receiver that has gone, and a limit on the size of files, are
 * errors to be told, no end of us. */
static const struct {
    int number;
    enum { PASS_ON, NOTICE, SURVIVE } use;
} signals[] = {
    {SIGINT, PASS_ON},  {SIGTERM, PASS_ON}, {SIGHUP, PASS_ON},
    {SIGQUIT, PASS_ON}, {SIGUSR1, PASS_ON}, {SIGUSR2, PASS_ON},
    {SIGCHLD, NOTICE},  {SIGPIPE, SURVIVE}, {SIGXFSZ, SURVIVE},
};

static int ends[2] = {-1, -1};
static sigset_t mask_before;
static bool ignored_before[COUNT_OF(signals)];

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    int kept = errno;
    unsigned char byte = (unsigned char)number;
    if (info->si_code == SI_KERNEL)
        byte |= 0x80;
    ssize_t told = write(ends[1], &byte, 1); /* a full pipe holds enough of them */
    (void)told;
    errno = kept;
}

int signals_catch(void)
{
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        struct sigaction before, action = {.sa_sigaction = on_signal,
                                           .sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i].number, NULL, &before);
        ignored_before[i] = before.sa_handler == SIG_IGN;
        if (signals[i].use == SURVIVE)
            action = (struct sigaction){.sa_handler = SIG_IGN, .sa_mask = action.sa_mask};
        if (signals[i].use != PASS_ON || !ignored_before[i])
            sigaction(signals[i].number, &action, NULL);
    }
    return ends[0];
}

bool signals_next(struct caught *caught)
{
    unsigned char byte;
    if (read(ends[0], &byte, 1) != 1)
        return false;
    *caught = (struct caught){byte & 0x7f, byte & 0x80};
    return true;
}

pid_t signals_fork(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask_before);
    pid_t pid = fork();
    int kept = errno;
    if (pid != 0)
        sigprocmask(SIG_SETMASK, &mask_before, NULL);
    errno = kept;
    return pid;
}

void signals_restore(void)
{
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        struct sigaction action = {.sa_handler = ignored_before[i] ? SIG_IGN : SIG_DFL};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i].number, &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}
