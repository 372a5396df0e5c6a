/*
 * The addresses that stood in what came in. An address that an answer shows,
 * or a tool fetches, and that stands word for word in an earlier item, tells
 * its host nothing but that it was followed; one that was put together here may
 * carry anything.
 */
#ifndef STRANDLINE_MODEL_FLOW_LINKS_H
#define STRANDLINE_MODEL_FLOW_LINKS_H

#include <stdint.h>

#include "base/span.h"

struct links;
/* Never NULL; the caller's. */
struct links *links_create(void);
void links_destroy(struct links *links); /* NULL is fine */

/* Takes note of the addresses in a text of step n, of a context that began at step `since`. `own`:
 * the model wrote it (arguments, answers), so that an address which is first seen there came from
 * nobody else. */
void links_note(struct links *links, int64_t n, int64_t since, struct span text, bool own);

/* Did all addresses in an answer stand in something that came in from `since` on and before step n?
 * False where it has none. */
bool links_all_known(const struct links *links, int64_t n, int64_t since, struct span text);
/* Is the only text in these arguments (JSON) such an address? */
bool links_call_follows(const struct links *links, int64_t n, int64_t since, struct span arguments);

#endif
