#!/usr/bin/env python3
"""Golden tests: whole commands, and exactly what they print.

usage: run.py --strandline BINARY [--update] [NAME...]

A case is two files. NAME.cmd is a shell script, run by sh in an empty folder, with
    $STRANDLINE   the binary
    $SAMPLES      the folder of bundled sessions
    $CASES        this folder, for inputs that belong to a case
NAME.out is what is expected: standard output, then where there is any `--- stderr` and that, then
where it is not zero `--- exit N`. It is compared byte for byte after these replacements, which take
out what differs between machines: the folders become their variables ($SAMPLES, $CASES, $TMP), and
the program's own version becomes VERSION. A line `# volatile: REGEX` in NAME.cmd makes every match of
REGEX a `…`; use it for what really can't be fixed, never for output that could be made stable.

--update writes the NAME.out files instead; read the difference before you commit it.
Prints TAP. A sanitizer's report fails the case whatever it printed.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TIMEOUT = 120


def environment(binary, tmp):
    """Nothing of the caller's: a home of its own, UTF-8, UTC, no terminal."""
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": tmp, "XDG_CONFIG_HOME": tmp + "/.config",
        "XDG_CACHE_HOME": tmp + "/.cache", "XDG_DATA_HOME": tmp + "/.data", "LC_ALL": "C.UTF-8", "TZ": "UTC",
        "TERM": "dumb", "STRANDLINE": binary, "SAMPLES": str(ROOT / "samples"), "CASES": str(HERE),
        "ASAN_OPTIONS": f"log_path={tmp}/.report", "UBSAN_OPTIONS": f"log_path={tmp}/.report:print_stacktrace=1:halt_on_error=1",
    }


def run(case, binary, version):
    """What the case prints, normalised, and the sanitizers' reports."""
    script = case.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="strandline-golden-") as tmp:
        work = os.path.join(tmp, "work")
        os.mkdir(work)
        done = subprocess.run(["sh", "-eu", str(case)], cwd=work, env=environment(binary, tmp), timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        reports = "".join(p.read_text(errors="replace") for p in pathlib.Path(tmp).glob(".report*"))
        # gcc's libubsan writes to standard error whatever log_path says.
        if b": runtime error: " in done.stderr or b"ERROR: AddressSanitizer" in done.stderr:
            reports += done.stderr.decode("utf-8", "backslashreplace")
        text = done.stdout.decode("utf-8", "backslashreplace")
        if text and not text.endswith("\n"):
            text += "\n--- no newline at the end\n"
        if done.stderr:
            text += "--- stderr\n" + done.stderr.decode("utf-8", "backslashreplace")
        if done.returncode:
            text += f"--- exit {done.returncode}\n"
        for name, path in (("$TMP", work), ("$TMP", tmp), ("$CASES", str(HERE)), ("$SAMPLES", str(ROOT / "samples")),
                           ("$STRANDLINE", binary)):
            text = text.replace(path, name)
        text = re.sub(r"(?<![\w.])" + re.escape(version) + r"(?![\w.])", "VERSION", text)
        for pattern in re.findall(r"^# volatile: (.+)$", script, re.M):
            text = re.sub(pattern, "…", text)
        return text, reports


def main():
    parser = argparse.ArgumentParser(description="golden tests of whole commands")
    parser.add_argument("--strandline", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    binary = os.path.abspath(options.strandline)
    cases = sorted(HERE.glob("*.cmd"))
    if options.names:
        cases = [case for case in cases if case.stem in options.names]
    # The version is the build's own word for itself; without it nothing could be compared.
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True,
                             stdin=subprocess.DEVNULL).stdout.split()[1]

    def attempt(case):
        try:
            return run(case, binary, version)
        except subprocess.TimeoutExpired:
            return None, f"no end after {TIMEOUT} s"

    failed = 0
    if not options.update:
        print(f"TAP version 13\n1..{len(cases)}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, (case, (text, reports)) in enumerate(zip(cases, pool.map(attempt, cases)), 1):
            expected_file = case.with_suffix(".out")
            expected = expected_file.read_text(encoding="utf-8") if expected_file.exists() else None
            if options.update:
                if text is not None and text != expected and not reports:
                    expected_file.write_text(text, encoding="utf-8")
                    print(f"written: {expected_file.name}")
                if reports:
                    failed += 1
                    print(f"{case.name}: {reports}", file=sys.stderr)
                continue
            good = text == expected and not reports
            failed += not good
            print(f"{'ok' if good else 'not ok'} {number} - {case.stem}")
            if not good:
                there = (expected or "").splitlines(keepends=True)
                difference = difflib.unified_diff(there, (text or "").splitlines(keepends=True), expected_file.name, "now")
                for line in "".join(difference).splitlines() + reports.splitlines():
                    print("# " + line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
