/* The inner loops, wide and portable, against one byte at a time. */
#include <criterion/criterion.h>

#include "base/jsonr_scan.h"
#include "base/mem.h"
#include "tests/unit/numbers.h"

static const char *plain_slowly(const char *at, const char *end)
{
    while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' &&
           *at != '\\')
        at++;
    return at;
}

static const char *white_slowly(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

static const char *nesting_slowly(const char *at, const char *end)
{
    while (at < end && *at != '"' && *at != '{' && *at != '}' && *at != '[' && *at != ']')
        at++;
    return at;
}

static const char *quote_slowly(const char *at, const char *end)
{
    while (at < end && *at != '"' && *at != '\\')
        at++;
    return at;
}

typedef const char *scan_function(const char *at, const char *end);

static const struct {
    const char *name;
    scan_function *slowly, *used; /* used: NULL where only the masks are */
    scan_block_function *word, *block;
    const char *fill; /* bytes it runs over */
} SCANS[] = {
    {"plain", plain_slowly, scan_plain, scan_word_plain, scan_block_plain, " a~\x7f!#[]{}"},
    {"quote", quote_slowly, NULL, scan_word_quote, scan_block_quote, " a\xa2\xdc!#[]{}\x01"},
    {"nesting", nesting_slowly, scan_nesting, scan_word_nesting, scan_block_nesting,
     "a1,: \xff\xfb\xdd\x01|\\\x5e"},
    {"white", white_slowly, scan_white, scan_word_white, scan_block_white, "   \n\r\t"},
};

/* The mask of a block, asked of one byte after the other: a bit where it stops, and no other. */
static uint64_t mask_slowly(const char *at, scan_function *slowly, size_t bytes, size_t bits)
{
    uint64_t mask = 0;
    for (size_t i = 0; i < bytes; i++)
        if (slowly(at + i, at + i + 1) == at + i)
            mask |= UINT64_C(1) << (i * bits + bits - 1);
    return mask;
}

static void check(size_t which, const char *at, const char *end)
{
    const char *wanted = SCANS[which].slowly(at, end);
    cr_assert(!SCANS[which].used || SCANS[which].used(at, end) == wanted, "%s: %zu of %zu",
              SCANS[which].name, (size_t)(wanted - at), (size_t)(end - at));
    for (; end - at >= SCAN_WORD; at++) {
        cr_assert_eq(SCANS[which].word(at),
                     mask_slowly(at, SCANS[which].slowly, SCAN_WORD, SCAN_WORD_BITS), "%s",
                     SCANS[which].name);
        if (end - at >= SCAN_BLOCK)
            cr_assert_eq(SCANS[which].block(at),
                         mask_slowly(at, SCANS[which].slowly, SCAN_BLOCK, SCAN_BITS), "%s",
                         SCANS[which].name);
    }
}

Test(scan, every_byte_at_every_place)
{
    for (size_t which = 0; which < COUNT_OF(SCANS); which++) {
        struct numbers numbers = {which + 1};
        if (!SCANS[which].used)
            continue;
        size_t fills = strlen(SCANS[which].fill);
        for (size_t len = 0; len <= 70; len++) {
            char *text = mem_resize(NULL, len);
            for (size_t place = 0; place < (len ? len : 1); place++) {
                for (int byte = 0; byte < 256; byte++) {
                    for (size_t i = 0; i < len; i++)
                        text[i] = i == place ? (char)byte
                                             : SCANS[which].fill[numbers_below(&numbers, fills)];
                    const char *end = text + len;
                    cr_assert(SCANS[which].used(text, end) == SCANS[which].slowly(text, end),
                              "%s: byte %02x at %zu of %zu", SCANS[which].name, (unsigned)byte,
                              place, len);
                }
            }
            mem_free(text);
        }
    }
}

Test(scan, random_bytes)
{
    struct numbers numbers = {77};
    static const char few[] = "a \n\t\"\\{}[]\x1f\x7f\x80\xff,:";
    char text[200];
    for (int round = 0; round < 5000; round++) {
        size_t len = numbers_below(&numbers, sizeof text);
        for (size_t i = 0; i < len; i++)
            text[i] = round % 2 ? few[numbers_below(&numbers, sizeof few - 1)]
                                : (char)numbers_next(&numbers);
        for (size_t which = 0; which < COUNT_OF(SCANS); which++) {
            size_t start = len ? numbers_below(&numbers, len) : 0;
            check(which, text + start, text + len);
        }
    }
}
