"""What the cases of the terminal share: their list, the bundled incident, and how the explorer is left."""
import pathlib
import re
import subprocess

import grammar
from session import Pty, environment

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


def run(binary, home, *command, **how):
    return subprocess.run([binary, *command], env=environment(home), cwd=home, capture_output=True,
                          **({"stdin": subprocess.DEVNULL} | how))


SAMPLE = [str(ROOT / "samples/S01-github-leak/github.log"), str(ROOT / "samples/S01-github-leak/notes.log")]
ALTERNATE = b"\x1b[?1049h"


def explorer_is_there(binary, home):
    shown = Pty([binary, *SAMPLE], home)
    there = shown.wait_for(lambda seen: ALTERNATE in seen)
    if there:
        shown.keys("q", "q", "q")
    shown.finish()
    if not there:
        raise Skip("this build has no explorer yet")


def copies_only(data):
    """Without the clipboard sequences that `y` sends: base64 and nothing else."""
    return re.sub(rb"\x1b\]52;c;[A-Za-z0-9+/=]*\x07", b"", data)


def leave(explorer, what):
    """Quits, and holds the terminal's state against what a shell expects."""
    for _ in range(8):
        if not explorer.keys("q", quiet=0.1):
            break
    cooked = explorer.ends_cooked()
    status = explorer.finish()
    assert status == 0, f"{what}: ends with {status}, having shown {explorer.seen[-400:]!r}"
    assert cooked, f"{what}: the terminal is left raw"
    left = grammar.modes_left(explorer.seen)
    assert not left, f"{what}: modes are left {left}"
