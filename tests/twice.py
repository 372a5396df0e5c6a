#!/usr/bin/env python3
"""Two imports of the same logs, two answers: they are the same, byte for byte.

usage: twice.py --strandline BINARY          (prints TAP)

Each sample is imported into two cases, by two runs of the program, and every
verb that derives something is asked of both, under two policies, with --json.
Nothing may depend on addresses, on the clock or on what was asked before: the
second case is asked in the opposite order.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "samples"
POLICIES = "additive", "fides"
ACTS = "tool_call", "assistant"
CALLS_MOST = 3  # of one recording: why is asked about so many


def run(binary, folder, *args):
    done = subprocess.run([binary, *args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
                               "TZ": "UTC"})
    if done.returncode not in (0, 1, 3):
        raise AssertionError("%s: exit %d: %s" % (" ".join(args), done.returncode, done.stderr.decode()[:300]))
    return done.stdout


def acting_steps(text):
    """Steps of the last calls, from the lines of `steps --json`."""
    rows = [json.loads(line) for line in text.decode().splitlines()]
    return [row["step"] for row in rows if row.get("kind") in ACTS][-CALLS_MOST:]


def questions(binary, folder):
    asked = []
    for policy in POLICIES:
        options = ["a.strand", "--policy", policy, "--json"]
        asked += [["steps", *options], ["check", *options], ["egress", *options], ["tools", *options]]
        for step in acting_steps(run(binary, folder, "steps", *options)):
            for more in (["--axis", "integrity"], ["--axis", "confidentiality"], ["--arg", ""]):
                asked.append(["why", options[0], str(step), *options[1:], *more])
    return asked


def differing(binary, logs):
    """The questions whose answers differ."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        for folder in first, second:
            run(binary, folder, "import", "-o", "a.strand", *logs)
        asked = questions(binary, first)
        answers = [run(binary, first, *question) for question in asked]
        again = [run(binary, second, *question) for question in reversed(asked)][::-1]
        empty = [" ".join(question) for question, answer in zip(asked, answers) if not answer]
        return empty + [" ".join(question) for question, a, b in zip(asked, answers, again) if a != b]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strandline", required=True)
    binary = os.path.abspath(parser.parse_args().strandline)
    names = sorted(path.name for path in SAMPLES.glob("S0[1256]*"))
    print("1..%d" % len(names))
    failed = 0
    for i, name in enumerate(names, 1):
        logs = sorted(str(path) for path in (SAMPLES / name).iterdir() if path.suffix in (".log", ".jsonl", ".har"))
        wrong = differing(binary, logs)
        failed += bool(wrong)
        print("%s %d - %s" % ("not ok" if wrong else "ok", i, name))
        for question in wrong:
            print("  # differs, or says nothing: strandline %s" % question)
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
