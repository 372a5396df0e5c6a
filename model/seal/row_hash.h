/*
 * Rows of a case as bytes that can be hashed, so that a seal covers what the
 * tables say. docs/evidence.md describes the encoding for those who want to
 * check a seal with a tool of their own.
 */
#ifndef STRANDLINE_MODEL_SEAL_ROW_HASH_H
#define STRANDLINE_MODEL_SEAL_ROW_HASH_H

#include "model/case/db.h"
#include "model/evidence/digest.h"

/*
 * Adds the current row: for each column a letter and its value. N: NULL; I: an
 * integer, 8 bytes, most significant first; T, B: text or blob, its length in 8
 * such bytes, then its bytes. (The case has no reals.)
 */
void row_hash(struct hasher *hasher, struct stmt *row);

#endif
