#!/usr/bin/env python3
"""Random keys, pastes, mouse reports, sizes and signals for the explorer on a pty.

usage: keys.py --strandline BINARY [--seconds N] [--seed N]

Best with a binary that sanitizers watch. Prints TAP: a case each for an attack, an incident, an empty case and
very long text; the time is shared between them. A failure names its seed and the last keys: `--seed` plays them
again. Checked: it ends when it is asked to, with 0, and not before; the terminal is given back, no sanitizer has
anything to say, and nothing but what a screen is made of came out. It is stopped now and then, as a job of a shell.
"""
import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import grammar
import hostile
from session import Job, environment, reports

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPECIAL = ["\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z", "\x1b[3~", "\x1bOP", "\x1bOQ", "\x1bOR",
           "\x1bOS", "\x1b[15~", "\x1b[17~", "\x1b[18~", "\x1b[19~", "\x1b[20~", "\x1b", "\r", "\t", "\x7f", " ", "\x0c", "\x15", "\x04", "\x06", "\x02",
           "\x1a", "\x1b[", "\x1b[999~", "\x1b[<0;", "\xff", "\u00e9", "\u6f22", "\U0001f468"]
LETTERS = [chr(c) for c in range(33, 127) if chr(c) not in "Q"]
STEPS_OUT = ("back", "cancel", "help")  # help runs what it lists
WORDS = ["tool:send_*", "label:untrusted", "verdict:deny", "finding:high", "is:error", "-server:github", "/a(b|c)/", "secret", "\"two words\"",
         "trusted,public", "private:x", "readers:A+B", "untrusted", "fides", "additive", "nosuch", "1", "12", "50%", "0", "-5", "999999999999999999999"]
SQL = ["select * from v_step", "select * from v_finding", "select 1/0, null, x'00', 'a' || char(27)", "with recursive a(n) as (select 1 union all"
       " select n+1 from a) select n from a", "select", "drop table step", "select step, session_id from v_step"]


def actions():
    """Names of all actions but the one that leaves, as the help of the explorer lists them."""
    source = (ROOT / "tui/action.h").read_text()
    return [name for name in re.findall(r'^    X\(\w+, "([a-z0-9-]+)"', source, re.M) if name != "quit"]


def may_leave(text, commands):
    """Can it be that the program ends by that, in whatever state it is? By q or C-c, by a line of the help, by a
    name in the palette that is none of the commands."""
    command = re.match(":([a-z-]+)(?= |[\t\r\x1b])", text)
    return bool(re.search(r"[qQ?\x03]|\x1bOP|.:", text, re.S)) or text[:1] == ":" and not (command and command[1] in commands)


class Typist:
    def __init__(self, seed, names, home):
        self.random = random.Random(seed)
        self.names, self.home = names, home
        self.leaves = self.random.random() < 0.5
        self.commands = names if self.leaves else [name for name in names if name not in STEPS_OUT and "q" not in name]

    def piece(self):
        """One thing a person (or a cat) might do: text to type, or a tuple for the terminal itself. Nothing that
        leaves the program where `leaves` is False."""
        while isinstance(piece := self._piece(), str) and not self.leaves and may_leave(piece, self.commands):
            pass
        return piece

    def _piece(self):
        pick = self.random
        kind = pick.random()
        if kind < 0.45:
            return "".join(pick.choice(LETTERS if pick.random() < 0.6 else SPECIAL) for _ in range(pick.randrange(1, 12)))
        if kind < 0.55:
            return pick.choice("jkGgvVutT()onN\x06\x02") * pick.randrange(1, 40)
        if kind < 0.70:
            argument = pick.choice(WORDS + [self.home + "/saved", hostile.ALL[:200].replace("\r", "").replace("\x03", "")])
            return ":" + pick.choice(self.commands) + (" " + argument if pick.random() < 0.5 else "") + pick.choice(["\r", "\r", "\x1b", "\t\r"])
        if kind < 0.78:
            return pick.choice("/&") + pick.choice(WORDS) + pick.choice(["\r", "\r\r", "\x1b"]) + pick.choice(["", "n", "*", "N"])
        if kind < 0.82:
            return ":sql " + pick.choice(SQL) + "\r" + pick.choice(["", "\x1b", "q", "\x03"])
        if kind < 0.86:
            return "a" + pick.choice(WORDS + hostile.PAYLOADS[3:6]) + "\rm" + pick.choice("abz;") + "'" + pick.choice("abz'")
        if kind < 0.92:
            return "M" * pick.randrange(0, 2) + "".join(
                f"\x1b[<{pick.choice([0, 32, 64, 65, 2])};{pick.randrange(1, 130)};{pick.randrange(1, 60)}{pick.choice('Mm')}" for _ in range(pick.randrange(1, 9)))
        if kind < 0.97:
            return ("resize", pick.choice([1, 2, 5, 14, 15, 24, 36, 50, 100]), pick.choice([1, 2, 10, 59, 60, 80, 120, 149, 150, 200, 300]))
        return ("signal", pick.choice([signal.SIGWINCH, signal.SIGCONT, signal.SIGTSTP, signal.SIGSTOP]))


def clean(data):
    found = grammar.leaks(re.sub(rb"\x1b\]52;c;[A-Za-z0-9+/=]*\x07", b"", data))
    assert not found, f"{len(found)} leaks, first: {found[0]}"


def play(binary, home, operands, seed, names, seconds):
    """One run from the first screen to the last; gives how many pieces were typed, and how often it was stopped."""
    typist, typed, stops = Typist(seed, names, home), [], 0
    explorer = Job([binary, *operands], home, 36, 120, STRANDLINE_SAMPLES=str(ROOT / "samples"))
    explorer.wait_for(lambda seen: len(seen) > 300)
    end, status, on = time.monotonic() + seconds, 0, True
    try:
        while on and time.monotonic() < end:
            piece = typist.piece()
            typed.append(piece)
            if isinstance(piece, str):
                on = explorer.keys(piece, quiet=0.005)
            elif piece[0] == "resize":
                explorer.resize(*piece[1:])
            else:
                explorer.signal(piece[1])
            on = on and explorer.drain(0.01)
            stops += len(explorer.stops())
            if len(explorer.seen) > 200_000:
                whole = explorer.seen.rfind(b"\x1b")  # what begins there may not have ended
                clean(explorer.seen[:whole])
                explorer.seen = explorer.seen[whole:]
        asked = on or typist.leaves
        if on:
            explorer.resize(36, 120)
            for key in ("\x1b", "\x1b", "\x1b", "\x03", "\x03", "Q", "Q"):
                on = on and explorer.keys(key, quiet=0.1)
        cooked = explorer.ends_cooked()
        status = explorer.finish()
        assert status == 0, f"ends with {status}, having shown {explorer.seen[-300:]!r}"
        assert asked, f"ends without being asked to, having shown {explorer.seen[-300:]!r}"
        assert cooked, "the terminal is not as it was before"
        clean(explorer.seen)
    except AssertionError as bad:
        raise AssertionError(f"{bad}\nseed {seed}, {len(typed)} pieces, the last: {typed[-12:]!r}") from bad
    return len(typed), stops


def cases(binary, home):
    def imported(name, *logs):
        made = os.path.join(home, name + ".strand")
        subprocess.run([binary, "import", "-o", made, *logs], env=environment(home), stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return [made]
    attack, long, nothing = (os.path.join(home, name) for name in ("attack.log", "long.log", "nothing.log"))
    hostile.write(attack)
    hostile.write(long, hostile.LONG)
    pathlib.Path(nothing).write_text("")
    incident = [str(path) for path in sorted((ROOT / "samples/S01-github-leak").glob("*.log"))]
    twin = [str(path) for path in sorted((ROOT / "samples").glob("S0[24]*/*.log"))]
    return {"an attack": imported("attack", attack), "an incident": imported("incident", *incident, *twin), "logs": incident, "nothing": [nothing],
            "long text": imported("long", long)}


def rounds(binary, home, operands, seed, names, seconds):
    """Plays until the time is over or something is wrong: what was done, what is wrong."""
    begin, pieces, stops, trouble = time.monotonic(), 0, 0, ""
    while not trouble and (left := seconds - (time.monotonic() - begin)) > 0:
        try:
            more = play(binary, home, operands, seed, names, max(1, min(20, left)))
            pieces, stops = pieces + more[0], stops + more[1]
            trouble = reports(home)
        except AssertionError as bad:
            trouble = f"{bad}\n{reports(home)}"
        seed += 100
    return f"{pieces} pieces, {stops} stops", trouble


def main():
    parser = argparse.ArgumentParser(description="random keys for the explorer")
    parser.add_argument("--strandline", required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=20261130)
    options = parser.parse_args()
    binary = os.path.abspath(options.strandline)
    # Screens and reports may be saved under any name: not beside what the cases need, and not where one is.
    with tempfile.TemporaryDirectory(prefix="strandline-keys-") as home, tempfile.TemporaryDirectory(prefix="strandline-saved-") as empty:
        os.chdir(empty)
        kinds, names, failed = cases(binary, home), actions(), 0
        print(f"TAP version 13\n1..{len(kinds)}\n# seed {options.seed}", flush=True)
        for number, (kind, operands) in enumerate(kinds.items(), 1):
            done, trouble = rounds(binary, home, operands, options.seed * 1000 + number, names, options.seconds / len(kinds))
            failed += bool(trouble)
            print(f"{'not ok' if trouble else 'ok'} {number} - random keys on {kind}, {done}", flush=True)
            for line in trouble.splitlines()[:40]:
                print("# " + line.encode("ascii", "backslashreplace").decode()[:2000])
        os.chdir("/")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
