/*
 * The steps of a session in order, each with what replay wants of it: claims,
 * evidence with what its record said, hints, the other half of a call. A
 * million steps pass in well under a second, since the rows that hang on steps
 * are read along with them and not looked up one by one.
 *
 * Inside the room only.
 */
#ifndef STRANDLINE_MODEL_QUERY_STREAM_H
#define STRANDLINE_MODEL_QUERY_STREAM_H

#include "model/case/case.h"
#include "model/flow/replay.h"

enum {
    STREAM_CLAIMS = 1,  /* claims and evidence */
    STREAM_RESULTS = 2, /* result_n of calls: a look-up each */
};

struct stream;
/* Steps from number `from` on. */
struct stream *stream_open(struct case_file *c, int64_t session, int64_t from, unsigned want,
                           struct err *err);
void stream_close(struct stream *s); /* NULL is fine */

/* What the stream gives of a step. All spans are valid until the next one. */
struct streamed {
    struct step step;
    struct replay_input input; /* no bodies and no child's label: those are the caller's to add */
    struct span file;          /* path of the source */
    int64_t call;              /* row of a result's call; 0: none */
    int64_t definition;        /* row of a call's definition; 0: none seen */
    int64_t child;             /* the sub-agent whose answer a result is; 0: none */
};
/* 1: the next step; 0: no more; -1: error. */
int stream_next(struct stream *s, struct streamed *out, struct err *err);
/* Goes back or forward: the next step will be `from`. */
bool stream_seek(struct stream *s, int64_t from, struct err *err);

/* The extent of a step's body, by its row; the recipe lives in the arena. False: error or no such
 * row. */
bool stream_body_of(struct case_file *c, int64_t step, struct arena *arena, struct extent *body,
                    struct err *err);

#endif
