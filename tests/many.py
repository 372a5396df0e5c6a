#!/usr/bin/env python3
"""Folders of many small logs: four times as many cost four times as much, and are one case with steps in order.

usage: many.py --strandline BINARY          (prints TAP)

Counted is the time on a processor, the least of some runs; what grows with the
square would take sixteen times as long.
"""
import argparse
import json
import pathlib
import resource
import sqlite3
import subprocess
import tempfile

FEW, TIMES, MOST, RUNS = 500, 4, 7, 3


def message(**more):
    return json.dumps({"jsonrpc": "2.0", **more})


def wire(number, stamp):
    """A connection with two calls; its lines begin with their times, a minute for each log, or with nothing."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    lines = [message(id=0, method="initialize", params={**hello, "clientInfo": {"name": "b", "version": "1"}}),
             message(id=0, result={**hello, "serverInfo": {"name": "office", "version": "1"}})]
    for call in 1, 2:
        lines += [message(id=call, method="tools/call", params={"name": "read", "arguments": {"q": number * 10 + call}}),
                  message(id=call, result={"content": [{"type": "text", "text": f"answer {number}.{call}"}]})]
    return [stamp(number, i) + line for i, line in enumerate(lines)]


def bare(number, line):
    return ""


def marked(number, line):
    hours, minutes = divmod(number, 60)
    arrow = "<<<" if line % 2 else ">>>"
    return "[2026-01-%02dT%02d:%02d:%02d.000Z] %s " % (1 + hours // 24, hours % 24, minutes, line, arrow)


def transcript(number):
    lines, parent = [], None
    for i, role in enumerate(("user", "assistant", "user", "assistant")):
        name = f"{number}-{i}"
        lines.append(json.dumps({"parentUuid": parent, "sessionId": f"session-{number}", "type": role, "uuid": name,
                                 "message": {"role": role, "content": [{"type": "text", "text": f"words {name}"}]}}))
        parent = name
    return lines


FOLDERS = {
    "one session of many logs": ("log", lambda number: wire(number, bare), lambda logs: 1),
    "a session for each log": ("log", lambda number: wire(number, marked), lambda logs: logs),
    "transcripts": ("jsonl", transcript, lambda logs: logs),
}


def seconds(binary, folder, case):
    """What an import of the folder takes on a processor, the least of some."""
    best = None
    for _ in range(RUNS):
        case.unlink(missing_ok=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([binary, "import", "-q", "--no-replay", "-o", case, folder], check=True, timeout=300)
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        best = took if best is None else min(best, took)
    return best


def check_order(case, sessions):
    db = sqlite3.connect(case)
    counts = db.execute("SELECT count(*), min(n), max(n) FROM step GROUP BY session_id").fetchall()
    assert len(counts) == sessions, f"{len(counts)} sessions, not {sessions}"
    assert all(least == 1 and most == count for count, least, most in counts), "a gap in the numbers"
    rows = db.execute("SELECT session_id, source_id, id FROM step ORDER BY session_id, n").fetchall()
    assert rows == sorted(rows), "steps that are not in the order of their logs"
    db.close()


def grows_in_proportion(binary, ending, text, sessions):
    took = []
    with tempfile.TemporaryDirectory() as top:
        for logs in FEW, FEW * TIMES:
            folder, case = pathlib.Path(top, str(logs)), pathlib.Path(top, f"{logs}.strand")
            folder.mkdir()
            for number in range(logs):
                (folder / f"{number:05}.{ending}").write_text("\n".join(text(number)) + "\n")
            took.append(seconds(binary, folder, case))
            check_order(case, sessions(logs))
    assert took[1] <= MOST * took[0], "%.2f s, and %.2f s of %d times as many" % (*took, TIMES)
    return "%.1f times" % (took[1] / took[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strandline", required=True)
    binary = parser.parse_args().strandline
    print(f"1..{len(FOLDERS)}")
    for i, (name, folder) in enumerate(FOLDERS.items(), 1):
        try:
            print(f"ok {i} - {name} # {grows_in_proportion(binary, *folder)}", flush=True)
        except (AssertionError, subprocess.SubprocessError) as why:
            print(f"not ok {i} - {name}\n# {why}", flush=True)


main()
