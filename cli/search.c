#include "cli/verbs.h"

#include "base/ascii.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/interrupt.h"
#include "cli/render.h"
#include "cli/table.h"
#include "model/query/elsewhere.h"
#include "model/trace/secret.h"

enum {
    SLICE = 4096,
    ROOM = 256,
    LINE = 100,
    BEFORE_HIT = 40,
    SECRET_NEAR = 2048, /* a credential is known by what stands around it */
};

static const struct table_column search_columns[] = {
    {"session", TABLE_LEFT, 36, 0}, {"step", TABLE_RIGHT, 0, 0}, {"kind", TABLE_LEFT, 0, 0},
    {"server", TABLE_LEFT, 18, 0},  {"tool", TABLE_LEFT, 30, 0}, {"text", TABLE_LEFT, 0, 0},
};

static bool is_pattern(struct span text)
{
    return text.len > 2 && text.at[0] == '/' && text.at[text.len - 1] == '/';
}

/* What is looked for, as the filter language says it. */
static const char *filter_of(struct invocation *call, struct span text)
{
    if (option_given(call, "digest"))
        return arena_printf(&call->arena, "digest:%s", option_value(call, "digest"));
    if (is_pattern(text))
        return arena_cstr(&call->arena, text);
    struct buf quoted = {0};
    buf_byte(&quoted, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"' || text.at[i] == '\\')
            buf_byte(&quoted, '\\');
        buf_byte(&quoted, text.at[i]);
    }
    buf_byte(&quoted, '"');
    const char *kept = arena_cstr(&call->arena, buf_span(&quoted));
    buf_finish(&quoted);
    return kept;
}

/* Where the text stands in another, without case; its length: nowhere. */
static size_t find_nocase(struct span text, struct span what)
{
    size_t at = 0;
    while (at + what.len <= text.len && (ascii_lower(text.at[at]) != ascii_lower(what.at[0]) ||
                                         !span_equal_nocase(span_sub(text, at, what.len), what)))
        at++;
    return at + what.len <= text.len ? at : text.len;
}

/* Appends what stands at `at` and around it, in one line's length, with credentials masked. */
static void add_around(struct buf *out, struct span text, size_t at)
{
    struct arena arena = {0};
    struct secret *secrets;
    size_t count, begin = at > SECRET_NEAR ? at - SECRET_NEAR : 0;
    struct span near = span_sub(text, begin, at - begin + LINE + SECRET_NEAR);
    size_t from = at - begin - BEFORE_HIT, to = at - begin + LINE - BEFORE_HIT;
    while (from < near.len && utf8_is_tail((uint8_t)near.at[from]))
        from++;
    while (to < near.len && utf8_is_tail((uint8_t)near.at[to]))
        to++;
    secrets_find(near, &arena, &secrets, &count);
    buf_puts(out, "…");
    secrets_mask_in(out, near, from, to < near.len ? to : near.len, secrets, count);
    buf_puts(out, begin + to < text.len ? "…" : "");
    arena_finish(&arena);
}

/* The start of the step; where what was looked for stands behind that, what is around it there. */
static bool add_hit(struct buf *out, struct review *review, const struct flow_row *row,
                    struct span what, struct err *err)
{
    struct buf body = {0};
    bool cut, ok = true;
    render_preview(out, row, LINE);
    if (what.len && find_nocase(buf_span(out), what) == out->len) {
        ok = review_body(review, row->step.n, 0, &body, &cut, err);
        size_t at = ok ? find_nocase(buf_span(&body), what) : 0;
        if (at < body.len && at > BEFORE_HIT) {
            buf_clear(out);
            add_around(out, buf_span(&body), at);
        }
    }
    buf_finish(&body);
    return ok;
}

static bool print_hit(struct review *review, const struct session_view *session, int64_t n,
                      struct span what, struct json *j, struct table *t, struct err *err)
{
    struct arena arena = {0};
    struct flow_row row;
    bool ok = review_rows(review, n, 1, FLOW_PREVIEW, &arena, &row, err) == 1;
    if (ok && t) {
        struct buf text = {0};
        table_data(t, session_label(session));
        table_number(t, n);
        table_text(t, step_kind_word(row.step.kind));
        table_data(t, row.step.server);
        table_data(t, row.step.tool);
        ok = add_hit(&text, review, &row, what, err);
        table_data(t, buf_span(&text));
        table_row(t);
        buf_finish(&text);
    } else if (ok) {
        json_object(j, NULL);
        render_head(j, "search", review_policy(review));
        json_string(j, "session", session_label(session));
        json_int(j, "step", n);
        json_word(j, "kind", step_kind_word(row.step.kind));
        json_string(j, "server", row.step.server.len ? row.step.server : (struct span){0});
        json_string(j, "tool", row.step.tool.len ? row.step.tool : (struct span){0});
        json_object(j, "source");
        json_string(j, "file", row.file);
        json_int_or_null(j, "line", (int64_t)row.step.line, row.step.line > 0);
        json_int(j, "offset", (int64_t)row.step.whole.offset);
        json_int(j, "length", (int64_t)row.step.whole.length);
        json_end(j);
        json_end(j);
        json_line(j);
    }
    arena_finish(&arena);
    return ok;
}

static bool search_session(struct review *review, const struct session_view *session,
                           const struct filter *filter, struct span what, struct json *j,
                           struct table *t, size_t *hits, struct err *err)
{
    int64_t steps[ROOM], last = review_steps(review), looked_to = 0;
    for (int64_t from = 1; looked_to < last && !interrupt_came(); from = looked_to + 1) {
        long got = review_filter(review, filter, from, true, SLICE, steps, ROOM, &looked_to, err);
        if (got < 0)
            return false;
        for (long i = 0; i < got; i++)
            if (!print_hit(review, session, steps[i], what, j, t, err))
                return false;
        *hits += (size_t)got;
    }
    return true;
}

static const struct session_view *search_session_of(const struct session_view *all, size_t count,
                                                    int64_t id)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].id == id)
            return &all[i];
    return &all[0]; /* not reached: a sighting is in a session of the case */
}

static void text_like(const struct output *output, const struct sighting *seen, size_t count,
                      const struct session_view *sessions, size_t session_count)
{
    static const struct table_column columns[] = {
        {"session", TABLE_LEFT, 36, 0}, {"step", TABLE_RIGHT, 0, 0},
        {"shared", TABLE_LEFT, 0, 0},   {"more", TABLE_RIGHT, 0, 0},
        {"again", TABLE_RIGHT, 0, 0},   {"what", TABLE_LEFT, LINE, 0}};
    struct table *t =
        table_create(stdout, columns, COUNT_OF(columns), output->width, output->colour);
    for (size_t i = 0; i < count; i++) {
        table_data(t, session_label(search_session_of(sessions, session_count, seen[i].session)));
        table_number(t, seen[i].n);
        table_text(t, sighting_word(seen[i].kind));
        table_number(t, (long long)seen[i].more);
        table_number(t, (long long)seen[i].again);
        table_data(t, seen[i].what);
        table_row(t);
    }
    table_finish(t);
}

static void json_like(const struct sighting *seen, size_t count,
                      const struct session_view *sessions, size_t session_count,
                      const struct policy *policy)
{
    struct json j;
    json_init(&j, stdout, false);
    for (size_t i = 0; i < count; i++) {
        const struct sighting *s = &seen[i];
        json_object(&j, NULL);
        render_head(&j, "like", policy);
        json_string(&j, "session",
                    session_label(search_session_of(sessions, session_count, s->session)));
        json_int(&j, "step", s->n);
        json_word(&j, "shared", sighting_word(s->kind));
        json_string(&j, "what", s->what);
        json_word(&j, "how", s->how);
        json_int(&j, "offset", (int64_t)s->offset);
        json_int(&j, "length", (int64_t)s->length);
        json_int(&j, "more", (int64_t)s->more);
        json_int(&j, "again", (int64_t)s->again);
        json_end(&j);
        json_line(&j);
    }
    json_close(&j);
}

/* The steps of other sessions that hold something of one step. */
static bool search_like(struct subject *subject, struct invocation *call,
                        const struct output *output, struct err *err)
{
    int64_t n, done, total;
    size_t count = 0, session_count;
    int more = 1;
    struct session_view *sessions;
    struct review *review = subject_step(subject, call, 0, &n, err);
    struct elsewhere *e = review ? elsewhere_begin(review, n, err) : NULL;
    if (!e || !query_session_names(subject->c, &call->arena, &sessions, &session_count, err)) {
        elsewhere_end(e);
        review_close(review);
        return false;
    }
    while (more > 0 && !interrupt_came())
        more = elsewhere_some(e, SLICE, err);
    elsewhere_progress(e, &done, &total);
    const struct sighting *seen = elsewhere_seen(e, &count);
    if (more >= 0 && output->json)
        json_like(seen, count, sessions, session_count, review_policy(review));
    else if (more >= 0)
        text_like(output, seen, count, sessions, session_count);
    if (more >= 0 && !output->json && !output->quiet)
        printf("%zu %s; %lld of %lld steps of other sessions looked at%s\n", count,
               count == 1 ? "sighting" : "sightings", (long long)done, (long long)total,
               elsewhere_is_capped(e) ? "; there may be more" : "");
    elsewhere_end(e);
    review_close(review);
    return more >= 0;
}

static bool search_all(struct subject *subject, struct invocation *call,
                       const struct output *output, struct err *err)
{
    size_t hits = 0;
    struct session_view *sessions;
    size_t count;
    if (option_given(call, "like"))
        return search_like(subject, call, output, err);
    struct filter *filter = filter_parse(span_of(filter_of(call, subject->session_word)), err);
    if (!filter)
        return false;
    struct span what = subject->session_word;
    struct span text = option_given(call, "digest") || is_pattern(what) ? SPAN_EMPTY : what;
    subject->session_word = SPAN_EMPTY;
    bool ok = subject_sessions(subject, call, true, &sessions, &count, err);
    struct json j;
    struct table *t = NULL;
    json_init(&j, stdout, false);
    if (!output->json)
        t = table_create(stdout, search_columns, COUNT_OF(search_columns), output->width,
                         output->colour);
    for (size_t i = 0; ok && i < count; i++) {
        struct review *review = subject_review(subject, call, sessions[i].id, REVIEW_FINDINGS, err);
        ok = review && search_session(review, &sessions[i], filter, text, &j, t, &hits, err);
        review_close(review);
    }
    json_close(&j);
    table_finish(t);
    subject->session_word = what;
    filter_destroy(filter);
    if (ok && !output->json && !output->quiet)
        printf("%zu %s in %zu %s%s\n", hits, hits == 1 ? "step" : "steps", count,
               count == 1 ? "session" : "sessions",
               interrupt_came() ? "; interrupted, there may be more" : "");
    return ok;
}

static int search_run(struct invocation *call)
{
    enum subject_shape shape = option_given(call, "digest") ? SUBJECT_CASE
                               : option_given(call, "like") ? SUBJECT_CASE_STEP
                                                            : SUBJECT_CASE_TEXT;
    return subject_answer(call, shape, search_all);
}

static const struct option_spec search_options[] = {
    {"digest", 0, "D", "instead of TEXT: steps with evidence or a definition of that digest"},
    {"like", 0, NULL, "STEP instead of TEXT: where other sessions share something with it"},
    SUBJECT_OPTIONS,
    {NULL, 0, NULL, NULL},
};

const struct verb verb_search = {
    .name = "search",
    .usage = "CASE|LOG... TEXT|/REGEX/ | --like STEP | --digest D",
    .summary =
        "The steps, of all sessions, whose text holds TEXT (without case), or a match of /REGEX/.",
    .help =
        "With --like and a STEP (N or SESSION:N): the steps of other sessions that hold text of it,\n"
        "a name or host in it, the same definition of a tool or the same evidence digest.\n"
        "D is written in any form that digests are met in.",
    .options = search_options,
    .run = search_run,
};
