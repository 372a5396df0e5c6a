/* What the loop's own files share, and no view needs. */
#ifndef STRANDLINE_TUI_EXPLORER_INTERNAL_H
#define STRANDLINE_TUI_EXPLORER_INTERNAL_H

#include "tui/core.h"

/* acting.c */
bool needs_session(enum action action);
void awaited(struct explorer *x, struct key key);
/* command.c */
bool prompt_takes(struct explorer *x, struct key key); /* false: the explorer is to be left */
/* explorer.c */
void explorer_pop(struct explorer *x);
/* The step under the cursor, on whatever screen; a filter that hides it goes off. */
void explorer_select(struct explorer *x, int64_t n);

/* opening.c */

/* The open session under another policy, by its name; the place stays. */
void explorer_use_policy(struct explorer *x, struct span name);
/* Goes on with what is being opened, if anything is. True: it is to be gone on with. */
bool opening_try(struct explorer *x, struct slice *slice);
/* Gives up what is being opened. */
void opening_end(struct explorer *x);
/* The open session is left; its place is kept in the case. */
void opening_leave(struct explorer *x);
/* The findings have come. Nothing is denied, and yet something grave was found: that is what to
 * look at first. In a long session it comes when a person may be reading already, who is left where
 * they are. */
void opening_at_finding(struct explorer *x);
/* The open session once more, with its new steps. Whoever stands on the last one goes with them. */
void opening_take_new_steps(struct explorer *x);

#endif
