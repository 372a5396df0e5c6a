/* A line laid out in rows of characters, and two of them as one: side by side, or one below the
 * other. */
#ifndef STRANDLINE_TUI_LAYOUT_H
#define STRANDLINE_TUI_LAYOUT_H

#include "tui/cells.h"

/* One character as it stands in a row. */
struct placed {
    char text[20];
    uint8_t len, width;
    enum style style;
};

/* Characters, and where each row begins. Kept between lines, only grown; all zero: empty. */
struct layout {
    struct placed *at;
    size_t count, room;
    size_t row[512]; /* first character of each row */
    int rows;
    int indent, hang; /* columns before the first row, and before the others */
};

/* Adds one character, which is safe and of that width. */
void layout_place(struct layout *l, struct span text, int width, enum style style);
void layout_finish(struct layout *l);
/* The first character behind a row. */
size_t layout_row_end(const struct layout *l, int row);
/*
 * Puts both into the empty `l`. `middle` 0: the right one below the left one. Else side by side:
 * the left one in the columns before `middle`, a bar there, and the right one behind it.
 */
void layout_join(struct layout *l, const struct layout *left, const struct layout *right,
                 int middle, bool ascii);

#endif
