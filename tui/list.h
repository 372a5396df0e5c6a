/* A cursor over a long list of rows: which is chosen, which are in sight. */
#ifndef STRANDLINE_TUI_LIST_H
#define STRANDLINE_TUI_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/action.h"

struct list {
    int64_t count, cursor, top; /* from 0 */
    int rows;                   /* in sight, of the last drawing */
};

/* Keeps cursor and top inside of the list and the cursor in sight. Call before drawing. */
void list_show(struct list *list, int rows);
/* Moving; false: not its business. */
bool list_act(struct list *list, enum action action);

#endif
