#include "cli/wrap.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

enum { LEAST = 24, WIDEST = 100 }; /* columns that are left for the text, and that are read well */

int terminal_columns(FILE *to)
{
    struct winsize size;
    return isatty(fileno(to)) && ioctl(fileno(to), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Bytes of the escape sequence of a colour at the start of s; 0: there is none. */
static size_t escape_length(struct span s)
{
    return s.len && s.at[0] == '\033' ? span_find_byte(s, 'm') + 1 : 0;
}

static size_t word_columns(struct span word)
{
    size_t columns = 0;
    while (word.len) {
        size_t escape = escape_length(word);
        size_t end = escape ? escape : span_find_byte(word, '\033');
        columns += escape ? 0 : text_columns(span_sub(word, 0, end), false);
        word = span_sub(word, end, word.len);
    }
    return columns;
}

void wrap_text(FILE *to, int width, size_t hang, size_t column, struct span line)
{
    size_t room = width > 0 ? (size_t)width : SIZE_MAX;
    if (room < hang + LEAST)
        room = SIZE_MAX;
    while (line.len) {
        size_t blanks = 0;
        while (blanks < line.len && line.at[blanks] == ' ')
            blanks++;
        struct span rest = span_sub(line, blanks, line.len);
        struct span word = span_sub(rest, 0, span_find_byte(rest, ' '));
        size_t columns = word_columns(word);
        if (column > hang && column + blanks + columns > room) {
            fprintf(to, "\n%*s", (int)hang, "");
            column = hang;
        } else {
            fprintf(to, "%*s", (int)blanks, "");
            column += blanks;
        }
        fwrite(word.at, 1, word.len, to);
        column += columns;
        line = span_sub(rest, word.len, rest.len);
    }
}

void wrap_line(FILE *to, int width, size_t hang, struct span line)
{
    wrap_text(to, width, hang, 0, line);
    fputc('\n', to);
}

/* A line that is not to be joined with the one above it. */
static bool stands_alone(struct span line)
{
    return !line.len || memchr(" #-*|", line.at[0], 5) != NULL;
}

void wrap_prose(FILE *to, int width, struct span text)
{
    struct buf paragraph = {0};
    while (text.len) {
        size_t end = span_find_byte(text, '\n');
        struct span line = span_sub(text, 0, end);
        text = span_sub(text, end + 1, text.len);
        struct span next = span_sub(text, 0, span_find_byte(text, '\n'));
        buf_add(&paragraph, line);
        if (width > 0 && text.len && !stands_alone(line) && !stands_alone(next)) {
            buf_byte(&paragraph, ' ');
            continue;
        }
        size_t hang = 0;
        while (hang < line.len && line.at[hang] == ' ')
            hang++;
        wrap_line(to, width > WIDEST ? WIDEST : width, hang, buf_span(&paragraph));
        buf_clear(&paragraph);
    }
    buf_finish(&paragraph);
}
