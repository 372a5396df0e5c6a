/*
 * Unicode Normalization Form C (UAX #15), for one purpose: to tell a producer
 * that it normalized what RFC 8785 leaves alone. Inside the room only.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_NFC_H
#define STRANDLINE_MODEL_EVIDENCE_NFC_H

#include "base/buf.h"
#include "base/span.h"

/* Appends valid UTF-8 `text` in NFC. */
void nfc_normalize(struct span text, struct buf *out);

#endif
