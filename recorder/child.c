#include "recorder/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/signals.h"

enum { READ_END, WRITE_END };

struct pipes {
    int in[2], out[2], err[2], failure[2];
};

static bool make_pipes(struct pipes *p)
{
    int *const all[] = {p->in, p->out, p->err, p->failure};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (pipe2(all[i], O_CLOEXEC) != 0) {
            while (i--) {
                close(all[i][READ_END]);
                close(all[i][WRITE_END]);
            }
            return false;
        }
    return true;
}

static ATTR_NORETURN void become(char *const *command, const struct pipes *p, pid_t parent)
{
    /* A host that kills us with SIGKILL means the server: that is passed on, too. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CHILD_NO_MEANS);
    dup2(p->in[READ_END], STDIN_FILENO);
    dup2(p->out[WRITE_END], STDOUT_FILENO);
    dup2(p->err[WRITE_END], STDERR_FILENO);
    signals_restore();
    execvp(command[0], command);
    int why = errno;
    ssize_t told = write(p->failure[WRITE_END], &why, sizeof why);
    (void)told;
    _exit(CHILD_NOT_FOUND);
}

static int fail(struct err *err, const char *where, int why)
{
    bool missing = why == ENOENT;
    err_set(err, ERR_USAGE, where, missing ? "is it installed, and in PATH?" : NULL,
            "the server can't be started: %s", strerror(why));
    return missing ? CHILD_NOT_FOUND : CHILD_NOT_STARTED;
}

int child_start(struct child *child, char *const *command, struct err *err)
{
    struct pipes p;
    pid_t self = getpid();
    if (!make_pipes(&p)) {
        fail(err, command[0], errno);
        return CHILD_NO_MEANS;
    }
    child->pid = signals_fork();
    if (child->pid == 0)
        become(command, &p, self);
    int forked = errno, why = 0;
    close(p.in[READ_END]);
    close(p.out[WRITE_END]);
    close(p.err[WRITE_END]);
    close(p.failure[WRITE_END]);
    ssize_t n = 0;
    while (child->pid > 0 && (n = read(p.failure[READ_END], &why, sizeof why)) < 0 &&
           errno == EINTR)
        ;
    close(p.failure[READ_END]);
    *child = (struct child){child->pid, p.in[WRITE_END], p.out[READ_END], p.err[READ_END]};
    if (child->pid > 0 && n == 0) {
        int *const ours[] = {&child->to, &child->from, &child->err};
        for (size_t i = 0; i < COUNT_OF(ours); i++)
            fcntl(*ours[i], F_SETFL, fcntl(*ours[i], F_GETFL) | O_NONBLOCK);
        return 0;
    }
    close(child->to);
    close(child->from);
    close(child->err);
    if (child->pid < 0) {
        fail(err, command[0], forked);
        return CHILD_NO_MEANS;
    }
    waitpid(child->pid, NULL, 0);
    return fail(err, command[0], why);
}

bool child_ended(const struct child *child, int *status)
{
    int how;
    if (waitpid(child->pid, &how, WNOHANG) != child->pid)
        return false;
    *status = WIFSIGNALED(how) ? -WTERMSIG(how) : WEXITSTATUS(how);
    return true;
}
