#!/usr/bin/env python3
"""Imports that are killed, stopped, or run out of disk: the case opens, and the same command goes on.

usage: kill.py --strandline BINARY          (prints TAP; STRANDLINE_KILLS: how often, default 20)
"""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import random
import re
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time


def write_log(path, calls, first=0):
    rng = random.Random(first)
    with open(path, "w") as out:
        for i in range(first, first + calls):
            text = " ".join(rng.choice(["mail", "from", "the", "bank", "review"]) for _ in range(60))
            ask = {"name": "read", "arguments": {"q": i}}
            for message in ({"id": i, "method": "tools/call", "params": ask},
                            {"id": i, "result": {"content": [{"type": "text", "text": text}]}}):
                out.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def run(*words, **more):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300, **more)


def import_words(case, *paths):
    return ["import", "--no-replay", "-o", case, *paths]


def opens(case):
    """A case that opens, whose sources are whole and accounted for to the byte."""
    sound = run("verify", case)
    db = sqlite3.connect(case) # a journal that was left is rolled back by now
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    empty = db.execute("SELECT count(*) FROM source").fetchone() == (0,)
    assert sound.returncode == 0 or (empty and "no session" in sound.stderr), (sound.stdout, sound.stderr)
    sums = db.execute("SELECT s.bytes, (SELECT sum(bytes) FROM account WHERE source_id=s.id)"
                      " FROM source s").fetchall()
    for whole, told in sums:
        assert whole == told, f"{whole} bytes, and the account tells of {told}"
    steps = db.execute("SELECT count(*) FROM step").fetchone()[0]
    numbers = db.execute("SELECT min(n), max(n), count(*) FROM step GROUP BY session_id").fetchall()
    assert all(least == 1 and most == count for least, most, count in numbers), "a gap in the numbers of steps"
    order = db.execute("SELECT session_id, source_id, id FROM step ORDER BY session_id, n").fetchall()
    assert order == sorted(order), "steps that are not in order" # none of these logs has times
    db.close()
    return len(sums), steps


def killed_at_any_moment(folder):
    kills = int(os.environ.get("STRANDLINE_KILLS", "20"))
    logs = folder / "logs"
    logs.mkdir()
    for i in range(6):
        write_log(logs / f"{i}.log", 2500, first=i * 100000)
    case = folder / "case.strand"
    begin = time.monotonic()
    assert run(*import_words(folder / "whole.strand", logs)).returncode == 0
    whole = time.monotonic() - begin
    sources, steps = opens(folder / "whole.strand")
    rng = random.Random(7)
    left = set()
    for _ in range(kills):
        child = subprocess.Popen([BINARY, *map(str, import_words(case, logs))],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, whole * 1.1))
        child.kill()
        child.wait()
        if case.exists() and case.stat().st_size:
            left.add(opens(case)[0])
        if len(left) and max(left) == sources: # all of it is there: begin anew
            for file in folder.glob("case.strand*"):
                file.unlink()
            left = set()
    done = run(*import_words(case, logs))
    assert done.returncode == 0, done.stderr
    assert opens(case) == (sources, steps), (opens(case), sources, steps)


def write_host(path, calls, first=0):
    """A transcript of the calls of write_log."""
    with open(path, "w") as out:
        for i in range(first, first + calls):
            block = {"type": "tool_use", "id": f"t{i}", "name": "mcp__office__read", "input": {"q": i}}
            out.write(json.dumps({"parentUuid": None, "sessionId": "s", "type": "assistant", "uuid": f"u{i}",
                                  "message": {"role": "assistant", "content": [block, {"type": "text", "text": "read " * 200}]}}) + "\n")


def killed_while_a_transcript_is_joined_with_its_log(folder):
    """It is read once more then: the case never lacks it."""
    calls, rng = 6000, random.Random(11)
    write_host(folder / "host-1.jsonl", calls // 2)
    write_host(folder / "host-2.jsonl", calls // 2, first=calls // 2)
    write_log(folder / "wire.log", calls)
    before, case = folder / "before.strand", folder / "case.strand"
    assert run(*import_words(before, *folder.glob("host-*"))).returncode == 0
    begin = time.monotonic()
    case.write_bytes(before.read_bytes())
    assert run(*import_words(case, folder / "wire.log")).returncode == 0
    whole = time.monotonic() - begin
    for _ in range(8):
        for file in folder.glob("case.strand*"):
            file.unlink()
        case.write_bytes(before.read_bytes())
        child = subprocess.Popen([BINARY, *map(str, import_words(case, folder / "wire.log"))],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.3, 1.1) * whole)
        child.kill()
        child.wait()
        db = sqlite3.connect(case)
        said = db.execute("SELECT count(*) FROM step WHERE kind='assistant'").fetchone()[0]
        assert said == calls, f"{said} texts of {calls} are there"
        db.close()
    assert run(*import_words(case, folder / "wire.log")).returncode == 0
    db = sqlite3.connect(case)
    joined = db.execute("SELECT (SELECT count(*) FROM session), count(*) FROM step WHERE kind='tool_call'").fetchone()
    assert joined == (1, calls), joined
    db.close()


def stopped_by_the_person(folder):
    log, case = folder / "a.log", folder / "case.strand"
    write_log(log, 60000)
    child = subprocess.Popen([BINARY, *map(str, import_words(case, log))],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not case.exists() or case.stat().st_size < 200000: # it is made
        assert child.poll() is None, child.communicate()
        time.sleep(0.01)
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=120)
    if child.returncode == 0: # it was quicker
        return
    assert child.returncode == 4, (child.returncode, told)
    assert ("interrupted at byte" in told or "interrupted before" in told) and "to go on: strandline import" in told, told
    opens(case)
    assert run(*import_words(case, log)).returncode == 0
    assert run(*import_words(folder / "whole.strand", log)).returncode == 0
    assert opens(case) == opens(folder / "whole.strand")
    assert "unchanged" in run("verify", case).stdout


def write_timed(path, seconds, sides="cs", tool="read"):
    """A wire log with times, a call at each of these seconds; of the client's side, the server's, or both."""
    with open(path, "w") as out:
        def put(second, mark, message):
            stamp = f"2026-03-02T{10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.500Z"
            if mark in sides:
                out.write(f"[{stamp}] {'>>>' if mark == 'c' else '<<<'} {json.dumps({'jsonrpc': '2.0', **message})}\n")
        put(seconds[0], "c", {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}})
        put(seconds[0], "s", {"id": 0, "result": {"protocolVersion": "2025-06-18", "serverInfo": {"name": tool}}})
        for i, second in enumerate(seconds, 1):
            put(second, "c", {"id": i, "method": "tools/call", "params": {"name": tool, "arguments": {"q": second}}})
            put(second, "s", {"id": i, "result": {"content": [{"type": "text", "text": f"{tool} {second}"}]}})


def write_transcript(path, seconds, tool):
    with open(path, "w") as out:
        for i, second in enumerate(seconds):
            stamp = f"2026-03-02T{10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.400Z"
            common = {"sessionId": "one", "timestamp": stamp}
            call = {"type": "tool_use", "id": f"t{i}", "name": f"mcp__{tool}__{tool}", "input": {"q": second}}
            result = {"type": "tool_result", "tool_use_id": f"t{i}", "content": f"{tool} {second}"}
            for line in ({"type": "assistant", "uuid": f"a{i}", "parentUuid": f"u{i - 1}" if i else None,
                          "message": {"role": "assistant", "content": [call]}},
                         {"type": "user", "uuid": f"u{i}", "parentUuid": f"a{i}",
                          "message": {"role": "user", "content": [result]}}):
                out.write(json.dumps({**common, **line}) + "\n")


def told_of(case):
    """Sessions and steps, as the commands tell them."""
    return [run(*words, "--json", case).stdout for words in (["sessions"], ["steps", "--all"])]


def what_is_gone_on_with_is_the_same(folder):
    """Files that came into the case in the order of the walk, as many as before a kill, and then the rest."""
    logs, whole = folder / "logs", folder / "whole.strand"
    (logs / "sub").mkdir(parents=True)
    write_timed(logs / "a.log", [0, 10, 20], tool="mail")
    write_timed(logs / "b.log", [15, 18], tool="files")
    write_timed(logs / "c.log", [900, 910], tool="late") # at another time: another session
    write_timed(logs / "d.log", [905, 2000], tool="both") # goes on with it
    write_timed(logs / "e.log", [1990, 3000], tool="end")
    write_timed(logs / "f.log", [5000, 5010], tool="other")
    write_timed(logs / "g.log", [3005, 5005], tool="last") # belongs to two
    write_timed(logs / "sub/a.log", [1, 11], tool="apart") # in a folder of its own
    write_timed(logs / "sub/b.log", [12], tool="apart")
    order = sorted(logs.glob("*.log")) + sorted(logs.glob("sub/*.log"))
    (logs / "tee").mkdir()
    for name, side in ("c2s", "c"), ("s2c", "s"): # two halves of one connection
        write_timed(logs / f"tee/{name}.log", [1, 2, 3], side, tool="half")
        order.append(logs / f"tee/{name}.log")
    write_transcript(logs / "z.jsonl", [0, 10, 20], "mail")
    order.append(logs / "z.jsonl")
    assert run(*import_words(whole, logs)).returncode == 0
    wanted = told_of(whole)
    for kept in range(1, len(order)):
        case = folder / f"{kept}.strand"
        away = folder / "away"
        away.mkdir()
        for i, path in enumerate(order[kept:]):
            path.rename(away / str(i))
        assert run(*import_words(case, logs)).returncode == 0
        for i, path in enumerate(order[kept:]):
            (away / str(i)).rename(path)
        away.rmdir()
        assert run(*import_words(case, logs)).returncode == 0
        told = told_of(case)
        assert told == wanted, "\n".join([f"gone on with after {kept} files:", *told, "instead of", *wanted])


def a_disk_that_is_full(folder):
    log, case = folder / "a.log", folder / "case.strand"
    write_log(log, 20000)

    def small_disk():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    full = run(*import_words(case, log), preexec_fn=small_disk)
    assert full.returncode == 5, (full.returncode, full.stderr)
    assert len(full.stderr.strip().splitlines()) == 1 and "disk" in full.stderr, full.stderr
    opens(case)
    assert run(*import_words(case, log)).returncode == 0
    assert opens(case)[1] == 40000
    case = folder / "not-replayed.strand"
    assert run(*import_words(case, log)).returncode == 0
    whole = case.stat().st_size
    write_log(folder / "b.log", 20000, first=20000)
    full = run("import", "-o", case, folder / "b.log", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (whole, whole)))
    assert full.returncode == 5 and len(full.stderr.strip().splitlines()) == 1, (full.returncode, full.stderr)
    assert opens(case)[1] == 40000


def a_pipe_that_nobody_writes_to(folder):
    fifo, case = folder / "pipe", folder / "case.strand"
    os.mkfifo(fifo)
    child = subprocess.Popen([BINARY, *map(str, import_words(case, fifo))], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    _, told = child.communicate(timeout=20)
    assert child.returncode in (4, -signal.SIGINT), (child.returncode, told)
    assert str(fifo) in told and "nobody" in told, told


def what_cannot_be_read(folder):
    log, case = folder / "a.log", folder / "case.strand"
    write_log(log, 10)
    for words in ([""], [folder / "none.log"]):
        bad = run(*import_words(case, *words, log))
        assert bad.returncode == 4, (words, bad.returncode, bad.stderr)
        assert len(bad.stderr.strip().splitlines()) == 1, bad.stderr
        assert opens(case) == (1, 20)
    piped = run(*import_words(folder / "stdin.strand", "-"), stdin=open(log))
    assert piped.returncode == 0, piped.stderr
    assert opens(folder / "stdin.strand") == (1, 20)


def nothing_is_left_of_an_output(folder):
    """A file that was being written when the program was killed."""
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError: # this file system has no files without a name
        return
    case, into = folder / "case.strand", folder / "out"
    write_log(folder / "a.log", 4000)
    into.mkdir()
    assert run("import", "-q", "-o", case, folder / "a.log").returncode == 0
    words = [BINARY, "export", "--as", "jsonl", "-o", into / "whole.json", case]
    begin = time.monotonic()
    subprocess.run(words, check=True, timeout=300)
    whole, took = (into / "whole.json").read_bytes(), time.monotonic() - begin
    rng = random.Random(5)
    for _ in range(10):
        child = subprocess.Popen(words)
        time.sleep(rng.uniform(0, took))
        child.kill()
        child.wait()
        assert os.listdir(into) == ["whole.json"], os.listdir(into)
        assert (into / "whole.json").read_bytes() == whole


def a_redaction_that_was_killed(folder):
    """A copy is there as a whole, or not at all: never one in which something still stands."""
    case, into = folder / "case.strand", folder / "out"
    write_log(folder / "a.log", 3000)
    into.mkdir()
    assert run(*import_words(case, folder / "a.log")).returncode == 0
    before = case.read_bytes()
    words = [BINARY, "redact", "-q", "--text", "mail", "-o", into / "copy.strand", case]
    begin = time.monotonic()
    subprocess.run(words, check=True, timeout=300)
    took = time.monotonic() - begin
    rng = random.Random(3)
    for _ in range(12):
        for file in into.iterdir():
            file.unlink()
        child = subprocess.Popen(words)
        time.sleep(rng.uniform(0, took * 1.1))
        child.kill()
        child.wait()
        again = run(*words[1:]) # what was left holds nothing, or all
        assert again.returncode == 0 or "exists already" in again.stderr, again.stderr
        assert opens(into / "copy.strand")[0] == 1
        assert "redacted" in run("verify", into / "copy.strand").stdout
        assert "mail" not in run("export", "--as", "jsonl", into / "copy.strand").stdout
    assert case.read_bytes() == before


def on_a_terminal(columns, *words):
    """What the program writes to a terminal of so many columns as standard error, and its exit status."""
    above, below = pty.openpty()
    fcntl.ioctl(below, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([BINARY, *map(str, words)], stdout=subprocess.DEVNULL, stderr=below)
    os.close(below)
    written = b""
    try:
        while part := os.read(above, 65536):
            written += part
    except OSError: # the other end is closed
        pass
    os.close(above)
    return written.decode(), child.wait(timeout=120)


def progress_is_told_to_a_terminal_only(folder):
    log = folder / "a-log-with-a-name.log"
    write_log(log, 60000)
    assert run(*import_words(folder / "piped.strand", log)).stderr == ""
    for columns in 60, 80, 132:
        written, status = on_a_terminal(columns, *import_words(folder / f"{columns}.strand", log))
        lines = [line for line in written.replace("\x1b[K", "").split("\r") if line]
        assert status == 0 and all(len(line) < columns for line in lines), (columns, status, lines)
        for line in lines: # none, where all of it took no time
            told = all(word in line for word in ("MB/s", "sess", "diag", "a-l")) and re.match("[0-9]+(/| of )[0-9]+ ", line)
            assert told and ("left" in line or line == lines[-1]), (columns, line)


TESTS = [nothing_is_left_of_an_output, a_redaction_that_was_killed,
         progress_is_told_to_a_terminal_only, killed_at_any_moment,
         killed_while_a_transcript_is_joined_with_its_log, stopped_by_the_person,
         what_is_gone_on_with_is_the_same, a_disk_that_is_full,
         a_pipe_that_nobody_writes_to, what_cannot_be_read]


def main():
    global BINARY
    words = argparse.ArgumentParser()
    words.add_argument("--strandline", required=True)
    BINARY = str(pathlib.Path(words.parse_args().strandline).resolve())
    print("TAP version 13", f"1..{len(TESTS)}", sep="\n", flush=True)
    failed = 0
    for number, test in enumerate(TESTS, 1):
        name = test.__name__.replace("_", " ")
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
                print(f"ok {number} - {name}", flush=True)
            except Exception as problem:
                failed += 1
                print(f"not ok {number} - {name}\n# {type(problem).__name__}: {problem}", flush=True)
    return failed != 0


sys.exit(main())
