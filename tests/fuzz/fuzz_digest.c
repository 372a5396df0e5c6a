/* Digest text: whatever is understood is the same digest when it is written as it should be. */
#include "model/evidence/digest.h"

#include "model/evidence/number.h"
#include "tests/fuzz/fuzz.h"

static void check_number(struct span input)
{
    double value, again;
    char text[NUMBER_TEXT];
    if (number_from_text(input, &value) > NUMBER_UNDERFLOW)
        return;
    size_t len = number_to_text(value, text);
    FUZZ_CHECK(len > 0 && len < NUMBER_TEXT);
    FUZZ_CHECK(number_from_text((struct span){text, len}, &again) == NUMBER_NORMAL);
    FUZZ_CHECK(again == value);
}

void fuzz_one(struct span input)
{
    struct digest digest, again;
    unsigned lints, none;
    struct buf text = {0};
    enum digest_fault fault = digest_parse(input, &digest, &lints);
    FUZZ_CHECK(lints < 1u << DIGEST_LINT_COUNT);
    if (fault == DIGEST_OK || fault == DIGEST_WEAK_ALGORITHM) {
        FUZZ_CHECK(digest.len == digest_algorithm_bytes(digest.algorithm));
        digest_write(&text, &digest);
        FUZZ_CHECK(digest_parse(buf_span(&text), &again, &none) == fault);
        FUZZ_CHECK(none == 0 && digest_equal(&digest, &again));
        FUZZ_CHECK(lints != 0 || span_equal(buf_span(&text), input));
    }
    check_number(input);
    buf_finish(&text);
}
