#include "tui/prompt.h"

#include "base/mem.h"
#include "base/text.h"

void prompt_finish(struct prompt *p)
{
    buf_finish(&p->text);
    buf_finish(&p->stem);
    for (int kind = 0; kind < PROMPT_KINDS; kind++)
        for (int i = 0; i < PROMPT_HISTORY; i++)
            buf_finish(&p->history[kind][i]);
}

void prompt_set(struct prompt *p, struct span text)
{
    p->suggested = false;
    if (text.at != p->text.at) {
        buf_clear(&p->text);
        buf_add(&p->text, span_sub(text, 0, PROMPT_MOST));
    }
    p->at = p->text.len;
}

void prompt_open(struct prompt *p, enum prompt_kind kind, struct span text)
{
    p->kind = kind;
    p->recalled = 0;
    prompt_set(p, text);
    p->choice = -1;
    buf_clear(&p->stem);
    buf_add(&p->stem, text);
}

void prompt_suggest(struct prompt *p, enum prompt_kind kind, struct span text)
{
    prompt_open(p, kind, text);
    p->suggested = text.len > 0;
}

void prompt_close(struct prompt *p)
{
    p->kind = PROMPT_NONE;
}

static void remember(struct prompt *p)
{
    struct buf *history = p->history[p->kind];
    int *count = &p->history_count[p->kind];
    if (!p->text.len || (*count && span_equal(buf_span(&history[*count - 1]), buf_span(&p->text))))
        return;
    if (*count == PROMPT_HISTORY) {
        struct buf oldest = history[0];
        memmove(history, history + 1, (PROMPT_HISTORY - 1) * sizeof *history);
        history[PROMPT_HISTORY - 1] = oldest;
        --*count;
    }
    buf_clear(&history[*count]);
    buf_add(&history[(*count)++], buf_span(&p->text));
}

static void recall(struct prompt *p, int by)
{
    int wanted = p->recalled + by;
    if (wanted < 0 || wanted > p->history_count[p->kind])
        return;
    p->recalled = wanted;
    prompt_set(p, wanted ? buf_span(&p->history[p->kind][p->history_count[p->kind] - wanted])
                         : SPAN_EMPTY);
}

static size_t before(const struct prompt *p, size_t at)
{
    while (at > 0 && ((unsigned char)p->text.at[--at] & 0xC0) == 0x80)
        ;
    return at;
}

static size_t after(const struct prompt *p, size_t at)
{
    while (at < p->text.len && ++at < p->text.len && ((unsigned char)p->text.at[at] & 0xC0) == 0x80)
        ;
    return at;
}

static void prompt_erase(struct prompt *p, size_t from, size_t to)
{
    if (from == to)
        return;
    memmove(p->text.at + from, p->text.at + to, p->text.len - to);
    p->text.len -= to - from;
    p->at = from;
}

static void insert(struct prompt *p, uint32_t code, bool instead)
{
    if (instead)
        prompt_erase(p, 0, p->text.len);
    struct buf one = {0};
    utf8_encode(&one, code);
    if (p->text.len + one.len <= PROMPT_MOST) {
        buf_reserve(&p->text, one.len);
        memmove(p->text.at + p->at + one.len, p->text.at + p->at, p->text.len - p->at);
        memcpy(p->text.at + p->at, one.at, one.len);
        p->text.len += one.len;
        p->at += one.len;
    }
    buf_finish(&one);
}

static size_t word_before(const struct prompt *p)
{
    size_t at = p->at;
    while (at > 0 && p->text.at[at - 1] == ' ')
        at--;
    while (at > 0 && p->text.at[at - 1] != ' ')
        at--;
    return at;
}

enum prompt_result prompt_key(struct prompt *p, struct key key)
{
    bool suggested = p->suggested;
    p->suggested = false; /* any key makes it the person's own */
    switch (key.code) {
    case KEYS_ENTER:
        remember(p);
        return PROMPT_DONE;
    case KEYS_ESCAPE:
    case 3 /* C-c */:
    case 7 /* C-g */:
        return PROMPT_LEFT;
    case KEYS_TAB:
        return PROMPT_COMPLETE;
    case KEYS_UP:
        recall(p, 1);
        return PROMPT_TYPED;
    case KEYS_DOWN:
        recall(p, -1);
        return PROMPT_TYPED;
    case KEYS_LEFT:
    case 2:
        p->at = before(p, p->at);
        return PROMPT_MOVED;
    case KEYS_RIGHT:
    case 6:
        p->at = after(p, p->at);
        return PROMPT_MOVED;
    case KEYS_HOME:
    case 1:
        p->at = 0;
        return PROMPT_MOVED;
    case KEYS_END:
    case 5:
        p->at = p->text.len;
        return PROMPT_MOVED;
    case KEYS_BACKSPACE:
    case 8:
        if (!p->text.len)
            return PROMPT_LEFT;
        if (p->at)
            prompt_erase(p, before(p, p->at), p->at);
        return PROMPT_TYPED;
    case KEYS_DELETE:
    case 4:
        if (p->at < p->text.len)
            prompt_erase(p, p->at, after(p, p->at));
        return PROMPT_TYPED;
    case 21:
        prompt_erase(p, 0, p->at);
        return PROMPT_TYPED; /* C-u */
    case 11:
        p->text.len = p->at;
        return PROMPT_TYPED; /* C-k */
    case 23:
        prompt_erase(p, word_before(p), p->at);
        return PROMPT_TYPED; /* C-w */
    case KEYS_SPACE:
        insert(p, ' ', suggested);
        return PROMPT_TYPED;
    default:
        if (key.code < 0x20 || key.code >= 0x110000)
            return PROMPT_MOVED;
        insert(p, key.code, suggested);
        return PROMPT_TYPED;
    }
}

int prompt_draw(const struct prompt *p, struct area area, int row, const char *caption)
{
    int column = cells_ours(area, row, 0, STYLE_KEY, caption);
    int room = area.columns - column - 1;
    enum style style = p->suggested ? STYLE_DIM : STYLE_PLAIN;
    struct span head = {p->text.at, p->at}, tail = {p->text.at + p->at, p->text.len - p->at};
    if (!p->text.len)
        head = tail = SPAN_EMPTY;
    /* The end of what was typed stays in sight. */
    struct glyph glyph;
    while (text_columns(head, area.grid->ascii) > (size_t)(room > 4 ? room : 4) &&
           text_next(&head, &glyph, area.grid->ascii))
        ;
    column = cells_data_start(area, row, column, style, head, area.columns - column);
    int cursor = column;
    column = cells_data_start(area, row, column, style, tail, area.columns - column - 1);
    if (cursor >= area.columns)
        cursor = area.columns - 1;
    cells_select(area, row, cursor, 1);
    return column > cursor ? column : cursor + 1;
}
