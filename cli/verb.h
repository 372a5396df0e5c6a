/*
 * A verb of the command line: name, usage, flags, run. One file a verb; the
 * table in verb_table.c is the list that help, completion and the man page
 * come from.
 */
#ifndef STRANDLINE_CLI_VERB_H
#define STRANDLINE_CLI_VERB_H

#include "base/err.h"
#include "cli/options.h"

struct verb {
    const char *name;
    const char *usage;                   /* "CASE [SESSION]" */
    const char *summary;                 /* one line */
    const char *help;                    /* what it prints, an example, exit status */
    const struct option_spec *options;   /* its own, beside the common ones; ended by a NULL name */
    int (*run)(struct invocation *call); /* exit status */
    bool starts_program;                 /* which gets signals as the caller left them */
};

/* The table of verbs, in the order of the help; NULL where there is none of that name. */
size_t verb_count(void);
const struct verb *verb_at(size_t index);
const struct verb *verb_find(const char *name);
/* The verb that somebody who typed `name` is likely to have meant; NULL where none is near. */
const char *verb_meant(const char *name);

#endif
