/* String literals as JavaScript prints them: console.log of an object (util.inspect). */
#ifndef STRANDLINE_BASE_JSLITERAL_H
#define STRANDLINE_BASE_JSLITERAL_H

#include "base/buf.h"

/* Bytes of the literal at the front, its quotes (' " `) counted; 0 where there is none that ends.
 */
size_t jsliteral_size(struct span text);
/* Adds what the literal spells to `out`. False where it is none, or has an escape of no meaning. */
bool jsliteral_text(struct span literal, struct buf *out);

#endif
