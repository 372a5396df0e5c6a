#!/usr/bin/env python3
"""Dependencies run one way (docs/architecture.md): no file includes a header of a room that stands on its own.

usage: layers.py [ROOT]                     (prints TAP)

Tests may include anything; nothing includes tests.
"""
import pathlib
import re
import sys

# A room, and the rooms that it may include besides itself.
ROOMS = {
    "base": (),
    "recorder": ("base",),
    "model": ("base",),
    "ingest": ("base", "model"),
    "tui": ("base", "model"),
    "cli": ("base", "model", "ingest", "recorder", "tui"),
}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def faults(root, room, allowed):
    for path in sorted((root / room).rglob("*.[ch]")):
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            to = name.split("/")[0]
            if to not in ROOMS or "/" not in name:
                yield f"{path.relative_to(root)} includes {name}, which is not named from the project's root"
            elif to != room and to not in allowed:
                yield f"{path.relative_to(root)} includes {name}: {room} must not stand on {to}"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    print(f"1..{len(ROOMS)}")
    failed = False
    for number, (room, allowed) in enumerate(ROOMS.items(), 1):
        found = list(faults(root, room, allowed))
        files = sum(1 for _ in (root / room).rglob("*.c"))
        if not files:
            found.append(f"{room} has no source files")
        print(f"{'not ok' if found else 'ok'} {number} {room} stands on {', '.join(allowed) or 'nothing'}")
        for line in found:
            print(f"# {line}")
        failed = failed or bool(found)
    return failed


if __name__ == "__main__":
    sys.exit(main())
