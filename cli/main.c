#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/confine.h"
#include "cli/interrupt.h"
#include "cli/verbs.h"
#include "cli/wrap.h"

static void print_usage(FILE *to)
{
    fputs("strandline explores recorded sessions of AI agents that use MCP tools.\n\n"
          "usage: strandline [CASE | LOG...]   the explorer; see 'strandline explore --help'\n"
          "       strandline VERB ...          see 'strandline VERB --help'\n\n",
          to);
    for (size_t i = 0; i < verb_count(); i++) {
        fprintf(to, "  %-11s ", verb_at(i)->name);
        wrap_text(to, terminal_columns(stdout), 14, 14, span_of(verb_at(i)->summary));
        fputc('\n', to);
    }
    fputs("\nLogs may be given wherever a case is wanted. Exit status: 0 clean, 1 findings,\n"
          "2 usage, 3 evidence failed, 4 input could not be read, 5 internal.\n",
          to);
}

/* The verb of a name. The explorer's is not in the table, as nobody has to write it. */
static const struct verb *verb_named(const char *name)
{
    return strcmp(name, verb_explore.name) == 0 ? &verb_explore : verb_find(name);
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
    struct invocation call;
    struct err err = {0};
    int status;
    if (!options_parse(&call, verb, argc, argv, &err)) {
        status = verb_failed(&err);
    } else if (option_given(&call, "help")) {
        options_print_help(verb);
        status = 0;
    } else if (option_given(&call, "version")) {
        puts("strandline " STRANDLINE_VERSION);
        status = 0;
    } else {
        if (!verb->starts_program) {
            interrupt_catch();
            (void)confine_process(); /* a kernel that can't leaves one line of defence less */
        }
        status = verb->run(&call);
    }
    options_finish(&call);
    return status;
}

/* What is left of the output must be out before all is said to be well. */
static int flushed(int status)
{
    struct err err = {0};
    bool whole = fflush(stdout) == 0 && !ferror(stdout);
    if (!whole && interrupt_came()) { /* the write was, and with it what was asked for */
        status = worse_status(status, ERR_INPUT);
    } else if (!whole) {
        err_set(&err, ERR_INTERNAL, "standard output", "is the disk full?", "could not be written");
        status = worse_status(status, verb_failed(&err));
    }
    return status;
}

/* Puts a verb in front of the options that were written before it, as in `strandline -q check LOG`.
 */
static void verb_first(int argc, char **argv)
{
    int at = 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1] && strcmp(argv[at], "--") != 0)
        at++;
    if (at == 1 || at == argc || !verb_named(argv[at]))
        return;
    char *verb = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
    argv[1] = verb;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* never LC_NUMERIC: numbers are written the same everywhere */
    if (argc < 2) {
        print_usage(stderr);
        return ERR_USAGE;
    }
    verb_first(argc, argv);
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        const struct verb *verb = argc > 2 ? verb_named(argv[2]) : NULL;
        if (verb)
            options_print_help(verb);
        else
            print_usage(stdout);
        return flushed(0);
    }
    if (strcmp(word, "--version") == 0) {
        puts("strandline " STRANDLINE_VERSION);
        return flushed(0);
    }
    const struct verb *verb = verb_named(word);
    if (verb)
        return flushed(run_verb(verb, argc - 1, argv + 1));
    if (word[0] != '-' && access(word, F_OK) != 0) {
        struct err err;
        const char *meant = verb_meant(word);
        char todo[80] = "'strandline --help' lists the verbs";
        if (meant)
            snprintf(todo, sizeof todo, "did you mean '%s'?", meant);
        err_set(&err, ERR_USAGE, word, todo, "neither a verb nor a file");
        return verb_failed(&err);
    }
    return flushed(run_verb(&verb_explore, argc, argv));
}
