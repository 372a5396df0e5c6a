#include "ingest/input.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "base/span.h"
#include "ingest/tables.h"
#include "ingest/zip.h"

enum {
    RAW_SIZE = 128 * 1024,
    MAGIC = 16,
    XZ_MEMORY = 128 * 1024 * 1024, /* for its dictionary: xz -9 needs 65 MB to unpack */
};

struct input {
    int fd;
    const char *path;
    uint64_t size, position;
    enum { INPUT_UNKNOWN, PLAIN, GZIP, ZSTD, XZ, SQLITE, ZIP } packing;
    char *raw; /* read ahead: the magic, or what is still packed */
    size_t begin, end;
    bool ended, finished; /* the file; the packed stream, between members */
    struct sha256 hash;   /* of a packed file's own bytes */
    bool hashing;         /* there is such a file, and its end has not come */
    uint8_t digest[SHA256_BYTES];
    bool hashed;
    z_stream zlib;
    ZSTD_DStream *zstd;
    lzma_stream xz;
    struct zip *zip;
};

struct input *input_open(const char *path, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) < 0) {
        if (errno == EINTR)
            err_set(err, ERR_INPUT, path, "start what writes to it first",
                    "nobody writes to this pipe");
        else
            err_set(err, ERR_INPUT, path, "check the name and the permissions", "%s",
                    strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (S_ISDIR(info.st_mode)) {
        err_set(err, ERR_INPUT, path, "name the files in it", "it is a folder");
        close(fd);
        return NULL;
    }
    struct input *in = NEW(struct input);
    in->fd = fd;
    in->path = path;
    in->size = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
    in->raw = mem_alloc(RAW_SIZE);
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* read ahead while we think */
    return in;
}

void input_close(struct input *in)
{
    if (!in)
        return;
    if (in->packing == GZIP)
        inflateEnd(&in->zlib);
    if (in->packing == XZ)
        lzma_end(&in->xz);
    ZSTD_freeDStream(in->zstd);
    zip_close(in->zip);
    sha256_finish(&in->hash);
    close(in->fd);
    mem_free(in->raw);
    mem_free(in);
}

uint64_t input_size(const struct input *in)
{
    return in->size;
}

uint64_t input_position(const struct input *in)
{
    return in->position;
}

const char *input_packing(const struct input *in)
{
    static const char *const names[] = {[GZIP] = "unpacked with gzip",
                                        [ZSTD] = "unpacked with zstd",
                                        [XZ] = "unpacked with xz",
                                        [SQLITE] = "rows of a SQLite database, written out",
                                        [ZIP] = "members of a zip archive, one behind the other"};
    return (size_t)in->packing < COUNT_OF(names) ? names[in->packing] : NULL;
}

struct span input_file_digest(const struct input *in)
{
    return in->hashed ? (struct span){(const char *)in->digest, sizeof in->digest} : SPAN_EMPTY;
}

static void hash_from_here(struct input *in)
{
    sha256_init(&in->hash);
    sha256_add(&in->hash, (struct span){in->raw, in->end});
    in->hashing = true;
}

static void hash_ends(struct input *in)
{
    sha256_so_far(&in->hash, SPAN_EMPTY, in->digest);
    in->hashed = true;
    in->hashing = false;
}

static ptrdiff_t read_some(struct input *in, char *at, size_t room, struct err *err)
{
    for (;;) {
        ssize_t n = read(in->fd, at, room);
        if (n >= 0) {
            in->position += (uint64_t)n;
            in->ended = n == 0;
            if (in->hashing && n > 0)
                sha256_add(&in->hash, (struct span){at, (size_t)n});
            else if (in->hashing)
                hash_ends(in);
            return n;
        }
        if (errno != EINTR) {
            err_set(err, ERR_INPUT, in->path, NULL, "reading stopped at byte %llu: %s",
                    (unsigned long long)in->position, strerror(errno));
            return -1;
        }
    }
}

/* To the end of the file, which is read for its digest alone. */
static bool hash_rest(struct input *in, struct err *err)
{
    ptrdiff_t n = 1;
    hash_from_here(in);
    while (n > 0)
        n = read_some(in, in->raw, RAW_SIZE, err);
    return n == 0;
}

/* Reads on from the rows of the database; where none are known, it stays what it is. */
static bool look_into_tables(struct input *in, struct err *err)
{
    int fd = tables_open(in->path, err);
    if (fd == -1)
        return false;
    if (fd < 0)
        return true;
    if (!hash_rest(in, err)) {
        close(fd);
        return false;
    }
    close(in->fd);
    in->fd = fd;
    in->begin = in->end = 0;
    in->ended = false;
    in->packing = SQLITE;
    return true;
}

/* Reads on from the members of the archive. */
static bool look_into_zip(struct input *in, struct err *err)
{
    in->zip = zip_open(in->fd, in->size, in->path, err);
    in->packing = ZIP;
    return in->zip && hash_rest(in, err);
}

/* The magic bytes say how it is packed. What was read for that is in `raw`. */
static bool look(struct input *in, struct err *err)
{
    while (in->end < MAGIC && !in->ended) {
        ptrdiff_t n = read_some(in, in->raw + in->end, RAW_SIZE - in->end, err);
        if (n < 0)
            return false;
        in->end += (size_t)n;
    }
    struct span front = {in->raw, in->end};
    in->packing = PLAIN;
    if (span_starts_with(front, SPAN("\xfd"
                                     "7zXZ"))) {
        if (lzma_stream_decoder(&in->xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
            mem_exhausted();
        in->packing = XZ;
    } else if (span_starts_with(front, SPAN("\x1f\x8b\x08"))) {
        if (inflateInit2(&in->zlib, 15 + 16) != Z_OK)
            mem_exhausted();
        in->packing = GZIP;
    } else if (span_starts_with(front, SPAN("\x28\xb5\x2f\xfd"))) {
        in->zstd = ZSTD_createDStream();
        if (!in->zstd)
            mem_exhausted();
        in->packing = ZSTD;
    } else if (span_starts_with(front, SPAN("SQLite format 3\0")) && strcmp(in->path, "-") != 0) {
        return look_into_tables(in, err);
    } else if (span_starts_with(front, SPAN("PK\3\4")) && in->size) {
        return look_into_zip(in, err);
    }
    if (in->packing != PLAIN)
        hash_from_here(in);
    return true;
}

static bool refill(struct input *in, struct err *err)
{
    if (in->begin < in->end || in->ended)
        return true;
    ptrdiff_t n = read_some(in, in->raw, RAW_SIZE, err);
    in->begin = 0;
    in->end = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

static ptrdiff_t damaged(const struct input *in, struct err *err)
{
    err_set(err, ERR_INPUT, in->path, "what was unpacked up to there is kept",
            in->ended && in->begin == in->end ? "the packed data is cut off at byte %llu"
                                              : "the packed data is damaged at byte %llu",
            (unsigned long long)(in->position - (in->end - in->begin)));
    return -1;
}

/* Unpacks into `at`; the bytes made, 0 where more must be read, -1 when damaged. */
static ptrdiff_t input_unpack_gzip(struct input *in, char *at, size_t room, struct err *err)
{
    in->zlib.next_in = (Bytef *)(in->raw + in->begin);
    in->zlib.avail_in = (uInt)(in->end - in->begin);
    in->zlib.next_out = (Bytef *)at;
    in->zlib.avail_out = (uInt)(room > 1 << 30 ? 1 << 30 : room);
    uInt before = in->zlib.avail_out;
    int result = inflate(&in->zlib, Z_NO_FLUSH);
    in->begin = in->end - in->zlib.avail_in;
    in->finished = result == Z_STREAM_END;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return damaged(in, err);
    if (in->finished)
        inflateReset(&in->zlib);
    return (ptrdiff_t)(before - in->zlib.avail_out);
}

static ptrdiff_t unpack_zstd(struct input *in, char *at, size_t room, struct err *err)
{
    ZSTD_inBuffer from = {in->raw, in->end, in->begin};
    ZSTD_outBuffer to = {at, room, 0};
    size_t result = ZSTD_decompressStream(in->zstd, &to, &from);
    in->begin = from.pos;
    if (ZSTD_isError(result))
        return damaged(in, err);
    in->finished = result == 0;
    return (ptrdiff_t)to.pos;
}

static ptrdiff_t unpack_xz(struct input *in, char *at, size_t room, struct err *err)
{
    in->xz.next_in = (const uint8_t *)in->raw + in->begin;
    in->xz.avail_in = in->end - in->begin;
    in->xz.next_out = (uint8_t *)at;
    in->xz.avail_out = room;
    /* Streams may follow one another: which is the last, only the end of the file says. */
    lzma_ret result = lzma_code(&in->xz, in->ended ? LZMA_FINISH : LZMA_RUN);
    in->begin = in->end - in->xz.avail_in;
    in->finished = result == LZMA_STREAM_END;
    if (result == LZMA_MEMLIMIT_ERROR) {
        err_set(err, ERR_INPUT, in->path, "unpack it first: xz -dk FILE",
                "its xz dictionary takes more than %d MB", XZ_MEMORY >> 20);
        return -1;
    }
    if (result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR)
        return damaged(in, err);
    return (ptrdiff_t)(room - in->xz.avail_out);
}

static ptrdiff_t unpack_some(struct input *in, char *at, size_t room, struct err *err)
{
    switch (in->packing) {
    case GZIP:
        return input_unpack_gzip(in, at, room, err);
    case ZSTD:
        return unpack_zstd(in, at, room, err);
    default:
        return unpack_xz(in, at, room, err);
    }
}

static ptrdiff_t read_packed(struct input *in, char *at, size_t room, struct err *err)
{
    for (;;) {
        if (!refill(in, err))
            return -1;
        bool empty = in->begin == in->end;
        if (empty && in->ended && in->finished)
            return 0;
        ptrdiff_t n = unpack_some(in, at, room, err);
        if (n != 0)
            return n;
        if (empty && in->ended && in->finished) /* of xz, only now */
            return 0;
        if (empty && in->ended) /* nothing in, nothing out: it was cut */
            return damaged(in, err);
    }
}

static ptrdiff_t read_plain(struct input *in, char *at, size_t room, struct err *err)
{
    size_t ahead = in->end - in->begin;
    if (!ahead)
        return read_some(in, at, room, err); /* also past the end: the file may have grown */
    size_t n = ahead < room ? ahead : room;
    memcpy(at, in->raw + in->begin, n);
    in->begin += n;
    return (ptrdiff_t)n;
}

ptrdiff_t input_read(struct input *in, char *at, size_t room, struct err *err)
{
    if (in->packing == INPUT_UNKNOWN && !look(in, err))
        return -1;
    if (in->packing == ZIP)
        return in->zip ? zip_read(in->zip, at, room, err) : 0;
    return in->packing == PLAIN || in->packing == SQLITE ? read_plain(in, at, room, err)
                                                         : read_packed(in, at, room, err);
}
