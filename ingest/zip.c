#include "ingest/zip.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/span.h"
#include "ingest/names.h"

enum {
    END_SIZE = 22,         /* of the record that ends an archive, without its comment */
    END_AREA = 65535 + 22, /* it lies in these last bytes */
    LOCATOR_SIZE = 20,     /* of the record before it, that tells where the 64-bit one is */
    END64_SIZE = 56,
    ENTRY_SIZE = 46,
    LOCAL_SIZE = 30,
    ZIP_RAW = 64 * 1024,
    DIRECTORY_MOST = 256 * 1024 * 1024,
    RATIO_MOST = 200, /* JSON that repeats itself packs well, but not better than that */
    FREE_SIZE = 256 * 1024 * 1024, /* what may come out of any archive, however small */
};

enum { METHOD_STORED = 0, METHOD_DEFLATED = 8, METHOD_ZSTD = 93 };

struct member {
    uint64_t header, data, packed, size; /* where its local header and its bytes begin */
    uint32_t crc;
    unsigned method;
    bool encrypted;
};

struct zip {
    int fd;
    uint64_t size, directory;
    const char *path;
    struct member *members;
    size_t count, room, next;
    /* the member that is read: */
    const struct member *now;
    uint64_t taken, given; /* bytes of it, packed and unpacked */
    uint32_t crc;
    bool newline; /* is still to be written behind it */
    char *raw;
    size_t begin, end;
    z_stream zlib;
    bool inflating;
    ZSTD_DStream *zstd;
    struct err err; /* the first that went wrong */
    bool damaged;
};

static uint64_t little(const char *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | (unsigned char)at[i];
    return value;
}

static bool read_at(const struct zip *zip, uint64_t from, char *at, size_t len)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = pread(zip->fd, at + got, len - got, (off_t)(from + got));
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static bool fails(const struct zip *zip, const char *what, struct err *err)
{
    return err_set(err, ERR_INPUT, zip->path, "unpack it with another program, and give the folder",
                   "%s", what);
}

/* ---- the directory ---- */

/* Where the directory is, and its size and number of entries. */
struct directory {
    uint64_t at, size, entries;
};

static bool find_end64(const struct zip *zip, uint64_t end, struct directory *d)
{
    char locator[LOCATOR_SIZE], record[END64_SIZE];
    if (end < LOCATOR_SIZE || !read_at(zip, end - LOCATOR_SIZE, locator, sizeof locator) ||
        memcmp(locator, "PK\6\7", 4) != 0)
        return false;
    uint64_t at = little(locator + 8, 8);
    if (at > end - LOCATOR_SIZE || end - LOCATOR_SIZE - at < END64_SIZE ||
        !read_at(zip, at, record, sizeof record) || memcmp(record, "PK\6\6", 4) != 0)
        return false;
    *d = (struct directory){.at = little(record + 48, 8),
                            .size = little(record + 40, 8),
                            .entries = little(record + 32, 8)};
    return d->at <= at && d->size <= at - d->at;
}

static bool find_directory(const struct zip *zip, struct directory *d)
{
    size_t area = zip->size < END_AREA ? (size_t)zip->size : END_AREA;
    char *tail = mem_alloc(area ? area : 1);
    bool found = false;
    if (area >= END_SIZE && read_at(zip, zip->size - area, tail, area))
        for (size_t i = area - END_SIZE + 1; !found && i-- > 0;) {
            const char *at = tail + i;
            if (memcmp(at, "PK\5\6", 4) != 0 || i + END_SIZE + little(at + 20, 2) > area)
                continue;
            uint64_t end = zip->size - area + i;
            *d = (struct directory){.at = little(at + 16, 4),
                                    .size = little(at + 12, 4),
                                    .entries = little(at + 10, 2)};
            found = d->at == UINT32_MAX || d->size == UINT32_MAX || d->entries == UINT16_MAX
                        ? find_end64(zip, end, d)
                        : d->at <= end && d->size <= end - d->at;
        }
    mem_free(tail);
    return found && d->size <= DIRECTORY_MOST && d->entries <= d->size / ENTRY_SIZE;
}

/* Sizes that did not fit stand in the extra field 1, in this order. */
static void read_extra64(struct span extra, uint64_t *values[3])
{
    while (extra.len >= 4) {
        size_t len = (size_t)little(extra.at + 2, 2);
        struct span field = span_sub(extra, 4, len);
        if (little(extra.at, 2) == 1) {
            for (size_t i = 0; i < 3; i++)
                if (*values[i] == UINT32_MAX && field.len >= 8) {
                    *values[i] = little(field.at, 8);
                    field = span_sub(field, 8, field.len);
                }
            return;
        }
        extra = span_sub(extra, 4 + len, extra.len);
    }
}

/* The entry at the start of `rest`: its name, and what it says of its member. Its length; 0 where
 * it is none. */
static size_t read_entry_of(struct span rest, struct member *m, struct span *name)
{
    if (rest.len < ENTRY_SIZE || memcmp(rest.at, "PK\1\2", 4) != 0)
        return 0;
    size_t names = (size_t)little(rest.at + 28, 2), extras = (size_t)little(rest.at + 30, 2);
    size_t len = ENTRY_SIZE + names + extras + (size_t)little(rest.at + 32, 2);
    if (len > rest.len)
        return 0;
    *m = (struct member){.encrypted = little(rest.at + 8, 2) & 1,
                         .method = (unsigned)little(rest.at + 10, 2),
                         .crc = (uint32_t)little(rest.at + 16, 4),
                         .packed = little(rest.at + 20, 4),
                         .size = little(rest.at + 24, 4),
                         .header = little(rest.at + 42, 4)};
    *name = span_sub(rest, ENTRY_SIZE, names);
    uint64_t *values[] = {&m->size, &m->packed, &m->header};
    read_extra64(span_sub(rest, ENTRY_SIZE + names, extras), values);
    return len;
}

/* Where its bytes begin: behind a local header of a length of its own. */
static bool locate(const struct zip *zip, struct member *m)
{
    char local[LOCAL_SIZE];
    if (m->header > zip->directory || zip->directory - m->header < LOCAL_SIZE ||
        !read_at(zip, m->header, local, sizeof local) || memcmp(local, "PK\3\4", 4) != 0)
        return false;
    m->data = m->header + LOCAL_SIZE + little(local + 26, 2) + little(local + 28, 2);
    return m->data <= zip->directory && m->packed <= zip->directory - m->data;
}

static bool is_wanted(struct span name, bool samples)
{
    if (samples)
        return span_starts_with(name, SPAN("samples/")) && span_ends_with(name, SPAN(".json"));
    return span_is(name, "header.json") || span_is(name, "_journal/start.json") ||
           span_is(name, "start.json");
}

/* A sample that was run again is there twice: the last one counts. */
static void keep_member(struct zip *zip, struct names *seen, struct span name,
                        const struct member *m)
{
    int64_t *place = names_at(seen, name);
    if (!*place) {
        zip->members = mem_one_more(zip->members, zip->count, &zip->room, sizeof *zip->members);
        *place = (int64_t)++zip->count;
    }
    zip->members[*place - 1] = *m;
}

static bool read_entries(struct zip *zip, struct span entries, bool samples, struct names *seen,
                         struct err *err)
{
    struct member m;
    struct span name;
    for (size_t len; entries.len; entries = span_sub(entries, len, entries.len)) {
        len = read_entry_of(entries, &m, &name);
        if (!len)
            return fails(zip, "the directory of the archive is damaged", err);
        if (!is_wanted(name, samples))
            continue;
        if (!locate(zip, &m))
            return fails(zip, "a member of the archive is said to lie where it can't", err);
        keep_member(zip, seen, name, &m);
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    uint64_t x = ((const struct member *)a)->header, y = ((const struct member *)b)->header;
    return (x > y) - (x < y);
}

/* An archive whose members share bytes gives far more than it holds. */
static bool lie_apart(struct zip *zip, struct err *err)
{
    struct member *sorted = NEW_ARRAY(struct member, zip->count + 1);
    uint64_t end = 0, sum = 0;
    bool apart = true;
    if (zip->count)
        memcpy(sorted, zip->members, zip->count * sizeof *sorted);
    qsort(sorted, zip->count, sizeof *sorted, by_place);
    for (size_t i = 0; apart && i < zip->count; i++) {
        apart = sorted[i].header >= end;
        end = sorted[i].data + sorted[i].packed;
        if (__builtin_add_overflow(sum, sorted[i].size, &sum))
            sum = UINT64_MAX;
    }
    mem_free(sorted);
    if (!apart)
        return fails(zip, "members of the archive lie over one another", err);
    if (sum > FREE_SIZE && sum / RATIO_MOST > zip->size)
        return fails(zip, "it says to hold more than 200 times its size", err);
    return true;
}

static bool read_directory(struct zip *zip, struct err *err)
{
    struct directory d;
    struct names seen = {0};
    if (!find_directory(zip, &d))
        return fails(zip, "the archive has no directory: it is cut, or damaged", err);
    zip->directory = d.at;
    char *bytes = mem_alloc((size_t)d.size + 1);
    struct span entries = {bytes, (size_t)d.size};
    bool ok = read_at(zip, d.at, bytes, entries.len) ||
              fails(zip, "the directory of the archive can't be read", err);
    ok = ok && read_entries(zip, entries, false, &seen, err) &&
         read_entries(zip, entries, true, &seen, err);
    mem_free(bytes);
    names_finish(&seen);
    if (ok && !zip->count)
        ok = fails(zip, "it is a zip archive, and none of Inspect's", err);
    return ok && lie_apart(zip, err);
}

struct zip *zip_open(int fd, uint64_t size, const char *path, struct err *err)
{
    struct zip *zip = NEW(struct zip);
    zip->fd = fd;
    zip->size = size;
    zip->path = path;
    zip->raw = mem_alloc(ZIP_RAW);
    if (read_directory(zip, err))
        return zip;
    zip_close(zip);
    return NULL;
}

void zip_close(struct zip *zip)
{
    if (!zip)
        return;
    if (zip->inflating)
        inflateEnd(&zip->zlib);
    ZSTD_freeDStream(zip->zstd);
    mem_free(zip->members);
    mem_free(zip->raw);
    mem_free(zip);
}

/* ---- members ---- */

/* The member ends here; the first thing that was wrong is what the reader is told. */
static void give_up_member(struct zip *zip, const char *what)
{
    if (!zip->damaged)
        err_set(&zip->err, ERR_INPUT, zip->path, "the other members were read",
                "member %zu of the archive: %s", zip->next, what);
    zip->damaged = true;
    zip->now = NULL;
}

static void next_member(struct zip *zip)
{
    zip->now = &zip->members[zip->next++];
    zip->taken = zip->given = 0;
    zip->begin = zip->end = 0;
    zip->crc = (uint32_t)crc32(0, NULL, 0);
    zip->newline = true;
    if (zip->now->encrypted) {
        give_up_member(zip, "it is encrypted");
    } else if (zip->now->method == METHOD_DEFLATED) {
        int made = zip->inflating ? inflateReset(&zip->zlib) : inflateInit2(&zip->zlib, -15);
        if (made != Z_OK)
            mem_exhausted();
        zip->inflating = true;
    } else if (zip->now->method == METHOD_ZSTD) {
        if (!zip->zstd && !(zip->zstd = ZSTD_createDStream()))
            mem_exhausted();
        ZSTD_initDStream(zip->zstd);
    } else if (zip->now->method != METHOD_STORED) {
        give_up_member(zip, "it is packed in a way that is not known");
    }
}

static bool refill_raw(struct zip *zip)
{
    uint64_t left = zip->now->packed - zip->taken;
    size_t want = left < ZIP_RAW ? (size_t)left : ZIP_RAW;
    if (zip->begin < zip->end || !want)
        return true;
    if (!read_at(zip, zip->now->data + zip->taken, zip->raw, want))
        return false;
    zip->begin = 0;
    zip->end = want;
    zip->taken += want;
    return true;
}

static size_t copy_stored(struct zip *zip, char *at, size_t room)
{
    size_t n = zip->end - zip->begin < room ? zip->end - zip->begin : room;
    memcpy(at, zip->raw + zip->begin, n);
    zip->begin += n;
    return n;
}

static bool inflate_some(struct zip *zip, char *at, size_t room, size_t *got)
{
    zip->zlib.next_in = (Bytef *)(zip->raw + zip->begin);
    zip->zlib.avail_in = (uInt)(zip->end - zip->begin);
    zip->zlib.next_out = (Bytef *)at;
    zip->zlib.avail_out = (uInt)(room > 1 << 30 ? 1 << 30 : room);
    uInt before = zip->zlib.avail_out;
    int result = inflate(&zip->zlib, Z_NO_FLUSH);
    zip->begin = zip->end - zip->zlib.avail_in;
    *got = before - zip->zlib.avail_out;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

static bool zstd_some(struct zip *zip, char *at, size_t room, size_t *got)
{
    ZSTD_inBuffer from = {zip->raw, zip->end, zip->begin};
    ZSTD_outBuffer to = {at, room, 0};
    size_t result = ZSTD_decompressStream(zip->zstd, &to, &from);
    zip->begin = from.pos;
    *got = to.pos;
    return !ZSTD_isError(result);
}

/* The next bytes of the member; 0 where it ended, be it that it is damaged. */
static size_t member_some(struct zip *zip, char *at, size_t room)
{
    const struct member *m = zip->now;
    uint64_t left = m->size - zip->given;
    size_t got = 0, before = zip->begin;
    bool ok = true;
    if (!left) {
        if (zip->crc != m->crc)
            give_up_member(zip, "its checksum is another one");
        zip->now = NULL;
        return 0;
    }
    room = left < room ? (size_t)left : room;
    if (!refill_raw(zip)) {
        give_up_member(zip, "it can't be read");
        return 0;
    }
    if (m->method == METHOD_STORED)
        got = copy_stored(zip, at, room);
    else
        ok = m->method == METHOD_ZSTD ? zstd_some(zip, at, room, &got)
                                      : inflate_some(zip, at, room, &got);
    zip->given += got;
    zip->crc = (uint32_t)crc32_z(zip->crc, (const Bytef *)at, got);
    if (!got &&
        (!ok || (zip->begin == before && zip->begin == zip->end && zip->taken == m->packed)))
        give_up_member(zip, ok ? "it is shorter than it says" : "it is damaged");
    else if (!got && ok && zip->begin == before && zip->begin < zip->end)
        give_up_member(zip, "it is shorter than it says"); /* its packed stream has ended */
    return got;
}

ptrdiff_t zip_read(struct zip *zip, char *at, size_t room, struct err *err)
{
    while (room) {
        if (zip->now) {
            size_t got = member_some(zip, at, room);
            if (got)
                return (ptrdiff_t)got;
        } else if (zip->newline) {
            zip->newline = false;
            *at = '\n';
            return 1;
        } else if (zip->next < zip->count) {
            next_member(zip);
        } else {
            break;
        }
    }
    if (room && zip->damaged) {
        *err = zip->err;
        return -1;
    }
    return 0;
}
