#include <criterion/criterion.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/verb.h"

static const struct option_spec own[] = {
    {"evidence", 'e', "PATH", "records"}, {"full", 0, NULL, "all"}, {NULL, 0, NULL, NULL}};
static const struct verb verb = {.name = "test", .options = own};

Test(cli_options, values_flags_operands)
{
    char words[][16] = {"test", "case.strand", "--json", "-e", "a", "--evidence=b", "3"};
    char *argv[COUNT_OF(words) + 1] = {0};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        argv[i] = words[i];
    struct invocation call;
    struct err err = {0};
    cr_assert(options_parse(&call, &verb, 7, argv, &err), "%s", err.what);
    size_t count;
    const char *const *values = option_values(&call, "evidence", &count);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(values[1], "b");
    cr_assert_str_eq(option_value(&call, "evidence"), "b");
    cr_assert(option_given(&call, "json"));
    cr_assert_not(option_given(&call, "full"));
    cr_assert_eq(call.operand_count, 2);
    cr_assert_str_eq(call.operands[1], "3");
    options_finish(&call);
}

Test(cli_options, what_is_wrong_is_named)
{
    static const struct {
        const char *word, *what;
    } bad[] = {{"--nonsense", "unknown option"},
               {"-Z", "unknown option"},
               {"--evidence", "needs a value"}};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char name[] = "test", word[16];
        snprintf(word, sizeof word, "%s", bad[i].word);
        char *argv[] = {name, word, NULL};
        struct invocation call;
        struct err err = {0};
        cr_assert_not(options_parse(&call, &verb, 2, argv, &err), "%s", bad[i].word);
        cr_assert_eq(err.kind, ERR_USAGE);
        cr_assert(strstr(err.what, bad[i].what), "%s", err.what);
        cr_assert(strstr(err.what, bad[i].word), "%s", err.what);
        options_finish(&call);
    }
}

/* The word that is wrong is named, wherever it stands; no other. */
Test(cli_options, complaints)
{
    static const struct {
        const char *first, *second, *what;
    } bad[] = {
        {"-x", "case", "unknown option -x"},
        {"--json", "-qx", "unknown option -x"},
        {"--json", "-xq", "unknown option -x"},
        {"-qxq", "case", "unknown option -x"},
        {"case", "--nope", "unknown option --nope"},
        {"--full=1", "case", "option --full=1 takes no value"},
        {"--quiet=1", "case", "option --quiet=1 takes no value"},
        {"case", "-e", "option -e needs a value"},
        {"case", "--evidence", "option --evidence needs a value"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char words[3][16] = {"test"};
        snprintf(words[1], sizeof words[1], "%s", bad[i].first);
        snprintf(words[2], sizeof words[2], "%s", bad[i].second);
        char *argv[] = {words[0], words[1], words[2], NULL};
        struct invocation call;
        struct err err = {0};
        cr_expect_not(options_parse(&call, &verb, 3, argv, &err));
        cr_expect_str_eq(err.what, bad[i].what);
        options_finish(&call);
    }
}
