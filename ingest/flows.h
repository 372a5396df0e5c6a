/*
 * TCP streams out of captured segments (RFC 9293): bytes in order, each once,
 * with what came late put where it belongs, and what was never captured told
 * as a gap. Bounded: so many connections, and so many segments that wait for
 * an earlier one; the longest unheard of ends first.
 *
 * Every byte of a payload that is new is held (outlet_hold) and then given to
 * `bytes` once, whose owner settles it; repeated ones are noise.
 */
#ifndef STRANDLINE_INGEST_FLOWS_H
#define STRANDLINE_INGEST_FLOWS_H

#include "ingest/segments.h"

struct outlet;
struct flows;

/* Where and when bytes of a stream were captured. */
struct flow_mark {
    uint64_t offset; /* in the source */
    int64_t time_ns;
    bool timed;
};

struct flow_user {
    /* A connection between two endpoints; the first sent what was seen first. What is returned is
     * given to the others. */
    void *(*begin)(void *arg, const struct endpoint ends[2]);
    /* The next bytes that ends[side] sent. */
    void (*bytes)(void *talk, int side, struct span bytes, const struct flow_mark *mark,
                  struct outlet *out);
    /* `missing` bytes of that side are not in the capture. */
    void (*gap)(void *talk, int side, uint64_t missing, const struct flow_mark *mark,
                struct outlet *out);
    /* It sends nothing more. */
    void (*finished)(void *talk, int side, struct outlet *out);
    /* Both ends are done, or it is given up; frees it. */
    void (*end)(void *talk, struct outlet *out);
};

/* `arg` goes to each call of `user`. */
struct flows *flows_create(const struct flow_user *user, void *arg);
void flows_destroy(struct flows *f, struct outlet *out); /* ends all; NULL is fine */
/* A segment; `mark` is of its payload. */
void flows_put(struct flows *f, const struct segment *segment, const struct flow_mark *mark,
               struct outlet *out);
/* Ends the connection that was silent for longest; false where there is none left. */
bool flows_end_oldest(struct flows *f, struct outlet *out);

#endif
