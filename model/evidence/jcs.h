/*
 * RFC 8785, the JSON Canonicalization Scheme: raw JSON text in, canonical bytes
 * out, or the position and the reason why the text may not be hashed.
 *
 * What is refused is what I-JSON (RFC 7493) forbids: duplicate names (compared
 * as decoded), lone surrogates, invalid UTF-8, numbers beyond a double, bytes
 * behind the value. Iterative; memory in proportion to the text; time n log n
 * in the worst case.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_JCS_H
#define STRANDLINE_MODEL_EVIDENCE_JCS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/jsonr.h"
#include "base/span.h"

/* What is allowed and yet makes producers differ; id, what is said of it */
#define JCS_NOTES(X)                                                                               \
    X(BIG_INTEGER, "an integer beyond 2^53 is written as the nearest double")                      \
    X(UNDERFLOW, "a number too small for a double becomes 0")                                      \
    X(NEGATIVE_ZERO, "-0 becomes 0")                                                               \
    X(NUMBER_FORM, "a number is written another way than RFC 8785 writes it")                      \
    X(ESCAPES, "a string is escaped another way than RFC 8785 escapes it")                         \
    X(NAME_ORDER, "names are in another order than UTF-16 code units give")                        \
    X(ASTRAL_NAMES, "names sort otherwise by code point than by UTF-16 code unit")

enum jcs_note {
#define X(id, text) JCS_NOTE_##id,
    JCS_NOTES(X)
#undef X
        JCS_NOTE_COUNT
};

/* Ours, for people. */
const char *jcs_note_text(enum jcs_note note);

/* What became of a text. */
struct jcs_report {
    bool ok;
    enum jsonr_fault fault; /* JSONR_OK with ok false: a number beyond a double */
    size_t at;              /* byte offset of the fault */
    const char *why;        /* "a duplicate name"; "" when ok */
    struct {
        size_t count, first; /* how often, and the byte offset of the first */
    } note[JCS_NOTE_COUNT];
};

enum jcs_change_kind {
    JCS_SPACE,  /* white space dropped */
    JCS_NUMBER, /* a number written anew */
    JCS_STRING, /* a string or a name escaped anew */
    JCS_MOVED,  /* a member that changed places; the range is name to end of value */
    JCS_CHANGE_KINDS
};

/* One thing that canonicalization changed, by byte ranges of text and result. */
struct jcs_change {
    enum jcs_change_kind kind;
    size_t in, in_len, out, out_len;
};

struct jcs_changes {
    struct jcs_change *at; /* in the order of the text */
    size_t count, size;
};

/* Frees it and leaves it empty. */
void jcs_changes_finish(struct jcs_changes *changes);

/* The scratch memory of a canonicalizer; one for many texts, one for each thread. */
struct jcs;
struct jcs *jcs_create(void);
void jcs_destroy(struct jcs *jcs);

/* Appends the canonical form of `text` to out. False where it may not be hashed: `report` says
 * where and why, and out is as it was. */
bool jcs_canonicalize(struct jcs *jcs, struct span text, struct buf *out,
                      struct jcs_report *report);
/* The same, and every change is listed. `out` must be empty; offsets are those of text and out. */
bool jcs_explain(struct jcs *jcs, struct span text, struct buf *out, struct jcs_report *report,
                 struct jcs_changes *changes);
/* Turns a report that isn't ok into an error: "WHERE: byte N: WHY". Returns false. */
bool jcs_fail(const struct jcs_report *report, const char *where, struct err *err);

/* The order of RFC 8785 §3.2.3 of two decoded names in UTF-8: <0, 0, >0. */
int jcs_compare_names(struct span a, struct span b);

#endif
