/*
 * Why the context stood where it stood at a step: which items brought the axis
 * up, which of them brought the call at hand about, and the path from there.
 * Labels say what could have flowed, the texts say what did (trace/rank.h).
 */
#include <stdlib.h>
#include <string.h>

#include "base/jsonr.h"
#include "base/mem.h"
#include "model/query/review_internal.h"
#include "model/trace/link.h"
#include "model/trace/rank.h"

enum {
    FIRST_ITEMS = 64,   /* the earliest of the items on the axis, */
    LAST_ITEMS = 192,   /* the latest of them, */
    SILENT_ITEMS = 256, /* and the latest of those that nothing was claimed of */
    PROMPTS = 256,      /* the latest prompts of the user */
    ITEMS = FIRST_ITEMS + LAST_ITEMS + SILENT_ITEMS + PROMPTS,
    WHY_TEXT_MAX = 256 * 1024,    /* of one item */
    TEXTS_MAX = 16 * 1024 * 1024, /* of all */
};

/* ---- items ---- */

struct item {
    int64_t n, step; /* number and row */
    int64_t call;    /* row of the call that a result answers; 0: none */
    enum trace_source source;
    struct span origin, rule;
    bool raised;  /* the axis rose here */
    bool on_axis; /* its label is on the axis; else nothing is claimed of it */
    bool on_both; /* and on the other one too, so that `rule` may speak of that */
};

struct inquiry {
    struct review *r;
    int64_t n;     /* the step that is asked about */
    int64_t last;  /* the last step that can have had a part in it */
    int64_t since; /* where its context began */
    enum axis axis;
    struct arena *arena;
    struct item items[ITEMS];
    size_t count;
    struct arena bodies; /* texts of the items, as long as they are ranked */
    uint64_t texts;      /* bytes read so far */
    bool capped;         /* a bound was hit */
};

/* The label is looked at before the step is fetched: of a million rows few have one. */
#define ITEM_COLUMNS                                                                                        \
    "SELECT d.n, s.id, d.origin, d.rule, d.changed, s.call_id, s.kind,"                                     \
    " label.integrity = 'untrusted' AND label.private FROM run_step d CROSS JOIN step s ON s.session_id=?2" \
    " AND s.n = d.n LEFT JOIN label ON label.id = d.label_id"                                               \
    " WHERE d.run_id=?1 AND d.n BETWEEN ?3 AND ?4"
#define ON_INTEGRITY       " AND d.label_id IN (SELECT id FROM label WHERE integrity = 'untrusted')"
#define ON_CONFIDENTIALITY " AND d.label_id IN (SELECT id FROM label WHERE private)"
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

/* What an item is to the ranking, by its kind. */
static enum trace_source why_source_of(struct span kind)
{
    static const struct {
        enum step_kind kind;
        enum trace_source source;
    } sources[] = {
        {STEP_PROMPT, TRACE_PROMPT},
        {STEP_DEFINITIONS, TRACE_DEFINITIONS},
        {STEP_INSTRUCTIONS, TRACE_INSTRUCTIONS},
        {STEP_RESOURCE, TRACE_RESOURCE},
        {STEP_PROMPT_GET, TRACE_PROMPT_GET},
        {STEP_ASSISTANT, TRACE_ASSISTANT},
    };
    enum step_kind found;
    if (step_kind_of(kind, &found))
        for (size_t i = 0; i < COUNT_OF(sources); i++)
            if (sources[i].kind == found)
                return sources[i].source;
    return TRACE_RESULT;
}

/* *more: there are others. */
static bool add_items(struct inquiry *q, const char *sql, bool on_axis, int limit, bool *more,
                      struct err *err)
{
    struct stmt *stmt = db_stmt(case_db(q->r->c), sql, err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, q->r->run.id);
    stmt_bind_int(stmt, 2, q->r->session);
    stmt_bind_int(stmt, 3, q->since);
    stmt_bind_int(stmt, 4, q->last);
    int row = 0;
    *more = false;
    while (!*more && (row = stmt_step(stmt, err)) > 0) {
        int64_t n = stmt_int(stmt, 0);
        if (have_item(q, n))
            continue;
        if (limit-- == 0) {
            *more = true;
            break;
        }
        q->items[q->count++] = (struct item){
            .n = n,
            .step = stmt_int(stmt, 1),
            .origin = arena_copy(q->arena, stmt_text(stmt, 2)),
            .rule = arena_copy(q->arena, stmt_text(stmt, 3)),
            .raised = (stmt_int(stmt, 4) & (q->axis == AXIS_INTEGRITY ? 1 : 2)) != 0,
            .call = stmt_int(stmt, 5),
            .source = why_source_of(stmt_text(stmt, 6)),
            .on_axis = on_axis,
            .on_both = on_axis && stmt_int(stmt, 7),
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
    bool more, more_silent;
    if (!add_items(q, first[q->axis], true, FIRST_ITEMS, &more, err) ||
        !add_items(q, last[q->axis], true, LAST_ITEMS, &more, err) ||
        !add_items(q, silent, false, SILENT_ITEMS, &more_silent, err))
        return false;
    q->capped = more || more_silent;
    return true;
}

/* ---- causes ---- */

/* The text of a step's body, as much of it as may be read. */
static struct span why_text_of(struct inquiry *q, int64_t step)
{
    struct extent at;
    struct err unread = {0};
    struct buf text = {0};
    struct span kept = SPAN_EMPTY;
    bool cut = q->texts >= TEXTS_MAX;
    if (!step)
        return kept;
    if (!cut && stream_body_of(q->r->c, step, q->arena, &at, &unread) &&
        case_read(q->r->c, &at, WHY_TEXT_MAX, &text, &cut, &unread))
        kept = arena_copy(&q->bodies, buf_span(&text));
    q->capped = q->capped || cut;
    q->texts += kept.len;
    buf_finish(&text);
    return kept;
}

/* What of the model's own text acts: the addresses in it, as a JSON array. */
static struct span addresses(struct inquiry *q, struct span text)
{
    struct link *links;
    size_t count;
    bool capped;
    struct buf json = {0};
    links_find(text, &q->bodies, &links, &count, &capped);
    q->capped = q->capped || capped;
    for (size_t i = 0; i < count; i++) {
        buf_byte(&json, i ? ',' : '[');
        jsonr_quote(&json, links[i].url);
    }
    if (count)
        buf_byte(&json, ']');
    struct span kept = count ? arena_copy(&q->bodies, buf_span(&json)) : text;
    buf_finish(&json);
    return kept;
}

static void why_add_reason(struct cause *cause, struct span reason)
{
    if (cause->reason_count < COUNT_OF(cause->reasons))
        cause->reasons[cause->reason_count++] = reason;
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

/* What the label says beside the text. */
static void weigh_label(struct inquiry *q, const struct item *item, struct cause *cause)
{
    const double raise_weight = 0.2, label_weight = 0.25;
    cause->bears = item->on_axis;
    if (item->source == TRACE_PROMPT)
        return;
    if (!item->on_axis) {
        why_add_reason(cause, SPAN("no claim was made about it"));
        return;
    }
    cause->score += label_weight * (strength(item->origin) + (item->raised ? raise_weight : 0));
    why_add_reason(
        cause, span_of(arena_printf(q->arena, "%s (%.*s: %.*s)",
                                    q->axis == AXIS_INTEGRITY ? "it is untrusted" : "it is private",
                                    SPAN_ARG(item->origin), SPAN_ARG(item->rule))));
    if (item->raised)
        why_add_reason(cause, q->axis == AXIS_INTEGRITY
                                  ? SPAN("the context turned untrusted here")
                                  : SPAN("the context became more private here"));
}

static int heavier(const void *a, const void *b)
{
    const struct cause *x = a, *y = b;
    if (x->score < y->score || x->score > y->score)
        return x->score > y->score ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n); /* the earlier of equals: it came to be known first */
}

static int why_by_number(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return (x->n > y->n) - (x->n < y->n);
}

/* The rule that put it on the axis: the row names only the first of them all. */
static bool name_rule(struct inquiry *q, struct item *item, struct err *err)
{
    struct flow_row row;
    struct replay_out out;
    if (!review_explain(q->r, item->n, &row, &out, err))
        return false;
    for (size_t i = 0; i < out.reason_count; i++) {
        struct label label = out.reasons[i].label;
        if (q->axis == AXIS_INTEGRITY ? label.integrity == UNTRUSTED : label_is_private(label)) {
            item->rule = arena_copy(q->arena, span_of(out.reasons[i].rule));
            break;
        }
    }
    return true;
}

static bool name_rules(struct inquiry *q, struct err *err)
{
    qsort(q->items, q->count, sizeof *q->items, why_by_number);
    for (size_t i = 0; i < q->count; i++)
        if (q->items[i].on_both && !name_rule(q, &q->items[i], err))
            return false;
    return true;
}

/* Asks the texts; gives what they say of each item, in the order of the items. */
static void rank_texts(struct inquiry *q, const struct rank_call *call, struct cause *causes)
{
    const double text_weight = 0.8;
    struct rank_item *items = arena_array(q->arena, q->count + 1, sizeof *items);
    struct rank_cause *ranked;
    size_t count, at = 0;
    for (size_t i = 0; i < q->count; i++)
        items[i] = (struct rank_item){.n = q->items[i].n,
                                      .source = q->items[i].source,
                                      .text = why_text_of(q, q->items[i].step)};
    for (size_t i = 0; i < q->count; i++)
        items[i].arguments = why_text_of(q, q->items[i].call);
    bool capped;
    rank_causes(call, items, q->count, q->arena, &ranked, &count, &capped);
    q->capped = q->capped || capped;
    for (size_t i = 0; i < count; i++) {
        for (at = 0; at < q->count && q->items[at].n != ranked[i].n;)
            at++;
        if (at == q->count)
            continue;
        causes[at].score = text_weight * ranked[i].score;
        for (size_t k = 0; k < ranked[i].reason_count && k < 2; k++)
            why_add_reason(&causes[at], ranked[i].reasons[k]);
    }
}

static void rank(struct inquiry *q, const struct rank_call *call, struct why *out)
{
    struct cause *causes = arena_array(q->arena, q->count + 1, sizeof *causes);
    if (call)
        rank_texts(q, call, causes);
    out->causes = causes;
    out->cause_count = 0;
    for (size_t i = 0; i < q->count; i++) {
        struct cause cause = causes[i];
        cause.n = q->items[i].n;
        bool said = cause.score > 0;
        weigh_label(q, &q->items[i], &cause);
        if (said || q->items[i].on_axis)
            causes[out->cause_count++] = cause;
    }
    qsort(out->causes, out->cause_count, sizeof *out->causes, heavier);
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

/* What the context breaks at the step: a rule that the policy asks of this call, or none. */
static bool broken_rule(struct inquiry *q, const char **rule, struct err *err)
{
    struct flow_row row;
    struct replay_out out;
    if (!review_explain(q->r, q->n, &row, &out, err))
        return false;
    bool integrity = q->axis == AXIS_INTEGRITY;
    enum verdict verdict = integrity ? out.trusted_action : out.permitted_flow;
    bool asked = out.asked & (integrity ? ASKED_TRUSTED_ACTION : ASKED_PERMITTED_FLOW);
    *rule = !asked || verdict == VERDICT_ALLOW ? "context" : integrity ? "P-T" : "P-F";
    return true;
}

/* The items at which the axis rose, and the likeliest cause, in order; then the step itself. */
static bool make_chain(struct inquiry *q, struct why *out, struct err *err)
{
    out->chain = arena_array(q->arena, q->count + 1, sizeof *out->chain);
    out->chain_count = 0;
    int64_t before = 0, likeliest = out->cause_count ? out->causes[0].n : 0;
    for (size_t i = 0; i < q->count; i++) {
        const struct item *item = &q->items[i];
        if (item->n == q->n || (!(item->on_axis && item->raised) && item->n != likeliest))
            continue;
        struct cause_link *link = &out->chain[out->chain_count++];
        *link = (struct cause_link){
            .n = item->n,
            .rule = item->rule.len ? item->rule : SPAN("text"),
            .from = before,
        };
        if (!locate(q, link, item->step, err))
            return false;
        before = item->n;
    }
    const char *rule;
    if (!broken_rule(q, &rule, err))
        return false;
    out->chain[out->chain_count++] = (struct cause_link){
        .n = q->n, .rule = span_of(rule), .from = before, .pointer = SPAN_EMPTY};
    return true;
}

/* ---- asking ---- */

/* The user's own prompts: what the others are measured against. */
static bool add_prompts(struct inquiry *q, struct err *err)
{
    struct stmt *stmt =
        db_prepare(case_db(q->r->c),
                   SPAN("SELECT n, id FROM step WHERE session_id=?1 AND n<?2 AND kind = 'prompt'"
                        " AND coalesce(tool, '') = '' ORDER BY n DESC LIMIT ?3"),
                   err);
    if (!stmt)
        return false;
    stmt_bind_int(stmt, 1, q->r->session);
    stmt_bind_int(stmt, 2, q->n);
    stmt_bind_int(stmt, 3, PROMPTS + 1);
    int row, prompts = 0;
    while ((row = stmt_step(stmt, err)) > 0) {
        if (prompts++ == PROMPTS)
            q->capped = true;
        else if (!have_item(q, stmt_int(stmt, 0)))
            q->items[q->count++] = (struct item){
                .n = stmt_int(stmt, 0), .step = stmt_int(stmt, 1), .source = TRACE_PROMPT};
    }
    stmt_finish(stmt);
    return row == 0;
}

static bool why_context_began(struct inquiry *q, struct err *err)
{
    bool ok = review_context_began(q->r, q->last, &q->since, err);
    q->since = q->since ? q->since : 1;
    return ok;
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
    *q = (struct inquiry){.r = r, .n = n, .last = acts ? n - 1 : n, .axis = axis, .arena = arena};
    bool ok =
        why_context_began(q, err) && collect(q, err) && add_prompts(q, err) && name_rules(q, err);
    if (ok) {
        struct rank_call call = {.server = row.step.server,
                                 .tool = row.step.tool,
                                 .only_content = axis == AXIS_CONFIDENTIALITY};
        call.arguments = acts ? why_text_of(q, id) : SPAN_EMPTY;
        if (row.step.kind == STEP_ASSISTANT)
            call.arguments = addresses(q, call.arguments);
        rank(q, acts ? &call : NULL, out);
        out->capped = q->capped;
        ok = make_chain(q, out, err);
    }
    arena_finish(&q->bodies);
    return ok;
}
