/*
 * The terminal: takes it over, puts the difference between two frames on it,
 * gives keys, and gives it back on every way out (return, signal, crash, no
 * memory). ncurses is known to this file alone.
 */
#ifndef STRANDLINE_TUI_SCREEN_H
#define STRANDLINE_TUI_SCREEN_H

#include "base/err.h"
#include "tui/cells.h"
#include "tui/config.h"
#include "tui/key.h"
#include "tui/mouse.h"

struct screen;

/* Takes over the terminal of standard input and output. One at a time. */
struct screen *screen_open(enum style_colours colours, enum style_ground ground, bool ascii,
                           struct err *err);
void screen_close(struct screen *s);          /* NULL is fine */
bool screen_is_ascii(const struct screen *s); /* asked for, no UTF-8, or the console */
void screen_size(struct screen *s, int *rows, int *columns);
/* Looks that the person set, for 256 colours; borrowed. */
void screen_restyle(struct screen *s, const struct config *config);
void screen_put(struct screen *s, const struct cells *frame);
void screen_redraw(struct screen *s);  /* forgets what is on the terminal */
void screen_suspend(struct screen *s); /* back to the shell until it continues us */
/* OSC 52; false where the text is longer than terminals take. */
bool screen_copy(struct screen *s, struct span text);

enum screen_event {
    SCREEN_NOTHING,
    SCREEN_KEY,
    SCREEN_MOUSE,
    SCREEN_RESIZED,
    SCREEN_SUSPEND,
    SCREEN_STOP,
};
/* Turns the mouse on or off; gives whether it is on. Off at first: then the terminal's own
 * selection works as everywhere. */
bool screen_mouse_toggle(struct screen *s);
struct screen_mouse screen_mouse_at(const struct screen *s); /* of the last SCREEN_MOUSE */
/* Waits for a key at most `timeout_ms` (-1: as long as it takes). SCREEN_SUSPEND: a signal asks for
 * screen_suspend; SCREEN_STOP: one to end, or the terminal is gone. */
enum screen_event screen_wait(struct screen *s, int timeout_ms, struct key *key);
/* Is there something to read, which ends a slice early? Takes nothing. */
bool screen_has_key(struct screen *s);
/* The signal that ended it, 0: none. */
int screen_stop_signal(void);

#endif
