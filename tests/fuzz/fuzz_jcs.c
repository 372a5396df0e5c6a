/* RFC 8785: canonical once is canonical for good; what is explained is true; and a second writer,
 * made for other ends, gives the same bytes. */
#include "model/evidence/attest.h"
#include "model/evidence/diagnose.h"
#include "model/evidence/jcs.h"
#include "model/evidence/record.h"
#include "model/evidence/restyle.h"
#include "model/evidence/verdict.h"

#include "tests/fuzz/fuzz.h"

static void check_changes(struct jcs *jcs, struct span input, struct span canonical)
{
    struct jcs_changes changes = {0};
    struct jcs_report report;
    struct buf out = {0};
    FUZZ_CHECK(jcs_explain(jcs, input, &out, &report, &changes));
    FUZZ_CHECK(span_equal(buf_span(&out), canonical));
    size_t removed = 0;
    for (size_t i = 0; i < changes.count; i++) {
        const struct jcs_change *c = &changes.at[i];
        FUZZ_CHECK(c->in <= input.len && c->in_len <= input.len - c->in);
        FUZZ_CHECK(c->out <= out.len && c->out_len <= out.len - c->out);
        removed += c->kind == JCS_MOVED ? 0 : c->in_len - c->out_len;
    }
    FUZZ_CHECK(input.len - removed == out.len);
    jcs_changes_finish(&changes);
    buf_finish(&out);
}

static void check_canonical(struct jcs *jcs, struct span input, struct span canonical)
{
    struct jcs_report report;
    struct buf again = {0}, cbor = {0}, json = {0};
    FUZZ_CHECK(jcs_canonicalize(jcs, canonical, &again, &report));
    FUZZ_CHECK(span_equal(buf_span(&again), canonical));
    struct restyle *restyle = restyle_create(input);
    if (restyle) {
        struct text_style style = {{0}};
        FUZZ_CHECK(!restyle_has_duplicates(restyle));
        buf_clear(&again);
        restyle_write(restyle, &style, &again);
        FUZZ_CHECK(span_equal(buf_span(&again), canonical));
        for (unsigned d = 0; d < STYLE_DIMENSION_COUNT; d++) {
            style.choice[d] = 1;
            buf_clear(&again);
            restyle_write(restyle, &style, &again);
        }
        restyle_destroy(restyle);
    }
    /* Through CBOR and back nothing is lost that JCS would keep. */
    if (cbor_from_json(input, CBOR_NUMBERS_TOKEN, CBOR_ORDER_BYTEWISE, &cbor, &report)) {
        struct cbor_report checked;
        bool lossy;
        bool valid = cbor_check(buf_span(&cbor), &checked);
        FUZZ_CHECK(valid || checked.valid.why == CBOR_FLAW_TOO_DEEP);
        if (valid) {
            FUZZ_CHECK(checked.profile[CBOR_CORE].ok);
            FUZZ_CHECK(cbor_to_json(buf_span(&cbor), &json, &lossy));
            buf_clear(&again);
            if (!lossy && jcs_canonicalize(jcs, buf_span(&json), &again, &report))
                FUZZ_CHECK(span_equal(buf_span(&again), canonical));
        }
    }
    buf_finish(&again);
    buf_finish(&cbor);
    buf_finish(&json);
}

static void check_reference(struct span input)
{
    struct arena arena = {0};
    struct evidence_ref ref;
    struct evidence_result result;
    struct records *records = records_create();
    struct buf text = {0};
    size_t index = records_add(records, input, SPAN("a"), SPAN("a"));
    struct evidence_options options = {.offered = index};
    evidence_ref_read(input, &arena, &ref);
    evidence_verify(&ref, records, &options, &result);
    evidence_describe(&text, &result);
    FUZZ_CHECK(result.verdict < EVIDENCE_VERDICT_COUNT && text.len > 0);
    if (input.len % 16 == 0) { /* takes a millisecond */
        struct digest wanted = {.algorithm = DIGEST_SHA256, .len = 32};
        struct diagnosing diagnosing;
        diagnose(records, index, &wanted, CANON_JCS, 1, &diagnosing);
        FUZZ_CHECK(!diagnosing.found);
    }
    struct attested *list;
    FUZZ_CHECK(attest_survey(records, NULL, &arena, &list) <= 1);
    buf_finish(&text);
    records_destroy(records);
    arena_finish(&arena);
}

void fuzz_one(struct span input)
{
    struct jcs *jcs = jcs_create();
    struct buf out = {0};
    struct jcs_report report;
    buf_puts(&out, "x");
    if (jcs_canonicalize(jcs, input, &out, &report)) {
        FUZZ_CHECK(jsonr_valid(input, NULL, NULL));
        struct span canonical = span_sub(buf_span(&out), 1, out.len);
        check_changes(jcs, input, canonical);
        check_canonical(jcs, input, canonical);
    } else {
        FUZZ_CHECK(report.at <= input.len && *report.why && out.len == 1);
    }
    check_reference(input);
    buf_finish(&out);
    jcs_destroy(jcs);
}
