#include "recorder/capture.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "base/mem.h"
#include "base/timefmt.h"

enum what { WHAT_BYTES, WHAT_UNDELIVERED, WHAT_CLOSED, WHAT_SIGNAL, WHAT_LOST };

struct item {
    uint8_t what, stream;
    uint32_t value; /* length of the bytes that follow, or the number of a signal, or who closed */
    uint64_t lost;
    int64_t at;
};

struct capture {
    struct capture_file file;
    struct capture_lines lines; /* the thread's own once it runs */
    struct capture_start start;
    int64_t started;

    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more, over;
    struct buf queue;         /* items, each with its bytes: under the lock */
    uint64_t lost[STREAMS];   /* not yet said in the queue: under the lock */
    bool idle, ending, ended; /* under the lock; idle: the thread waits to be told of more */
    int status;
    int64_t ending_at;
};

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * TIME_SECOND + now.tv_nsec;
}

static struct timespec after_ms(int64_t ms)
{
    int64_t at = clock_ns(CLOCK_MONOTONIC) + ms * 1000000;
    return (struct timespec){.tv_sec = (time_t)(at / TIME_SECOND),
                             .tv_nsec = (long)(at % TIME_SECOND)};
}

struct capture *capture_create(const char *path, struct err *err)
{
    struct capture *c = NEW(struct capture);
    if (!capture_file_open(&c->file, path, err)) {
        mem_free(c);
        return NULL;
    }
    capture_lines_init(&c->lines, &c->file);
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->more, &steady);
    pthread_cond_init(&c->over, &steady);
    pthread_condattr_destroy(&steady);
    return c;
}

void capture_destroy(struct capture *c)
{
    if (!c)
        return;
    pthread_cond_destroy(&c->over);
    pthread_cond_destroy(&c->more);
    pthread_mutex_destroy(&c->lock);
    capture_lines_finish(&c->lines);
    capture_file_close(&c->file);
    buf_finish(&c->queue);
    mem_free(c);
}

/* ---- the relay's side ---- */

static void add_item(struct capture *c, const struct item *item, struct span bytes)
{
    buf_add(&c->queue, (struct span){(const char *)item, sizeof *item});
    buf_add(&c->queue, bytes);
}

/* What was lost before is said where something is kept again. */
static void keep_or_lose(struct capture *c, const struct item *item, struct span bytes)
{
    uint64_t *lost = &c->lost[item->stream];
    /* The few items without bytes always find room, within reason. */
    size_t most = bytes.len ? CAPTURE_QUEUE : CAPTURE_QUEUE + BATCH;
    if (c->queue.len + 2 * sizeof *item + bytes.len > most) {
        *lost += bytes.len;
        return;
    }
    if (*lost)
        add_item(c, &(struct item){WHAT_LOST, item->stream, 0, *lost, item->at}, SPAN_EMPTY);
    *lost = 0;
    add_item(c, item, bytes);
}

static void hand_over(struct capture *c, struct item item, struct span bytes)
{
    item.at = clock_ns(CLOCK_REALTIME);
    pthread_mutex_lock(&c->lock);
    keep_or_lose(c, &item, bytes);
    if (c->idle)
        pthread_cond_signal(&c->more);
    c->idle = false;
    pthread_mutex_unlock(&c->lock);
}

void capture_bytes(struct capture *c, enum stream stream, struct span bytes)
{
    hand_over(c, (struct item){WHAT_BYTES, (uint8_t)stream, (uint32_t)bytes.len, 0, 0}, bytes);
}

void capture_undelivered(struct capture *c, enum stream stream, struct span bytes)
{
    hand_over(c, (struct item){WHAT_UNDELIVERED, (uint8_t)stream, (uint32_t)bytes.len, 0, 0},
              bytes);
}

void capture_closed(struct capture *c, enum stream stream, bool by_receiver)
{
    hand_over(c, (struct item){WHAT_CLOSED, (uint8_t)stream, by_receiver, 0, 0}, SPAN_EMPTY);
}

void capture_signal(struct capture *c, int number)
{
    hand_over(c, (struct item){WHAT_SIGNAL, STREAM_C2S, (uint32_t)number, 0, 0}, SPAN_EMPTY);
}

/* ---- the thread's side ---- */

static void work_on(struct capture_lines *l, const struct item *item, struct span bytes)
{
    enum stream stream = (enum stream)item->stream;
    l->now = item->at;
    switch ((enum what)item->what) {
    case WHAT_UNDELIVERED:
        capture_lines_undelivered(l, stream);
        capture_lines_take(l, stream, bytes);
        break;
    case WHAT_BYTES:
        capture_lines_take(l, stream, bytes);
        break;
    case WHAT_CLOSED:
        capture_lines_closed(l, stream, item->value != 0);
        break;
    case WHAT_SIGNAL:
        capture_lines_signal(l, (int)item->value);
        break;
    case WHAT_LOST:
        capture_lines_lost(l, stream, item->lost);
        break;
    }
}

static void work_off(struct capture_lines *l, struct span queue)
{
    while (queue.len) {
        struct item item;
        memcpy(&item, queue.at, sizeof item);
        bool has_bytes = item.what == WHAT_BYTES || item.what == WHAT_UNDELIVERED;
        size_t len = has_bytes ? item.value : 0;
        work_on(l, &item, span_sub(queue, sizeof item, len));
        queue = span_sub(queue, sizeof item + len, queue.len);
    }
    capture_lines_flush(l);
}

/* Waits for something to do, and puts on the disk what was written when that is due. */
static void wait_for_more(struct capture *c, int64_t *synced)
{
    while (!c->queue.len && !c->ending) {
        int64_t due = CAPTURE_SYNC_MS - (clock_ns(CLOCK_MONOTONIC) - *synced) / 1000000;
        c->idle = true;
        if (!c->file.dirty) {
            pthread_cond_wait(&c->more, &c->lock);
        } else if (due > 0) {
            struct timespec until = after_ms(due);
            pthread_cond_timedwait(&c->more, &c->lock, &until);
        } else {
            pthread_mutex_unlock(&c->lock);
            capture_file_sync(&c->file);
            *synced = clock_ns(CLOCK_MONOTONIC);
            pthread_mutex_lock(&c->lock);
        }
    }
}

/* What went by is passed on to somebody who answers now: they have the processor first, and the
 * records of both are written at once. */
static void let_pass(struct capture *c)
{
    if (c->ending || c->queue.len > BATCH)
        return;
    pthread_mutex_unlock(&c->lock);
    nanosleep(&(struct timespec){.tv_nsec = CAPTURE_PAUSE_MS * 1000000L}, NULL);
    pthread_mutex_lock(&c->lock);
}

static void sync_when_due(struct capture *c, int64_t *synced)
{
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    if (now - *synced < (int64_t)CAPTURE_SYNC_MS * 1000000)
        return;
    capture_file_sync(&c->file);
    *synced = clock_ns(CLOCK_MONOTONIC);
}

static void end_capture(struct capture *c)
{
    c->lines.now = c->ending_at;
    for (enum stream s = 0; s < STREAMS; s++)
        if (c->lost[s])
            capture_lines_lost(&c->lines, s, c->lost[s]);
    capture_lines_end(&c->lines, c->status);
    capture_file_sync(&c->file);
}

static void *keep(void *arg)
{
    struct capture *c = arg;
    struct buf taken = {0};
    int64_t synced = clock_ns(CLOCK_MONOTONIC);
    c->lines.now = c->started;
    capture_lines_start(&c->lines, &c->start);
    capture_lines_flush(&c->lines);
    /* Woken for every message, it should not take the processor from those who talk. */
    pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0});
    pthread_mutex_lock(&c->lock);
    for (;;) {
        wait_for_more(c, &synced);
        if (!c->queue.len)
            break;
        let_pass(c);
        struct buf queue = c->queue;
        c->queue = taken;
        taken = queue;
        pthread_mutex_unlock(&c->lock);
        work_off(&c->lines, buf_span(&taken));
        buf_clear(&taken);
        if (taken.size > LINE_NEAR) /* a rush is over: its room goes back */
            buf_finish(&taken);
        sync_when_due(c, &synced);
        pthread_mutex_lock(&c->lock);
    }
    pthread_mutex_unlock(&c->lock);
    end_capture(c);
    buf_finish(&taken);
    pthread_mutex_lock(&c->lock);
    c->ended = true;
    pthread_cond_signal(&c->over);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

void capture_start(struct capture *c, const struct capture_start *start)
{
    sigset_t all, before;
    c->start = *start;
    c->started = clock_ns(CLOCK_REALTIME);
    sigfillset(&all); /* signals are the relay's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&c->thread, NULL, keep, c) != 0)
        mem_exhausted();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool capture_finish(struct capture *c, int status)
{
    struct timespec until = after_ms(CAPTURE_LEAVE_MS);
    int got = 0;
    pthread_mutex_lock(&c->lock);
    c->status = status;
    c->ending_at = clock_ns(CLOCK_REALTIME);
    c->ending = true;
    pthread_cond_signal(&c->more);
    while (!c->ended && got != ETIMEDOUT)
        got = pthread_cond_timedwait(&c->over, &c->lock, &until);
    bool ended = c->ended;
    pthread_mutex_unlock(&c->lock);
    if (!ended) {
        struct err err;
        err_set(&err, ERR_INTERNAL, c->file.path, "its end is missing", "the disk takes too long");
        err_print(&err);
        return false;
    }
    pthread_join(c->thread, NULL);
    capture_destroy(c);
    return true;
}
