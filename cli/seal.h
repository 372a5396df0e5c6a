/* A seal, as `seal` and `verify` print it. */
#ifndef STRANDLINE_CLI_SEAL_H
#define STRANDLINE_CLI_SEAL_H

#include "cli/json.h"
#include "cli/subject.h"
#include "model/seal/seal.h"

/* Checks the case's seal (key may be NULL) and prints what came of it: a line and one for each part
 * that differs, or a member "seal" (null where there is none) of the object begun. */
bool seal_verify(struct case_file *c, const struct attest_key *key, const struct output *output,
                 struct json *json, enum seal_verdict *verdict, struct err *err);

#endif
