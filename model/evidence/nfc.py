#!/usr/bin/env python3
"""Writes the tables behind nfc.c from Python's own Unicode data: canonical
decompositions (in full), canonical compositions of pairs, combining classes."""
import sys
import unicodedata as u

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]
HANGUL = range(0xAC00, 0xAC00 + 11172)

decompositions, compositions, classes = [], [], []
for code in SCALARS:
    char = chr(code)
    if u.combining(char):
        classes.append((code, u.combining(char)))
    if code in HANGUL:
        continue
    nfd = u.normalize("NFD", char)
    if nfd != char:
        decompositions.append((code, [ord(x) for x in nfd]))
    pair = u.decomposition(char)
    if pair and not pair.startswith("<") and " " in pair:
        first, second = (int(x, 16) for x in pair.split())
        if u.normalize("NFC", chr(first) + chr(second)) == char:
            compositions.append((first, second, code))
compositions.sort()

with open(sys.argv[1], "w") as out:
    out.write(f"/* Made by nfc.py from Unicode {u.unidata_version}. */\n")
    out.write("static const struct decomposition decompositions[] = {\n")
    for code, to in decompositions:
        out.write(f"    {{{code:#x}, {{{', '.join(hex(x) for x in to)}}}}},\n")
    out.write("};\nstatic const struct composition compositions[] = {\n")
    for first, second, code in compositions:
        out.write(f"    {{{first:#x}, {second:#x}, {code:#x}}},\n")
    out.write("};\nstatic const struct combining nfc_classes[] = {\n")
    for code, number in classes:
        out.write(f"    {{{code:#x}, {number}}},\n")
    out.write("};\n")
