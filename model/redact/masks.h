/*
 * What is to be taken out of texts, found in bytes as they were recorded:
 * credentials (model/trace/secret.h), and words that a person named: as they
 * are and in any case of ASCII's letters, with any escapes of JSON (also in JSON in JSON) or of an
 * address, in UTF-16, and inside of base64.
 */
#ifndef STRANDLINE_MODEL_REDACT_MASKS_H
#define STRANDLINE_MODEL_REDACT_MASKS_H

#include <stdint.h>

#include "base/mem.h"
#include "base/span.h"

struct masks;

struct mask_hit {
    uint64_t offset, length; /* in the text given */
    const char *what;        /* "a GitHub token", "a text that was named" */
};

/* `secrets`: credentials are to go too. Never NULL; the caller's. */
struct masks *masks_create(bool secrets);
void masks_destroy(struct masks *masks); /* NULL is fine */
/* A word is at least MASK_WORD_LEAST bytes long: shorter ones would take out half of the log. And
 * at most MASK_WORD_MOST, so that it is surely found however it is spelt. */
enum {
    MASK_WORD_LEAST = 3,
    MASK_WORD_MOST = 1024,
    MASK_LONGEST = 64 * 1024 /* bytes of one hit that are surely found */
};
/* A word that is to go; copied. */
void masks_add(struct masks *masks, struct span word);

/* All that is to go, in order, not overlapping, in the arena. */
void masks_find(const struct masks *masks, struct span text, struct arena *arena,
                struct mask_hit **hits, size_t *count);

/* The words alone: for texts such as a digest, which look like a credential and are none. */
void masks_find_words(const struct masks *masks, struct span text, struct arena *arena,
                      struct mask_hit **hits, size_t *count);

/* Writes over the bytes, so that what is around them means the same: JSON stays JSON. Digits
 * alone become digits. */
void mask_over(char *bytes, size_t length);

#endif
