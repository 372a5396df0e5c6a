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
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import grammar
import hostile
import questions  # noqa: F401 (its cases)
import settings
from common import ALTERNATE, CASES, ROOT, SAMPLE, Skip, case, check_clean, copies_only, explorer_is_there, leave, run
from session import PATIENCE, Job, Pty, Tmux, environment, reports

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
    return set(re.findall(r"^  ([a-z]+)  ", run(binary, home, "--help").stdout.decode(), re.M))


def hostile_case(binary, home):
    """The hostile log, under a hostile name, and a case made of it: two sessions, whose names attack too."""
    log = os.path.join(home, hostile.FILE_NAME)
    made = os.path.join(home, "case.strand")
    hostile.write(log)
    for name in ("one " + hostile.PAYLOADS[0], "two " + hostile.ALL.replace("\0", "")):
        done = run(binary, home, "import", "-o", made, "--session", name, log)
        check_clean(done.stdout + done.stderr, "import", full_screen=False)
        assert done.returncode in (0, 1) and os.path.exists(made), f"import: {done.returncode}: {done.stderr.decode()}"
        # The second one differs, in ways that are told by what stands there.
        changed = pathlib.Path(log).read_bytes().replace(b'"openWorldHint":true', b'"openWorldHint":false').replace(b"evil.example", b"other.example")
        pathlib.Path(log).write_bytes(changed + b"\n")
    return log, made


def hostile_commands(binary, home, log, made):
    """Every verb, with the hostile case, log, key, policy, words: {verb: lines of operands}. None: it shows nothing of
    a log, and says why."""
    payload = [text.replace("\0", "") for text in hostile.PAYLOADS]
    policy = os.path.join(home, "policy\x1b[8;9m.json")
    mine = os.path.join(home, "mine.json")  # a valid one
    pathlib.Path(mine).write_text(json.dumps({
        "schema": "strandline/policy/1", "name": payload[0], "extends": "fides", "groups": {"@" + payload[0]: [payload[2]]},
        "rules": [{"name": payload[0], "why": payload[2], "tool": ["send", "read*"], "role": ["consequential", "egress"], "audience": {"reader": payload[0]}}],
        "suppress": [{"code": code, "reason": payload[2]} for code in ("PT01", "PF01", "HX01", "HX02")]}))
    cbor = os.path.join(home, "record.cbor")
    pathlib.Path(cbor).write_bytes(b"\xa1\x61k\x78" + bytes([len(payload[11].encode())]) + payload[11].encode())  # bidi: JSON does not escape it
    record = os.path.join(home, "record.json")
    pathlib.Path(policy).write_text(json.dumps({"name": hostile.ALL, payload[2]: payload[8], "assume": [{"tool": hostile.ALL}]}))
    pathlib.Path(record).write_text(json.dumps({payload[2]: hostile.ALL}))
    run(binary, home, "keygen", "-o", "key")
    first = json.loads(run(binary, home, "steps", made, "1", "--json").stdout.splitlines()[0])["step"]
    count = len(run(binary, home, "steps", made, "1", "--json").stdout.splitlines())
    assert count >= 2 * len(hostile.PAYLOADS), f"only {count} steps were read from the hostile log"
    steps = [f"1:{n}" for n in range(first, first + count)]
    out = lambda name: ["-o", os.path.join(home, name)]
    return {
        "import": [["-o", made, log], ["-o", made, payload[2]], ["-o", made, "--format", payload[2], log],
                   ["-o", made, "--session", payload[8], "--server", payload[9], log]],
        "sessions": [[made], [log]], "steps": [[made, "1"], [made, "--all"], [made, payload[2]], [log], [hostile.FILE_NAME + "x"]],
        "show": [[made, step] for step in steps] + [[made, "--account"], [made, payload[2]], [made, "1:999"]],
        "replay": [[made, "1"], [made, "--all"]], "why": [[made, step] for step in steps] + [[made, steps[9], "--arg", payload[2]]],
        "check": [[made], [log], [log, "--policy", payload[8]], [log, "--policy", policy], [made, "--baseline", log],
                  [made, "--policy", mine]],
        "verify": [[made], [made, "--evidence", log], [made, "--evidence", payload[2]], [made, "--schemas", log], [made, "--key", payload[2]]],
        "whatif": [[made, "1"], [made, "1", "--label", payload[2]], [made, "1", "--drop", payload[8]], [made, "1", "--drop", str(first + 4)],
                   [made, "1", "--policy", mine], [made, "1", "--from", mine]],
        "egress": [[made, "--all"], [made, "1"], [made, "--all", "--policy", mine]], "tools": [[made, "--all"], [made, "1"], [made, "1", "--policy", mine]],
        "search": [[made, "secret"], [made, payload[0]], [made, "/" + payload[0] + "(/"], [made, "--digest", payload[2]],
                   [made, "--like", steps[9]], [made, "--like", payload[2]]],
        "diff": [[made, "1", "2"], [made, payload[0], payload[2]]],
        "sql": [[made, "select * from v_step"], [made, "select '" + payload[2] + "' from nothing"], [made, "select '" + hostile.ALL.replace("\0", "").replace("'", "") + "'"]],
        "report": [[made]] + [[made, *out("handed." + kind)] for kind in ("html", "md", "json", "sarif")] + [[made, "-o", payload[2] + "/x"]],
        "export": [[made, *out("export." + kind), "--as", kind] for kind in ("jsonl", "timesketch", "cef", "ocsf", "dot", "otlp")] +
                  [[made, *out("x"), "--as", payload[2]]],
        "digest": [["--canon", "jcs", record], ["--canon", "cbor", log], ["--canon", payload[2], record], ["--canon", "jcs", payload[2]],
                   ["--canon", "cbor", "--explain", cbor], ["--canon", "jcs", "--explain", record], ["--canon", "jcs", "--lines", log]],
        "policy": [["show", payload[2]], ["check", policy], ["check", log], ["list"], ["init"], ["compare", made, "1"], [payload[2]],
                   ["check", mine], ["show", mine]],
        "merge": [[made, *out("merged.strand")], [log, *out("merged.strand")]], "scan": [[log], [payload[2]]],
        "redact": [[made, *out("shared.strand"), "--text", payload[2]], [log, *out("shared2.strand")], [made, "-o", payload[2] + "/x"],
                   [made, "-o", log], [made, "-o", "y", "--text", "\x1b"]],
        "seal": [[made, "--key", os.path.join(home, "key")], [made, "--key", log], [made, "--key", payload[2]]],
        "keygen": [["-o", payload[2] + "/x"], ["-o", log]], "formats": [[log], [payload[2]], ["--where"]],
        "lesson": [[], [payload[2]]], "explain": [[payload[0]], ["PT01"]], "completion": [[payload[2]], ["bash"]],
        "record": [["-o", payload[2] + "/x", "--", "true"], ["-o", out("r.log")[1], "--", payload[2]]],
    }


@case
def commands_let_nothing_out(binary, home):
    log, made = hostile_case(binary, home)
    commands = hostile_commands(binary, home, log, made)
    assert set(commands) == verbs(binary, home), f"verbs without a test here: {set(commands) ^ verbs(binary, home)}"
    lines = [[verb, *operands] for verb in commands for operands in commands[verb]]
    lines += [[hostile.ALL.replace("\0", "")], ["--" + hostile.PAYLOADS[0]], ["steps", "--" + hostile.PAYLOADS[0], made]]
    for line in lines:
        words = " ".join(word[:40] for word in line[:1] + line[2:3])
        done = run(binary, home, *line)
        check_clean(done.stdout, f"output of {words!r}", full_screen=False)
        check_clean(done.stderr, f"errors of {words!r}", full_screen=False)
        assert b"\x1b" not in done.stdout + done.stderr, f"{words!r} sends colour to a pipe"
        assert 0 <= done.returncode <= (127 if line[0] == "record" else 5), f"{words!r} ends with {done.returncode}: {done.stderr.decode()}"
    for path in sorted(pathlib.Path(home).glob("handed.*")) + sorted(pathlib.Path(home).glob("export.*")):
        check_clean(path.read_bytes(), path.name, full_screen=False)


@case
def commands_on_a_terminal_let_nothing_out(binary, home):
    log, made = hostile_case(binary, home)
    for verb, lines in hostile_commands(binary, home, log, made).items():
        few = lines[:3] + lines[8:10] + lines[-2:]
        for operands in few:
            if verb == "record":
                continue
            seen = Pty([binary, verb, *operands, *([] if verb in ("completion",) else ["--color", "always"])], home)
            os.write(seen.fd, b"\x04")  # for those that read their input
            status = seen.finish()
            check_clean(seen.seen.replace(b"^D\b\b", b""), f"{verb} on a terminal", full_screen=False)
            assert status is not None and status <= 5, f"{verb}: {status}: {seen.seen[-200:]!r}"


@case
def long_text_lets_nothing_out(binary, home):
    log = os.path.join(home, "long.log")
    hostile.write(log, hostile.LONG)
    steps = [json.loads(line) for line in run(binary, home, "steps", log, "--json").stdout.splitlines()]
    calls = [step["step"] for step in steps if step["kind"] == "tool_result"][-len(hostile.LONG):]
    for command in (["steps", log], ["replay", log], ["check", log], ["search", log, "pile"], ["egress", log], ["report", log],
                    *(["show", log, str(n)] for n in calls)):
        done = run(binary, home, *command)
        assert done.returncode in (0, 1), f"{command[0]}: {done.returncode}: {done.stderr.decode()}"
        check_clean(done.stdout + done.stderr, f"{command[0]} of long text", full_screen=False)
    explorer = Pty([binary, log], home, 24, 80)
    explorer.wait_for(lambda seen: len(seen) > 800)
    for n in calls:
        explorer.keys(f":goto {n}\r", "\r", "j", "\x06", "G", "g", "W", "5", "G", "q", "w", "q", quiet=0.1)
    check_clean(explorer.seen, "the explorer on long text")
    leave(explorer, "long text")


@case
def json_stays_json(binary, home):
    _, made = hostile_case(binary, home)
    for command in (["sessions", made], ["steps", made, "--all"], ["tools", made, "1"], ["egress", made, "--all"], ["check", made],
                    ["show", made, "1:8"], ["why", made, "1:8"], ["replay", made, "1"], ["search", made, "secret"]):
        if command[0] not in verbs(binary, home):
            continue
        done = subprocess.run([binary, *command, "--json"], env=environment(home), stdin=subprocess.DEVNULL, capture_output=True)
        check_clean(done.stdout, f"{command[0]} --json", full_screen=False)
        text = done.stdout.decode("utf-8")
        try:
            json.loads(text)
        except ValueError:
            for line in text.splitlines():
                json.loads(line)


# --- the explorer


# Each screen by the keys that lead to it from the flow, then some moving about in it.
SCREENS = {"flow": "", "flow, request": "\t", "flow, all tabs": "1\t\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C", "flow, open": "\r", "why": "w",
           "findings": "f", "evidence": "e", "egress": "x", "tools": "d", "whatif": "L\rc", "record": "i", "report": "R",
           "help": "?", "sql": ":sql select * from v_step\r", "sessions": "s", "diff": ":diff 2\r", "elsewhere": "O",
           "report to": "R\r\x15/nowhere/\u202e\r", "lesson": ":lesson\r", "search": "/secret\r", "hostile search": "/\u202e\u200b\r", "filter": "&tool:send\r",
           "bad filter": "&nonsense:\u202e\r", "no such command": ":nonsense \u202e\r", "next violation": "v", "note": "aa note \u202e here\r",
           "mark": "mk", "marks": "'", "policy": ":policy \u202e/none\r", "bad sql": ":sql select '\u202e' from nothing\r",
           "save": ":save-screen /nowhere/\u202e\r", "goto": "%\u202e\r", "palette": ":re", "copy": "y",
           "notebook": "aof \u202e mine\rAE more\rXU", "search-case": ":search-case e\r",
           "hostile search-case": "\\\u202e\r"}
MOVING = "jj\r\tjkG\x1b[5~\x1b[6~g\tn"
PROMPTS = ("palette",)


def walk(explorer, what, check):
    """Through every screen; `check` sees the bytes of each."""
    explorer.wait_for(lambda seen: len(seen) > 800)
    for screen, keys in SCREENS.items():
        before = len(explorer.seen)
        assert explorer.keys(keys, *MOVING, "\x0c", quiet=0.03), f"{what}: {screen}: ended early: {explorer.seen[-300:]!r}"
        check(explorer.seen[before:], f"{what}: {screen}")
        assert len(explorer.seen) - before > 800, f"{what}: {screen}: drew next to nothing"
        explorer.keys(*["\x1b"] * 6, "*" if "filter" in screen else "g", quiet=0.03)
        check(explorer.seen[before:], f"{what}: back from {screen}")


@case
def every_screen_is_walked(_binary, _home):
    names = set()
    for path in (ROOT / "tui").glob("view_*.c"):
        names |= set(re.findall(r'^    \.name = "([a-z-]+)"', path.read_text(), re.M))
    assert len(names) > 9 and names <= set(SCREENS), f"screens without a test here: {names - set(SCREENS)}"


@case
def explorer_lets_nothing_out(binary, home):
    log, made = hostile_case(binary, home)
    config = pathlib.Path(home) / "strandline"
    config.mkdir()
    for number, (term, rows, columns) in enumerate([("xterm-256color", 36, 120), ("screen", 15, 60), ("linux", 50, 200)]):
        # What is wrong with the settings is said on the bottom line.
        (config / "explorer.conf").write_text(["", "key \x1b[8;9m \u202e\n", "\x1b]0;title\x07\n"][number])
        explorer = Pty([binary, made], home, rows, columns, TERM=term)
        explorer.wait_for(lambda seen: len(seen) > 800)
        explorer.keys("\r", *"jjjjjjjj")
        walk(explorer, f"{term} {columns}x{rows}", lambda data, what: check_clean(copies_only(data), what))
        explorer.resize(rows + 5, columns + 20)
        explorer.keys("\x0c")
        leave(explorer, term)
        check_clean(copies_only(explorer.seen), f"all on {term}")
    explorer = Pty([binary, log], home)  # the title is the name of the log
    explorer.wait_for(lambda seen: b"host" in seen and len(seen) > 800)
    explorer.keys("j", ":save-screen " + home + "/" + hostile.FILE_NAME[:8] + "\r", "i", "q", "R", "q", "O", quiet=0.1)
    leave(explorer, "a log by its name")
    check_clean(explorer.seen, "a log by its name")


@case
def explorer_in_ascii_lets_nothing_out(binary, home):
    _, made = hostile_case(binary, home)
    explorer = Pty([binary, "--ascii", made], home, 24, 80, NO_COLOR="1")
    explorer.wait_for(lambda seen: len(seen) > 800)
    explorer.keys("\r")

    def check(data, what):
        check_clean(copies_only(data), what)
        beyond = [byte for byte in data if byte > 126]
        assert not beyond, f"{what}: --ascii, and yet {bytes(beyond[:9])!r}"
    walk(explorer, "--ascii", check)
    leave(explorer, "--ascii")


@case
def plain_screens_let_nothing_out(binary, home):
    _, made = hostile_case(binary, home)
    script = os.path.join(home, "script")
    keys = "\n".join(keys.replace("\r", "").replace("\t", "") if keys[:1] in ":/&" else " ".join(
        {"\r": "Enter", "\t": "Tab"}.get(key, key) for key in keys) if "\x1b" not in keys else "Right" for keys in SCREENS.values())
    pathlib.Path(script).write_text("Enter\n" + keys.replace("\n", "\nEsc Esc Esc\n") + "\n")
    for more in ([], ["--ascii"]):
        done = run(binary, home, "--plain", "--script", script, *more, made)
        check_clean(done.stdout + done.stderr, "--plain", full_screen=False)
        assert b"\x1b" not in done.stdout and len(done.stdout) > 20000, f"--plain: {done.returncode}: {done.stdout[-300:]!r}"


@case
def explorer_restores_the_terminal_on_signals(binary, home):
    explorer_is_there(binary, home)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV):
        explorer = Pty([binary, *SAMPLE], home)
        explorer.wait_for(lambda seen: len(seen) > 800)
        explorer.signal(number)
        explorer.wait_for(lambda seen: b"\x1b[?1049l" in seen)
        cooked = explorer.ends_cooked()
        status = explorer.finish()
        left = grammar.modes_left(explorer.seen)
        assert not left and cooked, f"{number.name}: modes left {left}, {'cooked' if cooked else 'raw'}"
        assert status != 0, f"{number.name}: ends with {status}"


def switches(pid):
    """How often the program ran and stopped running."""
    with open(f"/proc/{pid}/status") as status:
        return sum(int(line.split()[1]) for line in status if "ctxt_switches" in line)


@case
def no_end_loses_a_note(binary, home):
    made = os.path.join(home, "case.strand")
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGHUP, signal.SIGTERM, signal.SIGABRT):
        run(binary, home, "import", "-o", made, *SAMPLE)
        explorer = Pty([binary, made], home)
        explorer.wait_for(lambda seen: len(seen) > 800)
        explorer.keys(f"anote before {number.name}\r", quiet=0.2)
        explorer.signal(number)
        explorer.finish()
        kept = run(binary, home, "sql", made, "select text from v_note").stdout.decode()
        assert f"note before {number.name}" in kept, f"{number.name}: {kept!r}"
        if number in (signal.SIGSEGV, signal.SIGABRT):
            reports(home)  # a sanitizer tells of the crash that was asked for
        else:
            assert not reports(home)


@case
def stopped_from_outside_it_gives_the_terminal_back(binary, home):
    explorer = Pty([binary, *SAMPLE], home)
    explorer.wait_for(lambda seen: len(seen) > 800)
    explorer.drain(0.3)
    before = len(explorer.seen)
    explorer.signal(signal.SIGTSTP)  # without a shell above it, the system has it go on at once
    explorer.wait_for(lambda seen: ALTERNATE in seen[before:] and len(seen) > before + 800)
    given, taken = explorer.seen.find(b"\x1b[?1049l", before), explorer.seen.find(ALTERNATE, before)
    assert 0 < given < taken, f"not given back: {explorer.seen[before:][:300]!r}"
    assert not grammar.modes_left(explorer.seen[:given + 8]) or b"\x1b[?1l" in explorer.seen[given:taken]
    explorer.keys("j")
    leave(explorer, "SIGTSTP")


@case
def a_signal_to_stop_may_come_at_any_moment(binary, home):
    pick = random.Random(1)
    explorer = Job([binary, *SAMPLE], home, 50, 200)
    explorer.wait_for(lambda seen: len(seen) > 800)
    end, stops, on = time.monotonic() + 4, 0, True
    while on and time.monotonic() < end:
        on = explorer.keys(pick.choice("\x0cjk123\x06\x02"), quiet=0.0005)
        if pick.random() < 0.3:
            explorer.signal(signal.SIGTSTP)
        if pick.random() < 0.1:
            explorer.resize(pick.choice([20, 36, 50]), pick.choice([80, 120, 200]))
        stops += len(explorer.stops())
    explorer.drain(0.3)
    explorer.keys("\x1b", "Q", quiet=0.2)
    cooked, status = explorer.ends_cooked(), explorer.finish()
    assert status == 0 and cooked and stops > 20, f"after {stops} stops it ends with {status}, {'cooked' if cooked else 'raw'}"


@case
def a_part_of_a_mouse_report_swallows_no_key(binary, home):
    for part in ("\x1b[<", "\x1b[<0;", "\x1b[<0;5;5", "\x1b[<64;" + "9" * 30):
        for prompt in ("", ":goto 3", "/words", ":sql SELECT 1"):
            explorer = Pty([binary, *SAMPLE], home)
            explorer.wait_for(lambda seen: len(seen) > 800)
            explorer.keys("M", "\x1b[<0;20;9M", "\x1b[<0;20;9m", *prompt[:1], prompt[1:], part)
            assert b"\x1b[?1006h" in explorer.seen
            explorer.keys(*(["\x1b", "Q", "Q"] if prompt else ["Q"]))
            status = explorer.finish()  # None where it had to be killed
            assert status == 0, f"{prompt!r} and {part!r}: ends with {status}"
            assert not grammar.modes_left(explorer.seen)


@case
def who_is_asked_to_end_does_though_nobody_reads(binary, home):
    for number in (signal.SIGTERM, signal.SIGHUP):
        explorer = Pty([binary, *SAMPLE], home)
        explorer.wait_for(lambda seen: len(seen) > 800)
        explorer.drain(0.2)
        quiet, end = 0, time.monotonic() + 10
        while quiet < 20 and time.monotonic() < end:  # until it can't write any more, and so reads no key
            before = switches(explorer.pid)
            if select.select([], [explorer.fd], [], 0)[1]:
                os.write(explorer.fd, b"\x0c")
            select.select([], [], [], 0.01)
            quiet = quiet + 1 if switches(explorer.pid) == before else 0
        explorer.signal(number)
        begin, ended = time.monotonic(), 0
        while not ended and time.monotonic() - begin < PATIENCE:
            ended, status = os.waitpid(explorer.pid, os.WNOHANG)
            select.select([], [], [], 0.01)
        if not ended:
            os.kill(explorer.pid, signal.SIGKILL)
            os.waitpid(explorer.pid, 0)
        os.close(explorer.fd)
        assert ended and os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, f"{number.name}: {'ends otherwise' if ended else 'goes on'}"


@case
def terminals_that_cannot_show_it_are_told(binary, home):
    for term, word in (("dumb", "--plain"), ("nosuch", "--plain")):
        # ncurses itself keeps what it got for a terminal that it then doesn't know
        explorer = Pty([binary, *SAMPLE], home, TERM=term, ASAN_OPTIONS="detect_leaks=0")
        status = explorer.finish()
        assert status == 2 and word.encode() in explorer.seen, f"{term}: {status}: {explorer.seen!r}"


@case
def every_terminal_is_given_back(binary, home):
    for term in ("xterm", "xterm-256color", "screen", "screen-256color", "tmux-256color", "linux", "vt100", "vt220", "rxvt-unicode-256color"):
        explorer = Pty([binary, *SAMPLE], home, 24, 80, TERM=term)
        if not explorer.wait_for(lambda seen: len(seen) > 800):
            assert b"not known here" in explorer.seen, f"{term}: {explorer.seen!r}"
            explorer.finish()
            continue
        explorer.keys("j", "w", "q", "?", "q")
        check_clean(explorer.seen, term)
        leave(explorer, term)


@case
def a_storm_of_sizes_ends_in_order(binary, home):
    explorer = Pty([binary, *SAMPLE], home)
    explorer.wait_for(lambda seen: len(seen) > 800)
    for number in range(150):
        explorer.resize(1 + number * 7 % 60, 1 + number * 31 % 310)
        if number % 5 == 0:
            explorer.keys("jkvw\x1b?q"[number % 7], quiet=0.001)
    explorer.resize(500, 1000)
    explorer.keys("\x1b", "j", quiet=0.2)
    explorer.resize(36, 120)
    explorer.keys(*["\x1b"] * 4, quiet=0.1)
    before = len(explorer.seen)
    explorer.keys("\x0c", quiet=0.3)
    assert b"create_branch" in explorer.seen[before:], explorer.seen[before:][-300:]
    assert not grammar.leaks(explorer.seen[before:])
    leave(explorer, "a storm")


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
    explorer.resize(15, 80)
    explorer.keys("z", "g", quiet=0.3)
    sizes = []
    for _ in range(20):  # also at the edge of the screen
        before = len(explorer.seen)
        explorer.keys("j", quiet=0.1)
        sizes.append(len(explorer.seen) - before)
    assert sum(size < 150 for size in sizes) >= 16, f"steps down send {sizes} bytes"
    before = len(explorer.seen), switches(explorer.pid)
    explorer.drain(1)
    assert len(explorer.seen) == before[0], "draws although nothing happened"
    assert switches(explorer.pid) == before[1], "wakes although nothing happened"
    leave(explorer, "moving")


@case
def a_long_body_is_read_to_its_end_when_the_keys_pause(binary, home):
    explorer_is_there(binary, home)
    log = os.path.join(home, "long.jsonl")
    text = "\n".join([f"line {i} of it" for i in range(60_000)] + ["the very last word"])
    with open(log, "w") as file:
        for rest in ({"method": "tools/call", "params": {"name": "query", "arguments": {}}},
                     {"result": {"content": [{"type": "text", "text": text}]}}):
            file.write(json.dumps({"jsonrpc": "2.0", "id": 1, **rest}) + "\n")
    explorer = Pty([binary, log], home)
    explorer.wait_for(lambda seen: len(seen) > 800)
    before = len(explorer.seen)
    explorer.keys("j", "\r", quiet=0.005)  # one right after the other: the rest has to wait
    said = f"{len(text)} bytes".encode()  # known when all of it was read
    assert explorer.wait_for(lambda seen: said in seen[before:]), "the rest was not read while nobody typed"
    before = len(explorer.seen)
    explorer.keys("G")
    assert explorer.wait_for(lambda seen: b"the very last word" in seen[before:]), "the end never came"
    leave(explorer, "a long body")


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
