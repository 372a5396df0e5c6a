"""What may reach a terminal: printable text and the few sequences that a full-screen program needs.

Everything in a log was written by an attacker. A byte of it that reaches the terminal as a control
can retitle the window, write the clipboard, hide text or leave the alternate screen. So the output is
parsed by a grammar of what is allowed, and anything else is a leak, with its place.
"""
import re
import unicodedata

# Parameters are limited to what we draw with, so that a sequence that came through from the data is
# found even where it is well formed: the hostile log uses others (conceal, far rows, …).
SGR = re.compile(r"(?:[0-5]|7|1[01]|2[2-57]|3[0-7]|39|4[0-7]|49|9[0-7]|10[0-7]"
                 r"|[34]8[;:]5[;:]\d{1,3}|[34]8[;:]2:?(?:[;:]\d{1,3}){3})?(?=[;:]|$)")
MODES = {1, 4, 7, 12, 25, 1000, 1002, 1003, 1004, 1006, 1034, 1049, 2004, 2026}
MARKS = 4
FAR = 1000  # no test's terminal has that many rows or columns

CSI = re.compile(r"\x1b\[([?>!]?)([0-9;:]*)([@-~])")
SHORT = re.compile(r"\x1b(?:[()][B0A]|[=>DM78]|\]104\x07)")  # the last: ncurses gives the palette back
BLANK = {0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0}


def printable(char):
    """True where the character shows as itself, alone and in place."""
    if char in "\r\n\b\t":
        return True
    if ord(char) in BLANK or 0xE0000 <= ord(char) <= 0xE0FFF:
        return False
    # Private use, unassigned, surrogates, controls, format characters, line and paragraph separators.
    return unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")


def sgr_is_ours(params):
    at = 0
    while at <= len(params):
        one = SGR.match(params, at)
        if not one:
            return False
        at = one.end() + 1
    return True


def csi_is_ours(private, params, final):
    numbers = [int(n) for n in re.findall(r"\d+", params)]
    if private == "?" and final == "c":  # the Linux console's cursor
        return params in ("0", "1", "8")
    if private == "?":
        return final in "hl" and bool(numbers) and all(n in MODES for n in numbers)
    if private:
        return False
    if final == "m":
        return sgr_is_ours(params)
    if final == "t":  # ncurses keeps the window's title around the alternate screen
        return params in ("22;0;0", "23;0;0")
    if final in "hl":
        return params in ("4", "34")
    return final in "ABCDEFGHJKLMPSTXZ@`bder" and all(n < FAR for n in numbers)


def leaks(data, full_screen=True):
    """The places in `data` (bytes) that are not of the grammar: (offset in characters, what).
    Combining marks in piles are leaks too: they reach over the lines above and below."""
    found = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as bad:
        return [(bad.start, f"not UTF-8: {data[bad.start:bad.start + 8]!r}")]
    at = marks = 0
    while at < len(text):
        char = text[at]
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks > MARKS:
            found.append((at, f"more than {MARKS} combining marks on one character"))
        elif char == "\x1b":
            sequence = CSI.match(text, at)
            if sequence and csi_is_ours(*sequence.groups()) and (full_screen or sequence[3] == "m"):
                at = sequence.end()
                continue
            if full_screen and (sequence := SHORT.match(text, at)):
                at = sequence.end()
                continue
            found.append((at, f"sequence {text[at:at + 16]!r}"))
        elif char in "\x0e\x0f" and full_screen:  # line drawing
            pass
        elif not printable(char):
            found.append((at, f"U+{ord(char):04X} in {text[max(0, at - 12):at + 12]!r}"))
        at += 1
    return found


def modes_left(data):
    """The private modes that are still other than a shell expects them: {mode: set?}."""
    usual = {7: True, 25: True, 1034: True, 12: None}  # 12, the cursor's blinking, is a matter of taste
    now = {}
    for params, final in re.findall(rb"\x1b\[\?([0-9;]+)([hl])", data):
        for number in params.split(b";"):
            now[int(number)] = final == b"h"
    return {mode: on for mode, on in now.items() if usual.get(mode, False) not in (None, on)}
