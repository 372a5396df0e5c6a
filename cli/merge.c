#include "cli/verbs.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/render.h"
#include "model/case/combine.h"

static bool merge_one(struct case_file *into, const char *path, struct combine_totals *totals,
                      struct err *err)
{
    if (!case_is(path))
        return err_set(err, access(path, R_OK) == 0 ? ERR_USAGE : ERR_INPUT, path,
                       "'strandline import -o CASE LOG...' makes one of logs",
                       access(path, F_OK) == 0 ? "not a case" : "no such file");
    struct case_file *from = case_open(path, err);
    if (!from)
        return false;
    bool ok =
        case_combine(into, from, &(struct combine_options){.stop = interrupt_stop}, totals, err);
    case_close(from);
    return ok;
}

static void print_merged(const struct combine_totals *t, const struct output *output,
                         const char *path)
{
    if (output->json) {
        struct json j;
        render_begin(&j, "merge", NULL);
        json_string(&j, "case", span_of(path));
        json_int(&j, "sources", t->sources);
        json_int(&j, "sessions", t->sessions);
        json_int(&j, "notes", t->notes);
        json_int(&j, "held_sources", t->held_sources);
        json_int(&j, "held_sessions", t->held_sessions);
        json_finish(&j);
    } else if (!output->quiet) {
        printf("%lld sources, %lld sessions, %lld notes", (long long)t->sources,
               (long long)t->sessions, (long long)t->notes);
        if (t->held_sources || t->held_sessions)
            printf("; already held: %lld sources, %lld sessions", (long long)t->held_sources,
                   (long long)t->held_sessions);
        putchar('\n');
    }
}

static int merge_run(struct invocation *call)
{
    struct output output;
    struct combine_totals totals = {0};
    struct err err = {0};
    const char *path = option_value(call, "output");
    if (!output_options(call, &output, &err))
        return verb_failed(&err);
    if (!path || call->operand_count == 0) {
        err_set(&err, ERR_USAGE, "merge", "strandline merge CASE... -o CASE",
                path ? "no case to take from is named" : "no case to put them into is named");
        return verb_failed(&err);
    }
    bool there = access(path, F_OK) == 0;
    struct case_file *into = case_create(path, &err);
    bool ok = into != NULL;
    for (size_t i = 0; ok && i < call->operand_count; i++)
        ok = merge_one(into, call->operands[i], &totals, &err);
    case_close(into);
    if (into && !ok && !there && totals.sources == 0 && totals.sessions == 0)
        unlink(path); /* an empty case is nobody's */
    if (!ok)
        return verb_failed(&err);
    print_merged(&totals, &output, path);
    return 0;
}

static const struct option_spec merge_options[] = {
    {"output", 'o', "CASE", "the case to make or to add to"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_merge = {
    .name = "merge",
    .usage = "CASE... -o CASE",
    .summary = "Cases into one: sources, sessions, notes.",
    .help =
        "What is held already is not taken twice; of a session that is there already the notes\n"
        "are taken. Sessions stay what they are: logs become one session only by 'import'.\n"
        "Each case comes whole or not at all. A seal does not come along.\n\n"
        "    strandline merge mine.strand theirs.strand -o both.strand",
    .options = merge_options,
    .run = merge_run,
};
