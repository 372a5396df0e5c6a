#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/render.h"
#include "cli/table.h"
#include "cli/wrap.h"

static void explain_list(const struct output *output)
{
    static const struct table_column columns[] = {{"code", TABLE_LEFT, 0, 0},
                                                  {"severity", TABLE_LEFT, 0, 0},
                                                  {"title", TABLE_LEFT, TABLE_WRAPS, 0}};
    struct table *t =
        table_create(stdout, columns, COUNT_OF(columns), output->width, output->colour);
    for (size_t i = 0; i < finding_code_count(); i++) {
        const struct finding_code *c = finding_code_at(i);
        table_text(t, c->code);
        table_text(t, severity_word(c->severity));
        table_text(t, c->title);
        table_row(t);
    }
    table_finish(t);
}

static void json_code(struct json *j, const struct finding_code *c)
{
    json_object(j, NULL);
    json_word(j, "code", c->code);
    json_word(j, "severity", severity_word(c->severity));
    json_word(j, "title", c->title);
    json_word(j, "statement", c->statement);
    json_word(j, "source", c->source);
    json_string(j, "page", finding_page(c));
    json_end(j);
}

static int explain_run(struct invocation *call)
{
    struct output output;
    struct err err = {0};
    if (!output_options(call, &output, &err))
        return verb_failed(&err);
    const struct finding_code *asked = NULL;
    if (call->operand_count) {
        asked = finding_code_find(span_of(call->operands[0]));
        if (!asked) {
            err_set(&err, ERR_USAGE, "explain", "'strandline explain' lists the codes",
                    "'%s' is no finding code", call->operands[0]);
            return verb_failed(&err);
        }
    }
    if (output.json) {
        struct json j;
        render_begin(&j, "explain", NULL);
        json_array(&j, "codes");
        for (size_t i = 0; i < finding_code_count(); i++)
            if (!asked || asked == finding_code_at(i))
                json_code(&j, finding_code_at(i));
        json_finish(&j);
    } else if (asked) {
        wrap_prose(stdout, output.width, finding_page(asked));
    } else {
        explain_list(&output);
    }
    return 0;
}

const struct verb verb_explain = {
    .name = "explain",
    .usage = "[CODE]",
    .summary =
        "What a finding code means, what it rests on, and what to do; all codes without one.",
    .run = explain_run,
};
