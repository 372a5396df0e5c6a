#!/usr/bin/env python3
"""Writes the table of powers of ten behind number.c, exactly, in big integers.

For each k the 128 leading bits of 10^k, rounded up: ceil(10^k / 2^(e-127)) with
e = floor(log2(10^k)). The low half comes first."""
import sys

FIRST, LAST = -344, 324


def leading_bits(k):
    if k >= 0:
        value = 10**k
        shift = value.bit_length() - 128
        return value << -shift if shift <= 0 else -(-value >> shift)
    divisor = 10**-k
    # 10^k lies between 2^-bits and 2^-(bits-1): 2^(bits+127) / divisor has its 128 bits.
    bits = divisor.bit_length()
    return -(-(1 << (bits + 127)) // divisor)


with open(sys.argv[1], "w") as out:
    out.write("/* Made by powers.py. */\n")
    out.write(f"enum {{ POWER_FIRST = {FIRST}, POWER_LAST = {LAST} }};\n")
    out.write("static const struct wide powers[POWER_LAST - POWER_FIRST + 1] = {\n")
    for k in range(FIRST, LAST + 1):
        bits = leading_bits(k)
        assert bits >> 127 == 1
        out.write(f"    {{{bits & (1 << 64) - 1:#018x}, {bits >> 64:#018x}}}, /* {k} */\n")
    out.write("};\n")
