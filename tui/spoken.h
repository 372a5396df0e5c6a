/* A frame as it is read aloud: line by line, words for signs, nothing that only draws. */
#ifndef STRANDLINE_TUI_SPOKEN_H
#define STRANDLINE_TUI_SPOKEN_H

#include "tui/cells.h"

/* Appends the frame for --plain: columns are parted by ", ", lanes, bars and lines are left out,
 * and a sign that carries a meaning becomes its word. Empty lines go. */
void cells_spoken(const struct cells *grid, struct buf *out);

#endif
