#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/wrap.h"
#include "model/query/whatif.h"

static bool step_number(struct span word, int64_t *n, const char *option, struct err *err)
{
    unsigned long long value;
    if (!span_to_u64(word, &value) || value == 0 || value > INT64_MAX)
        return err_set(err, ERR_USAGE, option, NULL, "'%.*s' is no step", SPAN_ARG(word));
    *n = (int64_t)value;
    return true;
}

static bool label_of(struct review *review, const char *given, struct whatif_edit *edit,
                     struct err *err)
{
    struct span word = span_of(given);
    size_t equals = span_find_byte(word, '=');
    if (equals == word.len)
        return err_set(err, ERR_USAGE, "--label", "write STEP=LABEL, as in 6=trusted",
                       "'%s' has no '='", given);
    edit->kind = WHATIF_LABEL;
    return step_number(span_sub(word, 0, equals), &edit->n, "--label", err) &&
           (label_parse(review_labels(review), span_sub(word, equals + 1, word.len),
                        &edit->label) ||
            err_set(err, ERR_USAGE, "--label",
                    "write trusted, untrusted, public, private:MARKER, readers:A+B, or two of "
                    "them with a comma",
                    "'%.*s' is no label", SPAN_ARG(span_sub(word, equals + 1, word.len))));
}

static bool edits_of(struct review *review, struct invocation *call, struct whatif_edit **out,
                     size_t *count, struct err *err)
{
    size_t labels, drops;
    const char *const *label = option_values(call, "label", &labels);
    const char *const *drop = option_values(call, "drop", &drops);
    *out = arena_array(&call->arena, labels + drops + 1, sizeof **out);
    *count = 0;
    for (size_t i = 0; i < labels; i++)
        if (!label_of(review, label[i], &(*out)[(*count)++], err))
            return false;
    for (size_t i = 0; i < drops; i++) {
        struct whatif_edit *edit = &(*out)[(*count)++];
        edit->kind = WHATIF_DROP;
        if (!step_number(span_of(drop[i]), &edit->n, "--drop", err))
            return false;
    }
    for (size_t i = 0; i < *count; i++)
        if ((*out)[i].n > review_steps(review))
            return err_set(err, ERR_USAGE, "whatif", "'strandline steps' lists them",
                           "there is no step %lld", (long long)(*out)[i].n);
    return true;
}

/* P-T and P-F are computed of every call; of one that is no sink they decide nothing. */
static void keep_sinks(struct review *review, struct whatif *w)
{
    size_t kept = 0;
    for (size_t i = 0; i < w->verdict_count; i++) {
        const struct whatif_verdict *v = &w->verdicts[i];
        struct arena arena = {0};
        struct flow_row row;
        struct err err = {0};
        bool sink = v->was != v->is ||
                    (review_rows(review, v->n, 1, 0, &arena, &row, &err) == 1 && row.role);
        if (sink)
            w->verdicts[kept++] = *v;
        arena_finish(&arena);
    }
    w->verdict_count = kept;
}

static const char *or_none(enum verdict verdict)
{
    return verdict == VERDICT_NONE ? "none" : verdict_word(verdict);
}

static void print_change(const char *name, enum verdict was, enum verdict is)
{
    if (was != is)
        printf("  %s%s%s -> %s", name, *name ? " " : "", or_none(was), or_none(is));
}

static void print_verdict(struct review *review, const struct whatif_verdict *v)
{
    struct arena arena = {0};
    struct flow_row row;
    struct err err = {0};
    struct buf name = {0};
    if (review_rows(review, v->n, 1, 0, &arena, &row, &err) == 1) {
        text_safe(&name, row.step.server);
        buf_puts(&name, row.step.server.len ? "." : "");
        text_safe(&name,
                  row.step.tool.len ? row.step.tool : span_of(step_kind_word(row.step.kind)));
    }
    printf("step %-4lld  %.*s", (long long)v->n, SPAN_ARG(buf_span(&name)));
    print_change("", v->was, v->is);
    print_change("P-T", v->was_action, v->is_action);
    print_change("P-F", v->was_flow, v->is_flow);
    putchar('\n');
    buf_finish(&name);
    arena_finish(&arena);
}

static void print_finding(const struct whatif_finding *f, const struct output *output)
{
    struct buf line = {0};
    static const char signs[] = {
        [WHATIF_CHANGES] = '~', [WHATIF_APPEARS] = '+', [WHATIF_DISAPPEARS] = '-'};
    static const enum tint fate_tints[] = {
        [WHATIF_CHANGES] = TINT_DIM, [WHATIF_APPEARS] = TINT_BAD, [WHATIF_DISAPPEARS] = TINT_GOOD};
    buf_addf(&line, "%s%c%s %-8s  ", tint_begin(fate_tints[f->fate], output->colour),
             signs[f->fate], tint_end(output->colour), severity_word(f->severity));
    text_safe(&line, f->code);
    if (f->n)
        buf_addf(&line, "  step %lld", (long long)f->n);
    buf_puts(&line, "  ");
    if (f->was && f->was->severity != f->severity)
        buf_addf(&line, "(was %s) ", severity_word(f->was->severity));
    text_safe(&line, f->message);
    wrap_line(stdout, output->width, 4, buf_span(&line));
    buf_finish(&line);
}

static void whatif_print_text(struct review *review, const struct whatif *w,
                              const struct output *output)
{
    size_t fates[WHATIF_DISAPPEARS + 1] = {0};
    printf("denied %lld -> %lld, to ask %lld -> %lld\n", (long long)w->was.denied,
           (long long)w->is.denied, (long long)w->was.asked, (long long)w->is.asked);
    for (size_t i = 0; i < w->verdict_count; i++)
        print_verdict(review, &w->verdicts[i]);
    for (size_t i = 0; i < w->finding_count; i++) {
        fates[w->findings[i].fate]++;
        if (w->findings[i].fate != WHATIF_STAYS)
            print_finding(&w->findings[i], output);
    }
    printf("%zu %s; of the findings %zu appear, %zu disappear, %zu change, %zu stay\n",
           w->verdict_count, w->verdict_count == 1 ? "verdict changes" : "verdicts change",
           fates[WHATIF_APPEARS], fates[WHATIF_DISAPPEARS], fates[WHATIF_CHANGES],
           fates[WHATIF_STAYS]);
}

static void json_pair(struct json *j, const char *name, enum verdict was, enum verdict is)
{
    json_object(j, name);
    json_word(j, "before", verdict_word(was));
    json_word(j, "after", verdict_word(is));
    json_end(j);
}

static void json_side(struct json *j, const char *name, const struct label_pool *pool,
                      const struct whatif_side *s)
{
    json_object(j, name);
    json_int_or_null(j, "first_untrusted", s->first_untrusted, s->first_untrusted > 0);
    json_int_or_null(j, "first_private", s->first_private, s->first_private > 0);
    json_int_or_null(j, "first_denied", s->first_denied, s->first_denied > 0);
    json_int(j, "denied", s->denied);
    json_int(j, "asked", s->asked);
    json_int(j, "unclaimed", s->unclaimed);
    render_label(j, "context", pool, s->context, NULL, SPAN_EMPTY);
    json_end(j);
}

static void whatif_print_json(struct review *review, const struct policy *policy,
                              const struct whatif *w)
{
    static const char *const fates[] = {"stays", "changes", "appears", "disappears"};
    struct json j;
    render_begin(&j, "whatif", policy);
    json_word(&j, "compared_with", policy_name(review_policy(review)));
    json_side(&j, "before", review_labels(review), &w->was);
    json_side(&j, "after", review_labels(review), &w->is);
    json_array(&j, "verdicts");
    for (size_t i = 0; i < w->verdict_count; i++) {
        const struct whatif_verdict *v = &w->verdicts[i];
        json_object(&j, NULL);
        json_int(&j, "step", v->n);
        json_pair(&j, "verdict", v->was, v->is);
        json_pair(&j, "P-T", v->was_action, v->is_action);
        json_pair(&j, "P-F", v->was_flow, v->is_flow);
        json_end(&j);
    }
    json_end(&j);
    json_array(&j, "findings");
    for (size_t i = 0; i < w->finding_count; i++) {
        const struct whatif_finding *f = &w->findings[i];
        json_object(&j, NULL);
        json_word(&j, "change", fates[f->fate]);
        json_string(&j, "id", f->id);
        json_string(&j, "code", f->code);
        json_word(&j, "severity", severity_word(f->severity));
        json_int_or_null(&j, "step", f->n, f->n > 0);
        json_string(&j, "message", f->message);
        json_end(&j);
    }
    json_finish(&j);
}

/* What it is compared with: --from, else the policy itself where there are edits, else additive. */
static const char *base_name(struct invocation *call, bool edits)
{
    const char *from = option_value(call, "from"), *policy = option_value(call, "policy");
    return from ? from : edits && policy ? policy : "additive";
}

static bool whatif_answer(struct subject *s, struct invocation *call, const struct output *output,
                          struct err *err)
{
    struct whatif_edit *edits;
    size_t edit_count, count;
    struct session_view *sessions;
    bool edited_items = option_given(call, "label") || option_given(call, "drop");
    if (!subject_sessions(s, call, false, &sessions, &count, err))
        return false;
    if (!edited_items && !option_given(call, "policy"))
        return err_set(err, ERR_USAGE, "whatif", "give --policy, --label or --drop",
                       "nothing is to be different");
    struct policy *edited = s->policy;
    s->policy = policy_load(base_name(call, edited_items), err);
    struct review *review = s->policy ? subject_review(s, call, sessions->id, 0, err) : NULL;
    struct whatif w;
    struct progress progress;
    progress_begin(&progress, call);
    bool ok = review && edits_of(review, call, &edits, &edit_count, err) &&
              review_whatif(review, edited, edits, edit_count, progress_replay, &progress,
                            &call->arena, &w, err);
    progress_end(&progress);
    if (ok)
        keep_sinks(review, &w);
    if (ok && output->json)
        whatif_print_json(review, edited, &w);
    else if (ok)
        whatif_print_text(review, &w, output);
    review_close(review);
    policy_destroy(edited);
    return ok;
}

static int whatif_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_SESSION, whatif_answer);
}

static const struct option_spec whatif_options[] = {
    {"label", 'l', "STEP=LABEL", "take that item as labelled so: untrusted,private … (repeatable)"},
    {"drop", 'd', "STEP", "take that item as not there (repeatable)"},
    {"from", 0, "NAME|FILE",
     "policy to compare with (default: with edits --policy, else additive)"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_whatif = {
    .name = "whatif",
    .usage = "CASE|LOG... [SESSION]",
    .summary = "Another label, an item less, another policy: which verdicts and findings change.",
    .help = "The record is not touched.\n\n"
            "    strandline whatif CASE --policy fides\n"
            "    strandline whatif CASE --label 6=trusted --label 8=trusted",
    .options = whatif_options,
    .run = whatif_run,
};
