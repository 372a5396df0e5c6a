/*
 * A step in one line: arguments without their braces, the text of a result
 * without its wrapping. From the start of a body only, which may be cut
 * anywhere; what is drawn is always data, made safe.
 */
#ifndef STRANDLINE_TUI_PREVIEW_H
#define STRANDLINE_TUI_PREVIEW_H

#include "tui/cells.h"

/* "owner octo-demo  repo arcade": with or without the names. Gives the column behind. */
int preview_arguments(struct area area, int row, int column, int columns, struct span body,
                      bool names);
/* The same as text, appended. */
void preview_pairs(struct span body, struct buf *out);
/* The text inside of a result, prompt or other content, appended as one line. */
void preview_text(struct span body, struct buf *out);

#endif
