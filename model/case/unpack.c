#include "model/case/unpack.h"

#include <brotli/decode.h>
#include <limits.h>
#define ZLIB_CONST /* next_in is const */
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

enum { UNPACK_CHUNK = 64 * 1024 };

static enum unpacked unpack_zlib(struct span bytes, int window, size_t most, struct buf *out)
{
    size_t begin = out->len, taken = 0;
    int code = Z_OK;
    z_stream z = {0};
    if (inflateInit2(&z, window) != Z_OK)
        mem_exhausted();
    while (code == Z_OK && out->len - begin <= most) {
        size_t left = bytes.len - taken;
        z.next_in = (const unsigned char *)bytes.at + taken;
        z.avail_in = left < INT_MAX ? (unsigned)left : INT_MAX;
        unsigned before = z.avail_in;
        z.next_out = (unsigned char *)buf_reserve(out, UNPACK_CHUNK);
        z.avail_out = UNPACK_CHUNK;
        code = inflate(&z, Z_NO_FLUSH);
        out->len += UNPACK_CHUNK - z.avail_out;
        taken += before - z.avail_in;
        if (code == Z_STREAM_END && taken < bytes.len)
            code = inflateReset(&z); /* another member follows */
    }
    inflateEnd(&z);
    if (out->len - begin > most)
        return UNPACKED_PART;
    return code == Z_STREAM_END ? UNPACKED_WHOLE : UNPACKED_DAMAGED;
}

static enum unpacked unpack_zstd(struct span bytes, size_t most, struct buf *out)
{
    size_t begin = out->len, result = 1;
    ZSTD_inBuffer from = {bytes.at, bytes.len, 0};
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream)
        mem_exhausted();
    for (bool full = false; out->len - begin <= most && (from.pos < from.size || full);) {
        ZSTD_outBuffer to = {buf_reserve(out, UNPACK_CHUNK), UNPACK_CHUNK, 0};
        result = ZSTD_decompressStream(stream, &to, &from);
        if (ZSTD_isError(result))
            break;
        out->len += to.pos;
        full = to.pos == to.size;
    }
    ZSTD_freeDStream(stream);
    if (out->len - begin > most)
        return UNPACKED_PART;
    return result == 0 ? UNPACKED_WHOLE : UNPACKED_DAMAGED;
}

static enum unpacked unpack_brotli(struct span bytes, size_t most, struct buf *out)
{
    size_t begin = out->len, left = bytes.len;
    const uint8_t *next = (const uint8_t *)bytes.at;
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!state)
        mem_exhausted();
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && out->len - begin <= most) {
        size_t room = UNPACK_CHUNK;
        uint8_t *to = (uint8_t *)buf_reserve(out, room);
        result = BrotliDecoderDecompressStream(state, &left, &next, &room, &to, NULL);
        out->len += UNPACK_CHUNK - room;
    }
    BrotliDecoderDestroyInstance(state);
    if (out->len - begin > most)
        return UNPACKED_PART;
    return result == BROTLI_DECODER_RESULT_SUCCESS && !left ? UNPACKED_WHOLE : UNPACKED_DAMAGED;
}

enum unpacked unpack(enum packing packing, struct span bytes, size_t most, struct buf *out)
{
    enum { WINDOW = 15, ANY_HEAD = 32 };
    switch (packing) {
    case PACKED_GZIP:
        return unpack_zlib(bytes, WINDOW + ANY_HEAD, most, out);
    case PACKED_DEFLATE:
        return unpack_zlib(bytes, -WINDOW, most, out);
    case PACKED_ZSTD:
        return unpack_zstd(bytes, most, out);
    case PACKED_BROTLI:
        return unpack_brotli(bytes, most, out);
    case PACKED_NOT:
        break;
    }
    buf_add(out, bytes);
    return UNPACKED_WHOLE;
}

const char *unpack_recipe(enum packing packing)
{
    static const char *const recipes[] = {"", "z;", "zr;", "zs;", "br;"};
    return recipes[packing];
}
