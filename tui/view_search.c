/*
 * A text in all sessions of the case: each step that holds it, with what stands
 * around it. One session after the other is looked through, in slices.
 */

#include "base/ascii.h"
#include "base/attr.h"
#include "model/trace/secret.h"
#include "tui/core.h"
#include "tui/list.h"

enum {
    SEARCH_SLICE = 64,       /* steps between two looks at the clock */
    SEARCH_MOST = 2000,      /* hits that are kept */
    SEARCH_BODY = 256 << 10, /* of a step, to show what stands around the text */
    SEARCH_BEFORE = 24,      /* bytes around it */
    SEARCH_AFTER = 160,
};

struct case_hit {
    size_t session; /* index in the explorer's list */
    int64_t n;
    bool call, result;
    bool begun; /* more of its text stands before `around` */
    struct span who, around;
    size_t at, length; /* of the text inside of `around`; length 0: it was not found again */
};

struct search_state {
    struct buf text;
    struct filter *filter;
    struct review
        *review;         /* of the session that is looked through; NULL: the open one's, or none */
    size_t session;      /* its index */
    int64_t looked_to;   /* in it */
    int64_t done, total; /* steps, of all */
    struct arena arena;
    struct case_hit *hits;
    size_t count, room, unread; /* sessions that could not be opened */
    bool more, capped;
    struct list list;
};

static bool search_open(struct view *v, struct explorer *x)
{
    struct search_state *s = v->state;
    struct err err = {0};
    struct buf words = {0};
    buf_add(&s->text, buf_span(&x->case_search));
    search_as_filter(buf_span(&s->text), &words);
    s->filter = filter_parse(buf_span(&words), &err);
    buf_finish(&words);
    if (!s->filter) {
        buf_finish(&s->text);
        explorer_fail(x, &err);
        return false;
    }
    s->more = x->session_count > 0;
    return true;
}

static void search_close(struct view *v)
{
    struct search_state *s = v->state;
    filter_destroy(s->filter);
    review_close(s->review);
    mem_free(s->hits);
    arena_finish(&s->arena);
    buf_finish(&s->text);
}

/* ---- looking ---- */

/* Where the text stands, in any case of ASCII letters; text.len: nowhere. */
static size_t find_nocase(struct span text, struct span needle)
{
    for (size_t i = 0; needle.len && i + needle.len <= text.len; i++)
        if (ascii_lower(text.at[i]) == ascii_lower(needle.at[0]) &&
            span_equal_nocase(span_sub(text, i, needle.len), needle))
            return i;
    return text.len;
}

/* Copies what stands around the text, or the start of the step where it is found another way. */
static void search_around(struct search_state *s, struct review *review, struct case_hit *hit,
                          struct span preview)
{
    struct buf body = {0};
    struct err err = {0};
    struct span needle = buf_span(&s->text);
    bool cut;
    hit->around = arena_copy(&s->arena, span_sub(preview, 0, SEARCH_BEFORE + SEARCH_AFTER));
    if (review_body(review, hit->n, SEARCH_BODY, &body, &cut, &err)) {
        struct buf masked = {0}; /* credentials are shown nowhere in lists */
        secrets_mask(&masked, buf_span(&body));
        buf_finish(&body);
        body = masked;
        size_t at = find_nocase(buf_span(&body), needle);
        size_t from = at > SEARCH_BEFORE ? at - SEARCH_BEFORE : 0;
        while (from > 0 && from < body.len && ((unsigned char)body.at[from] & 0xC0) == 0x80)
            from--; /* not inside of a character */
        if (at < body.len) {
            hit->around = arena_copy(
                &s->arena, span_sub(buf_span(&body), from, at - from + needle.len + SEARCH_AFTER));
            hit->at = at - from;
            hit->begun = from > 0;
            hit->length = needle.len;
        }
    }
    buf_finish(&body);
}

static void search_keep(struct search_state *s, struct review *review, int64_t n)
{
    struct arena arena = {0};
    struct flow_row row;
    struct err err = {0};
    if (s->count == SEARCH_MOST) {
        s->capped = true;
        s->more = false;
        return;
    }
    s->hits = mem_one_more(s->hits, s->count, &s->room, sizeof *s->hits);
    struct case_hit *hit = &s->hits[s->count++];
    *hit = (struct case_hit){.session = s->session, .n = n};
    if (review_rows(review, n, 1, FLOW_PREVIEW, &arena, &row, &err) == 1) {
        struct span who = row.step.tool.len     ? row.step.tool
                          : row.step.server.len ? row.step.server
                                                : span_of(step_kind_word(row.step.kind));
        hit->call = row.step.kind == STEP_TOOL_CALL;
        hit->result = row.step.kind == STEP_TOOL_RESULT;
        hit->who = arena_copy(&s->arena, span_sub(who, 0, 64));
        search_around(s, review, hit, row.preview);
    }
    s->list.count = (int64_t)s->count;
    arena_finish(&arena);
}

static bool search_progress(void *arg, int64_t done, int64_t total)
{
    (void)done, (void)total;
    return explorer_may_go_on(arg);
}

struct search_question {
    struct search_state *s;
    struct explorer *x;
};

static bool search_question(void *arg, struct err *err)
{
    struct search_question *q = arg;
    review_close(q->s->review);
    q->s->review = review_open(q->x->options.case_file, q->x->sessions[q->s->session].id,
                               q->x->options.policy, false, search_progress, q->x, err);
    return q->s->review != NULL;
}

/* The session that is looked through; the open one is not replayed again. 1: a key came before it
 * was there, -1: it can't be had. */
static int search_review(struct search_state *s, struct explorer *x, struct review **review)
{
    struct err err = {0};
    struct search_question question = {s, x};
    int more = 0;
    *review = x->review;
    if (&x->sessions[s->session] == x->session)
        return 0;
    if (!s->review)
        more = explorer_ask(x, NULL, search_question, &question, &err);
    if (more) {
        review_close(s->review);
        s->review = NULL;
    }
    *review = s->review;
    return more;
}

static void search_next_session(struct search_state *s, struct explorer *x)
{
    review_close(s->review);
    s->review = NULL;
    s->looked_to = 0;
    s->session++;
    s->more = s->session < x->session_count;
}

static bool search_idle(struct view *v, struct slice *slice)
{
    struct search_state *s = v->state;
    struct explorer *x = v->explorer;
    while (s->more && !slice_is_over(slice)) {
        int64_t found[SEARCH_SLICE], to = s->looked_to;
        struct err err = {0};
        struct review *review;
        int more = search_review(s, x, &review);
        if (more > 0)
            break;
        if (more < 0 || s->looked_to >= review_steps(review)) {
            s->unread += more < 0;
            search_next_session(s, x);
            continue;
        }
        long got = review_filter(review, s->filter, s->looked_to + 1, true, SEARCH_SLICE, found,
                                 COUNT_OF(found), &to, &err);
        if (got < 0) {
            explorer_fail(x, &err);
            s->unread++;
            search_next_session(s, x);
            continue;
        }
        for (long i = 0; i < got && s->more; i++)
            search_keep(s, review, found[i]);
        s->done += to - s->looked_to;
        s->looked_to = to;
    }
    return s->more;
}

/* ---- drawing ---- */

static void search_draw_row(struct search_state *s, struct explorer *x, struct area area, int row,
                            int64_t i)
{
    const struct case_hit *hit = &s->hits[i];
    bool wide = area.columns >= 100;
    int name = wide ? 26 : 14, who = wide ? 24 : 16;
    if (row == 2 || s->hits[i - 1].session != hit->session)
        cells_data(area, row, 1, STYLE_STRONG, x->sessions[hit->session].name, name - 2);
    cells_oursf(area, row, name, STYLE_DIM, "%6lld", (long long)hit->n);
    cells_ours(area, row, name + 8, STYLE_DIM, hit->call ? "▸" : hit->result ? "◂" : "");
    cells_data(area, row, name + 10, STYLE_PLAIN, hit->who, who - 3);
    int column = name + 8 + who, end = area.columns - 1;
    struct span before = span_sub(hit->around, 0, hit->at);
    struct span rest = span_sub(hit->around, hit->at + hit->length, hit->around.len);
    if (hit->begun)
        column = cells_ours(area, row, column, STYLE_FAINT, "…");
    column = cells_data(area, row, column, STYLE_DIM, before, end - column);
    column = cells_data(area, row, column, STYLE_MATCH, span_sub(hit->around, hit->at, hit->length),
                        end - column);
    if (column < end)
        cells_data_start(area, row, column, STYLE_DIM, rest, end - column);
}

static void search_draw_state(struct search_state *s, struct explorer *x, struct area area, int row)
{
    int column;
    if (s->more)
        column =
            cells_oursf(area, row, 1, STYLE_DIM, "looking: %zu of %zu sessions, %lld steps so far",
                        s->session, x->session_count, (long long)s->done);
    else if (!s->count)
        column = cells_oursf(area, row, 1, STYLE_UNKNOWN, "none of %lld steps holds it",
                             (long long)s->done);
    else
        column = cells_oursf(area, row, 1, STYLE_DIM, "%zu of %lld steps hold%s it", s->count,
                             (long long)s->done, s->count == 1 ? "s" : "");
    if (s->capped)
        cells_ours(area, row, column, STYLE_UNKNOWN, "; there is more than is shown");
    else if (s->unread)
        cells_oursf(area, row, column, STYLE_UNKNOWN, "; %zu could not be read", s->unread);
}

static void search_draw(struct view *v, struct area area)
{
    struct search_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Search the case");
    int column = cells_ours(area, 0, 1, STYLE_DIM, "in all sessions: ");
    cells_data(area, 0, column, STYLE_MATCH, buf_span(&s->text), area.columns - column - 1);
    bool wide = area.columns >= 100;
    cells_fill(area, 1, 0, area.columns, STYLE_HEADER, " ");
    cells_ours(area, 1, 1, STYLE_HEADER, "session");
    cells_ours(area, 1, wide ? 28 : 16, STYLE_HEADER, "step  where");
    cells_ours(area, 1, wide ? 58 : 38, STYLE_HEADER, "text");
    list_show(&s->list, area.rows - 3);
    for (int row = 0; row < area.rows - 3 && s->list.top + row < s->list.count; row++) {
        search_draw_row(s, x, area, row + 2, s->list.top + row);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 2, 0, area.columns);
    }
    search_draw_state(s, x, area, area.rows - 1);
}

static unsigned search_act(struct view *v, enum action action)
{
    struct search_state *s = v->state;
    struct explorer *x = v->explorer;
    if (list_act(&s->list, action))
        return VIEW_REDRAW;
    if (action == ACTION_ESCAPE && s->more) {
        s->more = false;
        explorer_say(x, STYLE_PLAIN, "stopped; what is shown was found until then");
        return VIEW_REDRAW;
    }
    if (!s->count || (action != ACTION_OPEN && action != ACTION_COPY))
        return VIEW_IGNORED;
    const struct case_hit *hit = &s->hits[s->list.cursor];
    if (action == ACTION_COPY)
        explorer_copy(x, hit->around);
    else
        explorer_visit(x, &x->sessions[hit->session], hit->n);
    return VIEW_REDRAW;
}

static const struct hint *search_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go there"},
                                        {ACTION_COPY, "copy"},
                                        {ACTION_SEARCH_CASE, "search again"},
                                        {0}};
    static const struct hint again[] = {{ACTION_SEARCH_CASE, "search again"}, {0}};
    const struct search_state *s = v->state;
    return s->count ? hints : again;
}

const struct view_ops view_search = {
    .name = "search-case",
    .title = "Search the case",
    .of_case = true,
    .size = sizeof(struct search_state),
    .open = search_open,
    .close = search_close,
    .draw = search_draw,
    .act = search_act,
    .idle = search_idle,
    .hints = search_hints,
};
