#include "cli/verbs.h"

#include <stdio.h>

#include "ingest/reader.h"
#include "model/findings/finding.h"
#include "model/flow/policy.h"

/* Completion scripts made from the same tables as the help. */

/* ---- what an option or a verb takes, where it is one of a few words ---- */

static void policies(void)
{
    for (size_t i = 0; i < policy_builtin_count(); i++)
        printf("%s ", policy_builtin_name(i));
}

static void readers(void)
{
    for (size_t i = 0; i < reader_count(); i++)
        printf("%s ", reader_at(i)->name);
}

static void codes(void)
{
    for (size_t i = 0; i < finding_code_count(); i++)
        printf("%s ", finding_code_at(i)->code);
}

static void severities(void)
{
    for (int i = SEVERITY_CRITICAL; i >= SEVERITY_INFO; i--)
        printf("%s ", severity_word((enum severity)i));
}

/* With a verb alone: its operand. With an option alone: of every verb that has it. */
static const struct choice {
    const char *verb, *option;
    const char *words;   /* these, or */
    void (*print)(void); /* what this prints */
    bool or_file;
} completion_choices[] = {
    {.option = "policy", .print = policies, .or_file = true},
    {.option = "from", .print = policies, .or_file = true},
    {.option = "format", .print = readers},
    {.option = "fail-on", .print = severities},
    {.option = "color", .words = "auto always never"},
    {.option = "progress", .words = "auto never"},
    {.option = "axis", .words = "integrity confidentiality"},
    {.option = "canon", .words = "jcs cbor"},
    {.option = "alg", .words = "sha256 sha384 sha512 sha512-256 sha3-256 blake2b512"},
    {.verb = "report", .option = "as", .words = "html md json sarif"},
    {.verb = "export", .option = "as", .words = "jsonl timesketch cef ocsf dot otlp"},
    {.verb = "policy", .words = "list show check init compare"},
    {.verb = "explain", .print = codes},
    {.verb = "completion", .words = "bash zsh fish"},
};

static void print_choice(const struct choice *c)
{
    if (c->words)
        printf("%s", c->words);
    else
        c->print();
}

/* The choice of an option; NULL where it takes any word, or none. */
static const struct choice *choice_of(const char *verb, const struct option_spec *option)
{
    for (size_t i = 0; i < COUNT_OF(completion_choices); i++) {
        const struct choice *c = &completion_choices[i];
        if (c->option && strcmp(c->option, option->name) == 0 &&
            (!c->verb || strcmp(c->verb, verb) == 0))
            return c;
    }
    return NULL;
}

/* Lines of a `case VERB:WORD-BEFORE in` that set $choice, and $file where a file will do too. */
static void print_cases(void)
{
    for (size_t i = 0; i < COUNT_OF(completion_choices); i++) {
        const struct choice *c = &completion_choices[i];
        bool policy = c->option && strcmp(c->option, "policy") == 0;
        printf("  %s:%s%s%s) choice='", c->verb ? c->verb : "*", c->option ? "--" : "",
               c->option ? c->option : c->verb, policy ? "|*:-p" : "");
        print_choice(c);
        printf("'%s;;\n", c->or_file ? " file=yes" : "");
    }
}

/* ---- the scripts ---- */

static void words_of(const struct option_spec *specs, const char *separator)
{
    for (; specs && specs->name; specs++)
        printf("--%s%s", specs->name, separator);
}

static void bash(void)
{
    puts("# bash completion for strandline: source <(strandline completion bash)\n"
         "_strandline() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]}\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then");
    printf("    COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < verb_count(); i++)
        printf("%s ", verb_at(i)->name);
    puts("--help --version' -- \"$cur\") $(compgen -f -- \"$cur\")); return\n"
         "  fi\n"
         "  local choice= file=\n"
         "  case $verb:${COMP_WORDS[COMP_CWORD-1]} in");
    print_cases();
    puts(
        "  esac\n"
        "  if [ \"$choice\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$choice\" -- \"$cur\") ${file:+$(compgen -f -- \"$cur\")}); return\n"
        "  fi\n"
        "  case $cur in -*) ;; *) COMPREPLY=($(compgen -f -- \"$cur\")); return;; esac\n"
        "  local options\n"
        "  case $verb in");
    for (size_t i = 0; i < verb_count(); i++) {
        printf("  %s) options='", verb_at(i)->name);
        words_of(verb_at(i)->options, " ");
        puts("';;");
    }
    printf("  esac\n  COMPREPLY=($(compgen -W \"$options ");
    words_of(common_options, " ");
    puts("\" -- \"$cur\"))\n}\ncomplete -o filenames -F _strandline strandline");
}

static void zsh(void)
{
    puts("#compdef strandline\n# zsh completion: strandline completion zsh > ~/.zfunc/_strandline\n"
         "_strandline() {\n  local -a verbs\n  verbs=(");
    for (size_t i = 0; i < verb_count(); i++)
        printf("    '%s:%s'\n", verb_at(i)->name, verb_at(i)->summary);
    puts("  )\n  if (( CURRENT == 2 )); then _describe verb verbs; _files; return; fi\n"
         "  local choice= file=\n"
         "  case $words[2]:$words[CURRENT-1] in");
    print_cases();
    puts("  esac\n"
         "  if [[ -n $choice ]]; then compadd -- ${=choice}; [[ -n $file ]] && _files; return; fi\n"
         "  case $words[2] in");
    for (size_t i = 0; i < verb_count(); i++) {
        printf("    %s) compadd -- ", verb_at(i)->name);
        words_of(verb_at(i)->options, " ");
        words_of(common_options, " ");
        puts(";;");
    }
    puts("  esac\n  _files\n}\ncompdef _strandline strandline");
}

static void fish_options(const struct verb *verb, const struct option_spec *specs)
{
    for (; specs && specs->name; specs++) {
        printf("complete -c strandline -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
               specs->name);
        if (specs->letter)
            printf(" -s %c", specs->letter);
        const struct choice *c = choice_of(verb->name, specs);
        if (specs->value)
            fputs(c && !c->or_file ? " -x" : " -r", stdout);
        if (c) {
            printf(" -a '");
            print_choice(c);
            putchar('\'');
        }
        putchar('\n');
    }
}

static void fish(void)
{
    puts("# fish completion: strandline completion fish | source");
    for (size_t i = 0; i < verb_count(); i++) {
        printf("complete -c strandline -n __fish_use_subcommand -a %s -d \"%s\"\n",
               verb_at(i)->name, verb_at(i)->summary);
        fish_options(verb_at(i), verb_at(i)->options);
        fish_options(verb_at(i), common_options);
    }
}

static int completion_run(struct invocation *call)
{
    static const struct {
        const char *shell;
        void (*print)(void);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; call->operand_count == 1 && i < COUNT_OF(shells); i++)
        if (strcmp(call->operands[0], shells[i].shell) == 0) {
            shells[i].print();
            return 0;
        }
    struct err err;
    err_set(&err, ERR_USAGE, "completion", "use bash, zsh or fish", "name one shell");
    return verb_failed(&err);
}

const struct verb verb_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "A completion script for a shell, on standard output.",
    .run = completion_run,
};
