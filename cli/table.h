/*
 * The one table printer: aligned columns, no tabs, data made safe, streaming.
 * Widths are settled by the first rows and grow when a later row needs it; the
 * last column takes what is left of the terminal. Where that is little, columns
 * are left out and the widest of the others give way; what has too little room is
 * cut with … (nothing of it when the output is piped).
 */
#ifndef STRANDLINE_CLI_TABLE_H
#define STRANDLINE_CLI_TABLE_H

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"

enum table_align { TABLE_LEFT, TABLE_RIGHT };

enum tint { TINT_PLAIN, TINT_DIM, TINT_GOOD, TINT_WARN, TINT_BAD, TINT_STRONG };

struct table_column {
    const char *title;
    enum table_align align;
    int most; /* columns at most; 0: no bound */
    int goes; /* in a narrow terminal the highest is left out first, which is said; 0: never */
};

enum { TABLE_WRAPS = -1 };   /* for `most` of the last column: broken at blanks instead of cut */
enum { TABLE_COLUMNS = 64 }; /* more are not shown */

struct table;
/* `columns` of the terminal; 0 when piped. */
struct table *table_create(FILE *to, const struct table_column *columns, size_t count, int width,
                           bool colour);
/* Cells of the current row, from the left. */
void table_data(struct table *t, struct span data); /* made safe */
void table_text(struct table *t, const char *ours);
void table_tinted(struct table *t, enum tint tint, const char *ours);
void table_number(struct table *t, long long value);
void table_number_or(struct table *t, long long value, bool present, const char *otherwise);
void table_row(struct table *t);    /* ends the row */
void table_finish(struct table *t); /* prints what is held, frees */

/* Escape sequence for a tint, "" without colour. */
const char *tint_begin(enum tint tint, bool colour);
const char *tint_end(bool colour);

#endif
