#include "tui/layout.h"

#include <string.h>

#include "base/attr.h"
#include "base/mem.h"

void layout_place(struct layout *l, struct span text, int width, enum style style)
{
    if (text.len > sizeof l->at->text)
        return;
    l->at = mem_one_more(l->at, l->count, &l->room, sizeof *l->at);
    struct placed *p = &l->at[l->count++];
    *p = (struct placed){.len = (uint8_t)text.len, .width = (uint8_t)width, .style = style};
    memcpy(p->text, text.at, text.len);
}

void layout_finish(struct layout *l)
{
    mem_free(l->at);
    *l = (struct layout){0};
}

size_t layout_row_end(const struct layout *l, int row)
{
    return row + 1 < l->rows ? l->row[row + 1] : l->count;
}

static void add_blanks(struct layout *l, int count)
{
    while (count-- > 0)
        layout_place(l, SPAN(" "), 1, STYLE_PLAIN);
}

/* Copies a row, with what stands before it, into at most `columns` (0: all that it takes); gives
 * how many it took. A row that is cut says so. */
static int copy_row(struct layout *l, const struct layout *from, int row, int columns, bool ascii)
{
    if (row >= from->rows)
        return 0;
    int used = row ? from->hang : from->indent;
    add_blanks(l, used);
    for (size_t i = from->row[row]; i < layout_row_end(from, row); i++) {
        const struct placed *p = &from->at[i];
        if (columns && used + p->width > columns) {
            l->count -= l->at[l->count - 1].width == 1;
            layout_place(l, span_of(ascii ? cells_twin(SPAN("…")) : "…"), 1, STYLE_DIM);
            return used;
        }
        layout_place(l, (struct span){p->text, p->len}, p->width, p->style);
        used += p->width;
    }
    return used;
}

static bool begin_row(struct layout *l)
{
    if ((size_t)l->rows == COUNT_OF(l->row))
        return false;
    l->row[l->rows++] = l->count;
    return true;
}

void layout_join(struct layout *l, const struct layout *left, const struct layout *right,
                 int middle, bool ascii)
{
    int rows = left->rows > right->rows ? left->rows : right->rows;
    l->count = 0;
    l->rows = l->indent = l->hang = 0;
    for (int row = 0; middle && row < rows && begin_row(l); row++) {
        int used = copy_row(l, left, row, middle - 1, ascii);
        add_blanks(l, middle - used);
        layout_place(l, span_of(ascii ? cells_twin(SPAN("│")) : "│"), 1, STYLE_FAINT);
        copy_row(l, right, row, 0, ascii);
    }
    for (int row = 0; !middle && row < left->rows && begin_row(l); row++)
        copy_row(l, left, row, 0, ascii);
    for (int row = 0; !middle && row < right->rows && begin_row(l); row++)
        copy_row(l, right, row, 0, ascii);
}
