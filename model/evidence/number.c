/*
 * Double to text: Raffaello Giulietti, "The Schubfach way to render doubles"
 * (2020): scale the value and the two ends of its rounding interval by one
 * power of ten, rounded to odd, and pick from at most four candidates.
 *
 * Text to double: up to 19 digits times a power of ten of 128 bits gives an
 * interval that holds the exact product (after Daniel Lemire, "Number parsing at
 * a gigabyte per second", 2021). Where all of it rounds to one double, that is
 * it; the few others go to strtod in the C locale, rounding to nearest.
 */
#include "model/evidence/number.h"

#include <assert.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

struct wide {
    uint64_t low, high;
};

#include "model/evidence/powers.h"

enum {
    FRACTION_BITS = 52,
    EXPONENT_BIAS = 1023 + FRACTION_BITS, /* of the value as an integer times a power of two */
    EXPONENT_MAX = 2047,
    DIGITS_HELD = 19, /* always fit 64 bits */
    EXACT_FIRST = 0,  /* the powers of ten that 128 bits hold exactly: 5^55 < 2^128 */
    EXACT_LAST = 55,
};

static const uint64_t HIDDEN_BIT = UINT64_C(1) << FRACTION_BITS;

static struct wide multiply(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (struct wide){(uint64_t)product, (uint64_t)(product >> 64)};
}

/* floor(log2(10^k)) and floor(log10(2^q)), floor(log10(3/4 · 2^q)); exact over all that occurs. */
static int log2_of_power(int k)
{
    return (k * 1741647) >> 19;
}

static int log10_of_double(int q, bool closer)
{
    return (q * 1262611 - (closer ? 524031 : 0)) >> 22;
}

static const struct wide *power(int k)
{
    assert(k >= POWER_FIRST && k <= POWER_LAST);
    return &powers[k - POWER_FIRST];
}

/* The high 64 bits of power × scaled (of 192), its last bit set where anything was cut off. */
static uint64_t round_to_odd(const struct wide *p, uint64_t scaled)
{
    struct wide low = multiply(p->low, scaled), high = multiply(p->high, scaled);
    uint64_t middle = high.low + low.high;
    uint64_t top = high.high + (middle < low.high);
    return top | (middle > 1);
}

/* A decimal: digits × 10^exponent. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* The value is c × 2^q; `closer` where it is a power of two, whose lower neighbour is only half as
 * far away as its upper one. */
static struct decimal shortest(uint64_t c, int q, bool closer)
{
    bool even = c % 2 == 0; /* then the ends of the interval round to the value, too */
    int k = log10_of_double(q, closer);
    int shift = q + log2_of_power(-k) + 1;
    const struct wide *p = power(-k);
    uint64_t low = round_to_odd(p, (4 * c - 2 + closer) << shift);
    uint64_t value = round_to_odd(p, (4 * c) << shift); /* in quarters of 10^k */
    uint64_t high = round_to_odd(p, (4 * c + 2) << shift);
    uint64_t first = low + !even, last = high - !even;

    uint64_t units = value / 4;
    if (units >= 10) { /* is one digit less enough? */
        uint64_t tens = units / 10;
        bool below = first <= 40 * tens, above = 40 * tens + 40 <= last;
        if (below != above)
            return (struct decimal){tens + above, k + 1};
    }
    bool below = first <= 4 * units, above = 4 * units + 4 <= last;
    if (below != above)
        return (struct decimal){units + above, k};
    uint64_t half = 4 * units + 2;
    bool up = value > half || (value == half && units % 2 != 0);
    return (struct decimal){units + up, k};
}

static struct decimal decimal_of(uint64_t bits)
{
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int exponent = (int)(bits >> FRACTION_BITS) & EXPONENT_MAX;
    if (exponent == 0)
        return shortest(fraction, 1 - EXPONENT_BIAS, false);
    uint64_t c = fraction | HIDDEN_BIT;
    int q = exponent - EXPONENT_BIAS;
    if (q <= 0 && q > -53 && (c & ((UINT64_C(1) << -q) - 1)) == 0)
        return (struct decimal){c >> -q, 0}; /* an integer: exact */
    return shortest(c, q, fraction == 0 && exponent > 1);
}

void number_digits(double value, struct number_digits *digits)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    assert(((bits >> FRACTION_BITS) & EXPONENT_MAX) != EXPONENT_MAX);
    digits->negative = bits >> 63;
    if (bits << 1 == 0) {
        digits->count = 1;
        digits->digit[0] = '0';
        digits->point = 1;
        return;
    }
    struct decimal d = decimal_of(bits);
    assert(d.digits);
    char text[20];
    size_t at = sizeof text;
    for (uint64_t rest = d.digits; rest; rest /= 10)
        text[--at] = (char)('0' + rest % 10);
    size_t end = sizeof text;
    digits->point = (int)(end - at) + d.exponent;
    while (end > at + 1 && text[end - 1] == '0')
        end--;
    assert(end > at);
    digits->count = (uint8_t)(end - at);
    memcpy(digits->digit, text + at, end - at);
}

static char *put_exponent(char *at, int exponent)
{
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    unsigned rest = (unsigned)abs(exponent);
    if (rest >= 100)
        *at++ = (char)('0' + rest / 100);
    if (rest >= 10)
        *at++ = (char)('0' + rest / 10 % 10);
    *at++ = (char)('0' + rest % 10);
    return at;
}

static char *number_put(char *at, const char *from, size_t len)
{
    memcpy(at, from, len);
    return at + len;
}

size_t number_to_text(double value, char out[NUMBER_TEXT])
{
    struct number_digits d;
    number_digits(value, &d);
    char *at = out;
    if (d.negative && d.digit[0] != '0')
        *at++ = '-';
    int count = d.count, point = d.point;
    if (count <= point && point <= 21) {
        at = number_put(at, d.digit, d.count);
        memset(at, '0', (size_t)(point - count));
        at += point - count;
    } else if (0 < point && point <= 21) {
        at = number_put(at, d.digit, (size_t)point);
        *at++ = '.';
        at = number_put(at, d.digit + point, (size_t)(count - point));
    } else if (-6 < point && point <= 0) {
        at = number_put(at, "0.", 2);
        memset(at, '0', (size_t)-point);
        at = number_put(at - point, d.digit, d.count);
    } else {
        *at++ = d.digit[0];
        if (count > 1) {
            *at++ = '.';
            at = number_put(at, d.digit + 1, (size_t)(count - 1));
        }
        at = put_exponent(at, point - 1);
    }
    return (size_t)(at - out);
}

/* ---- text to double ---- */

/* A token taken apart: digits × 10^exponent, up to one unit more where digits were left out. */
struct parts {
    bool negative, integer, cut;
    uint64_t digits;
    long exponent;
};

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static void take_digit(struct parts *p, int *held, char digit, bool fraction)
{
    if (*held < DIGITS_HELD) {
        p->digits = p->digits * 10 + (uint64_t)(digit - '0');
        *held += p->digits != 0;
        p->exponent -= fraction;
    } else {
        p->cut |= digit != '0';
        p->exponent += !fraction;
    }
}

/* The grammar of RFC 8259 section 6. */
static bool take_apart(struct span token, struct parts *p)
{
    const char *at = token.at, *end = token.at + token.len;
    int held = 0;
    *p = (struct parts){.integer = true};
    if (at < end && *at == '-') {
        p->negative = true;
        at++;
    }
    if (!is_digit(at, end) || (*at == '0' && is_digit(at + 1, end)))
        return false;
    for (; is_digit(at, end); at++)
        take_digit(p, &held, *at, false);
    if (at < end && *at == '.') {
        p->integer = false;
        if (!is_digit(++at, end))
            return false;
        for (; is_digit(at, end); at++)
            take_digit(p, &held, *at, true);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        p->integer = false;
        bool minus = ++at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+'))
            at++;
        if (!is_digit(at, end))
            return false;
        long exponent = 0;
        for (; is_digit(at, end); at++)
            if (exponent < 1L << 40)
                exponent = exponent * 10 + (*at - '0');
        p->exponent += minus ? -exponent : exponent;
    }
    return at == end;
}

/* The double nearest to top/2^63 × 2^exponent2, and a little more where `rest`; bit 63 of top is
 * set. Its bits, without the sign. */
static uint64_t number_bits_of(uint64_t top, bool rest, int exponent2)
{
    int drop = 63 - FRACTION_BITS;
    int biased = exponent2 + 1023;
    if (biased < 1) { /* subnormal: fewer bits */
        drop += 1 - biased;
        biased = 0;
        if (drop > 64)
            return 0; /* below half of the smallest */
    }
    uint64_t kept = drop == 64 ? 0 : top >> drop;
    uint64_t half = UINT64_C(1) << (drop - 1);
    uint64_t tail = top & (half | (half - 1));
    if (tail > half || (tail == half && (rest || kept & 1)))
        kept++;
    /* The hidden bit, or a carry into it, adds itself to the exponent. */
    uint64_t bits = kept + ((uint64_t)(biased > 0 ? biased - 1 : 0) << FRACTION_BITS);
    uint64_t infinity = (uint64_t)EXPONENT_MAX << FRACTION_BITS;
    return bits > infinity ? infinity : bits;
}

/* The doubles nearest to the two ends of the interval in which digits × 10^k, not zero, lies. */
static void bounds(uint64_t digits, int k, uint64_t *low_bits, uint64_t *high_bits)
{
    int zeros = __builtin_clzll(digits);
    uint64_t scaled = digits << zeros;
    const struct wide *p = power(k);
    struct wide low = multiply(p->low, scaled), high = multiply(p->high, scaled);
    /* 192 bits: top, middle, low.low; the power was rounded up by less than one unit of its last
     * place, so that the true product is above (top, middle) - 1. */
    uint64_t middle = high.low + low.high;
    uint64_t top = high.high + (middle < low.high);
    int exponent2 = log2_of_power(k) + 64 - zeros;
    bool exact = k >= EXACT_FIRST && k <= EXACT_LAST;
    uint64_t under_middle = middle, under_top = top;
    bool tail = low.low != 0;
    if (!exact) {
        under_top -= under_middle == 0;
        under_middle--;
    }
    for (int side = 0; side < 2; side++) {
        uint64_t t = side ? top : under_top, m = side ? middle : under_middle;
        int e = exponent2;
        if (!(t >> 63)) {
            t = t << 1 | m >> 63;
            m <<= 1;
            e--;
        }
        bool rest = m != 0 || tail || (!exact && side == 0);
        *(side ? high_bits : low_bits) = number_bits_of(t, rest, e);
    }
}

/* By libc, in the C locale, rounding to nearest. */
static uint64_t slow_bits(struct span token)
{
    char near[128], *text = token.len < sizeof near ? near : mem_alloc(token.len + 1);
    memcpy(text, token.at, token.len);
    text[token.len] = '\0';
    int rounding = fegetround();
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        mem_exhausted();
    fesetround(FE_TONEAREST);
    double value = fabs(strtod_l(text, NULL, c_locale));
    fesetround(rounding);
    freelocale(c_locale);
    if (text != near)
        mem_free(text);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

enum number_kind number_from_text(struct span token, double *value)
{
    struct parts p;
    *value = 0;
    if (!take_apart(token, &p))
        return NUMBER_INVALID;
    uint64_t bits = 0, infinity = (uint64_t)EXPONENT_MAX << FRACTION_BITS;
    if (p.digits == 0 || p.exponent < -343) {
        bits = 0;
    } else if (p.exponent > 308) {
        bits = infinity;
    } else {
        uint64_t low, high, unused;
        bounds(p.digits, (int)p.exponent, &low, &high);
        if (p.cut)
            bounds(p.digits + 1, (int)p.exponent, &unused, &high);
        bits = low == high ? low : slow_bits(token);
    }
    enum number_kind kind = bits == infinity             ? NUMBER_OVERFLOW
                            : bits == 0 && p.digits != 0 ? NUMBER_UNDERFLOW
                                                         : NUMBER_NORMAL;
    bits |= (uint64_t)p.negative << 63;
    memcpy(value, &bits, sizeof bits);
    return kind;
}

bool number_is_integer_token(struct span token)
{
    struct parts p;
    return take_apart(token, &p) && p.integer;
}
