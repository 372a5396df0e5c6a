"""Plays the written recordings by the rules of the model, as one would on paper.

This is a second, small reading of the same rules, made from the page and not
from the program. It reads the logs back, and complains where expected.json says
something else, where a twin's calls share text with what came in, and where an
evidence reference would not get the status that is expected. It knows what the
samples need: marked logs, transcripts, three policies; no reader lists but
equal or disjoint ones, and no resolving of markers.
"""

import glob
import json
import os
import re

from expect import shared
from records import CANON, digest
from wire import TRUST

ALLOW, DENY = "allow", "deny"


# -- reading back ---------------------------------------------------------------

class Step:
    def __init__(self, time, kind, server, tool, body):
        self.time, self.kind, self.server, self.tool, self.body = time, kind, server, tool, body
        self.occurrence = 0

    def is_at(self, reference):
        return all(getattr(self, name) == value for name, value in reference.items() if name != "denied_by")

    def __str__(self):
        return "%s %s/%s #%d" % (self.kind, self.server, self.tool, self.occurrence)


def read_wire(path):
    server = os.path.basename(path).rsplit(".", 1)[0]
    asked = {}
    for line in open(path, encoding="utf-8"):
        time, mark, rest = line.rstrip("\n").split(" ", 2)
        if mark == "!!!":
            continue
        message = json.loads(rest)
        if mark == "-->" and "method" in message and "id" in message:
            asked[message["id"]] = message
            if message["method"] == "tools/call":
                yield Step(time, "tool_call", server, message["params"]["name"], message["params"]["arguments"])
        elif mark == "<--" and "result" in message and message["id"] in asked:
            question = asked[message["id"]]
            if question["method"] == "tools/call":
                yield Step(time, "tool_result", server, question["params"]["name"], message["result"])
            elif question["method"] == "tools/list":
                yield Step(time, "definitions", server, None, message["result"]["tools"])


def read_transcript(path):
    uses = {}
    for text in open(path, encoding="utf-8"):
        line = json.loads(text)
        content = line.get("message", {}).get("content")
        if line["type"] == "assistant":
            for block in content:
                if block["type"] == "text":
                    yield Step(line["timestamp"], "assistant", None, None, block["text"])
                else:
                    name = re.fullmatch(r"mcp__(.*)__(.*)", block["name"])
                    uses[block["id"]] = name.groups() if name else (None, block["name"])
                    yield Step(line["timestamp"], "tool_call", *uses[block["id"]], block["input"])
        elif line["type"] == "user" and isinstance(content, str):
            yield Step(line["timestamp"], "prompt", None, None, content)
        elif line["type"] == "user":
            result = dict({"content": content[0]["content"]}, **line.get("mcpMeta", {}))
            yield Step(line["timestamp"], "tool_result", *uses[content[0]["tool_use_id"]], result)


def read(folder, logs):
    steps = []
    for log in logs:
        path = os.path.join(folder, log)
        steps += read_wire(path) if log.endswith(".log") else read_transcript(path)
    steps.sort(key=lambda step: step.time)      # stable: a file's own order holds
    seen = {}
    for step in steps:
        key = (step.kind, step.server, step.tool)
        seen[key] = step.occurrence = seen.get(key, 0) + 1
    return steps


# -- labels -----------------------------------------------------------------------

def claims(result):
    """(untrusted, readers or None, private) of each claim on a result and its blocks."""
    for carrier in [result] + result["content"]:
        meta = carrier.get("_meta", {})
        annotation = meta.get(TRUST, {})
        if annotation.get("untrusted") or annotation.get("sensitive"):
            yield bool(annotation.get("untrusted")), None, bool(annotation.get("sensitive"))
        if "ifc" in meta:
            readers = meta["ifc"]["confidentiality"]
            yield (meta["ifc"]["integrity"] == "untrusted", set(readers) if isinstance(readers, list) else None,
                   readers == "private")


class Context:
    def __init__(self):
        self.untrusted = self.marked = False
        self.readers = None         # everyone

    def join(self, claim):
        untrusted, readers, private = claim
        self.untrusted |= untrusted
        self.marked |= private
        if readers is not None:
            self.readers = readers if self.readers is None else self.readers & readers

    def private(self):
        return self.marked or self.readers is not None


# -- policies: what is assumed of a silent result, and which role a call has --------

ADDRESS = re.compile(r'(?:\]\(|\]: *|src=")(https?://[^\s")]+)')


def written(step):
    return not step.body["query"].startswith("select") if step.tool == "execute_sql" else None


def role_by_hints(step, hints):
    if written(step) is not None:
        return {"consequential"} if written(step) else set()
    if hints.get("readOnlyHint"):
        return {"egress"} if hints.get("openWorldHint") else set()
    return {"consequential"} if hints.get("openWorldHint") is False else {"consequential", "egress"}


class Additive:
    def assumed(self, hints):
        return None

    def role(self, step, hints, prompts):
        return {"egress"} if step.kind == "assistant" else role_by_hints(step, hints)

    def denies(self, role, trusted_action, permitted_flow):
        return ("consequential" in role and trusted_action == DENY) or ("egress" in role and permitted_flow == DENY)


class Fides(Additive):
    def assumed(self, hints):
        return True, None, False

    def role(self, step, hints, prompts):
        if step.kind == "assistant":        # an address that the prompt names is endorsed
            return set() if all(url in prompts for url in ADDRESS.findall(step.body)) else {"egress"}
        role = role_by_hints(step, hints)
        return role | {"consequential"} if hints.get("readOnlyHint") and role else role

    def denies(self, role, trusted_action, permitted_flow):
        both = trusted_action == permitted_flow == DENY
        return ("consequential" in role and trusted_action == DENY) or ("egress" in role and both)


class AgentFramework(Additive):
    def assumed(self, hints):
        return None if hints.get("openWorldHint") is False else (True, None, False)

    def role(self, step, hints, prompts):
        return set() if step.kind == "assistant" or hints.get("readOnlyHint") else {"consequential", "egress"}


POLICY = {"additive": Additive(), "fides": Fides(), "agent-framework": AgentFramework()}


class Replay:
    def __init__(self, policy, steps):
        self.context, self.hints, self.prompts = Context(), {}, ""
        self.first_untrusted = self.first_private = None
        self.violations, self.unclaimed = [], 0
        for step in steps:
            if step.kind == "prompt":
                self.prompts += step.body
            elif step.kind == "definitions":
                self.hints.update({(step.server, item["name"]): item.get("annotations", {}) for item in step.body})
            elif step.kind == "tool_result":
                self.take_in(policy, step)
            elif step.kind == "tool_call" or ADDRESS.search(step.body):
                self.judge(policy, step)

    def take_in(self, policy, step):
        found = list(claims(step.body))
        if not found:
            assumed = policy.assumed(self.hints.get((step.server, step.tool), {}))
            found = [assumed] if assumed else []
            self.unclaimed += not found
        for claim in found:
            self.context.join(claim)
        if self.context.untrusted:
            self.first_untrusted = self.first_untrusted or step
        if self.context.private():
            self.first_private = self.first_private or step

    def judge(self, policy, step):
        role = policy.role(step, self.hints.get((step.server, step.tool), {}), self.prompts)
        results = {"P-T": DENY if self.context.untrusted else ALLOW, "P-F": DENY if self.context.private() else ALLOW}
        if role and policy.denies(role, results["P-T"], results["P-F"]):
            self.violations.append((step, results))


# -- comparing ----------------------------------------------------------------------

def differences(replay, block):
    for name in ("first_untrusted", "first_private"):
        wanted, got = block.get(name, False), getattr(replay, name)
        if wanted is not False and (got is not None) != (wanted is not None) or (wanted and not got.is_at(wanted)):
            yield "%s is %s" % (name, got)
    if "violations" in block:
        got = replay.violations
        if len(got) != len(block["violations"]):
            yield "violations are " + ", ".join(str(step) for step, _ in got)
        for (step, results), wanted in zip(got, block["violations"]):
            if not step.is_at(wanted["at"]) or any(results[name] != word for name, word in wanted["policies"].items()):
                yield "violation at %s is %s" % (step, results)
    if block.get("unclaimed") not in (None, replay.unclaimed):
        yield "unclaimed is %d" % replay.unclaimed
    if "final" in block:
        readers = "everyone" if replay.context.readers is None else sorted(replay.context.readers)
        wanted = block["final"]
        if (readers, replay.context.untrusted) != (wanted["readers"], wanted["integrity"] == "untrusted"):
            yield "final readers are %s" % readers


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def shared_in_twin(steps, length=12):
    """Passages of results that come back in a call or an answer; what is trusted and public may."""
    came_in = []
    for step in steps:
        if step.kind == "tool_result":
            if set(map(str, claims(step.body))) != {str((False, None, False))}:
                came_in += strings(step.body["content"])
        elif step.kind in ("tool_call", "assistant"):
            for text in strings(step.body):
                for source in came_in:
                    passage = shared(text, source)
                    if len(passage) >= length:
                        yield "%s shares %r" % (step, passage)


def status(reference, held, names):
    """The verdict word for an evidenceRef, given the records that are held."""
    for canonicalization in CANON:
        if reference["digest"] in (digest(record, canonicalization) for record in held):
            same = canonicalization == reference["canonicalization"]
            return "recomputed" if same else "canonicalization_mismatch"
    if "ref" not in reference:
        return "unresolvable_digest_only"
    return "digest_mismatch" if reference["ref"] in names else "unresolved_ref"


def evidence_differences(folder, document, steps):
    held, names = [], set()
    for place in document["evidence"]:
        for path in glob.glob(os.path.join(folder, place, "*.json*")):
            names.add(os.path.basename(path))
            text = open(path, encoding="utf-8").read()
            held += map(json.loads, text.splitlines()) if path.endswith("l") else [json.loads(text)]
        for path in glob.glob(os.path.join(folder, place, "*.cbor")):
            names.add(os.path.basename(path))
            held.append(_cbor_map(open(path, "rb").read()))
    for row in document["verify"]["refs"]:
        step = next(step for step in steps if step.is_at(row["at"]))
        got = status(step.body["_meta"][TRUST]["evidenceRef"], held, names)
        if got != row["status"]:
            yield "evidence of %s is %s" % (step, got)


def _cbor_map(data):
    """A map of short texts, which is all that our CBOR records are."""
    assert data[0] >> 5 == 5
    parts, at = [], 1
    while at < len(data):
        assert data[at] >> 5 == 3 and data[at] & 31 < 24
        parts.append(data[at + 1:at + 1 + (data[at] & 31)].decode())
        at += 1 + (data[at] & 31)
    return dict(zip(parts[::2], parts[1::2]))


def check(samples):
    """All complaints about the folders below `samples`, and how many blocks were compared."""
    complaints, compared = [], 0
    for path in sorted(glob.glob(os.path.join(samples, "S*", "**", "expected.json"), recursive=True)):
        folder, document = os.path.dirname(path), json.load(open(path, encoding="utf-8"))
        if any(log.endswith(".har") for log in document["logs"]) or os.path.basename(folder) == "host":
            continue
        one_each = document["sessions"] == len(document["logs"])
        found = []
        for logs in [[log] for log in document["logs"]] if one_each else [document["logs"]]:
            steps = read(folder, logs)
            for name, block in document["policies"].items():
                compared += 1
                found += ["%s: %s" % (name, what) for what in differences(Replay(POLICY[name], steps), block)]
            if os.path.basename(folder) == "twin":
                found += shared_in_twin(steps)
            if "verify" in document:
                found += evidence_differences(folder, document, steps)
        complaints += ["%s: %s" % (os.path.relpath(folder, samples), what) for what in found]
    return complaints, compared
