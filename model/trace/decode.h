/*
 * Runs of encoded text inside a text: base64 (both alphabets), hex, percent.
 * A run counts only if what it decodes to reads as text (UTF-8 without control
 * characters, or UTF-16 of such).
 */
#ifndef STRANDLINE_MODEL_TRACE_DECODE_H
#define STRANDLINE_MODEL_TRACE_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/span.h"
#include "model/trace/trace.h"

enum { DECODE_LEAST = 16 }; /* bytes of base64 or hex that are worth a try */

struct encoded {
    enum trace_how how;
    size_t at, len; /* of the run in the text */
};

struct decoder {
    struct span text;
    size_t at;
    size_t
        tried; /* the run of digits up to here is no base64 as a whole: only parts of it are left */
    bool digits; /* percent runs come first, then base64 and hex */
};
/* Before the first run; the text is borrowed. */
void decoder_init(struct decoder *decoder, struct span text);
/* The next run, its text appended to out; false at the end. Each byte is looked at a bounded
 * number of times. */
bool decode_next(struct decoder *decoder, struct encoded *run, struct buf *out);
/* Where the byte at `offset` of the decoded text begins (or ends, `end`) in the text. */
size_t decode_place(struct span text, const struct encoded *run, size_t offset, bool end);

#endif
