#include "ingest/same_calls.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/timefmt.h"
#include "ingest/merge.h"
#include "ingest/reader.h"

enum {
    SAME_FEW = 3, /* calls that tell a clock's offset, or say enough without any time */
    SAME_JITTER_S = 2,
    SAME_SKEW_S = 600, /* clocks that nobody sets */
    SAME_ZONE_S = 900, /* time zones differ by such steps */
    SAME_ZONES_S = 14 * 3600,
    SAME_PAIRS_MOST = 1 << 18, /* that are compared */
};

struct same_call {
    uint64_t key;
    int64_t time_ns, source;
    bool timed, taken;
};

/* A session that only transcripts, or only wire logs, told of; or one of a session's logs. */
struct same_side {
    int64_t session, source; /* source 0: all of the session */
    bool transcript, wire;   /* both: neither */
    bool taken;
    struct span path; /* of its first source */
    struct same_call *calls;
    size_t count, size;
};

struct same_sides {
    struct same_side *at;
    size_t count, size;
    struct arena arena;
};

struct same_pair {
    struct same_side *transcript, *wire;
    size_t distance; /* in folders */
};

struct same_pairs {
    struct same_pair *at;
    size_t count, size;
};

static void finish_sides(struct same_sides *sides)
{
    for (size_t i = 0; i < sides->count; i++)
        mem_free(sides->at[i].calls);
    mem_free(sides->at);
    arena_finish(&sides->arena);
}

/* ---- what there is ---- */

static bool read_sides(struct case_file *c, struct same_sides *sides, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c),
                "SELECT s.id, o.format, o.path FROM session s"
                " JOIN session_source t ON t.session_id=s.id JOIN source o ON o.id=t.source_id"
                " WHERE s.parent_id IS NULL AND o.role='log' ORDER BY s.id, o.id",
                err);
    if (!stmt)
        return false;
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        if (!sides->count || sides->at[sides->count - 1].session != stmt_int(stmt, 0)) {
            sides->at = mem_one_more(sides->at, sides->count, &sides->size, sizeof *sides->at);
            sides->at[sides->count++] = (struct same_side){
                .session = stmt_int(stmt, 0),
                .path = arena_copy(&sides->arena, stmt_text(stmt, 2)),
            };
        }
        struct same_side *side = &sides->at[sides->count - 1];
        const struct reader *reader = reader_find(stmt_text(stmt, 1));
        side->transcript = side->transcript || (reader && reader->transcript);
        side->wire = side->wire || !reader || !reader->transcript;
    }
    stmt_finish(stmt);
    return row == 0;
}

static void keep_call(void *arg, struct span key, const struct merge_call *call)
{
    struct same_side *side = arg;
    side->calls = mem_one_more(side->calls, side->count, &side->size, sizeof *side->calls);
    side->calls[side->count++] = (struct same_call){.key = hash_of(key),
                                                    .time_ns = call->time_ns,
                                                    .source = call->source,
                                                    .timed = call->timed};
}

static int by_key_and_time(const void *a, const void *b)
{
    const struct same_call *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* The session's calls, and those of its sub-agents: a server doesn't know who asks. */
static bool read_side(struct case_file *c, struct same_side *side, struct jcs *jcs, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(c), "SELECT id FROM session WHERE id=?1 OR parent_id=?1 ORDER BY id", err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, side->session);
    int64_t *ids = NULL;
    size_t count = 0;
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        ids = mem_resize(ids, (count + 1) * sizeof *ids);
        ids[count++] = stmt_int(stmt, 0);
    }
    stmt_finish(stmt);
    bool ok = row == 0;
    for (size_t i = 0; ok && i < count; i++)
        ok = merge_each(c, ids[i], 0, 0, jcs, keep_call, side, err);
    mem_free(ids);
    return ok;
}

static bool read_calls(struct case_file *c, struct same_sides *sides, struct err *err)
{
    struct jcs *jcs = jcs_create();
    bool ok = true;
    for (size_t i = 0; ok && i < sides->count; i++) {
        struct same_side *side = &sides->at[i];
        if (side->transcript && side->wire)
            continue;
        ok = read_side(c, side, jcs, err);
        if (side->count)
            qsort(side->calls, side->count, sizeof *side->calls, by_key_and_time);
    }
    jcs_destroy(jcs);
    return ok;
}

/* ---- how alike two of them are ---- */

/* Times that are too far apart to be told are as far apart as can be; never INT64_MIN, which has no
 * opposite. */
static int64_t time_between(int64_t a, int64_t b)
{
    int64_t between;
    if (__builtin_sub_overflow(a, b, &between) || between == INT64_MIN)
        return a < b ? -INT64_MAX : INT64_MAX;
    return between;
}

static bool is_alone(const struct same_side *side, size_t i)
{
    return (i == 0 || side->calls[i - 1].key != side->calls[i].key) &&
           (i + 1 == side->count || side->calls[i + 1].key != side->calls[i].key);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Is it by so much that clocks are off? Another run of the same calls is off by anything. */
static bool is_clock(int64_t offset_ns, int64_t spread_ns)
{
    int64_t seconds = llabs(offset_ns / TIME_SECOND), rest = seconds % SAME_ZONE_S;
    bool is_zone = seconds <= SAME_ZONES_S &&
                   (rest <= MERGE_SHOWN_SECONDS || rest >= SAME_ZONE_S - MERGE_SHOWN_SECONDS);
    return spread_ns <= SAME_JITTER_S * TIME_SECOND && (seconds <= SAME_SKEW_S || is_zone);
}

/* The median of the differences of calls that each side has once; 0: it doesn't tell. */
static int64_t clock_between(const struct same_side *transcript, const struct same_side *wire)
{
    size_t most = transcript->count < wire->count ? transcript->count : wire->count, count = 0;
    int64_t *off = NEW_ARRAY(int64_t, most + 1);
    for (size_t i = 0, k = 0; i < transcript->count && k < wire->count;) {
        const struct same_call *a = &transcript->calls[i], *b = &wire->calls[k];
        if (a->key == b->key && a->timed && b->timed && is_alone(transcript, i) &&
            is_alone(wire, k))
            off[count++] = time_between(b->time_ns, a->time_ns);
        i += a->key <= b->key;
        k += b->key <= a->key;
    }
    int64_t offset = 0;
    qsort(off, count, sizeof *off, by_value);
    if (count >= SAME_FEW &&
        is_clock(off[count / 2], time_between(off[count - 1 - count / 4], off[count / 4])))
        offset = off[count / 2];
    mem_free(off);
    return llabs(offset) > MERGE_SHOWN_SECONDS * TIME_SECOND ? offset : 0;
}

/* How many calls of the wire the transcript has too, each found once, by time where both have one.
 * `take`: they are not found again. */
static size_t shared_calls(struct same_side *transcript, const struct same_side *wire,
                           int64_t clock_ns, bool take, size_t *timed)
{
    const int64_t gap = MERGE_SHOWN_SECONDS * TIME_SECOND;
    size_t shared = 0;
    *timed = 0;
    for (size_t i = 0, k = 0; i < transcript->count && k < wire->count;) {
        struct same_call *a = &transcript->calls[i];
        const struct same_call *b = &wire->calls[k];
        bool told = a->timed && b->timed;
        int64_t between = told ? time_between(time_between(b->time_ns, clock_ns), a->time_ns) : 0;
        if (a->key < b->key || (a->key == b->key && (a->taken || between > gap))) {
            i++;
        } else if (b->key < a->key || between < -gap) {
            k++;
        } else {
            shared++;
            *timed += told;
            a->taken = a->taken || take;
            i++;
            k++;
        }
    }
    return shared;
}

/* How many calls of so many have to be shared. */
static size_t least_shared(size_t calls)
{
    return (calls * 4 + 4) / 5;
}

static bool are_one(struct same_side *transcript, const struct same_side *wire, int64_t *clock_ns)
{
    size_t timed;
    *clock_ns = clock_between(transcript, wire);
    size_t shared = shared_calls(transcript, wire, *clock_ns, false, &timed);
    if (shared < least_shared(wire->count) || (timed ? shared < 1 : shared < SAME_FEW))
        return false;
    shared_calls(transcript, wire, *clock_ns, true, &timed);
    return true;
}

/* ---- pairs ---- */

/* How many folders lie between two files. */
static size_t distance_of(struct span a, struct span b)
{
    size_t same = 0, folders = 0;
    for (size_t i = 0; i < a.len && i < b.len && a.at[i] == b.at[i]; i++)
        same = a.at[i] == '/' ? i + 1 : same;
    for (size_t i = same; i < a.len; i++)
        folders += a.at[i] == '/';
    for (size_t i = same; i < b.len; i++)
        folders += b.at[i] == '/';
    return folders;
}

static int nearest_first(const void *a, const void *b)
{
    const struct same_pair *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->transcript != y->transcript)
        return x->transcript < y->transcript ? -1 : 1;
    return (x->wire > y->wire) - (x->wire < y->wire);
}

/* A call of a wire session, by which transcripts find it. */
struct same_told {
    uint64_t key;
    size_t often;  /* it is told by wire sessions */
    uint32_t wire; /* index of its side */
};

static int by_told(const void *a, const void *b)
{
    const struct same_told *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->wire > y->wire) - (x->wire < y->wire);
}

static int rarest_first(const void *a, const void *b)
{
    const struct same_told *x = a, *y = b;
    return x->often != y->often ? (x->often < y->often ? -1 : 1) : by_told(a, b);
}

static void count_told(struct same_told *told, size_t count)
{
    qsort(told, count, sizeof *told, by_told);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && told[end].key == told[begin].key;)
            end++;
        for (size_t i = begin; i < end; i++)
            told[i].often = end - begin;
    }
}

static int by_wire(const void *a, const void *b)
{
    const struct same_told *x = a, *y = b;
    return x->wire != y->wire ? (x->wire < y->wire ? -1 : 1) : rarest_first(a, b);
}

/* Keeps the rarest calls of each side, by key. Who shares enough of all shares one of these: what
 * everybody calls makes no pairs. */
static size_t keep_rarest(struct same_told *told, size_t count)
{
    size_t kept = 0;
    qsort(told, count, sizeof *told, by_wire);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && told[end].wire == told[begin].wire;)
            end++;
        size_t enough = end - begin - least_shared(end - begin) + 1;
        memmove(told + kept, told + begin, enough * sizeof *told);
        kept += enough;
    }
    qsort(told, kept, sizeof *told, by_told);
    return kept;
}

static struct same_told *list_told(const struct same_sides *wires, size_t *count)
{
    size_t all = 0;
    for (size_t i = 0; i < wires->count; i++)
        all += wires->at[i].transcript ? 0 : wires->at[i].count;
    struct same_told *told = NEW_ARRAY(struct same_told, all + 1);
    *count = 0;
    for (size_t i = 0; i < wires->count; i++)
        for (size_t k = 0; k < wires->at[i].count && !wires->at[i].transcript; k++)
            told[(*count)++] =
                (struct same_told){.key = wires->at[i].calls[k].key, .wire = (uint32_t)i};
    if (*count) {
        count_told(told, *count);
        *count = keep_rarest(told, *count);
    }
    return told;
}

static size_t first_told(const struct same_told *told, size_t begin, size_t end, uint64_t key)
{
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (told[middle].key < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void add_pair(struct same_pairs *pairs, struct same_side *transcript, struct same_side *wire)
{
    pairs->at = mem_one_more(pairs->at, pairs->count, &pairs->size, sizeof *pairs->at);
    pairs->at[pairs->count++] =
        (struct same_pair){transcript, wire, distance_of(transcript->path, wire->path)};
}

/* The wires that have a call of the transcript, each once. `met`: by whom it was met last. */
static void list_pairs_of(struct same_side *transcript, struct same_sides *wires,
                          const struct same_told *told, size_t told_count,
                          const struct same_side **met, struct same_pairs *pairs)
{
    for (size_t i = 0, k = 0; i < transcript->count; i++) {
        uint64_t key = transcript->calls[i].key;
        if (i && transcript->calls[i - 1].key == key)
            continue;
        for (k = first_told(told, k, told_count, key); k < told_count && told[k].key == key; k++) {
            if (met[told[k].wire] == transcript || pairs->count == SAME_PAIRS_MOST)
                continue;
            met[told[k].wire] = transcript;
            add_pair(pairs, transcript, &wires->at[told[k].wire]);
        }
    }
}

static void list_pairs(struct same_sides *sides, struct same_sides *wires, struct same_pairs *pairs)
{
    size_t told_count;
    struct same_told *told = list_told(wires, &told_count);
    const struct same_side **met = NEW_ARRAY(const struct same_side *, wires->count + 1);
    for (size_t i = 0; i < sides->count; i++)
        if (!sides->at[i].wire)
            list_pairs_of(&sides->at[i], wires, told, told_count, met, pairs);
    mem_free(met);
    mem_free(told);
    if (pairs->count)
        qsort(pairs->at, pairs->count, sizeof *pairs->at, nearest_first);
}

/* Are there both kinds? Else no call is read. */
static bool may_pair(const struct same_sides *sides)
{
    bool transcript = false, wire = false;
    for (size_t i = 0; i < sides->count; i++) {
        transcript = transcript || !sides->at[i].wire;
        wire = wire || !sides->at[i].transcript;
    }
    return transcript && wire;
}

struct same_found {
    struct same_calls *at;
    size_t count, size;
};

static void add_found(struct same_found *found, struct same_calls one)
{
    found->at = mem_one_more(found->at, found->count, &found->size, sizeof *found->at);
    found->at[found->count++] = one;
}

/* Which wires belong to which transcripts. */
static void find_pairs(struct same_sides *sides, struct same_sides *wires, struct same_found *found)
{
    struct same_pairs maybe = {0};
    list_pairs(sides, wires, &maybe);
    for (size_t i = 0; i < maybe.count; i++) {
        struct same_side *transcript = maybe.at[i].transcript, *wire = maybe.at[i].wire;
        int64_t clock_ns;
        if (wire->taken || !are_one(transcript, wire, &clock_ns))
            continue;
        wire->taken = true;
        add_found(found, (struct same_calls){transcript->session, wire->session, wire->source,
                                             found->count, clock_ns});
    }
    mem_free(maybe.at);
}

/* ---- logs of several agents, taken for one session ---- */

static int by_source(const void *a, const void *b)
{
    const struct same_call *x = a, *y = b;
    return x->source != y->source ? (x->source < y->source ? -1 : 1) : by_key_and_time(a, b);
}

/* The logs of a session that belongs to no transcript as a whole; their calls are its own. */
static void list_logs_of(struct same_side *wire, struct same_sides *logs)
{
    qsort(wire->calls, wire->count, sizeof *wire->calls, by_source);
    for (size_t begin = 0, end; begin < wire->count; begin = end) {
        for (end = begin;
             end < wire->count && wire->calls[end].source == wire->calls[begin].source;)
            end++;
        if (end - begin == wire->count)
            return;
        logs->at = mem_one_more(logs->at, logs->count, &logs->size, sizeof *logs->at);
        logs->at[logs->count++] = (struct same_side){
            .session = wire->session,
            .source = wire->calls[begin].source,
            .wire = true,
            .path = wire->path,
            .calls = wire->calls + begin,
            .count = end - begin,
        };
    }
}

static void find_logs(struct same_sides *sides, struct same_found *found)
{
    struct same_sides logs = {0};
    for (size_t i = 0; i < sides->count; i++)
        if (!sides->at[i].transcript && !sides->at[i].taken && sides->at[i].count)
            list_logs_of(&sides->at[i], &logs);
    find_pairs(sides, &logs, found);
    mem_free(logs.at);
}

static int by_transcript(const void *a, const void *b)
{
    const struct same_calls *x = a, *y = b;
    if (x->transcript != y->transcript)
        return x->transcript < y->transcript ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

bool same_calls_find(struct case_file *c, struct same_calls **pairs, size_t *count, struct err *err)
{
    struct same_sides sides = {0};
    struct same_found found = {0};
    bool ok = read_sides(c, &sides, err);
    if (ok && may_pair(&sides) && (ok = read_calls(c, &sides, err))) {
        find_pairs(&sides, &sides, &found);
        find_logs(&sides, &found);
        if (found.count)
            qsort(found.at, found.count, sizeof *found.at, by_transcript);
    }
    finish_sides(&sides);
    *pairs = found.at;
    *count = found.count;
    return ok;
}

/* ---- a transcript in a session that was named ---- */

/* Of the session's logs, the one that tells most of the transcript's calls tells its clock. */
static int64_t clock_among(const struct same_sides *logs, int64_t source)
{
    const struct same_side *transcript = NULL;
    size_t most = 0;
    int64_t clock_ns = 0;
    for (size_t i = 0; i < logs->count; i++)
        if (logs->at[i].source == source)
            transcript = &logs->at[i];
    for (size_t i = 0; transcript && i < logs->count; i++) {
        const struct same_side *log = &logs->at[i];
        int64_t off = log != transcript && log->count > most ? clock_between(transcript, log) : 0;
        if (off)
            clock_ns = off, most = log->count;
    }
    return clock_ns;
}

bool same_calls_clock(struct case_file *c, int64_t source, int64_t *clock_ns, struct err *err)
{
    static const char sql[] =
        "SELECT s.id FROM session_source t JOIN session s ON s.id=t.session_id"
        " WHERE t.source_id=?1 AND s.parent_id IS NULL LIMIT 1";
    struct same_side all = {0};
    struct same_sides logs = {0};
    *clock_ns = 0;
    int found = db_number(case_db(c), sql, &source, 1, &all.session, err);
    if (found <= 0)
        return found == 0;
    struct jcs *jcs = jcs_create();
    bool ok = read_side(c, &all, jcs, err);
    if (ok && all.count) {
        list_logs_of(&all, &logs);
        *clock_ns = clock_among(&logs, source);
    }
    jcs_destroy(jcs);
    mem_free(logs.at);
    mem_free(all.calls);
    return ok;
}
