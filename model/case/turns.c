#include "model/case/turns.h"

#include <time.h>

void turns_init(struct turns *t)
{
    pthread_condattr_t attributes;
    *t = (struct turns){.lent = false};
    pthread_mutex_init(&t->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void turns_finish(struct turns *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->mutex);
}

/* ---- the owner ---- */

static void wait_a_little(struct turns *t)
{
    enum { PIECE_NS = 1000000, SECOND_NS = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PIECE_NS;
    until.tv_sec += until.tv_nsec / SECOND_NS;
    until.tv_nsec %= SECOND_NS;
    pthread_cond_timedwait(&t->changed, &t->mutex, &until);
}

bool turns_lend(struct turns *t, bool (*back)(void *arg, bool hurry), void *arg)
{
    pthread_mutex_lock(&t->mutex);
    t->lent = true;
    pthread_cond_broadcast(&t->changed);
    while (!t->left && !back(arg, t->patient))
        wait_a_little(t);
    t->lent = false;
    while (t->taken)
        pthread_cond_wait(&t->changed, &t->mutex);
    bool left = t->left;
    pthread_mutex_unlock(&t->mutex);
    return left;
}

void turns_end(struct turns *t)
{
    pthread_mutex_lock(&t->mutex);
    t->over = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

/* ---- the borrower ---- */

bool turns_take(struct turns *t)
{
    if (!t)
        return true;
    pthread_mutex_lock(&t->mutex);
    while (!t->lent && !t->over)
        pthread_cond_wait(&t->changed, &t->mutex);
    t->taken = !t->over;
    bool taken = t->taken;
    pthread_mutex_unlock(&t->mutex);
    return taken;
}

void turns_give(struct turns *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->mutex);
    t->taken = false;
    if (!t->lent) /* the owner waits for it */
        pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

void turns_be_patient(struct turns *t, bool on)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->mutex);
    t->patient = on;
    pthread_mutex_unlock(&t->mutex);
}

bool turns_wanted(struct turns *t)
{
    if (!t)
        return false;
    pthread_mutex_lock(&t->mutex);
    bool wanted = !t->lent;
    pthread_mutex_unlock(&t->mutex);
    return wanted;
}

void turns_leave(struct turns *t)
{
    pthread_mutex_lock(&t->mutex);
    t->taken = false;
    t->left = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}
