/*
 * Members of an object by name, all in one pass. Readers know the few names
 * that their format has; everything else is passed over.
 */
#ifndef STRANDLINE_INGEST_PICK_H
#define STRANDLINE_INGEST_PICK_H

#include "base/jsonr.h"
#include "base/mem.h"
#include "base/span.h"
#include "ingest/reader.h"

struct pick_fault {
    enum jsonr_fault fault; /* JSONR_OK: valid JSON, but no object */
    size_t at;
};

/* `text` must be one JSON object and is validated. values[i] becomes the raw value of names[i]
 * (the last of duplicates), at == NULL where there is none. */
bool pick_valid(struct span text, const char *const *names, struct span *values, size_t count,
                struct pick_fault *fault);
/* The same for an object that has been validated; all absent where it is no object. */
void pick(struct span object, const char *const *names, struct span *values, size_t count);

/* A unit that should be one JSON object: false where it is blank, or, said to the outlet,
 * unreadable. */
bool pick_unit(const struct unit *unit, struct outlet *out, const char *const *names,
               struct span *values, size_t count);

/* Text of a JSON string: inside the literal where it has no escapes, else in the arena; empty for
 * anything that is no string. */
struct span pick_string(struct span value, struct arena *arena);
bool pick_true(struct span value);
/* A time, in a string or a number of any unit; the record keeps what it has where it is none. */
void pick_time(struct span value, struct record *record);

#endif
