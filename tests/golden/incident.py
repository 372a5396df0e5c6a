#!/usr/bin/env python3
"""Golden screens: the explorer, in a terminal, on the bundled incidents.

usage: incident.py --strandline BINARY [--update]

Every screen that SCREENS names, as `:save-screen` keeps it, at 80x24, 120x36 and 200x50, with the
signs of UTF-8 and in plain ASCII, against incident/NAME-COLSxROWS[-ascii].txt. The program is the real
one, on the logs that `./run` opens; of some other incidents it is only what a person sees who asks
where it went wrong (the first screen), why (w) and what left (x). Blanks at the end of a row are left off, and times of
notes become TIME. --update writes the goldens anew; read the difference before you commit it. TAP.
"""
import argparse
import difflib
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "terminal"))
from session import Pty, reports  # noqa: E402

SIZES = [(80, 24), (120, 36), (200, 50)]
INCIDENT = "samples/S01-github-leak"
LOGS = ["--session", "1", "--evidence", f"{INCIDENT}/evidence/records", f"{INCIDENT}/evidence/github.log",
        f"{INCIDENT}/evidence/notes.log", f"{INCIDENT}/twin/*.log"]

# What is typed before a screen is kept; each goes on from where the last one ended.
SCREENS = [
    ("flow", ["Down", "Up"]),
    ("flow-top", ["g"]),
    ("flow-untrusted", ["u"]),
    ("flow-private", ["p", "3"]),
    ("flow-evidence", ["4"]),
    ("flow-raw", ["5"]),
    ("flow-result", ["2", "Enter"]),
    ("flow-violation", ["q", "1", "g v v"]),
    ("why", ["w"]),
    ("why-texts", ["G"]),
    ("findings", ["q", "f"]),
    ("evidence", ["q", "e"]),
    ("evidence-mismatch", ["j j j"]),
    ("egress", ["q", "x"]),
    ("tools", ["q", "d"]),
    ("record", ["q", "i"]),
    ("whatif-nothing", ["q", "c"]),
    ("whatif", ["q", "u", ":relabel trusted,public"]),
    ("policy", ["q", ":policy fides"]),
    ("filter", [":policy additive", "&verdict:deny"]),
    ("filter-off", ["*"]),
    ("search", ["&", "C-u", "Enter", "g", "/payroll"]),
    ("elsewhere", ["Esc", "u", "O"]),
    ("differs", ["q", "="]),
    ("differs-step", ["j"]),
    ("sessions", ["q", "s"]),
    ("search-case", ["q", ":search-case payroll"]),
    ("notebook", ["q", "g v", "m a", ":note look here first", "v", ":note and what was written", "A"]),
    ("report", ["q", "R"]),
    ("sql", ["q", ":sql SELECT step, server, tool, verdict FROM v_step WHERE session_id = 1 AND verdict = 'deny'"]),
    ("help", ["q", "?"]),
    ("lesson", ["q", ":lesson"]),
    ("lesson-told", ["1"]),
]


QUESTIONS = [("flow", ["Down", "Up"]), ("why", ["w"]), ("left", ["q", "x"])]
OTHERS = ["S02-changed-description", "S03-poisoned-definition", "S05-rendered-image", "S09-init-outside-root"]


def sets():
    """Each incident: what its goldens' names begin with, its logs, its screens."""
    yield "", LOGS, SCREENS
    for name in OTHERS:
        logs = [f"samples/{name}/{p.name}" for p in sorted((ROOT / "samples" / name).glob("*.*l*")) if p.suffix in (".log", ".jsonl")]
        yield name[:3].lower() + "-", logs, QUESTIONS


def take(binary, columns, rows, ascii_, logs, screens, folder):
    """Every screen of one size, in files of the folder; what went wrong, or ''."""
    script = []
    for name, keys in screens:
        script += keys
        script.append(f":save-screen {folder}/{name}")
    script.append("Q")
    path = os.path.join(folder, "script")
    pathlib.Path(path).write_text("\n".join(script) + "\n")
    argv = [binary, "--script", path] + (["--ascii"] if ascii_ else []) + logs
    # The child starts in the project, so that no path of this machine is on a screen.
    terminal = Pty(["sh", "-c", 'cd "$0" && exec "$@"', str(ROOT)] + argv, folder, rows=rows, columns=columns)
    status = terminal.finish()
    found = reports(folder)
    return found or ("" if status == 0 else f"exit status {status}")


def normal(text):
    text = re.sub(r"written \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "written TIME", text)
    return "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n")) + "\n"


def compare(kept, golden, update):
    """What differs between a screen and its golden."""
    if not kept.exists():
        return [f"{golden.name}: no screen was kept"]
    now = normal(kept.read_text())
    if update:
        golden.write_text(now)
    was = golden.read_text() if golden.exists() else ""
    wrong = list(difflib.unified_diff(was.splitlines(), now.splitlines(), golden.name, "now", lineterm=""))
    if golden.name.endswith("-ascii.txt") and not now.isascii():
        wrong.append(f"{golden.name}: not in ASCII")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strandline", required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    binary = os.path.abspath(args.strandline)
    cases = [(columns, rows, ascii_, *of) for of in sets() for columns, rows in SIZES for ascii_ in (False, True)]
    failed = 0
    print(f"1..{len(cases)}")
    for number, (columns, rows, ascii_, begin, logs, screens) in enumerate(cases, 1):
        tail = f"{columns}x{rows}" + ("-ascii" if ascii_ else "")
        with tempfile.TemporaryDirectory(prefix="strandline-incident-") as folder:
            wrong = [take(binary, columns, rows, ascii_, logs, screens, folder)]
            for name, _ in screens:
                wrong += compare(pathlib.Path(folder) / name, HERE / "incident" / f"{begin}{name}-{tail}.txt", args.update)
        wrong = [line for line in wrong if line]
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - the screens of {logs[-1]} at {tail}")
        for line in wrong:
            print(f"# {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
