/*
 * A growable byte buffer: the one string builder. Embedded by value;
 * zero-initialised is valid and empty. Spans taken of it are valid until it
 * next grows.
 */
#ifndef STRANDLINE_BASE_BUF_H
#define STRANDLINE_BASE_BUF_H

#include <stdarg.h>
#include <stdint.h>

#include "base/span.h"

struct buf {
    char *at;
    size_t len, size;
};

/* Empty, owning nothing; finish frees what it grew to, and leaves it empty and usable. */
void buf_init(struct buf *buf);
void buf_finish(struct buf *buf);
/* Makes room for `more` bytes behind len and returns where they go. */
char *buf_reserve(struct buf *buf, size_t more);
/* Append; the bytes are copied. buf_puts is for text of ours, buf_addf never for a format from
 * data. */
void buf_add(struct buf *buf, struct span s);
void buf_addf(struct buf *buf, const char *format, ...) ATTR_PRINTF(2, 3);
void buf_addv(struct buf *buf, const char *format, va_list args) ATTR_PRINTF(2, 0);
void buf_puts(struct buf *buf, const char *ours);
void buf_byte(struct buf *buf, char byte);
void buf_fill(struct buf *buf, char byte, size_t count);

static inline void buf_clear(struct buf *buf)
{
    buf->len = 0;
}

static inline struct span buf_span(const struct buf *buf)
{
    return (struct span){buf->len ? buf->at : "", buf->len};
}

/* NUL-terminated view (the NUL is not counted); valid until the next change. */
const char *buf_cstr(struct buf *buf);

#endif
