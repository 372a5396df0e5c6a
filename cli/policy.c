#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/policy_compare.h"
#include "cli/render.h"
#include "cli/table.h"

static void list_text(const struct output *output)
{
    static const struct table_column columns[] = {{"policy", TABLE_LEFT, 0, 0},
                                                  {"what it asks", TABLE_LEFT, TABLE_WRAPS, 0}};
    struct table *t =
        table_create(stdout, columns, COUNT_OF(columns), output->width, output->colour);
    for (size_t i = 0; i < policy_builtin_count(); i++) {
        table_text(t, policy_builtin_name(i));
        table_text(t, policy_builtin_summary(i));
        table_row(t);
    }
    table_finish(t);
}

static bool policy_list_json(struct err *err)
{
    struct json j;
    bool ok = true;
    render_begin(&j, "policies", NULL);
    json_array(&j, "policies");
    for (size_t i = 0; ok && i < policy_builtin_count(); i++) {
        struct policy *policy = policy_load(policy_builtin_name(i), err);
        ok = policy != NULL;
        if (!ok)
            break;
        json_object(&j, NULL);
        json_word(&j, "name", policy_builtin_name(i));
        json_word(&j, "summary", policy_builtin_summary(i));
        json_word(&j, "digest", policy_digest(policy));
        json_end(&j);
        policy_destroy(policy);
    }
    json_finish(&j);
    return ok;
}

/* `policy check FILE`: says where it is wrong, or what it says. */
static bool check(const char *file, const struct output *output, struct err *err)
{
    struct policy *policy = policy_load(file, err);
    struct buf text = {0};
    struct json j;
    if (!policy || !query_try_queries(policy, err)) {
        policy_destroy(policy);
        return false;
    }
    policy_explain(policy, &text);
    if (output->json) {
        render_begin(&j, "policy-text", NULL);
        json_word(&j, "name", policy_name(policy));
        json_word(&j, "digest", policy_digest(policy));
        json_string(&j, "text", buf_span(&text));
        json_finish(&j);
    } else if (!output->quiet) {
        struct buf name = {0};
        text_safe(&name, span_of(policy_name(policy)));
        printf("%s: a valid policy, %s\n\n%s", buf_cstr(&name), policy_digest(policy),
               buf_cstr(&text));
        buf_finish(&name);
    }
    buf_finish(&text);
    policy_destroy(policy);
    return true;
}

/* A policy's own text has comments, so that a JSON document can only hold it as a string. */
static void policy_show_json(const struct policy *policy)
{
    struct json j;
    render_begin(&j, "policy-text", NULL);
    json_word(&j, "name", policy_name(policy));
    json_word(&j, "digest", policy_digest(policy));
    json_string(&j, "text", policy_text(policy));
    json_finish(&j);
}

/* Takes the policy, which may be NULL. */
static bool show(struct policy *policy, const struct output *output)
{
    if (!policy)
        return false;
    struct span text = policy_text(policy);
    if (output->json)
        policy_show_json(policy);
    else
        fwrite(text.at, 1, text.len, stdout);
    policy_destroy(policy);
    return true;
}

static int policy_run(struct invocation *call)
{
    struct output output;
    struct err err = {0};
    const char *what = call->operand_count ? call->operands[0] : "list";
    const char *which = call->operand_count > 1 ? call->operands[1] : NULL;
    bool ok = output_options(call, &output, &err);
    if (ok && strcmp(what, "compare") == 0) {
        call->operands++;
        call->operand_count--;
        return policy_compare(call, &output);
    }
    if (ok && strcmp(what, "list") == 0)
        ok = output.json ? policy_list_json(&err) : (list_text(&output), true);
    else if (ok && strcmp(what, "show") == 0 && which)
        ok = show(policy_load(which, &err), &output);
    else if (ok && strcmp(what, "check") == 0 && which)
        ok = check(which, &output, &err);
    else if (ok && strcmp(what, "init") == 0)
        ok = show(policy_parse(policy_starter_text(), "starter", &err), &output);
    else if (ok)
        ok = err_set(&err, ERR_USAGE, "policy",
                     "use: policy list | show NAME | check FILE | init | compare CASE", "'%s'%s",
                     what, which ? "" : " needs a name, or is unknown");
    return ok ? 0 : verb_failed(&err);
}

static const struct option_spec policy_options[] = {
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_policy = {
    .name = "policy",
    .usage = "list | show NAME | check FILE | init | compare CASE [SESSION]",
    .summary =
        "The built-in policies; one to begin with; what one says; all of them on one session.",
    .help = "    strandline policy show fides > mine.json       # copy, change\n"
            "    strandline policy check mine.json              # is it right, what does it say?\n"
            "    strandline policy compare CASE --policy mine.json\n"
            "    strandline check CASE --policy mine.json",
    .options = policy_options,
    .run = policy_run,
};
