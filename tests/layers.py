#!/usr/bin/env python3
"""Dependencies run one way (docs/architecture.md): no file includes a header of a room that stands on its own.

usage: layers.py [ROOT]                     (prints TAP)

Headers that end in _internal.h are their room's alone. Each header's guard is its path. No locale decides what
is found: <ctype.h> is for nobody. Tests may include anything; nothing includes tests.
"""
import pathlib
import re
import sys

# A room, and the rooms that it may include besides itself. Those of the model are its folders, from the ground up.
MODEL = ("model/evidence", "model/case", "model/flow", "model/trace", "model/findings", "model/query")
ROOMS = {
    "base": (),
    "recorder": ("base",),
    "model/evidence": ("base",),
    "model/case": ("base", "model/evidence"),
    "model/flow": ("base", "model/evidence", "model/case"),
    "model/trace": ("base",),
    "model/findings": ("base", "model/evidence", "model/case", "model/flow", "model/trace"),
    "model/query": ("base", *MODEL[:-1]),
    "model/redact": ("base", "model/case", "model/trace"),
    "model/seal": ("base", "model/evidence", "model/case", "model/flow"),
    "ingest": ("base", "model/evidence", "model/case", "model/flow"),
    "tui": ("base", *MODEL, "model/seal"),
    "cli": ("base", *MODEL, "model/redact", "model/seal", "ingest", "recorder", "tui"),
}
# The list of codes is data and includes nothing: a policy that names a code is held against it.
ALLOWED = {("model/flow", "model/findings/codes.h")}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def room_of(name):
    """The room whose folder, or a folder in whose, a file is; None where there is no such room."""
    return next((room for room in ROOMS if name.startswith(room + "/")), None)


def faults(root, room):
    for path in sorted((root / room).rglob("*.[ch]")):
        text, name = path.read_text(encoding="utf-8"), path.relative_to(root)
        for included in INCLUDE.findall(text):
            to = room_of(included)
            if to is None:
                yield f"{name} includes {included}, which is not named from the project's root"
            elif to != room and to not in ROOMS[room] and (room, included) not in ALLOWED:
                yield f"{name} includes {included}: {room} must not stand on {to}"
            elif to != room and included.endswith("_internal.h"):
                yield f"{name} includes {included}, which is for {to} alone"
        if "<ctype.h>" in text:
            yield f"{name} asks the locale what a letter is, which base/ascii.h does not"
        guard = "STRANDLINE_" + re.sub(r"[/.]", "_", str(name)).upper()
        if path.suffix == ".h" and f"#ifndef {guard}\n#define {guard}\n" not in text:
            yield f"{name} is not guarded by {guard}"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    print(f"1..{len(ROOMS)}")
    failed = False
    for number, (room, allowed) in enumerate(ROOMS.items(), 1):
        found = list(faults(root, room))
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
