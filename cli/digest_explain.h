/*
 * What canonicalization did to a record: as lines for a person, or as members
 * of the JSON object that is open.
 */
#ifndef STRANDLINE_CLI_DIGEST_EXPLAIN_H
#define STRANDLINE_CLI_DIGEST_EXPLAIN_H

#include "base/span.h"
#include "cli/json.h"
#include "model/evidence/jcs.h"
#include "model/evidence/record.h"

struct digest_explain {
    enum canonicalization canon;
    struct span record, canonical;
    bool is_json; /* the record is, rather than CBOR */
};

/* Prints what canonicalization changed, or the heads of the CBOR, on standard output. */
void digest_explain_text(const struct digest_explain *e, struct jcs *jcs);
/* The same as members of the open object. */
void digest_explain_json(const struct digest_explain *e, struct jcs *jcs, struct json *j);

#endif
