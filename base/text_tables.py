#!/usr/bin/env python3
"""Writes text_tables.c: what each code point is and how wide, as ranges.

Run by hand when Unicode moves on (ICU 72 has Unicode 15.0):

    python3 base/text_tables.py 72 > base/text_tables.c

Nothing of ICU is needed to build or to run strandline.
"""
import ctypes
import sys

ICU = sys.argv[1] if len(sys.argv) > 1 else "72"
icu = ctypes.CDLL(f"libicuuc.so.{ICU}")

PLAIN, CONTROL, INVALID, BIDI, INVISIBLE, TAG, UNKNOWN = range(7)  # enum text_mark

# from ICU's uchar.h
DEFAULT_IGNORABLE, EMOJI, EAST_ASIAN_WIDTH, HANGUL_SYLLABLE_TYPE = 5, 57, 0x1004, 0x100B
VOWEL, TRAILING = 2, 3
FULLWIDTH, WIDE = 3, 5
UNASSIGNED, NONSPACING, ENCLOSING, LINE, PARAGRAPH, CC, CF, CO, CS = 0, 6, 7, 13, 14, 15, 16, 17, 18

BIDI_CONTROLS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}

# Not "default ignorable" in Unicode's words, yet nothing is seen of them: the blank Braille cell
# and the null notehead.
BLANK = {0x2800, 0x1D159}


def version():
    numbers = (ctypes.c_uint8 * 4)()
    getattr(icu, f"u_getUnicodeVersion_{ICU}")(numbers)
    return f"{numbers[0]}.{numbers[1]}"


category = getattr(icu, f"u_charType_{ICU}")
category.restype = ctypes.c_int8
prop = getattr(icu, f"u_getIntPropertyValue_{ICU}")


def mark(code):
    kind = category(code)
    if kind == CC:
        return CONTROL
    if code in BIDI_CONTROLS:
        return BIDI
    if 0xE0000 <= code <= 0xE007F:
        return TAG
    if kind in (UNASSIGNED, CO, CS):
        return UNKNOWN
    if kind in (CF, LINE, PARAGRAPH) or code in BLANK or prop(code, DEFAULT_IGNORABLE):
        return INVISIBLE
    return PLAIN


def width(code):
    # vowels and finals of conjoining Hangul are drawn into the cells of the initial
    if category(code) in (NONSPACING, ENCLOSING) or prop(code, HANGUL_SYLLABLE_TYPE) in (VOWEL, TRAILING):
        return 0
    return 2 if prop(code, EAST_ASIAN_WIDTH) in (FULLWIDTH, WIDE) else 1


def ranges():
    last = None
    for code in range(0x110000):
        what = mark(code)
        value = what << 4 | 1
        if what == PLAIN:
            value = bool(prop(code, EMOJI)) << 7 | width(code)
        if value != last:
            yield code << 8 | value
            last = value


def main():
    starts = [f"0x{value:08x}" for value in ranges()]
    print(f"/* Made by text_tables.py from the data of Unicode {version()}; not edited by hand. */")
    print('#include "base/text_tables.h"\n\n#include "base/text.h"\n')
    print(f'const char text_unicode_version[] = "{version()}";\n')
    print(f"const size_t text_range_count = {len(starts)};")
    print("const uint32_t text_ranges[] = {")
    for at in range(0, len(starts), 8):
        print("    " + ", ".join(starts[at:at + 8]) + ",")
    print("};")


main()
