#include "recorder/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

static int ends[2] = {-1, -1};
static sigset_t mask_before;

/* A receiver that has gone and a limit on the size of files are errors to be told, no end of us. */
static const int survived[] = {SIGPIPE, SIGXFSZ};
static struct sigaction survived_before[COUNT_OF(survived)];

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

static void catch_one(int number)
{
    struct sigaction before,
        action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

int signals_catch(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    sigemptyset(&ignore.sa_mask);
    for (size_t i = 0; i < COUNT_OF(survived); i++)
        sigaction(survived[i], &ignore, &survived_before[i]);
    for (size_t i = 0; i < COUNT_OF(passed_on); i++)
        catch_one(passed_on[i]);
    struct sigaction child = {.sa_sigaction = on_signal,
                              .sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP};
    sigemptyset(&child.sa_mask);
    sigaction(SIGCHLD, &child, NULL);
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
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT_OF(passed_on); i++) {
        struct sigaction now;
        if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
    sigaction(SIGCHLD, &action, NULL);
    for (size_t i = 0; i < COUNT_OF(survived); i++)
        sigaction(survived[i], &survived_before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}
