/*
 * Where else in the case does something of a step stand? Steps of other
 * sessions that hold text of it (as attribution finds text: exact, folded or
 * decoded), that rest on the same evidence digest, or that were given the same
 * definition of a tool. A whole case takes a while, so it goes in slices.
 */
#ifndef STRANDLINE_MODEL_QUERY_ELSEWHERE_H
#define STRANDLINE_MODEL_QUERY_ELSEWHERE_H

#include "model/query/query.h"

#define SIGHTINGS(X)                                                                               \
    X(DEFINITION, "definition") /* the same definition of a tool */                                \
    X(EVIDENCE, "evidence")     /* a reference to the same digest */                               \
    X(TEXT, "text")             /* a passage */                                                    \
    X(NAME, "name")             /* a host, an address, a path, an id, an amount */

enum sighting_kind {
#define X(id, word) SIGHTING_##id,
    SIGHTINGS(X)
#undef X
        SIGHTING_KIND_COUNT
};
/* The word in JSON. */
const char *sighting_word(enum sighting_kind kind);

struct sighting {
    enum sighting_kind kind;
    int64_t session, n;      /* the other session, and its step */
    struct span what;        /* the shared text as it stands there (its start), a digest, a tool */
    uint64_t offset, length; /* of a text or name: in that step's body */
    size_t more;             /* other things that the same step shares */
    size_t again;            /* of a name: later steps of that session with the same one */
    const char *how;         /* of a text or name: exact, folded, base64, …; else NULL */
};

enum { SIGHTINGS_MOST = 2000 };

struct elsewhere;
/* Of step n. NULL: err. The review must outlive it. */
struct elsewhere *elsewhere_begin(struct review *r, int64_t n, struct err *err);
void elsewhere_end(struct elsewhere *e); /* NULL is fine */
/* Looks at that many steps more. 1: there are more, 0: that was all, -1: error. */
int elsewhere_some(struct elsewhere *e, size_t steps, struct err *err);
/* What was seen so far, by session and step; valid until the next slice. */
const struct sighting *elsewhere_seen(const struct elsewhere *e, size_t *count);
/* Steps looked at, and how many there are in the other sessions. */
void elsewhere_progress(const struct elsewhere *e, int64_t *done, int64_t *total);
/* Is something missing: more than SIGHTINGS_MOST, or texts too long to be read whole? */
bool elsewhere_is_capped(const struct elsewhere *e);

#endif
