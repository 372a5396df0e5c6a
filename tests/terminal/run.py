#!/usr/bin/env python3
"""The real binary in a terminal, and the bytes that it sends there.

usage: run.py --strandline BINARY [WORD...]

Prints TAP; with WORDs, only the cases whose names hold one of them. Nothing here sleeps: each wait is
for something that must be seen, and fails after STRANDLINE_PATIENCE seconds (30).
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

import grammar
import hostile
from session import Pty, environment, reports

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = []


def case(function):
    CASES.append(function)
    return function


class Skip(Exception):
    pass


def check_clean(data, what, full_screen=True):
    found = grammar.leaks(data, full_screen)
    assert not found, f"{what}: {len(found)} leaks, first: " + "; ".join(f"at {at}: {why}" for at, why in found[:5])


# --- the tools themselves: a test that can't fail is none


@case
def grammar_finds_every_payload(_binary, _home):
    for payload in hostile.PAYLOADS:
        assert grammar.leaks(payload.encode()), f"not found: {payload!r}"
    assert grammar.leaks(hostile.FILE_NAME.encode())
    assert grammar.leaks(b"\xff") and grammar.leaks(b"\x1b[31m", full_screen=False) == []
    assert grammar.leaks(b"\x1b[2;3H", full_screen=False), "a cursor movement has no place in a command's output"


@case
def grammar_lets_curses_draw(_binary, home):
    program = ("import curses\n"
               "def main(s):\n"
               " curses.start_color(); curses.use_default_colors(); curses.mousemask(-1)\n"
               " n = min(curses.COLORS, 200)\n"
               " [curses.init_pair(i, i, -1) for i in range(1, n)]\n"
               " [s.addstr(i % 20, 3 * i % 80, 'x\\u2502\\u6f22', curses.color_pair(i % n) | curses.A_BOLD)\n"
               "  for i in range(1, 200)]\n"
               " s.box(); s.refresh(); s.getch(); s.clear(); s.refresh()\n"
               "curses.wrapper(main)\n")
    for term in ("xterm-256color", "screen", "tmux-256color", "linux", "xterm"):
        toy = Pty([sys.executable, "-c", program], home, TERM=term)
        toy.wait_for(lambda seen: b"x" in seen)
        toy.keys("q")
        status = toy.finish()
        assert len(toy.seen) > 500, f"{term}: drew nothing, status {status}: {toy.seen!r}"
        check_clean(toy.seen, f"curses on {term}")


# --- commands


def hostile_case(binary, home):
    """The hostile log, under a hostile name, and a case made of it."""
    if subprocess.run([binary, "import", "--help"], env=environment(home), stdin=subprocess.DEVNULL, capture_output=True).stdout.count(b"\n") < 2:
        raise Skip("this build has no `import` yet")
    log = os.path.join(home, hostile.FILE_NAME)
    hostile.write(log)
    made = os.path.join(home, "case.strand")
    done = subprocess.run([binary, "import", "-o", made, log], env=environment(home), stdin=subprocess.DEVNULL,
                          capture_output=True, cwd=home)
    check_clean(done.stdout + done.stderr, "import", full_screen=False)
    assert done.returncode in (0, 1) and os.path.exists(made), f"import: {done.returncode}: {done.stderr.decode()}"
    return log, made


@case
def commands_let_nothing_out(binary, home):
    log, made = hostile_case(binary, home)
    steps = subprocess.run([binary, "steps", made, "--json"], env=environment(home), stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    assert len(steps) >= 2 * len(hostile.PAYLOADS), f"only {len(steps)} steps were read from the hostile log"
    commands = [["sessions", made], ["steps", made], ["replay", made], ["tools", made], ["egress", made], ["check", made],
                ["search", made, "secret"], ["search", made, hostile.PAYLOADS[0]], ["formats", log], ["import", "-o", made, log],
                ["verify", made], ["sql", made, "select * from steps"], ["diff", made, "1", "1"], ["whatif", made],
                ["show", made, "--account"], ["check", log]]
    for number in range(1, len(steps) + 1):
        commands.append(["show", made, str(number)])
        commands.append(["why", made, str(number)])
    for bad in (["show", made, hostile.PAYLOADS[2]], [hostile.ALL.replace("\0", "")], ["steps", hostile.FILE_NAME], ["--" + hostile.PAYLOADS[0]],
                ["explain", hostile.PAYLOADS[0]], ["policy", "show", hostile.PAYLOADS[2]], ["sql", made, "select '" + hostile.PAYLOADS[2] + "' from nothing"],
                ["check", log, "--policy", hostile.PAYLOADS[8]], ["search", made, "/" + hostile.PAYLOADS[0] + "(/"]):
        commands.append(bad)
    for command in commands:
        words = " ".join(command[:1] + command[2:3])
        done = subprocess.run([binary, *command], env=environment(home), stdin=subprocess.DEVNULL, capture_output=True, cwd=home)
        check_clean(done.stdout, f"output of {words!r}", full_screen=False)
        check_clean(done.stderr, f"errors of {words!r}", full_screen=False)
        assert b"\x1b" not in done.stdout + done.stderr, f"{words!r} sends colour to a pipe"
        assert done.returncode in (0, 1, 2, 3, 4), f"{words!r} ends with {done.returncode}: {done.stderr.decode()}"


@case
def commands_in_colour_let_nothing_out(binary, home):
    _, made = hostile_case(binary, home)
    for command in (["sessions", made], ["steps", made], ["replay", made], ["show", made, "5"], ["why", made, "8"], ["tools", made],
                    ["egress", made], ["search", made, "secret"], ["check", made]):
        seen = Pty([binary, *command, "--color", "always"], home)
        status = seen.finish()
        check_clean(seen.seen, f"{command[0]} on a terminal", full_screen=False)
        assert status in (0, 1, 3), f"{command[0]}: {status}"


@case
def json_stays_json(binary, home):
    _, made = hostile_case(binary, home)
    for command in (["sessions", made], ["steps", made], ["tools", made], ["egress", made], ["check", made], ["show", made, "8"],
                    ["why", made, "8"], ["replay", made], ["search", made, "secret"]):
        done = subprocess.run([binary, *command, "--json"], env=environment(home), stdin=subprocess.DEVNULL, capture_output=True)
        assert b"\x1b" not in done.stdout and b"\x9b" not in done.stdout.replace(b"\xc2\x9b", b"\x9b").replace(b"\xe6\x9b", b""), command[0]
        text = done.stdout.decode("utf-8")
        try:
            json.loads(text)
        except ValueError:
            for line in text.splitlines():
                json.loads(line)


def main():
    parser = argparse.ArgumentParser(description="the binary in a terminal")
    parser.add_argument("--strandline", required=True)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    binary = os.path.abspath(options.strandline)
    chosen = [c for c in CASES if not options.words or any(w in c.__name__ for w in options.words)]
    print(f"TAP version 13\n1..{len(chosen)}", flush=True)
    failed = 0
    for number, function in enumerate(chosen, 1):
        name = function.__name__.replace("_", " ")
        home = tempfile.mkdtemp(prefix="strandline-terminal-")
        trouble = ""
        try:
            function(binary, home)
            trouble = reports(home)
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
            continue
        except Exception:
            trouble = traceback.format_exc() + reports(home)
        finally:
            shutil.rmtree(home, ignore_errors=True)
        failed += bool(trouble)
        print(f"{'not ok' if trouble else 'ok'} {number} - {name}", flush=True)
        for line in trouble.splitlines():
            print("# " + line.encode("ascii", "backslashreplace").decode())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
