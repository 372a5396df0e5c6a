/*
 * The record itself: which files it came from, whether every byte of them is
 * accounted for, what could not be read, and what it can't show at all.
 */

#include "model/query/account.h"
#include "tui/core.h"
#include "tui/doc.h"

enum { DIAGNOSTICS_SHOWN = 20 };

struct record_state {
    struct doc doc;
    struct doc_view view;
};

static bool is_accounted(const struct source_view *v)
{
    return v->complete && v->event + v->noise + v->diagnostic + v->blank == v->bytes;
}

static void add_diagnostics(struct doc *doc, struct explorer *x, const struct source_view *v,
                            struct arena *arena)
{
    struct diagnostic_view *diagnostics;
    size_t count = 0;
    struct err err = {0};
    if (!query_diagnostics(x->options.case_file, v->id, 0, DIAGNOSTICS_SHOWN, arena, &diagnostics,
                           &count, &err)) {
        doc_line(doc, 4);
        doc_data(doc, STYLE_ERROR, span_of(err.what));
    }
    for (size_t i = 0; i < count; i++) {
        doc_line(doc, 4);
        doc_oursf(doc, STYLE_BAD, "✘ line %lld, byte %lld: ", (long long)diagnostics[i].line,
                  (long long)diagnostics[i].offset);
        doc_data(doc, STYLE_PLAIN, diagnostics[i].what);
    }
    if (v->diagnostic_count > (int64_t)count) {
        doc_line(doc, 4);
        doc_oursf(doc, STYLE_UNKNOWN, "and %lld more; `strandline show CASE --account` lists them",
                  (long long)(v->diagnostic_count - (int64_t)count));
    }
}

static void add_limits(struct doc *doc, struct explorer *x, const struct source_view *v)
{
    if (!v->format.at || !x->options.cannot_show)
        return;
    for (const char *const *line = x->options.cannot_show(v->format); *line; line++) {
        doc_line(doc, 4);
        doc_ours(doc, STYLE_UNKNOWN, "? it can't show: ");
        doc_ours(doc, STYLE_PLAIN, *line);
    }
}

static void add_source(struct doc *doc, struct explorer *x, const struct source_view *v,
                       struct arena *arena)
{
    bool whole = is_accounted(v);
    doc_line(doc, 0);
    doc_ours(doc, whole ? STYLE_GOOD : STYLE_BAD, whole ? "✔ " : "✘ ");
    doc_data(doc, STYLE_STRONG, v->path);
    doc_ours(doc, STYLE_DIM, "  ");
    doc_data(doc, STYLE_DIM, v->format.at ? v->format : v->role);
    if (!v->complete)
        doc_ours(doc, STYLE_BAD, "  reading it was interrupted");
    size_t first = doc->lines - 1;
    doc_line(doc, 4);
    doc_oursf(doc, STYLE_PLAIN, "%lld bytes in %lld line%s", (long long)v->bytes,
              (long long)v->lines, v->lines == 1 ? "" : "s");
    if (v->format.at)
        doc_oursf(doc, STYLE_DIM, " = %lld in events + %lld noise + %lld unreadable + %lld blank",
                  (long long)v->event, (long long)v->noise, (long long)v->diagnostic,
                  (long long)v->blank);
    doc_line(doc, 4);
    doc_ours(doc, STYLE_DIM, "sha256 ");
    doc_data(doc, STYLE_DIM, v->sha256.at ? v->sha256 : SPAN("not known"));
    for (size_t i = 0; i < v->noise_count; i++) {
        doc_line(doc, 4);
        doc_ours(doc, STYLE_DIM, "noise: ");
        doc_data(doc, STYLE_DIM, v->noises[i].kind);
        doc_oursf(doc, STYLE_DIM, ", %lld time%s", (long long)v->noises[i].units,
                  v->noises[i].units == 1 ? "" : "s");
    }
    add_diagnostics(doc, x, v, arena);
    add_limits(doc, x, v);
    doc_fold_from(doc, first, false);
}

static void add_sum(struct doc *doc, const struct explorer *x, const struct source_view *sources,
                    size_t count)
{
    size_t whole = 0;
    int64_t unread = 0;
    for (size_t i = 0; i < count; i++) {
        whole += !sources[i].format.at || is_accounted(&sources[i]);
        unread += sources[i].diagnostic_count;
    }
    doc_line(doc, 0);
    if (whole == count && !unread)
        doc_oursf(doc, STYLE_GOOD, "✔ %s: each byte is accounted for.",
                  count == 1 ? "The one source was read" : "All sources were read");
    else if (whole == count)
        doc_oursf(doc, STYLE_BAD, "✘ Each byte is accounted for; broken or unpaired places: %lld.",
                  (long long)unread);
    else
        doc_oursf(doc, STYLE_BAD,
                  "✘ %zu of %zu sources are not accounted for; broken or unpaired places: %lld.",
                  count - whole, count, (long long)unread);
    doc_line(doc, 0);
    doc_oursf(
        doc, STYLE_DIM,
        "Unchanged? %.*s hashes again what is held here, `strandline verify CASE` reads the "
        "files again. That a log ends is no proof that nothing followed, and what a server did "
        "behind its own door is in none.",
        SPAN_ARG(keymap_first(&x->config.keys, ACTION_REPORT)));
    doc_line(doc, 0);
}

static bool record_open(struct view *v, struct explorer *x)
{
    struct record_state *s = v->state;
    struct arena arena = {0};
    struct source_view *sources;
    size_t count;
    struct err err = {0};
    doc_init(&s->doc);
    bool ok = query_sources(x->options.case_file, &arena, &sources, &count, &err);
    if (ok) {
        add_sum(&s->doc, x, sources, count);
        for (size_t i = 0; i < count; i++)
            add_source(&s->doc, x, &sources[i], &arena);
    } else {
        explorer_fail(x, &err);
        doc_finish(&s->doc);
    }
    arena_finish(&arena);
    doc_view_reset(&s->view, &s->doc);
    return ok;
}

static void record_close(struct view *v)
{
    struct record_state *s = v->state;
    doc_finish(&s->doc);
}

static void record_draw(struct view *v, struct area area)
{
    struct record_state *s = v->state;
    area = explorer_title(v->explorer, area, "Record");
    doc_view_draw(&s->view, area_sub(area, 1, 2, area.rows - 1, area.columns - 4), true);
}

static unsigned record_act(struct view *v, enum action action)
{
    struct record_state *s = v->state;
    return doc_view_act(&s->view, action) ? VIEW_REDRAW : VIEW_IGNORED;
}

static const struct hint *record_hints(const struct view *v)
{
    static const struct hint hints[] = {
        {ACTION_REPORT, "hand over"}, {ACTION_EVIDENCE, "evidence"}, {0}};
    (void)v;
    return hints;
}

const struct view_ops view_record = {
    .name = "record",
    .title = "Record",
    .size = sizeof(struct record_state),
    .open = record_open,
    .close = record_close,
    .draw = record_draw,
    .act = record_act,
    .hints = record_hints,
};
