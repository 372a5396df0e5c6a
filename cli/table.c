#include "cli/table.h"

#include "base/text.h"
#include "cli/wrap.h"

enum { SETTLE = 256 };

struct table_cell {
    struct span text; /* safe */
    size_t width;
    enum tint tint;
};

struct table {
    FILE *to;
    const struct table_column *columns;
    size_t count;
    size_t width;
    bool colour, titled;
    size_t widths[TABLE_COLUMNS];
    bool gone[TABLE_COLUMNS]; /* left out for want of room */
    struct table_cell *cells; /* rows held back until widths are settled */
    size_t rows, at;          /* complete rows; cells in the current one */
    struct arena arena;
};

static const char *const tints[] = {
    [TINT_PLAIN] = "",        [TINT_DIM] = "\033[2m",  [TINT_GOOD] = "\033[32m",
    [TINT_WARN] = "\033[33m", [TINT_BAD] = "\033[31m", [TINT_STRONG] = "\033[1m",
};

const char *tint_begin(enum tint tint, bool colour)
{
    return colour ? tints[tint] : "";
}

const char *tint_end(bool colour)
{
    return colour ? "\033[0m" : "";
}

struct table *table_create(FILE *to, const struct table_column *columns, size_t count, int width,
                           bool colour)
{
    struct table *t = NEW(struct table);
    t->to = to;
    t->columns = columns;
    t->count = count < TABLE_COLUMNS ? count : TABLE_COLUMNS;
    t->width = width > 0 ? (size_t)width : 0;
    t->colour = colour;
    t->cells = NEW_ARRAY(struct table_cell, SETTLE * t->count);
    for (size_t i = 0; i < t->count; i++)
        t->widths[i] = strlen(columns[i].title);
    return t;
}

static void add_cell(struct table *t, struct span data, enum tint tint)
{
    if (t->at >= t->count)
        return;
    struct buf safe = {0};
    int most = t->columns[t->at].most;
    if (most > 0)
        text_fit(&safe, data, (size_t)most, false);
    else
        text_safe(&safe, data);
    struct table_cell *cell = &t->cells[t->rows * t->count + t->at];
    *cell = (struct table_cell){arena_copy(&t->arena, buf_span(&safe)),
                                text_columns(buf_span(&safe), false), tint};
    buf_finish(&safe);
    if (cell->width > t->widths[t->at])
        t->widths[t->at] = cell->width;
    t->at++;
}

static void pad(FILE *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fputc(' ', to);
}

static void print_cell(struct table *t, size_t column, const struct table_cell *cell, size_t used)
{
    bool last = column + 1 == t->count;
    size_t blank = t->widths[column] > cell->width ? t->widths[column] - cell->width : 0;
    if (t->columns[column].align == TABLE_RIGHT)
        pad(t->to, blank);
    fputs(tint_begin(cell->tint, t->colour && cell->tint), t->to);
    size_t room = !last ? t->widths[column] : t->width > used + 8 ? t->width - used : SIZE_MAX;
    if (cell->width <= room || !t->width) {
        fwrite(cell->text.at, 1, cell->text.len, t->to);
    } else if (t->columns[column].most == TABLE_WRAPS) {
        wrap_text(t->to, (int)t->width, used, used, cell->text);
    } else {
        struct buf cut = {0};
        text_fit(&cut, cell->text, room, false);
        fwrite(cut.at, 1, cut.len, t->to);
        buf_finish(&cut);
    }
    fputs(tint_end(t->colour && cell->tint), t->to);
    if (!last && t->columns[column].align == TABLE_LEFT)
        pad(t->to, blank);
}

static void table_print_row(struct table *t, const struct table_cell *cells)
{
    size_t used = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (t->gone[i])
            continue;
        if (i) {
            fputs("  ", t->to);
            used += 2;
        }
        print_cell(t, i, &cells[i], used);
        used += t->widths[i];
    }
    fputc('\n', t->to);
}

/* Of the last column; of one that may be cut, as long as another can be left out, and at all. */
enum { LAST_LEAST = 16, CUT_TO = 22, CUT_LEAST = 10 };

/* Columns that a row takes, each cut to `most`. */
static size_t columns_of_row(const struct table *t, size_t most)
{
    size_t used = 0;
    for (size_t i = 0; i < t->count; i++) {
        size_t least = i + 1 == t->count ? LAST_LEAST : most;
        bool gives = i + 1 == t->count || t->columns[i].align == TABLE_LEFT;
        if (!t->gone[i])
            used += (i ? 2 : 0) + (gives && t->widths[i] > least ? least : t->widths[i]);
    }
    return used;
}

/* The column that is left out first of those that are there; count: none may go. */
static size_t next_to_go(const struct table *t)
{
    size_t found = t->count;
    for (size_t i = 0; i < t->count; i++)
        if (!t->gone[i] && t->columns[i].goes &&
            (found == t->count || t->columns[i].goes > t->columns[found].goes))
            found = i;
    return found;
}

/* The widest that may be cut; count: none. The last one has what the others leave. */
static size_t widest_column(const struct table *t)
{
    size_t found = t->count;
    for (size_t i = 0; i + 1 < t->count; i++)
        if (!t->gone[i] && t->columns[i].align == TABLE_LEFT && t->widths[i] > CUT_LEAST &&
            (found == t->count || t->widths[i] > t->widths[found]))
            found = i;
    return found;
}

static void table_narrow(struct table *t)
{
    size_t column;
    while (t->width && columns_of_row(t, CUT_TO) > t->width && (column = next_to_go(t)) < t->count)
        t->gone[column] = true;
    while (t->width && columns_of_row(t, SIZE_MAX) > t->width &&
           (column = widest_column(t)) < t->count)
        t->widths[column]--;
}

/* That columns are left out is said. */
static void say_gone(const struct table *t)
{
    const char *before = "not shown in a terminal this narrow: ";
    bool said = false;
    for (size_t i = 0; i < t->count; i++) {
        if (!t->gone[i])
            continue;
        fprintf(t->to, "%s%s%s", said ? "" : tint_begin(TINT_DIM, t->colour), said ? ", " : before,
                t->columns[i].title);
        said = true;
    }
    if (said)
        fprintf(t->to, "%s\n", tint_end(t->colour));
}

static void print_held(struct table *t)
{
    table_narrow(t);
    if (!t->titled && t->rows) {
        struct table_cell titles[TABLE_COLUMNS];
        for (size_t i = 0; i < t->count; i++) {
            struct span title = span_of(t->columns[i].title);
            titles[i] = (struct table_cell){title, text_columns(title, false), TINT_DIM};
        }
        table_print_row(t, titles);
        t->titled = true;
    }
    for (size_t row = 0; row < t->rows; row++)
        table_print_row(t, &t->cells[row * t->count]);
    t->rows = 0;
    arena_reset(&t->arena);
}

void table_row(struct table *t)
{
    while (t->at < t->count)
        add_cell(t, SPAN_EMPTY, TINT_PLAIN);
    t->at = 0;
    t->rows++;
    if (t->rows == SETTLE)
        print_held(t);
}

void table_data(struct table *t, struct span data)
{
    add_cell(t, data, TINT_PLAIN);
}

void table_text(struct table *t, const char *ours)
{
    add_cell(t, span_of(ours), TINT_PLAIN);
}

void table_tinted(struct table *t, enum tint tint, const char *ours)
{
    add_cell(t, span_of(ours), tint);
}

void table_number(struct table *t, long long value)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", value);
    table_text(t, text);
}

void table_number_or(struct table *t, long long value, bool present, const char *otherwise)
{
    if (present)
        table_number(t, value);
    else
        table_tinted(t, TINT_DIM, otherwise);
}

void table_finish(struct table *t)
{
    if (!t)
        return;
    print_held(t);
    say_gone(t);
    mem_free(t->cells);
    arena_finish(&t->arena);
    mem_free(t);
}
