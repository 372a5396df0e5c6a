#!/usr/bin/env python3
"""Writes the samples: all of them, or those named (make.py s01 s04).

Everything under samples/SNN-… but the README.md files comes from here, and the
same story always gives the same bytes.
"""

import glob
import importlib
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    stories = sys.argv[1:] or sorted(os.path.basename(path)[:-3]
                                     for path in glob.glob(os.path.join(HERE, "s[0-9][0-9].py")))
    for name in stories:
        importlib.import_module(name.lower()).make(os.path.dirname(HERE))
        print("wrote", name)


if __name__ == "__main__":
    main()
