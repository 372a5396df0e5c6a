#include "cli/render.h"

#include "base/text.h"
#include "base/timefmt.h"
#include "tui/preview.h"

void render_head(struct json *j, const char *schema, const struct policy *policy)
{
    char name[64];
    snprintf(name, sizeof name, "strandline/%s/1", schema);
    json_word(j, "schema", name);
    json_word(j, "version", STRANDLINE_VERSION);
    if (!policy)
        return;
    json_word(j, "policy", policy_name(policy));
    json_word(j, "policy_digest", policy_digest(policy));
    const char *catalogue = policy_catalogue_digest(policy);
    json_word(j, "catalogue_digest", *catalogue ? catalogue : NULL);
}

void render_begin(struct json *j, const char *schema, const struct policy *policy)
{
    json_init(j, stdout, true);
    json_object(j, NULL);
    render_head(j, schema, policy);
}

void render_label(struct json *j, const char *key, const struct label_pool *pool,
                  struct label label, const char *origin, struct span rule)
{
    struct buf text = {0};
    label_json(&text, pool, label);
    if (origin && text.len && text.at[text.len - 1] == '}') {
        text.len--;
        buf_addf(&text, ",\"origin\":\"%s\",\"rule\":", origin);
        if (rule.len)
            jsonr_quote(&text, rule);
        else
            buf_puts(&text, "null");
        buf_byte(&text, '}');
    }
    json_raw(j, key, buf_span(&text));
    buf_finish(&text);
}

bool render_context(struct json *j, const char *key, struct review *review, struct label context,
                    int64_t n, struct err *err)
{
    enum label_origin origin;
    struct span rule;
    if (!review_context_origin(review, n, &origin, &rule, err))
        return false;
    render_label(j, key, review_labels(review), context, label_origin_word(origin), rule);
    return true;
}

void render_time(struct json *j, const char *key, int64_t ns, int digits)
{
    if (digits < 0) {
        json_null(j, key);
        return;
    }
    struct buf text = {0};
    time_print(&text, ns, digits);
    json_string(j, key, buf_span(&text));
    buf_finish(&text);
}

/* The start of the text, in so many columns; `more` says that it is itself the start of something.
 */
static void add_start(struct buf *out, struct span text, size_t columns, bool more)
{
    struct glyph glyph;
    bool cut = text_columns(text, false) > columns;
    for (size_t used = cut; text_next(&text, &glyph, false); used += glyph.width) {
        if (used + glyph.width > columns)
            break;
        buf_add(out, (struct span){glyph.show, glyph.show_len});
    }
    buf_puts(out, cut ? "…" : more ? " …" : "");
}

void render_preview(struct buf *out, const struct flow_row *row, size_t columns)
{
    struct buf text = {0};
    if (row->step.kind == STEP_TOOL_CALL)
        buf_add(&text, row->preview);
    else
        preview_text(row->preview, &text);
    add_start(out, span_trim(buf_span(&text)), columns, row->preview_cut);
    buf_finish(&text);
}

const char *render_role(unsigned role)
{
    static const char *const words[] = {"neither", "consequential", "egress",
                                        "consequential, egress"};
    return words[role & 3];
}

void render_badges(struct buf *out, const struct flow_row *row)
{
    if (row->evidence_ok)
        buf_addf(out, "%s%d recomputed", out->len ? ", " : "", row->evidence_ok);
    if (row->evidence_bad)
        buf_addf(out, "%s%d evidence failed", out->len ? ", " : "", row->evidence_bad);
    int open = row->evidence_count - row->evidence_ok - row->evidence_bad;
    if (open > 0)
        buf_addf(out, "%s%d evidence not held", out->len ? ", " : "", open);
}

enum tint render_verdict_tint(enum verdict verdict)
{
    return verdict == VERDICT_DENY ? TINT_BAD : verdict == VERDICT_ASK ? TINT_WARN : TINT_PLAIN;
}

void render_row_label(struct buf *out, const struct label_pool *pool, const struct flow_row *row)
{
    if (!row->has_label)
        return;
    if (row->origin == ORIGIN_NONE) /* not claimed is not claimed to be trusted */
        buf_puts(out, "no claim");
    else
        label_text(out, pool, row->label);
}

/* "claims" of a step: the join of what the booleans say, null where nothing is claimed. */
static enum tri claimed(const struct claim_view *claims, size_t count, const char *name)
{
    enum tri all = TRI_ABSENT;
    for (size_t i = 0; i < count; i++) {
        if (!span_is(claims[i].shape, "trust") || !span_is(claims[i].name, name))
            continue;
        if (span_is(claims[i].value, "true"))
            all = TRI_TRUE;
        else if (span_is(claims[i].value, "false") && all == TRI_ABSENT)
            all = TRI_FALSE;
    }
    return all;
}

static void render_tri(struct json *j, const char *key, enum tri value)
{
    if (value == TRI_ABSENT)
        json_null(j, key);
    else
        json_bool(j, key, value == TRI_TRUE);
}

static void render_policies(struct json *j, const struct flow_row *row,
                            const struct replay_out *why, const struct label_pool *pool)
{
    const struct {
        const char *name;
        enum verdict verdict;
    } both[] = {{"P-T", row->trusted_action}, {"P-F", row->permitted_flow}};
    json_array(j, "policies");
    for (size_t i = 0; i < COUNT_OF(both); i++) {
        if (both[i].verdict == VERDICT_NONE)
            continue;
        struct buf reason = {0};
        for (size_t k = 0; why && k < why->reason_count; k++)
            if (strncmp(why->reasons[k].rule, both[i].name, 3) == 0) {
                if (reason.len)
                    buf_puts(&reason, "; ");
                reason_sentence(&reason, pool, &row->step, &why->reasons[k]);
            }
        json_object(j, NULL);
        json_word(j, "policy", both[i].name);
        json_word(j, "verdict", verdict_word(both[i].verdict));
        json_string(j, "reason", buf_span(&reason));
        json_end(j);
        buf_finish(&reason);
    }
    json_end(j);
}

static void render_roles(struct json *j, const struct flow_row *row)
{
    json_array(j, "role");
    if (row->role & ROLE_CONSEQUENTIAL)
        json_word(j, NULL, "consequential");
    if (row->role & ROLE_EGRESS)
        json_word(j, NULL, "egress");
    json_end(j);
    json_word(j, "role_origin",
              row->role_origin == ROLE_FROM_NONE ? NULL : role_origin_word(row->role_origin));
    json_string(j, "audience", row->audience.len ? row->audience : (struct span){0});
}

static void render_source(struct json *j, const struct flow_row *row)
{
    json_object(j, "source");
    json_string(j, "file", row->file);
    json_int_or_null(j, "line", (int64_t)row->step.line, row->step.line > 0);
    json_int(j, "offset", (int64_t)row->step.whole.offset);
    json_int(j, "length", (int64_t)row->step.whole.length);
    json_end(j);
}

static bool render_attached(struct json *j, struct review *review, const struct flow_row *row,
                            struct arena *arena, struct err *err)
{
    struct evidence_view *evidence = NULL;
    struct finding_view *findings = NULL;
    size_t evidence_count = 0, finding_count = 0;
    if (row->evidence_count &&
        !review_evidence(review, row->step.n, arena, &evidence, &evidence_count, err))
        return false;
    if (row->finding_count &&
        !review_findings(review, row->step.n, arena, &findings, &finding_count, err))
        return false;
    json_array(j, "evidence");
    for (size_t i = 0; i < evidence_count; i++) {
        json_object(j, NULL);
        json_string(j, "type", evidence[i].type);
        json_string(j, "status", evidence[i].verdict);
        json_end(j);
    }
    json_end(j);
    json_array(j, "findings");
    for (size_t i = 0; i < finding_count; i++)
        json_string(j, NULL, findings[i].code);
    json_end(j);
    return true;
}

bool render_step(struct json *j, struct review *review, struct span session,
                 const struct flow_row *row, struct err *err)
{
    const struct step *step = &row->step;
    struct label_pool *pool = review_labels(review);
    struct arena arena = {0};
    struct claim_view *claims = NULL;
    size_t claim_count = 0;
    struct replay_out why = {0};
    struct flow_row again;
    bool judged = row->verdict != VERDICT_NONE;
    bool ok = review_claims(review, step->n, &arena, &claims, &claim_count, err) &&
              ((!judged && !row->has_label) || review_explain(review, step->n, &again, &why, err));
    if (!ok)
        goto done;
    json_string(j, "session", session);
    json_int(j, "step", step->n);
    render_time(j, "time", step->time_ns, step->time_digits);
    json_string(j, "server", step->server.len ? step->server : (struct span){0});
    json_word(j, "kind", step_kind_word(step->kind));
    json_string(j, "tool", step->tool.len ? step->tool : (struct span){0});
    if (step->call_n || step->kind == STEP_TOOL_RESULT) /* null: the call is not in the record */
        json_int_or_null(j, "call_step", step->call_n, step->call_n > 0);
    render_roles(j, row);
    json_object(j, "claims");
    render_tri(j, "untrusted", claimed(claims, claim_count, "untrusted"));
    render_tri(j, "sensitive", claimed(claims, claim_count, "sensitive"));
    json_end(j);
    if (row->has_label)
        render_label(j, "label", pool, row->label, label_origin_word(row->origin), row->rule);
    else
        json_null(j, "label");
    if (!render_context(j, "context_before", review, row->before, step->n - 1, err) ||
        !render_context(j, "context_after", review, row->after, step->n, err)) {
        ok = false;
        goto done;
    }
    json_int(j, "unclaimed", row->unclaimed);
    json_word(j, "verdict", verdict_word(row->verdict));
    render_policies(j, row, judged ? &why : NULL, pool);
    json_word(j, "outcome", step->outcome == OUTCOME_NONE ? NULL : outcome_word(step->outcome));
    json_word(j, "approved", step->approved ? "person" : NULL);
    json_int_or_null(j, "result_step", step->result_n, step->result_n > 0);
    ok = render_attached(j, review, row, &arena, err);
    render_source(j, row);
done:
    arena_finish(&arena);
    return ok;
}

void render_finding(struct json *j, struct span session, const struct finding_view *f)
{
    struct span evidence = SPAN("[]"), refs = SPAN("[]"), policy = {0};
    jsonr_member(f->detail, "evidence", &evidence);
    jsonr_member(f->detail, "refs", &refs);
    json_string(j, "id", f->id);
    json_string(j, "code", f->code);
    json_word(j, "severity", severity_word(f->severity));
    json_string(j, "session", session);
    json_int_or_null(j, "step", f->n, f->n > 0);
    json_string(j, "message", f->message);
    json_raw(j, "evidence", evidence);
    if (jsonr_member(f->detail, "policy", &policy))
        json_raw(j, "policy", policy);
    else
        json_null(j, "policy");
    json_raw(j, "refs", refs);
    json_string(j, "suppressed", f->suppressed);
}
