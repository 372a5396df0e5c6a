/* Packed bytes in memory, unpacked: bodies of HTTP messages, and the recipes of texts in them. */
#ifndef STRANDLINE_MODEL_CASE_UNPACK_H
#define STRANDLINE_MODEL_CASE_UNPACK_H

#include "base/buf.h"

enum packing {
    PACKED_NOT,
    PACKED_GZIP,    /* RFC 1952, or zlib's RFC 1950; all members */
    PACKED_DEFLATE, /* RFC 1951 without a head, which some servers send as "deflate" */
    PACKED_ZSTD,    /* RFC 8878, all frames */
    PACKED_BROTLI,  /* RFC 7932 */
};

enum unpacked {
    UNPACKED_WHOLE,
    UNPACKED_PART,    /* it is longer than `most` */
    UNPACKED_DAMAGED, /* or cut: what was unpacked up to there is in `out` */
};

/* Adds what is packed in `bytes` to `out`; stops soon after `most` bytes. */
enum unpacked unpack(enum packing packing, struct span bytes, size_t most, struct buf *out);
/* The recipe's step for it: "z;", "zr;", "zs;", "br;"; "" for PACKED_NOT. */
const char *unpack_recipe(enum packing packing);

#endif
