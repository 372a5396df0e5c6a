#!/usr/bin/env python3
"""A stdio server of many manners, for run.py: server.py MANNER [ARG]."""
import os
import signal
import subprocess
import sys
import time


def read(limit=1 << 16):
    return os.read(0, limit)


def write(data, to=1):
    view = memoryview(data)
    while view:
        view = view[os.write(to, view):]


def echo():
    """Sends back what comes, byte for byte, until there is no more."""
    while data := read():
        write(data)


def count():
    """Says how many bytes came."""
    total = 0
    while data := read():
        total += len(data)
    write(b"%d\n" % total)


def send(size):
    """One line of so many bytes, valid JSON."""
    write(b'{"jsonrpc":"2.0","method":"x","params":{"text":"')
    for _ in range(int(size) >> 16):
        write(b"a" * (1 << 16))
    write(b'"}}\n')
    while read():
        pass


def flood():
    """Lines until nobody takes them: how many went out is written to stderr at SIGALRM."""
    sent = 0
    os.set_blocking(1, False)
    quiet = time.monotonic()
    while time.monotonic() - quiet < 0.3:
        try:
            sent += os.write(1, b'{"n":1}\n' * 512)
            quiet = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    write(b"%d\n" % sent, 2)
    while read():
        pass


def deaf():
    """Reads nothing until a file appears, then counts."""
    write(b"{}\n")
    while not os.path.exists(sys.argv[2]):
        time.sleep(0.01)
    count()


def loud():
    """Lines on stderr, one without an end, beside the echo."""
    write(b"starting \xe2\x9c\x94\n\x1b[31mred\x1b[0m\n\xff\xfe\n", 2)
    echo()
    write(b"no line end", 2)


def shout(size):
    """One long line on stderr, not all of it ASCII."""
    write("ü€".encode() * (int(size) // 5) + b"\n", 2)


def leave(status):
    """Ends with a status once a line came."""
    read()
    write(b'{"last":true}\n')
    sys.exit(int(status))


def die():
    read()
    write(b'{"last":true}\n{"torn":')
    os.kill(os.getpid(), signal.SIGKILL)


def signals():
    """Says which signals come; ends with status 7 at the second SIGTERM."""
    caught = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1, signal.SIGQUIT)
    signal.pthread_sigmask(signal.SIG_BLOCK, caught)
    write(b'{"ready":true}\n')
    ends = 0
    while ends < 2:
        number = signal.sigwait(caught)
        write(b'{"signal":%d}\n' % number)
        ends += number == signal.SIGTERM
    sys.exit(7)


def close_input():
    """Takes no more input, says so, and lives on until a signal."""
    os.close(0)
    write(b'{"deaf":true}\n')
    time.sleep(60)


def close_output():
    """Ends its output, and says by its status that it then saw the end of its input."""
    write(b'{"bye":true}\n')
    os.close(1)
    while read():
        pass
    sys.exit(9)


def leave_behind():
    """Ends while another process still has its output open."""
    subprocess.Popen(["sleep", "30"], stdin=subprocess.DEVNULL)
    write(b'{"left":true}\n')


def environment():
    """How it was started: dispositions and descriptors."""
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    ignored = [n for n in range(1, 65) if int(status["SigIgn"], 16) >> (n - 1) & 1]
    descriptors = sorted(int(n) for n in os.listdir("/proc/self/fd"))
    write(repr({"ignored": ignored, "descriptors": descriptors[:-1]}).replace("'", '"').encode() + b"\n")
    echo()


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    globals()[sys.argv[1]](*(sys.argv[2:] if sys.argv[1] != "deaf" else []))
