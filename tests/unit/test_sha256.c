#include <criterion/criterion.h>
#include <stdio.h>

#include "base/sha256.h"

static const char *hex(const uint8_t digest[SHA256_BYTES])
{
    static char text[2 * SHA256_BYTES + 1];
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

/* FIPS 180-4's examples. */
static const char *const of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
static const char *const of_abc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Test(sha256, parts_and_what_stands_behind_them)
{
    uint8_t digest[SHA256_BYTES];
    sha256_of(SPAN("abc"), digest);
    cr_assert_str_eq(hex(digest), of_abc);
    sha256_of((struct span){NULL, 0}, digest);
    cr_assert_str_eq(hex(digest), of_nothing);

    struct sha256 hash;
    sha256_init(&hash);
    sha256_so_far(&hash, SPAN_EMPTY, digest);
    cr_assert_str_eq(hex(digest), of_nothing);
    sha256_add(&hash, SPAN("a"));
    sha256_so_far(&hash, SPAN("bc"), digest);
    cr_assert_str_eq(hex(digest), of_abc);
    sha256_add(&hash, SPAN("bc"));
    sha256_so_far(&hash, SPAN_EMPTY, digest);
    cr_assert_str_eq(hex(digest), of_abc, "what stood behind was not added");
    sha256_finish(&hash);
    sha256_finish(&hash);
}
