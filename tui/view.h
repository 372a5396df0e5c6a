/*
 * A screen is a value with a table of operations. It owns no facts: it asks
 * the query layer for what is visible and draws it into an area.
 */
#ifndef STRANDLINE_TUI_VIEW_H
#define STRANDLINE_TUI_VIEW_H

#include "base/slice.h"
#include "tui/action.h"
#include "tui/cells.h"

struct explorer; /* the loop's state: case, review, stack of views, message line */
struct view;

/* What a handler has done; the loop acts on it. */
enum view_result {
    VIEW_IGNORED = 0,
    VIEW_HANDLED = 1,
    VIEW_REDRAW = 2,
    VIEW_CLOSE = 4, /* leave this screen */
    VIEW_QUIT = 8,
};

/* A list of these is ended by ACTION_NONE. */
struct hint {
    enum action action;
    const char *words;
};

struct view_ops {
    const char *name;                                 /* "flow": also its name for `:` */
    const char *title;                                /* for help and the title line */
    size_t size;                                      /* of the state */
    bool (*open)(struct view *v, struct explorer *x); /* first look; false: message was set */
    void (*close)(struct view *v);
    void (*draw)(struct view *v, struct area area);      /* only what is visible */
    unsigned (*act)(struct view *v, enum action action); /* bits of enum view_result */
    bool (*idle)(struct view *v, struct slice *slice);   /* long work; true: more to do */
    bool (*find)(struct view *v, struct span needle, bool again,
                 bool forward);                             /* NULL: all steps are searched */
    unsigned (*click)(struct view *v, int row, int column); /* of the screen; NULL: nothing there */
    unsigned (*drop)(struct view *v, int row,
                     int column); /* the button is let go; NULL: no matter */
    bool of_case; /* it stays when another session is opened; others are of the one that was */
    /* What the keys do as things are, for the bottom line; the first are kept where it is narrow.
     * Help and the way back need not be named; NULL: nothing else. */
    const struct hint *(*hints)(const struct view *v);
};

struct view {
    const struct view_ops *ops;
    struct explorer *explorer;
    void *state;
};

#endif
