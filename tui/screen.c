#include "tui/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#define NCURSES_NOMACROS 1 /* erase, move and scroll are names that other files may use */
#include <ncurses.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/signals.h"

enum { KEY_REPORT = KEY_MAX - 1 }; /* the begin of what the mouse does */
enum { ESC_MS = 10 }; /* Esc alone is a key; the rest of a sequence comes in the same packet */
enum { COPY_MOST = 74994, PAIRS_MOST = 250 }; /* xterm takes 100 000 bytes of base64 */

struct screen {
    SCREEN *terminal;
    FILE *out;
    struct cells shown; /* what is on the terminal */
    struct look *pens;  /* scratch of one row */
    bool all;           /* draw everything */
    bool ascii, light;
    bool mouse; /* its reports are asked for */
    struct mouse_report report;
    struct screen_mouse mouse_at;
    struct termios before; /* the modes that the terminal had */
    bool has_before;
    enum style_colours colours;
    const struct config *config; /* NULL: nothing is set */
    short pair_fg[PAIRS_MOST], pair_bg[PAIRS_MOST];
    int pairs;
};

/* ---- what gives the terminal back ---- */

/* Adds a sequence of the terminal's description, without its padding ("$<2>"). */
static void add_sequence(struct buf *restore, const char *name)
{
    const char *sequence = tigetstr(name);
    if (!sequence || (intptr_t)sequence == -1)
        return;
    for (bool padding = false; *sequence; sequence++) {
        if (sequence[0] == '$' && sequence[1] == '<')
            padding = true;
        if (!padding)
            buf_byte(restore, *sequence);
        if (*sequence == '>')
            padding = false;
    }
}

static bool reports_mouse(void)
{
    const char *kmous = tigetstr("kmous");
    return kmous && (intptr_t)kmous != -1;
}

static void watch_signals(const struct screen *s)
{
    struct buf restore = {0};
    if (reports_mouse())
        buf_puts(&restore, MOUSE_OFF);
    add_sequence(&restore, "sgr0");
    add_sequence(&restore, "cnorm");
    add_sequence(&restore, "rmkx");
    add_sequence(&restore, "rmcup");
    signals_watch(buf_span(&restore), s->has_before ? &s->before : NULL);
    buf_finish(&restore);
}

int screen_stop_signal(void)
{
    return signals_stop();
}

/* Of a library that decodes reports itself a part of one makes a read that waits for the rest. */
static void take_reports(void)
{
    define_key(NULL, KEY_MOUSE);
    define_key(MOUSE_BEGIN, KEY_REPORT);
}

/* ---- opening and closing ---- */

static bool locale_is_utf8(void)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* numbers in evidence must not depend on the reader's country */
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* The Linux console: its font has 256 or 512 glyphs, and not those of lanes, joins and verdicts. */
static bool is_console(void)
{
    const char *term = getenv("TERM");
    return term && (strcmp(term, "linux") == 0 || strncmp(term, "linux-", 6) == 0);
}

static enum style_colours colours_of_terminal(enum style_colours wanted)
{
    const char *no = getenv("NO_COLOR");
    if (wanted == COLOURS_AUTO && no && no[0])
        return COLOURS_NONE;
    if (wanted == COLOURS_NONE || !has_colors())
        return COLOURS_NONE;
    if (COLORS >= 256 && wanted != COLOURS_16)
        return COLOURS_256;
    return COLORS >= 8 ? COLOURS_16 : COLOURS_NONE;
}

struct screen *screen_open(enum style_colours colours, enum style_ground ground, bool ascii,
                           struct err *err)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        err_set(err, ERR_USAGE, NULL, "use --plain, or a command such as `strandline steps`",
                "the explorer needs a terminal for input and output");
        return NULL;
    }
    bool utf8 = locale_is_utf8();
    struct screen *s = NEW(struct screen);
    s->has_before = tcgetattr(STDIN_FILENO, &s->before) == 0;
    set_escdelay(ESC_MS);
    s->terminal = newterm(NULL, stdout, stdin);
    if (!s->terminal) {
        const char *term = getenv("TERM");
        err_set(err, ERR_USAGE, term ? term : "TERM",
                "set TERM to a terminal that this system knows, or use --plain",
                "this terminal is not known here");
        mem_free(s);
        return NULL;
    }
    set_term(s->terminal);
    if (!tigetstr("cup") || (intptr_t)tigetstr("cup") == -1) {
        endwin();
        delscreen(s->terminal);
        mem_free(s);
        err_set(err, ERR_USAGE, getenv("TERM"), "use another terminal, or --plain",
                "this terminal can't place the cursor");
        return NULL;
    }
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    leaveok(stdscr, TRUE);
    idlok(stdscr, TRUE); /* a list that moves by a row is scrolled, not drawn again */
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    s->colours = colours_of_terminal(colours);
    s->light = style_ground_is_light(ground);
    s->ascii = ascii || !utf8 || is_console();
    s->all = true;
    s->pairs = 1;
    take_reports();
    watch_signals(s);
    return s;
}

void screen_close(struct screen *s)
{
    if (!s)
        return;
    set_term(s->terminal);
    if (s->mouse)
        screen_mouse_toggle(s);
    signals_writing(true);
    curs_set(1);
    endwin();
    if (s->has_before)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &s->before);
    signals_forget();
    delscreen(s->terminal);
    cells_finish(&s->shown);
    mem_free(s->pens);
    mem_free(s);
}

bool screen_is_ascii(const struct screen *s)
{
    return s->ascii;
}

void screen_size(struct screen *s, int *rows, int *columns)
{
    (void)s;
    getmaxyx(stdscr, *rows, *columns);
}

/* ---- drawing ---- */

/* The colour's number on a terminal of true colour, where ncurses takes all beyond the first eight
 * for red, green and blue: what xterm shows for that number of the 256. */
static int true_colour_of(int colour)
{
    static const int bright[] = {0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const int level[] = {0, 95, 135, 175, 215, 255};
    enum { BRIGHT = 8, CUBE = 16, GREYS = 232 };
    if (colour < BRIGHT)
        return colour;
    if (colour < CUBE)
        return bright[colour - BRIGHT];
    if (colour >= GREYS)
        return (8 + 10 * (colour - GREYS)) * 0x010101;
    int at = colour - CUBE;
    return level[at / 36] << 16 | level[at / 6 % 6] << 8 | level[at % 6];
}

/* Pairs are made as they are needed and kept: many styles share one. */
static short pair_of(struct screen *s, int fg, int bg)
{
    if (fg < 0 && bg < 0)
        return 0;
    for (int i = 1; i < s->pairs; i++)
        if (s->pair_fg[i] == fg && s->pair_bg[i] == bg)
            return (short)i;
    if (s->pairs == PAIRS_MOST || s->pairs >= COLOR_PAIRS)
        return 0;
    bool direct = COLORS > 256;
    if (init_extended_pair(s->pairs, direct ? true_colour_of(fg) : fg,
                           direct ? true_colour_of(bg) : bg) == ERR)
        return 0;
    s->pair_fg[s->pairs] = (short)fg;
    s->pair_bg[s->pairs] = (short)bg;
    return (short)s->pairs++;
}

static attr_t attributes_of(unsigned attributes)
{
    return (attributes & LOOK_BOLD ? A_BOLD : 0) | (attributes & LOOK_DIM ? A_DIM : 0) |
           (attributes & LOOK_UNDERLINE ? A_UNDERLINE : 0) |
           (attributes & LOOK_REVERSE ? A_REVERSE : 0) | (attributes & LOOK_ITALIC ? A_ITALIC : 0);
}

/* The characters of a cell for ncurses. Where libc's idea of the width is another than ours,
 * columns would shift: then a plain mark of the right width stands in. */
static void wide_of(const struct cell *cell, wchar_t wide[CCHARW_MAX + 1])
{
    struct span rest = {cell->text, cell->len};
    int used = 0, width = 0;
    uint32_t code;
    size_t length;
    while (used < CCHARW_MAX && (length = utf8_decode(rest, &code)) > 0) {
        int one = wcwidth((wchar_t)code);
        width = one < 0 ? -1 : width + one;
        wide[used++] = (wchar_t)code;
        rest = span_sub(rest, length, rest.len);
        if (width < 0)
            break;
    }
    wide[used] = 0;
    if (width != cell->width) {
        wide[0] = L'?';
        wide[1] = 0;
    }
}

static struct look look_of(const struct screen *s, const struct cell *cell)
{
    struct look look = style_look(cell->style, cell->selected, s->colours, s->light);
    const struct config *own = s->colours == COLOURS_256 ? s->config : NULL;
    if (own && own->styled[cell->style]) {
        struct look set = own->style[cell->style];
        look =
            (struct look){set.fg, set.bg < 0 && cell->selected ? look.bg : set.bg, set.attributes};
    }
    return look;
}

/* Of a blank only the ground is seen: with the pen of a neighbour it needs no sequence of its own.
 */
static bool takes_pen(const struct cell *cell, const struct look *look, const struct look *pen)
{
    enum { SEEN = LOOK_UNDERLINE | LOOK_REVERSE };
    return cell->len == 1 && cell->text[0] == ' ' && look->bg == pen->bg &&
           !((look->attributes | pen->attributes) & SEEN);
}

/* The pens of a row: a blank takes that of what comes behind it on its ground, at the end of what
 * stands before it. They depend on the row alone, so that ncurses finds a row again that has moved,
 * and little on the cursor. */
static void choose_pens(const struct screen *s, const struct cell *row, int columns,
                        struct look *pens)
{
    int text = columns; /* the end of the last text */
    const struct look *behind = NULL;
    for (int i = columns - 1; i >= 0; i--) {
        pens[i] = look_of(s, &row[i]);
        bool blank = takes_pen(&row[i], &pens[i], &pens[i]);
        if (text == columns && !blank)
            text = i + 1;
        if (i + 1 < text && text < columns && takes_pen(&row[i], &pens[i], &pens[i + 1]))
            pens[i] = pens[i + 1];
        else if (behind && takes_pen(&row[i], &pens[i], behind))
            pens[i] = *behind;
        if (!blank && pens[i].bg < 0)
            behind = &pens[i];
    }
    for (int i = text; i > 0 && i < columns && takes_pen(&row[i], &pens[i], &pens[i - 1]); i++)
        pens[i] = pens[i - 1];
}

static void put_cell(struct screen *s, int row, int column, const struct cell *cell,
                     const struct look *look)
{
    wchar_t wide[CCHARW_MAX + 1];
    cchar_t out;
    int fg = look->fg, bg = look->bg;
    attr_t attributes = attributes_of(look->attributes);
    if (s->colours == COLOURS_16 && COLORS < 16) { /* eight colours: the bright ones by bold */
        if (fg >= 8) {
            fg -= 8;
            attributes |= A_BOLD;
        }
        if (bg >= 8)
            bg -= 8;
    }
    wide_of(cell, wide);
    if (setcchar(&out, wide, attributes, pair_of(s, fg, bg), NULL) == ERR)
        return;
    mvadd_wch(row, column, &out);
    if (cell->width == 2 && wcwidth(wide[0]) != 2) /* the stand-in is narrow */
        mvaddch(row, column + 1, ' ');
}

static bool cell_same(const struct cell *a, const struct cell *b)
{
    return a->len == b->len && a->style == b->style && a->selected == b->selected &&
           a->width == b->width && memcmp(a->text, b->text, a->len) == 0;
}

static bool row_same(const struct cell *a, const struct cell *b, int columns)
{
    int column = 0;
    while (column < columns && cell_same(&a[column], &b[column]))
        column++;
    return column == columns;
}

/* The whole row: ncurses itself finds out which cells of it the terminal has already. */
static void put_row(struct screen *s, int row, const struct cell *cells, int columns)
{
    choose_pens(s, cells, columns, s->pens);
    for (int column = 0; column < columns; column++)
        if (cells[column].width)
            put_cell(s, row, column, &cells[column], &s->pens[column]);
}

void screen_put(struct screen *s, const struct cells *frame)
{
    if (s->shown.rows != frame->rows || s->shown.columns != frame->columns) {
        cells_finish(&s->shown);
        cells_init(&s->shown, frame->rows, frame->columns, frame->ascii);
        s->pens = mem_resize(s->pens, (size_t)frame->columns * sizeof *s->pens + 1);
        s->all = true;
    }
    if (s->all)
        erase();
    for (int row = 0; row < frame->rows; row++) {
        size_t at = (size_t)row * (size_t)frame->columns;
        if (s->all || !row_same(&frame->cell[at], &s->shown.cell[at], frame->columns))
            put_row(s, row, &frame->cell[at], frame->columns);
    }
    memcpy(s->shown.cell, frame->cell,
           (size_t)frame->rows * (size_t)frame->columns * sizeof *frame->cell);
    s->all = false;
    signals_writing(true);
    refresh();
    signals_writing(false);
}

void screen_restyle(struct screen *s, const struct config *config)
{
    s->config = config;
}

void screen_redraw(struct screen *s)
{
    s->all = true;
    clearok(stdscr, TRUE);
}

/* All of it, also where a signal comes between: a sequence that is cut swallows what follows. */
static bool write_whole(struct span bytes)
{
    ssize_t done = 0;
    signals_writing(true);
    while (bytes.len && (done >= 0 || errno == EINTR)) {
        done = write(STDOUT_FILENO, bytes.at, bytes.len);
        if (done > 0)
            bytes = span_sub(bytes, (size_t)done, bytes.len);
    }
    signals_writing(false);
    return !bytes.len;
}

bool screen_copy(struct screen *s, struct span text)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct buf out = {0};
    (void)s;
    if (text.len > COPY_MOST)
        return false;
    buf_puts(&out, "\033]52;c;");
    for (size_t i = 0; i < text.len; i += 3) {
        uint32_t bits = 0;
        size_t have = text.len - i < 3 ? text.len - i : 3;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < have ? (unsigned char)text.at[i + k] : 0U);
        for (size_t k = 0; k < 4; k++)
            buf_byte(&out, k <= have ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
    buf_byte(&out, '\a');
    bool good = write_whole(buf_span(&out));
    buf_finish(&out);
    return good;
}

/* ---- keys ---- */

static bool key_of_curses(int code, struct key *key)
{
    static const struct {
        int curses;
        uint32_t ours;
    } keys[] = {
        {KEY_UP, KEYS_UP},
        {KEY_DOWN, KEYS_DOWN},
        {KEY_LEFT, KEYS_LEFT},
        {KEY_RIGHT, KEYS_RIGHT},
        {KEY_PPAGE, KEYS_PAGE_UP},
        {KEY_NPAGE, KEYS_PAGE_DOWN},
        {KEY_HOME, KEYS_HOME},
        {KEY_END, KEYS_END},
        {KEY_BTAB, KEYS_BACK_TAB},
        {KEY_ENTER, KEYS_ENTER},
        {KEY_BACKSPACE, KEYS_BACKSPACE},
        {KEY_DC, KEYS_DELETE},
        {KEY_F(1), KEYS_F1},
        {KEY_F(2), KEYS_F2},
        {KEY_F(3), KEYS_F3},
        {KEY_F(4), KEYS_F4},
        {KEY_F(5), KEYS_F5},
        {KEY_F(6), KEYS_F6},
        {KEY_F(7), KEYS_F7},
        {KEY_F(8), KEYS_F8},
        {KEY_F(9), KEYS_F9},
        {KEY_F(10), KEYS_F10},
    };
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (keys[i].curses == code) {
            key->code = keys[i].ours;
            return true;
        }
    }
    return false;
}

static bool key_of_character(wint_t code, struct key *key)
{
    switch (code) {
    case '\r':
    case '\n':
        key->code = KEYS_ENTER;
        return true;
    case '\t':
        key->code = KEYS_TAB;
        return true;
    case 27:
        key->code = KEYS_ESCAPE;
        return true;
    case 127:
    case 8:
        key->code = KEYS_BACKSPACE;
        return true;
    case ' ':
        key->code = KEYS_SPACE;
        return true;
    default:
        key->code = (uint32_t)code;
        return code > 0 && code < 0x110000;
    }
}

bool screen_mouse_toggle(struct screen *s)
{
    s->mouse = !s->mouse;
    if (reports_mouse())
        write_whole(s->mouse ? SPAN(MOUSE_ON) : SPAN(MOUSE_OFF));
    return s->mouse;
}

struct screen_mouse screen_mouse_at(const struct screen *s)
{
    return s->mouse_at;
}

static enum screen_event take(struct screen *s, struct key *key)
{
    wint_t code;
    int kind;
    while ((kind = get_wch(&code)) != ERR) {
        bool own = kind == KEY_CODE_YES;
        if (own && code == KEY_RESIZE)
            return SCREEN_RESIZED;
        enum mouse_part part = s->report.open && !own
                                   ? mouse_take(&s->report, (uint32_t)code, &s->mouse_at)
                                   : MOUSE_NOT;
        if (own && code == KEY_REPORT)
            mouse_begin(&s->report);
        else if (part == MOUSE_WHOLE && s->mouse)
            return SCREEN_MOUSE;
        else if (part == MOUSE_NOT)
            return (own ? key_of_curses((int)code, key) : key_of_character(code, key))
                       ? SCREEN_KEY
                       : SCREEN_NOTHING;
    }
    return SCREEN_NOTHING;
}

void screen_suspend(struct screen *s)
{
    bool mouse = s->mouse;
    if (mouse)
        screen_mouse_toggle(s);
    signals_writing(true);
    endwin();
    signals_lend_terminal(true);
    signals_writing(false);
    signals_stop_job();
    signals_lend_terminal(false);
    refresh();
    curs_set(0);
    if (mouse)
        screen_mouse_toggle(s);
    screen_redraw(s);
}

/* Is the terminal still there? A read of nothing where poll says there is something means it is
 * gone. */
static bool is_gone(void)
{
    struct pollfd in = {STDIN_FILENO, POLLIN, 0};
    int waiting = 0;
    return poll(&in, 1, 0) > 0 && ((in.revents & (POLLHUP | POLLERR | POLLNVAL)) ||
                                   ((in.revents & POLLIN) &&
                                    ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0));
}

bool screen_has_key(struct screen *s)
{
    (void)s;
    struct pollfd in = {STDIN_FILENO, POLLIN, 0};
    return signals_wait_to_be_seen() || poll(&in, 1, 0) > 0;
}

enum screen_event screen_wait(struct screen *s, int timeout_ms, struct key *key)
{
    struct timespec timeout = {timeout_ms / 1000, (long)(timeout_ms % 1000) * 1000000};
    int ready = 0;
    enum screen_event event = SCREEN_NOTHING;
    if (!signals_wait_to_be_seen())
        event = take(s, key); /* what ncurses holds already */
    if (!signals_wait_to_be_seen() && event == SCREEN_NOTHING) {
        ready = signals_poll(STDIN_FILENO, timeout_ms < 0 ? NULL : &timeout);
        if (!signals_stop())
            event = take(s, key); /* also after EINTR: a new size */
    }
    if (event != SCREEN_NOTHING)
        return event;
    if (signals_stop() || (ready > 0 && is_gone()))
        return SCREEN_STOP;
    return signals_suspend() ? SCREEN_SUSPEND : SCREEN_NOTHING;
}
