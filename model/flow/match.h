/*
 * Matching: what rules of a policy may ask about a server, a tool, and the
 * arguments of a call.
 */
#ifndef STRANDLINE_MODEL_FLOW_MATCH_H
#define STRANDLINE_MODEL_FLOW_MATCH_H

#include "base/buf.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "base/span.h"

/* `*` is any run of bytes, `?` one byte; the whole text must match. */
bool glob_match(struct span pattern, struct span text);
/* Any of them? None given: yes. */
bool glob_any(const struct span *patterns, size_t count, struct span text);

#define TESTS(X)                                                                                   \
    X(EXISTS, "exists") /* the member is there */                                                  \
    X(IS, "is")         /* it is one of these words (numbers and booleans as written) */           \
    X(GLOB, "glob")                                                                                \
    X(REGEX, "regex") /* POSIX extended, anywhere in the text */                                   \
    X(SQL, "sql")     /* "read" or "write", by the first keyword of each statement */              \
    X(HOST, "host")   /* it is a URL whose host is one of these (globs) */                         \
    X(UNDER, "under") /* it is a path under one of these folders, after . and .. */

enum test_kind {
#define X(id, word) TEST_##id,
    TESTS(X)
#undef X
        TEST_COUNT
};

struct condition {
    struct span pointer; /* RFC 6901, into the arguments */
    enum test_kind test;
    bool negated;
    struct span *words;
    size_t word_count;
    struct pattern pattern; /* of TEST_REGEX */
};

struct match {
    struct span *servers, *tools; /* globs; none: any */
    size_t server_count, tool_count;
    struct condition *conditions; /* all must hold */
    size_t condition_count;
};

/* The part that a server's and a tool's name decide. */
bool match_names(const struct match *match, struct span server, struct span tool);
/* The part that the arguments (a JSON object; empty: not known) decide. */
bool match_arguments(const struct match *match, struct span arguments);

/* "read", "write" or NULL where there is no statement in it: by the first keyword of each
 * statement, and for WITH and EXPLAIN by what it leads to. Comments and quotes are skipped. */
const char *sql_kind(struct span text);

/* Takes the next URL with a host (http, https, ws, wss, ftp) out of *rest; `host` is as written,
 * without user, port and final dot. */
bool url_next(struct span *rest, struct span *url, struct span *host);

/* Takes the next line that is nothing but an address without its scheme ("www.example.com/a"), as
 * tools that fetch accept them. A name of a file can look the same: ask where an address is due. */
bool bare_url_next(struct span *rest, struct span *url, struct span *host);

/* Takes the next address out of a list in one string, with commas or semicolons between:
 * "Ann <ann@a.example>, bob@b.example" is ann@a.example and bob@b.example. Text without an @ is one
 * name as it stands. */
bool address_next(struct span *rest, struct span *address);

/* Is this path the folder, or in it, after `.` and `..`? Relative ones are taken as they stand. */
bool path_under(struct span path, struct span root);

/* A string or scalar of JSON as text: decoded, appended. False for objects, arrays and null. */
bool json_text(struct span value, struct buf *out);

#endif
