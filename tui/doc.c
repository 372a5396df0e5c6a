#include "tui/doc.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/layout.h"

enum { PIECE = 2048 }; /* a line longer than this is laid out in pieces */

void doc_init(struct doc *d)
{
    *d = (struct doc){0};
    arena_init(&d->arena);
}

void doc_finish(struct doc *d)
{
    arena_finish(&d->arena);
    mem_free(d->part);
    mem_free(d->line);
    *d = (struct doc){0};
}

void doc_clear(struct doc *d)
{
    arena_reset(&d->arena);
    d->parts = d->lines = 0;
    d->cut = d->stopped = false;
}

bool doc_is_stopped(struct doc *d, size_t bytes)
{
    enum { OFTEN = 256 * 1024, LINE = 64 };
    d->worked += bytes + LINE;
    if (d->stop && !d->stopped && d->worked >= OFTEN) {
        d->worked = 0;
        d->stopped = d->stop(d->stop_arg);
    }
    return d->stopped;
}

void doc_line(struct doc *d, int indent)
{
    d->line = mem_one_more(d->line, d->lines, &d->lines_room, sizeof *d->line);
    d->line[d->lines++] = (struct doc_line){.part = d->parts, .indent = indent};
}

static void add_part(struct doc *d, enum style style, struct span text, bool data)
{
    if (!d->lines)
        doc_line(d, 0);
    d->part = mem_one_more(d->part, d->parts, &d->parts_room, sizeof *d->part);
    d->part[d->parts++] = (struct doc_part){arena_copy(&d->arena, text), style, data};
    d->line[d->lines - 1].parts++;
}

void doc_ours(struct doc *d, enum style style, const char *text)
{
    add_part(d, style, span_of(text), false);
}

void doc_oursf(struct doc *d, enum style style, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_part(d, style, span_of(text), false);
}

void doc_data(struct doc *d, enum style style, struct span text)
{
    add_part(d, style, text, true);
}

void doc_hang(struct doc *d, int columns)
{
    if (d->lines)
        d->line[d->lines - 1].hang = columns;
}

void doc_one_row(struct doc *d)
{
    if (d->lines)
        d->line[d->lines - 1].one_row = true;
}

void doc_link(struct doc *d, int64_t step)
{
    if (d->lines)
        d->line[d->lines - 1].step = step;
}

void doc_beside(struct doc *d)
{
    if (d->lines)
        d->line[d->lines - 1].beside = d->line[d->lines - 1].parts;
}

void doc_fold_from(struct doc *d, size_t from, bool folded)
{
    if (from + 1 < d->lines) {
        d->line[from].fold_end = d->lines - 1;
        d->line[from].folded = folded;
    }
}

/* One line of text, in pieces that end between characters. */
static void add_pieces(struct doc *d, int indent, enum style style, struct span text, bool *open)
{
    do {
        if (!*open)
            doc_line(d, indent);
        *open = false;
        size_t take = text.len;
        if (take > PIECE) {
            take = PIECE;
            while (take > PIECE - 4 && ((unsigned char)text.at[take] & 0xC0) == 0x80)
                take--;
        }
        doc_data(d, style, span_sub(text, 0, take));
        text = span_sub(text, take, text.len);
    } while (text.len && !doc_is_stopped(d, PIECE));
}

void doc_text(struct doc *d, int indent, enum style style, struct span text, bool open)
{
    for (;;) {
        size_t end = span_find_byte(text, '\n');
        struct span line = span_sub(text, 0, end);
        if (end < text.len && line.len && line.at[line.len - 1] == '\r')
            line.len--;
        add_pieces(d, indent, style, line, &open);
        if (end >= text.len || doc_is_stopped(d, end))
            return;
        text = span_sub(text, end + 1, text.len);
        if (!text.len)
            return;
    }
}

/* ---- layout ---- */

/* Splits safe text of our own making into characters. */
static void place_each(struct layout *l, struct span text, enum style style, bool ascii)
{
    while (text.len) {
        uint32_t code;
        size_t length = utf8_decode(text, &code);
        if (!length)
            return;
        struct span one = span_sub(text, 0, length);
        text = span_sub(text, length, text.len);
        if (ascii && length > 1)
            one = span_of(cells_twin(one));
        int width = ascii ? 1 : text_width(code);
        if (width > 0)
            layout_place(l, one, width, style);
    }
}

static void place_data(struct layout *l, struct span text, enum style style, bool ascii)
{
    struct glyph glyph;
    while (text_next(&text, &glyph, ascii)) {
        struct span show = {glyph.show, glyph.show_len};
        if (glyph.mark != TEXT_PLAIN)
            place_each(l, show, STYLE_MARK, false);
        else if (glyph.width > 1 && glyph.show_len > 1 && (unsigned char)glyph.show[0] < 0x80)
            place_each(l, show, style, false); /* spelled out in ASCII */
        else
            layout_place(l, show, glyph.width, style);
    }
}

/* Does the needle stand in the bytes of the line? Lights the characters of each hit. */
static void light(struct layout *l, struct span needle)
{
    if (!needle.len)
        return;
    for (size_t i = 0; i < l->count; i++) {
        size_t at = i, used = 0;
        while (at < l->count && used < needle.len) {
            struct span one = {l->at[at].text, l->at[at].len};
            if (!span_equal_nocase(one, span_sub(needle, used, one.len)))
                break;
            used += one.len;
            at++;
        }
        if (used == needle.len)
            for (; i < at; i++)
                l->at[i].style = STYLE_MATCH;
    }
}

/* Would the word at `from` fit into a row of its own? */
static bool word_fits(const struct layout *l, size_t from, int columns)
{
    int used = 0;
    for (size_t i = from; i < l->count && used <= columns; i++) {
        if (l->at[i].len == 1 && l->at[i].text[0] == ' ')
            return true;
        used += l->at[i].width;
    }
    return used <= columns;
}

static void break_rows(struct layout *l, int indent, int hang, int columns, bool cut)
{
    l->row[0] = 0;
    l->rows = 1;
    l->indent = indent;
    l->hang = hang ? hang : indent + 2;
    if (l->hang > columns / 2)
        l->hang = columns / 2;
    int used = indent < columns ? indent : columns - 1;
    size_t blank = 0; /* behind the last blank of this row */
    for (size_t i = 0; i < l->count && !cut; i++) {
        if (used + l->at[i].width > columns && i > l->row[l->rows - 1]) {
            if ((size_t)l->rows == COUNT_OF(l->row))
                return;
            bool word = blank > l->row[l->rows - 1] && word_fits(l, blank, columns - l->hang);
            size_t from = word ? blank : i;
            l->row[l->rows++] = from;
            used = l->hang;
            for (size_t k = from; k < i; k++)
                used += l->at[k].width;
        }
        used += l->at[i].width;
        if (l->at[i].len == 1 && l->at[i].text[0] == ' ')
            blank = i + 1;
    }
}

/* How a line is to be laid out. */
struct lay {
    int columns;
    bool ascii, cut;
    struct span needle;
};

/* Parts of a line, from … to, at an indent of their own. */
static void lay_out_parts(struct layout *l, const struct doc *d, const struct doc_line *line,
                          size_t from, size_t to, int indent, const struct lay *lay)
{
    l->count = 0;
    if (line->fold_end)
        place_each(l, span_of(line->folded ? "▸ " : "▾ "), STYLE_FAINT, lay->ascii);
    for (size_t i = from; i < to; i++) {
        const struct doc_part *part = &d->part[line->part + i];
        if (part->data)
            place_data(l, part->text, part->style, lay->ascii);
        else
            place_each(l, part->text, part->style, lay->ascii);
    }
    light(l, lay->needle);
    break_rows(l, indent, line->hang, lay->columns > 4 ? lay->columns : 4,
               lay->cut || line->one_row);
}

/* The two sides of a line: beside each other where there is room for it. */
static void lay_out_sides(struct layout *l, const struct doc *d, const struct doc_line *line,
                          const struct lay *lay)
{
    enum { ROOM = 90, DEEPER = 2 };
    struct layout left = {0}, right = {0};
    int middle = lay->columns >= ROOM && !d->linear ? lay->columns / 2 : 0;
    struct lay left_lay = *lay, right_lay = *lay;
    if (middle) {
        left_lay.columns = middle - 1;
        right_lay.columns = lay->columns - middle - 1;
    }
    lay_out_parts(&left, d, line, 0, line->beside, line->indent, &left_lay);
    lay_out_parts(&right, d, line, line->beside, line->parts, middle ? 1 : line->indent + DEEPER,
                  &right_lay);
    layout_join(l, &left, &right, middle, lay->ascii);
    layout_finish(&left);
    layout_finish(&right);
}

static void doc_lay_out(struct layout *l, const struct doc *d, const struct doc_line *line,
                        int columns, bool ascii, bool cut, struct span needle)
{
    struct lay lay = {columns, ascii, cut, needle};
    if (line->beside)
        lay_out_sides(l, d, line, &lay);
    else
        lay_out_parts(l, d, line, 0, line->parts, line->indent, &lay);
}

static void doc_draw_row(const struct layout *l, int which, struct area area, int row)
{
    size_t end = layout_row_end(l, which);
    int column = which ? l->hang : l->indent;
    for (size_t i = l->row[which]; i < end; i++) {
        const struct placed *p = &l->at[i];
        if (column + p->width > area.columns) {
            cells_ours(area, row, area.columns - 1, STYLE_DIM, "…");
            return;
        }
        struct cell *cell = cells_at(area.grid, area.row + row, area.column + column);
        if (cell) {
            memcpy(cell->text, p->text, p->len);
            cell->len = p->len;
            cell->width = p->width;
            cell->style = p->style;
            struct cell *covered =
                p->width == 2 ? cells_at(area.grid, area.row + row, area.column + column + 1)
                              : NULL;
            if (covered)
                *covered = (struct cell){.style = p->style};
        }
        column += p->width;
    }
}

/* ---- the view ---- */

void doc_view_reset(struct doc_view *v, struct doc *doc)
{
    *v = (struct doc_view){
        .doc = doc, .cut = v->cut, .rows = v->rows, .columns = v->columns, .needle = v->needle};
}

static size_t line_after(const struct doc *d, size_t line)
{
    const struct doc_line *l = &d->line[line];
    return l->fold_end && l->folded ? l->fold_end + 1 : line + 1;
}

static size_t line_before(const struct doc *d, size_t line)
{
    size_t at = 0, before = 0;
    /* Folds only hide whole runs, so walking from the start is exact; from the nearest unfolded
     * ancestor would be faster, but this is a key's worth of work. */
    while (at < line) {
        before = at;
        at = line_after(d, at);
    }
    return before;
}

static int rows_of(const struct doc_view *v, struct layout *l, size_t line, bool ascii)
{
    doc_lay_out(l, v->doc, &v->doc->line[line], v->columns, ascii, v->cut, SPAN_EMPTY);
    return l->rows;
}

/* After a long jump down: the cursor's line stands at the end of the area, what is above it before.
 */
static void show_at_end(struct doc_view *v, struct layout *l, bool ascii)
{
    enum { RING = 256 };
    size_t ring[RING], count = 0;
    for (size_t at = 0; at < v->cursor; at = line_after(v->doc, at))
        ring[count++ % RING] = at;
    int used = rows_of(v, l, v->cursor, ascii);
    v->top = v->cursor;
    v->top_row = 0;
    for (size_t back = 1; back <= count && back <= RING; back++) {
        size_t above = ring[(count - back) % RING];
        used += rows_of(v, l, above, ascii);
        if (used > v->rows)
            return;
        v->top = above;
    }
}

/* Moves the top so that the cursor's line can be seen. */
static void follow_cursor(struct doc_view *v, struct layout *l, bool ascii)
{
    const struct doc *d = v->doc;
    if (v->cursor >= d->lines)
        v->cursor = d->lines - 1;
    if (v->top >= d->lines) {
        v->top = v->cursor;
        v->top_row = 0;
    }
    if (v->cursor < v->top || (v->cursor == v->top && v->top_row >= rows_of(v, l, v->top, ascii))) {
        v->top = v->cursor;
        v->top_row = 0;
        return;
    }
    if (v->cursor == v->top)
        return;
    int used = -v->top_row;
    for (size_t at = v->top; at < v->cursor; at = line_after(d, at)) {
        used += rows_of(v, l, at, ascii);
        if (used > 4 * v->rows)
            break;
    }
    int own = rows_of(v, l, v->cursor, ascii);
    int need = own < v->rows ? own : v->rows;
    int over = used + need - v->rows;
    if (used > 4 * v->rows) {
        show_at_end(v, l, ascii);
        return;
    }
    while (over > 0) {
        int left = rows_of(v, l, v->top, ascii) - v->top_row;
        if (left > over) {
            v->top_row += over;
            return;
        }
        over -= left;
        v->top = line_after(d, v->top);
        v->top_row = 0;
    }
}

/* In the margin, where there is one: that the document goes on below. */
static void say_more(struct area area)
{
    if (area.rows < 2 || area.column + area.columns >= area.grid->columns)
        return;
    area.columns++;
    cells_ours(area, area.rows - 1, area.columns - 1, STYLE_KEY, "↓");
}

void doc_view_draw(struct doc_view *v, struct area area, bool focused)
{
    v->rows = area.rows;
    v->columns = area.columns;
    if (!v->doc->lines || area.rows <= 0 || area.columns <= 0)
        return;
    struct layout l = {0};
    bool ascii = area.grid->ascii, more = false;
    follow_cursor(v, &l, ascii);
    int row = 0;
    size_t at = v->top;
    for (; at < v->doc->lines && row < area.rows; at = line_after(v->doc, at)) {
        const struct doc_line *line = &v->doc->line[at];
        doc_lay_out(&l, v->doc, line, area.columns, ascii, v->cut, v->needle);
        int i = at == v->top ? v->top_row : 0;
        for (; i < l.rows && row < area.rows; i++, row++) {
            doc_draw_row(&l, i, area, row);
            if (focused && at == v->cursor)
                cells_select(area, row, 0, area.columns);
        }
        more = i < l.rows;
    }
    if (more || at < v->doc->lines)
        say_more(area);
    layout_finish(&l);
}

int doc_rows(struct doc *d, int columns, int most, bool ascii)
{
    struct layout l = {0};
    int rows = 0;
    for (size_t at = 0; at < d->lines && rows < most; at = line_after(d, at)) {
        doc_lay_out(&l, d, &d->line[at], columns, ascii, false, SPAN_EMPTY);
        rows += l.rows;
    }
    layout_finish(&l);
    return rows < most ? rows : most;
}

/* Down inside of a line that is taller than the area. */
static bool scroll_in_line(struct doc_view *v, int by)
{
    struct layout l = {0};
    int rows = rows_of(v, &l, v->cursor, false);
    layout_finish(&l);
    if (v->cursor != v->top || rows <= v->rows)
        return false;
    int row = v->top_row + by;
    if (row < 0 || row > rows - v->rows)
        return false;
    v->top_row = row;
    return true;
}

static void doc_move(struct doc_view *v, int by)
{
    for (; by > 0 && !scroll_in_line(v, 1); by--) {
        size_t next = line_after(v->doc, v->cursor);
        if (next >= v->doc->lines)
            return;
        v->cursor = next;
    }
    for (; by < 0 && !scroll_in_line(v, -1) && v->cursor > 0; by++)
        v->cursor = line_before(v->doc, v->cursor);
}

/* Folds the line, or the nearest line above that can be. */
static void fold(struct doc_view *v)
{
    for (size_t at = v->cursor + 1; at-- > 0;) {
        struct doc_line *line = &v->doc->line[at];
        if (line->fold_end >= v->cursor && line->fold_end && !line->folded) {
            line->folded = true;
            v->cursor = at;
            return;
        }
    }
}

static void fold_all(struct doc_view *v)
{
    bool any_open = false;
    for (size_t i = 0; i < v->doc->lines; i++)
        any_open |= v->doc->line[i].fold_end && !v->doc->line[i].folded;
    for (size_t i = 0; i < v->doc->lines; i++)
        if (v->doc->line[i].fold_end)
            v->doc->line[i].folded = any_open;
    v->cursor = v->top = 0;
    v->top_row = 0;
}

bool doc_view_act(struct doc_view *v, enum action action)
{
    if (!v->doc->lines)
        return false;
    struct doc_line *line = &v->doc->line[v->cursor < v->doc->lines ? v->cursor : 0];
    int page = v->rows > 2 ? v->rows - 1 : 1;
    switch (action) {
    case ACTION_UP:
        doc_move(v, -1);
        return true;
    case ACTION_DOWN:
        doc_move(v, 1);
        return true;
    case ACTION_PAGE_UP:
        doc_move(v, -page);
        return true;
    case ACTION_PAGE_DOWN:
        doc_move(v, page);
        return true;
    case ACTION_HALF_UP:
        doc_move(v, -(page + 1) / 2);
        return true;
    case ACTION_HALF_DOWN:
        doc_move(v, (page + 1) / 2);
        return true;
    case ACTION_TOP:
        v->cursor = v->top = 0;
        v->top_row = 0;
        return true;
    case ACTION_BOTTOM:
        v->cursor = line_before(v->doc, v->doc->lines);
        return true;
    case ACTION_LEFT:
        fold(v);
        return true;
    case ACTION_RIGHT:
        line->folded = false;
        return true;
    case ACTION_FOLD_ALL:
        fold_all(v);
        return true;
    case ACTION_WRAP:
        v->cut = !v->cut;
        v->top_row = 0;
        return true;
    case ACTION_OPEN:
        if (!line->fold_end)
            return false;
        line->folded = !line->folded;
        return true;
    default:
        return false;
    }
}

void doc_line_text(const struct doc *d, size_t line, struct buf *out)
{
    if (line >= d->lines)
        return;
    for (size_t i = 0; i < d->line[line].parts; i++)
        buf_add(out, d->part[d->line[line].part + i].text);
}

/* One step of a JSON pointer: RFC 6901, section 3. */
static void add_step(struct buf *out, struct span name)
{
    buf_byte(out, '/');
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] == '~' || name.at[i] == '/')
            buf_puts(out, name.at[i] == '~' ? "~0" : "~1");
        else
            buf_byte(out, name.at[i]);
    }
}

bool doc_line_path(const struct doc *d, size_t line, struct buf *out)
{
    enum { DEEPEST = 80 };
    size_t way[DEEPEST], depth = 0;
    while (line < d->lines && line > 0 && !d->line[line].node) /* a line of a text: its member */
        line--;
    if (line >= d->lines || !d->line[line].node)
        return false;
    for (size_t at = line + 1; at && depth < DEEPEST; at = d->line[at - 1].up)
        way[depth++] = at - 1;
    while (depth--) {
        const struct doc_line *l = &d->line[way[depth]];
        if (l->parts)
            add_step(out, d->part[l->part].text);
        if (depth && l->inside)
            buf_byte(out, '#');
    }
    return true;
}

/* Plain search without case in one line. */
static bool line_holds(const struct doc *d, size_t line, struct span needle, struct buf *scratch)
{
    buf_clear(scratch);
    doc_line_text(d, line, scratch);
    struct span text = buf_span(scratch);
    for (size_t i = 0; i + needle.len <= text.len; i++)
        if (span_equal_nocase(span_sub(text, i, needle.len), needle))
            return true;
    return false;
}

bool doc_find(const struct doc *d, struct span needle, size_t from, bool forward, size_t *line)
{
    struct buf scratch = {0};
    bool found = false;
    for (size_t at = from; needle.len && at < d->lines && !found; at += forward ? 1 : SIZE_MAX) {
        found = line_holds(d, at, needle, &scratch);
        if (found)
            *line = at;
        if (!forward && at == 0)
            break;
    }
    buf_finish(&scratch);
    return found;
}

int64_t doc_view_step(const struct doc_view *v)
{
    return v->cursor < v->doc->lines ? v->doc->line[v->cursor].step : 0;
}
