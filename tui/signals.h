/*
 * Signals while the terminal is ours: what they ask for waits until the loop looks, and on the ways
 * out that the loop doesn't see (a crash, no memory, a terminal that takes nothing any more) the
 * terminal is given back from here.
 */
#ifndef STRANDLINE_TUI_SIGNALS_H
#define STRANDLINE_TUI_SIGNALS_H

#include <stdbool.h>
#include <time.h>

#include "base/span.h"

struct termios;
/* From now on. `restore` is written to a terminal that is given back (at most 128 bytes of it,
 * which are copied), and its modes are set to `before` (NULL: they are left). */
void signals_watch(struct span restore, const struct termios *before);
void signals_forget(void);
/* The terminal isn't ours for now. */
void signals_lend_terminal(bool lent);
/* The signal that asks to end, 0: none has come. */
int signals_stop(void);
/* One has come that asks to be stopped for now; asked once. */
bool signals_suspend(void);
/* Has one of them come? */
bool signals_wait_to_be_seen(void);
/*
 * Around everything that writes to the terminal, which may block for as long as nobody reads there.
 * Who is asked to end meanwhile does within a second.
 */
void signals_writing(bool on);
/* Stops the whole job, as the terminal itself would, until it is continued. */
void signals_stop_job(void);
/* As ppoll for something to read from this descriptor; a signal is not slept through. */
int signals_poll(int fd, const struct timespec *timeout);

#endif
