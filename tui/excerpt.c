#include "tui/excerpt.h"

#include "base/jsonr.h"
#include "tui/preview.h"

enum { AROUND = 48, AROUND_CLAIM = 32, LIT_MOST = 400, LOOK_MOST = 4 * 1024 * 1024 };

/* Not inside of a character. */
static size_t character_start(struct span s, size_t at)
{
    while (at > 0 && at < s.len && ((unsigned char)s.at[at] & 0xC0) == 0x80)
        at--;
    return at;
}

/* Bytes from … to of the text, with what stands beside them; `part`: the text goes on. */
static void excerpt_lay(struct doc *doc, int64_t n, struct span text, bool part, size_t from,
                        size_t to, size_t around)
{
    size_t before = character_start(text, from > around ? from - around : 0);
    size_t shown = to - from > LIT_MOST ? character_start(text, from + LIT_MOST) : to;
    size_t after = to + around < text.len ? character_start(text, to + around) : text.len;
    doc_ours(doc, STYLE_FAINT, before ? "“…" : "“");
    doc_data(doc, STYLE_DIM, span_sub(text, before, from - before));
    /* All of a body is no place in it. */
    bool all = from == 0 && to + 2 >= text.len && !part;
    doc_data(doc, all ? STYLE_PLAIN : STYLE_MATCH, span_sub(text, from, shown - from));
    if (shown < to)
        doc_oursf(doc, STYLE_UNKNOWN, "… %zu bytes more", to - shown);
    doc_data(doc, STYLE_DIM, span_sub(text, to, after - to));
    doc_ours(doc, STYLE_FAINT, after < text.len || part ? "…”" : "”");
    doc_link(doc, n);
}

bool excerpt_here(struct doc *doc, struct explorer *x, int64_t n, uint64_t offset, uint64_t length)
{
    struct buf body = {0};
    struct err err = {0};
    bool cut;
    bool held = length && offset <= LOOK_MOST && length <= LOOK_MOST &&
                review_body(x->review, n, offset + length + AROUND, &body, &cut, &err) &&
                offset + length <= body.len;
    if (held)
        excerpt_lay(doc, n, buf_span(&body), cut, (size_t)offset, (size_t)(offset + length),
                    AROUND);
    buf_finish(&body);
    return held;
}

void excerpt_add(struct doc *doc, struct explorer *x, int64_t n, uint64_t offset, uint64_t length,
                 int indent)
{
    doc_line(doc, indent);
    if (!excerpt_here(doc, x, n, offset, length))
        doc->lines--;
}

/* Is it this text that has the claim there? */
static bool excerpt_holds(struct span text, const struct cause_link *link)
{
    struct span value;
    return link->length && link->offset + link->length <= text.len &&
           jsonr_pointer(text, link->pointer, &value) && value.at == text.at + link->offset;
}

bool excerpt_claim(struct doc *doc, struct explorer *x, const struct cause_link *link)
{
    struct arena arena = {0};
    struct buf text = {0};
    struct err err = {0};
    struct recording_view *all;
    size_t count = 0;
    bool cut = false;
    bool here = review_body(x->review, link->n, LOOK_MOST, &text, &cut, &err) &&
                excerpt_holds(buf_span(&text), link);
    /* A host's transcript keeps it beside the text that the model was shown. */
    if (!here && !review_recordings(x->review, link->n, &arena, &all, &count, &err))
        count = 0;
    for (size_t i = 0; i < count && !here; i++) {
        buf_clear(&text);
        here = review_recording_body(x->review, &all[i], LOOK_MOST, &text, &cut, &err) &&
               excerpt_holds(buf_span(&text), link);
    }
    if (here)
        excerpt_lay(doc, link->n, buf_span(&text), cut, (size_t)link->offset,
                    (size_t)(link->offset + link->length), AROUND_CLAIM);
    buf_finish(&text);
    arena_finish(&arena);
    return here;
}

void excerpt_step(struct doc *doc, struct explorer *x, int64_t n)
{
    struct arena arena = {0};
    struct flow_row row;
    struct buf text = {0};
    struct err err = {0};
    if (review_rows(x->review, n, 1, FLOW_PREVIEW, &arena, &row, &err) == 1) {
        const char *kind = row.step.kind == STEP_TOOL_CALL     ? "▸ "
                           : row.step.kind == STEP_TOOL_RESULT ? "◂ "
                                                               : "";
        enum style style;
        const char *talker = talker_of(&row.step, &style);
        if (talker) {
            doc_ours(doc, style, talker);
        } else {
            bool host = !row.step.server.len;
            if (!host)
                style = style_of_server(x->session->servers, row.step.server);
            doc_ours(doc, style, kind);
            doc_data(doc, style, host ? SPAN("host") : row.step.server);
            doc_ours(doc, STYLE_PLAIN, " ");
        }
        bool named = kind[0] || row.step.tool.len;
        if (!talker)
            doc_data(doc, row.verdict == VERDICT_DENY ? STYLE_DENY : STYLE_STRONG,
                     named ? row.step.tool : span_of(step_kind_word(row.step.kind)));
        if (row.verdict == VERDICT_DENY)
            doc_ours(doc, STYLE_DENY, " ✘ denied");
        doc_ours(doc, STYLE_PLAIN, "  ");
        if (row.step.kind == STEP_TOOL_CALL)
            preview_pairs(row.preview, &text);
        else
            preview_text(row.preview, &text);
        doc_data(doc, STYLE_DIM, span_sub(buf_span(&text), 0, 300));
        doc_ours(doc, STYLE_DIM, row.preview_cut || text.len > 300 ? " …" : "");
    }
    buf_finish(&text);
    arena_finish(&arena);
}

/* Where two texts begin to differ, and where they are the same again up to their ends. */
static void excerpt_bounds(struct span a, struct span b, size_t *from, size_t *a_to, size_t *b_to)
{
    size_t least = a.len < b.len ? a.len : b.len, same = 0, end = 0;
    while (same < least && a.at[same] == b.at[same])
        same++;
    while (same > 0 && same < a.len && ((unsigned char)a.at[same] & 0xC0) == 0x80)
        same--;
    while (end < least - same && a.at[a.len - 1 - end] == b.at[b.len - 1 - end])
        end++;
    while (end > 0 && ((unsigned char)a.at[a.len - end] & 0xC0) == 0x80)
        end--;
    *from = same;
    *a_to = a.len - end;
    *b_to = b.len - end;
}

/* A text with the part lit that the other one does not have. */
static void excerpt_lit(struct doc *doc, const char *sign, struct span text, size_t from, size_t to)
{
    size_t head = from > 60 ? from - 60 : 0;
    while (head > 0 && ((unsigned char)text.at[head] & 0xC0) == 0x80)
        head--;
    doc_line(doc, 4);
    doc_oursf(doc, STYLE_STRONG, "%s ", sign);
    doc_ours(doc, STYLE_FAINT, head ? "…" : "");
    doc_data(doc, STYLE_DIM, span_sub(text, head, from - head));
    size_t shown = to - from > LIT_MOST ? character_start(text, from + LIT_MOST) : to;
    doc_data(doc, STYLE_MATCH, span_sub(text, from, shown - from));
    if (shown < to)
        doc_oursf(doc, STYLE_UNKNOWN, "… %zu bytes more", to - shown);
    doc_data(doc, STYLE_DIM, span_sub(text, to, 60));
    doc_ours(doc, STYLE_FAINT, text.len - to > 60 ? "…" : "");
}

void excerpt_differ(struct doc *doc, struct span a, struct span b)
{
    size_t from, a_to, b_to;
    excerpt_bounds(a, b, &from, &a_to, &b_to);
    excerpt_lit(doc, "-", a, from, a_to);
    excerpt_lit(doc, "+", b, from, b_to);
}
