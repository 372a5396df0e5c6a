#!/usr/bin/env python3
"""The bundled incidents: each recording, each policy, against its expected answer.

usage: run.py --strandline BINARY [NAME...]          (prints TAP)

samples/README.md says what the fields of expected.json mean. A recording is
imported once; then steps, check and why are asked under each policy, all with
--json. A test point is one policy of one recording (or its evidence, or its
number of sessions), and its failure lists everything that differs. In folders
host/ the wire and the transcript of one session are imported together.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "samples"
NEEDED = {"import", "sessions", "steps", "check", "verify", "why"}
BINARY = None


class Skip(Exception):
    pass


def ask(*args, allowed=(0, 1, 3)):
    """The exit status and the JSON of a command: a list where it wrote lines, else the document."""
    done = subprocess.run([BINARY, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent",
                               "TZ": "UTC"})
    text = done.stdout.decode("utf-8")
    if done.returncode not in allowed:
        raise AssertionError("%s: exit %d: %s" % (args[0], done.returncode, done.stderr.decode()[:300].strip()))
    try:
        return done.returncode, json.loads(text) if text.strip() else []
    except json.JSONDecodeError:
        return done.returncode, [json.loads(line) for line in text.splitlines()]


def rows(answer, key, member):
    """The rows of an answer: lines that have `member`, or the list called `key` of a document."""
    if isinstance(answer, dict) and key in answer:
        return answer[key]
    return [row for row in (answer if isinstance(answer, list) else [answer]) if member in row]


# -- steps by what they are ------------------------------------------------------

class Session:
    def __init__(self, case, name, policy):
        self.steps = rows(ask("steps", case, name, "--policy", policy, "--json")[1], "steps", "kind")
        self.by_number = {step["step"]: step for step in self.steps}

    def find(self, reference):
        """The number of the step that a reference names."""
        fields = {name: value for name, value in reference.items() if name in ("kind", "server", "tool")}
        alike = [step["step"] for step in self.steps
                 if all((step.get(name) or None) == value for name, value in fields.items())]
        if len(alike) < reference["occurrence"]:
            raise AssertionError("no step %s" % describe(reference))
        return alike[reference["occurrence"] - 1]

    def first(self, test):
        return next((step["step"] for step in self.steps if step.get("context_after") and test(step["context_after"])),
                    None)

    def name(self, number):
        step = self.by_number.get(number)
        return "%d (%s)" % (number, describe(dict(step, occurrence=0))) if step else str(number)


def describe(reference):
    words = [reference["kind"]] + [reference[name] for name in ("server", "tool") if reference.get(name)]
    return " ".join(words) + (" #%d" % reference["occurrence"] if reference.get("occurrence") else "")


def is_untrusted(label):
    return label["integrity"] == "untrusted"


def is_private(label):
    confidentiality = label["confidentiality"]
    return confidentiality["readers"] != "everyone" or bool(confidentiality["markers"])


# -- comparing one block -----------------------------------------------------------

def compare_rise(session, block):
    for field, test in (("first_untrusted", is_untrusted), ("first_private", is_private)):
        if field in block:
            got = session.first(test)
            wanted = session.find(block[field]) if block[field] else None
            if got != wanted:
                yield "%s: step %s, not %s" % (field, session.name(got) if got else "none", wanted)


def compare_violations(session, block):
    if "violations" not in block:
        return
    got = [step for step in session.steps if step.get("verdict") in ("ask", "deny")]
    wanted = [(session.find(entry["at"]), entry) for entry in block["violations"]]
    if [step["step"] for step in got] != [number for number, _ in wanted]:
        yield "violations at %s, not at %s" % (", ".join(session.name(step["step"]) for step in got) or "no step",
                                               ", ".join(session.name(number) for number, _ in wanted) or "none")
    for number, entry in wanted:
        step = session.by_number[number]
        if entry["verdict"] and step.get("verdict") != entry["verdict"]:
            yield "verdict of %s: %s, not %s" % (session.name(number), step.get("verdict"), entry["verdict"])
        results = {row["policy"]: row["verdict"] for row in step.get("policies") or []}
        for policy, word in entry["policies"].items():
            if results.get(policy) != word:
                yield "%s of %s: %s, not %s" % (policy, session.name(number), results.get(policy), word)


def label_differences(what, label, wanted):
    got = {"integrity": label["integrity"], "readers": label["confidentiality"]["readers"],
           "markers": label["confidentiality"]["markers"]} if label else {}
    for field, value in wanted.items():
        if got.get(field) != value:
            yield "%s: %s is %r, not %r" % (what, field, got.get(field), value)


def compare_labels(session, block):
    for entry in block.get("labels", []):
        number = session.find(entry["at"])
        yield from label_differences("label of " + session.name(number), session.by_number[number].get("label"),
                                     entry["label"])
    last = session.steps[-1] if session.steps else {}
    if "final" in block:
        yield from label_differences("context at the end", last.get("context_after"), block["final"])
    if block.get("unclaimed") is not None and last.get("unclaimed") != block["unclaimed"]:
        yield "unclaimed: %s, not %d" % (last.get("unclaimed"), block["unclaimed"])


def matching(session, findings, entry):
    at = session.find(entry["at"]) if "at" in entry else None
    for found in findings:
        if not found["code"].startswith(entry["code"]) or found.get("suppressed"):
            continue
        if at is not None and found["step"] != at:
            continue
        pointers = {row.get("pointer") for row in found["evidence"] if at is None or row["step"] == at}
        if "pointer" not in entry or any(pointer and pointer.startswith(entry["pointer"]) for pointer in pointers):
            yield found


def compare_findings(session, block, findings):
    for entry in block["findings"]:
        found = list(matching(session, findings, entry))
        what = entry["code"] + (" at " + describe(entry["at"]) if "at" in entry else "") + entry.get("pointer", "")
        if not found:
            yield "no finding " + what
        steps = {row["step"] for one in found for row in one["evidence"]}
        for source in entry.get("sources", []) if found else []:
            if session.find(source) not in steps:
                yield "finding %s doesn't rest on %s" % (what, describe(source))
    for entry in block["absent"]:
        for found in matching(session, findings, entry):
            yield "finding %s at step %s that should not be: %s" % (found["code"], found["step"], found["message"])


def compare_causes(case, name, policy, session, block):
    def resting(*more):
        answer = ask("why", case, *more, "--policy", policy, "--json")[1]
        return {row["step"] for part in ("causes", "chain") for row in answer.get(part, [])}

    def step_of(number):
        return "%s:%d" % (name, number)

    if block.get("first_violation"):
        violation = session.find(block["first_violation"])
        for axis in ("integrity", "confidentiality"):
            cause = block.get("cause_" + axis)
            if cause and session.find(cause) not in resting(step_of(violation), "--axis", axis):
                yield "why %s of %s doesn't name %s" % (axis, session.name(violation), describe(cause))
    if block.get("origin"):
        impact = session.find(block["impact"])
        ranked = ask("why", case, step_of(impact), "--policy", policy, "--json")[1]["causes"]
        if not ranked or ranked[0]["step"] != session.find(block["origin"]):
            yield "why %s doesn't rank %s first" % (session.name(impact), describe(block["origin"]))
    for entry in block.get("why", []):
        number = session.find(entry["step"])
        steps = resting(step_of(number), "--arg", entry["pointer"])
        for origin in entry["origins"]:
            if session.find(origin) not in steps:
                yield "why %s of %s doesn't name %s" % (entry["pointer"], session.name(number), describe(origin))


def assumptions_hold(session, document, policy):
    for entry in document.get("assumes", []):
        if policy in entry["policies"]:
            number = session.find(entry["at"])
            role = session.by_number[number].get("role") or []
            if sorted(role) != sorted(entry["role"]):
                raise Skip("the policy takes %s as %s" % (session.name(number), " and ".join(role) or "neither"))


# -- recordings --------------------------------------------------------------------

def recordings():
    for path in sorted(SAMPLES.glob("S[0-9][0-9]-*/**/expected.json")):
        yield str(path.parent.relative_to(SAMPLES)), path.parent, json.loads(path.read_text(encoding="utf-8"))


def points(place, folder, document, tmp):
    """(name, function) of every test point of a recording; a function gives what differs."""
    case = os.path.join(tmp, place.replace("/", "_") + ".strand")
    evidence = [word for name in document["evidence"] for word in ("--evidence", folder / name)]
    names = []

    def imported():
        if not names:
            done = subprocess.run([BINARY, "import", "-q", "-o", case, *map(str, evidence),
                                   *(str(folder / log) for log in document["logs"])],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            if done.returncode != 0:
                raise AssertionError("import: exit %d: %s" % (done.returncode, done.stderr[:300].strip()))
            names.extend(str(row["session"]) for row in rows(ask("sessions", case, "--json")[1], "sessions", "session"))
        return names

    def sessions():
        if len(imported()) != document["sessions"]:
            yield "sessions: %d, not %d" % (len(names), document["sessions"])

    def under(policy, block):
        def differences():
            for name in imported():
                session = Session(case, name, policy)
                assumptions_hold(session, document, policy)
                findings = [row for row in rows(ask("check", case, "--policy", policy, "--json")[1], "findings", "code")
                            if str(row["session"]) == name]
                yield from compare_rise(session, block)
                yield from compare_violations(session, block)
                yield from compare_labels(session, block)
                yield from compare_findings(session, block, findings)
                yield from compare_causes(case, name, policy, session, block)
        return differences

    def verify():
        session = Session(case, imported()[0], "additive")
        for row in document["verify"]["refs"]:
            number = session.find(row["at"])
            got = [(one["type"], one["status"]) for one in session.by_number[number].get("evidence") or []]
            if got != [(row["type"], row["status"])]:
                yield "evidence of %s: %s, not %s" % (session.name(number), got, row["status"])
        status = ask("verify", case, "--json", *evidence)[0]
        if status != document["verify"]["exit"]:
            yield "verify: exit %d, not %d" % (status, document["verify"]["exit"])

    yield place + ": sessions", sessions
    for policy, block in document["policies"].items():
        yield place + ": " + policy, under(policy, block)
    if "verify" in document:
        yield place + ": evidence", verify


def main():
    global BINARY
    parser = argparse.ArgumentParser(description="the bundled incidents against their expected answers")
    parser.add_argument("--strandline", required=True)
    parser.add_argument("names", nargs="*", help="beginnings of sample names")
    options = parser.parse_args()
    BINARY = os.path.abspath(options.strandline)
    verbs = set(re.findall(r"^  ([a-z]+)  ", subprocess.run([BINARY, "--help"], capture_output=True, text=True,
                                                             stdin=subprocess.DEVNULL, timeout=60).stdout, re.M))
    if not NEEDED <= verbs:
        print("1..0 # SKIP this build has no " + ", ".join(sorted(NEEDED - verbs)))
        return 0
    count = failed = 0
    with tempfile.TemporaryDirectory(prefix="strandline-samples-") as tmp:
        for place, folder, document in recordings():
            if options.names and not place.startswith(tuple(options.names)):
                continue
            for name, differences in points(place, folder, document, tmp):
                count += 1
                try:
                    found = list(differences())
                except Skip as reason:
                    print("ok %d - %s # SKIP %s" % (count, name, reason))
                    continue
                except Exception as trouble:      # whatever it was, the other points still count
                    found = ["%s: %s" % (type(trouble).__name__, trouble)]
                print("%s %d - %s" % ("not ok" if found else "ok", count, name))
                for line in found:
                    print("# " + line)
                failed += bool(found)
                sys.stdout.flush()
    print("1..%d" % count)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
