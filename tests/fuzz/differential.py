#!/usr/bin/env python3
"""Canonical bytes against a second opinion, on documents made at random.

usage: differential.py --strandline BINARY [--documents N] [--seed N]    (prints TAP)

JCS against node, whose JSON and number printing RFC 8785 is written after; CBOR against python's cbor2.
What is not installed is skipped. Documents that only strandline refuses (a name twice, half of a surrogate
pair, a number beyond a double) are made, too, and have to be refused.
"""
import argparse
import hashlib
import json
import random
import shutil
import subprocess
import sys

NODE = r"""
const crypto = require('crypto');
const order = v => Array.isArray(v) ? v.map(order) : v && typeof v === 'object' ? new Map(
    Object.keys(v).sort().map(k => [k, order(v[k])])) : v;
const write = v => v instanceof Map ? '{' + [...v].map(([k, w]) => JSON.stringify(k) + ':' + write(w)).join(',') + '}'
    : Array.isArray(v) ? '[' + v.map(write).join(',') + ']' : JSON.stringify(v);
for (const line of require('fs').readFileSync(0, 'utf8').split('\n')) if (line)
    console.log(crypto.createHash('sha256').update(write(order(JSON.parse(line)))).digest('hex'));
"""
ATOMS = ["a", "Z", "0", " ", "\u00e9", "\u20ac", "\ufb33", "\ue000", "\uffff", "\U0001f600", "\U0010ffff", "\u007f", "\u2028",
         "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u001f", "\\u0041", "\\u00e9", "\\ud83d\\ude00"]


def text(r):
    return '"' + "".join(r.choice(ATOMS) for _ in range(r.choice((0, 1, 1, 2, 3, 9, 40)))) + '"'


def number(r):
    kind = r.randrange(6)
    if kind == 0:
        return str(r.randrange(-1000, 1000))
    if kind == 1:
        return str(r.randrange(-2**70, 2**70) >> r.randrange(70))
    digits = str(r.randrange(1, 10**r.randrange(1, 25)))
    point = r.randrange(len(digits))
    token = digits[:point].lstrip("0") or "0"
    token += "." + digits[point:] if kind != 2 else ""
    token += f"{r.choice('eE')}{r.choice(('', '+', '-'))}{r.randrange(0, r.choice((10, 30, 280)))}" if kind != 3 else ""
    return r.choice(("", "-")) + token


def value(r, depth):
    kind = r.randrange(7 if depth else 5)
    if kind < 2:
        return number(r)
    if kind < 4:
        return text(r)
    if kind == 4:
        return r.choice(("true", "false", "null"))
    space = r.choice(("", "", " ", "\t"))
    items = [value(r, depth - 1) for _ in range(r.randrange(r.choice((4, 30))))]
    if kind == 5:
        return "[" + space + ("," + space).join(items) + space + "]"
    names = {}
    for item in items:
        name = text(r)
        names.setdefault(json.loads(name), (name, item))
    return "{" + space + ("," + space).join(f"{n}{space}:{space}{v}" for n, v in names.values()) + space + "}"


REFUSED = ['{"a":1,"\\u0061":2}', '["\\ud800"]', '["\\udc00\\ud800"]', "[1e400]", "[-1e999]", '{"b":{"x":1,"x":1}}', "[1] 2", "\ufeff1"]


def ours(binary, canon, documents):
    done = subprocess.run([binary, "digest", "--canon", canon, "--lines"], input="\n".join(documents).encode(),
                          capture_output=True, timeout=600)
    return done.stdout.decode().split(), done


def node(documents):
    done = subprocess.run(["node", "-e", NODE], input="\n".join(documents).encode(), capture_output=True, timeout=600)
    return ["sha256:" + line for line in done.stdout.decode().split()]


def cbor2_digests(documents):
    from cbor2.encoder import dumps  # the one in Python: that in C misses half floats from 32768 on
    return ["sha256:" + hashlib.sha256(dumps(json.loads(d), canonical=True)).hexdigest() for d in documents]


def has_cbor2():
    try:
        import cbor2  # noqa: F401
    except ImportError:
        return False
    return True


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--strandline", required=True)
    ap.add_argument("--documents", type=int, default=4000)
    ap.add_argument("--seed", type=int, default=20260728)
    args = ap.parse_args()
    r = random.Random(args.seed)
    documents = [value(r, r.randrange(1, 5)) for _ in range(args.documents)]
    tests = [("jcs", "node", shutil.which("node"), node), ("cbor", "cbor2", has_cbor2(), cbor2_digests)]
    print(f"1..{len(tests) + 1}")
    failed = False
    for n, (canon, name, there, opinion) in enumerate(tests, 1):
        if not there:
            print(f"ok {n} {canon} # SKIP no {name}")
            continue
        mine, theirs = ours(args.strandline, canon, documents)[0], opinion(documents)
        wrong = [d for d, a, b in zip(documents, mine, theirs) if a != b]
        bad = bool(wrong) or not len(mine) == len(theirs) == len(documents)
        failed |= bad
        print(f"{'not ok' if bad else 'ok'} {n} {canon} as {name} has it, {len(documents)} documents")
        if bad:
            print(f"# {len(mine)} and {len(theirs)} digests; {len(wrong)} differ: {min(wrong, key=len, default='')!r:.500}")
    refused = [d for d in REFUSED if ours(args.strandline, "jcs", [d])[1].returncode == 4]
    bad = refused != REFUSED
    print(f"{'not ok' if bad else 'ok'} {len(tests) + 1} what has two meanings is refused")
    return failed or bad


if __name__ == "__main__":
    sys.exit(main())
