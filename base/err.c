#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/text.h"

/* Cut where it is too long, but not inside a character. */
static void cut_text(char text[ERR_TEXT], int wanted)
{
    if (wanted < ERR_TEXT)
        return;
    size_t len = ERR_TEXT - 1, start = len;
    while (start > 0 && len - start < 4 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xc0) {
        uint32_t code;
        start--;
        if (utf8_decode((struct span){text + start, len - start}, &code) == 0)
            text[start] = '\0';
    }
}

static void copy_text(char to[ERR_TEXT], const char *from)
{
    cut_text(to, snprintf(to, ERR_TEXT, "%s", from ? from : ""));
}

bool err_set(struct err *err, enum err_kind kind, const char *where, const char *todo,
             const char *format, ...)
{
    struct err made = {.kind = kind}; /* the arguments may be parts of *err */
    va_list args;
    va_start(args, format);
    cut_text(made.what, vsnprintf(made.what, sizeof made.what, format, args));
    va_end(args);
    copy_text(made.where, where);
    copy_text(made.todo, todo);
    *err = made;
    return false;
}

bool err_at(struct err *err, const char *where)
{
    if (!err->where[0])
        copy_text(err->where, where);
    return false;
}

void err_print(const struct err *err)
{
    struct buf line = {0};
    buf_puts(&line, "strandline: ");
    if (err->where[0]) {
        text_safe(&line, span_of(err->where));
        buf_puts(&line, ": ");
    }
    text_safe(&line, span_of(err->what));
    if (err->todo[0]) {
        buf_puts(&line, "; ");
        text_safe(&line, span_of(err->todo));
    }
    buf_byte(&line, '\n');
    fwrite(line.at, 1, line.len, stderr);
    buf_finish(&line);
}
