/*
 * The texts in a body: every string of its JSON, decoded, with the pointer to
 * it; or the body itself where it is no JSON.
 */
#ifndef STRANDLINE_MODEL_FINDINGS_STRINGS_H
#define STRANDLINE_MODEL_FINDINGS_STRINGS_H

#include "base/buf.h"
#include "base/mem.h"

struct string_at {
    struct span pointer; /* RFC 6901; empty: the body itself */
    struct span text;    /* decoded */
    size_t offset;       /* of the text in `bytes` */
    size_t at, len;      /* where it stands in the body, as written */
};

struct strings {
    struct string_at *items;
    size_t count, size;
    struct buf bytes; /* what the texts point into */
};

enum { STRINGS_MAX = 20000 };

/* Reads at most STRINGS_MAX of them; pointers live in the arena. Cut JSON gives what stands before
 * the cut. */
void strings_read(struct strings *strings, struct span body, struct arena *arena);
void strings_finish(struct strings *strings);

#endif
