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
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

import grammar
import hostile
from session import Pty, Tmux, environment, reports

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASES = []


def case(function):
    CASES.append(function)
    return function


class Skip(Exception):
    pass


def check_clean(data, what, **how):
    # gcc's libubsan writes to standard error whatever log_path says.
    assert b": runtime error: " not in data, f"{what}: {data.decode('utf-8', 'replace')}"
    found = grammar.leaks(data, **how)
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


def verbs(binary, home):
    return set(re.findall(r"^  ([a-z]+)  ", subprocess.run([binary, "--help"], env=environment(home), text=True,
               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout, re.M))


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
        if command[0] not in verbs(binary, home):
            continue
        seen = Pty([binary, *command, "--color", "always"], home)
        status = seen.finish()
        check_clean(seen.seen, f"{command[0]} on a terminal", full_screen=False)
        assert status in (0, 1, 3), f"{command[0]}: {status}"


@case
def json_stays_json(binary, home):
    _, made = hostile_case(binary, home)
    for command in (["sessions", made], ["steps", made], ["tools", made], ["egress", made], ["check", made], ["show", made, "8"],
                    ["why", made, "8"], ["replay", made], ["search", made, "secret"]):
        if command[0] not in verbs(binary, home):
            continue
        done = subprocess.run([binary, *command, "--json"], env=environment(home), stdin=subprocess.DEVNULL, capture_output=True)
        check_clean(done.stdout, f"{command[0]} --json", full_screen=False, piled=False)
        text = done.stdout.decode("utf-8")
        try:
            json.loads(text)
        except ValueError:
            for line in text.splitlines():
                json.loads(line)


# --- the explorer


SAMPLE = [str(ROOT / "samples/S01-github-leak/github.log"), str(ROOT / "samples/S01-github-leak/notes.log")]
ALTERNATE = b"\x1b[?1049h"
# Each screen by the keys that lead to it from the flow, then some moving about in it.
SCREENS = {"flow": "", "request": "\t", "result": "\t\t", "all tabs": "\t\t\t\t\t\t", "open": "\r", "why": "w", "evidence": "e",
           "egress": "x", "tools": "d", "what-if": "c", "help": "?", "search": "/secret\r", "hostile search": "/\u202e\u200b\r",
           "filter": "&tool:send\r", "command": ":findings\r", "sql": ":sql select * from v_step\r", "sessions": ":sessions\r",
           "no such command": ":nonsense \u202e\r", "next violation": "v", "note": "aa note \u202e here\r", "lesson": ":lesson\r"}
MOVING = "jjjj\r\tjjkG\x1b[5~\x1b[6~g\tn"


def explorer_is_there(binary, home):
    shown = Pty([binary, *SAMPLE], home)
    there = shown.wait_for(lambda seen: ALTERNATE in seen)
    if there:
        shown.keys("q", "q", "q")
    shown.finish()
    if not there:
        raise Skip("this build has no explorer yet")


def leave(explorer, what):
    """Quits, and holds the terminal's state against what a shell expects."""
    for _ in range(8):
        if not explorer.keys("q", quiet=0.1):
            break
    cooked = explorer.is_cooked()
    status = explorer.finish()
    assert status == 0, f"{what}: ends with {status}, having shown {explorer.seen[-400:]!r}"
    assert cooked, f"{what}: the terminal is left raw"
    left = grammar.modes_left(explorer.seen)
    assert not left, f"{what}: modes are left {left}"


@case
def explorer_lets_nothing_out(binary, home):
    explorer_is_there(binary, home)
    log, _ = hostile_case(binary, home)
    terminals = [("xterm-256color", 36, 120), ("screen", 15, 60), ("linux", 24, 80)]
    for number, (screen, keys) in enumerate(SCREENS.items()):
        term, rows, columns = terminals[number % len(terminals)]
        explorer = Pty([binary, log], home, rows, columns, TERM=term)
        explorer.wait_for(lambda seen: len(seen) > 800)
        what = f"{screen} on {term} {columns}x{rows}"
        assert explorer.keys(*"jjjjjjjj"), f"{what}: ended early: {explorer.seen[-300:]!r}"
        explorer.keys(keys, *MOVING)
        explorer.resize(rows + 5, columns + 20)
        explorer.keys("\x0c")
        check_clean(explorer.seen, what)
        assert len(explorer.seen) > 800, f"{what}: drew next to nothing"
        leave(explorer, what)
        check_clean(explorer.seen, what)


@case
def explorer_restores_the_terminal_on_signals(binary, home):
    explorer_is_there(binary, home)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV):
        explorer = Pty([binary, *SAMPLE], home)
        explorer.wait_for(lambda seen: len(seen) > 800)
        explorer.signal(number)
        explorer.wait_for(lambda seen: b"\x1b[?1049l" in seen)
        cooked = explorer.is_cooked()
        status = explorer.finish()
        left = grammar.modes_left(explorer.seen)
        assert not left and cooked, f"{number.name}: modes left {left}, {'cooked' if cooked else 'raw'}"
        assert status != 0, f"{number.name}: ends with {status}"


def switches(pid):
    """How often the program ran and stopped running."""
    with open(f"/proc/{pid}/status") as status:
        return sum(int(line.split()[1]) for line in status if "ctxt_switches" in line)


@case
def explorer_sends_only_differences(binary, home):
    explorer_is_there(binary, home)
    explorer = Pty([binary, *SAMPLE], home)
    explorer.wait_for(lambda seen: len(seen) > 800)
    explorer.drain(0.5)
    whole = len(explorer.seen)

    def down(quiet):
        before = len(explorer.seen)
        explorer.keys(*"jjjjjjjj", quiet=quiet)
        return (len(explorer.seen) - before) / 8

    explorer.keys("g")
    moved = down(0.2)
    assert 0 < moved < whole / 4, f"a step down sends {moved:.0f} bytes, the whole screen took {whole}"
    explorer.keys("g", "z", quiet=0.2)
    moved = down(0.2)
    assert 0 < moved < 150, f"a step down in the list alone sends {moved:.0f} bytes"
    explorer.keys("z", "g", quiet=0.2)
    before = len(explorer.seen)
    explorer.keys(*["j"] * 12, quiet=0.001)  # a held key: what the cursor stands on follows when it pauses
    explorer.drain(0.2)
    held = (len(explorer.seen) - before) / 12
    assert held < 300, f"a held key sends {held:.0f} bytes a step"
    step = explorer.seen[before:].decode(errors="replace")
    assert re.search(r"1[0-9]", step), "the details never followed the cursor"
    before = len(explorer.seen), switches(explorer.pid)
    explorer.drain(1)
    assert len(explorer.seen) == before[0], "draws although nothing happened"
    assert switches(explorer.pid) == before[1], "wakes although nothing happened"
    leave(explorer, "moving")


@case
def explorer_at_every_size(binary, home):
    explorer_is_there(binary, home)
    for rows, columns in ((15, 60), (24, 80), (36, 120), (50, 200), (60, 400)):
        window = Tmux([binary, *SAMPLE], home, rows, columns)
        try:
            window.wait_for(lambda s: "create_branch" in s)
            window.keys("G")
            window.keys("v")
            window.keys("?")
            window.wait_for(lambda s: "create_branch" not in s)
            window.keys("q")
            window.wait_for(lambda s: "github" in s)
            window.keys("q", "q")
            window.wait_for(lambda s: "left with 0" in s)
            assert window.value("alternate_on") == "0" and window.value("mouse_any_flag") == "0"
            assert window.value("cursor_flag") == "1"
        finally:
            window.close()


@case
def explorer_survives_resizing_and_says_when_it_is_too_small(binary, home):
    explorer_is_there(binary, home)
    window = Tmux([binary, *SAMPLE], home, 36, 120)
    try:
        window.wait_for(lambda s: "create_branch" in s)
        for rows, columns in ((5, 20), (2, 8), (1, 2)):
            window.resize(rows, columns)
            window.wait_for(lambda s: "create_branch" not in s)
        window.resize(24, 80)
        window.wait_for(lambda s: "create_branch" in s)
        window.keys("q", "q")
        window.wait_for(lambda s: "left with 0" in s)
    finally:
        window.close()


@case
def explorer_suspends_and_comes_back(binary, home):
    explorer_is_there(binary, home)
    window = Tmux(["sh", "-i"], home, 24, 80, PS1="ready> ", **{"BIN": binary, "LOG": SAMPLE[0]})
    try:
        window.wait_for(lambda s: "ready>" in s)
        window.keys('text:"$BIN" "$LOG"', "Enter")
        window.wait_for(lambda s: "create_branch" in s)
        window.keys("C-z")
        window.wait_for(lambda s: "ready>" in s and "create_branch" not in s)
        window.keys("text:fg", "Enter")
        window.wait_for(lambda s: "create_branch" in s)
        window.keys("q", "q")
        window.wait_for(lambda s: "ready>" in s)
        assert window.value("alternate_on") == "0"
    finally:
        window.close()


@case
def explorer_without_colour_and_in_ascii(binary, home):
    explorer_is_there(binary, home)
    explorer = Pty([binary, *SAMPLE], home, NO_COLOR="1")
    explorer.wait_for(lambda seen: len(seen) > 800)
    explorer.keys(*"jjjvvw")
    leave(explorer, "NO_COLOR")
    coloured = [sgr for sgr in re.findall(rb"\x1b\[([0-9;:]*)m", explorer.seen)
                if re.search(rb"(?<![0-9])(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?![0-9])", sgr)]
    assert not coloured, f"NO_COLOR, and yet {coloured[:5]}"
    explorer = Pty([binary, "--ascii", *SAMPLE], home)
    explorer.wait_for(lambda seen: len(seen) > 800)
    explorer.keys(*"jjjvvw")
    leave(explorer, "--ascii")
    beyond = [byte for byte in explorer.seen if byte > 126]
    assert not beyond, f"--ascii, and yet {bytes(beyond[:9])!r}"


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
