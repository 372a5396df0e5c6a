/* What the files of the small model share. */
#ifndef STRANDLINE_TESTS_UNIT_FAKE_INTERNAL_H
#define STRANDLINE_TESTS_UNIT_FAKE_INTERNAL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/case/source.h"
#include "model/query/account.h"
#include "model/query/diff.h"
#include "model/query/elsewhere.h"
#include "model/query/notes.h"
#include "model/query/tools.h"
#include "model/query/whatif.h"
#include "tests/unit/fake_review.h"

/* ESC, C1, bidi, zero width, tags, a combining run, wide, invalid bytes, a filler. */
#define EVIL                                                                                       \
    "\x1b[31m\x1b]0;t\a\xc2\x9b\xe2\x80\xae"                                                       \
    "abc\xe2\x80\x8b\xf3\xa0\x81\xa1\xf3\xa0\x81\xa2"                                              \
    "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xe6\xbc\xa2\xff\xc3\x28\xe3\x85\xa4\r\b\x7f"

struct review {
    const struct fake_session *session;
    struct label_pool *pool;
    set_id marker;
    int64_t first_untrusted, first_private;
    struct reason reasons[2];
};

extern const struct fake_session *fake_sessions; /* in use */
extern size_t fake_session_count;

int64_t fake_steps_of(const struct fake_session *s);
/* Step n, from 1, of a session whose steps may be repeated. */
const struct fake_step *fake_step_at(const struct fake_session *s, int64_t n);
/* The context's label behind step n. */
struct label fake_label_at(struct review *r, int64_t n);
void fake_forget(void); /* notes, marks and state */

#endif
