#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/text.h"

static void copy_text(char to[ERR_TEXT], const char *from)
{
    snprintf(to, ERR_TEXT, "%s", from ? from : "");
}

bool err_set(struct err *err, enum err_kind kind, const char *where, const char *todo,
             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(err->what, sizeof err->what, format, args);
    va_end(args);
    err->kind = kind;
    copy_text(err->where, where);
    copy_text(err->todo, todo);
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
