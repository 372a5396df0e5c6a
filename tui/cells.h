/*
 * A frame is a grid of cells. Views draw into it, tests read it, the screen
 * puts the difference to the last one on the terminal. Text from data can only
 * be drawn with cells_data(), which goes through base/text.h.
 */
#ifndef STRANDLINE_TUI_CELLS_H
#define STRANDLINE_TUI_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"
#include "tui/style.h"

struct cell {
    char text[20]; /* UTF-8 of one glyph; empty: the right half of a wide one */
    uint8_t len;
    uint8_t width; /* 1, 2; 0: covered by the wide cell on the left */
    enum style style;
    bool selected; /* in the row under the cursor */
};

struct cells {
    int rows, columns;
    struct cell *cell; /* row by row */
    bool ascii;        /* only ASCII may be drawn */
};

/* Blank; finish frees it. */
void cells_init(struct cells *grid, int rows, int columns, bool ascii);
void cells_finish(struct cells *grid);
void cells_resize(struct cells *grid, int rows, int columns); /* clears */
/* Blank again, of the same size. */
void cells_clear(struct cells *grid);
struct cell *cells_at(struct cells *grid, int row, int column); /* NULL outside */

/* A rectangle that a view may draw in; clipped to the grid. */
struct area {
    struct cells *grid;
    int row, column, rows, columns;
};
/* The whole grid; a part of an area, clipped to it. */
struct area area_of(struct cells *grid);
struct area area_sub(struct area area, int row, int column, int rows, int columns);

/* Our own text (UTF-8 with known glyphs); returns the column behind it. In ascii grids each glyph
 * is drawn as its twin of the same width. */
int cells_ours(struct area area, int row, int column, enum style style, const char *text);
int cells_oursf(struct area area, int row, int column, enum style style, const char *format, ...)
    ATTR_PRINTF(5, 6);
/* The same over as many rows as it takes, broken between words; gives how many. */
int cells_wrapped(struct area area, int row, int column, enum style style, const char *text);
/* The ASCII twin of one of our glyphs; "?" where it has none (a test forbids that). */
const char *cells_twin(struct span glyph);
/* Text from data, made safe, cut to at most `columns` (in the middle with …); marks in their own
 * style. */
int cells_data(struct area area, int row, int column, enum style style, struct span text,
               int columns);
/* The same, cut at the end. */
int cells_data_start(struct area area, int row, int column, enum style style, struct span text,
                     int columns);
void cells_fill(struct area area, int row, int column, int columns, enum style style,
                const char *glyph);
/* Sets the style of a run, or makes it part of the selection, without touching the text. */
void cells_restyle(struct area area, int row, int column, int columns, enum style style);
void cells_select(struct area area, int row, int column, int columns);

/* Lights every place in the area's rows where the needle stands (without case, ASCII letters). */
void cells_light(struct area area, struct span needle);

/* The grid as plain text, a line a row, trailing blanks cut: for goldens, --plain, :save-screen. */
void cells_text(const struct cells *grid, struct buf *out);
/* The same with a second block that names each cell's style by a letter. */
void cells_text_styled(const struct cells *grid, struct buf *out);

#endif
