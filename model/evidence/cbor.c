#include "model/evidence/cbor.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/evidence/cbor_walk.h"
#include "model/evidence/reorder.h"

static const char *const profile_names[CBOR_PROFILE_COUNT] = {
#define X(id, name) name,
    CBOR_PROFILES(X)
#undef X
};

static const char *const flaw_texts[CBOR_FLAW_COUNT] = {
#define X(id, text) text,
    CBOR_FLAWS(X)
#undef X
};

const char *cbor_profile_name(enum cbor_profile profile)
{
    return profile_names[profile];
}

const char *cbor_flaw_text(enum cbor_flaw flaw)
{
    return flaw_texts[flaw];
}

/* ---- looking at an item ---- */

/* The key before in a map that is open: where it lies. */
struct last_key {
    size_t begin, end;
};

/* The first place of every flaw, and for keys out of order one for each of the two orders. */
struct check {
    struct cbor_walk walk;
    bool seen[CBOR_FLAW_COUNT], unsorted_length;
    size_t first[CBOR_FLAW_COUNT], first_length;
    struct last_key *last; /* by depth of the map */
    size_t last_size;
};

static void cbor_found(struct check *c, enum cbor_flaw flaw, size_t at)
{
    if (c->seen[flaw] && c->first[flaw] <= at)
        return;
    c->seen[flaw] = true;
    c->first[flaw] = at;
}

/* A key is complete: it ends where the walk stands. */
static void check_key(struct check *c, size_t begin)
{
    size_t map = c->walk.depth - 1;
    struct last_key *last = &c->last[map];
    if (c->walk.index > 0) {
        struct span before = span_sub(c->walk.bytes, last->begin, last->end - last->begin);
        struct span key = span_sub(c->walk.bytes, begin, c->walk.at - begin);
        int bytewise = span_compare(before, key);
        if (bytewise == 0)
            cbor_found(c, CBOR_FLAW_DUPLICATE_KEY, begin);
        if (bytewise > 0)
            cbor_found(c, CBOR_FLAW_UNSORTED, begin);
        if (cbor_compare_length_first(NULL, before, key) > 0 && !c->unsorted_length) {
            c->unsorted_length = true;
            c->first_length = begin;
        }
    }
    *last = (struct last_key){begin, c->walk.at};
}

static bool is_long(const struct cbor_head *head)
{
    static const uint64_t least[] = {24, UINT64_C(1) << 8, UINT64_C(1) << 16, UINT64_C(1) << 32};
    return head->info >= 24 && head->info < 28 && head->argument < least[head->info - 24];
}

static void check_simple(struct check *c)
{
    const struct cbor_head *head = &c->walk.head;
    size_t at = c->walk.begin;
    if (!cbor_head_is_float(head)) {
        if (head->argument < CBOR_FALSE || head->argument > CBOR_NULL)
            cbor_found(c, CBOR_FLAW_BAD_TYPE, at);
        return;
    }
    uint64_t bits = cbor_float_bits(head), argument;
    double value;
    enum cbor_major major;
    memcpy(&value, &bits, sizeof value);
    if (head->info > cbor_float_shortest(bits))
        cbor_found(c, CBOR_FLAW_LONG_FLOAT, at);
    if (isnan(value) && !(head->info == CBOR_HALF && head->argument == 0x7e00))
        cbor_found(c, CBOR_FLAW_NAN_PAYLOAD, at);
    if (cbor_float_integral(value, &major, &argument))
        cbor_found(c, CBOR_FLAW_INTEGRAL_FLOAT, at);
}

/* What the tags 0 to 3 may enclose. */
static void check_enclosed(struct check *c, const struct cbor_frame *tag)
{
    const struct cbor_head *head = &c->walk.head;
    bool fits = true;
    switch (tag->head.argument) {
    case CBOR_TAG_DATE_TEXT:
        fits = head->major == CBOR_TEXT;
        break;
    case CBOR_TAG_DATE_NUMBER:
        fits = head->major <= CBOR_NEGATIVE || cbor_head_is_float(head);
        break;
    case CBOR_TAG_BIG:
    case CBOR_TAG_BIG_NEGATIVE:
        fits = head->major == CBOR_BYTES;
        if (fits && c->walk.event == CBOR_EVENT_ITEM &&
            (c->walk.payload.len <= 8 || c->walk.payload.at[0] == 0))
            cbor_found(c, CBOR_FLAW_LONG_BIGNUM, tag->begin);
        break;
    default:
        break;
    }
    if (!fits)
        cbor_found(c, CBOR_FLAW_BAD_TAG, tag->begin);
}

static void check_event(struct check *c)
{
    struct cbor_walk *walk = &c->walk;
    if (walk->event == CBOR_EVENT_CLOSE) {
        if (walk->key)
            check_key(c, walk->begin);
        return;
    }
    const struct cbor_head *head = &walk->head;
    const struct cbor_frame *parent = cbor_walk_parent(walk);
    if (parent && parent->head.major == CBOR_TAG)
        check_enclosed(c, parent);
    if (head->info == CBOR_INDEFINITE)
        cbor_found(c, CBOR_FLAW_INDEFINITE, walk->begin);
    if (head->major == CBOR_SIMPLE)
        check_simple(c);
    else if (is_long(head))
        cbor_found(c, CBOR_FLAW_LONG_HEAD, walk->begin);
    if (walk->event == CBOR_EVENT_OPEN) {
        if (walk->depth > c->last_size) {
            c->last_size = walk->depth * 2;
            c->last = mem_resize(c->last, c->last_size * sizeof *c->last);
        }
        return;
    }
    size_t bad;
    if (head->major == CBOR_TEXT && !utf8_valid(walk->payload, &bad))
        cbor_found(c, CBOR_FLAW_BAD_UTF8, walk->begin + head->len + bad);
    if (walk->key)
        check_key(c, walk->begin);
}

/* The first by position of the flaws that a profile, or validity, minds. */
static struct cbor_verdict cbor_judge(const struct check *c, const enum cbor_flaw *minds,
                                      size_t count)
{
    struct cbor_verdict verdict = {.ok = true};
    for (size_t i = 0; i < count; i++)
        if (c->seen[minds[i]] && (verdict.ok || c->first[minds[i]] < verdict.at))
            verdict = (struct cbor_verdict){false, minds[i], c->first[minds[i]]};
    return verdict;
}

static void judge_profiles(const struct check *c, struct cbor_report *report)
{
    static const enum cbor_flaw minds[] = {
        CBOR_FLAW_LONG_HEAD,   CBOR_FLAW_LONG_FLOAT,     CBOR_FLAW_INDEFINITE,
        CBOR_FLAW_LONG_BIGNUM, CBOR_FLAW_UNSORTED, /* so far, all */
        CBOR_FLAW_NAN_PAYLOAD, CBOR_FLAW_INTEGRAL_FLOAT, CBOR_FLAW_BAD_TYPE,
    };
    enum { ALL_MIND = 5 };
    report->profile[CBOR_CORE] = cbor_judge(c, minds, ALL_MIND);
    report->profile[CBOR_CDE] = report->profile[CBOR_CORE];
    report->profile[CBOR_DCBOR] = cbor_judge(c, minds, COUNT_OF(minds));
    struct cbor_verdict *length = &report->profile[CBOR_LENGTH_FIRST];
    *length = cbor_judge(c, minds, ALL_MIND - 1);
    if (c->unsorted_length && (length->ok || c->first_length < length->at))
        *length = (struct cbor_verdict){false, CBOR_FLAW_UNSORTED, c->first_length};
}

static struct cbor_verdict encode(struct span bytes, enum cbor_profile profile, struct buf *out);

bool cbor_check(struct span bytes, struct cbor_report *report)
{
    static const enum cbor_flaw invalid[] = {CBOR_FLAW_BAD_UTF8, CBOR_FLAW_DUPLICATE_KEY,
                                             CBOR_FLAW_BAD_TAG};
    struct check c = {0};
    *report = (struct cbor_report){0};
    cbor_walk_init(&c.walk, bytes);
    while (cbor_walk_next(&c.walk) > CBOR_EVENT_END)
        check_event(&c);
    report->items = c.walk.items;
    report->depth = c.walk.deepest;
    bool formed = c.walk.event == CBOR_EVENT_END;
    report->well_formed = (struct cbor_verdict){formed, c.walk.why, c.walk.why_at};
    report->valid = report->well_formed;
    for (size_t i = 0; i < CBOR_PROFILE_COUNT; i++)
        report->profile[i] = report->well_formed;
    if (formed) {
        report->valid = cbor_judge(&c, invalid, COUNT_OF(invalid));
        judge_profiles(&c, report);
        if (report->valid.ok && !report->profile[CBOR_CORE].ok) {
            /* Keys that aren't next to each other, or are the same in another encoding. */
            struct buf unused = {0};
            report->valid = encode(bytes, CBOR_CORE, &unused);
            buf_finish(&unused);
        }
    }
    cbor_walk_finish(&c.walk);
    mem_free(c.last);
    return report->valid.ok;
}

size_t cbor_first_item(struct span bytes, struct cbor_verdict *why)
{
    struct cbor_walk walk;
    cbor_walk_init(&walk, bytes);
    walk.sequence = true;
    while (cbor_walk_next(&walk) > CBOR_EVENT_END)
        ;
    *why = (struct cbor_verdict){walk.event == CBOR_EVENT_END, walk.why, walk.why_at};
    cbor_walk_finish(&walk);
    return why->ok ? walk.at : 0;
}

/* ---- writing it as it should be ---- */

/* What an open item needs besides the walk's own frame. */
struct cbor_place {
    size_t begin, head; /* in the output: where it begins, bytes of its head */
    size_t mark;        /* of reorder_open */
    size_t misplaced;   /* maps misplaced before it */
};

struct encoder {
    struct cbor_walk walk;
    enum cbor_profile profile;
    struct reorder reorder;
    struct buf written, scratch, big;
    bool in_big;      /* inside a bignum's tag */
    size_t key_depth; /* keys inside of keys */
    struct cbor_place *places;
    size_t places_size;
    uint64_t *lengths; /* of items of indefinite length, in the order in which they begin */
    size_t lengths_count, lengths_size, next_length;
};

/* First pass: how many items, or bytes, each item of indefinite length has. */
static void measure(struct encoder *e, struct span bytes)
{
    struct cbor_walk walk;
    size_t size = 32, *slots = NEW_ARRAY(size_t, size); /* by depth */
    cbor_walk_init(&walk, bytes);
    while (cbor_walk_next(&walk) > CBOR_EVENT_END) {
        const struct cbor_frame *parent = cbor_walk_parent(&walk);
        if (walk.event == CBOR_EVENT_ITEM) {
            if (parent && (parent->head.major == CBOR_TEXT || parent->head.major == CBOR_BYTES))
                e->lengths[slots[walk.depth - 1]] += walk.payload.len;
            continue;
        }
        if (walk.head.info != CBOR_INDEFINITE)
            continue;
        if (walk.event == CBOR_EVENT_CLOSE) {
            if (walk.head.major == CBOR_ARRAY || walk.head.major == CBOR_MAP)
                e->lengths[slots[walk.depth]] = walk.count;
            continue;
        }
        if (walk.depth > size) {
            size = walk.depth * 2;
            slots = mem_resize(slots, size * sizeof *slots);
        }
        e->lengths =
            mem_one_more(e->lengths, e->lengths_count, &e->lengths_size, sizeof *e->lengths);
        slots[walk.depth - 1] = e->lengths_count;
        e->lengths[e->lengths_count++] = 0;
    }
    cbor_walk_finish(&walk);
    mem_free(slots);
}

static void write_simple(struct encoder *e)
{
    const struct cbor_head *head = &e->walk.head;
    if (!cbor_head_is_float(head)) {
        cbor_head_write(&e->written, CBOR_SIMPLE, head->argument);
        return;
    }
    uint64_t bits = cbor_float_bits(head), argument;
    if (e->profile == CBOR_DCBOR) {
        double value;
        enum cbor_major major;
        memcpy(&value, &bits, sizeof value);
        if (cbor_float_integral(value, &major, &argument)) {
            cbor_head_write(&e->written, major, argument);
            return;
        }
        if (isnan(value))
            bits = UINT64_C(0x7ff8) << 48;
    }
    cbor_float_write(&e->written, bits, cbor_float_shortest(bits));
}

static void write_item(struct encoder *e)
{
    const struct cbor_frame *parent = cbor_walk_parent(&e->walk);
    const struct cbor_head *head = &e->walk.head;
    bool chunk = parent && (parent->head.major == CBOR_BYTES || parent->head.major == CBOR_TEXT);
    if (e->in_big) {
        buf_add(&e->big, e->walk.payload);
    } else if (head->major == CBOR_SIMPLE) {
        write_simple(e);
    } else {
        if (!chunk)
            cbor_head_write(&e->written, head->major, head->argument);
        buf_add(&e->written, e->walk.payload);
    }
}

static bool is_big_tag(const struct cbor_head *head)
{
    return head->major == CBOR_TAG &&
           (head->argument == CBOR_TAG_BIG || head->argument == CBOR_TAG_BIG_NEGATIVE);
}

static void write_open(struct encoder *e)
{
    const struct cbor_head *head = &e->walk.head;
    if (e->walk.depth > e->places_size) {
        e->places_size = e->walk.depth * 2;
        e->places = mem_resize(e->places, e->places_size * sizeof *e->places);
    }
    struct cbor_place *place = &e->places[e->walk.depth - 1];
    *place = (struct cbor_place){.begin = e->written.len,
                                 .mark = reorder_open(&e->reorder),
                                 .misplaced = reorder_count(&e->reorder)};
    uint64_t length = head->argument;
    if (head->info == CBOR_INDEFINITE)
        length = e->lengths[e->next_length++] / (head->major == CBOR_MAP ? 2 : 1);
    if (is_big_tag(head)) {
        e->in_big = true;
        buf_clear(&e->big);
    } else if (!e->in_big) {
        cbor_head_write(&e->written, head->major, length);
    }
    place->head = e->written.len - place->begin;
}

/* An item is complete, which may be a key. */
static void end_item(struct encoder *e, size_t begin, size_t misplaced)
{
    if (e->walk.key) {
        reorder_settle(&e->reorder, &e->written, begin, misplaced, &e->scratch);
        reorder_key(&e->reorder, e->written.len, 0);
    }
}

static bool encode_event(struct encoder *e, struct cbor_verdict *verdict)
{
    struct cbor_walk *walk = &e->walk;
    if (walk->event != CBOR_EVENT_CLOSE) {
        size_t begin = e->written.len, misplaced = reorder_count(&e->reorder);
        if (walk->key)
            reorder_begin(&e->reorder, begin, walk->begin);
        if (walk->event == CBOR_EVENT_OPEN) {
            write_open(e);
            if (walk->key && ++e->key_depth > CBOR_KEY_DEPTH) {
                *verdict = (struct cbor_verdict){false, CBOR_FLAW_TOO_DEEP, walk->begin};
                return false;
            }
            return true;
        }
        write_item(e);
        end_item(e, begin, misplaced);
        return true;
    }
    struct cbor_place place = e->places[walk->depth];
    struct reorder_extent extent = {.begin = place.begin, .head = place.head};
    size_t duplicate;
    if (walk->head.major == CBOR_MAP &&
        !reorder_close(&e->reorder, place.mark, buf_span(&e->written), &extent, &duplicate)) {
        *verdict = (struct cbor_verdict){false, CBOR_FLAW_DUPLICATE_KEY, duplicate};
        return false;
    }
    if (is_big_tag(&walk->head)) {
        cbor_big_write(&e->written, walk->head.argument == CBOR_TAG_BIG_NEGATIVE,
                       buf_span(&e->big));
        e->in_big = false;
    }
    e->key_depth -= walk->key;
    end_item(e, place.begin, place.misplaced);
    return true;
}

/* Of an item that is well-formed and, but for keys, valid. */
static struct cbor_verdict encode(struct span bytes, enum cbor_profile profile, struct buf *out)
{
    struct encoder e = {.profile = profile};
    struct cbor_verdict verdict = {.ok = true};
    e.reorder.compare =
        profile == CBOR_LENGTH_FIRST ? cbor_compare_length_first : cbor_compare_bytewise;
    measure(&e, bytes);
    cbor_walk_init(&e.walk, bytes);
    while (cbor_walk_next(&e.walk) > CBOR_EVENT_END)
        if (!encode_event(&e, &verdict))
            break;
    if (verdict.ok && reorder_needed(&e.reorder))
        reorder_write(&e.reorder, buf_span(&e.written), out);
    else if (verdict.ok)
        buf_add(out, buf_span(&e.written));
    cbor_walk_finish(&e.walk);
    reorder_finish(&e.reorder);
    buf_finish(&e.written);
    buf_finish(&e.scratch);
    buf_finish(&e.big);
    mem_free(e.places);
    mem_free(e.lengths);
    return verdict;
}

bool cbor_deterministic(struct span bytes, enum cbor_profile profile, struct buf *out,
                        struct cbor_report *report)
{
    if (!cbor_check(bytes, report))
        return false;
    if (report->profile[profile].ok) {
        buf_add(out, bytes);
        return true;
    }
    size_t before = out->len;
    struct cbor_verdict verdict = encode(bytes, profile, out);
    if (!verdict.ok) { /* numbers that only this profile takes for the same key */
        report->profile[profile] = verdict;
        return false;
    }
    struct cbor_report again;
    cbor_check(span_sub(buf_span(out), before, out->len), &again);
    if (!again.profile[profile].ok) /* what the profile has no place for */
        out->len = before;
    return again.profile[profile].ok;
}
