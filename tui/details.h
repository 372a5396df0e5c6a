/* The details of one step as a document: the pane beside or below the flow. */
#ifndef STRANDLINE_TUI_DETAILS_H
#define STRANDLINE_TUI_DETAILS_H

#include "tui/core.h"
#include "tui/doc.h"

#define DETAIL_TABS(X)                                                                             \
    X(REQUEST, "Request")                                                                          \
    X(RESULT, "Result") X(LABEL, "Label") X(EVIDENCE, "Evidence") X(RAW, "Raw") X(NOTES, "Notes")

enum detail_tab {
#define X(id, title) DETAIL_##id,
    DETAIL_TABS(X)
#undef X
        DETAIL_TAB_COUNT
};
/* Ours, as it stands on the tab. */
const char *detail_tab_title(enum detail_tab tab);

struct details {
    struct doc doc;      /* of the tab */
    struct doc sentence; /* what happened here, in plain words */
    struct doc_view view;
    enum detail_tab tab;
    bool picked; /* the tab was chosen by hand: it stays when the step changes */
    bool large;  /* long bodies are wanted whole, as far as it goes: details_rest */
    /* what is in the documents now: */
    int64_t n, notes_version;
    enum detail_tab loaded_tab;
    bool loaded_large;
    int64_t review; /* x->reviews at that time */
};

/* Empty, with the first tab; finish frees the documents. */
void details_init(struct details *d);
void details_finish(struct details *d);
/* Fills the documents for step n (true), or keeps them when they are of this step already. Of a
 * long body that is its start. */
bool details_load(struct details *d, struct explorer *x, int64_t n);
/* Reads the rest of it where that is wanted and not there yet; the cursor stays where it is, and on
 * the last line it goes with it. A moment for 16 MB, which a key ends, where `until_key` is set:
 * then it is as it was before. */
void details_rest(struct details *d, struct explorer *x, bool until_key);

/* One evidence reference: what the verdict on it is and why (without `whole` only the start of
 * that), and what it says itself. */
void details_add_verdict(struct doc *doc, const struct evidence_view *e, bool whole);
void details_add_reference(struct doc *doc, const struct evidence_view *e);

#endif
