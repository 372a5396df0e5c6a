/*
 * Options of the command line, as tables: name, value, help. getopt_long does
 * the parsing; help, completion and the man page come from the same tables.
 */
#ifndef STRANDLINE_CLI_OPTIONS_H
#define STRANDLINE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

struct option_spec {
    const char *name;  /* long name; NULL ends the table */
    char letter;       /* 0: none */
    const char *value; /* what its value is called; NULL: a flag */
    const char *help;
};

/* Understood by every verb. */
extern const struct option_spec common_options[];

struct given_option {
    const struct option_spec *spec;
    const char *value; /* NULL for a flag */
};

struct verb;

/* One call of a verb: what was typed, checked against its tables. */
struct invocation {
    const struct verb *verb;
    struct given_option *given;
    size_t given_count;
    char **operands;
    size_t operand_count;
    struct arena arena; /* lives as long as the call */
};

/* Parses argv[1…] (argv[0] is the verb). False: err says what is wrong. */
bool options_parse(struct invocation *call, const struct verb *verb, int argc, char **argv,
                   struct err *err);
void options_finish(struct invocation *call);

/* Was it there at all? */
bool option_given(const struct invocation *call, const char *name);
/* The last value given; NULL where it was not. */
const char *option_value(const struct invocation *call, const char *name);
/* All values given, in order, in the call's arena. */
const char *const *option_values(struct invocation *call, const char *name, size_t *count);

/* One page of help for a verb, on standard output. */
void options_print_help(const struct verb *verb);

#endif
