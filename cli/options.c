#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>

#include "base/buf.h"
#include "cli/verb.h"
#include "cli/wrap.h"

const struct option_spec common_options[] = {
    {"policy", 'p', "NAME|FILE", "the policy to judge by (default: additive)"},
    {"json", 0, NULL, "JSON instead of text (one object a line where the list can be long)"},
    {"color", 0, "WHEN", "auto, always or never (default: auto; NO_COLOR is heeded)"},
    {"quiet", 'q', NULL, "say less"},
    {"verbose", 'v', NULL, "say more"},
    {"help", 'h', NULL, "this page"},
    {"version", 0, NULL, "the version"},
    {NULL, 0, NULL, NULL},
};

enum { MOST_OPTIONS = 64 };

/* getopt's view of both tables; the value returned for a long option is its index + 256. */
struct getopt_tables {
    const struct option_spec *specs[MOST_OPTIONS];
    struct option longs[MOST_OPTIONS + 1];
    char shorts[2 * MOST_OPTIONS + 2];
    size_t count;
};

static void add_specs(struct getopt_tables *t, const struct option_spec *specs)
{
    size_t letters = strlen(t->shorts);
    for (; specs && specs->name && t->count < MOST_OPTIONS; specs++) {
        t->specs[t->count] = specs;
        t->longs[t->count] = (struct option){
            specs->name, specs->value ? required_argument : no_argument, NULL, (int)t->count + 256};
        t->count++;
        if (specs->letter) {
            t->shorts[letters++] = specs->letter;
            if (specs->value)
                t->shorts[letters++] = ':';
        }
    }
}

static const struct option_spec *spec_of(const struct getopt_tables *t, int found)
{
    if (found >= 256)
        return t->specs[found - 256];
    for (size_t i = 0; i < t->count; i++)
        if (t->specs[i]->letter == found)
            return t->specs[i];
    return NULL;
}

/* getopt's '?' or ':'. Inside a bundle such as -qx, only optopt knows the letter. */
static bool complain(const struct getopt_tables *t, struct invocation *call, int found,
                     const char *word, const char *todo, struct err *err)
{
    const char *where = call->verb->name;
    if (found == ':')
        return err_set(err, ERR_USAGE, where, todo, "option %s needs a value", word);
    if (optopt && spec_of(t, optopt))
        return err_set(err, ERR_USAGE, where, todo, "option %s takes no value", word);
    if (optopt)
        word = arena_printf(&call->arena, "-%c", optopt);
    return err_set(err, ERR_USAGE, where, todo, "unknown option %s", word);
}

bool options_parse(struct invocation *call, const struct verb *verb, int argc, char **argv,
                   struct err *err)
{
    struct getopt_tables tables = {.shorts = ":"};
    add_specs(&tables, verb->options);
    add_specs(&tables, common_options);

    *call = (struct invocation){.verb = verb};
    call->given = NEW_ARRAY(struct given_option, (size_t)argc + 1);
    opterr = 0;
    optind = 0; /* glibc: start afresh */
    int found;
    while ((found = getopt_long(argc, argv, tables.shorts, tables.longs, NULL)) != -1) {
        if (found == '?' || found == ':') {
            const char *todo = arena_printf(&call->arena, "see 'strandline %s --help'", verb->name);
            return complain(&tables, call, found, optind > 1 ? argv[optind - 1] : "", todo, err);
        }
        call->given[call->given_count++] = (struct given_option){spec_of(&tables, found), optarg};
    }
    call->operands = argv + optind;
    call->operand_count = (size_t)(argc - optind);
    return true;
}

void options_finish(struct invocation *call)
{
    mem_free(call->given);
    arena_finish(&call->arena);
}

const char *option_value(const struct invocation *call, const char *name)
{
    for (size_t i = call->given_count; i-- > 0;)
        if (strcmp(call->given[i].spec->name, name) == 0)
            return call->given[i].value ? call->given[i].value : "";
    return NULL;
}

bool option_given(const struct invocation *call, const char *name)
{
    return option_value(call, name) != NULL;
}

const char *const *option_values(struct invocation *call, const char *name, size_t *count)
{
    const char **values = arena_array(&call->arena, call->given_count + 1, sizeof *values);
    *count = 0;
    for (size_t i = 0; i < call->given_count; i++)
        if (strcmp(call->given[i].spec->name, name) == 0)
            values[(*count)++] = call->given[i].value;
    return values;
}

static void print_specs(const struct option_spec *specs)
{
    for (; specs && specs->name; specs++) {
        char left[64];
        snprintf(left, sizeof left, "%s%c%s--%s%s%s", specs->letter ? "-" : " ",
                 specs->letter ? specs->letter : ' ', specs->letter ? ", " : "  ", specs->name,
                 specs->value ? " " : "", specs->value ? specs->value : "");
        struct buf line = {0};
        buf_addf(&line, "  %-26s %s", left, specs->help);
        wrap_line(stdout, terminal_columns(stdout), 29, buf_span(&line));
        buf_finish(&line);
    }
}

void options_print_help(const struct verb *verb)
{
    int width = terminal_columns(stdout);
    printf("usage: strandline %s %s\n\n", verb->name, verb->usage);
    wrap_prose(stdout, width, span_of(verb->summary));
    if (verb->help) {
        putchar('\n');
        wrap_prose(stdout, width, span_of(verb->help));
    }
    if (verb->options && verb->options->name) {
        puts("\nOptions:");
        print_specs(verb->options);
    }
    puts("\nEverywhere:");
    print_specs(common_options);
}
