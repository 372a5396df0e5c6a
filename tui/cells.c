#include "tui/cells.h"

#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/mem.h"
#include "base/text.h"

/* Our glyphs and what stands for them where only ASCII may be drawn. All are one column wide. */
static const struct {
    const char *glyph, *twin;
} twins[] = {
    {"│", "|"}, {"┃", "#"},  {"║", "#"},  {"╰", "`"}, {"╭", ","}, {"╮", "."}, {"╯", "'"},
    {"─", "-"}, {"━", "="},  {"┓", "."},  {"┏", ","}, {"┗", "`"}, {"┛", "'"}, {"┣", "+"},
    {"┫", "+"}, {"├", "+"},  {"┤", "+"},  {"┼", "+"}, {"┬", "+"}, {"┴", "+"}, {"┊", ":"},
    {"╌", "-"}, {"═", "="},  {"▸", ">"},  {"◂", "<"}, {"▾", "v"}, {"▴", "^"}, {"▲", "^"},
    {"▼", "v"}, {"►", ">"},  {"◄", "<"},  {"✔", "+"}, {"✘", "X"}, {"●", "*"}, {"○", "o"},
    {"◆", "#"}, {"◇", "o"},  {"◉", "@"},  {"•", "*"}, {"·", "."}, {"…", "~"}, {"▁", "_"},
    {"▃", "p"}, {"▅", "u"},  {"█", "B"},  {"▌", "|"}, {"▐", "|"}, {"░", "."}, {"▒", ":"},
    {"▓", "#"}, {"“", "\""}, {"”", "\""}, {"‘", "'"}, {"’", "'"}, {"→", ">"}, {"←", "<"},
    {"↑", "^"}, {"↓", "v"},  {"↵", "\\"}, {"≥", ">"}, {"≤", "<"}, {"×", "x"}, {"⟦", "["},
    {"⟧", "]"}, {"⊑", "<"},  {"▏", "|"},  {"▕", "|"}, {"¶", "P"}, {"⋮", ":"}, {"–", "-"},
    {"‼", "!"}, {"⚑", "!"},  {"✎", "n"},  {"↳", "`"}, {"▪", "*"}, {"ö", "o"}, {"⇢", ">"},
    {"▆", "#"},
};

static const struct cell cells_blank = {.text = " ", .len = 1, .width = 1, .style = STYLE_PLAIN};

void cells_init(struct cells *grid, int rows, int columns, bool ascii)
{
    *grid = (struct cells){.ascii = ascii};
    cells_resize(grid, rows, columns);
}

void cells_finish(struct cells *grid)
{
    mem_free(grid->cell);
    *grid = (struct cells){0};
}

void cells_resize(struct cells *grid, int rows, int columns)
{
    mem_free(grid->cell);
    grid->rows = rows > 0 ? rows : 0;
    grid->columns = columns > 0 ? columns : 0;
    grid->cell = NEW_ARRAY(struct cell, (size_t)grid->rows * (size_t)grid->columns);
    cells_clear(grid);
}

void cells_clear(struct cells *grid)
{
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    for (size_t i = 0; i < count; i++)
        grid->cell[i] = cells_blank;
}

struct cell *cells_at(struct cells *grid, int row, int column)
{
    if (row < 0 || column < 0 || row >= grid->rows || column >= grid->columns)
        return NULL;
    return &grid->cell[(size_t)row * (size_t)grid->columns + (size_t)column];
}

struct area area_of(struct cells *grid)
{
    return (struct area){grid, 0, 0, grid->rows, grid->columns};
}

static int cells_clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

struct area area_sub(struct area area, int row, int column, int rows, int columns)
{
    row = cells_clamp(row, 0, area.rows);
    column = cells_clamp(column, 0, area.columns);
    return (struct area){area.grid, area.row + row, area.column + column,
                         cells_clamp(rows, 0, area.rows - row),
                         cells_clamp(columns, 0, area.columns - column)};
}

/* Half of a wide character that is about to be overwritten would be left over: blank it. */
static void unhook(struct cells *grid, int row, int column)
{
    struct cell *cell = cells_at(grid, row, column);
    if (!cell)
        return;
    struct cell *left = cells_at(grid, row, column - 1), *right = cells_at(grid, row, column + 1);
    if (cell->width == 0 && left && left->width == 2)
        *left = cells_blank;
    if (cell->width == 2 && right && right->width == 0)
        *right = cells_blank;
}

/* Puts one glyph; false where it doesn't fit into the area. */
static bool put(struct area area, int row, int column, enum style style, struct span text,
                int width)
{
    if (row < 0 || row >= area.rows || column < 0 || column + width > area.columns)
        return false;
    int at_row = area.row + row, at_column = area.column + column;
    struct cell *cell = cells_at(area.grid, at_row, at_column);
    if (!cell || text.len > sizeof cell->text)
        return false;
    unhook(area.grid, at_row, at_column);
    bool selected = cell->selected;
    *cell = (struct cell){
        .len = (uint8_t)text.len, .width = (uint8_t)width, .style = style, .selected = selected};
    memcpy(cell->text, text.at, text.len);
    if (width == 2) {
        unhook(area.grid, at_row, at_column + 1);
        struct cell *covered = cells_at(area.grid, at_row, at_column + 1);
        if (covered)
            *covered = (struct cell){.style = style, .selected = selected};
    }
    return true;
}

const char *cells_twin(struct span glyph)
{
    for (size_t i = 0; i < COUNT_OF(twins); i++)
        if (span_is(glyph, twins[i].glyph))
            return twins[i].twin;
    return "?";
}

int cells_ours(struct area area, int row, int column, enum style style, const char *text)
{
    struct span rest = span_of(text);
    int from = column;
    while (rest.len) {
        uint32_t code;
        size_t length = utf8_decode(rest, &code);
        if (!length)
            break;
        struct span glyph = span_sub(rest, 0, length);
        if (length > 1 && area.grid->ascii)
            glyph = span_of(cells_twin(glyph));
        if (column >= area.columns) {
            if (column > from + 1 && span_trim(rest).len) /* that it is cut is said */
                put(area, row, column - 1, style,
                    span_of(area.grid->ascii ? cells_twin(SPAN("…")) : "…"), 1);
            break;
        }
        rest = span_sub(rest, length, rest.len);
        put(area, row, column, style, glyph, 1);
        column++;
    }
    return column;
}

int cells_wrapped(struct area area, int row, int column, enum style style, const char *text)
{
    int at = column, from = row;
    for (struct span rest = span_of(text); rest.len;) {
        size_t end = span_find_byte(rest, ' ');
        char word[64];
        int width = 0;
        snprintf(word, sizeof word, "%.*s", (int)end, rest.at);
        for (size_t i = 0; word[i]; i++)
            width += ((unsigned char)word[i] & 0xC0) != 0x80;
        if (at > column && at + width > area.columns - 1) {
            at = column;
            row++;
        }
        at = cells_ours(area, row, at, style, word) + 1;
        rest = span_sub(rest, end + 1, rest.len);
    }
    return row - from + 1;
}

int cells_oursf(struct area area, int row, int column, enum style style, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return cells_ours(area, row, column, style, text);
}

/* Draws safe text of one glyph of data, character by character where several stand for it: a mark,
 * or a number where there is only ASCII. */
static int put_glyph(struct area area, int row, int column, enum style style,
                     const struct glyph *glyph)
{
    struct span show = {glyph->show, glyph->show_len};
    if (glyph->mark != TEXT_PLAIN)
        style = STYLE_MARK;
    else if (glyph->width <= 2) {
        put(area, row, column, style, show, glyph->width);
        return column + glyph->width;
    }
    int end = column + glyph->width;
    while (show.len && column < end) {
        uint32_t code;
        size_t length = utf8_decode(show, &code);
        if (!length)
            break;
        int width = text_width(code);
        struct span one = span_sub(show, 0, length);
        show = span_sub(show, length, show.len);
        if (width <= 0)
            continue;
        put(area, row, column, style, one, width);
        column += width;
    }
    return end;
}

/* Draws glyphs while they fit into `columns`; gives the column behind. */
static int draw_run(struct area area, int row, int column, enum style style, struct span text,
                    int columns)
{
    struct glyph glyph;
    int end = column + columns;
    while (text_next(&text, &glyph, area.grid->ascii)) {
        if (column + glyph.width > end)
            break;
        column = put_glyph(area, row, column, style, &glyph);
    }
    return column;
}

/* Does text take more than `columns`? Looks no further than needed. */
static bool too_wide(struct span text, int columns, bool ascii)
{
    struct glyph glyph;
    int used = 0;
    while (used <= columns && text_next(&text, &glyph, ascii))
        used += glyph.width;
    return used > columns;
}

int cells_data_start(struct area area, int row, int column, enum style style, struct span text,
                     int columns)
{
    if (columns > area.columns - column)
        columns = area.columns - column;
    if (columns <= 0)
        return column;
    if (!too_wide(text, columns, area.grid->ascii))
        return draw_run(area, row, column, style, text, columns);
    column = draw_run(area, row, column, style, text, columns - 1);
    return cells_ours(area, row, column, style, "…");
}

/* The longest end of text that fits into `columns`. */
static struct span tail_that_fits(struct span text, int columns, bool ascii)
{
    /* A glyph is at most four columns a byte in a mark: never look at more than needed. */
    size_t look = (size_t)columns * 8;
    struct span tail = text.len > look ? span_sub(text, text.len - look, look) : text;
    while (tail.len && ((unsigned char)tail.at[0] & 0xC0) == 0x80 && tail.len < text.len)
        tail = span_sub(tail, 1, tail.len);
    struct glyph glyph;
    while (tail.len && too_wide(tail, columns, ascii) && text_next(&tail, &glyph, ascii))
        ;
    return tail;
}

int cells_data(struct area area, int row, int column, enum style style, struct span text,
               int columns)
{
    if (columns > area.columns - column)
        columns = area.columns - column;
    if (columns <= 0)
        return column;
    if (!too_wide(text, columns, area.grid->ascii))
        return draw_run(area, row, column, style, text, columns);
    int tail = columns / 3;
    column = draw_run(area, row, column, style, text, columns - tail - 1);
    column = cells_ours(area, row, column, style, "…");
    return draw_run(area, row, column, style, tail_that_fits(text, tail, area.grid->ascii), tail);
}

void cells_fill(struct area area, int row, int column, int columns, enum style style,
                const char *glyph)
{
    for (int end = column + columns; column < end && column < area.columns; column++)
        cells_ours(area, row, column, style, glyph);
}

void cells_restyle(struct area area, int row, int column, int columns, enum style style)
{
    for (int i = 0; i < columns && column + i < area.columns; i++) {
        struct cell *cell =
            row < area.rows ? cells_at(area.grid, area.row + row, area.column + column + i) : NULL;
        if (cell)
            cell->style = style;
    }
}

void cells_select(struct area area, int row, int column, int columns)
{
    for (int i = 0; i < columns && column + i < area.columns; i++) {
        struct cell *cell =
            row < area.rows ? cells_at(area.grid, area.row + row, area.column + column + i) : NULL;
        if (cell)
            cell->selected = true;
    }
}

/* Columns from `column` on that spell the needle; 0: they don't. */
static int spells(struct area area, int row, int column, struct span needle)
{
    size_t used = 0;
    int at = column;
    for (; used < needle.len && at < area.columns; at++) {
        const struct cell *cell = cells_at(area.grid, area.row + row, area.column + at);
        if (!cell || !span_equal_nocase((struct span){cell->text, cell->len},
                                        span_sub(needle, used, cell->len)))
            return 0;
        used += cell->len;
    }
    return used == needle.len ? at - column : 0;
}

void cells_light(struct area area, struct span needle)
{
    for (int row = 0; row < area.rows && needle.len; row++) {
        for (int column = 0; column < area.columns; column++) {
            int columns = spells(area, row, column, needle);
            if (columns)
                cells_restyle(area, row, column, columns, STYLE_MATCH);
        }
    }
}

void cells_text(const struct cells *grid, struct buf *out)
{
    for (int row = 0; row < grid->rows; row++) {
        const struct cell *cell = &grid->cell[(size_t)row * (size_t)grid->columns];
        size_t keep = out->len;
        for (int column = 0; column < grid->columns; column++) {
            buf_add(out, (struct span){cell[column].text, cell[column].len});
            if (cell[column].len != 1 || cell[column].text[0] != ' ')
                keep = out->len;
        }
        out->len = keep;
        buf_byte(out, '\n');
    }
}

void cells_text_styled(const struct cells *grid, struct buf *out)
{
    static const char letters[] = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    _Static_assert(STYLE_COUNT < sizeof letters, "a letter for every style");
    cells_text(grid, out);
    buf_puts(out, "--\n");
    for (int row = 0; row < grid->rows; row++) {
        const struct cell *cell = &grid->cell[(size_t)row * (size_t)grid->columns];
        bool selected = false;
        for (int column = 0; column < grid->columns; column++) {
            buf_byte(out, letters[cell[column].style]);
            selected |= cell[column].selected;
        }
        while (out->len && out->at[out->len - 1] == '.')
            out->len--;
        buf_puts(out, selected ? " <\n" : "\n");
    }
}
