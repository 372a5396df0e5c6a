/* The bytes that a statement rests on, lit inside of the text around them. */
#ifndef STRANDLINE_TUI_EXCERPT_H
#define STRANDLINE_TUI_EXCERPT_H

#include "tui/core.h"
#include "tui/doc.h"

/* Adds one line at `indent`: bytes offset … offset+length of the body of step n, with what stands
 * beside them. Adds nothing where the body has no such bytes. */
void excerpt_add(struct doc *doc, struct explorer *x, int64_t n, uint64_t offset, uint64_t length,
                 int indent);

/* The same on the open line; false where the body has no such bytes. */
bool excerpt_here(struct doc *doc, struct explorer *x, int64_t n, uint64_t offset, uint64_t length);

/* The bytes of the claim that a link of a path rests on, on the open line. False, and nothing is
 * added, where they are in no text that is kept of its step. */
bool excerpt_claim(struct doc *doc, struct explorer *x, const struct cause_link *link);

/* Who, what, and the start of the text of a step, on the open line. */
void excerpt_step(struct doc *doc, struct explorer *x, int64_t n);

/* Two lines, one of each text, with the part lit that the other one does not have. */
void excerpt_differ(struct doc *doc, struct span a, struct span b);

#endif
