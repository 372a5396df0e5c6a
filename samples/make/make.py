#!/usr/bin/env python3
"""Writes the samples: all of them, or those named (make.py s01 s04).

Everything under samples/SNN-… but the README.md files comes from here, and the
same story always gives the same bytes. What was written is then read back and
played on paper (paper.py), so that a story and its expected answer agree.
"""

import glob
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    samples = os.path.dirname(HERE)
    stories = sys.argv[1:] or sorted(os.path.basename(path)[:-3]
                                     for path in glob.glob(os.path.join(HERE, "s[0-9][0-9].py")))
    for name in stories:
        importlib.import_module(name.lower()).make(samples)
    complaints, compared = importlib.import_module("paper").check(samples)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print("wrote %s; %d expected answers compared, %d differ" % (" ".join(stories), compared, len(complaints)))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
