#include "cli/verbs.h"

#include "base/text.h"
#include "base/timefmt.h"
#include "cli/account.h"
#include "cli/render.h"
#include "cli/table.h"

static void sessions_print_json(const struct session_view *sessions, size_t count,
                                const struct policy *policy)
{
    struct json j;
    render_begin(&j, "sessions", policy);
    json_array(&j, "sessions");
    for (size_t i = 0; i < count; i++) {
        const struct session_view *s = &sessions[i];
        json_object(&j, NULL);
        json_int(&j, "number", s->id);
        json_string(&j, "session", session_label(s));
        json_string(&j, "name", s->name);
        json_string(&j, "host", s->host.len ? s->host : (struct span){0});
        json_string(&j, "servers", s->servers);
        json_int_or_null(&j, "parent", s->parent, s->parent > 0);
        json_int(&j, "steps", s->steps);
        json_int(&j, "events", s->events);
        json_int(&j, "diagnostics", s->diagnostics);
        render_time(&j, "begin", s->begin_ns, s->time_digits);
        render_time(&j, "end", s->end_ns, s->time_digits);
        json_int_or_null(&j, "first_untrusted", s->first_untrusted, s->first_untrusted > 0);
        json_int_or_null(&j, "first_private", s->first_private, s->first_private > 0);
        json_int_or_null(&j, "first_denied", s->first_denied, s->first_denied > 0);
        json_int(&j, "denied", s->denied);
        json_int(&j, "asked", s->asked);
        json_int(&j, "unclaimed", s->unclaimed);
        json_word(&j, "worst_finding",
                  s->worst < 0 ? NULL : severity_word((enum severity)s->worst));
        json_int(&j, "evidence_refs", s->evidence_refs);
        json_int(&j, "evidence_recomputed", s->evidence_recomputed);
        json_end(&j);
    }
    json_finish(&j);
}

static const struct table_column sessions_columns[] = {
    {"#", TABLE_RIGHT, 0, 0},      {"session", TABLE_LEFT, 36, 0},   {"steps", TABLE_RIGHT, 0, 0},
    {"begin", TABLE_LEFT, 0, 1},   {"untrusted", TABLE_RIGHT, 0, 0}, {"private", TABLE_RIGHT, 0, 0},
    {"denied", TABLE_RIGHT, 0, 0}, {"worst", TABLE_LEFT, 0, 0},      {"evidence", TABLE_LEFT, 0, 0},
    {"servers", TABLE_LEFT, 0, 0},
};

static void print_table(const struct session_view *sessions, size_t count,
                        const struct output *output)
{
    struct table *t = table_create(stdout, sessions_columns, COUNT_OF(sessions_columns),
                                   output->width, output->colour);
    for (size_t i = 0; i < count; i++) {
        const struct session_view *s = &sessions[i];
        struct buf text = {0};
        table_number(t, s->id);
        table_data(t, session_label(s));
        table_number_or(t, s->steps, s->steps || !s->parent, "not given"); /* of a sub-agent */
        if (s->time_digits >= 0)
            time_print(&text, s->begin_ns, 0);
        table_text(t, text.len ? buf_cstr(&text) : "not recorded");
        table_number_or(t, s->first_untrusted, s->first_untrusted > 0, "never");
        table_number_or(t, s->first_private, s->first_private > 0, "never");
        table_number(t, s->denied);
        table_text(t, s->worst < 0 ? "none" : severity_word((enum severity)s->worst));
        buf_clear(&text);
        if (s->evidence_refs)
            buf_addf(&text, "%lld of %lld", (long long)s->evidence_recomputed,
                     (long long)s->evidence_refs);
        table_text(t, text.len ? buf_cstr(&text) : "none");
        table_data(t, s->servers);
        table_row(t);
        buf_finish(&text);
    }
    table_finish(t);
}

/* The worst finding of each is in the list. */
static bool check_sessions(struct subject *subject, struct invocation *call, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    bool ok = subject_sessions(subject, call, true, &sessions, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (sessions[i].checked)
            continue;
        struct review *review = subject_review(subject, call, sessions[i].id, REVIEW_FINDINGS, err);
        ok = review != NULL;
        review_close(review);
    }
    return ok;
}

/* The table, and what became of the bytes that all of it was read from. */
static bool print_text(struct case_file *c, const struct session_view *sessions, size_t count,
                       const struct output *output, struct err *err)
{
    struct buf line = {0};
    print_table(sessions, count, output);
    bool ok = output->quiet || account_line(c, &line, err);
    if (line.len)
        printf("%.*s\n", SPAN_ARG(buf_span(&line)));
    buf_finish(&line);
    return ok;
}

static int sessions_run(struct invocation *call)
{
    struct subject subject = {0};
    struct output output;
    struct err err = {0};
    struct session_view *sessions;
    size_t count;
    int status = 0;
    if (output_options(call, &output, &err) && subject_open(&subject, call, SUBJECT_CASE, &err) &&
        check_sessions(&subject, call, &err) &&
        subject_sessions(&subject, call, true, &sessions, &count, &err)) {
        status = (int)subject.import_err.kind;
        if (output.json)
            sessions_print_json(sessions, count, subject.policy);
        else if (!print_text(subject.c, sessions, count, &output, &err))
            status = verb_failed(&err);
    } else {
        status = verb_failed(&err);
    }
    subject_close(&subject);
    return status;
}

static const struct option_spec sessions_options[] = {
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_sessions = {
    .name = "sessions",
    .usage = "CASE|LOG...",
    .summary =
        "A line a session: steps, where it first turned untrusted and private, what was denied.",
    .help =
        "The last line tells where every byte went; 'show CASE --account' tells it of each source.",
    .options = sessions_options,
    .run = sessions_run,
};
