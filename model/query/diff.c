#include "model/query/diff.h"

#include "base/hash.h"
#include "model/query/review_internal.h"

enum { PAGE = 512, MOST_EDITS = 3000 }; /* memory is quadratic in the edits: 36 MB */

const char *diff_kind_word(enum diff_kind kind)
{
    static const char *const words[] = {
#define X(id, word) word,
        DIFF_KINDS(X)
#undef X
    };
    return words[kind];
}

/* What is compared of a step. */
struct sign {
    uint64_t key, body;
    enum verdict verdict;
    bool untrusted, is_private;
};

struct signs {
    struct sign *at; /* at[n - 1] */
    int64_t count;
};

static bool sign_step(struct review *r, const struct flow_row *row, struct buf *body,
                      struct sign *sign, struct err *err)
{
    struct span kind = span_of(step_kind_word(row->step.kind));
    bool cut;
    buf_clear(body);
    if (!review_body(r, row->step.n, 0, body, &cut, err))
        return false;
    *sign = (struct sign){
        .key = hash_next(hash_next(hash_next(HASH_BEGIN, kind), row->step.server), row->step.tool),
        .body = hash_next(HASH_BEGIN, buf_span(body)),
        .verdict = row->verdict,
        .untrusted = row->after.integrity == UNTRUSTED,
        .is_private = label_is_private(row->after),
    };
    return true;
}

static bool sign_session(struct review *r, struct arena *arena, struct signs *out, struct err *err)
{
    struct arena page = {0};
    struct flow_row *rows = NEW_ARRAY(struct flow_row, PAGE);
    struct buf body = {0};
    bool ok = true;
    long got;
    out->count = review_steps(r);
    out->at = arena_array(arena, (size_t)out->count + 1, sizeof *out->at);
    for (int64_t n = 1; ok && n <= out->count; n += got) {
        got = review_rows(r, n, PAGE, 0, &page, rows, err);
        ok = got > 0;
        for (long i = 0; ok && i < got; i++)
            ok = sign_step(r, &rows[i], &body, &out->at[n + i - 1], err);
        arena_reset(&page);
    }
    buf_finish(&body);
    mem_free(rows);
    arena_finish(&page);
    return ok;
}

/* ---- alignment ---- */

struct script {
    const struct signs *a, *b;
    struct session_diff *out;
    size_t room;
    struct arena *arena;
};

static void add_step(struct script *s, struct step_diff step)
{
    s->out->steps = arena_one_more(s->arena, s->out->steps, s->out->step_count, &s->room,
                                   sizeof *s->out->steps);
    s->out->steps[s->out->step_count++] = step;
}

/* Two steps that are aligned, 0-based. */
static void add_pair(struct script *s, int64_t x, int64_t y)
{
    const struct sign *a = &s->a->at[x], *b = &s->b->at[y];
    struct step_diff step = {
        .kind = DIFF_CHANGED,
        .a = x + 1,
        .b = y + 1,
        .body = a->body != b->body,
        .verdict = a->verdict != b->verdict,
        .context = a->untrusted != b->untrusted || a->is_private != b->is_private,
    };
    if (step.body || step.verdict || step.context)
        add_step(s, step);
    else
        s->out->same++;
}

struct move {
    int64_t x, y;        /* 0-based */
    enum diff_kind kind; /* SAME: the two are aligned */
};

/*
 * rows[d][k + d] is how far x came on diagonal k with d edits. Walks them back
 * from the ends; gives the moves, last first.
 */
static size_t walk_back(const struct script *s, int32_t *const *rows, int64_t edits,
                        struct move *moves)
{
    int64_t x = s->a->count, y = s->b->count;
    size_t count = 0;
    for (int64_t d = edits; d > 0; d--) {
        const int32_t *before = rows[d - 1] + (d - 1);
        int64_t k = x - y;
        bool down = k == -d || (k != d && before[k - 1] < before[k + 1]);
        int64_t from_k = down ? k + 1 : k - 1;
        int64_t from_x = before[from_k], from_y = from_x - from_k;
        while (x > from_x && y > from_y)
            moves[count++] = (struct move){--x, --y, DIFF_SAME};
        moves[count++] =
            down ? (struct move){x, --y, DIFF_ADDED} : (struct move){--x, y, DIFF_REMOVED};
    }
    while (x > 0 && y > 0)
        moves[count++] = (struct move){--x, --y, DIFF_SAME};
    return count;
}

static void write_script(struct script *s, int32_t *const *rows, int64_t edits)
{
    struct move *moves = NEW_ARRAY(struct move, (size_t)(s->a->count + s->b->count) + 1);
    size_t count = walk_back(s, rows, edits, moves);
    while (count-- > 0) {
        const struct move *m = &moves[count];
        if (m->kind == DIFF_SAME)
            add_pair(s, m->x, m->y);
        else if (m->kind == DIFF_REMOVED)
            add_step(s, (struct step_diff){.kind = DIFF_REMOVED, .a = m->x + 1});
        else
            add_step(s, (struct step_diff){.kind = DIFF_ADDED, .b = m->y + 1});
    }
    mem_free(moves);
}

/* As far as the two go together from (x, y). */
static int64_t slide(const struct script *s, int64_t x, int64_t y)
{
    while (x < s->a->count && y < s->b->count && s->a->at[x].key == s->b->at[y].key) {
        x++;
        y++;
    }
    return x;
}

/* One round of the forward pass: all diagonals with d edits. True when the ends were reached. */
static bool round_of(const struct script *s, int32_t **rows, int64_t d)
{
    int32_t *row = rows[d] + d;
    const int32_t *before = d ? rows[d - 1] + (d - 1) : NULL;
    for (int64_t k = -d; k <= d; k += 2) {
        int64_t x = !before                                                ? 0
                    : k == -d || (k != d && before[k - 1] < before[k + 1]) ? before[k + 1]
                                                                           : before[k - 1] + 1;
        int64_t y = x - k;
        bool inside = x <= s->a->count && y <= s->b->count && y >= 0;
        row[k] = (int32_t)(inside ? slide(s, x, y) : x);
        if (row[k] >= s->a->count && row[k] - k >= s->b->count)
            return true;
    }
    return false;
}

/* Too different to align in bounded memory: what they begin with, and the rest as it is. */
static void write_unaligned(struct script *s)
{
    int64_t shared = slide(s, 0, 0);
    s->out->capped = true;
    for (int64_t i = 0; i < shared; i++)
        add_pair(s, i, i);
    for (int64_t i = shared; i < s->a->count; i++)
        add_step(s, (struct step_diff){.kind = DIFF_REMOVED, .a = i + 1});
    for (int64_t i = shared; i < s->b->count; i++)
        add_step(s, (struct step_diff){.kind = DIFF_ADDED, .b = i + 1});
}

static void align(struct script *s)
{
    int32_t **rows = NEW_ARRAY(int32_t *, MOST_EDITS + 1);
    int64_t d = 0;
    bool reached = false;
    for (; !reached && d <= MOST_EDITS; d++) {
        rows[d] = NEW_ARRAY(int32_t, 2 * (size_t)d + 1);
        reached = round_of(s, rows, d);
    }
    if (reached)
        write_script(s, rows, d - 1);
    else
        write_unaligned(s);
    for (int64_t i = 0; i < d; i++)
        mem_free(rows[i]);
    mem_free(rows);
}

/* ---- servers and definitions ---- */

/* Names and values of one session, in order of the names: (what, name, value). */
static const char facts_sql[] =
    "SELECT 'server' AS what, coalesce(server.name, '') AS name,"
    "  group_concat(DISTINCT coalesce(c.server_name, '') || ' ' || coalesce(c.server_version, '')) AS value"
    " FROM connection c LEFT JOIN server ON server.id = c.server_id WHERE c.session_id = ?1 GROUP BY 2"
    " UNION ALL SELECT 'protocol', coalesce(server.name, ''), group_concat(DISTINCT coalesce(c.protocol_version, ''))"
    " FROM connection c LEFT JOIN server ON server.id = c.server_id WHERE c.session_id = ?1 GROUP BY 2"
    " UNION ALL SELECT 'client', coalesce(server.name, ''),"
    "  group_concat(DISTINCT coalesce(c.client_name, '') || ' ' || coalesce(c.client_version, ''))"
    " FROM connection c LEFT JOIN server ON server.id = c.server_id WHERE c.session_id = ?1 GROUP BY 2"
    " UNION ALL SELECT 'definition', coalesce(server.name, '') || '.' || d.tool,"
    "  group_concat(DISTINCT coalesce('sha256:' || lower(hex(d.digest)), 'no digest'))"
    " FROM definition d JOIN step s ON s.id = d.step_id LEFT JOIN server ON server.id = d.server_id"
    " WHERE s.session_id = ?1 GROUP BY 2"
    " ORDER BY 1, 2";

struct fact {
    struct span what, name, value;
};

static bool facts_of(struct review *r, struct arena *arena, struct fact **out, size_t *count,
                     struct err *err)
{
    struct stmt *stmt = db_prepare(case_db(r->c), span_of(facts_sql), err);
    size_t room = 0;
    int row;
    *out = NULL;
    *count = 0;
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, review_session(r));
    while ((row = stmt_step(stmt, err)) > 0) {
        *out = arena_one_more(arena, *out, *count, &room, sizeof **out);
        (*out)[(*count)++] = (struct fact){arena_copy(arena, stmt_text(stmt, 0)),
                                           arena_copy(arena, stmt_text(stmt, 1)),
                                           arena_copy(arena, stmt_text(stmt, 2))};
    }
    stmt_finish(stmt);
    return row == 0;
}

static int compare_facts(const struct fact *a, const struct fact *b)
{
    int order = span_compare(a->what, b->what);
    return order ? order : span_compare(a->name, b->name);
}

static bool diff_facts(struct review *a, struct review *b, struct arena *arena,
                       struct session_diff *out, struct err *err)
{
    struct fact *x, *y;
    size_t x_count, y_count, i = 0, j = 0;
    if (!facts_of(a, arena, &x, &x_count, err) || !facts_of(b, arena, &y, &y_count, err))
        return false;
    out->facts = arena_array(arena, x_count + y_count + 1, sizeof *out->facts);
    while (i < x_count || j < y_count) {
        int order = i == x_count ? 1 : j == y_count ? -1 : compare_facts(&x[i], &y[j]);
        const struct fact *left = order <= 0 ? &x[i++] : NULL;
        const struct fact *right = order >= 0 ? &y[j++] : NULL;
        if (left && right && span_equal(left->value, right->value))
            continue;
        const struct fact *any = left ? left : right;
        out->facts[out->fact_count++] = (struct fact_diff){
            .kind = !left    ? DIFF_ADDED
                    : !right ? DIFF_REMOVED
                             : DIFF_CHANGED,
            .what = any->what,
            .name = any->name,
            .a = left ? left->value : (struct span){0},
            .b = right ? right->value : (struct span){0},
        };
    }
    return true;
}

bool review_diff(struct review *a, struct review *b, struct arena *arena, struct session_diff *out,
                 struct err *err)
{
    struct signs of_a, of_b;
    *out = (struct session_diff){0};
    if (!sign_session(a, arena, &of_a, err) || !sign_session(b, arena, &of_b, err) ||
        !diff_facts(a, b, arena, out, err))
        return false;
    struct script script = {.a = &of_a, .b = &of_b, .out = out, .arena = arena};
    align(&script);
    return true;
}
