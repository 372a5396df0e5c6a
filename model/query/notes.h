/*
 * What the reviewer adds to a case: notes, marks, and where they were. With
 * the sources it is the part of a case that can't be rebuilt.
 */
#ifndef STRANDLINE_MODEL_QUERY_NOTES_H
#define STRANDLINE_MODEL_QUERY_NOTES_H

#include <stdint.h>

#include "base/mem.h"
#include "model/case/case.h"

struct note_view {
    int64_t id, session;
    int64_t n; /* step, 0: of the session */
    char mark; /* a letter, 0: a note with text */
    struct span text, created_at;
};

/* Notes and marks in order of sessions and steps: of one step, with n 0 of a session, and with
 * session 0 of the case. Strings in the arena. */
bool notes_list(struct case_file *c, int64_t session, int64_t n, struct arena *arena,
                struct note_view **out, size_t *count, struct err *err);
bool note_add(struct case_file *c, int64_t session, int64_t n, struct span text, struct err *err);
/* Another text; it counts as written now. */
bool note_change(struct case_file *c, int64_t id, struct span text, struct err *err);
bool note_delete(struct case_file *c, int64_t id, struct err *err);

/* A mark is a letter that names one step of the session; setting it again moves it. */
bool mark_set(struct case_file *c, int64_t session, char letter, int64_t n, struct err *err);
bool mark_find(struct case_file *c, int64_t session, char letter, int64_t *n,
               struct err *err); /* n 0: none */

/* Where the reviewer was: small texts under a key ("step:3", "filter:3"). Absent: empty. */
bool state_save(struct case_file *c, const char *key, struct span value, struct err *err);
bool state_load(struct case_file *c, const char *key, struct arena *arena, struct span *value,
                struct err *err);

#endif
