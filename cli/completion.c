#include "cli/verbs.h"

#include <stdio.h>

/* Completion scripts made from the same tables as the help. */

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
        if (specs->value)
            printf(" -r");
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
