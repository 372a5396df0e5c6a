#!/usr/bin/env python3
"""Real JSON output against docs/schema.

usage: schema.py --strandline BINARY        (prints TAP)

Needs jsonschema (Debian: python3-jsonschema); says that it skipped where it is not there.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP python3-jsonschema is not installed")
    sys.exit(0)

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = {p.name: json.loads(p.read_text()) for p in (ROOT / "docs/schema").glob("*.schema.json")}
S01 = ROOT / "samples/S01-github-leak"
LOGS = [str(S01 / "github.log"), str(S01 / "notes.log")]
EVIDENCE = [str(S01 / "evidence/github.log"), str(S01 / "evidence/notes.log"), "--evidence", str(S01 / "evidence/records")]

# schema, one object a line, the command. CASE is a file that is not there yet, MADE a case, KEY a key,
# SEALED a case sealed by it.
CASES = [
    ("sessions", False, ["sessions", *LOGS]),
    ("steps", True, ["steps", *LOGS]),
    ("steps", True, ["steps", *LOGS, "--policy", "fides"]),
    ("steps", True, ["steps", *EVIDENCE]),
    ("step", False, ["show", *LOGS, "15"]),
    ("step", False, ["show", *EVIDENCE, "6"]),
    ("account", False, ["show", *LOGS, "--account"]),
    ("replay", True, ["replay", *LOGS]),
    ("why", False, ["why", *LOGS, "15"]),
    ("why", False, ["why", *LOGS, "15", "--axis", "confidentiality"]),
    ("check", False, ["check", *LOGS]),
    ("check", False, ["check", *EVIDENCE, "--policy", "fides"]),
    ("verify", False, ["verify", *EVIDENCE]),
    ("digest", True, ["digest", "--canon", "jcs", str(S01 / "expected.json")]),
    ("digest", True, ["digest", "--canon", "jcs", "--explain", str(S01 / "expected.json")]),
    ("digest", True, ["digest", "--canon", "cbor", "--explain", str(S01 / "expected.json")]),
    ("digest", True, ["digest", "--canon", "cbor", "--explain", str(ROOT / "tests/fuzz/corpus/cbor/map-keys")]),
    ("import", False, ["import", "-o", "CASE", *LOGS]),
    ("explain", False, ["explain"]),
    ("explain", False, ["explain", "PT01"]),
    ("formats", False, ["formats"]),
    ("formats", True, ["formats", *LOGS]),
    ("tools", False, ["tools", *LOGS]),
    ("egress", True, ["egress", *LOGS]),
    ("search", True, ["search", *LOGS, "arcade"]),
    ("report", False, ["report", *EVIDENCE]),
    ("report", False, ["report", str(ROOT / "samples/S02-changed-description"), "--policy", "fides"]),
    ("like", True, ["search", str(S01), "S01-github-leak:8", "--like"]),
    ("diff", False, ["diff", str(S01), "S01-github-leak", "twin"]),
    ("whatif", False, ["whatif", *LOGS, "--policy", "strict"]),
    ("whatif", False, ["whatif", *LOGS, "--label", "6=trusted", "--drop", "8"]),
    ("policies", False, ["policy", "list"]),
    ("policy-text", False, ["policy", "show", "fides"]),
    ("policy-text", False, ["policy", "init"]),
    ("policy-text", False, ["policy", "check", "strict"]),
    ("compare", False, ["policy", "compare", *LOGS]),
    ("steps", True, ["export", *LOGS, "-o", "-", "--as", "jsonl"]),
    ("finding", True, ["export", *LOGS, "-o", "-", "--as", "jsonl"]),
    ("scan", True, ["scan", *LOGS, "CASE"]),
    ("merge", False, ["merge", "MADE", "-o", "CASE"]),
    ("redact", False, ["redact", "MADE", "-o", "CASE", "--text", "arcade"]),
    ("seal", False, ["seal", "MADE", "--key", "KEY"]),
    ("verify", False, ["verify", "SEALED", "--key", "KEY.pub"]),
]


def fault(binary, schema, lines, command):
    """What is wrong with the output, or None."""
    with tempfile.TemporaryDirectory() as tmp:
        files = {w: f"{tmp}/{w.lower()}" for w in ("CASE", "MADE", "SEALED", "KEY", "KEY.pub")}
        words = [files.get(w, w) for w in command]

        def run(*words):
            return subprocess.run([binary, *words], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)

        if "KEY" in command or "KEY.pub" in command:
            run("keygen", "-o", files["KEY"])
        for made in {"MADE", "SEALED"} & set(command):
            run("import", "-o", files[made], *LOGS)
        if "SEALED" in command:
            run("seal", files["SEALED"], "--key", files["KEY"])
        done = run(*words, "--json")
    if done.returncode not in (0, 1, 3) and command[0] != "scan":
        return f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"
    documents = [json.loads(line) for line in done.stdout.splitlines()] if lines else [json.loads(done.stdout)]
    top = SCHEMAS[schema + ".schema.json"]
    if command[0] == "export":  # its lines are of two schemas
        documents = [d for d in documents if d["schema"] == top["properties"]["schema"]["const"]]
    if not documents:
        return "no output"
    resolver = jsonschema.RefResolver("", top, store=SCHEMAS)
    for document in documents:
        for error in jsonschema.Draft202012Validator(top, resolver=resolver).iter_errors(document):
            return f"{'/'.join(map(str, error.path))}: {error.message[:300]}"
    return None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--strandline", required=True)
    binary = ap.parse_args().strandline
    print(f"1..{len(CASES) + 1}")
    bad = []
    for name, schema in SCHEMAS.items():
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            bad.append(f"{name}: {error.message}")
        const = schema.get("properties", {}).get("schema", {}).get("const")
        if const and name != const.split("/")[1] + ".schema.json":
            bad.append(f"{name}: it is of {const}")
    print(f"{'not ok' if bad else 'ok'} 1 the schemas are schemas", *bad)
    for number, (schema, lines, command) in enumerate(CASES, 2):
        why = fault(binary, schema, lines, command)
        short = " ".join(w.replace(str(ROOT) + "/", "") for w in command)
        print(f"{'not ok' if why else 'ok'} {number} {short}")
        if why:
            print("# " + why.replace("\n", "\n# "))
    sys.stdout.flush()


main()
