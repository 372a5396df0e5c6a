/* Layers around a log, on whatever comes: every byte is taken off or given out, once, and the bytes
 * given out are those that stand at the place that is said. */
#include "ingest/framer.h"
#include "ingest/outlet.h"
#include "ingest/peel.h"
#include "tests/fuzz/fuzz.h"

/* The bytes of a part of the unit, by its extent in the file. */
static void check_place(const struct record *r, struct span file)
{
    struct extent extent = {0};
    struct buf recipe = {0};
    stitch_extent(r->stitch, r->stitch_at, r->payload.len, &extent, &recipe);
    FUZZ_CHECK(extent.offset <= file.len && extent.length <= file.len - extent.offset);
    if (!recipe.len)
        FUZZ_CHECK(span_equal(span_sub(file, extent.offset, extent.length), r->payload));
    buf_finish(&recipe);
}

static uint64_t take_units(struct peel *p, struct span file, bool utf8)
{
    struct outlet out;
    struct unit unit;
    uint64_t bytes = 0;
    outlet_init(&out);
    while (peel_next(p, &unit)) {
        outlet_clear(&out);
        struct record *record = outlet_record(&out, RECORD_OTHER);
        record->payload = unit.text;
        if (utf8 && !unit.recipe) {
            peel_place(p, &unit, &out);
            check_place(record, file);
        }
        bytes += unit.size;
    }
    outlet_finish(&out);
    return bytes;
}

static void peel_file(const struct peel_plan *plan, const struct reader *reader, struct span file,
                      size_t step)
{
    struct framer *f = framer_create();
    struct peel *p = peel_create(plan, reader);
    struct unit line;
    const char *noise;
    uint64_t bytes = 0, mark = 0;
    framer_cut_by(f, FRAME_LINES, NULL);
    for (size_t put = 0, n = 1; n; put += n) {
        size_t room;
        char *at = framer_room(f, &room);
        n = file.len - put < step ? file.len - put : step;
        n = n < room ? n : room;
        if (n)
            memcpy(at, file.at + put, n);
        framer_filled(f, n);
        if (!n)
            framer_end(f);
        while (framer_next(f, &line)) {
            if (line.part == UNIT_MARK)
                mark = line.size;
            else
                bytes += peel_put(p, &line, &noise) + take_units(p, file, true);
        }
    }
    peel_end(p);
    bytes += take_units(p, file, true) + mark;
    FUZZ_CHECK(bytes == file.len);
    peel_destroy(p);
    framer_destroy(f);
}

void fuzz_one(struct span input)
{
    struct peel_plan plan;
    struct probe best;
    struct framer *f = framer_create();
    size_t room, n;
    char *at = framer_room(f, &room);
    n = input.len < room ? input.len : room;
    if (n)
        memcpy(at, input.at, n);
    framer_filled(f, n);
    bool utf8 = framer_is_utf8(f);
    framer_destroy(f);
    if (!utf8)
        return;
    const struct reader *reader = peel_detect(input, SPAN("fuzz"), true, &best, &plan);
    peel_file(&plan, reader, input, 4096);
    for (int kind = 0; kind < PEEL_KINDS; kind++) {
        struct peel_plan one = {
            .layers = {(enum peel_kind)kind, PEEL_QUOTES}, .count = 2, .width = 40};
        peel_file(&one, reader, input, 13);
    }
}
