#include "model/evidence/record.h"

#include "base/ascii.h"
#include "base/mem.h"

/* ---- canonicalizations ---- */

static const char *const canon_names[CANON_COUNT] = {
#define X(id, name, word) name,
    CANONICALIZATIONS(X)
#undef X
};

static const struct {
    const char *alias;
    enum canonicalization canon;
} aliases[] = {
    {"jcs", CANON_JCS},
    {"jcs-json-v1", CANON_JCS},
    {"rfc8785", CANON_JCS},
    {"json/rfc8785", CANON_JCS},
    {"jcs/rfc-8785", CANON_JCS},
    {"cbor", CANON_CBOR},
    {"rfc8949", CANON_CBOR},
    {"cbor-deterministic-v1", CANON_CBOR},
    {"dcbor", CANON_CBOR},
    {"cbor/rfc8949-4.2.3", CANON_CBOR},
    {"cbor/rfc-8949", CANON_CBOR},
    {"cbor/rfc8949-4.2.1", CANON_CBOR},
};

const char *canonicalization_name(enum canonicalization canon)
{
    return canon_names[canon];
}

bool canonicalization_find(struct span name, enum canonicalization *canon, bool *alias)
{
    bool unused;
    alias = alias ? alias : &unused;
    *alias = false;
    for (size_t i = 0; i < CANON_COUNT; i++)
        if (span_is(name, canon_names[i])) {
            *canon = (enum canonicalization)i;
            return true;
        }
    *alias = true;
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (span_equal_nocase(name, span_of(aliases[i].alias))) {
            *canon = aliases[i].canon;
            return true;
        }
    for (size_t i = 0; i < CANON_COUNT; i++) /* in other letters */
        if (span_equal_nocase(name, span_of(canon_names[i]))) {
            *canon = (enum canonicalization)i;
            return true;
        }
    return false;
}

/* ---- a table from hashes to indices ---- */

/* Open addressing; a slot holds an index and one, 0 is free. Equality is the caller's affair: all
 * indices under a hash are offered in the order in which they came. */
struct record_table {
    size_t *slots;
    uint64_t *hashes;
    size_t size, used;
};

static void record_table_put(struct record_table *t, uint64_t hash, size_t index)
{
    size_t at = hash & (t->size - 1);
    while (t->slots[at])
        at = (at + 1) & (t->size - 1);
    t->slots[at] = index + 1;
    t->hashes[at] = hash;
}

static void table_add(struct record_table *t, uint64_t hash, size_t index)
{
    if (2 * (t->used + 1) > t->size) {
        struct record_table old = *t;
        t->size = old.size ? old.size * 4 : 64;
        t->slots = NEW_ARRAY(size_t, t->size);
        t->hashes = NEW_ARRAY(uint64_t, t->size);
        /* From a free slot on, so that those that collide keep their order. */
        size_t start = 0;
        while (start < old.size && old.slots[start])
            start++;
        for (size_t i = 0; i < old.size; i++) {
            size_t at = (start + i) & (old.size - 1);
            if (old.slots[at])
                record_table_put(t, old.hashes[at], old.slots[at] - 1);
        }
        mem_free(old.slots);
        mem_free(old.hashes);
    }
    t->used++;
    record_table_put(t, hash, index);
}

/* The next index under the hash, RECORD_NONE behind the last; *at begins as SIZE_MAX. */
static size_t table_next(const struct record_table *t, uint64_t hash, size_t *at)
{
    if (t->size == 0)
        return RECORD_NONE;
    *at = *at == SIZE_MAX ? hash & (t->size - 1) : (*at + 1) & (t->size - 1);
    for (; t->slots[*at]; *at = (*at + 1) & (t->size - 1))
        if (t->hashes[*at] == hash)
            return t->slots[*at] - 1;
    return RECORD_NONE;
}

static void table_finish(struct record_table *t)
{
    mem_free(t->slots);
    mem_free(t->hashes);
}

/* ---- records ---- */

/* The digests of all records under one algorithm and one canonicalization. */
struct record_index {
    struct record_table table;
    struct digest *digests; /* len 0: there is none */
    size_t count, size;
};

struct records {
    struct arena arena;
    struct held_record *at;
    size_t count, size;
    struct record_table same;  /* by bytes and name */
    struct record_table named; /* by the last part of the name, without its suffix */
    struct hasher *hasher;
    struct jcs *jcs;
    struct buf canonical, json;
    struct record_index *index[CANON_COUNT][DIGEST_ALGORITHM_COUNT];
};

struct records *records_create(void)
{
    struct records *r = NEW(struct records);
    r->hasher = hasher_create();
    r->jcs = jcs_create();
    return r;
}

void records_destroy(struct records *r)
{
    if (!r)
        return;
    for (size_t c = 0; c < CANON_COUNT; c++)
        for (size_t a = 0; a < DIGEST_ALGORITHM_COUNT; a++)
            if (r->index[c][a]) {
                table_finish(&r->index[c][a]->table);
                mem_free(r->index[c][a]->digests);
                mem_free(r->index[c][a]);
            }
    table_finish(&r->same);
    table_finish(&r->named);
    hasher_destroy(r->hasher);
    jcs_destroy(r->jcs);
    buf_finish(&r->canonical);
    buf_finish(&r->json);
    mem_free(r->at);
    arena_finish(&r->arena);
    mem_free(r);
}

struct hasher *records_hasher(struct records *r)
{
    return r->hasher;
}

size_t records_count(const struct records *r)
{
    return r->count;
}

const struct held_record *records_at(const struct records *r, size_t index)
{
    return &r->at[index];
}

/* Does it begin as JSON text does? Only asked of what is neither. */
static bool begins_like_json(struct span bytes)
{
    bytes = span_trim(bytes);
    return bytes.len == 0 || ascii_is_one_of(bytes.at[0], "{[\"-0123456789tfn\xef");
}

/* What it is, and whether it may be hashed. */
static void classify(struct records *r, struct held_record *record)
{
    struct jcs_report json;
    struct cbor_report cbor;
    buf_clear(&r->canonical);
    record->form = RECORD_JSON;
    record->why = "";
    if (jcs_canonicalize(r->jcs, record->bytes, &r->canonical, &json)) {
        record->hashable = true;
        return;
    }
    bool valid = cbor_check(record->bytes, &cbor);
    if (valid || !begins_like_json(record->bytes)) {
        record->form = RECORD_CBOR;
        record->hashable = valid;
        record->why = valid ? "" : cbor_flaw_text(cbor.valid.why);
        record->why_at = cbor.valid.at;
        record->deterministic = valid && cbor.profile[CBOR_CORE].ok;
        return;
    }
    record->why = json.why;
    record->why_at = json.at;
}

/* The last part of a path or locator, without .json or .cbor. */
static struct span last_part(struct span name)
{
    size_t begin = name.len;
    while (begin > 0 && name.at[begin - 1] != '/')
        begin--;
    struct span last = span_sub(name, begin, name.len);
    if (last.len > 5 &&
        (span_ends_with(last, SPAN(".json")) || span_ends_with(last, SPAN(".cbor"))))
        last.len -= 5;
    return last;
}

/* A digest's own bytes are a good hash. */
static uint64_t hash_of_digest(const struct digest *digest)
{
    uint64_t hash;
    memcpy(&hash, digest->bytes, sizeof hash);
    return hash;
}

/* Names and bytes are what others wrote, so hashes that they can't make collide. */
static uint64_t record_hash_of(struct records *r, struct span a, struct span b)
{
    struct digest digest;
    hasher_begin(r->hasher, DIGEST_SHA256, NULL);
    hasher_add(r->hasher, a);
    hasher_add(r->hasher, b);
    hasher_end(r->hasher, &digest);
    return hash_of_digest(&digest);
}

size_t records_add(struct records *r, struct span bytes, struct span name, struct span origin)
{
    uint64_t hash = record_hash_of(r, name, bytes);
    for (size_t at = SIZE_MAX, i; (i = table_next(&r->same, hash, &at)) != RECORD_NONE;)
        if (span_equal(r->at[i].bytes, bytes) && span_equal(r->at[i].name, name))
            return i;
    r->at = mem_one_more(r->at, r->count, &r->size, sizeof *r->at);
    struct held_record *record = &r->at[r->count];
    *record = (struct held_record){.bytes = arena_copy(&r->arena, bytes),
                                   .name = arena_copy(&r->arena, name),
                                   .origin = arena_copy(&r->arena, origin)};
    classify(r, record);
    table_add(&r->same, hash, r->count);
    table_add(&r->named, record_hash_of(r, last_part(name), SPAN_EMPTY), r->count);
    return r->count++;
}

size_t records_add_lines(struct records *r, struct span bytes, struct span name)
{
    size_t line = 0, added = 0;
    struct buf called = {0};
    while (bytes.len) {
        size_t end = span_find_byte(bytes, '\n');
        struct span text = span_trim(span_sub(bytes, 0, end));
        bytes = span_sub(bytes, end + 1, bytes.len);
        line++;
        if (text.len == 0)
            continue;
        buf_clear(&called);
        buf_add(&called, name);
        buf_addf(&called, ":%zu", line);
        records_add(r, text, buf_span(&called), buf_span(&called));
        added++;
    }
    buf_finish(&called);
    return added;
}

size_t records_named(struct records *r, struct span ref)
{
    struct span last = last_part(ref);
    if (last.len == 0)
        return RECORD_NONE;
    uint64_t hash = record_hash_of(r, last, SPAN_EMPTY);
    size_t found = RECORD_NONE;
    for (size_t at = SIZE_MAX, i; (i = table_next(&r->named, hash, &at)) != RECORD_NONE;) {
        struct span name = r->at[i].name;
        if (span_equal(name, ref))
            return i;
        /* Without the suffix, where the reference has none. */
        struct span bare = name;
        if (!span_ends_with(name, ref))
            bare.len = (size_t)(last_part(name).at - name.at) + last_part(name).len;
        bool ends = span_ends_with(bare, ref) &&
                    (bare.len == ref.len || bare.at[bare.len - ref.len - 1] == '/');
        if (ends && found == RECORD_NONE)
            found = i;
    }
    return found;
}

bool records_json(struct records *r, size_t index, struct buf *out)
{
    const struct held_record *record = &r->at[index];
    if (!record->hashable)
        return false;
    if (record->form == RECORD_CBOR)
        return cbor_to_json(record->bytes, out, NULL);
    buf_add(out, record->bytes);
    return true;
}

bool records_canonical(struct records *r, size_t index, enum canonicalization canon,
                       struct buf *out)
{
    const struct held_record *record = &r->at[index];
    struct jcs_report report;
    if (!record->hashable)
        return false;
    if (record->form == RECORD_JSON)
        return canon == CANON_JCS ? jcs_canonicalize(r->jcs, record->bytes, out, &report)
                                  : cbor_from_json(record->bytes, CBOR_NUMBERS_TOKEN,
                                                   CBOR_ORDER_BYTEWISE, out, &report);
    if (canon == CANON_CBOR) {
        struct cbor_report checked;
        return cbor_deterministic(record->bytes, CBOR_CORE, out, &checked);
    }
    bool lossy = true;
    buf_clear(&r->json);
    return cbor_to_json(record->bytes, &r->json, &lossy) && !lossy &&
           jcs_canonicalize(r->jcs, buf_span(&r->json), out, &report);
}

bool records_digest(struct records *r, size_t index, enum canonicalization canon,
                    enum digest_algorithm algorithm, struct digest *digest)
{
    buf_clear(&r->canonical);
    return records_canonical(r, index, canon, &r->canonical) &&
           hasher_digest(r->hasher, algorithm, buf_span(&r->canonical), digest, NULL);
}

static void bring_up_to_date(struct records *r, struct record_index *index,
                             enum canonicalization canon, enum digest_algorithm algorithm)
{
    if (index->size < r->count) {
        index->size = r->size;
        index->digests = mem_resize(index->digests, index->size * sizeof *index->digests);
    }
    for (; index->count < r->count; index->count++) {
        struct digest *digest = &index->digests[index->count];
        if (records_digest(r, index->count, canon, algorithm, digest))
            table_add(&index->table, hash_of_digest(digest), index->count);
        else
            digest->len = 0;
    }
}

size_t records_find(struct records *r, const struct digest *digest, enum canonicalization canon)
{
    struct record_index **index = &r->index[canon][digest->algorithm];
    if (!*index)
        *index = NEW(struct record_index);
    bring_up_to_date(r, *index, canon, digest->algorithm);
    uint64_t hash = hash_of_digest(digest);
    for (size_t at = SIZE_MAX, i; (i = table_next(&(*index)->table, hash, &at)) != RECORD_NONE;)
        if (digest_equal(&(*index)->digests[i], digest))
            return i;
    return RECORD_NONE;
}
