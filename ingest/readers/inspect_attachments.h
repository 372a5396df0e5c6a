/*
 * Inspect writes long texts once, in the "attachments" of a sample, and in their place
 * "attachment://" and a hash (inspect_ai.log, condense_sample).
 */
#ifndef STRANDLINE_INGEST_READERS_INSPECT_ATTACHMENTS_H
#define STRANDLINE_INGEST_READERS_INSPECT_ATTACHMENTS_H

#include "ingest/outlet.h"

/* Puts the attachments, an object in the unit, where the records' payloads name them. */
void inspect_attach(struct outlet *out, const struct unit *unit, struct span attachments);

#endif
