/*
 * JSON that was cut off somewhere, closed where it was cut, so that its start
 * can be shown as a tree. For showing only: what is shown says that it is cut.
 */
#ifndef STRANDLINE_TUI_MEND_H
#define STRANDLINE_TUI_MEND_H

#include "base/buf.h"

/* False where text is not the start of one JSON value, or too deep to be worth it. */
bool json_mend(struct span text, struct buf *out);

#endif
