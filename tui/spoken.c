#include "tui/spoken.h"

#include "base/ascii.h"
#include "base/attr.h"

/* What a sign says. One sign means different things in different styles; STYLE_COUNT: in any. */
static const struct {
    const char *sign;
    enum style style;
    const char *word;
} spoken_signs[] = {
    {"►", STYLE_CURSOR, "selected step"},
    {"┃", STYLE_UNTRUSTED, "untrusted"},
    {"┓", STYLE_UNTRUSTED, "turns untrusted"},
    {"┃", STYLE_PRIVATE, "private"},
    {"┣", STYLE_PRIVATE, "more private"},
    {"┓", STYLE_PRIVATE, "turns private"},
    {"‼", STYLE_COUNT, "critical"},
    {"▲", STYLE_HIGH, "high"},
    {"◆", STYLE_MEDIUM, "medium"},
    {"◇", STYLE_LOW, "low"},
    {"✔", STYLE_COUNT, "good"},
    {"?", STYLE_UNKNOWN, "unknown"},
    {"▲", STYLE_RISE_INTEGRITY, "now"},
    {"▲", STYLE_RISE_CONFIDENTIALITY, "now"},
    {"▲", STYLE_DENY, "attention"},
    {"▲", STYLE_COUNT, "changed"},
    {"✘", STYLE_DENY_BADGE, "denied"},
    {"✘", STYLE_DENY, "denied"},
    {"✘", STYLE_COUNT, "failed"},
    {"▸", STYLE_TITLE_DIM, ""},
    {"▸", STYLE_TITLE_STRONG, "selected"},
    {"▸", STYLE_FAINT, "folded"},
    {"▸", STYLE_COUNT, "call"},
    {"◂", STYLE_COUNT, "result"},
    {"▾", STYLE_COUNT, "open"},
    {"⚑", STYLE_COUNT, "mark"},
    {"✎", STYLE_COUNT, "note"},
    {"→", STYLE_COUNT, "to"},
    {"←", STYLE_COUNT, "from"},
    {"·", STYLE_COUNT, ""},
    {"●", STYLE_COUNT, ""},
    {"▼", STYLE_COUNT, ""},
    {"↓", STYLE_COUNT, "more below"},
};

/* Lines, lanes and bars: U+2500 to U+259F. */
static bool is_drawn(const struct cell *cell)
{
    return cell->len == 3 && (unsigned char)cell->text[0] == 0xE2 &&
           ((unsigned char)cell->text[1] >= 0x94 && (unsigned char)cell->text[1] <= 0x96) &&
           ((unsigned char)cell->text[1] < 0x96 || (unsigned char)cell->text[2] <= 0x9F);
}

static const char *word_of(const struct cell *cell)
{
    for (size_t i = 0; i < COUNT_OF(spoken_signs); i++)
        if (span_is((struct span){cell->text, cell->len}, spoken_signs[i].sign) &&
            (spoken_signs[i].style == STYLE_COUNT || spoken_signs[i].style == cell->style))
            return spoken_signs[i].word;
    return is_drawn(cell) ? "" : NULL;
}

/* The overview strip: what it shows stands in words behind it. */
static bool is_strip(const struct cell *row, int columns)
{
    int bars = 0;
    for (int i = 0; i < columns; i++)
        bars += is_drawn(&row[i]) && (unsigned char)row[i].text[1] == 0x96;
    return bars > 3;
}

struct speaker {
    struct buf *out;
    size_t begin; /* of the line */
    int gap;      /* blanks since the last word */
    bool sign;    /* that was the word of a sign: it stands alone */
};

/* Two blanks and more part columns. */
static void part(struct speaker *s)
{
    if (s->out->len > s->begin && (s->gap || s->sign))
        buf_puts(s->out, s->gap > 1 ? ", " : " ");
    s->gap = 0;
    s->sign = false;
}

static bool is_word(const struct cell *cell)
{
    return cell->len > 1 || (cell->len == 1 && ascii_is_alnum(cell->text[0]));
}

/* A question mark is a sign where it stands alone, else it is read as it is. */
static bool is_part_of_text(const struct cell *row, int columns, int at)
{
    return row[at].len == 1 &&
           ((at && row[at - 1].text[0] != ' ') ||
            (at + 1 < columns && row[at + 1].len && row[at + 1].text[0] != ' '));
}

/* Does the word of the sign stand right behind it? */
static bool stands_beside(const struct cell *row, int columns, const char *word)
{
    int at = 2;
    for (; word[at - 2]; at++)
        if (at >= columns || row[at].len != 1 || row[at].text[0] != word[at - 2])
            return false;
    return at > 2;
}

/* Is it the row under the cursor of a list? Fewer cells are a place on the strip, a prompt's end,
 * or a number, which has a sign of its own. */
static bool is_selected(const struct cell *row, int columns)
{
    enum { WHOLE = 20 };
    int selected = 0;
    for (int i = 0; i < columns; i++)
        selected += row[i].selected;
    return selected > WHOLE;
}

static void speak_row(const struct cell *row, int columns, struct buf *out)
{
    struct speaker s = {.out = out, .begin = out->len};
    bool strip = is_strip(row, columns);
    if (is_selected(row, columns)) {
        buf_puts(out, "selected");
        s.gap = 2;
    }
    for (int i = 0; i < columns; i++) {
        const struct cell *cell = &row[i];
        const char *word = cell->len ? word_of(cell) : NULL;
        bool blank = cell->len == 1 && cell->text[0] == ' ';
        if (word && is_part_of_text(row, columns, i))
            word = NULL;
        bool verdict = cell->style == STYLE_DENY || cell->style == STYLE_DENY_BADGE;
        if (word && verdict && span_is((struct span){cell->text, cell->len}, "✘") &&
            i + 2 < columns && ascii_is_letter(row[i + 2].text[0])) /* the word stands beside it */
            word = "";
        if (word && stands_beside(row + i, columns - i, word))
            word = "";
        bool picture = strip && out->len == s.begin && (word || !is_word(cell));
        if (blank || picture || (word && !word[0])) {
            s.gap++;
        } else if (word) {
            s.gap += s.gap == 0;
            part(&s);
            buf_puts(out, word);
            s.sign = true;
        } else if (cell->len) {
            part(&s);
            buf_add(out, (struct span){cell->text, cell->len});
        }
    }
    if (out->len > s.begin)
        buf_byte(out, '\n');
}

void cells_spoken(const struct cells *grid, struct buf *out)
{
    for (int row = 0; row < grid->rows; row++)
        speak_row(&grid->cell[(size_t)row * (size_t)grid->columns], grid->columns, out);
}
