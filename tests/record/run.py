#!/usr/bin/env python3
"""`strandline record` between a fake host (this script) and a fake server (server.py).

usage: run.py --strandline BINARY [NAME...]         (prints TAP)

What has to hold is that nothing changes for either side, and that the log gives back, byte for byte,
what went by, or says how much it lacks. Latency is measured and printed, not judged: machines differ.
"""
import argparse
import fcntl
import json
import os
import pathlib
import pty
import random
import resource
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import tty

import capture

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 60
BINARY = None
TMP = None
SANITIZED = False
NOTES = []


class Skip(Exception):
    pass


def log_path(name="log.jsonl"):
    return os.path.join(TMP, name)


def command(*manner, log=None, options=()):
    return [BINARY, "record", "-o", log or log_path(), *options, "--", sys.executable, str(HERE / "server.py"), *manner]


def environment():
    return {**os.environ, "TSAN_OPTIONS": f"log_path={TMP}/.report", "ASAN_OPTIONS": f"log_path={TMP}/.report", "PYTHONDONTWRITEBYTECODE": "1",
            "UBSAN_OPTIONS": f"log_path={TMP}/.report:print_stacktrace=1:halt_on_error=1"}


def start(*manner, log=None, options=(), **more):
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    return subprocess.Popen(command(*manner, log=log, options=options), env=environment(), **{**pipes, **more})


def talk(data, *manner, **more):
    process = start(*manner, **more)
    out, err = process.communicate(data, timeout=PATIENCE)
    return process.returncode, out, err


def until(what, why):
    limit = time.monotonic() + PATIENCE
    while not (got := what()):
        assert time.monotonic() < limit, f"not within {PATIENCE} s: {why}"
        time.sleep(0.005)
    return got


def read_line(process):
    line = b""
    while not line.endswith(b"\n"):
        assert select.select([process.stdout], [], [], PATIENCE)[0], "no line came"
        more = os.read(process.stdout.fileno(), 1)
        assert more, f"the stream ended: {line}"
        line += more
    return line


ODD = (b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
       b' {"id" : 2,\t"spaced":"\xe2\x80\xae"} \n'
       b'{"crlf":true}\r\n\r\n\n'
       b'{"lone":\r1}\n[1,{"batch":[]}]\n"text"\n'
       b'{"torn":\nnot json \x1b[2J \x00\n{"dup":1,"dup":2}\n1,"dir":"c2s","msg":2\n'
       b'\xff\xfe{"bad":"\xc3"}\n\xef\xbb\xbf{"bom":1}\n{"deep":' + b"[" * 300 + b"]" * 300 + b'}\n'
       b'{"e":"\\ud800 \\u0000"}\n{"end":"without a line end"}')


def passes_bytes_verbatim():
    status, out, err = talk(ODD, "echo")
    assert (status, out, err) == (0, ODD, b""), (status, err)
    c = capture.one(log_path())
    assert c.bytes("c2s") == ODD and c.bytes("s2c") == ODD
    assert c.end()["bytes"] == {"c2s": len(ODD), "s2c": len(ODD), "err": 0}, c.end()
    forms = [next(k for k in ("msg", "raw", "base64") if k in record) for record, _ in c.of("c2s") if "closed" not in record]
    assert forms == ["msg"] * 3 + ["raw"] * 3 + ["msg"] * 2 + ["raw"] * 2 + ["msg"] + ["raw", "base64", "raw"] + \
        ["msg"] * 2 + ["raw"], forms
    assert c.of("c2s")[-2][0]["open"] and c.of("c2s")[-1][0]["closed"] == "sender"


def passes_random_chunks():
    seed = random.randrange(1 << 32)
    NOTES.append(f"seed {seed}")
    dice = random.Random(seed)
    alphabet = [b"\n", b"\r\n", b'{"a":1}\n', b'{"b":"' + b"x" * 3000 + b'"}\n', b"\xf0\x9f\x98\x80", b"\xff", b'"\\', b"z" * 70000]
    data = b"".join(dice.choice(alphabet) for _ in range(1500))
    process = start("echo")
    got = []

    def drain():
        while piece := os.read(process.stdout.fileno(), dice.randrange(1, 100000)):
            got.append(piece)

    reader = threading.Thread(target=drain)
    reader.start()
    at = 0
    while at < len(data):
        at += os.write(process.stdin.fileno(), data[at:at + dice.randrange(1, 200000)])
    process.stdin.close()
    reader.join(PATIENCE)
    assert process.wait(PATIENCE) == 0 and b"".join(got) == data
    c = capture.one(log_path())
    assert c.bytes("c2s") == data and c.bytes("s2c") == data


def peak_anonymous(pid, peak):
    """Highest RssAnon seen while it runs, in bytes."""
    while True:
        try:
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("RssAnon"):
                    peak[0] = max(peak[0], int(line.split()[1]) << 10)
        except OSError:
            return
        time.sleep(0.002)


def passes_huge_messages():
    size = 100 << 20
    process = start("send", str(size))
    peak = [0]
    threading.Thread(target=peak_anonymous, args=(process.pid, peak), daemon=True).start()
    total, tail = 0, b""
    while not tail.endswith(b"\n"):
        tail = os.read(process.stdout.fileno(), 1 << 20)
        total += len(tail)
    process.stdin.close()
    assert process.wait(PATIENCE) == 0 and total > size
    NOTES.append(f"{total >> 20} MiB message, {peak[0] >> 20} MiB of memory at most")
    assert os.listdir(TMP) == ["log.jsonl"], os.listdir(TMP)
    c = capture.one(log_path())
    kept, lost = len(c.bytes("s2c")), c.lost("s2c")
    NOTES.append(f"{lost} bytes of it went by unrecorded")
    assert kept + lost == total, (kept, lost, total)
    # A sanitizer keeps freed memory for a while.
    assert peak[0] < 140 << 20 or SANITIZED, peak
    if not lost:
        assert len(c.messages("s2c")) == 1


def passes_huge_lines_that_are_no_messages():
    for data in ((b"no json \xe2\x82\xac " * 400000) + b"\r\n", b"\xff\x00" * 2000000, b"[" * 200000 + b"]" * 200000 + b"\n",
                 b'{"a":"' + b"x" * (3 << 20) + b'"}'):
        if os.path.exists(log_path()):
            os.remove(log_path())
        status, out, _ = talk(data, "echo")
        c = capture.one(log_path())
        assert status == 0 and out == data and c.bytes("s2c") == data and c.bytes("c2s") == data
        assert not c.messages("c2s")


def fill(fd):
    """Writes until it would block for a while; the number of bytes."""
    os.set_blocking(fd, False)
    sent, quiet = 0, time.monotonic()
    while time.monotonic() - quiet < 0.5:
        try:
            sent += os.write(fd, b'{"n":1}\n' * 512)
            quiet = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    os.set_blocking(fd, True)
    return sent


def holds_back_a_host_that_is_faster():
    process = start("deaf", log_path("go"))
    assert read_line(process) == b"{}\n"
    sent = fill(process.stdin.fileno())
    assert sent < 400 << 10, f"{sent} bytes were taken that nobody read"
    pathlib.Path(log_path("go")).touch()
    process.stdin.close()
    assert read_line(process) == b"%d\n" % sent
    assert process.wait(PATIENCE) == 0
    assert len(capture.one(log_path()).bytes("c2s")) == sent


def holds_back_a_server_that_is_faster():
    process = start("flood")
    sent = int(process.stderr.readline())
    assert sent < 400 << 10, f"{sent} bytes were taken that nobody read"
    process.stdin.close()
    got = 0
    while data := os.read(process.stdout.fileno(), 1 << 16):
        got += len(data)
    assert process.wait(PATIENCE) == 0 and got == sent
    assert len(capture.one(log_path()).bytes("s2c")) == sent


def is_not_held_up_by_the_log():
    """Somebody keeps the log's lock: no record can be written, and more goes by than may wait."""
    process = start("echo")
    os.write(process.stdin.fileno(), b'{"first":1}\n')
    assert read_line(process) == b'{"first":1}\n'
    until(lambda: b'"s2c"' in pathlib.Path(log_path()).read_bytes(), "the first message in the log")
    with open(log_path(), "rb") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        line = b'{"text":"' + b"y" * 65000 + b'"}\n'
        begun = time.monotonic()
        for number in range(1200):
            os.write(process.stdin.fileno(), line[:40000])
            os.write(process.stdin.fileno(), line[40000:])
            assert b"".join(iter_bytes(process, len(line))) == line
        NOTES.append(f"{1200 * len(line) >> 20} MiB each way in {time.monotonic() - begun:.1f} s while the log was locked")
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    c = capture.one(log_path())
    for direction in ("c2s", "s2c"):
        lost = c.lost(direction)
        kept = [record for record, _ in c.of(direction) if "closed" not in record]
        assert all(after.get("rest") for before, after in zip(kept, kept[1:]) if "lost" in before), direction
        assert lost > 0 and lost + len(c.bytes(direction)) == 12 + 1200 * len(line) == c.end()["bytes"][direction], lost


def does_not_wait_long_for_a_disk_that_hangs():
    process = start("leave", "6")
    until(lambda: os.path.exists(log_path()) and os.path.getsize(log_path()), "the first record")
    with open(log_path(), "rb") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        os.write(process.stdin.fileno(), b"{}\n")
        assert read_line(process) == b'{"last":true}\n'
        assert process.wait(PATIENCE) == 6
        assert process.stderr.read().startswith(b"strandline: " + log_path().encode())


def iter_bytes(process, count):
    while count:
        data = os.read(process.stdout.fileno(), count)
        assert data
        count -= len(data)
        yield data


def goes_on_when_the_disk_is_full():
    process = start("echo")
    os.write(process.stdin.fileno(), b'{"first":1}\n')
    read_line(process)
    until(lambda: b'"s2c"' in pathlib.Path(log_path()).read_bytes(), "the first message in the log")
    size = os.path.getsize(log_path())
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size + 100, resource.RLIM_INFINITY))
    for _ in range(20):
        os.write(process.stdin.fileno(), b'{"unrecorded":1}\n')
        assert read_line(process) == b'{"unrecorded":1}\n'
    said = process.stderr.readline()
    assert said.startswith(b"strandline: ") and b"unrecorded" in said, said
    assert os.path.getsize(log_path()) <= size + 100
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    os.write(process.stdin.fileno(), b'{"again":1}\n')
    read_line(process)
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    numbers, lost = [], 0
    for line in pathlib.Path(log_path()).read_bytes().splitlines():
        record = json.loads(line)
        numbers.append(record["n"])
        lost += record.get("lost_records", 0)
    assert lost > 0 and numbers == sorted(numbers) and numbers[-1] + 1 == len(numbers) + lost, (lost, numbers)
    assert b'"again"' in pathlib.Path(log_path()).read_bytes()


def passes_on_how_the_server_ends():
    for status in (0, 1, 3, 77, 255):
        got, out, _ = talk(b"{}\n", "leave", str(status))
        assert got == status and out == b'{"last":true}\n', (got, status)
    captures, torn = capture.read(log_path())
    assert [c.end()["status"] for c in captures] == [0, 1, 3, 77, 255] and not torn
    assert [c.end()["end"] for c in captures] == ["exit"] * 5


def survives_the_kill_of_the_server():
    status, out, _ = talk(b"{}\n", "die")
    assert status == 128 + 9 and out == b'{"last":true}\n{"torn":', (status, out)
    c = capture.one(log_path())
    assert c.end()["end"] == "signal" and c.end()["signal"] == 9 and c.end()["name"] == "SIGKILL"
    assert c.bytes("s2c") == out


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def leaves_a_log_when_it_is_killed():
    process = start("echo")
    for number in range(50):
        line = b'{"number":%d}\n' % number
        os.write(process.stdin.fileno(), line)
        assert read_line(process) == line
    until(lambda: pathlib.Path(log_path()).read_bytes().count(b'"number":49}}') == 2, "the last record")
    process.kill()
    assert process.wait(PATIENCE) == -9
    c = capture.one(log_path())
    assert len(c.messages("s2c")) == 50 and not c.end()
    until(lambda: not alive(c.start["pid"]), "the server's end")
    # One that would not notice the end of its input: the host's SIGKILL was meant for it.
    process = start("deaf", log_path("never"), log=log_path("second"))
    read_line(process)
    until(lambda: b'"s2c"' in pathlib.Path(log_path("second")).read_bytes(), "the first message in the log")
    process.kill()
    process.wait(PATIENCE)
    until(lambda: not alive(capture.one(log_path("second")).start["pid"]), "the deaf server's end")


def can_be_killed_at_any_moment():
    """Heavy traffic, killed at random, again and again, all in one log."""
    line = b'{"text":"' + b"k" * 900 + b'"}\n'
    rounds = 8
    for _ in range(rounds):
        before = os.path.getsize(log_path()) if os.path.exists(log_path()) else 0
        process = start("echo")
        writer = threading.Thread(target=send_until_closed, args=(process.stdin.fileno(), line * 50))
        reader = threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(process.stdout.fileno(), 1 << 16), b"")])
        writer.start()
        reader.start()
        until(lambda: os.path.exists(log_path()) and os.path.getsize(log_path()) > before, "the first record")
        time.sleep(random.uniform(0, 0.06))
        process.kill()
        process.wait(PATIENCE)
        reader.join(PATIENCE)
        writer.join(PATIENCE)
    captures, torn = capture.read(log_path())
    NOTES.append(f"{len(captures)} of {rounds} begun, {len(torn)} records torn, {os.path.getsize(log_path()) >> 10} KiB")
    assert len(torn) <= rounds and captures
    for c in captures:
        got = c.bytes("c2s")
        assert got == (line * (len(got) // len(line) + 1))[:len(got)] and c.bytes("s2c") == got[:len(c.bytes("s2c"))]


def send_until_closed(fd, data):
    try:
        while True:
            send_all(fd, data)
    except BrokenPipeError:
        pass


def ends_what_another_tore_off():
    talk(b"{}\n", "echo")
    whole = pathlib.Path(log_path()).read_bytes()
    for cut in (1, 2, 30, len(whole) - 40):
        pathlib.Path(log_path()).write_bytes(whole[:-cut])
        status, out, _ = talk(b'{"after":1}\n', "echo")
        assert status == 0 and out == b'{"after":1}\n'
        captures, torn = capture.read(log_path())
        assert len(captures) == (2 if cut < 1000 and len(whole) - cut > 200 else 1) and captures[-1].end()
        # Without its line end alone the record is whole; else it is one line that is no record.
        assert len(torn) == (cut != 1), torn


def shares_a_log():
    processes = [start("echo", options=("--server", f"s{i}")) for i in range(6)]
    line = b'{"text":"' + b"z" * 5000 + b'"}\n'
    long = b'{"text":"' + b"z" * (3 << 20) + b'"}\n'

    def use(process):
        for _ in range(40):
            os.write(process.stdin.fileno(), line)
            b"".join(iter_bytes(process, len(line)))
        writer = threading.Thread(target=send_all, args=(process.stdin.fileno(), long))
        writer.start()
        b"".join(iter_bytes(process, len(long)))
        writer.join()
        process.stdin.close()

    users = [threading.Thread(target=use, args=(process,)) for process in processes]
    for user in users:
        user.start()
    for user in users:
        user.join(PATIENCE)
    assert [process.wait(PATIENCE) for process in processes] == [0] * 6
    captures, torn = capture.read(log_path())
    assert len(captures) == 6 and not torn
    assert sorted(c.start["server"] for c in captures) == [f"s{i}" for i in range(6)]
    for c in captures:
        assert c.bytes("c2s") == c.bytes("s2c") == line * 40 + long


def passes_signals_on():
    process = start("signals")
    assert read_line(process) == b'{"ready":true}\n'
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT, signal.SIGTERM):
        process.send_signal(number)
        assert read_line(process) == b'{"signal":%d}\n' % number
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 7
    c = capture.one(log_path())
    assert [record["name"] for record in c.records if "signal" in record] == \
        ["SIGINT", "SIGHUP", "SIGUSR1", "SIGQUIT", "SIGTERM", "SIGTERM"]


def passes_the_terminals_signal_once():
    """Ctrl-C reaches the server from the terminal itself."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(environment())
        os.execv(BINARY, command("signals"))
    shown = b""
    while b"ready" not in shown:
        shown += os.read(terminal, 1000)
    for number in range(1, 11):
        os.write(terminal, b"\x03")
        while shown.count(b'"signal":2}') < number:
            shown += os.read(terminal, 1000)
    for _ in range(2):
        os.kill(pid, signal.SIGTERM)
        before = shown.count(b'"signal":15')
        while shown.count(b'"signal":15') == before:
            shown += os.read(terminal, 1000)
    assert os.waitpid(pid, 0)[1] >> 8 == 7
    os.close(terminal)
    assert shown.count(b'"signal":2}') == 10, shown


def passes_closing_on():
    process = start("close_output")
    assert read_line(process) == b'{"bye":true}\n'
    assert os.read(process.stdout.fileno(), 10) == b""
    assert process.poll() is None
    process.stdin.close()
    assert process.wait(PATIENCE) == 9


def tells_the_host_that_the_server_is_deaf():
    process = start("close_input")
    assert read_line(process) == b'{"deaf":true}\n'

    def refused():
        try:
            os.write(process.stdin.fileno(), b'{"unheard":1}\n')
        except BrokenPipeError:
            return True
        return False

    until(refused, "EPIPE for the host")
    process.terminate()
    assert process.wait(PATIENCE) == 128 + 15
    c = capture.one(log_path())
    unheard = [record for record, _ in c.of("c2s") if record.get("undelivered")]
    assert unheard and "unheard" in str(unheard[0]), c.records


def ends_when_the_host_is_gone():
    process = start("echo")
    os.write(process.stdin.fileno(), b"{}\n")
    read_line(process)
    process.stdout.close()
    os.write(process.stdin.fileno(), b'{"to":"nobody"}\n')
    # What it says after that gets no receiver; the server dies of it as it would without us.
    until(lambda: b'"undelivered":true' in pathlib.Path(log_path()).read_bytes(), "the record of it")
    try:
        os.write(process.stdin.fileno(), b'{"to":"nobody"}\n')
    except BrokenPipeError:
        pass
    process.stdin.close()
    assert process.wait(PATIENCE) in (0, 128 + 13)


def does_not_wait_for_those_left_behind():
    process = start("leave_behind")
    begun = time.monotonic()
    assert read_line(process) == b'{"left":true}\n'
    assert process.wait(PATIENCE) == 0 and time.monotonic() - begun < 20


def passes_stderr_on_and_records_it():
    status, out, err = talk(b"{}\n", "loud")
    assert status == 0 and out == b"{}\n"
    assert err == b"starting \xe2\x9c\x94\n\x1b[31mred\x1b[0m\n\xff\xfe\nno line end", err
    c = capture.one(log_path())
    assert c.bytes("err") == err
    assert b"\x1b" not in pathlib.Path(log_path()).read_bytes()
    status, _, err = talk(b"", "shout", str(3 << 20), log=log_path("long"))
    c = capture.one(log_path("long"))
    assert status == 0 and c.bytes("err") == err and len(err) > 3 << 20 - 10
    pieces = [(record.get("rest", False), record.get("open", False)) for record, _ in c.of("err") if "closed" not in record]
    assert pieces == [(False, True), (True, True), (True, False)], pieces


def knows_all_kinds_of_streams():
    """Sockets, as Node gives them; a file; a terminal. What we share with the host keeps its flags."""
    for kind in ("socket", "file", "terminal", "pipe"):
        if kind == "socket":
            ours, theirs = socket.socketpair()
            here, there = ours.detach(), theirs.detach()
        elif kind == "pipe":
            here, there = os.pipe()
        elif kind == "terminal":
            here, there = pty.openpty()
            tty.setraw(there)
        else:
            there = os.open(log_path("out"), os.O_RDWR | os.O_CREAT)
            here = os.open(log_path("out"), os.O_RDONLY)
        before = fcntl.fcntl(there, fcntl.F_GETFL)
        data = b'{"text":"' + b"q" * 200000 + b'"}\n'
        process = start("echo", stdin=subprocess.PIPE if kind != "socket" else there, stdout=there, log=log_path(kind))
        to = here if kind == "socket" else process.stdin.fileno()
        writer = threading.Thread(target=send_all, args=(to, data))
        writer.start()
        got = b""
        while len(got) < len(data):
            piece = os.read(here, 1 << 16)
            if not piece:
                time.sleep(0.01)
            got += piece
        writer.join()
        assert got == data, kind
        assert fcntl.fcntl(there, fcntl.F_GETFL) == before, kind
        if kind == "socket":
            socket.socket(fileno=os.dup(here)).shutdown(socket.SHUT_WR)
        else:
            process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert capture.one(log_path(kind)).bytes("s2c") == data, kind
        os.close(here)
        os.close(there)


def send_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def starts_the_server_as_the_host_would():
    status, out, _ = talk(b"", "environment")
    seen = json.loads(out)
    assert seen["descriptors"] == [0, 1, 2], seen
    several = (signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ)
    for how in signal.SIG_IGN, signal.SIG_DFL:
        shown = [subprocess.run([*before, "grep", "Sig[IB]", "/proc/self/status"], capture_output=True, env=environment(),
                                preexec_fn=lambda: [signal.signal(number, how) for number in several], restore_signals=False,
                                timeout=PATIENCE).stdout for before in ([], [BINARY, "record", "-o", log_path(), "--"])]
        assert shown[0] == shown[1] and b"SigIgn" in shown[0], shown


def refuses_what_can_not_be():
    status, _, err = talk(b"", "echo", log=TMP)
    assert status == 125 and err.startswith(b"strandline: ") and err.count(b"\n") == 1, (status, err)
    os.mkfifo(log_path("fifo"))
    assert talk(b"", "echo", log=log_path("fifo"))[0] == 125
    pathlib.Path(log_path("notes")).write_text("my notes\n")
    assert talk(b"", "echo", log=log_path("notes"))[0] == 125
    assert pathlib.Path(log_path("notes")).read_text() == "my notes\n"
    assert talk(b"", "echo", log=log_path("no/such/folder"))[0] == 125
    for server, status in (("/no/such/server", 127), ("no-such-server-anywhere", 127), ("/etc/passwd", 126), ("/tmp", 126)):
        done = subprocess.run([BINARY, "record", "-o", log_path(), "--", server], capture_output=True, stdin=subprocess.DEVNULL,
                              env=environment(), timeout=PATIENCE)
        assert done.returncode == status and done.stderr.startswith(b"strandline: ") and not done.stdout, done
        assert os.path.getsize(log_path()) == 0


def records_what_was_started():
    secret = "not-to-be-written-anywhere"
    os.environ["TOKEN"] = secret
    status, _, _ = talk(b"{}\n", "echo", options=("--server", 'the "server"'))
    del os.environ["TOKEN"]
    c = capture.one(log_path())
    assert status == 0 and c.start["command"] == [sys.executable, str(HERE / "server.py"), "echo"], c.start
    assert c.start["server"] == 'the "server"' and c.start["cwd"] == os.getcwd()
    assert secret not in pathlib.Path(log_path()).read_text()
    assert os.stat(log_path()).st_mode & 0o777 == 0o600
    times = [c.start["time"]] + [record["t"] for record in c.records]
    assert times == sorted(times) and all(len(t) == 30 and t.endswith("Z") for t in times), times[:3]


def round_trips(argv, count):
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment())
    to, back, took = process.stdin.fileno(), process.stdout.fileno(), []
    line = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"text":"' + b"a" * 300 + b'"}}}\n'
    for number in range(count + 50):
        begun = time.perf_counter_ns()
        os.write(to, line)
        got = 0
        while got < len(line):
            got += len(os.read(back, 1 << 16))
        if number >= 50:
            took.append((time.perf_counter_ns() - begun) / 1000)
    process.stdin.close()
    process.wait(PATIENCE)
    return sorted(took)


def takes_little_time():
    direct = round_trips(command("echo")[5:], 2000)
    through = round_trips(command("echo"), 2000)
    at = {"median": 0.5, "90 %": 0.9, "99 %": 0.99, "99.9 %": 0.999}
    for name, part in at.items():
        without, with_us = direct[int(part * len(direct))], through[int(part * len(through))]
        NOTES.append(f"round trip {name}: {without:.0f} us direct, {with_us:.0f} us recorded, x{with_us / without:.2f}, "
                     f"{(with_us - without) / 2:.0f} us a message")
    NOTES.append(f"mean {statistics.mean(direct):.0f} us direct, {statistics.mean(through):.0f} us recorded")
    c = capture.one(log_path())
    assert len(c.messages("c2s")) == len(c.messages("s2c")) == 2050


def is_imported():
    """The program reads what it wrote; a torn tail is said."""
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}\n'
    talk(call, "echo", options=("--server", "fake"))
    shown = subprocess.run([BINARY, "steps", "--json", log_path()], capture_output=True, text=True, env=environment())
    steps = [json.loads(line) for line in shown.stdout.splitlines()]
    assert any(step.get("tool") == "x" and step.get("server") == "fake" for step in steps), (shown, steps)
    whole = pathlib.Path(log_path()).read_bytes()
    pathlib.Path(log_path()).write_bytes(whole[:-20])
    shown = subprocess.run([BINARY, "import", "-o", log_path("case.strand"), log_path()], capture_output=True, text=True, env=environment())
    assert shown.returncode in (0, 4), shown
    account = subprocess.run([BINARY, "show", log_path("case.strand"), "--account"], capture_output=True, text=True, env=environment())
    assert "torn" in account.stdout or "ends inside" in account.stdout, account


def serves_the_official_client_and_servers():
    """Nothing they say differs, and the log holds it."""
    npm = os.environ.get("STRANDLINE_NPM")
    packages = ("sdk", "server-everything", "server-filesystem")
    if not npm or not shutil.which("node"):
        raise Skip("STRANDLINE_NPM names no folder with the npm packages, or there is no node")
    for package in packages:
        if not os.path.isdir(os.path.join(npm, "node_modules/@modelcontextprotocol", package)):
            raise Skip(f"there is no @modelcontextprotocol/{package} in {npm}")
    os.mkdir(log_path("play"))
    done = subprocess.run(["node", str(HERE / "sdk.mjs"), npm, BINARY, log_path(), log_path("play")], capture_output=True,
                          text=True, env=environment(), timeout=300, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    NOTES.append(f"{said['answers']} answers compared")
    for part, took in said["latency"].items():
        NOTES.append(f"a call, {float(part):.0%}: {took['direct']:.3f} ms direct, {took['recorded']:.3f} ms recorded, "
                     f"x{took['recorded'] / took['direct']:.2f}")
    assert not any(said["differences"].values()), said["differences"]
    assert all(way["direct"] == way["recorded"] for way in said["exit"].values()), said["exit"]
    captures, torn = capture.read(log_path())
    assert len(captures) == 3 and not torn and all(c.end()["status"] == 0 for c in captures)
    for c in captures:
        asked = {m["id"] for m in c.messages("c2s") if "method" in m and "id" in m}
        answered = {m["id"] for m in c.messages("s2c") if "method" not in m}
        assert asked == answered and len(asked) > 5, (asked, answered)
        assert not [r for r, _ in c.of("c2s") + c.of("s2c") if "msg" not in r and "closed" not in r]
    shown = subprocess.run([BINARY, "steps", "--json", "--all", log_path()], capture_output=True, text=True, env=environment())
    tools = {step.get("tool") for step in map(json.loads, shown.stdout.splitlines())}
    assert {"echo", "get-tiny-image", "write_file"} <= tools, (shown.stderr, tools)


CASES = [passes_bytes_verbatim, passes_random_chunks, passes_huge_messages, passes_huge_lines_that_are_no_messages,
         holds_back_a_host_that_is_faster, holds_back_a_server_that_is_faster, is_not_held_up_by_the_log,
         does_not_wait_long_for_a_disk_that_hangs,          goes_on_when_the_disk_is_full, passes_on_how_the_server_ends, survives_the_kill_of_the_server,
         leaves_a_log_when_it_is_killed, can_be_killed_at_any_moment, ends_what_another_tore_off, shares_a_log, passes_signals_on,
         passes_the_terminals_signal_once, passes_closing_on, tells_the_host_that_the_server_is_deaf,
         ends_when_the_host_is_gone, does_not_wait_for_those_left_behind, passes_stderr_on_and_records_it,
         knows_all_kinds_of_streams, starts_the_server_as_the_host_would, refuses_what_can_not_be,
         records_what_was_started, takes_little_time, is_imported,
         serves_the_official_client_and_servers]


def main():
    global BINARY, TMP, SANITIZED
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strandline", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)  # nohup, or & of a script, leaves some ignored, and they are inherited
    signal.signal(signal.SIGINT, signal.default_int_handler)
    BINARY = os.path.abspath(options.strandline)
    SANITIZED = any(name in pathlib.Path(BINARY).read_bytes() for name in (b"__asan_init", b"__tsan_init"))
    cases = [case for case in CASES if not options.names or case.__name__ in options.names]
    print(f"TAP version 13\n1..{len(cases)}", flush=True)
    failed = 0
    for number, case in enumerate(cases, 1):
        name = case.__name__.replace("_", " ")
        NOTES.clear()
        with tempfile.TemporaryDirectory(prefix="strandline-record-") as TMP:
            try:
                case()
                reports = "".join(p.read_text(errors="replace") for p in pathlib.Path(TMP).glob(".report*"))
                assert not reports, reports
                print(f"ok {number} - {name}", flush=True)
            except Skip as why:
                print(f"ok {number} - {name} # SKIP {why}", flush=True)
            except Exception:
                failed += 1
                print(f"not ok {number} - {name}")
                for line in traceback.format_exc().splitlines():
                    print("# " + line)
            for note in NOTES:
                print("#   " + note, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
