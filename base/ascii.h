/*
 * What a byte of ASCII is: a letter, a blank, its lower case, its value as a digit. Of no locale,
 * unlike C's own functions: the letters of another encoding stay what they are, and what is found
 * in a log is the same on every machine.
 */
#ifndef STRANDLINE_BASE_ASCII_H
#define STRANDLINE_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

/* A to Z as a to z; anything else as it is. */
static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline bool ascii_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static inline bool ascii_is_letter(char c)
{
    return ascii_is_lower(ascii_lower(c));
}

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_alnum(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

/* White space of JSON (RFC 8259 §2), and of most logs. */
static inline bool ascii_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Is it one of these signs? Unlike strchr, a NUL byte of the data is none. */
static inline bool ascii_is_one_of(char c, const char *signs)
{
    return c && strchr(signs, c);
}

/* The value of a hexadecimal digit in either case; else -1. */
static inline int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The value of a digit of base64 or base64url (RFC 4648 §4, §5); else -1. */
static inline int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

#endif
