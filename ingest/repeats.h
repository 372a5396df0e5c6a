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

/* Frees it and leaves it empty. */
void repeats_finish(struct repeats *repeats);
/* Drops, of the records from `first` on, those that repeat what was told. `input`: they are of what
 * a model was given, else of what it answered. Calls and results are known by their ids. */
void repeats_drop(struct repeats *repeats, struct outlet *out, size_t first, bool input);

/*
 * Calls that a model asked for, until the log tells that they were made, in a record of its own.
 * They are known by their ids, or, where that record has none, by their tools.
 */
enum { ASKED_MOST = 64, ASKED_SIZE = 128 };

struct asked_call {
    char name[ASKED_SIZE], id[ASKED_SIZE];
    size_t name_len, id_len; /* id_len 0: this place is free */
};

struct asked {
    struct asked_call calls[ASKED_MOST]; /* the last ones */
    size_t next;
};

/* A model answered; the records are from `first` on. */
void asked_note(struct asked *asked, const struct outlet *out, size_t first);
/* Was the call asked for? Then it gets that id. */
bool asked_take(struct asked *asked, struct record *call, struct arena *arena);

#endif
