#!/usr/bin/env python3
"""Writes text_tables.c: what each code point is and how wide.

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


def properties():
    """Of every code point: emoji << 7 | mark << 4 | columns."""
    for code in range(0x110000):
        what = mark(code)
        yield what << 4 | 1 if what else bool(prop(code, EMOJI)) << 7 | width(code)


def pages(all_of_them):
    """The different pages of 256 code points, and which of them each 256 are."""
    different, numbers = {}, []
    for at in range(0, len(all_of_them), 256):
        page = all_of_them[at:at + 256]
        numbers.append(different.setdefault(page, len(different)))
    return list(different), numbers


def main():
    everything = bytes(properties())
    palette = sorted(set(everything))
    letters = bytes.maketrans(bytes(palette), bytes(range(ord("a"), ord("a") + len(palette))))
    different, numbers = pages(everything)
    print(f"/* Made by text_tables.py from the data of Unicode {version()}; not edited by hand. */")
    print('#include "base/text_tables.h"\n\n#include "base/text.h"\n')
    print("/* clang-format off */")
    print(f'const char text_unicode_version[] = "{version()}";\n')
    print("const uint8_t text_properties[] = {")
    print("    " + ", ".join(f"0x{value:02x}" for value in palette) + ",\n};\n")
    print("const uint8_t text_page_of[0x1100] = {")
    for at in range(0, len(numbers), 24):
        print("    " + ",".join(f"{number}" for number in numbers[at:at + 24]) + ",")
    print("};\n")
    print("const char text_pages[][257] = {")
    for number, page in enumerate(different):
        page = page.translate(letters).decode()
        print(f"    /* {number} */")
        for at in range(0, 256, 64):
            print(f'    "{page[at:at + 64]}"' + ("," if at == 192 else ""))
    print("};")


main()
