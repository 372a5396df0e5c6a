/* One session of the small model: its rows, what if, search and filter. */
#include "tests/unit/fake_internal.h"

/* ---- a review ---- */

struct review *review_open(struct case_file *c, int64_t session, const struct policy *policy,
                           bool recompute, review_progress progress, void *arg, struct err *err)
{
    (void)c, (void)policy, (void)recompute, (void)progress, (void)arg, (void)err;
    struct review *r = NEW(struct review);
    r->session = &fake_sessions[session - 1];
    r->pool = label_pool_create();
    struct span marker = SPAN("github:octo-demo/payroll-notes");
    r->marker = set_of(r->pool, &marker, 1);
    for (int64_t n = 1; n <= fake_steps_of(r->session); n++) {
        const struct fake_step *s = fake_step_at(r->session, n);
        if (s->has_label && s->untrusted && !r->first_untrusted)
            r->first_untrusted = n;
        if (s->has_label && s->is_private && !r->first_private)
            r->first_private = n;
    }
    return r;
}

bool review_check(struct review *r, review_progress progress, void *arg, struct err *err)
{
    (void)r, (void)progress, (void)arg, (void)err;
    return true;
}

int review_check_some(struct review *r, struct slice *slice, int64_t *done, struct err *err)
{
    (void)slice;
    (void)r, (void)done, (void)err;
    return 0;
}

bool review_is_checked(const struct review *r)
{
    (void)r;
    return true;
}

void review_close(struct review *r)
{
    if (!r)
        return;
    label_pool_destroy(r->pool);
    mem_free(r);
}

int64_t review_steps(const struct review *r)
{
    return fake_steps_of(r->session);
}
struct label_pool *review_labels(struct review *r)
{
    return r->pool;
}
size_t policy_builtin_count(void)
{
    return 1;
}
const char *policy_builtin_name(size_t index)
{
    (void)index;
    return "fides";
}
const char *policy_builtin_summary(size_t index)
{
    (void)index;
    return "what came from outside is untrusted";
}
void policy_destroy(struct policy *policy)
{
    (void)policy;
}

struct policy *policy_load(const char *name, struct err *err)
{
    static char stands_for_one;
    if (strcmp(name, "fides") == 0)
        return (struct policy *)(void *)&stands_for_one;
    err_set(err, ERR_USAGE, name, "use fides", "there is no such policy");
    return NULL;
}

const char *policy_name(const struct policy *policy)
{
    return policy ? "fides" : "additive";
}

static int evidence_state(const struct fake_step *s) /* 1 ok, 0 unknown, -1 bad */
{
    return s->evidence == 1 ? 1 : s->evidence == 3 ? -1 : 0;
}

bool review_summary(struct review *r, struct review_summary *out, struct err *err)
{
    (void)err;
    *out = (struct review_summary){.steps = review_steps(r),
                                   .first_untrusted = r->first_untrusted,
                                   .first_private = r->first_private};
    for (int64_t n = 1; n <= out->steps; n++) {
        const struct fake_step *s = fake_step_at(r->session, n);
        if (s->verdict == VERDICT_DENY && !out->first_denied)
            out->first_denied = n;
        out->denied += s->verdict == VERDICT_DENY;
        out->asked += s->verdict == VERDICT_ASK;
        out->unclaimed += s->kind == STEP_TOOL_RESULT && s->origin == ORIGIN_NONE;
        out->evidence_refs += s->evidence > 0;
        out->evidence_recomputed += s->evidence == 1;
        out->evidence_failed += s->evidence == 3;
        if (s->finding)
            out->findings[s->severity]++;
    }
    return true;
}

struct label fake_label_at(struct review *r, int64_t n)
{
    struct label label = LABEL_PUBLIC;
    if (r->first_untrusted && n >= r->first_untrusted)
        label.integrity = UNTRUSTED;
    if (r->first_private && n >= r->first_private)
        label.markers = r->marker;
    return label;
}

static void fill_row(struct review *r, int64_t n, struct arena *arena, struct flow_row *row)
{
    const struct fake_step *s = fake_step_at(r->session, n);
    int64_t base = (n - 1) / r->session->count * r->session->count;
    *row = (struct flow_row){.worst = -1};
    row->step =
        (struct step){.id = n,
                      .session = 1,
                      .n = n,
                      .kind = s->kind,
                      .server = span_of(s->server),
                      .tool = span_of(s->tool),
                      .call_n = s->call_n ? s->call_n + base : 0,
                      .result_n = s->result_n ? s->result_n + base : 0,
                      .outcome = s->outcome,
                      .is_error = s->kind == STEP_TOOL_RESULT && s->body[0] == 'n',
                      .time_digits = s->time_ms < 0 ? -1 : 3,
                      .time_ns = 1779786720000000000 + s->time_ms * 1000000 + base * 120000000000,
                      .whole = {1, (uint64_t)n * 500, strlen(s->body), SPAN_EMPTY},
                      .line = (uint64_t)n + 3};
    row->has_label = s->has_label;
    row->label = LABEL_PUBLIC;
    if (s->untrusted)
        row->label.integrity = UNTRUSTED;
    if (s->is_private)
        row->label.markers = r->marker;
    row->before = fake_label_at(r, n - 1);
    row->after = fake_label_at(r, n);
    row->changed = (n == r->first_untrusted ? 1 : 0) | (n == r->first_private ? 2 : 0);
    row->origin = s->origin;
    row->role = s->role;
    row->role_origin = s->role ? ROLE_FROM_HINT : ROLE_FROM_NONE;
    row->audience = s->role & ROLE_EGRESS ? SPAN("public") : SPAN_EMPTY;
    row->audience_assumed = s->role & ROLE_EGRESS;
    row->verdict = row->trusted_action = s->verdict;
    row->permitted_flow = s->role & ROLE_EGRESS ? s->verdict : VERDICT_NONE;
    row->finding_count = s->finding ? 1 + (s->severity == SEVERITY_CRITICAL) : 0;
    if (s->finding)
        row->worst = (int)s->severity;
    row->evidence_count = s->evidence > 0;
    row->evidence_ok = evidence_state(s) > 0;
    row->evidence_bad = evidence_state(s) < 0;
    row->file = SPAN("logs/github.jsonl");
    struct span body = span_of(s->body);
    row->preview = arena_copy(arena, span_sub(body, 0, 400));
    row->preview_cut = body.len > 400;
}

long review_rows(struct review *r, int64_t n, size_t count, unsigned want, struct arena *arena,
                 struct flow_row *rows, struct err *err)
{
    (void)want, (void)err;
    long got = 0;
    for (; (size_t)got < count && n + got <= review_steps(r); got++)
        fill_row(r, n + got, arena, &rows[got]);
    return got;
}

bool review_explain(struct review *r, int64_t n, struct flow_row *row, struct replay_out *out,
                    struct err *err)
{
    static struct arena arena;
    (void)err;
    arena_reset(&arena);
    fill_row(r, n, &arena, row);
    r->reasons[0] = (struct reason){.rule = "IFC.integrity",
                                    .pointer = SPAN("/_meta/ifc/integrity"),
                                    .text = SPAN("untrusted"),
                                    .label = row->label};
    r->reasons[1] = (struct reason){
        .rule = "P-T", .pointer = SPAN_EMPTY, .text = SPAN_EMPTY, .label = row->label};
    *out =
        (struct replay_out){.has_label = row->has_label,
                            .label = row->label,
                            .origin = row->origin,
                            .before = row->before,
                            .after = row->after,
                            .role = row->role,
                            .verdict = row->verdict,
                            .asked = (row->role & ROLE_CONSEQUENTIAL ? ASKED_TRUSTED_ACTION : 0) |
                                     (row->role & ROLE_EGRESS ? ASKED_PERMITTED_FLOW : 0),
                            .reasons = r->reasons,
                            .reason_count = row->changed ? 1 : 0};
    if (row->verdict == VERDICT_DENY) {
        out->reasons = r->reasons + 1;
        out->reason_count = 1;
    }
    return true;
}

void replay_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                     const struct replay_out *result)
{
    (void)pool;
    if (result->verdict == VERDICT_DENY)
        buf_addf(
            out,
            "Denied: step %d changes something, and the context is untrusted since step 4. It was carried out.",
            (int)step->n);
    else if (!label_equal(result->before, result->after))
        buf_addf(out, "From here on the context is %s: the result of step %d says so.",
                 result->after.integrity && !result->before.integrity ? "untrusted" : "private",
                 (int)step->call_n);
    else
        buf_puts(out, "Nothing changes for the context here.");
}

void reason_sentence(struct buf *out, const struct label_pool *pool, const struct step *step,
                     const struct reason *reason)
{
    (void)pool, (void)step;
    buf_puts(out, reason->text.len ? "the server says "
                                   : "a consequential call needs a trusted context");
    buf_add(out, reason->text);
}

bool review_next(struct review *r, enum review_mark what, int64_t from, bool forward, int64_t *n,
                 struct err *err)
{
    (void)err;
    *n = 0;
    for (int64_t at = from + (forward ? 1 : -1); at >= 1 && at <= review_steps(r);
         at += forward ? 1 : -1) {
        const struct fake_step *s = fake_step_at(r->session, at);
        bool hit = what == MARK_VIOLATION      ? s->verdict >= VERDICT_ASK
                   : what == MARK_FINDING      ? s->finding != NULL
                   : what == MARK_EVIDENCE_BAD ? s->evidence == 3
                                               : at == r->first_untrusted || at == r->first_private;
        if (hit) {
            *n = at;
            return true;
        }
    }
    return true;
}

bool review_strip(struct review *r, struct strip_cell *cells, size_t count, struct err *err)
{
    (void)err;
    int64_t steps = review_steps(r);
    memset(cells, 0, count * sizeof *cells);
    for (int64_t n = 1; n <= steps; n++) {
        struct strip_cell *cell = &cells[(size_t)((n - 1) * (int64_t)count / steps)];
        const struct fake_step *s = fake_step_at(r->session, n);
        cell->untrusted |= fake_label_at(r, n).integrity == UNTRUSTED;
        cell->is_private |= label_is_private(fake_label_at(r, n));
        cell->denied |= s->verdict == VERDICT_DENY;
        cell->asked |= s->verdict == VERDICT_ASK;
        cell->finding |= s->finding != NULL;
    }
    return true;
}

/* ---- what if: enough to see one verdict and one finding go, and one come ---- */

bool review_whatif(struct review *r, const struct policy *policy, const struct whatif_edit *edits,
                   size_t count, review_progress progress, void *arg, struct arena *arena,
                   struct whatif *out, struct err *err)
{
    (void)policy, (void)progress, (void)arg, (void)err;
    *out = (struct whatif){.verdicts = arena_array(arena, 2, sizeof *out->verdicts),
                           .findings = arena_array(arena, 3, sizeof *out->findings)};
    out->was = (struct whatif_side){
        .first_untrusted = r->first_untrusted, .first_private = r->first_private, .denied = 2};
    out->is = out->was;
    out->was.context = fake_label_at(r, review_steps(r));
    if (count && edits[0].n != r->first_untrusted)
        return true;
    out->is.first_untrusted = 0;
    out->is.denied = 1;
    out->verdicts[0] = (struct whatif_verdict){.n = 12, .was = VERDICT_DENY, .is = VERDICT_ALLOW};
    out->verdicts[1] = (struct whatif_verdict){.n = 14, .was = VERDICT_DENY, .is = VERDICT_DENY};
    out->verdict_count = 2;
    out->findings[0] =
        (struct whatif_finding){WHATIF_DISAPPEARS,
                                NULL,
                                SPAN("1"),
                                SPAN("PT01"),
                                SPAN("A call that changes things, in an untrusted context."),
                                SEVERITY_HIGH,
                                12};
    out->findings[1] = (struct whatif_finding){
        WHATIF_APPEARS, NULL, SPAN("2"), SPAN("XX01"), SPAN(EVIL), SEVERITY_LOW, 0};
    out->findings[2] = (struct whatif_finding){
        WHATIF_STAYS,      NULL, SPAN("3"), SPAN("EX01"), SPAN("Private text is in the argument."),
        SEVERITY_CRITICAL, 14};
    out->finding_count = 3;
    return true;
}

/* ---- search and filter: plain words, and tool: ---- */

struct filter {
    struct buf text;
};

struct filter *filter_parse(struct span text, struct err *err)
{
    if (span_find(text, SPAN("bad:")) < text.len) {
        err_set(err, ERR_USAGE, NULL, NULL, "there is no filter word bad");
        return NULL;
    }
    struct filter *f = NEW(struct filter);
    buf_add(&f->text, text);
    return f;
}

void filter_destroy(struct filter *f)
{
    if (f)
        buf_finish(&f->text);
    mem_free(f);
}

long review_filter(struct review *r, const struct filter *f, int64_t from, bool forward,
                   size_t budget, int64_t *steps, size_t room, int64_t *looked_to, struct err *err)
{
    struct span text = buf_span(&f->text);
    if (text.len > 1 && text.at[0] == '"')
        text = span_sub(text, 1, text.len - 2);
    long got = 0;
    (void)err;
    for (int64_t n = from; n >= 1 && n <= review_steps(r) && budget && (size_t)got < room;
         n += forward ? 1 : -1, budget--) {
        const struct fake_step *s = fake_step_at(r->session, n);
        bool tool = span_starts_with(text, SPAN("tool:"));
        struct span in = span_of(tool ? s->tool : s->body),
                    what = tool ? span_sub(text, 5, text.len) : text;
        *looked_to = n;
        if (span_find(in, what) < in.len)
            steps[got++] = n;
    }
    return got;
}
