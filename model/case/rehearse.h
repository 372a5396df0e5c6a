/*
 * A source told once more: its file has grown, and whoever goes on with it has
 * to know what waits in the part that the case has. While a rehearsal is on,
 * the functions of store.h write nothing about the source: they give back the
 * rows that it made the first time, in the same order, and fail where what is
 * told now is something else.
 */
#ifndef STRANDLINE_MODEL_CASE_REHEARSE_H
#define STRANDLINE_MODEL_CASE_REHEARSE_H

#include "model/case/case.h"

/* Of the source, from its first row on. False, err filled, where its rows can't be read. */
bool rehearse_begin(struct case_file *c, int64_t source, struct err *err);
/* Everything has been told again. False, with err filled, where rows are left over. */
bool rehearse_end(struct case_file *c, struct err *err);
void rehearse_drop(struct case_file *c); /* without that check; fine where none is on */
bool rehearse_is_on(const struct case_file *c);

/* The session of the source's first event; 0: it has none. */
int64_t rehearse_session(const struct case_file *c);
/*
 * The call of another source that this event was found to be one more recording of: `offset` is
 * that of its arguments. 0: it was none. *result is that call's first result there, 0 for none;
 * *shown tells whether that source is a transcript. -1 on an error.
 */
int64_t rehearse_merged(struct case_file *c, int64_t event, uint64_t offset, int64_t *result,
                        bool *shown, struct err *err);

/* Is there a step that has not been told again? */
bool rehearse_has_step(struct case_file *c);

/* For store.c: the next row of its kind. 0, with err filled, where it is another one. */
int64_t rehearse_event(struct case_file *c, uint64_t offset, struct err *err);
int64_t rehearse_step(struct case_file *c, int64_t event, const char *kind, struct err *err);
int64_t rehearse_connection(struct case_file *c, struct err *err);
int64_t rehearse_definition(struct case_file *c, struct err *err);

#endif
