/* Which steps a filter lets through. */
#include <string.h>

#include "base/ascii.h"
#include "model/case/store.h"
#include "model/query/filter_internal.h"
#include "model/query/review_internal.h"

/* A step that is being looked at. */
struct filter_candidate {
    struct review *r;
    struct stmt *row;
    int64_t n;
    struct buf text, folded; /* body as it is, and in lower case */
    bool has_text, has_folded;
    size_t read; /* bytes of all texts so far */
    struct err *err;
    bool failed;
};

enum {
    COLUMN_N,
    COLUMN_ID,
    COLUMN_KIND,
    COLUMN_TOOL,
    COLUMN_SERVER,
    COLUMN_OUTCOME,
    COLUMN_ERROR,
    COLUMN_FLAGS,
    COLUMN_TIME,
    COLUMN_SOURCE,
    COLUMN_OFFSET,
    COLUMN_LENGTH,
    COLUMN_RECIPE,
    COLUMN_LABEL,
    COLUMN_AFTER,
    COLUMN_ORIGIN,
    COLUMN_VERDICT,
    COLUMN_CHANGED,
};
enum { FILTER_TEXT_MOST = 1 << 20 }; /* bytes read in one call: some milliseconds */
#define FILTER_COLUMNS                                                                             \
    "SELECT s.n, s.id, s.kind, s.tool, server.name, s.outcome, s.is_error, s.flags,"               \
    " s.time_ns + clock_offset_ns, s.source_id, s.offset, s.length, s.recipe,"                     \
    " d.label_id, d.after_id, d.origin, d.verdict, d.changed"                                      \
    " FROM step s CROSS JOIN run_step d ON d.run_id=?2 AND d.n = s.n"                              \
    " JOIN source ON source.id = s.source_id LEFT JOIN server ON server.id = s.server_id"

/* `*` and `?` against all of text, without case; the pattern is in lower case. No backtracking
 * beyond the last star. */
static bool matches(struct span pattern, struct span text)
{
    size_t p = 0, t = 0, star = pattern.len, retry = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.at[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.len &&
                   (pattern.at[p] == '?' || pattern.at[p] == ascii_lower(text.at[t]))) {
            p++;
            t++;
        } else if (star < pattern.len) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.at[p] == '*')
        p++;
    return p == pattern.len;
}

/* ---- text ---- */

/* The tool's name, a newline, the body. What can't be read has no text. */
static void load_text(struct filter_candidate *c)
{
    if (c->has_text)
        return;
    struct extent at = {stmt_int(c->row, COLUMN_SOURCE), (uint64_t)stmt_int(c->row, COLUMN_OFFSET),
                        (uint64_t)stmt_int(c->row, COLUMN_LENGTH),
                        stmt_text(c->row, COLUMN_RECIPE)};
    struct err unread = {0};
    buf_clear(&c->text);
    buf_add(&c->text, stmt_text(c->row, COLUMN_TOOL));
    buf_byte(&c->text, '\n');
    case_read(c->r->c, &at, 0, &c->text, NULL, &unread);
    c->read += c->text.len;
    c->has_text = true;
}

static void fold_text(struct filter_candidate *c)
{
    load_text(c);
    if (c->has_folded)
        return;
    buf_clear(&c->folded);
    char *to = buf_reserve(&c->folded, c->text.len);
    for (size_t i = 0; i < c->text.len; i++)
        to[i] = ascii_lower(c->text.at[i]);
    c->folded.len = c->text.len;
    c->has_folded = true;
}

static bool holds_text(struct filter_candidate *c, const struct choice *choice)
{
    if (!choice->pattern) {
        fold_text(c);
        return memmem(c->folded.at, c->folded.len, choice->text.at, choice->text.len) != NULL;
    }
    load_text(c);
    return pattern_finds(choice->pattern, buf_span(&c->text));
}

/* ---- labels, findings, evidence ---- */

static bool holds_label(struct filter_candidate *c, int column, int64_t asks)
{
    struct label label;
    if (stmt_is_null(c->row, column))
        return asks == ASKS_NONE;
    if (!labels_at(&c->r->labels, stmt_int(c->row, column), &label, c->err)) {
        c->failed = true;
        return false;
    }
    switch ((enum filter_label)asks) {
    case ASKS_UNTRUSTED:
        return label.integrity == UNTRUSTED;
    case ASKS_TRUSTED:
        return label.integrity == TRUSTED;
    case ASKS_PRIVATE:
        return label_is_private(label);
    case ASKS_PUBLIC:
        return label_is_public(label);
    case ASKS_NONE:
        break;
    }
    return false;
}

static bool holds_finding(struct filter_candidate *c, const struct choice *choice)
{
    struct stmt *stmt = db_stmt(
        case_db(c->r->c),
        "SELECT code, severity FROM finding WHERE run_id=?1 AND n=?2 AND suppressed IS NULL",
        c->err);
    int row = -1;
    bool found = false;
    if (stmt) {
        stmt_bind_int(stmt, 1, c->r->run.id);
        stmt_bind_int(stmt, 2, c->n);
        while (!found && (row = stmt_step(stmt, c->err)) > 0)
            found = choice->number >= 0 ? stmt_int(stmt, 1) >= choice->number
                                        : matches(choice->text, stmt_text(stmt, 0));
        stmt_finish(stmt);
    }
    c->failed |= row < 0;
    return found;
}

static bool holds_evidence(struct filter_candidate *c, const struct choice *choice)
{
    enum { ANY, OK, BAD };
    struct stmt *stmt = db_stmt(
        case_db(c->r->c),
        "SELECT verdict, failed FROM evidence_ref LEFT JOIN evidence_verdict ON ref_id = id WHERE step_id=?1",
        c->err);
    int row = -1;
    bool found = false;
    if (stmt) {
        stmt_bind_int(stmt, 1, stmt_int(c->row, COLUMN_ID));
        while (!found && (row = stmt_step(stmt, c->err)) > 0)
            found = choice->number == ANY   ? true
                    : choice->number == OK  ? span_is(stmt_text(stmt, 0), "recomputed")
                    : choice->number == BAD ? stmt_int(stmt, 1) != 0
                                            : matches(choice->text, stmt_text(stmt, 0));
        stmt_finish(stmt);
    }
    c->failed |= row < 0;
    return found;
}

/* Of a reference, in whatever form it is written there, or of a definition in its canonical form.
 */
static bool holds_digest(struct filter_candidate *c, const struct digest *wanted)
{
    struct stmt *stmt =
        db_stmt(case_db(c->r->c),
                "SELECT digest, NULL FROM evidence_ref WHERE step_id=?1 AND digest IS NOT NULL"
                " UNION ALL SELECT NULL, digest FROM definition WHERE step_id=?1",
                c->err);
    int row = -1;
    bool found = false;
    if (stmt) {
        struct span bytes = {(const char *)wanted->bytes, wanted->len};
        struct digest held;
        unsigned lints;
        stmt_bind_int(stmt, 1, stmt_int(c->row, COLUMN_ID));
        while (!found && (row = stmt_step(stmt, c->err)) > 0)
            found =
                stmt_is_null(stmt, 0)
                    ? wanted->algorithm == DIGEST_SHA256 && span_equal(stmt_blob(stmt, 1), bytes)
                    : digest_parse(stmt_text(stmt, 0), &held, &lints) == DIGEST_OK &&
                          digest_equal(&held, wanted);
        stmt_finish(stmt);
    }
    c->failed |= row < 0;
    return found;
}

static bool holds_state(struct filter_candidate *c, int64_t state)
{
    int64_t flags = stmt_int(c->row, COLUMN_FLAGS);
    struct span outcome = stmt_text(c->row, COLUMN_OUTCOME);
    switch ((enum filter_state)state) {
    case STATE_ERROR:
        return stmt_int(c->row, COLUMN_ERROR) != 0;
    case STATE_TRUNCATED:
        return flags & ROW_TRUNCATED;
    case STATE_REDACTED:
        return flags & ROW_REDACTED;
    case STATE_SIDECHAIN:
        return flags & ROW_SIDECHAIN;
    case STATE_CHANGE:
        return stmt_int(c->row, COLUMN_CHANGED) != 0;
    case STATE_COMPLETED:
        return span_is(outcome, outcome_word(OUTCOME_COMPLETED));
    case STATE_FAILED:
        return span_is(outcome, outcome_word(OUTCOME_FAILED));
    case STATE_REFUSED:
        return span_is(outcome, outcome_word(OUTCOME_REFUSED));
    case STATE_UNANSWERED:
        return span_is(outcome, outcome_word(OUTCOME_UNANSWERED));
    case STATE_COUNT:
        break;
    }
    return false;
}

/* ---- terms ---- */

static bool holds(struct filter_candidate *c, enum filter_field field, const struct choice *choice)
{
    struct stmt *row = c->row;
    switch (field) {
    case FIELD_TOOL:
        return matches(choice->text, stmt_text(row, COLUMN_TOOL));
    case FIELD_SERVER:
        return matches(choice->text, stmt_text(row, COLUMN_SERVER));
    case FIELD_KIND:
        return span_is(stmt_text(row, COLUMN_KIND), step_kind_word((enum step_kind)choice->number));
    case FIELD_LABEL:
        return holds_label(c, COLUMN_LABEL, choice->number);
    case FIELD_CONTEXT:
        return holds_label(c, COLUMN_AFTER, choice->number);
    case FIELD_ORIGIN:
        return span_is(stmt_text(row, COLUMN_ORIGIN),
                       label_origin_word((enum label_origin)choice->number));
    case FIELD_VERDICT:
        return span_is(stmt_text(row, COLUMN_VERDICT), verdict_word((enum verdict)choice->number));
    case FIELD_FINDING:
        return holds_finding(c, choice);
    case FIELD_EVIDENCE:
        return holds_evidence(c, choice);
    case FIELD_DIGEST:
        return holds_digest(c, &choice->digest);
    case FIELD_IS:
        return holds_state(c, choice->number);
    case FIELD_SINCE: /* a step without a time is neither since nor before */
        return !stmt_is_null(row, COLUMN_TIME) && stmt_int(row, COLUMN_TIME) >= choice->number;
    case FIELD_BEFORE:
        return !stmt_is_null(row, COLUMN_TIME) && stmt_int(row, COLUMN_TIME) < choice->number;
    case FIELD_TEXT:
        return holds_text(c, choice);
    case FIELD_COUNT:
        break;
    }
    return false;
}

static bool passes(struct filter_candidate *c, const struct filter *filter)
{
    c->has_text = c->has_folded = false;
    for (size_t i = 0; i < filter->count && !c->failed; i++) {
        const struct term *term = &filter->terms[i];
        bool any = false;
        for (size_t k = 0; k < term->count && !any; k++)
            any = holds(c, term->field, &term->choices[k]);
        if (any == term->negated)
            return false;
    }
    return !c->failed;
}

long review_filter(struct review *r, const struct filter *filter, int64_t from, bool forward,
                   size_t budget, int64_t *steps, size_t room, int64_t *looked_to, struct err *err)
{
    static const char up[] =
        FILTER_COLUMNS " WHERE s.session_id=?1 AND s.n>=?3 ORDER BY s.n LIMIT ?4";
    static const char down[] =
        FILTER_COLUMNS " WHERE s.session_id=?1 AND s.n<=?3 ORDER BY s.n DESC LIMIT ?4";
    struct stmt *stmt = db_stmt(case_db(r->c), forward ? up : down, err);
    if (!stmt)
        return -1;
    stmt_bind_int(stmt, 1, r->session);
    stmt_bind_int(stmt, 2, r->run.id);
    stmt_bind_int(stmt, 3, forward || from < review_steps(r) ? from : review_steps(r));
    stmt_bind_int(stmt, 4, budget > INT64_MAX ? INT64_MAX : (int64_t)budget);
    struct filter_candidate c = {.r = r, .row = stmt, .err = err};
    size_t found = 0, rows = 0;
    int row = 1;
    *looked_to = forward ? from - 1 : from + 1;
    while (found < room && !c.failed && c.read < FILTER_TEXT_MOST &&
           (row = stmt_step(stmt, err)) > 0) {
        c.n = stmt_int(stmt, COLUMN_N);
        if (c.n < 1 || c.n > review_steps(r)) { /* no step of this review: a case may say any n */
            row = 0;
            break;
        }
        if (passes(&c, filter))
            steps[found++] = c.n;
        *looked_to = c.n;
        rows++;
    }
    if (row == 0 && rows < budget) /* that was all, though steps of a broken case be missing */
        *looked_to = !forward ? 0 : review_steps(r) > *looked_to ? review_steps(r) : *looked_to;
    stmt_finish(stmt);
    buf_finish(&c.text);
    buf_finish(&c.folded);
    return row < 0 || c.failed ? -1 : (long)found;
}
