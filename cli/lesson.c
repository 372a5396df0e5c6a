#include "cli/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/jsonr.h"
#include "cli/explore.h"
#include "cli/files.h"
#include "cli/wrap.h"

/* The samples in the order in which they teach. */
static const struct {
    const char *sample, *teaches;
} lessons[] = {
    {"S09-init-outside-root", "integrity alone: nothing private, five writes on a stranger's word"},
    {"S01-github-leak",
     "two labels: an untrusted issue leads private text into a public repository"},
    {"S04-database-tokens", "one tool that is source and sink: its arguments decide"},
    {"S02-changed-description", "definitions are content: one server's text steers another's tool"},
    {"S03-poisoned-definition", "a definition that asks for keys, and what no label says"},
    {"S06-foreign-row", "reader sets: two that have nobody in common"},
    {"S11-search-query", "a tool that only reads can carry text out"},
    {"S05-rendered-image", "leaking without a call: the address of an image"},
    {"S10-own-configuration", "an agent that changes what it is"},
    {"S12-allowed-host", "an allowed host is no reader"},
};

static bool lesson_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Where the samples are: beside the build, or where they were installed. */
static const char *lesson_folder(struct arena *arena, struct err *err)
{
    static const char *const places[] = {"../samples", "../share/strandline/samples"};
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    const char *own = getenv("STRANDLINE_SAMPLES");
    if (own && *own)
        return own;
    char *slash = length > 0 ? memrchr(program, '/', (size_t)length) : NULL;
    for (size_t i = 0; slash && i < COUNT_OF(places); i++) {
        const char *path =
            arena_printf(arena, "%.*s/%s", (int)(slash - program), program, places[i]);
        if (lesson_is_folder(path))
            return path;
    }
    err_set(err, ERR_INPUT, "lesson",
            "set STRANDLINE_SAMPLES to the folder samples/ of the program",
            "the samples were not found beside the program");
    return NULL;
}

/* The logs of a sample, as its expected.json names them, become the operands of the call. */
static bool lesson_logs(struct invocation *call, const char *sample, struct err *err)
{
    enum { MOST = 16 };
    const char *folder = lesson_folder(&call->arena, err);
    struct buf text = {0}, name = {0};
    struct span logs;
    struct jsonr_items items;
    if (!folder)
        return false;
    const char *path = arena_printf(&call->arena, "%s/%s/expected.json", folder, sample);
    bool ok = file_read(path, &text, err);
    if (ok && (!jsonr_valid(buf_span(&text), NULL, NULL) ||
               !jsonr_member(buf_span(&text), "logs", &logs)))
        ok = err_set(err, ERR_INPUT, path, "take the folder samples/ of the program",
                     "names no logs");
    char **operands = arena_array(&call->arena, MOST, sizeof *operands);
    call->operand_count = 0;
    if (ok)
        jsonr_items_init(&items, logs);
    while (ok && call->operand_count < MOST && jsonr_items_next(&items)) {
        buf_clear(&name);
        ok = jsonr_string(items.value, &name, NULL);
        operands[call->operand_count++] =
            (char *)arena_printf(&call->arena, "%s/%s/%s", folder, sample, buf_cstr(&name));
    }
    call->operands = operands;
    buf_finish(&text);
    buf_finish(&name);
    return ok;
}

static int lesson_list(void)
{
    for (size_t i = 0; i < COUNT_OF(lessons); i++) {
        printf("%2zu  %-24s  ", i + 1, lessons[i].sample);
        wrap_text(stdout, terminal_columns(stdout), 30, 30, span_of(lessons[i].teaches));
        putchar('\n');
    }
    puts("\n'strandline lesson N' begins one: each step is asked about before it is shown.");
    return 0;
}

static int lesson_run(struct invocation *call)
{
    struct subject subject = {0};
    struct explorer_options options = {.lesson = true};
    struct err err = {0};
    unsigned long long n = 0;
    if (!call->operand_count)
        return lesson_list();
    bool ok = call->operand_count == 1 && span_to_u64(span_of(call->operands[0]), &n) && n &&
              n <= COUNT_OF(lessons);
    if (!ok)
        err_set(&err, ERR_USAGE, "lesson", "'strandline lesson' lists them",
                "give a number from 1 to %zu", COUNT_OF(lessons));
    ok = ok && explore_look(call, &options, &err) &&
         lesson_logs(call, lessons[n - 1].sample, &err) &&
         subject_open(&subject, call, SUBJECT_CASE_TO_LOOK, &err);
    options.name = ok ? lessons[n - 1].sample : NULL;
    int status = ok ? explore_open(&subject, &options) : verb_failed(&err);
    subject_close(&subject);
    return status;
}

static const struct option_spec lesson_options[] = {
    EXPLORE_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_lesson = {
    .name = "lesson",
    .usage = "[N]",
    .summary = "The trust model, taught on the samples; the list of lessons without N.",
    .help =
        "A recorded incident, one step at a time: what will the context be, what will the policy\n"
        "say? Then the answer, with the rule. `:lesson` in the explorer does the same with any\n"
        "session.",
    .options = lesson_options,
    .run = lesson_run,
};
