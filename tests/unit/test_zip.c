/* Archives of Inspect's, and what an attacker makes of them. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "ingest/zip.h"

enum { MEMBERS = 4 };

/* A member as it is written; what is not 0 in `says` stands in the directory in place of the truth.
 */
struct made {
    const char *name, *text;
    bool deflated, encrypted, wide; /* sizes in a zip64 field */
    unsigned method;
    struct {
        uint64_t size, packed, header;
        uint32_t crc;
    } says;
    uint64_t header; /* where it came to stand */
};

static void put(struct buf *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++, value >>= 8)
        buf_byte(out, (char)value);
}

static size_t pack(const struct made *m, char *into, size_t room)
{
    size_t len = strlen(m->text);
    if (!m->deflated) {
        memcpy(into, m->text, len);
        return len;
    }
    z_stream z = {.next_in = (Bytef *)(uintptr_t)m->text,
                  .avail_in = (uInt)len,
                  .next_out = (Bytef *)into,
                  .avail_out = (uInt)room};
    cr_assert_eq(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static void put_member(struct buf *out, struct buf *directory, struct made *m)
{
    char packed[4096];
    size_t len = strlen(m->text), size = pack(m, packed, sizeof packed), name = strlen(m->name);
    uint32_t crc = (uint32_t)crc32(0, (const Bytef *)m->text, (uInt)len);
    unsigned method = m->method ? m->method : m->deflated ? 8 : 0;
    m->header = out->len;
    buf_add(out, (struct span){"PK\3\4\24\0\0\0", 8});
    put(out, method, 2);
    put(out, 0, 16);
    put(out, name, 2);
    put(out, 0, 2);
    buf_puts(out, m->name);
    buf_add(out, (struct span){packed, size});
    uint64_t says_size = m->says.size ? m->says.size : len;
    uint64_t says_packed = m->says.packed ? m->says.packed : size;
    bool wide = m->wide || says_size > UINT32_MAX;
    buf_add(directory, (struct span){"PK\1\2\24\0\24\0", 8});
    put(directory, m->encrypted, 2);
    put(directory, method, 2);
    put(directory, 0, 4);
    put(directory, m->says.crc ? m->says.crc : crc, 4);
    put(directory, wide ? UINT32_MAX : says_packed, 4);
    put(directory, wide ? UINT32_MAX : says_size, 4);
    put(directory, name, 2);
    put(directory, wide ? 20 : 0, 2);
    put(directory, 0, 10);
    put(directory, m->says.header ? m->says.header - 1 : m->header, 4);
    buf_puts(directory, m->name);
    if (wide) {
        put(directory, 1, 2);
        put(directory, 16, 2);
        put(directory, says_size, 8);
        put(directory, says_packed, 8);
    }
}

static void put_archive(struct buf *out, struct made *members)
{
    struct buf directory = {0};
    size_t count = 0;
    buf_clear(out);
    for (; count < MEMBERS && members[count].name; count++)
        put_member(out, &directory, &members[count]);
    size_t at = out->len;
    buf_add(out, buf_span(&directory));
    buf_add(out, (struct span){"PK\5\6\0\0\0\0", 8});
    put(out, count, 2);
    put(out, count, 2);
    put(out, directory.len, 4);
    put(out, at, 4);
    put(out, 0, 2);
    buf_finish(&directory);
}

/* All that comes out of it, and behind a '!' what was wrong. */
static const char *say(struct span bytes, size_t room, struct buf *said)
{
    struct err err = {0};
    char part[512];
    ptrdiff_t n = -1;
    int fd = memfd_create("zip", 0);
    cr_assert(fd >= 0 && write(fd, bytes.at, bytes.len) == (ssize_t)bytes.len);
    struct zip *zip = zip_open(fd, bytes.len, "x", &err);
    buf_clear(said);
    while (zip && (n = zip_read(zip, part, room, &err)) > 0)
        buf_add(said, (struct span){part, (size_t)n});
    if (n < 0)
        buf_addf(said, "!%s", err.what);
    zip_close(zip);
    close(fd);
    return buf_cstr(said);
}

#define A  "{\"a\":1}"
#define B  "{\"b\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\"}"
#define S1 "samples/1_epoch_1.json"
#define S2 "samples/2_epoch_1.json"

Test(zip, members)
{
    static struct {
        struct made members[MEMBERS];
        const char *said;
    } cases[] = {
        {{{S1, A, .deflated = false},
          {"summaries.json", "[]", .deflated = false},
          {S2, B, .deflated = true},
          {"header.json", "{}", .deflated = false}},
         "{}\n" A "\n" B "\n"},
        {{{S1, B, .deflated = true}, {S1, A, .wide = true}}, A "\n"},
        {{{S1, B, .deflated = true, .says = {.size = 900}}, {S2, A, .deflated = false}},
         B "\n" A "\n!member 1 of the archive: it is shorter than it says"},
        {{{S1, A, .says = {.size = 900}}, {S2, A, .deflated = false}},
         A "\n" A "\n!member 1 of the archive: it is shorter than it says"},
        {{{S1, B, .deflated = true, .says = {.size = 6}}, {S2, A, .deflated = false}},
         "{\"b\":\"\n" A "\n!member 1 of the archive: its checksum is another one"},
        {{{S1, A, .says = {.crc = 1}}},
         A "\n!member 1 of the archive: its checksum is another one"},
        {{{S1, A, .encrypted = true}, {S2, A, .deflated = false}},
         "\n" A "\n!member 1 of the archive: it is encrypted"},
        {{{S1, A, .method = 9}},
         "\n!member 1 of the archive: it is packed in a way that is not known"},
        {{{S1, "\xff\xff", .method = 8}}, "\n!member 1 of the archive: it is damaged"},
        {{{S1, A, .method = 93}}, "\n!member 1 of the archive: it is damaged"},
        {{{S1, A, .says = {.size = UINT64_C(1) << 40}}},
         "!it says to hold more than 200 times its size"},
        {{{S1, A, .says = {.size = UINT64_MAX}}, {S2, A, .says = {.size = UINT64_MAX}}},
         "!it says to hold more than 200 times its size"},
        {{{S1, A, .deflated = false}, {S2, A, .says = {.header = 1}}},
         "!members of the archive lie over one another"},
        {{{S1, A, .says = {.packed = 5000}}},
         "!a member of the archive is said to lie where it can't"},
        {{{S1, A, .says = {.header = 3}}},
         "!a member of the archive is said to lie where it can't"},
        {{{S1, A, .says = {.header = 70000}}},
         "!a member of the archive is said to lie where it can't"},
        {{{"word/document.xml", A, .deflated = false}},
         "!it is a zip archive, and none of Inspect's"},
        {{{.name = NULL}}, "!it is a zip archive, and none of Inspect's"},
    };
    static const size_t rooms[] = {1, 7, 512};
    struct buf bytes = {0}, said = {0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        put_archive(&bytes, cases[i].members);
        for (size_t k = 0; k < COUNT_OF(rooms); k++)
            cr_expect_str_eq(say(buf_span(&bytes), rooms[k], &said), cases[i].said,
                             "%zu: %s, not %s", i, buf_cstr(&said), cases[i].said);
    }
    buf_finish(&bytes);
    buf_finish(&said);
}

/* However it is cut or damaged, it is read to an end. */
Test(zip, damage)
{
    struct made members[MEMBERS] = {{S1, A, .deflated = false},
                                    {S2, B, .deflated = true, .wide = true}};
    struct buf bytes = {0}, said = {0};
    put_archive(&bytes, members);
    for (size_t len = 0; len < bytes.len; len++)
        cr_expect_str_eq(say(span_sub(buf_span(&bytes), 0, len), 512, &said),
                         "!the archive has no directory: it is cut, or damaged", "%zu", len);
    for (size_t at = 0; at < bytes.len * 4; at++) {
        char *byte = bytes.at + at / 4, was = *byte;
        *byte = (char)(at % 4 == 0 ? 0xff : at % 4 == 1 ? 0 : was + (at % 4 == 2 ? 1 : -1));
        say(buf_span(&bytes), 512, &said);
        cr_expect_lt(said.len, 4096);
        *byte = was;
    }
    buf_finish(&bytes);
    buf_finish(&said);
}
