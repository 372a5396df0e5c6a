#include "model/redact/redact.h"

#include <stdlib.h>
#include <zstd.h>

#include "model/case/combine.h"
#include "model/case/source.h"
#include "model/case/store.h"

enum { WINDOW = 4 * 1024 * 1024, CONTEXT = 512 /* before a hit, which may tell what it is */ };

/* Bytes of a source that go. */
struct range {
    int64_t source;
    uint64_t offset, length;
    const char *what;
};

struct redacting {
    struct case_file *from, *into;
    const struct masks *masks;
    struct redact_totals *totals;
    bool (*stop)(void *arg);
    void *arg;
    struct range *ranges; /* by source and offset, not overlapping */
    size_t count, size;
    struct buf frame; /* scratch */
};

static void add_range(struct redacting *r, int64_t source, uint64_t offset, uint64_t length,
                      const char *what)
{
    r->ranges = mem_one_more(r->ranges, r->count, &r->size, sizeof *r->ranges);
    r->ranges[r->count++] = (struct range){source, offset, length, what};
}

static bool may_go_on(struct redacting *r, struct err *err)
{
    return !r->stop || !r->stop(r->arg) ||
           err_set(err, ERR_INTERNAL, case_path(r->into), "run it again",
                   "interrupted, so nothing was written");
}

/* ---- what goes ---- */

/* Looks through the bytes of a source in windows; each begins with the end of the one before. */
static bool look_through(struct redacting *r, int64_t source, uint64_t bytes, struct err *err)
{
    struct buf window = {0};
    bool ok = true;
    uint64_t at = 0, fresh = 0; /* where the window begins; hits before `fresh` are known */
    while (ok && fresh < bytes) {
        uint64_t length = bytes - at < WINDOW ? bytes - at : WINDOW;
        uint64_t end = at + length;
        uint64_t sure = end == bytes ? end : end - MASK_LONGEST;
        struct arena arena = {0};
        struct mask_hit *hits;
        size_t count;
        buf_clear(&window);
        ok = may_go_on(r, err) && source_read(r->from, source, at, length, &window, err);
        if (ok) {
            masks_find(r->masks, buf_span(&window), &arena, &hits, &count);
            for (size_t i = 0; i < count; i++)
                if (at + hits[i].offset >= fresh && at + hits[i].offset < sure)
                    add_range(r, source, at + hits[i].offset, hits[i].length, hits[i].what);
        }
        fresh = sure;
        at = sure > CONTEXT ? sure - CONTEXT : 0;
        arena_finish(&arena);
    }
    buf_finish(&window);
    return ok;
}

static bool look_through_all(struct redacting *r, struct err *err)
{
    struct stmt *stmt =
        db_prepare(case_db(r->from), SPAN("SELECT id, bytes FROM main.source ORDER BY id"), err);
    bool ok = stmt != NULL;
    int row = 0;
    while (ok && (row = stmt_step(stmt, err)) > 0)
        ok = look_through(r, stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1), err);
    stmt_finish(stmt);
    return ok && row == 0;
}

/* Does the text come about by unpacking, decoding or joining, so that its bytes don't show it? */
static bool is_packed(struct span recipe)
{
    while (recipe.len) {
        size_t end = span_find_byte(recipe, ';');
        char first = end ? recipe.at[0] : '/';
        if (first == '@' && span_find_byte(span_sub(recipe, 0, end), ',') < end)
            return true; /* a word may stand partly in one part and partly in the next */
        if (first != '/' && first != '@' && first != 's' && first != 'e')
            return true;
        recipe = span_sub(recipe, end + 1, recipe.len);
    }
    return false;
}

/* Of what is packed, all goes where anything has to. */
static bool look_into_packed(struct redacting *r, const char *sql, struct err *err)
{
    struct stmt *stmt = db_prepare(case_db(r->from), span_of(sql), err);
    struct buf text = {0};
    bool ok = stmt != NULL;
    int row = 0;
    while (ok && (row = stmt_step(stmt, err)) > 0) {
        struct extent at = {stmt_int(stmt, 0), (uint64_t)stmt_int(stmt, 1),
                            (uint64_t)stmt_int(stmt, 2), stmt_text(stmt, 3)};
        struct arena arena = {0};
        struct mask_hit *hits;
        size_t count = 0;
        if (!is_packed(at.recipe))
            continue;
        buf_clear(&text);
        ok = may_go_on(r, err) && case_read(r->from, &at, 0, &text, NULL, err);
        if (ok)
            masks_find(r->masks, buf_span(&text), &arena, &hits, &count);
        if (count)
            add_range(r, at.source, at.offset, at.length, "packed, and something in it");
        r->totals->packed += count > 0;
        arena_finish(&arena);
    }
    stmt_finish(stmt);
    buf_finish(&text);
    return ok && row == 0;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->source != y->source)
        return x->source > y->source ? 1 : -1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void join_ranges(struct redacting *r)
{
    size_t kept = 0;
    if (r->count)
        qsort(r->ranges, r->count, sizeof *r->ranges, compare_ranges);
    for (size_t i = 0; i < r->count; i++) {
        struct range *last = kept ? &r->ranges[kept - 1] : NULL, *range = &r->ranges[i];
        if (!last || last->source != range->source || range->offset >= last->offset + last->length)
            r->ranges[kept++] = *range;
        else if (range->offset + range->length > last->offset + last->length)
            last->length = range->offset + range->length - last->offset;
    }
    r->count = kept;
}

/* The first range that ends behind `offset`; r->count where there is none of that source. */
static size_t first_range(const struct redacting *r, int64_t source, uint64_t offset)
{
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct range *m = &r->ranges[middle];
        if (m->source < source || (m->source == source && m->offset + m->length <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->count && r->ranges[low].source == source ? low : r->count;
}

/* ---- copying ---- */

static bool change_frame(struct redacting *r, const struct combine_value *value, struct buf *out,
                         bool *changed, struct err *err)
{
    int64_t source = stmt_int(value->row, 0);
    uint64_t offset = (uint64_t)stmt_int(value->row, 1), length = (uint64_t)stmt_int(value->row, 2);
    size_t i = first_range(r, source, offset);
    if (i == r->count || r->ranges[i].offset >= offset + length)
        return true;
    buf_clear(&r->frame);
    if (!source_read(r->from, source, offset, length, &r->frame, err))
        return false;
    for (; i < r->count && r->ranges[i].source == source && r->ranges[i].offset < offset + length;
         i++) {
        uint64_t begin = r->ranges[i].offset, end = begin + r->ranges[i].length;
        begin = begin > offset ? begin : offset;
        end = end < offset + length ? end : offset + length;
        mask_over(r->frame.at + (begin - offset), (size_t)(end - begin));
    }
    size_t most = ZSTD_compressBound(r->frame.len);
    out->len = ZSTD_compress(buf_reserve(out, most), most, r->frame.at, r->frame.len, 1);
    *changed = true;
    return !ZSTD_isError(out->len) || err_set(err, ERR_INTERNAL, case_path(r->into), NULL,
                                              "zstd: %s", ZSTD_getErrorName(out->len));
}

static void change_text(struct redacting *r, bool digest, struct span text, struct buf *out,
                        bool *changed)
{
    struct arena arena = {0};
    struct mask_hit *hits;
    size_t count;
    (digest ? masks_find_words : masks_find)(r->masks, text, &arena, &hits, &count);
    if (count) {
        buf_add(out, text);
        for (size_t i = 0; i < count; i++)
            mask_over(out->at + hits[i].offset, (size_t)hits[i].length);
        *changed = true;
        r->totals->texts++;
    }
    arena_finish(&arena);
}

/* Columns of words that are ours, not the record's: a copy whose steps are of no known kind could
 * not be read. */
static bool is_vocabulary(const char *table, struct span column)
{
    static const char *const words[][2] = {
        {"source", "role"}, {"source", "format"},   {"account", "kind"},   {"diagnostic", "code"},
        {"event", "kind"},  {"event", "direction"}, {"step", "kind"},      {"step", "outcome"},
        {"claim", "shape"}, {"record", "encoding"}, {"redaction", "what"},
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcmp(table, words[i][0]) == 0 && span_is(column, words[i][1]))
            return true;
    return false;
}

/* Of a recipe, only pointers hold names out of the record; they change as the names there do. */
static void change_recipe(struct redacting *r, struct span recipe, struct buf *out, bool *changed)
{
    struct buf all = {0}, part = {0};
    bool any = false;
    while (recipe.len) {
        size_t end = span_find_byte(recipe, ';');
        struct span element = span_sub(recipe, 0, end + 1);
        bool now = false;
        buf_clear(&part);
        if (element.at[0] == '/')
            change_text(r, false, element, &part, &now);
        buf_add(&all, now ? buf_span(&part) : element);
        any = any || now;
        recipe = span_sub(recipe, element.len, recipe.len);
    }
    if (any) {
        buf_add(out, buf_span(&all));
        *changed = true;
    }
    buf_finish(&all);
    buf_finish(&part);
}

static bool change_value(void *arg, const struct combine_value *value, struct buf *out,
                         bool *changed, struct err *err)
{
    struct redacting *r = arg;
    if (strcmp(value->table, "frame") == 0)
        return change_frame(r, value, out, changed, err);
    bool is_text = stmt_type(value->row, value->at) == SQLITE_TEXT; /* the blobs are digests */
    if (!is_text || is_vocabulary(value->table, value->column))
        return true;
    if (span_is(value->column, "recipe"))
        change_recipe(r, value->bytes, out, changed);
    else
        change_text(r, span_is(value->column, "digest"), value->bytes, out, changed);
    return true;
}

static bool stop_combining(void *arg)
{
    struct redacting *r = arg;
    return r->stop && r->stop(r->arg);
}

/* ---- what is said of it in the copy, where all ids are those of the original ---- */

static bool store_range(struct redacting *r, const struct range *range, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(r->into),
        "INSERT OR REPLACE INTO redaction(source_id, offset, length, what) VALUES(?1, ?2, ?3, ?4)",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, range->source);
    stmt_bind_int(stmt, 2, (int64_t)range->offset);
    stmt_bind_int(stmt, 3, (int64_t)range->length);
    stmt_bind_text(stmt, 4, span_of(range->what));
    r->totals->places++;
    r->totals->bytes += (int64_t)range->length;
    return stmt_run(stmt, err);
}

/* The digest of the copy, beside that of the original. */
static bool store_digest(struct redacting *r, int64_t source, struct err *err)
{
    uint8_t sha256[32];
    uint64_t bytes;
    struct stmt *stmt = NULL;
    if (source_digest(r->into, source, sha256, &bytes, err))
        stmt = db_stmt(case_db(r->into), "UPDATE source SET copy_sha256 = ?2 WHERE id = ?1", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, source);
    stmt_bind_blob(stmt, 2, (struct span){(const char *)sha256, sizeof sha256});
    r->totals->sources++;
    return stmt_run(stmt, err);
}

static bool store_ranges(struct redacting *r, struct err *err)
{
    for (size_t i = 0; i < r->count; i++) {
        bool last = i + 1 == r->count || r->ranges[i + 1].source != r->ranges[i].source;
        if (!store_range(r, &r->ranges[i], err) ||
            (last && !store_digest(r, r->ranges[i].source, err)))
            return false;
    }
    return true;
}

/* Rows that stand on bytes that went: they say so. Where those were packed, there is nothing to
 * unpack any more. */
static bool flag_rows(struct redacting *r, const char *list, const char *flag, const char *plain,
                      struct err *err)
{
    struct stmt *rows = db_prepare(case_db(r->into), span_of(list), err);
    struct stmt *update = rows ? db_prepare(case_db(r->into), span_of(flag), err) : NULL;
    struct stmt *unpack = update ? db_prepare(case_db(r->into), span_of(plain), err) : NULL;
    bool ok = unpack != NULL;
    int row = 0;
    while (ok && (row = stmt_step(rows, err)) > 0) {
        uint64_t offset = (uint64_t)stmt_int(rows, 2), end = offset + (uint64_t)stmt_int(rows, 3);
        size_t i = first_range(r, stmt_int(rows, 1), offset);
        if (i == r->count || r->ranges[i].offset >= end)
            continue;
        stmt_bind_int(update, 1, stmt_int(rows, 0));
        ok = stmt_run(update, err);
        if (ok && is_packed(stmt_text(rows, 4))) {
            stmt_bind_int(unpack, 1, stmt_int(rows, 0));
            ok = stmt_run(unpack, err);
        }
    }
    stmt_finish(rows);
    stmt_finish(update);
    stmt_finish(unpack);
    return ok && row == 0;
}

static bool flag_all(struct redacting *r, struct err *err)
{
    return flag_rows(r, "SELECT id, source_id, offset, length, recipe FROM main.step ORDER BY id",
                     "UPDATE main.step SET flags = flags | 2 WHERE id = ?1",
                     "UPDATE main.step SET recipe = NULL WHERE id = ?1", err) &&
           flag_rows(r, "SELECT id, source_id, offset, length, recipe FROM main.event ORDER BY id",
                     "UPDATE main.event SET flags = flags | 2 WHERE id = ?1",
                     "UPDATE main.event SET recipe = NULL WHERE id = ?1", err);
}

static bool say_what_went(void *arg, struct err *err)
{
    struct redacting *r = arg;
    return store_ranges(r, err) && flag_all(r, err);
}

bool case_redact(struct case_file *from, struct case_file *into, const struct masks *masks,
                 struct redact_totals *totals, bool (*stop)(void *arg), void *arg, struct err *err)
{
    struct redacting r = {
        .from = from, .into = into, .masks = masks, .totals = totals, .stop = stop, .arg = arg};
    struct combine_options options = {
        .stop = stop_combining, .change = change_value, .also = say_what_went, .arg = &r};
    struct combine_totals copied = {0};
    bool ok =
        look_through_all(&r, err) &&
        look_into_packed(&r, "SELECT source_id, offset, length, recipe FROM main.step", err) &&
        look_into_packed(&r, "SELECT source_id, offset, length, recipe FROM main.event", err) &&
        look_into_packed(&r, "SELECT source_id, offset, length, recipe FROM main.definition",
                         err) &&
        look_into_packed(&r, "SELECT source_id, offset, length, recipe FROM main.record", err) &&
        look_into_packed(&r,
                         "SELECT e.source_id, t.offset, t.length, t.recipe FROM main.step_source t"
                         " JOIN main.event e ON e.id = t.event_id",
                         err);
    join_ranges(&r);
    ok = ok && case_combine(into, from, &options, &copied, err);
    mem_free(r.ranges);
    buf_finish(&r.frame);
    return ok;
}
