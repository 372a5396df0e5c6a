/* How a verdict on evidence came about, shown as steps: record, canonical bytes, digest, compare,
 * diagnosis. */
#ifndef STRANDLINE_TUI_DERIVATION_H
#define STRANDLINE_TUI_DERIVATION_H

#include "model/query/query.h"
#include "tui/doc.h"

/* Adds the steps; `columns` is how wide they will be shown. */
void derivation_add(struct doc *doc, const struct evidence_view *e, const struct derivation *d,
                    int columns);

#endif
