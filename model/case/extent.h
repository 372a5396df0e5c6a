/*
 * Where a text stands: bytes of a source, and how to come from those bytes to
 * the text when it is inside something. No event copies its text; each carries
 * an extent, so that the bytes a statement rests on can always be shown.
 */
#ifndef STRANDLINE_MODEL_CASE_EXTENT_H
#define STRANDLINE_MODEL_CASE_EXTENT_H

#include <stdint.h>

#include "base/span.h"

/*
 * A recipe is a short text of our own, steps from left to right, each ended by
 * ';'. Empty: the bytes as they are.
 *   s        the bytes are a JSON string literal (with quotes): its decoded text
 *   j        the same of JavaScript, as console.log prints it
 *   /a/b     the bytes are JSON: the value at this pointer (RFC 6901; a ';' in it is written ~2)
 *   b        base64
 *   z, zr    gzip or zlib; deflate without a head
 *   zs, br   zstd; brotli
 *   u16le, u16be  UTF-16: the text as UTF-8
 *   e        one Server-Sent Event: its data lines joined
 *   @N+M     M bytes of the text so far, from its byte N
 *   @N+M,N+M…  several such parts, one behind the other: what lies between belongs to something
 *            else (heads of packets, the prefixes of a log driver)
 * Example: "s;/arguments;s;" — a JSON string that holds an object whose member
 * `arguments` is a string again.
 */
struct extent {
    int64_t source; /* 0: nowhere */
    uint64_t offset, length;
    struct span recipe;
};

#endif
