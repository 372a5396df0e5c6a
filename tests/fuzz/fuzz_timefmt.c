/* Times: what is read can be written and read again as the same. */
#include "base/timefmt.h"

#include "tests/fuzz/fuzz.h"

static void check_moment(struct moment moment)
{
    struct buf out = {0};
    struct moment again;
    FUZZ_CHECK(moment.digits >= 0 && moment.digits <= 9);
    time_print(&out, moment.ns, moment.digits);
    if (time_parse(buf_span(&out), &again)) /* not at the far ends of what 64 bits reach */
        FUZZ_CHECK(again.ns == moment.ns && again.digits == moment.digits && again.has_zone);
    else
        FUZZ_CHECK(moment.ns > INT64_MAX - TIME_SECOND || moment.ns < INT64_MIN + TIME_SECOND);
    buf_finish(&out);
}

void fuzz_one(struct span input)
{
    struct moment moment, whole;
    size_t len = time_parse_prefix(input, &moment);
    FUZZ_CHECK(len <= input.len);
    if (len) {
        check_moment(moment);
        FUZZ_CHECK(time_parse(span_sub(input, 0, len), &whole) && whole.ns == moment.ns);
    }
    FUZZ_CHECK(time_parse(input, &whole) == (len > 0 && len == input.len));
    if (time_parse_epoch(input, &moment))
        check_moment(moment);
}
