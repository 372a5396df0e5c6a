/*
 * Requests and calls that wait for their answer. Bounded: beyond so many the
 * oldest is given up (it stays unanswered). Keys are kept as hashes of 128
 * bits under a secret of this run, so that ids of any length cost the same and
 * nobody can make two of them meet.
 */
#ifndef STRANDLINE_INGEST_PENDING_H
#define STRANDLINE_INGEST_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum {
    PENDING_MAX = 1 << 18,   /* a file may hold nothing but requests */
    PENDING_CALLS = 1 << 15, /* of a transcript: they stay, as it may tell one twice */
    PENDING_NAME = 80
};

struct pending {
    int64_t event, step; /* of the request; step 0: it was none */
    int64_t server;
    int64_t result;  /* step of its answer, in transcripts that tell a call twice; 0: none yet */
    int64_t twin;    /* step of its answer in another source; 0: none */
    bool twin_shown; /* that source is a transcript: it holds no claims */
    bool server_side, result_server_side; /* as the server saw it, or as the model was shown it */
    int method;                           /* as its owner counts them */
    int decision;                         /* enum decision: of one that came before its call */
    int sender;
    char name[PENDING_NAME]; /* tool, URI, prompt; cut */
    uint32_t name_len;
    char *long_name; /* where it is longer; owned */
    /* private: */
    uint64_t key[2];
    uint32_t next, older, newer;
};

struct pendings;

/* Of at most `most`: then the one that waits longest is given up. Never NULL; the caller's. */
struct pendings *pendings_create(uint32_t most);
void pendings_destroy(struct pendings *p); /* NULL is fine */

/* Adds under a key; one that waits under it already is given up (*displaced tells). Valid until the
 * next change. */
struct pending *pendings_add(struct pendings *p, char sender, struct span id, bool *displaced);
/* NULL where none waits. */
struct pending *pendings_find(struct pendings *p, char sender, struct span id);
/* It waits no more, and is not to be used again. */
void pendings_remove(struct pendings *p, struct pending *one);

/* The name of what was asked for; copied. */
void pending_set_name(struct pending *one, struct span name);
struct span pending_name(const struct pending *one);

#endif
