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


def host(number, stamp):
    """What the host tells of the calls of a log."""
    lines = []
    for call in 1, 2:
        block = {"type": "tool_use", "id": f"{number}.{call}", "name": "mcp__office__read", "input": {"q": number * 10 + call}}
        lines.append(json.dumps({"parentUuid": None, "sessionId": f"session-{number}", "type": "assistant", "uuid": f"{number}-{call}",
                                 "timestamp": stamp(number, 0)[1:25], "message": {"role": "assistant", "content": [block]}}))
    return lines


def crowded(number, line):
    """As marked, but logs overlap: all in one folder are one session."""
    return marked(number // 6, line + number % 6 * 8)


FOLDERS = {
    "one session of many logs": (lambda number: {f"{number:05}.log": wire(number, bare)}, lambda logs: 1),
    "a session for each log": (lambda number: {f"{number:05}.log": wire(number, marked)}, lambda logs: logs),
    "transcripts": (lambda number: {f"{number:05}.jsonl": transcript(number)}, lambda logs: logs),
    "transcripts with a log each": (lambda number: {f"{number:05}/wire.log": wire(number, marked), f"{number:05}/host.jsonl": host(number, marked)},
                                    lambda logs: logs),
    "transcripts with logs that stand together": (lambda number: {f"wires/{number:05}.log": wire(number, crowded),
                                                                  f"hosts/{number:05}.jsonl": host(number, crowded)}, lambda logs: logs),
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


def check_order(case, sessions, logs):
    db = sqlite3.connect(case)
    counts = db.execute("SELECT count(*), min(n), max(n) FROM step GROUP BY session_id").fetchall()
    assert len(counts) == sessions, f"{len(counts)} sessions, not {sessions}"
    assert all(least == 1 and most == count for count, least, most in counts), "a gap in the numbers"
    alone = " WHERE session_id NOT IN (SELECT session_id FROM session_source GROUP BY 1 HAVING count(DISTINCT"
    alone += " (SELECT format FROM source WHERE id=source_id)) > 1)"  # who joins a transcript goes by times
    rows = db.execute(f"SELECT session_id, source_id, id FROM step{alone} ORDER BY session_id, n").fetchall()
    assert rows == sorted(rows), "steps that are not in the order of their logs"
    calls = db.execute("SELECT count(*) FROM step WHERE kind='tool_call'").fetchone()[0]
    assert calls in (0, 2 * logs), f"{calls} calls of {logs} logs"
    db.close()


def grows_in_proportion(binary, files, sessions):
    took = []
    with tempfile.TemporaryDirectory() as top:
        for logs in FEW, FEW * TIMES:
            folder, case = pathlib.Path(top, str(logs)), pathlib.Path(top, f"{logs}.strand")
            folder.mkdir()
            for number in range(logs):
                for name, lines in files(number).items():
                    (folder / name).parent.mkdir(exist_ok=True)
                    (folder / name).write_text("\n".join(lines) + "\n")
            took.append(seconds(binary, folder, case))
            check_order(case, sessions(logs), logs)
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
