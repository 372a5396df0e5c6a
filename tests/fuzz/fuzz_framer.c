/* The framer: whatever comes in whatever pieces, the units leave no gap, and the pieces don't
 * matter. */
#include "ingest/framer.h"

#include "base/buf.h"
#include "tests/fuzz/fuzz.h"

/* The text of all units in a row, blank ones left out: those may be given out in parts. */
static void cut(struct span bytes, size_t step, enum framing framing, const char *elements,
                struct buf *out)
{
    struct framer *f = framer_create();
    struct unit unit;
    uint64_t reached = 0;
    size_t put = 0;
    bool started = false;
    for (bool ended = false; !ended;) {
        size_t room, n = bytes.len - put < step ? bytes.len - put : step;
        char *at = framer_room(f, &room);
        FUZZ_CHECK(room > 0);
        n = n < room ? n : room;
        if (n)
            memcpy(at, bytes.at + put, n);
        put += n;
        framer_filled(f, n);
        if (!n)
            framer_end(f), ended = true;
        if (!started)
            framer_head(f), framer_cut_by(f, framing, elements), started = true;
        while (framer_next(f, &unit)) {
            FUZZ_CHECK(unit.start == reached && unit.size > 0);
            FUZZ_CHECK(unit.line >= 1);
            reached += unit.size;
            if (!unit.recipe) {
                FUZZ_CHECK(unit.offset >= unit.start);
                FUZZ_CHECK(unit.offset + unit.text.len <= unit.start + unit.size);
                FUZZ_CHECK(unit.text.len == 0 ||
                           memcmp(bytes.at + unit.offset, unit.text.at, unit.text.len) == 0);
            }
            if (!unit.text.len)
                continue;
            buf_add(out, unit.text);
            buf_byte(out, '\0');
        }
    }
    FUZZ_CHECK(reached == bytes.len);
    framer_destroy(f);
}

void fuzz_one(struct span input)
{
    static const struct {
        enum framing framing;
        const char *elements;
    } ways[] = {
        {FRAME_LINES, NULL},
        {FRAME_VALUES, NULL},
        {FRAME_ELEMENTS, ""},
        {FRAME_ELEMENTS, "a"},
        {FRAME_ELEMENTS, "log/entries"},
        {FRAME_WHOLE, NULL},
        {FRAME_NETSTRINGS, NULL},
        {FRAME_TEXT, NULL},
    };
    static const size_t steps[] = {1, 7, 4096};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        struct buf whole = {0}, parts = {0};
        cut(input, input.len ? input.len : 1, ways[i].framing, ways[i].elements, &whole);
        for (size_t k = 0; k < COUNT_OF(steps); k++) {
            buf_clear(&parts);
            cut(input, steps[k], ways[i].framing, ways[i].elements, &parts);
            FUZZ_CHECK(span_equal(buf_span(&whole), buf_span(&parts)));
        }
        buf_finish(&whole);
        buf_finish(&parts);
    }
}
