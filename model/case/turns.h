/*
 * One case, two threads. A connection to SQLite is one thread's at a time, and most of what takes
 * long is not reading but looking at what was read. So a thread that works behind the screen takes
 * the case while it reads and gives it back while it computes; the thread that the case belongs to
 * lends it between two keys, and has it again within one reading.
 *
 *     owner                                      borrower
 *     turns_lend(t, …) gives how far it is       while turns_take(t):
 *     … keys, screens …                              read; turns_give(t); compute
 *     turns_lend(t, …)                           turns_leave(t)
 */
#ifndef STRANDLINE_MODEL_CASE_TURNS_H
#define STRANDLINE_MODEL_CASE_TURNS_H

#include <pthread.h>
#include <stdbool.h>

struct turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool lent, taken; /* the borrower may take the case; it has it */
    bool over, left;  /* it never may again; it is done */
    bool patient;     /* what it asks is asked again from its beginning where it is stopped */
};

/* The case is the owner's, and lent to nobody. */
void turns_init(struct turns *t);
void turns_finish(struct turns *t); /* when the borrower has left */

/* ---- the owner ---- */

/* Until the borrower has left (true) or `back` says that the case is wanted, which is asked every
 * millisecond or so: `hurry` is true where that should be for keys only. */
bool turns_lend(struct turns *t, bool (*back)(void *arg, bool hurry), void *arg);
/* The borrower gets nothing any more and is to leave. */
void turns_end(struct turns *t);

/* ---- the borrower; with NULL there is no other thread, and the case is always there ---- */

/* Waits for the case. False: it will not be lent again. */
bool turns_take(struct turns *t);
void turns_give(struct turns *t);
/* For a question that can't be continued where it is stopped: from now on (until false) the owner
 * takes the case back for keys only. */
void turns_be_patient(struct turns *t, bool on);
/* While it has the case: does the owner want it back? */
bool turns_wanted(struct turns *t);
void turns_leave(struct turns *t);

#endif
