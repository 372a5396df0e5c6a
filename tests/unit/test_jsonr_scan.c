/* The inner loops, wide against portable against one byte at a time. */
#include <criterion/criterion.h>

#include "base/jsonr_scan.h"
#include "base/mem.h"
#include "tests/unit/helper.h"

static const char *plain_slowly(const char *at, const char *end)
{
    while (at < end && (unsigned char)*at >= 0x20 && (unsigned char)*at < 0x80 && *at != '"' && *at != '\\')
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

typedef const char *scan_function(const char *at, const char *end);

static const struct {
    const char *name;
    scan_function *slowly, *portable, *wide, *used;
    const char *fill; /* bytes it runs over */
} SCANS[] = {
#ifdef __SSE2__
    {"plain", plain_slowly, scan_plain_portable, scan_plain_sse2, scan_plain, " a~\x7f!#[]{}"},
    {"white", white_slowly, scan_white_portable, scan_white_sse2, scan_white, "   \n\r\t"},
    {"nesting", nesting_slowly, scan_nesting_portable, scan_nesting_sse2, scan_nesting, "a1,: \xff\x01|\\\x5e"},
#else
    {"plain", plain_slowly, scan_plain_portable, scan_plain_portable, scan_plain, " a~\x7f!#[]{}"},
    {"white", white_slowly, scan_white_portable, scan_white_portable, scan_white, "   \n\r\t"},
    {"nesting", nesting_slowly, scan_nesting_portable, scan_nesting_portable, scan_nesting, "a1,: \xff\x01|\\\x5e"},
#endif
};

/* Every byte value as the one that might stop it, at every place of runs of every length to 70, in
 * memory of its own size, so that a sanitizer sees a read behind the end. */
Test(scan, every_byte_at_every_place)
{
    for (size_t which = 0; which < COUNT_OF(SCANS); which++) {
        struct numbers numbers = {which + 1};
        size_t fills = strlen(SCANS[which].fill);
        for (size_t len = 0; len <= 70; len++) {
            char *text = mem_resize(NULL, len);
            for (size_t place = 0; place < (len ? len : 1); place++) {
                for (int byte = 0; byte < 256; byte++) {
                    for (size_t i = 0; i < len; i++)
                        text[i] = i == place ? (char)byte : SCANS[which].fill[numbers_below(&numbers, fills)];
                    const char *end = text + len, *wanted = SCANS[which].slowly(text, end);
                    bool same = SCANS[which].portable(text, end) == wanted &&
                                SCANS[which].wide(text, end) == wanted && SCANS[which].used(text, end) == wanted;
                    cr_assert(same, "%s: byte %02x at %zu of %zu", SCANS[which].name, (unsigned)byte, place, len);
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
    for (int round = 0; round < 200000; round++) {
        size_t len = numbers_below(&numbers, sizeof text);
        for (size_t i = 0; i < len; i++)
            text[i] = few[numbers_below(&numbers, sizeof few - 1) % (1 + (size_t)round % (sizeof few - 1))];
        for (size_t which = 0; which < COUNT_OF(SCANS); which++) {
            size_t start = len ? numbers_below(&numbers, len) : 0;
            const char *at = text + start, *end = text + len, *wanted = SCANS[which].slowly(at, end);
            cr_assert(SCANS[which].portable(at, end) == wanted && SCANS[which].wide(at, end) == wanted, "%s",
                      SCANS[which].name);
        }
    }
}
