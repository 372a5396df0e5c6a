#include <criterion/criterion.h>

#include <semaphore.h>

#include "model/case/turns.h"

/* A borrower that computes for as long as the test wants. */
struct borrower {
    struct turns turns;
    sem_t computing, enough;
    int read; /* guarded by the turns: who has the case */
};

static void *borrow(void *arg)
{
    struct borrower *b = arg;
    while (turns_take(&b->turns)) {
        b->read++;
        turns_give(&b->turns);
        sem_post(&b->computing);
        sem_wait(&b->enough);
    }
    turns_leave(&b->turns);
    return NULL;
}

/* The owner has the case again, however long the borrower computes. */
static bool once_it_computes(void *arg, bool hurry)
{
    struct borrower *b = arg;
    cr_expect_not(hurry);
    return sem_trywait(&b->computing) == 0;
}

static bool never(void *arg, bool hurry)
{
    (void)arg;
    (void)hurry;
    return false;
}

Test(turns, the_case_comes_back_while_the_other_computes)
{
    struct borrower b = {.read = 0};
    pthread_t thread;
    turns_init(&b.turns);
    sem_init(&b.computing, 0, 0);
    sem_init(&b.enough, 0, 0);
    cr_assert_eq(pthread_create(&thread, NULL, borrow, &b), 0);
    for (int round = 1; round <= 3; round++) {
        cr_expect_not(turns_lend(&b.turns, once_it_computes, &b));
        cr_expect_eq(b.read, round);
        sem_post(&b.enough); /* it wants to read, and has to wait */
        cr_expect_not(turns_wanted(NULL));
        cr_expect(turns_wanted(&b.turns));
        cr_expect_eq(b.read, round);
    }
    turns_end(&b.turns);
    cr_expect(turns_lend(&b.turns, never, NULL), "it has left");
    pthread_join(thread, NULL);
    cr_expect_eq(b.read, 3);
    turns_finish(&b.turns);
    cr_expect(turns_take(NULL), "without another thread the case is there");
    turns_give(NULL);
}
