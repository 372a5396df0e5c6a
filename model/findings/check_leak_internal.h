/* What the checks of text that left share: the items that were kept, and what a hit is worth. */
#ifndef STRANDLINE_MODEL_FINDINGS_CHECK_LEAK_INTERNAL_H
#define STRANDLINE_MODEL_FINDINGS_CHECK_LEAK_INTERNAL_H

#include "model/findings/check_internal.h"
#include "model/trace/trace.h"

/* What an item is, as the tag of its text. */
enum { TAG_PRIVATE = 1, TAG_UNTRUSTED = 2, TAG_DEFINITION = 4 };

struct leaks {
    struct trace *trace;
    bool any_prompt, tainted, cap_told;
    struct check_leak_pending *pending; /* see check_leak.c */
    size_t pending_count, pending_size;
    bool behind; /* they are wanted before the next step */
    struct buf text;
};

/* Reads what was put off, now. */
void check_leak_catch_up_now(const struct look *look);

/* ---- what a hit is worth: check_leak_hit.c ---- */

bool leak_from_user(const struct trace_hit *hit);
/* Letters and digits: blanks and punctuation make no passage. */
size_t leak_letters_in(struct span written);
bool leak_is_mail_address(struct span written);
/* Is it no coincidence: a passage, a code word or a key? */
bool leak_is_telling(const struct trace_hit *hit, struct span written);
/* A call that was refused, or failed, let less out. */
int leak_severity(const struct look *look);

/* ---- passages: check_leak_passage.c ---- */

/* Does a call take something out? By its role, by its own hint, or by what it really does. */
bool leak_lets_out(const struct look *look);
/* EX01 and EX04: passages in the arguments. */
void leak_search_call(struct look *look);
/* EX02: only the addresses of an answer leave; the rest of it is for the user. */
void leak_search_answer(struct look *look);
/* What a tail says where the signs between its words are blanks, which a URL doesn't have:
 * the+board+meets, the-board-meets. As long as the tail, so that places are the same. */
void leak_match_spaced(struct trace *trace, struct span tail, struct arena *arena,
                       struct trace_found *found);

/* ---- destinations: check_leak_destination.c ---- */

/* EX03: where a call goes, and only a stranger said so. */
void leak_search_destinations(struct look *look);
/* The one item that a whole address stands in: a part of an address may be anybody's. A number that
 * is written in groups comes as several hits side by side. NULL where there is none, or where the
 * user said it too. */
const struct trace_hit *leak_origin_of(const struct trace_found *found, struct span name);
/* An address with @, a number to call, an account. */
bool leak_is_address(struct span text);

#endif
