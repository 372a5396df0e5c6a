/* Every reader on whatever comes: what it says lies inside of the unit, and adds up. */
#include "ingest/account.h"
#include "ingest/framer.h"
#include "ingest/probe.h"
#include "tests/fuzz/fuzz.h"

static bool inside(struct span part, struct span whole)
{
    return !part.at || (part.at >= whole.at && part.at + part.len <= whole.at + whole.len);
}

/* The pieces of its payload are all there. */
static void check_stitch(const struct record *r)
{
    struct extent extent = {0};
    struct buf recipe = {0};
    stitch_extent(r->stitch, r->stitch_at, r->payload.len, &extent, &recipe);
    FUZZ_CHECK(r->stitch_at + r->payload.len <= r->stitch->end);
    FUZZ_CHECK(recipe.len || extent.length == r->payload.len);
    buf_finish(&recipe);
}

static void check_record(const struct record *r, const struct unit *unit)
{
    struct span text = r->text.at ? r->text : r->payload;
    FUZZ_CHECK(r->stitch || inside(r->payload, unit->text));
    FUZZ_CHECK(inside(r->within, unit->text));
    if (r->stitch)
        check_stitch(r);
    if (!r->recipe && r->text.at)
        FUZZ_CHECK(r->text.len == r->payload.len);
    if (r->kind != RECORD_MESSAGE)
        return;
    FUZZ_CHECK(r->rpc.kind != RPC_NONE);
    FUZZ_CHECK(!r->rpc.params.at || inside(r->rpc.params, text));
    FUZZ_CHECK(!r->rpc.result.at || inside(r->rpc.result, text));
    FUZZ_CHECK(!r->rpc.error.at || inside(r->rpc.error, text));
}

static void check_account(const struct account *account, size_t size)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < account->count; i++)
        bytes += account->lines[i].bytes;
    FUZZ_CHECK(bytes == size);
}

static void read_with(const struct reader *reader, struct span input)
{
    struct framer *f = framer_create();
    struct outlet out;
    struct unit unit;
    struct account account = {0};
    uint32_t last = 0;
    void *state = reader->open ? reader->open(SPAN("fuzz")) : NULL;
    outlet_init(&out);
    framer_cut_by(f, reader->framing, reader->elements);
    for (size_t put = 0, more = 1; more;) {
        size_t room;
        char *at = framer_room(f, &room);
        more = input.len - put < room ? input.len - put : room;
        if (more)
            memcpy(at, input.at + put, more);
        put += more;
        framer_filled(f, more);
        if (!more)
            framer_end(f);
        while (framer_next(f, &unit)) {
            outlet_clear(&out);
            if (unit.part == UNIT_MARK) {
                account_add(&account, "noise", "mark", unit.size);
                continue;
            }
            reader->read(state, &unit, &out);
            for (size_t i = 0; i < out.count; i++) {
                check_record(&out.records[i], &unit);
                last = out.records[i].node > last ? out.records[i].node : last;
            }
            account_unit(&account, &unit, &out);
        }
    }
    if (reader->end) {
        unit = (struct unit){.text = SPAN_EMPTY, .offset = input.len, .start = input.len};
        outlet_clear(&out);
        reader->end(state, &unit, &out);
        for (size_t i = 0; i < out.count; i++)
            check_record(&out.records[i], &unit);
        account_unit(&account, &unit, &out);
        FUZZ_CHECK(!account.held);
    }
    check_account(&account, input.len);
    for (uint32_t node = 0; reader->abandoned && node <= last; node++)
        reader->abandoned(state, node);
    if (reader->close)
        reader->close(state);
    outlet_finish(&out);
    framer_destroy(f);
}

void fuzz_one(struct span input)
{
    struct probe best;
    FUZZ_CHECK(reader_detect(input, SPAN("fuzz"), true, &best));
    reader_detect(span_sub(input, 0, input.len / 2), SPAN("fuzz"), false, &best);
    for (size_t i = 0; i < reader_count(); i++)
        read_with(reader_at(i), input);
}
