/* The open session under each policy that the program brings: would another one have stopped it? */
#ifndef STRANDLINE_TUI_POLICIES_H
#define STRANDLINE_TUI_POLICIES_H

#include "tui/core.h"

enum { POLICIES_MOST = 16 };

struct policies {
    struct policy_row {
        struct review_summary sum;
        enum verdict verdict; /* of the selected step */
        bool known;           /* else it could not be asked */
    } row[POLICIES_MOST];
    size_t asked; /* the rows that were, from the first */
};

/* How many rows there are to ask for. */
size_t policies_count(void);
/* Asks for the next row, where a key does not end it. True: it is to be asked again. */
bool policies_ask(struct policies *p, struct explorer *x);
/* A table from the top of the area, with one row lit. */
void policies_draw(const struct policies *p, struct explorer *x, struct area area, int64_t lit);

#endif
