/*
 * Numbers as evidence sees them: text to double and back, exactly, whatever
 * the locale and the rounding mode of the process are. Integer arithmetic only.
 */
#ifndef STRANDLINE_MODEL_EVIDENCE_NUMBER_H
#define STRANDLINE_MODEL_EVIDENCE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"

enum { NUMBER_TEXT = 32, NUMBER_DIGITS = 17 };

/*
 * The shortest decimal that reads back as the same double and, among those, the
 * closest: 0.d₁d₂…dₙ × 10^point. What every notation below is laid out from.
 */
struct number_digits {
    bool negative;             /* true of -0 too */
    uint8_t count;             /* 1 to 17, no trailing zeros; zero is the one digit 0 */
    char digit[NUMBER_DIGITS]; /* '0' to '9' */
    int point;                 /* 1 means d₁.d₂… */
};

/* `value` must be finite. */
void number_digits(double value, struct number_digits *digits);

/* ECMAScript Number::toString(10) (RFC 8785 §3.2.2.3): -0 is "0", 1e21 is "1e+21". `value` must be
 * finite. Returns the length; there is no NUL. */
size_t number_to_text(double value, char out[NUMBER_TEXT]);

enum number_kind {
    NUMBER_NORMAL,
    NUMBER_UNDERFLOW, /* not zero as written, zero as a double */
    NUMBER_OVERFLOW,  /* beyond the largest double; value is an infinity */
    NUMBER_INVALID,   /* no JSON number */
};

/* The nearest double, ties to even, of a JSON number token, all of it. */
enum number_kind number_from_text(struct span token, double *value);

/* Is the token an integer by its form: digits and a sign, no point, no exponent? */
bool number_is_integer_token(struct span token);

#endif
