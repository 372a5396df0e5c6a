/*
 * What a byte of ASCII is: its lower case, its value as a digit. Of no locale: the letters of
 * another encoding stay what they are.
 */
#ifndef STRANDLINE_BASE_ASCII_H
#define STRANDLINE_BASE_ASCII_H

/* A to Z as a to z; anything else as it is. */
static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
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
