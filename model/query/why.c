/*
 * Why the context stood where it stood at a step: which items brought the axis
 * up, which of them the call at hand took its words from, and the path from
 * there. Labels say what could have flowed, common text says what did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonr.h"
#include "base/mem.h"
#include "model/query/review_internal.h"

enum {
    FIRST_ITEMS = 64,   /* the earliest of the items on the axis, */
    LAST_ITEMS = 192,   /* the latest of them, */
    SILENT_ITEMS = 128, /* and the latest of those that nothing was claimed of */
    TOKENS = 64,        /* words of the call that are looked for: the longest */
    TOKEN_MIN = 4,
    TOKEN_WEIGHT_MAX = 24,
    TEXT_MAX = 256 * 1024,        /* of one item */
    TEXTS_MAX = 16 * 1024 * 1024, /* of all */
};

/* ---- the words of a call ---- */

struct token {
    struct span text; /* in lower case */
    bool wished;      /* the user's prompt holds it too: no trace of anybody else */
};

struct tokens {
    struct token items[TOKENS];
    size_t count;
    struct arena *arena;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' ||
           c == '@' || (unsigned char)c >= 0x80;
}

static void fold(struct buf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if (text->at[i] >= 'A' && text->at[i] <= 'Z')
            text->at[i] = (char)(text->at[i] + ('a' - 'A'));
}

/* Keeps the longest words, each once. */
static void add_token(struct tokens *tokens, struct span text)
{
    size_t shortest = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        if (span_equal(tokens->items[i].text, text))
            return;
        if (tokens->items[i].text.len < tokens->items[shortest].text.len)
            shortest = i;
    }
    struct token token = {text, false};
    if (tokens->count < TOKENS) {
        token.text = arena_copy(tokens->arena, text);
        tokens->items[tokens->count++] = token;
    } else if (tokens->items[shortest].text.len < text.len) {
        token.text = arena_copy(tokens->arena, text);
        tokens->items[shortest] = token;
    }
}

static void add_words(struct tokens *tokens, struct buf *text)
{
    fold(text);
    for (size_t at = 0; at < text->len;) {
        size_t end = at;
        while (end < text->len && is_word(text->at[end]))
            end++;
        if (end - at >= TOKEN_MIN)
            add_token(tokens, (struct span){text->at + at, end - at});
        at = end + 1;
    }
}

/* Words of the values in a JSON text (names of members are the tool's, not the call's), or of all
 * of a text that isn't JSON. */
static void take_words(struct tokens *tokens, struct span text)
{
    struct buf words = {0};
    if (jsonr_valid(text, NULL, NULL)) {
        struct jsonr r;
        jsonr_init(&r, text);
        while (jsonr_next(&r) > JSONR_END) {
            struct span quoted = {r.value.at - 1, r.value.len + 2};
            if (r.token == JSONR_NUMBER)
                buf_add(&words, r.value);
            else if (r.token == JSONR_STRING)
                jsonr_string(quoted, &words, NULL);
            buf_byte(&words, '\n');
        }
        jsonr_finish(&r);
    } else {
        buf_add(&words, text);
    }
    add_words(tokens, &words);
    buf_finish(&words);
}

static bool holds(const struct buf *text, struct span word)
{
    return memmem(text->at, text->len, word.at, word.len) != NULL;
}

/* ---- items ---- */

struct item {
    int64_t n, step; /* number and row */
    struct span origin, rule;
    bool raised;  /* the axis rose here */
    bool on_axis; /* its label is on the axis; else nothing is claimed of it */
};

struct inquiry {
    struct review *r;
    int64_t n;     /* the step that is asked about */
    int64_t last;  /* the last step that can have had a part in it */
    int64_t since; /* where its context began */
    enum axis axis;
    struct arena *arena;
    struct tokens tokens;
    struct item items[FIRST_ITEMS + LAST_ITEMS + SILENT_ITEMS];
    size_t count;
    uint64_t texts; /* bytes read so far */
};

#define ITEM_COLUMNS                                                                               \
    "SELECT d.n, s.id, d.origin, d.rule, d.changed FROM run_step d JOIN step s ON s.session_id=?2" \
    " AND s.n = d.n LEFT JOIN label ON label.id = d.label_id"                                      \
    " WHERE d.run_id=?1 AND d.n BETWEEN ?3 AND ?4"
#define ON_INTEGRITY       " AND label.integrity = 'untrusted'"
#define ON_CONFIDENTIALITY " AND label.private"
#define SILENT                                                                                     \
    " AND (d.origin IS NULL OR d.origin = 'none') AND s.kind IN"                                   \
    " ('tool_result', 'resource', 'prompt_get', 'instructions', 'definitions', 'sampling')"

static bool have_item(const struct inquiry *q, int64_t n)
{
    for (size_t i = 0; i < q->count; i++)
        if (q->items[i].n == n)
            return true;
    return false;
}

static bool add_items(struct inquiry *q, const char *sql, bool on_axis, int limit, struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(q->r->c), sql, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, q->r->run.id);
    stmt_bind_int(stmt, 2, q->r->session);
    stmt_bind_int(stmt, 3, q->since);
    stmt_bind_int(stmt, 4, q->last);
    int row = 0;
    while (limit-- > 0 && (row = stmt_step(stmt, err)) > 0) {
        int64_t n = stmt_int(stmt, 0);
        if (have_item(q, n))
            continue;
        q->items[q->count++] = (struct item){
            .n = n,
            .step = stmt_int(stmt, 1),
            .origin = arena_copy(q->arena, stmt_text(stmt, 2)),
            .rule = arena_copy(q->arena, stmt_text(stmt, 3)),
            .raised = (stmt_int(stmt, 4) & (q->axis == AXIS_INTEGRITY ? 1 : 2)) != 0,
            .on_axis = on_axis,
        };
    }
    stmt_finish(stmt);
    return row >= 0;
}

static bool collect(struct inquiry *q, struct err *err)
{
    static const char *const first[] = {ITEM_COLUMNS ON_INTEGRITY " ORDER BY d.n",
                                        ITEM_COLUMNS ON_CONFIDENTIALITY " ORDER BY d.n"};
    static const char *const last[] = {ITEM_COLUMNS ON_INTEGRITY " ORDER BY d.n DESC",
                                       ITEM_COLUMNS ON_CONFIDENTIALITY " ORDER BY d.n DESC"};
    static const char silent[] = ITEM_COLUMNS SILENT " ORDER BY d.n DESC";
    return add_items(q, first[q->axis], true, FIRST_ITEMS, err) &&
           add_items(q, last[q->axis], true, LAST_ITEMS, err) &&
           add_items(q, silent, false, SILENT_ITEMS, err);
}

/* ---- scores ---- */

/* Reads an item's text, in lower case. False where nothing can be read, or enough was. */
static bool item_text(struct inquiry *q, int64_t step, struct buf *text)
{
    struct extent at;
    struct err unread = {0};
    buf_clear(text);
    if (q->texts >= TEXTS_MAX || !stream_body_of(q->r->c, step, q->arena, &at, &unread) ||
        !case_read(q->r->c, &at, TEXT_MAX, text, NULL, &unread))
        return false;
    q->texts += text->len;
    fold(text);
    return true;
}

static double weight(const struct token *token)
{
    size_t len = token->text.len < TOKEN_WEIGHT_MAX ? token->text.len : TOKEN_WEIGHT_MAX;
    return token->wished ? 0 : (double)len;
}

static double total_weight(const struct tokens *tokens)
{
    double total = 0;
    for (size_t i = 0; i < tokens->count; i++)
        total += weight(&tokens->items[i]);
    return total;
}

static void add_reason(struct cause *cause, struct span reason)
{
    if (cause->reason_count < COUNT_OF(cause->reasons))
        cause->reasons[cause->reason_count++] = reason;
}

/* How much of the call's words the item holds, 0 to 1; the heaviest are named. */
static double overlap(struct inquiry *q, const struct buf *text, struct cause *cause)
{
    enum { NAMED = 3 };
    double total = total_weight(&q->tokens), sum = 0;
    const struct token *named[NAMED] = {0};
    for (size_t i = 0; i < q->tokens.count; i++) {
        const struct token *token = &q->tokens.items[i];
        if (weight(token) <= 0 || !holds(text, token->text))
            continue;
        sum += weight(token);
        for (size_t k = 0; token && k < NAMED; k++) {
            if (named[k] && weight(token) <= weight(named[k]))
                continue;
            const struct token *lighter = named[k]; /* moves down a place */
            named[k] = token;
            token = lighter;
        }
    }
    if (sum <= 0)
        return 0;
    struct buf words = {0};
    for (size_t k = 0; k < NAMED && named[k]; k++)
        buf_addf(&words, "%s\"%.*s\"", k ? ", " : "", SPAN_ARG(span_sub(named[k]->text, 0, 60)));
    add_reason(cause,
               span_of(arena_printf(
                   q->arena, "words of the call stand in it, and not in the user's prompt: %.*s",
                   SPAN_ARG(buf_span(&words)))));
    buf_finish(&words);
    return sum / total;
}

/* How far a claim about the item itself can be relied on. */
static double strength(struct span origin)
{
    static const double by_origin[] = {[ORIGIN_NONE] = 0,
                                       [ORIGIN_CLAIMED] = 0.15,
                                       [ORIGIN_VERIFIED] = 0.2,
                                       [ORIGIN_ASSUMED] = 0.1};
    for (int i = 0; i < LABEL_ORIGIN_COUNT; i++)
        if (span_is(origin, label_origin_word((enum label_origin)i)))
            return by_origin[i];
    return 0;
}

static void score(struct inquiry *q, const struct item *item, struct buf *text, struct cause *cause)
{
    const double raise_weight = 0.2, text_weight = 0.6;
    *cause = (struct cause){.n = item->n};
    if (item_text(q, item->step, text))
        cause->score += text_weight * overlap(q, text, cause);
    if (item->on_axis) {
        cause->score += strength(item->origin) + (item->raised ? raise_weight : 0);
        add_reason(cause, span_of(arena_printf(q->arena, "%s (%.*s: %.*s)",
                                               q->axis == AXIS_INTEGRITY ? "it is untrusted"
                                                                         : "it is private",
                                               SPAN_ARG(item->origin), SPAN_ARG(item->rule))));
        if (item->raised)
            add_reason(cause, q->axis == AXIS_INTEGRITY
                                  ? SPAN("the context turned untrusted here")
                                  : SPAN("the context became more private here"));
    } else {
        add_reason(cause, SPAN("nothing is claimed of it"));
    }
}

static int heavier(const void *a, const void *b)
{
    const struct cause *x = a, *y = b;
    if (x->score < y->score || x->score > y->score)
        return x->score > y->score ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n); /* the earlier of equals: it came to be known first */
}

static void rank(struct inquiry *q, struct why *out)
{
    struct buf text = {0};
    out->causes = arena_array(q->arena, q->count + 1, sizeof *out->causes);
    out->cause_count = 0;
    for (size_t i = 0; i < q->count; i++) {
        struct cause *cause = &out->causes[out->cause_count];
        score(q, &q->items[i], &text, cause);
        out->cause_count += q->items[i].on_axis || cause->score > 0;
    }
    qsort(out->causes, out->cause_count, sizeof *out->causes, heavier);
    buf_finish(&text);
}

/* ---- the chain ---- */

/* Where the claim stands that the axis rests on at this step. */
static bool locate(struct inquiry *q, struct cause_link *link, int64_t step, struct err *err)
{
    struct stmt *stmt = db_stmt(
        case_db(q->r->c),
        "SELECT pointer, offset, length FROM claim WHERE step_id=?1"
        " ORDER BY name IN ('untrusted', 'integrity', 'openWorldHint') = ?2 DESC, problem IS NULL DESC, id LIMIT 1",
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, step);
    stmt_bind_int(stmt, 2, q->axis == AXIS_INTEGRITY);
    int row = stmt_step(stmt, err);
    link->pointer = SPAN_EMPTY;
    if (row > 0) {
        link->pointer = arena_copy(q->arena, stmt_text(stmt, 0));
        link->offset = (uint64_t)stmt_int(stmt, 1);
        link->length = (uint64_t)stmt_int(stmt, 2);
    }
    stmt_finish(stmt);
    return row >= 0;
}

static int by_number(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->n > y->n) - (x->n < y->n);
}

/* The items at which the axis rose, and the likeliest cause, in order; then the step itself. */
static bool make_chain(struct inquiry *q, const struct flow_row *row, struct why *out,
                       struct err *err)
{
    out->chain = arena_array(q->arena, q->count + 1, sizeof *out->chain);
    out->chain_count = 0;
    qsort(q->items, q->count, sizeof *q->items, by_number);
    int64_t before = 0, likeliest = out->cause_count ? out->causes[0].n : 0;
    for (size_t i = 0; i < q->count; i++) {
        const struct item *item = &q->items[i];
        if (item->n == q->n || (!(item->on_axis && item->raised) && item->n != likeliest))
            continue;
        struct cause_link *link = &out->chain[out->chain_count++];
        *link = (struct cause_link){
            .n = item->n,
            .rule = item->rule.len ? item->rule.at : "text", /* the arena ends it with a NUL */
            .from = before,
        };
        if (!locate(q, link, item->step, err))
            return false;
        before = item->n;
    }
    const char *rule = row->verdict == VERDICT_NONE ? "context"
                       : q->axis == AXIS_INTEGRITY  ? "P-T"
                                                    : "P-F";
    out->chain[out->chain_count++] =
        (struct cause_link){.n = q->n, .rule = rule, .from = before, .pointer = SPAN_EMPTY};
    return true;
}

/* ---- asking ---- */

/* Marks the words that the user's own prompts hold. */
static bool mark_wishes(struct inquiry *q, struct err *err)
{
    struct stmt *stmt = db_prepare(
        case_db(q->r->c),
        SPAN(
            "SELECT id FROM step WHERE session_id=?1 AND n<?2 AND kind IN ('prompt', 'reset') AND kind = 'prompt'"
            " AND coalesce(tool, '') = '' ORDER BY n DESC LIMIT 256"),
        err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, q->r->session);
    stmt_bind_int(stmt, 2, q->n);
    struct buf text = {0};
    int row;
    while ((row = stmt_step(stmt, err)) > 0) {
        if (!item_text(q, stmt_int(stmt, 0), &text))
            continue;
        for (size_t i = 0; i < q->tokens.count; i++)
            q->tokens.items[i].wished |= holds(&text, q->tokens.items[i].text);
    }
    buf_finish(&text);
    stmt_finish(stmt);
    q->texts = 0;
    return row == 0;
}

static bool context_began(struct inquiry *q, struct err *err)
{
    struct stmt *stmt =
        db_stmt(case_db(q->r->c),
                "SELECT n FROM step WHERE session_id=?1 AND n<=?2 AND kind IN ('prompt', 'reset')"
                " AND kind = 'reset' AND tool = 'clear' ORDER BY n DESC LIMIT 1",
                err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, q->r->session);
    stmt_bind_int(stmt, 2, q->last);
    int row = stmt_step(stmt, err);
    q->since = row > 0 ? stmt_int(stmt, 0) : 1;
    stmt_finish(stmt);
    return row >= 0;
}

bool review_why(struct review *r, int64_t n, enum axis axis, struct arena *arena, struct why *out,
                struct err *err)
{
    int64_t id;
    struct flow_row row;
    *out = (struct why){0};
    if (!review_step_id(r, n, &id, err) || review_rows(r, n, 1, 0, arena, &row, err) != 1)
        return false;
    /* What acts rests on the context before it; what comes in is part of the answer itself. */
    bool acts = row.step.kind == STEP_TOOL_CALL || row.step.kind == STEP_ASSISTANT;
    struct inquiry *q = arena_alloc(arena, sizeof *q);
    *q = (struct inquiry){.r = r,
                          .n = n,
                          .last = acts ? n - 1 : n,
                          .axis = axis,
                          .arena = arena,
                          .tokens = {.arena = arena}};
    struct buf body = {0};
    struct err unread = {0};
    if (acts && case_read(r->c, &row.step.body, TEXT_MAX, &body, NULL, &unread))
        take_words(&q->tokens, buf_span(&body));
    buf_finish(&body);
    if (!context_began(q, err) || !mark_wishes(q, err) || !collect(q, err))
        return false;
    rank(q, out);
    return make_chain(q, &row, out, err);
}
