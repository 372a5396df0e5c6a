#include "tui/signals.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/attr.h"
#include "base/mem.h"

/* What a handler needs, made ready beforehand. */
static struct {
    volatile sig_atomic_t ours, stop, suspend, writing;
    struct termios before;
    bool has_before;
    char restore[128];
    size_t restore_len;
} held;

static const int stopping[] = {SIGTERM, SIGHUP,  SIGINT,  SIGQUIT,
                               SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU};
static const int crashing[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

/* ---- in a handler: only functions that are safe there ---- */

static void give_back(void)
{
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    if (!held.ours)
        return;
    held.ours = 0;
    tcflush(STDOUT_FILENO, TCOFLUSH); /* what nobody read would have it wait */
    if (poll(&out, 1, 0) > 0 && out.revents & POLLOUT) {
        ssize_t done = write(STDOUT_FILENO, held.restore, held.restore_len);
        (void)done;
    }
    if (held.has_before)
        tcsetattr(STDIN_FILENO, TCSANOW, &held.before);
}

static void end_by(int number)
{
    give_back();
    signal(number, SIG_DFL);
    raise(number);
}

/* The loop sees it and ends in order. Where it can't, since nobody reads what it writes, it ends
 * here when it is asked again: by the one who asked, or a second later. */
static void on_stop(int number)
{
    if (held.stop && held.writing)
        end_by((int)held.stop);
    if (!held.stop)
        held.stop = number;
    alarm(1);
}

static void on_suspend_signal(int number)
{
    held.suspend = number;
}

/* ---- outside of one ---- */

static void handle(const int *numbers, size_t count, void (*handler)(int number), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < count; i++)
        sigaction(numbers[i], &action, NULL);
}

void signals_watch(struct span restore, const struct termios *before)
{
    static const int suspending[] = {SIGTSTP}; /* a library that draws in a handler draws twice */
    held.stop = held.suspend = held.writing = 0;
    held.has_before = before != NULL;
    if (before)
        held.before = *before;
    restore = span_sub(restore, 0, sizeof held.restore);
    memcpy(held.restore, restore.at, restore.len);
    held.restore_len = restore.len;
    held.ours = 1;
    handle(stopping, COUNT_OF(stopping), on_stop, 0);
    handle(suspending, COUNT_OF(suspending), on_suspend_signal, 0);
    handle(crashing, COUNT_OF(crashing), end_by, (int)SA_RESETHAND);
    signal(SIGPIPE, SIG_IGN);
    mem_on_exhausted(give_back);
}

void signals_forget(void)
{
    alarm(0);
    held.ours = 0;
    handle(stopping, COUNT_OF(stopping), SIG_DFL, 0);
    handle(crashing, COUNT_OF(crashing), SIG_DFL, 0);
    signal(SIGTSTP, SIG_DFL);
    mem_on_exhausted(NULL);
}

void signals_lend_terminal(bool lent)
{
    held.ours = !lent;
}

int signals_stop(void)
{
    return (int)held.stop;
}

bool signals_suspend(void)
{
    bool asked = held.suspend;
    held.suspend = 0;
    return asked;
}

bool signals_wait_to_be_seen(void)
{
    return held.stop || held.suspend;
}

void signals_writing(bool on)
{
    held.writing = on;
}

void signals_stop_job(void)
{
    struct sigaction before;
    sigaction(SIGTSTP, NULL, &before);
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
    held.suspend = 0;
}

int signals_poll(int fd, const struct timespec *timeout)
{
    sigset_t block, before;
    sigemptyset(&block);
    for (size_t i = 0; i < COUNT_OF(stopping); i++)
        sigaddset(&block, stopping[i]);
    sigaddset(&block, SIGTSTP);
    sigprocmask(SIG_BLOCK, &block, &before);
    struct pollfd in = {fd, POLLIN, 0};
    int ready = signals_wait_to_be_seen() ? 0 : ppoll(&in, 1, timeout, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ready;
}
