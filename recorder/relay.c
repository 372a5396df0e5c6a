#include "recorder/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "recorder/signals.h"

/* How to write without being held up. */
enum manner {
    WRITE_FREELY, /* a description of our own, set to not block */
    WRITE_SOCKET,
    WRITE_LITTLE, /* shared with others, so it may block: only when poll says so, and what then fits
                   */
};

struct flow {
    enum stream stream;
    int in, out; /* -1: closed */
    enum manner manner;
    char *room;
    size_t begin, end; /* what waits in room */
};

struct relay {
    struct flow flows[STREAMS];
    struct child *child;
    struct capture *capture;
    int signals;
    bool ended, leave;
    int status;
};

/* ---- our own standard streams ---- */

/*
 * O_NONBLOCK belongs to the open file that we share with the host, so it can't be set on what we
 * were given. A pipe can be opened a second time; a socket has a flag for each write.
 */
static enum manner manner_of(int fd)
{
    struct stat st;
    char name[32];
    if (fstat(fd, &st) != 0)
        return WRITE_LITTLE;
    if (S_ISSOCK(st.st_mode))
        return WRITE_SOCKET;
    if (!S_ISFIFO(st.st_mode))
        return WRITE_LITTLE;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    int again = open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (again < 0)
        return WRITE_LITTLE;
    bool moved = dup3(again, fd, O_CLOEXEC) == fd;
    close(again);
    return moved ? WRITE_FREELY : WRITE_LITTLE;
}

static void close_end(int fd)
{
    if (fd > STDERR_FILENO) {
        close(fd);
        return;
    }
    /* What is opened later must not become standard input or output. */
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, fd);
        close(null);
    }
}

/* ---- one stream ---- */

static bool is_waiting(const struct flow *f)
{
    return f->begin < f->end;
}

static ssize_t put(const struct flow *f)
{
    const char *at = f->room + f->begin;
    size_t len = f->end - f->begin;
    if (f->manner == WRITE_FREELY)
        return write(f->out, at, len);
    if (f->manner == WRITE_SOCKET)
        return send(f->out, at, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    struct pollfd ready = {.fd = f->out, .events = POLLOUT};
    if (poll(&ready, 1, 0) <= 0) {
        errno = EAGAIN;
        return -1;
    }
    return write(f->out, at, len < PIPE_BUF ? len : PIPE_BUF);
}

static void close_in(struct flow *f)
{
    if (f->in >= 0)
        close_end(f->in);
    f->in = -1;
}

static void close_out(struct flow *f)
{
    /* Our own stderr is ours, too. */
    if (f->out >= 0 && f->out != STDERR_FILENO)
        close_end(f->out);
    f->out = -1;
}

/* The receiver has gone: the sender is to notice, as it would without us. */
static void receiver_gone(struct relay *r, struct flow *f)
{
    if (is_waiting(f))
        capture_undelivered(r->capture, f->stream,
                            (struct span){f->room + f->begin, f->end - f->begin});
    f->begin = f->end = 0;
    capture_closed(r->capture, f->stream, true);
    close_in(f);
    close_out(f);
}

static void sender_gone(struct relay *r, struct flow *f)
{
    close_in(f);
    capture_closed(r->capture, f->stream, false);
    close_out(f);
}

static void flow_write(struct relay *r, struct flow *f)
{
    while (is_waiting(f)) {
        ssize_t n = put(f);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n <= 0) {
            receiver_gone(r, f);
            return;
        }
        capture_bytes(r->capture, f->stream, (struct span){f->room + f->begin, (size_t)n});
        f->begin += (size_t)n;
    }
}

static void flow_read(struct relay *r, struct flow *f)
{
    ssize_t n = read(f->in, f->room, RELAY_ROOM);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    f->begin = 0;
    f->end = n > 0 ? (size_t)n : 0;
    if (n > 0)
        flow_write(r, f);
    else
        sender_gone(r, f);
}

/* ---- all of them ---- */

static void take_signals(struct relay *r)
{
    struct caught caught;
    while (signals_next(&caught)) {
        if (caught.number == SIGCHLD) {
            r->ended = r->ended || child_ended(r->child, &r->status);
            continue;
        }
        if (r->ended) {
            r->leave = true; /* only a receiver that doesn't read is left */
            continue;
        }
        capture_signal(r->capture, caught.number);
        if (!caught.by_terminal)
            kill(r->child->pid, caught.number);
    }
}

/* Room for the signals and, of each stream, the end that it waits for: never both. */
static void watch(const struct relay *r, struct pollfd fds[STREAMS + 1])
{
    fds[STREAMS] = (struct pollfd){.fd = r->signals, .events = POLLIN};
    for (size_t i = 0; i < STREAMS; i++) {
        const struct flow *f = &r->flows[i];
        fds[i] = is_waiting(f) ? (struct pollfd){.fd = f->out, .events = POLLOUT}
                               : (struct pollfd){.fd = f->in, .events = POLLIN};
    }
}

static bool is_done(const struct relay *r, bool silent)
{
    const struct flow *out = &r->flows[STREAM_S2C], *err = &r->flows[STREAM_ERR];
    if (!r->ended)
        return false;
    if (r->leave)
        return true;
    return (out->in < 0 || silent) && (err->in < 0 || silent) && !is_waiting(out) &&
           (!is_waiting(err) || silent);
}

static void pass(struct relay *r)
{
    struct pollfd fds[STREAMS + 1];
    bool silent = false;
    while (!is_done(r, silent)) {
        if (r->ended)
            close_in(&r->flows[STREAM_C2S]);
        watch(r, fds);
        int ready = poll(fds, COUNT_OF(fds), r->ended ? RELAY_LINGER_MS : -1);
        silent = r->ended && ready == 0;
        if (ready <= 0)
            continue;
        for (size_t i = 0; i < STREAMS; i++)
            if (fds[i].revents && is_waiting(&r->flows[i]))
                flow_write(r, &r->flows[i]);
            else if (fds[i].revents)
                flow_read(r, &r->flows[i]);
        if (fds[STREAMS].revents)
            take_signals(r);
    }
}

int relay_run(struct child *child, struct capture *capture, int signals)
{
    struct relay r = {
        .flows =
            {
                [STREAM_C2S] = {STREAM_C2S, STDIN_FILENO, child->to, WRITE_FREELY, NULL, 0, 0},
                [STREAM_S2C] = {STREAM_S2C, child->from, STDOUT_FILENO, manner_of(STDOUT_FILENO),
                                NULL, 0, 0},
                [STREAM_ERR] = {STREAM_ERR, child->err, STDERR_FILENO, manner_of(STDERR_FILENO),
                                NULL, 0, 0},
            },
        .child = child,
        .capture = capture,
        .signals = signals,
    };
    for (size_t i = 0; i < STREAMS; i++)
        r.flows[i].room = mem_alloc(RELAY_ROOM);
    pass(&r);
    for (size_t i = 0; i < STREAMS; i++) {
        struct flow *f = &r.flows[i];
        if (is_waiting(f) || f->in >= 0 || f->out >= 0)
            receiver_gone(&r, f);
        mem_free(f->room);
    }
    return r.status;
}
