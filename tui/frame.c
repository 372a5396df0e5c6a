/* A screen around what its view draws: the title above, the bottom line below. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/explorer_internal.h"

enum { ROWS_LEAST = 15, COLUMNS_LEAST = 60 };

/* Text of ours and of data on the title line, up to `most` columns. */
static int title_data(struct area area, int column, int most, enum style style, struct span text)
{
    int room = area.columns - column;
    return cells_data(area, 0, column, style, text, most < room ? most : room);
}

/* What is known of the session as a whole, at the right end; gives the column where it begins. */
static int title_right(struct explorer *x, struct area area)
{
    const struct review_summary *s = &x->summary;
    char policy[64], good[48] = "", bad[32] = "";
    snprintf(policy, sizeof policy, " policy %s ", policy_name(x->options.policy));
    if (s->evidence_refs)
        snprintf(good, sizeof good, " evidence %lld of %lld %s ", (long long)s->evidence_recomputed,
                 (long long)s->evidence_refs, s->evidence_recomputed ? "✔" : "?");
    if (x->soundness == CASE_DAMAGED) /* nothing on the screen can be relied on then */
        snprintf(bad, sizeof bad, " ✘ DAMAGED FILE ");
    else if (s->evidence_failed)
        snprintf(bad, sizeof bad, " %lld ✘ ", (long long)s->evidence_failed);
    int width = (int)(text_columns(span_of(policy), false) + text_columns(span_of(good), false) +
                      text_columns(span_of(bad), false));
    int at = area.columns - width;
    if (!x->review || at < 40)
        return area.columns;
    int column = cells_ours(area, 0, at, STYLE_TITLE_DIM, policy);
    column =
        cells_ours(area, 0, column, s->evidence_recomputed ? STYLE_TITLE_GOOD : STYLE_TITLE, good);
    cells_ours(area, 0, column, STYLE_TITLE_BAD, bad);
    return at;
}

/* "caption value", whole or not at all where there is too little room. */
static int title_field(struct area area, int column, const char *caption, struct span value)
{
    int need = (int)strlen(caption) + (value.len < 16 ? (int)value.len : 16);
    if (!value.len || area.columns - column < need)
        return column;
    column = cells_ours(area, 0, column, STYLE_TITLE_DIM, caption);
    return title_data(area, column, 32, STYLE_TITLE, value);
}

static struct span base_name(struct span path)
{
    while (path.len > 1 && path.at[path.len - 1] == '/')
        path.len--;
    for (size_t i = path.len; i > 0; i--)
        if (path.at[i - 1] == '/')
            return span_sub(path, i, path.len);
    return path;
}

struct area explorer_title(struct explorer *x, struct area area, const char *screen)
{
    cells_fill(area, 0, 0, area.columns, STYLE_TITLE, " ");
    struct area left = area_sub(area, 0, 0, 1, title_right(x, area) - 1);
    struct area names = left; /* which give way to the name of the screen */
    names.columns -= screen ? (int)strlen(screen) + 3 : 0;
    struct span name = base_name(span_of(x->options.name));
    int column = title_data(names, 1, 28, STYLE_TITLE_STRONG, name);
    if (x->session) {
        if (x->session_count > 1)
            column = cells_oursf(names, 0, column, STYLE_TITLE_DIM, " ▸ %d/%zu",
                                 (int)(x->session - x->sessions) + 1, x->session_count);
        if (!span_starts_with(name, x->session->name)) {
            column = cells_ours(names, 0, column, STYLE_TITLE_DIM, " ▸ ");
            column = title_data(names, column, 24, STYLE_TITLE_STRONG, x->session->name);
        }
    }
    if (screen) {
        column = cells_ours(left, 0, column, STYLE_TITLE_DIM, " ▸ ");
        column = cells_ours(left, 0, column, STYLE_TITLE_STRONG, screen);
    }
    if (x->session) {
        column = title_field(left, column, "  servers ", x->session->servers);
        title_field(left, column, "  host ", x->session->host);
    }
    return area_sub(area, 1, 0, area.rows - 1, area.columns);
}

enum { HINT_GAP = 3 };

/* Of one hint and the gap behind it; 0: no key does that. */
static int hint_columns(struct explorer *x, struct hint hint)
{
    struct span key = keymap_first(&x->config.keys, hint.action);
    return key.len ? (int)text_columns(key, false) + 1 + (int)strlen(hint.words) + HINT_GAP : 0;
}

/* "Enter go to the step"; gives where the next one begins. */
static int draw_hint(struct explorer *x, struct area area, int column, struct hint hint)
{
    struct span key = keymap_first(&x->config.keys, hint.action);
    if (!key.len)
        return column;
    int behind = cells_data(area, 0, column, STYLE_KEY, key, area.columns - column);
    return cells_ours(area, 0, behind + 1, STYLE_BAR, hint.words) + HINT_GAP;
}

/* Help and the way back are always in sight, and of the others what there is room for. */
static void draw_hints(struct explorer *x, struct area area)
{
    struct view *v = explorer_top(x);
    const struct hint *hint = v && v->ops->hints ? v->ops->hints(v) : NULL;
    struct hint help = {ACTION_HELP, "help"}, back = {ACTION_BACK, x->depth > 1 ? "back" : "quit"};
    int column = 1;
    for (const struct hint *h = hint; h && h->action != ACTION_NONE; h++)
        if (h->action == ACTION_BACK)
            back = *h;
    int end = area.columns - hint_columns(x, help) - hint_columns(x, back) + HINT_GAP;
    for (; hint && hint->action != ACTION_NONE; hint++)
        if (hint->action != ACTION_BACK && column + hint_columns(x, *hint) <= end)
            column = draw_hint(x, area, column, *hint);
    if (v && v->ops != &view_help)
        column = draw_hint(x, area, column, help);
    draw_hint(x, area, column, back);
}

/* The policies that the program brings; a file's name may be given as well. */
static void draw_policies(struct area area, int column)
{
    column = cells_ours(area, 0, column + 2, STYLE_DIM, "a file, or:");
    for (size_t i = 0; i < policy_builtin_count(); i++)
        column = cells_oursf(area, 0, column, STYLE_KEY, "  %s", policy_builtin_name(i));
}

static void draw_filter_state(struct explorer *x, struct area area, int column)
{
    const struct matches *m = &x->matches;
    char text[2 * ERR_TEXT + 64];
    enum style style = STYLE_DIM;
    if (m->problem[0]) {
        snprintf(text, sizeof text, "  ✘ %s", m->advice);
        style = STYLE_BAD;
    } else if (!m->filter) {
        snprintf(
            text, sizeof text,
            "  tool:send_*  server:github  label:untrusted  verdict:deny  finding:high  words");
    } else {
        snprintf(text, sizeof text, "  ✔ %zu of %lld steps%s", m->count,
                 (long long)review_steps(x->review), m->done ? "" : ", still looking");
        style = STYLE_GOOD;
    }
    cells_data_start(area, 0, column, style, span_of(text), area.columns - column);
}

/* What the words typed so far may become, above the bottom line: name, key, what it does. */
static void draw_palette(struct explorer *x, struct area area)
{
    struct prompt *p = &x->prompt;
    size_t count = 0;
    while (action_complete(buf_span(&p->stem), count) != ACTION_NONE)
        count++;
    int most = area.rows / 2, shown = (int)count < most ? (int)count : most;
    size_t first = p->choice >= shown ? (size_t)p->choice - (size_t)shown + 1 : 0;
    for (int i = 0; i < shown; i++) {
        enum action action = action_complete(buf_span(&p->stem), first + (size_t)i);
        const struct action_info *info = action_info(action);
        int row = area.rows - 1 - shown + i;
        cells_fill(area, row, 0, area.columns, STYLE_TITLE, " ");
        cells_ours(area, row, 1, STYLE_TITLE_STRONG, info->name);
        cells_ours(area, row, 22, STYLE_TITLE_GOOD, x->config.keys.of[action]);
        cells_ours(area, row, 38, STYLE_TITLE, info->help);
        if ((int)first + i == p->choice)
            cells_ours(area, row, 0, STYLE_TITLE_STRONG, "▸");
    }
}

static void draw_bottom(struct explorer *x, struct area area)
{
    static const char *const captions[PROMPT_KINDS] = {[PROMPT_COMMAND] = ":",
                                                       [PROMPT_SEARCH] = "search: ",
                                                       [PROMPT_FILTER] = "only steps with: ",
                                                       [PROMPT_NOTE] = "note: ",
                                                       [PROMPT_SQL] = "sql: ",
                                                       [PROMPT_CASE] = "search all sessions: ",
                                                       [PROMPT_POLICY] = "policy: ",
                                                       [PROMPT_LABEL] = "came in as: ",
                                                       [PROMPT_GOTO] = "go to step, or percent: ",
                                                       [PROMPT_REPORT] = "report to file: ",
                                                       [PROMPT_SESSIONS] = "only sessions with: "};
    if (x->prompt.kind != PROMPT_NONE) {
        char step[48];
        const char *caption = captions[x->prompt.kind];
        if (x->prompt.kind == PROMPT_LABEL) {
            snprintf(step, sizeof step, "step %lld %s", (long long)explorer_labelled_step(x),
                     caption);
            caption = step;
        }
        int column = prompt_draw(&x->prompt, area, 0, caption);
        if (x->prompt.kind == PROMPT_FILTER)
            draw_filter_state(x, area, column);
        else if (x->prompt.kind == PROMPT_SESSIONS)
            cells_ours(area, 0, column + 2, STYLE_DIM,
                       "words  label:untrusted  verdict:deny  finding:high  evidence:bad  -not");
        else if (x->prompt.kind == PROMPT_POLICY)
            draw_policies(area, column);
        else if (x->prompt.kind == PROMPT_LABEL)
            cells_ours(area, 0, column + 2, STYLE_DIM,
                       "trusted  untrusted  public  private:MARKER  readers:A+B, or with a comma");
        else if (x->message.len)
            cells_data_start(area, 0, column + 2, x->message_style, buf_span(&x->message),
                             area.columns - column - 2);
    } else if (x->message.len) {
        cells_data_start(area, 0, 1, x->message_style, buf_span(&x->message), area.columns - 2);
    } else {
        draw_hints(x, area);
    }
}

const struct cells *explorer_frame(struct explorer *x)
{
    struct area area = area_of(&x->grid);
    cells_clear(&x->grid);
    if (area.rows < ROWS_LEAST || area.columns < COLUMNS_LEAST) {
        char text[96];
        snprintf(text, sizeof text, "%d x %d is too small: %d x %d is needed", area.columns,
                 area.rows, COLUMNS_LEAST, ROWS_LEAST);
        cells_data_start(area, area.rows / 2, 0, STYLE_PLAIN, span_of(text), area.columns);
        return &x->grid;
    }
    struct view *v = explorer_top(x);
    if (v)
        v->ops->draw(v, area_sub(area, 0, 0, area.rows - 1, area.columns));
    if (x->prompt.kind == PROMPT_COMMAND)
        draw_palette(x, area);
    draw_bottom(x, area_sub(area, area.rows - 1, 0, 1, area.columns));
    return &x->grid;
}
