/*
 * The explorer: a case on a terminal.
 *
 * explorer_run() owns the terminal from begin to end. Everything else works
 * without one: an explorer takes keys and gives a grid of cells, and that is
 * what tests, --script and --plain use.
 */
#ifndef STRANDLINE_TUI_EXPLORER_H
#define STRANDLINE_TUI_EXPLORER_H

#include "base/err.h"
#include "model/case/case.h"
#include "model/flow/policy.h"
#include "tui/cells.h"
#include "tui/key.h"

struct explorer_options {
    struct case_file *case_file; /* borrowed */
    const struct policy *policy; /* borrowed */
    const char *name;            /* of the case, for the title: a path, or "3 logs" */
    int64_t session;             /* 0: the only one; where there are several, the list of them */
    int64_t step;                /* 0: where the reviewer was, else the first step */
    bool lesson;                 /* begins with the Lesson of that session */
    bool ascii;                  /* only ASCII on the screen */
    bool plain;                  /* no terminal control at all: the screen as text after each line
                                    of input (keys or `:` commands); for pipes and screen readers */
    const char *script;          /* file of keys and commands to play, NULL for none */
    enum style_colours colours;
    enum style_ground ground;
    int rows, columns; /* of --plain and tests; 0: from the environment, else 36 x 120 */
    /* Writes a report of the case under that policy to `path`; NULL: this run writes none. */
    bool (*report)(void *arg, const struct policy *policy, const char *path, struct err *err);
    void *report_arg;
    /* What a format of log can't show, lines ended by NULL; may be NULL. */
    const char *const *(*cannot_show)(struct span format);
};

/* Runs until the person leaves. The terminal is restored on every way out, signals and crashes
 * included. Exit status as in interface.md (0, or 4/5 with the error printed). */
int explorer_run(const struct explorer_options *options);

/* ---- without a terminal ---- */

struct explorer;
/* NULL, err filled, where the case can't be asked. The caller's; what options point at is
 * borrowed. */
struct explorer *explorer_create(const struct explorer_options *options, struct err *err);
void explorer_destroy(struct explorer *x); /* keeps position, marks and filter in the case */
/* To so many cells; what doesn't fit is left out. */
void explorer_resize(struct explorer *x, int rows, int columns);
/* One key; false once the explorer is to be left. */
bool explorer_key(struct explorer *x, struct key key);
enum mouse_what { MOUSE_CLICK, MOUSE_DROP, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };
/* Was a key typed just now, that another may follow at once? Then the next frame answers with the
 * cursor, and what it stands on waits for the frame after that. */
void explorer_hurry(struct explorer *x, bool on);
/* The mouse at a cell of the screen, from 0. */
void explorer_mouse(struct explorer *x, enum mouse_what what, int row, int column);
/* One line of a script: "Down Down Enter" (names of keys) or ":COMMAND ARGUMENT…". */
bool explorer_line(struct explorer *x, struct span line);
/* One slice of slow work (a search, a count), some milliseconds; true: there is more to do. */
bool explorer_idle(struct explorer *x);
/* How long to wait for a key before the case is looked at again, in milliseconds; -1: for ever, as
 * no import adds to it. */
int explorer_patience(const struct explorer *x);
/* The screen as it should be; valid until the next call of anything here. */
const struct cells *explorer_frame(struct explorer *x);

#endif
