/*
 * usage: bench_slices CASE LINE...
 *
 * How long the explorer doesn't look at its keys: plays lines of a script ("Down Down", ":sql
 * SELECT 1", "&is:error"), and behind each all the slow work that it begins, without a terminal.
 * Prints for each line how long the slowest key, frame and slice took, and how many slices there
 * were. In one slice of eight a key comes after half a frame; only those are looked at.
 */
#include <stdio.h>

#include "tui/core.h"

static int64_t slice_began, slices;

/* In one slice of eight: what is asked again after a key comes to its end in one of the others. */
static bool key_is_typed(void)
{
    return slices % 8 == 0;
}

static bool key_waits(void *arg)
{
    (void)arg;
    return key_is_typed() && monotonic_us() - slice_began > SLICE_US;
}

struct slowest {
    int64_t key, frame, slice, slices;
};

static void note(int64_t *most, int64_t since)
{
    int64_t took = monotonic_us() - since;
    *most = took > *most ? took : *most;
}

static void behind(struct explorer *x, struct slowest *s)
{
    for (bool more = true; more;) {
        slice_began = monotonic_us();
        explorer_frame(x);
        note(&s->frame, slice_began);
        for (int i = 0; more && i < 8; i++, s->slices++, slices++) {
            slice_began = monotonic_us();
            more = explorer_idle(x);
            if (key_is_typed())
                note(&s->slice, slice_began);
        }
    }
    slice_began = monotonic_us();
    explorer_frame(x);
    note(&s->frame, slice_began);
}

static void say(const char *line, const struct slowest *s)
{
    printf("%-44.44s %9.1f %9.1f %9.1f %9lld\n", line, (double)s->key / 1e3, (double)s->frame / 1e3,
           (double)s->slice / 1e3, (long long)s->slices);
    fflush(stdout);
}

static void play(struct explorer *x, const char *line)
{
    struct slowest s = {0};
    slice_began = monotonic_us();
    explorer_line(x, span_of(line));
    note(&s.key, slice_began);
    behind(x, &s);
    say(line, &s);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    if (argc < 2) {
        fputs("usage: bench_slices CASE LINE...\n", stderr);
        return 2;
    }
    struct policy *policy = policy_load("additive", &err);
    struct case_file *c = policy ? case_open_to_look(argv[1], &err) : NULL;
    struct explorer_options options = {
        .case_file = c, .policy = policy, .name = "bench", .rows = 36, .columns = 120};
    struct slowest s = {0};
    slice_began = monotonic_us();
    struct explorer *x = c ? explorer_create(&options, &err) : NULL;
    note(&s.key, slice_began);
    if (x) {
        x->has_key = key_waits;
        x->terminal = x; /* as with one, nothing is waited for */
        printf("%-44s %9s %9s %9s %9s\n", "longest, ms", "keys", "frame", "slice", "slices");
        behind(x, &s);
        say("opened", &s);
        for (int i = 2; i < argc; i++)
            play(x, argv[i]);
        explorer_destroy(x);
    }
    case_close(c);
    policy_destroy(policy);
    if (err.kind)
        err_print(&err);
    return (int)err.kind;
}
