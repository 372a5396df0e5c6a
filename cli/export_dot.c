/* A graph for Graphviz: the steps that led to each violation, by axis, and what went where. */
#include "cli/export.h"

#include "base/text.h"

static void add_quoted(struct buf *out, struct span text)
{
    enum { LABEL_COLUMNS = 60 };
    struct buf safe = {0};
    text_fit(&safe, text, LABEL_COLUMNS, false);
    buf_byte(out, '"');
    for (size_t i = 0; i < safe.len; i++) {
        if (safe.at[i] == '"' || safe.at[i] == '\\')
            buf_byte(out, '\\');
        buf_byte(out, safe.at[i]);
    }
    buf_byte(out, '"');
    buf_finish(&safe);
}

static bool dot_begin(struct exporting *x, struct err *err)
{
    (void)err;
    fputs(
        "strict digraph strandline {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n",
        x->to);
    return true;
}

static bool dot_end(struct exporting *x, struct err *err)
{
    (void)err;
    fputs("}\n", x->to);
    return true;
}

static bool dot_begin_session(struct exporting *x, struct err *err)
{
    struct buf line = {0};
    (void)err;
    buf_addf(&line, "  subgraph cluster_%lld {\n    label=", (long long)review_session(x->review));
    add_quoted(&line, x->session);
    buf_puts(&line, ";\n");
    fwrite(line.at, 1, line.len, x->to);
    buf_finish(&line);
    return true;
}

static bool dot_end_session(struct exporting *x, struct err *err)
{
    (void)err;
    fputs("  }\n", x->to);
    return true;
}

static void dot_node(struct exporting *x, const struct flow_row *row)
{
    struct buf title = {0}, line = {0};
    const char *look = row->verdict == VERDICT_DENY  ? ", color=\"#b00020\", penwidth=2"
                       : row->verdict == VERDICT_ASK ? ", color=\"#b06000\""
                       : row->changed                ? ", style=rounded"
                                                     : "";
    buf_addf(&title, "%lld  ", (long long)row->step.n);
    export_step_title(&title, row);
    if (row->verdict == VERDICT_DENY || row->verdict == VERDICT_ASK)
        buf_addf(&title, ": %s", verdict_word(row->verdict));
    buf_addf(&line, "    s%lld_%lld [label=", (long long)review_session(x->review),
             (long long)row->step.n);
    add_quoted(&line, buf_span(&title));
    buf_addf(&line, "%s];\n", look);
    fwrite(line.at, 1, line.len, x->to);
    buf_finish(&title);
    buf_finish(&line);
}

static bool dot_chain(struct exporting *x, int64_t n, enum axis axis, struct err *err)
{
    struct why why;
    struct flow_row row;
    long long session = review_session(x->review);
    if (!review_why(x->review, n, axis, x->arena, &why, err))
        return false;
    for (size_t i = 0; i < why.chain_count; i++) {
        const struct cause_link *link = &why.chain[i];
        if (review_rows(x->review, link->n, 1, 0, x->arena, &row, err) != 1)
            return false;
        dot_node(x, &row);
        if (link->from)
            fprintf(x->to, "    s%lld_%lld -> s%lld_%lld [label=\"%s\"];\n", session,
                    (long long)link->from, session, (long long)link->n,
                    axis == AXIS_INTEGRITY ? "untrusted" : "private");
    }
    return true;
}

static bool dot_step(struct exporting *x, const struct flow_row *row, struct err *err)
{
    if (row->verdict != VERDICT_DENY && row->verdict != VERDICT_ASK)
        return true;
    dot_node(x, row);
    return dot_chain(x, row->step.n, AXIS_INTEGRITY, err) &&
           dot_chain(x, row->step.n, AXIS_CONFIDENTIALITY, err);
}

const struct export_form export_dot = {.name = "dot",
                                       .begin = dot_begin,
                                       .begin_session = dot_begin_session,
                                       .step = dot_step,
                                       .end_session = dot_end_session,
                                       .end = dot_end};
