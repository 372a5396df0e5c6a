/*
 * JSON as a folding tree. No recursion: the open containers are a list of our
 * own, and past a depth that no person reads the rest stays one line of text.
 */
#include <string.h>

#include "base/jsonr.h"
#include "tui/doc.h"
#include "tui/mend.h"

enum { TREE_DEPTH = 64, SHORT_TEXT = 72, INDENT_MOST = 40 };

struct open_value {
    struct jsonr_items items;
    size_t line;  /* that it was opened on */
    bool root;    /* of the document: its members stand at the left, without a line for it */
    size_t index; /* of the next element of an array */
    int indent;
};

struct tree {
    struct doc *doc;
    struct open_value open[TREE_DEPTH];
    int depth;
};

static size_t count_items(struct span container)
{
    struct jsonr_items items;
    size_t count = 0;
    jsonr_items_init(&items, container);
    while (jsonr_items_next(&items))
        count++;
    return count;
}

/* JSON in the decoded text of a string that is worth opening; it lives as long as the document. */
static bool inner_json(struct doc *doc, struct span text, struct span *json)
{
    struct buf mended = {0};
    text = span_trim(text);
    bool good = text.len > 1 && (text.at[0] == '{' || text.at[0] == '[');
    if (good && !jsonr_valid(text, NULL, NULL)) {
        good = doc->cut && json_mend(text, &mended);
        text = buf_span(&mended);
    }
    if (good)
        *json = arena_copy(&doc->arena, text);
    buf_finish(&mended);
    return good;
}

static void open_container(struct tree *t, struct span value, int indent)
{
    size_t count = count_items(value);
    bool object = jsonr_is_object(value);
    doc_oursf(t->doc, STYLE_FAINT, object ? "{%zu}" : "[%zu]", count);
    if (doc_is_stopped(t->doc, value.len))
        return;
    if (t->depth == TREE_DEPTH) {
        doc_line(t->doc, indent);
        doc_text(t->doc, indent, STYLE_JSON_STRING, value, true);
        return;
    }
    struct open_value *o = &t->open[t->depth++];
    *o = (struct open_value){.line = t->doc->lines - 1, .indent = indent};
    jsonr_items_init(&o->items, value);
}

static void add_string(struct tree *t, struct span value, int indent)
{
    struct buf text = {0};
    struct span inner;
    jsonr_string(value, &text, NULL);
    struct span decoded = buf_span(&text);
    if (doc_is_stopped(t->doc, value.len)) {
        buf_finish(&text);
        return;
    }
    if (inner_json(t->doc, decoded, &inner)) {
        doc_ours(t->doc, STYLE_DIM, "JSON inside a string ");
        t->doc->line[t->doc->lines - 1].inside = true;
        open_container(t, inner, indent);
    } else if (span_find_byte(decoded, '\n') == decoded.len && decoded.len <= SHORT_TEXT) {
        doc_ours(t->doc, STYLE_FAINT, "\"");
        doc_data(t->doc, STYLE_JSON_STRING, decoded);
        doc_ours(t->doc, STYLE_FAINT, "\"");
    } else {
        size_t line = t->doc->lines - 1;
        doc_oursf(t->doc, STYLE_FAINT, t->doc->cut ? "text" : "text, %zu bytes", decoded.len);
        doc_text(t->doc, indent + 2, STYLE_JSON_STRING, decoded, false);
        doc_fold_from(t->doc, line, false);
    }
    buf_finish(&text);
}

static void doc_json_add_value(struct tree *t, struct span value, int indent)
{
    if (jsonr_is_object(value) || jsonr_is_array(value)) {
        open_container(t, value, indent);
    } else if (jsonr_is_string(value)) {
        add_string(t, value, indent);
    } else {
        bool number =
            value.len && (value.at[0] == '-' || (value.at[0] >= '0' && value.at[0] <= '9'));
        doc_data(t->doc, number ? STYLE_JSON_NUMBER : STYLE_JSON_WORD, value);
    }
}

/* The name in front of a value: a member's, or an element's number. */
static void add_name(struct tree *t, struct open_value *o)
{
    if (!o->items.object) {
        doc_oursf(t->doc, STYLE_DIM, "%zu", o->index++);
    } else {
        struct buf quoted = {0}, text = {0};
        buf_byte(&quoted, '"');
        buf_add(&quoted, o->items.name);
        buf_byte(&quoted, '"');
        if (!jsonr_string(buf_span(&quoted), &text, NULL))
            buf_add(&text, o->items.name);
        doc_data(t->doc, STYLE_JSON_NAME, buf_span(&text));
        buf_finish(&quoted);
        buf_finish(&text);
    }
    doc_ours(t->doc, STYLE_FAINT, "  ");
}

bool doc_json(struct doc *d, int indent, struct span value)
{
    value = span_trim(value);
    if (!jsonr_valid(value, NULL, NULL)) {
        struct buf mended = {0};
        bool good = d->cut && json_mend(value, &mended);
        value = good ? arena_copy(&d->arena, buf_span(&mended)) : SPAN_EMPTY;
        buf_finish(&mended);
        if (!good)
            return false;
    }
    if (doc_is_stopped(d, value.len))
        return true;
    struct tree *t = NEW(struct tree);
    t->doc = d;
    if ((jsonr_is_object(value) || jsonr_is_array(value)) && count_items(value)) {
        t->open[t->depth++] = (struct open_value){.indent = indent - 2, .root = true};
        jsonr_items_init(&t->open[0].items, value);
    } else {
        doc_line(d, indent);
        doc_json_add_value(t, value, indent);
    }
    while (t->depth && !d->stopped) {
        struct open_value *o = &t->open[t->depth - 1];
        if (!jsonr_items_next(&o->items)) {
            if (!o->root)
                doc_fold_from(d, o->line, false);
            t->depth--;
            continue;
        }
        if (doc_is_stopped(d, o->items.value.len)) /* it was looked through for its end */
            break;
        int inner = o->indent + 2;
        if (inner > indent + INDENT_MOST)
            inner = indent + INDENT_MOST;
        doc_line(d, inner);
        d->line[d->lines - 1].node = true;
        d->line[d->lines - 1].up = o->root ? 0 : (uint32_t)o->line + 1;
        add_name(t, o);
        doc_json_add_value(t, o->items.value, inner);
    }
    mem_free(t);
    return true;
}
