/*
 * Credentials in text: shapes of well-known tokens, PEM private keys, values
 * that are assigned to a name such as "password" or "api_key" and look random,
 * and keys in connection strings. Never shown whole: see secret_mask.
 */
#ifndef STRANDLINE_MODEL_SECRET_H
#define STRANDLINE_MODEL_SECRET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/span.h"

struct secret {
    const char *kind;        /* ours: "GitHub token", "private key (PEM)", "password" */
    bool certain;            /* its shape alone says what it is; else name and randomness */
    uint64_t offset, length; /* in the text given */
};

enum { SECRET_MAX = 1000 }; /* of one text */

/* In order, not overlapping. Text as written; JSON escapes may be in it. One pass. */
void secrets_find(struct span text, struct arena *arena, struct secret **secrets, size_t *count,
                  bool *capped);
/* Appends the first and last characters with … between, at most four of each and never more than a
 * third of it: enough to recognise it, not to use it. */
void secret_mask(struct buf *out, struct span secret);

#endif
