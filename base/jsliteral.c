#include "base/jsliteral.h"

#include "base/ascii.h"
#include "base/text.h"

size_t jsliteral_size(struct span text)
{
    if (!text.len || !text.at[0] || !ascii_is_one_of(text.at[0], "'\"`"))
        return 0;
    for (size_t i = 1; i < text.len; i++) {
        if (text.at[i] == '\\')
            i++;
        else if (text.at[i] == text.at[0])
            return i + 1;
    }
    return 0;
}

static bool hex_number(struct span digits, uint32_t *number)
{
    *number = 0;
    for (size_t i = 0; i < digits.len; i++) {
        int digit = hex_digit(digits.at[i]);
        if (digit < 0)
            return false;
        *number = *number << 4 | (uint32_t)digit;
    }
    return true;
}

/* What follows a backslash; bytes taken, 0: it means nothing. */
static size_t escape(struct span s, struct buf *out)
{
    static const char letters[] = "nrtbfv0", bytes[] = "\n\r\t\b\f\v";
    if (!s.len)
        return 0;
    const char *letter = s.at[0] ? strchr(letters, s.at[0]) : NULL;
    size_t digits = s.at[0] == 'x' ? 2 : s.at[0] == 'u' ? 4 : 0;
    uint32_t code;
    if (letter) {
        buf_byte(out, bytes[letter - letters]);
        return 1;
    }
    if (!digits) { /* the quotes and the backslash spell themselves */
        buf_byte(out, s.at[0]);
        return 1;
    }
    struct span hex = span_sub(s, 1, digits);
    if (hex.len < digits || !hex_number(hex, &code))
        return 0;
    bool lone = code >= 0xd800 && code < 0xe000; /* printed alone, it has no partner */
    utf8_encode(out, lone ? 0xfffd : code);
    return 1 + digits;
}

bool jsliteral_text(struct span literal, struct buf *out)
{
    if (!literal.len || jsliteral_size(literal) != literal.len)
        return false;
    struct span rest = span_sub(literal, 1, literal.len - 2);
    while (rest.len) {
        size_t plain = span_find_byte(rest, '\\');
        buf_add(out, span_sub(rest, 0, plain));
        rest = span_sub(rest, plain, rest.len);
        if (!rest.len)
            break;
        rest = span_sub(rest, 1, rest.len);
        size_t taken = escape(rest, out);
        if (!taken)
            return false;
        rest = span_sub(rest, taken, rest.len);
    }
    return true;
}
