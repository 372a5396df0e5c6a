/*
 * A model is given all that came before, again and again: of what it was given only that is told
 * which is new.
 */
#ifndef STRANDLINE_INGEST_REPEATS_H
#define STRANDLINE_INGEST_REPEATS_H

#include "ingest/names.h"
#include "ingest/outlet.h"

/* Zero-initialised is valid and empty. */
struct repeats {
    struct names said;  /* how often a text was told, by session */
    struct names given; /* the same, in the input that is read just now */
};

void repeats_finish(struct repeats *repeats);
/* Drops, of the records from `first` on, those that repeat what was told. `input`: they are of what
 * a model was given, else of what it answered. Calls and results are known by their ids. */
void repeats_drop(struct repeats *repeats, struct outlet *out, size_t first, bool input);

#endif
