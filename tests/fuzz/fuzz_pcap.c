/* Captures of packets: every byte is accounted for, and what a message is said to stand on are the
 * bytes of the file. */
#include "ingest/account.h"
#include "ingest/framer.h"
#include "ingest/readers/readers.h"
#include "tests/fuzz/fuzz.h"

static void check_record(const struct record *r, struct span file)
{
    struct extent extent = {0};
    struct buf recipe = {0};
    FUZZ_CHECK(r->stitch);
    stitch_extent(r->stitch, r->stitch_at, r->payload.len, &extent, &recipe);
    FUZZ_CHECK(extent.offset <= file.len && extent.length <= file.len - extent.offset);
    if (!recipe.len)
        FUZZ_CHECK(span_equal(span_sub(file, extent.offset, extent.length), r->payload));
    buf_finish(&recipe);
}

static void take(const struct unit *unit, struct outlet *out, struct account *account,
                 struct span file)
{
    account_unit(account, unit, out);
    for (size_t i = 0; i < out->count; i++)
        check_record(&out->records[i], file);
}

void fuzz_one(struct span input)
{
    struct framer *f = framer_create();
    struct account account = {0};
    struct outlet out;
    struct unit unit;
    void *state = reader_pcap.open(SPAN("fuzz"));
    outlet_init(&out);
    framer_cut_by(f, FRAME_PACKETS, NULL);
    for (size_t put = 0, n = 1; n; put += n) {
        size_t room;
        char *at = framer_room(f, &room);
        n = input.len - put < room ? input.len - put : room;
        if (n)
            memcpy(at, input.at + put, n);
        framer_filled(f, n);
        if (!n)
            framer_end(f);
        while (framer_next(f, &unit)) {
            outlet_clear(&out);
            if (unit.part == UNIT_MARK)
                account_add(&account, "noise", "mark", unit.size);
            else
                reader_pcap.read(state, &unit, &out);
            if (unit.part != UNIT_MARK)
                take(&unit, &out, &account, input);
        }
    }
    unit = (struct unit){.text = SPAN_EMPTY, .offset = input.len, .start = input.len};
    outlet_clear(&out);
    reader_pcap.end(state, &unit, &out);
    take(&unit, &out, &account, input);
    uint64_t bytes = 0;
    for (size_t i = 0; i < account.count; i++)
        bytes += account.lines[i].bytes;
    FUZZ_CHECK(!account.held && bytes == input.len);
    reader_pcap.close(state);
    outlet_finish(&out);
    framer_destroy(f);
}
