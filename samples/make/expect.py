"""What the program must answer to a sample, and checks that the story fits it.

A step is named by what it is, never by number: its kind, server, tool, and the
how-manieth it is of those in the session (from 1). README.md of samples/ says
what each field means.
"""

import difflib
import json
import os
import re

POLICIES = ("additive", "fides", "agent-framework")
OPEN = object()     # a field that is left out: the model doesn't say, or policies may differ


def call(server, tool, occurrence=1):
    return {"kind": "tool_call", "server": server, "tool": tool, "occurrence": occurrence}


def result(server, tool, occurrence=1):
    return {"kind": "tool_result", "server": server, "tool": tool, "occurrence": occurrence}


def host_call(tool, occurrence=1):
    return {"kind": "tool_call", "server": None, "tool": tool, "occurrence": occurrence}


def host_result(tool, occurrence=1):
    return {"kind": "tool_result", "server": None, "tool": tool, "occurrence": occurrence}


def definitions(server, occurrence=1):
    return {"kind": "definitions", "server": server, "occurrence": occurrence}


def prompt(occurrence=1):
    return {"kind": "prompt", "occurrence": occurrence}


def assistant(occurrence=1):
    return {"kind": "assistant", "occurrence": occurrence}


def verdict(step, word, **policies):
    """A call (or a rendering) that is not simply allowed. `P_T="deny"` and so on."""
    return {"at": step, "verdict": word,
            "policies": {name.replace("_", "-"): value for name, value in policies.items()}}


def finding(code, at=None, sources=None, pointer=None):
    """A finding that must be there: a code (PT01) or a family of codes (EX)."""
    entry = {"code": code}
    if at:
        entry["at"] = at
    if pointer:
        entry["pointer"] = pointer
    if sources:
        entry["sources"] = sources
    return entry


def origin(step, pointer, *steps):
    """For `why`: the argument's text comes from all these steps, labelled or not."""
    return {"step": step, "pointer": pointer, "origins": list(steps)}


def denials(steps, policy, axes=("PT", "PF")):
    """The policy findings at steps that P-T and P-F both deny. `fides` asks for one of them, so
    it may have one finding that says that both failed."""
    return [finding(axis, step) for step in steps for axis in (axes[:1] if policy == "fides" else axes)]


def answer(first_untrusted=None, first_private=None, violations=(), impact=None, likely=OPEN,
           cause_integrity=None, cause_confidentiality=None, findings=(), absent=(), **more):
    """The expected answer under one policy. The first violation is the first of the list; `likely` is the step
    that is ranked first among what led to the impact."""
    first = OPEN if violations is None else None
    if violations:
        first = dict(violations[0]["at"])
        first["denied_by"] = [name for name, word in violations[0]["policies"].items() if word == "deny"]
    block = {"first_untrusted": first_untrusted, "first_private": first_private,
             "first_violation": first, "impact": impact, "origin": likely,
             "violations": OPEN if violations is None else list(violations),
             "cause_integrity": cause_integrity, "cause_confidentiality": cause_confidentiality,
             "findings": [finding(f) if isinstance(f, str) else f for f in findings],
             "absent": [finding(f) if isinstance(f, str) else f for f in absent]}
    block.update(more)
    return {name: value for name, value in block.items() if value is not OPEN}


def document(incident, logs, policies, sessions=1, evidence=(), verify=None, assumes=None, whatif=()):
    body = {"incident": incident, "logs": list(logs), "evidence": list(evidence),
            "sessions": sessions, "policies": policies}
    if assumes:
        body["assumes"] = assumes
    if whatif:
        body["whatif"] = list(whatif)
    if verify:
        body["verify"] = verify
    return body


def write(folder, name, value):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as out:
        out.write(pretty(value) + "\n")


def pretty(value, margin=0, width=136):
    """JSON with every part that fits on a line on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + margin <= width or not isinstance(value, (dict, list)) or not value:
        return flat
    pad = " " * (margin + 2)
    if isinstance(value, list):
        parts, ends = [pretty(item, margin + 2, width) for item in value], "[]"
    else:
        ends = "{}"
        parts = ["%s: %s" % (json.dumps(key), pretty(item, margin + 2, width - len(key) - 4))
                 for key, item in value.items()]
    return ends[0] + "\n" + ",\n".join(pad + part for part in parts) + "\n" + " " * margin + ends[1]


# -- checks on the story itself ----------------------------------------------

def fold(text):
    return re.sub(r"\s+", " ", text.casefold())


def shared(left, right):
    """The longest passage that two texts have in common, case and spaces folded."""
    left, right = fold(left), fold(right)
    match = difflib.SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
    return left[match.a:match.a + match.size]


def must_share(left, right, length=14):
    passage = shared(left, right)
    assert len(passage) >= length, "the story needs a longer shared passage than %r" % passage
    return passage


def must_not_share(left, right, length=12):
    passage = shared(left, right)
    assert len(passage) < length, "this passage would be a finding: %r" % passage
