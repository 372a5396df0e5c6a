/* The bottom line where a person types: commands, searches, filters, notes. */
#ifndef STRANDLINE_TUI_PROMPT_H
#define STRANDLINE_TUI_PROMPT_H

#include "base/buf.h"
#include "tui/cells.h"
#include "tui/key.h"

enum prompt_kind {
    PROMPT_NONE,
    PROMPT_COMMAND,
    PROMPT_SEARCH,
    PROMPT_FILTER,
    PROMPT_NOTE,
    PROMPT_GOTO,
    PROMPT_REPORT,
    PROMPT_SESSIONS,
    PROMPT_POLICY,
    PROMPT_LABEL,
    PROMPT_SQL,
    PROMPT_CASE,
    PROMPT_KINDS
};

enum { PROMPT_HISTORY = 32, PROMPT_MOST = 4096 };

struct prompt {
    enum prompt_kind kind; /* PROMPT_NONE: closed */
    struct buf text;
    size_t at;                                        /* where the next character goes, in bytes */
    struct buf history[PROMPT_KINDS][PROMPT_HISTORY]; /* newest last */
    int history_count[PROMPT_KINDS];
    struct buf stem; /* what was typed before completion changed it */
    int choice;      /* which completion of the stem is in the text; -1: none yet */
    int recalled;    /* 0: the line being typed; 1: the newest … */
    bool
        suggested; /* the text is an offer: Enter takes it, the first character typed replaces it */
};

enum prompt_result { PROMPT_TYPED, PROMPT_MOVED, PROMPT_DONE, PROMPT_LEFT, PROMPT_COMPLETE };

/* Frees the text and what is remembered. */
void prompt_finish(struct prompt *p);
/* Opens the line with a text in it, the cursor behind that; and closes it. */
void prompt_open(struct prompt *p, enum prompt_kind kind, struct span text);
void prompt_close(struct prompt *p);
/* Opens it with a text that is only offered. */
void prompt_suggest(struct prompt *p, enum prompt_kind kind, struct span text);
/* Puts another text in its place. */
void prompt_set(struct prompt *p, struct span text);
/* PROMPT_DONE: Enter (the text is in p->text and was remembered); PROMPT_LEFT: Esc, or rubbed out.
 */
enum prompt_result prompt_key(struct prompt *p, struct key key);
/* Draws caption and text; gives the column behind. */
int prompt_draw(const struct prompt *p, struct area area, int row, const char *caption);

#endif
