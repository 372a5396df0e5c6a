/*
 * The one error type. A function that can fail returns bool (or a count, -1)
 * and fills a `struct err *` with where it happened, what happened and what
 * the user can do. Printed as one line:  strandline: WHERE: WHAT; WHAT TO DO
 */
#ifndef STRANDLINE_BASE_ERR_H
#define STRANDLINE_BASE_ERR_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/span.h"

/* The kinds are the exit statuses of the program. */
enum err_kind {
    ERR_NONE = 0,
    ERR_USAGE = 2,    /* the command line, a policy or a config is wrong */
    ERR_EVIDENCE = 3, /* evidence failed */
    ERR_INPUT = 4,    /* input could not be read */
    ERR_INTERNAL = 5, /* a fault of ours, or of the system under us */
};

enum { ERR_TEXT = 512 };

struct err {
    enum err_kind kind;
    char where[ERR_TEXT]; /* a file, "file:line:column", an option; "" for none */
    char what[ERR_TEXT];
    char todo[ERR_TEXT]; /* "" for none */
};

/*
 * Fills *err and returns false, so that `return err_set(…);` reads well. The
 * texts may hold bytes from data: they are made safe when they are printed.
 * `where` and `todo` may be NULL. Too long texts
 * are cut. Parts of *err may be among the arguments, to wrap an error in a larger one.
 */
bool err_set(struct err *err, enum err_kind kind, const char *where, const char *todo,
             const char *format, ...) ATTR_PRINTF(5, 6);

/* Gives an error without a place the place it lacks; returns false. */
bool err_at(struct err *err, const char *where);

/* One line on standard error, every byte of it safe to show. */
void err_print(const struct err *err);

#endif
