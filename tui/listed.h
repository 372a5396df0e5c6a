/*
 * A list and, below it, the document of the row under the cursor: the screens
 * of evidence and of findings. Tab moves the keys from one to the other.
 */
#ifndef STRANDLINE_TUI_LISTED_H
#define STRANDLINE_TUI_LISTED_H

#include "tui/core.h"
#include "tui/doc.h"
#include "tui/list.h"

struct listed {
    struct list list;
    struct doc doc;
    struct doc_view view;
    bool in_doc;   /* the keys go to the document */
    int64_t shown; /* the row in the document, -1: none; laid out for so many columns: */
    int columns;
};

/* What differs from screen to screen. */
struct listed_ops {
    const char *head; /* above the list */
    void (*draw_row)(struct view *v, struct area area, int row, int64_t i);
    /* Fills the document, which is empty, with what is to be said of row i. */
    void (*lay_out)(struct view *v, int64_t i, int columns);
    /* Says something of all rows on the divider, from that column on; NULL: nothing. */
    void (*sum_up)(struct view *v, struct area area, int row, int column);
};

/* Empty, at the first row; finish frees the document. */
void listed_init(struct listed *l);
void listed_finish(struct listed *l);
/* The list takes at most `list_rows` with its head and the divider; there is at least one row. */
void listed_draw(struct listed *l, struct view *v, struct area area, int list_rows,
                 const struct listed_ops *ops);
/* Moving, folding, following a link of the document; false: not its business. */
bool listed_act(struct listed *l, struct view *v, enum action action);

#endif
