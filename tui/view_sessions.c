/* The sessions of the case: how high each one's context rose, and the worst that was found. */
#include <stdlib.h>

#include "tui/core.h"
#include "tui/list.h"
#include "tui/preview.h"

/* What they are sorted by; r goes to the next. X(id, what it is called) */
#define SESSION_ORDERS(X)                                                                          \
    X(RECORDED, "as recorded")                                                                     \
    X(WORST, "worst finding first")                                                                \
    X(DENIED, "most denied calls first")                                                           \
    X(EVIDENCE, "most evidence that does not re-derive first")                                     \
    X(LATEST, "latest first")                                                                      \
    X(LONGEST, "longest first")                                                                    \
    X(NAME, "by name")

enum session_order {
#define X(id, name) ORDER_##id,
    SESSION_ORDERS(X)
#undef X
        SESSION_ORDER_COUNT
};

struct sessions_state {
    struct list list;
    struct buf needle;
    enum session_order order;
    const struct session_view **shown; /* in order, those that pass the filter */
    struct review *checking;           /* the session whose findings are being made; NULL: none */
    size_t next;                       /* it, or the next one */
    int64_t filter_version;            /* of the filter they passed; -1: to be arranged */
    bool known;                        /* x->sessions_known at that time */
    const struct session_view *opening_of; /* the session that these are of */
    struct buf file;                       /* that its first step stands in */
    struct buf opening;                    /* what its user asked for first; empty: not recorded */
    bool failed; /* what the case holds of them can't be read; their names are there all the same */
};

/* ---- which, and in which order ---- */

static bool holds(struct span text, struct span needle)
{
    for (size_t i = 0; i + needle.len <= text.len; i++)
        if (span_equal_nocase(span_sub(text, i, needle.len), needle))
            return true;
    return false;
}

static bool sessions_speak_of(const struct session_view *s, struct span text)
{
    return holds(s->name, text) || holds(s->host, text) || holds(s->servers, text) ||
           holds(s->key, text);
}

/* One word of the filter: of the words that steps are filtered by, those that say something of a
 * session; any other is text. */
static bool sessions_word_holds(const struct session_view *s, struct span word)
{
    static const struct span finding = SPAN_INIT("finding:");
    enum severity severity;
    if (span_is(word, "label:untrusted"))
        return s->first_untrusted > 0;
    if (span_is(word, "label:private"))
        return s->first_private > 0;
    if (span_is(word, "verdict:deny"))
        return s->denied > 0;
    if (span_is(word, "verdict:ask"))
        return s->asked > 0;
    if (span_is(word, "evidence:bad"))
        return s->evidence_recomputed < s->evidence_refs;
    if (span_starts_with(word, finding) &&
        severity_of(span_sub(word, finding.len, word.len), &severity))
        return s->worst >= (int)severity;
    return sessions_speak_of(s, word);
}

static bool sessions_pass(const struct session_view *s, struct span words)
{
    for (words = span_trim(words); words.len; words = span_trim(words)) {
        size_t end = span_find_byte(words, ' ');
        struct span word = span_sub(words, 0, end);
        bool negated = word.len > 1 && word.at[0] == '-';
        if (sessions_word_holds(s, negated ? span_sub(word, 1, word.len) : word) == negated)
            return false;
        words = span_sub(words, end, words.len);
    }
    return true;
}

static int64_t sessions_rank(const struct session_view *s, enum session_order order)
{
    switch (order) {
    case ORDER_WORST:
        return s->worst;
    case ORDER_DENIED:
        return s->denied;
    case ORDER_EVIDENCE:
        return s->evidence_refs - s->evidence_recomputed;
    case ORDER_LATEST:
        return s->time_digits < 0 ? INT64_MIN : s->begin_ns;
    case ORDER_LONGEST:
        return s->steps;
    default:
        return 0;
    }
}

static int sessions_compare(const void *a, const void *b, void *arg)
{
    enum session_order order = *(const enum session_order *)arg;
    const struct session_view *x = *(const struct session_view *const *)a;
    const struct session_view *y = *(const struct session_view *const *)b;
    int64_t left = sessions_rank(x, order), right = sessions_rank(y, order);
    if (left != right)
        return left > right ? -1 : 1;
    int names = order == ORDER_NAME ? span_compare(x->name, y->name) : 0;
    return names ? names : x < y ? -1 : x > y; /* else as recorded */
}

/* Anew where the filter, the order or what is known changed; the cursor stays on its session. */
static void sessions_arrange(struct sessions_state *s, struct explorer *x)
{
    if (s->filter_version == x->sessions_filter_version && s->known == x->sessions_known)
        return;
    const struct session_view *at = s->list.cursor >= 0 && s->list.cursor < s->list.count
                                        ? s->shown[s->list.cursor]
                                        : x->session;
    struct span words = x->sessions_filter_on ? buf_span(&x->sessions_filter) : SPAN_EMPTY;
    s->shown = mem_resize(s->shown, (x->session_count + 1) * sizeof *s->shown);
    s->list.count = 0;
    for (size_t i = 0; i < x->session_count; i++)
        if (sessions_pass(&x->sessions[i], words))
            s->shown[s->list.count++] = &x->sessions[i];
    if (s->list.count)
        qsort_r(s->shown, (size_t)s->list.count, sizeof *s->shown, sessions_compare, &s->order);
    for (int64_t i = 0; i < s->list.count; i++)
        if (s->shown[i] == at)
            s->list.cursor = i;
    s->filter_version = x->sessions_filter_version;
    s->known = x->sessions_known;
}

/* ---- the list ---- */

/* True: it is to be asked again. */
static bool sessions_ask(struct sessions_state *s, struct explorer *x, struct slice *slice)
{
    struct err err = {0};
    int more = s->failed ? 0 : explorer_know_sessions(x, slice, &err);
    s->failed |= more < 0;
    if (more < 0)
        explorer_fail(x, &err);
    return more > 0;
}

static bool sessions_open(struct view *v, struct explorer *x)
{
    struct sessions_state *s = v->state;
    struct slice slice = slice_begin(NULL, NULL);
    sessions_ask(s, x, &slice);
    s->filter_version = -1;
    sessions_arrange(s, x);
    return true;
}

static void sessions_stop_checking(struct sessions_state *s)
{
    review_close(s->checking);
    s->checking = NULL;
}

/* The findings of one session more; those that can't be made stay unknown. True: there is more. */
static bool sessions_check(struct sessions_state *s, struct explorer *x, struct slice *slice)
{
    struct err err = {0};
    struct review_summary sum;
    int64_t done;
    while (!s->checking && s->next < x->session_count && x->sessions[s->next].checked)
        s->next++;
    if (s->next >= x->session_count)
        return false;
    struct session_view *session = &x->sessions[s->next];
    if (!s->checking)
        s->checking = review_open(x->options.case_file, session->id, x->options.policy, false, NULL,
                                  NULL, &err);
    int more = s->checking ? review_check_some(s->checking, slice, &done, &err) : -1;
    if (more > 0)
        return true;
    if (!more && review_summary(s->checking, &sum, &err)) {
        session->checked = true;
        session->worst = -1;
        for (int severity = SEVERITY_INFO; severity <= SEVERITY_CRITICAL; severity++)
            if (sum.findings[severity])
                session->worst = severity;
        s->filter_version = -1;
    }
    sessions_stop_checking(s);
    s->next++;
    return s->next < x->session_count;
}

/* A session's name is often an id: what was asked for in it tells which one it is. */
static void sessions_take_opening(struct sessions_state *s, struct explorer *x)
{
    struct err err = {0};
    const struct session_view *at =
        s->list.cursor >= 0 && s->list.cursor < s->list.count ? s->shown[s->list.cursor] : NULL;
    if (s->opening_of == at)
        return;
    s->opening_of = at;
    buf_clear(&s->file);
    buf_clear(&s->opening);
    if (at && !query_session_opening(x->options.case_file, at->id, &s->file, &s->opening, &err))
        explorer_fail(x, &err);
}

static bool sessions_idle(struct view *v, struct slice *slice)
{
    struct sessions_state *s = v->state;
    sessions_take_opening(s, v->explorer);
    bool more = sessions_ask(s, v->explorer, NULL);
    while (!more && v->explorer->sessions_known && (more = sessions_check(s, v->explorer, slice)))
        if (slice_is_over(slice))
            break;
    return more;
}

static int name_columns(struct area area)
{
    return area.columns > 150 ? 40 : area.columns > 110 ? 27 : area.columns > 88 ? 22 : 14;
}

static int server_columns(struct area area)
{
    return area.columns > 150 ? 36 : area.columns > 110 ? 20 : area.columns > 84 ? 16 : 0;
}

/* The time, where the columns behind it have room too. */
static int time_columns(struct area area)
{
    return area.columns >= 78 ? 17 : 0;
}

/* The highest label as two short lanes. */
static void draw_levels(struct area area, int row, int column, const struct session_view *session)
{
    bool untrusted = session->first_untrusted > 0, hidden = session->first_private > 0;
    cells_ours(area, row, column, untrusted ? STYLE_UNTRUSTED : STYLE_LANE_LOW,
               untrusted ? "╰┓" : "│");
    cells_ours(area, row, column + 3, hidden ? STYLE_PRIVATE : STYLE_LANE_LOW, hidden ? "╰┓" : "│");
}

/* Each in the colour that it has in the flow. */
static void draw_servers(struct area area, int row, int column, int columns, struct span servers)
{
    int end = column + columns;
    for (struct span rest = servers; rest.len && column < end;) {
        size_t length = span_find(rest, SPAN(", "));
        struct span name = span_sub(rest, 0, length);
        column = cells_data(area, row, column, style_of_server(servers, name), name, end - column);
        rest = span_sub(rest, length + 2, rest.len);
        if (rest.len && column < end)
            column = cells_ours(area, row, column, STYLE_FAINT, ",") + 1;
    }
}

enum { HOST_LEAST = 6 }; /* columns; in less than these a host can't be told */

/* Of the evidence, where any session refers to some: else its host has the room. */
static int evidence_columns(const struct explorer *x)
{
    for (size_t i = 0; x->sessions_known && i < x->session_count; i++)
        if (x->sessions[i].evidence_refs)
            return 9;
    return 0;
}

static void view_sessions_draw_row(struct area area, int row, const struct session_view *s,
                                   int64_t number, const struct explorer *x)
{
    char text[40] = "";
    int name = name_columns(area), servers = server_columns(area);
    cells_oursf(area, row, 1, STYLE_DIM, "%4lld", (long long)number);
    bool known = x->sessions_known;
    if (known)
        draw_levels(area, row, 7, s);
    int column = 13;
    int from =
        s->parent ? cells_ours(area, row, column, STYLE_DIM, "↳ ") : column; /* a sub-agent's */
    cells_data(area, row, from, STYLE_STRONG, s->name, column + name - 1 - from);
    column += name;
    if (servers)
        draw_servers(area, row, column, servers - 1, s->servers);
    column += servers;
    if (!known) {
        cells_ours(area, row, column, STYLE_UNKNOWN, "…");
        return;
    }
    if (s->time_digits >= 0)
        time_text(s->begin_ns, text);
    if (time_columns(area))
        cells_oursf(area, row, column, STYLE_DIM, "%.16s", s->time_digits >= 0 ? text : "no times");
    column += time_columns(area);
    cells_oursf(area, row, column, STYLE_DIM, "%6lld", (long long)s->steps);
    column += 8;
    if (s->denied)
        cells_oursf(area, row, column, STYLE_DENY, "✘ %lld", (long long)s->denied);
    else if (s->asked)
        cells_oursf(area, row, column, STYLE_ASK, "? %lld", (long long)s->asked);
    else
        cells_ours(area, row, column, STYLE_DIM, "–");
    column += 7;
    if (!s->checked)
        cells_ours(area, row, column, STYLE_UNKNOWN, "not yet");
    else if (s->worst >= 0)
        cells_oursf(area, row, column, style_of_severity(s->worst), "%s %s",
                    glyph_of_severity(s->worst), severity_word((enum severity)s->worst));
    else
        cells_ours(area, row, column, STYLE_DIM, "–");
    column += 11;
    int evidence = evidence_columns(x);
    if (s->evidence_refs)
        cells_oursf(area, row, column,
                    s->evidence_recomputed == s->evidence_refs ? STYLE_GOOD : STYLE_UNKNOWN,
                    "%lld/%lld", (long long)s->evidence_recomputed, (long long)s->evidence_refs);
    else if (evidence)
        cells_ours(area, row, column, STYLE_DIM, "–");
    column += evidence;
    if (area.columns - column - 1 >= HOST_LEAST)
        cells_data_start(area, row, column, STYLE_DIM, s->host, area.columns - column - 1);
}

static void draw_header(struct area area, bool evidence)
{
    int name = name_columns(area), servers = server_columns(area);
    cells_ours(area, 0, 1, STYLE_DIM, "   #  I  C  session");
    int column = 13 + name;
    if (servers)
        cells_ours(area, 0, column, STYLE_DIM, "servers");
    column += servers;
    if (time_columns(area))
        cells_ours(area, 0, column, STYLE_DIM, "began (UTC)");
    column += time_columns(area);
    column = cells_ours(area, 0, column, STYLE_DIM, " steps  denied worst      ");
    column = cells_ours(area, 0, column, STYLE_DIM, evidence ? "evidence " : "");
    if (area.columns - column - 1 >= HOST_LEAST)
        cells_ours(area, 0, column, STYLE_DIM, "host");
}

/* How many are shown, in which order, and what hides the others. */
static void sessions_draw_state(struct sessions_state *s, struct explorer *x, struct area area,
                                int row)
{
    static const char *const names[] = {
#define X(id, name) name,
        SESSION_ORDERS(X)
#undef X
    };
    size_t bad = 0;
    for (size_t i = 0; i < x->session_count; i++)
        bad += x->sessions[i].denied > 0;
    int column =
        cells_oursf(area, row, 1, STYLE_DIM, "%lld of %zu session%s, %s", (long long)s->list.count,
                    x->session_count, x->session_count == 1 ? "" : "s", names[s->order]);
    if (x->sessions_known && bad)
        column = cells_oursf(area, row, column, STYLE_DENY, " · %zu with denied calls", bad);
    if (x->sessions_filter_on && x->sessions_filter.len) {
        column = cells_ours(area, row, column, STYLE_DIM, " · only with ");
        cells_data(area, row, column, STYLE_KEY, buf_span(&x->sessions_filter),
                   area.columns - column - 1);
    }
}

/* In two rows: where the session under the cursor begins, and what was asked for in it. */
static void sessions_draw_opening(struct sessions_state *s, struct area area, int row)
{
    struct buf text = {0};
    if (!s->list.count || s->opening_of != s->shown[s->list.cursor])
        return;
    preview_text(buf_span(&s->opening), &text);
    row += !text.len;
    if (s->file.len) {
        int column = cells_ours(area, row, 1, STYLE_DIM, "begins in: ");
        cells_data(area, row, column, STYLE_PLAIN, buf_span(&s->file), area.columns - column - 1);
    }
    if (text.len) {
        int column = cells_ours(area, row + 1, 1, STYLE_DIM, "asked first: ");
        cells_data_start(area, row + 1, column, STYLE_PLAIN, buf_span(&text),
                         area.columns - column - 1);
    }
    buf_finish(&text);
}

static void sessions_draw(struct view *v, struct area area)
{
    struct sessions_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Sessions");
    if (!x->session_count) {
        cells_wrapped(
            area, 1, 2, STYLE_UNKNOWN,
            "This case holds no session yet: `strandline import -o CASE LOG…` adds some.");
        return;
    }
    sessions_arrange(s, x);
    draw_header(area, evidence_columns(x) > 0);
    sessions_draw_opening(s, area, area.rows - 3);
    sessions_draw_state(s, x, area, area.rows - 1);
    list_show(&s->list, area.rows - 4);
    for (int row = 0; row < area.rows - 4 && s->list.top + row < s->list.count; row++) {
        int64_t i = s->list.top + row;
        view_sessions_draw_row(area, row + 1, s->shown[i], s->shown[i] - x->sessions + 1, x);
        if (i == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
}

/* The next session whose name, host, servers or id hold the text, going round. */
static bool sessions_find(struct view *v, struct span needle, bool again, bool forward)
{
    struct sessions_state *s = v->state;
    struct explorer *x = v->explorer;
    int64_t count = s->list.count;
    if (!again) {
        buf_clear(&s->needle);
        buf_add(&s->needle, needle);
    }
    needle = buf_span(&s->needle);
    for (int64_t k = again ? 1 : 0; k < count && needle.len; k++) {
        int64_t i = (s->list.cursor + (forward ? k : count - k)) % count;
        if (sessions_speak_of(s->shown[i], needle)) {
            s->list.cursor = i;
            return true;
        }
    }
    if (needle.len)
        explorer_say(x, STYLE_UNKNOWN, "no other session's name, host, servers or id hold that");
    return true;
}

static void sessions_close(struct view *v)
{
    struct sessions_state *s = v->state;
    sessions_stop_checking(s);
    buf_finish(&s->needle);
    buf_finish(&s->file);
    buf_finish(&s->opening);
    mem_free(s->shown);
}

static unsigned sessions_act(struct view *v, enum action action)
{
    struct sessions_state *s = v->state;
    struct explorer *x = v->explorer;
    if (list_act(&s->list, action))
        return VIEW_REDRAW;
    if (action == ACTION_SEARCH) {
        explorer_ask_search(x);
        return VIEW_REDRAW;
    }
    if (action == ACTION_SEARCH_NEXT || action == ACTION_SEARCH_PREVIOUS) {
        sessions_find(v, SPAN_EMPTY, true, action == ACTION_SEARCH_NEXT);
        return VIEW_REDRAW;
    }
    if (action == ACTION_FILTER) {
        prompt_open(&x->prompt, PROMPT_SESSIONS, buf_span(&x->sessions_filter));
        return VIEW_REDRAW;
    }
    if (action == ACTION_FILTER_TOGGLE) {
        x->sessions_filter_on = !x->sessions_filter_on;
        x->sessions_filter_version++;
        explorer_say(x, STYLE_PLAIN, "%s",
                     !x->sessions_filter.len ? "there is no filter; & makes one"
                     : x->sessions_filter_on ? "the filter is on again"
                                             : "the filter is off for now; * switches it on again");
        return VIEW_REDRAW;
    }
    if (action == ACTION_SORT) {
        s->order = (enum session_order)((s->order + 1) % SESSION_ORDER_COUNT);
        s->filter_version = -1;
        return VIEW_REDRAW;
    }
    if (action == ACTION_OPEN && s->list.count) {
        explorer_visit(x, s->shown[s->list.cursor], 0);
        return VIEW_REDRAW;
    }
    return VIEW_IGNORED;
}

static const struct hint *sessions_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "open"},
                                        {ACTION_SORT, "sort"},
                                        {ACTION_FILTER, "filter"},
                                        {ACTION_SEARCH, "search"},
                                        {ACTION_SEARCH_CASE, "search case"},
                                        {0}};
    (void)v;
    return hints;
}

const struct view_ops view_sessions = {
    .name = "sessions",
    .title = "Sessions",
    .of_case = true,
    .size = sizeof(struct sessions_state),
    .open = sessions_open,
    .draw = sessions_draw,
    .act = sessions_act,
    .close = sessions_close,
    .find = sessions_find,
    .idle = sessions_idle,
    .hints = sessions_hints,
};
