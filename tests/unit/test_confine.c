#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/confine.h"

/* What a confined process can still do, as bits; it answers with its exit status. */
enum { STARTS = 1, CONNECTS = 2, TALKS = 4, LOST_THREADS = 8, NOT_CONFINED = 16 };

static void *nothing(void *arg)
{
    return arg;
}

static int tried(void)
{
    int found = 0, ends[2];
    char name[] = "false", *command[] = {name, NULL};
    pthread_t thread;
    if (!confine_process())
        return NOT_CONFINED;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM)
        found |= CONNECTS;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 || errno != EPERM)
        found |= TALKS;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0)
        found |= LOST_THREADS;
    execvp(name, command); /* comes back only where it was refused; else it says STARTS */
    return errno == EPERM ? found : found | STARTS;
}

Test(confine, neither_network_nor_programs_are_left)
{
    int status = 0;
    pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0)
        _exit(tried());
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status));
    if (WEXITSTATUS(status) == NOT_CONFINED)
        cr_skip_test("this kernel filters no system calls");
    cr_expect_eq(WEXITSTATUS(status), 0, "left over: %d", WEXITSTATUS(status));
    int plain = socket(AF_UNIX, SOCK_STREAM, 0);
    cr_expect(plain >= 0, "who called it for a child is as free as before");
    close(plain);
}
