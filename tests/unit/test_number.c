/* Numbers: the published ECMAScript vectors, exactness both ways, no locale, no rounding mode. */
#include <criterion/criterion.h>

#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "model/evidence/digest.h"
#include "model/evidence/number.h"
#include "tests/unit/files.h"
#include "tests/unit/numbers.h"

static double of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static const char *text_of(double value)
{
    static char text[NUMBER_TEXT + 1];
    text[number_to_text(value, text)] = '\0';
    return text;
}

Test(number, written_as_ecmascript_writes_them)
{
    static const struct {
        uint64_t bits;
        const char *text;
    } cases[] = {
        {0, "0"},
        {0x8000000000000000, "0"},
        {1, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
        {0x0010000000000000, "2.2250738585072014e-308"},
        {0x000fffffffffffff, "2.225073858507201e-308"},
        {0x3ff0000000000000, "1"},
        {0x4341c37937e08000, "10000000000000000"},
        {0x3fb999999999999a, "0.1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        cr_expect_str_eq(text_of(of_bits(cases[i].bits)), cases[i].text, "%" PRIx64, cases[i].bits);
}

/* The fixed values that the published generator starts with: its list is in the vectors' README. */
static size_t read_fixed_values(uint64_t *values, size_t size)
{
    struct buf readme = {0};
    size_t count = 0;
    if (files_read_shared("vectors/jcs/cyberphone/README.md", &readme)) {
        const char *end = strstr(buf_cstr(&readme), "staticF64s =");
        for (const char *at = buf_cstr(&readme); at && at < end && count < size; at++)
            if (strncmp(at, "0x", 2) == 0 && at[18] == 'n')
                values[count++] = strtoull(at, NULL, 16);
    }
    buf_finish(&readme);
    return count;
}

/* Fixed values, 2000 neighbours of the smallest normal number, then a chain of SHA-256. */
struct sequence {
    uint64_t fixed[256];
    size_t fixed_count, line;
    struct hasher *hasher;
    struct digest block; /* four values, in the byte order of the machine that made the vectors */
    size_t in_block;
};

static uint64_t next_value(struct sequence *s)
{
    size_t line = s->line++;
    if (line < s->fixed_count)
        return s->fixed[line];
    if (line < s->fixed_count + 2000)
        return 0x0010000000000000 + (line - s->fixed_count);
    uint64_t bits;
    do {
        if (s->in_block == 4) {
            struct span last = {(char *)s->block.bytes, 32};
            hasher_digest(s->hasher, DIGEST_SHA256, last, &s->block, NULL);
            s->in_block = 0;
        }
        memcpy(&bits, s->block.bytes + 8 * s->in_block++, 8);
    } while (of_bits(bits) == 0 || !isfinite(of_bits(bits)));
    return bits;
}

/* SHA-256 of the first lines of the published file; each number is also read back. */
static void hash_lines(struct sequence *s, size_t lines, struct hasher *hasher, struct buf *hex)
{
    struct digest digest;
    size_t wrong = 0;
    hasher_begin(hasher, DIGEST_SHA256, NULL);
    for (size_t i = 0; i < lines; i++) {
        char line[NUMBER_TEXT + 32];
        uint64_t bits = next_value(s);
        size_t begin = (size_t)sprintf(line, "%" PRIx64 ",", bits);
        size_t len = number_to_text(of_bits(bits), line + begin);
        double back;
        number_from_text((struct span){line + begin, len}, &back);
        wrong += back != of_bits(bits);
        line[begin + len] = '\n';
        hasher_add(hasher, (struct span){line, begin + len + 1});
    }
    hasher_end(hasher, &digest);
    cr_expect_eq(wrong, 0, "%zu numbers read back as others", wrong);
    hex_encode(hex, (struct span){(char *)digest.bytes, digest.len});
}

Test(number, published_es6_hashes, .timeout = 300)
{
    static const struct {
        size_t lines;
        const char *sha256;
    } published[] = {
        {1000, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687"},
        {10000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"},
        {100000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"},
        {1000000, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"},
        {10000000, "b9f8a44a91d46813b21b9602e72f112613c91408db0b8341fb94603d9db135e0"},
    };
    size_t most = getenv("STRANDLINE_SLOW_TESTS") ? COUNT_OF(published) : 3;
    struct hasher *hasher = hasher_create();
    for (size_t i = 0; i < most; i++) {
        struct sequence s = {.hasher = hasher_create(), .in_block = 4};
        struct buf hex = {0};
        s.fixed_count = read_fixed_values(s.fixed, COUNT_OF(s.fixed));
        if (s.fixed_count == 0)
            cr_skip_test("no shared vectors");
        hash_lines(&s, published[i].lines, hasher, &hex);
        cr_expect_str_eq(buf_cstr(&hex), published[i].sha256, "%zu lines", published[i].lines);
        buf_finish(&hex);
        hasher_destroy(s.hasher);
    }
    hasher_destroy(hasher);
}

/* The same without the published list at its start, so that it needs no file: what node (v20.20.2)
 * writes for these 100000 numbers. */
Test(number, hash_of_node)
{
    struct sequence s = {.hasher = hasher_create(), .in_block = 4};
    struct hasher *hasher = hasher_create();
    struct buf hex = {0};
    hash_lines(&s, 100000, hasher, &hex);
    cr_expect_str_eq(buf_cstr(&hex),
                     "2afd8d49ec3b2f3e295170bb7709e24e162757137b91446555d5ecf8adf5be36");
    buf_finish(&hex);
    hasher_destroy(hasher);
    hasher_destroy(s.hasher);
}

/* Lines of "hex,text…" from the shared vectors. */
static size_t expect_file(const char *path, bool header)
{
    struct buf file = {0};
    if (!files_read_shared(path, &file))
        return 0;
    size_t count = 0;
    for (char *line = strtok((char *)buf_cstr(&file), "\n"); line; line = strtok(NULL, "\n")) {
        if (header) {
            header = false;
            continue;
        }
        char *comma = strchr(line, ',');
        *comma = '\0';
        char *want = comma + 1, *power = strchr(want, ',');
        if (power) { /* hex,power,correct,wrong */
            want = power + 1;
            *strchr(want, ',') = '\0';
        }
        double value = of_bits(strtoull(line, NULL, 16));
        cr_expect_str_eq(text_of(value), want, "%s", line);
        count++;
    }
    buf_finish(&file);
    return count;
}

/* Significant digits of a number's text: no sign, point, exponent, or zeros at either end. */
static size_t digits_of(const char *text, char *digits)
{
    size_t count = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count || *text != '0'))
            digits[count++] = *text;
    while (count && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return count;
}

/*
 * The usual loop, the fewest digits of %.{0..16}e that are read back as the number. Below a power
 * of two the interval is half as wide, so the decimal next to it upwards can be one that fits and
 * that the loop never tries: for 46 powers it ends one digit later than ECMAScript does.
 */
Test(number, powers_of_two)
{
    size_t wrong = 0;
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double value = ldexp(1, exponent);
        char loop[64], theirs[64], ours[64], text[64];
        snprintf(text, sizeof text, "%s", text_of(value));
        cr_assert_eq(strtod(text, NULL), value, "2^%d", exponent);
        for (int digits = 0; digits < 17; digits++) {
            snprintf(loop, sizeof loop, "%.*e", digits, value);
            if (strtod(loop, NULL) == value)
                break;
        }
        size_t count = digits_of(text, ours), looped = digits_of(loop, theirs);
        bool same = strcmp(ours, theirs) == 0;
        cr_expect(same || count + 1 == looped, "2^%d: %s, %s", exponent, text, loop);
        wrong += !same;
    }
    cr_expect_eq(wrong, 46, "%zu", wrong);
}

Test(number, shared_vectors)
{
    size_t powers = expect_file("vectors/num/pow2_naive_loop_failures.csv", true);
    size_t edges = expect_file("vectors/num/edge-sample.txt", false);
    if (powers == 0)
        cr_skip_test("no shared vectors");
    cr_expect_eq(powers, 46);
    cr_expect_eq(edges, 6000);
}

Test(number, read_exactly)
{
    static const struct {
        const char *text;
        enum number_kind kind;
        uint64_t bits;
    } cases[] = {
        {"0", NUMBER_NORMAL, 0},
        {"-0", NUMBER_NORMAL, 0x8000000000000000},
        {"0e999999999999999999999", NUMBER_NORMAL, 0},
        {"1e-400", NUMBER_UNDERFLOW, 0},
        {"-1e-99999999999999999999", NUMBER_UNDERFLOW, 0x8000000000000000},
        {"1e400", NUMBER_OVERFLOW, 0x7ff0000000000000},
        {"-1e309", NUMBER_OVERFLOW, 0xfff0000000000000},
        {"1.7976931348623157e308", NUMBER_NORMAL, 0x7fefffffffffffff},
        {"1.7976931348623158e308", NUMBER_NORMAL, 0x7fefffffffffffff},
        {"1.7976931348623159e308", NUMBER_OVERFLOW, 0x7ff0000000000000},
        {"5e-324", NUMBER_NORMAL, 1},
        {"2.5e-324", NUMBER_NORMAL, 1},
        {"2.4e-324", NUMBER_UNDERFLOW, 0},
        {"2.4703282292062327208e-324", NUMBER_UNDERFLOW, 0},
        {"2.4703282292062327209e-324", NUMBER_NORMAL, 1},
        {"2.2250738585072011e-308", NUMBER_NORMAL, 0x000fffffffffffff},
        {"9007199254740993", NUMBER_NORMAL, 0x4340000000000000}, /* a tie: to even */
        {"9007199254740995", NUMBER_NORMAL, 0x4340000000000002},
        {"9007199254740993.00000000000000000000000000001", NUMBER_NORMAL, 0x4340000000000001},
        {"1.00000000000000011102230246251565404236316680908203125", NUMBER_NORMAL,
         0x3ff0000000000000},
        {"1.00000000000000011102230246251565404236316680908203126", NUMBER_NORMAL,
         0x3ff0000000000001},
        {"0.1", NUMBER_NORMAL, 0x3fb999999999999a},
        {"1e23", NUMBER_NORMAL, 0x44b52d02c7e14af6},
        {"18446744073709551616", NUMBER_NORMAL, 0x43f0000000000000},
        {"", NUMBER_INVALID, 0},
        {"-", NUMBER_INVALID, 0},
        {"01", NUMBER_INVALID, 0},
        {"1.", NUMBER_INVALID, 0},
        {".5", NUMBER_INVALID, 0},
        {"+1", NUMBER_INVALID, 0},
        {"1e", NUMBER_INVALID, 0},
        {"1e+", NUMBER_INVALID, 0},
        {"1x", NUMBER_INVALID, 0},
        {"NaN", NUMBER_INVALID, 0},
        {"0x10", NUMBER_INVALID, 0},
        {"1,5", NUMBER_INVALID, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        double value;
        cr_expect_eq(number_from_text(span_of(cases[i].text), &value), cases[i].kind, "%s",
                     cases[i].text);
        cr_expect_eq(bits_of(value), cases[i].bits, "%s gives %" PRIx64, cases[i].text,
                     bits_of(value));
    }
    cr_expect(number_is_integer_token(SPAN("-12")));
    cr_expect(!number_is_integer_token(SPAN("12.0")));
    cr_expect(!number_is_integer_token(SPAN("1e2")));
}

/* Against libc, which is exact in the C locale: random digits and exponents, and the midpoints
 * between doubles, where rounding is decided. */
Test(number, agrees_with_libc)
{
    struct numbers numbers = {0x9e3779b97f4a7c15};
    char text[1200];
    for (int i = 0; i < 200000; i++) {
        uint64_t random = numbers_bits(&numbers);
        if (i % 2) {
            snprintf(text, sizeof text, "%" PRIu64 "e%d", random >> random % 60,
                     (int)(numbers_bits(&numbers) % 680) - 350);
        } else {
            double low = of_bits(random & 0x7fffffffffffffff);
            double high = of_bits((random & 0x7fffffffffffffff) + 1);
            if (!isfinite(low) || !isfinite(high))
                continue;
            long double middle = ((long double)low + (long double)high) / 2;
            snprintf(text, sizeof text, "%.*Le", 15 + (int)(random % 12), middle);
        }
        double value, want = strtod(text, NULL);
        number_from_text(span_of(text), &value);
        cr_assert_eq(bits_of(value), bits_of(want), "%s", text);
    }
}

Test(number, locale_and_rounding_mode_do_not_matter)
{
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const char *const texts[] = {"0.1", "1e23",
                                        "9007199254740993.00000000000000000000000001",
                                        "123456.789e-5", "2.4703282292062327209e-324"};
    static const uint64_t bits[] = {0x3fb999999999999a, 0x44b52d02c7e14af6, 0x4340000000000001,
                                    0x3ff3c0ca4283de1b, 1};
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a comma, where the machine has it */
    for (size_t m = 0; m < COUNT_OF(modes); m++) {
        fesetround(modes[m]);
        for (size_t i = 0; i < COUNT_OF(texts); i++) {
            double value;
            number_from_text(span_of(texts[i]), &value);
            cr_expect_eq(bits_of(value), bits[i], "%s in mode %d", texts[i], modes[m]);
        }
        cr_expect_str_eq(text_of(of_bits(0x44b52d02c7e14af6)), "1e+23");
        cr_expect_eq(fegetround(), modes[m]);
    }
    fesetround(FE_TONEAREST);
}

Test(number, fast)
{
    struct numbers numbers = {20260528};
    struct timespec from, to;
    size_t sink = 0;
    enum { ROUNDS = 200000 };
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    for (int i = 0; i < ROUNDS; i++) {
        char text[NUMBER_TEXT];
        double value = of_bits(numbers_bits(&numbers) & 0xbfffffffffffffff);
        sink += number_to_text(value, text);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    double each =
        ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / ROUNDS;
    cr_expect(sink > ROUNDS);
    cr_expect_lt(each, 3000.0, "%.0f ns a number", each);
}
