/* A log of whatever bytes into a case: it goes in, every body can be read again, numbers have no
 * gap, and results answer calls of their own session. */
#include "ingest/assembler.h"
#include "ingest/framer.h"
#include "model/case/source.h"
#include "tests/fuzz/fuzz.h"

static struct case_file *the_case(void)
{
    static struct case_file *c;
    struct err err;
    if (!c)
        c = case_temporary(&err);
    FUZZ_CHECK(c);
    return c;
}

static int64_t number(struct case_file *c, const char *sql)
{
    struct err err;
    struct stmt *stmt = db_prepare(case_db(c), span_of(sql), &err);
    FUZZ_CHECK(stmt && stmt_step(stmt, &err) > 0);
    int64_t value = stmt_int(stmt, 0);
    stmt_finish(stmt);
    return value;
}

static void check_bodies(struct case_file *c)
{
    struct err err;
    struct buf body = {0}, recipe = {0};
    struct stmt *stmt =
        db_prepare(case_db(c), SPAN("SELECT source_id, offset, length, recipe FROM step"), &err);
    FUZZ_CHECK(stmt);
    while (stmt_step(stmt, &err) > 0) {
        struct span written = stmt_text(stmt, 3);
        buf_clear(&recipe);
        buf_clear(&body);
        if (written.at)
            buf_add(&recipe, written);
        struct extent at = {stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                            (uint64_t)stmt_int(stmt, 2), buf_span(&recipe)};
        FUZZ_CHECK(case_read(c, &at, 4096, &body, NULL, &err));
    }
    stmt_finish(stmt);
    buf_finish(&body);
    buf_finish(&recipe);
}

static void check_rows(struct case_file *c)
{
    check_bodies(c);
    FUZZ_CHECK(number(c, "SELECT count(*) FROM (SELECT session_id FROM step GROUP BY session_id"
                         " HAVING count(*)<>max(n) OR min(n)<>1)") == 0);
    FUZZ_CHECK(number(c, "SELECT count(*) FROM step r JOIN step q ON q.id=r.call_id"
                         " WHERE r.session_id<>q.session_id") == 0);
}

static void read_units(struct framer *f, struct assembler *a, const struct reader *reader,
                       void *state, struct outlet *out, struct err *err)
{
    struct unit unit;
    while (framer_next(f, &unit)) {
        outlet_clear(out);
        if (unit.part == UNIT_MARK)
            continue;
        reader->read(state, &unit, out);
        FUZZ_CHECK(assembler_take(a, &unit, out, err));
    }
}

static void import_with(const struct reader *reader, struct span input)
{
    struct case_file *c = the_case();
    struct err err = {0};
    struct assembler_options options = {.fallback = SPAN("fuzz")};
    struct outlet out;
    struct framer *f = framer_create();
    struct assembler *a = assembler_create(c, &options, &err);
    void *state = reader->open ? reader->open(SPAN("fuzz")) : NULL;
    outlet_init(&out);
    FUZZ_CHECK(a && db_begin(case_db(c), &err));
    struct source_writer *w = source_begin(c, SPAN("fuzz"), "log", &err);
    FUZZ_CHECK(w && source_append(w, input, &err));
    framer_cut_by(f, reader->framing, reader->elements);
    FUZZ_CHECK(
        assembler_begin(a, source_writer_id(w), SPAN("fuzz"), SPAN_EMPTY, reader, state, &err));
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
        read_units(f, a, reader, state, &out, &err);
    }
    struct source_info info = {.format = span_of(reader->name), .reason = SPAN_EMPTY};
    FUZZ_CHECK(assembler_end(a, &err) && source_end(w, &info, true, &err));
    check_rows(c);
    db_rollback(case_db(c));
    store_forget_tails(c);
    assembler_destroy(a);
    if (reader->close)
        reader->close(state);
    outlet_finish(&out);
    framer_destroy(f);
}

void fuzz_one(struct span input)
{
    struct probe best;
    import_with(reader_detect(input, SPAN("fuzz"), true, &best), input);
    /* The first byte, too, says with which: so that all of them are met. */
    if (input.len)
        import_with(reader_at((unsigned char)input.at[0] % reader_count()), input);
}
