/* The samples through the whole program: import, replay, findings, against what expected.json says.
 * samples/README.md tells what each field means. */
#include <criterion/criterion.h>
#include <fts.h>

#include "ingest/import.h"
#include "model/query/query.h"
#include "tests/unit/files.h"

enum { ROWS = 4096 };

/* One session under one policy, as rows. */
struct told {
    struct arena arena;
    struct flow_row *rows;
    long count;
    struct finding_view *findings;
    size_t finding_count;
    struct review_summary summary;
    const char *where; /* of the expected.json, and the policy */
};

static bool text_is(struct span json, struct span text)
{
    struct buf decoded = {0};
    bool same = jsonr_string(json, &decoded, NULL) && span_equal(buf_span(&decoded), text);
    buf_finish(&decoded);
    return same;
}

/* The step that {"kind", "server", "tool", "occurrence"} names; 0: there is none. */
static int64_t step_of(const struct told *t, struct span at)
{
    struct span kind, server, tool, value;
    int64_t occurrence = 1;
    bool has_kind = jsonr_member(at, "kind", &kind),
         has_server = jsonr_member(at, "server", &server);
    bool has_tool = jsonr_member(at, "tool", &tool);
    if (jsonr_member(at, "occurrence", &value))
        cr_assert(jsonr_int(value, &occurrence));
    for (long i = 0; i < t->count; i++) {
        const struct step *step = &t->rows[i].step;
        bool no_server = has_server && jsonr_type(server) == JSONR_NULL;
        if (has_kind && !jsonr_string_is(kind, step_kind_word(step->kind)))
            continue;
        if (has_server && (no_server ? step->server.len > 0 : !text_is(server, step->server)))
            continue;
        if (has_tool && !text_is(tool, step->tool))
            continue;
        if (--occurrence == 0)
            return step->n;
    }
    return 0;
}

static int64_t step_or_none(const struct told *t, struct span at)
{
    if (jsonr_type(at) == JSONR_NULL)
        return 0;
    int64_t n = step_of(t, at);
    cr_expect(n > 0, "%s: no step %.*s", t->where, SPAN_ARG(at));
    return n;
}

static void expect_step(const struct told *t, struct span block, const char *name, int64_t is)
{
    struct span at;
    if (!jsonr_member(block, name, &at))
        return;
    cr_expect_eq(step_or_none(t, at), is, "%s: %s is %d, expected %.*s", t->where, name, (int)is,
                 SPAN_ARG(at));
}

/* ---- violations ---- */

static const struct flow_row *next_violation(const struct told *t, int64_t after)
{
    for (long i = 0; i < t->count; i++)
        if (t->rows[i].step.n > after && t->rows[i].verdict > VERDICT_ALLOW)
            return &t->rows[i];
    return NULL;
}

static void expect_verdict(const struct told *t, const struct flow_row *row, struct span says)
{
    struct span value, policies;
    if (jsonr_member(says, "verdict", &value) && jsonr_is_string(value))
        cr_expect(jsonr_string_is(value, verdict_word(row->verdict)), "%s: step %d is %s, not %.*s",
                  t->where, (int)row->step.n, verdict_word(row->verdict), SPAN_ARG(value));
    if (!jsonr_member(says, "policies", &policies))
        return;
    if (jsonr_member(policies, "P-T", &value))
        cr_expect(jsonr_string_is(value, verdict_word(row->trusted_action)),
                  "%s: step %d: P-T is %s", t->where, (int)row->step.n,
                  verdict_word(row->trusted_action));
    if (jsonr_member(policies, "P-F", &value))
        cr_expect(jsonr_string_is(value, verdict_word(row->permitted_flow)),
                  "%s: step %d: P-F is %s", t->where, (int)row->step.n,
                  verdict_word(row->permitted_flow));
}

static void expect_violations(const struct told *t, struct span block)
{
    struct span list, at;
    struct jsonr_items items;
    int64_t after = 0;
    if (!jsonr_member(block, "violations", &list) || jsonr_type(list) == JSONR_NULL)
        return;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items);) {
        const struct flow_row *row = next_violation(t, after);
        cr_assert(jsonr_member(items.value, "at", &at));
        int64_t n = step_of(t, at);
        cr_expect_eq(row ? row->step.n : 0, n, "%s: violation at %d (%.*s), expected at %d %.*s",
                     t->where, row ? (int)row->step.n : 0, row ? (int)row->step.tool.len : 0,
                     row ? row->step.tool.at : "", (int)n, SPAN_ARG(at));
        if (!row)
            return;
        expect_verdict(t, row, items.value);
        after = row->step.n;
    }
    const struct flow_row *more = next_violation(t, after);
    cr_expect_null(more, "%s: a violation more at %d (%.*s)", t->where,
                   more ? (int)more->step.n : 0, more ? (int)more->step.tool.len : 0,
                   more ? more->step.tool.at : "");
}

/* ---- findings ---- */

static bool evidence_has(struct span detail, int64_t n, struct span pointer)
{
    struct span list, value;
    struct jsonr_items items;
    int64_t step;
    if (!jsonr_member(detail, "evidence", &list))
        return false;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items);)
        if (jsonr_member(items.value, "step", &value) && jsonr_int(value, &step) && step == n &&
            (!pointer.len ||
             (jsonr_member(items.value, "pointer", &value) && span_equal(value, pointer))))
            return true;
    return false;
}

static bool finding_fits(const struct told *t, const struct finding_view *f, struct span says)
{
    struct span value, pointer = SPAN_EMPTY;
    struct buf code = {0};
    bool fits = jsonr_member(says, "code", &value) && jsonr_string(value, &code, NULL) &&
                span_starts_with(f->code, buf_span(&code));
    buf_finish(&code);
    int64_t n = 0;
    if (jsonr_member(says, "at", &value)) {
        n = step_of(t, value);
        fits = fits && n && f->n == n;
    }
    if (jsonr_member(says, "pointer", &pointer))
        fits = fits && evidence_has(f->detail, n, pointer);
    return fits;
}

static void expect_sources(const struct told *t, struct span says)
{
    struct span list;
    struct jsonr_items items;
    if (!jsonr_member(says, "sources", &list))
        return;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items);) {
        int64_t source = step_of(t, items.value);
        bool there = false;
        for (size_t i = 0; i < t->finding_count && !there; i++)
            there = finding_fits(t, &t->findings[i], says) &&
                    evidence_has(t->findings[i].detail, source, SPAN_EMPTY);
        cr_expect(there, "%s: %.*s is not among the sources of %.*s", t->where,
                  SPAN_ARG(items.value), SPAN_ARG(says));
    }
}

static void expect_findings(const struct told *t, struct span block, const char *name, bool wanted)
{
    struct span list;
    struct jsonr_items items;
    if (!jsonr_member(block, name, &list))
        return;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items);) {
        const struct finding_view *found = NULL;
        for (size_t i = 0; i < t->finding_count && !found; i++)
            found = finding_fits(t, &t->findings[i], items.value) ? &t->findings[i] : NULL;
        cr_expect_eq(found != NULL, wanted, "%s: %s: %.*s%s%.*s (step %d)", t->where, name,
                     SPAN_ARG(items.value), found ? " found: " : " not found",
                     found ? (int)found->message.len : 0, found ? found->message.at : "",
                     found ? (int)found->n : 0);
        if (wanted)
            expect_sources(t, items.value);
    }
}

/* ---- a sample ---- */

static void expect_block(struct case_file *c, const char *where, struct span policy_name,
                         struct span block)
{
    struct err err = {0};
    struct told t = {0};
    struct span unclaimed;
    int64_t count, session;
    const char *name = arena_cstr(&t.arena, policy_name);
    t.where = arena_printf(&t.arena, "%s, %s", where, name);
    struct policy *policy = policy_load(name, &err);
    cr_assert(policy, "%s: %s", err.where, err.what);
    cr_assert(query_session_find(c, SPAN_EMPTY, &session, &err), "%s: %s", t.where, err.what);
    struct review *review = review_open(c, session, policy, true, NULL, NULL, &err);
    cr_assert(review, "%s: %s: %s", t.where, err.where, err.what);
    cr_assert(review_check(review, NULL, NULL, &err), "%s: %s", t.where, err.what);
    t.rows = NEW_ARRAY(struct flow_row, ROWS);
    t.count = review_rows(review, 1, ROWS, 0, &t.arena, t.rows, &err);
    cr_assert(t.count > 0, "%s: no steps", t.where);
    cr_assert(review_findings(review, 0, &t.arena, &t.findings, &t.finding_count, &err));
    cr_assert(review_summary(review, &t.summary, &err));
    expect_step(&t, block, "first_untrusted", t.summary.first_untrusted);
    expect_step(&t, block, "first_private", t.summary.first_private);
    expect_violations(&t, block);
    expect_findings(&t, block, "findings", true);
    expect_findings(&t, block, "absent", false);
    if (jsonr_member(block, "unclaimed", &unclaimed) && jsonr_int(unclaimed, &count))
        cr_expect_eq(t.summary.unclaimed, count, "%s: unclaimed is %d", t.where,
                     (int)t.summary.unclaimed);
    review_close(review);
    policy_destroy(policy);
    mem_free(t.rows);
    arena_finish(&t.arena);
}

static size_t paths_of(struct span expected, const char *member, const char *folder,
                       struct arena *arena, const char **paths, size_t room)
{
    struct span list;
    struct jsonr_items items;
    size_t count = 0;
    if (!jsonr_member(expected, member, &list))
        return 0;
    for (jsonr_items_init(&items, list); jsonr_items_next(&items) && count < room;) {
        struct buf path = {0};
        buf_addf(&path, "%s/", folder);
        cr_assert(jsonr_string(items.value, &path, NULL));
        paths[count++] = arena_cstr(arena, buf_span(&path));
        buf_finish(&path);
    }
    return count;
}

static void expect_sample(const char *file)
{
    struct err err = {0};
    struct arena arena = {0};
    struct buf text = {0};
    struct import_totals totals;
    struct import_options options = {0};
    const char *paths[16];
    struct span expected, policies, sessions;
    struct jsonr_items items;
    cr_assert(files_read(file, &text), "%s", file);
    expected = buf_span(&text);
    const char *folder = arena_cstr(&arena, span_from(file, strrchr(file, '/')));
    struct case_file *c = case_temporary(&err);
    cr_assert(c);
    size_t count = paths_of(expected, "logs", folder, &arena, paths, COUNT_OF(paths));
    if (jsonr_member(expected, "sessions", &sessions) && span_is(sessions, "1") && count > 1)
        options.session = "sample";
    cr_assert(import_logs(c, paths, count, &options, &totals, &err), "%s: %s: %s", file, err.where,
              err.what);
    count = paths_of(expected, "evidence", folder, &arena, paths, COUNT_OF(paths));
    if (count)
        cr_assert(import_evidence(c, paths, count, &totals, &err), "%s: %s", file, err.what);
    if (span_is(sessions, "1") && jsonr_member(expected, "policies", &policies))
        for (jsonr_items_init(&items, policies); jsonr_items_next(&items);)
            expect_block(c, strstr(file, "samples/") + 8, items.name, items.value);
    case_close(c);
    buf_finish(&text);
    arena_finish(&arena);
}

Test(samples, expected)
{
    struct buf path = {0};
    int seen = 0;
    char *roots[] = {(char *)files_project("samples", &path), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    cr_assert(walk);
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_info == FTS_F && strcmp(entry->fts_name, "expected.json") == 0) {
            const char *only = getenv("STRANDLINE_SAMPLE"); /* while working on one */
            if (only && !strstr(entry->fts_path, only))
                continue;
            expect_sample(entry->fts_path);
            seen++;
        }
    fts_close(walk);
    buf_finish(&path);
    cr_expect(seen >= 2 || getenv("STRANDLINE_SAMPLE"), "the samples are not there");
}
