#include "cli/verbs.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/render.h"
#include "model/redact/redact.h"

static struct masks *read_masks(struct invocation *call, struct err *err)
{
    size_t count;
    const char *const *words = option_values(call, "text", &count);
    struct masks *masks = masks_create(!option_given(call, "keep-secrets"));
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i]) < MASK_WORD_LEAST) {
            masks_destroy(masks);
            err_set(err, ERR_USAGE, "--text", "name at least three bytes",
                    "'%s' is too short: it stands everywhere", words[i]);
            return NULL;
        }
        if (strlen(words[i]) > MASK_WORD_MOST) {
            masks_destroy(masks);
            err_set(err, ERR_USAGE, "--text", "name a part of it", "longer than %d bytes",
                    MASK_WORD_MOST);
            return NULL;
        }
        masks_add(masks, span_of(words[i]));
    }
    return masks;
}

static void print_redacted(const struct redact_totals *t, const struct output *output,
                           const char *path)
{
    if (output->json) {
        struct json j;
        render_begin(&j, "redact", NULL);
        json_string(&j, "case", span_of(path));
        json_int(&j, "sources", t->sources);
        json_int(&j, "places", t->places);
        json_int(&j, "bytes", t->bytes);
        json_int(&j, "packed", t->packed);
        json_int(&j, "texts", t->texts);
        json_finish(&j);
    } else if (!output->quiet) {
        printf("%lld bytes in %lld places of %lld sources written over", (long long)t->bytes,
               (long long)t->places, (long long)t->sources);
        if (t->packed)
            printf(", %lld of them whole packed bodies", (long long)t->packed);
        if (t->texts)
            printf("; %lld names and notes too", (long long)t->texts);
        printf(
            "\nLook at the copy before you share it: what is private and no credential has to be "
            "named with --text\n");
    }
}

/* Is it what is left of a copy that was killed: a file without a byte, or a case without a source?
 */
static bool holds_nothing(const char *path)
{
    struct err ignored;
    struct stat info;
    int64_t sources = 1;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
        return true;
    struct case_file *c = case_is(path) ? case_open(path, &ignored) : NULL;
    if (!c)
        return false;
    int row = db_number(case_db(c), "SELECT count(*) FROM source", NULL, 0, &sources, &ignored);
    case_close(c);
    return row > 0 && !sources;
}

/* The copy is a file of its own from the start, and goes where it does not come to its end. All of
 * it is put there at once, at that end. */
static bool redact_into(struct subject *s, const char *path, const struct masks *masks,
                        struct redact_totals *totals, struct err *err)
{
    if (access(path, F_OK) == 0 && (!holds_nothing(path) || unlink(path) != 0))
        return err_set(err, ERR_USAGE, path, "name a file that is not there yet", "exists already");
    struct case_file *into = case_create(path, err);
    bool ok = into && case_redact(s->c, into, masks, totals, interrupt_stop, NULL, err);
    case_close(into);
    if (into && !ok)
        unlink(path);
    return ok;
}

static bool redact_answer(struct subject *s, struct invocation *call, const struct output *output,
                          struct err *err)
{
    const char *path = option_value(call, "output");
    struct redact_totals totals = {0};
    if (!path)
        return err_set(err, ERR_USAGE, "redact", "strandline redact CASE -o COPY",
                       "no file named for the copy");
    struct masks *masks = read_masks(call, err);
    bool ok = masks && redact_into(s, path, masks, &totals, err);
    masks_destroy(masks);
    if (ok)
        print_redacted(&totals, output, path);
    return ok;
}

static int redact_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE, redact_answer);
}

static const struct option_spec redact_options[] = {
    {"output", 'o', "COPY", "the case to make"},
    {"text", 't', "WORD", "take this out too, in any case, also escaped or encoded (repeatable)"},
    {"keep-secrets", 0, NULL, "leave credentials in"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_redact = {
    .name = "redact",
    .usage = "CASE|LOG... -o COPY",
    .summary = "A copy to share: credentials and what you name are written over.",
    .help =
        "What stands in their place is as long as they were, so that offsets stay right and\n"
        "evidence re-derives; a record from which something was taken is not held any more.\n"
        "'verify' says which sources are redacted. The case itself is not touched.\n\n"
        "    strandline redact incident.strand -o share.strand --text 'Jane Doe' --text acme.example",
    .options = redact_options,
    .run = redact_run,
};
