#include "cli/verbs.h"

#include "base/text.h"
#include "cli/render.h"
#include "cli/table.h"
#include "model/query/tools.h"

static const struct table_column tools_columns[] = {
    {"server", TABLE_LEFT, 24, 0},     {"tool", TABLE_LEFT, 40, 0},
    {"hints", TABLE_LEFT, 0, 0},       {"listed", TABLE_RIGHT, 0, 3},
    {"versions", TABLE_RIGHT, 0, 2},   {"calls", TABLE_RIGHT, 0, 0},
    {"first call", TABLE_RIGHT, 0, 1}, {"changed at", TABLE_LEFT, 0, 0},
};

static const struct {
    const char *name, *yes, *no;
    size_t offset;
} hint_words[] = {
    {"read_only", "read-only", "writes", offsetof(struct hints, read_only)},
    {"destructive", "destructive", "not destructive", offsetof(struct hints, destructive)},
    {"idempotent", "idempotent", "not idempotent", offsetof(struct hints, idempotent)},
    {"open_world", "open world", "closed world", offsetof(struct hints, open_world)},
};

static enum tri hint(const struct hints *hints, size_t i)
{
    return *(const enum tri *)((const char *)hints + hint_words[i].offset);
}

/* What was said, and only that: an absent hint is not a false one. */
static void hints_text(struct buf *out, const struct tool_view *tool)
{
    if (tool->version_count == 0) {
        buf_puts(out, "no definition");
        return;
    }
    const struct hints *hints = &tool->versions[tool->version_count - 1].hints;
    for (size_t i = 0; i < COUNT_OF(hint_words); i++)
        if (hint(hints, i) != TRI_ABSENT)
            buf_addf(out, "%s%s", out->len ? ", " : "",
                     hint(hints, i) == TRI_TRUE ? hint_words[i].yes : hint_words[i].no);
    if (out->len == 0)
        buf_puts(out, "none given");
}

static void text_tool(struct table *t, const struct tool_view *tool)
{
    struct buf text = {0};
    table_data(t, tool->server.len ? tool->server : SPAN("(host)"));
    table_data(t, tool->tool);
    hints_text(&text, tool);
    table_text(t, buf_cstr(&text));
    table_number(t, tool->listed);
    table_number(t, (long long)tool->version_count);
    table_number(t, tool->calls);
    table_number_or(t, tool->first_call, tool->first_call > 0, "never");
    buf_clear(&text);
    for (size_t i = 1; i < tool->version_count; i++)
        buf_addf(&text, "%s%lld", i > 1 ? ", " : "", (long long)tool->versions[i].n);
    table_tinted(t, text.len ? TINT_BAD : TINT_PLAIN, buf_cstr(&text));
    table_row(t);
    buf_finish(&text);
}

static void json_tool(struct json *j, struct span session, const struct tool_view *tool)
{
    json_object(j, NULL);
    json_string(j, "session", session);
    json_string(j, "server", tool->server.len ? tool->server : (struct span){0});
    json_string(j, "tool", tool->tool);
    json_int(j, "listed", tool->listed);
    json_int(j, "calls", tool->calls);
    json_int_or_null(j, "first_call", tool->first_call, tool->first_call > 0);
    json_array(j, "versions");
    for (size_t i = 0; i < tool->version_count; i++) {
        const struct tool_version *v = &tool->versions[i];
        json_object(j, NULL);
        json_int(j, "step", v->n);
        json_string(j, "digest", v->digest);
        json_object(j, "hints");
        for (size_t k = 0; k < COUNT_OF(hint_words); k++) {
            if (hint(&v->hints, k) == TRI_ABSENT)
                json_null(j, hint_words[k].name);
            else
                json_bool(j, hint_words[k].name, hint(&v->hints, k) == TRI_TRUE);
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static bool tools_print_session(struct subject *subject, struct invocation *call,
                                const struct session_view *session, struct json *j, struct table *t,
                                struct err *err)
{
    struct review *review = subject_review(subject, call, session->id, 0, err);
    struct tool_view *tools;
    size_t count;
    bool ok = review && review_tools(review, &call->arena, &tools, &count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (t)
            text_tool(t, &tools[i]);
        else
            json_tool(j, session_label(session), &tools[i]);
    }
    review_close(review);
    return ok;
}

static bool tools_print_all(struct subject *subject, struct invocation *call,
                            const struct output *output, struct err *err)
{
    struct session_view *sessions;
    size_t count;
    if (!subject_sessions(subject, call, subject->from_logs, &sessions, &count, err))
        return false;
    struct json j;
    struct table *t = NULL;
    json_init(&j, stdout, true);
    if (output->json) {
        json_object(&j, NULL);
        render_head(&j, "tools", subject->policy);
        json_array(&j, "tools");
    } else {
        t = table_create(stdout, tools_columns, COUNT_OF(tools_columns), output->width,
                         output->colour);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = tools_print_session(subject, call, &sessions[i], &j, t, err);
    if (ok && output->json) {
        json_finish(&j);
    } else {
        json_close(&j);
    }
    table_finish(t);
    return ok;
}

static int tools_run(struct invocation *call)
{
    return subject_answer(call, SUBJECT_CASE_SESSION, tools_print_all);
}

static const struct option_spec tools_options[] = {
    {"all", 'a', NULL, "every session"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_tools = {
    .name = "tools",
    .usage = "CASE|LOG... [SESSION]",
    .summary = "The tools: definitions, hints, use, and where a definition changed.",
    .help = "A hint that a server did not give is not shown as false.",
    .options = tools_options,
    .run = tools_run,
};
