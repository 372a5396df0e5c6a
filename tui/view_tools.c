/* The tools of the session: hints, use, and what changed between two definitions of one. */
#include <stdlib.h>
#include <string.h>

#include "base/jsonr.h"
#include "base/text.h"
#include "model/query/tools.h"
#include "tui/core.h"
#include "tui/doc.h"
#include "tui/excerpt.h"
#include "tui/list.h"

enum { DEFINITION_MOST = 256 * 1024 };

enum tools_known { TOOLS_ASKED, TOOLS_KNOWN, TOOLS_FAILED };

struct tools_state {
    enum tools_known known;
    struct arena arena;
    struct tool_view *tools;
    size_t count;
    struct list list;
    struct doc doc;
    struct doc_view view;
    bool in_doc;
    int64_t shown; /* tool in the document, -1: none */
    struct arena found;
    const struct finding_view **of_definitions; /* what was found in them */
    size_t finding_count, finding_room;
    bool *instructs; /* a tool each */
    int64_t reviews; /* x->reviews at that time */
};

/* ---- what was found in definitions ---- */

/* The next of them that is about this definition of the tool: its message names it. */
static const struct finding_view *tools_finding(const struct tools_state *s,
                                                const struct tool_view *tool, int64_t n, size_t *at)
{
    struct buf name = {0};
    const struct finding_view *found = NULL;
    buf_puts(&name, "of ");
    text_safe(&name, tool->tool);
    buf_byte(&name, ' ');
    while (!found && *at < s->finding_count) {
        const struct finding_view *f = s->of_definitions[(*at)++];
        if (f->n == n && span_find(f->message, buf_span(&name)) < f->message.len)
            found = f;
    }
    buf_finish(&name);
    return found;
}

/* Does a definition of it give orders, or name another server's tool? */
static bool tools_instructs(const struct tools_state *s, const struct tool_view *tool)
{
    for (size_t i = 0; i < tool->version_count; i++) {
        const struct finding_view *f;
        for (size_t at = 0; (f = tools_finding(s, tool, tool->versions[i].n, &at));)
            if (span_is(f->code, "TD03") || span_is(f->code, "TD04"))
                return true;
    }
    return false;
}

static void tools_keep(struct tools_state *s, const struct finding_view *f)
{
    s->of_definitions = arena_one_more(&s->found, s->of_definitions, s->finding_count,
                                       &s->finding_room, sizeof *s->of_definitions);
    s->of_definitions[s->finding_count++] = f;
}

static int tools_by_step(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The steps that define tools, each once, into the arena. */
static size_t tools_steps(struct tools_state *s, int64_t **steps)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < s->count; i++)
        count += s->tools[i].version_count;
    *steps = arena_array(&s->found, count + 1, sizeof **steps);
    count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < s->tools[i].version_count; k++)
            (*steps)[count++] = s->tools[i].versions[k].n;
    if (count)
        qsort(*steps, count, sizeof **steps, tools_by_step);
    for (size_t i = 0; i < count; i++)
        if (!i || (*steps)[i] != (*steps)[i - 1])
            (*steps)[kept++] = (*steps)[i];
    return kept;
}

/* Anew when findings came; only the steps that define tools are asked about. */
static void tools_take_findings(struct tools_state *s, struct explorer *x)
{
    int64_t *steps;
    if (s->reviews == x->reviews)
        return;
    s->reviews = x->reviews;
    s->finding_count = s->finding_room = 0;
    s->of_definitions = NULL;
    s->shown = -1;
    arena_reset(&s->found);
    s->instructs = arena_array(&s->found, s->count + 1, sizeof *s->instructs);
    memset(s->instructs, 0, s->count * sizeof *s->instructs);
    if (!review_is_checked(x->review))
        return;
    size_t count = tools_steps(s, &steps);
    for (size_t i = 0; i < count; i++) {
        struct finding_view *all;
        struct err err = {0};
        size_t found = 0;
        if (!review_findings(x->review, steps[i], &s->found, &all, &found, &err))
            return; /* the list of findings says why */
        for (size_t k = 0; k < found; k++)
            if (span_starts_with(all[k].code, SPAN("TD")))
                tools_keep(s, &all[k]);
    }
    for (size_t i = 0; i < s->count; i++)
        s->instructs[i] = tools_instructs(s, &s->tools[i]);
}

static bool ask_tools(void *arg, struct err *err)
{
    struct view *v = arg;
    struct tools_state *s = v->state;
    arena_reset(&s->arena);
    return review_tools(v->explorer->review, &s->arena, &s->tools, &s->count, err);
}

/* All calls of the session are counted, which takes a moment. True: it is to be asked again. */
static bool tools_ask(struct view *v, struct slice *slice)
{
    struct tools_state *s = v->state;
    struct explorer *x = v->explorer;
    struct err err = {0};
    int more = s->known == TOOLS_ASKED ? explorer_ask(x, slice, ask_tools, v, &err) : 0;
    if (more > 0 || s->known != TOOLS_ASKED)
        return more > 0;
    s->known = more ? TOOLS_FAILED : TOOLS_KNOWN;
    if (more) {
        s->count = 0;
        explorer_fail(x, &err);
        return false;
    }
    s->list.count = (int64_t)s->count;
    struct flow_row row;
    if (x->n && review_rows(x->review, x->n, 1, 0, &s->arena, &row, &err) == 1)
        for (size_t i = 0; i < s->count; i++)
            if (span_equal(s->tools[i].tool, row.step.tool) &&
                span_equal(s->tools[i].server, row.step.server))
                s->list.cursor = (int64_t)i;
    return false;
}

static bool tools_open(struct view *v, struct explorer *x)
{
    struct tools_state *s = v->state;
    struct slice slice = slice_begin(NULL, NULL);
    (void)x;
    doc_init(&s->doc);
    doc_view_reset(&s->view, &s->doc);
    s->shown = -1;
    tools_ask(v, &slice);
    return true;
}

static bool tools_idle(struct view *v, struct slice *slice)
{
    (void)slice;
    return tools_ask(v, NULL);
}

static void tools_close(struct view *v)
{
    struct tools_state *s = v->state;
    doc_finish(&s->doc);
    arena_finish(&s->arena);
    arena_finish(&s->found);
}

/* ---- one tool ---- */

/* "readOnlyHint true": in the words of the protocol, with what is absent said. */
static void add_hint(struct doc *doc, const char *name, enum tri value, const char *otherwise)
{
    doc_line(doc, 2);
    doc_oursf(doc, STYLE_DIM, "%-16s ", name);
    if (value == TRI_ABSENT)
        doc_oursf(doc, STYLE_UNKNOWN, "not given; the protocol then takes it as %s", otherwise);
    else
        doc_ours(doc, STYLE_JSON_WORD, value == TRI_TRUE ? "true" : "false");
}

static void add_hints(struct doc *doc, const struct hints *hints)
{
    add_hint(doc, "readOnlyHint", hints->read_only, "false");
    add_hint(doc, "destructiveHint", hints->destructive, "true");
    add_hint(doc, "idempotentHint", hints->idempotent, "false");
    add_hint(doc, "openWorldHint", hints->open_world, "true");
}

/* The value of a member as a person reads it: the text of a string, else the JSON. */
static void member_text(struct span definition, const char *name, struct buf *out)
{
    struct span value;
    if (jsonr_member(definition, name, &value) && !jsonr_string(value, out, NULL))
        buf_add(out, value);
}

static void add_change(struct doc *doc, const char *name, struct span before, struct span after)
{
    struct buf a = {0}, b = {0};
    member_text(before, name, &a);
    member_text(after, name, &b);
    if (!span_equal(buf_span(&a), buf_span(&b))) {
        doc_line(doc, 2);
        doc_ours(doc, STYLE_JSON_NAME, name);
        doc_ours(doc, STYLE_DIM, " changed");
        excerpt_differ(doc, buf_span(&a), buf_span(&b));
    }
    buf_finish(&a);
    buf_finish(&b);
}

static void add_versions(struct tools_state *s, struct explorer *x, const struct tool_view *tool)
{
    static const char *const members[] = {"description",  "title",       "inputSchema",
                                          "outputSchema", "annotations", "_meta"};
    struct buf before = {0}, now = {0};
    struct err err = {0};
    for (size_t i = 0; i < tool->version_count; i++) {
        const struct tool_version *version = &tool->versions[i];
        bool cut = false;
        buf_clear(&now);
        doc_line(&s->doc, 0);
        doc_oursf(&s->doc, i ? STYLE_DENY : STYLE_STRONG,
                  i ? "Changed at step %lld" : "As defined at step %lld", (long long)version->n);
        doc_link(&s->doc, version->n);
        doc_ours(&s->doc, STYLE_DIM, "  ");
        doc_data(&s->doc, STYLE_DIM,
                 version->digest.at ? version->digest : SPAN("no digest: it is not I-JSON"));
        if (!review_definition(x->review, version->id, DEFINITION_MOST, &now, &cut, &err)) {
            doc_line(&s->doc, 2);
            doc_data(&s->doc, STYLE_ERROR, span_of(err.what));
            continue;
        }
        for (size_t k = 0; i && !cut && k < COUNT_OF(members); k++)
            add_change(&s->doc, members[k], buf_span(&before), buf_span(&now));
        const struct finding_view *f;
        for (size_t at = 0; (f = tools_finding(s, tool, version->n, &at));) {
            doc_line(&s->doc, 2);
            doc_oursf(&s->doc, style_of_severity((int)f->severity), "%s %s ",
                      glyph_of_severity((int)f->severity), severity_word(f->severity));
            doc_data(&s->doc, STYLE_KEY, f->code);
            doc_ours(&s->doc, STYLE_PLAIN, "  ");
            doc_data(&s->doc, STYLE_PLAIN, f->message);
            doc_link(&s->doc, version->n);
        }
        add_hints(&s->doc, &version->hints);
        size_t line = s->doc.lines;
        doc_line(&s->doc, 2);
        doc_ours(&s->doc, STYLE_DIM, "the whole definition ");
        s->doc.cut = cut;
        if (!doc_json(&s->doc, 4, buf_span(&now)))
            doc_text(&s->doc, 4, STYLE_PLAIN, buf_span(&now), false);
        doc_fold_from(&s->doc, line, i + 1 < tool->version_count);
        buf_clear(&before);
        buf_add(&before, buf_span(&now));
    }
    buf_finish(&before);
    buf_finish(&now);
}

static void view_tools_fill(struct tools_state *s, struct explorer *x)
{
    if (s->shown == s->list.cursor)
        return;
    const struct tool_view *tool = &s->tools[s->list.cursor];
    doc_clear(&s->doc);
    doc_line(&s->doc, 0);
    doc_data(&s->doc, style_of_server(x->session->servers, tool->server),
             tool->server.len ? tool->server : SPAN("host"));
    doc_ours(&s->doc, STYLE_PLAIN, " ");
    doc_data(&s->doc, STYLE_STRONG, tool->tool);
    if (tool->calls) {
        doc_oursf(&s->doc, STYLE_PLAIN, "  called %lld time%s, first at step %lld",
                  (long long)tool->calls, tool->calls == 1 ? "" : "s", (long long)tool->first_call);
        doc_link(&s->doc, tool->first_call);
    } else {
        doc_ours(&s->doc, STYLE_DIM, "  never called");
    }
    if (!tool->version_count) {
        doc_line(&s->doc, 0);
        doc_ours(&s->doc, STYLE_UNKNOWN,
                 "The record holds no definition of it: what its server said of it is not known.");
    }
    add_versions(s, x, tool);
    doc_view_reset(&s->view, &s->doc);
    s->shown = s->list.cursor;
}

/* ---- the list ---- */

static const char *what_it_may(const struct tool_view *tool, enum style *style)
{
    const struct hints *h =
        tool->version_count ? &tool->versions[tool->version_count - 1].hints : NULL;
    *style = STYLE_UNKNOWN;
    if (!h)
        return "not defined";
    if (h->read_only == TRI_TRUE) {
        *style = STYLE_GOOD;
        return h->open_world == TRI_FALSE ? "reads" : "reads, open world";
    }
    if (h->read_only == TRI_ABSENT)
        return "no hint: may write";
    *style = STYLE_MEDIUM;
    return h->destructive == TRI_FALSE ? "writes" : "writes, destructive";
}

/* Of a tool's name; a narrow window gives less of it, so that what it may and its use are told. */
static int name_columns_of(struct area area)
{
    return area.columns >= 90 ? 34 : area.columns >= 75 ? 24 : 19;
}

static void view_tools_draw_row(struct tools_state *s, struct explorer *x, struct area area,
                                int row, int64_t i)
{
    const struct tool_view *tool = &s->tools[i];
    bool wide = area.columns >= 90;
    int server = wide ? 18 : 12, name = name_columns_of(area);
    enum style style;
    const char *may = what_it_may(tool, &style);
    cells_data(area, row, 1, style_of_server(x->session->servers, tool->server),
               tool->server.len ? tool->server : SPAN("host"), server - 1);
    cells_data(area, row, 1 + server, STYLE_STRONG, tool->tool, name - 1);
    int column = 1 + server + name;
    cells_ours(area, row, column, style, may);
    column += 21;
    if (tool->calls)
        cells_oursf(area, row, column, STYLE_PLAIN, "%5lld", (long long)tool->calls);
    else
        cells_ours(area, row, column, STYLE_FAINT, "    –");
    if (area.columns - column < 14) /* no room for when: the details tell */
        cells_ours(area, row, column + 5, STYLE_DENY, tool->version_count > 1 ? " ▲" : "");
    else if (tool->version_count > 1)
        column = cells_oursf(area, row, column + 7, STYLE_DENY, "▲ changed at %lld",
                             (long long)tool->versions[tool->version_count - 1].n);
    else if (tool->version_count)
        column = cells_oursf(area, row, column + 7, STYLE_DIM, "step %lld",
                             (long long)tool->versions[0].n);
    if (s->instructs[i])
        cells_ours(area, row, column, STYLE_DENY,
                   area.columns - column < 14 ? "  ▲" : "  ▲ instructs");
}

/* Did definitions change, or instruct? That none did is an answer, and that none is known. */
static void tools_draw_definitions(const struct tools_state *s, struct explorer *x,
                                   struct area area, int row, int column)
{
    size_t defined = 0, changed = 0, instruct = 0;
    for (size_t i = 0; i < s->count; i++) {
        defined += s->tools[i].version_count > 0;
        changed += s->tools[i].version_count > 1;
        instruct += s->instructs[i];
    }
    if (!defined) {
        cells_ours(area, row, column, STYLE_UNKNOWN, "· none is defined in this record ");
        return;
    }
    bool checked = review_is_checked(x->review);
    if (changed)
        column = cells_oursf(area, row, column, STYLE_DENY, "· ▲ %zu changed ", changed);
    if (instruct)
        cells_oursf(area, row, column, STYLE_DENY, "· ▲ %zu instruct%s ", instruct,
                    instruct == 1 ? "s" : "");
    else if (!checked)
        cells_ours(area, row, column, STYLE_UNKNOWN, "· looking for instructions ");
    else if (changed)
        cells_ours(area, row, column, STYLE_DIM, "· none instructs ");
    else
        cells_ours(area, row, column, STYLE_DIM,
                   area.columns - column < 31 ? "· none changed "
                                              : "· none changed, none instructs ");
}

/* What authority there was, by the tools' own hints, against what of it was used. */
static void tools_draw_sum(const struct tools_state *s, struct explorer *x, struct area area,
                           int row)
{
    size_t writes = 0, used = 0, used_to_write = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct tool_view *tool = &s->tools[i];
        bool reads = tool->version_count &&
                     tool->versions[tool->version_count - 1].hints.read_only == TRI_TRUE;
        writes += !reads;
        used += tool->calls > 0;
        used_to_write += !reads && tool->calls > 0;
    }
    bool narrow = area.columns < 90; /* what changed must be seen, too */
    int column =
        cells_oursf(area, row, narrow ? 1 : 2, STYLE_STRONG,
                    narrow ? " %zu tools, %zu may write · used %zu, %zu may write "
                           : " %zu tools, %zu may write · used: %zu, of these %zu that may write ",
                    s->count, writes, used, used_to_write);
    tools_draw_definitions(s, x, area, row, column);
}

static void tools_draw(struct view *v, struct area area)
{
    struct tools_state *s = v->state;
    area = explorer_title(v->explorer, area, "Tools");
    if (s->known != TOOLS_KNOWN) {
        cells_ours(area, 1, 2, STYLE_UNKNOWN,
                   s->known == TOOLS_ASKED ? "counting the calls of each tool…"
                                           : "the tools can't be told");
        return;
    }
    if (!s->count) {
        cells_ours(area, 1, 2, STYLE_PLAIN, "The record of this session names no tool.");
        return;
    }
    tools_take_findings(s, v->explorer);
    bool wide = area.columns >= 90;
    int rows = area.rows / 2;
    if (rows > (int)s->count + 2)
        rows = (int)s->count + 2;
    cells_ours(area, 0, 1, STYLE_DIM, "server");
    cells_ours(area, 0, wide ? 19 : 13, STYLE_DIM, "tool");
    cells_ours(area, 0, (wide ? 19 : 13) + name_columns_of(area), STYLE_DIM,
               area.columns < 70 ? "by its hints         calls"
                                 : "by its own hints     calls  defined");
    list_show(&s->list, rows - 1);
    for (int row = 0; row < rows - 1 && s->list.top + row < s->list.count; row++) {
        view_tools_draw_row(s, v->explorer, area, row + 1, s->list.top + row);
        if (s->list.top + row == s->list.cursor)
            cells_select(area, row + 1, 0, area.columns);
    }
    cells_fill(area, rows, 0, area.columns, s->in_doc ? STYLE_DIVIDER_ON : STYLE_DIVIDER, "─");
    tools_draw_sum(s, v->explorer, area, rows);
    view_tools_fill(s, v->explorer);
    doc_view_draw(&s->view, area_sub(area, rows + 1, 2, area.rows - rows - 1, area.columns - 4),
                  s->in_doc);
}

static unsigned tools_act(struct view *v, enum action action)
{
    struct tools_state *s = v->state;
    struct explorer *x = v->explorer;
    if (s->known != TOOLS_KNOWN || !s->count)
        return VIEW_IGNORED;
    if (action == ACTION_NEXT_PANE || action == ACTION_PREVIOUS_PANE ||
        (s->in_doc && action == ACTION_BACK)) {
        s->in_doc = !s->in_doc;
        return VIEW_REDRAW;
    }
    if (s->in_doc ? doc_view_act(&s->view, action) : list_act(&s->list, action))
        return VIEW_REDRAW;
    const struct tool_view *tool = &s->tools[s->list.cursor];
    int64_t leads = s->in_doc ? doc_view_step(&s->view) : 0;
    if (action == ACTION_OPEN)
        explorer_goto(x, leads                 ? leads
                         : tool->first_call    ? tool->first_call
                         : tool->version_count ? tool->versions[0].n
                                               : 0);
    else if (action == ACTION_FOLD_ALL)
        doc_view_act(&s->view, action);
    else if (action == ACTION_COPY)
        explorer_copy(x, tool->tool);
    else if (action == ACTION_COPY_PATH && s->in_doc)
        explorer_copy_path(x, &s->view);
    else
        return VIEW_IGNORED;
    return VIEW_REDRAW;
}

static const struct hint *tools_hints(const struct view *v)
{
    static const struct hint hints[] = {{ACTION_OPEN, "go to the step"},
                                        {ACTION_NEXT_PANE, "other pane"},
                                        {ACTION_FOLD_ALL, "fold all"},
                                        {ACTION_COPY, "copy the name"},
                                        {0}};
    const struct tools_state *s = v->state;
    return s->count ? hints : NULL;
}

const struct view_ops view_tools = {
    .name = "tools",
    .title = "Tools",
    .size = sizeof(struct tools_state),
    .open = tools_open,
    .close = tools_close,
    .draw = tools_draw,
    .act = tools_act,
    .idle = tools_idle,
    .hints = tools_hints,
};
