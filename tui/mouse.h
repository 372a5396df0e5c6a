/*
 * What a terminal reports of its mouse: "ESC [ < BUTTON ; COLUMN ; ROW" and M for a press or m for
 * what was let go (xterm's mode 1006). It comes byte by byte, and perhaps never to its end.
 */
#ifndef STRANDLINE_TUI_MOUSE_H
#define STRANDLINE_TUI_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

#define MOUSE_BEGIN "\033[<"                 /* of a report */
#define MOUSE_ON    "\033[?1000h\033[?1006h" /* has the terminal report */
#define MOUSE_OFF   "\033[?1006l\033[?1000l"

struct screen_mouse {
    int row, column;
    int wheel;    /* -1 up, 1 down, 0: a click */
    bool dropped; /* the button was let go */
};

struct mouse_report {
    bool open; /* its begin has come, and its end has not */
    int number[3], count, length;
};
/* Before the first character of a report. */
void mouse_begin(struct mouse_report *report);
enum mouse_part {
    MOUSE_MORE,    /* the character belongs to it */
    MOUSE_WHOLE,   /* it was the last: *at tells what happened */
    MOUSE_NOTHING, /* it was the last, of something that is nothing here */
    MOUSE_NOT,     /* no such character can be in a report: it means itself */
};
/* The next character, while the report is open. */
enum mouse_part mouse_take(struct mouse_report *report, uint32_t code, struct screen_mouse *at);

#endif
