#include "cli/verbs.h"

#include <stdio.h>

#include "base/text.h"
#include "cli/render.h"
#include "cli/table.h"
#include "ingest/places.h"

static void formats_list(const struct output *output)
{
    static const struct table_column columns[] = {{"format", TABLE_LEFT, 0, 0},
                                                  {"what it is", TABLE_LEFT, TABLE_WRAPS, 0}};
    struct table *t = table_create(stdout, columns, 2, output->width, output->colour);
    for (size_t i = 0; i < reader_count(); i++) {
        table_text(t, reader_at(i)->name);
        table_text(t, reader_at(i)->title);
        table_row(t);
    }
    table_finish(t);
}

/* A row a place, and how many files are there now. */
static void formats_places(const struct output *output)
{
    static const struct table_column columns[] = {{"format", TABLE_LEFT, 0, 0},
                                                  {"usual places", TABLE_LEFT, 0, 0},
                                                  {"files here", TABLE_RIGHT, 0, 0}};
    struct table *t = table_create(stdout, columns, 3, 0, output->colour); /* paths stay whole */
    struct buf text = {0};
    for (size_t i = 0; i < reader_count(); i++) {
        const struct reader *r = reader_at(i);
        for (const char *const *place = r->places; place && *place; place++) {
            buf_clear(&text);
            place_text(*place, &text);
            table_text(t, r->name);
            table_data(t, buf_span(&text));
            table_number(t, (long long)place_files(*place));
            table_row(t);
        }
        if (!r->where)
            continue;
        table_text(t, r->name);
        table_text(t, r->where);
        table_text(t, "");
        table_row(t);
    }
    buf_finish(&text);
    table_finish(t);
}

static void formats_places_json(struct json *j, const struct reader *r)
{
    struct buf text = {0};
    json_array(j, "places");
    for (const char *const *place = r->places; place && *place; place++) {
        buf_clear(&text);
        place_text(*place, &text);
        json_object(j, NULL);
        json_string(j, "pattern", buf_span(&text));
        json_int(j, "files", (int64_t)place_files(*place));
        json_end(j);
    }
    json_end(j);
    buf_finish(&text);
}

static void formats_list_json(bool places)
{
    struct json j;
    render_begin(&j, "formats", NULL);
    json_array(&j, "formats");
    for (size_t i = 0; i < reader_count(); i++) {
        const struct reader *r = reader_at(i);
        json_object(&j, NULL);
        json_word(&j, "name", r->name);
        json_word(&j, "title", r->title);
        json_word(&j, "where", r->where);
        if (places)
            formats_places_json(&j, r);
        json_array(&j, "cannot_show");
        for (const char *const *line = r->cannot_show; line && *line; line++)
            json_word(&j, NULL, *line);
        json_end(&j);
        json_end(&j);
    }
    json_finish(&j);
}

static bool tell(const char *path, const struct output *output, struct json *j, struct err *err)
{
    struct buf line = {0};
    struct probe best;
    const struct reader *r;
    if (!import_look(path, &r, &best, err))
        return false;
    if (output->json) {
        json_object(j, NULL);
        render_head(j, "formats", NULL);
        json_word(j, "file", path);
        json_word(j, "format", r->name);
        json_word(j, "title", r->title);
        json_int(j, "confidence", best.confidence);
        json_string(j, "reason", span_of(best.reason));
        json_array(j, "cannot_show");
        for (const char *const *l = r->cannot_show; l && *l; l++)
            json_word(j, NULL, *l);
        json_end(j);
        json_end(j);
        json_line(j);
    } else {
        text_safe(&line, span_of(path));
        buf_addf(&line, ": %s, %d %% (", r->name, best.confidence);
        text_safe(&line, span_of(best.reason));
        buf_addf(&line, ")\n    %s\n", r->title);
        for (const char *const *l = r->cannot_show; l && *l; l++)
            buf_addf(&line, "    cannot show: %s\n", *l);
        fwrite(line.at, 1, line.len, stdout);
    }
    buf_finish(&line);
    return true;
}

static int formats_run(struct invocation *call)
{
    struct output output;
    struct err err = {0};
    int status = 0;
    if (!output_options(call, &output, &err))
        return verb_failed(&err);
    if (call->operand_count == 0) {
        bool where = option_given(call, "where");
        if (output.json)
            formats_list_json(where);
        else if (where)
            formats_places(&output);
        else
            formats_list(&output);
        return 0;
    }
    struct json j;
    json_init(&j, stdout, false);
    for (size_t i = 0; i < call->operand_count; i++)
        if (!tell(call->operands[i], &output, &j, &err))
            status = worse_status(status, verb_failed(&err));
    json_close(&j);
    return status;
}

static const struct option_spec formats_options[] = {
    {"where", 'w', NULL, "where each host keeps such logs on this system"},
    {NULL, 0, NULL, NULL},
};

const struct verb verb_formats = {
    .name = "formats",
    .usage = "[FILE...]",
    .summary = "The formats that can be read; or what a file looks like, and why.",
    .options = formats_options,
    .run = formats_run,
};
