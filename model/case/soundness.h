/* Is the structure of a case file sound? SQLite's quick_check, at once or on a thread of its own.
 */
#ifndef STRANDLINE_MODEL_CASE_SOUNDNESS_H
#define STRANDLINE_MODEL_CASE_SOUNDNESS_H

#include "model/case/case.h"

/* Is a file of so many bytes checked in a moment? */
bool soundness_is_quick(uint64_t file_bytes);
/* Checks it here and now. */
bool soundness_of(struct db *db, uint64_t file_bytes, struct err *err);

struct soundness; /* a check of a large file that is on its way, or done */
void soundness_destroy(struct soundness *s); /* ends it within a moment; NULL is fine */

#endif
