/* CBOR: what is made deterministic is, under each profile, and stays; nothing is read beyond the
 * end. */
#include "model/evidence/attest.h"
#include "model/evidence/cbor.h"

#include "tests/fuzz/fuzz.h"

static void check_profile(struct span input, enum cbor_profile profile)
{
    struct buf once = {0}, twice = {0};
    struct cbor_report report;
    if (cbor_deterministic(input, profile, &once, &report)) {
        FUZZ_CHECK(cbor_check(buf_span(&once), &report) && report.profile[profile].ok);
        FUZZ_CHECK(cbor_deterministic(buf_span(&once), profile, &twice, &report));
        FUZZ_CHECK(span_equal(buf_span(&once), buf_span(&twice)));
    } else {
        FUZZ_CHECK(once.len == 0);
    }
    buf_finish(&once);
    buf_finish(&twice);
}

/* What may be signed is recognised or not; without a key it is never more than recognised. */
static void check_signed(struct span input)
{
    struct arena arena = {0};
    struct attestation a;
    if (attest_read(input, &arena, &a))
        FUZZ_CHECK(a.kind != ATTEST_NONE && attest_verify(&a, NULL, NULL) != ATTEST_VERIFIED);
    else
        FUZZ_CHECK(a.kind == ATTEST_NONE);
    arena_finish(&arena);
}

void fuzz_one(struct span input)
{
    struct cbor_report report;
    struct cbor_verdict why;
    struct buf out = {0};
    bool lossy;
    bool valid = cbor_check(input, &report);
    FUZZ_CHECK(valid == report.valid.ok && (report.well_formed.ok || !valid));
    FUZZ_CHECK(valid || (report.valid.at <= input.len && report.valid.why != CBOR_FLAW_NONE));
    size_t first = cbor_first_item(input, &why);
    FUZZ_CHECK(first <= input.len && (first > 0) == why.ok);
    FUZZ_CHECK(!report.well_formed.ok || first == input.len);
    FUZZ_CHECK(cbor_to_json(input, &out, &lossy) == valid);
    FUZZ_CHECK(!valid || jsonr_valid(buf_span(&out), NULL, NULL));
    buf_clear(&out);
    FUZZ_CHECK(cbor_diagnostic(input, 200, &out) == valid);
    for (unsigned p = 0; valid && p < CBOR_PROFILE_COUNT; p++)
        check_profile(input, (enum cbor_profile)p);
    check_signed(input);
    buf_finish(&out);
}
