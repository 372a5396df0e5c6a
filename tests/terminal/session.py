"""A program in a terminal: a bare pty, of which every byte is kept, or a tmux window, of which one sees the screen."""
import fcntl
import os
import pty
import select
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

PATIENCE = float(os.environ.get("STRANDLINE_PATIENCE", "30"))  # seconds until a wait has failed


def environment(home, **more):
    env = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": home, "XDG_CONFIG_HOME": home,
           "XDG_CACHE_HOME": home, "XDG_DATA_HOME": home, "XDG_STATE_HOME": home,
           "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm-256color",
           "ASAN_OPTIONS": f"log_path={home}/report", "UBSAN_OPTIONS": f"log_path={home}/report:halt_on_error=1"}
    env.update(more)
    return env


def reports(home):
    """What the sanitizers had to say of the programs that ran with this home."""
    found = ""
    for name in sorted(os.listdir(home)):
        if name.startswith("report."):
            with open(os.path.join(home, name), errors="replace") as file:
                found += file.read()
            os.remove(os.path.join(home, name))
    return found


class Pty:
    """A child on a pty of its own. Everything it writes is read at once and kept in `seen`."""

    def __init__(self, argv, home, rows=36, columns=120, **env):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # The size is there before the program asks for it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(argv[0], argv, environment(home, **env))

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def drain(self, quiet):
        """Reads until nothing came for `quiet` seconds; False where the child has closed the terminal."""
        while select.select([self.fd], [], [], quiet)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:  # Linux says EIO where the other side is gone
                data = b""
            if not data:
                return False
            self.seen += data
        return True

    def wait_for(self, condition):
        """Reads until condition(seen); False where the child ends or patience does first."""
        end = time.monotonic() + PATIENCE
        while not condition(self.seen):
            if not self.drain(0.02) or time.monotonic() > end:
                return condition(self.seen)
        return True

    def keys(self, *keys, quiet=0.05):
        """Types each key and lets the program answer it. False where it has ended."""
        for key in keys:
            try:
                os.write(self.fd, key.encode())
            except OSError:
                return False
            if not self.drain(quiet):
                return False
        return True

    def is_cooked(self):
        """True where the line discipline is as a shell needs it: echo and lines."""
        flags = termios.tcgetattr(self.fd)[3]
        return bool(flags & termios.ECHO and flags & termios.ICANON)

    def ends_cooked(self):
        """As is_cooked, once the child has had the time to give the terminal back."""
        end = time.monotonic() + PATIENCE
        while not self.is_cooked() and time.monotonic() < end:
            if not self.drain(0.02):
                select.select([], [], [], 0.01)
        return self.is_cooked()

    def signal(self, number):
        os.kill(self.pid, number)

    def finish(self):
        """Reads to the end; the exit status as a shell tells it, None where it had to be killed."""
        end = time.monotonic() + PATIENCE
        pid = 0
        while not pid and time.monotonic() < end:
            if not self.drain(0.02):
                select.select([], [], [], 0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        else:
            self.drain(0.05)
        os.close(self.fd)
        if not pid:
            return None
        code = os.waitstatus_to_exitcode(status)
        return code if code >= 0 else 128 - code


def _shell(argv, env, terminal, told):
    """What a shell is to its one job: tells its number and each signal that stops it; meanwhile the terminal is the
    shell's, then the job goes on. Ends as the job does."""
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2):
        os.dup2(terminal, fd)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvpe(argv[0], argv, env)
    os.write(told, b"%d\n" % job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        os.tcsetpgrp(0, os.getpgrp())
        os.write(told, b"%d\n" % os.WSTOPSIG(status))
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)


class Job(Pty):
    """A child that can be stopped: it is the job of a shell, which has it go on at once. Nothing that is typed is a
    signal or is echoed, whatever state the terminal is in: the child ends by no signal but one that `signal` sent or
    it raised itself, and every byte in `seen` is its own."""

    def __init__(self, argv, home, rows=36, columns=120, **env):
        self.seen = self.told = b""
        self.fd, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        modes = termios.tcgetattr(terminal)
        modes[3] &= ~termios.ECHO
        for key in (termios.VINTR, termios.VQUIT, termios.VSUSP):
            modes[6][key] = b"\0"
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        self.before = termios.tcgetattr(terminal)
        ours, told = os.pipe()
        self.shell = os.fork()
        if self.shell == 0:
            try:
                os.close(self.fd)  # so that all of them end with us
                _shell(argv, environment(home, **env), terminal, told)
            finally:
                os._exit(127)
        os.close(told)
        os.close(terminal)
        self.pipe = os.fdopen(ours, "rb", buffering=0)
        self.pid = int(self.pipe.readline())

    def is_cooked(self):
        """True where all the terminal's modes are as they were before."""
        return termios.tcgetattr(self.fd) == self.before

    def stops(self):
        """The signals that have stopped the child since the last time."""
        found = []
        while select.select([self.pipe], [], [], 0)[0] and (word := self.pipe.readline()):
            found.append(int(word))
        return found

    def signal(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:  # it has ended; its status tells why
            pass

    def finish(self):
        job, self.pid = self.pid, self.shell
        status = super().finish()
        if status is None:
            os.kill(job, signal.SIGKILL)
        self.pipe.close()
        return status


class Tmux:
    """A tmux server of its own with one window; tells what a person would see."""

    def __init__(self, argv, home, rows=36, columns=120, **env):
        self.home = home
        self.folder = tempfile.mkdtemp(prefix="strandline-tmux-")
        self.socket = os.path.join(self.folder, "s")
        env = environment(home, **{"TERM": "tmux-256color", **env})
        # What comes after the program's end shows whether it left the terminal usable.
        script = f"TERM={env['TERM']} {' '.join(shlex.quote(a) for a in argv)}; echo; echo \"left with $?\"; exec cat"
        try:
            self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "sh", "-c", script,
                       env=env)
        except BaseException:
            self.close()
            raise

    def _tmux(self, *args, env=None):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *args], env=env or environment(self.home), check=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout

    def screen(self):
        return self._tmux("capture-pane", "-p")

    def keys(self, *keys):
        """tmux's names of keys; `text:WORDS` types WORDS as they are."""
        for key in keys:
            self._tmux("send-keys", *(["-l", "--", key[5:]] if key.startswith("text:") else [key]))

    def resize(self, rows, columns):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def wait_for(self, condition):
        """The screen once condition(screen) holds; AssertionError with the screen where it never does."""
        end = time.monotonic() + PATIENCE
        while not condition(screen := self.screen()):
            if time.monotonic() > end:
                raise AssertionError("still waiting, and the screen shows:\n" + screen)
            select.select([], [], [], 0.02)
        return screen

    def value(self, name):
        return self._tmux("display-message", "-p", "#{" + name + "}").strip()

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], stdin=subprocess.DEVNULL, capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)
