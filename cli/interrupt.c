#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    if (interrupted) /* the second one means it */
        _exit(130);
    interrupted = 1;
}

/* Not SIG_IGN, which the programs that we start would inherit. */
static void on_full(int number)
{
    (void)number;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = on_full; /* a limit of a file's size is then an error of the write */
    sigaction(SIGXFSZ, &action, NULL);
}

bool interrupt_came(void)
{
    return interrupted != 0;
}

bool interrupt_stop(void *nothing)
{
    (void)nothing;
    return interrupt_came();
}
