#include "base/mem.h"
#include "model/case/store.h"
#include "model/evidence/diagnose.h"
#include "model/evidence/jcs.h"
#include "model/query/review_internal.h"

/* The reference with its one record: everything is derived again from these. */
struct deriving {
    struct records *records;
    struct buf raw; /* the reference, as written */
    bool has_record;
    struct arena *arena;
};

static bool derive_load(struct case_file *c, int64_t ref, struct deriving *d, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT raw, source_id, offset, length, recipe, name FROM evidence_ref"
                " LEFT JOIN evidence_verdict ON ref_id = evidence_ref.id"
                " LEFT JOIN record ON record.id = record_id WHERE evidence_ref.id=?1",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, ref);
    int row = stmt_step(stmt, err);
    bool ok = row > 0;
    if (row == 0)
        err_set(err, ERR_INTERNAL, case_path(c), NULL, "there is no such evidence reference");
    if (ok) {
        buf_add(&d->raw, stmt_text(stmt, 0));
        d->has_record = !stmt_is_null(stmt, 1);
    }
    if (ok && d->has_record) {
        struct extent at = {stmt_int(stmt, 1), (uint64_t)stmt_int(stmt, 2),
                            (uint64_t)stmt_int(stmt, 3), stmt_text(stmt, 4)};
        struct buf bytes = {0};
        ok = case_read(c, &at, 0, &bytes, NULL, err);
        if (ok)
            records_add(d->records, buf_span(&bytes), stmt_text(stmt, 5), SPAN_EMPTY);
        buf_finish(&bytes);
    }
    stmt_finish(stmt);
    return ok;
}

static struct span derive_start(struct arena *arena, struct span bytes)
{
    return arena_copy(arena, span_sub(bytes, 0, DERIVATION_SHOWN));
}

static struct span digest_text(struct arena *arena, const struct digest *digest)
{
    struct buf text = {0};
    digest_write(&text, digest);
    struct span kept = arena_copy(arena, buf_span(&text));
    buf_finish(&text);
    return kept;
}

static const char *const change_words[JCS_CHANGE_KINDS] = {
    [JCS_SPACE] = "white space dropped",
    [JCS_NUMBER] = "number written anew",
    [JCS_STRING] = "string escaped anew",
    [JCS_MOVED] = "member moved",
};

/* JSON under JCS: what became of it, by position. */
static void derive_changes(struct deriving *d, struct span text, struct derivation *out)
{
    struct jcs *jcs = jcs_create();
    struct jcs_changes changes = {0};
    struct jcs_report report;
    struct buf canonical = {0};
    if (jcs_explain(jcs, text, &canonical, &report, &changes)) {
        out->changes_known = true;
        out->change_count = changes.count;
        size_t kept = changes.count < DERIVATION_CHANGES ? changes.count : DERIVATION_CHANGES;
        out->changes = arena_array(d->arena, kept + 1, sizeof *out->changes);
        for (size_t i = 0; i < kept; i++) {
            const struct jcs_change *c = &changes.at[i];
            out->changes[i] = (struct derivation_change){
                change_words[c->kind], c->kind == JCS_MOVED, c->in, c->in_len, c->out, c->out_len};
        }
        out->changes_kept = kept;
        for (int n = 0; n < JCS_NOTE_COUNT; n++)
            if (report.note[n].count)
                out->note[out->note_count++] = jcs_note_text((enum jcs_note)n);
    }
    jcs_changes_finish(&changes);
    jcs_destroy(jcs);
    buf_finish(&canonical);
}

static void derive_canonical(struct deriving *d, enum canonicalization canon,
                             struct derivation *out)
{
    const struct held_record *record = records_at(d->records, 0);
    struct buf bytes = {0};
    out->form = record->form == RECORD_CBOR ? "CBOR" : "JSON";
    out->record = derive_start(d->arena, record->bytes);
    out->record_len = record->bytes.len;
    out->why = record->why;
    out->why_at = record->why_at;
    out->encoded_again = record->form == RECORD_CBOR && record->hashable && !record->deterministic;
    if (records_canonical(d->records, 0, canon, &bytes)) {
        out->canonical = derive_start(d->arena, buf_span(&bytes));
        out->canonical_len = bytes.len;
        buf_clear(&bytes);
        if (canon == CANON_JCS && record->form == RECORD_JSON)
            derive_changes(d, record->bytes, out);
    } else if (record->hashable) {
        out->why = evidence_reason_text(EVIDENCE_REASON_NO_SUCH_FORM);
    }
    buf_finish(&bytes);
}

static void derive_diagnosis(struct deriving *d, const struct evidence_result *result,
                             struct derivation *out)
{
    struct diagnosing diagnosing;
    unsigned budget = DIAGNOSE_BUDGET_MS;
    if (!evidence_diagnose(result, d->records, &budget, &diagnosing))
        return;
    struct buf text = {0};
    out->diagnosed = true;
    out->tried = diagnosing.tried;
    out->out_of_time = diagnosing.out_of_time;
    if (diagnosing.found) {
        diagnosis_cause(&text, &diagnosing.diagnosis);
        out->cause = arena_copy(d->arena, buf_span(&text));
        buf_clear(&text);
        diagnosis_advice(&text, &diagnosing.diagnosis);
        out->advice = arena_copy(d->arena, buf_span(&text));
    }
    buf_finish(&text);
}

bool review_derive(struct review *r, int64_t ref, struct arena *arena, struct derivation *out,
                   struct err *err)
{
    *out = (struct derivation){.form = ""};
    struct deriving d = {.records = records_create(), .arena = arena};
    bool ok = derive_load(r->c, ref, &d, err);
    if (ok) {
        struct evidence_ref parsed;
        struct evidence_result result;
        const struct evidence_options options = {.offered = d.has_record ? 0 : RECORD_NONE};
        evidence_ref_read(buf_span(&d.raw), arena, &parsed);
        evidence_verify(&parsed, d.records, &options, &result);
        if (result.declared_known) {
            out->canonicalization = canonicalization_name(result.declared);
            out->algorithm = digest_algorithm_name(result.wanted.algorithm);
            out->wanted = digest_text(arena, &result.wanted);
        }
        if (d.has_record && result.declared_known) {
            derive_canonical(&d, result.declared, out);
            if (result.computed_known) {
                out->computed = digest_text(arena, &result.computed);
                out->same = digest_equal(&result.computed, &result.wanted);
            }
            if (result.verdict == EVIDENCE_CANONICALIZATION_MISMATCH) {
                out->matches_under = canonicalization_name(result.matched);
                out->advice = SPAN(DIAGNOSIS_CANON_ADVICE);
            }
            derive_diagnosis(&d, &result, out);
        }
    }
    records_destroy(d.records);
    buf_finish(&d.raw);
    return ok;
}
