/*
 * Lines for a person: broken at blanks where the terminal is narrower than they are. Piped (width
 * 0) they stay as they are, so that one line is one thing for grep.
 */
#ifndef STRANDLINE_CLI_WRAP_H
#define STRANDLINE_CLI_WRAP_H

#include <stdio.h>

#include "base/span.h"

/* Of the terminal that is written to; 0 where it is none. */
int terminal_columns(FILE *to);
/* Text that begins at `column`; what does not fit goes on below, from column `hang`. Escapes of
 * colours take no room. */
void wrap_text(FILE *to, int width, size_t hang, size_t column, struct span text);
/* A line, and its end. */
void wrap_line(FILE *to, int width, size_t hang, struct span line);
/* Text of many lines: those of a paragraph are joined and broken anew; headings, items of a list
 * and what is indented stay lines of their own. */
void wrap_prose(FILE *to, int width, struct span text);

#endif
