/*
 * The strict, byte-exact JSON reader (RFC 8259): evidence and logs go through
 * it and nothing else. A pull reader over a byte range: no recursion, no
 * allocation (but for nesting beyond JSONR_NEAR levels), no copying. Every value is known by its
 * byte range, numbers stay text, strings stay as written until they are asked for.
 *
 * Strict means: no BOM, valid UTF-8 only, no raw control characters in
 * strings, no lone surrogate escapes where `jsonr.i_json` is set, one value
 * and nothing behind it but white space. Nesting is bounded by JSONR_DEPTH.
 * Duplicate names are not the reader's business (it keeps no names): see
 * jsonr_duplicate().
 *
 *     struct jsonr r;
 *     jsonr_init(&r, text);
 *     while (jsonr_next(&r) > JSONR_END) …   r.token, r.value
 *     if (r.token == JSONR_ERROR) … r.fault, r.fault_at
 */
#ifndef STRANDLINE_BASE_JSONR_H
#define STRANDLINE_BASE_JSONR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/span.h"

enum {
    JSONR_DEPTH = 100000,
    JSONR_NEAR = 64, /* levels that need no memory */
};

enum jsonr_token {
    JSONR_ERROR = -1,
    JSONR_END = 0, /* the value is complete and only white space followed */
    JSONR_NULL,
    JSONR_FALSE,
    JSONR_TRUE,
    JSONR_NUMBER,     /* value: the number as written */
    JSONR_STRING,     /* value: between the quotes, escapes as written */
    JSONR_NAME,       /* a member's name; its value is the next token */
    JSONR_OBJECT,     /* value: '{' */
    JSONR_OBJECT_END, /* value: from '{' to '}' */
    JSONR_ARRAY,
    JSONR_ARRAY_END,
};

enum jsonr_fault {
    JSONR_OK,
    JSONR_EMPTY,    /* nothing but white space */
    JSONR_SYNTAX,   /* a byte that can't stand here */
    JSONR_CUT,      /* the text ends inside a value */
    JSONR_TRAILING, /* bytes behind the value */
    JSONR_BAD_NUMBER,
    JSONR_BAD_ESCAPE,
    JSONR_BAD_UTF8,
    JSONR_RAW_CONTROL,    /* an unescaped control character in a string */
    JSONR_LONE_SURROGATE, /* only with i_json */
    JSONR_DUPLICATE,      /* only from jsonr_duplicate */
    JSONR_TOO_DEEP,
    JSONR_BOM,
    JSONR_FAULTS
};

struct jsonr {
    const char *begin, *at, *end;
    enum jsonr_token token;
    struct span value; /* of the last token, inside the text given */
    size_t depth;      /* open objects and arrays */
    bool escaped;      /* the last string or name holds a backslash */
    bool i_json;       /* reject lone surrogates; set after init */
    enum jsonr_fault fault;
    size_t fault_at; /* byte offset from the start of the text */
    /* private: */
    int state;
    bool in_object;     /* what the innermost open value is */
    size_t *far_starts; /* where open values start: of the levels beyond the near ones */
    size_t far_size;
    size_t near_starts[JSONR_NEAR];
};

/* Begins at the start of the text, which must outlive the reader. Owns nothing until nesting is
 * deep. */
void jsonr_init(struct jsonr *r, struct span text);
/* Releases what nesting beyond JSONR_NEAR made it allocate. At JSONR_END and JSONR_ERROR that has
 * happened already; so it is for a reader that is given up half way. */
void jsonr_finish(struct jsonr *r);
/* The next token; *r tells of it. JSONR_END behind the value, JSONR_ERROR (fault, fault_at) at
 * what is no JSON (RFC 8259); both for good. */
enum jsonr_token jsonr_next(struct jsonr *r);
/* After a token that begins a value (scalar, OBJECT, ARRAY) or a NAME: to the end of that value.
 * *value (may be NULL) is its whole range, quotes included. Fast: validates all the same. */
bool jsonr_skip(struct jsonr *r, struct span *value);

/* Why and where, as our own words: "a raw control character in a string". */
const char *jsonr_fault_text(enum jsonr_fault fault);
/* Fills err with "byte N" (and line:column where the text has lines), what, and what to do. */
bool jsonr_fail(const struct jsonr *r, const char *where, struct err *err);

/* Is text one valid JSON value? Position and reason where not. */
bool jsonr_valid(struct span text, enum jsonr_fault *fault, size_t *at);
/* Length of the first JSON value at the start of `text` (leading white space included), 0 where
 * there is none or it is cut; for concatenated values. *cut tells the two apart. (A number that
 * ends with the text counts as whole: whether more digits would have followed can't be known.) */
size_t jsonr_first_value(struct span text, bool *cut);

/* ---- picking things out; all of these take raw value ranges and never allocate ---- */

enum jsonr_token jsonr_type(struct span value); /* by its first byte */
/* By the first byte of a raw value. */
static inline bool jsonr_is_object(struct span v)
{
    return v.len && v.at[0] == '{';
}
static inline bool jsonr_is_array(struct span v)
{
    return v.len && v.at[0] == '[';
}
static inline bool jsonr_is_string(struct span v)
{
    return v.len && v.at[0] == '"';
}

/* Walks the members of an object or the elements of an array (name is empty there). For text that
 * has passed jsonr_valid or came from the reader; on other text it stops early, never overruns. */
struct jsonr_items {
    struct span rest;
    bool object;
    struct span name;  /* between the quotes, as written */
    struct span value; /* whole, quotes included */
};
/* Before the first item of a container's raw value. Owns nothing. */
void jsonr_items_init(struct jsonr_items *items, struct span container);
/* The next member or element; false behind the last. */
bool jsonr_items_next(struct jsonr_items *items);

/* The value of the member of that (decoded) name; the last one of duplicates, as most consumers
 * do. False where there is none or `object` is not an object. */
bool jsonr_member(struct span object, const char *name, struct span *value);
/* RFC 6901. "" is the document itself. */
bool jsonr_pointer(struct span doc, struct span pointer, struct span *value);

/* Decoded text of a string value (quotes included) appended to out. Lone surrogates become
 * U+FFFD and *lossy (may be NULL) is set. False, and nothing is appended, where it is no string or
 * has an escape that JSON doesn't know. */
bool jsonr_string(struct span value, struct buf *out, bool *lossy);
/* The same of a name as the reader and jsonr_items give it, without its quotes. An element of an
 * array has none: nothing is appended. */
bool jsonr_name(struct span name, struct buf *out, bool *lossy);
/* Does a string value (quotes included) or a name (without) decode to exactly `word`? */
bool jsonr_string_is(struct span value, const char *word);
bool jsonr_name_is(struct span name, struct span decoded);
/* A string value without escapes, without its quotes and without a copy; false elsewhere. */
bool jsonr_plain_string(struct span value, struct span *text);
/* An integer token within int64 ("12", not "1.0" nor "1e2"). */
bool jsonr_int(struct span value, int64_t *number);

/* The bytes that a string's text or a name (without quotes) decodes to, one by one. */
struct jsonr_bytes {
    struct span rest;
    char hold[4]; /* of the escape just read */
    uint8_t held, taken;
};
/* Before the first byte; `written` is without quotes, and is borrowed. */
void jsonr_bytes_init(struct jsonr_bytes *bytes, struct span written);
/* False at the end, and at an escape that JSON doesn't know. */
bool jsonr_bytes_next(struct jsonr_bytes *bytes, char *byte);

/* The first member name anywhere in a valid value that its object has had before, compared as
 * decoded: *at (may be NULL) is the offset of its quote. False where there is none. Memory in
 * proportion to the names of the objects open at once. */
bool jsonr_duplicate(struct span value, size_t *at);

/* Appends a JSON string literal of the bytes: the one way to write JSON strings from data. Invalid
 * UTF-8 becomes U+FFFD; what base/text would not show as itself (controls, bidi, zero-width, tags,
 * combining characters without a base and what is over four on one) is written as \uXXXX, so that
 * our output is safe to look at and still exact. (json-c builds whole documents; this is for
 * streams.) */
void jsonr_quote(struct buf *out, struct span text);

#endif
