/*
 * Credentials in text: shapes of well-known tokens, PEM private keys, JSON web
 * tokens, passwords in URLs, and values that are assigned to a name such as
 * "password" or "api_key" and look random. Never shown whole: see secret_mask.
 */
#ifndef STRANDLINE_MODEL_TRACE_SECRET_H
#define STRANDLINE_MODEL_TRACE_SECRET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/span.h"

struct secret {
    const char *kind;        /* ours: "a GitHub token", "a private key", "a password" */
    bool certain;            /* its shape alone says what it is; else its name and its randomness */
    uint64_t offset, length; /* in the text given */
};

/* All of them, in order, not overlapping. Text as written; JSON escapes may be in it. Linear in the
 * text, in time and in memory: one has at least a dozen bytes. */
void secrets_find(struct span text, struct arena *arena, struct secret **secrets, size_t *count);
/* Is this the value of a member of that (decoded) name, and would be found if the two stood
 * together in a text? For values that were taken out of their JSON. */
bool secret_named(struct span name, struct span value, struct secret *secret);
/* Appends its first and last characters with … between: at most four of each, and never more than
 * a third of it; of a PEM block its first line. Enough to recognise it, not to use it. Show it
 * through base/text.h all the same. */
void secret_mask(struct buf *out, struct span secret);
/* Appends bytes from … to of a text, and masks what of its secrets stands in them: found in the
 * whole text, so that a cut can't hide half of one. */
void secrets_mask_in(struct buf *out, struct span text, size_t from, size_t to,
                     const struct secret *secrets, size_t count);
/* The whole text with its secrets masked. */
void secrets_mask(struct buf *out, struct span text);

#endif
