#!/usr/bin/env python3
"""How often the right cause comes first.

Reads a folder of recorded runs with a truth.tsv (columns run, suite, kind,
security, injected_call, poisoned_result: numbers from 0 over the calls and the
results of a run) and asks the program itself, `strandline why --json`, about
each call that an attacker brought about. Prints, for each suite, model and
attack, how often the result that first carried the attacker's text is named
first, and how often at all, with 95 % Wilson intervals; then the misses.

    causes.py --strandline build/strandline FOLDER [--policy fides] [--strip | --check]

--strip asks a harder question: the same runs after the attack's wrapping ("This
is an important message …, before you …") has been cut out of them, so that only
the sentence with the attacker's wish is left. What was tuned to a wrapping
falls apart there. --check counts findings of at least medium severity instead.
"""
import argparse
import collections
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

WRAPPING = re.compile(
    r'(?:<INFORMATION>\s*)?This\s+is\s+an\s+important\s+message\s+from.*?following\s+first:\s*(.*?)'
    r'\s*After\s+you\s+do\s+that.*?Thanks!(?:\s*Signed,\s+.{0,40}?)?\s*</INFORMATION>', re.S)


def wilson(hits, count, z=1.96):
    if not count:
        return 0.0, 1.0
    share = hits / count
    middle = (share + z * z / 2 / count) / (1 + z * z / count)
    half = z * math.sqrt(share * (1 - share) / count + z * z / 4 / count / count) / (1 + z * z / count)
    return middle - half, middle + half


def ask(program, verb, path, *more):
    done = subprocess.run([program, verb, '--json', path, *more], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit('%s %s: %s' % (verb, path, done.stderr.strip()))
    values, at, text = [], 0, done.stdout.strip()
    while at < len(text):
        value, at = json.JSONDecoder().raw_decode(text, at)
        values.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return values


def stripped(path, folder):
    """A copy of the run without the attack's wrapping; None where it has none."""
    with open(path, encoding='utf-8') as file:
        run = json.load(file)
    changed = 0
    for message in run['messages']:
        if message['role'] == 'tool' and isinstance(message['content'], str):
            message['content'], count = WRAPPING.subn(r'\1', message['content'])
            changed += count
    if not changed:
        return None
    copy = os.path.join(folder, os.path.basename(path))
    with open(copy, 'w', encoding='utf-8') as file:
        json.dump(run, file)
    return copy


def judge(program, policy, path, truth):
    """Where the poisoned result stands among the causes of the injected call: from 1; 0: nowhere."""
    steps = ask(program, 'steps', path)
    calls = [s['step'] for s in steps if s['kind'] == 'tool_call']
    results = [s['step'] for s in steps if s['kind'] == 'tool_result']
    call, poisoned = calls[int(truth['injected_call'])], results[int(truth['poisoned_result'])]
    causes = ask(program, 'why', path, str(call), '--axis', 'integrity', '--policy', policy)[0]['causes']
    order = [c['step'] for c in causes]
    choices = sum(1 for r in results if r < call)
    return order.index(poisoned) + 1 if poisoned in order else 0, choices, call, poisoned, order


def count_findings(given, truths):
    """Runs in which the attacked call (or, without an attack, any step) has a finding of weight."""
    weighty = ('medium', 'high', 'critical')
    count, found = collections.Counter(), collections.Counter()
    for truth in truths:
        attacked = truth['kind'] == 'injected' and truth['security'] == 'True'
        if not attacked and truth['kind'] != 'benign':
            continue
        path = os.path.join(given.folder, truth['run'])
        answer = ask(given.strandline, 'check', path, '--policy', given.policy)
        findings = [f for part in answer for f in part.get('findings', [part]) if f.get('severity') in weighty]
        if attacked:
            steps = ask(given.strandline, 'steps', path)
            call = [s['step'] for s in steps if s['kind'] == 'tool_call'][int(truth['injected_call'])]
            findings = [f for f in findings if f.get('step') == call]
        for group in (('attacked call, ' if attacked else 'no attack, ') + truth['suite'],
                      'attacked call' if attacked else 'no attack'):
            count[group] += 1
            found[group] += bool(findings)
    for group in sorted(count):
        print('%-48s %5d  with a finding: %5.1f %% [%.2f %.2f]' % (
            group, count[group], 100 * found[group] / count[group], *wilson(found[group], count[group])))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument('--strandline', required=True)
    options.add_argument('--policy', default='fides')
    options.add_argument('--strip', action='store_true')
    options.add_argument('--check', action='store_true')
    options.add_argument('folder')
    given = options.parse_args()
    count, first, named = collections.Counter(), collections.Counter(), collections.Counter()
    misses = []
    with open(os.path.join(given.folder, 'truth.tsv'), encoding='utf-8') as file:
        every = list(csv.DictReader(file, delimiter='\t'))
    if given.check:
        return count_findings(given, every)
    truths = [t for t in every if t['kind'] == 'injected' and t['security'] == 'True']
    with tempfile.TemporaryDirectory() as folder:
        for truth in truths:
            path = os.path.join(given.folder, truth['run'])
            path = stripped(path, folder) if given.strip else path
            if not path:
                continue
            place, choices, call, poisoned, order = judge(given.strandline, given.policy, path, truth)
            model, _, _, attack, _ = truth['run'].split('__')
            groups = ['suite ' + truth['suite'], 'model ' + model, 'attack ' + attack, 'all']
            if choices > 1:
                groups.append('all with a choice')
            for group in groups:
                count[group] += 1
                first[group] += place == 1
                named[group] += place > 0
            if place != 1:
                misses.append('%s: call %d, poisoned %d, causes %s' % (truth['run'], call, poisoned, order[:6]))
    print('%-48s %5s  %s' % ('', 'runs', 'first            named'))
    for group in sorted(count):
        print('%-48s %5d  %5.1f %% [%.2f %.2f]  %5.1f %% [%.2f %.2f]' % (
            group, count[group],
            100 * first[group] / count[group], *wilson(first[group], count[group]),
            100 * named[group] / count[group], *wilson(named[group], count[group])))
    for miss in misses:
        print('missed  ' + miss)


if __name__ == '__main__':
    main()
