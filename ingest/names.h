/* A set of strings that remembers a number with each: servers, sessions, tools. Copies are kept. */
#ifndef STRANDLINE_INGEST_NAMES_H
#define STRANDLINE_INGEST_NAMES_H

#include <stdint.h>

#include "base/mem.h"
#include "base/span.h"

struct name_slot {
    uint64_t hash;
    struct span name;
    int64_t value;
    bool used;
};

/* Zero-initialised is valid and empty. */
struct names {
    struct arena arena;
    struct name_slot *slots;
    size_t count, room;
};

/* Frees it and leaves it empty. */
void names_finish(struct names *names);
/* Where the number of that name is kept; 0 when the name is new. Valid until the next call. */
int64_t *names_at(struct names *names, struct span name);

#endif
