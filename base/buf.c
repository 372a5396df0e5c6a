#include "base/buf.h"

#include <assert.h>
#include <stdio.h>

#include "base/mem.h"

void buf_init(struct buf *buf)
{
    *buf = (struct buf){0};
}

void buf_finish(struct buf *buf)
{
    mem_free(buf->at);
    buf_init(buf);
}

char *buf_reserve(struct buf *buf, size_t more)
{
    if (buf->size - buf->len < more) {
        size_t wanted;
        if (__builtin_add_overflow(buf->len, more, &wanted))
            mem_exhausted();
        size_t size = buf->size + buf->size / 2;
        if (size < wanted)
            size = wanted;
        if (size < 64)
            size = 64;
        buf->at = mem_resize(buf->at, size);
        buf->size = size;
    }
    return buf->at + buf->len;
}

void buf_add(struct buf *buf, struct span s)
{
    if (s.len == 0)
        return;
    memcpy(buf_reserve(buf, s.len), s.at, s.len);
    buf->len += s.len;
}

void buf_puts(struct buf *buf, const char *ours)
{
    buf_add(buf, span_of(ours));
}

void buf_byte(struct buf *buf, char byte)
{
    *buf_reserve(buf, 1) = byte;
    buf->len++;
}

void buf_fill(struct buf *buf, char byte, size_t count)
{
    if (count == 0)
        return;
    memset(buf_reserve(buf, count), byte, count);
    buf->len += count;
}

void buf_addv(struct buf *buf, const char *format, va_list args)
{
    assert(format);
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len > 0) {
        vsnprintf(buf_reserve(buf, (size_t)len + 1), (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void buf_addf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_addv(buf, format, args);
    va_end(args);
}

const char *buf_cstr(struct buf *buf)
{
    *buf_reserve(buf, 1) = '\0';
    return buf->at;
}
