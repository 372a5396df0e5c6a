#include "tui/flow_row.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/preview.h"

/* Hours and minutes, UTC. */
static void clock_text(int64_t ns, char text[24])
{
    char whole[40];
    time_text(ns, whole);
    snprintf(text, 24, "%.5s", whole[0] == '?' ? "?" : whole + 11);
}

/* ---- columns ---- */

static int digits_of(int64_t n)
{
    int digits = 1;
    for (; n >= 10; n /= 10)
        digits++;
    return digits;
}

/* Whose row it is, where it is neither the user's nor the model's: a server's, or the host's own.
 */
static struct span flow_row_who(const struct flow_row *row)
{
    return row->step.server.len ? row->step.server : SPAN("host");
}

/* Columns that a sign and the longest name of "github, notes" take. */
static int who_width(struct span servers)
{
    size_t widest = strlen("▸ host") - 2;
    while (servers.len) {
        size_t end = span_find(servers, SPAN(", "));
        size_t width = end < 40 ? text_columns(span_sub(servers, 0, end), false) + 2 : 40;
        widest = width > widest ? width : widest;
        servers = span_sub(servers, end + 2, servers.len);
    }
    return (int)widest;
}

void flow_columns_for(struct flow_columns *c, int columns, int64_t steps, int tracks,
                      struct span servers)
{
    bool wide = columns >= 100, narrow = columns < 76;
    int who = who_width(servers);
    *c = (struct flow_columns){.servers = servers, .lane = wide ? 3 : 2};
    int at = 1 + 2 * c->lane + 1;
    c->number = digits_of(steps) > 3 ? digits_of(steps) : 3;
    c->number_at = at;
    at += c->number + 2;
    c->time = narrow ? 0 : 7;
    c->time_at = at;
    at += c->time + (c->time ? 1 : 0);
    c->join = tracks;
    c->join_at = at;
    at += tracks;
    c->who = columns > 140 ? 22 : wide ? 16 : narrow ? 9 : 12;
    if (c->who > who)
        c->who = who;
    c->who_at = at;
    at += c->who + 1;
    c->what_at = at;
    c->badges = wide ? 8 : 5;
    c->verdict = wide ? 8 : 2;
    c->label = columns >= 90 ? 19 : 3;
    c->badges_at = columns - c->badges;
    c->verdict_at = c->badges_at - c->verdict - 1;
    c->label_at = c->verdict_at - c->label - 1;
    c->what = c->label_at - c->what_at - 1;
}

void flow_header_draw(const struct flow_columns *c, struct area area, int row,
                      const struct flow_row *first)
{
    char clock[24] = "time";
    if (first && first->step.time_digits >= 0)
        clock_text(first->step.time_ns, clock);
    cells_ours(area, row, 1, STYLE_UNTRUSTED, "I");
    cells_ours(area, row, 1 + c->lane, STYLE_PRIVATE, "C");
    cells_oursf(area, row, c->number_at, STYLE_DIM, "%*s", c->number, "#");
    if (c->time)
        cells_oursf(area, row, c->time_at, STYLE_DIM, "%*s", c->time, clock);
    cells_ours(area, row, c->who_at, STYLE_DIM, "who");
    cells_ours(area, row, c->what_at, STYLE_DIM, "what");
    cells_ours(area, row, c->label_at, STYLE_DIM, c->label > 5 ? "label" : "lab");
    cells_ours(area, row, c->verdict_at, STYLE_DIM, c->verdict > 5 ? "verdict" : "");
    cells_ours(area, row, c->badges_at, STYLE_DIM, c->badges > 5 ? "E found" : "E");
}

/* ---- joins ---- */

struct pair {
    size_t from, to;
    bool above; /* its call is not in sight */
};

/* The visible pair that begins at row i (a call whose result is in sight, or runs off below, or a
 * result whose call is above). Where a filter hides steps, only pairs that are whole. */
static bool pair_at(const struct flow_row *rows, size_t count, size_t i, bool all,
                    struct pair *pair)
{
    const struct step *step = &rows[i].step;
    if (step->kind == STEP_TOOL_CALL && step->result_n > step->n) {
        pair->from = i;
        pair->to = count; /* off below */
        for (size_t k = i + 1; k < count && k < i + 200; k++)
            if (rows[k].step.n == step->result_n)
                pair->to = k;
        return all || pair->to < count;
    }
    if (all && step->kind == STEP_TOOL_RESULT && step->call_n && step->call_n < rows[0].step.n) {
        *pair = (struct pair){.to = i, .above = true};
        return true;
    }
    return false;
}

static bool track_free(const struct flow_joins *joins, size_t from, size_t to, size_t count,
                       int track)
{
    for (size_t i = from; i <= to && i < count; i++)
        if (joins[i].glyph[track])
            return false;
    return true;
}

int flow_joins_find(const struct flow_row *rows, size_t count, int64_t cursor_n, bool all,
                    struct flow_joins *joins)
{
    int used = 1;
    for (size_t i = 0; i < count; i++)
        joins[i] = (struct flow_joins){{NULL}, {false}};
    for (size_t i = 0; i < count; i++) {
        struct pair pair = {0};
        if (!pair_at(rows, count, i, all, &pair))
            continue;
        bool apart = pair.above || pair.to > pair.from + 1; /* neighbours are seen to be a pair */
        bool lit = apart && (rows[i].step.n == cursor_n || rows[i].step.result_n == cursor_n ||
                             (pair.above && rows[i].step.call_n == cursor_n));
        int track = 0;
        while (track < JOIN_TRACKS && !track_free(joins, pair.from, pair.to, count, track))
            track++;
        if (track == JOIN_TRACKS)
            continue;
        for (size_t k = pair.from; k <= pair.to && k < count; k++) {
            joins[k].glyph[track] = k == pair.from && !pair.above ? "╭" : k == pair.to ? "╰" : "│";
            joins[k].of_cursor[track] = lit;
        }
        if (track + 1 > used)
            used = track + 1;
    }
    return used;
}

static void draw_joins(const struct flow_columns *c, struct area area, int row,
                       const struct flow_joins *joins)
{
    /* The outer tracks stand on the left: lines never cross the name. */
    for (int track = 0; track < c->join; track++) {
        const char *glyph = joins->glyph[track];
        int column = c->join_at + c->join - 1 - track;
        if (!glyph)
            continue;
        enum style style = joins->of_cursor[track] ? STYLE_KEY : STYLE_FAINT;
        cells_ours(area, row, column, style, glyph);
        bool turns = glyph[2] != '\x82'; /* not │: it runs on to the name */
        for (int k = track - 1; turns && k >= 0 && !joins->glyph[k]; k--)
            cells_ours(area, row, c->join_at + c->join - 1 - k, style, "─");
    }
}

/* ---- lanes ---- */

/* One lane: a line on the left while it is low, on the right once it has risen, and the rise
 * between. */
static void draw_lane(struct area area, int row, int column, int width, bool before, bool after,
                      bool more, enum style high)
{
    if (!before && !after) {
        cells_ours(area, row, column, STYLE_LANE_LOW, "│");
    } else if (!before) {
        int at = cells_ours(area, row, column, high, "╰");
        while (at < column + width - 2)
            at = cells_ours(area, row, at, high, "━");
        cells_ours(area, row, column + width - (width > 2 ? 2 : 1), high, "┓");
    } else if (!after) { /* a new context begins */
        cells_ours(area, row, column, STYLE_LANE_LOW, "╭");
        for (int at = column + 1; at < column + width - 2; at++)
            cells_ours(area, row, at, STYLE_LANE_LOW, "─");
        cells_ours(area, row, column + width - (width > 2 ? 2 : 1), STYLE_LANE_LOW, "┛");
    } else {
        cells_ours(area, row, column + width - (width > 2 ? 2 : 1), high, more ? "┣" : "┃");
    }
}

static void draw_lanes(const struct flow_columns *c, struct area area, int row,
                       const struct flow_row *step)
{
    draw_lane(area, row, 1, c->lane, step->before.integrity == UNTRUSTED,
              step->after.integrity == UNTRUSTED, false, STYLE_UNTRUSTED);
    draw_lane(area, row, 1 + c->lane, c->lane, label_is_private(step->before),
              label_is_private(step->after), (step->changed & 2) != 0, STYLE_PRIVATE);
}

/* ---- who and what ---- */

static void draw_who(const struct flow_columns *c, struct area area, int row,
                     const struct flow_row *step)
{
    enum style style;
    const char *talker = talker_of(&step->step, &style);
    const char *sign = step->step.kind == STEP_TOOL_CALL     ? "▸ "
                       : step->step.kind == STEP_TOOL_RESULT ? "◂ "
                                                             : "";
    if (talker) {
        cells_ours(area, row, c->who_at, style, talker);
        return;
    }
    if (step->step.server.len)
        style = style_of_server(c->servers, step->step.server);
    int column = cells_ours(area, row, c->who_at, style, sign);
    cells_data(area, row, column, style, flow_row_who(step), c->who_at + c->who - column);
}

static enum style tool_style(const struct flow_row *step)
{
    return step->verdict == VERDICT_DENY  ? STYLE_DENY
           : step->verdict == VERDICT_ASK ? STYLE_ASK
                                          : STYLE_STRONG;
}

static void draw_call(const struct flow_columns *c, struct area area, int row, int column, int end,
                      const struct flow_row *step)
{
    column = cells_data(area, row, column, tool_style(step), step->step.tool, end - column);
    if (step->step.outcome > OUTCOME_COMPLETED && column + 14 < end) {
        const char *word = outcome_word(step->step.outcome);
        column = cells_oursf(area, row, column + 1, STYLE_UNKNOWN, "%s", word ? word : "");
    }
    if (column + 3 < end)
        preview_arguments(area, row, column + 2, end - column - 2, step->preview, c->what >= 70);
}

/* Does `step` answer the row right above it? Then the tool's name needs no repeating. */
static bool answers(const struct flow_row *step, const struct flow_row *before)
{
    return before && step->step.call_n && step->step.call_n == before->step.n;
}

static void draw_text(struct area area, int row, int column, int end, const struct flow_row *step,
                      const struct flow_row *before)
{
    struct buf text = {0};
    enum style style = step->step.kind != STEP_PROMPT ? STYLE_PLAIN
                       : step->step.tool.len          ? STYLE_DIM
                                                      : STYLE_STRONG;
    if (step->step.is_error) {
        column = cells_ours(area, row, column, STYLE_BAD, "error ");
        style = STYLE_UNKNOWN;
    }
    if (step->step.kind == STEP_TOOL_RESULT && step->step.tool.len && !answers(step, before))
        column = cells_data(area, row, column, STYLE_DIM, step->step.tool, (end - column) / 2) + 1;
    else if (step->step.kind != STEP_TOOL_RESULT && step->step.kind != STEP_PROMPT &&
             step->step.kind != STEP_ASSISTANT) {
        column = cells_ours(area, row, column, STYLE_STRONG, step_kind_word(step->step.kind)) + 1;
        if (step->step.tool.len && column < end)
            column =
                cells_data(area, row, column, STYLE_PLAIN, step->step.tool, (end - column) / 2) + 1;
        style = STYLE_DIM;
    }
    preview_text(step->preview, &text);
    if (column < end)
        column =
            cells_data_start(area, row, column, style, span_trim(buf_span(&text)), end - column);
    if (step->preview_cut && column + 1 < end) /* it is the start of more */
        cells_ours(area, row, column + 1, STYLE_DIM, "…");
    buf_finish(&text);
}

/* ---- label, verdict, badges ---- */

/* The second lane rises here; it may also only become more private than it was. */
static bool turns_private(const struct flow_row *step)
{
    return (step->changed & 2) && !label_is_private(step->before);
}

/* Letters where there is no room for words; a dot keeps the places apart without colour. */
static void draw_label_letters(const struct flow_columns *c, struct area area, int row,
                               const struct flow_row *step)
{
    if (!label_is_public(step->label) || step->label.integrity == UNTRUSTED) {
        cells_ours(area, row, c->label_at,
                   step->changed & 1 ? STYLE_RISE_INTEGRITY : STYLE_UNTRUSTED,
                   step->label.integrity == UNTRUSTED ? "U" : " ");
        cells_ours(area, row, c->label_at + 1,
                   turns_private(step) ? STYLE_RISE_CONFIDENTIALITY : STYLE_PRIVATE,
                   label_is_private(step->label) ? "P" : " ");
    } else if (step->origin == ORIGIN_NONE && step->step.kind == STEP_TOOL_RESULT) {
        cells_ours(area, row, c->label_at, STYLE_UNKNOWN, "?");
    }
}

static void draw_label_words(const struct flow_columns *c, struct area area, int row,
                             const struct flow_row *step)
{
    int column = c->label_at;
    bool untrusted = step->label.integrity == UNTRUSTED, hidden = label_is_private(step->label);
    bool rises = turns_private(step);
    if (untrusted)
        column = cells_ours(area, row, column,
                            step->changed & 1 ? STYLE_RISE_INTEGRITY : STYLE_UNTRUSTED,
                            step->changed & 1 ? "▲untrusted" : "untrusted") +
                 1;
    if (hidden)
        column = cells_ours(area, row, column, rises ? STYLE_RISE_CONFIDENTIALITY : STYLE_PRIVATE,
                            rises               ? "▲private"
                            : step->changed & 2 ? "+private"
                                                : "private") +
                 1;
    if (!untrusted && !hidden && step->step.kind != STEP_PROMPT &&
        step->step.kind != STEP_ASSISTANT)
        column =
            cells_ours(area, row, column, step->origin == ORIGIN_NONE ? STYLE_UNKNOWN : STYLE_DIM,
                       step->origin == ORIGIN_NONE ? "no claim" : "public") +
            1;
    const char *origin = step->origin == ORIGIN_VERIFIED  ? "✔"
                         : step->origin == ORIGIN_ASSUMED ? "assumed"
                                                          : "";
    int room = c->label_at + c->label - column;
    if (room > 0 && step->origin == ORIGIN_ASSUMED)
        cells_ours(area, row, column, STYLE_UNKNOWN, room > 7 ? origin : "~");
    else if (room > 0)
        cells_ours(area, row, column, STYLE_GOOD, origin);
}

static void draw_verdict(const struct flow_columns *c, struct area area, int row,
                         const struct flow_row *step)
{
    static const struct {
        const char *wide, *narrow;
        enum style style;
    } verdicts[] = {
        [VERDICT_NONE] = {"", "", STYLE_PLAIN},
        [VERDICT_ALLOW] = {"  allow", "·", STYLE_ALLOW},
        [VERDICT_ASK] = {"? ask", "?", STYLE_ASK},
        [VERDICT_DENY] = {" ✘ DENY ", "✘", STYLE_DENY_BADGE},
    };
    cells_ours(area, row, c->verdict_at, verdicts[step->verdict].style,
               c->verdict > 5 ? verdicts[step->verdict].wide : verdicts[step->verdict].narrow);
}

static void draw_badges(const struct flow_columns *c, struct area area, int row,
                        const struct flow_row *step, char mark)
{
    int column = c->badges_at;
    if (step->evidence_count) {
        bool bad = step->evidence_bad > 0, good = step->evidence_ok == step->evidence_count;
        cells_ours(area, row, column,
                   bad    ? STYLE_BAD
                   : good ? STYLE_GOOD
                          : STYLE_UNKNOWN,
                   bad    ? "✘"
                   : good ? "✔"
                          : "?");
    }
    column += 2;
    if (step->finding_count) {
        column = cells_ours(area, row, column, style_of_severity(step->worst),
                            glyph_of_severity(step->worst));
        if (step->finding_count > 1)
            cells_oursf(area, row, column, style_of_severity(step->worst), "%d",
                        step->finding_count > 99 ? 99 : step->finding_count);
    }
    if (mark)
        cells_oursf(area, row, area.columns - 1, STYLE_NOTE, "%c", mark);
}

static void draw_time(const struct flow_columns *c, struct area area, int row,
                      const struct flow_row *step, const struct flow_row *before)
{
    char text[24] = "";
    enum style style = STYLE_DIM;
    if (!c->time)
        return;
    if (step->step.time_digits < 0) {
        snprintf(text, sizeof text, "–");
        style = STYLE_FAINT;
    } else if (!before || before->step.time_digits < 0) {
        clock_text(step->step.time_ns, text);
    } else {
        int64_t gap;
        if (__builtin_sub_overflow(step->step.time_ns, before->step.time_ns, &gap))
            gap = 0;
        duration_text(gap, text);
        style = gap >= 60000000000 || gap < 0 ? STYLE_STRONG : STYLE_DIM;
    }
    int width = text[0] == '\xe2' ? 1 : (int)strlen(text); /* the dash is one column */
    cells_ours(area, row, c->time_at + c->time - width, style, text);
}

void flow_row_select(const struct flow_columns *c, struct area area, int row)
{
    int from = c->number_at - 1, to = c->number_at + c->number + 1;
    cells_ours(area, row, from, STYLE_CURSOR, "►");
    cells_restyle(area, row, from, to - from, STYLE_CURSOR);
    cells_select(area, row, from, to - from);
}

void flow_row_draw(const struct flow_columns *c, struct area area, int row,
                   const struct flow_row *step, const struct flow_row *before,
                   const struct flow_joins *joins, char mark)
{
    draw_lanes(c, area, row, step);
    cells_oursf(area, row, c->number_at, STYLE_DIM, "%*lld", c->number, (long long)step->step.n);
    draw_time(c, area, row, step, before);
    draw_joins(c, area, row, joins);
    draw_who(c, area, row, step);
    bool long_text = !step->verdict && (!step->has_label || step->step.kind == STEP_PROMPT ||
                                        step->step.kind == STEP_ASSISTANT);
    int end = long_text ? c->verdict_at - 1 : c->label_at - 1;
    if (step->step.kind == STEP_TOOL_CALL)
        draw_call(c, area, row, c->what_at, end, step);
    else
        draw_text(area, row, c->what_at, end, step, before);
    if (step->has_label && c->label > 5)
        draw_label_words(c, area, row, step);
    else if (step->has_label)
        draw_label_letters(c, area, row, step);
    draw_verdict(c, area, row, step);
    draw_badges(c, area, row, step, mark);
}
