/* The sessions of the case: how high each one's context rose, and the worst that was found. */
#include <stdio.h>

#include "tui/core.h"
#include "tui/list.h"

struct sessions_state {
    struct list list;
    struct buf needle;
    bool failed; /* what the case holds of them can't be read; their names are there all the same */
};

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
    s->list.count = (int64_t)x->session_count;
    if (x->session)
        s->list.cursor = x->session - x->sessions;
    return true;
}

static bool sessions_idle(struct view *v, struct slice *slice)
{
    (void)slice;
    return sessions_ask(v->state, v->explorer, NULL);
}

static int name_columns(struct area area)
{
    return area.columns > 150 ? 40 : area.columns > 110 ? 27 : 22;
}

static int server_columns(struct area area)
{
    return area.columns > 150 ? 36 : area.columns > 110 ? 20 : area.columns > 84 ? 16 : 0;
}

/* The highest label as two short lanes. */
static void draw_levels(struct area area, int row, int column, const struct session_view *session)
{
    bool untrusted = session->first_untrusted > 0, hidden = session->first_private > 0;
    cells_ours(area, row, column, untrusted ? STYLE_UNTRUSTED : STYLE_LANE_LOW,
               untrusted ? "╰┓" : "│");
    cells_ours(area, row, column + 3, hidden ? STYLE_PRIVATE : STYLE_LANE_LOW, hidden ? "╰┓" : "│");
}

static void view_sessions_draw_row(struct area area, int row, const struct session_view *s,
                                   int64_t number, bool known)
{
    char text[40] = "";
    int name = name_columns(area), servers = server_columns(area);
    cells_oursf(area, row, 1, STYLE_DIM, "%4lld", (long long)number);
    if (known)
        draw_levels(area, row, 7, s);
    int column = 13;
    int from =
        s->parent ? cells_ours(area, row, column, STYLE_DIM, "↳ ") : column; /* a sub-agent's */
    cells_data(area, row, from, STYLE_STRONG, s->name, column + name - 1 - from);
    column += name;
    if (servers)
        cells_data(area, row, column, style_of_server(s->servers, s->servers), s->servers,
                   servers - 1);
    column += servers;
    if (!known) {
        cells_ours(area, row, column, STYLE_UNKNOWN, "…");
        return;
    }
    if (s->time_digits >= 0)
        time_text(s->begin_ns, text);
    cells_oursf(area, row, column, STYLE_DIM, "%.16s", s->time_digits >= 0 ? text : "no times");
    cells_oursf(area, row, column + 17, STYLE_DIM, "%6lld", (long long)s->steps);
    column += 25;
    if (s->denied)
        cells_oursf(area, row, column, STYLE_DENY, "✘ %lld", (long long)s->denied);
    else if (s->asked)
        cells_oursf(area, row, column, STYLE_ASK, "? %lld", (long long)s->asked);
    column += 7;
    if (!s->checked)
        cells_ours(area, row, column, STYLE_UNKNOWN, "not yet");
    else if (s->worst >= 0)
        cells_oursf(area, row, column, style_of_severity(s->worst), "%s %s",
                    glyph_of_severity(s->worst), severity_word((enum severity)s->worst));
    column += 11;
    if (s->evidence_refs)
        cells_oursf(area, row, column,
                    s->evidence_recomputed == s->evidence_refs ? STYLE_GOOD : STYLE_UNKNOWN,
                    "%lld/%lld", (long long)s->evidence_recomputed, (long long)s->evidence_refs);
    cells_data(area, row, column + 8, STYLE_DIM, s->host, area.columns - column - 9);
}

static void draw_header(struct area area)
{
    int name = name_columns(area), servers = server_columns(area);
    cells_ours(area, 0, 1, STYLE_DIM, "   #  I  C  session");
    int column = 13 + name;
    if (servers)
        cells_ours(area, 0, column, STYLE_DIM, "servers");
    column += servers;
    cells_ours(area, 0, column, STYLE_DIM,
               "began (UTC)       steps  denied worst      evidence host");
}

static void sessions_draw(struct view *v, struct area area)
{
    struct sessions_state *s = v->state;
    struct explorer *x = v->explorer;
    area = explorer_title(x, area, "Sessions");
    if (!x->session_count) {
        cells_ours(area, 1, 2, STYLE_UNKNOWN,
                   "This case holds no session yet: `strandline import -o CASE LOG…` adds some.");
        return;
    }
    draw_header(area);
    list_show(&s->list, area.rows - 1);
    for (int row = 0; row < area.rows - 1 && s->list.top + row < s->list.count; row++) {
        int64_t i = s->list.top + row;
        view_sessions_draw_row(area, row + 1, &x->sessions[i], i + 1, x->sessions_known);
        if (i == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
}

static bool holds(struct span text, struct span needle)
{
    for (size_t i = 0; i + needle.len <= text.len; i++)
        if (span_equal_nocase(span_sub(text, i, needle.len), needle))
            return true;
    return false;
}

/* The next session whose name, host, servers or id hold the text, going round. */
static bool sessions_find(struct view *v, struct span needle, bool again, bool forward)
{
    struct sessions_state *s = v->state;
    struct explorer *x = v->explorer;
    int64_t count = (int64_t)x->session_count;
    if (!again) {
        buf_clear(&s->needle);
        buf_add(&s->needle, needle);
    }
    needle = buf_span(&s->needle);
    for (int64_t k = again ? 1 : 0; k < count && needle.len; k++) {
        int64_t i = (s->list.cursor + (forward ? k : count - k)) % count;
        const struct session_view *session = &x->sessions[i];
        if (holds(session->name, needle) || holds(session->host, needle) ||
            holds(session->servers, needle) || holds(session->key, needle)) {
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
    buf_finish(&s->needle);
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
    if (action == ACTION_OPEN && x->session_count) {
        if (explorer_open_session(x, &x->sessions[s->list.cursor]))
            explorer_push(x, &view_flow);
        return VIEW_REDRAW;
    }
    return VIEW_IGNORED;
}

static const enum action sessions_hints[] = {ACTION_OPEN, ACTION_SEARCH, ACTION_HELP, ACTION_BACK,
                                             ACTION_NONE};

const struct view_ops view_sessions = {
    .name = "sessions",
    .title = "Sessions",
    .size = sizeof(struct sessions_state),
    .open = sessions_open,
    .draw = sessions_draw,
    .act = sessions_act,
    .close = sessions_close,
    .find = sessions_find,
    .idle = sessions_idle,
    .hints = sessions_hints,
};
